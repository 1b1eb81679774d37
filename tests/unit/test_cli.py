"""The command line: what it prints, writes and returns, in process and as a process of its own."""

import csv
import errno
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
import zipfile

import pytest
from helpers.command_inputs import EXAMPLES, GOOD, LG_CUP, OCCUPIED, REV7, SGF, move, record
from helpers.effort import first

import wei7core
from wei7core.cli import progress
from wei7core.cli.main import _COMMANDS as COMMANDS
from wei7core.cli.main import main


def process(*args, **options):
    given = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUTF8": "0"} | options.pop("env", {})
    environment = os.environ | given
    return subprocess.run(
        [sys.executable, "-m", "wei7core", *map(str, args)],
        capture_output=True,
        check=False,
        env=environment,
        timeout=600,
        **options,
    )


# --- replay


def test_replay_prints_a_table(run, occupied):
    status, out, err = run("replay", GOOD, occupied, LG_CUP)
    lines = out.splitlines()
    assert status == 1
    assert lines[0].split() == [
        "record",
        "size",
        "moves",
        "passes",
        "takebacks",
        "B",
        "lost",
        "W",
        "lost",
        "hash",
        "result",
    ]
    assert re.fullmatch(rf"{re.escape(str(GOOD))} +19x19 +5 +2 +0 +0 +0  [0-9a-f]{{8}}  ok", lines[1])
    assert lines[2].endswith("error: move 2, white (0, 0), is on an occupied point (line 1, column 207)")
    assert lines[3].endswith("  1 problem")
    assert re.fullmatch(
        r"3 records, 169 moves, 1 record with an error, 2 problems, [\d.]+ s, [\d,]+ moves a second\n"
        r"not replayed to their end: 1 move-occupied\n"
        r"errors among the problems of all records: 1 missing-member, 1 move-occupied\n",
        err,
    )


def test_quiet_says_nothing_beyond_the_results(run, occupied, tmp_path):
    assert run("replay", occupied, "-q", "-o", tmp_path / "a.csv") == (1, "", "")
    assert run("validate", occupied, "--quiet", "-o", tmp_path / "b.csv") == (1, "", "")
    _, out, err = run("replay", "-q", GOOD)
    assert (out.count("\n"), err) == (2, "")


def test_progress_is_shown_on_a_terminal_unless_it_is_to_be_quiet(run, no_rich, tmp_path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(progress, "_FIRST", 0.0)
    for options, count in ([], 1), (["-q"], 0):
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        run("replay", GOOD, "-o", tmp_path / "a.csv", *options)
        assert (
            len(re.findall(r"\r1 record, [\d,]+ a second, [\d,.]+ MB/s, 0:00 left\x1b\[K", terminal.getvalue()))
            == count
        )
        assert bool(terminal.getvalue()) == bool(count)


def test_a_table_keeps_its_columns_below_each_other_whatever_the_names(run, tmp_path):
    names = ["a.wei7", "围棋棋谱.wei7", "e\u0301.wei7"] + [f"{number}.wei7" for number in range(150)]
    for name in names:
        (tmp_path / name).write_text(record([]))
    _, out, _ = run("replay", tmp_path)
    lines = out.splitlines()
    assert len(lines) == len(names) + 1
    columns = {
        line.index("3x3") + len(re.findall("[\u4e00-\u9fff]", line)) - line.count("\u0301") for line in lines[1:]
    }
    assert len(columns) == 1


def test_a_table_fits_a_narrow_terminal(monkeypatch, no_rich, capsys, tmp_path):
    folder = tmp_path / "a-folder-with-a-rather-long-name"
    folder.mkdir()
    for name in ("围棋棋谱.wei7", "short.wei7"):
        (folder / name).write_text(record([]))
    (folder / "z.wei7").write_text(OCCUPIED)
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    for columns, fits in ((80, True), (60, True), (1000, False)):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert main(["replay", str(folder)]) == 1
        heading, short, bad, chinese = capsys.readouterr().out.splitlines()
        assert ("takebacks" not in heading) == fits
        assert short.startswith("...") == fits and bad.startswith("...") == fits
        assert "-name/short.wei7 " in short
        assert "occupied point (line 1, column" in bad
        assert chinese.index("3x3") == short.index("3x3") - 4
        if columns == 80:
            assert len(short.removesuffix("ok") + "9 problems") == columns
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    main(["replay", "short.wei7"])
    assert "takebacks" in capsys.readouterr().out


def test_replay_of_good_records_succeeds(run):
    assert run("replay", REV7)[0] == 0


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_replay_writes_rows(run, tmp_path, occupied, suffix):
    output = tmp_path / f"rows{suffix}"
    status, out, _ = run("replay", GOOD, occupied, "-o", output, "--board")
    assert (status, out) == (1, "")
    with open(output, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file)) if suffix == ".csv" else [json.loads(line) for line in file]
    assert [row["source"] for row in rows] == [str(GOOD), str(occupied)]
    assert [row["error"] or None for row in rows] == [None, "move-occupied"]
    assert rows[1]["board"] == "X........"
    assert sorted(os.listdir(tmp_path)) == ["occupied.wei7", output.name]


