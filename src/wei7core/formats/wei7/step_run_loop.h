/* The loop over the steps of a run (step_run.h), once for each instruction set: W7_RUN_ISA gives a name its ending, and
 * W7_RUN_TARGET lists the instructions that the function may use. */

/* Reads steps from *text on as long as they follow the run and no more than `room` of them, into rows, which are like
 * those of `colors` but for their places. Returns how many. *text is then the next step, or the end of the last one
 * where *ended is set. The next step is looked for before this one was compared: where a step ends shows in the two
 * bytes that are digits or not as the coordinates are long or short. */
W7_RUN_TARGET static inline int64_t W7_RUN_ISA(w7_run_steps)(const w7_run *run, const w7_step colors[2],
                                                             const uint8_t *begin, const uint8_t **text,
                                                             const uint8_t *end, w7_step *rows, int64_t room,
                                                             int *ended)
{
    const ptrdiff_t before = run->before.length, between = run->between.length, after = run->after.length;
    const ptrdiff_t shortest = before + between + 2, color_at = run->color;
    const int lines = (int)((shortest + after) / W7_LINE);
    const W7_RUN_ISA(w7_block) before_block = W7_RUN_ISA(w7_first_block)(&run->before);
    const W7_RUN_ISA(w7_block) between_block = W7_RUN_ISA(w7_first_block)(&run->between);
    const W7_RUN_ISA(w7_block) after_block = W7_RUN_ISA(w7_first_block)(&run->after);
    const int long_before = before > W7_RUN_ISA(W7_BLOCK), long_between = between > W7_RUN_ISA(W7_BLOCK);
    const int long_after = after > W7_RUN_ISA(W7_BLOCK);
    const uint8_t *p = *text, *const last = end - w7_run_extent(run);
    w7_step *at = rows, *const limit = rows + room;
    while (p <= last && at < limit) {
        const uint8_t *rest = p + shortest + w7_is_digit(p[shortest]) + w7_is_digit(p[shortest + 1]);
        const uint8_t *next = rest + after;
        const w7_coordinate one = w7_coordinate_at(p + before);
        const uint8_t *middle = p + before + 1 + one.longer;
        const w7_coordinate two = w7_coordinate_at(middle + between);
        const unsigned color = (unsigned)p[color_at] - '1';
        W7_RUN_ISA(w7_difference) differ;
        int k;
        W7_KEEP_APART(next);
        for (k = 1; k <= lines; k++)
            w7_prefetch(p, (uintptr_t)(W7_PREFETCH_DISTANCE + k * W7_LINE));
        differ = W7_RUN_ISA(w7_differs)(p, before_block) | W7_RUN_ISA(w7_differs)(middle, between_block);
        if (long_before)
            differ |= W7_RUN_ISA(w7_rest_differs)(p, &run->before);
        if (long_between)
            differ |= W7_RUN_ISA(w7_rest_differs)(middle, &run->between);
        if (differ | one.wrong | two.wrong | (color & ~1u))
            break;
        differ = W7_RUN_ISA(w7_differs)(rest, after_block);
        if (long_after)
            differ |= W7_RUN_ISA(w7_rest_differs)(rest, &run->after);
        at->offset = (int64_t)(p - begin);
        at->x = one.value;
        at->y = two.value;
        memcpy((uint8_t *)at + W7_STEP_REST, (const uint8_t *)&colors[color] + W7_STEP_REST, sizeof *at - W7_STEP_REST);
        if (differ != 0 || middle + between + 1 + two.longer != rest) {
            rest = middle + between + 1 + two.longer;
            if (memcmp(rest, run->after.text, (size_t)run->closing) != 0)
                break;
            at++;
            p = rest + run->closing;
            *ended = 1;
            break;
        }
        at++;
        p = next;
    }
    *text = p;
    return at - rows;
}

#undef W7_RUN_ISA
#undef W7_RUN_TARGET
