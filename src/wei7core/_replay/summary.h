/* What is told of the position that a walk has reached: figures of the moves in force, and the stones as letters. */
#ifndef W7_SUMMARY_H
#define W7_SUMMARY_H

#include "_kernel/board.h"
#include "_kernel/ko.h"

/* What the moves in force have done. */
typedef struct {
    int64_t moves;
    int64_t passes;
    int64_t suicides;
    int64_t ko_recaptures;
} w7_figures;

static inline w7_figures w7_board_figures(const w7_board *board)
{
    w7_figures figures = {w7_board_move_count(board), 0, 0, 0};
    for (int64_t i = 0; i < figures.moves; i++) {
        const w7_move *move = w7_board_move(board, i);
        figures.passes += move->x < 0;
        figures.suicides += move->removed_own > 0;
        figures.ko_recaptures += w7_board_is_ko_recapture(board, i) != 0;
    }
    return figures;
}

/* Writes a letter for each of `count` points of a row, two at a time. */
static inline void w7_row_letters(uint32_t black, uint32_t white, int32_t count, char *letters)
{
    static const char PAIRS[] = "..X..XXX" "O.  OX  " ".OXO    " "OO      "; /* no point is both */
    for (; count > 1; count -= 2, black >>= 2, white >>= 2, letters += 2)
        memcpy(letters, PAIRS + 2 * ((black & 3) | (white & 3) << 2), 2);
    if (count > 0)
        *letters = PAIRS[2 * ((black & 1) | (white & 1) << 2)];
}

/* Writes width * height characters, row by row from the top left. */
static inline void w7_board_letters(const w7_board *board, char *letters)
{
    const w7_grid *grid = &board->grid;
    for (int32_t y = 0; y < grid->height; y++) {
        for (int32_t x = 0; x < grid->width; x += W7_CHUNK_COLUMNS) {
            int32_t left = grid->width - x, count = left < W7_CHUNK_COLUMNS ? left : W7_CHUNK_COLUMNS;
            uint64_t cell = grid->cells[w7_grid_cell(grid, w7_grid_chunk(grid, x), y)] >> W7_OVERLAP;
            w7_row_letters((uint32_t)cell, (uint32_t)(cell >> 32), count, letters);
            letters += count;
        }
    }
}

#endif
