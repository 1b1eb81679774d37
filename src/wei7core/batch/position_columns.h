/* Columns of positions in memory of C: their rows, runs of rows, and packed boards. No Python. */
#ifndef W7_BATCH_POSITION_COLUMNS_H
#define W7_BATCH_POSITION_COLUMNS_H

#include "_util/block_cache.h"
#include "_util/large_pages.h"
#include "batch/position_run.h"
#include "batch/record_id.h"
#include "board/kernel/symmetry_keys.h"
#include "replaying/branch_path.h"

enum {
    W7_MOST_EXPECTED_BYTES = 1 << 24,      /* of packed boards that are allocated at once */
    W7_PACKED_WORDS = 12,                  /* 64-bit words of the largest board whose rows are copied as words */
    W7_PACKED_BYTES = 8 * W7_PACKED_WORDS, /* of up to 384 points; all boards are followed by that much room */
    W7_EXPECTED_STEP = 1 << 12,            /* rows: so that memory of one table fits the next one */
    W7_BOARDS_AHEAD = 4096                 /* bytes of boards that are fetched into the cache before they are written */
};

/* Columns of `count` rows, each with room for `room`. All zeros at first.
 *
 * The index (batch/index/gathering.py) needs the rows of a record in the order of the walk, so that a later row of a
 * lower move number means a takeback, paths of the main line that have no digit but zeros, and step -1 of a pre: a game
 * that has none begins with the empty board. */
typedef struct {
    int32_t *steps; /* place in the steps of the branch, -1 for a pre */
    int32_t *move_numbers;
    int32_t *xs; /* -1: a pass, a pre or a setup; of sparse rows: the codes of the moves */
    int32_t *ys;
    int8_t *colors; /* -1: a pre or a setup */
    uint64_t *hashes;
    uint64_t *canonical_hashes; /* NULL: not asked for */
    int64_t count;
    int64_t room;
    int64_t expected; /* rows for which memory is allocated at once; 0: unknown */
    w7_position_run *runs;
    int64_t run_count;
    int64_t run_room;
    w7_letters branches;        /* the paths of the runs */
    w7_branch_mark *path_marks; /* of the trees of this record, once they are made */
    int64_t path_mark_room;
    uint8_t is_marked;
    w7_letters boards;     /* packed (pack.h) */
    w7_letters removed;    /* of sparse rows: pairs of a row and a code (sparse_rows.h), native uint32 */
    uint8_t is_sparse;     /* codes are asked for instead of steps, places, colors, hashes and the boards of moves */
    int64_t text;          /* number of the current record */
    w7_block_cache *cache; /* of memory for the columns; NULL: it is new */
    w7_symmetry_keys *keys;
    uint8_t with_canonical;
    /* The position after the last row, if the board is still at it. */
    int32_t tree;  /* of the last row of this record, -1: there is none */
    int64_t moves; /* in force */
    int64_t edits;
    uint64_t hash;
    uint64_t sums[8]; /* the hashes under the symmetries, where canonical ones are asked for */
    w7_letters packed;
    uint8_t masks[8][2 * W7_PACKED_BYTES]; /* a stone in the middle: four black ones of a byte, four white ones */
    uint16_t stones[2][W7_PLANE_BITS];     /* where among the masks stones are, by their places in planes */
    int32_t stones_width;                  /* of the board of these stones */
    int32_t stones_height;
} w7_positions;

static inline void w7_positions_free(w7_positions *positions)
{
    free(positions->steps);
    free(positions->move_numbers);
    free(positions->xs);
    free(positions->ys);
    free(positions->colors);
    free(positions->hashes);
    free(positions->canonical_hashes);
    free(positions->runs);
    free(positions->branches.at);
    free(positions->boards.at);
    free(positions->removed.at);
    free(positions->packed.at);
    free(positions->path_marks);
    memset(positions, 0, sizeof *positions);
}

