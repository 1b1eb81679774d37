"""Takebacks as lines of comments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...coordinates import point_name
from ...record.document import Document, Move, Step, Takeback
from .loss_paths import BLACK

_NAMED_MOVES: Final = 10


def taken_back_text(step: Step, moves: Sequence[Move], document: Document, name: str | None = None) -> str:
    """Return a line about the takeback `step` of `moves`, last first; `name` is that of the actor, if any."""
    assert isinstance(step.action, Takeback)
    count = step.action.count
    names = [_move_name(move, document.height) for move in moves[:_NAMED_MOVES]]
    more = f" and {len(moves) - _NAMED_MOVES} more" if len(moves) > _NAMED_MOVES else ""
    number = "1 move" if count == 1 else f"{count} moves"
    if step.actor is None:
        return f"{number} taken back: {', '.join(names)}{more}"
    return f"{name or _name(document, step.actor)} takes back {number}: {', '.join(names)}{more}"


def _name(document: Document, actor: int) -> str:
    people = document.info.participants
    return (people[actor].name if 0 <= actor < len(people) else None) or f"participant {actor}"


def _move_name(move: Move, height: int) -> str:
    color = "B" if move.color == BLACK else "W"
    return f"{color} {'pass' if move.point is None else point_name(move.point, height)}"
