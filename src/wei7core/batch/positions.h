/* The pause points of records as columns: one row for each move, `pre` and setup of every branch. No Python. */
#ifndef W7_POSITIONS_H
#define W7_POSITIONS_H

#include "batch/record_id.h"
#include "board/kernel/pack.h"
#include "replaying/summary.h"
#include "replaying/walk.h"

/* Columns of `count` rows, each with room for `room`, and bytes that they tell of. All zeros at first.
 *
 * The index (batch/index/gathering.py) needs the rows of a record in the order of the walk, so that a later row of a
 * lower move number means a takeback, paths of the main line that have no digit but zeros, and step -1 of a pre: a game
 * that has none begins with the empty board. */
typedef struct {
    int32_t *texts; /* number of the record among the texts */
    int32_t *steps; /* place in the steps of the branch, -1 for a pre */
    int32_t *move_numbers;
    int32_t *xs; /* -1: a pass, a pre or a setup */
    int32_t *ys;
    int32_t *widths;
    int32_t *heights;
    int8_t *colors; /* -1: a pre or a setup */
    uint64_t *hashes;
    int32_t *branch_sizes; /* bytes of the path of the branch in `branches` */
    int64_t count;
    int64_t room;
    w7_letters branches;
    w7_letters boards; /* packed (pack.h) */
    int64_t text;      /* number of the record at hand */
    int64_t captured;  /* stones removed up to the last row */
    int64_t path_size; /* of the branch of the last row */
    int32_t tree;      /* of the last row of this record, -1: there is none */
} w7_positions;

static inline void w7_positions_free(w7_positions *positions)
{
    free(positions->texts);
    free(positions->steps);
    free(positions->move_numbers);
    free(positions->xs);
    free(positions->ys);
    free(positions->widths);
    free(positions->heights);
    free(positions->colors);
    free(positions->hashes);
    free(positions->branch_sizes);
    free(positions->branches.at);
    free(positions->boards.at);
    memset(positions, 0, sizeof *positions);
}

static inline int64_t w7_positions_bytes(const w7_positions *positions)
{
    return positions->count * (9 * 4 + 1 + 8) + positions->branches.count + positions->boards.count;
}

/* The next record begins. */
static inline void w7_positions_start(w7_positions *positions)
{
    positions->tree = -1;
}

/* Takes away rows from `count` on. */
static inline void w7_positions_cut(w7_positions *positions, int64_t count)
{
    while (positions->count > count) {
        const int64_t last = --positions->count;
        positions->branches.count -= positions->branch_sizes[last];
        positions->boards.count -= w7_packed_size(positions->widths[last], positions->heights[last]);
    }
}

static inline int w7_positions_grow(w7_positions *positions)
{
    int64_t rooms[10];
    int status = 0;
    for (int k = 0; k < 10; k++)
        rooms[k] = positions->room;
    status |= w7_table_grow(&positions->texts, &rooms[0], sizeof *positions->texts);
    status |= w7_table_grow(&positions->steps, &rooms[1], sizeof *positions->steps);
    status |= w7_table_grow(&positions->move_numbers, &rooms[2], sizeof *positions->move_numbers);
    status |= w7_table_grow(&positions->xs, &rooms[3], sizeof *positions->xs);
    status |= w7_table_grow(&positions->ys, &rooms[4], sizeof *positions->ys);
    status |= w7_table_grow(&positions->widths, &rooms[5], sizeof *positions->widths);
    status |= w7_table_grow(&positions->heights, &rooms[6], sizeof *positions->heights);
    status |= w7_table_grow(&positions->colors, &rooms[7], sizeof *positions->colors);
    status |= w7_table_grow(&positions->hashes, &rooms[8], sizeof *positions->hashes);
    status |= w7_table_grow(&positions->branch_sizes, &rooms[9], sizeof *positions->branch_sizes);
    if (status == 0)
        positions->room = rooms[0];
    return status;
}

