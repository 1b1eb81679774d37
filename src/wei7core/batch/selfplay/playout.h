/* Light playouts: random moves that fill no eye, from a position to its end. */
#ifndef W7_SELFPLAY_PLAYOUT_H
#define W7_SELFPLAY_PLAYOUT_H

#include "batch/selfplay/count.h"
#include "batch/selfplay/moves.h"

/* A board that playouts are made on, and its empty points. */
typedef struct {
    w7_slot_view view;
    uint64_t random;
    int32_t empty_count;
    uint32_t ko;                    /* the place where the player may not take back at once, or 0 */
    uint16_t empty[W7_SLOT_PLACES]; /* places */
    uint16_t removed[W7_SLOT_PLACES];
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

/* Whether a place, which is empty, is an eye of the colour: its own stones on every side, and these of one chain, or
 * the opponent on no diagonal at the edge and on one at most elsewhere. */
static inline int w7_playout_is_eye(const w7_slots *slots, const w7_slot_view *view, int color, uint32_t place)
{
    const uint32_t stride = (uint32_t)slots->width + 1;
    const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
    const uint32_t corners[4] = {place - stride - 1, place - stride + 1, place + stride - 1, place + stride + 1};
    int walls = 0, against = 0, is_one = 1;
    uint32_t head = 0;
    for (int side = 0; side < 4; side++) {
        const int stone = view->colors[sides[side]];
        if (stone == W7_WALL) {
            walls++;
        } else if (stone != color) {
            return 0;
        } else {
            is_one &= head == 0 || head == view->heads[sides[side]];
            head = view->heads[sides[side]];
        }
    }
    if (head == 0)
        return 0;
    for (int corner = 0; corner < 4; corner++)
        against += view->colors[corners[corner]] == W7_BLACK + W7_WHITE - color;
    return is_one || against < (walls > 0 ? 1 : 2);
}

/* Whether the player may put a stone on an empty place and it is neither suicide nor a ko recapture. */
static inline int w7_playout_may_play(const w7_slots *slots, const w7_playout *playout, int color, uint32_t place)
{
    const w7_slot_view *view = &playout->view;
    const uint32_t stride = (uint32_t)slots->width + 1;
    const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
    if (place == playout->ko)
        return 0;
    for (int side = 0; side < 4; side++) {
        const int stone = view->colors[sides[side]];
        if (stone == W7_EMPTY)
            return 1;
        if (stone != W7_WALL && (stone == color) != w7_slot_is_in_atari(slots, view, stone, view->heads[sides[side]]))
            return 1;
    }
    return 0;
}

/* Plays one stone, and notes where it may not be taken back. */
static inline void w7_playout_play(const w7_slots *slots, w7_playout *playout, int color, uint32_t place)
{
    const w7_slot_view *view = &playout->view;
    const int other = W7_BLACK + W7_WHITE - color;
    const uint32_t stride = (uint32_t)slots->width + 1;
    const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
    const uint16_t point = slots->point_of[place];
    uint64_t *set = color == W7_BLACK ? view->black : view->white;
    int32_t count = 0;
    set[point >> 6] ^= (uint64_t)1 << (point & 63);
    w7_slot_place(slots, view, color, place);
    for (int side = 0; side < 4; side++)
        if (view->colors[sides[side]] == other && view->chains[view->heads[sides[side]]].liberties == 0)
            count += w7_slot_remove(slots, view, other, sides[side], playout->removed + count);
    for (int32_t i = 0; i < count; i++)
        playout->empty[playout->empty_count++] = slots->place_of[playout->removed[i]];
    playout->ko = 0;
    if (count == 1 && view->chains[view->heads[place]].stones == 1 &&
        w7_slot_is_in_atari(slots, view, color, view->heads[place]))
        playout->ko = slots->place_of[playout->removed[0]];
}

/* Plays one random move of the colour; returns 0 where it has none but filling its eyes: a pass. */
static inline int w7_playout_move(const w7_slots *slots, w7_playout *playout, int color)
{
    int32_t count = playout->empty_count;
    while (count > 0) {
        const int32_t at = (int32_t)w7_playout_below(&playout->random, (uint32_t)count);
        const uint16_t place = playout->empty[at];
        if (w7_playout_may_play(slots, playout, color, place) &&
            !w7_playout_is_eye(slots, &playout->view, color, place)) {
            playout->empty[at] = playout->empty[--playout->empty_count];
            w7_playout_play(slots, playout, color, place);
            return 1;
        }
        /* Each is tried once: those that cannot be played come last. */
        playout->empty[at] = playout->empty[--count];
        playout->empty[count] = place;
    }
    playout->ko = 0;
    return 0;
}

/* Makes `copy`, a slot, the position of another one for a playout. */
static inline void w7_playout_begin(const w7_slots *slots, const w7_slot_view *from, uint8_t *copy, w7_playout *playout)
{
    w7_slot_view *view = &playout->view;
    const w7_slot *slot = from->slot;
    *view = w7_slot_view_of(slots, copy);
    *view->slot = *slot;
    view->slot->present = 0;
    w7_slot_find_present(slots, view);
    memcpy(view->black, from->black, 2 * (size_t)slots->words * sizeof *view->black);
    memcpy(view->atari, from->atari, 2 * (size_t)slots->place_words * sizeof *view->atari);
    memcpy(view->colors, from->colors, (size_t)slots->places);
    memcpy(view->heads, from->heads, (size_t)slots->places * sizeof *view->heads);
    memcpy(view->nexts, from->nexts, (size_t)slots->places * sizeof *view->nexts);
    memcpy(view->chains, from->chains, (size_t)slots->places * sizeof *view->chains);
    playout->empty_count = 0;
    for (int32_t point = 0; point < slots->points; point++)
        if (view->colors[slots->place_of[point]] == W7_EMPTY)
            playout->empty[playout->empty_count++] = slots->place_of[point];
    playout->ko = 0;
}

/* Plays a position to its end, two passes in a row or so many moves, and counts its area. */
static inline double w7_playout_run(const w7_slots *slots, w7_playout *playout, int32_t most_moves,
                                    w7_slot_count *count)
{
    int color = playout->view.slot->color, passes = 0;
    for (int32_t move = 0; move < most_moves && passes < 2; move++) {
        passes = w7_playout_move(slots, playout, color) ? 0 : passes + 1;
        color = W7_BLACK + W7_WHITE - color;
    }
    w7_slot_count_points(slots, playout->view.black, playout->view.white, count);
    return w7_slot_margin(slots, count, playout->view.slot->captured, 0);
}

/* Plays each board `times` times to its end: margins[n][times], and added to owned[n][points] a 1 for each playout in
 * which the point was Black's, -1 where it was White's. `copy` is room for a slot. */
static inline void w7_playouts(const w7_slots *slots, uint8_t *boards, int64_t begin, int64_t end, int64_t times,
                               uint64_t seed, int32_t most_moves, uint8_t *copy, float *margins, int32_t *owned)
{
    w7_playout playout;
    w7_slot_count count;
    for (int64_t i = begin; i < end; i++) {
        const w7_slot_view from = w7_slot_view_of(slots, boards + (size_t)i * slots->stride);
        for (int64_t time = 0; time < times; time++) {
            /* One stream for each playout, whichever thread makes it. */
            playout.random = seed ^ (uint64_t)(i * times + time) * 0xD1B54A32D192ED03u;
            playout.random = w7_playout_random(&playout.random);
            w7_playout_begin(slots, &from, copy, &playout);
            margins[i * times + time] = (float)w7_playout_run(slots, &playout, most_moves, &count);
            for (int word = 0; word < slots->words; word++) {
                for (uint64_t bits = count.owned[0][word]; bits != 0; bits &= bits - 1)
                    owned[i * slots->points + 64 * word + w7_lowest_bit(bits)]++;
                for (uint64_t bits = count.owned[1][word]; bits != 0; bits &= bits - 1)
                    owned[i * slots->points + 64 * word + w7_lowest_bit(bits)]--;
            }
        }
    }
}

#endif
