"""`Block`: stones of one color that are joined along lines, with their liberties and neighbours."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.weakref cimport PyWeakref_NewRef
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free

from wei7core.board.kernel cimport (
    W7_EMPTY,
    w7_board_copy,
    w7_board_free,
    w7_board_get,
    w7_board_init,
    w7_board_read,
    w7_board_write_unchecked,
    w7_point,
    w7_status,
)

cdef extern from "board/kernel/block.h" nogil:
    w7_status w7_block_list(w7_board *board, int32_t x, int32_t y, bint liberties, w7_point **points,
                            int64_t *count) noexcept

cdef extern from "board/kernel/partition.h" nogil:
    w7_point w7_partition_point(const w7_partition *partition, size_t place) noexcept
    int w7_partition_adjacent_parts(const w7_partition *partition, size_t place, int colors, uint32_t *parts) noexcept

cdef extern from "board/kernel/blocks.h" nogil:
    ctypedef struct w7_part:
        uint32_t point_begin
        uint32_t point_count
        size_t liberty_begin
        uint32_t liberty_count
        uint8_t color

    ctypedef struct w7_blocks:
        w7_partition partition
        w7_part *parts
        uint32_t *points
        uint32_t *liberties

    w7_status w7_board_blocks(w7_blocks *blocks, const w7_board *board) noexcept
    void w7_blocks_free(w7_blocks *blocks) noexcept


@cython.final
cdef class _Position:
    """The frozen position of blocks."""

    cdef w7_board board
    cdef w7_blocks blocks  # all of them, after the first request of neighbours
    cdef list made  # weak references to their objects by number, so that a large one is made only once

    def __dealloc__(self):
        w7_board_free(&self.board)
        w7_blocks_free(&self.blocks)

    cdef w7_blocks *all_blocks(self) except NULL:
        with cython.critical_section(self):
            if self.blocks.parts is NULL:
                raise_status(w7_board_blocks(&self.blocks, &self.board), &self.board)
        return &self.blocks


@cython.final
cdef class Block(frozenset):
    """Block()\n--\n
    The stones of one color that are joined along lines: a frozenset of their points, with liberties and neighbours.

    `Board.block` and `Board.blocks` make blocks. A block is a snapshot: it describes the position that it was taken
    from, and does not change when the board does. As a set it is its stones, `(x, y)`: it has their number as its
    length, and equals any set of the same points. Without a stone the block is empty and has neither liberties nor
    neighbours.

    Safe to share by threads. Blocks can be pickled, with their position. The class cannot be subclassed.
    """

    cdef _Position position
    cdef int32_t x
    cdef int32_t y

    __new__ = staticmethod(type.__call__)  # the constructor's result goes to its caller

    def __init__(self, *_):
        raise TypeError("Block cannot be instantiated directly; use Board.block or Board.blocks")

    @property
    def color(self):
        """The color of the stones, 1 or 2; 0 without stones."""
        cdef _Position position = self.position
        return w7_board_get(&position.board, self.x, self.y)

    @property
    def stones(self):
        """The points of the stones, as a `PointSet` of the board's size."""
        cdef _Position position = self.position
        cdef PointSet stones = empty_point_set(position.board.grid.width, position.board.grid.height)
        for x, y in self:
            w7_points_put(&stones.c, x, y)
        return stones

    @property
    def liberties(self):
        """The empty points adjacent to the stones, as a `PointSet`."""
        cdef _Position position = self.position
        cdef PointSet liberties = empty_point_set(position.board.grid.width, position.board.grid.height)
        for x, y in liberties_of(position, self.x, self.y):
            w7_points_put(&liberties.c, x, y)
        return liberties

    @property
    def in_atari(self):
        """Whether the block has one liberty."""
        return len(set(liberties_of(self.position, self.x, self.y))) == 1

    @property
    def neighbours(self):
        """The opponent's blocks adjacent to this one, as a tuple in reading order."""
        cdef _Position position = self.position
        cdef w7_blocks *blocks = position.all_blocks()
        cdef uint32_t parts[4]
        cdef int index
        cdef set numbers = set()
        for x, y in self:
            for index in range(w7_partition_adjacent_parts(
                    &blocks.partition, w7_partition_place(&blocks.partition, x, y), 3 - self.color, parts)):
                numbers.add(parts[index])
        return tuple([numbered_block(position, number) for number in sorted(numbers)])

    def __reduce__(self):
        cdef _Position position = self.position
        cdef w7_board *board = &position.board
        cdef Py_ssize_t count = <Py_ssize_t>board.grid.width * board.grid.height
        cells = PyBytes_FromStringAndSize(NULL, count)
        w7_board_read(board, 0, <uint8_t *>PyBytes_AS_STRING(cells))
        return _rebuild_block, (board.grid.width, board.grid.height, cells, (self.x, self.y))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        color, liberties = ("empty", "black", "white")[self.color], len(self.liberties)
        return f"<wei7core.Block {color} at ({self.x}, {self.y}), stones: {len(self)}, liberties: {liberties}>"


