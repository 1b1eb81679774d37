/* Walks every branch of a record on one board: set up, play, take back, and return to the fork.
 *
 * The walk is a state machine that returns its next event on request, so that one body serves both a replay of the last
 * position and one of every position. It never recurses. */
#ifndef W7_REPLAYING_WALK_H
#define W7_REPLAYING_WALK_H

#include "board/kernel/board.h"
#include "board/kernel/edit.h"
#include "board/kernel/run.h"
#include "board/kernel/saved_stones.h"
#include "board/kernel/setup.h"
#include "record/record.h"
#include "replaying/branch_path.h"

typedef enum {
    W7_EVENT_END = 0,  /* every branch has been walked, or the limit reached */
    W7_EVENT_PRE,      /* a `pre` has been set up */
    W7_EVENT_MOVE,     /* a move has been played */
    W7_EVENT_REPLACED, /* a move has replaced the stone on an occupied point; walk.stop has the place */
    W7_EVENT_SETUP,    /* stones have been added or removed */
    W7_EVENT_STOP,     /* the branch and its descendants end here; walk.stop has the reason */
    W7_EVENT_MAIN_END, /* the board has the last position of the main line */
    W7_EVENT_TICK,     /* a chance to check for signals after much work */
    W7_EVENT_NO_MEMORY
} w7_event;

typedef enum {
    W7_STOP_NONE = 0,
    W7_STOP_UNREADABLE, /* the reason is a problem of the decoder */
    W7_STOP_OCCUPIED,
    W7_STOP_NO_LIBERTY,
    W7_STOP_TAKEBACK_OF_SETUP, /* a takeback of a move that was played before stones were set up */
    W7_STOP_LIMIT
} w7_stop_kind;

typedef struct {
    int64_t offset;      /* of the step, preset stone or pre */
    int64_t move_number; /* of the refused move, from 1 */
    int32_t x;
    int32_t y;
    uint8_t color;
    uint8_t kind; /* w7_stop_kind */
} w7_stop;

/* One branch on the path from the root to the current place. */
typedef struct {
    int64_t floor;     /* fewest moves in force since the branch was entered */
    int64_t edits;     /* in force when it was entered; no takeback reaches before one */
    int64_t withdrawn; /* first of the moves of earlier branches that this one took back */
    int64_t entry;     /* moves in force when it was entered */
    int64_t saved;     /* place of its stones among those saved, -1: none */
    int32_t tree;
    uint8_t has_stones; /* the branch has set up stones on the empty board */
} w7_frame;

typedef struct {
    int32_t x;
    int32_t y;
    uint8_t color;
} w7_withdrawn_move;

W7_TABLE(w7_frames, w7_frame);
W7_TABLE(w7_withdrawn_moves, w7_withdrawn_move);
W7_TABLE(w7_saved_positions, w7_saved_stones);

typedef enum { W7_PHASE_ENTER = 0, W7_PHASE_STEPS, W7_PHASE_MAIN_STOPPED, W7_PHASE_DESCEND, W7_PHASE_LEAVE } w7_phase;

typedef struct {
    const w7_record *record;
    w7_board *board;
    w7_frames frames;
    w7_withdrawn_moves withdrawn;
    w7_saved_positions saved; /* of branches on the path that others follow, the last ones first to go */
    int64_t step;             /* row of the step of the last event; -1: none of this branch yet */
    int64_t next_step;        /* remaining rows in this branch */
    int64_t end_step;
    int64_t work; /* moves played, taken back and put back, stones set up and taken away */
    int64_t max_work;
    int64_t next_tick;
    int64_t main_takebacks;
    int32_t tree; /* the current branch, or the one to enter next */
    uint8_t phase;
    uint8_t on_main;
    uint8_t finished;
    w7_stop stop;
    uintptr_t prefetch; /* an address to prefetch while moves are played; 0: none */
} w7_walk;

