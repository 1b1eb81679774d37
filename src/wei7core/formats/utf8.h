/* Characters of UTF-8: their lengths and code points, and how they are written. */
#ifndef W7_FORMATS_UTF8_H
#define W7_FORMATS_UTF8_H

#include <stdint.h>

/* The length of the character at p, before `end`; 0 where it is none (overlong forms, surrogates and numbers above
 * U+10FFFF included). */
static inline int w7_utf8_length(const uint8_t *p, const uint8_t *end)
{
    uint8_t lead = *p;
    int length, k;
    if (lead < 0x80)
        return 1;
    length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (length == 0 || end - p < length)
        return 0;
    for (k = 1; k < length; k++)
        if ((p[k] & 0xC0) != 0x80)
            return 0;
    if ((lead == 0xE0 && p[1] < 0xA0) || (lead == 0xED && p[1] > 0x9F) || (lead == 0xF0 && p[1] < 0x90) ||
        (lead == 0xF4 && p[1] > 0x8F))
        return 0;
    return length;
}

/* The code point of a character of that length. */
static inline uint32_t w7_utf8_value(const uint8_t *p, int length)
{
    switch (length) {
    case 1: return p[0];
    case 2: return (uint32_t)(p[0] & 0x1F) << 6 | (p[1] & 0x3F);
    case 3: return (uint32_t)(p[0] & 0x0F) << 12 | (uint32_t)(p[1] & 0x3F) << 6 | (p[2] & 0x3F);
    default:
        return (uint32_t)(p[0] & 0x07) << 18 | (uint32_t)(p[1] & 0x3F) << 12 | (uint32_t)(p[2] & 0x3F) << 6 |
               (p[3] & 0x3F);
    }
}

/* Writes a code point; the caller has 4 bytes of room. Returns its length. */
static inline int w7_utf8_write(uint8_t *out, uint32_t c)
{
    if (c < 0x80) {
        out[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (uint8_t)(0xC0 | c >> 6);
        out[1] = (uint8_t)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (uint8_t)(0xE0 | c >> 12);
        out[1] = (uint8_t)(0x80 | (c >> 6 & 0x3F));
        out[2] = (uint8_t)(0x80 | (c & 0x3F));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | c >> 18);
    out[1] = (uint8_t)(0x80 | (c >> 12 & 0x3F));
    out[2] = (uint8_t)(0x80 | (c >> 6 & 0x3F));
    out[3] = (uint8_t)(0x80 | (c & 0x3F));
    return 4;
}

#endif
