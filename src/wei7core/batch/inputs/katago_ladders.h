/* The blocks that a ladder captures, as KataGo reads ladders for the inputs of its networks.
 *
 * Sources, of https://github.com/lightvector/KataGo: cpp/game/board.cpp, `searchIsLadderCaptured` and
 * `searchIsLadderCapturedAttackerFirst2Libs`. What it counts as a ladder is not what `Board.ladder` does: a ko that the
 * attacker leaves open is one that the defender wins, and a defender between two kos is dead.
 *
 * Positions are sets of points, and each move makes new ones in a frame of its own: no recursion, nothing to undo. */
#ifndef W7_BATCH_INPUTS_KATAGO_LADDERS_H
#define W7_BATCH_INPUTS_KATAGO_LADDERS_H

#include "batch/selfplay/layout.h"

enum {
    W7_INPUT_LADDER_NODES = 25000, /* as KataGo: then it is taken for none */
    W7_INPUT_LADDER_MOVES = 40     /* of a defender; captures beyond that are not tried */
};

typedef struct {
    uint64_t own[W7_SLOT_WORDS]; /* the defender's stones */
    uint64_t other[W7_SLOT_WORDS];
    uint64_t weak[W7_SLOT_WORDS]; /* those of the attacker's blocks with one liberty */
    uint64_t block[W7_SLOT_WORDS];
    uint64_t grown[W7_SLOT_WORDS]; /* the block once the defender has a stone on its liberty */
    int32_t ko;                    /* the point of it, or -1 */
    int32_t move_count;
    int32_t move_next;
    uint16_t moves[W7_INPUT_LADDER_MOVES];
} w7_input_frame;

typedef struct {
    const w7_slots *slots;
    w7_input_frame *frames; /* room for `depth` of them, and two more */
    int32_t depth;
    uint64_t seen[W7_SLOT_WORDS]; /* what was read are these points, and those adjacent to them */
} w7_input_ladders;

static W7_ALWAYS_INLINE int w7_input_has(const uint64_t *set, int32_t point)
{
    return set[point >> 6] >> (point & 63) & 1;
}

/* The points adjacent to one, at most four, W7_SLOT_NONE after them. */
static W7_ALWAYS_INLINE const uint16_t *w7_input_sides(const w7_slots *slots, int32_t point)
{
    return slots->sides + 4 * (size_t)point;
}

/* Loops over them: `side` is a number from 0 on. */
#define W7_FOR_SIDES(side, sides) for (int side = 0; side < 4 && (sides)[side] != W7_SLOT_NONE; side++)

#ifdef W7_WITH_X86_ISAS

/* Joins to a set all points of `in` that are connected to it. */
W7_TARGET_AVX512BW static W7_ALWAYS_INLINE __m512i w7_avx512_input_flood(const w7_slots *slots, __m512i set, __m512i in)
{
    __m512i was;
    do {
        was = set;
        set = _mm512_or_si512(set, _mm512_and_si512(w7_avx512_slot_spread(slots, set), in));
        set = _mm512_or_si512(set, _mm512_and_si512(w7_avx512_slot_spread(slots, set), in));
    } while (_mm512_cmpneq_epi64_mask(set, was) != 0);
    return set;
}

