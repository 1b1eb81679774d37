/* The places of header values that a check needs (komi, result and others) in the text of a record without problems.
 *
 * No Python. */
#ifndef W7_BATCH_HEADER_VALUES_H
#define W7_BATCH_HEADER_VALUES_H

#include "batch/record_id.h"
#include "record/record.h"
#include "formats/sgf/lexer.h"

enum {
    W7_HEADER_KOMI = 0,
    W7_HEADER_RESULT,
    W7_HEADER_HANDICAP,
    W7_HEADER_RULES,
    W7_HEADER_PLAYER,
    W7_HEADER_SCORING = W7_HEADER_PLAYER, /* wei7 names no player, SGF no scoring of its own */
    W7_HEADER_VALUES
};

/* Begin and end of a value in the text of its record; -1 where there is none. */
typedef struct {
    int32_t begin;
    int32_t end;
} w7_header_span;

static inline w7_header_span w7_header_span_of(const uint8_t *text, const uint8_t *begin, const uint8_t *end)
{
    const w7_header_span span = {(int32_t)(begin - text), (int32_t)(end - text)};
    return span;
}

/* The values of the object `info` of wei7. */
static inline void w7_header_of_info(const w7_record *record, w7_header_span values[W7_HEADER_VALUES])
{
    for (int64_t k = 0; record->info.begin >= 0 && k < record->header.count; k++) {
        const w7_header_value *found = &record->header.at[k];
        int value;
        switch (found->place << 8 | found->name) {
        case W7_AT_INFO << 8 | W7_N_RESULT: value = W7_HEADER_RESULT; break;
        case W7_AT_RULES << 8 | W7_N_KOMI: value = W7_HEADER_KOMI; break;
        case W7_AT_RULES << 8 | W7_N_TYPE: value = W7_HEADER_RULES; break;
        case W7_AT_RULES << 8 | W7_N_SCORING: value = W7_HEADER_SCORING; break;
        default: continue;
        }
        values[value].begin = (int32_t)found->value.begin;
        values[value].end = (int32_t)found->value.end;
    }
}

/* The end of the value of SGF whose content starts at p. */
static inline const uint8_t *w7_header_content_end(const uint8_t *p, const uint8_t *end, int double_byte)
{
    const uint8_t *close = w7_sgf_value_end(p, end, double_byte);
    return close == NULL ? end : close;
}

/* The step whose node has the game info in place of the root: none before it and no other has any, and it is on every
 * line; -1: none. */
static inline int32_t w7_header_step(const uint8_t *text, const w7_record *record)
{
    int32_t only = -1;
    int number, lower;
    for (int64_t i = 0; i < record->kept.count; i++) { /* those of the root come first */
        const w7_kept *kept = &record->kept.at[i];
        w7_sgf_read_name(text + kept->key.begin, text + kept->key.end, &number, &lower);
        if (!w7_sgf_is_game_info(number))
            continue;
        if (kept->owner == W7_OWNER_ROOT || (only >= 0 && kept->index != only))
            return -1;
        only = kept->index;
    }
    return only < 0 || only < record->trees.at[0].step_count ? only : -1;
}

/* Whether a property is of the root, or game info at `step` in its place. */
static inline int w7_header_is_of(const w7_kept *kept, int number, int32_t step)
{
    return kept->owner == W7_OWNER_ROOT || (step >= 0 && kept->index == step && w7_sgf_is_game_info(number));
}

/* The first values of the properties KM, RE, HA, RU and PL of the root node, with those of `step` in their place. */
static inline void w7_header_of_root(const uint8_t *text, const w7_record *record, int double_byte, int32_t step,
                                     w7_header_span values[W7_HEADER_VALUES])
{
    for (int64_t i = 0; i < record->kept.count && (step >= 0 || record->kept.at[i].owner == W7_OWNER_ROOT); i++) {
        const w7_kept *kept = &record->kept.at[i];
        const uint8_t *begin = text + kept->value.begin + 1, *end = text + kept->value.end;
        int value, number, lower;
        w7_sgf_read_name(text + kept->key.begin, text + kept->key.end, &number, &lower);
        if (!w7_header_is_of(kept, number, step))
            continue;
        switch (number) {
        case W7_SGF_KM: value = W7_HEADER_KOMI; break;
        case W7_SGF_RE: value = W7_HEADER_RESULT; break;
        case W7_SGF_HA: value = W7_HEADER_HANDICAP; break;
        case W7_SGF_RU: value = W7_HEADER_RULES; break;
        case W7_SGF_PL: value = W7_HEADER_PLAYER; break;
        default: continue;
        }
        if (values[value].begin < 0 && begin <= end)
            values[value] = w7_header_span_of(text, begin, w7_header_content_end(begin, end, double_byte));
    }
}

#endif
