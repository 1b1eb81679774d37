/* The legal points of the player to move on a board, exact by its rules. */
#ifndef W7_BATCH_SELFPLAY_LEGAL_H
#define W7_BATCH_SELFPLAY_LEGAL_H

#include "batch/selfplay/moves.h"

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
static W7_NOINLINE int w7_slot_repeats(const w7_slots *slots, const w7_slot_view *view, uint64_t hash, uint32_t counts,
                                       int32_t point)
{
    for (uint16_t ply = view->latest[counts].ply; ply != W7_SLOT_NONE; ply = view->plies[ply].earlier)
        if (W7_UNLIKELY(view->plies[ply].hash == hash) && w7_slot_ply_counts(slots, view, view->slot->color, ply) &&
            w7_slot_shows(slots, view, ply, point))
            return 1;
    return 0;
}

/* --- captures and suicide ------------------------------------------------------------------------- */

static W7_ALWAYS_INLINE void w7_slot_drop_legal(const w7_slot_view *view, int32_t point)
{
    view->legal[point >> 6] &= ~((uint64_t)1 << (point & 63));
}

/* Whether the simple ko rule forbids to take the stone on a point by one on another. */
static inline int w7_slot_retakes(const w7_slot_view *view, uint32_t stone, int32_t point)
{
    const int32_t last = view->slot->move_count - 1;
    const uint16_t *removed = NULL;
    /* Of a suicide the stone that was played comes first. */
    return last >= 0 && view->plies[last].move == stone && w7_slot_removed_by(view, last, &removed) == 1 &&
           removed[0] != stone && point == removed[0];
}

/* The keys of the stones of a chain, XOR. */
static inline uint64_t w7_slot_chain_key(const w7_slots *slots, const w7_slot_view *view, int color, uint32_t chain)
{
    const uint32_t first = view->chains[chain].first;
    uint32_t stone = first;
    uint64_t key = 0;
    do {
        key ^= slots->keys[color][stone];
        stone = view->cells[stone].next;
    } while (stone != first);
    return key;
}

/* The same of the first chains in atari of a colour, so many, whose liberty is the point. */
static W7_NOINLINE uint64_t w7_slot_atari_key(const w7_slots *slots, const w7_slot_view *view, int color, int32_t count,
                                              int32_t point)
{
    uint64_t key = 0;
    for (int32_t k = 0; k < count; k++)
        if (w7_slot_atari(view, color, k)->liberty == point)
            key ^= w7_slot_chain_key(slots, view, color, w7_slot_atari(view, color, k)->chain);
    return key;
}

/* Finds the points, of a set, where a stone of the player leaves chains of a colour without a liberty: the opponent's
 * are taken. Those that the ko rule forbids are no longer legal. */
static W7_ALWAYS_INLINE void w7_slot_find_takings(const w7_slots *slots, const w7_slot_view *view, int color,
                                                  const uint64_t *among, uint64_t *found)
{
    const w7_slot *slot = view->slot;
    const int is_own = color == slot->color;
    const int32_t chains = slot->atari_count[color - W7_BLACK];
    const int32_t black = slot->stones[W7_BLACK] + (!is_own & (color == W7_WHITE));
    const int32_t white = slot->stones[W7_WHITE] + (!is_own & (color == W7_BLACK));
    const uint64_t *keys = slots->keys[slot->color];
    for (int32_t k = 0; k < chains; k++) {
        const w7_atari *atari = w7_slot_atari(view, color, k);
        const int32_t point = atari->liberty;
        const uint64_t bit = (uint64_t)1 << (point & 63);
        const uint64_t base = slot->hash ^ (is_own ? 0 : keys[slots->place_of[point]]);
        uint32_t tag = w7_slot_tag(base) ^ atari->tag, counts;
        int32_t stones = atari->stones;
        if (among != NULL && !(among[point >> 6] & bit))
            continue;
        /* With all chains before that have the same liberty: with the last of them, with all that there are. */
        if (found[point >> 6] & bit)
            for (int32_t before = 0; before < k; before++) {
                const w7_atari *other = w7_slot_atari(view, color, before);
                if (other->liberty == point) {
                    tag ^= other->tag;
                    stones += other->stones;
                }
            }
        found[point >> 6] |= bit;
        counts = w7_slot_counts(black - (color == W7_BLACK ? stones : 0), white - (color == W7_WHITE ? stones : 0));
        if (slots->rules.ko >= W7_KO_POSITIONAL
                ? w7_latest_may_have(&view->latest[counts], tag) &&
                      w7_slot_repeats(slots, view, base ^ w7_slot_atari_key(slots, view, color, k + 1, point), counts,
                                      point)
                : slots->rules.ko == W7_KO_SIMPLE && !is_own && stones == 1 &&
                      w7_slot_retakes(view, slots->point_of[view->chains[atari->chain].first], point))
            w7_slot_drop_legal(view, point);
    }
}

/* --- the legal points ------------------------------------------------------------------------------ */

/* Drops the moves that take nothing and add the one stone that an earlier position of the game had more. */
static inline void w7_slot_drop_repeated_stones(const w7_slots *slots, const w7_slot_view *view, const uint64_t *taken,
                                                uint32_t counts)
{
    const w7_slot *slot = view->slot;
    const w7_latest *latest = &view->latest[counts];
    if (latest->tags < W7_SLOT_SEVERAL &&
        !w7_point_in(slots->tagged[slot->color], (int32_t)(latest->tags ^ w7_slot_tag(slot->hash))))
        return;
    for (uint16_t ply = latest->ply; ply != W7_SLOT_NONE; ply = view->plies[ply].earlier) {
        const uint16_t point = w7_slots_find_key(slots, slot->color, view->plies[ply].hash ^ slot->hash);
        if (point != W7_SLOT_NONE && view->legal[point >> 6] >> (point & 63) & 1 &&
            !(taken[point >> 6] >> (point & 63) & 1) && w7_slot_ply_counts(slots, view, slot->color, ply) &&
            w7_slot_shows(slots, view, ply, point))
            w7_slot_drop_legal(view, point);
    }
}

