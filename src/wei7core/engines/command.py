"""`wei7core replay --engine`: the command on a cluster, with the rows of the command without one."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..batch import Options
from ..console import Tally
from .parts import PartMade, PartWriter
from .shards import SHARD_BYTES, is_url, shards_of

__all__ = ["DONE", "ENGINES", "ClusterJob", "EngineError", "replay_on_engine"]

ENGINES: Final = ("dask", "ray", "spark")
"""The engines there are, by the names of their extras."""

DONE: Final = "_SUCCESS"
"""The empty file that comes last into the folder of the output: it says that all parts are there."""


class EngineError(Exception):
    """The engine is not installed, or could not do the job; the message is a line."""


@dataclass(frozen=True, slots=True)
class ClusterJob:
    """Records at `paths` that an engine is to replay, and the folder `target` for the rows; both may be URLs.

    `address` is that of a cluster, None for one of `jobs` processes on this machine. `column` is the one of records in
    files of Parquet, `shard_bytes` what a task reads, roughly.
    """

    engine: str
    paths: Sequence[str]
    target: str
    options: Options
    address: str | None = None
    jobs: int = 1
    column: str = "data"
    shard_bytes: int = SHARD_BYTES


def replay_on_engine(job: ClusterJob, tally: Tally, progress: Callable[[], object] | None = None) -> int:
    """Replay all records and write their rows as files of Parquet, one a shard, named in the order of the input.

    The rows are those of `wei7core replay` for the same paths. `tally` counts them; `progress` is called after each
    part. Returns how many files were passed over. A job that failed leaves the parts that were done, and no `DONE`.

    Raises `EngineError` where the engine is missing or gives up, `FileExistsError` where the folder has files in it,
    `OSError` for paths that cannot be read.
    """
    module = _engine(job.engine)
    _prepare(job.target)
    found = shards_of(job.paths, job.shard_bytes)
    target = job.target if is_url(job.target) else os.path.abspath(job.target)
    passed_over = found.passed_over
    try:
        made: PartMade
        for made in module.run(
            PartWriter(target, job.column, job.options), found.shards, address=job.address, jobs=job.jobs
        ):
            tally.count(made.records, made.moves, made.failures, made.problems)
            passed_over += made.passed_over
            if progress is not None:
                progress()
    except Exception as error:
        # Whatever the engine calls it: tracebacks of other machines are in the engine's own log.
        said = str(error).strip().splitlines() or [""]
        raise EngineError(f"{job.engine}: {type(error).__name__}: {said[0]}") from error
    _put(target, DONE)
    return passed_over


def _engine(name: str) -> Any:
    try:
        importlib.import_module({"dask": "distributed", "ray": "ray", "spark": "pyspark"}[name])
        importlib.import_module("pyarrow")
    except ImportError as error:
        raise EngineError(f"--engine {name} needs more: pip install 'wei7core[{name}]' ({error})") from error
    return importlib.import_module(f"{__package__}.{name}")


def _prepare(target: str) -> None:
    """Make the folder, which must not hold anything."""
    if is_url(target):
        import fsspec

        system, place = fsspec.core.url_to_fs(target)
        is_taken = system.exists(place) and bool(system.ls(place))
        if not is_taken:
            system.makedirs(place, exist_ok=True)
    else:
        os.makedirs(target, exist_ok=True)
        is_taken = bool(os.listdir(target))
    if is_taken:
        raise FileExistsError(17, "the folder holds files already; rows go into a new or empty one", target)


def _put(target: str, name: str) -> None:
    if is_url(target):
        import fsspec

        system, place = fsspec.core.url_to_fs(target)
        system.pipe_file(f"{place.rstrip('/')}/{name}", b"")
    else:
        with open(os.path.join(target, name), "wb"):
            pass
