"""Runs of the command line that are killed at random moments, and what must hold of the files after each of them.

`cd tests; python -m helpers.kills [N]`: N kills, by default 200. Nothing that a killed run leaves is ever taken
for a whole output, the next run clears it away, and with --resume it goes on from what was done and writes the same
bytes.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import wei7core as w7

# To start a Python and to import take longer than most of the runs: one process does it for all, and forks for each.
# The pieces are small, so that there are many moments that differ.
CODE = """
import gc, importlib.util, json, os, sys, zipfile
import numpy
import wei7core.cli.main as cli
from wei7core.batch import run
from wei7core.batch.index import segment
from wei7core.checking import findings_codec
from wei7core.cli import convert, replay
if importlib.util.find_spec("pyarrow"):
    import pyarrow.parquet
replay.BATCH_RECORDS = 200
convert._PART_RECORDS = 20
findings_codec._PART_BYTES = 1 << 17
run._FIRST_TASK_BYTES = run._TASK_BYTES = 1 << 16
segment._ROWS_A_SEGMENT = 200
gc.freeze()
for line in sys.stdin:
    folder, arguments = json.loads(line)
    child = os.fork()
    if not child:
        os.chdir(folder)
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        sys.exit(cli.main(arguments))
    print(child, flush=True)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)  # its number is not given to another process before it is read
    print(flush=True)
    sys.stdin.readline()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
OLD = "what was there before"
INDEX = ".w7i"
FILE_EACH = {"new", "there"}
"""Outputs that are folders with a file for each record."""


@dataclass(frozen=True)
class Job:
    """A command, the names of its outputs, and whether what is done is kept."""

    arguments: tuple[str, ...]
    outputs: tuple[str, ...]
    resume: bool

    @property
    def command(self) -> list[str]:
        return [*self.arguments, *(["--resume"] if self.resume else [])]


