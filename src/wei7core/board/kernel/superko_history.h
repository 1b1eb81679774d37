/* The earlier positions of the game, for superko. Built lazily, on the first superko query.
 *
 * A ply is a position between two moves in force: ply i is the one after the first i moves, from 0, the start. The
 * position history has the plies before the current one, back to the last edit in force or to the start: an edit begins
 * a new game for superko. Every pass makes a ply too.
 *
 * The history has the hash of each ply, computed backward from the current one. A move adds nothing, w7_board_undo only
 * truncates it (board->position_history_moves); an edit changes only the current ply and the begin of the history. */
#ifndef W7_BOARD_KERNEL_SUPERKO_HISTORY_H
#define W7_BOARD_KERNEL_SUPERKO_HISTORY_H

#include "board/kernel/board.h"
#include "board/kernel/copy.h"
#include "board/kernel/edit.h"
#include "board/kernel/rules.h"

enum {
    W7_POSITION_HISTORY_LEAST_ROOM = 256,
    W7_POSITION_HISTORY_WORD_BITS =
        6 /* the highest bits of a hash select the bit of its word, the lowest ones the word */
};

#define W7_POSITION_HISTORY_NONE UINT32_MAX
#define W7_POSITION_HISTORY_KNOWN (UINT32_MAX - 1) /* in `earlier`: redundant, as an earlier row is equivalent */

/* A filter of one bit in 64 and, for every word of it, the list of the rows with bits in it. The arrays have `room`
 * elements, a power of 2, and follow this in memory. */
typedef struct {
    uint64_t *words;
    uint64_t mask;     /* room - 1 */
    uint64_t *keys;    /* the hash of ply begin + row */
    uint32_t *latest;  /* of every word the latest row, or W7_POSITION_HISTORY_NONE */
    uint32_t *earlier; /* of every row the one before it with the same word */
    int64_t begin;     /* the first ply */
    int64_t count;     /* rows */
    int64_t room;
    int64_t most_stones; /* on the board at any ply, an upper bound */
} w7_position_history;

/* --- what a ply means ------------------------------------------------------------------------ */

/* The player whose stone made the ply; W7_EMPTY for the start and after a pass or an edit. */
static inline int w7_position_history_maker(const w7_board *board, int64_t ply)
{
    if (ply <= w7_board_edited_at(board) || board->moves[ply - 1].x < 0)
        return W7_EMPTY;
    return board->moves[ply - 1].color;
}

/* Whether a superko rule forbids the player to move to repeat the position of this ply. */
static inline int w7_position_history_counts(const w7_board *board, int rule, int color, int64_t ply)
{
    const int to_play = ply < board->move_count ? board->moves[ply].color : color;
    if (rule == W7_KO_SITUATIONAL)
        return to_play != color;
    return rule == W7_KO_POSITIONAL || w7_position_history_maker(board, ply) == color;
}

/* --- updates ----------------------------------------------------------------------------- */

static inline uint64_t w7_position_history_bit(uint64_t key)
{
    return (uint64_t)1 << (key >> (64 - W7_POSITION_HISTORY_WORD_BITS));
}

/* The latest row of that hash up to `row`, in the list of its word, or W7_POSITION_HISTORY_NONE. */
static inline uint32_t w7_position_history_row(const w7_position_history *positions, uint32_t row, uint64_t key)
{
    while (row != W7_POSITION_HISTORY_NONE && positions->keys[row] != key)
        row = positions->earlier[row];
    return row;
}

/* Adds the next row, whose hash is written, to its list, unless an earlier row has the same hash and is equivalent
 * under every rule. So even a game of passes has short lists. */
static inline void w7_position_history_link(w7_position_history *positions, const w7_board *board)
{
    const uint32_t row = (uint32_t)positions->count++;
    const uint64_t key = positions->keys[row];
    uint64_t *word = &positions->words[key & positions->mask];
    uint32_t *latest = &positions->latest[key & positions->mask];
    if (*word & w7_position_history_bit(key)) {
        const int64_t ply = positions->begin + row;
        uint32_t other = w7_position_history_row(positions, *latest, key);
        for (; other != W7_POSITION_HISTORY_NONE;
             other = w7_position_history_row(positions, positions->earlier[other], key)) {
            if (board->moves[positions->begin + other].color == board->moves[ply].color &&
                w7_position_history_maker(board, positions->begin + other) == w7_position_history_maker(board, ply)) {
                positions->earlier[row] = W7_POSITION_HISTORY_KNOWN;
                return;
            }
        }
    }
    *word |= w7_position_history_bit(key);
    positions->earlier[row] = *latest;
    *latest = row;
}

