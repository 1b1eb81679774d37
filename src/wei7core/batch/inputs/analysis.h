/* The liberties, ladders and areas of a position, found from those of another one, as a rule the one before.
 *
 * Blocks that no changed point belongs to or is adjacent to keep their liberties; a ladder keeps its result where no
 * point changed that it read. So the result depends on the position alone. */
#ifndef W7_BATCH_INPUTS_ANALYSIS_H
#define W7_BATCH_INPUTS_ANALYSIS_H

#include "batch/inputs/katago_areas.h"

enum {
    W7_ANALYSIS_LADDERS = 48, /* that are kept; others are read again for each position */
    W7_ANALYSIS_POSITIONS = 3 /* whose ladders are known: the present one first */
};

/* Sets of points of an analysis, by number. */
enum {
    W7_ANALYSIS_BLACK = 0,
    W7_ANALYSIS_WHITE,
    W7_ANALYSIS_TAKEN,                                 /* stones that ladders take */
    W7_ANALYSIS_EARLIER,                               /* twice 3, the same of the positions before */
    W7_ANALYSIS_LIBERTIES = 3 * W7_ANALYSIS_POSITIONS, /* 3: stones of blocks with 1, 2, 3 liberties */
    W7_ANALYSIS_WORKING = W7_ANALYSIS_LIBERTIES +
        3,                                      /* 2: where Black, and White, begins a ladder against two liberties */
    W7_ANALYSIS_AREA = W7_ANALYSIS_WORKING + 2, /* 2, of Black and White */
    W7_ANALYSIS_ALIVE = W7_ANALYSIS_AREA + 2,   /* 2 */
    W7_ANALYSIS_AREA_STONES = W7_ANALYSIS_ALIVE + 2, /* 2, and the next two: of w7_input_areas */
    W7_ANALYSIS_REACHED = W7_ANALYSIS_AREA_STONES + 2,
    W7_ANALYSIS_REGIONS = W7_ANALYSIS_REACHED + 2,
    W7_ANALYSIS_LOOSE = W7_ANALYSIS_REGIONS + 2, /* stones of blocks whose ladders are not kept */
    W7_ANALYSIS_READ,                            /* by ladder: the points that it read */
    W7_ANALYSIS_SETS = W7_ANALYSIS_READ + W7_ANALYSIS_LADDERS
};

/* What is asked for. */
enum { W7_ANALYSE_LADDERS = 1, W7_ANALYSE_AREAS = 2, W7_ANALYSE_LIBERTIES = 4 };

/* A ladder against a block with at most two liberties. */
typedef struct {
    uint16_t stone;
    uint16_t moves[2]; /* that begin it and work, or W7_SLOT_NONE */
    uint16_t color;    /* of the block */
} w7_analysis_ladder;

/* Zeros are the analysis of the empty board. After it come its sets, and a label for each point: that of its block. */
typedef struct {
    int32_t kos[W7_ANALYSIS_POSITIONS]; /* a point + 1, or 0 */
    int32_t ladder_count;
    int32_t has_ladders;
    int32_t has_areas; /* of this position: 1, or where suicide is legal 2 */
    w7_input_areas areas;
    w7_analysis_ladder ladders[W7_ANALYSIS_LADDERS];
} w7_analysis;

typedef struct {
    const uint64_t *black;
    const uint64_t *white;
    int32_t ko; /* where the attacker may not begin a ladder, or -1 */
} w7_analysis_position;

static inline size_t w7_analysis_size(const w7_slots *slots)
{
    return (sizeof(w7_analysis) + 7) / 8 * 8 + (size_t)slots->words * W7_ANALYSIS_SETS * sizeof(uint64_t) +
           ((size_t)slots->points + 3) / 4 * 8;
}

static W7_ALWAYS_INLINE uint64_t *w7_analysis_set(const w7_slots *slots, w7_analysis *analysis, int number)
{
    return (uint64_t *)(void *)((uint8_t *)analysis + (sizeof *analysis + 7) / 8 * 8) +
           (size_t)number * (size_t)slots->words;
}

