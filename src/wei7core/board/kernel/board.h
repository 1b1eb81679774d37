/* The board: one position and the moves that led to it.
 *
 * The rules, and no others: a stone is placed on an empty point; then every adjacent opponent block without liberties
 * is removed; then its own block, if it has no liberties. Suicide, immediate ko recapture and the same colour twice are
 * legal. If all blocks had liberties before a move, all have after it; only edits (edit.h) create blocks without
 * liberties, which stay until a move adjacent to them.
 *
 * Independent of Python. Functions that change a board return a status; on any status but W7_OK the board is unchanged.
 * A board may be used by one thread at a time. */
#ifndef W7_BOARD_KERNEL_BOARD_H
#define W7_BOARD_KERNEL_BOARD_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "_util/table.h"
#include "board/kernel/around.h"
#include "board/kernel/bits.h"
#include "board/kernel/flood.h"
#include "board/kernel/grid.h"
#include "board/kernel/window.h"
#include "board/kernel/zobrist.h"

typedef enum {
    W7_OK = 0,
    W7_NO_MEMORY,
    W7_OCCUPIED,   /* the point has a stone */
    W7_OFF_BOARD,  /* there is no such point */
    W7_BAD_COLOR,  /* neither W7_BLACK nor W7_WHITE */
    W7_TOO_DEEP,   /* fewer moves are in force than are to be undone */
    W7_NO_LIBERTY, /* a block of the setup would have no liberty */
    W7_AFTER_MOVE, /* setup while moves or edits are in force */
    W7_BAD_SIZE    /* a side below 1, or more points than an int32_t can count */
} w7_status;

typedef struct {
    int32_t x;
    int32_t y;
    uint8_t color;
} w7_placement;

/* One move in force. At most one of the two counts is not 0; suicide counts the stone of the move too. */
typedef struct {
    int64_t removed_begin; /* first of its points in `removed` */
    int32_t x;             /* -1, -1: a pass */
    int32_t y;
    int32_t removed_opponent;
    int32_t removed_own;
    uint8_t color;
} w7_move;

/* One point that was given another colour between the moves (edit.h). */
typedef struct {
    int64_t move_count; /* moves that were in force */
    int32_t x;
    int32_t y;
    uint8_t before;
    uint8_t after;
} w7_edit;

/* The memory of a history shared by several boards (copy.h). */
typedef struct {
    w7_counter boards;
    w7_move *moves;
    w7_point *removed;
    w7_edit *edits;
    int64_t move_room;
    int64_t removed_room;
    int64_t edit_room;
} w7_shared_history;

enum {
    W7_CELL_ALIGNMENT = 64, /* bytes of a cache line: copies of boards would cross many */
    W7_STEP_EFFORT = 8,     /* cells that a flood visits during a common move */
    W7_SUSPECT_SHARE = 4    /* stones of the board that count as one cell, on boards with planes */
};

typedef struct {
    w7_grid grid;
    w7_flood flood;
    void *memory; /* of the cells and the flood */
    /* A copy copies these members as one block (copy.h). */
    uint64_t hash;
    int64_t captured[3]; /* stones removed, by their own colour; [0] is not used */
    int64_t stone_count; /* on the board */
    uint8_t unchecked;   /* stones were placed without checking liberties */
    uint8_t isa;         /* w7_isa in which runs of moves are played; results do not depend on it */
    /* Of a copy without history these are 0. */
    int64_t move_count;
    int64_t removed_count;
    int64_t edit_count;
    int64_t position_history_moves; /* moves in force at the last update, or fewer after undo */
    w7_move *moves;
    int64_t move_room;
    w7_point *removed; /* points that the moves in force removed, in their order */
    int64_t removed_room;
    w7_edit *edits; /* those in force, in their order */
    int64_t edit_room;
    w7_shared_history
        *shared;        /* NULL: the three arrays are this board's own; their capacities are 0 if it only reads */
    int64_t lent_moves; /* of a shared history, the rows that others may read: they are not overwritten */
    int64_t lent_edits;
    void *plane_tables;     /* planes.h; NULL before the first run on planes */
    void *position_history; /* superko_history.h; built lazily, NULL before the first superko query */
} w7_board;

