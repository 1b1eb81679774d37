/* The positions that stood on the board earlier in the game, for superko. Kept only once somebody asked.
 *
 * A moment is a position between two moves in force: moment i is the one after the first i moves, from 0, the start.
 * The past are the moments before the present one, back to the last edit in force or to the start: what stood there
 * before somebody changed the stones by hand was another game. Every pass makes a moment too.
 *
 * Of each moment the hash is kept, found backward from the present one. A play adds nothing to the past, w7_board_undo
 * only cuts it (board->past_kept); an edit changes nothing but the present moment and where the past begins. */
#ifndef W7_PAST_H
#define W7_PAST_H

#include "board/kernel/board.h"
#include "board/kernel/copy.h"
#include "board/kernel/edit.h"
#include "board/kernel/rules.h"

enum {
    W7_PAST_LEAST_ROOM = 256,
    W7_PAST_WORD_BITS = 6 /* the highest bits of a hash choose the bit of its word, the lowest ones the word */
};

#define W7_PAST_NONE UINT32_MAX
#define W7_PAST_KNOWN (UINT32_MAX - 1) /* in `earlier`: says nothing that an earlier row does not */

/* A filter of one bit in 64 and, after every word of it, the list of the rows whose bits it holds. The arrays have
 * `room` elements, a power of 2, and follow this in memory. */
typedef struct {
    uint64_t *words;
    uint64_t mask;     /* room - 1 */
    uint64_t *keys;    /* the hash of moment begin + row */
    uint32_t *latest;  /* of every word the latest row, or W7_PAST_NONE */
    uint32_t *earlier; /* of every row the one before it with the same word */
    int64_t begin;     /* the first moment */
    int64_t count;     /* rows */
    int64_t room;
    int64_t most_stones; /* that stood on the board at one of the moments, or more */
} w7_past;

/* --- what a moment means ------------------------------------------------------------------------ */

/* Who made the moment with a stone; W7_EMPTY where it is the start, or followed a pass or an edit. */
static inline int w7_past_maker(const w7_board *board, int64_t moment)
{
    if (moment <= w7_board_edited_at(board) || board->moves[moment - 1].x < 0)
        return W7_EMPTY;
    return board->moves[moment - 1].color;
}

/* Whether a superko rule forbids a player, whose turn it is now, to make this moment's position again. */
static inline int w7_past_counts(const w7_board *board, int rule, int color, int64_t moment)
{
    const int to_play = moment < board->move_count ? board->moves[moment].color : color;
    if (rule == W7_KO_SITUATIONAL)
        return to_play != color;
    return rule == W7_KO_POSITIONAL || w7_past_maker(board, moment) == color;
}

/* --- keeping the past ----------------------------------------------------------------------------- */

static inline uint64_t w7_past_bit(uint64_t key)
{
    return (uint64_t)1 << (key >> (64 - W7_PAST_WORD_BITS));
}

/* The latest row of that hash up to `row`, in the list of its word, or W7_PAST_NONE. */
static inline uint32_t w7_past_row(const w7_past *past, uint32_t row, uint64_t key)
{
    while (row != W7_PAST_NONE && past->keys[row] != key)
        row = past->earlier[row];
    return row;
}

/* Puts the next row, whose hash is written, into its list: unless a row there has the same hash and means the same to
 * every rule. So no game, of passes say, has long lists. */
static inline void w7_past_link(w7_past *past, const w7_board *board)
{
    const uint32_t row = (uint32_t)past->count++;
    const uint64_t key = past->keys[row];
    uint64_t *word = &past->words[key & past->mask];
    uint32_t *latest = &past->latest[key & past->mask];
    if (*word & w7_past_bit(key)) {
        const int64_t moment = past->begin + row;
        uint32_t other = w7_past_row(past, *latest, key);
        for (; other != W7_PAST_NONE; other = w7_past_row(past, past->earlier[other], key)) {
            if (board->moves[past->begin + other].color == board->moves[moment].color &&
                w7_past_maker(board, past->begin + other) == w7_past_maker(board, moment)) {
                past->earlier[row] = W7_PAST_KNOWN;
                return;
            }
        }
    }
    *word |= w7_past_bit(key);
    past->earlier[row] = *latest;
    *latest = row;
}

/* Takes the last row away. */
static inline void w7_past_unlink(w7_past *past)
{
    const uint32_t row = (uint32_t)--past->count;
    const uint64_t key = past->keys[row];
    uint32_t other = past->earlier[row];
    if (other == W7_PAST_KNOWN)
        return;
    past->latest[key & past->mask] = other;
    while (other != W7_PAST_NONE && w7_past_bit(past->keys[other]) != w7_past_bit(key))
        other = past->earlier[other];
    if (other == W7_PAST_NONE)
        past->words[key & past->mask] &= ~w7_past_bit(key);
}

/* Takes all rows away and begins elsewhere. */
static inline void w7_past_restart(w7_past *past, int64_t begin)
{
    memset(past->words, 0, (size_t)past->room * sizeof *past->words);
    memset(past->latest, 0xFF, (size_t)past->room * sizeof *past->latest);
    past->begin = begin;
    past->count = 0;
    past->most_stones = 0;
}

