/* Many boards of one size in one block of memory, a slot a board, and the tables that they share.
 *
 * A point has a number, y * width + x, and a place, (y + 1) * (width + 1) + x + 1; the other places are wall, so that
 * every point has four adjacent places. A chain (a block) has a number from 1 on, the last one that was freed, so that
 * few lines of the cache have those of a board: what a step reads and writes of many boards is in no cache. */
#ifndef W7_BATCH_SELFPLAY_LAYOUT_H
#define W7_BATCH_SELFPLAY_LAYOUT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "_util/cpu.h"
#include "board/kernel/board.h"
#include "board/kernel/history_planes.h"
#include "board/kernel/point_sets.h"
#include "board/kernel/rules.h"
#include "board/kernel/zobrist.h"

enum {
    W7_SLOT_CHAIN_BITS = 10,                  /* of a cell */
    W7_SLOT_PLACES = 1 << W7_SLOT_CHAIN_BITS, /* of the largest board, at most */
    W7_SLOT_WORDS = W7_SLOT_PLACES / 64,
    W7_SLOT_MOVES = 32767, /* at most, of a game */
    W7_SLOT_COUNTS = 512,  /* a power of 2 */
    W7_SLOT_TAG_BITS = 15,
    W7_SLOT_SEVERAL = 1 << W7_SLOT_TAG_BITS, /* in w7_latest.tags */
    W7_SLOT_ALIGNMENT = 64
};

#define W7_SLOT_NONE UINT16_MAX

/* Liberties, counted once for each stone adjacent to them, as one number: how many from bit W7_LIBERTY_COUNT on, the
 * sum of their places from bit W7_LIBERTY_SUM on, the sum of the squares of these below. With W7_SLOT_PLACES places no
 * part reaches the next one. */
enum { W7_LIBERTY_SUM = 31, W7_LIBERTY_COUNT = 52 };

#define W7_LIBERTY_ONE ((int64_t)1 << W7_LIBERTY_COUNT)
#define W7_LIBERTY_PARTS (W7_LIBERTY_ONE - 1)

/* An empty place as a liberty. */
static W7_ALWAYS_INLINE int64_t w7_liberty(uint64_t place)
{
    return (int64_t)((((uint64_t)1 << W7_LIBERTY_SUM) + place) * place + W7_LIBERTY_ONE);
}

/* A fourth of a line of the cache. */
typedef struct {
    uint64_t liberties; /* as one number; all are one point exactly where count * squares == sum * sum */
    uint16_t tag;       /* w7_slot_tag of the stones, XOR */
    uint16_t stones;
    uint16_t atari; /* whether the chain is in atari */
    uint16_t first; /* a stone of it; of a number that is free again, the next such one */
} w7_chain;

/* The plies with so many stones of either colour, and perhaps others. */
typedef struct {
    uint16_t ply;  /* the latest, or W7_SLOT_NONE */
    uint16_t tags; /* w7_slot_tag of the only one; else W7_SLOT_SEVERAL, and a bit for each (w7_slot_tag_bit) */
} w7_latest;

typedef struct {
    uint16_t chain; /* a color, and below it the number of the chain of a stone */
    uint16_t next;  /* the stones of a chain in a circle; above it a bit for each colour removed from here before */
} w7_cell;

/* The position after so many moves, and the move that follows. */
typedef struct {
    uint64_t hash;
    uint16_t earlier; /* the ply before in the same place of `latest` */
    uint16_t move;    /* the number of a point, `points` for a pass */
    uint16_t begin;   /* the first stone in `removed` of the move */
    uint16_t refills; /* whether the move was a pass, or a stone of its colour was removed from the point before */
} w7_ply;

/* The first of the bytes of a slot. */
typedef struct {
    uint64_t hash;
    uint16_t stones[3];     /* on the board, by colour; [0] is not used */
    uint16_t captured[3];   /* stones removed, by their own colour; the same */
    uint16_t move_count;    /* W7_SLOT_MOVES at most */
    uint16_t removed_count; /* by all moves in force: one a move at most */
    uint16_t free_chain;    /* the number of a chain that is free again, or W7_SLOT_NONE, */
    uint16_t new_chain;     /* and the first that never was one's */
    uint8_t color;          /* to play */
    uint8_t passes;         /* in a row, at the end */
    uint8_t is_done;
    uint8_t unused;
} w7_slot;

