"""What each pair of formats keeps: the one table that docs/formats.md shows and the property tests drive.

A row is something that a record can express, a cell what becomes of it in a format. What two formats both have as `yes`
survives the way from one to the other and back. All else is listed as a loss, whatever it becomes.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Iterable
from typing import NamedTuple

from wei7core.formats.giseong.codes import read_code
from wei7core.formats.giseong.tokens import TOKENS, label, tokens_of
from wei7core.formats.sgf.info import seconds
from wei7core.formats.sgf.text_values import simple_text
from wei7core.game.conversion.sgf_remarks import title_of
from wei7core.limits import DEFAULT_LIMITS
from wei7core.record.document import Branch, Document, Edit, Mark, MarkAction, Message, Move, Result, Step, Takeback
from wei7core.replaying.cursor import walk_branches

WRITTEN = ("wei7", "wei7-rev2", "wei7-2.2", "sgf", "giseong")
READ_ONLY = ("gib", "ngf", "ugf", "ogs")

Fact = object
Facts = set[Fact]

CUTS = frozenset({"setup-after-move", "setup-without-liberties", "move-occupied", "variation-dropped"})
"""Losses that end a branch, with all that would follow."""

MOVED = frozenset({"setup-folded", "setup-moved"})
"""Losses that put comments and marks before the first move to another position."""


class Place(NamedTuple):
    """A place in a tree: its position, the stones put on the way to it, and its comments and marks."""

    position: int
    line: int
    passes: int
    step: Step | None
    is_start: bool
    comment: str
    marks: tuple[Mark, ...]
    problem: int | None


_LINES: dict[tuple[int, object], int] = {}


def _line(moves: Iterable[tuple[int, object]], line: int = 0) -> int:
    """Return a number for a line of stones put after those of another one: lines are equal if their numbers are."""
    for move in moves:
        if move[1] is not None:
            line = _LINES.setdefault((line, move), len(_LINES) + 1)
    return line


class Contents:
    """What a document contains: its places, visited once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.info = document.info
        self.steps = [step for branch in document.tree.walk() for step in branch.steps]
        self.pres = [branch.pre for branch in document.tree.walk() if branch.pre is not None]
        self.places: list[Place] = []
        comments: list[str] = []  # by the steps before in the same node of SGF
        shown: list[Mark] = []
        before: list[tuple[int, object]] = []
        line = passes = 0
        last: tuple[Branch, int] | None = None  # the node before
        for node in walk_branches(document, DEFAULT_LIMITS, first_only=False, ends_only=False):
            follows = last is not None and last[0] is node.branch and last[1] + 1 == node.step_index
            if follows and node.step is not None and isinstance(node.step.action, Move):
                shared = True
                new = [node.board.last_move]
            else:
                moves = node.board.moves()
                shared = moves[: len(before)] == before
                new = moves[len(before) :] if shared else moves
            if shared:
                before += new
            else:
                before = moves
            line = _line(new, line if shared else 0)
            passes = (passes if shared else 0) + [point for _, point in new].count(None)
            last = node.branch, node.step_index
            owner = node.step or node.branch.pre
            comments.append(node.comment or "")
            shown += owner.marks if owner is not None else []
            rest = node.branch.steps[node.step_index + 1 :] if node.step is not None else []
            goes_on = bool(rest) and rest[0].joined
            self.places.append(
                Place(
                    node.board.hash,
                    line,
                    passes,
                    node.step,
                    node.step is None and node.path == (),
                    "" if goes_on else plain("\n".join(comments)),
                    () if goes_on else tuple(shown),
                    node.problem,
                )
            )
            if not goes_on:
                comments, shown = [], []


def plain(text: str | None) -> str:
    """What every format keeps of a text: wide characters made narrow, no white space, nothing that has no shape."""
    if not text:
        return ""
    folded = unicodedata.normalize("NFKC", text)
    return "".join(c for c in folded if c.isprintable() and not c.isspace() and c != "\ufffd")


# --- facts of a document ---------------------------------------------------------


def _positions(contents: Contents) -> Facts:
    return {place.position for place in contents.places if place.line}


def _all_positions(contents: Contents) -> Facts:
    return {place.position for place in contents.places}


def _lines(contents: Contents) -> Facts:
    return {place.line for place in contents.places}


def _passes(contents: Contents) -> Facts:
    return {(place.line, place.passes) for place in contents.places if place.passes}


def _setup(contents: Contents) -> Facts:
    return {place.position for place in contents.places if not place.line and place.step is None and place.position} - {
        _empty(contents)
    }


