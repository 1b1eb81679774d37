"""An index of games: segments in a folder, and the manifest that lists the valid ones."""

from __future__ import annotations

import json
import operator
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from mmap import mmap
from typing import TYPE_CHECKING, Any, Final, NamedTuple, SupportsIndex
from zlib import crc32

import numpy as np

from ..._util.atomic_write import lock_file
from ..._util.files import write_bytes_whole
from ..._util.lazy_numpy import Array
from ..._util.numbers import flag, integer
from ..._util.words import counted
from ...board.board import Board
from ...board.position import Position
from ...errors import IndexFileError
from ...formats.registry import FirstRow
from ...limits import DEFAULT_LIMITS, Limits
from ...sources.sources import Input, Sources
from ...tables.columns import Numbers, Texts, columns_for
from ...tables.table import Table
from ..options import Options, refuse_wrong
from ..run import readable
from .gathering import gathered
from .metadata_file import MetadataFile, metadata_path, metadata_table
from .segment import Segment, merge_segments, runs_to_join, runs_to_merge, segment_parts, write_parts
from .segment_file import INDEX_VERSION
from .size_group import SizeGroup

if TYPE_CHECKING:
    from .hits import Hits
    from .patterns import Region

MANIFEST: Final = "index.json"
_LOCK: Final = "lock"
_FORMAT: Final = "wei7core index"
_SEGMENT: Final = re.compile(r"segment-[0-9]{6}\.w7s")
_METADATA: Final = re.compile(r"segment-[0-9]{6}\.parquet")
_ATTEMPTS: Final = 8
_MOST_JOBS: Final = 256
"""More threads would only share out what is already small."""
_CHECKED_BYTES: Final = 1 << 28
"""Indexes up to this size in bytes are verified against their checksums when opened."""


class IndexedGame(NamedTuple):
    """A record of an index: its number, source, size, moves in force, and winner.

    `width` and `height` are None if no board could be made, `winner` if there is none or it is unknown; `error` is the
    code of the error that prevented a full replay.
    """

    game: int
    source: str
    record: int
    width: int | None
    height: int | None
    moves: int
    winner: int | None
    error: str | None


GAME_COLUMNS: Final = columns_for(IndexedGame)
"""The columns of the games of an index, in order."""


