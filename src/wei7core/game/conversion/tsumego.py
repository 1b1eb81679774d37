"""Problems in SGF: right and wrong moves, by the conventions of collections.

SGF has no property for a problem. A record counts as one if its root sets up stones of both colours, it is no game (no
handicap, result or ranks) and it follows one of the conventions of `VERDICT_WORDS`; if PL names the colour to play, TE,
BM, GB and GW count as well. A move of the solver is right if its line leads to something right or goes on after it,
wrong otherwise; the replies are `good`, which in a problem also means normal (clause 3.15.3.2.1.3 of wei7).
"""

from __future__ import annotations

import itertools
import re
from typing import Final, NamedTuple

from ...board.board import BLACK, WHITE
from ...formats.sgf.facts import color_of
from ...record.document import Branch, Document, Edit, Evaluation, Move, Properties, Step
from ..go_problems import RIGHT_OF_EAST_ASIA, WRONG_OF_EAST_ASIA

_GOOD: Final = "good"
_BAD: Final = "bad"


class Word(NamedTuple):
    """A convention of comments: its users, the pattern of the comment, and its meaning for the line."""

    source: str
    pattern: re.Pattern[str]
    evaluation: Evaluation


VERDICT_WORDS: Final = (
    Word("GoProblems", re.compile(r"\b(?:RIGHT|CHOICE|FORCE)\b"), "good"),
    Word("GoProblems", re.compile(r"\b(?:WRONG|NOTTHIS)\b"), "bad"),
    Word("books and OGS", re.compile(r"\A\W*(?:correct|right|solution|success)\b", re.IGNORECASE), "good"),
    Word("books and OGS", re.compile(r"\A\W*(?:incorrect|wrong|failure|mistake)\b", re.IGNORECASE), "bad"),
    Word("CJK books", re.compile(rf"\A\W*(?:{RIGHT_OF_EAST_ASIA})"), "good"),
    Word("CJK books", re.compile(rf"\A\W*(?:{WRONG_OF_EAST_ASIA})"), "bad"),
    Word("`+` and `-` first", re.compile(r"\A\s*\+(?![0-9.+])"), "good"),
    Word("`+` and `-` first", re.compile(r"\A\s*-(?=\s|\Z)"), "bad"),
)
"""The conventions in order of precedence; the first of `good` and of `bad` counts."""


class Tsumego(NamedTuple):
    """A problem: the colour to play, the evaluation of each move by the id of its step, and ambiguities."""

    color: int
    evaluations: dict[int, Evaluation]
    unclear: set[int]


def verdict_of(properties: Properties, comment: str | None, solver: int) -> tuple[bool, bool]:
    """Return whether a node marks its line as right, and whether it marks it as wrong. Thread safe."""
    verdicts = {word.evaluation for word in VERDICT_WORDS if comment and word.pattern.search(comment)}
    if _has(properties, "TE") or _has(properties, "GB" if solver == BLACK else "GW"):
        verdicts.add(_GOOD)
    if _has(properties, "BM") or _has(properties, "GW" if solver == BLACK else "GB"):
        verdicts.add(_BAD)
    return _GOOD in verdicts, _BAD in verdicts


def _has(properties: Properties, name: str) -> bool:
    return (properties.get(name) or ("",))[0].strip() in ("1", "2")


class _Node(NamedTuple):
    """Steps of one node of SGF, and the rows of the nodes before it."""

    before: int
    steps: list[Step]


