/* The games of a group of an index, as they are kept in a segment file: frames,
 * what each changes, and summaries.
 *
 * A frame is a position of a game; `gathering.py` defines its codes.
 * Everything here comes from a file, so each number is compared with the length
 * of what it counts before it is used: games with numbers that fit nothing have
 * no frames. */
#ifndef W7_BATCH_INDEX_GAME_STORE_H
#define W7_BATCH_INDEX_GAME_STORE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The module is compiled for size, as its wrappers are most of it, and the
 * loops of these headers for speed. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#define W7_INDEX_LOOPS_BEGIN                                                                                           \
    _Pragma("GCC push_options") _Pragma("GCC optimize(\"O2\", \"tree-vectorize\", \"vect-cost-model=dynamic\")")
#define W7_INDEX_LOOPS_END _Pragma("GCC pop_options")
#else
#define W7_INDEX_LOOPS_BEGIN
#define W7_INDEX_LOOPS_END
#endif

enum {
    W7_INDEX_EMPTY = 1,
    W7_INDEX_BLACK = 2,
    W7_INDEX_WHITE = 4,
    /* The values of first stones: a number of a frame, or that it was this frame or a later one, that there never was a
     * stone, or of a point where stones came and went (this number and all above it) when the first one came: 255 in
     * one of the first 8 frames, 254 in one of the next 8, and so on. */
    W7_INDEX_LATE = 222,
    W7_INDEX_NEVER = 223,
    W7_INDEX_VARIES = 224,
    W7_INDEX_LANES = 64
};

typedef struct {
    int64_t games;
    int64_t points;
    int64_t frame_count;
    int64_t change_count;
    /* Where the frames and the changes of each game begin, and the end. */
    const int64_t *offsets;
    const uint32_t *change_offsets;
    /* Codes of 2 bytes, or of 4 where the board has more points. */
    const void *moves;
    const uint32_t *change_frames;
    const void *changes;
    /* For each game and point the frame that put the only stone there ever was, or the first one;
   * NULL where there are too many points. 64 games at a time: for each point a
   * number a game (w7_index_first_at). */
    const uint8_t *first_stones;
    /* For each point a bit a game, low bits first: whether it ever had a stone of
   * the color. */
    const uint8_t *black;
    const uint8_t *white;
    int64_t row_bytes;
    int32_t width;
    int32_t height;
    /* Frames by the hash of their positions, see position_table.h; NULL where they are not known. */
    const uint32_t *buckets;
    const uint8_t *keys;
    const void *hash_games;
    int32_t bucket_bits;
    /* Common positions, see position_table.h: ends are of what the arrays after them hold of each. */
    int64_t common_count;
    int64_t image_count;
    int64_t move_count;
    const uint64_t *common_hashes;
    const uint32_t *common_games;
    const uint32_t *image_ends;
    const uint64_t *image_hashes;
    const uint32_t *move_ends;
    const uint32_t *common_moves;
    const uint32_t *common_counts;
    /* By list, see corner_histories.h: the first events of all games, ascending, and of which games they are; then the
     * games in which a stone was taken away, by the fewest stones since, where those of each list end, and the samples
     * that were empty since. NULL where they are not known. */
    const uint64_t *corner_keys;
    const uint8_t *corner_games;
    const uint32_t *late_ends;
    const uint8_t *late_stones;
    const uint8_t *late_games;
    const uint16_t *late_emptied;
    int64_t late_count;
    uint8_t has_long_corners;
    uint8_t has_long_games; /* numbers of `hash_games` have 4 bytes */
    uint8_t is_wide;
    /* Whether a frame is neither a start nor a move. */
    uint8_t has_setups;
} w7_index_group;

typedef struct {
    int64_t begin;
    int64_t end;
    int64_t change_begin;
    int64_t change_end;
} w7_index_game;

W7_INDEX_LOOPS_BEGIN

static inline uint32_t w7_index_code(const void *codes, uint8_t is_wide, int64_t place)
{
    return is_wide ? ((const uint32_t *)codes)[place] : ((const uint16_t *)codes)[place];
}

static inline w7_index_game w7_index_game_at(const w7_index_group *group, int64_t game)
{
    w7_index_game at = {group->offsets[game], group->offsets[game + 1], group->change_offsets[game],
                        group->change_offsets[game + 1]};
    if (at.begin < 0 || at.end < at.begin || at.end > group->frame_count || at.end - at.begin > INT32_MAX - 1)
        at.begin = at.end = 0;
    if (at.change_end < at.change_begin || at.change_end > group->change_count)
        at.change_begin = at.change_end = 0;
    return at;
}

