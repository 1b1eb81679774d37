/* Flood fill of one block over the whole board, one run of stones at a time, without recursion. */
#ifndef W7_BOARD_KERNEL_FLOOD_H
#define W7_BOARD_KERNEL_FLOOD_H

#include <stdint.h>
#include <string.h>

#include "board/kernel/bits.h"
#include "board/kernel/grid.h"

/* Memory for one flood, an element of each array for every cell. All marks and pending bits are 0 between floods. */
typedef struct {
    uint32_t *marks;   /* points that were reached */
    uint32_t *pending; /* points that will be reached when their cell's turn comes */
    uint32_t *todo;    /* stack of the cells with pending points; each cell once */
    uint32_t *marked;  /* the cells with marks, each once */
    size_t marked_count;
    uint64_t effort; /* cells visited by all floods of the game, and the additional effort */
} w7_flood;

static inline uint32_t w7_cell_stones(uint64_t cell, int color)
{
    uint32_t black = (uint32_t)cell, white = (uint32_t)(cell >> 32);
    return color == W7_BLACK ? black & ~white : white & ~black;
}

static inline uint32_t w7_cell_empty(uint64_t cell)
{
    return ~((uint32_t)cell | (uint32_t)(cell >> 32));
}

static inline void w7_flood_clear(w7_flood *flood)
{
    for (size_t i = 0; i < flood->marked_count; i++)
        flood->marks[flood->marked[i]] = 0;
    flood->marked_count = 0;
}

static inline size_t w7_flood_push(w7_flood *flood, size_t todo_count, size_t cell, uint32_t points)
{
    points &= ~flood->marks[cell];
    if (points == 0)
        return todo_count;
    if (flood->pending[cell] == 0)
        flood->todo[todo_count++] = (uint32_t)cell;
    flood->pending[cell] |= points;
    return todo_count;
}

/* Marks the block of the stone at (x, y) and returns whether it has a liberty. With `stop` it stops at the first
 * liberty, the block partly marked. Marks stay until w7_flood_clear; blocks that are already marked are skipped. */
static inline int w7_flood_block(const w7_grid *grid, w7_flood *flood, int color, int32_t x, int32_t y, int stop)
{
    const uint64_t *cells = grid->cells;
    int32_t chunk = w7_grid_chunk(grid, x);
    size_t todo_count = 0;
    int has_liberty = 0;
    todo_count = w7_flood_push(flood, todo_count, w7_grid_cell(grid, chunk, y), (uint32_t)1 << w7_grid_bit(chunk, x));
    while (todo_count > 0) {
        size_t cell = flood->todo[--todo_count];
        uint32_t stones = w7_cell_stones(cells[cell], color);
        uint32_t points = w7_fill_runs(stones & W7_CHUNK_POINTS, flood->pending[cell]);
        uint32_t empty_neighbours = w7_cell_empty(cells[cell]) & (points << 1 | points >> 1);
        uint32_t empty_above = w7_cell_empty(cells[cell - 1]) & points;
        uint32_t empty_below = w7_cell_empty(cells[cell + 1]) & points;
        flood->pending[cell] = 0;
        flood->effort++;
        if (flood->marks[cell] == 0)
            flood->marked[flood->marked_count++] = (uint32_t)cell;
        flood->marks[cell] |= points;
        if (empty_neighbours | empty_above | empty_below) {
            has_liberty = 1;
            if (stop)
                break;
        }
        todo_count = w7_flood_push(flood, todo_count, cell - 1, points & w7_cell_stones(cells[cell - 1], color));
        todo_count = w7_flood_push(flood, todo_count, cell + 1, points & w7_cell_stones(cells[cell + 1], color));
        if (grid->chunks > 1) {
            /* The stones next to a chunk's own columns belong to its neighbours. */
            uint32_t left = points >> 1 & stones & (uint32_t)1 << (W7_OVERLAP - 1);
            uint32_t right = points << 1 & stones & (uint32_t)1 << (W7_OVERLAP + W7_CHUNK_COLUMNS);
            if (left)
                todo_count = w7_flood_push(flood, todo_count, cell - grid->stride, left << W7_CHUNK_COLUMNS);
            if (right)
                todo_count = w7_flood_push(flood, todo_count, cell + grid->stride, right >> W7_CHUNK_COLUMNS);
        }
    }
    while (todo_count > 0)
        flood->pending[flood->todo[--todo_count]] = 0;
    return has_liberty;
}

#endif
