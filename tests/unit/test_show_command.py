"""The commands `show` and `solve`: what they print and the pictures that they write."""

import io
import json
import os
import sys

import pytest
from helpers.command_inputs import GOOD, LG_CUP, REV7, move, record

from wei7core.cli.main import main


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
    values = tmp_path / "values.json"
    values.write_text(json.dumps([[1, None, *[0] * 7], *[[-1] * 9] * 8]))
    run("show", path, "--svg", picture, "--heat", values, "--no-legend", "--ownership", values, "--title", "A title")
    assert "Values of points: -1 to 1. Points owned: Black 1, White 72." in picture.read_text()
    assert "<title>A title</title>" in picture.read_text() and ">-1</text>" not in picture.read_text()
    run("show", path, "--svg", picture, "--ghost", "B:A1", "--ghost", "W:B1:c", "--line", "C1:D1", "--dim", "A2,B2")
    assert "Not on the board: black at A1, white c at B1. Lines: C1 to D1." in picture.read_text()
    assert 'fill-opacity="0.6"' in picture.read_text()
    run("show", path, "--svg", picture, "--view", "A9,B9", "--alt", "A corner.")
    assert "<desc>A corner.</desc>" in picture.read_text() and 'fill-opacity="1"' in picture.read_text()
    for wrong in (
        ("--mark", "TR"),
        ("--arrow", "A1:B20"),
        ("--region", "middle"),
        ("--ladder", "E5"),
        ("--line", "A1"),
        ("--ghost", "X:A1"),
        ("--dim", "Z99"),
        ("--heat", path),
        ("--ownership", tmp_path / "missing.json"),
    ):
        for options in (("--svg", picture), ()):
            status, out, err = run("show", path, *options, *wrong)
            assert (status, out) == (2, "")
            assert err.startswith("wei7core: ") and err.count("\n") == 1
    assert run("show", path, "--region", "A9:C7")[0] == 0


@pytest.mark.parametrize("rows", [[[1, 2], [3]], [[1], ["x"]], [1, 2], {"a": 1}, [[True]], []])
def test_files_of_values_that_are_no_rows_are_named(run, tmp_path, rows):
    path, values = tmp_path / "a.sgf", tmp_path / "values.json"
    path.write_text("(;SZ[2])")
    values.write_text(json.dumps(rows))
    status, _, err = run("show", path, "--svg", tmp_path / "a.svg", "--heat", values)
    assert (status, err) == (2, f"wei7core: {values}: expected rows of numbers or null, all of one length\n")


def test_show_draws_lines_and_stones_for_a_terminal(run, tmp_path, monkeypatch):
    path = tmp_path / "a.sgf"
    path.write_text("(;SZ[3];B[aa];W[bb]TR[cc])")
    _, out, _ = run("show", path, "--terminal")
    assert out.splitlines()[:5] == ["   A B C", "3  ● ┬ ┐  3", "2  ├(○)┤  2", "1  └ ┴ ▲  1", "   A B C"]
    assert "\x1b" not in out
    monkeypatch.setattr("wei7core.cli.show.has_colors", lambda _: True)
    _, colored, _ = run("show", path, "--terminal", "--no-last")
    assert colored.count("\x1b[0m") == 3


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_show_draws_letters_where_the_encoding_has_no_stones(run, tmp_path, monkeypatch, encoding):
    path = tmp_path / "a.sgf"
    path.write_text("(;SZ[3]AB[aa](;W[bb]C[RIGHT]))")
    written = io.BytesIO()
    for colors in (False, True):
        monkeypatch.setattr("wei7core.cli.show.has_colors", lambda _, colors=colors: colors)
        monkeypatch.setattr("sys.stdout", io.TextIOWrapper(written, encoding, "backslashreplace", write_through=True))
        assert main(["show", str(path), "--terminal"]) == 0
    monkeypatch.setattr("wei7core.cli.solve.has_colors", lambda _: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    main(["solve", str(path)])
    assert written.getvalue().count(b"3 X . . 3") == 3
    assert b"\\u" not in written.getvalue() and b"\x1b" not in written.getvalue()


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


def test_show_writes_an_animation(run, tmp_path):
    assert run("show", GOOD, "--animate", tmp_path / "a.gif")[0] == 2
    status, _, err = run("show", GOOD, "--animate", tmp_path / "a.png", "--delay", "soon")
    assert status == 2 and "a number of seconds, 0 to 65,535" in err
    pytest.importorskip("resvg_py", reason="the renderer of the extra png is not installed")
    assert run("show", GOOD, "--animate", tmp_path / "a.png", "--size", 60, "--delay", "0.25", "--move", 1)[0] == 0
    data = (tmp_path / "a.png").read_bytes()
    at = data.index(b"acTL") + 4
    assert data[at : at + 4] == bytes([0, 0, 0, 2])


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


def test_a_folder_without_records_has_nothing_to_show(run, tmp_path):
    assert run("show", tmp_path) == (2, "", f"wei7core: {tmp_path}: no records found\n")