/* The same of 19 x 19 points. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE w7_avx2_set w7_avx2_input_flood(const w7_slots *slots, w7_avx2_set set,
                                                                       w7_avx2_set in)
{
    const w7_avx2_set not_first = w7_avx2_and(w7_avx2_read_set(slots->not_first), in);
    const w7_avx2_set not_last = w7_avx2_and(w7_avx2_read_set(slots->not_last), in);
    w7_avx2_set was;
    do {
        was = set;
        for (int k = 0; k < 2; k++) {
            const w7_avx2_set next = w7_avx2_and(w7_avx2_after(set, 1), not_first);
            const w7_avx2_set last = w7_avx2_and(w7_avx2_before(set, 1), not_last);
            const w7_avx2_set rows = w7_avx2_or(w7_avx2_after(set, 19), w7_avx2_before(set, 19));
            set = w7_avx2_or(set, w7_avx2_or(w7_avx2_and(rows, in), w7_avx2_or(next, last)));
        }
    } while (!w7_avx2_is_empty(w7_avx2_andnot(was, set)));
    return set;
}

W7_TARGET_AVX2 static W7_NOINLINE void w7_avx2_input_reach(const w7_slots *slots, uint64_t *set,
                                                           const uint64_t *through)
{
    w7_avx2_write_set(w7_avx2_input_flood(slots, w7_avx2_read_set(set), w7_avx2_read_set(through)), set);
}

/* w7_input_block, whose sets are whole whatever the count. */
W7_TARGET_AVX512BW static W7_NOINLINE int w7_avx512_input_block(const w7_slots *slots, const uint64_t *own,
                                                                const uint64_t *other, int32_t point, int most,
                                                                uint64_t *block, uint64_t *liberties)
{
    const __m512i stones = w7_avx512_read_set(slots, own);
    const __m512i first =
        _mm512_maskz_set1_epi64((__mmask8)(1 << (point >> 6)), (long long)((uint64_t)1 << (point & 63)));
    const __m512i found = w7_avx512_input_flood(slots, first, stones);
    int count = 0;
    w7_avx512_write_set(slots, found, block);
    w7_avx512_write_set(slots,
                        _mm512_andnot_si512(_mm512_or_si512(stones, w7_avx512_read_set(slots, other)),
                                            w7_avx512_slot_spread(slots, found)),
                        liberties);
    for (int word = 0; word < slots->words; word++)
        count += __builtin_popcountll(liberties[word]);
    return count > most ? most + 1 : count;
}

#endif

/* The block of a stone of `own`, into `block`, and its liberties, into `liberties`, unless they are more than `most`.
 * Returns how many they are, at most one more than that. */
static W7_NOINLINE int w7_input_block(const w7_slots *slots, const uint64_t *own, const uint64_t *other, int32_t point,
                                      int most, uint64_t *block, uint64_t *liberties)
{
    uint16_t stack[W7_SLOT_PLACES];
    int waiting = 1, count = 0;
#ifdef W7_WITH_X86_ISAS
    /* With fewer, the first stones of most blocks decide, and no more than these is seen. */
    if (most > 1 && w7_slots_are_wide(slots))
        return w7_avx512_input_block(slots, own, other, point, most, block, liberties);
#endif
    memset(block, 0, (size_t)slots->words * sizeof *block);
    w7_point_add(block, point);
#ifdef W7_WITH_X86_ISAS
    if (most > 1 && w7_slots_are_19(slots)) {
        w7_avx2_input_reach(slots, block, own);
        w7_slots_spread(slots, block, liberties);
        for (int word = 0; word < slots->words; word++) {
            liberties[word] &= ~(own[word] | other[word]);
            count += w7_bit_count(liberties[word]);
        }
        return count > most ? most + 1 : count;
    }
#endif
    memset(liberties, 0, (size_t)slots->words * sizeof *liberties);
    stack[0] = (uint16_t)point;
    while (waiting > 0) {
        const uint16_t *sides = w7_input_sides(slots, stack[--waiting]);
        W7_FOR_SIDES(side, sides)
        {
            const int32_t adjacent = sides[side];
            if (w7_input_has(own, adjacent)) {
                if (!w7_input_has(block, adjacent)) {
                    w7_point_add(block, adjacent);
                    stack[waiting++] = (uint16_t)adjacent;
                }
            } else if (!w7_input_has(other, adjacent) && !w7_input_has(liberties, adjacent)) {
                w7_point_add(liberties, adjacent);
                if (++count > most)
                    return count;
            }
        }
    }
    return count;
}

/* The same, seen by a ladder. */
static W7_NOINLINE int w7_input_see(w7_input_ladders *ladders, const uint64_t *own, const uint64_t *other,
                                    int32_t point, int most, uint64_t *block, uint64_t *liberties)
{
    const int count = w7_input_block(ladders->slots, own, other, point, most, block, liberties);
    for (int word = 0; word < ladders->slots->words; word++)
        ladders->seen[word] |= block[word];
    return count;
}

