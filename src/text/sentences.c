/* Decides at each stop of a line whether a sentence ends there. What the signs are is in sentence_signs.c,
 * what is learned of words in splitter_learn.c. */
#include "mem.h"
#include "sentence_signs.h"
#include "utf8.h"

#include <string.h>

#define MOST_LOOKED_AHEAD 64 /* bytes */
#define MOST_TAG_BYTES 64
#define MOST_ENTITY 10 /* letters of an entity */
#define MOST_QUOTES 4  /* in a row, that close */

/* A line that is being read, and the sentence that is open. */
struct line_scan {
    const struct splitter *splitter;
    const char *text;
    size_t bytes, begin; /* of the sentence */
    bool worded;         /* it has a letter or a digit */
    int32_t first;       /* its first letter; 0: none so far */
    bool quoted;         /* it has an odd number of straight quotes */
    bool lowercase;      /* small letters begin sentences: the line has no capital, or so it was learned */
    bool numbered;       /* the line has had a number with a point and a blank behind it */
};

/* One or several stops in a row. */
struct stop {
    size_t begin, after; /* of the signs */
    size_t end;          /* behind what closes */
    size_t next;         /* behind the white space that follows */
    bool point;          /* a single full stop */
    struct span word;    /* that this belongs to */
    bool ellipsis;       /* several, or the sign */
    bool tight;          /* of a script that needs no blank */
};

static int32_t at_of(const struct line_scan *scan, size_t at, size_t *length)
{
    return char_at(scan->text, scan->bytes, at, length);
}

static size_t skip_spaces(const struct line_scan *scan, size_t at)
{
    size_t length;
    int32_t code;
    while ((code = at_of(scan, at, &length)) >= 0 && (utf8_is_space(code) || code == 0x200b))
        at += length;
    return at;
}

static bool is_open_end(const struct line_scan *scan, size_t at)
{
    size_t length;
    const int32_t code = at_of(scan, at, &length);
    return code < 0 || utf8_is_space(code);
}

/* Is the sentence written in a script, as its first letter or the one before the place is? */
static bool is_in_script(const struct line_scan *scan, size_t at, bool (*is)(int32_t code))
{
    size_t length;
    return is(scan->first) || is(char_before(scan->text, at, &length));
}

/* Does a semicolon end an entity, such as "&amp;"? */
static bool ends_entity(const struct line_scan *scan, size_t at)
{
    size_t begin = at;
    while (begin > scan->begin && at - begin < MOST_ENTITY &&
           (is_alnum(scan->text[begin - 1]) || scan->text[begin - 1] == '#'))
        begin--;
    return begin < at && begin > scan->begin && scan->text[begin - 1] == '&';
}

/* In Greek, a semicolon asks. */
static bool is_greek_question(const struct line_scan *scan, int32_t code, size_t at)
{
    return code == ';' && is_in_script(scan, at, is_greek) && !ends_entity(scan, at);
}

/* In Armenian, keyboards write a full stop as a colon. */
static bool is_armenian_stop(const struct line_scan *scan, int32_t code, size_t at)
{
    return code == ':' && is_open_end(scan, at + 1) && is_in_script(scan, at, is_armenian);
}

/* In Armenian, a full stop says what follows: as a sign of its own, or in front of a quote. */
static bool is_armenian_colon(const struct line_scan *scan, const struct stop *stop)
{
    size_t length;
    return stop->point && is_in_script(scan, stop->begin, is_armenian) &&
           (at_of(scan, stop->begin, &length) == 0x2024 || sign_is_quote(at_of(scan, stop->next, &length)));
}

/* In Amharic, a full stop may be two signs that part words. */
static bool is_ethiopic_stop(const struct line_scan *scan, int32_t code, size_t at)
{
    size_t length, more;
    return code == 0x1361 && (char_before(scan->text, at, &length) == code ||
                              (at_of(scan, at, &length) == code && at_of(scan, at + length, &more) == code));
}

static bool is_stop_at(const struct line_scan *scan, int32_t code, size_t at)
{
    return sign_is_stop(code) || is_greek_question(scan, code, at) || is_armenian_stop(scan, code, at) ||
           is_ethiopic_stop(scan, code, at);
}

/* ---- what closes a sentence ---- */

