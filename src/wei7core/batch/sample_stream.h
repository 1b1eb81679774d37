/* The planes of AlphaGo Zero of rows of a buffer, 19 x 19 points as bytes, written by whole lines of the cache
 * (batch/selfplay/plane_stream.h): what sample_write.h writes point by point is made of sets in registers. No Python. */
#ifndef W7_BATCH_SAMPLE_STREAM_H
#define W7_BATCH_SAMPLE_STREAM_H

#include "batch/sample_buffer.h"
#include "batch/selfplay/plane_stream.h"

#ifdef W7_WITH_X86_ISAS

enum { W7_SAMPLE_SIDE = 19, W7_SAMPLE_ROWS = 24 /* of a board, and some without points */ };

/* The lower bits of pairs, in 8 of each 16 bits those of them. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE __m256i w7_avx2_even_bits(__m256i pairs)
{
    pairs = _mm256_and_si256(pairs, _mm256_set1_epi8(0x55));
    pairs = _mm256_and_si256(_mm256_or_si256(pairs, _mm256_srli_epi64(pairs, 1)), _mm256_set1_epi8(0x33));
    pairs = _mm256_and_si256(_mm256_or_si256(pairs, _mm256_srli_epi64(pairs, 2)), _mm256_set1_epi8(0x0F));
    return _mm256_or_si256(pairs, _mm256_srli_epi64(pairs, 4));
}

/* The stones of a colour on a packed board. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE w7_avx2_set w7_avx2_sample_stones(const uint64_t *board, int color)
{
    const __m256i kept = _mm256_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, -1, -1, -1, -1, -1, -1, -1, -1, 0, 2, 4, 6, 8, 10,
                                          12, 14, -1, -1, -1, -1, -1, -1, -1, -1);
    const __m256i *words = (const __m256i *)(const void *)board;
    __m256i halves[3];
    w7_avx2_set set;
    for (int k = 0; k < 3; k++) {
        const __m256i pairs = _mm256_loadu_si256(words + k);
        halves[k] =
            _mm256_shuffle_epi8(w7_avx2_even_bits(color == W7_BLACK ? pairs : _mm256_srli_epi64(pairs, 1)), kept);
        halves[k] = _mm256_permute4x64_epi64(halves[k], 0x08);
    }
    set.low = _mm256_permute2x128_si256(halves[0], halves[1], 0x20);
    set.high = _mm256_castsi256_si128(halves[2]);
    return set;
}

/* Makes rows, which are sets of points, columns. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE void w7_avx2_transpose(uint32_t rows[W7_SAMPLE_ROWS])
{
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7), byte = _mm256_set1_epi32(0xFF);
    __m256i *at = (__m256i *)(void *)rows, of[3];
    for (int k = 0; k < 3; k++)
        of[k] = _mm256_loadu_si256(at + k);
    for (int first = 0; first < W7_SAMPLE_SIDE; first += 8) {
        const __m256i low = _mm256_packus_epi32(_mm256_and_si256(of[0], byte), _mm256_and_si256(of[1], byte));
        const __m256i high = _mm256_packus_epi32(_mm256_and_si256(of[2], byte), _mm256_setzero_si256());
        __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
        for (int column = 7; column >= 0; column--) {
            rows[first + column] = (uint32_t)_mm256_movemask_epi8(bytes);
            bytes = _mm256_add_epi8(bytes, bytes);
        }
        for (int k = 0; k < 3; k++)
            of[k] = _mm256_srli_epi32(of[k], 8);
    }
}

/* Makes the last row the first. */
static W7_ALWAYS_INLINE void w7_sample_reverse(uint32_t rows[W7_SAMPLE_ROWS])
{
    for (int k = 0; k < W7_SAMPLE_SIDE / 2; k++) {
        const uint32_t row = rows[k];
        rows[k] = rows[W7_SAMPLE_SIDE - 1 - k];
        rows[W7_SAMPLE_SIDE - 1 - k] = row;
    }
}