/* Makes an empty past with room for so many moments in place of the one that the board has. */
static W7_COLD w7_past *w7_past_renew(w7_board *board, int64_t begin, int64_t count)
{
    const size_t row_bytes = 2 * sizeof(uint64_t) + 2 * sizeof(uint32_t);
    int64_t room = W7_PAST_LEAST_ROOM;
    w7_past *past;
    while (room < count)
        room *= 2;
    if (count > INT32_MAX || (uint64_t)room > (SIZE_MAX - sizeof *past) / row_bytes)
        return NULL;
    past = (w7_past *)malloc(sizeof *past + (size_t)room * row_bytes);
    if (past == NULL)
        return NULL;
    free(board->past);
    board->past = past;
    past->words = (uint64_t *)(past + 1);
    past->keys = past->words + room;
    past->latest = (uint32_t *)(past->keys + room);
    past->earlier = past->latest + room;
    past->room = room;
    past->mask = (uint64_t)room - 1;
    w7_past_restart(past, begin);
    return past;
}

/* The hash of the position before a move, given that after it. */
static inline uint64_t w7_past_step_back(const w7_board *board, int64_t index, uint64_t hash)
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
static inline int64_t w7_past_stones_back(const w7_board *board, int64_t index, int64_t stones)
{
    const w7_move *move = w7_board_move(board, index);
    return move->x < 0 ? stones : stones - 1 + move->removed_opponent + move->removed_own;
}

/* Brings the past up to date with the moves in force. Asked again after one more move it takes one step. W7_NO_MEMORY
 * is its only failure, and changes nothing. */
static inline w7_status w7_board_recall(w7_board *board)
{
    const int64_t begin = w7_board_edited_at(board), count = board->move_count - begin;
    w7_past *past = (w7_past *)board->past;
    uint64_t hash = board->hash;
    int64_t stones = board->stone_count, row;
    if (W7_UNLIKELY(past == NULL || past->room < count)) {
        past = w7_past_renew(board, begin, count);
        if (past == NULL)
            return W7_NO_MEMORY;
    } else if (W7_UNLIKELY(past->begin != begin)) {
        w7_past_restart(past, begin);
    } else {
        while (past->count > 0 && past->begin + past->count > board->past_kept)
            w7_past_unlink(past);
    }
    for (row = count; row-- > past->count;) {
        past->keys[row] = hash = w7_past_step_back(board, begin + row, hash);
        stones = w7_past_stones_back(board, begin + row, stones);
        if (stones > past->most_stones)
            past->most_stones = stones;
    }
    while (past->count < count)
        w7_past_link(past, board);
    board->past_kept = board->move_count;
    return W7_OK;
}

/* --- asking ------------------------------------------------------------------------------------------ */

/* Whether moment and board show the same stones; where there is no memory to compare, the hash has decided. */
static W7_COLD int w7_past_shows(const w7_board *board, int64_t moment, const w7_board *after)
{
    w7_board then;
    int equal = 1;
    if (w7_board_copy(&then, board, 1) != W7_OK)
        return 1;
    if (w7_board_undo(&then, board->move_count - moment) == W7_OK)
        equal = w7_board_equal(&then, after);
    w7_board_free(&then);
    return equal;
}

/* w7_past_has after its filter; with `after`, the position that the move brings about, by the stones too. */
static W7_COLD int w7_past_search(const w7_board *board, w7_ko_rule rule, int color, uint64_t key,
                                  const w7_board *after)
{
    const w7_past *past = (const w7_past *)board->past;
    uint32_t row = w7_past_row(past, past->latest[key & past->mask], key);
    if (key == board->hash && w7_past_counts(board, rule, color, board->move_count) &&
        (after == NULL || w7_board_equal(board, after)))
        return 1;
    for (; row != W7_PAST_NONE; row = w7_past_row(past, past->earlier[row], key)) {
        if (w7_past_counts(board, rule, color, past->begin + row) &&
            (after == NULL || w7_past_shows(board, past->begin + row, after)))
            return 1;
    }
    return 0;
}

/* The part of the filter that most hashes are decided by. A caller with many to ask about keeps it in registers. */
typedef struct {
    const uint64_t *words;
    uint64_t mask;
    uint64_t present;
} w7_past_filter;

/* The board was recalled since its last change. */
static inline w7_past_filter w7_past_filter_of(const w7_board *board)
{
    const w7_past *past = (const w7_past *)board->past;
    const w7_past_filter filter = {past->words, past->mask, board->hash};
    return filter;
}

/* Whether a position of this hash may have been there: of others one in 64 is taken for one, or fewer. */
static W7_ALWAYS_INLINE int w7_past_may_have(w7_past_filter filter, uint64_t key)
{
    return (int)(filter.words[key & filter.mask] >> (key >> (64 - W7_PAST_WORD_BITS)) & 1) | (key == filter.present);
}

/* Whether a move of `color` to a position of this hash would repeat the past, or the present, under a superko rule.
 * The board was recalled since its last change. Positions are compared by their hashes: w7_past_confirm makes sure. */
static inline int w7_past_has(const w7_board *board, w7_ko_rule rule, int color, uint64_t key)
{
    return w7_past_may_have(w7_past_filter_of(board), key) && w7_past_search(board, rule, color, key, NULL);
}

/* Whether the stone at (x, y), which can be played and brings about a position of this hash, repeats the past indeed:
 * w7_past_has, but with the stones compared one by one. Slow: for the few moves for which w7_past_has is true. Where
 * there is no memory to compare, the hash decides. */
static W7_COLD int w7_past_confirm(const w7_board *board, w7_ko_rule rule, int color, uint64_t key, int32_t x,
                                   int32_t y)
{
    w7_board after;
    int repeats = 1;
    if (w7_board_copy(&after, board, 0) != W7_OK)
        return 1;
    if (w7_board_play(&after, color, x, y) == W7_OK)
        repeats = w7_past_search(board, rule, color, key, &after);
    w7_board_free(&after);
    return repeats;
}

#endif
