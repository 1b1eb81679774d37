/* Whose each point is, as KataGo counts areas for the inputs of its networks: stones, pass-alive regions of Benson, and
 * regions without a stone of the opponent.
 *
 * Source: cpp/game/board.cpp of https://github.com/lightvector/KataGo, `calculateArea` and `calculateAreaForPla`. */
#ifndef W7_INPUT_AREAS_H
#define W7_INPUT_AREAS_H

#include "batch/inputs/chains.h"

enum { W7_INPUT_MOST_VITAL = 4 };

/* A region: adjacent points that are no stones of the player, with an empty one among them. */
typedef struct {
    uint16_t vital[W7_INPUT_MOST_VITAL]; /* blocks of the player that all of its points are adjacent to */
    uint8_t vital_count;
    uint8_t inner; /* points that no stone of the player is adjacent to: 0, 1, or 2 for more */
    uint8_t has_opponent;
    uint8_t is_met;  /* `vital` is that of its first point, or of several */
    uint8_t is_open; /* a block adjacent to it is not pass-alive */
} w7_input_region;

/* Keeps those vital blocks of a region that a point is adjacent to, which for its first point are all of them. */
static inline void w7_input_meet(w7_input_region *region, int is_first, const uint16_t adjacent[4])
{
    int kept = 0;
    if (is_first) {
        for (int side = 0; side < 4; side++) {
            int is_new = adjacent[side] != 0;
            for (int k = 0; k < kept; k++)
                is_new &= region->vital[k] != adjacent[side];
            if (is_new)
                region->vital[kept++] = adjacent[side];
        }
    } else {
        for (int k = 0; k < region->vital_count; k++) {
            const uint16_t block = region->vital[k];
            if (block == adjacent[0] || block == adjacent[1] || block == adjacent[2] || block == adjacent[3])
                region->vital[kept++] = block;
        }
    }
    region->vital_count = (uint8_t)kept;
}

/* The empty points from which a colour is reached. */
static inline void w7_input_reach(const w7_slots *slots, const uint64_t *from, const uint64_t *through,
                                  uint64_t *reached)
{
    uint64_t next[W7_SLOT_WORDS], more = 1;
    w7_slots_spread(slots, from, reached);
    for (int word = 0; word < slots->words; word++)
        reached[word] &= through[word];
    while (more != 0) {
        more = 0;
        w7_slots_spread(slots, reached, next);
        for (int word = 0; word < slots->words; word++) {
            next[word] &= through[word] & ~reached[word];
            reached[word] |= next[word];
            more |= next[word];
        }
    }
}

/* Whether a block of the player may be pass-alive: it needs two regions that are vital to it. As a rule there is none,
 * which is found without looking at points one by one. */
static inline int w7_input_may_live(const w7_slots *slots, const w7_input_chains *chains, const uint64_t *own,
                                    const uint64_t *opponent, int suicide)
{
    const uint32_t stride = (uint32_t)slots->width + 1;
    uint64_t adjacent[W7_SLOT_WORDS], region[W7_SLOT_WORDS], vain[W7_SLOT_WORDS], next[W7_SLOT_WORDS], more = 0;
    uint8_t times[W7_SLOT_PLACES];
    int has_times = 0;
    w7_slots_spread(slots, own, adjacent);
    for (int word = 0; word < slots->words; word++) {
        region[word] = slots->all[word] & ~own[word];
        vain[word] = region[word] & ~adjacent[word] & ~(suicide ? 0 : opponent[word]);
    }
    w7_input_reach(slots, vain, region, next);
    for (int word = 0; word < slots->words; word++) {
        region[word] &= ~(next[word] | vain[word]);
        more |= region[word];
    }
    /* Each of the other regions: all of its points are adjacent to stones of the player. */
    while (more != 0) {
        w7_input_region found = {0};
        uint16_t sides[4];
        int first = 0;
        while (region[first] == 0)
            first++;
        memset(vain, 0, (size_t)slots->words * sizeof *vain);
        vain[first] = region[first] & (~region[first] + 1);
        w7_input_reach(slots, vain, region, next);
        more = 0;
        for (int word = 0; word < slots->words; word++) {
            next[word] |= vain[word];
            region[word] &= ~next[word];
            more |= region[word];
            for (uint64_t bits = next[word] & ~(suicide ? 0 : opponent[word]); bits != 0; bits &= bits - 1) {
                const uint32_t place = slots->place_of[64 * word + w7_lowest_bit(bits)];
                const uint32_t places[4] = {place - stride, place - 1, place + 1, place + stride};
                for (int side = 0; side < 4; side++) {
                    const uint16_t at = slots->point_of[places[side]];
                    sides[side] = at != W7_SLOT_NONE && w7_point_in(own, at) ? chains->labels[places[side]] : 0;
                }
                w7_input_meet(&found, !found.is_met, sides);
                found.is_met = 1;
            }
        }
        if (found.vital_count > 0 && !has_times) {
            memset(times, 0, (size_t)chains->count + 1);
            has_times = 1;
        }
        for (int k = 0; k < found.vital_count; k++)
            if (++times[found.vital[k]] > 1)
                return 1;
    }
    return 0;
}

/* Marks what a player has in `owned`, a set of points, and in `alive` what is pass-alive of it: its stones, and regions
 * with at most one inner point or without a stone of the opponent. */
