"""Many records judged at once: what the compiled replay tells clears most of them; the others are judged one by one.

A record is cleared where its moves can break no rule: one branch, colors that alternate from Black on, no suicide, no
position twice, no setup, no pass but at the end. What is left to say of it, its header and its end, follows from its
header and a few figures. Findings are those of `wei7core.checking.judge`, to the letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..area import count_areas
from ..batch import Options
from ..board import BLACK, Board
from ..bulk import Piece, replay_block
from ..document import Document
from ..errors import Problem
from ..formats import _sgf, _wei7
from ..formats.sgf_info import info_from_properties
from ..formats.wei7_info import read_info
from ..game import Game, game_from_document
from ..record_blocks import RecordBlock, RecordText
from ..rules import Rules
from .endings import Ground, LastLine, Lead, ending_told, is_scored
from .finding import Finding
from .header import Header, Told, header_of
from .judge import JudgedRecord, finding_of, ground_of, judge_text
from .moves import latest_early_pass
from .selection import Selection

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Screen", "Screened"]

_MOST_HEADERS: Final = 1 << 16
_SGF_MEMBERS: Final = ("KM", "RE", "HA", "RU", "PL")
_MEMBER_SPANS: Final = {"komi": 0, "result": 1, "handicap": 2}
_CELLS: Final = np.zeros(256, np.uint8)
_CELLS[ord("X")], _CELLS[ord("O")] = 1, 2


class Screened(NamedTuple):
    """What is known of consecutive records of a block: the piece of the replay, findings of all that have some, and the
    records that were judged one by one, by their places in the piece."""

    piece: Piece
    findings: list[Finding]
    judged: dict[int, JudgedRecord]


class Screen:
    """Judges blocks of records by `rules`, or by those that each names. Any number of threads may use one."""

    def __init__(self, rules: Rules | None, selection: Selection, options: Options) -> None:
        self._rules = rules
        self._selection = selection
        self._options = options
        self._headers: dict[tuple[Any, ...], Header | None] = {}

    def judged(self, text: RecordText) -> JudgedRecord:
        """Judge one record by itself."""
        record = judge_text(text, self._rules, self._options)
        return JudgedRecord(list(filter(self._selection.shows, record.findings)), record.id, record.line)

    def screened(self, block: RecordBlock, begin: int, end: int) -> Iterator[Screened]:
        """Judge records `begin` up to `end` of a block."""
        format = "wei7-rev2" if block.format == "wei7" and self._options.revision == 2 else block.format
        while begin < end:
            piece = replay_block(
                block.data,
                block.begins[:end],
                block.ends[:end],
                format,
                first=begin,
                board=True,
                facts=True,
                limits=self._options.limits,
            )
            yield self._screened(block, begin, piece)
            begin += len(piece.rows)

    def _screened(self, block: RecordBlock, begin: int, piece: Piece) -> Screened:
        rows, facts = piece.rows, piece.facts
        alone = _suspicious(rows, facts).tolist()
        lines = _lines(rows, facts)
        headers: list[Header | None] = [None] * len(rows)
        spans = facts["spans"].tolist()
        starts = block.begins[begin : begin + len(rows)].tolist()
        data = memoryview(block.data)
        for place in np.flatnonzero(~np.asarray(alone)).tolist():
            headers[place] = self._header(block.format, data, starts[place], spans[place])
        leads = _leads(piece, headers, lines)
        findings: list[Finding] = []
        judged: dict[int, JudgedRecord] = {}
        ids = _ids(piece)
        shows = self._selection.shows
        for place, header in enumerate(headers):
            if header is None:
                record = self.judged(block.text(begin + place))
                judged[place] = record
                findings += record.findings
                continue
            told = [*header.told, *_ending(header, lines[place], piece, place, leads)]
            if told:
                text = block.text(begin + place)
                found = [_finding(text, ids(place), one, spans[place]) for one in told]
                found.sort(key=lambda finding: finding.offset)
                findings += filter(shows, found)
        return Screened(piece, findings, judged)

    def _header(self, format: str, data: memoryview, start: int, spans: list[list[int]]) -> Header | None:
        """The header of a record; None where its moves have to be looked at because of it."""
        raw = tuple([bytes(data[start + one : start + two]) if one >= 0 else None for one, two in spans])
        key = (format, *raw)
        try:
            return self._headers[key]
        except KeyError:
            pass
        header: Header | None = header_of(_game(format, raw), self._rules)
        assert header is not None
        if header.first not in (None, BLACK) or (header.handicap or 0) > 1:
            header = None
        if len(self._headers) >= _MOST_HEADERS:
            self._headers.clear()
        self._headers[key] = header
        return header


def _suspicious(rows: npt.NDArray[np.void], facts: npt.NDArray[np.void]) -> npt.NDArray[np.bool_]:
    """Which records have to be judged by themselves."""
    points = rows["width"].astype(np.int64) * rows["height"]
    stones = rows["moves"] - facts["last_passes"]
    return (
        rows["left"]
        | (facts["plain"] == 0)
        | (facts["repeats"] != 0)
        | (facts["same_color"] > 0)
        | (facts["first_color"] > BLACK)
        | (facts["setup_black"] > 0)
        | (facts["setup_white"] > 0)
        | (rows["suicides"] > 0)
        | (rows["ko_recaptures"] > 0)
        | (rows["passes"] != facts["last_passes"])
        | ((facts["last_passes"] > 0) & (stones < latest_early_pass(points)))
    )


def _lines(rows: npt.NDArray[np.void], facts: npt.NDArray[np.void]) -> list[LastLine]:
    columns = (rows["width"], rows["height"], rows["moves"], facts["last_passes"], facts["last_color"])
    return list(map(LastLine._make, zip(*(column.tolist() for column in columns), strict=True)))


def _ids(piece: Piece) -> Callable[[int], str | None]:
    """What tells the names of records by their places."""
    ends = np.cumsum(np.maximum(piece.rows["id_size"], 0))

    def id_of(place: int) -> str | None:
        size = int(piece.rows["id_size"][place])
        return None if size < 0 else piece.ids[int(ends[place]) - size : int(ends[place])].decode("utf-8")

    return id_of


def _leads(piece: Piece, headers: list[Header | None], lines: list[LastLine]) -> dict[int, Lead]:
    """The counts of the last positions that decide a result."""
    places = [k for k, header in enumerate(headers) if header is not None and is_scored(header, lines[k])]
    if not places:
        return {}
    by_size: dict[tuple[int, int], list[int]] = {}
    for place in places:
        by_size.setdefault(lines[place][:2], []).append(place)
    ends = _letter_ends(piece)
    letters = np.frombuffer(piece.letters or b"", np.uint8)
    leads = {}
    for (width, height), same in by_size.items():
        stops = ends[same]
        cells = np.stack([letters[stop - width * height : stop] for stop in stops.tolist()])
        counts = count_areas(_CELLS[cells].reshape(-1, height, width))
        for place, (black, white, black_territory, white_territory) in zip(same, counts.tolist(), strict=True):
            leads[place] = Lead(black + black_territory, white + white_territory)
    return leads


def _letter_ends(piece: Piece) -> npt.NDArray[np.int64]:
    sizes = piece.rows["width"].astype(np.int64) * piece.rows["height"]
    return np.cumsum(np.where(piece.rows["left"], 0, sizes))


def _ending(header: Header, line: LastLine, piece: Piece, place: int, leads: dict[int, Lead]) -> Iterator[Told]:
    return ending_told(header, line, lambda: leads[place], lambda: _ground(piece, place, line))


def _ground(piece: Piece, place: int, line: LastLine) -> Ground:
    stop = int(_letter_ends(piece)[place])
    letters = np.frombuffer(piece.letters or b"", np.uint8)[stop - line.width * line.height : stop]
    board = Board.from_array(_CELLS[letters].reshape(line.height, line.width), max_points=line.width * line.height)
    return ground_of(board)


def _game(format: str, raw: tuple[bytes | None, ...]) -> Game:
    """A game that says of itself what the raw values of a header do, and nothing else."""
    document = Document()
    if format == "sgf":
        values = zip(_SGF_MEMBERS, raw, strict=True)
        document.properties = {name: (value.decode("utf-8"),) for name, value in values if value is not None}
        document.info = info_from_properties(document.properties)
    else:
        komi, result, _, kind, scoring = raw
        rules = _object((b"komi", komi), (b"type", kind), (b"scoring", scoring))
        document.info = read_info(_object((b"rules", rules if len(rules) > 2 else None), (b"result", result)))
    return game_from_document(document, format)


def _object(*members: tuple[bytes, bytes | None]) -> bytes:
    """JSON text of an object of the members that there are."""
    return b"{" + b",".join(b'"%b":%b' % (name, value) for name, value in members if value is not None) + b"}"


def _finding(text: RecordText, id: str | None, told: Told, spans: list[list[int]]) -> Finding:
    assert text.data is not None
    offset = -1 if told.member is None else spans[_MEMBER_SPANS[told.member]][0]
    if text.format == "sgf":
        # A value stands behind its bracket, which is where a property is told of.
        offset = offset - 1 if offset >= 0 else max(text.data.find(b";"), 0)
        ((line, column, path),) = _sgf.locate(text.data, [offset], 0, 0)
    else:
        offset = max(offset, 0)
        ((line, column, path),) = _wei7.locate(text.data, [offset])
    return finding_of(text, id, told, Problem("limit-replay", "", "error", offset, line, column, path, ""))
