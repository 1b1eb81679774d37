/* The stones of a small board as planes: a bit for every place of the whole board, 512 in all, one plane a colour.
 *
 * Place y * (width + 1) + x is the point (x, y). The extra column and the places after the last row are never points,
 * so that a shift by one place or one row never wraps a stone. Runs of moves are played on planes (run.h); between runs
 * only the grid has the stones. */
#ifndef W7_BOARD_KERNEL_PLANES_H
#define W7_BOARD_KERNEL_PLANES_H

#include "board/kernel/bits.h"
#include "board/kernel/board.h"
#include "board/kernel/grid.h"
#include "board/kernel/plane_avx512.h"
#include "board/kernel/plane_mask.h"
#include "board/kernel/plane_portable.h"

enum { W7_PLANE_WORDS = 8, W7_PLANE_BITS = 64 * W7_PLANE_WORDS };

/* Words that read as zeros past their end. */
typedef struct {
    uint64_t at[W7_PLANE_WORDS + 1];
} w7_plane_words;

static inline uint64_t w7_plane_row(const w7_plane_words *words, int32_t place)
{
    const uint64_t *word = &words->at[place >> 6];
    return word[0] >> (place & 63) | word[1] << 1 << (63 - (place & 63));
}

static inline void w7_plane_add_row(w7_plane_words *words, int32_t place, uint64_t row)
{
    uint64_t *word = &words->at[place >> 6];
    word[0] |= row << (place & 63);
    word[1] |= row >> 1 >> (63 - (place & 63));
}

/* The tables of moves on planes, for one size of the board. */
typedef struct {
    uint64_t keys[2][W7_PLANE_BITS]; /* of the hash, black stones first, by place */
    w7_plane_words points;           /* the places that are points */
    w7_mask neighbours[8];           /* the four places adjacent to one (plane_mask.h) */
    uint32_t stride;                 /* places of a row */
    uint32_t height;
    uint32_t rows_of_place; /* 2**16 / stride, rounded up */
} w7_plane_tables;

static inline w7_point w7_plane_point(const w7_plane_tables *tables, uint32_t place)
{
    w7_point point;
    point.y = (int32_t)(place * tables->rows_of_place >> 16);
    point.x = (int32_t)(place - (uint32_t)point.y * tables->stride);
    return point;
}

/* The number of the point in the order of reading. */
static inline int32_t w7_plane_number(const w7_plane_tables *tables, uint32_t place)
{
    return (int32_t)(place - (place * tables->rows_of_place >> 16));
}

static inline void w7_plane_tables_fill(w7_plane_tables *tables, const w7_grid *grid)
{
    const int32_t stride = grid->width + 1;
    const uint64_t row = ((uint64_t)1 << grid->width) - 1;
    memset(tables, 0, sizeof *tables);
    tables->stride = (uint32_t)stride;
    tables->height = (uint32_t)grid->height;
    tables->rows_of_place = (65535 + (uint32_t)stride) / (uint32_t)stride;
    for (int32_t y = 0; y < grid->height; y++) {
        w7_plane_add_row(&tables->points, y * stride, row);
        for (int32_t x = 0; x < grid->width; x++) {
            tables->keys[0][y * stride + x] = w7_zobrist_stone(W7_BLACK, x, y);
            tables->keys[1][y * stride + x] = w7_zobrist_stone(W7_WHITE, x, y);
        }
    }
    for (int32_t bit = 0; bit < 8; bit++) {
        w7_mask_add(&tables->neighbours[bit], bit - 1);
        w7_mask_add(&tables->neighbours[bit], bit + 1);
        w7_mask_add(&tables->neighbours[bit], bit - stride);
        w7_mask_add(&tables->neighbours[bit], bit + stride);
    }
}

/* The tables of a board that has planes; NULL when memory is short. */
static inline const w7_plane_tables *w7_board_plane_tables(w7_board *board)
{
    if (board->plane_tables == NULL) {
        board->plane_tables = malloc(sizeof(w7_plane_tables));
        if (board->plane_tables != NULL)
            w7_plane_tables_fill((w7_plane_tables *)board->plane_tables, &board->grid);
    }
    return (const w7_plane_tables *)board->plane_tables;
}

