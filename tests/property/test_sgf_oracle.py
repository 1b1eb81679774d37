"""The decoder of SGF against a slow and obvious reader: whole texts, and texts damaged in every way."""

from __future__ import annotations

import random

import pytest
from helpers.effort import first
from hypothesis import given
from hypothesis import strategies as st
from oracles import sgf as sgf_oracle
from oracles.sgf_readings import check_links, reading_of

from wei7core.formats.sgf import decode as sgf
from wei7core.formats.sgf import games as sgf_games
from wei7core.record.record import Record

SPACES = ["", "", "", " ", "\n", "\r\n", "\t ", "\v"]
TEXTS = ["", "plain", "two\nlines", "a \\] b", "back\\\\slash", "soft\\\nbreak", "co\\:lon", "(;B[aa\\]", "x;y(z)"]
NAMES = [
    "PB",
    "KM",
    "TE",
    "N",
    "XX",
    "KGSDE",
    "DD",
    "KO",
    "Comment",
    "foo",
    "PlayerWhite",
    "RE",
    "V1",
    "A_B",
    "AP",
    "ST",
]
PIECES = [
    "(",
    ")",
    ";",
    "[",
    "]",
    "\\",
    " ",
    "\n",
    "B[aa]",
    ";W[tt]",
    "(;FF[4]",
    "(;",
    "AB[aa:cc]",
    "C[",
    "sz",
    "SZ[3]",
]
PIECES += [
    "sz",
    "GM[2]",
    "Black[ab]",
    ":",
    "B",
    "\0",
    "\xe9",
    "foo",
    "LB[aa:x]",
    "AW[ZZ]",
    "TR[",
    "[bb]",
    "()",
    "CA[GBK]",
]


def compare(text: str) -> Record:
    data = text.encode("latin-1")
    # A codec of one byte a character: what the oracle is able to follow.
    record = sgf.decode(data, encoding="latin-1")
    if sgf.sgf_charset.double_byte(record.encoding) or data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        return record
    assert reading_of(record) == sgf_oracle.read(data)
    check_links(record)
    check_problems(record)
    clauses = [problem.clause for problem in record.problems]
    if "limit-problems" not in [problem.code for problem in record.problems]:
        names = ("FF[4], game-info", "FF[4], KO", "FF[4], root")
        assert tuple(clauses.count(name) for name in names) == sgf_oracle.misplaced(data)
    return record


def check_problems(record: Record) -> None:
    offsets = [problem.offset for problem in record.problems]
    assert offsets == sorted(offsets)
    for problem in record.problems:
        assert 0 <= problem.offset <= len(record.source)
        assert problem.message and problem.path


def write_point(chance: random.Random, width: int, height: int) -> str:
    letters = sgf_oracle.LETTERS
    return letters[chance.randrange(width)] + letters[chance.randrange(height)]


def write_property(chance: random.Random, width: int, height: int) -> str:
    def space() -> str:
        return chance.choice(SPACES)

    def point() -> str:
        return write_point(chance, width, height)

    kind = chance.random()
    if kind < 0.25:
        name = chance.choice(["AB", "AW", "AE", "TR", "CR", "MA", "SL", "SQ", "L", "AddBlack"])
        values = [chance.choice([point(), f"{point()}:{point()}"]) for _ in range(chance.randint(1, 4))]
    elif kind < 0.35:
        name = "LB"
        values = [f"{point()}:{chance.choice(['1', 'x', 'xyz', '?', ''])}" for _ in range(chance.randint(1, 3))]
    elif kind < 0.5:
        name, values = "C", [chance.choice(TEXTS)]
    else:
        name, values = chance.choice(NAMES), [chance.choice(TEXTS) for _ in range(chance.choice([1, 1, 1, 2]))]
    return name + space() + "".join(f"[{value}]{space()}" for value in values)


def write_game(chance: random.Random) -> str:
    """A text of the grammar, with properties of every kind."""
    width = chance.choice([1, 2, 9, 13, 19, 19, 26, 27, 52])
    height = width if chance.random() < 0.7 else chance.choice([1, 5, 19, 30])
    root = ["FF[4]", "GM[1]", "PB[x]"][: chance.randint(0, 3)]
    size = f"{width}" if width == height else f"{width}:{height}"
    root.append(f"SZ{chance.choice(SPACES)}[{size}]")
    root += [write_property(chance, width, height) for _ in range(chance.randint(0, 3))]
    chance.shuffle(root)
    parts = ["(;", *root]
    open_trees, after = 1, False
    for _ in range(chance.randint(0, 25)):
        act = chance.random()
        if act < 0.12 or after:
            if act < 0.7 or open_trees == 1:
                parts.append("(")
                open_trees += 1
                after = False
            else:
                parts.append(")")
                open_trees -= 1
                continue
        elif act < 0.2 and open_trees > 1:
            parts.append(")")
            open_trees -= 1
            after = True
            continue
        parts.append(";")
        if chance.random() < 0.75:
            move = chance.choice(["", write_point(chance, width, height), write_point(chance, width, height)])
            parts.append(f"{chance.choice('BW')}[{move}]")
        parts += [write_property(chance, width, height) for _ in range(chance.choice([0, 0, 0, 1, 2]))]
    parts += [")"] * open_trees
    return "".join(part + chance.choice(SPACES) for part in parts)


def damage(chance: random.Random, text: str) -> str:
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice([1, 1, 2, 5, 20]))
        act = chance.random()
        if act < 0.3:
            text = text[:at] + text[end:]
        elif act < 0.7:
            text = text[:at] + chance.choice(PIECES) + text[at:]
        elif act < 0.8:
            text = text[:at]
        elif act < 0.9:
            text = text[:end] + text[at:]
        else:
            text = text[:at] + text[at:end].swapcase() + text[end:]
    return text


# Oddities that a text of the grammar may have all the same.
ALLOWED = {
    "property-duplicate", "setup-repeated", "move-with-setup", "moves-in-one-node", "property-name-long",
    "value-invalid", "values-too-many", "stray-text", "property-misplaced",
}  # fmt: skip


@pytest.mark.parametrize("block", first(3, range(10)))
def test_whole_texts_read_alike(block: int) -> None:
    for seed in range(block * 40, block * 40 + 40):
        record = compare(write_game(random.Random(seed)))
        assert {problem.code for problem in record.problems} <= ALLOWED, seed


@pytest.mark.parametrize("block", first(2, range(30)))
def test_damaged_texts_read_alike(block: int) -> None:
    for seed in range(block * 100, block * 100 + 100):
        chance = random.Random(10_000 + seed)
        compare(damage(chance, write_game(chance)))


@given(st.lists(st.sampled_from([*PIECES, ";B[cc]", "W[dd]", "(;C[x]"]), max_size=30))
def test_any_pieces_read_alike(pieces: list[str]) -> None:
    compare("".join(pieces))


@given(st.lists(st.sampled_from([*PIECES, ";B[cc]", "(;C[x]", "(;", ")"]), max_size=30), st.integers(0, 30))
def test_games_of_a_text_tile_it(pieces: list[str], cut: int) -> None:
    data = "".join(pieces).encode("latin-1")
    whole = sgf_games.split(data)
    assert [begin for begin, _ in whole] == [0, *(end for _, end in whole)][: len(whole)]
    assert not whole or whole[-1][1] == len(data)
    # Whatever has come so far, what is given then is what is given in the end.
    early = sgf_games.split(data[:cut], final=False)
    start = early[-1][1] if early else 0
    assert early + sgf_games.split(data, start) == whole