def test_rows_are_the_same_in_a_file_on_standard_output_and_in_python(run, tmp_path):
    wei7core.replay(REV7).to_csv(tmp_path / "python.csv")
    run("replay", REV7, "-o", tmp_path / "file.csv", "--jobs", 2)
    _, out, _ = run("replay", REV7, "--format", "csv")
    assert (tmp_path / "python.csv").read_text(encoding="utf-8") == out
    assert (tmp_path / "file.csv").read_text(encoding="utf-8") == out


def test_replay_writes_positions(run, tmp_path):
    status, out, _ = run("replay", GOOD, "--positions", tmp_path / "positions.jsonl", "--format", "jsonl")
    lines = [json.loads(line) for line in (tmp_path / "positions.jsonl").read_text().splitlines()]
    assert status == 0
    assert [(line["branch"], line["step"]) for line in lines][:3] == [("-", None), ("-", 0), ("0", 0)]
    assert {line["branch"] for line in lines} == {"-", "0", "1", "2"}
    last = [line for line in lines if line["branch"] == "0"][-1]
    assert last["hash"] == json.loads(out)["hash"]
    assert (len(last["board"]), last["move_number"]) == (361, 5)


def test_strict_counts_any_breach_as_an_error(run):
    assert run("replay", LG_CUP)[0] == 0
    status, out, _ = run("replay", LG_CUP, "--strict")
    assert status == 1
    assert 'error: the document lacks the required member "format"' in out


def test_the_revision_is_a_choice(run):
    simple = EXAMPLES / "rev2" / "simple.wei7"
    assert run("validate", simple)[0] == 1
    assert run("validate", simple, "--revision", 2)[0] == 0


def test_standard_input():
    done = process("replay", "-", "--format", "jsonl", input=(OCCUPIED + "\n" + record([]) + "\n").encode())
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [(row["source"], row["record"], row["moves"]) for row in rows] == [("-", 0, 1), ("-", 1, 0)]


# --- validate


def test_validate_prints_a_line_for_each_problem(run, occupied):
    status, out, err = run("validate", occupied, GOOD, LG_CUP)
    assert status == 1
    assert out.splitlines() == [
        f"{occupied}:1:207: error: move 2, white (0, 0), is on an occupied point "
        "[move-occupied, clause 9.19.6] $.tree.steps[1].action.value.point",
        f'{LG_CUP}:1:1: error: the document lacks the required member "format" [missing-member, clause 3.2] $',
    ]
    assert re.fullmatch(r"3 records, 2 errors, 0 warnings, [\d.]+ s\n", err)


def test_warnings_alone_are_no_failure(run, tmp_path):
    path = tmp_path / "a.WEI7"
    path.write_text(record([]))
    status, out, _ = run("validate", path)
    assert status == 0
    assert "warning" in out and "file-suffix-case" in out


