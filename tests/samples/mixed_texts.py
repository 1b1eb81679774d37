"""Records of every format, good, odd and damaged, on small boards with branches, and a Hypothesis strategy of them."""

import json

from helpers.effort import chances
from hypothesis import strategies as st

from samples.wei7_documents import documents, spoiled, write

DOCUMENTS = {
    (kind, revision): make(revision)
    for kind, make in (("valid", documents), ("spoiled", spoiled))
    for revision in (7, 2)
}


def shuffled(chance, values):
    """The values in any order."""
    return chance.sample(values, len(values))


def numbers(chance, end):
    """Up to 25 numbers below `end`, mostly few."""
    return [chance.randrange(end) for _ in range(int(min(25, chance.expovariate(1 / 6))))]


def mostly(chance, usual, odd):
    """Seven of eight times one of `usual`."""
    return chance.choice(usual if chance.randrange(8) else odd)


def branching(chance):
    """Small boards, filled until blocks die, with branches; now and then a point is taken or a takeback too deep."""
    width, height = chance.randint(1, 5), chance.randint(1, 5)
    points = shuffled(chance, [{"x": x, "y": y} for x in range(width) for y in range(height)])
    size = {"width": width, "height": height}
    document = {"format": "wei7", "version": "3.0", "size": size, "tree": tree(chance, points)}
    if chance.random() < 0.5:
        document["info"] = chance.choice([{}, {"id": "1"}, {"id": "围"}, {"name": "id"}])
    return json.dumps(document, ensure_ascii=False).encode()


def tree(chance, points, depth=0):
    """A tree whose moves take the points one after the other."""
    steps = []
    for number in numbers(chance, 31):
        if number == 30:
            action = {"type": "takeback", "value": chance.randint(1, 3)}
        else:
            point = points[0] if points and number < 27 else None
            points = points[1:] if number else points
            action = {"type": "move", "value": {"color": number % 2 + 1, "point": point}}
        steps.append({"action": action})
    made = {"steps": steps}
    if depth < 3 and chance.random() < 0.5:
        made["branches"] = [tree(chance, points, depth + 1) for _ in range(chance.randrange(4))]
    return made


def sgf_game(chance):
    """A game with variations, stones set up, marks, texts in several encodings, and now and then what breaks rules."""
    width, height = chance.randint(1, 5), chance.randint(1, 5)
    points = shuffled(chance, [chr(97 + x) + chr(97 + y) for x in range(width) for y in range(height)])
    size = f"SZ[{width}]" if width == height else f"SZ[{width}:{height}]"
    root = [
        mostly(chance, [size], ["", "SZ[0]", "SZ[52]"]),
        mostly(chance, ["", "CA[UTF-8]", "FF[4]CA[utf-8]"], ["CA[GBK]", "CA[none]", "GM[2]"]),
        chance.choice(["", "GN[12]", "GN[a\\]b]", "GameName[two]", "GN[围棋]", "GN[]", "GN[a][b]", "GN[a\nb]"]),
        setup(chance, points),
    ]
    before = mostly(chance, [""], ["\n", "before", "\ufeff"])
    text = f"{before}(;{''.join(shuffled(chance, root))}{sgf_nodes(chance, points)})"
    return text.encode(mostly(chance, ["utf-8"], ["gb18030", "utf-16", "utf-32-le"]))


def setup(chance, points):
    """A property that puts stones or marks on the last points."""
    name = mostly(chance, ["", "", "AB", "AW", "AE", "TR"], ["LB", "AB[zz]TR", "ab"])
    at = chance.sample(points[-3:], min(len(points), chance.randint(1, 2)))
    return name + "".join(f"[{point}]" for point in at) if name else ""


def sgf_nodes(chance, points, depth=0):
    """Nodes whose moves take the points one after the other, and variations after them."""
    nodes = []
    for number in numbers(chance, 41):
        if number < 36:
            point = points[0] if points and number < 34 else ""
            points = points[1:] if number else points
            nodes.append(f"{'BW'[number % 2]}[{point}]")
        elif number < 40:
            nodes.append(chance.choice(["", "C[x]", "C[好]", "KO[]", "BL[3]", "XX[\\]]", " ", "\n"]))
            nodes[-1] += setup(chance, points) if points else ""
        else:
            nodes.append(chance.choice(["B[tt]", "W[AA]", "B[?]", "N[", "B[aa]W[bb]", "C[1]C[2]"]))
    text = "".join(f";{node}" for node in nodes)
    if depth < 3 and chance.randrange(3) == 0:
        text += "".join(f"({sgf_nodes(chance, points, depth + 1)})" for _ in range(chance.randrange(4)))
    return text


@st.composite
def texts(draw):
    """A text and its format."""
    chance = draw(chances())
    if chance.random() < 0.5:
        return damaged(chance, sgf_game(chance)), "sgf"
    name, revision = chance.choice([("wei7", 7), ("wei7-rev2", 2)])
    kind = chance.choice(["valid", "spoiled", "branching", "branching"])
    if kind == "branching":
        data = branching(chance)
    else:
        data = write(draw(DOCUMENTS[kind, revision])).encode("utf-8", "surrogatepass")
    return damaged(chance, data), name


def damaged(chance, data):
    """Mostly `data` itself."""
    if chance.randrange(10) < 9:
        return data
    begin = chance.randint(0, len(data))
    return data[:begin] + chance.randbytes(chance.randrange(4)) + data[begin + chance.randint(0, 8) :]
