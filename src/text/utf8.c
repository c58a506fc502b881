/* Code points, classes, normal forms and case of UTF-8 text, on top of utf8proc. */
#include "utf8.h"

#include "err.h"
#include "mem.h"

#include <string.h>
#include <utf8proc.h>

#define SHARP_S 0xdf
#define MOST_PARTS 8          /* of a decomposed letter */
#define MOST_MARKS 30         /* in a row; utf8proc orders them in quadratic time */
#define MOST_CLUSTER_BYTES 64 /* a character with more combining marks counts as several */

size_t utf8_decode(const char *text, size_t bytes, int32_t *code)
{
    const unsigned char first = (unsigned char)text[0];
    if (first < 0x80) {
        *code = first;
        return 1;
    }
    utf8proc_int32_t c;
    const utf8proc_ssize_t used =
        utf8proc_iterate((const utf8proc_uint8_t *)text, bytes > 4 ? 4 : (utf8proc_ssize_t)bytes, &c);
    if (used <= 0)
        return 0;
    *code = c;
    return (size_t)used;
}

size_t utf8_decode_before(const char *text, size_t at, int32_t *code)
{
    size_t begin = at;
    do
        begin--;
    while (begin && at - begin < 4 && utf8_continues(text[begin]));
    return utf8_decode(text + begin, at - begin, code) == at - begin ? at - begin : 0;
}

size_t utf8_encode(char bytes[UTF8_MOST_BYTES], int32_t code)
{
    return (size_t)utf8proc_encode_char(code, (utf8proc_uint8_t *)bytes);
}

void utf8_append(struct strbuf *out, int32_t code)
{
    char bytes[UTF8_MOST_BYTES];
    strbuf_add(out, bytes, utf8_encode(bytes, code));
}

static bool is_ascii(const char *text, size_t bytes)
{
    unsigned char any = 0;
    for (size_t i = 0; i < bytes; i++)
        any |= (unsigned char)text[i];
    return any < 0x80;
}

/* Where the first part of a text ends in which no more than MOST_MARKS combining marks are in a row. */
static size_t orderable_bytes(const char *text, size_t bytes)
{
    int32_t code;
    size_t at = 0, used;
    for (int marks = 0; at < bytes && (used = utf8_decode(text + at, bytes - at, &code)); at += used) {
        marks = utf8proc_get_property(code)->combining_class ? marks + 1 : 0;
        if (marks > MOST_MARKS)
            return at;
    }
    return bytes;
}

static void add_mapped(struct strbuf *out, const char *text, size_t bytes, enum utf8_form form)
{
    const utf8proc_option_t options =
        (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPOSE | (form == UTF8_NFKC ? UTF8PROC_COMPAT : 0));
    utf8proc_uint8_t *mapped;
    const utf8proc_ssize_t length =
        utf8proc_map((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)bytes, &mapped, options);
    if (length == UTF8PROC_ERROR_NOMEM || length == UTF8PROC_ERROR_OVERFLOW)
        mem_exhausted(bytes, 1);
    if (length < 0)
        BUG("text to normalise is not UTF-8");
    xadopt(mapped, (size_t)length + 1);
    strbuf_add(out, (const char *)mapped, (size_t)length);
    xfree(mapped);
}

void utf8_normalize(struct strbuf *out, const char *text, size_t bytes, enum utf8_form form)
{
    size_t part;
    if (form == UTF8_AS_IS || is_ascii(text, bytes)) {
        strbuf_add(out, text, bytes);
        return;
    }
    for (size_t at = 0; at < bytes; at += part) {
        part = orderable_bytes(text + at, bytes - at);
        add_mapped(out, text + at, part, form);
    }
}

/* Does NFC compose valid text with what follows it? */
static bool composes_with(const char *text, size_t bytes, size_t following)
{
    struct strbuf whole, parts;
    strbuf_init(&whole);
    strbuf_init(&parts);
    utf8_normalize(&whole, text, bytes + following, UTF8_NFC);
    utf8_normalize(&parts, text, bytes, UTF8_NFC);
    utf8_normalize(&parts, text + bytes, following, UTF8_NFC);
    const bool composes = whole.length != parts.length || memcmp(whole.text, parts.text, parts.length) != 0;
    strbuf_release(&whole);
    strbuf_release(&parts);
    return composes;
}

