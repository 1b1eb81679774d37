/* The nodes that most records consist of: a move on a point of the board, and after it at most properties of one value
 * that is kept as it is, such as the time left, and a comment. All other nodes are left to the reader of nodes. */
#ifndef W7_FORMATS_SGF_PLAIN_NODES_H
#define W7_FORMATS_SGF_PLAIN_NODES_H

#include "formats/sgf/move_runs.h"
#include "formats/sgf/raw_properties.h"

/* Reads the rest of a node from p on, the move of which is the last row of steps. Returns what follows it, or NULL where
 * the node is not plain. */
static inline const uint8_t *w7_sgf_read_plain_rest(w7_sgf_reader *reader, const uint8_t *p)
{
    const int64_t row = reader->record->steps.count - 1;
    w7_span comment = w7_no_span();
    uint64_t seen[2] = {0, 0};
    p = w7_sgf_read_kept(reader, p, W7_OWNER_STEP, row, seen, &comment);
    if (p == reader->lexer.end || (*p != ';' && *p != ')' && *p != '('))
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
            break; /* the reader of nodes reports the problem */
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
