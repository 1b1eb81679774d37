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

enum {
    W7_SAMPLE_CHANGES = 40,        /* of a place; rows with more of them allocate memory, */
    W7_SAMPLE_MOST_POINTS = 16384, /* as do those of larger boards */
    W7_SAMPLE_LINE = 64
};

/* A place of the buffer. It is followed by the packed board, as words, that of the owners of points, if requested,
 * what only inputs of KataGo need, if requested, with the sets of what is found of the position (W7_FOUND_*), and
 * room for changes. Places are few lines of the cache: they are read and written in random order. */
typedef struct {
    int64_t game;
    int64_t group; /* where it comes from, for a caller that has to find it again */
    int64_t pick;
    uint32_t *more; /* the ends and then the changes, where there are too many for the place; else NULL */
    float value;
    float margin;
    int32_t policy;
    int32_t number;
    uint8_t color;
    uint8_t earlier;
    uint8_t symmetry;
    uint8_t has_area;
    uint16_t ends[W7_HISTORY_POSITIONS]; /* of the changes from each position to the one before it; number 0 is 0 */
} w7_sample_place;

typedef struct {
    int32_t moves[W7_INPUT_MOVES]; /* the last one first, -1 from the first that was not played in turn */
    int32_t ko;
    int32_t black_surplus;
    float komi;
} w7_sample_played;

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
    int64_t stride; /* bytes of a place, whole lines of the cache */
    int64_t room;   /* of changes in a place */
    uint8_t *at;    /* the caller's memory, all zeros at first: `capacity` places, the first at the start of a line */
    uint32_t *order;
    int32_t *images;     /* of each point under each symmetry; then the four points next to each one, the number of all
                              points where there is none */
    int32_t *sides;      /* those four */
    uint64_t *all;       /* sets of points: of the board, */
    uint64_t *not_first; /* not in its first column, */
    uint64_t *not_last;  /* not in its last one */
    const w7_slots *slots; /* of this size, if other planes than those of AlphaGo Zero are requested, else NULL */
    int needs;             /* W7_ANALYSE_*, of positions */
    uint8_t suicide;       /* is legal */
    uint8_t has_areas;
    int symmetries; /* of which rows that are drawn get one at random; below 2: that they were put in with */
    uint64_t drawn; /* the state of the generator before the symmetries of the rows that were drawn last */
} w7_sample_buffer;

static inline w7_sample_place *w7_sample_place_at(const w7_sample_buffer *buffer, int64_t place)
{
    return (w7_sample_place *)(void *)(buffer->at + place * buffer->stride);
}

static inline uint64_t *w7_sample_board(const w7_sample_place *place)
{
    return (uint64_t *)(void *)(place + 1);
}

static inline w7_sample_played *w7_sample_played_of(const w7_sample_buffer *buffer, const w7_sample_place *place)
{
    return (w7_sample_played *)(void *)(w7_sample_board(place) + buffer->words * (1 + buffer->has_areas));
}

/* Words of the sets of a place. */
static inline int64_t w7_sample_set_words(const w7_sample_buffer *buffer)
{
    return buffer->needs == 0 ? 0 : (int64_t)W7_FOUND_SETS * buffer->slots->words;
}

static inline uint64_t *w7_sample_sets(const w7_sample_buffer *buffer, const w7_sample_place *place)
{
    return (uint64_t *)(void *)(w7_sample_played_of(buffer, place) + (buffer->slots != NULL));
}

/* The changes of a place that has no `more`. */
static inline uint16_t *w7_sample_changes(const w7_sample_buffer *buffer, const w7_sample_place *place)
{
    return (uint16_t *)(void *)(w7_sample_sets(buffer, place) + w7_sample_set_words(buffer));
}

static inline uint32_t w7_sample_end(const w7_sample_place *place, int position)
{
    return place->more != NULL ? place->more[position] : place->ends[position];
}

static inline uint32_t w7_sample_change_at(const w7_sample_place *place, const uint16_t *changes, uint32_t at)
{
    return place->more != NULL ? place->more[W7_HISTORY_POSITIONS + at] : changes[at];
}

