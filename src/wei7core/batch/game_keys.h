/* Keys of a game's moves in force, the same for a game and its images under the symmetries of its board.
 *
 * For every symmetry a key is carried along: the hash of the position before the first move (zobrist.h), and for every
 * move
 *
 *     key = key * x + zobrist(move), in the field of 2**64 elements, polynomials modulo x**64 + x**4 + x**3 + x + 1
 *
 * where zobrist(move) is the stone's key, or w7_zobrist_key(3, 0, color) for a pass. The least of the keys is that of
 * the game. So it depends on the size, the first position, the order of the moves and their colors. As x has the order
 * 2**64 - 1, the same stones in another order never agree by a swap; otherwise two different games of one symmetry
 * agree with a chance of 2**-64, as far as the keys of stones are random.
 *
 * Stones that were put or taken between the moves count for positions but are no moves. No Python. */
#ifndef W7_BATCH_GAME_KEYS_H
#define W7_BATCH_GAME_KEYS_H

#include "batch/image_hashes.h"
#include "board/kernel/board.h"
#include "board/kernel/symmetry_keys.h"

enum {
    W7_PREFIXES = 7,
    W7_OPENING_MOVES = 16,
    W7_REPORTED_KEYS = W7_OPENING_MOVES + W7_PREFIXES,
    W7_PLAYED_LEAST_ROOM = 1024,
    W7_PLAYED_MOST_REMOVED = 128 /* with more a table is quicker than looking back */
};

/* The numbers of moves whose key is reported in addition to that of the whole game. */
static const int32_t W7_PREFIX_MOVES[W7_PREFIXES] = {20, 40, 60, 80, 120, 160, 200};

typedef struct {
    uint64_t game_key;
    uint64_t prefix_keys[W7_PREFIXES];       /* of the first moves; 0 where the game has fewer */
    uint64_t opening_keys[W7_OPENING_MOVES]; /* canonical hash after 1, 2, .. moves; 0 where the game has fewer */
    int repeats;                             /* a stone brought an earlier position back */
    int32_t same_color;                      /* moves of the color of the move before */
    int32_t first_pass;                      /* its number from 1; 0: there is none */
    int32_t end_of_play;                     /* number of the move that first makes two passes in a row; 0: none does */
} w7_game_keys;

/* The positions of one game, reported by their hashes, in the order of its stones or in a table. All zeros at first. */
typedef struct {
    uint64_t *hashes;
    int64_t room;
    uint64_t mask;   /* of a table with places for many more than there are, of which 0 is empty; 0: no table */
    int64_t count;   /* without a table: positions */
    int64_t removed; /* stones, so far */
    int64_t missing; /* stones fewer than there were at most */
} w7_played;

static inline void w7_played_free(w7_played *played)
{
    free(played->hashes);
    memset(played, 0, sizeof *played);
}

/* Begins a game with these numbers of moves, edits and removed stones. */
static inline w7_status w7_played_start(w7_played *played, int64_t moves, int64_t edits, int64_t removed)
{
    const int with_table = edits > 0 || removed > W7_PLAYED_MOST_REMOVED;
    int64_t wanted = W7_PLAYED_LEAST_ROOM;
    while (wanted / 4 < moves + edits + 1)
        wanted *= 2;
    if (wanted > played->room) {
        uint64_t *hashes;
        if ((uint64_t)wanted > SIZE_MAX / sizeof *hashes)
            return W7_NO_MEMORY;
        hashes = (uint64_t *)malloc((size_t)wanted * sizeof *hashes);
        if (hashes == NULL)
            return W7_NO_MEMORY;
        free(played->hashes);
        played->hashes = hashes;
        played->room = wanted;
    }
    played->mask = with_table ? (uint64_t)wanted - 1 : 0;
    played->count = played->removed = played->missing = 0;
    if (with_table)
        memset(played->hashes, 0, (size_t)wanted * sizeof *played->hashes);
    return W7_OK;
}

/* Adds a position to the table. Returns whether it is there already. */
static inline int w7_played_enter(w7_played *played, uint64_t hash)
{
    uint64_t place = hash & played->mask;
    hash |= hash == 0; /* so 0 and 1 are one */
    for (;; place = (place + 1) & played->mask) {
        if (played->hashes[place] == 0) {
            played->hashes[place] = hash;
            return 0;
        }
        if (played->hashes[place] == hash)
            return 1;
    }
}

/* Adds the position before the first move, or one that edits have made. */
static inline void w7_played_begin(w7_played *played, uint64_t hash)
{
    if (played->mask != 0)
        w7_played_enter(played, hash);
    else
        played->hashes[played->count++] = hash;
}

