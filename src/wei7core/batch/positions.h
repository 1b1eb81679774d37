/* The pause points of records as columns: one row for each move, `pre` and setup of every branch. No Python.
 *
 * The packed board of a move is that of the row before it, and the points that changed. With AVX2 moves are played and
 * their rows written in one pass; elsewhere whole runs of moves are played first, and their rows are written according
 * to the history. */
#ifndef W7_BATCH_POSITIONS_H
#define W7_BATCH_POSITIONS_H

#include "batch/image_hashes.h"
#include "batch/position_columns.h"
#include "batch/sparse_rows.h"
#include "board/kernel/pack.h"
#include "replaying/summary.h"
#include "replaying/walk.h"

/* Appends the path of a tree. */
static inline int w7_positions_add_path(w7_positions *positions, const w7_record *record, int32_t tree, int64_t *length)
{
    w7_letters *out = &positions->branches;
    const w7_tree *trees = record->trees.at;
    int32_t above;
    char *p;
    if (!positions->is_marked) {
        while (positions->path_mark_room < record->trees.count)
            if (w7_table_grow(&positions->path_marks, &positions->path_mark_room, sizeof *positions->path_marks) != 0)
                return -1;
        w7_branch_marks(record, positions->path_marks);
        positions->is_marked = 1;
    }
    *length = trees[tree].parent < 0 ? 1 : w7_branch_path_size(trees, positions->path_marks, tree);
    if (w7_letters_reserve(out, *length) != 0)
        return -1;
    out->count += *length;
    p = out->at + out->count;
    if (trees[tree].parent < 0) {
        p[-1] = '-';
        return 0;
    }
    above = w7_branch_above_tail(trees, positions->path_marks, tree);
    p = w7_branch_path_write(p, trees, tree, above);
    if (above >= 0) {
        const char *middle = w7_branch_middle(positions->path_marks, above);
        p -= strlen(middle);
        memcpy(p, middle, strlen(middle));
        w7_branch_path_write(p, trees, positions->path_marks[above].head, -1);
    }
    return 0;
}

/* Makes sure that the next row is of a run of its branch. Returns 0, or -1 when memory is short. */
static inline int w7_positions_enter(w7_positions *positions, const w7_walk *walk)
{
    w7_position_run *run;
    if (positions->tree == walk->tree)
        return 0;
    if (positions->run_count == positions->run_room &&
        w7_table_grow(&positions->runs, &positions->run_room, sizeof *positions->runs) != 0)
        return -1;
    run = &positions->runs[positions->run_count];
    if (w7_positions_add_path(positions, walk->record, walk->tree, &run->path_size) != 0)
        return -1;
    run->begin = positions->count;
    run->text = positions->text;
    run->width = walk->board->grid.width;
    run->height = walk->board->grid.height;
    positions->run_count++;
    positions->tree = walk->tree;
    return 0;
}

/* --- the position after the last row ---------------------------------------------------------- */

/* Whether the position after the last row is that in which the first `moves` moves in force have been played: within a
 * branch every move makes a row, and a branch begins where the one above it ends. */
static inline int w7_positions_follow(const w7_positions *positions, const w7_walk *walk, int64_t moves)
{
    return positions->tree >= 0 && positions->moves == moves && positions->edits == w7_board_edit_count(walk->board) &&
           (positions->tree == walk->tree || walk->record->trees.at[walk->tree].parent == positions->tree);
}

/* Whether no row comes before the first `moves` moves in force, and sparse ones need no board: it is empty. */
static inline int w7_positions_begin(w7_positions *positions, const w7_walk *walk, int64_t moves)
{
    if (!positions->is_sparse || positions->tree >= 0 || moves > 0 || w7_board_edit_count(walk->board) > 0)
        return 0;
    positions->edits = 0;
    return 1;
}

