/* A record of wei7 without problems as wei7 3.0 again, straight from its columns: compact, members in the order of the
 * specification's clauses, no empty lists. Kept members and numbers in unusual words are declined: the record is
 * converted as a document, which writes the same bytes of all others. */
#ifndef W7_FORMATS_WEI7_WRITE_H
#define W7_FORMATS_WEI7_WRITE_H

#include "formats/wei7/json.h"
#include "formats/wei7/write_json.h"
#include "formats/written.h"

/* Appends a string of JSON with no escape that JSON does not need. Returns a status, as all that appends does. */
static inline int w7_wei7_put_string(const uint8_t *source, w7_span span, w7_out *out)
{
    const uint8_t *p = source + span.begin, *end = source + span.end;
    if (w7_out_reserve(out, end - p))
        return W7_WRITE_NO_MEMORY;
    if (memchr(p, '\\', (size_t)(end - p)) == NULL) {
        w7_out_put(out, p, end - p);
        return W7_WRITTEN;
    }
    for (p++, end--, out->at[out->count++] = '"'; p < end;) {
        uint32_t c;
        if (*p != '\\') {
            out->at[out->count++] = *p++;
            continue;
        }
        c = w7_next_character(&p, end);
        if ((c & 0xFFFFF800) == 0xD800)
            return W7_DECLINED; /* half of a pair */
        /* No character is longer than its escape. */
        if (c < ' ' || c == '"' || c == '\\')
            w7_json_put_escaped(out, (uint8_t)c);
        else
            out->count += w7_utf8_write(out->at + out->count, c);
    }
    out->at[out->count++] = '"';
    return W7_WRITTEN;
}

/* Appends a number that is in the words in which it is written. */
static inline int w7_wei7_put_number(const uint8_t *source, w7_span span, w7_out *out)
{
    const uint8_t *p = source + span.begin, *end = source + span.end, *point = NULL, *at;
    if (end - p < 1 || end - p > 15)
        return W7_DECLINED;
    for (at = p; at < end; at++) {
        if (*at == '.' && point == NULL)
            point = at;
        else if (!w7_is_digit(*at))
            return W7_DECLINED;
    }
    if ((*p == '0' && end - p > 1 && p[1] != '.') || (point != NULL && (end[-1] == '0' || end[-1] == '.')) ||
        (end - p > 5 && memcmp(p, "0.0000", 6) == 0))
        return W7_DECLINED;
    if (w7_out_reserve(out, end - p))
        return W7_WRITE_NO_MEMORY;
    w7_out_put(out, p, end - p);
    return W7_WRITTEN;
}

/* Appends a point after `before`; there is room for what follows. */
static inline int w7_wei7_put_point(const char *before, int32_t x, int32_t y, w7_out *out)
{
    if (x < 0 || y < 0)
        return W7_DECLINED;
    if (!w7_json_put(out, before) || w7_out_reserve(out, 64))
        return W7_WRITE_NO_MEMORY;
    w7_json_put_point(out, x, y);
    return W7_WRITTEN;
}

static inline int w7_wei7_put_mark(int32_t x, int32_t y, uint8_t symbol, w7_out *out)
{
    const int status = w7_wei7_put_point("{\"point\":", x, y, out);
    if (status != W7_WRITTEN)
        return status;
    if (symbol <= ' ' || symbol > '~' || symbol == '"' || symbol == '\\')
        return W7_DECLINED;
    W7_OUT_PUT(out, ",\"symbol\":\"");
    out->at[out->count++] = symbol;
    W7_OUT_PUT(out, "\"}");
    return W7_WRITTEN;
}

