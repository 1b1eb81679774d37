"""What does an action of a live game cost, one game after another and 10,000 games at once, with and without a journal?

On one core. The games are those of the corpus where it is, generated ones elsewhere; boards and recovered journals are
compared with what is known of the games before anything is timed. The floor of a journal is timed in the same run: its
lines, made already, written to files of their own by `os.write`. With journals there are as many games at once as the
process may have files.

    python -m pytest benchmarks/test_live.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import games
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from samples import corpus

import wei7core as w7

ROUNDS = 3
GAMES = 200
AT_ONCE = 10_000
JOURNALS_AT_ONCE = 200
UNTIMED = {"JOURNALS_AT_ONCE": 20}
FLOOR = "os.write of the lines of a journal"

Lines = list[list[w7.Move]]


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[dict[str, float]]:
    """Collect microseconds an action; print them at the end."""
    timings: dict[str, float] = {}
    yield timings
    summary.extend(f"live game, {name}: {value:.2f} us an action" for name, value in timings.items())


def lines_of(count: int) -> Lines:
    texts = games.sgf_texts()[:count]
    return [[w7.Move(*move) for node in w7.loads(text).main_line() if (move := node.move)] for text in texts]


def play(lives: list[w7.LiveGame], lines: Lines) -> None:
    for live, moves in zip(lives, lines, strict=True):
        append = live.append
        for number, move in enumerate(moves):
            append(move, number % 2, number)


def play_in_turn(lives: list[w7.LiveGame], lines: Lines) -> None:
    """An action for each game, then the next one for each."""
    appends = [live.append for live in lives]
    for number, moves in enumerate(zip_longest(*lines)):
        for append, move in zip(appends, moves, strict=True):
            if move is not None:
                append(move, number % 2, number)


def note(benchmark: BenchmarkFixture, timings: dict[str, float], name: str, actions: int) -> None:
    benchmark.extra_info["correct"] = True
    if benchmark.enabled:
        timings[name] = benchmark.extra_info["us_per_action"] = 1e6 * benchmark.stats.stats.min / actions


JUDGED = {"rules": "chinese", "clock": w7.TimeSetting.fischer(100_000, 10)}


def is_played_by(line: list[w7.Move], rules: str) -> bool:
    """Whether the rules allow every move of a line."""
    board = w7.Board(19)
    for move in line:
        if not board.is_legal(move.color, move.point, rules):
            return False
        board.play(move.color, move.point)
    return all(move.color == 1 + number % 2 for number, move in enumerate(line))


@pytest.mark.parametrize("journal", [False, True], ids=["memory", "journal"])
@pytest.mark.parametrize("options", [{}, JUDGED], ids=["plain", "judged"])
@pytest.mark.parametrize("in_turn", [False, True], ids=["one by one", "at once"])
def test_live(
    benchmark: BenchmarkFixture,
    timings: dict[str, float],
    tmp_path: Path,
    in_turn: bool,
    options: dict[str, Any],
    journal: bool,
) -> None:
    chosen = games.all_games().first(GAMES)
    lines = lines_of(len(chosen.games))
    expected = list(chosen.expected)
    if options:
        kept = [number for number, line in enumerate(lines) if is_played_by(line, "chinese")]
        lines, expected = [lines[number] for number in kept], [expected[number] for number in kept]
    if in_turn:
        wanted = JOURNALS_AT_ONCE if journal else AT_ONCE if benchmark.enabled else len(lines)
        lines = [lines[number % len(lines)] for number in range(wanted)]
        expected = [expected[number % len(expected)] for number in range(wanted)]
    work = play_in_turn if in_turn else play
    made: list[w7.LiveGame] = []
    rounds = 0

    def end() -> None:
        for live in made if journal else ():  # the record of a game in memory is not wanted, and takes longer
            live.close()
        made.clear()

    def start() -> tuple[tuple[list[w7.LiveGame], Lines], dict[str, object]]:
        nonlocal made, rounds
        end()
        rounds += 1
        folder = tmp_path / str(rounds)
        folder.mkdir()
        made = [
            w7.LiveGame(19, journal=folder / str(number) if journal else None, **options)
            for number in range(len(lines))
        ]
        return (made, lines), {}

    start()
    work(made, lines)
    for number, (live, final) in enumerate(zip(made, expected, strict=True)):
        recovered = w7.LiveGame.recover(tmp_path / "1" / str(number)) if journal and number % 10 == 0 else live
        board = recovered.board
        assert (corpus.sha16(corpus.board_text(board.to_array())), board.black_captured, board.white_captured) == final
    judged = ", with rules and a clock" if options else ""
    name = (
        f"{'in turn' if in_turn else 'one by one'}, {len(lines):,} games{' with a journal' if journal else ''}{judged}"
    )
    benchmark.pedantic(work, setup=start, rounds=ROUNDS if len(lines) < AT_ONCE else 1)
    end()
    note(benchmark, timings, name, sum(map(len, lines)))


def test_floor_of_a_journal(benchmark: BenchmarkFixture, timings: dict[str, float], tmp_path: Path) -> None:
    lines = lines_of(len(games.all_games().first(GAMES).games))
    lives = [w7.LiveGame(19) for _ in lines]
    play(lives, lines)
    texts = [[f"{event.to_json()}\n".encode() for event in live.events] for live in lives]
    files = [os.open(tmp_path / str(number), os.O_WRONLY | os.O_CREAT) for number in range(len(texts))]

    def write() -> None:
        for file, rows in zip(files, texts, strict=True):
            for row in rows:
                os.write(file, row)

    write()
    assert (tmp_path / "0").read_bytes() == b"".join(texts[0])
    benchmark.pedantic(write, rounds=ROUNDS)
    for file in files:
        os.close(file)
    note(benchmark, timings, FLOOR, sum(map(len, lines)))
