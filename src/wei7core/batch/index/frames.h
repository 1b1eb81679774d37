/* The frames of records, from their pause points: those in force on the main line, each as what it changes.
 *
 * `gathering.py` defines a frame and its codes, `batch/positions.h` the rows that there are, and in which order. */
#ifndef W7_BATCH_INDEX_FRAMES_H
#define W7_BATCH_INDEX_FRAMES_H

#include <stdlib.h>

#include "batch/index/game_store.h"
#include "batch/sparse_rows.h"

/* The pause points of some records, by record: sparse columns of `batch/positions.h`, and of each run of rows where it
 * begins, its record, the bytes of its path and the size of its board. */
typedef struct {
    int64_t count;
    const int32_t *move_numbers;
    const uint32_t *codes;
    int64_t run_count;
    const int64_t *run_begins;
    const int64_t *texts;
    const int64_t *path_sizes;
    const int32_t *widths;
    const int32_t *heights;
    const uint8_t *branches;
    int64_t branch_bytes;
    const uint8_t *boards;
    int64_t board_bytes;
    const uint32_t *removed; /* pairs */
    int64_t removed_count;
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
    int64_t change_count;
    int64_t change_room;
} w7_index_frames;

W7_INDEX_LOOPS_BEGIN

static int w7_index_add_change(w7_index_frames *frames, int64_t frame, int64_t point, uint32_t bits)
{
    if (frames->change_count == frames->change_room) {
        int64_t room = frames->change_room;
        if (w7_table_grow(&frames->changes, &room, sizeof *frames->changes) ||
            w7_table_grow(&frames->change_frames, &frames->change_room, sizeof *frames->change_frames))
            return -1;
    }
    frames->change_frames[frames->change_count] = (uint32_t)frame;
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
    return board[point >> 2] >> 2 * (point & 3) & 3;
}

static inline void w7_index_set_state(uint8_t *board, int64_t point, uint32_t state)
{
    board[point >> 2] = (uint8_t)((board[point >> 2] & ~(3u << 2 * (point & 3))) | state << 2 * (point & 3));
}

/* Adds what differs between two boards; the stone of the move, `color` at `point` (`color` 0: no move, or a pass), is no
 * change. */
static int w7_index_add_changes(w7_index_frames *frames, int64_t frame, const uint8_t *before, const uint8_t *now,
                                int64_t point, uint32_t color)
{
    const int64_t points = (int64_t)frames->width * frames->height;
    for (int64_t at = 0; at < points; at++) {
        const uint32_t was = w7_index_state(before, at), is = w7_index_state(now, at);
        if (was == is || (color && at == point))
            continue;
        if ((was && w7_index_add_change(frames, frame, at, 2 | (was - 1))) ||
            (is && w7_index_add_change(frames, frame, at, is - 1)))
            return -1;
    }
    if (color) {
        const uint32_t was = w7_index_state(before, point);
        /* SGF may replace a stone; a stone without liberties is removed at once. */
        if ((was && w7_index_add_change(frames, frame, point, 2 | (was - 1))) ||
            (!w7_index_state(now, point) && w7_index_add_change(frames, frame, point, 2 | (color - 1))))
            return -1;
    }
    return 0;
}

/* Where a walk through the rows is, and memory for it. */
typedef struct {
    int64_t run;
    int64_t path;
    int64_t removed;
    int64_t board;
    uint8_t *in_force; /* by row of the record */
    uint8_t *before;   /* the board of the last row in force, unless it is that of the last row */
    uint8_t *now;      /* the board of the last row of the main line */
} w7_index_walk;

static inline int w7_index_is_main(const uint8_t *path, int64_t size)
{
    while (size && (*path == '0' || *path == '.' || *path == '-')) {
        path++;
        size--;
    }
    return !size;
}

static inline int64_t w7_index_run_end(const w7_index_rows *rows, int64_t run)
{
    return run + 1 < rows->run_count ? rows->run_begins[run + 1] : rows->count;
}

static inline int w7_index_is_move(const w7_index_rows *rows, int64_t row)
{
    return ((rows->codes[row] + 1) & 3) > 1;
}

