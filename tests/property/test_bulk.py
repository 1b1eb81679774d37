"""Any texts, good and damaged, of any format: the rows of a bulk replay are those of records replayed one by one."""

import json

from bulk_oracle import compare
from hypothesis import given, settings
from hypothesis import strategies as st
from wei7_documents import documents, spoiled, write

from wei7core.limits import Limits


@st.composite
def branching(draw):
    """Small boards, filled until blocks die, with branches; now and then a point is taken or a takeback too deep."""
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    points = draw(st.permutations([{"x": x, "y": y} for x in range(width) for y in range(height)]))
    size = {"width": width, "height": height}
    document = {"format": "wei7", "version": "3.0", "size": size, "tree": draw(trees(points))}
    if draw(st.booleans()):
        document["info"] = draw(st.sampled_from([{}, {"id": "1"}, {"id": "围"}, {"name": "id"}]))
    return json.dumps(document, ensure_ascii=False).encode()


@st.composite
def trees(draw, points, depth=0):
    """A tree whose moves take the points one after the other."""
    steps = []
    for number in draw(st.lists(st.integers(0, 30), max_size=25)):
        if number == 30:
            action = {"type": "takeback", "value": draw(st.integers(1, 3))}
        else:
            point = points[0] if points and number < 27 else None
            points = points[1:] if number else points
            action = {"type": "move", "value": {"color": number % 2 + 1, "point": point}}
        steps.append({"action": action})
    tree = {"steps": steps}
    if depth < 3 and draw(st.booleans()):
        tree["branches"] = draw(st.lists(trees(points, depth + 1), max_size=3))
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
    if draw(st.integers(0, 9)) == 9:
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
