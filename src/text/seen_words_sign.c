/* Reads signs that the training did not see as those that it saw and that mean the same. Other spellings of
 * words are found in spelling.c. */
#include "seen_words.h"

#include "other_codes.h"
#include "sentence_signs.h"

#include <string.h>

#define MOST_WORD_BYTES 64 /* of a word around a sign that are looked at, or before a word space */
#define MOST_BRACKETED_BYTES 1024
#define MOST_DEPTH 8          /* of brackets within each other */
#define MOST_QUOTED_BYTES 256 /* in front of a sign, where a quote may be open */
#define WORD_SPACE 0x1361     /* of Ethiopic */
#define PALOCHKA 0x4c0        /* of Caucasian languages; many have no key for it */
#define ARMENIAN_STOP 0x589
#define FIRST_OF_OTHER_SCRIPTS 0x370 /* than the Latin one */
#define LOW_QUOTE 0x201a             /* a single one, which opens */
#define NON_JOINER 0x200c
#define JOINER 0x200d

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* The characters around one. */
struct around {
    int32_t before, after; /* -1 if there is none */
    size_t used;           /* bytes of the one */
};

static struct around look_around(const char *text, size_t bytes, size_t at)
{
    struct around around;
    size_t length;
    around.before = char_before(text, at, &length);
    char_at(text, bytes, at, &around.used);
    around.after = char_at(text, bytes, at + around.used, &length);
    return around;
}

static bool is_of_words(int32_t code)
{
    return code > 0 && is_in_word(code);
}

static bool is_gap(int32_t code)
{
    return code < 0 || utf8_class_of(code) == UTF8_BLANK;
}

static bool is_between_digits(const struct around *around)
{
    return utf8_class_of(around->before) == UTF8_DIGIT && utf8_class_of(around->after) == UTF8_DIGIT;
}

/* ---- apostrophes ---- */

/* The order in which one is looked for in the place of another. */
static const int32_t apostrophes[] = {0x27, 0x2019, 0x2bc, 0x2bb, 0x2018, 0xb4, 0x60, 0x2032, 0xff07, 0xa78c};

bool seen_words_is_apostrophe(int32_t code)
{
    for (size_t i = 0; i < COUNT(apostrophes); i++)
        if (code == apostrophes[i])
            return true;
    return false;
}

/* Where the word begins that ends at a place. */
static size_t word_begin(const char *text, size_t at)
{
    size_t begin = at, used;
    while (at - begin < MOST_WORD_BYTES && is_of_words(char_before(text, begin, &used)))
        begin -= used;
    return begin;
}

/* Was the word around a place seen, with `code` for the sign there, and if that is an apostrophe, for all of
 * them behind it? */
static bool is_seen_with(const struct seen_words *seen, int32_t code, const char *text, size_t bytes,
                         size_t at)
{
    const bool apostrophe = seen_words_is_apostrophe(code);
    struct strbuf word, key;
    size_t used;
    int32_t letter;
    strbuf_init(&word);
    strbuf_init(&key);
    for (size_t place = word_begin(text, at); (letter = char_at(text, bytes, place, &used)) >= 0;
         place += used) {
        const bool is_code = place == at || (apostrophe && seen_words_is_apostrophe(letter));
        if ((!is_code && !is_in_word(letter)) || place > at + MOST_WORD_BYTES)
            break;
        utf8_append(&word, is_code ? code : letter);
    }
    utf8_lower(&key, word.text, word.length);
    const bool is = strmap_find(&seen->words, key.text, key.length) >= 0;
    strbuf_release(&word);
    strbuf_release(&key);
    return is;
}

/* Are both parts of a word around a sign words that were seen? */
static bool is_seen_in_parts(const struct seen_words *seen, const char *text, size_t bytes, size_t at)
{
    const struct span left = {word_begin(text, at), at};
    struct span right;
    size_t used;
    char_at(text, bytes, at, &used);
    right.begin = right.end = at + used;
    while (right.end - right.begin < MOST_WORD_BYTES && is_of_words(char_at(text, bytes, right.end, &used)))
        right.end += used;
    return word_is_in(&seen->words, text, left) && word_is_in(&seen->words, text, right);
}

