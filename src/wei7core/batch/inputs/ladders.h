/* Which blocks a ladder takes, as KataGo reads ladders for the inputs of its networks.
 *
 * Sources, of https://github.com/lightvector/KataGo: cpp/game/board.cpp, `searchIsLadderCaptured` and
 * `searchIsLadderCapturedAttackerFirst2Libs`, and `iterLadders` of cpp/neuralnet/nninputs.cpp. What it counts as a ladder
 * is not what `Board.ladder` does: a ko that the attacker leaves open is one that the defender wins, and a defender
 * between two kos is dead.
 *
 * Positions are sets of points, and each move makes new ones in a frame of its own: no recursion, nothing to undo. */
#ifndef W7_INPUT_LADDERS_H
#define W7_INPUT_LADDERS_H

#include "batch/inputs/chains.h"

enum {
    W7_INPUT_LADDER_NODES = 25000, /* as KataGo: then it is taken for none */
    W7_INPUT_LADDER_MOVES = 40     /* of a defender; captures beyond that are not tried */
};

typedef struct {
    uint64_t own[W7_SLOT_WORDS]; /* the defender's stones */
    uint64_t other[W7_SLOT_WORDS];
    uint64_t block[W7_SLOT_WORDS];
    int32_t ko; /* the point of it, or -1 */
    int32_t move_count;
    int32_t move_next;
    uint16_t moves[W7_INPUT_LADDER_MOVES];
} w7_input_frame;

typedef struct {
    w7_input_frame *frames; /* room for `depth` of them, and two more */
    int32_t depth;
} w7_input_ladders;

static W7_ALWAYS_INLINE int w7_input_has(const uint64_t *set, int32_t point)
{
    return set[point >> 6] >> (point & 63) & 1;
}

static W7_ALWAYS_INLINE void w7_input_drop(uint64_t *set, int32_t point)
{
    set[point >> 6] &= ~((uint64_t)1 << (point & 63));
}

/* The points adjacent to one; returns how many they are. */
static W7_ALWAYS_INLINE int w7_input_sides(const w7_slots *slots, int32_t point, int32_t sides[4])
{
    const uint32_t stride = (uint32_t)slots->width + 1, place = slots->place_of[point];
    const uint32_t places[4] = {place - stride, place - 1, place + 1, place + stride};
    int count = 0;
    for (int side = 0; side < 4; side++) {
        const uint16_t adjacent = slots->point_of[places[side]];
        sides[count] = adjacent;
        count += adjacent != W7_SLOT_NONE;
    }
    return count;
}

static W7_ALWAYS_INLINE int w7_input_free_sides(const w7_slots *slots, const uint64_t *own, const uint64_t *other,
                                                int32_t point)
{
    int32_t sides[4];
    const int count = w7_input_sides(slots, point, sides);
    int found = 0;
    for (int side = 0; side < count; side++)
        found += !w7_input_has(own, sides[side]) && !w7_input_has(other, sides[side]);
    return found;
}

/* The block of a stone of `own`, into `block`, and its liberties, into `liberties`, unless they are more than `most`.
 * Returns how many they are, at most one more than that. */
