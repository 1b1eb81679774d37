"""Moves given as Python objects, and the color to play."""


cdef enum:
    LEAST_HANDICAP = 2


cdef object given_place(Board board, object point, object system, int64_t *x, int64_t *y):
    """Read a point, a pair or text of `system`, and return what messages name it by."""
    if system is not GTP:
        point = point_by(system, point, &board.c)
    read_point(point, board.c.grid.height, x, y)
    return point


cdef inline int64_t play_point(Board board, int color, object point, object system) except -1:
    """Play a move, by default (0) of the color to play, and return the number of stones it removed."""
    cdef int64_t x = -1, y = -1
    cdef w7_status status
    cdef const w7_move *move
    cdef int32_t column = -1, row = -1
    if system is not GTP:
        point = point_by(system, point, &board.c)
    if type(point) is tuple or not is_pass(point):
        read_point(point, board.c.grid.height, &x, &y)
        column = narrow(x)
        row = narrow(y)
    with cython.critical_section(board):
        if color == W7_EMPTY:
            color = turn_of(&board.c)
        status = w7_board_play(&board.c, color, column, row)
        if status != W7_OK:
            raise_status(status, &board.c, color, (x, y), point)
        move = w7_board_move(&board.c, w7_board_move_count(&board.c) - 1)
        return move.removed_opponent + move.removed_own


cdef int turn_of(const w7_board *board) noexcept:
    """The color to play, as `Board.to_play` describes it."""
    cdef int64_t count = w7_board_move_count(board), black = 0
    cdef int32_t x, y
    cdef int color
    if count > 0:
        return W7_BLACK + W7_WHITE - w7_board_move(board, count - 1).color
    for y in range(board.grid.height):
        for x in range(board.grid.width):
            color = w7_board_get(board, x, y)
            if color == W7_WHITE:
                return W7_BLACK
            black += color == W7_BLACK
    return W7_WHITE if black >= LEAST_HANDICAP else W7_BLACK


cdef object last_point(Board board):
    move = board.last_move
    return None if move is None else move[1]
