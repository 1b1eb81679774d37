/* The board of light playouts, with the data of a random move: the colours around a place in one number, and the
 * liberties of a chain in another. Which branch a random move takes cannot be predicted, so that arithmetic replaces
 * branches where it can. */
#ifndef W7_BATCH_SELFPLAY_PLAYOUT_BOARD_H
#define W7_BATCH_SELFPLAY_PLAYOUT_BOARD_H

#include "batch/selfplay/layout.h"

/* What the number of a chain has more than its liberties. It is negative where the chain has none, and where a watched
 * chain, one adjacent to a settled place, may have that place as its only liberty: it then counts at most four times. */
#define W7_CHAIN_PLAIN (-W7_LIBERTY_ONE)
#define W7_CHAIN_WATCHED (-5 * W7_LIBERTY_ONE)
#define W7_CHAIN_NONE ((int64_t)1 << 62) /* of what is no chain: never negative */

/* Parts of w7_playout.around, a number for each place: the liberties of a stone there alone, W7_AROUND_FREE; between
 * their parts the colours of the four diagonals; of the diagonals how many are settled as eyes of Black and of White; how
 * many of the sides are settled; and the colours of the sides. */
enum {
    W7_AROUND_DIAGONALS = 22,
    W7_AROUND_EYES = 43,
    W7_AROUND_SETTLED_SIDES = 49,
    W7_AROUND_LEFT = 55,
    W7_AROUND_RIGHT = 57,
    W7_AROUND_ABOVE = 59,
    W7_AROUND_BELOW = 61,
    W7_AROUND_FIRST = 0x55, /* the lower bits of four colours */
    W7_AROUND_COUNT = 7     /* the bits of a number of settled places */
};

/* Of an array: not a power of 2, for what arrays have at one place would get into the same lines of the cache. */
enum { W7_PLAYOUT_PLACES = W7_SLOT_PLACES + 24 };

#define W7_AROUND_FREE ((uint64_t)7 << W7_LIBERTY_COUNT | (uint64_t)0xFFF << W7_LIBERTY_SUM | 0x3FFFFF)

/* Has the compiler compute a number here, not where it is used first, after more has to be kept for it. */
#if defined(__GNUC__)
#define W7_COMPUTED(number) __asm__("" : "+r"(number))
#else
#define W7_COMPUTED(number) ((void)(number))
#endif

/* What an empty place is for a player. */
enum { W7_PLACE_OPEN, W7_PLACE_REFUSED, W7_PLACE_SETTLED };

/* A board that playouts are made on. Its arrays are by place (layout.h), walls included, whose colour is black and white;
 * but for `open`, a list of the empty places that are not settled: an eye of one player where the other one can take
 * nothing, so that neither plays there. Most tries at the end of a game would meet them. */
typedef struct {
    uint64_t random;
    int32_t open_count;
    int32_t settled_count;
    uint32_t ko; /* the place where the player may not take back at once, or 0 */
    uint64_t around[W7_PLAYOUT_PLACES];
    int64_t liberties[W7_PLAYOUT_PLACES];  /* of the chains, by the place of one of their stones */
    uint32_t chains[2][W7_PLAYOUT_PLACES]; /* Black's and White's: of a stone the place of its chain; else 0 */
    uint16_t chain[W7_PLAYOUT_PLACES];     /* of either colour */
    uint16_t stones[W7_PLAYOUT_PLACES];    /* of the chains: twice their number, and 1 if they are watched */
    uint16_t next[W7_PLAYOUT_PLACES];      /* the stones of a chain in a circle; of a settled place whose eye it is */
    uint16_t open[W7_PLAYOUT_PLACES];
    uint16_t settled[W7_PLAYOUT_PLACES];
} w7_playout;

/* --- random numbers ---------------------------------------------------------------------------------- */

/* The output of SplitMix64 for a state. */
static inline uint64_t w7_playout_mix(uint64_t state)
{
    state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9u;
    state = (state ^ (state >> 27)) * 0x94D049BB133111EBu;
    return state ^ (state >> 31);
}

