/* The score of a board as if the game were over: area, or territory and prisoners. */
#ifndef W7_BATCH_SELFPLAY_COUNT_H
#define W7_BATCH_SELFPLAY_COUNT_H

#include "batch/selfplay/layout.h"

typedef struct {
    int32_t stones[3];    /* by colour; [0] is not used */
    int32_t territory[3]; /* empty points that reach one colour only */
    uint64_t owned[2][W7_SLOT_WORDS];
} w7_slot_count;

/* The empty points from which a colour is reached. */
static inline void w7_slot_reach(const w7_slots *slots, const uint64_t *stones, const uint64_t *empty,
                                 uint64_t *reached)
{
    uint64_t next[W7_SLOT_WORDS], more = 1;
    w7_slots_spread(slots, stones, reached);
    for (int word = 0; word < slots->words; word++)
        reached[word] &= empty[word];
    while (more != 0) {
        more = 0;
        w7_slots_spread(slots, reached, next);
        for (int word = 0; word < slots->words; word++) {
            next[word] &= empty[word] & ~reached[word];
            reached[word] |= next[word];
            more |= next[word];
        }
    }
}

static inline void w7_slot_count_points(const w7_slots *slots, const uint64_t *black, const uint64_t *white,
                                        w7_slot_count *count)
{
    uint64_t empty[W7_SLOT_WORDS] = {0}, reached[2][W7_SLOT_WORDS];
    memset(count->stones, 0, sizeof count->stones);
    memset(count->territory, 0, sizeof count->territory);
    for (int word = 0; word < slots->words; word++)
        empty[word] = slots->all[word] & ~(black[word] | white[word]);
    w7_slot_reach(slots, black, empty, reached[0]);
    w7_slot_reach(slots, white, empty, reached[1]);
    for (int word = 0; word < slots->words; word++) {
        const uint64_t both = reached[0][word] & reached[1][word];
        count->stones[W7_BLACK] += w7_bit_count(black[word]);
        count->stones[W7_WHITE] += w7_bit_count(white[word]);
        count->territory[W7_BLACK] += w7_bit_count(reached[0][word] & ~both);
        count->territory[W7_WHITE] += w7_bit_count(reached[1][word] & ~both);
        count->owned[0][word] = black[word] | (reached[0][word] & ~both);
        count->owned[1][word] = white[word] | (reached[1][word] & ~both);
    }
}

/* The margin of Black in points; negative if White leads. `captured`: stones removed, by their own colour. */
static inline double w7_slot_margin(const w7_slots *slots, const w7_slot_count *count, const uint16_t captured[3],
                                    int is_territory)
{
    const int32_t territory = count->territory[W7_BLACK] - count->territory[W7_WHITE];
    const int32_t others =
        is_territory ? captured[W7_WHITE] - captured[W7_BLACK] : count->stones[W7_BLACK] - count->stones[W7_WHITE];
    return territory + others - slots->komi;
}

/* 1 if Black wins by this margin, -1 if White does, 0 for a draw. */
static inline float w7_slot_reward(const w7_slots *slots, double margin)
{
    if (margin != 0)
        return margin > 0 ? 1.0f : -1.0f;
    return slots->tie == W7_BLACK ? 1.0f : slots->tie == W7_WHITE ? -1.0f : 0.0f;
}

#endif