/* What the boards have in common. The offsets are those of the arrays in a slot. */
typedef struct {
    int32_t width;
    int32_t height;
    int32_t points;
    int32_t places;
    int32_t words; /* of a set of points */
    int32_t move_limit;
    w7_rules rules;
    uint8_t passes;       /* that end a game; 0: none do */
    uint8_t last_pass;    /* the colour that must pass last, or 0 */
    uint8_t is_territory; /* counts territory and prisoners, not area */
    uint8_t tie;          /* the colour that wins a tie, or 0 */
    uint8_t isa;          /* a w7_isa that runs */
    double komi;
    size_t legal;     /* uint64_t[words]: where the player may put a stone */
    size_t stones;    /* uint64_t[2][words]: of the position */
    size_t weak;      /* uint64_t[words]: those of chains in atari */
    size_t liberties; /* uint64_t[2][words]: of each colour's chains in atari */
    size_t refills;   /* uint64_t[words]: those of them where a stone of who takes such a chain was removed before */
    size_t latest;    /* w7_latest[W7_SLOT_COUNTS]: by w7_slot_counts */
    size_t cells;     /* w7_cell[places] */
    size_t chains; /* w7_chain[points + 1]: the first, in the line of the cache before the others, is that of what is no
                    * stone, and means nothing */
    size_t fresh;  /* bytes up to here make an empty board */
    size_t plies;  /* w7_ply[move_limit + 1] */
    size_t removed; /* uint16_t[move_limit]: numbers of points; of a suicide the stone that was played comes first */
    size_t stride;  /* bytes of a slot */
    void *memory;   /* of the tables */
    uint64_t *keys[3];
    uint64_t *none;      /* no point */
    uint64_t *all;       /* every point */
    uint64_t *not_first; /* but those of the first column */
    uint64_t *not_last;
    uint64_t *tagged[3];     /* a bit for each tag: whether a stone somewhere has it */
    uint64_t *found_keys[3]; /* tables that find the point of a key: at key & found_mask, or after that */
    uint16_t *found_points[3];
    uint64_t found_mask;
    uint16_t *place_of;
    uint16_t *point_of;
    uint16_t *sides; /* uint16_t[points][4]: the points adjacent to each, W7_SLOT_NONE after them */
    uint8_t *empty;  /* a slot that is an empty board */
} w7_slots;

/* The arrays of one slot. */
typedef struct {
    w7_slot *slot;
    uint64_t *black; /* of the position */
    uint64_t *white;
    uint64_t *legal;
    uint64_t *weak;
    uint64_t *liberties[3]; /* by colour */
    uint64_t *refills;
    w7_cell *cells;
    w7_latest *latest;
    w7_chain *chains;
    w7_ply *plies;
    uint16_t *removed;
} w7_slot_view;

static W7_ALWAYS_INLINE int w7_slot_color(const w7_slot_view *view, uint32_t place)
{
    return view->cells[place].chain >> W7_SLOT_CHAIN_BITS;
}

/* The number of the chain of a stone; 0 where there is none. */
static W7_ALWAYS_INLINE uint32_t w7_slot_chain(const w7_slot_view *view, uint32_t place)
{
    return view->cells[place].chain & (W7_SLOT_PLACES - 1);
}

/* The next stone of its chain. */
static W7_ALWAYS_INLINE uint32_t w7_slot_next(const w7_slot_view *view, uint32_t stone)
{
    return view->cells[stone].next & (W7_SLOT_PLACES - 1);
}

/* Makes two circles one, or one two. */
static W7_ALWAYS_INLINE void w7_slot_swap_next(const w7_slot_view *view, uint32_t one, uint32_t other)
{
    const uint32_t change = w7_slot_next(view, one) ^ w7_slot_next(view, other);
    view->cells[one].next = (uint16_t)(view->cells[one].next ^ change);
    view->cells[other].next = (uint16_t)(view->cells[other].next ^ change);
}

