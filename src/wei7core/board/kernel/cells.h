/* One point a byte, row by row: 0 empty, 1 black, 2 white. */
#ifndef W7_BOARD_KERNEL_CELLS_H
#define W7_BOARD_KERNEL_CELLS_H

#include "board/kernel/board.h"
#include "board/kernel/edit.h"
#include "board/kernel/setup.h"
#include "board/kernel/symmetry.h"

/* Writes width x height bytes, the position under symmetry s (0: unchanged). */
static inline void w7_board_read(const w7_board *board, int symmetry, uint8_t *points)
{
    const int32_t width = board->grid.width, height = board->grid.height;
    const int32_t row_length = symmetry & 4 ? height : width;
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            w7_point point = w7_symmetry_point(symmetry, width, height, x, y);
            points[(size_t)point.y * (size_t)row_length + (size_t)point.x] = (uint8_t)w7_board_get(board, x, y);
        }
    }
}

/* Sets up width x height bytes, each 0, 1 or 2, on an empty board; *bad is the index of an offending byte, or -1. */
static inline w7_status w7_board_write(w7_board *board, const uint8_t *points, int64_t *bad)
{
    const int32_t width = board->grid.width;
    const int64_t point_count = (int64_t)width * board->grid.height;
    int64_t count = 0;
    w7_placement *stones;
    w7_status status;
    *bad = -1;
    for (int64_t i = 0; i < point_count; i++)
        count += points[i] != W7_EMPTY;
    if ((uint64_t)count >= SIZE_MAX / sizeof *stones)
        return W7_NO_MEMORY;
    stones = (w7_placement *)malloc((size_t)(count + 1) * sizeof *stones);
    if (stones == NULL)
        return W7_NO_MEMORY;
    count = 0;
    for (int64_t i = 0; i < point_count; i++) {
        if (points[i] != W7_EMPTY) {
            stones[count].x = (int32_t)(i % width);
            stones[count].y = (int32_t)(i / width);
            stones[count++].color = points[i];
        }
    }
    status = w7_board_setup(board, stones, count, bad);
    if (*bad >= 0)
        *bad = (int64_t)stones[*bad].y * width + stones[*bad].x;
    free(stones);
    return status;
}

/* Places width x height bytes, each 0, 1 or 2, on an empty board without checking liberties. */
static inline void w7_board_write_unchecked(w7_board *board, const uint8_t *points)
{
    for (int32_t y = 0; y < board->grid.height; y++)
        for (int32_t x = 0; x < board->grid.width; x++, points++)
            if (*points != W7_EMPTY)
                w7_board_put(board, *points, x, y);
}

#endif
