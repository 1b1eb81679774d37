/* From byte offsets to lines, columns and places in the tree: one pass over the text for any number
 * of offsets, made only when there is something to report. */
#ifndef W7_FORMATS_SGF_LOCATE_H
#define W7_FORMATS_SGF_LOCATE_H

#include "formats/located.h"
#include "formats/sgf/lexer.h"

/* A tree that is open at some place of the text. */
typedef struct {
    int32_t ordinal;  /* among the branches of its parent */
    int32_t node;     /* number of its last node, -1 before the first */
    int32_t branches; /* so far */
} w7_sgf_level;

W7_TABLE(w7_sgf_levels, w7_sgf_level);

typedef struct {
    w7_sgf_lexer lexer;
    w7_sgf_levels levels;
    w7_places places;
} w7_sgf_locator;

/* How the bytes of a text make characters, for columns. */
enum { W7_SGF_UTF8 = 0, W7_SGF_PAIRS = 1, W7_SGF_SHIFT_JIS = 2, W7_SGF_SINGLE = 3 };

/* A path deeper than this is written with its middle left out, a longer name with its end left out. */
enum { W7_SGF_PATH_HEAD = 48, W7_SGF_PATH_TAIL = 16, W7_SGF_PATH_NAME = 24 };

static inline void w7_sgf_put_path(w7_sgf_locator *locator, int in_property)
{
    const w7_sgf_lexer *lexer = &locator->lexer;
    w7_places *places = &locator->places;
    int64_t k, count = locator->levels.count;
    if (count == 0) {
        w7_path_put(places, "$", 1);
        return;
    }
    if (count == 1)
        w7_path_put(places, "-", 1);
    for (k = 1; k < count; k++) {
        if (k == W7_SGF_PATH_HEAD && count > W7_SGF_PATH_HEAD + W7_SGF_PATH_TAIL) {
            k = count - W7_SGF_PATH_TAIL;
            w7_path_put(places, "..", 2);
        }
        if (k > 1)
            w7_path_put(places, ".", 1);
        w7_path_put_number(places, locator->levels.at[k].ordinal);
    }
    if (locator->levels.at[count - 1].node >= 0) {
        w7_path_put(places, ";", 1);
        w7_path_put_number(places, locator->levels.at[count - 1].node);
    }
    if (in_property) {
        const char *known = W7_SGF_TABLE[lexer->property.number].name;
        int64_t length = lexer->property.key.end - lexer->property.key.begin;
        w7_path_put(places, ".", 1);
        if (*known != 0)
            w7_path_put(places, known, (int64_t)strlen(known));
        else
            w7_path_put(places, (const char *)lexer->begin + lexer->property.key.begin,
                        length < W7_SGF_PATH_NAME ? length : W7_SGF_PATH_NAME);
    }
}

/* Gives the path of the present place to every offset before `limit` that has none yet. */
static inline void w7_sgf_locate_until(w7_sgf_locator *locator, int64_t limit, int in_property)
{
    w7_places *places = &locator->places;
    for (; places->next < places->last && places->next->offset < limit && !places->failed; places->next++) {
        places->next->path = places->paths.count;
        w7_sgf_put_path(locator, in_property);
        places->next->path_end = places->paths.count;
    }
}

static inline void w7_sgf_enter_tree(w7_sgf_locator *locator)
{
    w7_sgf_levels *levels = &locator->levels;
    w7_sgf_level level = {0, -1, 0};
    if (levels->count > 0)
        level.ordinal = levels->at[levels->count - 1].branches++;
    if (W7_TABLE_RESERVE_ONE(levels) != 0)
        locator->places.failed = 1;
    else
        levels->at[levels->count++] = level;
}

/* Passes nodes of a move alone, with the semicolon of another one after them, that end before the next offset. */
static inline void w7_sgf_pass_moves(w7_sgf_locator *locator)
{
    w7_sgf_lexer *lexer = &locator->lexer;
    int32_t *node = &locator->levels.at[locator->levels.count - 1].node;
    const int64_t last = lexer->end - lexer->begin - 1, next = locator->places.next->offset;
    const uint8_t *p = w7_sgf_pass_spaces(lexer->p, lexer->end);
    const uint8_t *stop = lexer->begin + (next < last ? next : last);
    for (; stop - p >= 6 && p[0] == ';' && (p[1] == 'B' || p[1] == 'W') && p[2] == '[' && w7_sgf_is_letter(p[3]) &&
           w7_sgf_is_letter(p[4]) && p[5] == ']' && p[6] == ';';
         p += 6)
        ++*node;
    lexer->p = p;
}

