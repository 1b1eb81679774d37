/* The content of SGF nodes as members of wei7. */
#ifndef W7_FORMATS_SGF_WRITE_NODE_H
#define W7_FORMATS_SGF_WRITE_NODE_H

#include "formats/sgf/write_losses.h"

/* What becomes of a property; those of the root alone come first. */
enum {
    W7_SGF_NOT_WRITTEN = 0, /* the record is converted as a document */
    W7_SGF_OF_TEXT,         /* FF, CA, GM, SZ: nothing */
    W7_SGF_MEMBER,          /* GN, PC, PB, BR, PW, WR */
    W7_SGF_EVENT,           /* EV, RO: the name of a game that has none, else a line of the comment */
    W7_SGF_READ,            /* KM, RU, RE: read in Python */
    W7_SGF_HANDICAP,        /* HA: a line where the stones are not as many */
    W7_SGF_LINES,           /* GC: lines of the comment */
    W7_SGF_LINE,            /* a line of the comment */
    W7_SGF_OF_VALUES,       /* TB, TW: a line of all values */
    W7_SGF_TO_PLAY,         /* PL: a line with the name of the color */
    W7_SGF_UNTIMED,         /* BL, WL, OB, OW: left out */
    W7_SGF_DROPPED,         /* left out, without a counterpart */
    W7_SGF_SHAPES,          /* TR, CR, SQ, MA, SL: marks, of nodes after the root as all that follow */
    W7_SGF_LABELS_ON,       /* LB: marks */
    W7_SGF_WORTH            /* TE, BM: the evaluation of a move */
};

/* What Python makes of KM, RU or RE: the parts of JSON that they become. */
typedef struct {
    const uint8_t *first; /* of KM the komi, of RU the scoring, of RE the result; NULL: none */
    int64_t first_size;
    const uint8_t *second; /* of RU the type */
    int64_t second_size;
    int is_complete; /* the comment needs nothing more */
    int is_normal;   /* and the text is in the words of the standard */
    int is_possible; /* wei7 can have such a value */
} w7_sgf_parts;

typedef struct {
    const w7_step_texts *steps; /* or NULL */
    w7_sgf_writing writing;
    uint8_t *const *label; /* of the lines of the comment, by place; with their sizes */
    const int64_t *label_size;
    w7_sgf_parts komi, rules, result;
} w7_sgf_context;

enum { W7_SGF_NAME, W7_SGF_PLACE, W7_SGF_BLACK, W7_SGF_BLACK_RANK, W7_SGF_WHITE, W7_SGF_WHITE_RANK, W7_SGF_MEMBERS };

/* The content of the root or another node: texts of the members of `info`, and the lines that go into the comment. */
typedef struct {
    w7_sgf_plain_text member[W7_SGF_MEMBERS];
    w7_sgf_plain_text event, round;
    w7_out texts;
    w7_out lines; /* with a line break before each */
    w7_out marks; /* JSON, with a comma before each */
    const char *evaluation;
    int may_ask; /* the record is a problem if a comment or an evaluation shows it */
    w7_sgf_losses *losses;
} w7_sgf_node_texts;

/* Appends the line of a property to the comment. */
static inline int w7_sgf_put_line(const w7_sgf_context *context, w7_sgf_node_texts *root, int place,
                                  w7_sgf_plain_text text)
{
    if (w7_sgf_is_blank(&root->texts, text))
        return W7_WRITTEN;
    if (w7_out_reserve(&root->lines, context->label_size[place] + text.size + 3))
        return W7_WRITE_NO_MEMORY;
    root->lines.at[root->lines.count++] = '\n';
    w7_out_put(&root->lines, context->label[place], context->label_size[place]);
    W7_OUT_PUT(&root->lines, ": ");
    w7_out_put(&root->lines, root->texts.at + text.begin, text.size);
    return w7_sgf_lose(root->losses, W7_SGF_MOVED, place);
}

/* Writes PL in `text` as the color that it names. Returns 0 where that is not plain. */
static inline int w7_sgf_name_color(w7_sgf_node_texts *node, w7_sgf_plain_text *text)
{
    static const char names[2][6] = {"black", "white"};
    const w7_sgf_plain_text name = w7_sgf_stripped(&node->texts, *text);
    uint8_t *p = node->texts.at + name.begin;
    int color;
    int64_t k;
    for (k = 0; k < name.size; k++)
        if (p[k] >= 0x80)
            return 0; /* it may be a capital of another alphabet */
    for (color = 0; color < 2; color++) {
        for (k = 0; k < name.size && k < 5 && (p[k] | 0x20) == names[color][k]; k++)
            ;
        if (k != name.size || (k != 1 && k != 5))
            continue;
        if (w7_out_reserve(&node->texts, 5))
            return 0;
        text->begin = node->texts.count;
        text->size = 5;
        w7_out_put(&node->texts, color ? "White" : "Black", 5);
        break;
    }
    return 1;
}