/* How many games the 64 of `game` are. */
static inline int64_t w7_index_lanes(const w7_index_group *group, int64_t game)
{
    const int64_t rest = group->games - game / W7_INDEX_LANES * W7_INDEX_LANES;
    return rest < W7_INDEX_LANES ? rest : W7_INDEX_LANES;
}

/* Where the first stones of a game begin; those of its points are
 * w7_index_lanes apart. */
static inline int64_t w7_index_first_at(const w7_index_group *group, int64_t game)
{
    return game / W7_INDEX_LANES * W7_INDEX_LANES * group->points + game % W7_INDEX_LANES;
}

/* The value of the first stone of a point once there was another change. */
static inline uint8_t w7_index_varies(uint8_t first)
{
    return first < W7_INDEX_VARIES ? (uint8_t)(255 - first / 8) : first;
}

static inline void w7_index_put(const w7_index_group *group, int64_t game, uint32_t point, uint32_t color,
                                int64_t frame, uint8_t *first_stones, int64_t lanes, uint8_t *black, uint8_t *white)
{
    uint8_t *row = color == 1 ? black : white, *first;
    if (point >= group->points)
        return;
    row[point * group->row_bytes + (game >> 3)] |= (uint8_t)(1 << (game & 7));
    if (first_stones == NULL)
        return;
    first = first_stones + point * lanes;
    if (*first != W7_INDEX_NEVER)
        *first = w7_index_varies(*first);
    else
        *first = (uint8_t)(frame < W7_INDEX_LATE ? frame : W7_INDEX_LATE);
}

/* Fills the summaries of all games from their frames. `first_stones` may be
 * NULL; `black` and `white` are zeros. */
static void w7_index_summarise(const w7_index_group *group, uint8_t *first_stones, uint8_t *black, uint8_t *white)
{
    if (first_stones != NULL)
        memset(first_stones, W7_INDEX_NEVER, (size_t)(group->games * group->points));
    for (int64_t game = 0; game < group->games; game++) {
        w7_index_game at = w7_index_game_at(group, game);
        uint8_t *first = first_stones == NULL ? NULL : first_stones + w7_index_first_at(group, game);
        const int64_t lanes = w7_index_lanes(group, game);
        int64_t change = at.change_begin;
        for (int64_t frame = at.begin; frame < at.end; frame++) {
            uint32_t code = w7_index_code(group->moves, group->is_wide, frame);
            if (code & 3)
                w7_index_put(group, game, code >> 2, code & 3, frame - at.begin, first, lanes, black, white);
            for (; change < at.change_end && group->change_frames[change] <= frame; change++) {
                code = w7_index_code(group->changes, group->is_wide, change);
                if (!(code & 2))
                    w7_index_put(group, game, code >> 2, (code & 1) + 1, frame - at.begin, first, lanes, black, white);
                else if (first != NULL && code >> 2 < group->points)
                    first[(code >> 2) * lanes] = w7_index_varies(first[(code >> 2) * lanes]);
            }
        }
    }
}

/* Writes for each frame of a game whose turn it is: of who makes the next move,
 * after the last one the opponent of who made it, 0 where nobody has moved. */
static void w7_index_turns(const w7_index_group *group, w7_index_game at, uint8_t *turns)
{
    uint8_t next = 0, last = 0;
    for (int64_t frame = at.end - 1; frame >= at.begin; frame--) {
        uint8_t color = w7_index_code(group->moves, group->is_wide, frame) & 3;
        turns[frame - at.begin] = next;
        next = color ? color : next;
    }
    for (int64_t frame = at.begin; frame < at.end; frame++) {
        uint8_t color = w7_index_code(group->moves, group->is_wide, frame) & 3;
        last = color ? color : last;
        if (!turns[frame - at.begin] && last)
            turns[frame - at.begin] = (uint8_t)(3 - last);
    }
}

/* How many frames of a game have at most `most` moves in force. */
static int64_t w7_index_frames_up_to(const w7_index_group *group, w7_index_game at, int64_t most)
{
    int64_t moves = 0;
    if (!group->has_setups)
        return most < at.end - at.begin ? most + 1 : at.end - at.begin;
    for (int64_t frame = at.begin; frame < at.end; frame++) {
        moves += (w7_index_code(group->moves, group->is_wide, frame) & 3) != 0;
        if (moves > most)
            return frame - at.begin;
    }
    return at.end - at.begin;
}

W7_INDEX_LOOPS_END

#endif
