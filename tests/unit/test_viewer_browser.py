"""The viewer in Chromium, on the width of a telephone and of a desk; skipped where there is no browser."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import wei7core as w7
from wei7core.game.node_tree import read_tree

EXAMPLES = Path(__file__).resolve().parent.parent / "data" / "examples" / "rev7"
MILLISECONDS = 600_000

STONES = """(radius) => [...document.querySelectorAll("g.w7-top circle")]
    .filter((one) => one.getAttribute("r") === String(radius) && !one.hasAttribute("opacity"))
    .map((one) => [Number(one.getAttribute("cx")), Number(one.getAttribute("cy")), one.getAttribute("fill")])"""

# Keys by events of one script, for which the browser draws the page once, and what is drawn after each.
PRESSES = f"""([key, times, radius]) => Array.from({{length: times}}, () => {{
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {{key, bubbles: true, cancelable: true}}));
    return ({STONES})(radius);
}})"""


class Shown:
    """A page with a viewer. At its end: nothing on the console, no request, nothing wider than the window."""

    def __init__(self, browser: Any, game: w7.Game, folder: Path, width: int) -> None:
        path = folder / "page.html"
        game.to_html(path)
        self.width = width
        self.messages: list[str] = []
        self.page = browser.new_page(viewport={"width": width, "height": 640})
        self.page.set_default_timeout(MILLISECONDS)
        self.page.on("console", lambda message: self.messages.append(message.text))
        self.page.on("pageerror", lambda error: self.messages.append(str(error)))
        self.page.on("request", lambda request: request.url == path.as_uri() or self.messages.append(request.url))
        self.page.goto(path.as_uri())
        self.picture = self.page.evaluate(
            "JSON.parse(document.querySelector('.w7core script[type]').textContent).picture"
        )

    def __enter__(self) -> Shown:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        widest = self.page.evaluate("document.documentElement.scrollWidth")
        self.page.close()
        if kind is None:
            assert widest <= self.width
            assert self.messages == []

    def press(self, key: str, times: int = 1) -> None:
        """Press a key; of many presses the last is that of a keyboard."""
        if times > 1:
            self.page.evaluate(PRESSES, [key, times - 1, 0])
        self.page.keyboard.press(key)

    def text(self, name: str) -> str:
        return self.page.text_content(f".w7-{name}") or ""

    def click(self, x: int, y: int) -> None:
        box = self.page.locator("svg").bounding_box()
        scale = min(box["width"] / self.picture["width"], box["height"] / self.picture["height"])
        left = box["x"] + (box["width"] - scale * self.picture["width"]) / 2
        top = box["y"] + (box["height"] - scale * self.picture["height"]) / 2
        self.page.mouse.click(left + scale * self.picture["xs"][x], top + scale * self.picture["ys"][y])

    def board(self, size: tuple[int, int]) -> w7.Board:
        """The stones that are drawn."""
        return self._board(size, self.page.evaluate(STONES, self.picture["radius"]))

    def boards(self, size: tuple[int, int], key: str, times: int) -> list[w7.Board]:
        """The stones that are drawn after each press of a key."""
        drawn = self.page.evaluate(PRESSES, [key, times, self.picture["radius"]])
        return [self._board(size, stones) for stones in drawn]

    def _board(self, size: tuple[int, int], drawn: list[list[Any]]) -> w7.Board:
        colors = {self.picture["colors"]["black"]: 1, self.picture["colors"]["white"]: 2}
        found = w7.Board(*size)
        xs, ys = self.picture["xs"], self.picture["ys"]
        found.edit([(colors[fill], (xs.index(cx), ys.index(cy))) for cx, cy, fill in drawn])
        return found


def long_game(moves: int = 300) -> w7.Game:
    """A game of legal moves with captures, comments and a variation."""
    choose = random.Random(5)
    game, board = w7.Game(19), w7.Board(19)
    for number in range(moves):
        color = 1 + number % 2
        point = choose.choice(board.legal_points(color, "tromp-taylor"))
        board.play(color, point)
        comment = f"Comment {number} " + "long text " * 40 if number % 50 == 7 else None
        game.tree.steps.append(w7.Step(w7.Move(color, point), comment=comment))
    game.root.next.add_variation("A1 T19")
    return game


@pytest.mark.parametrize("width", [360, 1000])
def test_a_game_of_300_moves(chromium: Any, tmp_path: Path, width: int) -> None:
    game = long_game()
    boards = [node.board for node in game.main_line() if node.step is not None or node.parent is None]
    assert len(boards) == 301
    with Shown(chromium, game, tmp_path, width) as shown:
        assert shown.text("where") == "Move 0"
        for number in (1, 8, 100, 300):
            shown.press("ArrowRight", number - int(shown.text("where").split()[1].rstrip(":")))
            assert shown.text("where").startswith(f"Move {number}: ")
            assert shown.board((19, 19)) == boards[number]
        shown.press("ArrowLeft", 42)
        assert shown.board((19, 19)) == boards[258]
        assert shown.text("comment") == game.cursor().goto(258).comment
        shown.press("Home")
        assert shown.board((19, 19)) == boards[0]
        shown.page.click("button[title^='End']")
        assert shown.board((19, 19)) == boards[300]
        shown.press("Home")
        shown.press("ArrowRight", 2)
        shown.press("ArrowDown")
        assert shown.text("where") == "Move 2: White A1"
        shown.press("ArrowLeft")
        shown.page.click(".w7-choices button >> nth=1")
        assert shown.text("where") == "Move 2: White A1"
        shown.press("ArrowRight")  # the button is gone, and the keys still work
        assert shown.text("where") == "Move 3: Black T19"


@pytest.mark.parametrize("width", [360, 1000])
@pytest.mark.parametrize("name", ["interactive", "tutorial"])
def test_an_example_of_the_specification(chromium: Any, tmp_path: Path, name: str, width: int) -> None:
    game = w7.load(EXAMPLES / f"{name}.wei7")
    with Shown(chromium, game, tmp_path, width) as shown:
        tree = read_tree(game)
        index = 0
        while True:
            assert shown.board(game.size) == tree.nodes[index].board
            if not tree.children[index]:
                break
            index = tree.children[index][0]
            if "to play: click a point." in shown.text("quiz"):
                shown.press("ArrowRight")  # the answer of an open question is shown when it is asked for
                assert shown.board(game.size) == tree.nodes[tree.parents[index]].board
                shown.page.click("button[title='Show the answer']")
            shown.press("ArrowRight")
        assert index > 0


@pytest.mark.parametrize("width", [360, 1000])
def test_every_move_of_a_game(chromium: Any, tmp_path: Path, width: int) -> None:
    game = w7.load(EXAMPLES / "lg-cup-with-format.wei7")
    line = list(game.main_line())
    with Shown(chromium, game, tmp_path, width) as shown:
        boards = [shown.board(game.size), *shown.boards(game.size, "ArrowRight", len(line) - 1)]
        assert boards == [node.board for node in line]
        assert shown.text("where").startswith(f"Move {line[-1].move_number}")
        shown.press("ArrowRight")
        assert shown.board(game.size) == boards[-1]


@pytest.mark.parametrize("width", [360, 1000])
def test_a_problem_is_solved_by_clicks(chromium: Any, tmp_path: Path, width: int) -> None:
    game = w7.loads(b"(;SZ[9]AB[dd]AW[ee]PL[B]C[Black to play](;B[cc];W[ff];B[gg]C[RIGHT])(;B[dc]C[No.]))")
    with Shown(chromium, game, tmp_path, width) as shown:
        assert "Black to play: click a point." in shown.text("quiz")
        shown.click(8, 0)
        assert "does not judge" in shown.text("quiz")
        shown.click(3, 2)
        assert "Wrong." in shown.text("quiz")
        shown.page.click("text=Try again")
        shown.click(2, 2)
        assert "Right so far" in shown.text("quiz")
        assert shown.board((9, 9))["F4"] == 2
        shown.click(6, 6)
        assert "Right. The problem is solved." in shown.text("quiz")
