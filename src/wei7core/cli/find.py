"""`wei7core index` and `wei7core find`: make or extend an index, and search it for a position."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .._util.files import chunks
from .._util.words import counted
from ..batch.index.filters import FILTERS, is_text_filter
from ..batch.index.hits import Hits
from ..batch.index.index import Index
from ..board.board import Board
from ..errors import DiagramError, IndexFileError, Wei7Error
from ..formats.registry import detect_format
from ..game.load import loads
from ..game.moves import COLOR_WORDS
from ..sources.sources import Sources
from ..tables.columns import Texts, columns_for
from ..tables.table import Table
from ..tables.writers import write_table
from .arguments import UsageError, check_paths
from .console import plain, report

if TYPE_CHECKING:
    import argparse

_SHOWN_LETTERS: Final = 60  # of a pattern in a message
_MOST_PATTERN_BYTES: Final = 1 << 24
_SHOWN: Final = 20


class FoundRow(NamedTuple):
    """A hit with the place of its record."""

    source: str
    record: int
    game: int
    move_number: int
    symmetry: int
    swapped: bool


FOUND_COLUMNS: Final = columns_for(FoundRow)


def make_index(args: argparse.Namespace) -> bool:
    """Make the index `args.output` of records, or add them to it; return whether all could be replayed without
    error. With `args.verify` compare that index with its checksums instead; return whether they agree.
    """
    if args.verify is not None:
        if args.paths or args.output:
            raise UsageError("--verify takes one index, and neither PATH nor -o")
        return _verify(args.verify, quiet=args.quiet)
    if not args.paths or not args.output:
        raise UsageError("records and a folder are required: PATH... -o FOLDER")
    check_paths(args.paths, [])
    options: Any = {name: getattr(args, name) for name in ("jobs", "revision", "encoding", "first_row")}
    try:
        if os.path.exists(os.path.join(args.output, "index.json")):
            index = Index.open(args.output)
            before = len(index)
            index.add(args.paths, **options)
        else:
            before = 0
            index = Index.create(args.output, args.paths, **options)
    except IndexFileError as error:
        raise UsageError(str(error)) from None
    errors = sum(row.error is not None for row in index.games()[before:])
    added = counted(len(index) - before, "record")
    summary = f"{plain(args.output)}: {added} added, {counted(errors, 'error')}; {counted(len(index), 'record')} in all"
    report([summary], quiet=args.quiet)
    return not errors


def _verify(folder: str, *, quiet: bool) -> bool:
    try:
        index = Index.open(folder)
        index.verify()
    except IndexFileError as error:
        report([plain(str(error))], quiet=False)
        return False
    facts = index.stats()
    summary = (
        f"{counted(facts['segments'], 'segment')} of {counted(facts['games'], 'record')} agree with their checksums"
    )
    report([f"{plain(folder)}: {summary}"], quiet=quiet)
    return True


def find_positions(args: argparse.Namespace) -> bool:
    """Search the index `args.folder` for a position; return whether a game has it."""
    check_paths([args.folder], [args.output])
    try:
        index = Index.open(args.folder)
        hits = index.find(
            _pattern(args),
            args.region,
            symmetry=not args.no_symmetry,
            either_color=args.either_color,
            to_play=COLOR_WORDS[args.to_play] if args.to_play else None,
            max_move=args.max_move,
            contiguous=args.contiguous,
            where=_filters(args.where) if args.where else None,
        )
        is_table_of_moves = args.continuations or args.details
        table = hits.continuations(details=args.details) if is_table_of_moves else _placed(index, hits)
    except DiagramError as error:
        source = f"{args.position}: this file is no record, and as a pattern"
        if not os.path.isfile(args.position):
            source = f"there is no file {args.position[:_SHOWN_LETTERS]!r}, and as a pattern"
        raise UsageError(f"{source}: {error}") from None
    except (Wei7Error, ValueError, ImportError) as error:
        raise UsageError(str(error)) from None
    if args.output:
        with write_table(args.output, table.columns) as writer:
            writer.write_columns(table.data)
    else:
        for line in _lines(table):
            print(line)
    summary = f"{counted(hits.row_count, 'position')} in {counted(len(hits), 'game')} of {len(index):,}"
    report([summary], quiet=args.quiet)
    return len(hits) > 0


def _filters(conditions: list[str]) -> dict[str, Any]:
    """The conditions given as `NAME=VALUE`."""
    where: dict[str, Any] = {}
    for text in conditions:
        name, sign, value = text.partition("=")
        if not sign or name not in FILTERS:
            raise UsageError(f"--where {plain(text)}: use NAME=VALUE, where NAME is one of {', '.join(FILTERS)}")
        if name in where:
            raise UsageError(f"--where {plain(text)}: {name} is named twice; use | between values")
        low, dots, high = value.partition("..")
        is_text = is_text_filter(name)
        if dots and (not is_text or name == "date" or name.endswith("rank")):
            where[name] = _value(name, low), _value(name, high)
        else:
            where[name] = [_value(name, one) for one in value.split("|")]
    return where


def _value(name: str, text: str) -> str | float | None:
    if not text:
        return None
    if is_text_filter(name):
        return text
    if name == "winner" and text.lower() in COLOR_WORDS:
        return COLOR_WORDS[text.lower()]
    try:
        # Tables of text have keys in 16 hexadecimal digits.
        return float(text) if name != "opening_key" else int(text, 16 if len(text) == 16 else 10)
    except ValueError:
        raise UsageError(f"--where {name}: {plain(text)} is not a number") from None


def _pattern(args: argparse.Namespace) -> Board | str:
    """The pattern of an argument: the last position of a record, the text of a file, or the text itself."""
    position: str = args.position
    text = None
    if os.path.isdir(position):
        raise UsageError(f"{position}: this is a folder; use a record in it, or a pattern")
    if not os.path.isfile(position):
        text = position.replace("/", "\n")
    else:
        with open(position, "rb") as file:
            data = b"".join(chunks(file, _MOST_PATTERN_BYTES))
        if detect_format(data, position) is None:
            text = data.decode("utf-8", "replace")
    if text is not None:
        if args.move is not None:
            raise UsageError("--move requires a record as --position, not a pattern")
        return text
    first = next(iter(Sources(position)), None)
    if first is None or first.data is None:
        raise UsageError(f"{position}: the file contains no records")
    game = loads(first.data, strict=False, revision=args.revision, encoding=args.encoding, first_row=args.first_row)
    board = None
    for node in game.main_line():
        if args.move is not None and node.move_number == args.move:
            return node.board
        board = node.board if args.move is None else board
    if board is None:
        raise UsageError(f"{position}: move {args.move} is out of range")
    return board


def _placed(index: Index, hits: Hits) -> Table:
    rows = index.games()
    games = hits.to_numpy()["game"].tolist()
    sources = {game: rows[game] for game in set(games)}
    data: dict[str, Any] = dict(hits.data)
    data["source"] = Texts.of([sources[game].source for game in games])
    data["record"] = FOUND_COLUMNS[1].of([sources[game].record for game in games])
    return Table(FOUND_COLUMNS, data, FoundRow)


def _lines(table: Table) -> Iterator[str]:
    """The first rows as lines, columns separated by tabs."""
    yield "\t".join(column.name for column in table.columns)
    for row in table[:_SHOWN]:
        yield "\t".join(plain(str(value)) for value in row)
    if len(table) > _SHOWN:
        yield f"... {counted(len(table) - _SHOWN, 'more row')}; -o OUT writes all"