/* Takes the position from the board. Returns 0, or -1 when memory is short. */
static W7_NOINLINE int w7_positions_read(w7_positions *positions, const w7_board *board)
{
    const w7_grid *grid = &board->grid;
    const int64_t size = w7_packed_size(grid->width, grid->height);
    positions->packed.count = 0;
    if (w7_letters_reserve(&positions->packed, size + W7_PACKED_BYTES) != 0)
        return -1;
    memset(positions->packed.at, 0, (size_t)size + W7_PACKED_BYTES);
    if (board->stone_count != 0)
        w7_board_pack(board, (uint8_t *)positions->packed.at);
    positions->packed.count = size;
    positions->hash = w7_board_hash(board);
    positions->moves = w7_board_move_count(board);
    positions->edits = w7_board_edit_count(board);
    if (positions->with_canonical) {
        if (w7_symmetry_keys_serve(positions->keys, grid)) {
            w7_plane_words black, white;
            w7_planes_read(board, &black, &white);
            w7_symmetry_keys_hashes(positions->keys, board->isa, &black, &white, positions->sums);
        } else {
            w7_grid_hashes(grid, positions->sums);
        }
    }
    return 0;
}

/* --- rows of moves ---------------------------------------------------------------------------- */

#ifdef W7_WITH_X86_ISAS

#define W7_PORTABLE_ROWS W7_COLD /* nearly all processors have AVX2 */

#define w7_positions_hash_eight W7_ISA_NAME(W7_ISA, positions_hash)

#define W7_ISA avx2
#define W7_ISA_TARGET W7_TARGET_AVX2
#include "batch/position_hashes_vectors.h"
#undef W7_ISA
#undef W7_ISA_TARGET

#define W7_ISA avx512
#define W7_ISA_TARGET W7_TARGET_AVX512BW
#include "batch/position_hashes_vectors.h"
#undef W7_ISA
#undef W7_ISA_TARGET

#else
#define W7_PORTABLE_ROWS inline
#endif

/* Writes the canonical hashes after each of `count` moves. */
static W7_PORTABLE_ROWS void w7_positions_write_canonical(w7_positions *positions, const w7_board *board,
                                                          const w7_move *moves, int64_t count, uint64_t *canonical)
{
    const w7_symmetry_keys *keys = positions->keys;
#ifdef W7_WITH_X86_ISAS
    if (board->isa >= W7_ISA_AVX2 && keys->images != NULL) {
        (board->isa >= W7_ISA_AVX512BW ? w7_avx512_positions_hash : w7_avx2_positions_hash)(keys, board, moves, count,
                                                                                            positions->sums, canonical);
        return;
    }
#endif
    for (int64_t k = 0; k < count; k++) {
        if (moves[k].x >= 0)
            w7_images_add(keys, &board->grid, moves[k].color, moves[k].x, moves[k].y, positions->sums);
        w7_images_add_removed(keys, board, &moves[k], positions->sums);
        canonical[k] = w7_canonical_hash(&board->grid, positions->sums);
    }
}

/* Where the next rows of moves are written, but for packed boards. */
typedef struct {
    int32_t *xs;
    int32_t *ys;
    int8_t *colors;
    uint64_t *hashes;
    uint64_t hash; /* before the next move */
    const w7_plane_tables *tables;
} w7_position_rows;

static inline w7_position_rows w7_positions_next_rows(const w7_positions *positions, w7_board *board)
{
    const int64_t row = positions->count;
    w7_position_rows rows;
    rows.xs = positions->xs + row;
    rows.ys = positions->ys + row;
    rows.colors = positions->colors + row;
    rows.hashes = positions->hashes + row;
    rows.hash = positions->hash;
    rows.tables = board->grid.has_planes ? w7_board_plane_tables(board) : NULL;
    return rows;
}

static inline uint64_t w7_position_key(const w7_plane_tables *tables, int color, int32_t x, int32_t y)
{
    return tables == NULL ? w7_zobrist_stone(color, x, y)
                          : tables->keys[color - W7_BLACK][(uint32_t)y * tables->stride + (uint32_t)x];
}

/* Writes the row of a move. Returns the stones that it has removed. */
static W7_ALWAYS_INLINE int32_t w7_position_rows_put(w7_position_rows *rows, const w7_board *board, const w7_move *move)
{
    const int32_t removed = move->removed_opponent + move->removed_own;
    uint64_t hash = rows->hash;
    *rows->xs++ = move->x;
    *rows->ys++ = move->y;
    *rows->colors++ = (int8_t)move->color;
    if (move->x >= 0)
        hash ^= w7_position_key(rows->tables, move->color, move->x, move->y);
    if (W7_UNLIKELY(removed != 0)) {
        const int color = move->removed_own ? move->color : W7_BLACK + W7_WHITE - move->color;
        for (int32_t i = 0; i < removed; i++) {
            const w7_point point = board->removed[move->removed_begin + i];
            hash ^= w7_position_key(rows->tables, color, point.x, point.y);
        }
    }
    *rows->hashes++ = rows->hash = hash;
    return removed;
}

