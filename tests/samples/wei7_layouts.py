"""Texts of wei7 games in many layouts, whole and damaged, from a seed: what a decoder may guess at, and get wrong.

`cd tests; python -m samples.wei7_layouts SECONDS [SEED]` compares both decoders on such texts for so many seconds.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

from wei7core._util.cpu import ISAS
from wei7core.formats import _native
from wei7core.formats.wei7.decode import describe, read_text
from wei7core.limits import Limits
from wei7core.record.record import Record

COMMENTS = ["", "好棋", "这一手是本局的关键,白棋以后难办。", "a\nb", '"\\/\t', "𠀀 围棋 \u2028", "x" * 70, "黑" * 40]
EVALUATIONS = ["bad", "good", "trick", "controversial"]
WEDGES = [
    *("{", "}", "[", "]", ",", ":", '"', "\\", "0", "1", "9", "10", "100", "00", "-", ".5", "e1", "null", "true", " "),
    *("\n", "\r", "\t", "\x01", "\x00", "\u4e2d", "\\u4e00", "\\ud800", '"x":1,', '"color":2,', '"time":3,', "],"),
]
UNKNOWN: list[tuple[str, Any]] = [
    *(("clock", {"left": left}) for left in (1, 599, 0.5)),
    *(("clock", value) for value in (None, [], [1, [2, {"a": "b"}]], 'x"y')),
    *((name, 1) for name in ("", 'a"b', "\\", "围", " : ", "Time")),
]
BYTES = [b"\xe4\xb8", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", b"\xc0\xaf", b"\xff", b"\x80", b"\xf4\x90\x80\x80"]


def members(chance: random.Random, order: int, **values: Any) -> dict[str, Any]:
    """An object whose members are mostly in the order of the number."""
    names = sorted(values)
    random.Random(order if chance.random() < 0.98 else chance.random()).shuffle(names)
    return {name: values[name] for name in names}


def point(chance: random.Random, order: int, size: int) -> dict[str, Any]:
    return members(chance, order, x=chance.randrange(size), y=chance.randrange(size))


def step(chance: random.Random, order: int, size: int, rich: float) -> dict[str, Any]:
    kind = chance.random()
    value: Any
    if kind < 0.9:
        place = None if chance.random() < 0.03 else point(chance, order, size)
        value = members(chance, order, color=chance.randint(1, 2), point=place)
        if chance.random() < rich / 4:
            value["evaluation"] = chance.choice(EVALUATIONS)
        name = "move"
    elif kind < 0.92:
        name, value = "takeback", chance.randint(1, 3)
    elif kind < 0.94:
        name, value = "message", chance.choice(COMMENTS)
    elif kind < 0.96:
        name, value = "mark", members(chance, order, point=point(chance, order, size), symbol=chance.choice("aZ0#*"))
    elif kind < 0.98:
        name, value = "result", chance.choice([{"winner": 1}, {"winner": None}, {"margin": 3.5, "winner": 2}])
    else:
        place = point(chance, order, size)
        name, value = "move", {"color": 1, "point": place, "problem": {"color": 2}}
    extras: dict[str, Any] = {}
    action: dict[str, Any] = {"type": name, "value": value}
    for owner in (extras, action, value):
        if chance.random() < rich / 4 and isinstance(owner, dict):
            unknown, content = chance.choice(UNKNOWN)
            owner[unknown] = content
    if chance.random() < rich:
        extras["time"] = chance.choice([0, 7, 12.5, 86399.999, 1e3, 123456, 3, 99.123456789])
    if chance.random() < rich:
        extras["actor"] = chance.randint(0, 2)
    if chance.random() < rich:
        extras["comment"] = chance.choice(COMMENTS)
    if chance.random() < rich:
        extras["marks"] = [
            members(chance, order, point=point(chance, order, size), symbol=chance.choice("ab?9"))
            for _ in range(chance.randrange(4))
        ]
    return members(chance, order, action=members(chance, order // 7, **action), **extras)


def tree(chance: random.Random, order: int, size: int, rich: float, depth: int) -> dict[str, Any]:
    result: dict[str, Any] = {"steps": [step(chance, order, size, rich) for _ in range(chance.choice([0, 1, 5, 30]))]}
    if chance.random() < 0.2:
        stones = [members(chance, order, color=1, point=point(chance, order, size)) for _ in range(chance.randrange(5))]
        result = {"pre": {"stones": stones, "comment": chance.choice(COMMENTS)}, **result}
    if depth < 3 and chance.random() < 0.3:
        result["branches"] = [tree(chance, order, size, rich, depth + 1) for _ in range(chance.randint(1, 2))]
    return result


def document(chance: random.Random) -> bytes:
    """Return the text of a game, valid or nearly so, all of it in one layout."""
    order, size = chance.choice([0, 1, 2, 3, chance.randrange(1000)]), chance.choice([19, 19, 19, 9, 1, 37, 101, 1000])
    rich = chance.choice([0.0, 0.0, 0.05, 0.3, 0.9])
    game = {"format": "wei7", "version": "3.0", "size": size}
    if chance.random() < 0.5:
        game["info"] = {"id": "1", "participants": [{"name": "甲"}, {"name": "b"}]}
    game["tree"] = tree(chance, order, size, rich, 0)
    indent = chance.choice([None, None, 1, 2, 4, 40, "\t", " \r"])
    separators = chance.choice([(",", ":"), (", ", ": "), (" ,", " :"), (",", ": ")])
    text = json.dumps(game, ensure_ascii=chance.random() < 0.2, indent=indent, separators=separators)
    if chance.random() < 0.1:
        text = text.replace("}", chance.choice([" }", "}\n", "\t}\t"]))
    return text.encode()


def damaged(chance: random.Random, text: bytes) -> bytes:
    """Return the text with up to three changes, anywhere."""
    data = bytearray(text)
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data) + 1)
        what = chance.randrange(7)
        if what == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif what == 1:
            data[at : at + 1] = bytes([chance.randrange(256)])
        elif what == 2:
            del data[at : at + chance.randint(1, 12)]
        elif what == 3:
            data[at:at] = chance.choice(WEDGES).encode()
        elif what == 4:
            data[at:at] = chance.choice(BYTES)
        elif what == 5:
            begin = chance.randrange(len(data) + 1)
            data[at:at] = data[begin : begin + chance.randint(1, 40)]
        elif chance.random() < 0.4:
            del data[at:]
    return bytes(data)


def decode(text: bytes, revision: int, limits: Limits, *, general_only: bool = False, isa: int = 0) -> Record:
    return _native.decode_wei7(
        text, revision, limits, describe, read_text, (Record, ()), general_only=general_only, isa=isa
    )  # fmt: skip


def columns(record: Record) -> dict[str, Any]:
    """Return all that a record holds, in bytes and numbers; problems are located ones."""
    tables = ["trees", "steps", "details", "pres", "stones", "marks", "kept"]
    held: dict[str, Any] = {name: getattr(record, name).tobytes() for name in tables}
    for name in ("width", "height", "size_form", "info_json", "broken_off", "problems"):
        held[name] = getattr(record, name)
    return held


def compare(text: bytes, revision: int, limits: Limits) -> int:
    """Fail where the ways of decoding differ. Return how many problems the text has."""
    expected = columns(decode(text, revision, limits, general_only=True))
    for isa in range(len(ISAS)):
        assert columns(decode(text, revision, limits, isa=isa)) == expected, (isa, text)
    return len(expected["problems"])


def samples(seed: int) -> Iterator[tuple[bytes, int, Limits]]:
    chance = random.Random(seed)
    while True:
        text = document(chance)
        for number in range(4):
            limits = Limits()
            if chance.random() < 0.1:
                limits = Limits(max_steps=chance.randrange(1, 60), max_depth=chance.randrange(1, 14), max_problems=3)
            yield damaged(chance, text) if number else text, chance.choice([7, 7, 2]), limits


if __name__ == "__main__":
    end = time.monotonic() + float(sys.argv[1])
    count = spoilt = 0
    for sample in samples(int(sys.argv[2]) if len(sys.argv) > 2 else 0):
        spoilt += compare(*sample) > 0
        count += 1
        if time.monotonic() > end:
            break
    print(f"{count} texts, {spoilt} with problems: no difference")
