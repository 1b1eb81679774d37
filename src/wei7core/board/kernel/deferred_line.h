/* A line of moves for its last position only, whose captures are resolved late: for instruction sets that do not hold
 * planes in registers (planes_final.h).
 *
 * Stones are placed without regard to liberties until a move is on the point of a stone, or the line ends. A block that
 * has lost its last liberty by then still has none and is still the same block: nothing was removed, and all points
 * next to it have stones. One flood finds these blocks. Each lost its last liberty when the latest of its stones and
 * those next to it was placed. In this order they are removed, unless a block next to them was removed before. */
#ifndef W7_BOARD_KERNEL_DEFERRED_LINE_H
#define W7_BOARD_KERNEL_DEFERRED_LINE_H

#include "board/kernel/board.h"
#include "board/kernel/planes.h"

enum {
    W7_DEFERRED_ROWS = 24,   /* of the largest board, whose row 0 is row 1 here */
    W7_DEFERRED_PLACES = 32, /* of a row, of which the first and the last one are no points */
    W7_DEFERRED_MOST_MOVES = UINT16_MAX,
    W7_DEFERRED_MOST = 16, /* times that captures are resolved in any line */
    W7_DEFERRED_SHARE = 8, /* and moves that allow one more */
    W7_DEFERRED_MOST_STONES = W7_DEFERRED_ROWS * (W7_DEFERRED_PLACES - 2)
};

typedef struct {
    uint32_t at[32]; /* the last ones are not used: the size is a power of two */
} w7_place_rows;

/* A block without liberties. */
typedef struct {
    uint32_t order; /* twice the number of the move that took its last liberty, 1 more where that was its own stone */
    uint16_t mover; /* the place of that move, if it was not its own */
    uint16_t begin; /* of its stones in a list */
    uint16_t count;
    uint16_t color; /* 0: black, 1: white */
} w7_dead_block;

/* A move that captured stones of the opponent. */
typedef struct {
    uint32_t number; /* from 1; 0: none */
    uint16_t place;
    uint16_t dead; /* the place of one of them */
    int32_t count;
} w7_deferred_capture;

typedef struct {
    w7_place_rows stones[2]; /* black ones first */
    w7_place_rows points;
    uint16_t
        numbers[(W7_DEFERRED_ROWS + 2) * W7_DEFERRED_PLACES]; /* of the move that placed a stone, from 1; 0: none */
    w7_deferred_capture last;
    w7_deferred_capture current;
} w7_deferred_state;

/* The stones of a color among which those of `alive` have a liberty that are, or are next to, one that is alive. */
static W7_ALWAYS_INLINE uint32_t w7_deferred_spread(const w7_place_rows *stones, const w7_place_rows *alive,
                                                    w7_place_rows *next)
{
    uint32_t changed = 0;
    for (int r = 1; r <= W7_DEFERRED_ROWS; r++) {
        const uint32_t row = alive->at[r];
        const uint32_t more = stones->at[r] & (row | row << 1 | row >> 1 | alive->at[r - 1] | alive->at[r + 1]);
        changed |= more ^ row;
        next->at[r] = more;
    }
    return changed;
}

/* Finds the stones of blocks without liberties, and sets bits of the rows that have some of a color. Returns whether
 * there are any. */
static W7_ALWAYS_INLINE int w7_deferred_dead(const w7_deferred_state *state, w7_place_rows dead[2], uint32_t rows[2])
{
    w7_place_rows empty, alive[2], next[2];
    uint32_t some = 0;
    for (int edge = 0; edge <= W7_DEFERRED_ROWS + 1; edge += W7_DEFERRED_ROWS + 1) {
        empty.at[edge] = 0;
        for (int color = 0; color < 2; color++)
            alive[color].at[edge] = next[color].at[edge] = dead[color].at[edge] = 0;
    }
    for (int r = 1; r <= W7_DEFERRED_ROWS; r++)
        empty.at[r] = state->points.at[r] & ~(state->stones[0].at[r] | state->stones[1].at[r]);
    for (int r = 1; r <= W7_DEFERRED_ROWS; r++) {
        const uint32_t row = empty.at[r], liberties = row << 1 | row >> 1 | empty.at[r - 1] | empty.at[r + 1];
        alive[0].at[r] = state->stones[0].at[r] & liberties;
        alive[1].at[r] = state->stones[1].at[r] & liberties;
        some |= (state->stones[0].at[r] | state->stones[1].at[r]) & ~liberties;
    }
    if (!some)
        return 0;
    for (uint32_t changed = 1; changed;) {
        for (int color = 0; color < 2; color++)
            w7_deferred_spread(&state->stones[color], &alive[color], &next[color]);
        changed = w7_deferred_spread(&state->stones[0], &next[0], &alive[0]);
        changed |= w7_deferred_spread(&state->stones[1], &next[1], &alive[1]);
    }
    for (int color = 0; color < 2; color++) {
        rows[color] = 0;
        for (int r = 1; r <= W7_DEFERRED_ROWS; r++) {
            dead[color].at[r] = state->stones[color].at[r] & ~alive[color].at[r];
            rows[color] |= (uint32_t)(dead[color].at[r] != 0) << r;
        }
    }
    return (rows[0] | rows[1]) != 0;
}

