/* A search for the games that have a pattern in a corner, by the histories of corners.
 *
 * Games with the same first events are neighbors: whether the pattern comes to be there by these is decided of all of
 * them at once. Games in which it may be there later are candidates, to be found by what is known of all points. */
#ifndef W7_BATCH_INDEX_CORNER_SEARCH_H
#define W7_BATCH_INDEX_CORNER_SEARCH_H

#include "batch/index/corner_histories.h"
#include "batch/index/game_search.h"

/* What an event is to a pattern. */
enum { W7_CORNER_WRONG, W7_CORNER_FREE, W7_CORNER_DEMANDED };

typedef struct {
    int64_t count;
    const uint64_t *keys;
    const uint8_t *games; /* numbers of 2 bytes, or of 4 */
    int is_long;
    uint8_t effects[256];
    uint8_t events[256]; /* those that are not wrong */
    int event_count;
    int demanded;
    int most_stones; /* in the window, where the pattern is */
    uint8_t *found;
    uint8_t *candidates;
    int64_t steps; /* that are left, of a search that is worth it */
} w7_corner_walk;

W7_INDEX_LOOPS_BEGIN

static inline void w7_corner_set(const w7_corner_walk *walk, uint8_t *bits, const uint8_t *games, int64_t k)
{
    const uint32_t game =
        walk->is_long ? ((const uint32_t *)(const void *)games)[k] : ((const uint16_t *)(const void *)games)[k];
    if (game < walk->count)
        bits[game >> 3] |= (uint8_t)(1 << (game & 7));
}

static void w7_corner_set_all(const w7_corner_walk *walk, uint8_t *bits, int64_t begin, int64_t end)
{
    for (int64_t k = begin; k < end; k++)
        w7_corner_set(walk, bits, walk->games, k);
}