/* Is a letter among the signs? Models of earlier versions do not have those of words there. */
static bool is_listed(const struct seen_words *seen, int32_t letter)
{
    char bytes[UTF8_MOST_BYTES];
    return strmap_find(&seen->words, bytes, utf8_encode(bytes, letter)) >= 0;
}

/* Does a letter stand for a sign that the training knows, too, in a word that was seen with the letter: is
 * that more frequent, or were the parts around the sign not seen? A few letters typed for signs are none. */
static bool is_letter_of_word(const struct seen_words *seen, int32_t letter, int32_t sign, const char *text,
                              size_t bytes, size_t at)
{
    const int number = seen_words_character(seen, sign);
    return is_seen_with(seen, letter, text, bytes, at) &&
           (number < 0 || seen_words_character(seen, letter) <= number || !is_listed(seen, letter) ||
            !is_seen_in_parts(seen, text, bytes, at));
}

/* The apostrophe that stands for one at a place: the letter, such as that of Uzbek, with which the word was
 * seen, or else one that the training has seen, itself first; itself if there is none. */
static int32_t known_apostrophe(const struct seen_words *seen, int32_t sign, const char *text, size_t bytes,
                                size_t at)
{
    int32_t known = 0;
    for (size_t i = 0; i <= COUNT(apostrophes); i++) {
        const int32_t like = i ? apostrophes[i - 1] : sign;
        if (!seen_words_has(seen, like))
            continue;
        if (is_in_word(like) && is_letter_of_word(seen, like, known, text, bytes, at))
            return like;
        known = known ? known : like;
    }
    return known ? known : sign;
}

/* Is there an apostrophe or low quote in front of a place that is no part of a word before it, so that a
 * quotation may be open? */
static bool is_quoted(const char *text, size_t at)
{
    size_t used, length;
    int32_t code;
    bool quoted = false;
    for (size_t place = at;
         !quoted && at - place < MOST_QUOTED_BYTES && (code = char_before(text, place, &used)) >= 0;
         place -= used)
        quoted = (seen_words_is_apostrophe(code) || code == LOW_QUOTE) &&
                 !is_of_words(char_before(text, place - used, &length));
    return quoted;
}

/* May a sign end a word? Primes, back and opening quotes may not; accents are typed for apostrophes. */
static bool may_end_word(int32_t sign)
{
    return sign != 0x2032 && sign != 0x60 && sign != 0x2018;
}

/* Is an apostrophe within a word, or the end of one where no quotation is open: Maltese "ta’", or the
 * beginning of one: Afrikaans "’n" (few languages open quotes so), or a letter such as that of Hawaiian, with
 * which the word was seen? */
static bool is_of_word(const struct seen_words *seen, int32_t sign, const char *text, size_t bytes, size_t at)
{
    const struct around around = look_around(text, bytes, at);
    if (!is_of_words(around.after))
        return may_end_word(sign) && utf8_class_of(around.before) == UTF8_LETTER && !is_quoted(text, at);
    const int32_t known = known_apostrophe(seen, sign, text, bytes, at);
    return is_of_words(around.before) || is_in_word(sign) || sign == 0x2019 ||
           (is_in_word(known) && is_seen_with(seen, known, text, bytes, at));
}

/* ---- quotes ---- */

/* Those that open and close. */
static const int32_t quotes[][2] = {{'"', '"'},   {0x201c, 0x201d}, {0x201e, 0x201c}, {0x201e, 0x201d},
                                    {0xab, 0xbb}, {0x300c, 0x300d}, {0x300e, 0x300f}};

static bool is_quote(int32_t code)
{
    bool is = false;
    for (size_t i = 0; i < COUNT(quotes); i++)
        is |= code == quotes[i][0] || code == quotes[i][1];
    return is;
}

/* The quote of the pair that the training has seen, of several the most frequent one; the given one if there
 * is none. Finnish and Swedish have one sign for both. */
static int32_t known_quote(const struct seen_words *seen, int32_t sign, bool closes)
{
    int32_t found = seen_words_has(seen, 0x201d) ? 0x201d : sign;
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < COUNT(quotes); i++) {
        const int64_t opening = seen_words_character(seen, quotes[i][0]),
                      closing = seen_words_character(seen, quotes[i][1]);
        if (opening < 0 || closing < 0 || opening + closing >= first)
            continue;
        first = opening + closing;
        found = quotes[i][closes];
    }
    return found;
}

