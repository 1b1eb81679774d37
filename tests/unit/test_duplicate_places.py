"""Findings between games name the records that they are about, and where they start in their sources."""

import json
import random
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest
from samples.checking_cases import APART, FIRST, long_game, step, wei7

from wei7core import check

DATA = Path(__file__).parent.parent / "data"
POINTS = [(x, y) for x in range(9) for y in range(9)]
PLAIN, BRANCHED = b"", b"(;C[a])(;C[b])"  # what is not plain is judged by itself
LEFT = b"(;C[a])(;B[zz])"  # what has an error anywhere is read by itself, too


def game(seed: int, end: bytes = PLAIN, name: bytes = b"", turned: bool = False) -> bytes:
    points = random.Random(seed).sample(POINTS, 30)
    letters = [f"{chr(97 + (y if turned else x))}{chr(97 + (x if turned else y))}".encode() for x, y in points]
    moves = b"".join(b";%s[%s]" % (b"BW"[k % 2 : k % 2 + 1], at) for k, at in enumerate(letters))
    return b"(;GM[1]SZ[9]GN[%s]RE[B+R]%s%s)" % (name, moves, end)


@pytest.mark.parametrize("end", [PLAIN, BRANCHED, LEFT])
@pytest.mark.parametrize("jobs", [1, 2])
def test_games_of_collections(end, jobs, tmp_path):
    spaces = [b"", b"\n", b"  ", b"\r\n\r\n", b"\n \t", b"\n" * 60]
    records = [game(seed, end, b"%d of %d" % (seed, seed)) for seed in range(6)]
    turned = [game(seed, end, b"again %d" % seed, turned=True) for seed in range(6)]
    first = b"".join(space + record for space, record in zip(spaces, records, strict=True)) + b"\n"
    second = b"".join(space + record for space, record in zip(reversed(spaces), turned, strict=True))
    (tmp_path / "a.sgf").write_bytes(first)
    (tmp_path / "b.sgf").write_bytes(second)
    found = list(check([tmp_path / "a.sgf", tmp_path / "b.sgf", first + second], select="games", jobs=jobs))
    a, b, in_memory = str(tmp_path / "a.sgf"), str(tmp_path / "b.sgf"), "<bytes>"
    assert [(one.code, one.source, one.record) for one in found] == [
        *(("duplicate-game", b, number) for number in range(6)),
        *(("duplicate-bytes", in_memory, number) for number in range(12)),
    ]
    for one in found:
        text = {b: second, in_memory: first + second}[one.source]
        assert text[one.offset : one.offset + 2] == b"(;"
        lines = text[: one.offset].replace(b"\r\n", b"\n").split(b"\n")
        assert (one.line, one.column) == (len(lines), len(lines[-1]) + 1)
        number = one.record % 6
        name = f"again {number}" if one.source == b or one.record >= 6 else f"{number} of {number}"
        assert one.id == name and f"GN[{name}]".encode() in text[one.offset : one.offset + 40]
        expected = {"source": b, "id": name} if name.startswith("again") and one.source == in_memory else {"source": a}
        assert one.evidence["first"] == {"record": number, "id": f"{number} of {number}", **expected}


@pytest.mark.parametrize("end", [[], [{"steps": []}, {"steps": []}]], ids=["plain", "branched"])
def test_places_of_records_after_spaces(tmp_path, end):
    """They are the same for lines, for texts, and for records that are checked individually."""
    steps = [step(1 + k % 2, x, y) for k, (x, y) in enumerate(random.Random(5).sample(POINTS, 30))]
    record = json.loads(wei7(steps).replace(b'"size":5', b'"size":9'))
    record["tree"]["branches"] = end
    one = json.dumps(record).encode()
    spaces = [b"", b"  ", b"\t", b" \t "]
    (tmp_path / "a.jsonl").write_bytes(b"\n".join(space + one for space in spaces) + b"\n")
    for index, space in enumerate(spaces):
        (tmp_path / f"b{index}.wei7").write_bytes(space + one)
    files = [tmp_path / f"b{index}.wei7" for index in range(len(spaces))]
    for inputs in ([tmp_path / "a.jsonl"], files, [space + one for space in spaces]):
        found = list(check(inputs, select="games"))
        assert [(each.code, each.line, each.column, each.offset) for each in found] == [
            ("duplicate-bytes", 1, 1, 0) for _ in spaces[1:]
        ]


