/* JSON objects of a known shape: where one ends, without a value of it being made. */
#ifndef W7_UTIL_JSON_SHAPE_H
#define W7_UTIL_JSON_SHAPE_H

#include <Python.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "_util/json_scan.h"

typedef enum {
    W7_JSON_NUMBER,
    W7_JSON_COUNT,
    W7_JSON_TEXT,
    W7_JSON_FLAG,
    W7_JSON_WORD,
    W7_JSON_ANY,
    W7_JSON_SHAPE,
    W7_JSON_LATER,
    W7_JSON_LIST,
    W7_JSON_TUPLE
} w7_json_kind;

enum { W7_JSON_MEMBERS = 16, W7_JSON_WORD_LETTERS = 7, W7_JSON_FINITE_POWER = 289 };

typedef struct {
    uint64_t key; /* 0: free */
    void *value;
} w7_json_word_slot;

typedef struct {
    w7_json_word_slot *slots;
    int bits;
} w7_json_words;

typedef struct {
    const char *name;
    size_t size;
    w7_json_kind kind;
    w7_json_kind part; /* of the elements of a list */
    const void *shape; /* w7_json_shape where the kind or the part is one, w7_json_member where it is read later */
} w7_json_member;

typedef struct {
    w7_json_member members[W7_JSON_MEMBERS];
    int count;
    uint32_t required; /* a bit for each member */
    int others;        /* whether it may have other members */
} w7_json_shape;

/* The letters and the length of a word; 0 for one that is too long. */
static inline uint64_t w7_json_word_key(const char *word, size_t size)
{
    uint64_t key = size;
    if (size == 0 || size > W7_JSON_WORD_LETTERS)
        return 0;
    while (size--)
        key = key << 8 | (unsigned char)*word++;
    return key;
}

/* The place of a key, or the free one where it would be. */
static inline size_t w7_json_word_place(const w7_json_words *words, uint64_t key)
{
    size_t place = (size_t)((key * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - words->bits));
    while (words->slots[place].key != 0 && words->slots[place].key != key)
        place = (place + 1) & (((size_t)1 << words->bits) - 1);
    return place;
}

/* A letter and the spaces after it passed; NULL where there is another one. */
static inline const char *w7_json_take(const char *at, char letter)
{
    return *at == letter ? w7_json_spaces(at + 1) : NULL;
}

/* Whether a number of a great power of ten is one of a double. */
static int w7_json_is_finite(const char *at)
{
    char *end;
    const double value = PyOS_string_to_double(at, &end, NULL);
    if (value == -1 && PyErr_Occurred()) { /* no memory */
        PyErr_Clear();
        return 0;
    }
    return isfinite(value);
}

static const char *w7_json_pass(const char *at, w7_json_kind kind, w7_json_kind part, const void *shape,
                                const w7_json_words *words);

static const char *w7_json_pass_object(const char *at, const w7_json_shape *shape, const w7_json_words *words)
{
    uint32_t found = 0;
    const char *name, *end;
    size_t size;
    int tried, place = 0;
    at = w7_json_take(at, '{');
    if (at == NULL)
        return NULL;
    end = w7_json_take(at, '}');
    if (end != NULL)
        return shape->required == 0 ? end : NULL;
    for (;;) {
        name = at + 1;
        at = w7_json_text(at);
        if (at == NULL)
            return NULL;
        size = (size_t)(at - name - 1);
        at = w7_json_take(w7_json_spaces(at), ':');
        if (at == NULL)
            return NULL;
        for (tried = 0; tried < shape->count; tried++) { /* the one after the last is the likeliest */
            const w7_json_member *member = &shape->members[place];
            if (member->size == size && (size == 0 || (*member->name == *name && !memcmp(member->name, name, size))))
                break;
            place = place + 1 < shape->count ? place + 1 : 0;
        }
        if (tried < shape->count) {
            const w7_json_member *member = &shape->members[place];
            at = w7_json_pass(at, member->kind, member->part, member->shape, words);
            found |= (uint32_t)1 << place;
        } else if (shape->others) {
            at = w7_json_pass(at, *at == '[' ? W7_JSON_LIST : W7_JSON_ANY, W7_JSON_ANY, NULL, words);
        } else {
            return NULL;
        }
        if (at == NULL)
            return NULL;
        end = w7_json_take(at, ',');
        if (end == NULL)
            return (shape->required & ~found) == 0 ? w7_json_take(at, '}') : NULL;
        at = end;
    }
}

static const char *w7_json_pass_scalar(const char *at, w7_json_kind kind, const w7_json_words *words)
{
    w7_json_number number;
    const char *end;
    if (*at == '"') {
        end = w7_json_text(at);
        if (end == NULL || (kind != W7_JSON_TEXT && kind != W7_JSON_WORD && kind != W7_JSON_ANY))
            return NULL;
        if (kind == W7_JSON_WORD) {
            uint64_t key = w7_json_word_key(at + 1, (size_t)(end - at - 2));
            if (key == 0 || words == NULL || words->slots[w7_json_word_place(words, key)].key == 0)
                return NULL;
        }
        return w7_json_spaces(end);
    }
    end = w7_json_scan_number(at, &number);
    if (end != NULL) {
        if (kind == W7_JSON_COUNT ? !number.is_whole || number.whole < 0
                                  : kind != W7_JSON_NUMBER && kind != W7_JSON_ANY)
            return NULL;
        return number.power <= W7_JSON_FINITE_POWER || w7_json_is_finite(at) ? w7_json_spaces(end) : NULL;
    }
    if (kind == W7_JSON_FLAG || kind == W7_JSON_ANY) {
        end = w7_json_word(at, "true");
        if (end == NULL)
            end = w7_json_word(at, "false");
        if (end == NULL && kind == W7_JSON_ANY)
            end = w7_json_word(at, "null");
    }
    return end == NULL ? NULL : w7_json_spaces(end);
}

/* Where an element of a kind ends, and the spaces after it; NULL for another text, and for a word that is not known. */
static const char *w7_json_pass(const char *at, w7_json_kind kind, w7_json_kind part, const void *shape,
                                const w7_json_words *words)
{
    const char *end;
    if (kind == W7_JSON_LATER) {
        const w7_json_member *inner = shape;
        return w7_json_pass(at, inner->kind, inner->part, inner->shape, words);
    }
    if (kind == W7_JSON_SHAPE)
        return w7_json_pass_object(at, shape, words);
    if (kind != W7_JSON_LIST && kind != W7_JSON_TUPLE)
        return w7_json_pass_scalar(at, kind, words);
    at = w7_json_take(at, '[');
    if (at == NULL)
        return NULL;
    end = w7_json_take(at, ']');
    while (end == NULL) {
        at = w7_json_pass(at, part, part, shape, words);
        if (at == NULL)
            return NULL;
        end = w7_json_take(at, ']');
        if (end == NULL) {
            at = w7_json_take(at, ',');
            if (at == NULL)
                return NULL;
        }
    }
    return end;
}

#endif