/* Appends a list of stones or marks, if it has any. */
static inline int w7_wei7_put_list(const w7_placed *rows, int32_t first, int32_t count, int is_stones, int *members,
                                   w7_out *out)
{
    int32_t k;
    int status = W7_WRITTEN;
    if (count <= 0)
        return W7_WRITTEN;
    if (!w7_json_begin_member(out, members, is_stones ? "stones" : "marks") || !w7_json_put(out, "["))
        return W7_WRITE_NO_MEMORY;
    rows += first;
    for (k = 0; status == W7_WRITTEN && k < count; k++) {
        if (k > 0 && !w7_json_put(out, ","))
            return W7_WRITE_NO_MEMORY;
        if (!is_stones) {
            status = w7_wei7_put_mark(rows[k].x, rows[k].y, rows[k].what, out);
            continue;
        }
        status = w7_wei7_put_point(rows[k].what == 1 ? "{\"color\":1,\"point\":" : "{\"color\":2,\"point\":", rows[k].x,
                                   rows[k].y, out);
        if (rows[k].what != 1 && rows[k].what != 2)
            return W7_DECLINED;
        if (status == W7_WRITTEN)
            out->at[out->count++] = '}';
    }
    return status == W7_WRITTEN && !w7_json_put(out, "]") ? W7_WRITE_NO_MEMORY : status;
}

/* Appends a member that is a string, where there is one. */
static inline int w7_wei7_put_text(const char *name, const uint8_t *source, w7_span span, int *members, w7_out *out)
{
    if (span.begin < 0)
        return W7_WRITTEN;
    return w7_json_begin_member(out, members, name) ? w7_wei7_put_string(source, span, out) : W7_WRITE_NO_MEMORY;
}

static inline int w7_wei7_put_problem(uint8_t color, int *members, w7_out *out)
{
    if (color > 2)
        return W7_DECLINED;
    if (color == 0)
        return W7_WRITTEN;
    return w7_json_begin_member(out, members, "problem") &&
                   w7_json_put(out, color == 1 ? "{\"color\":1}" : "{\"color\":2}")
               ? W7_WRITTEN
               : W7_WRITE_NO_MEMORY;
}

/* Appends the value of an action after its type. */
static inline int w7_wei7_put_value(const w7_step *step, const w7_detail *detail, const uint8_t *source, w7_out *out)
{
    static const char *const evaluations[] = {"bad", "good", "trick", "controversial"};
    const int has_value = detail != NULL && detail->value.begin >= 0;
    int status = W7_WRITTEN, members = 1;
    if (w7_out_reserve(out, 128))
        return W7_WRITE_NO_MEMORY;
    switch (step->kind) {
    case W7_STEP_MOVE:
        if ((step->color != 1 && step->color != 2) || step->tag > W7_EVALUATION_CONTROVERSIAL)
            return W7_DECLINED;
        W7_OUT_PUT(out, "\"move\",\"value\":{\"color\":");
        w7_out_put_number(out, step->color);
        W7_OUT_PUT(out, ",\"point\":");
        if (step->x < 0)
            W7_OUT_PUT(out, "null");
        else
            w7_json_put_point(out, step->x, step->y);
        if (step->tag > 0 && !(w7_json_begin_member(out, &members, "evaluation") && w7_json_put(out, "\"") &&
                               w7_json_put(out, evaluations[step->tag - 1]) && w7_json_put(out, "\"")))
            return W7_WRITE_NO_MEMORY;
        if (detail != NULL)
            status = w7_wei7_put_problem(detail->problem, &members, out);
        return status == W7_WRITTEN && !w7_json_put(out, "}") ? W7_WRITE_NO_MEMORY : status;
    case W7_STEP_TAKEBACK:
        if (step->x < 0)
            return W7_DECLINED;
        W7_OUT_PUT(out, "\"takeback\",\"value\":");
        w7_out_put_number(out, step->x);
        return W7_WRITTEN;
    case W7_STEP_RESULT:
        if (step->color > 2)
            return W7_DECLINED;
        W7_OUT_PUT(out, "\"result\",\"value\":{\"winner\":");
        if (step->color == 0)
            W7_OUT_PUT(out, "null");
        else
            w7_out_put_number(out, step->color);
        if (has_value) {
            W7_OUT_PUT(out, ",\"margin\":");
            status = w7_wei7_put_number(source, detail->value, out);
        }
        return status == W7_WRITTEN && !w7_json_put(out, "}") ? W7_WRITE_NO_MEMORY : status;
    case W7_STEP_MARK:
        W7_OUT_PUT(out, "\"mark\",\"value\":");
        return w7_wei7_put_mark(step->x, step->y, step->tag, out);
    case W7_STEP_MESSAGE:
        if (!has_value)
            return W7_DECLINED;
        W7_OUT_PUT(out, "\"message\",\"value\":");
        return w7_wei7_put_string(source, detail->value, out);
    default: return W7_DECLINED;
    }
}

