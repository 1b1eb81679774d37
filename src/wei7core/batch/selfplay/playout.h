/* Light playouts: random moves that fill no eye, from a position to its end.
 *
 * A board of its own: what a playout never asks for is not kept, and liberties are counted once for each stone beside
 * them, so that most moves change a few numbers without a branch. */
#ifndef W7_SELFPLAY_PLAYOUT_H
#define W7_SELFPLAY_PLAYOUT_H

#include "batch/selfplay/count.h"

enum {
    W7_NEAR_BLACK = 1, /* of w7_cell.near: fields of four bits, black stones and walls in the lowest one */
    W7_NEAR_WHITE = 16,
    W7_NEAR_EMPTY = 256,
    W7_MOST_GUARDS = 5,
    W7_UNCOUNTED = 1 << 30 /* liberties of what is no chain: never 0 */
};

/* What a side of a place is: an own stone, of a chain without a liberty, of a chain around a settled place. */
enum w7_adjacent { W7_ADJACENT_OWN = 1, W7_ADJACENT_WHOLE = 2, W7_ADJACENT_GUARD = 4 };

/* A place (layout.h). */
typedef struct {
    uint16_t chain; /* of a stone: the place of one of the stones of its chain; 0, which is wall, where there is none */
    uint16_t next;  /* the stones of a chain in a circle; of a settled place the colour against its eye */
    uint16_t near;  /* how many of its four sides are what; walls count as black and as white */
    uint8_t color;
    uint8_t against; /* an eye has so many diagonals of the opponent at most, unless one chain is all around it */
} w7_cell;

typedef struct {
    int32_t liberties; /* once for each stone beside them */
    uint16_t stones;
    uint16_t guards; /* with as many liberties or more it can be taken at no settled place */
} w7_group;

/* A board that playouts are made on, with its empty places in a list. The last of the list are settled: an eye of one
 * player where the other one can take nothing, so that neither plays there. They are those that most tries at the end
 * of a game would meet. */
typedef struct {
    uint64_t random;
    int32_t empty_count;
    int32_t open_count; /* of the places that are not settled */
    uint32_t ko;        /* the place where the player may not take back at once, or 0 */
    w7_cell cells[W7_SLOT_PLACES];
    w7_group groups[W7_SLOT_PLACES]; /* of the chains, by their place */
    uint16_t empty[W7_SLOT_PLACES];
} w7_playout;

/* The next output of SplitMix64. */
static W7_ALWAYS_INLINE uint64_t w7_playout_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* A number from 0 up to `count`; each as likely as the others, but for one part in 2^32. */
static W7_ALWAYS_INLINE uint32_t w7_playout_below(uint64_t *state, uint32_t count)
{
    return (uint32_t)((w7_playout_random(state) >> 32) * count >> 32);
}

static W7_ALWAYS_INLINE void w7_group_guard(w7_group *group, int times)
{
    group->guards = (uint16_t)(group->guards > times ? group->guards : times + 1);
}

/* Whether a place without an empty side is not for the player, 1: suicide, or an eye (`Board.is_eye`); or settled, 2.
 * Few branches: most of these places are not to be played, and which of the reasons it is cannot be foretold. */
static W7_ALWAYS_INLINE int w7_playout_refuses(w7_playout *playout, int32_t stride, int color, uint32_t place)
{
    w7_cell *cell = &playout->cells[place];
    w7_group *groups = playout->groups;
    const uint32_t left = cell[-1].chain, right = cell[1].chain;
    const uint32_t above = cell[-stride].chain, below = cell[stride].chain;
    const uint32_t any = left | right | above | below;
    const int twice = left == right, left_above = left == above, left_below = left == below;
    const int right_above = right == above, right_below = right == below, both = above == below;
    const int left_times = 1 + twice + left_above + left_below, right_times = 1 + twice + right_above + right_below;
    const int above_times = 1 + left_above + right_above + both, below_times = 1 + left_below + right_below + both;
    /* whether the chain has no other liberty */
    const int left_whole = groups[left].liberties == left_times, right_whole = groups[right].liberties == right_times;
    const int above_whole = groups[above].liberties == above_times;
    const int below_whole = groups[below].liberties == below_times;
    /* It may be played where it takes something, or an own chain beside it has another liberty. */
    const int may_play = (left_whole != (cell[-1].color == color)) | (right_whole != (cell[1].color == color)) |
                         (above_whole != (cell[-stride].color == color)) |
                         (below_whole != (cell[stride].color == color));
    const int is_black = (cell->near & 15) == 4, is_white = cell->near >> 4 == 4;
    if (is_black != is_white) {
        const int against = is_black ? W7_WHITE : W7_BLACK;
        const int count = (cell[-stride - 1].color == against) + (cell[-stride + 1].color == against) +
                          (cell[stride - 1].color == against) + (cell[stride + 1].color == against);
        const int is_one = ((left == 0) | (left == any)) & ((right == 0) | (right == any)) &
                           ((above == 0) | (above == any)) & ((below == 0) | (below == any));
        const int is_eye = (count <= cell->against) | is_one;
        if (is_eye && (left_whole | right_whole | above_whole | below_whole) == 0) {
            cell->next = (uint16_t)against;
            w7_group_guard(&groups[left], left_times);
            w7_group_guard(&groups[right], right_times);
            w7_group_guard(&groups[above], above_times);
            w7_group_guard(&groups[below], below_times);
            return 2;
        }
        return (may_play == 0) | (is_eye & (color != against));
    }
    return may_play == 0;
}