typedef struct {
    uint64_t at[W7_PACKED_WORDS];
} w7_packed_words;

/* The stone as a board without others. */
static inline w7_packed_words w7_packed_stone(const w7_positions *positions, int color, int64_t point)
{
    w7_packed_words words;
    memcpy(&words, (const uint8_t *)positions->masks + w7_packed_stone_at(color, point), sizeof words);
    return words;
}

/* Writes rows of moves in force and their packed boards, of W7_PACKED_BYTES bytes at most: what is after a board is
 * written again by the next one. Returns the hash after them. */
static W7_PORTABLE_ROWS uint64_t w7_positions_words(w7_positions *positions, w7_position_rows rows,
                                                    const w7_board *board, const w7_move *moves, int64_t count,
                                                    int64_t size)
{
    const int64_t width = board->grid.width;
    char *at = positions->boards.at + positions->boards.count;
    w7_packed_words words;
    memcpy(&words, positions->packed.at, sizeof words);
    for (const w7_move *move = moves; move < moves + count; move++, at += size) {
        const int32_t removed = w7_position_rows_put(&rows, board, move);
        if (move->x >= 0) {
            const w7_packed_words stone = w7_packed_stone(positions, move->color, move->y * width + move->x);
            for (int k = 0; k < W7_PACKED_WORDS; k++)
                words.at[k] |= stone.at[k];
        }
        for (int32_t i = 0; W7_UNLIKELY(i < removed); i++) {
            const w7_point point = board->removed[move->removed_begin + i];
            const int color = i < move->removed_opponent ? W7_BLACK + W7_WHITE - move->color : move->color;
            const w7_packed_words dead = w7_packed_stone(positions, color, point.y * width + point.x);
            for (int k = 0; k < W7_PACKED_WORDS; k++)
                words.at[k] &= ~dead.at[k];
        }
        memcpy(at, &words, sizeof words);
    }
    memcpy(positions->packed.at, &words, sizeof words);
    return rows.hash;
}

#ifdef W7_WITH_X86_ISAS

/* The same of a board with tables of its places. */
W7_TARGET_AVX2 static W7_NOINLINE uint64_t w7_positions_words_avx2(w7_positions *positions, w7_position_rows rows,
                                                                   const w7_board *board, const w7_move *moves,
                                                                   int64_t count, int64_t size)
{
    const uint64_t *const keys = (const uint64_t *)rows.tables->keys;
    const uint16_t *const stones = (const uint16_t *)positions->stones;
    const uint8_t *const masks = (const uint8_t *)positions->masks;
    const uint32_t stride = rows.tables->stride;
    char *at = positions->boards.at + positions->boards.count;
    __m256i *const last = (__m256i *)positions->packed.at;
    __m256i words[W7_PACKED_BYTES / 32];
    uint64_t hash = rows.hash;
    for (int k = 0; k < W7_PACKED_BYTES / 32; k++)
        words[k] = _mm256_loadu_si256(last + k);
    for (int64_t row = 0; row < count; row++, at += size) {
        const w7_move *move = &moves[row];
        const int32_t x = move->x, y = move->y, removed = move->removed_opponent + move->removed_own;
        const uint32_t color = move->color;
        W7_PREFETCH_TO_WRITE((uintptr_t)at + W7_BOARDS_AHEAD);
        W7_PREFETCH_TO_WRITE((uintptr_t)at + W7_BOARDS_AHEAD + 64);
        rows.xs[row] = x;
        rows.ys[row] = y;
        rows.colors[row] = (int8_t)color;
        if (x >= 0) {
            const uint32_t stone = (color - W7_BLACK) * W7_PLANE_BITS + (uint32_t)y * stride + (uint32_t)x;
            const __m256i *mask = (const __m256i *)(masks + stones[stone]);
            hash ^= keys[stone];
            for (int k = 0; k < W7_PACKED_BYTES / 32; k++)
                words[k] = _mm256_or_si256(words[k], _mm256_loadu_si256(mask + k));
        }
        if (W7_UNLIKELY(removed != 0)) {
            const w7_point *points = board->removed + move->removed_begin;
            const uint32_t first = (move->removed_own ? color - W7_BLACK : W7_WHITE - color) * W7_PLANE_BITS;
            for (int32_t i = 0; i < removed; i++) {
                const uint32_t stone = first + (uint32_t)points[i].y * stride + (uint32_t)points[i].x;
                const __m256i *mask = (const __m256i *)(masks + stones[stone]);
                hash ^= keys[stone];
                for (int k = 0; k < W7_PACKED_BYTES / 32; k++)
                    words[k] = _mm256_andnot_si256(_mm256_loadu_si256(mask + k), words[k]);
            }
        }
        rows.hashes[row] = hash;
        for (int k = 0; k < W7_PACKED_BYTES / 32; k++)
            _mm256_storeu_si256((__m256i *)at + k, words[k]);
    }
    for (int k = 0; k < W7_PACKED_BYTES / 32; k++)
        _mm256_storeu_si256(last + k, words[k]);
    return hash;
}

