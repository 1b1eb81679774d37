/* Reading steps, marks, stones and results into the columns of the record. */
#ifndef W7_STEPS_H
#define W7_STEPS_H

#include "values.h"

/* Constraint point. Unknown members are kept for the row `index` of `owner`. */
static inline int w7_read_point(w7_reader *reader, int place, int owner, int64_t index, int32_t *x, int32_t *y)
{
    w7_members members;
    int good = 1;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, place);
    members = w7_members_of(reader, &W7_POINT_RULE);
    for (;;) {
        int name = w7_next_member(reader, &members), status = W7_GOOD;
        if (name == W7_MEMBERS_END)
            break;
        if (name == W7_MEMBERS_STOPPED)
            return W7_STOPPED;
        if (name == W7_MEMBERS_UNKNOWN) {
            if (!w7_keep_unknown(reader, &members, owner, index, W7_INSIDE_POINT))
                return W7_STOPPED;
            continue;
        }
        status = w7_read_integer(reader, W7_AT_COORDINATE, 0, W7_POINT_OFF_BOARD, name == W7_N_X ? x : y);
        if (status == W7_STOPPED)
            return W7_STOPPED;
        good &= status == W7_GOOD;
    }
    return good && w7_has(&members, W7_N_X) && w7_has(&members, W7_N_Y) ? W7_GOOD : W7_BAD;
}

/* Constraint problem: {"color": c}. */
static inline int w7_read_problem(w7_reader *reader, const w7_object_rule *rule, int owner, int64_t index,
                                  uint8_t *color)
{
    w7_members members;
    int good = 0;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, rule->place);
    members = w7_members_of(reader, rule);
    for (;;) {
        int name = w7_next_member(reader, &members), status;
        if (name == W7_MEMBERS_END)
            return good ? W7_GOOD : W7_BAD;
        if (name == W7_MEMBERS_STOPPED)
            return W7_STOPPED;
        if (name == W7_MEMBERS_UNKNOWN) {
            if (!w7_keep_unknown(reader, &members, owner, index, W7_INSIDE_PROBLEM))
                return W7_STOPPED;
            continue;
        }
        status = w7_read_color(reader, W7_AT_PROBLEM_COLOR, color);
        if (status == W7_STOPPED)
            return W7_STOPPED;
        good = status == W7_GOOD;
    }
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
    int good = 1;
    result->winner = 0;
    result->margin = w7_no_span();
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, rule->place);
    members = w7_members_of(reader, rule);
    for (;;) {
        int name = w7_next_member(reader, &members), status = W7_GOOD;
        if (name == W7_MEMBERS_END)
            break;
        if (name == W7_MEMBERS_STOPPED)
            return W7_STOPPED;
        if (name == W7_MEMBERS_UNKNOWN) {
            if (owner < 0 ? !w7_pass_value(reader)
                          : !w7_keep_unknown(reader, &members, owner, index, W7_INSIDE_OWNER))
                return W7_STOPPED;
            continue;
        }
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
    if (!good || !w7_has(&members, W7_N_WINNER))
        return W7_BAD;
    if (result->winner == 0 && result->margin.begin >= 0)
        w7_note_at(reader, W7_RESULT_MARGIN_DRAW, rule->place, offset, 0);
    return W7_GOOD;
}