/* Takes the liberty that a stone of the colour fills from what is adjacent to it. Returns the bits of w7_adjacent. */
static W7_ALWAYS_INLINE int w7_playout_touch(w7_playout *playout, w7_cell *side, int color)
{
    w7_group *group = &playout->groups[side->chain];
    const int32_t liberties = --group->liberties;
    side->near =
        (uint16_t)(side->near + (color == W7_BLACK ? W7_NEAR_BLACK - W7_NEAR_EMPTY : W7_NEAR_WHITE - W7_NEAR_EMPTY));
    return (side->color == color ? W7_ADJACENT_OWN : 0) | (liberties == 0 ? W7_ADJACENT_WHOLE : 0) |
           (liberties < group->guards ? W7_ADJACENT_GUARD : 0);
}

/* Joins the chain of a stone beside a new one to the chain that the new stone has, if it has one, 0 else; returns the
 * chain. */
static W7_ALWAYS_INLINE uint32_t w7_playout_join(w7_playout *playout, const w7_cell *side, uint32_t chain,
                                                 uint32_t place)
{
    w7_cell *cells = playout->cells;
    w7_group *groups = playout->groups;
    uint32_t next = side->chain, stone;
    uint16_t after;
    if (next == chain)
        return chain;
    if (chain == 0) { /* the stone goes into the first chain */
        cells[place].chain = (uint16_t)next;
        cells[place].next = cells[next].next;
        cells[next].next = (uint16_t)place;
        groups[next].liberties += cells[place].near / W7_NEAR_EMPTY;
        groups[next].stones++;
        return next;
    }
    if (groups[next].stones > groups[chain].stones) {
        stone = next;
        next = chain;
        chain = stone;
    }
    stone = next;
    do {
        cells[stone].chain = (uint16_t)chain;
        stone = cells[stone].next;
    } while (stone != next);
    after = cells[next].next;
    cells[next].next = cells[chain].next;
    cells[chain].next = after;
    groups[chain].liberties += groups[next].liberties;
    groups[chain].stones = (uint16_t)(groups[chain].stones + groups[next].stones);
    groups[chain].guards = (uint16_t)(groups[chain].guards + groups[next].guards);
    if (groups[chain].guards > W7_MOST_GUARDS)
        groups[chain].guards = W7_MOST_GUARDS;
    return chain;
}

/* Removes the chain of a stone; its places become empty ones of the list. Returns how many they are. */
static inline int32_t w7_playout_remove(w7_playout *playout, uint32_t stride, int color, uint32_t first)
{
    w7_cell *cells = playout->cells;
    const uint16_t change = (uint16_t)(W7_NEAR_EMPTY - (color == W7_BLACK ? W7_NEAR_BLACK : W7_NEAR_WHITE));
    const int32_t before = playout->empty_count;
    uint32_t stone = first, next;
    int is_unsettled = 0;
    do {
        const uint32_t sides[4] = {stone - 1, stone + 1, stone - stride, stone + stride};
        cells[stone].color = W7_EMPTY;
        cells[stone].chain = 0;
        playout->empty[playout->empty_count++] = playout->empty[playout->open_count];
        playout->empty[playout->open_count++] = (uint16_t)stone;
        for (int side = 0; side < 4; side++) {
            cells[sides[side]].near = (uint16_t)(cells[sides[side]].near + change);
            playout->groups[cells[sides[side]].chain].liberties++;
            is_unsettled |= (cells[sides[side]].color == W7_EMPTY) & (cells[sides[side]].next != 0);
        }
        next = cells[stone].next;
        cells[stone].next = 0;
        stone = next;
    } while (stone != first);
    if (is_unsettled)
        playout->open_count = playout->empty_count;
    playout->ko = first;
    return playout->empty_count - before;
}

/* Removes the chain of a stone that has no liberty, if it is the opponent's; returns how many stones it had. */
static W7_ALWAYS_INLINE int32_t w7_playout_take(w7_playout *playout, uint32_t stride, int other, uint32_t side)
{
    const w7_cell *cell = &playout->cells[side];
    return cell->color == other && playout->groups[cell->chain].liberties == 0
               ? w7_playout_remove(playout, stride, other, side)
               : 0;
}

