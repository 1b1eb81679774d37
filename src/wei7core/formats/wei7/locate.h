/* From byte offsets to lines, columns and JSON paths: one pass over the text for any number
 * of offsets, made only when there is something to report. */
#ifndef W7_FORMATS_WEI7_LOCATE_H
#define W7_FORMATS_WEI7_LOCATE_H

#include "formats/located.h"
#include "formats/line_column.h"
#include "formats/wei7/json.h"

/* An array or object that is open at some place of the text. */
typedef struct {
    int64_t index;
    const uint8_t *last; /* of an array: its open element, or the one that ended last */
    w7_span key;
    uint8_t object;
    uint8_t active; /* the place is in the element or member named above */
} w7_level;

W7_TABLE(w7_levels, w7_level);

typedef struct {
    const uint8_t *begin;
    const uint8_t *end;
    w7_levels frames;
    w7_places places;
} w7_locator;

/* A path deeper than this is written with its middle left out. */
enum { W7_PATH_HEAD = 48, W7_PATH_TAIL = 16, W7_PATH_KEY = 60, W7_PATH_KEY_ESCAPED = 6 * W7_PATH_KEY };

static inline int w7_is_plain_key(const uint8_t *text, int64_t length)
{
    int64_t k;
    for (k = 0; k < length; k++)
        if (!((text[k] | 32) >= 'a' && (text[k] | 32) <= 'z') && text[k] != '_' &&
            !(k > 0 && text[k] >= '0' && text[k] <= '9'))
            return 0;
    return length > 0;
}

/* Writes the name that an escaped key spells, if it is a plain one. Returns its length, or -1. */
static inline int w7_unescape_key(const uint8_t *key, int64_t length, uint8_t *out, int room)
{
    const uint8_t *p = key, *end = key + length;
    int written = 0, lone = 0;
    while (p < end) {
        if (room - written < 4 || (*p == '\\' && w7_pass_escape(p, end, &lone) == NULL))
            return -1;
        written += w7_utf8_write(out + written, w7_next_character(&p, end));
    }
    return w7_is_plain_key(out, written) ? written : -1;
}

static inline void w7_path_put_frame(w7_locator *locator, const w7_level *frame)
{
    w7_places *places = &locator->places;
    if (!frame->object) {
        w7_path_put(places, "[", 1);
        w7_path_put_number(places, frame->index);
        w7_path_put(places, "]", 1);
    } else {
        const uint8_t *key = locator->begin + frame->key.begin + 1;
        int64_t length = frame->key.end - frame->key.begin - 2;
        uint8_t name[W7_PATH_KEY];
        /* Every problem below a long name writes it again: no more of it is looked at than is shown. */
        int cut = length > W7_PATH_KEY;
        int64_t shown = cut ? W7_PATH_KEY : length;
        int escaped = memchr(key, '\\', (size_t)shown) != NULL && length <= W7_PATH_KEY_ESCAPED;
        int unescaped = escaped ? w7_unescape_key(key, length, name, W7_PATH_KEY) : -1;
        int plain = unescaped >= 0 || w7_is_plain_key(key, shown);
        if (unescaped >= 0) {
            key = name;
            shown = unescaped;
            cut = 0;
        }
        w7_path_put(places, plain ? "." : "[\"", plain ? 1 : 2);
        w7_path_put(places, (const char *)key, shown);
        if (cut)
            w7_path_put(places, "...", 3);
        if (!plain)
            w7_path_put(places, "\"]", 2);
    }
}

static inline void w7_path_write(w7_locator *locator)
{
    w7_places *places = &locator->places;
    int64_t k, count = locator->frames.count;
    w7_path_put(places, "$", 1);
    for (k = 0; k < count; k++) {
        if (k == W7_PATH_HEAD && count > W7_PATH_HEAD + W7_PATH_TAIL) {
            k = count - W7_PATH_TAIL;
            w7_path_put(places, "...", 3);
        }
        if (locator->frames.at[k].active)
            w7_path_put_frame(locator, &locator->frames.at[k]);
    }
}

/* Gives the path of the present place to every offset before `limit` that has none yet. */
static inline void w7_locate_until(w7_locator *locator, const uint8_t *limit)
{
    w7_places *places = &locator->places;
    for (; places->next < places->last && places->next->offset < limit - locator->begin; places->next++) {
        if (places->failed)
            break;
        places->next->path = places->paths.count;
        w7_path_write(locator);
        places->next->path_end = places->paths.count;
    }
}

/* The first place that is looked for, at most the end of the text. */
static inline const uint8_t *w7_locator_next(const w7_locator *locator)
{
    const w7_places *places = &locator->places;
    const int64_t size = locator->end - locator->begin;
    return places->next < places->last && places->next->offset < size ? locator->begin + places->next->offset
                                                                      : locator->end;
}

