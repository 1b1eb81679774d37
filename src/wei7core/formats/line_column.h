/* Lines and columns of a text in UTF-8, or with one byte for each character. */
#ifndef W7_FORMATS_LINE_COLUMN_H
#define W7_FORMATS_LINE_COLUMN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { W7_EIGHT_BYTES = 8 };

#define W7_EACH_BYTE 0x0101010101010101u

/* Loads eight bytes. */
static inline uint64_t w7_eight_bytes(const uint8_t *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return word;
}

/* The highest bit of each byte that is `wanted`. */
static inline uint64_t w7_bytes_that_are(uint64_t word, uint8_t wanted)
{
    const uint64_t low = 0x7F * W7_EACH_BYTE, other = word ^ wanted * W7_EACH_BYTE;
    return ~(((other & low) + low) | other | low);
}

/* The highest bit of each byte that continues a character of UTF-8. */
static inline uint64_t w7_bytes_that_continue(uint64_t word)
{
    return word & ~(word << 1) & 0x80 * W7_EACH_BYTE;
}

/* How many bytes of [p, p + size) are `wanted`, or where `wanted` is 0 continue a character: eight at a time, each
 * counted in a byte of its own. */
static inline int64_t w7_count_bytes(const uint8_t *p, int64_t size, uint8_t wanted)
{
    const uint64_t even = 0x00FF00FF00FF00FFu;
    int64_t total = 0;
    while (size >= W7_EIGHT_BYTES) {
        const int64_t words = size / W7_EIGHT_BYTES < 255 ? size / W7_EIGHT_BYTES : 255;
        uint64_t counts = 0;
        for (int64_t k = 0; k < words; k++, p += W7_EIGHT_BYTES) {
            const uint64_t word = w7_eight_bytes(p);
            counts += (wanted != 0 ? w7_bytes_that_are(word, wanted) : w7_bytes_that_continue(word)) >> 7;
        }
        counts = (counts & even) + (counts >> 8 & even);
        total += (int64_t)(counts * 0x0001000100010001u >> 48);
        size -= W7_EIGHT_BYTES * words;
    }
    for (; size > 0; size--, p++)
        total += wanted != 0 ? *p == wanted : (*p & 0xC0) == 0x80;
    return total;
}

/* The byte after the last '\n' of [p, end), which has one. */
static inline const uint8_t *w7_after_last_line(const uint8_t *p, const uint8_t *end)
{
    while (end - p >= W7_EIGHT_BYTES && w7_bytes_that_are(w7_eight_bytes(end - W7_EIGHT_BYTES), '\n') == 0)
        end -= W7_EIGHT_BYTES;
    while (end[-1] != '\n')
        end--;
    return end;
}

/* Moves *line and *column, both from 1, over [p, end). A line ends with LF. */
static inline void w7_pass_lines(const uint8_t *p, const uint8_t *end, int64_t *line, int64_t *column)
{
    if (memchr(p, '\n', (size_t)(end - p)) != NULL) {
        const uint8_t *last = w7_after_last_line(p, end);
        *line += w7_count_bytes(p, last - p, '\n');
        *column = 1;
        p = last;
    }
    *column += end - p - w7_count_bytes(p, end - p, 0);
}

/* The same where a line ends with CR, LF, or both in any order. */
static inline void w7_pass_text(const uint8_t *p, const uint8_t *end, int64_t *line, int64_t *column)
{
    if (memchr(p, '\r', (size_t)(end - p)) != NULL) {
        for (const uint8_t *at = p; at < end; at++) {
            if (*at != '\r' && *at != '\n')
                continue;
            if (end - at > 1 && (at[0] ^ at[1]) == ('\r' ^ '\n'))
                at++;
            (*line)++;
            *column = 1;
            p = at + 1;
        }
    }
    w7_pass_lines(p, end, line, column);
}

#endif
