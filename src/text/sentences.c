/* Decides at each stop of a line whether a sentence ends there. What stops are, and what closes behind them,
 * is in sentence_stops.c, what is learned of words in splitter_learn.c. */
#include "sentence_stops.h"
#include "utf8.h"

#include <string.h>

#define MOST_LOOKED_AHEAD 64 /* bytes */

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

/* The end of a command of TeX in front of a brace, as in "\textbf{It}"; the place if there is none, or a
 * small letter is behind the brace, unless it refers to something, as "\ref{a}" does. */
static size_t skip_command(const struct line_scan *scan, size_t at)
{
    const struct scan s = {.text = scan->text, .bytes = scan->bytes};
    const size_t end = scan_run(&s, at + 1, MOST_LOOKED_AHEAD, is_alpha);
    if (end == at + 1 || scan_byte(&s, end) != '{')
        return at;
    const bool refers = scan_has(&s, end - 3, "ref") || scan_has(&s, at + 1, "cite");
    return refers || utf8_case_of(scan_code(&s, end + 1)) != UTF8_LOWER ? end : at;
}

/* The first letter, digit or unusual sign behind a stop: not a bracket, quote or dash that opens. */
static size_t first_of_next(const struct line_scan *scan, size_t at)
{
    const size_t limit = at + MOST_LOOKED_AHEAD;
    size_t length;
    int32_t code;
    while (at < limit && (code = at_of(scan, at, &length)) >= 0) {
        const enum utf8_punctuation kind = utf8_punctuation_of(code);
        const size_t command = code == '\\' ? skip_command(scan, at) : at;
        if (command > at) {
            at = command;
            continue;
        }
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

/* In Armenian, a full stop says what follows: as a sign of its own, or in front of a quote. */
static bool is_armenian_colon(const struct line_scan *scan, const struct stop *stop)
{
    size_t length;
    return stop->point && is_in_script(scan, stop->begin, is_armenian) &&
           (at_of(scan, stop->begin, &length) == 0x2024 || sign_is_quote(at_of(scan, stop->next, &length)));
}

/* ---- a full stop ---- */

enum word_kind { WORD_NONE, WORD_ORDINARY, WORD_NUMBER, WORD_ROMAN, WORD_ABBREVIATION };

/* Is the word before a place, behind blanks and a point, or the one at it a single letter with a point, or
 * the name of a letter? North of Tamil, such a name at the place begins a sentence, as in "છે. એસ. રામ". */
static bool is_beside_initial(const struct line_scan *scan, struct span word)
{
    const char *text = scan->text;
    size_t length, at = word.begin;
    while (at > scan->begin && utf8_is_space(char_before(text, at, &length)))
        at -= length;
    if (at > scan->begin && sign_is_point(char_before(text, at, &length))) {
        const struct span before = word_before(text, scan->bytes, scan->begin, at - length);
        if (is_initial(text, before) || is_letter_name(text, before))
            return true;
    }
    const bool named = !is_danda_script(at_of(scan, word.begin, &length));
    at_of(scan, word.end, &length);
    const struct span next = letters_at(text, scan->bytes, skip_spaces(scan, word.end + length));
    return (is_initial(text, next) || (named && is_letter_name(text, next))) &&
           sign_is_point(at_of(scan, next.end, &length));
}

/* Is it an initial, or the name of one? In scripts without capitals, words may have one letter: what is known
 * as a word, a unit, and a letter with vowel signs that is not beside another initial are none. */
static bool stands_for_name(const struct line_scan *scan, struct span word)
{
    size_t length;
    if (is_letter_name(scan->text, word))
        return !word_is_in(&scan->splitter->ordinary, scan->text, word);
    if (!is_initial(scan->text, word))
        return false;
    if (!utf8_is_caseless(char_at(scan->text, word.end, word.begin, &length)))
        return true;
    return !word_is_in(&scan->splitter->ordinary, scan->text, word) && !is_unit(scan->text, word) &&
           (word.begin + length == word.end || is_beside_initial(scan, word));
}

/* Is it the name of a file behind that of its folder, as in "src/x.h", not "NATO/U.N." and "a.m./p.m."? */
static bool is_in_folder(const struct line_scan *scan, struct span word)
{
    const char *text = scan->text;
    return word.begin > scan->begin && text[word.begin - 1] == '/' && is_lower(text[word.end - 1]) &&
           !(word.begin > scan->begin + 2 && text[word.begin - 2] == '.' && is_alpha(text[word.begin - 3]));
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
    if (stands_for_name(scan, word) || (is_dotted(text, bytes) && !is_in_folder(scan, word)) ||
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
    const struct span before = word_before(scan->text, scan->bytes, scan->begin, at - length);
    return is_number(scan->text + before.begin, before.end - before.begin, 4) ? before
                                                                              : (struct span){at, at};
}

/* Are there Hangul letters at a place, or behind words of other letters there, as in "Tom Sawyer가"? */
static bool has_hangul_next(const struct line_scan *scan, size_t at)
{
    const size_t limit = at + MOST_LOOKED_AHEAD;
    size_t length;
    int32_t code = at_of(scan, at, &length);
    for (; at < limit && !is_hangul(code) && (utf8_class_of(code) == UTF8_LETTER || code == ' ');
         code = at_of(scan, at, &length))
        at += length;
    return is_hangul(code);
}

/* Is it the day of a Korean date, as in "2024. 5. 12. 피고에게"? */
static bool is_korean_day(const struct line_scan *scan, struct span number, size_t next)
{
    const struct span month = number_before(scan, number), year = number_before(scan, month);
    return month.end > month.begin && year.end > year.begin && has_hangul_next(scan, next);
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
    const bool sign = utf8_class_of(char_before(scan->text, word.end, &length)) == UTF8_SYMBOL &&
                      (utf8_class_of(at_of(scan, word.begin, &length)) == UTF8_DIGIT ||
                       is_unit(scan->text, word)); /* "5%", "3 €" */
    const bool date = scan->splitter->ordinals && bytes <= 5 && strspn(text, "0123456789.") >= bytes &&
                      strspn(scan->text + next, "0123456789") == 4; /* "12.5. 2020" */
    const bool is_no = bytes == 2 && !memcmp(text, "No", 2) && first_of_next(scan, scan->begin) != word.begin;
    if (digit && (date || is_before_numbers(scan->text, word)))
        return false;
    return !digit || sign || !is_tied(text, bytes) ||
           ((!is_no || scan->numbered) && begins_item(scan, word, next)) ||
           (!is_no && word_is_in(&scan->splitter->ordinary, scan->text, word));
}

static bool point_ends(const struct line_scan *scan, const struct stop *stop, size_t next)
{
    const struct span word = stop->word;
    if (is_enumerator(scan, word) || word_is_in(&scan->splitter->titles, scan->text, word))
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

/* Has the line one of these strings (NFC) at a place, or as a whole word? The last one is NULL. */
static bool has_one_of(const struct line_scan *scan, size_t at, const char *const *strings, bool whole)
{
    size_t bytes = scan->bytes - at;
    struct strbuf normal;
    if (bytes > MOST_LOOKED_AHEAD)
        for (bytes = MOST_LOOKED_AHEAD; utf8_continues(scan->text[at + bytes]);)
            bytes--;
    strbuf_init(&normal);
    utf8_normalize(&normal, scan->text + at, bytes, UTF8_NFC);
    const struct scan s = {.text = normal.text, .bytes = normal.length};
    while (*strings && !(scan_has(&s, 0, *strings) && (!whole || scan_word_ends(&s, strlen(*strings)))))
        strings++;
    strbuf_release(&normal);
    return *strings != NULL;
}

/* Does the sentence go on behind a quote with と, って or another particle? Some words begin like one. */
static bool goes_on_behind_quote(const struct line_scan *scan, const struct stop *stop)
{
    static const char *const particles[] = {"と", "っ", "を", "が", "の", "に", "は", "で", NULL};
    static const char *const words[] = {"はい", "でも", "にゃ", NULL};
    if (!ends_with_quote(scan->text, stop->end))
        return false;
    return has_one_of(scan, stop->next, particles, false) && !has_one_of(scan, stop->next, words, false);
}

/* Does the sentence go on behind quoted speech, as was learned: behind a sentence in quotes, which begin it,
 * or any quoted question? */
static bool goes_on_behind_speech(const struct line_scan *scan, const struct stop *stop)
{
    size_t length;
    const struct splitter *splitter = scan->splitter;
    const struct span sentence = {scan->begin, stop->end};
    const int32_t next = at_of(scan, stop->next, &length);
    const enum quoted quoted = quoted_before(scan->text, stop->end);
    if (quoted == QUOTED_NOTHING || !utf8_is_caseless(next))
        return false;
    if ((splitter->quotations & QUOTED_SET(quoted)) && begins_with_quote(scan->text, &sentence))
        return true;
    return quoted == QUOTED_QUESTION &&
           (splitter->speech == SPEECH_ALWAYS || (splitter->speech == SPEECH_UNLESS_STARTER &&
                                                  !utf8_unspaced(next) && !is_starter(scan, stop->next)));
}

/* Does the sentence go on behind a quote with a word that says who spoke, or that someone did, as in scripts
 * without capitals from Malayalam to Amharic? */
static bool goes_on_with_speech(const struct line_scan *scan, const struct stop *stop)
{
    static const char *const words[] = {"అని", "ಎಂದು", "ಎಂದನು", "하고", "አለ",  "አለች",  "አሉ",
                                        "ሲል", "ሲሉ",   "ብሎ",    "ብለው",  "دەپ", "دېدى", NULL},
                             *const beginnings[] = {"എന്ന", "என்ற", "යැයි", "යි",   "කිය",   "ဟု",
                                                    "လို့",   "भने",  "भनी", "বলে", "라고", NULL};
    return ends_with_quote(scan->text, stop->end) &&
           (goes_on_behind_speech(scan, stop) || has_one_of(scan, stop->next, words, true) ||
            has_one_of(scan, stop->next, beginnings, false));
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

/* Is it a single stop of the Arabic script with nothing that closes behind it? In Urdu, many write no blank
 * behind these. */
static bool may_lack_blank(const struct line_scan *scan, const struct stop *stop)
{
    size_t length;
    const int32_t code = at_of(scan, stop->begin, &length);
    return (code == 0x6d4 || code == 0x61f) && stop->end == stop->begin + length;
}

/* Does a stop end its sentence although no blank follows? */
static bool ends_tightly(const struct line_scan *scan, const struct stop *stop)
{
    size_t length;
    const int32_t next = at_of(scan, stop->next, &length);
    const int32_t before = char_before(scan->text, stop->begin, &length);
    const struct span word = stop->word;
    if (may_lack_blank(scan, stop))
        return is_starter(scan, stop->next);
    if (stop->point && (utf8_class_of(next) == UTF8_DIGIT || is_enumerator(scan, word) ||
                        is_dotted(scan->text + word.begin, word.end - word.begin)))
        return false;
    if ((stop->end > stop->after && goes_on_behind_quote(scan, stop)) || is_khmer_etc(scan, stop) ||
        is_of_title(scan, stop))
        return false;
    return stop->tight || (!stop->point && !stop->ellipsis && utf8_unspaced(before) && utf8_unspaced(next));
}

static bool is_dash_at(const struct line_scan *scan, size_t at)
{
    size_t length;
    return utf8_punctuation_of(at_of(scan, at, &length)) == UTF8_DASH;
}

static bool ends_sentence(const struct line_scan *scan, const struct stop *stop)
{
    if (!scan->worded || stop->next >= scan->bytes || goes_on(scan, stop->next) ||
        is_armenian_colon(scan, stop) || goes_on_with_speech(scan, stop))
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

void sentences_find(struct spans *sentences, const struct splitter *splitter, const char *text, size_t bytes)
{
    struct line_scan scan = {.splitter = splitter, .text = text, .bytes = bytes};
    size_t length, end = bytes;
    while (end && utf8_is_space(char_before(text, end, &length)))
        end -= length;
    scan.bytes = end;
    scan.lowercase = splitter->lowercase || !utf8_has(text, end, utf8_is_capital);
    scan.begin = skip_spaces(&scan, 0);
    for (size_t at = scan.begin; at < end;)
        at = step(&scan, sentences, at);
    if (scan.begin < end)
        spans_add(sentences, scan.begin, end);
}
