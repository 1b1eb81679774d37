/* Rows of a buffer, written as arrays: the planes of AlphaGo Zero or others, legal points, owners and targets. No Python. */
#ifndef W7_BATCH_SAMPLE_WRITE_H
#define W7_BATCH_SAMPLE_WRITE_H

#include "batch/sample_buffer.h"
#include "batch/sample_stream.h"

enum { W7_SAMPLE_MOST_PREFETCHED = 512 }; /* bytes of a plane, so that all those of a row fit into the cache */

/* How planes are written, and those other than AlphaGo Zero's, with the globals of KataGo unless they are NULL; the rules
 * are those of legal points, too. */
typedef struct {
    w7_input_type type;
    const uint8_t *planes; /* by their numbers; NULL: those of AlphaGo Zero */
    int32_t count;
    w7_input_rules rules; /* komi is that of games that name none */
    uint8_t suicide;
    float *globals;
    int isa; /* that runs */
} w7_sample_inputs;

/* Where rows are written to, an element a row; `legal` and `ownership` may be NULL. */
typedef struct {
    uint8_t *planes;
    int32_t *policy;
    float *value;
    float *margin;
    int64_t *game;
    int32_t *number;
    uint8_t *symmetry;
    uint8_t *legal;
    int8_t *ownership;
    int64_t count; /* rows, of which a call writes some */
    w7_sample_inputs inputs;
} w7_sample_out;

/* Brings lines of memory that is written soon into the cache; they may be after its end. Returns the line after them. */
static W7_ALWAYS_INLINE uintptr_t w7_sample_prefetch_lines(uintptr_t line, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        W7_PREFETCH_TO_WRITE(line + 64 * (uintptr_t)k);
    return line + 64 * (uintptr_t)count;
}

/* Where a point is taken to; without `images`, and for no point of the board, it is the number itself. */
static inline int32_t w7_sample_image(const w7_slots *slots, const int32_t *images, int32_t point)
{
    return images != NULL && point >= 0 && point < slots->points ? images[point] : point;
}

/* Writes the requested planes and the globals; without `images` every point keeps its place. The planes at `next` are
 * written next. */
static inline void w7_sample_write_inputs(const w7_sample_buffer *buffer, const w7_sample_place *place,
                                          const int32_t *images, const w7_sample_inputs *inputs, int64_t index,
                                          uint8_t *planes, const uint8_t *next)
{
    const w7_slots *slots = buffer->slots;
    const uint64_t *board = w7_sample_board(place), *found = w7_sample_sets(buffer, place);
    const uint16_t *changes = w7_sample_changes(buffer, place);
    const w7_sample_played *played = w7_sample_played_of(buffer, place);
    const int64_t size = w7_input_plane_size(slots->points, inputs->type);
    /* Stones and moves are taken to their places once, before there are planes of them; what was found is not. */
    const int32_t *turned = buffer->needs == 0 ? images : NULL;
    uint64_t stones[W7_HISTORY_POSITIONS][2][W7_SLOT_WORDS], wanted = 0;
    int last; /* of the positions that planes show */
    w7_input_sets sets;
    w7_input input;
    for (int32_t k = 0; k < inputs->count; k++)
        wanted |= (uint64_t)1 << inputs->planes[k];
    last = w7_input_positions(wanted) - 1;
    memset(stones[0], 0, sizeof stones[0]);
    for (int64_t word = 0; word < buffer->words; word++) {
        for (int side = 0; side < 2 && turned == NULL; side++)
            stones[0][side][word >> 1] |= w7_even_bits(board[word] >> side) << (word & 1 ? 32 : 0);
        for (uint64_t rest = turned == NULL ? 0 : board[word]; rest != 0; rest &= rest - 1)
            w7_point_add(stones[0][w7_lowest_bit(rest) & 1], turned[32 * word + (w7_lowest_bit(rest) >> 1)]);
    }
    for (int k = 0; k < W7_HISTORY_POSITIONS; k++) {
        input.positions[k].black = k > place->earlier ? NULL : stones[k][0];
        input.positions[k].white = k > place->earlier ? NULL : stones[k][1];
        if (k == 0 || k > place->earlier || k > last)
            continue;
        memcpy(stones[k], stones[k - 1], sizeof stones[k]);
        for (uint32_t at = w7_sample_end(place, k - 1); at < w7_sample_end(place, k); at++) {
            const uint32_t change = w7_sample_change_at(place, changes, at);
            const uint32_t point = turned == NULL ? change >> 2 : (uint32_t)turned[change >> 2];
            const uint64_t bit = (uint64_t)1 << (point & 63);
            for (int side = 0; side < 2; side++)
                stones[k][side][point >> 6] = (stones[k][side][point >> 6] & ~bit) | (change >> side & 1 ? bit : 0);
        }
    }
    for (int k = 0; k < W7_INPUT_MOVES; k++)
        input.moves[k] = w7_sample_image(slots, turned, played->moves[k]);
    for (int k = 0; k < W7_FOUND_SETS; k++)
        input.found[k] = buffer->needs == 0 ? NULL : found + k * slots->words;
    input.legal = NULL;
    input.ko = w7_sample_image(slots, turned, played->ko);
    input.color = place->color;
    input.suicide = inputs->suicide;
    input.has_area = !inputs->rules.is_territory;
    w7_input_find(slots, &input, wanted, &sets);
    for (int32_t k = 0; k < inputs->count; k++) {
        if (size <= W7_SAMPLE_MOST_PREFETCHED)
            w7_sample_prefetch_lines((uintptr_t)(next + k * size), size / W7_SAMPLE_LINE + 1);
        w7_input_write(inputs->isa, slots, sets.planes[inputs->planes[k]], turned == NULL ? images : NULL, inputs->type,
                       planes + k * size);
    }
    if (inputs->globals != NULL) {
        w7_input_rules rules = inputs->rules;
        rules.played[W7_BLACK] = played->black_surplus;
        rules.played[W7_WHITE] = 0;
        rules.pass_ends = played->moves[0] == slots->points;
        if (played->komi == played->komi)
            rules.komi = played->komi;
        w7_input_globals(slots, &input, &rules, inputs->globals + index * W7_INPUT_GLOBALS);
    }
}