/* Takes the block of the dead stone at `place` out of `dead`, and appends its stones to `places` from `count` on. */
static inline w7_dead_block w7_deferred_block(const w7_deferred_state *state, w7_place_rows *dead, int color,
                                              uint32_t place, uint16_t *places, uint32_t count)
{
    static const int sides[4] = {-1, 1, -W7_DEFERRED_PLACES, W7_DEFERRED_PLACES};
    const uint32_t first_row = place / W7_DEFERRED_PLACES, first_bit = (uint32_t)1 << place % W7_DEFERRED_PLACES;
    w7_dead_block block;
    uint32_t own = 0, other = 0, end = count;
    block.begin = (uint16_t)count;
    block.color = (uint16_t)color;
    block.mover = 0;
    dead->at[first_row] ^= first_bit;
    places[end++] = (uint16_t)place;
    /* Most are single stones. */
    if (((dead->at[first_row - 1] | dead->at[first_row + 1]) & first_bit) == 0 &&
        (dead->at[first_row] & (first_bit << 1 | first_bit >> 1)) == 0) {
        const uint16_t *numbers = state->numbers + place;
        const uint32_t left = (uint32_t)numbers[-1] << 16 | (place - 1),
                       right = (uint32_t)numbers[1] << 16 | (place + 1);
        const uint32_t above = (uint32_t)numbers[-W7_DEFERRED_PLACES] << 16 | (place - W7_DEFERRED_PLACES);
        const uint32_t below = (uint32_t)numbers[W7_DEFERRED_PLACES] << 16 | (place + W7_DEFERRED_PLACES);
        const uint32_t in_row = left > right ? left : right, in_column = above > below ? above : below;
        const uint32_t latest = in_row > in_column ? in_row : in_column;
        block.mover = (uint16_t)latest;
        block.count = 1;
        block.order = *numbers > latest >> 16 ? 2 * (uint32_t)*numbers + 1 : latest >> 16 << 1;
        return block;
    }
    for (; count < end; count++) {
        const uint32_t at = places[count], number = state->numbers[at];
        own = number > own ? number : own;
        for (int side = 0; side < 4; side++) {
            const uint32_t next = at + (uint32_t)sides[side], bit = (uint32_t)1 << next % W7_DEFERRED_PLACES;
            const uint32_t row = next / W7_DEFERRED_PLACES;
            if (state->stones[color].at[row] & bit) {
                if (dead->at[row] & bit) {
                    dead->at[row] ^= bit;
                    places[end++] = (uint16_t)next;
                }
            } else if (state->numbers[next] > other) {
                other = state->numbers[next];
                block.mover = (uint16_t)next;
            }
        }
    }
    block.count = (uint16_t)(end - block.begin);
    block.order = own > other ? 2 * own + 1 : 2 * other;
    return block;
}

/* Whether a point next to a block is empty: a dead one had none before another one was removed. */
static inline int w7_deferred_has_liberty(const w7_deferred_state *state, const w7_dead_block *block,
                                          const uint16_t *places)
{
    for (uint32_t k = block->begin; k < (uint32_t)block->begin + block->count; k++) {
        const uint32_t row = places[k] / W7_DEFERRED_PLACES, x = places[k] % W7_DEFERRED_PLACES;
        uint32_t empty[3];
        for (uint32_t r = 0; r < 3; r++) {
            const uint32_t at = row + r - 1;
            empty[r] = state->points.at[at] & ~(state->stones[0].at[at] | state->stones[1].at[at]);
        }
        if ((empty[0] | empty[2] | empty[1] << 1 | empty[1] >> 1) >> x & 1)
            return 1;
    }
    return 0;
}

/* Counts a ko recapture: it takes the stone of the previous move, which captured one on its point. */
static inline void w7_deferred_end_capture(w7_deferred_state *state, w7_line *line)
{
    const w7_deferred_capture *last = &state->last, *current = &state->current;
    line->ko_recaptures += last->number != 0 && last->number + 1 == current->number && last->count == 1 &&
                           current->count == 1 && last->place == current->dead && last->dead == current->place;
    state->last = state->current;
}