/* The end of a closing tag such as "</b>", or `at`. */
static size_t skip_closing_tag(const struct line_scan *scan, size_t at)
{
    const size_t left = scan->bytes - at, most = left < MOST_TAG_BYTES ? left : MOST_TAG_BYTES;
    if (left < 4 || memcmp(scan->text + at, "</", 2) != 0)
        return at;
    const char *end = memchr(scan->text + at, '>', most);
    return end ? (size_t)(end - scan->text) + 1 : at;
}

/* The end of a reference such as "[1]", or `at`. */
static size_t skip_reference(const struct line_scan *scan, size_t at)
{
    size_t end = at + 1;
    while (end < scan->bytes && is_digit(scan->text[end]))
        end++;
    return end > at + 1 && end < scan->bytes && scan->text[end] == ']' ? end + 1 : at;
}

static bool is_opening_quote(int32_t code)
{
    return sign_is_quote(code) && utf8_punctuation_of(code) == UTF8_OPENING;
}

/* Does a quote that opens in most languages close, as in German? Not where something begins behind it. */
static bool closes_too(const struct line_scan *scan, int32_t code, size_t after)
{
    size_t length;
    if (!is_opening_quote(code))
        return false;
    for (int i = 0; i < MOST_QUOTES && is_opening_quote(code = at_of(scan, after, &length)); i++)
        after += length;
    const enum utf8_class class = utf8_class_of(code);
    return code < 0 || skip_reference(scan, after) > after ||
           (class != UTF8_LETTER && class != UTF8_DIGIT && utf8_punctuation_of(code) != UTF8_OPENING);
}

/* Does a sign right behind a stop close something? The number of a footnote does, too. */
static bool closes(const struct line_scan *scan, int32_t code, size_t after)
{
    const enum utf8_punctuation kind = utf8_punctuation_of(code);
    if (code == '"')
        return scan->quoted || is_open_end(scan, after);
    if (code == '\'')
        return is_open_end(scan, after);
    return kind == UTF8_CLOSING || utf8_extends(code) || sign_is_superscript(code) ||
           closes_too(scan, code, after);
}

/* The end of a run of signs of Markdown with a blank behind them, such as "**", or `at`. */
static size_t skip_emphasis(const struct line_scan *scan, size_t at)
{
    size_t end = at + 1;
    while (end < scan->bytes && scan->text[end] == scan->text[at])
        end++;
    return is_open_end(scan, end) ? end : at;
}

/* The end of something of several signs that closes, or `at`. */
static size_t skip_closing_signs(const struct line_scan *scan, int32_t code, size_t at)
{
    if (code == '<')
        return skip_closing_tag(scan, at);
    if (code == '[')
        return skip_reference(scan, at);
    return code == '*' || code == '_' || code == '`' || code == '~' ? skip_emphasis(scan, at) : at;
}

static size_t skip_closing(const struct line_scan *scan, size_t at)
{
    for (;;) {
        size_t length;
        const int32_t code = at_of(scan, at, &length);
        const size_t end = skip_closing_signs(scan, code, at);
        if (end > at)
            at = end;
        else if (code >= 0 && closes(scan, code, at + length))
            at += length;
        else
            return at;
    }
}

/* The end of what still belongs to the sentence although a blank stands before it: brackets and quotes that
 * close, as in French or in text that is tokenized already, and pictures; or `at`. */
static size_t skip_detached(const struct line_scan *scan, size_t at)
{
    size_t length, end = at;
    int32_t code = at_of(scan, at, &length);
    if (code < 0)
        return at;
    if (is_picture(code))
        while ((code = at_of(scan, end, &length)) >= 0 && (is_picture(code) || utf8_extends(code)))
            end += length;
    else if (utf8_punctuation_of(code) == UTF8_CLOSING || (code == '"' && scan->quoted))
        end += length;
    return end > at && (is_open_end(scan, end) || sign_is_stop(at_of(scan, end, &length))) ? end : at;
}

