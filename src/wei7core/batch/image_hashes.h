/* Hashes under the symmetries of a board, move by move: one at a time, or all eight in vector registers. No Python. */
#ifndef W7_BATCH_IMAGE_HASHES_H
#define W7_BATCH_IMAGE_HASHES_H

#include "board/kernel/board.h"
#include "board/kernel/planes.h"
#include "board/kernel/symmetry_keys.h"

#ifdef W7_WITH_X86_ISAS
#include <immintrin.h>
#endif

/* Adds the keys of a stone under the symmetries of a board for which there is no table. */
static W7_COLD void w7_images_compute(const w7_grid *grid, int color, int32_t x, int32_t y, uint64_t keys[8])
{
    for (int symmetry = 0; symmetry < (grid->width == grid->height ? 8 : 4); symmetry++) {
        const w7_point point = w7_symmetry_point(symmetry, grid->width, grid->height, x, y);
        keys[symmetry] ^= w7_zobrist_stone(color, point.x, point.y);
    }
}

/* Finds the images of a stone in the table. Returns the quadrant of the point, whose symmetries are in another order.
 * */
static W7_ALWAYS_INLINE int w7_images_find(const w7_symmetry_keys *keys, int color, int32_t x, int32_t y,
                                           const w7_images **images)
{
    const int32_t width = keys->width, height = keys->height, half = (width + 1) / 2, half_height = (height + 1) / 2;
    const int right = x >= half, lower = y >= half_height;
    x = right ? width - 1 - x : x;
    y = lower ? height - 1 - y : y;
    *images = &keys->images[2 * (y * half + x) + (color == W7_WHITE)];
    return right | lower << 1;
}

/* Adds the keys of a stone. */
static W7_ALWAYS_INLINE void w7_images_add(const w7_symmetry_keys *keys, const w7_grid *grid, int color, int32_t x,
                                           int32_t y, uint64_t sum[8])
{
    const w7_images *images;
    int quadrant;
    if (W7_UNLIKELY(keys->images == NULL)) {
        w7_images_compute(grid, color, x, y, sum);
        return;
    }
    quadrant = w7_images_find(keys, color, x, y, &images);
    for (int symmetry = 0; symmetry < 8; symmetry++)
        sum[symmetry] ^= images->key[w7_quadrant_symmetry(quadrant, symmetry)];
}

static inline uint64_t w7_least_key(const uint64_t keys[8], int symmetries)
{
    uint64_t least = keys[0];
    for (int symmetry = 1; symmetry < symmetries; symmetry++)
        least = keys[symmetry] < least ? keys[symmetry] : least;
    return least;
}

/* Adds the stones that a move removed to the hashes of a position. */
static inline void w7_images_add_removed(const w7_symmetry_keys *keys, const w7_board *board, const w7_move *move,
                                         uint64_t position[8])
{
    const int color = move->removed_own ? move->color : W7_BLACK + W7_WHITE - move->color;
    for (int32_t k = 0; k < move->removed_opponent + move->removed_own; k++) {
        const w7_point point = board->removed[move->removed_begin + k];
        w7_images_add(keys, &board->grid, color, point.x, point.y, position);
    }
}

#ifdef W7_WITH_X86_ISAS

/* The offsets of the images of a stone: the sum of the values of its column, row and color is the offset of the images
 * in the low half, and the quadrant in the high half. */
typedef struct {
    uint32_t columns[W7_PLANE_COLUMNS];
    uint32_t rows[2 * W7_QUADRANT_POINTS];
} w7_image_places;

static inline void w7_image_places_fill(w7_image_places *places, int32_t width, int32_t height)
{
    const int32_t half = (width + 1) / 2, half_height = (height + 1) / 2;
    const uint32_t bytes = 2 * sizeof(w7_images);
    for (int32_t x = 0; x < width; x++)
        places->columns[x] = x < half ? (uint32_t)x * bytes : (uint32_t)(width - 1 - x) * bytes | 1u << 16;
    for (int32_t y = 0; y < height; y++)
        places->rows[y] =
            y < half_height ? (uint32_t)(y * half) * bytes : (uint32_t)((height - 1 - y) * half) * bytes | 2u << 16;
}