/* The stones of a board of one chunk: its rows follow each other from word to word. */
static inline void w7_planes_read_chunk(const w7_grid *grid, w7_plane_words *black, w7_plane_words *white)
{
    const uint64_t *cells = grid->cells + W7_ROWS_ABOVE;
    const int32_t stride = grid->width + 1;
    uint64_t blacks = 0, whites = 0;
    int32_t word = 0, count = 0;
    for (int32_t y = 0; y < grid->height; y++) {
        const uint64_t row_black = (w7_cell_stones(cells[y], W7_BLACK) & W7_CHUNK_POINTS) >> W7_OVERLAP;
        const uint64_t row_white = (w7_cell_stones(cells[y], W7_WHITE) & W7_CHUNK_POINTS) >> W7_OVERLAP;
        blacks |= row_black << count;
        whites |= row_white << count;
        count += stride;
        if (count >= 64) {
            black->at[word] = blacks;
            white->at[word++] = whites;
            count -= 64;
            blacks = row_black >> (stride - count);
            whites = row_white >> (stride - count);
        }
    }
    black->at[word] = blacks;
    white->at[word] = whites;
}

static inline void w7_planes_read(const w7_board *board, w7_plane_words *black, w7_plane_words *white)
{
    const w7_grid *grid = &board->grid;
    memset(black, 0, sizeof *black);
    memset(white, 0, sizeof *white);
    if (board->stone_count == 0)
        return;
    if (grid->chunks == 1) {
        w7_planes_read_chunk(grid, black, white);
        return;
    }
    for (int32_t chunk = 0; chunk < grid->chunks; chunk++) {
        for (int32_t y = 0; y < grid->height; y++) {
            const uint64_t cell = grid->cells[w7_grid_cell(grid, chunk, y)];
            const int32_t place = y * (grid->width + 1) + chunk * W7_CHUNK_COLUMNS;
            w7_plane_add_row(black, place, (w7_cell_stones(cell, W7_BLACK) & W7_CHUNK_POINTS) >> W7_OVERLAP);
            w7_plane_add_row(white, place, (w7_cell_stones(cell, W7_WHITE) & W7_CHUNK_POINTS) >> W7_OVERLAP);
        }
    }
}

static inline void w7_planes_write(w7_grid *grid, const w7_plane_words *black, const w7_plane_words *white)
{
    for (int32_t chunk = 0; chunk < grid->chunks; chunk++) {
        const int32_t first = chunk * W7_CHUNK_COLUMNS;
        const int left = chunk > 0 ? 0 : W7_OVERLAP, right = chunk > 0 ? first - W7_OVERLAP : 0;
        const uint32_t columns = w7_grid_columns(grid, chunk);
        const uint64_t walls = ~((uint64_t)columns << 32 | columns);
        uint64_t *cells = &grid->cells[w7_grid_cell(grid, chunk, 0)];
        for (int32_t y = 0; y < grid->height; y++) {
            const int32_t place = y * (grid->width + 1);
            const uint32_t blacks = (uint32_t)(w7_plane_row(black, place) >> right << left) & columns;
            const uint32_t whites = (uint32_t)(w7_plane_row(white, place) >> right << left) & columns;
            cells[y] = walls | (uint64_t)whites << 32 | blacks;
        }
    }
}

enum { W7_MOVES_AHEAD = 1024 }; /* bytes */

/* Moves in an array of any structs that hold x and y as int32_t, one after the other, and the colour as uint8_t. */
typedef struct {
    const uint8_t *at; /* x of the first */
    ptrdiff_t color;   /* bytes from there to its colour */
    ptrdiff_t stride;  /* and to x of the next move */
    uintptr_t ahead;   /* address of memory to prefetch while moves are played */
    uintptr_t piece;   /* bytes of it a move */
} w7_move_rows;

/* Removes the first move. */
static inline w7_placement w7_move_next(w7_move_rows *rows)
{
    int32_t point[2];
    w7_placement row;
    W7_PREFETCH(rows->ahead);
    rows->ahead += rows->piece;
    memcpy(point, rows->at, sizeof point);
    row.x = point[0];
    row.y = point[1];
    row.color = rows->at[rows->color];
    rows->at += rows->stride;
    return row;
}

/* The first move, of `count`, at which the moves played and the board's work come to `enough`. */
static inline int64_t w7_run_end(const w7_board *board, int64_t count, int64_t enough)
{
    const int64_t end = enough - w7_board_work(board);
    return end < count ? end : count;
}

