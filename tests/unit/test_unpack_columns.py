"""Packed boards in columns of Arrow."""

from __future__ import annotations

import numpy as np
import pytest

import wei7core as w7

pa = pytest.importorskip("pyarrow")


def test_columns_of_arrow_are_unpacked() -> None:
    table = w7.replay([b"(;SZ[5];B[aa];W[bb];B[cc])"], positions=True).positions.to_arrow()
    column = table.column("board")
    expected = w7.unpack_boards([bytes(one) for one in column.to_pylist()], 5, 5)
    assert (w7.unpack_boards(column, 5, 5) == expected).all()
    assert (w7.unpack_boards(column.chunk(0), 5, 5) == expected).all()
    assert np.count_nonzero(expected[-1]) == 3
    with pytest.raises(ValueError, match="no board"):
        w7.unpack_boards(pa.array([None], pa.binary()), 5, 5)
