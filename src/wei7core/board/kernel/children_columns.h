/* The children of a position as columns: an element for each point, in the order of reading. */
#ifndef W7_BOARD_KERNEL_CHILDREN_COLUMNS_H
#define W7_BOARD_KERNEL_CHILDREN_COLUMNS_H

#include "_util/cpu.h"
#include "board/kernel/child.h"
#include "board/kernel/children_rows_avx512.h"
#include "board/kernel/planes.h"
#include "board/kernel/point_sets.h"
#include "board/kernel/rules.h"

/* The output columns; NULL for a column not requested. */
typedef struct {
    uint64_t *hash; /* of the child; 0 on occupied points */
    int32_t *captured;
    int32_t *lost;
    uint8_t *verdict; /* w7_verdict */
    uint8_t *legal;   /* 0 or 1, as the next one */
    uint8_t *self_atari;
} w7_child_columns;

/* The input of the columns. */
typedef struct {
    const w7_children *children;
    const w7_plane_tables *tables; /* NULL on boards without planes */
    uint64_t hash;                 /* of the position */
    int32_t width;
    int32_t height;
    int color; /* of the moves */
    int isa;   /* w7_isa */
    w7_rules rules;
} w7_child_source;

/* A byte for each point: `in` for those of the set, `out` for the others. */
static inline void w7_point_bytes(const uint64_t *set, int64_t count, uint8_t in, uint8_t out, uint8_t *bytes)
{
    static const uint8_t bits_of_bytes[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    const uint64_t ones = 0x0101010101010101u, most = 0x7F7F7F7F7F7F7F7Fu;
    uint64_t mask;
    int64_t number = 0;
    memcpy(&mask, bits_of_bytes, sizeof mask);
    for (; number + 8 <= count; number += 8) {
        const uint64_t bits = set[number >> 6] >> (number & 63) & 0xFF;
        const uint64_t found = (((bits * ones & mask) + most) & ~most) >> 7;
        const uint64_t eight = found * in | (found ^ ones) * out;
        memcpy(bytes + number, &eight, sizeof eight);
    }
    for (; number < count; number++)
        bytes[number] = w7_point_in(set, number) ? in : out;
}

/* The hashes of all children, ignoring captures. */
static inline void w7_child_hashes(const w7_child_source *source, uint64_t *hashes)
{
    const uint64_t *empty = source->children->empty;
    int64_t number = 0;
    for (int32_t y = 0; y < source->height; y++) {
        const uint64_t *keys = source->tables ? source->tables->keys[source->color - W7_BLACK] + y : NULL;
        for (int32_t x = 0; x < source->width; x++, number++) {
            const uint64_t key = keys ? keys[number] : w7_zobrist_stone(source->color, x, y);
            hashes[number] = (source->hash ^ key) & (0 - (uint64_t)w7_point_in(empty, number));
        }
    }
}

static inline void w7_write_child_bytes(const w7_child_source *source, const uint64_t *set, int in, int out,
                                        uint8_t *bytes)
{
    const int64_t count = (int64_t)source->width * source->height;
#ifdef W7_WITH_X86_ISAS
    if (source->isa >= W7_ISA_AVX512BW) {
        w7_avx512_point_bytes(set, count, in, out, bytes);
        return;
    }
#endif
    w7_point_bytes(set, count, (uint8_t)in, (uint8_t)out, bytes);
}

/* The verdict on each illegal move. The rules are applied in this order (children_rules.h). */
static inline void w7_write_verdicts(const w7_child_source *source, uint8_t *verdicts)
{
    const w7_children *children = source->children;
    const size_t words = w7_point_set_words((int64_t)source->width * source->height);
    w7_write_child_bytes(source, children->empty, W7_LEGAL, W7_POINT_OCCUPIED, verdicts);
    if (source->rules.ko != W7_KO_NONE) {
        const int repeat = source->rules.ko == W7_KO_SIMPLE ? W7_KO_RECAPTURE : w7_verdict_of_repeat(source->rules.ko);
        for (size_t word = 0; word < words; word++)
            for (uint64_t bits = children->empty[word] & ~children->legal[word]; bits != 0; bits &= bits - 1)
                verdicts[64 * word + (size_t)w7_lowest_bit(bits)] = (uint8_t)repeat;
    }
    if (!source->rules.suicide)
        for (int64_t i = 0; i < children->taker_count; i++)
            if (children->takers[i].lost > 0)
                verdicts[children->takers[i].point] = W7_SUICIDE;
}

static inline void w7_write_child_columns(const w7_child_source *source, const w7_child_columns *columns)
{
    const w7_children *children = source->children;
    const size_t count = (size_t)source->width * (size_t)source->height;
    if (columns->captured != NULL)
        memset(columns->captured, 0, count * sizeof *columns->captured);
    if (columns->lost != NULL)
        memset(columns->lost, 0, count * sizeof *columns->lost);
    if (columns->hash != NULL) {
#ifdef W7_WITH_X86_ISAS
        if (source->isa >= W7_ISA_AVX512BW && source->tables != NULL)
            w7_avx512_child_hashes(source->tables->keys[source->color - W7_BLACK], source->width, source->height,
                                   source->hash, children->empty, columns->hash);
        else
#endif
            w7_child_hashes(source, columns->hash);
    }
    if (columns->legal != NULL)
        w7_write_child_bytes(source, children->legal, 1, 0, columns->legal);
    if (columns->self_atari != NULL)
        w7_write_child_bytes(source, children->self_atari, 1, 0, columns->self_atari);
    if (columns->verdict != NULL)
        w7_write_verdicts(source, columns->verdict);
    for (int64_t i = 0; i < children->taker_count; i++) {
        const w7_child *child = &children->takers[i];
        if (columns->captured != NULL)
            columns->captured[child->point] = child->captured;
        if (columns->lost != NULL)
            columns->lost[child->point] = child->lost;
        if (columns->hash != NULL)
            columns->hash[child->point] = source->hash ^ child->key;
    }
}

#endif
