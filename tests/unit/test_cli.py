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
from pathlib import Path

import pytest

import wei7core
from wei7core.cli import console
from wei7core.cli.main import main

EXAMPLES = Path(__file__).parents[1] / "data" / "examples"
REV7 = EXAMPLES / "rev7"
GOOD = REV7 / "simple.wei7"
LG_CUP = REV7 / "lg-cup.wei7"


def record(steps, **members):
    return json.dumps({"format": "wei7", "version": "3.0", "size": 3, "tree": {"steps": steps}, **members})


def move(color, x, y):
    return {"action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": y}}}}


OCCUPIED = record([move(1, 0, 0), move(2, 0, 0)])


@pytest.fixture
def occupied(tmp_path):
    path = tmp_path / "occupied.wei7"
    path.write_text(OCCUPIED)
    return path


@pytest.fixture
def run(capsys):
    def call(*args):
        status = main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def process(*args, **options):
    given = {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUTF8": "0"} | options.pop("env", {})
    environment = os.environ | given
    return subprocess.run(
        [sys.executable, "-m", "wei7core", *map(str, args)],
        capture_output=True,
        check=False,
        env=environment,
        timeout=60,
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


def test_progress_is_shown_on_a_terminal_unless_it_is_to_be_quiet(run, tmp_path, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(console, "_FIRST_PROGRESS", 0.0)
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


def test_a_table_fits_a_narrow_terminal(monkeypatch, capsys, tmp_path):
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


# --- show


def test_show_draws_the_last_position_of_the_main_line(run):
    status, out, _ = run("show", LG_CUP.with_name("lg-cup-with-format.wei7"))
    assert status == 0
    assert "Black: 古力\nWhite: 李世石\nKomi: 6.5\nResult: Black wins\n" in out
    assert "Move 163: " in out and "Captured: 4 black, 3 white\n" in out
    assert out.count("(X)") + out.count("(O)") == 1


def test_show_a_move_with_its_comment(run):
    _, out, _ = run("show", LG_CUP.with_name("lg-cup-with-format.wei7"), "--move", 82)
    assert "Move 82: White M10\n" in out
    assert "(O)" in out
    assert "marks: a at D9" in out
    assert out.endswith("\n\n国手们推荐 a 位靠\n")


def test_show_counts_moves_as_they_are_made(run):
    interactive = REV7 / "interactive.wei7"
    assert "Move 7 (15 moves made): Black Q18" in run("show", interactive)[1]
    assert "Move 1: Black" in run("show", interactive, "--move", 1)[1]


def test_show_a_branch_and_its_preset_position(run):
    _, out, _ = run("show", REV7 / "tutorial.wei7", "--branch", "1", "--move", "0")
    assert "Branch 1, move 0\n" in out
    board = [line[3:-3] for line in out.splitlines() if line[:2].strip().isdigit()]
    assert [sum(line.count(letter) for line in board) for letter in "XO"] == [33, 33]
    assert "Branch 2, move 2: " in run("show", GOOD, "--branch", "2")[1]
    assert "\nMove 1: White E15\n" in run("show", GOOD, "--branch", "-")[1]


def test_show_a_branch_far_down(run, tmp_path):
    path = tmp_path / "deep.wei7"
    tree = '{"branches":[' * 1000 + "{}" + "]}" * 1000
    path.write_text(f'{{"format": "wei7", "version": "3.0", "size": 3, "tree": {tree}}}')
    assert "\nBranch ..." + ".".join("0" * 16) + " (1,000 levels down), move 0\n" in run("show", path)[1]
    assert "\nBranch 0.0.0, move 0\n" in run("show", path, "--branch", "0.0.0")[1]


def test_show_writes_a_picture(run, tmp_path):
    run("show", GOOD, "--svg", tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text().startswith("<svg ")
    assert os.listdir(tmp_path) == ["a.svg"]


def test_show_draws_with_the_options_of_pictures(run, tmp_path):
    path, picture = tmp_path / "a.sgf", tmp_path / "a.svg"
    path.write_text("(;SZ[9]AW[aa]AB[ba];B[cc];W[gg](;B[gc])(;B[cg]))")
    run("show", path, "--branch", "-", "--svg", picture, "--variations", "--numbers", 2, "--first-number", 1)
    text = picture.read_text()
    assert "Moves: 1 at G3. Not on the board: black A at G7, black B at C3." in text
    run("show", path, "--svg", picture, "--theme", "dark", "--size", 90, "--region", "A9:C7", "--coordinates", "none")
    assert 'width="90" height="90"' in picture.read_text()
    assert "<text" not in picture.read_text()
    run("show", path, "--svg", picture, "--mark", "TR:A9", "--mark", "x:B1", "--arrow", "A1:B2", "--no-last")
    assert "Marks: triangle at A9, x at B1. Arrows: A1 to B2." in picture.read_text()
    assert "Last move" not in picture.read_text()
    run("show", path, "--svg", picture, "--ladder", "A9", "--pass-alive")
    assert "Not on the board: white 1 at A8, black 2 at B8, " in picture.read_text()
    for wrong in (("--mark", "TR"), ("--arrow", "A1:B20"), ("--region", "middle"), ("--ladder", "E5")):
        status, out, err = run("show", path, "--svg", picture, *wrong)
        assert (status, out) == (2, "")
        assert err.startswith("wei7core: ") and err.count("\n") == 1


def test_show_draws_lines_and_stones_for_a_terminal(run, tmp_path, monkeypatch):
    path = tmp_path / "a.sgf"
    path.write_text("(;SZ[3];B[aa];W[bb]TR[cc])")
    _, out, _ = run("show", path, "--terminal")
    assert out.splitlines()[:5] == ["   A B C", "3  ● ┬ ┐  3", "2  ├(○)┤  2", "1  └ ┴ ▲  1", "   A B C"]
    assert "\x1b" not in out
    monkeypatch.setattr("wei7core.cli.main.has_colors", lambda _: True)
    _, colored, _ = run("show", path, "--terminal", "--no-last")
    assert colored.count("\x1b[0m") == 3


def test_show_writes_a_png_where_the_renderer_is(run, tmp_path, monkeypatch):
    assert run("show", GOOD, "--png", tmp_path / "a.svg")[0] == 2
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "resvg_py", None)
        status, out, err = run("show", GOOD, "--png", tmp_path / "a.png")
    assert (status, out) == (2, "")
    assert err == "wei7core: a PNG needs the extra png: pip install 'wei7core[png]'\n"
    pytest.importorskip("resvg_py", reason="the renderer of the extra png is not installed")
    run("show", GOOD, "--png", tmp_path / "a.png", "--size", 100)
    data = (tmp_path / "a.png").read_bytes()
    assert data.startswith(b"\x89PNG") and data[16:24] == bytes([0, 0, 0, 100] * 2)


def test_show_writes_a_viewer(run, tmp_path):
    assert run("show", GOOD, "--html", tmp_path / "a.html", "--theme", "dark")[0] == 0
    assert (tmp_path / "a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert run("show", GOOD, "--html", tmp_path / "a.svg")[0] == 2


def test_solve_takes_moves_from_standard_input(run, tmp_path, monkeypatch):
    path = tmp_path / "a.sgf"
    path.write_text("(;SZ[5];B[aa];W[bb];B[cc])")
    monkeypatch.setattr("sys.stdin", io.StringIO("A5\nC3\n"))
    status, out, err = run("solve", path)
    assert (status, err) == (0, "")
    assert "Right so far. White plays B4." in out and "Right: the problem is solved." in out
    monkeypatch.setattr("sys.stdin", io.StringIO("E1\n"))
    assert run("solve", path)[0] == 1
    assert run("solve", path, "--branch", "7")[0] == 2
    assert run("solve", "-")[0] == 2


def test_show_a_record_of_many(run, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(record([]) + "\n" + record([move(1, 2, 0)]) + "\n")
    assert "Move 1: Black C3" in run("show", path, "--record", 1)[1]
    assert run("show", path, "--record", 2) == (
        2,
        "",
        f"wei7core: {path}: record 2 is out of range (the file has 2 records)\n",
    )


def test_show_what_can_be_shown_of_a_bad_record(run, occupied):
    status, out, err = run("show", occupied)
    assert status == 1
    assert "Move 1: Black A3" in out
    assert "is on an occupied point" in err


def test_show_nothing_where_there_is_no_record(run, tmp_path):
    path = tmp_path / "a.wei7"
    path.write_text("<wei7/>")
    status, out, err = run("show", path)
    assert (status, out) == (1, "")
    assert err.startswith(f"{path}:1:1: error: wei7 lacks the required element 'size'") and err.count("\n") == 1
    path.write_text("nonsense")
    status, out, err = run("show", path)
    assert (status, out) == (1, "")
    assert err.startswith(f"{path}:1:1: error: the text is not JSON") and err.count("\n") == 1


# --- SGF


SGF = "(;GM[1]FF[4]SZ[9]GN[one \\] two]PB[黑];B[aa]C[first];W[bb])\n(;GM[1]FF[4]SZ[5]\n;B[cc];W[zz])\n"


@pytest.fixture
def collection(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text(SGF, encoding="utf-8")
    return path


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


def test_show_shapes_in_words_and_labels_of_any_length(run, tmp_path):
    path = tmp_path / "a.sgf"
    labels = "[aa:a long one][bb:12][cc:\n][dd:围棋围棋][ee:x\x1b]"
    path.write_text(f"(;CA[UTF-8]SZ[9]TR[aa]CR[ba]SQ[ca]MA[da]SL[ea]LB{labels})", encoding="utf-8")
    status, out, _ = run("show", path, "--svg", tmp_path / "a.svg")
    assert status == 0
    (line,) = (line for line in out.splitlines() if line.startswith("marks: "))
    shapes = "triangle at A9, circle at B9, square at C9, cross at D9, selected at E9"
    assert line.startswith(f"marks: {shapes}, a long one at A9, 12 at B8, ")
    assert "围棋围棋 at D6" in line and "x\\x1b at E5" in line
    picture = (tmp_path / "a.svg").read_text(encoding="utf-8")
    for symbol in ("a …", "12", "围棋…"):
        assert f">{symbol}</text>" in picture
    for shape in ('r="6.5"', 'width="12" height="12"', "l12 12m0-12l-12 12", "l7 7l-7 7l-7-7z"):
        assert shape in picture
    assert "\x1b" not in picture


def test_show_a_game_of_a_collection(run, collection):
    status, out, _ = run("show", collection, "--move", 1)
    assert status == 0
    assert "Black: 黑" in out
    assert "Move 1: Black A9" in out and out.endswith("\n\nfirst\n")
    status, out, err = run("show", collection, "--record", 1)
    assert status == 1
    assert "Move 1: Black C3" in out and "W[zz] is neither a point" in err
    assert run("show", collection, "--record", 2)[0] == 2


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
    assert "1 other file passed over" in err
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


def test_an_input_is_never_overwritten(run, tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(record([]) + "\n")
    assert run("replay", path, "-o", path)[0] == 2
    assert run("show", path, "--svg", path)[0] == 2
    assert run("expand", path, "-o", path)[0] == 2
    assert path.read_text() == record([]) + "\n"


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
def test_a_pipe_behind_a_name_is_written_to():
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
def test_a_closed_stream_is_told(closed, args, status, message):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = f'"{sys.executable}" -m wei7core {args.format(good=GOOD)} {closed}'
    done = subprocess.run(command, shell=True, capture_output=True, check=False, env=environment, timeout=60)
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


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, OSError(28, "No space left on device")])
def test_no_failure_leaves_a_part_of_a_file_or_a_traceback(run, monkeypatch, tmp_path, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr("wei7core.batch.fallback.replay_record", fail)
    monkeypatch.setattr("wei7core.batch.fallback.record_of", fail)
    monkeypatch.setattr("wei7core.batch.fallback.replay_texts", fail)
    monkeypatch.setattr("wei7core.batch.run.replay_block", fail)
    status, _, err = run("replay", GOOD, "-o", tmp_path / "rows.csv")
    assert status == (130 if error is KeyboardInterrupt else 2)
    assert err.count("\n") == 1
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name != "posix", reason="limits the size of files with a shell")
def test_a_full_disk_is_told_with_the_name_of_the_file(tmp_path):
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path), PYTHONDONTWRITEBYTECODE="1")
    command = f'ulimit -f 0; "{sys.executable}" -m wei7core replay "{GOOD}" -o rows.csv'
    done = subprocess.run(
        command, shell=True, capture_output=True, check=False, env=environment, timeout=60, cwd=tmp_path
    )
    assert (done.returncode, done.stderr.decode()) == (2, f"wei7core: rows.csv: {os.strerror(errno.EFBIG)}\n")
    assert os.listdir(tmp_path) == []


def test_a_folder_without_records_has_nothing_to_show(run, tmp_path):
    assert run("show", tmp_path) == (2, "", f"wei7core: {tmp_path}: no records found\n")


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
        job.wait(30)
        err = job.stderr.read().decode()
    assert (job.returncode, err) == (130, "wei7core: interrupted\n")
    assert os.listdir(output) == []


@pytest.mark.skipif(os.name != "posix", reason="uses head")
def test_a_reader_that_goes_away_is_no_noise(tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text((record([move(1, 0, 0)]) + "\n") * 20000)
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    command = f'"{sys.executable}" -m wei7core replay "{path}" | head -1'
    done = subprocess.run(command, shell=True, capture_output=True, check=False, env=environment, timeout=60)
    assert (done.stdout.count(b"\n"), done.stderr) == (1, b"")


def test_names_that_the_terminal_cannot_show(tmp_path):
    path = tmp_path / "围棋.wei7"
    path.write_text(OCCUPIED)
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"}  # whatever locales there are
    for command in ("replay", "validate", "show", "expand"):
        done = process(command, path, env=ascii_only)
        assert done.returncode == 1
        assert b"Traceback" not in done.stderr
    assert rb"\u56f4\u68cb.wei7" in process("replay", path, env=ascii_only).stdout


def test_control_characters_never_reach_the_terminal(run, tmp_path):
    path = tmp_path / "a\x1b[31m\n.wei7"
    path.write_text(record([move(1, 0, 0)], info={"name": "\x1b[31mred"}, **{"\x1b[2J": 1}))
    for command in ("replay", "validate", "show", "expand"):
        _, out, err = run(command, path)
        assert "\x1b" not in out + err
    assert r"a\x1b[31m\n.wei7" in run("replay", path)[1]
