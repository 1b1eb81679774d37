/* Texts of values of SGF as those of JSON. */
#ifndef W7_FORMATS_SGF_WRITE_TEXT_H
#define W7_FORMATS_SGF_WRITE_TEXT_H

#include "formats/sgf/write.h"
#include "formats/wei7/write_json.h"

/* One value of the root as its SimpleText, or Text, with no spaces around; of size 0 where it is blank. */
typedef struct {
    int64_t begin; /* in the bytes of texts */
    int64_t size;
} w7_sgf_plain_text;

static inline int w7_sgf_is_break(uint8_t c)
{
    return c == '\n' || c == '\r';
}

/* Appends what [p, end), a Text, means; of a SimpleText line breaks are spaces. There is room. */
static inline void w7_sgf_put_plain(w7_out *out, const uint8_t *p, const uint8_t *end, int is_simple)
{
    while (p < end) {
        uint8_t c = *p++;
        const int escaped = c == '\\' && p < end;
        if (escaped)
            c = *p++;
        else if (c == '\\')
            return;
        if (w7_sgf_is_break(c)) {
            if (p < end && w7_sgf_is_break(*p) && *p != c)
                p++;
            if (escaped)
                continue;
            c = is_simple ? ' ' : '\n';
        } else if (c == '\t' || c == '\v' || c == '\f') {
            c = ' ';
        }
        out->at[out->count++] = c;
    }
}

/* Whether a byte may begin a space that is not ASCII, which Python takes off the ends of texts. */
static inline int w7_sgf_may_be_space(const uint8_t *p, const uint8_t *end)
{
    if (*p == 0xC2)
        return end - p < 2 || p[1] == 0x85 || p[1] == 0xA0;
    if (*p == 0xE1)
        return end - p < 2 || p[1] == 0x9A;
    if (*p == 0xE2)
        return end - p < 3 || (p[1] == 0x80 && (p[2] <= 0x8A || (p[2] & 0xFE) == 0xA8 || p[2] == 0xAF)) ||
               (p[1] == 0x81 && p[2] == 0x9F);
    return *p == 0xE3 && (end - p < 3 || (p[1] == 0x80 && p[2] == 0x80));
}

/* Whether a text is one that is taken over as it is: no control characters, no spaces but plain ones, not too long. */
static inline int w7_sgf_is_short(const uint8_t *p, int64_t size, int64_t most, int with_breaks)
{
    const uint8_t *end = p + size;
    int64_t characters = 0;
    for (; p < end; p++) {
        characters += (*p & 0xC0) != 0x80;
        if ((*p < ' ' && !(with_breaks && *p == '\n')) || *p == 0x7F || w7_sgf_may_be_space(p, end) ||
            (*p == 0xC2 && end - p > 1 && p[1] < 0xA0))
            return 0;
    }
    return characters <= most;
}

/* Reads the one value of a property of the root. Returns a status. */
static inline int w7_sgf_read_plain(const w7_sgf_node_property *one, w7_out *texts, w7_sgf_plain_text *text,
                                    int64_t most, int with_breaks)
{
    const uint8_t *p = one->value + 1, *end = one->value + one->value_size;
    const uint8_t *close = w7_sgf_closing(p, end);
    if (close == NULL || close + 1 != end)
        return W7_DECLINED; /* more values than one */
    if (w7_out_reserve(texts, close - p + 1))
        return W7_WRITE_NO_MEMORY;
    text->begin = texts->count;
    w7_sgf_put_plain(texts, p, close, !with_breaks);
    text->size = texts->count - text->begin;
    if (!w7_sgf_is_short(texts->at + text->begin, text->size, most, with_breaks))
        return W7_DECLINED;
    return W7_WRITTEN;
}

/* Whether a text is blank. */
static inline int w7_sgf_is_blank(const w7_out *texts, w7_sgf_plain_text text)
{
    int64_t k;
    for (k = 0; k < text.size; k++)
        if (texts->at[text.begin + k] != ' ' && texts->at[text.begin + k] != '\n')
            return 0;
    return 1;
}

static inline w7_sgf_plain_text w7_sgf_stripped(const w7_out *texts, w7_sgf_plain_text text)
{
    while (text.size > 0 && texts->at[text.begin] == ' ') {
        text.begin++;
        text.size--;
    }
    while (text.size > 0 && texts->at[text.begin + text.size - 1] == ' ')
        text.size--;
    return text;
}

/* Appends a member that is a text, where there is one. */
static inline int w7_sgf_put_text(w7_out *out, int *members, const char *name, const w7_out *texts,
                                  w7_sgf_plain_text text)
{
    return text.size == 0 ||
           (w7_json_begin_member(out, members, name) && w7_json_put_string(out, texts->at + text.begin, text.size));
}

/* The number of HA where it is that of the stones of the root, or 0; else -1. */
static inline int64_t w7_sgf_handicap_number(const w7_out *texts, w7_sgf_plain_text text, int64_t stones)
{
    int64_t number = 0, k;
    text = w7_sgf_stripped(texts, text);
    if (text.size < 1 || text.size > 4 || (texts->at[text.begin] == '0' && text.size > 1))
        return -1;
    for (k = 0; k < text.size; k++) {
        const uint8_t c = texts->at[text.begin + k];
        if (!w7_sgf_is_digit(c))
            return -1;
        number = number * 10 + c - '0';
    }
    return number == 0 || number == stones ? number : -1;
}

#endif
