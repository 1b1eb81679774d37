"""`Row`: KataGo's analysis of one position of one game, read from a response of its analysis engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from ..._util._native import JsonShape, Later, Words, untrack
from ...coordinates import Point, from_gtp, to_gtp
from ..evaluation import MoveInfo, Report

_MOVE_NUMBERS: Final = {
    "winrate": "winrate",
    "scoreLead": "score_lead",
    "scoreStdev": "score_stdev",
    "prior": "prior",
    "lcb": "lcb",
    "utility": "utility",
}
_ROOT_NUMBERS: Final = {
    "winrate": "winrate",
    "scoreLead": "score_lead",
    "scoreStdev": "score_stdev",
    "utility": "utility",
}
_MOST_VERTICES: Final = 4096
_COLORS: Final = {"B": 1, "W": 2}
_order: Final = attrgetter("order")
_COLUMNS: Final = (
    "game",
    "turn",
    "color",
    "visits",
    "winrate",
    "score_lead",
    "score_stdev",
    "utility",
    "move",
    "error",
)


@dataclass(slots=True)
class Row(Report):
    """A report with its place: `game` counts the games of `analyze` from 0, `turn` the moves before the position.

    `color` is the next player. `error` is the engine's message if it refused the game; then there is no report, and
    `turn` is None. Win rates and scores are from the side that the engine is configured for
    (`reportAnalysisWinratesAs`).
    """

    game: int = 0
    turn: int | None = None
    color: int | None = None
    error: str | None = None
    size: tuple[int, int] = (19, 19)

    if not TYPE_CHECKING:  # any name would be an attribute

        def __getattr__(self, name: str) -> Any:
            """The content of a plain response, read on first use; see `plain_row`."""
            find = _FROM_RESPONSE.get(name)
            if find is None:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            value = find(self)
            setattr(self, name, value)
            return value


def columns(rows: Iterable[Row]) -> dict[str, list[Any]]:
    """Return rows as columns, for `pyarrow.table` and data frames.

    They are `game`, `turn`, `color`, `visits`, `winrate`, `score_lead`, `score_stdev`, `utility`, `move` (the best one,
    as GTP names it) and `error`.
    """
    found: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    for row in rows:
        for name in _COLUMNS:
            if name != "move":
                found[name].append(getattr(row, name))
        best = row.best
        found["move"].append(None if best is None else to_gtp(best.move, *row.size))
    return found


_MOVES: Final = Later(
    [
        JsonShape(
            MoveInfo,
            [
                ("move", "word", ...),
                ("visits", "count", 0),
                ("winrate", "number", None),
                ("scoreLead", "number", None),
                ("scoreStdev", "number", None),
                ("prior", "number", None),
                ("lcb", "number", None),
                ("utility", "number", None),
                ("order", "count", 0),
                ("pv", ("word",), ()),
                ("pvVisits", ("count",), ()),
            ],
        )
    ]
)
_ROOT: Final = Later(
    JsonShape(
        None,
        [
            ("visits", "count", None),
            ("winrate", "number", None),
            ("scoreLead", "number", None),
            ("scoreStdev", "number", None),
            ("utility", "number", None),
        ],
    )
)
_RESPONSE: Final = JsonShape(
    None,
    [
        ("id", "text", ...),
        ("turnNumber", "count", ...),
        ("isDuringSearch", "flag", False),
        ("moveInfos", _MOVES, ...),
        ("rootInfo", _ROOT, ...),
        ("ownership", ["number"], None),
        ("ownershipStdev", ["number"], None),
    ],
    False,
)

read_plain: Final = _RESPONSE.read
"""`read_plain(line, words_of(size))`: the arguments of `plain_row`, `id` and `turnNumber` first; None for another line.

