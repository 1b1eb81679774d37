/* Files of many records: where the lines begin and end that hold one each. */
#ifndef W7_FORMATS_WEI7_LINES_H
#define W7_FORMATS_WEI7_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum {
    W7_LINES_RECORD,   /* a record */
    W7_LINES_TOO_LONG, /* a line that is longer than the limit */
    W7_LINES_CUT,      /* the same, and its end is after the text */
    W7_LINES_REST      /* no further whole line */
} w7_lines_piece;

/* A line that exceeds the limit by this many bytes is too long however it ends. */
enum { W7_LINES_SLACK = 3, W7_LINES_MOST_BLANK = 1000 };

static inline int w7_lines_is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline const uint8_t *w7_lines_pass_spaces(const uint8_t *p, const uint8_t *end)
{
    while (p < end && w7_lines_is_space(*p))
        p++;
    return p;
}

/* Finds the next record of text[*at, size): *begin and *record_end; *at moves past what was found, *begin to where a
 * line starts that is too long. Blank lines hold no record. `final`: the text ends there. */
static inline w7_lines_piece w7_lines_next(const uint8_t *text, int64_t size, int64_t *at, int final, int64_t limit,
                                           int64_t *begin, int64_t *record_end)
{
    while (*at < size) {
        const uint8_t *p = text + *at, *end = memchr(p, '\n', (size_t)(size - *at));
        int64_t next = end == NULL ? size : end - text + 1;
        *begin = *at;
        if (end == NULL && !final)
            return size - *at >= limit + W7_LINES_SLACK ? W7_LINES_CUT : W7_LINES_REST;
        end = end == NULL ? text + size : end;
        if (end - p >= limit + W7_LINES_SLACK) {
            *at = next;
            return W7_LINES_TOO_LONG;
        }
        *at = next;
        while (end > p && end[-1] == '\r')
            end--;
        if (w7_lines_pass_spaces(p, end) == end)
            continue;
        *record_end = end - text;
        return end - p > limit ? W7_LINES_TOO_LONG : W7_LINES_RECORD;
    }
    return W7_LINES_REST;
}

typedef enum {
    W7_LINES_ONE_RECORD,
    W7_LINES_MANY,
    W7_LINES_UNKNOWN /* more of the text has to be seen */
} w7_lines_kind;

/* Whether a file holds a record a line: its first line is a whole JSON object, and the next one that is not blank
 * starts another. No JSON text continues with `{` after an object. */
static inline w7_lines_kind w7_lines_recognise(const uint8_t *text, int64_t size, int final, int64_t limit)
{
    const uint8_t *p = text, *end = text + size, *begin = text, *line_end = memchr(p, '\n', (size_t)size);
    int blank;
    if (line_end == NULL || line_end - text >= limit + W7_LINES_SLACK)
        return line_end != NULL || final || size >= limit + W7_LINES_SLACK ? W7_LINES_ONE_RECORD : W7_LINES_UNKNOWN;
    p = line_end + 1;
    if (line_end - begin >= 3 && memcmp(begin, "\xEF\xBB\xBF", 3) == 0)
        begin += 3;
    begin = w7_lines_pass_spaces(begin, line_end);
    while (line_end > begin && w7_lines_is_space(line_end[-1]))
        line_end--;
    if (line_end == begin || *begin != '{' || line_end[-1] != '}')
        return W7_LINES_ONE_RECORD;
    for (blank = 1; blank < W7_LINES_MOST_BLANK; blank++) {
        const uint8_t *close = memchr(p, '\n', (size_t)(end - p)), *first;
        line_end = close == NULL ? end : close;
        first = w7_lines_pass_spaces(p, line_end);
        if (first < line_end)
            return *first == '{' && first - p < limit + W7_LINES_SLACK ? W7_LINES_MANY : W7_LINES_ONE_RECORD;
        if (line_end - p >= limit + W7_LINES_SLACK)
            return W7_LINES_ONE_RECORD;
        if (close == NULL)
            return final ? W7_LINES_ONE_RECORD : W7_LINES_UNKNOWN;
        p = close + 1;
    }
    return W7_LINES_ONE_RECORD;
}

#endif
