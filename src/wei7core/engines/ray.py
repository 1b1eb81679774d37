"""Ray: records of a Ray Data dataset, batch by batch, and pieces of any work on a Ray cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeVar

from ..arrow import Options, keys_batch, replay_batch

__all__ = ["families", "keys", "replay", "run"]

_DEFAULT: Final = Options()
_BATCH: Final = 10_000
_RETRIES: Final = 3
_Task = TypeVar("_Task")
_Made = TypeVar("_Made")


def replay(
    dataset: Any,
    *,
    column: str = "data",
    keep: Sequence[str] = (),
    options: Options = _DEFAULT,
    batch_size: int | None = _BATCH,
    **resources: Any,
) -> Any:
    """Return the `ray.data.Dataset` of a row for each record of one column of `dataset`.

    Arguments are those of `wei7core.arrow.replay_batch`, which each batch of `batch_size` rows is handed to when it is
    computed (None: each block as it is); what that raises is raised then. `record` counts in each batch, unless it is
    kept. `resources` go to `map_batches`: `num_cpus`, `memory`, `concurrency` and so on.
    """
    return _mapped(replay_batch, dataset, column, keep, options, batch_size, resources)


def keys(
    dataset: Any,
    *,
    column: str = "data",
    keep: Sequence[str] = (),
    options: Options = _DEFAULT,
    batch_size: int | None = _BATCH,
    **resources: Any,
) -> Any:
    """Return the `ray.data.Dataset` of the keys of each record: `wei7core.arrow.keys_batch`, as `replay`."""
    return _mapped(keys_batch, dataset, column, keep, options, batch_size, resources)


def families(dataset: Any, *, by: str = "game_key") -> Any:
    """Return the rows of a dataset of `keys` whose `by` others have as well, and in `games` how many have it.

    With `game_key` these are the games that are there more than once, with `prefix_60` those that begin with the same
    60 moves. Ray brings rows of one key together; no worker holds more than its share of them.
    """
    named = dataset.map_batches(_with_key, fn_kwargs={"by": by}, batch_format="pyarrow", zero_copy_batch=True)
    return named.groupby(by).map_groups(_family, batch_format="pyarrow")


def _with_key(table: Any, by: str) -> Any:
    return table.filter(table[by].is_valid()) if by in table.column_names else table


def _family(table: Any) -> Any:
    """The rows of one key, none of them where there is one."""
    import pyarrow

    count = len(table)
    return table.append_column("games", pyarrow.array([count] * count, pyarrow.int64())).slice(
        0, count if count > 1 else 0
    )


def _mapped(
    work: Callable[..., Any],
    dataset: Any,
    column: str,
    keep: Sequence[str],
    options: Options,
    batch_size: int | None,
    resources: dict[str, Any],
) -> Any:
    wanted = {"work": work, "column": column, "keep": tuple(keep), "options": options}
    return dataset.map_batches(
        _batch, fn_kwargs=wanted, batch_format="pyarrow", batch_size=batch_size, zero_copy_batch=True, **resources
    )


def _batch(table: Any, work: Callable[..., Any], column: str, keep: Sequence[str], options: Options) -> Any:
    """One batch, which is a `pyarrow.Table`."""
    import pyarrow

    if not table.column_names:  # as Ray has it for a block of no row
        return table
    return pyarrow.Table.from_batches([work(table, column=column, keep=keep, options=options)])


def _called(work: Callable[[_Task], _Made], task: _Task) -> _Made:
    """What `work` makes of a task: Ray takes functions, not everything that can be called."""
    return work(task)


def run(
    work: Callable[[_Task], _Made], tasks: Sequence[_Task], *, address: str | None = None, jobs: int = 1
) -> Iterator[_Made]:
    """Yield what `work` makes of each of `tasks`, as they are done, on the cluster at `address`, or on one of `jobs`
    processes that is started for it. What a worker was doing when it was lost is done anew by another one."""
    import ray

    is_own = not ray.is_initialized()
    if is_own:
        ray.init(
            address=address or "local",
            num_cpus=None if address else jobs,
            include_dashboard=None if address else False,
            log_to_driver=False,
            logging_level="ERROR",
        )
    try:
        remote = ray.remote(max_retries=_RETRIES)(_called)
        waiting: list[Any] = []
        most = 4 * max(1, int(ray.cluster_resources().get("CPU", 1)))
        for task in tasks:
            if len(waiting) == most:
                (ready,), waiting = ray.wait(waiting)
                yield ray.get(ready)
            waiting.append(remote.remote(work, task))
        while waiting:
            (ready,), waiting = ray.wait(waiting)
            yield ray.get(ready)
    finally:
        if is_own:
            ray.shutdown()
