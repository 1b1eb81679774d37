/* Where the player of a board may put a stone: by its own rules, exactly. */
#ifndef W7_BATCH_SELFPLAY_LEGAL_H
#define W7_BATCH_SELFPLAY_LEGAL_H

#include "batch/selfplay/moves.h"

/* A point where a move takes chains. */
typedef struct {
    uint64_t key; /* of the stones that it takes */
    int32_t stones;
    int32_t point;
} w7_taking;

typedef struct {
    uint64_t points[W7_SLOT_WORDS]; /* where there is one */
    int32_t count;
    w7_taking at[W7_SLOT_PLACES];
} w7_takings;

/* --- repetition ----------------------------------------------------------------------------------- */

/* Whether the superko rule forbids a player to make the position of this ply again (wei7core.rules.Ko). */
static inline int w7_slot_ply_counts(const w7_slots *slots, const w7_slot_view *view, int color, int32_t ply)
{
    if (slots->rules.ko == W7_KO_SITUATIONAL)
        return w7_slot_mover(ply) != color;
    return slots->rules.ko == W7_KO_POSITIONAL ||
           (ply > 0 && view->plies[ply - 1].move < slots->points && w7_slot_mover(ply - 1) == color);
}

/* Whether the position after a stone of the player is the one of a ply, stone by stone. */
static W7_COLD int w7_slot_shows(const w7_slots *slots, const w7_slot_view *view, int32_t ply, int32_t point)
{
    const int color = view->slot->color, other = W7_BLACK + W7_WHITE - color;
    const size_t words = (size_t)slots->words;
    const uint32_t stride = (uint32_t)slots->width + 1, place = slots->place_of[point];
    const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
    uint64_t after[2][W7_SLOT_WORDS], then[2][W7_SLOT_WORDS];
    int is_taking = 0, is_safe = 0;
    for (size_t i = 0; i < words; i++) {
        then[0][i] = after[0][i] = view->black[i];
        then[1][i] = after[1][i] = view->white[i];
    }
    for (int32_t move = view->slot->move_count; move-- > ply;)
        w7_slot_step_back(slots, view, move, then[0], then[1]);
    after[color - W7_BLACK][point >> 6] |= (uint64_t)1 << (point & 63);
    for (int side = 0; side < 4; side++) {
        const int stone = w7_slot_color(view, sides[side]);
        is_safe |= stone == W7_EMPTY ||
                   (stone == color && !w7_chain_has_one_liberty(&view->chains[w7_slot_head(view, sides[side])]));
        is_taking |= stone == other && w7_chain_has_one_liberty(&view->chains[w7_slot_head(view, sides[side])]);
    }
    /* The stones that the move removes: of the opponent, or, where it takes none and has no liberty, its own. */
    for (int side = 0; side < 4; side++) {
        const int stone = w7_slot_color(view, sides[side]);
        const uint32_t first = sides[side];
        uint32_t next = first;
        if (stone != (is_taking ? other : color) || (!is_taking && is_safe) ||
            !w7_chain_has_one_liberty(&view->chains[w7_slot_head(view, first)]))
            continue;
        do {
            const uint16_t at = slots->point_of[next];
            after[stone - W7_BLACK][at >> 6] &= ~((uint64_t)1 << (at & 63));
            next = view->nexts[next];
        } while (next != first);
    }
    if (!is_taking && !is_safe)
        after[color - W7_BLACK][point >> 6] &= ~((uint64_t)1 << (point & 63));
    return memcmp(after[0], then[0], words * sizeof(uint64_t)) == 0 &&
           memcmp(after[1], then[1], words * sizeof(uint64_t)) == 0;
}

/* Whether a stone that leads to a position of this hash and these counts (w7_slot_counts) repeats one, by the superko
 * rule. */
