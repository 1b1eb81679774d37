"""Every SGF file of the corpus, against what another reader made of it, where that is the truth."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from helpers.cases import in_groups
from helpers.effort import is_quick
from oracles import sgf as sgf_oracle
from oracles.sgf_readings import check_links, reading_of
from samples import corpus

from wei7core import replay
from wei7core.formats.sgf import decode as sgf
from wei7core.formats.sgf import games as sgf_games
from wei7core.record.record import Record

# KO of this file names a point, as no FF wants it.
_CODES_OF_054 = (
    ["value-invalid"] * 5
    + ["node-after-variation"] * 5
    + ["value-invalid"]
    + ["node-after-variation"] * 10
    + ["value-invalid"]
    + ["node-after-variation"] * 5
    + ["value-invalid"]
    + ["node-after-variation"]
    + ["value-invalid"]
    + ["node-after-variation"] * 2
)
# Files that the other reader did not read, or not correctly. Each was checked by hand.
SETTLED = {
    # CA[UTF-8][UTF-8] and GN[][]: the moves are as the other reader has them.
    "046": (["values-too-many"] * 2, 13),
    # Long names. Nodes after variations, as `;Black[da] (;White[bc]) ;White[ab]`, are more variations: the comments of
    # both speak of answers to one move. The first ones lead to "Game record ceases here", and on from there.
    "054": (_CODES_OF_054, 184),
    # UTF-16 with a mark and without: comments in many scripts, no move.
    "062": ([], 0),
    "077": ([], 0),
    # GM[19], so that no reader takes its values for moves.
    "063": (
        ["text-outside-tree", "game-not-go", *["move-invalid"] * 2, *["mark-invalid"] * 2, *["point-invalid"] * 2],
        0,
    ),
    # SZ[9] after points of a larger board: both are off the board.
    "127": (["point-invalid"] * 2, 0),
    # The last node has B[tt] and W[tt]: Black passes, then White, as its comment has it.
    "149": (["moves-in-one-node"], 267),
    # GM[3] over moves of Go, which the test data of its origin call a record of backgammon: refused by that name, and
    # read as far as it goes.
    "074": (["game-not-go"], 255),
}


@functools.cache
def expected() -> list[dict[str, Any]]:
    path = corpus.folder()
    entries: list[dict[str, Any]] = [] if path is None else json.loads((path / "ai-sgf" / "expected.json").read_text())
    return entries


def main_line(record: Record) -> str:
    moves = []
    tree = 0 if len(record.trees) else -1
    while tree >= 0:
        row = record.trees[tree]
        for step in record.steps[row["first_step"] :][: row["step_count"]]:
            if step["kind"] == 1:
                moves.append("BW"[step["color"] - 1] + (f"{step['x']},{step['y']}" if step["x"] >= 0 else ""))
        tree = int(row["first_branch"])
    return " ".join(moves)


def games_of(path: Path) -> list[Record]:
    data = path.read_bytes()
    return [sgf.decode(data[begin:end]) for begin, end in sgf_games.split(data)]


def main_line_setup(record: Record) -> list[list[int]]:
    """[node number, stones of Black, of White, points made empty] of main-line nodes with setup."""
    found = []
    node = 0
    pre = int(record.trees[0]["pre"])
    if pre >= 0 and record.pres[pre]["stone_count"] > 0:
        first, count = int(record.pres[pre]["stones"]), int(record.pres[pre]["stone_count"])
        found.append([0, *_colors(record, first, count)])
    tree = 0
    while tree >= 0:
        row = record.trees[tree]
        for step in record.steps[row["first_step"] :][: row["step_count"]]:
            node += not step["joined"]
            if step["kind"] == 7:
                found.append([node, *_colors(record, int(step["x"]), int(step["y"]))])
        tree = int(row["first_branch"])
    return found


def _colors(record: Record, first: int, count: int) -> list[int]:
    colors = record.stones["color"][first : first + count].tolist()
    return [colors.count(1), colors.count(2), colors.count(0)]


@in_groups("number", range(150))
def test_files(number: int) -> None:
    folder = corpus.require() / "ai-sgf"
    entry = expected()[number]
    games = games_of(folder / entry["file"])
    settled = SETTLED.get(entry["file"][:3])
    if settled is not None:
        codes, moves = settled
        (record,) = games
        assert [problem.code for problem in record.problems] == codes
        assert len(main_line(record).split()) == moves
        return
    assert len(games) == entry["game_trees"]
    for record, game in zip(games, entry["games"], strict=True):
        assert not game.get("errors")
        assert (record.width, record.height) == (game["size"], game["size"])
        assert main_line(record) == game["main_line"]
        nodes = 1 + sum(not step["joined"] for step in record.steps)
        assert nodes == game["nodes"]
        assert main_line_setup(record) == game["setup"]
        assert "error" not in [problem.severity for problem in record.problems]


@in_groups("number", range(150))
def test_final_positions(number: int) -> None:
    folder = corpus.require() / "ai-sgf"
    entry = expected()[number]
    settled = SETTLED.get(entry["file"][:3], ([], 0))[0]
    # If the moves were not in question, the other reader's result for such a file is right too.
    games = [] if "moves-in-one-node" in settled else entry["games"] or []
    rows = list(replay([folder / entry["file"]], board=True))
    assert len(rows) == max(len(games), 1)
    for row, game in zip(rows, games, strict=False):
        if game["first_occupied"]:
            # The other reader stopped there; FF[4] replaces the stone and continues.
            assert (row.error, row.moves >= game["played"], row.problems > 0) == (None, True, True)
            continue
        assert corpus.sha16(row.board) == game["final_sha16"]
        assert (row.moves, row.black_captured, row.white_captured) == (
            game["played"],
            game["black_captured"],
            game["white_captured"],
        )
        assert row.error == ("game-not-go" if "game-not-go" in settled else None)


def test_file_046_and_149_go_on_where_the_other_reader_stopped() -> None:
    folder = corpus.require() / "ai-sgf"
    for number in (46, 149):
        entry = expected()[number - 1]
        line = main_line(games_of(folder / entry["file"])[0])
        assert line.startswith(entry["games"][0]["main_line"])


def test_the_main_line_of_file_054_is_the_game() -> None:
    (record,) = games_of(next((corpus.require() / "ai-sgf").glob("054-*")))
    end = record.source.index(b"Game record ceases here")
    tree, step = 0, -1
    while tree >= 0:
        row = record.trees[tree]
        for number in range(row["first_step"], row["first_step"] + row["step_count"]):
            begin, stop = record.details[record.steps[number]["detail"]]["comment"].tolist()
            if begin <= end < stop:
                step = number
        tree = int(row["first_branch"])
    assert step >= 0


@in_groups("number", range(0, 150, 3 if is_quick() else 1))
def test_the_slow_reader_agrees(number: int) -> None:
    folder = corpus.require() / "ai-sgf"
    record = sgf.decode((folder / expected()[number]["file"]).read_bytes())
    if record.encoding in ("ascii", "utf-8", "cp1252"):
        reading = sgf_oracle.read(record.source)
        assert reading is None or reading_of(record) == reading
        assert (reading is None) == (len(record.trees) == 0)
        check_links(record)


def test_texts_of_the_corpus_decode() -> None:
    folder = corpus.require() / "ai-sgf"
    damaged = {}
    for entry in expected():
        for record in games_of(folder / entry["file"]):
            codes = [problem.code for problem in record.problems]
            if "text-undecodable" in codes or any(code.startswith("charset-") for code in codes):
                damaged[entry["file"][:3]] = (record.encoding, codes)
    # Four names were cut in the middle of a character; one file in GBK does not name it.
    cut = ("utf-8", ["text-undecodable"])
    assert damaged == {"011": cut, "021": cut, "036": cut, "040": cut, "133": ("gb18030", ["charset-assumed"])}
