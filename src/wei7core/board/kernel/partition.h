/* The connected parts of a board, numbered in reading order in one pass over its points. */
#ifndef W7_BOARD_KERNEL_PARTITION_H
#define W7_BOARD_KERNEL_PARTITION_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "board/kernel/board.h"

enum {
    W7_FRAME = 4,    /* in place of a colour: no point */
    W7_BY_COLOR = 7, /* bits compared by w7_partition_number: whole cells */
    W7_BY_BLACK = 5, /* black stones and all else */
    W7_BY_WHITE = 6  /* white stones and all else */
};

/* Points have places: rows one after the other, a place of frame before each, and rows of frame above and below. So
 * every point has four neighbours, and no code has to test for the edge of the board. */
typedef struct {
    uint8_t *cells;  /* the content of each place: a colour, or W7_FRAME */
    uint32_t *parts; /* of each point, the number of its part */
    size_t stride;   /* from a place to the one below */
    size_t place_count;
    int32_t width;
    int32_t height;
    uint32_t count; /* of parts */
} w7_partition;

static inline size_t w7_partition_place(const w7_partition *partition, int32_t x, int32_t y)
{
    return ((size_t)y + 1) * partition->stride + (size_t)x + 1;
}

static inline w7_point w7_partition_point(const w7_partition *partition, size_t place)
{
    w7_point point;
    point.x = (int32_t)(place % partition->stride) - 1;
    point.y = (int32_t)(place / partition->stride) - 1;
    return point;
}

/* Makes room for a board of that size: frame without points. After a failure there is nothing to free. */
static inline w7_status w7_partition_init(w7_partition *partition, int32_t width, int32_t height)
{
    const uint64_t count = ((uint64_t)width + 1) * ((uint64_t)height + 2);
    memset(partition, 0, sizeof *partition);
    if (count >= UINT32_MAX || count > SIZE_MAX / (sizeof *partition->parts + 1))
        return W7_NO_MEMORY;
    partition->parts = (uint32_t *)calloc((size_t)count, sizeof *partition->parts + 1);
    if (partition->parts == NULL)
        return W7_NO_MEMORY;
    partition->cells = (uint8_t *)(partition->parts + count);
    partition->stride = (size_t)width + 1;
    partition->place_count = (size_t)count;
    partition->width = width;
    partition->height = height;
    memset(partition->cells, W7_FRAME, (size_t)count);
    return W7_OK;
}

static inline void w7_partition_free(w7_partition *partition)
{
    free(partition->parts);
    memset(partition, 0, sizeof *partition);
}

/* Reads the stones of a board of that size. */
static inline void w7_partition_read(w7_partition *partition, const w7_grid *grid)
{
    for (int32_t chunk = 0; chunk < grid->chunks; chunk++) {
        const int32_t left = chunk * W7_CHUNK_COLUMNS;
        const int32_t end = grid->width - left < W7_CHUNK_COLUMNS ? grid->width - left : W7_CHUNK_COLUMNS;
        for (int32_t y = 0; y < grid->height; y++) {
            uint64_t cell = grid->cells[w7_grid_cell(grid, chunk, y)] >> W7_OVERLAP;
            uint8_t *row = partition->cells + w7_partition_place(partition, left, y);
            for (int32_t x = 0; x < end; x++, cell >>= 1)
                row[x] = (uint8_t)((cell & 1) | (cell >> 31 & 2));
        }
    }
}

/* While parts are joined, each place names an earlier one of its part, the first one itself. */
static inline uint32_t w7_partition_first(uint32_t *earlier, uint32_t place)
{
    while (earlier[place] != place) {
        earlier[place] = earlier[earlier[place]];
        place = earlier[place];
    }
    return place;
}

static inline void w7_partition_join(uint32_t *earlier, uint32_t a, uint32_t b)
{
    a = w7_partition_first(earlier, a);
    b = w7_partition_first(earlier, b);
    if (a < b)
        earlier[b] = a;
    else
        earlier[a] = b;
}

/* Numbers the parts: adjacent points belong to one part if their cells have the same bits of `compared`. */
static inline void w7_partition_number(w7_partition *partition, int compared)
{
    const uint8_t *cells = partition->cells;
    uint32_t *parts = partition->parts;
    const uint32_t stride = (uint32_t)partition->stride;
    uint32_t count = 0;
    for (int32_t y = 0; y < partition->height; y++) {
        uint32_t place = (uint32_t)w7_partition_place(partition, 0, y);
        const uint32_t end = place + (uint32_t)partition->width;
        for (; place < end; place++) {
            const int above = ((cells[place] ^ cells[place - stride]) & compared) == 0;
            const int before = ((cells[place] ^ cells[place - 1]) & compared) == 0;
            const uint32_t earlier = above ? parts[place - stride] : place;
            parts[place] = before ? parts[place - 1] : earlier;
            /* If the fourth point of the square belongs to the part, the two are already joined. */
            if (above & before && ((cells[place] ^ cells[place - stride - 1]) & compared) != 0)
                w7_partition_join(parts, place - 1, place - stride);
        }
    }
    for (int32_t y = 0; y < partition->height; y++) {
        uint32_t place = (uint32_t)w7_partition_place(partition, 0, y);
        const uint32_t end = place + (uint32_t)partition->width;
        for (; place < end; place++) {
            const uint32_t earlier = parts[place], number = parts[earlier];
            parts[place] = earlier == place ? count : number;
            count += earlier == place;
        }
    }
    partition->count = count;
}

/* Numbers the parts of a board; end with w7_partition_free, unless the status is not W7_OK. */
static inline w7_status w7_partition_board(w7_partition *partition, const w7_board *board, int compared)
{
    const w7_status status = w7_partition_init(partition, board->grid.width, board->grid.height);
    if (status == W7_OK) {
        w7_partition_read(partition, &board->grid);
        w7_partition_number(partition, compared);
    }
    return status;
}

/* The places adjacent to a place. */
static inline void w7_partition_neighbours(const w7_partition *partition, size_t place, size_t neighbours[4])
{
    neighbours[0] = place - partition->stride;
    neighbours[1] = place - 1;
    neighbours[2] = place + 1;
    neighbours[3] = place + partition->stride;
}

/* The numbers of the parts adjacent to a point that are of `colors`, each once: W7_BLACK, W7_WHITE or both together.
 * Returns how many. Without branches, which would be unpredictable. */
static inline int w7_partition_adjacent_parts(const w7_partition *partition, size_t place, int colors,
                                              uint32_t parts[4])
{
    size_t neighbours[4];
    int count = 0;
    w7_partition_neighbours(partition, place, neighbours);
    parts[0] = parts[1] = parts[2] = parts[3] = UINT32_MAX;
    for (int side = 0; side < 4; side++) {
        const uint32_t part = partition->parts[neighbours[side]];
        const int is_new = ((partition->cells[neighbours[side]] & colors) != 0) & (part != parts[0]) &
                           (part != parts[1]) & (part != parts[2]);
        parts[count] = is_new ? part : UINT32_MAX;
        count += is_new;
    }
    return count;
}

#endif
