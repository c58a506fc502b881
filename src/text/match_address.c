/* Matches addresses: URLs, e-mail, paths of files, and @mentions and #hashtags. */
#include "scan.h"
#include "sentence_signs.h"

#include <string.h>
#include <strings.h>

#define MOST_SCHEME 16
#define MOST_PASSWORD 64
#define MOST_LABEL 256 /* bytes; the limits also keep the time linear */
#define MOST_DOMAIN 1024
#define MOST_SONG 128

/* ---- domains ---- */

static bool in_label(char byte)
{
    return is_alnum(byte) || byte == '-';
}

/* May a letter or digit outside of ASCII be in an address? Hangul begins a particle that follows it. */
static bool is_foreign(int32_t code)
{
    return code >= 0x80 && is_in_word(code) && !is_hangul(code);
}

/* The end of letters of names, and of what `takes` accepts. A particle that touches Latin follows them. */
static size_t name_run(const struct scan *s, size_t at, bool (*takes)(char byte))
{
    size_t end = at;
    for (int32_t code, before = 0; end - at < MOST_LABEL && (code = scan_code(s, end));
         before = code, end = scan_next(s, end))
        if (!(code < 0x80 ? takes((char)code) : is_foreign(code)) ||
            (end > at && utf8_is_particle_between(before, code)))
            break;
    return end;
}

static bool in_foreign_label(char byte)
{
    return in_label(byte) || (byte & 0x80);
}

/* Does a word begin at the place, with a letter outside of ASCII, which may be of an address by what is
 * behind it? */
static bool foreign_name_begins(const struct scan *s, size_t at)
{
    if (!(scan_byte(s, at) & 0x80) || !scan_word_begins(s, at))
        return false;
    const int32_t code = scan_code(s, at);
    if (!is_foreign(code) || utf8_extends(code))
        return false;
    const char behind = scan_byte(s, scan_run(s, at, MOST_LABEL, in_foreign_label));
    return behind && strchr("@._%+", behind);
}

/* The end of a last label: a hyphen in it begins an ending or another word, as in "example.hu-ra". */
static size_t last_label_end(const struct scan *s, size_t at)
{
    if (is_foreign(scan_code(s, at)))
        return name_run(s, at, is_alnum);
    return scan_run(s, at, s->bytes, scan_has(s, at, "xn--") ? in_label : is_alnum);
}

static bool has_foreign(const struct scan *s, size_t begin, size_t end)
{
    while (begin < end && !(s->text[begin] & 0x80))
        begin++;
    return begin < end;
}

/* The end of at least two labels with dots between them; 0 if there are none. *last becomes the start of the
 * last one, which has letters outside of ASCII only behind such a label: others begin a sentence, as in
 * "ivan@mail.ru.Потом". */
static size_t domain_end(const struct scan *s, size_t at, size_t *last)
{
    size_t before = at, label = at, dot;
    *last = at;
    while (label - at < MOST_DOMAIN && (dot = name_run(s, label, in_label)) > label &&
           scan_byte(s, label) != '-') {
        before = *last;
        *last = label;
        if (scan_byte(s, dot) != '.')
            break;
        label = dot + 1;
    }
    if (is_foreign(scan_code(s, *last)) && !has_foreign(s, before, *last))
        *last = before;
    return *last > at ? last_label_end(s, *last) : 0;
}

/* Has the text these small letters at the place, or the same as capitals? "Info" begins a sentence. */
static bool has_letters(const struct scan *s, size_t at, const char *letters)
{
    const size_t bytes = strlen(letters);
    return at + bytes <= s->bytes && !strncasecmp(s->text + at, letters, bytes) &&
           (scan_has(s, at, letters) || (is_upper(s->text[at]) && is_upper(s->text[at + 1])));
}

/* Is this a name such as debian.org, which needs no scheme to be known? */
static bool is_known_domain(const struct scan *s, size_t last, size_t end)
{
    static const char *const known[] = {"com", "org", "net", "edu", "gov", "int", "mil", "info",
                                        "biz", "io",  "dev", "app", "eu",  "de",  "fr",  "uk"};
    bool is = false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        is |= strlen(known[i]) == end - last && has_letters(s, last, known[i]);
    return is;
}

/* ---- URLs ---- */

static bool in_url(int32_t code)
{
    return code < 0x80 ? code > 0x20 && !strchr("\"<>\\^`{|}", (char)code) : is_foreign(code);
}

