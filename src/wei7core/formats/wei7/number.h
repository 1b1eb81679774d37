/* Exact tests on JSON numbers of any length: the constraints are on the decimal value,
 * not on its spelling (1.0, 1e0 and 10E-1 are the integer 1). */
#ifndef W7_FORMATS_WEI7_NUMBER_H
#define W7_FORMATS_WEI7_NUMBER_H

#include <stdint.h>

/* 0.d1d2d3... x 10^point, d1 and the last digit not zero. */
typedef struct {
    uint64_t head;  /* the first 19 significant digits, fewer where the number has fewer */
    int64_t digits; /* significant digits in all */
    int64_t point;
    uint8_t last_digit; /* 0 only for zero itself */
    uint8_t negative;   /* never for zero */
} w7_decimal;

enum { W7_HEAD_DIGITS = 19 };

static const int64_t W7_EXPONENT_LIMIT = (int64_t)1 << 50;

/* Reads the number in [p, end), which must follow the JSON grammar. */
static inline w7_decimal w7_decimal_read(const uint8_t *p, const uint8_t *end)
{
    w7_decimal value = {0, 0, 0, 0, 0};
    int64_t exponent = 0, zeros = 0;
    int negative = 0, fraction = 0, exponent_negative = 0;
    if (p < end && *p == '-') {
        negative = 1;
        p++;
    }
    for (; p < end && (*p | 32) != 'e'; p++) {
        uint8_t digit;
        if (*p == '.') {
            fraction = 1;
            continue;
        }
        digit = (uint8_t)(*p - '0');
        if (digit == 0 && value.digits == 0) {
            value.point -= fraction;
            continue;
        }
        value.point += !fraction;
        zeros++;
        if (digit == 0)
            continue;
        /* The skipped zeros turn out to be between digits. */
        for (; zeros > 0; zeros--) {
            uint8_t next = zeros == 1 ? digit : 0;
            if (value.digits < W7_HEAD_DIGITS)
                value.head = value.head * 10 + next;
            value.digits++;
        }
        value.last_digit = digit;
    }
    if (p < end) {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            exponent_negative = *p++ == '-';
        for (; p < end; p++)
            if (exponent < W7_EXPONENT_LIMIT)
                exponent = exponent * 10 + (*p - '0');
    }
    if (value.digits == 0)
        value.point = 0;
    else
        value.point += exponent_negative ? -exponent : exponent;
    value.negative = (uint8_t)(negative && value.digits != 0);
    return value;
}

static inline int w7_decimal_is_integer(const w7_decimal *value)
{
    return value->digits <= value->point || value->digits == 0;
}

static inline int w7_decimal_is_half_integer(const w7_decimal *value)
{
    return w7_decimal_is_integer(value) || (value->digits == value->point + 1 && value->last_digit == 5);
}

/* The integer part of the absolute value, or INT64_MAX where it has more than 18 digits. */
static inline int64_t w7_decimal_floor(const w7_decimal *value)
{
    uint64_t head = value->head;
    int64_t digits = value->digits < W7_HEAD_DIGITS ? value->digits : W7_HEAD_DIGITS;
    if (value->point <= 0 || value->digits == 0)
        return 0;
    if (value->point > 18)
        return INT64_MAX;
    for (; digits > value->point; digits--)
        head /= 10;
    for (; digits < value->point; digits++)
        head *= 10;
    return (int64_t)head;
}

/* The nearest double or one next to it: good for ordering times, not for printing them. */
static inline double w7_decimal_double(const w7_decimal *value)
{
    static const double TENS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int64_t digits = value->digits < W7_HEAD_DIGITS ? value->digits : W7_HEAD_DIGITS;
    int64_t scale = value->point - digits;
    double result = (double)value->head;
    if (scale < -400)
        return 0.0;
    for (; scale < 0; scale += scale < -22 ? 22 : -scale)
        result /= TENS[scale < -22 ? 22 : -scale];
    for (; scale > 0 && scale < 400; scale -= scale > 22 ? 22 : scale)
        result *= TENS[scale > 22 ? 22 : scale];
    return value->negative ? -result : result;
}

#endif
