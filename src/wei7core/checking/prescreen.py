"""Bulk pre-screening: the compiled replay clears most records; the rest are checked individually.

A record is cleared if its moves cannot break a rule: one branch, alternating colors from Black on, no suicide, no
repeated position, no setup, no early pass and none that could have ended the game; it may end early, at a step that
cannot be played or where its text is cut off. The remaining findings, of its problems, its header and its end, follow
from its rows of problems, its header and a few figures. Findings are exactly those of `wei7core.checking.judge`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from ..batch._engine import FOUND, EngineResult
from ..batch.examined import ids_of
from ..batch.failures import problems_of
from ..batch.options import Options
from ..batch.summaries import header_keys
from ..board.area import count_areas
from ..board.board import BLACK, Board
from ..rules import Rules
from ..sources.chunks import Chunk, RawRecord
from .endings import LONGEST, SHORTEST, Ground, LastLine, Lead, ending_issues, is_scored
from .finding import Finding
from .header import Header, HeaderIssue
from .header_cache import HEADER_FORMATS, HeaderCache
from .issue_findings import findings_of_issues, in_utf8
from .judge import (
    CUTS_SHORT,
    HARMLESS,
    IS_ERROR,
    NEEDS_JUDGE,
    At,
    JudgedRecord,
    finding_of_problem,
    ground_of,
    judge_text,
    severity_of,
)
from .legality import latest_early_pass
from .replayed import replayed
from .selection import Selection

if TYPE_CHECKING:
    import numpy.typing as npt

_MOST_HEADERS: Final = 1 << 16
_MOST_ISSUES: Final = 16  # of the header and the end of one record
_IS_GRAVE: Final = np.array(NEEDS_JUDGE)
_IS_HARMLESS: Final = np.array(HARMLESS)
_IS_CUT: Final = np.array(CUTS_SHORT)
_IS_ERROR: Final = np.array(IS_ERROR)
_OCCUPIED, _REPLACED = (next(kind for kind, name in FOUND.items() if name == one) for one in ("occupied", "replaced"))
_TEXT_BITS: Final = 32  # of an offset in a text, below the place of the text
_NUMBER_BITS: Final = 40  # of a key of `HeaderCache.ending_issues`, below the number of a header: passes, then a color
_CUT_END: Final = 3  # in place of them, where the end is not that of the game
_CELLS: Final = np.zeros(256, np.uint8)
_CELLS[ord("X")], _CELLS[ord("O")] = 1, 2


class Screened(NamedTuple):
    """The results for consecutive records of a block: the piece of the replay, the findings by record, the records that
    were checked individually, by their places in the piece, and the places of others that are not compared.
    """

    piece: EngineResult
    findings: list[Finding]
    judged: dict[int, JudgedRecord]
    not_compared: list[int]


class BatchChecker:
    """Checks blocks of records by `rules`, or by those that each names. Any number of threads may use one."""

    def __init__(self, rules: Rules | None, selection: Selection, options: Options) -> None:
        self._rules = rules
        self.selection = selection
        self.options = options
        self._book = HeaderCache(rules)

    def judged(self, text: RawRecord) -> JudgedRecord:
        """Check one record individually."""
        record = judge_text(text, self._rules, self.options)
        return JudgedRecord(list(filter(self.selection.shows, record.findings)), record.id, record.line)

    def screened_piece(self, block: Chunk, first: int, piece: EngineResult) -> Screened:
        """Check the records of a piece that `replayed` has made."""
        return _Screening(self, block, first, piece).run()

    def screened(self, block: Chunk, begin: int, end: int) -> Iterator[Screened]:
        """Check records `begin` up to `end` of a block."""
        for first, piece in replayed(block, begin, end, self.options):
            yield self.screened_piece(block, first, piece)

    def book(self) -> HeaderCache:
        """Return the cache of headers; a new one if the old one is full."""
        book = self._book
        if len(book) > _MOST_HEADERS or len(book.ending_issues) > _MOST_HEADERS:
            self._book = book = HeaderCache(self._rules)
        return book


class _Screening:
    """One piece of records."""

    def __init__(self, screen: BatchChecker, block: Chunk, begin: int, piece: EngineResult) -> None:
        self._screen = screen
        self._options = screen.options
        self._block = block
        self._begin = begin
        self._piece = piece
        assert piece.facts is not None
        # For untyped fields mypy would try every overload of each operator.
        self._facts: Any = piece.facts
        self._rows: Any = piece.rows
        self._narrow = in_utf8(block, begin, piece, self._options)
        rows = self._rows
        sizes = rows["width"].astype(np.int64) * rows["height"]
        self._points: npt.NDArray[np.int64] = np.where(rows["is_deferred"] | (rows["lacks"] > 0), 0, sizes)
        self._failures: Any = None if piece.failures is None else piece.failures[0]
        self._is_replaced = np.zeros(piece.records, bool)
        self._is_whole = self._facts["stop"] == 0
        if self._failures is not None:
            failures = self._failures
            self._is_replaced[failures["text"][failures["kind"] == _REPLACED]] = True
            self._is_whole[failures["text"][_IS_CUT[failures["code"]]]] = False
            self._is_whole &= ~self._is_replaced

    def run(self) -> Screened:
        book = self._screen.book()
        alone = self._is_suspicious()
        numbers = self._headers(book, alone)
        figures = book.figures[numbers]
        alone |= figures["looked_at"]
        issues = self._ending_issues(book, numbers, np.flatnonzero(~alone & self._is_odd(figures)), figures)
        of_ends = findings_of_issues(self._block, self._begin, self._piece, self._narrow, issues)
        for place, of_problems in self._of_problems(alone):
            both = [*of_problems, *of_ends.get(place, ())]
            of_ends[place] = sorted(both, key=lambda finding: finding.offset)
        findings: list[Finding] = []
        judged: dict[int, JudgedRecord] = {}
        for place in np.flatnonzero(alone).tolist():
            judged[place] = record = self._screen.judged(self._block.text(self._begin + place))
            of_ends[place] = record.findings
        for place in sorted(of_ends):
            findings += of_ends[place]
        return Screened(self._piece, findings, judged, np.flatnonzero(self._is_replaced & ~alone).tolist())

    # --- figures ---------------------------------------------------------------------------------

    def _is_suspicious(self) -> npt.NDArray[np.bool_]:
        """A mask of the records that must be checked individually, regardless of their headers."""
        rows, facts = self._rows, self._facts
        is_early = (facts["first_pass"] > 0) & (facts["first_pass"] <= latest_early_pass(self._points))
        was_over = (facts["end_of_play"] > 0) & (facts["end_of_play"] != rows["moves"] - facts["last_passes"] + 2)
        most = self._options.limits.max_findings - _MOST_ISSUES
        return np.asarray(
            rows["is_deferred"]
            | (rows["lacks"] > 0)
            | self._has_grave_problems()
            | rows["is_raw_name"]
            | (rows["problems"] > most)
            | (facts["plain"] == 0)
            | (facts["repeats"] != 0)
            | (facts["same_color"] > 0)
            | (facts["first_color"] > BLACK)
            | (facts["setup_black"] > 0)
            | (facts["setup_white"] > 0)
            | (rows["suicides"] > 0)
            | (rows["ko_recaptures"] > 0)
            | is_early
            | was_over
        )

    def _has_grave_problems(self) -> npt.NDArray[np.bool_]:
        """A mask of the records with a problem that affects other findings."""
        is_grave = np.zeros(self._piece.records, bool)
        if self._failures is not None:
            rows, facts = self._failures, self._facts
            kinds, texts = rows["kind"], rows["text"]
            # The refused move is checked as well: its color, and whether the game was over.
            is_refused = kinds == _OCCUPIED
            is_odd = (facts["last_color"][texts] == rows["color"]) | (facts["last_passes"][texts] > 0)
            # Before the second move, a stone that is replaced may be one that was set up.
            is_other = (kinds > 0) & ~is_refused & ((kinds != _REPLACED) | (rows["move_number"] < 2))
            is_grave[texts[_IS_GRAVE[rows["code"]] | is_other | (is_refused & is_odd)]] = True
        return is_grave

    def _of_problems(self, alone: npt.NDArray[np.bool_]) -> Iterator[tuple[int, list[Finding]]]:
        """Yield the findings of the problems of the other records, by their places in the piece."""
        if self._failures is None:
            return
        rows = self._failures
        selection = self._screen.selection
        kept = ~alone[rows["text"]]
        if not selection.shows_code("format-breach", "info"):
            kept &= ~_IS_HARMLESS[rows["code"]]
        rows = rows[kept]
        rows = rows[np.lexsort((rows["offset"], rows["text"]))]
        stops = self._stops(rows)
        described = problems_of(self._block, self._begin, self._piece.rows, rows, self._options)
        ids = ids_of(self._piece, np.unique(rows["text"]))
        number = 0
        for id, (place, source, record, problems) in zip(ids, described, strict=True):
            found = [
                finding_of_problem(source, record, id, problem, stops.get(number + k))
                for k, problem in enumerate(problems)
            ]
            number += len(problems)
            shown = {kind: selection.shows_code(*kind) for kind in {finding[:2] for finding in found}}
            yield place, [finding for finding in found if shown[finding[:2]]]

    def _stops(self, rows: Any) -> dict[int, At]:
        """The steps that could not be played, by the numbers of their problems among the rows, which are in order."""
        facts = self._facts
        is_move = (rows["kind"] == _OCCUPIED) | (rows["kind"] == _REPLACED)
        moves = rows[is_move]
        texts = np.unique(rows["text"])
        texts = texts[facts["stop"][texts] > 0]
        found: dict[int, At] = {}
        if not len(moves) and not len(texts):
            return found
        errors = np.flatnonzero(_IS_ERROR[rows["code"]])
        keys = (rows["text"].astype(np.int64) << _TEXT_BITS) + rows["offset"]
        # The problem of a step is the first error at its place or after it.
        starts = (texts << _TEXT_BITS) + facts["stop"][texts]
        first = np.searchsorted(keys[errors], starts).tolist()
        numbers = (self._rows["moves"][texts] + 1).tolist()
        ends = zip(first, texts.tolist(), numbers, strict=True)
        for place, text, number in ends:
            if place < len(errors) and rows["text"][errors[place]] == text:
                found[int(errors[place])] = ("-", number, None, None)
        first = np.searchsorted(keys[errors], keys[is_move]).tolist()
        columns = (moves[name].tolist() for name in ("move_number", "color", "x", "y"))
        for place, number, color, x, y in zip(first, *columns, strict=True):
            found[int(errors[place])] = ("-", number, color, (x, y))
        return found

    def _headers(self, book: HeaderCache, alone: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """The numbers of the headers; 0 for a record checked individually."""
        numbers = np.zeros(len(alone), np.int64)
        charsets = np.ascontiguousarray(self._rows["charset"])
        format = HEADER_FORMATS.index("sgf" if self._block.format == "sgf" else "wei7")
        chunk = self._narrow.chunk
        begins = chunk.begins[self._begin : self._begin + len(alone)]
        keys = header_keys(chunk.data, begins, self._facts, charsets, ~alone, format)
        numbers[~alone] = book.numbers(keys)
        return numbers

    def _is_odd(self, figures: Any) -> npt.NDArray[np.bool_]:
        """A mask of the other records that may have selected findings of their headers and ends."""
        rows, facts, wants = self._rows, self._facts, self._screen.selection.wants
        moves, points = rows["moves"], self._points
        odd = figures["takes_ground"].copy()
        odd |= figures["is_scored"] & (facts["last_passes"] >= figures["passes"])
        if wants("game-too-short"):
            odd |= figures["is_won"] & (moves * SHORTEST < points)
        if wants("game-too-long"):
            odd |= moves > LONGEST * points
        if wants("end-without-two-passes"):
            odd |= figures["is_counted"] & (facts["last_passes"] < figures["passes"])
        if wants("resign-side-mismatch"):
            odd |= (figures["resigned_to"] > 0) & (facts["last_color"] != figures["resigned_to"])
        return np.asarray((odd & self._is_whole) | figures["has_issues"])

    def _is_on_its_own(self, figures: Any) -> npt.NDArray[np.bool_]:
        """A mask of the records whose end depends on more than the header, the passes and the last color."""
        moves, points = self._rows["moves"], self._points
        is_odd_length = (moves * SHORTEST < points) | (moves > LONGEST * points) | (moves == 0)
        is_scored = figures["is_scored"] & (self._facts["last_passes"] >= figures["passes"])
        return np.asarray((figures["takes_ground"] | is_scored | is_odd_length) & self._is_whole)

    def _ending_issues(
        self,
        book: HeaderCache,
        numbers: npt.NDArray[np.int64],
        places: npt.NDArray[np.int64],
        figures: Any,
    ) -> dict[int, list[HeaderIssue]]:
        """The issues to report of the headers and ends of some records."""
        on_its_own = self._is_on_its_own(figures)
        ends = (self._facts["last_passes"].astype(np.int64) << 2) + self._facts["last_color"]
        keys = (numbers << _NUMBER_BITS) + np.where(self._is_whole, ends, _CUT_END)
        keys[on_its_own] = -1
        found = map(book.ending_issues.get, keys[places].tolist())
        issues: dict[int, list[HeaderIssue] | None] = dict(zip(places.tolist(), found, strict=True))
        unknown = [place for place, some in issues.items() if some is None]
        if unknown:
            lines = self._lines(unknown)
            headers = [book.headers[number] for number in numbers[unknown].tolist()]
            ends = list(zip(unknown, lines, headers, strict=True))
            whole = [end for end in ends if self._is_whole[end[0]]]
            leads = self._leads([(place, line) for place, line, header in whole if is_scored(header, line)])
            for place, line, header in ends:
                issues[place] = some = self._issues(place, line, header, leads)
                if not on_its_own[place]:
                    book.ending_issues[int(keys[place])] = some
        return {place: some for place, some in issues.items() if some}

    def _lines(self, places: list[int]) -> list[LastLine]:
        rows, facts = self._rows[places], self._facts[places]
        columns = (rows["width"], rows["height"], rows["moves"], facts["last_passes"], facts["last_color"])
        return list(map(LastLine._make, zip(*(column.tolist() for column in columns), strict=True)))

    # --- last positions --------------------------------------------------------------------------

    def _cells(self, places: list[int], width: int, height: int) -> npt.NDArray[np.uint8]:
        """The last positions of records of one size."""
        letters = np.frombuffer(self._piece.letters or b"", np.uint8)
        begins = (np.cumsum(self._points) - self._points)[places]
        picked = letters[begins[:, None] + np.arange(width * height)]
        return np.asarray(_CELLS[picked].reshape(-1, height, width))

    def _leads(self, scored: list[tuple[int, LastLine]]) -> dict[int, Lead]:
        """The counts of the last positions that decide a result."""
        by_size: dict[tuple[int, int], list[int]] = {}
        for place, line in scored:
            by_size.setdefault((line.width, line.height), []).append(place)
        leads = {}
        for size, places in by_size.items():
            counts = count_areas(self._cells(places, *size)).tolist()
            for place, (black, white, black_territory, white_territory) in zip(places, counts, strict=True):
                leads[place] = Lead(black + black_territory, white + white_territory)
        return leads

    def _ground(self, place: int, line: LastLine) -> Ground:
        (cells,) = self._cells([place], line.width, line.height)
        return ground_of(Board.from_array(cells, max_points=line.width * line.height))

    # --- issues ----------------------------------------------------------------------------------

    def _issues(self, place: int, line: LastLine, header: Header, leads: dict[int, Lead]) -> list[HeaderIssue]:
        ends = ending_issues(header, line, lambda: leads[place], lambda: self._ground(place, line))
        issues = (*header.issues, *(ends if self._is_whole[place] else ()))
        shows = self._screen.selection.shows_code
        return [one for one in issues if shows(one.code, severity_of(one))]
