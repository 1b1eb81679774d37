/* A set of points: rows of 64-bit words, column 0 in the lowest bit of a row's first word. Bits off the board are 0. */
#ifndef W7_BOARD_KERNEL_POINT_ROWS_H
#define W7_BOARD_KERNEL_POINT_ROWS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint64_t *words;
    size_t row_words; /* words of a row */
    int32_t width;
    int32_t height;
} w7_point_words;

static inline size_t w7_points_word_count(const w7_point_words *points)
{
    return points->row_words * (size_t)points->height;
}

static inline uint64_t *w7_points_word(const w7_point_words *points, int32_t x, int32_t y)
{
    return points->words + (size_t)y * points->row_words + (size_t)x / 64;
}

/* The point must be on the board. */
static inline void w7_points_put(w7_point_words *points, int32_t x, int32_t y)
{
    *w7_points_word(points, x, y) |= (uint64_t)1 << x % 64;
}

static inline int w7_points_has(const w7_point_words *points, int64_t x, int64_t y)
{
    return x >= 0 && x < points->width && y >= 0 && y < points->height &&
           (*w7_points_word(points, (int32_t)x, (int32_t)y) >> x % 64 & 1);
}

static inline int64_t w7_points_count(const w7_point_words *points)
{
    const size_t word_count = w7_points_word_count(points);
    int64_t count = 0;
    for (size_t i = 0; i < word_count; i++) {
        uint64_t bits = points->words[i];
        bits -= bits >> 1 & 0x5555555555555555u;
        bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
        bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
        count += (int64_t)(bits * 0x0101010101010101u >> 56);
    }
    return count;
}

/* Whether two sets of the same size have the same points. */
static inline int w7_points_equal(const w7_point_words *a, const w7_point_words *b)
{
    const size_t word_count = w7_points_word_count(a);
    for (size_t i = 0; i < word_count; i++)
        if (a->words[i] != b->words[i])
            return 0;
    return 1;
}

/* The bits that are points in word `index` of a row. */
static inline uint64_t w7_points_columns(const w7_point_words *points, size_t index)
{
    const int last = points->width % 64;
    return index + 1 < points->row_words || last == 0 ? UINT64_MAX : ((uint64_t)1 << last) - 1;
}

/* Writes the points and their neighbours to `wider`, a set of the same size. */
static inline void w7_points_dilate(const w7_point_words *points, w7_point_words *wider)
{
    const size_t row_words = points->row_words;
    for (int32_t y = 0; y < points->height; y++) {
        const uint64_t *row = points->words + (size_t)y * row_words;
        for (size_t i = 0; i < row_words; i++) {
            uint64_t bits = row[i] | row[i] << 1 | row[i] >> 1;
            if (i > 0)
                bits |= row[i - 1] >> 63;
            if (i + 1 < row_words)
                bits |= row[i + 1] << 63;
            if (y > 0)
                bits |= (row - row_words)[i];
            if (y + 1 < points->height)
                bits |= (row + row_words)[i];
            wider->words[(size_t)y * row_words + i] = bits & w7_points_columns(points, i);
        }
    }
}

#endif