def _empty(contents: Contents) -> int:
    from wei7core.board.board import Board

    return Board(contents.document.width or 19, contents.document.height or 19).hash


def _edits(contents: Contents) -> Facts:
    return {place.position for place in contents.places if place.step and isinstance(place.step.action, Edit)}


def _actions(kind: type) -> Callable[[Contents], Facts]:
    def facts(contents: Contents) -> Facts:
        return {
            (place.position, repr(place.step.action))
            for place in contents.places
            if place.step is not None and isinstance(place.step.action, kind)
        }

    return facts


def _actors(contents: Contents) -> Facts:
    return {
        (place.position, _deed(place.step.action), place.step.actor, place.step.time)
        for place in contents.places
        if place.step is not None and (place.step.actor is not None or place.step.time is not None)
    }


def _deed(action: object) -> str:
    """An action in words, a move without what it is worth and whether it sets a problem."""
    return f"{action.color} {action.point}" if isinstance(action, Move) else repr(action)


def _comments(contents: Contents) -> Facts:
    return {(place.position, place.comment) for place in contents.places if place.comment}


def _marked(contents: Contents) -> Facts:
    return {(place.position, mark.point) for place in contents.places for mark in place.marks if mark.symbol}


def _symbols(contents: Contents) -> Facts:
    return {
        (place.position, mark.point, mark.symbol)
        for place in contents.places
        for mark in place.marks
        if mark.shape is None and mark.symbol in SYMBOLS
    }


SYMBOLS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$%&?")


def _stars(contents: Contents) -> Facts:
    return {(place.position, mark.point) for place in contents.places for mark in place.marks if mark.symbol == "*"}


def _other_labels(contents: Contents) -> Facts:
    return {
        (place.position, mark.point, mark.symbol)
        for place in contents.places
        for mark in place.marks
        if mark.shape is None and mark.symbol and mark.symbol not in SYMBOLS | {"*"}
    }


def _shapes(contents: Contents) -> Facts:
    return {(place.position, mark.point, mark.shape) for place in contents.places for mark in place.marks if mark.shape}


def _titles(contents: Contents) -> Facts:
    return {plain(branch.title) for branch in contents.document.tree.walk()} - {""}


def _all_titles(contents: Contents) -> Facts:
    named = [contents.document.properties, *(step.properties for step in contents.steps)]
    return (
        _titles(contents)
        | {plain(step.title) for step in contents.steps}
        | {plain(title_of(properties)) for properties in named}
    )


def _step_titles(contents: Contents) -> Facts:
    first = {id(branch.steps[0]) for branch in contents.document.tree.walk() if branch.steps}
    return {plain(step.title or title_of(step.properties)) for step in contents.steps if id(step) not in first} - {""}


def _evaluations(*which: str) -> Callable[[Contents], Facts]:
    def facts(contents: Contents) -> Facts:
        return {
            (place.line, place.passes, place.step.action.evaluation)
            for place in contents.places
            if place.step is not None and isinstance(place.step.action, Move)
            if place.step.action.evaluation in which
        }

    return facts


def _problems_of_positions(contents: Contents) -> Facts:
    return {
        (place.position, place.problem) for place in contents.places if place.problem is not None and place.step is None
    }


def _all_problems(contents: Contents) -> Facts:
    return {(place.position, place.problem) for place in contents.places if place.problem is not None}


def _problems_of_moves(contents: Contents) -> Facts:
    return _all_problems(contents) - _problems_of_positions(contents)


def _splitters(contents: Contents) -> Facts:
    return {
        (place.line, place.passes, place.step.splitter)
        for place in contents.places
        if place.step is not None and place.step.splitter
    }


def _worth(contents: Contents) -> Facts:
    return {pre.evaluation for pre in contents.pres} - {None}


def _name(contents: Contents) -> Facts:
    return {plain(contents.info.name)} - {""}


def _names(contents: Contents) -> Facts:
    people = contents.info.participants
    found = set()
    for color in (1, 2):
        rows = dict.fromkeys(player.participant for player in contents.info.players if player.color == color)
        names = [people[row].name for row in rows if 0 <= row < len(people)]
        found.add((color, plain(", ".join(name for name in names if name))))
    return {(color, name) for color, name in found if name}


def _of_players(*members: str) -> Callable[[Contents], Facts]:
    def facts(contents: Contents) -> Facts:
        info = contents.info
        return {
            (player.color, member, plain(getattr(info.participants[player.participant], member)))
            for player in info.players
            if player.color and 0 <= player.participant < len(info.participants)
            for member in members
            if plain(getattr(info.participants[player.participant], member))
        }

    return facts


