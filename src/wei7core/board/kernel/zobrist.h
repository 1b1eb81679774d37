/* The stable hash of a position.
 *
 * key(kind, y, x) is output number n = kind * 2^62 + y * 2^31 + x of SplitMix64 from seed 0
 * (outputs counted from 1). The hash of a board is key(0, height, width) XOR key(color, y, x)
 * of every stone. Keys are computed, not stored: it costs no more than a table would, needs no
 * initialisation and covers every size. People store these values: never change the algorithm. */
#ifndef W7_BOARD_KERNEL_ZOBRIST_H
#define W7_BOARD_KERNEL_ZOBRIST_H

#include <stdint.h>

static inline uint64_t w7_zobrist_key(uint64_t kind, uint64_t y, uint64_t x)
{
    uint64_t z = (kind << 62 | y << 31 | x) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint64_t w7_zobrist_stone(int color, int32_t x, int32_t y)
{
    return w7_zobrist_key((uint64_t)color, (uint64_t)y, (uint64_t)x);
}

static inline uint64_t w7_zobrist_empty(int32_t width, int32_t height)
{
    return w7_zobrist_key(0, (uint64_t)height, (uint64_t)width);
}

#endif
