/* Bits placed in a plane by an unaligned read from memory. */
#ifndef W7_BOARD_KERNEL_PLANE_MASK_H
#define W7_BOARD_KERNEL_PLANE_MASK_H

#include <stdint.h>

/* Bits around a middle: in 64 bytes read from n bytes before the middle they are n bytes higher. Eight of them, one for
 * each bit of a byte, give the neighbours of any place of a plane. */
typedef struct {
    uint8_t below[64];
    uint8_t above[64];
} w7_mask;

/* Sets a bit at an offset from bit 0 of the middle. */
static inline void w7_mask_add(w7_mask *mask, int32_t bit)
{
    uint8_t *bytes = bit < 0 ? mask->below : mask->above;
    const uint32_t at = bit < 0 ? (uint32_t)(bit + 512) : (uint32_t)bit;
    bytes[at >> 3] |= (uint8_t)(1 << (at & 7));
}

#endif
