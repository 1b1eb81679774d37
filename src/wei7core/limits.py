"""The limits that keep hostile input from exhausting the machine."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

__all__ = ["DEFAULT_LIMITS", "MAX_POINTS", "Limits"]

MAX_POINTS: Final = 4_194_304
"""Points on a board unless a caller asks for more: 2048 x 2048."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one record may need at most; reaching one is a located error of its own code.

    `max_bytes`: bytes of text (`limit-bytes`). `max_steps`: steps, preset
    stones, marks, branches and unknown members, each (`limit-steps`). `max_depth`: levels of
    JSON or XML nesting (`limit-depth`); a branch costs two in JSON. `max_points`: points of
    the board (`board-size-unsupported`). `max_moves`: moves played and taken
    back while all branches are replayed, preset stones, and what it takes to
    follow and remove blocks of thousands of stones (`limit-replay`). `max_problems`:
    problems listed (`limit-problems`). `max_positions`: characters of boards and
    branch paths in the table of all positions (`limit-positions`). `max_expansion`: how
    many times its own size a compressed file or an archive may grow, beyond the
    first 64 MiB (`limit-archive`). Raises `ValueError` for a negative limit.
    """

    max_bytes: int = 1 << 30
    max_steps: int = 50_000_000
    max_depth: int = 100_000_000
    max_points: int = MAX_POINTS
    max_moves: int = 1 << 28
    max_problems: int = 10_000
    max_positions: int = 1 << 30
    max_expansion: int = 1000

    def __post_init__(self) -> None:
        for item in fields(self):
            if getattr(self, item.name) < 0:
                raise ValueError(f"{item.name} is {getattr(self, item.name)}; a limit is not negative")


DEFAULT_LIMITS: Final = Limits()
