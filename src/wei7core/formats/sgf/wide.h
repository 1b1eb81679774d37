/* Texts in UTF-16 and UTF-32 as UTF-8. No Python. */
#ifndef W7_FORMATS_SGF_WIDE_H
#define W7_FORMATS_SGF_WIDE_H

#include <stdint.h>
#include <string.h>

#include "formats/utf8.h"

/* How a text is written: bytes of a unit and of its byte order mark, and which of a unit is the lowest. */
typedef struct {
    int unit;
    int mark;
    int is_big;
} w7_wide;

/* The encoding by the byte order mark of a text, or by the zeros of two characters of ASCII; `unit` 0: another one. */
static inline w7_wide w7_wide_of(const uint8_t *text, int64_t size)
{
    w7_wide wide = {0, 0, 0};
    unsigned zeros = 0;
    if (size < 4)
        return wide;
    if (memcmp(text, "\xff\xfe\0\0", 4) == 0 || memcmp(text, "\0\0\xfe\xff", 4) == 0)
        wide.mark = 4;
    else if (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)
        wide.mark = 2;
    if (wide.mark != 0) {
        wide.unit = wide.mark;
        wide.is_big = text[wide.unit - 1] == 0xff;
        return wide;
    }
    for (int k = 0; k < 8 && k < size; k++)
        zeros |= (unsigned)(text[k] == 0) << k;
    if (size >= 8 && (zeros == 0xee || zeros == 0x77))
        wide.unit = 4;
    else if ((zeros & 0xf) == 0xa || (zeros & 0xf) == 0x5)
        wide.unit = 2;
    wide.is_big = wide.unit != 0 && text[0] == 0;
    return wide;
}

static inline uint32_t w7_wide_unit(const uint8_t *p, w7_wide wide)
{
    if (wide.unit == 2)
        return wide.is_big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
    return wide.is_big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
                       : (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* Whether 16 units of two bytes are ASCII. */
static inline int w7_wide_is_ascii(const uint8_t *p, int is_big)
{
    static const uint8_t high[2][8] = {{0x80, 0xff, 0x80, 0xff, 0x80, 0xff, 0x80, 0xff},
                                       {0xff, 0x80, 0xff, 0x80, 0xff, 0x80, 0xff, 0x80}};
    uint64_t words[4], mask;
    memcpy(words, p, sizeof words);
    memcpy(&mask, high[is_big], sizeof mask);
    return ((words[0] | words[1] | words[2] | words[3]) & mask) == 0;
}

/* Writes a text after its mark as UTF-8 to `out`, which has room for twice its size. Returns the bytes, or -1 if it is
 * damaged, or nothing in it looks like SGF. */
static inline int64_t w7_wide_to_utf8(const uint8_t *text, int64_t size, w7_wide wide, uint8_t *out)
{
    const uint8_t *p = text + wide.mark, *end = text + size;
    uint8_t *to = out;
    int is_sgf = 0;
    if (size % wide.unit != 0)
        return -1;
    while (p < end) {
        uint32_t c;
        while (is_sgf && wide.unit == 2 && end - p >= 32 && w7_wide_is_ascii(p, wide.is_big)) {
            for (int k = 0; k < 16; k++)
                to[k] = p[2 * k + wide.is_big];
            p += 32;
            to += 16;
        }
        if (p == end)
            break;
        c = w7_wide_unit(p, wide);
        p += wide.unit;
        if (c < 0x80) {
            is_sgf |= c == '(' || c == ';';
            *to++ = (uint8_t)c;
            continue;
        }
        if (c >= 0xd800 && c < 0xe000) {
            const uint32_t low = wide.unit == 2 && c < 0xdc00 && p < end ? w7_wide_unit(p, wide) : 0;
            if (low < 0xdc00 || low >= 0xe000)
                return -1;
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            p += 2;
        }
        if (c >= 0x110000)
            return -1;
        to += w7_utf8_write(to, c);
    }
    return is_sgf ? to - out : -1;
}

#endif
