/* Input planes of neural networks as sets of points, and the global inputs of KataGo.
 *
 * Source of KataGo's: cpp/neuralnet/nninputs.cpp of https://github.com/lightvector/KataGo, `fillRowV7`; what needs a
 * search, its rules of the encore, handicaps and asymmetric play is 0. */
#ifndef W7_BATCH_INPUTS_INPUTS_H
#define W7_BATCH_INPUTS_INPUTS_H

#include <math.h>

#include "batch/inputs/analysis.h"

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

enum { W7_INPUT_MOVES = 5, W7_INPUT_GLOBALS = 19 };

/* What is found of a position by its analysis, in sets by number. */
enum {
    W7_FOUND_LIBERTIES = 0,                    /* 3 */
    W7_FOUND_LADDERS = W7_FOUND_LIBERTIES + 3, /* 3: now and before */
    W7_FOUND_WORKING = W7_FOUND_LADDERS + W7_ANALYSIS_POSITIONS,
    W7_FOUND_AREA,                      /* 2: own, the opponent's */
    W7_FOUND_ALIVE = W7_FOUND_AREA + 2, /* 2 */
    W7_FOUND_SETS = W7_FOUND_ALIVE + 2
};

typedef struct {
    w7_history_stones positions[W7_HISTORY_POSITIONS]; /* the present one first; NULL from where there are none */
    const uint64_t *legal;                             /* NULL: not to be asked for */
    const uint64_t *found[W7_FOUND_SETS];              /* what needs no analysis may be NULL */
    int32_t ko;                                        /* -1: none */
    int32_t moves[W7_INPUT_MOVES]; /* the last one first: points, `points` for a pass, -1 from where there are none */
    uint8_t color;
    uint8_t suicide;
    uint8_t has_area; /* areas count: by area scoring */
} w7_input;

/* The planes of a position: sets of points, NULL for none. */
typedef struct {
    const uint64_t *planes[W7_INPUT_PLANES];
    uint64_t made[2 + 8 + W7_INPUT_MOVES][W7_SLOT_WORDS]; /* those that are not elsewhere */
} w7_input_sets;

static inline int w7_input_ladders_make(w7_input_ladders *room, const w7_slots *slots)
{
    room->slots = slots;
    room->depth = 2 * slots->points;
    room->frames = (w7_input_frame *)malloc(((size_t)room->depth + 2) * sizeof(w7_input_frame));
    return room->frames != NULL;
}

static W7_ALWAYS_INLINE int w7_input_wants(uint64_t wanted, int first, int count)
{
    return (wanted >> first & (((uint64_t)1 << count) - 1)) != 0;
}

/* How many positions, the present one first, planes show the stones of. */
static inline int w7_input_positions(uint64_t wanted)
{
    const uint64_t shown = (wanted >> W7_INPUT_OWN | wanted >> W7_INPUT_OPPONENT) & 0xFF;
    int count = 1;
    while (shown >> count != 0)
        count++;
    return count;
}

/* What has to be analysed for a set of planes, W7_ANALYSE_*; 0: nothing. */
static inline int w7_input_needs(uint64_t wanted)
{
    return (w7_input_wants(wanted, W7_INPUT_LADDER, 4) ? W7_ANALYSE_LADDERS : 0) |
           (w7_input_wants(wanted, W7_INPUT_OWN_AREA, 4) ? W7_ANALYSE_AREAS : 0) |
           (w7_input_wants(wanted, W7_INPUT_LIBERTIES, 11) ? W7_ANALYSE_LIBERTIES : 0);
}