/* Whether a stone of the colour was removed from a place before. */
static W7_ALWAYS_INLINE int w7_slot_refills(const w7_slot_view *view, int color, uint32_t place)
{
    return view->cells[place].next >> (W7_SLOT_CHAIN_BITS + color) & 1;
}

/* Where plies with so many stones are in `latest`: few others are there, and those with a few stones more or less are in
 * the same line of the cache, which has four numbers of either colour. */
static W7_ALWAYS_INLINE uint32_t w7_slot_counts(int32_t black, int32_t white)
{
    return (((uint32_t)black >> 2) * 160 + ((uint32_t)white >> 2) * 16 + ((uint32_t)black & 3) * 4 +
            ((uint32_t)white & 3)) %
           W7_SLOT_COUNTS;
}

/* A part of a hash or key. */
static W7_ALWAYS_INLINE uint32_t w7_slot_tag(uint64_t hash)
{
    return (uint32_t)(hash >> (64 - W7_SLOT_TAG_BITS));
}

/* The bit of a tag. */
static W7_ALWAYS_INLINE uint32_t w7_slot_tag_bit(uint32_t tag)
{
    return (uint32_t)1 << (tag * W7_SLOT_TAG_BITS >> W7_SLOT_TAG_BITS);
}

/* Adds the tag of a ply to the others there. */
static W7_ALWAYS_INLINE void w7_latest_add(w7_latest *latest, uint32_t tag)
{
    if (latest->tags == W7_SLOT_SEVERAL) {
        latest->tags = (uint16_t)tag;
        return;
    }
    if (latest->tags < W7_SLOT_SEVERAL)
        latest->tags = (uint16_t)(W7_SLOT_SEVERAL | w7_slot_tag_bit(latest->tags));
    latest->tags = (uint16_t)(latest->tags | w7_slot_tag_bit(tag));
}

/* Whether a ply there may have the tag. */
static W7_ALWAYS_INLINE int w7_latest_may_have(const w7_latest *latest, uint32_t tag)
{
    return latest->tags < W7_SLOT_SEVERAL ? latest->tags == tag : (latest->tags & w7_slot_tag_bit(tag)) != 0;
}

static W7_ALWAYS_INLINE w7_slot_view w7_slot_view_of(const w7_slots *slots, uint8_t *slot)
{
    w7_slot_view view;
    view.slot = (w7_slot *)(void *)slot;
    view.legal = (uint64_t *)(void *)(slot + slots->legal);
    view.black = (uint64_t *)(void *)(slot + slots->stones);
    view.white = view.black + slots->words;
    view.weak = (uint64_t *)(void *)(slot + slots->weak);
    view.liberties[0] = NULL;
    view.liberties[W7_BLACK] = (uint64_t *)(void *)(slot + slots->liberties);
    view.liberties[W7_WHITE] = view.liberties[W7_BLACK] + slots->words;
    view.refills = (uint64_t *)(void *)(slot + slots->refills);
    view.cells = (w7_cell *)(void *)(slot + slots->cells);
    view.latest = (w7_latest *)(void *)(slot + slots->latest);
    view.chains = (w7_chain *)(void *)(slot + slots->chains);
    view.plies = (w7_ply *)(void *)(slot + slots->plies);
    view.removed = (uint16_t *)(void *)(slot + slots->removed);
    return view;
}

/* Room for so many elements at the end of `size`, on a place for any of them. */
static inline size_t w7_slot_lay(size_t *size, size_t count, size_t element)
{
    const size_t at = *size;
    *size += (count * element + 7) & ~(size_t)7;
    return at;
}

static inline size_t w7_slot_align(size_t size)
{
    return (size + W7_SLOT_ALIGNMENT - 1) & ~(size_t)(W7_SLOT_ALIGNMENT - 1);
}

