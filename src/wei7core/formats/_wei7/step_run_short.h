/* The loop over the steps of a run (step_run.h) whose tails are short (step_tail.h): it knows only what most records hold,
 * so that all it needs stays in registers. */
#ifndef W7_STEP_RUN_SHORT_H
#define W7_STEP_RUN_SHORT_H

#ifdef W7_WITH_WIDE_FORMS

/* How many of two neighbouring bytes are digits, times eight, for each of the first three pairs of the four bytes at p,
 * in the bytes of the answer. A pair that is chosen by so many bits to the right costs the next choice two cycles. */
static inline uint32_t w7_digits_of_pairs(const uint8_t *p)
{
    uint32_t bytes, digits;
    memcpy(&bytes, p, sizeof bytes); /* of a processor that has the lowest byte first */
    bytes ^= 0x30303030;
    digits = ~(((bytes & 0x7F7F7F7F) + 0x76767676) | bytes) & 0x80808080;
    return (digits >> 4) + (digits >> 12);
}

/* As w7_run_steps_avx512, for a run that has tails; it leaves the last step of a list, and any other that is not quite
 * like those before, where it stands. */
W7_TARGET_AVX512 static inline int64_t w7_run_short_avx512(const w7_run *run, const w7_step colors[2],
                                                           const uint8_t *begin, const uint8_t **text,
                                                           const uint8_t *end, w7_step *rows, int64_t room)
{
    const __mmask64 color_byte = (__mmask64)1 << run->color, bytes = run->before.bytes[0] | color_byte;
    const __m512i least = _mm512_mask_set1_epi8(_mm512_loadu_si512(run->before.text), color_byte, '1');
    const __m512i most = _mm512_maskz_set1_epi8(color_byte, 1);
    const __m256i values = _mm256_set1_epi16(1 << 8 | 10);
    const ptrdiff_t before = run->before.length, color_at = run->color;
    const ptrdiff_t shortest = before + run->between.length + 2, whole = shortest + run->behind.length;
    const uint8_t *p = *text, *const last = end - w7_run_extent(run) - whole - 4;
    uint32_t pairs = p <= last ? w7_digits_of_pairs(p + shortest) : 0;
    unsigned longer = pairs & 24; /* digits over two of this step, times eight */
    w7_step *at = rows, *const limit = rows + room;
    uint64_t like[2][4] = {{0}, {0}}; /* by the last bit of the colour */
    memcpy((uint8_t *)like[0] + W7_STEP_REST, (const uint8_t *)&colors[1] + W7_STEP_REST, sizeof *at - W7_STEP_REST);
    memcpy((uint8_t *)like[1] + W7_STEP_REST, (const uint8_t *)&colors[0] + W7_STEP_REST, sizeof *at - W7_STEP_REST);
    while (p <= last && at < limit) {
        const uint8_t *next = p + whole + (longer >> 3);
        const unsigned first_longer = w7_is_digit(p[before + 1]);
        const w7_tail *tail;
        __m512i head;
        __m256i row, offset;
        __mmask64 wrong;
        pairs = w7_digits_of_pairs(p + whole + shortest);
        tail = &run->tails[(longer >> 2) + first_longer];
        w7_prefetch(p, (uintptr_t)(W7_AHEAD + W7_LINE));
        head = _mm512_sub_epi8(_mm512_loadu_si512(p), least);
        wrong = _mm512_mask_cmpgt_epu8_mask(bytes, head, most);
        row = _mm256_permutexvar_epi8(_mm256_loadu_si256((const __m256i *)tail->from),
                                      _mm256_loadu_si256((const __m256i *)(p + before)));
        row = _mm256_sub_epi8(row, _mm256_loadu_si256((const __m256i *)tail->least));
        wrong |= _mm256_cmpgt_epu8_mask(row, _mm256_loadu_si256((const __m256i *)tail->most));
        if (wrong != 0)
            break;
        offset = _mm256_zextsi128_si256(_mm_cvtsi64_si128((int64_t)(p - begin)));
        row = _mm256_add_epi32(_mm256_maddubs_epi16(row, values), _mm256_loadu_si256((const __m256i *)tail->more));
        row = _mm256_or_si256(_mm256_or_si256(row, offset),
                              _mm256_loadu_si256((const __m256i *)like[p[color_at] & 1]));
        _mm256_mask_storeu_epi64(at, 7, row);
        at++;
        longer = pairs >> longer & 24;
        p = next;
    }
    *text = p;
    return at - rows;
}

#endif

#endif
