"""Objects of a known shape, against the decoder of the standard library."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import pytest
from helpers.cases import in_groups
from helpers.effort import examples
from hypothesis import given
from hypothesis import strategies as st
from samples.characters import UNICODE

from wei7core._util._native import JsonShape, Later, Words

TABLE = {"one": 1, "two": 2}
ABSENT = object()
KINDS = ("number", "count", "text", "flag", "word")
PART = JsonShape(None, [("a", "count", None), ("b", "text", "none")])
SHAPE = JsonShape(
    None,
    [
        ("n", "number", None),
        ("c", "count", 5),
        ("t", "text", ABSENT),
        ("f", "flag", None),
        ("w", "word", ABSENT),
        ("list", ["number"], None),
        ("tuple", ("word",), ()),
        ("part", PART, None),
        ("parts", [PART], ()),
    ],
)


def is_plain(text: str) -> bool:
    return all(" " <= letter <= "~" and letter not in '"\\' for letter in text)


def scalar_or_list(value: Any) -> bool:
    if isinstance(value, dict):
        return False
    return all(scalar(element) for element in value) if isinstance(value, list) else scalar(value)


def scalar(value: Any) -> bool:
    if isinstance(value, str):
        return is_plain(value)
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, (list, dict)) and not (type(value) is int and abs(value) >= 10**18)


def twin(found: dict, members: list, table: dict) -> tuple | None:
    """What `JsonShape` makes of an object that json has decoded; ABSENT where it is not of the shape."""
    values = {name: missing for name, _, missing in members}
    others = {}
    for name, value in found.items():
        kind = next((kind for known, kind, _ in members if known == name), None)
        if not is_plain(name) or not (scalar_or_list(value) if kind is None else True):
            return None
        if kind is None:
            others[name] = value
        else:
            read = twin_of(value, kind, table)
            if read is None:
                return None
            values[name] = read
    return (*values.values(), others)


def twin_of(value: Any, kind: Any, table: dict) -> Any:
    if isinstance(kind, (list, tuple)):
        if not isinstance(value, list):
            return None
        found = [twin_of(element, kind[0], table) for element in value]
        return None if None in found else type(kind)(found)
    if kind is PART:
        members = [("a", "count", None), ("b", "text", "none")]
        return twin(value, members, table) if isinstance(value, dict) else None
    if kind == "number":
        ok = type(value) in (int, float) and scalar(value)
        return float(value) if ok else None
    if kind == "count":
        return value if type(value) is int and 0 <= value < 10**18 else None
    if kind == "flag":
        return value if type(value) is bool else None
    if not isinstance(value, str) or not is_plain(value):
        return None
    return value if kind == "text" else table.get(value)


MEMBERS = [
    ("n", "number", None), ("c", "count", 5), ("t", "text", ABSENT), ("f", "flag", None), ("w", "word", ABSENT),
    ("list", ["number"], None), ("tuple", ("word",), ()), ("part", PART, None), ("parts", [PART], ()),
]  # fmt: skip
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(UNICODE, max_size=5)
    | st.sampled_from(["one", "two"])
)
VALUES = SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(st.sampled_from("abc"), SCALARS, max_size=3)
VALUES |= st.lists(st.dictionaries(st.sampled_from("abc"), SCALARS, max_size=2), max_size=2)
NAMES = st.sampled_from([name for name, _, _ in MEMBERS]) | st.text(UNICODE, max_size=3)


def fail(word: str) -> Any:
    raise ValueError(word)


WORDS = Words(TABLE, fail)


LATER = [(name, Later(kind), missing) for name, kind, missing in MEMBERS]
LATER_SHAPE = JsonShape(None, LATER)


def read_later(text: bytes) -> tuple | None:
    """What `SHAPE.read` returns, with each member checked first and read then."""
    found = LATER_SHAPE.read(text, WORDS)
    if found is None:
        return None
    parts = zip(found, MEMBERS, LATER, strict=False)
    read = [value if value is missing else part.read(value, WORDS) for value, (_, _, missing), (_, part, _) in parts]
    return (*read, found[-1])


@given(st.dictionaries(NAMES, VALUES, max_size=6), st.booleans(), st.booleans())
def test_any_object_is_read_as_json_reads_it(value: dict, spaces: bool, ascii_only: bool) -> None:
    text = json.dumps(value, separators=None if spaces else (",", ":"), ensure_ascii=ascii_only)
    line = (" " * spaces + text + "\r" * spaces).encode("utf-8", "surrogatepass")
    read = SHAPE.read(line, WORDS)
    expected = twin(json.loads(text), MEMBERS, TABLE)
    assert read == expected
    assert repr(read) == repr(expected)  # 1 is not 1.0
    assert repr(read_later(line)) == repr(expected)


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**20), 10**20))
def test_numbers_are_the_nearest(value: float) -> None:
    shape = JsonShape(None, [("n", "number", None)], False)
    for text in (repr(value), f"{value:.3f}", f"{value:.5e}", f"{value:.8g}"):
        read = shape.read(b'{"n":%b}' % text.encode())
        assert read is None or read == (float(text),)
        later = JsonShape(None, [("n", Later("number"), None)], False).read(b'{"n":%b}' % text.encode())
        assert (later is None) == (read is None)
        assert read is not None or abs(value) >= 10**14 or len(text) > 18


@in_groups(
    "text",
    [
        "", "{", "}", "[]", "{}x", '{"n"}', '{"n":}', '{"n":1,}', '{,"n":1}', '{"n":1 "c":2}', '{"n":01}', '{"n":-}',
        '{"n":+1}', '{"n":1.}', '{"n":.5}', '{"n":1e}', '{"n":1e+}', '{"n":1e999}',
        '{"n":NaN}', '{"n":Infinity}', '{"n":-Infinity}',
        '{"n":"1"}', '{"n":null}', '{"n":tru}', '{"f":truex}', '{"t":"a',
        '{"t":"a\\n"}', '{"t":"\x01"}', '{"t":"\x00"}', '{"t":"é"}',
        '{"w":"three"}', '{"list":[1,]}', '{"list":[1',
        '{"list":[[1]]}', '{"x":{"y":1}}', '{"x":[[1]]}', '{"c":-1}', '{"c":1.0}',
        '{"c":1000000000000000000}', "{}\x00", "{} {}", '{"part":[]}', '{"parts":[1]}', "\ufeff{}", "nul", '{"x":nul}',
    ],
)  # fmt: skip
def test_what_is_not_of_the_shape_is_none(text: str) -> None:
    assert SHAPE.read(text.encode(), WORDS) is None
    assert LATER_SHAPE.read(text.encode(), WORDS) is None


def test_words_are_found_whatever_their_length() -> None:
    words = {f"{letter}{number}" * times: (letter, number, times) for letter in "AZ" for number in range(120)
             for times in (1, 2, 3)}  # fmt: skip
    shape = JsonShape(None, [("w", "word", None)], False)
    known = Words({**words, "": "none", "é": "beyond"}, str.lower)
    for word, value in {**words, "": "none", "B1": "b1", "A" * 9: "a" * 9}.items():
        assert shape.read(b'{"w":"%b"}' % word.encode(), known) == (value,)
    with pytest.raises(TypeError):
        Words({b"A1": 1}, str.lower)


def test_members_that_must_be_there_and_others() -> None:
    shape = JsonShape(dict, [("a", "count", ...)], False)
    assert shape.read(b"{}") is None
    assert shape.read(b'{"a":1,"b":2}') is None
    made = JsonShape(lambda *values: values, [("a", "count", ...)])
    assert made.read(b'{"b":[1,"x",null,true],"a":1,"a":2}') == (2, {"b": [1, "x", None, True]})


def test_errors_of_others_are_passed_on() -> None:
    def fail(*_: Any) -> None:
        raise KeyError("made")

    with pytest.raises(KeyError, match="made"):
        JsonShape(fail, []).read(b"{}")
    with pytest.raises(KeyError):
        JsonShape(None, [("w", "word", None)]).read(b'{"w":"x"}', Words({}, {}.__getitem__))
    with pytest.raises(TypeError):
        JsonShape(None, [("w", "word", None)]).read(b'{"w":"x"}')
    with pytest.raises(TypeError):
        JsonShape(None, []).read("{}")
    with pytest.raises(ValueError, match="at most 16"):
        JsonShape(None, [("a", "text", None)] * 17)
    with pytest.raises(ValueError, match="not in tuple"):
        JsonShape(None, [("a", "texts", None)])


def test_mutated_objects_are_read_as_json_reads_them() -> None:
    rng = random.Random(5)
    text = b'{"n":-1.25e3,"c":12,"t":"abc","f":true,"w":"one","list":[0.5,1],"tuple":["two"],"part":{"a":1},"x":[1]}'
    pieces = [b"", b"1", b'"', b",", b"e", b".", b"}", b" ", b"\x00"]
    plain = 0
    for _ in range(examples(20_000)):
        made = bytearray(text)
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(made))
            made[place : place + rng.randrange(3)] = rng.choice(pieces)
        read = SHAPE.read(bytes(made), WORDS)
        assert read_later(bytes(made)) == read
        if read is not None:
            plain += 1
            assert read == twin(json.loads(made), MEMBERS, TABLE)
    assert plain > 100
