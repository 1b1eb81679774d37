/* Sparse rows of positions: codes of moves and of removed stones, instead of places, colors and boards.
 *
 * The code of a move is `point << 2 | color`, a pass at the point after the last one; W7_CODE_PRE is the color of a
 * `pre`, 0 that of a setup. The code of what is removed is `point << 2 | 2 | color - 1` of a stone, or one of the
 * others; boards are in the order of such codes. */
#ifndef W7_BATCH_SPARSE_ROWS_H
#define W7_BATCH_SPARSE_ROWS_H

#include <stdint.h>

#define W7_CODE_PRE UINT32_C(3)
#define W7_BOARD_BEFORE UINT32_C(0xFFFFFFFE) /* a board is that before the row, not of the row before it */
#define W7_BOARD_AFTER UINT32_C(0xFFFFFFFF)  /* a board is that of the row */

#endif
