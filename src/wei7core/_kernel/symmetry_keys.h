/* The hashes under the symmetries for many positions of one size: the keys of a stone's images are remembered.
 *
 * They are kept for the points of one quadrant only, few enough for the fastest cache: the images of the four points
 * that the two reflections make one another are the same, in another order. So the keys of the stones of each
 * quadrant are summed up first, and put in order once. */
#ifndef W7_SYMMETRY_KEYS_H
#define W7_SYMMETRY_KEYS_H

#include "../_processor/forms.h"
#include "symmetry.h"

#ifdef W7_WITH_WIDE_FORMS
#include <immintrin.h>
#endif

enum {
    W7_QUADRANT_POINTS = 127, /* of the largest boards with keys: 22 x 22 and the like */
    W7_QUADRANT_WORDS = 3,    /* that hold so many points, none of them with a part of a row */
    W7_QUADRANT_IMAGES = 256  /* twice the points; the last ones are all zeros */
};

/* The keys of one stone under all symmetries that keep the size; the others, if any, stay 0. */
typedef struct {
    uint64_t key[8];
} w7_images;

typedef struct {
    void *memory;
    w7_images *images; /* black and white for each point of the first quadrant, on a border of 64 bytes; or NULL */
    int32_t width;
    int32_t height;
    uint8_t places[2][64 * W7_QUADRANT_WORDS]; /* the black image of each bit of a left and a right quadrant */
} w7_symmetry_keys;

/* The stones of the quadrants, upper left, upper right, lower left, lower right: as many rows as fit in a word, the outer
 * ones first, the columns of each from left to right. */
typedef struct {
    uint64_t stones[4][W7_QUADRANT_WORDS];
    uint64_t white[4][W7_QUADRANT_WORDS];
} w7_quadrants;

static inline void w7_symmetry_keys_free(w7_symmetry_keys *keys)
{
    free(keys->memory);
    memset(keys, 0, sizeof *keys);
}

/* Notes the keys of a point of the first quadrant, and the bits that stand for it and its mirror image. */
static inline void w7_symmetry_keys_fill(w7_symmetry_keys *keys, int32_t x, int32_t y)
{
    const int32_t width = keys->width, height = keys->height, half = (width + 1) / 2, rows = 64 / half;
    const int32_t place = 2 * (y * half + x), bit = y / rows * 64 + y % rows * half;
    for (int symmetry = 0; symmetry < (width == height ? 8 : 4); symmetry++) {
        w7_point point = w7_symmetry_point(symmetry, width, height, x, y);
        keys->images[place].key[symmetry] = w7_zobrist_stone(W7_BLACK, point.x, point.y);
        keys->images[place + 1].key[symmetry] = w7_zobrist_stone(W7_WHITE, point.x, point.y);
    }
    keys->places[0][bit + x] = (uint8_t)place;
    if (width - 1 - x >= half)
        keys->places[1][bit + width - 1 - x - half] = (uint8_t)place;
}

/* Begins with boards of another size. That there is no memory for their keys is no failure: it goes without. */
static W7_COLD void w7_symmetry_keys_renew(w7_symmetry_keys *keys, int32_t width, int32_t height)
{
    const int32_t half = (width + 1) / 2, half_height = (height + 1) / 2;
    void *memory = keys->memory;
    keys->images = NULL;
    keys->width = width;
    keys->height = height;
    if (width > W7_CHUNK_COLUMNS || (int64_t)half * half_height > W7_QUADRANT_POINTS)
        return;
    if (memory == NULL)
        memory = malloc((W7_QUADRANT_IMAGES + 1) * sizeof *keys->images);
    keys->memory = memory;
    if (memory == NULL)
        return;
    keys->images = (w7_images *)(((uintptr_t)memory + 63) / 64 * 64);
    memset(keys->images, 0, W7_QUADRANT_IMAGES * sizeof *keys->images);
    for (int32_t y = 0; y < half_height; y++)
        for (int32_t x = 0; x < half; x++)
            w7_symmetry_keys_fill(keys, x, y);
}

static inline void w7_quadrants_of(const w7_grid *grid, w7_quadrants *quadrants)
{
    const int32_t half = (grid->width + 1) / 2, half_height = (grid->height + 1) / 2;
    const uint32_t left = ((uint32_t)1 << half) - 1;
    const uint64_t *row = grid->cells + W7_ROWS_ABOVE;
    memset(quadrants, 0, sizeof *quadrants);
    for (int lower = 0; lower < 4; lower += 2) {
        /* From the edge to the middle. */
        const int32_t count = lower ? grid->height - half_height : half_height;
        int32_t y = lower ? grid->height - 1 : 0;
        uint64_t stones_left = 0, stones_right = 0, white_left = 0, white_right = 0;
        int shift = 0, word = 0;
        for (int32_t k = 0; k < count; k++, y += lower ? -1 : 1) {
            const uint32_t white = (uint32_t)(row[y] >> 32) >> W7_OVERLAP;
            const uint32_t stones = (uint32_t)row[y] >> W7_OVERLAP ^ white; /* walls have both bits */
            stones_left |= (uint64_t)(stones & left) << shift;
            stones_right |= (uint64_t)(stones >> half) << shift;
            white_left |= (uint64_t)(white & left) << shift;
            white_right |= (uint64_t)((white & stones) >> half) << shift;
            shift += half;
            if (shift + half > 64 || k + 1 == count) {
                quadrants->stones[lower][word] = stones_left;
                quadrants->stones[lower + 1][word] = stones_right;
                quadrants->white[lower][word] = white_left;
                quadrants->white[lower + 1][word] = white_right;
                stones_left = stones_right = white_left = white_right = 0;
                shift = 0;
                word++;
            }
        }
    }
}

