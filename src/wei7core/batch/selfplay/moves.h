/* One board of a batch: a move that is legal played and taken back. */
#ifndef W7_BATCH_SELFPLAY_MOVES_H
#define W7_BATCH_SELFPLAY_MOVES_H

#include "batch/selfplay/layout.h"

/* --- chains -------------------------------------------------------------------------------------- */

static W7_ALWAYS_INLINE uint64_t w7_chain_sum(const w7_chain *chain)
{
    return (chain->liberties & W7_LIBERTY_PARTS) >> W7_LIBERTY_SUM;
}

static W7_ALWAYS_INLINE int w7_chain_has_one_liberty(const w7_chain *chain)
{
    const uint64_t sum = w7_chain_sum(chain), squares = chain->liberties & (((uint64_t)1 << W7_LIBERTY_SUM) - 1);
    return (chain->liberties >> W7_LIBERTY_COUNT) * squares == sum * sum;
}

static W7_ALWAYS_INLINE int w7_slot_is_in_atari(const w7_slot_view *view, uint32_t chain)
{
    return view->chains[chain].atari != 0;
}

/* The place of the liberty of a chain in atari: at most four stones are adjacent to it. */
static W7_ALWAYS_INLINE uint32_t w7_chain_liberty(const w7_chain *chain)
{
    static const uint32_t parts[5] = {0, 65536, 32768, 21846, 16384}; /* of 65536, rounded up */
    return (uint32_t)w7_chain_sum(chain) * parts[chain->liberties >> W7_LIBERTY_COUNT] >> 16;
}

/* Notes an empty place as the only liberty of a chain of the colour. */
static inline void w7_slot_note_liberty(const w7_slots *slots, const w7_slot_view *view, int color, uint32_t place)
{
    const uint32_t point = slots->point_of[place], bit = point & 63;
    view->liberties[color][point >> 6] |= (uint64_t)1 << bit;
    view->refills[point >> 6] |= (uint64_t)w7_slot_refills(view, W7_BLACK + W7_WHITE - color, place) << bit;
}

/* Notes that a chain of the colour, no longer in atari, has other liberties than this one; another may have not. */
static inline void w7_slot_forget_liberty(const w7_slots *slots, const w7_slot_view *view, int color, uint32_t place)
{
    const uint32_t stride = (uint32_t)slots->width + 1, point = slots->point_of[place];
    const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
    view->liberties[color][point >> 6] &= ~((uint64_t)1 << (point & 63));
    for (int side = 0; side < 4; side++)
        if (w7_slot_color(view, sides[side]) == color && w7_slot_is_in_atari(view, w7_slot_chain(view, sides[side])))
            w7_slot_note_liberty(slots, view, color, place);
}

/* Turns whether the chain is in atari, and its stones weak, into the contrary. */
static inline void w7_slot_turn_atari(const w7_slots *slots, const w7_slot_view *view, int color, uint32_t number)
{
    w7_chain *chain = &view->chains[number];
    uint32_t stone = chain->first;
    chain->atari ^= 1;
    /* One that is about to take stones, or to be removed, has none. */
    if (chain->atari && chain->liberties != 0)
        w7_slot_note_liberty(slots, view, color, w7_chain_liberty(chain));
    do {
        const uint16_t point = slots->point_of[stone];
        view->weak[point >> 6] ^= (uint64_t)1 << (point & 63);
        stone = w7_slot_next(view, stone);
    } while (stone != chain->first);
}

/* Notes whether the chain is in atari. */
static W7_ALWAYS_INLINE void w7_slot_note_atari(const w7_slots *slots, const w7_slot_view *view, int color,
                                                uint32_t chain)
{
    if (w7_slot_is_in_atari(view, chain) != w7_chain_has_one_liberty(&view->chains[chain]))
        w7_slot_turn_atari(slots, view, color, chain);
}

/* The number that the next chain gets. */
static W7_ALWAYS_INLINE uint32_t w7_slot_next_chain(const w7_slot *slot)
{
    return slot->free_chain != W7_SLOT_NONE ? slot->free_chain : slot->new_chain;
}

