"""Numbers with their nouns, for lines that people read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_MOST_COUNTS = 4


def counted(number: int, noun: str) -> str:
    """Return number and noun, with an s where the number is not one."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def counts_text(counts: Mapping[str, int] | Iterable[tuple[str, int]]) -> str:
    """Return names with their counts, the most frequent first, four at most: `late 3, early 1`; "" for none."""
    found = dict(counts)
    names = sorted(found, key=lambda name: (-found[name], name))
    listed = [f"{name} {found[name]:,}" for name in names[:_MOST_COUNTS]]
    more = len(names) - len(listed)
    return ", ".join([*listed, *([f"{more:,} more"] if more else [])])
