"""The values of arguments, read from text: functions for `type` of argparse, which reports their errors.

All raise `argparse.ArgumentTypeError` for other text.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from ..formats.registry import is_encoding
from ..sources.sources import STDIN

if TYPE_CHECKING:
    from ..rules import Rules

_MOST_SECONDS: Final = 65_535


def natural(text: str) -> int:
    """Return a number of 0 or more."""
    if text.isascii() and text.startswith("-") and text[1:].isdigit():
        raise argparse.ArgumentTypeError(f"{text} is negative")
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def name(text: str) -> str:
    """Return a name that is not empty."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return text


def target(text: str) -> str:
    """Return the name of a file or folder; `-` is refused."""
    if text == STDIN:
        raise argparse.ArgumentTypeError("cannot be standard output")
    return name(text)


def encoding(text: str) -> str:
    """Return the name of an encoding that records of SGF may have."""
    if not is_encoding(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not an encoding supported for SGF")
    return text


def rules(text: str) -> Rules:
    """Return a rule set by its name."""
    from ..rules import named

    try:
        return named(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def positive(text: str) -> int:
    """Return a number of 1 or more."""
    if (number := natural(text)) < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def seconds(text: str) -> float:
    """Return a number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= _MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"must be a number of seconds, 0 to {_MOST_SECONDS:,}")
    return number


def board_size(text: str) -> tuple[int, int]:
    """Return the width and height of `19` or `13x19`."""
    width, sign, height = text.partition("x")
    return positive(width), positive(height if sign else width)


def shard(text: str) -> tuple[int, int]:
    """Return the index and count of `0/4`."""
    index, slash, count = text.partition("/")
    if not slash:
        raise argparse.ArgumentTypeError(f"{text!r} is not I/N")
    return natural(index), positive(count)


def number_range(text: str) -> tuple[int, int | None]:
    """Return the first and last number of `50..400`; None for no last one."""
    first, dots, last = text.partition("..")
    if not dots:
        raise argparse.ArgumentTypeError(f"{text!r} is not A..B")
    return natural(first or "0"), natural(last) if last else None