/* --- making and ending ------------------------------------------------------------------------ */

/* Called when moves or edits were taken back: rows that others still read must not be overwritten. */
static inline void w7_history_cut(w7_board *board)
{
    if (W7_UNLIKELY(board->shared != NULL) &&
        (board->move_count < board->lent_moves || board->edit_count < board->lent_edits))
        board->move_room = board->removed_room = board->edit_room = 0;
}

/* Releases the memory of the history; the last board frees it. */
static inline void w7_history_release(w7_board *board)
{
    if (board->shared != NULL && w7_counter_add(&board->shared->boards, -1) > 0)
        return;
    free(board->moves);
    free(board->removed);
    free(board->edits);
    free(board->shared);
}

static inline void w7_board_clear(w7_board *board)
{
    w7_grid_clear(&board->grid);
    board->hash = w7_zobrist_empty(board->grid.width, board->grid.height);
    board->captured[W7_BLACK] = board->captured[W7_WHITE] = 0;
    board->stone_count = 0;
    board->move_count = 0;
    board->removed_count = 0;
    board->flood.effort = 0;
    board->edit_count = 0;
    board->position_history_moves = 0;
    board->unchecked = 0;
    w7_history_cut(board);
}

/* Allocates the cells of a size for a board that is all zeros, or has another size, without initialising them: the
 * other members about stones are then invalid. On failure the board is unchanged. */
static inline w7_status w7_board_allocate(w7_board *board, int32_t width, int32_t height)
{
    const size_t cell_bytes = sizeof(uint64_t) + 4 * sizeof(uint32_t);
    w7_grid *grid = &board->grid;
    w7_flood *flood = &board->flood;
    uint64_t chunks, count;
    void *memory;
    if (width < 1 || height < 1 || (int64_t)width * height > INT32_MAX)
        return W7_BAD_SIZE;
    chunks = ((uint64_t)width + W7_CHUNK_COLUMNS - 1) / W7_CHUNK_COLUMNS;
    count = chunks * ((uint64_t)height + W7_ROWS_BELOW) + W7_ROWS_ABOVE;
    if (count > (SIZE_MAX - W7_CELL_ALIGNMENT) / cell_bytes)
        return W7_NO_MEMORY;
    memory = malloc((size_t)count * cell_bytes + W7_CELL_ALIGNMENT);
    if (memory == NULL)
        return W7_NO_MEMORY;
    free(board->memory);
    free(board->plane_tables);
    board->plane_tables = NULL;
    board->memory = memory;
    grid->cells = (uint64_t *)(((uintptr_t)memory + W7_CELL_ALIGNMENT - 1) & ~(uintptr_t)(W7_CELL_ALIGNMENT - 1));
    grid->width = width;
    grid->height = height;
    grid->chunks = (int32_t)chunks;
    grid->stride = (size_t)height + W7_ROWS_BELOW;
    grid->has_planes = width <= W7_PLANE_COLUMNS && ((int64_t)width + 1) * height <= W7_PLANE_PLACES;
    flood->marks = (uint32_t *)(grid->cells + count);
    flood->pending = flood->marks + count;
    memset(flood->marks, 0, 2 * (size_t)count * sizeof *flood->marks);
    flood->todo = flood->pending + count;
    flood->marked = flood->todo + count;
    flood->marked_count = 0;
    return W7_OK;
}

/* Makes an empty board; the caller enforces its limit of the size. After a failure there is nothing to free. */
static inline w7_status w7_board_init(w7_board *board, int32_t width, int32_t height)
{
    w7_status status;
    memset(board, 0, sizeof *board);
    status = w7_board_allocate(board, width, height);
    if (status == W7_OK)
        w7_board_clear(board);
    return status;
}

static inline void w7_board_free(w7_board *board)
{
    w7_history_release(board);
    free(board->memory);
    free(board->plane_tables);
    free(board->position_history);
    memset(board, 0, sizeof *board);
}

/* Makes a board, or one that is all zeros, an empty board of a size, reusing the memory of its history. On failure the
 * board is unchanged. */
