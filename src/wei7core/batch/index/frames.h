/* The frames of records, from their pause points: those in force on the main line, each as what it changes.
 *
 * `gathering.py` says what a frame and its codes are, `batch/positions.h` what rows there are, and in which order. */
#ifndef W7_BATCH_INDEX_FRAMES_H
#define W7_BATCH_INDEX_FRAMES_H

#include <stdlib.h>

#include "batch/index/game_store.h"

/* The pause points of some records, by record; the columns of `batch/positions.h`. */
typedef struct {
    int64_t count;
    const int32_t *texts;
    const int32_t *steps;
    const int32_t *move_numbers;
    const int32_t *xs;
    const int32_t *ys;
    const int32_t *widths;
    const int32_t *heights;
    const int8_t *colors;
    const int32_t *branch_sizes;
    const uint8_t *branches;
    int64_t branch_bytes;
    const uint8_t *boards;
    int64_t board_bytes;
} w7_index_rows;

/* Frames of boards of one size. `codes` has room for all rows and one more for each record. */
typedef struct {
    int32_t width;
    int32_t height;
    uint8_t is_wide;
    int64_t *counts; /* by record */
    void *codes;
    int64_t count;
    uint32_t *change_frames;
    uint32_t *changes;
    size_t change_count;
    size_t change_room;
} w7_index_frames;

W7_INDEX_LOOPS_BEGIN

static int w7_index_add_change(w7_index_frames *frames, int64_t point, uint32_t bits)
{
    if (frames->change_count == frames->change_room) {
        size_t room = frames->change_room ? 2 * frames->change_room : 1024;
        uint32_t *more = NULL;
        if (room <= SIZE_MAX / sizeof(uint32_t))
            more = realloc(frames->changes, room * sizeof(uint32_t));
        if (more == NULL)
            return -1;
        frames->changes = more;
        more = realloc(frames->change_frames, room * sizeof(uint32_t));
        if (more == NULL)
            return -1;
        frames->change_frames = more;
        frames->change_room = room;
    }
    frames->change_frames[frames->change_count] = (uint32_t)frames->count;
    frames->changes[frames->change_count++] = (uint32_t)point << 2 | bits;
    return 0;
}

static inline void w7_index_add_frame(w7_index_frames *frames, uint32_t code)
{
    if (frames->is_wide)
        ((uint32_t *)frames->codes)[frames->count] = code;
    else
        ((uint16_t *)frames->codes)[frames->count] = (uint16_t)code;
    frames->count++;
}

static inline uint32_t w7_index_state(const uint8_t *board, int64_t point)
{
    return board == NULL ? 0 : board[point >> 2] >> 2 * (point & 3) & 3;
}

/* Adds what differs between two boards, of which `before` NULL is empty; the stone of the move, `color` at `point`
 * (`color` 0: no move, or a pass), is no change. */
static int w7_index_add_changes(w7_index_frames *frames, const uint8_t *before, const uint8_t *now, int64_t point,
                                uint32_t color)
{
    const int64_t points = (int64_t)frames->width * frames->height, bytes = (points + 3) / 4;
    for (int64_t begin = 0; begin < bytes; begin += 8) {
        const int64_t end = bytes - begin < 8 ? bytes : begin + 8;
        if (before != NULL && end == begin + 8 && memcmp(before + begin, now + begin, 8) == 0)
            continue;
        for (int64_t byte = begin; byte < end; byte++) {
            if ((before == NULL ? 0 : before[byte]) == now[byte])
                continue;
            for (int64_t at = 4 * byte; at < 4 * byte + 4 && at < points; at++) {
                const uint32_t was = w7_index_state(before, at), is = w7_index_state(now, at);
                if (was == is || (color && at == point))
                    continue;
                if ((was && w7_index_add_change(frames, at, 2 | (was - 1))) ||
                    (is && w7_index_add_change(frames, at, is - 1)))
                    return -1;
            }
        }
    }
    if (color) {
        const uint32_t was = w7_index_state(before, point);
        /* SGF may replace a stone; a stone without liberties is removed at once. */
        if ((was && w7_index_add_change(frames, point, 2 | (was - 1))) ||
            (!w7_index_state(now, point) && w7_index_add_change(frames, point, 2 | (color - 1))))
            return -1;
    }
    return 0;
}

