/* The inputs of networks (batch/inputs/inputs.h) of the boards of a batch. */
#ifndef W7_SELFPLAY_FEATURES_H
#define W7_SELFPLAY_FEATURES_H

#include "batch/inputs/inputs.h"
#include "batch/selfplay/steps.h"

/* What is written of each board, and where to: `count` planes by their numbers, and the globals of KataGo unless that is
 * NULL. `statuses`, a byte a board, is 0 but where memory was short. */
typedef struct {
    const uint8_t *planes;
    int32_t count;
    w7_input_type type;
    uint8_t taxes_seki;
    uint8_t *out;
    float *globals;
    int8_t *statuses;
} w7_feature_columns;

/* The point where the last move may not be taken back at once, whatever the rules; -1: there is none. */
static inline int32_t w7_slot_ko_point(const w7_slots *slots, const w7_slot_view *view)
{
    const int32_t last = view->slot->move_count - 1;
    const uint16_t *removed;
    const w7_chain *chain;
    if (last < 0 || view->moments[last].move >= slots->points || w7_slot_removed_by(view, last, &removed) != 1 ||
        removed[0] == view->moments[last].move)
        return -1;
    chain = &view->chains[w7_slot_head(view, slots->place_of[view->moments[last].move])];
    return chain->stones == 1 && w7_chain_has_one_liberty(chain) ? removed[0] : -1;
}

/* The ladders of a moment: its number + 1, where they are known, the stones that are taken, and the moves that work. */
static W7_ALWAYS_INLINE uint64_t *w7_slot_ladders(const w7_slots *slots, const w7_slot_view *view, int32_t moment)
{
    return view->ladders + (size_t)(moment % W7_SLOT_LADDERS) * (1 + 2 * (size_t)slots->words);
}

static inline void w7_slot_input(const w7_slots *slots, const w7_slot_view *view, w7_input *input)
{
    const int32_t now = view->slot->move_count;
    for (int k = 0; k < W7_HISTORY_POSITIONS; k++) {
        const int row = (view->slot->present + W7_HISTORY_POSITIONS - k) % W7_HISTORY_POSITIONS;
        input->positions[k].black = k > now ? NULL : view->history + (size_t)row * 2 * (size_t)slots->words;
        input->positions[k].white = k > now ? NULL : input->positions[k].black + slots->words;
    }
    for (int k = 0; k < W7_INPUT_MOVES; k++)
        input->moves[k] = k < now ? view->moments[now - 1 - k].move : -1;
    for (int k = 0; k < W7_INPUT_LADDERS_KEPT; k++) {
        const uint64_t *kept = k > now ? NULL : w7_slot_ladders(slots, view, now - k);
        input->ladders[k] = kept != NULL && kept[0] == (uint64_t)(now - k) + 1 ? kept + 1 : NULL;
    }
    input->working = input->ladders[0] == NULL ? NULL : input->ladders[0] + slots->words;
    input->legal = view->legal;
    input->ko = w7_slot_ko_point(slots, view);
    input->color = view->slot->color;
    input->suicide = slots->rules.suicide;
    input->has_area = !slots->is_territory;
}

static inline void w7_slot_features(int isa, const w7_slots *slots, const w7_slot_view *view, int64_t index,
                                    uint64_t wanted, const w7_feature_columns *columns, w7_input_room *room)
{
    const int64_t size = w7_input_plane_size(slots, columns->type);
    const int32_t now = view->slot->move_count;
    w7_input input;
    w7_slot_input(slots, view, &input);
    w7_input_find(slots, &input, wanted, room);
    if (w7_input_wants(wanted, W7_INPUT_LADDER, 1) && input.working == NULL) {
        uint64_t *kept = w7_slot_ladders(slots, view, now);
        const size_t bytes = (size_t)slots->words * sizeof *kept;
        kept[0] = (uint64_t)now + 1;
        memcpy(kept + 1, room->sets[W7_INPUT_LADDER], bytes);
        memcpy(kept + 1 + slots->words, room->sets[W7_INPUT_LADDER_MOVES_WORK], bytes);
    }
    for (int32_t k = 0; k < columns->count; k++)
        w7_input_write(isa, slots, room->sets[columns->planes[k]], NULL, columns->type,
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
    w7_input_room *room = (w7_input_room *)malloc(sizeof *room);
    uint64_t wanted = 0;
    if (room == NULL || !w7_input_room_make(room, slots)) {
        free(room);
        columns->statuses[begin] = 1;
        return;
    }
    for (int32_t k = 0; k < columns->count; k++)
        wanted |= (uint64_t)1 << columns->planes[k];
    for (int64_t i = begin; i < end; i++) {
        const w7_slot_view view = w7_slot_view_of(slots, w7_slots_at(slots, boards, i));
        w7_slot_features(isa, slots, &view, i, wanted, columns, room);
    }
    w7_input_room_free(room);
    free(room);
}

#endif
