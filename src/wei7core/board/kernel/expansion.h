/* The children of many positions as rows of columns: one for each empty point of each position, in the order of
 * reading.
 *
 * Positions are stored as sets of stones, or as boards if a rule set depends on their moves. Rows of one position
 * depend on nothing else: threads may write those of different positions at once. */
#ifndef W7_BOARD_KERNEL_EXPANSION_H
#define W7_BOARD_KERNEL_EXPANSION_H

#include "board/kernel/children.h"
#include "board/kernel/children_rules.h"
#include "board/kernel/expansion_rows_avx512.h"
#include "board/kernel/stone_sets.h"

/* The tables for positions of one size. Boards without planes have only a width and a height. */
typedef struct {
    w7_plane_tables tables;
    uint64_t keys[2][W7_PLANE_BITS]; /* of the hash, black stones first, by the number of the point */
    int16_t x[W7_PLANE_BITS];
    int16_t y[W7_PLANE_BITS];
    int32_t width;
    int32_t height;
    uint8_t has_planes;
} w7_expansion_size;

typedef struct {
    const w7_expansion_size *size;
    const uint64_t *black; /* NULL where the position is a board */
    const uint64_t *white;
    w7_board *board;
    int64_t ko;    /* the number of the point that simple ko forbids; -1: none */
    int64_t row;   /* its first one */
    uint8_t color; /* of the moves */
} w7_expansion_position;

/* The output rows. Most of the time is spent on memory, so that point numbers take two bytes if no board has more than
 * 32,767. */
typedef struct {
    int32_t *parent;
    void *x; /* int32_t if they are wide, else int16_t */
    void *y;
    uint8_t *legal;
    uint8_t *reason; /* w7_verdict; rarely anything but 0, as the next ones */
    void *captured;  /* as x */
    void *lost;
    uint8_t *self_atari;
    uint64_t *hash;
    uint8_t wide;
    uint8_t is_zero; /* columns that are rarely not 0 are already 0 */
} w7_expansion_columns;

static inline void w7_expansion_put(const w7_expansion_columns *columns, void *column, int64_t row, int32_t number)
{
    if (columns->wide)
        ((int32_t *)column)[row] = number;
    else
        ((int16_t *)column)[row] = (int16_t)number;
}

/* Memory for the children of one position at a time. */
typedef struct {
    const w7_expansion_size *size;
    w7_children children;
    void *block;
    size_t words;
    w7_plane_children on_planes;
    w7_board board; /* of positions without planes */
} w7_expansion_room;

static W7_COLD w7_status w7_expansion_size_make(w7_expansion_size *size, int32_t width, int32_t height)
{
    w7_board board;
    const w7_status status = w7_board_init(&board, width, height);
    if (status != W7_OK)
        return status;
    memset(size, 0, sizeof *size);
    size->width = width;
    size->height = height;
    size->has_planes = board.grid.has_planes;
    if (size->has_planes) {
        int64_t number = 0;
        w7_plane_tables_fill(&size->tables, &board.grid);
        for (int32_t y = 0; y < height; y++) {
            for (int32_t x = 0; x < width; x++, number++) {
                size->x[number] = (int16_t)x;
                size->y[number] = (int16_t)y;
                size->keys[0][number] = w7_zobrist_stone(W7_BLACK, x, y);
                size->keys[1][number] = w7_zobrist_stone(W7_WHITE, x, y);
            }
        }
    }
    w7_board_free(&board);
    return W7_OK;
}

/* Points without a stone: the children. */
static inline int64_t w7_expansion_empty(const w7_expansion_position *position)
{
    const int64_t points = (int64_t)position->size->width * position->size->height;
    if (position->board != NULL)
        return points - position->board->stone_count;
    return points - w7_point_count(position->black, points) - w7_point_count(position->white, points);
}

/* Whether the ko point is empty; true without one. */
static inline int w7_expansion_ko_is_empty(const w7_expansion_position *position)
{
    const int64_t points = (int64_t)position->size->width * position->size->height;
    if (position->ko < 0 || position->board != NULL)
        return 1;
    return position->ko < points && !w7_point_in(position->black, position->ko) &&
           !w7_point_in(position->white, position->ko);
}

static inline void w7_expansion_room_free(w7_expansion_room *room)
{
    free(room->block);
    w7_board_free(&room->board);
}

/* Prepares the memory, all zeros or in use, for positions of a size. */
static inline w7_status w7_expansion_room_fit(w7_expansion_room *room, const w7_expansion_size *size)
{
    const int64_t points = (int64_t)size->width * size->height;
    const size_t words = w7_point_set_words(points), set_bytes = 3 * words * sizeof(uint64_t);
    void *block;
    if (room->size == size)
        return W7_OK;
    room->size = NULL;
    if ((uint64_t)points > (SIZE_MAX - set_bytes) / sizeof(w7_child))
        return W7_NO_MEMORY;
    block = malloc(set_bytes + (size_t)points * sizeof(w7_child));
    if (block == NULL)
        return W7_NO_MEMORY;
    free(room->block);
    room->block = block;
    room->words = words;
    room->children.empty = (uint64_t *)block;
    room->children.legal = room->children.empty + words;
    room->children.self_atari = room->children.legal + words;
    room->children.takers = (w7_child *)(room->children.self_atari + words);
    if (!size->has_planes) {
        w7_status status;
        w7_board_free(&room->board);
        status = w7_board_init(&room->board, size->width, size->height);
        if (status != W7_OK)
            return status;
    }
    room->size = size;
    return W7_OK;
}

