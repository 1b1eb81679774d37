"""Lines, columns and paths of offsets in wei7 texts, whole and broken, against a walk over every byte."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

from oracles.json_places import Walk, line_and_column

from wei7core.formats import _native

LETTERS = b'{}[],:"\\0123456789abtrue \n-.'


def alike(draw: random.Random) -> object:
    """A list of elements that differ in digits more than in anything else."""
    shapes: list[Callable[[], object]] = [
        lambda: {"x": number(draw), "y": number(draw)},
        lambda: [number(draw), [number(draw)]],
        lambda: {"text": draw.choice(['"', "7", "77\\7", "é\n", "", "}"]), "at": {"n": number(draw)}},
        lambda: number(draw),
        dict,
    ]
    shape = draw.choice(shapes)
    return [(draw.choice(shapes) if draw.random() < 0.15 else shape)() for _ in range(draw.randrange(12))]


def number(draw: random.Random) -> float | int:
    return draw.choice([draw.randrange(10), draw.randrange(1000), -draw.randrange(30), draw.randrange(99) / 8])


def text_of(draw: random.Random) -> bytes:
    value = {"a": alike(draw), "b": [alike(draw) for _ in range(draw.randrange(5))], "c": "日本\n", "d": alike(draw)}
    separators = draw.choice([(",", ":"), (", ", ": ")])
    text = json.dumps(value, separators=separators, indent=draw.choice([None, None, 1]), ensure_ascii=False).encode()
    if draw.random() < 0.5:
        broken = bytearray(text)
        for _ in range(draw.randrange(1, 4)):
            at = draw.randrange(len(broken))
            broken[at : at + draw.randrange(2)] = bytes([draw.choice(LETTERS)])
        return bytes(broken)
    return text


def test_all_places_one_at_a_time_and_together() -> None:
    draw = random.Random(20261128)
    tried = 0
    for _ in range(300):
        text = text_of(draw)
        try:
            paths = Walk(text).paths
        except ValueError:
            continue
        tried += 1
        expected = [(*line_and_column(text, at), path) for at, path in enumerate(paths)]
        assert _native.locate_wei7(text, list(range(len(text) + 1))) == expected, text
        for at in draw.sample(range(len(text) + 1), min(25, len(text))):
            assert _native.locate_wei7(text, [at]) == [expected[at]], (text, at)
            later = draw.randrange(at, len(text) + 1)
            assert _native.locate_wei7(text, [at, later]) == [expected[at], expected[later]], (text, at, later)
    assert tried > 250


def test_elements_that_differ_in_digits_only_or_are_broken() -> None:
    texts = [
        b'{"a":[{"x":1},{"x":2},{"x":33},{"x":4',
        b'{"a":[{"x":1},{"x":2},{"x":},{"x":4}]}',
        b'{"a":[{"x":1},{"x":20},{"x":3"},{"x":4}]}',
        b'{"a":[["1\\"2"],["1\\"3"],["1\\2"],["1\\34"],["\\"]"]],"b":[1]}',
        b'{"a":[[1],[2],[3]4,[5]]}',
    ]
    for text in texts:
        expected = [(*line_and_column(text, at), path) for at, path in enumerate(Walk(text).paths)]
        assert [_native.locate_wei7(text, [at])[0] for at in range(len(text) + 1)] == expected