def tsumego_of(document: Document) -> Tsumego | None:
    """Return the problem in a record of SGF, or None. No other thread may change the record during the call."""
    tree = document.tree
    if not _has_both_colors(tree) or any(document.properties.get(name) for name in _OF_A_GAME):
        return None
    nodes = _nodes(tree)
    color = _to_play(document, nodes)
    if color is None:
        return None
    right, wrong = [], []
    # Games have these properties too; together with the colour to play they mark a problem.
    by_properties = "PL" in document.properties
    for node in nodes:
        properties: Properties = {}
        for step in node.steps:
            properties.update(step.properties if by_properties else {})
        comment = "\n".join(step.comment for step in node.steps if step.comment)
        is_right, is_wrong = verdict_of(properties, comment, color)
        if _ASKED.search(comment):
            return None  # the problem starts there, and not at the root
        right.append(is_right)
        wrong.append(is_wrong)
    if not (any(right) or any(wrong)):
        return None
    return _judged(nodes, color, right, wrong)


def _has_both_colors(tree: Branch) -> bool:
    stones = [] if tree.pre is None else list(tree.pre.stones)
    for step in itertools.takewhile(lambda step: not isinstance(step.action, Move), tree.steps):
        stones += step.action.stones if isinstance(step.action, Edit) else []
    return {BLACK, WHITE} <= {stone.color for stone in stones}


_ASKED: Final = re.compile(r"^Problem: (?:Black|White) to play\.$", re.MULTILINE)
"""The text at the start of a problem after conversion from wei7 to SGF."""

_OF_A_GAME: Final = ("HA", "RE", "BR", "WR")
"""Properties of games only."""


def _nodes(tree: Branch) -> list[_Node]:
    """The nodes of the tree, each after the one before it; -1 is the root."""
    nodes: list[_Node] = []
    waiting = [(tree, -1)]
    while waiting:
        branch, last = waiting.pop()
        for step in branch.steps:
            if step.joined and last >= 0:
                nodes[last].steps.append(step)
            else:
                nodes.append(_Node(last, [step]))
                last = len(nodes) - 1
        waiting.extend((below, last) for below in reversed(branch.branches))
    return nodes


def _to_play(document: Document, nodes: list[_Node]) -> int | None:
    stated = color_of((document.properties.get("PL") or ("",))[0].strip())
    if stated is not None:
        return stated
    moves = (step.action for node in nodes for step in node.steps)
    return next((move.color for move in moves if isinstance(move, Move)), None)


def _judged(nodes: list[_Node], color: int, right: list[bool], wrong: list[bool]) -> Tsumego:
    leads_right = [one and not other for one, other in zip(right, wrong, strict=True)]
    leads_wrong = [other and not one for one, other in zip(right, wrong, strict=True)]
    for row in range(len(nodes) - 1, -1, -1):
        before = nodes[row].before
        if before >= 0:
            leads_right[before] = leads_right[before] or leads_right[row]
            leads_wrong[before] = leads_wrong[before] or leads_wrong[row]
    _continue_right_lines(nodes, color, leads_right, wrong)
    any_right = any(leads_right)
    evaluations: dict[int, Evaluation] = {}
    unclear: set[int] = set()
    for row, node in enumerate(nodes):
        is_unclear = right[row] and wrong[row]
        for step in node.steps:
            if not isinstance(step.action, Move):
                continue
            if is_unclear:
                unclear.add(id(step))
            if step.action.color != color:
                evaluations[id(step)] = "good"
            elif wrong[row] and not right[row]:
                evaluations[id(step)] = "bad"
            else:
                is_good = leads_right[row] if any_right else not leads_wrong[row]
                evaluations[id(step)] = "good" if is_good else "bad"
    return Tsumego(color, evaluations, unclear)


def _continue_right_lines(nodes: list[_Node], color: int, leads_right: list[bool], wrong: list[bool]) -> None:
    """Make what follows the last mark of a right line right: replies, and the first move of the solver after each."""
    goes_on = [False] * len(nodes)
    for row, node in enumerate(nodes):
        goes_on[node.before] |= leads_right[row] and node.before >= 0
    for row, node in enumerate(nodes):
        before = node.before
        if before >= 0 and leads_right[before] and not goes_on[before] and not wrong[row]:
            leads_right[row] = True
            goes_on[before] = any(isinstance(step.action, Move) and step.action.color == color for step in node.steps)