#endif

/* The same for larger boards. */
static W7_COLD uint64_t w7_positions_bytes_of_moves(w7_positions *positions, w7_position_rows rows,
                                                    const w7_board *board, const w7_move *moves, int64_t count,
                                                    int64_t size)
{
    const int64_t width = board->grid.width;
    char *at = positions->boards.at + positions->boards.count;
    uint8_t *packed = (uint8_t *)positions->packed.at;
    for (const w7_move *move = moves; move < moves + count; move++, at += size) {
        const int32_t removed = w7_position_rows_put(&rows, board, move);
        if (move->x >= 0) {
            const int64_t point = move->y * width + move->x;
            packed[point >> 2] |= (uint8_t)(move->color << 2 * (point & 3));
        }
        for (int32_t i = 0; i < removed; i++) {
            const w7_point dead = board->removed[move->removed_begin + i];
            const int64_t point = dead.y * width + dead.x;
            packed[point >> 2] &= (uint8_t)~(3u << 2 * (point & 3));
        }
        memcpy(at, packed, (size_t)size);
    }
    return rows.hash;
}

/* Writes the numbers of rows of moves that are steps from number `step` on, and moves from number `number` on. */
static W7_NOINLINE void w7_positions_write_numbers(w7_positions *positions, int64_t count, int32_t step, int32_t number)
{
    int32_t *steps = positions->steps + positions->count, *numbers = positions->move_numbers + positions->count;
    for (int32_t k = 0; k < (int32_t)count; k++)
        steps[k] = step + k;
    for (int32_t k = 0; k < (int32_t)count; k++)
        numbers[k] = number + k;
}

/* Writes rows of moves that are steps from number `step` on, and moves from number `number` on. */
static inline void w7_positions_write_moves(w7_positions *positions, w7_board *board, const w7_move *moves,
                                            int64_t count, int32_t step, int32_t number, int64_t size)
{
    const int64_t row = positions->count;
    const w7_position_rows rows = w7_positions_next_rows(positions, board);
    w7_positions_write_numbers(positions, count, step, number);
    if (size > W7_PACKED_BYTES)
        positions->hash = w7_positions_bytes_of_moves(positions, rows, board, moves, count, size);
#ifdef W7_WITH_X86_ISAS
    else if (board->isa >= W7_ISA_AVX2 && rows.tables != NULL) {
        w7_positions_place_stones(positions, &board->grid);
        positions->hash = w7_positions_words_avx2(positions, rows, board, moves, count, size);
    }
#endif
    else
        positions->hash = w7_positions_words(positions, rows, board, moves, count, size);
    if (positions->with_canonical)
        w7_positions_write_canonical(positions, board, moves, count, positions->canonical_hashes + row);
}

/* Notes a code of a sparse row. Returns 0, or -1 when memory is short. */
static inline int w7_positions_note(w7_positions *positions, int64_t row, uint32_t code)
{
    const uint32_t pair[2] = {(uint32_t)row, code};
    if (w7_letters_reserve(&positions->removed, sizeof pair) != 0)
        return -1;
    memcpy(positions->removed.at + positions->removed.count, pair, sizeof pair);
    positions->removed.count += sizeof pair;
    return 0;
}

