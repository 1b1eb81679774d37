/* From bytes to the parts of one game tree: trees, nodes and properties.
 *
 * Everything that real files do to the grammar is settled here, so that the decoder and the search
 * for places see the same sound tree. Nesting costs one bit a level, never a C frame; every byte is
 * compared with the end before it is read. */
#ifndef W7_FORMATS_SGF_LEXER_H
#define W7_FORMATS_SGF_LEXER_H

#include "record/problem_codes.h"
#include "record/record.h"
#include "formats/sgf/charset.h"
#include "formats/sgf/properties.h"

#if defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#define W7_SGF_WITH_SIXTEENS 1
#endif

typedef enum {
    W7_SGF_END,     /* the game is over; the trees still open are closed */
    W7_SGF_STOP,    /* a limit, or no memory */
    W7_SGF_OPEN,    /* a tree begins */
    W7_SGF_CLOSE,   /* a tree ends */
    W7_SGF_NODE,    /* a node begins */
    W7_SGF_PROPERTY /* a property of the node, in lexer.property */
} w7_sgf_token;

typedef struct {
    w7_span key;      /* name as written */
    w7_span first;    /* text of the first value, without its brackets */
    w7_span values;   /* from the first `[` to after the last `]` */
    int32_t count;    /* values, 2 for any more */
    int32_t number;   /* in W7_SGF_TABLE */
    uint8_t unclosed; /* the text ended in the last value */
    uint8_t lower;    /* the name has lower-case letters */
} w7_sgf_property_read;

/* The previous item in the innermost open tree. */
enum { W7_SGF_AFTER_OPEN, W7_SGF_IN_NODE, W7_SGF_AFTER_TREE };

typedef struct {
    const uint8_t *begin;
    const uint8_t *p;
    const uint8_t *end;
    w7_record *record; /* NULL: problems are not wanted */
    int64_t max_problems;
    int64_t max_depth;
    int64_t depth;    /* open trees */
    int64_t opened;   /* offset of the tree opened last */
    int64_t node;     /* offset of the node begun last */
    uint8_t *implied; /* a bit a level: no parenthesis opened this tree */
    int64_t implied_room;
    w7_sgf_property_read property;
    uint8_t state;
    uint8_t node_due; /* a tree was opened for a node that is to follow */
    uint8_t straying; /* inside a run of stray characters that has been noted */
    uint8_t finished;
    uint8_t double_byte; /* second bytes that look like `\` or `]`: 1 GBK and Big5, 2 Shift_JIS */
    uint8_t no_memory;
} w7_sgf_lexer;

/* Details of W7_VALUE_INVALID. */
enum {
    W7_SGF_WRONG_KIND = 0,
    W7_SGF_KOMI_OF_HUNDREDTHS,
    W7_SGF_PASS_AFTER_LAST,
    W7_SGF_POINT_AS_NAMED,
    W7_SGF_NO_STONE,
    W7_SGF_CORNERS_TURNED
};

/* Details of W7_VALUES_TOO_MANY. */
enum { W7_SGF_FIRST_COUNTS = 0, W7_SGF_ALL_SET_UP };

/* Details of W7_PROPERTY_MISPLACED. */
enum { W7_SGF_NOT_IN_ROOT = 0, W7_SGF_WITHOUT_MOVE, W7_SGF_INFO_AGAIN, W7_SGF_OF_THE_FILE };

/* Adds a problem. The list is bounded; its last row then marks that there are more. */
static inline void w7_sgf_note(w7_sgf_lexer *lexer, int code, int property, int64_t offset, int32_t detail)
{
    w7_problems *problems;
    w7_problem *problem;
    if (lexer->record == NULL)
        return;
    problems = &lexer->record->problems;
    if (problems->count > lexer->max_problems)
        return;
    if (problems->count == lexer->max_problems)
        code = W7_LIMIT_PROBLEMS;
    if (W7_TABLE_RESERVE_ONE(problems) != 0) {
        lexer->no_memory = 1;
        return;
    }
    problem = &problems->at[problems->count++];
    problem->offset = offset;
    problem->code = (uint16_t)code;
    problem->place = (uint16_t)property;
    problem->detail = detail;
}

