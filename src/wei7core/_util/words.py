"""Numbers with their nouns, and arrays with their shapes, for lines that people read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

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


def shapes_text(owner: Any) -> str:
    """Return the repr of a dataclass of arrays, with the type and shape of each instead of what it contains."""
    # `dataclasses.fields` would take an import that the command line does without.
    arrays = [(name, getattr(owner, name)) for name in owner.__dataclass_fields__]
    shapes = ", ".join(f"{name} {array.dtype} {array.shape}" for name, array in arrays if hasattr(array, "shape"))
    return f"<{type(owner).__name__}: {shapes}>"