static inline int64_t w7_positions_bytes(const w7_positions *positions)
{
    return positions->count * (positions->is_sparse ? 2 * 4 : 4 * 4 + 1 + 8 + 8 * positions->with_canonical) +
           positions->run_count * (int64_t)sizeof *positions->runs + positions->branches.count +
           positions->boards.count + positions->removed.count;
}

/* Where among the masks a board begins that has this stone alone. */
static inline int64_t w7_packed_stone_at(int color, int64_t point)
{
    return (4 * (color - W7_BLACK) + (point & 3)) * 2 * W7_PACKED_BYTES + W7_PACKED_BYTES - (point >> 2);
}

static W7_COLD void w7_positions_fill_masks(w7_positions *positions)
{
    for (int k = 0; k < 8; k++)
        positions->masks[k][W7_PACKED_BYTES] = (uint8_t)((k < 4 ? W7_BLACK : W7_WHITE) << 2 * (k & 3));
}

/* Finds the stones of boards of that size, which have planes, among the masks. */
static inline void w7_positions_place_stones(w7_positions *positions, const w7_grid *grid)
{
    const int32_t width = grid->width;
    if (positions->stones_width == width && positions->stones_height == grid->height)
        return;
    for (int32_t y = 0; y < grid->height; y++)
        for (int32_t x = 0; x < width; x++)
            for (int color = W7_BLACK; color <= W7_WHITE; color++)
                positions->stones[color - W7_BLACK][y * (width + 1) + x] =
                    (uint16_t)w7_packed_stone_at(color, y * width + x);
    positions->stones_width = width;
    positions->stones_height = grid->height;
}

/* The next record begins; it is number `text`, and `keys` are those of its board. */
static inline void w7_positions_start(w7_positions *positions, w7_symmetry_keys *keys)
{
    positions->tree = -1;
    positions->is_marked = 0;
    positions->moves = -1;
    positions->keys = keys;
    if (positions->masks[0][W7_PACKED_BYTES] == 0)
        w7_positions_fill_masks(positions);
}

/* How much there is. */
typedef struct {
    int64_t count;
    int64_t run_count;
    int64_t branches;
    int64_t boards;
    int64_t removed;
} w7_positions_mark;

static inline w7_positions_mark w7_positions_here(const w7_positions *positions)
{
    const w7_positions_mark mark = {positions->count, positions->run_count, positions->branches.count,
                                    positions->boards.count, positions->removed.count};
    return mark;
}

/* Removes all rows since then, those of the current record. */
static inline void w7_positions_cut(w7_positions *positions, w7_positions_mark mark)
{
    positions->count = mark.count;
    positions->run_count = mark.run_count;
    positions->branches.count = mark.branches;
    positions->boards.count = mark.boards;
    positions->removed.count = mark.removed;
}

/* Makes room for more rows of a column, at first for the expected ones, if possible in memory of an earlier table.
 * Returns 0, or -1 when memory is short. */
static W7_NOINLINE int w7_positions_grow_one(w7_positions *positions, void *at_field, int64_t *room, int64_t size)
{
    int64_t found;
    if (*room == 0 && positions->cache != NULL) {
        void *at = w7_block_take(positions->cache, positions->expected * size, &found);
        if (at != NULL) {
            memcpy(at_field, &at, sizeof at);
            *room = positions->expected;
            return 0;
        }
    }
    if (*room == 0)
        *room = positions->expected / 2; /* which is doubled */
    return w7_table_grow(at_field, room, (size_t)size);
}

