/* Light playouts: random moves that fill no eye, from a position to its end.
 *
 * A board of its own: what a playout never needs is not stored, and liberties are counted once for each stone adjacent
 * to them, so that most moves change a few numbers. Which branch a random move takes cannot be predicted, so that
 * arithmetic replaces branches where it can. */
#ifndef W7_BATCH_SELFPLAY_PLAYOUT_H
#define W7_BATCH_SELFPLAY_PLAYOUT_H

#include "batch/selfplay/count.h"

enum {
    W7_GROUP_STEP = 0x10000 - 1,                    /* of w7_group.count: one liberty more */
    W7_GROUP_NONE = 0x7FFF,                         /* no liberty, no guard */
    W7_GROUP_UNCOUNTED = 0x4000 * 0x10000 + 0x4000, /* of what is no chain: never without a liberty, never guarded */
    W7_GUARD = 5, /* liberties of a chain that can be taken at no settled place, which has four sides */
    W7_MARK_SHIFT = 2
};

/* What an empty place is for a player. */
enum { W7_PLACE_OPEN, W7_PLACE_REFUSED, W7_PLACE_SETTLED };

/* A place (layout.h). Walls have the colour that is black and white. */
typedef struct {
    uint16_t chains[2]; /* Black's and White's: of a stone the place of one of the stones of its chain; else 0 */
    uint16_t next;      /* the stones of a chain in a circle */
    uint8_t color;      /* of a settled place, shifted by W7_MARK_SHIFT, the colour against its eye */
    uint8_t empties;    /* how many of its four sides are empty */
} w7_cell;

/* Of `count`, the upper half is the number of liberties, once for each stone adjacent to them. The lower one is
 * W7_GROUP_NONE + guards - liberties: with as many liberties as guards or more the chain can be taken at no settled
 * place. */
typedef struct {
    uint32_t count;
    uint32_t stones;
} w7_group;

/* Of the counts of chains less a liberty more than they have: whether one has no liberty, whether one is guarded. */
#define W7_SIDES_WHOLE 0x80000000u
#define W7_SIDES_GUARDED 0x8000u

/* What is adjacent to a move. */
typedef struct {
    uint32_t counts; /* the bits above, after the move */
    uint32_t any;    /* the bits of all own chains */
    uint32_t sum;    /* of own chains, once for each side */
    uint32_t own;    /* how many sides are own stones */
} w7_sides;

/* A board that playouts are made on, with its empty places in a list. The last of the list are settled: an eye of one
 * player where the other one can take nothing, so that neither plays there. Most tries at the end of a game would
 * meet them. */
typedef struct {
    uint64_t random;
    uint64_t number; /* of 32 bits, the next random one */
    int32_t empty_count;
    int32_t open_count; /* of the places that are not settled */
    uint32_t ko;        /* the place where the player may not take back at once, or 0 */
    w7_cell cells[W7_SLOT_PLACES];
    w7_group groups[W7_SLOT_PLACES]; /* of the chains, by their place */
    uint16_t empty[W7_SLOT_PLACES];
    uint8_t sides[W7_SLOT_PLACES]; /* that are no walls */
} w7_playout;

/* The next output of SplitMix64 but for its last step, which changes one of the upper half of the bits. */
static W7_ALWAYS_INLINE uint64_t w7_playout_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    return (z ^ (z >> 27)) * 0x94D049BB133111EBu;
}

/* A number from 0 up to `count`; each as likely as the others, but for one part in 2^32. The one after it is made in
 * advance: where a branch was not predicted, nothing waits for it. */
static W7_ALWAYS_INLINE uint32_t w7_playout_below(w7_playout *playout, uint32_t count)
{
    const uint64_t number = playout->number;
    playout->number = w7_playout_random(&playout->random) >> 32;
    return (uint32_t)(number * count >> 32);
}

static W7_ALWAYS_INLINE int32_t w7_group_liberties(const w7_group *group)
{
    return (int32_t)(group->count >> 16);
}

static W7_ALWAYS_INLINE uint32_t w7_cell_chain(const w7_cell *cell)
{
    return (uint32_t)cell->chains[0] | cell->chains[1];
}

/* Takes the liberty that a stone fills from a side. */
static W7_ALWAYS_INLINE void w7_playout_touch(w7_playout *playout, w7_cell *side, int own, w7_sides *sides)
{
    const uint32_t chain = side->chains[own];
    w7_group *group = &playout->groups[chain | side->chains[1 - own]];
    const uint32_t count = group->count - W7_GROUP_STEP;
    group->count = count;
    side->empties--;
    sides->counts |= count - 0x10000;
    sides->any |= chain;
    sides->sum += chain;
    sides->own += chain != 0;
}

