"""`wei7core replay --unique`: each game once, whatever its orientation, comments and format."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from .._util.files import lies_in, whole_folder, write_whole
from ..batch.options import Options
from ..batch.single_records import replay_raw_record
from ..checking.check import check
from ..checking.reopen import record_places
from ..checking.safe_names import file_name, folder_parts, numbered
from ..errors import Wei7Error
from ..formats.sgf.games import split
from ..game.conversion import encode_record
from ..game.conversion.reading_losses import reading_losses
from ..game.conversion.report import Loss, count_by_code
from ..sources.chunks import RawRecord
from ..sources.sources import STDIN
from .arguments import UsageError

_FAMILIES: Final = ("duplicate-bytes", "duplicate-game")
_FORMATS: Final = {".sgf": "sgf", ".jsonl": "wei7"}

Write = Callable[[RawRecord], Iterable[Loss]]


class Written(NamedTuple):
    """How many games were written and copies left out, a line for each record that cannot be written, and the losses of
    conversions by code.
    """

    games: int
    copies: int
    refused: list[str]
    losses: Counter[str]


class _NotWrittenError(Exception):
    """A record has no bytes, or cannot be converted."""


def check_target(target: str, paths: Sequence[str]) -> None:
    """Raise `UsageError` where the games cannot be written to `target`."""
    if STDIN in paths:
        raise UsageError("--unique cannot read from standard input: records are read again when copies are known")
    is_folder = not os.path.splitext(target)[1] or os.path.isdir(target)
    if not is_folder and os.path.splitext(target)[1].lower() not in _FORMATS:
        raise UsageError(f"{target}: --unique writes a .sgf or .jsonl file, or a folder")
    if is_folder and os.path.lexists(target) and (not os.path.isdir(target) or os.listdir(target)):
        raise UsageError(f"{target}: --unique writes to a folder that is new or empty")
    if not os.path.isdir(os.path.dirname(os.path.realpath(target))):
        raise UsageError(f"{target}: no such folder")
    for path in paths:
        if os.path.realpath(path) == os.path.realpath(target) or lies_in(path, target):
            raise UsageError(f"{target}: this is one of the inputs, or in their folder; write outside of it")


def write_unique(paths: Sequence[str], target: str, options: Options, jobs: int) -> Written:
    """Write each game of `paths` once: the first one of those that `check` finds to be duplicates.

    A folder gets a file for each game, with its own bytes; a file has all of them in its format, and those of other
    formats are converted. Either appears whole or not at all. Raises `UsageError`, `OSError`.
    """
    check_target(target, paths)
    copies: dict[str, set[int]] = {}
    for finding in check(
        paths,
        select=_FAMILIES,
        severity="info",
        jobs=jobs,
        revision=options.revision,
        limits=options.limits,
        encoding=options.encoding,
        first_row=options.first_row,
    ):
        copies.setdefault(finding.source, set()).add(finding.record)
    games = left_out = 0
    refused: list[str] = []
    losses: Counter[str] = Counter()
    with _opened(target, options) as write:
        for source, record, text in record_places(paths, options.limits):
            if record in copies.get(source, ()):
                left_out += 1
                continue
            game = text()
            try:
                losses += count_by_code(write(game))
                games += 1
            except _NotWrittenError as error:
                number = f"#{game.record}" if game.one_of_many else ""
                refused.append(f"{game.source}{number}: error: {error}")
    return Written(games, left_out, refused, losses)


@contextmanager
def _opened(target: str, options: Options) -> Iterator[Write]:
    suffix = os.path.splitext(target)[1].lower()
    if suffix and not os.path.isdir(target):
        with write_whole(target) as file:
            yield lambda text: _append(file.buffer.write, text, _FORMATS[suffix], options)
        return
    with whole_folder(os.path.realpath(target)) as staging:
        yield lambda text: _put(staging, text)


def _data(text: RawRecord) -> bytes:
    if text.data is None:
        raise _NotWrittenError("; ".join(problem.message for problem in text.problems) or "the record was not read")
    return text.data


def _put(folder: str, text: RawRecord) -> Iterable[Loss]:
    data = _data(text)
    parent = os.path.join(folder, *folder_parts(text.source))
    os.makedirs(parent, exist_ok=True)
    name, number = file_name(text, is_whole=False), 1
    while os.path.lexists(path := os.path.join(parent, numbered(name, number))):
        number += 1
    with open(path, "xb") as file:
        file.write(data)
    return ()


def _fits_others(data: bytes) -> bool:
    """Whether a game of SGF is the same among others in one text: in UTF-8, and none that follows is a part of it."""
    try:
        return "\0" not in data.decode() and len(split(data + b"(;)")) == 2
    except UnicodeDecodeError:
        return False


def _append(write: Callable[[bytes], object], text: RawRecord, format: str, options: Options) -> Iterable[Loss]:
    data = _data(text).removeprefix(BOM_UTF8)
    losses: list[Loss] = []
    if text.format != format or (format == "sgf" and not _fits_others(data)):
        outcome = replay_raw_record(text, options)
        if outcome.record is None or not len(outcome.record.trees):
            raise _NotWrittenError(outcome.row.error_message or "the record has no game")
        try:
            data, lost = encode_record(outcome.record, format, outcome.problems, options.limits)
        except (Wei7Error, ValueError) as error:
            raise _NotWrittenError(str(error)) from None
        losses = reading_losses(outcome.problems) + lost
    if format == "wei7":
        data = data.replace(b"\r", b" ").replace(b"\n", b" ")  # only between the words of JSON
    write(data.strip() + b"\n")
    return losses
