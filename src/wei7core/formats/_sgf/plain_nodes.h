/* The nodes that most records consist of: a move on a point of the board, and behind it at most properties of one value
 * that is kept as it is, such as the time left, and a comment. All other nodes are left to the reader of nodes. */
#ifndef W7_SGF_PLAIN_NODES_H
#define W7_SGF_PLAIN_NODES_H

#include "bare_moves.h"

/* The `]` behind the digits at p, with a fraction where `real`; NULL where anything else stands there. */
static inline const uint8_t *w7_sgf_digits_end(const uint8_t *p, const uint8_t *end, int real)
{
    const uint8_t *first = p;
    while (p < end && w7_sgf_is_digit(*p))
        p++;
    if (p == first)
        return NULL;
    if (real && p < end && *p == '.')
        for (p++; p < end && w7_sgf_is_digit(*p);)
            p++;
    return p < end && *p == ']' ? p : NULL;
}

/* The end of a value of the property that starts at p, or NULL where the property needs a closer look. */
static inline const uint8_t *w7_sgf_plain_value_end(const w7_sgf_reader *reader, const w7_sgf_property *known,
                                                    const uint8_t *p, const uint8_t *end)
{
    const int double_byte = reader->lexer.double_byte;
    if (known->use != W7_SGF_KEEP && known->use != W7_SGF_COMMENT)
        return NULL;
    if (known->value == W7_SGF_CLOCK || known->value == W7_SGF_REAL)
        return w7_sgf_digits_end(p, end, 1);
    if (known->value == W7_SGF_STONES_LEFT || known->value == W7_SGF_NUMBER)
        return w7_sgf_digits_end(p, end, 0);
    if (known->value != W7_SGF_ANY)
        return NULL;
    end = w7_sgf_value_end(p, end, double_byte);
    return end == NULL || w7_sgf_is_cut(p, end, double_byte) ? NULL : end;
}

/* Reads the rest of a node from p on, the move of which is the last row of steps. Returns what follows it, or NULL where
 * the node is not plain. */
static inline const uint8_t *w7_sgf_read_plain_rest(w7_sgf_reader *reader, const uint8_t *p)
{
    const uint8_t *begin = reader->lexer.begin, *end = reader->lexer.end;
    w7_kepts *kept = &reader->record->kept;
    const int64_t row = reader->record->steps.count - 1;
    w7_span comment = w7_no_span();
    uint64_t seen[2] = {0, 0};
    for (;;) {
        const uint8_t *name, *value, *close;
        uint64_t bit;
        int number;
        if (p < end && !w7_sgf_is_upper(*p)) {
            p = w7_sgf_pass_spaces(p, end);
            if (p == end || !w7_sgf_is_upper(*p))
                break;
        }
        if (end - p < 3)
            return NULL;
        name = p;
        value = p + (p[1] == '[' ? 2 : 3);
        if (value[-1] != '[' || (value - p == 3 && !w7_sgf_is_upper(p[1])))
            return NULL;
        number = W7_SGF_NAMES[W7_SGF_PLACE_OF(p[0], value - p == 3 ? p[1] : 0)];
        close = w7_sgf_plain_value_end(reader, &W7_SGF_TABLE[number], value, end);
        bit = UINT64_C(1) << number % 64;
        if (close == NULL || (number != W7_SGF_UNKNOWN && (seen[number / 64] & bit)))
            return NULL;
        seen[number / 64] |= bit;
        p = close + 1;
        if (W7_SGF_TABLE[number].use == W7_SGF_COMMENT) {
            comment.begin = value - begin;
            comment.end = close - begin;
        } else {
            w7_kept *property;
            if (kept->count >= reader->options.max_steps || W7_TABLE_RESERVE_ONE(kept) != 0)
                return NULL;
            property = &kept->at[kept->count++];
            property->key.begin = name - begin;
            property->key.end = value - 1 - begin;
            property->value.begin = value - 1 - begin;
            property->value.end = p - begin;
            property->index = (int32_t)row;
            property->owner = W7_OWNER_STEP;
            property->inside = W7_INSIDE_OWNER;
            property->unused[0] = property->unused[1] = 0;
        }
    }
    if (p == end || (*p != ';' && *p != ')' && *p != '('))
        return NULL;
    if (comment.begin >= 0) {
        w7_detail *detail = w7_sgf_detail(reader, row);
        if (detail == NULL)
            return NULL;
        detail->comment = comment;
        detail->marks = (int32_t)reader->record->marks.count;
    }
    return p;
}

/* Reads plain nodes from the lexer's place on, as many as there are. */
static inline void w7_sgf_read_plain_nodes(w7_sgf_reader *reader)
{
    const uint8_t *p = w7_sgf_pass_spaces(reader->lexer.p, reader->lexer.end), *end = reader->lexer.end;
    const w7_sgf_board *board = &reader->board;
    w7_steps *steps = &reader->record->steps;
    while (end - p > W7_SGF_MOVE_BYTES && p[0] == ';' && (p[1] == 'B' || p[1] == 'W') && p[2] == '[' && p[5] == ']') {
        const uint8_t *after = p + W7_SGF_MOVE_BYTES;
        const int32_t x = w7_sgf_coordinate(p[3]), y = w7_sgf_coordinate(p[4]);
        const int64_t kept = reader->record->kept.count;
        w7_step *step;
        if ((uint32_t)x >= (uint32_t)board->width || (uint32_t)y >= (uint32_t)board->height)
            break;
        if (*after == ';') {
            const uint8_t *run = w7_sgf_read_run(reader, p, end);
            if (run > p) {
                if (run - p >= W7_SGF_LONG_RUN) {
                    reader->flags |= w7_sgf_flags_of(reader->checked, p);
                    reader->checked = run;
                }
                p = run;
                continue;
            }
        }
        if (steps->count >= reader->options.max_steps || W7_TABLE_RESERVE_ONE(steps) != 0)
            break; /* the reader of nodes says what is wrong */
        step = &steps->at[steps->count++];
        step->offset = p + 1 - reader->lexer.begin;
        step->x = x;
        step->y = y;
        step->detail = -1;
        step->kind = W7_STEP_MOVE;
        step->color = p[1] == 'B' ? 1 : 2;
        step->tag = step->joined = 0;
        if (*after != ';') {
            after = w7_sgf_read_plain_rest(reader, after);
            if (after == NULL) {
                steps->count--;
                reader->record->kept.count = kept;
                break;
            }
        }
        p = after;
    }
    reader->lexer.p = p;
}

#endif
