/* Precisions: halves against IEEE 754's own values (as Python's struct, format 'e', gives them), and each
 * half there and back. */
#include "check.h"

#include "names.h"
#include "precision.h"

#include <math.h>

static uint16_t half_of(float value)
{
    uint16_t half;
    precision_kinds[PRECISION_FLOAT16].encode(&half, &value, 1);
    return half;
}

static void floats_become_the_nearest_half(void **state)
{
    (void)state;
    static const struct {
        float value;
        uint16_t half;
    } cases[] = {
        {0.0f, 0x0000},
        {-0.0f, 0x8000},
        {1.0f, 0x3c00},
        {-2.0f, 0xc000},
        {0.1f, 0x2e66},
        {3.14159274f, 0x4248},
        {65504.0f, 0x7bff},        /* the largest */
        {65519.99609375f, 0x7bff}, /* just below halfway to 2^16 */
        {-65504.0f, 0xfbff},
        {0x1p-14f, 0x0400},     /* the smallest normal one */
        {0x1.ff8p-15f, 0x03ff}, /* the largest subnormal one */
        {0x1.ffcp-15f, 0x0400}, /* halfway between them: to even */
        {0x1p-24f, 0x0001},     /* the smallest */
        {0x1p-25f, 0x0000},     /* half of it: to even */
        {0x1.8p-25f, 0x0001},
        {0x1.8p-24f, 0x0002}, /* one and a half: to even */
        {-0x1p-149f, 0x8000},
        {1.0f + 0x1p-11f, 0x3c00},     /* halfway: to even, down … */
        {1.0f + 0x3p-11f, 0x3c02},     /* … and up */
        {1.0f + 0x1.002p-11f, 0x3c01}, /* just above halfway */
        {2047.5f, 0x6800},             /* rounded into the next power of two */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (half_of(cases[i].value) != cases[i].half)
            fail_msg("%a becomes %04x, not %04x", (double)cases[i].value, half_of(cases[i].value),
                     cases[i].half);
}

static void what_is_beyond_the_range_is_refused(void **state)
{
    (void)state;
    const float beyond[] = {65520.0f, -65520.0f, 1e30f, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        const float values[] = {1, beyond[i], 2};
        uint16_t halves[3];
        assert_false(precision_kinds[PRECISION_FLOAT16].encode(halves, values, 3));
        assert_false(precision_kinds[PRECISION_FLOAT16].finite(halves, 3));
    }
}

/* Every finite half has the value of its fields, and comes back as itself, at any address. */
static void halves_come_back(void **state)
{
    (void)state;
    const struct precision_kind *kind = &precision_kinds[PRECISION_FLOAT16];
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        unsigned char bytes[3] = {0, (unsigned char)bits, (unsigned char)(bits >> 8)}, back[3] = {0};
        const unsigned exponent = bits >> 10 & 31, mantissa = bits & 1023;
        const double value = exponent ? ldexp(1024 + mantissa, (int)exponent - 25) : ldexp(mantissa, -24);
        float decoded;
        assert_int_equal(kind->finite(bytes + 1, 1), exponent < 31);
        if (exponent == 31)
            continue;
        kind->decode(&decoded, bytes + 1, 1);
        assert_true((double)decoded == (bits & 0x8000 ? -value : value));
        assert_int_equal(signbit(decoded) != 0, bits >> 15);
        assert_true(kind->encode(back + 1, &decoded, 1));
        assert_memory_equal(back, bytes, 3);
    }
}

/* All floats between two neighbouring halves go to the nearer one. */
static void rounding_is_to_the_nearer_neighbour(void **state)
{
    (void)state;
    const struct precision_kind *kind = &precision_kinds[PRECISION_FLOAT16];
    for (uint32_t i = 0; i < 200000; i++) {
        const uint32_t bits = (i * 2654435761u) % 0x477ff000u; /* spread over all positive floats in range */
        float value, nearest, above, below;
        memcpy(&value, &bits, sizeof value);
        const uint16_t half = half_of(value), up = half + 1, down = half - 1;
        kind->decode(&nearest, &half, 1);
        kind->decode(&above, &up, 1);
        assert_true(fabs((double)value - nearest) <= fabs((double)value - above));
        if (half) {
            kind->decode(&below, &down, 1);
            assert_true(fabs((double)value - nearest) <= fabs((double)value - below));
        }
    }
}

static void precisions_have_names(void **state)
{
    const char *names = &(PRECISION_LIST(NAMES_BAR))[1];
    (void)state;
    for (int i = 0; i < PRECISIONS; i++)
        assert_int_equal(names_index(names, precision_kinds[i].name), i);
    assert_int_equal(names_index(names, "float16"), PRECISION_FLOAT16);
    assert_int_equal(names_index(names, "float32"), PRECISION_FLOAT32);
    assert_int_equal(names_index(names, "float"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_become_the_nearest_half),
        cmocka_unit_test(what_is_beyond_the_range_is_refused),
        cmocka_unit_test(halves_come_back),
        cmocka_unit_test(rounding_is_to_the_nearer_neighbour),
        cmocka_unit_test(precisions_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
