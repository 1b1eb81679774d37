"""What the command line costs as a whole: `wei7core replay` from start to exit, against the same work in a process.

Processes are timed from outside, by the clock on the wall, and their peak memory is the system's figure.
"""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from table import Figure

ROOT = Path(__file__).resolve().parents[1]
PYTHON = sys.executable
LAUNCHER = [PYTHON, "-I", "-S", str(ROOT / "benchmarks" / "launcher.py")]
COMMAND = [PYTHON, "-m", "wei7core", "replay"]
ROUNDS = 3
GIGABYTE_RECORDS = 70_000
"""Records of wei7 that come to 1 GB, with the games of the corpus."""

IN_PROCESS = """
import sys, time, wei7core
with open(sys.argv[1], "rb") as file:
    lines = file.read().splitlines()
seconds, counts = [9e9] * 3, set()
for _ in range(2):
    for way, (inputs, jobs) in enumerate(((lines, 1), (sys.argv[1], 1), (sys.argv[1], 2))):
        begin = time.perf_counter()
        counts.add(len(wei7core.replay(inputs, jobs=jobs)))
        seconds[way] = min(seconds[way], time.perf_counter() - begin)
print(*seconds, *counts)
"""
"""The seconds of three ways: records in a list, the file, which is in the cache of the system, and that with
two jobs; and then how many rows there were."""

IN_PROCESS_WAYS = ("in process, list", "in process, one job", "in process, two jobs")


@dataclass(frozen=True)
class Run:
    """A process that has ended well. Seconds on the wall and of processor time; peak memory in bytes."""

    seconds: float
    processor_seconds: float
    peak: int
    stdout: str
    stderr: str


class Running:
    """A process, from its start."""

    def __init__(self, command: Sequence[str], stdin: Any = None, stdout: Any = None, processors: int = 0) -> None:
        self._command = command
        with contextlib.ExitStack() as stack:
            # Files, because nobody reads a pipe before the end, and it could fill up.
            self._texts = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(2)]
            self._report = stack.enter_context(tempfile.NamedTemporaryFile("r"))
            self._files = stack.pop_all()
        self.process = subprocess.Popen(
            [*LAUNCHER, self._report.name, str(processors), *command],
            cwd=ROOT,
            stdin=stdin,
            stdout=stdout or self._texts[0],
            stderr=self._texts[1],
        )

    def wait(self) -> Run:
        """Return what it took; raise `RuntimeError` with its output if it fails."""
        status = self.process.wait()
        with self._files:
            for file in self._texts:
                file.seek(0)
            stdout, stderr = (file.read() for file in self._texts)
            if status:
                raise RuntimeError(f"{' '.join(self._command)}: status {status}\n{stderr}")
            seconds, processor_seconds, peak = self._report.read().split()
        return Run(float(seconds), float(processor_seconds), int(peak), stdout, stderr)


def run(command: Sequence[str], processors: int = 0) -> Run:
    """Return what a command took that may use so many processors (0: all)."""
    return Running(command, processors=processors).wait()


def generate_command(count: int, out: str, shape: str = "wei7") -> list[str]:
    return [PYTHON, "-m", "benchmarks.generate", str(count), out, "--shape", shape]


def generate(folder: Path, count: int, shape: str = "wei7") -> Path:
    out = folder / f"{count}.{'sgf' if shape == 'sgf' else 'jsonl'}"
    run(generate_command(count, str(out), shape))
    return out


def replay(source: Path, output: Path, jobs: int = 1, processors: int = 0) -> Run:
    return run([*COMMAND, str(source), "-o", str(output), "--jobs", str(jobs)], processors)


@functools.cache
def output_kind() -> str:
    """Return the suffix of the output: Parquet where it can be written, CSV elsewhere."""
    with tempfile.TemporaryDirectory(prefix="wei7core-") as name:
        record = Path(name) / "empty.wei7"
        record.write_text('{"format":"wei7","version":"3.0","tree":{}}')
        try:
            replay(record, Path(name) / "rows.parquet")
        except RuntimeError:
            return ".csv"
    return ".parquet"


