"""`wei7core convert`: what is written where, what is said, and what happens when something is lost or wrong."""

import csv
import errno
import gzip
import io
import json
import os
import sys

import pytest

import wei7core as w7
from wei7core.cli import main as cli
from wei7core.cli.convert_names import FileNames
from wei7core.game.output_formats import format_of

PASS = b'{"action":{"type":"move","value":{"color":1,"point":null}}}'
GAME = b'{"format":"wei7","version":"3.0","size":9,"tree":{"steps":[' + PASS + b"]}}"
TIMED = GAME.replace(b'{"action"', b'{"time":3,"action"')
NAMED = b"(;GM[1]SZ[9]GN[../../etc/pa ss\xe5\x90\x8d];B[aa])"
BROKEN = b"(;GM[1]SZ[9];B[aa];W[zz];B[bb])"
CHESS = b"(;GM[3])"
BIG = GAME.replace(b'"size":9', b'"size":53')


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    return cli.main(["convert", *map(str, arguments)])


def names(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_one_file_by_its_suffix(folder, capsys):
    (folder / "a.wei7").write_bytes(GAME)
    assert run("a.wei7", "a.sgf") == 0
    assert (folder / "a.sgf").read_bytes() == b"(;FF[4]CA[UTF-8]GM[1]SZ[9]\n;B[])\n"
    assert capsys.readouterr().err == "1 record, 1 record written, 0 records with an error; 0 losses\n"
    assert run("a.sgf", "b.wei7") == 0
    assert (folder / "b.wei7").read_bytes() == GAME
    assert names(folder) == ["a.sgf", "a.wei7", "b.wei7"]


def test_quiet_tells_what_is_wrong_and_no_more(folder, capsys):
    (folder / "a.wei7").write_bytes(GAME)
    assert run("a.wei7", "a.sgf", "-q") == 0
    assert (folder / "a.sgf").exists()
    assert capsys.readouterr().err == ""
    (folder / "b.sgf").write_bytes(BROKEN)
    assert run("b.sgf", "b.wei7", "--quiet") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("b.sgf:") and ": error: " in line


def test_a_collection_becomes_lines_and_lines_a_collection(folder):
    (folder / "many.sgf.gz").write_bytes(gzip.compress(NAMED + b"\n" + BROKEN + b"(;SZ[5])"))
    assert run("many.sgf.gz", "many.jsonl") == 1
    lines = (folder / "many.jsonl").read_bytes().splitlines()
    assert [len(w7.loads(line).tree.steps) for line in lines] == [1, 1, 0]
    assert run("many.jsonl", "again.sgf") == 0
    assert (folder / "again.sgf").read_bytes().count(b"GM[1]") == 3


def test_a_folder_has_a_file_for_each_record_with_a_harmless_name(folder):
    (folder / "many.sgf").write_bytes(NAMED + b"(;SZ[5])" + NAMED)
    assert run("many.sgf", "new/", "--to", "wei7") == 0
    there = ["new", "new/000001-etc_pa_ss名.wei7", "new/000002.wei7", "new/000003-etc_pa_ss名.wei7"]
    assert names(folder) == ["many.sgf", *there]
    (folder / "new" / "other.txt").write_text("stays")
    assert run("many.sgf", "new", "--to", "sgf") == 0
    assert len(names(folder / "new")) == 7
    assert w7.load(folder / "new" / "000002.sgf").size == (5, 5)


def test_half_of_a_surrogate_pair_in_a_name_among_others(folder, capsys):
    named = [GAME.replace(b'"tree"', b'"info":{"id":"' + name + b'"},"tree"') for name in (b"a", b"b\\ud800", b"c")]
    (folder / "many.jsonl").write_bytes(b"\n".join(named))
    assert run("many.jsonl", "many.sgf", "--losses", "losses.csv") == 0
    assert (folder / "many.sgf").read_bytes().count(b"GM[1]") == 3
    with open("losses.csv", newline="", encoding="utf-8") as file:
        assert [row["record"] for row in csv.DictReader(file)] == ["0", "1", "2"]
    assert run("many.jsonl", "new/", "--to", "wei7") == 0
    assert names(folder / "new") == ["000001-a.wei7", "000002-b.wei7", "000003-c.wei7"]
    assert capsys.readouterr().err.count("3 records written") == 2


def test_files_of_a_folder_are_not_replaced_in_silence(folder, capsys):
    (folder / "a.sgf").write_bytes(NAMED + b"(;SZ[5])")
    assert run("a.sgf", "new/", "--to", "wei7") == 0
    assert "replaced" not in capsys.readouterr().err
    assert run("a.sgf", "new", "--to", "wei7") == 0
    assert "new: 2 files of the same name replaced\n" in capsys.readouterr().err
    assert run("a.sgf", "new", "--to", "wei7", "--quiet") == 0
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_files_of_a_folder_that_are_replaced_keep_their_permissions(tmp_path):
    source, target = tmp_path / "old", tmp_path / "new"
    for folder in (source, target):
        folder.mkdir()
    for name, mode in (("a.sgf", 0o600), ("b.sgf", 0o664), ("c.sgf", 0o444)):
        (source / name).write_text("(;SZ[9];B[aa])")
        (target / name).write_text("(;SZ[9])")
        (target / name).chmod(mode)
    assert cli.main(["convert", str(source), str(target), "--to", "sgf"]) == 0
    assert [path.stat().st_mode & 0o777 for path in sorted(target.iterdir())] == [0o600, 0o664, 0o444]
    assert all(b"B[aa]" in path.read_bytes() for path in target.iterdir())


def test_standard_input_and_output(folder, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(NAMED + NAMED)))
    assert run("-", "-", "--to", "wei7") == 0
    out = capsys.readouterr().out
    assert [json.loads(line)["info"]["name"] for line in out.splitlines()] == ["../../etc/pa ss名"] * 2


