"""Extension types hold memory and pointers of C: no object of one exists without its constructor."""

from __future__ import annotations

import contextlib
import copyreg
import gc
import importlib
import importlib.util
import pickle
import pkgutil
import weakref
from collections.abc import Callable, Iterator
from importlib.machinery import ExtensionFileLoader
from typing import Any

import pytest
from helpers.cases import in_groups

import wei7core
import wei7core as w7
from wei7core import BLACK, Board
from wei7core._util._native import View
from wei7core.formats.registry import decode
from wei7core.replaying.cursor import Cursor
from wei7core.replaying.replay import pause_points, replay_record


def extension_types() -> list[type]:
    found = set()
    for info in pkgutil.walk_packages(wei7core.__path__, "wei7core."):
        spec = importlib.util.find_spec(info.name)
        if spec is not None and isinstance(spec.loader, ExtensionFileLoader):
            module = importlib.import_module(info.name)
            found |= {one for one in vars(module).values() if isinstance(one, type) and one.__module__ == info.name}
    return sorted((one for one in found if not issubclass(one, tuple)), key=str)


TYPES = extension_types()
INCOMPLETE = (
    "BoardCursor", "EditLog", "GameClock", "GrowingLine", "LinesResult", "MappedLines", "Move", "Node", "NodeSource",
    "NumberedAction", "Places", "Step",
)  # fmt: skip
"""Those that can be made, because Python classes derive from them or there is nothing in them that could be missed."""


DEFAULTS = ("Board",)
"""Those whose `__new__` is the constructor, which needs no arguments."""


def test_the_types_are_found() -> None:
    names = {one.__name__ for one in TYPES}
    assert names >= {"Board", "Position", "PointSet", "Block", "Children", "Node", "Place", "Cursor", "Record"}
    assert names >= {"Replayed", "PausePoints", "View", "BufferOwner", "PooledBuffer", "TableMemory", "ChildBatch"}


def uses(value: Any) -> Iterator[Callable[[], Any]]:
    """All that can be done with an object without knowing it."""
    for name in dir(value):
        if name not in ("__class__", "__init_subclass__", "__subclasshook__", "__init__", "__new__", "__setattr__"):
            yield lambda name=name: call_if_method(getattr(value, name))
    for use in (repr, str, hash, len, list, bool, memoryview, pickle.dumps, lambda it: it[0, 0], lambda it: it == 1):
        yield lambda use=use: use(value)


def call_if_method(value: Any) -> None:
    if callable(value):
        for arguments in [(), (1,), ((0, 0),), (1, (0, 0))]:
            with contextlib.suppress(Exception):
                value(*arguments)


@pytest.mark.exhaustive
@in_groups("kind", TYPES, ids=lambda kind: kind.__name__)
def test_no_object_without_its_constructor(kind: type) -> None:
    """Either `__new__` refuses, or what it makes is harmless; a crash ends the process."""
    made = []
    for make in (
        lambda: kind.__new__(kind),
        lambda: object.__new__(kind),
        lambda: frozenset.__new__(kind),
        lambda: copyreg.__newobj__(kind),  # type: ignore[attr-defined]  # not in the stub
        lambda: copyreg._reconstructor(kind, object, None),  # type: ignore[attr-defined]  # not in the stub
    ):
        try:
            made.append(make())
        except TypeError:
            continue
    if kind.__name__ in DEFAULTS:
        assert all(one == kind() for one in made)
    else:
        assert not made or kind.__name__.startswith("_") or kind.__name__ in INCOMPLETE, made
    for value in made:
        for use in uses(value):
            try:
                use()
            except Exception:
                continue
    if made:
        del made
        gc.collect()


def objects() -> list[Any]:
    board = Board(5)
    board.play(BLACK, (2, 2))
    game = w7.loads(b"(;SZ[9];B[aa];W[bb](;B[cc])(;B[dd]AB[ee]))")
    record = decode(b"(;SZ[9];B[aa];W[bb](;B[cc])(;B[dd]AB[ee]))", "sgf")
    nodes = list(game.walk())
    return [
        board, board.position(BLACK), board.block((2, 2)), board.block((2, 2)).liberties, board.children(BLACK), record,
        replay_record(record), pause_points(record, limits=w7.Limits()), *nodes, *(node.place for node in nodes),
        Cursor(game.document, w7.Limits()), game.cursor(), View(bytearray(8)),
    ]  # fmt: skip


@in_groups("number", range(len(objects())))
def test_no_use_of_an_object_ends_the_process(number: int) -> None:
    """Every method with some arguments, in order and again: whatever it raises, the process lives."""
    value = objects()[number]
    for _ in range(2):
        for use in uses(value):
            try:
                use()
            except Exception:
                continue


def test_columns_that_a_weak_reference_knows_do_not_serve_again() -> None:
    """Reference counts do not count these, and they come back to life when they are asked."""
    board = Board(9)
    known: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
    bases = []
    for move in range(6):
        children = board.children(BLACK)
        known[f"legal {move}"] = children.legal
        known[f"hash {move}"] = children.hash
        if children.legal.base is not None:
            bases.append(weakref.ref(children.legal.base))
        before = children.legal.copy()
        del children
        board.play(BLACK, (move, move))
        others = board.children(BLACK)
        assert others.legal is not known.get(f"legal {move}")
        seen = known.get(f"legal {move}")
        assert seen is None or (seen == before).all()
        record = bases[-1]()
        assert record is None or (record["legal"] == before).all()
        del others, seen, record


def test_columns_serve_again_when_nobody_knows_them() -> None:
    board = Board(9)
    places = set()
    for move in range(20):
        children = board.children(BLACK)
        places.add(children.legal.__array_interface__["data"][0])
        del children
        board.play(BLACK, (move % 9, move // 9))
    assert len(places) < 20