def test_records_of_other_formats(tmp_path):
    """A record of wei7 is a text of its own, also in a file of lines."""
    steps = [step(1 + k % 2, x, y) for k, (x, y) in enumerate(random.Random(5).sample(POINTS, 30))]
    one = wei7(steps, id="one").replace(b'"size":5', b'"size":9')
    two = wei7(steps, id="two", place="here").replace(b'"size":5', b'"size":9')
    branches = json.loads(two)
    branches["tree"]["branches"] = [{"steps": []}, {"steps": []}]
    three = json.dumps(branches).replace('"two"', '"three"').encode()
    (tmp_path / "a.jsonl").write_bytes(b"\n".join([b"", one, two, b"", three, one]) + b"\n")
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("one.wei7", b" \n" + one)
        archive.writestr("three.wei7", b"\n" + three)
    found = list(check([tmp_path / "a.jsonl", tmp_path / "b.zip"], select="games"))
    a, b = str(tmp_path / "a.jsonl"), str(tmp_path / "b.zip") + "!/"
    assert [(one.code, one.source, one.record, one.id) for one in found] == [
        ("duplicate-game", a, 1, "two"),
        ("duplicate-game", a, 2, "three"),
        ("duplicate-bytes", a, 3, "one"),
        ("duplicate-bytes", f"{b}one.wei7", 0, "one"),
        ("duplicate-bytes", f"{b}three.wei7", 0, "three"),
    ]
    for each in found:
        assert each.column == 1 and each.evidence["first"]["source"] == a
        assert each.evidence["first"]["record"] == (2 if each.source.endswith("three.wei7") else 0)


def test_records_that_are_always_read_by_themselves(tmp_path):
    xml = (DATA / "wei7-2.2" / "simple.wei7").read_bytes()
    xml = xml[xml.index(b"<wei7") :]
    for name, text in {"a": xml, "b": b"\n \n  " + xml, "c": b" " + xml.replace(b"</wei7>", b" </wei7>")}.items():
        (tmp_path / f"{name}.wei7").write_bytes(text)
    found = list(check(tmp_path, select="duplicate-bytes, duplicate-game, near-duplicate"))
    assert [(one.code, one.source[-6:], one.offset, one.line, one.column) for one in found] == [
        ("duplicate-bytes", "b.wei7", 0, 1, 1)  # a text of its own
    ]
    assert found[0].evidence["first"]["source"].endswith("a.wei7")


@pytest.mark.parametrize("spaces", [b"\n" * 63, b"\n" * 64, b" \n" * 33, b"\t" * 199 + b"\n", b"\r\n" * 5000])
def test_games_after_much_white_space(spaces):
    head, one = b"(;GM[1]SZ[9]RE[B+R];B[aa];W[bb])", game(1)
    (found,) = check(head + one + spaces + one + spaces, select="duplicate-bytes")
    assert (found.record, found.offset) == (2, len(head + one + spaces))
    assert (found.line, found.column) == (1 + spaces.count(b"\n"), 1)


@pytest.mark.parametrize("end", [PLAIN, BRANCHED, LEFT])
def test_moves_are_in_common_only_from_the_same_start(end):
    first, other = (long_game([*FIRST[:40], *more]) for more in (APART[98:76:-1], APART[99:78:-1]))
    starts = {
        name: [one[:-1].replace(b"SZ[19]", b"SZ[19]" + head) + end + b")" for one in (first, other)]
        for name, head in (("empty", b""), ("two", b"AB[bb][db]"), ("others", b"AB[bd][dd]"), ("both", b"AB[bb]AW[db]"))
    }
    for name, (text, _) in starts.items():
        for other, (_, more) in starts.items():
            found = list(check([text, more], select="shared-prefix"))
            assert [one.record for one in found] == ([1] if name == other else [])


@pytest.mark.exhaustive
def test_many_blocks_of_games():
    """More records than one block has, so that numbers and places continue from block to block."""
    texts = [
        game(seed, (BRANCHED, LEFT)[seed % 2] if seed % 50 == 7 or seed % 50 == 8 else PLAIN) for seed in range(5000)
    ]
    text = b"\n".join([*texts, texts[4800], texts[57], texts[2]])
    found = list(check(text, select="duplicate-bytes"))
    assert [(one.record, one.evidence["first"]["record"], one.line, one.column) for one in found] == [
        (5000, 4800, 5001, 1), (5001, 57, 5002, 1), (5002, 2, 5003, 1),
    ]  # fmt: skip
    assert all(later.offset - one.offset == len(texts[4800]) + 1 for one, later in list(pairwise(found))[:1])
    assert [text[one.offset :].startswith(b"(;") for one in found] == [True] * 3
