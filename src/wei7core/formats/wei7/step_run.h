/* Runs of steps of a colour and two coordinates of one or two digits each, and nothing else that changes, as the moves
 * of most records are: fixed bytes before the first coordinate, between the two, and after them up to the next step.
 */
#ifndef W7_FORMATS_WEI7_STEP_RUN_H
#define W7_FORMATS_WEI7_STEP_RUN_H

#include "_util/cpu.h"
#include "record/record.h"
#include "formats/wei7/bytes.h"
#include "formats/wei7/step_tail.h"

#ifdef W7_WITH_X86_ISAS
#include <immintrin.h>
#endif

enum { W7_RUN_TEXT = 512, W7_WIDEST_BLOCK = 64 };

/* The distance in bytes at which memory is prefetched, a cache line at a time. */
enum { W7_PREFETCH_DISTANCE = 2048, W7_LINE = 64 };

/* Bytes to compare with, and which bits of them count: none of a value that changes, and none after the end. */
typedef struct {
    int length;
    uint8_t text[W7_RUN_TEXT];
    uint8_t bits[W7_RUN_TEXT];
    uint64_t bytes[W7_RUN_TEXT / W7_WIDEST_BLOCK]; /* a bit for each byte */
} w7_pattern;

typedef struct {
    int end;     /* row of the layout's ends that it was made from, or 0: none was made */
    int used;    /* in this text */
    int color;   /* offset of the colour */
    int closing; /* bytes of `after` up to the end of the step */
    int y_first;
    w7_pattern before;
    w7_pattern between;
    w7_pattern after;
    int has_tails; /* and no more before the first coordinate than the widest block holds */
    w7_tail tails[W7_TAILS];
    uint8_t longer[W7_TAILS]; /* digits of the two coordinates over two */
} w7_run;

/* The pattern of the text [begin, end) without the byte at `hole`, if that is not negative. Returns whether it fits. */
static inline int w7_pattern_make(w7_pattern *pattern, const uint8_t *begin, const uint8_t *end, int64_t hole)
{
    int k;
    if (end - begin > W7_RUN_TEXT)
        return 0;
    memset(pattern, 0, sizeof *pattern);
    pattern->length = (int)(end - begin);
    for (k = 0; k < pattern->length; k++)
        if (k != hole) {
            pattern->text[k] = begin[k];
            pattern->bits[k] = 0xFF;
            pattern->bytes[k / W7_WIDEST_BLOCK] |= (uint64_t)1 << k % W7_WIDEST_BLOCK;
        }
    return 1;
}

/* The bytes of text required to search a step of the run: no instruction set reads further. */
static inline int w7_run_extent(const w7_run *run)
{
    return run->before.length + run->between.length + run->after.length + 4 + W7_WIDEST_BLOCK;
}

static inline unsigned w7_is_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}

/* What the low four bits of a first digit and the low five bits of the byte after it mean, in 32 rows of 16: the
 * coordinate, W7_LONGER where it has two digits, W7_NO_COORDINATE where it is none, and the bits of the two bytes that
 * are still to be compared with those of digits. A byte that is no digit there is compared with the text after the
 * coordinate, whose first byte it must be. */
enum { W7_LONGER = 0x80, W7_NO_COORDINATE = 0x100, W7_HIGH_BITS = 0x00F0, W7_HIGH_BITS_OF_TWO = 0xE0F0 };

#define W7_ONE_DIGIT(n) ((uint32_t)W7_HIGH_BITS << 16 | (n))
#define W7_TWO_DIGITS(n) ((uint32_t)W7_HIGH_BITS_OF_TWO << 16 | W7_LONGER | (n))
#define W7_NONE W7_NO_COORDINATE
#define W7_ONE                                                                                                         \
    W7_ONE_DIGIT(0), W7_ONE_DIGIT(1), W7_ONE_DIGIT(2), W7_ONE_DIGIT(3), W7_ONE_DIGIT(4), W7_ONE_DIGIT(5),              \
        W7_ONE_DIGIT(6), W7_ONE_DIGIT(7), W7_ONE_DIGIT(8), W7_ONE_DIGIT(9), W7_NONE, W7_NONE, W7_NONE, W7_NONE,        \
        W7_NONE, W7_NONE
