# cython: language_level=3, freethreading_compatible=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""What the board takes and returns: positions, sets of points, blocks, ladders, life, children. It knows no Board."""

include "_convert.pxi"
include "position.pxi"
include "point_set.pxi"
include "blocks.pxi"
include "ladder.pxi"
include "life.pxi"
include "children.pxi"