Plain is a response without errors or members that are seldom there, by a query about a board of that size.
"""


def plain_row(response: Any, size: tuple[int, int], game: int, turn: int) -> Row | None:
    """Return the row of a plain response, as `read_row` does; None where that is to judge it.

    What it has of the response is read from it on first use. The garbage collector does not visit the row:
    with a row for each of thousands of positions that took longer than to read them.
    """
    if response[5] is not None or response[6] is not None:
        for values in (response[5], response[6]):
            if values is not None and len(values) != size[0] * size[1]:
                return None
    row = _new_row(Row)
    untrack(row)
    row.unread = response
    row.game = game
    row.turn = turn
    row.error = None
    row.size = size
    return row


_new_row: Final = Row.__new__


def _root(row: Row) -> Any:
    """The members of `rootInfo`, read once."""
    unread = row.unread
    if type(unread[4]) is bytes:
        row.unread = unread = (*unread[:4], _ROOT.read(unread[4]), *unread[5:])
    return unread[4]


def _color(row: Row) -> int | None:
    player = _root(row)[5].get("currentPlayer")
    return _COLORS.get(player) if type(player) is str else None


def _moves(row: Row) -> list[MoveInfo]:
    moves: list[MoveInfo] = _MOVES.read(row.unread[3], words_of(row.size))
    if len(moves) > 1:
        moves.sort(key=_order)
    return moves


_FROM_RESPONSE: Final[dict[str, Callable[[Row], Any]]] = {
    "moves": _moves,
    "visits": lambda row: _root(row)[0],
    "winrate": lambda row: _root(row)[1],
    "score_lead": lambda row: _root(row)[2],
    "score_stdev": lambda row: _root(row)[3],
    "utility": lambda row: _root(row)[4],
    "extra": lambda row: _root(row)[5],
    "color": _color,
    "ownership": lambda row: row.unread[5],
    "ownership_stdev": lambda row: row.unread[6],
}


def read_row(response: dict[str, Any], size: tuple[int, int], game: int, turn: int) -> Row:
    """Return the row of a response. Raises `ValueError` for a member that does not follow the protocol."""
    root = response.get("rootInfo", {})
    if not isinstance(root, dict):
        raise ValueError("rootInfo is not an object")
    infos = response.get("moveInfos")
    if not isinstance(infos, list):
        raise ValueError("moveInfos is not a list")
    row = Row(moves=[_read_move(info, size) for info in infos], game=game, turn=turn, size=size)
    row.moves.sort(key=lambda info: info.order)
    for name, attribute in _ROOT_NUMBERS.items():
        if name in root:
            setattr(row, attribute, _number(root, name))
    if "visits" in root:
        row.visits = _count(root, "visits")
    player = root.get("currentPlayer")
    row.color = _COLORS.get(player) if isinstance(player, str) else None
    row.extra = {name: value for name, value in root.items() if name not in _ROOT_NUMBERS and name != "visits"}
    row.ownership = _ownership(response, "ownership", size)
    row.ownership_stdev = _ownership(response, "ownershipStdev", size)
    return row


def _read_move(info: Any, size: tuple[int, int]) -> MoveInfo:
    if not isinstance(info, dict):
        raise ValueError("an element of moveInfos is not an object")
    made = MoveInfo(_point(info.get("move"), size), _count(info, "visits") if "visits" in info else 0)
    for name, value in info.items():
        if name in _MOVE_NUMBERS:
            setattr(made, _MOVE_NUMBERS[name], _number(info, name))
        elif name == "order":
            made.order = _count(info, name)
        elif name == "pv":
            made.pv = tuple(_point(vertex, size) for vertex in _list(value, name))
        elif name == "pvVisits":
            made.pv_visits = tuple(_list(value, name))
        elif name not in ("move", "visits"):
            made.extra[name] = value
    return made


def _point(vertex: Any, size: tuple[int, int]) -> Point | None:
    if not isinstance(vertex, str):
        raise ValueError(f"a move is a text, not {vertex!r:.40}")
    return from_gtp(vertex, *size)


@lru_cache(maxsize=8)
def words_of(size: tuple[int, int]) -> Words:
    """Return the points that vertices name on a board of that size, and the pass."""
    width, height = size
    points: list[Point] = []
    if width * height <= _MOST_VERTICES:
        points = [(x, y) for x in range(width) for y in range(height)]
    named = {to_gtp(point, width, height): point for point in [None, *points]}
    return Words(named, lambda vertex: from_gtp(vertex, width, height))


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"{name} is not a list")
    return value


def _number(owner: dict[str, Any], name: str) -> float:
    value = owner[name]
    if type(value) is float and isfinite(value):
        return value
    if type(value) is not int or abs(value) >> 1000:
        raise ValueError(f"{name} is not a number: {value!r:.40}")
    return float(value)


def _count(owner: dict[str, Any], name: str) -> int:
    value = owner[name]
    if type(value) is not int or value < 0:
        raise ValueError(f"{name} is not a count: {value!r:.40}")
    return value


def _ownership(response: dict[str, Any], name: str, size: tuple[int, int]) -> list[float] | None:
    if response.get(name) is None:
        return None
    values = _list(response[name], name)
    if len(values) != size[0] * size[1]:
        raise ValueError(f"{name} has {len(values)} numbers for {size[0]} x {size[1]} points")
    return values
