"""`wei7core check`: what it prints, writes, draws, puts aside and returns."""

import csv
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

import numpy as np
import pytest
from samples.checking_cases import CASES, GAME, GAMES, KO, MOVES, sgf, step, wei7

from wei7core.checking.check import check
from wei7core.checking.codes import CODES, GROUPS
from wei7core.cli import main as cli
from wei7core.limits import DEFAULT_LIMITS
from wei7core.rules import Rules
from wei7core.tables.columns import Column

COLUMNS = "code,severity,source,record,id,branch,move_number,color,x,y,offset,line,column,path,message"
RETAKEN = sgf(f"{KO} Bcb", head="GN[ko game]")
OCCUPIED = sgf(f"{MOVES} Wbb")
BROKEN = GAME[:-1]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys):
    def call(*args):
        status = cli.main(["check", *map(str, args)])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def process(*args, **options):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), PYTHONUTF8="0")
    command = [sys.executable, "-m", "wei7core", "check", *map(str, args)]
    return subprocess.run(command, capture_output=True, check=False, env=environment, timeout=600, **options)


def test_large_inputs_are_replayed_in_advance(folder, run, monkeypatch):
    (folder / "a.sgf").write_bytes(OCCUPIED * 20)
    plain = run("a.sgf", "-q")
    asked = []

    def prefetch(found):
        asked.append(found)

    monkeypatch.setattr("wei7core.checking.check.Check.prefetch", prefetch)
    run("a.sgf", "-q")
    assert asked == []
    monkeypatch.setattr("wei7core.cli.check.LEAST_BYTES", 1)
    run("a.sgf", "-q")
    assert len(asked) == 1
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    monkeypatch.setattr("wei7core.cli.check.LEAST_BYTES", 1)
    assert run("a.sgf", "-q") == plain


def test_clean_records_are_no_finding(folder, run):
    (folder / "a.sgf").write_bytes(GAME)
    status, out, err = run("a.sgf")
    assert (status, out) == (0, "")
    assert re.fullmatch(r"1 record, no findings, [\d.]+ s, [\d,]+ records a second\n", err)


def test_a_line_for_each_finding_and_counts_at_the_end(folder, run):
    (folder / "a.sgf").write_bytes(GAME)
    (folder / "many.sgf").write_bytes(GAME + OCCUPIED + RETAKEN)
    status, out, err = run("a.sgf", "many.sgf", "--rules", "japanese")
    assert status == 1
    at = len(GAME) + OCCUPIED.index(b"[bb])") + 1
    later = len(GAME) + len(OCCUPIED) + RETAKEN.rindex(b"cb")
    assert out.splitlines() == [
        f"many.sgf#1:1:{at + 1}: error: move 4, white (1, 1), is on an occupied point, "
        "whose stone it replaces [move-occupied] -;4.W",
        f"many.sgf#2:1:{later + 1}: error: move 9, black (2, 1), is an immediate ko recapture: "
        "it restores the position after move 7 [ko-recapture] -;9.B",
        "many.sgf:1:1: warning: the bytes equal those of record 0 of a.sgf [duplicate-bytes] $",
    ]
    lines = err.splitlines()
    assert lines[0].startswith("4 records, 2 findings in 2 records, 1 finding between records, ")
    assert sorted(lines[1:]) == [
        f"       1  duplicate-bytes  {CODES['duplicate-bytes'].summary}",
        f"       1  ko-recapture     {CODES['ko-recapture'].summary}",
        f"       1  move-occupied    {CODES['move-occupied'].summary}",
    ]


def test_findings_between_records_are_in_none_of_them(folder, run):
    (folder / "all.sgf").write_bytes(GAME * 3)
    _, _, err = run("all.sgf", "--select", "games")
    assert err.startswith("3 records, 2 findings between records, ")
    assert run("all.sgf", "--select", "move-occupied")[2].startswith("3 records, no findings, ")


