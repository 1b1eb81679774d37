/* The owner of each point, as KataGo counts areas for the inputs of its networks: stones, pass-alive regions of Benson,
 * and regions without a stone of the opponent.
 *
 * Source: cpp/game/board.cpp of https://github.com/lightvector/KataGo, `calculateArea` and `calculateAreaForPla`. */
#ifndef W7_BATCH_INPUTS_KATAGO_AREAS_H
#define W7_BATCH_INPUTS_KATAGO_AREAS_H

#include "batch/inputs/katago_ladders.h"

/* One player's side of a position. A region is a set of adjacent points that are no stones of the player. */
typedef struct {
    const w7_slots *slots;
    const uint64_t *own;
    const uint64_t *opponent;
    const uint16_t *labels; /* by point: the same for the stones of a block, and another for each block */
    int suicide;
} w7_input_side;

#ifdef W7_WITH_X86_ISAS

W7_TARGET_AVX512BW static W7_NOINLINE void w7_avx512_input_reach(const w7_slots *slots, uint64_t *set,
                                                                 const uint64_t *through)
{
    w7_avx512_write_set(
        slots, w7_avx512_input_flood(slots, w7_avx512_read_set(slots, set), w7_avx512_read_set(slots, through)), set);
}

#endif

/* Joins to a set, whose points are in `through`, all points of `through` that are connected to it. */
static W7_NOINLINE void w7_input_reach(const w7_slots *slots, uint64_t *set, const uint64_t *through)
{
    const int up = slots->width, last = slots->words - 1;
    uint64_t next[W7_SLOT_WORDS], more;
    int is_downwards = 0;
#ifdef W7_WITH_X86_ISAS
    if (w7_slots_are_wide(slots)) {
        w7_avx512_input_reach(slots, set, through);
        return;
    }
    if (w7_slots_are_19(slots)) {
        w7_avx2_input_reach(slots, set, through);
        return;
    }
#endif
    do {
        more = 0;
        is_downwards = !is_downwards;
        if (up >= 64) {
            w7_slots_spread(slots, set, next);
            for (int word = 0; word <= last; word++) {
                next[word] &= through[word] & ~set[word];
                set[word] |= next[word];
                more |= next[word];
            }
            continue;
        }
        /* In place, and in turns from either end: what a word was joined goes on to the next one at once. */
        for (int k = 0; k <= last; k++) {
            const int word = is_downwards ? k : last - k;
            const uint64_t was = set[word], before = word > 0 ? set[word - 1] : 0, in = through[word];
            const uint64_t after = word < last ? set[word + 1] : 0;
            uint64_t now = was | ((was << up | before >> (64 - up) | was >> up | after << (64 - up)) & in);
            now |= (now << 1 | before >> 63) & in & slots->not_first[word];
            now |= (now >> 1 | after << 63) & in & slots->not_last[word];
            set[word] = now;
            more |= was ^ now;
        }
    } while (more != 0);
}

/* The points of `through` from which a set, whose points are not, is reached. */
static W7_NOINLINE void w7_input_reach_from(const w7_slots *slots, const uint64_t *from, const uint64_t *through,
                                            uint64_t *reached)
{
    w7_slots_spread(slots, from, reached);
    for (int word = 0; word < slots->words; word++)
        reached[word] &= through[word];
    w7_input_reach(slots, reached, through);
}

/* Keeps those labels of a region that a point is adjacent to, which for its first point, where `count` is -1, are all of
 * them. Returns how many they are. */
static inline int w7_input_meet(const w7_input_side *side, int32_t point, uint16_t labels[4], int count)
{
    uint16_t adjacent[4];
    const uint16_t *sides = w7_input_sides(side->slots, point);
    int found = 0, kept = 0;
    W7_FOR_SIDES(k, sides)
    {
        int is_new = w7_input_has(side->own, sides[k]);
        for (int j = 0; is_new && j < found; j++)
            is_new = adjacent[j] != side->labels[sides[k]];
        if (is_new)
            adjacent[found++] = side->labels[sides[k]];
    }
    if (count < 0) {
        memcpy(labels, adjacent, sizeof adjacent);
        return found;
    }
    for (int k = 0; k < count; k++)
        for (int j = 0; j < found; j++)
            if (labels[k] == adjacent[j])
                labels[kept++] = labels[k];
    return kept;
}

