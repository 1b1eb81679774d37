"""Lists of texts in memory: joined in C where they are as most are, and the same records as one by one."""

import gzip

import numpy as np
import pytest
from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from wei7core import replay
from wei7core.formats._native import join_texts
from wei7core.limits import Limits
from wei7core.sources.chunks import Chunk
from wei7core.sources.sources import Sources

SGF = b"(;GM[1]SZ[9];B[aa];W[bb])"
WEI7 = b'{"format":"wei7","version":"3.0","tree":{}}'
TEXTS = [
    SGF,
    WEI7,
    SGF + b"\n(;B[cc])\n",
    b"(;B[aa])" * 70,
    b"(;)" * 5_000,
    b"\xef\xbb\xbf (;B[aa])",
    b"(;B[aa]",
    b"(;B[aa])x",
    b"(;CA[GBK]C[\x81]])",
    b"(;C[\x81])];B[aa])",
    "(;C[\u4e00])".encode("utf-16"),
    "(;C[\u4e00])(;B[aa])".encode("utf-16"),
    WEI7.decode().encode("utf-16"),
    b"\xef\xbb\xbf" + WEI7,
    WEI7 + b"\n",
    WEI7 + b"\n" + WEI7,
    b"{\n" + WEI7[1:],
    b"{ \r\n\t" + WEI7[1:].replace(b",", b",\n"),
    b"{\0" + WEI7[1:],
    b"{" + b" " * 300 + WEI7[1:],
    b"{" + b" " * 300 + b"}",
    b"{\n}",
    b'{"version":"3.0","tree":{},"format":"wei7"}',
    b'{"tree":{"comment":"' + b"c" * 300 + b'"},"format":"wei7","version":"3.0"}',
    b'{"width":9,"moves":[[1,1]]}',
    b'{"x":"',
    b'{"\0"',
    b"{",
    b"",
    b" ",
    b"text",
    SGF.ljust(148, b" ") + b"0001234 " + b" " * 400,
    b"(;C[" + b"c" * 65_000 + b"])",
    b"(;C[" + b"c" * 65_600 + b"])",
    b"(;C[" + b"c" * 65_600 + b"])\n(;)(;B[aa]",
    b"(;C[" + b"c" * 65_600 + "古力".encode("gbk") + b"])(;CA[GBK]C[" + "林]".encode("gbk") + b"])",
    b'{"tree":{"comment":"' + b"c" * 65_600 + b'"},"format":"wei7","version":"3.0"}',
    b'{"format":"wei7","version":"3.0","tree":{"comment":"' + b"c" * 65_600 + b'"}}\n',
    b"(;C[" + b"c" * (1 << 18) + b"])",
    gzip.compress(SGF, mtime=0),
    bytearray(SGF),
    memoryview(WEI7),
]


class Text(bytes):
    """A text that is not joined with others."""


def alone(texts):
    return [Text(text) if isinstance(text, bytes) else text for text in texts]


def facts(items, **limits):
    return list(Sources(items, limits=Limits(**limits)))


@given(st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from([1, 1, 2, 20, 90])), max_size=12))
@settings(max_examples=examples(30), deadline=None)
def test_lists_have_the_records_of_their_texts_one_by_one(runs):
    texts = [text for text, count in runs for _ in range(count if len(text) < 2_000 else 1)]
    assert facts(texts) == facts(iter(texts)) == facts(alone(texts))
    assert facts(texts, max_bytes=60) == facts(alone(texts), max_bytes=60)


@pytest.mark.parametrize("seed", range(2))
def test_rows_of_lists_are_those_of_their_texts(seed):
    rng = np.random.default_rng(seed)
    texts = [TEXTS[k] for k in rng.integers(len(TEXTS), size=24).repeat(rng.integers(1, 30, 24))]
    given = texts if seed else iter(texts)
    assert list(replay(given, jobs=seed + 1)) == list(replay(alone(texts)))


def test_usual_texts_are_joined():
    blocks = list(Sources([SGF] * 1_000 + [WEI7] * 1_000).blocks())
    assert all(isinstance(block, Chunk) for block in blocks)
    assert [len(block) for block in blocks][:3] == [64, 128, 256]
    assert len(blocks) < 12


