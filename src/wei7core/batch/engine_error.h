/* The choice of the problem of a record that is the error of its row. No Python. */
#ifndef W7_BATCH_ENGINE_ERROR_H
#define W7_BATCH_ENGINE_ERROR_H

#include "batch/engine_state.h"

/* Problems by number: those of the decoder, then what the replay has found. */
static inline int64_t w7_bulk_problem_count(const w7_bulk *bulk)
{
    return bulk->record.problems.count + bulk->found.count;
}

static inline int w7_bulk_problem_flags(const w7_bulk *bulk, int64_t number, int64_t *offset)
{
    const w7_problems *problems = &bulk->record.problems;
    if (number >= problems->count) {
        const w7_found *found = &bulk->found.at[number - problems->count];
        *offset = found->shown;
        return bulk->is_counted[w7_found_code(found->stop.kind)];
    }
    *offset = problems->at[number].offset;
    return bulk->is_counted[problems->at[number].code] |
           (bulk->text->format != W7_BULK_SGF &&
                    (problems->at[number].place == W7_AT_SIZE || problems->at[number].place == W7_AT_SIDE)
                ? W7_BULK_OF_SIZE
                : 0);
}

/* The first problem with one of the flags at or after an offset, by offset and number; -1: there is none. */
static inline int64_t w7_bulk_first_problem(const w7_bulk *bulk, int flags, int64_t from)
{
    int64_t best = -1, best_offset = 0, offset;
    for (int64_t k = 0; k < w7_bulk_problem_count(bulk); k++) {
        if ((w7_bulk_problem_flags(bulk, k, &offset) & flags) == flags && offset >= from &&
            (best < 0 || offset < best_offset)) {
            best = k;
            best_offset = offset;
        }
    }
    return best;
}

/* The last of `count` problems with the flags before an offset; -1: there is none. */
static inline int64_t w7_bulk_last_problem(const w7_bulk *bulk, int flags, int64_t count, int64_t before)
{
    int64_t best = -1, best_offset = 0, offset;
    for (int64_t k = 0; k < count; k++) {
        if ((w7_bulk_problem_flags(bulk, k, &offset) & flags) == flags && offset < before &&
            (best < 0 || offset >= best_offset)) {
            best = k;
            best_offset = offset;
        }
    }
    return best;
}

/* The first error at or after an offset, or else the last one before it; -1: there is none. */
static inline int64_t w7_bulk_next_error(const w7_bulk *bulk, int64_t offset)
{
    const int64_t next = w7_bulk_first_problem(bulk, W7_BULK_ERROR, offset);
    return next >= 0 ? next : w7_bulk_last_problem(bulk, W7_BULK_ERROR, w7_bulk_problem_count(bulk), offset);
}

/* The error of the decoder at which the text is cut off. */
static inline int64_t w7_bulk_break(const w7_bulk *bulk)
{
    const int64_t count = bulk->record.problems.count;
    const int64_t last = w7_bulk_last_problem(bulk, W7_BULK_BREAK, count, INT64_MAX);
    return last >= 0 ? last : w7_bulk_last_problem(bulk, W7_BULK_ERROR, count, INT64_MAX);
}

/* The error for which the record has no board; -1: none is listed. */
static inline int64_t w7_bulk_size_error(const w7_bulk *bulk)
{
    const w7_problems *problems = &bulk->record.problems;
    int64_t best = -1;
    if (bulk->record.width <= 0) {
        best = w7_bulk_first_problem(bulk, W7_BULK_ERROR | W7_BULK_OF_SIZE, 0);
        return best >= 0 ? best : w7_bulk_break(bulk);
    }
    for (int64_t k = 0; k < problems->count; k++)
        if (problems->at[k].code == W7_BOARD_SIZE_UNSUPPORTED &&
            (best < 0 || problems->at[k].offset < problems->at[best].offset))
            best = k;
    return best;
}

/* The error of a branch that has stopped. */
static inline int64_t w7_bulk_stop_error(const w7_bulk *bulk, const w7_stop *stop)
{
    int64_t found = -1;
    if (stop->kind != W7_STOP_UNREADABLE)
        return bulk->record.problems.count + stop->move_number;
    if (bulk->text->format == W7_BULK_SGF)
        found = w7_bulk_first_problem(bulk, W7_BULK_OF_MOVE, stop->offset);
    return found >= 0 ? found : w7_bulk_next_error(bulk, stop->offset);
}

