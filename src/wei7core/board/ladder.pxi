"""`Ladder`: the result of reading a ladder."""

from libc.stdlib cimport free

from typing import NamedTuple

from wei7core.board.kernel cimport w7_placement, w7_status

cdef extern from "board/kernel/ladder.h" nogil:
    ctypedef enum w7_ladder_end:
        W7_LADDER_ESCAPES
        W7_LADDER_CAPTURED
        W7_LADDER_UNKNOWN

    ctypedef struct w7_ladder:
        w7_ladder_end end
        w7_placement *line
        int64_t length
        int64_t nodes

    ctypedef struct w7_ladder_search:
        pass

    w7_status w7_ladder_begin(w7_ladder_search *search, const w7_board *board, int32_t x, int32_t y,
                              int first) noexcept
    w7_status w7_ladder_finish(w7_ladder_search *search, int64_t max_nodes, w7_ladder *ladder) noexcept
    void w7_ladder_free(w7_ladder_search *search) noexcept


class Ladder(NamedTuple):
    """The result of reading a ladder (`Board.ladder`).

    `captured`: whether the block is captured; None if the limit was reached first. `line`: the moves that show it, as
    `(color, point)`; empty if the limit was reached. If no choice helps a side, it is the longest line read. It ends
    when the block is captured or its owner has no move, or when the block has three liberties or the attacker has no
    move. `nodes`: the number of moves tried.
    """

    captured: "bool | None"
    line: "tuple[tuple[int, tuple[int, int]], ...]"
    nodes: int


cdef object read_ladder(const w7_board *board, int32_t x, int32_t y, int first, int64_t max_nodes):
    cdef w7_ladder_search search
    cdef w7_ladder ladder
    cdef w7_status status
    cdef int64_t index
    raise_status(w7_ladder_begin(&search, board, x, y, first), board)
    with nogil:  # the board was copied: it may change
        status = w7_ladder_finish(&search, max_nodes, &ladder)
        w7_ladder_free(&search)
    try:
        raise_status(status, board)
        captured = None if ladder.end == W7_LADDER_UNKNOWN else ladder.end == W7_LADDER_CAPTURED
        line = [
            (ladder.line[index].color, (ladder.line[index].x, ladder.line[index].y)) for index in range(ladder.length)
        ]
        return Ladder(captured, tuple(line), ladder.nodes)
    finally:
        free(ladder.line)
