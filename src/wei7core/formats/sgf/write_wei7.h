/* A record of SGF of the plain kind as wei7 3.0, straight from its columns, with the losses of its properties. */
#ifndef W7_FORMATS_SGF_WRITE_WEI7_H
#define W7_FORMATS_SGF_WRITE_WEI7_H

#include "formats/sgf/write_node.h"

static inline int w7_sgf_member_of(int place)
{
    switch (place) {
    case W7_SGF_PLACE_OF('G', 'N'): return W7_SGF_NAME;
    case W7_SGF_PLACE_OF('P', 'C'): return W7_SGF_PLACE;
    case W7_SGF_PLACE_OF('P', 'B'): return W7_SGF_BLACK;
    case W7_SGF_PLACE_OF('B', 'R'): return W7_SGF_BLACK_RANK;
    case W7_SGF_PLACE_OF('P', 'W'): return W7_SGF_WHITE;
    default: return W7_SGF_WHITE_RANK;
    }
}

/* Characters of a text of `info`; half of a name that is made of two texts. */
enum { W7_SGF_SHORT = 128, W7_SGF_HALF = 63 };

/* Reads the kept properties of the root in their order, which is that of the lines. */
static inline int w7_sgf_read_root(const w7_sgf_context *context, const w7_record *record, const uint8_t *source,
                                   int64_t stones, w7_sgf_node_texts *root)
{
    int64_t row;
    int pass, status;
    /* First the members of `info`: whether there is a name decides what becomes of the event. */
    for (pass = 0; pass < 2; pass++)
        for (row = 0; row < record->kept.count && record->kept.at[row].owner == W7_OWNER_ROOT; row++) {
            w7_sgf_plain_text text;
            w7_sgf_node_property one;
            int kind, is_event;
            int64_t most;
            if (!w7_sgf_kept_property(&record->kept.at[row], source, &context->writing, &one))
                return W7_DECLINED;
            kind = context->writing.kind[one.place] & ~W7_SGF_OF_ROOT;
            if (kind == W7_SGF_NOT_WRITTEN)
                return W7_DECLINED;
            if (kind == W7_SGF_OF_TEXT || (kind == W7_SGF_MEMBER) != (pass == 0))
                continue;
            if (kind >= W7_SGF_LINE) {
                status = w7_sgf_read_other(context, &one, kind, root);
                if (status != W7_WRITTEN)
                    return status;
                continue;
            }
            is_event = kind == W7_SGF_EVENT && root->member[W7_SGF_NAME].size == 0;
            most = kind == W7_SGF_MEMBER ? W7_SGF_SHORT : is_event ? W7_SGF_HALF : one.value_size;
            status = w7_sgf_read_plain(&one, &root->texts, &text, most, kind == W7_SGF_LINES);
            if (status != W7_WRITTEN)
                return status;
            switch (kind) {
            case W7_SGF_MEMBER:
                if (!w7_sgf_is_blank(&root->texts, text))
                    root->member[w7_sgf_member_of(one.place)] = text;
                continue;
            case W7_SGF_EVENT:
                if (is_event) {
                    w7_sgf_plain_text *event = one.place == W7_SGF_PLACE_OF('E', 'V') ? &root->event : &root->round;
                    const int is_reported = root->event.size > 0 || root->round.size > 0;
                    *event = w7_sgf_stripped(&root->texts, text);
                    if (event->size > 0 && !is_reported)
                        status = w7_sgf_lose(root->losses, W7_SGF_AS_NAME, one.place);
                    if (status != W7_WRITTEN)
                        return status;
                    continue;
                }
                break;
            case W7_SGF_READ: {
                const int is_komi = one.place == W7_SGF_PLACE_OF('K', 'M');
                const w7_sgf_parts *parts = is_komi                                  ? &context->komi
                                            : one.place == W7_SGF_PLACE_OF('R', 'U') ? &context->rules
                                                                                     : &context->result;
                if (!parts->is_possible)
                    status =
                        w7_sgf_lose_text(root->losses, W7_SGF_IMPOSSIBLE, one.place, one.value + 1, one.value_size - 2);
                else if (parts->is_complete && !parts->is_normal)
                    status = w7_sgf_lose(root->losses, W7_SGF_NORMALISED, one.place);
                if (status != W7_WRITTEN)
                    return status;
                if (parts->is_complete)
                    continue;
                break;
            }
            case W7_SGF_HANDICAP: {
                const int64_t number = w7_sgf_handicap_number(&root->texts, text, stones);
                if (number < 0)
                    break;
                if (stones > 0)
                    status = w7_sgf_lose(root->losses, W7_SGF_AS_STONES, one.place);
                if (status != W7_WRITTEN)
                    return status;
                continue;
            }
            default: break;
            }
            status = w7_sgf_put_line(context, root, one.place, text);
            if (status != W7_WRITTEN)
                return status;
        }
    return W7_WRITTEN;
}

