/* The rows of a table as text: CSV, or one JSON object a line. No Python.
 *
 * Texts are UTF-8 that may contain half of a surrogate pair, encoded in three bytes; it is written as an escape of six
 * characters, in both kinds without anything around it. */
#ifndef W7_TABLES_ROW_TEXT_H
#define W7_TABLES_ROW_TEXT_H

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "_util/table.h"

/* The text of a number is written unchanged. */
enum { W7_CELL_INTEGER = 0, W7_CELL_HASH, W7_CELL_TEXT, W7_CELL_BOARD, W7_CELL_NUMBER };

/* One column of `count` rows; only the fields of its kind are set. */
typedef struct {
    const int64_t *integers;
    const uint64_t *hashes;
    const int64_t *offsets; /* of texts and packed boards in data, count + 1 of them */
    const uint8_t *data;
    const int32_t *widths;
    const int32_t *heights;
    const uint8_t *valid; /* NULL: every value is present */
    const uint8_t *name;  /* what precedes the value in JSON */
    int64_t name_size;
    uint8_t kind;
} w7_column;

enum { W7_LONGEST_NUMBER = 24, W7_LONGEST_ESCAPE = 6 };

static inline int w7_out_byte(w7_out *out, uint8_t byte)
{
    return w7_out_bytes(out, &byte, 1);
}

