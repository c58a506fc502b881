/* Matches numbers that most languages write alike: with a unit of measurement, ISO dates and times, versions,
 * telephone numbers and long numbers. Decimal marks, most separators of thousands and other dates differ;
 * these are left to the model, as are units that it translates (bit, s). */
#include "scan.h"

#include <string.h>

#define MOST_SUFFIX 64     /* of a version; the limit also keeps the time linear */
#define MOST_PHONE_GROUP 8 /* digits */
#define SUBSCRIBER 6       /* digits behind codes of country and area: another number may follow so many */
#define MOST_THOUSANDS 10  /* digits of what may be a number although "+" is before it */

/* What may stand between thousands, or between a number and its unit. */
static const char *const blanks[] = {" ", "\xc2\xa0", "\xe2\x80\xaf", "\xe2\x80\x89"};
#define BLANKS (sizeof blanks / sizeof blanks[0])

/* The end of one of these blanks at the place; the place if there is none. */
static size_t blank_end(const struct scan *s, size_t at)
{
    for (size_t i = 0; i < BLANKS; i++)
        if (scan_has(s, at, blanks[i]))
            return at + strlen(blanks[i]);
    return at;
}

/* Are there three digits behind a blank at the place, and no more? */
static bool has_group(const struct scan *s, size_t at)
{
    const size_t digits = blank_end(s, at);
    return digits > at && scan_run(s, digits, 4, is_digit) == digits + 3;
}

/* How many digits there are before the place, with a blank behind them; at most four. */
static size_t digits_before(const struct scan *s, size_t at)
{
    size_t digits = 0;
    for (size_t i = 0; i < BLANKS && !digits; i++) {
        const size_t bytes = strlen(blanks[i]);
        if (at <= bytes || memcmp(s->text + at - bytes, blanks[i], bytes) != 0)
            continue;
        while (digits < 4 && digits < at - bytes && is_digit(s->text[at - bytes - 1 - digits]))
            digits++;
    }
    return digits;
}

/* Is it a group of thousands, as the end of 10 000? */
static bool is_group(const struct scan *s, size_t at)
{
    const size_t before = digits_before(s, at);
    return scan_run(s, at, 4, is_digit) == at + 3 && before >= 1 && before <= 3;
}

/* May the sign stand within a number? Typographic apostrophes and Arabic signs part thousands. */
static bool is_inner_sign(int32_t code)
{
    return (code > 0 && code < 0x80 && strchr(".,:/-'_", (char)code)) || code == 0x2019 || code == 0x66b ||
           code == 0x66c;
}

/* Is this the start of a number, and not of the rest of one? */
static bool number_begins(const struct scan *s, size_t at)
{
    if (!is_digit(scan_byte(s, at)) || !scan_word_begins(s, at))
        return false;
    size_t sign;
    const int32_t before = char_before(s->text, at, &sign);
    return !(at > sign && is_inner_sign(before) && is_digit(s->text[at - sign - 1]));
}

/* Does the number end here, and not go on as 1.5 or 1-2 does? */
static bool number_ends(const struct scan *s, size_t at)
{
    return scan_word_ends(s, at) &&
           !(is_inner_sign(scan_code(s, at)) && is_digit(scan_byte(s, scan_next(s, at))));
}

/* The end of digits of which there are from `least` to `most`; 0 if there are not. */
static size_t digits_end(const struct scan *s, size_t at, size_t least, size_t most)
{
    const size_t end = scan_run(s, at, most + 1, is_digit);
    return end >= at + least && end <= at + most ? end : 0;
}

/* ---- dates ---- */

/* The end of a sign and such digits, behind what ended at `at`; 0 if that is 0, or there are none. */
static size_t field_end(const struct scan *s, size_t at, char sign, size_t least, size_t most)
{
    return at && scan_byte(s, at) == sign ? digits_end(s, at + 1, least, most) : 0;
}

/* "12:30", "12:30:05" */
static size_t time_end(const struct scan *s, size_t at)
{
    const size_t minutes = field_end(s, digits_end(s, at, 1, 2), ':', 2, 2);
    const size_t seconds = field_end(s, minutes, ':', 2, 2);
    return seconds ? seconds : minutes;
}

