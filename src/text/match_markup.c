/* Matches what programs and formats put into text: tags, entities, variables of messages, code. */
#include "scan.h"

#include <string.h>

/* Longer ones are text that looks so by chance; the limits also keep the time linear. */
#define MOST_TAG 512
#define MOST_COMMENT 256
#define MOST_ENTITY 32
#define MOST_NAME 64
#define MOST_CODE 200
#define MOST_TEMPLATE 200

static bool in_name(char byte)
{
    return is_alnum(byte) || (byte && strchr("_:.-", byte));
}

/* ---- tags ---- */

static bool in_time(char byte)
{
    return is_digit(byte) || byte == ':' || byte == '.';
}

static bool in_tag(char byte)
{
    return byte != '<' && byte != '>';
}

static size_t comment_end(const struct scan *s, size_t at)
{
    for (size_t i = at + 4; i < s->bytes && i < at + MOST_COMMENT; i++)
        if (scan_has(s, i, "-->"))
            return i + 3;
    return 0;
}

/* Is it a time of WebVTT subtitles, "<00:00:19.000>"? */
static bool is_time(const struct scan *s, size_t name, size_t end)
{
    return scan_run(s, name, MOST_NAME, in_time) == end && memchr(s->text + name, ':', end - name);
}

/* Is it a tag with a number for a name: "</0>", "<0/>", or "<0>" with its end tag? */
static bool is_numbered_tag(const struct scan *s, size_t at, size_t end)
{
    const size_t name = at + 1 + (scan_byte(s, at + 1) == '/'),
                 digits = scan_run(s, name, MOST_NAME, is_digit), bytes = end - at; /* of "0>" */
    if (digits < end)
        return name == at + 1 && scan_has(s, digits + (scan_byte(s, digits) == ' '), "/>");
    bool is = name > at + 1;
    for (size_t i = end + 1; !is && i + 2 + bytes <= s->bytes && i < end + MOST_TAG; i++)
        is = scan_has(s, i, "</") && !memcmp(s->text + i + 2, s->text + name, bytes);
    return is;
}

/* Is it a tag of WebVTT subtitles that says who speaks, "<v Anna>", or in which language? */
static bool is_voice(const struct scan *s, size_t name, size_t attributes)
{
    const bool is = scan_byte(s, name) == 'v' && (attributes == name + 1 || s->text[name + 1] == '.') &&
                    scan_byte(s, attributes) == ' ';
    const int32_t first = scan_code(s, attributes + 1);
    return (is && utf8_class_of(first) == UTF8_LETTER && utf8_case_of(first) != UTF8_LOWER) ||
           scan_has(s, name, "lang ");
}

/* "a <b and c> d" is no tag: what follows the name is attributes with values, or a slash. */
size_t match_markup(const struct scan *s, size_t at)
{
    if (scan_byte(s, at) != '<')
        return 0;
    if (scan_has(s, at, "<!--"))
        return comment_end(s, at);
    const size_t name = at + 1 + (scan_byte(s, at + 1) == '/');
    const size_t attributes = scan_run(s, name, MOST_NAME, in_name);
    const size_t end = scan_run(s, attributes, MOST_TAG, in_tag);
    if (!is_alnum(scan_byte(s, name)) || scan_byte(s, end) != '>')
        return 0;
    if (is_digit(s->text[name]))
        return is_time(s, name, end) || is_numbered_tag(s, at, end) ? end + 1 : 0;
    const bool plain = end == attributes || s->text[end - 1] == '/';
    const bool valued = s->text[attributes] == ' ' && memchr(s->text + attributes, '=', end - attributes);
    return plain || valued || is_voice(s, name, attributes) ? end + 1 : 0;
}

/* ---- entities ---- */

size_t match_entity(const struct scan *s, size_t at)
{
    if (scan_byte(s, at) != '&')
        return 0;
    const bool numeric = scan_byte(s, at + 1) == '#';
    const size_t name = at + 1 + numeric, end = scan_run(s, name, MOST_ENTITY, is_alnum);
    return end > name + !numeric && scan_byte(s, end) == ';' ? end + 1 : 0;
}