#define W7_TWO(d)                                                                                                      \
    W7_NONE, W7_TWO_DIGITS(10 + d), W7_TWO_DIGITS(20 + d), W7_TWO_DIGITS(30 + d), W7_TWO_DIGITS(40 + d),               \
        W7_TWO_DIGITS(50 + d), W7_TWO_DIGITS(60 + d), W7_TWO_DIGITS(70 + d), W7_TWO_DIGITS(80 + d),                    \
        W7_TWO_DIGITS(90 + d), W7_NONE, W7_NONE, W7_NONE, W7_NONE, W7_NONE, W7_NONE

static const uint32_t W7_COORDINATES[32 * 16] = {
    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,
    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,
    W7_TWO(0), W7_TWO(1), W7_TWO(2), W7_TWO(3), W7_TWO(4), W7_TWO(5), W7_TWO(6), W7_TWO(7),
    W7_TWO(8), W7_TWO(9), W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,    W7_ONE,
};

#undef W7_ONE_DIGIT
#undef W7_TWO_DIGITS
#undef W7_NONE
#undef W7_ONE
#undef W7_TWO

/* A coordinate of one or two digits: its value, whether it has two, and not zero where it is no such number. */
typedef struct {
    int32_t value;
    unsigned longer;
    uint32_t wrong;
} w7_coordinate;

static inline w7_coordinate w7_coordinate_at(const uint8_t *p)
{
    const uint32_t bytes = (uint32_t)p[0] | (uint32_t)p[1] << 8;
    const uint32_t row = W7_COORDINATES[(bytes >> 4 & 0x1F0) | (bytes & 0x0F)];
    w7_coordinate found;
    found.value = (int32_t)(row & 0x7F);
    found.longer = row >> 7 & 1;
    found.wrong = ((bytes ^ ('2' << 8 | '0')) & row >> 16) | (row & W7_NO_COORDINATE);
    return found;
}

/* Where in a row of steps the members begin that a run holds fast. */
enum { W7_STEP_REST = offsetof(w7_step, detail) };

/* Keeps the compiler from working out the address of the next step by way of what is only known late. */
#ifdef __GNUC__
#define W7_KEEP_APART(pointer) __asm__("" : "+r"(pointer))
#else
#define W7_KEEP_APART(pointer) (void)(pointer)
#endif

/* Each instruction set has a first block of a pattern, held in registers, whether a text differs from it, and whether
 * the bytes of the text after it do. Blocks are read that end after the pattern. */
#ifdef W7_WITH_SSSE3

typedef struct {
    __m128i text;
    __m128i bits;
} w7_block_portable;

typedef unsigned w7_difference_portable;

enum { W7_BLOCK_portable = 16 };

static inline w7_block_portable w7_block_at_portable(const w7_pattern *pattern, int k)
{
    w7_block_portable block = {_mm_loadu_si128((const __m128i *)(pattern->text + k)),
                               _mm_loadu_si128((const __m128i *)(pattern->bits + k))};
    return block;
}

static inline unsigned w7_differs_portable(const uint8_t *p, w7_block_portable block)
{
    __m128i differ = _mm_and_si128(_mm_xor_si128(_mm_loadu_si128((const __m128i *)p), block.text), block.bits);
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(differ, _mm_setzero_si128())) ^ 0xFFFF;
}

static inline unsigned w7_rest_differs_portable(const uint8_t *p, const w7_pattern *pattern)
{
    __m128i all = _mm_setzero_si128();
    int k;
    for (k = 16; k < pattern->length; k += 16) {
        const w7_block_portable block = w7_block_at_portable(pattern, k);
        const __m128i text = _mm_loadu_si128((const __m128i *)(p + k));
        all = _mm_or_si128(all, _mm_and_si128(_mm_xor_si128(text, block.text), block.bits));
    }
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_setzero_si128())) ^ 0xFFFF;
}

#else

typedef struct {
    uint64_t text;
    uint64_t bits;
} w7_block_portable;

typedef uint64_t w7_difference_portable;

enum { W7_BLOCK_portable = 8 };

static inline w7_block_portable w7_block_at_portable(const w7_pattern *pattern, int k)
{
    w7_block_portable block;
    memcpy(&block.text, pattern->text + k, 8);
    memcpy(&block.bits, pattern->bits + k, 8);
    return block;
}

static inline uint64_t w7_differs_portable(const uint8_t *p, w7_block_portable block)
{
    uint64_t text;
    memcpy(&text, p, 8);
    return (text ^ block.text) & block.bits;
}

static inline uint64_t w7_rest_differs_portable(const uint8_t *p, const w7_pattern *pattern)
{
    uint64_t all = 0;
    int k;
    for (k = 8; k < pattern->length; k += 8)
        all |= w7_differs_portable(p + k, w7_block_at_portable(pattern, k));
    return all;
}