/* One character of the set a-z A-Z 0-9 @ # $ % & ?, and * in revision 2. */
static inline int w7_read_symbol(w7_reader *reader, uint8_t *symbol)
{
    w7_span span;
    uint8_t text[8];
    int status = w7_read_text(reader, W7_AT_SYMBOL, &span), length;
    if (status != W7_GOOD)
        return status;
    length = w7_string_value(reader, span, text, (int)sizeof text);
    if (length == 1 && text[0] != 0) {
        uint8_t c = text[0];
        if ((c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || strchr("@#$%&?", c) != NULL
            || (c == '*' && reader->options.revision == 2)) {
            *symbol = c;
            return W7_GOOD;
        }
    }
    w7_note_at(reader, W7_VALUE_NOT_ALLOWED, W7_AT_SYMBOL, span.begin, 0);
    return W7_BAD;
}

/* What a stone is, and what a mark is: the same but for the member beside `point`. */
typedef struct {
    const w7_object_rule *rule;
    int owner; /* of unknown members */
} w7_placed_kind;

static const w7_placed_kind W7_STONE_KIND = {&W7_STONE_RULE, W7_OWNER_STONE};
static const w7_placed_kind W7_MARK_KIND = {&W7_MARK_RULE, W7_OWNER_MARK};
static const w7_placed_kind W7_MARK_ACTION_KIND = {&W7_MARK_RULE, W7_OWNER_VALUE};

/* Reads a stone or a mark. Unknown members are kept for the row `index`. */
static inline int w7_read_placed(w7_reader *reader, const w7_placed_kind *kind, int place, int64_t index,
                                 w7_placed *placed)
{
    w7_members members;
    int good = 1;
    memset(placed, 0, sizeof *placed);
    placed->offset = w7_at(reader, reader->p);
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, place);
    members = w7_members_of(reader, kind->rule);
    for (;;) {
        int name = w7_next_member(reader, &members), status;
        if (name == W7_MEMBERS_END)
            break;
        if (name == W7_MEMBERS_STOPPED)
            return W7_STOPPED;
        if (name == W7_MEMBERS_UNKNOWN) {
            if (!w7_keep_unknown(reader, &members, kind->owner, index, W7_INSIDE_OWNER))
                return W7_STOPPED;
            continue;
        }
        if (name == W7_N_POINT)
            status = w7_read_point(reader, W7_AT_POINT, kind->owner, index, &placed->x, &placed->y);
        else if (name == W7_N_COLOR)
            status = w7_read_color(reader, W7_AT_STONE_COLOR, &placed->what);
        else
            status = w7_read_symbol(reader, &placed->what);
        if (status == W7_STOPPED)
            return W7_STOPPED;
        good &= status == W7_GOOD;
    }
    return good && (members.seen & kind->rule->required) == kind->rule->required ? W7_GOOD : W7_BAD;
}

/* Reads the stones of a pre or the marks of a position into `table`. A list with an element that
 * cannot be used is W7_BAD as a whole and adds no rows. */
static inline int w7_read_placed_list(w7_reader *reader, const w7_placed_kind *kind, int place, w7_placed_table *table,
                                      int32_t *first, int32_t *count)
{
    int64_t kept = reader->record->kept.count;
    w7_elements elements = {0};
    int good = 1, more;
    if (w7_peek(reader) != '[')
        return w7_refuse(reader, W7_TYPE_MISMATCH, place);
    *first = (int32_t)table->count;
    while ((more = w7_next_element(reader, &elements)) > 0) {
        w7_placed placed;
        int status;
        if (w7_at_row_limit(reader, table->count))
            return W7_STOPPED;
        status = w7_read_placed(reader, kind, kind->rule->place, table->count, &placed);
        if (status == W7_STOPPED)
            return W7_STOPPED;
        good &= status == W7_GOOD;
        if (W7_TABLE_RESERVE_ONE(table) != 0)
            return w7_out_of_memory(reader);
        table->at[table->count++] = placed;
    }
    if (more < 0)
        return W7_STOPPED;
    if (!good) {
        table->count = *first;
        reader->record->kept.count = kept;
        return W7_BAD;
    }
    *count = (int32_t)(table->count - *first);
    return W7_GOOD;
}