/* ---- variables ---- */

static bool is_flag(char byte)
{
    return byte && strchr("-+#0'", byte);
}

static bool is_precision(char byte)
{
    return is_digit(byte) || byte == '.' || byte == '*';
}

static bool is_size(char byte)
{
    return byte && strchr("hlLqjzt", byte);
}

static bool is_in_upper_name(char byte)
{
    return is_upper(byte) || is_digit(byte) || byte == '_';
}

static bool is_in_variable(char byte)
{
    return is_alnum(byte) || byte == '_';
}

/* Inside braces. */
static bool is_braced(char byte)
{
    return byte > ' ' && byte < 0x7f && !strchr("{}()[]<>\"`", byte);
}

/* The same behind a name: "a[0]", "f(x)". */
static bool is_indexed(char byte)
{
    return is_braced(byte) || (byte && strchr("()[]", byte));
}

static bool is_in_style(char byte)
{
    return byte != '{' && byte != '}' && byte != '\n';
}

/* "%s", "%-5.2f", "%1$d", and of times "%Y": the end; 0 if it is none. */
static size_t conversion_end(const struct scan *s, size_t at)
{
    size_t end = at + 1;
    const size_t digits = scan_run(s, end, MOST_NAME, is_digit);
    if (digits > end && scan_byte(s, digits) == '$')
        end = digits + 1;
    end = scan_run(s, end, MOST_NAME, is_flag);
    end = scan_run(s, end, MOST_NAME, is_precision);
    const bool plain = end == at + 1;
    end = scan_run(s, end, 2, is_size);
    const char kind = scan_byte(s, end);
    if (kind == 'a' && digits > at + 1 && end == digits) /* Basque "%20a" */
        return 0;
    const bool of_time = plain && is_parted(kind, scan_code(s, end + 1)); /* not in "%D0%B0" */
    const bool is =
        kind && (strchr("diouxXeEfFgGaAcspn@", kind) || (of_time && strchr("CSmYyHIMBbDTZ", kind)));
    return is ? end + 1 : 0;
}

/* May letters touch the end of a conversion? As they do in "%.1fMB", "%1$ss", "%dKB", "%dh" and "%dx%d"; in
 * "%discount", and "%50den" of Turkish, it is none. */
static bool may_touch_letters(const struct scan *s, size_t at, size_t end)
{
    static const char *const suffixes[] = {"s", "h", "m", "x", "ms", "px", "pt", "th", "kB"};
    const char *begin = s->text + at + 1, kind = s->text[end - 1];
    const size_t bytes = end - at - 2, letters = scan_run(s, end, MOST_NAME, is_alpha) - end;
    if (letters == 0 || memchr(begin, '$', bytes) || (memchr(begin, '*', bytes) && strchr("dsuf", kind)) ||
        (memchr(begin, '.', bytes) && strchr("fFgG", kind)))
        return true;
    if (!strchr("dsuf", kind) || (is_digit(*begin) && *begin != '0'))
        return false;
    bool is = is_upper(s->text[end]);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        is |= letters == strlen(suffixes[i]) && scan_has(s, end, suffixes[i]);
    return is;
}

/* "%%", which stands for a per cent sign. */
static bool is_escaped(const struct scan *s, size_t at)
{
    return scan_has(s, at, "%%") && scan_byte(s, at + 2) != '%' && !(at && s->text[at - 1] == '%');
}

/* The end of a name in brackets that begin at `at`; 0 if there is none. */
static size_t bracketed_end(const struct scan *s, size_t at, char open, char close)
{
    if (scan_byte(s, at) != open)
        return 0;
    const size_t end = scan_run(s, at + 1, MOST_NAME, is_braced);
    return end > at + 1 && scan_byte(s, end) == close ? end + 1 : 0;
}

/* Does a digit behind the sign make a variable, "%1" of Qt? In Turkish and Basque it is a percentage, as the
 * training text shows, if it has some. */