static W7_NOINLINE int w7_input_free_sides(w7_input_ladders *ladders, const uint64_t *own, const uint64_t *other,
                                           int32_t point)
{
    const uint16_t *sides = w7_input_sides(ladders->slots, point);
    int found = 0;
    w7_point_add(ladders->seen, point);
    W7_FOR_SIDES(side, sides)
    found += !w7_input_has(own, sides[side]) && !w7_input_has(other, sides[side]);
    return found;
}

static W7_ALWAYS_INLINE int32_t w7_input_first(const w7_slots *slots, const uint64_t *set)
{
    for (int word = 0; word < slots->words; word++)
        if (set[word] != 0)
            return 64 * word + w7_lowest_bit(set[word]);
    return -1;
}

static W7_NOINLINE int w7_input_count(const w7_slots *slots, const uint64_t *set)
{
    int count = 0;
    for (int word = 0; word < slots->words; word++)
        count += w7_bit_count(set[word]);
    return count;
}

/* The liberties of the block of a frame. Returns how many they are. */
static inline int w7_input_liberties(w7_input_ladders *ladders, const w7_input_frame *frame, uint64_t *liberties)
{
    const w7_slots *slots = ladders->slots;
    w7_slots_spread(slots, frame->block, liberties);
    for (int word = 0; word < slots->words; word++) {
        ladders->seen[word] |= frame->block[word];
        liberties[word] &= ~(frame->own[word] | frame->other[word]);
    }
    return w7_input_count(slots, liberties);
}

/* The defender plays: what it takes is removed. Returns the point of the ko that this leaves, or -1. */
static inline int32_t w7_input_answer(w7_input_ladders *ladders, w7_input_frame *frame, int32_t point)
{
    const w7_slots *slots = ladders->slots;
    uint64_t block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    int32_t taken = -1;
    const uint16_t *sides = w7_input_sides(slots, point);
    int taken_count = 0, own_count = 0;
    w7_point_add(frame->own, point);
    w7_point_add(ladders->seen, point);
    W7_FOR_SIDES(side, sides)
    {
        int count;
        own_count += w7_input_has(frame->own, sides[side]);
        if (!w7_input_has(frame->other, sides[side]))
            continue;
        count = w7_input_see(ladders, frame->other, frame->own, sides[side], 1, block, liberties);
        for (int word = 0; count == 1 && word < slots->words; word++)
            frame->weak[word] |= block[word];
        for (int word = 0; count == 0 && word < slots->words; word++) {
            taken_count += w7_bit_count(block[word]);
            frame->other[word] &= ~block[word];
            frame->weak[word] &= ~block[word];
            taken = sides[side];
        }
    }
    return taken_count == 1 && own_count == 0 && w7_input_free_sides(ladders, frame->own, frame->other, point) == 1
               ? taken
               : -1;
}

/* Finds the blocks of the attacker with one liberty among those that had it. */
static inline void w7_input_weaken(w7_input_ladders *ladders, w7_input_frame *frame)
{
    const w7_slots *slots = ladders->slots;
    uint64_t rest[W7_SLOT_WORDS], block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    const size_t bytes = (size_t)slots->words * sizeof *rest;
    memcpy(rest, frame->weak, bytes);
    memset(frame->weak, 0, bytes);
    for (int32_t stone = w7_input_first(slots, rest); stone >= 0; stone = w7_input_first(slots, rest)) {
        const int count = w7_input_see(ladders, frame->other, frame->own, stone, 1, block, liberties);
        for (int word = 0; word < slots->words; word++) {
            rest[word] &= ~block[word];
            frame->weak[word] |= count == 1 ? block[word] : 0;
        }
    }
}

