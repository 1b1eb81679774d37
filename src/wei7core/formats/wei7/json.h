/* Reading JSON text: white space, strings, numbers and values to pass over.
 *
 * Independent of wei7. Every byte is compared with the end before it is read; nesting
 * costs one bit a level, never a C frame. A function that returns int returns 1 to continue and
 * 0 to stop; what stopped it has been noted. */
#ifndef W7_FORMATS_WEI7_JSON_H
#define W7_FORMATS_WEI7_JSON_H

#include "record/record.h"
#include "formats/utf8.h"
#include "formats/wei7/template.h"
#include "formats/wei7/schema.h"

typedef struct {
    int revision;
    int64_t max_bytes;
    int64_t max_steps;
    int64_t max_depth;
    int64_t max_points;
    int64_t max_problems;
    int isa; /* of the code (_util/cpu.h); the answer is the same */
} w7_decode_options;

typedef struct {
    const uint8_t *begin;
    const uint8_t *p;
    const uint8_t *end;
    w7_record *record;
    w7_decode_options options;
    int64_t depth;    /* JSON levels open outside the value that is being passed over */
    uint8_t *nesting; /* a bit a level: 1 object, 0 array */
    int64_t nesting_room;
    int quiet; /* looking at a text a second time: its problems are already noted */
    int no_memory;
    int stopped;
    int64_t noted;       /* problems, those that the list has no room for included */
    w7_layouts *layouts; /* or NULL: every value is read by its own rule */
    w7_trace trace;      /* of the step, mark or stone that is being read */
    int64_t guessed;     /* steps read by a layout */
    int64_t bare_moves;  /* moves without details among the steps, and the largest coordinates on them */
    int32_t largest_x;
    int32_t largest_y;
    uint32_t kinds; /* of steps, a bit each */
} w7_reader;

static inline int64_t w7_at(const w7_reader *reader, const uint8_t *p)
{
    return (int64_t)(p - reader->begin);
}

static inline int w7_out_of_memory(w7_reader *reader)
{
    reader->no_memory = reader->stopped = 1;
    return 0;
}

/* Adds a problem. The list is bounded; its last row then marks that there are more. */
static inline void w7_add_problem(w7_reader *reader, int code, int place, int64_t offset, int32_t detail)
{
    w7_problems *problems;
    w7_problem *problem;
    if (reader->record == NULL) /* only looking something up */
        return;
    reader->noted++;
    problems = &reader->record->problems;
    if (problems->count > reader->options.max_problems)
        return;
    if (problems->count == reader->options.max_problems) {
        code = W7_LIMIT_PROBLEMS;
        place = W7_AT_TEXT;
    }
    if (W7_TABLE_RESERVE_ONE(problems) != 0) {
        w7_out_of_memory(reader);
        return;
    }
    problem = &problems->at[problems->count++];
    problem->offset = offset;
    problem->code = (uint16_t)code;
    problem->place = (uint16_t)place;
    problem->detail = detail;
}

static inline void w7_note_at(w7_reader *reader, int code, int place, int64_t offset, int32_t detail)
{
    if (!reader->quiet)
        w7_add_problem(reader, code, place, offset, detail);
}

static inline void w7_note(w7_reader *reader, int code, int place, const uint8_t *p, int32_t detail)
{
    w7_note_at(reader, code, place, w7_at(reader, p), detail);
}

/* Adds the problem that ends reading. */
static inline int w7_stop_reading(w7_reader *reader, int code, const uint8_t *p)
{
    w7_add_problem(reader, code, W7_AT_TEXT, w7_at(reader, p), 0);
    reader->stopped = 1;
    return 0;
}

/* The text is invalid at p: not JSON, or not UTF-8. */
static inline int w7_stop_syntax(w7_reader *reader, const uint8_t *p)
{
    int foreign = p < reader->end && *p >= 0x80 && w7_utf8_length(p, reader->end) == 0;
    return w7_stop_reading(reader, foreign ? W7_ENCODING_INVALID : W7_JSON_SYNTAX, p);
}

static inline void w7_skip_space(w7_reader *reader)
{
    reader->p = w7_pass_space(reader->p, reader->end);
}

/* The byte at the reader, or 0 at the end (a zero byte is never valid JSON either). */
static inline uint8_t w7_peek(const w7_reader *reader)
{
    return reader->p < reader->end ? *reader->p : 0;
}

