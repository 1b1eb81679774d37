"""Dask: records of a dataframe, partition by partition, and pieces of any work on a Dask cluster."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, Final, TypeVar

from ..arrow.functions import Options, check_batch, keys_batch, replay_batch
from . import Run

__all__ = ["check", "cluster", "families", "keys", "replay"]

_DEFAULT: Final = Options()
_RETRIES: Final = 3
_Task = TypeVar("_Task")
_Made = TypeVar("_Made")


def replay(frame: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Return the `dask.dataframe.DataFrame` of a row for each record of one column of `frame`, with the same index.

    Arguments are those of `wei7core.arrow.replay_batch`, which each partition is handed to when it is computed; what
    that raises is raised then. `record` counts in each partition, unless it is kept. Columns are of Arrow types.
    """
    return _mapped(replay_batch, frame, column, keep, options=options)


def keys(frame: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Return the `dask.dataframe.DataFrame` of the keys of each record: `wei7core.arrow.keys_batch`, as `replay`."""
    return _mapped(keys_batch, frame, column, keep, options=options)


def check(frame: Any, *, column: str = "data", keep: Sequence[str] = (), **how: Any) -> Any:
    """Return the `dask.dataframe.DataFrame` of what is wrong or odd with each record, a row for each finding.

    Arguments are those of `wei7core.arrow.check_batch`, else it is as `replay`, but for the index, which counts in
    each partition.
    """
    return _mapped(check_batch, frame, column, keep, **how)


def families(frame: Any, *, by: str = "game_key") -> Any:
    """Return the rows of a dataframe of `keys` whose `by` others have as well, and in `games` how many have it.

    With `game_key` these are the games that are there more than once, with `prefix_60` those that begin with the same
    60 moves. Dask brings rows of one key together; no worker holds more than its share of them.
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
    """The types of the columns: those of an empty partition, where nothing else says them, say what records are."""
    import pyarrow

    schema = pyarrow.Schema.from_pandas(frame[names], preserve_index=False)
    place = schema.get_field_index(column)
    return (
        schema.set(place, pyarrow.field(column, pyarrow.binary())) if schema.types[place] == pyarrow.null() else schema
    )


@contextmanager
def cluster(address: str | None = None, jobs: int = 1) -> Iterator[Run]:
    """Use the cluster at `address`, or one of `jobs` processes that is started for it: what comes with it yields what
    a function makes of each of some tasks, as they are done. What a worker was doing when it was lost is done anew by
    another one."""
    from distributed import Client, LocalCluster, as_completed

    def run(work: Callable[[_Task], _Made], tasks: Sequence[_Task]) -> Iterator[_Made]:
        for future in as_completed(client.map(work, tasks, retries=_RETRIES, pure=False)):
            yield future.result()
            future.release()

    with ExitStack() as stack:
        place: Any = address
        if address is None:
            # Failures come as exceptions; workers also report schedulers that have ended before them.
            own = LocalCluster(
                n_workers=jobs, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
            )
            place = stack.enter_context(own)
        client = stack.enter_context(Client(place))
        yield run
