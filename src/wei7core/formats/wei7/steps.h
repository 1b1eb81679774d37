/* Reading steps, problems and results into the columns of the record. */
#ifndef W7_FORMATS_WEI7_STEPS_H
#define W7_FORMATS_WEI7_STEPS_H

#include "formats/wei7/points.h"

/* Constraint problem: {"color": c}. */
static inline int w7_read_problem(w7_reader *reader, const w7_object_rule *rule, int owner, int64_t index,
                                  uint8_t *color)
{
    w7_members members;
    int name, status = W7_BAD;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, rule->place);
    members = w7_members_of(reader, rule);
    while (status != W7_STOPPED &&
           (name = w7_next_known_member(reader, &members, owner, index, W7_INSIDE_PROBLEM)) != W7_MEMBERS_END)
        status = name == W7_MEMBERS_STOPPED ? W7_STOPPED : w7_read_color(reader, W7_AT_PROBLEM_COLOR, color);
    return status;
}

typedef struct {
    uint8_t winner;
    w7_span margin;
} w7_result;

/* Constraint result. Unknown members are kept for `owner` unless it is negative. */
static inline int w7_read_result(w7_reader *reader, const w7_object_rule *rule, int owner, int64_t index,
                                 w7_result *result)
{
    w7_members members;
    int64_t offset = w7_at(reader, reader->p);
    int good = 1, name;
    result->winner = 0;
    result->margin = w7_no_span();
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, rule->place);
    members = w7_members_of(reader, rule);
    while ((name = w7_next_known_member(reader, &members, owner, index, W7_INSIDE_OWNER)) >= 0) {
        int status;
        if (name == W7_N_MARGIN)
            status = w7_read_points(reader, W7_AT_MARGIN, 512, 0, &result->margin);
        else if (w7_is_null(reader))
            status = w7_pass_word(reader) ? W7_GOOD : W7_STOPPED;
        else
            status = w7_read_color(reader, W7_AT_WINNER, &result->winner);
        if (status == W7_STOPPED)
            return W7_STOPPED;
        good &= status == W7_GOOD;
    }
    if (name == W7_MEMBERS_STOPPED)
        return W7_STOPPED;
    if (!good || !w7_has(&members, W7_N_WINNER))
        return W7_BAD;
    if (result->winner == 0 && result->margin.begin >= 0)
        w7_note_at(reader, W7_RESULT_MARGIN_DRAW, rule->place, offset, 0);
    return W7_GOOD;
}

/* A step while it is read. */
typedef struct {
    w7_step row;
    w7_detail detail;
    int has_detail;
} w7_step_draft;

static inline int w7_read_move(w7_reader *reader, int64_t index, w7_step_draft *draft)
{
    static const char *const EVALUATIONS[] = {"bad", "good", "trick", "controversial", NULL};
    static const char *const EVALUATIONS_REVISION_7[] = {"bad", "good", NULL};
    int second = reader->options.revision == 2, good = 1, name;
    w7_members members;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_MOVE);
    members = w7_members_of(reader, second ? &W7_MOVE_RULE_REVISION_2 : &W7_MOVE_RULE);
    while ((name = w7_next_known_member(reader, &members, W7_OWNER_VALUE, index, W7_INSIDE_OWNER)) >= 0) {
        int64_t value = w7_at(reader, reader->p);
        int status, evaluation = 0;
        switch (name) {
        case W7_N_COLOR:
            status = w7_read_color(reader, W7_AT_MOVE_COLOR, &draft->row.color);
            w7_trace_hole(&reader->trace, W7_HOLE_COLOR, reader->begin + value, reader->p);
            good &= status == W7_GOOD;
            break;
        case W7_N_POINT:
            draft->row.x = draft->row.y = -1;
            if (w7_is_null(reader))
                status = w7_pass_word(reader) ? W7_GOOD : W7_STOPPED;
            else
                status = w7_read_point(reader, W7_AT_MOVE_POINT, W7_OWNER_VALUE, index, &draft->row.x, &draft->row.y);
            good &= status == W7_GOOD;
            break;
        case W7_N_EVALUATION:
            status = w7_read_word(reader, W7_AT_EVALUATION, second ? EVALUATIONS : EVALUATIONS_REVISION_7, &evaluation);
            if (status == W7_GOOD)
                draft->row.tag = (uint8_t)(evaluation + W7_EVALUATION_BAD);
            else if (status == W7_BAD && !w7_keep(reader, members.key, value, W7_OWNER_VALUE, index, W7_INSIDE_OWNER))
                return W7_STOPPED;
            break;
        default: /* W7_N_PROBLEM, revision 2 */
            status = w7_read_problem(reader, &W7_MOVE_PROBLEM_RULE, W7_OWNER_VALUE, index, &draft->detail.problem);
            if (status == W7_GOOD)
                draft->has_detail = 1;
            else if (status == W7_BAD && !w7_keep(reader, members.key, value, W7_OWNER_VALUE, index, W7_INSIDE_OWNER))
                return W7_STOPPED;
            break;
        }
        if (status == W7_STOPPED)
            return W7_STOPPED;
    }
    if (name == W7_MEMBERS_STOPPED)
        return W7_STOPPED;
    draft->row.kind = W7_STEP_MOVE;
    return good && w7_has(&members, W7_N_COLOR) && w7_has(&members, W7_N_POINT) ? W7_GOOD : W7_BAD;
}

