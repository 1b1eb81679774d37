/* Points, and what is on them: reading stones and marks, alone and in lists, into the columns of the record. */
#ifndef W7_FORMATS_WEI7_POINTS_H
#define W7_FORMATS_WEI7_POINTS_H

#include "formats/wei7/checkpoint.h"
#include "formats/wei7/values.h"

/* Constraint point. Unknown members are kept for the row `index` of `owner`. */
static inline int w7_read_point(w7_reader *reader, int place, int owner, int64_t index, int32_t *x, int32_t *y)
{
    const uint8_t *begin;
    w7_members members;
    int good = 1, name, status;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, place);
    members = w7_members_of(reader, &W7_POINT_RULE);
    while ((name = w7_next_known_member(reader, &members, owner, index, W7_INSIDE_POINT)) >= 0) {
        begin = reader->p;
        status = w7_read_coordinate(reader, name == W7_N_X ? x : y);
        w7_trace_hole(&reader->trace, name == W7_N_X ? W7_HOLE_X : W7_HOLE_Y, begin, reader->p);
        if (status == W7_STOPPED)
            return W7_STOPPED;
        good &= status == W7_GOOD;
    }
    if (name == W7_MEMBERS_STOPPED)
        return W7_STOPPED;
    return good && w7_has(&members, W7_N_X) && w7_has(&members, W7_N_Y) ? W7_GOOD : W7_BAD;
}

/* The set a-z A-Z 0-9 @ # $ % & ?, and * in revision 2. */
static inline int w7_is_symbol(const w7_reader *reader, uint8_t c)
{
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '#' && c <= '&') || c == '@' ||
           c == '?' || (c == '*' && reader->options.revision == 2);
}

/* A string of one such character. */
static inline int w7_read_symbol(w7_reader *reader, uint8_t *symbol)
{
    w7_span span;
    uint8_t text[8];
    int status, length;
    if (reader->end - reader->p >= 3 && reader->p[0] == '"' && reader->p[2] == '"' &&
        w7_is_symbol(reader, reader->p[1])) {
        *symbol = reader->p[1];
        reader->p += 3;
        return W7_GOOD;
    }
    status = w7_read_text(reader, W7_AT_SYMBOL, &span);
    if (status != W7_GOOD)
        return status;
    length = w7_string_value(reader, span, text, (int)sizeof text);
    if (length == 1 && w7_is_symbol(reader, text[0])) {
        *symbol = text[0];
        return W7_GOOD;
    }
    w7_note_at(reader, W7_VALUE_NOT_ALLOWED, W7_AT_SYMBOL, span.begin, 0);
    return W7_BAD;
}

/* What a stone is, and what a mark is: the same but for the member next to `point`. */
typedef struct {
    const w7_object_rule *rule;
    int owner;    /* of unknown members */
    w7_root root; /* of its layouts, where it is in a list */
} w7_placed_kind;

static const w7_placed_kind W7_STONE_KIND = {&W7_STONE_RULE, W7_OWNER_STONE, W7_ROOT_STONE};
static const w7_placed_kind W7_MARK_KIND = {&W7_MARK_RULE, W7_OWNER_MARK, W7_ROOT_MARK};
static const w7_placed_kind W7_MARK_ACTION_KIND = {&W7_MARK_RULE, W7_OWNER_VALUE, W7_ROOT_STEP};

/* Reads a stone or a mark. Unknown members are kept for the row `index`. */
static inline int w7_read_placed(w7_reader *reader, const w7_placed_kind *kind, int place, int64_t index,
                                 w7_placed *placed)
{
    const uint8_t *begin;
    w7_members members;
    int good = 1, name, status;
    memset(placed, 0, sizeof *placed);
    placed->offset = w7_at(reader, reader->p);
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, place);
    members = w7_members_of(reader, kind->rule);
    while ((name = w7_next_known_member(reader, &members, kind->owner, index, W7_INSIDE_OWNER)) >= 0) {
        begin = reader->p;
        if (name == W7_N_POINT) {
            status = w7_read_point(reader, W7_AT_POINT, kind->owner, index, &placed->x, &placed->y);
        } else if (name == W7_N_COLOR) {
            status = w7_read_color(reader, W7_AT_STONE_COLOR, &placed->what);
            w7_trace_hole(&reader->trace, W7_HOLE_COLOR, begin, reader->p);
        } else {
            status = w7_read_symbol(reader, &placed->what);
            w7_trace_hole(&reader->trace, W7_HOLE_SYMBOL, begin, reader->p);
        }
        if (status == W7_STOPPED)
            return W7_STOPPED;
        good &= status == W7_GOOD;
    }
    if (name == W7_MEMBERS_STOPPED)
        return W7_STOPPED;
    return good && (members.seen & kind->rule->required) == kind->rule->required ? W7_GOOD : W7_BAD;
}

/* Reads a stone or a mark of a list by a layout. Returns whether it was read. */
static inline int w7_guess_placed(w7_reader *reader, w7_root root, w7_placed *placed)
{
    const w7_layouts *layouts = reader->layouts;
    const w7_attempt attempt = w7_begin_attempt(reader);
    int number = layouts->roots[root], good = 1;
    memset(placed, 0, sizeof *placed);
    placed->offset = w7_at(reader, reader->p);
    while (good) {
        const w7_piece *piece;
        number = w7_layout_follow(layouts, number, reader->p, reader->end);
        if (number == 0)
            break;
        piece = &layouts->pieces[number];
        reader->p += piece->length;
        switch (piece->hole) {
        case W7_HOLE_NONE: return w7_is_plain_since(reader, &attempt, 0) || w7_drop_attempt(reader, &attempt);
        case W7_HOLE_COLOR: good = w7_read_color(reader, W7_AT_STONE_COLOR, &placed->what) == W7_GOOD; break;
        case W7_HOLE_SYMBOL: good = w7_read_symbol(reader, &placed->what) == W7_GOOD; break;
        default:
            good = w7_read_coordinate(reader, piece->hole == W7_HOLE_X ? &placed->x : &placed->y) == W7_GOOD;
            break;
        }
        number = piece->child;
    }
    return w7_drop_attempt(reader, &attempt);
}

/* Reads a stone or a mark of a list, in full, and learns its layout where it has one. */
static inline int w7_read_placed_element(w7_reader *reader, const w7_placed_kind *kind, int64_t index,
                                         w7_placed *placed)
{
    const uint8_t *begin = reader->p;
    const w7_attempt attempt = w7_begin_attempt(reader);
    const int traced = reader->trace.count;
    const int status = w7_read_placed(reader, kind, kind->rule->place, index, placed);
    if (status == W7_GOOD && reader->layouts != NULL && w7_is_plain_since(reader, &attempt, 0))
        w7_learn(reader->layouts, kind->root, begin, reader->p, &reader->trace, traced, NULL, reader->guessed);
    reader->trace.count = traced;
    return status;
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
        if (reader->layouts != NULL && w7_guess_placed(reader, kind->root, &placed))
            status = W7_GOOD;
        else
            status = w7_read_placed_element(reader, kind, table->count, &placed);
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

#endif