static W7_COLD int w7_positions_grow(w7_positions *positions)
{
    int64_t rooms[7], least = INT64_MAX;
    int status = 0;
    for (int k = 0; k < 7; k++)
        rooms[k] = positions->room;
    if (positions->expected >= W7_EXPECTED_STEP)
        positions->expected = (positions->expected + W7_EXPECTED_STEP - 1) / W7_EXPECTED_STEP * W7_EXPECTED_STEP;
    status |= w7_positions_grow_one(positions, &positions->move_numbers, &rooms[0], sizeof *positions->move_numbers);
    status |= w7_positions_grow_one(positions, &positions->xs, &rooms[1], sizeof *positions->xs);
    if (!positions->is_sparse) {
        status |= w7_positions_grow_one(positions, &positions->steps, &rooms[2], sizeof *positions->steps);
        status |= w7_positions_grow_one(positions, &positions->ys, &rooms[3], sizeof *positions->ys);
        status |= w7_positions_grow_one(positions, &positions->colors, &rooms[4], sizeof *positions->colors);
        status |= w7_positions_grow_one(positions, &positions->hashes, &rooms[5], sizeof *positions->hashes);
    }
    if (positions->with_canonical)
        status |= w7_positions_grow_one(positions, &positions->canonical_hashes, &rooms[6],
                                        sizeof *positions->canonical_hashes);
    /* Of columns that are not used, the room is still that of before. */
    for (int k = 0; k < 7; k++)
        if (rooms[k] > positions->room && rooms[k] < least)
            least = rooms[k];
    if (status == 0)
        positions->room = least;
    return status;
}

/* Makes room for `more` rows of `size` bytes of packed board. Returns 0, or -1 when memory is short. */
static inline int w7_positions_reserve(w7_positions *positions, int64_t more, int64_t size)
{
    while (positions->room - positions->count < more)
        if (w7_positions_grow(positions) != 0)
            return -1;
    if (positions->boards.at == NULL && !positions->is_sparse) {
        int64_t room =
            positions->expected * size < W7_MOST_EXPECTED_BYTES ? positions->expected * size : W7_MOST_EXPECTED_BYTES;
        positions->boards.at = positions->cache == NULL ? NULL : w7_block_take(positions->cache, room, &room);
        if (positions->boards.at == NULL) {
            room /= 2; /* which is doubled */
            if (w7_table_grow(&positions->boards.at, &room, 1) != 0)
                return -1;
            w7_large_pages(positions->boards.at, room);
        }
        positions->boards.room = room;
    }
    return w7_letters_reserve(&positions->boards, more * size + W7_PACKED_BYTES);
}

/* Whether memory that no row needs is more than a quarter. Less is worth less than that the next table finds it, written
 * before: new pages are filled with zeros by the system. */
static inline int w7_positions_is_trimmed(int64_t room, int64_t count)
{
    return count != 0 && room - count > room / 4;
}

static W7_NOINLINE void w7_positions_trim_one(void *at_field, int64_t count, int64_t size)
{
    void *at;
    memcpy(&at, at_field, sizeof at);
    at = at == NULL ? NULL : realloc(at, (size_t)(count * size));
    if (at != NULL)
        memcpy(at_field, &at, sizeof at);
}

/* Returns the memory that no row needs. There will be no more rows. */
static inline void w7_positions_trim(w7_positions *positions)
{
    const int64_t count = positions->count;
    if (w7_positions_is_trimmed(positions->room, count)) {
        positions->room = count;
        w7_positions_trim_one(&positions->steps, count, sizeof *positions->steps);
        w7_positions_trim_one(&positions->move_numbers, count, sizeof *positions->move_numbers);
        w7_positions_trim_one(&positions->xs, count, sizeof *positions->xs);
        w7_positions_trim_one(&positions->ys, count, sizeof *positions->ys);
        w7_positions_trim_one(&positions->colors, count, sizeof *positions->colors);
        w7_positions_trim_one(&positions->hashes, count, sizeof *positions->hashes);
        w7_positions_trim_one(&positions->canonical_hashes, count, sizeof *positions->canonical_hashes);
    }
    if (w7_positions_is_trimmed(positions->boards.room, positions->boards.count)) {
        positions->boards.room = positions->boards.count;
        w7_positions_trim_one(&positions->boards.at, positions->boards.count, 1);
    }
}

#endif
