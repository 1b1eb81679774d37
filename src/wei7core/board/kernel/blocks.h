/* All blocks of a position at once, with their stones and liberties, in one pass over the board. */
#ifndef W7_BOARD_KERNEL_BLOCKS_H
#define W7_BOARD_KERNEL_BLOCKS_H

#include "board/kernel/partition.h"

/* One part of the position: a block or, of colour W7_EMPTY, a region of empty points, which has no liberties. */
typedef struct {
    uint32_t point_begin; /* first of its points in `points` */
    uint32_t point_count;
    size_t liberty_begin; /* first of its liberties in `liberties` */
    uint32_t liberty_count;
    uint8_t color;
} w7_part;

typedef struct {
    w7_partition partition;
    w7_part *parts;      /* partition.count of them, in reading order of their first points */
    uint32_t *points;    /* places, part by part, in reading order */
    uint32_t *liberties; /* places, part by part, in reading order */
} w7_blocks;

static inline void w7_blocks_free(w7_blocks *blocks)
{
    w7_partition_free(&blocks->partition);
    free(blocks->parts);
    free(blocks->points);
    free(blocks->liberties);
    memset(blocks, 0, sizeof *blocks);
}

/* One pass over all points: counts the points and liberties of each part or, with room, writes them. */
static inline void w7_blocks_pass(w7_blocks *blocks, int counting)
{
    const w7_partition *partition = &blocks->partition;
    for (int32_t y = 0; y < partition->height; y++) {
        const size_t begin = w7_partition_place(partition, 0, y), end = begin + (size_t)partition->width;
        for (size_t place = begin; place < end; place++) {
            w7_part *part = &blocks->parts[partition->parts[place]];
            uint32_t neighbours[4];
            int count;
            if (counting)
                part->color = partition->cells[place];
            else
                blocks->points[part->point_begin + part->point_count] = (uint32_t)place;
            part->point_count++;
            if (part->color != W7_EMPTY)
                continue;
            count = w7_partition_adjacent_parts(partition, place, W7_BLACK | W7_WHITE, neighbours);
            for (int i = 0; i < count; i++) {
                w7_part *block = &blocks->parts[neighbours[i]];
                if (!counting)
                    blocks->liberties[block->liberty_begin + block->liberty_count] = (uint32_t)place;
                block->liberty_count++;
            }
        }
    }
}

/* Finds the blocks of a board; end with w7_blocks_free, unless the status is not W7_OK. */
static inline w7_status w7_board_blocks(w7_blocks *blocks, const w7_board *board)
{
    uint32_t point_count = 0;
    size_t liberty_count = 0;
    w7_status status;
    memset(blocks, 0, sizeof *blocks);
    status = w7_partition_board(&blocks->partition, board, W7_BY_COLOR);
    if (status != W7_OK)
        return status;
    blocks->parts = (w7_part *)calloc(blocks->partition.count, sizeof *blocks->parts);
    if (blocks->parts == NULL) {
        w7_blocks_free(blocks);
        return W7_NO_MEMORY;
    }
    w7_blocks_pass(blocks, 1);
    for (uint32_t i = 0; i < blocks->partition.count; i++) {
        w7_part *part = &blocks->parts[i];
        part->point_begin = point_count;
        part->liberty_begin = liberty_count;
        point_count += part->point_count;
        liberty_count += part->liberty_count;
        part->point_count = part->liberty_count = 0;
    }
    /* A place has more bytes in the partition than here, but it is a liberty of up to four blocks. */
    if (liberty_count < SIZE_MAX / sizeof *blocks->liberties) {
        blocks->points = (uint32_t *)malloc(point_count * sizeof *blocks->points);
        blocks->liberties = (uint32_t *)malloc((liberty_count + 1) * sizeof *blocks->liberties);
    }
    if (blocks->points == NULL || blocks->liberties == NULL) {
        w7_blocks_free(blocks);
        return W7_NO_MEMORY;
    }
    w7_blocks_pass(blocks, 0);
    return W7_OK;
}

#endif
