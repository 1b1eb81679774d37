"""`wei7core samples`: positions, moves and results of records as shuffled shards for a network."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from .._util.words import counted
from ..rules import Scoring, named
from ..training.samples.katago_writer import katago_arrays
from ..training.samples.samples import Samples, samples
from ..training.samples.shards import merged, plain_arrays, shard_name, write_shard
from .arguments import UsageError, check_paths
from .console import plain, report

if TYPE_CHECKING:
    import argparse

_PASSED_ON: Final = (
    *("rules", "komi", "symmetry", "shuffle", "seed", "shard", "legal", "ownership", "jobs", "moves", "results"),
    *("min_rank", "source", "revision", "encoding", "first_row"),
)


def make_shards(args: argparse.Namespace) -> bool:
    """Write the shards of records to the folder `args.output`; return whether all records could be replayed.

    Raises `UsageError` for conflicting arguments and a folder that already has shards.
    """
    check_paths(args.paths, [])
    width, height = args.size
    is_katago = args.to == "katago"
    others: dict[str, tuple[Any, ...]] = {
        "features": ("alphago-zero", "katago-v7"),
        "dtype": ("uint8", "bits"),
        **dict.fromkeys(("legal", "ownership"), (False,)),
    }
    if is_katago and (given := [name for name, same in others.items() if getattr(args, name) not in same]):
        raise UsageError(f"--{given[0]} cannot be combined with --to katago, whose planes and targets are fixed")
    features: Any = "katago-v7" if is_katago else args.features.split(",") if "," in args.features else args.features
    try:
        source = samples(
            args.paths,
            min(args.rows, 4096),
            features=features,
            dtype="bits" if is_katago else args.dtype,
            size=(width, height),
            **{name: getattr(args, name) for name in _PASSED_ON},
        )
        is_new = not os.path.isdir(args.output)
        os.makedirs(args.output, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{error.filename or args.output}: {error.strerror or error}") from None
    except ValueError as error:
        raise UsageError(str(error)) from None
    if taken := sorted(name for name in os.listdir(args.output) if name.startswith("shard-")):
        raise UsageError(f"{args.output} has shards already, such as {taken[0]}")
    try:
        rows, shards = _write(args, source, is_katago=is_katago)
    except BaseException as error:
        if is_new:
            with suppress(OSError):  # it has shards
                os.rmdir(args.output)
        if isinstance(error, ImportError):
            raise UsageError("Parquet needs pyarrow: pip install 'wei7core[arrow]'") from None
        raise
    report(
        [
            *(f"not replayed to its end: {plain(name)}" for name in source.failed),
            f"{counted(source.games, 'game')}, {counted(source.errors, 'error')}, {source.skipped:,} skipped: "
            f"{counted(rows, 'row')} in {counted(shards, 'shard')}",
        ],
        quiet=args.quiet,
    )
    return source.errors == 0


def _write(args: argparse.Namespace, source: Samples, *, is_katago: bool) -> tuple[int, int]:
    width, height = args.size
    territory = named(args.rules).scoring is Scoring.TERRITORY
    rows = shards = 0
    for batch in merged(source, args.rows):
        arrays = katago_arrays(batch, width, height, territory=territory) if is_katago else plain_arrays(batch)
        write_shard(os.path.join(args.output, shard_name(shards, args.to)), arrays)
        rows, shards = rows + len(batch), shards + 1
    return rows, shards