/* A bracket belongs to the address if its partner does. */
static bool is_open(const struct scan *s, size_t begin, size_t end, char open, char close)
{
    int depth = 0;
    for (size_t i = begin; i < end; i++)
        depth += (s->text[i] == open) - (s->text[i] == close);
    return depth >= 0;
}

/* Leaves off what belongs to the sentence. Brackets are counted at most a few times. */
static size_t without_punctuation(const struct scan *s, size_t begin, size_t end)
{
    for (int brackets = 0; end > begin; end--) {
        const char last = s->text[end - 1];
        if (last == ')' || last == ']') {
            if (brackets++ < 4 && is_open(s, begin, end, last == ')' ? '(' : '[', last))
                break;
        } else if (!strchr(".,;:!?'*_", last)) {
            break;
        }
    }
    return end;
}

static bool in_scheme(char byte)
{
    return is_alnum(byte) || byte == '+';
}

/* The end of "https://" or the like; 0 if there is none. */
static size_t scheme_end(const struct scan *s, size_t at)
{
    const size_t end = scan_run(s, at, MOST_SCHEME, in_scheme);
    if (end > at && is_alpha(scan_byte(s, at)) && scan_has(s, end, "://"))
        return end + 3;
    return scan_has(s, at, "mailto:") ? at + 7 : has_letters(s, at, "www.") ? at + 4 : 0;
}

static bool in_password(char byte)
{
    return byte > ' ' && byte < 0x7f && !strchr("/@]", byte);
}

/* Does a suffix follow the name of a host, as in "https://debian.org'dan" and "https://yle.fi:ssä"? Or else a
 * password, or the name of a port or path. */
static bool is_suffix(const struct scan *s, size_t at)
{
    if (scan_byte(s, at) != ':' || !is_alpha(scan_byte(s, at + 1)))
        return scan_byte(s, at) == '\'';
    const size_t end = scan_run(s, at + 1, MOST_PASSWORD, in_password);
    return end >= s->bytes || !strchr("/@]", s->text[end]);
}

/* Where a hyphen behind the name of a host begins such a suffix, as in "https://index.hu-n"; 0 if none
 * does. */
static size_t hyphen_suffix(const struct scan *s, size_t host)
{
    size_t last;
    const size_t end = domain_end(s, host, &last), all = end ? name_run(s, end, in_label) : 0;
    return all > end && !(scan_byte(s, all) && strchr("/:?#@", s->text[all])) ? end : 0;
}

/* ---- names of scripts without blanks, such as that of "https://ja.wikipedia.org/wiki/日本" ---- */

static bool is_letter(int32_t code)
{
    return utf8_class_of(code) == UTF8_LETTER || utf8_unspaced(code);
}

/* The letter of its line that is nearest in front of a place; 0 if there is none. */
static int32_t letter_before(const struct scan *s, size_t at)
{
    size_t used;
    int32_t code = 0;
    for (size_t place = at; at - place < MOST_LABEL && (code = char_before(s->text, place, &used)) > 0 &&
                            code != '\n' && !is_letter(code);)
        place -= used;
    return is_letter(code) ? code : 0;
}

/* Is the first letter behind the blank that ends an address of such a script? */
static bool goes_on_unspaced(const struct scan *s, size_t at)
{
    const size_t begin = at;
    int32_t code;
    bool blank = false;
    for (;
         at - begin < MOST_DOMAIN && (code = scan_code(s, at)) && code != '\n' && !(blank && is_letter(code));
         at = scan_next(s, at))
        blank = blank || utf8_class_of(code) == UTF8_BLANK;
    return utf8_unspaced(scan_code(s, at));
}

/* May an address at the place have such names? In a text of such a script, the text goes on behind it. */
static bool may_have_unspaced(const struct scan *s, size_t at)
{
    const int32_t before = scan_code_before(s, at);
    if (before && utf8_class_of(before) != UTF8_BLANK && utf8_punctuation_of(before) != UTF8_OPENING)
        return false;
    const int32_t letter = letter_before(s, at);
    return letter ? !utf8_unspaced(letter) : !goes_on_unspaced(s, at);
}

/* The end of such a name at a place of an address's path, or of the next one of that path; 0 if text begins
 * there: with a particle in Hiragana, or it goes on to a sign of East Asian text, or it is Thai or alike in
 * an address that no word is in front of. */
