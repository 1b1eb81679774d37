/* The main line of a record by its columns, as far as they have all that a walk needs: branches without a `pre`, and
 * moves. */
#ifndef W7_REPLAYING_MAIN_LINE_H
#define W7_REPLAYING_MAIN_LINE_H

#include "record/record.h"

typedef struct {
    int64_t tree;  /* row of the branch */
    int64_t index; /* of the last step taken in it, -1: none */
    int64_t depth; /* number of branches before it */
} w7_main_line;

/* Enters a branch; returns 0 where it has a `pre`. */
static inline int w7_main_line_enter(const w7_record *record, int64_t tree, w7_main_line *line)
{
    if (tree >= record->trees.count || record->trees.at[tree].pre >= 0)
        return 0;
    line->tree = tree;
    line->index = -1;
    return 1;
}

/* The row of the next step: -1 if the branch has no more. */
static inline int64_t w7_main_line_row(const w7_record *record, const w7_main_line *line)
{
    const w7_tree *tree = &record->trees.at[line->tree];
    return line->index + 1 < tree->step_count ? tree->first_step + line->index + 1 : -1;
}

/* Whether a step is a move that changes neither the time nor the question of a walk. */
static inline int w7_main_line_is_move(const w7_record *record, int64_t row)
{
    const w7_step *step = &record->steps.at[row];
    const w7_detail *detail = step->detail < 0 ? NULL : &record->details.at[step->detail];
    return step->kind == W7_STEP_MOVE && (detail == NULL || (detail->time.begin < 0 && !detail->problem));
}

#endif