def _identifiers(contents: Contents) -> Facts:
    game = {
        (0, name, plain(getattr(contents.info, name)))
        for name in ("domain", "id")
        if plain(getattr(contents.info, name))
    }
    return game | _of_players("domain", "id")(contents)


def _others(contents: Contents) -> Facts:
    playing = {player.participant for player in contents.info.players if player.color}
    return {row for row in range(len(contents.info.participants)) if row not in playing}


def _komi(contents: Contents) -> Facts:
    rules = contents.info.rules
    if rules is None or (rules.komi is None and contents.document.version is None):
        return set()
    return {rules.komi or 0}  # in 2.x no komi is one of nothing


def _of_rules(member: str) -> Callable[[Contents], Facts]:
    def facts(contents: Contents) -> Facts:
        value = getattr(contents.info.rules, member) if contents.info.rules is not None else None
        return set() if value is None else {value}

    return facts


def _winner(contents: Contents) -> Facts:
    result = contents.info.result
    return set() if result is None else {(result.winner, result.margin if result.winner else None)}


def _margin_of_draw(contents: Contents) -> Facts:
    result = contents.info.result
    return {result.margin} - {None} if result is not None and result.winner is None else set()


def _time_of(time: str) -> datetime.datetime | None:
    """The time in UTC, to the second; None without a zone, or if it cannot be computed here."""
    match = TIME.fullmatch(time)
    if match is None:
        return None
    day, hour, minute, second, _, sign, zone_hour, zone_minute = match.groups()
    zone = datetime.timedelta(hours=int(zone_hour or 0), minutes=int(zone_minute or 0))
    after = datetime.timedelta(hours=int(hour), minutes=int(minute), seconds=int(second or 0))
    return datetime.datetime.fromisoformat(day) + after - (-zone if sign == "-" else zone)


def _time(contents: Contents) -> Facts:
    if contents.info.time is None:
        return set()
    match, parsed = TIME.fullmatch(contents.info.time), _time_of(contents.info.time)
    return {contents.info.time} if match is None else {(parsed, (match[5] or "").rstrip("0"))}


def _days(contents: Contents) -> set[str]:
    """The day in UTC, and the one that is written, where the game was played."""
    parsed = _time_of(contents.info.time) if contents.info.time else None
    written = {contents.info.time[:10]} if contents.info.time else set()
    return written | ({parsed.isoformat()[:10]} if parsed is not None else set())


def _day(contents: Contents) -> Facts:
    days = _days(contents) or {value[:10] for value in contents.document.properties.get("DT", ())}
    return {frozenset(days)} if days else set()


def _day_or_words(contents: Contents) -> Facts:
    in_words = {day for place in contents.places for day in DAY.findall(place.comment)}
    stated = {value[:10] for value in contents.document.properties.get("DT", ())}
    return (
        _days(contents)
        | stated
        | in_words
        | {_Words(place.comment) for place in contents.places if "Date:" in place.comment}
    )


class _Words(str):
    """A comment that holds a date of any form."""


def _one_of_them(fact: Fact, facts: Facts) -> bool:
    assert isinstance(fact, frozenset)
    words = [one for one in facts if isinstance(one, _Words)]
    return bool(fact & facts) or any(plain(day) in text for day in fact for text in words)


DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]+))?)?(?:Z|([+-])(..):(..))"
)


def _place_name(contents: Contents) -> Facts:
    return {plain(contents.info.place)} - {""}


def _properties(contents: Contents) -> Facts:
    properties = dict(contents.document.properties)
    if "TM" in properties:
        properties["TM"] = seconds(properties["TM"], properties)  # FF[1] has minutes
    owners = [properties, *(step.properties for step in contents.steps)]
    return {
        plain(simple_text(value))
        for owner in owners
        for name, values in owner.items()
        for value in values
        if name in OTHER_PROPERTIES
    } - {""}


OTHER_PROPERTIES = frozenset(
    {"XYZ", "KO", "TB", "BL", "OW", "EV", "SO", "RO", "DT", "TM", "OT", "AN", "PL", "DO", "GB", "V"}
)


def _codes(contents: Contents) -> Facts:
    owners = [contents.document.properties, *(step.properties for step in contents.steps)]
    found = set()
    for owner in owners:
        for token in tokens_of(owner):
            part = read_code(token)
            if part is not None and label(part) is None and not (part.what == "w" and part.numbers[0] == LINE_BREAK):
                found.add(token)
    return found | {name for name in contents.document.properties if name.startswith(f"{TOKENS}.")}


