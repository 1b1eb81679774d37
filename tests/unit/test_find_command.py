"""`wei7core index` and `wei7core find`: what they write, print and refuse."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from wei7core.cli.main import main
from wei7core.tables.writers import has_pyarrow

FIRST = b"(;SZ[9]RE[B+R];B[cc];W[gg];B[cg])"
SECOND = b"(;SZ[9]RE[W+R];B[gg];W[cc];B[gc];W[ff])"


@pytest.fixture
def run(capsys):
    def call(*args):
        status = main([*map(str, args)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def folder(tmp_path, run) -> Path:
    for name, text in (("a.sgf", FIRST), ("b.sgf", SECOND)):
        (tmp_path / name).write_bytes(text)
    status, out, err = run("index", tmp_path / "a.sgf", "-o", tmp_path / "games.w7i")
    assert (status, out) == (0, "")
    assert err.endswith("games.w7i: 1 record added, 0 errors; 1 record in all\n")
    status, _, err = run("index", tmp_path / "b.sgf", "-o", tmp_path / "games.w7i", "--jobs", 2)
    assert status == 0
    assert err.endswith("1 record added, 0 errors; 2 records in all\n")
    return tmp_path / "games.w7i"


def test_an_index_is_compared_with_its_checksums(run, folder):
    status, out, err = run("index", "--verify", folder)
    assert (status, out, err) == (0, "", f"{folder}: 2 segments of 2 records agree with their checksums\n")
    assert run("index", "--verify", folder, "-q") == (0, "", "")
    segment = folder / "segment-000001.w7s"
    data = bytearray(segment.read_bytes())
    data[-64] ^= 1
    segment.write_bytes(data)
    for quiet in ([], ["-q"]):
        status, out, err = run("index", "--verify", folder, *quiet)
        assert (status, out) == (1, "")
        assert f"{segment}: the checksum of" in err


@pytest.mark.skipif(not has_pyarrow(), reason="metadata need pyarrow")
def test_an_opening_key_as_a_table_has_it(run, folder, tmp_path):
    assert run("replay", tmp_path / "a.sgf", "--metadata", "-q", "-o", tmp_path / "rows.csv")[0] == 0
    with open(tmp_path / "rows.csv", encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    key = row["opening_key"]
    for text in (key, int(key, 16)):
        out = run("find", folder, "--position", "X", "--region", "anywhere", "--where", f"opening_key={text}")
        assert (out[0], out[2]) == (0, "3 positions in 1 game of 2\n")


def test_wrong_arguments_of_verify(run, folder, tmp_path):
    for arguments in (["--verify", folder, "-o", folder], ["--verify", folder, tmp_path / "a.sgf"]):
        status, _, err = run("index", *arguments)
        assert (status, err) == (2, "wei7core: --verify takes one index, and neither PATH nor -o\n")
    for arguments in ([tmp_path / "a.sgf"], ["-o", folder], []):
        status, _, err = run("index", *arguments)
        assert (status, err) == (2, "wei7core: records and a folder are required: PATH... -o FOLDER\n")
    status, _, err = run("index", "--verify", tmp_path / "none.w7i")
    assert (status, "there is no index in this folder" in err) == (2, True)


def test_a_position_of_a_record_is_written_as_a_table(run, folder, tmp_path):
    out = tmp_path / "hits.csv"
    status, _, err = run("find", folder, "--position", tmp_path / "a.sgf", "--move", 2, "-o", out)
    assert (status, err) == (0, "2 positions in 2 games of 2\n")
    with open(out, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["source"] for row in rows] == [str(tmp_path / "a.sgf"), str(tmp_path / "b.sgf")]
    assert [(row["game"], row["move_number"], row["symmetry"]) for row in rows] == [("0", "2", "0"), ("1", "2", "3")]


def test_the_last_position_of_a_record(run, folder, tmp_path):
    status, out, _ = run("find", folder, "--position", tmp_path / "b.sgf", "-q")
    assert (status, len(out.splitlines())) == (0, 2)


def test_patterns_as_text_and_in_a_file(run, folder, tmp_path):
    (tmp_path / "corner.txt").write_text("....\n....\n..X.\n....\n")
    for pattern in ("..../..../..X./....", tmp_path / "corner.txt"):
        status, out, _ = run("find", folder, "--position", pattern, "--region", "corner", "--continuations")
        assert status == 0
        assert out.splitlines()[0].split("\t") == ["point", "color", "games", "black_wins", "white_wins", "other"]
    options = ("--no-symmetry", "--either-color", "--to-play", "b", "--max-move", 2)
    status, out, _ = run("find", folder, "--position", "..../..../..X./....", "--region", "corner", *options)
    assert [line.split("\t")[2:] for line in out.splitlines()[1:]] == [["0", "2", "0", "False"]]


def test_stones_put_in_turn_and_details_of_moves(run, folder, tmp_path):
    status, _, err = run("find", folder, "--position", tmp_path / "a.sgf", "--move", 2, "--contiguous")
    assert (status, err) == (0, "2 positions in 2 games of 2\n")
    if has_pyarrow():
        status, out, _ = run("find", folder, "--position", tmp_path / "a.sgf", "--move", 2, "--details")
        assert status == 0
        assert out.splitlines()[0].split("\t")[6:] == ["black_rate", "white_rate", "average_date", "average_strength"]


@pytest.mark.parametrize("text", ["black", "B", "1", "black|w", "white"])
def test_the_winner_is_a_color(run, folder, text):
    _, _, err = run("find", folder, "--position", "X", "--region", "anywhere", "--where", f"winner={text}")
    assert f" in {2 if '|' in text else 1} game" in err
    status, _, err = run("find", folder, "--position", "X", "--region", "anywhere", "--where", "winner=red")
    assert (status, "--where winner: red is not a number" in err) == (2, True)


def test_what_no_game_has_is_status_1(run, folder):
    status, _, err = run("find", folder, "--position", "XXXX", "--region", "anywhere")
    assert (status, err) == (1, "0 positions in 0 games of 2\n")


def test_a_record_with_an_error_is_status_1(run, folder, tmp_path):
    (tmp_path / "c.wei7").write_text("{")
    status, _, err = run("index", tmp_path / "c.wei7", "-o", folder)
    assert (status, err.endswith("1 record added, 1 error; 3 records in all\n")) == (1, True)


def test_wrong_usage(run, folder, tmp_path):
    (tmp_path / "wrong.txt").write_text("..\n!.\n")
    (tmp_path / "empty.sgf").write_text("")
    for words, problem in (
        (
            ("--position", "X7"),
            "there is no file 'X7', and as a pattern: line 1, column 2: '7' is not a sign of patterns",
        ),
        (("--position", tmp_path / "wrong.txt"), "wrong.txt: this file is no record, and as a pattern: line 2, column"),
        (("--position", tmp_path / "empty.sgf"), "empty.sgf: this file is no record, and as a pattern: line 1, column"),
        (("--position", tmp_path), f"{tmp_path}: this is a folder; use a record in it"),
        (("--position", "." * 20, "--region", "side"), "fits no board"),
        (("--position", tmp_path / "a.sgf", "--move", 99), "move 99 is out of range"),
        (("--position", "X", "--move", 1), "--move requires a record as --position"),
        (("--position", "X", "--max-move", -1), "argument --max-move: -1 is negative"),
        (("--position", "X", "--max-move", "x"), "argument --max-move: 'x' is not a whole number"),
        (("--position", "X", "-o", "out.txt"), "out.txt"),
        (("--region", "board"), "--position"),
    ):
        status, _, err = run("find", folder, *words)
        assert status == 2
        assert problem in err
        assert len(err.splitlines()) == 1
    (folder / "segment-000000.w7s").write_bytes(b"short")
    for words in (("find", folder, "--position", "X"), ("index", tmp_path / "a.sgf", "-o", folder)):
        status, _, err = run(*words)
        assert (status, "segment-000000.w7s: the file is truncated" in err) == (2, True)
    assert run("find", tmp_path / "gone", "--position", "X")[0] == 2
    status, _, err = run("find", tmp_path, "--position", "X")
    assert (status, f"{tmp_path}: there is no index in this folder" in err) == (2, True)