/* Notes what a move has removed. Returns 0, or -1 when memory is short. */
static inline int w7_positions_note_removed(w7_positions *positions, const w7_board *board, const w7_move *move,
                                            int64_t row)
{
    for (int64_t k = 0; k < (int64_t)move->removed_opponent + move->removed_own; k++) {
        const w7_point point = board->removed[move->removed_begin + k];
        const int color = k < move->removed_opponent ? W7_BLACK + W7_WHITE - move->color : move->color;
        const uint32_t number = (uint32_t)point.y * (uint32_t)board->grid.width + (uint32_t)point.x;
        if (w7_positions_note(positions, row, number << 2 | 2 | (uint32_t)(color - 1)) != 0)
            return -1;
    }
    return 0;
}

/* Adds the packed board that the position after the last row is. Returns 0, or -1 when memory is short. */
static inline int w7_positions_add_board(w7_positions *positions)
{
    const int64_t size = positions->packed.count;
    if (w7_letters_reserve(&positions->boards, size + W7_PACKED_BYTES) != 0)
        return -1;
    memcpy(positions->boards.at + positions->boards.count, positions->packed.at, (size_t)size);
    positions->boards.count += size;
    return 0;
}

static inline uint32_t w7_positions_code(const w7_grid *grid, int32_t x, int32_t y, uint32_t color)
{
    const uint32_t width = (uint32_t)grid->width;
    return (x < 0 ? width * (uint32_t)grid->height : (uint32_t)y * width + (uint32_t)x) << 2 | color;
}

/* The same of sparse rows, and what the moves remove. Returns 0, or -1 when memory is short. */
static inline int w7_positions_write_codes(w7_positions *positions, const w7_board *board, const w7_move *moves,
                                           int64_t count, int32_t number)
{
    const int64_t row = positions->count;
    for (int64_t k = 0; k < count; k++) {
        positions->move_numbers[row + k] = number + (int32_t)k;
        positions->xs[row + k] =
            (int32_t)w7_positions_code(&board->grid, moves[k].x, moves[k].y, (uint32_t)moves[k].color);
        if (w7_positions_note_removed(positions, board, &moves[k], row + k) != 0)
            return -1;
    }
    return 0;
}

/* Adds the rows of `count` moves in force from number `first` on, which are steps of the branch from `step` on; the
 * position is that before them. Returns 0, or -1 when memory is short. */
static inline int w7_positions_add_moves(w7_positions *positions, const w7_walk *walk, int64_t first, int64_t step,
                                         int64_t count)
{
    w7_board *board = walk->board;
    const w7_move *moves = board->moves + first;
    const int64_t size = positions->is_sparse ? 0 : w7_packed_size(board->grid.width, board->grid.height);
    const int64_t place = step - walk->record->trees.at[walk->tree].first_step;
    if (w7_positions_enter(positions, walk) != 0 || w7_positions_reserve(positions, count, size) != 0)
        return -1;
    if (positions->is_sparse) {
        if (w7_positions_write_codes(positions, board, moves, count, (int32_t)first + 1) != 0)
            return -1;
    } else {
        w7_positions_write_moves(positions, board, moves, count, (int32_t)place, (int32_t)first + 1, size);
    }
    positions->boards.count += count * size;
    positions->count += count;
    positions->moves = first + count;
    return 0;
}

#ifdef W7_WITH_X86_ISAS

/* Plays `count` moves of a board with tables of its places, up to `enough` as w7_board_play_run, and writes their rows
 * and packed boards in the same pass, but for steps and numbers. Returns how many could be played. */
