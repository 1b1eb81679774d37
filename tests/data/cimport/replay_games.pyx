# cython: language_level=3, freethreading_compatible=True
"""An extension outside the package that plays games on the board of wei7core, from C to C."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from wei7core.board.board cimport (
    W7_BLACK, W7_OK, W7_WHITE, Board, w7_board, w7_board_assign, w7_board_clear, w7_board_free, w7_board_hash,
    w7_board_init, w7_board_is_ko_recapture, w7_board_move, w7_board_move_count, w7_board_play, w7_board_play_all,
    w7_board_read, w7_board_removed, w7_placement, w7_status,
)

from wei7core._util.cpu import ISA


cdef int64_t replay(w7_board *board, const w7_placement *moves, const int64_t *offsets, int64_t game_count,
                    uint8_t *boards, int64_t *captured) noexcept nogil:
    """The number of moves played; with `boards`, each final position is written there."""
    cdef int64_t game, played
    cdef int64_t board_length = <int64_t>board.grid.width * board.grid.height
    for game in range(game_count):
        w7_board_clear(board)
        if w7_board_play_all(board, moves + offsets[game], offsets[game + 1] - offsets[game], &played) != W7_OK:
            return offsets[game] + played
        captured[2 * game] = board.captured[<int>W7_BLACK]
        captured[2 * game + 1] = board.captured[<int>W7_WHITE]
        if boards is not NULL:
            w7_board_read(board, 0, boards + game * board_length)
    return offsets[game_count]


def replay_games(int32_t width, int32_t height, moves, offsets, boards, captured, uint8_t isa=ISA):
    """Replay games from empty boards and return how many moves were played; it stops at an illegal one.

    `moves` are placements as the kernel lays them out (`corpus.pack`), `offsets` int64, one more than there are games.
    `captured` (int64, black and white for each game) and `boards` (uint8, or None) are filled.
    """
    cdef Py_buffer moves_view, offsets_view, boards_view, captured_view
    cdef w7_board board
    cdef int64_t played, game_count = len(offsets) - 1
    cdef uint8_t *boards_at = NULL
    if moves.dtype.itemsize != sizeof(w7_placement):
        raise TypeError("these moves are no placements")
    if w7_board_init(&board, width, height) != W7_OK:
        raise ValueError("this board cannot be made")
    board.isa = isa
    PyObject_GetBuffer(moves, &moves_view, PyBUF_SIMPLE)
    PyObject_GetBuffer(offsets, &offsets_view, PyBUF_SIMPLE)
    PyObject_GetBuffer(captured, &captured_view, PyBUF_WRITABLE)
    if boards is not None:
        PyObject_GetBuffer(boards, &boards_view, PyBUF_WRITABLE)
        boards_at = <uint8_t *>boards_view.buf
    with nogil:
        played = replay(&board, <const w7_placement *>moves_view.buf, <const int64_t *>offsets_view.buf, game_count,
                        boards_at, <int64_t *>captured_view.buf)
    if boards is not None:
        PyBuffer_Release(&boards_view)
    PyBuffer_Release(&captured_view)
    PyBuffer_Release(&offsets_view)
    PyBuffer_Release(&moves_view)
    w7_board_free(&board)
    return played


def play_on(Board board, int color, int32_t x, int32_t y):
    """Play on the board of a Python object and return its hash."""
    cdef w7_status status = w7_board_play(&board.c, color, x, y)
    if status != W7_OK:
        raise ValueError(f"status {<int>status}")
    return w7_board_hash(&board.c)


def assign(Board to, Board origin, bint history):
    """Make one board a copy of another, in the memory that it has."""
    cdef w7_status status = w7_board_assign(&to.c, &origin.c, history)
    if status != W7_OK:
        raise ValueError(f"status {<int>status}")


def assign_each(Board to, list origins, int64_t rounds, bint history):
    """Make one board a copy of each of others, so many times; return their hashes put together."""
    cdef int64_t index, _round, count = len(origins)
    cdef uint64_t together = 0
    cdef Board origin
    for index in range(count):
        origin = origins[index]
        for _round in range(rounds):
            w7_board_assign(&to.c, &origin.c, history)
            together ^= w7_board_hash(&to.c)
    return together


def history(Board board):
    """What the kernel knows of each move in force: points removed, and whether it is a ko recapture."""
    cdef int64_t index, removed
    rows = []
    for index in range(w7_board_move_count(&board.c)):
        removed = w7_board_move(&board.c, index).removed_opponent + w7_board_move(&board.c, index).removed_own
        points = w7_board_removed(&board.c, index)
        rows.append(({(points[i].x, points[i].y) for i in range(removed)}, w7_board_is_ko_recapture(&board.c, index)))
    return rows
