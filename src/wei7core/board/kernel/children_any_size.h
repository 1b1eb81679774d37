/* All children of a position on a board of any size, in constant time for each point. */
#ifndef W7_BOARD_KERNEL_CHILDREN_ANY_SIZE_H
#define W7_BOARD_KERNEL_CHILDREN_ANY_SIZE_H

#include "board/kernel/board.h"
#include "board/kernel/child.h"
#include "board/kernel/point_sets.h"

/* A block during the count of its liberties. Places are those of w7_block_map. */
typedef struct {
    int64_t liberty[2]; /* the first two */
    int64_t counted;    /* the liberty that was counted last */
    int64_t latest;     /* in atari: a stone, from which `earlier` leads to the others */
    uint64_t key;       /* in atari: of its stones */
    int32_t stones;     /* in atari: their number */
    int32_t liberties;  /* 3 for any more */
} w7_counted_block;

/* The blocks of a board. Place (y + 1) * (width + 1) + x + 1 is the point (x, y); the others are wall, so that every
 * point has four adjacent places. */
typedef struct {
    int64_t stride;
    int64_t end;      /* one past the last place */
    int own;          /* colour of the moves */
    uint8_t *colors;  /* of each place */
    int32_t *labels;  /* of each place with a stone: the number of its block */
    int64_t *earlier; /* of each stone of a block in atari: another one of them, 0 for the last one */
    w7_counted_block *blocks;
} w7_block_map;

static inline int32_t w7_label_root(int32_t *parents, int32_t label)
{
    while (parents[label] != label)
        label = parents[label] = parents[parents[label]];
    return label;
}

/* Merges two labels into the smaller one. */
static inline int32_t w7_label_join(int32_t *parents, int32_t one, int32_t other)
{
    one = w7_label_root(parents, one);
    other = w7_label_root(parents, other);
    if (one < other)
        return parents[other] = one;
    return parents[one] = other;
}

/* Sets the colour of every place, and for every stone a label that only stones of its block share. Returns the number
 * of labels. */
static inline int32_t w7_block_map_read(w7_block_map *map, const w7_grid *grid, int32_t *parents)
{
    int32_t count = 0;
    memset(map->colors, W7_WALL, (size_t)map->end);
    for (int32_t y = 0; y < grid->height; y++) {
        int64_t place = (y + 1) * map->stride + 1;
        uint64_t cell = 0;
        for (int32_t x = 0; x < grid->width; x++, place++, cell >>= 1) {
            const int32_t column = x % W7_CHUNK_COLUMNS;
            int color;
            if (column == 0)
                cell = grid->cells[w7_grid_cell(grid, x / W7_CHUNK_COLUMNS, y)] >> W7_OVERLAP;
            color = (int)(cell & 1) | (int)(cell >> 31 & 2);
            map->colors[place] = (uint8_t)color;
            if (color == W7_EMPTY)
                continue;
            if (map->colors[place - map->stride] == color) {
                map->labels[place] = map->labels[place - map->stride];
                if (map->colors[place - 1] == color && map->labels[place - 1] != map->labels[place])
                    map->labels[place] = w7_label_join(parents, map->labels[place - 1], map->labels[place]);
            } else if (map->colors[place - 1] == color) {
                map->labels[place] = map->labels[place - 1];
            } else {
                map->labels[place] = count;
                parents[count] = count;
                count++;
            }
        }
    }
    return count;
}

/* Numbers the blocks; parents[label] becomes the number of the block. Returns how many there are. */
static inline int32_t w7_label_number(int32_t *parents, int32_t label_count)
{
    int32_t count = 0;
    /* A parent is smaller than its child, so it is already numbered. */
    for (int32_t label = 0; label < label_count; label++)
        parents[label] = parents[label] == label ? count++ : parents[parents[label]];
    return count;
}