class Index:
    """Games on disk, in which any position is found without replaying them.

        index = w7.Index.create("games.w7i", "archive/")
        hits = index.find(board, either_color=True)
        print(len(hits), "games")
        for row in hits.continuations():
            print(row.point, row.games)

    Every record is numbered, from 0, in the order in which it was added; a record that cannot be read has a row in
    `games`, and no position. The positions of a game are those after each move in force at the end of the main line, at
    the start and after setups; moves taken back do not count.

    The folder has a manifest and immutable segments. An `add` takes effect when it is complete: a killed run leaves the
    index unchanged.

    Thread safety: any number of threads may search; one at a time may `add`, and another process that tries to is
    refused. Searches during an `add` use the previous content. A pickled index is its path: it is opened where it is
    read.
    """

    def __init__(self, folder: str | os.PathLike[str], segments: Sequence[Segment]) -> None:
        self.folder = os.fspath(folder)
        self._segments = tuple(segments)
        self._kept_values: tuple[tuple[Segment, ...], Array] | None = None
        self._kept_groups: tuple[tuple[Segment, ...], list[list[SizeGroup]]] | None = None

    @classmethod
    def create(
        cls,
        folder: str | os.PathLike[str],
        inputs: Input | mmap | Iterable[Input | mmap] = (),
        *,
        jobs: int = 1,
        revision: int = 7,
        limits: Limits = DEFAULT_LIMITS,
        encoding: str | None = None,
        first_row: FirstRow = "top",
    ) -> Index:
        """Make an index of `inputs` in `folder`, which is made if it is not there, and return it.

        Arguments are those of `wei7core.replay`. Raises `FileExistsError` where the folder has an index or other
        files, `OSError` where it cannot be written, and what `replay` raises.
        """
        with cls._new(folder) as index:
            index.add(inputs, jobs=jobs, revision=revision, limits=limits, encoding=encoding, first_row=first_row)
        return index

    @classmethod
    def join(
        cls, folder: str | os.PathLike[str], parts: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
    ) -> Index:
        """Make an index of the games of other indexes, in their order, in `folder`, and return it.

        It is that of all their inputs: parts may be made by several processes or machines, each of its own inputs, and
        joined without reading a record again. Small segments become larger ones; memory is that of one. All parts have
        metadata, or none has. Raises `ValueError` where only some have, and what `create` and `open` raise.
        """
        folders = [parts] if isinstance(parts, (str, os.PathLike)) else parts
        found = [segment for part in folders for segment in cls.open(part)._segments]
        with_metadata = {segment.metadata is not None for segment in found}
        if len(with_metadata) > 1:
            raise ValueError("some parts have metadata and others have none: they were made without pyarrow")
        with cls._new(folder) as index, index._locked():
            segments: list[Segment] = []
            for run in runs_to_join(found):
                first = sum(segment.count for segment in segments)
                segments.append(merge_segments(index._new_path(segments), run, first))
            index._write_manifest(segments)
            index._segments = tuple(segments)
        return index

    @classmethod
    @contextmanager
    def _new(cls, folder: str | os.PathLike[str]) -> Iterator[Index]:
        """An index without games; a folder that was made for it is removed if the block fails."""
        path = os.fspath(folder)
        is_made = not os.path.exists(path)
        os.makedirs(path, exist_ok=True)
        try:
            if os.path.exists(os.path.join(path, MANIFEST)):
                raise FileExistsError(17, "there is an index already; open it and add to it", path)
            if others := sorted(name for name in os.listdir(path) if not _is_own(name)):
                raise FileExistsError(17, f"the folder has other files, such as {others[0]}", path)
            yield cls(path, ())
        except BaseException:
            if is_made:
                with suppress(OSError):
                    os.rmdir(path)
            raise

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> Index:
        """Return the index in `folder`; only the parts that are used come into memory.

        Raises `IndexFileError` for an index of another version, truncated or with a wrong checksum, `OSError` for a
        folder without an index. An index of more than 256 MiB is compared with the checksums of its arrays only by
        `verify`.
        """
        index = cls(folder, ())
        manifest = os.path.join(index.folder, MANIFEST)
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                with open(manifest, "rb") as file:
                    before = file.read()
            except (FileNotFoundError, NotADirectoryError) as error:
                raise type(error)(error.errno, "there is no index in this folder", index.folder) from None
            try:
                index._segments = tuple(index._read())
                break
            except (IndexFileError, FileNotFoundError):
                # Another process may have merged the segments since.
                with open(manifest, "rb") as file:
                    if file.read() == before or attempt == _ATTEMPTS:
                        raise
        if sum(map(_size_of, index._segments)) <= _CHECKED_BYTES:
            index.verify()
        return index

    def add(
        self,
        inputs: Input | mmap | Iterable[Input | mmap],
        *,
        jobs: int = 1,
        revision: int = 7,
        limits: Limits = DEFAULT_LIMITS,
        encoding: str | None = None,
        first_row: FirstRow = "top",
    ) -> int:
        """Add the records of `inputs` to the index, all or none, and return how many there were.

        Where earlier calls have left eight small segments or more in a row, they are first merged into one.

        Arguments are those of `wei7core.replay`. Raises what `open` and `replay` raise, and `BlockingIOError` where
        another process adds to the index.
        """
        options = Options(
            positions=True, revision=revision, limits=limits, encoding=encoding, first_row=first_row, metadata=True
        )
        refuse_wrong(options, jobs)
        jobs = min(jobs, _MOST_JOBS)
        with self._locked():
            segments = self._read_if_any()
            self._remove_leftovers(segments)
            segments = self._merged(segments)
            before = first = sum(segment.count for segment in segments)
            sources = Sources(readable(inputs), limits=limits)
            for segment in write_parts(
                segment_parts(gathered(sources, options, jobs)), self._new_paths(segments), first, jobs
            ):
                segments.append(segment)
                first += segment.count
            self._write_manifest(segments)
            self._segments = tuple(segments)
        return first - before

    def __len__(self) -> int:
        return sum(segment.count for segment in self._segments)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).open, (os.path.abspath(self.folder),)

    def __repr__(self) -> str:
        return f"<Index of {counted(len(self), 'game')} in {self.folder!r}>"

    def find(
        self,
        pattern: Board | Position | str,
        region: Region = "board",
        *,
        symmetry: bool = True,
        either_color: bool = False,
        to_play: SupportsIndex | None = None,
        max_move: int | None = None,
        contiguous: bool = False,
        where: Mapping[str, Any] | Array | None = None,
    ) -> Hits:
        """Return the positions that match a pattern.

        `pattern` is a `Board`, a `Position` (its stones alone), or a text, a line for each row: `.` empty, `X` black,
        `O` white, `?` anything, `x` anything but white, `o` anything but black, `*` a stone. `region`:

        - `board`: the pattern is the whole board
        - `corner`: its upper left point is that of the board
        - `side`: its upper row is part of the upper row of the board
        - `anywhere`

        With `symmetry` the board may be turned and mirrored, so that a corner is any corner; with `either_color` the
        colors may be exchanged. `to_play` is the color (of the pattern) whose turn it is: of the next move, or after
        the last one its player's opponent. `max_move`: the most moves in force. With `contiguous` the stones of the
        pattern were put by moves that followed one another at once, without a move elsewhere: in the order of the moves
        of a `Board` that has no other stones and none captured, in any order for other patterns.

        `where` selects games; see `matching`.

        Raises `ValueError` for a pattern that fits no board of the index, an unknown region or color, and invalid
        filters; `DiagramError` (a `ValueError`) for a text that is no pattern; `TypeError` for other types.
        """
        # Searching is not imported with this module: an index is made in as long as a few of these imports take.
        from .filters import chosen_games
        from .finding import Query, find_in_groups, with_rows
        from .hits import Hits
        from .patterns import REGIONS, Pattern

        segments = self._segments
        if region not in REGIONS:
            raise ValueError(f"a region is {', '.join(REGIONS)}, not {region!r}")
        flags = flag("symmetry", symmetry), flag("either_color", either_color)
        is_contiguous = flag("contiguous", contiguous)
        looked_for = Pattern.of(pattern, with_order=is_contiguous)
        color = to_play if to_play is None or isinstance(to_play, (bool, str)) else operator.index(to_play)
        if isinstance(color, bool) or color not in (None, 1, 2):
            raise ValueError(f"the color to play is 1 (black) or 2 (white), not {to_play!r}")
        if max_move is not None and integer("max_move", max_move) < 0:
            raise ValueError(f"max_move is at least 0, not {max_move}")
        chosen = None if where is None else chosen_games(segments, where, partial(self._metadata, segments))
        query = Query(looked_for, region, *flags, color, max_move, is_contiguous, chosen)
        groups = self._groups_of(segments)
        parts = [find_in_groups(some, query) for some in groups]
        if groups and all(part is None for part in parts):
            sizes = ", ".join(f"{some[0].width} x {some[0].height}" for some in groups[:8])
            size = f"{looked_for.width} x {looked_for.height}"
            raise ValueError(f"a pattern of {size} points fits no board of the index ({sizes}) with region={region!r}")
        return Hits(
            [part for part in parts if part is not None],
            looked_for,
            region,
            partial(with_rows, query=query),
            partial(self._dates_and_strengths, segments),
        )

    def explorer(
        self,
        board: Board | Position | str,
        *,
        either_color: bool = False,
        to_play: SupportsIndex | None = None,
        max_move: int | None = None,
        where: Mapping[str, Any] | Array | None = None,
    ) -> Table:
        """Return the next moves on a whole board, a `ContinuationRow` each, the one of most games first.

        Positions count under every symmetry, and moves are one that a symmetry of the board exchanges: these are the
        folded continuations of `find`, which describes the arguments and what is raised.
        """
        hits = self.find(board, either_color=either_color, to_play=to_play, max_move=max_move, where=where)
        return hits.continuations(folded=True)

    def matching(self, where: Mapping[str, Any] | Array) -> Array:
        """Return a boolean array, True for the games that `where` chooses: `&`, `|` and `~` combine several.

        `where` is a mapping of columns to conditions that all hold, the numbers of games, a boolean array of all games,
        or an expression of `pyarrow.compute` on the columns of `metadata`. Columns are those of `games`, those of
        `wei7core.batch.results.METADATA_COLUMNS`, and `player`, `rank`, `team` of either color and `result`, as
        written. A condition is

        - a value, None where it is not known, or a list of values, one of which it is
        - for texts of metadata: a text in which `*` is any letters; case, full width and runs of spaces do not count
        - for `date`: a day, month or year ("2016-03-15", "2016-03", "2016"); or the first and the last one as a tuple
        - for numbers and ranks: the least and the greatest one as a tuple, None for no bound
        - a function of the array of all values that returns a boolean array

        Raises `ValueError` for filters that make no sense and for games that were added without pyarrow, `TypeError`
        for values of another type than that of the column, `ImportError` without pyarrow where the filter is by
        metadata, `IndexFileError`.
        """
        from .filters import chosen_games

        segments = self._segments
        return chosen_games(segments, where, partial(self._metadata, segments))

    def metadata(self, columns: Sequence[str] | None = None) -> Any:
        """Return the metadata of all games as a `pyarrow.Table`: `game`, `source`, `record`, and the values of headers.

        The columns are those of `wei7core.batch.results.METADATA_COLUMNS`, or those named. They come from the Parquet
        files of the folder, which DuckDB and polars read too. Raises `ImportError` without pyarrow, `ValueError` for
        games that were added without it, `IndexFileError`.
        """
        return self._metadata(self._segments, columns)

    def games(self) -> Table:
        """Return the `IndexedGame` of every record, in their order: `game` of a hit is its place."""
        from .filters import joined_rows, texts_of

        segments = self._segments
        texts = {"source": texts_of(segments, "source"), "error": texts_of(segments, "error")}
        numbers = {
            name: joined_rows(segments, name, np.int64) for name in ("record", "width", "height", "moves", "winner")
        }
        data: dict[str, Any] = {"game": Numbers(np.arange(len(numbers["record"]), dtype=np.int64))}
        data |= {name: Texts.of(values) for name, values in texts.items()}
        for name, values in numbers.items():
            optional = name in ("width", "height", "winner")
            valid = values > 0
            data[name] = Numbers(np.where(valid, values, -1), valid) if optional else Numbers(values)
        return Table(GAME_COLUMNS, data, IndexedGame)

    def verify(self) -> None:
        """Compare every array with its checksum. Raises `IndexFileError` with the first segment that is wrong."""
        for segment in self._segments:
            segment.verify()

    def stats(self) -> dict[str, int]:
        """Return how many games, positions, segments and bytes there are, and games without a board."""
        segments = self._segments
        groups = [group for segment in segments for group in segment.groups]
        games = sum(segment.count for segment in segments)
        return {
            "games": games,
            "without_board": games - sum(map(len, groups)),
            "positions": sum(len(group.moves) for group in groups),
            "segments": len(segments),
            "bytes": sum(map(_size_of, segments)),
        }

    def _metadata(self, segments: Sequence[Segment], columns: Sequence[str] | None) -> Any:
        """As `metadata`, of the games of some segments, which another run may have merged since."""
        for segment in segments:
            if segment.metadata is None:
                last = segment.first + segment.count - 1
                raise ValueError(
                    f"games {segment.first} to {last} have no metadata: they were added without pyarrow "
                    "(pip install 'wei7core[arrow]', and make the index again)"
                )
        games = sum(segment.count for segment in segments)
        paths: list[str] = []
        while True:
            before, paths = paths, [part.metadata.path for part in segments if part.metadata is not None]
            try:
                return metadata_table(paths, columns).slice(0, games)
            except IndexFileError:
                if paths == before:
                    raise
                segments = list(self._read())  # the order of the games is the same

    def _dates_and_strengths(self, segments: tuple[Segment, ...]) -> Array:
        """`filters.dates_and_strengths`, once for the same segments."""
        from .filters import DATE_AND_RANKS, dates_and_strengths

        kept = self._kept_values
        if kept is None or kept[0] is not segments:
            kept = self._kept_values = segments, dates_and_strengths(self._metadata(segments, DATE_AND_RANKS))
        return kept[1]

    def _groups_of(self, segments: tuple[Segment, ...]) -> list[list[SizeGroup]]:
        """The groups of all segments, by the size of their boards."""
        kept = self._kept_groups
        if kept is None or kept[0] is not segments:
            kept = self._kept_groups = segments, _by_size(segments)
        return kept[1]

    # --- the folder ----------------------------------------------------------

    def _read(self) -> Iterator[Segment]:
        """The segments that the manifest names."""
        path = os.path.join(self.folder, MANIFEST)
        with open(path, "rb") as file:
            data = file.read()
        try:
            manifest = json.loads(data)
            checksum = manifest.pop("checksum")
            version, named = manifest["version"], manifest["segments"]
            if manifest["format"] != _FORMAT:
                raise ValueError
        except (ValueError, KeyError, AttributeError, TypeError):
            raise IndexFileError("the manifest is none of an index, or truncated", source=path) from None
        if version != INDEX_VERSION:
            raise IndexFileError(f"the index is of version {version}; this release reads {INDEX_VERSION}", source=path)
        if crc32(_canonical(manifest)) != checksum:
            raise IndexFileError("the checksum of the manifest is wrong", source=path)
        first = 0
        for row in named:
            name = os.path.join(self.folder, row["file"])
            if not _SEGMENT.fullmatch(row["file"]) or not os.path.isfile(name):
                raise IndexFileError("the segment is missing", source=name)
            segment = Segment(name)
            if (segment.file.size, segment.first, segment.count) != (row["bytes"], first, row["games"]):
                raise IndexFileError("the segment is not the one that the manifest names", source=name)
            if "metadata" in row:
                segment.metadata = MetadataFile(metadata_path(name), *row["metadata"])
                segment.metadata.check_size()
            first += segment.count
            yield segment

    def _read_if_any(self) -> list[Segment]:
        return list(self._read()) if os.path.exists(os.path.join(self.folder, MANIFEST)) else []

    def _write_manifest(self, segments: Sequence[Segment]) -> None:
        rows: list[dict[str, Any]] = []
        for part in segments:
            rows.append({"file": os.path.basename(part.file.path), "games": part.count, "bytes": part.file.size})
            if part.metadata is not None:
                rows[-1]["metadata"] = [part.metadata.size, part.metadata.checksum]
        manifest: dict[str, Any] = {"format": _FORMAT, "version": INDEX_VERSION, "segments": rows}
        manifest["checksum"] = crc32(_canonical(manifest))
        write_bytes_whole(os.path.join(self.folder, MANIFEST), [json.dumps(manifest, indent=1).encode() + b"\n"])

    def _merged(self, segments: list[Segment]) -> list[Segment]:
        """Merge small segments into new ones, and remove them once the manifest names those."""
        runs = runs_to_merge(segments)
        for begin, end in reversed(runs):
            merged = merge_segments(self._new_path(segments), segments[begin:end], segments[begin].first)
            segments = [*segments[:begin], merged, *segments[end:]]
            self._write_manifest(segments)
        if runs:
            self._segments = tuple(segments)
            self._remove_leftovers(segments)
        return segments

    def _new_path(self, segments: Sequence[Segment]) -> str:
        return next(self._new_paths(segments))

    def _new_paths(self, segments: Sequence[Segment]) -> Iterator[str]:
        """Names of files that come after those of all segments."""
        numbers = [int(os.path.basename(segment.file.path)[len("segment-") : -len(".w7s")]) for segment in segments]
        for number in count(max(numbers, default=-1) + 1):
            yield os.path.join(self.folder, f"segment-{number:06}.w7s")

    def _remove_leftovers(self, segments: Sequence[Segment]) -> None:
        """Remove segments that killed runs have written and no manifest names."""
        named = {os.path.basename(segment.file.path) for segment in segments}
        named |= {os.path.basename(part.metadata.path) for part in segments if part.metadata is not None}
        for name in os.listdir(self.folder):
            if (_SEGMENT.fullmatch(name) or _METADATA.fullmatch(name)) and name not in named:
                with suppress(OSError):
                    os.unlink(os.path.join(self.folder, name))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other processes from adding, and remove what a block that fails has written; without an index the lock,
        too, which another run would notice (`lock_file`).
        """
        path = os.path.join(self.folder, _LOCK)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not lock_file(path, descriptor):
                raise BlockingIOError(11, "another process adds to the index", self.folder)
            try:
                yield
            except BaseException:
                with suppress(OSError, IndexFileError):
                    self._remove_leftovers(self._read_if_any())
                    if not os.path.exists(os.path.join(self.folder, MANIFEST)):
                        os.unlink(path)
                raise
        finally:
            os.close(descriptor)


def _is_own(name: str) -> bool:
    is_file = _SEGMENT.fullmatch(name) or _METADATA.fullmatch(name)
    return name == _LOCK or bool(is_file) or name.startswith(".wei7core-")


def _size_of(segment: Segment) -> int:
    return segment.file.size + (0 if segment.metadata is None else segment.metadata.size)


def _canonical(manifest: Mapping[str, Any]) -> bytes:
    return json.dumps(manifest, sort_keys=True, separators=(",", ":")).encode()


def _by_size(segments: Sequence[Segment]) -> list[list[SizeGroup]]:
    """The groups of all segments, by the size of their boards."""
    groups: dict[tuple[int, int], list[SizeGroup]] = {}
    for segment in segments:
        for group in segment.groups:
            groups.setdefault((group.width, group.height), []).append(group)
    return [groups[size] for size in sorted(groups)]
