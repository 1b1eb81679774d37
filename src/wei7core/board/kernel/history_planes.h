/* The input planes of AlphaGo Zero: the stones of the position and of the 7 before it, and the color to play.
 *
 * Planes 2 * i and 2 * i + 1 are own stones and the opponent's of the position i moves before, passes counted as moves,
 * and 0 before the first one. Plane 16 is 1 everywhere where Black is to play. A byte a point, row by row. */
#ifndef W7_BOARD_KERNEL_HISTORY_PLANES_H
#define W7_BOARD_KERNEL_HISTORY_PLANES_H

#include <string.h>

#include "_util/cpu.h"
#include "board/kernel/grid.h"
#include "board/kernel/pack.h"
#include "board/kernel/point_sets.h"

#ifdef W7_WITH_X86_ISAS
#include <immintrin.h>
#endif

enum {
    W7_HISTORY_POSITIONS = 8,
    W7_HISTORY_PLANES = 2 * W7_HISTORY_POSITIONS + 1,
    W7_HISTORY_BLOCK = 32 /* points that the wide form writes at once */
};

/* The stones of one position as sets of points (point_sets.h), with no bit after the last point. */
typedef struct {
    const uint64_t *black; /* NULL: there is no such position */
    const uint64_t *white;
} w7_history_stones;

/* Writes a set as bytes of 0 and 1; `out` has `points` of them. */
static inline void w7_history_plane(const uint64_t *set, int64_t points, uint8_t *out)
{
    for (int64_t first = 0; first < points; first += 8) {
        const uint64_t bits = (set[first >> 6] >> (first & 63) & 0xFF) * 0x0101010101010101u & 0x8040201008040201u;
        /* Byte k has at most bit k, and the sum carries it to the highest one. */
        const uint64_t bytes = (bits + 0x7F7F7F7F7F7F7F7Fu) >> 7 & 0x0101010101010101u;
        if (points - first >= 8)
            w7_write_word(bytes, out + first);
        else
            for (int64_t i = first; i < points; i++)
                out[i] = (uint8_t)(bytes >> 8 * (i - first));
    }
}

#ifdef W7_WITH_X86_ISAS

/* 32 points as bytes. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE void w7_avx2_history_block(uint32_t points, uint8_t *out)
{
    const __m256i spread = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3,
                                            3, 3, 3, 3, 3, 3, 3);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201u), one = _mm256_set1_epi8(1);
    const __m256i word = _mm256_shuffle_epi8(_mm256_set1_epi32((int)points), spread);
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_min_epu8(_mm256_and_si256(word, bit), one));
}

/* Writes a set of 32 points or more by 32 bytes at once. */
W7_TARGET_AVX2 static W7_NOINLINE void w7_avx2_history_plane(const uint64_t *set, int64_t points, uint8_t *out)
{
    const int64_t last = points - W7_HISTORY_BLOCK, words = points >> 6;
    const int shift = (int)(last & 63);
    for (int64_t word = 0; word < words; word++) {
        w7_avx2_history_block((uint32_t)set[word], out + 64 * word);
        w7_avx2_history_block((uint32_t)(set[word] >> 32), out + 64 * word + 32);
    }
    if ((points & 63) > 32)
        w7_avx2_history_block((uint32_t)set[words], out + 64 * words);
    /* The last ones, some of them for the second time. */
    w7_avx2_history_block((uint32_t)(set[last >> 6] >> shift | (shift > 32 ? set[(last >> 6) + 1] << (64 - shift) : 0)),
                          out + last);
}

/* Writes one set by 64 bytes at once, and nothing after it. */
W7_TARGET_AVX512BW static W7_NOINLINE void w7_avx512_history_plane(const uint64_t *set, int64_t points, uint8_t *out)
{
    int64_t word = 0;
    for (; word < points >> 6; word++)
        _mm512_storeu_si512(out + 64 * word, _mm512_maskz_set1_epi8(set[word], 1));
    if ((points & 63) > 0)
        _mm512_mask_storeu_epi8(out + 64 * word, ((uint64_t)1 << (points & 63)) - 1,
                                _mm512_maskz_set1_epi8(set[word], 1));
}

#endif

/* Writes one set as bytes of 0 and 1, and nothing after them. */
static inline void w7_history_set_write(int isa, const uint64_t *set, int64_t points, uint8_t *out)
{
#ifdef W7_WITH_X86_ISAS
    if (isa >= W7_ISA_AVX512BW) {
        w7_avx512_history_plane(set, points, out);
        return;
    }
    if (isa >= W7_ISA_AVX2 && points >= W7_HISTORY_BLOCK) {
        w7_avx2_history_plane(set, points, out);
        return;
    }
#endif
    (void)isa;
    w7_history_plane(set, points, out);
}

/* Writes the 17 planes, 17 * points bytes, as the player of `color` sees them. Of the 8 positions the present one comes
 * first; those from the first NULL on did not exist. `isa` is a w7_isa that runs. */
static inline void w7_history_write(int isa, const w7_history_stones positions[W7_HISTORY_POSITIONS], int color,
                                    int64_t points, uint8_t *out)
{
    int count = 0;
    while (count < W7_HISTORY_POSITIONS && positions[count].black != NULL)
        count++;
    for (int i = 0; i < count; i++, out += 2 * points) {
        w7_history_set_write(isa, color == W7_BLACK ? positions[i].black : positions[i].white, points, out);
        w7_history_set_write(isa, color == W7_BLACK ? positions[i].white : positions[i].black, points, out + points);
    }
    memset(out, 0, (size_t)(W7_HISTORY_POSITIONS - count) * 2 * (size_t)points);
    out += (W7_HISTORY_POSITIONS - count) * 2 * points;
    memset(out, color == W7_BLACK, (size_t)points);
}

#endif