def test_codes_and_severities_are_a_choice(folder, run):
    (folder / "a.sgf").write_bytes(OCCUPIED + RETAKEN + sgf("Bcc W Bbb", result=""))
    assert [line.split("[")[-1].split("]")[0] for line in run("a.sgf")[1].splitlines()] == [
        "move-occupied",
        "result-missing",
    ]
    assert "pass-early" in run("a.sgf", "--severity", "info")[1]
    assert run("a.sgf", "--select", "pass-early,superko", "-q")[1].count("\n") == 1
    status, out, err = run("a.sgf", "--ignore", "moves", "--severity", "error", "-q")
    assert (status, out, err) == (0, "", "")


def test_rules_are_those_of_the_record_unless_others_are_named(folder, run):
    (folder / "a.sgf").write_bytes(RETAKEN.replace(b"GM[1]", b"GM[1]RU[Japanese]"))
    assert "[ko-recapture]" in run("a.sgf")[1]
    assert run("a.sgf", "--rules", "permissive")[:2] == (0, "")
    assert "[superko-situational]" in run("a.sgf", "--rules", "aga")[1]


def test_rows_are_as_documented(folder, run):
    (folder / "many.sgf").write_bytes(GAME + RETAKEN)
    assert run("many.sgf", "--rules", "japanese", "-o", "out.csv", "-q") == (1, "", "")
    text = (folder / "out.csv").read_text()
    assert text.splitlines()[0] == COLUMNS
    (row,) = csv.DictReader(io.StringIO(text))
    offset = len(GAME) + RETAKEN.rindex(b"cb")
    assert row == {
        "code": "ko-recapture",
        "severity": "error",
        "source": "many.sgf",
        "record": "1",
        "id": "ko game",
        "branch": "-",
        "move_number": "9",
        "color": "1",
        "x": "2",
        "y": "1",
        "offset": str(offset),
        "line": "1",
        "column": str(offset + 1),
        "path": "-;9.B",
        "message": "move 9, black (2, 1), is an immediate ko recapture: it restores the position after move 7",
    }
    assert run("many.sgf", "--rules", "japanese", "--format", "csv", "-q")[1] == text


def test_rows_of_json_have_evidence(folder, run):
    (folder / "many.sgf").write_bytes(GAME + RETAKEN + sgf(MOVES, result=""))
    assert run("many.sgf", "--rules", "japanese", "-o", "out.jsonl", "-q")[0] == 1
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert list(rows[0]) == [*COLUMNS.split(","), "evidence"]
    assert json.loads(rows[0]["evidence"]) == {"repeats_move": 7}
    assert [rows[1][name] for name in ("code", "branch", "move_number", "x", "evidence")] == [
        "result-missing",
        None,
        None,
        None,
        "{}",
    ]
    assert run("many.sgf", "--rules", "japanese", "--format", "jsonl", "-q")[1] == (folder / "out.jsonl").read_text()


def test_rows_as_arrays_and_parquet(folder, run):
    (folder / "many.sgf").write_bytes(GAME + RETAKEN)
    run("many.sgf", "--rules", "japanese", "-o", "out.npz")
    with np.load(folder / "out.npz") as arrays:
        assert arrays["move_number"].tolist() == [9]
        assert arrays["code_bytes"].tobytes() == b"ko-recapture"
        assert arrays["evidence_bytes"].tobytes() == b'{"repeats_move": 7}'
    parquet = pytest.importorskip("pyarrow.parquet")
    run("many.sgf", "--rules", "japanese", "-o", "out.parquet")
    (row,) = parquet.read_table(folder / "out.parquet").to_pylist()
    assert (row["code"], row["x"], row["y"], row["evidence"]) == ("ko-recapture", 2, 1, '{"repeats_move": 7}')


