/* Reading steps by the layouts learned from the steps before them (layout.h): the same rows as by reading each in full,
 * sooner. Whatever differs from every layout, or has a problem, is left to w7_read_step, which takes over at the
 * first byte of the step. */
#ifndef W7_FORMATS_WEI7_SPECULATE_H
#define W7_FORMATS_WEI7_SPECULATE_H

#include "formats/wei7/step_run.h"
#include "formats/wei7/steps.h"

/* Keeps the member whose value is at the reader. Its name, in which nothing is escaped, is just before it. */
static inline int w7_guess_unknown(w7_reader *reader, const w7_object_rule *rule, int owner)
{
    w7_members members = w7_members_of(reader, rule);
    const uint8_t *p = reader->p - 1;
    while (*p != '"')
        p--;
    members.key.end = w7_at(reader, p + 1);
    do
        p--;
    while (*p != '"');
    members.key.begin = w7_at(reader, p);
    w7_note_at(reader, W7_UNKNOWN_MEMBER, rule->place, members.key.begin, 0);
    return w7_keep_unknown(reader, &members, owner, reader->record->steps.count, W7_INSIDE_OWNER);
}

/* Puts what the hole holds at its place. Returns whether it was read. */
static inline int w7_guess_hole(w7_reader *reader, w7_hole hole, w7_step_draft *draft)
{
    switch (hole) {
    case W7_HOLE_COLOR: return w7_read_color(reader, W7_AT_MOVE_COLOR, &draft->row.color) == W7_GOOD;
    case W7_HOLE_X: return w7_read_coordinate(reader, &draft->row.x) == W7_GOOD;
    case W7_HOLE_Y: return w7_read_coordinate(reader, &draft->row.y) == W7_GOOD;
    case W7_HOLE_SYMBOL: return w7_read_symbol(reader, &draft->row.tag) == W7_GOOD;
    case W7_HOLE_UNKNOWN_OF_STEP: return w7_guess_unknown(reader, &W7_STEP_RULE, W7_OWNER_STEP);
    case W7_HOLE_UNKNOWN_OF_ACTION: return w7_guess_unknown(reader, &W7_ACTION_RULE, W7_OWNER_ACTION);
    case W7_HOLE_UNKNOWN_OF_MOVE: return w7_guess_unknown(reader, &W7_MOVE_RULE, W7_OWNER_VALUE);
    default: draft->has_detail = 1; return w7_read_step_member(reader, hole, &draft->detail) == W7_GOOD;
    }
}

/* The rest of a step of which the holes are read, a bit each: what its layout determines without them. */
static inline void w7_fill_step(w7_step *row, const w7_step *like, unsigned holes)
{
    row->kind = like->kind;
    if (!(holes & 1u << W7_HOLE_COLOR))
        row->color = like->color;
    if (!(holes & 1u << W7_HOLE_X))
        row->x = like->x;
    if (!(holes & 1u << W7_HOLE_Y))
        row->y = like->y;
    if (!(holes & 1u << W7_HOLE_SYMBOL))
        row->tag = like->tag;
}

/* Makes a run of the step [begin, reader) where it is of that kind, another one follows, and none was of use yet. */
static inline void w7_propose_run(w7_reader *reader, int end, const uint8_t *begin)
{
    w7_run *run = &reader->layouts->run;
    const uint8_t *next;
    if (run->end == end || run->used || !w7_trace_is_run(&reader->trace) || w7_peek(reader) != ',')
        return;
    next = w7_pass_space(reader->p + 1, reader->end);
    if (next < reader->end && *next == '{')
        w7_run_make(run, end, begin, reader->p, next, &reader->trace);
}