static W7_ALWAYS_INLINE void w7_slot_free_chain(const w7_slot_view *view, uint32_t chain)
{
    view->chains[chain].first = view->slot->free_chain;
    view->slot->free_chain = (uint16_t)chain;
}

/* Makes the chains of two stones of a colour, not noted as in atari, one; returns its number. */
static inline uint32_t w7_slot_join(const w7_slot_view *view, uint32_t stone, uint32_t side)
{
    uint32_t one = w7_slot_chain(view, stone), other = w7_slot_chain(view, side), next;
    uint16_t chain = view->cells[stone].chain;
    w7_chain *to, *from;
    if (view->chains[one].stones < view->chains[other].stones) {
        other = one;
        one = w7_slot_chain(view, side);
        chain = view->cells[side].chain;
    }
    to = &view->chains[one];
    from = &view->chains[other];
    next = from->first;
    do {
        view->cells[next].chain = chain;
        next = w7_slot_next(view, next);
    } while (next != from->first);
    w7_slot_swap_next(view, stone, side);
    to->tag ^= from->tag;
    to->liberties += from->liberties;
    to->stones = (uint16_t)(to->stones + from->stones);
    w7_slot_free_chain(view, other);
    return one;
}

/* Notes which of the chains around a stone just placed are in atari: none of its own colour, for its chain is not yet
 * complete. */
static W7_NOINLINE void w7_slot_note_sides(const w7_slots *slots, const w7_slot_view *view, int color,
                                           const uint32_t sides[4])
{
    for (int side = 0; side < 4; side++) {
        const int stone = w7_slot_color(view, sides[side]);
        const uint32_t chain = w7_slot_chain(view, sides[side]);
        if (stone == color && w7_slot_is_in_atari(view, chain))
            w7_slot_turn_atari(slots, view, color, chain);
        else if (stone == W7_BLACK + W7_WHITE - color)
            w7_slot_note_atari(slots, view, stone, chain);
    }
}

/* Puts a stone on an empty point, with the chains adjacent to it; nothing is removed. Stones and hash stay. Which colours
 * are around a random move cannot be predicted, so that arithmetic replaces branches where it can. */
static W7_NOINLINE void w7_slot_place(const w7_slots *slots, const w7_slot_view *view, int color, int32_t point)
{
    const uint32_t stride = (uint32_t)slots->width + 1, place = slots->place_of[point];
    const uint64_t others = ~((uint64_t)1 << (point & 63));
    const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
    const uint64_t liberty = (uint64_t)w7_liberty(place);
    uint64_t free = 0;
    uint32_t chain, neighbour = 0; /* the last adjacent stone of the colour */
    w7_chain *own;
    int any_turns = 0, is_joining = 0;
    view->liberties[W7_BLACK][point >> 6] &= others;
    view->liberties[W7_WHITE][point >> 6] &= others;
    view->refills[point >> 6] &= others;
    for (int side = 0; side < 4; side++)
        view->chains[w7_slot_chain(view, sides[side])].liberties -= liberty;
    for (int side = 0; side < 4; side++) {
        const int stone = w7_slot_color(view, sides[side]);
        const uint32_t next = w7_slot_chain(view, sides[side]), is_own = 0 - (uint32_t)(stone == color);
        const int is_atari = w7_slot_is_in_atari(view, next), is_one = w7_chain_has_one_liberty(&view->chains[next]);
        free += (uint64_t)w7_liberty(sides[side]) & (0 - (uint64_t)(stone == W7_EMPTY));
        any_turns |= (is_atari ^ (is_one & (stone != color))) & (next != 0);
        neighbour ^= (sides[side] ^ neighbour) & is_own;
    }
    if (any_turns)
        w7_slot_note_sides(slots, view, color, sides);
    if (neighbour > 0) {
        chain = w7_slot_chain(view, neighbour);
    } else {
        neighbour = place;
        chain = w7_slot_next_chain(view->slot);
        own = &view->chains[chain];
        if (view->slot->free_chain == W7_SLOT_NONE)
            view->slot->new_chain++;
        else
            view->slot->free_chain = own->first;
        own->liberties = 0;
        own->tag = own->stones = own->atari = 0;
        own->first = (uint16_t)place;
    }
    own = &view->chains[chain];
    own->liberties += free;
    own->tag ^= (uint16_t)w7_slot_tag(slots->keys[color][place]);
    own->stones++;
    view->cells[place].chain = (uint16_t)((uint32_t)color << W7_SLOT_CHAIN_BITS | chain);
    view->cells[place].next = (uint16_t)((view->cells[place].next & ~(W7_SLOT_PLACES - 1)) | place);
    w7_slot_swap_next(view, place, neighbour); /* not the first stone, whose line of the cache may be another one */
    for (int side = 0; side < 4; side++)
        is_joining |= (w7_slot_color(view, sides[side]) == color) & (w7_slot_chain(view, sides[side]) != chain);
    if (is_joining)
        for (int side = 0; side < 4; side++)
            if (w7_slot_color(view, sides[side]) == color && w7_slot_chain(view, sides[side]) != chain)
                chain = w7_slot_join(view, place, sides[side]);
    w7_slot_note_atari(slots, view, color, chain);
}