/* "2024-05-12", "2024-05-12T12:30:05Z" */
static size_t iso_date_end(const struct scan *s, size_t at)
{
    const size_t month = field_end(s, digits_end(s, at, 4, 4), '-', 1, 2);
    const size_t day = field_end(s, month, '-', 1, 2);
    const bool timed = day && (scan_byte(s, day) == 'T' || scan_byte(s, day) == ' ');
    const size_t time = timed ? time_end(s, day + 1) : 0;
    return !time ? day : scan_byte(s, time) == 'Z' ? time + 1 : time;
}

size_t match_date(const struct scan *s, size_t at)
{
    if (!number_begins(s, at))
        return 0;
    const size_t date = iso_date_end(s, at), end = date ? date : time_end(s, at);
    return end && number_ends(s, end) ? end : 0;
}

/* ---- units ---- */

/* Does a word go on behind a letter, as in "2020 l'Italia" and "1990 m-am"? */
static bool is_elided(const struct scan *s, size_t at)
{
    const int32_t sign = scan_code(s, at);
    return (sign == '-' || seen_words_is_apostrophe(sign)) &&
           utf8_class_of(scan_code(s, scan_next(s, at))) == UTF8_LETTER;
}

/* Does a unit go on that not all languages write alike, as in "120 km/t"? */
static bool is_part_of_rate(const struct scan *s, size_t at)
{
    return scan_byte(s, at) == '/' && utf8_class_of(scan_code(s, at + 1)) == UTF8_LETTER;
}

/* The end of a unit of measurement; 0 if there is none. */
static size_t unit_end(const struct scan *s, size_t at)
{
    static const char *const units[] = {
        "mm",  "cm",   "m",    "km",   "nm",   "µm",    "μm",    "m²",  "km²",  "m³",  "cm²", "cm³",
        "mg",  "g",    "kg",   "ml",   "cl",   "dl",    "l",     "L",   "mL",   "ms",  "h",   "Hz",
        "kHz", "MHz",  "GHz",  "W",    "kW",   "MW",    "GW",    "kWh", "Wh",   "V",   "mV",  "kV",
        "A",   "mA",   "mAh",  "Ah",   "Ω",    "kΩ",    "J",     "kJ",  "kcal", "N",   "Pa",  "hPa",
        "kPa", "bar",  "°C",   "°F",   "°",    "B",     "kB",    "KB",  "MB",   "GB",  "TB",  "KiB",
        "MiB", "GiB",  "TiB",  "bps",  "kbps", "Mbps",  "Gbps",  "dB",  "dpi",  "px",  "pt",  "km/h",
        "m/s", "MB/s", "GB/s", "kB/s", "W/m²", "kg/m²", "kg/m³", "g/l", "mg/l", "rpm", "fps", "Mbit/s"};
    size_t best = 0;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t bytes = strlen(units[i]), end = at + bytes;
        if (end > best && scan_has(s, at, units[i]) && scan_word_ends(s, end) && !is_part_of_rate(s, end) &&
            !(bytes == 1 && is_elided(s, end)))
            best = end;
    }
    return best;
}

/* The end of a unit that touches the number before it; "7h" is a time of day. */
static size_t touching_unit_end(const struct scan *s, size_t at)
{
    return scan_has(s, at, "h") ? 0 : unit_end(s, at);
}

bool number_stands_before_unit(const struct scan *s, size_t at)
{
    return s->seen && (s->seen->but & EXCEPTION_SET(BUT_QUANTITIES)) && touching_unit_end(s, at);
}

/* ---- numbers ---- */

/* The digits behind a blank at the place; the place if there are none. */
static size_t next_group(const struct scan *s, size_t at)
{
    const size_t digits = blank_end(s, at);
    return is_digit(scan_byte(s, digits)) ? digits : at;
}

/* The end of a telephone number in groups, as "+34 93 123 45 67" and "0912 345 678"; 0 if there is none.
 * Those with "+" have 7 to 15 digits (ITU-T E.164), and are no thousands; with 0, 9 to 12, and so are no
 * date. */
