/* Lines and columns of a text in UTF-8, or with one byte for each character. */
#ifndef W7_SGF_PLACE_H
#define W7_SGF_PLACE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How many bytes of [p, p + size) are `wanted`: eight at a time, each counted in a byte of its own. */
static inline int64_t w7_sgf_count_bytes(const uint8_t *p, int64_t size, uint8_t wanted)
{
    const uint64_t pattern = 0x0101010101010101u * wanted, low = 0x7F7F7F7F7F7F7F7Fu, even = 0x00FF00FF00FF00FFu;
    int64_t total = 0;
    while (size >= 8) {
        const int64_t words = size / 8 < 255 ? size / 8 : 255;
        uint64_t counts = 0, word;
        for (int64_t k = 0; k < words; k++, p += 8) {
            memcpy(&word, p, sizeof word);
            word ^= pattern;
            counts += ~(((word & low) + low) | word | low) >> 7;
        }
        counts = (counts & even) + (counts >> 8 & even);
        total += (int64_t)(counts * 0x0001000100010001u >> 48);
        size -= 8 * words;
    }
    for (; size > 0; size--)
        total += *p++ == wanted;
    return total;
}

/* Moves *line and *column, both from 1, over [p, end). A line ends with CR, LF, or both in any order. */
static inline void w7_sgf_pass_text(const uint8_t *p, const uint8_t *end, int64_t *line, int64_t *column)
{
    const uint8_t *last = NULL;
    if (memchr(p, '\r', (size_t)(end - p)) == NULL) {
        *line += w7_sgf_count_bytes(p, end - p, '\n');
        for (last = end; last > p && last[-1] != '\n';)
            last--;
        last = last > p ? last : NULL;
    } else {
        const uint8_t *at;
        for (at = p; at < end; at++) {
            if (*at != '\r' && *at != '\n')
                continue;
            if (end - at > 1 && (at[0] ^ at[1]) == ('\r' ^ '\n'))
                at++;
            (*line)++;
            last = at + 1;
        }
    }
    if (last != NULL) {
        *column = 1;
        p = last;
    }
    for (; p < end; p++)
        *column += (*p & 0xC0) != 0x80;
}

#endif
