/* Exchanges letters whose case differs from other languages'; utf8 does the rest. */
#include "casing.h"

#include "language_tag.h"
#include "utf8.h"

#include <string.h>

#define CAPITAL_DOTTED "\xc4\xb0" /* İ */
#define DOT_ABOVE "\xcc\x87"      /* which its lower case in most languages has */

enum casing casing_of_language(const char *tag)
{
    static const struct {
        const char *language;
        enum casing casing;
    } languages[] = {{"az-Cyrl", CASING_COMMON},  {"crh-Cyrl", CASING_COMMON}, {"kaa-Cyrl", CASING_COMMON},
                     {"tr", CASING_TURKIC},       {"tur", CASING_TURKIC},      {"az", CASING_TURKIC},
                     {"aze", CASING_TURKIC},      {"azj", CASING_TURKIC},      {"crh", CASING_TURKIC},
                     {"gag", CASING_TURKIC},      {"kaa", CASING_TURKIC},      {"tt-Latn", CASING_TURKIC},
                     {"tat-Latn", CASING_TURKIC}, {"kaz-Latn", CASING_TURKIC}, {"kk-Latn", CASING_TURKIC},
                     {"zza", CASING_TURKIC},      {"diq", CASING_TURKIC},      {"kiu", CASING_TURKIC},
                     {"tly", CASING_TURKIC},      {"el", CASING_GREEK},        {"ell", CASING_GREEK},
                     {"hy", CASING_ARMENIAN},     {"hye", CASING_ARMENIAN}};
    for (size_t i = 0; tag && i < sizeof languages / sizeof languages[0]; i++)
        if (language_tag_matches(tag, languages[i].language))
            return languages[i].casing;
    return CASING_COMMON;
}

const char *casing_name(enum casing casing)
{
    static const char *const names[CASINGS] = {[CASING_COMMON] = "common",
                                               [CASING_TURKIC] = "turkic",
                                               [CASING_GREEK] = "greek",
                                               [CASING_ARMENIAN] = "armenian"};
    return names[casing];
}

/* A letter or two, and what is written in their place. */
struct exchange {
    const char *letter, *other;
};

static const struct exchange turkic_capitals[] = {{"I", "ı"}, {CAPITAL_DOTTED, "i"}, {NULL, NULL}};
static const struct exchange turkic_small[] = {{"i", CAPITAL_DOTTED}, {"ı", "I"}, {NULL, NULL}};
#define GREEK_ACCENTS                                                                                        \
    {"ά", "α"}, {"έ", "ε"}, {"ή", "η"}, {"ί", "ι"}, {"ό", "ο"}, {"ύ", "υ"}, {"ώ", "ω"}, {"Ά", "Α"},          \
        {"Έ", "Ε"}, {"Ή", "Η"}, {"Ί", "Ι"}, {"Ό", "Ο"}, {"Ύ", "Υ"}, {"Ώ", "Ω"},
/* Without the accent, a diaeresis says that the vowel behind it is one of its own: ρολόι, ΡΟΛΟΪ. */
static const struct exchange greek_capitals[] = {
    {"άι", "αϊ"}, {"άυ", "αϋ"}, {"έι", "εϊ"}, {"έυ", "εϋ"}, {"όι", "οϊ"},
    {"όυ", "οϋ"}, {"Άι", "Αϊ"}, {"Άυ", "Αϋ"}, {"Έι", "Εϊ"}, {"Έυ", "Εϋ"},
    {"Όι", "Οϊ"}, {"Όυ", "Οϋ"}, {"ΐ", "ϊ"},   {"ΰ", "ϋ"},   GREEK_ACCENTS{NULL, NULL}};
/* In capitals, many leave it out. */
static const struct exchange greek_folds[] = {
    {"ΐ", "ι"}, {"ΰ", "υ"}, {"ϊ", "ι"}, {"ϋ", "υ"}, {"Ϊ", "Ι"}, {"Ϋ", "Υ"}, GREEK_ACCENTS{NULL, NULL}};
static const struct exchange armenian_small[] = {{"և", "եվ"}, {NULL, NULL}};

