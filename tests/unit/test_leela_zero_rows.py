"""Training rows of Leela Zero: round trips with text written to the documented layout, and broken files."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.effort import first
from samples import training_games
from samples.training_files import leela_zero_text

import wei7core as w7
from wei7core import Board, TrainingFileError, TrainingRows
from wei7core.training import leela_zero

FIELDS = ("own", "opponent", "to_move", "policy", "outcome", "history")


@pytest.fixture(scope="module")
def rows() -> TrainingRows:
    made, _ = training_games.rows_of(training_games.some_games(3), every=9)
    policy = np.random.default_rng(1).dirichlet(np.full(362, 0.05), len(made)).astype(np.float32)
    board = (made.own == 0) & (made.opponent == 0) & (made.ko == 0)  # type: ignore[operator]  # arrays here, never None
    policy[:, :-1] *= board.reshape(len(made), -1)
    policy /= policy.sum(axis=1, keepdims=True)
    return TrainingRows(**{**{name: getattr(made, name) for name in FIELDS}, "policy": policy})


@pytest.fixture(scope="module")
def text(rows: TrainingRows) -> bytes:
    return leela_zero_text(rows)


def same(batches: Any, rows: TrainingRows) -> None:
    read = list(batches)
    for name in FIELDS:
        together = np.concatenate([getattr(batch, name) for batch in read])
        assert (together == getattr(rows, name)).all(), name
    assert [batch.first_row for batch in read] == np.cumsum([0, *map(len, read[:-1])]).tolist()


@pytest.mark.parametrize("rows_at_once", first(1, [7, 1, 1000]))
def test_round_trip(rows: TrainingRows, text: bytes, rows_at_once: int) -> None:
    same(leela_zero.read(text, rows_at_once=rows_at_once), rows)
    same(leela_zero.read(text.replace(b"\n", b"\r\n"), rows_at_once=rows_at_once), rows)
    same(leela_zero.read(text[:-1]), rows)  # without the last line break
    from_top = leela_zero_text(rows, first_row="top")
    assert from_top != text
    same(leela_zero.read(from_top, first_row="top"), rows)


@pytest.mark.parametrize("pack", first(2, [bytes, gzip.compress, bz2.compress, lzma.compress]))
def test_compressed(rows: TrainingRows, text: bytes, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    data = pack(text)
    same(leela_zero.read(data), rows)
    same(leela_zero.read(io.BytesIO(data)), rows)
    path = tmp_path / "train.txt.0.gz"
    path.write_bytes(data)
    same(leela_zero.read(path), rows)
    assert {batch.source for batch in leela_zero.read(str(path))} == {str(path)}


def test_appended_gzip(rows: TrainingRows, text: bytes) -> None:
    """`dump_training` appends to what is there."""
    half = len(text.split(b"\n")) // 19 // 2 * 19
    lines = text.splitlines(keepends=True)
    same(leela_zero.read(gzip.compress(b"".join(lines[:half])) + gzip.compress(b"".join(lines[half:]))), rows)


class Slow(io.BytesIO):
    """A file that gives a few bytes at a time, as pipes may."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(7, size if size and size > 0 else 7))


def test_slow_files(rows: TrainingRows, text: bytes) -> None:
    same(leela_zero.read(Slow(text)), rows)
    lines = text.splitlines(keepends=True)
    parts = [b"".join(lines[begin : begin + 19 * 5]) for begin in range(0, len(lines), 19 * 5)]
    same(leela_zero.read(Slow(b"".join(map(gzip.compress, parts)))), rows)
    with pytest.raises(TypeError, match=r"binary mode; its read\(\) returned str"):
        list(leela_zero.read(io.StringIO("0")))  # type: ignore[arg-type]  # the test passes a wrong type


def test_sound_rows_have_no_findings(rows: TrainingRows, text: bytes) -> None:
    assert list(w7.check_rows(leela_zero.read(text, rows_at_once=20))) == []
    turned = w7.check_rows(leela_zero.read(text, first_row="top"), positions=stones(rows))
    assert set(turned.counts) == {"row-symmetry"}
    assert {row.message for row in turned} == {"the planes show the position of the game mirrored top to bottom"}
    assert list(w7.check_rows(leela_zero.read(text), positions=stones(rows))) == []


def stones(rows: TrainingRows) -> np.ndarray[Any, Any]:
    assert rows.to_move is not None
    black = rows.to_move[:, None, None] == 1
    return np.where(black, rows.own + 2 * rows.opponent, rows.opponent + 2 * rows.own).astype(np.uint8)


def test_findings_name_the_file_and_row(text: bytes, tmp_path: Path) -> None:
    lines = text.split(b"\n")
    lines[19 * 5 + 17] = b"nan " + lines[19 * 5 + 17].split(b" ", 1)[1]
    path = tmp_path / "rows.txt"
    path.write_bytes(b"\n".join(lines))
    (finding,) = w7.check_rows(leela_zero.read(path, rows_at_once=4))
    assert (finding.source, finding.row, finding.code) == (str(path), 5, "row-policy-not-finite")
    assert (finding.x, finding.y) == (0, 18)  # the first number is for the lower left corner