/* Plays a stone on an empty place of the list and takes the place off it, unless the move is a ko recapture or suicide
 * or fills an eye: then it returns 1, or 2 for a settled place. */
static W7_ALWAYS_INLINE int w7_playout_try(w7_playout *playout, uint32_t stride, int color, int32_t at)
{
    const int other = W7_BLACK + W7_WHITE - color;
    const uint32_t place = playout->empty[at];
    w7_cell *cell = &playout->cells[place];
    w7_cell *above = cell - stride, *below = cell + stride;
    int left_is, right_is, above_is, below_is, are;
    uint32_t chain = 0;
    if (cell->near < W7_NEAR_EMPTY) {
        const int refusal = w7_playout_refuses(playout, (int32_t)stride, color, place);
        if (refusal | (place == playout->ko))
            return refusal | 1;
    }
    left_is = w7_playout_touch(playout, cell - 1, color);
    right_is = w7_playout_touch(playout, cell + 1, color);
    above_is = w7_playout_touch(playout, above, color);
    below_is = w7_playout_touch(playout, below, color);
    are = left_is | right_is | above_is | below_is;
    playout->empty[at] = playout->empty[--playout->open_count];
    playout->empty[playout->open_count] = playout->empty[--playout->empty_count];
    if ((are & W7_ADJACENT_GUARD) | (above[-1].next == color) | (above[1].next == color) | (below[-1].next == color) |
        (below[1].next == color))
        playout->open_count = playout->empty_count;
    playout->ko = 0;
    playout->groups[0].liberties = W7_UNCOUNTED;
    cell->color = (uint8_t)color;
    if (left_is & W7_ADJACENT_OWN)
        chain = w7_playout_join(playout, cell - 1, chain, place);
    if (right_is & W7_ADJACENT_OWN)
        chain = w7_playout_join(playout, cell + 1, chain, place);
    if (above_is & W7_ADJACENT_OWN)
        chain = w7_playout_join(playout, above, chain, place);
    if (below_is & W7_ADJACENT_OWN)
        chain = w7_playout_join(playout, below, chain, place);
    if (chain == 0) {
        cell->chain = cell->next = (uint16_t)place;
        playout->groups[place].liberties = cell->near / W7_NEAR_EMPTY;
        playout->groups[place].stones = 1;
        playout->groups[place].guards = 0;
    }
    if (are & W7_ADJACENT_WHOLE) {
        int32_t count = w7_playout_take(playout, stride, other, place - 1);
        count += w7_playout_take(playout, stride, other, place + 1);
        count += w7_playout_take(playout, stride, other, place - stride);
        count += w7_playout_take(playout, stride, other, place + stride);
        if (count != 1 || chain != 0 || playout->groups[place].liberties != 1)
            playout->ko = 0;
    }
    return 0;
}

/* Plays one random move of the colour; returns 0 where it has none but filling its eyes: a pass. */
static inline int w7_playout_move(w7_playout *playout, uint32_t stride, int color)
{
    int32_t count = playout->open_count;
    while (count > 0) {
        const int32_t at = (int32_t)w7_playout_below(&playout->random, (uint32_t)count);
        const uint16_t place = playout->empty[at];
        const int refusal = w7_playout_try(playout, stride, color, at);
        if (refusal == 0)
            return 1;
        /* Each is tried once: those that cannot be played come last, and after them those that are settled. */
        playout->empty[at] = playout->empty[--count];
        playout->empty[count] = place;
        if (refusal > 1) {
            playout->empty[count] = playout->empty[--playout->open_count];
            playout->empty[playout->open_count] = place;
        }
    }
    playout->ko = 0;
    return 0;
}

/* Makes the position of a board one for playouts. */
static inline void w7_playout_begin(const w7_slots *slots, const w7_slot_view *from, w7_playout *playout)
{
    const uint32_t stride = (uint32_t)slots->width + 1;
    w7_cell *cells = playout->cells;
    playout->empty_count = 0;
    playout->ko = 0;
    for (int32_t place = 0; place < slots->places; place++) {
        cells[place].chain = 0;
        cells[place].next = 0;
        cells[place].color = (uint8_t)w7_slot_color(from, (uint32_t)place);
        playout->groups[place].guards = 0;
        playout->groups[place].liberties = W7_UNCOUNTED;
    }
    for (int32_t point = 0; point < slots->points; point++) {
        const uint32_t place = slots->place_of[point];
        const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
        uint32_t head;
        int walls = 0;
        cells[place].near = 0;
        for (int side = 0; side < 4; side++) {
            const int stone = cells[sides[side]].color;
            const int near[4] = {W7_NEAR_EMPTY, W7_NEAR_BLACK, W7_NEAR_WHITE, W7_NEAR_BLACK + W7_NEAR_WHITE};
            walls += stone == W7_WALL;
            cells[place].near = (uint16_t)(cells[place].near + near[stone]);
        }
        cells[place].against = walls == 0;
        if (cells[place].color == W7_EMPTY) {
            playout->empty[playout->empty_count++] = (uint16_t)place;
            continue;
        }
        head = w7_slot_head(from, place);
        cells[place].chain = (uint16_t)head;
        cells[place].next = from->nexts[place];
        playout->groups[head].liberties = from->chains[head].liberties;
        playout->groups[head].stones = from->chains[head].stones;
    }
}

