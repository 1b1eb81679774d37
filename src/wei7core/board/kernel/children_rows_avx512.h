/* Many children of a position at once, in registers of 512 bits. */
#ifndef W7_BOARD_KERNEL_CHILDREN_ROWS_AVX512_H
#define W7_BOARD_KERNEL_CHILDREN_ROWS_AVX512_H

#include "_util/cpu.h"

#ifdef W7_WITH_X86_ISAS

#include <immintrin.h>
#include <stdint.h>

#include "board/kernel/superko_history.h"

/* A byte for each point: `in` for those of the set, `out` for the others. */
W7_TARGET_AVX512BW static inline void w7_avx512_point_bytes(const uint64_t *set, int64_t count, int in, int out,
                                                            uint8_t *bytes)
{
    const __m512i ins = _mm512_set1_epi8((char)in), outs = _mm512_set1_epi8((char)out);
    for (; count >= 64; count -= 64, bytes += 64)
        _mm512_storeu_si512(bytes, _mm512_mask_blend_epi8(*set++, outs, ins));
    if (count > 0)
        _mm512_mask_storeu_epi8(bytes, ((uint64_t)1 << count) - 1, _mm512_mask_blend_epi8(*set, outs, ins));
}

/* The hash of each empty point's child, ignoring captures, and 0 for the others; the keys of a row are followed by one
 * more than the row has points. */
W7_TARGET_AVX512BW static inline void w7_avx512_child_hashes(const uint64_t *keys, int32_t width, int32_t height,
                                                             uint64_t hash, const uint64_t *empty, uint64_t *hashes)
{
    const __m512i all = _mm512_set1_epi64((int64_t)hash);
    uint32_t at = 0;
    for (int32_t y = 0; y < height; y++, keys += width + 1) {
        const uint64_t *word = &empty[at >> 6];
        uint64_t bits = word[0] >> (at & 63);
        if ((at & 63) + (uint32_t)width > 64)
            bits |= word[1] << (64 - (at & 63));
        for (int32_t x = 0; x < width; x += 8, bits >>= 8) {
            const int32_t left = width - x;
            const __mmask8 row = (__mmask8)(left < 8 ? (1 << left) - 1 : 0xFF);
            const __m512i key = _mm512_maskz_loadu_epi64(row, keys + x);
            _mm512_mask_storeu_epi64(hashes + x, row, _mm512_maskz_xor_epi64((__mmask8)bits, all, key));
        }
        hashes += width;
        at += (uint32_t)width;
    }
}

/* A bit for each of up to 64 moves with these keys that may repeat an earlier position if it captures nothing. */
W7_TARGET_AVX512BW static inline uint64_t w7_avx512_repeat_suspects(w7_position_history_filter filter,
                                                                    const uint64_t *keys, int32_t count)
{
    const __m512i all = _mm512_set1_epi64((int64_t)filter.present), masks = _mm512_set1_epi64((int64_t)filter.mask);
    const __m512i one = _mm512_set1_epi64(1);
    uint64_t suspects = 0;
    for (int32_t i = 0; i < count; i += 8) {
        const __mmask8 row = (__mmask8)(count - i < 8 ? (1 << (count - i)) - 1 : 0xFF);
        const __m512i children = _mm512_xor_si512(all, _mm512_maskz_loadu_epi64(row, keys + i));
        const __m512i found = _mm512_i64gather_epi64(_mm512_and_si512(children, masks), filter.words, 8);
        const __m512i bits = _mm512_sllv_epi64(one, _mm512_srli_epi64(children, 64 - W7_POSITION_HISTORY_WORD_BITS));
        suspects |= (uint64_t)_mm512_mask_test_epi64_mask(row, found, bits) << i;
    }
    return suspects;
}

#endif

#endif