static struct stop find_stop(const struct line_scan *scan, size_t at)
{
    struct stop stop = {.begin = at, .point = true};
    size_t length, signs = 0;
    int32_t code;
    for (; (code = at_of(scan, at, &length)) >= 0 && is_stop_at(scan, code, at); at += length, signs++) {
        stop.point = stop.point && sign_is_point(code);
        stop.ellipsis = (signs ? stop.ellipsis : true) && (sign_is_point(code) || sign_is_ellipsis(code));
        stop.tight = stop.tight || sign_is_tight(code);
    }
    stop.ellipsis = stop.ellipsis && (signs > 1 || !stop.point);
    stop.point = stop.point && signs == 1;
    if (stop.point)
        stop.word = word_before(scan->text, scan->begin, stop.begin);
    stop.after = at;
    stop.end = skip_closing(scan, at);
    stop.next = skip_spaces(scan, stop.end);
    for (size_t end = 0; stop.next > stop.end && (end = skip_detached(scan, stop.next)) > stop.next;) {
        stop.end = end;
        stop.next = skip_spaces(scan, end);
    }
    return stop;
}

/* ---- what follows ---- */

/* Do the signs behind a stop say that the sentence goes on: a comma, or another stop? A point that begins a
 * word, as in ".NET", does not. */
static bool goes_on(const struct line_scan *scan, size_t at)
{
    size_t length, more;
    const int32_t code = at_of(scan, at, &length);
    if (sign_ends_clause(code))
        return true;
    if (!sign_is_stop(code))
        return false;
    const enum utf8_class class = utf8_class_of(at_of(scan, at + length, &more));
    return !(sign_is_point(code) && more && (class == UTF8_LETTER || class == UTF8_DIGIT));
}

/* The first letter, digit or unusual sign behind a stop: not a bracket, quote or dash that opens. */
static size_t first_of_next(const struct line_scan *scan, size_t at)
{
    const size_t limit = at + MOST_LOOKED_AHEAD;
    size_t length;
    int32_t code;
    while (at < limit && (code = at_of(scan, at, &length)) >= 0) {
        const enum utf8_punctuation kind = utf8_punctuation_of(code);
        if (!(kind == UTF8_OPENING || kind == UTF8_DASH || sign_is_quote(code) || utf8_is_space(code) ||
              utf8_extends(code) || code == 0xa1 || code == 0xbf || code == '*' || code == '_'))
            break;
        at += length;
    }
    return at;
}

/* The place of the word that tells whether a sentence begins at the one at a place: behind an article or the
 * like of one letter with an apostrophe, as in "'n Man kom" and "'s Morgens", the next one. */
static size_t skip_clitic(const struct line_scan *scan, size_t at)
{
    size_t length, more;
    const int32_t before = char_before(scan->text, at, &length), code = at_of(scan, at, &length);
    const bool is = (before == '\'' || before == 0x2018 || before == 0x2019) &&
                    utf8_case_of(code) == UTF8_LOWER && at_of(scan, at + length, &more) == ' ';
    return is ? first_of_next(scan, at + length) : at;
}

/* A small letter, and no name such as "iPhone". */
static bool is_small_word(const struct line_scan *scan, size_t at)
{
    size_t length, more;
    const int32_t code = at_of(scan, at, &length);
    return utf8_case_of(code) == UTF8_LOWER && utf8_case_of(at_of(scan, at + length, &more)) != UTF8_UPPER;
}

/* Is it a word that begins sentences? With a capital, unless sentences begin without. */
static bool is_starter(const struct line_scan *scan, size_t at)
{
    size_t length;
    const enum utf8_case first = utf8_case_of(at_of(scan, at, &length));
    return (first == UTF8_UPPER || scan->lowercase) &&
           word_is_in(&scan->splitter->starters, scan->text, letters_at(scan->text, scan->bytes, at));
}

/* ---- a full stop ---- */

enum word_kind { WORD_NONE, WORD_ORDINARY, WORD_NUMBER, WORD_ROMAN, WORD_ABBREVIATION };

/* Is the word before a place, behind blanks and a point, or the one at it a single letter with a point? */
static bool is_beside_initial(const struct line_scan *scan, struct span word)
{
    size_t length, at = word.begin;
    while (at > scan->begin && utf8_is_space(char_before(scan->text, at, &length)))
        at -= length;
    if (at > scan->begin && sign_is_point(char_before(scan->text, at, &length)) &&
        is_initial(scan->text, word_before(scan->text, scan->begin, at - length)))
        return true;
    at_of(scan, word.end, &length);
    const struct span next = letters_at(scan->text, scan->bytes, skip_spaces(scan, word.end + length));
    return is_initial(scan->text, next) && sign_is_point(at_of(scan, next.end, &length));
}