size_t utf8_piece(const char *text, size_t bytes)
{
    int32_t code = 0;
    size_t end = utf8_decode(text, bytes, &code);
    while (end < bytes && !is_ascii(text + end, 1)) {
        const size_t used = utf8_decode(text + end, bytes - end, &code);
        const bool continues =
            utf8proc_get_property(code)->combining_class || (code >= 0x1160 && code <= 0x11ff) || /* jamo */
            (utf8_category(code) == 'M' && end <= MOST_CLUSTER_BYTES && composes_with(text, end, used));
        if (!continues)
            break;
        end += used;
    }
    return end;
}

/* ---- lower case ---- */

#define CAPITAL_SIGMA 0x3a3
#define SMALL_SIGMA 0x3c3
#define FINAL_SIGMA 0x3c2

/* Unicode's "cased", without ordinal indicators and squared letters, which do not occur in Greek words. */
static bool is_cased(int32_t code)
{
    const utf8proc_category_t category = utf8proc_category(code);
    return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LL ||
           category == UTF8PROC_CATEGORY_LT || utf8proc_tolower(code) != code ||
           utf8proc_toupper(code) != code;
}

/* Case-ignorable characters (The Unicode Standard, section 3.13), which may occur inside words. */
static bool is_case_ignorable(int32_t code)
{
    static const int32_t marks[] = {0x27,   0x2e,   0x3a,   0xb7,   0x387,  0x55f,  0x5f4,  0x2018, 0x2019,
                                    0x2024, 0x2027, 0xfe13, 0xfe52, 0xfe55, 0xff07, 0xff0e, 0xff1a};
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
        return true;
    default:
        for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
            if (marks[i] == code)
                return true;
        return false;
    }
}

/* Is the first character after a position, or the last one before it, cased, not counting ignorable ones? */
static bool cased_after(const char *text, size_t bytes, size_t at)
{
    while (at < bytes) {
        int32_t code;
        const size_t used = utf8_decode(text + at, bytes - at, &code);
        if (!used || !is_case_ignorable(code))
            return used && is_cased(code);
        at += used;
    }
    return false;
}

static bool cased_before(const char *text, size_t at)
{
    while (at) {
        int32_t code;
        const size_t used = utf8_decode_before(text, at, &code);
        if (!used || !is_case_ignorable(code))
            return used && is_cased(code);
        at -= used;
    }
    return false;
}

/* Scripts whose ordinary letters Unicode takes for small ones, or for capitals. */
static bool is_written_in_one_case(int32_t code)
{
    return (code >= 0x10d0 && code <= 0x10ff) ||                                     /* Georgian */
           (code >= 0x13a0 && code <= 0x13fd) || (code >= 0xab70 && code <= 0xabbf); /* Cherokee */
}

void utf8_lower(struct strbuf *out, const char *text, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        int32_t code;
        const size_t used = utf8_decode(text + at, bytes - at, &code);
        if (!used)
            BUG("text to lower is not UTF-8");
        if (code < 0x80)
            strbuf_addch(out, (char)(code >= 'A' && code <= 'Z' ? code + 'a' - 'A' : code));
        else if (code == 0x130) /* İ: the only letter with a lower case of two characters, i and a
                                 * combining dot */
            strbuf_adds(out, "i\xcc\x87");
        else if (code == CAPITAL_SIGMA) /* has another form at the end of a word */
            utf8_append(out, cased_before(text, at) && !cased_after(text, bytes, at + used) ? FINAL_SIGMA
                                                                                            : SMALL_SIGMA);
        else
            utf8_append(out, is_written_in_one_case(code) ? code : utf8proc_tolower(code));
        at += used;
    }
}

