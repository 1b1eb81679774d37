/* Many bytes of text at a time: white space, plain strings, UTF-8, equal pieces.
 *
 * Nothing is read beyond the end that is given: a block of bytes is loaded only where it ends before that. With
 * SSSE3 a block has 16 bytes; elsewhere the functions answer the same, a few bytes at a time. */
#ifndef W7_FORMATS_WEI7_BYTES_H
#define W7_FORMATS_WEI7_BYTES_H

#include <stdint.h>
#include <string.h>

#if defined(__SSSE3__) && defined(__GNUC__) && !defined(W7_WITHOUT_SSSE3)
#define W7_WITH_SSSE3 1
#include <tmmintrin.h>
#endif

enum { W7_BLOCK = 16 };

/* Prefetches the bytes `distance` after p, which will be read soon. Nothing is read, and there may be none. */
static inline void w7_prefetch(const uint8_t *p, uintptr_t distance)
{
#ifdef __GNUC__
    __builtin_prefetch((const void *)((uintptr_t)p + distance));
#else
    (void)p;
    (void)distance;
#endif
}

/* The number of the lowest bit that is set; there is one. */
static inline int w7_name_of_bit(uint64_t x)
{
#ifdef __GNUC__
    return __builtin_ctzll(x);
#else
    int bit = 0;
    for (; (x & 1) == 0; x >>= 1)
        bit++;
    return bit;
#endif
}

static inline int w7_is_space(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Passes over a run of white space that may be long. */
static inline const uint8_t *w7_pass_indentation(const uint8_t *p, const uint8_t *end)
{
#ifdef W7_WITH_SSSE3
    /* Each space is at the place of its low four bits; the others there equal no byte of that place. */
    const __m128i spaces = _mm_setr_epi8(' ', -1, -1, -1, -1, -1, -1, -1, -1, '\t', '\n', -1, -1, '\r', -1, -1);
    while (end - p >= W7_BLOCK) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        unsigned same = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_shuffle_epi8(spaces, block), block));
        if (same != 0xFFFF)
            return p + __builtin_ctz(~same);
        p += W7_BLOCK;
    }
#endif
    while (p < end && w7_is_space(*p))
        p++;
    return p;
}

static inline const uint8_t *w7_pass_space(const uint8_t *p, const uint8_t *end)
{
    return p < end && *p <= ' ' ? w7_pass_indentation(p, end) : p;
}

#ifdef W7_WITH_SSSE3

/* Not zero where a byte of the block cannot follow the bytes before it in UTF-8; `before` is the block before.
 * Each pair of neighbours is looked up by three of its four halves: J. Keiser and D. Lemire, Validating UTF-8 in
 * Less Than One Instruction Per Byte, 2021. */
static inline __m128i w7_utf8_errors(__m128i block, __m128i before)
{
    enum {
        SHORT = 1, /* a lead, then no continuation */
        LONG = 2,  /* ASCII, then a continuation */
        OVERLONG_3 = 4,
        LARGE = 8, /* above U+10FFFF */
        SURROGATE = 16,
        OVERLONG_2 = 32,
        OVERLONG_4 = 64, /* or above U+10FFFF by its first half */
        TWO = 128,       /* two continuations: right where a long sequence began before them */
        ANY = SHORT | LONG | TWO
    };
    const __m128i first_high =
        _mm_setr_epi8(LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, (char)TWO, (char)TWO, (char)TWO, (char)TWO,
                      SHORT | OVERLONG_2, SHORT, SHORT | OVERLONG_3 | SURROGATE, SHORT | LARGE | OVERLONG_4);
    const __m128i first_low = _mm_setr_epi8(
        (char)(ANY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4), (char)(ANY | OVERLONG_2), (char)ANY, (char)ANY,
        (char)(ANY | LARGE), (char)(ANY | LARGE | OVERLONG_4), (char)(ANY | LARGE | OVERLONG_4),
        (char)(ANY | LARGE | OVERLONG_4), (char)(ANY | LARGE | OVERLONG_4), (char)(ANY | LARGE | OVERLONG_4),
        (char)(ANY | LARGE | OVERLONG_4), (char)(ANY | LARGE | OVERLONG_4), (char)(ANY | LARGE | OVERLONG_4),
        (char)(ANY | LARGE | OVERLONG_4 | SURROGATE), (char)(ANY | LARGE | OVERLONG_4),
        (char)(ANY | LARGE | OVERLONG_4));
    const __m128i second_high = _mm_setr_epi8(
        SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT, SHORT,
        (char)(LONG | OVERLONG_2 | TWO | OVERLONG_3 | OVERLONG_4), (char)(LONG | OVERLONG_2 | TWO | OVERLONG_3 | LARGE),
        (char)(LONG | OVERLONG_2 | TWO | SURROGATE | LARGE), (char)(LONG | OVERLONG_2 | TWO | SURROGATE | LARGE), SHORT,
        SHORT, SHORT, SHORT);
    const __m128i low = _mm_set1_epi8(0x0F);
    const __m128i first = _mm_alignr_epi8(block, before, 15);
    const __m128i pairs =
        _mm_and_si128(_mm_and_si128(_mm_shuffle_epi8(first_high, _mm_and_si128(_mm_srli_epi16(first, 4), low)),
                                    _mm_shuffle_epi8(first_low, _mm_and_si128(first, low))),
                      _mm_shuffle_epi8(second_high, _mm_and_si128(_mm_srli_epi16(block, 4), low)));
    /* The third byte of a sequence of three or four, and the fourth, are continuations after continuations. */
    const __m128i third = _mm_subs_epu8(_mm_alignr_epi8(block, before, 14), _mm_set1_epi8(0xE0 - 0x80));
    const __m128i fourth = _mm_subs_epu8(_mm_alignr_epi8(block, before, 13), _mm_set1_epi8(0xF0 - 0x80));
    return _mm_xor_si128(_mm_and_si128(_mm_or_si128(third, fourth), _mm_set1_epi8((char)0x80)), pairs);
}

