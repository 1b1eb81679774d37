"""`wei7core replay --engine`: replay on a cluster, with the same rows as without one."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final

from ..batch.options import Options
from ..engines import Run
from ..engines.part_writer import UNFINISHED, PartMade, PartWriter
from ..engines.shards import (
    SHARD_BYTES,
    InputSplit,
    Range,
    RangeFound,
    RangeReader,
    is_url,
    pieces_at,
    ranges_of,
    shards_of,
)
from .console import Tally

"""The supported engines, by the names of their extras."""

DONE: Final = "_SUCCESS"
"""The empty file written last into the output folder: all parts are complete."""

_FILE: Final = "file://"


class ClusterError(Exception):
    """The engine is not installed, or failed; the message is a line."""


@dataclass(frozen=True, slots=True)
class ClusterJob:
    """A replay by an engine of the records at `paths` into the folder `target`; both may be URLs.

    `address` is that of a cluster, None for one of `jobs` processes on this machine. `column` is the column of records
    in Parquet files, `positions` another folder, for the positions. `shard_bytes` is the approximate input of a task.
    """

    engine: str
    paths: Sequence[str]
    target: str
    options: Options
    address: str | None = None
    jobs: int = 1
    column: str = "data"
    positions: str | None = None
    shard_bytes: int = SHARD_BYTES


def replay_on_engine(job: ClusterJob, tally: Tally, progress: Callable[[], object] | None = None) -> int:
    """Replay all records and write their rows as files of Parquet, one a shard, named in the order of the input.

    The rows are those of `wei7core replay` for the same paths. `tally` counts them; `progress` is called after each
    part. Returns the number of skipped files. After a failure the completed parts remain, without `DONE`.

    Raises `ClusterError` if the engine is missing or fails, and for URLs that cannot be read or written,
    `FileExistsError` if a folder is not empty, `OSError` for paths that cannot be read.
    """
    module = _engine(job.engine)
    pieces, passed_over = _pieces(job)
    target = _prepare(job.target)
    positions = None if job.positions is None else _prepare(job.positions)
    writer = PartWriter(target, job.column, replace(job.options, positions=positions is not None), positions)
    try:
        with module.cluster(job.address, job.jobs) as run:
            ranges = ranges_of(pieces, job.shard_bytes)
            found = ranges_found(run, ranges, job)
            made: PartMade
            for made in run(writer, shards_of(pieces, found, job.shard_bytes)):
                tally.count(made.records, made.moves, made.failures, made.problems)
                passed_over += made.passed_over
                if progress is not None:
                    progress()
    except Exception as error:
        raise ClusterError(f"{job.engine}: {_line(error)}") from error
    for folder in filter(None, (positions, target)):
        _finish(folder)
    return passed_over


def ranges_found(run: Run, ranges: Sequence[Range], job: ClusterJob) -> list[RangeFound]:
    """Return the contents of ranges of files. Local processes do it without tasks, which would cost more."""
    reader = RangeReader(job.options.limits)
    if job.address is None:
        with ThreadPoolExecutor(job.jobs) as pool:
            return list(pool.map(reader, ranges))
    return list(run(reader, ranges)) if ranges else []


def _engine(name: str) -> Any:
    try:
        importlib.import_module({"dask": "distributed", "ray": "ray", "spark": "pyspark"}[name])
        importlib.import_module("pyarrow")
    except ImportError as error:
        raise ClusterError(
            f"--engine {name} requires another package: pip install 'wei7core[{name}]' ({error})"
        ) from error
    return importlib.import_module(f"{__package__}.{name}")


def _line(error: Exception) -> str:
    """The message of an engine or a file system, whatever its type: their tracebacks are in their own logs."""
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"


def _pieces(job: ClusterJob) -> tuple[list[InputSplit], int]:
    pieces: list[InputSplit] = []
    passed_over = 0
    for path in job.paths:
        try:
            found, others = pieces_at(path, job.column, job.shard_bytes)
        except OSError as error:
            if error.filename is not None:
                raise
            raise ClusterError(f"{path}: {_line(error)}") from error
        except Exception as error:
            raise ClusterError(f"{path}: {_line(error)}") from error
        pieces += found
        passed_over += others
    return pieces, passed_over


def _prepare(folder: str) -> str:
    """Make an empty folder, and return its absolute path, or its URL.

    Raises `FileExistsError` if it contains files, `OSError` or `ClusterError` if it cannot be made.
    """
    folder = folder.removeprefix(_FILE)  # local files are renamed when complete, which URLs do not support
    if is_url(folder):
        try:
            import fsspec

            system, place = fsspec.core.url_to_fs(folder)
            is_taken = system.exists(place) and bool(system.ls(place))
            if not is_taken:
                system.makedirs(place, exist_ok=True)
        except Exception as error:
            raise ClusterError(f"{folder}: {_line(error)}") from error
    else:
        folder = os.path.abspath(folder)
        os.makedirs(folder, exist_ok=True)
        is_taken = bool(os.listdir(folder))
    if is_taken:
        raise FileExistsError(17, "the folder is not empty; use a new or empty one for the rows", folder)
    return folder


def _finish(folder: str) -> None:
    """Mark the output as complete, and remove unfinished files of lost workers."""
    if is_url(folder):
        import fsspec

        system, place = fsspec.core.url_to_fs(folder)
        system.pipe_file(f"{place.rstrip('/')}/{DONE}", b"")
        return
    for name in os.listdir(folder):
        if name.startswith(UNFINISHED):
            os.unlink(os.path.join(folder, name))
    with open(os.path.join(folder, DONE), "wb"):
        pass