/* Removes the chain of a stone; its points go to `removed`, the stone's own first. Returns how many they are. */
static inline int32_t w7_slot_remove(const w7_slots *slots, const w7_slot_view *view, int color, uint32_t first,
                                     uint16_t *removed)
{
    const uint32_t stride = (uint32_t)slots->width + 1, chain = w7_slot_chain(view, first);
    uint64_t *set = color == W7_BLACK ? view->black : view->white;
    const int other = W7_BLACK + W7_WHITE - color;
    uint32_t stone = first;
    int32_t count = 0;
    w7_slot_turn_atari(slots, view, color, chain); /* the sums of no liberties are those of one */
    do {
        const uint32_t sides[4] = {stone - 1, stone + 1, stone - stride, stone + stride};
        const uint16_t point = slots->point_of[stone];
        view->slot->hash ^= slots->keys[color][stone];
        view->cells[stone].chain = W7_EMPTY;
        view->cells[stone].next = (uint16_t)(view->cells[stone].next | 1 << (W7_SLOT_CHAIN_BITS + color));
        removed[count++] = point;
        set[point >> 6] ^= (uint64_t)1 << (point & 63);
        for (int side = 0; side < 4; side++) {
            const uint32_t is_other = 0 - (uint32_t)(w7_slot_color(view, sides[side]) == other);
            const uint32_t next = w7_slot_chain(view, sides[side]) & is_other;
            w7_chain *gains = &view->chains[next];
            const w7_chain before = *gains;
            gains->liberties += (uint64_t)w7_liberty(stone);
            if (!gains->atari)
                continue;
            if (w7_chain_has_one_liberty(gains)) { /* it had none, or this one */
                w7_slot_note_liberty(slots, view, other, stone);
            } else {
                w7_slot_turn_atari(slots, view, other, next);
                w7_slot_forget_liberty(slots, view, other, w7_chain_liberty(&before));
            }
        }
        stone = w7_slot_next(view, stone);
    } while (stone != first);
    w7_slot_free_chain(view, chain);
    view->slot->stones[color] = (uint16_t)(view->slot->stones[color] - count);
    view->slot->captured[color] = (uint16_t)(view->slot->captured[color] + count);
    return count;
}

/* --- moves ---------------------------------------------------------------------------------------- */

/* Adds the position to the plies. */
static W7_ALWAYS_INLINE void w7_slot_add_ply(const w7_slot_view *view)
{
    const w7_slot *slot = view->slot;
    w7_latest *latest = &view->latest[w7_slot_counts(slot->stones[W7_BLACK], slot->stones[W7_WHITE])];
    view->plies[slot->move_count].hash = slot->hash;
    view->plies[slot->move_count].earlier = latest->ply;
    latest->ply = (uint16_t)slot->move_count;
    w7_latest_add(latest, w7_slot_tag(slot->hash));
}