enum {
    W7_TICK = 1 << 20,
    W7_AHEAD_A_MOVE = 64,
    W7_MOST_SAVED = 1024, /* positions; further branches take their moves back */
    W7_MOST_RUN = 512     /* moves: one that cannot be played ends a run, and what follows it is looked at again */
};

/* `board` is empty and of the record's size; both outlive the walk. */
static inline void w7_walk_init(w7_walk *walk, const w7_record *record, w7_board *board, int64_t max_work)
{
    memset(walk, 0, sizeof *walk);
    walk->record = record;
    walk->board = board;
    walk->max_work = max_work;
    walk->next_tick = W7_TICK;
    walk->step = -1;
    walk->on_main = 1;
    walk->finished = record->trees.count == 0;
}

static inline void w7_walk_free(w7_walk *walk)
{
    free(walk->frames.at);
    free(walk->withdrawn.at);
    free(walk->saved.at);
    memset(walk, 0, sizeof *walk);
    walk->finished = 1;
}

/* True if a branch off the main line remains after W7_EVENT_MAIN_END. */
static inline int w7_walk_has_more(const w7_walk *walk)
{
    for (int64_t i = 0; !walk->finished && i < walk->frames.count; i++)
        if (walk->record->trees.at[walk->frames.at[i].tree].next_branch >= 0)
            return 1;
    return 0;
}

static inline w7_event w7_walk_stop(w7_walk *walk, w7_stop_kind kind, int64_t offset)
{
    walk->stop.kind = (uint8_t)kind;
    walk->stop.offset = offset;
    walk->stop.move_number = w7_board_move_count(walk->board) + 1;
    walk->finished = kind == W7_STOP_LIMIT;
    walk->phase = walk->on_main ? W7_PHASE_MAIN_STOPPED : W7_PHASE_LEAVE;
    return W7_EVENT_STOP;
}

/* All the work so far. */
static inline int64_t w7_walk_spent(const w7_walk *walk)
{
    return walk->work + w7_board_work(walk->board);
}

static inline int w7_walk_may_work(w7_walk *walk, int64_t amount)
{
    if (amount > walk->max_work - w7_walk_spent(walk))
        return 0;
    walk->work += amount;
    return 1;
}

/* Places the stones of a root on the empty board without checks: the decoder ensures distinct points on the board. */
static inline w7_event w7_walk_set_up_unchecked(w7_walk *walk, const w7_pre *pre)
{
    const w7_placed *stones = walk->record->stones.at + pre->stones;
    if (!w7_walk_may_work(walk, pre->stone_count))
        return w7_walk_stop(walk, W7_STOP_LIMIT, pre->offset);
    for (int32_t i = 0; i < pre->stone_count; i++)
        if (w7_board_put(walk->board, stones[i].what, stones[i].x, stones[i].y) != W7_OK)
            return w7_walk_stop(walk, W7_STOP_UNREADABLE, stones[i].offset);
    return W7_EVENT_PRE;
}

static inline w7_event w7_walk_set_up(w7_walk *walk, const w7_pre *pre)
{
    const w7_placed *stones = walk->record->stones.at + pre->stones;
    int64_t bad = 0;
    w7_status status;
    w7_placement *placements;
    if (!w7_walk_may_work(walk, pre->stone_count))
        return w7_walk_stop(walk, W7_STOP_LIMIT, pre->offset);
    placements = malloc((size_t)pre->stone_count * sizeof *placements);
    if (placements == NULL)
        return W7_EVENT_NO_MEMORY;
    for (int32_t i = 0; i < pre->stone_count; i++) {
        placements[i].x = stones[i].x;
        placements[i].y = stones[i].y;
        placements[i].color = stones[i].what;
    }
    status = w7_board_setup(walk->board, placements, pre->stone_count, &bad);
    free(placements);
    if (status == W7_NO_MEMORY)
        return W7_EVENT_NO_MEMORY;
    if (status != W7_OK) {
        bad = bad < 0 ? 0 : bad;
        walk->stop.x = stones[bad].x;
        walk->stop.y = stones[bad].y;
        walk->stop.color = stones[bad].what;
        return w7_walk_stop(walk, status == W7_NO_LIBERTY ? W7_STOP_NO_LIBERTY : W7_STOP_UNREADABLE,
                            stones[bad].offset);
    }
    walk->frames.at[walk->frames.count - 1].has_stones = 1;
    return W7_EVENT_PRE;
}