/* Counts for each block, by its label, the regions that are vital to it: all of their points, or where suicide is not
 * legal all of their empty ones, are adjacent to it. More than two count as two. Returns the largest count. */
static inline int w7_input_count_vital(const w7_input_side *side, const uint64_t *regions, uint8_t *counts)
{
    const w7_slots *slots = side->slots;
    uint64_t rest[W7_SLOT_WORDS];
    int most = 0;
    memcpy(rest, regions, (size_t)slots->words * sizeof *rest);
    for (int32_t start = w7_input_first(slots, rest); start >= 0; start = w7_input_first(slots, rest)) {
        uint64_t region[W7_SLOT_WORDS] = {0};
        uint16_t labels[4];
        int count = -1;
        w7_point_add(region, start);
        w7_input_reach(slots, region, rest);
        for (int word = 0; word < slots->words; word++) {
            rest[word] &= ~region[word];
            for (uint64_t bits = region[word] & ~(side->suicide ? 0 : side->opponent[word]); bits != 0 && count != 0;
                 bits &= bits - 1)
                count = w7_input_meet(side, 64 * word + w7_lowest_bit(bits), labels, count);
        }
        for (int k = 0; k < count; k++) {
            if (most == 0)
                memset(counts, 0, (size_t)slots->points);
            counts[labels[k]] = (uint8_t)(counts[labels[k]] + (counts[labels[k]] < 2));
            most = counts[labels[k]] > most ? counts[labels[k]] : most;
        }
    }
    return most;
}

/* Finds the pass-alive stones of a player, by Benson: blocks that have two vital regions, of which no other block is
 * adjacent. `regions` are those that may be vital, `open` then those that other blocks are adjacent to. Returns whether
 * there are any. */
static inline int w7_input_find_alive(const w7_input_side *side, const uint64_t *not_own, const uint64_t *adjacent,
                                      uint64_t *regions, uint64_t *alive, uint64_t *open)
{
    const w7_slots *slots = side->slots;
    uint64_t closed[W7_SLOT_WORDS], dead[W7_SLOT_WORDS], vain[W7_SLOT_WORDS], changed = 1;
    uint8_t counts[W7_SLOT_PLACES];
    for (int word = 0; word < slots->words; word++)
        vain[word] = not_own[word] & ~adjacent[word] & ~(side->suicide ? 0 : side->opponent[word]);
    w7_input_reach(slots, vain, not_own);
    for (int word = 0; word < slots->words; word++) {
        regions[word] = closed[word] = not_own[word] & ~vain[word];
        alive[word] = side->own[word];
        open[word] = 0;
    }
    while (changed != 0) {
        if (w7_input_count_vital(side, closed, counts) < 2) {
            memset(alive, 0, (size_t)slots->words * sizeof *alive);
            return 0;
        }
        changed = 0;
        for (int word = 0; word < slots->words; word++) {
            for (uint64_t bits = alive[word]; bits != 0; bits &= bits - 1) {
                if (counts[side->labels[64 * word + w7_lowest_bit(bits)]] < 2) {
                    alive[word] &= ~(bits & (~bits + 1));
                    changed = 1;
                }
            }
            dead[word] = side->own[word] & ~alive[word];
        }
        w7_input_reach_from(slots, dead, not_own, open);
        for (int word = 0; word < slots->words; word++)
            closed[word] = regions[word] & ~open[word];
    }
    return 1;
}

/* Adds to what a player has, `owned`, and to what is pass-alive, `alive`, its pass-alive stones and the regions that
 * those alone are adjacent to, where they have at most one inner point, which no stone of the player is adjacent to, or,
 * for `alive`, no stone of the opponent. Returns whether there are any. */
