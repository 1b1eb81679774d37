"""The inputs that benchmarks share, by name, and what other programs found in them.

The games are the 20,000 of the corpus where it is (see tests/corpus.py), 5,000 generated ones elsewhere; always
thousands of different ones, because a processor learns a few games by heart.
"""

from __future__ import annotations

import functools
import gzip
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from pytest_benchmark.fixture import BenchmarkFixture
from samples import corpus
from sgfmill import boards

GENERATED_GAMES = 5_000
SGFMILL_COLORS = {1: "b", 2: "w"}

Final = tuple[str, int, int]
"""The last position as `corpus.sha16` names it, black stones captured, white stones captured."""


@dataclass(frozen=True)
class Games:
    """Games, and the results that others computed for them."""

    games: list[corpus.Game]
    expected: list[Final]

    def first(self, count: int) -> Games:
        return Games(self.games[:count], self.expected[:count])

    @property
    def move_count(self) -> int:
        return sum(len(game.moves) for game in self.games)


def sgfmill_moves(game: corpus.Game) -> list[tuple[int, int, str]]:
    """Return (row, column, colour) of each move; passes are left out, sgfmill has none."""
    return [(18 - point[1], point[0], SGFMILL_COLORS[color]) for color, point in game.moves if point is not None]


def sgfmill_final(moves: list[tuple[int, int, str]], board: boards.Board | None = None) -> Final:
    """Return what sgfmill makes of `moves`; `board` is the board where they were played already.

    The captures come from the number of stones left.
    """
    if board is None:
        board = boards.Board(19)
        for row, column, color in moves:
            board.play(row, column, color)
    text = "".join({None: ".", "b": "X", "w": "O"}[board.get(18 - y, x)] for y in range(19) for x in range(19))
    black = sum(color == "b" for _, _, color in moves)
    return corpus.sha16(text), black - text.count("X"), len(moves) - black - text.count("O")


@functools.cache
def all_games() -> Games:
    path = corpus.folder()
    if path is None:
        games = list(corpus.generated_games(GENERATED_GAMES))
        return Games(games, [sgfmill_final(sgfmill_moves(game)) for game in games])
    games = list(corpus.tygem_games(path))
    rows = corpus.tygem_expected(path)
    assert [game.id for game in games] == [row["id"] for row in rows]
    expected = [(row["final_sha16"], int(row["black_captured"]), int(row["white_captured"])) for row in rows]
    return Games(games, expected)


def wei7_document(game: corpus.Game) -> dict[str, Any]:
    """Return the game as the object that a wei7 text holds."""
    steps = []
    for color, point in game.moves:
        where = None if point is None else {"x": point[0], "y": point[1]}
        steps.append({"action": {"type": "move", "value": {"color": color, "point": where}}})
    tree = {"steps": steps}
    return {"format": "wei7", "version": "3.0", "size": game.width, "info": {"id": game.id}, "tree": tree}


def wei7_text(game: corpus.Game) -> bytes:
    """Return the game as compact wei7 JSON, as a program writes it."""
    return json.dumps(wei7_document(game), separators=(",", ":")).encode()


def wei7_indented(game: corpus.Game) -> bytes:
    """Return the game as wei7 JSON indented by two spaces, as people read it."""
    return json.dumps(wei7_document(game), indent=2).encode()


COMMENTS = (
    "这一手是全局的要点,白棋左边变薄。",
    "黑棋应当先在右上角交换,再回来补这里;实战的次序稍有问题。",
    "此处另有一法:小飞。",
    "读秒声中落下,胜负在此一举。参考图见下一谱。",
)


def wei7_annotated(game: corpus.Game) -> bytes:
    """Return the game as compact wei7 JSON with a comment, marks, a time and an actor on a third of the steps."""
    document = wei7_document(game)
    document["info"]["participants"] = [{"name": "黑方"}, {"name": "白方"}]
    for number, step in enumerate(document["tree"]["steps"]):
        if number % 3 == 0:
            step["time"] = number * 7.25
            step["actor"] = number % 2
            places = [(number % 19, number // 19 % 19), ((number + 7) % 19, 3)]
            step["marks"] = [{"point": {"x": x, "y": y}, "symbol": "ab"[k]} for k, (x, y) in enumerate(places)]
            step["comment"] = COMMENTS[number // 3 % len(COMMENTS)]
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


WEI7_TEXTS: dict[str, Callable[[corpus.Game], bytes]] = {
    "compact": wei7_text,
    "indented": wei7_indented,
    "annotated": wei7_annotated,
}
"""The shapes of wei7 text that are measured, by name."""


def sgf_text(game: corpus.Game) -> bytes:
    """Return the game as SGF, as servers write it."""
    moves = [";" + "?BW"[color] + f"[{sgf_point(point)}]" for color, point in game.moves]
    root = f"(;FF[4]GM[1]SZ[{game.width}]CA[UTF-8]KM[6.5]GN[{game.id}]PB[Black]PW[White]RE[?]DT[2024-02-29]"
    return f"{root}\n{''.join(moves)})\n".encode()


def sgf_point(point: tuple[int, int] | None) -> str:
    return "" if point is None else chr(97 + point[0]) + chr(97 + point[1])


@functools.cache
def sgf_texts() -> list[bytes]:
    """Return the SGF of `all_games`, one game a text: the bytes of the corpus, or generated ones."""
    path = corpus.folder()
    if path is None:
        return [sgf_text(game) for game in all_games().games]
    with gzip.open(path / "tygem-dev.sgf.gz") as file:
        first, *others = file.read().split(b"\n(;")
    return [first + b"\n", *(b"(;" + text + b"\n" for text in others)]


@functools.cache
def sgf_texts_with_remarks() -> list[bytes]:
    """Return `sgf_texts` as servers write them: a line for each move with the time left, comments on some of them.

    They have the moves of their node alone, so that every program finds the same main line.
    """
    chance = random.Random(7)
    return [_with_remarks(text, chance) for text in sgf_texts()]


def _with_remarks(text: bytes, chance: random.Random) -> bytes:
    def remark(move: re.Match[bytes]) -> bytes:
        color = move[1]
        note = b"C[Bob [3d\\]: %s]" % b" ".join([b"nice"] * chance.randint(1, 12)) if chance.random() < 0.2 else b""
        return b"%s%sL[%.1f]O%s[%d]%s\n" % (move[0], color, chance.random() * 600, color, chance.randint(1, 25), note)

    return re.sub(rb";([BW])\[[a-s]*\]", remark, text)


def moves_of(document: Any) -> list[corpus.Move]:
    """Return the moves of a decoded document of `wei7_text`, whatever decoded it."""
    moves = []
    for step in document["tree"]["steps"]:
        value = step["action"]["value"]
        point = value["point"]
        moves.append((value["color"], None if point is None else (point["x"], point["y"])))
    return moves


def moves_of_columns(steps: npt.NDArray[np.void]) -> list[corpus.Move]:
    """Return the moves of the `steps` of a Record."""
    rows = zip(steps["color"].tolist(), steps["x"].tolist(), steps["y"].tolist(), strict=True)
    return [(color, None if x < 0 else (x, y)) for color, x, y in rows]


def best_seconds(benchmark: BenchmarkFixture) -> float | None:
    """Return the time of the quickest round; None where benchmarks run without being timed."""
    return None if benchmark.stats is None else benchmark.stats.stats.min
