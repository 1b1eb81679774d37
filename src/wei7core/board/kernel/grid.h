/* The stones as bit planes by row, independent of the rules.
 *
 * A cell holds one row of up to 26 columns: black in the low 32 bits, white in the high 32, the first column in bit 3.
 * Both bits of a point set mean wall (no point), so that no code has to test for the edge of the board. A wider board
 * is cut into chunks of 26 columns, and each chunk also shows the 3 columns next to it: whatever the point, its 7 x 8
 * window comes from one chunk. Between chunks lie 4 rows of wall, before the first one 3 more.
 *
 * Cells are whole numbers, never seen as bytes: the byte order of the machine does not matter. */
#ifndef W7_BOARD_KERNEL_GRID_H
#define W7_BOARD_KERNEL_GRID_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "board/kernel/bits.h"
#include "board/kernel/window.h"

enum { W7_EMPTY = 0, W7_BLACK = 1, W7_WHITE = 2, W7_WALL = 3 };

#define W7_CHUNK_COLUMNS 26
#define W7_OVERLAP 3
#define W7_ROWS_ABOVE 3
#define W7_ROWS_BELOW 4
#define W7_CHUNK_POINTS 0x1FFFFFF8u /* the columns that a chunk owns */
#define W7_WALL_CELL UINT64_MAX
#define W7_PLANE_COLUMNS 62 /* of the widest board that has planes */
#define W7_PLANE_PLACES 510 /* (width + 1) * height of the largest one */

typedef struct {
    int32_t x;
    int32_t y;
} w7_point;

typedef struct {
    uint64_t *cells;
    size_t stride; /* cells from a row of one chunk to the same row of the next */
    int32_t width;
    int32_t height;
    int32_t chunks;
    uint8_t has_planes; /* planes.h: small enough for runs of moves on planes */
} w7_grid;

static inline int32_t w7_grid_chunk(const w7_grid *grid, int32_t x)
{
    return grid->chunks == 1 ? 0 : x / W7_CHUNK_COLUMNS;
}

/* Index of the cell that holds row y of a chunk. */
static inline size_t w7_grid_cell(const w7_grid *grid, int32_t chunk, int32_t y)
{
    return (size_t)chunk * grid->stride + (size_t)y + W7_ROWS_ABOVE;
}

/* Bit of column x in the cells of a chunk that shows it. */
static inline int w7_grid_bit(int32_t chunk, int32_t x)
{
    return x - chunk * W7_CHUNK_COLUMNS + W7_OVERLAP;
}

/* The point that a bit of a cell represents. */
static inline w7_point w7_grid_point(const w7_grid *grid, size_t cell, int bit)
{
    w7_point point;
    point.x = (int32_t)((cell - W7_ROWS_ABOVE) / grid->stride) * W7_CHUNK_COLUMNS + bit - W7_OVERLAP;
    point.y = (int32_t)((cell - W7_ROWS_ABOVE) % grid->stride);
    return point;
}

static inline size_t w7_grid_cell_count(const w7_grid *grid)
{
    return (size_t)grid->chunks * grid->stride + W7_ROWS_ABOVE;
}

/* 0, 1 or 2; the point must be on the board. */
static inline int w7_grid_get(const w7_grid *grid, int32_t x, int32_t y)
{
    int32_t chunk = w7_grid_chunk(grid, x);
    uint64_t cell = grid->cells[w7_grid_cell(grid, chunk, y)] >> w7_grid_bit(chunk, x);
    return (int)(cell & 1) | (int)(cell >> 31 & 2);
}

/* Adds or removes a stone of the colour on a point, in every chunk that shows it. */
static W7_ALWAYS_INLINE void w7_grid_toggle(w7_grid *grid, int color, int32_t x, int32_t y)
{
    int32_t chunk = w7_grid_chunk(grid, x);
    size_t cell = w7_grid_cell(grid, chunk, y);
    int bit = w7_grid_bit(chunk, x);
    int plane = color == W7_WHITE ? 32 : 0;
    grid->cells[cell] ^= (uint64_t)1 << (bit + plane);
    if (grid->chunks > 1) {
        if (bit < 2 * W7_OVERLAP && chunk > 0)
            grid->cells[cell - grid->stride] ^= (uint64_t)1 << (bit + W7_CHUNK_COLUMNS + plane);
        if (bit >= W7_CHUNK_COLUMNS && chunk < grid->chunks - 1)
            grid->cells[cell + grid->stride] ^= (uint64_t)1 << (bit - W7_CHUNK_COLUMNS + plane);
    }
}

static inline w7_window w7_grid_window(const w7_grid *grid, int32_t x, int32_t y)
{
    int32_t chunk = w7_grid_chunk(grid, x);
    const uint64_t *rows = grid->cells + w7_grid_cell(grid, chunk, y) - W7_ROWS_ABOVE;
    int shift = w7_grid_bit(chunk, x) - W7_OVERLAP;
    uint64_t upper = 0, lower = 0;
    w7_window window;
    /* Both colours of four rows fit one word; the halves are sorted by colour afterwards. */
    for (int row = 0; row < 4; row++) {
        upper |= (rows[row] >> shift & 0x0000007F0000007Fu) << 8 * row;
        lower |= (rows[row + 4] >> shift & 0x0000007F0000007Fu) << 8 * row;
    }
    window.black = (upper & 0xFFFFFFFFu) | lower << 32;
    window.white = upper >> 32 | (lower & 0xFFFFFFFF00000000u);
    return window;
}

/* The columns of the board that a chunk shows, its own and the adjacent ones. */
static inline uint32_t w7_grid_columns(const w7_grid *grid, int32_t chunk)
{
    const int32_t left = grid->width - chunk * W7_CHUNK_COLUMNS + W7_OVERLAP; /* that bit 0 and those above it show */
    return (left < 32 ? ((uint32_t)1 << left) - 1 : UINT32_MAX) & (chunk > 0 ? UINT32_MAX : UINT32_MAX << W7_OVERLAP);
}

/* Copies `count` words, and up to three more. */
static W7_ALWAYS_INLINE void w7_grid_copy_words(uint64_t *to, const uint64_t *from, size_t count)
{
    const uint64_t *end = from + count;
    for (; end - from >= 8; from += 8, to += 8)
        memcpy(to, from, 8 * sizeof *from);
    for (; from < end; from += 4, to += 4)
        memcpy(to, from, 4 * sizeof *from);
}

/* Copies the stones of a grid of the same size to one with its walls. */
static W7_ALWAYS_INLINE void w7_grid_copy_stones(w7_grid *to, const w7_grid *from)
{
    /* From the last row of wall, which has an even place in memory, up to the last row; the rows below it have room. */
    const size_t first = W7_ROWS_ABOVE - 1;
    w7_grid_copy_words(to->cells + first, from->cells + first, w7_grid_cell_count(from) - W7_ROWS_BELOW - first);
}

/* Removes all stones. */
static inline void w7_grid_clear(w7_grid *grid)
{
    size_t count = w7_grid_cell_count(grid);
    for (size_t cell = 0; cell < count; cell++)
        grid->cells[cell] = W7_WALL_CELL;
    for (int32_t chunk = 0; chunk < grid->chunks; chunk++) {
        const uint32_t columns = w7_grid_columns(grid, chunk);
        const uint64_t row = ~((uint64_t)columns << 32 | columns);
        for (int32_t y = 0; y < grid->height; y++)
            grid->cells[w7_grid_cell(grid, chunk, y)] = row;
    }
}

#endif
