"""Trees of OGS: `move_tree` of reviews and problems, and the messages of which a review consists.

Their meaning is defined by the server's viewer, which is free software. A node of `move_tree` has `x` and `y` (-1: a
pass), `trunk_next` (the main line), `branches`, `text`, `marks` (objects with `x`, `y` and `marks`), `correct_answer`
and `wrong_answer`; with `edited`, it puts a stone of the colour `player` there. The root has no move. A node that is in
`moves` already is the same place.

A message goes to the place after `f` moves of the main line and the moves `m` (pairs of letters, `!1`, `!2` and `!0`
before one: a stone put there or removed), and creates what is missing; `om` is a move of the main line, `undo` takes
one back. `t` sets the text of that place, `t+` continues it, `k` sets its marks (names or labels, with points),
`delete` removes it.

In a problem, a move of the solver is good where its line leads to a right answer, and bad otherwise; replies are good.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeGuard

from ...record.document import Mark, Point
from ..record_columns import MOVE, SETUP, UNREADABLE
from ..record_rows import NO_SPAN
from ..sgf.properties import SHAPE_MARKS
from .json_values import JsonObject
from .places import Place
from .server_games import BLACK, WHITE, ServerGame

_SHAPES: Final = {"triangle": "TR", "square": "SQ", "circle": "CR", "cross": "MA"}
_TEXTS: Final = ("letter", "subscript")
_LONGEST_LABEL: Final = 3  # a longer name of a mark is one of a shape
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_PAIR: Final = re.compile(r"(?:!([0-9]))?(.)(.)")
_MOST_KEPT: Final = 50

Pair = tuple["int | None", "Point | None", bool]
"""The colour before a point, 0 where there is none; the point, None for a pass; and whether it can be read."""


def letters(text: Any) -> list[Pair]:
    """Return points as pairs of letters, `..` a pass; the colour is None without `!`. Thread safe."""
    found: list[Pair] = []
    for digit, x, y in _PAIR.findall(text if isinstance(text, str) else ""):
        color = int(digit) if digit else None
        if x + y == "..":
            found.append((color, None, True))
        elif x in _LETTERS and y in _LETTERS:
            found.append((color, (_LETTERS.index(x), _LETTERS.index(y)), True))
        else:
            found.append((color, None, False))
    return found


def whole(value: Any, least: int, most: int) -> TypeGuard[int]:
    """Return whether `value` is an integer from `least` to `most`. Thread safe."""
    return type(value) is int and least <= value <= most


class TreeReader:
    """The tree of a game in the making: `trunk` has the places of the main line after the root."""

    def __init__(self, game: ServerGame, color: int, free: int) -> None:
        self.game, self._free = game, free
        self.root = Place(game.head, next_color=color)
        self.trunk: list[Place] = []
        self._unread: dict[str, int] = {}
        self._texts: dict[Place, list[str]] = {}  # of messages, in pieces: a text may go on in each of them

    def play(self, parent: Place, offset: int, point: Point | None, color: int | None, *, is_setup: bool) -> Place:
        """Return the place after a move or a stone set up, a new one where the tree has none."""
        used = parent.next_color if color is None else color
        kind = SETUP if is_setup else MOVE
        key = (kind, used, point)
        place = parent.children.get(key)
        if place is None:
            depth = parent.depth + 1
            following = parent.next_color
            if not is_setup:
                following = used if depth < self._free else BLACK + WHITE - used
            place = Place(offset, kind, used, point, following, depth, parent)
            parent.children[key] = place
            game = self.game
            sides = game.size, game.height or game.size
            if is_setup and point is None:
                self.refuse(place, "move-invalid", "this is not a stone")
            elif point is not None and not is_inside(point, sides):
                message = f"the point {point} is not on the board of {sides[0]} x {sides[1]}"
                self.refuse(place, "point-off-board", message)
        return place

    def refuse(self, place: Place, code: str, message: str) -> None:
        """Make a place unreadable, which ends its line."""
        place.kind = UNREADABLE
        self.game.report(code, place.offset, f"move {place.depth}", message)

    def broken(self, parent: Place, offset: int) -> None:
        """Add a move that could not be read."""
        key = (UNREADABLE, offset, None)
        if key not in parent.children:
            place = parent.children[key] = Place(offset, UNREADABLE, depth=parent.depth + 1, parent=parent)
            self.refuse(place, "move-invalid", "this is not a move")

    def add_nodes(self, tree: JsonObject) -> None:
        """Add all nodes of a `move_tree`."""
        self._about(tree, self.root)
        waiting: list[tuple[JsonObject, Place]] = [(tree, self.root)]
        while waiting:
            node, place = waiting.pop()
            below: list[Any] = [node["trunk_next"]] if node.get("trunk_next") else []
            branches = node.get("branches") or []
            if isinstance(branches, list):
                below += branches
            else:
                self.game.report("value-invalid", node.offset, "move_tree", "branches is not a list")
            made: list[tuple[JsonObject, Place]] = []
            for one in below:
                if not isinstance(one, JsonObject):
                    self.broken(place, node.offset)
                    continue
                child = self._place(one, place)
                if child is not None:
                    made.append((one, child))
            waiting.extend(reversed(made))

    def _place(self, node: JsonObject, parent: Place) -> Place | None:
        x, y = node.get("x"), node.get("y")
        if not whole(x, -1, 9999) or not whole(y, -1, 9999):
            self.broken(parent, node.offset)
            return None
        color = node.get("player")
        is_setup = node.get("edited") is True and whole(color, 0, WHITE)
        point = None if -1 in (x, y) else (x, y)
        place = self.play(parent, node.offset, point, color if is_setup else None, is_setup=is_setup)
        if place.kind == UNREADABLE:
            return None
        self._about(node, place)
        return place

    def _about(self, node: JsonObject, place: Place) -> None:
        text = node.get("text")
        if isinstance(text, str) and text:
            place.comment, place.span = text, node.spans["text"]
        elif text:
            self.game.report("value-invalid", node.offset, "move_tree", "text is not a string")
        is_right, is_wrong = bool(node.get("correct_answer")), bool(node.get("wrong_answer"))
        if is_right != is_wrong:
            place.verdict = "good" if is_right else "bad"
        elif is_right:
            self.game.report(
                "value-invalid", node.offset, "move_tree", "the answer is right and wrong; neither is taken"
            )
        if node.get("pen_marks"):
            self._unread.setdefault("pen_marks", node.offset)
        marks = node.get("marks")
        if not marks:
            return
        place.marks = []
        for one in marks if isinstance(marks, list) else [None]:
            shown = one.get("marks") if isinstance(one, JsonObject) else None
            if not isinstance(shown, JsonObject) or not isinstance(one, JsonObject):
                self.game.report("value-invalid", node.offset, "move_tree", "this is not a mark")
                continue
            point = one.get("x"), one.get("y")
            for name, value in shown.items():
                if value:
                    label = str(value) if name in _TEXTS and isinstance(value, str) else ""
                    self._mark(place, one.offset, point, name, label)

    def _mark(self, place: Place, offset: int, point: tuple[Any, Any], name: str, label: str) -> None:
        game = self.game
        if not (whole(point[0], 0, 9999) and whole(point[1], 0, 9999)) or not is_inside(
            point, (game.size, game.height or game.size)
        ):
            game.report("value-invalid", offset, "marks", "the point of a mark is not on the board; it is not read")
        elif label:
            place.marks.append(Mark(point, label))
        elif name in _SHAPES:
            shape, symbol = SHAPE_MARKS[_SHAPES[name]]
            place.marks.append(Mark(point, symbol, shape=shape))
        elif len(self._unread) < _MOST_KEPT:
            self._unread.setdefault(f"marks {name[:20]}", offset)

    def add_messages(self, messages: list[Any]) -> None:
        """Apply the messages of a review."""
        here = self._last()
        for message in messages:
            if isinstance(message, JsonObject):
                here = self._obey(message, here)
            else:
                self.game.report("value-invalid", self.game.head, "messages", "this is not a message")

    def _obey(self, message: JsonObject, here: Place) -> Place:
        if isinstance(message.get("m"), str) and "f" in message:
            here = self._go(message)
        if "om" in message:
            here = self._official(message, here)
        if message.get("undo") and self.trunk:
            undone = self.trunk.pop()
            here = self._last() if here is undone else here
        for name in ("t", "t+"):
            text = message.get(name)
            if isinstance(text, str):
                pieces = self._texts.setdefault(here, [here.comment] if here.comment else [])
                if name == "t":
                    pieces.clear()
                if text:
                    pieces.append(text)
                    here.span = message.spans[name]
                if not pieces:
                    here.span = NO_SPAN
        shown = message.get("k")
        if isinstance(shown, JsonObject):
            here.marks = []
            for name, points in shown.items():
                for _, point, _ in letters(points):
                    label = name if len(name) <= _LONGEST_LABEL else ""
                    self._mark(here, message.offset, point or (None, None), name, label)
        if "pen" in message:
            self._unread.setdefault("pen", message.offset)
        if "delete" in message and here.parent is not None and here.parent.main is not here:
            del here.parent.children[here.kind, here.color, here.point]
            here = here.parent
        return here

    def _last(self) -> Place:
        return self.trunk[-1] if self.trunk else self.root

    def _go(self, message: JsonObject) -> Place:
        start = message["f"] or 0
        here = self._last()
        if whole(start, 0, len(self.trunk)):
            here = self.trunk[start - 1] if start else self.root
        for color, point, is_read in letters(message["m"]):
            if not is_read:
                self.broken(here, message.offset)
                break
            made = self.play(here, message.offset, point, color, is_setup=color is not None)
            if made.kind == UNREADABLE:
                break
            here = made
        return here

    def _official(self, message: JsonObject, here: Place) -> Place:
        move, last = message["om"], self._last()
        if not isinstance(move, list) or len(move) < 2 or not all(whole(one, -1, 9999) for one in move[:2]):
            self.broken(last, message.offset)
            return here
        point = None if -1 in move[:2] else (move[0], move[1])
        made = self.play(last, message.offset, point, None, is_setup=False)
        if made.kind == UNREADABLE:
            return here
        self.add_to_trunk(made)
        return made if here is last else here

    def add_to_trunk(self, place: Place) -> None:
        """Make a place the next one of the main line."""
        self._last().main = place
        self.trunk.append(place)

    def finish(self) -> Place:
        """Report what was not read, judge the moves of a problem, and return the root."""
        for name, offset in self._unread.items():
            self.game.report("text-outside-record", offset, "move_tree", f"{name} of move_tree: not read")
        for place, pieces in self._texts.items():
            place.comment = "".join(pieces)
        places = [self.root]
        for place in places:
            places.extend(place.children.values())
        verdicts = {place.verdict for place in places} - {None}
        if verdicts:
            self.game.asks = self.root.next_color
            _judge(places, self.root.next_color, any_right="good" in verdicts)
        return self.root


def _judge(places: list[Place], solver: int, *, any_right: bool) -> None:
    """Evaluate the moves of places, each of which comes after its parent."""
    right: set[int] = set()
    wrong: set[int] = set()
    for place in reversed(places):
        for verdict, leads in (("good", right), ("bad", wrong)):
            if (place.verdict == verdict or id(place) in leads) and place.parent is not None:
                leads.add(id(place))
                leads.add(id(place.parent))
    for place in places:
        if place.kind != MOVE or place.parent is None:
            continue
        if place.color != solver:
            place.evaluation = "good"
        elif place.verdict is not None:
            place.evaluation = place.verdict
        else:
            is_good = id(place) in right if any_right else id(place) not in wrong
            place.evaluation = "good" if is_good else "bad"


def is_inside(point: Point, sides: tuple[int, int]) -> bool:
    """Return whether a board has a point. Thread safe."""
    return point[0] < sides[0] and point[1] < sides[1]