/* A set under a symmetry (board/kernel/symmetry.h). The points of a row change places as a column. */
W7_TARGET_AVX2 static W7_NOINLINE w7_avx2_set w7_avx2_sample_turn(w7_avx2_set set, int symmetry)
{
    const uint32_t points = (1u << W7_SAMPLE_SIDE) - 1;
    uint64_t words[W7_STREAM_NO_POINT / 64], word = 0;
    uint32_t rows[W7_SAMPLE_ROWS] = {0}, row;
    int filled = 0, count = 0;
    w7_avx2_write_set(set, words);
    for (int k = 0; k < W7_SAMPLE_SIDE; k++) {
        memcpy(&row, (const uint8_t *)words + (W7_SAMPLE_SIDE * k >> 3), sizeof row);
        rows[k] = row >> (W7_SAMPLE_SIDE * k & 7) & points;
    }
    if ((symmetry & 5) == 1)
        w7_avx2_transpose(rows);
    if (symmetry & 1)
        w7_sample_reverse(rows);
    if (symmetry & 5)
        w7_avx2_transpose(rows);
    if (symmetry & 2)
        w7_sample_reverse(rows);
    for (int k = 0; k < W7_SAMPLE_SIDE; k++) {
        word |= (uint64_t)rows[k] << filled;
        filled += W7_SAMPLE_SIDE;
        if (filled >= 64) {
            words[count++] = word;
            filled -= 64;
            word = rows[k] >> (W7_SAMPLE_SIDE - filled);
        }
    }
    words[count] = word;
    return w7_avx2_read_set(words);
}

/* Writes the planes of a row, which begin where those of the row before end. */
W7_TARGET_AVX2 static W7_NOINLINE void w7_avx2_sample_write_planes(const w7_sample_buffer *buffer,
                                                                   const w7_sample_place *place, int symmetry,
                                                                   w7_plane_stream *stream, uint8_t *planes)
{
    const w7_avx2_set none = {_mm256_setzero_si256(), _mm_setzero_si128()};
    const int32_t *images = buffer->images + symmetry * W7_STREAM_POINTS;
    const uint16_t *changes = w7_sample_changes(buffer, place);
    const int color = place->color, other = W7_BLACK + W7_WHITE - color;
    size_t at = (uintptr_t)planes % W7_STREAM_LINE;
    uint64_t bits[W7_STREAM_WORDS];
    w7_avx2_set stones[2];
    bits[0] = stream->points;
    for (int side = 0; side < 2; side++) {
        stones[side] = w7_avx2_sample_stones(w7_sample_board(place), side == 0 ? color : other);
        if (symmetry != 0)
            stones[side] = w7_avx2_sample_turn(stones[side], symmetry);
    }
    for (int k = 0;; k++) {
        w7_avx2_append_set(stones[0], bits, at);
        w7_avx2_append_set(stones[1], bits, at + W7_STREAM_POINTS);
        at += 2 * W7_STREAM_POINTS;
        if (k == W7_HISTORY_POSITIONS - 1)
            break;
        if (k >= place->earlier) {
            stones[0] = stones[1] = none;
            continue;
        }
        for (uint32_t i = w7_sample_end(place, k), end = w7_sample_end(place, k + 1); i < end; i++) {
            const uint32_t change = w7_sample_change_at(place, changes, i);
            const int value = (int)(change & 3), point = images[change >> 2];
            const w7_avx2_set changed = w7_avx2_point(point);
            stones[0] = w7_avx2_or(w7_avx2_andnot(changed, stones[0]),
                                   w7_avx2_point(value == color ? point : W7_STREAM_NO_POINT));
            stones[1] = w7_avx2_or(w7_avx2_andnot(changed, stones[1]),
                                   w7_avx2_point(value == other ? point : W7_STREAM_NO_POINT));
        }
    }
    w7_avx2_append_set(color == W7_BLACK ? w7_avx2_read_set(buffer->all) : none, bits, at);
    w7_avx2_write_row(stream, bits, planes);
}

#endif

/* Whether the planes of AlphaGo Zero are written so. */
static inline int w7_sample_is_streamed(const w7_sample_buffer *buffer, w7_input_type type, int isa)
{
#ifdef W7_WITH_X86_ISAS
    return isa >= W7_ISA_AVX2 && type == W7_INPUT_UINT8 && buffer->width == W7_SAMPLE_SIDE &&
           buffer->height == W7_SAMPLE_SIDE;
#else
    (void)buffer;
    (void)type;
    (void)isa;
    return 0;
#endif
}

#endif
