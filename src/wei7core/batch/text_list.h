/* Texts one after the other, such as the values of headers: those that codes name, the distinct ones, and dates. */
#ifndef W7_BATCH_TEXT_LIST_H
#define W7_BATCH_TEXT_LIST_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/wei7/values.h"

/* Texts one after the other: number k ends before byte ends[k] of the data. */
typedef struct {
    const uint8_t *data;
    int64_t size;
    const int64_t *ends;
    const uint8_t *kinds; /* a byte for each */
    int64_t count;
} w7_texts;

/* The bytes of text `code`; NULL where there is no such text inside the data. */
static inline const uint8_t *w7_text_at(const w7_texts *texts, int32_t code, int64_t *size)
{
    const int64_t begin = code > 0 && code < texts->count ? texts->ends[code - 1] : 0;
    if (code < 0 || code >= texts->count || begin < 0 || texts->ends[code] < begin || texts->ends[code] > texts->size)
        return NULL;
    *size = texts->ends[code] - begin;
    return texts->data + begin;
}

/* Writes where the texts begin and end that `codes` name, and whether there is one (a code of -1 is none). Returns the
 * bytes of all of them, or -1 where a code names no text. */
static inline int64_t w7_taken_offsets(const w7_texts *texts, const int32_t *codes, int64_t count, int64_t *offsets,
                                       uint8_t *valid)
{
    int64_t total = 0, size;
    offsets[0] = 0;
    for (int64_t k = 0; k < count; k++) {
        valid[k] = codes[k] != -1;
        if (valid[k] && w7_text_at(texts, codes[k], &size) == NULL)
            return -1;
        total += valid[k] ? size : 0;
        offsets[k + 1] = total;
    }
    return total;
}

static inline void w7_taken_texts(const w7_texts *texts, const int32_t *codes, int64_t count, const int64_t *offsets,
                                  uint8_t *out)
{
    for (int64_t k = 0; k < count; k++) {
        int64_t size = 0;
        const uint8_t *text = codes[k] < 0 ? NULL : w7_text_at(texts, codes[k], &size);
        if (text != NULL)
            memcpy(out + offsets[k], text, (size_t)(offsets[k + 1] - offsets[k]));
    }
}

static inline uint32_t w7_text_hash(const uint8_t *p, int64_t size, uint8_t kind)
{
    const uint64_t factor = 0x9E3779B97F4A7C15u;
    uint64_t hash = ((uint64_t)size << 8 | kind) * factor, word;
    for (; size >= 8; p += 8, size -= 8) {
        memcpy(&word, p, 8);
        hash = (hash ^ hash >> 32 ^ word) * factor;
    }
    for (word = 0; size > 0; p++, size--)
        word = word << 8 | *p;
    hash = (hash ^ hash >> 32 ^ word) * factor;
    return (uint32_t)(hash >> 32);
}

/* Numbers the distinct texts that `codes` name, in the order of their first ones, whose codes `firsts` become. Code k
 * becomes the number places[k], or -1 where it is -1. Returns how many they are, -1 where a code names no text, -2 when
 * memory is short. */
static inline int64_t w7_distinct_texts(const w7_texts *texts, const int32_t *codes, int64_t count, int32_t *places,
                                        int32_t *firsts)
{
    uint64_t room = 16;
    int64_t found = 0;
    int32_t *table, *known; /* numbers from 1 on, by hash and by code */
    while (room < (uint64_t)count * 2)
        room *= 2;
    table = (int32_t *)calloc((size_t)room, sizeof *table);
    known = (int32_t *)calloc((size_t)texts->count + 1, sizeof *known);
    for (int64_t k = 0; table != NULL && known != NULL && k < count && found >= 0; k++) {
        const int32_t code = codes[k];
        int64_t size, other_size;
        const uint8_t *text;
        uint64_t at;
        places[k] = -1;
        if (code == -1)
            continue;
        text = w7_text_at(texts, code, &size);
        if (text == NULL) {
            found = -1;
            break;
        }
        if (known[code] == 0) {
            for (at = w7_text_hash(text, size, texts->kinds[code]) & (room - 1);; at = (at + 1) & (room - 1)) {
                const int32_t first = table[at] == 0 ? -1 : firsts[table[at] - 1];
                const uint8_t *other = first < 0 ? NULL : w7_text_at(texts, first, &other_size);
                if (other == NULL)
                    break;
                if (texts->kinds[first] == texts->kinds[code] && other_size == size &&
                    memcmp(other, text, (size_t)size) == 0)
                    break;
            }
            if (table[at] == 0) {
                firsts[found++] = code;
                table[at] = (int32_t)found;
            }
            known[code] = table[at];
        }
        places[k] = known[code] - 1;
    }
    found = table == NULL || known == NULL ? -2 : found;
    free(table);
    free(known);
    return found;
}

enum { W7_DAY_BYTES = 10 };

/* Whether a text is a date like 2016-03-15, alone or before the time of day, which is not 24 o'clock. */
static inline int w7_starts_with_day(const uint8_t *p, int64_t size)
{
    int century, year, month, day;
    if (size < W7_DAY_BYTES || p[4] != '-' || p[7] != '-' || (size > W7_DAY_BYTES && p[W7_DAY_BYTES] != 'T'))
        return 0;
    if (size > W7_DAY_BYTES + 2 && p[W7_DAY_BYTES + 1] == '2' && p[W7_DAY_BYTES + 2] == '4')
        return 0;
    century = w7_two_digits(p);
    year = w7_two_digits(p + 2);
    month = w7_two_digits(p + 5);
    day = w7_two_digits(p + 8);
    return century >= 0 && year >= 0 && century + year > 0 && month >= 1 && month <= 12 && day >= 1 &&
           day <= w7_days_in_month(century * 100 + year, month);
}

/* Writes which of the texts are such dates, and these dates. Returns how many, or -1 where a code names no text. */
static inline int64_t w7_days_of_texts(const w7_texts *texts, const int32_t *codes, int64_t count, uint8_t *is_day,
                                       uint8_t *days)
{
    int64_t found = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t size = 0;
        const uint8_t *text = w7_text_at(texts, codes[k], &size);
        if (text == NULL)
            return -1;
        is_day[k] = (uint8_t)w7_starts_with_day(text, size);
        if (is_day[k])
            memcpy(days + W7_DAY_BYTES * found++, text, W7_DAY_BYTES);
    }
    return found;
}

#endif