/* A number from 0 up to `count`, each as likely as the others but for one part in 2^32, from the upper half of a linear
 * congruential generator. */
static W7_ALWAYS_INLINE uint32_t w7_playout_below(w7_playout *playout, uint32_t count)
{
    const uint64_t random = playout->random;
    playout->random = random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random >> 32) * count >> 32);
}

/* --- what is adjacent ------------------------------------------------------------------------------- */

/* The lower bits of the colours, of four, that are this one. */
static W7_ALWAYS_INLINE uint32_t w7_around_of(uint32_t colors, int color)
{
    return colors >> (color - W7_BLACK) & ~(colors >> (W7_WHITE - color)) & W7_AROUND_FIRST;
}

static W7_ALWAYS_INLINE uint32_t w7_around_sides(uint64_t around)
{
    return (uint32_t)(around >> W7_AROUND_LEFT) & 0xFF;
}

/* Notes around a place that it has a stone of the colour, no liberty any more; or, by numbers below 0, the contrary. */
static W7_ALWAYS_INLINE void w7_playout_surround(w7_playout *playout, size_t stride, size_t place, int64_t color,
                                                 int64_t liberty)
{
    uint64_t *at = playout->around + place, *above = at - stride, *below = at + stride;
    const uint64_t added = (uint64_t)color, dropped = (uint64_t)liberty;
    at[1] += (added << W7_AROUND_LEFT) - dropped;
    at[-1] += (added << W7_AROUND_RIGHT) - dropped;
    below[0] += (added << W7_AROUND_ABOVE) - dropped;
    above[0] += (added << W7_AROUND_BELOW) - dropped;
    below[1] += added << W7_AROUND_DIAGONALS;
    below[-1] += added << (W7_AROUND_DIAGONALS + 2);
    above[1] += added << (W7_AROUND_DIAGONALS + 4);
    above[-1] += added << (W7_AROUND_DIAGONALS + 6);
}

/* Notes around a place that it is settled as an eye of the colour, or by -1 that it no longer is. */
static W7_ALWAYS_INLINE void w7_playout_note(w7_playout *playout, size_t stride, size_t place, uint32_t color,
                                             uint64_t by)
{
    uint64_t *at = playout->around + place, *above = at - stride, *below = at + stride;
    const uint64_t eye = by << (W7_AROUND_EYES + 3 * (color - W7_BLACK)), side = by << W7_AROUND_SETTLED_SIDES;
    playout->next[place] = (uint16_t)(playout->next[place] + by * color);
    at[-1] += side;
    at[1] += side;
    *above += side;
    *below += side;
    above[-1] += eye;
    above[1] += eye;
    below[-1] += eye;
    below[1] += eye;
}

/* Makes a place open if it is settled as an eye of the colour. */
static W7_ALWAYS_INLINE void w7_playout_unsettle(w7_playout *playout, size_t stride, size_t place, uint32_t color)
{
    int32_t at = 0;
    if (playout->chain[place] != 0 || playout->next[place] != color)
        return;
    w7_playout_note(playout, stride, place, color, 0 - (uint64_t)1);
    while (playout->settled[at] != place)
        at++;
    playout->settled[at] = playout->settled[--playout->settled_count];
    playout->open[playout->open_count++] = (uint16_t)place;
}

/* The same of the four places adjacent to one, by distances from it. */
static W7_NOINLINE void w7_playout_unsettle_all(w7_playout *playout, size_t stride, size_t place, size_t above,
                                                size_t across, uint32_t color)
{
    w7_playout_unsettle(playout, stride, place - above, color);
    w7_playout_unsettle(playout, stride, place + above, color);
    w7_playout_unsettle(playout, stride, place - across, color);
    w7_playout_unsettle(playout, stride, place + across, color);
}

/* Whether a place, none of whose sides is empty, is an eye of the colour `enclosed` that alone is around it; 0 is none,
 * and walls are both. */
