/* Reading the *tree* constraint: whole games and branches, nested to any depth with an
 * explicit stack. */
#ifndef W7_FORMATS_WEI7_TREES_H
#define W7_FORMATS_WEI7_TREES_H

#include "formats/wei7/info.h"

/* A tree whose text has begun and not ended. */
typedef struct {
    w7_members members;
    w7_elements branches;
    int in_branches;
    int32_t tree;
    int32_t last_branch; /* row of the branch read last, or -1 */
} w7_open_tree;

W7_TABLE(w7_open_trees, w7_open_tree);

static inline int w7_read_pre(w7_reader *reader, int32_t tree)
{
    w7_record *record = reader->record;
    w7_pres *pres = &record->pres;
    int64_t index = pres->count;
    w7_members members;
    w7_pre pre;
    int name;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_PRE);
    memset(&pre, 0, sizeof pre);
    pre.offset = w7_at(reader, reader->p);
    pre.comment = w7_no_span();
    pre.stone_count = pre.mark_count = -1;
    reader->trace.count = 0;
    members = w7_members_of(reader, &W7_PRE_RULE);
    while ((name = w7_next_known_member(reader, &members, W7_OWNER_PRE, index, W7_INSIDE_OWNER)) >= 0) {
        int64_t value = w7_at(reader, reader->p);
        int status;
        switch (name) {
        case W7_N_STONES:
            status = w7_read_placed_list(reader, &W7_STONE_KIND, W7_AT_STONES, &record->stones, &pre.stones,
                                         &pre.stone_count);
            pre.unreadable = status != W7_GOOD;
            break;
        case W7_N_PROBLEM: status = w7_read_problem(reader, &W7_PROBLEM_RULE, W7_OWNER_PRE, index, &pre.problem); break;
        case W7_N_MARKS: status = w7_read_marks(reader, W7_AT_PRE_MARKS, &pre.marks, &pre.mark_count); break;
        default: /* W7_N_COMMENT */ status = w7_read_text(reader, W7_AT_PRE_COMMENT, &pre.comment); break;
        }
        if (status == W7_STOPPED)
            return W7_STOPPED;
        if (status == W7_BAD && !w7_keep(reader, members.key, value, W7_OWNER_PRE, index, W7_INSIDE_OWNER))
            return W7_STOPPED;
    }
    if (name == W7_MEMBERS_STOPPED)
        return W7_STOPPED;
    if (W7_TABLE_RESERVE_ONE(pres) != 0)
        return w7_out_of_memory(reader);
    pres->at[pres->count] = pre;
    record->trees.at[tree].pre = (int32_t)pres->count++;
    return W7_GOOD;
}

/* Reads `steps`. Each step counts as soon as it was read whole, so a text that breaks off
 * still gives the moves before the break. */
static inline int w7_read_steps(w7_reader *reader, int32_t tree)
{
    w7_record *record = reader->record;
    w7_elements elements = {0};
    int more;
    record->trees.at[tree].first_step = (int32_t)record->steps.count;
    record->trees.at[tree].step_count = 0;
    if (w7_peek(reader) != '[') {
        /* Kept as one step that cannot be read: the moves of this tree are unknown. */
        w7_step_draft draft;
        w7_start_step(reader, &draft);
        if (w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_STEPS) == W7_STOPPED)
            return W7_STOPPED;
        w7_keep_raw_step(reader, &draft, record->kept.count);
        record->trees.at[tree].step_count = 1;
        return w7_add_step(reader, &draft) ? W7_GOOD : W7_STOPPED;
    }
    while ((more = w7_next_element(reader, &elements)) > 0) {
        int stopped = w7_guess_steps(reader) == W7_RUN_ON_STEP &&
                      (w7_at_row_limit(reader, record->steps.count) || !w7_read_step(reader));
        record->trees.at[tree].step_count = (int32_t)(record->steps.count - record->trees.at[tree].first_step);
        if (stopped)
            return W7_STOPPED;
    }
    return more < 0 ? W7_STOPPED : W7_GOOD;
}