/* Which symmetry of a quadrant's point is symmetry s of the point of the first quadrant: reflections as bits. */
static inline int w7_quadrant_symmetry(int quadrant, int symmetry)
{
    return symmetry < 4 ? symmetry ^ quadrant : symmetry ^ (quadrant >> 1 | (quadrant & 1) << 1);
}

/* Adds the keys of a quadrant's stones, by the symmetries of the first one. */
static inline void w7_quadrant_sum(const w7_symmetry_keys *keys, const w7_quadrants *quadrants, int quadrant,
                                   uint64_t sum[8])
{
    const uint8_t *places = keys->places[quadrant & 1];
    for (int word = 0; word < W7_QUADRANT_WORDS; word++, places += 64) {
        const uint64_t white = quadrants->white[quadrant][word];
        for (uint64_t left = quadrants->stones[quadrant][word]; left != 0; left &= left - 1) {
            const int bit = w7_lowest_bit(left);
            const uint64_t *key = keys->images[places[bit] + (white >> bit & 1)].key;
            for (int symmetry = 0; symmetry < 8; symmetry++)
                sum[symmetry] ^= key[symmetry];
        }
    }
}

static inline void w7_quadrants_hashes(const w7_symmetry_keys *keys, const w7_quadrants *quadrants, uint64_t hashes[8])
{
    for (int quadrant = 0; quadrant < 4; quadrant++) {
        uint64_t sum[8] = {0};
        w7_quadrant_sum(keys, quadrants, quadrant, sum);
        for (int symmetry = 0; symmetry < 8; symmetry++)
            hashes[symmetry] ^= sum[w7_quadrant_symmetry(quadrant, symmetry)];
    }
}

#ifdef W7_WITH_WIDE_FORMS

/* The same with a list of the images of a quadrant, so that there is one loop of unknown length for many stones. */
static W7_TARGET_AVX512 void w7_quadrants_hashes_avx512(const w7_symmetry_keys *keys, const w7_quadrants *quadrants,
                                                        uint64_t hashes[8])
{
    const __m512i symmetries = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    __m512i all = _mm512_loadu_si512(hashes);
    uint8_t list[64 * W7_QUADRANT_WORDS + 64];
    for (int quadrant = 0; quadrant < 4; quadrant++) {
        const int swapped = quadrant >> 1 | (quadrant & 1) << 1;
        const __m512i order = _mm512_xor_si512(symmetries, _mm512_setr_epi64(quadrant, quadrant, quadrant, quadrant,
                                                                             swapped, swapped, swapped, swapped));
        __m512i sum = _mm512_setzero_si512(), other = sum;
        int count = 0;
        for (int word = 0; word < W7_QUADRANT_WORDS; word++) {
            const uint64_t stones = quadrants->stones[quadrant][word];
            __m512i places = _mm512_loadu_si512(keys->places[quadrant & 1] + 64 * word);
            places = _mm512_mask_add_epi8(places, quadrants->white[quadrant][word], places, _mm512_set1_epi8(1));
            _mm512_storeu_si512(list + count, _mm512_maskz_compress_epi8(stones, places));
            count += __builtin_popcountll(stones);
        }
        memset(list + count, W7_QUADRANT_IMAGES - 1, 4);
        for (int k = 0; k < count; k += 4) {
            sum = _mm512_ternarylogic_epi64(sum, _mm512_load_si512(&keys->images[list[k]]),
                                            _mm512_load_si512(&keys->images[list[k + 1]]), 0x96);
            other = _mm512_ternarylogic_epi64(other, _mm512_load_si512(&keys->images[list[k + 2]]),
                                              _mm512_load_si512(&keys->images[list[k + 3]]), 0x96);
        }
        all = _mm512_xor_si512(all, _mm512_permutexvar_epi64(order, _mm512_xor_si512(sum, other)));
    }
    _mm512_storeu_si512(hashes, all);
}

#endif

/* w7_grid_hashes, quick where many boards of one size follow each other. `keys` are all zeros first. */
static inline void w7_symmetry_keys_hashes(w7_symmetry_keys *keys, int form, const w7_grid *grid, uint64_t hashes[8])
{
    w7_quadrants quadrants;
    if (W7_UNLIKELY(keys->width != grid->width || keys->height != grid->height))
        w7_symmetry_keys_renew(keys, grid->width, grid->height);
    if (keys->images == NULL) {
        w7_grid_hashes(grid, hashes);
        return;
    }
    w7_quadrants_of(grid, &quadrants);
    for (int symmetry = 0; symmetry < 8; symmetry++)
        hashes[symmetry] = w7_zobrist_empty(grid->width, grid->height);
#ifdef W7_WITH_WIDE_FORMS
    if (form == W7_FORM_AVX512)
        w7_quadrants_hashes_avx512(keys, &quadrants, hashes);
    else
#endif
        w7_quadrants_hashes(keys, &quadrants, hashes);
    (void)form;
}

#endif