/* Drops the suicides that the rules forbid, of `doubtful` points: those among them where the player takes nothing. Those
 * of a stone that takes own chains with it are then in `taken` too. */
static inline void w7_slot_drop_suicides(const w7_slots *slots, const w7_slot_view *view, uint64_t *taken,
                                         uint64_t *doubtful)
{
    const w7_slot *slot = view->slot;
    const uint32_t counts = w7_slot_counts(slot->stones[W7_BLACK], slot->stones[W7_WHITE]);
    /* Whether one stone alone, which changes nothing, may be played: -1 where that is still to be found. */
    int allowed = !slots->rules.suicide || slots->rules.ko == W7_KO_POSITIONAL ? 0 : -1;
    for (int word = 0; word < slots->words; word++)
        doubtful[word] &= ~taken[word];
    if (slots->rules.suicide)
        w7_slot_find_takings(slots, view, slot->color, doubtful, taken);
    for (int word = 0; word < slots->words; word++) {
        const uint64_t alone = doubtful[word] & ~taken[word];
        if (allowed < 0 && alone != 0)
            allowed = !w7_slot_repeats(slots, view, slot->hash, counts, 64 * word + w7_lowest_bit(alone));
        if (allowed <= 0)
            view->legal[word] &= ~alone;
    }
}

/* The empty points, where the player may put stones but for the rules, and of them those in doubt: with no empty point
 * and no strong own chain adjacent. Returns whether there are such. `taken` is none. */
static inline int w7_slot_find_open(const w7_slots *slots, const w7_slot_view *view, const uint64_t *own,
                                    const uint64_t *weak, uint64_t *doubtful, uint64_t *taken)
{
    uint64_t strong[W7_SLOT_WORDS] = {0}, any = 0;
    for (int word = 0; word < slots->words; word++) {
        view->legal[word] = slots->all[word] & ~(view->black[word] | view->white[word]);
        strong[word] = view->legal[word] | (own[word] & ~weak[word]);
    }
    w7_slots_spread(slots, strong, doubtful);
    for (int word = 0; word < slots->words; word++) {
        doubtful[word] = view->legal[word] & ~doubtful[word];
        taken[word] = 0;
        any |= doubtful[word];
    }
    return any != 0;
}

#ifdef W7_WITH_X86_ISAS

W7_TARGET_AVX512BW static W7_NOINLINE int w7_avx512_slot_find_open(const w7_slots *slots, const w7_slot_view *view,
                                                                   const uint64_t *own, const uint64_t *weak,
                                                                   uint64_t *doubtful, uint64_t *taken)
{
    const __m512i stones =
        _mm512_or_si512(w7_avx512_read_set(slots, view->black), w7_avx512_read_set(slots, view->white));
    const __m512i open = _mm512_andnot_si512(stones, w7_avx512_read_set(slots, slots->all));
    const __m512i strong = _mm512_andnot_si512(w7_avx512_read_set(slots, weak), w7_avx512_read_set(slots, own));
    const __m512i others = _mm512_andnot_si512(w7_avx512_slot_spread(slots, _mm512_or_si512(open, strong)), open);
    w7_avx512_write_set(slots, open, view->legal);
    w7_avx512_write_set(slots, others, doubtful);
    w7_avx512_write_set(slots, _mm512_setzero_si512(), taken);
    return _mm512_test_epi64_mask(others, others) != 0;
}

W7_TARGET_AVX2 static W7_NOINLINE int w7_avx2_slot_find_open(const w7_slots *slots, const w7_slot_view *view,
                                                             const uint64_t *own, const uint64_t *weak,
                                                             uint64_t *doubtful, uint64_t *taken)
{
    const w7_avx2_set none = {_mm256_setzero_si256(), _mm_setzero_si128()};
    const w7_avx2_set stones = w7_avx2_or(w7_avx2_read_set(view->black), w7_avx2_read_set(view->white));
    const w7_avx2_set open = w7_avx2_andnot(stones, w7_avx2_read_set(slots->all));
    const w7_avx2_set strong = w7_avx2_andnot(w7_avx2_read_set(weak), w7_avx2_read_set(own));
    const w7_avx2_set others = w7_avx2_andnot(w7_avx2_slot_spread(slots, w7_avx2_or(open, strong)), open);
    w7_avx2_write_set(open, view->legal);
    w7_avx2_write_set(others, doubtful);
    w7_avx2_write_set(none, taken);
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
    uint64_t doubtful[W7_SLOT_WORDS], taken[W7_SLOT_WORDS];
    int is_any;
#ifdef W7_WITH_X86_ISAS
    if (w7_slots_are_wide(slots))
        is_any = w7_avx512_slot_find_open(slots, view, own, weak, doubtful, taken);
    else if (w7_slots_are_19(slots))
        is_any = w7_avx2_slot_find_open(slots, view, own, weak, doubtful, taken);
    else
#endif
        is_any = w7_slot_find_open(slots, view, own, weak, doubtful, taken);
    w7_slot_find_takings(slots, view, W7_BLACK + W7_WHITE - view->slot->color, NULL, taken);
    if (is_any && (!slots->rules.suicide || is_superko))
        w7_slot_drop_suicides(slots, view, taken, doubtful);
    if (is_superko)
        w7_slot_drop_repeated_stones(slots, view, taken, counts);
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