/* Appends `info`, where there is any. Returns 0 where memory is short. */
static inline int w7_sgf_put_info(const w7_sgf_context *context, const w7_sgf_node_texts *root, w7_out *out, int *outer)
{
    const w7_sgf_plain_text *member = root->member, name = member[W7_SGF_NAME];
    const int has_rules = context->komi.first != NULL || context->rules.first != NULL || context->rules.second != NULL;
    int members = 0, players, color;
    players = member[W7_SGF_BLACK].size || member[W7_SGF_BLACK_RANK].size || member[W7_SGF_WHITE].size ||
              member[W7_SGF_WHITE_RANK].size;
    if (!name.size && !root->event.size && !root->round.size && !member[W7_SGF_PLACE].size && !players && !has_rules &&
        context->result.first == NULL)
        return 1;
    if (!w7_json_begin_member(out, outer, "info") || !w7_json_put(out, "{"))
        return 0;
    if (name.size) {
        if (!w7_sgf_put_text(out, &members, "name", &root->texts, name))
            return 0;
    } else if (root->event.size || root->round.size) {
        if (!w7_json_begin_member(out, &members, "name"))
            return 0;
        if (root->event.size && !w7_json_put_string(out, root->texts.at + root->event.begin, root->event.size))
            return 0;
        if (root->event.size && root->round.size) {
            out->count--; /* one string of both */
            if (!w7_json_put(out, ", "))
                return 0;
        }
        if (root->round.size) {
            const int64_t quote = out->count;
            if (!w7_json_put_string(out, root->texts.at + root->round.begin, root->round.size))
                return 0;
            if (root->event.size) {
                memmove(out->at + quote, out->at + quote + 1, (size_t)(out->count - quote - 1));
                out->count--;
            }
        }
    }
    if (has_rules) {
        int inner = 0;
        if (!w7_json_begin_member(out, &members, "rules") || !w7_json_put(out, "{") ||
            !w7_json_put_part(out, &inner, "scoring", context->rules.first, context->rules.first_size) ||
            !w7_json_put_part(out, &inner, "komi", context->komi.first, context->komi.first_size) ||
            !w7_json_put_part(out, &inner, "type", context->rules.second, context->rules.second_size) ||
            !w7_json_put(out, "}"))
            return 0;
    }
    if (!w7_sgf_put_text(out, &members, "place", &root->texts, member[W7_SGF_PLACE]))
        return 0;
    if (players) {
        if (!w7_json_begin_member(out, &members, "participants") || !w7_json_put(out, "["))
            return 0;
        for (color = 0; color < 2; color++) {
            int inner = 0;
            if (!w7_json_put(out, color ? ",{" : "{") ||
                !w7_sgf_put_text(out, &inner, "name", &root->texts, member[color ? W7_SGF_WHITE : W7_SGF_BLACK]) ||
                !w7_sgf_put_text(out, &inner, "rank", &root->texts,
                                 member[color ? W7_SGF_WHITE_RANK : W7_SGF_BLACK_RANK]) ||
                !w7_json_put(out, "}"))
                return 0;
        }
        if (!w7_json_put(out, "],\"players\":[{\"participant\":0,\"color\":1},{\"participant\":1,\"color\":2}]"))
            return 0;
    }
    return w7_json_put_part(out, &members, "result", context->result.first, context->result.first_size) &&
           w7_json_put(out, "}");
}