/* Appends a step that has details or is no bare move. */
static inline int w7_wei7_put_step(const w7_record *record, const w7_step *step, const uint8_t *source, w7_out *out)
{
    const w7_detail *detail = step->detail < 0 ? NULL : &record->details.at[step->detail];
    int members = 0, status = W7_WRITTEN;
    if (!w7_json_put(out, "{"))
        return W7_WRITE_NO_MEMORY;
    if (detail != NULL && detail->time.begin >= 0) {
        if (!w7_json_begin_member(out, &members, "time"))
            return W7_WRITE_NO_MEMORY;
        status = w7_wei7_put_number(source, detail->time, out);
    }
    if (status == W7_WRITTEN) {
        if (!w7_json_begin_member(out, &members, "action") || !w7_json_put(out, "{\"type\":"))
            return W7_WRITE_NO_MEMORY;
        status = w7_wei7_put_value(step, detail, source, out);
    }
    if (status == W7_WRITTEN && !w7_json_put(out, "}"))
        return W7_WRITE_NO_MEMORY;
    if (status == W7_WRITTEN && detail != NULL) {
        if (detail->actor >= 0) {
            if (!w7_json_begin_member(out, &members, "actor") || w7_out_reserve(out, 16))
                return W7_WRITE_NO_MEMORY;
            w7_out_put_number(out, detail->actor);
        }
        status = w7_wei7_put_list(record->marks.at, detail->marks, detail->mark_count, 0, &members, out);
        if (status == W7_WRITTEN)
            status = w7_wei7_put_text("comment", source, detail->comment, &members, out);
    }
    return status == W7_WRITTEN && !w7_json_put(out, "}") ? W7_WRITE_NO_MEMORY : status;
}

/* Appends the steps of a tree, of which bare moves have the texts of `moves`, if any. */
static inline int w7_wei7_put_steps(const w7_record *record, const w7_tree *tree, const w7_step_texts *moves,
                                    const uint8_t *source, int *members, w7_out *out)
{
    const int32_t points = moves == NULL ? 0 : moves->width * moves->height;
    int32_t k;
    int status = W7_WRITTEN;
    if (tree->step_count <= 0)
        return W7_WRITTEN;
    if (!w7_json_begin_member(out, members, "steps") || !w7_json_put(out, "["))
        return W7_WRITE_NO_MEMORY;
    for (k = 0; status == W7_WRITTEN && k < tree->step_count; k++) {
        const w7_step *step = &record->steps.at[tree->first_step + k];
        if (w7_out_reserve(out, W7_STEP_TEXT_BYTES + 1))
            return W7_WRITE_NO_MEMORY;
        if (step->kind == W7_STEP_MOVE && step->detail < 0 && step->tag == 0 && points > 0 &&
            (step->color == 1 || step->color == 2) && step->x < moves->width && step->y < moves->height) {
            const int32_t at = step->x < 0 || step->y < 0 ? points : step->y * moves->width + step->x;
            const int32_t row = (step->color == 2 ? points + 1 : 0) + at;
            /* It has a comma before it, in place of which the list begins. */
            memcpy(out->at + out->count - (k == 0), moves->text + (size_t)row * W7_STEP_TEXT_BYTES, W7_STEP_TEXT_BYTES);
            if (k == 0)
                out->at[out->count - 1] = '[';
            out->count += moves->size[row] - (k == 0);
            continue;
        }
        if (k > 0)
            out->at[out->count++] = ',';
        status = w7_wei7_put_step(record, step, source, out);
    }
    return status == W7_WRITTEN && !w7_json_put(out, "]") ? W7_WRITE_NO_MEMORY : status;
}

