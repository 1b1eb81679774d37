# cython: language_level=3, freethreading_compatible=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""The values that a board takes and returns: positions, sets of points, blocks, ladders, life, children. Independent of
Board.
"""

include "_convert.pxi"
include "position.pxi"
include "point_set.pxi"
include "blocks.pxi"
include "ladder.pxi"
include "life.pxi"
include "children.pxi"
include "gtp_moves.pxi"


cdef extern from "_util/glue_for_size.h":
    pass