/* Would a quote close by itself: is it a closing one, or behind an odd number of those of its pairs? */
static bool would_close(int32_t sign, const char *text, size_t at)
{
    size_t used;
    int32_t code;
    bool closes = false;
    if (sign != '"' && sign != 0x201c && sign != 0xab)
        return sign == 0x201d || sign == 0xbb || sign == 0x300d || sign == 0x300f;
    for (size_t place = at; at - place < MOST_QUOTED_BYTES && (code = char_before(text, place, &used)) >= 0;
         place -= used)
        closes ^= code == sign || (sign == 0x201c && (code == 0x201d || code == 0x201e)) ||
                  (sign == 0xab && code == 0xbb);
    return closes;
}

/* What stands for a quote: one that closes behind a word, one that opens in front. That of Hebrew stands
 * within words, and inches behind numbers; French has blanks within its quotes. */
static int32_t like_of_quote(const struct seen_words *seen, int32_t sign, const char *text, size_t bytes,
                             size_t at)
{
    const struct around around = look_around(text, bytes, at);
    const bool left_word = is_of_words(around.before), right_word = is_of_words(around.after),
               gap_before = is_gap(around.before);
    const bool behind = (left_word && !right_word) || (sign == '"' && !gap_before && is_gap(around.after));
    if (left_word && (right_word || utf8_class_of(around.before) == UTF8_DIGIT) &&
        !would_close(sign, text, at))
        return sign;
    return known_quote(seen, sign, behind || (!(gap_before && right_word) && would_close(sign, text, at)));
}

/* Is the last quote in front of a place a low one? */
static bool is_behind_low_quote(const char *text, size_t at)
{
    size_t used;
    int32_t code = 0;
    for (size_t place = at;
         !is_quote(code) && at - place < MOST_QUOTED_BYTES && (code = char_before(text, place, &used)) >= 0;)
        place -= used;
    return code == 0x201e;
}

/* The quote “ opens in some languages and closes in others: does it surely not do what it does in the
 * training text, which has not seen the other one of its pair? */
static bool is_of_other_pair(const struct seen_words *seen, const char *text, size_t bytes, size_t at)
{
    const struct around around = look_around(text, bytes, at);
    const bool left_word = is_of_words(around.before), right_word = is_of_words(around.after),
               gap_before = is_gap(around.before),
               opens = (gap_before || utf8_punctuation_of(around.before) == UTF8_OPENING) &&
                       !is_gap(around.after),
               closes = !gap_before && !right_word && (left_word || is_behind_low_quote(text, at));
    return opens != closes && !seen_words_has(seen, opens ? 0x201d : 0x201e) &&
           known_quote(seen, 0x201c, closes) != 0x201c;
}

/* ---- the palochka ---- */

static bool is_cyrillic(int32_t code)
{
    return code >= 0x400 && code <= 0x52f;
}

/* Is it one, or what is typed for it? */
static bool is_palochka(int32_t code)
{
    return code == PALOCHKA || code == SMALL_PALOCHKA || code == 'I' || code == 0x406 || code == '1';
}

/* Is a palochka more frequent than most capitals, as in texts of these languages? Others may hold a few. */
static bool is_common_palochka(const struct seen_words *seen, int32_t palochka)
{
    const int number = seen_words_character(seen, palochka);
    int before = 0, behind = 0;
    if (number < 0) /* most texts, of which each "I" at such a letter asks */
        return false;
    for (int32_t capital = 0x410; capital <= 0x42f; capital++) {
        const int other = seen_words_character(seen, capital);
        before += other >= 0 && other < number;
        behind += other > number;
    }
    return before <= behind;
}

/* The palochka of the training's words; 0 if they have none. Most texts have the capital everywhere. */
static int32_t known_palochka(const struct seen_words *seen)
{
    struct strbuf small;
    strbuf_init(&small);
    utf8_append(&small, SMALL_PALOCHKA);
    const bool is_small = strmap_find(&seen->words, small.text, small.length) >= 0,
               is_capital = seen_words_has(seen, PALOCHKA);
    strbuf_release(&small);
    if ((is_small || !is_capital) && is_common_palochka(seen, SMALL_PALOCHKA))
        return SMALL_PALOCHKA;
    return is_common_palochka(seen, PALOCHKA) ? PALOCHKA : 0;
}

