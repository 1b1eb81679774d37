/* The kind of an `info`: its text without the words of the members that writers take over as they are. Records of one
 * server have few kinds, and what becomes of a kind is found out once. */
#ifndef W7_FORMATS_WEI7_INFO_KIND_H
#define W7_FORMATS_WEI7_INFO_KIND_H

#include "formats/wei7/json.h"

enum { W7_INFO_KIND_BYTES = 1000, W7_INFO_KIND_TEXTS = 64, W7_INFO_DATE = 10 };

typedef struct {
    int32_t width; /* with the next two and the text before the texts, what the result depends on */
    int32_t height;
    int32_t only_dates;               /* of a time its date alone is taken over, else all of it */
    uint8_t text[W7_INFO_KIND_BYTES]; /* with a NUL for each text */
    int64_t size;
    w7_span at[W7_INFO_KIND_TEXTS]; /* of the texts in the `info`; the date, if any, comes last */
    int count;
} w7_info_kind;

static inline int w7_info_kind_add(w7_info_kind *kind, const void *text, int64_t size)
{
    if (size > W7_INFO_KIND_BYTES - kind->size)
        return 0;
    memcpy(kind->text + kind->size, text, (size_t)size);
    kind->size += size;
    return 1;
}

static inline int w7_info_is_named(const uint8_t *name, int64_t size, const char *wanted)
{
    return size == (int64_t)strlen(wanted) && memcmp(name, wanted, (size_t)size) == 0;
}

/* Whether a text begins with a date and a T. */
static inline int w7_info_is_dated(const uint8_t *p, int64_t size)
{
    static const char form[] = "0000-00-00T";
    int k;
    if (size < W7_INFO_DATE + 1)
        return 0;
    for (k = 0; k <= W7_INFO_DATE; k++)
        if (form[k] == '0' ? (uint8_t)(p[k] - '0') > 9 : p[k] != form[k])
            return 0;
    return 1;
}

/* Finds the kind of a valid `info`. Returns 0 where it is not plain: with escapes, bytes that are no ASCII outside of
 * strings, control characters, or too long. */
static inline int w7_info_find_kind(const uint8_t *info, int64_t size, w7_info_kind *kind)
{
    static const char *const texts[] = {"name", "place", "rank", "title", "domain", "id"};
    const uint8_t *p = info, *end = info + size, *name = NULL;
    int64_t name_size = 0;
    w7_span date = {-1, -1};
    int is_value = 0;
    kind->size = 0;
    kind->count = 0;
    while (p < end) {
        const uint8_t *begin = p, *close;
        int is_text = 0;
        size_t k;
        if (*p != '"') {
            if (*p < ' ' || *p > '~' || !w7_info_kind_add(kind, p, 1))
                return 0;
            if (*p != ' ')
                is_value = *p == ':';
            p++;
            continue;
        }
        close = memchr(p + 1, '"', (size_t)(end - p - 1));
        if (close == NULL)
            return 0;
        for (p = begin + 1; p < close; p++) {
            if (*p < ' ' || *p == 0x7F || *p == '\\')
                return 0;
            is_text |= *p != ' ';
        }
        p = close + 1;
        if (is_value && is_text) {
            is_text = 0;
            for (k = 0; k < sizeof texts / sizeof *texts; k++)
                is_text |= w7_info_is_named(name, name_size, texts[k]);
            if (w7_info_is_named(name, name_size, "time")) {
                is_text = !kind->only_dates;
                if (kind->only_dates && w7_info_is_dated(begin + 1, close - begin - 1)) {
                    if (date.begin >= 0 || !w7_info_kind_add(kind, "\"0000-00-00T\"", W7_INFO_DATE + 3))
                        return 0;
                    date.begin = begin + 1 - info;
                    date.end = date.begin + W7_INFO_DATE;
                    is_value = 0;
                    continue;
                }
            }
            if (is_text) {
                if (kind->count == W7_INFO_KIND_TEXTS - 1 || !w7_info_kind_add(kind, "\"\0\"", 3))
                    return 0;
                kind->at[kind->count].begin = begin + 1 - info;
                kind->at[kind->count++].end = close - info;
                is_value = 0;
                continue;
            }
        }
        if (!w7_info_kind_add(kind, begin, p - begin))
            return 0;
        is_value = 0;
        name = begin + 1;
        name_size = close - name;
    }
    if (date.begin >= 0)
        kind->at[kind->count++] = date;
    return 1;
}

#endif
