/* The boards of a batch stepped, from one number up to another: each call may run on a thread of its own. */
#ifndef W7_BATCH_SELFPLAY_STEPS_H
#define W7_BATCH_SELFPLAY_STEPS_H

#include "batch/selfplay/count.h"
#include "batch/selfplay/legal.h"
#include "batch/selfplay/plane_stream.h"

enum {
    W7_SLOT_FINISHED = 8, /* the verdict on a move after the end of a game; the others are w7_verdict */
    W7_SLOTS_AHEAD = 3    /* boards: memory takes about as long as a step of these */
};

/* What a step writes, an element or a row for each board; NULL where it is not asked for. */
typedef struct {
    uint8_t *legal;  /* [points + 1] */
    uint8_t *planes; /* [17][points] */
    uint8_t *done;
    float *rewards;
    double *margins; /* of games that ended; others stay 0 */
    uint8_t *errors;
    int32_t *lengths; /* moves of games that ended; others stay 0 */
    int64_t count;    /* boards of the batch, of which a call writes some */
} w7_step_columns;

static inline uint8_t *w7_slots_at(const w7_slots *slots, uint8_t *boards, int64_t index)
{
    return boards + (size_t)index * slots->stride;
}

/* Makes a slot an empty board. */
static inline void w7_slot_clear(const w7_slots *slots, const w7_slot_view *view)
{
    const size_t head = slots->chains + sizeof(w7_chain); /* other chains are made as they begin */
    memcpy(view->slot, slots->empty, head);
    memcpy(view->latest, slots->empty + slots->latest, slots->fresh - slots->latest);
    view->plies[0].hash = view->slot->hash;
    view->plies[0].earlier = W7_SLOT_NONE;
}

/* Makes a slot a game that begins with these stones, a byte a point. Returns whether there is such a position. */
static W7_COLD int w7_slot_begin_at(const w7_slots *slots, const w7_slot_view *view, const uint8_t *stones, int color)
{
    w7_slot *slot = view->slot;
    w7_slot_clear(slots, view);
    for (int32_t point = 0; point < slots->points; point++) {
        const int stone = stones[point];
        if (stone > W7_WHITE)
            return 0;
        if (stone == W7_EMPTY)
            continue;
        w7_point_add(stone == W7_BLACK ? view->black : view->white, point);
        slot->hash ^= slots->keys[stone][slots->place_of[point]];
        slot->stones[stone]++;
    }
    slot->color = (uint8_t)color;
    w7_slot_rebuild(slots, view);
    for (int32_t point = 0; point < slots->points; point++)
        if (stones[point] != W7_EMPTY && view->chains[w7_slot_chain(view, slots->place_of[point])].liberties == 0)
            return 0;
    w7_slot_clear_latest(view);
    w7_slot_add_ply(view);
    w7_slot_find_legal(slots, view);
    return 1;
}

/* Fills the slot that empty boards are copies of. */
static W7_COLD void w7_slots_make_empty(w7_slots *slots)
{
    const w7_slot_view view = w7_slot_view_of(slots, slots->empty);
    view.slot->hash = w7_zobrist_empty(slots->width, slots->height);
    view.slot->color = W7_BLACK;
    view.slot->free_chain = W7_SLOT_NONE;
    view.slot->new_chain = 1;
    for (int32_t place = 0; place < slots->places; place++)
        view.cells[place].chain = W7_WALL << W7_SLOT_CHAIN_BITS;
    for (int32_t point = 0; point < slots->points; point++)
        view.cells[slots->place_of[point]].chain = W7_EMPTY;
    w7_slot_clear_latest(&view);
    w7_slot_add_ply(&view);
    w7_slot_find_legal(slots, &view);
}

/* Writes a byte a point, and one for the pass. */
static inline void w7_slot_write_legal(int isa, const w7_slots *slots, const w7_slot_view *view, uint8_t *legal)
{
    legal[slots->points] = !view->slot->is_done;
    w7_history_set_write(isa, view->legal, slots->points, legal);
}

/* Whether the last move ended the game: by passes, or as the last one there may be. */
static inline int w7_slot_has_ended(const w7_slots *slots, const w7_slot *slot)
{
    const int mover = W7_BLACK + W7_WHITE - slot->color;
    return slot->move_count >= slots->move_limit ||
           (slots->passes > 0 && slot->passes >= slots->passes && (slots->last_pass == 0 || slots->last_pass == mover));
}