/* The number of the problem that is the error of the record; -1: it has none. */
static inline int64_t w7_bulk_choose_error(const w7_bulk *bulk, int has_board)
{
    int64_t chosen = has_board ? -1 : w7_bulk_size_error(bulk);
    if (w7_bulk_problem_count(bulk) == 0 || (!has_board && (chosen < 0 || !bulk->is_strict)))
        return chosen;
    chosen = bulk->is_strict ? w7_bulk_first_problem(bulk, W7_BULK_ERROR, 0) : -1;
    if (chosen >= 0)
        return chosen;
    chosen = w7_bulk_first_problem(bulk, W7_BULK_REFUSED, 0);
    if (chosen >= 0)
        return chosen;
    if (bulk->main_stop.kind != W7_STOP_NONE)
        return w7_bulk_stop_error(bulk, &bulk->main_stop);
    if (bulk->record.unreadable)
        return w7_bulk_break(bulk);
    if (bulk->record.trees.count == 0)
        return w7_bulk_next_error(bulk, 0);
    return bulk->side_stop.kind == W7_STOP_NONE ? -1 : w7_bulk_stop_error(bulk, &bulk->side_stop);
}

/* Whether the record is written in spite of its errors. */
static inline int w7_bulk_is_written(const w7_bulk *bulk)
{
    int64_t offset;
    for (int64_t k = 0; k < w7_bulk_problem_count(bulk); k++) {
        const int flags = w7_bulk_problem_flags(bulk, k, &offset);
        if (flags & W7_BULK_ERROR && (bulk->is_strict || !(flags & W7_BULK_WRITTEN)))
            return 0;
    }
    return 1;
}

/* Adds the problem of that number, below 0 that of `kind`, with the part of its text that the message needs. Returns 0,
 * or -1 when memory is short. */
static inline int w7_bulk_add_failure(w7_bulk *bulk, const w7_bulk_text *text, int64_t number, int kind, int is_error)
{
    const int64_t later = number - bulk->record.problems.count;
    w7_bulk_failure failure = bulk->failure;
    if (number < 0) {
        failure.problem.code = (uint16_t)w7_found_code(kind);
        failure.kind = (uint8_t)kind;
    } else if (later < 0) {
        failure.problem = bulk->record.problems.at[number];
    } else {
        const w7_found *found = &bulk->found.at[later];
        failure.problem.code = (uint16_t)w7_found_code(found->stop.kind);
        failure.problem.offset = found->shown;
        failure.move_number = found->stop.move_number;
        failure.x = found->stop.x;
        failure.y = found->stop.y;
        failure.color = found->stop.color;
        failure.kind = found->stop.kind;
    }
    /* The problem may be elsewhere, or its step may have no end. */
    if (failure.problem.offset < failure.base || failure.problem.offset >= failure.base + failure.size ||
        bulk->record.unreadable)
        failure.step = -1;
    failure.text = bulk->positions.text;
    failure.charset = bulk->charset;
    failure.is_error = (uint8_t)is_error;
    return w7_failures_add(&bulk->failures, failure, text->at, bulk->lists_problems ? 0 : text->size);
}

/* Stores the error of the record, if any, or all its problems, as requested. Returns 0, or -1 when memory is short. */
static inline int w7_bulk_keep_failure(w7_bulk *bulk, const w7_bulk_text *text, int has_board)
{
    const int64_t error = w7_bulk_choose_error(bulk, has_board);
    const int kind = !has_board ? W7_FOUND_NO_BOARD : bulk->is_too_long ? W7_FOUND_TOO_LONG : 0;
    bulk->lacks_board = error < 0 && !has_board;
    if (error < 0 && kind != 0 && w7_bulk_add_failure(bulk, text, error, kind, 1) != 0)
        return -1;
    if (!bulk->lists_problems)
        return error < 0 ? 0 : w7_bulk_add_failure(bulk, text, error, 0, 1);
    for (int64_t k = 0; k < w7_bulk_problem_count(bulk); k++)
        if (w7_bulk_add_failure(bulk, text, k, 0, k == error) != 0)
            return -1;
    return 0;
}

static inline void w7_bulk_count_problems(w7_bulk *bulk, w7_bulk_row *row)
{
    const w7_problems *problems = &bulk->record.problems;
    /* Those that are not in a list: the board is too large, the table of positions too long. */
    const int no_board = bulk->lacks_board, too_long = bulk->is_too_long;
    for (int64_t k = 0; k < problems->count; k++)
        bulk->counts[problems->at[k].code]++;
    for (int64_t k = 0; k < bulk->found.count; k++)
        bulk->counts[w7_found_code(bulk->found.at[k].stop.kind)]++;
    bulk->counts[W7_BOARD_SIZE_UNSUPPORTED] += no_board;
    bulk->counts[W7_LIMIT_POSITIONS] += too_long;
    row->problems = (int32_t)(problems->count + bulk->found.count + no_board + too_long);
}

#endif
