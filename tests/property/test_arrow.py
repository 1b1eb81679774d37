"""Batches of any records, in columns of any type and sliced anywhere, against one call of `replay` for each value."""

import pytest
from helpers.arrow_batches import expected, rows_of
from hypothesis import given
from hypothesis import strategies as st
from samples.mixed_texts import texts

import wei7core
from wei7core.arrow import functions as arrow

pa = pytest.importorskip("pyarrow")

TYPES = [pa.binary(), pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int32(), pa.binary())]
SPACE = st.text(" \t\n", max_size=9).map(str.encode)
STARTS = st.tuples(
    SPACE, st.sampled_from([b"(", b"{", b"(;", b'{"', b"x"]), SPACE, st.sampled_from([b";", b"}", b"\0\0", b""])
)
VALUES = st.lists(
    st.one_of(
        st.none(),
        st.binary(max_size=6),
        STARTS.map(b"".join),
        st.tuples(SPACE, texts()).map(lambda parts: parts[0] + parts[1][0]),
    ),
    max_size=6,
)


@given(VALUES, st.sampled_from(TYPES), st.integers(0, 3), st.booleans())
def test_rows_are_those_of_replay(values, type, begin, board):
    values = [value for value in values if value is None or len(wei7core.replay([value])) == 1]
    batch = pa.record_batch({"data": pa.array(values, type)}).slice(begin)
    made = arrow.replay_batch(batch, options=arrow.Options(board=board))
    assert rows_of(made) == expected(values[begin:], board=board)