/* Sets a point of a plane. */
static W7_ALWAYS_INLINE void w7_sample_set(w7_input_type type, uint8_t *plane, int32_t point, int value)
{
    const int bit = 0x80 >> (point & 7);
    if (type == W7_INPUT_UINT8)
        plane[point] = (uint8_t)value;
    else if (type == W7_INPUT_FLOAT16)
        ((uint16_t *)(void *)plane)[point] = value ? 0x3C00 : 0;
    else if (type == W7_INPUT_FLOAT32)
        ((float *)(void *)plane)[point] = (float)value;
    else
        plane[point >> 3] = (uint8_t)((plane[point >> 3] & ~bit) | (value ? bit : 0));
}

/* Writes the planes of AlphaGo Zero: own stones and the opponent's now, then before each of the last seven moves, and
 * whether Black is to move. Memory limits it, so the lines at `next`, which are written next, are prefetched. */
static W7_ALWAYS_INLINE void w7_sample_write_planes(const w7_sample_buffer *buffer, const w7_sample_place *place,
                                                    const int32_t *images, w7_input_type type, int64_t size,
                                                    uint8_t *planes, const uint8_t *next)
{
    const int64_t points = (int64_t)buffer->width * buffer->height;
    const size_t pair = 2 * (size_t)size;
    const uint64_t *board = w7_sample_board(place);
    const uint16_t *changes = w7_sample_changes(buffer, place);
    /* The planes of a word are 8 lines of bytes: half of all come with the stones. */
    const int64_t lines = buffer->words * 4 / (W7_HISTORY_POSITIONS - 1) + 1;
    const int color = place->color, other = W7_BLACK + W7_WHITE - color;
    uintptr_t to_prefetch = (uintptr_t)next;
    uint8_t *const of[2] = {planes + (color == W7_WHITE ? size : 0), planes + (color == W7_WHITE ? 0 : size)};
    memset(planes, 0, pair);
    for (int64_t word = 0; word < buffer->words; word++) {
        if (type == W7_INPUT_UINT8)
            to_prefetch = w7_sample_prefetch_lines(to_prefetch, 4);
        for (uint64_t rest = board[word]; rest != 0; rest &= rest - 1) {
            const int bit = w7_lowest_bit(rest);
            w7_sample_set(type, of[bit & 1], images[32 * word + (bit >> 1)], 1);
        }
    }
    for (int k = 1; k < W7_HISTORY_POSITIONS; k++) {
        planes += pair;
        if (type == W7_INPUT_UINT8)
            to_prefetch = w7_sample_prefetch_lines(to_prefetch, lines);
        if (k > place->earlier) {
            memset(planes, 0, pair * (size_t)(W7_HISTORY_POSITIONS - k));
            planes += pair * (size_t)(W7_HISTORY_POSITIONS - 1 - k);
            break;
        }
        memcpy(planes, planes - pair, pair);
        for (uint32_t at = w7_sample_end(place, k - 1), end = w7_sample_end(place, k); at < end; at++) {
            const uint32_t change = w7_sample_change_at(place, changes, at);
            const int value = (int)(change & 3);
            const int32_t point = images[change >> 2];
            w7_sample_set(type, planes, point, value == color);
            w7_sample_set(type, planes + size, point, value == other);
        }
    }
    planes += pair;
    memset(planes, color != W7_BLACK ? 0 : type == W7_INPUT_BITS ? 0xFF : 1, (size_t)size);
    if (color == W7_BLACK && type == W7_INPUT_BITS)
        planes[size - 1] = (uint8_t)(0xFF00u >> (points - 8 * (size - 1)));
    else if (color == W7_BLACK && type != W7_INPUT_UINT8)
        for (int32_t point = 0; point < points; point++)
            w7_sample_set(type, planes, point, 1);
}