static inline w7_status w7_board_renew(w7_board *board, int32_t width, int32_t height)
{
    if (board->grid.width != width || board->grid.height != height) {
        w7_status status = w7_board_allocate(board, width, height);
        if (status != W7_OK)
            return status;
    }
    w7_board_clear(board);
    return W7_OK;
}

/* --- asking ----------------------------------------------------------------------------------- */

static inline int w7_board_has_point(const w7_board *board, int64_t x, int64_t y)
{
    return x >= 0 && x < board->grid.width && y >= 0 && y < board->grid.height;
}

/* 0, 1 or 2; the caller has checked that the point is on the board. */
static inline int w7_board_get(const w7_board *board, int32_t x, int32_t y)
{
    return w7_grid_get(&board->grid, x, y);
}

static inline uint64_t w7_board_hash(const w7_board *board)
{
    return board->hash;
}

/* Moves in force, passes included. */
static inline int64_t w7_board_move_count(const w7_board *board)
{
    return board->move_count;
}

/* The additional cost of the moves so far, in steps: blocks followed over the board and removed. A caller that plays
 * untrusted records counts it too, or a small text takes hours. */
static inline int64_t w7_board_work(const w7_board *board)
{
    return (int64_t)(board->flood.effort / W7_STEP_EFFORT);
}

/* Move in force number `index`, from 0. */
static inline const w7_move *w7_board_move(const w7_board *board, int64_t index)
{
    return &board->moves[index];
}

/* The points that a move removed: removed_opponent + removed_own of them. */
static inline const w7_point *w7_board_removed(const w7_board *board, int64_t index)
{
    return board->removed + board->moves[index].removed_begin;
}

/* --- history ---------------------------------------------------------------------------------- */

/* A copy of `count` rows with spare capacity: a copied board plays few moves, one that has played so far plays on. */
static W7_COLD void *w7_copy_rows(const void *rows, int64_t *room, int64_t count, size_t row_size)
{
    const int64_t spare = *room > 16 ? *room : 16;
    void *copy;
    *room = 0;
    copy = w7_grow(NULL, room, count + spare, row_size);
    if (copy != NULL && count > 0)
        memcpy(copy, rows, (size_t)count * row_size);
    return copy;
}

/* The other members do not change: other threads may read the size at any time. */
static W7_COLD void w7_history_take(w7_board *board, const w7_board *own)
{
    board->moves = own->moves;
    board->move_room = own->move_room;
    board->removed = own->removed;
    board->removed_room = own->removed_room;
    board->edits = own->edits;
    board->edit_room = own->edit_room;
    board->shared = NULL;
}

/* Gives a board with a shared history its own memory, or the shared memory if no other board uses it. */
static W7_COLD w7_status w7_history_own(w7_board *board)
{
    w7_board own = *board;
    own.shared = NULL;
    if (w7_counter_add(&board->shared->boards, 0) == 1) {
        own.move_room = board->shared->move_room;
        own.removed_room = board->shared->removed_room;
        own.edit_room = board->shared->edit_room;
        free(board->shared);
        w7_history_take(board, &own);
        return W7_OK;
    }
    own.moves = (w7_move *)w7_copy_rows(board->moves, &own.move_room, board->move_count, sizeof(w7_move));
    own.removed = (w7_point *)w7_copy_rows(board->removed, &own.removed_room, board->removed_count, sizeof(w7_point));
    own.edits = NULL;
    if (board->edit_count == 0)
        own.edit_room = 0;
    else
        own.edits = (w7_edit *)w7_copy_rows(board->edits, &own.edit_room, board->edit_count, sizeof(w7_edit));
    if (own.moves == NULL || own.removed == NULL || (board->edit_count > 0 && own.edits == NULL)) {
        w7_history_release(&own);
        return W7_NO_MEMORY;
    }
    w7_history_release(board);
    w7_history_take(board, &own);
    return W7_OK;
}

static W7_COLD w7_status w7_history_more_moves(w7_board *board, int64_t more)
{
    void *moves;
    if (board->shared != NULL && w7_history_own(board) != W7_OK)
        return W7_NO_MEMORY;
    if (board->move_count + more <= board->move_room)
        return W7_OK;
    moves = w7_grow(board->moves, &board->move_room, board->move_count + more, sizeof(w7_move));
    if (moves == NULL)
        return W7_NO_MEMORY;
    board->moves = (w7_move *)moves;
    return W7_OK;
}