/* Appends the path of ordinals from the root to the tree, joined by dots; `-` for the root itself. */
static inline int w7_positions_add_path(w7_positions *positions, const w7_record *record, int32_t tree)
{
    w7_letters *out = &positions->branches;
    const w7_tree *trees = record->trees.at;
    int64_t size = -1;
    char *p;
    for (int32_t k = tree; trees[k].parent >= 0; k = trees[k].parent) {
        size += 2;
        for (int32_t ordinal = trees[k].ordinal; ordinal > 9; ordinal /= 10)
            size++;
    }
    positions->path_size = size < 0 ? 1 : size;
    if (w7_letters_reserve(out, positions->path_size) != 0)
        return -1;
    out->count += positions->path_size;
    p = out->at + out->count;
    if (size < 0)
        *--p = '-';
    for (int32_t k = tree; trees[k].parent >= 0; k = trees[k].parent) {
        int32_t ordinal = trees[k].ordinal;
        if (k != tree)
            *--p = '.';
        do {
            *--p = (char)('0' + ordinal % 10);
            ordinal /= 10;
        } while (ordinal > 0);
    }
    return 0;
}

static inline int w7_positions_add_branch(w7_positions *positions, const w7_walk *walk)
{
    w7_letters *out = &positions->branches;
    if (positions->tree != walk->tree)
        return w7_positions_add_path(positions, walk->record, walk->tree);
    if (w7_letters_reserve(out, positions->path_size) != 0)
        return -1;
    memcpy(out->at + out->count, out->at + out->count - positions->path_size, (size_t)positions->path_size);
    out->count += positions->path_size;
    return 0;
}

/* Appends the position. `one_more`: it is that of the last row and the stone of `step`. */
static inline int w7_positions_add_board(w7_positions *positions, const w7_board *board, const w7_step *step,
                                         int one_more)
{
    const int64_t width = board->grid.width;
    const int64_t size = w7_packed_size(width, board->grid.height);
    w7_letters *out = &positions->boards;
    char *at;
    if (w7_letters_reserve(out, size) != 0)
        return -1;
    at = out->at + out->count;
    if (one_more) {
        const int64_t point = step->y * width + step->x;
        memcpy(at, at - size, (size_t)size);
        if (step->x >= 0)
            at[point >> 2] = (char)((uint8_t)at[point >> 2] | step->color << (2 * (point & 3)));
    } else {
        w7_board_pack(board, (uint8_t *)at);
    }
    out->count += size;
    return 0;
}

/* Adds the row of an event of the walk: a move, which has replaced a stone or not, a pre or a setup. Returns 0, or -1 when memory is short. */
static inline int w7_positions_add(w7_positions *positions, const w7_walk *walk, w7_event event, int is_replaced)
{
    const w7_board *board = walk->board;
    const int is_move = event == W7_EVENT_MOVE;
    const w7_step *step = is_move ? &walk->record->steps.at[walk->step] : NULL;
    const int64_t captured = board->captured[W7_BLACK] + board->captured[W7_WHITE];
    const int64_t moves = w7_board_move_count(board), row = positions->count;
    int one_more;
    if (row == positions->room && w7_positions_grow(positions) != 0)
        return -1;
    /* The steps of a branch come one after the other, and each that puts stones makes a row: with one move more and
     * no stone fewer there is nothing but the new stone between this row and the last one. */
    one_more = is_move && !is_replaced && positions->tree == walk->tree &&
               positions->move_numbers[row - 1] == moves - 1 && positions->captured == captured;
    if (w7_positions_add_branch(positions, walk) != 0 || w7_positions_add_board(positions, board, step, one_more) != 0)
        return -1;
    positions->texts[row] = (int32_t)positions->text;
    positions->steps[row] =
        event == W7_EVENT_PRE ? -1 : (int32_t)(walk->step - walk->record->trees.at[walk->tree].first_step);
    positions->move_numbers[row] = (int32_t)moves;
    positions->xs[row] = is_move ? step->x : -1;
    positions->ys[row] = is_move ? step->y : -1;
    positions->widths[row] = board->grid.width;
    positions->heights[row] = board->grid.height;
    positions->colors[row] = is_move ? (int8_t)step->color : -1;
    positions->hashes[row] = w7_board_hash(board);
    positions->branch_sizes[row] = (int32_t)positions->path_size;
    positions->count = row + 1;
    positions->tree = walk->tree;
    positions->captured = captured;
    return 0;
}

#endif
