/* Points and hashes of the children of a position, in registers of 512 bits. */
#ifndef W7_EXPANSION_ROWS_AVX512_H
#define W7_EXPANSION_ROWS_AVX512_H

#include "../_processor/forms.h"

#ifdef W7_WITH_WIDE_FORMS

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* Writes a row for each point of a set, as if no move took stones. The tables are by the number of the point, and
 * reach to the end of the last word. Nothing is written behind the last row: it may be another thread's. */
W7_TARGET_AVX512 static inline void w7_avx512_expansion_points(const uint64_t *set, size_t words, const int32_t *xs,
                                                               const int32_t *ys, const uint64_t *keys, uint64_t hash,
                                                               int32_t *x, int32_t *y, uint64_t *hashes)
{
    const __m512i all = _mm512_set1_epi64((int64_t)hash);
    for (size_t word = 0; word < words; word++) {
        uint64_t bits = set[word];
        for (size_t number = 64 * word; bits != 0; number += 16, bits >>= 16) {
            const __mmask16 sixteen = (__mmask16)bits;
            const __mmask8 low = (__mmask8)bits, high = (__mmask8)(bits >> 8);
            const unsigned low_count = (unsigned)_mm_popcnt_u32(low), high_count = (unsigned)_mm_popcnt_u32(high);
            const unsigned count = low_count + high_count;
            const __mmask16 rows = (__mmask16)_bzhi_u32(0xFFFF, count);
            const __m512i first = _mm512_xor_si512(all, _mm512_loadu_si512(keys + number));
            const __m512i second = _mm512_xor_si512(all, _mm512_loadu_si512(keys + number + 8));
            _mm512_mask_storeu_epi32(x, rows, _mm512_maskz_compress_epi32(sixteen, _mm512_loadu_si512(xs + number)));
            _mm512_mask_storeu_epi32(y, rows, _mm512_maskz_compress_epi32(sixteen, _mm512_loadu_si512(ys + number)));
            _mm512_mask_storeu_epi64(hashes, (__mmask8)_bzhi_u32(0xFF, low_count),
                                     _mm512_maskz_compress_epi64(low, first));
            _mm512_mask_storeu_epi64(hashes + low_count, (__mmask8)_bzhi_u32(0xFF, high_count),
                                     _mm512_maskz_compress_epi64(high, second));
            x += count;
            y += count;
            hashes += count;
        }
    }
}

#endif

#endif
