/* Checks after a game has been read: root properties in other nodes, and text in escape sequences. */
#ifndef W7_FORMATS_SGF_GAME_INFO_H
#define W7_FORMATS_SGF_GAME_INFO_H

#include "formats/sgf/node.h"

enum { W7_SGF_ESCAPED = 7 }; /* the place of its reason in EVIDENCE of charset.py */

/* The number of the property whose name is [p, end). */
static inline int w7_sgf_number_of_name(const uint8_t *p, const uint8_t *end)
{
    uint32_t name = 0;
    int count = 0;
    for (; p < end; p++) {
        if (*p >= 'a' && *p <= 'z')
            continue;
        if (count == 2)
            return W7_SGF_UNKNOWN;
        name |= (uint32_t)*p << 8 * count++;
    }
    return w7_sgf_find_property(name);
}

/* Notes each node with information about the game though a node before it on its path does (FF[4]: there may be one
 * on a path), and AP and ST elsewhere than in the root. Returns 0 where memory is short. */
static inline int w7_sgf_check_game_info(w7_sgf_reader *reader)
{
    const w7_trees *trees = &reader->record->trees;
    const w7_kepts *kepts = &reader->record->kept;
    const uint8_t *begin = reader->lexer.begin;
    /* Rows of trees and of properties are in the order of the text, a tree before those inside it. */
    uint8_t *informed = calloc((size_t)trees->count + 1, 1);
    int64_t row = 0, i;
    int32_t last = -1;
    if (informed == NULL)
        return w7_sgf_out_of_memory(reader);
    for (i = 0; i < kepts->count; i++) {
        const w7_kept *kept = &kepts->at[i];
        const int number = w7_sgf_number_of_name(begin + kept->key.begin, begin + kept->key.end);
        if (!w7_sgf_is_of_root(number))
            continue;
        if (kept->owner == W7_OWNER_ROOT) {
            informed[0] |= (uint8_t)w7_sgf_is_game_info(number);
            continue;
        }
        if (!w7_sgf_is_game_info(number)) {
            w7_sgf_note(&reader->lexer, W7_PROPERTY_MISPLACED, number, kept->key.begin, W7_SGF_OF_THE_FILE);
            continue;
        }
        if (kept->index == last)
            continue;
        last = kept->index;
        while (row + 1 < trees->count && last - trees->at[row].first_step >= trees->at[row].step_count) {
            row++;
            informed[row] = informed[trees->at[row].parent];
        }
        if (informed[row])
            w7_sgf_note(&reader->lexer, W7_PROPERTY_MISPLACED, number, kept->key.begin, W7_SGF_INFO_AGAIN);
        informed[row] = 1;
    }
    free(informed);
    return 1;
}

/* The first sequence of ISO-2022 in [p, end) that switches to two bytes a character, or NULL. */
static inline const uint8_t *w7_sgf_find_escape(const uint8_t *p, const uint8_t *end)
{
    while ((p = memchr(p, 0x1B, (size_t)(end - p))) != NULL && ++p < end)
        if (*p == '$')
            return p - 1;
    return NULL;
}

/* The first text in [p, end) that has the form of HZ: `~{`, pairs of bytes, `~}`; or NULL. */
static inline const uint8_t *w7_sgf_find_hz(const uint8_t *p, const uint8_t *end)
{
    while ((p = memchr(p, '~', (size_t)(end - p))) != NULL && end - ++p > 4) {
        const uint8_t *pair = p + 1;
        if (*p != '{')
            continue;
        while (end - pair > 1 && pair[0] > ' ' && pair[0] < 'x' && pair[1] > ' ' && pair[1] < 0x7F)
            pair += 2;
        if (pair > p + 1 && end - pair > 1 && pair[0] == '~' && pair[1] == '}')
            return p - 1;
    }
    return NULL;
}

/* The first place in [p, end) whose text has the form of ISO-2022 or HZ, or NULL. In UTF-7 it is `+` and letters, which
 * any text may have. */
static inline const uint8_t *w7_sgf_find_escapes(const uint8_t *p, const uint8_t *end)
{
    const uint8_t *iso = w7_sgf_find_escape(p, end), *hz = w7_sgf_find_hz(p, iso == NULL ? end : iso);
    return hz == NULL ? iso : hz;
}

/* Whether the encoding [name, name_end) writes characters beyond ASCII as escape sequences, and [p, end) has some. */
static inline int w7_sgf_is_escaped(const uint8_t *name, const uint8_t *name_end, const uint8_t *p, const uint8_t *end)
{
    char letters[8] = {0};
    int count = 0;
    for (; name < name_end && count < 7; name++) {
        const uint8_t c = *name | 0x20;
        if ((c >= 'a' && c <= 'z') || w7_sgf_is_digit(*name))
            letters[count++] = (char)(w7_sgf_is_digit(*name) ? *name : c);
    }
    if (memcmp(letters, "iso2022", 7) == 0 || strcmp(letters, "csiso20") == 0)
        return memchr(p, 0x1B, (size_t)(end - p)) != NULL;
    if (strcmp(letters, "utf7") == 0)
        return memchr(p, '+', (size_t)(end - p)) != NULL;
    if (strcmp(letters, "hz") != 0 && strcmp(letters, "hzgb") != 0 && memcmp(letters, "hzgb231", 7) != 0)
        return 0;
    while ((p = memchr(p, '~', (size_t)(end - p))) != NULL && ++p < end)
        if (*p == '{')
            return 1;
    return 0;
}

#endif
