"""What a check asks of many records at once: keys of headers, lines and columns, paths."""

from __future__ import annotations

import random

import numpy as np
import pytest
from helpers.cases import in_groups
from oracles.header_keys import header_key

from wei7core.batch.options import Options
from wei7core.batch.run import engine_results
from wei7core.batch.summaries import header_keys, summary_dtype
from wei7core.formats import _native
from wei7core.formats.sgf.charset import characters, double_byte
from wei7core.sources.chunks import Chunk, Run, numbers_of, owners_of

GAMES = [
    b"(;SZ[9]KM[6.5]RE[B+R]HA[0]RU[Japanese]PL[B];B[aa];W[bb])",
    b"(;SZ[9];B[aa])",
    b"(;SZ[9]KM[]RE[W+0.5];B[cc];W[dd])",
    "(;CA[UTF-8]SZ[9]RU[中国规则]RE[黑中盘胜];B[cc])".encode(),
    b"(;SZ[9]KM[6.5]RE[B+R]HA[0]RU[Japanese]PL[B];B[cc])",
]
VALUES = [
    (b"6.5", b"B+R", b"0", b"Japanese", b"B"),
    (None,) * 5,
    (b"", b"W+0.5", None, None, None),
    (None, "黑中盘胜".encode(), None, "中国规则".encode(), None),
    (b"6.5", b"B+R", b"0", b"Japanese", b"B"),
]


def chunk(texts: list[bytes], before: bytes = b"", format: str = "sgf") -> Chunk:
    ends = np.cumsum([len(before) + len(text) for text in texts])
    begins = ends - [len(text) for text in texts]
    runs = (Run("a.sgf", 1, 4, True), Run("b.sgf", len(texts) - 1, 0, True))
    return Chunk(b"".join(before + text for text in texts), begins, ends, format, runs, np.array([0, 1]), 20, 3, 7)


@pytest.mark.parametrize("before", [b"", b"\n\n"])
def test_keys_of_headers(before: bytes) -> None:
    block = chunk(GAMES, before)
    ((_, piece),) = engine_results(block, 0, len(block), Options(), facts=True)
    wanted = np.array([True, True, True, False, True])
    keys = header_keys(block.data, block.begins, piece.facts, np.array([0, 0, 3, 0, 0], np.uint8), wanted, 0)
    expected = [header_key("sgf", 3 if k == 2 else 0, values) for k, values in enumerate(VALUES)]
    assert keys == [*expected[:3], expected[4]]
    assert len(set(keys)) == 3


def test_values_outside_of_the_text() -> None:
    facts = np.zeros(1, summary_dtype())
    charsets = np.zeros(1, np.uint8)
    for span in ((0, 5), (3, 2), (2**31 - 1, 2**31 - 1)):
        facts["spans"] = -1
        facts["spans"][0, 1] = span
        with pytest.raises(ValueError, match="outside"):
            header_keys(b"abcd", np.zeros(1, np.int64), facts, charsets, np.ones(1, bool), 0)
    facts["spans"] = -1
    for begins, some, marks, wanted in ((2, 1, 1, 1), (1, 2, 1, 1), (1, 1, 2, 1), (1, 1, 1, 2)):
        with pytest.raises(ValueError, match="expected rows"):
            header_keys(
                b"", np.zeros(begins, np.int64), facts.repeat(some), charsets.repeat(marks), np.ones(wanted, bool), 0
            )