/* Is it an initial? In scripts without capitals, words may have one letter: what is known as a word, a unit,
 * and a letter with vowel signs that is neither first nor beside another initial are none. */
static bool stands_for_name(const struct line_scan *scan, struct span word)
{
    size_t length;
    if (!is_initial(scan->text, word))
        return false;
    if (!utf8_is_caseless(char_at(scan->text, word.end, word.begin, &length)))
        return true;
    return !word_is_in(&scan->splitter->ordinary, scan->text, word) && !is_unit(scan->text, word) &&
           (word.begin + length == word.end || is_beside_initial(scan, word));
}

static enum word_kind kind_of(const struct line_scan *scan, struct span word)
{
    const struct splitter *splitter = scan->splitter;
    const char *text = scan->text + word.begin;
    const size_t bytes = word.end - word.begin;
    if (!bytes)
        return WORD_NONE;
    if (is_number(text, bytes, bytes))
        return WORD_NUMBER;
    if (is_roman(text, bytes))
        return WORD_ROMAN;
    if (stands_for_name(scan, word) || is_dotted(text, bytes) ||
        word_is_in(&splitter->abbreviations, scan->text, word))
        return WORD_ABBREVIATION;
    const bool looks = (looks_abbreviated(text, bytes) && !is_unit(scan->text, word)) ||
                       is_thai_abbreviation(scan->text, word);
    return looks && !word_is_in(&splitter->ordinary, scan->text, word) ? WORD_ABBREVIATION : WORD_ORDINARY;
}

/* Does a number or a letter count what follows, as in "1. Open the box."? */
static bool is_enumerator(const struct line_scan *scan, struct span word)
{
    return first_of_next(scan, scan->begin) == word.begin &&
           (is_number(scan->text + word.begin, word.end - word.begin, MOST_ORDINAL_DIGITS) ||
            is_roman(scan->text + word.begin, word.end - word.begin) || stands_for_name(scan, word));
}

/* The end of a number of at most `most` digits and a point; 0 if there is none. */
static size_t pointed_number_end(const struct line_scan *scan, size_t at, size_t most)
{
    const size_t begin = at;
    size_t length;
    int32_t code;
    for (size_t digits = 0;
         (code = at_of(scan, at, &length)) >= 0 && utf8_class_of(code) == UTF8_DIGIT && digits <= most;
         digits++)
        at += length;
    return is_number(scan->text + begin, at - begin, most) && sign_is_point(code) ? at + length : 0;
}

/* Does a number with a point, as of a list, begin here? Where words are known, a short one that is not may be
 * tied to it, as in "See art. 5.", unless it is the first number, or the line had others with a point. */
static bool begins_item(const struct line_scan *scan, struct span word, size_t at)
{
    const size_t end = pointed_number_end(scan, at, MOST_ORDINAL_DIGITS);
    return end && end < scan->bytes && is_open_end(scan, end) &&
           (scan->numbered || !scan->splitter->ordinary.count || !memcmp(scan->text + at, "1.", 2) ||
            is_unit(scan->text, word));
}

/* Do a month and a day begin here, as behind the year in "2024. 5. 12."? */
static bool begins_date(const struct line_scan *scan, size_t at)
{
    size_t length;
    const size_t end = pointed_number_end(scan, at, 2);
    return end && is_open_end(scan, end) &&
           utf8_class_of(at_of(scan, skip_spaces(scan, end), &length)) == UTF8_DIGIT;
}

/* The number with a point before one of a date; empty if there is none. */
static struct span number_before(const struct line_scan *scan, struct span number)
{
    size_t length, at = number.begin;
    while (at > scan->begin && utf8_is_space(char_before(scan->text, at, &length)))
        at -= length;
    if (at == scan->begin || !sign_is_point(char_before(scan->text, at, &length)))
        return (struct span){at, at};
    const struct span before = word_before(scan->text, scan->begin, at - length);
    return is_number(scan->text + before.begin, before.end - before.begin, 4) ? before
                                                                              : (struct span){at, at};
}

/* Is it the day of a Korean date, as in "2024. 5. 12. 피고에게"? */
static bool is_korean_day(const struct line_scan *scan, struct span number, size_t next)
{
    size_t length;
    const struct span month = number_before(scan, number), year = number_before(scan, month);
    return month.end > month.begin && year.end > year.begin && is_hangul(at_of(scan, next, &length));
}

