"""What an engine costs: processor time of a job on Dask, Ray or Spark beside the same records replayed without one.

`python -m benchmarks.engines dask ray spark --jobs 1 2` from a checkout, in an environment with the engines, psutil,
and Java for Spark. The records are real games in variations, in one file of Parquet, 10,000 in each group of rows, not
compressed. Each engine reads it, replays batches of 10,000 and adds up the moves, which must come out as without it.
A first run is not counted: engines start workers, and Java compiles. Processor time is that of the driver and of all
that it has started, so that others on the machine disturb it little; the clock they do disturb. Each engine also does
the same job without the replay, only counting the bytes: the difference is what the replay costs there.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pyarrow
import pyarrow.compute
from pyarrow import parquet

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("benchmarks", "tests"))

from generate import records

import wei7core
from wei7core.arrow import replay_stream

RECORDS = 300_000
BATCH = 10_000
REPEATS = 3

Job = Callable[[], int]
Jobs = tuple[Job, Job | None]
"""A job that replays, and one that only reads."""


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


def moves_of(table: Any) -> int:
    return int(pyarrow.compute.sum(table["moves"]).as_py() or 0)


def bytes_of(table: Any) -> int:
    return int(pyarrow.compute.sum(pyarrow.compute.binary_length(table["data"])).as_py() or 0)


@contextmanager
def in_memory(path: str, jobs: int) -> Iterator[Jobs]:
    """`wei7core.replay` of the bytes of all records, which is the fastest that there is."""
    texts = b"\n".join(parquet.read_table(path)["data"].to_pylist())
    yield lambda: sum(piece.move_count for piece in wei7core.replay_batches(texts, jobs=jobs)), None


@contextmanager
def without_engine(path: str, jobs: int) -> Iterator[Jobs]:
    """The file read batch by batch, and each batch replayed, in one process."""

    def reading() -> int:
        return sum(map(bytes_of, parquet.ParquetFile(path).iter_batches(BATCH)))

    def job() -> int:
        file = parquet.ParquetFile(path)
        pieces = pyarrow.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(BATCH))
        return sum(map(moves_of, replay_stream(pieces)))

    yield job, reading


@contextmanager
def on_dask(path: str, jobs: int) -> Iterator[Jobs]:
    import dask.dataframe as frames
    from distributed import Client, LocalCluster

    from wei7core.engines import dask

    with LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        frame = frames.read_parquet(path, split_row_groups=1, dtype_backend="pyarrow")
        lengths = frame["data"].map_partitions(lambda data: data.str.len().astype("int64"), meta=("data", "int64"))
        yield lambda: int(dask.replay(frame)["moves"].sum().compute()), lambda: int(lengths.sum().compute())


@contextmanager
def on_ray(path: str, jobs: int) -> Iterator[Jobs]:
    import ray

    from wei7core.engines import ray as engine

    ray.init("local", num_cpus=jobs, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False

    def records_of() -> Any:
        return ray.data.read_parquet(path, override_num_blocks=RECORDS // BATCH)

    def total(dataset: Any, count: Callable[[Any], int]) -> int:
        sums = dataset.map_batches(lambda table: pyarrow.table({"n": [count(table)]}), batch_format="pyarrow")
        return sum(row["n"] for row in sums.take_all())

    def job() -> int:
        return total(engine.replay(records_of(), batch_size=BATCH), moves_of)

    yield job, lambda: total(records_of(), bytes_of)
    ray.shutdown()


@contextmanager
def on_spark(path: str, jobs: int) -> Iterator[Jobs]:
    from pyspark.sql import SparkSession

    from wei7core.engines import spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{jobs}]").config("spark.ui.enabled", False)
    builder = builder.config("spark.ui.showConsoleProgress", False).config("spark.driver.memory", "2g")
    builder = builder.config("spark.sql.files.maxPartitionBytes", 1 << 24)
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", BATCH).getOrCreate()

    def lengths(batches: Iterable[Any]) -> Iterator[Any]:
        for batch in batches:
            yield pyarrow.record_batch({"n": pyarrow.array([bytes_of(batch)], pyarrow.int64())})

    def reading() -> int:
        return int(session.read.parquet(path).mapInArrow(lengths, "n long").selectExpr("sum(n) as n").first().n)

    def job() -> int:
        return int(spark.replay(session.read.parquet(path)).selectExpr("sum(moves) as n").first().n)

    yield job, reading
    session.stop()


WAYS = {
    "replay in memory": in_memory,
    "no engine": without_engine,
    "dask": on_dask,
    "ray": on_ray,
    "spark": on_spark,
}


def measured(job: Job, expected: int | None) -> tuple[float, float]:
    """The least seconds of the processors and of the clock."""
    found = []
    for _ in range(1 + REPEATS):
        processor, clock = processor_time(), time.perf_counter()
        made = job()
        found.append((processor_time() - processor, time.perf_counter() - clock))
        if expected is not None and made != expected:
            raise RuntimeError(f"{made} came out, not {expected}")
    return min(one for one, _ in found[1:]), min(other for _, other in found[1:])


def line(name: str, jobs: int, records: int, processor: float, clock: float, first: float) -> str:
    return (
        f"{name:24} --jobs {jobs}: {processor:6.2f} s of processor, "
        f"{records / processor:9,.0f} records a second of it, {first / processor:7.1%} of the first line; "
        f"{clock:6.2f} s by the clock"
    )


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
        for name in ("replay in memory", "no engine", *args.engines):
            for jobs in args.jobs:
                if name == "no engine" and jobs > 1:
                    continue
                with WAYS[name](path, jobs) as (job, reading):
                    processor, clock = measured(job, moves)
                    first = first or processor
                    print(line(name, jobs, args.records, processor, clock, first), flush=True)
                    if reading is None:
                        continue
                    without, clock = measured(reading, None)
                    print(line("    without the replay", jobs, args.records, without, clock, first))
                    print(f"    the replay alone: {first / (processor - without):.1%} of the first line", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
