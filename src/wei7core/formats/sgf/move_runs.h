/* Runs of nodes that are nothing but a move on a point of the board: `;B[qd];W[dp]`, many at a time.
 *
 * A move takes 6 bytes, so where each of its bytes is in a register is known before any is looked at. A function
 * here reads moves from p as long as the `;` of another node follows, adds a row of record->steps for each, and returns
 * where it stopped: at a node that it does not know, or where the rows have no room. */
#ifndef W7_FORMATS_SGF_MOVE_RUNS_H
#define W7_FORMATS_SGF_MOVE_RUNS_H

#include "_util/cpu.h"
#include "formats/sgf/node.h"

#if defined(__x86_64__) && defined(__SSE4_1__)
#define W7_SGF_WITH_PAIRS 1
#endif
#if defined(W7_WITH_X86_ISAS) || defined(W7_SGF_WITH_PAIRS)
#include <immintrin.h>
#endif

enum {
    W7_SGF_MOVE_BYTES = 6,
    W7_SGF_BLACK_TO_WHITE = 'W' - 'B',
    W7_SGF_LONG_RUN = 128,     /* bytes that are known to be ASCII, and that it pays not to look at once more */
    W7_SGF_LONGEST_RUN = 4096, /* moves */
    W7_SGF_WIDE_MOVES = 10,
    W7_SGF_WIDE_ROWS = 11 /* touched by the 256 bytes that are written for 10 moves */
};

#ifdef W7_SGF_WITH_PAIRS
_Static_assert(sizeof(w7_step) == 24 && offsetof(w7_step, x) == 8 && offsetof(w7_step, y) == 12 &&
                   offsetof(w7_step, detail) == 16 && offsetof(w7_step, kind) == 20 && offsetof(w7_step, color) == 21,
               "rows are put together byte by byte below");
#endif

/* The least that each byte of a move may be. */
#define W7_SGF_LEAST_OF_MOVE ';', 'B', '[', 'a', 'a', ']'

/* Passes the moves at *p before the byte at `wrong`, the first that is not as it should be, and white space there.
 * Returns whether more moves may follow. */
static inline int w7_sgf_pass_good(const uint8_t **p, const uint8_t *end, int wrong, int64_t *count)
{
    const uint8_t *stop = *p + wrong;
    int good = wrong / W7_SGF_MOVE_BYTES;
    if (good > 0 && wrong % W7_SGF_MOVE_BYTES == 0) {
        stop = w7_sgf_pass_spaces(stop, end);
        if (stop < end && *stop == ';') {
            *p = stop;
            *count += good;
            return 1;
        }
        good--;
    }
    *p += good * W7_SGF_MOVE_BYTES;
    *count += good;
    return 0;
}

#ifdef W7_SGF_WITH_PAIRS

/* What the rows of two moves are made of: for each byte of a row the place in 12 bytes of text, -1 for none, .. */
static const int8_t W7_SGF_PAIR_FROM[3][16] = {
    {-1, -1, -1, -1, -1, -1, -1, -1, 3, -1, -1, -1, 4, -1, -1, -1},
    {-1, -1, -1, -1, -1, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1},
    {9, -1, -1, -1, 10, -1, -1, -1, -1, -1, -1, -1, -1, 7, -1, -1},
};

