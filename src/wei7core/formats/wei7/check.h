/* Checks of the clauses that concern more than one place of a document, run once after reading. */
#ifndef W7_FORMATS_WEI7_CHECK_H
#define W7_FORMATS_WEI7_CHECK_H

#include "formats/wei7/trees.h"

/* What the path from the root up to the end of a tree decides for its branches. */
typedef struct {
    int64_t moves;       /* in force */
    double seconds;      /* of the last action with a time, or -1 */
    uint8_t any_move;    /* made so far, withdrawn ones included */
    uint8_t any_stone;   /* preset so far */
    uint8_t in_problem;  /* some pre on the path is the question of a problem */
    uint8_t first_color; /* that the next move should have (A24), or 0 */
    uint8_t lost;        /* an unreadable step came before: moves in force are not known */
} w7_path_state;

/* The offset of a step's action value, or of the member `name` in it. */
static inline int64_t w7_find_in_action(w7_reader *reader, const w7_step *step, const char *name)
{
    int64_t at = w7_find_value(reader, w7_find_value(reader, step->offset, "action"), "value");
    return name == NULL ? at : w7_find_value(reader, at, name);
}

static inline int w7_off_board(const w7_record *record, int32_t x, int32_t y)
{
    return record->width > 0 && (x >= record->width || y >= record->height);
}

/* Notes the coordinate of the point at offset `point` that is outside the board. */
static inline void w7_note_off_board(w7_reader *reader, int64_t point, int32_t x)
{
    int64_t at = w7_find_value(reader, point, x >= reader->record->width ? "x" : "y");
    w7_note_at(reader, W7_POINT_OFF_BOARD, W7_AT_COORDINATE, at, 0);
}

static inline int w7_order_placed(const void *left, const void *right)
{
    const w7_placed *a = left, *b = right;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->offset < b->offset ? -1 : 1;
}

/* A copy of stones or marks in the order of their points, or NULL when memory is short. */
static inline w7_placed *w7_sort_placed(w7_reader *reader, const w7_placed *rows, int32_t count)
{
    w7_placed *copy = malloc((size_t)count * sizeof *copy);
    if (copy == NULL) {
        w7_out_of_memory(reader);
        return NULL;
    }
    memcpy(copy, rows, (size_t)count * sizeof *copy);
    qsort(copy, (size_t)count, sizeof *copy, w7_order_placed);
    return copy;
}

/* Notes the stones or marks that are outside the board. Returns whether there are any. */
static inline int w7_check_on_board(w7_reader *reader, const w7_placed *rows, int32_t count)
{
    int outside = 0;
    int32_t k;
    for (k = 0; k < count; k++)
        if (w7_off_board(reader->record, rows[k].x, rows[k].y)) {
            w7_note_off_board(reader, w7_find_value(reader, rows[k].offset, "point"), rows[k].x);
            outside = 1;
        }
    return outside;
}

enum { W7_FEW_POINTS = 24 };

/* Whether two of a few rows have the same point. */
static inline int w7_shares_points(const w7_placed *rows, int32_t count)
{
    int32_t j, k;
    for (k = 1; k < count; k++)
        for (j = 0; j < k; j++)
            if (rows[j].x == rows[k].x && rows[j].y == rows[k].y)
                return 1;
    return 0;
}

/* Notes each of the rows that shares its point with the one before it, with `same` also equal ones. Returns whether
 * there are any. */
static inline int w7_check_shared_points(w7_reader *reader, const w7_placed *rows, int32_t count, int same, int code,
                                         int place)
{
    w7_placed *sorted;
    int shared = 0;
    int32_t k;
    if (count <= W7_FEW_POINTS && !w7_shares_points(rows, count))
        return 0;
    sorted = w7_sort_placed(reader, rows, count);
    for (k = 1; sorted != NULL && k < count; k++)
        if (sorted[k].x == sorted[k - 1].x && sorted[k].y == sorted[k - 1].y &&
            (same || sorted[k].what != sorted[k - 1].what)) {
            w7_note_at(reader, code, place, sorted[k].offset, 0);
            shared = 1;
        }
    free(sorted);
    return shared;
}

static inline void w7_check_marks(w7_reader *reader, int place, int32_t first, int32_t count)
{
    const w7_placed *marks = reader->record->marks.at + first;
    w7_check_on_board(reader, marks, count);
    w7_check_shared_points(reader, marks, count, 0, W7_MARKS_ON_ONE_POINT, place);
}