static W7_ALWAYS_INLINE uint16_t *w7_analysis_labels(const w7_slots *slots, w7_analysis *analysis)
{
    return (uint16_t *)(void *)w7_analysis_set(slots, analysis, W7_ANALYSIS_SETS);
}

/* Adds the moves that begin a ladder to those of its attacker. */
static inline void w7_analysis_add_moves(const w7_slots *slots, w7_analysis *analysis, const w7_analysis_ladder *ladder)
{
    for (int k = 0; k < 2; k++)
        if (ladder->moves[k] != W7_SLOT_NONE)
            w7_point_add(w7_analysis_set(slots, analysis, W7_ANALYSIS_WORKING + W7_WHITE - ladder->color),
                         ladder->moves[k]);
}

/* Drops the ladders that read a changed point; `todo` gets a stone of their blocks. */
static inline void w7_analysis_drop_ladders(const w7_slots *slots, w7_analysis *analysis, const uint64_t *changed,
                                            uint64_t *todo)
{
    for (int32_t k = 0; k < analysis->ladder_count;) {
        uint64_t *read = w7_analysis_set(slots, analysis, W7_ANALYSIS_READ + k), common = 0;
        for (int word = 0; word < slots->words; word++)
            common |= read[word] & changed[word];
        if (common == 0) {
            w7_analysis_add_moves(slots, analysis, &analysis->ladders[k++]);
            continue;
        }
        w7_point_add(todo, analysis->ladders[k].stone);
        analysis->ladders[k] = analysis->ladders[--analysis->ladder_count];
        memcpy(read, w7_analysis_set(slots, analysis, W7_ANALYSIS_READ + analysis->ladder_count),
               (size_t)slots->words * sizeof *read);
    }
}

/* The block of a stone, and its liberties. Returns how many they are. */
static inline int w7_analysis_block(const w7_slots *slots, const uint64_t *sets, int32_t stone, uint64_t *block,
                                    uint64_t *liberties)
{
    const uint64_t *white = sets + slots->words;
    const int is_black = w7_input_has(sets, stone);
    return w7_input_block(slots, is_black ? sets : white, is_black ? white : sets, stone, W7_SLOT_PLACES, block,
                          liberties);
}

/* Finds the liberties of the block of a stone anew, and takes its stones out of `todo`. */
static inline int w7_analysis_read_block(const w7_slots *slots, w7_analysis *analysis, int32_t stone, uint64_t *todo)
{
    uint64_t *sets = w7_analysis_set(slots, analysis, 0), block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    uint64_t *classes = sets + (size_t)W7_ANALYSIS_LIBERTIES * (size_t)slots->words;
    uint16_t *labels = w7_analysis_labels(slots, analysis);
    const int count = w7_analysis_block(slots, sets, stone, block, liberties);
    for (int word = 0; word < slots->words; word++) {
        todo[word] &= ~block[word];
        for (int k = 0; k < 3; k++) {
            uint64_t *of = classes + k * slots->words + word;
            *of = (*of & ~block[word]) | (count == k + 1 ? block[word] : 0);
        }
        for (uint64_t bits = block[word]; bits != 0; bits &= bits - 1)
            labels[64 * word + w7_lowest_bit(bits)] = (uint16_t)stone;
    }
    return count;
}