static size_t phone_end(const struct scan *s, size_t at)
{
    const int32_t before = scan_code_before(s, at);
    const bool plus = scan_byte(s, at) == '+' && before != '+' && !is_in_word(before);
    if (!plus && (scan_byte(s, at) != '0' || !number_begins(s, at) || digits_before(s, at)))
        return 0;
    const size_t least = plus ? 7 : 9, most = plus ? 15 : 12;
    size_t end = 0, digits = 0, groups = 0, group;
    bool thousands = plus;
    for (size_t begin = at + plus;
         (group = digits_end(s, begin, plus && groups < 2 ? 1 : 2, MOST_PHONE_GROUP)) &&
         digits + (group - begin) <= most;
         begin = next_group(s, end), groups++) {
        thousands = thousands && (!groups || group == begin + 3);
        digits += group - begin;
        end = group;
        if (groups > (size_t)plus && group - begin >= SUBSCRIBER && digits >= least &&
            !digits_end(s, next_group(s, end), 2, 2))
            break;
    }
    return digits >= least && !(thousands && digits <= MOST_THOUSANDS) && number_ends(s, end) ? end : 0;
}

/* The same in groups with hyphens, at least two, as "555-123-4567" and "+7-843-292-45-67", or one behind a
 * code of an area, as "03-1234567"; of books, too, but no date, as "12-10-1990". */
static size_t hyphened_end(const struct scan *s, size_t at)
{
    const bool plus = scan_byte(s, at) == '+' && !is_in_word(scan_code_before(s, at));
    size_t end = 0, digits = 0, groups = 0, group;
    bool date = !plus;
    if (!plus && !number_begins(s, at))
        return 0;
    for (size_t begin = at + plus; (group = digits_end(s, begin, 1, MOST_PHONE_GROUP)); begin = end + 1) {
        digits += group - begin;
        date &= groups < 2 ? group - begin <= 2 : groups == 2 && group - begin == 4;
        end = group;
        groups++;
        if (scan_byte(s, end) != '-')
            break;
    }
    const bool enough = groups > 2 ? digits >= 7 : groups == 2 && s->text[at] == '0' && digits >= 9;
    return !date && iso_date_end(s, at) != end && enough && digits <= 15 && number_ends(s, end) ? end : 0;
}

bool number_is_whole(const struct scan *s, size_t begin, size_t end)
{
    return number_begins(s, begin) && scan_run(s, begin, s->bytes, is_digit) == end &&
           (number_ends(s, end) || number_stands_before_unit(s, end)) && !is_group(s, begin) &&
           !(end <= begin + 3 && has_group(s, end));
}

size_t match_number(const struct scan *s, size_t at)
{
    const size_t blanks_end = phone_end(s, at), phone = blanks_end ? blanks_end : hyphened_end(s, at);
    if (phone)
        return phone;
    const size_t end = number_begins(s, at) ? scan_run(s, at, s->bytes, is_digit) : at;
    return end >= at + 3 && number_is_whole(s, at, end) ? end : 0;
}

/* ---- versions ---- */

static bool in_suffix(char byte)
{
    return is_alnum(byte) || byte == '.' || byte == '-' || byte == '+' || byte == '~';
}

/* "2.0.4", "v1.2", "1.2.3-rc1", and IP addresses. */
size_t match_version(const struct scan *s, size_t at)
{
    const bool v = scan_byte(s, at) == 'v' && scan_word_begins(s, at);
    if (!v && !number_begins(s, at))
        return 0;
    size_t end = scan_run(s, at + v, s->bytes, is_digit), parts = end > at + v;
    while (parts && scan_byte(s, end) == '.' && is_digit(scan_byte(s, end + 1))) {
        end = scan_run(s, end + 1, s->bytes, is_digit);
        parts++;
    }
    if (parts < (v ? 2u : 3u))
        return 0;
    if (scan_byte(s, end) && strchr("-+~", scan_byte(s, end)) && is_alnum(scan_byte(s, end + 1))) {
        end = scan_run(s, end, MOST_SUFFIX, in_suffix);
        if (in_suffix(scan_byte(s, end)))
            return 0;
    }
    while (s->text[end - 1] == '.')
        end--;
    return number_ends(s, end) ? end : 0;
}

/* ---- quantities ---- */

/* "5 kg", "3GHz", "-20 °C" without its sign. Two blanks are typed for one; more part columns. */
size_t match_quantity(const struct scan *s, size_t at)
{
    if (!number_begins(s, at) || is_group(s, at))
        return 0;
    const size_t end = scan_run(s, at, s->bytes, is_digit), blank = blank_end(s, end);
    return blank > end ? unit_end(s, blank_end(s, blank)) : touching_unit_end(s, end);
}
