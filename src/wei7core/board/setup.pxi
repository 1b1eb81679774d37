"""Stones added or removed other than by moves: setup, handicap stones, edits."""

cdef extern from "board/kernel/board.h" nogil:
    void w7_board_take(w7_board *board, int color, int32_t x, int32_t y) noexcept


cdef int set_up(Board board, object stones) except -1:
    """Carry out `Board.setup`."""
    cdef w7_placement *placements = NULL
    cdef int64_t count, bad = -1
    cdef w7_status status
    points = []
    try:
        count = read_stones(stones, board.c.grid.height, False, &placements, points)
        with cython.critical_section(board):
            status = w7_board_setup(&board.c, placements, count, &bad)
            if status != W7_OK:
                raise_setup_status(status, &board.c, points[bad] if bad >= 0 else None)
    finally:
        PyMem_Free(placements)


cdef list place_handicap(Board board, object n, object placement):
    """Carry out `Board.handicap`."""
    from wei7core.board import handicap as places

    if placement not in ("fixed", "free"):
        raise ValueError(f'a placement is "fixed" or "free", not {placement!r}')
    for y, x in np.argwhere(board.to_array()).tolist():
        raise IllegalPositionError(
            f"handicap stones need an empty board: there is a stone at ({x}, {y})", point=(x, y), reason="occupied")
    count = PyNumber_Index(n)
    find = places.fixed_handicap if placement == "fixed" else places.free_handicap
    points = find(count, board.c.grid.width, board.c.grid.height)
    board.setup([(W7_BLACK, point) for point in points])
    return points


cdef int edit_points(Board board, object stones) except -1:
    """Carry out `Board.edit`."""
    cdef w7_placement *placements = NULL
    cdef w7_placement placed
    cdef int64_t count, index, edits
    cdef w7_status status = W7_OK
    points = []
    try:
        count = read_stones(stones, board.c.grid.height, True, &placements, points)
        with cython.critical_section(board):
            for index in range(count):
                if not w7_board_has_point(&board.c, placements[index].x, placements[index].y):
                    require_point(&board.c, points[index][0], points[index][1], points[index])
            edits = w7_board_edit_count(&board.c)
            for index in range(count):
                placed = placements[index]
                status = w7_board_edit(&board.c, placed.color, placed.x, placed.y)
                if status != W7_OK:
                    w7_board_rewind(&board.c, w7_board_move_count(&board.c), edits)
                    raise_status(status, &board.c)
    finally:
        PyMem_Free(placements)


cdef int put_stones(Board board, object stones) except -1:
    """Carry out `Board._put`."""
    cdef w7_placement *placements = NULL
    cdef int64_t count, index, put = 0
    cdef w7_status status = W7_OK
    points = []
    try:
        count = read_stones(stones, board.c.grid.height, False, &placements, points)
        with cython.critical_section(board):
            while put < count and status == W7_OK:
                status = W7_OFF_BOARD
                if w7_board_has_point(&board.c, placements[put].x, placements[put].y):
                    status = w7_board_put(&board.c, placements[put].color, placements[put].x, placements[put].y)
                put += status == W7_OK
            if status != W7_OK:
                for index in range(put):
                    w7_board_take(&board.c, placements[index].color, placements[index].x, placements[index].y)
                raise_setup_status(status, &board.c, points[put])
    finally:
        PyMem_Free(placements)


cdef int take_stones(Board board, object points) except -1:
    """Carry out `Board._take_away`."""
    cdef int64_t x, y
    cdef int color
    for point in points:
        read_point(point, board.c.grid.height, &x, &y)
        with cython.critical_section(board):
            require_point(&board.c, x, y, point)
            color = w7_board_get(&board.c, <int32_t>x, <int32_t>y)
            if color != W7_EMPTY and w7_board_move_count(&board.c) == 0 and w7_board_edit_count(&board.c) == 0:
                w7_board_take(&board.c, color, <int32_t>x, <int32_t>y)
