/* Training rows: each move in force at the end of a main line, with the position it was played from.
 *
 * Made of the pause points of records (positions.h), whose packed boards the rows name by their places. No Python. */
#ifndef W7_BATCH_SAMPLE_ROWS_H
#define W7_BATCH_SAMPLE_ROWS_H

#include <math.h>

#include "batch/position_run.h"
#include "board/kernel/history_planes.h"
#include "board/kernel/pack.h"
#include "board/kernel/stone_sets.h"

/* The rows of a game come one after the other, also those that are not used: later ones have them as history. */
typedef struct {
    int64_t board; /* first byte of the position among the packed boards; -1: no stones */
    int64_t area;  /* offset of the owners of points at the end in the packed areas; -1: none */
    int64_t game;
    float value;           /* 1: the player to move won, -1: lost, 0: a draw; NaN: unknown */
    float margin;          /* points that the player to move has more; NaN: unknown */
    int32_t policy;        /* the point of the move, row by row; the number of all points for a pass */
    int32_t number;        /* moves in force before it */
    int32_t ko;            /* the point where a stone may not be taken back at once; -1: none */
    int32_t black_surplus; /* moves of Black before it without passes, less White's */
    float komi;            /* NaN: unknown */
    uint8_t color;         /* of the player to move */
    uint8_t earlier;       /* rows before this one that are its history */
    uint8_t is_used;
    uint8_t unused;
} w7_sample_row;

/* The columns of pause points, and the runs that they form. */
typedef struct {
    const w7_position_run *runs;
    const int32_t *move_numbers;
    const int32_t *xs;
    const int32_t *ys;
    const int8_t *colors; /* -1: no move */
    const uint8_t *branches;
    const uint8_t *boards;
    int64_t run_count;
    int64_t count;
    int64_t branch_bytes;
    int64_t board_bytes;
} w7_sample_points;

/* Values of each text; texts with `is_used` 0 are skipped. */
typedef struct {
    const int64_t *games;
    const int64_t *moves; /* in force at the end */
    const float *margins; /* of the winner; NaN: unknown */
    const float *komis;   /* NaN: unknown */
    const uint8_t *is_used;
    const uint8_t *winners; /* W7_BLACK, W7_WHITE, W7_SAMPLE_DRAW; 0: unknown */
    int64_t count;
} w7_sample_texts;

enum { W7_SAMPLE_DRAW = 3 };

typedef struct {
    w7_sample_row *rows; /* room for one each pause point */
    int64_t *picks;      /* the same: 8 times the number of each row that is used */
    int64_t count;
    int64_t pick_count;
    uint8_t *areas; /* room for one packed board each text; NULL: not requested */
    int64_t area_count;
    int32_t width;
    int32_t height;
    uint8_t has_kos; /* those are requested */
} w7_sample_rows;

/* Whether a path of ordinals is that of the main line. */
static inline int w7_sample_is_main(const uint8_t *path, int64_t size)
{
    for (int64_t k = 0; k < size; k++)
        if (path[k] != '0' && path[k] != '.' && path[k] != '-')
            return 0;
    return 1;
}

/* The points that each color has in a position, its stones and the empty points that reach no other stones: one byte a
 * point, 0 where both or none. `queue` has room for a number a point. */
static inline void w7_sample_area(const uint8_t *points, int32_t width, int32_t height, int32_t *queue, uint8_t *owners)
{
    enum { SEEN = 4 };
    const int32_t area = width * height;
    memcpy(owners, points, (size_t)area);
    for (int32_t start = 0; start < area; start++) {
        int32_t count = 0;
        uint8_t reached = 0;
        if (owners[start] != W7_EMPTY || points[start] != W7_EMPTY)
            continue;
        owners[start] = SEEN;
        queue[count++] = start;
        for (int32_t k = 0; k < count; k++) {
            const int32_t at = queue[k], x = at % width;
            const int32_t adjacent[4] = {x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width};
            for (int side = 0; side < 4; side++) {
                const int32_t other = adjacent[side];
                if (other < 0 || other >= area)
                    continue;
                reached |= points[other];
                if (points[other] == W7_EMPTY && owners[other] == W7_EMPTY) {
                    owners[other] = SEEN;
                    queue[count++] = other;
                }
            }
        }
        for (int32_t k = 0; k < count; k++)
            owners[queue[k]] = reached == W7_BLACK || reached == W7_WHITE ? reached : SEEN;
    }
    for (int32_t k = 0; k < area; k++)
        owners[k] &= 3;
}