#define w7_eight W7_ISA_NAME(W7_ISA, eight)
#define w7_eight_orders W7_ISA_NAME(W7_ISA, eight_orders)
#define w7_eight_orders_of W7_ISA_NAME(W7_ISA, eight_orders_of)
#define w7_eight_load W7_ISA_NAME(W7_ISA, eight_load)
#define w7_eight_store W7_ISA_NAME(W7_ISA, eight_store)
#define w7_eight_of W7_ISA_NAME(W7_ISA, eight_of)
#define w7_eight_ordered W7_ISA_NAME(W7_ISA, eight_ordered)
#define w7_eight_xor W7_ISA_NAME(W7_ISA, eight_xor)
#define w7_eight_chained W7_ISA_NAME(W7_ISA, eight_chained)
#define w7_eight_first W7_ISA_NAME(W7_ISA, eight_first)
#define w7_eight_least W7_ISA_NAME(W7_ISA, eight_least)

typedef __m512i w7_avx512_eight;

/* The order of the symmetries in each quadrant. */
typedef struct {
    __m512i of[4];
} w7_avx512_eight_orders;

static W7_TARGET_AVX512BW inline w7_avx512_eight_orders w7_avx512_eight_orders_of(void)
{
    const __m512i all = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    w7_avx512_eight_orders orders;
    for (int quadrant = 0; quadrant < 4; quadrant++)
        orders.of[quadrant] = _mm512_xor_si512(
            all, _mm512_mask_set1_epi64(_mm512_set1_epi64(quadrant), 0xF0, quadrant >> 1 | (quadrant & 1) << 1));
    return orders;
}

static W7_TARGET_AVX512BW inline __m512i w7_avx512_eight_load(const void *words)
{
    return _mm512_loadu_si512(words);
}

static W7_TARGET_AVX512BW inline void w7_avx512_eight_store(uint64_t *words, __m512i eight)
{
    _mm512_storeu_si512(words, eight);
}

static W7_TARGET_AVX512BW inline __m512i w7_avx512_eight_of(uint64_t word)
{
    return _mm512_set1_epi64((int64_t)word);
}

static W7_TARGET_AVX512BW inline __m512i w7_avx512_eight_ordered(__m512i eight, const w7_avx512_eight_orders *orders,
                                                                 uint32_t quadrant)
{
    return _mm512_permutexvar_epi64(orders->of[quadrant], eight);
}

static W7_TARGET_AVX512BW inline __m512i w7_avx512_eight_xor(__m512i a, __m512i b)
{
    return _mm512_xor_si512(a, b);
}

/* The doubled chain, the image, and where the highest bit was set the modulus: all added. */
static W7_TARGET_AVX512BW inline __m512i w7_avx512_eight_chained(__m512i chain, __m512i image)
{
    return _mm512_ternarylogic_epi64(_mm512_xor_si512(_mm512_add_epi64(chain, chain), image),
                                     _mm512_srai_epi64(chain, 63), _mm512_set1_epi64(0x1B), 0x78);
}

static W7_TARGET_AVX512BW inline uint64_t w7_avx512_eight_first(__m512i eight)
{
    return (uint64_t)_mm_cvtsi128_si64(_mm512_castsi512_si128(eight));
}

static W7_TARGET_AVX512BW inline uint64_t w7_avx512_eight_least(__m512i eight, int symmetries)
{
    return _mm512_mask_reduce_min_epu64((__mmask8)((1 << symmetries) - 1), eight);
}

typedef struct {
    __m256i low;
    __m256i high;
} w7_avx2_eight;

typedef struct {
    __m256i of[4];
} w7_avx2_eight_orders;