static inline w7_event w7_walk_enter(w7_walk *walk)
{
    const w7_tree *tree = walk->record->trees.at + walk->tree;
    w7_frame *frame;
    if (W7_TABLE_RESERVE_ONE(&walk->frames) != 0)
        return W7_EVENT_NO_MEMORY;
    frame = &walk->frames.at[walk->frames.count++];
    frame->tree = walk->tree;
    frame->floor = w7_board_move_count(walk->board);
    frame->edits = w7_board_edit_count(walk->board);
    frame->withdrawn = walk->withdrawn.count;
    frame->entry = frame->floor;
    frame->saved = -1;
    frame->has_stones = 0;
    if (tree->next_branch >= 0 && w7_board_is_small(walk->board) && walk->saved.count < W7_MOST_SAVED) {
        if (W7_TABLE_RESERVE_ONE(&walk->saved) != 0)
            return W7_EVENT_NO_MEMORY;
        frame->saved = walk->saved.count++;
        w7_board_save(walk->board, &walk->saved.at[frame->saved]);
    }
    walk->step = -1;
    walk->next_step = tree->first_step;
    walk->end_step = tree->first_step + (tree->step_count > 0 ? tree->step_count : 0);
    walk->phase = W7_PHASE_STEPS;
    if (tree->pre < 0)
        return W7_EVENT_END;
    if (walk->record->pres.at[tree->pre].unreadable)
        return w7_walk_stop(walk, W7_STOP_UNREADABLE, walk->record->pres.at[tree->pre].offset);
    if (walk->record->pres.at[tree->pre].stone_count <= 0)
        return W7_EVENT_PRE;
    if (walk->record->pres.at[tree->pre].unchecked && walk->frames.count == 1)
        return w7_walk_set_up_unchecked(walk, &walk->record->pres.at[tree->pre]);
    return w7_walk_set_up(walk, &walk->record->pres.at[tree->pre]);
}

/* Saves the moves of earlier branches that a takeback withdraws: the next branch needs them again. */
static inline int w7_walk_keep_withdrawn(w7_walk *walk, int64_t new_count)
{
    w7_frame *frame = &walk->frames.at[walk->frames.count - 1];
    for (; frame->floor > new_count; frame->floor--) {
        const w7_move *move;
        w7_withdrawn_move *kept;
        if (W7_TABLE_RESERVE_ONE(&walk->withdrawn) != 0)
            return -1;
        move = w7_board_move(walk->board, frame->floor - 1);
        kept = &walk->withdrawn.at[walk->withdrawn.count++];
        kept->x = move->x;
        kept->y = move->y;
        kept->color = move->color;
    }
    return 0;
}

static inline w7_event w7_walk_take_back(w7_walk *walk, const w7_step *step)
{
    int64_t count = w7_board_move_count(walk->board);
    if (step->x > count)
        return w7_walk_stop(walk, W7_STOP_UNREADABLE, step->offset);
    if (w7_board_edited_at(walk->board) > count - step->x)
        return w7_walk_stop(walk, W7_STOP_TAKEBACK_OF_SETUP, step->offset);
    if (!w7_walk_may_work(walk, step->x))
        return w7_walk_stop(walk, W7_STOP_LIMIT, step->offset);
    if (w7_walk_keep_withdrawn(walk, count - step->x) != 0 || w7_board_undo(walk->board, step->x) != W7_OK)
        return W7_EVENT_NO_MEMORY;
    walk->main_takebacks += walk->on_main;
    return W7_EVENT_END;
}

