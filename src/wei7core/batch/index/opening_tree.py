"""The moves that followed a whole position, as a tree in SGF."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from ...coordinates import to_sgf
from .patterns import BLACK_ALLOWED, WHITE_ALLOWED

if TYPE_CHECKING:
    from .finding import Matches
    from .patterns import Pattern

Line: TypeAlias = "tuple[tuple[int, int], ...]"

_LARGEST: Final = 52  # the largest side of a board in SGF


class _Node:
    """Games that came to a position, by winner, and the next moves as (point, color)."""

    __slots__ = ("children", "wins")

    def __init__(self) -> None:
        self.wins = [0, 0, 0]
        self.children: dict[tuple[int, int], _Node] = {}


def opening_tree(found: Sequence[Matches], pattern: Pattern, moves: int, least: int) -> str:
    """Return the tree of at most `moves` moves, each of `least` games or more, the one of most games first.

    Lines that a symmetry of the pattern exchanges are one. Raises `ValueError` for a board that SGF has no letters for.
    """
    width, height = pattern.width, pattern.height
    if max(width, height) > _LARGEST:
        raise ValueError(f"SGF has boards of up to {_LARGEST} x {_LARGEST} points, not {width} x {height}")
    images = [image.tolist() for image in pattern.own_images("board")]
    root = _Node()
    for part in found:
        for winner, line, swapped in _lines(part, moves):
            node = root
            node.wins[3 - winner if swapped and winner else winner] += 1
            for move in min(_turned(line, image) for image in images):
                node = node.children.setdefault(move, _Node())
                node.wins[3 - winner if swapped and winner else winner] += 1
    return _text(root, pattern, least)


def _lines(part: Matches, moves: int) -> Iterable[tuple[int, Line, bool]]:
    """The winner of each game, the moves after its first hit, on the pattern, and whether colors are exchanged."""
    places = [np.argsort(form.points[0]).tolist() for form in part.forms]
    for number, game, begin, _, form, _ in part.first_rows().tolist():
        group = part.groups[number]
        area = group.width * group.height
        first = int(group.offsets[game]) + begin + 1
        line = []
        for code in group.moves[first : min(first + moves, int(group.offsets[game + 1]))].tolist():
            point, color = code >> 2, code & 3
            if not color:  # stones are set up: no move follows the ones before
                break
            swapped = part.forms[form].swapped
            line.append((area if point == area else places[form][point], 3 - color if swapped else color))
        yield int(group.winners[game]) % 3, tuple(line), part.forms[form].swapped


def _turned(line: Line, image: list[int]) -> Line:
    return tuple((image[point] if point < len(image) else point, color) for point, color in line)


def _text(root: _Node, pattern: Pattern, least: int) -> str:
    width, height = pattern.width, pattern.height
    size = f"{width}" if width == height else f"{width}:{height}"
    parts = [f"(;FF[4]GM[1]CA[UTF-8]SZ[{size}]"]
    stones = pattern.allowed.reshape(-1)
    for name, allowed in (("AB", BLACK_ALLOWED), ("AW", WHITE_ALLOWED)):
        points = np.flatnonzero(stones == allowed).tolist()
        if points:
            parts.append(
                name + "".join(f"[{to_sgf((point % width, point // width), width, height)}]" for point in points)
            )
    parts.append(_comment(root))
    waiting: list[tuple[str, _Node | None]] = [(")", None)]
    _push(waiting, root, width, height, least)
    while waiting:
        text, node = waiting.pop()
        parts.append(text)
        if node is not None:
            _push(waiting, node, width, height, least)
    return "".join(parts) + "\n"


def _push(waiting: list[tuple[str, _Node | None]], node: _Node, width: int, height: int, least: int) -> None:
    """Put the next moves of a node on the stack, the first one on top, each variation in its brackets."""
    children = [(move, child) for move, child in node.children.items() if sum(child.wins) >= least]
    children.sort(key=lambda item: (-sum(item[1].wins), item[0]))
    for (point, color), child in reversed(children):
        at = None if point == width * height else (point % width, point // width)
        move = f";{' BW'[color]}[{to_sgf(at, width, height)}]{_comment(child)}"
        if len(children) > 1:
            waiting.append((")", None))
            move = f"\n({move}"
        waiting.append((move, child))


def _comment(node: _Node) -> str:
    other, black, white = node.wins
    games = sum(node.wins)
    return f"C[{games} game{'s' * (games != 1)}: Black won {black}, White {white}, other {other}]"
