"""What strategies of Hypothesis draw, from one source of random numbers that is made of a seed (`helpers.effort`).

Documents have hundreds of parts. Where Hypothesis draws each of them, that takes most of the time of a test, and many
examples end as too large.
"""

from __future__ import annotations

import functools
import math
import struct
import sys
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

from helpers.effort import chances

SPECIAL = "\0\t\n\r\x1f \"%&'()/:;<>[\\]{}\x7f\x85\xa0\xad\u200d\u2028\ufeff\uffff\U0010ffffé围𠀀"


class Drawing:
    """Draws a value from a source of random numbers."""

    def __init__(self, draw: Callable[[Random], Any], options: Sequence[Drawing] = ()) -> None:
        self.draw = draw
        self.options = options or (self,)

    def map(self, change: Callable[[Any], Any]) -> Drawing:
        return Drawing(lambda chance: change(self.draw(chance)))

    def filter(self, is_wanted: Callable[[Any], Any]) -> Drawing:
        def draw(chance: Random) -> Any:
            while not is_wanted(value := self.draw(chance)):
                pass
            return value

        return Drawing(draw)

    def __or__(self, other: Drawing) -> Drawing:
        return one_of(self, other)


def drawn(drawing: Drawing) -> st.SearchStrategy[Any]:
    """The strategy for Hypothesis."""
    return st.builds(drawing.draw, chances())


def composite(function: Callable[..., Any]) -> Callable[..., Drawing]:
    """Like `hypothesis.strategies.composite`."""

    @functools.wraps(function)
    def made(*arguments: Any, **options: Any) -> Drawing:
        return Drawing(lambda chance: function(lambda drawing: drawing.draw(chance), *arguments, **options))

    return made


def just(value: Any) -> Drawing:
    return Drawing(lambda _: value)


def integers(least: int, most: int) -> Drawing:
    """Numbers of a range; of a large one its ends come often."""

    def draw(chance: Random) -> int:
        if most - least > 100 and chance.random() < 0.1:
            return chance.choice((least, most))
        return least + int(chance.random() * (most - least + 1))

    return Drawing(draw)


def any_integers() -> Drawing:
    """Numbers of up to 130 bits, of all sizes alike."""
    return Drawing(lambda chance: chance.choice((1, -1)) * chance.getrandbits(chance.randint(1, 130)))


def finite_floats() -> Drawing:
    """Floating-point numbers of all sizes alike, and the ends of what there is."""
    ends = sampled_from((0.0, -0.0, 0.1, 1 / 3, 1e16, 1e22, -1e-7, 5e-324, sys.float_info.min, sys.float_info.max))
    bits = Drawing(lambda chance: struct.unpack("<d", struct.pack("<Q", chance.getrandbits(64)))[0])
    return one_of(ends, bits, bits).filter(math.isfinite)


def booleans() -> Drawing:
    return Drawing(lambda chance: chance.random() < 0.5)


def sampled_from(values: Sequence[Any]) -> Drawing:
    return Drawing(lambda chance: chance.choice(values))


def one_of(*drawings: Drawing) -> Drawing:
    options = [option for drawing in drawings for option in drawing.options]
    return Drawing(lambda chance: chance.choice(options).draw(chance), options)


def tuples(*drawings: Drawing) -> Drawing:
    return Drawing(lambda chance: tuple(drawing.draw(chance) for drawing in drawings))


def builds(function: Callable[..., Any], *drawings: Drawing, **named: Drawing) -> Drawing:
    def draw(chance: Random) -> Any:
        arguments = [drawing.draw(chance) for drawing in drawings]
        return function(*arguments, **{name: drawing.draw(chance) for name, drawing in named.items()})

    return Drawing(draw)


def permutations(values: Sequence[Any]) -> Drawing:
    return Drawing(lambda chance: chance.sample(values, len(values)))


def characters(exclude_categories: Iterable[str] = ("Cs",)) -> Drawing:
    """Characters, half of them of ASCII, a quarter with a meaning in some format, a quarter of all there are."""
    excluded = {"Cs", *exclude_categories}

    def draw(chance: Random) -> str:
        while True:
            kind = chance.random()
            if kind < 0.5:
                found = chr(chance.randrange(32, 127))
            elif kind < 0.75:
                found = chance.choice(SPECIAL)
            else:
                found = chr(chance.randrange(0x110000 if kind < 0.85 else 0x3000))
            if unicodedata.category(found) not in excluded:
                return found

    return Drawing(draw)


def text(alphabet: Drawing, *, min_size: int = 0, max_size: int) -> Drawing:
    return lists(alphabet, min_size=min_size, max_size=max_size).map("".join)


def lists(
    drawing: Drawing, *, min_size: int = 0, max_size: int, unique_by: Callable[[Any], Hashable] | None = None
) -> Drawing:
    """Lists of up to `max_size`; with `unique_by` they may end shorter than `min_size`."""

    def draw(chance: Random) -> list[Any]:
        values = [drawing.draw(chance) for _ in range(chance.randint(min_size, max_size))]
        return values if unique_by is None else list({unique_by(value): value for value in values}.values())

    return Drawing(draw)


def dictionaries(keys: Drawing, values: Drawing, *, min_size: int = 0, max_size: int) -> Drawing:
    """Dictionaries of up to `max_size`; they may end smaller than `min_size`, but not empty because of it."""
    return lists(tuples(keys, values), min_size=min_size, max_size=max_size).map(dict)


def fixed_dictionaries(required: Mapping[Any, Drawing], *, optional: Mapping[Any, Drawing] | None = None) -> Drawing:
    def draw(chance: Random) -> dict[Any, Any]:
        chosen = {key: drawing for key, drawing in (optional or {}).items() if chance.random() < 0.5}
        return {key: drawing.draw(chance) for key, drawing in {**required, **chosen}.items()}

    return Drawing(draw)


class _TooManyError(Exception):
    """More leaves than a tree may have."""


def recursive(leaf: Drawing, extend: Callable[[Drawing], Drawing], *, max_leaves: int) -> Drawing:
    leaves = 0

    def counted(chance: Random) -> Any:
        nonlocal leaves
        leaves += 1
        if leaves > max_leaves:
            raise _TooManyError
        return leaf.draw(chance)

    levels = [Drawing(counted)]
    while len(levels) <= max_leaves.bit_length():
        levels.append(extend(one_of(*levels)))
    whole = one_of(*levels)

    def draw(chance: Random) -> Any:
        nonlocal leaves
        while True:
            leaves = 0
            try:
                return whole.draw(chance)
            except _TooManyError:
                continue

    return Drawing(draw)