/* The same of a packed position (NULL: no stones), packed. `room` has room for 6 bytes a point. */
static inline void w7_sample_packed_area(const uint8_t *packed, int32_t width, int32_t height, uint8_t *room,
                                         uint8_t *out)
{
    const int32_t area = width * height;
    uint8_t *points = room + 4 * (int64_t)area, *owners = points + area;
    memset(out, 0, (size_t)w7_packed_size(width, height));
    if (packed == NULL)
        return;
    w7_unpack(packed, area, points);
    w7_sample_area(points, width, height, (int32_t *)(void *)room, owners);
    for (int32_t k = 0; k < area; k++)
        out[k >> 2] = (uint8_t)(out[k >> 2] | owners[k] << 2 * (k & 3));
}

static inline int w7_sample_stone(const uint8_t *packed, int64_t point)
{
    return packed[point >> 2] >> 2 * (point & 3) & 3;
}

static inline float w7_sample_value(int winner, int color)
{
    return winner == 0 ? NAN : winner == W7_SAMPLE_DRAW ? 0.0f : winner == color ? 1.0f : -1.0f;
}

/* The point where the stone that the last move took may not be taken back at once, or -1. */
static inline int32_t w7_sample_ko(const w7_sample_rows *out, const uint8_t *boards, const w7_sample_row *row)
{
    const int32_t width = out->width, height = out->height, point = row[-1].policy;
    const int color = row[-1].color, opponent = W7_BLACK + W7_WHITE - color;
    int32_t taken = -1;
    if (row->board < 0 || row[-1].board < 0 || point >= width * height ||
        w7_sample_stone(boards + row->board, point) != color)
        return -1;
    for (int turn = 0; turn < 2; turn++) { /* around the move, now; then around what it took, before */
        const int32_t at = turn == 0 ? point : taken, x = at % width;
        const int32_t adjacent[4] = {x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width};
        for (int side = 0; side < 4; side++) {
            const int32_t other = adjacent[side];
            int stone;
            if (other < 0 || other >= width * height)
                continue;
            stone = w7_sample_stone(boards + (turn == 0 ? row->board : row[-1].board), other);
            if (turn == 1 ? stone == opponent : stone == color || (stone == W7_EMPTY && taken >= 0))
                return -1;
            if (turn == 0 && stone == W7_EMPTY)
                taken = other;
        }
        if (taken < 0 || w7_sample_stone(boards + row[-1].board, taken) != opponent)
            return -1;
    }
    return taken;
}

/* The end of the pause points of a run. */
static inline int64_t w7_sample_run_end(const w7_sample_points *points, int64_t run)
{
    return run + 1 < points->run_count ? points->runs[run + 1].begin : points->count;
}

/* Adds the rows of one text, which has runs `begin` up to `end`; `board` and `path` are the places of the first of them.
 * Returns 0, or 1 for a point off the board. */