/* Does a point end its sentence behind a number? Not where that counts something, and not in a date, as in
 * "2024. 5. 12." and "2024. január". */
static bool number_ends(const struct line_scan *scan, struct span number, size_t next)
{
    size_t length;
    const bool digit = utf8_class_of(at_of(scan, next, &length)) == UTF8_DIGIT;
    const bool tied = is_tied(scan->text + number.begin, number.end - number.begin);
    if (digit)
        return !tied && !begins_date(scan, next);
    if (is_korean_day(scan, number, next))
        return false;
    if (is_small_word(scan, next) && !scan->splitter->lowercase && !is_starter(scan, next))
        return !scan->splitter->ordinals && first_of_next(scan, scan->begin) != number.begin;
    return !tied || !scan->splitter->ordinals || is_starter(scan, next);
}

/* The same behind a word that is no abbreviation. It may be tied to a number, as in "No. 5", unless it is
 * known to stand without a point. */
static bool word_ends(const struct line_scan *scan, struct span word, size_t next)
{
    size_t length;
    const char *text = scan->text + word.begin;
    const size_t bytes = word.end - word.begin;
    const bool digit = utf8_class_of(at_of(scan, next, &length)) == UTF8_DIGIT;
    const bool is_no = bytes == 2 && !memcmp(text, "No", 2) && first_of_next(scan, scan->begin) != word.begin;
    return !digit || !is_tied(text, bytes) || ((!is_no || scan->numbered) && begins_item(scan, word, next)) ||
           (!is_no && word_is_in(&scan->splitter->ordinary, scan->text, word));
}

static bool point_ends(const struct line_scan *scan, const struct stop *stop, size_t next)
{
    const struct span word = stop->word;
    if (is_enumerator(scan, word))
        return false;
    switch (kind_of(scan, word)) {
    case WORD_NUMBER:
        return number_ends(scan, word, next);
    case WORD_ROMAN:
        return !scan->splitter->ordinals || is_starter(scan, next);
    case WORD_ABBREVIATION:
        return is_starter(scan, next);
    case WORD_ORDINARY:
        return word_ends(scan, word, next);
    default:
        return true;
    }
}

/* ---- sentences ---- */

/* Does the sentence go on behind a quote with と, って or another particle? Some words begin like one. */
static bool goes_on_behind_quote(const struct line_scan *scan, const struct stop *stop)
{
    static const char *const particles[] = {"と", "っ", "を", "が", "の", "に", "は", "で"};
    static const char *const words[] = {"はい", "でも", "にゃ"};
    size_t length;
    const int32_t last = char_before(scan->text, stop->end, &length);
    const struct scan s = {.text = scan->text, .bytes = scan->bytes};
    bool is = false;
    if (last != 0x300d && last != 0x300f && last != 0xff63 && !sign_is_quote(last))
        return false;
    for (size_t i = 0; i < sizeof particles / sizeof particles[0]; i++)
        is |= scan_has(&s, stop->next, particles[i]);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        is &= !scan_has(&s, stop->next, words[i]);
    return is;
}

/* Is it the first stop of Khmer "។ល។", "and so on"? */
static bool is_khmer_etc(const struct line_scan *scan, const struct stop *stop)
{
    size_t length, more;
    return at_of(scan, stop->after, &length) == 0x179b && at_of(scan, stop->after + length, &more) == 0x17d4;
}

/* Is a stop the last sign of a title, as in "《你好！》", or all that quotes or brackets hold, as in "“？”"? */
static bool is_of_title(const struct line_scan *scan, const struct stop *stop)
{
    size_t length;
    const int32_t before = char_before(scan->text, stop->begin, &length),
                  last = char_before(scan->text, stop->end, &length);
    return stop->end > stop->after &&
           (last == 0x3009 || last == 0x300b || utf8_punctuation_of(before) == UTF8_OPENING);
}