/* Removes the last row. */
static inline void w7_position_history_unlink(w7_position_history *positions)
{
    const uint32_t row = (uint32_t)--positions->count;
    const uint64_t key = positions->keys[row];
    uint32_t other = positions->earlier[row];
    if (other == W7_POSITION_HISTORY_KNOWN)
        return;
    positions->latest[key & positions->mask] = other;
    while (other != W7_POSITION_HISTORY_NONE &&
           w7_position_history_bit(positions->keys[other]) != w7_position_history_bit(key))
        other = positions->earlier[other];
    if (other == W7_POSITION_HISTORY_NONE)
        positions->words[key & positions->mask] &= ~w7_position_history_bit(key);
}

/* Removes all rows and sets the first ply. */
static inline void w7_position_history_restart(w7_position_history *positions, int64_t begin)
{
    memset(positions->words, 0, (size_t)positions->room * sizeof *positions->words);
    memset(positions->latest, 0xFF, (size_t)positions->room * sizeof *positions->latest);
    positions->begin = begin;
    positions->count = 0;
    positions->most_stones = 0;
}

/* Replaces the position history of the board with an empty one with room for `room` plies. */
static W7_COLD w7_position_history *w7_position_history_renew(w7_board *board, int64_t begin, int64_t count)
{
    const size_t row_bytes = 2 * sizeof(uint64_t) + 2 * sizeof(uint32_t);
    int64_t room = W7_POSITION_HISTORY_LEAST_ROOM;
    w7_position_history *positions;
    while (room < count)
        room *= 2;
    if (count > INT32_MAX || (uint64_t)room > (SIZE_MAX - sizeof *positions) / row_bytes)
        return NULL;
    positions = (w7_position_history *)malloc(sizeof *positions + (size_t)room * row_bytes);
    if (positions == NULL)
        return NULL;
    free(board->position_history);
    board->position_history = positions;
    positions->words = (uint64_t *)(positions + 1);
    positions->keys = positions->words + room;
    positions->latest = (uint32_t *)(positions->keys + room);
    positions->earlier = positions->latest + room;
    positions->room = room;
    positions->mask = (uint64_t)room - 1;
    w7_position_history_restart(positions, begin);
    return positions;
}

/* The hash of the position before a move, given that after it. */
static inline uint64_t w7_position_history_step_back(const w7_board *board, int64_t index, uint64_t hash)
{
    const w7_move *move = w7_board_move(board, index);
    const w7_point *removed = w7_board_removed(board, index);
    const int color = move->removed_own ? move->color : W7_BLACK + W7_WHITE - move->color;
    if (move->x < 0)
        return hash;
    for (int32_t i = 0; i < move->removed_opponent + move->removed_own; i++)
        hash ^= w7_zobrist_stone(color, removed[i].x, removed[i].y);
    return hash ^ w7_zobrist_stone(move->color, move->x, move->y);
}

/* The stones before a move, given those after it. */
static inline int64_t w7_position_history_stones_back(const w7_board *board, int64_t index, int64_t stones)
{
    const w7_move *move = w7_board_move(board, index);
    return move->x < 0 ? stones : stones - 1 + move->removed_opponent + move->removed_own;
}

/* Updates the position history to the moves in force; one step for each new move. W7_NO_MEMORY is its only failure, and
 * changes nothing. */