/* Whether one of the last positions has the hash of the very last. Where the stones are as many as they were, all moves
 * in between have removed as many as they put: so it is no longer ago than stones were removed. */
static W7_COLD int w7_played_before(const w7_played *played)
{
    const int64_t last = played->count - 1, first = last > played->removed ? last - played->removed : 0;
    for (int64_t k = first; k < last; k++)
        if (played->hashes[k] == played->hashes[last])
            return 1;
    return 0;
}

/* Adds the position that a stone has made. Returns whether it is there already. */
static W7_ALWAYS_INLINE int w7_played_add(w7_played *played, uint64_t hash, int64_t removed)
{
    if (W7_UNLIKELY(played->mask != 0))
        return w7_played_enter(played, hash);
    played->hashes[played->count++] = hash;
    /* With more stones than ever there is no such position. */
    if (W7_UNLIKELY((played->missing | removed) != 0)) {
        played->removed += removed;
        played->missing += removed - 1;
        return w7_played_before(played);
    }
    return 0;
}

/* --- what came before the first move -------------------------------------------------------------------- */

/* The hashes, by symmetries, of the position before the first move, and its stones by color. */
typedef struct {
    uint64_t hashes[8];
    int64_t stones[3];
} w7_game_start;

static inline void w7_game_start_empty(w7_game_start *start, w7_symmetry_keys *keys, const w7_grid *grid)
{
    (void)w7_symmetry_keys_serve(keys, grid);
    for (int symmetry = 0; symmetry < 8; symmetry++)
        start->hashes[symmetry] = w7_zobrist_empty(grid->width, grid->height);
    start->stones[W7_EMPTY] = start->stones[W7_BLACK] = start->stones[W7_WHITE] = 0;
}

/* Adds a stone, or takes one away where `count` is -1; W7_EMPTY is none. */
static inline void w7_game_start_add(w7_game_start *start, const w7_symmetry_keys *keys, const w7_grid *grid, int color,
                                     int32_t x, int32_t y, int count)
{
    if (color == W7_EMPTY)
        return;
    w7_images_add(keys, grid, color, x, y, start->hashes);
    start->stones[color] += count;
}

static inline int w7_color_or_other(int color, int exchanged)
{
    return exchanged && color != W7_EMPTY ? W7_BLACK + W7_WHITE - color : color;
}

/* Adds what was put on the board of `board`, or taken from it, before its first move; where `exchanged`, in the other
 * colors. */
static inline void w7_game_start_add_edits(w7_game_start *start, const w7_symmetry_keys *keys, const w7_board *board,
                                           int exchanged)
{
    for (int64_t k = 0; k < board->edit_count && board->edits[k].move_count == 0; k++) {
        const w7_edit *edit = &board->edits[k];
        const int before = w7_color_or_other(edit->before, exchanged),
                  after = w7_color_or_other(edit->after, exchanged);
        w7_game_start_add(start, keys, &board->grid, before, edit->x, edit->y, -1);
        w7_game_start_add(start, keys, &board->grid, after, edit->x, edit->y, 1);
    }
}

/* --- move by move ---------------------------------------------------------------------------------------- */

static inline uint64_t w7_game_pass_key(int color)
{
    return w7_zobrist_key(3, 0, (uint64_t)color);
}

/* Adds the edits from number `next` on that were made before move number `index`. Returns the number of the next one.
 * */
static W7_COLD int64_t w7_images_add_edits(const w7_symmetry_keys *keys, const w7_board *board, int64_t next,
                                           int64_t index, uint64_t position[8])
{
    for (; next < board->edit_count && board->edits[next].move_count <= index; next++) {
        const w7_edit *edit = &board->edits[next];
        if (edit->before != W7_EMPTY)
            w7_images_add(keys, &board->grid, edit->before, edit->x, edit->y, position);
        if (edit->after != W7_EMPTY)
            w7_images_add(keys, &board->grid, edit->after, edit->x, edit->y, position);
    }
    return next;
}

/* The number of moves after which key number `reported` is reported; -1 after the last one. */
static inline int64_t w7_moves_before_key(int reported)
{
    if (reported < W7_OPENING_MOVES)
        return reported + 1;
    return reported < W7_REPORTED_KEYS ? W7_PREFIX_MOVES[reported - W7_OPENING_MOVES] : -1;
}

static inline void w7_game_keys_report(w7_game_keys *keys, int reported, uint64_t key)
{
    if (reported < W7_OPENING_MOVES)
        keys->opening_keys[reported] = key;
    else
        keys->prefix_keys[reported - W7_OPENING_MOVES] = key;
}