/* Reads the value of a member of a step other than its action. */
static inline int w7_read_step_member(w7_reader *reader, w7_hole hole, w7_detail *detail)
{
    const uint8_t *begin = reader->p;
    const int traced = reader->trace.count;
    int status;
    switch (hole) {
    case W7_HOLE_TIME:
        status = w7_read_time(reader, &detail->time, &detail->seconds);
        if (status == W7_BAD)
            detail->time = w7_no_span();
        break;
    case W7_HOLE_ACTOR: status = w7_read_integer(reader, W7_AT_ACTOR, 0, W7_PARTICIPANT_INDEX, &detail->actor); break;
    case W7_HOLE_MARKS: status = w7_read_marks(reader, W7_AT_STEP_MARKS, &detail->marks, &detail->mark_count); break;
    case W7_HOLE_MESSAGE: status = w7_read_text(reader, W7_AT_MESSAGE, &detail->value); break;
    default: status = w7_read_text(reader, W7_AT_STEP_COMMENT, &detail->comment); break;
    }
    reader->trace.count = traced;
    w7_trace_hole(&reader->trace, hole, begin, reader->p);
    return status;
}

enum { W7_TYPE_MOVE, W7_TYPE_TAKEBACK, W7_TYPE_RESULT, W7_TYPE_MARK, W7_TYPE_MESSAGE };

/* Reads the value of an action whose type is known. */
static inline int w7_read_action_value(w7_reader *reader, int type, int64_t index, w7_step_draft *draft)
{
    w7_result result;
    w7_placed mark;
    int status;
    switch (type) {
    case W7_TYPE_MOVE: return w7_read_move(reader, index, draft);
    case W7_TYPE_TAKEBACK:
        draft->row.kind = W7_STEP_TAKEBACK;
        return w7_read_integer(reader, W7_AT_TAKEBACK, 1, W7_TAKEBACK_TOO_DEEP, &draft->row.x);
    case W7_TYPE_RESULT:
        draft->row.kind = W7_STEP_RESULT;
        status = w7_read_result(reader, &W7_RESULT_RULE, W7_OWNER_VALUE, index, &result);
        if (status == W7_GOOD) {
            draft->row.color = result.winner;
            draft->detail.value = result.margin;
            draft->has_detail |= result.margin.begin >= 0;
        }
        return status;
    case W7_TYPE_MARK:
        draft->row.kind = W7_STEP_MARK;
        status = w7_read_placed(reader, &W7_MARK_ACTION_KIND, W7_AT_MARK_ACTION, index, &mark);
        if (status == W7_GOOD) {
            draft->row.x = mark.x;
            draft->row.y = mark.y;
            draft->row.tag = mark.what;
        }
        return status;
    default:
        draft->row.kind = W7_STEP_MESSAGE;
        draft->has_detail = 1;
        return w7_read_step_member(reader, W7_HOLE_MESSAGE, &draft->detail);
    }
}

/* Reads an action. `value` may come before `type`: it is then read once the type is known. */
static inline int w7_read_action(w7_reader *reader, int64_t index, w7_step_draft *draft)
{
    static const char *const TYPES[] = {"move", "takeback", "result", "mark", "message", NULL};
    w7_members members;
    int type = -1, status = W7_BAD, name;
    const uint8_t *value = NULL;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_ACTION);
    members = w7_members_of(reader, &W7_ACTION_RULE);
    while ((name = w7_next_known_member(reader, &members, W7_OWNER_ACTION, index, W7_INSIDE_OWNER)) >= 0) {
        if (name == W7_N_TYPE) {
            if (w7_read_word(reader, W7_AT_ACTION_TYPE, TYPES, &type) == W7_STOPPED)
                return W7_STOPPED;
        } else if (type >= 0) {
            status = w7_read_action_value(reader, type, index, draft);
            if (status == W7_STOPPED)
                return W7_STOPPED;
        } else {
            int passed;
            value = reader->p;
            reader->quiet++;
            passed = w7_pass_value(reader);
            reader->quiet--;
            if (!passed)
                return W7_STOPPED;
        }
    }
    if (name == W7_MEMBERS_STOPPED)
        return W7_STOPPED;
    if (value != NULL) {
        const uint8_t *resume = reader->p;
        reader->p = value;
        if (type >= 0)
            status = w7_read_action_value(reader, type, index, draft);
        else if (!w7_pass_value(reader))
            status = W7_STOPPED;
        if (status == W7_STOPPED)
            return W7_STOPPED;
        reader->p = resume;
    }
    /* A claim, mark or message that cannot be read leaves the moves readable. */
    if (status == W7_BAD)
        draft->row.kind = type > W7_TYPE_TAKEBACK ? W7_STEP_RAW : W7_STEP_UNREADABLE;
    return status;
}