static inline void w7_input_find_area(const w7_slots *slots, const w7_input_chains *chains, int color, int suicide,
                                      uint64_t *owned, uint64_t *alive)
{
    const uint32_t stride = (uint32_t)slots->width + 1;
    const int opponent = W7_BLACK + W7_WHITE - color;
    uint8_t kinds[W7_SLOT_PLACES], is_dead[W7_SLOT_PLACES];
    uint16_t labels[W7_SLOT_PLACES], first[W7_SLOT_PLACES], vital[W7_SLOT_PLACES], adjacent[4];
    w7_input_region regions[W7_SLOT_PLACES];
    int32_t count, living = 0;
    int has_stones = 0, has_changed = 1;
    memset(owned, 0, (size_t)slots->words * sizeof *owned);
    memset(alive, 0, (size_t)slots->words * sizeof *alive);
    for (int32_t place = 0; place < slots->places; place++)
        kinds[place] = chains->cells[place] == W7_EMPTY || chains->cells[place] == opponent;
    for (int32_t chain = 1; chain <= chains->count; chain++) {
        is_dead[chain] = chains->color[chain] != color;
        has_stones |= chains->color[chain] == color;
        living += chains->color[chain] == color;
    }
    if (!has_stones)
        return;
    is_dead[0] = 0;
    count = w7_input_label(slots, kinds, labels, first);
    memset(regions + 1, 0, (size_t)count * sizeof *regions);
    for (int32_t point = 0; point < slots->points; point++) {
        const uint32_t place = slots->place_of[point];
        const uint32_t sides[4] = {place - stride, place - 1, place + 1, place + stride};
        w7_input_region *region;
        const int is_empty = chains->cells[place] == W7_EMPTY;
        if (!kinds[place])
            continue;
        region = &regions[labels[place]];
        for (int side = 0; side < 4; side++)
            adjacent[side] = chains->cells[sides[side]] == color ? chains->labels[sides[side]] : 0;
        region->has_opponent |= !is_empty;
        if (region->inner < 2 && (adjacent[0] | adjacent[1] | adjacent[2] | adjacent[3]) == 0)
            region->inner++;
        if (is_empty || suicide) { /* where suicide is legal, stones in the region may leave it */
            w7_input_meet(region, !region->is_met, adjacent);
            region->is_met = 1;
        }
    }
    while (has_changed && living > 0) {
        has_changed = 0;
        memset(vital, 0, ((size_t)chains->count + 1) * sizeof *vital);
        for (int32_t k = 1; k <= count; k++)
            for (int j = 0; !regions[k].is_open && j < regions[k].vital_count; j++)
                vital[regions[k].vital[j]]++;
        for (int32_t chain = 1; chain <= chains->count; chain++) {
            if (!is_dead[chain] && vital[chain] < 2) {
                is_dead[chain] = 1;
                living--;
                has_changed = 1;
            }
        }
        for (int32_t point = 0; has_changed && living > 0 && point < slots->points; point++) {
            const uint32_t place = slots->place_of[point];
            if (!kinds[place])
                continue;
            if ((chains->cells[place - stride] == color && is_dead[chains->labels[place - stride]]) ||
                (chains->cells[place - 1] == color && is_dead[chains->labels[place - 1]]) ||
                (chains->cells[place + 1] == color && is_dead[chains->labels[place + 1]]) ||
                (chains->cells[place + stride] == color && is_dead[chains->labels[place + stride]]))
                regions[labels[place]].is_open = 1;
        }
    }
    for (int32_t point = 0; point < slots->points; point++) {
        const uint32_t place = slots->place_of[point];
        if (chains->cells[place] == color) {
            if (!is_dead[chains->labels[place]]) {
                w7_point_add(alive, point);
                w7_point_add(owned, point);
            }
        } else {
            const w7_input_region *region = &regions[labels[place]];
            const int is_closed = living > 0 && !region->is_open;
            if (is_closed && (region->inner <= 1 || !region->has_opponent))
                w7_point_add(alive, point);
            if ((is_closed && region->inner <= 1) || !region->has_opponent)
                w7_point_add(owned, point);
        }
    }
}

/* The area of both players by area scoring: what each has, and its other stones. White has what both would have. */
static inline void w7_input_find_areas(const w7_slots *slots, const w7_input_chains *chains, int suicide,
                                       const uint64_t *black, const uint64_t *white, uint64_t *areas[2],
                                       uint64_t *alive[2])
{
    const uint64_t *sets[2] = {black, white};
    uint64_t empty[W7_SLOT_WORDS], reached[2][W7_SLOT_WORDS];
    for (int word = 0; word < slots->words; word++)
        empty[word] = slots->all[word] & ~(black[word] | white[word]);
    w7_input_reach(slots, black, empty, reached[0]);
    w7_input_reach(slots, white, empty, reached[1]);
    for (int side = 0; side < 2; side++) {
        if (w7_input_may_live(slots, chains, sets[side], sets[1 - side], suicide)) {
            w7_input_find_area(slots, chains, W7_BLACK + side, suicide, areas[side], alive[side]);
        } else {
            for (int word = 0; word < slots->words; word++) {
                areas[side][word] = reached[side][word] & ~reached[1 - side][word];
                alive[side][word] = 0;
            }
        }
    }
    for (int word = 0; word < slots->words; word++) {
        areas[0][word] &= ~areas[1][word];
        areas[0][word] |= black[word] & ~areas[1][word];
        areas[1][word] |= white[word] & ~areas[0][word];
    }
}

#endif