static inline const uint8_t *w7_pass_spaces(const uint8_t *p, const uint8_t *end)
{
    while (p < end && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
}

/* The end of the string, number or word at p, however broken it is. */
static inline const uint8_t *w7_scalar_end(const uint8_t *p, const uint8_t *end)
{
    if (*p == '"') {
        for (p++; p < end && *p != '"'; p++)
            if (*p == '\\' && p + 1 < end)
                p++;
        return p < end ? p + 1 : end;
    }
    while (p < end && *p != ',' && *p != '}' && *p != ']' && *p != ':' && *p > ' ')
        p++;
    return p;
}

static inline int w7_locator_open(w7_locator *locator, int object)
{
    w7_level frame = {-1, NULL, {-1, -1}, 0, 0};
    frame.object = (uint8_t)object;
    if (W7_TABLE_RESERVE_ONE(&locator->frames) != 0)
        return 0;
    locator->frames.at[locator->frames.count++] = frame;
    return 1;
}

/* Enters the element or member at p, of the innermost open container. Returns where its value
 * starts, or NULL where the text is broken. */
static inline const uint8_t *w7_locator_enter(w7_locator *locator, const uint8_t *p)
{
    w7_level *top = &locator->frames.at[locator->frames.count - 1];
    w7_locate_until(locator, p);
    top->index++;
    if (top->object) {
        if (p >= locator->end || *p != '"')
            return NULL;
        top->key.begin = p - locator->begin;
        p = w7_scalar_end(p, locator->end);
        top->key.end = p - locator->begin;
        if (top->key.end - top->key.begin < 2)
            return NULL;
        top->active = 1;
        w7_locate_until(locator, p);
        p = w7_pass_spaces(p, locator->end);
        return p < locator->end && *p == ':' ? w7_pass_spaces(p + 1, locator->end) : NULL;
    }
    top->active = 1;
    return p;
}

/* Where the array or object at p ends, if before `limit` and if it is [like, like_end) but for the digits of numbers and
 * texts, which have no part in the structure of a text; NULL otherwise. */
static inline const uint8_t *w7_end_of_alike(const uint8_t *p, const uint8_t *limit, const uint8_t *like,
                                             const uint8_t *like_end)
{
    if (like == NULL || (*like != '{' && *like != '['))
        return NULL;
    while (like < like_end) {
        const uint8_t *digits, *like_digits;
        while (limit - p >= W7_EIGHT_BYTES && like_end - like >= W7_EIGHT_BYTES &&
               w7_eight_bytes(p) == w7_eight_bytes(like)) {
            p += W7_EIGHT_BYTES;
            like += W7_EIGHT_BYTES;
        }
        while (p < limit && like < like_end && *p == *like) {
            p++;
            like++;
        }
        if (like == like_end)
            break;
        /* Digits that are more in one of them, or begin here in both. */
        digits = w7_pass_digits(p, limit);
        like_digits = w7_pass_digits(like, like_end);
        if ((digits == p && like_digits == like) ||
            ((digits == p || like_digits == like) && w7_pass_digits(like - 1, like) != like))
            return NULL;
        p = digits;
        like = like_digits;
    }
    return p;
}

/* Walks over the text as far as it is whole and gives every offset its path. */
static inline void w7_locate_paths(w7_locator *locator)
{
    const uint8_t *p = w7_pass_spaces(locator->begin, locator->end), *end = locator->end;
    if (end - p >= 3 && p[0] == 0xEF && p[1] == 0xBB && p[2] == 0xBF)
        p = w7_pass_spaces(p + 3, end);
    while (p != NULL && p < end && locator->places.next < locator->places.last && !locator->places.failed) {
        if (*p == '{' || *p == '[') {
            int object = *p == '{';
            w7_locate_until(locator, p);
            if (!w7_locator_open(locator, object)) {
                locator->places.failed = 1;
                break;
            }
            p++;
            w7_locate_until(locator, p);
            p = w7_pass_spaces(p, end);
            if (p < end && *p != (object ? '}' : ']')) {
                p = w7_locator_enter(locator, p);
                continue;
            }
        } else {
            const uint8_t *after = w7_scalar_end(p, end);
            if (after == p)
                break;
            p = after;
            w7_locate_until(locator, p);
        }
        /* A value or an empty container ended. */
        for (;;) {
            const uint8_t *ended = p;
            w7_level *top;
            if (locator->frames.count == 0) {
                p = NULL;
                break;
            }
            top = &locator->frames.at[locator->frames.count - 1];
            top->active = 0;
            p = w7_pass_spaces(p, end);
            if (p < end && *p == ',') {
                w7_locate_until(locator, p + 1);
                p = w7_locator_enter(locator, w7_pass_spaces(p + 1, end));
                ended = top->object ? NULL : w7_end_of_alike(p, w7_locator_next(locator), top->last, ended);
                top->last = p;
                if (ended == NULL)
                    break;
                p = ended;
                continue;
            }
            if (p >= end || *p != (top->object ? '}' : ']')) {
                p = NULL;
                break;
            }
            p++;
            w7_locate_until(locator, p);
            locator->frames.count--;
        }
    }
    w7_locate_until(locator, end + 1);
}

static inline void w7_locate_lines(const uint8_t *begin, const uint8_t *end, w7_located *found, int64_t count)
{
    int64_t line = 1, column = 1, k;
    const uint8_t *p = begin;
    for (k = 0; k < count; k++) {
        const uint8_t *place = found[k].offset < end - begin ? begin + found[k].offset : end;
        if (place > p) {
            w7_pass_lines(p, place, &line, &column);
            p = place;
        }
        found[k].line = line;
        found[k].column = column;
    }
}

/* Fills in line, column and path of each of `found`. The paths are in *paths, which the caller
 * frees. Returns 0, or -1 when memory is short. */
static inline int w7_locate(const uint8_t *text, int64_t size, w7_located *found, int64_t count, w7_path_text *paths)
{
    w7_locator locator;
    memset(&locator, 0, sizeof locator);
    locator.begin = text;
    locator.end = text + size;
    locator.places.next = found;
    locator.places.last = found + count;
    w7_locate_lines(text, locator.end, found, count);
    w7_locate_paths(&locator);
    free(locator.frames.at);
    *paths = locator.places.paths;
    return locator.places.failed ? -1 : 0;
}

#endif
