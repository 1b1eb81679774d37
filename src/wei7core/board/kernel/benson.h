/* Unconditional life: D. B. Benson, Life in the game of Go, Information Sciences 10 (1976).
 *
 * The blocks of a color divide the rest of the board, empty points and opponent stones, into regions. A region is vital
 * to a block if each of its empty points is a liberty of that block. Blocks with fewer than two vital regions are
 * removed, then the regions next to them, until nothing changes. The remaining blocks cannot be captured, not even if
 * suicide is legal: the stones of a region are removed before a block that has liberties in another region. */
#ifndef W7_BOARD_KERNEL_BENSON_H
#define W7_BOARD_KERNEL_BENSON_H

#include "board/kernel/partition.h"

enum { W7_NOT_ALIVE = 0, W7_ALIVE_STONE = 1, W7_ALIVE_TERRITORY = 2 };

/* A block or a region. A region is vital at most to the four blocks adjacent to its first empty point. */
typedef struct {
    uint32_t vital[4];    /* region: the blocks that it is vital to */
    uint32_t vital_count; /* region: how many; block: regions in force that are vital to it */
    uint32_t last_stone;  /* block: where the list of its stones begins; place 0: it has none */
    uint32_t next_given;  /* block: the one that was removed before it */
    uint8_t met;          /* region: an empty point was seen */
    uint8_t given_up;
} w7_benson_part;

/* Keeps only the blocks that have this empty point of the region as a liberty. */
static inline void w7_benson_meet(w7_benson_part *region, const uint32_t neighbours[4], int count)
{
    if (!region->met) {
        region->met = 1;
        memcpy(region->vital, neighbours, (size_t)count * sizeof *neighbours);
        region->vital_count = (uint32_t)count;
        return;
    }
    for (uint32_t i = 0; i < region->vital_count;) {
        int is_adjacent = 0;
        for (int k = 0; k < count; k++)
            is_adjacent |= neighbours[k] == region->vital[i];
        if (is_adjacent)
            i++;
        else
            region->vital[i] = region->vital[--region->vital_count];
    }
}

/* Removes a region and returns the list of pending blocks, extended by those with fewer than two vital regions now. */
static inline uint32_t w7_benson_give_up(w7_benson_part *parts, uint32_t number, uint32_t waiting)
{
    w7_benson_part *region = &parts[number];
    if (region->given_up)
        return waiting;
    region->given_up = 1;
    for (uint32_t i = 0; i < region->vital_count; i++) {
        w7_benson_part *block = &parts[region->vital[i]];
        if (--block->vital_count == 1) {
            block->given_up = 1;
            block->next_given = waiting;
            waiting = region->vital[i];
        }
    }
    return waiting;
}

/* Finds the remaining blocks and regions; `next_stone` has an element for each place. */
static inline void w7_benson_reduce(const w7_partition *partition, int color, w7_benson_part *parts,
                                    uint32_t *next_stone)
{
    uint32_t waiting = UINT32_MAX;
    for (int32_t y = 0; y < partition->height; y++) {
        const size_t begin = w7_partition_place(partition, 0, y), end = begin + (size_t)partition->width;
        for (size_t place = begin; place < end; place++) {
            w7_benson_part *part = &parts[partition->parts[place]];
            if (partition->cells[place] == color) {
                next_stone[place] = part->last_stone;
                part->last_stone = (uint32_t)place;
            } else if (partition->cells[place] == W7_EMPTY) {
                uint32_t neighbours[4];
                w7_benson_meet(part, neighbours, w7_partition_adjacent_parts(partition, place, color, neighbours));
            }
        }
    }
    for (uint32_t i = 0; i < partition->count; i++)
        for (uint32_t k = 0; parts[i].last_stone == 0 && k < parts[i].vital_count; k++)
            parts[parts[i].vital[k]].vital_count++;
    for (uint32_t i = 0; i < partition->count; i++) {
        if (parts[i].last_stone != 0 && parts[i].vital_count < 2) {
            parts[i].given_up = 1;
            parts[i].next_given = waiting;
            waiting = i;
        }
    }
    while (waiting != UINT32_MAX) {
        uint32_t stone = parts[waiting].last_stone;
        waiting = parts[waiting].next_given;
        for (; stone != 0; stone = next_stone[stone]) {
            size_t neighbours[4];
            w7_partition_neighbours(partition, stone, neighbours);
            for (int side = 0; side < 4; side++)
                if (partition->cells[neighbours[side]] != color && partition->cells[neighbours[side]] != W7_FRAME)
                    waiting = w7_benson_give_up(parts, partition->parts[neighbours[side]], waiting);
        }
    }
}

/* Writes a byte a point, row by row: W7_ALIVE_STONE for the living stones of the colour, W7_ALIVE_TERRITORY for the
 * regions that are vital to one of their blocks, opponent stones in them included. */
static inline w7_status w7_board_pass_alive(const w7_board *board, int color, uint8_t *points)
{
    w7_partition partition;
    w7_benson_part *parts = NULL;
    uint32_t *next_stone = NULL;
    w7_status status;
    if (color != W7_BLACK && color != W7_WHITE)
        return W7_BAD_COLOR;
    status = w7_partition_board(&partition, board, color == W7_BLACK ? W7_BY_BLACK : W7_BY_WHITE);
    if (status != W7_OK)
        return status;
    parts = (w7_benson_part *)calloc(partition.count, sizeof *parts);
    /* As many bytes as the partition found room for. */
    next_stone = (uint32_t *)malloc(partition.place_count * sizeof *next_stone);
    if (parts == NULL || next_stone == NULL) {
        status = W7_NO_MEMORY;
    } else {
        w7_benson_reduce(&partition, color, parts, next_stone);
        for (int32_t y = 0; y < partition.height; y++) {
            const size_t begin = w7_partition_place(&partition, 0, y), end = begin + (size_t)partition.width;
            for (size_t place = begin; place < end; place++) {
                const w7_benson_part *part = &parts[partition.parts[place]];
                if (part->given_up)
                    *points++ = W7_NOT_ALIVE;
                else if (part->last_stone != 0)
                    *points++ = W7_ALIVE_STONE;
                else
                    *points++ = part->vital_count > 0 ? W7_ALIVE_TERRITORY : W7_NOT_ALIVE;
            }
        }
    }
    free(parts);
    free(next_stone);
    w7_partition_free(&partition);
    return status;
}

#endif