/* Reads the ladder against the block of a stone, and keeps it where there is room; takes its stones out of `todo`. */
static inline void w7_analysis_read_ladder(w7_input_ladders *room, w7_analysis *analysis, int32_t stone, uint64_t *todo)
{
    const w7_slots *slots = room->slots;
    uint64_t *sets = w7_analysis_set(slots, analysis, 0), block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    const int is_black = w7_input_has(sets, stone);
    w7_analysis_ladder ladder;
    uint64_t *read = NULL;
    int is_taken;
    w7_analysis_block(slots, sets, stone, block, liberties);
    is_taken = w7_input_find_ladder(room, sets + (is_black ? 0 : slots->words), sets + (is_black ? slots->words : 0),
                                    w7_analysis_set(slots, analysis, W7_ANALYSIS_LIBERTIES), block, liberties,
                                    analysis->kos[0] - 1, ladder.moves);
    ladder.stone = (uint16_t)stone;
    ladder.color = is_black ? W7_BLACK : W7_WHITE;
    w7_analysis_add_moves(slots, analysis, &ladder);
    if (analysis->ladder_count < W7_ANALYSIS_LADDERS) {
        read = w7_analysis_set(slots, analysis, W7_ANALYSIS_READ + analysis->ladder_count);
        w7_slots_spread(slots, room->seen, read);
        analysis->ladders[analysis->ladder_count++] = ladder;
    }
    for (int word = 0; word < slots->words; word++) {
        uint64_t *taken = w7_analysis_set(slots, analysis, W7_ANALYSIS_TAKEN) + word;
        *taken = (*taken & ~block[word]) | (is_taken ? block[word] : 0);
        todo[word] &= ~block[word];
        if (read != NULL)
            read[word] |= room->seen[word];
        else
            w7_analysis_set(slots, analysis, W7_ANALYSIS_LOOSE)[word] |= block[word];
    }
}

/* Whether a position of an analysis, by number, is this one. */
static inline int w7_analysis_is(const w7_slots *slots, w7_analysis *analysis, int number,
                                 const w7_analysis_position *position)
{
    const uint64_t *stones = w7_analysis_set(slots, analysis, 3 * number);
    const size_t bytes = (size_t)slots->words * sizeof *stones;
    return analysis->kos[number] == position->ko + 1 && memcmp(stones, position->black, bytes) == 0 &&
           memcmp(stones + slots->words, position->white, bytes) == 0;
}

/* Goes on to a position; that before it is an earlier one then. */
static W7_NOINLINE void w7_analysis_go_on(w7_input_ladders *room, w7_analysis *analysis,
                                          const w7_analysis_position *position)
{
    const w7_slots *slots = room->slots;
    const size_t words = (size_t)slots->words, bytes = words * sizeof(uint64_t);
    uint64_t *sets = w7_analysis_set(slots, analysis, 0), changed[W7_SLOT_WORDS], todo[W7_SLOT_WORDS], more = 0;
    uint64_t *weak = sets + W7_ANALYSIS_LIBERTIES * words, was_weak[W7_SLOT_WORDS], ladders[W7_SLOT_WORDS] = {0};
    memmove(sets + 3 * words, sets, 3 * (W7_ANALYSIS_POSITIONS - 1) * bytes);
    memmove(analysis->kos + 1, analysis->kos, (W7_ANALYSIS_POSITIONS - 1) * sizeof *analysis->kos);
    for (size_t word = 0; word < words; word++) {
        changed[word] = (sets[word] ^ position->black[word]) | (sets[words + word] ^ position->white[word]);
        more |= changed[word];
    }
    if (more == 0 && analysis->kos[0] == position->ko + 1)
        return;
    memcpy(was_weak, weak, bytes);
    memcpy(sets, position->black, bytes);
    memcpy(sets + words, position->white, bytes);
    memset(sets + W7_ANALYSIS_WORKING * words, 0, 2 * bytes);
    w7_slots_spread(slots, changed, todo);
    for (size_t word = 0; word < words; word++) {
        const uint64_t stones = position->black[word] | position->white[word];
        uint64_t *loose = sets + W7_ANALYSIS_LOOSE * words + word;
        todo[word] = (todo[word] | changed[word] | *loose) & stones;
        *loose = 0;
        sets[W7_ANALYSIS_TAKEN * words + word] &= stones;
        for (int k = 0; k < 3; k++)
            sets[(size_t)(W7_ANALYSIS_LIBERTIES + k) * words + word] &= stones;
    }
    for (int32_t stone = w7_input_first(slots, todo); stone >= 0; stone = w7_input_first(slots, todo)) {
        if (w7_analysis_read_block(slots, analysis, stone, todo) <= 2)
            w7_point_add(ladders, stone);
    }
    if (analysis->kos[0] != position->ko + 1) {
        if (analysis->kos[0] > 0)
            w7_point_add(changed, analysis->kos[0] - 1);
        if (position->ko >= 0)
            w7_point_add(changed, position->ko);
    }
    analysis->kos[0] = position->ko + 1;
    analysis->has_areas = 0;
    for (size_t word = 0; word < words; word++)
        changed[word] |= was_weak[word] ^ weak[word];
    w7_analysis_drop_ladders(slots, analysis, changed, ladders);
    for (size_t word = 0; word < words; word++) {
        sets[W7_ANALYSIS_TAKEN * words + word] &= weak[word] | weak[words + word];
        ladders[word] &= analysis->has_ladders ? weak[word] | weak[words + word] : 0;
    }
    for (int32_t stone = w7_input_first(slots, ladders); stone >= 0; stone = w7_input_first(slots, ladders))
        w7_analysis_read_ladder(room, analysis, stone, ladders);
}