/* P-8, the half that needs no board: distinct points, all on the board. */
static inline void w7_check_stones(w7_reader *reader, w7_pre *pre)
{
    const w7_placed *stones = reader->record->stones.at + pre->stones;
    int outside = w7_check_on_board(reader, stones, pre->stone_count);
    int shared = w7_check_shared_points(reader, stones, pre->stone_count, 1, W7_SETUP_POINT_TAKEN, W7_AT_SETUP);
    pre->unreadable |= (uint8_t)(outside | shared);
}

static inline void w7_check_pre(w7_reader *reader, w7_pre *pre, w7_path_state *path)
{
    if (pre->stone_count > 0) {
        if (path->any_move || path->any_stone) {
            w7_note_at(reader, W7_SETUP_AFTER_MOVE, W7_AT_SETUP_ORDER, w7_find_value(reader, pre->offset, "stones"), 0);
            pre->unreadable = 1;
        }
        w7_check_stones(reader, pre);
        path->any_stone = 1;
    }
    if (pre->problem) {
        if (path->in_problem && reader->options.revision != 2)
            w7_note_at(reader, W7_PROBLEM_NESTED, W7_AT_PROBLEM_NESTED, w7_find_value(reader, pre->offset, "problem"),
                       0);
        path->in_problem = 1;
        path->first_color = pre->problem;
    }
    if (pre->mark_count > 0)
        w7_check_marks(reader, W7_AT_PRE_MARKS, pre->marks, pre->mark_count);
}

static inline void w7_check_time(w7_reader *reader, const w7_detail *detail, w7_path_state *path)
{
    if (detail->time.begin < 0)
        return;
    if (detail->seconds < path->seconds)
        w7_note_at(reader, W7_TIME_DECREASING, W7_AT_TIME_ORDER, detail->time.begin, 0);
    path->seconds = detail->seconds;
}

static inline void w7_check_actor(w7_reader *reader, const w7_step *step, const w7_detail *detail)
{
    if (detail->actor >= reader->record->participant_count)
        w7_note_at(reader, W7_PARTICIPANT_INDEX, W7_AT_ACTOR, w7_find_value(reader, step->offset, "actor"),
                   (int32_t)reader->record->participant_count);
}

/* The step cannot be played: it is kept as text only. */
static inline void w7_make_unreadable(w7_reader *reader, w7_step *step)
{
    const uint8_t *resume = reader->p;
    w7_step_draft draft;
    reader->p = reader->begin + step->offset;
    w7_start_step(reader, &draft);
    reader->quiet++;
    w7_pass_value(reader);
    reader->quiet--;
    draft.detail.value.begin = step->offset;
    draft.detail.value.end = w7_at(reader, reader->p);
    reader->p = resume;
    if (W7_TABLE_RESERVE_ONE(&reader->record->details) != 0) {
        w7_out_of_memory(reader);
        return;
    }
    draft.row.detail = (int32_t)reader->record->details.count;
    reader->record->details.at[reader->record->details.count++] = draft.detail;
    reader->kinds |= 1u << W7_STEP_UNREADABLE;
    *step = draft.row;
}

static inline void w7_check_move(w7_reader *reader, w7_step *step, w7_path_state *path, int problem_here)
{
    if (step->tag == W7_EVALUATION_NONE && path->in_problem && reader->options.revision != 2) {
        int64_t value = w7_find_in_action(reader, step, NULL);
        if (w7_find_value(reader, value, "evaluation") < 0)
            w7_note_at(reader, problem_here ? W7_EVALUATION_MISSING : W7_EVALUATION_MISSING_LATER, W7_AT_EVALUATION,
                       value, 0);
    }
    if (path->first_color && step->color != path->first_color)
        w7_note_at(reader, W7_PROBLEM_FIRST_COLOR, W7_AT_PROBLEM, w7_find_in_action(reader, step, "color"), 0);
    path->first_color = 0;
    path->any_move = 1;
    path->moves++;
    if (w7_off_board(reader->record, step->x, step->y)) {
        w7_note_off_board(reader, w7_find_in_action(reader, step, "point"), step->x);
        w7_make_unreadable(reader, step);
    }
}

