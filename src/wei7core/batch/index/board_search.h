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
    int32_t stones;        /* how many a position has */
    uint64_t *keys;        /* of stones, by point and color; memory of a search, NULL at first */
    const uint64_t *forms; /* the hashes of the forms, by form */
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

/* Fills the keys of stones on boards of the group. Returns -1 where there is not enough memory. */
static int w7_index_make_keys(const w7_index_group *group, w7_index_wanted *wanted)
{
    wanted->keys = malloc(2 * (size_t)group->points * sizeof(uint64_t));
    for (int64_t point = 0; wanted->keys != NULL && point < group->points; point++) {
        const int32_t x = (int32_t)point % group->width, y = (int32_t)point / group->width;
        wanted->keys[2 * point] = w7_zobrist_stone(W7_BLACK, x, y);
        wanted->keys[2 * point + 1] = w7_zobrist_stone(W7_WHITE, x, y);
    }
    return wanted->keys == NULL ? -1 : 0;
}

/* Plays a game through, until it has more stones than can be removed again, and adds the frames that have one of the
 * positions to the pending hits. */
static int w7_index_match_game(w7_index_search *search, const w7_index_wanted *wanted, int64_t game)
{
    const w7_index_group *group = search->group;
    const w7_index_game at = w7_index_game_at(group, game);
    const int64_t length = at.end - at.begin;
    const int64_t frames = search->max_move < 0 ? length : w7_index_frames_up_to(group, at, search->max_move);
    uint64_t hash = w7_zobrist_empty(group->width, group->height);
    int64_t change = at.change_begin, stones = 0;
    for (int64_t number = 0; number < frames; number++) {
        const int64_t frame = at.begin + number;
        const uint32_t code = w7_index_code(group->moves, group->is_wide, frame), color = code & 3;
        if ((color == W7_BLACK || color == W7_WHITE) && code >> 2 < group->points) {
            hash ^= wanted->keys[2 * (code >> 2) + color - 1];
            stones++;
        }
        for (; change < at.change_end && group->change_frames[change] <= frame; change++) {
            const uint32_t changed = w7_index_code(group->changes, group->is_wide, change);
            if (changed >> 2 < group->points) {
                hash ^= wanted->keys[2 * (changed >> 2) + (changed & 1)];
                stones += changed & 2 ? -1 : 1;
            }
        }
        if (stones - (at.change_end - change) > wanted->stones)
            break;
        for (int64_t form = 0; stones == wanted->stones && form < search->form_count; form++)
            if (wanted->forms[form] == hash && w7_index_add_pending(search, game, at, number, number + 1, form, 0))
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

/* Has what a search reads of a game come into the cache: first where that is, then, for a game that comes sooner, its
 * first frames. */
static inline void w7_index_fetch(const w7_index_group *group, const uint32_t *later, const uint32_t *sooner)
{
    if (later != NULL) {
        W7_PREFETCH(&group->offsets[*later]);
        W7_PREFETCH(&group->change_offsets[*later]);
    }
    if (sooner != NULL) {
        const w7_index_game at = w7_index_game_at(group, *sooner);
        const uint8_t *moves = (const uint8_t *)group->moves + (at.begin << (1 + group->is_wide));
        W7_PREFETCH(moves);
        W7_PREFETCH(moves + 64);
        W7_PREFETCH(&group->change_frames[at.change_begin]);
        W7_PREFETCH((const uint8_t *)group->changes + (at.change_begin << (1 + group->is_wide)));
    }
}

/* Adds the hits of the games of `search->group`, `chosen` bits of them (NULL: all), that have a wanted position. `games`
 * is memory for their numbers. Returns -1 where there is not enough memory. */
static int w7_index_find_board(w7_index_search *search, w7_index_wanted *wanted, const uint8_t *chosen,
                               w7_index_bytes *games, w7_index_hits *hits)
{
    enum { AHEAD = 4 };
    const uint32_t *numbers;
    size_t count;
    int is_ordered = 1;
    games->size = 0;
    for (int k = 0; k < wanted->canonical_count; k++)
        if (w7_index_candidates(search->group, wanted->canonical[k], chosen, games))
            return -1;
    numbers = (const uint32_t *)(const void *)games->at;
    count = games->size / sizeof(uint32_t);
    if (count && wanted->keys == NULL && w7_index_make_keys(search->group, wanted))
        return -1;
    for (size_t k = 1; k < count && is_ordered; k++)
        is_ordered = numbers[k - 1] <= numbers[k];
    if (!is_ordered)
        qsort(games->at, count, sizeof(uint32_t), w7_index_compare_games);
    for (size_t k = 0; k < count; k++) {
        if (k && numbers[k] == numbers[k - 1])
            continue;
        w7_index_fetch(search->group, k + 2 * AHEAD < count ? numbers + k + 2 * AHEAD : NULL,
                       k + AHEAD < count ? numbers + k + AHEAD : NULL);
        search->pending.count = 0;
        if (w7_index_match_game(search, wanted, numbers[k]) ||
            (search->pending.count && w7_index_settle_game(search, hits)))
            return -1;
    }
    return 0;
}

W7_INDEX_LOOPS_END

#endif