/* Plays a move that is legal: a point, or `points` for a pass. The game has room for it. */
static inline void w7_slot_play(const w7_slots *slots, const w7_slot_view *view, int32_t point)
{
    w7_slot *slot = view->slot;
    const int color = slot->color, other = W7_BLACK + W7_WHITE - color;
    view->plies[slot->move_count].move = (uint16_t)point;
    view->plies[slot->move_count].begin = slot->removed_count;
    view->plies[slot->move_count].refills =
        (uint16_t)(point == slots->points || w7_slot_refills(view, color, slots->place_of[point]));
    slot->move_count++;
    slot->color = (uint8_t)other;
    slot->passes++;
    if (point < slots->points) {
        const uint32_t stride = (uint32_t)slots->width + 1, place = slots->place_of[point];
        const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
        uint64_t *set = color == W7_BLACK ? view->black : view->white;
        int is_taking = 0;
        slot->passes = 0;
        set[point >> 6] ^= (uint64_t)1 << (point & 63);
        slot->hash ^= slots->keys[color][place];
        slot->stones[color]++;
        w7_slot_place(slots, view, color, point);
        for (int side = 0; side < 4; side++)
            is_taking |= (w7_slot_color(view, sides[side]) == other) &
                         (view->chains[w7_slot_chain(view, sides[side])].liberties == 0);
        for (int side = 0; is_taking && side < 4; side++)
            if (w7_slot_color(view, sides[side]) == other &&
                view->chains[w7_slot_chain(view, sides[side])].liberties == 0)
                slot->removed_count =
                    (uint16_t)(slot->removed_count +
                               w7_slot_remove(slots, view, other, sides[side], view->removed + slot->removed_count));
        if (view->chains[w7_slot_chain(view, place)].liberties == 0)
            slot->removed_count = (uint16_t)(slot->removed_count + w7_slot_remove(slots, view, color, place,
                                                                                  view->removed + slot->removed_count));
    }
    w7_slot_add_ply(view);
}

/* The stones that a move in force removed. */
static inline int32_t w7_slot_removed_by(const w7_slot_view *view, int32_t move, const uint16_t **removed)
{
    const int32_t end = move + 1 < view->slot->move_count ? view->plies[move + 1].begin : view->slot->removed_count;
    *removed = view->removed + view->plies[move].begin;
    return end - view->plies[move].begin;
}

/* The colour of a move. */
static inline int w7_slot_mover(int32_t move)
{
    return move & 1 ? W7_WHITE : W7_BLACK;
}

/* The colour of the stones that a move removed. */
static inline int w7_slot_taken(const w7_slot_view *view, int32_t move, const uint16_t *removed, int32_t count)
{
    const int color = w7_slot_mover(move);
    return count > 0 && removed[0] == view->plies[move].move ? color : W7_BLACK + W7_WHITE - color;
}

/* Turns the sets of a position after a move into those before it. Returns the colour whose stones it put back. */
static inline int w7_slot_step_back(const w7_slots *slots, const w7_slot_view *view, int32_t move, uint64_t *black,
                                    uint64_t *white)
{
    const int point = view->plies[move].move, color = w7_slot_mover(move);
    const uint16_t *removed;
    const int32_t count = w7_slot_removed_by(view, move, &removed);
    const int taken = w7_slot_taken(view, move, removed, count);
    uint64_t *sets[3] = {NULL, black, white};
    if (point == slots->points)
        return taken;
    sets[color][point >> 6] ^= (uint64_t)1 << (point & 63);
    for (int32_t i = 0; i < count; i++)
        sets[taken][removed[i] >> 6] ^= (uint64_t)1 << (removed[i] & 63);
    return taken;
}

/* The present position and those before the last moves: `positions`, of which `room` has all but the present one. */
static inline void w7_slot_find_history(const w7_slots *slots, const w7_slot_view *view, int count,
                                        uint64_t room[W7_HISTORY_POSITIONS - 1][2 * W7_SLOT_WORDS],
                                        w7_history_stones positions[W7_HISTORY_POSITIONS])
{
    const size_t bytes = 2 * (size_t)slots->words * sizeof *view->black;
    positions[0].black = view->black;
    positions[0].white = view->white;
    for (int k = 1; k < W7_HISTORY_POSITIONS; k++) {
        positions[k].black = positions[k].white = NULL;
        if (k >= count || k > view->slot->move_count)
            continue;
        memcpy(room[k - 1], positions[k - 1].black, bytes);
        positions[k].black = room[k - 1];
        positions[k].white = room[k - 1] + slots->words;
        w7_slot_step_back(slots, view, view->slot->move_count - k, room[k - 1], room[k - 1] + slots->words);
    }
}

