"""How many positions a second does a network get from records? A fourth of the games is read, thousands of them.

    python -m pytest benchmarks/test_samples.py --benchmark-timer=time.process_time

The peer is a loader as one writes it by hand with `loads`, `Board` and `to_planes`, over some of the games. Its rows
are compared with those of `samples` before anything is timed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import games
import numpy as np
import numpy.typing as npt
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import wei7core as w7

GAMES = 5_000
PEER_GAMES = 100
KATAGO_ROWS = 100_000
ROUNDS = 3
POINTS = 361
UNTIMED = {"PEER_GAMES": 10}

Row = tuple[npt.NDArray[np.uint8], int, float]


@pytest.fixture(scope="module", params=["sgf", "wei7"])
def records(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    if request.param == "sgf":
        path = folder / "games.sgf"
        path.write_bytes(b"".join(games.sgf_texts()[:GAMES]))
    else:
        path = folder / "games.jsonl"
        path.write_bytes(b"".join(games.wei7_text(game) + b"\n" for game in games.all_games().games[:GAMES]))
    return path


def by_hand(texts: list[bytes], seed: int) -> Iterator[Row]:
    """The rows of records with planes, move and result, under random symmetries."""
    chance = random.Random(seed)
    for text in texts:
        game = w7.loads(text)
        winner = game.result.winner if game.result else None
        board = w7.Board(19)
        for node in game.main_line():
            if node.move is None:
                continue
            color, point = node.move
            planes = w7.to_planes(board, color, features="alphago-zero")
            policy = POINTS if point is None else point[1] * 19 + point[0]
            symmetry = chance.randrange(8)
            value = float("nan") if winner is None else 1.0 if winner == color else -1.0
            yield shown(planes, symmetry), int(image(symmetry)[policy]), value
            board.play(color, point)


def shown(planes: npt.NDArray[Any], symmetry: int) -> npt.NDArray[Any]:
    if symmetry & 4:
        planes = planes.swapaxes(-1, -2)
    if symmetry & 1:
        planes = planes[..., ::-1]
    return np.ascontiguousarray(planes[..., ::-1, :] if symmetry & 2 else planes)


def image(symmetry: int) -> npt.NDArray[np.int64]:
    """Where a symmetry takes each point; the pass stays."""
    places = np.empty(POINTS + 1, np.int64)
    places[shown(np.arange(POINTS).reshape(19, 19), symmetry).ravel()] = np.arange(POINTS)
    places[POINTS] = POINTS
    return places


def check() -> None:
    """The rows of some games are those of the loader by hand."""
    texts = games.sgf_texts()[:5]
    wanted = [row for text in texts for row in by_hand([text], 1)]
    batch = next(w7.samples(b"".join(texts), len(wanted), shuffle=0, symmetry="none"))
    chance = random.Random()
    number = 0
    for text in texts:
        chance.seed(1)
        for _ in range(len(list(by_hand([text], 1)))):
            symmetry = chance.randrange(8)
            planes, policy, value = wanted[number]
            assert np.array_equal(shown(batch.planes[number], symmetry), planes)
            assert image(symmetry)[batch.policy[number]] == policy
            assert batch.value[number] == value or (np.isnan(value) and np.isnan(batch.value[number]))
            number += 1
    assert number == len(batch)


def rows_of(records: Path, **options: Any) -> int:
    return sum(len(batch) for batch in w7.samples(records, **options))


@pytest.mark.parametrize("options", ["plain", "in-order", "legal"])
def test_samples(benchmark: BenchmarkFixture, records: Path, options: str, summary: list[str]) -> None:
    check()
    more: dict[str, Any] = {"plain": {}, "in-order": {"shuffle": 0}, "legal": {"legal": True}}[options]
    count = benchmark.pedantic(rows_of, (records,), more, rounds=1 if options == "legal" else ROUNDS)
    assert count == games.all_games().first(GAMES).move_count
    if benchmark.stats is not None:
        summary.append(
            f"samples of {records.suffix[1:]}, {options}: {count / benchmark.stats.stats.min:,.0f} rows a second"
        )


def test_samples_of_katago(benchmark: BenchmarkFixture, records: Path, summary: list[str]) -> None:
    """The planes of KataGo of some of the games, in order: a shuffled buffer would read all of them first."""
    most = KATAGO_ROWS if benchmark.enabled else KATAGO_ROWS // 100

    def load() -> int:
        count = 0
        for batch in w7.samples(records, features="katago-v7", shuffle=0):
            count += len(batch)
            if count >= most:
                break
        return count

    count = benchmark.pedantic(load, rounds=ROUNDS)
    assert count >= most
    if benchmark.stats is not None:
        summary.append(
            f"samples of {records.suffix[1:]}, planes of KataGo: {count / benchmark.stats.stats.min:,.0f} rows a second"
        )


def test_loader_by_hand(benchmark: BenchmarkFixture, summary: list[str]) -> None:
    texts = games.sgf_texts()[:PEER_GAMES]

    def load() -> int:
        return sum(1 for _ in by_hand(texts, 1))

    count = benchmark.pedantic(load, rounds=ROUNDS)
    assert count == sum(len(game.moves) for game in games.all_games().games[:PEER_GAMES])
    if benchmark.stats is not None:
        summary.append(f"a loader by hand: {count / benchmark.stats.stats.min:,.0f} rows a second")
