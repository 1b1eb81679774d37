/* The values of SGF that the decoder looks into: points, rectangles of points, numbers, colours. */
#ifndef W7_FORMATS_SGF_VALUES_H
#define W7_FORMATS_SGF_VALUES_H

#include "formats/sgf/lexer.h"
#include "formats/utf8.h"

enum { W7_SGF_MAX_SIZE = 52 };

typedef struct {
    int32_t x;
    int32_t y;
} w7_sgf_point;

typedef enum {
    W7_SGF_POINT,     /* a point of the board */
    W7_SGF_OFF_BOARD, /* two letters, but no point of the board */
    W7_SGF_NO_POINT
} w7_sgf_point_kind;

typedef struct {
    int32_t width;
    int32_t height;
} w7_sgf_board;

static inline int w7_sgf_coordinate(uint8_t c)
{
    if (!w7_sgf_is_letter(c))
        return -1;
    return c >= 'a' ? c - 'a' : c - 'A' + 26;
}

/* The bytes of [begin, end) without white space around them. */
static inline void w7_sgf_trim(const uint8_t **begin, const uint8_t **end)
{
    *begin = w7_sgf_pass_spaces(*begin, *end);
    while (*end > *begin && w7_sgf_is_space((*end)[-1]))
        (*end)--;
}

/* A coordinate in capitals instead of small letters, possible on a board that needs no capitals. */
static inline int w7_sgf_folded(uint8_t c, int32_t size, int *upper)
{
    int value = w7_sgf_coordinate(c);
    if (value >= 26 && size <= 26) {
        value -= 26;
        *upper = 1;
    }
    return value;
}

/* Reads the two letters at p; *upper becomes 1 where they are capitals that count as small letters. */
static inline w7_sgf_point_kind w7_sgf_read_point(const w7_sgf_board *board, const uint8_t *p, w7_sgf_point *point,
                                                  int *upper)
{
    int folded = 0;
    point->x = w7_sgf_folded(p[0], board->width, &folded);
    point->y = w7_sgf_folded(p[1], board->height, &folded);
    if (point->x < 0 || point->y < 0)
        return W7_SGF_NO_POINT;
    if (point->x >= board->width || point->y >= board->height)
        return W7_SGF_OFF_BOARD;
    *upper |= folded;
    return W7_SGF_POINT;
}

/* Reads all of [p, end) as people name points, `R16`: without the letter I, rows counted from the bottom. */
static inline int w7_sgf_read_name_of_point(const w7_sgf_board *board, const uint8_t *p, const uint8_t *end,
                                            w7_sgf_point *point)
{
    int32_t x, row = 0;
    if (end - p < 2 || end - p > 3 || !w7_sgf_is_letter(*p) || (*p | 32) == 'i' || p[1] == '0')
        return 0;
    x = (*p | 32) - 'a';
    x -= x > 8;
    while (++p < end && w7_sgf_is_digit(*p))
        row = row * 10 + (*p - '0');
    if (p < end || x >= board->width || row < 1 || row > board->height)
        return 0;
    point->x = x;
    point->y = board->height - row;
    return 1;
}

/* Reads `pd`, or `aa:cc` from any two corners, from all of [p, end). */
static inline w7_sgf_point_kind w7_sgf_read_rectangle(const w7_sgf_board *board, const uint8_t *p, const uint8_t *end,
                                                      w7_sgf_point *least, w7_sgf_point *most, int *upper)
{
    w7_sgf_point_kind kind;
    w7_sgf_point other;
    const uint8_t *colon = memchr(p, ':', (size_t)(end - p));
    const uint8_t *first_end = colon == NULL ? end : colon, *second = colon;
    w7_sgf_trim(&p, &first_end);
    if (first_end - p != 2)
        return W7_SGF_NO_POINT;
    kind = w7_sgf_read_point(board, p, least, upper);
    *most = *least;
    if (colon == NULL || kind != W7_SGF_POINT)
        return kind;
    second++;
    w7_sgf_trim(&second, &end);
    if (end - second != 2)
        return W7_SGF_NO_POINT;
    kind = w7_sgf_read_point(board, second, &other, upper);
    if (kind != W7_SGF_POINT)
        return kind;
    most->x = other.x > least->x ? other.x : least->x;
    most->y = other.y > least->y ? other.y : least->y;
    least->x = other.x < least->x ? other.x : least->x;
    least->y = other.y < least->y ? other.y : least->y;
    return W7_SGF_POINT;
}

/* Whether [p, end) is a number, with a fraction where `real`. */
static inline int w7_sgf_is_number(const uint8_t *p, const uint8_t *end, int real)
{
    int digits = 0;
    if (p < end && (*p == '+' || *p == '-'))
        p++;
    for (; p < end && w7_sgf_is_digit(*p); p++)
        digits = 1;
    if (real && p < end && *p == '.')
        for (p++; p < end && w7_sgf_is_digit(*p); p++)
            digits = 1;
    return digits && p == end;
}

/* Reads the digits at *p as a number of at most `most`, which any larger one becomes. Returns -1 where there are none.
 * */
