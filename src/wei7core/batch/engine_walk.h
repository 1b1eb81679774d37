/* The replay of a record on every branch: positions, and the errors at which it ends. No Python. */
#ifndef W7_BATCH_ENGINE_WALK_H
#define W7_BATCH_ENGINE_WALK_H

#include "batch/engine_row.h"

/* Writes down all positions up to the next event that is none. */
static inline w7_event w7_bulk_next_position(w7_bulk *bulk, w7_walk *walk)
{
    for (;;) {
        w7_event event;
        int is_replaced;
        if (walk->phase == W7_PHASE_STEPS && w7_positions_play_on(&bulk->positions, walk) != 0)
            return W7_EVENT_NO_MEMORY;
        event = w7_walk_next(walk);
        is_replaced = event == W7_EVENT_REPLACED;
        if (event != W7_EVENT_MOVE && event != W7_EVENT_PRE && event != W7_EVENT_SETUP && !is_replaced)
            return event;
        if (w7_positions_add(&bulk->positions, walk, is_replaced ? W7_EVENT_MOVE : event, is_replaced) != 0)
            return W7_EVENT_NO_MEMORY;
        if (is_replaced)
            return event;
    }
}

/* Writes down the positions of a record by itself, as far as its branches can be played. Returns W7_EVENT_END,
 * W7_EVENT_TICK, after which it is to be called again, or W7_EVENT_NO_MEMORY. */
static inline w7_event w7_bulk_walk_positions(w7_bulk *bulk, w7_walk *walk)
{
    for (;;) {
        const w7_event event = w7_bulk_next_position(bulk, walk);
        if (event == W7_EVENT_END || event == W7_EVENT_TICK || event == W7_EVENT_NO_MEMORY)
            return event;
    }
}

/* Begins with the positions of a record by itself: the walk starts with an empty board of its size. */
static inline w7_status w7_bulk_start_positions(w7_bulk *bulk, const w7_record *record, w7_walk *walk)
{
    const w7_status status = w7_bulk_take_slot(bulk, record->width, record->height);
    if (status != W7_OK)
        return status;
    w7_board_clear(&bulk->slot->board);
    w7_positions_start(&bulk->positions, &bulk->slot->keys);
    w7_walk_init(walk, record, &bulk->slot->board, bulk->max_moves);
    return W7_OK;
}

/* Notes the error of the unreadable step at which the walk has stopped. Returns whether the decoder has found one. */
static inline int w7_bulk_find_error(w7_bulk *bulk, int64_t offset)
{
    const w7_problems *problems = &bulk->record.problems;
    const w7_problem *found = NULL;
    int best = 0;
    for (int64_t k = 0; k < problems->count; k++) {
        const w7_problem *problem = &problems->at[k];
        const int is_later = problem->offset >= offset;
        const int is_of_move = bulk->text->format == W7_BULK_SGF &&
                               (problem->code == W7_MOVE_INVALID || problem->code == W7_POINT_OFF_BOARD);
        /* One of a move, the first error from there on, the last error before. */
        const int rank = !(bulk->is_counted[problem->code] & W7_BULK_ERROR) ? 0 : is_later ? 2 + is_of_move : 1;
        if (rank > best || (rank != 0 && rank == best && (problem->offset < found->offset) == is_later)) {
            found = problem;
            best = rank;
        }
    }
    if (found != NULL)
        bulk->failure.problem = *found;
    return found != NULL;
}

/* Whether the walk continues after a stop: that of the main line at a move with an error, or that of another branch at a
 * step that the decoder could not read. */