/* Appends a letter that has no capital of its own as those of its parts. */
static void add_upper_parts(struct strbuf *out, int32_t code)
{
    utf8proc_int32_t parts[MOST_PARTS];
    const utf8proc_ssize_t count = utf8proc_decompose_char(code, parts, MOST_PARTS, UTF8PROC_COMPAT, NULL);
    if (count < 1 || count > MOST_PARTS) {
        utf8_append(out, code);
        return;
    }
    for (utf8proc_ssize_t i = 0; i < count; i++)
        utf8_append(out, utf8proc_toupper(parts[i]));
}

void utf8_upper(struct strbuf *out, const char *text, size_t bytes)
{
    size_t used;
    for (size_t at = 0; at < bytes; at += used) {
        int32_t code;
        used = utf8_decode(text + at, bytes - at, &code);
        if (!used)
            BUG("text for capitals is not UTF-8");
        const int32_t upper = is_written_in_one_case(code) ? code : utf8proc_toupper(code);
        if (code == SHARP_S)
            strbuf_adds(out, "SS");
        else if (upper == code && utf8_case_of(code) == UTF8_LOWER)
            add_upper_parts(out, code);
        else
            utf8_append(out, upper);
    }
}

bool utf8_is_modifier(int32_t code)
{
    return code >= 0x2b0 && code <= 0x2ff && utf8proc_category(code) == UTF8PROC_CATEGORY_LM;
}

void utf8_capitalize(struct strbuf *out, const char *text, size_t bytes)
{
    const int32_t apostrophe = 0x2bc; /* small letters behind it begin sentences, as in "ʼn man" */
    int32_t code = 0;
    size_t at = 0, used = 0;
    do
        at += used;
    while (at < bytes && (used = utf8_decode(text + at, bytes - at, &code)) && utf8_is_modifier(code) &&
           code != apostrophe);
    strbuf_add(out, text, at);
    if (at < bytes && used) {
        utf8_append(out, utf8proc_totitle(code));
        at += used;
    }
    strbuf_add(out, text + at, bytes - at);
}

/* The lookup of a category is what the time of most passes goes into; ASCII and small numbers need none. */
static bool is_ascii_letter(int32_t code)
{
    return (code | 0x20) >= 'a' && (code | 0x20) <= 'z';
}

enum utf8_class utf8_class_of(int32_t code)
{
    if (code > ' ' && code < 0x7f)
        return is_ascii_letter(code) ? UTF8_LETTER : code >= '0' && code <= '9' ? UTF8_DIGIT : UTF8_SYMBOL;
    if (code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0x2028 || code == 0x2029)
        return UTF8_BLANK;
    if (code == 0x200c || code == 0x200d) /* zero-width joiner and non-joiner occur inside words */
        return UTF8_LETTER;
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
        return UTF8_LETTER;
    case UTF8PROC_CATEGORY_ND:
        return UTF8_DIGIT;
    default:
        return UTF8_SYMBOL;
    }
}

enum utf8_case utf8_case_of(int32_t code)
{
    if (code >= 0 && code < 0x80)
        return !is_ascii_letter(code) ? UTF8_CASELESS : code & 0x20 ? UTF8_LOWER : UTF8_UPPER;
    const utf8proc_category_t category = utf8proc_category(code);
    if (is_written_in_one_case(code))
        return UTF8_CASELESS;
    return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT ? UTF8_UPPER
           : category == UTF8PROC_CATEGORY_LL                                   ? UTF8_LOWER
                                                                                : UTF8_CASELESS;
}

bool utf8_is_non_latin(int32_t code)
{
    static const int32_t latin[][2] = {{0x1d00, 0x1dbf}, {0x1e00, 0x1eff}, {0x2071, 0x209c},
                                       {0x2100, 0x218f}, {0x2c60, 0x2c7f}, {0xa720, 0xa7ff},
                                       {0xab30, 0xab6f}, {0xfb00, 0xfb06}, {0xff21, 0xff5a}};
    bool is = code >= 0x370 && utf8proc_category(code) >= UTF8PROC_CATEGORY_LU &&
              utf8proc_category(code) <= UTF8PROC_CATEGORY_LO;
    for (size_t i = 0; is && i < sizeof latin / sizeof latin[0]; i++)
        is = code < latin[i][0] || code > latin[i][1];
    return is;
}