static inline void w7_check_takeback(w7_reader *reader, w7_step *step, w7_path_state *path, int64_t moves_before)
{
    int64_t at;
    if (path->lost)
        return;
    if (step->x <= path->moves && step->x <= path->moves - moves_before) {
        path->moves -= step->x;
        return;
    }
    at = w7_find_in_action(reader, step, NULL);
    if (step->x > path->moves) {
        w7_note_at(reader, W7_TAKEBACK_TOO_DEEP, W7_AT_TAKEBACK, at,
                   path->moves > INT32_MAX ? INT32_MAX : (int32_t)path->moves);
        w7_make_unreadable(reader, step);
    } else {
        w7_note_at(reader, W7_TAKEBACK_OF_PARENT, W7_AT_TAKEBACK, at, 0);
        path->moves -= step->x;
    }
}

/* Whether nothing can be wrong with a step of the record that has to be looked for: all are moves without details, on
 * the board, and the path sets no condition for them. */
static inline int w7_has_only_bare_moves(const w7_reader *reader, const w7_path_state *path)
{
    return reader->bare_moves == reader->record->steps.count && !path->in_problem && path->first_color == 0 &&
           !w7_off_board(reader->record, reader->largest_x, reader->largest_y);
}

/* Passes over such moves from number `k` on, at most up to `end`. Returns the number of the next step. */
static inline int32_t w7_pass_bare_moves(const w7_reader *reader, w7_path_state *path, int32_t k, int32_t end)
{
    const w7_step *steps = reader->record->steps.at;
    const int32_t first = k;
    if (path->in_problem || path->first_color != 0)
        return k;
    while (k < end && steps[k].kind == W7_STEP_MOVE && steps[k].detail < 0 &&
           !w7_off_board(reader->record, steps[k].x, steps[k].y))
        k++;
    path->moves += k - first;
    path->any_move |= k > first;
    return k;
}

static inline void w7_check_tree(w7_reader *reader, w7_tree *tree, w7_path_state *path)
{
    w7_record *record = reader->record;
    w7_pre *pre = tree->pre < 0 ? NULL : &record->pres.at[tree->pre];
    int64_t moves_before = path->moves;
    int32_t k;
    if (pre != NULL)
        w7_check_pre(reader, pre, path);
    if (tree->step_count > 0 && w7_has_only_bare_moves(reader, path)) {
        path->moves += tree->step_count;
        path->any_move = 1;
        return;
    }
    for (k = tree->first_step; k < tree->first_step + tree->step_count; k++) {
        w7_step *step;
        k = w7_pass_bare_moves(reader, path, k, tree->first_step + tree->step_count);
        if (k == tree->first_step + tree->step_count)
            break;
        step = &record->steps.at[k];
        if (step->detail >= 0) {
            const w7_detail *detail = &record->details.at[step->detail];
            w7_check_time(reader, detail, path);
            w7_check_actor(reader, step, detail);
            if (detail->mark_count > 0)
                w7_check_marks(reader, W7_AT_STEP_MARKS, detail->marks, detail->mark_count);
        }
        if (step->kind == W7_STEP_MOVE) {
            w7_check_move(reader, step, path, pre != NULL && pre->problem);
        } else if (step->kind == W7_STEP_TAKEBACK) {
            w7_check_takeback(reader, step, path, moves_before);
            if (path->moves < moves_before)
                moves_before = path->moves;
        } else if (step->kind == W7_STEP_MARK && w7_off_board(record, step->x, step->y)) {
            w7_note_off_board(reader, w7_find_in_action(reader, step, "point"), step->x);
        }
        path->lost |= step->kind == W7_STEP_UNREADABLE;
    }
}

/* K-2: single marks belong to live interaction, so some step should have a time. */
static inline void w7_check_mark_actions(w7_reader *reader)
{
    const w7_record *record = reader->record;
    int64_t k;
    if (!(reader->kinds & 1u << W7_STEP_MARK))
        return;
    for (k = 0; k < record->details.count; k++)
        if (record->details.at[k].time.begin >= 0)
            return;
    for (k = 0; k < record->steps.count; k++)
        if (record->steps.at[k].kind == W7_STEP_MARK)
            w7_note_at(reader, W7_MARK_ACTION_UNTIMED, W7_AT_MARK_ACTION, record->steps.at[k].offset, 0);
}

static inline double w7_span_double(const w7_reader *reader, w7_span span)
{
    w7_decimal value = w7_decimal_read(reader->begin + span.begin, reader->begin + span.end);
    return w7_decimal_double(&value);
}