static inline void w7_slots_lay_out(w7_slots *slots)
{
    const size_t places = (size_t)slots->places, moves = (size_t)slots->move_limit;
    const size_t words = (size_t)slots->words;
    size_t size = (sizeof(w7_slot) + 7) & ~(size_t)7;
    slots->legal = w7_slot_lay(&size, words, sizeof(uint64_t));
    slots->stones = w7_slot_lay(&size, 2 * words, sizeof(uint64_t));
    slots->weak = w7_slot_lay(&size, words, sizeof(uint64_t));
    slots->liberties = w7_slot_lay(&size, 2 * words, sizeof(uint64_t));
    slots->refills = w7_slot_lay(&size, words, sizeof(uint64_t));
    size = w7_slot_align(size + sizeof(w7_chain)) - sizeof(w7_chain);
    slots->chains = w7_slot_lay(&size, (size_t)slots->points + 1, sizeof(w7_chain));
    size = w7_slot_align(size);
    slots->latest = w7_slot_lay(&size, W7_SLOT_COUNTS, sizeof(w7_latest));
    slots->cells = w7_slot_lay(&size, places, sizeof(w7_cell));
    slots->fresh = size; /* of what follows, only ply 0 is needed */
    size = w7_slot_align(size);
    slots->plies = w7_slot_lay(&size, moves + 1, sizeof(w7_ply));
    slots->removed = w7_slot_lay(&size, moves, sizeof(uint16_t));
    /* An odd number of lines, for with an even one what all boards have at one place is in few sets of the cache. */
    slots->stride = w7_slot_align(size) | W7_SLOT_ALIGNMENT;
}

static inline void w7_slots_fill_tables(w7_slots *slots)
{
    const int32_t stride = slots->width + 1;
    memset(slots->point_of, 0xFF, (size_t)slots->places * sizeof *slots->point_of);
    memset(slots->sides, 0xFF, 4 * (size_t)slots->points * sizeof *slots->sides);
    for (int32_t point = 0; point < slots->points; point++) {
        const int32_t x = point % slots->width, y = point / slots->width;
        const int32_t place = (y + 1) * stride + x + 1;
        uint16_t *sides = slots->sides + 4 * (size_t)point;
        if (y > 0)
            *sides++ = (uint16_t)(point - slots->width);
        if (x > 0)
            *sides++ = (uint16_t)(point - 1);
        if (x < slots->width - 1)
            *sides++ = (uint16_t)(point + 1);
        if (y < slots->height - 1)
            *sides = (uint16_t)(point + slots->width);
        slots->place_of[point] = (uint16_t)place;
        slots->point_of[place] = (uint16_t)point;
        w7_point_add(slots->all, point);
        if (x > 0)
            w7_point_add(slots->not_first, point);
        if (x < slots->width - 1)
            w7_point_add(slots->not_last, point);
        for (int color = W7_BLACK; color <= W7_WHITE; color++) {
            const uint64_t key = w7_zobrist_stone(color, x, y);
            uint64_t at = key & slots->found_mask;
            slots->keys[color][place] = key;
            w7_point_add(slots->tagged[color], (int32_t)w7_slot_tag(key));
            while (slots->found_points[color][at] != W7_SLOT_NONE)
                at = (at + 1) & slots->found_mask;
            slots->found_points[color][at] = (uint16_t)point;
            slots->found_keys[color][at] = key;
        }
    }
}

/* The point whose key this is, for a stone of the colour, or W7_SLOT_NONE. */
static inline uint16_t w7_slots_find_key(const w7_slots *slots, int color, uint64_t key)
{
    uint64_t at = key & slots->found_mask;
    while (slots->found_points[color][at] != W7_SLOT_NONE && slots->found_keys[color][at] != key)
        at = (at + 1) & slots->found_mask;
    return slots->found_points[color][at];
}

static inline void w7_slots_free(w7_slots *slots)
{
    free(slots->memory);
    slots->memory = NULL;
}

/* Whether boards of this size fit. */
static inline int w7_slots_have_size(int64_t width, int64_t height)
{
    return width >= 1 && height >= 1 && width < W7_SLOT_PLACES && height < W7_SLOT_PLACES &&
           (width + 1) * (height + 2) + 1 <= W7_SLOT_PLACES;
}

/* Makes the layout and the tables of a size that fits, where the rules and the limit of moves, 1 to W7_SLOT_MOVES, are
 * set; `empty` is still to be filled (boards.h). W7_NO_MEMORY is the only failure. */