/* Whether each stone of the root has a free point next to it, so that no block lacks liberties. */
static inline int w7_sgf_stones_are_free(const w7_record *record, const w7_pre *pre)
{
    uint64_t taken[W7_SGF_MAX_SIZE + 2] = {0};
    const uint64_t all = ((UINT64_C(1) << record->width) - 1) << 1;
    const w7_placed *stones;
    int32_t k;
    if (pre->stone_count <= 0)
        return 1;
    stones = record->stones.at + pre->stones;
    for (k = 0; k < pre->stone_count; k++) {
        if (stones[k].what != 1 && stones[k].what != 2)
            return 0;
        taken[stones[k].y + 1] |= UINT64_C(1) << (stones[k].x + 1);
    }
    for (k = 0; k < pre->stone_count; k++) {
        const int32_t x = stones[k].x + 1, y = stones[k].y + 1;
        const uint64_t sides = UINT64_C(5) << (x - 1), at = UINT64_C(1) << x;
        if ((sides & all & ~taken[y]) == 0 && (y == 1 || (taken[y - 1] & at)) &&
            (y == record->height || (taken[y + 1] & at)))
            return 0;
    }
    return 1;
}

/* Appends `pre`, where the root has anything that belongs there. */
static inline int w7_sgf_put_pre(const w7_record *record, const uint8_t *source, w7_sgf_node_texts *root, w7_out *out,
                                 int *members)
{
    const w7_pre *pre = record->trees.at[0].pre < 0 ? NULL : &record->pres.at[record->trees.at[0].pre];
    const int has_comment = pre != NULL && pre->comment.begin >= 0;
    const int32_t stones = pre == NULL || pre->stone_count < 0 ? 0 : pre->stone_count;
    int inner = 0;
    int32_t k;
    if (!has_comment && stones == 0 && root->lines.count == 0)
        return 1;
    if (!w7_json_begin_member(out, members, "pre") || !w7_json_put(out, "{"))
        return 0;
    if (stones > 0) {
        if (!w7_json_begin_member(out, &inner, "stones") || !w7_json_put(out, "["))
            return 0;
        for (k = 0; k < stones; k++) {
            const w7_placed *stone = &record->stones.at[pre->stones + k];
            if (w7_out_reserve(out, 64))
                return 0;
            if (k > 0)
                out->at[out->count++] = ',';
            W7_OUT_PUT(out, "{\"color\":");
            w7_out_put_number(out, stone->what);
            W7_OUT_PUT(out, ",\"point\":");
            w7_json_put_point(out, stone->x, stone->y);
            out->at[out->count++] = '}';
        }
        if (!w7_json_put(out, "]"))
            return 0;
    }
    if ((has_comment || root->lines.count > 0) &&
        !(w7_json_begin_member(out, &inner, "comment") &&
          w7_sgf_put_comment(source, has_comment ? pre->comment : w7_no_span(), root, out)))
        return 0;
    return w7_json_put(out, "}");
}

/* Whether wei7 has a place for the steps after the root, and their comments are whole. */
static inline int w7_sgf_has_places(const w7_record *record, int64_t size)
{
    const w7_pre *pre = record->trees.at[0].pre < 0 ? NULL : &record->pres.at[record->trees.at[0].pre];
    int64_t row;
    for (row = 0; row < record->details.count; row++)
        if (record->details.at[row].comment.end >= size)
            return 0;
    return pre == NULL ||
           (pre->mark_count <= 0 && pre->comment.end < size &&
            (pre->comment.begin < 0 || pre->comment.end > pre->comment.begin) && w7_sgf_stones_are_free(record, pre));
}

/* An open branch: what of it is written. */
typedef struct {
    int members;
    int has_pre;
    int has_comment; /* in its `pre` */
    int has_steps;
} w7_sgf_branch;

/* Appends a node without a move: as the `pre` of the branch, if that has no comment yet, or that of one below it.
 * Returns how many branches it has opened, -1 where memory is short. */
static inline int w7_sgf_put_note(const uint8_t *source, w7_span comment, w7_sgf_node_texts *node,
                                  w7_sgf_branch *branch, w7_out *out)
{
    const int has_comment = comment.begin >= 0 || node->lines.count > 0;
    int opened = 0, inner = branch->has_pre;
    if (!has_comment && node->marks.count == 0)
        return 0;
    if (branch->has_comment || branch->has_steps) {
        if ((branch->has_steps && !w7_json_put(out, "]")) || !w7_json_begin_member(out, &branch->members, "branches") ||
            !w7_json_put(out, "[{"))
            return -1;
        memset(branch, 0, sizeof *branch);
        opened = 1;
        inner = 0;
    }
    if (branch->has_pre)
        out->count--; /* the bracket after its stones */
    else if (!w7_json_begin_member(out, &branch->members, "pre") || !w7_json_put(out, "{"))
        return -1;
    branch->has_pre = branch->has_comment = 1;
    if (!w7_sgf_put_marks(node, out, inner ? "," : ""))
        return -1;
    inner |= node->marks.count > 0;
    if (has_comment &&
        !(w7_json_begin_member(out, &inner, "comment") && w7_sgf_put_comment(source, comment, node, out)))
        return -1;
    return w7_json_put(out, "}") ? opened : -1;
}

