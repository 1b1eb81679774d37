/* The positions that stood on the board earlier in the game, for superko. Kept only once somebody asked. */
#ifndef W7_PAST_H
#define W7_PAST_H

#include "board.h"
#include "rules.h"

/* Brings the past up to date with the moves in force. Plays cost nothing for it; asked again after one more move it
 * takes one step. W7_NO_MEMORY is its only failure. */
static inline w7_status w7_board_recall(w7_board *board);

/* Whether a move of `color` to a position of this hash would repeat the past under a superko rule. The board was
 * recalled since its last change. Positions are told by their hashes: w7_past_confirm makes sure. */
static inline int w7_past_has(const w7_board *board, w7_ko_rule rule, int color, uint64_t key);

/* Whether the stone at (x, y), which can be played and brings about a position of this hash, repeats the past indeed:
 * w7_past_has, but with the stones compared one by one. Slow: for the few moves for which w7_past_has is true. Where
 * there is no memory to compare, the hash decides. */
static W7_COLD int w7_past_confirm(const w7_board *board, w7_ko_rule rule, int color, uint64_t key, int32_t x,
                                   int32_t y);

#endif