/* Reads a property that is a line of the comment of any node, or left out. */
static inline int w7_sgf_read_other(const w7_sgf_context *context, const w7_sgf_node_property *one, int kind,
                                    w7_sgf_node_texts *node)
{
    const uint8_t *p = one->value, *end = p + one->value_size, *close;
    w7_sgf_plain_text text = {node->texts.count, 0}, part;
    w7_sgf_node_property single = *one;
    int status;
    if (w7_sgf_closing(p + 1, end) == NULL)
        return W7_DECLINED; /* the text ends in it */
    if (kind == W7_SGF_UNTIMED)
        return w7_sgf_lose_clock(node->losses, one->place);
    if (kind == W7_SGF_DROPPED)
        return w7_sgf_lose_name(node->losses, one);
    if (kind > W7_SGF_DROPPED)
        return W7_DECLINED;
    for (; p < end; p = close + 1) {
        while (p < end && w7_sgf_is_space(*p))
            p++;
        if (p == end)
            break;
        close = *p == '[' ? w7_sgf_closing(p + 1, end) : NULL;
        if (close == NULL || (kind != W7_SGF_OF_VALUES && close + 1 != end))
            return W7_DECLINED;
        single.value = p;
        single.value_size = close + 1 - p;
        status = w7_sgf_read_plain(&single, &node->texts, &part, single.value_size, 0);
        if (status != W7_WRITTEN)
            return status;
        if (w7_sgf_is_blank(&node->texts, part)) {
            node->texts.count = part.begin;
            continue;
        }
        if (text.size > 0) {
            if (w7_out_reserve(&node->texts, 2))
                return W7_WRITE_NO_MEMORY;
            memmove(node->texts.at + part.begin + 2, node->texts.at + part.begin, (size_t)part.size);
            memcpy(node->texts.at + part.begin, ", ", 2);
            node->texts.count += 2;
        }
        text.size = node->texts.count - text.begin;
    }
    if (kind == W7_SGF_TO_PLAY && !w7_sgf_name_color(node, &text))
        return W7_DECLINED;
    return w7_sgf_put_line(context, node, one->place, text);
}

/* Appends the marks of a node, where there are any, after `before`. Returns 0 where memory is short. */
static inline int w7_sgf_put_marks(w7_sgf_node_texts *node, w7_out *out, const char *before)
{
    if (node->marks.count == 0)
        return 1;
    if (!w7_json_put(out, before) || !w7_json_put(out, "\"marks\":[") || w7_out_reserve(out, node->marks.count + 1))
        return 0;
    w7_out_put(out, node->marks.at + 1, node->marks.count - 1);
    out->at[out->count++] = ']';
    return 1;
}

/* Whether a byte is one of the symbols of wei7. */
static inline int w7_sgf_is_symbol(uint8_t c)
{
    return w7_sgf_is_digit(c) || (uint8_t)((c | 0x20) - 'a') < 26 || (c >= '#' && c <= '&') || c == '@' || c == '?';
}

/* Appends the text of a comment, and the lines after it. Returns 0 where memory is short. */
static inline int w7_sgf_put_comment(const uint8_t *source, w7_span comment, w7_sgf_node_texts *node, w7_out *out)
{
    const int64_t size = comment.begin < 0 ? 0 : comment.end - comment.begin, at = node->texts.count;
    const uint8_t *begin = source + (size > 0 ? comment.begin : 0);
    if (w7_out_reserve(&node->texts, size + node->lines.count + 1))
        return 0;
    w7_sgf_put_plain(&node->texts, begin, begin + size, 0);
    if (node->lines.count > 0) {
        const int skipped = node->texts.count == at; /* no comment before the lines */
        w7_out_put(&node->texts, node->lines.at + skipped, node->lines.count - skipped);
    }
    return w7_json_put_string(out, node->texts.at + at, node->texts.count - at);
}

/* Appends a step with a comma before it, which has the text of `steps`, if any, or else a comment of `node`. Returns 0 where
 * memory is short. */
static inline int w7_sgf_put_step(const w7_step *step, const w7_step_texts *steps, const uint8_t *source,
                                  w7_span comment, w7_sgf_node_texts *node, w7_out *out)
{
    if (w7_out_reserve(out, 128))
        return 0;
    if (steps != NULL) {
        const int32_t points = steps->width * steps->height;
        const int32_t row =
            (step->color == 2 ? points + 1 : 0) + (step->x < 0 ? points : step->y * steps->width + step->x);
        memcpy(out->at + out->count, steps->text + (size_t)row * W7_STEP_TEXT_BYTES, W7_STEP_TEXT_BYTES);
        out->count += steps->size[row];
        return 1;
    }
    w7_wei7_put_move(out, step->color, step->x, step->y);
    if (node->evaluation != NULL) {
        out->count -= 2;
        if (!w7_json_put(out, node->evaluation))
            return 0;
    }
    if (!w7_sgf_put_marks(node, out, ",") || w7_out_reserve(out, 16))
        return 0;
    if (comment.begin >= 0 || node->lines.count > 0) {
        W7_OUT_PUT(out, ",\"comment\":");
        if (!w7_sgf_put_comment(source, comment, node, out) || w7_out_reserve(out, 2))
            return 0;
    }
    out->at[out->count++] = '}';
    return 1;
}

