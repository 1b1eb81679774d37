"""The programs of examples/ run, and print or write what they should."""

from __future__ import annotations

import io
import json
import runpy
import shutil
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wei7core as w7

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
LG_CUP = "games/rev7/lg-cup.wei7"

pytestmark = pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the examples are not here")


class Program:
    """Runs a program of the folder in this process, with arguments and standard input."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch = monkeypatch
        self.capsys = capsys
        self.names: dict[str, Any] = {}

    def __call__(self, name: str, *arguments: object, stdin: str = "", status: int | None = None) -> str:
        path = str(EXAMPLES / f"{name}.py")
        text = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
        self.monkeypatch.setattr(sys, "argv", [path, *map(str, arguments)])
        self.monkeypatch.setattr(sys, "stdin", text)
        if status is None:
            self.names = runpy.run_path(path, run_name="__main__")
        else:
            with pytest.raises(SystemExit) as ended:
                runpy.run_path(path, run_name="__main__")
            assert ended.value.code == status
        return self.capsys.readouterr().out


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Program:
    shutil.copytree(ROOT / "tests" / "data" / "examples", tmp_path / "games")
    monkeypatch.chdir(tmp_path)
    return Program(monkeypatch, capsys)


def test_there_are_ten_or_more_and_a_test_of_each() -> None:
    names = {path.stem for path in EXAMPLES.glob("*.py")}
    assert len(names) >= 10
    tested = {name.removeprefix("test_") for name in globals()}
    assert names <= tested


def test_view_game(program: Program) -> None:
    shown = program("view_game", LG_CUP, stdin="\n\nb\n160\nb\nq\n")
    assert [line.split()[1] for line in shown.splitlines() if line.startswith(("move", "> move"))] == [
        "0", "1", "2", "1", "160", "159",
    ]  # fmt: skip


def test_folder_stats(program: Program) -> None:
    shown = program("folder_stats", "games")
    assert shown.startswith("19 records, 710 moves,")
    assert "format   sgf              9" in shown


def test_duplicates(program: Program) -> None:
    shutil.copy(LG_CUP, "copy.wei7")
    shown = program("duplicates", "copy.wei7", LG_CUP)
    assert "record 0" in shown


def test_random_player(program: Program) -> None:
    shown = program("random_player", "random.sgf", 5, "aga", 7)
    game = w7.load("random.sgf")
    *_, end = game.main_line()
    assert str(end.board) in shown
    assert str(game.result) in shown
    assert not list(w7.check("random.sgf", rules="aga", select="moves"))


def test_convert_service(program: Program) -> None:
    server = runpy.run_path(str(EXAMPLES / "convert_service.py"))["server"](0)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        url = f"http://127.0.0.1:{server.server_address[1]}"
        data = Path("games/sgf/variations.sgf").read_bytes()
        with urllib.request.urlopen(urllib.request.Request(f"{url}/wei7", data), timeout=600) as answer:
            assert json.loads(answer.read())["tree"]
            assert int(answer.headers["X-Losses"]) > 0
        for path, body, status in (("/pdf", data, 400), ("/sgf", b"\0", 422)):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(urllib.request.Request(url + path, body), timeout=600)
            assert refused.value.code == status
            refused.value.close()
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_planes_to_numpy(program: Program) -> None:
    assert program("planes_to_numpy", LG_CUP, "planes.npz") == "163 positions\n"
    with np.load("planes.npz") as arrays:
        assert arrays["planes"].shape == (163, 18, 19, 19)
        assert arrays["moves"][0] == next(
            point[1] * 19 + point[0]
            for node in w7.load(LG_CUP, strict=False).main_line()
            if node.move
            for point in [node.move[1]]
        )


def test_gtp_bot(program: Program) -> None:
    commands = "boardsize 5\nplay black a1\nplay white a2\ngenmove white\nquit\n"
    assert program("gtp_bot", stdin=commands).endswith("= B1\n\n=\n\n")


def test_final_positions(program: Program) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    program("final_positions", "games", "positions.parquet")
    assert parquet.read_table("positions.parquet")["record"].to_pylist() == [0] * 19


def test_check_selfplay(program: Program) -> None:
    Path("bad.sgf").write_bytes(b"(;SZ[9]RE[0];B[ee];W[ee])")
    assert "1 of 1 games have errors" in program("check_selfplay", "bad.sgf", "tromp-taylor", status=1)
    Path("good.sgf").write_bytes(b"(;SZ[9]RE[B+81];B[ee];W[];B[])")
    assert "0 of 1 games have errors" in program("check_selfplay", "good.sgf", "tromp-taylor", status=0)


def test_diagram_to_svg(program: Program) -> None:
    assert "<svg" in program("diagram_to_svg", stdin=". X .\nX . X\n. X .\n")


def test_openings(program: Program) -> None:
    assert "games, " in program("openings", "games/rev7", 4)


def test_find_position(program: Program) -> None:
    assert "move 163" in program("find_position", "games/rev7", "f0a75796d4d2de60")


def test_to_utf8(program: Program) -> None:
    program("to_utf8", "games/sgf/gbk.sgf")
    assert w7.load("games/sgf/gbk.utf8.sgf").info == w7.load("games/sgf/gbk.sgf", strict=False).info