def test_validate_numbers_the_records_of_a_file_of_lines(run, tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(record([]) + "\n[]\n")
    _, out, _ = run("validate", path)
    assert out.startswith(f"{path}#1:1:1: error: ")


def test_validate_writes_findings(run, tmp_path, occupied):
    status, out, _ = run("validate", tmp_path, "-o", tmp_path / "findings.csv")
    assert (status, out) == (1, "")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "findings.csv").read_text())))
    assert rows == [
        {
            "severity": "error",
            "code": "move-occupied",
            "clause": "9.19.6",
            "source": str(occupied),
            "record": "0",
            "offset": str(OCCUPIED.rindex('{"x"')),
            "line": "1",
            "column": "207",
            "path": "$.tree.steps[1].action.value.point",
            "message": "move 2, white (0, 0), is on an occupied point",
        }
    ]


# --- SGF


def test_replay_of_a_collection(run, collection):
    status, out, err = run("replay", collection, "--format", "csv", "--board")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert status == 1
    assert [(row["record"], row["id"], row["format"], row["width"], row["moves"]) for row in rows] == [
        ("0", "one ] two", "sgf", "9", "2"),
        ("1", "", "sgf", "5", "1"),
    ]
    assert rows[1]["error"] == "point-off-board"
    assert rows[1]["error_offset"] == str(SGF.encode().rindex(b"zz"))
    assert "2 records, 3 moves, 1 record with an error" in err


def test_validate_numbers_the_games_of_a_collection_and_counts_lines_of_the_file(run, collection):
    _, out, _ = run("validate", collection)
    (line,) = (line for line in out.splitlines() if "point-off-board" in line)
    assert line.startswith(f"{collection}#1:3:10: error: ")


def test_the_encoding_is_a_choice(run, tmp_path):
    path = tmp_path / "a.sgf"
    path.write_bytes("(;GM[1]GN[Ünïcode]SZ[9])".encode("cp1250", "replace"))
    _, out, _ = run("replay", path, "--format", "csv", "--encoding", "koi8_r")
    (row,) = csv.DictReader(io.StringIO(out))
    assert row["id"] == "Ünïcode".encode("cp1250", "replace").decode("koi8_r")
    for unknown in ("klingon", "idna", "cp037", "unicode_escape", "rot13", ""):
        assert run("replay", path, "--encoding", unknown)[0] == 2


def test_an_archive_of_everything(run, tmp_path, collection):
    path = tmp_path / "all.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(GOOD, "a/good.wei7")
        archive.writestr("b/games.sgf.gz", gzip.compress(collection.read_bytes()))
        archive.writestr("notes.txt", "nothing")
    status, out, err = run("replay", path, "--format", "csv")
    assert status == 1
    assert [(row["source"], row["record"]) for row in csv.DictReader(io.StringIO(out))] == [
        (f"{path}!/a/good.wei7", "0"),
        (f"{path}!/b/games.sgf.gz", "0"),
        (f"{path}!/b/games.sgf.gz", "1"),
    ]
    assert "1 other file skipped" in err
    assert run("show", path, "--record", 0)[0] == 0


# --- wrong usage, interruption


@pytest.mark.parametrize(
    "args",
    [
        (),
        ("play", GOOD),
        ("replay",),
        ("replay", "gone.wei7"),
        ("replay", GOOD, "--jobs", "0"),
        ("replay", GOOD, "--jobs", "two"),
        ("replay", GOOD, "--revision", "3"),
        ("replay", GOOD, "-o", "rows.xlsx"),
        ("replay", GOOD, "-o", "rows"),
        ("replay", GOOD, "-o", "gone/rows.csv"),
        ("replay", GOOD, "--positions", "positions.txt"),
        ("replay", GOOD, "-o", "same.csv", "--positions", "same.csv"),
        ("replay", GOOD, "-o", "rows.csv", "--format", "csv"),
        ("validate", "gone.wei7"),
        ("validate", GOOD, "-o", "findings.xml"),
        ("show", GOOD, "--move", "9999"),
        ("show", GOOD, "--move", "-1"),
        ("show", GOOD, "--branch", "9"),
        ("show", GOOD, "--branch", "main"),
        ("show", GOOD, "--svg", "gone/a.svg"),
        ("show", GOOD, "--svg", "-"),
        ("show", GOOD, "--svg", "a.wei7"),
        ("show", "gone.wei7"),
        ("expand",),
        ("expand", GOOD, GOOD),
        ("expand", "gone.wei7"),
        ("expand", GOOD, "--move", "9999"),
        ("expand", GOOD, "--branch", "9"),
        ("expand", GOOD, "--color", "red"),
        ("expand", GOOD, "--rules", "nippon"),
        ("expand", GOOD, "-o", "moves.txt"),
        ("expand", GOOD, "-o", "gone/moves.csv"),
        ("expand", GOOD, "--record", "1"),
    ],
)
def test_wrong_usage_is_one_line(run, monkeypatch, tmp_path, args):
    monkeypatch.chdir(tmp_path)
    status, _, err = run(*args)
    assert status == 2
    assert re.fullmatch(r"wei7core: [^\n]+\n", err)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("command", ["replay", "convert", "find"])