static inline void w7_block_count_liberty(w7_counted_block *block, int64_t place)
{
    if (block->counted == place)
        return;
    block->counted = place;
    if (block->liberties < 2)
        block->liberty[block->liberties] = place;
    if (block->liberties < 3)
        block->liberties++;
}

/* The neighbours of one empty point. */
typedef struct {
    int32_t taken[4];  /* blocks of the opponent in atari */
    int32_t joined[4]; /* own blocks in atari */
    int taken_count;
    int joined_count;
    int liberties; /* of the block of a move there without captures: 0, 1 or more */
    int64_t liberty;
} w7_point_view;

static inline void w7_view_add_liberty(w7_point_view *view, int64_t place)
{
    view->liberties += view->liberties == 0 || view->liberty != place;
    view->liberty = place;
}

static inline void w7_view_add_block(int32_t *blocks, int *count, int32_t block)
{
    for (int i = 0; i < *count; i++)
        if (blocks[i] == block)
            return;
    blocks[(*count)++] = block;
}

static inline w7_point_view w7_block_map_view(const w7_block_map *map, int64_t place, const int64_t sides[4])
{
    w7_point_view view;
    view.taken_count = view.joined_count = view.liberties = 0;
    view.liberty = 0;
    for (int side = 0; side < 4; side++) {
        const int64_t next = place + sides[side];
        const int stone = map->colors[next];
        if (stone == W7_EMPTY) {
            w7_view_add_liberty(&view, next);
        } else if (stone != W7_WALL) {
            const int32_t label = map->labels[next];
            const w7_counted_block *block = &map->blocks[label];
            if (stone != map->own) {
                if (block->liberties == 1)
                    w7_view_add_block(view.taken, &view.taken_count, label);
            } else if (block->liberties == 1) {
                w7_view_add_block(view.joined, &view.joined_count, label);
            } else if (block->liberties == 2) {
                w7_view_add_liberty(&view, block->liberty[block->liberty[0] == place]);
            } else {
                view.liberties = 2;
            }
        }
    }
    return view;
}

/* Whether exactly one captured stone is adjacent to the move's own block: its stone and the blocks it joins, all in
 * atari. */
static inline int w7_block_map_takes_one(const w7_block_map *map, const w7_point_view *view, int64_t place,
                                         const int64_t sides[4])
{
    int found = 0;
    for (int i = 0; i < view->taken_count; i++) {
        for (int64_t stone = map->blocks[view->taken[i]].latest; stone != 0; stone = map->earlier[stone]) {
            int touches = 0;
            for (int side = 0; side < 4; side++) {
                const int64_t next = stone + sides[side];
                touches |= next == place;
                for (int j = 0; j < view->joined_count; j++)
                    touches |= map->colors[next] == map->own && map->labels[next] == view->joined[j];
            }
            found += touches;
            if (found > 1)
                return 0;
        }
    }
    return found == 1;
}

/* Records the effect of a move on an empty point. */
static inline void w7_block_map_enter(const w7_block_map *map, int64_t place, w7_point point, int64_t number,
                                      w7_children *children)
{
    const int64_t sides[4] = {-1, 1, -map->stride, map->stride};
    const w7_point_view view = w7_block_map_view(map, place, sides);
    w7_child *child = &children->takers[children->taker_count];
    if (view.taken_count > 0 ? view.liberties == 0 && w7_block_map_takes_one(map, &view, place, sides)
                             : view.liberties == 1)
        w7_point_add(children->self_atari, number);
    if (view.taken_count == 0 && view.liberties > 0)
        return;
    children->taker_count++;
    child->point = (int32_t)number;
    child->captured = child->lost = 0;
    if (view.taken_count > 0) {
        child->key = w7_zobrist_stone(map->own, point.x, point.y);
        for (int i = 0; i < view.taken_count; i++) {
            child->captured += map->blocks[view.taken[i]].stones;
            child->key ^= map->blocks[view.taken[i]].key;
        }
    } else {
        child->lost = 1;
        child->key = 0;
        for (int i = 0; i < view.joined_count; i++) {
            child->lost += map->blocks[view.joined[i]].stones;
            child->key ^= map->blocks[view.joined[i]].key;
        }
    }
}

