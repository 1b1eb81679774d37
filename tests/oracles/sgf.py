"""A slow and obvious reader of SGF, written from the grammar of FF[4] and not from the decoder.

Rules for what the grammar does not allow, each as the package states them:

- A game starts at the first `(` before a `;` or before a known property. Without any, at the first `;` before a known
  property. It ends with its `)`, with the text, or where `(;` and one of FF GM SZ CA AP begin another game.
- Lower-case letters of names are ignored. Names without value, and what is no name, are ignored; so is a value without
  name.
- Properties before the first `;` of a tree make its first node. A node after a variation is one more variation, until
  the `)` of the tree that contains it.
- A property in a node twice: points are joined, every move is played, else the first one counts.
- The first value counts where one is allowed. A value that the text ends in is no move and no point.
- Points off the board, or that are none, are left out; such a move cannot be read. Capitals are small letters on boards
  of at most 26 lines.
- A variation without nodes, and without variations that have some, is none.
- A move after the last point of the board is a pass, and one that is named as people do, `R16`, is on that point.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

SPACE = " \t\n\v\f\r"
KNOWN = {
    "B", "W", "KO", "MN", "AB", "AW", "AE", "PL", "C", "DM", "GB", "GW", "HO", "N", "UC", "V", "BM", "DO", "IT", "TE",
    "AR", "CR", "DD", "LB", "LN", "MA", "SL", "SQ", "TR", "L", "M", "AP", "CA", "FF", "GM", "ST", "SZ", "AN", "BR",
    "BT", "CP", "DT", "EV", "GC", "GN", "HA", "KM", "ON", "OT", "PB", "PC", "PW", "RE", "RO", "RU", "SO", "TM", "US",
    "WR", "WT", "BL", "WL", "OB", "OW", "FG", "PM", "VW", "TB", "TW",
}  # fmt: skip
NEW_GAME = {"FF", "GM", "SZ", "CA", "AP"}
SYMBOLS = {"CR": "@", "MA": "&", "SL": "$", "SQ": "#", "TR": "%", "M": "&"}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLORS = {"AE": 0, "AB": 1, "AW": 2, "B": 1, "W": 2}

TOKEN = re.compile(
    rf"(?P<space>[{SPACE}]+)|(?P<mark>[;()])|(?P<name>[A-Za-z][A-Za-z0-9_]*)"
    r"|(?P<value>\[(?:\\.|[^\\\]])*\])|(?P<unclosed>\[.*)|(?P<stray>.)",
    re.DOTALL,
)
START = re.compile(rf"\([{SPACE}]*(?:;|(?P<name>[A-Z][A-Za-z0-9_]*)\[)")
START_WITHOUT = re.compile(rf";[{SPACE}]*(?P<name>[A-Z][A-Za-z0-9_]*)\[")
ANOTHER = re.compile(rf"\([{SPACE}]*;[{SPACE}]*(?P<name>[A-Z][A-Za-z0-9_]*)\[")

Point = tuple[int, int]


@dataclass
class Property:
    name: str  # without lower-case letters
    written: str
    values: list[str]
    text: str  # from the first bracket to the last
    unclosed: bool


@dataclass
class Node:
    properties: list[Property] = field(default_factory=list)


@dataclass
class Tree:
    parent: int
    ordinal: int
    nodes: list[Node] = field(default_factory=list)
    branches: int = 0


@dataclass
class Reading:
    """What there is in a game: `steps` of trees as (kind, color, point or stones, joined)."""

    width: int
    height: int
    trees: list[tuple[int, int, list[tuple[object, ...]]]]
    setup: dict[Point, int] | None
    comment: str | None
    marks: list[tuple[Point, str]]
    comments: list[str]
    kept: list[tuple[str, str]]


def known(match: re.Match[str] | None) -> bool:
    return match is not None and capitals(match["name"]) in KNOWN


def capitals(name: str) -> str:
    return name if "_" in name else "".join(c for c in name if c.isupper() or c.isdigit())


def find_start(text: str) -> int:
    """Where the game starts; the length of the text where there is none."""
    for match in START.finditer(text):
        if match["name"] is None or known(match):
            return match.start()
    for match in START_WITHOUT.finditer(text):
        if known(match):
            return match.start()
    return len(text)


def read_property(text: str, at: int, name: str) -> tuple[Property | None, int]:
    """The property whose name ends at `at`, None where it has no value; and where it ends."""
    values = []
    begin, end = -1, at
    unclosed = False
    while True:
        value = TOKEN.match(text, at)
        if value is not None and value["space"]:
            at = value.end()
        elif value is not None and (value["value"] or value["unclosed"]):
            begin = value.start() if begin < 0 else begin
            unclosed = value["unclosed"] is not None
            values.append(value.group()[1:] if unclosed else value.group()[1:-1])
            at = end = value.end()
        else:
            break
    return (Property(capitals(name), name, values, text[begin:end], unclosed) if values else None), end


def read_trees(text: str) -> list[Tree]:
    """The trees of the first game, parents first."""
    at = find_start(text)
    if at == len(text):
        return []
    trees: list[Tree] = []
    stack: list[tuple[int, bool]] = []  # row of the tree, whether a parenthesis opened it
    after = False  # a variation has just ended

    def open_tree(parenthesis: bool) -> None:
        parent = stack[-1][0] if stack else -1
        ordinal = trees[parent].branches if stack else 0
        if stack:
            trees[parent].branches += 1
        stack.append((len(trees), parenthesis))
        trees.append(Tree(parent, ordinal))

    def begin_node() -> None:
        nonlocal after
        if after:
            open_tree(False)
            after = False
        trees[stack[-1][0]].nodes.append(Node())

    if text[at] == ";":
        open_tree(False)
    while at < len(text):
        token = TOKEN.match(text, at)
        assert token is not None
        at = token.end()
        mark = token["mark"]
        if mark == ";":
            begin_node()
        elif mark == "(":
            another = ANOTHER.match(text, token.start())
            if stack and another is not None and capitals(another["name"]) in NEW_GAME:
                break
            open_tree(True)
            after = False
        elif mark == ")":
            while not stack.pop()[1] and stack:
                pass
            after = True
            if not stack:
                break
        elif token["name"]:
            read, at = read_property(text, at, token["name"])
            if read is not None:
                if after or not trees[stack[-1][0]].nodes:
                    begin_node()
                trees[stack[-1][0]].nodes[-1].properties.append(read)
    return trees


def without_empty(trees: list[Tree]) -> list[Tree]:
    """The trees that have nodes, or trees below them that do, numbered anew; the first one stays."""
    full = {0}
    for row in range(len(trees) - 1, 0, -1):
        if trees[row].nodes or row in full:
            full |= {row, trees[row].parent}
    rows = {row: number for number, row in enumerate(sorted(full))}
    kept = [trees[row] for row in sorted(full) if trees]
    branches = [0] * len(kept)
    for tree in kept:
        if tree.parent >= 0:
            tree.parent = rows[tree.parent]
            tree.ordinal = branches[tree.parent]
            branches[tree.parent] += 1
    return kept


def number(text: str) -> int | None:
    text = text.strip(SPACE)
    return int(text) if re.fullmatch("[+]?[0-9]+", text) else None


def read_size(text: str) -> tuple[int, int]:
    parts = text.split(":", 1)
    sizes = [number(part) for part in parts]
    if any(size is None or not 1 <= size <= 52 for size in sizes):
        return 19, 19
    return sizes[0] or 0, sizes[-1] or 0


def read_point(text: str, width: int, height: int) -> Point | None:
    if len(text) != 2:
        return None
    point = []
    for letter, size in zip(text, (width, height), strict=True):
        place = LETTERS.find(letter)
        if place >= 26 and size <= 26:
            place -= 26
        if not 0 <= place < size:
            return None
        point.append(place)
    return point[0], point[1]


def read_name(text: str, width: int, height: int) -> Point | None:
    """The point that people call so: a letter without I, and the row from the bottom."""
    match = re.fullmatch("([A-HJ-Za-hj-z])([1-9][0-9]?)", text, re.ASCII)
    if match is None:
        return None
    x, y = "abcdefghjklmnopqrstuvwxyz".index(match[1].lower()), height - int(match[2])
    return (x, y) if x < width and 0 <= y < height else None


def is_after_last(text: str, width: int, height: int) -> bool:
    """Whether both letters are those after the last column and row."""
    places = [LETTERS.find(letter) for letter in text]
    sizes = [width, height]
    return (
        len(text) == 2
        and [place - 26 if place >= 26 and size <= 26 else place for place, size in zip(places, sizes, strict=True)]
        == sizes
    )


def read_points(text: str, width: int, height: int) -> list[Point] | None:
    """The points of `ab` or `ab:cd`, row by row."""
    corners = [read_point(part.strip(SPACE), width, height) for part in text.split(":", 1)]
    if None in corners:
        return None
    xs = sorted(corner[0] for corner in corners if corner)
    ys = sorted(corner[1] for corner in corners if corner)
    return [(x, y) for y in range(ys[0], ys[-1] + 1) for x in range(xs[0], xs[-1] + 1)]


def read(data: bytes) -> Reading:
    """Read the first game of a text whose characters are all of one byte, whatever game GM names."""
    trees = without_empty(read_trees(data.decode("latin-1")))
    width = height = 19
    root = trees[0].nodes[0] if trees else Node()
    first: dict[str, str] = {}
    for item in root.properties:
        first.setdefault(item.name, item.values[0])
    if "SZ" in first:
        width, height = read_size(first["SZ"])
    reading = Reading(width, height, [], None, None, [], [], [])
    for tree in trees:
        steps: list[tuple[object, ...]] = []
        for node in tree.nodes:
            is_first = tree.parent < 0 and all(not steps_of for _, _, steps_of in reading.trees) and not steps
            steps += read_node(node, reading, node is root, is_first)
        reading.trees.append((tree.parent, tree.ordinal, steps))
    return reading


GAME_INFO = {
    "AN", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "HA", "KM", "ON", "OT", "PB", "PC", "PW", "RE", "RO", "RU", "SO",
    "TM", "US", "WR", "WT",
}  # fmt: skip


READ_IN_ROOT = {"FF", "GM", "SZ", "CA"}


def names_of_file(node: Node) -> int:
    return sum(item.name in ("AP", "ST") for item in node.properties)


def misplaced(data: bytes) -> tuple[int, int, int]:
    """How many nodes have information about the game after one before them on their path; how many have KO alone; how
    many properties are of the root and elsewhere."""
    trees = without_empty(read_trees(data.decode("latin-1")))
    informed: list[bool] = []
    again = alone = elsewhere = 0
    for tree in trees:
        is_informed = tree.parent >= 0 and informed[tree.parent]
        for row, node in enumerate(tree.nodes):
            names = {item.name for item in node.properties}
            is_root = tree.parent < 0 and row == 0
            alone += "KO" in names and not names & {"B", "W"} and not is_root
            elsewhere += (len(names & READ_IN_ROOT) + names_of_file(node)) * (not is_root)
            informs = bool(names & GAME_INFO)
            again += informs and is_informed
            is_informed = is_informed or informs
        informed.append(is_informed)
    return again, alone, elsewhere


def read_node(node: Node, reading: Reading, is_root: bool, is_first: bool) -> list[tuple[object, ...]]:
    """The steps of a node; its marks, comment and other properties go to the reading.

    In the first node that has any, B and W with several values, the first of them a point, set stones up.
    """
    width, height = reading.width, reading.height
    moves: list[tuple[object, ...]] = []
    stones: dict[Point, int] = {}
    seen = set()
    letters = 0
    for item in node.properties:
        closed = item.values[:-1] if item.unclosed else item.values
        keep = True
        several = [read_points(value.strip(SPACE), width, height) for value in closed]
        if item.name in ("B", "W") and is_first and not moves and len(closed) > 1 and several[0]:
            stones |= {point: COLORS["A" + item.name] for points in several for point in points or []}
            keep = False
        elif item.name in ("B", "W"):
            moves.append(read_move(item, closed, width, height))
            keep = False
        elif item.name in ("AB", "AW", "AE"):
            keep = item.unclosed
            for value in closed:
                points = read_points(value.strip(SPACE), width, height)
                keep = keep or points is None
                for point in points or []:
                    stones[point] = COLORS[item.name]
        elif item.name == "C" and "C" not in seen:
            reading.comments.append(item.values[0])
            if is_root:
                reading.comment = item.values[0]
            keep = len(item.values) > 1
        elif item.name in SYMBOLS or item.name in ("L", "LB"):
            for value in closed:
                symbol = SYMBOLS.get(item.name, "?")
                place = value
                if item.name == "LB" and ":" in value:
                    place, label = value.split(":", 1)
                    label = label.strip(SPACE).removeprefix("\\")
                    symbol = label if re.fullmatch("[a-zA-Z0-9@#$%&?]", label) else "?"
                elif item.name == "L":
                    symbol = (LETTERS[26:] + LETTERS[:26] + "?")[letters]
                    letters = min(letters + 1, 52)
                points = read_points(place.strip(SPACE), width, height)
                reading.marks += [(point, symbol) for point in points or []]
        seen.add(item.name)
        if keep:
            reading.kept.append((item.written, item.text))
    if is_root:
        if stones:
            reading.setup = {point: color for point, color in stones.items() if color}
        return [(kind, color, point, True) for kind, color, point in moves]
    steps: list[tuple[object, ...]] = [("setup", 0, stones)] if stones else []
    steps += moves
    steps = steps or [("note", 0, None)]
    return [(*step, place > 0) for place, step in enumerate(steps)]


def read_move(item: Property, closed: list[str], width: int, height: int) -> tuple[object, ...]:
    if not closed:
        return ("unreadable", 0, None)
    text = closed[0].strip(SPACE)
    point = read_point(text, width, height) or read_name(text, width, height)
    if is_after_last(text, width, height):
        return ("move", COLORS[item.name], None)
    if point is None and not (text == "" or (text == "tt" and width <= 19 and height <= 19)):
        return ("unreadable", 0, None)
    return ("move", COLORS[item.name], point)