/* The attacker plays: what it takes is removed. Returns whether the move is no suicide; the frame has the ko it leaves. */
static inline int w7_input_attack_at(w7_input_ladders *ladders, w7_input_frame *frame, int32_t point)
{
    const w7_slots *slots = ladders->slots;
    uint64_t block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    int32_t taken = -1;
    const uint16_t *sides = w7_input_sides(slots, point);
    int taken_count = 0, other_count = 0, most = 1, count;
    w7_point_add(frame->other, point);
    w7_point_add(ladders->seen, point);
    W7_FOR_SIDES(side, sides)
    {
        other_count += w7_input_has(frame->other, sides[side]);
        if (w7_input_has(frame->weak, sides[side]))
            most = W7_SLOT_PLACES; /* all of its stones have to be known */
        if (!w7_input_has(frame->own, sides[side]) ||
            w7_input_see(ladders, frame->own, frame->other, sides[side], 0, block, liberties) != 0)
            continue;
        taken = sides[side];
        for (int word = 0; word < slots->words; word++) {
            taken_count += w7_bit_count(block[word]);
            frame->own[word] &= ~block[word];
        }
    }
    if (taken_count > 0)
        w7_input_weaken(ladders, frame);
    count = w7_input_see(ladders, frame->other, frame->own, point, most, block, liberties);
    for (int word = 0; word < slots->words; word++)
        frame->weak[word] = (frame->weak[word] & ~block[word]) | (count == 1 ? block[word] : 0);
    frame->ko = taken_count == 1 && other_count == 0 && count == 1 ? taken : -1;
    return count > 0;
}

/* Adds the points where the defender takes a block adjacent to its own. Returns how many moves there are. */
static inline int w7_input_captures(w7_input_ladders *ladders, const w7_input_frame *frame, uint16_t *moves)
{
    const w7_slots *slots = ladders->slots;
    uint64_t adjacent[W7_SLOT_WORDS], block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    int count = 0;
    w7_slots_spread(slots, frame->block, adjacent);
    for (int word = 0; word < slots->words; word++)
        adjacent[word] &= frame->weak[word];
    for (int32_t stone = w7_input_first(slots, adjacent); stone >= 0; stone = w7_input_first(slots, adjacent)) {
        int32_t liberty;
        int is_new = 1;
        w7_input_see(ladders, frame->other, frame->own, stone, 1, block, liberties);
        for (int word = 0; word < slots->words; word++)
            adjacent[word] &= ~block[word];
        liberty = w7_input_first(slots, liberties);
        for (int k = 0; k < count; k++)
            is_new &= moves[k] != liberty;
        if (is_new && count < W7_INPUT_LADDER_MOVES - 1)
            moves[count++] = (uint16_t)liberty;
    }
    return count;
}

/* Whether all around an empty point are stones of the defender, of which one alone can be taken there. */
static inline int w7_input_is_ko_mouth(w7_input_ladders *ladders, const w7_input_frame *frame, int32_t point)
{
    uint64_t block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    const uint16_t *sides = w7_input_sides(ladders->slots, point);
    int takes = 0;
    W7_FOR_SIDES(side, sides)
    {
        if (!w7_input_has(frame->own, sides[side]))
            return 0;
        if (w7_input_see(ladders, frame->own, frame->other, sides[side], 1, block, liberties) == 1) {
            if (takes++ > 0 || w7_input_count(ladders->slots, block) != 1)
                return 0;
        }
    }
    return takes == 1;
}

/* Whether the defender has at most two liberties after a stone on this point. */
static inline int w7_input_gains_nothing(w7_input_ladders *ladders, const w7_input_frame *frame, int32_t point)
{
    uint64_t block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    w7_input_frame after = *frame;
    w7_input_answer(ladders, &after, point);
    return w7_input_see(ladders, after.own, after.other, point, 2, block, liberties) <= 2;
}

/* How many liberties the block has, at most three, once the defender has put a stone on one that it has; two where it
 * takes something and they may be more. `filled`: where the attacker plays before, or -1. Below three, `grown` is the
 * block then. */
