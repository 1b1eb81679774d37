"""Collections in UTF-16 and UTF-32 are read together; the slow twin decodes and encodes each of their games alone."""

import random

import pytest
from helpers.cases import in_groups
from helpers.effort import examples, is_quick
from oracles.one_path import compare
from samples import sgf_mutations
from samples.encoded_sgf import encoded_games

import wei7core as w7
from wei7core.batch.examined import examine
from wei7core.batch.options import COUNTED, Options
from wei7core.batch.run import engine_results, in_utf8_of
from wei7core.batch.single_records import replay_raw_record
from wei7core.formats import _native
from wei7core.formats.sgf.charset import transcode_wide_to_utf8
from wei7core.formats.sgf.games import wide_offsets
from wei7core.sources.chunks import RawRecord
from wei7core.sources.sources import Sources

CODECS = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
COMMENTS = (
    "",
    "围棋",
    "a\U0001f600b\U00020000",
    "\n\r\n x\r",
    "é" * 20,
    "\\]\ufffd",
    "\U0010ffff",
    "plain words, and more",
)


def collection(chance: random.Random) -> str:
    games = []
    for _ in range(chance.randrange(1, 9)):
        moves = "".join(f";{chance.choice('BW')}[{chance.choice(('aa', 'bb', 'cc', 'zz', 'a', ''))}]" for _ in range(9))
        head = chance.choice(("", "CA[UTF-16]", "CA[GBK]", "CA[UTF-8]")) + f"PB[{chance.choice(COMMENTS)}]"
        games.append(f"(;{head}SZ[9]C[{chance.choice(COMMENTS)}]{moves}{chance.choice((')', '', ';;)', '))'))}")
    return chance.choice(("", "\n", " \r\n")).join(games)


def encoded(chance: random.Random, text: str) -> bytes:
    codec = chance.choice(CODECS)
    mark = "\ufeff" if chance.random() < 0.7 else ""
    data = (mark + text).encode(codec)
    match chance.randrange(5):
        case 0:
            place = chance.randrange(8, len(data))
            data = data[:place] + bytes([chance.choice((0, 0xD8, 0xDC, 0xFF))]) + data[place + 1 :]
        case 1:
            data = data[: -chance.randrange(1, 4)]
    return data


def alone(data: bytes):
    """Yield (data, offset, line, column) of the games of a text, each decoded by itself."""
    source, wide = transcode_wide_to_utf8(data)
    assert wide is not None
    ends = wide_offsets(source, wide, _native.split_games(source, 0, True, 0)[0].tolist()) or [len(data)]
    mark, begin, line, column = "\ufeff".encode(wide.codec), 0, 1, 1
    for end in ends:
        part = data[begin:end]
        yield (mark + part if begin else part), max(0, begin - len(mark)), line, column
        text = part[0 if begin else wide.mark :].decode(wide.codec, "replace").encode()
        line, column = _native.pass_text(text, 0, len(text), line, column)
        begin = end


@in_groups("seed", range(examples(100)))
def test_games_and_their_places(seed):
    chance = random.Random(seed)
    data = encoded(chance, collection(chance))
    wanted = list(alone(data))
    found = list(Sources(data))
    if len(wanted) > 1:
        assert [(text.data, text.offset, text.line, text.column) for text in found] == wanted
    assert [text.record for text in found] == list(range(len(wanted)))
    for block in Sources(data).blocks():
        if isinstance(block, RawRecord):
            continue
        assert [block.text(number) for number in range(len(block))] == list(block.texts())


@in_groups("seed", range(examples(100)))
def test_replayed_together_as_alone(seed):
    chance = random.Random(seed)
    columns = {"metadata": True} if seed % 2 else {"positions": True}
    compare([encoded(chance, collection(chance)) for _ in range(4)], board=True, **columns)


def test_many_games_are_replayed_as_in_utf_8(tmp_path):
    games = [data.decode("utf-8") for data in encoded_games(random.Random(3), most=2) if data.isascii()]
    games += [
        f"(;SZ[19]PB[围棋{k}]C[{COMMENTS[k % len(COMMENTS)]}];B[aa];W[{'sa' if k % 7 else 'zz'}])"
        for k in range(1500 if is_quick() else 5000)
    ]
    text = "\n".join(games)
    wanted = [tuple(row)[1:17] for row in w7.replay(text.encode(), board=True)]
    for codec in CODECS:
        path = tmp_path / f"{codec}.sgf"
        path.write_bytes(("\ufeff" + text).encode(codec))
        found = w7.replay(path, board=True)
        assert [tuple(row)[1:17] for row in found] == wanted
        for row in [row for row in found if row.error_offset is not None][:50]:
            assert path.read_bytes()[row.error_offset :].decode(codec, "replace").startswith(("W[", "zz", "B[", "["))


@pytest.mark.parametrize("seed", range(examples(40)))
def test_damaged_games(seed):
    chance = random.Random(seed)
    games = [encoded(chance, data.decode("utf-8", "replace")) for data in encoded_games(chance, most=2)]
    compare([sgf_mutations.mutated(chance, chance.choice(games)) for _ in range(20)], board=True)


@pytest.mark.parametrize("codec", CODECS)
def test_boards_that_are_too_large_have_no_place(codec: str) -> None:
    data = "\ufeff(;SZ[9];B[aa])\n(;B[aa];B[aa])(;SZ[19];B[zz])".encode(codec)
    limits = w7.Limits(max_points=100)
    rows = list(w7.replay(data, limits=limits))
    wanted = [replay_raw_record(text, Options(limits=limits)).row for text in Sources(data)]
    assert rows == wanted
    assert [row.error for row in rows] == [None, "board-size-unsupported", "board-size-unsupported"]


def test_places_of_all_problems_are_found_when_they_are_described() -> None:
    data = ("\ufeff(;SZ[9]" + ";B[aa]MA[qq]C[围棋]" * 50 + ")").encode("utf-16-le")
    chunk, options, calls = next(iter(Sources(data).blocks())), Options(), []

    def in_utf8(data: bytes):
        source, places = in_utf8_of(data, options)

        def counted(offsets: list[int]) -> list[int]:
            calls.append(len(offsets))
            return places(offsets)

        return source, counted

    ((_, result),) = engine_results(chunk, 0, 1, options, counted=COUNTED, problems=True, in_utf8=in_utf8)
    rows, _, _ = result.failures
    assert (len(rows), calls) == (100, [])
    _, places = in_utf8_of(chunk.text(0).data, options)
    wanted = [problem.offset for problem in replay_raw_record(chunk.text(0), options).problems]
    assert places(sorted(rows["offset"].tolist())) == sorted(wanted)
    (found,) = examine(Sources(data), options, 1, lambda records: [records.problems(0)])
    assert [problem.offset for problem in found[0]] == wanted