def test_findings_in_a_file_and_from_the_library_are_the_same_with_any_number_of_threads(folder, run):
    (folder / "in").mkdir()
    for number, case in enumerate(CASES):
        (folder / "in" / f"{number:03}.{'wei7' if case.offending[:1] == b'{' else 'sgf'}").write_bytes(case.offending)
    assert run("in", "-o", "one.jsonl", "--severity", "info", "-q")[0] == 1
    assert run("in", "-o", "two.jsonl", "--severity", "info", "-q", "--jobs", "2")[0] == 1
    assert (folder / "one.jsonl").read_bytes() == (folder / "two.jsonl").read_bytes()
    rows = [json.loads(line) for line in (folder / "one.jsonl").read_text().splitlines()]
    found = list(check(["in"], severity="info"))
    assert [row["message"] for row in rows] == [finding.message for finding in found]
    assert len(rows) > len(CASES) // 2


# --- pictures


def test_a_picture_of_the_position(folder, run):
    (folder / "a.sgf").write_bytes(RETAKEN)
    out = run("a.sgf", "--rules", "japanese", "--show", "-q")[1]
    assert out.split("\n", 1)[1] == (
        "    before move 9, Black C4; move 8 was White B4:\n"
        "      A B C D E\n"
        "    5 . X O . . 5\n"
        "    4 X O(.)O . 4\n"
        "    3 . X O . . 3\n"
        "    2 . . . . . 2\n"
        "    1 . . . . . 1\n"
        "      A B C D E\n"
        "\n"
    )


def is_drawn(case):
    is_usual = case.limits == DEFAULT_LIMITS and not isinstance(case.rules, Rules)
    return is_usual and CODES[case.code].group != "file" and case.code != "board-size-unsupported"


@pytest.mark.parametrize("case", list(filter(is_drawn, CASES)), ids=lambda case: case.code)
def test_a_picture_of_every_kind_of_finding(folder, run, case):
    (folder / "a.sgf").write_bytes(case.offending)
    rules = [] if case.rules is None else ["--rules", case.rules]
    _, out, _ = run("a.sgf", "--show", "--severity", "info", "--select", case.code, *rules)
    line, caption, *_ = out.splitlines()
    assert f"[{case.code}]" in line
    if case.move is not None:
        start = f"before move {case.move}" if case.code != "setup-mid-game" else f"after move {case.move}"
    else:
        start = "at the start" if CODES[case.code].group == "header" else "after move"
    assert caption.startswith(f"    {start}")


def test_a_picture_where_a_move_cannot_be_played(folder, run):
    (folder / "a.sgf").write_bytes(OCCUPIED)
    out = run("a.sgf", "--show")[1]
    assert "before move 4, White B4; move 3 was Black B4:" in out
    assert "4 .(X)O . . 4" in out


def test_a_picture_on_a_branch_and_of_stones_put_by_hand(folder, run):
    (folder / "a.sgf").write_bytes(b"(;SZ[5]KM[6.5]RE[B+R];B[cc];W[cb](;B[bb])(;B[aa];W[ab];AE[cc];W[ac];B[cb]))")
    out = run("a.sgf", "--show")[1]
    assert "[setup-mid-game]" in out and "[move-occupied]" in out
    assert "after move 4:\n" in out
    assert "before move 6, Black C4; move 5 was White A3:" in out
    assert out.count("3 . .(X). . 3") == 1


def test_a_board_too_large_for_a_picture_has_none(folder, run):
    (folder / "a.wei7").write_bytes(wei7([step(1, 0, 0), step(2, 0, 0)]).replace(b'"size":5,', b'"size":53,'))
    status, out, _ = run("a.wei7", "--show", "--select", "move-occupied")
    assert (status, out.count("\n")) == (1, 1)


# --- codes in words


@pytest.mark.parametrize("code", CODES)
def test_explain_prints_all_of_a_code(run, code):
    status, out, err = run("--explain", code)
    assert (status, err) == (0, "")
    words = " ".join(out.split())
    for text in (code, CODES[code].meaning, CODES[code].why, CODES[code].causes, CODES[code].severity):
        assert " ".join(text.split()) in words
    assert max(map(len, out.splitlines())) <= 80 or "`" in out


