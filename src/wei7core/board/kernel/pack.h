/* A position as two bits a point: row by row from the top left, four points a byte, the first in the lowest two bits;
 * 0 empty, 1 black, 2 white, and padding after the last point is 0. */
#ifndef W7_BOARD_KERNEL_PACK_H
#define W7_BOARD_KERNEL_PACK_H

#include "board/kernel/board.h"

/* Bytes of a board; the caller has checked that it has at most 2**31 points. */
static inline int64_t w7_packed_size(int64_t width, int64_t height)
{
    return (width * height + 3) / 4;
}

/* Bits 0, 32, 1, 33 ... of a cell: black and white of one column next to each other. */
static inline uint64_t w7_cell_pairs(uint64_t cell)
{
    static const uint64_t swapped[5] = {0x00000000FFFF0000u, 0x0000FF000000FF00u, 0x00F000F000F000F0u,
                                        0x0C0C0C0C0C0C0C0Cu, 0x2222222222222222u};
    for (int step = 0, by = 16; step < 5; step++, by /= 2) {
        const uint64_t change = (cell ^ cell >> by) & swapped[step];
        cell ^= change | change << by;
    }
    return cell;
}

/* Writes a word, its lowest byte first on every machine. */
static inline void w7_write_word(uint64_t word, uint8_t *bytes)
{
    /* Without a loop, so that compilers make it one store. */
    bytes[0] = (uint8_t)word;
    bytes[1] = (uint8_t)(word >> 8);
    bytes[2] = (uint8_t)(word >> 16);
    bytes[3] = (uint8_t)(word >> 24);
    bytes[4] = (uint8_t)(word >> 32);
    bytes[5] = (uint8_t)(word >> 40);
    bytes[6] = (uint8_t)(word >> 48);
    bytes[7] = (uint8_t)(word >> 56);
}

/* Writes w7_packed_size bytes. */
static inline void w7_board_pack(const w7_board *board, uint8_t *packed)
{
    const w7_grid *grid = &board->grid;
    const uint8_t *end = packed + w7_packed_size(grid->width, grid->height);
    uint64_t waiting = 0; /* pending bits of less than a byte, and those of a cell */
    int count = 0;
    for (int32_t y = 0; y < grid->height; y++) {
        for (int32_t chunk = 0; chunk < grid->chunks; chunk++) {
            const int32_t left = grid->width - chunk * W7_CHUNK_COLUMNS;
            const int columns = left < W7_CHUNK_COLUMNS ? (int)left : W7_CHUNK_COLUMNS;
            const uint64_t own = ((uint64_t)1 << columns) - 1;
            const uint64_t cell = grid->cells[w7_grid_cell(grid, chunk, y)] >> W7_OVERLAP & (own << 32 | own);
            waiting |= w7_cell_pairs(cell) << count;
            count += 2 * columns;
            if (end - packed >= 8) { /* the bytes after those that are full are written again */
                w7_write_word(waiting, packed);
                packed += count / 8;
                waiting >>= count / 8 * 8;
                count %= 8;
            }
            for (; count >= 8; count -= 8, waiting >>= 8)
                *packed++ = (uint8_t)waiting;
        }
    }
    if (count > 0)
        *packed = (uint8_t)waiting;
}

/* Writes a byte a point, 0 to 3, of the first `count` points. */
static inline void w7_unpack(const uint8_t *packed, int64_t count, uint8_t *points)
{
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const uint8_t four = *packed++;
        points[i] = four & 3;
        points[i + 1] = four >> 2 & 3;
        points[i + 2] = four >> 4 & 3;
        points[i + 3] = four >> 6;
    }
    for (int by = 0; i < count; i++, by += 2)
        points[i] = *packed >> by & 3;
}

/* Whether bytes are those of a packed board: no point is 3, and all bits after the last one are 0. */
static inline int w7_packed_is_valid(const uint8_t *packed, int64_t width, int64_t height)
{
    const int64_t size = w7_packed_size(width, height);
    const int spare_bits = (int)(size * 8 - width * height * 2);
    unsigned both = 0;
    for (int64_t i = 0; i < size; i++)
        both |= packed[i] & packed[i] >> 1 & 0x55;
    return both == 0 && (spare_bits == 0 || packed[size - 1] >> (8 - spare_bits) == 0);
}

/* The hash that a board of these stones has. */
static inline uint64_t w7_packed_hash(const uint8_t *packed, int32_t width, int32_t height)
{
    uint64_t hash = w7_zobrist_empty(width, height);
    int64_t at = 0;
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++, at++) {
            const int color = packed[at >> 2] >> 2 * (at & 3) & 3;
            if (color != W7_EMPTY)
                hash ^= w7_zobrist_stone(color, x, y);
        }
    }
    return hash;
}

#endif
