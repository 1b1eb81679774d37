"""The viewer of a game: what its page holds, what its script does on Node.js.

`test_viewer_browser.py` has the page in Chromium.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.game.go_problems import find_questions
from wei7core.game.node_tree import read_tree

TESTS = Path(__file__).resolve().parent.parent
EXAMPLES = TESTS / "data" / "examples" / "rev7"
MOST_BEFORE_THE_GAME = 60_000


def problem() -> w7.Game:
    """Black to play on 5 x 5: B5 is right, White answers E1, A4 ends it; C3 is wrong."""
    game = w7.Game(5)
    game.tree.pre = w7.Setup([w7.Stone(2, (0, 0))], problem=1, comment="Live!")
    right = game.tree.add_branch()
    right.play(1, (1, 0), "good")
    right.play(2, (4, 4), "good")
    right.play(1, (0, 1), "good", comment="Yes.")
    game.tree.add_branch().play(1, (2, 2), "bad")
    return w7.loads(w7.dumps(game))


def data_of(page: str) -> dict:
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', page, re.S)[1])


def boards_of(data: dict) -> list[list[int]]:
    """The board of each row, by the changes since its parent's."""
    boards: list[list[int]] = []
    for parent, changes, *_ in data["nodes"]:
        board = list(boards[parent]) if parent >= 0 else [0] * (data["size"][0] * data["size"][1])
        for change in changes:
            board[change // 3] = change % 3
        boards.append(board)
    return boards


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", ["interactive", "tutorial", "simple", "lg-cup-with-format"])
def test_a_page_has_the_board_of_every_node(name: str, tmp_path: Path) -> None:
    game = w7.load(EXAMPLES / f"{name}.wei7")
    text = game.to_html(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == text
    data = data_of(text)
    tree = read_tree(game)
    assert boards_of(data) == [node.board.to_array().ravel().tolist() for node in tree.nodes]
    assert [row[0] for row in data["nodes"]] == tree.parents
    comments = [node.comment for node in tree.nodes if node.comment]
    assert [row[2]["c"] for row in data["nodes"] if len(row) > 2 and "c" in row[2]] == comments


def test_a_page_is_one_file_that_asks_for_nothing() -> None:
    page = Page(w7.Game(19).to_html())
    assert page.open == []
    for tag, attributes in page.tags:
        assert tag not in ("link", "img", "iframe"), tag
        assert not {"src", "href", "onload", "onclick"} & attributes.keys()
    assert "http" not in re.sub(r'xmlns="[^"]*"|http-equiv', "", w7.Game(19).to_html())
    assert len(w7.Game(19).to_html().encode()) < MOST_BEFORE_THE_GAME


def test_texts_of_a_record_are_never_markup() -> None:
    text = "</script><script>alert(1)</script>\u2028 & \"'"
    game = w7.Game(9)
    game.info.name = text
    game.tree.play(1, (2, 2), comment=text)
    page = game.to_html()
    assert page.count("alert(1)") == 3, "the title, the heading and the comment"
    assert "<script>alert" not in page
    assert data_of(page)["nodes"][1][2]["c"] == text


def test_a_notebook_has_the_viewer_without_a_page() -> None:
    game = w7.load(EXAMPLES / "simple.wei7")
    text = game._repr_html_()
    assert text.startswith('<div class="w7core"') and "<html" not in text
    assert Page(text).open == []
    assert data_of(text)["page"] is False
    large = w7.Game((1000, 1000))
    assert large._repr_html_() is None
    with pytest.raises(ValueError, match="not possible"):
        large.to_html()


def worth(game: w7.Game) -> tuple[dict[int, int], dict[int, bool]]:
    found = find_questions(game, read_tree(game))
    return found.colors, found.good


def test_questions_and_answers_of_wei7() -> None:
    assert worth(problem()) == ({0: 1}, {1: True, 2: True, 3: True, 4: False})


@in_groups(
    ("text", "colors", "good"),
    [
        (b"(;SZ[5]AW[aa](;B[ba];W[cc];B[ab]C[RIGHT])(;B[cc];W[ba]))", {0: 1}, [1, 1, 1, 0, 0]),
        ("(;SZ[5]CA[UTF-8]AW[aa](;B[ba]C[正解])(;B[cc]C[失敗]))".encode(), {0: 1}, [1, 0]),
        (b"(;SZ[5]AW[aa](;B[ba]C[Correct!])(;B[cc]C[Incorrect.])(;B[dd]C[Right side]))", {0: 1}, [1, 0, 0]),
        (b"(;SZ[5]AB[aa];W[ba]C[RIGHT])", {0: 2}, [1]),
        (b"(;SZ[5]AW[aa];B[ba]C[a good move])", {}, []),
        (b"(;SZ[5];B[ba]C[RIGHT])", {}, []),
    ],
)
def test_questions_and_answers_by_the_custom_of_sgf(text: bytes, colors: dict[int, int], good: list[int]) -> None:
    found = worth(w7.loads(text))
    assert found == (colors, {index: bool(value) for index, value in enumerate(good, start=1)})


# --- the script ---


def run_script(game: w7.Game, tmp_path: Path, *commands: tuple) -> list[dict]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    path = tmp_path / "page.html"
    game.to_html(path)
    words = [node, str(TESTS / "samples" / "viewer_page.js"), str(path), json.dumps(commands)]
    # Node takes three times as long with the runtime of the sanitizers, which sees nothing of this package there.
    plain = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False, encoding="utf-8", env=plain)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_keys_walk_the_game_and_its_variations(tmp_path: Path) -> None:
    game = w7.loads(b"(;SZ[5]C[start];B[aa];W[ba](;B[ab])(;B[bb]TR[aa]LB[cc:<x>];W[]))")
    keys = [
        "ArrowRight",
        "ArrowRight",
        "ArrowRight",
        "ArrowDown",
        "ArrowRight",
        "Home",
        "End",
        "ArrowLeft",
        "ArrowUp",
        "x",
    ]
    states = run_script(game, tmp_path, *(("key", key) for key in keys))
    assert [state["where"] for state in states] == [
        "Move 0",
        "Move 1: Black A5",
        "Move 2: White B5",
        "Move 3: Black A4",
        "Move 3: Black B4",
        "Move 4: White pass",
        "Move 0",
        "Move 4: White pass",
        "Move 3: Black B4",
        "Move 3: Black A4",
        "Move 3: Black A4",
    ]
    assert [state["stones"] for state in states] == [0, 1, 2 + 2, 3, 3, 3, 0, 3, 3, 3, 3]
    assert states[2]["choices"] == ["Black A4", "Black B4"]
    assert states[0]["comment"] == "start"
    assert "&#60;x\u2026" in states[4]["layer"] or "&#60;x&#62;" in states[4]["layer"]


def test_a_click_goes_to_the_move_there_and_buttons_to_variations(tmp_path: Path) -> None:
    game = w7.loads(b"(;SZ[5](;B[aa])(;B[bb]))")
    states = run_script(
        game, tmp_path, ("click", 1, 1), ("press", "Start (Home)"), ("click", 4, 4), ("press", "Go on here")
    )
    assert [state["where"] for state in states] == [
        "Move 0",
        "Move 1: Black B4",
        "Move 0",
        "Move 0",
        "Move 1: Black A5",
    ]


def test_a_problem_is_solved_by_clicks(tmp_path: Path) -> None:
    game = problem()
    states = run_script(
        game, tmp_path, ("key", "End"), ("press", "Hint"), ("click", 3, 3), ("click", 1, 0), ("click", 0, 1)
    )
    assert states[0]["quiz"] == "Black to play: click a point."
    assert (states[0]["choices"], states[1]["where"]) == ([], "Move 0"), "the answer is not shown"
    assert states[2]["quiz"] == "Look at B5. Black to play: click a point."
    assert states[3]["quiz"].startswith("The record does not judge this move.")
    assert states[4]["quiz"].startswith("Right so far.")
    assert states[4]["where"] == "Move 2: White E1"
    assert states[5]["quiz"] == "Right. The problem is solved."
    assert states[5]["comment"] == "Yes."
    states = run_script(
        game, tmp_path, ("click", 2, 2), ("press", "Try again"), ("press", "Show the answer"), ("key", "End")
    )
    assert [state["quiz"] for state in states[1:]] == ["Wrong.", "Black to play: click a point.", "", ""]
    assert states[4]["where"] == "Move 3: Black A4"


def test_clicks_and_attempts_judge_alike(tmp_path: Path) -> None:
    """A move that is there twice counts as the better one; one that is not judged is not played."""
    game = w7.loads(b"(;SZ[5]AW[aa](;B[bb])(;B[ba](;W[ee]C[WRONG])(;W[cc];B[ab]C[RIGHT]))(;B[ba]C[WRONG])(;B[dd]))")
    for moves in (["B5", "A4"], ["D2"], ["B4"], ["E1", "B5"]):
        attempt = w7.Attempt(game)
        verdicts = [attempt.play(move).verdict for move in moves]
        points = [w7.coordinates.from_gtp(move, 5, 5) for move in moves]
        states = run_script(game, tmp_path, *(("click", *point) for point in points))
        words = {"right": "Right. ", "wrong": "Wrong", "continue": "Right so far", "unknown": "The record does not"}
        for verdict, state in zip(verdicts, states[1:], strict=True):
            assert state["quiz"].startswith(words[verdict]), (moves, verdicts)


def test_a_timeline_is_played_at_its_pace(tmp_path: Path) -> None:
    game = w7.Game(3)
    for time, point in ((2, (0, 0)), (5.5, (1, 1)), (5, (2, 2))):
        game.tree.play(1, point, time=time)
    states = run_script(
        game, tmp_path, ("key", " "), ("wait",), ("wait",), ("wait",), ("key", "Home"), ("key", " "), ("key", " ")
    )
    assert [state["timers"] for state in states] == [[], [2000], [3500], [0], [], [], [2000], []]
    assert states[4]["where"] == "Move 3: Black C1"
