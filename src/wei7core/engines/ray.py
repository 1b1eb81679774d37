"""Ray: records of a Ray Data dataset, batch by batch, and pieces of any work on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from ..arrow.functions import Options, check_batch, keys_batch, replay_batch
from ..tables.to_arrow import pyarrow
from . import Run

_DEFAULT: Final = Options()
_BATCH: Final = 10_000
_RETRIES: Final = 3
_SHARES: Final = 64
_SHARE: Final = "wei7core_share"


def replay(
    dataset: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT, **batches: Any
) -> Any:
    """Return the `ray.data.Dataset` of a row for each record of one column of `dataset`.

    Arguments are those of `wei7core.arrow.replay_batch`, which is called for each batch when it is computed and raises
    then. `record` counts in each batch, unless it is kept. `batches` go to `map_batches`: `batch_size` (10,000 rows
    unless it is given; None: each block as it is), `num_cpus`, `memory`, `concurrency` and so on.
    """
    return _mapped(replay_batch, dataset, batches, column=column, keep=tuple(keep), options=options)


def keys(
    dataset: Any, *, column: str = "data", keep: Sequence[str] = (), options: Options = _DEFAULT, **batches: Any
) -> Any:
    """Return the `ray.data.Dataset` of the keys of each record: `wei7core.arrow.keys_batch`, as `replay`."""
    return _mapped(keys_batch, dataset, batches, column=column, keep=tuple(keep), options=options)


def check(
    dataset: Any, *, column: str = "data", keep: Sequence[str] = (), batch_size: int | None = _BATCH, **how: Any
) -> Any:
    """Return the `ray.data.Dataset` of the findings of each record, one a row.

    Arguments are those of `wei7core.arrow.check_batch`; the rest is as in `replay`.
    """
    return _mapped(check_batch, dataset, {"batch_size": batch_size}, column=column, keep=tuple(keep), **how)


def families(dataset: Any, *, by: str = "game_key") -> Any:
    """Return the rows of a dataset of `keys` that share their `by` with others; column `games` is their number.

    With `game_key` these are duplicate games, with `prefix_60` those with the same first 60 moves. Ray groups rows by
    key; no worker has more than its share of them.
    """
    how = {"fn_kwargs": {"by": by}, "batch_format": "pyarrow"}
    shared = dataset.map_batches(_with_share, zero_copy_batch=True, **how)
    return shared.groupby(_SHARE).map_groups(_families, **how)


def _with_share(table: Any, by: str) -> Any:
    """The rows with a key, and the share of all keys that it belongs to: Ray calls a function for each group."""
    if by not in table.column_names:
        return table
    library = pyarrow()
    keys = table[by]
    share = pyarrow("pyarrow.compute").bit_wise_and(keys, library.scalar(_SHARES - 1, library.uint64()))
    return table.append_column(_SHARE, share.cast(library.int32())).filter(keys.is_valid())


def _families(table: Any, by: str) -> Any:
    """The rows of one share with a repeated key."""
    compute = pyarrow("pyarrow.compute")
    keys, counts = compute.value_counts(table[by]).flatten()
    is_several = compute.greater(counts, 1)
    places = compute.index_in(table[by], keys.filter(is_several))
    games = counts.filter(is_several).take(places)
    return table.drop_columns([_SHARE]).append_column("games", games).filter(games.is_valid())


def _mapped(work: Callable[..., Any], dataset: Any, batches: Mapping[str, Any], **how: Any) -> Any:
    settings = {"batch_size": _BATCH, "batch_format": "pyarrow", "zero_copy_batch": True, **batches}
    return dataset.map_batches(_batch, fn_kwargs={"work": work, **how}, **settings)


def _batch(table: Any, work: Callable[..., Any], **how: Any) -> Any:
    """One batch, which is a `pyarrow.Table`."""
    if not table.column_names:  # Ray's value for a block without rows
        return table
    return pyarrow().Table.from_batches([work(table, **how)])


@contextmanager
def cluster(address: str | None = None, jobs: int = 1) -> Iterator[Run]:
    """Use the cluster at `address`, or start one of `jobs` processes, unless Ray is already in use; the context applies
    a function to tasks and yields the results as they complete. The tasks of a lost worker are repeated by another one.
    """
    import ray

    def run(work: Callable[[Any], Any], tasks: Sequence[Any]) -> Iterator[Any]:
        def called(task: Any) -> Any:  # Ray accepts functions, but no other callable objects
            return work(task)

        remote = ray.remote(max_retries=_RETRIES)(called)
        waiting: list[Any] = []
        most = 4 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        for task in tasks:
            if len(waiting) == most:
                (ready,), waiting = ray.wait(waiting)
                yield ray.get(ready)
            waiting.append(remote.remote(task))
        while waiting:
            (ready,), waiting = ray.wait(waiting)
            yield ray.get(ready)

    is_own = not ray.is_initialized()
    if is_own:
        own: dict[str, Any] = {"address": "local", "num_cpus": jobs, "include_dashboard": False}
        there = own if address is None else {"address": address}
        ray.init(**there, log_to_driver=False, logging_level="ERROR")
    try:
        yield run
    finally:
        if is_own:
            ray.shutdown()