static inline int w7_sgf_is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline int w7_sgf_is_upper(uint8_t c)
{
    return c >= 'A' && c <= 'Z';
}

static inline int w7_sgf_is_letter(uint8_t c)
{
    return (uint8_t)((c | 32) - 'a') < 26;
}

static inline int w7_sgf_is_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}

static inline const uint8_t *w7_sgf_pass_spaces(const uint8_t *p, const uint8_t *end)
{
    while (p < end && w7_sgf_is_space(*p))
        p++;
    return p;
}

/* Length of the character at p in an encoding whose second bytes may be of ASCII. */
static inline int w7_sgf_pair(const uint8_t *p, const uint8_t *end, int double_byte)
{
    int lead = double_byte == 2 ? (p[0] >= 0x81 && p[0] <= 0x9F) || (p[0] >= 0xE0 && p[0] <= 0xFC)
                                : p[0] >= 0x81 && p[0] <= 0xFE;
    return lead && end - p > 1 && p[1] >= 0x30 && p[1] != 0x7F && p[1] != 0xFF ? 2 : 1;
}

/* Reads the name at p, which starts with a letter: *number and *lower. Returns its end. */
static inline const uint8_t *w7_sgf_read_name(const uint8_t *p, const uint8_t *end, int *number, int *lower)
{
    uint32_t name = 0;
    int capitals = 0;
    *lower = 0;
    if (end - p > 2 && p[2] == '[' && w7_sgf_is_upper(p[0]) && w7_sgf_is_upper(p[1])) {
        *number = W7_SGF_NAMES[W7_SGF_PLACE_OF(p[0], p[1])];
        return p + 2;
    }
    for (; p < end; p++) {
        if (w7_sgf_is_upper(*p) || w7_sgf_is_digit(*p)) {
            if (capitals < 2)
                name |= (uint32_t)*p << 8 * capitals;
            capitals += capitals < 3;
        } else if (w7_sgf_is_letter(*p)) {
            *lower = 1;
        } else if (*p == '_') {
            capitals = 3; /* a private name */
        } else {
            break;
        }
    }
    *number = capitals == 1 || capitals == 2 ? w7_sgf_find_property(name) : W7_SGF_UNKNOWN;
    if (capitals == 0)
        *lower = 2;
    return p;
}

/* The number of the known property whose name and `[` are at p, or W7_SGF_UNKNOWN. Reads few bytes. */
static inline int w7_sgf_property_at(const uint8_t *p, const uint8_t *end)
{
    int number, lower;
    if (end - p > 40)
        end = p + 40;
    if (p >= end || !w7_sgf_is_upper(*p))
        return W7_SGF_UNKNOWN;
    p = w7_sgf_read_name(p, end, &number, &lower);
    return p < end && *p == '[' ? number : W7_SGF_UNKNOWN;
}

/* Whether a name of capitals alone and its `[` are at p. Reads few bytes. */
static inline int w7_sgf_is_name_at(const uint8_t *p, const uint8_t *end)
{
    const uint8_t *name = p;
    while (p < end && p - name < 40 && w7_sgf_is_upper(*p))
        p++;
    return p > name && p < end && *p == '[';
}

/* Whether the text at p continues as a game does after a value. */
static inline int w7_sgf_goes_on(const uint8_t *p, const uint8_t *end)
{
    p = w7_sgf_pass_spaces(p, end);
    while (p < end && *p == ')')
        p = w7_sgf_pass_spaces(p + 1, end);
    if (p == end)
        return 1;
    if (*p == '(')
        p = w7_sgf_pass_spaces(p + 1, end);
    if (p == end || *p != ';')
        return w7_sgf_property_at(p, end) != W7_SGF_UNKNOWN;
    while (p < end && *p == ';')
        p = w7_sgf_pass_spaces(p + 1, end);
    return w7_sgf_is_name_at(p, end);
}

