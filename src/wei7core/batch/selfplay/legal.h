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
            next = w7_slot_next(view, next);
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
        stone = w7_slot_next(view, stone);
    } while (stone != first);
    return key;
}

/* Whether the stone of a move is on the board, and the first one of its colour there: no position before the move has
 * it. A position of the game is made again only without it, or where that is one since then. */
static inline int w7_slot_is_new(const w7_slot_view *view, int32_t move, const uint64_t *stones)
{
    return move >= 0 && !view->plies[move].refills && w7_point_in(stones, view->plies[move].move);
}

/* Whether the player may make a position from before the own last move, or by a suicide; else only the one after it. */
static inline int w7_slot_may_repeat_without(const w7_slots *slots, const w7_slot_view *view, int32_t move,
                                             const uint64_t *own)
{
    return !w7_slot_is_new(view, move, own) ||
           (slots->rules.suicide &&
            (slots->rules.ko > W7_KO_POSITIONAL || w7_point_in(view->weak, view->plies[move].move)));
}

/* Drops a stone of the player that leaves chains of a colour without a liberty, where the ko rule forbids it. */
static W7_NOINLINE void w7_slot_try_taking(const w7_slots *slots, const w7_slot_view *view, int color, int32_t point)
{
    const w7_slot *slot = view->slot;
    const int other = W7_BLACK + W7_WHITE - color;
    const uint32_t stride = (uint32_t)slots->width + 1, place = slots->place_of[point];
    const uint32_t sides[4] = {place - 1, place + 1, place - stride, place + stride};
    int32_t stones[3] = {0, slot->stones[W7_BLACK], slot->stones[W7_WHITE]};
    uint64_t hash = slot->hash;
    uint32_t chains[4] = {0}, tag, counts, any = 0;
    /* Of a suicide, the stone too. */
    if (color != slot->color) {
        hash ^= slots->keys[other][place];
        stones[other]++;
    }
    tag = w7_slot_tag(hash);
    for (int side = 0; side < 4; side++) {
        const uint32_t chain = w7_slot_chain(view, sides[side]);
        if (w7_slot_color(view, sides[side]) != color || !w7_slot_is_in_atari(view, chain) || chain == chains[0] ||
            chain == chains[1] || chain == chains[2])
            continue;
        chains[side] = any = chain;
        tag ^= view->chains[chain].tag;
        stones[color] -= view->chains[chain].stones;
    }
    if (slots->rules.ko == W7_KO_SIMPLE) {
        if (slot->stones[color] - stones[color] == 1 &&
            w7_slot_retakes(view, slots->point_of[view->chains[any].first], point))
            w7_slot_drop_legal(view, point);
        return;
    }
    counts = w7_slot_counts(stones[W7_BLACK], stones[W7_WHITE]);
    if (!w7_latest_may_have(&view->latest[counts], tag))
        return;
    for (int side = 0; side < 4; side++)
        if (chains[side] != 0)
            hash ^= w7_slot_chain_key(slots, view, color, chains[side]);
    if (w7_slot_repeats(slots, view, hash, counts, point))
        w7_slot_drop_legal(view, point);
}

/* --- the legal points ------------------------------------------------------------------------------ */

/* Drops the moves that take nothing and add the one stone that an earlier position of the game had more. */
static inline void w7_slot_drop_repeated_stones(const w7_slots *slots, const w7_slot_view *view,
                                                const uint64_t *takings, const uint64_t *suicides)
{
    const w7_slot *slot = view->slot;
    const w7_latest *latest = &view->latest[w7_slot_counts(slot->stones[W7_BLACK] + (slot->color == W7_BLACK),
                                                           slot->stones[W7_WHITE] + (slot->color == W7_WHITE))];
    if (latest->tags < W7_SLOT_SEVERAL &&
        !w7_point_in(slots->tagged[slot->color], (int32_t)(latest->tags ^ w7_slot_tag(slot->hash))))
        return;
    for (uint16_t ply = latest->ply; ply != W7_SLOT_NONE; ply = view->plies[ply].earlier) {
        const uint16_t point = w7_slots_find_key(slots, slot->color, view->plies[ply].hash ^ slot->hash);
        if (point != W7_SLOT_NONE && w7_point_in(view->legal, point) && !w7_point_in(takings, point) &&
            !w7_point_in(suicides, point) && w7_slot_ply_counts(slots, view, slot->color, ply) &&
            w7_slot_shows(slots, view, ply, point))
            w7_slot_drop_legal(view, point);
    }
}

/* Drops what makes an earlier position again. */
static W7_NOINLINE void w7_slot_drop_repeats(const w7_slots *slots, const w7_slot_view *view, const uint64_t *suicides)
{
    const w7_slot *slot = view->slot;
    const int color = slot->color, other = W7_BLACK + W7_WHITE - color;
    /* Whether one stone alone, which changes nothing, may be played: -1 where that is still to be found. */
    int allowed = !slots->rules.suicide || slots->rules.ko == W7_KO_POSITIONAL ? 1 : -1;
    for (int word = 0; word < slots->words; word++) {
        uint64_t points = view->liberties[other][word] & view->refills[word], alone;
        for (; points != 0; points &= points - 1)
            w7_slot_try_taking(slots, view, other, 64 * word + w7_lowest_bit(points));
        if (!slots->rules.suicide)
            continue;
        for (points = suicides[word] & view->liberties[color][word]; points != 0; points &= points - 1)
            w7_slot_try_taking(slots, view, color, 64 * word + w7_lowest_bit(points));
        alone = suicides[word] & ~view->liberties[color][word];
        if (allowed < 0 && alone != 0)
            allowed = !w7_slot_repeats(slots, view, slot->hash,
                                       w7_slot_counts(slot->stones[W7_BLACK], slot->stones[W7_WHITE]),
                                       64 * word + w7_lowest_bit(alone));
        if (allowed == 0)
            view->legal[word] &= ~alone;
    }
    w7_slot_drop_repeated_stones(slots, view, view->liberties[other], suicides);
}