/* Marks which rows of the runs from that of `walk` up to `end`, of one record, are in force at the end of the main line
 * of `moves` moves.
 *
 * A row is not where a later one is a move of the same number or a lower one, or any row of a lower number. */
static void w7_index_mark(const w7_index_rows *rows, const w7_index_walk *walk, int64_t end, int64_t path_end,
                          int64_t moves)
{
    const int64_t first = rows->run_begins[walk->run];
    int64_t later = INT64_MAX;
    for (int64_t run = end - 1; run >= walk->run; run--) {
        path_end -= rows->path_sizes[run];
        if (!w7_index_is_main(rows->branches + path_end, rows->path_sizes[run]))
            continue;
        for (int64_t row = w7_index_run_end(rows, run) - 1; row >= rows->run_begins[run]; row--) {
            const int64_t number = rows->move_numbers[row];
            walk->in_force[row - first] = number < later && number <= moves;
            if (number + !w7_index_is_move(rows, row) < later)
                later = number + !w7_index_is_move(rows, row);
        }
    }
}

/* Whether w7_index_mark marks all rows of a run, the only one of its record. */
static int w7_index_are_all_in_force(const w7_index_rows *rows, int64_t run, int64_t moves)
{
    const int64_t end = w7_index_run_end(rows, run);
    int is_one_not = 0;
    for (int64_t row = rows->run_begins[run] + 1; row < end; row++)
        is_one_not |= rows->move_numbers[row - 1] >= rows->move_numbers[row] + !w7_index_is_move(rows, row);
    return !is_one_not && (rows->run_begins[run] == end || rows->move_numbers[end - 1] <= moves);
}

/* Goes on to the board of a row: that before it, its stone (`color` 0: none) and what it has removed; this is added as
 * changes where `is_next`, which becomes 0 where the board is to be compared with that of the last row in force. Returns
 * -1 where there is not enough memory, -2 where the rows do not agree. */
static int w7_index_play_row(const w7_index_rows *rows, w7_index_walk *walk, int64_t row, int64_t point, uint32_t color,
                             int *is_next, w7_index_frames *frames)
{
    const int64_t points = (int64_t)frames->width * frames->height, size = (points + 3) / 4;
    int has_board = 0;
    for (; walk->removed < rows->removed_count && rows->removed[2 * walk->removed] == row; walk->removed++) {
        const uint32_t code = rows->removed[2 * walk->removed + 1];
        if (code < W7_BOARD_BEFORE)
            break;
        if (rows->board_bytes - walk->board < size)
            return -2;
        if (*is_next)
            memcpy(walk->before, walk->now, (size_t)size);
        *is_next = 0;
        memcpy(walk->now, rows->boards + walk->board, (size_t)size);
        walk->board += size;
        has_board = code == W7_BOARD_AFTER;
    }
    if (color && !has_board)
        w7_index_set_state(walk->now, point, color);
    for (; walk->removed < rows->removed_count && rows->removed[2 * walk->removed] == row; walk->removed++) {
        const uint32_t code = rows->removed[2 * walk->removed + 1];
        if (code >> 2 >= points)
            return -2;
        w7_index_set_state(walk->now, code >> 2, 0);
        if (*is_next && w7_index_add_change(frames, frames->count, code >> 2, code & 3))
            return -1;
    }
    return 0;
}

/* Passes what is of a run of no interest. */
static int w7_index_skip_run(const w7_index_rows *rows, w7_index_walk *walk)
{
    const int64_t end = w7_index_run_end(rows, walk->run);
    const int64_t size = ((int64_t)rows->widths[walk->run] * rows->heights[walk->run] + 3) / 4;
    for (; walk->removed < rows->removed_count && rows->removed[2 * walk->removed] < end; walk->removed++)
        if (rows->removed[2 * walk->removed + 1] >= W7_BOARD_BEFORE)
            walk->board += size;
    return size > 0 && walk->board <= rows->board_bytes ? 0 : -2;
}

/* The code of the frame of a row. */
static inline uint32_t w7_index_frame_code(uint32_t code)
{
    return (code & 3) == W7_CODE_PRE ? code & ~UINT32_C(3) : code;
}

