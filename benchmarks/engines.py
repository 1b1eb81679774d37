"""What an engine costs: processor time of a job on Dask, Ray or Spark beside the same records replayed without one.

`python -m benchmarks.engines dask ray spark --jobs 1 2` from a checkout, in an environment with the engines, psutil,
and Java for Spark. The records are real games in variations, in one file of Parquet, 10,000 in each group of rows, not
compressed. Each engine reads it, replays batches of 10,000 and adds up the moves, which must come out as without it.
A first run is not counted: engines start workers, and Java compiles. Processor time is that of the driver and of all
that it has started, so that others on the machine disturb it little; the clock they do disturb.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
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


@contextmanager
def in_memory(path: str, jobs: int) -> Iterator[Job]:
    """`wei7core.replay` of the bytes of all records, which is the fastest that there is."""
    texts = b"\n".join(parquet.read_table(path)["data"].to_pylist())
    yield lambda: sum(piece.move_count for piece in wei7core.replay_batches(texts, jobs=jobs))


@contextmanager
def without_engine(path: str, jobs: int) -> Iterator[Job]:
    """The file read batch by batch, and each batch replayed, in one process."""

    def job() -> int:
        file = parquet.ParquetFile(path)
        pieces = pyarrow.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(BATCH))
        return sum(map(moves_of, replay_stream(pieces)))

    yield job


@contextmanager
def on_dask(path: str, jobs: int) -> Iterator[Job]:
    import dask.dataframe as frames
    from distributed import Client, LocalCluster

    from wei7core.engines import dask

    with LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        frame = frames.read_parquet(path, split_row_groups=1, dtype_backend="pyarrow")
        yield lambda: int(dask.replay(frame)["moves"].sum().compute())


@contextmanager
def on_ray(path: str, jobs: int) -> Iterator[Job]:
    import ray

    from wei7core.engines import ray as engine

    ray.init("local", num_cpus=jobs, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False

    def job() -> int:
        made = engine.replay(ray.data.read_parquet(path, override_num_blocks=RECORDS // BATCH), batch_size=BATCH)
        sums = made.map_batches(lambda table: pyarrow.table({"moves": [moves_of(table)]}), batch_format="pyarrow")
        return sum(row["moves"] for row in sums.take_all())

    yield job
    ray.shutdown()


@contextmanager
def on_spark(path: str, jobs: int) -> Iterator[Job]:
    from pyspark.sql import SparkSession

    from wei7core.engines import spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{jobs}]").config("spark.ui.enabled", False)
    builder = builder.config("spark.ui.showConsoleProgress", False).config("spark.driver.memory", "2g")
    builder = builder.config("spark.sql.files.maxPartitionBytes", 1 << 24)
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", BATCH).getOrCreate()
    yield lambda: int(spark.replay(session.read.parquet(path)).selectExpr("sum(moves) as moves").first().moves)
    session.stop()


WAYS = {
    "replay in memory": in_memory,
    "no engine": without_engine,
    "dask": on_dask,
    "ray": on_ray,
    "spark": on_spark,
}


def measured(job: Job, moves: int) -> tuple[float, float]:
    """The least seconds of the processors and of the clock."""
    found = []
    for _ in range(1 + REPEATS):
        processor, clock = processor_time(), time.perf_counter()
        if (made := job()) != moves:
            raise RuntimeError(f"{made} moves came out, not {moves}")
        found.append((processor_time() - processor, time.perf_counter() - clock))
    return min(one for one, _ in found[1:]), min(other for _, other in found[1:])


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
                with WAYS[name](path, jobs) as job:
                    processor, clock = measured(partial(job), moves)
                first = first or processor
                print(
                    f"{name:18} --jobs {jobs}: {args.records / processor:10,.0f} records a second of processor, "
                    f"{first / processor:6.1%} of the first line; {clock:6.2f} s by the clock",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
