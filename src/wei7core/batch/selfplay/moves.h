/* One board of a batch: a move that is legal played and taken back. */
#ifndef W7_BATCH_SELFPLAY_MOVES_H
#define W7_BATCH_SELFPLAY_MOVES_H

#include "batch/selfplay/layout.h"

/* --- chains -------------------------------------------------------------------------------------- */

static W7_ALWAYS_INLINE void w7_chain_add_liberty(w7_chain *chain, uint32_t place)
{
    chain->liberties++;
    chain->sum += place;
    chain->squares += place * place;
}

static W7_ALWAYS_INLINE void w7_chain_drop_liberty(w7_chain *chain, uint32_t place)
{
    chain->liberties--;
    chain->sum -= place;
    chain->squares -= place * place;
}

static W7_ALWAYS_INLINE int w7_chain_has_one_liberty(const w7_chain *chain)
{
    return (uint64_t)chain->liberties * chain->squares == (uint64_t)chain->sum * chain->sum;
}

static W7_ALWAYS_INLINE int w7_slot_is_in_atari(const w7_slot_view *view, uint32_t chain)
{
    return view->chains[chain].atari != 0;
}

/* The place of the liberty of a chain in atari: at most four stones are adjacent to it. */
static W7_ALWAYS_INLINE uint32_t w7_chain_liberty(const w7_chain *chain)
{
    static const uint32_t parts[5] = {0, 65536, 32768, 21846, 16384}; /* of 65536, rounded up */
    return chain->sum * parts[chain->liberties] >> 16;
}

/* One of a colour's chains in atari, by number. */
static W7_ALWAYS_INLINE w7_atari *w7_slot_atari(const w7_slots *slots, const w7_slot_view *view, int color,
                                                int32_t number)
{
    return view->atari + (color == W7_BLACK ? number : slots->points - 1 - number);
}

