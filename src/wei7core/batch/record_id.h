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
    while (letters->room - letters->count < more)
        if (w7_table_grow(&letters->at, &letters->room, 1) != 0)
            return -1;
    return 0;
}

/* The end of the JSON string that starts at p. */
static inline const uint8_t *w7_name_pass_string(const uint8_t *p, const uint8_t *end)
{
    for (p++; p < end && *p != '"'; p++)
        if (*p == '\\')
            p++;
    return p < end ? p + 1 : end;
}

/* The comma or bracket after the JSON value at p. */
static inline const uint8_t *w7_name_pass_value(const uint8_t *p, const uint8_t *end)
{
    int64_t depth = 0;
    while (p < end && (depth > 0 || (*p != ',' && *p != '}'))) {
        if (*p == '"') {
            p = w7_name_pass_string(p, end);
            continue;
        }
        depth += *p == '{' || *p == '[';
        depth -= *p == '}' || *p == ']';
        p++;
    }
    return p;
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

/* Whether the member name [key, end) is `wanted`, however it is escaped; -1 when memory is short. */
static inline int w7_name_is(const uint8_t *key, const uint8_t *end, const char *wanted, w7_letters *out)
{
    const int64_t before = out->count, size = (int64_t)strlen(wanted);
    int is_wanted;
    if (memchr(key, '\\', (size_t)(end - key)) == NULL)
        return end - key == size && memcmp(key, wanted, (size_t)size) == 0;
    if (w7_name_add_json(out, key, end) != 0)
        return -1;
    is_wanted = out->count - before == size && memcmp(out->at + before, wanted, (size_t)size) == 0;
    out->count = before;
    return is_wanted;
}

/* One member of a JSON object: its name without quotes, and the place where its value starts. */
typedef struct {
    const uint8_t *key;
    const uint8_t *key_end;
    const uint8_t *value;
} w7_name_member;

/* Reads the next member of the object that is read up to p. Returns its end; `end` without a member, with an empty
 * name. */
static inline const uint8_t *w7_name_next_member(const uint8_t *p, const uint8_t *end, w7_name_member *member)
{
    while (p < end && *p != '"') /* the bracket of the object, or the comma between members */
        p++;
    member->key = p < end ? p + 1 : end;
    p = w7_name_pass_string(p, end);
    member->key_end = p > member->key ? p - 1 : member->key;
    while (p < end && (*p == ':' || *p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    member->value = p;
    return w7_name_pass_value(p, end);
}

/* Appends the `id` of the info object [p, end). Sets *size to its bytes, -1 where it has none. Returns 0, or -1 when
 * memory is short. */
static inline int w7_name_of_info(const uint8_t *p, const uint8_t *end, w7_letters *out, int64_t *size)
{
    const int64_t before = out->count;
    *size = -1;
    while (p < end) {
        w7_name_member member;
        p = w7_name_next_member(p, end, &member);
        if (member.value < end && *member.value == '"' && member.key < member.key_end) {
            int is_id = w7_name_is(member.key, member.key_end, "id", out);
            if (is_id < 0)
                return -1;
            if (is_id) {
                const uint8_t *value_end = w7_name_pass_string(member.value, end) - 1;
                if (w7_name_add_json(out, member.value + 1, value_end) != 0)
                    return -1;
                *size = out->count - before;
                return 0;
            }
        }
    }
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
        if (double_byte && w7_sgf_pair(p, end, double_byte) == 2) {
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
