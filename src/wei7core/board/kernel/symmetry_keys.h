/* The hashes under the symmetries for many positions of one size: the keys of a stone's images are cached.
 *
 * The cache has the points of one quadrant only, few enough for the L1 cache: the four points that the two reflections
 * map to each other have the same images in another order. So the keys of the stones of each quadrant are summed first
 * and permuted once. */
#ifndef W7_BOARD_KERNEL_SYMMETRY_KEYS_H
#define W7_BOARD_KERNEL_SYMMETRY_KEYS_H

#include "_util/cpu.h"
#include "board/kernel/planes.h"
#include "board/kernel/symmetry.h"

#ifdef W7_WITH_X86_ISAS
#include <immintrin.h>
#endif

enum {
    W7_QUADRANT_POINTS = 127, /* of the largest boards with keys: 22 x 22 and the like */
    W7_QUADRANT_IMAGES = 256  /* twice the points; the last ones are all zeros */
};

/* The keys of one stone under all symmetries that keep the size; the others, if any, stay 0. */
typedef struct {
    uint64_t key[8];
} w7_images;

/* The points of the upper left, upper right, lower left or lower right, in the words [begin, end) of a plane. */
typedef struct {
    uint64_t points[W7_PLANE_WORDS];
    int begin;
    int end;
} w7_quadrant;

typedef struct {
    void *memory;
    w7_images *images; /* black and white for each point of the first quadrant, on a border of 64 bytes; or NULL */
    int32_t width;
    int32_t height;
    w7_quadrant quadrants[4];
    uint8_t places[W7_PLANE_BITS]; /* the black image of each place */
} w7_symmetry_keys;

static inline void w7_symmetry_keys_free(w7_symmetry_keys *keys)
{
    free(keys->memory);
    memset(keys, 0, sizeof *keys);
}

/* Notes the keys of a point of the first quadrant. */
static inline void w7_symmetry_keys_fill(w7_symmetry_keys *keys, int32_t x, int32_t y)
{
    const int32_t width = keys->width, height = keys->height;
    const int32_t image = 2 * (y * ((width + 1) / 2) + x);
    for (int symmetry = 0; symmetry < (width == height ? 8 : 4); symmetry++) {
        w7_point point = w7_symmetry_point(symmetry, width, height, x, y);
        keys->images[image].key[symmetry] = w7_zobrist_stone(W7_BLACK, point.x, point.y);
        keys->images[image + 1].key[symmetry] = w7_zobrist_stone(W7_WHITE, point.x, point.y);
    }
}

/* Notes the place of a point. */
static inline void w7_symmetry_keys_place(w7_symmetry_keys *keys, int32_t x, int32_t y)
{
    const int32_t half = (keys->width + 1) / 2, half_height = (keys->height + 1) / 2;
    const int32_t place = y * (keys->width + 1) + x, word = place / 64;
    const int right = x >= half, lower = y >= half_height;
    w7_quadrant *quadrant = &keys->quadrants[right + 2 * lower];
    keys->places[place] =
        (uint8_t)(2 * ((lower ? keys->height - 1 - y : y) * half + (right ? keys->width - 1 - x : x)));
    if (quadrant->end == 0)
        quadrant->begin = word; /* points come in their order */
    quadrant->end = word + 1;
    quadrant->points[word] |= (uint64_t)1 << place % 64;
}

/* Switches to boards of another size. If memory for their keys is short, none are cached. */
static W7_COLD void w7_symmetry_keys_renew(w7_symmetry_keys *keys, const w7_grid *grid)
{
    const int32_t width = grid->width, height = grid->height;
    const int32_t half = (width + 1) / 2, half_height = (height + 1) / 2;
    void *memory = keys->memory;
    keys->images = NULL;
    keys->width = width;
    keys->height = height;
    if (!grid->has_planes || (int64_t)half * half_height > W7_QUADRANT_POINTS)
        return;
    if (memory == NULL)
        memory = malloc((W7_QUADRANT_IMAGES + 1) * sizeof *keys->images);
    keys->memory = memory;
    if (memory == NULL)
        return;
    keys->images = (w7_images *)(((uintptr_t)memory + 63) / 64 * 64);
    memset(keys->images, 0, W7_QUADRANT_IMAGES * sizeof *keys->images);
    memset(keys->quadrants, 0, sizeof keys->quadrants);
    memset(keys->places, 0, sizeof keys->places);
    for (int32_t y = 0; y < half_height; y++)
        for (int32_t x = 0; x < half; x++)
            w7_symmetry_keys_fill(keys, x, y);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++)
            w7_symmetry_keys_place(keys, x, y);
}

/* Whether there are keys for boards of that size; `keys` are all zeros at first. */
static inline int w7_symmetry_keys_serve(w7_symmetry_keys *keys, const w7_grid *grid)
{
    if (W7_UNLIKELY(keys->width != grid->width || keys->height != grid->height))
        w7_symmetry_keys_renew(keys, grid);
    return keys->images != NULL;
}