/* How many of the positions an analysis has to go on to, last first, so that the first one is analysed; with `needs` of
 * ladders those of all of them are known then. Of `positions` each is the one before its predecessor here. */
static inline int w7_analysis_distance(const w7_slots *slots, w7_analysis *analysis,
                                       const w7_analysis_position positions[W7_ANALYSIS_POSITIONS], int needs)
{
    const int last = needs & W7_ANALYSE_LADDERS ? W7_ANALYSIS_POSITIONS : 1;
    for (int shift = 0; shift < 2; shift++) {
        int fits = !(needs & W7_ANALYSE_LADDERS) || analysis->has_ladders;
        for (int k = shift; fits && k < last; k++)
            fits = w7_analysis_is(slots, analysis, k - shift, &positions[k]);
        if (fits)
            return shift;
    }
    return last;
}

/* Goes on to the first `distance` of the positions, last first, and finds what else is asked for of the first one. */
static W7_NOINLINE void w7_analyse(w7_input_ladders *room, w7_analysis *analysis,
                                   const w7_analysis_position positions[W7_ANALYSIS_POSITIONS], int distance, int needs,
                                   int suicide)
{
    const w7_slots *slots = room->slots;
    if ((needs & W7_ANALYSE_LADDERS) && !analysis->has_ladders) {
        memset(analysis, 0, w7_analysis_size(slots));
        analysis->has_ladders = 1;
    }
    while (distance > 0)
        w7_analysis_go_on(room, analysis, &positions[--distance]);
    if ((needs & W7_ANALYSE_AREAS) && analysis->has_areas != 1 + suicide) {
        w7_input_areas *areas = &analysis->areas;
        for (int color = 0; color < 2; color++) {
            areas->stones[color] = w7_analysis_set(slots, analysis, W7_ANALYSIS_AREA_STONES + color);
            areas->reached[color] = w7_analysis_set(slots, analysis, W7_ANALYSIS_REACHED + color);
            areas->regions[color] = w7_analysis_set(slots, analysis, W7_ANALYSIS_REGIONS + color);
            areas->areas[color] = w7_analysis_set(slots, analysis, W7_ANALYSIS_AREA + color);
            areas->alive[color] = w7_analysis_set(slots, analysis, W7_ANALYSIS_ALIVE + color);
        }
        w7_input_find_areas(slots, w7_analysis_labels(slots, analysis), suicide,
                            w7_analysis_set(slots, analysis, W7_ANALYSIS_BLACK),
                            w7_analysis_set(slots, analysis, W7_ANALYSIS_WHITE), areas);
        analysis->has_areas = 1 + suicide;
    }
}

#endif