/* Reads a property that marks points, each of them once. */
static inline int w7_sgf_read_marked(const w7_record *record, const w7_sgf_node_property *one, int kind,
                                     w7_sgf_node_texts *node)
{
    static const char symbols[] = "%@#&$"; /* of TR, CR, SQ, MA, SL */
    const uint8_t *p = one->value, *end = p + one->value_size, *close;
    const int shape = one->name[0] == 'T'   ? 0
                      : one->name[0] == 'C' ? 1
                      : one->name[0] == 'M' ? 3
                      : one->name[1] == 'Q' ? 2
                                            : 4;
    uint64_t taken[W7_SGF_MAX_SIZE] = {0};
    for (; p < end; p = close + 1) {
        int status, x, y;
        while (p < end && w7_sgf_is_space(*p))
            p++;
        if (p == end)
            break;
        close = *p == '[' ? w7_sgf_closing(p + 1, end) : NULL;
        if (close == NULL)
            return W7_DECLINED;
        if (close == p + 1)
            continue;
        if (close - p != (kind == W7_SGF_SHAPES ? 3 : 5))
            return W7_DECLINED;
        x = p[1] - 'a';
        y = p[2] - 'a';
        if (x < 0 || y < 0 || x >= record->width || y >= record->height || x > 25 || y > 25 ||
            (kind != W7_SGF_SHAPES && (p[3] != ':' || !w7_sgf_is_symbol(p[4]))))
            return W7_DECLINED;
        if (kind == W7_SGF_SHAPES) {
            if (taken[y] >> x & 1)
                continue;
            taken[y] |= UINT64_C(1) << x;
            status = w7_sgf_lose(node->losses, W7_SGF_SHAPE_LOST, one->place);
            if (status != W7_WRITTEN)
                return status;
        }
        if (w7_out_reserve(&node->marks, 64))
            return W7_WRITE_NO_MEMORY;
        W7_OUT_PUT(&node->marks, ",{\"point\":");
        w7_json_put_point(&node->marks, x, y);
        W7_OUT_PUT(&node->marks, ",\"symbol\":\"");
        node->marks.at[node->marks.count++] = kind == W7_SGF_SHAPES ? (uint8_t)symbols[shape] : p[4];
        W7_OUT_PUT(&node->marks, "\"}");
    }
    return W7_WRITTEN;
}

/* Reads the kept properties of a node after the root. *kept is the next row of them. */
static inline int w7_sgf_read_node(const w7_sgf_context *context, const w7_record *record, const uint8_t *source,
                                   int64_t row, int64_t *kept, w7_sgf_node_texts *node)
{
    const w7_kept *rows = record->kept.at;
    w7_sgf_node_properties properties;
    int k, status = W7_WRITTEN;
    properties.count = 0;
    for (; *kept < record->kept.count && rows[*kept].owner == W7_OWNER_STEP && rows[*kept].index == row; ++*kept) {
        w7_sgf_node_property one;
        int kind;
        if (!w7_sgf_kept_property(&rows[*kept], source, &context->writing, &one) ||
            w7_sgf_is_twice(&properties, &one) || !w7_sgf_add_property(&properties, &one))
            return W7_DECLINED;
        kind = context->writing.kind[one.place];
        if (kind < W7_SGF_LINE || (kind & W7_SGF_OF_ROOT))
            return W7_DECLINED;
        if (kind == W7_SGF_WORTH) {
            if (node->evaluation != NULL || node->may_ask || one.value_size != 3 || one.value[1] != '1' ||
                record->steps.at[row].kind != W7_STEP_MOVE)
                return W7_DECLINED;
            node->evaluation = one.name[0] == 'T' ? ",\"evaluation\":\"good\"}}" : ",\"evaluation\":\"bad\"}}";
        } else if (kind <= W7_SGF_DROPPED) {
            status = w7_sgf_read_other(context, &one, kind, node);
        }
        if (status != W7_WRITTEN)
            return status;
    }
    /* Marks are in the order of the ranks of their properties. */
    for (k = 0; status == W7_WRITTEN && k < properties.count; k++) {
        const int kind = context->writing.kind[properties.at[k].place];
        if (kind == W7_SGF_SHAPES || kind == W7_SGF_LABELS_ON)
            status = w7_sgf_read_marked(record, &properties.at[k], kind, node);
    }
    return status;
}

#endif