/* Whether a game starts at a row, the first one of those in force: at the `pre` of the root, or at one without stones. */
static int w7_index_is_start(const w7_index_rows *rows, const w7_index_walk *walk, int64_t path, int64_t path_size,
                             int64_t row, int64_t size)
{
    if ((rows->codes[row] & 3) != W7_CODE_PRE)
        return 0;
    if ((path_size == 1 && rows->branches[path] == '-') || rows->board_bytes - walk->board < size)
        return 1;
    for (int64_t k = 0; k < size; k++)
        if (rows->boards[walk->board + k])
            return 0;
    return 1;
}

/* Adds the frames of rows. Returns whether none is of a point off the board. */
static int w7_index_add_frames(w7_index_frames *frames, const uint32_t *codes, int64_t count)
{
    const uint32_t points = (uint32_t)frames->width * (uint32_t)frames->height;
    uint32_t most = 0;
    for (int64_t k = 0; k < count; k++)
        most = codes[k] > most ? codes[k] : most;
    if (frames->is_wide) {
        uint32_t *to = (uint32_t *)frames->codes + frames->count;
        for (int64_t k = 0; k < count; k++)
            to[k] = w7_index_frame_code(codes[k]);
    } else {
        uint16_t *to = (uint16_t *)frames->codes + frames->count;
        for (int64_t k = 0; k < count; k++)
            to[k] = (uint16_t)w7_index_frame_code(codes[k]);
    }
    frames->count += count;
    return most >> 2 <= points;
}

/* Whether no board comes with the rows of a run, except that after the first of them. */
static int w7_index_has_no_board(const w7_index_rows *rows, const w7_index_walk *walk)
{
    const int64_t first = rows->run_begins[walk->run], end = w7_index_run_end(rows, walk->run);
    for (int64_t k = walk->removed; k < rows->removed_count && rows->removed[2 * k] < end; k++)
        if (rows->removed[2 * k + 1] == W7_BOARD_BEFORE ||
            (rows->removed[2 * k + 1] == W7_BOARD_AFTER && rows->removed[2 * k] != first))
            return 0;
    return 1;
}

/* w7_index_add_record of a run that is the only one of its record, where w7_index_has_no_board and all rows are in
 * force: what they change is what they remove. */
static int w7_index_add_plain_run(const w7_index_rows *rows, w7_index_walk *walk, w7_index_frames *frames)
{
    const int64_t points = (int64_t)frames->width * frames->height, size = (points + 3) / 4;
    const int64_t end = w7_index_run_end(rows, walk->run);
    const int64_t path = walk->path, path_size = rows->path_sizes[walk->run];
    int64_t row = rows->run_begins[walk->run], frame;
    if (rows->widths[walk->run] != frames->width || rows->heights[walk->run] != frames->height)
        return -2;
    walk->path += path_size;
    walk->run++;
    if (row == end || !w7_index_is_start(rows, walk, path, path_size, row, size))
        w7_index_add_frame(frames, (uint32_t)points << 2);
    frame = frames->count - row;
    if (row < end && !w7_index_add_frames(frames, rows->codes + row, end - row))
        return -2;
    for (; walk->removed < rows->removed_count && rows->removed[2 * walk->removed] < end; walk->removed++) {
        const uint32_t removed = rows->removed[2 * walk->removed + 1];
        if (rows->removed[2 * walk->removed] < row)
            return -2;
        row = rows->removed[2 * walk->removed];
        if (removed == W7_BOARD_AFTER) {
            const uint32_t code = rows->codes[row];
            if (rows->board_bytes - walk->board < size)
                return -2;
            memset(walk->before, 0, (size_t)size);
            if (w7_index_add_changes(frames, frame + row, walk->before, rows->boards + walk->board, code >> 2,
                                     code >> 2 < points ? code & 3 : 0))
                return -1;
            walk->board += size;
        } else if (removed >> 2 >= points) {
            return -2;
        } else if (w7_index_add_change(frames, frame + row, removed >> 2, removed & 3)) {
            return -1;
        }
    }
    return 0;
}