/* The same as w7_index_add_changes, where a board of `size` bytes that was played on is kept in `board`: most moves change
 * one point, so that it need not be looked for. `before` is NULL at first, when `board` is of no use. */
static int w7_index_add_played(w7_index_frames *frames, uint8_t *board, size_t size, const uint8_t *before,
                               const uint8_t *now, int64_t point, uint32_t color)
{
    int status;
    if (before != NULL && color && !w7_index_state(board, point)) {
        board[point >> 2] |= (uint8_t)(color << 2 * (point & 3));
        if (memcmp(board, now, size) == 0)
            return 0;
    }
    status = w7_index_add_changes(frames, before, now, point, color);
    memcpy(board, now, size);
    return status;
}

/* Marks which rows from `begin` up to `end`, of one record, are in force at the end of the main line of `moves` moves.
 *
 * A row is not where a later one is a move of the same number or a lower one, or any row of a lower number. */
static void w7_index_mark(const w7_index_rows *rows, int64_t begin, int64_t end, int64_t path_end, int64_t moves,
                          uint8_t *in_force)
{
    int64_t later = INT64_MAX;
    for (int64_t row = end - 1; row >= begin; row--) {
        const int64_t path = path_end - rows->branch_sizes[row], number = rows->move_numbers[row];
        int is_main = 1;
        for (int64_t k = path; k < path_end && is_main; k++)
            is_main = rows->branches[k] == '0' || rows->branches[k] == '.' || rows->branches[k] == '-';
        path_end = path;
        in_force[row - begin] = is_main && number < later && number <= moves;
        if (is_main && number + (rows->colors[row] < 0) < later)
            later = number + (rows->colors[row] < 0);
    }
}

/* Adds the frames of records 0 up to `records`, those of `moves[k]` moves (-1: none of the record). Returns -1 where
 * there is not enough memory, -2 where the rows do not agree. */
static int w7_index_add_records(const w7_index_rows *rows, int64_t records, const int64_t *moves,
                                w7_index_frames *frames)
{
    const int64_t points = (int64_t)frames->width * frames->height;
    int64_t row = 0, path_end = 0, board = 0;
    uint8_t *in_force = malloc((size_t)rows->count + 1), *kept = malloc((size_t)(points + 3) / 4 + 1);
    int status = in_force == NULL || kept == NULL ? -1 : 0;
    for (int64_t record = 0; record < records && !status; record++) {
        const int64_t begin = row;
        const uint8_t *before = NULL;
        int is_first = 1;
        frames->counts[record] = -frames->count;
        for (; row < rows->count && rows->texts[row] <= record; row++) {
            path_end += rows->branch_sizes[row];
            if (rows->texts[row] != record || rows->branch_sizes[row] < 0 || path_end > rows->branch_bytes)
                status = -2;
        }
        if (!status && moves[record] >= 0)
            w7_index_mark(rows, begin, row, path_end, moves[record], in_force);
        for (int64_t k = begin; k < row && !status; k++) {
            const uint8_t *now = rows->boards + board;
            const int64_t x = rows->xs[k], y = rows->ys[k];
            uint32_t color = rows->colors[k] > 0 ? (uint32_t)rows->colors[k] : 0, code;
            board += ((int64_t)rows->widths[k] * rows->heights[k] + 3) / 4;
            if (board > rows->board_bytes)
                status = -2;
            if (status || moves[record] < 0 || !in_force[k - begin])
                continue;
            if (rows->widths[k] != frames->width || rows->heights[k] != frames->height || x >= frames->width ||
                y >= frames->height || (x >= 0 && y < 0) || color > 2) {
                status = -2;
                continue;
            }
            if (is_first && rows->steps[k] >= 0)
                w7_index_add_frame(frames, (uint32_t)points << 2);
            is_first = 0;
            code = color ? (uint32_t)(x >= 0 ? y * frames->width + x : points) << 2 | color : (uint32_t)points << 2;
            if (w7_index_add_played(frames, kept, (size_t)(points + 3) / 4, before, now, code >> 2, x >= 0 ? color : 0))
                status = -1;
            w7_index_add_frame(frames, code);
            before = now;
        }
        if (is_first && moves[record] >= 0)
            w7_index_add_frame(frames, (uint32_t)points << 2);
        frames->counts[record] += frames->count;
    }
    free(in_force);
    free(kept);
    return status;
}

W7_INDEX_LOOPS_END

#endif
