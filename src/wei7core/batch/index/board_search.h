/* A search for whole positions: by their hashes, and without the games of positions that are common. */
#ifndef W7_BATCH_INDEX_BOARD_SEARCH_H
#define W7_BATCH_INDEX_BOARD_SEARCH_H

#include "batch/index/hash_table.h"
#include "batch/index/search.h"

/* A common position of a group. */
typedef struct {
    int32_t group;
    int32_t number;
} w7_index_answer;

typedef struct {
    uint64_t canonical[2];
    int canonical_count;
    const uint64_t
        *forms;     /* the hashes of the forms, by form; those of one point of the board are in the order of forms */
    uint64_t marks; /* for each of them the bit of its last 6 bits */
} w7_index_wanted;

W7_INDEX_LOOPS_BEGIN

/* The number of the common position with a hash, -1 where there is none. Hashes are spread evenly: a search from the
 * place where it should be reads few pages. */
static int64_t w7_index_common_number(const w7_index_group *group, uint64_t hash)
{
    int64_t begin = 0, end = group->common_count, step = 16;
    const int64_t guess = (int64_t)(((hash >> 32) * (uint64_t)end) >> 32);
    if (!end)
        return -1;
    if (group->common_hashes[guess] <= hash) {
        for (begin = guess; begin + step < end && group->common_hashes[begin + step] <= hash; step *= 2)
            begin += step;
        end = begin + step < end ? begin + step : end;
    } else {
        for (end = guess; end - step > 0 && group->common_hashes[end - step] > hash; step *= 2)
            end -= step;
        begin = end - step > 0 ? end - step : 0;
    }
    while (end - begin > 1) {
        const int64_t middle = begin + (end - begin) / 2;
        if (group->common_hashes[middle] <= hash)
            begin = middle;
        else
            end = middle;
    }
    return group->common_hashes[begin] == hash ? begin : -1;
}

/* Plays a game through and adds the frames that have one of the positions to the pending hits. */
static int w7_index_match_game(w7_index_search *search, const w7_index_hashing *hashing, const w7_index_wanted *wanted,
                               int64_t game)
{
    const w7_index_group *group = search->group;
    const w7_index_game at = w7_index_game_at(group, game);
    const int64_t length = at.end - at.begin;
    const int64_t frames = search->max_move < 0 ? length : w7_index_frames_up_to(group, at, search->max_move);
    uint64_t hashes[W7_INDEX_IMAGES];
    int64_t change = at.change_begin;
    w7_index_begin_game(hashing, hashes);
    for (int64_t number = 0; number < frames; number++) {
        w7_index_step_hashes(group, hashing, at, at.begin + number, &change, hashes);
        if (!(wanted->marks >> (hashes[0] & 63) & 1))
            continue;
        for (int64_t form = 0; form < search->form_count; form++)
            if (wanted->forms[form] == hashes[0] && w7_index_add_pending(search, game, at, number, number + 1, form, 0))
                return -1;
    }
    return 0;
}

static int w7_index_compare_games(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Adds to `games` those of `chosen` bits (NULL: all) one of whose positions may have the hash. */
static int w7_index_candidates(const w7_index_group *group, uint64_t hash, const uint8_t *chosen, w7_index_bytes *games)
{
    const uint64_t bucket = hash >> (64 - group->bucket_bits);
    const uint8_t key = (uint8_t)(hash << group->bucket_bits >> (64 - W7_INDEX_KEY_BITS));
    const int64_t end =
        group->buckets[bucket + 1] < group->frame_count ? group->buckets[bucket + 1] : group->frame_count;
    for (int64_t k = group->buckets[bucket]; k < end; k++) {
        uint32_t game;
        if (group->keys[k] != key)
            continue;
        game =
            group->has_long_games ? ((const uint32_t *)group->hash_games)[k] : ((const uint16_t *)group->hash_games)[k];
        if (game >= group->games || (chosen != NULL && !(chosen[game >> 3] >> (game & 7) & 1)))
            continue;
        if (w7_index_append(games, &game, sizeof game))
            return -1;
    }
    return 0;
}

/* Adds the hits of the games of `search->group`, `chosen` bits of them (NULL: all), that have a wanted position. `games`
 * is memory for their numbers. Returns -1 where there is not enough memory. */
static int w7_index_find_board(w7_index_search *search, const w7_index_hashing *hashing, const w7_index_wanted *wanted,
                               const uint8_t *chosen, w7_index_bytes *games, w7_index_hits *hits)
{
    const uint32_t *numbers;
    size_t count;
    int is_ordered = 1;
    games->size = 0;
    for (int k = 0; k < wanted->canonical_count; k++)
        if (w7_index_candidates(search->group, wanted->canonical[k], chosen, games))
            return -1;
    numbers = (const uint32_t *)(const void *)games->at;
    count = games->size / sizeof(uint32_t);
    for (size_t k = 1; k < count && is_ordered; k++)
        is_ordered = numbers[k - 1] <= numbers[k];
    if (!is_ordered)
        qsort(games->at, count, sizeof(uint32_t), w7_index_compare_games);
    for (size_t k = 0; k < count; k++) {
        if (k && numbers[k] == numbers[k - 1])
            continue;
        search->pending.count = 0;
        if (w7_index_match_game(search, hashing, wanted, numbers[k]) ||
            (search->pending.count && w7_index_settle_game(search, hits)))
            return -1;
    }
    return 0;
}

W7_INDEX_LOOPS_END

#endif
