"""Strategies for valid wei7 3.0 documents with every construct, and spoiled ones."""

from __future__ import annotations

import json

from helpers import draws
from oracles.wei7 import Game, Object, is_array


class Raw(str):
    """JSON text to write as it is."""

    __slots__ = ()


def write(value) -> str:
    """JSON text of a value; an `Object` may repeat names, a `Raw` is taken as it is."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, Object):
        return "{" + ", ".join(f"{json.dumps(name)}: {write(one)}" for name, one in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(write(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def plain(value):
    """The same value with `Object`s for dicts, so that it can be spoiled."""
    if isinstance(value, dict):
        return Object((name, plain(one)) for name, one in value.items())
    return [plain(one) for one in value] if isinstance(value, list) else value


texts = draws.text(draws.characters(exclude_categories=("Cs",)), max_size=8)
lines = draws.text(draws.sampled_from("ab Z9围棋𠀀é\u200d"), max_size=6)
colors = draws.sampled_from([1, 2])
halves = draws.integers(1, 1023).map(lambda n: n // 2 if n % 2 == 0 else n / 2)
symbols = draws.sampled_from("azAZ09@#$%&?")
times = draws.one_of(draws.integers(0, 86_399), draws.integers(0, 86_399_000).map(lambda n: n / 1000))
date_times = draws.sampled_from(
    [
        "2013-03-06T10:10Z",
        "2000-02-29T00:00:59Z",
        "1999-12-31T23:59:59.123456789Z",
        "2008-12-31T23:59:60Z",
        "2013-01-01T24:00Z",
    ]
)


def choice(draw, values):
    return draw(draws.sampled_from(values))


def shuffled(draw, values):
    return draw(draws.permutations(values))


def some(draw, **members):
    """An object with any of these members, in any order."""
    chosen = draw(draws.integers(0, (1 << len(members)) - 1))
    names = [name for number, name in enumerate(members) if chosen >> number & 1]
    return {name: draw(members[name]) for name in shuffled(draw, names)}


results = draws.one_of(
    draws.fixed_dictionaries({"winner": colors}, optional={"margin": halves}),
    draws.just({"winner": None}),
    draws.builds(lambda m: {"margin": m, "winner": None}, halves),
)
persons = draws.lists(
    draws.fixed_dictionaries({}, optional=dict.fromkeys(("id", "name", "rank", "title", "domain"), lines)), max_size=3
)
rule_sets = draws.fixed_dictionaries(
    {},
    optional={
        "komi": draws.integers(0, 19).map(lambda n: n / 2),
        "scoring": draws.sampled_from(["area", "territory"]),
        "type": draws.sampled_from(["Chinese", "Japanese", "Korean"]),
    },
)


@draws.composite
def information(draw):
    """An `info` object."""
    people = draw(persons)
    info = some(draw, id=lines, domain=lines, name=lines, place=lines, time=date_times, rules=rule_sets, result=results)
    if people:
        players = draws.fixed_dictionaries(
            {"participant": draws.integers(0, len(people) - 1)}, optional={"color": colors}
        )
        info["players"] = draw(draws.lists(players, max_size=3))
    if people or draw(draws.booleans()):
        info["participants"] = people
    return info


class Writer:
    """Draws one valid tree, keeping the position on the way so that every move is playable."""

    def __init__(self, draw, width, height, people, revision):
        self.draw = draw
        self.width, self.height, self.people, self.revision = width, height, people, revision
        self.rules = Game(
            Object([("size", Object([("width", width), ("height", height)])), ("tree", Object())]), revision
        )

    def point(self):
        """Any point."""
        return self.draw(draws.integers(0, self.width - 1)), self.draw(draws.integers(0, self.height - 1))

    def marks(self):
        """An array of marks."""
        count = self.draw(draws.integers(0, 2))
        return [
            {"symbol": self.draw(symbols), "point": dict(zip("xy", self.point(), strict=True))} for _ in range(count)
        ]

    def tree(self, depth, board, history, touched, problem):
        """A tree that starts in this position."""
        draw, tree = self.draw, {}
        asks = False
        if draw(draws.booleans()):
            pre = some(draw, comment=texts)
            if draw(draws.booleans()):
                pre["marks"] = self.marks()
            if draw(draws.integers(0, 3)) == 0 and (not problem or self.revision == 2):
                pre["problem"], asks = {"color": draw(colors)}, True
            if not touched and draw(draws.booleans()):
                board = self.setup(pre)
                touched = bool(board)
            tree["pre"] = pre
        if draw(draws.booleans()):
            tree["title"] = draw(texts)
        if draw(draws.integers(0, 3)):
            tree["steps"] = steps = []
            for _ in range(draw(draws.integers(0, 6))):
                step, board = self.step(board, history, asks)
                touched = touched or step["action"]["type"] == "move"
                steps.append(step)
        if depth and draw(draws.booleans()):
            tree["branches"] = [
                self.tree(depth - 1, board, list(history), touched, problem or asks)
                for _ in range(draw(draws.integers(0, 2)))
            ]
        return dict(shuffled(draw, list(tree.items())))

    def setup(self, pre):
        """Preset stones, each kept only where no block loses its last liberty."""
        board = {}
        for _ in range(self.draw(draws.integers(0, 5))):
            point = self.point()
            trial = {**board, point: self.draw(colors)}
            if point not in board and all(self.rules.liberties(trial, one) for one in trial):
                board = trial
        pre["stones"] = [{"color": color, "point": {"x": x, "y": y}} for (x, y), color in board.items()]
        return board

    def step(self, board, history, asks):
        """A step, and the position after it."""
        draw = self.draw
        kind = choice(draw, ("move", "move", "move", "takeback", "result", "mark", "message"))
        if kind == "takeback" and not history:
            kind = "move"
        step = some(draw, time=times, comment=texts)
        if self.people and draw(draws.booleans()):
            step["actor"] = draw(draws.integers(0, self.people - 1))
        if draw(draws.integers(0, 3)) == 0:
            step["marks"] = self.marks()
        if kind == "move":
            value, board = self.move(board, history, asks)
        elif kind == "takeback":
            value = draw(draws.integers(1, len(history)))
            board = history[-value]
            del history[-value:]
        elif kind == "result":
            value = draw(results)
        elif kind == "mark":
            value = {"point": dict(zip("xy", self.point(), strict=True)), "symbol": draw(symbols)}
        else:
            value = draw(texts)
        order = draw(draws.booleans())
        step["action"] = {"type": kind, "value": value} if order else {"value": value, "type": kind}
        return step, board

    def move(self, board, history, asks):
        """The value of a move, and the position after it."""
        point, color = self.point(), self.draw(colors)
        history.append(board)
        value = {"color": color, "point": None}
        if point not in board and self.draw(draws.integers(0, 9)):
            value["point"] = {"x": point[0], "y": point[1]}
            board = self.rules.played(board, point, color)
        words = ["bad", "good"] if self.revision == 7 else ["bad", "good", "trick", "controversial"]
        if (asks and self.revision == 7) or self.draw(draws.booleans()):
            value["evaluation"] = choice(self.draw, words)
        if self.revision == 2 and self.draw(draws.booleans()):
            value["problem"] = {"color": self.draw(colors)}
        return value, board


SIZES = [(19, 19), (3, 3), (1, 1), (2, 5), (9, 9), (7, 1)]


@draws.composite
def _document(draw, revision, sizes):
    root = {"format": "wei7", "version": "3.0"}
    width, height = choice(draw, sizes)
    if width != height or draw(draws.booleans()):
        root["size"] = {"width": width, "height": height}
    elif width != 19 or draw(draws.booleans()):
        root["size"] = width
    people = 0
    if draw(draws.booleans()):
        root["info"] = draw(information())
        people = len(root["info"].get("participants", []))
    root["tree"] = Writer(draw, width, height, people, revision).tree(2, {}, [], False, False)
    return dict(shuffled(draw, list(root.items())))


def documents(revision=7, sizes=SIZES):
    """Valid documents as Python dicts and lists."""
    return draws.drawn(_document(revision, sizes))


def places(value, found=None):
    """Every container inside a value, outermost first."""
    found = [] if found is None else found
    if isinstance(value, (Object, list)):
        found.append(value)
        for one in value:
            places(one[1] if isinstance(value, Object) else one, found)
    return found


NAMES = [
    "format",
    "version",
    "size",
    "info",
    "tree",
    "width",
    "height",
    "domain",
    "id",
    "name",
    "rules",
    "time",
    "place",
    "participants",
    "players",
    "result",
    "scoring",
    "komi",
    "type",
    "title",
    "rank",
    "participant",
    "color",
    "winner",
    "margin",
    "pre",
    "steps",
    "branches",
    "stones",
    "problem",
    "marks",
    "comment",
    "point",
    "x",
    "y",
    "symbol",
    "action",
    "actor",
    "value",
    "evaluation",
    "other",
    "Size",
]
VALUES = (
    *(
        None,
        True,
        False,
        "",
        "a",
        "*",
        "bad",
        "trick",
        "move",
        "takeback",
        "wei7",
        "3.0",
        "2013-02-29T00:00Z",
        "two\nlines",
    ),
    *("tab\t", "x" * 129, "\u2028", "\ud800", 0, 1, 2, 3, -1, 18, 19, 0.5, 0.25, 511.5, 512, 86400, 10, 10**20),
    *(Raw("1.0"), Raw("-0"), Raw("1e999"), Raw("1e-3"), Raw("20e-1"), Raw("6.4999999999999999999999")),
    *([], [[]], {}, {"x": 0, "y": 0}, {"color": 1}, {"winner": 1}, {"type": "message", "value": ""}, [{}]),
)


@draws.composite
def _spoiled(draw, revision):
    root = plain(draw(_document(revision, SIZES)))
    for _ in range(draw(draws.integers(1, 3))):
        spoil(draw, choice(draw, places(root)))
    return root


def spoiled(revision=7):
    """Documents with one to three changes to their structure, as `Object`s and lists."""
    return draws.drawn(_spoiled(revision))


def spoil(draw, place):
    """Change one object or array."""
    value = plain(choice(draw, VALUES))
    name = choice(draw, NAMES)
    new = (name, value) if isinstance(place, Object) else value
    if not place:
        place.append(new)
        return
    index = draw(draws.integers(0, len(place) - 1))
    what = choice(draw, ("replace", "replace", "delete", "add", "repeat", "rename", "swap"))
    if what == "replace":
        place[index] = (place[index][0], value) if isinstance(place, Object) else value
    elif what == "delete":
        del place[index]
    elif what == "add":
        place.insert(index, new)
    elif what == "repeat":
        place.append(place[index])
    elif what == "rename" and isinstance(place, Object):
        place[index] = (name, place[index][1])
    else:
        other = draw(draws.integers(0, len(place) - 1))
        if is_array(place):
            place[index], place[other] = place[other], place[index]
        else:
            (first, one), (second, two) = place[index], place[other]
            place[index], place[other] = (first, two), (second, one) if index != other else (first, one)