/* Whether an empty point has only empty neighbours, as most points of a large board: no block is concerned. */
static inline int w7_block_map_is_open(const w7_block_map *map, int64_t place)
{
    const uint8_t *color = &map->colors[place];
    return (color[-1] | color[1] | color[-map->stride] | color[map->stride]) == W7_EMPTY;
}

/* Counts the liberties of all blocks, and the stones of those in atari. */
static inline void w7_block_map_count(const w7_block_map *map)
{
    const int64_t sides[4] = {-1, 1, -map->stride, map->stride};
    for (int64_t place = map->stride; place < map->end - map->stride; place++) {
        if (map->colors[place] != W7_EMPTY || w7_block_map_is_open(map, place))
            continue;
        for (int side = 0; side < 4; side++) {
            const int64_t next = place + sides[side];
            if (map->colors[next] == W7_BLACK || map->colors[next] == W7_WHITE)
                w7_block_count_liberty(&map->blocks[map->labels[next]], place);
        }
    }
    for (int64_t place = map->stride; place < map->end - map->stride; place++) {
        const int color = map->colors[place];
        w7_counted_block *block;
        if (color != W7_BLACK && color != W7_WHITE)
            continue;
        block = &map->blocks[map->labels[place]];
        if (block->liberties == 1) {
            block->key ^=
                w7_zobrist_stone(color, (int32_t)(place % map->stride - 1), (int32_t)(place / map->stride - 1));
            map->earlier[place] = block->latest;
            block->latest = place;
            block->stones++;
        }
    }
}

/* Fills the children of a position except for legality; the sets are empty, and there is room for a taker on every
 * point. W7_NO_MEMORY is its only failure. */
static inline w7_status w7_any_children(const w7_grid *grid, int color, w7_children *children)
{
    const size_t place_bytes = sizeof(int64_t) + 2 * sizeof(int32_t) + sizeof(uint8_t);
    w7_block_map map;
    int32_t *parents, label_count;
    int64_t number = 0;
    map.stride = (int64_t)grid->width + 1;
    map.end = map.stride * ((int64_t)grid->height + 2) + 1;
    map.own = color;
    if ((uint64_t)map.end > SIZE_MAX / place_bytes)
        return W7_NO_MEMORY;
    map.earlier = (int64_t *)malloc((size_t)map.end * place_bytes);
    if (map.earlier == NULL)
        return W7_NO_MEMORY;
    map.labels = (int32_t *)(map.earlier + map.end);
    parents = map.labels + map.end;
    map.colors = (uint8_t *)(parents + map.end);
    label_count = w7_block_map_read(&map, grid, parents);
    map.blocks = (w7_counted_block *)calloc((size_t)w7_label_number(parents, label_count) + 1, sizeof *map.blocks);
    if (map.blocks == NULL) {
        free(map.earlier);
        return W7_NO_MEMORY;
    }
    for (int64_t place = map.stride; place < map.end - map.stride; place++)
        if (map.colors[place] == W7_BLACK || map.colors[place] == W7_WHITE)
            map.labels[place] = parents[map.labels[place]];
    w7_block_map_count(&map);
    children->taker_count = 0;
    for (w7_point point = {0, 0}; point.y < grid->height; point.y++) {
        int64_t place = (point.y + 1) * map.stride + 1;
        for (point.x = 0; point.x < grid->width; point.x++, place++, number++) {
            if (map.colors[place] == W7_EMPTY) {
                w7_point_add(children->empty, number);
                if (!w7_block_map_is_open(&map, place))
                    w7_block_map_enter(&map, place, point, number, children);
            }
        }
    }
    free(map.blocks);
    free(map.earlier);
    return W7_OK;
}

#endif