static inline int w7_input_add_alive(const w7_input_side *side, uint64_t *regions, uint64_t *owned, uint64_t *alive)
{
    const w7_slots *slots = side->slots;
    uint64_t not_own[W7_SLOT_WORDS], adjacent[W7_SLOT_WORDS], open[W7_SLOT_WORDS], contested[W7_SLOT_WORDS];
    w7_slots_spread(slots, side->own, adjacent);
    for (int word = 0; word < slots->words; word++)
        not_own[word] = slots->all[word] & ~side->own[word];
    if (!w7_input_find_alive(side, not_own, adjacent, regions, alive, open))
        return 0;
    for (int word = 0; word < slots->words; word++) {
        not_own[word] &= ~open[word]; /* the closed regions from here on */
        contested[word] = side->opponent[word] & not_own[word];
        owned[word] |= alive[word];
    }
    w7_input_reach(slots, contested, not_own);
    for (int word = 0; word < slots->words; word++) {
        alive[word] |= not_own[word];
        owned[word] |= contested[word];
        adjacent[word] = contested[word] & ~adjacent[word]; /* inner points of regions with a stone of the opponent */
    }
    for (int32_t point = w7_input_first(slots, adjacent); point >= 0; point = w7_input_first(slots, adjacent)) {
        uint64_t region[W7_SLOT_WORDS] = {0};
        int inner = 0;
        w7_point_add(region, point);
        w7_input_reach(slots, region, contested);
        for (int word = 0; word < slots->words; word++) {
            inner += w7_bit_count(adjacent[word] & region[word]);
            adjacent[word] &= ~region[word];
        }
        for (int word = 0; inner > 1 && word < slots->words; word++) {
            alive[word] &= ~region[word];
            owned[word] &= ~region[word];
        }
    }
    return 1;
}

/* What areas were found of before: sets of points, of Black and of White. Nothing is known at first. */
typedef struct {
    uint64_t *stones[2];
    uint64_t *reached[2]; /* empty points that are connected to one adjacent to these stones */
    uint64_t *regions[2]; /* those that may be vital to blocks */
    uint64_t *areas[2];
    uint64_t *alive[2];
    int has_reached;
    int has_none[2]; /* `regions` are known, and none of these blocks is pass-alive */
} w7_input_areas;

static W7_NOINLINE int w7_input_touches(const w7_slots *slots, const uint64_t *set, int32_t point)
{
    const uint16_t *sides = w7_input_sides(slots, point);
    int touches = 0;
    W7_FOR_SIDES(side, sides)
    touches |= w7_input_has(set, sides[side]);
    return touches;
}

/* Whether a new stone is sure to leave the empty points around it one region, with stones of `other` adjacent to it. */
static inline int w7_input_stays_whole(const w7_slots *slots, int32_t point, const uint64_t *empty,
                                       const uint64_t *other)
{
    const int32_t stride = slots->width + 1, place = slots->place_of[point];
    const int32_t steps[8] = {-stride, 1 - stride, 1, stride + 1, stride, stride - 1, -1, -stride - 1};
    int is_empty[9], parts = 0, count = 0, touches = 0;
    for (int k = 0; k < 8; k++) {
        const int32_t at = place + steps[k];
        const uint16_t near = at < slots->places ? slots->point_of[at] : W7_SLOT_NONE;
        is_empty[k] = near != W7_SLOT_NONE && w7_input_has(empty, near);
        if (is_empty[k] && k % 2 == 0) {
            count++;
            touches |= w7_input_touches(slots, other, near);
        }
    }
    is_empty[8] = is_empty[0];
    for (int k = 0; k < 8; k += 2)
        parts += is_empty[k] && !(is_empty[k + 1] && is_empty[k + 2]);
    return count == 0 || (parts <= 1 && (touches || !w7_input_touches(slots, other, point)));
}

/* Brings the reached points of a colour up to a new stone; `is_own`: of that colour. */
static inline void w7_input_reach_anew(const w7_slots *slots, const uint64_t *empty, const uint64_t *own, int32_t added,
                                       int is_own, uint64_t *reached)
{
    const int was_reached = w7_input_has(reached, added);
    w7_point_drop(reached, added);
    if (is_own && !was_reached) {
        uint64_t region[W7_SLOT_WORDS] = {0}, joined[W7_SLOT_WORDS];
        w7_point_add(region, added);
        w7_input_reach_from(slots, region, empty, joined);
        for (int word = 0; word < slots->words; word++)
            reached[word] |= joined[word];
    } else if (!is_own && was_reached && !w7_input_stays_whole(slots, added, empty, own)) {
        w7_input_reach_from(slots, own, empty, reached);
    }
}

