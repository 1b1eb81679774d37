/* The planes of AlphaGo Zero (board/kernel/history_planes.h) of boards or of rows, written one after the other. */
#ifndef W7_BATCH_SELFPLAY_PLANE_STREAM_H
#define W7_BATCH_SELFPLAY_PLANE_STREAM_H

#include "batch/selfplay/moves.h"

enum {
    W7_STREAM_LINE = 64,                    /* bytes of a line of the cache */
    W7_STREAM_PAST_CACHE = 4 * 1024 * 1024, /* bytes: so many, and more, are written past the cache */
    W7_STREAM_POINTS = 361,                 /* of a set that is in two registers, */
    W7_STREAM_NO_POINT = 384,               /* which have no bit for it */
    W7_STREAM_BITS = W7_HISTORY_PLANES * W7_STREAM_POINTS,
    W7_STREAM_WORDS = (W7_STREAM_BITS + 63) / 64 + 8
};

/* Rows are written by whole lines of the cache, of which two rows share one. */
typedef struct {
    uint64_t points;       /* of the last line, which is not yet complete: a bit a byte */
    uint8_t is_begun;      /* a row came before, and ends where the next one begins */
    uint8_t is_past_cache; /* so many rows that the cache would lose the boards, and the first rows, to the last ones */
} w7_plane_stream;

/* Of so many rows in all. */
static inline w7_plane_stream w7_plane_stream_of(int64_t rows, int64_t points)
{
    w7_plane_stream stream = {0, 0, 0};
    stream.is_past_cache = rows * W7_HISTORY_PLANES * points >= W7_STREAM_PAST_CACHE;
    return stream;
}

#ifdef W7_WITH_X86_ISAS

/* The set of one point; from W7_STREAM_NO_POINT on, that of none. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE w7_avx2_set w7_avx2_point(int point)
{
    const __m256i at = _mm256_set1_epi64x(point);
    const __m256i low = _mm256_sub_epi64(at, _mm256_setr_epi64x(0, 64, 128, 192));
    const __m128i high = _mm_sub_epi64(_mm256_castsi256_si128(at), _mm_set_epi64x(320, 256));
    /* A shift by less than 0, or by more than 63, leaves no bit. */
    const w7_avx2_set set = {_mm256_sllv_epi64(_mm256_set1_epi64x(1), low), _mm_sllv_epi64(_mm_set1_epi64x(1), high)};
    return set;
}

W7_TARGET_AVX2 static W7_ALWAYS_INLINE w7_avx2_set w7_avx2_xor(w7_avx2_set a, w7_avx2_set b)
{
    const w7_avx2_set either = {_mm256_xor_si256(a.low, b.low), _mm_xor_si128(a.high, b.high)};
    return either;
}

/* Appends a set to bits, of which there are `at`. The words after the last one may be anything. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE void w7_avx2_append_set(w7_avx2_set set, uint64_t *bits, size_t at)
{
    const int by = (int)(at & 63);
    const uint64_t last = (uint64_t)_mm_extract_epi64(set.high, 1), first = bits[at >> 6];
    bits += at >> 6;
    w7_avx2_write_set(w7_avx2_after(set, by), bits);
    bits[0] |= first;
    bits[6] = last >> 1 >> (63 - by);
}

/* 64 points as bytes. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE void w7_avx2_spread_word(uint64_t points, __m256i lines[2])
{
    const __m256i first = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3,
                                           3, 3, 3, 3, 3, 3);
    const __m256i bit = _mm256_set1_epi64x((long long)0x8040201008040201u), one = _mm256_set1_epi8(1);
    const __m256i word = _mm256_set1_epi64x((long long)points), second = _mm256_add_epi8(first, _mm256_set1_epi8(4));
    lines[0] = _mm256_min_epu8(_mm256_and_si256(_mm256_shuffle_epi8(word, first), bit), one);
    lines[1] = _mm256_min_epu8(_mm256_and_si256(_mm256_shuffle_epi8(word, second), bit), one);
}

/* Writes some bytes of a line. */
W7_TARGET_AVX2 static W7_NOINLINE void w7_avx2_write_part(uint64_t points, uint8_t *line, size_t begin, size_t end)
{
    __m256i halves[2];
    uint8_t bytes[W7_STREAM_LINE];
    w7_avx2_spread_word(points, halves);
    memcpy(bytes, halves, sizeof bytes);
    memcpy(line + begin, bytes + begin, end - begin);
}

