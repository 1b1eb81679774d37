/* What happened in the corners of games: the first events in some windows of each corner, as a number. In the order of
 * these numbers games that begin in the same way are neighbors.
 *
 * An event is a byte: a stone of a color on a point of the window. Zeros follow the last one. JOINED precedes an event
 * where the position before it is that of no frame: some starts and setups have several stones. Events end at the first
 * frame that takes a stone away, or has more stones than there is room for; of all later frames no more is known than
 * the fewest stones in the window, and which of 16 points of it were empty in one of them. */
#ifndef W7_BATCH_INDEX_CORNER_HISTORIES_H
#define W7_BATCH_INDEX_CORNER_HISTORIES_H

#include <stdlib.h>

#include "batch/index/game_store.h"
#include "board/kernel/bits.h"

enum {
    W7_CORNERS = 4,
    W7_CORNER_WINDOWS = 4,
    W7_CORNER_LISTS = W7_CORNERS * W7_CORNER_WINDOWS, /* by corner and window */
    W7_CORNER_EVENTS = 8,
    W7_CORNER_SAMPLES = 16,
    W7_CORNER_WIDEST = 10,
    W7_CORNER_MOST_POINTS = 1 << 10,
    W7_CORNER_JOINED = 254,
    W7_CORNER_UNKNOWN = 255, /* the only event, where no frame is known */
    W7_CORNER_NEVER = 255    /* instead of the fewest stones, where no stone was taken away */
};

typedef struct {
    uint64_t key;
    uint64_t added; /* in this frame */
    uint8_t length;
    uint8_t fewest;
    uint16_t emptied;
    uint8_t puts;
    uint8_t is_touched;
    uint8_t has_removal;
} w7_corner_state;

typedef struct {
    uint8_t corners[W7_CORNER_MOST_POINTS]; /* bits of those that have the point in a window */
    uint8_t events[W7_CORNERS][W7_CORNER_MOST_POINTS];
    uint8_t windows[W7_CORNERS][W7_CORNER_MOST_POINTS]; /* the first one that has it */
    w7_corner_state states[W7_CORNERS][W7_CORNER_WINDOWS];
    /* How many windows get further events; where one gets none, wider ones get none. */
    int open[W7_CORNERS];
    int stones[W7_CORNERS][W7_CORNER_WINDOWS]; /* by the first window that has them */
    /* Bits of the samples of the windows, 16 each: those of a point, and those that have a stone. */
    uint64_t samples[W7_CORNERS][W7_CORNER_MOST_POINTS];
    uint64_t occupied[W7_CORNERS];
} w7_corner_work;

typedef struct {
    uint64_t key;
    uint32_t game;
} w7_corner_entry;

static const uint8_t w7_corner_sizes[W7_CORNER_WINDOWS] = {3, 5, 7, W7_CORNER_WIDEST};
/* The rows and the columns of the samples of a window: points that most patterns of its size have. */
static const uint8_t w7_corner_lines[W7_CORNER_WINDOWS][4] = {{0, 1, 2, 2}, {1, 2, 3, 4}, {1, 2, 3, 5}, {1, 3, 5, 7}};

/* The first window of at least so many rows and columns. */
static inline int w7_corner_window(int32_t width)
{
    int window = 0;
    while (w7_corner_sizes[window] < width)
        window++;
    return window;
}

/* The event of Black on a point of the board, as it is in a corner; 0 where it is in no window. `width` becomes that of
 * the part of the corner that extends to it. */
static inline int w7_corner_event(const w7_index_group *group, int corner, int64_t point, int32_t *width)
{
    const int32_t column = (int32_t)point % group->width, row = (int32_t)point / group->width;
    const int32_t x = corner & 1 ? group->width - 1 - column : column, y = corner & 2 ? group->height - 1 - row : row;
    *width = (x > y ? x : y) + 1;
    return *width > W7_CORNER_WIDEST ? 0 : 1 + 2 * (y * W7_CORNER_WIDEST + x);
}

/* The event of Black on a sample, counted from those of the smallest window. */
static inline int w7_corner_sample(int k)
{
    const uint8_t *lines = w7_corner_lines[k / W7_CORNER_SAMPLES];
    return 1 + 2 * (lines[k / 4 % 4] * W7_CORNER_WIDEST + lines[k % 4]);
}