static W7_ALWAYS_INLINE void w7_group_guard(w7_group *group)
{
    group->count = W7_GROUP_NONE + W7_GUARD + (group->count >> 16) * W7_GROUP_STEP;
}

/* Whether a place, none of whose sides is empty, is an eye of the colour `enclosed` that alone is around it; 0 is none,
 * and walls are both. */
static W7_ALWAYS_INLINE int w7_playout_is_eye(const w7_playout *playout, int32_t stride, uint32_t place, int enclosed,
                                              uint32_t any, uint32_t sum)
{
    const w7_cell *cell = &playout->cells[place];
    const int against = W7_WALL - enclosed;
    const int count = (cell[-stride - 1].color == against) + (cell[-stride + 1].color == against) +
                      (cell[stride - 1].color == against) + (cell[stride + 1].color == against);
    const uint32_t sides = playout->sides[place];
    /* No chain is greater than all bits of them: the sum is that of so many equal ones where they are one chain. */
    return ((count <= (int)(sides >> 2)) | (sum == any * sides)) & (against != 0) & (enclosed != 0);
}

/* What an empty place without an empty side is for the player: of no use, W7_PLACE_REFUSED: suicide, or an eye
 * (`Board.is_eye`), or a ko recapture; or settled. */
static W7_NOINLINE int w7_playout_look(w7_playout *playout, int32_t stride, int color, uint32_t place)
{
    w7_cell *cell = &playout->cells[place];
    w7_group *groups = playout->groups;
    const int enclosed = cell[-1].color & cell[1].color & cell[-stride].color & cell[stride].color;
    const uint32_t left = w7_cell_chain(cell - 1), right = w7_cell_chain(cell + 1);
    const uint32_t above = w7_cell_chain(cell - stride), below = w7_cell_chain(cell + stride);
    const int twice = left == right, left_above = left == above, left_below = left == below;
    const int right_above = right == above, right_below = right == below, both = above == below;
    /* whether the chain has no other liberty */
    const int left_whole = w7_group_liberties(&groups[left]) == 1 + twice + left_above + left_below;
    const int right_whole = w7_group_liberties(&groups[right]) == 1 + twice + right_above + right_below;
    const int above_whole = w7_group_liberties(&groups[above]) == 1 + left_above + right_above + both;
    const int below_whole = w7_group_liberties(&groups[below]) == 1 + left_below + right_below + both;
    const int is_eye =
        w7_playout_is_eye(playout, stride, place, enclosed, left | right | above | below, left + right + above + below);
    if (is_eye & ((left_whole | right_whole | above_whole | below_whole) == 0)) {
        cell->color = (uint8_t)((W7_WALL - enclosed) << W7_MARK_SHIFT);
        w7_group_guard(&groups[left]);
        w7_group_guard(&groups[right]);
        w7_group_guard(&groups[above]);
        w7_group_guard(&groups[below]);
        return W7_PLACE_SETTLED;
    }
    /* It may be played where it takes something, or an own chain adjacent to it has another liberty. */
    return (left_whole != (cell[-1].color == color)) | (right_whole != (cell[1].color == color)) |
                   (above_whole != (cell[-stride].color == color)) | (below_whole != (cell[stride].color == color))
               ? (is_eye & (enclosed == color)) | (place == playout->ko)
               : W7_PLACE_REFUSED;
}

/* Makes two chains one, the one with more stones; returns it. */
static W7_ALWAYS_INLINE uint32_t w7_playout_join(w7_playout *playout, int own, uint32_t chain, uint32_t other)
{
    w7_cell *cells = playout->cells;
    w7_group *groups = playout->groups;
    const uint32_t is_less = 0 - (uint32_t)(groups[chain].stones < groups[other].stones);
    const uint32_t changed = (chain ^ other) & is_less, next = other ^ changed;
    uint32_t stone = next, guards, count;
    uint16_t after;
    chain ^= changed;
    do {
        cells[stone].chains[own] = (uint16_t)chain;
        stone = cells[stone].next;
    } while (stone != next);
    after = cells[next].next;
    cells[next].next = cells[chain].next;
    cells[chain].next = after;
    count = groups[chain].count + groups[next].count - W7_GROUP_NONE;
    guards = (count & 0xFFFF) + (count >> 16) - W7_GROUP_NONE;
    groups[chain].count = count - (guards > W7_GUARD ? guards - W7_GUARD : 0);
    groups[chain].stones += groups[next].stones;
    return chain;
}

/* The greater and the less of two numbers, without a branch. */
static W7_ALWAYS_INLINE uint32_t w7_playout_most(uint32_t a, uint32_t b)
{
    return a ^ ((a ^ b) & (0 - (uint32_t)(a < b)));
}

