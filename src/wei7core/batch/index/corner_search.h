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
    uint16_t empty;  /* samples of that window that are empty then */
    uint8_t *found;
    uint8_t *others; /* bits, for a while */
    uint8_t *candidates;
    int has_candidates;
    int64_t steps; /* remaining ones of a search that is worth it */
} w7_corner_walk;

W7_INDEX_LOOPS_BEGIN

static inline uint32_t w7_corner_game(const w7_corner_walk *walk, const uint8_t *games, int64_t k)
{
    return walk->is_long ? ((const uint32_t *)(const void *)games)[k] : ((const uint16_t *)(const void *)games)[k];
}

static inline void w7_corner_set(uint8_t *bits, int64_t count, uint32_t game)
{
    static const uint8_t masks[8] = {1, 2, 4, 8, 16, 32, 64, 128}; /* read in less time than a shift takes */
    if (game < count)
        bits[game >> 3] |= masks[game & 7];
}

/* Sets the bits of the games of the keys from `begin` up to `end`. */
static void w7_corner_set_all(const w7_corner_walk *walk, uint8_t *bits, int64_t begin, int64_t end)
{
    const uint16_t *games = (const uint16_t *)(const void *)walk->games;
    const int64_t count = walk->count;
    if (walk->is_long) {
        for (int64_t k = begin; k < end; k++)
            w7_corner_set(bits, count, w7_corner_game(walk, walk->games, k));
    } else {
        for (int64_t k = begin; k < end; k++)
            w7_corner_set(bits, count, games[k]);
    }
}

/* The same, where these are most games. `others` has room for the bits of all. */
static W7_COLD void w7_corner_set_most(const w7_corner_walk *walk, uint8_t *bits, int64_t begin, int64_t end,
                                       uint8_t *others)
{
    const int64_t bytes = (walk->count + 7) / 8;
    memset(others, 0, (size_t)bytes);
    w7_corner_set_all(walk, others, 0, begin);
    w7_corner_set_all(walk, others, end, walk->count);
    for (int64_t k = 0; k < bytes; k++)
        bits[k] |= (uint8_t)~others[k];
    if (walk->count & 7)
        bits[bytes - 1] &= (uint8_t)((1 << (walk->count & 7)) - 1);
}

/* Finds for each of `count` keys the first from `begin` up to `end` that is not less. All are searched at once, since
 * each step waits for memory. */