static inline int w7_input_block(const w7_slots *slots, const uint64_t *own, const uint64_t *other, int32_t point,
                                 int most, uint64_t *block, uint64_t *liberties)
{
    uint16_t stack[W7_SLOT_PLACES];
    int waiting = 1, count = 0;
    memset(block, 0, (size_t)slots->words * sizeof *block);
    memset(liberties, 0, (size_t)slots->words * sizeof *liberties);
    stack[0] = (uint16_t)point;
    w7_point_add(block, point);
    while (waiting > 0) {
        int32_t sides[4];
        const int side_count = w7_input_sides(slots, stack[--waiting], sides);
        for (int side = 0; side < side_count; side++) {
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

static W7_ALWAYS_INLINE int32_t w7_input_first(const w7_slots *slots, const uint64_t *set)
{
    for (int word = 0; word < slots->words; word++)
        if (set[word] != 0)
            return 64 * word + w7_lowest_bit(set[word]);
    return -1;
}

static W7_ALWAYS_INLINE int w7_input_count(const w7_slots *slots, const uint64_t *set)
{
    int count = 0;
    for (int word = 0; word < slots->words; word++)
        count += w7_bit_count(set[word]);
    return count;
}

/* The empty points adjacent to a set. Returns how many they are. */
static inline int w7_input_liberties(const w7_slots *slots, const uint64_t *set, const uint64_t *own,
                                     const uint64_t *other, uint64_t *liberties)
{
    w7_slots_spread(slots, set, liberties);
    for (int word = 0; word < slots->words; word++)
        liberties[word] &= ~(own[word] | other[word]);
    return w7_input_count(slots, liberties);
}

/* Plays a stone of the player whose set is `mover`: removes what it takes, or itself with its block. Returns the point of
 * the ko that this leaves, or -1. */
static inline int32_t w7_input_play(const w7_slots *slots, uint64_t *mover, uint64_t *answerer, int32_t point)
{
    uint64_t block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    int32_t sides[4], taken = -1;
    const int side_count = w7_input_sides(slots, point, sides);
    int taken_count = 0, free_count = 0, own_count = 0;
    w7_point_add(mover, point);
    for (int side = 0; side < side_count; side++) {
        if (w7_input_has(answerer, sides[side])) {
            if (w7_input_block(slots, answerer, mover, sides[side], 0, block, liberties) == 0) {
                taken_count += w7_input_count(slots, block);
                taken = sides[side];
                for (int word = 0; word < slots->words; word++)
                    answerer[word] &= ~block[word];
            }
        }
    }
    for (int side = 0; side < side_count; side++) {
        own_count += w7_input_has(mover, sides[side]);
        free_count += !w7_input_has(mover, sides[side]) && !w7_input_has(answerer, sides[side]);
    }
    if (free_count == 0 && w7_input_block(slots, mover, answerer, point, 0, block, liberties) == 0)
        for (int word = 0; word < slots->words; word++)
            mover[word] &= ~block[word];
    return taken_count == 1 && own_count == 0 && free_count == 1 ? taken : -1;
}

/* Whether a stone would be a single one without a liberty that takes nothing. */
static inline int w7_input_is_lone_suicide(const w7_slots *slots, const uint64_t *mover, const uint64_t *answerer,
                                           int32_t point)
{
    uint64_t block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    int32_t sides[4];
    const int side_count = w7_input_sides(slots, point, sides);
    for (int side = 0; side < side_count; side++)
        if (!w7_input_has(answerer, sides[side]))
            return 0;
    for (int side = 0; side < side_count; side++)
        if (w7_input_block(slots, answerer, mover, sides[side], 1, block, liberties) == 1)
            return 0;
    return 1;
}

/* Adds the points where the defender takes a block adjacent to its own. Returns how many moves there are. */
static inline int w7_input_captures(const w7_slots *slots, const w7_input_frame *frame, uint16_t *moves)
{
    uint64_t adjacent[W7_SLOT_WORDS], block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    int count = 0;
    w7_slots_spread(slots, frame->block, adjacent);
    for (int word = 0; word < slots->words; word++) {
        for (uint64_t bits = adjacent[word] & frame->other[word]; bits != 0; bits &= bits - 1) {
            const int32_t stone = 64 * word + w7_lowest_bit(bits);
            int32_t liberty;
            int is_new = 1;
            if (w7_input_free_sides(slots, frame->own, frame->other, stone) > 1 ||
                w7_input_block(slots, frame->other, frame->own, stone, 1, block, liberties) != 1)
                continue;
            liberty = w7_input_first(slots, liberties);
            for (int k = 0; k < count; k++)
                is_new &= moves[k] != liberty;
            if (is_new && count < W7_INPUT_LADDER_MOVES - 1)
                moves[count++] = (uint16_t)liberty;
        }
    }
    return count;
}

/* Whether all around an empty point are stones of the defender, of which one alone can be taken there. */
static inline int w7_input_is_ko_mouth(const w7_slots *slots, const w7_input_frame *frame, int32_t point)
{
    uint64_t block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    int32_t sides[4];
    const int side_count = w7_input_sides(slots, point, sides);
    int takes = 0;
    for (int side = 0; side < side_count; side++) {
        if (!w7_input_has(frame->own, sides[side]))
            return 0;
        if (w7_input_block(slots, frame->own, frame->other, sides[side], 1, block, liberties) == 1) {
            if (takes++ > 0 || w7_input_count(slots, block) != 1)
                return 0;
        }
    }
    return takes == 1;
}

/* Whether the defender has at most two liberties after a stone on this point. */
static inline int w7_input_gains_nothing(const w7_slots *slots, const w7_input_frame *frame, int32_t point)
{
    uint64_t own[W7_SLOT_WORDS], other[W7_SLOT_WORDS], block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    memcpy(own, frame->own, sizeof own);
    memcpy(other, frame->other, sizeof other);
    w7_input_play(slots, own, other, point);
    return !w7_input_has(own, point) || w7_input_block(slots, own, other, point, 2, block, liberties) <= 2;
}

/* Whether the defender has three liberties at least once its stone is on a liberty of the block: by the free sides of
 * that point, or by another block of its own adjacent to it. `filled`: where the attacker plays before, or -1. */
static inline int w7_input_gets_away(const w7_slots *slots, const uint64_t *own, const uint64_t *other,
                                     const uint64_t *block, int32_t liberty, int32_t filled)
{
    uint64_t adjacent[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
    int32_t sides[4];
    const int count = w7_input_sides(slots, liberty, sides);
    int free_count = 0;
    for (int side = 0; side < count; side++)
        free_count += sides[side] != filled && !w7_input_has(own, sides[side]) && !w7_input_has(other, sides[side]);
    if (free_count > 2)
        return 1;
    for (int side = 0; side < count; side++)
        /* Of more than four liberties, at most two are these points. */
        if (w7_input_has(own, sides[side]) && !w7_input_has(block, sides[side]) &&
            w7_input_block(slots, own, other, sides[side], 4, adjacent, liberties) > 4)
            return 1;
    return 0;
}

/* Looks at a position where the attacker is to move. Returns 1 where the block is taken, 0 where it is not, and -1 where
 * its moves have to be tried, which are then those of the frame. */
static inline int w7_input_attack(const w7_slots *slots, w7_input_frame *frame)
{
    uint64_t liberties[W7_SLOT_WORDS];
    uint16_t captures[W7_INPUT_LADDER_MOVES];
    const int count = w7_input_liberties(slots, frame->block, frame->own, frame->other, liberties);
    int32_t first, second;
    int first_free, second_free;
    if (count != 2)
        return count < 2;
    first = w7_input_first(slots, liberties);
    w7_input_drop(liberties, first);
    second = w7_input_first(slots, liberties);
    first_free = w7_input_free_sides(slots, frame->own, frame->other, first);
    second_free = w7_input_free_sides(slots, frame->own, frame->other, second);
    if (first_free == 0 && second_free == 0 && w7_input_is_ko_mouth(slots, frame, first) &&
        w7_input_is_ko_mouth(slots, frame, second) && w7_input_gains_nothing(slots, frame, first) &&
        w7_input_gains_nothing(slots, frame, second) && w7_input_captures(slots, frame, captures) == 0)
        return 1;
    frame->move_count = 0;
    frame->move_next = 0;
    /* Where the defender gets away on one point, the attacker has to play there. */
    if (second_free > first_free) {
        const int32_t kept = first;
        first = second;
        second = kept;
    }
    if (!w7_input_gets_away(slots, frame->own, frame->other, frame->block, second, first))
        frame->moves[frame->move_count++] = (uint16_t)first;
    if (!w7_input_gets_away(slots, frame->own, frame->other, frame->block, first, second))
        frame->moves[frame->move_count++] = (uint16_t)second;
    return frame->move_count == 0 ? 0 : -1;
}

/* The same where the defender is to move. */
static inline int w7_input_defend(const w7_slots *slots, w7_input_frame *frame)
{
    uint64_t liberties[W7_SLOT_WORDS];
    int32_t liberty;
    if (frame->ko >= 0 || w7_input_liberties(slots, frame->block, frame->own, frame->other, liberties) != 1)
        return 0;
    liberty = w7_input_first(slots, liberties);
    if (w7_input_free_sides(slots, frame->own, frame->other, liberty) > 2)
        return 0;
    frame->move_next = 0;
    frame->move_count = w7_input_captures(slots, frame, frame->moves);
    frame->moves[frame->move_count++] = (uint16_t)liberty;
    return -1;
}

/* Whether the defender, who is to move, loses the block of frame 0, whose liberty is one. */
static inline int w7_input_is_captured(const w7_slots *slots, w7_input_ladders *ladders)
{
    int32_t at = 0, nodes = 0;
    int result = -1;
    ladders->frames[0].ko = -1; /* any ko may be taken by the defender at first */
    result = w7_input_defend(slots, &ladders->frames[0]);
    if (result >= 0)
        return result;
    for (;;) {
        w7_input_frame *frame = &ladders->frames[at], *next = frame + 1;
        const int is_defender = (at & 1) == 0;
        int32_t move, ko;
        if (frame->move_next == frame->move_count) { /* all moves of its player have failed */
            result = is_defender;
        } else {
            move = frame->moves[frame->move_next++];
            if (move == frame->ko || (!is_defender && w7_input_is_lone_suicide(slots, frame->other, frame->own, move)))
                continue;
            if (++nodes > W7_INPUT_LADDER_NODES)
                return 0;
            memcpy(next->own, frame->own, (size_t)slots->words * sizeof *next->own);
            memcpy(next->other, frame->other, (size_t)slots->words * sizeof *next->other);
            ko = is_defender ? w7_input_play(slots, next->own, next->other, move)
                             : w7_input_play(slots, next->other, next->own, move);
            next->ko = ko;
            if (!is_defender) {
                memcpy(next->block, frame->block, (size_t)slots->words * sizeof *next->block);
                result = at + 1 >= ladders->depth ? 1 : w7_input_defend(slots, next);
            } else if (!w7_input_has(next->own, w7_input_first(slots, frame->block))) {
                result = 1; /* suicide */
            } else {
                uint64_t liberties[W7_SLOT_WORDS];
                w7_input_block(slots, next->own, next->other, w7_input_first(slots, frame->block), W7_SLOT_PLACES,
                               next->block, liberties);
                result = at + 1 >= ladders->depth ? 1 : w7_input_attack(slots, next);
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

/* The point of a set of two that is not this one. */
static W7_ALWAYS_INLINE int32_t w7_input_other(const w7_slots *slots, const uint64_t *set, int32_t point)
{
    for (int word = 0; word < slots->words; word++) {
        const uint64_t bits = word == point >> 6 ? set[word] & ~((uint64_t)1 << (point & 63)) : set[word];
        if (bits != 0)
            return 64 * word + w7_lowest_bit(bits);
    }
    return -1;
}

/* Finds the stones of blocks that a ladder takes, and, unless `working` is NULL, the points where the player whose
 * opponent is `prey` begins one against a block with two liberties. `ko`: where nobody may take back at once, or -1. */
static inline void w7_input_find_ladders(const w7_slots *slots, w7_input_ladders *ladders,
                                         const w7_input_chains *chains, const uint64_t *black, const uint64_t *white,
                                         int32_t ko, int prey, uint64_t *taken, uint64_t *working)
{
    const size_t bytes = (size_t)slots->words * sizeof *taken;
    memset(taken, 0, bytes);
    if (working != NULL)
        memset(working, 0, bytes);
    for (int32_t chain = 1; chain <= chains->count; chain++) {
        const int color = chains->color[chain];
        const uint64_t *own = color == W7_BLACK ? black : white, *other = color == W7_BLACK ? white : black;
        w7_input_frame *first = &ladders->frames[0];
        uint64_t block[W7_SLOT_WORDS], liberties[W7_SLOT_WORDS];
        int is_taken = 0;
        if (chains->liberties[chain] > 2)
            continue;
        w7_input_block(slots, own, other, chains->first[chain], 2, block, liberties);
        if (chains->liberties[chain] == 1) {
            memcpy(first->own, own, bytes);
            memcpy(first->other, other, bytes);
            memcpy(first->block, block, bytes);
            is_taken = w7_input_is_captured(slots, ladders);
        } else {
            for (int word = 0; word < slots->words; word++) {
                for (uint64_t bits = liberties[word]; bits != 0; bits &= bits - 1) {
                    const int32_t move = 64 * word + w7_lowest_bit(bits);
                    if (w7_input_gets_away(slots, own, other, block, w7_input_other(slots, liberties, move), move) ||
                        move == ko || w7_input_is_lone_suicide(slots, other, own, move))
                        continue;
                    memcpy(first->own, own, bytes);
                    memcpy(first->other, other, bytes);
                    memcpy(first->block, block, bytes);
                    w7_input_play(slots, first->other, first->own, move);
                    if (w7_input_is_captured(slots, ladders)) {
                        is_taken = 1;
                        if (working != NULL && color == prey)
                            w7_point_add(working, move);
                    }
                }
            }
        }
        for (int word = 0; is_taken && word < slots->words; word++)
            taken[word] |= block[word];
    }
}

#endif