/* The first one that the text begins with. */
static const struct exchange *find_exchange(const struct exchange *exchanges, const char *text, size_t bytes)
{
    for (const struct exchange *e = exchanges; e->letter; e++)
        if (strlen(e->letter) <= bytes && !memcmp(e->letter, text, strlen(e->letter)))
            return e;
    return NULL;
}

/* Appends text with its letters exchanged. */
static void add_exchanged(struct strbuf *out, const struct exchange *exchanges, const char *text,
                          size_t bytes)
{
    int32_t code;
    for (size_t at = 0, used; at < bytes; at += used) {
        const struct exchange *exchange = find_exchange(exchanges, text + at, bytes - at);
        used = exchange ? strlen(exchange->letter) : utf8_decode(text + at, bytes - at, &code);
        if (exchange)
            strbuf_adds(out, exchange->other);
        else
            strbuf_add(out, text + at, used);
    }
}

/* Appends text that `change` has changed, after its letters are exchanged, if there are exchanges. */
static void add_changed(struct strbuf *out, const struct exchange *exchanges,
                        void (*change)(struct strbuf *out, const char *text, size_t bytes), const char *text,
                        size_t bytes)
{
    struct strbuf exchanged;
    if (!exchanges) {
        change(out, text, bytes);
        return;
    }
    strbuf_init(&exchanged);
    add_exchanged(&exchanged, exchanges, text, bytes);
    change(out, exchanged.text, exchanged.length);
    strbuf_release(&exchanged);
}

void casing_lower(struct strbuf *out, enum casing casing, const char *text, size_t bytes)
{
    add_changed(out, casing == CASING_TURKIC ? turkic_capitals : NULL, utf8_lower, text, bytes);
}

void casing_upper(struct strbuf *out, enum casing casing, const char *text, size_t bytes)
{
    static const struct exchange *const exchanges[CASINGS] = {
        [CASING_TURKIC] = turkic_small, [CASING_GREEK] = greek_capitals, [CASING_ARMENIAN] = armenian_small};
    add_changed(out, exchanges[casing], utf8_upper, text, bytes);
}

void casing_capitalize(struct strbuf *out, enum casing casing, const char *text, size_t bytes)
{
    static const struct exchange first[CASINGS] = {
        [CASING_TURKIC] = {"i", CAPITAL_DOTTED}, [CASING_ARMENIAN] = {"և", "Եվ"}};
    const char *letter = first[casing].letter;
    if (letter && bytes >= strlen(letter) && !memcmp(text, letter, strlen(letter))) {
        strbuf_adds(out, first[casing].other);
        strbuf_add(out, text + strlen(letter), bytes - strlen(letter));
    } else
        utf8_capitalize(out, text, bytes);
}

void casing_fold(struct strbuf *out, enum casing casing, const char *text, size_t bytes)
{
    static const struct exchange *const exchanges[CASINGS] = {
        [CASING_TURKIC] = turkic_capitals, [CASING_GREEK] = greek_folds, [CASING_ARMENIAN] = armenian_small};
    add_changed(out, exchanges[casing], utf8_lower, text, bytes);
}

void casing_fold_all(struct strbuf *out, const char *text, size_t bytes)
{
    static const struct exchange letters[] = {{"ı", "i"}, {DOT_ABOVE, ""}, {"ς", "σ"}, {NULL, NULL}};
    struct strbuf folded;
    strbuf_init(&folded);
    casing_fold(&folded, CASING_GREEK, text, bytes);
    add_exchanged(out, letters, folded.text, folded.length);
    strbuf_release(&folded);
}

static int find_lower(const struct strmap *map, enum casing casing, const char *text, size_t bytes)
{
    struct strbuf lower;
    strbuf_init(&lower);
    casing_lower(&lower, casing, text, bytes);
    const int number = strmap_find(map, lower.text, lower.length);
    strbuf_release(&lower);
    return number;
}

int casing_find(bool *as_it_is, const struct strmap *map, enum casing casing, const char *text, size_t bytes)
{
    int number = strmap_find(map, text, bytes);
    *as_it_is = number >= 0;
    if (number < 0)
        number = find_lower(map, casing, text, bytes);
    if (number < 0 && casing != CASING_COMMON)
        number = find_lower(map, CASING_COMMON, text, bytes);
    return number;
}