static W7_NOINLINE void w7_corner_bounds(const uint64_t *keys, int64_t begin, int64_t end, const uint64_t *wanted,
                                         int count, int64_t *bounds)
{
    for (int k = 0; k < count; k++)
        bounds[k] = begin;
    for (int64_t size = end - begin; size > 0; size /= 2) {
        const int64_t half = (size + 1) / 2;
        for (int k = 0; k < count; k++)
            bounds[k] += keys[bounds[k] + half - 1] < wanted[k] ? half : 0;
    }
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
static W7_NOINLINE void w7_corner_follow(w7_corner_walk *walk, int64_t k, int at, int put)
{
    for (;; at++) {
        const int event = at < W7_CORNER_EVENTS ? (int)(walk->keys[k] >> (56 - 8 * at) & 255) : 0;
        if (put == walk->demanded && event < W7_CORNER_JOINED) {
            w7_corner_set(walk->found, walk->count, w7_corner_game(walk, walk->games, k));
            return;
        }
        if (at == W7_CORNER_EVENTS) {
            w7_corner_set(walk->candidates, walk->count, w7_corner_game(walk, walk->games, k));
            walk->has_candidates = 1;
        }
        if (walk->effects[event] == W7_CORNER_WRONG)
            return;
        put = w7_corner_next(walk, event, put);
    }
}

/* Decides of games with the same first `depth` events, which put `put` of the stones that are demanded. It calls itself
 * for each of the events of a key at most. */
static void w7_corner_visit(w7_corner_walk *walk, int64_t begin, int64_t end, int depth, int put)
{
    enum { FEW = 24, AT_ONCE = 8 };
    const int shift = 56 - 8 * depth;
    int event = 0;
    uint64_t before;
    walk->steps -= 1 + (end - begin <= FEW ? end - begin : 0);
    if (walk->steps < 0)
        return;
    if (depth == W7_CORNER_EVENTS) {
        w7_corner_set_all(walk, put == walk->demanded ? walk->found : walk->candidates, begin, end);
        walk->has_candidates |= put != walk->demanded;
        return;
    }
    if (end - begin <= FEW) {
        for (int64_t k = begin; k < end; k++)
            w7_corner_follow(walk, k, depth, put);
        return;
    }
    before = depth ? walk->keys[begin] >> (shift + 8) << (shift + 8) : 0;
    if (put == walk->demanded) {
        const uint64_t joined = before | (uint64_t)W7_CORNER_JOINED << shift;
        int64_t middle;
        w7_corner_bounds(walk->keys, begin, end, &joined, 1, &middle);
        if (2 * (middle - begin) > walk->count)
            w7_corner_set_most(walk, walk->found, begin, middle, walk->others);
        else
            w7_corner_set_all(walk, walk->found, begin, middle);
        begin = middle;
        event = walk->event_count - 1;
    }
    for (int count; event < walk->event_count && begin < end; event += count) {
        uint64_t wanted[2 * AT_ONCE];
        int64_t bounds[2 * AT_ONCE];
        count = walk->event_count - event < AT_ONCE ? walk->event_count - event : AT_ONCE;
        for (int k = 0; k < count; k++) {
            wanted[2 * k] = before | (uint64_t)walk->events[event + k] << shift;
            wanted[2 * k + 1] = wanted[2 * k] + ((uint64_t)1 << shift);
        }
        w7_corner_bounds(walk->keys, begin, end, wanted, 2 * count, bounds);
        for (int k = 0; k < count; k++)
            if (bounds[2 * k] < bounds[2 * k + 1])
                w7_corner_visit(walk, bounds[2 * k], bounds[2 * k + 1], depth + 1,
                                w7_corner_next(walk, walk->events[event + k], put));
        begin = bounds[2 * count - 1];
    }
}

enum { W7_CORNER_AT_ONCE = 128 };

/* Whether one of some late games had all of the `empty` samples empty. */
static inline int w7_corner_has_emptied(const uint16_t *emptied, uint16_t empty)
{
    uint16_t is_one = 0;
    for (int k = 0; k < W7_CORNER_AT_ONCE; k++)
        is_one |= (uint16_t)(empty & ~emptied[k]) ? 0 : 1;
    return is_one;
}

/* Adds to the candidates the games of a list in which the pattern may be there after a stone was taken away. */
static void w7_corner_add_late(w7_corner_walk *walk, const w7_index_group *group, int64_t list)
{
    const uint16_t *emptied = group->late_emptied;
    const int64_t end = group->late_ends[list] < group->late_count ? group->late_ends[list] : group->late_count;
    int64_t begin = list ? group->late_ends[list - 1] : 0;
    for (int64_t k = begin; k < end && group->late_stones[k] <= walk->most_stones; k++) {
        if (emptied != NULL && k == begin && end - k >= W7_CORNER_AT_ONCE) {
            begin += W7_CORNER_AT_ONCE;
            if (!w7_corner_has_emptied(emptied + k, walk->empty)) {
                k = begin - 1;
                continue;
            }
        }
        if (emptied != NULL && walk->empty & ~emptied[k])
            continue;
        w7_corner_set(walk->candidates, walk->count, w7_corner_game(walk, group->late_games, k));
        walk->has_candidates = 1;
    }
}

/* Keeps of the candidates those that had a stone, at some time, where the form has one, and adds them to `some`. Returns
 * whether there are any. */
static int w7_corner_keep(const w7_index_group *group, const w7_index_form *of, uint8_t *restrict candidates,
                          uint8_t *restrict some)
{
    const int64_t bytes = group->row_bytes;
    for (int64_t k = 0; k < of->colored + of->stones; k++) {
        const uint8_t *black = group->black + of->points[k] * bytes, *white = group->white + of->points[k] * bytes;
        if (!w7_index_and_rows(candidates, of->allowed[k] == W7_INDEX_WHITE ? white : black,
                               of->allowed[k] == W7_INDEX_BLACK ? black : white, bytes))
            return 0;
    }
    for (int64_t k = 0; k < bytes; k++)
        some[k] |= candidates[k];
    return 1;
}

W7_INDEX_LOOPS_END

/* Finds out what events are to a form in a corner. Returns the window that has all of its points, -1 where none has, and
 * where too many of its points are free. */
static int w7_corner_aim(const w7_index_group *group, const w7_index_form *of, int corner, w7_corner_walk *walk)
{
    int32_t widest = 1, width, size;
    int window;
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
    window = w7_corner_window(widest);
    size = w7_corner_sizes[window];
    walk->event_count = walk->most_stones = 0;
    for (int point = 0; point < size * size; point++) {
        const int event = 1 + 2 * (point / size * W7_CORNER_WIDEST + point % size), count = walk->event_count;
        for (int color = 0; color < 2; color++)
            if (walk->effects[event + color] != W7_CORNER_WRONG)
                walk->events[walk->event_count++] = (uint8_t)(event + color);
        walk->most_stones += walk->event_count > count;
    }
    walk->empty = 0;
    for (int k = 0; k < W7_CORNER_SAMPLES; k++) {
        const int event = w7_corner_sample(window * W7_CORNER_SAMPLES + k);
        walk->empty |=
            (uint16_t)((walk->effects[event] == W7_CORNER_WRONG && walk->effects[event + 1] == W7_CORNER_WRONG) << k);
    }
    walk->events[walk->event_count++] = W7_CORNER_JOINED;
    return 5 * (walk->most_stones - walk->demanded) > 2 * size * size ? -1 : window;
}

/* Sets bits of `found`, zeros before, for games of `search->group` that have one of the forms in its corner, of those of
 * `chosen` bits (NULL: all). Returns -1 where there is not enough memory. */
static int w7_corner_find(w7_index_search *search, const uint8_t *corners, const uint8_t *chosen, uint8_t *found)
{
    const w7_index_group *group = search->group;
    const size_t size = group->has_long_corners ? 4 : 2;
    const int64_t row_bytes = group->row_bytes, forms = search->form_count;
    w7_corner_walk walk = {.count = group->games, .found = found, .is_long = group->has_long_corners};
    /* After those of the forms there is a row for candidates of any of them, and one for `others`. */
    uint8_t *candidates = calloc((size_t)((forms + 2) * row_bytes) + 1, 1), *some;
    int status = 0, has_some = 0;
    if (candidates == NULL)
        return -1;
    some = candidates + forms * row_bytes;
    walk.others = some + row_bytes;
    walk.steps = group->games;
    for (int64_t form = 0; form < forms && walk.steps >= 0; form++) {
        const int window = w7_corner_aim(group, &search->forms[form], corners[form], &walk);
        const int64_t list = corners[form] * W7_CORNER_WINDOWS + window;
        if (window < 0) {
            walk.steps = -1;
            break;
        }
        walk.candidates = candidates + form * row_bytes;
        walk.keys = group->corner_keys + list * group->games;
        walk.games = group->corner_games + (size_t)(list * group->games) * size;
        walk.has_candidates = 0;
        w7_corner_visit(&walk, 0, group->games, 0, 0);
        w7_corner_add_late(&walk, group, list);
        has_some |= walk.has_candidates && w7_corner_keep(group, &search->forms[form], walk.candidates, some);
    }
    for (int64_t k = 0; chosen != NULL && k < row_bytes; k++)
        found[k] &= chosen[k];
    if (walk.steps < 0) {
        status = w7_index_find_games(search, 0, group->games, chosen, found);
    } else if (has_some) {
        for (int64_t k = 0; chosen != NULL && k < row_bytes; k++)
            some[k] &= chosen[k];
        search->candidates = candidates;
        status = w7_index_find_games(search, 0, group->games, some, found);
        search->candidates = NULL;
    }
    free(candidates);
    return status;
}

#endif