static inline int32_t w7_sgf_read_digits(const uint8_t **p, const uint8_t *end, int32_t most)
{
    int32_t value = -1;
    for (; *p < end && w7_sgf_is_digit(**p); (*p)++) {
        value = (value < 0 ? 0 : value * 10) + (**p - '0');
        if (value > most)
            value = most;
    }
    return value;
}

/* Reads all of [p, end) as a number from 0 to `most`, which any larger one becomes; -1 where it is none. */
static inline int32_t w7_sgf_read_number(const uint8_t *p, const uint8_t *end, int32_t most)
{
    int32_t value;
    w7_sgf_trim(&p, &end);
    if (p < end && *p == '+')
        p++;
    value = w7_sgf_read_digits(&p, end, most);
    return p == end ? value : -1;
}

/* Reads `19` or `19:13`. Returns W7_SIZE_INTEGER or W7_SIZE_OBJECT, or W7_SIZE_ABSENT where it is no size of SGF. */
static inline int w7_sgf_read_size(const uint8_t *p, const uint8_t *end, int32_t *width, int32_t *height)
{
    const uint8_t *colon = memchr(p, ':', (size_t)(end - p));
    *width = w7_sgf_read_number(p, colon == NULL ? end : colon, W7_SGF_MAX_SIZE + 1);
    *height = colon == NULL ? *width : w7_sgf_read_number(colon + 1, end, W7_SGF_MAX_SIZE + 1);
    if (*width < 1 || *height < 1 || *width > W7_SGF_MAX_SIZE || *height > W7_SGF_MAX_SIZE)
        return W7_SIZE_ABSENT;
    return colon == NULL ? W7_SIZE_INTEGER : W7_SIZE_OBJECT;
}

static inline int w7_sgf_is_word(const uint8_t *p, const uint8_t *end, const char *word)
{
    for (; p < end && *word != 0; p++, word++)
        if ((*p | 32) != (uint8_t)*word)
            return 0;
    return p == end && *word == 0;
}

/* Whether [p, end) is a colour, spelled out in some files. */
static inline int w7_sgf_is_color(const uint8_t *p, const uint8_t *end)
{
    return w7_sgf_is_word(p, end, "b") || w7_sgf_is_word(p, end, "w") || w7_sgf_is_word(p, end, "black") ||
           w7_sgf_is_word(p, end, "white");
}

/* Whether one of the 64 bytes at p is 0x80 or above. */
static inline int w7_sgf_has_high_bytes_in_64(const uint8_t *p)
{
    uint64_t words[8], all = 0;
    memcpy(words, p, sizeof words);
    for (int k = 0; k < 8; k++)
        all |= words[k];
    return (all & UINT64_C(0x8080808080808080)) != 0;
}

/* The first 8 bytes from p on with one of 0x80 or above, or the last bytes before `end`. */
static inline const uint8_t *w7_sgf_pass_ascii(const uint8_t *p, const uint8_t *end)
{
    uint64_t word;
    while (end - p >= 64 && !w7_sgf_has_high_bytes_in_64(p))
        p += 64;
    for (; end - p >= 8; p += 8) {
        memcpy(&word, p, sizeof word);
        if (word & UINT64_C(0x8080808080808080))
            break;
    }
    return p;
}

static inline int w7_sgf_has_high_bytes(const uint8_t *p, const uint8_t *end)
{
    uint8_t all = 0;
    p = w7_sgf_pass_ascii(p, end);
    if (end - p >= 8)
        return 1;
    for (; p < end; p++)
        all |= *p;
    return all >> 7;
}

/* The first byte of [p, end) that is part of no character of UTF-8, or `end`. */
static inline const uint8_t *w7_sgf_pass_utf8(const uint8_t *p, const uint8_t *end)
{
    for (int length = 1; length != 0 && p < end; p += length) {
        if (*p < 0x80) {
            p = w7_sgf_pass_ascii(p + 1, end);
            while (p < end && *p < 0x80)
                p++;
        }
        /* Those of Chinese, Japanese and Korean, apart from the few with a lead byte that bounds the next byte too. */
        while (end - p >= 3 && p[0] > 0xE0 && p[0] < 0xF0 && p[0] != 0xED && ((p[1] ^ 0x80) | (p[2] ^ 0x80)) < 0x40)
            p += 3;
        length = p < end ? w7_utf8_length(p, end) : 0;
    }
    return p;
}

static inline int w7_sgf_is_utf8(const uint8_t *p, const uint8_t *end)
{
    return w7_sgf_pass_utf8(p, end) == end;
}

/* W7_HAS_HIGH_BYTES and W7_NOT_UTF8 as they apply to [p, end). */
static inline uint8_t w7_sgf_flags_of(const uint8_t *p, const uint8_t *end)
{
    if (!w7_sgf_has_high_bytes(p, end))
        return 0;
    return w7_sgf_is_utf8(p, end) ? W7_HAS_HIGH_BYTES : W7_HAS_HIGH_BYTES | W7_NOT_UTF8;
}

#endif