static bool is_numbered(const struct scan *s, size_t at, size_t digits)
{
    const bool fraction = strchr(".,", scan_byte(s, digits)) && is_digit(scan_byte(s, digits + 1));
    return digits == at + 2 && !fraction && scan_word_ends(s, digits) &&
           !(s->seen && (s->seen->but & EXCEPTION_SET(BUT_PERCENTAGES)));
}

/* Does the sign follow a number, also behind a blank if an ending follows, as in Hungarian "10 %-a"? */
static bool is_behind_number(const struct scan *s, size_t at)
{
    size_t blank = 0;
    const bool is_blank = scan_byte(s, at + 1) == '-' && is_alpha(scan_byte(s, at + 2)) &&
                          utf8_is_space(char_before(s->text, at, &blank));
    const size_t digit = is_blank ? at - blank : at;
    return digit && is_digit(s->text[digit - 1]);
}

/* "%s", "%%", "%(name)s", "%{name}", "%1", "%PRODUCTNAME" of LibreOffice. Behind a number it is a per cent
 * sign, and in Turkish before one: "%50", "%7,5". */
static size_t percent_end(const struct scan *s, size_t at)
{
    if (is_escaped(s, at))
        return at + 2;
    if (is_behind_number(s, at))
        return 0;
    const size_t conversion = conversion_end(s, at), digit = scan_run(s, at + 1, 2, is_digit),
                 upper = scan_run(s, at + 1, MOST_NAME, is_in_upper_name),
                 round = bracketed_end(s, at + 1, '(', ')');
    if (round) {
        const size_t kind = scan_run(s, scan_run(s, round, MOST_NAME, is_flag), MOST_NAME, is_precision);
        if (is_alpha(scan_byte(s, kind)))
            return kind + 1;
    }
    if (scan_byte(s, at + 1) == '{')
        return bracketed_end(s, at + 1, '{', '}');
    if (is_upper(scan_byte(s, at + 1)) && upper >= at + 4 && scan_word_ends(s, upper))
        return upper;
    if (conversion && may_touch_letters(s, at, conversion))
        return conversion;
    return is_numbered(s, at, digit) ? digit : 0;
}

/* "{a}", "{a[0]}", "{}", also with a name alone between blanks, "{ $a }": the end; 0 if it is none. */
static size_t braced_end(const struct scan *s, size_t at)
{
    if (scan_byte(s, at) != '{')
        return 0;
    const bool blank = scan_byte(s, at + 1) == ' ';
    const size_t begin = at + 1 + blank, name = begin + (blank && strchr("$-", scan_byte(s, begin)));
    const bool named = is_in_variable(scan_byte(s, name));
    if (blank && !named)
        return 0;
    const size_t end = scan_run(s, name, MOST_NAME, blank ? in_name : named ? is_indexed : is_braced) + blank;
    return scan_byte(s, end) == '}' && (!blank || s->text[end - 1] == ' ') ? end + 1 : 0;
}

/* "$x", "${x}", "$(x)", "$[x]". */
static size_t dollar_end(const struct scan *s, size_t at)
{
    const char *const brackets[] = {"()", "[]"};
    const size_t braces = braced_end(s, at + 1);
    if (braces > at + 3)
        return braces;
    for (size_t i = 0; i < 2; i++) {
        const size_t end = bracketed_end(s, at + 1, brackets[i][0], brackets[i][1]);
        if (end)
            return end;
    }
    const bool name = is_alpha(scan_byte(s, at + 1)) || scan_byte(s, at + 1) == '_';
    return name ? scan_run(s, at + 1, MOST_NAME, is_in_variable) : 0;
}

/* "()", "[ ]" and the like, which hold a place. */
static size_t empty_end(const struct scan *s, size_t at, char close)
{
    const size_t end = at + 1 + (scan_byte(s, at + 1) == ' ');
    return scan_byte(s, end) == close ? end + 1 : 0;
}

static size_t empty_quotes_end(const struct scan *s, size_t at)
{
    static const char *const quotes[] = {"“”", "„“", "«»", "« »"};
    for (size_t i = 0; i < sizeof quotes / sizeof quotes[0]; i++)
        if (scan_has(s, at, quotes[i]))
            return at + strlen(quotes[i]);
    return 0;
}

