"""What does it cost to judge games, compared with replaying them? From start to exit of the command, by the wall clock.

    python -m pytest benchmarks/test_check.py

Both commands read the same file of SGF and write a table. `check` judges by Tromp-Taylor rules and compares all games
with each other. What it reports for some games is first compared with what the slow judge reports for them one by one.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from pathlib import Path

import games
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from wei7core.batch.options import Options
from wei7core.checking.codes import BETWEEN_CODES
from wei7core.checking.judge import judge_text
from wei7core.checking.selection import Selection
from wei7core.rules import TROMP_TAYLOR
from wei7core.sources.sources import Sources

CHECKED = 300
ROUNDS = 5
UNTIMED = {"CHECKED": 20, "ROUNDS": 1}
COMMANDS = {"replay": [], "check": ["--rules", "tromp-taylor"]}


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A collection of games, and their number."""
    path = tmp_path_factory.mktemp("check") / "games.sgf"
    texts = games.sgf_texts()
    path.write_bytes(b"".join(texts))
    return path, len(texts)


def command(name: str, source: Path, out: Path) -> list[str]:
    return [sys.executable, "-m", "wei7core", name, str(source), "-o", str(out), "-q", *COMMANDS[name]]


def best_of(arguments: list[str]) -> float:
    """Return the seconds by the clock of the quickest of some runs."""
    seconds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        subprocess.run(arguments, check=False)
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def found_one_by_one(source: Path) -> list[list[str]]:
    """What the slow judge reports for the first games."""
    shows = Selection.of().shows
    found = []
    for text in Sources(str(source)):
        if text.record == CHECKED:
            break
        found += filter(shows, judge_text(text, TROMP_TAYLOR, Options()).findings)
    return [[one.code, str(one.record), str(one.offset), one.message] for one in found]


@pytest.mark.parametrize("name", COMMANDS)
def test_command(benchmark: BenchmarkFixture, source: tuple[Path, int], tmp_path: Path, name: str) -> None:
    path, count = source
    out = tmp_path / "out.csv"
    assert subprocess.run(command(name, path, out), check=False).returncode == (name == "check")
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if name == "replay":
        assert len(rows) == count
    else:
        few = [row for row in rows if int(row["record"]) < CHECKED and row["code"] not in BETWEEN_CODES]
        assert [[row[key] for key in ("code", "record", "offset", "message")] for row in few] == found_one_by_one(path)
    # Timed here, whatever the timer of the benchmarks is: they are other processes.
    seconds = benchmark.pedantic(best_of, (command(name, path, out),), rounds=1)
    if benchmark.stats is not None:
        benchmark.extra_info["us_per_game"] = seconds * 1e6 / count
