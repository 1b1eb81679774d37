/* JSON that is written: strings, members, points and moves of wei7, and the start of its records. */
#ifndef W7_FORMATS_WEI7_WRITE_JSON_H
#define W7_FORMATS_WEI7_WRITE_JSON_H

#include "_util/table.h"
#include "record/record.h"

/* Appends JSON as it is. Returns 0 where memory is short. */
static inline int w7_json_put(w7_out *out, const char *text)
{
    const int64_t size = (int64_t)strlen(text);
    if (w7_out_reserve(out, size))
        return 0;
    w7_out_put(out, text, size);
    return 1;
}

/* Appends a character that a string of JSON must escape. There is room. */
static inline void w7_json_put_escaped(w7_out *out, uint8_t c)
{
    static const char digits[] = "0123456789abcdef";
    out->at[out->count++] = '\\';
    switch (c) {
    case '"':
    case '\\': out->at[out->count++] = c; break;
    case '\n': out->at[out->count++] = 'n'; break;
    case '\r': out->at[out->count++] = 'r'; break;
    case '\t': out->at[out->count++] = 't'; break;
    case '\b': out->at[out->count++] = 'b'; break;
    case '\f': out->at[out->count++] = 'f'; break;
    default:
        W7_OUT_PUT(out, "u00");
        out->at[out->count++] = (uint8_t)digits[c >> 4];
        out->at[out->count++] = (uint8_t)digits[c & 15];
    }
}

/* Appends a string of JSON. Returns 0 where memory is short. */
static inline int w7_json_put_string(w7_out *out, const uint8_t *p, int64_t size)
{
    const uint8_t *end = p + size;
    if (size > (int64_t)(PTRDIFF_MAX / 8) || w7_out_reserve(out, size * 6 + 2))
        return 0;
    out->at[out->count++] = '"';
    for (; p < end; p++) {
        if (*p >= ' ' && *p != '"' && *p != '\\')
            out->at[out->count++] = *p;
        else
            w7_json_put_escaped(out, *p);
    }
    out->at[out->count++] = '"';
    return 1;
}

/* Begins a member of an object. Returns 0 where memory is short. */
static inline int w7_json_begin_member(w7_out *out, int *members, const char *name)
{
    const int64_t size = (int64_t)strlen(name);
    if (w7_out_reserve(out, size + 4))
        return 0;
    if ((*members)++ > 0)
        out->at[out->count++] = ',';
    out->at[out->count++] = '"';
    w7_out_put(out, name, size);
    W7_OUT_PUT(out, "\":");
    return 1;
}

/* Appends a member that is JSON already, where there is one. */
static inline int w7_json_put_part(w7_out *out, int *members, const char *name, const uint8_t *part, int64_t size)
{
    if (part == NULL)
        return 1;
    if (!w7_json_begin_member(out, members, name) || w7_out_reserve(out, size))
        return 0;
    w7_out_put(out, part, size);
    return 1;
}

/* Appends a point. There is room. */
static inline void w7_json_put_point(w7_out *out, int32_t x, int32_t y)
{
    W7_OUT_PUT(out, "{\"x\":");
    w7_out_put_number(out, x);
    W7_OUT_PUT(out, ",\"y\":");
    w7_out_put_number(out, y);
    out->at[out->count++] = '}';
}

/* Appends the start of a record of wei7, up to its size. Returns 0 where memory is short. */
static inline int w7_wei7_put_head(const w7_record *record, w7_out *out)
{
    if (w7_out_reserve(out, 128))
        return 0;
    W7_OUT_PUT(out, "{\"format\":\"wei7\",\"version\":\"3.0\"");
    if (record->size_form == W7_SIZE_INTEGER) {
        W7_OUT_PUT(out, ",\"size\":");
        w7_out_put_number(out, record->width);
    } else if (record->size_form == W7_SIZE_OBJECT) {
        W7_OUT_PUT(out, ",\"size\":{\"width\":");
        w7_out_put_number(out, record->width);
        W7_OUT_PUT(out, ",\"height\":");
        w7_out_put_number(out, record->height);
        out->at[out->count++] = '}';
    }
    return 1;
}

/* Appends a move with a comma before it, up to the end of its action. There is room. */
static inline void w7_wei7_put_move(w7_out *out, int color, int32_t x, int32_t y)
{
    W7_OUT_PUT(out, ",{\"action\":{\"type\":\"move\",\"value\":{\"color\":");
    out->at[out->count++] = (uint8_t)('0' + color);
    W7_OUT_PUT(out, ",\"point\":");
    if (x < 0)
        W7_OUT_PUT(out, "null");
    else
        w7_json_put_point(out, x, y);
    W7_OUT_PUT(out, "}}");
}

/* The text of each move of a board, with a comma before it; rows are copied whole. */
enum { W7_STEP_TEXT_BYTES = 80 };

typedef struct {
    int32_t width;
    int32_t height;
    uint8_t *text; /* rows of W7_STEP_TEXT_BYTES bytes: moves of Black by their points, its pass, then those of White */
    uint8_t *size;
} w7_step_texts;

/* Makes the texts of the moves of a board. Returns 0 where memory is short. */
static inline int w7_make_step_texts(w7_step_texts *steps, int32_t width, int32_t height)
{
    const int32_t points = width * height, count = 2 * (points + 1);
    int32_t row;
    steps->width = width;
    steps->height = height;
    steps->text = malloc((size_t)count * W7_STEP_TEXT_BYTES);
    steps->size = malloc((size_t)count);
    if (steps->text == NULL || steps->size == NULL)
        return 0;
    for (row = 0; row < count; row++) {
        const int32_t place = row % (points + 1);
        w7_out one = {steps->text + (size_t)row * W7_STEP_TEXT_BYTES, 0, W7_STEP_TEXT_BYTES};
        w7_wei7_put_move(&one, row > points ? 2 : 1, place == points ? -1 : place % width, place / width);
        one.at[one.count++] = '}';
        memset(one.at + one.count, 0, (size_t)(W7_STEP_TEXT_BYTES - one.count));
        steps->size[row] = (uint8_t)one.count;
    }
    return 1;
}

#endif
