"""What does an index cost, to make and to ask?

    python -m pytest benchmarks/test_index.py --benchmark-timer=time.process_time

The hits are compared with a search of every position of some games before anything is timed.
"""

from __future__ import annotations

import functools
from pathlib import Path

import games
import pytest
from oracles import found
from pytest_benchmark.fixture import BenchmarkFixture

import wei7core as w7
from wei7core.batch.index.patterns import Region

LETTERS = "abcdefghijklmnopqrs"
PATTERNS = {
    "corner": ".....\n.....\n..OO.\n..XX.\n.....",
    "side": "......\n......\n..X..X\n......",
    "anywhere": "??O??\n?XXO?\n?XOO?\n?XO??",
}
CHECKED = {"board": 50, "corner": 50, "side": 10, "anywhere": 2}
OPENING_MOVES = 4
ROUNDS = 3
UNTIMED = {"CHECKED": {"board": 10, "corner": 10, "side": 2, "anywhere": 1}}


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.sgf"
    with open(path, "w", encoding="ascii") as file:
        for game in games.all_games().games:
            moves = (f";{'BW'[color - 1]}[{sgf_point(point)}]" for color, point in game.moves)
            file.write(f"(;GM[1]FF[4]SZ[19]{''.join(moves)})\n")
    return path


def sgf_point(point: tuple[int, int] | None) -> str:
    return "" if point is None else LETTERS[point[0]] + LETTERS[point[1]]


@pytest.fixture(scope="module")
def index(records: Path) -> w7.Index:
    return w7.Index.create(records.with_name("games.w7i"), str(records))


@pytest.fixture(scope="module")
def patterns() -> dict[str, str]:
    """The pattern of each region; that of the board is the opening of the first game."""
    board = w7.Board(19)
    for color, point in games.all_games().games[0].moves[:OPENING_MOVES]:
        board.play(color, point)
    rows = ("".join(".XO"[color] for color in row) for row in board.to_array().tolist())
    return {"board": "\n".join(rows), **PATTERNS}


def test_create(benchmark: BenchmarkFixture, records: Path, summary: list[str]) -> None:
    made = 0

    def create() -> w7.Index:
        nonlocal made
        made += 1
        return w7.Index.create(records.with_name(f"{made}.w7i"), str(records))

    index = benchmark.pedantic(create, rounds=ROUNDS)
    count = len(games.all_games().games)
    seconds = games.best_seconds(benchmark)
    if seconds is not None:
        benchmark.extra_info["us_per_game"] = seconds * 1e6 / count
    assert len(index) == count
    assert index.stats()["positions"] == games.all_games().move_count + count
    summary.append(f"index of {count:,} games: {index.stats()['bytes'] / count:,.0f} bytes a game")


@functools.cache
def listed(number: int) -> found.Listed:
    """One of the games, whose positions the slow search keeps."""
    return found.Listed(19, 19, events=[("move", *move) for move in games.all_games().games[number].moves])


@pytest.mark.parametrize("region", CHECKED)
def test_find(benchmark: BenchmarkFixture, index: w7.Index, patterns: dict[str, str], region: Region) -> None:
    pattern = patterns[region]
    some = range(CHECKED[region])
    wanted, followed = found.search([listed(number) for number in some], pattern.splitlines(), region, True, False)
    hits = index.find(pattern, region, where=list(some))
    assert [tuple(row) for row in hits] == wanted
    assert {(row.point, row.color): tuple(row)[2:] for row in hits.continuations()} == followed
    whole = benchmark.pedantic(index.find, (pattern, region), rounds=ROUNDS, warmup_rounds=1)
    assert len(whole) >= len(hits)
    note(benchmark, "us_per_query")


@pytest.mark.parametrize("region", PATTERNS)
def test_rows(benchmark: BenchmarkFixture, index: w7.Index, patterns: dict[str, str], region: Region) -> None:
    """The positions of all games that have a pattern."""
    count = benchmark.pedantic(lambda: index.find(patterns[region], region).row_count, rounds=ROUNDS, warmup_rounds=1)
    assert count >= len(index.find(patterns[region], region))
    note(benchmark, "us_per_query")


def test_continuations(benchmark: BenchmarkFixture, index: w7.Index, patterns: dict[str, str]) -> None:
    """A whole position and the moves that followed it."""

    def ask() -> tuple[int, int]:
        hits = index.find(patterns["board"])
        return len(hits), sum(row.games for row in hits.continuations())

    games_found, moves = benchmark.pedantic(ask, rounds=5 * ROUNDS, warmup_rounds=1)
    assert moves >= games_found - 1 >= 0
    note(benchmark, "us_per_query")


def note(benchmark: BenchmarkFixture, unit: str) -> None:
    """Put the time of the quickest round into the table of figures."""
    seconds = games.best_seconds(benchmark)
    if seconds is not None:
        benchmark.extra_info[unit] = seconds * 1e6


def test_explorer(benchmark: BenchmarkFixture, index: w7.Index) -> None:
    """The opening moves of all games."""
    rows = benchmark.pedantic(index.explorer, (w7.Board(19),), rounds=ROUNDS)
    assert sum(row.games for row in rows) >= sum(bool(game.moves) for game in games.all_games().games)
