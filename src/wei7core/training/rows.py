"""The plain layout of training rows: one position each, as NumPy arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import numpy as np

from .._util.lazy_numpy import Array
from .._util.numbers import integer
from .._util.words import shapes_text

OF_GAMES: Final = ("game", "move_number")
"""The fields that identify the game and position of a row."""

_NO_ARRAYS: Final = frozenset({"policy_is_counts", "source", "first_row"})


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class TrainingRows:
    """n positions as a network is trained on them, one array a field; all but `own` and `opponent` may be None.

    Planes are indexed [row, y, x], y = 0 at the top, and hold 0 and 1 as `uint8`, `bool`, other integers or floats.
    "Own" is the side to move. Nothing is checked here: `wei7core.check_rows` finds all errors, including wrong shapes
    of arrays.

    - `own`, `opponent`, (n, height, width): their stones
    - `to_move`, (n,): the color to move, 1 black and 2 white; without it the color of the stones is unknown
    - `on_board`, (n, height, width): the points of the board, where it is smaller than the arrays: a rectangle in their
      upper left corner
    - `ko`, (n, height, width): where the side to move may not play because of ko
    - `legal`, (n, height * width + 1): the points where it may play, row by row, the pass last
    - `policy`, (n, height * width + 1), in the same order: probabilities that sum to 1, or with `policy_is_counts`
      visits or other weights that are still to be divided by their sum
    - `outcome`, (n,): how the game ended for the side to move: 1 it won, -1 it lost, 0 a draw
    - `value`, (n,): the search's estimate of the position, from -1 to 1
    - `score`, (n,): the points by which the side to move won in the end, negative where it lost
    - `history`, (n, k, 2, height, width): own stones and the opponent's, of the present side to move, before the last i
      + 1 moves; all 0 before the game began
    - `game`, (n,): the number of the game that a row is of; `move_number`, (n,): how many moves had been played in it
    - `winner`, (n,): the winner of that game from another source: 1, 2, 0 for a draw, -1 if unknown

    Rules that rows have of their own, (n,) of bools: `suicide`, whether suicide of several stones is legal
    (without it the `rules` of the check decide), and `superko`, whether `ko` may mark points that superko
    forbids, of any number. And (n,) of bools for which rows have a field at all: `has_outcome`, `has_score`, and
    `judge_policy`, whether the policy is one of legal moves and no mere filler.

    `source` names the file, and `first_row` is the number of the first row in it. Thread safety: the arrays are the
    caller's; nobody may write to them during a check.
    """

    own: Array
    opponent: Array
    to_move: Array | None = None
    on_board: Array | None = None
    ko: Array | None = None
    legal: Array | None = None
    policy: Array | None = None
    policy_is_counts: bool = False
    judge_policy: Array | None = None
    outcome: Array | None = None
    has_outcome: Array | None = None
    value: Array | None = None
    score: Array | None = None
    has_score: Array | None = None
    history: Array | None = None
    game: Array | None = None
    move_number: Array | None = None
    winner: Array | None = None
    suicide: Array | None = None
    superko: Array | None = None
    source: str | None = None
    first_row: int = 0

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name not in _NO_ARRAYS and value is not None:
                object.__setattr__(self, item.name, np.asarray(value))

    def __repr__(self) -> str:
        return shapes_text(self)

    @classmethod
    def of(cls, rows: TrainingRows | Mapping[str, Any]) -> TrainingRows:
        """Return `rows`, which may be a mapping of the fields.

        Raises `TypeError` for anything else, for fields that there are not, where `own` or `opponent` is missing, and
        for other types of the fields that are no arrays.
        """
        if isinstance(rows, cls):
            if missing := [name for name in ("own", "opponent") if getattr(rows, name) is None]:
                raise TypeError(f"training rows lack {' and '.join(missing)}")
            if rows.source is not None and not isinstance(rows.source, str):
                raise TypeError(f"source is the name of a file, not {rows.source!r}")
            if np.ndim(rows.policy_is_counts):
                raise TypeError(f"policy_is_counts is True or False, not {rows.policy_is_counts!r}")
            integer("first_row", rows.first_row)
            return rows
        if not isinstance(rows, Mapping):
            raise TypeError(f"training rows are TrainingRows or a mapping of its fields, not {type(rows).__name__}")
        known = {item.name for item in fields(cls)}
        if unknown := sorted(map(str, set(rows) - known)):
            raise TypeError(f"training rows have no field {', '.join(unknown)}; there are {', '.join(sorted(known))}")
        if missing := sorted({"own", "opponent"} - set(rows)):
            raise TypeError(f"training rows lack {' and '.join(missing)}")
        return cls.of(cls(**rows))

    def __len__(self) -> int:
        return len(self.own) if self.own.ndim else 0

    def arrays(self) -> dict[str, Array]:
        """Return the fields that are arrays and not None, by name."""
        found = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in _NO_ARRAYS}
        return {name: array for name, array in found.items() if array is not None}

    def without(self, names: set[str]) -> TrainingRows:
        """Return the rows with None for the fields `names`."""
        nothing: dict[str, Any] = dict.fromkeys(names)
        return replace(self, **nothing)

    def part(self, begin: int, end: int) -> TrainingRows:
        """Return rows `begin` up to `end`, over the same memory."""
        parts: dict[str, Any] = {name: array[begin:end] for name, array in self.arrays().items()}
        return replace(self, **parts, first_row=self.first_row + begin)


def source_name(source: object) -> str | None:
    """Return the name of a file: a path, or the name of a file object; None if unknown."""
    name = os.fspath(source) if isinstance(source, (str, os.PathLike)) else getattr(source, "name", None)
    return name if isinstance(name, str) else None
