/* Lines and columns of a text in UTF-8, or with one byte for each character. */
#ifndef W7_SGF_PLACE_H
#define W7_SGF_PLACE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How many bytes of [p, p + size) are `wanted`. Counted in bytes first: so compilers make vectors of it. */
static inline int64_t w7_sgf_count_bytes(const uint8_t *p, int64_t size, uint8_t wanted)
{
    int64_t total = 0, k, part;
    for (; size > 0; size -= part, p += part) {
        uint8_t count = 0;
        part = size < 128 ? size : 128;
        for (k = 0; k < part; k++)
            count = (uint8_t)(count + (p[k] == wanted));
        total += count;
    }
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