static inline int w7_out_integer(w7_out *out, int64_t number)
{
    uint8_t digits[W7_LONGEST_NUMBER];
    uint8_t *p = digits + sizeof digits;
    uint64_t left = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    do {
        *--p = (uint8_t)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (number < 0)
        *--p = '-';
    return w7_out_bytes(out, p, digits + sizeof digits - p);
}

static inline int w7_out_hash(w7_out *out, uint64_t hash, int quoted)
{
    static const char DIGITS[] = "0123456789abcdef";
    uint8_t text[18];
    for (int k = 0; k < 16; k++)
        text[1 + k] = (uint8_t)DIGITS[hash >> (60 - 4 * k) & 15];
    text[0] = text[17] = '"';
    return quoted ? w7_out_bytes(out, text, 18) : w7_out_bytes(out, text + 1, 16);
}

/* Whether p points to half of a surrogate pair. */
static inline int w7_is_surrogate(const uint8_t *p, const uint8_t *end)
{
    return *p == 0xED && end - p >= 3 && p[1] >= 0xA0;
}

/* Writes the character at p for JSON, escaped if necessary; other kinds escape only surrogates. Returns the end of the
 * character. The caller has W7_LONGEST_ESCAPE bytes of room. */
static inline const uint8_t *w7_put_escape(w7_out *out, const uint8_t *p, const uint8_t *end)
{
    static const char DIGITS[] = "0123456789abcdef", FROM[] = "\"\\\b\f\n\r\t", TO[] = "\"\\bfnrt";
    const char *found = *p != 0 ? strchr(FROM, *p) : NULL;
    uint8_t *at = out->at + out->count;
    uint32_t unit = *p;
    const uint8_t *next = p + 1;
    if (found != NULL) {
        at[0] = '\\';
        at[1] = (uint8_t)TO[found - FROM];
        out->count += 2;
        return next;
    }
    if (w7_is_surrogate(p, end)) {
        unit = 0xD000u | (uint32_t)(p[1] & 0x3F) << 6 | (p[2] & 0x3F);
        next = p + 3;
    }
    at[0] = '\\';
    at[1] = 'u';
    for (int k = 0; k < 4; k++)
        at[2 + k] = (uint8_t)DIGITS[unit >> (12 - 4 * k) & 15];
    out->count += 6;
    return next;
}

static inline int w7_out_json_text(w7_out *out, const uint8_t *p, const uint8_t *end)
{
    if (w7_out_byte(out, '"') != 0)
        return -1;
    while (p < end) {
        const uint8_t *start = p;
        while (p < end && *p >= 0x20 && *p != '"' && *p != '\\' && !w7_is_surrogate(p, end))
            p++;
        if (w7_out_bytes(out, start, p - start) != 0)
            return -1;
        if (p < end) {
            if (w7_out_reserve(out, W7_LONGEST_ESCAPE) != 0)
                return -1;
            p = w7_put_escape(out, p, end);
        }
    }
    return w7_out_byte(out, '"');
}

/* Whether a cell of CSV requires quotes. */
static inline int w7_needs_quotes(const uint8_t *p, const uint8_t *end)
{
    for (; p < end; p++)
        if (*p == ',' || *p == '"' || *p == '\n' || *p == '\r')
            return 1;
    return 0;
}

static inline int w7_out_csv_text(w7_out *out, const uint8_t *p, const uint8_t *end)
{
    const int quotes = w7_needs_quotes(p, end);
    if (quotes && w7_out_byte(out, '"') != 0)
        return -1;
    while (p < end) {
        const uint8_t *start = p;
        while (p < end && *p != '"' && !w7_is_surrogate(p, end))
            p++;
        if (w7_out_bytes(out, start, p - start) != 0)
            return -1;
        if (p < end && *p == '"') {
            if (w7_out_bytes(out, "\"\"", 2) != 0)
                return -1;
            p++;
        } else if (p < end) {
            if (w7_out_reserve(out, W7_LONGEST_ESCAPE) != 0)
                return -1;
            p = w7_put_escape(out, p, end);
        }
    }
    return quotes ? w7_out_byte(out, '"') : 0;
}

/* The letters of the four points of each byte of a packed board. */
typedef struct {
    uint8_t of[256][4];
} w7_fours;

static inline void w7_fours_init(w7_fours *fours)
{
    for (int byte = 0; byte < 256; byte++)
        for (int k = 0; k < 4; k++)
            fours->of[byte][k] = (uint8_t)".XO?"[byte >> (2 * k) & 3];
}

/* Writes a letter a point of a packed board. */
static inline int w7_out_board(w7_out *out, const w7_fours *fours, const uint8_t *packed, int64_t area, int quoted)
{
    uint8_t *at;
    if (w7_out_reserve(out, area + 2) != 0)
        return -1;
    at = out->at + out->count;
    if (quoted)
        *at++ = '"';
    for (; area >= 4; area -= 4, at += 4)
        memcpy(at, fours->of[*packed++], 4);
    for (int64_t k = 0; k < area; k++)
        *at++ = fours->of[*packed][k];
    if (quoted)
        *at++ = '"';
    out->count = at - out->at;
    return 0;
}

static inline int w7_out_cell(w7_out *out, const w7_fours *fours, const w7_column *column, int64_t row, int json)
{
    if (json && w7_out_bytes(out, column->name, column->name_size) != 0)
        return -1;
    if (column->valid != NULL && !column->valid[row])
        return json ? w7_out_bytes(out, "null", 4) : 0;
    if (column->kind == W7_CELL_INTEGER)
        return w7_out_integer(out, column->integers[row]);
    if (column->kind == W7_CELL_HASH)
        return w7_out_hash(out, column->hashes[row], json);
    if (column->kind == W7_CELL_BOARD)
        return w7_out_board(out, fours, column->data + column->offsets[row],
                            (int64_t)column->widths[row] * column->heights[row], json);
    if (column->kind == W7_CELL_NUMBER)
        return w7_out_bytes(out, column->data + column->offsets[row], column->offsets[row + 1] - column->offsets[row]);
    return (json ? w7_out_json_text : w7_out_csv_text)(out, column->data + column->offsets[row],
                                                       column->data + column->offsets[row + 1]);
}

/* Writes `rows` rows; names of columns in JSON include the preceding brace or comma. Returns 0, or -1 when memory is
 * short. */
static inline int w7_out_rows(w7_out *out, const w7_column *columns, int64_t count, int64_t rows, int json)
{
    w7_fours fours;
    w7_fours_init(&fours);
    for (int64_t row = 0; row < rows; row++) {
        for (int64_t k = 0; k < count; k++) {
            if (!json && k > 0 && w7_out_byte(out, ',') != 0)
                return -1;
            if (w7_out_cell(out, &fours, &columns[k], row, json) != 0)
                return -1;
        }
        if (w7_out_bytes(out, json ? "}\n" : "\n", 1 + (json != 0)) != 0)
            return -1;
    }
    return 0;
}

#endif