static size_t unspaced_end(const struct scan *s, size_t begin, size_t at)
{
    const int32_t first = scan_code(s, at);
    if (utf8_script_of(first) == UTF8_HIRAGANA || (utf8_unspaced(first) == 1 && !letter_before(s, begin)))
        return 0;
    int32_t code;
    while ((code = scan_code(s, at)) && (utf8_unspaced(code) || (code < 0x80 && is_alnum((char)code))))
        at = scan_next(s, at);
    const bool ends = code < 0x80 || is_hangul(code) || utf8_class_of(code) == UTF8_BLANK ||
                      utf8_punctuation_of(code) == UTF8_CLOSING;
    return ends && !utf8_is_east_asian(code) ? at : 0;
}

/* Where an address that begins at `begin` ends, from `at` on. */
static size_t url_end(const struct scan *s, size_t begin, size_t at, bool host)
{
    const size_t suffix = host ? hyphen_suffix(s, at) : 0;
    size_t path = host ? s->bytes : at; /* where it begins */
    const bool may_have = may_have_unspaced(s, begin);
    bool has = false;
    int open = 0;
    while (at < s->bytes && !(host && (at == suffix || is_suffix(s, at)))) {
        const int32_t code = scan_code(s, at);
        if (may_have && utf8_unspaced(code) && (has || (at > path + 1 && strchr("/=#", s->text[at - 1])))) {
            const size_t end = unspaced_end(s, begin, at);
            if (!end)
                break;
            has = true;
            at = end;
            continue;
        }
        /* "https://x.org/{id}", not "url(https://x.org){color:red}" */
        const size_t variable = code == '{' && s->text[at - 1] != ')' ? match_variable(s, at) : 0;
        if (variable) {
            at = variable;
            continue;
        }
        if (!in_url(code))
            break;
        open += (s->text[at] == '[') - (s->text[at] == ']');
        if (open < 0) /* of what the address is in, as in "[url=https://x.org]text[/url]" */
            break;
        if (host && strchr("/?#", s->text[at])) {
            host = false;
            path = at;
        }
        at = scan_next(s, at);
    }
    return at;
}

/* May an address begin at the place? With a scheme, behind any sign: "page.https://x.org",
 * "_https://x.org_". */
static bool may_begin_url(const struct scan *s, size_t at, size_t scheme)
{
    const char before = scan_byte_before(s, at);
    const bool has_scheme = scheme && s->text[scheme - 1] == '/';
    return (is_alnum(scan_byte(s, at)) || foreign_name_begins(s, at)) && !is_alnum(before) &&
           (has_scheme || !strchr("-.@/_", before));
}

size_t match_url(const struct scan *s, size_t at)
{
    size_t last, begin = scheme_end(s, at), end = begin;
    if (!may_begin_url(s, at, begin))
        return 0;
    if (!begin) {
        end = domain_end(s, at, &last);
        if (!end || !is_known_domain(s, last, end) || scan_byte(s, end) == '@')
            return 0;
        if (scan_byte(s, end) != '/')
            return scan_word_ends(s, end) ? end : 0;
    }
    const size_t least = end;
    end = without_punctuation(s, least, url_end(s, at, end, !scan_has(s, at, "mailto:")));
    return end > least || !begin ? end : 0;
}

/* ---- e-mail ---- */

static bool in_local(char byte)
{
    return is_alnum(byte) || (byte && strchr("._%+-", byte));
}

size_t match_email(const struct scan *s, size_t at)
{
    size_t last;
    if (!(is_alnum(scan_byte(s, at)) ? scan_word_begins(s, at) : foreign_name_begins(s, at)) ||
        in_local(scan_byte_before(s, at)))
        return 0;
    const size_t sign = name_run(s, at, in_local);
    return sign > at && scan_byte(s, sign) == '@' ? domain_end(s, sign + 1, &last) : 0;
}

/* ---- files ---- */

static bool in_path(int32_t code)
{
    return code < 0x80 ? code > 0 && (is_alnum((char)code) || strchr("._+~@%-/", (char)code))
                       : is_in_word(code);
}

static bool in_windows_path(int32_t code)
{
    if (code < 0x80)
        return code > ' ' && !strchr("\"<>|*?:/,;()'`", (char)code);
    return is_in_word(code) || utf8_unspaced(code);
}

/* Does other text follow a Latin letter or a digit without a blank, as in "@tanakaさん"? */
static bool is_left(const struct scan *s, size_t at)
{
    const int32_t before = scan_code_before(s, at);
    return before < 0x80 && is_alnum((char)before) && utf8_is_caseless(scan_code(s, at));
}