/* The hash of the board with these stones. */
static inline uint64_t w7_expansion_hash(const w7_expansion_position *position, size_t words, int isa)
{
    uint64_t hash = w7_zobrist_empty(position->size->width, position->size->height);
#ifdef W7_WITH_X86_ISAS
    if (isa == W7_ISA_AVX512)
        return hash ^ w7_avx512_set_key(position->black, words, position->size->keys[0]) ^
               w7_avx512_set_key(position->white, words, position->size->keys[1]);
#endif
    (void)isa;
    for (size_t word = 0; word < words; word++) {
        for (uint64_t bits = position->black[word]; bits != 0; bits &= bits - 1)
            hash ^= position->size->keys[0][64 * word + (size_t)w7_lowest_bit(bits)];
        for (uint64_t bits = position->white[word]; bits != 0; bits &= bits - 1)
            hash ^= position->size->keys[1][64 * word + (size_t)w7_lowest_bit(bits)];
    }
    return hash;
}

static inline void w7_expansion_find_on_planes(const w7_expansion_position *position, w7_plane_children on_planes,
                                               int isa, w7_children *children)
{
    const w7_expansion_size *size = position->size;
    const uint64_t *sets[2] = {position->black, position->white};
    w7_plane_words stones[2];
#ifdef W7_WITH_X86_ISAS
    if (isa == W7_ISA_AVX512) {
        const int64_t points = (int64_t)size->width * size->height;
        for (int i = 0; i < 2; i++)
            w7_avx512_plane_of_set(sets[i], points, &size->tables.points, &stones[i]);
    } else
#endif
        for (int i = 0; i < 2; i++)
            w7_plane_of_set(sets[i], size->width, size->height, &stones[i]);
    on_planes(isa, &size->tables, &stones[position->color - W7_BLACK], &stones[W7_WHITE - position->color],
              position->color, children);
}

/* Places the stones of a position on a board of its size. */
static inline void w7_expansion_set_up(const w7_expansion_position *position, size_t words, w7_board *board)
{
    const uint64_t *sets[2] = {position->black, position->white};
    const int32_t width = position->size->width;
    w7_board_clear(board);
    for (int i = 0; i < 2; i++) {
        for (size_t word = 0; word < words; word++) {
            for (uint64_t bits = sets[i][word]; bits != 0; bits &= bits - 1) {
                const int64_t number = (int64_t)(64 * word) + w7_lowest_bit(bits);
                w7_board_put(board, W7_BLACK + i, (int32_t)(number % width), (int32_t)(number / width));
            }
        }
    }
}

/* Finds the children of a position, the legal ones among them, and its hash. */
static inline w7_status w7_expansion_find(const w7_expansion_position *position, w7_rules rules, int isa,
                                          w7_expansion_room *room, uint64_t *hash)
{
    const w7_plane_tables *tables = position->size->has_planes ? &position->size->tables : NULL;
    w7_children *children = &room->children;
    w7_status status = W7_OK;
    children->taker_count = 0;
    if (position->board != NULL) {
        *hash = position->board->hash;
        position->board->isa = (uint8_t)isa;
        status = w7_board_find_children(position->board, tables, room->on_planes, position->color, children);
        return status == W7_OK ? w7_children_apply(position->board, tables, rules, position->color, children) : status;
    }
    if (tables != NULL) {
        *hash = w7_expansion_hash(position, room->words, isa);
        w7_expansion_find_on_planes(position, room->on_planes, isa, children);
        memcpy(children->legal, children->empty, room->words * sizeof(uint64_t));
    } else {
        w7_expansion_set_up(position, room->words, &room->board);
        *hash = room->board.hash;
        status = w7_board_find_children(&room->board, NULL, NULL, position->color, children);
    }
    if (!rules.suicide)
        for (int64_t i = 0; i < children->taker_count; i++)
            if (children->takers[i].lost > 0)
                w7_point_drop(children->legal, children->takers[i].point);
    if (rules.ko == W7_KO_SIMPLE && position->ko >= 0)
        w7_point_drop(children->legal, position->ko);
    return status;
}

