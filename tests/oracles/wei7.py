"""A slow, obvious validator of wei7 3.0 texts, written from the specification and never shipped.

It reads the output of `json.loads`, knows nothing of offsets, and answers with sets of (code, path).
`local` breaches can be seen in one value; `context` breaches need the board size, the participants
or the path from the root, and are looked for only where there is no local breach.
"""

from __future__ import annotations

import calendar
import json
import re
from fractions import Fraction

SYMBOLS = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$%&?")


class Object(list):
    """A JSON object as its list of (name, value) pairs, in their order, repeated names included."""

    def get(self, name):
        """The value of the first member of that name, or None."""
        return next((value for key, value in self if key == name), None)

    def has(self, name):
        """Whether there is a member of that name."""
        return any(key == name for key, _ in self)


def parse(text):
    """The value of a JSON text: `Object`, list, str, bool, None, or exact numbers."""
    if text[:1] == "\ufeff":
        text = text[1:]
    return json.loads(text, object_pairs_hook=Object, parse_int=Fraction, parse_float=Fraction)


def is_number(value):
    """Whether a value is a number; true and false are none."""
    return isinstance(value, Fraction)


def is_array(value):
    """Whether a value is an array; an object is none."""
    return isinstance(value, list) and not isinstance(value, Object)


class Validator:
    """Collects the breaches of one text under one revision."""

    def __init__(self, revision):
        self.revision = revision
        self.errors = set()
        self.repeated = set()
        self.unclear = set()

    def report(self, code, path):
        """Note a breach."""
        self.errors.add((code, path))

    # -- generic values

    def object(self, value, path, required, optional):
        """Check the members of an object; false where it is none."""
        if not isinstance(value, Object):
            self.report("type-mismatch", path)
            return False
        seen = set()
        for name, _ in value:
            if name not in required and name not in optional:
                self.report("unknown-member", f"{path}.{name}")
            elif name in seen:
                self.report("duplicate-member", f"{path}.{name}")
                self.repeated.add(f"{path}.{name}")
            seen.add(name)
        if set(required) - seen:
            self.report("missing-member", path)
        return True

    def array(self, value, path, check):
        """Check every element of an array."""
        if not is_array(value):
            self.report("type-mismatch", path)
            return
        for index, element in enumerate(value):
            check(element, f"{path}[{index}]")

    def members(self, value, path, **checks):
        """Check the members that are present."""
        for name, check in checks.items():
            if value.has(name):
                check(value.get(name), f"{path}.{name}")

    def text(self, value, path):
        """Any string."""
        if not isinstance(value, str):
            self.report("type-mismatch", path)
        return isinstance(value, str)

    def strings(self, value, path):
        """A38, for every string wherever it is."""
        if isinstance(value, Object):
            for name, one in value:
                self.strings(one, f"{path}.{name}")
        elif isinstance(value, list):
            for index, one in enumerate(value):
                self.strings(one, f"{path}[{index}]")
        elif isinstance(value, str) and any(0xD800 <= ord(one) < 0xE000 for one in value):
            self.report("surrogate-lone", path)

    def short(self, value, path):
        """shortString [3.4]."""
        if not self.text(value, path):
            return
        faults = set()
        if len(value) > 128:
            faults.add("string-too-long")
        breaks = set("\n\x0b\x0c\r\x85\u2028\u2029")
        controls = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))} if self.revision == 7 else set()
        # In revision 7 a line break breaks both clauses, and one report is enough: it is reported as what it is.
        if set(value) & (controls - breaks):
            faults.add("string-control-character")
        if set(value) & breaks:
            faults.add("string-line-break")
        if len(faults) == 1:
            self.report(faults.pop(), path)
        elif faults:
            self.unclear.add(path)

    def one_of(self, *words):
        """A string out of a list."""

        def check(value, path):
            if not isinstance(value, str):
                self.report("type-mismatch", path)
            elif value not in words:
                self.report("value-not-allowed", path)

        return check

    def number(self, value, path, inside, *, half=False, integer=False):
        """A number; `inside`: whether it is in range."""
        if not is_number(value):
            self.report("type-mismatch", path)
        elif integer and value.denominator != 1:
            self.report("number-not-integer", path)
            if not inside(value):
                self.unclear.add(path)
        elif not inside(value):
            self.report("number-out-of-range", path)
            if half and (2 * value).denominator != 1:
                self.unclear.add(path)
        elif half and (2 * value).denominator != 1:
            self.report("number-not-half", path)

    # -- constraints

    def color(self, value, path):
        """color [3.5]."""
        if not is_number(value):
            self.report("type-mismatch", path)
        elif value not in (1, 2):
            self.report("value-not-allowed", path)

    def point(self, value, path):
        """point [3.6], all but the board."""
        if self.object(value, path, ("x", "y"), ()):
            for name in ("x", "y"):
                if value.has(name):
                    self.number(value.get(name), f"{path}.{name}", lambda v: v >= 0, integer=True)

    def index(self, value, path):
        """participantIndex [3.7], all but the number of participants."""
        self.number(value, path, lambda v: v >= 0, integer=True)

    def result(self, value, path):
        """result [3.8]."""
        if self.object(value, path, ("winner",), ("margin",)):
            self.members(
                value,
                path,
                winner=lambda v, p: v is None or self.color(v, p),
                margin=lambda v, p: self.number(v, p, lambda x: 0 < x < 512, half=True),
            )

    def mark(self, value, path):
        """mark [3.12]."""
        if self.object(value, path, ("point", "symbol"), ()):
            self.members(value, path, point=self.point, symbol=self.symbol)

    def symbol(self, value, path):
        """The symbol of a mark [3.12]."""
        allowed = SYMBOLS | ({"*"} if self.revision == 2 else set())
        self.one_of(*allowed)(value, path)

    def marks(self, value, path):
        """marks [3.13]."""
        self.array(value, path, self.mark)

    def problem(self, value, path):
        """problem [7: 3.15.2.2 | 2: 3.15]."""
        if self.object(value, path, ("color",), ()):
            self.members(value, path, color=self.color)

    # -- the record

    def root(self, value):
        """The root object [3.2]."""
        if not self.object(value, "$", ("format", "version", "tree"), ("size", "info")):
            return
        self.members(
            value,
            "$",
            format=self.one_of("wei7"),
            version=self.one_of("3.0"),
            size=self.size,
            info=self.info,
            tree=self.tree,
        )

    def size(self, value, path):
        """size [3.9]."""
        if is_number(value):
            self.number(value, path, lambda v: v >= 1, integer=True)
        elif self.object(value, path, ("width", "height"), ()):
            for name in ("width", "height"):
                if value.has(name):
                    self.number(value.get(name), f"{path}.{name}", lambda v: v >= 1, integer=True)

    def info(self, value, path):
        """info [3.10]."""
        names = ("domain", "id", "name", "rules", "time", "place", "participants", "players", "result")
        if self.object(value, path, (), names):
            self.members(
                value,
                path,
                **dict.fromkeys(("domain", "id", "name", "place"), self.short),
                rules=self.rules,
                time=self.date_time,
                participants=lambda v, p: self.array(v, p, self.participant),
                players=lambda v, p: self.array(v, p, self.player),
                result=self.result,
            )

    def rules(self, value, path):
        """info.rules [3.10.1]."""
        if self.object(value, path, (), ("scoring", "komi", "type")):
            self.members(
                value,
                path,
                scoring=self.one_of("area", "territory"),
                komi=lambda v, p: self.number(v, p, lambda x: 0 <= x < 10, half=True),
                type=self.one_of("Chinese", "Japanese", "Korean"),
            )

    def date_time(self, value, path):
        """info.time [3.10.2]."""
        if not isinstance(value, str):
            self.report("type-mismatch", path)
        elif date_time_state(value) == "bad":
            self.report("datetime-invalid", path)

    def participant(self, value, path):
        """An element of info.participants [3.10.4]."""
        names = ("domain", "id", "name", "title", "rank")
        if self.object(value, path, (), names):
            self.members(value, path, **dict.fromkeys(names, self.short))

    def player(self, value, path):
        """An element of info.players [3.10.7]."""
        if self.object(value, path, ("participant",), ("color",)):
            self.members(value, path, participant=self.index, color=self.color)

    def tree(self, value, path):
        """tree [7: 3.15 | 2: 3.16]."""
        if self.object(value, path, (), ("title", "pre", "steps", "branches")):
            self.members(
                value,
                path,
                title=self.text,
                pre=self.pre,
                steps=lambda v, p: self.array(v, p, self.step),
                branches=lambda v, p: self.array(v, p, self.tree),
            )

    def pre(self, value, path):
        """pre [7: 3.15.2 | 2: 3.16.2]."""
        if self.object(value, path, (), ("stones", "problem", "marks", "comment")):
            self.members(
                value,
                path,
                stones=lambda v, p: self.array(v, p, self.stone),
                problem=self.problem,
                marks=self.marks,
                comment=self.text,
            )

    def stone(self, value, path):
        """An element of stones [7: 3.15.2.1 | 2: 3.16.2.1]."""
        if self.object(value, path, ("color", "point"), ()):
            self.members(value, path, color=self.color, point=self.point)

    def step(self, value, path):
        """A step [7: 3.15.3 | 2: 3.16.3]."""
        if self.object(value, path, ("action",), ("time", "actor", "marks", "comment")):
            self.members(
                value,
                path,
                time=lambda v, p: self.number(v, p, lambda x: 0 <= x < 86400),
                action=self.action,
                actor=self.index,
                marks=self.marks,
                comment=self.text,
            )

    def action(self, value, path):
        """The action of a step [7: 3.15.3.2 | 2: 3.16.3.2]; `value` is always required (A1)."""
        if not self.object(value, path, ("type", "value"), ()):
            return
        kind = value.get("type")
        checks = {
            "move": self.move,
            "takeback": lambda v, p: self.number(v, p, lambda x: x >= 1, integer=True),
            "result": self.result,
            "mark": self.mark,
            "message": self.text,
        }
        if value.has("type"):
            self.one_of(*checks)(kind, f"{path}.type")
        if isinstance(kind, str) and kind in checks and value.has("value"):
            checks[kind](value.get("value"), f"{path}.value")
        else:
            self.unclear.add(f"{path}.value")

    def move(self, value, path):
        """The value of a move [7: 3.15.3.2.1 | 2: 3.16.3.2.1]."""
        words = ("bad", "good") if self.revision == 7 else ("bad", "good", "trick", "controversial")
        optional = ("evaluation",) if self.revision == 7 else ("evaluation", "problem")
        if self.object(value, path, ("color", "point"), optional):
            self.members(
                value,
                path,
                color=self.color,
                point=lambda v, p: v is None or self.point(v, p),
                evaluation=self.one_of(*words),
            )
            if self.revision == 2:
                self.members(value, path, problem=self.problem)


