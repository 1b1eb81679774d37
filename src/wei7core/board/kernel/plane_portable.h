/* The plane of planes.h in eight words of 64 bits, for any processor. */
#ifndef W7_BOARD_KERNEL_PLANE_PORTABLE_H
#define W7_BOARD_KERNEL_PLANE_PORTABLE_H

#include <stdint.h>

#include "board/kernel/bits.h"
#include "board/kernel/plane_mask.h"

/* Before the loops over words: unrolled, their words stay in registers, which gcc does by itself with -O3 alone. */
#if defined(__GNUC__) && !defined(__clang__)
#define W7_UNROLLED _Pragma("GCC unroll 8")
#else
#define W7_UNROLLED
#endif

typedef struct {
    uint64_t words[8];
} w7_portable_plane;

typedef struct {
    w7_portable_plane points;
    int32_t stride;
} w7_portable_shape;

static inline w7_portable_plane w7_portable_load(const uint64_t *words)
{
    w7_portable_plane plane;
    W7_UNROLLED
    for (int i = 0; i < 8; i++)
        plane.words[i] = words[i];
    return plane;
}

static inline w7_portable_shape w7_portable_shape_of(const uint64_t *points, int32_t stride, const w7_mask *neighbours)
{
    w7_portable_shape shape;
    (void)neighbours;
    shape.points = w7_portable_load(points);
    shape.stride = stride;
    return shape;
}

static inline void w7_portable_store(uint64_t *words, w7_portable_plane plane)
{
    W7_UNROLLED
    for (int i = 0; i < 8; i++)
        words[i] = plane.words[i];
}

static inline w7_portable_plane w7_portable_none(void)
{
    w7_portable_plane plane = {{0}};
    return plane;
}

static inline w7_portable_plane w7_portable_place(uint32_t place)
{
    w7_portable_plane plane = {{0}};
    plane.words[place >> 6] = (uint64_t)1 << (place & 63);
    return plane;
}

/* A bit for each word that has places. */
static inline uint32_t w7_portable_used(w7_portable_plane plane)
{
    uint32_t used = 0;
    W7_UNROLLED
    for (int i = 0; i < 8; i++)
        used |= (uint32_t)(plane.words[i] != 0) << i;
    return used;
}

/* The number of places. */
static inline int64_t w7_portable_total(w7_portable_plane plane)
{
    int64_t total = 0;
    W7_UNROLLED
    for (int i = 0; i < 8; i++)
        total += w7_bit_count(plane.words[i]);
    return total;
}

/* One of the places of a plane that has some. */
static inline w7_portable_plane w7_portable_one(w7_portable_plane plane)
{
    int word = 0;
    while (plane.words[word] == 0)
        word++;
    return w7_portable_place((uint32_t)(64 * word + w7_lowest_bit(plane.words[word])));
}

/* The number of places, and which they are; where there are more than two, 3. */
static inline int w7_portable_few(w7_portable_plane plane, uint32_t places[2])
{
    int count = 0;
    for (int i = 0; i < 8; i++) {
        for (uint64_t bits = plane.words[i]; bits != 0; bits &= bits - 1) {
            if (count == 2)
                return 3;
            places[count++] = (uint32_t)(64 * i + w7_lowest_bit(bits));
        }
    }
    return count;
}

/* The bits of those places that are points, one after the other, in words that are zeros after them. */
static inline void w7_portable_pack(const w7_portable_shape *shape, w7_portable_plane plane, uint64_t *words)
{
    const int32_t stride = shape->stride;
    const uint64_t row = ((uint64_t)1 << (stride - 1)) - 1;
    uint64_t held = 0;
    int32_t count = 0;
    for (int32_t place = 0; place < 512 && (shape->points.words[place >> 6] >> (place & 63) & 1); place += stride) {
        const int word = place >> 6, shift = place & 63;
        const uint64_t higher = word < 7 ? plane.words[word + 1] : 0;
        const uint64_t bits = (plane.words[word] >> shift | higher << 1 << (63 - shift)) & row;
        held |= bits << count;
        count += stride - 1;
        if (count >= 64) {
            count -= 64;
            *words++ = held;
            held = count > 0 ? bits >> (stride - 1 - count) : 0;
        }
    }
    if (count != 0)
        *words = held;
}

static inline w7_portable_plane w7_portable_and(w7_portable_plane a, w7_portable_plane b)
{
    W7_UNROLLED
    for (int i = 0; i < 8; i++)
        a.words[i] &= b.words[i];
    return a;
}

static inline w7_portable_plane w7_portable_or(w7_portable_plane a, w7_portable_plane b)
{
    W7_UNROLLED
    for (int i = 0; i < 8; i++)
        a.words[i] |= b.words[i];
    return a;
}

static inline w7_portable_plane w7_portable_without(w7_portable_plane a, w7_portable_plane b)
{
    W7_UNROLLED
    for (int i = 0; i < 8; i++)
        a.words[i] &= ~b.words[i];
    return a;
}

/* The places left, right, above and below those of a plane. */
static inline void w7_portable_sides(const w7_portable_shape *shape, w7_portable_plane plane,
                                     w7_portable_plane sides[4])
{
    const int32_t by = shape->stride;
    W7_UNROLLED
    for (int i = 0; i < 8; i++) {
        const uint64_t word = plane.words[i];
        const uint64_t lower = i > 0 ? plane.words[i - 1] : 0, higher = i < 7 ? plane.words[i + 1] : 0;
        sides[0].words[i] = word >> 1 | higher << 63;
        sides[1].words[i] = word << 1 | lower >> 63;
        sides[2].words[i] = word >> by | higher << (64 - by);
        sides[3].words[i] = word << by | lower >> (64 - by);
    }
}

static inline w7_portable_plane w7_portable_spread(const w7_portable_shape *shape, w7_portable_plane seeds,
                                                   w7_portable_plane places)
{
    w7_portable_plane sides[4];
    w7_portable_sides(shape, seeds, sides);
    W7_UNROLLED
    for (int side = 0; side < 4; side++)
        places = w7_portable_or(places, sides[side]);
    return places;
}

static inline w7_portable_plane w7_portable_neighbours(const w7_portable_shape *shape, uint32_t place)
{
    return w7_portable_spread(shape, w7_portable_place(place), w7_portable_none());
}

static inline int w7_portable_meet(w7_portable_plane a, w7_portable_plane b)
{
    uint64_t both = 0;
    W7_UNROLLED
    for (int i = 0; i < 8; i++)
        both |= a.words[i] & b.words[i];
    return both != 0;
}

static inline int w7_portable_differ(w7_portable_plane a, w7_portable_plane b)
{
    uint64_t difference = 0;
    W7_UNROLLED
    for (int i = 0; i < 8; i++)
        difference |= a.words[i] ^ b.words[i];
    return difference != 0;
}

#endif