static inline int w7_bulk_fails_at(w7_bulk *bulk, const w7_walk *walk)
{
    const w7_stop *stop = &walk->stop;
    w7_bulk_failure *failure = &bulk->failure;
    if (!bulk->with_failures || bulk->sgf.max_problems == 0)
        return 0;
    if (!walk->on_main && stop->kind == W7_STOP_UNREADABLE) {
        if (failure->problem.code != W7_CODE_COUNT)
            return 1;
        failure->step = -1;
        bulk->is_of_branch = 1;
        return w7_bulk_find_error(bulk, stop->offset);
    }
    if (!walk->on_main || failure->problem.code != W7_CODE_COUNT)
        return 0;
    failure->step = -1;
    bulk->missed = walk->step < 0 ? walk->tree : walk->record->trees.at[walk->tree].first_branch;
    if (bulk->text->format != W7_BULK_SGF) {
        const w7_span step = w7_failure_step(walk, bulk->text->at, bulk->text->size);
        failure->step = step.begin < 0 ? -1 : (int32_t)(walk->step - walk->record->trees.at[0].first_step);
        failure->base = step.begin;
        failure->size = step.end - step.begin;
    }
    if (stop->kind == W7_STOP_UNREADABLE)
        return w7_bulk_find_error(bulk, stop->offset);
    if (stop->kind != W7_STOP_OCCUPIED || bulk->replaced > 0)
        return 0;
    failure->problem.code = W7_MOVE_OCCUPIED;
    failure->problem.offset = stop->offset;
    failure->move_number = stop->move_number;
    failure->x = stop->x;
    failure->y = stop->y;
    failure->color = stop->color;
    return 1;
}

static inline int w7_bulk_goes_on(w7_bulk *bulk, const w7_walk *walk, w7_event event)
{
    if (event == W7_EVENT_REPLACED)
        return bulk->is_counted[W7_MOVE_OCCUPIED] & W7_BULK_COUNTED;
    return event == W7_EVENT_STOP && w7_bulk_fails_at(bulk, walk);
}

/* Walks all branches of the record. Returns whether every one could be played, or -1 when memory is short. */
static inline int w7_bulk_walk(w7_bulk *bulk, w7_bulk_row *row)
{
    w7_walk walk;
    w7_event event;
    int failed = 0;
    w7_walk_init(&walk, &bulk->record, &bulk->slot->board, bulk->max_moves);
    walk.ahead = (uintptr_t)bulk->next_text;
    bulk->replaced = 0;
    bulk->missed = -1;
    do {
        event = bulk->with_positions ? w7_bulk_next_position(bulk, &walk) : w7_walk_next_halt(&walk);
        bulk->replaced += event == W7_EVENT_REPLACED;
        if (event == W7_EVENT_MAIN_END) {
            failed = w7_bulk_describe(bulk, &walk, row);
            event = failed || !w7_walk_has_more(&walk) ? W7_EVENT_END : event;
        }
    } while (event == W7_EVENT_MAIN_END || w7_bulk_goes_on(bulk, &walk, event));
    bulk->spent += w7_walk_spent(&walk);
    w7_walk_free(&walk);
    return failed || event == W7_EVENT_NO_MEMORY ? -1 : event == W7_EVENT_END;
}

/* Replays the record. Returns whether every branch could be played, or -1 when memory is short. */
static inline int w7_bulk_replay(w7_bulk *bulk, w7_bulk_row *row)
{
    const w7_record *record = &bulk->record;
    w7_line line;
    if (w7_bulk_take_slot(bulk, record->width, record->height) != W7_OK)
        return -1;
    if (!bulk->with_positions && !bulk->with_facts &&
        w7_line_replay(record, &bulk->slot->board, bulk->max_moves, (uintptr_t)bulk->next_text, &line)) {
        bulk->replaced = 0;
        bulk->spent += line.moves;
        if (bulk->with_metadata &&
            w7_metadata_add_line(&bulk->metadata, &bulk->slot->keys, &bulk->slot->board.grid, record, line.moves) != 0)
            return -1;
        return w7_bulk_describe_line(bulk, &line, row) == 0 ? 1 : -1;
    }
    w7_board_clear(&bulk->slot->board);
    w7_positions_start(&bulk->positions, &bulk->slot->keys);
    return w7_bulk_walk(bulk, row);
}

#endif
