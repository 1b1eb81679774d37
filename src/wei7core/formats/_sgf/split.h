/* Where the games of a text begin and end: parentheses counted outside values, nothing else read. */
#ifndef W7_SGF_SPLIT_H
#define W7_SGF_SPLIT_H

#include "values.h"

/* The end of the game whose `(` is at p: behind its last `)`, or where another game begins inside it. NULL where the
 * text ends before. */
static inline const uint8_t *w7_sgf_game_end(const uint8_t *p, const uint8_t *end, int double_byte)
{
    int64_t depth = 1;
    for (p++; p < end; p++) {
        switch (*p) {
        case ';':
            /* Most of all text is bare moves. */
            while (end - p > 6 && p[0] == ';' && p[2] == '[' && p[5] == ']' && w7_sgf_is_letter(p[1])
                   && w7_sgf_is_letter(p[3]) && w7_sgf_is_letter(p[4]) && p[6] == ';')
                p += 6;
            break;
        case '[':
            p = w7_sgf_value_end(p + 1, end, double_byte);
            if (p == NULL)
                return NULL;
            break;
        case '(':
            if (w7_sgf_is_new_game(p, end))
                return p;
            depth++;
            break;
        case ')':
            if (--depth == 0)
                return p + 1;
            break;
        default:
            break;
        }
    }
    return NULL;
}

typedef enum {
    W7_SGF_PIECE,  /* a game, with the text before it */
    W7_SGF_UNSURE, /* the same, if no character's second byte looks like a `]`: the bytes are no UTF-8 */
    W7_SGF_REST    /* no further game, or one that may go on behind the text */
} w7_sgf_piece;

/* Finds the next piece from *begin on and sets *piece_end. `double_byte` is -1 where it is not known. With `final` the
 * last piece takes all that is left; without it a game is given once the next one has begun. */
static inline w7_sgf_piece w7_sgf_next_piece(const uint8_t *text, int64_t size, int64_t begin, int final,
                                             int double_byte, int64_t *piece_end)
{
    const uint8_t *end = text + size, *p = text + begin, *start, *close, *next = NULL;
    *piece_end = size;
    start = w7_sgf_find_start(p, end);
    if (start == NULL)
        return final && (begin == 0 ? size > 0 : w7_sgf_pass_spaces(p, end) < end) ? W7_SGF_PIECE : W7_SGF_REST;
    close = w7_sgf_game_end(start, end, double_byte > 0 ? double_byte : 0);
    if (close != NULL)
        next = w7_sgf_find_start(close, end);
    if (next != NULL)
        *piece_end = close - text;
    if (next == NULL && !final)
        return W7_SGF_REST;
    if (double_byte < 0) {
        const uint8_t *stop = text + *piece_end;
        if (w7_sgf_has_high_bytes(start, stop) && !w7_sgf_is_utf8(start, stop))
            return W7_SGF_UNSURE;
    }
    return W7_SGF_PIECE;
}

#endif
