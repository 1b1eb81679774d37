"""The verdicts of rule sets on a move, straight from the definitions: whole positions compared, none of them hashed."""

from __future__ import annotations

from oracles.board import EditedBoard, Point, Stones
from wei7core.rules import Ko, Rules

EVERY_RULE = [Rules(name=f"{ko.name} {suicide}", ko=ko, suicide=suicide) for ko in Ko for suicide in (False, True)]
"""Every pair of flags that a verdict depends on."""


def occurrences(board: EditedBoard, color: int, stones: Stones) -> list[tuple[int, int]]:
    """Return when these stones were on the board since the last edit: who was to play, who made it with a stone.

    The present comes last, with `color` to play; nobody (0) makes what the start, an edit or a pass leaves.
    """
    begin = max(board.edited, default=0)
    rows = []
    for index in range(begin, len(board.moves) + 1):
        now = index == len(board.moves)
        if (board.stones if now else board.before[index][0]) == stones:
            to_play = color if now else board.moves[index][0]
            made_by = board.moves[index - 1][0] if index > begin and board.moves[index - 1][1] is not None else 0
            rows.append((to_play, made_by))
    return rows


def is_ko_recapture(board: EditedBoard, after: EditedBoard, color: int) -> bool:
    """Return whether a move, played on `after`, takes the stone back that has just taken one."""
    if not board.moves or len(board.moves) in board.edited or after.stones != board.before[-1][0]:
        return False
    stones = [len(board.before[-1][0]), len(board.stones), len(after.stones)]
    last_color, last_point = board.moves[-1]
    # Both put one stone on the board and take one of the other color from it.
    return last_point is not None and last_color != color and stones[0] == stones[1] and board.stones != after.stones


def verdicts(board: EditedBoard, color: int, point: Point | None, rules: list[Rules]) -> list[str]:
    """Return the reason that each rule set has, `legal` included."""
    if point is None:
        return ["legal"] * len(rules)
    if not board.has_point(point):
        return ["off-board"] * len(rules)
    if point in board.stones:
        return ["occupied"] * len(rules)
    after = board.child(color, point)
    suicide = point not in after.stones
    recapture = is_ko_recapture(board, after, color)
    same = occurrences(board, color, after.stones)
    repeats = {
        Ko.NONE: None,
        Ko.SIMPLE: "ko-recapture" if recapture else None,
        Ko.POSITIONAL: "positional-repeat" if same else None,
        Ko.SITUATIONAL: "situational-repeat" if any(to_play == 3 - color for to_play, _ in same) else None,
        Ko.NATURAL: "natural-repeat" if any(made_by == color for _, made_by in same) else None,
    }
    return ["suicide" if suicide and not each.suicide else repeats[each.ko] or "legal" for each in rules]
