/* The properties that the decoder knows: which names, how many values, what they do.
 *
 * A name is known by its capitals and digits (lower-case letters are not read: `Black` is `B`), the
 * first in the low byte of a number, the second in the byte above. */
#ifndef W7_FORMATS_SGF_PROPERTIES_H
#define W7_FORMATS_SGF_PROPERTIES_H

#include <stdint.h>

/* What the decoder does with a property. */
enum {
    W7_SGF_KEEP = 0, /* nothing: its text is kept */
    W7_SGF_MOVE,
    W7_SGF_SETUP,
    W7_SGF_MARKS,   /* points that get one symbol */
    W7_SGF_LABELS,  /* LB: point and text */
    W7_SGF_LETTERS, /* L: letters in the order of the points */
    W7_SGF_COMMENT,
    W7_SGF_ROOT_ONLY /* FF, GM, SZ, CA: read in the root node, misplaced elsewhere */
};

/* Of what kind a value must be, where that is looked at. */
enum {
    W7_SGF_ANY = 0,
    W7_SGF_NUMBER,
    W7_SGF_REAL,
    W7_SGF_COLOR,
    W7_SGF_CLOCK,
    W7_SGF_STONES_LEFT,
    W7_SGF_DOUBLE,
    W7_SGF_NONE
};

typedef struct {
    char name[3];
    uint8_t use;
    uint8_t value;
    uint8_t list; /* may have more values than one */
    uint8_t what; /* colour of a move or setup, symbol of a mark */
} w7_sgf_property;

/* Name, its two characters, what is done, kind of value, whether a list, colour or symbol. */
#define W7_SGF_PROPERTIES(ROW)                                                                                         \
    ROW(B, 'B', 0, MOVE, ANY, 0, 1)                                                                                    \
    ROW(W, 'W', 0, MOVE, ANY, 0, 2)                                                                                    \
    ROW(KO, 'K', 'O', KEEP, NONE, 0, 0)                                                                                \
    ROW(MN, 'M', 'N', KEEP, NUMBER, 0, 0)                                                                              \
    ROW(AB, 'A', 'B', SETUP, ANY, 1, 1)                                                                                \
    ROW(AW, 'A', 'W', SETUP, ANY, 1, 2)                                                                                \
    ROW(AE, 'A', 'E', SETUP, ANY, 1, 0)                                                                                \
    ROW(PL, 'P', 'L', KEEP, COLOR, 0, 0)                                                                               \
    ROW(C, 'C', 0, COMMENT, ANY, 0, 0)                                                                                 \
    ROW(DM, 'D', 'M', KEEP, DOUBLE, 0, 0)                                                                              \
    ROW(GB, 'G', 'B', KEEP, DOUBLE, 0, 0)                                                                              \
    ROW(GW, 'G', 'W', KEEP, DOUBLE, 0, 0)                                                                              \
    ROW(HO, 'H', 'O', KEEP, DOUBLE, 0, 0)                                                                              \
    ROW(N, 'N', 0, KEEP, ANY, 0, 0)                                                                                    \
    ROW(UC, 'U', 'C', KEEP, DOUBLE, 0, 0)                                                                              \
    ROW(V, 'V', 0, KEEP, ANY, 0, 0)                                                                                    \
    ROW(BM, 'B', 'M', KEEP, DOUBLE, 0, 0)                                                                              \
    ROW(DO, 'D', 'O', KEEP, NONE, 0, 0)                                                                                \
    ROW(IT, 'I', 'T', KEEP, NONE, 0, 0)                                                                                \
    ROW(TE, 'T', 'E', KEEP, DOUBLE, 0, 0)                                                                              \
    ROW(AR, 'A', 'R', KEEP, ANY, 1, 0)                                                                                 \
    ROW(CR, 'C', 'R', MARKS, ANY, 1, '@')                                                                              \
    ROW(DD, 'D', 'D', KEEP, ANY, 1, 0)                                                                                 \
    ROW(LB, 'L', 'B', LABELS, ANY, 1, 0)                                                                               \
    ROW(LN, 'L', 'N', KEEP, ANY, 1, 0)                                                                                 \
    ROW(MA, 'M', 'A', MARKS, ANY, 1, '&')                                                                              \
    ROW(SL, 'S', 'L', MARKS, ANY, 1, '$')                                                                              \
    ROW(SQ, 'S', 'Q', MARKS, ANY, 1, '#')                                                                              \
    ROW(TR, 'T', 'R', MARKS, ANY, 1, '%')                                                                              \
    ROW(L, 'L', 0, LETTERS, ANY, 1, 0)                                                                                 \
    ROW(M, 'M', 0, MARKS, ANY, 1, '&')                                                                                 \
    ROW(AP, 'A', 'P', KEEP, ANY, 0, 0)                                                                                 \
    ROW(CA, 'C', 'A', ROOT_ONLY, ANY, 0, 0)                                                                            \
    ROW(FF, 'F', 'F', ROOT_ONLY, ANY, 0, 0)                                                                            \
    ROW(GM, 'G', 'M', ROOT_ONLY, ANY, 0, 0)                                                                            \
    ROW(ST, 'S', 'T', KEEP, ANY, 0, 0)                                                                                 \
    ROW(SZ, 'S', 'Z', ROOT_ONLY, ANY, 0, 0)                                                                            \
    ROW(AN, 'A', 'N', KEEP, ANY, 0, 0)                                                                                 \
    ROW(BR, 'B', 'R', KEEP, ANY, 0, 0)                                                                                 \
    ROW(BT, 'B', 'T', KEEP, ANY, 0, 0)                                                                                 \
    ROW(CP, 'C', 'P', KEEP, ANY, 0, 0)                                                                                 \
    ROW(DT, 'D', 'T', KEEP, ANY, 0, 0)                                                                                 \
    ROW(EV, 'E', 'V', KEEP, ANY, 0, 0)                                                                                 \
    ROW(GC, 'G', 'C', KEEP, ANY, 0, 0)                                                                                 \
    ROW(GN, 'G', 'N', KEEP, ANY, 0, 0)                                                                                 \
    ROW(HA, 'H', 'A', KEEP, NUMBER, 0, 0)                                                                              \
    ROW(KM, 'K', 'M', KEEP, REAL, 0, 0)                                                                                \
    ROW(ON, 'O', 'N', KEEP, ANY, 0, 0)                                                                                 \
    ROW(OT, 'O', 'T', KEEP, ANY, 0, 0)                                                                                 \
    ROW(PB, 'P', 'B', KEEP, ANY, 0, 0)                                                                                 \
    ROW(PC, 'P', 'C', KEEP, ANY, 0, 0)                                                                                 \
    ROW(PW, 'P', 'W', KEEP, ANY, 0, 0)                                                                                 \
    ROW(RE, 'R', 'E', KEEP, ANY, 0, 0)                                                                                 \
    ROW(RO, 'R', 'O', KEEP, ANY, 0, 0)                                                                                 \
    ROW(RU, 'R', 'U', KEEP, ANY, 0, 0)                                                                                 \
    ROW(SO, 'S', 'O', KEEP, ANY, 0, 0)                                                                                 \
    ROW(TM, 'T', 'M', KEEP, ANY, 0, 0)                                                                                 \
    ROW(US, 'U', 'S', KEEP, ANY, 0, 0)                                                                                 \
    ROW(WR, 'W', 'R', KEEP, ANY, 0, 0)                                                                                 \
    ROW(WT, 'W', 'T', KEEP, ANY, 0, 0)                                                                                 \
    ROW(BL, 'B', 'L', KEEP, CLOCK, 0, 0)                                                                               \
    ROW(WL, 'W', 'L', KEEP, CLOCK, 0, 0)                                                                               \
    ROW(OB, 'O', 'B', KEEP, STONES_LEFT, 0, 0)                                                                         \
    ROW(OW, 'O', 'W', KEEP, STONES_LEFT, 0, 0)                                                                         \
    ROW(FG, 'F', 'G', KEEP, ANY, 0, 0)                                                                                 \
    ROW(PM, 'P', 'M', KEEP, ANY, 0, 0)                                                                                 \
    ROW(VW, 'V', 'W', KEEP, ANY, 1, 0)                                                                                 \
    ROW(TB, 'T', 'B', KEEP, ANY, 1, 0)                                                                                 \
    ROW(TW, 'T', 'W', KEEP, ANY, 1, 0)

