"""`Game`: a record to walk, edit and write, whatever format it was read from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from decimal import Decimal
from fractions import Fraction
from typing import Any

from ..errors import BoardSizeError, Problem
from ..formats.registry import decode, read_document, write_document
from ..formats.sgf.text import simple_text
from ..formats.wei7.write import document_to_obj
from ..limits import DEFAULT_LIMITS, Limits
from ..record.document import Branch, Document, Info, Point, Properties, Result
from ..record.record import Record
from ..record.result import GameResult
from ..replaying.cursor import Node, parse_path, walk_branches, walk_line
from ..replaying.replay import replay_record
from ..rules import Rules, named, recognised
from .scoring import Score, komi_in_points, score

__all__ = ["Game", "game_from_document", "game_from_record"]


class Game:
    """A game record: its board size, what is known about it, and its tree of branches.

    `Game(19)` or `Game((9, 13))` is a new empty record; `loads`, `load` and
    `from_obj` read one. The tree is plain data (`wei7core.record.document`) to change
    in place; nothing is checked before `dumps` or `check`. Attributes:
    `problems`, what was found when the record was read, by offset (only
    warnings after strict reading, nothing for a new game); `format` it was read
    from (`wei7` for a new game, `wei7-2.2` or `sgf`); `revision` of the wei7 specification
    (7 or 2) and `limits`, by which it is read, walked and written.

    Raises `BoardSizeError` where the size is not positive.

    Thread safety: one thread at a time.
    """

    __slots__ = ("_document", "_record", "format", "limits", "problems", "revision")

    def __init__(self, size: int | tuple[int, int] = 19, *, revision: int = 7, limits: Limits = DEFAULT_LIMITS) -> None:
        self.format = "wei7"
        self._record: Record | None = None
        self._document: Document | None = Document()
        self.problems: tuple[Problem, ...] = ()
        self.revision = revision
        self.limits = limits
        self.size = (size, size) if isinstance(size, int) else size

    @property
    def record(self) -> Record | None:
        """The decoded columns as they were read, until the document, tree or info is asked for; then None."""
        return self._record

    @property
    def document(self) -> Document:
        """The whole record as editable objects; made on the first access, and from then on what is written."""
        if self._document is None:
            assert self._record is not None
            self._document = read_document(self._record)
            self._record = None
        return self._document

    @property
    def tree(self) -> Branch:
        """The root of the tree: the whole game (clause 3.15)."""
        return self.document.tree

    @tree.setter
    def tree(self, tree: Branch) -> None:
        self.document.tree = tree

    @property
    def info(self) -> Info:
        """What is known about the game (clause 3.10); an empty `Info` where the record has none."""
        return self.document.info

    @info.setter
    def info(self, info: Info) -> None:
        self.document.info = info

    @property
    def properties(self) -> Properties:
        """What the root node of an SGF record says, as written; empty for other records. See `Document`."""
        return self.document.properties

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the board; (0, 0) where lenient reading could not read it.

        Setting it checks only that both are positive; the text has the integer
        form for a square board and the object form otherwise (clause 3.9),
        unless the record already says it another way that fits.
        """
        owner = self._record or self.document
        return owner.width, owner.height

    @size.setter
    def size(self, size: tuple[int, int]) -> None:
        width, height = size
        if width < 1 or height < 1:
            raise BoardSizeError(f"a board of {width} x {height} points is not possible")
        document = self.document
        document.width, document.height = width, height
        if width != height:
            document.size_form = "object"
        elif document.size_form == "absent" and width != 19:
            document.size_form = "integer"

    @property
    def timeline(self) -> bool:
        """Whether any step has a time, so that a replay should go by the clock (clause 3.15.5)."""
        return any(step.time is not None for branch in self.tree.walk() for step in branch.steps)

    def main_line(self) -> Iterator[Node]:
        """Yield the nodes of the game as played: the first branch at every fork (clause 3.15.4).

        As for every walk: `node.board` is cheapest while the walk stands at the
        node; a branch ends at the first step that cannot be played, which
        happens only after lenient reading or edits. Raises `LimitError` after
        `limits.max_moves` board operations, `BoardSizeError` at once for a size
        that is unknown or beyond `limits.max_points`.
        """
        return walk_branches(self.document, self.limits, first_only=True, ends_only=False)

    def walk(self) -> Iterator[Node]:
        """Yield every node of every branch, each branch before those below it; O(total steps) board operations."""
        return walk_branches(self.document, self.limits, first_only=False, ends_only=False)

    def leaves(self) -> Iterator[Node]:
        """Yield the last node of every line, in the order of `walk`."""
        return walk_branches(self.document, self.limits, first_only=False, ends_only=True)

    def branch_at(self, path: str | Iterable[int]) -> Branch:
        """Return the branch at `path`: ordinals like (0, 1), or text like `0.1`, `-` for the root.

        Raises `IndexError` where there is none and `ValueError` where the text is no path.
        """
        branch = self.tree
        ordinals = parse_path(path)
        for level, ordinal in enumerate(ordinals):
            if not 0 <= ordinal < len(branch.branches):
                name = ".".join(map(str, ordinals[:level])) or "-"
                raise IndexError(f"branch {name} has {len(branch.branches)} branches, none with number {ordinal}")
            branch = branch.branches[ordinal]
        return branch

    def line(self, path: str | Iterable[int]) -> Iterator[Node]:
        """Yield the nodes on the way from the root to the last step of the branch at `path`.

        Raises what `branch_at` raises, and while walking what `main_line` raises.
        """
        ordinals = parse_path(path)
        self.branch_at(ordinals)
        return walk_line(self.document, self.limits, ordinals)

    def confirmed_result(self) -> Result | None:
        """Return the last score on the main line that two actors claimed one after the other, or None.

        A claim does not change `info.result` (clause 3.15.3.2.3.3).
        """
        confirmed = None
        for node in self.main_line():
            if node.confirms_result and node.step is not None and isinstance(node.step.action, Result):
                confirmed = node.step.action
        return confirmed

    @property
    def result(self) -> GameResult | None:
        """How the game ended, as the record says: RE of SGF where `info.result` still agrees with it, else the latter.

        RE tells more: resignation from time, a game without result from an unknown one. None where nothing is said, or
        nothing that can be read.
        """
        said = self.info.result
        for text in self.properties.get("RE", ())[:1]:
            try:
                result = GameResult.parse(simple_text(text))
            except ValueError:
                break
            if result.to_result() == said:
                return result
        try:
            return None if said is None else GameResult.from_result(said)
        except ValueError:
            return None

    @property
    def rules(self) -> Rules | None:
        """The rule set that the record names, in RU of SGF or `info.rules.type`; None where it is not recognised.

        See `wei7core.rules.recognised`. None also where the record contradicts itself about the scoring, and where
        `info.rules` was changed since it was read, so that RU says nothing any more.
        """
        said = self.info.rules
        if said is None:
            return None
        names = (said.type,) if said.type is not None else map(simple_text, self.properties.get("RU", ())[:1])
        for name in names:
            rules = recognised(name)
            is_typed_alone = said.type is not None and said.scoring is None
            if rules is not None and (is_typed_alone or said.scoring == rules.scoring.value):
                return rules
        return None

    @property
    def handicap(self) -> int:
        """The number of handicap stones: HA of SGF, else the stones set up at the start, two or more and all black.

        0 where there is no handicap, or one that cannot be read.
        """
        for text in self.properties.get("HA", ())[:1]:
            number = simple_text(text).strip()
            return int(number) if number.isascii() and number.isdecimal() and len(number) < 8 else 0
        pre = self.tree.pre
        colors = [stone.color for stone in pre.stones] if pre is not None and pre.problem is None else []
        return len(colors) if len(colors) > 1 and set(colors) == {1} else 0

    def score(
        self,
        rules: Rules | str | None = None,
        dead: Iterable[Point | Set[Point]] = (),
        komi: float | Decimal | Fraction | None = None,
        handicap: int | None = None,
        *,
        seki: Iterable[Point | Set[Point]] = (),
        pass_alive: bool = False,
    ) -> Score:
        """Count the position at the end of the main line; the arguments are those of `wei7core.score`.

        None takes what the record says: its `rules`, its komi (`info.rules.komi`; by Chinese rules one in quarters, as
        3.75, is of stones, 子), or that of the rules where it says none, and its `handicap`. Dead stones are not
        guessed. Where lenient reading left a line that cannot be played to its end, its last position is counted.

        Raises `ValueError` where the record names no rules that are recognised, and what `wei7core.score` and
        `main_line` raise.
        """
        found = self.rules if rules is None else named(rules)
        said = self.info.rules
        if found is None:
            names = "" if said is None else ", ".join(name for name in (said.type, said.scoring) if name)
            names = next(iter(self.properties.get("RU", ())), "") or names
            raise ValueError(
                f"the record names its rules {names[:80]!r}, which are not recognised: say which with rules="
                if names
                else "the record does not name its rules: say which with rules="
            )
        if komi is None and said is not None and said.komi is not None:
            komi = komi_in_points(said.komi, found)
        *_, end = self.main_line()
        stones = self.handicap if handicap is None else handicap
        return score(end.board, found, dead, komi, stones, seki=seki, pass_alive=pass_alive)

    def check(self) -> tuple[Problem, ...]:
        """Return all problems that the record, as it is now, has in the format it was read from.

        Offsets count in `dumps(game, format=game.format, validate=False)`. Raises
        `TypeError` or `ValueError` where it cannot be written at all.
        """
        data = write_document(self.document, self.format)
        record = decode(data, self.format, revision=self.revision, limits=self.limits)
        return replay_record(record, limits=self.limits).problems

    def to_obj(self) -> dict[str, Any]:
        """Return the record as new dicts and lists, as `json.loads` or `orjson.loads` would give its wei7 text.

        A `decimal.Decimal` becomes the nearest float. Nothing is validated.
        Raises `ValueError` for a game that was read from another format, which
        `convert` makes one of wei7 first; `Wei7Error` where a kept member nests too deep for `json.loads`,
        `TypeError` for a value of a wrong type and `ValueError` for a branch
        that lies inside itself.
        """
        if self.format != "wei7":
            raise ValueError(f"a game of {self.format} has no wei7 objects: use convert(game, 'wei7') first")
        return document_to_obj(self.document)

    def __eq__(self, other: object) -> bool:
        """Whether both say the same; neither spelling of numbers nor empty lists count."""
        return self.document == other.document if isinstance(other, Game) else NotImplemented

    def __repr__(self) -> str:
        width, height = self.size
        return f"<Game {width}x{height}, {len(self.problems)} problems>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._document, self._record, self.problems, self.format, self.revision, self.limits)


def game_from_record(
    record: Record, *, problems: tuple[Problem, ...], revision: int = 7, limits: Limits = DEFAULT_LIMITS
) -> Game:
    """Return the game of a decoded record; `problems` are all that is known to be wrong with it."""
    return _restore(None, record, problems, record.format, revision, limits)


def game_from_document(document: Document, format: str = "wei7") -> Game:
    """Return the game of a document, as if it had been read from a record of that format without problems."""
    return _restore(document, None, (), format, 7, DEFAULT_LIMITS)


def _restore(
    document: Document | None,
    record: Record | None,
    problems: tuple[Problem, ...],
    format: str,
    revision: int,
    limits: Limits,
) -> Game:
    game = Game.__new__(Game)
    game._document, game._record = document, record
    game.problems, game.format, game.revision, game.limits = problems, format, revision, limits
    return game