LINE_BREAK = 9


def _remarks_of_xml(contents: Contents) -> Facts:
    return {name for name in contents.document.extra if name == "#comments"}


# --- the table -------------------------------------------------------------------


class Row(NamedTuple):
    """Something that a record can express; `cells` are those of `WRITTEN`.

    `codes` are the losses that are listed where a cell is not `yes`, `unless` those that excuse one that is. `there` is
    where to look for it in another format. On the way to formats of `words_in` it may become part of a comment.
    """

    what: str
    cells: tuple[str, ...]
    facts: Callable[[Contents], Facts]
    codes: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    there: Callable[[Contents], Facts] | None = None
    kept: Callable[[Fact, Facts], bool] = lambda fact, facts: fact in facts
    words_in: frozenset[str] = frozenset()

    def cell(self, format: str) -> str:
        """What becomes of it in a format; those that are only read have all that SGF has."""
        return self.cells[WRITTEN.index(format if format in WRITTEN else "sgf")]

    def missing(self, before: Contents, after: Contents) -> list[Fact]:
        """The facts before that are missing after."""
        found = (self.there or self.facts)(after)
        return [fact for fact in self.facts(before) if not self.kept(fact, found)]


def _said_there(fact: Fact, facts: Facts) -> bool:
    """Whether a comment is part of one at the same position."""
    assert isinstance(fact, tuple)
    position, text = fact
    return any(isinstance(one, tuple) and one[0] == position and text in one[1] for one in facts)


def _begins_there(fact: Fact, facts: Facts) -> bool:
    """Whether a name begins one there: in Giseong a rank may join it."""
    assert isinstance(fact, tuple)
    color, name = fact
    return any(isinstance(one, tuple) and one[0] == color and one[1].startswith(name) for one in facts)


def _codes_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


def row(
    what: str,
    cells: str,
    facts: Callable[[Contents], Facts],
    codes: str = "",
    unless: str = "",
    **more: object,
) -> Row:
    """A row from its cells, divided by bars."""
    return Row(
        what,
        tuple(cell.strip() for cell in cells.split("|")),
        facts,
        _codes_of(codes),
        _codes_of(unless),
        **more,  # type: ignore[arg-type]  # the fields that a pair may leave out
    )


