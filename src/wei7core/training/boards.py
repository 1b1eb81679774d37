"""Checks of planes as boards: stones, ko, masks, history, and the position according to the game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._util.lazy_numpy import Array
from ..batch.expansion import expand
from ..board.board import Board
from ..rules import Ko, Rules, Verdict
from .codes import Collector, Described
from .planes import (
    OPPONENT,
    OWN,
    SYMMETRIES,
    count_each,
    exchanged,
    first_points,
    is_a_move,
    symmetric,
    without_liberties,
)
from .reference import NO_KO, ReferencePositions
from .row_shapes import as_bools
from .rows import TrainingRows

_COLORS = {1: "Black", 2: "White"}
_KO_TEXTS = {
    1: "the ko plane marks a point with a stone",
    2: "the ko plane marks several points",
    3: "the ko plane marks a point where no ko was taken",
    4: "the ko plane marks another point than the game",
    5: "the ko plane lacks the point that the game forbids",
}


@dataclass
class BoardRows:
    """The rows of one size of board, cut to it.

    `rows` are their numbers in the part, `stones` their positions: 1 for own stones, 2 for the opponent's. `turns` is
    the color to move, 0 if unknown. `ko`, `legal` (without the pass) and `history` are planes of 0 and 1, None if
    absent; `readable` marks, by their names, the rows in which they hold nothing else.
    """

    part: TrainingRows
    rows: Array
    stones: Array
    turns: Array
    ko: Array | None
    legal: Array | None
    passes: Array | None
    history: Array | None
    readable: dict[str, Array]
    known: ReferencePositions | None


def check_boards(judged: BoardRows, rules: Rules | None, found: Collector) -> Array | None:
    """Judge the rows of one size; return the verdicts of their points, (n, height * width), where any are needed."""
    stones, rows = judged.stones, judged.rows
    dead, x, y = without_liberties(stones)
    found.add(
        "row-block-without-liberties",
        rows[dead],
        lambda k: (
            f"the block at ({x[k]}, {y[k]}) has no liberty",
            {"side": "own" if stones[dead[k], y[k], x[k]] == 1 else "opponent"},
        ),
        (x, y),
    )
    agrees = np.zeros(len(rows), bool)
    if judged.known is not None:
        agrees = _compare(judged, judged.known, found)
    if judged.history is not None:
        _check_history(judged, agrees, found)
    if not found.wants("row-ko-plane", "row-legal-mask", "row-policy-on-illegal"):
        return None
    if judged.ko is None and judged.legal is None and judged.part.policy is None:
        return None
    count = len(rows)
    if judged.part.suicide is not None:
        laws = legality(stones, judged.part.suicide[rows].astype(bool), False)
    else:
        laws = legality(stones, rules is None or rules.suicide, rules is None or rules.suicide)
    verdicts = laws.verdicts
    superko = as_bools(judged.part.superko, len(judged.part), rules is not None and rules.ko >= Ko.POSITIONAL)[rows]
    known_ko = _known_ko(judged, agrees)
    ko_is_clear = (known_ko >= NO_KO) | (rules is not None and rules.ko is Ko.NONE)
    if judged.ko is not None:
        sound = _check_ko(judged, laws.takes, superko, known_ko, found)
        ko_is_clear |= sound
        marked = np.flatnonzero(sound & judged.ko.reshape(count, -1).any(axis=1))
        at, points = np.nonzero(judged.ko[marked].reshape(len(marked), -1) if len(marked) else np.zeros((0, 1)))
        verdicts[marked[at], points] = np.maximum(verdicts[marked[at], points], Verdict.KO_RECAPTURE.value)
    if rules is not None and rules.ko is not Ko.NONE:
        forbidden = np.flatnonzero(known_ko >= 0)
        verdicts[forbidden, known_ko[forbidden]] = Verdict.KO_RECAPTURE.value
    by_moves = np.zeros(count, bool)
    if rules is not None and rules.ko >= Ko.POSITIONAL and judged.known is not None:
        by_moves = _judge_by_moves(judged, judged.known, agrees, rules, verdicts)
    if judged.legal is not None:
        exact = by_moves | (ko_is_clear & ~superko)
        if rules is None and judged.part.suicide is None:
            exact[:] = False
        _check_mask(judged, verdicts, exact, found)
    return verdicts


# --- the position of the game ------------------------------------------------


def _compare(judged: BoardRows, known: ReferencePositions, found: Collector) -> Array:
    """Compare planes with the position of the game; return the rows where both are the same."""
    rows, stones = judged.rows, judged.stones
    count, height, width = stones.shape
    there = known.there[rows]
    sized = there & (known.widths[rows] == width) & (known.heights[rows] == height)
    other_size = np.flatnonzero(there & ~sized)
    found.add(
        "row-planes-mismatch",
        rows[other_size],
        lambda k: (
            f"the board is {width} x {height}, that of the game {known.widths[rows[other_size[k]]]} x "
            f"{known.heights[rows[other_size[k]]]}",
            {"width": width, "height": height},
        ),
    )
    to_play = known.to_play[rows]
    stated = _stated_turns(judged)
    turns = judged.turns
    theirs = known.stones[rows, :height, :width]  # a copy
    whites = np.flatnonzero(turns == 2)
    theirs[whites] = exchanged(theirs[whites])
    same = (stones == theirs).reshape(count, -1).all(axis=1)
    swapped = same if same.all() else (exchanged(stones) == theirs).reshape(count, -1).all(axis=1)
    mislabelled = sized & (to_play > 0) & (stated > 0) & (stated != to_play)
    agrees = sized & (same | (swapped & (turns == 0)))
    wrong_side = np.flatnonzero(mislabelled | (sized & ~agrees & swapped))
    found.add(
        "row-side-to-move",
        rows[wrong_side],
        lambda k: _describe_side(bool(mislabelled[wrong_side[k]]), int(to_play[wrong_side[k]])),
    )
    others = np.flatnonzero(sized & ~agrees & ~swapped)
    if len(others):
        _compare_symmetries(judged, others, theirs[others], found)
    result: Array = agrees & ~mislabelled
    return result


def _stated_turns(judged: BoardRows) -> Array:
    """The color to move according to the rows, 0 if they do not state it."""
    to_move = judged.part.to_move
    if to_move is None:
        return np.zeros(len(judged.rows), np.uint8)
    turns = to_move[judged.rows]
    return np.where((turns == 1) | (turns == 2), turns, 0)


def _describe_side(mislabelled: bool, to_play: int) -> Described:
    if mislabelled:
        side, other = _COLORS[to_play], _COLORS[3 - to_play]
        return f"{other} is to move in the row, {side} in the game", {"expected": to_play, "found": 3 - to_play}
    return "own and opponent are exchanged", {"exchanged": True}


def _compare_symmetries(judged: BoardRows, others: Array, theirs: Array, found: Collector) -> None:
    """Distinguish rows that show the position of the game under a symmetry from those that show another one."""
    ours = judged.stones[others]
    count, height, width = ours.shape
    number = np.zeros(count, np.int64)
    sides = np.zeros(count, bool)
    for symmetry in range(1, 8 if width == height else 4):
        turned = symmetric(theirs, symmetry)
        as_they_are = (ours == turned).reshape(count, -1).all(axis=1)
        other_sides = (exchanged(ours) == turned).reshape(count, -1).all(axis=1)
        new = (number == 0) & (as_they_are | other_sides)
        number[new] = symmetry
        sides |= new & ~as_they_are & (judged.turns[others] > 0)
    turned_rows = np.flatnonzero(number)
    found.add(
        "row-symmetry",
        judged.rows[others[turned_rows]],
        lambda k: (
            f"the planes show the position of the game {SYMMETRIES[number[turned_rows[k]]]}"
            + (", seen from the other side" if sides[turned_rows[k]] else ""),
            {"symmetry": int(number[turned_rows[k]]), "exchanged": bool(sides[turned_rows[k]])},
        ),
    )
    different = np.flatnonzero(number == 0)
    apart = ours[different] != theirs[different]
    x, y = first_points(apart) if len(different) else (different, different)
    names = ("empty", "own", "the opponent's")
    found.add(
        "row-planes-mismatch",
        judged.rows[others[different]],
        lambda k: (
            f"{np.count_nonzero(apart[k])} points differ from the position of the game, first ({x[k]}, {y[k]}): "
            f"{names[ours[different[k]][y[k], x[k]]]}, in the game {names[theirs[different[k]][y[k], x[k]]]}",
            {"points": int(np.count_nonzero(apart[k]))},
        ),
        (x, y),
    )


# --- ko ----------------------------------------------------------------------


def _known_ko(judged: BoardRows, agrees: Array) -> Array:
    """The point that simple ko forbids to the side to move, none, or unknown."""
    known = judged.known
    if known is None:
        return np.full(len(judged.rows), NO_KO - 1, np.int64)
    rows = judged.rows
    ko = np.where((known.ko[rows] >= 0) & (known.ko_color[rows] != judged.turns), NO_KO, known.ko[rows])
    return np.where(agrees & (judged.turns > 0), ko, NO_KO - 1)


def _check_ko(judged: BoardRows, takes: Array, superko: Array, known_ko: Array, found: Collector) -> Array:
    """Judge ko planes; return the rows whose planes can be relied on."""
    assert judged.ko is not None
    height, width = judged.stones.shape[1:]
    sound: Array = judged.readable["ko"].copy()
    planes = judged.ko.reshape(len(sound), -1)
    # Few positions have a ko: only those with a marked plane or a known ko are examined.
    some = np.flatnonzero(sound & (planes.any(axis=1) | (known_ko >= 0)))
    flat, stones, expected, loose = planes[some] != 0, judged.stones[some], known_ko[some], superko[some]
    marked, first = count_each(flat), flat.argmax(axis=1)
    problem = np.zeros(len(some), np.int64)
    point = first.copy()

    def note(kind: int, where: Array, at: Array) -> None:
        new = where & (problem == 0)
        problem[new], point[new] = kind, at[new]

    on_stone = flat & (stones.reshape(len(some), height * width) != 0)
    note(1, on_stone.any(axis=1), on_stone.argmax(axis=1))
    note(2, (marked > 1) & ~loose, first)
    note(3, (marked == 1) & ~loose & ~can_be_ko(judged.stones, takes, some, first), first)
    has_it = flat[np.arange(len(some)), np.maximum(expected, 0)]
    note(5, (expected >= 0) & (marked == 0), expected)
    note(4, (expected >= 0) & ~has_it & (marked > 0), first)
    note(4, (expected == NO_KO) & (marked > 0) & ~loose, first)
    bad = np.flatnonzero(problem)
    found.add(
        "row-ko-plane",
        judged.rows[some[bad]],
        lambda k: (
            _KO_TEXTS[int(problem[bad[k]])],
            {"marked": int(marked[bad[k]]), "expected": _point(int(expected[bad[k]]), width)},
        ),
        (point[bad] % width, point[bad] // width),
    )
    sound[some[bad]] = False
    return sound


def _point(number: int, width: int) -> list[int] | str:
    return [number % width, number // width] if number >= 0 else "none" if number == NO_KO else "unknown"


# --- moves that are legal ----------------------------------------------------


def _judge_by_moves(
    judged: BoardRows, known: ReferencePositions, agrees: Array, rules: Rules, verdicts: Array
) -> Array:
    """Put the verdicts of superko on boards with their moves into `verdicts`; return the rows where they are known."""
    pairs = [(k, known.boards[judged.rows[k]]) for k in np.flatnonzero(agrees & (judged.turns > 0)).tolist()]
    boards = {k: board for k, board in pairs if board is not None}
    chosen = list(boards)
    sure = np.zeros(len(judged.rows), bool)
    if chosen:
        by_moves = judged_by_moves([*boards.values()], judged.turns[chosen], rules, verdicts.shape[1])
        verdicts[chosen] = np.where(verdicts[chosen] == 0, by_moves, verdicts[chosen])
        sure[chosen] = True
    return sure


def _check_mask(judged: BoardRows, verdicts: Array, exact: Array, found: Collector) -> None:
    """Compare the mask of legal moves: none that is illegal, and all that are legal where rules and ko are known."""
    assert judged.legal is not None and judged.passes is not None
    rows, width = judged.rows, judged.stones.shape[2]
    allowed = judged.legal != 0
    too_many = allowed & (verdicts != 0)
    too_few = ~allowed & (verdicts == 0) & exact[:, None]
    no_pass = judged.passes == 0
    bad = np.flatnonzero((too_many.any(axis=1) | too_few.any(axis=1) | no_pass) & judged.readable["legal"])
    if not len(bad):
        return
    wrong = too_many[bad] | too_few[bad]
    has_point = wrong.any(axis=1)
    at = wrong.argmax(axis=1)

    def describe(k: int) -> Described:
        evidence = {"illegal": int(too_many[bad[k]].sum()), "left_out": int(too_few[bad[k]].sum())}
        if not has_point[k]:
            return "the mask forbids to pass", evidence
        where = f"({at[k] % width}, {at[k] // width})"
        if too_many[bad[k], at[k]]:
            return f"the mask allows {where}: {Verdict(int(verdicts[bad[k], at[k]])).reason}", evidence
        return f"the mask leaves out {where}, which is legal", evidence

    found.add(
        "row-legal-mask",
        rows[bad],
        describe,
        (np.where(has_point, at % width, -1), np.where(has_point, at // width, -1)),
    )


# --- history -----------------------------------------------------------------


def _check_history(judged: BoardRows, agrees: Array, found: Collector) -> None:
    """One finding a row: earlier positions that are not those of the game, or that no move leads on from."""
    assert judged.history is not None
    if not found.wants("row-history"):
        return
    rows, stones, history = judged.rows, judged.stones, judged.history
    count, length = history.shape[:2]
    overlap: Array = np.any((history[:, :, 0] & history[:, :, 1]).reshape(count, length, -1), axis=2)
    earlier = history[:, :, 0] | history[:, :, 1] << 1
    problem: Array = np.zeros(count, np.int64)
    texts: dict[int, str] = {}

    def note(where: Array, text: str) -> None:
        texts[len(texts) + 1] = text
        problem[np.flatnonzero(where & (problem == 0))] = len(texts)

    chosen, compared = _compare_history(judged, agrees, earlier)
    for ago in range(1, length + 1):
        note(overlap[:, ago - 1], f"a point has a stone of each side {_ago(ago)}")
    for ago, differs in enumerate(compared, 1):
        note(differs, f"the stones {_ago(ago)} are not those of the game")
    blank = ~earlier.reshape(count, length, -1).any(axis=2)
    blank[chosen] = True  # compared with those of the game, which may have setups in between
    for ago in range(1, length + 1):
        newer = stones if ago == 1 else earlier[:, ago - 2]
        before_start = blank[:, ago - 1 :].all(axis=1)
        asked = np.flatnonzero(~before_start & (problem == 0))
        if not len(asked):
            continue
        wrong = np.zeros(count, bool)
        wrong[asked] = ~is_a_move(earlier[asked, ago - 1], newer[asked])
        note(wrong, f"no single move leads from the position {_ago(ago)} to the next one")
    bad = np.flatnonzero((problem > 0) & judged.readable["history"])
    found.add("row-history", rows[bad], lambda k: (texts[int(problem[bad[k]])], {"game_known": bool(compared)}))


def _compare_history(judged: BoardRows, agrees: Array, earlier: Array) -> tuple[Array, list[Array]]:
    """The rows whose earlier positions are known, and for each move back which of them had other stones there."""
    known, (count, length, height, width) = judged.known, earlier.shape
    if known is None:
        return np.zeros(0, np.int64), []
    chosen = np.flatnonzero(agrees & (judged.turns > 0) & known.has_earlier[judged.rows])
    if not len(chosen):
        return chosen, []
    expected = known.earlier[judged.rows[chosen], :, :height, :width]  # a copy
    whites = np.flatnonzero(judged.turns[chosen] == 2)
    expected[whites] = exchanged(expected[whites])
    differs = np.zeros((count, length), bool)
    differs[chosen] = (expected != earlier[chosen]).any(axis=(2, 3))
    return chosen, list(differs.T)


def _ago(moves: int) -> str:
    return "one move before" if moves == 1 else f"{moves} moves before"


@dataclass
class Legality:
    """The legal moves of the side to move in some positions.

    `verdicts`, (n, height * width), are codes of `wei7core.rules.Verdict`, 0 where nothing forbids the point. `takes`
    are the points whose move takes one stone, as numbers of all points of all positions, ascending.
    """

    verdicts: Array
    takes: Array


def legality(positions: Array, suicide: Array | bool, single_suicide: bool) -> Legality:
    """Return the moves that neither stones nor suicide forbid, without ko.

    `suicide` is, for all or each position, whether suicide of several stones is legal, and `single_suicide`
    whether that of one stone is.
    """
    count, height, width = positions.shape
    points = height * width
    verdicts = (positions != 0).view(np.uint8).reshape(count, points) * np.uint8(Verdict.OCCUPIED.value)
    children = expand(positions, OWN).to_numpy()
    parents, lost = children["parent"], children["lost"]
    if not single_suicide or not np.all(suicide):
        suicides = np.flatnonzero(lost)
        allowed = np.broadcast_to(suicide, count)[parents[suicides]] & (single_suicide | (lost[suicides] > 1))
        banned = suicides[~allowed]
        verdicts[parents[banned], _points(children, banned, width)] = Verdict.SUICIDE.value
    takes = np.flatnonzero(children["captured"] == 1)
    return Legality(verdicts, parents[takes].astype(np.int64) * points + _points(children, takes, width))


def judged_by_moves(boards: list[Board], colors: Array, rules: Rules, points: int) -> Array:
    """Return the verdicts of a rule set on boards with their moves; 0 also for occupied points."""
    verdicts = np.zeros((len(boards), points), np.uint8)
    children = expand(boards, colors, rules).to_numpy()
    refused = np.flatnonzero(children["reason"])
    at = _points(children, refused, boards[0].width)
    verdicts[children["parent"][refused], at] = children["reason"][refused]
    return verdicts


def _points(children: dict[str, Array], chosen: Array, width: int) -> Array:
    """The points of some rows of an expansion as numbers, row by row on the board."""
    points: Array = children["y"][chosen].astype(np.int64) * width + children["x"][chosen]
    return points


def can_be_ko(positions: Array, takes: Array, rows: Array, points: Array) -> Array:
    """Return whether each of `points` of `rows` looks like a ko that was just taken.

    It is empty with only stones of the opponent around, and a stone there would take exactly one.
    """
    height, width = positions.shape[1:]
    y, x = points // width, points % width
    surrounded = positions[rows, y, x] == 0
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        next_x, next_y = x + dx, y + dy
        inside = (next_x >= 0) & (next_x < width) & (next_y >= 0) & (next_y < height)
        neighbour = positions[rows, np.clip(next_y, 0, height - 1), np.clip(next_x, 0, width - 1)]
        surrounded &= ~inside | (neighbour == OPPONENT)
    keys = rows.astype(np.int64) * (height * width) + points
    at = np.searchsorted(takes, keys)
    taking = np.append(takes, -1)[at] == keys
    result: Array = surrounded & taking
    return result
