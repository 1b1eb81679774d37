"""What threads may share, looked at by all of them at once; and free-threaded Python, which stays so."""

from __future__ import annotations

import gc
import importlib.machinery
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from helpers import native
from helpers.effort import is_quick
from oracles.header_keys import header_key

import wei7core
from wei7core import BLACK, WHITE, PointSet
from wei7core.board.board import Board
from wei7core.checking import header_cache as header_book
from wei7core.errors import IllegalMoveError
from wei7core.formats.registry import decode
from wei7core.replaying.replay import pause_points

PACKAGE = Path(wei7core.__file__).parent
SOURCE = Path(__file__).resolve().parents[2] / "src" / "wei7core"
THREADS = 4
SGF = b"(;GM[1]SZ[9];B[aa];W[bb];B[cc];W[dd])"
COLUMNS = ("legal", "reason", "captured", "lost", "hash", "self_atari")

Made = TypeVar("Made")


@pytest.fixture(autouse=True)
def _threads_take_turns_often() -> Iterator[None]:
    """Where there is a lock of the interpreter, it changes hands all the time."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def at_once(work: Callable[[int], Made], threads: int = THREADS) -> list[Made]:
    """What `work` makes of the number of its thread, in each of some that start together; raises what one raises."""
    start = threading.Barrier(threads)
    made: dict[int, Made] = {}
    errors: list[BaseException] = []

    def run(number: int) -> None:
        try:
            start.wait()
            made[number] = work(number)
        except BaseException as error:
            errors.append(error)

    running = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if errors:
        raise errors[0]
    return [made[number] for number in range(threads)]


# --- free-threaded Python -------------------------------------------------------------------------


def compiled_modules() -> list[str]:
    suffixes = tuple(importlib.machinery.EXTENSION_SUFFIXES)
    files = [path.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("*") if path.name.endswith(suffixes)]
    return sorted({".".join([*file.parent.parts, file.name.partition(".")[0]]) for file in files})


@pytest.mark.skipif(getattr(sys, "_is_gil_enabled", lambda: True)(), reason="this Python has its lock")
def test_no_module_turns_the_lock_on() -> None:
    modules = compiled_modules()
    assert len(modules) >= 20
    code = f"import sys, {', '.join(modules)}; print(sys._is_gil_enabled())"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={name: value for name, value in native.environment().items() if name != "PYTHON_GIL"},
        check=False,
        capture_output=True,
        text=True,
        cwd=native.DATA,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "False\n", "")


@pytest.mark.skipif(not SOURCE.is_dir(), reason="the sources are not here")
def test_each_module_says_that_it_needs_no_lock() -> None:
    sources = [*SOURCE.rglob("*.pyx"), *native.DATA.rglob("*.pyx")]  # those of the tests too: they share the process
    assert len(sources) > 15
    for source in sources:
        first = source.read_text(encoding="utf-8").partition("\n")[0]
        assert "freethreading_compatible=True" in first, source.name


# --- what is made when it is first asked for ------------------------------------------------------


def test_children_are_written_once() -> None:
    board = Board(19)
    board.play(BLACK, (3, 3))
    for _ in range(100):
        children = board.children(WHITE)
        alone = board.children(WHITE)
        seen = at_once(lambda number, of=children: [getattr(of, name) for name in (COLUMNS * 2)[number : number + 6]])
        for name in COLUMNS:
            assert np.array_equal(getattr(children, name), getattr(alone, name)), name
        arrays = {id(array) for found in seen for array in found}
        assert arrays == {id(getattr(children, name)) for name in COLUMNS}


@pytest.mark.exhaustive
def test_more_sizes_of_children_than_are_kept() -> None:
    """Many times: what a thread has found is to be dropped by another just then."""
    sizes = [(width, height) for width in range(2, 14) for height in range(2, 14)]

    def look(number: int) -> list[int]:
        found = []
        for width, height in (sizes[7 * number :] + sizes[: 7 * number]) * 20:
            board = Board(width, height)
            board.play(BLACK, (1, 1))
            found.append(int(board.children(WHITE).legal.sum()) - width * height)
        return found

    assert at_once(look, 8) == [[-1] * (20 * len(sizes))] * 8


def test_children_are_dropped_where_others_are_made() -> None:
    board = Board(9)
    board.play(BLACK, (4, 4))
    expected = board.children(WHITE).hash.copy()

    def look(_: int) -> int:
        return sum(not np.array_equal(board.children(WHITE).hash, expected) for _ in range(200))

    assert at_once(look) == [0] * THREADS


def test_points_are_hashed_once() -> None:
    for _ in range(100):
        points = PointSet([(x, x) for x in range(19)], 19)
        assert len(set(at_once(lambda _, of=points: hash(of)))) == 1


def test_the_problems_of_a_record_are_one_tuple() -> None:
    for _ in range(50):
        decoded = decode(b"(;GM[1]SZ[9];B[zz];W[!!])", "sgf")
        found = at_once(lambda _, of=decoded: of.problems)
        assert found[0]
        assert all(problems is found[0] for problems in found)


def test_each_header_has_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    all_there = threading.Barrier(THREADS)
    header_of = header_book.header_of

    def together(*arguments: Any) -> Any:
        """All threads find that nobody has judged this header yet."""
        all_there.wait()
        return header_of(*arguments)

    monkeypatch.setattr(header_book, "header_of", together)
    book = header_book.HeaderCache(None)
    keys = [header_key("sgf", 0, (b"%d" % komi, b"B+R", None, b"Japanese", None)) for komi in range(40)]
    numbers = at_once(lambda _: book.numbers(keys))
    assert len(book) == len(keys)
    assert numbers == [list(range(len(keys)))] * THREADS


# --- what one thread changes while others read it -------------------------------------------------


def test_a_list_of_texts_that_changes_while_it_is_read() -> None:
    texts = [SGF] * 500
    over = threading.Event()

    def work(number: int) -> int:
        if number == 0:
            while not over.is_set():
                texts.extend([SGF] * 5000)
                del texts[500:]
            return 0
        wrong = 0
        try:
            for _ in range(8 if is_quick() else 30):
                rows = wei7core.replay(texts)
                wrong += int((rows.to_numpy()["moves"] != 4).sum())
        finally:
            over.set()
        return wrong

    assert at_once(work, 2) == [0, 0]


def test_a_board_that_all_use() -> None:
    board = Board(9)
    over = threading.Event()

    def change() -> None:
        moves = random.Random(1)
        try:
            for _ in range(1500):
                try:
                    board.play(moves.choice((BLACK, WHITE)), (moves.randrange(9), moves.randrange(9)))
                except IllegalMoveError:
                    board.undo(min(board.move_count, moves.randrange(1, 6)))
        finally:
            over.set()

    def copies() -> None:
        while not over.is_set():
            copy = board.copy()
            copy._check()
            assert Board.from_position(copy.position()) == copy
            copy.undo(copy.move_count // 2)
            copy.play(WHITE, None)
            copy._check()

    def look() -> None:
        while not over.is_set():
            board.is_legal(BLACK, (4, 4), "aga")
            board.canonical_hash, board.last_move, board.moves(), board.pass_alive(WHITE)
            assert (board.to_array() <= WHITE).all()
            for block in board.blocks():
                assert len(block.stones) == len(block)
            wei7core.to_planes([board], BLACK, history=2)

    def children() -> None:
        while not over.is_set():
            found = board.children(BLACK, "japanese")
            assert int(found.legal.sum()) == len(found)
            wei7core.expand([board], BLACK, rules="aga")

    at_once(lambda number: (change, copies, look, children)[number]())
    board._check()


def test_threads_take_turns_at_the_pause_points_of_a_record() -> None:
    record = decode(b"(;GM[1]SZ[9]" + b";B[aa];W[bb];B[];W[]" * 200 + b")", "sgf")
    alone = list(pause_points(record))
    for _ in range(5):
        points = pause_points(record)
        taken = at_once(lambda _, of=points: list(of))
        assert sorted((point for one in taken for point in one), key=lambda point: point.move_number) == alone


# --- code that runs in between ---------------------------------------------------------------------


def test_moves_are_those_of_one_moment() -> None:
    """Making a list may set off the collection of garbage, which runs whatever code objects end with."""
    points = [(number % 19, number // 19) for number in range(300)]
    board = Board(19)

    def play(first: int) -> list[Any]:
        board.undo(board.move_count)
        for number, point in enumerate(points):
            board.play(1 + (first + number) % 2, point)
        return [(1 + (first + number) % 2, point) for number, point in enumerate(points)]

    class Last:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            play(1)

    before = play(0)
    thresholds = gc.get_threshold()
    gc.collect()
    Last()
    gc.set_threshold(100)
    try:
        found = board.moves()
    finally:
        gc.set_threshold(*thresholds)
    assert found == before
    gc.collect()
    assert board.moves() == play(1)