def date_time_state(text):
    """`good`, `unusual` (A53, A54) or `bad`, of a start time [3.10.2]."""
    found = re.fullmatch(
        r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(\.[0-9]{1,9})?)?Z", text
    )
    if not found:
        return "bad"
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    fraction = Fraction(found[7] or "0")
    leap = 1 if month == 2 and calendar.isleap(year) else 0
    if not 1 <= month <= 12 or not 1 <= day <= [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] + leap:
        return "bad"
    if (hour, minute, second, fraction) == (24, 0, 0, 0) or (hour, minute, second) == (23, 59, 60):
        return "unusual"
    return "good" if hour < 24 and minute < 60 and second < 60 else "bad"


class Game:
    """Walks a text without local breaches: what the board size, `info` and the path decide."""

    def __init__(self, root, revision):
        self.revision = revision
        self.problems = set()
        self.warnings = set()
        size = root.get("size")
        self.width, self.height = (19, 19)
        if isinstance(size, Object):
            self.width, self.height = int(size.get("width")), int(size.get("height"))
        elif size is not None:
            self.width = self.height = int(size)
        info = root.get("info") or Object()
        self.people = len(info.get("participants") or [])
        self.info(info)
        self.tree(root.get("tree"), "$.tree", Way())

    def info(self, info):
        """What `info` itself decides."""
        players = []
        for number, player in enumerate(info.get("players") or []):
            self.person(player, f"$.info.players[{number}]", "participant")
            if sorted(player) in players:
                self.warnings.add(("player-duplicate", f"$.info.players[{number}]"))
            players.append(sorted(player))
        if info.has("time") and date_time_state(info.get("time")) == "unusual":
            self.warnings.add(("datetime-unusual", "$.info.time"))
        if info.has("result"):
            self.draw(info.get("result"), "$.info.result")

    def draw(self, result, path):
        """A34."""
        if result.get("winner") is None and result.has("margin"):
            self.warnings.add(("result-margin-draw", path))

    def person(self, value, path, name):
        """participantIndex [3.7]."""
        if value.has(name) and value.get(name) >= self.people:
            self.problems.add(("participant-index", f"{path}.{name}"))

    def point(self, value, path):
        """point [3.6]; its coordinates."""
        x, y = value.get("x"), value.get("y")
        if x >= self.width:
            self.problems.add(("point-off-board", f"{path}.x"))
        if y >= self.height:
            self.problems.add(("point-off-board", f"{path}.y"))
        return int(x), int(y)

    def marks(self, owner, path):
        """marks [3.13] and A20."""
        symbols = {}
        for number, mark in enumerate(owner.get("marks") or []):
            point = self.point(mark.get("point"), f"{path}.marks[{number}].point")
            if symbols.setdefault(point, mark.get("symbol")) != mark.get("symbol"):
                self.warnings.add(("marks-on-one-point", f"{path}.marks"))

    def tree(self, tree, path, way):
        """One branch, after everything on the way to it."""
        pre = tree.get("pre")
        asks = pre is not None and pre.has("problem")
        if pre is not None:
            self.pre(pre, f"{path}.pre", way)
        way.own = 0
        for number, step in enumerate(tree.get("steps") or []):
            self.step(step, f"{path}.steps[{number}]", way, asks)
        way.problem = way.problem or asks
        for number, branch in enumerate(tree.get("branches") or []):
            self.tree(branch, f"{path}.branches[{number}]", way.copy())

    def pre(self, pre, path, way):
        """P-8 to P-10."""
        self.marks(pre, path)
        if pre.has("problem") and way.problem and self.revision == 7:
            self.problems.add(("problem-nested", f"{path}.problem"))
        stones = pre.get("stones") or []
        if stones and way.touched:
            self.problems.add(("setup-after-move", f"{path}.stones"))
        way.touched = way.touched or bool(stones)
        placed = {}
        for number, stone in enumerate(stones):
            point = self.point(stone.get("point"), f"{path}.stones[{number}].point")
            if point in placed:
                self.problems.add(("setup-point-taken", f"{path}.stones[{number}]"))
            placed[point] = stone.get("color")
        if not self.problems and way.board is not None and stones:
            way.board = placed
            if any(not self.liberties(placed, point) for point in placed):
                self.problems.add(("setup-no-liberty", f"{path}.stones"))

    def step(self, step, path, way, asks):
        """One step after the steps before it."""
        self.person(step, path, "actor")
        self.marks(step, path)
        if step.has("time"):
            if way.time is not None and step.get("time") < way.time:
                self.warnings.add(("time-decreasing", f"{path}.time"))
            way.time = step.get("time")
        kind, value = step.get("action").get("type"), step.get("action").get("value")
        if kind == "move":
            self.move(value, path, way, asks)
        elif kind == "takeback":
            self.takeback(value, path, way)
        elif kind == "mark":
            self.point(value.get("point"), f"{path}.action.value.point")
        elif kind == "result":
            self.draw(value, f"{path}.action.value")

    def takeback(self, count, path, way):
        """B-1, A8, A9."""
        if count > len(way.moves):
            self.problems.add(("takeback-too-deep", f"{path}.action.value"))
            way.board = None
            return
        if count > way.own:
            self.warnings.add(("takeback-of-parent", f"{path}.action.value"))
        way.own = max(0, way.own - int(count))
        way.board = way.moves[-int(count)]
        del way.moves[-int(count) :]

    def move(self, value, path, way, asks):
        """M-5, A22, D-1."""
        way.touched = True
        if self.revision == 7 and not value.has("evaluation"):
            if asks:
                self.problems.add(("evaluation-missing", f"{path}.action.value"))
            elif way.problem:
                self.warnings.add(("evaluation-missing-later", f"{path}.action.value"))
        way.moves.append(way.board)
        way.own += 1
        if value.get("point") is None:
            return
        point = self.point(value.get("point"), f"{path}.action.value.point")
        if way.board is not None and not self.problems:
            if point in way.board:
                self.problems.add(("move-occupied", f"{path}.action.value"))
            else:
                way.board = self.played(way.board, point, value.get("color"))

    def neighbours(self, point):
        """The points adjacent to a point."""
        x, y = point
        around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
        return [(x, y) for x, y in around if 0 <= x < self.width and 0 <= y < self.height]

    def block(self, board, point):
        """The stones connected to a stone."""
        found, waiting = {point}, [point]
        while waiting:
            for near in self.neighbours(waiting.pop()):
                if near not in found and board.get(near) == board[point]:
                    found.add(near)
                    waiting.append(near)
        return found

    def liberties(self, board, point):
        """The empty points adjacent to a stone's block."""
        return {near for stone in self.block(board, point) for near in self.neighbours(stone) if near not in board}

    def played(self, board, point, color):
        """The position after a stone [7: 9.19.8 | 2: 9.16]."""
        board = {**board, point: color}
        for side in (3 - color, color):
            dead = [one for one in board if board[one] == side and not self.liberties(board, one)]
            board = {one: stone for one, stone in board.items() if one not in dead}
        return board


class Way:
    """What has happened on the path from the root."""

    def __init__(self):
        self.touched = False
        self.problem = False
        self.time = None
        self.board = {}
        self.moves = []
        self.own = 0

    def copy(self):
        """The same for a branch."""
        other = Way()
        other.__dict__.update(self.__dict__, moves=list(self.moves))
        return other


def local(text, revision):
    """The validator of a text after it has looked at every value by itself."""
    validator = Validator(revision)
    value = parse(text)
    validator.root(value)
    validator.strings(value, "$")
    return validator


def context(text, revision):
    """The game of a text that has no local breach."""
    return Game(parse(text), revision)
