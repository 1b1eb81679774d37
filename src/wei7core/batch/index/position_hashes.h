/* The hashes of the positions of games under the symmetries of the board, frame by frame. */
#ifndef W7_BATCH_INDEX_POSITION_HASHES_H
#define W7_BATCH_INDEX_POSITION_HASHES_H

#include <stdlib.h>

#include "batch/index/game_store.h"
#include "board/kernel/symmetry.h"
#include "board/kernel/zobrist.h"

enum { W7_INDEX_IMAGES = 8, W7_INDEX_TABLE_POINTS = 1 << 10 };

/* By how much a stone changes the hashes under the symmetries that keep the size. */
typedef struct {
    uint64_t of[W7_INDEX_IMAGES];
} w7_index_images;

typedef struct {
    int32_t width;
    int32_t height;
    int count;              /* of symmetries */
    w7_index_images *table; /* by point and color; NULL where there are too many points, or no memory */
} w7_index_hashing;

W7_INDEX_LOOPS_BEGIN

static w7_index_images w7_index_images_of(const w7_index_hashing *hashing, uint32_t point, int color)
{
    w7_index_images images = {{0}};
    const int32_t x = (int32_t)point % hashing->width, y = (int32_t)point / hashing->width;
    for (int symmetry = 0; symmetry < hashing->count; symmetry++) {
        const w7_point at = w7_symmetry_point(symmetry, hashing->width, hashing->height, x, y);
        images.of[symmetry] = w7_zobrist_stone(color, at.x, at.y);
    }
    return images;
}

static void w7_index_begin_hashing(w7_index_hashing *hashing, int32_t width, int32_t height)
{
    const uint32_t points = (uint32_t)width * (uint32_t)height;
    hashing->width = width;
    hashing->height = height;
    hashing->count = width == height ? 8 : 4;
    hashing->table = points > W7_INDEX_TABLE_POINTS ? NULL : malloc(2 * (size_t)points * sizeof(w7_index_images));
    for (uint32_t point = 0; hashing->table != NULL && point < points; point++)
        for (int color = 1; color <= 2; color++)
            hashing->table[2 * point + (uint32_t)color - 1] = w7_index_images_of(hashing, point, color);
}

static inline void w7_index_change_hashes(const w7_index_hashing *hashing, uint64_t *hashes, uint32_t point, int color)
{
    if (hashing->table != NULL) {
        const uint64_t *images = hashing->table[2 * point + (uint32_t)color - 1].of;
        for (int k = 0; k < W7_INDEX_IMAGES; k++)
            hashes[k] ^= images[k];
    } else {
        const w7_index_images images = w7_index_images_of(hashing, point, color);
        for (int k = 0; k < W7_INDEX_IMAGES; k++)
            hashes[k] ^= images.of[k];
    }
}

static void w7_index_begin_game(const w7_index_hashing *hashing, uint64_t *hashes)
{
    for (int k = 0; k < W7_INDEX_IMAGES; k++)
        hashes[k] = w7_zobrist_empty(hashing->width, hashing->height);
}

/* Goes on to the hashes of the position of `frame`; `change` is the next one of the game. */
static inline void w7_index_step_hashes(const w7_index_group *group, const w7_index_hashing *hashing, w7_index_game at,
                                        int64_t frame, int64_t *change, uint64_t *hashes)
{
    const uint32_t code = w7_index_code(group->moves, group->is_wide, frame), color = code & 3;
    if ((color == 1 || color == 2) && code >> 2 < group->points)
        w7_index_change_hashes(hashing, hashes, code >> 2, (int)color);
    for (; *change < at.change_end && group->change_frames[*change] <= frame; ++*change) {
        const uint32_t changed = w7_index_code(group->changes, group->is_wide, *change);
        if (changed >> 2 < group->points)
            w7_index_change_hashes(hashing, hashes, changed >> 2, (int)(changed & 1) + 1);
    }
}

/* The first of the symmetries with the least hash. */
static inline int w7_index_least(const w7_index_hashing *hashing, const uint64_t *hashes)
{
    uint64_t least = hashes[0];
    int at = 0;
    for (int k = 1; k < hashing->count; k++) {
        at = hashes[k] < least ? k : at;
        least = hashes[k] < least ? hashes[k] : least;
    }
    return at;
}

/* The hash of the position of a frame as it is in its game. */
static uint64_t w7_index_plain_hash(const w7_index_group *group, const w7_index_hashing *hashing, int64_t game,
                                    int64_t last)
{
    const w7_index_game at = w7_index_game_at(group, game);
    uint64_t hashes[W7_INDEX_IMAGES];
    int64_t change = at.change_begin;
    w7_index_begin_game(hashing, hashes);
    for (int64_t frame = at.begin; frame <= last; frame++)
        w7_index_step_hashes(group, hashing, at, frame, &change, hashes);
    return hashes[0];
}

W7_INDEX_LOOPS_END

#endif
