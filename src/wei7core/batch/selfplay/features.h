/* The inputs of networks (batch/inputs/inputs.h) of the boards of a batch. */
#ifndef W7_BATCH_SELFPLAY_FEATURES_H
#define W7_BATCH_SELFPLAY_FEATURES_H

#include "batch/inputs/inputs.h"
#include "batch/selfplay/steps.h"

/* What is written of each board, and where to: `count` planes by their numbers, and the globals of KataGo unless that is
 * NULL. `analyses` has room for one each board, kept between calls; NULL where the planes need none. `statuses`, a byte a
 * board, is 0 but where memory was short. */
typedef struct {
    const uint8_t *planes;
    int32_t count;
    w7_input_type type;
    uint8_t taxes_seki;
    uint8_t *analyses;
    uint8_t *out;
    float *globals;
    int8_t *statuses;
} w7_feature_columns;

/* The only stone that a move took may not be taken back at once where its own stone is alone with that one liberty: the
 * point of it, or -1. `before` and `now` are the positions before and after the move. */
static inline int32_t w7_input_ko(const w7_slots *slots, const w7_history_stones *before, const w7_history_stones *now,
                                  int32_t move)
{
    const uint64_t *own = now->white, *other = now->black, *was = before->black;
    int32_t taken = -1;
    const uint16_t *sides;
    int count = 0;
    if (move >= slots->points)
        return -1;
    if (w7_input_has(now->black, move)) {
        own = now->black;
        other = now->white;
        was = before->white;
    }
    for (int word = 0; word < slots->words; word++) {
        const uint64_t gone = was[word] & ~other[word];
        count += w7_bit_count(gone);
        if (gone != 0)
            taken = 64 * word + w7_lowest_bit(gone);
    }
    if (count != 1 || !w7_input_has(own, move))
        return -1;
    sides = w7_input_sides(slots, move);
    W7_FOR_SIDES(side, sides)
    if (sides[side] != taken && !w7_input_has(other, sides[side]))
        return -1;
    return taken;
}

/* `room`: for earlier positions, of which there are `positions` with the present one. */
static inline void w7_slot_input(const w7_slots *slots, const w7_slot_view *view, int positions,
                                 uint64_t room[W7_HISTORY_POSITIONS - 1][2 * W7_SLOT_WORDS], w7_input *input)
{
    const int32_t now = view->slot->move_count;
    memset(input, 0, sizeof *input);
    w7_slot_find_history(slots, view, positions, room, input->positions);
    for (int k = 0; k < W7_INPUT_MOVES; k++)
        input->moves[k] = k < now ? view->plies[now - 1 - k].move : -1;
    input->legal = view->legal;
    input->ko = now == 0 ? -1 : w7_input_ko(slots, &input->positions[1], &input->positions[0], input->moves[0]);
    input->color = view->slot->color;
    input->suicide = slots->rules.suicide;
    input->has_area = !slots->is_territory;
}

/* Analyses the position of a board. Before its first position the board was as it was then. */
static inline void w7_slot_analyse(const w7_slots *slots, w7_input *input, int needs, w7_input_ladders *room,
                                   w7_analysis *analysis)
{
    w7_analysis_position positions[W7_ANALYSIS_POSITIONS];
    for (int k = 0; k < W7_ANALYSIS_POSITIONS; k++) {
        const w7_history_stones *stones = &input->positions[k];
        positions[k].black = stones->black == NULL ? positions[k - 1].black : stones->black;
        positions[k].white = stones->black == NULL ? positions[k - 1].white : stones->white;
        positions[k].ko = k == 0                    ? input->ko
                          : stones[0].black == NULL ? positions[k - 1].ko
                          : stones[1].black == NULL ? -1
                                                    : w7_input_ko(slots, stones + 1, stones, input->moves[k]);
    }
    w7_analyse(room, analysis, positions, w7_analysis_distance(slots, analysis, positions, needs), needs,
               input->suicide);
    w7_input_take(slots, analysis, input->color, input->found);
}

static inline void w7_slot_features(int isa, const w7_slots *slots, const w7_slot_view *view, int64_t index,
                                    uint64_t wanted, const w7_feature_columns *columns, w7_input_ladders *room)
{
    const int64_t size = w7_input_plane_size(slots->points, columns->type);
    /* Those before ladders and their kos, or before a ko. */
    const int positions = w7_input_positions(wanted), least = columns->analyses == NULL ? 2 : W7_ANALYSIS_POSITIONS + 1;
    uint64_t earlier[W7_HISTORY_POSITIONS - 1][2 * W7_SLOT_WORDS];
    w7_input_sets sets;
    w7_input input;
    w7_slot_input(slots, view, positions > least ? positions : least, earlier, &input);
    if (columns->analyses != NULL)
        w7_slot_analyse(slots, &input, w7_input_needs(wanted), room,
                        (w7_analysis *)(void *)(columns->analyses + (size_t)index * w7_analysis_size(slots)));
    w7_input_find(slots, &input, wanted, &sets);
    for (int32_t k = 0; k < columns->count; k++)
        w7_input_write(isa, slots, sets.planes[columns->planes[k]], NULL, columns->type,
                       columns->out + (index * columns->count + k) * size);
    if (columns->globals != NULL) {
        const w7_slot *slot = view->slot;
        w7_input_rules rules = {slots->komi, {0, 0, 0}, slots->rules.ko, slots->is_territory, columns->taxes_seki, 0};
        for (int color = W7_BLACK; color <= W7_WHITE; color++)
            rules.played[color] = slot->stones[color] + slot->captured[color];
        rules.pass_ends = slots->passes > 0 && slot->passes + 1 >= slots->passes;
        w7_input_globals(slots, &input, &rules, columns->globals + index * W7_INPUT_GLOBALS);
    }
}

static inline void w7_slots_features(int isa, const w7_slots *slots, uint8_t *boards, int64_t begin, int64_t end,
                                     const w7_feature_columns *columns)
{
    w7_input_ladders room;
    uint64_t wanted = 0;
    if (!w7_input_ladders_make(&room, slots)) {
        columns->statuses[begin] = 1;
        return;
    }
    for (int32_t k = 0; k < columns->count; k++)
        wanted |= (uint64_t)1 << columns->planes[k];
    for (int64_t i = begin; i < end; i++) {
        const w7_slot_view view = w7_slot_view_of(slots, w7_slots_at(slots, boards, i));
        w7_slot_features(isa, slots, &view, i, wanted, columns, &room);
    }
    free(room.frames);
}

#endif