/* The `]` that closes the value whose text starts at p, in an encoding of two bytes a character, or NULL where there is
 * none before `limit`. What follows it is looked at as far as the `end` of the text. */
static inline const uint8_t *w7_sgf_value_end_of_pairs(const uint8_t *p, const uint8_t *limit, const uint8_t *end,
                                                       int double_byte)
{
    for (; p < limit; p += w7_sgf_pair(p, limit, double_byte)) {
        if (*p == ']')
            return p;
        /* Half a character, as texts that were cut to a length end with, takes no `]` away. */
        if (limit - p > 1 && p[1] == ']' && w7_sgf_pair(p, limit, double_byte) == 2 && w7_sgf_goes_on(p + 2, end))
            return p + 1;
        if (*p == '\\' && ++p == limit)
            return NULL;
    }
    return NULL;
}

/* The `]` that closes the value whose text starts at p, or NULL where there is none. */
static inline const uint8_t *w7_sgf_value_end(const uint8_t *p, const uint8_t *end, int double_byte)
{
    const uint8_t *near, *sound;
    if (double_byte)
        return w7_sgf_value_end_of_pairs(p, end, end, double_byte);
#ifdef W7_SGF_WITH_SIXTEENS
    while (end - p >= 16) {
        const __m128i text = _mm_loadu_si128((const __m128i *)p);
        const int found = _mm_movemask_epi8(
            _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8(']')), _mm_cmpeq_epi8(text, _mm_set1_epi8('\\'))));
        if (found == 0) {
            p += 16;
            continue;
        }
        p += __builtin_ctz((unsigned)found);
        if (*p == ']')
            return p;
        if (end - p < 2)
            return NULL;
        p += 2;
    }
#endif
    for (near = end - p > 24 ? p + 24 : end; p < near; p++) {
        if (*p == ']')
            return p;
        if (*p == '\\' && ++p == end)
            return NULL;
    }
    /* A `]` is escaped where an odd number of backslashes precedes it. */
    for (sound = p; p < end; sound = ++p) {
        const uint8_t *back;
        p = memchr(p, ']', (size_t)(end - p));
        if (p == NULL)
            return NULL;
        for (back = p; back > sound && back[-1] == '\\';)
            back--;
        if ((p - back) % 2 == 0)
            return p;
    }
    return NULL;
}

/* Whether the value whose text is [p, close) ends with half a character. */
static inline int w7_sgf_is_cut(const uint8_t *p, const uint8_t *close, int double_byte)
{
    if (!double_byte || p == close || close[-1] < 0x80)
        return 0;
    while (p < close) {
        if (*p == '\\')
            p++;
        if (p < close)
            p += w7_sgf_pair(p, close + 1, double_byte);
    }
    return p > close;
}

/* Whether the text is read in another way where bytes are paired: a second byte looks like a bracket or a backslash.
 * Half a character at the end of a value makes no difference where the text up to `whole` is given, NULL otherwise. */
static inline int w7_sgf_is_read_by_pairs(const uint8_t *p, const uint8_t *end, const uint8_t *whole, int double_byte)
{
    while ((p = w7_charset_pass_ascii(p, end)) < end) {
        int size = w7_sgf_pair(p, end, double_byte);
        if (whole != NULL && size == 2 && p[1] == ']' && w7_sgf_goes_on(p + 2, whole))
            size = 1;
        if (size == 2 && p[1] >= '[' && p[1] <= ']')
            return 1;
        p += size;
    }
    return 0;
}

/* The encoding that the value [p, end) of CA names, -1 where it names none, -2 for a name that is not known. *last
 * is the name among the tables that was found last, or NULL. */
