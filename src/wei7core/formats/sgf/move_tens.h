/* Bare moves by AVX-512 (move_runs.h), once for each kind of it: W7_SGF_ISA gives a name its ending, and W7_SGF_TARGET
 * lists the instructions that the function may use. */

/* Ten moves a turn. */
static W7_SGF_TARGET const uint8_t *W7_SGF_ISA(w7_sgf_read_tens)(const w7_sgf_board *board, const uint8_t *begin,
                                                                 const uint8_t *p, const uint8_t *end, w7_steps *steps,
                                                                 int64_t room)
{
    const __m512i least = _mm512_loadu_si512(W7_SGF_TEN_LEAST);
    const __m512i white = _mm512_set1_epi8(W7_SGF_BLACK_TO_WHITE), one = _mm512_set1_epi8(1);
    W7_SGF_ISA(w7_sgf_ten_places) places[4];
    __m512i row[4], most;
    int64_t count = steps->count;
    most = _mm512_maskz_set1_epi8(W7_SGF_BIT_OF_TEN(3), (char)(board->width - 1));
    most = _mm512_mask_set1_epi8(most, W7_SGF_BIT_OF_TEN(4), (char)(board->height - 1));
    for (int part = 0; part < 4; part++) {
        places[part] = W7_SGF_ISA(w7_sgf_ten_places_of)(part);
        row[part] = _mm512_loadu_si512(W7_SGF_TEN_PLUS + 64 * part);
    }
    while (room - count >= W7_SGF_WIDE_ROWS) {
        const __mmask64 here = end - p >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (end - p)) - 1;
        const __m512i text = _mm512_sub_epi8(_mm512_maskz_loadu_epi8(here, p), least);
        const __mmask64 is_white = _mm512_mask_cmpeq_epi8_mask(W7_SGF_BIT_OF_TEN(1), text, white);
        const __m512i value = _mm512_mask_mov_epi8(text, is_white, one);
        const __m512i offset = _mm512_set1_epi64(p - begin);
        const uint64_t wrong = _mm512_cmpgt_epu8_mask(text, most) & ~is_white & ~W7_SGF_AFTER_TEN;
        /* A row is 3 words, the first of them the offset. */
        for (int part = 0; part < 4; part++) {
            const __mmask8 offsets = (__mmask8)(0x49249249u >> (8 * part));
            const __m512i bytes = W7_SGF_ISA(w7_sgf_ten_bytes)(places[part], value);
            const __m512i rows = _mm512_add_epi64(bytes, row[part]);
            _mm512_storeu_si512((char *)&steps->at[count] + 64 * part,
                                _mm512_mask_add_epi64(rows, offsets, rows, offset));
        }
        if (wrong == 0) {
            p += W7_SGF_WIDE_MOVES * W7_SGF_MOVE_BYTES;
            count += W7_SGF_WIDE_MOVES;
        } else if (wrong == UINT64_C(1) << 60 && end - p > 61 && p[60] == '\n' && p[61] == ';') {
            /* As many programs write, and quicker than below, where what follows waits for the place to be found. */
            p += W7_SGF_WIDE_MOVES * W7_SGF_MOVE_BYTES + 1;
            count += W7_SGF_WIDE_MOVES;
        } else if (!w7_sgf_pass_good(&p, end, __builtin_ctzll(wrong), &count)) {
            break;
        }
    }
    steps->count = count;
    return p;
}

#undef W7_SGF_ISA
#undef W7_SGF_TARGET
