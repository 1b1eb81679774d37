"""The cost of hostile records, reports and edits grows with the size of the input.

`tests/test_linear_memory.py` measures the memory of the same records.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import pytest
from growth import MOST, growth, seconds
from helpers.uses import USES
from samples.hostile_shapes import TEXTS

from wei7core import Attempt, gtp, replay
from wei7core.errors import Wei7Error
from wei7core.game.game import Game
from wei7core.play.gtp.protocol import ResponseReader, parse_command
from wei7core.play.gtp.reports import parse_report
from wei7core.record.document import Branch, Move, Setup, Step
from wei7core.replaying.cursor import Place, node_at

TEXT: Final = 6_000
"""About how many bytes the smaller text of a shape has."""
LEAST_SECONDS: Final = 0.004
"""Below it a time depends more on the machine than on the input."""

# Each shape with the use that visits all of it, and with two of the others in turn.
OTHERS: Final = tuple(name for name in USES if name != "check by rules")
CASES: Final = [(shape, "check by rules") for shape in TEXTS] + [
    (shape, OTHERS[(row + turn) % len(OTHERS)]) for row, shape in enumerate(TEXTS) for turn in (0, 7)
]


def runs(use: Callable[[bytes], object], make: Callable[[int], bytes]) -> Callable[[int], Callable[[], None]]:
    def made(size: int) -> Callable[[], None]:
        data = make(size)

        def run() -> None:
            with suppress(Wei7Error, ValueError):
                use(data)

        return run

    return made


@pytest.mark.parametrize(("shape", "use"), CASES)
def test_records(shape: str, use: str) -> None:
    made = runs(USES[use], TEXTS[shape])
    # Most costs are so small at twice the size that no growth could matter; the others are compared.
    second = seconds(made(2 * TEXT))
    if second > LEAST_SECONDS and second > 2.6 * seconds(made(TEXT)):
        assert growth(made, TEXT) <= MOST


@pytest.mark.parametrize("shape", ["occupied points", "occupied steps"])
def test_lines_that_stop_at_each_move(shape: str) -> None:
    # A replay looks at so many moves at once that texts of the other test are too short.
    assert growth(runs(replay, TEXTS[shape]), 100_000) <= MOST


# --- GTP -----------------------------------------------------------------------------------------------------------


def response(size: int) -> Callable[[], object]:
    lines = ["=1", *["x" * 50] * size, ""]

    def read() -> None:
        reader = ResponseReader()
        for line in lines:
            reader.feed(line)

    return read


def report(size: int) -> Callable[[], object]:
    line = " ".join(f"info move E4 visits {number} order {number} pv E4 E3 pass" for number in range(size))
    return lambda: parse_report(line, 19, 19)


def long_pv(size: int) -> Callable[[], object]:
    line = "info move E4 pv " + "E4 " * size
    return lambda: parse_report(line, 19, 19)


def words(size: int) -> Callable[[], object]:
    line = "list " + "word " * size
    return lambda: parse_command(line)


def words_of_an_analysis(size: int) -> Callable[[], object]:
    engine = gtp.Engine()
    engine.analyze(lambda _board, _request: [])
    line = "kata-analyze " + "key value " * size
    return lambda: engine.execute(line)


def points_of_a_handicap(size: int) -> Callable[[], object]:
    engine = gtp.Engine()
    line = "set_free_handicap " + "pass " * size
    return lambda: engine.execute(line)


@pytest.mark.parametrize(
    ("make", "size"),
    [
        (response, 10_000),
        (report, 500),
        (long_pv, 10_000),
        (words, 50_000),
        (words_of_an_analysis, 8_000),
        (points_of_a_handicap, 8_000),
    ],
)
def test_gtp(make: Callable[[int], Callable[[], object]], size: int) -> None:
    assert growth(make, size) <= MOST


# --- attempts ------------------------------------------------------------------------------------------------------


def moves_of_an_attempt(size: int) -> Callable[[], object]:
    game = Game(9)
    branch = game.tree
    branch.pre = Setup(problem=1)
    for number in range(2 * size):
        branch = branch.add_branch()
        branch.play(1 + number % 2, None, "good")
    attempt = Attempt(game)
    return lambda: [attempt.play(None) for _ in range(size)]


def test_a_move_of_an_attempt_costs_the_same_wherever_it_is() -> None:
    assert growth(moves_of_an_attempt, 150) <= MOST


# --- edits ---------------------------------------------------------------------------------------------------------


def edits(count: int) -> Callable[[], object]:
    game = Game(9)
    game.tree.branches = [Branch(steps=[Step(Move(1, (0, 0))), Step(Move(2, (1, 1)))]) for _ in range(count)]
    last = Place(game.tree.branches[-1], Place(game.tree), count - 1)
    node = node_at(game.root.source, last, 0, 1)
    return lambda: [node.play((3, 3)).play((4, 4)).delete() for _ in range(200)]


def test_editing_one_of_many_variations_costs_what_it_touches() -> None:
    assert growth(edits, 5_000, most=3.0) <= 3.0
