"""What an engine costs: a job on Dask, Ray or Spark beside the same records replayed without one.

`python -m benchmarks.engines dask ray spark --jobs 1 2` from a checkout, in an environment with the engines, psutil,
and Java for Spark. The records are real games in variations, in one file of Parquet, 10,000 in each group of rows, not
compressed. Each engine reads it, replays batches of 10,000 as `wei7core.engines` has it, and adds up the moves, which
must come out as without it. Two figures are told, both of processor time, which others on the machine disturb little:
that of the batches, measured around each of them where it is replayed, and that of the whole job: the driver and all
that it has started, reading and waiting included. The clock they do disturb. A first run is not counted: engines start
workers, and Java compiles.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pyarrow
from pyarrow import parquet

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("benchmarks", "tests"))

from generate import records

import wei7core
from wei7core.arrow import Options, replay_batch

RECORDS = 300_000
BATCH = 10_000
REPEATS = 3

Job = Callable[[], tuple[int, float]]
"""A job returns the moves of all records, and the seconds of the processor that the batches took."""


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


def write_records(path: str, count: int) -> int:
    """Write the file, and return how many moves its records have."""
    moves = 0
    schema = pyarrow.schema({"data": pyarrow.binary()})
    made = iter(records(count, "sgf"))
    with parquet.ParquetWriter(path, schema, compression="none", use_dictionary=False) as writer:
        for begin in range(0, count, BATCH):
            texts = [next(made)[1] for _ in range(min(BATCH, count - begin))]
            moves += wei7core.replay(texts).move_count
            writer.write_table(pyarrow.table({"data": pyarrow.array(texts, pyarrow.binary())}))
    return moves


def timed(work: Callable[[], Any]) -> tuple[int, float]:
    """The moves of a batch that `work` returns, and the seconds of the processor that it took."""
    begin = time.thread_time()
    rows = work()
    seconds = time.thread_time() - begin
    return sum(rows["moves"].to_pylist() if hasattr(rows["moves"], "to_pylist") else rows["moves"]), seconds


def added(pairs: Iterable[tuple[int, float]]) -> tuple[int, float]:
    moves, seconds = zip(*pairs, strict=True)
    return sum(moves), sum(seconds)


@contextmanager
def in_memory(path: str, jobs: int) -> Iterator[Job]:
    """`wei7core.replay` of the bytes of 10,000 records at a time."""
    texts = parquet.read_table(path)["data"].to_pylist()
    parts = [b"\n".join(texts[begin : begin + BATCH]) for begin in range(0, len(texts), BATCH)]
    yield lambda: added(timed(lambda: wei7core.replay(part).to_arrow()) for part in parts)  # noqa: B023


@contextmanager
def without_engine(path: str, jobs: int) -> Iterator[Job]:
    """The file read batch by batch, and each batch replayed, in one process."""

    def pairs() -> Iterator[tuple[int, float]]:
        for batch in parquet.ParquetFile(path).iter_batches(BATCH):
            yield timed(partial(replay_batch, batch))

    yield lambda: added(pairs())


@contextmanager
def on_dask(path: str, jobs: int) -> Iterator[Job]:
    import dask.dataframe as frames
    import pandas
    from distributed import Client, LocalCluster

    from wei7core.engines.dask import _partition

    def batch(frame: Any) -> Any:
        moves, seconds = timed(lambda: _partition(frame, replay_batch, "data", (), Options()))
        return pandas.DataFrame({"moves": [moves], "seconds": [seconds]})

    with LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        frame = frames.read_parquet(path, split_row_groups=1, dtype_backend="pyarrow")
        made = frame.map_partitions(batch, meta={"moves": "int64", "seconds": "float64"})
        yield lambda: added(made.compute().itertuples(index=False, name=None))


@contextmanager
def on_ray(path: str, jobs: int) -> Iterator[Job]:
    import ray

    from wei7core.engines.ray import _batch

    ray.init("local", num_cpus=jobs, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel("ERROR")

    def batch(table: Any) -> Any:
        moves, seconds = timed(lambda: _batch(table, replay_batch, "data", (), Options()))
        return pyarrow.table({"moves": [moves], "seconds": [seconds]})

    def job() -> tuple[int, float]:
        read = ray.data.read_parquet(path)
        made = read.map_batches(batch, batch_format="pyarrow", batch_size=BATCH, zero_copy_batch=True)
        return added((row["moves"], row["seconds"]) for row in made.take_all())

    yield job
    ray.shutdown()


@contextmanager
def on_spark(path: str, jobs: int) -> Iterator[Job]:
    from pyspark.sql import SparkSession

    from wei7core.engines.spark import _signed

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{jobs}]").config("spark.ui.enabled", False)
    builder = builder.config("spark.ui.showConsoleProgress", False).config("spark.driver.memory", "2g")
    builder = builder.config("spark.sql.files.maxPartitionBytes", 1 << 26)
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", BATCH).getOrCreate()

    def batches(pieces: Iterable[Any]) -> Iterator[Any]:
        for piece in pieces:
            moves, seconds = timed(lambda: _signed(replay_batch(piece)))  # noqa: B023
            yield pyarrow.record_batch({"moves": [moves], "seconds": [seconds]})

    yield lambda: added(session.read.parquet(path).mapInArrow(batches, "moves long, seconds double").collect())
    session.stop()


WAYS = {
    "replay in memory": in_memory,
    "replay_batch": without_engine,
    "dask": on_dask,
    "ray": on_ray,
    "spark": on_spark,
}


def measured(job: Job, expected: int) -> tuple[float, float, float]:
    """The least seconds of the processor in the batches, of the whole job, and of the clock."""
    found = []
    for _ in range(1 + REPEATS):
        processor, clock = processor_time(), time.perf_counter()
        moves, seconds = job()
        found.append((seconds, processor_time() - processor, time.perf_counter() - clock))
        if moves != expected:
            raise RuntimeError(f"{moves} moves came out, not {expected}")
    return min(one for one, *_ in found[1:]), min(one for _, one, _ in found[1:]), min(one for *_, one in found[1:])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engines", description=__doc__)
    parser.add_argument("engines", nargs="*", choices=["dask", "ray", "spark"], metavar="ENGINE")
    parser.add_argument("--jobs", nargs="+", type=int, default=[1, 2])
    parser.add_argument("--records", type=int, default=RECORDS)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wei7core-") as folder:
        path = str(Path(folder) / "records.parquet")
        moves = write_records(path, args.records)
        print(f"{args.records:,} records, {moves:,} moves, {os.path.getsize(path) / 1e6:,.0f} MB", flush=True)
        first = 0.0
        for name in ("replay in memory", "replay_batch", *args.engines):
            for jobs in args.jobs if name in args.engines else [1]:
                with WAYS[name](path, jobs) as job:
                    seconds, processor, clock = measured(job, moves)
                first = first or seconds
                print(
                    f"{name:16} {jobs} {'worker ' if jobs == 1 else 'workers'}: batches {args.records / seconds:9,.0f} "
                    f"records a second of processor, {first / seconds:6.1%} of the first line; the whole job "
                    f"{processor:5.2f} s of processor, {clock:5.2f} s by the clock",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
