/* The begins and ends of the games of a text, by counting parentheses outside values. */
#ifndef W7_FORMATS_SGF_SPLIT_H
#define W7_FORMATS_SGF_SPLIT_H

#include "formats/sgf/game_end.h"

enum {
    W7_SGF_SMALL_GAME = 1 << 14, /* bytes of a game that is first followed as if of single bytes */
    W7_SGF_LONGEST_START = 4096, /* bytes of the start of a game that are waited for */
    W7_SGF_AGREED_LATER = 3      /* values after the last one beyond ASCII */
};

/* The progress in the game whose `(` is at `start`. */
typedef struct {
    const uint8_t *p; /* never inside a value */
    int64_t depth;
} w7_sgf_course;

/* The end of the game in any encoding; see w7_sgf_game_end_of_utf8. NULL where `limit` comes before; then it can be
 * called again with a later one. */
static inline const uint8_t *w7_sgf_game_end(w7_sgf_course *course, const uint8_t *limit, const uint8_t *end,
                                             int double_byte)
{
    const uint8_t *p, *close;
    for (p = course->p; p < limit; p++) {
        switch (*p) {
        case ';':
            /* Most of all text is bare moves. */
            while (limit - p > 6 && p[0] == ';' && p[2] == '[' && p[5] == ']' && w7_sgf_is_letter(p[1]) &&
                   w7_sgf_is_letter(p[3]) && w7_sgf_is_letter(p[4]) && p[6] == ';')
                p += 6;
            break;
        case '[':
            close = double_byte ? w7_sgf_value_end_of_pairs(p + 1, limit, end, double_byte)
                                : w7_sgf_value_end(p + 1, limit, 0);
            if (close == NULL) {
                course->p = p;
                return NULL;
            }
            p = close;
            break;
        case '(':
            if (w7_sgf_is_new_game(p, end))
                return p;
            course->depth++;
            break;
        case ')':
            if (--course->depth == 0)
                return p + 1;
            break;
        default: break;
        }
    }
    course->p = p;
    return NULL;
}

/* Whether all encodings agree on the game from `start` to `close` after its last byte beyond ASCII: whatever they make of
 * the values before, none is open there, and as many trees are. Where one has missed the end of a value, it is that of
 * the next one, as a rule. */
static inline int w7_sgf_encodings_agree(const uint8_t *start, const uint8_t *close, const uint8_t *end)
{
    w7_sgf_course courses[3] = {{start + 1, 1}};
    const uint8_t *p = w7_charset_end_of_high(start, close);
    if (w7_sgf_game_end(&courses[0], w7_charset_pass_ascii(start, p), end, 0) != NULL)
        return 0;
    courses[1] = courses[2] = courses[0];
    for (int more = W7_SGF_AGREED_LATER; more >= 0; more--) {
        int agreed = 1;
        p = memchr(p, ']', (size_t)(close - p));
        if (p == NULL)
            return 0;
        p++;
        for (int k = 0; k < 3; k++) {
            if (w7_sgf_game_end(&courses[k], p, end, k) != NULL)
                return 0;
            agreed &= courses[k].p == p && courses[k].depth == courses[0].depth;
        }
        if (agreed)
            return 1;
    }
    return 0;
}

/* Finds the end of the game at `start`, whose encoding is not known, and sets *close, NULL where the text ends before.
 * Returns whether the game is UTF-8, or is cut alike in every encoding; if not, *close is where it ends at the earliest
 * in any encoding.
 *
 * No encoding is followed further than the one in which the game ends first: in a wrong one it may go on to the end of
 * the text, and there may be many games. */
static inline int w7_sgf_game_end_of_any(const uint8_t *start, const uint8_t *end, const uint8_t **close)
{
    w7_sgf_course courses[3] = {{start + 1, 1}, {start + 1, 1}, {start + 1, 1}};
    const uint8_t *sound = start, *first = NULL;
    int64_t window = 4096;
    int is_utf8 = 1, double_byte;
    if (w7_sgf_game_end_of_utf8(start, end, close))
        return 1;
    w7_sgf_game_end_at(start, end - start > W7_SGF_SMALL_GAME ? start + W7_SGF_SMALL_GAME : end, end, 0, close);
    if (*close != NULL &&
        ((!w7_sgf_is_read_by_pairs(start, *close, end, 1) && !w7_sgf_is_read_by_pairs(start, *close, end, 2)) ||
         w7_sgf_encodings_agree(start, *close, end)))
        return 1;
    /* Small games nearly always end in one place, however their values are read. A new game may begin in that place. */
    if (*close != NULL) {
        const uint8_t *limit = *close + (*close < end);
        if (w7_sgf_game_end(&courses[1], limit, end, 1) == *close &&
            w7_sgf_game_end(&courses[2], limit, end, 2) == *close)
            return 1;
        courses[1] = courses[2] = courses[0];
    }
    for (*close = NULL; first == NULL && courses[0].p < end; window *= 2) {
        const uint8_t *limit = end - start > window ? start + window : end;
        first = *close = w7_sgf_game_end(&courses[0], limit, end, 0);
        limit = first == NULL ? limit : first;
        if (is_utf8) {
            sound = w7_sgf_has_high_bytes(sound, limit) ? w7_sgf_pass_utf8(sound, limit) : limit;
            /* The limit may cut a character. */
            is_utf8 = limit - sound <= (first == NULL && limit < end ? 3 : 0);
        }
        for (double_byte = 1; double_byte < 3 && !is_utf8; double_byte++) {
            const uint8_t *other = w7_sgf_game_end(&courses[double_byte], limit, end, double_byte);
            limit = other == NULL ? limit : other;
            first = other == NULL ? first : other;
        }
        if (limit == end)
            break;
    }
    if (!is_utf8 && sound < (first == NULL ? end : first)) {
        *close = first;
        return 0;
    }
    if (*close == NULL)
        *close = w7_sgf_game_end(&courses[0], end, end, 0);
    return 1;
}