static inline int w7_hex_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The code unit of a \u escape whose four digits start at p, or -1. */
static inline int32_t w7_code_unit(const uint8_t *p, const uint8_t *end)
{
    int32_t unit = 0;
    int k;
    if (end - p < 4)
        return -1;
    for (k = 0; k < 4; k++) {
        int digit = w7_hex_value(p[k]);
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

/* Passes over an escape at p (a backslash). Returns what follows it, or NULL where it is
 * not an escape. *lone is set where it is half of a surrogate pair. */
static inline const uint8_t *w7_pass_escape(const uint8_t *p, const uint8_t *end, int *lone)
{
    int32_t unit;
    if (end - p < 2)
        return NULL;
    switch (p[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't': return p + 2;
    case 'u': break;
    default: return NULL;
    }
    unit = w7_code_unit(p + 2, end);
    if (unit < 0)
        return NULL;
    p += 6;
    if (unit >= 0xDC00 && unit <= 0xDFFF)
        *lone = 1;
    if (unit >= 0xD800 && unit <= 0xDBFF) {
        int32_t low = end - p >= 6 && p[0] == '\\' && p[1] == 'u' ? w7_code_unit(p + 2, end) : -1;
        if (low >= 0xDC00 && low <= 0xDFFF)
            return p + 6;
        *lone = 1;
    }
    return p;
}

/* Reads the string at the reader, which is at its opening quote. Bad bytes, raw control
 * characters and lone surrogates are noted once each and read on: they spoil a text, not the game. */
static inline int w7_read_string(w7_reader *reader, w7_span *span)
{
    const uint8_t *p = reader->p + 1, *end = reader->end, *special = NULL;
    int foreign = 0, control = 0, lone_noted = 0, blocks = 1;
    span->begin = w7_at(reader, reader->p);
    for (;;) {
        /* Where blocks do not get on, the string is read to its end a character at a time. */
        if (blocks) {
            special = w7_find_special(p, end);
            blocks = special != NULL;
            if (blocks)
                p = special;
        }
        if (p >= end)
            return w7_stop_reading(reader, W7_JSON_SYNTAX, end);
        if (*p == '"')
            break;
        if (*p == '\\') {
            do {
                int lone = 0;
                const uint8_t *next = w7_pass_escape(p, end, &lone);
                if (next == NULL)
                    return w7_stop_reading(reader, W7_JSON_SYNTAX, p);
                if (lone && !lone_noted) {
                    w7_note(reader, W7_SURROGATE_LONE, W7_AT_TEXT, p, 0);
                    lone_noted = 1;
                }
                p = next;
            } while (p < end && *p == '\\');
        } else if (*p >= 0x80) {
            do {
                int length = w7_utf8_length(p, end);
                if (length == 0 && !foreign) {
                    w7_note(reader, W7_ENCODING_INVALID, W7_AT_TEXT, p, 0);
                    foreign = 1;
                }
                p += length == 0 ? 1 : length;
            } while (p < end && *p >= 0x80);
        } else {
            if (*p < 0x20 && !control) {
                w7_note(reader, W7_JSON_SYNTAX, W7_AT_TEXT, p, 0);
                control = 1;
            }
            p++;
        }
    }
    reader->p = p + 1;
    span->end = w7_at(reader, reader->p);
    return 1;
}

static inline const uint8_t *w7_pass_digits(const uint8_t *p, const uint8_t *end)
{
    while (p < end && *p >= '0' && *p <= '9')
        p++;
    return p;
}

/* Reads the number at the reader, which is at `-` or a digit. */
static inline int w7_read_number(w7_reader *reader, w7_span *span)
{
    const uint8_t *p = reader->p, *end = reader->end, *digits;
    span->begin = w7_at(reader, p);
    if (p < end && *p == '-')
        p++;
    digits = p;
    p = w7_pass_digits(p, end);
    if (p == digits || (*digits == '0' && p - digits > 1))
        return w7_stop_syntax(reader, p == digits ? p : digits + 1);
    if (p < end && *p == '.') {
        digits = p + 1;
        p = w7_pass_digits(digits, end);
        if (p == digits)
            return w7_stop_syntax(reader, p);
    }
    if (p < end && (*p | 32) == 'e') {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            p++;
        digits = p;
        p = w7_pass_digits(p, end);
        if (p == digits)
            return w7_stop_syntax(reader, p);
    }
    reader->p = p;
    span->end = w7_at(reader, p);
    return 1;
}

static inline int w7_starts_number(uint8_t c)
{
    return c == '-' || (c >= '0' && c <= '9');
}

/* Passes over true, false or null. */
static inline int w7_pass_word(w7_reader *reader)
{
    static const char *const WORDS[] = {"true", "false", "null"};
    int k;
    for (k = 0; k < 3; k++) {
        size_t length = strlen(WORDS[k]);
        if ((size_t)(reader->end - reader->p) >= length && memcmp(reader->p, WORDS[k], length) == 0) {
            reader->p += length;
            return 1;
        }
    }
    return w7_stop_syntax(reader, reader->p);
}

static inline int w7_is_null(const w7_reader *reader)
{
    return reader->end - reader->p >= 4 && memcmp(reader->p, "null", 4) == 0;
}

/* Passes over a member name and its colon. */
static inline int w7_pass_key(w7_reader *reader)
{
    w7_span key;
    if (w7_peek(reader) != '"')
        return w7_stop_syntax(reader, reader->p);
    if (!w7_read_string(reader, &key))
        return 0;
    w7_skip_space(reader);
    if (w7_peek(reader) != ':')
        return w7_stop_syntax(reader, reader->p);
    reader->p++;
    w7_skip_space(reader);
    return 1;
}

static inline int w7_nesting_push(w7_reader *reader, int64_t level, int object)
{
    if (reader->depth + level >= reader->options.max_depth)
        return w7_stop_reading(reader, W7_LIMIT_DEPTH, reader->p);
    if (level / 8 >= reader->nesting_room &&
        w7_table_grow(&reader->nesting, &reader->nesting_room, sizeof *reader->nesting) != 0)
        return w7_out_of_memory(reader);
    if (object)
        reader->nesting[level / 8] |= (uint8_t)(1 << level % 8);
    else
        reader->nesting[level / 8] &= (uint8_t)~(1 << level % 8);
    return 1;
}

/* Passes over a value of any kind and depth, checking that it is JSON. */
static inline int w7_pass_value(w7_reader *reader)
{
    int64_t level = 0;
    w7_span span;
    for (;;) {
        uint8_t c = w7_peek(reader);
        if (c == '{' || c == '[') {
            if (!w7_nesting_push(reader, level, c == '{'))
                return 0;
            level++;
            reader->p++;
            w7_skip_space(reader);
            if (w7_peek(reader) != c + 2) { /* '}' and ']' are two after their openers in ASCII */
                if (c == '{' && !w7_pass_key(reader))
                    return 0;
                continue;
            }
            reader->p++;
            level--;
        } else if (c == '"') {
            if (!w7_read_string(reader, &span))
                return 0;
        } else if (w7_starts_number(c)) {
            if (!w7_read_number(reader, &span))
                return 0;
        } else if (!w7_pass_word(reader)) {
            return 0;
        }
        /* A value ended: close what ends with it, or continue with the next element or member. */
        for (;;) {
            int object;
            if (level == 0)
                return 1;
            object = reader->nesting[(level - 1) / 8] >> (level - 1) % 8 & 1;
            w7_skip_space(reader);
            c = w7_peek(reader);
            if (c == ',') {
                reader->p++;
                w7_skip_space(reader);
                if (object && !w7_pass_key(reader))
                    return 0;
                break;
            }
            if (c != (object ? '}' : ']'))
                return w7_stop_syntax(reader, reader->p);
            reader->p++;
            level--;
        }
    }
}

/* Takes the next character of a string that w7_read_string accepted; *p is before the
 * closing quote. A spoilt byte counts as one character. */
static inline uint32_t w7_next_character(const uint8_t **p, const uint8_t *end)
{
    const uint8_t *at = *p;
    int length;
    if (*at == '\\') {
        static const char FROM[] = "\"\\/bfnrt", TO[] = "\"\\/\b\f\n\r\t";
        if (at[1] != 'u') {
            *p = at + 2;
            return (uint8_t)TO[strchr(FROM, at[1]) - FROM];
        } else {
            uint32_t unit = (uint32_t)w7_code_unit(at + 2, end);
            *p = at + 6;
            if (unit >= 0xD800 && unit <= 0xDBFF && end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u') {
                int32_t low = w7_code_unit(*p + 2, end);
                if (low >= 0xDC00 && low <= 0xDFFF) {
                    *p += 6;
                    return 0x10000 + ((unit - 0xD800) << 10) + (uint32_t)(low - 0xDC00);
                }
            }
            return unit;
        }
    }
    length = w7_utf8_length(at, end);
    *p = at + (length == 0 ? 1 : length);
    return length == 0 ? 0xFFFD : w7_utf8_value(at, length);
}

/* Writes the first characters of the string to `out` as UTF-8. Returns the bytes written, or
 * -1 where the string needs more than `room` bytes. */
static inline int w7_string_value(const w7_reader *reader, w7_span span, uint8_t *out, int room)
{
    const uint8_t *p = reader->begin + span.begin + 1, *end = reader->begin + span.end - 1;
    int length = 0;
    while (p < end) {
        if (room - length < 4)
            return -1;
        length += w7_utf8_write(out + length, w7_next_character(&p, end));
    }
    return length;
}

/* Whether the string at span is the ASCII text `word`, however it is escaped. */
static inline int w7_string_is(const w7_reader *reader, const w7_span *span, const char *word)
{
    const uint8_t *text = reader->begin + span->begin + 1;
    size_t length = strlen(word);
    uint8_t value[32];
    int written;
    if ((size_t)(span->end - span->begin - 2) == length && memcmp(text, word, length) == 0)
        return 1;
    /* An escape is longer than its character. */
    if ((size_t)(span->end - span->begin - 2) <= length ||
        memchr(text, '\\', (size_t)(span->end - span->begin - 2)) == NULL)
        return 0;
    written = w7_string_value(reader, *span, value, (int)sizeof value);
    return written >= 0 && (size_t)written == length && memcmp(value, word, length) == 0;
}

#endif
