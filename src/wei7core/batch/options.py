"""How many records at once are read, and what is made of them."""

from __future__ import annotations

from dataclasses import dataclass

from ..formats.registry import FirstRow, is_encoding
from ..limits import DEFAULT_LIMITS, Limits

__all__ = ["Options", "refuse_wrong"]


@dataclass(frozen=True, slots=True)
class Options:
    """How records are read and what is made of them; see `replay`. `records`: outcomes come with their records."""

    board: bool = False
    positions: bool = False
    strict: bool = False
    revision: int = 7
    limits: Limits = DEFAULT_LIMITS
    encoding: str | None = None
    records: bool = False
    first_row: FirstRow = "top"


def refuse_wrong(options: Options, jobs: int) -> None:
    """Raise `ValueError` for options that there are not."""
    if jobs < 1:
        raise ValueError("jobs must be at least 1")
    if options.revision not in (2, 7):
        raise ValueError("revision must be 7 or 2")
    if options.encoding is not None and not is_encoding(options.encoding):
        raise ValueError(f"the encoding {options.encoding!r} is not known")
    if options.first_row not in ("top", "bottom"):
        raise ValueError(f"the first row is {options.first_row!r}; use top or bottom")