/* The number 0 means every property that is not known; those about the game are in one run, from AN to WT. */
#define W7_SGF_NUMBER_OF(name, first, second, use, value, list, what) W7_SGF_##name,
enum { W7_SGF_UNKNOWN, W7_SGF_PROPERTIES(W7_SGF_NUMBER_OF) W7_SGF_PROPERTY_COUNT };
#undef W7_SGF_NUMBER_OF

#define W7_SGF_ROW_OF(name, first, second, use, value, list, what) {#name, W7_SGF_##use, W7_SGF_##value, list, what},
static const w7_sgf_property W7_SGF_TABLE[] = {{"", W7_SGF_KEEP, W7_SGF_ANY, 1, 0}, W7_SGF_PROPERTIES(W7_SGF_ROW_OF)};
#undef W7_SGF_ROW_OF

/* Where a name of one capital or two is in the table of names; `second` is 0 where there is one. */
#define W7_SGF_PLACE_OF(first, second) (((first) - 'A') * 27 + ((second) == 0 ? 0 : (second) - 'A' + 1))
#define W7_SGF_NAME_OF(name, first, second, use, value, list, what) [W7_SGF_PLACE_OF(first, second)] = W7_SGF_##name,
static const uint8_t W7_SGF_NAMES[26 * 27] = {W7_SGF_PROPERTIES(W7_SGF_NAME_OF)};
#undef W7_SGF_NAME_OF

static inline int w7_sgf_is_game_info(int number)
{
    return number >= W7_SGF_AN && number <= W7_SGF_WT;
}

/* Whether a property belongs into the root node: those about the game and, of those about the file, AP and ST. */
static inline int w7_sgf_is_of_root(int number)
{
    return w7_sgf_is_game_info(number) || number == W7_SGF_AP || number == W7_SGF_ST;
}

/* The number of the property whose capitals are `name`, or W7_SGF_UNKNOWN. */
static inline int w7_sgf_find_property(uint32_t name)
{
    const uint32_t first = (name & 255) - 'A', second = (name >> 8) - 'A';
    if (first > 25 || (name > 255 && second > 25))
        return W7_SGF_UNKNOWN;
    return W7_SGF_NAMES[first * 27 + (name > 255 ? second + 1 : 0)];
}

#endif