static inline w7_event w7_walk_play(w7_walk *walk, const w7_step *step)
{
    w7_status status;
    if (!w7_walk_may_work(walk, 1))
        return w7_walk_stop(walk, W7_STOP_LIMIT, step->offset);
    status = w7_board_play(walk->board, step->color, step->x, step->y);
    if (status == W7_OK)
        return W7_EVENT_MOVE;
    walk->stop.x = step->x;
    walk->stop.y = step->y;
    walk->stop.color = step->color;
    if (status == W7_OCCUPIED && walk->record->replaces) {
        status = w7_board_edit(walk->board, W7_EMPTY, step->x, step->y);
        if (status == W7_OK)
            status = w7_board_play(walk->board, step->color, step->x, step->y);
        walk->stop.offset = step->offset;
        walk->stop.move_number = w7_board_move_count(walk->board);
        if (status == W7_OK)
            return W7_EVENT_REPLACED;
    }
    if (status == W7_NO_MEMORY)
        return W7_EVENT_NO_MEMORY;
    return w7_walk_stop(walk, status == W7_OCCUPIED ? W7_STOP_OCCUPIED : W7_STOP_UNREADABLE, step->offset);
}

static inline w7_event w7_walk_edit(w7_walk *walk, const w7_step *step)
{
    if (!w7_walk_may_work(walk, step->y))
        return w7_walk_stop(walk, W7_STOP_LIMIT, step->offset);
    for (int32_t i = 0; i < step->y; i++) {
        const w7_placed *stone = &walk->record->stones.at[step->x + i];
        w7_status status = w7_board_edit(walk->board, stone->what, stone->x, stone->y);
        if (status == W7_NO_MEMORY)
            return W7_EVENT_NO_MEMORY;
        if (status != W7_OK)
            return w7_walk_stop(walk, W7_STOP_UNREADABLE, stone->offset);
    }
    return W7_EVENT_SETUP;
}

/* Returns W7_EVENT_END when the steps of the branch are done. */
static inline w7_event w7_walk_steps(w7_walk *walk)
{
    while (walk->next_step < walk->end_step) {
        const w7_step *step = walk->record->steps.at + walk->next_step;
        w7_event event = W7_EVENT_END;
        walk->step = walk->next_step++;
        if (step->kind == W7_STEP_MOVE)
            event = w7_walk_play(walk, step);
        else if (step->kind == W7_STEP_TAKEBACK)
            event = w7_walk_take_back(walk, step);
        else if (step->kind == W7_STEP_SETUP)
            event = w7_walk_edit(walk, step);
        else if (step->kind == W7_STEP_UNREADABLE)
            event = w7_walk_stop(walk, W7_STOP_UNREADABLE, step->offset);
        if (event != W7_EVENT_END)
            return event;
    }
    return W7_EVENT_END;
}

/* Clearing the board instead would cost its size, however few stones there are. */
static inline void w7_walk_take_stones_away(w7_walk *walk, const w7_frame *frame)
{
    const w7_pre *pre = walk->record->pres.at + walk->record->trees.at[frame->tree].pre;
    const w7_placed *stones = walk->record->stones.at + pre->stones;
    for (int32_t i = 0; i < pre->stone_count; i++)
        w7_board_take(walk->board, stones[i].what, stones[i].x, stones[i].y);
}

