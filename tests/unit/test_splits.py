"""Files cut between records: whatever the size of the parts, they hold the records of the file, with their places."""

import io

import pytest
from helpers.arrow_batches import SGF
from helpers.cases import in_groups
from helpers.effort import is_quick
from samples.batch_texts import BAD, GOOD

from wei7core.limits import DEFAULT_LIMITS, Limits
from wei7core.sources.sources import NamedFile, Sources, format_of_parts
from wei7core.sources.splits import FilePart, split_between, split_offsets

COLLECTION = b"\n".join(
    [
        b"(;FF[4]SZ[5];B[aa];W[bb])",
        b"(;GM[1]C[not a game: \\] )\n(;FF[4\\]) nor here];B[aa])",
        b"",
        b"  (;SZ[3];B[aa](;W[bb])(;W[cc]))(;CA[UTF-8];B[bb])",
        b"some words (;FF[4];B[aa])",
        b"(;EV[one that starts in another way];B[ab])",
        b"(;FF[4]GN[open;B[aa])",
        b"(;FF[4]];B[bb])",
        b"(;FF[4];B[cc]) and an end",
    ]
)
LINES = b"\r\n".join([GOOD, b"", BAD, b"   ", b"{nonsense", GOOD * 3, b"\n\n", GOOD])


def records(inputs, **how):
    return [(text.source, text.record, text.data, text.problems, text.offset) for text in Sources(inputs, **how)]


def parts(data, name, step, limits=DEFAULT_LIMITS):
    """The parts of a file, and the format by which it was cut."""
    format = format_of_parts(io.BytesIO(data), name, limits)
    cuts = [
        split_between(io.BytesIO(data), format, len(data), k, step, limits.max_bytes) for k in range(0, len(data), step)
    ]
    return [FilePart(name, lambda: io.BytesIO(data), format, *place) for place in split_offsets(cuts, len(data))]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (COLLECTION, "games.sgf"),
        (COLLECTION + b"\n", "games.sgf"),
        ((SGF + b"\n") * 7, "games.sgf"),
        (b"\xef\xbb\xbf" + b"(;FF[4];B[aa])\n" * 7, "games.sgf"),
        (LINES, "games.jsonl"),
        (LINES + b"\n", "games.wei7"),
        (GOOD + b"\n" + b"\n" * 300 + GOOD, "games.jsonl"),
    ],
)
def test_parts_hold_the_records_of_the_file(data, name):
    wanted = records([NamedFile(name, lambda: io.BytesIO(data))])
    sizes = set()
    few = 7 if is_quick() else 1
    for step in [*range(1, 60, few), *range(60, len(data), 41 * few), len(data)]:
        made = parts(data, name, step)
        assert [made[0].begin, *[part.end for part in made]] == [*[part.begin for part in made], len(data)]
        assert records(made) == wanted
        sizes.add(len(made))
    assert 1 in sizes
    assert len(sizes) > 2


def test_games_are_cut_where_they_end():
    data = b"\n".join([b"(;FF[4]GN[%d];B[aa])" % number for number in range(100)])
    made = parts(data, "games.sgf", 200)
    assert len(made) == -(-len(data) // 200)
    assert all(data[part.begin - 1 : part.begin + 2] == b")\n(" for part in made[1:])
    assert [part.first for part in made] == [data[: part.begin].count(b")") for part in made]


def test_what_only_looks_like_a_game_ends_the_cutting():
    liar = b"(;FF[4]C[" + b" )\n(;FF[4]" * 40 + b"];B[aa])\n"
    data = b"(;FF[4];B[aa])\n" * 40 + liar + b"(;FF[4];B[aa])\n" * 40
    made = parts(data, "games.sgf", 100)
    assert 2 < len(made) < len(data) // 200
    assert made[-1].end - made[-1].begin > len(data) // 2
    assert records(made) == records([NamedFile("games.sgf", lambda: io.BytesIO(data))])


def test_records_beyond_the_limit_keep_their_numbers():
    limits = Limits(max_bytes=100)
    lines = b"\n".join([b'{"a":1}', b'{"b":"%s"}' % (b"x" * 300), b'{"c":1}'] * 5)
    wanted = records([NamedFile("a.jsonl", lambda: io.BytesIO(lines))], limits=limits)
    assert len(wanted) == 15
    for step in (1, 50, 333, 700):
        assert records(parts(lines, "a.jsonl", step, limits), limits=limits) == wanted
    games = b"\n".join([b"(;FF[4];B[aa])", b"(;FF[4]C[%s])" % (b"x" * 300), b"(;FF[4];B[bb])"] * 5)
    wanted = records([NamedFile("a.sgf", lambda: io.BytesIO(games))], limits=limits)
    for step in (1, 50, 333, 700):
        assert records(parts(games, "a.sgf", step, limits), limits=limits) == wanted


@in_groups(
    ("data", "name", "format"),
    [
        (SGF, "a.sgf", "sgf"),
        (SGF, "a.jsonl", "sgf"),
        (SGF.decode().encode("utf-16"), "a.sgf", None),
        (GOOD, "a.wei7", None),
        (GOOD, "a.jsonl", "wei7"),
        (GOOD + b"\n" + GOOD, "a.wei7", "wei7"),
        (b"\x1f\x8b" + bytes(60), "a.sgf", None),
        (b"nothing", "a.sgf", None),
    ],
)
def test_formats_that_are_cut(data, name, format):
    assert format_of_parts(io.BytesIO(data), name) == format


def test_a_part_that_cannot_be_read_is_a_row():
    def gone():
        raise FileNotFoundError(2, "No such file or directory", "a.sgf")

    (row,) = Sources([FilePart("a.sgf", gone, "sgf", 5, 9, 3)])
    assert (row.source, row.record, row.problems[0].code) == ("a.sgf", 0, "file-unreadable")
