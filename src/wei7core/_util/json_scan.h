/* Pieces of JSON, each at the begin of a text that has a byte 0 at its end and is JSON or not; nothing passes that byte. */
#ifndef W7_UTIL_JSON_SCAN_H
#define W7_UTIL_JSON_SCAN_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    double value;
    int64_t whole;
    int is_whole; /* has no fraction and no exponent */
    int is_exact; /* `value` is the nearest double */
    int power;    /* of ten, of a value of at most 18 digits */
} w7_json_number;

enum { W7_JSON_DIGITS = 18, W7_JSON_POWERS = 22 };

static inline const char *w7_json_spaces(const char *at)
{
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')
        at++;
    return at;
}

/* Where a text in quotes ends; NULL for no text, and for one with an escape or with anything but printable ASCII. */
static inline const char *w7_json_text(const char *at)
{
    if (*at++ != '"')
        return NULL;
    while (*at != '"') {
        if (*at < ' ' || *at > '~' || *at == '\\')
            return NULL;
        at++;
    }
    return at + 1;
}

/* Where a word ends; NULL if it is another one. */
static inline const char *w7_json_word(const char *at, const char *word)
{
    while (*word)
        if (*at++ != *word++)
            return NULL;
    return at;
}

/* Where a number ends; NULL for no number, and for one of more digits than are read. */
static inline const char *w7_json_scan_number(const char *at, w7_json_number *number)
{
    static const double POWERS[W7_JSON_POWERS + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    uint64_t digits = 0;
    int negative = *at == '-', count = 0, power = 0, shift = 0, shift_negative;
    const char *begin;
    at += negative;
    begin = at;
    for (; *at >= '0' && *at <= '9' && count < W7_JSON_DIGITS; at++, count++)
        digits = digits * 10 + (uint64_t)(*at - '0');
    if (count == 0 || (*begin == '0' && count > 1))
        return NULL;
    number->is_whole = 1;
    if (*at == '.') {
        number->is_whole = 0;
        begin = ++at;
        for (; *at >= '0' && *at <= '9' && count < W7_JSON_DIGITS; at++, count++, power--)
            digits = digits * 10 + (uint64_t)(*at - '0');
        if (at == begin)
            return NULL;
    }
    if (*at == 'e' || *at == 'E') {
        number->is_whole = 0;
        at++;
        shift_negative = *at == '-';
        at += *at == '-' || *at == '+';
        begin = at;
        for (; *at >= '0' && *at <= '9' && at - begin < 4; at++)
            shift = shift * 10 + (*at - '0');
        if (at == begin)
            return NULL;
        power += shift_negative ? -shift : shift;
    }
    if (*at >= '0' && *at <= '9')
        return NULL;
    number->whole = negative ? -(int64_t)digits : (int64_t)digits;
    /* Both numbers are exact then, and so their product or quotient is rounded once. */
    number->is_exact = FLT_EVAL_METHOD == 0 && digits >> 53 == 0 && power >= -W7_JSON_POWERS && power <= W7_JSON_POWERS;
    number->power = power;
    number->value = (double)digits;
    if (number->is_exact)
        number->value = power < 0 ? number->value / POWERS[-power] : number->value * POWERS[power];
    if (negative)
        number->value = -number->value;
    return at;
}

#endif
