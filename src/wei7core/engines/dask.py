"""Dask: records of a dataframe, partition by partition, and pieces of any work on a Dask cluster."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from ..arrow.functions import Options, check_batch, keys_batch, replay_batch
from . import Run

_DEFAULT: Final = Options()
_RETRIES: Final = 3


def replay(frame: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Return the `dask.dataframe.DataFrame` of a row for each record of one column of `frame`, with the same index.

    Arguments are those of `wei7core.arrow.replay_batch`, which is called for each partition when it is computed and
    raises then. `record` counts in each partition, unless it is kept. Columns are of Arrow types.
    """
    return _mapped(replay_batch, frame, column, keep, options=options)


def keys(frame: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Return the `dask.dataframe.DataFrame` of the keys of each record: `wei7core.arrow.keys_batch`, as `replay`."""
    return _mapped(keys_batch, frame, column, keep, options=options)


def check(frame: Any, *, column: str = "data", keep: Sequence[str] = (), **how: Any) -> Any:
    """Return the `dask.dataframe.DataFrame` of the findings of each record, one a row.

    Arguments are those of `wei7core.arrow.check_batch`; the rest is as in `replay`, except the index, which counts in
    each partition.
    """
    return _mapped(check_batch, frame, column, keep, **how)


def families(frame: Any, *, by: str = "game_key") -> Any:
    """Return the rows of a dataframe of `keys` that share their `by` with others; column `games` is their number.

    With `game_key` these are duplicate games, with `prefix_60` those with the same first 60 moves. Dask groups rows by
    key; no worker has more than its share of them.
    """
    frame = frame.dropna(subset=[by])
    sizes = frame.groupby(by)["record"].count(split_out=frame.npartitions).rename("games").reset_index()
    return frame.merge(sizes[sizes["games"] > 1], on=by)


def _mapped(work: Callable[..., Any], frame: Any, column: str, keep: Sequence[str], **how: Any) -> Any:
    keep = tuple(keep)
    meta = _partition(frame._meta, work, column, keep, how)
    return frame.map_partitions(_partition, work, column, keep, how, meta=meta, enforce_metadata=False)


def _partition(frame: Any, work: Callable[..., Any], column: str, keep: Sequence[str], how: Mapping[str, Any]) -> Any:
    """One partition, which is a `pandas.DataFrame`."""
    import pandas
    import pyarrow

    names = list(dict.fromkeys([column, *keep]))
    batch = pyarrow.Table.from_pandas(frame[names], schema=_without_objects(frame, names, column), preserve_index=False)
    rows = work(batch, column=column, keep=keep, **how).to_pandas(types_mapper=pandas.ArrowDtype)
    return rows if work is check_batch else rows.set_index(frame.index)


def _without_objects(frame: Any, names: Sequence[str], column: str) -> Any:
    """The types of the columns, from the result for an empty partition."""
    import pyarrow

    schema = pyarrow.Schema.from_pandas(frame[names], preserve_index=False)
    place = schema.get_field_index(column)
    return (
        schema.set(place, pyarrow.field(column, pyarrow.binary())) if schema.types[place] == pyarrow.null() else schema
    )


@contextmanager
def cluster(address: str | None = None, jobs: int = 1) -> Iterator[Run]:
    """Use the cluster at `address`, or start one of `jobs` processes; the context applies a function to tasks and
    yields the results as they complete. The tasks of a lost worker are repeated by another one.
    """
    from distributed import Client, LocalCluster, as_completed

    def run(work: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[Any]:
        for future in as_completed(client.map(work, tasks, retries=_RETRIES, pure=False)):
            yield future.result()
            future.release()

    with ExitStack() as stack:
        place: Any = address
        if address is None:
            # Failures raise exceptions; workers also report schedulers that ended before them.
            own = LocalCluster(
                n_workers=jobs, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
            )
            place = stack.enter_context(own)
        client = stack.enter_context(Client(place))
        yield run