/* Turns whether the chain is in atari, and its stones weak, into the contrary. */
static inline void w7_slot_turn_atari(const w7_slots *slots, const w7_slot_view *view, int color, uint32_t number)
{
    uint64_t *weak = view->weak + (size_t)(color - W7_BLACK) * (size_t)slots->words;
    uint16_t *count = &view->slot->atari_count[color - W7_BLACK];
    w7_chain *chain = &view->chains[number];
    uint32_t stone = chain->first;
    if (chain->atari == 0) {
        w7_atari *atari = w7_slot_atari(slots, view, color, *count);
        atari->key = chain->key;
        atari->liberty = slots->point_of[w7_chain_liberty(chain)];
        atari->stones = chain->stones;
        atari->chain = (uint16_t)number;
        chain->atari = ++*count;
    } else {
        const w7_atari *last = w7_slot_atari(slots, view, color, --*count);
        *w7_slot_atari(slots, view, color, chain->atari - 1) = *last;
        view->chains[last->chain].atari = chain->atari;
        chain->atari = 0;
    }
    do {
        const uint16_t point = slots->point_of[stone];
        weak[point >> 6] ^= (uint64_t)1 << (point & 63);
        stone = view->cells[stone].next;
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

/* Makes two chains that are not noted as in atari one; returns its number. */
static inline uint32_t w7_slot_join(const w7_slot_view *view, uint32_t one, uint32_t other)
{
    w7_chain *to, *from;
    uint32_t stone;
    uint16_t next, chain;
    if (view->chains[one].stones < view->chains[other].stones) {
        stone = one;
        one = other;
        other = stone;
    }
    to = &view->chains[one];
    from = &view->chains[other];
    chain = view->cells[to->first].chain;
    stone = from->first;
    do {
        view->cells[stone].chain = chain;
        stone = view->cells[stone].next;
    } while (stone != from->first);
    next = view->cells[to->first].next;
    view->cells[to->first].next = view->cells[stone].next;
    view->cells[stone].next = next;
    to->key ^= from->key;
    to->sum += from->sum;
    to->squares += from->squares;
    to->liberties = (uint16_t)(to->liberties + from->liberties);
    to->stones = (uint16_t)(to->stones + from->stones);
    w7_slot_free_chain(view, other);
    return one;
}

/* Puts a stone on an empty place, with the chains adjacent to it; nothing is removed. Sets and hash stay. */
static W7_NOINLINE void w7_slot_place(const w7_slots *slots, const w7_slot_view *view, int color, uint32_t place)
{
    const uint32_t stride = (uint32_t)slots->width + 1;
    const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
    uint32_t chain = w7_slot_next_chain(view->slot);
    w7_chain *own = &view->chains[chain];
    if (view->slot->free_chain == W7_SLOT_NONE)
        view->slot->new_chain++;
    else
        view->slot->free_chain = own->first;
    own->key = slots->keys[color][place];
    own->sum = own->squares = 0;
    own->liberties = 0;
    own->stones = 1;
    own->atari = 0;
    own->first = (uint16_t)place;
    view->cells[place].chain = (uint16_t)((uint32_t)color << W7_SLOT_CHAIN_BITS | chain);
    view->cells[place].next = (uint16_t)place;
    for (int side = 0; side < 4; side++) {
        const int stone = w7_slot_color(view, sides[side]);
        if (stone == W7_EMPTY) {
            w7_chain_add_liberty(own, sides[side]);
        } else if (stone != W7_WALL) {
            const uint32_t next = w7_slot_chain(view, sides[side]);
            w7_chain_drop_liberty(&view->chains[next], place);
            if (stone != color)
                w7_slot_note_atari(slots, view, stone, next);
            else if (w7_slot_is_in_atari(view, next))
                w7_slot_turn_atari(slots, view, color, next);
        }
    }
    for (int side = 0; side < 4; side++)
        if (w7_slot_color(view, sides[side]) == color && w7_slot_chain(view, sides[side]) != chain)
            chain = w7_slot_join(view, chain, w7_slot_chain(view, sides[side]));
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
        view->cells[stone].chain = W7_EMPTY;
        removed[count++] = point;
        set[point >> 6] ^= (uint64_t)1 << (point & 63);
        for (int side = 0; side < 4; side++) {
            if (w7_slot_color(view, sides[side]) == other) {
                const uint32_t next = w7_slot_chain(view, sides[side]);
                w7_chain_add_liberty(&view->chains[next], stone);
                w7_slot_note_atari(slots, view, other, next);
                /* One that had none is in the list without. */
                if (w7_slot_is_in_atari(view, next))
                    w7_slot_atari(slots, view, other, view->chains[next].atari - 1)->liberty = point;
            }
        }
        stone = view->cells[stone].next;
    } while (stone != first);
    w7_slot_free_chain(view, chain);
    view->slot->hash ^= view->chains[chain].key;
    view->slot->stones[color] -= count;
    view->slot->captured[color] += count;
    return count;
}

/* --- moves ---------------------------------------------------------------------------------------- */

/* The word of the filter that a hash has its bits in, and the bits. */
static W7_ALWAYS_INLINE uint64_t *w7_slot_filter_word(const w7_slot_view *view, uint64_t hash)
{
    return &view->filter[hash % W7_SLOT_FILTER];
}

static W7_ALWAYS_INLINE uint64_t w7_slot_filter_bits(uint64_t hash)
{
    return (uint64_t)1 << (hash >> 58) | (uint64_t)1 << (hash >> 52 & 63);
}

/* Adds the position to the plies. */
static W7_ALWAYS_INLINE void w7_slot_add_ply(const w7_slot_view *view)
{
    const w7_slot *slot = view->slot;
    uint16_t *latest = &view->latest[w7_slot_counts(slot->stones[W7_BLACK], slot->stones[W7_WHITE])];
    view->plies[slot->move_count].hash = slot->hash;
    view->plies[slot->move_count].earlier = *latest;
    *latest = (uint16_t)slot->move_count;
    *w7_slot_filter_word(view, slot->hash) |= w7_slot_filter_bits(slot->hash);
}

/* Plays a move that is legal: a point, or `points` for a pass. The game has room for it. */
static inline void w7_slot_play(const w7_slots *slots, const w7_slot_view *view, int32_t point)
{
    w7_slot *slot = view->slot;
    const int color = slot->color, other = W7_BLACK + W7_WHITE - color;
    view->plies[slot->move_count].move = (uint16_t)point;
    view->plies[slot->move_count].begin = slot->removed_count;
    slot->move_count++;
    slot->color = (uint8_t)other;
    slot->passes++;
    if (point < slots->points) {
        const uint32_t stride = (uint32_t)slots->width + 1, place = slots->place_of[point];
        const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
        uint64_t *set = color == W7_BLACK ? view->black : view->white;
        slot->passes = 0;
        set[point >> 6] ^= (uint64_t)1 << (point & 63);
        slot->hash ^= slots->keys[color][place];
        slot->stones[color]++;
        w7_slot_place(slots, view, color, place);
        for (int side = 0; side < 4; side++)
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

/* Turns the sets of a position after a move into those before it. Returns the colour whose stones it put back. */
static inline int w7_slot_step_back(const w7_slots *slots, const w7_slot_view *view, int32_t move, uint64_t *black,
                                    uint64_t *white)
{
    const int point = view->plies[move].move, color = w7_slot_mover(move);
    const uint16_t *removed;
    const int32_t count = w7_slot_removed_by(view, move, &removed);
    const int taken = count > 0 && removed[0] == point ? color : W7_BLACK + W7_WHITE - color;
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

/* Makes the places and chains anew from the sets. */
static inline void w7_slot_rebuild(const w7_slots *slots, const w7_slot_view *view)
{
    memcpy(view->cells, slots->empty + slots->cells, (size_t)slots->places * sizeof *view->cells);
    view->slot->atari_count[0] = view->slot->atari_count[1] = 0;
    view->slot->new_chain = 0;
    view->slot->free_chain = W7_SLOT_NONE;
    memset(view->weak, 0, 2 * (size_t)slots->words * sizeof *view->weak);
    for (int word = 0; word < slots->words; word++)
        for (uint64_t bits = view->black[word] | view->white[word]; bits != 0; bits &= bits - 1) {
            const int bit = w7_lowest_bit(bits);
            const int color = view->black[word] >> bit & 1 ? W7_BLACK : W7_WHITE;
            w7_slot_place(slots, view, color, slots->place_of[64 * word + bit]);
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
    view->latest[w7_slot_counts(slot->stones[W7_BLACK], slot->stones[W7_WHITE])] =
        view->plies[slot->move_count].earlier;
    taken = w7_slot_step_back(slots, view, move, view->black, view->white);
    slot->captured[taken] -= count;
    slot->stones[taken] += count;
    slot->stones[w7_slot_mover(move)] -= view->plies[move].move < slots->points;
    slot->removed_count = view->plies[move].begin;
    slot->hash = view->plies[move].hash;
    slot->move_count = move;
    slot->color = (uint8_t)w7_slot_mover(move);
    slot->is_done = 0;
    slot->passes = 0;
    while (move > 0 && view->plies[move - 1].move == slots->points && slot->passes < UINT8_MAX) {
        slot->passes++;
        move--;
    }
    memset(view->filter, 0, W7_SLOT_FILTER * sizeof *view->filter);
    for (int32_t ply = 0; ply <= slot->move_count; ply++)
        *w7_slot_filter_word(view, view->plies[ply].hash) |= w7_slot_filter_bits(view->plies[ply].hash);
    w7_slot_rebuild(slots, view);
    return 1;
}

#endif