/* Restores the position at the start of the branch. */
static inline w7_event w7_walk_restore(w7_walk *walk, const w7_frame *frame, int32_t next)
{
    int64_t moves = w7_board_move_count(walk->board) - frame->floor;
    int64_t edits = w7_board_edit_count(walk->board) - frame->edits;
    if (!w7_walk_may_work(walk, moves + edits + walk->withdrawn.count - frame->withdrawn))
        return w7_walk_stop(walk, W7_STOP_LIMIT, walk->record->trees.at[frame->tree].offset);
    if (next < 0 && walk->frames.count == 1) /* the last one: nothing needs the position */
        return W7_EVENT_END;
    if (frame->saved >= 0) {
        walk->saved.count = frame->saved;
        if (frame->floor == frame->entry) {
            w7_board_return(walk->board, &walk->saved.at[frame->saved], frame->floor, frame->edits);
            return W7_EVENT_END;
        }
    }
    if (w7_board_rewind(walk->board, frame->floor, frame->edits) != W7_OK)
        return W7_EVENT_NO_MEMORY;
    if (frame->has_stones)
        w7_walk_take_stones_away(walk, frame);
    while (walk->withdrawn.count > frame->withdrawn) {
        const w7_withdrawn_move *move = &walk->withdrawn.at[--walk->withdrawn.count];
        if (w7_board_play(walk->board, move->color, move->x, move->y) != W7_OK)
            return W7_EVENT_NO_MEMORY;
    }
    return W7_EVENT_END;
}

static inline w7_event w7_walk_leave(w7_walk *walk)
{
    w7_frame frame = walk->frames.at[--walk->frames.count];
    int32_t next = walk->record->trees.at[frame.tree].next_branch;
    w7_event event;
    if (walk->frames.count == 0) {
        walk->finished = 1;
        return W7_EVENT_END;
    }
    event = w7_walk_restore(walk, &frame, next);
    if (event == W7_EVENT_END && next >= 0) {
        walk->tree = next;
        walk->phase = W7_PHASE_ENTER;
    }
    return event;
}

/* Continues to the next event. After W7_EVENT_NO_MEMORY the walk can only be freed. */
static inline w7_event w7_walk_next(w7_walk *walk)
{
    for (;;) {
        w7_event event = W7_EVENT_END;
        if (walk->phase == W7_PHASE_MAIN_STOPPED) {
            walk->on_main = 0;
            walk->phase = W7_PHASE_LEAVE;
            return W7_EVENT_MAIN_END;
        }
        if (walk->finished)
            return W7_EVENT_END;
        if (w7_walk_spent(walk) >= walk->next_tick) {
            walk->next_tick = w7_walk_spent(walk) + W7_TICK;
            return W7_EVENT_TICK;
        }
        if (walk->phase == W7_PHASE_ENTER) {
            event = w7_walk_enter(walk);
        } else if (walk->phase == W7_PHASE_STEPS) {
            event = w7_walk_steps(walk);
            if (event == W7_EVENT_END)
                walk->phase = W7_PHASE_DESCEND;
        } else if (walk->phase == W7_PHASE_DESCEND) {
            int32_t first = walk->record->trees.at[walk->frames.at[walk->frames.count - 1].tree].first_branch;
            walk->phase = first >= 0 ? W7_PHASE_ENTER : W7_PHASE_LEAVE;
            if (first >= 0) {
                walk->tree = first;
            } else if (walk->on_main) {
                walk->on_main = 0;
                return W7_EVENT_MAIN_END;
            }
        } else {
            event = w7_walk_leave(walk);
        }
        if (event != W7_EVENT_END)
            return event;
    }
}

/* Whether one of eight steps is not a move. */
static inline int w7_walk_eight_differ(const w7_step *steps)
{
    unsigned differ = 0;
    for (int k = 0; k < 8; k++)
        differ |= (unsigned)steps[k].kind ^ W7_STEP_MOVE;
    return differ != 0;
}

/* The end of the run of moves from step number `next` on, at most `end`. */
static inline int64_t w7_walk_moves_end(const w7_step *steps, int64_t next, int64_t end)
{
    while (end - next >= 8 && !w7_walk_eight_differ(&steps[next]))
        next += 8;
    while (next < end && steps[next].kind == W7_STEP_MOVE)
        next++;
    return next;
}

