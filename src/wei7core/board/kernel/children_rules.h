/* The children of a position that a rule set allows. */
#ifndef W7_BOARD_KERNEL_CHILDREN_RULES_H
#define W7_BOARD_KERNEL_CHILDREN_RULES_H

#include "board/kernel/child.h"
#include "board/kernel/children_rows_avx512.h"
#include "board/kernel/ko_recapture.h"
#include "board/kernel/superko_history.h"
#include "board/kernel/planes.h"
#include "board/kernel/point_sets.h"
#include "board/kernel/rules.h"

static inline const w7_child *w7_children_taker(const w7_children *children, int64_t number)
{
    for (int64_t i = 0; i < children->taker_count; i++)
        if (children->takers[i].point == number)
            return &children->takers[i];
    return NULL;
}

/* Drops the move that would recapture a ko, if there is one (ko.h). */
static inline void w7_children_drop_recapture(const w7_board *board, int color, w7_children *children)
{
    const int64_t last = board->move_count - 1;
    const w7_point *point;
    const w7_move *move;
    const w7_child *child;
    if (last < 0 || board->moves[last].removed_opponent != 1 || w7_board_was_edited_at(board, last + 1))
        return;
    move = &board->moves[last];
    point = w7_board_removed(board, last);
    child = w7_children_taker(children, (int64_t)point->y * board->grid.width + point->x);
    /* No two stones have the same key: that of the last move is the one stone taken. */
    if (child != NULL && child->captured == 1 && move->color != color &&
        child->key == (w7_zobrist_stone(color, point->x, point->y) ^ w7_zobrist_stone(move->color, move->x, move->y)))
        w7_point_drop(children->legal, child->point);
}

/* Removes a move to a position of this hash if it is a repetition. */
static inline void w7_children_drop_if_repeats(const w7_board *board, w7_ko_rule ko, int color, uint64_t hash,
                                               int32_t x, int32_t y, w7_children *children)
{
    if (w7_position_history_confirm(board, ko, color, hash, x, y))
        w7_point_drop(children->legal, (int64_t)y * board->grid.width + x);
}

/* A bit for each of up to 64 moves with these keys that may repeat an earlier position if it captures nothing. */
static inline uint64_t w7_repeat_suspects(w7_position_history_filter filter, const uint64_t *keys, int32_t count)
{
    uint64_t suspects = 0;
    for (int32_t i = 0; i < count; i++)
        suspects |= (uint64_t)w7_position_history_may_have(filter, filter.present ^ keys[i]) << i;
    return suspects;
}

/* Removes those of up to 64 moves from (x, y) to the right that a superko rule forbids, except takers. */
static inline void w7_children_drop_row(const w7_board *board, w7_ko_rule ko, int color, const uint64_t *keys,
                                        int32_t x, int32_t y, int32_t count, w7_children *children)
{
    const w7_position_history_filter filter = w7_position_history_filter_of(board);
    const int64_t first = (int64_t)y * board->grid.width + x;
    uint64_t suspects;
#ifdef W7_WITH_X86_ISAS
    if (board->isa >= W7_ISA_AVX512BW)
        suspects = w7_avx512_repeat_suspects(filter, keys, count);
    else
#endif
        suspects = w7_repeat_suspects(filter, keys, count);
    for (; suspects != 0; suspects &= suspects - 1) {
        const int i = w7_lowest_bit(suspects);
        const uint64_t hash = board->hash ^ keys[i];
        if (w7_point_in(children->legal, first + i) && w7_position_history_has(board, ko, color, hash) &&
            w7_children_taker(children, first + i) == NULL)
            w7_children_drop_if_repeats(board, ko, color, hash, x + i, y, children);
    }
}

/* Removes the moves that a superko rule forbids. */
static inline w7_status w7_children_drop_repeats(w7_board *board, const w7_plane_tables *tables, w7_ko_rule ko,
                                                 int color, w7_children *children)
{
    const int32_t width = board->grid.width;
    const w7_status status = w7_board_recall(board);
    if (status != W7_OK)
        return status;
    for (int64_t i = 0; i < children->taker_count; i++) {
        const w7_child *child = &children->takers[i];
        const uint64_t hash = board->hash ^ child->key;
        if (!w7_point_in(children->legal, child->point) || !w7_position_history_has(board, ko, color, hash))
            continue;
        /* The suicide of one stone changes nothing: no comparison is needed. */
        if (child->lost == 1 && w7_position_history_counts(board, ko, color, board->move_count))
            w7_point_drop(children->legal, child->point);
        else
            w7_children_drop_if_repeats(board, ko, color, hash, child->point % width, child->point / width, children);
    }
    /* All other children have one stone more than the position. */
    if (((const w7_position_history *)board->position_history)->most_stones <= board->stone_count)
        return W7_OK;
    for (int32_t y = 0; y < board->grid.height; y++) {
        if (tables != NULL) {
            const uint64_t *keys = tables->keys[color - W7_BLACK] + (size_t)y * tables->stride;
            w7_children_drop_row(board, ko, color, keys, 0, y, width, children);
            continue;
        }
        for (int32_t x = 0, count; x < width; x += count) {
            uint64_t keys[64];
            count = width - x < 64 ? width - x : 64;
            for (int32_t i = 0; i < count; i++)
                keys[i] = w7_zobrist_stone(color, x + i, y);
            w7_children_drop_row(board, ko, color, keys, x, y, count, children);
        }
    }
    return W7_OK;
}

/* Removes from the legal points, all empty ones, those where the rules forbid the move. W7_NO_MEMORY is the only
 * failure. */
static inline w7_status w7_children_apply(w7_board *board, const w7_plane_tables *tables, w7_rules rules, int color,
                                          w7_children *children)
{
    if (!rules.suicide)
        for (int64_t i = 0; i < children->taker_count; i++)
            if (children->takers[i].lost > 0)
                w7_point_drop(children->legal, children->takers[i].point);
    if (rules.ko == W7_KO_SIMPLE)
        w7_children_drop_recapture(board, color, children);
    if (rules.ko >= W7_KO_POSITIONAL)
        return w7_children_drop_repeats(board, tables, (w7_ko_rule)rules.ko, color, children);
    return W7_OK;
}

#endif
