"""Exact numbers of points: from the texts of records to fractions, and back to decimals.

Arithmetic uses fractions, because `decimal` rounds and raises depending on the context of its thread.
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final

from ..rules import CHINESE, Rules

_MOST_DIGITS: Final = 307  # and a float holds the number, and twice as much
_MOST: Final = 10**_MOST_DIGITS


def to_fraction(number: float | Decimal | Fraction) -> Fraction:
    """Return a number as a fraction; a float is read by its repr, so that 0.1 is a tenth.

    Raises `ValueError` for a value that is not finite or has an exponent beyond that of a float, `TypeError` for
    another type.
    """
    if type(number) is Fraction:
        return number
    if isinstance(number, int | Fraction) and not isinstance(number, bool):
        if abs(number) >= _MOST:
            raise ValueError("the number of points is too large")
        return Fraction(number)
    if isinstance(number, float | Decimal):
        decimal = Decimal(repr(number)) if isinstance(number, float) else number
        if decimal.is_finite() and abs(decimal.adjusted()) < _MOST_DIGITS:
            return Fraction(decimal)
        raise ValueError(f"{number} is not a number of points")
    raise TypeError(f"expected a number of points as int, float, Decimal or Fraction, got {number!r}")


@lru_cache(maxsize=512)
def decimal_text(number: Fraction) -> str:
    """Return a fraction as a decimal without exponent, `3.5`; an infinite one as `10/3`."""
    twos = (number.denominator & -number.denominator).bit_length() - 1
    rest, fives = number.denominator >> twos, 0
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return str(number)
    places = max(twos, fives)
    whole, part = divmod(abs(number.numerator) * 10**places // number.denominator, 10**places)
    sign = "-" if number < 0 else ""
    return f"{sign}{whole}.{part:0{places}}" if places else f"{sign}{whole}"


@lru_cache(maxsize=512)
def to_json_number(number: Fraction) -> int | float | Decimal:
    """Return a fraction for a record: an int if it is whole, a float if its repr is exact, else a Decimal.

    Raises `ValueError` if no decimal number is equal to it.
    """
    if number.denominator == 1:
        return number.numerator
    text = decimal_text(number)
    if "/" in text:
        raise ValueError(f"{text} is not a finite decimal number")
    near = float(text)
    return near if math.isfinite(near) and Fraction(repr(near)) == number else Decimal(text)


def from_zi(zi: float | Decimal | Fraction) -> Fraction:
    """Return the points (目) of a margin or komi in Chinese stones (子): 3 3/4 子 are 7.5 目.

    Chinese counting compares the area of one color with half of the board, so that each stone more than half is a
    difference of two points. Raises as `to_fraction` does.
    """
    return 2 * to_fraction(zi)


def to_zi(points: float | Decimal | Fraction) -> Fraction:
    """Return the Chinese stones (子) of a number of points (目): half as many. Raises as `to_fraction` does."""
    return to_fraction(points) / 2


def zi_text(zi: Fraction) -> str:
    """Return a number of Chinese stones in the usual notation: `3又3/4子`, `3/4子`, `2子`."""
    whole, part = divmod(abs(zi), 1)
    text = "又".join([str(whole)] * (whole > 0 or not part) + [str(part)] * (part > 0))
    return f"{'-' if zi < 0 else ''}{text}子"


def komi_in_points(komi: float | Decimal | Fraction, rules: Rules | None) -> Fraction:
    """Return the komi or margin of a record in points (目): under Chinese rules one in quarters is in stones (子).

    `rules` None are unknown. Raises as `to_fraction` does.
    """
    exact = to_fraction(komi)
    return from_zi(exact) if rules is not None and rules.name == CHINESE.name and exact.denominator == 4 else exact
