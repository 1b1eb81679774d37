/* The plane of planes.h in one register of 512 bits. */
#ifndef W7_BOARD_KERNEL_PLANE_AVX512_H
#define W7_BOARD_KERNEL_PLANE_AVX512_H

#include "_util/cpu.h"

#ifdef W7_WITH_X86_ISAS

#include <immintrin.h>
#include <stdint.h>

#include "board/kernel/plane_mask.h"

typedef __m512i w7_avx512_plane;

typedef struct {
    __m512i points;
    __m512i shift;             /* places of a row, in every word */
    __m512i rest;              /* and 64 less that */
    const w7_mask *neighbours; /* the places adjacent to one */
} w7_avx512_shape;

/* A single place. */
static const w7_mask W7_PLACE_MASKS[8] = {{{0}, {1}},  {{0}, {2}},  {{0}, {4}},  {{0}, {8}},
                                          {{0}, {16}}, {{0}, {32}}, {{0}, {64}}, {{0}, {128}}};

W7_TARGET_AVX512BW static inline __m512i w7_avx512_mask(const w7_mask *masks, uint32_t place)
{
    return _mm512_loadu_si512((const uint8_t *)&masks[place & 7] + sizeof masks->below - (place >> 3));
}

W7_TARGET_AVX512BW static inline w7_avx512_shape w7_avx512_shape_of(const uint64_t *points, int32_t stride,
                                                                    const w7_mask *neighbours)
{
    w7_avx512_shape shape;
    shape.points = _mm512_loadu_si512(points);
    shape.shift = _mm512_set1_epi64(stride);
    shape.rest = _mm512_set1_epi64(64 - stride);
    shape.neighbours = neighbours;
    return shape;
}

W7_TARGET_AVX512BW static inline __m512i w7_avx512_load(const uint64_t *words)
{
    return _mm512_loadu_si512(words);
}

W7_TARGET_AVX512BW static inline void w7_avx512_store(uint64_t *words, __m512i plane)
{
    _mm512_storeu_si512(words, plane);
}

W7_TARGET_AVX512BW static inline __m512i w7_avx512_none(void)
{
    return _mm512_setzero_si512();
}

W7_TARGET_AVX512BW static inline __m512i w7_avx512_place(uint32_t place)
{
    return w7_avx512_mask(W7_PLACE_MASKS, place);
}

W7_TARGET_AVX512BW static inline __m512i w7_avx512_neighbours(const w7_avx512_shape *shape, uint32_t place)
{
    return w7_avx512_mask(shape->neighbours, place);
}

/* A bit for each word that has places. */
W7_TARGET_AVX512BW static inline uint32_t w7_avx512_used(__m512i plane)
{
    return _mm512_test_epi64_mask(plane, plane);
}

/* The number of places. */
W7_TARGET_AVX512BW static inline int64_t w7_avx512_total(__m512i plane)
{
    uint64_t words[8];
    int64_t total = 0;
    _mm512_storeu_si512(words, plane);
    for (int i = 0; i < 8; i++)
        total += _mm_popcnt_u64(words[i]);
    return total;
}

/* One of the places of a plane that has some. */
W7_TARGET_AVX512BW static inline __m512i w7_avx512_one(__m512i plane)
{
    const unsigned words = _mm512_test_epi64_mask(plane, plane), word = words & (0 - words);
    const __m128i low = _mm512_castsi512_si128(_mm512_maskz_compress_epi64((__mmask8)word, plane));
    const int64_t bits = _mm_cvtsi128_si64(low);
    return _mm512_maskz_set1_epi64((__mmask8)word, (int64_t)((uint64_t)bits & (0 - (uint64_t)bits)));
}

/* The number of places, and which they are; where there are more than two, 3. */
W7_TARGET_AVX512BW static inline int w7_avx512_few(__m512i plane, uint32_t places[2])
{
    const uint32_t words = _mm512_test_epi64_mask(plane, plane), second = words & (words - 1);
    const __m128i low = _mm512_castsi512_si128(_mm512_maskz_compress_epi64((__mmask8)words, plane));
    const uint64_t first = (uint64_t)_mm_cvtsi128_si64(low), first_rest = first & (first - 1);
    uint64_t other;
    if (words == 0)
        return 0;
    places[0] = 64 * (uint32_t)w7_lowest_bit(words) + (uint32_t)w7_lowest_bit(first);
    if (second == 0) {
        if (first_rest == 0)
            return 1;
        places[1] = 64 * (uint32_t)w7_lowest_bit(words) + (uint32_t)w7_lowest_bit(first_rest);
        return (first_rest & (first_rest - 1)) == 0 ? 2 : 3;
    }
    other = (uint64_t)_mm_extract_epi64(low, 1);
    places[1] = 64 * (uint32_t)w7_lowest_bit(second) + (uint32_t)w7_lowest_bit(other);
    return (second & (second - 1)) == 0 && first_rest == 0 && (other & (other - 1)) == 0 ? 2 : 3;
}