def test_unknown_options_are_those_of_a_command(run, command):
    for words in ((command, GOOD, GOOD, "--unknown"), (command, "--unknown", GOOD, GOOD)):
        needed = ("--position", "X") if command == "find" else ()
        status, _, err = run(*words, *needed)
        assert (status, err.endswith(f" (see wei7core {command} --help)\n")) == (2, True)
        assert err.startswith("wei7core: unrecognized arguments: ")


def test_an_input_is_never_overwritten(run, tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(record([]) + "\n")
    assert run("replay", path, "-o", path)[0] == 2
    assert run("show", path, "--svg", path)[0] == 2
    assert run("expand", path, "-o", path)[0] == 2
    assert path.read_text() == record([]) + "\n"


@pytest.mark.parametrize("option", ["--svg", "--png", "--animate", "--html"])
def test_a_picture_without_a_name_is_refused(run, option):
    status, out, err = run("show", GOOD, option, "")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"argument {option}: the name is empty" in err


def test_no_file_of_a_folder_that_is_read_is_overwritten(run, tmp_path):
    folder = tmp_path / "games"
    folder.mkdir()
    path = folder / "a.jsonl"
    path.write_text(record([]) + "\n")
    for command in ("replay", "validate"):
        status, out, err = run(command, folder, "-o", path)
        assert (status, out, err.count("\n")) == (2, "", 1)
    assert path.read_text() == record([]) + "\n"
    assert run("replay", folder, "-o", folder / "rows.csv")[0] == 0
    assert run("replay", folder, "-o", tmp_path / "games.jsonl")[0] == 0


@pytest.mark.skipif(os.name != "posix", reason="needs a device for standard output")
def test_a_pipe_after_a_name_is_written_to():
    done = process("replay", GOOD, "-o", "/dev/stdout")
    assert done.returncode == 0
    assert done.stdout.startswith(b"source,record,")


@pytest.mark.exhaustive
@pytest.mark.skipif(os.name != "posix", reason="closes descriptors with a shell")
@pytest.mark.parametrize(
    ("closed", "args", "status", "message"),
    [
        ("<&-", "replay -", 1, b"standard input is closed"),
        (">&-", "replay {good}", 2, b"wei7core: standard output is closed\n"),
        (">&-", "show {good}", 2, b"wei7core: standard output is closed\n"),
        ("2>&-", "replay {good}", 0, b"19x19"),
        ("2>&-", "replay {good}.gone", 2, b""),
    ],
)
def test_a_closed_stream_is_reported(closed, args, status, message):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = f'"{sys.executable}" -m wei7core {args.format(good=GOOD)} {closed}'
    done = subprocess.run(command, shell=True, capture_output=True, check=False, env=environment, timeout=600)
    assert done.returncode == status
    assert message in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr


def test_an_output_that_cannot_be_written_is_named_as_it_was_given(run, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for args in (("replay", GOOD, "-o", "gone/rows.csv"), ("show", GOOD, "--svg", "gone/a.svg")):
        status, _, err = run(*args)
        assert (status, err) == (2, f"wei7core: {args[-1]}: {os.strerror(errno.ENOENT)}\n")


def test_an_input_that_is_there_and_cannot_be_looked_at_has_its_row(run, monkeypatch):
    def refuse(path, *_, **__):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", refuse)
        patch.setattr(os, "open", refuse)
        status, out, _ = run("validate", "locked/a.wei7")
    assert status == 1
    assert out == "locked/a.wei7:1:1: error: cannot be read: Permission denied [file-unreadable, file] $\n"


@pytest.mark.parametrize(
    "args", [("--help",), ("replay", "--help"), ("validate", "--help"), ("show", "--help"), ("expand", "--help")]
)
def test_help(capsys, args):
    with pytest.raises(SystemExit) as stop:
        main(args)
    assert stop.value.code == 0
    assert "usage: wei7core" in capsys.readouterr().out


def test_version():
    done = process("--version")
    assert (done.returncode, done.stdout.decode().split()) == (0, ["wei7core", wei7core.__version__])


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
@pytest.mark.parametrize("args", [("--help",), ("--version",), ("replay", "--help"), ("check", "--explain", "all")])
def test_help_that_cannot_be_written_is_an_error(args):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "wei7core", *args],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path)),
            timeout=600,
        )
    assert (done.returncode, done.stderr.decode()) == (2, f"wei7core: output: {os.strerror(errno.ENOSPC)}\n")


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, OSError(28, "No space left on device")])
def test_no_failure_leaves_a_part_of_a_file_or_a_traceback(run, monkeypatch, tmp_path, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("wei7core.batch.single_records.replay_record", fail)
    monkeypatch.setattr("wei7core.batch.single_records.record_of", fail)
    monkeypatch.setattr("wei7core.batch.run.replay_block", fail)
    status, _, err = run("replay", GOOD, "-o", tmp_path / "rows.csv")
    assert status == (130 if error is KeyboardInterrupt else 2)
    assert err.count("\n") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files with a shell")
def test_a_full_disk_is_reported_with_the_name_of_the_file(tmp_path):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), PYTHONDONTWRITEBYTECODE="1")
    command = f'ulimit -f 0; "{sys.executable}" -m wei7core replay "{GOOD}" -o rows.csv'
    done = subprocess.run(
        command, shell=True, capture_output=True, check=False, env=environment, timeout=600, cwd=tmp_path
    )
    assert (done.returncode, done.stderr.decode()) == (2, f"wei7core: rows.csv: {os.strerror(errno.EFBIG)}\n")
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files with a shell")
@pytest.mark.parametrize("content", ["(;B[aa];B[aa])", "(;B[aa];B[aa])(;B[aa];B[aa])"])
def test_a_full_disk_is_reported_with_the_name_of_the_quarantine(tmp_path, content):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), PYTHONDONTWRITEBYTECODE="1")
    (tmp_path / "a.sgf").write_text(content)
    command = f'ulimit -f 0; "{sys.executable}" -m wei7core check a.sgf --quarantine aside'
    done = subprocess.run(
        command, shell=True, capture_output=True, check=False, env=environment, timeout=600, cwd=tmp_path
    )
    assert (done.returncode, done.stderr.decode()) == (2, f"wei7core: aside: {os.strerror(errno.EFBIG)}\n")
    assert os.listdir(tmp_path) == ["a.sgf"]


