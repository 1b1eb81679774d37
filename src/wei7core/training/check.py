"""`check_rows`: checks of training rows, part by part."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import NoneType
from typing import Any, Final

import numpy as np

from .._util.lazy_numpy import Array
from .._util.numbers import integer
from ..game.game import Game
from ..rules import Ko, Rules, Verdict, named
from .boards import BoardRows, check_boards
from .codes import Collector, RowFindings, chosen
from .decoded_planes import DecodedPlanes, check_frames
from .labels import Tolerances, check_policy, check_policy_points, check_values, peer_winners
from .reference import WINNER_UNKNOWN, GivenPositions, ReferencePositions, known_positions
from .row_shapes import as_bools, well_shaped
from .rows import OF_GAMES, TrainingRows

_POINTS_AT_ONCE: Final = 1024 * 361
"""The points judged at once: their arrays fit the cache."""

_NOWHERE: Final = Verdict.OFF_BOARD.value


def check_rows(
    rows: TrainingRows | Mapping[str, Any] | Iterable[TrainingRows | Mapping[str, Any]],
    *,
    positions: GivenPositions | None = None,
    games: Sequence[Game] | None = None,
    rules: Rules | str | None = None,
    select: Collection[str] | None = None,
    ignore: Collection[str] = (),
    most: int = 100_000,
    sum_tolerance: float = 1e-3,
    illegal_mass: float = 0.0,
    value_tolerance: float = 1e-6,
) -> RowFindings:
    """Check training rows: return a table with a row for each finding.

    `rows` is in the plain layout, a `TrainingRows` or a mapping of its fields, or an iterable of such, as the readers
    of `wei7core.training.leela_zero` and `katago` yield them; those are judged one at a time, in the memory of one. The
    codes are in `wei7core.training.codes.ROW_CODES`; `select` names those to look for, `ignore` those to leave out.
    `most` findings are listed, all are counted (`RowFindings.counts`).

    Rows alone are judged for stones, blocks without liberties, ko planes, histories that no moves explain, policies and
    ranges. With `rules`, a rule set or its name, suicide and ko count among what is illegal, and a `legal` mask is
    compared in both directions; without rules, only occupied points and those of the ko plane are illegal. The
    positions that rows should show are given by one of these:

    - `positions`, one for each row: an array of uint8 of 0, 1 and 2, packed boards as returned by `replay`
      (`positions.data["board"]`), or `Board` and `Position` objects
    - `games`, a list of `Game` (`list(w7.load_all(path))`): the fields `game` and `move_number` select a position of a
      main line; sides to move, ko, histories and results are then compared too

    Superko needs moves: games, or boards as `positions`. Without a known winner, outcomes are compared with
    those of the other rows of the same `game` within each batch.

    Tolerances: a policy may sum to 1 within `sum_tolerance`; the share `illegal_mass` of it may be on illegal
    points; values may exceed -1 and 1 by `value_tolerance`, and outcomes within it of 0 are draws.

    Raises `ValueError` for unknown codes, a number of positions that differs from the rows, `positions` for rows whose
    planes have no shape of planes, `games` for rows without `game` and `move_number`, tolerances that are
    negative or no numbers, and superko without moves; `TypeError` for other objects. Wrong content and other wrong
    shapes of arrays are findings, not exceptions; rows with a wrong `game` are not compared with games. Thread safety:
    the arrays must not be written to during the call; boards and games belong to the call.
    """
    law = named(rules) if rules is not None else None
    most = integer("the number of findings to list", most)
    if most < 0:
        raise ValueError(f"the number of findings to list is not negative, as {most} is")
    shares = {"sum_tolerance": sum_tolerance, "illegal_mass": illegal_mass, "value_tolerance": value_tolerance}
    for name, share in shares.items():
        if isinstance(share, (bool, str, bytes, NoneType)) or not share >= 0:
            raise ValueError(f"{name} is a number from 0 on, not {share!r}")
    found = Collector(chosen(select, ignore), most)
    needs_moves = law.name if law is not None and law.ko >= Ko.POSITIONAL else None
    known = known_positions(positions, games, needs_moves)
    tolerances = Tolerances(sum_tolerance, illegal_mass, value_tolerance)
    count = 0
    for batch in [rows] if isinstance(rows, (TrainingRows, Mapping)) else rows:
        whole = TrainingRows.of(batch)
        if whole.source is None and whole.first_row == 0:
            whole = replace(whole, first_row=count)
        count += len(whole)
        found.source, found.first_row = whole.source, whole.first_row
        fit = well_shaped(whole, found)
        found.end_part()
        if fit is None:
            if positions is not None:
                raise ValueError("rows without planes cannot be compared with positions")
            continue
        # Fields of a wrong shape or type are findings already.
        are_placed = games is None or (fit.game is not None and fit.move_number is not None)
        if not are_placed and (whole.game is None or whole.move_number is None):
            raise ValueError(f"to be compared with games, rows say {' and '.join(OF_GAMES)}")
        with np.errstate(all="ignore"):
            peers = peer_winners(fit) if found.wants("row-value-sign") else None
        height, width = fit.own.shape[1:]
        step = max(1, _POINTS_AT_ONCE // (height * width))
        for begin in range(0, len(fit), step):
            part = fit.part(begin, min(begin + step, len(fit)))
            references = None if known is None or not are_placed else known.of(part)
            found.first_row = part.first_row
            with np.errstate(all="ignore"):  # NaN is a finding, not a warning
                _check_part(
                    part, references, None if peers is None else peers[begin : begin + step], law, tolerances, found
                )
            found.end_part()
    if known is not None:
        known.end()
    return RowFindings(found.findings, count, found.counts)


def _check_part(
    part: TrainingRows,
    known: ReferencePositions | None,
    peers: Array | None,
    rules: Rules | None,
    tolerances: Tolerances,
    found: Collector,
) -> None:
    count, height, width = part.own.shape
    frames = check_frames(part, found)
    usable, widths, heights = frames.usable, frames.widths, frames.heights
    turns = _check_turns(part, known, found)
    if known is not None and known.missing:
        lost = np.array(sorted(known.missing), np.int64)
        found.add("row-unknown-position", lost, lambda k: (known.missing[int(lost[k])], {}))
    verdicts = np.zeros((count, height * width), np.uint8)
    judged_points = np.zeros(count, bool)
    sizes = sorted(set(zip(widths[usable].tolist(), heights[usable].tolist(), strict=True)))
    for board_width, board_height in sizes:
        here = np.flatnonzero(usable & (widths == board_width) & (heights == board_height))
        judged = _cut(part, frames, here, board_width, board_height, turns, known)
        judgement = check_boards(judged, rules, found)
        if judgement is None:
            continue
        judged_points[here] = True
        if len(here) == count and (board_width, board_height) == (width, height):
            verdicts = judgement
        elif (board_width, board_height) == (width, height):
            verdicts[here] = judgement
        else:
            frame = np.full((len(here), height, width), _NOWHERE, np.uint8)
            frame[:, :board_height, :board_width] = judgement.reshape(-1, board_height, board_width)
            verdicts[here] = frame.reshape(len(here), -1)
    finite = check_policy(part, tolerances, found)
    if finite is not None and found.wants("row-policy-on-illegal"):
        counts = judged_points & finite & as_bools(part.judge_policy, count, True)
        check_policy_points(part, verdicts, counts, tolerances, found)
    winners = np.full(count, WINNER_UNKNOWN) if known is None else known.winner
    if part.winner is not None:
        winners = np.where((part.winner >= 0) & (part.winner <= 2), part.winner, winners)
    # Where a row calls the wrong side, its outcome is still held against the side that is to move.
    sides = turns if known is None else np.where(known.to_play > 0, known.to_play, turns)
    check_values(part, sides, winners, peers, tolerances, found)


def _check_turns(part: TrainingRows, known: ReferencePositions | None, found: Collector) -> Array:
    """The color to move in each row, from the row or the game; 0 if unknown."""
    turns = np.zeros(len(part), np.uint8) if known is None else known.to_play
    if part.to_move is None:
        return turns
    valid = (part.to_move == 1) | (part.to_move == 2)
    wrong = np.flatnonzero(~valid)
    found.add(
        "row-side-to-move",
        wrong,
        lambda k: (
            # Not None where rows were found wrong.
            f"the side to move is {part.to_move[wrong[k]]}, not 1 (black) or 2 (white)",  # type: ignore[index]
            {"found": int(part.to_move[wrong[k]])},  # type: ignore[index]  # not None where rows were found wrong
        ),
    )
    return np.where(valid, part.to_move, turns).astype(np.uint8)


def _cut(
    part: TrainingRows,
    frames: DecodedPlanes,
    here: Array,
    width: int,
    height: int,
    turns: Array,
    known: ReferencePositions | None,
) -> BoardRows:
    """The rows `here`, cut to their board."""
    full_height, full_width = frames.stones.shape[1:]
    whole = len(here) == len(part) and (width, height) == (full_width, full_height)

    def cut(array: Array) -> Array:
        return array if whole else array[here][..., :height, :width]

    ko, legal, history = (frames.bits[name] for name in ("ko", "legal", "history"))
    moves = None if legal is None else legal[:, :-1].reshape(-1, full_height, full_width)
    return BoardRows(
        part=part,
        rows=here,
        stones=cut(frames.stones),
        turns=turns[here],
        ko=None if ko is None else cut(ko),
        legal=None if moves is None else cut(moves).reshape(len(here), -1),
        passes=None if legal is None else legal[here, -1],
        history=None if history is None else cut(history),
        readable={name: ~frames.invalid_rows[name][here] for name in ("ko", "legal", "history")},
        known=known,
    )
