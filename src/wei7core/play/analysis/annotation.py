"""Reports of an engine written to the nodes of a game, and an analysed game as columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

from ...coordinates import to_gtp
from ...game.analysis import Analysis
from ...game.game import Game
from ...game.nodes import Node
from ...record.document import Edit, Move
from .rows import Row

Perspective = Literal["black", "white", "side-to-move"]

_PERSPECTIVES: Final = ("black", "white", "side-to-move")
_COLUMNS: Final = ("branch", "turn", "color", "move", "winrate", "score_lead", "visits", "best")
_LETTERS: Final = {1: "B", 2: "W"}


def annotate(game: Game, rows: Iterable[Row], *, perspective: Perspective = "black", number: int | None = None) -> int:
    """Write the reports of `rows` to the nodes of the main line, as `Node.analysis`, and return how many.

    `perspective` is the side that win rates and leads are from: `reportAnalysisWinratesAs` of KataGo's configuration.
    `number` takes the rows of that game of `KataGo.analyze` alone. Rows with `error` are skipped.

    SGF keeps the numbers. Other formats have no place for them: `dumps` and `convert` list them as losses. Ownership
    and all candidates except the best are dropped.

    Raises `ValueError` for an unknown perspective and for a row without a color if that is the side to move,
    `IndexError` for a turn beyond the main line; the nodes of earlier rows are changed then.
    """
    if perspective not in _PERSPECTIVES:
        raise ValueError(f"a perspective is one of {', '.join(_PERSPECTIVES)}, not {perspective!r}")
    nodes = _nodes_by_turn(game)
    written = 0
    for row in rows:
        if row.error is not None or row.turn is None or number not in (None, row.game):
            continue
        if row.turn not in nodes:
            raise IndexError(f"turn {row.turn} is out of range: the line has {max(nodes)} moves")
        nodes[row.turn].analysis = _from_black(row, perspective)
        written += 1
    return written


def game_columns(game: Game) -> dict[str, list[Any]]:
    """Return the analysed nodes of a game as columns, for `pyarrow.table` and data frames.

    They are `branch` (its path), `turn` (moves in force), `color` (the next player, B or W), `move` (the one that led
    there), `winrate` and `score_lead` from Black's side, `visits` and `best`; moves as GTP vertices, None if absent.
    Raises the exceptions of `Game.walk`.
    """
    found: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    width, height = game.size
    for node in game.walk():
        analysis = node.analysis if node.step is not None or node.place.parent is None else None
        if analysis is None:
            continue
        best = analysis.best
        values = (
            ".".join(map(str, node.path)) or "-",
            node.move_number,
            _LETTERS[node.to_play],
            None if node.move is None else to_gtp(node.move[1], width, height),
            analysis.winrate,
            analysis.score_lead,
            analysis.visits,
            None if best is None else to_gtp(None if best == "pass" else best, width, height),
        )
        for name, value in zip(_COLUMNS, values, strict=True):
            found[name].append(value)
    return found


def _nodes_by_turn(game: Game) -> dict[int, Node]:
    """The nodes of the positions on the main line, by the moves in force; of several the last."""
    nodes: dict[int, Node] = {}
    for node in game.main_line():
        if node.place.parent is None if node.step is None else isinstance(node.step.action, (Move, Edit)):
            nodes[node.move_number] = node
        last = node.move_number
    return {turn: node for turn, node in nodes.items() if turn <= last}  # others were taken back


def _from_black(row: Row, perspective: Perspective) -> Analysis:
    if perspective == "side-to-move" and row.color not in _LETTERS:
        raise ValueError(f"the row of turn {row.turn} has no color")
    is_whites = perspective == "white" or (perspective == "side-to-move" and row.color == 2)
    winrate, lead = row.winrate, row.score_lead
    if is_whites:
        winrate = None if winrate is None else 1 - winrate
        lead = None if lead is None else -lead
    best = row.best
    return Analysis(winrate, lead, row.visits, None if best is None else best.move or "pass")
