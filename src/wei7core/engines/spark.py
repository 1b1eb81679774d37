"""Spark: records of a dataframe, batch by batch, and pieces of any work on a Spark cluster."""

from __future__ import annotations

import gc
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from ..arrow.functions import Options, check_batch, check_schema, keys_batch, keys_schema, replay_batch, replay_schema
from . import Run

_DEFAULT: Final = Options()
_FAILURES: Final = 4
_SHORT_TOGETHER: Final = 8
# A session of our own only distributes tasks: it gains nothing from a second compiler tier, nor from more GC threads.
_OWN: Final = {
    "spark.driver.defaultJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.ui.enabled": False,
    "spark.ui.showConsoleProgress": False,
}


def replay(frame: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Return the `pyspark.sql.DataFrame` of a row for each record of one column of `frame`.

    Arguments are those of `wei7core.arrow.replay_batch`, which is called for each Arrow batch when it is computed and
    raises then. `record` counts in each batch, unless it is kept. Spark has no unsigned integers: `hash` and
    `canonical_hash` are `bigint` of the same 64 bits, which `lpad(lower(hex(hash)), 16, '0')` shows as wei7core does.
    `spark.sql.execution.arrow.maxRecordsPerBatch` (10,000) is the size of batches.
    """
    return _mapped(replay_batch, replay_schema(options), frame, column, keep, options=options)


def keys(frame: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Return the `pyspark.sql.DataFrame` of the keys of each record: `wei7core.arrow.keys_batch`, as `replay`."""
    return _mapped(keys_batch, keys_schema(), frame, column, keep, options=options)


def check(frame: Any, *, column: str = "data", keep: Sequence[str] = (), **how: Any) -> Any:
    """Return the `pyspark.sql.DataFrame` of the findings of each record, one a row.

    Arguments are those of `wei7core.arrow.check_batch`; the rest is as in `replay`.
    """
    return _mapped(check_batch, check_schema(), frame, column, keep, **how)


def families(frame: Any, *, by: str = "game_key") -> Any:
    """Return the rows of a dataframe of `keys` that share their `by` with others; column `games` is their number.

    With `game_key` these are duplicate games, with `prefix_60` those with the same first 60 moves. Spark groups rows by
    key; no worker has more than its share of them.
    """
    from pyspark.sql import Window
    from pyspark.sql.functions import col, count

    counted = frame.where(col(by).isNotNull()).withColumn("games", count("*").over(Window.partitionBy(by)))
    return counted.where(col("games") > 1)


def _mapped(work: Callable[..., Any], schema: Any, frame: Any, column: str, keep: Sequence[str], **how: Any) -> Any:
    from pyspark.sql.pandas.types import from_arrow_schema
    from pyspark.sql.types import StructType

    keep = tuple(keep)
    columns = from_arrow_schema(_signed_schema(schema))
    kept = [frame.schema[name] for name in keep if name not in schema.names]

    def batches(pieces: Iterable[Any]) -> Iterator[Any]:
        for piece in pieces:
            yield _signed(work(piece, column=column, keep=keep, **how))

    names = dict.fromkeys([column, *keep])
    return frame.select(*names).mapInArrow(batches, StructType([*kept, *columns]))


def _signed_schema(schema: Any) -> Any:
    import pyarrow

    fields = [field.with_type(pyarrow.int64()) if field.type == pyarrow.uint64() else field for field in schema]
    return pyarrow.schema(fields)


def _signed(batch: Any) -> Any:
    """The batch with 64-bit integers as Spark's signed ones: the same bits, in the same memory."""
    import pyarrow

    arrays = [array.view(pyarrow.int64()) if array.type == pyarrow.uint64() else array for array in batch.columns]
    return pyarrow.RecordBatch.from_arrays(arrays, schema=_signed_schema(batch.schema))


@contextmanager
def cluster(address: str | None = None, jobs: int = 1) -> Iterator[Run]:
    """Use the cluster at `address`, or start one of `jobs` processes, unless there is a session already; the context
    applies a function to tasks and yields the results when all are complete. The tasks of a lost worker are repeated by
    another one.
    """
    import pyarrow
    from pyspark.sql import SparkSession

    def run(work: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[Any]:
        # All tasks at once: an iterator over the results would run few at a time.
        if not tasks:
            return
        if "connect" not in type(session).__module__:
            context = session.sparkContext
            parts = len(tasks)
            if getattr(work, "is_short", False):
                parts = max(min(parts, context.defaultParallelism), -(-parts // _SHORT_TOGETHER))
            called = _collected_sooner(work) if is_own else work
            yield from context.parallelize(tasks, parts).map(called).collect()
            return

        def done(numbers: Iterable[Any]) -> Iterator[Any]:
            for batch in numbers:
                made = [pickle.dumps(work(tasks[number])) for number in batch.column(0).to_pylist()]
                yield pyarrow.record_batch({"made": pyarrow.array(made, pyarrow.binary())})

        # Spark Connect supports only tables, whose tasks cost twice as much.
        for row in session.range(0, len(tasks), 1, len(tasks)).mapInArrow(done, "made binary").collect():
            yield pickle.loads(row.made)

    is_own = SparkSession.getActiveSession() is None
    session = _session(address, jobs)
    try:
        yield run
    finally:
        if is_own:
            session.stop()


def _collected_sooner(work: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same function with modules frozen for the garbage collector, which Spark runs after each task."""

    def called(task: Any) -> Any:
        gc.freeze()
        return work(task)

    return called


def _session(address: str | None, jobs: int) -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("wei7core")
    if address is not None:
        is_connect = address.startswith("sc://")
        return (builder.remote(address) if is_connect else builder.master(address)).getOrCreate()
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # In local mode one failed task fails the job, unless configured otherwise.
    return builder.master(f"local[{jobs},{_FAILURES}]").config(map=_OWN).getOrCreate()
