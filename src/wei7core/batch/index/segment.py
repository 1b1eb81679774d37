"""Segments of an index: writing and merging them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import numpy as np

from ..._util.lazy_numpy import Array
from ..._util.ordered_map import parallel_ranges
from ...tables.writers import has_pyarrow
from .gathering import Frames, Gathered, HeaderRows, joined_frames
from .metadata_file import MetadataFile, merge_metadata, metadata_of, write_metadata
from .record_rows import RecordRows, texts_of_arrays
from .segment_file import SegmentFile, write_segment
from .size_group import SizeGroup, group_arrays

_FRAMES_A_SEGMENT: Final = 1 << 24
_ROWS_A_SEGMENT: Final = (1 << 16) - (1 << 12)  # game numbers have 2 bytes
_MERGED: Final = 8
"""The number of segments from which they are merged."""


class Segment:
    """One file of the index, rows of its records and groups of games by size, and that of their metadata, if any."""

    def __init__(self, path: str, metadata: MetadataFile | None = None) -> None:
        self.file = SegmentFile(path)
        self.metadata = metadata
        arrays = self.file.arrays
        self.first = int(self.file.facts["first"])
        self.count = int(self.file.facts["games"])
        self.rows = {name.removeprefix("rows/"): array for name, array in arrays.items() if name.startswith("rows/")}
        self.groups = []
        for width, height in self.file.facts["sizes"]:
            mark = f"{width}x{height}/"
            named = {name.removeprefix(mark): array for name, array in arrays.items() if name.startswith(mark)}
            self.groups.append(SizeGroup(width, height, named, self.rows["winner"], self.first))

    def names(self) -> list[str]:
        """The texts that sources and errors count."""
        return texts_of_arrays(self.rows)

    def verify(self) -> None:
        """Compare the files with their checksums. Raises `IndexFileError` with the name of the first wrong one."""
        self.file.verify()
        if self.metadata is not None:
            self.metadata.verify()

    def frames(self) -> int:
        """The number of frames of its games."""
        return sum(len(group.moves) for group in self.groups)


class SegmentRows(NamedTuple):
    """The records of a segment, their headers, and their frames by size of the board."""

    rows: list[RecordRows]
    headers: list[HeaderRows]
    frames: dict[tuple[int, int], list[Frames]]


def segment_parts(made: Iterable[Gathered]) -> Iterator[SegmentRows]:
    """Gather records until there are enough for a segment."""
    part, first, total = SegmentRows([], [], {}), 0, 0
    for some in made:
        part.rows.extend(some.rows)
        part.headers.extend(some.headers)
        for frames in some.frames:
            moved = replace(frames, games=frames.games + first)
            part.frames.setdefault((frames.width, frames.height), []).append(moved)
            total += len(frames.moves)
        first += sum(map(len, some.rows))
        if total >= _FRAMES_A_SEGMENT or first >= _ROWS_A_SEGMENT:
            yield part
            part, first, total = SegmentRows([], [], {}), 0, 0
    if part.rows:
        yield part


def write_parts(parts: Iterable[SegmentRows], paths: Iterator[str], first: int, jobs: int = 1) -> Iterator[Segment]:
    """Write a segment for each part, its records numbered from `first`, while the next one is gathered.

    `jobs` threads share the work of each.
    """
    from concurrent.futures import Future, ThreadPoolExecutor

    waiting: Future[Segment] | None = None
    with ThreadPoolExecutor(1, thread_name_prefix="wei7core") as executor:
        for part in parts:
            number = first
            first += sum(map(len, part.rows))
            if waiting is not None:
                yield waiting.result()
            waiting = executor.submit(write_part, next(paths), part, number, jobs)
        if waiting is not None:
            yield waiting.result()


def write_part(path: str, part: SegmentRows, first: int, jobs: int = 1) -> Segment:
    """Write a segment to the file `path`, its records numbered from `first`, and take the frames out of `part`.

    `jobs` threads share the work.
    """
    from concurrent.futures import Future

    rows = RecordRows.joined(part.rows)
    winners: Future[Array] = Future()

    def write_headers() -> MetadataFile | None:
        try:
            columns = metadata_of(part.headers)
            winners.set_result(np.maximum(columns["winner"].values, 0))
        except BaseException as error:
            winners.set_exception(error)
            raise
        return write_metadata(path, first, rows, columns)

    steps: list[Callable[[], MetadataFile | None]] = [
        write_headers,
        lambda: _write(path, rows, part.frames, first, winners.result, jobs),
    ]
    metadata, _ = parallel_ranges(lambda number, _: steps[number](), len(steps), 1, jobs)
    return Segment(path, metadata)


def _write(
    path: str,
    rows: RecordRows,
    frames: dict[tuple[int, int], list[Frames]],
    first: int,
    winners: Callable[[], Array],
    jobs: int = 1,
) -> None:
    """Write the file of a segment; `winners` returns the winner of each record, and is called late."""
    arrays: dict[str, Array] = {}
    sizes = sorted(frames)
    for width, height in sizes:
        joined = joined_frames(frames.pop((width, height)))
        for name, array in group_arrays(joined, partial(_taken, winners, joined.games), jobs).items():
            arrays[f"{width}x{height}/{name}"] = array + first if name == "games" else array
    of_rows = {f"rows/{name}": array for name, array in rows.arrays().items()}
    of_rows["rows/winner"] = winners().astype(np.uint8)
    write_segment(path, of_rows | arrays, {"first": first, "games": len(rows), "sizes": sizes}, jobs)


def _taken(winners: Callable[[], Array], games: Array) -> Array:
    """The winners of some games."""
    taken: Array = winners()[games]
    return taken


# --- merging -----------------------------------------------------------------


def runs_to_merge(segments: Sequence[Segment]) -> list[tuple[int, int]]:
    """Return which segments are to be merged: begin and end of runs of 8 or more, in order, whose games fit in one.

    None has more positions than the others of its run together, so that a game is seldom written again. All of a run
    have metadata, which only pyarrow can merge, or none has.
    """
    runs: list[tuple[int, int]] = []
    begin = 0
    while begin < len(segments):
        end, frames, rows = begin, 0, 0
        while end < len(segments) and (segments[end].metadata is None) == (segments[begin].metadata is None):
            frames, rows = frames + segments[end].frames(), rows + segments[end].count
            if frames > _FRAMES_A_SEGMENT or rows > _ROWS_A_SEGMENT:
                break
            end += 1
        sizes = [segment.frames() for segment in segments[begin:end]]
        is_possible = segments[begin].metadata is None or has_pyarrow()
        if end - begin >= _MERGED and 2 * max(sizes) <= sum(sizes) and is_possible:
            runs.append((begin, end))
            begin = end
        else:
            begin += 1
    return runs


def runs_to_join(segments: Sequence[Segment]) -> Iterator[list[Segment]]:
    """Yield runs of consecutive segments that may be merged."""
    run: list[Segment] = []
    frames = rows = 0
    for segment in segments:
        frames, rows = frames + segment.frames(), rows + segment.count
        if run and (frames > _FRAMES_A_SEGMENT or rows > _ROWS_A_SEGMENT):
            yield run
            run, frames, rows = [], segment.frames(), segment.count
        run.append(segment)
    if run:
        yield run


def merge_segments(path: str, segments: Sequence[Segment], first: int) -> Segment:
    """Write segments as one to the file `path`, its records numbered from `first`, and return it.

    The file is that of one segment with the same records. Raises `IndexFileError` where a checksum is wrong, `OSError`.
    """
    rows: list[RecordRows] = []
    frames: dict[tuple[int, int], list[Frames]] = {}
    winners = np.concatenate([segment.rows["winner"] for segment in segments])
    before = 0
    for segment in segments:
        segment.verify()
        rows.append(RecordRows.of_arrays(segment.rows))
        for group in segment.groups:
            frames.setdefault((group.width, group.height), []).append(_frames_of(group, before - segment.first))
        before += segment.count
    metadata = merge_metadata(path, [segment.metadata for segment in segments], first)
    _write(path, RecordRows.joined(rows), frames, first, lambda: winners)
    merged = Segment(path, metadata)
    merged.verify()
    return merged


def _frames_of(group: SizeGroup, shift: int) -> Frames:
    arrays = group.arrays
    return Frames(
        group.width,
        group.height,
        arrays["games"] + shift,
        np.diff(group.offsets),
        arrays["moves"],
        arrays["change_frames"].astype(np.int64),
        arrays["changes"],
    )