/* Sets the addresses of the results of an analysis, for the player of a colour. */
static inline void w7_input_take(const w7_slots *slots, w7_analysis *analysis, int color,
                                 const uint64_t *found[W7_FOUND_SETS])
{
    for (int k = 0; k < 3; k++) {
        found[W7_FOUND_LIBERTIES + k] = w7_analysis_set(slots, analysis, W7_ANALYSIS_LIBERTIES + k);
        found[W7_FOUND_LADDERS + k] = w7_analysis_set(slots, analysis, 3 * k + W7_ANALYSIS_TAKEN);
    }
    found[W7_FOUND_WORKING] = w7_analysis_set(slots, analysis, W7_ANALYSIS_WORKING + color - W7_BLACK);
    for (int k = 0; k < 2; k++) {
        const int side = color == W7_BLACK ? k : 1 - k;
        found[W7_FOUND_AREA + k] = w7_analysis_set(slots, analysis, W7_ANALYSIS_AREA + side);
        found[W7_FOUND_ALIVE + k] = w7_analysis_set(slots, analysis, W7_ANALYSIS_ALIVE + side);
    }
}

static inline void w7_input_liberty_planes(const w7_slots *slots, const w7_input *input, w7_input_sets *sets)
{
    for (int side = 0; side < 2; side++) {
        const w7_history_stones *stones = &input->positions[0];
        const uint64_t *of = (side == 0) == (input->color == W7_BLACK) ? stones->black : stones->white;
        const int first = side == 0 ? W7_INPUT_OWN_LIBERTIES : W7_INPUT_OPPONENT_LIBERTIES;
        for (int k = 0; k < 4; k++) {
            uint64_t *out = sets->made[2 + 4 * side + k];
            sets->planes[first + k] = out;
            for (int word = 0; word < slots->words; word++)
                out[word] = of[word] & (k < 3 ? input->found[W7_FOUND_LIBERTIES + k][word]
                                              : ~(input->found[W7_FOUND_LIBERTIES][word] |
                                                  input->found[W7_FOUND_LIBERTIES + 1][word] |
                                                  input->found[W7_FOUND_LIBERTIES + 2][word]));
        }
    }
    for (int k = 0; k < 3; k++)
        sets->planes[W7_INPUT_LIBERTIES + k] = input->found[W7_FOUND_LIBERTIES + k];
}

/* Finds the wanted planes, a set of their numbers. */
static inline void w7_input_find(const w7_slots *slots, const w7_input *input, uint64_t wanted, w7_input_sets *sets)
{
    const uint64_t *black = input->positions[0].black, *white = input->positions[0].white;
    const int is_black = input->color == W7_BLACK;
    const size_t bytes = (size_t)slots->words * sizeof(uint64_t);
    for (int k = 0; k < W7_HISTORY_POSITIONS; k++) {
        const w7_history_stones *stones = &input->positions[k];
        sets->planes[W7_INPUT_OWN + k] = is_black ? stones->black : stones->white;
        sets->planes[W7_INPUT_OPPONENT + k] = is_black ? stones->white : stones->black;
    }
    for (int word = 0; word < slots->words; word++)
        sets->made[0][word] = slots->all[word] & ~(black[word] | white[word]);
    sets->planes[W7_INPUT_EMPTY] = sets->made[0];
    sets->planes[W7_INPUT_BOARD] = slots->all;
    sets->planes[W7_INPUT_NOTHING] = NULL;
    sets->planes[W7_INPUT_BLACK_TO_PLAY] = is_black ? slots->all : NULL;
    sets->planes[W7_INPUT_WHITE_TO_PLAY] = is_black ? NULL : slots->all;
    sets->planes[W7_INPUT_LEGAL] = input->legal;
    for (int k = -1; k < W7_INPUT_MOVES; k++) {
        const int32_t point = k < 0 ? input->ko : input->moves[k];
        uint64_t *out = sets->made[k < 0 ? 1 : 10 + k];
        sets->planes[k < 0 ? W7_INPUT_KO : W7_INPUT_MOVE + k] = NULL;
        if (point >= 0 && point < slots->points) {
            memset(out, 0, bytes);
            w7_point_add(out, point);
            sets->planes[k < 0 ? W7_INPUT_KO : W7_INPUT_MOVE + k] = out;
        }
    }
    if (w7_input_wants(wanted, W7_INPUT_LIBERTIES, 11))
        w7_input_liberty_planes(slots, input, sets);
    for (int k = 0; k < W7_ANALYSIS_POSITIONS; k++)
        sets->planes[W7_INPUT_LADDER + k] = input->found[W7_FOUND_LADDERS + k];
    sets->planes[W7_INPUT_LADDER_MOVES_WORK] = input->found[W7_FOUND_WORKING];
    for (int k = 0; k < 2; k++) {
        sets->planes[W7_INPUT_OWN_AREA + k] = input->has_area ? input->found[W7_FOUND_AREA + k] : NULL;
        sets->planes[W7_INPUT_OWN_ALIVE + k] = input->found[W7_FOUND_ALIVE + k];
    }
}

