"""Any texts, good and damaged, of any format: the rows of a bulk replay are those of records replayed one by one."""

from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.engine import compare
from samples.mixed_texts import texts

from wei7core.limits import Limits


@settings(max_examples=examples(200))
@given(st.lists(texts(), max_size=6))
def test_rows_are_those_of_single_replays(chosen):
    compare([data for data, _ in chosen], [name for _, name in chosen])


@settings(max_examples=examples(100))
@given(st.lists(texts(), max_size=4), st.integers(0, 40), st.integers(0, 40), st.integers(1, 25))
def test_limits_are_the_same(chosen, moves, steps, points):
    limits = Limits(max_moves=moves, max_steps=steps, max_points=points)
    compare([data for data, _ in chosen], [name for _, name in chosen], limits)