static inline int w7_slot_repeats(const w7_slots *slots, const w7_slot_view *view, uint64_t hash, uint32_t counts,
                                  int32_t point)
{
    uint16_t ply = view->latest[counts];
    if (ply == W7_SLOT_NONE || (w7_slot_filter_bits(hash) & ~*w7_slot_filter_word(view, hash)))
        return 0;
    for (; ply != W7_SLOT_NONE; ply = view->plies[ply].earlier)
        if (W7_UNLIKELY(view->plies[ply].hash == hash) && w7_slot_ply_counts(slots, view, view->slot->color, ply) &&
            w7_slot_shows(slots, view, ply, point))
            return 1;
    return 0;
}

/* --- captures and suicide ------------------------------------------------------------------------- */

/* The place of the liberty of a chain in atari: at most four stones are adjacent to it. */
static W7_ALWAYS_INLINE uint32_t w7_chain_liberty(const w7_chain *chain)
{
    static const uint32_t parts[5] = {0, 65536, 32768, 21846, 16384}; /* of 65536, rounded up */
    return chain->sum * parts[chain->liberties] >> 16;
}

/* Finds the points where the player takes something. */
static inline void w7_slot_find_takings(const w7_slots *slots, const w7_slot_view *view, w7_takings *takings)
{
    const int other = W7_BLACK + W7_WHITE - view->slot->color;
    const uint16_t *heads = w7_slot_atari(slots, view, other);
    const int32_t chains = view->slot->atari_count[other - W7_BLACK];
    takings->count = 0;
    memset(takings->points, 0, (size_t)slots->words * sizeof *takings->points);
    for (int32_t k = 0; k < chains; k++) {
        const w7_chain *chain = &view->chains[heads[k]];
        const int32_t point = slots->point_of[w7_chain_liberty(chain)];
        const uint64_t bit = (uint64_t)1 << (point & 63);
        int32_t i = takings->count;
        if (takings->points[point >> 6] & bit)
            for (i = 0; takings->at[i].point != point;)
                i++;
        takings->points[point >> 6] |= bit;
        if (i == takings->count) {
            takings->count++;
            takings->at[i].key = 0;
            takings->at[i].stones = 0;
            takings->at[i].point = point;
        }
        takings->at[i].key ^= chain->key;
        takings->at[i].stones += chain->stones;
    }
}

/* Whether a suicide repeats a position. */
static inline int w7_slot_repeats_by_suicide(const w7_slots *slots, const w7_slot_view *view, int32_t point)
{
    const w7_slot *slot = view->slot;
    const uint32_t stride = (uint32_t)slots->width + 1, place = slots->place_of[point];
    const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
    int32_t stones[3] = {0, slot->stones[W7_BLACK], slot->stones[W7_WHITE]};
    uint64_t hash = slot->hash;
    uint32_t seen[4];
    int count = 0;
    for (int side = 0; side < 4; side++) {
        const uint32_t head = w7_slot_head(view, sides[side]);
        int is_new = w7_slot_color(view, sides[side]) == slot->color;
        for (int i = 0; i < count; i++)
            is_new &= seen[i] != head;
        if (is_new) {
            seen[count++] = head;
            hash ^= view->chains[head].key;
            stones[slot->color] -= view->chains[head].stones;
        }
    }
    /* One stone changes nothing: the present position counts. */
    if (count == 0 && slots->rules.ko == W7_KO_POSITIONAL)
        return 1;
    return w7_slot_repeats(slots, view, hash, w7_slot_counts(stones[W7_BLACK], stones[W7_WHITE]), point);
}

/* --- the legal points ------------------------------------------------------------------------------ */

static W7_ALWAYS_INLINE void w7_slot_drop_legal(const w7_slot_view *view, int32_t point)
{
    view->legal[point >> 6] &= ~((uint64_t)1 << (point & 63));
}

