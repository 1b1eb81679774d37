/* The first and last frames at which 64 games may have a form of a pattern at a place, by their first stones. */
#ifndef W7_BATCH_INDEX_FIRST_BOUNDS_H
#define W7_BATCH_INDEX_FIRST_BOUNDS_H

#include "_util/cpu.h"
#include "batch/index/game_store.h"
#include "board/kernel/bits.h"

#ifdef W7_WITH_X86_ISAS
#include <immintrin.h>
#endif

/* A form of a pattern: at each place `count` points of the board, those of the first place all moved alike, in the order
 * of what is allowed on them: `colored` of them have a stone of one color, then
 * `stones` either of them, then come `empty` ones, then those that are empty or have a stone of one color. */
typedef struct {
    const int32_t *points;
    const uint8_t *allowed;
    int64_t places;
    int64_t count;
    int64_t colored;
    int64_t stones;
    int64_t empty;
    /* For each of the first `colored + stones` points when its stone was put, from 0; NULL where that does not count. */
    const int32_t *order;
    uint8_t swapped;
} w7_index_form;

typedef struct {
    /* Games in which the form may be there at some frame, those of them in which it is, and those in which it is from
     * `begins` up to `ends` and at no other frame. */
    uint64_t possible;
    uint64_t certain;
    uint64_t exact;
    uint8_t begins[W7_INDEX_LANES]; /* the frame before which not all stones are there */
    uint8_t ends[W7_INDEX_LANES];   /* the frame at which the first point that is to be empty is filled */
} w7_index_bounds;

W7_INDEX_LOOPS_BEGIN

/* Eight bytes as a word, the first one lowest on every machine. */
static inline uint64_t w7_index_word(const uint8_t *at)
{
    return (uint64_t)at[0] | (uint64_t)at[1] << 8 | (uint64_t)at[2] << 16 | (uint64_t)at[3] << 24 |
           (uint64_t)at[4] << 32 | (uint64_t)at[5] << 40 | (uint64_t)at[6] << 48 | (uint64_t)at[7] << 56;
}

/* Copies 64 bytes. What is compiled for size calls, or has the processor repeat, for as long as this takes ten times. */
static inline void w7_index_copy_lanes(uint8_t *to, const uint8_t *from)
{
#ifdef W7_WITH_X86_ISAS
    for (int part = 0; part < 4; part++)
        _mm_storeu_si128((__m128i *)(void *)to + part, _mm_loadu_si128((const __m128i *)(const void *)from + part));
#else
    memcpy(to, from, W7_INDEX_LANES);
#endif
}

/* Where bits of 64 games begin that ever had the stone that is allowed on point `k` of a form. */
static inline const uint8_t *w7_index_allowed_at(const w7_index_group *group, const w7_index_form *of, int64_t k,
                                                 int32_t point, int64_t game)
{
    return (of->allowed[k] & W7_INDEX_BLACK ? group->black : group->white) + point * group->row_bytes + (game >> 3);
}

static void w7_index_bound_portable(const w7_index_group *group, int64_t game, const w7_index_form *of,
                                    const int32_t *points, uint8_t limit, w7_index_bounds *bounds)
{
    enum { LANES = W7_INDEX_LANES };
    const uint8_t *first = group->first_stones + w7_index_first_at(group, game);
    const int64_t with_stone = of->colored + of->stones;
    uint8_t varies[LANES] = {0}, mosts[LANES] = {0};
    memset(bounds->begins, 0, LANES);
    memset(bounds->ends, limit, LANES);
    for (int64_t k = 0; k < with_stone; k++) {
        const uint8_t *row = first + (int64_t)points[k] * LANES;
        for (int i = 0; i < LANES; i++) {
            const uint8_t begin = row[i] < W7_INDEX_VARIES ? row[i] : (uint8_t)(8 * (255 - row[i]));
            varies[i] |= row[i] >= W7_INDEX_VARIES;
            bounds->begins[i] = begin > bounds->begins[i] ? begin : bounds->begins[i];
        }
    }
    for (int64_t k = with_stone; k < of->count; k++) {
        const uint8_t *row = first + (int64_t)points[k] * LANES;
        uint64_t allowed = 0;
        if (k >= with_stone + of->empty)
            allowed = w7_index_word(w7_index_allowed_at(group, of, k, points[k], game));
        for (int i = 0; i < LANES; i++) {
            const uint8_t end = (uint8_t)(row[i] | -(int)(allowed >> i & 1));
            bounds->ends[i] = end < bounds->ends[i] ? end : bounds->ends[i];
            mosts[i] = row[i] > mosts[i] ? row[i] : mosts[i];
        }
    }
    bounds->possible = bounds->certain = bounds->exact = 0;
    for (int i = 0; i < LANES; i++) {
        const int begin = bounds->begins[i], end = bounds->ends[i];
        const int is_open = begin < end, is_varying = varies[i] || mosts[i] >= W7_INDEX_VARIES;
        /* A late stone may come later than a late one. */
        bounds->possible |= (uint64_t)(is_open || end == W7_INDEX_LATE) << i;
        bounds->certain |= (uint64_t)(is_open && !varies[i] && (!is_varying || begin < 8 * (255 - mosts[i]))) << i;
        bounds->exact |= (uint64_t)(is_open && !is_varying && begin < W7_INDEX_LATE && end != W7_INDEX_LATE) << i;
    }
}

