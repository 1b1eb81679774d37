"""The words for what the replay of a record finds: moves and setups that cannot be played, and limits."""

from __future__ import annotations

from typing import Final

from ..limits import Limits

_COLORS: Final = {1: "black", 2: "white"}
_MESSAGES: Final = {
    "occupied": "move {number}, {color} ({x}, {y}), is on an occupied point",
    "replaced": "move {number}, {color} ({x}, {y}), is on an occupied point, whose stone it replaces",
    "no-liberty": "the {color} stone ({x}, {y}) or one next to it has no liberty",
    "takeback-of-setup": "a takeback reaches before stones that were set up later",
    "limit": "replaying takes more than {limits.max_moves} moves, takebacks and stones set up",
    "more-moves": "more than {limits.max_problems} moves are on occupied points",
    "more-stops": "more than {limits.max_problems} branches cannot be replayed",
}


def stop_message(kind: str, limits: Limits, number: int, color: int, x: int, y: int) -> str:
    """Return the message of what was found at move `number`, or at the stone of `color` on (x, y). Thread safe."""
    return _MESSAGES[kind].format(limits=limits, number=number, color=_COLORS.get(color, ""), x=x, y=y)
