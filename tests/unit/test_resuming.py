"""`--resume`: what is done is kept next to the output, not done again, and gives the same bytes."""

import json
import os
from binascii import crc32
from dataclasses import astuple
from itertools import product
from pathlib import Path

import pytest
from helpers.effort import first
from helpers.kills import make_input

from wei7core.batch import results_codec
from wei7core.batch import resume as resuming
from wei7core.batch import run as batch
from wei7core.batch import single_records as outcomes
from wei7core.batch.results import positions_columns, replay_columns
from wei7core.batch.resume import Checkpoint, ResumeError, unfinished
from wei7core.cli import convert as convert_command
from wei7core.cli import main as cli
from wei7core.cli import replay as replay_command


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(replay_command, "BATCH_RECORDS", 50)
    monkeypatch.setattr(convert_command, "_PART_RECORDS", 50)
    make_input(tmp_path, 300)
    return tmp_path


class Work:
    """Counts the records that are decoded and replayed, and interrupts after so many."""

    def __init__(self, monkeypatch):
        self.records = 0
        self.most = None
        block, lines, one = batch.replay_block, batch.replay_lines, outcomes.replay_record

        def replay_block(*arguments, **options):
            piece = block(*arguments, **options)
            self.count(piece.records)
            return piece

        def replay_record(*arguments, **options):
            self.count(1)
            return one(*arguments, **options)

        def replay_lines(*arguments, **options):
            found = lines(*arguments, **options)
            self.count(found[0].records)
            return found

        monkeypatch.setattr(batch, "replay_block", replay_block)
        monkeypatch.setattr(batch, "replay_lines", replay_lines)
        monkeypatch.setattr(outcomes, "replay_record", replay_record)

    def count(self, records):
        self.records += records
        if self.most is not None and self.records > self.most:
            raise KeyboardInterrupt


@pytest.fixture
def work(monkeypatch):
    return Work(monkeypatch)


def interrupted(work, most, *arguments):
    work.records, work.most = 0, most
    assert cli.main([*arguments, "--resume"]) == 130
    work.records, work.most = 0, None