def row_count(output: Path) -> int:
    """Return the number of rows, found by another process."""
    if output.suffix == ".parquet":
        code = "import sys, pyarrow.parquet as p; print(p.read_metadata(sys.argv[1]).num_rows)"
    else:
        code = "import sys, csv; print(sum(1 for _ in csv.reader(open(sys.argv[1], newline=''))) - 1)"
    return int(run([PYTHON, "-c", code, str(output)]).stdout)


def speeds(source: Path, count: int, folder: Path, rounds: int = ROUNDS) -> dict[str, Figure]:
    """Return MB/s, best of some rounds by turns: one job and two, from start to exit, and the call in a process.

    Both outputs are the same and have a row for each record, else it raises `RuntimeError`; so does a record with
    an error.
    """
    size = source.stat().st_size / 1e6
    kind = output_kind()
    outputs = [folder / f"one{kind}", folder / f"two{kind}"]
    best: dict[str, float] = {}
    for _ in range(rounds):
        seconds = {
            "whole process, one job": replay(source, outputs[0]).seconds,
            "whole process, two jobs": replay(source, outputs[1], jobs=2).seconds,
        }
        texts = run([PYTHON, "-c", IN_PROCESS, str(source)]).stdout.split()
        if (rows := texts[len(IN_PROCESS_WAYS) :]) != [str(count)]:
            raise RuntimeError(f"{' and '.join(rows)} rows in process, not {count}")
        seconds |= dict(zip(IN_PROCESS_WAYS, map(float, texts), strict=False))
        seconds["in process"] = min(seconds["in process, list"], seconds["in process, one job"])
        best = {name: min(took, best.get(name, took)) for name, took in seconds.items()}
    if outputs[0].read_bytes() != outputs[1].read_bytes():
        raise RuntimeError("two jobs do not write what one writes")
    if (rows_written := row_count(outputs[0])) != count:
        raise RuntimeError(f"{rows_written} rows written, not {count}")
    return {name: (size / took, "megabytes_per_second") for name, took in best.items()}


def large_speeds(source: Path, folder: Path, rounds: int = ROUNDS) -> dict[str, Figure]:
    """Return MB/s with one job on one processor and with two on two, from start to exit, best of some rounds by turns.

    Both outputs are the same, else it raises `RuntimeError`. Without bounds one job would have two processors: what
    encodes Parquet is a thread of its own. Empty where processes cannot be bound.
    """
    if not hasattr(os, "sched_setaffinity"):
        return {}
    outputs = {jobs: folder / f"large{jobs}{output_kind()}" for jobs in (1, 2)}
    best: dict[int, float] = {}
    for _ in range(rounds):
        for jobs, output in outputs.items():
            best[jobs] = min(replay(source, output, jobs, jobs).seconds, best.get(jobs, float("inf")))
    if outputs[1].read_bytes() != outputs[2].read_bytes():
        raise RuntimeError("two jobs do not write what one writes")
    names = {1: "whole process, 10 GB, one job", 2: "whole process, 10 GB, two jobs"}
    return {names[jobs]: (source.stat().st_size / 1e6 / took, "megabytes_per_second") for jobs, took in best.items()}


def peaks(small: Path, large: Path, folder: Path) -> dict[str, Figure]:
    """Return the peak memory, in MB, of one job with a file and with one ten times as large."""
    output = folder / f"peak{output_kind()}"
    return {
        name: (replay(source, output).peak / 1e6, "megabytes")
        for name, source in {"peak memory, 1 GB": small, "peak memory, 10 GB": large}.items()
    }


def figures(
    *,
    speed: bool = True,
    large: bool = True,
    memory: bool = True,
    records: int = GIGABYTE_RECORDS,
    rounds: int = ROUNDS,
) -> dict[str, Figure]:
    """Return speeds and peaks with `records` records, and `large` speeds and a second peak with ten times as many."""
    found: dict[str, Figure] = {}
    with tempfile.TemporaryDirectory(prefix="wei7core-") as name:
        folder = Path(name)
        small = generate(folder, records)
        if speed:
            found |= speeds(small, records, folder, rounds)
        if large or memory:
            ten = generate(folder, 10 * records)
        if large:
            found |= large_speeds(ten, folder, rounds)
        if memory:
            found |= peaks(small, ten, folder)
    return found