/* The first quote, backslash or control character from p on, which is the start of a character. NULL where
 * the text before it is not UTF-8, and where too few bytes are left to look at. */
static inline const uint8_t *w7_find_special(const uint8_t *p, const uint8_t *end)
{
    __m128i before = _mm_setzero_si128();
    unsigned before_high = 0;
    for (; end - p >= W7_BLOCK; p += W7_BLOCK) {
        __m128i block = _mm_loadu_si128((const __m128i *)p);
        __m128i special =
            _mm_or_si128(_mm_cmpeq_epi8(block, _mm_set1_epi8('"')), _mm_cmpeq_epi8(block, _mm_set1_epi8('\\')));
        unsigned found, high = (unsigned)_mm_movemask_epi8(block), looked_at = 0xFFFF;
        special = _mm_or_si128(special, _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block));
        found = (unsigned)_mm_movemask_epi8(special);
        if (found != 0)
            looked_at = found ^ (found - 1);
        /* A sequence that was not finished shows at the character after it, which is ASCII at the latest here. */
        if (((high & looked_at) | before_high) != 0) {
            __m128i errors = _mm_cmpeq_epi8(w7_utf8_errors(block, before), _mm_setzero_si128());
            if ((~(unsigned)_mm_movemask_epi8(errors) & looked_at) != 0)
                return NULL;
        }
        if (found != 0)
            return p + __builtin_ctz(found);
        before = block;
        before_high = high;
    }
    return NULL;
}

#else

static inline const uint8_t *w7_find_special(const uint8_t *p, const uint8_t *end)
{
    const uint64_t ones = 0x0101010101010101u, high = 0x8080808080808080u;
    for (; end - p >= 8; p += 8) {
        uint64_t block, quote, backslash;
        memcpy(&block, p, 8);
        quote = block ^ (ones * '"');
        backslash = block ^ (ones * '\\');
        if ((((block - ones * 0x20) | (quote - ones) | (backslash - ones) | block) & high) != 0)
            break;
    }
    for (; p < end && *p < 0x80; p++)
        if (*p == '"' || *p == '\\' || *p < 0x20)
            return p;
    return NULL;
}

#endif

/* Whether `length` bytes at p are those of `piece`; both can be read up to the end of the block that contains the
 * last of these bytes. */
static inline int w7_same_bytes(const uint8_t *p, const uint8_t *piece, int length)
{
#ifdef W7_WITH_SSSE3
    int k = 0;
    unsigned same;
    for (; length - k > W7_BLOCK; k += W7_BLOCK) {
        __m128i block = _mm_loadu_si128((const __m128i *)(p + k));
        if (_mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_loadu_si128((const __m128i *)(piece + k)))) != 0xFFFF)
            return 0;
    }
    same = (unsigned)_mm_movemask_epi8(
        _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(p + k)), _mm_loadu_si128((const __m128i *)(piece + k))));
    return ((~same << (W7_BLOCK - (length - k))) & 0xFFFF) == 0;
#else
    return memcmp(p, piece, (size_t)length) == 0;
#endif
}

#endif