static W7_TARGET_AVX2 inline w7_avx2_eight_orders w7_avx2_eight_orders_of(void)
{
    const __m256i all = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    w7_avx2_eight_orders orders;
    for (int quadrant = 0; quadrant < 4; quadrant++)
        orders.of[quadrant] = _mm256_xor_si256(all, _mm256_set1_epi32(2 * quadrant));
    return orders;
}

static W7_TARGET_AVX2 inline w7_avx2_eight w7_avx2_eight_load(const void *words)
{
    const w7_avx2_eight eight = {_mm256_loadu_si256((const __m256i *)words),
                                 _mm256_loadu_si256((const __m256i *)words + 1)};
    return eight;
}

static W7_TARGET_AVX2 inline void w7_avx2_eight_store(uint64_t *words, w7_avx2_eight eight)
{
    _mm256_storeu_si256((__m256i *)words, eight.low);
    _mm256_storeu_si256((__m256i *)words + 1, eight.high);
}

static W7_TARGET_AVX2 inline w7_avx2_eight w7_avx2_eight_of(uint64_t word)
{
    const w7_avx2_eight eight = {_mm256_set1_epi64x((int64_t)word), _mm256_set1_epi64x((int64_t)word)};
    return eight;
}

static W7_TARGET_AVX2 inline w7_avx2_eight w7_avx2_eight_ordered(w7_avx2_eight eight,
                                                                 const w7_avx2_eight_orders *orders, uint32_t quadrant)
{
    const uint32_t other = quadrant >> 1 | (quadrant & 1) << 1;
    const w7_avx2_eight ordered = {_mm256_permutevar8x32_epi32(eight.low, orders->of[quadrant]),
                                   _mm256_permutevar8x32_epi32(eight.high, orders->of[other])};
    return ordered;
}

static W7_TARGET_AVX2 inline w7_avx2_eight w7_avx2_eight_xor(w7_avx2_eight a, w7_avx2_eight b)
{
    const w7_avx2_eight eight = {_mm256_xor_si256(a.low, b.low), _mm256_xor_si256(a.high, b.high)};
    return eight;
}

static W7_TARGET_AVX2 inline __m256i w7_avx2_chained(__m256i chain, __m256i image)
{
    const __m256i carry = _mm256_and_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), chain), _mm256_set1_epi64x(0x1B));
    return _mm256_xor_si256(_mm256_xor_si256(_mm256_add_epi64(chain, chain), carry), image);
}

static W7_TARGET_AVX2 inline w7_avx2_eight w7_avx2_eight_chained(w7_avx2_eight chain, w7_avx2_eight image)
{
    const w7_avx2_eight eight = {w7_avx2_chained(chain.low, image.low), w7_avx2_chained(chain.high, image.high)};
    return eight;
}

static W7_TARGET_AVX2 inline uint64_t w7_avx2_eight_first(w7_avx2_eight eight)
{
    return (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(eight.low));
}

/* There is a comparison of signed numbers only. */
static W7_TARGET_AVX2 inline uint64_t w7_avx2_eight_least(w7_avx2_eight eight, int symmetries)
{
    const __m256i sign = _mm256_set1_epi64x(INT64_MIN), low = _mm256_xor_si256(eight.low, sign);
    const __m256i high = symmetries > 4 ? _mm256_xor_si256(eight.high, sign) : low;
    const __m256i four = _mm256_blendv_epi8(low, high, _mm256_cmpgt_epi64(low, high));
    const __m128i first = _mm256_castsi256_si128(four), second = _mm256_extracti128_si256(four, 1);
    const __m128i two = _mm_blendv_epi8(first, second, _mm_cmpgt_epi64(first, second));
    const __m128i other = _mm_shuffle_epi32(two, 0x4E);
    return (uint64_t)_mm_cvtsi128_si64(_mm_blendv_epi8(two, other, _mm_cmpgt_epi64(two, other))) ^ (uint64_t)1 << 63;
}

#endif

#endif