/* .. and what is added to it. */
static const int8_t W7_SGF_PAIR_PLUS[3][16] = {
    {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {-1, -1, -1, -1, W7_STEP_MOVE, 1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0},
    {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, W7_STEP_MOVE, 1, 0, 0},
};

/* Two moves a turn. */
static inline const uint8_t *w7_sgf_read_pairs(const w7_sgf_board *board, const uint8_t *begin, const uint8_t *p,
                                               const uint8_t *end, w7_steps *steps, int64_t room)
{
    const __m128i least = _mm_setr_epi8(W7_SGF_LEAST_OF_MOVE, W7_SGF_LEAST_OF_MOVE, ';', 0, 0, 0);
    const __m128i white = _mm_set1_epi8(W7_SGF_BLACK_TO_WHITE);
    const char x = (char)(board->width - 1), y = (char)(board->height - 1);
    const __m128i most = _mm_setr_epi8(0, 0, 0, x, y, 0, 0, 0, 0, x, y, 0, 0, -1, -1, -1);
    const __m128i is_color = _mm_setr_epi8(0, -1, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m128i one = _mm_set1_epi8(1);
    int64_t count = steps->count;
    while (end - p >= 16 && room - count >= 2) {
        const __m128i text = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)p), least);
        const __m128i is_white = _mm_and_si128(_mm_cmpeq_epi8(text, white), is_color);
        const __m128i good = _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(text, most), text), is_white);
        const __m128i value = _mm_or_si128(_mm_andnot_si128(is_color, text), _mm_and_si128(is_white, one));
        const __m128i offset = _mm_cvtsi64_si128(p - begin);
        __m128i *row = (__m128i *)&steps->at[count];
        unsigned wrong;
        for (int part = 0; part < 3; part++) {
            __m128i bytes = _mm_shuffle_epi8(value, _mm_loadu_si128((const __m128i *)W7_SGF_PAIR_FROM[part]));
            bytes = _mm_add_epi64(bytes, _mm_loadu_si128((const __m128i *)W7_SGF_PAIR_PLUS[part]));
            bytes = part == 0   ? _mm_add_epi64(bytes, offset)
                    : part == 1 ? _mm_add_epi64(bytes, _mm_slli_si128(offset, 8))
                                : bytes;
            _mm_storeu_si128(row + part, bytes);
        }
        wrong = ~(unsigned)_mm_movemask_epi8(good) & 0xFFFF;
        if (wrong == 0) {
            p += 2 * W7_SGF_MOVE_BYTES;
            count += 2;
        } else if (wrong == 1 << 12 && p[12] == '\n' && p[13] == ';') {
            /* Quicker than below, where what follows waits for the place to be found. */
            p += 2 * W7_SGF_MOVE_BYTES + 1;
            count += 2;
        } else if (!w7_sgf_pass_good(&p, end, __builtin_ctz(wrong), &count)) {
            break;
        }
    }
    steps->count = count;
    return p;
}

#endif

#ifdef W7_WITH_X86_ISAS

#define W7_SGF_FOR_TEN(ROW) ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7), ROW(8), ROW(9)

/* For each byte of the rows of ten moves the place in 60 bytes of text, 0 for none. */
#define W7_SGF_ROW_FROM(k)                                                                                             \
    0, 0, 0, 0, 0, 0, 0, 0, 6 * k + 3, 0, 0, 0, 6 * k + 4, 0, 0, 0, 0, 0, 0, 0, 0, 6 * k + 1, 0, 0
static const uint8_t W7_SGF_TEN_FROM[256] = {W7_SGF_FOR_TEN(W7_SGF_ROW_FROM)};

/* What is added to it. */
#define W7_SGF_ROW_PLUS(k)                                                                                             \
    6 * k + 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, W7_STEP_MOVE, 1, 0, 0
static const uint8_t W7_SGF_TEN_PLUS[256] = {W7_SGF_FOR_TEN(W7_SGF_ROW_PLUS)};

static const uint8_t W7_SGF_TEN_LEAST[64] = {
    W7_SGF_LEAST_OF_MOVE,
    W7_SGF_LEAST_OF_MOVE,
    W7_SGF_LEAST_OF_MOVE,
    W7_SGF_LEAST_OF_MOVE,
    W7_SGF_LEAST_OF_MOVE,
    W7_SGF_LEAST_OF_MOVE,
    W7_SGF_LEAST_OF_MOVE,
    W7_SGF_LEAST_OF_MOVE,
    W7_SGF_LEAST_OF_MOVE,
    W7_SGF_LEAST_OF_MOVE,
    ';',
};

/* Bit k of every move of ten; the text after the `;` that follows them. */
#define W7_SGF_BIT_OF_TEN(k) (UINT64_C(0x0041041041041041) << (k))
#define W7_SGF_AFTER_TEN (~UINT64_C(0) << 61)

/* Without VBMI a lane of the rows takes its bytes from 8 of the text, in two words that are brought to the lane first.
 * Each of its three lanes a pair of rows is of one move: the first two of the even one. */
#define W7_SGF_FOR_FIVE(PAIR) PAIR(0), PAIR(2), PAIR(4), PAIR(6), PAIR(8)
#define W7_SGF_LANE_BEGIN(k) ((6 * (k) + 1) / 4)
#define W7_SGF_LANE_WORDS(k) W7_SGF_LANE_BEGIN(k), W7_SGF_LANE_BEGIN(k) + 1, 0, 0
#define W7_SGF_PAIR_WORDS(k) W7_SGF_LANE_WORDS(k), W7_SGF_LANE_WORDS(k), W7_SGF_LANE_WORDS((k) + 1)
static const uint8_t W7_SGF_TEN_WORDS[64] = {W7_SGF_FOR_FIVE(W7_SGF_PAIR_WORDS)};