static W7_COLD w7_status w7_slots_make(w7_slots *slots, int32_t width, int32_t height)
{
    size_t size = 0, at[14], none, found = 16;
    uint8_t *memory;
    slots->width = width;
    slots->height = height;
    slots->points = width * height;
    slots->places = (width + 1) * (height + 2) + 1;
    slots->words = (slots->points + 63) / 64;
    w7_slots_lay_out(slots);
    while (found < 2 * (size_t)slots->points)
        found *= 2;
    slots->found_mask = found - 1;
    for (int color = 0; color < 2; color++) {
        at[color] = w7_slot_lay(&size, (size_t)slots->places, sizeof(uint64_t));
        at[2 + color] = w7_slot_lay(&size, found, sizeof(uint64_t));
        at[4 + color] = w7_slot_lay(&size, found, sizeof(uint16_t));
    }
    for (int set = 0; set < 3; set++)
        at[6 + set] = w7_slot_lay(&size, (size_t)slots->words, sizeof(uint64_t));
    none = w7_slot_lay(&size, (size_t)slots->words, sizeof(uint64_t));
    at[9] = w7_slot_lay(&size, (size_t)slots->points, sizeof(uint16_t));
    at[10] = w7_slot_lay(&size, (size_t)slots->places, sizeof(uint16_t));
    at[11] = w7_slot_lay(&size, slots->stride, 1);
    at[12] = w7_slot_lay(&size, 4 * (size_t)slots->points, sizeof(uint16_t));
    at[13] = w7_slot_lay(&size, 2, ((size_t)1 << W7_SLOT_TAG_BITS) / 8);
    memory = (uint8_t *)calloc(size, 1);
    if (memory == NULL)
        return W7_NO_MEMORY;
    slots->memory = memory;
    for (int color = 0; color < 2; color++) {
        slots->keys[W7_BLACK + color] = (uint64_t *)(void *)(memory + at[color]);
        slots->found_keys[W7_BLACK + color] = (uint64_t *)(void *)(memory + at[2 + color]);
        slots->found_points[W7_BLACK + color] = (uint16_t *)(void *)(memory + at[4 + color]);
        slots->tagged[W7_BLACK + color] =
            (uint64_t *)(void *)(memory + at[13]) + (size_t)color * (((size_t)1 << W7_SLOT_TAG_BITS) / 64);
        memset(slots->found_points[W7_BLACK + color], 0xFF, found * sizeof(uint16_t));
    }
    slots->all = (uint64_t *)(void *)(memory + at[6]);
    slots->none = (uint64_t *)(void *)(memory + none);
    slots->not_first = (uint64_t *)(void *)(memory + at[7]);
    slots->not_last = (uint64_t *)(void *)(memory + at[8]);
    slots->place_of = (uint16_t *)(void *)(memory + at[9]);
    slots->point_of = (uint16_t *)(void *)(memory + at[10]);
    slots->empty = memory + at[11];
    slots->sides = (uint16_t *)(void *)(memory + at[12]);
    w7_slots_fill_tables(slots);
    return W7_OK;
}

/* w7_slots_spread of a size. */
static W7_ALWAYS_INLINE void w7_slots_spread_by(const w7_slots *slots, const uint64_t *set, uint64_t *out, int width,
                                                int words)
{
    const int up = width & 63, up_words = width >> 6;
    uint64_t before = 0, at = set[0];
    for (int i = 0; i < words; i++) {
        const uint64_t after = i + 1 < words ? set[i + 1] : 0;
        uint64_t bits =
            ((at << 1 | before >> 63) & slots->not_first[i]) | ((at >> 1 | after << 63) & slots->not_last[i]);
        if (up_words == 0) {
            bits |= at << up | before >> (64 - up) | at >> up | after << (64 - up);
        } else {
            const int below = i - up_words, above = i + up_words;
            if (below >= 0)
                bits |= set[below] << up;
            if (above < words)
                bits |= set[above] >> up;
            if (up > 0 && below >= 1)
                bits |= set[below - 1] >> (64 - up);
            if (up > 0 && above + 1 < words)
                bits |= set[above + 1] << (64 - up);
        }
        out[i] = bits & slots->all[i];
        before = at;
        at = after;
    }
}

