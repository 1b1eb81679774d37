"""How the places are found at which a pattern stands in the games of a group.

The games whose whole position has the hash of the pattern come first, where it covers the board; `search.h` finds where
it stands in them, or in all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from ...board.position import Position
from ...tables.packed_boards import pack_letters
from .patterns import BLACK_ALLOWED, EMPTY_ALLOWED, WHITE_ALLOWED, Form, Pattern, forms_of
from .size_group import SizeGroup

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Found", "Query", "find_in_group"]

Array: TypeAlias = "npt.NDArray[Any]"

_MOST_MOVES: Final = 1 << 31
_ANY: Final = EMPTY_ALLOWED | BLACK_ALLOWED | WHITE_ALLOWED
_BLACK_OR_WHITE: Final = BLACK_ALLOWED | WHITE_ALLOWED
_ROW: Final = 5


class Query(NamedTuple):
    """What is looked for; see `wei7core.Index.find`. `chosen`: by the number of a game, whether it is looked at."""

    pattern: Pattern
    region: str
    symmetry: bool
    either_color: bool
    to_play: int | None
    max_move: int | None
    chosen: Array | None


class Found(NamedTuple):
    """What was found in a group: rows of a game of the group, a frame and the one after the last, a form and a place.

    They are ordered by game and frame; frames are counted in the game.
    """

    group: SizeGroup
    forms: list[Form]
    rows: Array

    def games(self) -> Array:
        """The numbers of the games, ascending, each once."""
        games = self.rows[:, 0]
        is_first = np.ones(len(games), bool)
        is_first[1:] = games[1:] != games[:-1]
        numbers: Array = self.group.games[games[is_first]]
        return numbers

    def frame_count(self) -> int:
        """How many frames there are."""
        return int((self.rows[:, 2].astype(np.int64) - self.rows[:, 1]).sum())

    def columns(self) -> tuple[Array, Array, Array, Array]:
        """Of each frame the number of its game, the moves in force, symmetry and whether colors are exchanged."""
        lengths = (self.rows[:, 2] - self.rows[:, 1]).astype(np.int64)
        which = np.repeat(np.arange(len(lengths)), lengths)
        games, forms = self.rows[which, 0], self.rows[which, 3]
        within = np.arange(len(which)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + self.rows[which, 1]
        numbers = self.group.move_numbers(self.group.offsets[games] + within, games)
        symmetries = np.array([form.symmetry for form in self.forms], np.int64)
        swapped = np.array([form.swapped for form in self.forms], bool)
        return self.group.games[games], numbers, symmetries[forms], swapped[forms]

    def count_moves(self, pattern: tuple[int, int], folded: Array, winners: Array, counts: Array) -> None:
        """Add to `counts` the moves that follow, see `GameStore.count_moves`; `winners` are of all games."""
        placements = [
            (np.ascontiguousarray(form.points[:, 0], np.int32), form.symmetry, form.swapped) for form in self.forms
        ]
        board = self.group.width, self.group.height
        of_group = winners[self.group.games].astype(np.uint8)
        self.group.store.count_moves(self.rows, placements, board, pattern, folded, of_group, counts)


def find_in_group(group: SizeGroup, query: Query) -> Found | None:
    """Return where the pattern stands in a group, of each position the first form that does; None: none fits."""
    forms = forms_of(
        query.pattern,
        query.region,
        group.width,
        group.height,
        symmetry=query.symmetry,
        either_color=query.either_color,
        to_play=query.to_play is not None,
    )
    if not forms:
        return None
    chosen = None if query.chosen is None else query.chosen[group.games]
    if query.region == "board" and query.pattern.is_exact:
        with_hash = np.zeros(len(group), bool)
        for form in forms:
            with_hash[group.with_hash(_hash_of(form, group))] = True
        chosen = with_hash if chosen is None else with_hash & chosen
    data = group.store.find(
        [_demands(form) for form in forms],
        None if chosen is None else np.packbits(chosen, bitorder="little"),
        -1 if query.max_move is None else min(query.max_move, _MOST_MOVES),
        query.to_play or 0,
    )
    return Found(group, forms, np.frombuffer(data, np.int32).reshape(-1, _ROW))


def _hash_of(form: Form, group: SizeGroup) -> int:
    letters = np.zeros(group.width * group.height, np.uint8)
    letters[form.points[0]] = np.frombuffer(b".XO", np.uint8)[form.allowed >> 1]
    return Position(group.width, group.height, pack_letters(letters.tobytes().decode())).hash


def _demands(form: Form) -> tuple[Array, Array, int, int, int, bool]:
    """The points of a form on which not everything is allowed, ordered as `search.h` has them."""
    allowed = form.allowed
    kinds = [
        np.flatnonzero((allowed == BLACK_ALLOWED) | (allowed == WHITE_ALLOWED)),
        np.flatnonzero(allowed == _BLACK_OR_WHITE),
        np.flatnonzero(allowed == EMPTY_ALLOWED),
        np.flatnonzero((allowed & EMPTY_ALLOWED > 0) & (allowed != EMPTY_ALLOWED) & (allowed != _ANY)),
    ]
    order = np.concatenate(kinds)
    points = np.ascontiguousarray(form.points[:, order], np.int32)
    colored, stones, empty, _ = map(len, kinds)
    return points, allowed[order].astype(np.uint8), colored, stones, empty, form.swapped
