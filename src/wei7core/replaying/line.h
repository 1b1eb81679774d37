/* Replay of records with a single line of moves, for the last position only: without branches, takebacks or setup
 * stones no move must be undone. All other records, and those with errors, use the walk (walk.h). */
#ifndef W7_REPLAYING_LINE_H
#define W7_REPLAYING_LINE_H

#include "board/kernel/deferred_line.h"
#include "board/kernel/run.h"
#include "record/record.h"
#include "replaying/walk.h"

/* The number of moves of such a record: all its steps up to the first unreadable one, which becomes *stop (-1: none),
 * except trailing ones without effect on the stones; -1 for any other record. */
static inline int64_t w7_line_length(const w7_record *record, int64_t *stop)
{
    const w7_step *steps = record->steps.at;
    const unsigned others =
        1u << W7_STEP_RESULT | 1u << W7_STEP_MARK | 1u << W7_STEP_MESSAGE | 1u << W7_STEP_RAW | 1u << W7_STEP_NOTE;
    int64_t length;
    *stop = -1;
    if (record->trees.count != 1 || record->trees.at[0].pre >= 0 || record->trees.at[0].first_step != 0 ||
        record->trees.at[0].step_count != record->steps.count)
        return -1;
    if (record->kinds == 1u << W7_STEP_MOVE)
        return record->steps.count;
    length = w7_walk_moves_end(steps, 0, record->steps.count);
    for (int64_t next = length; next < record->steps.count && *stop < 0; next++) {
        if (steps[next].kind == W7_STEP_UNREADABLE)
            *stop = next;
        else if (!(others >> steps[next].kind & 1))
            return -1;
    }
    return length;
}

/* An upper bound of the work that a walk of `moves` moves counts. */
static inline int64_t w7_line_most_work(const w7_record *record, int64_t length)
{
    const int64_t points = (int64_t)record->width * record->height, most = length < points ? length : points;
    return length + length * (most / W7_SUSPECT_SHARE + 1) / W7_STEP_EFFORT + 1;
}

#ifdef W7_WITH_X86_ISAS
W7_TARGET_AVX2 static W7_NOINLINE int w7_line_play_deferred_avx2(const w7_grid *grid, const w7_step *steps,
                                                                 int64_t length, uintptr_t prefetch, w7_line *line)
{
    return w7_deferred_play(grid, w7_walk_rows(steps, prefetch), length, W7_DEFERRED_MOST, line);
}

W7_TARGET_AVX512BW static W7_NOINLINE int w7_line_play_avx512bw(const w7_plane_tables *tables, const w7_step *steps,
                                                                int64_t length, uintptr_t prefetch, w7_line *line)
{
    const w7_move_rows rows = w7_walk_rows(steps, prefetch);
    return w7_avx512bw_play_line(tables, rows, rows.at + length * rows.stride, line);
}

W7_TARGET_AVX512 static W7_NOINLINE int w7_line_play_avx512(const w7_plane_tables *tables, const w7_step *steps,
                                                            int64_t length, uintptr_t prefetch, w7_line *line)
{
    const w7_move_rows rows = w7_walk_rows(steps, prefetch);
    return w7_avx512_play_line(tables, rows, rows.at + length * rows.stride, line);
}
#endif

static W7_NOINLINE int w7_line_play_deferred(const w7_grid *grid, const w7_step *steps, int64_t length,
                                             uintptr_t prefetch, w7_line *line)
{
    return w7_deferred_play(grid, w7_walk_rows(steps, prefetch), length, W7_DEFERRED_MOST, line);
}

/* Replays a record from the empty board. `board` has the size of the record; its stones are neither used nor changed.
 * *stop becomes the unreadable step at which it ends, -1: none. Returns 0 if the record requires a walk instead. */
static inline int w7_line_replay(const w7_record *record, w7_board *board, int64_t max_work, uintptr_t prefetch,
                                 w7_line *line, int64_t *stop)
{
    const int64_t length = w7_line_length(record, stop), work = w7_line_most_work(record, length);
    const w7_step *steps = record->steps.at;
    int is_played = 0;
    if (length > 0 && work <= max_work && work < W7_TICK) {
#ifdef W7_WITH_X86_ISAS
        if (w7_board_has_planes_for(board, length))
            is_played = (board->isa == W7_ISA_AVX512 ? w7_line_play_avx512 : w7_line_play_avx512bw)(
                w7_board_plane_tables(board), steps, length, prefetch, line);
        else if (board->isa >= W7_ISA_AVX2 && w7_deferred_takes(&board->grid, length))
            is_played = w7_line_play_deferred_avx2(&board->grid, steps, length, prefetch, line);
        else
#endif
            if (w7_deferred_takes(&board->grid, length))
            is_played = w7_line_play_deferred(&board->grid, steps, length, prefetch, line);
    }
    if (is_played)
        return 1;
    *stop = -1;
    return 0;
}

#endif