/* ---- escapes: these functions do not call scan_code_before, which calls them ---- */

#define ESCAPES "nrtNh" /* "\N" and "\h" are a new line and a blank of ASS subtitles */

static int32_t code_before(const struct scan *s, size_t at)
{
    size_t length;
    return char_before(s->text, at, &length);
}

/* Does a path begin before a backslash, as in "C:\nT"? */
static bool is_drive(const struct scan *s, size_t at)
{
    return at >= 2 && s->text[at - 1] == ':' && is_alpha(s->text[at - 2]) &&
           is_parted(code_before(s, at - 2), s->text[at - 2]);
}

static bool is_black(char byte)
{
    return (unsigned char)byte > ' ';
}

static bool is_escape_letter(char byte)
{
    return byte && strchr(ESCAPES, byte);
}

/* Is it a name with a file's ending, "new.txt", maybe in folders, or with a backslash that is no escape? */
static bool is_file(const struct scan *s, size_t at)
{
    const size_t most = at + MOST_NAME;
    size_t sign = scan_run(s, at, MOST_NAME, is_in_variable);
    for (; scan_byte(s, sign) == '\\' && sign < most; sign = scan_run(s, sign + 1, MOST_NAME, is_in_variable))
        if (is_in_variable(scan_byte(s, sign + 1)) && !strchr("abfrntvuxNh0123456789", s->text[sign + 1]))
            return true;
    const size_t letters = scan_run(s, sign + 1, 5, is_lower), end = scan_run(s, letters, 1, is_digit);
    return scan_byte(s, sign) == '.' && letters > sign + 1 && !is_in_word(scan_code(s, end));
}

/* Is "." or ".." before a backslash, as where a path begins? */
static bool is_relative(const struct scan *s, size_t at)
{
    size_t begin = at;
    while (begin > 0 && at - begin < 3 && s->text[begin - 1] == '.')
        begin--;
    return begin < at && at - begin < 3 &&
           (begin == 0 || !is_black(s->text[begin - 1]) || strchr("\"'(`=", s->text[begin - 1]));
}

/* Is it behind a drive, and names with blanks and capitals, if any, as in "C:\Program Files (x86)\nmt"? */
static bool is_behind_drive(const struct scan *s, size_t at)
{
    size_t i = at, name = at;
    if (at > 0 && s->text[at - 1] == ' ')
        return false;
    while (i > 1 && at - i < MOST_NAME && !strchr("\"<>|*?!:;,", s->text[i - 1])) {
        i--;
        if (s->text[i] == ' ' && (is_lower(s->text[i + 1]) || s->text[i - 1] == '.'))
            return false;
        if (name == at && (s->text[i] == ' ' || s->text[i] == '\\'))
            name = i + 1;
    }
    return i > 1 && s->text[i] == '\\' && is_drive(s, i) &&
           (name == at || s->text[name] == '(' || utf8_case_of(scan_code(s, name)) == UTF8_UPPER);
}

/* May a folder's name end there: "src", "~", "%TEMP%"? Not "100%". */
static bool is_behind_name(const struct scan *s, size_t at)
{
    const bool variable = at > 1 && s->text[at - 1] == '%' && is_alpha(s->text[at - 2]);
    return variable || (at > 0 && s->text[at - 1] == '~') || is_in_word(code_before(s, at));
}

/* May a file be in what ends there: a folder, or "{app}"? A new line may be behind a variable. */
static bool is_behind_folder(const struct scan *s, size_t at)
{
    return is_behind_name(s, at) || (at > 0 && s->text[at - 1] == '}' && s->text[at + 1] != 'n');
}

/* Is the backslash of a path, as in "\\server\new"? The first one of its word decides; where one within a
 * word is all of the text, as in "src\new", or a file is behind it, it is no escape either. */