typedef enum {
    W7_SGF_PIECE,  /* a game, with the text before it */
    W7_SGF_UNSURE, /* no UTF-8; the piece ends there at the earliest, as its encoding is */
    W7_SGF_REST    /* no further game, or one that may continue after the text */
} w7_sgf_piece;

/* What is known of the encodings of games. */
typedef struct {
    const uint8_t *tables; /* and names, of charset.h; NULL: not loaded */
    const uint8_t *last_name;
    int assumed; /* double_byte of the last game that named no encoding and had to be looked at; -1: none */
} w7_sgf_charsets;

/* Sets [*p, *end) to the value of the first CA in the text, wherever it is. Returns whether there is one. */
static inline int w7_sgf_find_charset(const uint8_t **p, const uint8_t **end)
{
    const uint8_t *name, *stop, *next;
    for (next = *p; (next = memchr(next, 'C', (size_t)(*end - next))) != NULL;) {
        next++;
        if (next == *end || *next != 'A')
            continue;
        name = w7_sgf_pass_spaces(next + 1, *end);
        if (name == *end || *name++ != '[')
            continue;
        for (stop = name; stop < *end && stop - name <= 40 && *stop != ']' && *stop != '\\';)
            stop++;
        if (stop < *end && *stop == ']' && stop > name && stop - name <= 40) {
            *p = name;
            *end = stop;
            return 1;
        }
    }
    return 0;
}

/* Settles the double_byte of a game that is no UTF-8. Returns -1 where Python has to. */
static inline int w7_sgf_settle_pairs(const uint8_t *begin, const uint8_t *end, w7_sgf_charsets *charsets)
{
    const uint8_t *name = begin, *name_end = end;
    const int is_named = w7_sgf_find_charset(&name, &name_end);
    w7_charset_choice choice;
    int declared = -1, double_byte;
    if (charsets->tables == NULL)
        return -1;
    if (!is_named && charsets->assumed >= 0)
        return charsets->assumed;
    if (is_named)
        declared = w7_sgf_charset_of_name(charsets->tables, name, name_end, &charsets->last_name);
    if (declared >= W7_CHARSET_JOHAB && declared < W7_CHARSET_ALL) /* whose tables are seldom made */
        return -1;
    declared = declared < W7_CHARSET_ALL ? declared : -1;
    w7_charset_choose(charsets->tables, begin, end, 0, declared, -1, &choice);
    double_byte = w7_charset_double_byte(choice.charset);
    if (!is_named)
        charsets->assumed = double_byte;
    return double_byte;
}

/* Whether all that may be looked at of the game at `start`, to see how the one before it ends, is there. */
static inline int w7_sgf_start_is_whole(const uint8_t *start, const uint8_t *end)
{
    const uint8_t *p = w7_sgf_pass_spaces(start + 1, end);
    while (p < end && *p == ';')
        p = w7_sgf_pass_spaces(p + 1, end);
    return end - p > 40 || end - start > W7_SGF_LONGEST_START;
}

/* Finds the next piece from *begin on and sets *piece_end. `double_byte` is -1 where it is not known. With `final` the
 * last piece takes all that is left; without it a game is given once the next one has begun, so that no game depends on
 * where the current text ends. */
static inline w7_sgf_piece w7_sgf_next_piece(const uint8_t *text, int64_t size, int64_t begin, int final,
                                             int double_byte, w7_sgf_charsets *charsets, int64_t *piece_end)
{
    const uint8_t *end = text + size, *p = text + begin, *start, *close, *next = NULL;
    int is_sure = 1;
    *piece_end = size;
    start = w7_sgf_find_start(p, end);
    if (start == NULL)
        return final && (begin == 0 ? size > 0 : w7_sgf_pass_spaces(p, end) < end) ? W7_SGF_PIECE : W7_SGF_REST;
    if (double_byte < 0) {
        is_sure = w7_sgf_game_end_of_any(start, end, &close);
    } else {
        w7_sgf_course course = {start + 1, 1};
        close = w7_sgf_game_end(&course, end, end, double_byte);
    }
    if (close != NULL)
        next = w7_sgf_find_start(close, end);
    if (next != NULL)
        *piece_end = close - text;
    if (!final && (next == NULL || !w7_sgf_start_is_whole(next, end)))
        return W7_SGF_REST;
    if (is_sure)
        return W7_SGF_PIECE;
    double_byte = w7_sgf_settle_pairs(p, text + *piece_end, charsets);
    if (double_byte < 0)
        return W7_SGF_UNSURE;
    return w7_sgf_next_piece(text, size, begin, final, double_byte, charsets, piece_end);
}

/* The bytes by which formats are recognised. */
#define W7_LOOKED_AT 65536

/* Whether a text starts with a game, after a mark of UTF-8 and spaces perhaps, and cannot be UTF-16 or UTF-32. */
static inline int w7_starts_as_usual(const uint8_t *text, int64_t size)
{
    const uint8_t *p = text, *end = text + (size < W7_LOOKED_AT ? size : W7_LOOKED_AT);
    if (size < 4 || memchr(text, 0, 4) != NULL)
        return 0;
    if (memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        p += 3;
    p = w7_sgf_pass_spaces(p, end);
    if (p == end || *p != '(')
        return 0;
    p = w7_sgf_pass_spaces(p + 1, end);
    return p < end && *p == ';';
}

#endif