/* Writes a row, whose bits begin where those of the row before end. */
W7_TARGET_AVX2 static W7_ALWAYS_INLINE void w7_avx2_write_row(w7_plane_stream *stream, const uint64_t *bits,
                                                              uint8_t *out)
{
    const size_t before = (uintptr_t)out % W7_STREAM_LINE, lines = (before + W7_STREAM_BITS) / W7_STREAM_LINE;
    uint8_t *line = out - before;
    size_t k = 0;
    if (!stream->is_begun)
        w7_avx2_write_part(bits[k++], line, before, W7_STREAM_LINE);
    for (; k < lines; k++) {
        __m256i halves[2], *at = (__m256i *)(void *)(line + W7_STREAM_LINE * k);
        w7_avx2_spread_word(bits[k], halves);
        if (stream->is_past_cache) {
            _mm256_stream_si256(at, halves[0]);
            _mm256_stream_si256(at + 1, halves[1]);
        } else {
            _mm256_store_si256(at, halves[0]);
            _mm256_store_si256(at + 1, halves[1]);
        }
    }
    stream->points = bits[lines];
    stream->is_begun = 1;
}

/* Writes the planes of a board: earlier positions are found in registers, as a word that was just written is slow to
 * read together with its neighbours. */
W7_TARGET_AVX2 static W7_NOINLINE void w7_avx2_plane_stream_write(w7_plane_stream *stream, const w7_slots *slots,
                                                                  const w7_slot_view *view, uint8_t *out)
{
    const w7_avx2_set none = {_mm256_setzero_si256(), _mm_setzero_si128()};
    const int is_black = view->slot->color == W7_BLACK;
    size_t at = (uintptr_t)out % W7_STREAM_LINE;
    uint64_t bits[W7_STREAM_WORDS];
    int32_t move = view->slot->move_count, end = view->slot->removed_count;
    w7_avx2_set own = w7_avx2_read_set(is_black ? view->black : view->white);
    w7_avx2_set other = w7_avx2_read_set(is_black ? view->white : view->black);
    bits[0] = stream->points;
    for (int k = 0;; k++) {
        w7_avx2_set played = none, taken = none;
        int32_t begin;
        w7_avx2_append_set(own, bits, at);
        w7_avx2_append_set(other, bits, at + W7_STREAM_POINTS);
        at += 2 * W7_STREAM_POINTS;
        if (k == W7_HISTORY_POSITIONS - 1)
            break;
        if (move == 0) {
            own = other = none;
            continue;
        }
        move--;
        begin = view->plies[move].begin;
        if (view->plies[move].move < W7_STREAM_POINTS)
            played = w7_avx2_point(view->plies[move].move);
        if (W7_UNLIKELY(end > begin)) {
            const int is_suicide = view->removed[begin] == view->plies[move].move;
            while (end > begin)
                taken = w7_avx2_xor(taken, w7_avx2_point(view->removed[--end]));
            if (is_suicide) {
                played = w7_avx2_xor(played, taken);
                taken = none;
            }
        }
        /* The last move was the opponent's. */
        own = w7_avx2_xor(own, k & 1 ? played : taken);
        other = w7_avx2_xor(other, k & 1 ? taken : played);
    }
    w7_avx2_append_set(is_black ? w7_avx2_read_set(slots->all) : none, bits, at);
    w7_avx2_write_row(stream, bits, out);
}

#endif

/* Writes the 17 planes of a board, where those of the board before it end. */
static inline void w7_plane_stream_write(int isa, w7_plane_stream *stream, const w7_slots *slots,
                                         const w7_slot_view *view, uint8_t *out)
{
    w7_history_stones positions[W7_HISTORY_POSITIONS];
    uint64_t room[W7_HISTORY_POSITIONS - 1][2 * W7_SLOT_WORDS];
#ifdef W7_WITH_X86_ISAS
    if (w7_slots_are_19(slots)) {
        w7_avx2_plane_stream_write(stream, slots, view, out);
        return;
    }
#endif
    (void)stream;
    w7_slot_find_history(slots, view, W7_HISTORY_POSITIONS, room, positions);
    w7_history_write(isa, positions, view->slot->color, slots->points, out);
}

/* Writes what is left of the last row, which ends at `end`. */
static inline void w7_plane_stream_end(const w7_plane_stream *stream, uint8_t *end)
{
#ifdef W7_WITH_X86_ISAS
    if (stream->is_begun) {
        const size_t count = (uintptr_t)end % W7_STREAM_LINE;
        w7_avx2_write_part(stream->points, end - count, 0, count);
        if (stream->is_past_cache)
            _mm_sfence(); /* what is written so comes in any order, also after what signals another thread of it */
    }
#else
    (void)stream;
    (void)end;
#endif
}

#endif
