"""What makes the decoder of SGF quick changes no answer: every instruction set and every way gives the same record."""

from __future__ import annotations

import os
import random
import sys
from dataclasses import replace
from typing import Any

import pytest
from helpers import native
from helpers.effort import examples
from hypothesis import given
from hypothesis import strategies as st
from oracles import sgf as sgf_oracle
from oracles.engine import replay_texts
from oracles.sgf_readings import reading_of
from samples import sgf_server_texts

from wei7core._util import cpu as processor
from wei7core.formats import _native
from wei7core.formats.sgf import decode as sgf
from wei7core.limits import DEFAULT_LIMITS, Limits

TABLES = ("trees", "steps", "details", "pres", "stones", "marks", "kept")
# The plainest way, all by the reader of nodes, is what the others are compared with.
NO_SHORTCUTS = 2
ISAS = range(len(processor.ISAS))
WAYS = [(isa, 0) for isa in ISAS] + [(0, 1)]
BLOCKS = int(os.environ.get("WEI7CORE_SGF_BLOCKS", "12"))


def decoded(data: bytes, isa: int, plainness: int, double_byte: int, limits: Limits) -> dict[str, Any]:
    """Return all that the decoder finds in a text; its problems in the order in which it found them."""
    record, *facts = _native.decode_sgf(data, double_byte, limits, isa, plainness)
    reported: list[Any] = []
    _native.finish_sgf(record, "latin-1", [], limits.max_problems, lambda _, raw: reported.extend(raw) or [], bytes, ())
    assert not record.problems
    found = {name: getattr(record, name).tobytes() for name in TABLES}
    found |= {name: getattr(record, name) for name in ("width", "height", "size_form", "charset", "broken_off")}
    return {**found, "facts": facts, "problems": reported, "revision": record.revision}


def compare(data: bytes, double_byte: int = 0, limits: Limits = DEFAULT_LIMITS) -> None:
    expected = decoded(data, 0, NO_SHORTCUTS, double_byte, limits)
    for isa, plainness in WAYS:
        assert decoded(data, isa, plainness, double_byte, limits) == expected, (isa, plainness, data)


def test_the_forms_are_numbered_as_here() -> None:
    assert processor.ISA in ISAS
    assert processor.ISAS[0] == "portable"


@pytest.mark.parametrize("block", range(BLOCKS))
def test_every_way_reads_alike(block: int) -> None:
    for seed in range(block * 150, block * 150 + examples(150)):
        data = sgf_server_texts.text(seed)
        compare(data)
        if seed % 5 == 0:
            compare(data, double_byte=1 + seed % 2)
            compare(data, limits=replace(DEFAULT_LIMITS, max_steps=seed % 37, max_problems=seed % 3))


@pytest.mark.parametrize("seed", range(6))
def test_texts_that_end_anywhere(seed: int) -> None:
    data = sgf_server_texts.game(random.Random(1000 + seed)).encode("latin-1")[:400]
    for end in range(len(data)):
        compare(data[:end])


@pytest.mark.parametrize("change", [b"", b"]", b";", b"\n", b"\\", b"z", b"T", b" ", b"[]", b"C[x]", b"\r\n", b"\xe9"])
def test_a_change_at_every_byte_of_a_run(change: bytes) -> None:
    moves = b"".join(b";%c[%c%c]" % (b"BW"[k % 2], 97 + k % 19, 97 + k * 7 % 19) for k in range(24))
    data = b"(;FF[4]" + moves + b")"
    for at in range(7, len(data)):
        compare(data[:at] + change + data[at + 1 :])
        compare(data[:at] + change + data[at:])


@pytest.mark.parametrize("size", ["1", "2", "9", "19", "25", "26", "27", "52", "9:26", "26:9", "30:5", "5:30"])
def test_every_letter_on_every_size(size: str) -> None:
    letters = sgf_oracle.LETTERS + "`{@[ "
    for axis in range(2):
        for count in (1, 12):
            for letter in letters:
                where = f"{letter}a" if axis == 0 else f"a{letter}"
                data = f"(;SZ[{size}]{';B[aa];W[aa]' * count};B[{where}]{';W[aa];B[aa]' * count})".encode()
                compare(data)


PIECES = [
    *("(", ")", "(;", ")(;", ";", ";", ";", "\n", " "),
    *("B[aa]", "W[bb]", "B[]", "W[tt]", "B[zz]", "b[cc]", "B[aa][bb]", "AB[cc]", "AE[aa]", "TR[dd]", "LB[ee:1]"),
    *("C[x]", "C[a\\]b\nc]", "C[", "SBKV[49.30]", "BL[9.5]", "OB[3]", "N[n]", "V[1]", "PL[B]", "MN[7]"),
    *("TE[1]", "TE[2]", "TE[3]", "TE[]", "DO[]", "DO[x]", "IT[]", "KO[]", "KO[1]", "GM[1]", "SZ[9]", "PB[p]", "x", "]"),
]


def nodes(seed: int) -> bytes:
    """Properties of nodes in any order, among variations of few nodes."""
    chance = random.Random(seed)
    usual = chance.random() < 0.7
    pieces = PIECES[:3] * 3 + PIECES[4:6] * 4 + ["B[aa]", "W[bb]", "C[x]", "TE[1]", "SBKV[49.30]"] * 3 if usual else []
    text = "".join(chance.choice([*PIECES, *pieces]) for _ in range(chance.randrange(40)))
    return (chance.choice(["(;FF[4]SZ[19]", "(;", "(", "((;", ";", "(;SZ[9];B[aa]"]) + text + ")" * 4).encode()


@pytest.mark.parametrize("block", range(BLOCKS))
def test_properties_of_nodes_in_any_order(block: int) -> None:
    for seed in range(block * 250, block * 250 + examples(250)):
        data = nodes(seed)
        compare(data)
        if seed % 7 == 0:
            compare(data, limits=replace(DEFAULT_LIMITS, max_steps=seed % 9, max_depth=1 + seed % 4))


@given(st.binary(max_size=60).map(lambda data: b"(;B[aa];W[bb];B[cc]" + data + b";W[dd];B[ee])"))
def test_any_bytes_between_moves(data: bytes) -> None:
    compare(data)


@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_slow_reader_agrees(block: int) -> None:
    for seed in range(50_000 + block * 40, 50_000 + block * 40 + examples(40)):
        data = sgf_server_texts.text(seed)
        record = sgf.decode(data, encoding="latin-1")
        if sgf.sgf_charset.double_byte(record.encoding) or b"\0" in data[:4]:
            continue
        assert reading_of(record) == sgf_oracle.read(data), data


@pytest.mark.parametrize("isa", ISAS)
def test_many_texts_give_the_same_rows(isa: int) -> None:
    texts = [sgf_server_texts.text(seed) for seed in range(600)]
    formats = ["sgf"] * len(texts)
    rows, letters = replay_texts(texts, formats, board=True, isa=0)
    others, other_letters = replay_texts(texts, formats, board=True, isa=isa)
    assert not rows["is_deferred"].all()
    assert rows.tolist() == others.tolist()
    assert letters == other_letters


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform == "win32", reason="pages are guarded as POSIX systems do it")
@pytest.mark.parametrize("isa", ISAS)
@pytest.mark.parametrize("double_byte", [0, 1])
def test_nothing_is_read_beyond_the_text(isa: int, double_byte: int) -> None:
    guarded = native.load("guarded_texts", "guarded_texts")
    for seed in range(60):
        data = sgf_server_texts.text(seed)[:500]
        for end in range(len(data) + 1):
            assert guarded.decode(data[:end], isa, double_byte) >= 0