static inline void w7_sgf_locate_paths(w7_sgf_locator *locator)
{
    w7_sgf_lexer *lexer = &locator->lexer;
    w7_sgf_token token = W7_SGF_OPEN;
    if (w7_sgf_begin_game(lexer, lexer->begin) == 1 && lexer->depth > 0) {
        w7_sgf_locate_until(locator, lexer->opened, 0);
        w7_sgf_enter_tree(locator);
    }
    while (locator->places.next < locator->places.last && !locator->places.failed && !lexer->no_memory) {
        if (lexer->state == W7_SGF_IN_NODE && !lexer->node_due && locator->levels.count > 0)
            w7_sgf_pass_moves(locator);
        token = w7_sgf_next(lexer);
        if (token == W7_SGF_END || token == W7_SGF_STOP)
            break;
        if (token == W7_SGF_OPEN) {
            w7_sgf_locate_until(locator, lexer->opened, 0);
            w7_sgf_enter_tree(locator);
        } else if (token == W7_SGF_NODE) {
            w7_sgf_locate_until(locator, lexer->node, 0);
            locator->levels.at[locator->levels.count - 1].node++;
        } else if (token == W7_SGF_PROPERTY) {
            w7_sgf_locate_until(locator, lexer->property.key.begin, 0);
            w7_sgf_locate_until(locator, lexer->property.values.end, 1);
        } else {
            w7_sgf_locate_until(locator, lexer->p - lexer->begin, 0);
            locator->levels.count--;
        }
    }
    /* An open tree ends where the text ends, or where another game begins. */
    if (token == W7_SGF_END)
        w7_sgf_locate_until(locator, lexer->p - lexer->begin + 1, 0);
    locator->levels.count = 0;
    w7_sgf_locate_until(locator, INT64_MAX, 0);
}

/* Whether eight bytes are characters of ASCII without the end of a line. */
static inline int w7_sgf_is_of_line(const uint8_t *p)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t word, feed, carriage;
    memcpy(&word, p, sizeof word);
    feed = word ^ ('\n' * ones);
    carriage = word ^ ('\r' * ones);
    /* Of a word with a byte of zeros, and of no other without a bit 7, a bit 7 is left. */
    return ((word | ((feed - ones) & ~feed) | ((carriage - ones) & ~carriage)) & (0x80 * ones)) == 0;
}

static inline void w7_sgf_locate_lines(const uint8_t *begin, const uint8_t *end, int characters, w7_located *found,
                                       int64_t count)
{
    int64_t line = 1, column = 1, k;
    const uint8_t *p = begin;
    for (k = 0; k < count; k++) {
        while (p < end && p - begin < found[k].offset) {
            int length = 1;
            if (end - p >= 8 && found[k].offset - (p - begin) >= 8 && w7_sgf_is_of_line(p)) {
                length = 8;
                column += 8;
            } else if (*p == '\n' || *p == '\r') {
                length = end - p > 1 && (p[1] == '\n' || p[1] == '\r') && p[1] != p[0] ? 2 : 1;
                line++;
                column = 1;
            } else if (characters == W7_SGF_PAIRS || characters == W7_SGF_SHIFT_JIS) {
                length = w7_sgf_pair(p, end, characters);
                column++;
            } else {
                column += characters == W7_SGF_SINGLE || (*p & 0xC0) != 0x80;
            }
            p += length;
        }
        found[k].line = line;
        found[k].column = column;
    }
}

/* Fills in line, column and path of each of `found`; `characters` decides what counts as one. The paths are in
 * *paths, which the caller frees. Returns 0, or -1 when memory is short. */
static inline int w7_sgf_locate(const uint8_t *text, int64_t size, int double_byte, int characters, w7_located *found,
                                int64_t count, w7_path_text *paths)
{
    w7_sgf_locator locator;
    memset(&locator, 0, sizeof locator);
    locator.lexer.begin = locator.lexer.p = text;
    locator.lexer.end = text + size;
    locator.lexer.max_depth = INT64_MAX;
    locator.lexer.double_byte = (uint8_t)double_byte;
    locator.places.next = found;
    locator.places.last = found + count;
    w7_sgf_locate_lines(text, text + size, characters, found, count);
    w7_sgf_locate_paths(&locator);
    free(locator.levels.at);
    free(locator.lexer.implied);
    *paths = locator.places.paths;
    return locator.places.failed || locator.lexer.no_memory ? -1 : 0;
}

/* The offset of the text of the first value of the property at `offset`, or `offset` where there is none. */
static inline int64_t w7_sgf_find_value(const uint8_t *text, int64_t size, int64_t offset)
{
    const uint8_t *end = text + size, *p = text + offset;
    int number, lower;
    if (p >= end || !w7_sgf_is_letter(*p))
        return offset;
    p = w7_sgf_pass_spaces(w7_sgf_read_name(p, end, &number, &lower), end);
    return p < end && *p == '[' ? p + 1 - text : offset;
}

#endif