/* The bits of those places that are points, one after the other, in words that are zeros after them. */
W7_TARGET_AVX512BW static inline void w7_avx512_pack(const w7_avx512_shape *shape, __m512i plane, uint64_t *words)
{
    uint64_t bits[8], points[8], held = 0;
    uint32_t count = 0;
    _mm512_storeu_si512(bits, plane);
    _mm512_storeu_si512(points, shape->points);
    for (int word = 0; word < 8; word++) {
        const uint64_t packed = _pext_u64(bits[word], points[word]);
        const uint32_t more = (uint32_t)_mm_popcnt_u64(points[word]);
        held |= packed << count;
        if (count + more >= 64) {
            *words++ = held;
            held = packed >> 1 >> (63 - count);
        }
        count = (count + more) & 63;
    }
    if (count != 0)
        *words = held;
}

W7_TARGET_AVX512BW static inline __m512i w7_avx512_and(__m512i a, __m512i b)
{
    return _mm512_and_si512(a, b);
}

W7_TARGET_AVX512BW static inline __m512i w7_avx512_or(__m512i a, __m512i b)
{
    return _mm512_or_si512(a, b);
}

W7_TARGET_AVX512BW static inline __m512i w7_avx512_without(__m512i a, __m512i b)
{
    return _mm512_andnot_si512(b, a);
}

/* The places left, right, above and below those of a plane. */
W7_TARGET_AVX512 static inline void w7_avx512_sides(const w7_avx512_shape *shape, __m512i plane, __m512i sides[4])
{
    const __m512i none = _mm512_setzero_si512();
    const __m512i lower = _mm512_alignr_epi64(plane, none, 7), higher = _mm512_alignr_epi64(none, plane, 1);
    sides[0] = _mm512_shrdi_epi64(plane, higher, 1);
    sides[1] = _mm512_shldi_epi64(plane, lower, 1);
    sides[2] = _mm512_shrdv_epi64(plane, higher, shape->shift);
    sides[3] = _mm512_shldv_epi64(plane, lower, shape->shift);
}

/* The same without VBMI2. */
W7_TARGET_AVX512BW static inline void w7_avx512bw_sides(const w7_avx512_shape *shape, __m512i plane, __m512i sides[4])
{
    const __m512i none = _mm512_setzero_si512();
    const __m512i lower = _mm512_alignr_epi64(plane, none, 7), higher = _mm512_alignr_epi64(none, plane, 1);
    sides[0] = _mm512_or_si512(_mm512_srli_epi64(plane, 1), _mm512_slli_epi64(higher, 63));
    sides[1] = _mm512_or_si512(_mm512_slli_epi64(plane, 1), _mm512_srli_epi64(lower, 63));
    sides[2] = _mm512_or_si512(_mm512_srlv_epi64(plane, shape->shift), _mm512_sllv_epi64(higher, shape->rest));
    sides[3] = _mm512_or_si512(_mm512_sllv_epi64(plane, shape->shift), _mm512_srlv_epi64(lower, shape->rest));
}

W7_TARGET_AVX512BW static inline __m512i w7_avx512_union(__m512i a, __m512i b, __m512i c)
{
    return _mm512_ternarylogic_epi64(a, b, c, 0xFE);
}

W7_TARGET_AVX512 static inline __m512i w7_avx512_spread(const w7_avx512_shape *shape, __m512i seeds, __m512i places)
{
    __m512i sides[4];
    w7_avx512_sides(shape, seeds, sides);
    return w7_avx512_union(w7_avx512_union(sides[0], sides[1], places), sides[2], sides[3]);
}

/* The same without VBMI2; the halves of the sides are joined three at a time. */
W7_TARGET_AVX512BW static inline __m512i w7_avx512bw_spread(const w7_avx512_shape *shape, __m512i seeds, __m512i places)
{
    const __m512i none = _mm512_setzero_si512();
    const __m512i lower = _mm512_alignr_epi64(seeds, none, 7), higher = _mm512_alignr_epi64(none, seeds, 1);
    const __m512i row = w7_avx512_union(places, _mm512_srli_epi64(seeds, 1), _mm512_slli_epi64(seeds, 1));
    const __m512i column = w7_avx512_union(_mm512_srlv_epi64(seeds, shape->shift),
                                           _mm512_sllv_epi64(seeds, shape->shift), _mm512_srli_epi64(lower, 63));
    const __m512i others = w7_avx512_union(_mm512_slli_epi64(higher, 63), _mm512_srlv_epi64(lower, shape->rest),
                                           _mm512_sllv_epi64(higher, shape->rest));
    return w7_avx512_union(row, column, others);
}

W7_TARGET_AVX512BW static inline int w7_avx512_meet(__m512i a, __m512i b)
{
    return _mm512_test_epi64_mask(a, b) != 0;
}

W7_TARGET_AVX512BW static inline int w7_avx512_differ(__m512i a, __m512i b)
{
    return _mm512_cmpneq_epi64_mask(a, b) != 0;
}

#endif

#endif
