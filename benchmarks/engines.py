"""The cost of engines: jobs on Dask, Ray and Spark, and the same records replayed without one.

`python -m benchmarks.engines` from a checkout, in an environment with psutil, the engines (those that are not there are
left out) and Java for Spark: some minutes, ten at most. The records are real games in variations: in one file of SGF,
and in files of Parquet of 50,000, with 10,000 in each group of rows, not compressed. Two jobs are run on each engine:

- *files*: what `wei7core replay --engine` does once the engine has started. The file of SGF is cut into shards, which
  workers read, replay and write as Parquet; compared with `wei7core replay -o` of the same file. *empty tasks* is the
  cost of as many tasks that do nothing: the share of the engine, which stays the same where records take longer.
- *dataframe*: the engine reads the Parquet and maps `wei7core.engines` over batches of 10,000, and the moves are added
  up; compared with the Parquet read and replayed in one process. *batches* is the time of the replay alone in it,
  measured around each batch where it runs; compared with `wei7core.replay` of the bytes of 10,000 records at a time.

Results are checked first: all rows of the files are those of the local run, and the moves are right in every run. Then
jobs take turns with what they are compared with, and the best of each counts. Costs are processor time, which other
load disturbs less than wall time: that of the driver and all that it has started. The gain of two workers over one is
wall time. Starting is left out, and so are two runs of each: Java compiles while it runs. The session of Spark is that
of the command for the files, and a usual one for the dataframe.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import logging
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import psutil
import pyarrow
from pyarrow import parquet

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("benchmarks", "tests"))

from generate import records

import wei7core
from wei7core.arrow.functions import Options, replay_batch
from wei7core.cli import main as command_line
from wei7core.cli.cluster import ClusterJob, ranges_found
from wei7core.engines.part_writer import PartWriter
from wei7core.engines.shards import RangeReader, pieces_at, ranges_of, shards_of
from wei7core.limits import DEFAULT_LIMITS

RECORDS: Final = 300_000
BATCH: Final = 10_000
FILE: Final = 5 * BATCH
WARMING: Final = 2
REPEATS: Final = 5
ENGINES: Final = ("dask", "ray", "spark")

Job = Callable[[], tuple[int, float]]
"""A job returns the moves of all records, and the seconds of the processor that its batches took, 0 if not measured."""


def processor_time() -> float:
    """Seconds of this process and of all that come from it and are there, with those that they have waited for."""
    total = 0.0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + getattr(times, "children_user", 0) + getattr(times, "children_system", 0)
    return total


@dataclass
class Best:
    """The best of some runs, in seconds: of the processor for the whole job and for the batches, and by the clock."""

    job: float = float("inf")
    batches: float = float("inf")
    clock: float = float("inf")
    runs: int = 0

    def add(self, job: Job, expected: int) -> None:
        processor, clock = processor_time(), time.perf_counter()
        moves, batches = job()
        self.clock = min(self.clock, time.perf_counter() - clock)
        self.job = min(self.job, processor_time() - processor)
        self.batches = min(self.batches, batches)
        self.runs += 1
        if moves != expected:
            raise RuntimeError(f"{moves} moves came out, not {expected}")


@dataclass
class Data:
    """The records in both forms, and how many moves they have."""

    folder: Path
    count: int
    moves: int = 0
    outputs: int = field(default=0)

    @property
    def sgf(self) -> str:
        return str(self.folder / "games.sgf")

    @property
    def table(self) -> str:
        return str(self.folder / "games")

    def batches(self) -> Iterator[Any]:
        """The batches of the files of Parquet, as they are read."""
        for path in sorted(Path(self.table).iterdir()):
            yield from parquet.ParquetFile(path).iter_batches(BATCH)

    def write(self) -> None:
        made = iter(records(self.count, "sgf"))
        schema = pyarrow.schema({"data": pyarrow.binary()})
        os.mkdir(self.table)
        with open(self.sgf, "wb") as file:
            for begin in range(0, self.count, FILE):
                texts = [next(made)[1] for _ in range(min(FILE, self.count - begin))]
                self.moves += wei7core.replay(texts).move_count
                file.write(b"\n".join([*texts, b""]))
                table = pyarrow.table({"data": pyarrow.array(texts, pyarrow.binary())}, schema=schema)
                path = f"{self.table}/{begin // FILE:03}.parquet"
                parquet.write_table(table, path, BATCH, compression="none", use_dictionary=False)

    def output(self) -> Path:
        """A name for an output that is not there yet."""
        self.outputs += 1
        return self.folder / f"rows-{self.outputs}"


def timed(work: Callable[[], Any]) -> tuple[int, float]:
    """The moves of a batch that `work` returns, and the seconds of the processor that it took."""
    begin = time.thread_time()
    rows = work()
    seconds = time.thread_time() - begin
    return int(rows["moves"].to_numpy().sum()), seconds


def added(pairs: Iterable[tuple[int, float]]) -> tuple[int, float]:
    moves, seconds = zip(*pairs, strict=True)
    return sum(moves), sum(seconds)


def in_memory(data: Data) -> Job:
    """`wei7core.replay` of the bytes of 10,000 records at a time."""
    parts = [b"\n".join(batch["data"].to_pylist()) for batch in data.batches()]
    replay = wei7core.replay
    return lambda: added(timed(lambda: replay(part).to_arrow()) for part in parts)  # noqa: B023 - called at once


def table_here(data: Data) -> Job:
    """The files of Parquet read batch by batch, and each batch replayed."""
    return lambda: added(timed(partial(replay_batch, batch)) for batch in data.batches())


def files_here(data: Data, jobs: int) -> Job:
    """`wei7core replay games.sgf -o rows.parquet`."""

    def job() -> tuple[int, float]:
        target = data.output().with_suffix(".parquet")
        command_line(["replay", data.sgf, "-o", str(target), "--jobs", str(jobs), "-q"])
        moves = int(parquet.read_table(target, columns=["moves"])["moves"].to_numpy().sum())
        target.unlink()
        return moves, 0.0

    return job


def files_on(run: Any, data: Data, jobs: int, kept: list[Path] | None = None) -> Job:
    """What `wei7core replay games.sgf -o rows --engine` does on a cluster that has started."""

    def job() -> tuple[int, float]:
        target = data.output()
        target.mkdir()
        pieces, _ = pieces_at(data.sgf)
        found = ranges_found(run, ranges_of(pieces), ClusterJob("", [], str(target), Options(), jobs=jobs))
        moves = sum(made.moves for made in run(PartWriter(str(target), "data", Options()), shards_of(pieces, found)))
        if kept is None:
            shutil.rmtree(target)
        else:
            kept.append(target)
        return moves, 0.0

    return job


def nothing_on(run: Any, data: Data) -> Job:
    """As many tasks as `files_on` has, and none does anything."""
    pieces, _ = pieces_at(data.sgf)
    shards = shards_of(pieces, [RangeReader(DEFAULT_LIMITS)(one) for one in ranges_of(pieces)])

    def job() -> tuple[int, float]:
        list(run(abs, range(len(shards))))
        return data.moves, 0.0

    return job


def table_on_dask(data: Data) -> Job:
    import dask.dataframe as frames
    import pandas

    from wei7core.engines.dask import _partition

    def batch(frame: Any) -> Any:
        moves, seconds = timed(lambda: _partition(frame, replay_batch, "data", (), {}))
        return pandas.DataFrame({"moves": [moves], "seconds": [seconds]})

    frame = frames.read_parquet(data.table, split_row_groups=1, dtype_backend="pyarrow")
    made = frame.map_partitions(batch, meta={"moves": "int64", "seconds": "float64"})
    return lambda: added(made.compute().itertuples(index=False, name=None))


def table_on_ray(data: Data) -> Job:
    import ray

    from wei7core.engines.ray import _batch

    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel("ERROR")

    def batch(table: Any) -> Any:
        moves, seconds = timed(lambda: _batch(table, replay_batch))
        return pyarrow.table({"moves": [moves], "seconds": [seconds]})

    def job() -> tuple[int, float]:
        read = ray.data.read_parquet(data.table)
        made = read.map_batches(batch, batch_format="pyarrow", batch_size=BATCH, zero_copy_batch=True)
        return added((row["moves"], row["seconds"]) for row in made.take_all())

    return job


def table_on_spark(data: Data) -> Job:
    from pyspark.sql import SparkSession

    from wei7core.engines.spark import _signed

    session = SparkSession.getActiveSession()

    def batches(pieces: Iterable[Any]) -> Iterator[Any]:
        for piece in pieces:
            moves, seconds = timed(lambda: _signed(replay_batch(piece)))  # noqa: B023 - called before the loop goes on
            yield pyarrow.record_batch({"moves": [moves], "seconds": [seconds]})

    def job() -> tuple[int, float]:
        return added(session.read.parquet(data.table).mapInArrow(batches, "moves long, seconds double").collect())

    return job


@contextlib.contextmanager
def started(engine: str, jobs: int, for_table: bool) -> Iterator[Any]:
    """An engine with so many workers; gives what runs tasks on them."""
    session = spark_session(jobs) if engine == "spark" and for_table else None
    with importlib.import_module(f"wei7core.engines.{engine}").cluster(None, jobs) as run:
        yield run
    if session is not None:
        session.stop()
    if engine == "spark":
        end_java()


def spark_session(jobs: int) -> Any:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{jobs}]").config("spark.ui.enabled", False)
    builder = builder.config("spark.ui.showConsoleProgress", False).config("spark.driver.memory", "2g")
    builder = builder.config("spark.log.level", "ERROR").config("spark.sql.files.maxPartitionBytes", 1 << 26)
    return builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", BATCH).getOrCreate()


def end_java() -> None:
    """End the processes that outlive a session, so that the next one has its own settings."""
    from pyspark import SparkContext

    gateway: Any = SparkContext._gateway
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()
    SparkContext._gateway = SparkContext._jvm = None


def check_rows(run: Any, data: Data, jobs: int) -> None:
    """Raise `RuntimeError` unless all rows of the files are those of a local run."""
    kept: list[Path] = []
    files_on(run, data, jobs, kept)()
    local = data.output().with_suffix(".parquet")
    command_line(["replay", data.sgf, "-o", str(local), "-q"])
    parts = [parquet.read_table(path) for path in sorted(kept[0].glob("part-*.parquet"))]
    if not pyarrow.concat_tables(parts).equals(parquet.read_table(local)):
        raise RuntimeError("the rows are not those of a local run")
    shutil.rmtree(kept[0])
    local.unlink()


def measured(engine: str, jobs: int, data: Data, seconds: float) -> dict[str, Best]:
    """The best of each job on an engine, and of what they are compared with, in turns for so many seconds at most."""
    with started(engine, jobs, False) as run:
        check_rows(run, data, jobs)
        there = {"files": files_on(run, data, jobs), "nothing": nothing_on(run, data)}
        best = in_turns(there, {"files here": files_here(data, jobs)}, data, seconds / 2)
    tables = {"dask": table_on_dask, "ray": table_on_ray, "spark": table_on_spark}
    with started(engine, jobs, True):
        here = {"table here": table_here(data), "memory": in_memory(data)}
        return best | in_turns({"table": tables[engine](data)}, here, data, seconds / 2)


def in_turns(there: dict[str, Job], here: dict[str, Job], data: Data, seconds: float) -> dict[str, Best]:
    """The best of each; those that are `there` run some times before."""
    for job in [*there.values()] * WARMING:
        job()
    best = {name: Best() for name in (*there, *here)}
    begin = time.perf_counter()
    for _ in range(REPEATS):
        for name, job in (there | here).items():
            best[name].add(job, data.moves)
        if time.perf_counter() - begin > seconds:
            break
    return best


def is_installed(engine: str) -> bool:
    try:
        importlib.import_module({"dask": "distributed", "ray": "ray.data", "spark": "pyspark.sql"}[engine])
    except ImportError as error:
        print(f"{engine} is left out: {error}", flush=True)
        return False
    if engine == "spark" and shutil.which("java") is None:
        print("spark is left out: there is no Java", flush=True)
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines", description=__doc__)
    parser.add_argument("engines", nargs="*", metavar="ENGINE", help=f"of {', '.join(ENGINES)} (default: all)")
    parser.add_argument("--jobs", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--records", type=int, default=RECORDS)
    parser.add_argument("--seconds", type=float, default=200, help="for all runs that count (default: 200)")
    args = parser.parse_args()
    engines = [name for name in args.engines or ENGINES if is_installed(name)]
    with tempfile.TemporaryDirectory(prefix="wei7core-") as folder:
        data = Data(Path(folder), args.records)
        data.write()
        print(f"{data.count:,} records, {data.moves:,} moves, {os.path.getsize(data.sgf) / 1e6:,.0f} MB", flush=True)
        print(
            "| where | batches | of replay | dataframe | of it here | files | of it here | empty tasks | by the clock |"
        )
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
        alone: dict[str, float] = {}
        for engine in engines:
            for jobs in args.jobs:
                best = measured(engine, jobs, data, args.seconds / (len(engines) * len(args.jobs)))
                print(line(engine, jobs, data, best, alone), flush=True)
    return 0


def line(engine: str, jobs: int, data: Data, best: dict[str, Best], alone: dict[str, float]) -> str:
    """One line of the table: records a second of a processor, and the values they are compared with."""
    files, table = best["files"], best["table"]
    if jobs == 1:
        alone[engine] = files.clock
    gain = f", {alone[engine] / files.clock:.2f} times one worker" if jobs > 1 and engine in alone else ""
    cells = [
        f"{engine}, {jobs} worker{'' if jobs == 1 else 's'}",
        f"{data.count / table.batches:,.0f}",
        f"{best['memory'].batches / table.batches:.0%}",
        f"{data.count / table.job:,.0f}",
        f"{best['table here'].job / table.job:.0%}",
        f"{data.count / files.job:,.0f}",
        f"{best['files here'].job / files.job:.0%}",
        f"{best['nothing'].job:.2f} s of {files.job:.2f}",
        f"{files.clock:.2f} s{gain}; here {best['files here'].clock:.2f} s with --jobs {jobs}",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