/* Writes the same. `stream` is NULL but where rows are written by whole lines (w7_sample_is_streamed). */
static inline void w7_sample_write_history(const w7_sample_buffer *buffer, const w7_sample_place *place, int symmetry,
                                           w7_input_type type, w7_plane_stream *stream, uint8_t *planes,
                                           const uint8_t *next)
{
    const int64_t points = (int64_t)buffer->width * buffer->height, size = w7_input_plane_size(points, type);
    const int32_t *images = buffer->images + symmetry * points;
#ifdef W7_WITH_X86_ISAS
    if (stream != NULL) {
        w7_avx2_sample_write_planes(buffer, place, symmetry, stream, planes);
        return;
    }
#endif
    (void)stream;
    if (type == W7_INPUT_UINT8)
        w7_sample_write_planes(buffer, place, images, W7_INPUT_UINT8, size, planes, next);
    else
        w7_sample_write_planes(buffer, place, images, type, size, planes, next);
}

/* A position, and room to look for the liberties of its blocks.
 *
 * Each stone that was examined has a mark: `first` where its block has two liberties or more, else the number of its
 * block, which is larger. */
typedef struct {
    uint64_t *empty; /* the empty points as a set, with zeros for more than a row on both sides, */
    uint64_t *open;  /* and so the stones of the player with two empty points or more next to them */
    int32_t *marks;
    int32_t *queue;
    int32_t *sizes; /* of the blocks with one liberty, by their marks less `first` */
    int32_t first;
    int32_t last;    /* the largest mark */
    uint8_t *points; /* and the wall, after the last one */
    void *memory;
} w7_sample_room;

static W7_COLD int w7_sample_room_make(w7_sample_room *room, const w7_sample_buffer *buffer)
{
    const size_t points = (size_t)buffer->width * (size_t)buffer->height, margin = (size_t)buffer->width / 64 + 2;
    const size_t words = w7_point_set_words((int64_t)points) + 2 * margin; /* of a set */
    memset(room, 0, sizeof *room);
    room->memory = calloc(1, 16 * words + 12 * points + 32 * (size_t)buffer->words + 1);
    if (room->memory == NULL)
        return -1;
    room->empty = (uint64_t *)room->memory + margin;
    room->open = room->empty + words;
    room->marks = (int32_t *)(void *)((uint64_t *)room->memory + 2 * words);
    room->queue = room->marks + points;
    room->sizes = room->queue + points;
    room->points = (uint8_t *)(room->sizes + points);
    return 0;
}

/* Reads the stones of a position; none is examined any more. */
static inline void w7_sample_room_read(w7_sample_room *room, const w7_sample_buffer *buffer, const uint64_t *board)
{
    const int32_t points = buffer->width * buffer->height;
    for (int64_t at = 0; at < 32 * buffer->words; at += 8) {
        uint64_t eight = board[at >> 5] >> 2 * (at & 31) & 0xFFFF;
        eight = (eight | eight << 24) & 0x000000FF000000FFu;
        eight = (eight | eight << 12) & 0x000F000F000F000Fu;
        w7_write_word((eight | eight << 6) & 0x0303030303030303u, room->points + at);
    }
    room->points[points] = W7_WALL;
    if (room->last >= INT32_MAX - points - 1) {
        room->last = 0;
        memset(room->marks, 0, (size_t)points * sizeof *room->marks);
    }
    room->first = ++room->last;
}