class Commands:
    """Runs of the command line, one after the other, each in a process of its own."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))}
        self._server = subprocess.Popen(
            [sys.executable, "-c", CODE], bufsize=0, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        atexit.register(self._close)

    def _close(self) -> None:
        self._server.communicate()

    def _send(self, line: str = "") -> None:
        self._server.stdin.write(f"{line}\n".encode())

    def run(self, folder: Path, arguments: list[str], most: float) -> int:
        """Run a command line, and kill it after so many seconds; returns its status, -SIGKILL if it was killed."""
        self._send(json.dumps([str(folder), arguments]))
        child = int(self._server.stdout.readline())
        if not select.select([self._server.stdout], [], [], most)[0]:
            os.kill(child, signal.SIGKILL)
        self._server.stdout.readline()
        self._send()
        return int(self._server.stdout.readline())


INDEX_JOBS = [
    Job(("index", "in.jsonl", "-q", "-o", "new.w7i", "--jobs", "2"), ("new.w7i",), False),
    Job(("index", "in.jsonl", "-q", "-o", "more.w7i"), ("more.w7i",), False),
]
"""A new index, and one that has eight small segments, which the run first merges."""


def all_jobs() -> list[Job]:
    found = []
    for resume in (False, True):
        for kind in ("csv", "jsonl", "parquet", "npz"):
            if kind != "parquet" or _has("pyarrow"):
                arguments = ("replay", "in.jsonl", "-q", "-o", f"out.{kind}", "--positions", f"positions.{kind}")
                found.append(Job(arguments, (f"out.{kind}", f"positions.{kind}"), resume))
        found.append(Job(("replay", "in.jsonl", "-q", "-o", "out.csv", "--jobs", "2"), ("out.csv",), resume))
        losses = ("--losses", "losses.csv")
        found.append(Job(("convert", "in.jsonl", "out.sgf", "-q", *losses), ("out.sgf", "losses.csv"), resume))
        found.append(Job(("convert", "in.jsonl", "new", "-q", "--to", "sgf"), ("new",), resume))
        found.append(Job(("convert", "in.jsonl", "there", "-q", "--to", "sgf"), ("there",), resume))
        check = ("check", "in.jsonl", "-q", "-o")
        found.append(Job((*check, "out.csv"), ("out.csv",), resume))
        found.append(Job((*check, "out.jsonl", "--jobs", "2"), ("out.jsonl",), resume))
        found.append(Job((*check, "out.csv", "--quarantine", "aside"), ("out.csv", "aside"), resume))
    return [*found, *INDEX_JOBS]


def _has(module: str) -> bool:
    import importlib.util

    return importlib.util.find_spec(module) is not None


def make_input(folder: Path, records: int = 1200) -> None:
    """Write records that differ, some with errors, to `in.jsonl`."""
    (folder / "in.jsonl").write_text(_input(records), encoding="utf-8")


@functools.cache
def _input(records: int) -> str:
    choose = random.Random(11)
    lines = []
    for number in range(records):
        points = choose.sample(range(81), 40)
        if number % 50 == 7:
            points[20] = points[3]
        steps = [
            {"action": {"type": "move", "value": {"color": 1 + k % 2, "point": {"x": p % 9, "y": p // 9}}}}
            for k, p in enumerate(points)
        ]
        record = {"format": "wei7", "version": "3.0", "size": 9, "info": {"id": f"r{number}"}}
        lines.append(json.dumps({**record, "tree": {"steps": steps}}) + "\n")
    return "".join(lines)


def content(path: Path) -> object:
    """What is under a name: None, the bytes of a file, or those of all files of a folder but for unfinished ones."""
    if path.suffix == INDEX:
        return index_content(path)
    if path.is_dir():
        files = [file for file in path.rglob("*") if file.is_file() and ".wei7core-" not in str(file)]
        return {str(file.relative_to(path)): file.read_bytes() for file in files}
    return path.read_bytes() if path.exists() else None


def index_content(folder: Path) -> dict[str, bytes] | None:
    """The games and the metadata of an index that can be opened and is whole; None where there is none yet."""
    if not (folder / "index.json").exists():
        return None
    index = w7.Index.open(folder)
    index.verify()
    games = [str(tuple(row)) for row in index.games()]
    rows = [str(row) for row in index.metadata().to_pylist()] if _has("pyarrow") else []
    hits = [str(tuple(row)) for row in index.find("X?\nOX", "anywhere")]
    return {"games": "\n".join(games).encode(), "metadata": "\n".join(rows).encode(), "hits": "\n".join(hits).encode()}


def leftovers(folder: Path) -> list[str]:
    found = [str(path) for path in folder.rglob("*") if ".wei7core-" in path.name or ".unfinished" in path.name]
    for manifest in folder.glob(f"*{INDEX}/index.json"):
        named = [row["file"] for row in json.loads(manifest.read_bytes())["segments"]]
        own = {"index.json", "lock", *named, *(name.replace(".w7s", ".parquet") for name in named)}
        found += [str(path) for path in manifest.parent.iterdir() if path.name not in own]
    return sorted(found)


commands = functools.cache(Commands)


class Run:
    """One job, in a folder of its own: what it writes undisturbed, and how long that takes."""

    def __init__(self, folder: Path, job: Job) -> None:
        self.folder = folder
        self.job = job
        self._commands = commands()
        self.reset(None)
        start = time.monotonic()
        self.status = self.finish()
        self.seconds = time.monotonic() - start
        assert self.status in (0, 1)
        self.whole = {name: content(folder / name) for name in job.outputs}
        assert all(self.whole.values())

    def reset(self, old: str | None) -> None:
        """Leave the input alone, and an older output of each name that is wanted."""
        for name in self.job.outputs:
            path = self.folder / name
            if path.is_dir():
                shutil.rmtree(path)
            path.unlink(missing_ok=True)
            if name == "there":
                path.mkdir()
            elif name == "more.w7i":
                index = w7.Index.create(path, [])
                for number in range(8):
                    index.add(b"(;SZ[9];B[aa];W[b%c])" % (ord("a") + number))
            elif name.endswith(INDEX):
                pass
            elif old is not None and name not in ("new", "aside"):
                path.write_text(old)
        assert leftovers(self.folder) == []

    def finish(self) -> int:
        return self._commands.run(self.folder, self.job.command, 600)

    def kill_after(self, seconds: float) -> bool:
        """Start the job and kill it; returns whether it was still at work."""
        return self._commands.run(self.folder, self.job.command, seconds) == -signal.SIGKILL

    def check_outputs(self, before: dict[str, object]) -> None:
        """After a kill: each output is what it was before, or whole; a folder has whole files only."""
        for name, was in before.items():
            now, whole = content(self.folder / name), self.whole[name]
            if isinstance(whole, dict) and isinstance(now, dict) and name == "there":
                assert all(whole[file] == data for file, data in now.items()), f"{name} has a part of a file"
            else:
                assert now in (was, whole), f"{name} is neither whole nor as it was"


def kill(run: Run, choose: random.Random) -> int:
    """Kill one job once or several times, then let it finish; returns the kills."""
    run.reset(choose.choice((None, OLD)))
    kills = 0
    for _ in range(choose.choice((1, 1, 2, 3))):
        before = {name: content(run.folder / name) for name in run.job.outputs}
        kills += run.kill_after(choose.uniform(0.1, 1.0) * run.seconds)
        run.check_outputs(before)
        if (
            run.job.outputs[-1].endswith(INDEX)
            and content(run.folder / run.job.outputs[-1]) == run.whole[run.job.outputs[-1]]
        ):
            run.reset(None)  # the next run would add the same records once more
        if run.job.outputs[-1] == "aside":  # a quarantine that is there is added to
            shutil.rmtree(run.folder / "aside", ignore_errors=True)
    assert run.finish() == run.status
    assert {name: content(run.folder / name) for name in run.job.outputs} == run.whole
    assert leftovers(run.folder) == []
    return kills


def main(wanted: int, jobs: list[Job] | None = None, seed: int = 1) -> Counter[str]:
    """Kill runs until there were as many kills as are `wanted`; returns how many, by command."""
    choose = random.Random(seed)
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for number, job in enumerate(jobs or all_jobs()):
            place = Path(folder) / str(number)
            place.mkdir()
            # A file for each record takes three times as long as the same records in one file.
            make_input(place, 400 if FILE_EACH.intersection(job.outputs) else 1200)
            runs.append(Run(place, job))
        while counts.total() < wanted:
            for run in runs:
                counts[run.job.arguments[0] + (" --resume" if run.job.resume else "")] += kill(run, choose)
    return counts


if __name__ == "__main__":
    done = main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    print(f"{done.total()} kills:", ", ".join(f"{count} of {name}" for name, count in sorted(done.items())))
