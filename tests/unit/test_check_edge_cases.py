"""Checks of records that seldom come: odd texts in the header, starts that cannot be made, problems to be solved."""

import gzip
import io
import json
import os
import tarfile
import zipfile

import numpy as np
import pytest

from wei7core.checking import prescreen as screen
from wei7core.checking import quarantine
from wei7core.checking.check import check
from wei7core.checking.judge import member_offset
from wei7core.checking.reopen import RecordReader
from wei7core.checking.spill import CHUNK_ROWS, Spill
from wei7core.cli import main as cli
from wei7core.formats.sgf import decode as sgf
from wei7core.formats.wei7 import decode as wei7

MOVES = [{"action": {"type": "move", "value": {"color": 1 + k % 2, "point": {"x": k, "y": k}}}} for k in range(3)]


def record(*, steps=(), info=None, **pre):
    tree = {"steps": list(steps), **({"pre": pre} if pre else {})}
    about = {} if info is None else {"info": info}
    return json.dumps({"format": "wei7", "version": "3.0", "size": 9, **about, "tree": tree}).encode()


def codes(data):
    return [finding.code for finding in check(data, severity="info")]


@pytest.mark.parametrize("komi", ["6,5", "650 points", "6.5目"])
def test_a_komi_that_is_no_number_as_it_is_written(komi):
    text = f"(;SZ[9]KM[{komi}];B[aa];W[bb])".encode()
    assert "komi-dialect" not in codes(text)


def test_problems_to_be_solved_have_no_first_player_and_no_end():
    asked = record(steps=MOVES[1:], problem={"color": 1}, stones=[{"color": 1, "point": {"x": 8, "y": 8}}])
    assert codes(asked).count("first-player-mismatch") == 1  # which the decoder has reported already
    assert "first-player-mismatch" in codes(record(steps=MOVES[1:]))


def test_a_start_without_liberties_is_reported_at_the_start():
    stones = [{"color": 1 + (k == 0), "point": {"x": x, "y": y}} for k, (x, y) in enumerate([(0, 0), (0, 1), (1, 0)])]
    found = list(check(record(steps=MOVES[2:], stones=stones), severity="info"))
    assert found and all(finding.path.startswith("$") for finding in found)


@pytest.mark.parametrize(
    "points", [[(3, 3), (3, 3)], [(3, 3), (40, 3)], [(-1, 3)]], ids=["twice", "off-board", "negative"]
)
def test_a_start_that_cannot_be_made(points):
    """As written it must not be handed on: no board takes it."""
    stones = [{"color": 1 + k, "point": {"x": x, "y": y}} for k, (x, y) in enumerate(points)]
    for text in (record(steps=MOVES, stones=stones), record(stones=stones)):
        assert {"format-breach", "move-off-board"} & set(codes(text))


@pytest.mark.parametrize("member", ["komi", "result"])
@pytest.mark.parametrize(
    "text",
    [
        b"(;SZ[9];B[aa])",
        b"(;SZ[9]GN[a];B[aa])",
    ],
)
def test_members_of_sgf_that_are_not_there(text, member):
    assert member_offset(sgf.decode(text), member) is None


@pytest.mark.parametrize("member", ["komi", "result", "handicap"])
@pytest.mark.parametrize("info", [None, {}, {"id": "a"}, {"rules": {"type": "Chinese"}}])
def test_members_of_wei7_that_are_not_there(info, member):
    assert member_offset(wei7.decode(record(info=info)), member) is None


def test_members_of_wei7_that_are_there():
    text = record(info={"note": {"komi": 1}, "rules": {"type": "Chinese", "komi": 7}, "result": {"winner": 1}})
    found = wei7.decode(text)
    assert text[member_offset(found, "komi") :].startswith(b"7}")
    assert text[member_offset(found, "result") :].startswith(b'{"winner"')


def test_records_that_do_not_come_again(tmp_path):
    path = tmp_path / "a.sgf"
    path.write_bytes(b"(;SZ[9];B[aa])")
    texts = RecordReader([str(path)])
    assert texts.text(str(path), 0) is not None
    assert texts.text(str(path), 5) is None


def test_books_of_headers_are_given_up_when_they_are_large(monkeypatch):
    monkeypatch.setattr(screen, "_MOST_HEADERS", 0)
    games = b"".join(f"(;SZ[9]PB[{name}];B[aa];W[bb])".encode() for name in range(40))
    assert sorted(codes([games, games])) == sorted(codes(games) * 2 + ["duplicate-bytes"] * 40)


