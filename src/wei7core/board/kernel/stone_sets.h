/* The stones of a position as two sets of points (point_sets.h), one a colour: read from bytes or packed pairs of bits,
 * and spread over planes. */
#ifndef W7_BOARD_KERNEL_STONE_SETS_H
#define W7_BOARD_KERNEL_STONE_SETS_H

#include <string.h>

#include "board/kernel/bits.h"
#include "board/kernel/pack.h"
#include "board/kernel/planes.h"
#include "board/kernel/point_sets.h"

/* The even bits of a word, side by side. */
static inline uint64_t w7_even_bits(uint64_t word)
{
    word &= 0x5555555555555555u;
    word = (word | word >> 1) & 0x3333333333333333u;
    word = (word | word >> 2) & 0x0F0F0F0F0F0F0F0Fu;
    word = (word | word >> 4) & 0x00FF00FF00FF00FFu;
    word = (word | word >> 8) & 0x0000FFFF0000FFFFu;
    return (word | word >> 16) & 0x00000000FFFFFFFFu;
}

/* Reads a word, its lowest byte first on every machine. */
static inline uint64_t w7_read_word(const uint8_t *bytes)
{
    uint64_t word = 0;
    for (int i = 0; i < 8; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

/* The same of the last bytes, fewer than 8; zeros follow them. */
static inline uint64_t w7_read_last_word(const uint8_t *bytes, int64_t count)
{
    uint64_t word = 0;
    for (int64_t i = 0; i < count; i++)
        word |= (uint64_t)bytes[i] << 8 * i;
    return word;
}

/* Whether no point has two stones, and none is after the last point. */
static inline int w7_stone_sets_are_valid(const uint64_t *black, const uint64_t *white, int64_t points)
{
    const size_t words = w7_point_set_words(points);
    const int last = (int)(points & 63);
    uint64_t both = last ? (black[words - 1] | white[words - 1]) >> last : 0;
    for (size_t word = 0; word < words; word++)
        both |= black[word] & white[word];
    return both == 0;
}

/* Reads a packed board (pack.h); returns whether it is valid. */
static inline int w7_stone_sets_unpack(const uint8_t *packed, int64_t points, uint64_t *black, uint64_t *white)
{
    const size_t words = w7_point_set_words(points);
    int64_t left = w7_packed_size(points, 1);
    for (size_t word = 0; word < words; word++, packed += 16, left -= 16) {
        uint64_t low, high = 0;
        if (left >= 16) {
            low = w7_read_word(packed);
            high = w7_read_word(packed + 8);
        } else {
            low = left >= 8 ? w7_read_word(packed) : w7_read_last_word(packed, left);
            if (left > 8)
                high = w7_read_last_word(packed + 8, left - 8);
        }
        black[word] = w7_even_bits(low) | w7_even_bits(high) << 32;
        white[word] = w7_even_bits(low >> 1) | w7_even_bits(high >> 1) << 32;
    }
    return w7_stone_sets_are_valid(black, white, points);
}

/* Reads a byte a point; returns whether they are 0, 1 and 2 alone. */
static inline int w7_stone_sets_of_bytes(const uint8_t *bytes, int64_t points, uint64_t *black, uint64_t *white)
{
    const uint64_t ones = 0x0101010101010101u, gather = 0x0102040810204080u;
    uint64_t all = 0;
    for (size_t word = 0; points > 0; word++, points -= 64) {
        const int64_t count = points < 64 ? points : 64;
        uint64_t blacks = 0, whites = 0;
        for (int64_t i = 0; i < count; i += 8, bytes += 8) {
            const uint64_t eight = count - i >= 8 ? w7_read_word(bytes) : w7_read_last_word(bytes, count - i);
            all |= eight | (eight & eight >> 1 & ones) << 2;
            /* The product has the lowest bit of byte k at 56 + k, and no two bits meet in it. */
            blacks |= ((eight & ones) * gather >> 56) << i;
            whites |= ((eight >> 1 & ones) * gather >> 56) << i;
        }
        black[word] = blacks;
        white[word] = whites;
    }
    return (all & ~(3 * ones)) == 0;
}

/* Up to 63 bits of a set from one on. The word after them may be read, to no effect. */
static inline uint64_t w7_point_row(const uint64_t *set, int64_t first, int32_t count)
{
    const uint64_t *word = &set[first >> 6];
    const int at = (int)(first & 63);
    uint64_t bits = word[0] >> at;
    if (at + count > 64)
        bits |= word[1] << (64 - at);
    return bits & (((uint64_t)1 << count) - 1);
}

/* The planes of a set, on a board that has some. */
static inline void w7_plane_of_set(const uint64_t *set, int32_t width, int32_t height, w7_plane_words *plane)
{
    int64_t first = 0;
    memset(plane, 0, sizeof *plane);
    for (int32_t y = 0; y < height; y++, first += width)
        w7_plane_add_row(plane, y * (width + 1), w7_point_row(set, first, width));
}

#ifdef W7_WITH_X86_ISAS

/* As w7_stone_sets_of_bytes. */
W7_TARGET_AVX512BW static inline int w7_avx512_stone_sets_of_bytes(const uint8_t *bytes, int64_t points,
                                                                   uint64_t *black, uint64_t *white)
{
    const __m512i ones = _mm512_set1_epi8(W7_BLACK), twos = _mm512_set1_epi8(W7_WHITE);
    uint64_t others = 0;
    for (size_t word = 0; points > 0; word++, points -= 64, bytes += 64) {
        const __mmask64 those = points < 64 ? ((uint64_t)1 << points) - 1 : ~(uint64_t)0;
        const __m512i stones = _mm512_maskz_loadu_epi8(those, bytes);
        black[word] = _mm512_cmpeq_epi8_mask(stones, ones);
        white[word] = _mm512_cmpeq_epi8_mask(stones, twos);
        others |= _mm512_cmpgt_epu8_mask(stones, twos);
    }
    return others == 0;
}

/* As w7_plane_of_set, word by word. */
W7_TARGET_AVX512BW static inline void w7_avx512_plane_of_set(const uint64_t *set, int64_t points,
                                                             const w7_plane_words *shape, w7_plane_words *plane)
{
    int64_t first = 0;
    memset(plane, 0, sizeof *plane);
    for (int word = 0; word < W7_PLANE_WORDS && first < points; word++) {
        const uint64_t *from = &set[first >> 6];
        const int at = (int)(first & 63), count = (int)_mm_popcnt_u64(shape->at[word]);
        uint64_t bits = from[0] >> at;
        if (at + count > 64)
            bits |= from[1] << (64 - at);
        plane->at[word] = _pdep_u64(bits, shape->at[word]);
        first += count;
    }
}

#endif

/* w7_stone_sets_of_bytes with an instruction set (cpu.h). */
static inline int w7_stone_sets_of_bytes_by(int isa, const uint8_t *bytes, int64_t points, uint64_t *black,
                                            uint64_t *white)
{
#ifdef W7_WITH_X86_ISAS
    if (isa >= W7_ISA_AVX512BW)
        return w7_avx512_stone_sets_of_bytes(bytes, points, black, white);
#endif
    (void)isa;
    return w7_stone_sets_of_bytes(bytes, points, black, white);
}

#endif