/* The empty points, where the player may put stones but for the rules and but for suicides that are not `spared`. The
 * suicides, with no empty point and no strong own chain adjacent where nothing is taken, are in a set of their own. */
static inline void w7_slot_find_open(const w7_slots *slots, const w7_slot_view *view, const uint64_t *own,
                                     const uint64_t *takings, const uint64_t *spared, uint64_t *suicides)
{
    uint64_t strong[W7_SLOT_WORDS] = {0};
    for (int word = 0; word < slots->words; word++) {
        view->legal[word] = slots->all[word] & ~(view->black[word] | view->white[word]);
        strong[word] = view->legal[word] | (own[word] & ~view->weak[word]);
    }
    w7_slots_spread(slots, strong, suicides);
    for (int word = 0; word < slots->words; word++) {
        suicides[word] = view->legal[word] & ~suicides[word] & ~takings[word];
        view->legal[word] &= ~suicides[word] | spared[word];
    }
}

#ifdef W7_WITH_X86_ISAS

W7_TARGET_AVX512BW static W7_NOINLINE void w7_avx512_slot_find_open(const w7_slots *slots, const w7_slot_view *view,
                                                                    const uint64_t *own, const uint64_t *takings,
                                                                    const uint64_t *spared, uint64_t *suicides)
{
    const __m512i stones =
        _mm512_or_si512(w7_avx512_read_set(slots, view->black), w7_avx512_read_set(slots, view->white));
    const __m512i open = _mm512_andnot_si512(stones, w7_avx512_read_set(slots, slots->all));
    const __m512i strong = _mm512_andnot_si512(w7_avx512_read_set(slots, view->weak), w7_avx512_read_set(slots, own));
    const __m512i safe = _mm512_or_si512(w7_avx512_slot_spread(slots, _mm512_or_si512(open, strong)),
                                         w7_avx512_read_set(slots, takings));
    const __m512i found = _mm512_andnot_si512(safe, open);
    w7_avx512_write_set(slots, found, suicides);
    w7_avx512_write_set(slots, _mm512_andnot_si512(_mm512_andnot_si512(w7_avx512_read_set(slots, spared), found), open),
                        view->legal);
}

W7_TARGET_AVX2 static W7_NOINLINE void w7_avx2_slot_find_open(const w7_slots *slots, const w7_slot_view *view,
                                                              const uint64_t *own, const uint64_t *takings,
                                                              const uint64_t *spared, uint64_t *suicides)
{
    const w7_avx2_set stones = w7_avx2_or(w7_avx2_read_set(view->black), w7_avx2_read_set(view->white));
    const w7_avx2_set open = w7_avx2_andnot(stones, w7_avx2_read_set(slots->all));
    const w7_avx2_set strong = w7_avx2_andnot(w7_avx2_read_set(view->weak), w7_avx2_read_set(own));
    const w7_avx2_set safe =
        w7_avx2_or(w7_avx2_slot_spread(slots, w7_avx2_or(open, strong)), w7_avx2_read_set(takings));
    const w7_avx2_set found = w7_avx2_andnot(safe, open);
    w7_avx2_write_set(found, suicides);
    w7_avx2_write_set(w7_avx2_andnot(w7_avx2_andnot(w7_avx2_read_set(spared), found), open), view->legal);
}

#endif

/* Finds where the player may put a stone. */
static W7_NOINLINE void w7_slot_find_legal(const w7_slots *slots, const w7_slot_view *view)
{
    const int color = view->slot->color, other = W7_BLACK + W7_WHITE - color;
    const uint64_t *own = color == W7_BLACK ? view->black : view->white;
    const uint64_t *theirs = color == W7_BLACK ? view->white : view->black, *takings = view->liberties[other];
    /* A suicide of one stone makes the position before it. */
    const uint64_t *spared = !slots->rules.suicide                 ? slots->none
                             : slots->rules.ko == W7_KO_POSITIONAL ? view->liberties[color]
                                                                   : slots->all;
    const int32_t last = view->slot->move_count - 1;
    uint64_t suicides[W7_SLOT_WORDS];
#ifdef W7_WITH_X86_ISAS
    if (w7_slots_are_wide(slots))
        w7_avx512_slot_find_open(slots, view, own, takings, spared, suicides);
    else if (w7_slots_are_19(slots))
        w7_avx2_slot_find_open(slots, view, own, takings, spared, suicides);
    else
#endif
        w7_slot_find_open(slots, view, own, takings, spared, suicides);
    if (slots->rules.ko == W7_KO_NONE || last < 0)
        return;
    if (slots->rules.ko >= W7_KO_POSITIONAL && !w7_slot_is_new(view, last, theirs) &&
        w7_slot_may_repeat_without(slots, view, last - 1, own)) {
        w7_slot_drop_repeats(slots, view, suicides);
    } else if (view->plies[last].move < slots->points && w7_point_in(view->weak, view->plies[last].move)) {
        /* The last stone is taken. */
        const uint32_t chain = w7_slot_chain(view, slots->place_of[view->plies[last].move]);
        const int32_t point = slots->point_of[w7_chain_liberty(&view->chains[chain])];
        if (w7_point_in(view->refills, point))
            w7_slot_try_taking(slots, view, other, point);
    }
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