/* Adds the frames of the runs up to `end`, those of a record. Returns as w7_index_play_row. */
static int w7_index_add_record(const w7_index_rows *rows, w7_index_walk *walk, int64_t end, w7_index_frames *frames)
{
    const int64_t points = (int64_t)frames->width * frames->height, first = rows->run_begins[walk->run];
    int is_first = 1, is_same = 1;
    memset(walk->now, 0, (size_t)(points + 3) / 4);
    for (; walk->run < end; walk->run++) {
        const int64_t path = walk->path, path_size = rows->path_sizes[walk->run];
        walk->path += path_size;
        if (!w7_index_is_main(rows->branches + path, path_size)) {
            if (w7_index_skip_run(rows, walk))
                return -2;
            continue;
        }
        if (rows->widths[walk->run] != frames->width || rows->heights[walk->run] != frames->height)
            return -2;
        for (int64_t row = rows->run_begins[walk->run]; row < w7_index_run_end(rows, walk->run); row++) {
            const uint32_t code = w7_index_frame_code(rows->codes[row]), color = code & 3;
            const int64_t point = code >> 2;
            const int is_in_force = walk->in_force[row - first];
            int is_next = is_same && is_in_force, status;
            if (point > points)
                return -2;
            if (is_in_force && is_first) {
                if (!w7_index_is_start(rows, walk, path, path_size, row, (points + 3) / 4))
                    w7_index_add_frame(frames, (uint32_t)points << 2);
                is_first = 0;
            }
            if (is_same && !is_in_force) {
                memcpy(walk->before, walk->now, (size_t)(points + 3) / 4);
                is_same = 0;
            }
            status = w7_index_play_row(rows, walk, row, point, point < points ? color : 0, &is_next, frames);
            if (!status && is_in_force && !is_next)
                status = w7_index_add_changes(frames, frames->count, walk->before, walk->now, point,
                                              point < points ? color : 0);
            if (status)
                return status;
            if (!is_in_force)
                continue;
            is_same = 1;
            w7_index_add_frame(frames, code);
        }
    }
    if (is_first)
        w7_index_add_frame(frames, (uint32_t)points << 2);
    return 0;
}

/* Adds the frames of records 0 up to `records`, those of `moves[k]` moves (-1: none of the record). Returns -1 where
 * there is not enough memory, -2 where the rows do not agree. */
static int w7_index_add_records(const w7_index_rows *rows, int64_t records, const int64_t *moves,
                                w7_index_frames *frames)
{
    const size_t size = (size_t)(((int64_t)frames->width * frames->height + 3) / 4);
    w7_index_walk walk = {0, 0, 0, 0, malloc((size_t)rows->count + 1), calloc(size, 1), calloc(size, 1)};
    int status = walk.in_force == NULL || walk.before == NULL || walk.now == NULL ? -1 : 0;
    for (int64_t record = 0; record < records && !status; record++) {
        int64_t end = walk.run, path_end = walk.path;
        frames->counts[record] = -frames->count;
        for (; end < rows->run_count && rows->texts[end] <= record && !status; end++) {
            path_end += rows->path_sizes[end];
            if (rows->texts[end] != record || rows->path_sizes[end] < 0 || path_end > rows->branch_bytes ||
                rows->run_begins[end] > w7_index_run_end(rows, end) || rows->run_begins[end] < 0 ||
                w7_index_run_end(rows, end) > rows->count)
                status = -2;
        }
        if (status)
            break;
        if (moves[record] < 0) {
            for (; walk.run < end && !status; walk.run++)
                status = w7_index_skip_run(rows, &walk);
            walk.path = path_end;
        } else if (walk.run == end) {
            w7_index_add_frame(frames, (uint32_t)frames->width * (uint32_t)frames->height << 2);
        } else if (end - walk.run == 1 && w7_index_is_main(rows->branches + walk.path, rows->path_sizes[walk.run]) &&
                   w7_index_are_all_in_force(rows, walk.run, moves[record]) && w7_index_has_no_board(rows, &walk)) {
            status = w7_index_add_plain_run(rows, &walk, frames);
        } else {
            w7_index_mark(rows, &walk, end, path_end, moves[record]);
            status = w7_index_add_record(rows, &walk, end, frames);
        }
        frames->counts[record] += frames->count;
    }
    free(walk.in_force);
    free(walk.before);
    free(walk.now);
    return status;
}

W7_INDEX_LOOPS_END

#endif
