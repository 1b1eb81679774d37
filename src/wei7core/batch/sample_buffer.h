/* A buffer of training rows, drawn in random order; `sample_write.h` writes them.
 *
 * A place of the buffer holds a whole row: its position, and the differences of the earlier ones, which are few. So
 * memory is bounded by the number of places, and little of it is read for a row. All randomness comes from one state
 * that the caller stores. No Python. */
#ifndef W7_BATCH_SAMPLE_BUFFER_H
#define W7_BATCH_SAMPLE_BUFFER_H

#include "batch/inputs/inputs.h"
#include "batch/sample_rows.h"
#include "board/kernel/stone_sets.h"
#include "board/kernel/symmetry.h"

enum { W7_SAMPLE_CHANGES = 40 }; /* of a place; rows with more of them allocate memory */

/* A place of the buffer. It is followed by the packed board, as words, that of the owners of points, if requested,
 * the sets of what is found of the position (W7_FOUND_*), if requested, and room for changes. */
typedef struct {
    int64_t game;
    int64_t group; /* where it comes from, for a caller that has to find it again */
    int64_t pick;
    uint32_t *more; /* the changes, where there are too many for the place; else NULL */
    float value;
    float margin;
    int32_t policy;
    int32_t number;
    int32_t ko;
    int32_t ahead;
    float komi;
    int32_t moves[W7_INPUT_MOVES]; /* the last one first, -1 from the first that was not played in turn */
    uint8_t color;
    uint8_t earlier;
    uint8_t symmetry;
    uint8_t has_area;
    uint32_t
        ends[W7_HISTORY_POSITIONS]; /* of the changes from each position to the one before it: number 0 is unused */
} w7_sample_place;

/* A point, numbered row by row, and its content in an earlier position. */
static inline uint32_t w7_sample_change(int64_t point, uint64_t value)
{
    return (uint32_t)point << 2 | (uint32_t)value;
}

/* All zeros at first. `order` has all places, the rows in the first `count` of it. */
typedef struct {
    int32_t width;
    int32_t height;
    int64_t capacity;
    int64_t count;
    int64_t words;  /* of a packed board */
    int64_t stride; /* bytes of a place */
    uint8_t *at;    /* the caller's memory, all zeros at first: `capacity` places */
    uint32_t *order;
    int32_t *images;       /* of each point under each symmetry */
    uint8_t *chosen;       /* the symmetries of the rows that were drawn last, by their number in `order` */
    const w7_slots *slots; /* of this size, if other planes than those of AlphaGo Zero are requested, else NULL */
    int needs;             /* W7_ANALYSE_*, of positions */
    uint8_t suicide;       /* is legal */
    uint8_t has_areas;
    uint8_t has_chosen; /* else they have those that they were put in with */
} w7_sample_buffer;

static inline w7_sample_place *w7_sample_place_at(const w7_sample_buffer *buffer, int64_t place)
{
    return (w7_sample_place *)(void *)(buffer->at + place * buffer->stride);
}

static inline uint64_t *w7_sample_board(const w7_sample_place *place)
{
    return (uint64_t *)(void *)(place + 1);
}

/* Words of the sets of a place. */
static inline int64_t w7_sample_set_words(const w7_sample_buffer *buffer)
{
    return buffer->needs == 0 ? 0 : (int64_t)W7_FOUND_SETS * buffer->slots->words;
}

static inline uint64_t *w7_sample_sets(const w7_sample_buffer *buffer, const w7_sample_place *place)
{
    return w7_sample_board(place) + buffer->words * (1 + buffer->has_areas);
}

static inline uint32_t *w7_sample_changes(const w7_sample_buffer *buffer, const w7_sample_place *place)
{
    return place->more != NULL ? place->more
                               : (uint32_t *)(void *)(w7_sample_sets(buffer, place) + w7_sample_set_words(buffer));
}

static inline void w7_sample_buffer_free(w7_sample_buffer *buffer)
{
    for (int64_t k = 0; buffer->at != NULL && k < buffer->capacity; k++)
        free(w7_sample_place_at(buffer, k)->more);
    free(buffer->order);
    free(buffer->images);
    free(buffer->chosen);
    memset(buffer, 0, sizeof *buffer);
}

/* The next word of a packed board, of which `bytes` are to come, its lowest byte first on every machine. NULL: no
 * stones. */