/* Opens the tree at the reader, which is at `{`, as the next branch of the innermost open one. */
static inline int w7_open(w7_reader *reader, w7_open_trees *open)
{
    w7_trees *trees = &reader->record->trees;
    w7_open_tree *parent = open->count ? &open->at[open->count - 1] : NULL;
    w7_tree tree;
    w7_open_tree *opened;
    if (w7_at_row_limit(reader, trees->count))
        return 0;
    if (2 * open->count + 2 >= reader->options.max_depth)
        return w7_stop_reading(reader, W7_LIMIT_DEPTH, reader->p);
    if (W7_TABLE_RESERVE_ONE(trees) != 0)
        return w7_out_of_memory(reader);
    memset(&tree, 0, sizeof tree);
    tree.offset = w7_at(reader, reader->p);
    tree.title = w7_no_span();
    tree.parent = tree.first_branch = tree.next_branch = tree.pre = -1;
    tree.branch_count = tree.step_count = -1;
    if (parent != NULL) {
        w7_tree *above = &trees->at[parent->tree];
        tree.parent = parent->tree;
        tree.ordinal = above->branch_count++;
        if (parent->last_branch < 0)
            above->first_branch = (int32_t)trees->count;
        else
            trees->at[parent->last_branch].next_branch = (int32_t)trees->count;
        parent->last_branch = (int32_t)trees->count;
    }
    if (W7_TABLE_RESERVE_ONE(open) != 0)
        return w7_out_of_memory(reader);
    opened = &open->at[open->count++];
    memset(opened, 0, sizeof *opened);
    opened->members = w7_members_of(reader, &W7_TREE_RULE);
    opened->tree = (int32_t)trees->count;
    opened->last_branch = -1;
    trees->at[trees->count++] = tree;
    reader->depth = 2 * open->count;
    return 1;
}

/* Reads the next element of the branches of the innermost open tree. */
static inline int w7_read_branch(w7_reader *reader, w7_open_trees *open)
{
    w7_open_tree *top = &open->at[open->count - 1];
    int more = w7_next_element(reader, &top->branches);
    if (more < 0)
        return 0;
    if (more == 0) {
        top->in_branches = 0;
        return 1;
    }
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_TREE) != W7_STOPPED;
    return w7_open(reader, open);
}

/* Reads the next member of the innermost open tree, or closes it. */
static inline int w7_read_tree_member(w7_reader *reader, w7_open_trees *open)
{
    w7_open_tree *top = &open->at[open->count - 1];
    int32_t tree = top->tree;
    int name = w7_next_member(reader, &top->members), status;
    int64_t value = w7_at(reader, reader->p);
    switch (name) {
    case W7_MEMBERS_END:
        open->count--;
        reader->depth = 2 * open->count;
        return 1;
    case W7_MEMBERS_STOPPED: return 0;
    case W7_MEMBERS_UNKNOWN: return w7_keep_unknown(reader, &top->members, W7_OWNER_TREE, tree, W7_INSIDE_OWNER);
    case W7_N_TITLE: status = w7_read_text(reader, W7_AT_TITLE, &reader->record->trees.at[tree].title); break;
    case W7_N_PRE: status = w7_read_pre(reader, tree); break;
    case W7_N_STEPS: status = w7_read_steps(reader, tree); break;
    default: /* W7_N_BRANCHES */
        if (w7_peek(reader) == '[') {
            reader->record->trees.at[tree].branch_count = 0;
            top->in_branches = 1;
            return 1;
        }
        status = w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_BRANCHES);
        break;
    }
    if (status == W7_STOPPED)
        return 0;
    return status == W7_GOOD || w7_keep(reader, top->members.key, value, W7_OWNER_TREE, tree, W7_INSIDE_OWNER);
}

/* Reads the value of `tree` with all its branches. */
static inline int w7_read_tree(w7_reader *reader)
{
    w7_open_trees open = {NULL, 0, 0};
    int going;
    if (w7_peek(reader) != '{')
        return w7_refuse(reader, W7_TYPE_MISMATCH, W7_AT_TREE);
    going = w7_open(reader, &open);
    while (going && open.count > 0)
        going =
            open.at[open.count - 1].in_branches ? w7_read_branch(reader, &open) : w7_read_tree_member(reader, &open);
    free(open.at);
    reader->depth = 0;
    return going ? W7_GOOD : W7_STOPPED;
}

#endif
