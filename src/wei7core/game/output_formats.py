"""The target formats of conversion."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from ..errors import ConversionError

if TYPE_CHECKING:
    from ..record.document import Document


class Target(NamedTuple):
    """A target format.

    `format` is the detected format of the result, `revision` that of the wei7 specification it follows; `suffix` is
    that of a file of one record, `suffix_of_many` that of a file of any number, empty if unsupported.
    """

    name: str
    format: str
    revision: int
    suffix: str
    suffix_of_many: str

    @property
    def suffixes(self) -> tuple[str, ...]:
        """All suffixes of its files."""
        return tuple(dict.fromkeys(suffix for suffix in (self.suffix, self.suffix_of_many) if suffix))


TARGETS: Final = {
    row.name: row
    for row in (
        Target("wei7", "wei7", 7, ".wei7", ".jsonl"),
        Target("wei7-rev7", "wei7", 7, ".wei7", ".jsonl"),
        Target("wei7-rev2", "wei7", 2, ".wei7", ".jsonl"),
        Target("wei7-2.2", "wei7-2.2", 7, ".wei7", ""),
        Target("sgf", "sgf", 7, ".sgf", ".sgf"),
        Target("giseong", "giseong", 7, ".giseong", ""),
    )
}
"""By name, as in `--to` and `dumps`."""


def target_named(format: str) -> Target:
    """Return the row of `TARGETS`; raises `ValueError` for an unknown name. Thread safe."""
    if format not in TARGETS:
        raise ValueError(f"unknown output format {format!r} (choose from {', '.join(TARGETS)})")
    return TARGETS[format]


def format_of(path: str) -> str | None:
    """Return the name of the target for the suffix of a file, in any case, or None. Thread safe."""
    suffix = os.path.splitext(path)[1].lower()
    return next((row.name for row in TARGETS.values() if suffix in row.suffixes), None)


def wrong_size(supported: str, document: Document) -> ConversionError:
    """Return the exception for a board that a format does not support; its message starts with `supported`."""
    size = f"{document.width} x {document.height} points" if document.width else "an unknown size"
    return ConversionError(f"{supported}; this game has {size}")
