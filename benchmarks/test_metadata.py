"""What do columns of metadata cost? `replay` with and without them, over the same records, one core.

The headers differ from game to game as those of archives do: thousands of players, days and results. All columns are
compared with the headers before anything is timed. The peer is what people write: `loads_all`, and the root
node of each game.

    python -m pytest benchmarks/test_metadata.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import games
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import wei7core

GAMES = 4_000
PEER_GAMES = 200
ROUNDS = 5
PLAYERS = 2_000
UNTIMED = {"PEER_GAMES": 50}
LETTERS = "古力柯洁李世石聂卫平马晓春常昊abcdefghijklmnopqrstuvwxyz"

Header = dict[str, Any]


@functools.cache
def headers(count: int = GAMES) -> list[Header]:
    """The header of each game."""
    chance = random.Random(26)
    players = ["".join(chance.choices(LETTERS, k=chance.randint(2, 12))) for _ in range(PLAYERS)]
    found = []
    for _ in range(count):
        winner, margin = chance.choice((1, 2)), chance.choice((None, *(k / 2 for k in range(1, 80, 2))))
        header = {
            "black": chance.choice(players),
            "white": chance.choice(players),
            "black_rank": f"{chance.randint(1, 9)}p",
            "white_rank": f"{chance.randint(1, 9)}p",
            "place": chance.choice(players[:50]),
            "date": f"{chance.randint(1950, 2026)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}",
            "komi": chance.choice((5.5, 6.5, 7.5)),
            "rules": chance.choice(("chinese", "japanese", "korean")),
            "winner": winner,
            "margin": margin,
        }
        found.append(header)
    return found


def sgf(count: int = GAMES) -> bytes:
    texts = []
    for game, header in zip(games.all_games().first(count).games, headers(), strict=False):
        moves = "".join(";" + "?BW"[color] + f"[{games.sgf_point(point)}]" for color, point in game.moves)
        result = f"{'?BW'[header['winner']]}+{'R' if header['margin'] is None else header['margin']}"
        texts.append(
            f"(;FF[4]GM[1]SZ[{game.width}]CA[UTF-8]AP[benchmark:1]KM[{header['komi']}]"
            f"RU[{header['rules'].capitalize()}]PB[{header['black']}]PW[{header['white']}]"
            f"BR[{header['black_rank']}]WR[{header['white_rank']}]PC[{header['place']}]"
            f"EV[Cup]RO[1]DT[{header['date']}]RE[{result}]TM[3600]OT[3x60 byo-yomi]\n{moves})\n"
        )
    return "".join(texts).encode()


def wei7(count: int = GAMES) -> bytes:
    lines = []
    for game, header in zip(games.all_games().first(count).games, headers(), strict=False):
        document = games.wei7_document(game)
        document["info"] |= {
            "rules": {"type": header["rules"].capitalize(), "komi": header["komi"]},
            "time": f"{header['date']}T10:00Z",
            "place": header["place"],
            "participants": [{"name": header[color], "rank": header[f"{color}_rank"]} for color in ("black", "white")],
            "players": [{"participant": 0, "color": 1}, {"participant": 1, "color": 2}],
            "result": {"winner": header["winner"]},
        }
        if header["margin"] is not None:
            document["info"]["result"]["margin"] = header["margin"]
        lines.append(json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode())
    return b"\n".join(lines)


FORMATS: dict[str, Callable[[int], bytes]] = {"SGF": sgf, "wei7": wei7}


def chosen() -> int:
    """How many games there are."""
    return len(games.all_games().first(GAMES).games)


def check(results: wei7core.Results) -> None:
    assert len(results) == chosen()
    for row, header in zip(results, headers(), strict=False):
        assert {name: getattr(row, name) for name in header} == header
        assert row.ending == ("resign" if header["margin"] is None else "score")
        assert len(row.first_moves.split()) == min(12, row.moves)


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[dict[str, dict[bool, float]]]:
    """Collect seconds without and with metadata, by format."""
    timings: dict[str, dict[bool, float]] = {}
    yield timings
    for name, both in timings.items():
        if len(both) == 2:
            summary.append(
                f"metadata of {name}: {both[False] / chosen() * 1e6:.2f} us a game without, "
                f"{both[True] / chosen() * 1e6:.2f} with, {both[True] / both[False]:.2f} times"
            )


@pytest.mark.parametrize("metadata", [False, True], ids=["without", "with"])
@pytest.mark.parametrize("format", FORMATS)
def test_metadata(
    benchmark: BenchmarkFixture, timings: dict[str, dict[bool, float]], format: str, metadata: bool
) -> None:
    data = FORMATS[format](GAMES)
    check(wei7core.replay(data, metadata=True))
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(lambda: wei7core.replay(data, metadata=metadata) and None, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        timings.setdefault(format, {})[metadata] = seconds
        benchmark.extra_info["us_per_game"] = seconds / chosen() * 1e6


def root_of(game: wei7core.Game) -> tuple[Any, ...]:
    result = game.result
    info = game.info
    names = info.black_name, info.white_name, info.place
    return *names, None if result is None else result.winner, game.get("DT"), game.rules and game.rules.name


def test_python(benchmark: BenchmarkFixture, summary: list[str]) -> None:
    data = sgf(PEER_GAMES)
    found = [root_of(game) for game in wei7core.loads_all(data)]
    members = ("black", "white", "place", "winner", "date", "rules")
    assert found == [tuple(header[name] for name in members) for header in headers()[:PEER_GAMES]]
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(lambda: [root_of(game) for game in wei7core.loads_all(data)], rounds=3)
    if seconds := games.best_seconds(benchmark):
        summary.append(f"metadata by loads_all, in Python: {seconds / PEER_GAMES * 1e6:.0f} us a game")