def test_places_of_many_games_are_those_of_each() -> None:
    games = [
        *GAMES,
        b"",
        b"(;C[a\nb];W[aa](;B[bb];W[cc])(;B[cc]))",
        "(;C[全部])".encode("gb18030"),
        "(;C[全部])".encode("cp932"),
    ]
    chances = random.Random(7)
    block = chunk(games, b" \n")
    numbers = np.array([chances.randrange(len(games)) for _ in range(200)]).repeat(3)
    offsets = np.array([chances.randrange(len(games[number]) + 2) for number in numbers])
    marks = [np.maximum(numbers - 6, 0).astype(np.uint8) for _ in range(2)]
    for order in (np.arange(600), np.lexsort((offsets, np.arange(600) // 3))):
        some, places, pairs, units = (column[order] for column in (numbers, offsets, *marks))
        columns = (block.begins[some].tolist(), block.ends[some].tolist(), places.tolist())
        assert _native.locate_each(block.data, *columns, pairs.tobytes(), units.tobytes()) == [
            _native.locate_sgf(games[number], [offset], pair, unit)[0]
            for number, offset, pair, unit in zip(
                some.tolist(), places.tolist(), pairs.tolist(), units.tolist(), strict=True
            )
        ]
    with pytest.raises(ValueError, match="outside"):
        _native.locate_each(b"()", [0], [3], [0], b"\0", b"\0")
    for wrong in (
        ([0, 1], [1], [0, 0]),
        ([0], [1], []),
        ([0], [1], [0], b"\0\0", b"\0\0"),
        ([0], [1], [0], b"\0", b""),
    ):
        with pytest.raises(ValueError, match="expected ends"):
            _native.locate_each(b"()", *wrong)


def test_places_of_many_records_of_wei7_are_those_of_each() -> None:
    texts = [b'{"a":[1,{"b":2}],\n"c":"d"}', b'{"a":[1,2', b"", b'[{"x":{"y":"\xe4\xb8\xad"}},[],3]']
    chances = random.Random(8)
    block = chunk(texts, b" \n", "wei7")
    numbers = np.array([chances.randrange(len(texts)) for _ in range(100)]).repeat(4)
    offsets = np.array([chances.randrange(len(texts[number]) + 1) for number in numbers])
    for order in (np.arange(400), np.lexsort((offsets, np.arange(400) // 4))):
        some, places = numbers[order], offsets[order]
        columns = (block.begins[some].tolist(), block.ends[some].tolist(), places.tolist())
        assert _native.locate_each(block.data, *columns) == [
            _native.locate_wei7(texts[number], [offset])[0]
            for number, offset in zip(some.tolist(), places.tolist(), strict=True)
        ]


@in_groups("unit", [b"\n", b"ab\n", b"abcdefg\n", b"\xe4\xb8\xad\n", b"a\r\n", b"b", b"\x8a\x0b\t"])
def test_lines_of_long_texts(unit: bytes) -> None:
    text = unit * 5000
    for begin, end in ((0, len(text)), (3, len(text) - 1), (5, 2060), (0, 7), (1, 2041 * 8 + 1)):
        part = text[begin:end]
        lines = part.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        column = 1 + sum(byte & 0xC0 != 0x80 for byte in lines[-1])
        assert _native.pass_text(text, begin, begin + len(part), 1, 1) == (len(lines), column)


def test_places_of_some_records_of_a_chunk() -> None:
    block = chunk([b"(;C[a\n\n\xe4\xb8\xad])", b"(;C[\n])", b"(;B[aa])"], b" ")
    for some in ([0, 2], [0, 1, 2], [1, 2], [2], [0]):
        offsets, lines, columns = (
            places.tolist() for places in block.places_of(np.array(some), block.begins[some] + np.array(some) % 2)
        )
        texts = [block.text(k) for k in some]
        assert lines == [text.line for text in texts]
        assert columns == [text.column + k % 2 for k, text in zip(some, texts, strict=True)]
        assert offsets == [text.offset + k % 2 for k, text in zip(some, texts, strict=True)]
    assert [(text.source, text.record, text.offset, text.line, text.column) for text in block.texts()] == [
        ("a.sgf", 4, 20, 3, 7),
        ("b.sgf", 0, 0, 1, 1),
        ("b.sgf", 1, 8, 2, 4),
    ]
    block = chunk(GAMES, format="wei7")
    places = block.places_of(np.array([1, 2]), block.begins[1:3])
    assert [each.tolist() for each in places] == [[0, 0], [1, 1], [1, 1]]


def test_runs_of_records() -> None:
    block = chunk(GAMES)
    runs = block.runs
    assert block.runs_of(0, 5) == [*runs]
    assert block.runs_of(0, 1) == [runs[0]]
    assert block.runs_of(1, 5) == [runs[1]]
    assert block.runs_of(2, 4) == [Run("b.sgf", 2, 1, True)]
    assert block.runs_of(0, 2) == [runs[0], Run("b.sgf", 1, 0, True)]
    assert numbers_of(runs).tolist() == [4, 0, 1, 2, 3]
    assert owners_of(runs, np.arange(5)).tolist() == [0, 1, 1, 1, 1]


@in_groups("seed", range(30))
def test_offsets_have_the_places_that_they_have_among_all_others(seed):
    """A pass for a far offset takes moves and lines many bytes at once; one for all offsets cannot."""
    chance = random.Random(seed)
    pieces = [
        ";B[aa]",
        ";W[ss]",
        ";B[cd];W[dc];B[Qa]",
        ";B[]",
        ";B[aa][bb]",
        ";AB[aa]",
        "(",
        ")",
        "\n",
        "\r\n",
        " ",
        "C[a\\]]",
    ]
    pieces += [";B[aa]C[古力]", ";W [aa]", "x;", ";B[a]", ";B[];W[b\n]", "漢" * 3, "\t;B[aa] ;W[aa]", ";b[aa];W[bb];"]
    text = "(;SZ[19]" + "".join(chance.choices(pieces, (9,) * 3 + (1,) * (len(pieces) - 3), k=60))
    for encoding in ("utf-8", "gb18030", "cp932", "cp949"):
        data = text.encode(encoding, "ignore")
        kinds = double_byte(encoding), characters(encoding)
        offsets = list(range(len(data) + 2))
        assert _native.locate_sgf(data, offsets, *kinds) == [
            _native.locate_sgf(data, [offset], *kinds)[0] for offset in offsets
        ]
