/* What networks are fed with, plane by plane, as sets of points, and the numbers that go with the planes of KataGo.
 *
 * Source of KataGo's: cpp/neuralnet/nninputs.cpp of https://github.com/lightvector/KataGo, `fillRowV7`; what needs a
 * search, its rules of the encore, handicaps and asymmetric play is 0. */
#ifndef W7_INPUTS_H
#define W7_INPUTS_H

#include "batch/inputs/areas.h"
#include "batch/inputs/ladders.h"
#include <math.h>

/* Planes, by number. "Own" is the player to move; number k of the history is k moves before. */
enum {
    W7_INPUT_OWN = 0,      /* 8: own stones, now and before */
    W7_INPUT_OPPONENT = 8, /* 8 */
    W7_INPUT_EMPTY = 16,
    W7_INPUT_BOARD,
    W7_INPUT_NOTHING,
    W7_INPUT_BLACK_TO_PLAY,
    W7_INPUT_WHITE_TO_PLAY,
    W7_INPUT_LEGAL,
    W7_INPUT_KO,
    W7_INPUT_LIBERTIES,                                       /* 3: stones of blocks with 1, 2, 3 liberties */
    W7_INPUT_OWN_LIBERTIES = W7_INPUT_LIBERTIES + 3,          /* 4: own, with 1, 2, 3, and 4 or more */
    W7_INPUT_OPPONENT_LIBERTIES = W7_INPUT_OWN_LIBERTIES + 4, /* 4 */
    W7_INPUT_MOVE = W7_INPUT_OPPONENT_LIBERTIES + 4,          /* 5: the last moves */
    W7_INPUT_LADDER = W7_INPUT_MOVE + 5,                      /* 3: stones that ladders take, now and before */
    W7_INPUT_LADDER_MOVES_WORK = W7_INPUT_LADDER + 3,
    W7_INPUT_OWN_AREA,
    W7_INPUT_OPPONENT_AREA,
    W7_INPUT_OWN_ALIVE,
    W7_INPUT_OPPONENT_ALIVE,
    W7_INPUT_PLANES /* at most 64: sets of them are words */
};

enum { W7_INPUT_MOVES = 5, W7_INPUT_GLOBALS = 19, W7_INPUT_LADDERS_KEPT = 3 };

typedef struct {
    w7_history_stones positions[W7_HISTORY_POSITIONS]; /* the present one first; NULL from where there are none */
    const uint64_t *legal;                             /* NULL: not to be asked for */
    const uint64_t *ladders[W7_INPUT_LADDERS_KEPT]; /* of the positions; NULL: to be found, those of none are empty */
    const uint64_t *working;                        /* NULL: to be found */
    int32_t ko;                                     /* -1: none */
    int32_t moves[W7_INPUT_MOVES]; /* the last one first: points, `points` for a pass, -1 from where there are none */
    uint8_t color;
    uint8_t suicide;
    uint8_t has_area; /* areas count: by area scoring */
} w7_input;

/* Room for the work on one position after the other. */
typedef struct {
    w7_input_chains chains;
    int has_chains; /* of the present position */
    w7_input_ladders ladders;
    uint64_t sets[W7_INPUT_PLANES][W7_SLOT_WORDS];
} w7_input_room;

static inline int w7_input_room_make(w7_input_room *room, const w7_slots *slots)
{
    const int32_t depth = 2 * slots->points;
    room->ladders.depth = depth;
    room->ladders.frames = (w7_input_frame *)malloc(((size_t)depth + 2) * sizeof(w7_input_frame));
    return room->ladders.frames != NULL;
}

static inline void w7_input_room_free(w7_input_room *room)
{
    free(room->ladders.frames);
}

static W7_ALWAYS_INLINE int w7_input_wants(uint64_t wanted, int first, int count)
{
    return (wanted >> first & (((uint64_t)1 << count) - 1)) != 0;
}

static inline void w7_input_copy(const w7_slots *slots, w7_input_room *room, int plane, const uint64_t *set)
{
    if (set == NULL)
        memset(room->sets[plane], 0, (size_t)slots->words * sizeof *set);
    else
        memcpy(room->sets[plane], set, (size_t)slots->words * sizeof *set);
}

static inline void w7_input_present_chains(const w7_slots *slots, const w7_input *input, w7_input_room *room)
{
    if (!room->has_chains)
        w7_input_find_chains(slots, input->positions[0].black, input->positions[0].white, &room->chains);
    room->has_chains = 1;
}

static inline void w7_input_liberty_planes(const w7_slots *slots, const w7_input *input, w7_input_room *room)
{
    static const int firsts[3] = {W7_INPUT_LIBERTIES, W7_INPUT_OWN_LIBERTIES, W7_INPUT_OPPONENT_LIBERTIES};
    const w7_input_chains *chains = &room->chains;
    for (int k = 0; k < 3; k++)
        for (int plane = 0; plane < (k == 0 ? 3 : 4); plane++)
            w7_input_copy(slots, room, firsts[k] + plane, NULL);
    for (int32_t point = 0; point < slots->points; point++) {
        const uint16_t label = chains->labels[slots->place_of[point]];
        const int liberties = chains->liberties[label];
        if (label == 0)
            continue;
        if (liberties < 4)
            w7_point_add(room->sets[W7_INPUT_LIBERTIES + liberties - 1], point);
        w7_point_add(
            room->sets[(chains->color[label] == input->color ? W7_INPUT_OWN_LIBERTIES : W7_INPUT_OPPONENT_LIBERTIES) +
                       (liberties < 4 ? liberties : 4) - 1],
            point);
    }
}