#ifdef W7_WITH_X86_ISAS

enum { W7_SLOT_WIDE_WORDS = 8 /* of a set that is in one register */ };

/* Whether sets are in one register, and no row is longer than a word. */
static W7_ALWAYS_INLINE int w7_slots_are_wide(const w7_slots *slots)
{
    return slots->isa >= W7_ISA_AVX512BW && slots->words <= W7_SLOT_WIDE_WORDS && slots->width < 64;
}

W7_TARGET_AVX512BW static W7_ALWAYS_INLINE __m512i w7_avx512_read_set(const w7_slots *slots, const uint64_t *set)
{
    return _mm512_maskz_loadu_epi64((__mmask8)((1 << slots->words) - 1), set);
}

W7_TARGET_AVX512BW static W7_ALWAYS_INLINE void w7_avx512_write_set(const w7_slots *slots, __m512i set, uint64_t *out)
{
    _mm512_mask_storeu_epi64(out, (__mmask8)((1 << slots->words) - 1), set);
}

/* w7_slots_spread of a register. */
W7_TARGET_AVX512BW static W7_ALWAYS_INLINE __m512i w7_avx512_slot_spread(const w7_slots *slots, __m512i set)
{
    const __m512i below = _mm512_alignr_epi64(set, _mm512_setzero_si512(), 7); /* of each word the one before it */
    const __m512i above = _mm512_alignr_epi64(_mm512_setzero_si512(), set, 1);
    const __m128i up = _mm_cvtsi32_si128(slots->width), rest = _mm_cvtsi32_si128(64 - slots->width);
    const __m512i next = _mm512_or_si512(_mm512_slli_epi64(set, 1), _mm512_srli_epi64(below, 63));
    const __m512i last = _mm512_or_si512(_mm512_srli_epi64(set, 1), _mm512_slli_epi64(above, 63));
    const __m512i rows = _mm512_or_si512(_mm512_or_si512(_mm512_sll_epi64(set, up), _mm512_srl_epi64(below, rest)),
                                         _mm512_or_si512(_mm512_srl_epi64(set, up), _mm512_sll_epi64(above, rest)));
    const __m512i sides = _mm512_or_si512(_mm512_and_si512(next, w7_avx512_read_set(slots, slots->not_first)),
                                          _mm512_and_si512(last, w7_avx512_read_set(slots, slots->not_last)));
    return _mm512_and_si512(_mm512_or_si512(rows, sides), w7_avx512_read_set(slots, slots->all));
}

W7_TARGET_AVX512BW static W7_NOINLINE void w7_avx512_slots_spread(const w7_slots *slots, const uint64_t *set,
                                                                  uint64_t *out)
{
    w7_avx512_write_set(slots, w7_avx512_slot_spread(slots, w7_avx512_read_set(slots, set)), out);
}

#endif

#ifdef W7_WITH_X86_ISAS

/* A set of 19 x 19 points. */
typedef struct {
    __m256i low;
    __m128i high;
} w7_avx2_set;

/* Whether sets are those, for a processor without wider registers. */
static W7_ALWAYS_INLINE int w7_slots_are_19(const w7_slots *slots)
{
    return slots->isa == W7_ISA_AVX2 && slots->width == 19 && slots->height == 19;
}

W7_TARGET_AVX2 static W7_ALWAYS_INLINE w7_avx2_set w7_avx2_read_set(const uint64_t *set)
{
    const w7_avx2_set read = {_mm256_loadu_si256((const __m256i *)(const void *)set),
                              _mm_loadu_si128((const __m128i *)(const void *)(set + 4))};
    return read;
}

W7_TARGET_AVX2 static W7_ALWAYS_INLINE void w7_avx2_write_set(w7_avx2_set set, uint64_t *out)
{
    _mm256_storeu_si256((__m256i *)(void *)out, set.low);
    _mm_storeu_si128((__m128i *)(void *)(out + 4), set.high);
}

W7_TARGET_AVX2 static W7_ALWAYS_INLINE w7_avx2_set w7_avx2_and(w7_avx2_set a, w7_avx2_set b)
{
    const w7_avx2_set both = {_mm256_and_si256(a.low, b.low), _mm_and_si128(a.high, b.high)};
    return both;
}

