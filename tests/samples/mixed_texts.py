"""Hypothesis strategies of records of every format, good, odd and damaged, on small boards with branches."""

import json
import random

from hypothesis import strategies as st

from samples.wei7_documents import documents, spoiled, write


def shuffled(values):
    """The values in any order: one number drawn, where `st.permutations` draws one for each value."""
    return st.integers(0, 2**32 - 1).map(lambda seed: random.Random(seed).sample(values, len(values)))


def numbers(end):
    """Up to 25 numbers below `end`: bytes, which are drawn all at once."""
    return st.binary(max_size=25).map(lambda data: [byte % end for byte in data])


@st.composite
def branching(draw):
    """Small boards, filled until blocks die, with branches; now and then a point is taken or a takeback too deep."""
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    points = draw(shuffled([{"x": x, "y": y} for x in range(width) for y in range(height)]))
    size = {"width": width, "height": height}
    document = {"format": "wei7", "version": "3.0", "size": size, "tree": draw(trees(points))}
    if draw(st.booleans()):
        document["info"] = draw(st.sampled_from([{}, {"id": "1"}, {"id": "围"}, {"name": "id"}]))
    return json.dumps(document, ensure_ascii=False).encode()


@st.composite
def trees(draw, points, depth=0):
    """A tree whose moves take the points one after the other."""
    steps = []
    for number in draw(numbers(31)):
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


def mostly(usual, odd):
    """Seven of eight times one of `usual`."""
    return st.sampled_from(7 * len(odd) * usual + len(usual) * odd)


@st.composite
def sgf_games(draw):
    """A game with variations, stones set up, marks, texts in several encodings, and now and then what breaks rules."""
    width, height = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    points = draw(shuffled([chr(97 + x) + chr(97 + y) for x in range(width) for y in range(height)]))
    size = f"SZ[{width}]" if width == height else f"SZ[{width}:{height}]"
    root = [
        draw(mostly([size], ["", "SZ[0]", "SZ[52]"])),
        draw(mostly(["", "CA[UTF-8]", "FF[4]CA[utf-8]"], ["CA[GBK]", "CA[none]", "GM[2]"])),
        draw(st.sampled_from(["", "GN[12]", "GN[a\\]b]", "GameName[two]", "GN[围棋]", "GN[]", "GN[a][b]", "GN[a\nb]"])),
        draw(setups(points)),
    ]
    before = draw(mostly([""], ["\n", "before", "\ufeff"]))
    text = f"{before}(;{''.join(draw(shuffled(root)))}{draw(sgf_nodes(points))})"
    return text.encode(draw(mostly(["utf-8"], ["gb18030", "utf-16", "utf-32-le"])))


def setups(points):
    """A property that puts stones or marks on the last points."""
    lists = st.lists(st.sampled_from(points[-3:]), min_size=1, max_size=2, unique=True)
    return st.builds(
        lambda name, at: name + "".join(f"[{p}]" for p in at) if name else "",
        mostly(["", "", "AB", "AW", "AE", "TR"], ["LB", "AB[zz]TR", "ab"]),
        lists,
    )


@st.composite
def sgf_nodes(draw, points, depth=0):
    """Nodes whose moves take the points one after the other, and variations after them."""
    nodes = []
    for number in draw(numbers(41)):
        if number < 36:
            point = points[0] if points and number < 34 else ""
            points = points[1:] if number else points
            nodes.append(f"{'BW'[number % 2]}[{point}]")
        elif number < 40:
            nodes.append(draw(st.sampled_from(["", "C[x]", "C[好]", "KO[]", "BL[3]", "XX[\\]]", " ", "\n"])))
            nodes[-1] += draw(setups(points)) if points else ""
        else:
            nodes.append(draw(st.sampled_from(["B[tt]", "W[AA]", "B[?]", "N[", "B[aa]W[bb]", "C[1]C[2]"])))
    text = "".join(f";{node}" for node in nodes)
    if depth < 3 and draw(st.integers(0, 2)) == 0:
        text += "".join(f"({one})" for one in draw(st.lists(sgf_nodes(points, depth + 1), max_size=3)))
    return text


@st.composite
def texts(draw):
    """A text and its format."""
    if draw(st.booleans()):
        return draw(damaged(draw(sgf_games()))), "sgf"
    name, revision = draw(st.sampled_from([("wei7", 7), ("wei7-rev2", 2)]))
    kind = draw(st.sampled_from(["valid", "spoiled", "branching", "branching"]))
    if kind == "branching":
        data = draw(branching())
    else:
        data = write(draw((documents if kind == "valid" else spoiled)(revision))).encode("utf-8", "surrogatepass")
    return draw(damaged(data)), name


@st.composite
def damaged(draw, data):
    """Mostly `data` itself."""
    if draw(st.integers(0, 9)) < 9:
        return data
    begin = draw(st.integers(0, len(data)))
    return data[:begin] + draw(st.binary(max_size=3)) + data[begin + draw(st.integers(0, 8)) :]