/* Plays steps as moves and prefetches memory at `prefetch`; 0: none. */
static inline w7_move_rows w7_walk_rows(const w7_step *steps, uintptr_t prefetch)
{
    w7_move_rows rows;
    rows.at = (const uint8_t *)&steps->x;
    rows.color = (ptrdiff_t)offsetof(w7_step, color) - (ptrdiff_t)offsetof(w7_step, x);
    rows.stride = sizeof *steps;
    rows.ahead = prefetch != 0 ? prefetch : (uintptr_t)rows.at;
    rows.piece = W7_AHEAD_A_MOVE;
    return rows;
}

/* The moves that come next, as many as a run may have: it ends before a step that is not a move, and where moves and
 * work come to *enough. */
static inline int64_t w7_walk_run(const w7_walk *walk, int64_t *enough)
{
    const int64_t tick = walk->next_tick < walk->max_work ? walk->next_tick : walk->max_work;
    const int64_t rest = tick - w7_walk_spent(walk);
    const int64_t most = walk->next_step + (rest < W7_MOST_RUN ? rest : W7_MOST_RUN);
    *enough = tick - walk->work;
    return w7_walk_moves_end(walk->record->steps.at, walk->next_step, walk->end_step < most ? walk->end_step : most) -
           walk->next_step;
}

static inline void w7_walk_add_played(w7_walk *walk, int64_t played)
{
    walk->work += played;
    walk->next_step += played;
}

/* Plays a run of moves, without an event for each. It ends before a move that cannot be played, and any other event of
 * w7_walk_next. */
static inline void w7_walk_play_on(w7_walk *walk)
{
    int64_t enough, played;
    const int64_t count = w7_walk_run(walk, &enough);
    if (count <= 0)
        return;
    w7_board_play_run(walk->board, w7_walk_rows(&walk->record->steps.at[walk->next_step], walk->prefetch), count,
                      enough, &played);
    w7_walk_add_played(walk, played);
}

/* Continues to the next event relevant to a replay of last positions. */
static inline w7_event w7_walk_next_halt(w7_walk *walk)
{
    w7_event event;
    do {
        if (walk->phase == W7_PHASE_STEPS)
            w7_walk_play_on(walk);
        event = w7_walk_next(walk);
    } while (event == W7_EVENT_MOVE || event == W7_EVENT_PRE || event == W7_EVENT_SETUP);
    return event;
}

static inline int64_t w7_saturating_add(int64_t sum, int64_t more)
{
    return more > INT64_MAX - sum ? INT64_MAX : sum + more;
}

/* Sets *size to the characters of boards and branch paths that the pause points of the record need at most.
 * Returns 0, or -1 when memory is short. */
static inline int w7_walk_text_size(const w7_record *record, int64_t *size)
{
    const int64_t all = (int64_t)record->width * record->height;
    const int64_t area = all > INT32_MAX ? 0 : all; /* no board is so large, so there will be no positions */
    w7_branch_mark *marks = malloc((size_t)record->trees.count * sizeof *marks + 1);
    if (marks == NULL)
        return -1;
    w7_branch_marks(record, marks);
    *size = 0;
    for (int64_t k = 0; k < record->trees.count; k++) {
        const w7_tree *tree = &record->trees.at[k];
        const int64_t path = tree->parent < 0 ? 0 : w7_branch_path_size(record->trees.at, marks, (int32_t)k) + 1;
        int64_t points = tree->pre >= 0;
        for (int32_t s = 0; s < tree->step_count; s++) {
            uint8_t kind = record->steps.at[tree->first_step + s].kind;
            points += kind == W7_STEP_MOVE || kind == W7_STEP_SETUP;
        }
        /* Fewer than 2**29 points of fewer than 2**33 characters: the product has room. */
        *size = w7_saturating_add(*size, points * (area + path));
    }
    free(marks);
    return 0;
}

#endif
