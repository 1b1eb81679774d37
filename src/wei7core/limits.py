"""The limits that keep hostile input from exhausting the machine."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import zip_longest
from typing import Any, Final

__all__ = ["DEFAULT_LIMITS", "MAX_POINTS", "Limits", "check_limits"]

MAX_POINTS: Final = 4_194_304
"""Points on a board by default: 2048 x 2048."""

_MOST: Final = (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Limits:
    """What one record may need at most; reaching one is a located error of its own code.

    `max_bytes`: bytes of text (`limit-bytes`). `max_steps`: steps, preset stones, marks, branches and unknown members,
    each (`limit-steps`). `max_depth`: levels of JSON or XML nesting (`limit-depth`); a branch costs two in JSON.
    `max_points`: points of the board (`board-size-unsupported`). `max_moves`: moves played and taken back while all
    branches are replayed, preset stones, and what it takes to follow and remove blocks of thousands of stones
    (`limit-replay`). `max_problems`: problems listed (`limit-problems`). `max_findings`: findings of a check on one
    record, beyond which one more reports it (`record-limit`). `max_positions`: characters of boards and branch paths in
    the table of all positions (`limit-positions`). `max_expansion`: how many times its own size a compressed file or an
    archive may grow, beyond the first 64 MiB (`limit-archive`). Raises `ValueError` for a limit that is
    negative or takes more than 63 bits.
    """

    max_bytes: int = 1 << 30
    max_steps: int = 50_000_000
    max_depth: int = 100_000_000
    max_points: int = MAX_POINTS
    max_moves: int = 1 << 28
    max_problems: int = 10_000
    max_positions: int = 1 << 30
    max_expansion: int = 1000
    max_findings: int = 10_000

    def __repr__(self) -> str:
        """Return the limits that are not the default ones, as they are written."""
        changed = [item.name for item in fields(self) if getattr(self, item.name) != item.default]
        return f"Limits({', '.join(f'{name}={getattr(self, name)}' for name in changed)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, item.name) for item in fields(self))

    def __post_init__(self) -> None:
        for item in fields(self):
            if type(getattr(self, item.name)) is not int:
                raise TypeError(f"{item.name} is {getattr(self, item.name)!r}; a limit is an integer")
            if getattr(self, item.name) < 0:
                raise ValueError(f"{item.name} is {getattr(self, item.name)}; a limit is not negative")
            if getattr(self, item.name) > _MOST:
                raise ValueError(f"{item.name} is more than {_MOST:,}, the largest limit")


def _set_state(limits: Limits, state: list[int]) -> None:
    """Take the limits of a pickle of an earlier release, which lacks those that were added at the end."""
    for item, value in zip_longest(fields(limits), state):
        object.__setattr__(limits, item.name, item.default if value is None else value)


# Not in the class: Python 3.10 and the first releases of 3.11 replace it there by one of their own.
Limits.__setstate__ = _set_state  # type: ignore[attr-defined]


def check_limits(limits: object) -> None:
    """Raise `TypeError` where the argument `limits=` of a function is no `Limits`."""
    if not isinstance(limits, Limits):
        raise TypeError(f"limits= takes a Limits, not {limits!r:.80}")


DEFAULT_LIMITS: Final = Limits()
