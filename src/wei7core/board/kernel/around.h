/* The stones around a move that may have no liberty after it: those of both colours are looked for at once. */
#ifndef W7_BOARD_KERNEL_AROUND_H
#define W7_BOARD_KERNEL_AROUND_H

#include "board/kernel/grid.h"

#if defined(__SSE4_1__) && defined(__x86_64__) && !defined(__OPTIMIZE_SIZE__)
#define W7_WITH_SSE41 1
#include <smmintrin.h>
#endif

typedef struct {
    uint64_t own; /* stones, the new one included */
    uint64_t opponent;
    uint64_t liberties;    /* points next to an empty one */
    uint64_t own_suspects; /* the new stone and those next to it, unless they are seen to have a liberty */
    uint64_t suspects;
} w7_around;

/* Stones with a liberty and the stones adjacent to them are no suspects: one step decides nine moves of ten, and more
 * steps cost every move more than they save for the rest. */
#ifdef W7_WITH_SSE41

typedef __m128i w7_windows;

/* Stones and wall of the colour in the low half, of the other one in the high half. */
static W7_ALWAYS_INLINE __m128i w7_windows_of(const w7_grid *grid, int color, int32_t x, int32_t y)
{
    static const uint8_t orders[2][16] = {{0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15},
                                          {1, 3, 5, 7, 9, 11, 13, 15, 0, 2, 4, 6, 8, 10, 12, 14}};
    const int32_t chunk = w7_grid_chunk(grid, x);
    const uint64_t *rows = grid->cells + w7_grid_cell(grid, chunk, y) - W7_ROWS_ABOVE;
    const __m128i shift = _mm_cvtsi32_si128(w7_grid_bit(chunk, x) - W7_OVERLAP), columns = _mm_set1_epi32(0x7F);
    __m128i pairs[4];
    for (int k = 0; k < 4; k++, rows += 2) {
        /* Cell by cell: a load of two would wait until what the move before has stored is in the cache. */
        const __m128i low = _mm_loadl_epi64((const __m128i *)rows), high = _mm_loadl_epi64((const __m128i *)(rows + 1));
        pairs[k] = _mm_and_si128(_mm_srl_epi64(_mm_unpacklo_epi64(low, high), shift), columns);
    }
    return _mm_shuffle_epi8(_mm_packus_epi16(_mm_packs_epi32(pairs[0], pairs[1]), _mm_packs_epi32(pairs[2], pairs[3])),
                            _mm_loadu_si128((const __m128i *)orders[color - W7_BLACK]));
}

static W7_ALWAYS_INLINE int w7_windows_are_occupied(__m128i windows)
{
    return !_mm_testz_si128(windows, _mm_set1_epi64x((int64_t)W7_CENTER));
}

static W7_ALWAYS_INLINE __m128i w7_windows_neighbours(__m128i points)
{
    return _mm_or_si128(_mm_or_si128(_mm_add_epi64(points, points), _mm_srli_epi64(points, 1)),
                        _mm_or_si128(_mm_slli_epi64(points, 8), _mm_srli_epi64(points, 8)));
}

/* Places the stone; `windows` are those before. Fills in *around and returns 1 if there are suspects. */
static W7_ALWAYS_INLINE int w7_around_suspect(w7_around *around, __m128i windows)
{
    const __m128i others = _mm_shuffle_epi32(windows, 0x4E);
    const __m128i stones = _mm_or_si128(_mm_andnot_si128(others, windows), _mm_set_epi64x(0, (int64_t)W7_CENTER));
    const __m128i liberties = w7_windows_neighbours(
        _mm_andnot_si128(_mm_or_si128(windows, others), _mm_set1_epi64x((int64_t)(W7_WINDOW_POINTS & ~W7_CENTER))));
    const __m128i places = _mm_set_epi64x((int64_t)w7_window_neighbours(W7_CENTER), (int64_t)W7_CENTER);
    const __m128i alive = _mm_and_si128(stones, liberties);
    const __m128i suspects =
        _mm_andnot_si128(_mm_or_si128(alive, w7_windows_neighbours(alive)), _mm_and_si128(stones, places));
    if (_mm_testz_si128(suspects, suspects))
        return 0;
    around->own = (uint64_t)_mm_cvtsi128_si64(stones);
    around->opponent = (uint64_t)_mm_extract_epi64(stones, 1);
    around->liberties = (uint64_t)_mm_cvtsi128_si64(liberties);
    around->own_suspects = (uint64_t)_mm_cvtsi128_si64(suspects);
    around->suspects = (uint64_t)_mm_extract_epi64(suspects, 1);
    return 1;
}

#else

typedef struct {
    uint64_t own;
    uint64_t opponent;
} w7_windows;

static W7_ALWAYS_INLINE w7_windows w7_windows_of(const w7_grid *grid, int color, int32_t x, int32_t y)
{
    const w7_window window = w7_grid_window(grid, x, y);
    const w7_windows windows = {color == W7_BLACK ? window.black : window.white,
                                color == W7_BLACK ? window.white : window.black};
    return windows;
}

static W7_ALWAYS_INLINE int w7_windows_are_occupied(w7_windows windows)
{
    return ((windows.own | windows.opponent) & W7_CENTER) != 0;
}

static W7_ALWAYS_INLINE int w7_around_suspect(w7_around *around, w7_windows windows)
{
    const uint64_t own = (windows.own & ~windows.opponent) | W7_CENTER, opponent = windows.opponent & ~windows.own;
    const uint64_t liberties = w7_window_neighbours(~(windows.own | windows.opponent) & W7_WINDOW_POINTS & ~W7_CENTER);
    around->own = own;
    around->opponent = opponent;
    around->liberties = liberties;
    around->own_suspects = W7_CENTER & ~w7_window_spread(own & liberties, own);
    around->suspects = w7_window_neighbours(W7_CENTER) & opponent & ~w7_window_spread(opponent & liberties, opponent);
    return (around->own_suspects | around->suspects) != 0;
}

#endif

#endif