ROWS: tuple[Row, ...] = (
    row("every position of every line", "yes | yes | yes | yes | yes", _positions),
    row(
        "the moves that lead to it",
        "yes | yes | yes | yes | setup as moves",
        _lines,
        "setup-as-moves variation-repeated",
    ),
    row("passes", "yes | yes | yes | yes | words", _passes, "pass-as-comment"),
    row(
        "stones set up before the first move",
        "yes | yes | yes | yes | as moves",
        _setup,
        "setup-as-moves",
        "setup-folded setup-moved",
        there=_all_positions,
    ),
    row(
        "stones set up or taken away later",
        "no: ends the branch | no: ends the branch | no: ends the branch | yes | as moves, or ends the branch",
        _edits,
        "setup-after-move setup-folded setup-moved setup-without-liberties setup-as-moves",
        there=_all_positions,
    ),
    row(
        "takebacks",
        "yes | yes | as variations | as variations | as variations",
        _actions(Takeback),
        "takeback-as-variation",
    ),
    row("messages", "yes | yes | words | words | words", _actions(Message), "message-as-comment"),
    row("marks shown live", "yes | yes | as marks | as marks | as marks", _actions(MarkAction), "mark-action-as-mark"),
    row("claims of a result", "yes | yes | words | words | words", _actions(Result), "result-as-comment"),
    row(
        "who did it, and when",
        "yes | yes | no, or words | no, or words | no, or words",
        _actors,
        "time-dropped actor-dropped message-as-comment result-as-comment takeback-as-variation",
    ),
    row("comments", "yes | yes | yes | yes | yes", _comments, kept=_said_there),
    row("points that are marked", "yes | yes | yes | yes | yes", _marked, unless="mark-dropped"),
    row(
        "letters, digits, @ # $ % & ?",
        "yes | yes | yes | yes | 가 to 하 where Giseong has not the label",
        _symbols,
        "label-replaced mark-dropped",
        "mark-dropped",
    ),
    row("the mark \\*", "as # | yes | yes | yes | 가 to 하", _stars, "symbol-replaced label-replaced mark-dropped"),
    row(
        "longer labels",
        "as ?, and words | as ?, and words | as ?, and words | yes | 가 to 하 where Giseong has not the label",
        _other_labels,
        "label-replaced mark-dropped",
        "mark-dropped",
    ),
    row(
        "triangles, circles and the like",
        "as symbols | as symbols | as symbols | yes | as labels",
        _shapes,
        "shape-as-symbol label-replaced mark-dropped",
    ),
    row(
        "titles of branches",
        "yes | yes | yes | yes | words",
        _titles,
        "title-as-comment",
        "text-cut",
        there=_all_titles,
        words_in=frozenset({"wei7-2.2"}),  # the title of a first variation whose preset joins the step before it
    ),
    row(
        "titles of other steps",
        "words | words | yes | yes | words",
        _step_titles,
        "title-as-comment",
        "text-cut title-as-comment",
        there=_all_titles,
    ),
    row(
        "good and bad moves",
        "yes | yes | yes | yes, in problems words | words",
        _evaluations("good", "bad"),
        "evaluation-as-comment",
    ),
    row(
        "lures",
        "words | yes | yes | words | words",
        _evaluations("trick"),
        "evaluation-dropped evaluation-as-comment normal-as-good",
    ),
    row(
        "problems of positions",
        "yes, not inside of each other | yes | yes | words | words",
        _problems_of_positions,
        "problem-as-comment problem-dropped",
        there=_all_problems,
    ),
    row(
        "problems of moves",
        "as branches | yes | yes, of two at a position one in words | words | words",
        _problems_of_moves,
        "problem-moved problem-as-comment problem-dropped",
        there=_all_problems,
    ),
    row("gaps between steps", "no | no | yes | no | no", _splitters, "splitter-dropped"),
    row("what a preset position is worth", "no | no | yes | no | no", _worth, "position-evaluation-dropped"),
    row("name of the game", "yes | yes | yes | yes | yes", _name, unless="text-cut"),
    row("names of Black and White", "yes | yes | yes | yes | yes", _names, unless="text-cut", kept=_begins_there),
    row(
        "their ranks",
        "yes | yes | yes | yes | yes, after the name",
        _of_players("rank"),
        "rank-in-name info-as-comment players-merged",
        "players-merged",
    ),
    row(
        "their titles",
        "yes | yes | yes | no | no",
        _of_players("title"),
        "participant-title-dropped",
        "players-merged",
    ),
    row("identifiers and domains", "yes | yes | yes | no | no", _identifiers, "identifier-dropped", "players-merged"),
    row(
        "other participants",
        "yes | yes | no | no | no",
        _others,
        "participant-dropped",
    ),
    row("komi", "yes | yes | yes | yes | words", _komi, "info-as-comment komi-dropped", "komi-dropped"),
    row("type of the rules", "yes | yes | yes | yes | words", _of_rules("type"), "info-as-comment scoring-unknown"),
    row(
        "scoring",
        "yes | yes | yes | as the type of the rules implies | words",
        _of_rules("scoring"),
        "scoring-dropped info-as-comment",
    ),
    row("result", "yes | yes | yes | yes | words", _winner, "info-as-comment"),
    row("margin of a draw", "yes | yes | yes | no | no", _margin_of_draw, "margin-dropped"),
    row(
        "day of the game",
        "yes | yes | yes | yes | words",
        _day,
        "info-as-comment date-dropped",
        "date-dropped",
        there=_day_or_words,
        kept=_one_of_them,
    ),
    row(
        "time of the game",
        "yes | yes | yes | no | no",
        _time,
        "time-of-day-dropped date-dropped time-zone-assumed time-rounded",
        "date-dropped time-zone-assumed time-rounded",
    ),
    row("place of the game", "yes | yes | words | yes | words", _place_name, "place-dropped info-as-comment"),
    row(
        "other properties of SGF",
        "words or no | words or no | words or no | yes | words or no",
        _properties,
        "property-dropped time-dropped info-as-comment property-as-comment event-as-name",
    ),
    row(
        "sounds, rests, numbers on stones, neutral points",
        "no | no | no | no | yes",
        _codes,
        "code-dropped",
    ),
    row(
        "XML comments and processing instructions",
        "no | no | yes, before the root | no | no",
        _remarks_of_xml,
        "xml-comments-dropped",
    ),
)


def format_table() -> Iterable[str]:
    """The lines of the table as docs/formats.md shows it."""
    yield "| what | wei7 3.0 | its revision 2 | wei7 2.x | SGF | Giseong |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for one in ROWS:
        yield f"| {one.what} | {' | '.join(one.cells)} |"
