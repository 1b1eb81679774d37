# cython: language_level=3, freethreading_compatible=True
"""Runs of moves on a board, with the instruction set that the caller names."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int64_t
from wei7core.board.board cimport Board, w7_board, w7_placement, w7_status

from wei7core._util.cpu import ISAS

cdef extern from *:
    """
    #include "board/kernel/deferred_line.h"
    #include "board/kernel/run.h"

    enum {
        BY_ITS_SIZE,
        ON_ROWS,
        ON_PLANES,
        ON_AVX512BW_PLANES,
        ON_AVX512_PLANES,
        WITH_DEFERRED_CAPTURES,
        WITH_DEFERRED_CAPTURES_ON_AVX2
    };

    static w7_status play_run(w7_board *board, int way, const w7_placement *moves, int64_t count, int64_t enough,
                              int64_t *played)
    {
        const uint8_t isa = board->isa;
        const w7_plane_tables *tables;
        w7_move_rows rows;
        w7_status status;
        rows.at = (const uint8_t *)moves;
        rows.color = offsetof(w7_placement, color);
        rows.stride = sizeof *moves;
        *played = 0;
        if (way == BY_ITS_SIZE)
            return w7_board_play_run(board, rows, count, enough, played);
        if (way == ON_ROWS || !board->grid.has_planes) {
            board->isa = W7_ISA_PORTABLE;
            status = w7_board_play_run(board, rows, count, enough, played);
            board->isa = isa;
            return status;
        }
        tables = w7_board_plane_tables(board);
        if (tables == NULL || w7_history_reserve_moves(board, count) != W7_OK)
            return W7_NO_MEMORY;
    #ifdef W7_WITH_X86_ISAS
        if (way == ON_AVX512BW_PLANES)
            return w7_avx512bw_play_run(board, tables, rows, count, enough, played);
        if (way == ON_AVX512_PLANES)
            return w7_avx512_play_run(board, tables, rows, count, enough, played);
    #endif
        return w7_portable_play_run(board, tables, rows, count, enough, played);
    }

    #ifdef W7_WITH_X86_ISAS
    W7_TARGET_AVX512BW static int play_line_avx512bw(const w7_plane_tables *tables, w7_move_rows rows,
                                                     const uint8_t *end, w7_line *line)
    {
        return w7_avx512bw_play_line(tables, rows, end, line);
    }

    W7_TARGET_AVX512 static int play_line_avx512(const w7_plane_tables *tables, w7_move_rows rows, const uint8_t *end,
                                                 w7_line *line)
    {
        return w7_avx512_play_line(tables, rows, end, line);
    }

    W7_TARGET_AVX2 static int play_deferred_avx2(const w7_grid *grid, w7_move_rows rows, int64_t count, w7_line *line)
    {
        return w7_deferred_play(grid, rows, count, count, line);
    }
    #endif

    static int play_line(w7_board *board, int way, const w7_placement *moves, int64_t count, w7_line *line)
    {
        const w7_plane_tables *tables = w7_board_plane_tables(board);
        const w7_move_rows rows = {(const uint8_t *)moves, offsetof(w7_placement, color), sizeof *moves, 0, 0};
        const uint8_t *end = (const uint8_t *)(moves + count);
        int played = 0;
    #ifdef W7_WITH_X86_ISAS
        if (way == ON_AVX512BW_PLANES)
            played = play_line_avx512bw(tables, rows, end, line);
        if (way == ON_AVX512_PLANES)
            played = play_line_avx512(tables, rows, end, line);
        if (way == WITH_DEFERRED_CAPTURES_ON_AVX2 && w7_deferred_takes(&board->grid, count))
            played = play_deferred_avx2(&board->grid, rows, count, line);
    #endif
        if (way == WITH_DEFERRED_CAPTURES && w7_deferred_takes(&board->grid, count))
            played = w7_deferred_play(&board->grid, rows, count, count, line);
        if (way == ON_PLANES)
            played = w7_portable_play_line(tables, rows, end, line);
        if (played)
            w7_planes_write(&board->grid, &line->stones[0], &line->stones[1]);
        return played;
    }
    """
    int BY_ITS_SIZE, ON_ROWS, ON_PLANES, ON_AVX512BW_PLANES, ON_AVX512_PLANES
    int WITH_DEFERRED_CAPTURES, WITH_DEFERRED_CAPTURES_ON_AVX2
    w7_status play_run(w7_board *board, int way, const w7_placement *moves, int64_t count, int64_t enough,
                       int64_t *played) noexcept

    ctypedef struct w7_line:
        int64_t moves
        int64_t passes
        int64_t suicides
        int64_t ko_recaptures
        int64_t captured[3]

    int play_line(w7_board *board, int way, const w7_placement *moves, int64_t count, w7_line *line) noexcept

WAYS = {"by its size": BY_ITS_SIZE, "rows": ON_ROWS, "planes": ON_PLANES, "deferred": WITH_DEFERRED_CAPTURES}
"""The ways to play a run that there are here."""

if "avx2" in ISAS:
    WAYS["avx2 deferred"] = WITH_DEFERRED_CAPTURES_ON_AVX2
if "avx512bw" in ISAS:
    WAYS["avx512bw planes"] = ON_AVX512BW_PLANES
if "avx512" in ISAS:
    WAYS["avx512 planes"] = ON_AVX512_PLANES


def has_planes(Board board):
    """Say whether runs on this board can be played on planes."""
    return (<w7_board_with_planes *>&board.c).grid.has_planes != 0


cdef extern from "board/kernel/board.h":
    ctypedef struct w7_grid_with_planes "w7_grid":
        unsigned char has_planes

    ctypedef struct w7_board_with_planes "w7_board":
        w7_grid_with_planes grid


def play(Board board, way, moves, int64_t enough):
    """Play `moves`, placements as the kernel lays them out, and return the last status and how many were played.

    The run ends where moves and work come to `enough` together.
    """
    cdef Py_buffer view
    cdef int64_t played = 0
    cdef w7_status status
    PyObject_GetBuffer(moves, &view, PyBUF_SIMPLE)
    status = play_run(&board.c, WAYS[way], <const w7_placement *>view.buf, view.len // sizeof(w7_placement), enough,
                      &played)
    PyBuffer_Release(&view)
    return <int>status, played


def play_line_on(Board board, way, moves):
    """Play `moves`, one at least, as a line and return its figures, or None where it cannot be played.

    The empty board, which has planes, then shows the stones and knows nothing else of them.
    """
    cdef Py_buffer view
    cdef w7_line line
    cdef int played
    PyObject_GetBuffer(moves, &view, PyBUF_SIMPLE)
    played = play_line(&board.c, WAYS[way], <const w7_placement *>view.buf, view.len // sizeof(w7_placement), &line)
    PyBuffer_Release(&view)
    if not played:
        return None
    return {
        "moves": line.moves,
        "passes": line.passes,
        "suicides": line.suicides,
        "ko_recaptures": line.ko_recaptures,
        "black_captured": line.captured[1],
        "white_captured": line.captured[2],
    }
