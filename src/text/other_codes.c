/* The tables of other codes. Of several rows for a code, the first one counts whose other code was seen. */
#include "other_codes.h"

#include "utf8.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Letters: Romanian ones with a cedilla or a comma, Arabic ones of several keyboards, Cyrillic, Azerbaijani
 * and Kabyle ones of other scripts, and a Korean one that is typed for a sign. */
static const int32_t other_letters[][2] = {
    {0x15e, 0x218}, {0x15f, 0x219}, {0x162, 0x21a}, {0x163, 0x21b}, {0x64a, 0x6cc}, {0x643, 0x6a9},
    {0x6c1, 0x647}, {0x6be, 0x647}, {0x102, 0x4d0}, {0x103, 0x4d1}, {0x114, 0x4d6}, {0x115, 0x4d7},
    {0xc7, 0x4aa},  {0xe7, 0x4ab},  {0x178, 0x4f2}, {0xff, 0x4f3},  {0xc6, 0x4d4},  {0xe6, 0x4d5},
    {0x18f, 0x4d8}, {0x259, 0x4d9}, {0x18e, 0x18f}, {0x1dd, 0x259}, {0x393, 0x194}, {0x3b3, 0x263},
    {0x395, 0x190}, {0x3b5, 0x25b}, {0x318d, 0xb7}};

/* Signs: hyphens, dashes, and those of ASCII for the signs of a script or of full width, or in Greek and
 * Armenian "?". */
static const int32_t other_signs[][2] = {
    {0x2010, '-'},  {0x2011, '-'}, {0x5be, '-'},     {0x2013, 0x2014}, {0x2013, 0x2015}, {0x2014, 0x2015},
    {0x5f3, '\''},  {0x5f4, '"'},  {0x60c, ','},     {0x61b, ';'},     {0x61f, '?'},     {0x6d4, '.'},
    {0x589, '.'},   {0x589, ':'},  {0x964, '.'},     {0x964, '|'},     {0xff01, '!'},    {0xff05, '%'},
    {0xff08, '('},  {0xff09, ')'}, {0xff0c, ','},    {0xff0c, 0x3001}, {0x3001, ','},    {0xff1a, ':'},
    {0xff1b, ';'},  {0xff1f, '?'}, {0x3002, 0xff0e}, {0x3002, '.'},    {0xff0e, '.'},    {0xff5e, 0x301c},
    {0xff5e, '~'},  {0x301c, '~'}, {0x30fb, 0xb7},   {0xff61, 0x3002}, {0xff64, 0x3001}, {0xff65, 0x30fb},
    {0xb7, 0x318d}, {'?', ';'},    {0x589, '?'}};

static int32_t find_other(const struct seen_words *seen, const int32_t (*codes)[2], size_t count,
                          int32_t code)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            if (code == codes[i][k] && (!seen || seen_words_has(seen, codes[i][!k])))
                return codes[i][!k];
    return 0;
}

/* Most characters are letters, which are not looked for among the signs. */
int32_t other_code_of(const struct seen_words *seen, int32_t code)
{
    return utf8_category(code) == 'L' ? find_other(seen, other_letters, COUNT(other_letters), code)
                                      : find_other(seen, other_signs, COUNT(other_signs), code);
}
