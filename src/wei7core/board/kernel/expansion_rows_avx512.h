/* Points and hashes of the children of a position, in registers of 512 bits. */
#ifndef W7_BOARD_KERNEL_EXPANSION_ROWS_AVX512_H
#define W7_BOARD_KERNEL_EXPANSION_ROWS_AVX512_H

#include "_util/cpu.h"

#ifdef W7_WITH_X86_ISAS

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

/* The keys of the points of a set, of a table that reaches to the end of its last word. */
W7_TARGET_AVX512 static inline uint64_t w7_avx512_set_key(const uint64_t *set, size_t words, const uint64_t *keys)
{
    __m512i sum = _mm512_setzero_si512();
    __m256i half;
    __m128i quarter;
    for (size_t word = 0; word < words; word++) {
        uint64_t bits = set[word];
        for (const uint64_t *at = keys + 64 * word; bits != 0; at += 8, bits >>= 8)
            sum = _mm512_xor_si512(sum, _mm512_maskz_loadu_epi64((__mmask8)bits, at));
    }
    half = _mm256_xor_si256(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
    quarter = _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
    return (uint64_t)_mm_cvtsi128_si64(quarter) ^ (uint64_t)_mm_extract_epi64(quarter, 1);
}

/* Writes a row for each point of a set, ignoring captures. The tables are indexed by point number, and extend to the
 * end of the last word. Nothing is written after the last row, which may belong to another thread. */
W7_TARGET_AVX512 static inline void w7_avx512_expansion_points(const uint64_t *set, size_t words, const int16_t *xs,
                                                               const int16_t *ys, const uint64_t *keys, uint64_t hash,
                                                               int16_t *x, int16_t *y, uint64_t *hashes)
{
    const __m512i all = _mm512_set1_epi64((int64_t)hash);
    for (size_t word = 0; word < words; word++) {
        uint64_t bits = set[word];
        for (size_t number = 64 * word; bits != 0; number += 32, bits >>= 32) {
            const __mmask32 some = (__mmask32)bits;
            const unsigned count = (unsigned)_mm_popcnt_u32(some);
            const __mmask32 rows = (__mmask32)_bzhi_u32(0xFFFFFFFFu, count);
            _mm512_mask_storeu_epi16(x, rows, _mm512_maskz_compress_epi16(some, _mm512_loadu_si512(xs + number)));
            _mm512_mask_storeu_epi16(y, rows, _mm512_maskz_compress_epi16(some, _mm512_loadu_si512(ys + number)));
            x += count;
            y += count;
            for (unsigned part = 0; part < 32; part += 8) {
                const __mmask8 eight = (__mmask8)(some >> part);
                const unsigned few = (unsigned)_mm_popcnt_u32(eight);
                const __m512i keyed = _mm512_xor_si512(all, _mm512_loadu_si512(keys + number + part));
                _mm512_mask_storeu_epi64(hashes, (__mmask8)_bzhi_u32(0xFF, few),
                                         _mm512_maskz_compress_epi64(eight, keyed));
                hashes += few;
            }
        }
    }
}

#endif

#endif
