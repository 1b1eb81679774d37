"""Reading ladders, for the board."""

from libc.stdint cimport int32_t, int64_t

from wei7core.board.kernel cimport w7_board

# What becomes of the block of the stone at (x, y). `first` is the color that moves first; W7_EMPTY: the owner of a
# block in atari, the attacker of any other.
cdef object read_ladder(const w7_board *board, int32_t x, int32_t y, int first, int64_t max_nodes)