/* Reads one step by a layout. Returns whether it was read. */
static inline int w7_guess_step(w7_reader *reader)
{
    const w7_layouts *layouts = reader->layouts;
    const w7_attempt attempt = w7_begin_attempt(reader);
    int number = layouts->roots[W7_ROOT_STEP];
    unsigned holes = 0;
    int unknown = 0;
    w7_step_draft draft;
    if (number == 0)
        return 0;
    w7_start_step(reader, &draft);
    reader->trace.count = 0;
    for (;;) {
        const w7_piece *piece;
        const uint8_t *begin;
        number = w7_layout_follow(layouts, number, reader->p, reader->end);
        if (number == 0)
            break;
        piece = &layouts->pieces[number];
        begin = reader->p += piece->length;
        if (piece->hole == W7_HOLE_NONE) {
            if (!w7_is_plain_since(reader, &attempt, unknown))
                break;
            w7_fill_step(&draft.row, &layouts->ends[piece->child], holes);
            w7_propose_run(reader, piece->child, attempt.p);
            reader->guessed++;
            return w7_add_step(reader, &draft);
        }
        if (!w7_guess_hole(reader, piece->hole, &draft))
            break;
        holes |= 1u << piece->hole;
        unknown += piece->hole >= W7_HOLE_UNKNOWN_OF_STEP;
        if (!layouts->run.used && piece->hole < W7_HOLE_MARKS)
            w7_trace_hole(&reader->trace, piece->hole, begin, reader->p);
        number = piece->child;
    }
    return w7_drop_attempt(reader, &attempt);
}

enum { W7_RUN_ENDED, W7_RUN_ON_STEP };

/* What is known of rows that a run has added; where its first coordinate is y, they are put in their places first. */
static inline void w7_count_run(w7_reader *reader, w7_step *rows, int64_t count)
{
    const int y_first = reader->layouts->run.y_first;
    int32_t largest_x = reader->largest_x, largest_y = reader->largest_y;
    int64_t k;
    for (k = 0; y_first && k < count; k++) {
        const int32_t y = rows[k].x;
        rows[k].x = rows[k].y;
        rows[k].y = y;
    }
    for (k = 0; k < count; k++) {
        largest_x = rows[k].x > largest_x ? rows[k].x : largest_x;
        largest_y = rows[k].y > largest_y ? rows[k].y : largest_y;
    }
    reader->largest_x = largest_x;
    reader->largest_y = largest_y;
    reader->kinds |= 1u << W7_STEP_MOVE;
    reader->bare_moves += count;
    reader->guessed += count;
}

/* Reads steps as long as they follow the run. Returns W7_RUN_ON_STEP where the reader is at a step that was not
 * read, W7_RUN_ENDED where it is after one that was. */
static inline int w7_read_run(w7_reader *reader)
{
    w7_run *run = &reader->layouts->run;
    w7_steps *steps = &reader->record->steps;
    const int64_t most = steps->room < reader->options.max_steps ? steps->room : reader->options.max_steps;
    w7_step colors[2];
    int64_t count;
    int ended = 0;
    if (reader->end - reader->p < w7_run_extent(run) || steps->count >= most)
        return W7_RUN_ON_STEP;
    colors[0] = colors[1] = reader->layouts->ends[run->end];
    colors[0].detail = colors[1].detail = -1;
    colors[0].color = 1;
    colors[1].color = 2;
    count = w7_run_of_form(reader->options.isa)(run, colors, reader->begin, &reader->p, reader->end,
                                                steps->at + steps->count, most - steps->count, &ended);
    if (count == 0)
        return W7_RUN_ON_STEP;
    run->used = 1;
    w7_count_run(reader, steps->at + steps->count, count);
    steps->count += count;
    if (ended)
        return W7_RUN_ENDED;
    /* There may be more white space before the next step than before the learned one. */
    w7_skip_space(reader);
    return W7_RUN_ON_STEP;
}

/* Reads steps by their layouts: the reader is at the first. Returns W7_RUN_ON_STEP where it is at a step that
 * is for w7_read_step, W7_RUN_ENDED where it is after one. */
static inline int w7_guess_steps(w7_reader *reader)
{
    /* Values that are passed over have a limit of depth that layouts do not know. */
    if (reader->layouts == NULL || reader->options.max_depth - reader->depth < 8)
        return W7_RUN_ON_STEP;
    if (reader->layouts->run.end != 0) {
        if (reader->record->steps.count == reader->record->steps.room &&
            W7_TABLE_RESERVE_ONE(&reader->record->steps) != 0)
            return W7_RUN_ON_STEP;
        if (w7_read_run(reader) == W7_RUN_ENDED)
            return W7_RUN_ENDED;
    }
    if (reader->record->steps.count < reader->options.max_steps && w7_guess_step(reader))
        return W7_RUN_ENDED;
    return W7_RUN_ON_STEP;
}

#endif