static inline void w7_input_ladder_planes(const w7_slots *slots, const w7_input *input, uint64_t wanted,
                                          w7_input_room *room)
{
    const int prey = W7_BLACK + W7_WHITE - input->color;
    const int has_now = input->ladders[0] != NULL && input->working != NULL;
    for (int k = W7_INPUT_LADDERS_KEPT - 1; k >= 0; k--) {
        const int plane = W7_INPUT_LADDER + k;
        const int is_wanted =
            w7_input_wants(wanted, plane, 1) || (k == 0 && w7_input_wants(wanted, W7_INPUT_LADDER_MOVES_WORK, 1));
        /* Before the first position the board was as it was then. */
        int at = k;
        while (input->positions[at].black == NULL)
            at--;
        if (!is_wanted)
            continue;
        if (k == 0 ? has_now : input->ladders[at] != NULL) {
            w7_input_copy(slots, room, plane, input->ladders[at]);
            if (k == 0)
                w7_input_copy(slots, room, W7_INPUT_LADDER_MOVES_WORK, input->working);
            continue;
        }
        if (at == 0) {
            w7_input_present_chains(slots, input, room);
        } else {
            w7_input_find_chains(slots, input->positions[at].black, input->positions[at].white, &room->chains);
            room->has_chains = 0;
        }
        w7_input_find_ladders(slots, &room->ladders, &room->chains, input->positions[at].black,
                              input->positions[at].white, at == 0 ? input->ko : -1, prey, room->sets[plane],
                              k == 0 ? room->sets[W7_INPUT_LADDER_MOVES_WORK] : NULL);
    }
}

/* Finds the wanted planes, a set of their numbers. `chains` of the room are those of the present position afterwards. */
static inline void w7_input_find(const w7_slots *slots, const w7_input *input, uint64_t wanted, w7_input_room *room)
{
    const uint64_t *black = input->positions[0].black, *white = input->positions[0].white;
    const int is_black = input->color == W7_BLACK;
    room->has_chains = 0;
    for (int k = 0; k < W7_HISTORY_POSITIONS; k++) {
        const w7_history_stones *stones = &input->positions[k];
        if (w7_input_wants(wanted, W7_INPUT_OWN + k, 1))
            w7_input_copy(slots, room, W7_INPUT_OWN + k, is_black ? stones->black : stones->white);
        if (w7_input_wants(wanted, W7_INPUT_OPPONENT + k, 1))
            w7_input_copy(slots, room, W7_INPUT_OPPONENT + k, is_black ? stones->white : stones->black);
    }
    w7_input_copy(slots, room, W7_INPUT_BOARD, slots->all);
    w7_input_copy(slots, room, W7_INPUT_NOTHING, NULL);
    w7_input_copy(slots, room, W7_INPUT_BLACK_TO_PLAY, is_black ? slots->all : NULL);
    w7_input_copy(slots, room, W7_INPUT_WHITE_TO_PLAY, is_black ? NULL : slots->all);
    w7_input_copy(slots, room, W7_INPUT_LEGAL, input->legal);
    w7_input_copy(slots, room, W7_INPUT_KO, NULL);
    if (input->ko >= 0)
        w7_point_add(room->sets[W7_INPUT_KO], input->ko);
    for (int word = 0; word < slots->words; word++)
        room->sets[W7_INPUT_EMPTY][word] = slots->all[word] & ~(black[word] | white[word]);
    for (int k = 0; k < W7_INPUT_MOVES; k++) {
        w7_input_copy(slots, room, W7_INPUT_MOVE + k, NULL);
        if (input->moves[k] >= 0 && input->moves[k] < slots->points)
            w7_point_add(room->sets[W7_INPUT_MOVE + k], input->moves[k]);
    }
    if (w7_input_wants(wanted, W7_INPUT_LADDER, 4))
        w7_input_ladder_planes(slots, input, wanted, room);
    if (w7_input_wants(wanted, W7_INPUT_LIBERTIES, 11) || w7_input_wants(wanted, W7_INPUT_OWN_AREA, 4))
        w7_input_present_chains(slots, input, room);
    if (w7_input_wants(wanted, W7_INPUT_LIBERTIES, 11))
        w7_input_liberty_planes(slots, input, room);
    if (w7_input_wants(wanted, W7_INPUT_OWN_AREA, 4)) {
        const int own = is_black ? 0 : 1;
        uint64_t *areas[2], *alive[2];
        areas[own] = room->sets[W7_INPUT_OWN_AREA];
        areas[1 - own] = room->sets[W7_INPUT_OPPONENT_AREA];
        alive[own] = room->sets[W7_INPUT_OWN_ALIVE];
        alive[1 - own] = room->sets[W7_INPUT_OPPONENT_ALIVE];
        w7_input_find_areas(slots, &room->chains, input->suicide, black, white, areas, alive);
        if (!input->has_area) {
            w7_input_copy(slots, room, W7_INPUT_OWN_AREA, NULL);
            w7_input_copy(slots, room, W7_INPUT_OPPONENT_AREA, NULL);
        }
    }
}