@pytest.mark.exhaustive
@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
@pytest.mark.parametrize("kind", ["lines", "games", "gzip", "zip"])
def test_interrupting_a_long_job_leaves_nothing(tmp_path, heeds_interrupts, kind):
    data = {
        "lines": (record([]) + "\n").encode() * 1000,
        "games": SGF.encode() * 1000,
        "gzip": gzip.compress(b"".join(b"(;GM[1]GN[%d])" % (number**9) for number in range(10_000))),
        "zip": b"PK\3\4" + bytes(100_000),
    }[kind]
    output = tmp_path / "out"
    output.mkdir()
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, "-m", "wei7core", "replay", "-", "-o", str(output / "rows.csv"), "--jobs", "2"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as job:
        job.stdin.write(data)
        job.stdin.flush()
        while not os.listdir(output):
            assert job.poll() is None, "it ended before it wrote"
            time.sleep(0.01)
        time.sleep(0.2)
        job.send_signal(signal.SIGINT)
        job.wait(600)
        err = job.stderr.read().decode()
    assert (job.returncode, err) == (130, "wei7core: interrupted\n")
    assert os.listdir(output) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="uses /dev/full")
@pytest.mark.parametrize("closing", first(1, ["2>/dev/full", "2>&-", "2> >(exec 0<&-)"]))
def test_messages_that_cannot_be_written_do_not_change_the_status(tmp_path, occupied, closing):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    for args, expected in (
        (f'replay "{GOOD}" -o a.csv', 0),
        (f'replay "{occupied}" -o b.csv', 1),
        (f'convert "{GOOD}" c.sgf', 0),
        ("replay missing.sgf", 2),
        ("replay --nonsense", 2),
        (f'replay "{GOOD}" --format csv >/dev/full', 2),
    ):
        command = ["bash", "-c", f'"{sys.executable}" -m wei7core {args} {closing}']
        done = subprocess.run(command, capture_output=True, check=False, env=environment, timeout=600, cwd=tmp_path)
        assert (args, done.returncode) == (args, expected)
    assert sorted(os.listdir(tmp_path)) == sorted(["a.csv", "b.csv", "c.sgf", os.path.basename(occupied)])