/* Plays one move of one board; returns the verdict on it, and where it is not legal the board stays as it is. */
static inline int w7_slot_step(const w7_slots *slots, const w7_slot_view *view, int32_t action)
{
    w7_slot *slot = view->slot;
    if (slot->is_done)
        return W7_SLOT_FINISHED;
    if (action < 0 || action > slots->points)
        return W7_POINT_OFF_BOARD;
    if (action < slots->points && !(view->legal[action >> 6] >> (action & 63) & 1))
        return w7_slot_verdict(slots, view, action);
    w7_slot_play(slots, view, action);
    slot->is_done = (uint8_t)w7_slot_has_ended(slots, slot);
    return W7_LEGAL;
}

/* Brings memory that is written soon into the cache. */
static W7_ALWAYS_INLINE void w7_slot_prefetch_lines(const uint8_t *at, int64_t size)
{
    for (int64_t k = 0; k < size; k += 64)
        W7_PREFETCH_TO_WRITE(at + k);
}

/* Brings what says most of a board into the cache. Compilers drop calls of functions that do nothing else: always
 * inline. */
static W7_ALWAYS_INLINE void w7_slot_prefetch(const w7_slots *slots, const uint8_t *slot)
{
    for (size_t at = 0; at < slots->chains; at += W7_SLOT_ALIGNMENT)
        W7_PREFETCH(slot + at);
}

/* The same of what a move looks at, where the former is there. */
static W7_ALWAYS_INLINE void w7_slot_prefetch_move(const w7_slots *slots, uint8_t *slot, int32_t action)
{
    const w7_slot_view view = w7_slot_view_of(slots, slot);
    const int is_black = view.slot->color == W7_BLACK;
    if (action >= 0 && action < slots->points) {
        const uint32_t stride = (uint32_t)slots->width + 1, place = slots->place_of[action];
        W7_PREFETCH(view.cells + place - stride);
        W7_PREFETCH(view.cells + place);
        W7_PREFETCH(view.cells + place + stride);
    }
    W7_PREFETCH(view.latest +
                w7_slot_counts(view.slot->stones[W7_BLACK] + is_black, view.slot->stones[W7_WHITE] + !is_black));
    W7_PREFETCH(view.plies + view.slot->move_count - (view.slot->move_count > 0));
    W7_PREFETCH(view.plies + view.slot->move_count + 1);
}

/* The same of the moves before it that the planes show. */
static W7_ALWAYS_INLINE void w7_slot_prefetch_plies(const w7_slots *slots, uint8_t *slot)
{
    const w7_slot_view view = w7_slot_view_of(slots, slot);
    const int32_t count = view.slot->move_count;
    W7_PREFETCH(view.plies + (count < 4 ? 0 : count - 4));
    W7_PREFETCH(view.plies + (count < 7 ? 0 : count - 7));
}

/* The same of the chains adjacent to the move, or of the one that it begins. */
static W7_ALWAYS_INLINE void w7_slot_prefetch_chains(const w7_slots *slots, uint8_t *slot, int32_t action)
{
    const w7_slot_view view = w7_slot_view_of(slots, slot);
    if (action >= 0 && action < slots->points) {
        const uint32_t stride = (uint32_t)slots->width + 1, place = slots->place_of[action];
        const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
        uint32_t begun = w7_slot_next_chain(view.slot);
        for (int side = 0; side < 4; side++) {
            const uint32_t chain = w7_slot_chain(&view, sides[side]);
            begun &= 0 - (uint32_t)(w7_slot_color(&view, sides[side]) != view.slot->color);
            W7_PREFETCH(view.chains + chain);
        }
        W7_PREFETCH(view.chains + begun);
    }
}

/* Where the planes of a board go. */
static W7_ALWAYS_INLINE uint8_t *w7_slots_planes_at(const w7_slots *slots, const w7_step_columns *columns,
                                                    int64_t index)
{
    return columns->planes + index * W7_HISTORY_PLANES * slots->points;
}

/* Writes where a move is legal and the planes of a board, where they are asked for. */
static W7_ALWAYS_INLINE void w7_slot_write(int isa, const w7_slots *slots, const w7_slot_view *view, int64_t index,
                                           const w7_step_columns *columns, w7_plane_stream *stream)
{
    if (columns->legal != NULL)
        w7_slot_write_legal(isa, slots, view, columns->legal + index * ((int64_t)slots->points + 1));
    if (columns->planes != NULL)
        w7_plane_stream_write(isa, stream, slots, view, w7_slots_planes_at(slots, columns, index));
}