/* Drops the captures that the ko rule forbids. */
static inline void w7_slot_drop_repeated_takings(const w7_slots *slots, const w7_slot_view *view,
                                                 const w7_takings *takings)
{
    const w7_slot *slot = view->slot;
    const uint16_t *removed = NULL;
    const int32_t last = slot->move_count - 1;
    /* Of a suicide the stone that was played comes first. */
    const int is_ko = slots->rules.ko == W7_KO_SIMPLE && last >= 0 && w7_slot_removed_by(view, last, &removed) == 1 &&
                      removed[0] != view->plies[last].move;
    for (int32_t i = 0; i < takings->count; i++) {
        const w7_taking *taking = &takings->at[i];
        const uint64_t hash = slot->hash ^ taking->key ^ slots->keys[slot->color][slots->place_of[taking->point]];
        if (slots->rules.ko >= W7_KO_POSITIONAL) {
            int32_t stones[3] = {0, slot->stones[W7_BLACK], slot->stones[W7_WHITE]};
            stones[slot->color]++;
            stones[W7_BLACK + W7_WHITE - slot->color] -= taking->stones;
            if (w7_slot_repeats(slots, view, hash, w7_slot_counts(stones[W7_BLACK], stones[W7_WHITE]), taking->point))
                w7_slot_drop_legal(view, taking->point);
        } else if (is_ko && taking->stones == 1 && taking->point == removed[0] &&
                   taking->key ==
                       slots->keys[W7_BLACK + W7_WHITE - slot->color][slots->place_of[view->plies[last].move]]) {
            w7_slot_drop_legal(view, taking->point);
        }
    }
}

/* Drops the moves that take nothing and add the one stone that an earlier position of the game had more. */
static inline void w7_slot_drop_repeated_stones(const w7_slots *slots, const w7_slot_view *view,
                                                const w7_takings *takings)
{
    const w7_slot *slot = view->slot;
    const uint32_t counts = w7_slot_counts(slot->stones[W7_BLACK] + (slot->color == W7_BLACK),
                                           slot->stones[W7_WHITE] + (slot->color == W7_WHITE));
    for (uint16_t ply = view->latest[counts]; ply != W7_SLOT_NONE; ply = view->plies[ply].earlier) {
        const uint16_t point = w7_slots_find_key(slots, slot->color, view->plies[ply].hash ^ slot->hash);
        if (point != W7_SLOT_NONE && view->legal[point >> 6] >> (point & 63) & 1 &&
            !(takings->points[point >> 6] >> (point & 63) & 1) && w7_slot_ply_counts(slots, view, slot->color, ply) &&
            w7_slot_shows(slots, view, ply, point))
            w7_slot_drop_legal(view, point);
    }
}

/* Drops the suicides that the rules forbid, of points where a stone has no empty one and no strong own chain adjacent to
 * it and takes nothing. */
static inline void w7_slot_drop_suicides(const w7_slots *slots, const w7_slot_view *view, const uint64_t *weak,
                                         const uint64_t *suicides)
{
    uint64_t adjacent[W7_SLOT_WORDS];
    /* A stone with none of its own adjacent to it changes nothing: as a rule that needs no closer look. */
    const int is_bulk = !slots->rules.suicide || slots->rules.ko == W7_KO_POSITIONAL;
    if (is_bulk && slots->rules.suicide)
        w7_slots_spread(slots, weak, adjacent);
    for (int word = 0; word < slots->words; word++) {
        uint64_t bits = suicides[word];
        if (is_bulk) {
            view->legal[word] &= ~bits;
            bits = slots->rules.suicide ? bits & adjacent[word] : 0;
            view->legal[word] |= bits;
        }
        for (; bits != 0; bits &= bits - 1) {
            const int32_t point = 64 * word + w7_lowest_bit(bits);
            if (w7_slot_repeats_by_suicide(slots, view, point))
                w7_slot_drop_legal(view, point);
        }
    }
}

/* The empty points, where the player may put stones but for the rules, and of them those in doubt: with no empty point
 * and no strong own chain adjacent, that take nothing. Returns whether there are such. */