/* Makes `latest` that of no ply. */
static inline void w7_slot_clear_latest(const w7_slot_view *view)
{
    for (int k = 0; k < W7_SLOT_COUNTS; k++) {
        view->latest[k].ply = W7_SLOT_NONE;
        view->latest[k].tags = W7_SLOT_SEVERAL;
    }
}

/* Makes `latest` anew from the plies. */
static inline void w7_slot_rebuild_latest(const w7_slots *slots, const w7_slot_view *view)
{
    int32_t stones[3] = {0, view->slot->stones[W7_BLACK], view->slot->stones[W7_WHITE]};
    w7_slot_clear_latest(view);
    for (int32_t ply = view->slot->move_count;; ply--) {
        w7_latest *latest = &view->latest[w7_slot_counts(stones[W7_BLACK], stones[W7_WHITE])];
        const uint16_t *removed;
        int32_t count;
        if (latest->ply == W7_SLOT_NONE)
            latest->ply = (uint16_t)ply;
        w7_latest_add(latest, w7_slot_tag(view->plies[ply].hash));
        if (ply == 0)
            return;
        count = w7_slot_removed_by(view, ply - 1, &removed);
        stones[w7_slot_taken(view, ply - 1, removed, count)] += count;
        stones[w7_slot_mover(ply - 1)] -= view->plies[ply - 1].move < slots->points;
    }
}

/* Makes the places and chains anew from the sets. */
static inline void w7_slot_rebuild(const w7_slots *slots, const w7_slot_view *view)
{
    for (int32_t point = 0; point < slots->points; point++)
        view->cells[slots->place_of[point]].chain = W7_EMPTY;
    view->slot->new_chain = 1;
    view->slot->free_chain = W7_SLOT_NONE;
    memset(view->weak, 0, (size_t)slots->words * sizeof *view->weak);
    memset(view->liberties[W7_BLACK], 0, 2 * (size_t)slots->words * sizeof *view->weak);
    memset(view->refills, 0, (size_t)slots->words * sizeof *view->refills);
    for (int word = 0; word < slots->words; word++)
        for (uint64_t bits = view->black[word] | view->white[word]; bits != 0; bits &= bits - 1) {
            const int bit = w7_lowest_bit(bits);
            const int color = view->black[word] >> bit & 1 ? W7_BLACK : W7_WHITE;
            w7_slot_place(slots, view, color, 64 * word + bit);
        }
}

/* Takes the last move back; returns whether there was one. What is legal is still to be found. */
static inline int w7_slot_undo(const w7_slots *slots, const w7_slot_view *view)
{
    w7_slot *slot = view->slot;
    const uint16_t *removed;
    int32_t move, count;
    int taken;
    if (slot->move_count == 0)
        return 0;
    move = slot->move_count - 1;
    count = w7_slot_removed_by(view, move, &removed);
    taken = w7_slot_step_back(slots, view, move, view->black, view->white);
    slot->captured[taken] = (uint16_t)(slot->captured[taken] - count);
    slot->stones[taken] = (uint16_t)(slot->stones[taken] + count);
    slot->stones[w7_slot_mover(move)] =
        (uint16_t)(slot->stones[w7_slot_mover(move)] - (view->plies[move].move < slots->points));
    slot->removed_count = view->plies[move].begin;
    slot->hash = view->plies[move].hash;
    slot->move_count = (uint16_t)move;
    slot->color = (uint8_t)w7_slot_mover(move);
    slot->is_done = 0;
    slot->passes = 0;
    while (move > 0 && view->plies[move - 1].move == slots->points && slot->passes < UINT8_MAX) {
        slot->passes++;
        move--;
    }
    w7_slot_rebuild_latest(slots, view);
    w7_slot_rebuild(slots, view);
    return 1;
}

#endif