@pytest.mark.parametrize("kind", first(1, ["csv", "jsonl", "npz"]))
def test_a_replay_resumes_from_what_is_kept(folder, work, kind, capsys):
    arguments = ["replay", "in.jsonl", "--board", "--positions", f"p.{kind}", "-o", f"o.{kind}"]
    assert cli.main(arguments) == 1
    whole = [Path(name).read_bytes() for name in (f"o.{kind}", f"p.{kind}")]
    summary = capsys.readouterr().err.split(" s,")[0].rpartition(",")[0]
    all_records = work.records
    os.unlink(f"o.{kind}")
    os.unlink(f"p.{kind}")
    interrupted(work, all_records * 3 // 4, *arguments)
    assert not os.path.exists(f"o.{kind}")
    assert len(os.listdir(f"o.{kind}.unfinished")) >= 4
    capsys.readouterr()
    assert cli.main([*arguments, "--resume"]) == 1
    assert work.records < all_records // 2
    assert [Path(name).read_bytes() for name in (f"o.{kind}", f"p.{kind}")] == whole
    assert capsys.readouterr().err.split(" s,")[0].rpartition(",")[0] == summary
    assert sorted(os.listdir()) == sorted(["in.jsonl", f"o.{kind}", f"p.{kind}"])


@pytest.mark.exhaustive
def test_groups_of_parquet_are_the_same(folder, work):
    pytest.importorskip("pyarrow")
    arguments = ["replay", "in.jsonl", "-q", "-o", "o.parquet"]
    cli.main(arguments)
    whole = Path("o.parquet").read_bytes()
    interrupted(work, 200, *arguments)
    assert cli.main([*arguments, "--resume", "--jobs", "2"]) == 1
    assert Path("o.parquet").read_bytes() == whole


@pytest.mark.exhaustive
def test_ranges_of_large_files_are_not_even_read_again(folder, work, monkeypatch):
    text = Path("in.jsonl").read_bytes()
    Path("large.jsonl").write_bytes(text * (2 + (1 << 24) // len(text)))
    Path("small.sgf").write_bytes(b"(;GM[1]SZ[9];B[aa])" * 3)
    arguments = ["replay", "small.sgf", "large.jsonl", "small.sgf", "-q", "-o", "o.csv"]
    monkeypatch.setattr(replay_command, "BATCH_RECORDS", 2000)
    cli.main(arguments)
    whole = Path("o.csv").read_bytes()
    records = whole.count(b"\n") - 1
    interrupted(work, records * 3 // 4, *arguments)
    assert cli.main([*arguments, "--resume"]) == 1
    assert work.records < records * 2 // 3
    assert Path("o.csv").read_bytes() == whole


@pytest.mark.exhaustive
@pytest.mark.parametrize("target", ["o.sgf", "new", "there"])
def test_a_conversion_resumes_from_what_is_kept(folder, work, target, capsys):
    if target == "there":
        os.mkdir("there")
        Path("there", "other.txt").write_text("stays")
    make_input(folder, 700)
    arguments = ["convert", "in.jsonl", target, "--to", "sgf", "--losses", "l.csv"]
    interrupted(work, 600, *arguments)
    reported = capsys.readouterr().err
    assert cli.main([*arguments, "--resume"]) == 1
    assert 0 < work.records <= 200
    reported += capsys.readouterr().err
    found = content(target), Path("l.csv").read_bytes()
    assert cli.main(arguments) == 1
    assert (content(target), Path("l.csv").read_bytes()) == found
    everything = capsys.readouterr().err.splitlines()
    assert everything[-1] == reported.splitlines()[-1], "the same summary"
    replaced = set() if target == "o.sgf" else {f"{target}: 700 files of the same name replaced"}
    assert set(everything) - set(reported.splitlines()) == replaced
    assert [name for name in os.listdir() if "unfinished" in name or name.startswith(".")] == []


NAME = "棋手 {} 先生"
SGF = "(;GM[1]SZ[9]PB[{}];B[aa];W[bb])\n"


def killed_after(monkeypatch, parts):
    """Interrupt a run after so many parts; None: do not."""
    add = Checkpoint.add

    def added(self, data):
        add(self, data)
        if len(self) == parts:
            raise KeyboardInterrupt

    monkeypatch.setattr(Checkpoint, "add", added)
    return lambda: monkeypatch.setattr(Checkpoint, "add", add)


@pytest.mark.parametrize("target", ["o.jsonl", "o.sgf"])
def test_parts_end_between_runs_of_plain_records(folder, monkeypatch, target):
    games = [SGF.format(k).encode() for k in range(300)]
    games[70:70] = [SGF.format(NAME.format(1)).encode("gb18030")]
    games[290:290] = [SGF.format(NAME.format(2)).encode("big5")]
    Path("in.sgf").write_bytes(b"".join(games))
    arguments = ["convert", "in.sgf", target, "--losses", "l.csv"]
    assert cli.main(arguments) == 0
    whole = Path(target).read_bytes(), Path("l.csv").read_bytes()
    os.unlink(target)
    monkeypatch.setattr("wei7core.cli.convert_plain._AT_ONCE", 60)
    again = killed_after(monkeypatch, 3)
    assert cli.main([*arguments, "--resume"]) == 130
    again()
    assert cli.main([*arguments, "--resume"]) == 0
    assert (Path(target).read_bytes(), Path("l.csv").read_bytes()) == whole
    assert b"gb18030" in whole[1].splitlines()[-1], "the last problem names the different encodings of the two records"


def test_a_strict_conversion_does_not_go_on_from_another_one(folder, monkeypatch, capsys):
    arguments = ["convert", "in.jsonl", "o.sgf", "--to", "sgf"]
    again = killed_after(monkeypatch, 2)
    assert cli.main([*arguments, "--resume"]) == 130
    again()
    assert cli.main([*arguments, "--resume", "--strict"]) == 2
    assert "options" in capsys.readouterr().err


def content(target):
    path = Path(target)
    return {file.name: file.read_bytes() for file in path.iterdir()} if path.is_dir() else path.read_bytes()


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda arguments: Path("in.jsonl").write_bytes(Path("in.jsonl").read_bytes() + b"\n"), "inputs"),
        (lambda arguments: os.utime("in.jsonl", (1, 1)), "inputs"),
        (lambda arguments: arguments.append("--strict"), "options"),
        (lambda arguments: arguments.append("--board"), "options"),
        (lambda arguments: Path("o.csv.unfinished/run.json").write_text("{"), "version, layout, options, inputs"),
    ],
)
def test_another_run_is_refused_in_one_line(folder, work, capsys, change, message):
    arguments = ["replay", "in.jsonl", "-q", "-o", "o.csv"]
    interrupted(work, 200, *arguments)
    capsys.readouterr()
    change(arguments)
    assert cli.main([*arguments, "--resume"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("wei7core: o.csv: ") and f"belongs to a different run ({message})" in line
    assert cli.main(arguments) in (0, 1), "without --resume it is made anew"
    assert sorted(os.listdir()) == ["in.jsonl", "o.csv"]


@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        (results_codec, ["replay", "in.jsonl", "-q", "-o", "o.csv"]),
        (convert_command, ["convert", "in.jsonl", "-q", "o.sgf"]),
    ],
    ids=["replay", "convert"],
)
def test_parts_of_another_layout_are_refused_in_one_line(folder, work, capsys, monkeypatch, module, arguments):
    interrupted(work, 200, *arguments)
    capsys.readouterr()
    monkeypatch.setattr(module, "_FORM", 0)
    assert cli.main([*arguments, "--resume"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"wei7core: {arguments[-1]}: ") and "belongs to a different run (layout)" in line


def test_the_layout_of_a_replay_has_every_column():
    _, tables = results_codec._layout()
    columns_there = {tuple(column) for columns in tables for column in columns}
    for board, metadata, canonical in product([False, True], repeat=3):
        for column in (*replay_columns(board, metadata), *positions_columns(canonical, metadata)):
            assert astuple(column) in columns_there
    assert json.loads(json.dumps(results_codec._layout())) == json.loads(json.dumps([1, tables]))


def test_a_damaged_part_is_reported(folder, work, capsys):
    arguments = ["replay", "in.jsonl", "-q", "-o", "o.csv"]
    interrupted(work, 200, *arguments)
    capsys.readouterr()
    part = Path("o.csv.unfinished/part-000001")
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    assert cli.main([*arguments, "--resume"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "part-000001: this part is damaged" in line


def test_a_part_of_something_else_is_reported(folder, work, capsys):
    arguments = ["replay", "in.jsonl", "-q", "-o", "o.csv"]
    interrupted(work, 200, *arguments)
    capsys.readouterr()
    other = b"not what a replay keeps"
    Path("o.csv.unfinished/part-000000").write_bytes(b"%08x\n" % crc32(other) + other)
    assert cli.main([*arguments, "--resume"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "a part of the unfinished run cannot be read" in line


def test_a_part_that_was_being_written_goes_with_the_others(folder, work):
    arguments = ["replay", "in.jsonl", "-q", "-o", "o.csv"]
    interrupted(work, 200, *arguments)
    Path("o.csv.unfinished/.wei7core-00000000-0.part").write_bytes(b"half")
    assert cli.main([*arguments, "--resume"]) in (0, 1)
    assert not Path("o.csv.unfinished").exists() and Path("o.csv").exists()


def test_files_of_folders_that_change_are_seen(folder, work, capsys):
    os.mkdir("in")
    for number in range(3):
        Path("in", f"{number}.sgf").write_bytes(b"(;GM[1];B[aa])" * 60)
    arguments = ["replay", "in", "-q", "-o", "o.csv"]
    interrupted(work, 100, *arguments)
    Path("in", "notes.txt").write_text("are not read")
    before = resuming.inputs_of(["in"])
    Path("in", "3.sgf").write_bytes(b"(;GM[1])")
    assert resuming.inputs_of(["in"]) != before
    assert cli.main([*arguments, "--resume"]) == 2
    os.rename("in/3.sgf", "in/record.dat")  # which is read for its content
    assert resuming.inputs_of(["in"]) != before
    assert cli.main([*arguments, "--resume"]) == 2
    os.unlink("in/record.dat")
    assert cli.main([*arguments, "--resume"]) == 0


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["replay", "in.jsonl", "--resume"], "--resume requires -o FILE"),
        (["replay", "in.jsonl", "--resume", "-o", "/dev/null"], "--resume requires -o FILE"),
        (["replay", "-", "--resume", "-o", "o.csv"], "cannot be read again"),
        (["convert", "in.jsonl", "-", "--to", "sgf", "--resume"], "requires a file or a folder"),
        (["convert", "-", "o.sgf", "--resume"], "cannot be read again"),
        (["replay", "in.jsonl", "--resume", "-o", "none/o.csv"], "none/o.csv: No such file or directory"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="names a device")
def test_what_cannot_be_resumed_is_refused(folder, capsys, arguments, message):
    assert cli.main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert os.listdir() == ["in.jsonl"]


@pytest.mark.skipif(os.name != "posix", reason="locks files")
def test_one_run_to_an_output_at_a_time(tmp_path):
    target = str(tmp_path / "o.csv")
    with unfinished(target, {"options": 1}) as kept:
        kept.add(b"one")
        with pytest.raises(ResumeError, match="another run is writing"), unfinished(target, {"options": 1}):
            pass
        resuming.discard(target)
        assert list(kept) == [b"one"]
    with unfinished(target, {"options": 1}) as kept:
        assert list(kept) == [b"one"]
        kept.remove()
    assert os.listdir(tmp_path) == []


def test_parts_of_which_nothing_is_known_are_no_parts(tmp_path):
    """A run that is killed while it removes its parts leaves no others than those of a beginning."""
    target = str(tmp_path / "o.csv")
    with unfinished(target, {"options": 1}) as kept:
        for data in (b"one", b"two"):
            kept.add(data)
    os.unlink(tmp_path / "o.csv.unfinished" / "run.json")
    with unfinished(target, {"options": 2}) as kept:
        assert len(kept) == 0


def test_a_removal_that_is_broken_off_leaves_a_beginning(tmp_path, monkeypatch):
    target = str(tmp_path / "o.csv")
    with unfinished(target, {}) as kept:
        for data in (b"one", b"two", b"three"):
            kept.add(data)
        unlink = os.unlink

        def once(path):
            unlink(path)
            raise KeyboardInterrupt

        monkeypatch.setattr(resuming.os, "unlink", once)
        with pytest.raises(KeyboardInterrupt):
            kept.remove()
        monkeypatch.undo()
    with unfinished(target, {}) as kept:
        assert isinstance(kept, Checkpoint) and list(kept) == [b"one", b"two"]