#ifdef W7_WITH_X86_ISAS

/* 32 bits as bytes of ones and of zeros. */
W7_TARGET_AVX2 static inline __m256i w7_index_spread_bits(const uint8_t *at)
{
    const __m256i bits = _mm256_set1_epi64x((int64_t)0x8040201008040201);
    const __m256i places = _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    int32_t four;
    memcpy(&four, at, sizeof four);
    return _mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(_mm256_set1_epi32(four), places), bits), bits);
}

W7_TARGET_AVX2 static inline uint64_t w7_index_ones(__m256i low, __m256i high)
{
    return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/* In which of the 64 games from `game` on a form may be: in those, and in some in which points with stones varied. */
W7_TARGET_AVX2 static uint64_t w7_index_screen_avx2(const w7_index_group *group, int64_t game, const w7_index_form *of,
                                                    const int32_t *points, uint8_t limit, uint64_t some)
{
    enum { HALF = W7_INDEX_LANES / 2, ABOVE = 256 - W7_INDEX_VARIES, AT_ONCE = 8 };
    const uint8_t *first = group->first_stones + w7_index_first_at(group, game);
    /* The same points are likely to be looked at in the next games. */
    const int64_t next = game + 2 * W7_INDEX_LANES <= group->games ? group->points * W7_INDEX_LANES : 0;
    const int32_t *with_stone = points + of->colored + of->stones, *with_empty = with_stone + of->empty;
    const __m256i above = _mm256_set1_epi8(ABOVE), one = _mm256_set1_epi8(1);
    const __m256i most = _mm256_set1_epi8((char)(W7_INDEX_LATE - 1));
    __m256i begins[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()}, ends[2], open[2];
    ends[0] = ends[1] = _mm256_set1_epi8((char)limit);
    for (; points < with_stone; points++) {
        const uint8_t *row = first + (int64_t)*points * W7_INDEX_LANES;
        W7_PREFETCH(row + next);
        /* What varied becomes less than any frame. */
        for (int half = 0; half < 2; half++)
            begins[half] = _mm256_max_epu8(
                begins[half],
                _mm256_add_epi8(above, _mm256_loadu_si256((const __m256i *)(const void *)(row + HALF * half))));
    }
    for (int half = 0; half < 2; half++) /* A late stone may come later than a late one. */
        begins[half] = _mm256_add_epi8(_mm256_min_epu8(_mm256_subs_epu8(begins[half], above), most), one);
    do {
        const int32_t *end = with_empty - points > AT_ONCE ? points + AT_ONCE : with_empty;
        for (; points < end; points++) {
            const uint8_t *row = first + (int64_t)*points * W7_INDEX_LANES;
            W7_PREFETCH(row + next);
            for (int half = 0; half < 2; half++)
                ends[half] =
                    _mm256_min_epu8(ends[half], _mm256_loadu_si256((const __m256i *)(const void *)(row + HALF * half)));
        }
        for (int half = 0; half < 2; half++)
            open[half] = _mm256_cmpeq_epi8(_mm256_max_epu8(ends[half], begins[half]), ends[half]);
        some &= w7_index_ones(open[0], open[1]);
    } while (some && points < with_empty);
    return some;
}

/* 8 times each number, or 255. */
W7_TARGET_AVX2 static inline __m256i w7_index_eightfold(__m256i numbers)
{
    for (int twice = 0; twice < 3; twice++)
        numbers = _mm256_adds_epu8(numbers, numbers);
    return numbers;
}

/* The same as w7_index_bound_portable. */
W7_TARGET_AVX2 static void w7_index_bound_avx2(const w7_index_group *group, int64_t game, const w7_index_form *of,
                                               const int32_t *points, uint8_t limit, w7_index_bounds *bounds)
{
    enum { HALF = W7_INDEX_LANES / 2 };
    const uint8_t *first = group->first_stones + w7_index_first_at(group, game);
    const int64_t with_stone = of->colored + of->stones, with_empty = with_stone + of->empty;
    const __m256i late = _mm256_set1_epi8((char)W7_INDEX_LATE), varies = _mm256_set1_epi8((char)W7_INDEX_VARIES);
    const __m256i none = _mm256_setzero_si256(), one = _mm256_set1_epi8(1), ones = _mm256_set1_epi8((char)255);
    __m256i begins[2] = {none, none}, varied[2] = {none, none}, mosts[2] = {none, none}, ends[2], open[2], certain[2];
    __m256i exact[2];
    ends[0] = ends[1] = _mm256_set1_epi8((char)limit);
    for (int64_t k = 0; k < with_stone; k++) {
        const uint8_t *row = first + (int64_t)points[k] * W7_INDEX_LANES;
        for (int half = 0; half < 2; half++) {
            const __m256i since = _mm256_loadu_si256((const __m256i *)(const void *)(row + HALF * half));
            const __m256i is_varying = _mm256_cmpeq_epi8(_mm256_max_epu8(since, varies), since);
            const __m256i first = _mm256_and_si256(is_varying, w7_index_eightfold(_mm256_xor_si256(since, ones)));
            begins[half] =
                _mm256_max_epu8(begins[half], _mm256_or_si256(first, _mm256_andnot_si256(is_varying, since)));
            varied[half] = _mm256_or_si256(varied[half], is_varying);
        }
    }
    for (int64_t k = with_stone; k < of->count; k++) {
        const uint8_t *row = first + (int64_t)points[k] * W7_INDEX_LANES;
        const __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)row);
        const __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(row + HALF));
        mosts[0] = _mm256_max_epu8(mosts[0], low);
        mosts[1] = _mm256_max_epu8(mosts[1], high);
        if (k < with_empty) {
            ends[0] = _mm256_min_epu8(ends[0], low);
            ends[1] = _mm256_min_epu8(ends[1], high);
        } else {
            const uint8_t *allowed = w7_index_allowed_at(group, of, k, points[k], game);
            ends[0] = _mm256_min_epu8(ends[0], _mm256_or_si256(low, w7_index_spread_bits(allowed)));
            ends[1] = _mm256_min_epu8(ends[1], _mm256_or_si256(high, w7_index_spread_bits(allowed + 4)));
        }
    }
    for (int half = 0; half < 2; half++) {
        const __m256i after = _mm256_add_epi8(begins[half], one);
        open[half] = _mm256_cmpeq_epi8(_mm256_max_epu8(ends[half], after), ends[half]);
    }
    bounds->possible = w7_index_ones(_mm256_or_si256(open[0], _mm256_cmpeq_epi8(ends[0], late)),
                                     _mm256_or_si256(open[1], _mm256_cmpeq_epi8(ends[1], late)));
    for (int half = 0; half < 2; half++) {
        /* 8 times 255 less the most, or 255: before that frame there was no stone on a point where stones come and go. */
        __m256i least = w7_index_eightfold(_mm256_xor_si256(mosts[half], ones));
        least = _mm256_cmpeq_epi8(_mm256_max_epu8(least, _mm256_add_epi8(begins[half], one)), least);
        certain[half] = _mm256_andnot_si256(varied[half], _mm256_and_si256(open[half], least));
        exact[half] = _mm256_cmpeq_epi8(_mm256_max_epu8(mosts[half], varies), mosts[half]);
        exact[half] = _mm256_or_si256(_mm256_or_si256(exact[half], varied[half]), _mm256_cmpeq_epi8(ends[half], late));
        exact[half] =
            _mm256_or_si256(exact[half], _mm256_cmpeq_epi8(_mm256_max_epu8(begins[half], late), begins[half]));
        exact[half] = _mm256_andnot_si256(exact[half], open[half]);
        _mm256_storeu_si256((__m256i *)(void *)(bounds->begins + HALF * half), begins[half]);
        _mm256_storeu_si256((__m256i *)(void *)(bounds->ends + HALF * half), ends[half]);
    }
    bounds->certain = w7_index_ones(certain[0], certain[1]);
    bounds->exact = w7_index_ones(exact[0], exact[1]);
}