static inline int w7_sample_rows_add(w7_sample_rows *out, const w7_sample_points *points, const w7_sample_texts *texts,
                                     int64_t begin, int64_t end, int64_t board, int64_t path, uint8_t *room)
{
    const int64_t text = points->runs[begin].text, size = w7_packed_size(out->width, out->height);
    const int winner = texts->winners[text];
    w7_sample_row *rows = out->rows + out->count;
    int64_t count = 0, now = -1, area = -1;
    for (int64_t run = begin; run < end; run++) {
        const int64_t stop = w7_sample_run_end(points, run);
        if (!w7_sample_is_main(points->branches + path, points->runs[run].path_size))
            break;
        path += points->runs[run].path_size;
        for (int64_t k = points->runs[run].begin; k < stop; k++, board += size) {
            const int64_t number = points->move_numbers[k];
            w7_sample_row *row;
            if (points->colors[k] < 0) { /* stones were set up, after a takeback or not */
                count = number < count ? number : count;
                now = board;
                continue;
            }
            if (number < 1 || number > count + 1)
                return 0;
            if (points->xs[k] >= out->width || points->ys[k] >= out->height)
                return 1;
            if (number <= count) { /* after a takeback */
                now = rows[number - 1].board;
                count = number - 1;
            }
            row = &rows[count];
            row->board = now;
            row->area = -1;
            row->game = texts->games[text];
            row->color = (uint8_t)points->colors[k];
            row->policy = points->xs[k] < 0 ? out->width * out->height : points->ys[k] * out->width + points->xs[k];
            row->number = (int32_t)count;
            row->earlier = (uint8_t)(count < W7_HISTORY_POSITIONS - 1 ? count : W7_HISTORY_POSITIONS - 1);
            row->value = w7_sample_value(winner, row->color);
            row->margin = texts->margins[text] * row->value;
            row->komi = texts->komis[text];
            row->ko = count == 0 || !out->has_kos ? -1 : w7_sample_ko(out, points->boards, row);
            row->black_surplus = count == 0 ? 0 : row[-1].black_surplus;
            if (count > 0 && row[-1].policy < out->width * out->height)
                row->black_surplus += row[-1].color == W7_BLACK ? 1 : -1;
            /* A move on a stone, which SGF lets replace it, makes no row. */
            row->is_used =
                points->xs[k] < 0 || now < 0 || w7_sample_stone(points->boards + now, row->policy) == W7_EMPTY;
            row->unused = 0;
            count++;
            now = board;
        }
    }
    if (texts->moves[text] < count) { /* the last moves were taken back */
        count = texts->moves[text] > 0 ? texts->moves[text] : 0;
        now = rows[count].board;
    }
    if (out->areas != NULL && count > 0) {
        area = out->area_count;
        w7_sample_packed_area(now < 0 ? NULL : points->boards + now, out->width, out->height, room, out->areas + area);
        out->area_count += size;
    }
    for (int64_t k = 0; k < count; k++) {
        rows[k].area = area;
        out->picks[out->pick_count] = (out->count + k) << 3;
        out->pick_count += rows[k].is_used;
    }
    out->count += count;
    return 0;
}

/* Whether a run is whole: its points, its path, and their boards, which begin at `board` and `path`. */
static inline int w7_sample_run_fits(const w7_sample_points *points, int64_t run, int64_t board, int64_t path)
{
    const w7_position_run *of = &points->runs[run];
    const int64_t count = w7_sample_run_end(points, run) - of->begin;
    int64_t size;
    if (of->begin < 0 || count < 0 || of->begin + count > points->count || of->width < 1 || of->height < 1 ||
        of->path_size < 0 || of->path_size > points->branch_bytes - path)
        return 0;
    size = w7_packed_size(of->width, of->height);
    return count <= (points->board_bytes - board) / size;
}

/* Adds the rows of all texts. Returns 0, -1 when memory is short, 1 where the columns do not fit each other. */
static inline int w7_sample_rows_add_all(w7_sample_rows *out, const w7_sample_points *points,
                                         const w7_sample_texts *texts)
{
    uint8_t *room = malloc((size_t)out->width * (size_t)out->height * 6);
    int64_t begin = 0, board = 0, path = 0;
    int status = room == NULL ? -1 : 0;
    while (begin < points->run_count && status == 0) {
        const w7_position_run *of = &points->runs[begin];
        int64_t end = begin, next_board = board, next_path = path;
        int fits = of->text >= 0 && of->text < texts->count;
        for (; fits && end < points->run_count && points->runs[end].text == of->text; end++) {
            const w7_position_run *next = &points->runs[end];
            fits = w7_sample_run_fits(points, end, next_board, next_path) && next->width == of->width &&
                   next->height == of->height;
            if (fits) {
                next_board += (w7_sample_run_end(points, end) - next->begin) * w7_packed_size(of->width, of->height);
                next_path += next->path_size;
            }
        }
        status = !fits;
        if (fits && texts->is_used[of->text] && of->width == out->width && of->height == out->height)
            status = w7_sample_rows_add(out, points, texts, begin, end, board, path, room);
        begin = end;
        board = next_board;
        path = next_path;
    }
    free(room);
    return status;
}

#endif
