/* The canonical hash for many positions of one size: the keys of a stone's images are remembered. */
#ifndef W7_SYMMETRY_KEYS_H
#define W7_SYMMETRY_KEYS_H

#include "symmetry.h"

enum { W7_MOST_POINTS_WITH_KEYS = 1024 }; /* 128 bytes a point: more would leave the cache nothing else */

/* The keys of one stone under all symmetries that keep the size; the others, if any, stay 0. */
typedef struct {
    uint64_t key[8];
} w7_images;

typedef struct {
    w7_images *images; /* point by point, black and white; all zeros until the stone is first met */
    int32_t width;
    int32_t height;
} w7_symmetry_keys;

static inline void w7_symmetry_keys_free(w7_symmetry_keys *keys)
{
    free(keys->images);
    memset(keys, 0, sizeof *keys);
}

/* Begins with boards of another size. That there is no memory for their keys is no failure: it goes without. */
static W7_COLD void w7_symmetry_keys_renew(w7_symmetry_keys *keys, int32_t width, int32_t height)
{
    const int64_t points = (int64_t)width * height;
    w7_symmetry_keys_free(keys);
    keys->width = width;
    keys->height = height;
    if (points <= W7_MOST_POINTS_WITH_KEYS)
        keys->images = (w7_images *)calloc((size_t)points * 2, sizeof *keys->images);
}

static W7_COLD void w7_symmetry_keys_fill(w7_symmetry_keys *keys, w7_images *images, int color, int32_t x, int32_t y)
{
    const int symmetries = keys->width == keys->height ? 8 : 4;
    for (int symmetry = 0; symmetry < symmetries; symmetry++) {
        w7_point point = w7_symmetry_point(symmetry, keys->width, keys->height, x, y);
        images->key[symmetry] = w7_zobrist_stone(color, point.x, point.y);
    }
}

/* w7_board_canonical_hash(board), quick where many boards of one size follow each other. `keys` are all zeros first. */
static inline uint64_t w7_symmetry_keys_hash(w7_symmetry_keys *keys, const w7_board *board)
{
    const w7_grid *grid = &board->grid;
    w7_images sum;
    uint64_t least;
    if (W7_UNLIKELY(keys->width != grid->width || keys->height != grid->height))
        w7_symmetry_keys_renew(keys, grid->width, grid->height);
    if (keys->images == NULL)
        return w7_board_canonical_hash(board);
    for (int symmetry = 0; symmetry < 8; symmetry++)
        sum.key[symmetry] = w7_zobrist_empty(grid->width, grid->height);
    for (int32_t chunk = 0; chunk < grid->chunks; chunk++) {
        for (int32_t y = 0; y < grid->height; y++) {
            uint64_t cell = grid->cells[w7_grid_cell(grid, chunk, y)];
            uint32_t points = ((uint32_t)cell ^ (uint32_t)(cell >> 32)) & W7_CHUNK_POINTS;
            for (; points != 0; points &= points - 1) {
                int bit = w7_lowest_bit(points);
                int white = cell >> bit & 1 ? 0 : 1;
                int32_t x = chunk * W7_CHUNK_COLUMNS + bit - W7_OVERLAP;
                w7_images *images = &keys->images[((int64_t)y * grid->width + x) * 2 + white];
                if (W7_UNLIKELY(images->key[0] == 0))
                    w7_symmetry_keys_fill(keys, images, W7_BLACK + white, x, y);
                for (int symmetry = 0; symmetry < 8; symmetry++)
                    sum.key[symmetry] ^= images->key[symmetry];
            }
        }
    }
    least = sum.key[0];
    for (int symmetry = 1; symmetry < (grid->width == grid->height ? 8 : 4); symmetry++)
        if (sum.key[symmetry] < least)
            least = sum.key[symmetry];
    return least;
}

#endif