/* The mark of a stone, whose block has a liberty. */
static inline int32_t w7_sample_mark(w7_sample_room *room, const int32_t *sides, int32_t stone)
{
    const int32_t mark = room->last + 1;
    const uint8_t color = room->points[stone];
    int32_t count = 1, liberty = -1, is_strong = 0;
    if (room->marks[stone] >= room->first)
        return room->marks[stone];
    room->queue[0] = stone;
    room->marks[stone] = mark;
    for (int32_t k = 0; k < count && !is_strong; k++) {
        for (int side = 0; side < 4; side++) {
            const int32_t next = sides[4 * (int64_t)room->queue[k] + side];
            if (room->points[next] == W7_EMPTY) {
                is_strong |= liberty >= 0 && next != liberty;
                liberty = next;
            } else if (room->points[next] == color && room->marks[next] != mark) {
                is_strong |= room->marks[next] >= room->first; /* those of blocks with one are all examined at once */
                room->marks[next] = mark;
                room->queue[count++] = next;
            }
        }
    }
    if (!is_strong) {
        room->last = mark;
        room->sizes[mark - room->first] = count;
        return mark;
    }
    for (int32_t k = 0; k < count; k++)
        room->marks[room->queue[k]] = room->first;
    return room->first;
}

/* Whether the position before the last move has a stone of the player at one point, none at another, and nothing else
 * otherwise. */
static inline int w7_sample_is_ko(const w7_sample_buffer *buffer, const w7_sample_place *place, int32_t at,
                                  int32_t taken)
{
    const uint16_t *changes = w7_sample_changes(buffer, place);
    const uint32_t one = w7_sample_change(at, place->color), other = w7_sample_change(taken, W7_EMPTY);
    uint32_t first, second;
    if (place->earlier == 0 || w7_sample_end(place, 1) != 2)
        return 0;
    first = w7_sample_change_at(place, changes, 0);
    second = w7_sample_change_at(place, changes, 1);
    return (first == one && second == other) || (first == other && second == one);
}

/* Whether the player may put a stone on an empty point with no empty one next to it. */
static inline int w7_sample_is_legal(w7_sample_room *room, const w7_sample_buffer *buffer, const w7_sample_place *place,
                                     const w7_sample_inputs *inputs, int32_t at)
{
    const int color = place->color;
    int32_t taken = -1, stones = 0;
    int is_alone = 1;
    for (int side = 0; side < 4; side++) {
        const int32_t next = buffer->sides[4 * (int64_t)at + side];
        int32_t mark;
        if (room->points[next] == W7_WALL)
            continue;
        mark = w7_sample_mark(room, buffer->sides, next);
        if (mark == room->first) {
            if (room->points[next] == color)
                return 1;
        } else if (room->points[next] == color) {
            is_alone = 0;
        } else {
            stones += room->sizes[mark - room->first];
            taken = next;
        }
    }
    if (stones == 0) /* the suicide of one stone repeats the position */
        return inputs->suicide && (!is_alone || inputs->rules.ko != W7_KO_POSITIONAL);
    return stones > 1 || !is_alone || inputs->rules.ko == W7_KO_NONE || !w7_sample_is_ko(buffer, place, at, taken);
}

/* The points of a set, with zeros around it, that are so many before those of a word. */
static inline uint64_t w7_sample_shifted(const uint64_t *word, int64_t by)
{
    const int shift = (int)((uint64_t)by & 63);
    word += (by - shift) / 64;
    return shift == 0 ? word[0] : word[0] >> shift | word[1] << (64 - shift);
}

/* The points of a word next to those of a set. Where `twice` is not NULL, it becomes those next to two of them. */
static inline uint64_t w7_sample_next_to(const w7_sample_buffer *buffer, const uint64_t *set, int64_t word,
                                         uint64_t *twice)
{
    const uint64_t left = w7_sample_shifted(set + word, -1) & buffer->not_first[word];
    const uint64_t right = w7_sample_shifted(set + word, 1) & buffer->not_last[word];
    const uint64_t above = w7_sample_shifted(set + word, -(int64_t)buffer->width);
    const uint64_t below = w7_sample_shifted(set + word, buffer->width);
    if (twice != NULL)
        *twice = (left & right) | (above & below) | ((left | right) & (above | below));
    return left | right | above | below;
}

/* Writes where the player to move may play: on empty points, without suicide and without taking a ko back at once
 * unless the rules allow it; last the pass. Only points with no empty one next to them, nor a stone that has another one, are examined one by one. */
