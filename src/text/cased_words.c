/* Goes through a text word by word, and counts the letters of each by their case. */
#include "cased_words.h"

#include "scan.h"
#include "sentence_signs.h"
#include "utf8.h"

static void find_string(struct cased_reading *reading)
{
    size_t at = reading->string.span.end;
    if (!patterns_next(&reading->string, reading->text, reading->bytes, &at, &reading->patterns))
        reading->string.span = (struct span){reading->bytes, reading->bytes};
}

void cased_reading_init(struct cased_reading *reading, const struct seen_words *seen, const char *text,
                        size_t bytes)
{
    *reading =
        (struct cased_reading){.text = text, .bytes = bytes, .patterns = {.kinds = PROTECTED, .seen = seen}};
    find_string(reading);
}

/* Strings that stand around words, not for some. */
#define MARKS (PATTERN_SET(PATTERN_MARKUP) | PATTERN_SET(PATTERN_EMOJI) | PATTERN_SET(PATTERN_ENTITY))

/* Moves to the next word; true if it is the first, or a stop and a blank come before it. *counted: a number
 * or a string comes before it, but not as in "1)", "1.2" and "%s:". */
static bool pass_symbols(struct cased_reading *reading, bool *counted)
{
    bool stop = false, first = !reading->begun, listed = false;
    *counted = false;
    for (size_t used; reading->at < reading->bytes; reading->at += used) {
        int32_t code;
        if (reading->at == reading->string.span.begin) {
            used = reading->string.span.end - reading->at;
            first &= reading->string.kind != PATTERN_UNSEEN;
            *counted |= !(PATTERN_SET(reading->string.kind) & MARKS);
            find_string(reading);
            continue;
        }
        used = utf8_decode(reading->text + reading->at, reading->bytes - reading->at, &code);
        const enum utf8_class class = utf8_class_of(code);
        if (class == UTF8_LETTER)
            break;
        if (stop && class == UTF8_BLANK) {
            first = true;
            *counted = listed = false;
        }
        stop = class == UTF8_SYMBOL && sign_is_stop(code);
        *counted |= class == UTF8_DIGIT;
        listed |= stop || code == ':' || utf8_punctuation_of(code) == UTF8_CLOSING;
    }
    *counted &= !listed;
    reading->begun = true;
    return first;
}

/* Do an apostrophe, a hyphen or a middle dot join what begins at a place to a letter? */
static bool is_joined(const char *text, size_t at)
{
    size_t used, length;
    const int32_t sign = char_before(text, at, &used);
    return (seen_words_is_apostrophe(sign) || sign == 0xb7 || utf8_punctuation_of(sign) == UTF8_DASH) &&
           utf8_class_of(char_before(text, at - used, &length)) == UTF8_LETTER;
}

bool cased_reading_next(struct cased_word *word, struct cased_reading *reading)
{
    bool counted;
    const bool first = pass_symbols(reading, &counted);
    *word = (struct cased_word){.begin = reading->at,
                                .first = first,
                                .counted = counted,
                                .joined = reading->capital && is_joined(reading->text, reading->at)};
    int modifiers = 0;  /* in front */
    bool mixed = false; /* small letters behind capitals */
    for (size_t used; reading->at < reading->string.span.begin; reading->at += used) {
        int32_t code;
        used = utf8_decode(reading->text + reading->at, reading->bytes - reading->at, &code);
        if (utf8_class_of(code) != UTF8_LETTER)
            break;
        const enum utf8_case letter = utf8_case_of(code);
        mixed |= letter == UTF8_LOWER && word->upper > 0;
        word->upper += letter == UTF8_UPPER;
        word->lower += letter == UTF8_LOWER;
        word->caseless += utf8_is_caseless(code);
        word->capital |= word->characters == modifiers && letter == UTF8_UPPER;
        modifiers += word->characters++ == modifiers && utf8_is_modifier(code);
    }
    word->end = reading->at;
    word->prefixed = word->lower > 0 && word->upper > 1 && !mixed;
    reading->capital = word->capital || word->joined;
    return word->characters > 0;
}