W7_TARGET_AVX2 static W7_NOINLINE int64_t w7_positions_play_avx2(w7_positions *positions, w7_board *board,
                                                                 w7_move_rows moves, int64_t count, int64_t enough,
                                                                 int64_t size)
{
    const w7_position_rows rows = w7_positions_next_rows(positions, board);
    const uint64_t *const keys = (const uint64_t *)rows.tables->keys;
    const uint16_t *const stones = (const uint16_t *)positions->stones;
    const uint8_t *const masks = (const uint8_t *)positions->masks;
    const uint32_t stride = rows.tables->stride, width = (uint32_t)board->grid.width;
    const uint32_t height = (uint32_t)board->grid.height;
    char *at = positions->boards.at + positions->boards.count;
    __m256i *const last = (__m256i *)positions->packed.at;
    __m256i words[W7_PACKED_BYTES / 32];
    int64_t row;
    for (int k = 0; k < W7_PACKED_BYTES / 32; k++)
        words[k] = _mm256_loadu_si256(last + k);
    for (row = 0; row < w7_run_end(board, count, enough); row++, at += size) {
        const w7_placement move = w7_move_next(&moves);
        const uint32_t color = (uint32_t)move.color - W7_BLACK;
        const uint32_t stone = color * W7_PLANE_BITS + (uint32_t)move.y * stride + (uint32_t)move.x;
        const int is_stone = color <= 1 && (uint32_t)move.x < width && (uint32_t)move.y < height;
        const int64_t begin = board->removed_count;
        w7_status status;
        W7_PREFETCH_TO_WRITE((uintptr_t)at + W7_BOARDS_AHEAD);
        W7_PREFETCH_TO_WRITE((uintptr_t)at + W7_BOARDS_AHEAD + 64);
        status = W7_UNLIKELY(!is_stone) ? w7_board_play(board, move.color, move.x, move.y)
                                        : w7_board_play_stone(board, move.color, move.x, move.y, keys[stone]);
        if (W7_UNLIKELY(status != W7_OK))
            break;
        if (is_stone) {
            const __m256i *mask = (const __m256i *)(masks + stones[stone]);
            for (int k = 0; k < W7_PACKED_BYTES / 32; k++)
                words[k] = _mm256_or_si256(words[k], _mm256_loadu_si256(mask + k));
        }
        if (W7_UNLIKELY(board->removed_count != begin)) {
            const int is_own = board->moves[board->move_count - 1].removed_own != 0;
            const uint16_t *dead = stones + (color ^ !is_own) * W7_PLANE_BITS;
            for (int64_t i = begin; i < board->removed_count; i++) {
                const w7_point point = board->removed[i];
                const __m256i *mask = (const __m256i *)(masks + dead[(uint32_t)point.y * stride + (uint32_t)point.x]);
                for (int k = 0; k < W7_PACKED_BYTES / 32; k++)
                    words[k] = _mm256_andnot_si256(_mm256_loadu_si256(mask + k), words[k]);
            }
        }
        rows.xs[row] = move.x;
        rows.ys[row] = move.y;
        rows.colors[row] = (int8_t)move.color;
        rows.hashes[row] = board->hash;
        for (int k = 0; k < W7_PACKED_BYTES / 32; k++)
            _mm256_storeu_si256((__m256i *)at + k, words[k]);
    }
    for (int k = 0; k < W7_PACKED_BYTES / 32; k++)
        _mm256_storeu_si256(last + k, words[k]);
    positions->hash = board->hash;
    return row;
}

/* Plays the moves that come next and adds their rows in one pass. Returns 0, -1 when memory is short. */
static inline int w7_positions_play_rows(w7_positions *positions, w7_walk *walk, int64_t size)
{
    w7_board *board = walk->board;
    const w7_positions_mark mark = w7_positions_here(positions);
    const int64_t first = w7_board_move_count(board);
    const int64_t step = walk->next_step, place = step - walk->record->trees.at[walk->tree].first_step;
    const int32_t tree = positions->tree;
    int64_t enough, played;
    const int64_t count = w7_walk_run(walk, &enough);
    if (w7_positions_enter(positions, walk) != 0 || w7_positions_reserve(positions, count, size) != 0)
        return -1;
    played = w7_positions_play_avx2(positions, board, w7_walk_rows(&walk->record->steps.at[step], walk->prefetch),
                                    count, enough, size);
    w7_walk_add_played(walk, played);
    if (played == 0) {
        w7_positions_cut(positions, mark);
        positions->tree = tree;
        return 0;
    }
    w7_positions_write_numbers(positions, played, (int32_t)place, (int32_t)first + 1);
    if (positions->with_canonical)
        w7_positions_write_canonical(positions, board, board->moves + first, played,
                                     positions->canonical_hashes + positions->count);
    positions->boards.count += played * size;
    positions->count += played;
    positions->moves = first + played;
    return 0;
}