def _rebuild_block(width, height, cells, point):
    """Return the block that was pickled."""
    cdef _Position position = _Position.__new__(_Position)
    if len(cells) != width * height or any(cell > 2 for cell in cells):
        raise ValueError("these are not the cells of a board")
    if not (0 <= point[0] < width and 0 <= point[1] < height):
        raise ValueError("the block is not on the board")
    raise_status(w7_board_init(&position.board, width, height), &position.board)
    w7_board_write_unchecked(&position.board, <const uint8_t *>PyBytes_AS_STRING(cells))
    return new_block(position, point[0], point[1], block_points(&position.board, point[0], point[1], False))


cdef Block new_block(_Position position, int32_t x, int32_t y, list points):
    cdef Block block = Block.__new__(Block, points)
    block.position = position
    block.x = x
    block.y = y
    return block


cdef _Position _position_of(const w7_board *board):
    cdef _Position position = _Position.__new__(_Position)
    raise_status(w7_board_copy(&position.board, board, False), board)
    return position


cdef object block_at(w7_board *board, int32_t x, int32_t y):
    return new_block(_position_of(board), x, y, block_points(board, x, y, False))


cdef list blocks_of(const w7_board *board, int color):
    cdef _Position position = _position_of(board)
    cdef w7_blocks *blocks = position.all_blocks()
    cdef uint32_t number
    return [
        numbered_block(position, number)
        for number in range(blocks.partition.count)
        if blocks.parts[number].color != W7_EMPTY and (color == W7_EMPTY or blocks.parts[number].color == color)
    ]


cdef Block numbered_block(_Position position, uint32_t number):
    cdef const w7_part *part = &position.blocks.parts[number]
    cdef list points
    cdef object block = None
    with cython.critical_section(position):
        if position.made is None:
            position.made = [None] * position.blocks.partition.count
        if position.made[number] is not None:
            block = position.made[number]()
    if block is None:
        points = place_points(position, position.blocks.points + part.point_begin, part.point_count)
        block = new_block(position, points[0][0], points[0][1], points)
        with cython.critical_section(position):
            position.made[number] = PyWeakref_NewRef(block, None)
    return <Block>block


cdef list place_points(_Position position, const uint32_t *places, uint32_t count):
    cdef list points = []
    cdef w7_point point
    cdef uint32_t index
    for index in range(count):
        point = w7_partition_point(&position.blocks.partition, places[index])
        points.append((point.x, point.y))
    return points


cdef list liberties_of(_Position position, int32_t x, int32_t y):
    """The liberties of a block: cached or, with repetitions, from following it over the board."""
    cdef const w7_part *part
    cdef uint32_t number
    with cython.critical_section(position):
        if position.blocks.parts is NULL:
            return block_points(&position.board, x, y, True)
    number = position.blocks.partition.parts[w7_partition_place(&position.blocks.partition, x, y)]
    part = &position.blocks.parts[number]
    return place_points(position, position.blocks.liberties + part.liberty_begin, part.liberty_count)


cdef list block_points(w7_board *board, int32_t x, int32_t y, bint liberties):
    cdef int64_t count, index
    cdef w7_point *points
    raise_status(w7_block_list(board, x, y, liberties, &points, &count), board)
    try:
        return [(points[index].x, points[index].y) for index in range(count)]
    finally:
        free(points)