static inline int w7_read_marks(w7_reader *reader, int place, int32_t *first, int32_t *count)
{
    return w7_read_placed_list(reader, &W7_MARK_KIND, place, &reader->record->marks, first, count);
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
    int second = reader->options.revision == 2, good = 1;
    w7_members members;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_MOVE);
    members = w7_members_of(reader, second ? &W7_MOVE_RULE_REVISION_2 : &W7_MOVE_RULE);
    for (;;) {
        int name = w7_next_member(reader, &members), status = W7_GOOD, evaluation = 0;
        int64_t value = w7_at(reader, reader->p);
        if (name == W7_MEMBERS_END)
            break;
        switch (name) {
        case W7_MEMBERS_STOPPED:
            return W7_STOPPED;
        case W7_MEMBERS_UNKNOWN:
            if (!w7_keep_unknown(reader, &members, W7_OWNER_VALUE, index, W7_INSIDE_OWNER))
                return W7_STOPPED;
            continue;
        case W7_N_COLOR:
            status = w7_read_color(reader, W7_AT_MOVE_COLOR, &draft->row.color);
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
    draft->row.kind = W7_STEP_MOVE;
    return good && w7_has(&members, W7_N_COLOR) && w7_has(&members, W7_N_POINT) ? W7_GOOD : W7_BAD;
}

enum { W7_TYPE_MOVE, W7_TYPE_TAKEBACK, W7_TYPE_RESULT, W7_TYPE_MARK, W7_TYPE_MESSAGE };

/* Reads the value of an action whose type is known. */
static inline int w7_read_action_value(w7_reader *reader, int type, int64_t index, w7_step_draft *draft)
{
    w7_result result;
    w7_placed mark;
    int status;
    switch (type) {
    case W7_TYPE_MOVE:
        return w7_read_move(reader, index, draft);
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
        return w7_read_text(reader, W7_AT_MESSAGE, &draft->detail.value);
    }
}

/* Reads an action. `value` may stand before `type`: it is then read once the type is known. */
static inline int w7_read_action(w7_reader *reader, int64_t index, w7_step_draft *draft)
{
    static const char *const TYPES[] = {"move", "takeback", "result", "mark", "message", NULL};
    w7_members members;
    int type = -1, status = W7_BAD;
    const uint8_t *value = NULL;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_ACTION);
    members = w7_members_of(reader, &W7_ACTION_RULE);
    for (;;) {
        int name = w7_next_member(reader, &members);
        if (name == W7_MEMBERS_END)
            break;
        if (name == W7_MEMBERS_STOPPED)
            return W7_STOPPED;
        if (name == W7_MEMBERS_UNKNOWN) {
            if (!w7_keep_unknown(reader, &members, W7_OWNER_ACTION, index, W7_INSIDE_OWNER))
                return W7_STOPPED;
        } else if (name == W7_N_TYPE) {
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

/* Makes the draft a step that is only kept as text: what was read of it is dropped. */
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

/* Reads one element of `steps`. */
static inline int w7_read_step(w7_reader *reader)
{
    int64_t index = reader->record->steps.count, kept = reader->record->kept.count;
    w7_step_draft draft;
    w7_members members;
    int action = W7_BAD;
    w7_start_step(reader, &draft);
    if (w7_peek(reader) != '{') {
        if (w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_STEP) == W7_STOPPED)
            return 0;
        w7_keep_raw_step(reader, &draft, kept);
        return w7_add_step(reader, &draft);
    }
    members = w7_members_of(reader, &W7_STEP_RULE);
    for (;;) {
        int name = w7_next_member(reader, &members), status = W7_GOOD;
        int64_t value = w7_at(reader, reader->p);
        if (name == W7_MEMBERS_END)
            break;
        switch (name) {
        case W7_MEMBERS_STOPPED:
            return 0;
        case W7_MEMBERS_UNKNOWN:
            if (!w7_keep_unknown(reader, &members, W7_OWNER_STEP, index, W7_INSIDE_OWNER))
                return 0;
            continue;
        case W7_N_ACTION:
            action = w7_read_action(reader, index, &draft);
            if (action == W7_STOPPED)
                return 0;
            continue;
        case W7_N_TIME:
            status = w7_read_time(reader, &draft.detail.time, &draft.detail.seconds);
            if (status == W7_BAD)
                draft.detail.time = w7_no_span();
            break;
        case W7_N_ACTOR:
            status = w7_read_integer(reader, W7_AT_ACTOR, 0, W7_PARTICIPANT_INDEX, &draft.detail.actor);
            break;
        case W7_N_MARKS:
            status = w7_read_marks(reader, W7_AT_STEP_MARKS, &draft.detail.marks, &draft.detail.mark_count);
            break;
        default: /* W7_N_COMMENT */
            status = w7_read_text(reader, W7_AT_STEP_COMMENT, &draft.detail.comment);
            break;
        }
        if (status == W7_STOPPED)
            return 0;
        draft.has_detail |= status == W7_GOOD;
        if (status == W7_BAD && !w7_keep(reader, members.key, value, W7_OWNER_STEP, index, W7_INSIDE_OWNER))
            return 0;
    }
    if (action != W7_GOOD)
        w7_keep_raw_step(reader, &draft, kept);
    return w7_add_step(reader, &draft);
}

#endif