static W7_COLD w7_status w7_history_more_removed(w7_board *board, int64_t more)
{
    void *removed;
    if (board->shared != NULL && w7_history_own(board) != W7_OK)
        return W7_NO_MEMORY;
    if (board->removed_count + more <= board->removed_room)
        return W7_OK;
    removed = w7_grow(board->removed, &board->removed_room, board->removed_count + more, sizeof(w7_point));
    if (removed == NULL)
        return W7_NO_MEMORY;
    board->removed = (w7_point *)removed;
    return W7_OK;
}

static W7_COLD w7_status w7_history_more_edits(w7_board *board, int64_t more)
{
    void *edits;
    if (board->shared != NULL && w7_history_own(board) != W7_OK)
        return W7_NO_MEMORY;
    if (board->edit_count + more <= board->edit_room)
        return W7_OK;
    edits = w7_grow(board->edits, &board->edit_room, board->edit_count + more, sizeof(w7_edit));
    if (edits == NULL)
        return W7_NO_MEMORY;
    board->edits = (w7_edit *)edits;
    return W7_OK;
}

static inline w7_status w7_history_reserve_moves(w7_board *board, int64_t more)
{
    return W7_UNLIKELY(board->move_count + more > board->move_room) ? w7_history_more_moves(board, more) : W7_OK;
}

static inline w7_status w7_history_reserve_removed(w7_board *board, int64_t more)
{
    return board->removed_count + more > board->removed_room ? w7_history_more_removed(board, more) : W7_OK;
}

/* Reserves memory for more moves and removed points. */
static inline w7_status w7_history_reserve(w7_board *board, int64_t moves, int64_t removed)
{
    w7_status status = w7_history_reserve_moves(board, moves);
    return status == W7_OK ? w7_history_reserve_removed(board, removed) : status;
}

static inline w7_status w7_history_reserve_edits(w7_board *board, int64_t more)
{
    return board->edit_count + more > board->edit_room ? w7_history_more_edits(board, more) : W7_OK;
}

/* Places a stone on an empty point and updates the hash. Inlined: a call would cost a twentieth of a replay. */
static W7_ALWAYS_INLINE void w7_board_place(w7_board *board, int color, int32_t x, int32_t y)
{
    w7_grid_toggle(&board->grid, color, x, y);
    board->hash ^= w7_zobrist_stone(color, x, y);
    board->stone_count++;
}

/* Removes a stone of the colour from its point. */
static W7_ALWAYS_INLINE void w7_board_take(w7_board *board, int color, int32_t x, int32_t y)
{
    w7_grid_toggle(&board->grid, color, x, y);
    board->hash ^= w7_zobrist_stone(color, x, y);
    board->stone_count--;
}

/* Moves one stone from the board into the history, which has room. */
static inline void w7_board_remove(w7_board *board, int color, int32_t x, int32_t y)
{
    w7_point *point = &board->removed[board->removed_count++];
    point->x = x;
    point->y = y;
    w7_board_take(board, color, x, y);
}

/* Restores the removed points from `begin` on, the latest first, as stones of one colour. */
static inline void w7_board_restore(w7_board *board, int64_t begin, int color)
{
    while (board->removed_count > begin) {
        const w7_point *point = &board->removed[--board->removed_count];
        w7_board_place(board, color, point->x, point->y);
    }
}

/* --- removing blocks -------------------------------------------------------------------------- */

/* Removes a block given as points of the window around (x, y). */
static inline w7_status w7_remove_in_window(w7_board *board, uint64_t block, int color, int32_t x, int32_t y)
{
    if (w7_history_reserve_removed(board, 64) != W7_OK)
        return W7_NO_MEMORY;
    for (; block != 0; block &= block - 1) {
        int bit = w7_lowest_bit(block);
        w7_board_remove(board, color, x - 3 + (bit & 7), y - 3 + (bit >> 3));
    }
    return W7_OK;
}