static W7_ALWAYS_INLINE int w7_playout_is_eye(const w7_playout *playout, size_t stride, size_t place, uint64_t around,
                                              uint32_t enclosed)
{
    const uint32_t sides = w7_around_sides(around), walls = sides & sides >> 1 & W7_AROUND_FIRST;
    const uint32_t diagonals = (uint32_t)around >> W7_AROUND_DIAGONALS;
    const uint32_t against = w7_around_of(diagonals, W7_BLACK + (enclosed == W7_BLACK));
    const uint16_t *chain = playout->chain + place;
    const uint32_t left = chain[-1], right = chain[1], above = chain[-(ptrdiff_t)stride], below = chain[stride];
    /* No chain is greater than all bits of them: the sum is that of so many equal ones where they are one chain. */
    const int is_one =
        left + right + above + below == (left | right | above | below) * (4u - (uint32_t)w7_bit_count(walls));
    return (((against & (against - (walls == 0))) == 0) | is_one) & (enclosed - 1 < 2);
}

/* The sides of a place whose chain has no liberty, as lower bits. */
static W7_ALWAYS_INLINE uint32_t w7_playout_whole(const w7_playout *playout, size_t stride, size_t place)
{
    const uint16_t *chain = playout->chain + place;
    const int64_t *liberties = playout->liberties;
    return (uint32_t)((liberties[chain[-1]] & W7_LIBERTY_PARTS) == 0) |
           (uint32_t)((liberties[chain[1]] & W7_LIBERTY_PARTS) == 0) << 2 |
           (uint32_t)((liberties[chain[-(ptrdiff_t)stride]] & W7_LIBERTY_PARTS) == 0) << 4 |
           (uint32_t)((liberties[chain[stride]] & W7_LIBERTY_PARTS) == 0) << 6;
}

/* Watches the chain of a stone adjacent to a place that is settled. */
static W7_ALWAYS_INLINE void w7_playout_watch(w7_playout *playout, uint32_t chain)
{
    const int64_t is_plain = ~playout->stones[chain] & 1;
    playout->liberties[chain] += is_plain * (W7_CHAIN_WATCHED - W7_CHAIN_PLAIN);
    playout->stones[chain] |= 1;
}

/* Settles a place as an eye of the colour. */
static W7_NOINLINE void w7_playout_settle(w7_playout *playout, size_t stride, size_t place, uint32_t color)
{
    const uint16_t *chain = playout->chain + place;
    playout->settled[playout->settled_count++] = (uint16_t)place;
    w7_playout_note(playout, stride, place, color, 1);
    w7_playout_watch(playout, chain[-1]);
    w7_playout_watch(playout, chain[1]);
    w7_playout_watch(playout, chain[-(ptrdiff_t)stride]);
    w7_playout_watch(playout, chain[stride]);
}

/* What an empty place without an empty side is for the player, whose stone there the chains adjacent to it count
 * already: of no use, W7_PLACE_REFUSED: suicide, or an eye (`Board.is_eye`), or a ko recapture; or settled. */
static W7_ALWAYS_INLINE int w7_playout_look(w7_playout *playout, size_t stride, int color, size_t place,
                                            uint64_t around)
{
    const uint32_t sides = w7_around_sides(around), pairs = sides & sides >> 4, enclosed = pairs & pairs >> 2 & W7_WALL;
    const uint32_t own = w7_around_of(sides, color);
    const uint32_t whole = w7_playout_whole(playout, stride, place);
    const int is_eye = w7_playout_is_eye(playout, stride, place, around, enclosed);
    int is_settled = is_eye & (whole == 0);
    W7_COMPUTED(is_settled); /* one branch, not two */
    if (is_settled) {
        w7_playout_settle(playout, stride, place, enclosed);
        return W7_PLACE_SETTLED;
    }
    /* Open where an own chain has another liberty, or one of the opponent's none. */
    return (whole == own) | (is_eye & ((int)enclosed == color)) | (place == playout->ko);
}

#endif