/* The dot before a file's ending, as in "main.c"; `end` if there is none. */
static size_t ending_of(const struct scan *s, size_t begin, size_t end)
{
    size_t dot = end;
    while (dot > begin && s->text[dot - 1] != '.' && s->text[dot - 1] != '/')
        dot--;
    const bool is =
        dot > begin && dot < end && s->text[dot - 1] == '.' && end - dot <= 5 && is_lower(s->text[dot]);
    return is ? dot - 1 : end;
}

/* Two slashes, or one after a dot or "~", or one and a file's ending. */
static bool is_path(const struct scan *s, size_t at, size_t end)
{
    size_t slashes = 0;
    for (size_t i = at; i < end; i++) {
        slashes += s->text[i] == '/';
        if (scan_has(s, i, "//"))
            return false;
    }
    if (slashes == 0 || end - at < 3)
        return false;
    return (s->text[at] == '/' && slashes > 1) || scan_has(s, at, "~/") || scan_has(s, at, "./") ||
           scan_has(s, at, "../") || ending_of(s, at, end) < end;
}

/* A particle that touches a Latin name follows the path. */
static size_t path_end(const struct scan *s, size_t at)
{
    size_t end = at;
    for (int32_t code; in_path(code = scan_code(s, end)); end = scan_next(s, end))
        if (end > at && utf8_is_particle_between(scan_code_before(s, end), code))
            break;
    return end;
}

/* Its last name may be left by a text without blanks. */
static size_t windows_path_end(const struct scan *s, size_t at)
{
    size_t end = at, name = at;
    for (; end < s->bytes && in_windows_path(scan_code(s, end)); end = scan_next(s, end))
        if (s->text[end] == '\\')
            name = end + 1;
    while (name < end && !is_left(s, name))
        name = scan_next(s, name);
    return name;
}

size_t match_path(const struct scan *s, size_t at)
{
    const int32_t first = scan_code(s, at), before = scan_code_before(s, at);
    if (!in_path(first) || in_path(before) || !scan_word_begins(s, at) || before == '<' || before == ':')
        return 0;
    if (is_alpha(scan_byte(s, at)) && scan_has(s, at + 1, ":\\"))
        return without_punctuation(s, at + 3, windows_path_end(s, at + 3));
    const size_t end = without_punctuation(s, at, path_end(s, at));
    return is_path(s, at, end) && scan_word_ends(s, end) ? end : 0;
}

/* ---- mentions ---- */

/* The "#" behind a hashtag of Chinese closes it, as in "#话题#", if no other hashtag or word follows. */
static bool is_topic(const struct scan *s, size_t begin, size_t end)
{
    const int32_t next = scan_code(s, end + 1);
    return s->text[begin] == '#' && scan_byte(s, end) == '#' && utf8_unspaced(scan_code_before(s, end)) &&
           next != '#' && next != '_' && !is_in_word(next) && !utf8_unspaced(next);
}

/* Does a "#" behind a later word close the song that one begins, as in "#Come back to me#"? Not "C#", nor one
 * behind another tag. */
static bool is_song(const struct scan *s, size_t at)
{
    bool blank = false;
    for (size_t i = at + 1; i < s->bytes && i - at < MOST_SONG && s->text[i] != '\n'; i++) {
        blank |= s->text[i] == ' ';
        if (!blank || s->text[i] != '#')
            continue;
        const int32_t next = scan_code(s, i + 1);
        if (s->text[i - 1] == ' ' || is_in_word(next) || utf8_unspaced(next))
            return false;
        size_t used;
        const int32_t code = char_before(s->text, i, &used), before = char_before(s->text, i - used, &used);
        if ((is_in_word(code) && is_in_word(before)) || utf8_punctuation_of(code) == UTF8_CLOSING ||
            sign_is_stop(code))
            return true;
    }
    return false;
}

size_t match_mention(const struct scan *s, size_t at)
{
    const char sign = scan_byte(s, at), before = scan_byte_before(s, at);
    if ((sign != '@' && sign != '#') || !scan_word_begins(s, at) || strchr("&/#@._", before) ||
        (sign == '#' && is_song(s, at)))
        return 0;
    size_t end = at + 1, length = 0;
    for (int32_t code; (code = scan_code(s, end)) == '_' || is_in_word(code) || utf8_unspaced(code);
         length++) {
        if (is_left(s, end))
            break;
        end = scan_next(s, end);
    }
    return length == 0 ? 0 : is_topic(s, at, end) ? end + 1 : end;
}
