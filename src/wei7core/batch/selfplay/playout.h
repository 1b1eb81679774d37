/* Light playouts: random moves that fill no eye, from a position to its end. */
#ifndef W7_BATCH_SELFPLAY_PLAYOUT_H
#define W7_BATCH_SELFPLAY_PLAYOUT_H

#include "batch/selfplay/count.h"
#include "batch/selfplay/playout_board.h"

/* --- moves ------------------------------------------------------------------------------------------ */

/* Makes two chains one, the one with more stones; returns it. */
static W7_ALWAYS_INLINE uint32_t w7_playout_join(w7_playout *playout, int own, uint32_t chain, uint32_t other)
{
    uint16_t *next = playout->next, *stones = playout->stones;
    const uint32_t is_less = 0 - (uint32_t)(stones[chain] < stones[other]);
    const uint32_t changed = (chain ^ other) & is_less, first = other ^ changed;
    const uint16_t both = stones[chain] & stones[other] & 1;
    uint32_t stone = first;
    int32_t count = stones[first];
    uint16_t after;
    chain ^= changed;
    /* Several at once: it does no harm to go round more than once. */
    do {
        for (int i = 0; i < 4; i++) {
            playout->chains[own][stone] = chain;
            playout->chain[stone] = (uint16_t)chain;
            stone = next[stone];
        }
        count -= 8;
    } while (count > 1);
    after = next[first];
    next[first] = next[chain];
    next[chain] = after;
    playout->liberties[chain] +=
        playout->liberties[first] - W7_CHAIN_PLAIN - both * (W7_CHAIN_WATCHED - W7_CHAIN_PLAIN);
    stones[chain] = (uint16_t)(stones[chain] + stones[first] - both);
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

/* Makes the own chains adjacent to a place, by so many sides, one; returns it. There are several, as a rule two. */
static W7_NOINLINE uint32_t w7_playout_join_sides(w7_playout *playout, size_t stride, int own, size_t place,
                                                  uint32_t count)
{
    const uint32_t *chains = playout->chains[own] + place;
    for (;; count--) {
        const uint32_t left = chains[-1], right = chains[1], above = chains[-(ptrdiff_t)stride], below = chains[stride];
        uint32_t joined;
        const uint32_t most = w7_playout_most(w7_playout_most(left, right), w7_playout_most(above, below));
        /* Without the chains that are 0. */
        const uint32_t least =
            w7_playout_least(w7_playout_least(left - 1, right - 1), w7_playout_least(above - 1, below - 1)) + 1;
        if (most == least)
            return most;
        joined = w7_playout_join(playout, own, most, least);
        if (count == 2)
            return joined;
    }
}

/* Removes the chain of a stone; its places are open then. Returns how many they are. */
static W7_ALWAYS_INLINE int32_t w7_playout_remove(w7_playout *playout, size_t stride, int color, size_t first)
{
    int64_t *liberties = playout->liberties;
    int32_t count = 0;
    size_t stone = first, next;
    do {
        const int64_t liberty = w7_liberty(stone);
        const uint16_t *chain = playout->chain + stone;
        playout->chains[color - W7_BLACK][stone] = 0;
        playout->chain[stone] = 0;
        playout->open[playout->open_count++] = (uint16_t)stone;
        w7_playout_surround(playout, stride, stone, -color, -liberty);
        liberties[chain[-1]] += liberty;
        liberties[chain[1]] += liberty;
        liberties[chain[-(ptrdiff_t)stride]] += liberty;
        liberties[chain[stride]] += liberty;
        if (playout->around[stone] >> W7_AROUND_SETTLED_SIDES & W7_AROUND_COUNT)
            w7_playout_unsettle_all(playout, stride, stone, 1, stride, (uint32_t)color);
        count++;
        next = playout->next[stone];
        playout->next[stone] = 0;
        stone = next;
    } while (stone != first);
    playout->ko = (uint32_t)first;
    return count;
}

/* Makes the place open, if it is settled, that is the only liberty of a watched chain with few. */
static W7_ALWAYS_INLINE void w7_playout_check_atari(w7_playout *playout, size_t stride, uint32_t chain, int color)
{
    const int64_t liberties = playout->liberties[chain] - W7_CHAIN_WATCHED, count = liberties >> W7_LIBERTY_COUNT;
    const uint32_t place = (uint32_t)((liberties & W7_LIBERTY_PARTS) >> W7_LIBERTY_SUM) / (uint32_t)count;
    if (liberties == w7_liberty(place) * count)
        w7_playout_unsettle(playout, stride, place, (uint32_t)color);
}

/* Removes the opponent's chains without a liberty around a stone just played, whose chain is the given one. Where a
 * watched chain is in atari at a settled place, the place is open then. */
static W7_NOINLINE void w7_playout_take(w7_playout *playout, size_t stride, int color, uint32_t place, uint32_t chain)
{
    const size_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
    const uint16_t *chains = playout->chain + place;
    int64_t *liberties = playout->liberties;
    const int other = W7_BLACK + W7_WHITE - color;
    int32_t count = 0;
    uint32_t taken =
        w7_playout_whole(playout, stride, place) & w7_around_of(w7_around_sides(playout->around[place]), other);
    while (taken != 0) {
        count += w7_playout_remove(playout, stride, other, sides[w7_lowest_bit(taken) >> 1]);
        taken &= taken - 1;
        if (taken != 0)
            taken &= w7_around_of(w7_around_sides(playout->around[place]), other);
    }
    liberties[0] = W7_CHAIN_NONE;
    if ((liberties[chains[-1]] | liberties[chains[1]] | liberties[chains[-(ptrdiff_t)stride]] |
         liberties[chains[stride]]) < 0)
        for (int side = 0; side < 4; side++)
            if (liberties[playout->chain[sides[side]]] < 0)
                w7_playout_check_atari(playout, stride, playout->chain[sides[side]],
                                       W7_WHITE - (playout->chains[0][sides[side]] != 0));
    if (count != 1 || playout->stones[chain] != 2 ||
        playout->liberties[chain] != W7_CHAIN_PLAIN + w7_liberty(playout->ko))
        playout->ko = 0;
}

/* Plays a stone on an open place of the list and takes the place off it, unless the move is a ko recapture or suicide
 * or fills an eye: then it returns W7_PLACE_REFUSED or W7_PLACE_SETTLED. */
static W7_ALWAYS_INLINE int w7_playout_try(w7_playout *playout, size_t stride, int color, size_t at)
{
    const int own = color - W7_BLACK, other = W7_BLACK + W7_WHITE - color;
    const size_t place = playout->open[at], above = place - stride, below = place + stride;
    const size_t on_left = playout->chain[place - 1], on_right = playout->chain[place + 1];
    const size_t on_above = playout->chain[above], on_below = playout->chain[below];
    const int64_t liberty = w7_liberty(place);
    const uint32_t *chains = playout->chains[own];
    const uint64_t around = playout->around[place];
    int64_t *liberties = playout->liberties;
    uint32_t chain, any, sum, count;
    int64_t few;
    liberties[0] = W7_CHAIN_NONE;
    few = liberties[on_left] -= liberty;
    few |= liberties[on_right] -= liberty;
    few |= liberties[on_above] -= liberty;
    few |= liberties[on_below] -= liberty;
    W7_COMPUTED(few);
    if ((around & W7_AROUND_FREE) == 0) {
        const int refusal = w7_playout_look(playout, stride, color, place, around);
        if (refusal != W7_PLACE_OPEN) {
            liberties[on_left] += liberty;
            liberties[on_right] += liberty;
            liberties[on_above] += liberty;
            liberties[on_below] += liberty;
            return refusal;
        }
    }
    playout->open[at] = playout->open[--playout->open_count];
    w7_playout_surround(playout, stride, place, color, liberty);
    if (around & (uint64_t)W7_AROUND_COUNT << (W7_AROUND_EYES + 3 * (other - W7_BLACK)))
        w7_playout_unsettle_all(playout, stride, place, stride + 1, stride - 1, (uint32_t)other);
    playout->ko = 0;
    any = chains[place - 1] | chains[place + 1] | chains[above] | chains[below];
    sum = chains[place - 1] + chains[place + 1] + chains[above] + chains[below];
    count = (uint32_t)w7_bit_count(w7_around_of(w7_around_sides(around), color));
    chain = any;
    if (sum != any * count)
        chain = w7_playout_join_sides(playout, stride, own, place, count);
    playout->stones[place] = 0;
    liberties[place] = W7_CHAIN_PLAIN;
    chain |= (uint32_t)place & (0 - (uint32_t)(any == 0));
    playout->chains[own][place] = chain;
    playout->chain[place] = (uint16_t)chain;
    playout->next[place] = playout->next[chain];
    playout->next[chain] = (uint16_t)place;
    liberties[chain] += (int64_t)(around & W7_AROUND_FREE);
    playout->stones[chain] += 2;
    if (few < 0)
        w7_playout_take(playout, stride, color, place, chain);
    return W7_PLACE_OPEN;
}

/* Plays one random move of the colour; returns 0 where it has none but filling its eyes: a pass. */
static W7_ALWAYS_INLINE int w7_playout_move(w7_playout *playout, size_t stride, int color)
{
    uint32_t count = (uint32_t)playout->open_count;
    while (count > 0) {
        const size_t at = w7_playout_below(playout, count);
        const uint16_t place = playout->open[at];
        const int refusal = w7_playout_try(playout, stride, color, at);
        if (refusal == W7_PLACE_OPEN)
            return 1;
        /* Each is tried once: those that cannot be played come last. */
        playout->open[at] = playout->open[--count];
        playout->open[count] = place;
        if (refusal == W7_PLACE_SETTLED)
            playout->open[count] = playout->open[--playout->open_count];
    }
    playout->ko = 0;
    return 0;
}

/* Makes the position of a board one for playouts. */
static inline void w7_playout_begin(const w7_slots *slots, const w7_slot_view *from, w7_playout *playout)
{
    const size_t stride = (size_t)slots->width + 1;
    memset(playout, 0, sizeof *playout);
    for (int32_t point = 0; point < slots->points; point++) {
        const size_t place = slots->place_of[point];
        const size_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
        const size_t diagonals[4] = {sides[2] - 1, sides[2] + 1, sides[3] - 1, sides[3] + 1};
        const int color = w7_slot_color(from, (uint32_t)place);
        const w7_chain *chain;
        uint32_t head;
        for (int side = 0; side < 4; side++) {
            const uint32_t stone = (uint32_t)w7_slot_color(from, (uint32_t)sides[side]);
            playout->around[place] |= (uint64_t)stone << (W7_AROUND_LEFT + 2 * side) |
                                      (uint64_t)w7_slot_color(from, (uint32_t)diagonals[side])
                                          << (W7_AROUND_DIAGONALS + 2 * side);
            playout->around[place] += stone == W7_EMPTY ? (uint64_t)w7_liberty(sides[side]) : 0;
        }
        if (color == W7_EMPTY) {
            playout->open[playout->open_count++] = (uint16_t)place;
            continue;
        }
        chain = &from->chains[w7_slot_chain(from, (uint32_t)place)];
        head = chain->first;
        playout->chains[color - W7_BLACK][place] = head;
        playout->chain[place] = (uint16_t)head;
        playout->next[place] = (uint16_t)w7_slot_next(from, (uint32_t)place);
        playout->liberties[head] = W7_CHAIN_PLAIN + (int64_t)chain->liberties;
        playout->stones[head] = (uint16_t)(2 * chain->stones);
    }
}

/* --- the score -------------------------------------------------------------------------------------- */

/* w7_playout_count where a region of several points may be empty. */
static W7_NOINLINE int32_t w7_playout_count_regions(const w7_slots *slots, const w7_playout *playout, int32_t *owned)
{
    uint64_t sets[2][W7_SLOT_WORDS] = {{0}};
    w7_slot_count count;
    int32_t margin = 0;
    for (int32_t point = 0; point < slots->points; point++) {
        const uint16_t place = slots->place_of[point];
        if (playout->chain[place] != 0)
            w7_point_add(sets[playout->chains[1][place] != 0], point);
    }
    w7_slot_count_points(slots, sets[0], sets[1], &count);
    for (int32_t point = 0; point < slots->points; point++) {
        const int32_t value = w7_point_in(count.owned[0], point) - w7_point_in(count.owned[1], point);
        owned[point] += value;
        margin += value;
    }
    return margin;
}

/* w7_playout_count of empty places. */
static inline int32_t w7_playout_count_empty(const w7_slots *slots, const w7_playout *playout, const uint16_t *places,
                                             int32_t count, int32_t *owned)
{
    int32_t margin = 0;
    for (int32_t i = 0; i < count; i++) {
        /* Black is 1, White 2; both are who alone is adjacent. */
        const uint32_t sides = w7_around_sides(playout->around[places[i]]), pairs = sides & sides >> 4,
                       owner = pairs & pairs >> 2;
        const int32_t value = (int32_t)(owner & 1) - (int32_t)(owner >> 1 & 1);
        owned[slots->point_of[places[i]]] += value;
        margin += value;
    }
    return margin;
}

/* Counts the area where no empty place has an empty side: Black's points less White's. Adds to owned[points] 1 where a
 * point is Black's and -1 where it is White's. */
static inline int32_t w7_playout_count(const w7_slots *slots, const w7_playout *playout, int32_t *owned)
{
    const size_t stride = (size_t)slots->width + 1;
    const uint32_t *black = playout->chains[0] + stride + 1, *white = playout->chains[1] + stride + 1;
    int32_t *row = owned, margin = 0;
    for (int32_t y = 0; y < slots->height; y++) {
        for (int32_t x = 0; x < slots->width; x++) {
            const int32_t value = (black[x] != 0) - (white[x] != 0);
            row[x] += value;
            margin += value;
        }
        black += stride;
        white += stride;
        row += slots->width;
    }
    margin += w7_playout_count_empty(slots, playout, playout->open, playout->open_count, owned);
    return margin + w7_playout_count_empty(slots, playout, playout->settled, playout->settled_count, owned);
}

/* Plays a position to its end, two passes in a row or so many moves, and counts it. */
static inline int32_t w7_playout_run(const w7_slots *slots, w7_playout *playout, int color, int32_t most_moves,
                                     int32_t *owned)
{
    const size_t stride = (size_t)slots->width + 1;
    int32_t left = most_moves;
    int passes = 0;
    while (left > 0 && passes < 2) {
        /* Each colour has code of its own. */
        if (color == W7_BLACK) {
            passes = w7_playout_move(playout, stride, W7_BLACK) ? 0 : passes + 1;
            left--;
        }
        color = W7_BLACK;
        if (left > 0 && passes < 2) {
            passes = w7_playout_move(playout, stride, W7_WHITE) ? 0 : passes + 1;
            left--;
        }
    }
    return passes < 2 ? w7_playout_count_regions(slots, playout, owned) : w7_playout_count(slots, playout, owned);
}

/* Makes a board of so many places what another one is. */
static inline void w7_playout_copy(const w7_playout *from, size_t places, w7_playout *to)
{
    to->open_count = from->open_count;
    to->settled_count = from->settled_count;
    to->ko = from->ko;
    memcpy(to->around, from->around, places * sizeof *to->around);
    memcpy(to->liberties, from->liberties, places * sizeof *to->liberties);
    memcpy(to->chains[0], from->chains[0], places * sizeof *to->chains[0]);
    memcpy(to->chains[1], from->chains[1], places * sizeof *to->chains[1]);
    memcpy(to->chain, from->chain, places * sizeof *to->chain);
    memcpy(to->stones, from->stones, places * sizeof *to->stones);
    memcpy(to->next, from->next, places * sizeof *to->next);
    memcpy(to->open, from->open, places * sizeof *to->open);
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
            w7_playout_copy(first, (size_t)slots->places, playout);
            /* One stream for each playout, whichever thread makes it. */
            playout->random = w7_playout_mix((seed ^ (uint64_t)(i * times + time) * 0xD1B54A32D192ED03u) + 1);
            margins[i * times + time] =
                (float)(w7_playout_run(slots, playout, from.slot->color, most_moves, owned + i * slots->points) -
                        slots->komi);
        }
    }
}

#endif