/* What stands for a sign at a letter of the Cyrillic script, if the training has not seen the word with it. A
 * digit at the beginning or end of a word is a number, unless the word was seen. */
static int32_t like_of_palochka(const struct seen_words *seen, int32_t sign, const char *text, size_t bytes,
                                size_t at)
{
    const struct around around = look_around(text, bytes, at);
    const bool before = is_cyrillic(around.before), after = is_cyrillic(around.after);
    if (!before && !after)
        return sign;
    const int32_t known = known_palochka(seen);
    if (!known || known == sign || (sign == PALOCHKA && seen_words_has(seen, sign)))
        return sign;
    if (sign == PALOCHKA || sign == SMALL_PALOCHKA)
        return known;
    if (is_seen_with(seen, sign, text, bytes, at) ||
        (!(before && after) && (sign == '1' ? !is_seen_with(seen, known, text, bytes, at)
                                            : is_of_words(before ? around.after : around.before))))
        return sign;
    return known;
}

/* Does a mark behind a letter make one character with it, as the hamza in "ئ"? */
static bool is_composed(int32_t letter, int32_t mark)
{
    struct strbuf parts, normal;
    int32_t first = letter;
    if (!utf8_extends(mark))
        return false;
    strbuf_init(&parts);
    strbuf_init(&normal);
    utf8_append(&parts, letter);
    utf8_append(&parts, mark);
    utf8_normalize(&normal, parts.text, parts.length, UTF8_NFC);
    utf8_decode(normal.text, normal.length, &first);
    strbuf_release(&parts);
    strbuf_release(&normal);
    return first != letter;
}

/* ---- digits ---- */

/* Is there a digit in front of a place or at it, or beyond a sign there, as in "3.5"? */
static bool has_digit_beside(const char *text, size_t bytes, size_t at, bool before)
{
    size_t used;
    int32_t code = before ? char_before(text, at, &used) : char_at(text, bytes, at, &used);
    if (utf8_class_of(code) == UTF8_SYMBOL)
        code = before ? char_before(text, at - used, &used) : char_at(text, bytes, at + used, &used);
    return utf8_class_of(code) == UTF8_DIGIT;
}

/* The digit of another script that the training has seen, for one that it has not and that is a number by
 * itself: longer ones are copied whole. */
static int32_t like_of_digit(const struct seen_words *seen, int32_t digit, const char *text, size_t bytes,
                             size_t at)
{
    static const int32_t zeros[] = {'0',   0x660, 0x6f0, 0x966, 0x9e6, 0xa66,  0xae6,  0xb66,  0xbe6, 0xc66,
                                    0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040, 0x17e0, 0x1810, 0xff10};
    const int32_t value = utf8_digit(digit);
    size_t used;
    char_at(text, bytes, at, &used);
    if (seen_words_has(seen, digit) || has_digit_beside(text, bytes, at, true) ||
        has_digit_beside(text, bytes, at + used, false))
        return digit;
    for (size_t i = 0; i < COUNT(zeros); i++)
        if (seen_words_has(seen, zeros[i] + value))
            return zeros[i] + value;
    return digit;
}

/* ---- all ---- */

/* Vowel signs of Arabic and Hebrew, which most texts leave out, and the stroke that widens Arabic words. */
static bool may_be_left_out(int32_t code)
{
    return (code >= 0x64b && code <= 0x652) || code == 0x670 || code == 0x640 ||
           (code >= 0x5b0 && code <= 0x5c7 && code != 0x5be && utf8_extends(code));
}

bool seen_words_may_read(int32_t code)
{
    if (code < 0x80)
        return code > 0 && strchr("'`\"I0123456789!%(),.:;?|~", code);
    const char category = utf8_category(code);
    return category == 'C' || category == 'Z' || code == WORD_SPACE || seen_words_is_apostrophe(code) ||
           may_be_left_out(code) || is_quote(code) || is_palochka(code) || utf8_digit(code) >= 0 ||
           other_code_of(NULL, code);
}

/* Is a sign behind text, as "?", or is it within an address, code or number? */
static bool ends_clause(const struct around *around)
{
    return is_gap(around->after) || is_quote(around->after) || around->after == '?' || around->after == '!' ||
           utf8_punctuation_of(around->after) == UTF8_CLOSING;
}

