/* The replay of a record on every branch: positions, and the errors at which it ends. No Python. */
#ifndef W7_BATCH_ENGINE_WALK_H
#define W7_BATCH_ENGINE_WALK_H

#include "batch/engine_row.h"
#include "formats/sgf/locate.h"

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

/* The offset at which a problem of the step at `offset` is reported: for one of its point, that of the point. */
static inline int64_t w7_bulk_shown_offset(const w7_bulk *bulk, int kind, int64_t offset)
{
    const w7_bulk_text *text = bulk->text;
    int64_t point;
    if ((kind != W7_STOP_OCCUPIED && kind != W7_FOUND_REPLACED) || text->format == W7_BULK_DECODED)
        return offset;
    if (text->format == W7_BULK_SGF)
        return w7_sgf_find_value(text->at, text->size, offset);
    point = w7_find_in_step(text->at, text->size, offset, "point");
    return point < 0 ? offset : point;
}

/* Adds a problem that the walk has found. Returns 0, or -1 when memory is short. */
static inline int w7_bulk_add_found(w7_bulk *bulk, const w7_stop *stop, int kind)
{
    w7_found *found;
    if (W7_TABLE_RESERVE_ONE(&bulk->found) != 0)
        return -1;
    found = &bulk->found.at[bulk->found.count++];
    found->stop = *stop;
    found->stop.kind = (uint8_t)kind;
    found->shown = w7_bulk_shown_offset(bulk, kind, stop->offset);
    return 0;
}

/* Notes the place in the text of the step at which the main line has stopped. */
static inline void w7_bulk_note_step(w7_bulk *bulk, const w7_walk *walk)
{
    bulk->missed = walk->step < 0 ? walk->tree : walk->record->trees.at[walk->tree].first_branch;
    if (bulk->text->format != W7_BULK_SGF && bulk->with_failures) {
        const w7_span step = w7_failure_step(walk, bulk->text->at, bulk->text->size);
        if (step.begin < 0)
            return;
        bulk->failure.step = (int32_t)(walk->step - walk->record->trees.at[0].first_step);
        bulk->failure.base = step.begin;
        bulk->failure.size = step.end - step.begin;
    }
}

/* Notes that a branch has stopped, or that a move has replaced a stone: as many as may be listed, and that there are
 * more. Returns 1 where no more may be noted, 0, or -1 when memory is short. */
static inline int w7_bulk_note(w7_bulk *bulk, const w7_walk *walk, w7_event event)
{
    const w7_stop *stop = &walk->stop;
    const int64_t count = bulk->found.count, most = bulk->sgf.max_problems;
    w7_stop *noted;
    if (event == W7_EVENT_REPLACED)
        return count > most ? 0 : w7_bulk_add_found(bulk, stop, count < most ? W7_FOUND_REPLACED : W7_FOUND_MORE_MOVES);
    if (walk->on_main)
        w7_bulk_note_step(bulk, walk);
    noted = walk->on_main ? &bulk->main_stop : bulk->side_stop.kind == W7_STOP_NONE ? &bulk->side_stop : NULL;
    if (noted != NULL) {
        *noted = *stop;
        noted->move_number = count; /* from here on: its place among what was found */
    }
    if (stop->kind != W7_STOP_UNREADABLE &&
        w7_bulk_add_found(bulk, stop, count == most ? W7_FOUND_MORE_STOPS : stop->kind) != 0)
        return -1;
    return bulk->found.count > most;
}

/* Whether the record is deferred after what the walk has met. */
static inline int w7_bulk_leaves(const w7_bulk *bulk, w7_event event)
{
    if (bulk->with_failures)
        return 0;
    return event == W7_EVENT_STOP ||
           (event == W7_EVENT_REPLACED && !(bulk->is_counted[W7_MOVE_OCCUPIED] & W7_BULK_COUNTED));
}

/* As w7_bulk_note, where the only line of the record ends at the unreadable step of that number. */
static inline int w7_bulk_note_line(w7_bulk *bulk, int64_t step)
{
    w7_walk walk;
    w7_walk_init(&walk, &bulk->record, &bulk->slot->board, bulk->max_moves);
    walk.step = step;
    walk.stop.kind = W7_STOP_UNREADABLE;
    walk.stop.offset = bulk->record.steps.at[step].offset;
    return w7_bulk_note(bulk, &walk, W7_EVENT_STOP);
}

/* Walks all branches of the record. Returns 1, 0 if it is deferred, or -1 when memory is short. */
static inline int w7_bulk_walk(w7_bulk *bulk, w7_bulk_row *row)
{
    const int with_positions = bulk->with_positions && !bulk->is_too_long;
    w7_walk walk;
    w7_event event;
    int done = 0, is_described = 0, is_full = 0;
    w7_walk_init(&walk, &bulk->record, &bulk->slot->board, bulk->max_moves);
    walk.prefetch = (uintptr_t)bulk->next_text;
    do {
        event = with_positions ? w7_bulk_next_position(bulk, &walk) : w7_walk_next_halt(&walk);
        if ((event == W7_EVENT_REPLACED || event == W7_EVENT_STOP) && !is_full) {
            const int noted = w7_bulk_note(bulk, &walk, event);
            is_full = noted > 0;
            done = noted < 0 ? -1 : is_full && !with_positions;
        }
        if ((event == W7_EVENT_MAIN_END || done > 0) && !is_described) {
            is_described = 1;
            done = w7_bulk_describe(bulk, &walk, row) != 0 ? -1 : done || !w7_walk_has_more(&walk);
        }
        if (event == W7_EVENT_TICK && bulk->check_signals != NULL && bulk->check_signals() != 0)
            done = -1;
    } while (!done && event != W7_EVENT_END && event != W7_EVENT_NO_MEMORY && !w7_bulk_leaves(bulk, event));
    bulk->spent += w7_walk_spent(&walk);
    w7_walk_free(&walk);
    return done < 0 || event == W7_EVENT_NO_MEMORY ? -1 : !w7_bulk_leaves(bulk, event);
}

/* Replays the record. Returns 1, 0 if it is deferred, or -1 when memory is short. */
static inline int w7_bulk_replay(w7_bulk *bulk, w7_bulk_row *row)
{
    const w7_record *record = &bulk->record;
    w7_line line;
    int64_t stop;
    if (w7_bulk_take_slot(bulk, record->width, record->height) != W7_OK)
        return -1;
    if (!bulk->with_positions && !bulk->with_facts &&
        w7_line_replay(record, &bulk->slot->board, bulk->max_moves, (uintptr_t)bulk->next_text, &line, &stop)) {
        bulk->spent += line.moves;
        if (stop >= 0 && w7_bulk_leaves(bulk, W7_EVENT_STOP))
            return 0;
        if (stop >= 0 && w7_bulk_note_line(bulk, stop) < 0)
            return -1;
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