static bool is_of_path(const struct scan *s, size_t at)
{
    const bool of_subtitles =
        s->text[at + 1] == 'N' || (s->text[at + 1] == 'h' && is_upper(scan_byte(s, at + 2)));
    size_t begin = at;
    while (begin > 0 && at - begin < MOST_NAME && is_black(s->text[begin - 1]) &&
           !(of_subtitles && s->text[begin - 1] == '}')) /* of "{\an8}" */
        begin--;
    const size_t first = (size_t)((const char *)memchr(s->text + begin, '\\', at + 1 - begin) - s->text);
    if (!is_escape_letter(scan_byte(s, first + 1)) || is_relative(s, first) || is_behind_drive(s, first))
        return true;
    const bool alone = begin == 0 && scan_run(s, at, MOST_NAME, is_black) == s->bytes;
    return is_file(s, at + 1) ? is_behind_folder(s, first) : alone && is_behind_name(s, first);
}

/* Is it a command of TeX, as "\hline", "$\theta$" and "(\ref{a})", and not "\N" of subtitles? New lines are
 * often between a blank and a small letter, tabs only behind a colon or at the beginning of a string. */
static bool is_command(const struct scan *s, size_t at)
{
    static const char *const of_n[] = {
        "newline",    "newpage",    "newcommand",     "noindent",  "nonumber", "nabla", "neq",
        "notin",      "nocite",     "normalsize",     "nu",        "not",      "notag", "nexists",
        "natural",    "newtheorem", "newenvironment", "nleq",      "ngeq",     "ne",    "ni",
        "normalfont", "nearrow",    "nwarrow",        "nsubseteq", "nmid",     "norm",  "nsim",
        "nparallel",  "nobreak"};
    const size_t name = at + 1, end = scan_run(s, name, MOST_NAME, is_alpha);
    const char before = at > 0 ? s->text[at - 1] : ' ';
    const bool in_formula = strchr("{$^_", before) != NULL;
    bool is = s->text[name] != 'n';
    if (s->text[name] == 'N' || !is_lower(scan_byte(s, name + 1)) ||
        (s->text[name] == 't' && before == ' ' && at > 1 && strchr(":\"'", s->text[at - 2]) &&
         scan_byte(s, end) != '{'))
        return false;
    for (size_t i = 0; i < sizeof of_n / sizeof of_n[0]; i++)
        is |= end - name == strlen(of_n[i]) && scan_has(s, name, of_n[i]);
    if (s->text[name] == 'n' && !in_formula && end == name + 2 && scan_byte(s, end) == ' ' &&
        is_alpha(scan_byte(s, end + 1)))
        return false; /* "…\nu mapi" of Croatian */
    is = is && (!is_black(before) || in_formula || (before == '}' && s->text[name] == 'n'));
    return is || (scan_byte(s, end) == '{' && (in_formula || strchr("~([", before)));
}

/* "\n" and "\t" in strings of programs, also before a word: "…\nThe". */
size_t escape_end(const struct scan *s, size_t at)
{
    const char letter = scan_byte(s, at + 1);
    if (scan_byte(s, at) != '\\' || !is_escape_letter(letter) || is_drive(s, at))
        return 0;
    const int32_t next = scan_code(s, at + 2);
    const bool apart = strchr("nrt", letter) && (is_parted(letter, next) || utf8_case_of(next) == UTF8_UPPER);
    return apart || !(is_of_path(s, at) || is_command(s, at)) ? at + 2 : 0;
}

static bool in_line(char byte)
{
    return byte != '\n';
}

/* "{{name|…}}" of MediaWiki, "{{#if x}}" and "{% if x %}" of templates; the innermost one ends the others. */
static size_t template_end(const struct scan *s, size_t at)
{
    const char *close = scan_has(s, at, "{{") ? "}}" : scan_has(s, at, "{%") ? "%}" : NULL;
    const size_t most = close ? scan_run(s, at, MOST_TEMPLATE, in_line) : 0;
    for (size_t end = at + 2; end < most; end++)
        if (scan_has(s, end, close))
            return end + 2;
    return 0;
}