static inline uint64_t w7_sample_word(const uint8_t *packed, int64_t bytes)
{
    uint64_t word = 0;
    if (packed == NULL)
        return 0;
    if (bytes >= 8)
        return (uint64_t)packed[0] | (uint64_t)packed[1] << 8 | (uint64_t)packed[2] << 16 | (uint64_t)packed[3] << 24 |
               (uint64_t)packed[4] << 32 | (uint64_t)packed[5] << 40 | (uint64_t)packed[6] << 48 |
               (uint64_t)packed[7] << 56;
    for (int64_t k = 0; k < bytes; k++)
        word |= (uint64_t)packed[k] << 8 * k;
    return word;
}

static inline void w7_sample_read_board(const uint8_t *packed, int64_t size, uint64_t *words)
{
    for (int64_t at = 0; at < size; at += 8)
        *words++ = w7_sample_word(packed == NULL ? NULL : packed + at, size - at);
}

/* `at` is for the caller to set; `wanted` are the planes, other than those of AlphaGo Zero, that will be written.
 * Returns 0, or -1 when memory is short. */
static inline int w7_sample_buffer_make(w7_sample_buffer *buffer, int32_t width, int32_t height, int64_t capacity,
                                        int has_areas, const w7_slots *slots, uint64_t wanted, int suicide)
{
    const int64_t points = (int64_t)width * height;
    memset(buffer, 0, sizeof *buffer);
    buffer->width = width;
    buffer->height = height;
    buffer->capacity = capacity;
    buffer->words = (w7_packed_size(width, height) + 7) / 8;
    buffer->has_areas = has_areas != 0;
    buffer->slots = slots;
    buffer->needs = w7_input_needs(wanted);
    buffer->suicide = suicide != 0;
    buffer->stride = (int64_t)sizeof(w7_sample_place) + buffer->words * 8 * (1 + buffer->has_areas) +
                     8 * w7_sample_set_words(buffer) + (int64_t)(W7_SAMPLE_CHANGES * sizeof(uint32_t));
    if (capacity > PTRDIFF_MAX / buffer->stride)
        return -1;
    buffer->order = malloc((size_t)capacity * sizeof *buffer->order);
    buffer->images = malloc((size_t)points * 8 * sizeof *buffer->images);
    buffer->chosen = malloc((size_t)capacity);
    if (buffer->order == NULL || buffer->images == NULL || buffer->chosen == NULL) {
        w7_sample_buffer_free(buffer);
        return -1;
    }
    for (int64_t k = 0; k < capacity; k++)
        buffer->order[k] = (uint32_t)k;
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        const int32_t row = symmetry & 4 ? height : width;
        for (int32_t y = 0, at = 0; y < height; y++) {
            for (int32_t x = 0; x < width; x++, at++) {
                const w7_point image = w7_symmetry_point(symmetry, width, height, x, y);
                buffer->images[symmetry * points + at] = image.y * row + image.x;
            }
        }
    }
    return 0;
}

/* Rows, and the packed boards that they name. */
typedef struct {
    const w7_sample_row *rows;
    const uint8_t *boards;
    const uint8_t *areas;
    int64_t count;
    int64_t board_bytes;
    int64_t area_bytes;
} w7_sample_source;

/* Records the differences of the first `positions` positions before that of a row, at most `room` changes. Returns
 * their number. */
static inline int64_t w7_sample_find_changes(const w7_sample_source *source, const w7_sample_row *row, int positions,
                                             int64_t size, w7_sample_place *place, uint32_t *changes, int64_t room)
{
    int64_t count = 0;
    for (int k = 1; k <= positions; k++) {
        const uint8_t *now = row[1 - k].board < 0 ? NULL : source->boards + row[1 - k].board;
        const uint8_t *before = row[-k].board < 0 ? NULL : source->boards + row[-k].board;
        for (int64_t at = 0; at < size; at += 8) {
            const uint64_t other = w7_sample_word(before == NULL ? NULL : before + at, size - at);
            uint64_t changed = other ^ w7_sample_word(now == NULL ? NULL : now + at, size - at);
            while (changed != 0) {
                const int bit = w7_lowest_bit(changed) & ~1;
                if (count < room)
                    changes[count] = w7_sample_change(4 * at + bit / 2, other >> bit & 3);
                count++;
                changed &= ~((uint64_t)3 << bit);
            }
        }
        place->ends[k] = (uint32_t)count;
    }
    return count;
}

/* Whether the row and those of its history name boards that are there. */
static inline int w7_sample_is_whole(const w7_sample_source *source, int64_t at, int64_t size)
{
    const w7_sample_row *row = source->rows + at;
    if (at < 0 || at >= source->count || row->earlier > at || row->earlier >= W7_HISTORY_POSITIONS ||
        (row->area >= 0 && row->area > source->area_bytes - size))
        return 0;
    for (int k = 0; k <= row->earlier; k++)
        if (row[-k].board >= 0 && row[-k].board > source->board_bytes - size)
            return 0;
    return 1;
}