static bool is_of_one_script(int32_t letter, int32_t other)
{
    return is_cyrillic(letter) == is_cyrillic(other) && is_greek(letter) == is_greek(other);
}

/* May a sign be read as the other one at a place? A letter, as another script's, only beside one of it. A
 * dash between numbers is of their string. A sign of ASCII, as another script's, only where text ends, or in
 * East Asian text, but not around words in Latin script. */
static bool may_be_other(int32_t sign, int32_t other, const struct around *around)
{
    if (utf8_category(sign) == 'L' && !is_of_one_script(sign, other))
        return (is_of_words(around->before) && is_of_one_script(around->before, other)) ||
               (is_of_words(around->after) && is_of_one_script(around->after, other));
    if (sign >= 0x2013 && sign <= 0x2015 && is_between_digits(around))
        return false;
    if (sign == '.' && is_of_words(around->after))
        return false;
    if (sign == '?' && other == ARMENIAN_STOP) /* the Armenian mark is within a word, none may stand there */
        return is_armenian(around->before) && ends_clause(around);
    if (sign < 0x80 && other < 0x80)
        return is_greek(around->before) && ends_clause(around);
    if (sign >= 0x80 || (other < 0x600 && other != ARMENIAN_STOP) || utf8_is_of_east_asia(around->before) ||
        utf8_is_of_east_asia(around->after))
        return true;
    return ends_clause(around) && (sign != '.' || around->before >= 0x80 || around->after < 0);
}

/* Does a joiner show which letter the one before it is (spelling.h): Kurdish "ە", or a final consonant of
 * Malayalam? */
static bool is_of_spelling(const struct seen_words *seen, int32_t letter, int32_t joiner)
{
    return (joiner == NON_JOINER && letter == 0x647 && seen_words_has(seen, 0x6d5)) ||
           (joiner == JOINER && letter == 0xd4d);
}

/* Counts the letters of other scripts than the Latin one in the word in front of a place or at it, or beyond
 * a sign there, and those that training saw. */
static void count_letters(int *letters, int *known, const struct seen_words *seen, const char *text,
                          size_t bytes, size_t at, bool before)
{
    const size_t begin = at;
    const int others = *letters;
    for (int signs = 0; (before ? begin - at : at - begin) < MOST_WORD_BYTES;) {
        size_t used;
        const int32_t code = before ? char_before(text, at, &used) : char_at(text, bytes, at, &used);
        const enum utf8_class class = utf8_class_of(code);
        if (class == UTF8_SYMBOL ? *letters > others || signs++ > 0 : class != UTF8_LETTER)
            break;
        if (class == UTF8_LETTER && code >= FIRST_OF_OTHER_SCRIPTS) {
            *letters += 1;
            *known += seen_words_has(seen, code) || seen_words_has(seen, utf8_small(code));
        }
        at = before ? at - used : at + used;
    }
}

/* Is a sign of another script beside words of it of whose letters training saw less than half, such as 。
 * behind Japanese words in an English text? They are copied, and so is the sign. */
static bool is_of_foreign_text(const struct seen_words *seen, int32_t sign, const char *text, size_t bytes,
                               size_t at, size_t used)
{
    int letters = 0, known = 0;
    if (sign < 0x589 || (sign >= 0x2000 && sign <= 0x2fff) || utf8_category(sign) == 'L')
        return false;
    count_letters(&letters, &known, seen, text, bytes, at, true);
    count_letters(&letters, &known, seen, text, bytes, at + used, false);
    return 2 * known < letters;
}

/* Is a bar behind a blank one of a menu, not the end of a sentence? Then none ends the text. */
static bool is_item_bar(const struct around *around, const char *text, size_t bytes)
{
    size_t end = bytes, used;
    int32_t code = -1;
    if (!is_gap(around->before))
        return false;
    while (bytes - end < MOST_WORD_BYTES && (code = char_before(text, end, &used)) >= 0 &&
           (utf8_is_space(code) || sign_is_quote(code) || utf8_punctuation_of(code) == UTF8_CLOSING))
        end -= used;
    return code != '|';
}

