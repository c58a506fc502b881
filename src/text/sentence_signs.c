/* Tables of the signs that sentences and clauses end with, and small questions about words. Where a sentence
 * ends is decided in sentences.c. */
#include "sentence_signs.h"

#include <string.h>

#define MOST_WORD_BYTES 64
#define MOST_ROMAN 5        /* letters of a Roman number */
#define MOST_TIED 3         /* letters of a word that may be tied to a number */
#define MOST_THAI_LETTERS 4 /* of an abbreviation */
#define MOST_DOTTED 2       /* letters between points … */
#define MOST_SPELLED 4 /* … in Indic scripts, which spell names of letters, as in "डब्ल्यू.एच.ओ" */

/* Ranges of characters, ascending. */
struct range {
    int32_t first, last;
};

static bool in_ranges(const struct range *ranges, size_t count, int32_t code)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (ranges[middle].last < code)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && ranges[low].first <= code;
}
#define IN_RANGES(ranges, code) in_ranges(ranges, sizeof(ranges) / sizeof(ranges)[0], code)

/* Unicode's property Sentence_Terminal (PropList.txt, version 14, and the Khmer signs of 15.1), with U+2024
 * to U+2026 and the Greek question mark, without the commas of Burmese and Javanese. */
static const struct range stops[] = {
    {'!', '!'},         {'.', '.'},         {'?', '?'},         {0x37e, 0x37e},     {0x589, 0x589},
    {0x61d, 0x61f},     {0x6d4, 0x6d4},     {0x700, 0x702},     {0x7f9, 0x7f9},     {0x837, 0x837},
    {0x839, 0x839},     {0x83d, 0x83e},     {0x964, 0x965},     {0x104b, 0x104b},   {0x1362, 0x1362},
    {0x1367, 0x1368},   {0x166e, 0x166e},   {0x1735, 0x1736},   {0x17d4, 0x17d5},   {0x1803, 0x1803},
    {0x1809, 0x1809},   {0x1944, 0x1945},   {0x1aa8, 0x1aab},   {0x1b5a, 0x1b5b},   {0x1b5e, 0x1b5f},
    {0x1b7d, 0x1b7e},   {0x1c3b, 0x1c3c},   {0x1c7e, 0x1c7f},   {0x2024, 0x2026},   {0x203c, 0x203d},
    {0x2047, 0x2049},   {0x2e2e, 0x2e2e},   {0x2e3c, 0x2e3c},   {0x2e53, 0x2e54},   {0x3002, 0x3002},
    {0xa4ff, 0xa4ff},   {0xa60e, 0xa60f},   {0xa6f3, 0xa6f3},   {0xa6f7, 0xa6f7},   {0xa876, 0xa877},
    {0xa8ce, 0xa8cf},   {0xa92f, 0xa92f},   {0xa9c9, 0xa9c9},   {0xaa5d, 0xaa5f},   {0xaaf0, 0xaaf1},
    {0xabeb, 0xabeb},   {0xfe52, 0xfe52},   {0xfe56, 0xfe57},   {0xff01, 0xff01},   {0xff0e, 0xff0e},
    {0xff1f, 0xff1f},   {0xff61, 0xff61},   {0x10a56, 0x10a57}, {0x10f55, 0x10f59}, {0x10f86, 0x10f89},
    {0x11047, 0x11048}, {0x110be, 0x110c1}, {0x11141, 0x11143}, {0x111c5, 0x111c6}, {0x111cd, 0x111cd},
    {0x111de, 0x111df}, {0x11238, 0x11239}, {0x1123b, 0x1123c}, {0x112a9, 0x112a9}, {0x1144b, 0x1144c},
    {0x115c2, 0x115c3}, {0x115c9, 0x115d7}, {0x11641, 0x11642}, {0x1173c, 0x1173e}, {0x11944, 0x11944},
    {0x11946, 0x11946}, {0x11a42, 0x11a43}, {0x11a9b, 0x11a9c}, {0x11c41, 0x11c42}, {0x11ef7, 0x11ef8},
    {0x16a6e, 0x16a6f}, {0x16af5, 0x16af5}, {0x16b37, 0x16b38}, {0x16b44, 0x16b44}, {0x16e98, 0x16e98},
    {0x1bc9f, 0x1bc9f}, {0x1da88, 0x1da88},
};

bool sign_is_stop(int32_t code)
{
    return IN_RANGES(stops, code);
}

bool is_greek(int32_t code)
{
    return (code >= 0x370 && code <= 0x3ff) || (code >= 0x1f00 && code <= 0x1fff);
}

bool is_armenian(int32_t code)
{
    return code >= 0x531 && code <= 0x588;
}

