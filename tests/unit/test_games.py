"""SGF collections cut into games, wherever the borders of what is read at once fall."""

import io
import random
import tracemalloc

import pytest
from helpers.cases import in_groups
from helpers.effort import first, is_quick
from samples import sgf_mutations
from samples.encoded_sgf import encoded_games

from wei7core.errors import whole_problem
from wei7core.sources import sgf_reader as module
from wei7core.sources.chunks import RawRecord
from wei7core.sources.read_buffer import READ_BYTES, FileReadBuffer
from wei7core.sources.sgf_reader import CollectionReader

COLLECTION = (
    b"preface (not a game)\n(;GM[1]FF[4]C[a \\] b (;FF[4\\](]\n(;B[aa])(;B[bb]))\r\n \n"
    b"(;FF[4]GM[1]SZ[9]\n;W[cc];B[])between(;SZ[5]PB[\xe5\x9b\xb4\xe6\xa3\x8b];B[aa])\nthe end\n"
)
PARTS = [
    b"preface (not a game)\n(;GM[1]FF[4]C[a \\] b (;FF[4\\](]\n(;B[aa])(;B[bb]))",
    b"\r\n \n(;FF[4]GM[1]SZ[9]\n;W[cc];B[])",
    b"between(;SZ[5]PB[\xe5\x9b\xb4\xe6\xa3\x8b];B[aa])\nthe end\n",
]
LIMIT = 1 << 20


def reader(file, head, limit, chunk=READ_BYTES):
    return CollectionReader(
        FileReadBuffer(file), head, "a.sgf", 0, limit, whole_problem("limit-bytes", "too long"), chunk
    )


def cut(data, limit=LIMIT, chunk=READ_BYTES):
    found = []
    for item in reader(io.BytesIO(data), data[: 1 << 16], limit, chunk).items():
        found += [item] if isinstance(item, RawRecord) else item.texts()
    assert [text.record for text in found] == list(range(len(found)))
    assert [text.data is None for text in found] == [bool(text.problems) for text in found]
    return found


def test_a_collection_is_cut_into_its_games():
    found = cut(COLLECTION)
    assert [game.data for game in found] == PARTS
    assert [game.offset for game in found] == [0, len(PARTS[0]), len(PARTS[0] + PARTS[1])]
    assert [(game.line, game.column) for game in found] == [(1, 1), (3, 18), (6, 12)]


@in_groups("chunk", range(1, len(COLLECTION) + 2))
def test_every_border(chunk):
    assert cut(COLLECTION, chunk=chunk) == cut(COLLECTION)
    for end in range(0, len(COLLECTION), 35 if is_quick() else 7):
        assert [game.data for game in cut(COLLECTION[:end], chunk=chunk)] == [
            game.data for game in cut(COLLECTION[:end])
        ]


HALF = b"\x81]"  # half a character and the end of a value, or a whole character
BORDERS = {
    "lookahead": b"(;SZ[9]PB[\xd2\xbb" + HALF + b" ) ;B[aa])\n(;  FF[4]C[" + HALF + b"];B[bb])\n(;GM[1];B[cc])",
    "assumed": b"(;SZ[9]C[\xba\xda\xd2\xbb\xb8\xf6];B[aa])(;SZ[9]C[a" + HALF + b"x];B[bb])(;FF[4];B[cc])",
    "unclosed": b"(;SZ[9]C[\x95\x5c\x95\x5d;B[aa])(;CA[sjis]C[\x95\x5c\x95\x5d];B[aa](;FF[4]CA[gbk]C[\xba"
    + HALF
    + b")",
}


@pytest.mark.parametrize("name", BORDERS)
def test_every_border_in_encodings_of_two_bytes(name):
    whole = cut(BORDERS[name])
    for chunk in range(1, len(BORDERS[name]) + 2):
        assert cut(BORDERS[name], chunk=chunk) == whole


@pytest.mark.parametrize("seed", first(3, [49, 209, *range(6)]))
def test_borders_in_damaged_collections(seed):
    chance = random.Random(seed)
    for _ in range(6):
        texts = chance.sample(list(encoded_games(chance, most=4)), chance.randint(2, 12))
        text = chance.choice([b"", b"\n", b"\r\n "]).join(texts)
        text = sgf_mutations.mutated(chance, text) if chance.random() < 0.5 else text
        whole = [game.data for game in cut(text)]
        for chunk in (chance.randint(1, 30), chance.randint(20, 400), chance.randint(400, 5000)):
            assert [game.data for game in cut(text, chunk=chunk)] == whole


@pytest.mark.parametrize("data", [b"", b"no game", b"(", b"(;C["])
def test_there_is_always_one_text(data):
    assert [game.data for game in cut(data)] == [data]


def test_a_game_that_is_not_closed_ends_where_the_next_one_starts():
    data = b"(;FF[4]GM[1];B[aa](;W[bb]\n(;FF[4]GM[1];B[cc])"
    for chunk in (1, 5, 1000):
        assert [game.data.strip() for game in cut(data, chunk=chunk)] == [data[:25], data[26:]]