#define FIRST_CASELESS_SCRIPT 0x590 /* Hebrew; letters without case before it belong to cased scripts */

bool utf8_is_wordlike(int32_t code)
{
    const enum utf8_class class = utf8_class_of(code);
    return class == UTF8_DIGIT || (class == UTF8_LETTER && !utf8_unspaced(code));
}

/* The ten digits of a script are in a row, apart from those of others; but five rows of mathematics touch. */
int utf8_digit(int32_t code)
{
    static const int32_t first_of_mathematics = 0x1d7ce, last_of_mathematics = 0x1d7ff;
    int value = 0;
    if (utf8proc_category(code) != UTF8PROC_CATEGORY_ND)
        return -1;
    if (code >= first_of_mathematics && code <= last_of_mathematics)
        return (code - first_of_mathematics) % 10;
    while (value < 9 && utf8proc_category(code - value - 1) == UTF8PROC_CATEGORY_ND)
        value++;
    return value;
}

int32_t utf8_small(int32_t code)
{
    return utf8proc_tolower(code);
}

bool utf8_is_caseless(int32_t code)
{
    if (code < FIRST_CASELESS_SCRIPT)
        return false;
    const utf8proc_category_t category = utf8proc_category(code);
    const bool letter = category == UTF8PROC_CATEGORY_LO || category == UTF8PROC_CATEGORY_LL ||
                        category == UTF8PROC_CATEGORY_LU;
    return letter && utf8_case_of(code) == UTF8_CASELESS;
}

static bool is_latin_or_digit(int32_t code)
{
    return code < 0x80 && (utf8_class_of(code) == UTF8_LETTER || utf8_class_of(code) == UTF8_DIGIT);
}

bool utf8_is_particle_between(int32_t left, int32_t right)
{
    return (is_latin_or_digit(left) && utf8_is_caseless(right)) ||
           (utf8_is_caseless(left) && is_latin_or_digit(right));
}

enum utf8_punctuation utf8_punctuation_of(int32_t code)
{
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_PS:
    case UTF8PROC_CATEGORY_PI:
        return UTF8_OPENING;
    case UTF8PROC_CATEGORY_PE:
    case UTF8PROC_CATEGORY_PF:
        return UTF8_CLOSING;
    case UTF8PROC_CATEGORY_PD:
        return UTF8_DASH;
    default:
        return UTF8_PLAIN;
    }
}

bool utf8_extends(int32_t code)
{
    if (code < 0xad) /* the first one, a soft hyphen */
        return false;
    switch (utf8proc_category(code)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
        return true;
    default:
        return false;
    }
}

char utf8_category(int32_t code)
{
    return utf8proc_category_string(code)[0];
}

enum utf8_script utf8_script_of(int32_t code)
{
    static const struct {
        int32_t first, last;
        enum utf8_script script;
    } ranges[] = {
        {0x0e01, 0x0e5b, UTF8_THAI},       {0x0e81, 0x0edf, UTF8_LAO},
        {0x0f00, 0x0fda, UTF8_TIBETAN},    {0x1000, 0x109f, UTF8_BURMESE},
        {0x1780, 0x17ff, UTF8_KHMER},      {0x1950, 0x19df, UTF8_TAI},
        {0x19e0, 0x19ff, UTF8_KHMER}, /* symbols */
        {0x1a20, 0x1aaf, UTF8_TAI},        {0x1b00, 0x1b7f, UTF8_BALINESE},
        {0x2e80, 0x2fd5, UTF8_HAN},      /* radicals */
        {0x3005, 0x3007, UTF8_HAN},      /* iteration mark, zero */
        {0x3031, 0x3035, UTF8_HIRAGANA}, /* repeat marks */
        {0x3036, 0x3040, UTF8_HAN},        {0x3041, 0x309f, UTF8_HIRAGANA},
        {0x30a0, 0x30ff, UTF8_KATAKANA},   {0x3105, 0x312f, UTF8_BOPOMOFO},
        {0x31a0, 0x31bf, UTF8_BOPOMOFO},   {0x31c0, 0x31ef, UTF8_HAN}, /* strokes */
        {0x31f0, 0x31ff, UTF8_KATAKANA},   {0x3400, 0x4dbf, UTF8_HAN},
        {0x4e00, 0x9fff, UTF8_HAN},        {0xa980, 0xa9df, UTF8_JAVANESE},
        {0xa9e0, 0xa9fe, UTF8_BURMESE},    {0xaa60, 0xaa7f, UTF8_BURMESE},
        {0xaa80, 0xaadf, UTF8_TAI},        {0xf900, 0xfaff, UTF8_HAN},
        {0xff66, 0xff9f, UTF8_KATAKANA},   /* half width */
        {0x1aff0, 0x1b16f, UTF8_HIRAGANA}, /* old and small kana */
        {0x20000, 0x3ffff, UTF8_HAN},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && ranges[i].first <= code; i++)
        if (code <= ranges[i].last)
            return ranges[i].script;
    return UTF8_SPACED;
}