static inline w7_status w7_board_recall(w7_board *board)
{
    const int64_t begin = w7_board_edited_at(board), count = board->move_count - begin;
    w7_position_history *positions = (w7_position_history *)board->position_history;
    uint64_t hash = board->hash;
    int64_t stones = board->stone_count, row;
    if (W7_UNLIKELY(positions == NULL || positions->room < count)) {
        positions = w7_position_history_renew(board, begin, count);
        if (positions == NULL)
            return W7_NO_MEMORY;
    } else if (W7_UNLIKELY(positions->begin != begin)) {
        w7_position_history_restart(positions, begin);
    } else {
        while (positions->count > 0 && positions->begin + positions->count > board->position_history_moves)
            w7_position_history_unlink(positions);
    }
    for (row = count; row-- > positions->count;) {
        positions->keys[row] = hash = w7_position_history_step_back(board, begin + row, hash);
        stones = w7_position_history_stones_back(board, begin + row, stones);
        if (stones > positions->most_stones)
            positions->most_stones = stones;
    }
    while (positions->count < count)
        w7_position_history_link(positions, board);
    board->position_history_moves = board->move_count;
    return W7_OK;
}

/* --- queries ----------------------------------------------------------------------------------------- */

/* Whether a ply and the board have the same stones; without memory to compare, the hash decides. */
static W7_COLD int w7_position_history_shows(const w7_board *board, int64_t ply, const w7_board *after)
{
    w7_board then;
    int equal = 1;
    if (w7_board_copy(&then, board, 1) != W7_OK)
        return 1;
    if (w7_board_undo(&then, board->move_count - ply) == W7_OK)
        equal = w7_board_equal(&then, after);
    w7_board_free(&then);
    return equal;
}

/* w7_position_history_has after its filter; with `after`, the position after the move, stones are compared too. */
static W7_COLD int w7_position_history_search(const w7_board *board, w7_ko_rule rule, int color, uint64_t key,
                                              const w7_board *after)
{
    const w7_position_history *positions = (const w7_position_history *)board->position_history;
    uint32_t row = w7_position_history_row(positions, positions->latest[key & positions->mask], key);
    if (key == board->hash && w7_position_history_counts(board, rule, color, board->move_count) &&
        (after == NULL || w7_board_equal(board, after)))
        return 1;
    for (; row != W7_POSITION_HISTORY_NONE; row = w7_position_history_row(positions, positions->earlier[row], key)) {
        if (w7_position_history_counts(board, rule, color, positions->begin + row) &&
            (after == NULL || w7_position_history_shows(board, positions->begin + row, after)))
            return 1;
    }
    return 0;
}

/* The part of the filter that decides most hashes. A caller with many queries keeps it in registers. */
typedef struct {
    const uint64_t *words;
    uint64_t mask;
    uint64_t present;
} w7_position_history_filter;

/* The position history is up to date. */
static inline w7_position_history_filter w7_position_history_filter_of(const w7_board *board)
{
    const w7_position_history *positions = (const w7_position_history *)board->position_history;
    const w7_position_history_filter filter = {positions->words, positions->mask, board->hash};
    return filter;
}

/* Whether a position of this hash may have occurred, with at most one false positive in 64. */
static W7_ALWAYS_INLINE int w7_position_history_may_have(w7_position_history_filter filter, uint64_t key)
{
    return (int)(filter.words[key & filter.mask] >> (key >> (64 - W7_POSITION_HISTORY_WORD_BITS)) & 1) |
           (key == filter.present);
}

/* Whether a move of `color` to a position of this hash would repeat an earlier or the current position under a superko
 * rule. The position history is up to date. Positions are compared by their hashes: w7_position_history_confirm makes
 * sure. */
static inline int w7_position_history_has(const w7_board *board, w7_ko_rule rule, int color, uint64_t key)
{
    return w7_position_history_may_have(w7_position_history_filter_of(board), key) &&
           w7_position_history_search(board, rule, color, key, NULL);
}

/* Whether the playable stone at (x, y), which leads to a position of this hash, repeats an earlier position:
 * w7_position_history_has, but with the stones compared one by one. Slow: for the few moves for which
 * w7_position_history_has is true. Without memory to compare, the hash decides. */
static W7_COLD int w7_position_history_confirm(const w7_board *board, w7_ko_rule rule, int color, uint64_t key,
                                               int32_t x, int32_t y)
{
    w7_board after;
    int repeats = 1;
    if (w7_board_copy(&after, board, 0) != W7_OK)
        return 1;
    if (w7_board_play(&after, color, x, y) == W7_OK)
        repeats = w7_position_history_search(board, rule, color, key, &after);
    w7_board_free(&after);
    return repeats;
}

#endif
