"""The problems in a record: positions that are questions, and the moves that answer them.

wei7 has both: `problem` of a position (3.0, 3.15.2.2) or a move (revision 2; 2.2, 4), and `evaluation` of moves. In SGF
it is a convention: comments with RIGHT, CORRECT or 正解 at the end of a right line, WRONG and the like elsewhere; or TE
at good moves and BM at bad ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..record.document import Move
from .node_tree import NodeTree

if TYPE_CHECKING:
    from .game import Game

RIGHT_OF_EAST_ASIA: Final = "正解|正确|正確|解答成功|정답|정해"
WRONG_OF_EAST_ASIA: Final = "不正解|失败|失敗|错|錯|変化図失敗|오답|실패"
_RIGHT: Final = re.compile(
    r"\A(?:\s*\+(?:\s|\Z)|\W*(?:(?:right|correct|solution|success)\s*(?:[.!,;:]|\Z|$)|"
    rf"{RIGHT_OF_EAST_ASIA}))|(?-i:\b(?:RIGHT|CORRECT)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_WRONG: Final = re.compile(
    rf"\A(?:\s*-(?:\s|\Z)|\W*(?:(?:wrong|incorrect|failure|mistake)\b|{WRONG_OF_EAST_ASIA}))|"
    r"(?-i:\b(?:WRONG|NOTTHIS)\b)",
    re.IGNORECASE,
)
_OF_A_GAME: Final = ("HA", "RE", "BR", "WR")


@dataclass(slots=True)
class Questions:
    """`colors` maps a question, the index of a node, to the colour to play; `good` a move of an answer to its
    evaluation.

    The record does not evaluate a move that is not in `good`.
    """

    colors: dict[int, int]
    good: dict[int, bool]


def find_questions(game: Game, tree: NodeTree, start: int | None = None) -> Questions:
    """Return the questions of a game and the evaluations of the moves of their answers.

    `start` makes a node a question regardless of the record, for the colour to play there.
    """
    colors = {index: node.problem for index, node in enumerate(tree.nodes) if node.problem}
    marked = _marked(tree)
    if start is not None and start not in colors:
        color = _next_color(tree, start)
        if color:
            colors[start] = color
    elif not colors and _looks_like_a_problem(game, tree, marked):
        color = _next_color(tree, 0)
        if color:
            colors[0] = color
    return Questions(colors, _worth(game, tree, colors, marked)) if colors else Questions({}, {})


def _next_color(tree: NodeTree, index: int) -> int | None:
    moves = tree.moves_after(index)
    move = tree.nodes[moves[0]].move if moves else None
    return None if move is None else move[0]


def _looks_like_a_problem(game: Game, tree: NodeTree, marked: dict[int, bool]) -> bool:
    """Whether an SGF record has setup at the start and marks some move as right: by TE only where PL names the solver.

    Games have TE too.
    """
    pre = game.tree.pre
    if game.format != "sgf" or pre is None or not pre.stones:
        return False
    if True in marked.values():
        return True
    properties = game.document.properties
    if "PL" not in properties or any(properties.get(name) for name in _OF_A_GAME):
        return False
    solver = _next_color(tree, 0)
    moves = (node.step.action for node in tree.nodes if node.step is not None)
    return any(isinstance(move, Move) and move.evaluation == "good" and move.color == solver for move in moves)


def _marked(tree: NodeTree) -> dict[int, bool]:
    """The nodes whose comments mark the line as right or wrong."""
    marked = {}
    for index, node in enumerate(tree.nodes):
        comment = node.comment
        if comment:
            if _WRONG.search(comment):
                marked[index] = False
            elif _RIGHT.search(comment):
                marked[index] = True
    return marked


def _worth(game: Game, tree: NodeTree, colors: dict[int, int], marked: dict[int, bool]) -> dict[int, bool]:
    solvers = bytearray(len(tree.nodes))  # the color to play of the question above a node, 0 without one
    for index, parent in enumerate(tree.parents):
        solvers[index] = colors.get(parent) or (solvers[parent] if parent >= 0 else 0)
    good = {}
    silent = []
    for index, node in enumerate(tree.nodes):
        action = None if node.step is None else node.step.action
        if not solvers[index] or not isinstance(action, Move):
            continue
        if action.evaluation in ("good", "bad", "trick"):
            good[index] = action.evaluation == "good"
        elif action.evaluation is None:
            silent.append(index)
    if game.document.version is not None:
        good.update(dict.fromkeys(silent, True))  # a missing evaluation means a normal move there
    elif silent:
        good.update(_custom(tree, silent, solvers, good, marked))
    return good


def _custom(
    tree: NodeTree, silent: list[int], solvers: bytearray, good: dict[int, bool], marked: dict[int, bool]
) -> dict[int, bool]:
    """The evaluation of moves without one.

    With lines marked as right, a move is good if it leads to one of them or continues one. Comments mark lines; without
    a right one, so do good moves of the solver (TE). With lines marked only as wrong, a move is good unless all its
    lines are wrong. Without marks, the first line is the answer.
    """
    verdicts = {index: value for index, value in marked.items() if solvers[index]}
    if True not in verdicts.values():
        for index, value in good.items():
            if value and _color(tree, index) == solvers[index]:
                verdicts.setdefault(index, True)
    verdicts.update((index, False) for index, value in good.items() if not value)
    if True in verdicts.values():
        right = bytearray(len(tree.nodes))
        for index in range(len(tree.nodes) - 1, 0, -1):
            right[index] |= verdicts.get(index, False)
            if verdicts.get(index) is not False:
                right[tree.parents[index]] |= right[index]
        for index, children in enumerate(tree.children):
            if right[index] and solvers[index] and not any(right[child] for child in children):
                after = [child for child in children if verdicts.get(child) is not False]
                for child in after:  # each reply, and the first of the solver's moves
                    right[child] = child == after[0] or _color(tree, child) != solvers[child]
        return {index: bool(right[index]) for index in silent}
    if verdicts:
        wrong = bytearray(len(tree.nodes))
        for index in range(len(tree.nodes) - 1, 0, -1):
            children = tree.children[index]
            wrong[index] = index in verdicts or (bool(children) and all(wrong[child] for child in children))
        return {index: not wrong[index] for index in silent}
    first = bytearray(len(tree.nodes))
    first[0] = 1
    for index, children in enumerate(tree.children):
        if children:
            first[children[0]] = first[index] or not solvers[index]
    return {index: True for index in silent if first[index]}


def _color(tree: NodeTree, index: int) -> int:
    move = tree.nodes[index].move
    return 0 if move is None else move[0]
