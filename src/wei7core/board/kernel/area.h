/* The owner of every point when stones count, and empty points that reach only one colour: the score of Tromp and
 * Taylor. */
#ifndef W7_BOARD_KERNEL_AREA_H
#define W7_BOARD_KERNEL_AREA_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "board/kernel/board.h"

enum { W7_AREA_CELLS = 64 }; /* of boards that need no memory but the stack */

/* Points by colour. territory[W7_EMPTY]: empty points that reach both colours or none. */
typedef struct {
    int64_t stones[3];
    int64_t territory[3];
} w7_area;

/* The colours reached by empty points, an element of each array for every cell. */
typedef struct {
    uint32_t *reached[2]; /* empty points that reach black, and white */
    uint32_t *pending;    /* points that will be reached when their cell's turn comes */
    uint32_t *todo;       /* stack of the cells with pending points; each cell once */
} w7_reach;

static inline int64_t w7_count_points(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0Fu;
    return (int64_t)(bits * 0x01010101u >> 24);
}

static inline size_t w7_reach_push(w7_reach *reach, const uint32_t *reached, size_t todo_count, size_t cell,
                                   uint32_t points)
{
    points &= ~reached[cell];
    if (points == 0)
        return todo_count;
    if (reach->pending[cell] == 0)
        reach->todo[todo_count++] = (uint32_t)cell;
    reach->pending[cell] |= points;
    return todo_count;
}

/* Finds the empty points that reach a colour. Each turn of a cell but the first reaches another point, so that the
 * work is linear in the points. */
static inline void w7_reach_color(const w7_grid *grid, w7_reach *reach, int color)
{
    const uint64_t *cells = grid->cells;
    uint32_t *reached = reach->reached[color == W7_WHITE];
    size_t todo_count = 0;
    /* The first row of a chunk is pushed last and popped first: most points are reached on one way down. */
    for (int32_t chunk = grid->chunks - 1; chunk >= 0; chunk--) {
        for (int32_t y = grid->height - 1; y >= 0; y--) {
            const size_t cell = w7_grid_cell(grid, chunk, y);
            const uint32_t stones = w7_cell_stones(cells[cell], color);
            const uint32_t neighbours = stones << 1 | stones >> 1 | w7_cell_stones(cells[cell - 1], color) |
                                        w7_cell_stones(cells[cell + 1], color);
            todo_count = w7_reach_push(reach, reached, todo_count, cell,
                                       neighbours & w7_cell_empty(cells[cell]) & W7_CHUNK_POINTS);
        }
    }
    while (todo_count > 0) {
        const size_t cell = reach->todo[--todo_count];
        const uint32_t empty = w7_cell_empty(cells[cell]);
        const uint32_t points = w7_fill_runs(empty & W7_CHUNK_POINTS, reach->pending[cell]);
        reach->pending[cell] = 0;
        reached[cell] |= points;
        todo_count = w7_reach_push(reach, reached, todo_count, cell - 1, points & w7_cell_empty(cells[cell - 1]));
        todo_count = w7_reach_push(reach, reached, todo_count, cell + 1, points & w7_cell_empty(cells[cell + 1]));
        if (grid->chunks > 1) {
            /* The points next to a chunk's own columns belong to its neighbours. */
            const uint32_t left = points >> 1 & empty & (uint32_t)1 << (W7_OVERLAP - 1);
            const uint32_t right = points << 1 & empty & (uint32_t)1 << (W7_OVERLAP + W7_CHUNK_COLUMNS);
            if (left)
                todo_count = w7_reach_push(reach, reached, todo_count, cell - grid->stride, left << W7_CHUNK_COLUMNS);
            if (right)
                todo_count = w7_reach_push(reach, reached, todo_count, cell + grid->stride, right >> W7_CHUNK_COLUMNS);
        }
    }
}

/* Counts the reached points; writes the owner of each point, a byte a point, row by row, unless `owners` is NULL. */
static inline void w7_area_add(const w7_grid *grid, const w7_reach *reach, w7_area *area, uint8_t *owners)
{
    memset(area, 0, sizeof *area);
    for (int32_t chunk = 0; chunk < grid->chunks; chunk++) {
        const int32_t left = chunk * W7_CHUNK_COLUMNS;
        const int32_t columns = grid->width - left < W7_CHUNK_COLUMNS ? grid->width - left : W7_CHUNK_COLUMNS;
        for (int32_t y = 0; y < grid->height; y++) {
            const size_t cell = w7_grid_cell(grid, chunk, y);
            const uint64_t stones = grid->cells[cell];
            const uint32_t both = reach->reached[0][cell] & reach->reached[1][cell];
            uint32_t black = w7_cell_stones(stones, W7_BLACK) & W7_CHUNK_POINTS;
            uint32_t white = w7_cell_stones(stones, W7_WHITE) & W7_CHUNK_POINTS;
            area->stones[W7_BLACK] += w7_count_points(black);
            area->stones[W7_WHITE] += w7_count_points(white);
            area->territory[W7_BLACK] += w7_count_points(reach->reached[0][cell] & ~both);
            area->territory[W7_WHITE] += w7_count_points(reach->reached[1][cell] & ~both);
            if (owners == NULL)
                continue;
            black = (black | (reach->reached[0][cell] & ~both)) >> W7_OVERLAP;
            white = (white | (reach->reached[1][cell] & ~both)) >> W7_OVERLAP;
            for (int32_t x = 0; x < columns; x++, black >>= 1, white >>= 1)
                owners[(size_t)y * (size_t)grid->width + (size_t)(left + x)] =
                    (uint8_t)((black & 1) | (white & 1) << 1);
        }
    }
    area->territory[W7_EMPTY] = (int64_t)grid->width * grid->height - area->stones[W7_BLACK] - area->stones[W7_WHITE] -
                                area->territory[W7_BLACK] - area->territory[W7_WHITE];
}

/* Counts the area of a position; for `owners` see w7_area_add. */
static inline w7_status w7_grid_area(const w7_grid *grid, w7_area *area, uint8_t *owners)
{
    const size_t count = w7_grid_cell_count(grid);
    uint32_t small[4 * W7_AREA_CELLS];
    uint32_t *memory = small;
    w7_reach reach;
    if (count > W7_AREA_CELLS) {
        memory = count > SIZE_MAX / (4 * sizeof *memory) ? NULL : (uint32_t *)malloc(4 * count * sizeof *memory);
        if (memory == NULL)
            return W7_NO_MEMORY;
    }
    memset(memory, 0, 3 * count * sizeof *memory);
    reach.reached[0] = memory;
    reach.reached[1] = memory + count;
    reach.pending = memory + 2 * count;
    reach.todo = memory + 3 * count;
    w7_reach_color(grid, &reach, W7_BLACK);
    w7_reach_color(grid, &reach, W7_WHITE);
    w7_area_add(grid, &reach, area, owners);
    if (memory != small)
        free(memory);
    return W7_OK;
}

#endif