/* Appends the nodes of a tree, whose branch is open. Returns a status. */
static inline int w7_sgf_put_nodes(const w7_sgf_context *context, const w7_record *record, int32_t row,
                                   const w7_step_texts *steps, const uint8_t *source, int64_t *kept,
                                   w7_sgf_node_texts *node, w7_sgf_branch *branch, int32_t *opened, w7_out *out)
{
    const w7_tree *tree = &record->trees.at[row];
    int32_t k;
    for (k = 0; k < tree->step_count; k++) {
        const int64_t at = (int64_t)tree->first_step + k;
        const w7_step *step = &record->steps.at[at];
        const w7_span comment = step->detail < 0 ? w7_no_span() : record->details.at[step->detail].comment;
        const int has_kept = *kept < record->kept.count && record->kept.at[*kept].index == at;
        int64_t first = -1;
        int status;
        node->lines.count = node->texts.count = node->marks.count = 0;
        node->evaluation = NULL;
        if (has_kept || step->kind != W7_STEP_MOVE) {
            w7_sgf_begin_losses(node->losses, row, (int64_t)k + (row == 0));
            status = w7_sgf_read_node(context, record, source, at, kept, node);
            if (status != W7_WRITTEN)
                return status;
        }
        if (step->kind == W7_STEP_NOTE) {
            int count = 0;
            if (!has_kept && comment.begin < 0 && (row == 0 || tree->step_count > 1))
                status = w7_sgf_lose(node->losses, W7_SGF_NODE_LOST, 0);
            else if ((count = w7_sgf_put_note(source, comment, node, branch, out)) < 0)
                status = W7_WRITE_NO_MEMORY;
            if (status != W7_WRITTEN)
                return status;
            *opened += count;
            continue;
        }
        if (!branch->has_steps) {
            branch->has_steps = 1;
            if (!w7_json_begin_member(out, &branch->members, "steps"))
                return W7_WRITE_NO_MEMORY;
            first = out->count;
        }
        if (!w7_sgf_put_step(
                step, comment.begin >= 0 || node->lines.count || node->marks.count || node->evaluation ? NULL : steps,
                source, comment, node, out))
            return W7_WRITE_NO_MEMORY;
        if (first >= 0)
            out->at[first] = '['; /* in place of the first comma */
    }
    return !branch->has_steps || w7_json_put(out, "]") ? W7_WRITTEN : W7_WRITE_NO_MEMORY;
}

/* Closes the branches of a tree. Returns 0 where memory is short. */
static inline int w7_sgf_close_branches(const w7_tree *tree, int32_t opened, w7_out *out)
{
    int good = w7_json_put(out, tree->first_branch >= 0 ? "]}" : "}");
    while (good && opened-- > 0)
        good = w7_json_put(out, "]}");
    return good;
}

/* Appends the trees of a record; *kept is the first row of kept properties after those of the root. Returns a status. */
static inline int w7_sgf_put_trees(const w7_sgf_context *context, const w7_record *record, const w7_step_texts *steps,
                                   const uint8_t *source, int64_t *kept, w7_sgf_node_texts *node, w7_out *out)
{
    const w7_tree *trees = record->trees.at;
    int32_t *opened = calloc((size_t)record->trees.count, sizeof *opened);
    int64_t row, above;
    int status = opened == NULL ? W7_WRITE_NO_MEMORY : W7_WRITTEN;
    for (row = 0; status == W7_WRITTEN && row < record->trees.count; row++) {
        const w7_tree *tree = &trees[row];
        w7_sgf_branch branch = {0, 0, 0, 0};
        int good = 1;
        for (above = row - 1; row > 0 && good && above != tree->parent; above = trees[above].parent)
            good = w7_sgf_close_branches(&trees[above], opened[above], out);
        good = good && w7_json_put(out, row > 0 && tree->ordinal > 0 ? ",{" : "{");
        if (good && row == 0) {
            good = w7_sgf_put_pre(record, source, node, out, &branch.members);
            branch.has_pre = branch.members;
            branch.has_comment =
                node->lines.count > 0 || (tree->pre >= 0 && record->pres.at[tree->pre].comment.begin >= 0);
        }
        status = !good ? W7_WRITE_NO_MEMORY
                       : w7_sgf_put_nodes(context, record, (int32_t)row, steps, source, kept, node, &branch,
                                          &opened[row], out);
        if (status == W7_WRITTEN && tree->first_branch >= 0 &&
            !(w7_json_begin_member(out, &branch.members, "branches") && w7_json_put(out, "[")))
            status = W7_WRITE_NO_MEMORY;
    }
    for (above = record->trees.count - 1; status == W7_WRITTEN && above >= 0; above = trees[above].parent)
        if (!w7_sgf_close_branches(&trees[above], opened[above], out))
            status = W7_WRITE_NO_MEMORY;
    free(opened);
    return status == W7_WRITTEN && *kept < record->kept.count ? W7_DECLINED : status;
}