/* The analysis of a row, and its place, from which those of another one are made. */
typedef struct {
    w7_input_ladders room;
    w7_analysis *analysis; /* NULL: nothing is to be found */
    const w7_sample_row *row;
    const w7_sample_row *last; /* that was put into a place, or NULL */
    const w7_sample_place *last_place;
} w7_sample_analysis;

/* The same of all positions before that of a row, where those of the row before it are known: most of them are also its
 * own. Returns -1 where they are not, or where a place has too little room. */
static inline int64_t w7_sample_shift_changes(const w7_sample_buffer *buffer, const w7_sample_source *source,
                                              const w7_sample_row *row, int64_t size, w7_sample_place *place,
                                              const w7_sample_analysis *work)
{
    uint32_t *changes = w7_sample_changes(buffer, place);
    const w7_sample_place *last = work->last_place;
    int64_t count, others;
    if (work->last == NULL || row != work->last + 1 || place == last || row->earlier == 0 ||
        row->earlier > work->last->earlier + 1)
        return -1;
    count = w7_sample_find_changes(source, row, 1, size, place, changes, W7_SAMPLE_CHANGES);
    others = last->ends[row->earlier - 1];
    if (count + others > W7_SAMPLE_CHANGES)
        return -1;
    memcpy(changes + count, w7_sample_changes(buffer, last), (size_t)others * sizeof *changes);
    for (int k = 2; k <= row->earlier; k++)
        place->ends[k] = (uint32_t)count + last->ends[k - 1];
    return count + others;
}

/* Returns 0, or -1 when memory is short. */
static inline int w7_sample_analysis_make(w7_sample_analysis *work, const w7_sample_buffer *buffer)
{
    memset(work, 0, sizeof *work);
    if (buffer->needs == 0)
        return 0;
    work->analysis = (w7_analysis *)calloc(1, w7_analysis_size(buffer->slots));
    if (work->analysis != NULL && w7_input_ladders_make(&work->room, buffer->slots))
        return 0;
    free(work->analysis);
    return -1;
}

/* Analyses the position of a row, and keeps what is found at its place. Before the first position the board was as it
 * was then. */
static inline void w7_sample_analyse(const w7_sample_buffer *buffer, const w7_sample_source *source,
                                     const w7_sample_row *row, w7_sample_analysis *work, uint64_t *sets)
{
    const w7_slots *slots = buffer->slots;
    const size_t bytes = (size_t)slots->words * sizeof *sets;
    uint64_t stones[W7_ANALYSIS_POSITIONS][2][W7_SLOT_WORDS];
    const uint64_t *found[W7_FOUND_SETS];
    w7_analysis_position positions[W7_ANALYSIS_POSITIONS];
    int distance = buffer->needs & W7_ANALYSE_LADDERS ? W7_ANALYSIS_POSITIONS : 1;
    if (work->row == row)
        distance = 0;
    else if (work->row != NULL && row == work->row + 1 && row->earlier > 0)
        distance = 1;
    work->row = row;
    for (int k = 0; k < distance; k++) {
        const w7_sample_row *of = row - (k < row->earlier ? k : row->earlier);
        memset(stones[k], 0, sizeof stones[k]);
        if (of->board >= 0)
            w7_stone_sets_unpack(source->boards + of->board, slots->points, stones[k][0], stones[k][1]);
        positions[k].black = stones[k][0];
        positions[k].white = stones[k][1];
        positions[k].ko = of->ko;
    }
    w7_analyse(&work->room, work->analysis, positions, distance, buffer->needs, buffer->suicide);
    w7_input_take(slots, work->analysis, row->color, found);
    for (int k = 0; k < W7_FOUND_SETS; k++)
        memcpy(sets + k * slots->words, found[k], bytes);
}

/* Puts row `pick >> 3` under symmetry `pick & 7` into a place. Returns 0, -1 for a row out of range, 1 when memory is
 * short. */
