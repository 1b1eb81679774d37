/* The loop over the steps of a run (step_run.h) whose tails are short (step_tail.h): it knows only what most records
 * hold, so that all it needs stays in registers. Included once for AVX2 and each kind of AVX-512: W7_RUN_ISA gives a name
 * its ending, W7_RUN_FAMILY one that both kinds share, and W7_RUN_TARGET lists the instructions it may use. */

/* As w7_run_steps, for a run that has tails; it leaves the last steps of a list, and any other that is not quite
 * like those before, in its place.
 *
 * Where a step begins is known from the lengths of those before it. The digits are looked for in the text three steps
 * ahead, at the place where the shortest steps would have it, before these lengths are known: they only decide how
 * many places further it is. */
W7_RUN_TARGET static inline int64_t W7_RUN_ISA(w7_run_short)(const w7_run *run, const w7_step colors[2],
                                                             const uint8_t *begin, const uint8_t **text,
                                                             const uint8_t *end, w7_step *rows, int64_t room)
{
    const W7_RUN_FAMILY(w7_head) head = W7_RUN_FAMILY(w7_head_of)(&run->before);
    const __m128i values = _mm_set1_epi16(1 << 8 | 10);
    const int between = run->between.length;
    const ptrdiff_t before = run->before.length;
    const ptrdiff_t whole = before + between + 2 + run->after.length;
    /* The places of the colour of a step, its first coordinate and that of the third next step, less its offset. */
    const uint8_t *const colors_at = begin + run->color, *const firsts = begin + before;
    const uint8_t *const firsts_third = firsts + 3 * whole;
    const int64_t last = end - begin - w7_run_extent(run) - 3 * (whole + 2);
    int64_t offset = *text - begin;
    w7_step *at = rows, *const limit = rows + room;
    uint64_t rest[2];                                  /* of the rows, by colour */
    uint32_t number = 0, digits = 0, digits_after = 0; /* of the tail of this step; of the next two steps */
    if (offset <= last) {
        number = W7_RUN_FAMILY(w7_tail_number)(W7_RUN_FAMILY(w7_digits_at)(firsts + offset), between);
        digits = W7_RUN_FAMILY(w7_digits_at)(firsts + offset + whole);
        digits_after = W7_RUN_FAMILY(w7_digits_at)(firsts + offset + 2 * whole);
    }
    memcpy(&rest[0], (const uint8_t *)&colors[0] + W7_STEP_REST, sizeof rest[0]);
    memcpy(&rest[1], (const uint8_t *)&colors[1] + W7_STEP_REST, sizeof rest[1]);
    while (offset <= last && at < limit) {
        const w7_tail *tail = &run->tails[number];
        const unsigned longer = run->longer[number], color = (unsigned)colors_at[offset] - '1';
        const uint32_t third = W7_RUN_FAMILY(w7_digits_at)(firsts_third + offset);
        __m256i row, most;
        __m128i point;
        number = W7_RUN_FAMILY(w7_tail_number)(digits >> longer, between);
        digits = digits_after >> longer;
        digits_after = third >> longer;
        w7_prefetch(begin + offset, (uintptr_t)(W7_PREFETCH_DISTANCE + W7_LINE));
        row = W7_RUN_ISA(w7_tail_bytes)(firsts + offset, _mm256_loadu_si256((const __m256i *)tail->from));
        row = _mm256_sub_epi8(row, _mm256_loadu_si256((const __m256i *)tail->least));
        most = _mm256_loadu_si256((const __m256i *)tail->most);
        if (W7_RUN_FAMILY(w7_head_differs)(begin + offset, head, row, most) || color > 1)
            break;
        point = _mm_maddubs_epi16(_mm256_castsi256_si128(row), values);
        point = _mm_add_epi32(point, _mm_loadu_si128((const __m128i *)tail->more));
        at->offset = offset;
        _mm_storel_epi64((__m128i *)&at->x, point);
        memcpy((uint8_t *)at + W7_STEP_REST, &rest[color], sizeof rest[color]);
        at++;
        offset += whole + longer;
    }
    *text = begin + offset;
    return at - rows;
}

/* As w7_run_steps, which is for what this one leaves. */
W7_RUN_TARGET static inline int64_t W7_RUN_ISA(w7_run_any)(const w7_run *run, const w7_step colors[2],
                                                           const uint8_t *begin, const uint8_t **text,
                                                           const uint8_t *end, w7_step *rows, int64_t room, int *ended)
{
    int64_t count = 0;
    if (run->has_tails)
        count = W7_RUN_ISA(w7_run_short)(run, colors, begin, text, end, rows, room);
    return count + W7_RUN_FAMILY(w7_run_steps)(run, colors, begin, text, end, rows + count, room - count, ended);
}

#undef W7_RUN_ISA
#undef W7_RUN_FAMILY
#undef W7_RUN_TARGET
