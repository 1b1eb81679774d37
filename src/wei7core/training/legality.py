"""Which points a row's own planes leave to the side to move, and whether its ko plane can be one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._util.lazy_numpy import Array
from ..batch.expansion import expand
from ..board.board import Board
from ..rules import Rules, Verdict
from .planes import OPPONENT, OWN

_CODE = np.uint8


@dataclass
class Legality:
    """The legal moves of the side to move in some positions.

    `verdicts`, (n, height * width), are codes of `wei7core.rules.Verdict`, 0 where nothing forbids the point. `takes`
    are the points whose move takes one stone, as numbers of all points of all positions, ascending.
    """

    verdicts: Array
    takes: Array


def legality(positions: Array, suicide: Array | bool, single_suicide: bool) -> Legality:
    """Return the moves left by occupied points and suicide, without ko.

    `suicide` is, for all or each position, whether suicide of several stones is legal, and `single_suicide`
    whether that of one stone is.
    """
    count, height, width = positions.shape
    points = height * width
    verdicts = (positions != 0).view(_CODE).reshape(count, points) * _CODE(Verdict.OCCUPIED.value)
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
    verdicts = np.zeros((len(boards), points), _CODE)
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
