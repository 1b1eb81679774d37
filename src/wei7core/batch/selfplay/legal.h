/* The legal points of the player to move on a board, exact by its rules. */
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
                   (stone == color && !w7_chain_has_one_liberty(&view->chains[w7_slot_chain(view, sides[side])]));
        is_taking |= stone == other && w7_chain_has_one_liberty(&view->chains[w7_slot_chain(view, sides[side])]);
    }
    /* The stones that the move removes: of the opponent, or, where it takes none and has no liberty, its own. */
    for (int side = 0; side < 4; side++) {
        const int stone = w7_slot_color(view, sides[side]);
        const uint32_t first = sides[side];
        uint32_t next = first;
        if (stone != (is_taking ? other : color) || (!is_taking && is_safe) ||
            !w7_chain_has_one_liberty(&view->chains[w7_slot_chain(view, first)]))
            continue;
        do {
            const uint16_t at = slots->point_of[next];
            after[stone - W7_BLACK][at >> 6] &= ~((uint64_t)1 << (at & 63));
            next = view->cells[next].next;
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
    if (w7_slot_filter_bits(hash) & ~*w7_slot_filter_word(view, hash))
        return 0;
    for (uint16_t ply = view->latest[counts]; ply != W7_SLOT_NONE; ply = view->plies[ply].earlier)
        if (W7_UNLIKELY(view->plies[ply].hash == hash) && w7_slot_ply_counts(slots, view, view->slot->color, ply) &&
            w7_slot_shows(slots, view, ply, point))
            return 1;
    return 0;
}

/* --- captures and suicide ------------------------------------------------------------------------- */

/* Finds the points, of a set, where a stone leaves chains of a colour without a liberty: the opponent's are taken. */
static W7_NOINLINE void w7_slot_find_takings(const w7_slots *slots, const w7_slot_view *view, int color,
                                             const uint64_t *among, w7_takings *takings)
{
    const int32_t chains = view->slot->atari_count[color - W7_BLACK];
    takings->count = 0;
    memset(takings->points, 0, (size_t)slots->words * sizeof *takings->points);
    for (int32_t k = 0; k < chains; k++) {
        const w7_atari *atari = w7_slot_atari(slots, view, color, k);
        const int32_t point = atari->liberty;
        const uint64_t bit = (uint64_t)1 << (point & 63);
        int32_t i = takings->count;
        if (!(among[point >> 6] & bit))
            continue;
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
        takings->at[i].key ^= atari->key;
        takings->at[i].stones += atari->stones;
    }
}

/* --- the legal points ------------------------------------------------------------------------------ */

static W7_ALWAYS_INLINE void w7_slot_drop_legal(const w7_slot_view *view, int32_t point)
{
    view->legal[point >> 6] &= ~((uint64_t)1 << (point & 63));
}

/* Drops the captures that the ko rule forbids. `counts` are those of one stone more, here and below. */
static inline void w7_slot_drop_repeated_takings(const w7_slots *slots, const w7_slot_view *view,
                                                 const w7_takings *takings, uint32_t counts)
{
    const w7_slot *slot = view->slot;
    const uint16_t *removed = NULL;
    const int32_t last = slot->move_count - 1;
    const int other = W7_BLACK + W7_WHITE - slot->color;
    /* Of a suicide the stone that was played comes first. */
    const int is_ko = slots->rules.ko == W7_KO_SIMPLE && last >= 0 && w7_slot_removed_by(view, last, &removed) == 1 &&
                      removed[0] != view->plies[last].move;
    for (int32_t i = 0; i < takings->count; i++) {
        const w7_taking *taking = &takings->at[i];
        const uint64_t hash = slot->hash ^ taking->key ^ slots->keys[slot->color][slots->place_of[taking->point]];
        if (slots->rules.ko >= W7_KO_POSITIONAL
                ? w7_slot_repeats(slots, view, hash, w7_slot_less(counts, other, taking->stones), taking->point)
                : is_ko && taking->stones == 1 && taking->point == removed[0] &&
                      taking->key == slots->keys[other][slots->place_of[view->plies[last].move]])
            w7_slot_drop_legal(view, taking->point);
    }
}

/* Drops the moves that take nothing and add the one stone that an earlier position of the game had more. */
static inline void w7_slot_drop_repeated_stones(const w7_slots *slots, const w7_slot_view *view,
                                                const w7_takings *takings, uint32_t counts)
{
    const w7_slot *slot = view->slot;
    for (uint16_t ply = view->latest[counts]; ply != W7_SLOT_NONE; ply = view->plies[ply].earlier) {
        const uint16_t point = w7_slots_find_key(slots, slot->color, view->plies[ply].hash ^ slot->hash);
        if (point != W7_SLOT_NONE && view->legal[point >> 6] >> (point & 63) & 1 &&
            !(takings->points[point >> 6] >> (point & 63) & 1) && w7_slot_ply_counts(slots, view, slot->color, ply) &&
            w7_slot_shows(slots, view, ply, point))
            w7_slot_drop_legal(view, point);
    }
}

/* Drops the suicides that the rules forbid, of `doubtful` points where the player takes nothing. */
static inline void w7_slot_drop_suicides(const w7_slots *slots, const w7_slot_view *view, const w7_takings *takings,
                                         const uint64_t *doubtful)
{
    const w7_slot *slot = view->slot;
    const uint32_t counts = w7_slot_counts(slot->stones[W7_BLACK], slot->stones[W7_WHITE]);
    /* Whether one stone alone, which changes nothing, may be played: -1 where that is still to be found. */
    int allowed = !slots->rules.suicide || slots->rules.ko == W7_KO_POSITIONAL ? 0 : -1;
    w7_takings own;
    own.count = 0;
    memset(own.points, 0, (size_t)slots->words * sizeof *own.points);
    if (slots->rules.suicide)
        w7_slot_find_takings(slots, view, slot->color, doubtful, &own);
    for (int word = 0; word < slots->words; word++) {
        const uint64_t alone = doubtful[word] & ~(takings->points[word] | own.points[word]);
        if (allowed < 0 && alone != 0)
            allowed = !w7_slot_repeats(slots, view, slot->hash, counts, 64 * word + w7_lowest_bit(alone));
        view->legal[word] &= allowed == 0 ? ~alone : ~(uint64_t)0;
    }
    for (int32_t i = 0; i < own.count; i++) {
        const int32_t point = own.at[i].point;
        if (!(takings->points[point >> 6] >> (point & 63) & 1) &&
            w7_slot_repeats(slots, view, slot->hash ^ own.at[i].key,
                            w7_slot_less(counts, slot->color, own.at[i].stones), point))
            w7_slot_drop_legal(view, point);
    }
}

/* The empty points, where the player may put stones but for the rules, and of them those in doubt: with no empty point
 * and no strong own chain adjacent. Returns whether there are such. */
static inline int w7_slot_find_open(const w7_slots *slots, const w7_slot_view *view, const uint64_t *own,
                                    const uint64_t *weak, uint64_t *doubtful)
{
    uint64_t strong[W7_SLOT_WORDS] = {0}, any = 0;
    for (int word = 0; word < slots->words; word++) {
        view->legal[word] = slots->all[word] & ~(view->black[word] | view->white[word]);
        strong[word] = view->legal[word] | (own[word] & ~weak[word]);
    }
    w7_slots_spread(slots, strong, doubtful);
    for (int word = 0; word < slots->words; word++) {
        doubtful[word] = view->legal[word] & ~doubtful[word];
        any |= doubtful[word];
    }
    return any != 0;
}

#ifdef W7_WITH_X86_ISAS

W7_TARGET_AVX512BW static W7_NOINLINE int w7_avx512_slot_find_open(const w7_slots *slots, const w7_slot_view *view,
                                                                   const uint64_t *own, const uint64_t *weak,
                                                                   uint64_t *doubtful)
{
    const __m512i stones =
        _mm512_or_si512(w7_avx512_read_set(slots, view->black), w7_avx512_read_set(slots, view->white));
    const __m512i open = _mm512_andnot_si512(stones, w7_avx512_read_set(slots, slots->all));
    const __m512i strong = _mm512_andnot_si512(w7_avx512_read_set(slots, weak), w7_avx512_read_set(slots, own));
    const __m512i others = _mm512_andnot_si512(w7_avx512_slot_spread(slots, _mm512_or_si512(open, strong)), open);
    w7_avx512_write_set(slots, open, view->legal);
    w7_avx512_write_set(slots, others, doubtful);
    return _mm512_test_epi64_mask(others, others) != 0;
}

W7_TARGET_AVX2 static W7_NOINLINE int w7_avx2_slot_find_open(const w7_slots *slots, const w7_slot_view *view,
                                                             const uint64_t *own, const uint64_t *weak,
                                                             uint64_t *doubtful)
{
    const w7_avx2_set stones = w7_avx2_or(w7_avx2_read_set(view->black), w7_avx2_read_set(view->white));
    const w7_avx2_set open = w7_avx2_andnot(stones, w7_avx2_read_set(slots->all));
    const w7_avx2_set strong = w7_avx2_andnot(w7_avx2_read_set(weak), w7_avx2_read_set(own));
    const w7_avx2_set others = w7_avx2_andnot(w7_avx2_slot_spread(slots, w7_avx2_or(open, strong)), open);
    w7_avx2_write_set(open, view->legal);
    w7_avx2_write_set(others, doubtful);
    return !w7_avx2_is_empty(others);
}

#endif

/* Finds where the player may put a stone. */
static W7_NOINLINE void w7_slot_find_legal(const w7_slots *slots, const w7_slot_view *view)
{
    const int is_superko = slots->rules.ko >= W7_KO_POSITIONAL;
    const uint64_t *own = view->slot->color == W7_BLACK ? view->black : view->white;
    const uint64_t *weak = view->weak + (size_t)(view->slot->color - W7_BLACK) * (size_t)slots->words;
    const uint32_t counts = w7_slot_counts(view->slot->stones[W7_BLACK] + (view->slot->color == W7_BLACK),
                                           view->slot->stones[W7_WHITE] + (view->slot->color == W7_WHITE));
    uint64_t doubtful[W7_SLOT_WORDS];
    int is_any;
    w7_takings takings;
#ifdef W7_WITH_X86_ISAS
    if (w7_slots_are_wide(slots))
        is_any = w7_avx512_slot_find_open(slots, view, own, weak, doubtful);
    else if (w7_slots_are_19(slots))
        is_any = w7_avx2_slot_find_open(slots, view, own, weak, doubtful);
    else
#endif
        is_any = w7_slot_find_open(slots, view, own, weak, doubtful);
    w7_slot_find_takings(slots, view, W7_BLACK + W7_WHITE - view->slot->color, view->legal, &takings);
    if (is_any && (!slots->rules.suicide || is_superko))
        w7_slot_drop_suicides(slots, view, &takings, doubtful);
    if (slots->rules.ko != W7_KO_NONE)
        w7_slot_drop_repeated_takings(slots, view, &takings, counts);
    if (is_superko)
        w7_slot_drop_repeated_stones(slots, view, &takings, counts);
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
                       (stone == view->slot->color) == w7_slot_is_in_atari(view, w7_slot_chain(view, sides[side])));
    }
    if (!slots->rules.suicide && is_suicide)
        return W7_SUICIDE;
    return slots->rules.ko == W7_KO_SIMPLE ? W7_KO_RECAPTURE : w7_verdict_of_repeat(slots->rules.ko);
}

#endif