W7_TARGET_AVX2 static W7_ALWAYS_INLINE w7_avx2_set w7_avx2_or(w7_avx2_set a, w7_avx2_set b)
{
    const w7_avx2_set any = {_mm256_or_si256(a.low, b.low), _mm_or_si128(a.high, b.high)};
    return any;
}

/* Those of b that are not in a. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE w7_avx2_set w7_avx2_andnot(w7_avx2_set a, w7_avx2_set b)
{
    const w7_avx2_set rest = {_mm256_andnot_si256(a.low, b.low), _mm_andnot_si128(a.high, b.high)};
    return rest;
}

W7_TARGET_AVX2 static W7_ALWAYS_INLINE int w7_avx2_is_empty(w7_avx2_set set)
{
    /* _mm256_zextsi128_si256 came with gcc 10. */
    const __m256i high = _mm256_blend_epi32(_mm256_setzero_si256(), _mm256_castsi128_si256(set.high), 0x0F);
    const __m256i any = _mm256_or_si256(set.low, high);
    return _mm256_testz_si256(any, any);
}

/* The points so many after those of a set, and so many before them: fewer than 64. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE w7_avx2_set w7_avx2_after(w7_avx2_set set, int by)
{
    const __m256i below = _mm256_blend_epi32(_mm256_permute4x64_epi64(set.low, 0x90), _mm256_setzero_si256(), 3);
    const __m128i last = _mm_alignr_epi8(set.high, _mm256_extracti128_si256(set.low, 1), 8);
    const w7_avx2_set after = {_mm256_or_si256(_mm256_slli_epi64(set.low, by), _mm256_srli_epi64(below, 64 - by)),
                               _mm_or_si128(_mm_slli_epi64(set.high, by), _mm_srli_epi64(last, 64 - by))};
    return after;
}

W7_TARGET_AVX2 static W7_ALWAYS_INLINE w7_avx2_set w7_avx2_before(w7_avx2_set set, int by)
{
    const __m256i above =
        _mm256_blend_epi32(_mm256_permute4x64_epi64(set.low, 0x39), _mm256_broadcastq_epi64(set.high), 0xC0);
    const w7_avx2_set before = {
        _mm256_or_si256(_mm256_srli_epi64(set.low, by), _mm256_slli_epi64(above, 64 - by)),
        _mm_or_si128(_mm_srli_epi64(set.high, by), _mm_slli_epi64(_mm_srli_si128(set.high, 8), 64 - by))};
    return before;
}

/* w7_slots_spread. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE w7_avx2_set w7_avx2_slot_spread(const w7_slots *slots, w7_avx2_set set)
{
    const w7_avx2_set next = w7_avx2_and(w7_avx2_after(set, 1), w7_avx2_read_set(slots->not_first));
    const w7_avx2_set last = w7_avx2_and(w7_avx2_before(set, 1), w7_avx2_read_set(slots->not_last));
    const w7_avx2_set rows = w7_avx2_or(w7_avx2_after(set, 19), w7_avx2_before(set, 19));
    return w7_avx2_and(w7_avx2_or(w7_avx2_or(next, last), rows), w7_avx2_read_set(slots->all));
}

W7_TARGET_AVX2 static W7_NOINLINE void w7_avx2_slots_spread(const w7_slots *slots, const uint64_t *set, uint64_t *out)
{
    w7_avx2_write_set(w7_avx2_slot_spread(slots, w7_avx2_read_set(set)), out);
}

#endif

/* The points adjacent to those of a set, and possibly themselves. */
static W7_NOINLINE void w7_slots_spread(const w7_slots *slots, const uint64_t *set, uint64_t *out)
{
#ifdef W7_WITH_X86_ISAS
    if (w7_slots_are_wide(slots)) {
        w7_avx512_slots_spread(slots, set, out);
        return;
    }
    if (w7_slots_are_19(slots)) {
        w7_avx2_slots_spread(slots, set, out);
        return;
    }
#endif
    w7_slots_spread_by(slots, set, out, slots->width, slots->words);
}

#endif