/* Which symmetry of a quadrant's point is symmetry s of the point of the first quadrant: reflections as bits. */
static inline int w7_quadrant_symmetry(int quadrant, int symmetry)
{
    return symmetry < 4 ? symmetry ^ quadrant : symmetry ^ (quadrant >> 1 | (quadrant & 1) << 1);
}

/* Adds the keys of a quadrant's stones, by the symmetries of the first one. */
static inline void w7_quadrant_sum(const w7_symmetry_keys *keys, const w7_quadrant *quadrant,
                                   const w7_plane_words *black, const w7_plane_words *white, uint64_t sum[8])
{
    for (int word = quadrant->begin; word < quadrant->end; word++) {
        const uint64_t whites = white->at[word];
        for (uint64_t left = (black->at[word] | whites) & quadrant->points[word]; left != 0; left &= left - 1) {
            const int bit = w7_lowest_bit(left);
            const uint64_t *key = keys->images[keys->places[word * 64 + bit] + (whites >> bit & 1)].key;
            for (int symmetry = 0; symmetry < 8; symmetry++)
                sum[symmetry] ^= key[symmetry];
        }
    }
}

static inline void w7_quadrants_hashes(const w7_symmetry_keys *keys, const w7_plane_words *black,
                                       const w7_plane_words *white, uint64_t hashes[8])
{
    for (int quadrant = 0; quadrant < 4; quadrant++) {
        uint64_t sum[8] = {0};
        w7_quadrant_sum(keys, &keys->quadrants[quadrant], black, white, sum);
        for (int symmetry = 0; symmetry < 8; symmetry++)
            hashes[symmetry] ^= sum[w7_quadrant_symmetry(quadrant, symmetry)];
    }
}

#ifdef W7_WITH_X86_ISAS

/* The order of the symmetries of the first quadrant in another one. */
static W7_TARGET_AVX512BW inline __m512i w7_quadrant_order(int quadrant)
{
    const int swapped = quadrant >> 1 | (quadrant & 1) << 1;
    return _mm512_xor_si512(
        _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7),
        _mm512_setr_epi64(quadrant, quadrant, quadrant, quadrant, swapped, swapped, swapped, swapped));
}

static W7_TARGET_AVX512BW void w7_quadrants_hashes_avx512bw(const w7_symmetry_keys *keys, const w7_plane_words *black,
                                                            const w7_plane_words *white, uint64_t hashes[8])
{
    __m512i all = _mm512_loadu_si512(hashes);
    for (int number = 0; number < 4; number++) {
        const w7_quadrant *quadrant = &keys->quadrants[number];
        __m512i sum = _mm512_setzero_si512();
        for (int word = quadrant->begin; word < quadrant->end; word++) {
            const uint64_t whites = white->at[word];
            const uint8_t *places = keys->places + 64 * word;
            for (uint64_t left = (black->at[word] | whites) & quadrant->points[word]; left != 0; left &= left - 1) {
                const int bit = w7_lowest_bit(left);
                const w7_images *images = &keys->images[places[bit] + (whites >> bit & 1)];
                sum = _mm512_xor_si512(sum, _mm512_load_si512(images));
            }
        }
        all = _mm512_xor_si512(all, _mm512_permutexvar_epi64(w7_quadrant_order(number), sum));
    }
    _mm512_storeu_si512(hashes, all);
}

/* The same with a list of the images of a quadrant, so that there is one loop of unknown length for many stones. */
static W7_TARGET_AVX512 void w7_quadrants_hashes_avx512(const w7_symmetry_keys *keys, const w7_plane_words *black,
                                                        const w7_plane_words *white, uint64_t hashes[8])
{
    __m512i all = _mm512_loadu_si512(hashes);
    uint8_t list[W7_PLANE_BITS + 64];
    for (int number = 0; number < 4; number++) {
        const w7_quadrant *quadrant = &keys->quadrants[number];
        const __m512i order = w7_quadrant_order(number);
        __m512i sum = _mm512_setzero_si512(), other = sum;
        int count = 0;
        for (int word = quadrant->begin; word < quadrant->end; word++) {
            const uint64_t stones = (black->at[word] | white->at[word]) & quadrant->points[word];
            __m512i places = _mm512_loadu_si512(keys->places + 64 * word);
            places = _mm512_mask_add_epi8(places, white->at[word], places, _mm512_set1_epi8(1));
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

/* As w7_grid_hashes, for stones as planes of a size with keys. */
static W7_NOINLINE void w7_symmetry_keys_hashes(const w7_symmetry_keys *keys, int isa, const w7_plane_words *black,
                                                const w7_plane_words *white, uint64_t hashes[8])
{
    for (int symmetry = 0; symmetry < 8; symmetry++)
        hashes[symmetry] = w7_zobrist_empty(keys->width, keys->height);
#ifdef W7_WITH_X86_ISAS
    if (isa == W7_ISA_AVX512) {
        w7_quadrants_hashes_avx512(keys, black, white, hashes);
        return;
    }
    if (isa == W7_ISA_AVX512BW) {
        w7_quadrants_hashes_avx512bw(keys, black, white, hashes);
        return;
    }
#endif
    (void)isa;
    w7_quadrants_hashes(keys, black, white, hashes);
}

#endif