/* What the whole of the steps is like, for the checks that look for something rare. */
static inline void w7_count_step(w7_reader *reader, const w7_step *row)
{
    reader->kinds |= 1u << row->kind;
    reader->bare_moves += row->kind == W7_STEP_MOVE && row->detail < 0;
    if (row->kind == W7_STEP_MOVE && row->x > reader->largest_x)
        reader->largest_x = row->x;
    if (row->kind == W7_STEP_MOVE && row->y > reader->largest_y)
        reader->largest_y = row->y;
}

/* Adds the step [offset, reader) to the table, with a row of details where it needs one. */
static inline int w7_add_step(w7_reader *reader, w7_step_draft *draft)
{
    w7_steps *steps = &reader->record->steps;
    w7_details *details = &reader->record->details;
    if (draft->has_detail) {
        if (W7_TABLE_RESERVE_ONE(details) != 0)
            return w7_out_of_memory(reader);
        draft->row.detail = (int32_t)details->count;
        details->at[details->count++] = draft->detail;
    }
    if (W7_TABLE_RESERVE_ONE(steps) != 0)
        return w7_out_of_memory(reader);
    w7_count_step(reader, &draft->row);
    steps->at[steps->count++] = draft->row;
    return 1;
}

static inline void w7_start_step(const w7_reader *reader, w7_step_draft *draft)
{
    memset(draft, 0, sizeof *draft);
    draft->row.offset = w7_at(reader, reader->p);
    draft->row.detail = -1;
    draft->detail.time = draft->detail.comment = draft->detail.value = w7_no_span();
    draft->detail.seconds = -1.0;
    draft->detail.mark_count = -1;
    draft->detail.actor = -1;
}

/* Turns the draft into a step kept as text: its parsed values are dropped. */
static inline void w7_keep_raw_step(w7_reader *reader, w7_step_draft *draft, int64_t kept)
{
    int64_t offset = draft->row.offset;
    int kind = draft->row.kind;
    w7_start_step(reader, draft);
    draft->row.offset = offset;
    draft->row.kind = (uint8_t)kind;
    draft->detail.value.begin = offset;
    draft->detail.value.end = w7_at(reader, reader->p);
    draft->has_detail = 1;
    reader->record->kept.count = kept;
}

/* Whether the step is all in its row and the holes of its layout. */
static inline int w7_is_learnable(const w7_step_draft *draft)
{
    switch (draft->row.kind) {
    case W7_STEP_MOVE: return draft->detail.problem == 0;
    case W7_STEP_RESULT: return draft->detail.value.begin < 0;
    case W7_STEP_TAKEBACK:
    case W7_STEP_MARK:
    case W7_STEP_MESSAGE: return 1;
    default: return 0;
    }
}

/* Reads one element of `steps` in full, and learns its layout where it has one. */
static inline int w7_read_step(w7_reader *reader)
{
    const w7_attempt attempt = w7_begin_attempt(reader);
    int64_t index = reader->record->steps.count, kept = reader->record->kept.count;
    w7_step_draft draft;
    w7_members members;
    int action = W7_BAD, name;
    reader->trace.count = 0;
    w7_start_step(reader, &draft);
    if (w7_peek(reader) != '{') {
        if (w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_STEP) == W7_STOPPED)
            return 0;
        w7_keep_raw_step(reader, &draft, kept);
        return w7_add_step(reader, &draft);
    }
    members = w7_members_of(reader, &W7_STEP_RULE);
    while ((name = w7_next_known_member(reader, &members, W7_OWNER_STEP, index, W7_INSIDE_OWNER)) >= 0) {
        int64_t value = w7_at(reader, reader->p);
        int status;
        switch (name) {
        case W7_N_ACTION:
            action = w7_read_action(reader, index, &draft);
            if (action == W7_STOPPED)
                return 0;
            continue;
        case W7_N_TIME: status = w7_read_step_member(reader, W7_HOLE_TIME, &draft.detail); break;
        case W7_N_ACTOR: status = w7_read_step_member(reader, W7_HOLE_ACTOR, &draft.detail); break;
        case W7_N_MARKS: status = w7_read_step_member(reader, W7_HOLE_MARKS, &draft.detail); break;
        default: status = w7_read_step_member(reader, W7_HOLE_COMMENT, &draft.detail); break; /* W7_N_COMMENT */
        }
        if (status == W7_STOPPED)
            return 0;
        draft.has_detail |= status == W7_GOOD;
        if (status == W7_BAD && !w7_keep(reader, members.key, value, W7_OWNER_STEP, index, W7_INSIDE_OWNER))
            return 0;
    }
    if (name == W7_MEMBERS_STOPPED)
        return 0;
    if (action != W7_GOOD)
        w7_keep_raw_step(reader, &draft, kept);
    else if (reader->layouts != NULL && w7_is_plain_since(reader, &attempt, w7_trace_unknown(&reader->trace)) &&
             w7_is_learnable(&draft))
        w7_learn(reader->layouts, W7_ROOT_STEP, attempt.p, reader->p, &reader->trace, 0, &draft.row, reader->guessed);
    return w7_add_step(reader, &draft);
}

#endif
