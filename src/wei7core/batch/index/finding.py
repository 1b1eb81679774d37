"""The search for a pattern in groups of games with boards of one size.

Whole positions are found by their hashes (`board_search.h`), other patterns by the planes of all games (`search.h`).
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, cast

import numpy as np

from ..._util.lazy_numpy import Array
from ..._util.ordered_map import parallel_ranges
from ._search import count_moves, find_boards, find_patterns
from .patterns import BLACK_ALLOWED, EMPTY_ALLOWED, WHITE_ALLOWED, Form, Pattern, forms_of, places_of
from .size_group import SizeGroup

_JOBS: Final = os.cpu_count() or 1
_MOST_MOVES: Final = 1 << 31
_ANY: Final = EMPTY_ALLOWED | BLACK_ALLOWED | WHITE_ALLOWED
_ARE_STONES: Final = np.array([allowed > 0 and not allowed & EMPTY_ALLOWED for allowed in range(_ANY + 1)])
_MOST_DISTANCES: Final = 1 << 14
_ROW: Final = 6
# The work (games times points of forms at all places) and the number of games that justify a thread; searches begin at
# blocks of 512 games.
_POINTS_A_TASK: Final = 5 << 21
_GAMES_A_TASK: Final = 5 << 10
# The same of corners by their histories, for which a group is not divided.
_GAMES_OF_CORNERS: Final = 1 << 18
_BLOCK: Final = 512
_KEPT_GEOMETRIES: Final = 4
_MOST_KEPT_POINTS: Final = 1 << 10
_ALL: Final = 1 << 31
# The kind of a point in `search.h`, by its allowed contents: a color, a stone, empty, others, anything.
_KINDS: Final = np.array([3, 2, 0, 3, 0, 3, 1, 4], np.uint8)


class Query(NamedTuple):
    """The query; see `wei7core.Index.find`. `chosen`: by the number of a game, whether it is searched."""

    pattern: Pattern
    region: str
    symmetry: bool
    either_color: bool
    to_play: int | None
    max_move: int | None
    contiguous: bool
    chosen: Array | None

    def is_plain(self) -> bool:
        """Whether the query is for all games with a whole position, under any symmetry."""
        return (
            self.is_position()
            and self.symmetry
            and not self.either_color
            and self.to_play is None
            and self.max_move is None
            and not self.contiguous
            and self.chosen is None
        )

    def most_moves(self) -> int:
        """`max_move` as C takes it, -1 for none."""
        return -1 if self.max_move is None else min(self.max_move, _MOST_MOVES)

    def is_position(self) -> bool:
        """Whether the pattern is a whole position."""
        return self.region == "board" and self.pattern.is_exact


class Matches(NamedTuple):
    """The matches in groups: rows of group, game, first frame, frame after the last, form and place.

    They are ordered by group, game and frame; frames are counted in the game. `answers` are pairs of a group and a
    position of it that is common (`position_table.h`), in `in_common` games: these have no rows. `hashes` are those of
    the forms, where they are whole positions.
    """

    groups: Sequence[SizeGroup]
    forms: list[Form]
    rows: Array
    answers: Array
    in_common: int
    hashes: Array

    def game_count(self) -> int:
        """How many games there are."""
        return int(np.count_nonzero(self._are_first())) + self.in_common

    def games(self) -> Array:
        """The numbers of the games in rows, each once."""
        rows = self.rows[self._are_first()]
        return self._numbers(rows)

    def first_rows(self) -> Array:
        """The first row of each game."""
        rows: Array = self.rows[self._are_first()]
        return rows

    def _are_first(self) -> Array:
        is_first = np.ones(len(self.rows), bool)
        games = np.ascontiguousarray(self.rows[:, :2]).view(np.int64)[:, 0]
        np.not_equal(games[1:], games[:-1], out=is_first[1:])
        return is_first

    def _parts(self, rows: Array) -> list[tuple[int, slice]]:
        """Rows by the numbers of their groups."""
        if not len(rows):
            return []
        bounds = np.searchsorted(rows[:, 0], np.arange(len(self.groups) + 1)).tolist()
        return [
            (number, slice(begin, end)) for number, (begin, end) in enumerate(itertools.pairwise(bounds)) if begin < end
        ]

    def _numbers(self, rows: Array) -> Array:
        numbers = np.empty(len(rows), np.int64)
        for number, part in self._parts(rows):
            numbers[part] = self.groups[number].games[rows[part, 1]]
        return numbers

    def frame_count(self) -> int:
        """The number of frames in the rows."""
        return int((self.rows[:, 3].astype(np.int64) - self.rows[:, 2]).sum())

    def columns(self) -> tuple[Array, Array, Array, Array]:
        """Of each frame the number of its game, the moves in force, symmetry and whether colors are exchanged."""
        lengths = (self.rows[:, 3] - self.rows[:, 2]).astype(np.int64)
        which = np.repeat(np.arange(len(lengths)), lengths)
        rows = self.rows[which]
        within = np.arange(len(which)) - np.repeat(np.cumsum(lengths) - lengths, lengths) + rows[:, 2]
        numbers = np.empty(len(rows), np.int64)
        for number, part in self._parts(rows):
            group, games = self.groups[number], rows[part, 1]
            numbers[part] = group.move_numbers(group.offsets[games] + within[part], games)
        symmetries = np.array([form.symmetry for form in self.forms], np.int64)
        swapped = np.array([form.swapped for form in self.forms], bool)
        return self._numbers(rows), numbers, symmetries[rows[:, 4]], swapped[rows[:, 4]]

    def count_moves(
        self,
        pattern: tuple[int, int],
        folded: Array,
        counts: Array,
        values: Array | None = None,
        sums: Array | None = None,
    ) -> None:
        """Add to `counts`, and to `sums` of `values` by game, the moves that follow, see `_search.count_moves`."""
        placements = [
            (
                np.ascontiguousarray(form.points[:, 0], np.int32),
                hash,
                form.symmetry,
                form.swapped,
            )
            for form, hash in zip(self.forms, self.hashes.tolist(), strict=True)
        ]
        winners: list[Array | None] = [None] * len(self.groups)
        for number, _ in self._parts(self.rows):
            winners[number] = self.groups[number].winners
        stores = [group.store for group in self.groups]
        of_groups = None if values is None else [_bits_of(values[group.games]) for group in self.groups]
        bits = None if sums is None else _bits_of(sums)
        count_moves(stores, winners, self.rows, self.answers, placements, pattern, folded, counts, of_groups, bits)


class MatchingGames(NamedTuple):
    """The `total` games of groups that have a pattern: `bits` of each group, by game."""

    groups: Sequence[SizeGroup]
    bits: list[Array]
    total: int

    def game_count(self) -> int:
        """How many games there are."""
        return self.total

    def games(self) -> Array:
        """The numbers of the games."""
        none = np.zeros(0, np.int64)
        numbers: Array = np.concatenate(
            [
                none,
                *(
                    group.games[np.flatnonzero(np.unpackbits(some, count=len(group), bitorder="little"))]
                    for group, some in zip(self.groups, self.bits, strict=True)
                ),
            ]
        )
        return numbers


def with_rows(found: Matches | MatchingGames, query: Query) -> Matches:
    """Return the matches with rows for all of them, which `find_in_groups` leaves out."""
    if isinstance(found, MatchingGames):
        rows = find_in_groups(found.groups, query, chosen=found.bits, has_rows=True)
    elif len(found.answers):
        rows = find_in_groups(found.groups, query, has_rows=True)
    else:
        rows = found
    assert isinstance(rows, Matches)
    return rows


def find_in_groups(
    groups: Sequence[SizeGroup], query: Query, *, chosen: list[Array] | None = None, has_rows: bool = False
) -> Matches | MatchingGames | None:
    """Return the matches of the pattern in groups with boards of one size; of each position the first matching form.

    None if it fits no board of that size. Without `has_rows` there are no rows for positions that are common, and for
    patterns only the games. `chosen`: bits of the games that are searched, by group, instead of those of the query.
    """
    if chosen is None and query.chosen is not None:
        chosen = [np.packbits(query.chosen[group.games], bitorder="little") for group in groups]
    if query.is_position():
        return _find_position(groups, query, chosen, has_rows=has_rows)
    first = groups[0]
    forms = forms_of(
        query.pattern,
        query.region,
        first.width,
        first.height,
        symmetry=query.symmetry,
        either_color=query.either_color,
        to_play=query.to_play is not None,
    )
    if not forms:
        return None
    demands = _demands(forms, query.pattern, query.pattern.order if query.contiguous else None, is_position=False)
    max_move = query.most_moves()
    to_play = query.to_play or 0
    stores = [group.store for group in groups]
    is_of_games = not has_rows and not to_play and not query.contiguous
    bits = [np.zeros((len(group) + 7) // 8, np.uint8) for group in groups] if is_of_games else None
    # Histories of corners are of all games of a group.
    corners = bytes(form.symmetry & 3 for form in forms) if query.region == "corner" and bits is not None else b""

    def find(task: _Task) -> bytes | int:
        here = slice(task.first_group, task.end_group)
        return find_patterns(
            stores[here], demands, None if chosen is None else chosen[here], max_move, to_play, query.contiguous,
            task.first_group, task.begin, task.end, None if bits is None else bits[here], corners,
        )  # fmt: skip

    points = sum(form.points.size for form in forms)
    at_once = _GAMES_OF_CORNERS if corners else max(_GAMES_A_TASK, _POINTS_A_TASK // points)
    tasks = list(_tasks([len(group) for group in groups], at_once))
    if len(tasks) == 1:
        found = [find(tasks[0])]
    else:
        found = parallel_ranges(lambda begin, _: find(tasks[begin]), len(tasks), 1, min(len(tasks), _JOBS))
    if bits is not None:
        return MatchingGames(groups, bits, sum(cast("list[int]", found)))
    rows = b"".join(cast("list[bytes]", found))
    return Matches(groups, forms, _numbers(rows, _ROW), _numbers(b"", 2), 0, np.zeros(len(forms), np.uint64))


def _find_position(
    groups: Sequence[SizeGroup], query: Query, chosen: list[Array] | None, *, has_rows: bool
) -> Matches | None:
    """`find_in_groups` of a whole position."""
    pattern = query.pattern
    forms, hashes, canonical = _forms_of_position(query, groups[0].width, groups[0].height)
    if not forms:
        return None
    if query.contiguous:
        demands = _demands(forms, pattern, pattern.order, is_position=True)
    else:  # the hash is enough
        demands = [(form.points[:, :0], form.allowed[:0], 0, 0, 0, form.swapped, None) for form in forms]
    stones = int(np.count_nonzero(_ARE_STONES[pattern.allowed]))
    found, answers, in_common = find_boards(
        [group.store for group in groups], demands, hashes, canonical, stones, chosen,
        query.most_moves(), query.to_play or 0, query.contiguous, query.is_plain() and not has_rows,
    )  # fmt: skip
    return Matches(groups, forms, _numbers(found, _ROW), _numbers(answers, 2), in_common, hashes)


def _bits_of(values: Array) -> Array:
    """Numbers of 8 bytes as C takes them; no copy of an array without gaps."""
    bits: Array = np.ascontiguousarray(values).view(np.int64)
    return bits


def _numbers(data: bytes, width: int) -> Array:
    return np.frombuffer(data, np.int32).reshape(-1, width)


class _Task(NamedTuple):
    """Consecutive groups, or some games of one."""

    first_group: int
    end_group: int
    begin: int
    end: int


def _tasks(sizes: list[int], games_a_task: int) -> Iterator[_Task]:
    """Yield parts of groups of these sizes in order, each enough for a thread, those of a group as large as another."""
    first = games = 0
    for number, size in enumerate(sizes):
        parts = -(-size // max(games_a_task, _BLOCK))
        if parts > 1:
            if first < number:
                yield _Task(first, number, 0, _ALL)
            parts = parts if parts < _JOBS else parts // _JOBS * _JOBS
            step = -(-size // (parts * _BLOCK)) * _BLOCK
            for begin in range(0, size, step):
                yield _Task(number, number + 1, begin, begin + step)
            first, games = number + 1, 0
            continue
        games += size
        if games >= games_a_task or number + 1 == len(sizes):
            yield _Task(first, number + 1, 0, _ALL)
            first, games = number + 1, 0


def _forms_of_position(query: Query, width: int, height: int) -> tuple[list[Form], Array, list[int]]:
    """The different forms of a whole position with their hashes, as `board/kernel/zobrist.h` describes them.

    After them come the least hashes under all symmetries, of the pattern and where it is wanted with colors exchanged.
    """
    pattern = query.pattern
    size = pattern.width, pattern.height
    geometry = _board_geometry if width * height <= _MOST_KEPT_POINTS else _board_geometry.__wrapped__
    numbers, points, keys, empty = geometry(*size, width, height)
    if not numbers:
        return [], np.zeros(0, np.uint64), []
    allowed = pattern.allowed.reshape(-1)
    stones = np.flatnonzero(_ARE_STONES[allowed])
    are_white = allowed[stones] >> 2
    forms: dict[tuple[bool, int], Form] = {}
    least = set()
    for swapped in (False, True) if query.either_color else (False,):
        of_stones = keys[are_white ^ swapped, points[:, stones]]
        hashes = (np.bitwise_xor.reduce(of_stones, axis=1) ^ empty).tolist()
        least.add(min(hashes))
        shown = pattern.exchanged().allowed.reshape(-1) if swapped else allowed
        for place in range(len(numbers) if query.symmetry else numbers.count(0)):
            # With a color to play forms with exchanged colors are different, though their stones may be the same.
            key = swapped and query.to_play is not None, hashes[place]
            if key not in forms:
                forms[key] = Form(numbers[place], swapped, points[place : place + 1], shown)
    return list(forms.values()), np.array([hash for _, hash in forms], np.uint64), sorted(least)


@lru_cache(_KEPT_GEOMETRIES)
def _board_geometry(own_width: int, own_height: int, width: int, height: int) -> tuple[list[int], Array, Array, Array]:
    """The symmetries that lead from a board of one size to one of another, and the points of each.

    After them come the keys of stones, by color and point, and that of the empty board.
    """
    numbers = [n for n in range(8) if (own_width, own_height) == ((height, width) if n & 4 else (width, height))]
    points = places_of(own_width, own_height, "board", own_width, own_height, tuple(numbers))[:, 0]
    y, x = np.divmod(np.arange(width * height), width)
    keys = np.stack([_key(color, y, x) for color in (1, 2)])  # as of stones: black, white
    return numbers, np.ascontiguousarray(points), keys, _key(0, height, width)


def _key(kind: Array | int, y: Array | int, x: Array | int) -> Array:
    """Of each kind, row and column the output of SplitMix64 that is its key."""
    kinds, rows, columns = (np.atleast_1d(np.asarray(numbers, np.uint64)) for numbers in (kind, y, x))
    z: Array = (kinds << np.uint64(62) | rows << np.uint64(31) | columns) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    keys: Array = z ^ z >> np.uint64(31)
    return keys


def _demands(
    forms: list[Form], pattern: Pattern, turns: Array | None, is_position: bool
) -> list[tuple[Array, Array, int, int, int, bool, Array | None]]:
    """The points of each form on which not everything is allowed, ordered as `search.h` has them.

    Those near stones come first, for they are filled first. `turns`: when the stone of each point was put. Of a whole
    position the hash determines what is empty.
    """
    made = []
    kinds = {}
    last = _KINDS[EMPTY_ALLOWED] if is_position else _KINDS[_ANY]
    far = np.zeros(pattern.allowed.size, np.int64) if is_position else _distances(pattern)
    for form in forms:
        if form.swapped not in kinds:
            of_points = _KINDS[form.allowed]
            order = np.lexsort((far, of_points))[: np.count_nonzero(of_points < last)]
            colored, stones, empty = np.bincount(of_points[order], minlength=3)[:3].tolist()
            allowed = form.allowed[order]
            kinds[form.swapped] = order, allowed, colored, stones, empty
        order, allowed, colored, stones, empty = kinds[form.swapped]
        in_turn = None if turns is None else np.ascontiguousarray(turns[order[: colored + stones]], np.int32)
        made.append((form.points.take(order, axis=1), allowed, colored, stones, empty, form.swapped, in_turn))
    return made


def _distances(pattern: Pattern) -> Array:
    """The distance of each point of a small pattern from the nearest stone."""
    count = pattern.allowed.size
    distances = np.zeros(count, np.int64)
    stones = np.flatnonzero(_ARE_STONES[pattern.allowed])
    if len(stones) and count * len(stones) <= _MOST_DISTANCES:
        y, x = np.divmod(np.arange(count), pattern.width)
        distances = np.min(np.abs(y[:, None] - y[stones]) + np.abs(x[:, None] - x[stones]), axis=1)
    return distances