def test_explain_lists_codes(run):
    _, out, _ = run("--explain", "all")
    assert [line.split(":")[0] for line in out.splitlines() if line and line[0] != " "][:-1] == list(GROUPS)
    assert re.findall(r"^  (\S+)", out, re.MULTILINE) == list(CODES)
    assert re.findall(r"^  (\S+)", run("--explain", "superko")[1], re.MULTILINE) == [
        "superko-positional",
        "superko-situational",
        "superko-natural",
    ]


# --- wrong usage and interruptions


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "PATH"),
        (["nothing.sgf"], "nothing.sgf: no such file or folder"),
        (["a.sgf", "--select", "ko-retake"], "did you mean"),
        (["a.sgf", "--ignore", "all"], "excludes every finding"),
        (["a.sgf", "--severity", "fatal"], "invalid choice"),
        (["a.sgf", "--rules", "chess"], "unknown rule set 'chess'"),
        (["a.sgf", "--explain", "nonesuch"], "'nonesuch' is neither a code"),
        (["a.sgf", "-o", "a.txt"], "unsupported output format"),
        (["a.sgf", "-o", "out.csv", "--format", "csv"], "--format is for standard output"),
        (["a.sgf", "-o", "out.csv", "--show"], "--show"),
        (["a.sgf", "--format", "csv", "--show"], "--show"),
        (["a.sgf", "--move"], "--quarantine DIR"),
        (["a.sgf", "--quarantine", "q", "--move", "--copy"], "not allowed with"),
        (["-", "--show"], "standard input"),
        (["-", "--quarantine", "q"], "standard input"),
        (["a.sgf", "--quarantine", "a.sgf"], "a.sgf: not a folder"),
        (["a.sgf", "--quarantine", "no/such/folder"], "no/such/folder"),
        (["in", "--quarantine", "in/aside"], "in/aside: this folder is inside"),
        (["in", "--quarantine", "in"], "in: this folder is inside"),
        (["a.sgf", "--quarantine", ""], "argument --quarantine: the name is empty"),
        (["a.sgf", "--jobs", "0"], "at least 1"),
    ],
)
def test_wrong_usage_is_one_line(folder, run, args, message):
    (folder / "a.sgf").write_bytes(OCCUPIED)
    (folder / "in").mkdir()
    (folder / "in" / "a.sgf").write_bytes(OCCUPIED)
    before = sorted(folder.rglob("*"))
    status, out, err = run(*args)
    assert (status, out) == (2, "")
    assert err.startswith("wei7core: ") and err.count("\n") == 1
    assert message in err
    assert sorted(folder.rglob("*")) == before


def test_what_cannot_be_read_is_a_finding(folder, run):
    (folder / "a.zip").write_bytes(b"PK\3\4" + bytes(100))
    (folder / "b.sgf").write_bytes(BROKEN)
    (folder / "c.sgf").write_bytes(b"")
    status, out, _ = run("a.zip", "b.sgf", "c.sgf")
    assert status == 1
    assert [line.split(":")[0] + line[line.rindex("[") :].split("]")[0] for line in out.splitlines()] == [
        "a.zip[unreadable",
        "b.sgf[truncated",
        "c.sgf[unreadable",
    ]


def test_standard_input(folder):
    done = process("-", "--format", "csv", input=gzip.compress(GAME + OCCUPIED))
    assert done.returncode == 1
    assert done.stdout.decode().splitlines()[0] == COLUMNS
    assert done.stdout.decode().splitlines()[1].startswith("move-occupied,error,-,1,")
    assert done.stderr.startswith(b"2 records, 1 finding in 1 record, ")