/* Ends a frame that has several changes, or is the first one. */
static void w7_corner_settle(w7_corner_work *work, int corner, int is_first)
{
    int stones = 0;
    for (int window = 0; window < W7_CORNER_WINDOWS; window++) {
        w7_corner_state *state = &work->states[corner][window];
        const int bytes = 2 * state->puts - !is_first, room = W7_CORNER_EVENTS - state->length;
        const int is_open = window < work->open[corner];
        stones += work->stones[corner][window];
        if (!state->is_touched)
            continue;
        if (state->fewest != W7_CORNER_NEVER || state->has_removal || (is_open && room && bytes > room)) {
            const uint8_t fewest = stones < 0 ? 0 : (uint8_t)stones;
            if (is_first)
                state->key = W7_CORNER_UNKNOWN;
            state->fewest = fewest < state->fewest ? fewest : state->fewest;
            state->emptied |= (uint16_t)~(work->occupied[corner] >> W7_CORNER_SAMPLES * window);
            work->open[corner] = is_open ? window : work->open[corner];
        } else if (is_open && room) {
            const uint64_t mask = bytes == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * bytes) - 1;
            state->key = (bytes == 8 ? 0 : state->key << 8 * bytes) | (state->added & mask);
            state->length = (uint8_t)(state->length + bytes);
        } else {
            work->open[corner] = is_open ? window : work->open[corner];
        }
        state->added = 0;
        state->puts = state->is_touched = state->has_removal = 0;
    }
}

/* Adds a change of a frame that has several, or is the first one. Returns bits of the corners that it is in. */
static uint32_t w7_corner_change(w7_corner_work *work, uint32_t point, int is_white, int is_removed)
{
    for (uint32_t corners = work->corners[point]; corners; corners &= corners - 1) {
        const int corner = w7_lowest_bit(corners);
        int window = work->windows[corner][point];
        work->occupied[corner] ^= work->samples[corner][point];
        work->stones[corner][window] += is_removed ? -1 : 1;
        for (; window < W7_CORNER_WINDOWS; window++) {
            w7_corner_state *state = &work->states[corner][window];
            state->is_touched = 1;
            state->has_removal |= (uint8_t)is_removed;
            if (is_removed)
                continue;
            state->added =
                state->added << 16 | W7_CORNER_JOINED << 8 | (uint64_t)(work->events[corner][point] + is_white);
            state->puts += state->puts < W7_CORNER_EVENTS;
        }
    }
    return work->corners[point];
}

W7_INDEX_LOOPS_BEGIN

/* Adds a frame that puts one stone, as most do. */
static void w7_corner_put(w7_corner_work *work, uint32_t point, int is_white)
{
    for (uint32_t corners = work->corners[point]; corners; corners &= corners - 1) {
        const int corner = w7_lowest_bit(corners);
        int window = work->windows[corner][point];
        work->occupied[corner] ^= work->samples[corner][point];
        work->stones[corner][window]++;
        for (; window < work->open[corner]; window++) {
            w7_corner_state *state = &work->states[corner][window];
            if (state->length == W7_CORNER_EVENTS) {
                work->open[corner] = window;
                break;
            }
            state->key = state->key << 8 | (uint64_t)(work->events[corner][point] + is_white);
            state->length++;
        }
    }
}

W7_INDEX_LOOPS_END

/* Finds out which windows have the points of a board of at most W7_CORNER_MOST_POINTS. */
static void w7_corner_begin(const w7_index_group *group, w7_corner_work *work)
{
    memset(work->corners, 0, sizeof work->corners);
    for (int corner = 0; corner < W7_CORNERS; corner++)
        for (int64_t point = 0; point < group->points; point++) {
            int32_t width;
            const int event = w7_corner_event(group, corner, point, &width);
            work->events[corner][point] = (uint8_t)event;
            work->windows[corner][point] = (uint8_t)(event ? w7_corner_window(width) : 0);
            work->corners[point] |= (uint8_t)((event > 0) << corner);
            work->samples[corner][point] = 0;
            for (int k = 0; k < W7_CORNER_WINDOWS * W7_CORNER_SAMPLES && event; k++)
                work->samples[corner][point] |= (uint64_t)(w7_corner_sample(k) == event) << k;
        }
}

W7_INDEX_LOOPS_BEGIN

