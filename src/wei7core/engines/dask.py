"""Dask: records of a dataframe, partition by partition, and pieces of any work on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from ..arrow import Options, keys_batch, replay_batch

__all__ = ["families", "keys", "replay", "run"]

_DEFAULT: Final = Options()
_RETRIES: Final = 3
_Task = TypeVar("_Task")
_Made = TypeVar("_Made")


def replay(frame: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Return the `dask.dataframe.DataFrame` of a row for each record of one column of `frame`, with the same index.

    Arguments are those of `wei7core.arrow.replay_batch`, which each partition is handed to when it is computed; what
    that raises is raised then. `record` counts in each partition, unless it is kept. Columns are of Arrow types.
    """
    return _mapped(replay_batch, frame, column, keep, options)


def keys(frame: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT) -> Any:
    """Return the `dask.dataframe.DataFrame` of the keys of each record: `wei7core.arrow.keys_batch`, as `replay`."""
    return _mapped(keys_batch, frame, column, keep, options)


def families(frame: Any, *, by: str = "game_key") -> Any:
    """Return the rows of a dataframe of `keys` whose `by` others have as well, and in `games` how many have it.

    With `game_key` these are the games that are there more than once, with `prefix_60` those that begin with the same
    60 moves. Dask brings rows of one key together; no worker holds more than its share of them.
    """
    frame = frame.dropna(subset=[by])
    sizes = frame.groupby(by)["record"].count(split_out=frame.npartitions).rename("games").reset_index()
    return frame.merge(sizes[sizes["games"] > 1], on=by)


def _mapped(work: Callable[..., Any], frame: Any, column: str, keep: Sequence[str], options: Options) -> Any:
    meta = _partition(frame._meta, work, column, keep, options)
    return frame.map_partitions(_partition, work, column, keep, options, meta=meta, enforce_metadata=False)


def _partition(frame: Any, work: Callable[..., Any], column: str, keep: Sequence[str], options: Options) -> Any:
    """One partition, which is a `pandas.DataFrame`."""
    import pandas
    import pyarrow

    names = list(dict.fromkeys([column, *keep]))
    batch = pyarrow.Table.from_pandas(frame[names], schema=_without_objects(frame, names, column), preserve_index=False)
    rows = work(batch, column=column, keep=keep, options=options).to_pandas(types_mapper=pandas.ArrowDtype)
    return rows.set_index(frame.index)


def _without_objects(frame: Any, names: Sequence[str], column: str) -> Any:
    """The types of the columns: those of an empty partition, where nothing else tells them, say what records are."""
    import pyarrow

    schema = pyarrow.Schema.from_pandas(frame[names], preserve_index=False)
    place = schema.get_field_index(column)
    return (
        schema.set(place, pyarrow.field(column, pyarrow.binary())) if schema.types[place] == pyarrow.null() else schema
    )


def run(
    work: Callable[[_Task], _Made], tasks: Sequence[_Task], *, address: str | None = None, jobs: int = 1
) -> Iterator[_Made]:
    """Yield what `work` makes of each of `tasks`, as they are done, on the cluster at `address`, or on one of `jobs`
    processes that is started for it. What a worker was doing when it was lost is done anew by another one."""
    from distributed import Client, LocalCluster, as_completed

    if address is not None:
        client = Client(address)
    else:
        cluster = LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None)
        client = Client(cluster)
    try:
        futures = client.map(work, tasks, retries=_RETRIES, pure=False)
        for future in as_completed(futures):
            yield future.result()
    finally:
        client.close()
        if address is None:
            cluster.close()
