"""Any texts, good and damaged, of any format: the rows of a bulk replay are those of records replayed one by one."""

import json

from bulk_oracle import compare
from hypothesis import given, settings
from hypothesis import strategies as st
from wei7_documents import documents, spoiled, write

from wei7core.limits import Limits


@st.composite
def branching(draw):
    """Small boards, where captures, suicides, ko and occupied points come often, with branches."""
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    size = {"width": width, "height": height}
    return json.dumps({"format": "wei7", "version": "3.0", "size": size, "tree": draw(trees(width, height))}).encode()


@st.composite
def trees(draw, width, height, depth=0):
    points = st.builds(lambda x, y: {"x": x, "y": y}, st.integers(0, width - 1), st.integers(0, height - 1))
    moves = st.fixed_dictionaries({"color": st.integers(1, 2), "point": st.one_of(points, points, st.none())})
    actions = st.one_of(
        *[st.builds(lambda value: {"type": "move", "value": value}, moves)] * 6,
        st.builds(lambda count: {"type": "takeback", "value": count}, st.integers(1, 3)),
    )
    tree = {"steps": [{"action": action} for action in draw(st.lists(actions, max_size=12 if depth else 20))]}
    if depth < 3 and draw(st.booleans()):
        tree["branches"] = draw(st.lists(trees(width, height, depth + 1), max_size=3))
    return tree


@st.composite
def texts(draw):
    """A text and its format."""
    name, revision = draw(st.sampled_from([("wei7", 7), ("wei7-rev2", 2)]))
    kind = draw(st.sampled_from(["valid", "spoiled", "branching", "branching"]))
    if kind == "branching":
        data = draw(branching())
    else:
        data = write(draw((documents if kind == "valid" else spoiled)(revision))).encode("utf-8", "surrogatepass")
    if draw(st.integers(0, 5)) == 0:
        begin = draw(st.integers(0, len(data)))
        end = begin + draw(st.integers(0, 8))
        data = data[:begin] + draw(st.binary(max_size=3)) + data[end:]
    return data, name


@settings(max_examples=200)
@given(st.lists(texts(), max_size=6))
def test_rows_are_those_of_single_replays(chosen):
    compare([data for data, _ in chosen], [name for _, name in chosen])


@settings(max_examples=100)
@given(st.lists(branching(), max_size=4), st.integers(0, 40), st.integers(1, 25))
def test_limits_are_the_same(chosen, moves, points):
    compare(chosen, ["wei7"] * len(chosen), Limits(max_moves=moves, max_points=points))