/* Removes the stones that the flood has marked. */
static inline w7_status w7_remove_marked(w7_board *board, int color)
{
    w7_flood *flood = &board->flood;
    int64_t before = board->removed_count;
    for (size_t i = 0; i < flood->marked_count; i++) {
        uint32_t cell = flood->marked[i];
        if (w7_history_reserve_removed(board, 32) != W7_OK)
            return W7_NO_MEMORY;
        for (uint32_t marks = flood->marks[cell]; marks != 0; marks &= marks - 1) {
            w7_point point = w7_grid_point(&board->grid, cell, w7_lowest_bit(marks));
            w7_board_remove(board, color, point.x, point.y);
        }
    }
    flood->effort += (uint64_t)(board->removed_count - before) * W7_STEP_EFFORT;
    return W7_OK;
}

/* Removes the block of the stone at (x, y) if it has no liberty on the board. */
static inline w7_status w7_remove_if_dead(w7_board *board, int color, int32_t x, int32_t y)
{
    w7_status status = W7_OK;
    if (!w7_flood_block(&board->grid, &board->flood, color, x, y, 1))
        status = w7_remove_marked(board, color);
    w7_flood_clear(&board->flood);
    return status;
}

/* Removes the blocks without liberties that have a point of `suspects` in the window around (x, y). `stones` are the
 * stones of that colour in the window, `liberties` all points next to an empty one. */
static W7_COLD w7_status w7_resolve(w7_board *board, int color, uint64_t suspects, uint64_t stones, uint64_t liberties,
                                    int32_t x, int32_t y)
{
    while (suspects != 0) {
        uint64_t seed = suspects & (0 - suspects);
        uint64_t block = w7_window_fill(seed, stones);
        w7_status status = W7_OK;
        suspects &= ~block;
        if (block & liberties)
            continue;
        if ((block & W7_WINDOW_RING) == 0) {
            status = w7_remove_in_window(board, block, color, x, y);
        } else {
            int bit = w7_lowest_bit(seed);
            int32_t seed_x = x - 3 + (bit & 7), seed_y = y - 3 + (bit >> 3);
            /* Blocks that seem separate in the window may be one, and already removed. */
            if (w7_board_get(board, seed_x, seed_y) == color)
                status = w7_remove_if_dead(board, color, seed_x, seed_y);
        }
        if (status != W7_OK)
            return status;
    }
    return W7_OK;
}

/* --- playing and undoing ----------------------------------------------------------------------- */

static inline void w7_move_set(w7_move *move, int color, int32_t x, int32_t y, int64_t removed_begin)
{
    move->removed_begin = removed_begin;
    move->x = x;
    move->y = y;
    move->removed_opponent = 0;
    move->removed_own = 0;
    move->color = (uint8_t)color;
}

/* Passes; points off the board come here too. */
static W7_COLD w7_status w7_board_pass(w7_board *board, int color, int32_t x, int32_t y)
{
    if (x != -1 || y != -1)
        return W7_OFF_BOARD;
    if (w7_history_reserve_moves(board, 1) != W7_OK)
        return W7_NO_MEMORY;
    w7_move_set(&board->moves[board->move_count++], color, x, y, board->removed_count);
    return W7_OK;
}

/* The effort of a move with suspects, on a board with planes. It is computed from the stones on the board, not from
 * those visited: these differ between instruction sets. */
static inline uint64_t w7_board_effort_of_suspects(const w7_board *board)
{
    return board->flood.effort + (uint64_t)board->stone_count / W7_SUSPECT_SHARE;
}

/* Removes the blocks that the new stone at (x, y) has left without liberties, and adds the move to the history, which
 * has room. If memory is short, takes the stone away again. */
