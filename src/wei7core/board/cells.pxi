"""The points of a board as arrays, its edits as rows, and unpickling of boards."""

cdef extern from "board/kernel/board.h" nogil:
    ctypedef struct w7_edit:
        int64_t move_count
        int32_t x
        int32_t y
        uint8_t after

    ctypedef struct w7_edited_board "w7_board":
        w7_edit *edits


cdef object read_cells(const w7_board *board, int symmetry):
    cdef Py_buffer view
    shape = board.grid.height, board.grid.width
    cells = np.empty(shape if symmetry < 4 else shape[::-1], dtype=np.uint8)
    PyObject_GetBuffer(cells, &view, PyBUF_WRITABLE)
    w7_board_read(board, symmetry, <uint8_t *>view.buf)
    PyBuffer_Release(&view)
    return cells


cdef int write_cells(w7_board *board, object cells, bint unchecked) except -1:
    """Place cells of 0, 1 and 2 on an empty board; `unchecked` allows blocks without liberties."""
    cdef Py_buffer view
    cdef int64_t bad = -1
    cdef w7_status status
    PyObject_GetBuffer(cells, &view, PyBUF_SIMPLE)
    status = w7_board_write(board, <const uint8_t *>view.buf, &bad)
    if status == W7_NO_LIBERTY and unchecked:
        w7_board_write_unchecked(board, <const uint8_t *>view.buf)
        status = W7_OK
    PyBuffer_Release(&view)
    if status != W7_OK:
        raise_setup_status(status, board, (bad % board.grid.width, bad // board.grid.width))
    return 0


cdef Board board_of_array(object array, object max_points):
    """Carry out `Board.from_array`."""
    cells = np.asarray(array)
    if cells.ndim != 2:
        raise ValueError(f"a board is an array of 2 dimensions (height, width), not {cells.ndim}")
    if cells.dtype.kind not in "iu":
        raise TypeError(f"the elements of a board are integers, not {cells.dtype}")
    cdef Board board = Board(cells.shape[1], cells.shape[0], max_points=max_points)
    if ((cells < 0) | (cells > 2)).any():
        raise ValueError("the elements of a board are 0 (empty), 1 (black) and 2 (white)")
    # A copy, because other threads must not change the cells while they are read.
    write_cells(&board.c, np.array(cells, dtype=np.uint8, order="C"), False)
    return board


cdef list edit_rows(const w7_board *board):
    """The edits in force as (moves in force when it was made, color, point)."""
    cdef const w7_edit *edits = (<const w7_edited_board *>board).edits
    cdef int64_t index
    return [
        (edits[index].move_count, edits[index].after, (edits[index].x, edits[index].y))
        for index in range(w7_board_edit_count(board))
    ]


def _rebuild(width, height, cells, captured, moves, edits=()):
    """Return the board that was pickled."""
    cdef Board board = Board(width, height, max_points=width * height)
    cdef int64_t played = 0
    write_cells(&board.c, np.frombuffer(cells, dtype=np.uint8).reshape(height, width), True)
    board.c.captured[<int>W7_BLACK], board.c.captured[<int>W7_WHITE] = captured
    for move_count, after, where in [*edits, (len(moves), None, None)]:
        for color, point in moves[played:move_count]:
            board.play(color, point)
        played = move_count
        if after is not None:
            board.edit([(after, where)])
    return board