/* How numbers are written. */
typedef enum { W7_INPUT_UINT8, W7_INPUT_FLOAT16, W7_INPUT_FLOAT32, W7_INPUT_BITS } w7_input_type;

/* Bytes of a plane. Bits are those of `numpy.packbits`: eight points a byte, the first one highest. */
static inline int64_t w7_input_plane_size(const w7_slots *slots, w7_input_type type)
{
    return type == W7_INPUT_BITS      ? (slots->points + 7) / 8
           : type == W7_INPUT_UINT8   ? slots->points
           : type == W7_INPUT_FLOAT16 ? 2 * (int64_t)slots->points
                                      : 4 * (int64_t)slots->points;
}

/* Writes a set, whose points are taken to other places where `images` is not NULL. */
static inline void w7_input_write(int isa, const w7_slots *slots, const uint64_t *set, const int32_t *images,
                                  w7_input_type type, uint8_t *out)
{
    uint64_t moved[W7_SLOT_WORDS];
    if (images != NULL) {
        memset(moved, 0, sizeof moved);
        for (int word = 0; word < slots->words; word++)
            for (uint64_t bits = set[word]; bits != 0; bits &= bits - 1)
                w7_point_add(moved, images[64 * word + w7_lowest_bit(bits)]);
        set = moved;
    }
    if (type == W7_INPUT_UINT8) {
        w7_history_set_write(isa, set, slots->points, out);
    } else if (type == W7_INPUT_BITS) {
        const int64_t size = w7_input_plane_size(slots, type);
        for (int64_t k = 0; k < size; k++) {
            /* The bits of a byte the other way round: Hacker's Delight, "Reversing bits". */
            const uint64_t byte = set[k >> 3] >> (8 * (k & 7)) & 0xFF;
            out[k] = (uint8_t)(((byte * 0x80200802u) & 0x0884422110u) * 0x0101010101u >> 32);
        }
    } else if (type == W7_INPUT_FLOAT16) {
        uint16_t *numbers = (uint16_t *)(void *)out;
        for (int32_t point = 0; point < slots->points; point++)
            numbers[point] = (uint16_t)((set[point >> 6] >> (point & 63) & 1) * 0x3C00u);
    } else {
        float *numbers = (float *)(void *)out;
        for (int32_t point = 0; point < slots->points; point++)
            numbers[point] = (float)(set[point >> 6] >> (point & 63) & 1);
    }
}

/* What the globals of KataGo need besides. */
typedef struct {
    double komi;
    int32_t played[3]; /* moves that are no passes, by colour */
    uint8_t ko;        /* w7_rules.ko */
    uint8_t is_territory;
    uint8_t taxes_seki;
    uint8_t pass_ends; /* a pass would end the game */
} w7_input_rules;

/* By which a draw could be had: KataGo's wave of komi. */
static inline float w7_input_parity(const w7_slots *slots, double komi)
{
    const int is_even = slots->width % 2 == 0 || slots->height % 2 == 0;
    const double floor_of = is_even ? floor(komi / 2) * 2 : floor((komi - 1) / 2) * 2 + 1;
    const double delta = komi - floor_of;
    return (float)(delta < 0.5 ? delta : delta < 1.5 ? 1 - delta : delta - 2);
}

static inline void w7_input_globals(const w7_slots *slots, const w7_input *input, const w7_input_rules *rules,
                                    float out[W7_INPUT_GLOBALS])
{
    const double most = slots->points + 1;
    double komi = rules->komi;
    memset(out, 0, W7_INPUT_GLOBALS * sizeof *out);
    for (int k = 0; k < W7_INPUT_MOVES; k++)
        out[k] = input->moves[k] == slots->points ? 1.0f : 0.0f;
    if (rules->is_territory)
        komi += rules->played[W7_BLACK] - rules->played[W7_WHITE];
    komi = input->color == W7_WHITE ? komi : -komi;
    komi = komi > most ? most : komi < -most ? -most : komi;
    out[5] = (float)(komi / 20);
    if (rules->ko >= W7_KO_POSITIONAL) {
        out[6] = 1.0f;
        out[7] = rules->ko == W7_KO_POSITIONAL ? 0.5f : -0.5f;
    }
    out[8] = input->suicide ? 1.0f : 0.0f;
    out[9] = rules->is_territory ? 1.0f : 0.0f;
    out[10] = rules->taxes_seki ? 1.0f : 0.0f;
    out[14] = rules->pass_ends ? 1.0f : 0.0f;
    if (!rules->is_territory)
        out[18] = w7_input_parity(slots, komi);
}

#endif
