/* What a search for whole positions is about to read of each of many groups, asked of the system for all of them before
 * the first one is read. */
#ifndef W7_BATCH_INDEX_READING_H
#define W7_BATCH_INDEX_READING_H

#include "_util/read_ahead.h"
#include "batch/index/game_store.h"

/* A game of a group that may have a position. */
typedef struct {
    uint32_t group;
    uint32_t game;
} w7_index_candidate;

/* A common position of a group. */
typedef struct {
    int32_t group;
    int32_t number;
} w7_index_answer;

/* The arrays in which places depend on no more than the values of the ones before. */
typedef enum {
    /* by group */
    W7_INDEX_READ_HASHES,
    W7_INDEX_READ_COUNT_OR_BUCKET,
    W7_INDEX_READ_KEYS,
    W7_INDEX_READ_GAMES,
    /* by answer */
    W7_INDEX_READ_IMAGE_ENDS,
    W7_INDEX_READ_IMAGES,
    W7_INDEX_READ_MOVE_ENDS,
    W7_INDEX_READ_MOVES,
    W7_INDEX_READ_COUNTS,
    /* by candidate */
    W7_INDEX_READ_OFFSETS,
    W7_INDEX_READ_CHANGE_OFFSETS,
    W7_INDEX_READ_CODES,
    W7_INDEX_READ_CHANGE_FRAMES,
    W7_INDEX_READ_CHANGES
} w7_index_array;

typedef struct {
    const w7_index_group *const *groups;
    int64_t group_count;
    uint64_t hash;
    const int64_t *numbers; /* by group: of the common position, -1 for none */
    const w7_index_answer *answers;
    const w7_index_candidate *candidates;
} w7_index_reading;

W7_INDEX_LOOPS_BEGIN

/* Where the array of a common position begins, by the `end` of the one before it; NULL where it has nothing. */
static const void *w7_index_common_place(const w7_index_group *group, int64_t number, w7_index_array array)
{
    int64_t image, move;
    if (number < 0 || number >= group->common_count)
        return NULL;
    if (array == W7_INDEX_READ_IMAGE_ENDS)
        return &group->image_ends[number];
    image = number ? group->image_ends[number - 1] : 0;
    if (image >= group->image_count)
        return NULL;
    if (array == W7_INDEX_READ_IMAGES)
        return &group->image_hashes[image];
    if (array == W7_INDEX_READ_MOVE_ENDS)
        return &group->move_ends[image];
    move = image ? group->move_ends[image - 1] : 0;
    if (move >= group->move_count)
        return NULL;
    return array == W7_INDEX_READ_MOVES ? (const void *)&group->common_moves[move]
                                        : (const void *)&group->common_counts[3 * move];
}

static const void *w7_index_candidate_place(const w7_index_group *group, int64_t game, w7_index_array array)
{
    w7_index_game at;
    if (array == W7_INDEX_READ_OFFSETS)
        return &group->offsets[game];
    if (array == W7_INDEX_READ_CHANGE_OFFSETS)
        return &group->change_offsets[game];
    at = w7_index_game_at(group, game);
    if (array == W7_INDEX_READ_CODES)
        return at.begin < at.end ? (const uint8_t *)group->moves + (at.begin << (1 + group->is_wide)) : NULL;
    if (at.change_begin == at.change_end)
        return NULL;
    return array == W7_INDEX_READ_CHANGE_FRAMES
               ? (const void *)&group->change_frames[at.change_begin]
               : (const void *)((const uint8_t *)group->changes + (at.change_begin << (1 + group->is_wide)));
}

static const void *w7_index_group_place(const w7_index_group *group, uint64_t hash, int64_t number,
                                        w7_index_array array)
{
    const uint64_t bucket = hash >> (64 - group->bucket_bits);
    int64_t frame;
    if (array == W7_INDEX_READ_HASHES)
        return group->common_count ? &group->common_hashes[((hash >> 32) * (uint64_t)group->common_count) >> 32] : NULL;
    if (array == W7_INDEX_READ_COUNT_OR_BUCKET)
        return number < 0 ? (const void *)&group->buckets[bucket] : (const void *)&group->common_games[number];
    frame = number < 0 ? group->buckets[bucket] : group->frame_count;
    if (frame >= group->frame_count)
        return NULL;
    return array == W7_INDEX_READ_KEYS
               ? (const void *)&group->keys[frame]
               : (const void *)((const uint8_t *)group->hash_games + (frame << (1 + group->has_long_games)));
}

static const void *w7_index_place_of(const w7_index_reading *reading, int64_t k, w7_index_array array)
{
    if (array >= W7_INDEX_READ_OFFSETS)
        return w7_index_candidate_place(reading->groups[reading->candidates[k].group], reading->candidates[k].game,
                                        array);
    if (array >= W7_INDEX_READ_IMAGE_ENDS)
        return reading->answers[k].group < 0 || reading->answers[k].group >= reading->group_count
                   ? NULL
                   : w7_index_common_place(reading->groups[reading->answers[k].group], reading->answers[k].number,
                                           array);
    return w7_index_group_place(reading->groups[k], reading->hash,
                                array == W7_INDEX_READ_HASHES ? -1 : reading->numbers[k], array);
}

/* Asks for the pages of arrays from `array` up to `last` that are read for `count` groups, answers or candidates, unless
 * that of the one in the middle is in memory. To ask the system for it costs as much as to read several that are; after an
 * array that is on disk the next ones are taken to be there too. */
static void w7_index_read_ahead(const w7_index_reading *reading, int64_t count, w7_index_array array,
                                w7_index_array last)
{
    enum { LEAST = 4 };
    int are_on_disk = 0;
    for (int at = array; count >= LEAST && at <= (int)last; at++) {
        const void *middle = are_on_disk ? NULL : w7_index_place_of(reading, count / 2, (w7_index_array)at);
        are_on_disk = are_on_disk || (middle != NULL && w7_is_on_disk(middle));
        for (int64_t k = 0; k < count && are_on_disk; k++) {
            const void *place = w7_index_place_of(reading, k, (w7_index_array)at);
            if (place != NULL)
                w7_read_ahead(place);
        }
    }
}

W7_INDEX_LOOPS_END

#endif