/* The rows of all empty points, ignoring captures: points and hashes. */
static inline void w7_expansion_write_points(const w7_expansion_position *position, const w7_children *children,
                                             size_t words, uint64_t hash, const w7_expansion_columns *columns)
{
    const w7_expansion_size *size = position->size;
    int64_t row = position->row;
    if (size->has_planes && !columns->wide) {
        const uint64_t *keys = size->keys[position->color - W7_BLACK];
        int16_t *xs = (int16_t *)columns->x, *ys = (int16_t *)columns->y;
        for (size_t word = 0; word < words; word++) {
            for (uint64_t bits = children->empty[word]; bits != 0; bits &= bits - 1, row++) {
                const size_t number = 64 * word + (size_t)w7_lowest_bit(bits);
                xs[row] = size->x[number];
                ys[row] = size->y[number];
                columns->hash[row] = hash ^ keys[number];
            }
        }
        return;
    }
    for (size_t word = 0; word < words; word++) {
        for (uint64_t bits = children->empty[word]; bits != 0; bits &= bits - 1, row++) {
            const size_t number = 64 * word + (size_t)w7_lowest_bit(bits);
            const int32_t x = (int32_t)(number % (size_t)size->width), y = (int32_t)(number / (size_t)size->width);
            w7_expansion_put(columns, columns->x, row, x);
            w7_expansion_put(columns, columns->y, row, y);
            columns->hash[row] = hash ^ w7_zobrist_stone(position->color, x, y);
        }
    }
}

/* The reasons of the illegal moves (children_rules.h), and the few numbers that are not 0. */
static inline void w7_expansion_write_others(const w7_expansion_position *position, w7_rules rules, uint64_t hash,
                                             const w7_children *children, size_t words,
                                             const w7_expansion_columns *columns)
{
    const int repeat = rules.ko == W7_KO_SIMPLE ? W7_KO_RECAPTURE : w7_verdict_of_repeat(rules.ko);
    int64_t row = position->row;
    for (size_t word = 0; word < words; word++) {
        const uint64_t empty = children->empty[word];
        for (uint64_t bits = children->self_atari[word]; bits != 0; bits &= bits - 1)
            columns->self_atari[row + w7_bit_count(empty & ((bits & (0 - bits)) - 1))] = 1;
        for (uint64_t bits = empty & ~children->legal[word]; bits != 0; bits &= bits - 1) {
            const int64_t at = row + w7_bit_count(empty & ((bits & (0 - bits)) - 1));
            columns->legal[at] = 0;
            columns->reason[at] = (uint8_t)repeat;
        }
        row += w7_bit_count(empty);
    }
    for (int64_t i = 0; i < children->taker_count; i++) {
        const w7_child *child = &children->takers[i];
        const int64_t at = position->row + w7_point_rank(children->empty, child->point);
        w7_expansion_put(columns, columns->captured, at, child->captured);
        w7_expansion_put(columns, columns->lost, at, child->lost);
        columns->hash[at] = hash ^ child->key;
        if (child->lost > 0 && !rules.suicide)
            columns->reason[at] = W7_SUICIDE;
    }
}

static inline void w7_expansion_clear(const w7_expansion_columns *columns, int64_t first, int64_t last)
{
    const size_t rows = (size_t)(last - first), size = columns->wide ? sizeof(int32_t) : sizeof(int16_t);
    memset(columns->reason + first, 0, rows);
    memset((char *)columns->captured + (size_t)first * size, 0, rows * size);
    memset((char *)columns->lost + (size_t)first * size, 0, rows * size);
    memset(columns->self_atari + first, 0, rows);
}

/* Writes the rows of positions `begin` up to `end` of all; each position has `room` for as many as it has empty
 * points. W7_NO_MEMORY is the only failure. */
static inline w7_status w7_expansion_write(const w7_expansion_position *positions, int64_t begin, int64_t end,
                                           w7_rules rules, int isa, w7_plane_children on_planes,
                                           const w7_expansion_columns *columns)
{
    w7_expansion_room room;
    w7_status status = W7_OK;
    memset(&room, 0, sizeof room);
    room.on_planes = on_planes;
    for (int64_t i = begin; i < end && status == W7_OK; i++) {
        const w7_expansion_position *position = &positions[i];
        uint64_t hash;
        status = w7_expansion_room_fit(&room, position->size);
        if (status == W7_OK)
            status = w7_expansion_find(position, rules, isa, &room, &hash);
        if (status != W7_OK)
            break;
        {
            const int64_t first = position->row, last = positions[i + 1].row;
            if (!columns->is_zero)
                w7_expansion_clear(columns, first, last);
            memset(columns->legal + first, 1, (size_t)(last - first));
            for (int64_t row = first; row < last; row++)
                columns->parent[row] = (int32_t)i;
        }
#ifdef W7_WITH_X86_ISAS
        if (isa == W7_ISA_AVX512 && position->size->has_planes && !columns->wide)
            w7_avx512_expansion_points(room.children.empty, room.words, position->size->x, position->size->y,
                                       position->size->keys[position->color - W7_BLACK], hash,
                                       (int16_t *)columns->x + position->row, (int16_t *)columns->y + position->row,
                                       columns->hash + position->row);
        else
#endif
            w7_expansion_write_points(position, &room.children, room.words, hash, columns);
        w7_expansion_write_others(position, rules, hash, &room.children, room.words, columns);
    }
    w7_expansion_room_free(&room);
    return status;
}

#endif