def test_revision_2_is_asked_for_by_name(folder):
    (folder / "a.sgf").write_bytes(b"(;SZ[9]LB[aa:*])")
    assert run("a.sgf", "a.wei7", "--to", "wei7-rev2") == 0
    assert w7.load("a.wei7", revision=2).tree.pre.marks[0].symbol == "*"


def test_losses_as_a_table(folder, capsys):
    (folder / "a.jsonl").write_bytes(GAME + b"\n" + TIMED + b"\n")
    assert run("a.jsonl", "a.sgf", "--losses", "losses.csv") == 0
    with open("losses.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows == [
        {
            "code": "time-dropped",
            "source": "a.jsonl",
            "record": "1",
            "path": "-;0",
            "times": "1",
            "message": "the time of a step is left out",
        }
    ]
    assert capsys.readouterr().err == "2 records, 2 records written, 0 records with an error; 1 loss: 1 time-dropped\n"


def test_broken_records_are_reported_and_the_rest_is_converted(folder, capsys):
    (folder / "in").mkdir()
    (folder / "in" / "1.sgf").write_bytes(CHESS)
    (folder / "in" / "2.sgf").write_bytes(BROKEN)
    (folder / "in" / "3.wei7").write_bytes(BIG)
    (folder / "in" / "4.wei7").write_bytes(GAME)
    assert run("in", "out.sgf") == 1
    err = capsys.readouterr().err.splitlines()
    assert "game-not-go" in err[0]
    assert "point-off-board" in err[1]
    assert err[2].endswith("3.wei7: error: SGF supports boards of 1 to 52 points a side; this game has 53 x 53 points")
    assert err[3].startswith("4 records, 2 records written, 3 records with an error;")
    assert (folder / "out.sgf").read_bytes().count(b"(;FF[4]") == 2


@pytest.mark.parametrize("target", ["out.sgf", "out/", "there"])
@pytest.mark.parametrize("data", [GAME + b"\n" + TIMED, GAME + b"\n" + BIG, GAME + b'\n{"format":"wei7"}'])
def test_strict_writes_nothing_after_a_loss_or_an_error(folder, target, data):
    (folder / "there").mkdir()
    (folder / "a.jsonl").write_bytes(data + b"\n" + GAME)
    assert run("a.jsonl", target, "--to", "sgf", "--strict", "--losses", "losses.jsonl") == 1
    assert names(folder) == ["a.jsonl", "losses.jsonl", "there"]


def test_strict_writes_what_loses_nothing(folder, capsys):
    (folder / "a.wei7").write_bytes(GAME)
    assert run("a.wei7", "a.sgf", "--strict") == 0
    assert names(folder) == ["a.sgf", "a.wei7"]
    assert run("a.wei7", "-", "--to", "sgf", "--strict") == 0
    assert capsys.readouterr().out == (folder / "a.sgf").read_text()
    (folder / "a.wei7").write_bytes(TIMED)
    assert run("a.wei7", "-", "--to", "sgf", "--strict") == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["a.wei7", "-"], "use --to FORMAT"),
        (["a.wei7", "out.txt"], "use --to FORMAT"),
        (["a.wei7", "a.wei7"], "TARGET is also SOURCE"),
        (["a.wei7", "out.sgf", "--losses", "a.wei7"], "unsupported output format"),
        (["a.wei7", "out.jsonl", "--losses", "out.jsonl"], "already used for something else"),
        (["many.jsonl", "out.wei7"], "more than one record"),
        (["none.wei7", "out.sgf"], "no such file or folder"),
        (["in", "in/old.jsonl"], "one of the inputs"),
        (["in", "in/new", "--to", "sgf"], "inside the source folder"),
        (["in/empty", "out.sgf"], "no records found"),
        (["in/empty", "out", "--to", "sgf"], "no records found"),
        (["a.wei7", "out.sgf", "--to", "gtp"], "invalid choice"),
        (["a.wei7", "", "--to", "sgf"], "use .sgf, or a folder"),
        (["a.wei7", "a.wei7/", "--to", "sgf"], "TARGET is also SOURCE"),
        (["", "out.sgf"], "no such file or folder"),
    ],
)
def test_wrong_usage(folder, capsys, arguments, why):
    (folder / "a.wei7").write_bytes(GAME)
    (folder / "many.jsonl").write_bytes(GAME + b"\n" + GAME)
    (folder / "in" / "empty").mkdir(parents=True)
    (folder / "in" / "old.jsonl").write_bytes(GAME)
    (folder / "no-suffix").write_bytes(b"a file")
    before = names(folder)
    assert run(*arguments) == 2
    assert why in capsys.readouterr().err
    assert names(folder) == before