/* Whether moves are played and their rows written in one pass. */
static inline int w7_positions_take_rows(w7_positions *positions, w7_board *board, int64_t size)
{
    if (board->isa != W7_ISA_AVX2 || positions->is_sparse || size > W7_PACKED_BYTES || !board->grid.has_planes ||
        w7_board_plane_tables(board) == NULL)
        return 0;
    w7_positions_place_stones(positions, &board->grid);
    return 1;
}

#endif

/* Plays the moves that come next, and adds their rows. Returns 0, or -1 when memory is short. */
static inline int w7_positions_play_on(w7_positions *positions, w7_walk *walk)
{
    const int64_t step = walk->next_step, moves = w7_board_move_count(walk->board);
    const int64_t removed = positions->removed.count, boards = positions->boards.count;
    const int64_t size = w7_packed_size(walk->board->grid.width, walk->board->grid.height);
    if (step >= walk->end_step || walk->record->steps.at[step].kind != W7_STEP_MOVE)
        return 0;
    if (!w7_positions_follow(positions, walk, moves) && !w7_positions_begin(positions, walk, moves)) {
        if (w7_positions_read(positions, walk->board) != 0)
            return -1;
        if (positions->is_sparse && (w7_positions_note(positions, positions->count, W7_BOARD_BEFORE) != 0 ||
                                     w7_positions_add_board(positions) != 0))
            return -1;
    }
#ifdef W7_WITH_X86_ISAS
    if (w7_positions_take_rows(positions, walk->board, size))
        return w7_positions_play_rows(positions, walk, size);
#endif
    w7_walk_play_on(walk);
    if (walk->next_step != step)
        return w7_positions_add_moves(positions, walk, moves, step, walk->next_step - step);
    if (positions->removed.count != removed) { /* no row has that board */
        positions->removed.count = removed;
        positions->boards.count = boards;
        positions->moves = -1;
    }
    return 0;
}

/* Adds the row of an event of the walk: a move, which has replaced a stone or not, a pre or a setup. Returns 0, or -1
 * when memory is short. */
static inline int w7_positions_add(w7_positions *positions, const w7_walk *walk, w7_event event, int is_replaced)
{
    const w7_board *board = walk->board;
    const int is_move = event == W7_EVENT_MOVE;
    const w7_step *step = is_move ? &walk->record->steps.at[walk->step] : NULL;
    const int64_t moves = w7_board_move_count(board), row = positions->count;
    int64_t size;
    if (is_move && !is_replaced &&
        (w7_positions_follow(positions, walk, moves - 1) || w7_positions_begin(positions, walk, moves - 1)))
        return w7_positions_add_moves(positions, walk, moves - 1, walk->step, 1);
    if (w7_positions_read(positions, board) != 0 || w7_positions_enter(positions, walk) != 0)
        return -1;
    size = positions->packed.count;
    if (w7_positions_reserve(positions, 1, size) != 0)
        return -1;
    positions->move_numbers[row] = (int32_t)moves;
    positions->count = row + 1;
    if (positions->is_sparse) {
        positions->xs[row] =
            (int32_t)(is_move ? w7_positions_code(&board->grid, step->x, step->y, step->color)
                              : w7_positions_code(&board->grid, -1, -1, event == W7_EVENT_PRE ? W7_CODE_PRE : 0));
        return w7_positions_note(positions, row, W7_BOARD_AFTER) != 0 ? -1 : w7_positions_add_board(positions);
    }
    positions->steps[row] =
        event == W7_EVENT_PRE ? -1 : (int32_t)(walk->step - walk->record->trees.at[walk->tree].first_step);
    positions->xs[row] = is_move ? step->x : -1;
    positions->ys[row] = is_move ? step->y : -1;
    positions->colors[row] = is_move ? (int8_t)step->color : -1;
    positions->hashes[row] = positions->hash;
    if (positions->with_canonical)
        positions->canonical_hashes[row] = w7_canonical_hash(&board->grid, positions->sums);
    return w7_positions_add_board(positions);
}

#endif