static inline int w7_sgf_charset_of_name(const uint8_t *tables, const uint8_t *p, const uint8_t *end,
                                         const uint8_t **last)
{
    const uint8_t *name = tables + W7_CHARSET_TABLES, *stop = name + W7_CHARSET_NAMES * W7_CHARSET_NAME_BYTES;
    uint8_t plain[W7_CHARSET_NAME_BYTES] = {0};
    int size = 0;
    if (w7_sgf_pass_spaces(p, end) == end)
        return -1;
    if (end - p > W7_CHARSET_LONGEST_NAME)
        return -2;
    for (; p < end && size < W7_CHARSET_NAME_BYTES; p++)
        if (w7_sgf_is_letter(*p) || w7_sgf_is_digit(*p))
            plain[size++] = *p | 0x20;
    if (p < end)
        return -2;
    if (*last != NULL && memcmp(*last, plain, W7_CHARSET_NAME_BYTES - 1) == 0)
        return (*last)[W7_CHARSET_NAME_BYTES - 1];
    while (name < stop && memcmp(name, plain, W7_CHARSET_NAME_BYTES - 1) != 0)
        name += W7_CHARSET_NAME_BYTES;
    if (name == stop)
        return -2;
    *last = name;
    return name[W7_CHARSET_NAME_BYTES - 1];
}

/* Whether a game tree starts at the `(` at p. */
static inline int w7_sgf_is_start(const uint8_t *p, const uint8_t *end)
{
    p = w7_sgf_pass_spaces(p + 1, end);
    return p < end && (*p == ';' || w7_sgf_property_at(p, end) != W7_SGF_UNKNOWN);
}

/* Whether the tree at the `(` at p starts with a property of the root: a game of its own, wherever it is. */
static inline int w7_sgf_is_new_game(const uint8_t *p, const uint8_t *end)
{
    int number;
    p = w7_sgf_pass_spaces(p + 1, end);
    if (p >= end || *p != ';')
        return 0;
    number = w7_sgf_property_at(w7_sgf_pass_spaces(p + 1, end), end);
    return number == W7_SGF_FF || number == W7_SGF_GM || number == W7_SGF_SZ || number == W7_SGF_CA ||
           number == W7_SGF_AP;
}

/* The `(` where the next game tree starts at or after p, or NULL. */
static inline const uint8_t *w7_sgf_find_start(const uint8_t *p, const uint8_t *end)
{
    for (; p < end; p++) {
        p = memchr(p, '(', (size_t)(end - p));
        if (p == NULL)
            return NULL;
        if (w7_sgf_is_start(p, end))
            return p;
    }
    return NULL;
}

/* Opens a tree; `implied` where no parenthesis does. */
static inline w7_sgf_token w7_sgf_push(w7_sgf_lexer *lexer, int implied, int64_t offset)
{
    int64_t byte = lexer->depth / 8;
    if (lexer->depth >= lexer->max_depth) {
        w7_sgf_note(lexer, W7_LIMIT_DEPTH, W7_SGF_UNKNOWN, offset, 0);
        return W7_SGF_STOP;
    }
    if (byte >= lexer->implied_room && w7_table_grow(&lexer->implied, &lexer->implied_room, 1) != 0) {
        lexer->no_memory = 1;
        return W7_SGF_STOP;
    }
    lexer->implied[byte] = (uint8_t)((lexer->implied[byte] & ~(1 << lexer->depth % 8)) | implied << lexer->depth % 8);
    lexer->depth++;
    lexer->opened = offset;
    lexer->state = W7_SGF_AFTER_OPEN;
    return W7_SGF_OPEN;
}

