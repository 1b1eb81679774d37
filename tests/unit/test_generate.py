"""The generator of benchmarks/: distinct records that are what they claim to be."""

import io
import itertools
import json
import subprocess
import sys
import tarfile
from pathlib import Path

import generate
import numpy as np
import pytest
import variations
from helpers.effort import examples, first
from samples import corpus

import wei7core

ROOT = Path(__file__).parents[2]
COUNT = 600


def has_zstd() -> bool:
    try:
        generate.zstd()
    except ValueError:
        return False
    return True


needs_zstd = pytest.mark.skipif(not has_zstd(), reason="needs the extra zstd")


def bases(size: int, count: int = 6) -> list[variations.Base]:
    games = (game for game in variations.random_games(3 * count, 7) if game.size == size)
    return list(itertools.islice(games, count))


def moves_of(text: bytes) -> list[tuple[int, object]]:
    """The moves of a record, by json and not by the package."""
    values = [step["action"]["value"] for step in json.loads(text)["tree"]["steps"]]
    return [(value["color"], value["point"] and tuple(value["point"].values())) for value in values]


def run(*args: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "benchmarks.generate", *args]
    return subprocess.run(command, cwd=ROOT, capture_output=True, check=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("shape", generate.LAYOUTS)
@pytest.mark.parametrize("source", ["corpus", "random"])
def test_records_are_distinct_and_replay(shape, source):
    if source == "corpus":
        corpus.require()
    made = list(generate.records(COUNT, shape, source=source, longest=60))
    assert len({name for name, _ in made}) == len(made) == COUNT
    assert len({text for _, text in made}) == COUNT
    rows = list(wei7core.replay([text for _, text in made], strict=True))
    assert len(rows) == COUNT
    for (name, _), row in zip(made, rows, strict=True):
        assert (row.error, row.problems, row.id) == (None, 0, name)
        assert row.moves == int(name.rpartition("-")[2])
        assert row.format == ("sgf" if shape == "sgf" else "wei7")


@pytest.mark.exhaustive
def test_moves_are_distinct_without_the_ids():
    made = generate.records(5_000, source="random", longest=variations.SHORTEST + 2)
    assert len({text.partition(b'"tree"')[2] for _, text in made}) == 5_000


@pytest.mark.parametrize("size", variations.RANDOM_SIZES)
def test_turned_games_have_one_canonical_hash(size):
    layout = generate.LAYOUTS["wei7"]
    for base in bases(size):
        rows_of = []
        for turn in range(variations.TURNS):
            rows_of.append(wei7core.replay(layout(variations.Variation(base, turn, len(base.codes))))[0])
        assert len({row.hash for row in rows_of}) == variations.TURNS
        for swapped in (False, True):
            half = rows_of[8:] if swapped else rows_of[:8]
            assert len({row.canonical_hash for row in half}) == 1
            captured = (half[0].black_captured, half[0].white_captured)
            assert all((row.black_captured, row.white_captured) == captured for row in half)
        assert captured[::-1] == (rows_of[0].black_captured, rows_of[0].white_captured)


def test_all_shapes_hold_the_same_moves():
    base = bases(13)[0]
    variation = variations.Variation(base, 11, len(base.codes))
    codes = variations.turned_codes(13, 11)[base.codes]
    expected = [variations.moves_of_codes(13)[code] for code in codes]
    assert any(point is None for _, point in expected)
    for shape in ("wei7", "wei7-indented", "wei7-annotated"):
        assert moves_of(generate.LAYOUTS[shape](variation)) == expected
    board = wei7core.Board(13)
    for color, point in expected:
        board.play(color, point)
    assert wei7core.replay(generate.LAYOUTS["sgf"](variation))[0].hash == board.hash


def test_layouts_are_what_json_writes():
    base = bases(9)[0]
    variation = variations.Variation(base, 0, len(base.codes))
    text = generate.LAYOUTS["wei7"](variation)
    document = json.loads(text)
    assert json.dumps(document, separators=(",", ":")).encode() == text
    assert json.dumps(document, indent=2).encode() == generate.LAYOUTS["wei7-indented"](variation)
    annotated = json.loads(generate.LAYOUTS["wei7-annotated"](variation))["tree"]["steps"]
    for number, step in enumerate(annotated):
        members = ["time", "action", "actor", "marks", "comment"] if number % 3 == 0 else ["action"]
        assert list(step) == members
    assert any(ord(letter) >= 0x4E00 for letter in annotated[0]["comment"])
    assert len({step["comment"] for step in annotated[::3]}) == len(annotated[::3])


def test_games_that_are_variations_of_others_are_left_out():
    base, other = bases(9, 2)
    turned = variations.Base("turned", 9, variations.turned_codes(9, 13)[base.codes])
    on_the_axis = variations.Base("axis", 9, np.tile(np.arange(4, 81, 9, dtype=np.uint16), 5))
    short = variations.Base("short", 9, other.codes[: variations.SHORTEST - 1])
    assert variations.all_different([base, turned, on_the_axis, short, other]) == [base, other]


def test_too_many_are_refused():
    with pytest.raises(ValueError, match="distinct records"):
        list(generate.records(200, source="corpus" if corpus.folder() is None else "random", longest=1))


@pytest.mark.parametrize(
    "suffix", ["", *first(0, [".gz"]), pytest.param(".zst", marks=[needs_zstd, pytest.mark.exhaustive])]
)
@pytest.mark.parametrize(
    ("shape", "name"),
    [
        ("wei7", "a.jsonl"),
        ("wei7-annotated", "a.jsonl"),
        ("sgf", "a.sgf"),
        ("wei7-indented", "a.tar"),
        ("sgf", "a.tar"),
    ],
)
def test_files_hold_the_records_and_are_the_same_each_time(tmp_path, shape, name, suffix):
    out = tmp_path / (name + suffix)
    count = max(5, examples(30))
    made = list(generate.records(count, shape, source="random", seed=5))
    generate.write_records(made, str(out), shape)
    first = out.read_bytes()
    generate.write_records(generate.records(count, shape, source="random", seed=5), str(out), shape)
    assert out.read_bytes() == first
    generate.write_records(generate.records(count, shape, source="random", seed=6), str(out), shape)
    assert out.read_bytes() != first
    out.write_bytes(first)
    rows = list(wei7core.replay(str(out), strict=True))
    assert [(row.id, row.error) for row in rows] == [(name, None) for name, _ in made]


def test_a_folder_holds_a_file_for_each_record(tmp_path, monkeypatch):
    monkeypatch.setattr(generate, "FILES_A_FOLDER", 10)
    made = list(generate.records(25, "wei7-indented", source="random"))
    generate.write_records(made, str(tmp_path / "records"), "wei7-indented")
    files = sorted((tmp_path / "records").rglob("*.wei7"))
    assert sorted(path.read_bytes() for path in files) == sorted(text for _, text in made)
    assert sorted(path.name for path in (tmp_path / "records").iterdir()) == ["00000", "00001", "00002"]


def test_a_tar_is_one():
    file = io.BytesIO()
    made = list(generate.records(5, "wei7-indented", source="random"))
    generate.write_tar(made, file, ".wei7")
    file.seek(0)
    with tarfile.open(fileobj=file) as archive:
        held = [(member.name, archive.extractfile(member).read()) for member in archive]
    assert held == [(f"{name}.wei7", text) for name, text in made]


@pytest.mark.exhaustive
def test_the_command():
    done = run("20", "-", "--from", "random", "--moves", "50")
    texts = [text for _, text in generate.records(20, source="random", longest=50)]
    assert (done.returncode, done.stdout.splitlines()) == (0, texts)
    assert done.stderr.startswith(b"generate: 20 records, %d bytes, " % sum(map(len, texts)))
    refused = run("20", "records.jsonl", "--shape", "wei7-indented")
    assert refused.returncode == 2
    assert b"wei7-indented goes to .tar" in refused.stderr
