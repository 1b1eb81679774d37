/* What sparse rows of positions have instead of boards: codes of what their moves have removed.
 *
 * A code is `point << 2 | 2 | color - 1` of a stone, or one of these; boards are in the order of such codes. */
#ifndef W7_BATCH_SPARSE_ROWS_H
#define W7_BATCH_SPARSE_ROWS_H

#include <stdint.h>

#define W7_BOARD_BEFORE UINT32_C(0xFFFFFFFE) /* a board is that before the row, not of the row before it */
#define W7_BOARD_AFTER UINT32_C(0xFFFFFFFF)  /* a board is that of the row */

#endif