static W7_ALWAYS_INLINE uint32_t w7_playout_least(uint32_t a, uint32_t b)
{
    return b ^ ((a ^ b) & (0 - (uint32_t)(a < b)));
}

/* Makes the own chains adjacent to a place one; returns it. There are several, as a rule two. */
static W7_NOINLINE uint32_t w7_playout_join_sides(w7_playout *playout, uint32_t stride, int own, uint32_t place)
{
    const w7_cell *cell = playout->cells + place;
    for (;;) {
        const uint32_t left = cell[-1].chains[own], right = cell[1].chains[own];
        const uint32_t above = cell[-(int32_t)stride].chains[own], below = cell[stride].chains[own];
        const uint32_t most = w7_playout_most(w7_playout_most(left, right), w7_playout_most(above, below));
        /* Without the chains that are 0. */
        const uint32_t least =
            w7_playout_least(w7_playout_least(left - 1, right - 1), w7_playout_least(above - 1, below - 1)) + 1;
        if (most == least)
            return most;
        w7_playout_join(playout, own, most, least);
    }
}

/* Removes the chain of a stone; its places become empty ones of the list. Returns how many they are. */
static W7_NOINLINE int32_t w7_playout_remove(w7_playout *playout, uint32_t stride, int color, uint32_t first)
{
    w7_cell *cells = playout->cells;
    const int32_t before = playout->empty_count;
    uint32_t stone = first;
    int marks = 0;
    do {
        const uint32_t sides[4] = {stone - 1, stone + 1, stone - stride, stone + stride};
        cells[stone].color = W7_EMPTY;
        cells[stone].chains[color - W7_BLACK] = 0;
        playout->empty[playout->empty_count++] = playout->empty[playout->open_count];
        playout->empty[playout->open_count++] = (uint16_t)stone;
        for (int side = 0; side < 4; side++) {
            w7_cell *cell = &cells[sides[side]];
            cell->empties++;
            playout->groups[cell->chains[0] | cell->chains[1]].count += W7_GROUP_STEP;
            marks |= cell->color;
        }
        stone = cells[stone].next;
    } while (stone != first);
    if (marks >> W7_MARK_SHIFT)
        playout->open_count = playout->empty_count;
    playout->ko = first;
    return playout->empty_count - before;
}

/* Removes the chain of a stone that has no liberty, if it is the opponent's; returns how many stones it had. */
static W7_ALWAYS_INLINE int32_t w7_playout_take(w7_playout *playout, uint32_t stride, int other, uint32_t side)
{
    const w7_cell *cell = &playout->cells[side];
    return cell->color == other && w7_group_liberties(&playout->groups[cell->chains[other - W7_BLACK]]) == 0
               ? w7_playout_remove(playout, stride, other, side)
               : 0;
}

/* Plays a stone on an empty place of the list and takes the place off it, unless the move is a ko recapture or suicide
 * or fills an eye: then it returns 1, or 2 for a settled place. */
static W7_ALWAYS_INLINE int w7_playout_try(w7_playout *playout, uint32_t stride, int color, int32_t at)
{
    const int other = W7_BLACK + W7_WHITE - color, own = color - W7_BLACK;
    const uint32_t place = playout->empty[at];
    w7_cell *cell = &playout->cells[place];
    w7_cell *above = cell - stride, *below = cell + stride;
    w7_group *groups = playout->groups;
    w7_sides sides = {0, 0, 0, 0};
    uint32_t chain;
    if (cell->empties == 0) {
        const int refusal = w7_playout_look(playout, (int32_t)stride, color, place);
        if (refusal != W7_PLACE_OPEN)
            return refusal;
    }
    w7_playout_touch(playout, cell - 1, own, &sides);
    w7_playout_touch(playout, cell + 1, own, &sides);
    w7_playout_touch(playout, above, own, &sides);
    w7_playout_touch(playout, below, own, &sides);
    playout->empty[at] = playout->empty[--playout->open_count];
    playout->empty[playout->open_count] = playout->empty[--playout->empty_count];
    if ((sides.counts & W7_SIDES_GUARDED) |
        (((above[-1].color | above[1].color | below[-1].color | below[1].color) >> W7_MARK_SHIFT) & color))
        playout->open_count = playout->empty_count;
    playout->ko = 0;
    groups[0].count = W7_GROUP_UNCOUNTED;
    chain = sides.any;
    if (sides.sum != sides.any * sides.own)
        chain = w7_playout_join_sides(playout, stride, own, place);
    cell->color = (uint8_t)color;
    cell->next = (uint16_t)place;
    groups[place].count = W7_GROUP_NONE;
    groups[place].stones = 0;
    chain |= place & (0 - (uint32_t)(sides.any == 0));
    cell->chains[own] = (uint16_t)chain;
    cell->next = playout->cells[chain].next;
    playout->cells[chain].next = (uint16_t)place;
    groups[chain].count += cell->empties * (uint32_t)W7_GROUP_STEP;
    groups[chain].stones++;
    if (sides.counts & W7_SIDES_WHOLE) {
        int32_t count = w7_playout_take(playout, stride, other, place - 1);
        count += w7_playout_take(playout, stride, other, place + 1);
        count += w7_playout_take(playout, stride, other, place - stride);
        count += w7_playout_take(playout, stride, other, place + stride);
        if (count != 1 || sides.any != 0 || w7_group_liberties(&groups[place]) != 1)
            playout->ko = 0;
    }
    return 0;
}