static inline void w7_slots_write(int isa, const w7_slots *slots, uint8_t *boards, int64_t begin, int64_t end,
                                  const w7_step_columns *columns)
{
    w7_plane_stream stream = w7_plane_stream_of(columns->count, slots->points);
    for (int64_t i = begin; i < end; i++) {
        const w7_slot_view view = w7_slot_view_of(slots, w7_slots_at(slots, boards, i));
        w7_slot_write(isa, slots, &view, i, columns, &stream);
    }
    if (columns->planes != NULL)
        w7_plane_stream_end(&stream, w7_slots_planes_at(slots, columns, end));
}

static inline void w7_slots_step(int isa, const w7_slots *slots, uint8_t *boards, const int32_t *actions, int64_t begin,
                                 int64_t end, int resets, const w7_step_columns *columns)
{
    w7_plane_stream stream = w7_plane_stream_of(columns->count, slots->points);
    for (int64_t i = begin; i < end; i++) {
        const int64_t next = i + W7_SLOTS_AHEAD, second = next + W7_SLOTS_AHEAD, third = second + W7_SLOTS_AHEAD;
        w7_slot_view view = w7_slot_view_of(slots, w7_slots_at(slots, boards, i));
        int verdict;
        /* A few at a time, between other work: a processor drops those that are more than it has room for. */
        if (third < end)
            w7_slot_prefetch(slots, w7_slots_at(slots, boards, third));
        verdict = w7_slot_step(slots, &view, actions[i]);
        if (second < end)
            w7_slot_prefetch_move(slots, w7_slots_at(slots, boards, second), actions[second]);
        if (second < end && columns->planes != NULL)
            w7_slot_prefetch_plies(slots, w7_slots_at(slots, boards, second));
        columns->errors[i] = (uint8_t)verdict;
        columns->done[i] = view.slot->is_done;
        columns->rewards[i] = 0;
        columns->margins[i] = 0;
        columns->lengths[i] = 0;
        if (verdict == W7_LEGAL && !view.slot->is_done) {
            w7_slot_find_legal(slots, &view);
        } else if (verdict == W7_LEGAL) {
            w7_slot_count count;
            w7_slot_count_points(slots, view.black, view.white, &count);
            columns->margins[i] = w7_slot_margin(slots, &count, view.slot->captured, slots->is_territory);
            columns->rewards[i] = w7_slot_reward(slots, columns->margins[i]);
            columns->lengths[i] = view.slot->move_count;
            if (resets)
                w7_slot_clear(slots, &view);
            else
                memset(view.legal, 0, (size_t)slots->words * sizeof *view.legal);
        }
        if (next < end)
            w7_slot_prefetch_chains(slots, w7_slots_at(slots, boards, next), actions[next]);
        if (next < end && columns->legal != NULL)
            w7_slot_prefetch_lines(columns->legal + next * ((int64_t)slots->points + 1), slots->points + 1);
        w7_slot_write(isa, slots, &view, i, columns, &stream);
    }
    if (columns->planes != NULL)
        w7_plane_stream_end(&stream, w7_slots_planes_at(slots, columns, end));
}

/* Takes the last move of each chosen board back; `undone` says where there was one. */
static inline void w7_slots_undo(const w7_slots *slots, uint8_t *boards, const uint8_t *chosen, int64_t begin,
                                 int64_t end, uint8_t *undone)
{
    for (int64_t i = begin; i < end; i++) {
        w7_slot_view view = w7_slot_view_of(slots, w7_slots_at(slots, boards, i));
        undone[i] = chosen[i] && w7_slot_undo(slots, &view);
        if (undone[i])
            w7_slot_find_legal(slots, &view);
    }
}

/* By how many points Black of each board is ahead; `owners`, unless it is NULL, a byte a point: its colour or 0. */
static inline void w7_slots_count(const w7_slots *slots, uint8_t *boards, int64_t begin, int64_t end, int is_territory,
                                  double *margins, uint8_t *owners)
{
    for (int64_t i = begin; i < end; i++) {
        const w7_slot_view view = w7_slot_view_of(slots, w7_slots_at(slots, boards, i));
        w7_slot_count count;
        w7_slot_count_points(slots, view.black, view.white, &count);
        margins[i] = w7_slot_margin(slots, &count, view.slot->captured, is_territory);
        if (owners != NULL)
            for (int32_t point = 0; point < slots->points; point++)
                owners[i * slots->points + point] = (uint8_t)((count.owned[0][point >> 6] >> (point & 63) & 1) |
                                                              (count.owned[1][point >> 6] >> (point & 63) & 1) << 1);
    }
}

#endif