static inline void w7_sample_buffer_free(w7_sample_buffer *buffer)
{
    for (int64_t k = 0; buffer->at != NULL && k < buffer->capacity; k++)
        free(w7_sample_place_at(buffer, k)->more);
    free(buffer->order);
    free(buffer->images);
    free(buffer->all);
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
static W7_COLD int w7_sample_buffer_make(w7_sample_buffer *buffer, int32_t width, int32_t height, int64_t capacity,
                                         int has_areas, const w7_slots *slots, uint64_t wanted, int suicide)
{
    const int64_t points = (int64_t)width * height;
    const size_t set_words = w7_point_set_words(points);
    memset(buffer, 0, sizeof *buffer);
    buffer->width = width;
    buffer->height = height;
    buffer->capacity = capacity;
    buffer->words = (w7_packed_size(width, height) + 7) / 8;
    buffer->has_areas = has_areas != 0;
    buffer->slots = slots;
    buffer->needs = w7_input_needs(wanted);
    buffer->suicide = suicide != 0;
    buffer->room = points <= W7_SAMPLE_MOST_POINTS ? W7_SAMPLE_CHANGES : 0;
    buffer->stride = (int64_t)sizeof(w7_sample_place) + buffer->words * 8 * (1 + buffer->has_areas) +
                     (slots != NULL ? (int64_t)sizeof(w7_sample_played) : 0) + 8 * w7_sample_set_words(buffer) +
                     buffer->room * (int64_t)sizeof(uint16_t);
    buffer->stride = (buffer->stride + W7_SAMPLE_LINE - 1) / W7_SAMPLE_LINE * W7_SAMPLE_LINE;
    if (capacity > PTRDIFF_MAX / buffer->stride - 1)
        return -1;
    buffer->order = malloc((size_t)capacity * sizeof *buffer->order);
    buffer->images = malloc((size_t)points * 12 * sizeof *buffer->images);
    buffer->all = calloc(set_words, 3 * sizeof *buffer->all);
    if (buffer->order == NULL || buffer->images == NULL || buffer->all == NULL) {
        w7_sample_buffer_free(buffer);
        return -1;
    }
    buffer->sides = buffer->images + 8 * points;
    buffer->not_first = buffer->all + set_words;
    buffer->not_last = buffer->not_first + set_words;
    for (int32_t at = 0, x = 0; at < points; at++, x = x + 1 < width ? x + 1 : 0) {
        int32_t *sides = buffer->sides + 4 * (int64_t)at;
        w7_point_add(buffer->all, at);
        if (x > 0)
            w7_point_add(buffer->not_first, at);
        if (x < width - 1)
            w7_point_add(buffer->not_last, at);
        sides[0] = x > 0 ? at - 1 : (int32_t)points;
        sides[1] = x < width - 1 ? at + 1 : (int32_t)points;
        sides[2] = at >= width ? at - width : (int32_t)points;
        sides[3] = at < points - width ? at + width : (int32_t)points;
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

/* Finds the differences of the first `positions` positions before that of a row, at most `room` changes, and where
 * those of each position end. Returns their number. */
static W7_NOINLINE int64_t w7_sample_find_changes(const w7_sample_source *source, const w7_sample_row *row,
                                                  int positions, int64_t size, uint32_t *ends, uint32_t *changes,
                                                  int64_t room)
{
    int64_t count = 0;
    ends[0] = 0;
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
        ends[k] = (uint32_t)count;
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
                                              const w7_sample_row *row, int64_t size, const w7_sample_place *place,
                                              const w7_sample_analysis *work, uint32_t *ends, uint32_t *changes)
{
    const w7_sample_place *last = work->last_place;
    const uint16_t *known;
    int64_t count;
    uint32_t others;
    if (work->last == NULL || row != work->last + 1 || place == last || row->earlier == 0 ||
        row->earlier > work->last->earlier + 1)
        return -1;
    count = w7_sample_find_changes(source, row, 1, size, ends, changes, W7_SAMPLE_CHANGES);
    others = w7_sample_end(last, row->earlier - 1);
    if (count + others > W7_SAMPLE_CHANGES)
        return -1;
    known = w7_sample_changes(buffer, last);
    for (uint32_t k = 0; k < others; k++)
        changes[count + k] = w7_sample_change_at(last, known, k);
    for (int k = 2; k <= row->earlier; k++)
        ends[k] = (uint32_t)count + w7_sample_end(last, k - 1);
    return count + others;
}

/* Keeps where changes end, and the changes, at a place with room for them. */
static inline void w7_sample_keep_changes(const w7_sample_buffer *buffer, w7_sample_place *place, const uint32_t *ends,
                                          const uint32_t *changes)
{
    uint16_t *kept = w7_sample_changes(buffer, place);
    for (int k = 0; k <= place->earlier; k++)
        place->ends[k] = (uint16_t)ends[k];
    for (uint32_t k = 0; k < ends[place->earlier]; k++)
        kept[k] = (uint16_t)changes[k];
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

static inline void w7_sample_put_played(const w7_sample_row *row, w7_sample_played *played)
{
    played->ko = row->ko;
    played->black_surplus = row->black_surplus;
    played->komi = row->komi;
    for (int k = 0; k < W7_INPUT_MOVES; k++) {
        const int is_turn = k < row->earlier && (k == 0 || played->moves[k - 1] >= 0) &&
                            (row[-1 - k].color == row->color) == ((k & 1) != 0);
        played->moves[k] = is_turn ? row[-1 - k].policy : -1;
    }
}

/* Puts row `pick >> 3` under symmetry `pick & 7` into a place. Returns 0, -1 for a row out of range, 1 when memory is
 * short. */
static inline int w7_sample_put(w7_sample_buffer *buffer, w7_sample_place *place, const w7_sample_source *source,
                                int64_t pick, int64_t group, w7_sample_analysis *work)
{
    const int64_t size = w7_packed_size(buffer->width, buffer->height);
    const w7_sample_row *row = source->rows + (pick >> 3);
    uint32_t ends[W7_HISTORY_POSITIONS], changes[W7_SAMPLE_CHANGES];
    int64_t count;
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
    if (buffer->slots != NULL)
        w7_sample_put_played(row, w7_sample_played_of(buffer, place));
    if (work->analysis != NULL)
        w7_sample_analyse(buffer, source, row, work, w7_sample_sets(buffer, place));
    count = w7_sample_shift_changes(buffer, source, row, size, place, work, ends, changes);
    if (count < 0)
        count = w7_sample_find_changes(source, row, row->earlier, size, ends, changes, W7_SAMPLE_CHANGES);
    if (count <= buffer->room) {
        w7_sample_keep_changes(buffer, place, ends, changes);
    } else {
        place->more = malloc(((size_t)count + W7_HISTORY_POSITIONS) * sizeof *place->more);
        if (place->more == NULL)
            return 1;
        w7_sample_find_changes(source, row, row->earlier, size, place->more, place->more + W7_HISTORY_POSITIONS, count);
    }
    work->last = row;
    work->last_place = place;
    return 0;
}

static inline void w7_sample_prefetch(const w7_sample_buffer *buffer, int64_t place)
{
    const uint8_t *at = buffer->at + place * buffer->stride;
    for (int64_t k = 0; k < buffer->stride; k += W7_SAMPLE_LINE)
        W7_PREFETCH(at + k);
}

/* Puts rows `begin` up to `end` of `picks` into the buffer, the first of all as number `first` of it, or each where
 * `numbers` gives, unless that is NULL. `statuses`, zeros, an element a row, become what w7_sample_put returns; returns
 * whether one is not 0. */
static inline int w7_sample_put_all(w7_sample_buffer *buffer, const w7_sample_source *source, const int64_t *picks,
                                    int64_t begin, int64_t end, int64_t group, int64_t first, const int64_t *numbers,
                                    int8_t *statuses)
{
    w7_sample_analysis work;
    int failed = 0;
    if (begin >= end)
        return 0;
    if (w7_sample_analysis_make(&work, buffer) != 0) {
        statuses[begin] = 1;
        return 1;
    }
    for (int64_t k = begin; k < end; k++) {
        const int64_t number = numbers == NULL ? first + k : numbers[k];
        int status = -1;
        if (numbers == NULL && k + 2 < end && number + 2 < buffer->capacity)
            w7_sample_prefetch(buffer, buffer->order[number + 2]);
        if (number >= 0 && number < buffer->capacity)
            status = w7_sample_put(buffer, w7_sample_place_at(buffer, buffer->order[number]), source, picks[k], group,
                                   &work);
        if (status != 0) {
            statuses[k] = (int8_t)status;
            failed = 1;
        }
    }
    free(work.room.frames);
    free(work.analysis);
    return failed;
}

#define W7_SAMPLE_STEP 0x9E3779B97F4A7C15u /* of the state of splitmix64 with each number */

/* The next number of splitmix64. */
static inline uint64_t w7_sample_random(uint64_t *state)
{
    uint64_t z = *state += W7_SAMPLE_STEP;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* A number below `bound`, from 1 to 2**32. */
static inline int64_t w7_sample_below(uint64_t *state, int64_t bound)
{
    return (int64_t)((w7_sample_random(state) >> 32) * (uint64_t)bound >> 32);
}

/* The symmetry of a row of those that were drawn last. */
static inline int w7_sample_symmetry(const w7_sample_buffer *buffer, int64_t row)
{
    uint64_t state = buffer->drawn + (uint64_t)row * W7_SAMPLE_STEP;
    if (buffer->symmetries > 1)
        return (int)w7_sample_below(&state, buffer->symmetries);
    return w7_sample_place_at(buffer, buffer->order[buffer->count + row])->symmetry;
}

/* Takes `wanted` rows out of the buffer, at random or the oldest; they are then number `count` and after in `order`.
 * `symmetries` above 1: each gets one of that many at random. */
static inline void w7_sample_draw(w7_sample_buffer *buffer, int64_t wanted, int is_shuffled, int symmetries,
                                  uint64_t *state)
{
    enum { AT_ONCE = 64 }; /* whose places in `order` are fetched together: most are not in the cache */
    const int64_t first = buffer->count - wanted;
    uint32_t *order = buffer->order;
    int64_t others[AT_ONCE];
    for (int64_t k = buffer->count; is_shuffled && k > first;) {
        const int64_t count = k - first < AT_ONCE ? k - first : AT_ONCE;
        for (int64_t j = 0; j < count; j++) {
            others[j] = w7_sample_below(state, k - j);
            W7_PREFETCH_TO_WRITE(order + others[j]);
        }
        for (int64_t j = 0; j < count; j++) {
            const uint32_t kept = order[others[j]];
            order[others[j]] = order[--k];
            order[k] = kept;
        }
    }
    buffer->symmetries = symmetries;
    buffer->drawn = *state;
    if (symmetries > 1)
        *state += (uint64_t)wanted * W7_SAMPLE_STEP;
    buffer->count = first;
}

#endif