bool is_ethiopic(int32_t code)
{
    return code >= 0x1200 && code <= 0x135a;
}

bool is_danda_script(int32_t code)
{
    return code >= 0x900 && code <= 0xb7f && !sign_is_stop(code);
}

bool sign_is_point(int32_t code)
{
    return code == '.' || code == 0x2024 || code == 0xfe52 || code == 0xff0e;
}

bool sign_is_superscript(int32_t code)
{
    return code == 0xb2 || code == 0xb3 || code == 0xb9 || (code >= 0x2070 && code <= 0x2079);
}

bool sign_is_ellipsis(int32_t code)
{
    return code == 0x2025 || code == 0x2026;
}

/* All stops but those of scripts that are written with blanks behind them: up to Syriac, and general
 * punctuation. */
bool sign_is_tight(int32_t code)
{
    return code >= 0x7f9 && (code < 0x2000 || code > 0x2fff) && sign_is_stop(code);
}

/* Unicode's Sentence_Break=SContinue without dashes, and commas, semicolons and shads of more scripts. */
bool sign_ends_clause(int32_t code)
{
    static const struct range marks[] = {
        {',', ','},       {':', ';'},       {0x387, 0x387},   {0x55d, 0x55d},   {0x60c, 0x60c},
        {0x61b, 0x61b},   {0x7f8, 0x7f8},   {0xf0d, 0xf0e},   {0x104a, 0x104a}, {0x1363, 0x1366},
        {0x1802, 0x1802}, {0x1804, 0x1804}, {0x1808, 0x1808}, {0x3001, 0x3001}, {0xa9c8, 0xa9c8},
        {0xfe10, 0xfe11}, {0xfe13, 0xfe14}, {0xfe50, 0xfe51}, {0xfe54, 0xfe55}, {0xff0c, 0xff0c},
        {0xff1a, 0xff1b}, {0xff64, 0xff64},
    };
    return IN_RANGES(marks, code);
}

bool sign_is_quote(int32_t code)
{
    return code == '"' || code == '\'' || code == '`' || code == 0xab || code == 0xbb ||
           (code >= 0x2018 && code <= 0x201f) || code == 0x2039 || code == 0x203a || code == 0xff02 ||
           code == 0xff07;
}

/* ---- characters and words ---- */

static bool parts_words(int32_t code)
{
    const enum utf8_punctuation kind = utf8_punctuation_of(code);
    return utf8_is_space(code) || kind == UTF8_OPENING || kind == UTF8_CLOSING || kind == UTF8_DASH ||
           sign_is_quote(code) || code == '/' || code == '*' || code == '_' || code == '>';
}

/* A mark of direction or the like; joiners are of words. */
static bool is_invisible(int32_t code)
{
    return utf8_extends(code) && utf8_category(code) == 'C' && utf8_class_of(code) != UTF8_LETTER;
}

struct span word_before(const char *text, size_t bytes, size_t begin, size_t end)
{
    const struct scan s = {.text = text, .bytes = bytes};
    size_t at = end, length;
    int32_t code;
    while (at > begin && end - at < MOST_WORD_BYTES && (code = char_before(text, at, &length)) >= 0 &&
           !parts_words(code) && !scan_behind_escape(&s, at))
        at -= length;
    struct span word = {at, end};
    while (word.begin < word.end && is_invisible(char_at(text, word.end, word.begin, &length)))
        word.begin += length;
    while (word.begin < word.end && is_invisible(char_before(text, word.end, &length)))
        word.end -= length;
    return word;
}

struct span letters_at(const char *text, size_t bytes, size_t at)
{
    size_t end = at, length;
    int32_t code;
    while ((code = char_at(text, bytes, end, &length)) >= 0 && utf8_class_of(code) == UTF8_LETTER)
        end += length;
    return (struct span){at, end};
}

/* May it be part of a character that NFC writes as one? */
static bool may_compose(int32_t code)
{
    return utf8_extends(code) || is_hangul(code);
}

void word_key(struct strbuf *key, const char *text, struct span word)
{
    const char *begin = text + word.begin;
    const size_t bytes = word.end - word.begin;
    struct strbuf normal;
    strbuf_init(&normal);
    if (utf8_has(begin, bytes, may_compose))
        utf8_normalize(&normal, begin, bytes, UTF8_NFC);
    strbuf_reset(key);
    utf8_lower(key, normal.length ? normal.text : begin, normal.length ? normal.length : bytes);
    strbuf_release(&normal);
}

bool word_is_in(const struct strmap *words, const char *text, struct span word)
{
    struct strbuf key;
    strbuf_init(&key);
    word_key(&key, text, word);
    const bool has = strmap_find(words, key.text, key.length) >= 0;
    strbuf_release(&key);
    return has;
}