/* w7_playout_count where a region of several points is empty. */
static W7_NOINLINE int32_t w7_playout_count_regions(const w7_slots *slots, const w7_playout *playout, int32_t *owned)
{
    uint64_t sets[2][W7_SLOT_WORDS] = {{0}};
    w7_slot_count count;
    int32_t margin = 0;
    for (int32_t point = 0; point < slots->points; point++) {
        const int color = playout->cells[slots->place_of[point]].color;
        if (color != W7_EMPTY)
            w7_point_add(sets[color - W7_BLACK], point);
    }
    w7_slot_count_points(slots, sets[0], sets[1], &count);
    for (int32_t point = 0; point < slots->points; point++) {
        const int32_t value = w7_point_in(count.owned[0], point) - w7_point_in(count.owned[1], point);
        owned[point] += value;
        margin += value;
    }
    return margin;
}

/* Counts the area: Black's points less White's. Adds to owned[points] 1 where a point is Black's and -1 where it is
 * White's. */
static inline int32_t w7_playout_count(const w7_slots *slots, const w7_playout *playout, int32_t *owned)
{
    static const int8_t values[4] = {0, 1, -1, 0};
    const w7_cell *cells = playout->cells;
    int32_t margin = 0;
    for (int32_t i = 0; i < playout->empty_count; i++)
        if (cells[playout->empty[i]].near >= W7_NEAR_EMPTY)
            return w7_playout_count_regions(slots, playout, owned);
    for (int32_t y = 0, point = 0; y < slots->height; y++) {
        const w7_cell *row = cells + (y + 1) * (slots->width + 1) + 1;
        for (int32_t x = 0; x < slots->width; x++, point++) {
            const int is_black = (row[x].near & 15) == 4, is_white = row[x].near >> 4 == 4;
            const int32_t value = row[x].color != W7_EMPTY ? values[row[x].color] : is_black - is_white;
            owned[point] += value;
            margin += value;
        }
    }
    return margin;
}

/* Plays a position to its end, two passes in a row or so many moves, and counts it. */
static inline int32_t w7_playout_run(const w7_slots *slots, w7_playout *playout, int color, int32_t most_moves,
                                     int32_t *owned)
{
    const uint32_t stride = (uint32_t)slots->width + 1;
    int passes = 0;
    for (int32_t move = 0; move < most_moves && passes < 2; move++) {
        passes = w7_playout_move(playout, stride, color) ? 0 : passes + 1;
        color = W7_BLACK + W7_WHITE - color;
    }
    return w7_playout_count(slots, playout, owned);
}

/* Plays each board `times` times to its end: margins[n][times], and added to owned[n][points] a 1 for each playout in
 * which the point was Black's, -1 where it was White's. `room` is for two boards. */
static inline void w7_playouts(const w7_slots *slots, uint8_t *boards, int64_t begin, int64_t end, int64_t times,
                               uint64_t seed, int32_t most_moves, w7_playout *room, float *margins, int32_t *owned)
{
    w7_playout *first = room, *playout = room + 1;
    for (int64_t i = begin; i < end; i++) {
        const w7_slot_view from = w7_slot_view_of(slots, boards + (size_t)i * slots->stride);
        w7_playout_begin(slots, &from, first);
        for (int64_t time = 0; time < times; time++) {
            playout->empty_count = playout->open_count = first->empty_count;
            playout->ko = 0;
            memcpy(playout->cells, first->cells, (size_t)slots->places * sizeof *first->cells);
            memcpy(playout->groups, first->groups, (size_t)slots->places * sizeof *first->groups);
            memcpy(playout->empty, first->empty, (size_t)first->empty_count * sizeof *first->empty);
            /* One stream for each playout, whichever thread makes it. */
            playout->random = seed ^ (uint64_t)(i * times + time) * 0xD1B54A32D192ED03u;
            playout->random = w7_playout_random(&playout->random);
            margins[i * times + time] =
                (float)(w7_playout_run(slots, playout, from.slot->color, most_moves, owned + i * slots->points) -
                        slots->komi);
        }
    }
}

#endif