/* Notes that move number `index`, from 0, is a pass. */
static W7_COLD void w7_game_keys_note_pass(w7_game_keys *keys, const w7_move *moves, int64_t index)
{
    if (keys->first_pass == 0)
        keys->first_pass = (int32_t)(index + 1);
    if (keys->end_of_play == 0 && index > 0 && moves[index - 1].x < 0)
        keys->end_of_play = (int32_t)(index + 1);
}

/* One move for all symmetries: `chain` are the keys of the game, `position` the hashes. */
static W7_ALWAYS_INLINE void w7_game_keys_step(const w7_symmetry_keys *keys, const w7_board *board, const w7_move *move,
                                               uint64_t chain[8], uint64_t position[8])
{
    uint64_t image[8] = {0};
    if (move->x >= 0)
        w7_images_add(keys, &board->grid, move->color, move->x, move->y, image);
    for (int symmetry = 0; symmetry < 8; symmetry++) {
        position[symmetry] ^= image[symmetry];
        image[symmetry] ^= move->x < 0 ? w7_game_pass_key(move->color) : 0;
        chain[symmetry] = chain[symmetry] << 1 ^ ((0 - (chain[symmetry] >> 63)) & 0x1B) ^ image[symmetry];
    }
    if (move->removed_opponent + move->removed_own > 0)
        w7_images_add_removed(keys, board, move, position);
}

static inline void w7_game_keys_add(const w7_symmetry_keys *keys, const w7_board *board, const w7_game_start *start,
                                    w7_played *played, w7_game_keys *out)
{
    const int symmetries = board->grid.width == board->grid.height ? 8 : 4;
    uint64_t chain[8], position[8];
    int64_t edits = 0;
    int reported = 0;
    memcpy(chain, start->hashes, sizeof chain);
    memcpy(position, start->hashes, sizeof position);
    while (edits < board->edit_count && board->edits[edits].move_count == 0)
        edits++;
    w7_played_begin(played, position[0]);
    for (int64_t i = 0; i < board->move_count; i++) {
        const w7_move *move = &board->moves[i];
        if (W7_UNLIKELY(edits < board->edit_count) && board->edits[edits].move_count <= i) {
            edits = w7_images_add_edits(keys, board, edits, i, position);
            w7_played_begin(played, position[0]);
        }
        w7_game_keys_step(keys, board, move, chain, position);
        out->same_color += i > 0 && move->color == move[-1].color;
        if (move->x < 0)
            w7_game_keys_note_pass(out, board->moves, i);
        else
            out->repeats |= w7_played_add(played, position[0], move->removed_opponent + move->removed_own);
        if (W7_UNLIKELY(i + 1 == w7_moves_before_key(reported))) {
            w7_game_keys_report(out, reported,
                                w7_least_key(reported < W7_OPENING_MOVES ? position : chain, symmetries));
            reported++;
        }
    }
    out->game_key = w7_least_key(chain, symmetries);
}

#ifdef W7_WITH_X86_ISAS

#define w7_game_keys_add_eight W7_ISA_NAME(W7_ISA, game_keys_add)

#define W7_ISA avx2
#define W7_ISA_TARGET W7_TARGET_AVX2
#include "batch/game_keys_vectors.h"
#undef W7_ISA
#undef W7_ISA_TARGET

#define W7_ISA avx512
#define W7_ISA_TARGET W7_TARGET_AVX512BW
#include "batch/game_keys_vectors.h"
#undef W7_ISA
#undef W7_ISA_TARGET

#endif

/* The keys of the moves in force on the board. `keys` are those that `start` was made with. W7_NO_MEMORY is its only
 * failure. */
static inline w7_status w7_game_keys_of(const w7_symmetry_keys *keys, int isa, const w7_board *board,
                                        const w7_game_start *start, w7_played *played, w7_game_keys *out)
{
    memset(out, 0, sizeof *out);
    if (w7_played_start(played, board->move_count, board->edit_count, board->removed_count) != W7_OK)
        return W7_NO_MEMORY;
#ifdef W7_WITH_X86_ISAS
    if (isa >= W7_ISA_AVX2 && board->move_count > 0 && board->edit_count == 0 && keys->images != NULL) {
        if (isa >= W7_ISA_AVX512BW)
            w7_avx512_game_keys_add(keys, board, start, played, out);
        else
            w7_avx2_game_keys_add(keys, board, start, played, out);
        return W7_OK;
    }
#endif
    (void)isa;
    w7_game_keys_add(keys, board, start, played, out);
    return W7_OK;
}

#endif
