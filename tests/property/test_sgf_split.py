"""Collections of SGF cut into games, 64 bytes at a time, against the rules followed byte by byte."""

import random

import pytest
from helpers.cases import in_groups
from helpers.effort import examples, first
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import split as split_oracle
from samples import sgf_mutations

from wei7core.formats.sgf.games import game_ends


def split(text):
    ends = game_ends(text)[0].tolist()
    return list(zip([0, *ends], ends, strict=False))


PIECES = [
    *(
        b"(;FF[4]",
        b"(;GM[1]SZ[19]",
        b"(;",
        b"(",
        b")",
        b";",
        b"[",
        b"]",
        b"\\",
        b"\\]",
        b"\\\\",
        b"]\\",
        b"[]",
        b"\n",
        b" ",
    ),
    *(b";B[aa]", b";W[bb]", b";B[pd];W[dp];B[pp];W[dd];B[fq];W[cn];B[dr];W[cq];B[iq]", b"C[", b"C[(a) \\] (;FF[4])]"),
    *(
        "围棋".encode(),
        "围棋".encode("gbk"),
        "囲碁表".encode("cp932"),
        b"\xe5\x9b",
        b"\x81]",
        b"\x95\x5c",
        b"\xff",
        b"\x00",
    ),
    *(b"CA[gb2312]", b"CA[sjis]", b"B[", b"x" * 31, b"y" * 64, b"AW[aa][bb]", b"Black[aa]", b"XX[a]", b"\n", b"\0"),
]


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=3), max_size=60).map(b"".join))
@settings(max_examples=examples(400))
def test_any_pieces_in_any_order(text):
    assert split(text) == split_oracle.games(text)


@pytest.mark.parametrize("seed", first(2, range(8)))
def test_damaged_records(seed):
    chance = random.Random(seed)
    texts = [text for text in sgf_mutations.seeds() if len(text) < 3000]
    for _ in range(60):
        some = [sgf_mutations.mutated(chance, chance.choice(texts)) for _ in range(chance.randint(1, 3))]
        text = b"\n".join(some)
        assert split(text) == split_oracle.games(text)


@in_groups("place", range(130))
def test_every_character_at_every_place_of_a_window(place):
    for middle in (b"[", b"]", b"\\", b"\\]", b"(", b")", b"\xe5\x9b\xb4", b"\xe5", b"\xbf]"):
        for text in (
            b"(;C[" + b"a" * place + middle + b"];B[aa])(;FF[4])",
            b"(;" + b";" * place + middle + b"B[aa])(;FF[4])",
        ):
            assert split(text) == split_oracle.games(text)