static inline int w7_slot_find_open(const w7_slots *slots, const w7_slot_view *view, const uint64_t *own,
                                    const uint64_t *weak, const uint64_t *takings, uint64_t *doubtful)
{
    uint64_t strong[W7_SLOT_WORDS] = {0}, any = 0;
    for (int word = 0; word < slots->words; word++) {
        view->legal[word] = slots->all[word] & ~(view->black[word] | view->white[word]);
        strong[word] = view->legal[word] | (own[word] & ~weak[word]);
    }
    w7_slots_spread(slots, strong, doubtful);
    for (int word = 0; word < slots->words; word++) {
        doubtful[word] = view->legal[word] & ~doubtful[word] & ~takings[word];
        any |= doubtful[word];
    }
    return any != 0;
}

#ifdef W7_WITH_X86_ISAS

W7_TARGET_AVX512BW static W7_NOINLINE int w7_avx512_slot_find_open(const w7_slots *slots, const w7_slot_view *view,
                                                                   const uint64_t *own, const uint64_t *weak,
                                                                   const uint64_t *takings, uint64_t *doubtful)
{
    const __m512i stones =
        _mm512_or_si512(w7_avx512_read_set(slots, view->black), w7_avx512_read_set(slots, view->white));
    const __m512i open = _mm512_andnot_si512(stones, w7_avx512_read_set(slots, slots->all));
    const __m512i strong = _mm512_andnot_si512(w7_avx512_read_set(slots, weak), w7_avx512_read_set(slots, own));
    const __m512i good = _mm512_or_si512(w7_avx512_slot_spread(slots, _mm512_or_si512(open, strong)),
                                         w7_avx512_read_set(slots, takings));
    const __m512i others = _mm512_andnot_si512(good, open);
    w7_avx512_write_set(slots, open, view->legal);
    w7_avx512_write_set(slots, others, doubtful);
    return _mm512_test_epi64_mask(others, others) != 0;
}

#endif

/* Finds where the player may put a stone. */
static W7_NOINLINE void w7_slot_find_legal(const w7_slots *slots, const w7_slot_view *view)
{
    const int is_superko = slots->rules.ko >= W7_KO_POSITIONAL;
    const uint64_t *own = view->slot->color == W7_BLACK ? view->black : view->white;
    const uint64_t *weak = view->weak + (size_t)(view->slot->color - W7_BLACK) * (size_t)slots->words;
    uint64_t doubtful[W7_SLOT_WORDS];
    int is_any;
    w7_takings takings;
    w7_slot_find_takings(slots, view, &takings);
#ifdef W7_WITH_X86_ISAS
    if (w7_slots_are_wide(slots))
        is_any = w7_avx512_slot_find_open(slots, view, own, weak, takings.points, doubtful);
    else
#endif
        is_any = w7_slot_find_open(slots, view, own, weak, takings.points, doubtful);
    if (is_any && (!slots->rules.suicide || is_superko))
        w7_slot_drop_suicides(slots, view, weak, doubtful);
    if (slots->rules.ko != W7_KO_NONE)
        w7_slot_drop_repeated_takings(slots, view, &takings);
    if (is_superko)
        w7_slot_drop_repeated_stones(slots, view, &takings);
}

/* Why the player may not put a stone on a point of the board. */
static inline w7_verdict w7_slot_verdict(const w7_slots *slots, const w7_slot_view *view, int32_t point)
{
    const uint32_t stride = (uint32_t)slots->width + 1, place = slots->place_of[point];
    const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
    int is_suicide = 1;
    if (w7_slot_color(view, place) != W7_EMPTY)
        return W7_POINT_OCCUPIED;
    if (view->legal[point >> 6] >> (point & 63) & 1)
        return W7_LEGAL;
    for (int side = 0; side < 4; side++) {
        const int stone = w7_slot_color(view, sides[side]);
        /* An own chain with another liberty, or one of the opponent's without. */
        is_suicide &= stone == W7_WALL ||
                      (stone != W7_EMPTY &&
                       (stone == view->slot->color) == w7_slot_is_in_atari(view, w7_slot_head(view, sides[side])));
    }
    if (!slots->rules.suicide && is_suicide)
        return W7_SUICIDE;
    return slots->rules.ko == W7_KO_SIMPLE ? W7_KO_RECAPTURE : w7_verdict_of_repeat(slots->rules.ko);
}

#endif