/* Do brackets, of which one is at a place, hold an East Asian character? "(Ctrl+O)" does not. */
static bool hold_east_asian(int32_t sign, const char *text, size_t bytes, size_t at)
{
    const bool closes = sign == ')';
    size_t place = at, used;
    int32_t code = 0;
    int depth = 0;
    bool hold = false;
    do {
        code = closes ? char_before(text, place, &used) : char_at(text, bytes, place, &used);
        place = closes ? place - used : place + used;
        depth += (code == sign) - (code == (closes ? '(' : ')'));
        hold |= utf8_is_of_east_asia(code);
    } while (code >= 0 && depth >= !closes && depth < MOST_DEPTH + !closes &&
             (closes ? at - place : place - at - 1) < MOST_BRACKETED_BYTES);
    return hold && depth == -closes;
}

/* What stands for a sign that is no apostrophe and was not seen. */
static int32_t like_of(const struct seen_words *seen, int32_t sign, const char *text, size_t bytes, size_t at)
{
    const int32_t other = other_code_of(seen, sign);
    const struct around around = look_around(text, bytes, at);
    if (is_of_spelling(seen, sign, around.after) || is_of_spelling(seen, around.before, sign))
        return sign;
    if (other && is_of_foreign_text(seen, sign, text, bytes, at, around.used))
        return sign;
    if (sign == '|' && is_item_bar(&around, text, bytes))
        return sign;
    if (other && (sign == '(' || sign == ')'))
        return hold_east_asian(sign, text, bytes, at) ? other : sign;
    if (other)
        return may_be_other(sign, other, &around) && !is_composed(sign, around.after) ? other : sign;
    if (is_quote(sign))
        return like_of_quote(seen, sign, text, bytes, at);
    if (may_be_left_out(sign))
        return 0;
    return utf8_category(sign) == 'Z' ? ' ' : utf8_extends(sign) ? 0 : sign;
}

/* What stands for an Ethiopic word space, which was not seen: a blank, or with a second one a full stop; none
 * within a time, as in "3፡30". */
static int32_t like_of_word_space(const char *text, size_t bytes, size_t at)
{
    const struct around around = look_around(text, bytes, at);
    size_t used, begin = at;
    if (is_between_digits(&around))
        return WORD_SPACE;
    while (at - begin < MOST_WORD_BYTES && char_before(text, begin, &used) == WORD_SPACE)
        begin -= used;
    if ((at - begin) / around.used % 2)
        return 0;
    return around.after == WORD_SPACE ? 0x1362 : ' ';
}

int32_t seen_words_sign(const struct seen_words *seen, const char *text, size_t bytes, size_t at)
{
    size_t used;
    const int32_t sign = char_at(text, bytes, at, &used);
    if (sign < 0 || !seen_words_may_read(sign) || !seen->words.count)
        return sign < 0 ? 0 : sign;
    const int32_t digit =
        utf8_class_of(sign) == UTF8_DIGIT ? like_of_digit(seen, sign, text, bytes, at) : sign;
    if (digit != sign)
        return digit;
    if (is_palochka(sign))
        return like_of_palochka(seen, sign, text, bytes, at);
    if (seen_words_is_apostrophe(sign))
        return is_of_word(seen, sign, text, bytes, at) ? known_apostrophe(seen, sign, text, bytes, at) : sign;
    if (seen_words_has(seen, sign))
        return sign == 0x201c && is_of_other_pair(seen, text, bytes, at)
                   ? like_of_quote(seen, sign, text, bytes, at)
                   : sign;
    if (sign == WORD_SPACE)
        return like_of_word_space(text, bytes, at);
    return like_of(seen, sign, text, bytes, at);
}

void seen_words_read(struct strbuf *out, const struct seen_words *seen, const char *text, size_t bytes,
                     struct span part, bool blanks)
{
    size_t copied = part.begin;
    for (size_t at = part.begin, used; at < part.end; at += used) {
        int32_t code;
        used = utf8_decode(text + at, bytes - at, &code);
        const int32_t sign = seen_words_sign(seen, text, bytes, at);
        if (sign == code || (sign == ' ' && !blanks))
            continue;
        strbuf_add(out, text + copied, at - copied);
        copied = at + used;
        if (sign)
            utf8_append(out, sign);
    }
    strbuf_add(out, text + copied, part.end - copied);
}