#endif

static inline w7_block_portable w7_first_block_portable(const w7_pattern *pattern)
{
    return w7_block_at_portable(pattern, 0);
}

#define W7_RUN_ISA(name) name##_portable
#define W7_RUN_TARGET
#include "formats/wei7/step_run_loop.h"

#ifdef W7_WITH_X86_ISAS

typedef struct {
    __m256i text;
    __m256i bits;
} w7_block_avx2;

typedef unsigned w7_difference_avx2;

enum { W7_BLOCK_avx2 = 32 };

W7_TARGET_AVX2 static inline w7_block_avx2 w7_first_block_avx2(const w7_pattern *pattern)
{
    w7_block_avx2 block = {_mm256_loadu_si256((const __m256i *)pattern->text),
                           _mm256_loadu_si256((const __m256i *)pattern->bits)};
    return block;
}

W7_TARGET_AVX2 static inline unsigned w7_differs_avx2(const uint8_t *p, w7_block_avx2 block)
{
    return !_mm256_testz_si256(_mm256_xor_si256(_mm256_loadu_si256((const __m256i *)p), block.text), block.bits);
}

W7_TARGET_AVX2 static inline unsigned w7_rest_differs_avx2(const uint8_t *p, const w7_pattern *pattern)
{
    __m256i all = _mm256_setzero_si256();
    int k;
    for (k = 32; k < pattern->length; k += 32) {
        const __m256i text = _mm256_loadu_si256((const __m256i *)(pattern->text + k));
        const __m256i bits = _mm256_loadu_si256((const __m256i *)(pattern->bits + k));
        all = _mm256_or_si256(
            all, _mm256_and_si256(_mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(p + k)), text), bits));
    }
    return !_mm256_testz_si256(all, all);
}

#define W7_RUN_ISA(name) name##_avx2
#define W7_RUN_TARGET W7_TARGET_AVX2
#include "formats/wei7/step_run_loop.h"

/* The text before the first coordinate of a step that has a tail, in registers. */
typedef struct {
    w7_block_avx2 low;
    w7_block_avx2 high;
} w7_head_avx2;

W7_TARGET_AVX2 static inline w7_head_avx2 w7_head_of_avx2(const w7_pattern *pattern)
{
    w7_head_avx2 head = {w7_first_block_avx2(pattern), w7_first_block_avx2(pattern)};
    head.high.text = _mm256_loadu_si256((const __m256i *)(pattern->text + 32));
    head.high.bits = _mm256_loadu_si256((const __m256i *)(pattern->bits + 32));
    return head;
}

/* Whether the text at p differs from the head, or a byte of a tail is more than it may be. */
W7_TARGET_AVX2 static inline int w7_head_differs_avx2(const uint8_t *p, w7_head_avx2 head, __m256i row, __m256i most)
{
    const __m256i low = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)p), head.low.text);
    const __m256i high = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)(p + 32)), head.high.text);
    __m256i wrong = _mm256_or_si256(_mm256_and_si256(low, head.low.bits), _mm256_and_si256(high, head.high.bits));
    wrong = _mm256_or_si256(wrong, _mm256_subs_epu8(row, most));
    return !_mm256_testz_si256(wrong, wrong);
}

/* A bit for each of 32 bytes that is a digit. */
W7_TARGET_AVX2 static inline uint32_t w7_digits_at_avx2(const uint8_t *p)
{
    const __m256i bytes = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)p), _mm256_set1_epi8('0'));
    const __m256i over = _mm256_subs_epu8(bytes, _mm256_set1_epi8(9));
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(over, _mm256_setzero_si256()));
}

/* The number of the tail of a step whose digits are these; there are AMD processors whose `pext` is slow. */
static inline uint32_t w7_tail_number_avx2(uint32_t digits, int between_length)
{
    return (digits >> 1 & 1) | (digits >> (1 + between_length) & 6);
}

/* The bytes at these offsets, all below 32. */
W7_TARGET_AVX2 static inline __m256i w7_tail_bytes_avx2(const uint8_t *p, __m256i offsets)
{
    const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(p + 16)));
    return _mm256_blendv_epi8(_mm256_shuffle_epi8(low, offsets), _mm256_shuffle_epi8(high, offsets),
                              _mm256_slli_epi16(offsets, 3));
}