/* Removes the blocks that were captured since the last time. */
static W7_NOINLINE void w7_deferred_remove(w7_deferred_state *state, w7_place_rows dead[2], const uint32_t rows[2],
                                           w7_line *line)
{
    uint16_t places[W7_DEFERRED_MOST_STONES];
    w7_dead_block blocks[W7_DEFERRED_MOST_STONES];
    uint32_t count = 0, block_count = 0, removed = 0;
    for (int color = 0; color < 2; color++) {
        for (uint32_t left = rows[color]; left != 0; left &= left - 1) {
            const uint32_t r = (uint32_t)w7_lowest_bit(left);
            while (dead[color].at[r] != 0) {
                const uint32_t place = r * W7_DEFERRED_PLACES + (uint32_t)w7_lowest_bit(dead[color].at[r]);
                const w7_dead_block block = w7_deferred_block(state, &dead[color], color, place, places, count);
                uint32_t at = block_count++;
                count += block.count;
                for (; at > 0 && blocks[at - 1].order > block.order; at--)
                    blocks[at] = blocks[at - 1];
                blocks[at] = block;
            }
        }
    }
    for (const w7_dead_block *block = blocks; block < blocks + block_count; block++) {
        const uint16_t *stones = places + block->begin;
        if (removed != 0 && w7_deferred_has_liberty(state, block, places))
            continue;
        for (uint32_t k = 0; k < block->count; k++) {
            const uint32_t bit = (uint32_t)1 << stones[k] % W7_DEFERRED_PLACES, row = stones[k] / W7_DEFERRED_PLACES;
            state->stones[block->color].at[row] ^= bit;
            state->numbers[stones[k]] = 0;
        }
        removed += block->count;
        line->captured[block->color + W7_BLACK] += block->count;
        if (block->order & 1) {
            line->suicides++;
        } else if (state->current.number == block->order / 2) {
            state->current.count += block->count;
        } else {
            w7_deferred_end_capture(state, line);
            state->current.number = block->order / 2;
            state->current.place = block->mover;
            state->current.dead = stones[0];
            state->current.count = block->count;
        }
    }
}

static W7_ALWAYS_INLINE void w7_deferred_resolve(w7_deferred_state *state, w7_line *line)
{
    w7_place_rows dead[2];
    uint32_t rows[2];
    if (w7_deferred_dead(state, dead, rows))
        w7_deferred_remove(state, dead, rows, line);
}

static inline int w7_deferred_takes(const w7_grid *grid, int64_t count)
{
    return grid->has_planes && grid->width <= W7_DEFERRED_PLACES - 2 && grid->height <= W7_DEFERRED_ROWS &&
           count <= W7_DEFERRED_MOST_MOVES;
}

/* Plays `count` moves on the empty board, unless captures are resolved more than `most` times and once in eight moves:
 * then the walk takes less time. Returns whether that succeeded; else `line` is invalid. */
static W7_ALWAYS_INLINE int w7_deferred_play(const w7_grid *grid, w7_move_rows rows, int64_t count, int64_t most,
                                             w7_line *line)
{
    const uint32_t width = (uint32_t)grid->width, height = (uint32_t)grid->height;
    w7_deferred_state state;
    int64_t resolved = 0;
    memset(&state, 0, sizeof state);
    memset(line, 0, sizeof *line);
    for (uint32_t y = 0; y < height; y++)
        state.points.at[y + 1] = (((uint32_t)1 << width) - 1) << 1;
    for (int64_t next = 0; next < count; next++) {
        const w7_placement row = w7_move_next(&rows);
        const uint32_t place = ((uint32_t)row.y + 1) * W7_DEFERRED_PLACES + (uint32_t)row.x + 1;
        const uint32_t color = (uint32_t)row.color - W7_BLACK;
        if (W7_UNLIKELY(color > 1))
            return 0;
        if (W7_UNLIKELY((uint32_t)row.x >= width || (uint32_t)row.y >= height)) {
            if (row.x != -1 || row.y != -1)
                return 0;
            line->passes++;
            continue;
        }
        if (W7_UNLIKELY(state.numbers[place] != 0)) {
            w7_deferred_resolve(&state, line);
            if (state.numbers[place] != 0 || ++resolved > most + next / W7_DEFERRED_SHARE)
                return 0;
        }
        state.numbers[place] = (uint16_t)(next + 1);
        state.stones[color].at[row.y + 1] |= (uint32_t)1 << (row.x + 1);
    }
    w7_deferred_resolve(&state, line);
    w7_deferred_end_capture(&state, line);
    line->moves = count;
    for (int color = 0; color < 2; color++)
        for (uint32_t y = 0; y < height; y++)
            w7_plane_add_row(&line->stones[color], (int32_t)(y * (width + 1)), state.stones[color].at[y + 1] >> 1);
    return 1;
}

#endif
