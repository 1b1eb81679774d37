"""How much do the flaws of real records cost? Games with a problem or in an old encoding, against the same games clean.

All is measured through `wei7core.replay`, from bytes in memory to columns, one core; last positions and captures are
compared with those that others computed before anything is timed. The games are those of the corpus where it is,
generated ones elsewhere.

    python -m pytest benchmarks/test_messy.py --benchmark-timer=time.process_time
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
from samples import corpus

import wei7core

GAMES = 4_000
POSITION_GAMES = 500
ROUNDS = 5

# The right and a wrong CA for an encoding; the letters of names.
ENCODINGS = {
    "gb18030": ("GB18030", "UTF-8", "古力九段执黑中盘胜柯洁李世石聂卫平马晓春常昊罗洗河周鹤洋王磊孔杰胡耀宇邱峻陈耀烨"),
    "gbk": ("GBK", "UTF-8", "林海峰九段執黑中盤勝王立誠張栩陳詩淵蕭正浩李哲芈昱廷范廷钰"),
    "big5": ("Big5", "UTF-8", "周俊勳九段執黑中盤勝王立誠林海峰張栩陳詩淵蕭正浩李功許"),
    "cp932": ("Shift_JIS", "Big5", "井山裕太名人黒中押勝山下敬吾高尾紳路張栩羽根直樹小林光一ソ表十"),
    "euc_kr": ("EUC-KR", "UTF-8", "이세돌구단흑불계승박정환최철한강동윤원성진백홍석"),
}
CASES = ("in UTF-8", "named", "not named", "named wrongly")


def chosen(count: int = GAMES) -> games.Games:
    return games.all_games().first(count)


def sgf_game(game: corpus.Game, name: Callable[[int], str], charset: str, tail: str = "", *, fork: bool = False) -> str:
    moves = [";" + "?BW"[color] + f"[{games.sgf_point(point)}]" for color, point in game.moves]
    if fork:  # the main line is the first variation
        half = len(moves) // 2
        moves = [*moves[:half], "(", *moves[half:], ")(", *moves[half + 1 :], ")"]
    head = (
        f"(;FF[4]GM[1]SZ[{game.width}]{charset}KM[6.5]PB[{name(3)}]PW[{name(4)}]EV[{name(8)}]PC[{name(4)}]RE[{name(2)}]"
    )
    return head + "".join(moves) + tail + ")\n"


def sgf_collection(count: int, encoding: str, named: str | None, letters: str, **options: Any) -> bytes:
    """Return the games as one text; names are the same in every encoding."""
    chance = random.Random(1)

    def name(size: int) -> str:
        return "".join(chance.choices(letters, k=size))

    charset = "" if named is None else f"CA[{named}]"
    texts = [sgf_game(game, name, charset, **options).encode(encoding) for game in chosen(count).games]
    assert len(set(texts)) == len(texts)
    return b"".join(texts)


def in_encoding(encoding: str, case: str, count: int = GAMES) -> bytes:
    right, wrong, letters = ENCODINGS[encoding]
    if case == "in UTF-8":
        return sgf_collection(count, "utf-8", "UTF-8", letters)
    return sgf_collection(count, encoding, {"named": right, "not named": None}.get(case, wrong), letters)


def damaged_sgf(case: str, count: int = GAMES) -> bytes:
    letters = ENCODINGS["gb18030"][2]
    tail = {"clean": "", "warning": "x;", "error": ";B[!!]"}[case]
    return sgf_collection(count, "utf-8", "UTF-8", letters, tail=tail)


def wei7_lines(case: str, count: int = GAMES) -> bytes:
    lines = []
    for game in chosen(count).games:
        document = games.wei7_document(game)
        steps = document["tree"]["steps"]
        if case == "warning":
            document["tree"]["note"] = game.id
        elif case == "error":
            steps.append({"action": {"type": "move", "value": {"color": 1, "point": {"x": 99, "y": 0}}}})
        elif case == "each step":
            for number, step in enumerate(steps):
                step["clock"] = {"left": number}
        lines.append(json.dumps(document, separators=(",", ":")).encode())
    return b"\n".join(lines)


def real_files() -> list[bytes]:
    """The files of the corpus that programs and servers have written, with what is wrong with them."""
    folder = corpus.folder()
    if folder is None:
        pytest.skip("the files are those of the corpus")
    return [path.read_bytes() for path in sorted((folder / "ai-sgf").glob("*.sgf"))]


POSITIONS: dict[str, Callable[[int], bytes]] = {
    "clean": lambda count: damaged_sgf("clean", count),
    "gb18030": lambda count: in_encoding("gb18030", "not named", count),
    "warning": lambda count: damaged_sgf("warning", count),
    "variations": lambda count: sgf_collection(count, "utf-8", "UTF-8", ENCODINGS["gb18030"][2], fork=True),
}


def check(results: wei7core.Results, count: int, *, failing: bool = False) -> None:
    found = [(corpus.sha16(row.board), row.black_captured, row.white_captured) for row in results]
    assert found == chosen(count).expected
    assert results.error_count == (len(found) if failing else 0)


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[dict[str, float]]:
    """Collect microseconds a game."""
    timings: dict[str, float] = {}
    yield timings
    summary.extend(f"messy records, {name}: {value:.2f} us a game" for name, value in timings.items())


def measure(benchmark: BenchmarkFixture, timings: dict[str, float], name: str, data: bytes) -> None:
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(lambda: wei7core.replay(data) and None, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        timings[name] = benchmark.extra_info["us_per_game"] = seconds / GAMES * 1e6


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encoding(benchmark: BenchmarkFixture, timings: dict[str, float], encoding: str, case: str) -> None:
    data = in_encoding(encoding, case)
    check(wei7core.replay(data, board=True), GAMES)
    measure(benchmark, timings, f"{encoding} {case}", data)


@pytest.mark.parametrize("case", ["clean", "warning", "error"])
def test_sgf_problem(benchmark: BenchmarkFixture, timings: dict[str, float], case: str) -> None:
    data = damaged_sgf(case)
    check(wei7core.replay(data, board=True), GAMES, failing=case == "error")
    measure(benchmark, timings, f"SGF, {case}", data)


@pytest.mark.parametrize("case", ["clean", "warning", "error", "each step"])
def test_wei7_problem(benchmark: BenchmarkFixture, timings: dict[str, float], case: str) -> None:
    data = wei7_lines(case)
    check(wei7core.replay(data, board=True), GAMES, failing=case == "error")
    measure(benchmark, timings, f"wei7, {case}", data)


@pytest.mark.parametrize("case", ["clean", "files"])
def test_real_files(benchmark: BenchmarkFixture, summary: list[str], case: str) -> None:
    """Real files that have little in common, each a text of its own, and clean games; by byte."""
    data = damaged_sgf("clean") if case == "clean" else real_files()
    size = len(data) if isinstance(data, bytes) else sum(map(len, data))
    results = wei7core.replay(data, board=True)
    if isinstance(data, bytes):
        check(results, GAMES)
    else:
        alone = [wei7core.replay(text, board=True) for text in data]
        rows = [row._replace(record=0) for row in results]
        assert rows == [row._replace(record=0) for found in alone for row in found]
    benchmark.extra_info["correct"] = True
    benchmark.pedantic(lambda: wei7core.replay(data) and None, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["megabytes_per_second"] = size / seconds / 1e6
        summary.append(f"{case}, replayed: {size / seconds / 1e6:.0f} MB/s")


@functools.cache
def positions_of(case: str) -> tuple[bytes, int]:
    """The text, and how many positions it has."""
    data = POSITIONS[case](POSITION_GAMES)
    results = wei7core.replay(data, board=True, positions=True)
    check(results, POSITION_GAMES)
    assert results.positions is not None
    last = [row.hash for row in results.positions if row.branch in ("-", "0")]
    assert {row.hash for row in results} <= set(last)
    return data, len(results.positions)


@pytest.mark.parametrize("canonical", [False, True], ids=["hash", "canonical"])
@pytest.mark.parametrize("case", POSITIONS)
def test_positions(benchmark: BenchmarkFixture, summary: list[str], case: str, canonical: bool) -> None:
    data, count = positions_of(case)
    if canonical:
        found = wei7core.replay(data, positions=True, canonical=True)
        ends = {row.record: row.canonical_hash for row in found.positions if row.branch in ("-", "0")}
        assert [ends[row.record] for row in found] == [row.canonical_hash for row in found]
    benchmark.extra_info["correct"] = True
    options = {"positions": True, "canonical": canonical}
    benchmark.pedantic(lambda: wei7core.replay(data, **options) and None, rounds=ROUNDS, warmup_rounds=1)
    if seconds := games.best_seconds(benchmark):
        benchmark.extra_info["ns_per_position"] = seconds / count * 1e9
        kind = "with canonical hashes" if canonical else "with hashes"
        summary.append(f"positions of {case} games {kind}: {seconds / count * 1e9:.1f} ns each")
