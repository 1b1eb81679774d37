"""`wei7core expand`: which position, whose moves, and how they are printed and written."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import wei7core as w7
from wei7core.cli.main import main
from wei7core.coordinates import from_gtp

REV7 = Path(__file__).parents[1] / "data" / "examples" / "rev7"
LG_CUP = REV7 / "lg-cup-with-format.wei7"
KO = b"(;SZ[4];B[ab];W[bb];B[ba];W[ca];B[bc];W[cc];B[ad]C[here];W[db];B[cb])"
"""Black takes a ko at C3 with the last move."""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: object) -> tuple[int, str, str]:
        status = main(["expand", *map(str, args)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def ko(tmp_path: Path) -> Path:
    path = tmp_path / "ko.sgf"
    path.write_bytes(KO)
    return path


def record_file(path: Path, text: bytes) -> Path:
    path.write_bytes(text)
    return path


def test_the_last_position_of_the_main_line(run: Run) -> None:
    status, out, err = run(LG_CUP)
    (*_, node) = w7.load(LG_CUP).main_line()
    children = node.board.children(w7.WHITE)
    lines = out.splitlines()
    assert status == 0
    assert err == f"{LG_CUP}: move 163, White to play: 205 empty points, 205 legal by permissive rules\n"
    assert lines[0].split() == ["point", "verdict", "captured", "lost", "self_atari", "hash"]
    assert len(lines) == 206
    for line in lines[1:]:
        point, verdict, captured, lost, self_atari, hash = line.split()
        x, y = from_gtp(point, 19, 19) or (-1, -1)
        assert verdict == "legal"
        assert (int(captured), int(lost), int(hash, 16)) == (
            children.captured[y, x],
            children.lost[y, x],
            children.hash[y, x],
        )
        assert (self_atari == "yes") == children.self_atari[y, x]


def test_rules_judge_by_the_moves_of_the_record(run: Run, ko: Path) -> None:
    for rules, verdict in [
        ("permissive", "legal"),
        ("japanese", "ko-recapture"),
        ("tromp-taylor", "positional-repeat"),
        ("aga", "situational-repeat"),
    ]:
        rows = list(csv.DictReader(io.StringIO(written(run, ko, "--rules", rules))))
        assert {row["point"]: row["verdict"] for row in rows}["B3"] == verdict
    assert "1 legal" not in run(ko, "--rules", "japanese")[2]


def written(run: Run, path: Path, *args: object) -> str:
    out = path.with_suffix(".csv")
    status, printed, _ = run(path, *args, "-o", out)
    assert (status, printed) == (0, "")
    return out.read_text()


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "npz", "parquet"])
def test_files(run: Run, ko: Path, tmp_path: Path, suffix: str) -> None:
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    out = tmp_path / f"moves.{suffix}"
    assert run(ko, "--rules", "japanese", "-o", out, "-q") == (0, "", "")
    (*_, node) = w7.load(ko).main_line()
    points = node.board.children(w7.WHITE, "japanese").points
    if suffix == "npz":
        with np.load(out) as arrays:
            verdicts = arrays["verdict_bytes"].tobytes().decode()
            assert verdicts.count("legal") == len(points)
            assert verdicts.count("ko-recapture") == 1
            assert arrays["self_atari"].dtype == bool
        return
    if suffix == "parquet":
        import pyarrow.parquet

        rows = pyarrow.parquet.read_table(out).to_pylist()
    elif suffix == "jsonl":
        rows = [json.loads(line) for line in out.read_text().splitlines()]
    else:
        with open(out, newline="") as file:
            rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["point", "x", "y", "verdict", "captured", "lost", "self_atari", "hash"]
    assert [(int(row["x"]), int(row["y"])) for row in rows if row["verdict"] == "legal"] == points
    for row in rows:
        assert from_gtp(row["point"], 4, 4) == (int(row["x"]), int(row["y"]))


@pytest.mark.parametrize(
    ("text", "args", "color"),
    [
        (KO, (), "White"),
        (KO, ("--move", 0), "Black"),
        (KO, ("--move", 6), "Black"),
        (KO, ("--move", 6, "--color", "w"), "White"),
        (KO, ("--move", 6, "--color", "black"), "Black"),
        (b"(;SZ[4])", (), "Black"),
        (b"(;SZ[4]PL[W])", (), "White"),
        (b"(;SZ[4]AB[aa][bb];W[cc];W[dd])", ("--move", 0), "White"),
        (b"(;SZ[4]AB[aa][bb];W[cc];W[dd])", ("--move", 1), "White"),
        (b"(;SZ[4]AB[aa][bb];W[cc];W[dd])", (), "Black"),
        (b"(;SZ[4];W[cc]PL[W];B[dd])", ("--move", 1), "White"),
        (b"(;SZ[4];W[cc];AB[aa];W[dd])", ("--move", 1), "Black"),
        (b"(;SZ[4];B[cc](;B[aa])(;W[aa]))", ("--branch", "-"), "White"),
        (b"(;SZ[4];B[cc](;B[aa])(;W[aa]))", ("--branch", "1"), "Black"),
        (b"(;SZ[4];B[cc](;B[aa])(;W[aa]))", ("--move", 1), "Black"),
        (b"(;SZ[4];B[])", (), "White"),
    ],
)
def test_who_is_to_play(run: Run, tmp_path: Path, text: bytes, args: tuple[object, ...], color: str) -> None:
    assert f", {color} to play: " in run(record_file(tmp_path / "a.sgf", text), *args)[2]


def test_a_move_that_is_taken_back_does_not_tell_who_plays(run: Run, tmp_path: Path) -> None:
    def move(color: int, x: int) -> dict[str, object]:
        return {"action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": 0}}}}

    takeback = {"action": {"type": "takeback", "value": 1}}
    steps = [move(1, 0), takeback, move(1, 1)]
    path = tmp_path / "a.wei7"
    path.write_text(json.dumps({"format": "wei7", "version": "3.0", "size": 3, "tree": {"steps": steps}}))
    status, _, err = run(path, "--move", 1)
    assert (status, "White to play: 8 empty points" in err) == (0, True)


def test_a_record_of_many(run: Run, tmp_path: Path) -> None:
    path = record_file(tmp_path / "a.sgf", KO + b"(;SZ[2];B[aa])")
    assert run(path, "--record", 1)[1].count("\n") == 4


def test_a_record_with_an_error_is_expanded_as_far_as_it_goes(run: Run, tmp_path: Path) -> None:
    path = record_file(tmp_path / "a.sgf", b"(;SZ[2];B[aa];W[zz])")
    status, out, err = run(path)
    assert status == 1
    assert len(out.splitlines()) == 4
    assert "error" in err
    assert run(record_file(tmp_path / "b.wei7", b"{"))[:2] == (1, "")


@pytest.mark.skipif(os.name != "posix", reason="uses head")
def test_a_reader_that_goes_away_is_no_noise(tmp_path: Path) -> None:
    path = record_file(tmp_path / "a.sgf", b"(;SZ[300])")
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = f'"{sys.executable}" -m wei7core expand -q "{path}" | head -1'
    done = subprocess.run(command, shell=True, capture_output=True, check=False, env=environment, timeout=600)
    assert (done.stdout.count(b"\n"), done.stderr) == (1, b"")