/* The first from `begin` up to `end` whose key is not less. */
static int64_t w7_corner_bound(const uint64_t *keys, int64_t begin, int64_t end, uint64_t key)
{
    while (begin < end) {
        const int64_t middle = begin + (end - begin) / 2;
        if (keys[middle] < key)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* How many of the stones that are demanded an event leaves, where there were `put`; NO_FRAME is added before an event that
 * is joined. */
static inline int w7_corner_next(const w7_corner_walk *walk, int event, int put)
{
    enum { NO_FRAME = 256 };
    return event == W7_CORNER_JOINED ? put | NO_FRAME
                                     : (put & ~NO_FRAME) + (walk->effects[event] == W7_CORNER_DEMANDED);
}

/* Decides of one game, from the event `at` on. */
static void w7_corner_follow(const w7_corner_walk *walk, int64_t k, int at, int put)
{
    for (;; at++) {
        const int event = at < W7_CORNER_EVENTS ? (int)(walk->keys[k] >> (56 - 8 * at) & 255) : 0;
        if (put == walk->demanded && event < W7_CORNER_JOINED) {
            w7_corner_set(walk, walk->found, walk->games, k);
            return;
        }
        if (at == W7_CORNER_EVENTS)
            w7_corner_set(walk, walk->candidates, walk->games, k);
        if (walk->effects[event] == W7_CORNER_WRONG)
            return;
        put = w7_corner_next(walk, event, put);
    }
}

/* Decides of games with the same first `depth` events, which put `put` of the stones that are demanded. It calls itself
 * for each of the events of a key at most. */
static void w7_corner_visit(w7_corner_walk *walk, int64_t begin, int64_t end, int depth, int put)
{
    enum { FEW = 24 };
    const int shift = 56 - 8 * depth;
    uint64_t before;
    walk->steps -= 1 + (end - begin <= FEW ? end - begin : 0);
    if (walk->steps < 0)
        return;
    if (depth == W7_CORNER_EVENTS) {
        w7_corner_set_all(walk, put == walk->demanded ? walk->found : walk->candidates, begin, end);
        return;
    }
    if (end - begin <= FEW) {
        for (int64_t k = begin; k < end; k++)
            w7_corner_follow(walk, k, depth, put);
        return;
    }
    before = depth ? walk->keys[begin] >> (shift + 8) << (shift + 8) : 0;
    if (put == walk->demanded) {
        const int64_t middle = w7_corner_bound(walk->keys, begin, end, before | (uint64_t)W7_CORNER_JOINED << shift);
        w7_corner_set_all(walk, walk->found, begin, middle);
        begin = middle;
    }
    for (int k = 0; k < walk->event_count && begin < end; k++) {
        const int event = walk->events[k];
        const uint64_t key = before | (uint64_t)event << shift;
        const int64_t first = w7_corner_bound(walk->keys, begin, end, key);
        begin = w7_corner_bound(walk->keys, first, end, key + ((uint64_t)1 << shift));
        if (first < begin)
            w7_corner_visit(walk, first, begin, depth + 1, w7_corner_next(walk, event, put));
    }
}

W7_INDEX_LOOPS_END

/* Finds out what events are to a form in a corner. Returns the window that has all of its points, -1 where none has, and
 * where too many of its points are free. */
static int w7_corner_aim(const w7_index_group *group, const w7_index_form *of, int corner, w7_corner_walk *walk)
{
    int32_t widest = 1, width, size;
    memset(walk->effects, W7_CORNER_FREE, sizeof walk->effects);
    walk->effects[0] = walk->effects[W7_CORNER_UNKNOWN] = W7_CORNER_WRONG;
    walk->demanded = (int)(of->colored + of->stones);
    for (int64_t k = 0; k < of->count; k++) {
        const int event = w7_corner_event(group, corner, of->points[k], &width);
        const uint8_t allowed = of->allowed[k], effect = allowed & W7_INDEX_EMPTY ? W7_CORNER_FREE : W7_CORNER_DEMANDED;
        if (!event)
            return -1;
        widest = width > widest ? width : widest;
        walk->effects[event] = allowed & W7_INDEX_BLACK ? effect : W7_CORNER_WRONG;
        walk->effects[event + 1] = allowed & W7_INDEX_WHITE ? effect : W7_CORNER_WRONG;
    }
    size = w7_corner_sizes[w7_corner_window(widest)];
    walk->event_count = 0;
    walk->most_stones = walk->demanded;
    for (int point = 0; point < size * size; point++) {
        const int event = 1 + 2 * (point / size * W7_CORNER_WIDEST + point % size);
        walk->most_stones += walk->effects[event] == W7_CORNER_FREE || walk->effects[event + 1] == W7_CORNER_FREE;
        for (int color = 0; color < 2; color++)
            if (walk->effects[event + color] != W7_CORNER_WRONG)
                walk->events[walk->event_count++] = (uint8_t)(event + color);
    }
    walk->events[walk->event_count++] = W7_CORNER_JOINED;
    return 5 * (walk->most_stones - walk->demanded) > 2 * size * size ? -1 : w7_corner_window(widest);
}

/* Sets bits of `found`, zeros before, for games of `search->group` that have one of the forms in its corner, of those of
 * `chosen` bits (NULL: all). Returns -1 where there is not enough memory. */
static int w7_corner_find(w7_index_search *search, const uint8_t *corners, const uint8_t *chosen, uint8_t *found)
{
    const w7_index_group *group = search->group;
    const size_t size = group->has_long_corners ? 4 : 2;
    w7_corner_walk walk = {.count = group->games, .found = found, .is_long = group->has_long_corners};
    uint8_t *candidates = calloc((size_t)(search->form_count * group->row_bytes) + 1, 1);
    int status = candidates == NULL ? -1 : 0;
    walk.steps = group->games;
    for (int64_t form = 0; form < search->form_count && !status && walk.steps >= 0; form++) {
        const int window = w7_corner_aim(group, &search->forms[form], corners[form], &walk);
        const int64_t list = corners[form] * W7_CORNER_WINDOWS + window;
        if (window < 0) {
            walk.steps = -1;
            break;
        }
        walk.candidates = candidates + form * group->row_bytes;
        walk.keys = group->corner_keys + list * group->games;
        walk.games = group->corner_games + (size_t)(list * group->games) * size;
        w7_corner_visit(&walk, 0, group->games, 0, 0);
        for (int64_t k = list ? group->late_ends[list - 1] : 0;
             k < group->late_ends[list] && k < group->late_count && group->late_stones[k] <= walk.most_stones; k++)
            w7_corner_set(&walk, walk.candidates, group->late_games, k);
    }
    for (int64_t k = 0; chosen != NULL && k < group->row_bytes; k++)
        found[k] &= chosen[k];
    search->candidates = walk.steps < 0 ? NULL : candidates;
    status = status ? status : w7_index_find_games(search, 0, group->games, chosen, found);
    search->candidates = NULL;
    free(candidates);
    return status;
}

#endif