static W7_COLD w7_status w7_board_settle(w7_board *board, const w7_around *around, int color, int32_t x, int32_t y)
{
    const int other = W7_BLACK + W7_WHITE - color;
    const uint64_t effort = w7_board_effort_of_suspects(board);
    const int64_t removed_begin = board->removed_count;
    w7_status status = w7_resolve(board, other, around->suspects, around->opponent, around->liberties, x, y);
    const int32_t removed_opponent = (int32_t)(board->removed_count - removed_begin);
    int32_t removed_own;
    w7_move *move;
    /* A move that removed anything has a liberty there. */
    if (status == W7_OK && removed_opponent == 0)
        status = w7_resolve(board, color, around->own_suspects, around->own, around->liberties, x, y);
    removed_own = (int32_t)(board->removed_count - removed_begin) - removed_opponent;
    if (board->grid.has_planes)
        board->flood.effort = effort;
    if (W7_UNLIKELY(status != W7_OK)) {
        w7_board_restore(board, removed_begin, removed_own ? color : other);
        w7_board_take(board, color, x, y);
        return status;
    }
    board->captured[other] += removed_opponent;
    board->captured[color] += removed_own;
    move = &board->moves[board->move_count++]; /* only now: more removed points may have moved a shared history */
    w7_move_set(move, color, x, y, removed_begin);
    move->removed_opponent = removed_opponent;
    move->removed_own = removed_own;
    return W7_OK;
}

/* Plays a stone on a point of the board; `key` is that of the stone in the hash. */
static W7_ALWAYS_INLINE w7_status w7_board_play_stone(w7_board *board, int color, int32_t x, int32_t y, uint64_t key)
{
    const w7_windows windows = w7_windows_of(&board->grid, color, x, y);
    w7_around around;
    if (W7_UNLIKELY(w7_windows_are_occupied(windows)))
        return W7_OCCUPIED;
    if (w7_history_reserve_moves(board, 1) != W7_OK)
        return W7_NO_MEMORY;
    w7_grid_toggle(&board->grid, color, x, y);
    board->hash ^= key;
    board->stone_count++;
    if (W7_UNLIKELY(w7_around_suspect(&around, windows)))
        return w7_board_settle(board, &around, color, x, y);
    w7_move_set(&board->moves[board->move_count++], color, x, y, board->removed_count);
    return W7_OK;
}

/* Plays a stone, or a pass: (-1, -1). */
static inline w7_status w7_board_play(w7_board *board, int color, int32_t x, int32_t y)
{
    if (color != W7_BLACK && color != W7_WHITE)
        return W7_BAD_COLOR;
    if (W7_UNLIKELY((uint32_t)x >= (uint32_t)board->grid.width || (uint32_t)y >= (uint32_t)board->grid.height))
        return w7_board_pass(board, color, x, y);
    return w7_board_play_stone(board, color, x, y, w7_zobrist_stone(color, x, y));
}

/* Sets the colour of a point and updates the hash. */
static inline void w7_board_recolor(w7_board *board, int from, int to, int32_t x, int32_t y)
{
    if (from != W7_EMPTY)
        w7_board_take(board, from, x, y);
    if (to != W7_EMPTY)
        w7_board_place(board, to, x, y);
}

/* Undoes the edits that were made when more than `move_count` moves were in force. */
static W7_COLD void w7_board_undo_edits(w7_board *board, int64_t move_count)
{
    while (board->edit_count > 0 && board->edits[board->edit_count - 1].move_count > move_count) {
        const w7_edit *edit = &board->edits[--board->edit_count];
        w7_board_recolor(board, edit->after, edit->before, edit->x, edit->y);
    }
}

/* Takes back the last n moves in force, with the edits made after the first of them. Stones, hash, captures and earlier
 * moves are restored from the history; nothing is recomputed. The memory of the history is kept for later moves. */
static inline w7_status w7_board_undo(w7_board *board, int64_t n)
{
    if (n < 0 || n > board->move_count)
        return W7_TOO_DEEP;
    for (; n > 0; n--) {
        const w7_move *move = &board->moves[--board->move_count];
        int other = W7_BLACK + W7_WHITE - move->color;
        if (W7_UNLIKELY(board->edit_count > 0))
            w7_board_undo_edits(board, board->move_count);
        if (move->x < 0)
            continue;
        w7_board_restore(board, move->removed_begin, move->removed_own ? move->color : other);
        w7_board_take(board, move->color, move->x, move->y);
        board->captured[other] -= move->removed_opponent;
        board->captured[move->color] -= move->removed_own;
    }
    if (board->position_history_moves > board->move_count)
        board->position_history_moves = board->move_count;
    w7_history_cut(board);
    return W7_OK;
}

#endif
