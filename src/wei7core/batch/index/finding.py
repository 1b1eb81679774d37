"""How the places are found at which a pattern stands in the games of a group.

First come the games that may have it: by the hash of a whole position, or by the points that ever had a stone of a
color. Then their frames are gone through: how many points differ from the pattern is a sum over all that the frames
change, and the pattern stands where it is 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from ...board.position import Position
from ...tables.packed_boards import pack_letters
from .patterns import BLACK_ALLOWED, EMPTY_ALLOWED, WHITE_ALLOWED, Form, Pattern, forms_of
from .size_group import SizeGroup

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["NO_MOVE", "PASS", "TENUKI", "Found", "Query", "find_in_group"]

Array: TypeAlias = "npt.NDArray[Any]"

PASS: Final = -1
TENUKI: Final = -2
NO_MOVE: Final = -3
"""What stands for the point of a next move that is none of the pattern."""

_FRAMES_AT_ONCE: Final = 1 << 20
_FILTER_BYTES: Final = 1 << 22
_ANY: Final = EMPTY_ALLOWED | BLACK_ALLOWED | WHITE_ALLOWED


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
    """Hits, one a position of a game: the numbers of the games, the moves in force, the form of the pattern.

    `points` and `colors` are of the next move as it is on the pattern: its point row by row, or `PASS`, `TENUKI` (off
    the pattern), `NO_MOVE`.
    """

    games: Array
    move_numbers: Array
    symmetries: Array
    swapped: Array
    points: Array
    colors: Array

    @classmethod
    def joined(cls, parts: list[Found]) -> Found:
        """The hits of `parts`, ordered by game and move."""
        if not parts:
            numbers = np.zeros(0, np.int64)
            return cls(numbers, numbers, numbers, np.zeros(0, bool), numbers, numbers)
        whole = cls(*map(np.concatenate, zip(*parts, strict=True)))
        order = np.argsort(whole.games, kind="stable")
        return cls(*(column[order] for column in whole))


def find_in_group(group: SizeGroup, query: Query) -> Found | None:
    """Return the hits in a group, by game and move, of each position the first form that stands; None: none fits."""
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
    parts: list[Found] = []
    frames: list[Array] = []
    for form in forms:
        for places, games, ends in _candidates(group, query, form, chosen):
            found, at = _scan(group, query, form, places, games, ends)
            parts.append(found)
            frames.append(at)
    if not parts:
        return Found.joined([])
    whole = Found(*map(np.concatenate, zip(*parts, strict=True)))
    _, first = np.unique(np.concatenate(frames), return_index=True)
    return Found(*(column[first] for column in whole))


# --- games that may have the pattern -----------------------------------------


def _candidates(
    group: SizeGroup, query: Query, form: Form, chosen: Array | None
) -> Iterator[tuple[Array, Array, Array]]:
    """Yield places of a form, games in which it may stand there, and ends of their frames up to which it may.

    They come in parts of so many frames as are looked at together.
    """
    if query.region == "board" and query.pattern.is_exact:
        with_hash, behind = group.with_hash(_hash_of(form, group))
        parts = iter([(np.zeros(len(with_hash), np.int64), with_hash, behind)])
    else:
        parts = ((places, games, group.offsets[games + 1]) for places, games in _by_stones(group, form))
    for part in parts:
        places, games, ends = part if chosen is None else (column[chosen[part[1]]] for column in part)
        starts = group.offsets[games]
        if query.max_move is not None and not len(group.setups):
            ends = np.clip(ends, starts, starts + query.max_move + 1)
        sums = np.cumsum(ends - starts)
        begin = 0
        while begin < len(games):
            before = int(sums[begin - 1]) if begin else 0
            end = max(begin + 1, int(np.searchsorted(sums, before + _FRAMES_AT_ONCE, "right")))
            yield places[begin:end], games[begin:end], ends[begin:end]
            begin = end


def _hash_of(form: Form, group: SizeGroup) -> int:
    letters = np.zeros(group.width * group.height, np.uint8)
    letters[form.points[0]] = np.frombuffer(b".XO", np.uint8)[form.allowed >> 1]
    return Position(group.width, group.height, pack_letters(letters.tobytes().decode())).hash


def _by_stones(group: SizeGroup, form: Form) -> Iterator[tuple[Array, Array]]:
    """Yield places and the games in which every stone of the pattern was there at some time."""
    demands = [(color, np.flatnonzero(form.allowed == 1 << color)) for color in (1, 2)]
    row = group.ever[1].shape[1]
    step = max(1, _FILTER_BYTES // max(row, 1))
    for begin in range(0, len(form.points), step):
        points = form.points[begin : begin + step]
        left: Array | None = None
        places = np.arange(begin, begin + len(points))
        for color, which in demands:
            for k in which.tolist():
                ever = group.ever[color][points[places - begin, k]]
                left = ever if left is None else np.bitwise_and(left, ever)
                some = left.any(axis=1)
                if not some.all():
                    left, places = left[some], places[some]
        if left is None:
            yield np.repeat(places, len(group)), np.tile(np.arange(len(group)), len(places))
        elif len(places):
            place, game = np.nonzero(np.unpackbits(left, axis=1, count=len(group), bitorder="little"))
            yield places[place], game


# --- their frames ------------------------------------------------------------


def _scan(group: SizeGroup, query: Query, form: Form, places: Array, games: Array, ends: Array) -> tuple[Found, Array]:
    """The hits of a form among pairs of a place and a game, whose frames up to `ends` count, and their frames."""
    pair, frames = _standing(group, form, places, group.offsets[games], ends)
    places, games = places[pair], games[pair]
    numbers = group.move_numbers(frames, games)
    codes, to_play = group.next_moves(frames, games)
    kept = np.ones(len(frames), bool)
    if query.max_move is not None:
        kept &= numbers <= query.max_move
    if query.to_play is not None:
        kept &= to_play == (3 - query.to_play if form.swapped else query.to_play)
    if not kept.all():
        places, games, numbers, codes, frames = (column[kept] for column in (places, games, numbers, codes, frames))
    points, colors = codes >> 2, codes & 3
    at = form.within(places, points)
    at[at < 0] = TENUKI
    at[points == group.width * group.height] = PASS
    at[colors == 0] = NO_MOVE
    if form.swapped:
        colors = np.where(colors > 0, 3 - colors, 0)
    count = len(frames)
    found = Found(
        group.games[games],
        numbers,
        np.full(count, form.symmetry, np.int64),
        np.full(count, form.swapped),
        at,
        colors,
    )
    return found, frames


def _standing(group: SizeGroup, form: Form, places: Array, starts: Array, ends: Array) -> tuple[Array, Array]:
    """Which pairs of a place and a game (frames `starts` up to `ends`) have the pattern at which frames."""
    some = np.flatnonzero(form.allowed != _ANY)
    # By what is on it, whether a point is none of the pattern.
    wrong = np.array([[not allowed >> state & 1 for allowed in form.allowed[some].tolist()] for state in range(3)])
    wrong = wrong.astype(np.int8).reshape(3, -1)
    which, rows = np.unique(places, return_inverse=True)
    codes = (group.width * group.height + 1) << 2
    codes_at = (form.points[which][:, some] << 2) + np.arange(len(which))[:, None] * codes
    by_move, by_change = np.zeros(len(which) * codes, np.int8), np.zeros(len(which) * codes, np.int8)
    for color in (1, 2):
        change = wrong[color] - wrong[0]
        by_move[codes_at | color] = change
        by_change[codes_at | color - 1] = change
        by_change[codes_at | 2 | color - 1] = -change
    base = rows.reshape(-1) * codes

    lengths = ends - starts
    behind = np.cumsum(lengths)
    at_first = behind - lengths
    index = np.arange(int(behind[-1]) if len(behind) else 0) + np.repeat(starts - at_first, lengths)
    moves = group.moves[index].astype(np.int64)
    if len(which) > 1:
        moves += np.repeat(base, lengths)
    differing = by_move[moves].astype(np.int32)
    # Of another type than the array, numbers would have all of it converted.
    first, last = (np.searchsorted(group.change_frames, frames.astype(np.uint32)) for frames in (starts, ends))
    amounts = last - first
    if len(amounts):
        changed = np.arange(int(amounts.sum())) + np.repeat(first - np.cumsum(amounts) + amounts, amounts)
        values = by_change[group.changes[changed].astype(np.int64) + np.repeat(base, amounts)]
        relevant = np.flatnonzero(values)
        at = group.change_frames[changed[relevant]].astype(np.int64)
        at += np.repeat(at_first - starts, amounts)[relevant]
        np.add.at(differing, at, values[relevant].astype(np.int32))
    np.cumsum(differing, out=differing)
    before = np.zeros(len(starts), np.int32)
    before[1:] = differing[behind[:-1] - 1]
    before -= np.int32(wrong[0].sum())
    standing = np.flatnonzero(differing == np.repeat(before, lengths))
    return np.searchsorted(behind, standing, "right"), index[standing]