/* Writes for each list and game of a group the first events, the fewest stones, and the points that were empty. */
static void w7_corner_gather(const w7_index_group *group, w7_corner_work *work, uint64_t *keys, uint8_t *fewest,
                             uint16_t *emptied)
{
    w7_corner_begin(group, work);
    for (int64_t game = 0; game < group->games; game++) {
        const w7_index_game at = w7_index_game_at(group, game);
        int64_t change = at.change_begin;
        memset(work->states, 0, sizeof work->states);
        memset(work->stones, 0, sizeof work->stones);
        memset(work->occupied, 0, sizeof work->occupied);
        for (int list = 0; list < W7_CORNER_LISTS; list++) {
            work->open[list / W7_CORNER_WINDOWS] = W7_CORNER_WINDOWS;
            work->states[list / W7_CORNER_WINDOWS][list % W7_CORNER_WINDOWS].fewest = W7_CORNER_NEVER;
        }
        for (int64_t frame = at.begin; frame < at.end; frame++) {
            uint32_t code = w7_index_code(group->moves, group->is_wide, frame), corners = 0;
            const int is_put = (code & 3) && code >> 2 < group->points;
            if (frame > at.begin && (change == at.change_end || group->change_frames[change] > frame)) {
                if (is_put)
                    w7_corner_put(work, code >> 2, (code & 3) != 1);
                continue;
            }
            if (is_put)
                corners |= w7_corner_change(work, code >> 2, (code & 3) != 1, 0);
            for (; change < at.change_end && group->change_frames[change] <= frame; change++) {
                code = w7_index_code(group->changes, group->is_wide, change);
                if (code >> 2 < group->points)
                    corners |= w7_corner_change(work, code >> 2, (int)(code & 1), (int)(code >> 1 & 1));
            }
            for (; corners; corners &= corners - 1)
                w7_corner_settle(work, w7_lowest_bit(corners), frame == at.begin);
        }
        for (int list = 0; list < W7_CORNER_LISTS; list++) {
            const w7_corner_state *state = &work->states[list / W7_CORNER_WINDOWS][list % W7_CORNER_WINDOWS];
            uint64_t key = state->length ? state->key << 8 * (W7_CORNER_EVENTS - state->length) : 0;
            if (at.begin == at.end || state->key == W7_CORNER_UNKNOWN)
                key = (uint64_t)W7_CORNER_UNKNOWN << 56;
            keys[list * group->games + game] = key;
            fewest[list * group->games + game] = state->fewest;
            emptied[list * group->games + game] = state->emptied;
        }
    }
}

/* Orders the keys of a list, and writes of which games they are. `entries` has room for twice as many. */
static void w7_corner_order(uint64_t *keys, int64_t count, w7_corner_entry *entries, void *games, int is_long)
{
    w7_corner_entry *from = entries, *to = entries + count;
    for (int64_t k = 0; k < count; k++)
        entries[k] = (w7_corner_entry){keys[k], (uint32_t)k};
    for (int shift = 0; shift < 64; shift += 8) {
        int64_t places[257] = {0};
        w7_corner_entry *other = from;
        for (int64_t k = 0; k < count; k++)
            places[(from[k].key >> shift & 255) + 1]++;
        for (int k = 0; k < 256; k++)
            places[k + 1] += places[k];
        for (int64_t k = 0; k < count; k++)
            to[places[from[k].key >> shift & 255]++] = from[k];
        from = to;
        to = other;
    }
    for (int64_t k = 0; k < count; k++) {
        keys[k] = entries[k].key;
        if (is_long)
            ((uint32_t *)games)[k] = entries[k].game;
        else
            ((uint16_t *)games)[k] = (uint16_t)entries[k].game;
    }
}

W7_INDEX_LOOPS_END

/* Writes for each list of a group, whose board has at most W7_CORNER_MOST_POINTS points, the first events of its games in
 * ascending order, of which games they are (numbers of 2 bytes, or of 4), and in the order of games the fewest stones and
 * the points that were empty. Returns -1 where there is not enough memory. */
static int w7_corner_histories(const w7_index_group *group, uint64_t *keys, uint8_t *fewest, uint16_t *emptied,
                               void *games, int is_long)
{
    const int64_t count = group->games;
    w7_corner_work *work = malloc(sizeof *work);
    w7_corner_entry *entries = malloc((2 * (size_t)count + 1) * sizeof *entries);
    const int status = work == NULL || entries == NULL ? -1 : 0;
    if (!status) {
        w7_corner_gather(group, work, keys, fewest, emptied);
        for (int64_t list = 0; list < W7_CORNER_LISTS; list++)
            w7_corner_order(keys + list * count, count, entries, (uint8_t *)games + (list * count << (1 + is_long)),
                            is_long);
    }
    free(entries);
    free(work);
    return status;
}

#endif