def test_a_temporary_file_that_is_cut_off(tmp_path):
    spill = Spill(0, tmp_path)
    table = spill.table({"a": "i8"})
    for _ in range(3):
        table.append({"a": np.arange(CHUNK_ROWS)}, CHUNK_ROWS)
    assert spill.spilled and table.read("a", 0, 2).tolist() == [0, 1]
    table._files["a"].truncate(8)
    with pytest.raises(OSError, match="was truncated"):
        table.read("a", 0, CHUNK_ROWS)
    spill.close()


def test_skipped_files_of_a_check_are_counted(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with zipfile.ZipFile("a.zip", "w") as archive:
        archive.writestr("a.txt", "nothing")
        archive.writestr("a.sgf", "(;SZ[9];B[aa])")
    assert cli.main(["check", "a.zip", "--ignore", "result-missing"]) == 0
    assert "1 other file skipped" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["replay", "validate", "check"])
@pytest.mark.parametrize("jobs", [(), ("--jobs", "2")])
def test_files_passed_over_are_named_on_request(tmp_path, capsys, monkeypatch, command, jobs):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "note.txt").write_text("nothing")
    (tmp_path / "folder" / "record.txt").write_text("(;SZ[9]RE[Void];B[aa])")
    with zipfile.ZipFile(tmp_path / "folder" / "a.zip", "w") as archive:
        archive.writestr("b/\x1ba.txt", "nothing")
        archive.writestr("b/in.sgf", tar_of("c"))
        archive.writestr("a.sgf", "(;SZ[9]RE[Void];B[aa])")
    (tmp_path / "b.tar").write_bytes(tar_of("d.txt") + bytes(1 << 17))
    words = [command, "folder", "b.tar", "-v", *(jobs if command != "validate" else ())]
    assert cli.main(words) in (0, 1)
    err = capsys.readouterr().err.replace(f"folder{os.sep}", "folder/")
    named = [line.partition(": ")[2] for line in err.splitlines() if line.startswith("skipped: ")]
    assert named == [r"folder/a.zip!/b/\x1ba.txt", "folder/a.zip!/b/in.sgf", "folder/note.txt", "b.tar!/d.txt"]
    assert "4 other files skipped" in err
    assert cli.main(words[:3]) in (0, 1)
    assert "skipped: " not in capsys.readouterr().err


def test_engines_do_not_name_what_they_pass_over(capsys):
    assert cli.main(["replay", "x", "--engine", "dask", "-o", "out", "-v"]) == 2
    assert "--verbose cannot be combined with --engine" in capsys.readouterr().err


def tar_of(name):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo(name))
    return file.getvalue()


def test_pictures_of_records_that_hold_no_game(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sgf").write_bytes(b"(;GM[2]SZ[9];B[aa])(")
    (tmp_path / "b.wei7").write_bytes(b'{"format": "wei7", "version": "3.0", "size": 9}')
    assert cli.main(["check", "a.sgf", "b.wei7", "--show"]) == 1
    assert capsys.readouterr().out


def test_tables_of_many_findings(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sgf").write_bytes(b"".join(f"(;SZ[9]PB[{k}];B[aa])".encode() for k in range(1_100)))
    assert cli.main(["check", "a.sgf", "-o", "b.csv", "--select", "result-missing", "--quiet"]) == 1
    assert len((tmp_path / "b.csv").read_text().splitlines()) == 1 + 1_100


@pytest.mark.parametrize("error", [FileExistsError, PermissionError])
def test_names_that_are_taken_meanwhile(tmp_path, monkeypatch, error):
    def link(path, name):
        raise error

    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(quarantine.os, "link", link)
    with pytest.raises(FileExistsError):
        quarantine._rename_to_new(str(tmp_path / "a"), str(tmp_path / "b"))
    assert (tmp_path / "a").read_text() == "a" and (tmp_path / "b").read_text() == "b"


def test_records_without_bytes_cannot_be_put_aside(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sgf.gz").write_bytes(gzip.compress(b"(;SZ[9];B[aa])")[:-9] + b"damaged!!")
    assert cli.main(["check", "a.sgf.gz", "--quarantine", "aside"]) == 1
    assert "1 record without bytes to quarantine" in capsys.readouterr().err
