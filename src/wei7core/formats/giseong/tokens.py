"""Commentary and labels between two stones of a Giseong record.

It is kept as tokens, each a text or one code, in `Step.properties` and `Document.properties` under `TOKENS`. All
functions are pure; any thread may call them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ...record.document import Mark, Properties
from .codes import PLACEMENT_KINDS, SIDE, Span, placed, read_code

TOKENS: Final = "giseong"
"""The property of a step, or of the root, that has its tokens."""
MOVES: Final = "giseong.moves"
POSTING: Final = "giseong.posting"
VERSION_TOKEN: Final = "giseong.version"
"""The properties of the root for controls 20, 21 with 22, and 23."""

_BREAK: Final = 9
_CLEAR_DIALOGUE: Final = 3


def tokens_of(properties: Properties) -> tuple[str, ...]:
    """Return the tokens that are kept in `properties`."""
    return properties.get(TOKENS, ())


def comment(tokens: Iterable[str]) -> str | None:
    """Return the commentary of `tokens`, or None where they have none but white space.

    Control 9 breaks lines; after control 3, which clears the dialogue, a new paragraph begins.
    """
    texts: list[str] = []
    breaks = 0  # trailing line breaks
    wanted = 0
    is_blank = True
    for token in tokens:
        part = read_code(token)
        if part is None:
            if wanted > breaks and not is_blank:
                texts.append("\n" * (wanted - breaks))
            texts.append(token)
            breaks = wanted = 0
            is_blank = is_blank and not token.strip()
        elif part.what == "w" and part.numbers[0] == _BREAK:
            count = part.numbers[1] if len(part.numbers) > 1 else 1
            texts.append("\n" * count)
            breaks += count
        elif part.what == "w" and part.numbers[0] == _CLEAR_DIALOGUE:
            wanted = 2
    return None if is_blank else "".join(texts)


def marks(tokens: Iterable[str]) -> list[Mark]:
    """Return the labels of `tokens`: letters on points, and labels on stones that exist already."""
    found = []
    for token in tokens:
        mark = label(read_code(token))
        if mark is not None:
            found.append(mark)
    return found


def label(part: Span | None) -> Mark | None:
    """Return the label that a placement writes on its point, or None."""
    if part is None or part.what != "@" or part.numbers[0] not in PLACEMENT_KINDS:
        return None
    kind = PLACEMENT_KINDS[part.numbers[0]]
    if len(part.numbers) != 4 or not kind.labels or part.numbers[3] >= len(kind.labels):
        return None
    _, point, text = placed(part.numbers)
    if text is None or not all(0 <= place < SIDE for place in point):
        return None
    return Mark(point, text)