W7_TARGET_AVX512BW static inline __m512i w7_index_eightfold_avx512(__m512i numbers)
{
    for (int twice = 0; twice < 3; twice++)
        numbers = _mm512_adds_epu8(numbers, numbers);
    return numbers;
}

/* The same, 64 games at once, except that nothing but `possible` is of use where none of the games `some` may have the
 * form. */
W7_TARGET_AVX512BW static void w7_index_bound_avx512(const w7_index_group *group, int64_t game, const w7_index_form *of,
                                                     const int32_t *points, uint8_t limit, uint64_t some,
                                                     w7_index_bounds *bounds)
{
    enum { AT_ONCE = 4 };
    const uint8_t *first = group->first_stones + game * group->points;
    const int64_t next = game + 2 * W7_INDEX_LANES <= group->games ? group->points * W7_INDEX_LANES : 0;
    const int32_t *with_stone = points + of->colored + of->stones, *with_empty = with_stone + of->empty;
    const int32_t *point = points, *end = points + of->count;
    const __m512i late = _mm512_set1_epi8((char)W7_INDEX_LATE), varies = _mm512_set1_epi8((char)W7_INDEX_VARIES);
    const __m512i ones = _mm512_set1_epi8((char)255);
    __m512i begins = _mm512_setzero_si512(), mosts = begins, ends = _mm512_set1_epi8((char)limit), least = ones;
    uint64_t varied, open, possible;
    for (; point < with_stone; point++) {
        const uint8_t *row = first + (int64_t)*point * W7_INDEX_LANES;
        const __m512i since = _mm512_loadu_si512(row);
        const __mmask64 is_varying = _mm512_cmpge_epu8_mask(since, varies);
        W7_PREFETCH(row + next);
        mosts = _mm512_max_epu8(mosts, since);
        begins = _mm512_max_epu8(begins, _mm512_mask_mov_epi8(since, is_varying, _mm512_setzero_si512()));
        least = _mm512_mask_min_epu8(least, is_varying, least, since);
    }
    varied = _mm512_cmpge_epu8_mask(mosts, varies);
    begins = _mm512_max_epu8(begins, w7_index_eightfold_avx512(_mm512_xor_si512(least, ones)));
    mosts = _mm512_setzero_si512();
    for (;;) {
        if (with_empty - point >= AT_ONCE) {
            for (int k = 0; k < AT_ONCE; k++) {
                const uint8_t *row = first + (int64_t)point[k] * W7_INDEX_LANES;
                const __m512i since = _mm512_loadu_si512(row);
                W7_PREFETCH(row + next);
                mosts = _mm512_max_epu8(mosts, since);
                ends = _mm512_min_epu8(ends, since);
            }
            point += AT_ONCE;
        } else {
            for (; point < end; point++) {
                const uint8_t *row = first + (int64_t)*point * W7_INDEX_LANES;
                const __m512i since = _mm512_loadu_si512(row);
                uint64_t are_ends = UINT64_MAX;
                W7_PREFETCH(row + next);
                mosts = _mm512_max_epu8(mosts, since);
                if (point >= with_empty)
                    are_ends = ~w7_index_word(w7_index_allowed_at(group, of, point - points, *point, game));
                ends = _mm512_mask_min_epu8(ends, are_ends, ends, since);
            }
        }
        open = _mm512_cmplt_epu8_mask(begins, ends);
        possible = open | _mm512_cmpeq_epi8_mask(ends, late);
        if (point == end || !(possible & some))
            break;
    }
    bounds->possible = possible;
    bounds->certain = bounds->exact = 0;
    if (!(possible & some))
        return;
    least = w7_index_eightfold_avx512(_mm512_xor_si512(mosts, ones));
    bounds->certain = open & ~varied & _mm512_cmplt_epu8_mask(begins, least);
    bounds->exact = open & ~varied &
                    ~(_mm512_cmpge_epu8_mask(mosts, varies) | _mm512_cmpeq_epi8_mask(ends, late) |
                      _mm512_cmpge_epu8_mask(begins, late));
    _mm512_storeu_si512(bounds->begins, begins);
    _mm512_storeu_si512(bounds->ends, ends);
}

#endif

/* Bounds the 64 games from `game` on, all with first stones, at frames before `limit` (255: all). Other games than `some`
 * are of no interest, and not among those that the bounds name. */
static inline void w7_index_bound(const w7_index_group *group, int isa, int64_t game, const w7_index_form *of,
                                  const int32_t *points, uint8_t limit, uint64_t some, w7_index_bounds *bounds)
{
#ifdef W7_WITH_X86_ISAS
    if (isa >= W7_ISA_AVX512BW)
        w7_index_bound_avx512(group, game, of, points, limit, some, bounds);
    else if (isa >= W7_ISA_AVX2) {
        some = w7_index_screen_avx2(group, game, of, points, limit, some);
        if (some)
            w7_index_bound_avx2(group, game, of, points, limit, bounds);
        else
            bounds->possible = bounds->certain = bounds->exact = 0;
    } else
#endif
        w7_index_bound_portable(group, game, of, points, limit, bounds);
    (void)isa;
    bounds->possible &= some;
    bounds->certain &= some;
    bounds->exact &= some;
}

W7_INDEX_LOOPS_END

#endif
