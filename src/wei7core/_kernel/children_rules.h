/* Which children of a position a rule set allows. */
#ifndef W7_CHILDREN_RULES_H
#define W7_CHILDREN_RULES_H

#include "child.h"
#include "ko.h"
#include "past.h"
#include "planes.h"
#include "point_sets.h"
#include "rules.h"

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

/* Drops a move to a position of this hash if it is a repetition. */
static inline void w7_children_drop_if_repeats(const w7_board *board, w7_ko_rule ko, int color, uint64_t hash,
                                               int32_t x, int32_t y, w7_children *children)
{
    if (w7_past_confirm(board, ko, color, hash, x, y))
        w7_point_drop(children->legal, (int64_t)y * board->grid.width + x);
}

/* Drops the moves that a superko rule forbids. */
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
        if (w7_point_in(children->legal, child->point) && w7_past_has(board, ko, color, hash))
            w7_children_drop_if_repeats(board, ko, color, hash, child->point % width, child->point / width, children);
    }
    for (size_t word = 0; word < w7_point_words(w7_grid_points(&board->grid)); word++) {
        for (uint64_t bits = children->legal[word]; bits != 0; bits &= bits - 1) {
            const int32_t number = (int32_t)(64 * word) + w7_lowest_bit(bits), y = number / width;
            const uint64_t key = tables != NULL ? tables->keys[color - W7_BLACK][number + y]
                                                : w7_zobrist_stone(color, number % width, y);
            if (w7_past_has(board, ko, color, board->hash ^ key) && w7_children_taker(children, number) == NULL)
                w7_children_drop_if_repeats(board, ko, color, board->hash ^ key, number % width, y, children);
        }
    }
    return W7_OK;
}

/* Drops from the legal points, all empty ones, those where the rules forbid the move. W7_NO_MEMORY is the only
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
