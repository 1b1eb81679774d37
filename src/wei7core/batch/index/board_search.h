/* A search for whole positions: by their hashes, and without the games of positions that are common. */
#ifndef W7_BATCH_INDEX_BOARD_SEARCH_H
#define W7_BATCH_INDEX_BOARD_SEARCH_H

#include "batch/index/position_table.h"
#include "batch/index/reading.h"
#include "batch/index/position_search.h"

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

static int w7_index_compare_candidates(const void *left, const void *right)
{
    const w7_index_candidate *a = left, *b = right;
    return a->group != b->group ? (a->group > b->group) - (a->group < b->group)
                                : (a->game > b->game) - (a->game < b->game);
}

/* Adds the games of `chosen` bits (NULL: all) one of whose positions may have the hash. */
static int w7_index_add_candidates(const w7_index_group *group, uint32_t number, uint64_t hash, const uint8_t *chosen,
                                   w7_out *candidates)
{
    const uint64_t bucket = hash >> (64 - group->bucket_bits);
    const uint8_t key = (uint8_t)(hash << group->bucket_bits >> (64 - W7_INDEX_KEY_BITS));
    const int64_t end =
        group->buckets[bucket + 1] < group->frame_count ? group->buckets[bucket + 1] : group->frame_count;
    for (int64_t k = group->buckets[bucket]; k < end; k++) {
        w7_index_candidate candidate = {number, 0};
        uint32_t game;
        if (group->keys[k] != key)
            continue;
        game =
            group->has_long_games ? ((const uint32_t *)group->hash_games)[k] : ((const uint16_t *)group->hash_games)[k];
        if (game >= group->games || (chosen != NULL && !(chosen[game >> 3] >> (game & 7) & 1)))
            continue;
        candidate.game = game;
        if (w7_out_bytes(candidates, &candidate, sizeof candidate))
            return -1;
    }
    return 0;
}

/* Prefetches the tables that locate a position of a group. */
static inline void w7_index_fetch_tables(const w7_index_group *group, uint64_t hash)
{
    if (group->common_count)
        W7_PREFETCH(&group->common_hashes[((hash >> 32) * (uint64_t)group->common_count) >> 32]);
    W7_PREFETCH(&group->buckets[hash >> (64 - group->bucket_bits)]);
}

/* The same of where a game is. */
static inline void w7_index_fetch_place(const w7_index_group *group, int64_t game)
{
    W7_PREFETCH(&group->offsets[game]);
    W7_PREFETCH(&group->change_offsets[game]);
}

/* The same of the first frames of a game. */
static inline void w7_index_fetch_frames(const w7_index_group *group, int64_t game)
{
    const w7_index_game at = w7_index_game_at(group, game);
    const uint8_t *moves = (const uint8_t *)group->moves + (at.begin << (1 + group->is_wide));
    W7_PREFETCH(moves);
    W7_PREFETCH(moves + 64);
    W7_PREFETCH(&group->change_frames[at.change_begin]);
    W7_PREFETCH((const uint8_t *)group->changes + (at.change_begin << (1 + group->is_wide)));
}

/* Adds the hits of candidates of `groups`, in order. Returns -1 where there is not enough memory. */
static int w7_index_match_candidates(w7_index_search *search, w7_index_wanted *wanted,
                                     const w7_index_group *const *groups, const w7_index_candidate *at, size_t count,
                                     w7_index_hits *hits)
{
    enum { DISTANCE = 6 };
    w7_index_reading reading = {groups, 0, 0, NULL, NULL, at};
    if (count && w7_index_make_keys(groups[0], wanted))
        return -1;
    w7_index_read_ahead(&reading, (int64_t)count, W7_INDEX_READ_OFFSETS, W7_INDEX_READ_CHANGES);
    for (size_t k = 0; k < count; k++) {
        if (k + 2 * DISTANCE < count)
            w7_index_fetch_place(groups[at[k + 2 * DISTANCE].group], at[k + 2 * DISTANCE].game);
        if (k + DISTANCE < count)
            w7_index_fetch_frames(groups[at[k + DISTANCE].group], at[k + DISTANCE].game);
        if (k && !w7_index_compare_candidates(&at[k - 1], &at[k]))
            continue;
        search->group = groups[at[k].group];
        search->group_number = (int32_t)at[k].group;
        search->pending.count = 0;
        if (w7_index_match_game(search, wanted, at[k].game) ||
            (search->pending.count && w7_index_settle_game(search, hits)))
            return -1;
    }
    return 0;
}

/* Adds the hits of the games of `groups`, `chosen` bits of them (by group; NULL: all), that have a wanted position. With
 * `in_common` groups in which it is common have answers instead, and this is increased by how many games have it there.
 * Returns -1 where there is not enough memory. */
static int w7_index_find_boards(w7_index_search *search, w7_index_wanted *wanted, const w7_index_group *const *groups,
                                const uint8_t *const *chosen, int64_t count, w7_out *answers, int64_t *in_common,
                                w7_index_hits *hits)
{
    enum { DISTANCE = 4 };
    w7_out candidates = {NULL, 0, 0};
    const w7_index_candidate *at;
    size_t found;
    int64_t *numbers = malloc((size_t)count * sizeof *numbers + 1);
    const w7_index_reading reading = {groups, count, wanted->canonical[0], numbers, NULL, NULL};
    int status = numbers == NULL ? -1 : 0, is_ordered = 1;
    if (in_common != NULL)
        w7_index_read_ahead(&reading, count, W7_INDEX_READ_HASHES, W7_INDEX_READ_HASHES);
    for (int64_t group = 0; group < count && !status; group++) {
        if (group + DISTANCE < count)
            w7_index_fetch_tables(groups[group + DISTANCE], wanted->canonical[0]);
        numbers[group] = in_common == NULL ? -1 : w7_index_common_number(groups[group], wanted->canonical[0]);
    }
    if (!status)
        w7_index_read_ahead(&reading, count, W7_INDEX_READ_COUNT_OR_BUCKET, W7_INDEX_READ_GAMES);
    for (int64_t group = 0; group < count && !status; group++) {
        const w7_index_answer answer = {(int32_t)group, (int32_t)numbers[group]};
        if (answer.number >= 0) {
            *in_common += groups[group]->common_games[answer.number];
            status = w7_out_bytes(answers, &answer, sizeof answer);
        }
        for (int k = 0; k < wanted->canonical_count && answer.number < 0 && !status; k++)
            status = w7_index_add_candidates(groups[group], (uint32_t)group, wanted->canonical[k], chosen[group],
                                             &candidates);
    }
    at = (const w7_index_candidate *)(const void *)candidates.at;
    found = (size_t)candidates.count / sizeof *at;
    for (size_t k = 1; k < found && is_ordered; k++)
        is_ordered = w7_index_compare_candidates(&at[k - 1], &at[k]) <= 0;
    if (!is_ordered)
        qsort(candidates.at, found, sizeof *at, w7_index_compare_candidates);
    status = status ? status : w7_index_match_candidates(search, wanted, groups, at, found, hits);
    free(candidates.at);
    free(numbers);
    return status;
}

W7_INDEX_LOOPS_END

#endif
