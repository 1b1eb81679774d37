/* The name of a record without problems: `info.id` in wei7, the first value of GN in SGF, as UTF-8.
 *
 * The decoder has read the text before and found nothing wrong with it, so it is valid JSON or SGF, in UTF-8. Every
 * byte is compared with the end all the same. No Python. */
#ifndef W7_BATCH_RECORD_ID_H
#define W7_BATCH_RECORD_ID_H

#include "formats/sgf/lexer.h"
#include "formats/wei7/json.h"

W7_TABLE(w7_letters, char);

/* Makes room for `more` letters. Returns 0, or -1 when memory is short. */
static inline int w7_letters_reserve(w7_letters *letters, int64_t more)
{
    return w7_bytes_reserve(&letters->at, &letters->room, letters->count, more);
}

/* Appends the value of the JSON string [p, end), without its quotes. Returns 0, or -1 when memory is short. */
static inline int w7_name_add_json(w7_letters *out, const uint8_t *p, const uint8_t *end)
{
    /* No escape is shorter than its character. */
    if (w7_letters_reserve(out, end - p + 4) != 0)
        return -1;
    while (p < end) {
        const uint8_t *next = memchr(p, '\\', (size_t)(end - p));
        const uint8_t *plain = next == NULL ? end : next;
        memcpy(out->at + out->count, p, (size_t)(plain - p));
        out->count += plain - p;
        p = plain;
        if (p < end) {
            int lone = 0;
            if (w7_pass_escape(p, end, &lone) == NULL)
                break;
            out->count += w7_utf8_write((uint8_t *)out->at + out->count, w7_next_character(&p, end));
        }
    }
    return 0;
}

/* The value of a member of the object `info` of wei7; NULL where there is none. */
static inline const w7_header_value *w7_find_header_value(const w7_record *record, int place, int name)
{
    for (int64_t k = 0; k < record->header.count; k++)
        if (record->header.at[k].place == place && record->header.at[k].name == name)
            return &record->header.at[k];
    return NULL;
}

/* Appends the `id` of the header of wei7. Sets *size to its bytes, -1 where it has none. Returns 0, or -1 when memory
 * is short. */
static inline int w7_name_of_info(const w7_record *record, const uint8_t *text, w7_letters *out, int64_t *size)
{
    const w7_header_value *id = w7_find_header_value(record, W7_AT_INFO, W7_N_ID);
    const int64_t before = out->count;
    *size = -1;
    if (id == NULL || text[id->value.begin] != '"')
        return 0;
    if (w7_name_add_json(out, text + id->value.begin + 1, text + id->value.end - 1) != 0)
        return -1;
    *size = out->count - before;
    return 0;
}

static inline int w7_is_line_end(const uint8_t *p, const uint8_t *end)
{
    return p < end && (*p == '\n' || *p == '\r');
}

/* The end of the line break at p: LF, CR, or both in any order. */
static inline const uint8_t *w7_pass_line_end(const uint8_t *p, const uint8_t *end)
{
    return end - p >= 2 && w7_is_line_end(p + 1, end) && p[0] != p[1] ? p + 2 : p + 1;
}

static inline int w7_is_sgf_space(uint8_t c)
{
    return c == '\t' || c == '\v' || c == '\f';
}

/* Appends the SimpleText of the first of the values [p, end) in their encoding, of whose characters `double_byte` is as
 * in w7_sgf_pair. Sets *size to its bytes, -1 without a value. Returns 0, or -1 when memory is short. */
static inline int w7_name_of_values(const uint8_t *p, const uint8_t *end, int double_byte, w7_letters *out,
                                    int64_t *size)
{
    const int64_t before = out->count;
    *size = -1;
    if (p >= end || *p != '[')
        return 0;
    if (w7_letters_reserve(out, end - p) != 0)
        return -1;
    for (p++; p < end && *p != ']';) {
        const int is_escaped = *p == '\\';
        char letter;
        if (*p == '\\' && w7_is_line_end(p + 1, end)) {
            p = w7_pass_line_end(p + 1, end);
            continue;
        }
        if (is_escaped && ++p == end)
            break;
        /* The last bracket is one, also after half a character. */
        if (double_byte && !(end - p == 2 && p[1] == ']') && w7_sgf_pair(p, end, double_byte) == 2) {
            out->at[out->count++] = (char)*p++;
            letter = (char)*p++;
        } else if (!is_escaped && w7_is_line_end(p, end)) {
            letter = ' ';
            p = w7_pass_line_end(p, end);
        } else {
            letter = (char)(w7_is_sgf_space(*p) ? ' ' : *p);
            p++;
        }
        out->at[out->count++] = letter;
    }
    *size = out->count - before;
    return 0;
}

#endif