/* Whether a new stone is sure to change nothing about the regions that may be vital to blocks of a player. */
static inline int w7_input_keeps_regions(const w7_input_side *side, const uint64_t *regions, int32_t added)
{
    const w7_slots *slots = side->slots;
    const uint16_t *sides = w7_input_sides(slots, added);
    const int is_own = w7_input_has(side->own, added);
    int own_count = 0, is_far = 0;
    if (!is_own && side->suicide)
        return 1;
    if (w7_input_has(regions, added))
        return 0;
    if (!is_own && w7_input_touches(slots, side->own, added))
        return 1;
    /* Regions that no block may have for an eye have a point with no stone of the player adjacent to it. */
    W7_FOR_SIDES(k, sides)
    {
        const uint16_t *next = w7_input_sides(slots, sides[k]);
        if (w7_input_has(side->own, sides[k])) {
            own_count++;
            continue;
        }
        if (!is_own) {
            is_far |= !w7_input_has(side->opponent, sides[k]) && !w7_input_touches(slots, side->own, sides[k]);
            continue;
        }
        if (w7_input_has(regions, sides[k]))
            return 0;
        is_far = 0;
        W7_FOR_SIDES(j, next)
        is_far |= !w7_input_has(side->own, next[j]) && (side->suicide || !w7_input_has(side->opponent, next[j])) &&
                  !w7_input_touches(slots, side->own, next[j]);
        if (!is_far)
            return 0;
    }
    return is_own ? own_count < 2 : is_far;
}

/* The area of both players by area scoring: what each has, and its other stones. White has what both would have. */
static inline void w7_input_find_areas(const w7_slots *slots, const uint16_t *labels, int suicide,
                                       const uint64_t *black, const uint64_t *white, w7_input_areas *found)
{
    const uint64_t *stones[2] = {black, white};
    const size_t bytes = (size_t)slots->words * sizeof *black;
    uint64_t empty[W7_SLOT_WORDS];
    int32_t added = -1;
    int changes = 0;
    for (int word = 0; word < slots->words; word++) {
        empty[word] = slots->all[word] & ~(black[word] | white[word]);
        for (int color = 0; color < 2; color++) {
            const uint64_t change = stones[color][word] ^ found->stones[color][word];
            changes += w7_bit_count(change) + 2 * ((change & ~stones[color][word]) != 0);
            added = change == 0 ? added : 64 * word + w7_lowest_bit(change);
        }
    }
    for (int color = 0; color < 2; color++) {
        const w7_input_side side = {slots, stones[color], stones[1 - color], labels, suicide};
        if (!found->has_reached || changes > 1)
            w7_input_reach_from(slots, side.own, empty, found->reached[color]);
        else if (changes == 1)
            w7_input_reach_anew(slots, empty, side.own, added, w7_input_has(side.own, added), found->reached[color]);
        found->has_none[color] = found->has_none[color] && changes <= 1 &&
                                 (changes == 0 || w7_input_keeps_regions(&side, found->regions[color], added));
        memcpy(found->stones[color], side.own, bytes);
    }
    found->has_reached = 1;
    for (int color = 0; color < 2; color++) {
        const w7_input_side side = {slots, stones[color], stones[1 - color], labels, suicide};
        for (int word = 0; word < slots->words; word++)
            found->areas[color][word] = found->reached[color][word] & ~found->reached[1 - color][word];
        if (found->has_none[color])
            memset(found->alive[color], 0, bytes);
        else
            found->has_none[color] =
                !w7_input_add_alive(&side, found->regions[color], found->areas[color], found->alive[color]);
    }
    for (int word = 0; word < slots->words; word++) {
        found->areas[0][word] = (found->areas[0][word] | black[word]) & ~found->areas[1][word];
        found->areas[1][word] |= white[word] & ~found->areas[0][word];
    }
}

#endif
