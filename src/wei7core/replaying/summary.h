/* Summary of the current position of a walk: counts of the moves in force, and the stones as letters. */
#ifndef W7_REPLAYING_SUMMARY_H
#define W7_REPLAYING_SUMMARY_H

#include "board/kernel/board.h"
#include "board/kernel/ko_recapture.h"
#include "_util/cpu.h"

#ifdef W7_WITH_X86_ISAS
#include <immintrin.h>
#endif

/* Counts of the moves in force. */
typedef struct {
    int64_t moves;
    int64_t passes;
    int64_t suicides;
    int64_t ko_recaptures;
} w7_figures;

/* Adds the counts of the moves from number `first` on. */
static inline void w7_figures_add(w7_figures *figures, const w7_board *board, int64_t first)
{
    for (int64_t i = first; i < figures->moves; i++) {
        const w7_move *move = w7_board_move(board, i);
        figures->passes += move->x < 0;
        if ((move->removed_opponent | move->removed_own) == 0)
            continue;
        figures->suicides += move->removed_own > 0;
        figures->ko_recaptures += w7_board_is_ko_recapture(board, i) != 0;
    }
}

#ifdef W7_WITH_X86_ISAS

_Static_assert(sizeof(w7_move) == 32 && offsetof(w7_move, x) == 8 && offsetof(w7_move, removed_opponent) == 16 &&
                   offsetof(w7_move, removed_own) == 20,
               "moves are read as words of 32 bits below");

/* Transposes x, removed_opponent and removed_own of four moves. */
static W7_TARGET_AVX512BW inline __m512i w7_figures_of_four(const w7_move *moves)
{
    const __m512i words = _mm512_setr_epi32(2, 10, 18, 26, 4, 12, 20, 28, 5, 13, 21, 29, 0, 0, 0, 0);
    return _mm512_maskz_permutex2var_epi32(0x0FFF, _mm512_loadu_si512(moves), words, _mm512_loadu_si512(moves + 2));
}

/* Adds the counts of the first moves, 16 at a time. Returns their number; 0 if one is a suicide, which is rare. */
static W7_TARGET_AVX512BW int64_t w7_figures_add_avx512(w7_figures *figures, const w7_board *board)
{
    const w7_move *moves = board->moves;
    const __m512i one = _mm512_set1_epi32(1);
    __m512i passes = _mm512_setzero_si512(), all = passes;
    int64_t first, ko_recaptures = 0;
    uint32_t before = 0;
    for (first = 0; figures->moves - first >= 16; first += 16) {
        uint32_t single = 0, pairs;
        for (int k = 0; k < 16; k += 4) {
            const __m512i four = w7_figures_of_four(moves + first + k);
            passes = _mm512_add_epi32(passes, _mm512_srli_epi32(four, 31));
            all = _mm512_or_si512(all, four);
            single |= (uint32_t)_mm512_mask_cmpeq_epi32_mask(0x00F0, four, one) >> 4 << k;
        }
        for (pairs = single & (single << 1 | before); pairs != 0; pairs &= pairs - 1)
            ko_recaptures += w7_board_is_ko_recapture(board, first + w7_lowest_bit(pairs)) != 0;
        before = single >> 15;
    }
    if (_mm512_mask_test_epi32_mask(0x0F00, all, all) != 0)
        return 0;
    figures->passes += _mm512_mask_reduce_add_epi32(0x000F, passes);
    figures->ko_recaptures += ko_recaptures;
    return first;
}

#endif

static inline w7_figures w7_board_figures(const w7_board *board, int isa)
{
    w7_figures figures = {w7_board_move_count(board), 0, 0, 0};
    int64_t first = 0;
#ifdef W7_WITH_X86_ISAS
    if (isa >= W7_ISA_AVX512BW)
        first = w7_figures_add_avx512(&figures, board);
#endif
    (void)isa;
    w7_figures_add(&figures, board, first);
    return figures;
}

/* Writes a letter for each of `count` points of a row, two at a time. */
static inline void w7_row_letters(uint32_t black, uint32_t white, int32_t count, char *letters)
{
    static const char PAIRS[] = "..X..XXX"
                                "O.  OX  "
                                ".OXO    "
                                "OO      "; /* no point is both */
    for (; count > 1; count -= 2, black >>= 2, white >>= 2, letters += 2)
        memcpy(letters, PAIRS + 2 * ((black & 3) | (white & 3) << 2), 2);
    if (count > 0)
        *letters = PAIRS[2 * ((black & 1) | (white & 1) << 2)];
}

#ifdef W7_WITH_X86_ISAS

static W7_TARGET_AVX512BW void w7_row_letters_avx512(uint32_t black, uint32_t white, int32_t count, char *letters)
{
    const __m256i stones = _mm256_mask_mov_epi8(_mm256_set1_epi8('.'), black, _mm256_set1_epi8('X'));
    _mm256_mask_storeu_epi8(letters, ((uint32_t)1 << count) - 1,
                            _mm256_mask_mov_epi8(stones, white, _mm256_set1_epi8('O')));
}

#endif

/* Writes width * height characters, row by row from the top left. */
#define W7_GRID_LETTERS(grid, write_row, letters)                                                                      \
    do {                                                                                                               \
        for (int32_t y = 0; y < (grid)->height; y++) {                                                                 \
            for (int32_t x = 0; x < (grid)->width; x += W7_CHUNK_COLUMNS) {                                            \
                int32_t left = (grid)->width - x, count = left < W7_CHUNK_COLUMNS ? left : W7_CHUNK_COLUMNS;           \
                const size_t at = w7_grid_cell((grid), w7_grid_chunk((grid), x), y);                                   \
                const uint64_t cell = (grid)->cells[at] >> W7_OVERLAP;                                                 \
                write_row((uint32_t)cell, (uint32_t)(cell >> 32), count, (letters));                                   \
                (letters) += count;                                                                                    \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

#ifdef W7_WITH_X86_ISAS
static W7_TARGET_AVX512BW void w7_grid_letters_avx512(const w7_grid *grid, char *letters)
{
    W7_GRID_LETTERS(grid, w7_row_letters_avx512, letters);
}
#endif

static inline void w7_board_letters(const w7_board *board, int isa, char *letters)
{
    const w7_grid *grid = &board->grid;
#ifdef W7_WITH_X86_ISAS
    if (isa >= W7_ISA_AVX512BW) {
        w7_grid_letters_avx512(grid, letters);
        return;
    }
#endif
    (void)isa;
    W7_GRID_LETTERS(grid, w7_row_letters, letters);
}

#endif