/* A vowel or a final consonant of a Hangul syllable in NFD. */
static bool is_later_jamo(int32_t code)
{
    return code >= 0x1160 && code <= 0x11ff;
}

/* Signs of scripts without capitals are whole syllables, or words; accents of their own are no letters. */
bool is_tied(const char *word, size_t bytes)
{
    size_t letters = 0;
    for (size_t at = 0, used; at < bytes; at += used) {
        int32_t code;
        used = utf8_decode(word + at, bytes - at, &code);
        if (!is_accent(code) && !is_later_jamo(code))
            letters += utf8_is_caseless(code) ? MOST_TIED : 1;
    }
    return letters <= MOST_TIED;
}

/* A consonant of the Latin, Greek or Cyrillic script; of the latter two, none with an accent. */
static bool is_consonant(int32_t code)
{
    static const int32_t vowels[] = {'a',   'e',   'i',   'o',   'u',   'y',   0x3b1, 0x3b5,
                                     0x3b7, 0x3b9, 0x3bf, 0x3c5, 0x3c9, 0x430, 0x435, 0x438,
                                     0x43e, 0x443, 0x44a, 0x44b, 0x44d, 0x44e, 0x44f};
    const int32_t small = utf8_small(code);
    for (size_t i = 0; i < sizeof vowels / sizeof vowels[0]; i++)
        if (small == vowels[i])
            return false;
    return (small >= 'a' && small <= 'z') || (small >= 0x3b1 && small <= 0x3c9) ||
           (small >= 0x430 && small <= 0x44f);
}

bool looks_abbreviated(const char *word, size_t bytes)
{
    bool small = false;
    size_t letters = 0;
    for (size_t at = 0, used; at < bytes; at += used, letters++) {
        int32_t code;
        used = utf8_decode(word + at, bytes - at, &code);
        if (!used || !is_consonant(code))
            return false;
        small = small || utf8_case_of(code) == UTF8_LOWER;
    }
    return small && letters >= 2 && letters <= 4;
}

bool is_number(const char *word, size_t bytes, size_t most)
{
    size_t digits = 0;
    for (size_t at = 0; at < bytes; digits++) {
        int32_t code;
        const size_t used = utf8_decode(word + at, bytes - at, &code);
        if (!used || utf8_class_of(code) != UTF8_DIGIT)
            return false;
        at += used;
    }
    return digits && digits <= most;
}

bool is_roman(const char *word, size_t bytes)
{
    return bytes > 1 && bytes <= MOST_ROMAN && strspn(word, "IVX") >= bytes;
}

bool is_dotted(const char *word, size_t bytes)
{
    size_t letters = 0, points = 0;
    for (size_t at = 0; at < bytes;) {
        int32_t code;
        const size_t used = utf8_decode(word + at, bytes - at, &code);
        const bool point = used && sign_is_point(code), mark = used && utf8_extends(code);
        const size_t most = code >= 0x900 && code <= 0xdff ? MOST_SPELLED : MOST_DOTTED;
        letters += used && !point && !mark;
        if (!used || (point ? !letters : utf8_class_of(code) != UTF8_LETTER || (!mark && letters > most)))
            return false;
        letters = point ? 0 : letters;
        points += point;
        at += used;
    }
    return points && letters;
}

bool is_thai_abbreviation(const char *text, struct span word)
{
    size_t letters = 0;
    for (size_t at = word.begin, used; at < word.end; at += used, letters++) {
        int32_t code;
        used = utf8_decode(text + at, word.end - at, &code);
        const bool consonant = (code >= 0xe01 && code <= 0xe2e) || (code >= 0xe81 && code <= 0xeae),
                   vowel_before = (code >= 0xe40 && code <= 0xe44) || (code >= 0xec0 && code <= 0xec4);
        if (!consonant && (letters || !vowel_before))
            return false;
    }
    return letters <= MOST_THAI_LETTERS;
}

/* Is it a small letter behind a word, as in "don't", "c'è" and "comprou-a"? */
static bool is_clitic(const char *text, struct span word)
{
    size_t length, more;
    const int32_t sign = char_before(text, word.begin, &length);
    return utf8_case_of(char_at(text, word.end, word.begin, &more)) == UTF8_LOWER &&
           (sign_is_quote(sign) || utf8_punctuation_of(sign) == UTF8_DASH) &&
           utf8_class_of(char_before(text, word.begin - length, &more)) == UTF8_LETTER;
}

/* May a letter stand for a name? Words of one sign are Han, kana, Hangul and most of the other scripts
 * without blanks. */
static bool may_be_initial(int32_t code)
{
    const enum utf8_script script = utf8_script_of(code);
    return script == UTF8_THAI || script == UTF8_LAO || (script == UTF8_SPACED && !is_hangul(code));
}