/* For each byte of the rows the place in those words, 128 for none. */
#define W7_SGF_LANE_BYTE(k, byte) (6 * (k) + (byte) - 4 * W7_SGF_LANE_BEGIN(k))
#define W7_SGF_PAIR_BYTES(k)                                                                                           \
    128, 128, 128, 128, 128, 128, 128, 128, W7_SGF_LANE_BYTE(k, 3), 128, 128, 128, W7_SGF_LANE_BYTE(k, 4), 128, 128,   \
        128, 128, 128, 128, 128, 128, W7_SGF_LANE_BYTE(k, 1), 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,        \
        W7_SGF_LANE_BYTE(k + 1, 3), 128, 128, 128, W7_SGF_LANE_BYTE(k + 1, 4), 128, 128, 128, 128, 128, 128, 128, 128, \
        W7_SGF_LANE_BYTE(k + 1, 1), 128, 128
static const uint8_t W7_SGF_TEN_BYTES[256] = {W7_SGF_FOR_FIVE(W7_SGF_PAIR_BYTES)};

typedef struct {
    __m512i words;
    __m512i bytes;
} w7_sgf_ten_places_avx512bw;

static W7_TARGET_AVX512BW inline w7_sgf_ten_places_avx512bw w7_sgf_ten_places_of_avx512bw(int part)
{
    const __m128i words = _mm_loadu_si128((const __m128i *)(W7_SGF_TEN_WORDS + 16 * part));
    const w7_sgf_ten_places_avx512bw places = {_mm512_cvtepu8_epi32(words),
                                               _mm512_loadu_si512(W7_SGF_TEN_BYTES + 64 * part)};
    return places;
}

static W7_TARGET_AVX512BW inline __m512i w7_sgf_ten_bytes_avx512bw(w7_sgf_ten_places_avx512bw places, __m512i value)
{
    return _mm512_shuffle_epi8(_mm512_permutexvar_epi32(places.words, value), places.bytes);
}

typedef struct {
    __m512i from;
    __mmask64 used;
} w7_sgf_ten_places_avx512;

static W7_TARGET_AVX512 inline w7_sgf_ten_places_avx512 w7_sgf_ten_places_of_avx512(int part)
{
    const __m512i from = _mm512_loadu_si512(W7_SGF_TEN_FROM + 64 * part);
    const w7_sgf_ten_places_avx512 places = {from, _mm512_test_epi8_mask(from, from)};
    return places;
}

static W7_TARGET_AVX512 inline __m512i w7_sgf_ten_bytes_avx512(w7_sgf_ten_places_avx512 places, __m512i value)
{
    return _mm512_maskz_permutexvar_epi8(places.used, places.from, value);
}

#define W7_SGF_ISA(name) name##_avx512bw
#define W7_SGF_TARGET W7_TARGET_AVX512BW
#include "formats/sgf/move_tens.h"

#define W7_SGF_ISA(name) name##_avx512
#define W7_SGF_TARGET W7_TARGET_AVX512
#include "formats/sgf/move_tens.h"

#endif

/* Makes room for the rows of bare moves up to `end`, or of many of them. Returns how many rows there may be in all. */
static inline int64_t w7_sgf_reserve_run(w7_sgf_reader *reader, const uint8_t *p, const uint8_t *end)
{
    w7_steps *steps = &reader->record->steps;
    int64_t most = (end - p) / W7_SGF_MOVE_BYTES;
    most = (most < W7_SGF_LONGEST_RUN ? most : W7_SGF_LONGEST_RUN) + W7_SGF_WIDE_ROWS;
    while (steps->room - steps->count < most)
        if (w7_table_grow(&steps->at, &steps->room, sizeof *steps->at) != 0)
            break; /* the reader of nodes reports it */
    return steps->room < reader->options.max_steps ? steps->room : reader->options.max_steps;
}

/* Reads bare moves many at a time, with the instruction set that the options name. */
static inline const uint8_t *w7_sgf_read_run(w7_sgf_reader *reader, const uint8_t *p, const uint8_t *end)
{
    const w7_sgf_board *board = &reader->board;
    const uint8_t *begin = reader->lexer.begin;
    w7_steps *steps = &reader->record->steps;
    /* Larger boards have capitals. */
    if (board->width > 26 || board->height > 26 || reader->options.plainness != W7_SGF_NOT_PLAIN)
        return p;
#ifdef W7_WITH_X86_ISAS
    if (reader->options.isa >= W7_ISA_AVX512BW)
        return (reader->options.isa == W7_ISA_AVX512 ? w7_sgf_read_tens_avx512 : w7_sgf_read_tens_avx512bw)(
            board, begin, p, end, steps, w7_sgf_reserve_run(reader, p, end));
#endif
#ifdef W7_SGF_WITH_PAIRS
    return w7_sgf_read_pairs(board, begin, p, end, steps, w7_sgf_reserve_run(reader, p, end));
#else
    (void)begin, (void)steps, (void)end;
    return p;
#endif
}

#endif