/* Begins a node at `offset`; after a variation it becomes one more variation. */
static inline w7_sgf_token w7_sgf_begin_node(w7_sgf_lexer *lexer, int64_t offset)
{
    lexer->node = offset;
    if (lexer->state == W7_SGF_AFTER_TREE) {
        w7_sgf_note(lexer, W7_NODE_AFTER_VARIATION, W7_SGF_UNKNOWN, offset, 0);
        lexer->node_due = 1;
        return w7_sgf_push(lexer, 1, offset);
    }
    lexer->state = W7_SGF_IN_NODE;
    return W7_SGF_NODE;
}

/* Ends the innermost tree at the `)` at the lexer; the reader drops one without nodes. */
static inline w7_sgf_token w7_sgf_close(w7_sgf_lexer *lexer)
{
    int64_t level = lexer->depth - 1;
    if (lexer->state == W7_SGF_AFTER_OPEN)
        w7_sgf_note(lexer, W7_TREE_EMPTY, W7_SGF_UNKNOWN, lexer->opened, 0);
    /* The parenthesis closes the implied trees inside its own tree first. */
    if (!(lexer->implied[level / 8] >> level % 8 & 1) || level == 0)
        lexer->p++;
    lexer->depth--;
    lexer->state = W7_SGF_AFTER_TREE;
    lexer->finished = lexer->depth == 0;
    return W7_SGF_CLOSE;
}

static inline void w7_sgf_stray(w7_sgf_lexer *lexer, const uint8_t *p)
{
    if (!lexer->straying)
        w7_sgf_note(lexer, W7_STRAY_TEXT, W7_SGF_UNKNOWN, p - lexer->begin, 0);
    lexer->straying = 1;
}

/* Reads the values from the `[` at the lexer on, into lexer.property. */
static inline void w7_sgf_read_values(w7_sgf_lexer *lexer)
{
    w7_sgf_property_read *property = &lexer->property;
    const uint8_t *p = lexer->p, *end = lexer->end;
    property->count = 0;
    property->unclosed = 0;
    property->values.begin = p - lexer->begin;
    do {
        const uint8_t *text = p + 1, *close = w7_sgf_value_end(text, end, lexer->double_byte);
        if (close == NULL) {
            w7_sgf_note(lexer, W7_VALUE_UNCLOSED, property->number, p - lexer->begin, 0);
            property->unclosed = 1;
            close = end;
        } else if (w7_sgf_is_cut(text, close, lexer->double_byte)) {
            w7_sgf_note(lexer, W7_TEXT_UNDECODABLE, property->number, close - 1 - lexer->begin, 0);
        }
        if (property->count == 0) {
            property->first.begin = text - lexer->begin;
            property->first.end = close - lexer->begin;
        }
        property->count += property->count < 2;
        lexer->p = close < end ? close + 1 : end;
        property->values.end = lexer->p - lexer->begin;
        p = w7_sgf_pass_spaces(lexer->p, end);
    } while (p < end && *p == '[');
}

/* Reads what starts with the letter at the lexer. Returns 0 where it is no token. */
static inline int w7_sgf_read_word(w7_sgf_lexer *lexer, w7_sgf_token *token)
{
    const uint8_t *name = lexer->p, *after, *p;
    int number, lower;
    after = w7_sgf_read_name(name, lexer->end, &number, &lower);
    p = w7_sgf_pass_spaces(after, lexer->end);
    if (p >= lexer->end || *p != '[') {
        lexer->p = after;
        if (number != W7_SGF_UNKNOWN && !lower && !lexer->straying)
            w7_sgf_note(lexer, W7_PROPERTY_WITHOUT_VALUE, number, name - lexer->begin, 0);
        else
            w7_sgf_stray(lexer, name);
        return 0;
    }
    if (lexer->state != W7_SGF_IN_NODE) {
        if (lexer->state == W7_SGF_AFTER_OPEN)
            w7_sgf_note(lexer, W7_NODE_UNMARKED, number, name - lexer->begin, 0);
        *token = w7_sgf_begin_node(lexer, name - lexer->begin);
        return 1;
    }
    if (lower == 2)
        w7_sgf_stray(lexer, name);
    lexer->p = p;
    lexer->property.key.begin = name - lexer->begin;
    lexer->property.key.end = after - lexer->begin;
    lexer->property.number = number;
    lexer->property.lower = (uint8_t)(lower == 1);
    w7_sgf_read_values(lexer);
    *token = W7_SGF_PROPERTY;
    return 1;
}