/* Appends a tree after its bracket, up to its branches. */
static inline int w7_wei7_put_tree(const w7_record *record, const w7_tree *tree, const w7_step_texts *moves,
                                   const uint8_t *source, w7_out *out)
{
    int members = 0, status = w7_wei7_put_text("title", source, tree->title, &members, out);
    if (status == W7_WRITTEN && tree->pre >= 0) {
        const w7_pre *pre = &record->pres.at[tree->pre];
        int inner = 0;
        if (!w7_json_begin_member(out, &members, "pre") || !w7_json_put(out, "{"))
            return W7_WRITE_NO_MEMORY;
        status = w7_wei7_put_list(record->stones.at, pre->stones, pre->stone_count, 1, &inner, out);
        if (status == W7_WRITTEN)
            status = w7_wei7_put_problem(pre->problem, &inner, out);
        if (status == W7_WRITTEN)
            status = w7_wei7_put_list(record->marks.at, pre->marks, pre->mark_count, 0, &inner, out);
        if (status == W7_WRITTEN)
            status = w7_wei7_put_text("comment", source, pre->comment, &inner, out);
        if (status == W7_WRITTEN && !w7_json_put(out, "}"))
            return W7_WRITE_NO_MEMORY;
    }
    if (status == W7_WRITTEN)
        status = w7_wei7_put_steps(record, tree, moves, source, &members, out);
    if (status == W7_WRITTEN && tree->first_branch >= 0 &&
        !(w7_json_begin_member(out, &members, "branches") && w7_json_put(out, "[")))
        return W7_WRITE_NO_MEMORY;
    return status;
}

/* Appends the start of a record, up to its size. */
static inline int w7_wei7_put_start(const w7_record *record, w7_out *out)
{
    if (record->trees.count == 0 || (record->flags & W7_NOT_UTF8) || record->kept.count > 0 || record->width < 1 ||
        record->height < 1)
        return W7_DECLINED;
    return w7_wei7_put_head(record, out) ? W7_WRITTEN : W7_WRITE_NO_MEMORY;
}

/* Appends the rest of a record, from its tree on. */
static inline int w7_wei7_put_trees(const w7_record *record, const uint8_t *source, const w7_step_texts *moves,
                                    w7_out *out)
{
    const w7_tree *trees = record->trees.at;
    const int32_t count = (int32_t)record->trees.count;
    int32_t row, above;
    int status = W7_WRITTEN;
    if (moves != NULL && (moves->width != record->width || moves->height != record->height))
        moves = NULL;
    if (!w7_json_put(out, ",\"tree\":"))
        return W7_WRITE_NO_MEMORY;
    for (row = 0; status == W7_WRITTEN && row <= count; row++) {
        /* Ends what is between the last tree and the next one's parent. */
        for (above = row - 1; above >= 0 && (row == count || above != trees[row].parent); above = trees[above].parent)
            if (!w7_json_put(out, trees[above].first_branch >= 0 ? "]}" : "}"))
                return W7_WRITE_NO_MEMORY;
        if (row == count)
            break;
        if (!w7_json_put(out, trees[row].ordinal > 0 ? ",{" : "{"))
            return W7_WRITE_NO_MEMORY;
        status = w7_wei7_put_tree(record, &trees[row], moves, source, out);
    }
    return status == W7_WRITTEN && !w7_json_put(out, "}") ? W7_WRITE_NO_MEMORY : status;
}

#endif