/* How numbers are written. */
typedef enum { W7_INPUT_UINT8, W7_INPUT_FLOAT16, W7_INPUT_FLOAT32, W7_INPUT_BITS } w7_input_type;

/* Bytes of a plane. Bits are those of `numpy.packbits`: eight points a byte, the first one highest. */
static inline int64_t w7_input_plane_size(int64_t points, w7_input_type type)
{
    return type == W7_INPUT_BITS      ? (points + 7) / 8
           : type == W7_INPUT_UINT8   ? points
           : type == W7_INPUT_FLOAT16 ? 2 * points
                                      : 4 * points;
}

/* Sets the points of a set in a plane of zeros. In memory, as points of one word of a set would wait for each other. */
static W7_ALWAYS_INLINE void w7_input_write_points(const w7_slots *slots, const uint64_t *set, const int32_t *images,
                                                   w7_input_type type, uint8_t *out)
{
    for (int word = 0; word < slots->words; word++) {
        for (uint64_t bits = set[word]; bits != 0; bits &= bits - 1) {
            int32_t point = 64 * word + w7_lowest_bit(bits);
            if (type == W7_INPUT_UINT8 || images != NULL) /* bytes of points that stay are written as words */
                point = images[point];
            if (type == W7_INPUT_UINT8)
                out[point] = 1;
            else if (type == W7_INPUT_FLOAT16)
                ((uint16_t *)(void *)out)[point] = 0x3C00;
            else if (type == W7_INPUT_FLOAT32)
                ((float *)(void *)out)[point] = 1;
            else
                out[point >> 3] |= (uint8_t)(0x80 >> (point & 7));
        }
    }
}

/* Writes a set, NULL for none, whose points are taken to other places where `images` is not NULL. */
static inline void w7_input_write(int isa, const w7_slots *slots, const uint64_t *set, const int32_t *images,
                                  w7_input_type type, uint8_t *out)
{
    const int64_t size = w7_input_plane_size(slots->points, type);
    if (set == NULL) {
        memset(out, 0, (size_t)size); /* so zero is written in all types */
        return;
    }
    if (set == slots->all) /* all points stay where they are */
        images = NULL;
    if (images == NULL && type == W7_INPUT_UINT8) {
        w7_history_set_write(isa, set, slots->points, out);
    } else if (images == NULL && type == W7_INPUT_BITS) {
        for (int64_t at = 0; at < size; at += 8) {
            const int64_t from = size - at < 8 && size >= 8 ? size - 8 : at; /* the last bytes are written as a word */
            const int shift = 8 * (int)(from & 7);
            uint64_t bits = set[from >> 3] >> shift;
            if (shift > 0)
                bits |= set[(from >> 3) + 1] << (64 - shift);
            /* The bits of each byte are turned round. */
            bits = (bits >> 1 & 0x5555555555555555u) | (bits & 0x5555555555555555u) << 1;
            bits = (bits >> 2 & 0x3333333333333333u) | (bits & 0x3333333333333333u) << 2;
            bits = (bits >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (bits & 0x0F0F0F0F0F0F0F0Fu) << 4;
            if (size >= 8)
                w7_write_word(bits, out + from);
            else
                for (int64_t k = at; k < size; k++)
                    out[k] = (uint8_t)(bits >> 8 * (k - at));
        }
    } else {
        memset(out, 0, (size_t)size);
        if (type == W7_INPUT_UINT8)
            w7_input_write_points(slots, set, images, W7_INPUT_UINT8, out);
        else
            w7_input_write_points(slots, set, images, type, out);
    }
}

/* What the globals of KataGo need in addition. */
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