int utf8_unspaced(int32_t code)
{
    const enum utf8_script script = utf8_script_of(code);
    return script == UTF8_SPACED ? 0 : script <= UTF8_BOPOMOFO ? 2 : 1;
}

bool utf8_is_east_asian(int32_t code)
{
    return code == 0x200b || (code >= 0x3000 && code <= 0x303f) || (code >= 0xff00 && code <= 0xffef);
}

bool utf8_is_of_east_asia(int32_t code)
{
    return utf8_unspaced(code) == 2 || utf8_is_east_asian(code);
}

bool utf8_is_space(int32_t code)
{
    if (code < 0x80)
        return code == ' ' || (code >= '\t' && code <= '\r') || (code >= 0x1c && code <= 0x1f);
    return code == 0x85 || utf8proc_category(code) == UTF8PROC_CATEGORY_ZS || code == 0x2028 ||
           code == 0x2029;
}

bool utf8_blank(const char *text, size_t bytes)
{
    int32_t code = ' ';
    for (size_t at = 0; at < bytes && utf8_is_space(code);)
        at += utf8_decode(text + at, bytes - at, &code);
    return utf8_is_space(code);
}

bool utf8_is_capital(int32_t code)
{
    return utf8_case_of(code) == UTF8_UPPER;
}

bool utf8_has(const char *text, size_t bytes, bool (*is)(int32_t code))
{
    bool has = false;
    for (size_t at = 0; at < bytes && !has;) {
        int32_t code = 0;
        at += utf8_decode(text + at, bytes - at, &code);
        has = is(code);
    }
    return has;
}

static bool is_letter(int32_t code)
{
    return utf8_category(code) == 'L';
}

bool utf8_has_letter(const char *text, size_t bytes)
{
    return utf8_has(text, bytes, is_letter);
}

struct span utf8_trim(const char *text, size_t bytes)
{
    struct span span = {0, bytes};
    int32_t code = 0;
    for (size_t used; span.begin < span.end; span.begin += used) {
        used = utf8_decode(text + span.begin, bytes - span.begin, &code);
        if (utf8_class_of(code) != UTF8_BLANK)
            break;
    }
    for (size_t used; span.begin < span.end; span.end -= used) {
        used = utf8_decode_before(text, span.end, &code);
        if (utf8_class_of(code) != UTF8_BLANK)
            break;
    }
    return span;
}

int utf8_columns(const char *text, size_t *bytes)
{
    const size_t length = strnlen(text, MOST_CLUSTER_BYTES);
    int32_t code, next;
    utf8proc_int32_t state = 0;
    size_t used;
    *bytes = utf8_decode(text, length, &code);
    if (!*bytes) { /* invalid: one byte, one column */
        *bytes = 1;
        return 1;
    }
    int columns = utf8proc_charwidth(code);
    while ((used = *bytes < length ? utf8_decode(text + *bytes, length - *bytes, &next) : 0) &&
           !utf8proc_grapheme_break_stateful(code, next, &state)) {
        const int width = utf8proc_charwidth(next);
        columns = width > columns ? width : columns;
        code = next;
        *bytes += used;
    }
    return columns;
}
