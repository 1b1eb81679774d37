/* The games of a block that ever had the stones of a form of a pattern at a place, by their planes. */
#ifndef W7_BATCH_INDEX_BLOCK_PLANES_H
#define W7_BATCH_INDEX_BLOCK_PLANES_H

#include "batch/index/first_bounds.h"

enum { W7_INDEX_BLOCK = 512, W7_INDEX_BLOCK_BYTES = W7_INDEX_BLOCK / 8, W7_INDEX_BLOCK_WORDS = W7_INDEX_BLOCK / 64 };

W7_INDEX_LOOPS_BEGIN

/* Keeps of the games `remaining` of a block those with a bit in `row`, or in `other` (NULL: no other). Returns whether
 * any remain. */
static int w7_index_and(uint64_t *remaining, const uint8_t *row, const uint8_t *other, size_t bytes)
{
    uint8_t part[2 * W7_INDEX_BLOCK_BYTES];
    uint64_t some = 0;
    if (bytes < W7_INDEX_BLOCK_BYTES) { /* the last block of a group */
        memset(part, 0, sizeof part);
        memcpy(part, row, bytes);
        if (other != NULL)
            memcpy(part + W7_INDEX_BLOCK_BYTES, other, bytes);
        row = part;
        other = other == NULL ? NULL : part + W7_INDEX_BLOCK_BYTES;
    }
    for (int k = 0; k < W7_INDEX_BLOCK_WORDS; k++) {
        uint64_t word, more = 0;
        memcpy(&word, row + 8 * k, 8);
        if (other != NULL)
            memcpy(&more, other + 8 * k, 8);
        remaining[k] &= word | more;
        some |= remaining[k];
    }
    return some != 0;
}

/* Keeps of the games of a row those with a bit in `row`, or in `other`. Returns whether there are any. */
static uint8_t w7_index_and_rows(uint8_t *restrict games, const uint8_t *restrict row, const uint8_t *restrict other,
                                 int64_t bytes)
{
    uint8_t any = 0;
    for (int64_t k = 0; k < bytes; k++) {
        games[k] &= row[k] | other[k];
        any |= games[k];
    }
    return any;
}

#ifdef W7_WITH_X86_ISAS

/* The same, where bytes are a multiple of 32. */
W7_TARGET_AVX2 static int w7_index_and_rows_avx2(uint8_t *games, const uint8_t *row, const uint8_t *other,
                                                 int64_t bytes)
{
    __m256i any = _mm256_setzero_si256();
    for (int64_t k = 0; k < bytes; k += 32) {
        const __m256i own = _mm256_loadu_si256((const __m256i *)(const void *)(row + k));
        const __m256i either = _mm256_or_si256(own, _mm256_loadu_si256((const __m256i *)(const void *)(other + k)));
        const __m256i both = _mm256_and_si256(either, _mm256_loadu_si256((const __m256i *)(const void *)(games + k)));
        _mm256_storeu_si256((__m256i *)(void *)(games + k), both);
        any = _mm256_or_si256(any, both);
    }
    return !_mm256_testz_si256(any, any);
}

#endif

/* w7_index_and_rows with the instructions of `isa`. */
static inline int w7_index_and_rows_isa(int isa, uint8_t *games, const uint8_t *row, const uint8_t *other,
                                        int64_t bytes)
{
#ifdef W7_WITH_X86_ISAS
    if (isa >= W7_ISA_AVX2 && bytes % 32 == 0)
        return w7_index_and_rows_avx2(games, row, other, bytes);
#endif
    (void)isa;
    return w7_index_and_rows(games, row, other, bytes) != 0;
}

/* The planes of a block: bits of its games, rows of points `stride` bytes apart. Those of a block of fewer games than
 * others end with them. */
typedef struct {
    const uint8_t *black;
    const uint8_t *white;
    int64_t stride;
    size_t bytes;
} w7_index_planes;

static inline w7_index_planes w7_index_planes_of(const w7_index_group *group, int64_t block, size_t bytes)
{
    const w7_index_planes planes = {group->black + (block >> 3), group->white + (block >> 3), group->row_bytes, bytes};
    return planes;
}

#ifdef W7_WITH_X86_ISAS

/* The same as w7_index_keep_with_stones, of a block that is no smaller than others. */
W7_TARGET_AVX2 static int w7_index_keep_avx2(const w7_index_planes *planes, const w7_index_form *of,
                                             const int32_t *points, const uint64_t *remaining, uint64_t *kept)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)remaining);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)remaining + 1);
    for (int64_t k = 0; k < of->colored + of->stones; k++) {
        const int64_t at = points[k] * planes->stride;
        const uint8_t *own = (of->allowed[k] == W7_INDEX_WHITE ? planes->white : planes->black) + at;
        __m256i first = _mm256_loadu_si256((const __m256i *)(const void *)own);
        __m256i second = _mm256_loadu_si256((const __m256i *)(const void *)own + 1);
        if (k >= of->colored) {
            const __m256i *white = (const __m256i *)(const void *)(planes->white + at);
            first = _mm256_or_si256(first, _mm256_loadu_si256(white));
            second = _mm256_or_si256(second, _mm256_loadu_si256(white + 1));
        }
        low = _mm256_and_si256(low, first);
        high = _mm256_and_si256(high, second);
        first = _mm256_or_si256(low, high);
        if (_mm256_testz_si256(first, first))
            return 0;
    }
    _mm256_storeu_si256((__m256i *)(void *)kept, low);
    _mm256_storeu_si256((__m256i *)(void *)kept + 1, high);
    return 1;
}

#endif

/* Finds of the games `remaining` of a block those that had a stone on each point, at some time, where a form at a place
 * has one. Returns whether there are any; else they are not written. */
static inline int w7_index_keep_with_stones(const w7_index_planes *planes, int isa, const w7_index_form *of,
                                            const int32_t *points, const uint64_t *remaining, uint64_t *kept)
{
    uint64_t own[W7_INDEX_BLOCK_WORDS];
#ifdef W7_WITH_X86_ISAS
    if (isa >= W7_ISA_AVX2 && planes->bytes == W7_INDEX_BLOCK_BYTES)
        return w7_index_keep_avx2(planes, of, points, remaining, kept);
#endif
    (void)isa;
    memcpy(own, remaining, sizeof own);
    for (int64_t k = 0; k < of->colored + of->stones; k++) {
        const int64_t at = points[k] * planes->stride;
        const uint8_t *row = (of->allowed[k] == W7_INDEX_WHITE ? planes->white : planes->black) + at;
        if (!w7_index_and(own, row, k >= of->colored ? planes->white + at : NULL, planes->bytes))
            return 0;
    }
    memcpy(kept, own, sizeof own);
    return 1;
}

W7_INDEX_LOOPS_END

#endif