/* A7: the last result claimed on the main line against info.result. */
static inline void w7_check_claim(w7_reader *reader, const w7_info *info)
{
    const w7_record *record = reader->record;
    const w7_step *claim = NULL;
    w7_span margin = {-1, -1};
    int32_t tree, k;
    int differs;
    if (!info->has_result || !(reader->kinds & 1u << W7_STEP_RESULT))
        return;
    for (tree = record->trees.count ? 0 : -1; tree >= 0; tree = record->trees.at[tree].first_branch)
        for (k = 0; k < record->trees.at[tree].step_count; k++)
            if (record->steps.at[record->trees.at[tree].first_step + k].kind == W7_STEP_RESULT)
                claim = &record->steps.at[record->trees.at[tree].first_step + k];
    if (claim == NULL)
        return;
    if (claim->detail >= 0)
        margin = record->details.at[claim->detail].value;
    differs = claim->color != info->result.winner;
    if (margin.begin >= 0 && info->result.margin.begin >= 0)
        differs |= w7_span_double(reader, margin) != w7_span_double(reader, info->result.margin);
    if (differs)
        w7_note_at(reader, W7_RESULT_CONTRADICTS, W7_AT_RESULT, w7_find_in_action(reader, claim, NULL), 0);
}

static inline int w7_order_players(const void *left, const void *right)
{
    const w7_player *a = left, *b = right;
    if (a->participant != b->participant)
        return a->participant < b->participant ? -1 : 1;
    if (a->color != b->color)
        return a->color < b->color ? -1 : 1;
    return a->offset < b->offset ? -1 : 1;
}

static inline void w7_check_players(w7_reader *reader, w7_info *info)
{
    w7_player *players = info->players.at;
    int64_t k, count = info->players.count;
    for (k = 0; k < count; k++)
        if (players[k].participant >= reader->record->participant_count)
            w7_note_at(reader, W7_PARTICIPANT_INDEX, W7_AT_PLAYER_PARTICIPANT, players[k].participant_offset,
                       (int32_t)reader->record->participant_count);
    if (count < 2)
        return;
    qsort(players, (size_t)count, sizeof *players, w7_order_players);
    for (k = 1; k < count; k++)
        if (players[k].participant == players[k - 1].participant && players[k].color == players[k - 1].color)
            w7_note_at(reader, W7_PLAYER_DUPLICATE, W7_AT_PLAYERS, players[k].offset, 0);
}

/* A17: a board this large is valid, and beyond the limit of points that the caller set. */
static inline void w7_check_size(w7_reader *reader, const w7_info *info)
{
    if ((int64_t)reader->record->width * reader->record->height > reader->options.max_points)
        w7_note_at(reader, W7_BOARD_SIZE_UNSUPPORTED, W7_AT_SIZE, info->size_offset, 0);
}

/* Drops the members kept for a row that the end of the text left incomplete. */
static inline void w7_drop_orphans(w7_record *record)
{
    const int64_t counts[] = {1,
                              record->trees.count,
                              record->pres.count,
                              record->steps.count,
                              record->steps.count,
                              record->steps.count,
                              record->stones.count,
                              record->marks.count};
    int64_t from, to = 0;
    for (from = 0; from < record->kept.count; from++)
        if (record->kept.at[from].index < counts[record->kept.at[from].owner])
            record->kept.at[to++] = record->kept.at[from];
    record->kept.count = to;
}

static inline void w7_check_record(w7_reader *reader, w7_info *info)
{
    w7_trees *trees = &reader->record->trees;
    w7_path_state one, *ends = &one;
    int64_t k;
    w7_drop_orphans(reader->record);
    w7_check_size(reader, info);
    w7_check_players(reader, info);
    if (trees->count == 0)
        return;
    if (trees->count > 1)
        ends = malloc((size_t)trees->count * sizeof *ends);
    if (ends == NULL) {
        w7_out_of_memory(reader);
        return;
    }
    for (k = 0; k < trees->count && !reader->no_memory; k++) {
        w7_tree *tree = &trees->at[k];
        if (tree->parent >= 0) {
            ends[k] = ends[tree->parent];
        } else {
            memset(&ends[k], 0, sizeof ends[k]);
            ends[k].seconds = -1.0;
        }
        w7_check_tree(reader, tree, &ends[k]);
    }
    if (ends != &one)
        free(ends);
    w7_check_mark_actions(reader);
    w7_check_claim(reader, info);
}

#endif
