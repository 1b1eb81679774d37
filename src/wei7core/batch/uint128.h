/* Numbers of 128 bits as two words: MSVC has no type for them, and 32-bit machines neither. */
#ifndef W7_BATCH_UINT128_H
#define W7_BATCH_UINT128_H

#include <stdint.h>

typedef struct {
    uint64_t low;
    uint64_t high;
} w7_u128;

static inline w7_u128 w7_u128_product(uint64_t a, uint64_t b)
{
    w7_u128 product;
#ifdef __SIZEOF_INT128__
    const unsigned __int128 all = (unsigned __int128)a * b;
    product.low = (uint64_t)all;
    product.high = (uint64_t)(all >> 64);
#else
    const uint64_t mask = 0xFFFFFFFFu;
    const uint64_t low = (a & mask) * (b & mask), left = (a >> 32) * (b & mask), right = (a & mask) * (b >> 32);
    const uint64_t middle = (low >> 32) + (left & mask) + (right & mask); /* below 2**34 */
    product.low = middle << 32 | (low & mask);
    product.high = (a >> 32) * (b >> 32) + (left >> 32) + (right >> 32) + (middle >> 32);
#endif
    return product;
}

/* The sum modulo 2**128. */
static inline w7_u128 w7_u128_sum(w7_u128 a, w7_u128 b)
{
    w7_u128 sum;
#ifdef __SIZEOF_INT128__
    const unsigned __int128 all = ((unsigned __int128)a.high << 64 | a.low) + ((unsigned __int128)b.high << 64 | b.low);
    sum.low = (uint64_t)all;
    sum.high = (uint64_t)(all >> 64);
#else
    sum.low = a.low + b.low;
    sum.high = a.high + b.high + (sum.low < a.low);
#endif
    return sum;
}

/* A number congruent modulo 2**127 - 1: at most 2**127, and less where `a` is less than 2**128 - 1. */
static inline w7_u128 w7_u128_folded(w7_u128 a)
{
    const w7_u128 rest = {a.low, a.high & (UINT64_MAX >> 1)}, top = {a.high >> 63, 0};
    return w7_u128_sum(rest, top);
}

/* One congruent to the product modulo 2**127 - 1, below 2**127; so must the factors be. */
static inline w7_u128 w7_u128_product_folded(w7_u128 a, w7_u128 b)
{
    const w7_u128 low = w7_u128_product(a.low, b.low), high = w7_u128_product(a.high, b.high);
    const w7_u128 middle = w7_u128_sum(w7_u128_product(a.low, b.high), w7_u128_product(a.high, b.low));
    /* low + middle * 2**64 + high * 2**128, and 2**128 is congruent to 2. */
    const w7_u128 shifted = {0, middle.low}, carried = {middle.high, 0};
    const w7_u128 upper = w7_u128_sum(high, carried);
    w7_u128 sum = w7_u128_sum(w7_u128_folded(low), w7_u128_folded(shifted));
    /* `upper` is less than 2**126. */
    sum = w7_u128_sum(w7_u128_folded(sum), w7_u128_sum(upper, upper));
    return w7_u128_folded(w7_u128_folded(sum));
}

#endif