@pytest.mark.exhaustive
def test_a_reader_that_goes_away_is_no_noise(folder):
    (folder / "many.sgf").write_bytes(OCCUPIED * 1_500)
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, "-m", "wei7core", "check", "many.sgf"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as job:
        assert job.stdout.readline().startswith(b"many.sgf")
        job.stdout.close()
        assert job.stderr.read() == b""
        assert job.wait(600) == 141


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_interrupting_leaves_nothing(folder, heeds_interrupts):
    (folder / "in").mkdir()
    for number in range(20):
        (folder / "in" / f"{number}.sgf").write_bytes(OCCUPIED * 2_000)
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = [sys.executable, "-m", "wei7core", "check", "in", "-o", "out.csv", "--quarantine", "aside"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment) as job:
        while not any(name.endswith(".part") for name in os.listdir(folder)):
            assert job.poll() is None, "it ended before it wrote"
            time.sleep(0.01)
        job.send_signal(signal.SIGINT)
        assert job.stderr.read() == b"wei7core: interrupted\n"
        assert job.wait(600) == 130
    assert sorted(os.listdir(folder)) == ["in"]


def test_names_and_texts_that_a_terminal_cannot_take(folder, run):
    (folder / "a\x1b[31m.sgf").write_bytes(sgf(MOVES, result="\x1b[2Jx"))
    _, out, err = run(folder / "a\x1b[31m.sgf")
    assert "\x1b" not in out + err
    assert "\\x1b[31m.sgf" in out


# --- records put aside (the library's part is tested by itself)


def test_records_put_aside_are_reported(folder, run):
    (folder / "in").mkdir()
    (folder / "in" / "a.sgf").write_bytes(OCCUPIED)
    (folder / "in" / "b.sgf").write_bytes(GAME)
    (folder / "in" / "many.sgf").write_bytes(GAME + RETAKEN)
    status, _, err = run(
        "in", "--rules", "japanese", "--ignore", "games", "--quarantine", "aside", "--move", "-o", "out.csv"
    )
    assert status == 1
    assert err.splitlines()[-1] == "2 records quarantined in aside, 1 file moved"
    there = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert there == [
        "aside/findings.csv",
        "aside/in/a.sgf",
        "aside/in/many-000001.sgf",
        "in/b.sgf",
        "in/many.sgf",
        "out.csv",
    ]
    assert (folder / "aside" / "findings.csv").read_bytes() == (folder / "out.csv").read_bytes()
    assert (folder / "aside" / "in" / "many-000001.sgf").read_bytes() == RETAKEN


def test_nothing_is_put_aside_where_nothing_is_found(folder, run):
    (folder / "a.zip").write_bytes(b"")
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("x.sgf", GAME)
    assert run("a.zip", "--quarantine", "aside")[0] == 0
    assert sorted(os.listdir(folder)) == ["a.zip"]


def test_what_is_reported_for_games_together(folder, run):
    (folder / "in").mkdir()
    for number, case in enumerate(GAMES):
        (folder / "in" / f"{number}.sgf").write_bytes(b"\n".join(case.offending))
    (folder / "in" / "9.sgf").write_bytes(GAMES[0].offending[0])
    (folder / "copies.sgf").write_bytes(b"\n".join(GAMES[0].offending))
    status, out, _ = run("in/6.sgf", "--select", "opening-collapse", "--quarantine", "aside", "--show")
    assert status == 1
    assert out.startswith("all games: warning: after 16 moves the positions of 120 games")
    assert not (folder / "aside").exists()
    status, out, _ = run("in", "copies.sgf", "--select", "duplicate-bytes", "--quarantine", "aside", "--show")
    assert "copies.sgf#1:" in out and "in/9.sgf:" in out
    there = {path.relative_to(folder / "aside").as_posix() for path in (folder / "aside").rglob("*.sgf")}
    assert {"in/9.sgf", "copies-000000.sgf", "copies-000001.sgf"} <= there
    assert "in/0-000000.sgf" not in there
    assert run("in", "--ignore", "games", "--format", "csv", "-q")[1].count("\n") == 1


def test_the_columns_are_those_that_are_documented():
    from wei7core.checking.finding_table import FINDING_COLUMNS

    assert ",".join(column.name for column in FINDING_COLUMNS) == COLUMNS
    assert all(isinstance(column, Column) for column in FINDING_COLUMNS)