/* The end of a comma, with blanks around it, behind a name of ICU messages: "{0, "; 0 if there is none. */
static size_t argument_end(const struct scan *s, size_t at)
{
    const size_t begin = at + 1 + (scan_byte(s, at + 1) == ' ');
    const size_t name = scan_run(s, begin, MOST_NAME, is_in_variable),
                 comma = name + (scan_byte(s, name) == ' ');
    return name > begin && scan_byte(s, comma) == ',' ? comma + 1 + (scan_byte(s, comma + 1) == ' ') : 0;
}

/* "{0, date, short}" */
static size_t formatted_end(const struct scan *s, size_t at)
{
    static const char *const types[] = {"number", "date", "time", "duration", "spellout", "ordinal"};
    const size_t type = argument_end(s, at);
    for (size_t i = 0; type && i < sizeof types / sizeof types[0]; i++) {
        const size_t style = type + strlen(types[i]), end = scan_run(s, style, MOST_NAME, is_in_style);
        if (scan_has(s, type, types[i]) && (end == style || scan_byte(s, style) == ',') &&
            scan_byte(s, end) == '}')
            return end + 1;
    }
    return 0;
}

/* Is it the text of a case, as in "{n, select, male {his} other {their}}"? */
static bool is_case(const struct scan *s, size_t at)
{
    int depth = 0;
    for (size_t i = at; i > 0 && at - i < MOST_TEMPLATE;) {
        depth += s->text[--i] == '}';
        if (s->text[i] == '{' && depth-- == 0) {
            const size_t type = argument_end(s, i);
            return type && (scan_has(s, type, "select") || scan_has(s, type, "plural"));
        }
    }
    return false;
}

/* "{\an8}" and "{\pos(190,230)}" of ASS subtitles. A blank is in brackets or the name of a font: in TeX's
 * "{\em text}", text is behind it. */
static size_t override_end(const struct scan *s, size_t at)
{
    const size_t end = scan_run(s, at + 1, MOST_TAG, is_in_style);
    if (scan_byte(s, at + 1) != '\\' || scan_byte(s, end) != '}')
        return 0;
    const char *blank = memchr(s->text + at, ' ', end - at);
    const bool may_have =
        scan_has(s, at + 1, "\\fn") || (blank && memchr(s->text + at, '(', (size_t)(blank - s->text) - at));
    return blank && !may_have ? 0 : end + 1;
}

/* What braces hold that is no text. */
static size_t brace_end(const struct scan *s, size_t at)
{
    if (is_case(s, at))
        return 0;
    const size_t whole = template_end(s, at), braced = whole ? whole : braced_end(s, at),
                 formatted = braced ? braced : formatted_end(s, at);
    return formatted ? formatted : override_end(s, at);
}

size_t match_variable(const struct scan *s, size_t at)
{
    switch (scan_byte(s, at)) {
    case '(':
        return empty_end(s, at, ')');
    case '[':
        return empty_end(s, at, ']');
    case '<':
        return empty_end(s, at, '>');
    case '\\':
        return escape_end(s, at);
    case '%':
        return percent_end(s, at);
    case '$':
        return dollar_end(s, at);
    case '#':
        return bracketed_end(s, at + 1, '{', '}');
    case '{':
        return brace_end(s, at);
    default:
        return empty_quotes_end(s, at);
    }
}

/* ---- code ---- */

static bool in_code(char byte)
{
    return byte != '`';
}

/* May a character stand before or behind code that begins or ends so? A script without capitals touches Latin
 * code, as in "`ls`를"; in Hebrew, the sign may be within a word. */
static bool may_touch(int32_t code, char inner)
{
    return !is_in_word(code) || (utf8_is_caseless(code) && (unsigned char)inner < 0x80);
}

size_t match_code(const struct scan *s, size_t at)
{
    if (scan_byte(s, at) != '`' || (at && s->text[at - 1] == '`') ||
        !may_touch(scan_code_before(s, at), scan_byte(s, at + 1)))
        return 0;
    const size_t end = scan_run(s, at + 1, MOST_CODE, in_code);
    const bool is =
        end > at + 1 && scan_byte(s, end) == '`' && scan_byte(s, at + 1) != ' ' && s->text[end - 1] != ' ';
    return is && may_touch(scan_code(s, end + 1), s->text[end - 1]) ? end + 1 : 0;
}