/* Does a stop end its sentence although no blank follows? */
static bool ends_tightly(const struct line_scan *scan, const struct stop *stop)
{
    size_t length;
    const int32_t next = at_of(scan, stop->next, &length);
    const int32_t before = char_before(scan->text, stop->begin, &length);
    const struct span word = stop->word;
    if (stop->point && (utf8_class_of(next) == UTF8_DIGIT || is_enumerator(scan, word) ||
                        is_dotted(scan->text + word.begin, word.end - word.begin)))
        return false;
    if ((stop->end > stop->after && goes_on_behind_quote(scan, stop)) || is_khmer_etc(scan, stop) ||
        is_of_title(scan, stop))
        return false;
    return stop->tight || (!stop->point && utf8_unspaced(before) && utf8_unspaced(next));
}

static bool is_dash_at(const struct line_scan *scan, size_t at)
{
    size_t length;
    return utf8_punctuation_of(at_of(scan, at, &length)) == UTF8_DASH;
}

static bool ends_sentence(const struct line_scan *scan, const struct stop *stop)
{
    if (!scan->worded || stop->next >= scan->bytes || goes_on(scan, stop->next) ||
        is_armenian_colon(scan, stop))
        return false;
    if (stop->next == stop->end || stop->tight)
        return ends_tightly(scan, stop);
    size_t length;
    const size_t first = skip_clitic(scan, first_of_next(scan, stop->next));
    const int32_t code = at_of(scan, first, &length);
    if (code < 0 || (is_small_word(scan, first) && !scan->lowercase))
        return false;
    if (stop->ellipsis)
        return utf8_class_of(code) == UTF8_LETTER && !is_dash_at(scan, stop->next);
    return !stop->point || point_ends(scan, stop, first);
}

/* The end of white space. It divides paragraphs if it has two line feeds, or U+2029. */
static size_t skip_white_space(const struct line_scan *scan, size_t at, bool *paragraph)
{
    size_t length;
    int32_t code;
    int feeds = 0;
    for (; (code = at_of(scan, at, &length)) >= 0 && utf8_is_space(code); at += length)
        feeds += code == '\n' ? 1 : code == 0x2029 ? 2 : 0;
    *paragraph = feeds > 1;
    return at;
}

static void end_sentence(struct line_scan *scan, struct spans *sentences, size_t end, size_t next)
{
    spans_add(sentences, scan->begin, end);
    scan->begin = next;
    scan->worded = scan->quoted = false;
    scan->first = 0;
}

/* Looks at what stands at a position, and returns the next one. */
static size_t step(struct line_scan *scan, struct spans *sentences, size_t at)
{
    size_t length;
    const int32_t code = at_of(scan, at, &length);
    const enum utf8_class class = utf8_class_of(code);
    if (utf8_is_space(code)) {
        bool paragraph;
        const size_t end = skip_white_space(scan, at, &paragraph);
        if (paragraph && end < scan->bytes && scan->worded)
            end_sentence(scan, sentences, at, end);
        return end;
    }
    scan->worded = scan->worded || class == UTF8_LETTER || class == UTF8_DIGIT;
    scan->first = scan->first || class != UTF8_LETTER ? scan->first : code;
    scan->quoted = scan->quoted != (code == '"');
    if (!is_stop_at(scan, code, at))
        return at + length;
    const struct stop stop = find_stop(scan, at);
    const bool ends = ends_sentence(scan, &stop);
    scan->numbered |=
        stop.point && stop.next > stop.after &&
        is_number(scan->text + stop.word.begin, stop.word.end - stop.word.begin, MOST_ORDINAL_DIGITS);
    if (!ends)
        return stop.after;
    end_sentence(scan, sentences, stop.end, stop.next);
    return stop.next;
}

static bool has_capital(const char *text, size_t bytes)
{
    size_t length;
    for (size_t at = 0; at < bytes; at += length)
        if (utf8_case_of(char_at(text, bytes, at, &length)) == UTF8_UPPER)
            return true;
    return false;
}

void sentences_find(struct spans *sentences, const struct splitter *splitter, const char *text, size_t bytes)
{
    struct line_scan scan = {.splitter = splitter, .text = text, .bytes = bytes};
    size_t length, end = bytes;
    while (end && utf8_is_space(char_before(text, end, &length)))
        end -= length;
    scan.bytes = end;
    scan.lowercase = splitter->lowercase || !has_capital(text, end);
    scan.begin = skip_spaces(&scan, 0);
    for (size_t at = scan.begin; at < end;)
        at = step(&scan, sentences, at);
    if (scan.begin < end)
        spans_add(sentences, scan.begin, end);
}
