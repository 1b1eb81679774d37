"""The full check of one record: its text, its header, its moves on every branch, its end.

Slow, a millisecond or more a game: `wei7core.checking.prescreen` clears most records before, with the same findings.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from ..batch.options import Options
from ..batch.single_records import record_of
from ..board.area import count_area
from ..board.board import BLACK, WHITE, Board, last_passes
from ..errors import (
    ERROR,
    PROBLEM_CODE_BY_NAME,
    PROBLEM_CODES,
    WARNING,
    Problem,
    ProblemFields,
    Severity,
    Wei7Error,
    fields_of,
)
from ..formats import _native
from ..formats.registry import record_id
from ..formats.wei7.json_text import split
from ..game.game import Game, game_from_record
from ..record.record import Record
from ..replaying.replay import replay_record
from ..rules import Rules
from ..sources.chunks import RawRecord
from .codes import CODES
from .endings import Ground, LastLine, Lead, ending_issues
from .finding import Finding, FindingSeverity
from .header import Header, HeaderIssue, header_of
from .legality import JudgedMoves, LineEnd, MoveIssue, judge_moves

_CODE_OF: Final = {
    "encoding-invalid": "encoding-invalid",
    "text-undecodable": "encoding-invalid",
    "surrogate-lone": "encoding-invalid",
    "charset-unknown": "encoding-invalid",
    "no-game-tree": "syntax-error",
    "game-not-go": "syntax-error",
    "no-codes": "syntax-error",
    "doctype-refused": "syntax-error",
    "tree-unclosed": "truncated",
    "value-unclosed": "truncated",
    "limit-depth": "depth-limit",
    "unknown-member": "unknown-member",
    "unknown-element": "unknown-member",
    "unknown-attribute": "unknown-member",
    "board-size-unsupported": "board-size-unsupported",
    "size-invalid": "board-size-unsupported",
    "setup-no-liberty": "setup-no-liberties",
    "setup-after-move": "setup-mid-game",
    "problem-first-color": "first-player-mismatch",
    "move-occupied": "move-occupied",
    "takeback-too-deep": "takeback-too-deep",
    "time-decreasing": "time-decreasing",
    "result-contradicts": "resign-side-mismatch",
    "file-unreadable": "unreadable",
    "format-unknown": "unreadable",
    "archive-invalid": "unreadable",
}
"""The codes of findings for problems that have one of their own."""

_CUTS: Final = frozenset({"syntax-error", "truncated", "depth-limit", "record-limit"})
"""With one of these, the end of the text is not the end of the game."""

_HARMLESS: Final = frozenset({"charset-assumed", "byte-order-mark", "file-suffix-case", "point-upper-case"})
"""Frequent warnings without consequences."""

_ON_THE_WHOLE: Final = frozenset({"encoding-invalid", "board-size-unsupported", "record-limit"}) | _CUTS
_ON_THE_HEADER: Final = frozenset({"duplicate-member", "number-out-of-range", "number-not-half"})

_CUT_SHORT: Final = frozenset({"json-syntax", "tree-unclosed"})

CUTS_SHORT: Final[tuple[bool, ...]] = tuple(code.name in _CUT_SHORT for code in PROBLEM_CODES)
"""Whether a problem means that the text ends early, and nothing else, by the number of its code."""

NEEDS_JUDGE: Final[tuple[bool, ...]] = tuple(
    not cuts_short
    and (code.limit or code.syntax or code.name in _ON_THE_HEADER or _CODE_OF.get(code.name) in _ON_THE_WHOLE)
    for code, cuts_short in zip(PROBLEM_CODES, CUTS_SHORT, strict=True)
)
"""Whether a record with a problem must be checked by itself, by the number of its code."""

IS_ERROR: Final[tuple[bool, ...]] = tuple(code.severity == ERROR for code in PROBLEM_CODES)
"""Whether a problem is an error, by the number of its code."""

HARMLESS: Final[tuple[bool, ...]] = tuple(code.name in _HARMLESS for code in PROBLEM_CODES)
"""Whether the finding of a problem is an information, by the number of its code."""

_MEMBERS: Final = {"komi": b"KM", "result": b"RE", "handicap": b"HA"}
_CAPITALS: Final = re.compile(rb"[^A-Z]")


At: TypeAlias = "tuple[str | None, int | None, int | None, tuple[int, int] | None]"
"""A place in a game: branch, move number, color, point."""

_NOWHERE: Final[At] = (None, None, None, None)


class MainLine(NamedTuple):
    """The main line of a record, for checks between games: its size, its stones at the start, its moves in force, and
    the hash of its last position.
    """

    width: int
    height: int
    stones: list[tuple[int, tuple[int, int]]]
    moves: list[tuple[int, tuple[int, int] | None]]
    canonical_hash: int


@dataclass(frozen=True, slots=True)
class JudgedRecord:
    """The findings of one record, in the order of their places, and its main line for comparison with other games; None
    if no game could be read.
    """

    findings: list[Finding]
    id: str | None
    line: MainLine | None


def judge_text(text: RawRecord, rules: Rules | None, options: Options) -> JudgedRecord:
    """Check one record by `rules`, or by those it names. No content of a record raises an exception. Thread safe."""
    if text.data is None:
        findings = [finding_of_problem(text.source, text.record, None, fields_of(problem)) for problem in text.problems]
        return JudgedRecord(findings, None, None)
    record = record_of(text, options)
    return _RecordJudge(text, record, rules, options).judge()


def severity_of(issue: HeaderIssue | MoveIssue) -> FindingSeverity:
    """Return the severity of an issue: its own, by default that of its code."""
    return issue.severity or CODES[issue.code].severity


class _RecordJudge:
    def __init__(self, text: RawRecord, record: Record, rules: Rules | None, options: Options) -> None:
        self._text = text
        self._record = record
        self._rules = rules
        self._options = options
        self._id = record_id(record) if len(record.trees) else None

    def judge(self) -> JudgedRecord:
        replayed = replay_record(self._record, limits=self._options.limits)
        game = self._game(replayed.problems)
        if game is None:
            findings = [self._problem(problem, None) for problem in replayed.problems]
            return JudgedRecord(self._ordered(findings), self._id, None)
        header = header_of(game, self._rules)
        judged = self._judged_moves(game, header)
        stopped = self._stopped(judged, replayed.problems)
        findings = [self._problem(problem, stopped.get(number)) for number, problem in enumerate(replayed.problems)]
        codes = {finding.code for finding in findings}
        line = judged.end if judged is not None else None
        end = None if line is None else line.board
        is_whole = line is not None and line.is_whole and codes.isdisjoint(_CUTS)
        for issue in (*header.issues, *(self._end_issues(header, game, end) if is_whole else ())):
            if issue.code in codes and issue.code == "komi-out-of-range":
                continue  # reported by the decoder
            findings.append(self._finding(issue, self._place_of_member(issue.member)))
        if judged is not None:
            findings += self._moves(judged)
        is_cut = judged is not None and judged.is_cut
        return JudgedRecord(self._ordered(findings, is_cut), self._id, self._main_line(game, line))

    def _game(self, problems: tuple[Problem, ...]) -> Game | None:
        """The record as a game; None without one, or for a game of another kind."""
        if not len(self._record.trees) or any(problem.code == "game-not-go" for problem in problems):
            return None
        game = game_from_record(
            self._record, problems=problems, revision=self._options.revision, limits=self._options.limits
        )
        game.document  # noqa: B018 - parsed now, so that nothing below fails because of the text
        return game

    def _judged_moves(self, game: Game, header: Header) -> JudgedMoves | None:
        try:
            return judge_moves(game.document, header, self._options.limits)
        except Wei7Error:
            return None  # no board can be made; a problem has the reason

    def _end_issues(self, header: Header, game: Game, board: Board | None) -> Iterator[HeaderIssue]:
        pre = game.tree.pre
        if board is None or (pre is not None and pre.problem is not None):
            return
        moves = board.moves()
        line = LastLine(*board.size, len(moves), last_passes(board, len(moves)), moves[-1][0] if moves else 0)
        yield from ending_issues(header, line, lambda: lead_of(board), lambda: ground_of(board))

    def _main_line(self, game: Game, line: LineEnd | None) -> MainLine | None:
        if line is None or line.has_edits:
            return None
        board = line.board
        pre = game.tree.pre
        stones = [] if pre is None or not pre.stones else _stones_at_start(board)
        return MainLine(*board.size, stones, board.moves(), board.canonical_hash)

    # --- places ----------------------------------------------------------------------------------

    def _place(self, offset: int) -> Problem:
        (problem,) = self._record.locate([("limit-replay", offset, 0)])
        return problem

    def _place_of_member(self, member: str | None) -> Problem:
        offset = None if member is None else member_offset(self._record, member)
        return self._place(self._root_offset() if offset is None else offset)

    def _root_offset(self) -> int:
        """The place for findings about the whole record: its start, in SGF its first node."""
        return max(self._record.source.find(b";"), 0) if self._record.format == "sgf" else 0

    def _places_of_steps(self, steps: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Problem]:
        """The places of steps, each named by its branch and number; one pass over the text for all."""
        wanted = {key: self._start_of_step(*key) for key in steps}
        starts = sorted(set(wanted.values()))  # the order of located items
        problems = self._record.locate([(code, offset, 0) for offset, code in starts])
        places = dict(zip(starts, problems, strict=True))
        return {key: places[start] for key, start in wanted.items()}

    def _start_of_step(self, branch: int, step: int) -> tuple[int, str]:
        """The places of a step in the text: its start, and that of its findings."""
        tree = self._record.trees[branch]
        if step < 0:
            pre = int(tree["pre"])
            return int(self._record.pres[pre]["offset"] if pre >= 0 else tree["offset"]), "limit-replay"
        row = self._record.steps[int(tree["first_step"]) + step]
        # Findings of a move are placed at its point, those of any other step at its start.
        return int(row["offset"]), "move-occupied" if int(row["kind"]) == 1 else "limit-replay"

    # --- findings --------------------------------------------------------------------------------

    def _finding(self, issue: HeaderIssue | MoveIssue, place: Problem, at: At = _NOWHERE) -> Finding:
        """The finding of an issue at the place of a problem of the record."""
        text = self._text
        return _finding(text.source, text.record, self._id, issue, text.placed(place), at)

    def _problem(self, problem: Problem, at: At | None) -> Finding:
        text = self._text
        return finding_of_problem(text.source, text.record, self._id, fields_of(text.placed(problem)), at)

    def _moves(self, judged: JudgedMoves) -> Iterator[Finding]:
        places = self._places_of_steps((issue.branch, issue.step) for issue in judged.issues)
        for issue in judged.issues:
            at = places[issue.branch, issue.step] if issue.member is None else self._place_of_member(issue.member)
            yield self._finding(issue, at, (issue.path, issue.move_number, issue.color, issue.point))

    def _stopped(self, judged: JudgedMoves | None, problems: tuple[Problem, ...]) -> dict[int, At]:
        """The problems that ended a branch, and their places in the game."""
        found: dict[int, At] = {}
        stops = {} if judged is None else judged.stops
        places = self._places_of_steps(stops)
        errors = [(problem.offset, number) for number, problem in enumerate(problems) if problem.severity == ERROR]
        for key, at in stops.items():
            first = bisect_left(errors, (places[key].offset, -1))
            if first < len(errors):
                found[errors[first][1]] = at
        return found

    def _ordered(self, findings: list[Finding], is_cut: bool = False) -> list[Finding]:
        """The findings by their places, up to the limit, and one more if there are others."""
        findings.sort(key=lambda finding: finding.offset)
        most = self._options.limits.max_findings
        if len(findings) > most or is_cut:
            message = f"the record has more than {most} findings; the others are not listed"
            issue = HeaderIssue("record-limit", None, message, {"limit": "max_findings"})
            last = self._finding(issue, self._place(self._root_offset()))
            if findings:  # placed at the first finding not listed, if known
                first = findings[min(most, len(findings) - 1)]
                last = last._replace(offset=first.offset, line=first.line, column=first.column, path=first.path)
            findings[most:] = [last]
        return findings


def _stones_at_start(board: Board) -> list[tuple[int, tuple[int, int]]]:
    """The stones that were set up: a board may refuse those of a record."""
    start = board.copy()
    start.undo(board.move_count)
    rows = start.to_array().tolist()
    return [(color, (x, y)) for y, row in enumerate(rows) for x, color in enumerate(row) if color]


def member_offset(record: Record, member: str) -> int | None:
    """Return the place of a member of the header in the source of a record; None where it is unknown."""
    if record.format == "sgf":
        name = _MEMBERS[member]
        for kept in record.kept[record.kept["owner"] == 0].tolist():
            (key_begin, key_end), (begin, _) = kept[0], kept[1]
            if _CAPITALS.sub(b"", record.source[key_begin:key_end]) == name:
                return int(begin)
        return None
    if record.format == "wei7" and record.info_json is not None and member in ("komi", "result"):
        return _member_of_info(record.source, record.info_json, member)
    return None


def _member_of_info(source: bytes, info: bytes, member: str) -> int | None:
    """The place of a member of the object `info`, whose text is `info`."""
    at = _offset_of_info(source, info)
    if at is None:
        return None
    for name in ("rules", "komi") if member == "komi" else ("result",):
        found = _member_of_object(info, name)
        if found is None:
            return None
        inside, info = found
        at += inside
    return at


def _offset_of_info(source: bytes, info: bytes) -> int | None:
    """The place of the object `info`; the same text may occur elsewhere, any number of times."""
    places: list[int] = []
    at = source.find(info)
    while at >= 0:
        places.append(at)
        at = source.find(info, at + len(info))
    paths = (path for _, _, path in _native.locate_wei7(source, places))
    return next((place for place, path in zip(places, paths, strict=True) if path == "$.info"), None)


def _member_of_object(text: bytes, name: str) -> tuple[int, bytes] | None:
    """The place of the value of a member in the text of a JSON object, and its text."""
    at = 1
    parts = split(text)
    for quoted, value in zip(parts[::2], parts[1::2], strict=True):
        at = text.index(value, text.index(quoted, at) + len(quoted))
        if json.loads(quoted.decode("utf-8", "replace"), strict=False) == name:
            return at, value
        at += len(value)
    return None


def lead_of(board: Board) -> Lead:
    """Count the area of both colors with all stones alive."""
    area = count_area(board)
    return Lead(area.black_stones + area.black_territory, area.white_stones + area.white_territory)


def ground_of(board: Board) -> Ground:
    """Count the certain points of both colors: unconditionally alive stones and their territory (Benson)."""
    black, white = (board.pass_alive(color) for color in (BLACK, WHITE))
    return Ground(len(black.stones) + len(black.territory), len(white.stones) + len(white.territory))


def finding_of_problem(
    source: str, record: int, id: str | None, problem: ProblemFields, at: At | None = None
) -> Finding:
    """Return the finding of a problem of the decoder; `at` is the place of the step, if it is one."""
    problem_code, clause, problem_severity, offset, line, column, path, message = problem
    code, severity = _KINDS.get((problem_code, problem_severity)) or _code_of(problem, at is not None)
    branch, move_number, color, point = at or _NOWHERE
    x, y = point or (None, None)
    place = branch, move_number, color, x, y, offset, line, column, path
    evidence = {"problem": problem_code, "clause": clause}
    # As Finding(), without a call of Python.
    return tuple.__new__(Finding, (code, severity, source, record, id, *place, message, evidence))


def _finding(
    source: str, record: int, id: str | None, issue: HeaderIssue | MoveIssue, place: Problem, at: At = _NOWHERE
) -> Finding:
    """The finding of an issue at the place of a problem in its source."""
    branch, move_number, color, point = at
    x, y = point or (None, None)
    return Finding(
        issue.code,
        severity_of(issue),
        source,
        record,
        id,
        branch,
        move_number,
        color,
        x,
        y,
        place.offset,
        place.line,
        place.column,
        place.path,
        issue.message,
        issue.evidence,
    )


_CUT: Final = "it ends too early"
# Paths of the points of moves: of SGF, wei7 3.0, wei7 2.x, and of servers.
_PATH_OF_MOVE: Final = re.compile(r"\.[BW]$|\.action\.value\.point\b|/moves/.*\b(black|white)[^/]*/@[xy]$|^move \d+$")


def _code_of(problem: ProblemFields, is_step: bool) -> tuple[str, FindingSeverity]:
    name, _, severity, *_, path, message = problem
    if name in _BY_MESSAGE:
        return ("truncated" if message.endswith(_CUT) else "syntax-error"), "error"
    code = _CODE_OF.get(name)
    if name == "point-off-board" and (is_step or _PATH_OF_MOVE.search(path)):
        code = "move-off-board"
    if name in _ON_KOMI and path.endswith("komi"):
        code = "komi-out-of-range"
    if code is None and PROBLEM_CODE_BY_NAME[name].limit:
        code = "record-limit"
    if code is None:
        return "format-breach", "info" if name in _HARMLESS else severity
    return code, CODES[code].severity


_BY_MESSAGE: Final = frozenset({"json-syntax", "xml-syntax"})
_ON_KOMI: Final = frozenset({"number-out-of-range", "number-not-half"})
_SEVERITIES: Final[tuple[Severity, ...]] = (ERROR, WARNING)
_KINDS: Final = {
    (code.name, severity): _code_of((code.name, "", severity, 0, 0, 0, "", ""), False)
    for code in PROBLEM_CODES
    for severity in _SEVERITIES
    if code.name not in _BY_MESSAGE | _ON_KOMI | {"point-off-board"}
}
"""Codes and severities of the findings of problems, where neither path nor message decides."""