enum { W7_LINE_PASS = 0x100, W7_LINE_WRONG = 0x200 }; /* added to the colour: a pass, and an invalid move */

/* The counts of a line of moves from the empty board, and the stones at its end. */
typedef struct {
    int64_t moves;
    int64_t passes;
    int64_t suicides;
    int64_t ko_recaptures;
    int64_t captured[3];      /* by their own colour; [0] is not used */
    w7_plane_words stones[2]; /* black ones first */
} w7_line;

#define W7_JOIN_NAMES(isa, name) w7_##isa##_##name
#define W7_ISA_NAME(isa, name) W7_JOIN_NAMES(isa, name)

#define w7_plane W7_ISA_NAME(W7_PLANE, plane)
#define w7_shape W7_ISA_NAME(W7_PLANE, shape)
#define w7_shape_of W7_ISA_NAME(W7_PLANE, shape_of)
#define w7_plane_load W7_ISA_NAME(W7_PLANE, load)
#define w7_plane_store W7_ISA_NAME(W7_PLANE, store)
#define w7_plane_none W7_ISA_NAME(W7_PLANE, none)
#define w7_plane_place W7_ISA_NAME(W7_PLANE, place)
#define w7_plane_one W7_ISA_NAME(W7_PLANE, one)
#define w7_plane_neighbours W7_ISA_NAME(W7_PLANE, neighbours)
#define w7_plane_and W7_ISA_NAME(W7_PLANE, and)
#define w7_plane_or W7_ISA_NAME(W7_PLANE, or)
#define w7_plane_without W7_ISA_NAME(W7_PLANE, without)
#define w7_plane_sides W7_ISA_NAME(W7_ISA, sides)
#define w7_plane_spread W7_ISA_NAME(W7_ISA, spread)
#define w7_plane_used W7_ISA_NAME(W7_PLANE, used)
#define w7_plane_total W7_ISA_NAME(W7_PLANE, total)
#define w7_plane_meet W7_ISA_NAME(W7_PLANE, meet)
#define w7_plane_differ W7_ISA_NAME(W7_PLANE, differ)
#define w7_planes W7_ISA_NAME(W7_ISA, planes)
#define w7_planes_count W7_ISA_NAME(W7_ISA, count)
#define w7_planes_fill W7_ISA_NAME(W7_ISA, fill)
#define w7_planes_with_liberty W7_ISA_NAME(W7_ISA, with_liberty)
#define w7_planes_dead W7_ISA_NAME(W7_ISA, dead)
#define w7_planes_captured W7_ISA_NAME(W7_ISA, captured)
#define w7_planes_record_captures W7_ISA_NAME(W7_ISA, record_captures)
#define w7_planes_resolve_captures W7_ISA_NAME(W7_ISA, resolve_captures)
#define w7_planes_play_run W7_ISA_NAME(W7_ISA, play_run)
#define w7_plane_capture W7_ISA_NAME(W7_ISA, capture)
#define w7_line_state W7_ISA_NAME(W7_ISA, line_state)
#define w7_line_capture W7_ISA_NAME(W7_ISA, line_capture)
#define w7_line_resolve_captures W7_ISA_NAME(W7_ISA, line_resolve_captures)
#define w7_line_move W7_ISA_NAME(W7_ISA, line_move)
#define w7_line_next W7_ISA_NAME(W7_ISA, line_next)
#define w7_planes_play_line W7_ISA_NAME(W7_ISA, play_line)

#define W7_PLANE portable
#define W7_ISA portable
#define W7_ISA_TARGET
#include "board/kernel/planes_moves.h"
#include "board/kernel/planes_final.h"
#undef W7_ISA
#undef W7_ISA_TARGET
#undef W7_PLANE

#ifdef W7_WITH_X86_ISAS
#define W7_PLANE avx512
#define W7_ISA avx512bw
#define W7_ISA_TARGET W7_TARGET_AVX512BW
#include "board/kernel/planes_moves.h"
#include "board/kernel/planes_final.h"
#undef W7_ISA
#undef W7_ISA_TARGET
#define W7_ISA avx512
#define W7_ISA_TARGET W7_TARGET_AVX512
#include "board/kernel/planes_moves.h"
#include "board/kernel/planes_final.h"
#undef W7_ISA
#undef W7_ISA_TARGET
#undef W7_PLANE
#endif

#endif
