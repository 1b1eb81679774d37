/* The nodes that most records consist of: a move on a point of the board, and around it at most properties of one value
 * that is kept as it is, such as the time left, and a comment. All other nodes are left to the reader of nodes. */
#ifndef W7_FORMATS_SGF_PLAIN_NODES_H
#define W7_FORMATS_SGF_PLAIN_NODES_H

#include "formats/sgf/move_runs.h"
#include "formats/sgf/raw_properties.h"

/* Whether a move on a point of the board is at p, with its name and brackets. */
static inline int w7_sgf_is_plain_move(const w7_sgf_board *board, const uint8_t *p, const uint8_t *end)
{
    return end - p >= W7_SGF_MOVE_BYTES && (p[0] == 'B' || p[0] == 'W') && p[1] == '[' && p[4] == ']' &&
           (uint32_t)w7_sgf_coordinate(p[2]) < (uint32_t)board->width &&
           (uint32_t)w7_sgf_coordinate(p[3]) < (uint32_t)board->height;
}

/* Reads the node at the `;` at p. Returns what follows it, or NULL where the node is not plain. */
static inline const uint8_t *w7_sgf_read_plain_node(w7_sgf_reader *reader, const uint8_t *p)
{
    const uint8_t *begin = reader->lexer.begin, *end = reader->lexer.end;
    w7_steps *steps = &reader->record->steps;
    const int64_t row = steps->count;
    w7_span comment = w7_no_span();
    uint64_t seen[2] = {0, 0};
    w7_step *step;
    p++;
    if (!w7_sgf_is_plain_move(&reader->board, p, end)) {
        p = w7_sgf_read_kept(reader, p, W7_OWNER_STEP, row, seen, &comment);
        if (!w7_sgf_is_plain_move(&reader->board, p, end))
            return NULL;
    }
    if (row >= reader->options.max_steps || W7_TABLE_RESERVE_ONE(steps) != 0)
        return NULL; /* the reader of nodes reports the problem */
    step = &steps->at[row];
    step->offset = p - begin;
    step->x = w7_sgf_coordinate(p[2]);
    step->y = w7_sgf_coordinate(p[3]);
    step->detail = -1;
    step->kind = W7_STEP_MOVE;
    step->color = p[0] == 'B' ? 1 : 2;
    step->tag = step->joined = 0;
    p += W7_SGF_MOVE_BYTES - 1;
    if (*p != ';')
        p = w7_sgf_read_kept(reader, p, W7_OWNER_STEP, row, seen, &comment);
    if (p == end || (*p != ';' && *p != ')' && *p != '('))
        return NULL;
    if (comment.begin >= 0) {
        w7_detail *detail = w7_sgf_detail(reader, row);
        if (detail == NULL)
            return NULL;
        detail->comment = comment;
        detail->marks = (int32_t)reader->record->marks.count;
    }
    steps->count++;
    return p;
}

/* Reads plain nodes from the lexer's place on, as many as there are. */
static inline void w7_sgf_read_plain_nodes(w7_sgf_reader *reader)
{
    const uint8_t *p = w7_sgf_pass_spaces(reader->lexer.p, reader->lexer.end), *end = reader->lexer.end;
    while (end - p > W7_SGF_MOVE_BYTES && *p == ';') {
        const int64_t kept = reader->record->kept.count;
        const uint8_t *after;
        if (p[W7_SGF_MOVE_BYTES] == ';' && w7_sgf_is_plain_move(&reader->board, p + 1, end)) {
            after = w7_sgf_read_run(reader, p, end);
            if (after - p >= W7_SGF_LONG_RUN) {
                reader->flags |= w7_sgf_flags_of(reader->checked, p);
                reader->checked = after;
            }
            if (after > p) {
                p = after;
                continue;
            }
        }
        after = w7_sgf_read_plain_node(reader, p);
        if (after == NULL) {
            reader->record->kept.count = kept;
            break;
        }
        p = after;
    }
    reader->lexer.p = p;
}

#endif