static inline int w7_input_extended(w7_input_ladders *ladders, w7_input_frame *frame, int32_t liberty, int32_t filled)
{
    const w7_slots *slots = ladders->slots;
    uint64_t block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS], all[W7_SLOT_WORDS];
    const size_t bytes = (size_t)slots->words * sizeof *all;
    const uint16_t *sides = w7_input_sides(slots, liberty);
    int takes = 0, count;
    w7_point_add(ladders->seen, liberty);
    memset(all, 0, bytes);
    memcpy(frame->grown, frame->block, bytes);
    W7_FOR_SIDES(side, sides)
    {
        const int32_t adjacent = sides[side];
        if (w7_input_has(frame->own, adjacent)) {
            if (w7_input_has(frame->grown, adjacent))
                continue;
            /* Of more than four liberties, at most two are these points. */
            if (w7_input_see(ladders, frame->own, frame->other, adjacent, 4, block, liberties) > 4)
                return 3;
            for (int word = 0; word < slots->words; word++) {
                frame->grown[word] |= block[word];
                all[word] |= liberties[word];
            }
        } else if (!w7_input_has(frame->other, adjacent)) {
            w7_point_add(all, adjacent);
        } else if (w7_input_has(frame->weak, adjacent)) {
            takes = 1;
        }
    }
    w7_point_add(frame->grown, liberty);
    w7_point_drop(all, liberty);
    if (filled >= 0)
        w7_point_drop(all, filled);
    count = w7_input_count(slots, all);
    return takes && count < 2 ? 2 : count < 3 ? count : 3;
}

/* Looks at a position where the attacker is to move. Returns 1 where the block is taken, 0 where it is not, and -1 where
 * its moves have to be tried, which are then those of the frame. */
static inline int w7_input_attack(w7_input_ladders *ladders, w7_input_frame *frame)
{
    uint64_t liberties[W7_SLOT_WORDS];
    uint16_t captures[W7_INPUT_LADDER_MOVES];
    const int count = w7_input_liberties(ladders, frame, liberties);
    int32_t first, second;
    int first_free, second_free;
    if (count != 2)
        return count < 2;
    first = w7_input_first(ladders->slots, liberties);
    w7_point_drop(liberties, first);
    second = w7_input_first(ladders->slots, liberties);
    first_free = w7_input_free_sides(ladders, frame->own, frame->other, first);
    second_free = w7_input_free_sides(ladders, frame->own, frame->other, second);
    if (first_free == 0 && second_free == 0 && w7_input_is_ko_mouth(ladders, frame, first) &&
        w7_input_is_ko_mouth(ladders, frame, second) && w7_input_gains_nothing(ladders, frame, first) &&
        w7_input_gains_nothing(ladders, frame, second) && w7_input_captures(ladders, frame, captures) == 0)
        return 1;
    frame->move_count = 0;
    frame->move_next = 0;
    /* Where the defender gets away on one point, the attacker has to play there. */
    if (second_free > first_free) {
        const int32_t kept = first;
        first = second;
        second = kept;
    }
    if (w7_input_extended(ladders, frame, second, first) < 3)
        frame->moves[frame->move_count++] = (uint16_t)first;
    if (w7_input_extended(ladders, frame, first, second) < 3)
        frame->moves[frame->move_count++] = (uint16_t)second;
    return frame->move_count == 0 ? 0 : -1;
}

/* The same where the defender is to move. */
static inline int w7_input_defend(w7_input_ladders *ladders, w7_input_frame *frame)
{
    uint64_t liberties[W7_SLOT_WORDS];
    int32_t liberty;
    int extended;
    if (frame->ko >= 0 || w7_input_liberties(ladders, frame, liberties) != 1)
        return 0;
    liberty = w7_input_first(ladders->slots, liberties);
    extended = w7_input_extended(ladders, frame, liberty, -1);
    if (extended > 2)
        return 0;
    frame->move_next = 0;
    frame->move_count = w7_input_captures(ladders, frame, frame->moves);
    frame->moves[frame->move_count++] = (uint16_t)liberty; /* after all others */
    return extended < 2 && frame->move_count == 1 ? 1 : -1;
}

