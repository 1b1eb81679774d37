/* Rows that a decoder in Python made: C code does not look whether what they reference is there. */
#ifndef W7_RECORD_CHECK_ROWS_H
#define W7_RECORD_CHECK_ROWS_H

#include "record/record.h"

static inline int w7_is_outside(w7_span span, int64_t size)
{
    return span.begin < -1 || span.end > size || span.begin > span.end;
}

/* Whether some of `count` rows from `first` on are out of range. */
static inline int w7_is_out_of_range(int64_t first, int64_t count, int64_t rows)
{
    return count > 0 && (first < 0 || first + count > rows);
}

static inline const char *w7_wrong_tree(const w7_record *record, int64_t size)
{
    for (int64_t k = 0; k < record->trees.count; k++) {
        const w7_tree *tree = &record->trees.at[k];
        if (w7_is_outside(tree->title, size))
            return "title of a row of trees is outside the text";
        if (tree->parent >= k || (tree->parent < 0) != (k == 0))
            return "a tree precedes its parent";
        if ((tree->first_branch >= 0 && tree->first_branch <= k) || tree->first_branch >= record->trees.count)
            return "first_branch of a tree is not a later tree";
        if ((tree->next_branch >= 0 && tree->next_branch <= k) || tree->next_branch >= record->trees.count)
            return "next_branch of a tree is not a later tree";
        if (w7_is_out_of_range(tree->first_step, tree->step_count, record->steps.count))
            return "first_step of a row is out of range";
        if (tree->pre >= record->pres.count)
            return "pre of a tree is out of range";
    }
    return NULL;
}

static inline const char *w7_wrong_step(const w7_record *record)
{
    for (int64_t k = 0; k < record->steps.count; k++) {
        const w7_step *step = &record->steps.at[k];
        if (step->detail >= record->details.count)
            return "detail of a step is out of range";
        if (step->kind == W7_STEP_SETUP && w7_is_out_of_range(step->x, step->y, record->stones.count))
            return "x of a row is out of range";
    }
    return NULL;
}

static inline const char *w7_wrong_detail(const w7_record *record, int64_t size)
{
    for (int64_t k = 0; k < record->details.count; k++) {
        const w7_detail *detail = &record->details.at[k];
        if (w7_is_outside(detail->time, size) || w7_is_outside(detail->comment, size) ||
            w7_is_outside(detail->value, size))
            return "time, comment or value of a row of details is outside the text";
        if (w7_is_out_of_range(detail->marks, detail->mark_count, record->marks.count))
            return "marks of a row is out of range";
    }
    return NULL;
}

static inline const char *w7_wrong_pre(const w7_record *record, int64_t size)
{
    for (int64_t k = 0; k < record->pres.count; k++) {
        const w7_pre *pre = &record->pres.at[k];
        if (w7_is_outside(pre->comment, size))
            return "comment of a row of pres is outside the text";
        if (w7_is_out_of_range(pre->stones, pre->stone_count, record->stones.count))
            return "stones of a row is out of range";
        if (w7_is_out_of_range(pre->marks, pre->mark_count, record->marks.count))
            return "marks of a row is out of range";
    }
    return NULL;
}

/* What is wrong with the rows of a record whose text has `size` bytes; NULL where nothing is. */
static inline const char *w7_wrong_row(const w7_record *record, int64_t size)
{
    const char *wrong = w7_wrong_tree(record, size);
    if (wrong == NULL)
        wrong = w7_wrong_step(record);
    if (wrong == NULL)
        wrong = w7_wrong_detail(record, size);
    if (wrong == NULL)
        wrong = w7_wrong_pre(record, size);
    for (int64_t k = 0; wrong == NULL && k < record->kept.count; k++)
        if (w7_is_outside(record->kept.at[k].key, size) || w7_is_outside(record->kept.at[k].value, size))
            wrong = "key or value of a row of kept is outside the text";
    return wrong;
}

#endif