/* Finds the text of a property of the root, without brackets. Returns 0 where the root has none in capitals. */
static inline int w7_sgf_find_root(const w7_record *record, const uint8_t *source, const char *name, int64_t *begin,
                                   int64_t *end)
{
    int64_t row;
    for (row = 0; row < record->kept.count && record->kept.at[row].owner == W7_OWNER_ROOT; row++) {
        const w7_kept *kept = &record->kept.at[row];
        if (kept->key.end - kept->key.begin == 2 && memcmp(source + kept->key.begin, name, 2) == 0 &&
            kept->value.end - kept->value.begin >= 2) {
            *begin = kept->value.begin + 1;
            *end = kept->value.end - 1;
            return 1;
        }
    }
    return 0;
}

/* Whether the root has what only games have (tsumego.py). */
static inline int w7_sgf_is_game(const w7_record *record, const uint8_t *source)
{
    int64_t begin, end;
    return w7_sgf_find_root(record, source, "HA", &begin, &end) ||
           w7_sgf_find_root(record, source, "RE", &begin, &end) ||
           w7_sgf_find_root(record, source, "BR", &begin, &end) || w7_sgf_find_root(record, source, "WR", &begin, &end);
}

/* Appends a record as wei7 3.0, with its losses. Returns a status. */
static inline int w7_sgf_write_wei7(const w7_record *record, const uint8_t *source, int64_t size,
                                    const w7_sgf_context *context, w7_out *out, w7_sgf_losses *losses)
{
    w7_sgf_node_texts root;
    w7_sgf_node_properties properties;
    int64_t kept, stones = 0, row;
    int status = W7_WRITE_NO_MEMORY, members = 2;
    const int is_size_of_steps =
        context->steps != NULL && context->steps->width == record->width && context->steps->height == record->height;
    const w7_step_texts *steps = is_size_of_steps ? context->steps : NULL;
    if (!w7_sgf_is_plain(record, &context->writing, 0) || !w7_sgf_has_places(record, size) ||
        !w7_sgf_collect_root(record, source, size, &context->writing, &properties, &kept))
        return W7_DECLINED;
    memset(&root, 0, sizeof root);
    memset(losses->names, 0, sizeof losses->names);
    losses->numbers.count = 0;
    losses->names_count = losses->has_node_row = 1;
    losses->trees = record->trees.at;
    root.losses = losses;
    if (record->trees.at[0].pre >= 0) {
        const w7_pre *pre = &record->pres.at[record->trees.at[0].pre];
        for (row = 0; row < pre->stone_count; row++)
            stones += record->stones.at[pre->stones + row].what == 1;
        root.may_ask = stones > 0 && stones < pre->stone_count && !w7_sgf_is_game(record, source);
    }
    for (row = 0; root.may_ask && row < record->details.count; row++)
        if (record->details.at[row].comment.begin >= 0)
            return W7_DECLINED;
    if (w7_wei7_put_head(record, out))
        status = w7_sgf_read_root(context, record, source, stones, &root);
    if (status == W7_WRITTEN &&
        !(w7_sgf_put_info(context, &root, out, &members) && w7_json_begin_member(out, &members, "tree")))
        status = W7_WRITE_NO_MEMORY;
    if (status == W7_WRITTEN)
        status = w7_sgf_put_trees(context, record, steps, source, &kept, &root, out);
    if (status == W7_WRITTEN)
        status = w7_json_put(out, "}") ? w7_sgf_end_losses(losses) : W7_WRITE_NO_MEMORY;
    free(root.texts.at);
    free(root.lines.at);
    free(root.marks.at);
    return status;
}

#endif
