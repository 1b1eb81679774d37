# cython: language_level=3, freethreading_compatible=True
"""Plays on a board whose history never has room, with memory that runs out at chosen calls."""

from libc.stdint cimport int32_t, int64_t, uint64_t


cdef extern from *:
    """
    #include <stdlib.h>

    static int calls_until_failure;

    static void *failing_realloc(void *rows, size_t bytes)
    {
        return --calls_until_failure < 0 ? NULL : realloc(rows, bytes);
    }

    #define realloc failing_realloc
    #include "board/kernel/board.h"
    #include "board/kernel/self_check.h"
    #include "board/kernel/copy.h"
    #include "board/kernel/edit.h"
    #undef realloc
    """
    int calls_until_failure
    ctypedef int w7_status
    enum:
        W7_OK
        W7_NO_MEMORY
    ctypedef struct w7_board:
        int64_t captured[3]
        int64_t move_count
        int64_t move_room
        int64_t removed_count
        int64_t removed_room
        int64_t edit_count
        int64_t edit_room
        uint64_t hash
    w7_status w7_board_init(w7_board *board, int32_t width, int32_t height) noexcept
    w7_status w7_board_copy(w7_board *copy, const w7_board *board, bint history) noexcept
    void w7_board_free(w7_board *board) noexcept
    w7_status w7_board_play(w7_board *board, int color, int32_t x, int32_t y) noexcept
    w7_status w7_board_edit(w7_board *board, int color, int32_t x, int32_t y) noexcept
    const char *w7_board_check(w7_board *board) noexcept


cdef object state(w7_board *board):
    cdef const char *wrong = w7_board_check(board)
    return (board.hash, board.move_count, board.removed_count, board.edit_count, board.captured[1], board.captured[2],
            None if wrong is NULL else wrong.decode())


def play(int32_t width, int32_t height, moves, bint lends):
    """Play moves (color, x, y, is_edit), each as often as memory fails for it; return the failures and the captures.

    Some of them are edits instead. Where the board `lends`, a copy of it shares the history before each move.
    """
    cdef w7_board board, copy
    cdef int failures = 0, allowed
    cdef w7_status status
    assert w7_board_init(&board, width, height) == W7_OK
    for color, x, y, is_edit in moves:
        allowed = 0
        if lends:
            assert w7_board_copy(&copy, &board, True) == W7_OK
            lent = state(&copy)
        while True:
            board.move_room = board.move_count
            board.removed_room = board.removed_count
            board.edit_room = board.edit_count
            before = state(&board)
            allow_calls(allowed)
            if is_edit:
                status = w7_board_edit(&board, color, x, y)
            else:
                status = w7_board_play(&board, color, x, y)
            if status != W7_NO_MEMORY:
                break
            assert state(&board) == before, (color, x, y, allowed)
            failures += 1
            allowed += 1
        assert status == W7_OK
        assert state(&board)[-1] is None
        if lends:
            assert state(&copy) == lent
            w7_board_free(&copy)
    captured = board.captured[1], board.captured[2]
    w7_board_free(&board)
    return failures, captured


cdef void allow_calls(int allowed) noexcept:
    global calls_until_failure
    calls_until_failure = allowed