@pytest.mark.parametrize("module", ["wei7core", "wei7core._util.cpu", "wei7core.__main__", "wei7core.cli.main"])
def test_an_interrupt_while_modules_load_prints_no_traceback(module):
    code = f"""
import sys

class Interrupted:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupted())
from wei7core_command import run
run()
"""
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, env=environment, timeout=600, text=True
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == ("wei7core: interrupted\n" if module == "wei7core.cli.main" else "")


@pytest.mark.skipif(os.name != "posix", reason="uses head")
def test_a_reader_that_goes_away_is_no_noise(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text((record([move(1, 0, 0)]) + "\n") * 5_000)
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = f'"{sys.executable}" -m wei7core replay "{path}" | head -1'
    done = subprocess.run(command, shell=True, capture_output=True, check=False, env=environment, timeout=600)
    assert (done.stdout.count(b"\n"), done.stderr) == (1, b"")


@pytest.mark.parametrize("command", first(1, ["replay", "validate", "show", "expand"]))
def test_names_that_the_terminal_cannot_show(tmp_path, command):
    path = tmp_path / "围棋.wei7"
    path.write_text(OCCUPIED)
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"}  # whatever locales there are
    done = process(command, path, env=ascii_only)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert command != "replay" or rb"\u56f4\u68cb.wei7" in done.stdout


def test_control_characters_never_reach_the_terminal(run, tmp_path):
    path = tmp_path / "a\x1b[31m\n.wei7"
    path.write_text(record([move(1, 0, 0)], info={"name": "\x1b[31mred"}, **{"\x1b[2J": 1}))
    for command in ("replay", "validate", "show", "expand"):
        _, out, err = run(command, path)
        assert "\x1b" not in out + err
    assert r"a\x1b[31m\n.wei7" in run("replay", path)[1]


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *(("replay", option) for option in ("-o", "--partition=winner -o", "--positions", "--unique")),
        *(("index", "-o"), ("samples", "-o"), ("check", "--quarantine")),
    ],
)
def test_an_output_that_cannot_be_standard_output(run, tmp_path, monkeypatch, command, option):
    """It is no file or folder of that name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.sgf").write_text(SGF)
    status, out, err = run(command, "a.sgf", *option.split(), "-")
    assert (status, out, os.listdir()) == (2, "", ["a.sgf"])
    name = option.split()[-1]
    assert err == f"wei7core: argument {name}: cannot be standard output (see wei7core {command} --help)\n"


@pytest.mark.parametrize("args", [["--version"], ["--help"], *([name, "--help"] for name in COMMANDS)])
def test_help_does_without_numpy(args):
    """Its import takes as long as all the rest."""
    code = "import sys; sys.modules['numpy'] = None; from wei7core.cli.main import main; main(sys.argv[1:])"
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    done = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, check=False, env=environment, timeout=600, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