def test_the_documented_line() -> None:
    """A row spelled out: 3 x 3, a black stone in the lower left corner, one of White in the upper right one."""
    planes = ["800" if plane == 8 else "001" if plane == 0 else "000" for plane in range(16)]
    lines = [*planes, "1", "0 0.5 0 0 0 0 0 0 0 0.5", "-1", ""]
    (rows,) = leela_zero.read("\n".join(lines).encode(), size=3)
    assert rows.opponent.tolist() == [[[0, 0, 0], [0, 0, 0], [1, 0, 0]]]
    assert rows.own.tolist() == [[[0, 0, 1], [0, 0, 0], [0, 0, 0]]]
    assert rows.to_move is not None and rows.to_move.tolist() == [w7.WHITE]
    assert rows.outcome is not None and rows.outcome.tolist() == [-1]
    assert rows.policy is not None and rows.policy.tolist() == [[0, 0, 0, 0, 0, 0, 0, 0.5, 0, 0.5]]
    board = Board(3)
    board.play(w7.BLACK, (0, 2))
    assert [row.code for row in w7.check_rows(rows, positions=[board])] == ["row-planes-mismatch"]


def line_of(number: int, change: Callable[[bytes], bytes]) -> Callable[[list[bytes]], list[bytes]]:
    def broken(lines: list[bytes]) -> list[bytes]:
        lines[number] = change(lines[number])
        return lines

    return broken


def put(place: int, character: bytes) -> Callable[[bytes], bytes]:
    return lambda line: line[:place] + character + line[place + 1 :]


BROKEN: list[tuple[Callable[[list[bytes]], list[bytes]], str]] = [
    (line_of(19 * 2 + 3, put(40, b"g")), "row 2, line 42, column 41: 'g' is not a hexadecimal digit"),
    (line_of(3, put(90, b"2")), "row 0, line 4, column 91: the last point of a plane is 0 or 1, not '2'"),
    (line_of(3, put(0, b" ")), "row 0, line 4, column 1: ' ' is not a hexadecimal digit"),
    (line_of(3, put(0, b"\xff")), "row 0, line 4, column 1: 'ÿ' is not a hexadecimal digit"),
    (line_of(22, lambda line: line[:-1]), "row 1, line 23: a plane has 91 digits, 90 for 4 points each and one for"),
    (line_of(22, lambda line: line + b"0"), "row 1, line 23: a plane has 91 digits"),
    (line_of(22, lambda line: b""), "row 1, line 23: a plane has 91 digits"),
    (line_of(16, lambda line: b"2"), "row 0, line 17: the side to move is 0 (black) or 1 (white), not '2'"),
    (line_of(16, lambda line: b""), "row 0, line 17: the side to move is 0 (black) or 1 (white), not ''"),
    (line_of(17, lambda line: line + b" 0"), "row 0, line 18: a policy has 362 numbers, not 363"),
    (line_of(17, lambda line: b"0 x " + line.split(b" ", 2)[2]), "row 0, line 18, column 3: 'x"),
    (line_of(17, lambda line: b"1_0 " + line.split(b" ", 1)[1]), "row 0, line 18, column 1: '1_0' is not a number"),
    (line_of(18, lambda line: b"0"), "row 0, line 19: the outcome is 1 or -1, not '0'"),
    (line_of(18, lambda line: b"black"), "row 0, line 19: the outcome is 1 or -1, not 'black'"),
    (lambda lines: lines[:-4], "line 73: the file ends within a row, after 16 of its 19 lines"),
    (lambda lines: lines[1:], "row 0, line 16: a plane has 91 digits"),
]


@pytest.mark.parametrize(("damage", "message"), BROKEN, ids=[message for _, message in BROKEN])
@pytest.mark.parametrize("rows_at_once", [1, 100])
def test_broken_files(
    text: bytes, damage: Callable[[list[bytes]], list[bytes]], message: str, rows_at_once: int, tmp_path: Path
) -> None:
    lines = damage([*text.split(b"\n")[: 4 * 19], b""])
    path = tmp_path / "rows.txt"
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(TrainingFileError) as caught:
        list(leela_zero.read(path, rows_at_once=rows_at_once))
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{path}, row ")
    assert "\n" not in str(caught.value)
    assert caught.value.row == int(str(caught.value).split("row ")[1].split(",")[0])


def test_numbers_spelled_otherwise(text: bytes) -> None:
    lines = [*text.split(b"\n")[:19], b""]
    lines[18] = b"1.0" if lines[18] == b"1" else b"-1.0"
    lines[16] += b" "
    (rows,) = leela_zero.read(b"\n".join(lines))
    assert len(rows) == 1


def test_files_that_are_none(text: bytes) -> None:
    assert list(leela_zero.read(b"")) == []
    for data, message in [
        (b"\x01\0\0\0" + b"\0" * 2172, "packed rows"),
        (b"\x00" * 100_000, "longer than any of a row"),
        (gzip.compress(b"0" * 5_000_000), "longer than any of a row"),
        (gzip.compress(text)[:-20], "ends too early"),
        (gzip.compress(text)[:200] + b"!" + gzip.compress(text)[201:], "damaged"),
        (gzip.compress(text) + b"more", "other data follows the gzip data"),
        (b"{}", "row 0, line 1: the file ends within a row"),
    ]:
        with pytest.raises(TrainingFileError, match=message):
            list(leela_zero.read(data))
    with pytest.raises(FileNotFoundError):
        list(leela_zero.read("there is no such file"))


def test_arguments() -> None:
    for keywords, message in [
        ({"size": 18}, "an odd size"), ({"size": 1}, "an odd size"), ({"first_row": "left"}, "'bottom' or 'top'"),
        ({"rows_at_once": 0}, "at least one row"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=message):
            leela_zero.read(b"", **keywords)  # type: ignore[arg-type]  # the test passes a wrong type
    for source in (None, 5, []):
        with pytest.raises(TypeError, match="are in a path, bytes or a binary file, not"):
            leela_zero.read(source)  # type: ignore[arg-type]  # the test passes a wrong type
    for name in ("size", "rows_at_once"):
        with pytest.raises(TypeError, match=f"{name} is an integer"):
            leela_zero.read(b"", **{name: 9.0})  # type: ignore[arg-type]  # the test passes a wrong type
