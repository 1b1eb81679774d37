"""Uses of a record's text, each of which visits the whole record."""

from __future__ import annotations

import copy
import pickle
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

import wei7core as w7


def loaded(data: bytes) -> w7.Game:
    return w7.loads(data, strict=False)


def every(nodes: Iterable[Any]) -> None:
    deque(nodes, maxlen=0)


def written(format: str) -> Callable[[bytes], object]:
    def write(data: bytes) -> object:
        return w7.dumps(loaded(data), format=format, losses=[], validate=False)

    return write


def with_game(use: Callable[[w7.Game], object]) -> Callable[[bytes], object]:
    return lambda data: use(loaded(data))


USES: Final[dict[str, Callable[[bytes], object]]] = {
    "loads": lambda data: loaded(data).document,
    "replay": lambda data: w7.replay([data], board=True),
    "positions": lambda data: w7.replay([data], positions=True),
    "check": lambda data: list(w7.check([data])),
    "check by rules": lambda data: list(w7.check([data], rules="aga", severity="info")),
    "to wei7": written("wei7"),
    "to sgf": written("sgf"),
    "to wei7-2.2": written("wei7-2.2"),
    "to giseong": written("giseong"),
    "walk": with_game(lambda game: every(game.walk())),
    "leaves": with_game(lambda game: every(game.leaves())),
    "boards of the main line": with_game(lambda game: every(node.board for node in game.main_line())),
    "deepcopy": with_game(copy.deepcopy),
    "pickle": with_game(lambda game: pickle.dumps(game.document)),
    "compare": lambda data: loaded(data).document == loaded(data).document,
    "game.check": with_game(lambda game: game.document and game.check()),
    "timeline": with_game(lambda game: game.timeline),
}
