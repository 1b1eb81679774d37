/* The blocks of a position that is given as two sets of points, with how many liberties each has. */
#ifndef W7_INPUT_CHAINS_H
#define W7_INPUT_CHAINS_H

#include "batch/selfplay/layout.h"

/* Blocks are counted from 1. Places are those of layout.h. */
typedef struct {
    int32_t count;
    uint8_t cells[W7_SLOT_PLACES];   /* what is at each place: a colour, W7_EMPTY or W7_WALL */
    uint16_t labels[W7_SLOT_PLACES]; /* the block at each place, or 0 */
    uint16_t first[W7_SLOT_PLACES];  /* by block: the point of a stone of it */
    uint16_t liberties[W7_SLOT_PLACES];
    uint8_t color[W7_SLOT_PLACES];
} w7_input_chains;

static W7_ALWAYS_INLINE uint32_t w7_input_root(uint16_t *roots, uint32_t at)
{
    while (roots[at] != at) {
        roots[at] = roots[roots[at]];
        at = roots[at];
    }
    return at;
}

/* Joins the places that `kinds` has the same number other than 0 for, where they are adjacent. `labels` gets a
 * number from 1 for each of these places, 0 for all others; `first` the first place of each. Returns how many they are. */
static inline int32_t w7_input_label(const w7_slots *slots, const uint8_t *kinds, uint16_t *labels, uint16_t *first)
{
    const uint32_t stride = (uint32_t)slots->width + 1;
    uint16_t roots[W7_SLOT_PLACES];
    int32_t count = 0;
    for (uint32_t place = 0; place < stride; place++)
        labels[place] = 0;
    for (uint32_t place = stride; place < (uint32_t)slots->places; place++) {
        const uint8_t kind = kinds[place];
        uint32_t label = 0, above;
        labels[place] = 0;
        if (kind == 0)
            continue;
        if (kinds[place - 1] == kind)
            label = w7_input_root(roots, labels[place - 1]);
        if (kinds[place - stride] == kind) {
            above = w7_input_root(roots, labels[place - stride]);
            if (label != 0 && above < label) {
                roots[label] = (uint16_t)above;
                label = above;
            } else if (label != 0) {
                roots[above] = (uint16_t)label;
            } else {
                label = above;
            }
        }
        if (label == 0) {
            label = (uint32_t)++count;
            roots[label] = (uint16_t)label;
            first[label] = (uint16_t)place;
        }
        labels[place] = (uint16_t)label;
    }
    /* Roots have lower numbers than what they are roots of. */
    for (int32_t label = 1, found = 0, last = count; label <= last; label++) {
        if (roots[label] == label) {
            first[++found] = first[label];
            roots[label] = (uint16_t)found;
        } else {
            roots[label] = roots[roots[label]];
        }
        count = found;
    }
    for (uint32_t place = stride; place < (uint32_t)slots->places; place++)
        labels[place] = labels[place] == 0 ? 0 : roots[labels[place]];
    return count;
}

/* Takes a position over and finds its blocks. */
static inline void w7_input_find_chains(const w7_slots *slots, const uint64_t *black, const uint64_t *white,
                                        w7_input_chains *chains)
{
    const uint32_t stride = (uint32_t)slots->width + 1;
    uint8_t kinds[W7_SLOT_PLACES];
    memset(chains->cells, W7_WALL, (size_t)slots->places);
    memset(kinds, 0, (size_t)slots->places);
    for (int32_t point = 0; point < slots->points; point++) {
        const int color = (int)(black[point >> 6] >> (point & 63) & 1) | (int)(white[point >> 6] >> (point & 63) & 1)
                                                                             << 1;
        chains->cells[slots->place_of[point]] = kinds[slots->place_of[point]] = (uint8_t)color;
    }
    chains->count = w7_input_label(slots, kinds, chains->labels, chains->first);
    for (int32_t chain = 1; chain <= chains->count; chain++) {
        chains->liberties[chain] = 0;
        chains->color[chain] = chains->cells[chains->first[chain]];
        chains->first[chain] = slots->point_of[chains->first[chain]];
    }
    chains->liberties[0] = 0;
    for (int32_t point = 0; point < slots->points; point++) {
        const uint32_t place = slots->place_of[point];
        const uint16_t *labels = chains->labels;
        uint16_t a, b, c, d;
        if (kinds[place] != W7_EMPTY)
            continue;
        a = labels[place - stride];
        b = labels[place - 1];
        c = labels[place + 1];
        d = labels[place + stride];
        chains->liberties[a] = (uint16_t)(chains->liberties[a] + 1);
        chains->liberties[b] = (uint16_t)(chains->liberties[b] + (b != a));
        chains->liberties[c] = (uint16_t)(chains->liberties[c] + (c != a && c != b));
        chains->liberties[d] = (uint16_t)(chains->liberties[d] + (d != a && d != b && d != c));
    }
}

#endif
