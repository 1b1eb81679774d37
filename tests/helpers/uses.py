"""Uses of a record's text, each of which visits the whole record."""

from __future__ import annotations

import contextlib
import copy
import io
import pickle
import tempfile
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import wei7core as w7
from wei7core.cli.main import main


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


def edited(game: w7.Game) -> None:
    """Change a property of every node of the main line, and write what comes of it."""
    for node in game.main_line():
        if node.step is not None:
            game.set("XX", "1", node)
    w7.dumps(game, format="sgf", losses=[], validate=False)


def indexed(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        w7.Index.create(Path(folder) / "index", [data])


def put_aside(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "record").write_bytes(data)
        names = [Path(folder) / "record"]
        w7.quarantine(w7.check(names), names, Path(folder) / "aside")


def command(*lines: str) -> Callable[[bytes], object]:
    """Command lines, one after the other; FILE is a file of the text, FOLDER a place for files that are written."""

    def run(data: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "record"
            file.write_bytes(data)
            for line in lines:
                arguments = [word.replace("FILE", str(file)).replace("FOLDER", folder) for word in line.split()]
                with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                    main(arguments)

    return run


COMMANDS: Final = {
    "replay": command("replay FILE -o FOLDER/rows.csv --positions FOLDER/positions.jsonl"),
    "validate": command("validate FILE -o FOLDER/rows.jsonl"),
    "check": command("check FILE --rules aga -o FOLDER/findings.csv"),
    "show": command("show FILE --svg FOLDER/board.svg"),
    "solve": command("solve FILE"),
    "expand": command("expand FILE -o FOLDER/moves.csv"),
    "convert": command("convert FILE FOLDER/out.jsonl --losses FOLDER/losses.csv", "convert FILE FOLDER/out.sgf"),
    "index": command("index FILE -o FOLDER/index"),
    "find": command("index FILE -o FOLDER/index", "find FOLDER/index --position FILE"),
    "samples": command("samples FILE -o FOLDER/shards --to npz --shuffle 64 --rows 64"),
}
"""Uses of the command line, by the name of the command."""

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
    "loads_all": lambda data: every(w7.loads_all(data, strict=False)),
    "from_obj": with_game(lambda game: w7.from_obj(w7.convert(game, "wei7", losses=[]).to_obj(), strict=False)),
    "metadata": lambda data: list(w7.replay([data], metadata=True)),
    "replay_batches": lambda data: every(w7.replay_batches([data, data], batch_size=1)),
    "samples": lambda data: every(w7.samples([data], batch=64)),
    "index": indexed,
    "quarantine": put_aside,
    "facts of nodes": with_game(lambda game: every((node.facts, node.analysis, node.title) for node in game.walk())),
    "properties edited": with_game(edited),
    "merge": lambda data: w7.merge([loaded(data), loaded(data)]),
    "transformed": with_game(lambda game: game.transformed(1)),
    "outline": with_game(lambda game: game.outline()),
    "to_html": with_game(lambda game: game.to_html()),
    "svg": with_game(lambda game: game.svg()),
    "attempt": with_game(w7.Attempt),
    "score": with_game(lambda game: game.score(rules="chinese")),
    **{f"wei7core {name}": run for name, run in COMMANDS.items()},
}