@pytest.mark.parametrize("chunk", first(3, [7, 64, 1 << 20, 1]))
def test_a_game_beyond_the_limit_is_left_out(chunk):
    long = b"(;FF[4]C[" + b"(;B(aa) " * 2000 + b"];B[aa])\n"
    one, two = b"(;FF[4];B[bb])\n", b"(;GM[1];B[cc])\n"
    found = cut(one + long + two + long + one, limit=1000, chunk=chunk)
    data = [None if game.data is None else game.data.strip() for game in found]
    assert data == [one.strip(), None, two.strip(), None, one.strip()]
    assert [game.line for game in found if game.data is not None][-1] in (4, 5)
    places = [game.offset for game in found]
    assert places[1] == len(one.rstrip())
    assert places[2] in (len(one + long), len(one + long) - 1)
    assert places[4] in (len(one + long + two + long), len(one + long + two + long) - 1)


@pytest.mark.parametrize("limit", [20, 320, 9000])
def test_games_near_the_limit_do_not_depend_on_the_chunks(limit):
    game, long = b"(;FF[4]GM[1];B[aa])", b"(;FF[4]C[" + b"x" * 300 + b"])"
    longer, between = b"(;FF[4]C[" + b"x" * 9500 + b"]", b"text" * 2500
    chance = random.Random(limit)
    texts = [game * 3 + long + game * 4, game + longer + b"(;B[bb])" * 3 + game]
    texts += [b"".join(chance.choices([game, long, longer, between, b"(;B[aa])", b"\n"], k=9)) for _ in range(5)]
    for text in texts:
        whole = cut(text, limit=limit, chunk=8000)
        assert all(len(found.data) <= limit for found in whole if found.data is not None)
        for chunk in (7, 64, 1000):
            assert cut(text, limit=limit, chunk=chunk) == whole
    found = [item.data for item in cut(texts[0], limit=limit, chunk=64)]
    assert found == [game] * 3 + [None if limit < len(long) else long] + [game] * 4


def test_a_long_game_at_the_end_is_left_out():
    for data in (b"(;FF[4]C[" + b"x" * 5000, b"(;FF[4]C[" + b"x" * 5000 + b"])"):
        for chunk in (10, 100, 10_000):
            assert [game.data for game in cut(data, limit=1000, chunk=chunk)] == [None]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_wide_texts(encoding, mark):
    parts = ["\n(;FF[4]PB[围棋😀];B[aa])", "\r\n(;FF[4]GM[1]\n;B[bb])", "\n(;SZ[9];B[cc])\n"]
    data = (mark + "".join(parts)).encode(encoding)
    found = cut(data)
    assert [game.data.decode(encoding) for game in found] == [mark + parts[0], *("\ufeff" + part for part in parts[1:])]
    lengths = [len(text.encode(encoding)) for text in (mark + parts[0], parts[1], "\ufeff")]
    assert [game.offset for game in found] == [0, lengths[0] - lengths[2], lengths[0] + lengths[1] - lengths[2]]
    assert [game.line for game in found] == [1, 2, 4]
    assert [game.data for game in cut(data + b"\0")] == [*(game.data for game in found[:2]), found[2].data + b"\0"]
    assert [game.data for game in cut(data, limit=50)] == [None]


class Counted(io.BytesIO):
    """What would take too much memory as bytes: a piece of text many times over."""

    def __init__(self, begin, piece, times, end):
        super().__init__()
        self.parts = [begin, *[piece] * times, end]
        self.parts.reverse()
        self.rest = b""

    def read(self, size=-1):
        while len(self.rest) < size and self.parts:
            self.rest += self.parts.pop()
        data, self.rest = self.rest[:size], self.rest[size:]
        return data

    def readinto(self, buffer):
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


@pytest.mark.exhaustive
def test_a_large_collection_takes_little_memory():
    game = b"(;FF[4]GM[1]SZ[19]" + b";B[aa];W[bb]" * 100 + b")\n"
    file = Counted(b"", game * 800, 200, b"")  # 195 MB
    tracemalloc.start()
    count = sum(map(len, reader(file, game, LIMIT).items()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 160_000
    assert peak < 16 << 20


def test_a_long_game_is_not_looked_at_again_and_again(monkeypatch):
    game_ends = module.game_ends
    looked_at = 0

    def counting(data, start, final, assumed):
        nonlocal looked_at
        looked_at += len(data)
        return game_ends(data, start, final, assumed)

    monkeypatch.setattr(module, "game_ends", counting)
    file = Counted(b"(;FF[4]", b";B[aa]" * 1000, 1000, b")")
    (block,) = reader(file, b"", 1 << 30, chunk=1000).items()
    assert len(block.text(0).data) == 6_000_008
    assert looked_at < 4 * 6_000_008