def test_indented_texts_are_joined():
    text = b"{\n  " + WEI7[1:]
    assert join_texts([text] * 40, 0, bytearray(4_000), 80, 90, 9, 80)[:2] == ("wei7", 40)


def test_large_texts_are_joined():
    comment = b"{" + WEI7[1:-2] + b'"comment":"' + b"c" * 100_000 + b'"}}'
    assert [len(block) for block in Sources([comment] * 40).blocks()] == [10, 10, 10, 10]


def test_texts_next_to_an_unusual_one_share_blocks():
    large = b"(;C[" + b"c" * 65_600 + b"])"
    unusual = "(;C[\u4e00])".encode("utf-16")
    blocks = list(Sources(([SGF] * 20 + [unusual, large] + [SGF] * 3) * 4).blocks())
    assert [len(block) for block in blocks] == [70, 30]
    assert [block.starts.tolist() for block in blocks] == [list(range(70)), list(range(30))]
    assert [run for block in blocks for run in block.runs] == [("<bytes>", 70, 0, True), ("<bytes>", 30, 70, True)]


def test_memory_of_lists_is_used_again():
    texts = [SGF] * 100
    for _ in range(2):
        kept = [bytes(memoryview(block.data)) for block in Sources(texts).blocks()]
        blocks = list(Sources([WEI7] * 100).blocks())
        assert b"".join(kept) == SGF * 100
        assert b"".join(bytes(memoryview(block.data)) for block in blocks) == WEI7 * 100


def test_blocks_are_not_small_where_formats_alternate():
    assert len(list(Sources([SGF, "(;C[\u4e00])".encode("utf-16")] * 2_000).blocks())) < 40


def test_what_is_no_text_is_not_taken_in_advance(tmp_path):
    path = tmp_path / "a.sgf"

    def items():
        for _ in range(3):
            yield from (SGF, WEI7)
            path.write_bytes(SGF)
            yield path
            path.unlink()

    found = [(record.source, record.record, record.data) for record in Sources(items())]
    once = [("<bytes>", 0, SGF), ("<bytes>", 1, WEI7), (str(path), 0, SGF)]
    assert found == [
        (source, record + 2 * k * (source == "<bytes>"), data) for k in range(3) for source, record, data in once
    ]


def test_texts_of_an_iterator_are_taken_a_block_at_a_time():
    taken = []
    texts = (taken.append(k) or SGF for k in range(1_000))
    blocks = Sources(texts).blocks()
    sizes = [len(block) for block in blocks if len(taken) <= 64 + 128 + 256]
    assert sizes[:2] == [64, 128]


def test_join_texts():
    buffer = bytearray(100)
    texts = [SGF + SGF, SGF, WEI7]
    format, count, begins, ends, starts = join_texts(texts, 0, buffer, 80, 9, 9, 80)
    assert (format, count, begins.tolist(), ends.tolist(), starts.tolist()) == (
        "sgf",
        2,
        [0, 25, 50],
        [25, 50, 75],
        [0, 2],
    )
    assert buffer[:75] == SGF * 3
    assert join_texts(texts, 2, buffer, 80, 9, 9, 80)[:2] == ("wei7", 1)
    assert join_texts(texts, 0, buffer, 80, 2, 9, 80)[1] == 1  # `most` records
    assert join_texts(texts, 0, buffer, 80, 1, 9, 80)[1] == 1  # but at least one text
    assert join_texts(texts, 0, buffer, 80, 9, 1, 80)[1] == 0
    assert join_texts(texts, 0, buffer, 49, 9, 9, 80)[1] == 0
    assert join_texts(texts, 0, bytearray(74), 80, 9, 9, 80)[1] == 1
    for first in (-1, 3):
        with pytest.raises(ValueError, match="is none of 3"):
            join_texts(texts, first, buffer, 80, 9, 9, 80)
    with pytest.raises(ValueError, match="limit"):
        join_texts(texts, 0, buffer, 80, 9, 9, -1)
    with pytest.raises(BufferError):
        join_texts(texts, 0, bytes(9), 80, 9, 9, 80)
