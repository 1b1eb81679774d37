/* Paths of branches as text: the ordinals from the root, joined by dots; `-` for the root itself.
 *
 * Of a path of more ordinals than HEAD and TAIL the middle is left out, as the paths of deep branches would take the
 * square of the record's size: `..` where its ordinals are all 0, else `*`. */
#ifndef W7_REPLAYING_BRANCH_PATH_H
#define W7_REPLAYING_BRANCH_PATH_H

#include <string.h>

#include "record/record.h"

enum { W7_BRANCH_HEAD = 128, W7_BRANCH_TAIL = 64 };

/* How deep a tree is, how many ordinals of its path are not 0, the tree at the end of the head of its path, and the bytes
 * of all its ordinals, each with a dot. */
typedef struct {
    int32_t depth;
    int32_t turns;
    int32_t head;
    int64_t bytes;
} w7_branch_mark;

/* Makes the marks of all trees of a record; trees come after their parents. */
static inline void w7_branch_marks(const w7_record *record, w7_branch_mark *marks)
{
    const w7_tree *trees = record->trees.at;
    for (int64_t k = 0; k < record->trees.count; k++) {
        w7_branch_mark *mark = &marks[k];
        if (trees[k].parent < 0) {
            memset(mark, 0, sizeof *mark);
            mark->head = (int32_t)k;
            continue;
        }
        *mark = marks[trees[k].parent];
        mark->depth++;
        mark->turns += trees[k].ordinal != 0;
        mark->bytes += 2;
        for (int32_t ordinal = trees[k].ordinal; ordinal > 9; ordinal /= 10)
            mark->bytes++;
        if (mark->depth <= W7_BRANCH_HEAD)
            mark->head = (int32_t)k;
    }
}

/* The tree above the tail of a long path, -1 where the path is written whole. */
static inline int32_t w7_branch_above_tail(const w7_tree *trees, const w7_branch_mark *marks, int32_t tree)
{
    if (marks[tree].depth <= W7_BRANCH_HEAD + W7_BRANCH_TAIL)
        return -1;
    for (int k = 0; k < W7_BRANCH_TAIL; k++)
        tree = trees[tree].parent;
    return tree;
}

/* What is written for the ordinals between the head and the tail of a path. */
static inline const char *w7_branch_middle(const w7_branch_mark *marks, int32_t above)
{
    return marks[above].turns > marks[marks[above].head].turns ? ".*." : "....";
}

/* The bytes of the path of a tree below the root. */
static inline int64_t w7_branch_path_size(const w7_tree *trees, const w7_branch_mark *marks, int32_t tree)
{
    const int32_t above = w7_branch_above_tail(trees, marks, tree);
    if (above < 0)
        return marks[tree].bytes - 1;
    return marks[tree].bytes - marks[above].bytes - 1 + (int64_t)strlen(w7_branch_middle(marks, above)) +
           marks[marks[above].head].bytes - 1;
}

/* Writes the ordinals from below the tree `above` (-1: from the root) to `tree` before p; returns where they begin. */
static inline char *w7_branch_path_write(char *p, const w7_tree *trees, int32_t tree, int32_t above)
{
    for (int32_t k = tree; k != above && trees[k].parent >= 0; k = trees[k].parent) {
        int32_t ordinal = trees[k].ordinal;
        if (k != tree)
            *--p = '.';
        do {
            *--p = (char)('0' + ordinal % 10);
            ordinal /= 10;
        } while (ordinal > 0);
    }
    return p;
}

#endif
