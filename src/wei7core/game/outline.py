"""The table of contents of a game: its titled places and its problems."""

from __future__ import annotations

from dataclasses import dataclass, field

from .nodes import Node


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an outline.

    `title` (None for a problem without one), `path` and `step_index` of the place, `level` (the number of enclosing
    branches with entries), `problem` (the colour to play, or None) and `node`.
    """

    title: str | None
    path: tuple[int, ...]
    step_index: int
    level: int
    problem: int | None = None
    node: Node = field(repr=False, compare=False, kw_only=True)


def outline(root: Node) -> list[Entry]:
    """Return the entries of a node and its descendants, each before its children."""
    entries: list[Entry] = []
    waiting = [(root, 0)]
    while waiting:
        node, level = waiting.pop()
        title, problem = node.title, node.problem
        begins = node.step is None or (node.step_index == 0 and not node.place.has_start)
        below = level
        if title is not None or problem is not None:
            entries.append(Entry(title, node.path, node.step_index, level, problem, node=node))
            below += begins
        waiting.extend((child, below) for child in reversed(node.children))
    return entries