#define W7_RUN_ISA(name) name##_avx2
#define W7_RUN_FAMILY(name) name##_avx2
#define W7_RUN_TARGET W7_TARGET_AVX2
#include "formats/wei7/step_run_short.h"

typedef struct {
    __m512i text;
    __mmask64 bytes;
} w7_block_avx512;

typedef uint64_t w7_difference_avx512;

enum { W7_BLOCK_avx512 = 64 };

W7_TARGET_AVX512BW static inline w7_block_avx512 w7_first_block_avx512(const w7_pattern *pattern)
{
    w7_block_avx512 block = {_mm512_loadu_si512(pattern->text), pattern->bytes[0]};
    return block;
}

W7_TARGET_AVX512BW static inline uint64_t w7_differs_avx512(const uint8_t *p, w7_block_avx512 block)
{
    return _mm512_mask_cmpneq_epi8_mask(block.bytes, _mm512_loadu_si512(p), block.text);
}

W7_TARGET_AVX512BW static inline uint64_t w7_rest_differs_avx512(const uint8_t *p, const w7_pattern *pattern)
{
    uint64_t all = 0;
    int k;
    for (k = 1; k * 64 < pattern->length; k++)
        all |= _mm512_mask_cmpneq_epi8_mask(pattern->bytes[k], _mm512_loadu_si512(p + k * 64),
                                            _mm512_loadu_si512(pattern->text + k * 64));
    return all;
}

#define W7_RUN_ISA(name) name##_avx512
#define W7_RUN_TARGET W7_TARGET_AVX512BW
#include "formats/wei7/step_run_loop.h"

typedef w7_block_avx512 w7_head_avx512;

W7_TARGET_AVX512BW static inline w7_head_avx512 w7_head_of_avx512(const w7_pattern *pattern)
{
    return w7_first_block_avx512(pattern);
}

W7_TARGET_AVX512BW static inline int w7_head_differs_avx512(const uint8_t *p, w7_head_avx512 head, __m256i row,
                                                            __m256i most)
{
    return !_kortestz_mask64_u8(w7_differs_avx512(p, head), _mm256_cmpgt_epu8_mask(row, most));
}

W7_TARGET_AVX512BW static inline uint32_t w7_digits_at_avx512(const uint8_t *p)
{
    const __m256i bytes = _mm256_xor_si256(_mm256_loadu_si256((const __m256i *)p), _mm256_set1_epi8('0'));
    return _mm256_cmple_epu8_mask(bytes, _mm256_set1_epi8(9));
}

W7_TARGET_AVX512BW static inline uint32_t w7_tail_number_avx512(uint32_t digits, int between_length)
{
    return _pext_u32(digits, w7_tail_places(between_length));
}

W7_TARGET_AVX512BW static inline __m256i w7_tail_bytes_avx512bw(const uint8_t *p, __m256i offsets)
{
    const __m256i low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)p));
    const __m256i high = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(p + 16)));
    const __mmask32 in_high = _mm256_test_epi8_mask(offsets, _mm256_set1_epi8(16));
    return _mm256_mask_shuffle_epi8(_mm256_shuffle_epi8(low, offsets), in_high, high, offsets);
}

/* The same with VBMI. */
W7_TARGET_AVX512 static inline __m256i w7_tail_bytes_avx512(const uint8_t *p, __m256i offsets)
{
    return _mm256_permutexvar_epi8(offsets, _mm256_loadu_si256((const __m256i *)p));
}

#define W7_RUN_ISA(name) name##_avx512bw
#define W7_RUN_FAMILY(name) name##_avx512
#define W7_RUN_TARGET W7_TARGET_AVX512BW
#include "formats/wei7/step_run_short.h"

#define W7_RUN_ISA(name) name##_avx512
#define W7_RUN_FAMILY(name) name##_avx512
#define W7_RUN_TARGET W7_TARGET_AVX512
#include "formats/wei7/step_run_short.h"

#endif

typedef int64_t (*w7_run_function)(const w7_run *run, const w7_step colors[2], const uint8_t *begin,
                                   const uint8_t **text, const uint8_t *end, w7_step *rows, int64_t room, int *ended);

static inline w7_run_function w7_run_of_form(int isa)
{
#ifdef W7_WITH_X86_ISAS
    if (isa == W7_ISA_AVX512)
        return w7_run_any_avx512;
    if (isa == W7_ISA_AVX512BW)
        return w7_run_any_avx512bw;
    if (isa == W7_ISA_AVX2)
        return w7_run_any_avx2;
#endif
    (void)isa;
    return w7_run_steps_portable;
}

#endif