/* The next part of the game tree. */
static inline w7_sgf_token w7_sgf_next(w7_sgf_lexer *lexer)
{
    w7_sgf_token token;
    lexer->straying = 0;
    if (lexer->node_due) {
        lexer->node_due = 0;
        lexer->state = W7_SGF_IN_NODE;
        return W7_SGF_NODE;
    }
    while (!lexer->finished) {
        const uint8_t *p = lexer->p = w7_sgf_pass_spaces(lexer->p, lexer->end);
        if (p == lexer->end || (*p == '(' && lexer->depth > 0 && w7_sgf_is_new_game(p, lexer->end))) {
            if (lexer->depth > 0 && !(lexer->depth == 1 && lexer->implied[0] & 1))
                w7_sgf_note(lexer, W7_TREE_UNCLOSED, W7_SGF_UNKNOWN, p - lexer->begin, 0);
            lexer->finished = 1;
            break;
        }
        switch (*p) {
        case ';': lexer->p++; return w7_sgf_begin_node(lexer, p - lexer->begin);
        case '(':
            lexer->p++;
            if (lexer->state == W7_SGF_AFTER_OPEN && lexer->depth > 0)
                w7_sgf_note(lexer, W7_TREE_EMPTY, W7_SGF_UNKNOWN, lexer->opened, 0);
            return w7_sgf_push(lexer, 0, p - lexer->begin);
        case ')': return w7_sgf_close(lexer);
        case '[':
            w7_sgf_stray(lexer, p);
            p = w7_sgf_value_end(p + 1, lexer->end, lexer->double_byte);
            lexer->p = p == NULL ? lexer->end : p + 1;
            break;
        default:
            if (!w7_sgf_is_letter(*p)) {
                w7_sgf_stray(lexer, p);
                lexer->p++;
            } else if (w7_sgf_read_word(lexer, &token)) {
                return token;
            }
        }
    }
    return W7_SGF_END;
}

/* Sets the lexer at the start of the first game at or after `p`. Returns 0 where there is none at all. */
static inline int w7_sgf_begin_game(w7_sgf_lexer *lexer, const uint8_t *p)
{
    static const uint8_t MARK[] = {0xEF, 0xBB, 0xBF};
    const uint8_t *start, *first;
    if (lexer->end - p >= 3 && memcmp(p, MARK, 3) == 0)
        p += 3;
    first = w7_sgf_pass_spaces(p, lexer->end);
    start = w7_sgf_find_start(first, lexer->end);
    if (start == NULL) {
        /* Nodes without any parenthesis are one tree. */
        for (start = first; start < lexer->end; start++) {
            start = memchr(start, ';', (size_t)(lexer->end - start));
            if (start == NULL)
                break;
            if (w7_sgf_property_at(w7_sgf_pass_spaces(start + 1, lexer->end), lexer->end) != W7_SGF_UNKNOWN)
                break;
        }
        lexer->p = start == NULL ? lexer->end : start;
        w7_sgf_note(lexer, W7_NO_GAME_TREE, W7_SGF_UNKNOWN, lexer->p == lexer->end ? 0 : lexer->p - lexer->begin,
                    lexer->p < lexer->end);
        if (lexer->p == lexer->end)
            return 0;
        if (w7_sgf_push(lexer, 1, start - lexer->begin) != W7_SGF_OPEN)
            return -1;
    }
    lexer->p = start;
    if (first < start)
        w7_sgf_note(lexer, W7_TEXT_OUTSIDE_TREE, W7_SGF_UNKNOWN, first - lexer->begin, 0);
    return 1;
}

#endif