static inline int w7_sample_put(w7_sample_buffer *buffer, w7_sample_place *place, const w7_sample_source *source,
                                int64_t pick, int64_t group, w7_sample_analysis *work)
{
    const int64_t size = w7_packed_size(buffer->width, buffer->height);
    const w7_sample_row *row = source->rows + (pick >> 3);
    int64_t changes;
    if (!w7_sample_is_whole(source, pick >> 3, size))
        return -1;
    free(place->more);
    place->more = NULL;
    w7_sample_read_board(row->board < 0 ? NULL : source->boards + row->board, size, w7_sample_board(place));
    place->has_area = buffer->has_areas && row->area >= 0;
    if (place->has_area)
        w7_sample_read_board(source->areas + row->area, size, w7_sample_board(place) + buffer->words);
    place->game = row->game;
    place->group = group;
    place->pick = pick;
    place->value = row->value;
    place->margin = row->margin;
    place->policy = row->policy;
    place->number = row->number;
    place->color = row->color;
    place->earlier = row->earlier;
    place->symmetry = (uint8_t)(pick & 7);
    place->ko = row->ko;
    place->ahead = row->ahead;
    place->komi = row->komi;
    for (int k = 0; k < W7_INPUT_MOVES; k++) {
        const int is_turn = k < row->earlier && (k == 0 || place->moves[k - 1] >= 0) &&
                            (row[-1 - k].color == row->color) == ((k & 1) != 0);
        place->moves[k] = is_turn ? row[-1 - k].policy : -1;
    }
    if (work->analysis != NULL)
        w7_sample_analyse(buffer, source, row, work, w7_sample_sets(buffer, place));
    place->ends[0] = 0;
    changes = w7_sample_shift_changes(buffer, source, row, size, place, work);
    if (changes < 0)
        changes = w7_sample_find_changes(source, row, row->earlier, size, place, w7_sample_changes(buffer, place),
                                         W7_SAMPLE_CHANGES);
    if (changes > W7_SAMPLE_CHANGES) {
        place->more = malloc((size_t)changes * sizeof *place->more);
        if (place->more == NULL)
            return 1;
        w7_sample_find_changes(source, row, row->earlier, size, place, place->more, changes);
    }
    work->last = row;
    work->last_place = place;
    return 0;
}

static inline void w7_sample_prefetch(const w7_sample_buffer *buffer, int64_t place)
{
    const uint8_t *at = buffer->at + place * buffer->stride;
    for (int64_t k = 0; k < buffer->stride; k += 64)
        W7_PREFETCH(at + k);
}

/* Puts rows `begin` up to `end` of `picks` into the buffer, the first of all as number `first` of it, or each where
 * `numbers` says, unless that is NULL. `statuses`, an element a row, are what w7_sample_put returns. */
static inline void w7_sample_put_all(w7_sample_buffer *buffer, const w7_sample_source *source, const int64_t *picks,
                                     int64_t begin, int64_t end, int64_t group, int64_t first, const int64_t *numbers,
                                     int8_t *statuses)
{
    w7_sample_analysis work;
    if (begin >= end)
        return;
    if (w7_sample_analysis_make(&work, buffer) != 0) {
        statuses[begin] = 1;
        return;
    }
    for (int64_t k = begin; k < end; k++) {
        const int64_t number = numbers == NULL ? first + k : numbers[k];
        if (numbers == NULL && k + 2 < end && number + 2 < buffer->capacity)
            w7_sample_prefetch(buffer, buffer->order[number + 2]);
        statuses[k] = number < 0 || number >= buffer->capacity
                          ? -1
                          : (int8_t)w7_sample_put(buffer, w7_sample_place_at(buffer, buffer->order[number]), source,
                                                  picks[k], group, &work);
    }
    free(work.room.frames);
    free(work.analysis);
}

/* The next number of splitmix64. */
static inline uint64_t w7_sample_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* A number below `bound`, from 1 to 2**32. */
static inline int64_t w7_sample_below(uint64_t *state, int64_t bound)
{
    return (int64_t)((w7_sample_random(state) >> 32) * (uint64_t)bound >> 32);
}

/* Takes `wanted` rows out of the buffer, at random or the oldest; they are then number `count` and after in `order`.
 * `symmetries` above 1: each gets one of that many at random. */
static inline void w7_sample_draw(w7_sample_buffer *buffer, int64_t wanted, int is_shuffled, int symmetries,
                                  uint64_t *state)
{
    const int64_t first = buffer->count - wanted;
    if (is_shuffled) {
        for (int64_t k = buffer->count - 1; k >= first; k--) {
            const int64_t other = w7_sample_below(state, k + 1);
            const uint32_t kept = buffer->order[other];
            buffer->order[other] = buffer->order[k];
            buffer->order[k] = kept;
        }
    }
    buffer->has_chosen = symmetries > 1;
    for (int64_t k = first; symmetries > 1 && k < buffer->count; k++)
        buffer->chosen[k] = (uint8_t)w7_sample_below(state, symmetries);
    buffer->count = first;
}

#endif