/* Whether the defender, who is to move, loses the block of frame 0, whose liberty is one. */
static inline int w7_input_is_captured(w7_input_ladders *ladders)
{
    const w7_slots *slots = ladders->slots;
    const size_t bytes = (size_t)slots->words * sizeof(uint64_t);
    int32_t at = 0, nodes = 0;
    int result;
    ladders->frames[0].ko = -1; /* any ko may be taken by the defender at first */
    result = w7_input_defend(ladders, &ladders->frames[0]);
    if (result >= 0)
        return result;
    for (;;) {
        w7_input_frame *frame = &ladders->frames[at], *next = frame + 1;
        const int is_defender = (at & 1) == 0;
        if (frame->move_next == frame->move_count) { /* all moves of its player have failed */
            result = is_defender;
        } else {
            const int32_t move = frame->moves[frame->move_next++];
            if (move == frame->ko)
                continue;
            if (++nodes > W7_INPUT_LADDER_NODES)
                return 0;
            memcpy(next->own, frame->own, bytes);
            memcpy(next->other, frame->other, bytes);
            memcpy(next->weak, frame->weak, bytes);
            if (is_defender) {
                next->ko = w7_input_answer(ladders, next, move);
                memcpy(next->block, move == frame->moves[frame->move_count - 1] ? frame->grown : frame->block, bytes);
                result = at + 1 >= ladders->depth ? 1 : w7_input_attack(ladders, next);
            } else {
                if (!w7_input_attack_at(ladders, next, move))
                    continue;
                memcpy(next->block, frame->block, bytes);
                result = at + 1 >= ladders->depth ? 1 : w7_input_defend(ladders, next);
            }
            if (result < 0) {
                at++;
                continue;
            }
            /* The player of this frame goes on while its moves fail. */
            if (result == is_defender)
                continue;
        }
        /* What the frame came to is what the move of the frame before came to. */
        for (;;) {
            if (at == 0)
                return result;
            at--;
            if (result != ((at & 1) == 0))
                continue; /* that move was what its player wants */
            break;
        }
    }
}

/* Begins a ladder with a position, of which `weak` are the stones of blocks with one liberty. */
static inline w7_input_frame *w7_input_begin(w7_input_ladders *ladders, const uint64_t *own, const uint64_t *other,
                                             const uint64_t *weak, const uint64_t *block)
{
    w7_input_frame *first = ladders->frames;
    for (int word = 0; word < ladders->slots->words; word++) {
        first->own[word] = own[word];
        first->other[word] = other[word];
        first->weak[word] = other[word] & weak[word];
        first->block[word] = block[word];
    }
    return first;
}

/* Whether a ladder takes a block with at most two liberties, where the attacker may not play on `ko`. `weak` are the
 * stones of blocks with one liberty. `moves` are those that begin it against two liberties, else W7_SLOT_NONE. */
static inline int w7_input_find_ladder(w7_input_ladders *ladders, const uint64_t *own, const uint64_t *other,
                                       const uint64_t *weak, const uint64_t *block, const uint64_t *liberties,
                                       int32_t ko, uint16_t moves[2])
{
    const w7_slots *slots = ladders->slots;
    const int32_t point = w7_input_first(slots, liberties);
    uint64_t rest[W7_SLOT_WORDS];
    int32_t points[2];
    int count = 0;
    moves[0] = moves[1] = W7_SLOT_NONE;
    memcpy(ladders->seen, block, (size_t)slots->words * sizeof *block);
    memcpy(rest, liberties, (size_t)slots->words * sizeof *rest);
    w7_point_drop(rest, point);
    points[0] = point;
    points[1] = w7_input_first(slots, rest);
    w7_input_begin(ladders, own, other, weak, block);
    if (points[1] < 0)
        return w7_input_is_captured(ladders);
    for (int k = 0; k < 2; k++) {
        if (points[k] == ko || w7_input_extended(ladders, ladders->frames, points[1 - k], points[k]) > 2)
            continue;
        if (w7_input_attack_at(ladders, ladders->frames, points[k]) && w7_input_is_captured(ladders))
            moves[count++] = (uint16_t)points[k];
        w7_input_begin(ladders, own, other, weak, block);
    }
    return count > 0;
}

#endif