@pytest.mark.parametrize("target", ["out.jsonl", "out.wei7", "new", "-"])
@pytest.mark.parametrize("data", [CHESS, b"", b"hello"])
def test_what_cannot_be_converted_leaves_the_target_as_it_is(folder, capsys, target, data):
    (folder / "a.sgf").write_bytes(data)
    (folder / "out.wei7").write_bytes(GAME)
    assert run("a.sgf", target, "--to", "wei7") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith("1 record, nothing written, 1 record with an error; 0 losses\n")
    assert names(folder) == ["a.sgf", "out.wei7"]
    assert (folder / "out.wei7").read_bytes() == GAME


@pytest.mark.parametrize("game", [b"(;SZ[5])", NAMED, GAME, TIMED])
def test_files_of_one_record_keep_their_names(folder, game):
    for name in ("2024.01.02 final.sgf.gz", "2024.01.02 semifinal.sgf.gz"):
        (folder / name).write_bytes(gzip.compress(game))
        assert run(name, "out", "--to", "wei7") == 0
    assert names(folder / "out") == ["2024.01.02 final.wei7", "2024.01.02 semifinal.wei7"]


def test_a_folder_of_the_source_keeps_it(folder, capsys):
    (folder / "a.wei7").write_bytes(GAME)
    assert run("a.wei7", ".", "--to", "wei7-2.2") == 2
    assert capsys.readouterr().err == "wei7core: .: a.wei7 would replace SOURCE; write to another folder\n"
    assert names(folder) == ["a.wei7"]
    assert (folder / "a.wei7").read_bytes() == GAME
    assert run("a.wei7", ".", "--to", "sgf") == 0
    assert names(folder) == ["a.sgf", "a.wei7"]


def test_a_file_that_is_no_folder(folder, capsys):
    (folder / "a.wei7").write_bytes(GAME)
    (folder / "out").write_bytes(b"")
    assert run("a.wei7", "out/", "--to", "sgf") == 2
    assert capsys.readouterr().err == "wei7core: out/: Not a directory\n"
    assert names(folder) == ["a.wei7", "out"]


def test_a_full_disk_names_the_folder(folder, capsys, monkeypatch):
    (folder / "a.wei7").write_bytes(GAME)
    (folder / "out").mkdir()

    def full(self, *_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(FileNames, "name", full)
    assert run("a.wei7", "out", "--to", "sgf") == 2
    assert capsys.readouterr().err == f"wei7core: out: {os.strerror(errno.ENOSPC)}\n"
    assert names(folder / "out") == []


def test_failures_to_write_name_the_target(folder, capsys):
    (folder / "a.sgf").write_bytes(b"(;SZ[5])")
    assert run("a.sgf", "none/out", "--to", "wei7") == 2
    assert run("a.sgf", "none/out.wei7") == 2
    messages = ["wei7core: none/out: No such file or directory", "wei7core: none/out.wei7: No such file or directory"]
    assert capsys.readouterr().err.splitlines() == messages


def test_a_failure_in_the_middle_leaves_no_traces(folder, monkeypatch):
    (folder / "many.jsonl").write_bytes(GAME + b"\n" + GAME)
    calls = []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return b"(;)", []

    monkeypatch.setattr("wei7core.cli.convert.encode_record", interrupted)
    assert run("many.jsonl", "out" + os.sep, "--to", "wei7-rev2") == 130
    assert names(folder) == ["many.jsonl"]


def test_the_suffix_tells_the_format():
    assert [format_of(name) for name in ("a.SGF", "a.wei7", "b.jsonl", "c", "-")] == [
        "sgf",
        "wei7",
        "wei7",
        None,
        None,
    ]


@pytest.mark.parametrize("target", ["out.txt", "out.wei7", "out.sgf.bak"])
@pytest.mark.parametrize("format", ["sgf", "giseong", "wei7", "wei7-2.2"])
def test_a_format_that_is_named_rules_over_the_suffix(folder, target, format):
    (folder / "a.sgf").write_bytes(b"(;SZ[19];B[aa])")
    assert run("a.sgf", target, "--to", format) == 0
    assert w7.loads((folder / target).read_bytes()).format == format
    (folder / "many.sgf").write_bytes(b"(;SZ[19];B[aa])(;SZ[19];B[bb])")
    assert run("many.sgf", "many.txt", "--to", format) == (0 if format in ("sgf", "wei7") else 2)


def test_records_that_a_format_cannot_hold_count_as_errors(folder, capsys):
    (folder / "a.sgf").write_bytes(b"(;SZ[9];B[aa])(;SZ[19];B[aa])")
    assert run("a.sgf", "out/", "--to", "giseong") == 1
    assert "2 records, 1 record written, 1 record with an error;" in capsys.readouterr().err