static inline void w7_sample_write_legal(const w7_sample_buffer *buffer, const w7_sample_place *place,
                                         const w7_sample_inputs *inputs, const int32_t *images, w7_sample_room *room,
                                         uint8_t *legal)
{
    const int64_t points = (int64_t)buffer->width * buffer->height;
    const int64_t words = (int64_t)w7_point_set_words(points);
    const uint64_t *board = w7_sample_board(place);
    int is_read = 0;
    memset(legal, 1, (size_t)points + 1);
    for (int64_t word = 0; word < words; word++) {
        const uint64_t low = board[2 * word], high = 2 * word + 1 < buffer->words ? board[2 * word + 1] : 0;
        const int side = place->color - W7_BLACK;
        room->open[word] = w7_even_bits(low >> side) | w7_even_bits(high >> side) << 32;
        room->empty[word] = buffer->all[word] & ~(w7_even_bits(low | low >> 1) | w7_even_bits(high | high >> 1) << 32);
    }
    for (int64_t word = 0; word < words; word++) {
        uint64_t twice;
        w7_sample_next_to(buffer, room->empty, word, &twice);
        room->open[word] &= twice;
    }
    for (int64_t word = 0; word < words; word++) {
        const uint64_t next_to =
            w7_sample_next_to(buffer, room->empty, word, NULL) | w7_sample_next_to(buffer, room->open, word, NULL);
        for (uint64_t rest = buffer->all[word] & ~room->empty[word]; rest != 0; rest &= rest - 1)
            legal[images[64 * word + w7_lowest_bit(rest)]] = 0;
        for (uint64_t rest = room->empty[word] & ~next_to; rest != 0; rest &= rest - 1) {
            const int32_t point = (int32_t)(64 * word) + w7_lowest_bit(rest);
            if (!is_read)
                w7_sample_room_read(room, buffer, board);
            is_read = 1;
            legal[images[point]] = (uint8_t)w7_sample_is_legal(room, buffer, place, inputs, point);
        }
    }
}

/* Writes the owner of each point at the end of the game: 1 the player to move, -1 the opponent, 0 neither. */
static inline void w7_sample_write_owners(const w7_sample_buffer *buffer, const w7_sample_place *place,
                                          const int32_t *images, int8_t *owners)
{
    const uint64_t *area = w7_sample_board(place) + buffer->words;
    const int64_t points = (int64_t)buffer->width * buffer->height;
    const int8_t of_black = place->color == W7_BLACK ? 1 : -1;
    const int8_t values[4] = {0, of_black, (int8_t)-of_black, 0};
    if (!place->has_area) {
        memset(owners, 0, (size_t)points);
        return;
    }
    for (int64_t k = 0; k < points; k++)
        owners[images[k]] = values[area[k >> 5] >> 2 * (k & 31) & 3];
}

/* Writes rows `begin` up to `end` of those that were drawn last. Returns 0, or -1 when memory is short. */
static inline int w7_sample_write(const w7_sample_buffer *buffer, int64_t begin, int64_t end, const w7_sample_out *out)
{
    const int64_t points = (int64_t)buffer->width * buffer->height;
    const w7_input_type type = out->inputs.type;
    const int64_t plane = w7_input_plane_size(points, type);
    const int64_t size = (out->inputs.planes == NULL ? W7_HISTORY_PLANES : out->inputs.count) * plane;
    const int is_streamed = out->inputs.planes == NULL && w7_sample_is_streamed(buffer, type, out->inputs.isa);
    w7_plane_stream stream = w7_plane_stream_of(out->count, points);
    w7_sample_room room = {0};
    if (out->legal != NULL && w7_sample_room_make(&room, buffer) != 0)
        return -1;
    for (int64_t row = begin; row < end; row++) {
        const w7_sample_place *kept = w7_sample_place_at(buffer, buffer->order[buffer->count + row]);
        const int symmetry = w7_sample_symmetry(buffer, row);
        const int32_t *images = buffer->images + symmetry * points;
        const uint8_t *next;
        uint8_t *planes;
        if (row + 1 < end)
            w7_sample_prefetch(buffer, buffer->order[buffer->count + row + 1]);
        planes = out->planes + row * size;
        next = row + 1 < end ? planes + size : planes;
        if (out->inputs.planes == NULL)
            w7_sample_write_history(buffer, kept, symmetry, type, is_streamed ? &stream : NULL, planes, next);
        else
            w7_sample_write_inputs(buffer, kept, symmetry == 0 ? NULL : images, &out->inputs, row, planes, next);
        out->policy[row] = kept->policy < points ? images[kept->policy] : kept->policy;
        out->value[row] = kept->value;
        out->margin[row] = kept->margin;
        out->game[row] = kept->game;
        out->number[row] = kept->number;
        out->symmetry[row] = (uint8_t)symmetry;
        if (out->legal != NULL)
            w7_sample_write_legal(buffer, kept, &out->inputs, images, &room, out->legal + row * (points + 1));
        if (out->ownership != NULL)
            w7_sample_write_owners(buffer, kept, images, out->ownership + row * points);
    }
    if (is_streamed)
        w7_plane_stream_end(&stream, out->planes + end * size);
    free(room.memory);
    return 0;
}

#endif