/* Plays one random move of the colour; returns 0 where it has none but filling its eyes: a pass. */
static W7_ALWAYS_INLINE int w7_playout_move(w7_playout *playout, uint32_t stride, int color)
{
    int32_t count = playout->open_count;
    while (count > 0) {
        const int32_t at = (int32_t)w7_playout_below(playout, (uint32_t)count);
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
        memset(&cells[place], 0, sizeof cells[place]);
        cells[place].color = (uint8_t)w7_slot_color(from, (uint32_t)place);
        playout->groups[place].count = W7_GROUP_UNCOUNTED;
    }
    for (int32_t point = 0; point < slots->points; point++) {
        const uint32_t place = slots->place_of[point];
        const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
        uint32_t head;
        playout->sides[place] = 0;
        for (int side = 0; side < 4; side++) {
            const int stone = cells[sides[side]].color;
            playout->sides[place] = (uint8_t)(playout->sides[place] + (stone != W7_WALL));
            cells[place].empties = (uint8_t)(cells[place].empties + (stone == W7_EMPTY));
        }
        if (cells[place].color == W7_EMPTY) {
            playout->empty[playout->empty_count++] = (uint16_t)place;
            continue;
        }
        head = w7_slot_head(from, place);
        cells[place].chains[cells[place].color - W7_BLACK] = (uint16_t)head;
        cells[place].next = from->nexts[place];
        playout->groups[head].count = W7_GROUP_NONE + from->chains[head].liberties * (uint32_t)W7_GROUP_STEP;
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
        if (color == W7_BLACK || color == W7_WHITE)
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
    const int32_t stride = slots->width + 1;
    const w7_cell *cells = playout->cells;
    int32_t margin = 0;
    for (int32_t i = 0; i < playout->empty_count; i++)
        if (cells[playout->empty[i]].empties != 0)
            return w7_playout_count_regions(slots, playout, owned);
    for (int32_t y = 0, point = 0; y < slots->height; y++) {
        const w7_cell *row = cells + (y + 1) * stride + 1;
        for (int32_t x = 0; x < slots->width; x++, point++) {
            const int32_t value = (row[x].color & W7_BLACK) - (row[x].color >> 1 & 1);
            owned[point] += value;
            margin += value;
        }
    }
    for (int32_t i = 0; i < playout->empty_count; i++) {
        /* Black is 1, White 2; both are who is adjacent to an empty point alone. */
        const w7_cell *cell = cells + playout->empty[i];
        const int owner = cell[-1].color & cell[1].color & cell[-stride].color & cell[stride].color;
        const int32_t value = (owner & W7_BLACK) - (owner >> 1);
        owned[slots->point_of[playout->empty[i]]] += value;
        margin += value;
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
        /* Each colour has code of its own. */
        const int played =
            color == W7_BLACK ? w7_playout_move(playout, stride, W7_BLACK) : w7_playout_move(playout, stride, W7_WHITE);
        passes = played ? 0 : passes + 1;
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
        memcpy(playout->sides, first->sides, (size_t)slots->places * sizeof *first->sides);
        for (int64_t time = 0; time < times; time++) {
            playout->empty_count = playout->open_count = first->empty_count;
            playout->ko = 0;
            memcpy(playout->cells, first->cells, (size_t)slots->places * sizeof *first->cells);
            memcpy(playout->groups, first->groups, (size_t)slots->places * sizeof *first->groups);
            memcpy(playout->empty, first->empty, (size_t)first->empty_count * sizeof *first->empty);
            /* One stream for each playout, whichever thread makes it. */
            playout->random = seed ^ (uint64_t)(i * times + time) * 0xD1B54A32D192ED03u;
            playout->random = w7_playout_random(&playout->random);
            playout->number = w7_playout_random(&playout->random) >> 32;
            margins[i * times + time] =
                (float)(w7_playout_run(slots, playout, from.slot->color, most_moves, owned + i * slots->points) -
                        slots->komi);
        }
    }
}

#endif
