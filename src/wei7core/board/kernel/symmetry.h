/* The eight symmetries of a board and the hash that does not depend on them.
 *
 * Symmetry s, 0 .. 7: if s & 4, x and y change places (and with them width and height); then, if
 * s & 1, columns are counted from the other side; then, if s & 2, rows are. */
#ifndef W7_BOARD_KERNEL_SYMMETRY_H
#define W7_BOARD_KERNEL_SYMMETRY_H

#include "board/kernel/board.h"

/* The image of a point under symmetry s of a width x height board. */
static inline w7_point w7_symmetry_point(int symmetry, int32_t width, int32_t height, int32_t x, int32_t y)
{
    int transpose = symmetry & 4;
    int32_t last_x = (transpose ? height : width) - 1;
    int32_t last_y = (transpose ? width : height) - 1;
    w7_point point;
    point.x = transpose ? y : x;
    point.y = transpose ? x : y;
    if (symmetry & 1)
        point.x = last_x - point.x;
    if (symmetry & 2)
        point.y = last_y - point.y;
    return point;
}

/* The symmetries that keep width and height: 8 of a square, 4 of a rectangle. */
static inline int w7_symmetry_count(const w7_grid *grid)
{
    return grid->width == grid->height ? 8 : 4;
}

/* The hash of the stones under each of those symmetries; the first is the hash of the position itself. */
static inline void w7_grid_hashes(const w7_grid *grid, uint64_t hashes[8])
{
    const int32_t width = grid->width, height = grid->height;
    const int symmetries = w7_symmetry_count(grid);
    for (int symmetry = 0; symmetry < symmetries; symmetry++)
        hashes[symmetry] = w7_zobrist_empty(width, height);
    for (int32_t chunk = 0; chunk < grid->chunks; chunk++) {
        for (int32_t y = 0; y < height; y++) {
            uint64_t cell = grid->cells[w7_grid_cell(grid, chunk, y)];
            uint32_t points = ((uint32_t)cell ^ (uint32_t)(cell >> 32)) & W7_CHUNK_POINTS;
            for (; points != 0; points &= points - 1) {
                int bit = w7_lowest_bit(points);
                int color = cell >> bit & 1 ? W7_BLACK : W7_WHITE;
                int32_t x = chunk * W7_CHUNK_COLUMNS + bit - W7_OVERLAP;
                for (int symmetry = 0; symmetry < symmetries; symmetry++) {
                    w7_point point = w7_symmetry_point(symmetry, width, height, x, y);
                    hashes[symmetry] ^= w7_zobrist_stone(color, point.x, point.y);
                }
            }
        }
    }
}

/* The least of the hashes under the symmetries. */
static inline uint64_t w7_canonical_hash(const w7_grid *grid, const uint64_t hashes[8])
{
    uint64_t least = hashes[0];
    for (int symmetry = 1; symmetry < w7_symmetry_count(grid); symmetry++)
        if (hashes[symmetry] < least)
            least = hashes[symmetry];
    return least;
}

static inline uint64_t w7_board_canonical_hash(const w7_board *board)
{
    uint64_t hashes[8];
    w7_grid_hashes(&board->grid, hashes);
    return w7_canonical_hash(&board->grid, hashes);
}

#endif