static bool is_one_of(const char *const *words, const char *text, struct span word)
{
    const size_t bytes = word.end - word.begin;
    while (*words && (strlen(*words) != bytes || memcmp(*words, text + word.begin, bytes) != 0))
        words++;
    return *words != NULL;
}

/* Those of F, H, L, M, N, R, S and X, and some of I, Q, W, Y and Z; others have one letter, as "பி" and "ఎం",
 * or are words, as "એમ", "আর" and "এল". */
bool is_letter_name(const char *text, struct span word)
{
    static const char *const names[] = {
        "एफ",   "एच",  "एल", "एम",  "एन",     "आर", "एस", "एक्स", "এফ", "এইচ", "এম",  "এন", "এস",  "এক্স",
        "ਐਫ",   "ਐਚ",  "ਐਲ", "ਐਮ",  "ਐਨ",     "ਆਰ", "ਐਸ", "એફ",  "એચ", "એલ",  "એન",  "આર", "એસ",  "எஃப்",
        "எப்",   "எச்",  "எல்", "எம்",  "என்",     "ஆர்", "எஸ்", "எக்ஸ்", "ఎఫ్", "హెచ్",  "ఎల్",  "ఎమ్", "ఎన్",  "ఆర్",
        "ఎస్",   "ఎక్స్", "ಎಫ್", "ಎಚ್",  "ಹೆಚ್",     "ಎಲ್", "ಎಮ್", "ಎನ್",  "ಆರ್", "ಎಸ್",  "ಎಕ್ಸ್", "എഫ്", "എച്ച്", "എൽ",
        "എൻ",   "ആർ",  "എസ്", "എക്സ്", "டபிள்யூ", "එෆ්", "එච්", "එල්",  "එම්", "එන්",  "ආර්",  "එස්", "එක්ස්", "ඩබ්ලිව්",
        "ඩබ්ලියු", "අයි",  "වයි", "කිව්",  "ඉසෙඩ්",   "ඇල්", "ඇම්", "ඇන්",  "ඇස්", NULL};
    return is_one_of(names, text, word);
}

bool is_before_numbers(const char *text, struct span word)
{
    static const char *const abbreviations[] = {"रु",  "रू",  "पृ",  "नं", "क्र", "পৃ",  "নং", "ਰੁ",  "ਨੰ",
                                                "રુ",  "રૂ",  "નં",  "ରୁ", "ரூ", "எண்", "రు", "రూ", "నం",
                                                "ರು", "ರೂ", "ನಂ", "രു", "രൂ",  "നം", "රු",  NULL};
    return is_one_of(abbreviations, text, word) && !is_unit(text, word);
}

static bool is_any_quote(int32_t code)
{
    return sign_is_quote(code) || (code >= 0x300c && code <= 0x300f) || code == 0xff62 || code == 0xff63;
}

bool begins_with_quote(const char *text, const struct span *sentence)
{
    size_t length;
    return is_any_quote(char_at(text, sentence->end, sentence->begin, &length));
}

bool ends_with_quote(const char *text, size_t at)
{
    size_t length;
    return is_any_quote(char_before(text, at, &length));
}

enum quoted quoted_before(const char *text, size_t at)
{
    static const int32_t signs[] = {'?',    '!',    0x61f,  0x1367, 0x203c, 0x2047,
                                    0x2048, 0x2049, 0xff01, 0xff1f, 0x3002, 0xff61};
    size_t length, end = at;
    int32_t code = char_before(text, at, &length);
    bool asks = false;
    for (; is_any_quote(code); code = char_before(text, end, &length))
        end -= length;
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        asks |= code == signs[i];
    if (end == at || !sign_is_stop(code))
        return QUOTED_NOTHING;
    return asks ? QUOTED_QUESTION : QUOTED_STATEMENT;
}

bool is_initial(const char *text, struct span word)
{
    size_t length;
    const int32_t code = char_at(text, word.end, word.begin, &length);
    if (is_clitic(text, word))
        return false;
    const struct span letters = letters_at(text, word.end, word.begin);
    size_t marks = word.begin + length, more;
    while (marks < word.end && utf8_extends(char_at(text, word.end, marks, &more)))
        marks += more;
    return length && letters.end == word.end && marks == word.end && may_be_initial(code);
}

bool is_unit(const char *text, struct span word)
{
    size_t length, more;
    size_t at = word.begin;
    int32_t code = char_before(text, at, &length);
    for (; is_invisible(code); code = char_before(text, at, &length))
        at -= length;
    return utf8_is_space(code) && utf8_class_of(char_before(text, at - length, &more)) == UTF8_DIGIT;
}
