"""`Game`: a record to walk, edit and write, independent of its format."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import AbstractContextManager
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, SupportsIndex

from .._util.numbers import integer
from ..errors import BoardSizeError, Problem
from ..formats.headers import handicap_of, result_of, rules_of
from ..formats.registry import decode, read_document, write_document
from ..formats.sgf.apply_properties import apply_properties, apply_root_properties
from ..formats.wei7.write import document_to_obj
from ..limits import DEFAULT_LIMITS, Limits
from ..record.document import Branch, Document, Info, Number, Point, Properties, Result
from ..record.record import Record
from ..record.result import GameResult
from ..replaying.cursor import EditLog, parse_path, walk_branches, walk_line
from ..replaying.replay import replay_record
from ..rules import Rules, named
from .cursor import Cursor
from .edit import add_line, all_or_nothing
from .moves import AnyMove
from .new import set_date, set_handicap, set_rules
from .nodes import Node, located_in, main_line_of, moves_of_step, place_at, root_of

if TYPE_CHECKING:
    from os import PathLike

    from typing_extensions import Unpack

    from ..board.drawing.themes import Theme
    from ..replaying.picture import NodePictureOptions
    from .outline import Entry
    from .scoring import Score

# The formats whose documents have the branches and steps of their records, one for each row.
_SAME_ROWS: Final = ("sgf", "wei7")


class Game:
    """A game record: board size, information about the game, and tree of branches.

    `Game(19)` or `Game((9, 13))` is a new empty record; `loads`, `load` and `from_obj` read one. Of a new one `black`
    and `white` are names, `komi` is in points, `rules` a rule set or the name of one, `handicap` 2 to 9 stones on the
    points of GTP (version 2, 4.1.1). `date` is DT of SGF, or the start in UTC (clause 3.10.2) if it has a time of day.
    The tree is plain data (`wei7core.record.document`) to change in place; nodes change it too (`root`). Nothing is
    checked before `dumps` or `check`. Attributes: `problems` found when the record was read, by offset (only warnings
    after strict reading, nothing for a new game); `format` it was read from (`wei7` for a new game, `wei7-2.2` or
    `sgf`); `revision` of the wei7 specification (7 or 2) and `limits`, by which it is read, walked and written.

    Raises `BoardSizeError` if the size is not positive, `ValueError` for unknown rules and for a handicap that the
    board has no points for.

    Thread safety: one thread at a time.
    """

    __slots__ = ("_document", "_log", "_record", "_revision_read", "format", "limits", "problems", "revision")

    def __init__(
        self,
        size: int | tuple[int, int] = 19,
        *,
        black: str | None = None,
        white: str | None = None,
        komi: Number | None = None,
        rules: Rules | str | None = None,
        date: str | datetime.date | None = None,
        handicap: int = 0,
        revision: int = 7,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.format = "wei7"
        self._log = EditLog()
        self._record: Record | None = None
        self._document: Document | None = Document()
        self.problems: tuple[Problem, ...] = ()
        self.revision = self._revision_read = revision
        self.limits = limits
        self.size = size if isinstance(size, tuple) else (size, size)
        for name, value in (("PB", black), ("PW", white), ("KM", komi)):
            if value is not None:
                self.set(name, value)
        if rules is not None:
            set_rules(self, rules)
        if date is not None:
            set_date(self, date)
        if handicap:
            set_handicap(self, handicap)

    @property
    def is_of_its_revision(self) -> bool:
        """Whether the record was read by `revision`; after a change, writing converts it, and lists losses."""
        return self._revision_read == self.revision

    @property
    def record(self) -> Record | None:
        """The decoded columns, until the first access to the document, tree or info; then None."""
        return self._record

    @property
    def document(self) -> Document:
        """The whole record as editable objects; made on the first access, and written from then on."""
        if self._document is None:
            assert self._record is not None
            self._document = read_document(self._record)
            self._record = None
            if self._log.line is not None:  # nodes of a walk through the columns find their places in it
                self._log.line += main_line_of(self._document.tree)
        return self._document

    @property
    def tree(self) -> Branch:
        """The root of the tree: the whole game (clause 3.15)."""
        tree = self.document.tree
        if self._log.keep is not None:
            self._log.keep(tree)
        return tree

    @tree.setter
    def tree(self, tree: Branch) -> None:
        self.document.tree = tree

    @property
    def info(self) -> Info:
        """The information about the game (clause 3.10); an empty `Info` if the record has none."""
        apply_root_properties(self.document)
        return self.document.info

    @info.setter
    def info(self, info: Info) -> None:
        self.document.info = info

    @property
    def properties(self) -> Properties:
        """The properties of the root node of an SGF record, as written; empty for other records. See `Document`."""
        return self.document.properties

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the board; (0, 0) where lenient reading could not read it.

        Setting it takes a number, the side of a square, too, and checks only that both are positive; the text has the
        integer form for a square board and the object form otherwise (clause 3.9), unless the record already has
        another suitable form.
        """
        owner = self._record or self.document
        return owner.width, owner.height

    @size.setter
    def size(self, size: int | tuple[int, int]) -> None:
        sides: Any = size if isinstance(size, (tuple, list)) else (size, size)
        if len(sides) != 2:
            raise BoardSizeError(f"a size is a number of lines or a pair (width, height), not {size!r}")
        width, height = integer("a side of the board", sides[0]), integer("a side of the board", sides[1])
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
        """Whether any step has a time, so that a replay should follow the clock (clause 3.15.5)."""
        return any(step.time is not None for branch in self.tree.walk() for step in branch.steps)

    @property
    def root(self) -> Node:
        """The first node of the game: setup and comment before the first step."""
        return root_of(self, self._log)

    def cursor(self) -> Cursor:
        """Return a new `Cursor` at the root.

        Raises `BoardSizeError` for a size that is unknown or beyond `limits.max_points`.
        """
        return Cursor(self)

    def find(self, predicate: Callable[[Node], object]) -> Iterator[Node]:
        """Yield the nodes for which `predicate` is true, in the order of `walk`; raises the exceptions of both.

        The start of a branch is included if it is a node of its own (see `Node`).
        """
        return (node for node in self.walk() if (node.step is not None or node.place.has_start) and predicate(node))

    def outline(self) -> list[Entry]:
        """Return the table of contents: an `Entry` for each titled place and each problem, in the order of `walk`.

        An entry has `title`, `path`, `step_index`, `level` (how many branches with entries contain it), `problem` (the
        colour to play, or None) and `node`.
        """
        from .outline import outline

        return outline(self.root)

    def get(self, name: str, node: Node | None = None) -> Any:
        """Return the value of a property of SGF at a node (None: the root), whatever the format; None if missing.

        Numbers, colours (1 and 2), texts, lists of points, pairs of points (AR, LN), a dict of labels (LB) and True for
        a property without value come as such; text of another kind than FF[4] requires, as text; properties that FF[4]
        does not define, as the tuple of their values between brackets.
        """
        from .properties import get

        return get(self, name, node)

    def set(self, name: str, value: Any, node: Node | None = None) -> None:
        """Change a property of SGF at a node (None: the root); a value of None removes it.

        Values are those that `get` returns, points also as text (`["D4", "Q16"]` or "D4 Q16"), and a tuple of texts is
        written between the brackets unchanged. Corresponding attributes (names, komi, rules, result and start of
        `info`, titles, comments, marks, setup stones, evaluations of moves) change as well, and so in every format.
        Other properties are losses in formats that do not support them.

        Raises `ValueError` for a property that cannot be set there (moves, FF, CA, GM and SZ are set otherwise), an
        invalid value of its kind, or a node of another game, and `TypeError` for a value of another type; nothing is
        changed then.
        """
        from .properties import set_property

        set_property(self, name, value, node)

    def add_line(self, moves: Iterable[AnyMove] | str, *, system: str = "gtp") -> Node:
        """Follow moves from the root, add the missing ones, and return the node of the last one.

        `moves` and `system` are those of `Node.add_variation`. Raises as that does; nothing is changed then.
        """
        return add_line(self, moves, system)

    def transformed(self, symmetry: SupportsIndex) -> Game:
        """Return the game rotated or reflected, with all its points: moves, setup, marks and properties.

        `symmetry` is that of `Board.transformed`, 0 to 7, a sum: 4 exchanges x and y, and width and height; then 1
        counts columns from the other side, and 2 rows. Points in comments, and members kept by lenient reading, do not
        change. Raises `ValueError` for another number, `TypeError` for none.
        """
        from .transform import transformed_document

        document = transformed_document(self.document, symmetry)
        return _restore(document, None, (), self.format, self.revision, self.limits)

    def truncate(self, move_number: SupportsIndex) -> None:
        """Remove everything after move `move_number` of the main line, variations included; 0 removes all.

        Raises `IndexError` if the main line has no such move.
        """
        self.cursor().goto(move_number).truncate()

    def edit(self) -> AbstractContextManager[Game]:
        """Return a context manager that undoes every change of the game if an exception leaves its block.

            with game.edit():
                game.root.next.play("D4")
                game.info.name = "a study"

        That holds for edits by nodes and cursors, for `info`, `properties` and `size`, and for objects reached in the
        block by `game.tree`, `game.branch_at`, `node.step` and `node.branch`; not for objects of the document obtained
        before. Blocks may be nested.
        """
        return all_or_nothing(self)

    def _walk(self, *, first_only: bool = False, ends_only: bool = False) -> Iterator[Node]:
        record = self._record
        nodes: Iterator[Node] = walk_branches(
            record if first_only and record is not None and record.format in _SAME_ROWS else self.document,
            self.limits,
            first_only=first_only,
            ends_only=ends_only,
            kind=Node,
            game=self,
            log=self._log,
        )
        return nodes

    def main_line(self) -> Iterator[Node]:
        """Yield the nodes of the game as played: the first branch at every fork (clause 3.15.4).

        As for every walk: `node.board` is cheapest while the walk is at the node; a branch ends at the first step that
        cannot be played, which happens only after lenient reading or edits. Raises `LimitError` after
        `limits.max_moves` board operations, `BoardSizeError` at once for a size that is unknown or beyond
        `limits.max_points`.
        """
        return self._walk(first_only=True)

    def walk(self) -> Iterator[Node]:
        """Yield every node of every branch, each branch before those below it; O(total steps) board operations."""
        return self._walk()

    def leaves(self) -> Iterator[Node]:
        """Yield the last node of every line, in the order of `walk`."""
        return self._walk(ends_only=True)

    def branch_at(self, path: str | Iterable[int]) -> Branch:
        """Return the branch at `path`: ordinals like (0, 1), or text like `0.1`, `-` for the root.

        Raises `IndexError` if there is none and `ValueError` if the text is no path.
        """
        branch: Branch = place_at(self.tree, path).branch
        return branch

    def line(self, path: str | Iterable[int]) -> Iterator[Node]:
        """Yield the nodes from the root to the last step of the branch at `path`.

        Raises as `branch_at` does, and during the walk as `main_line` does.
        """
        ordinals = parse_path(path)
        self.branch_at(ordinals)
        return walk_line(self.document, self.limits, ordinals, kind=Node, game=self, log=self._log)

    def confirmed_result(self) -> Result | None:
        """Return the last score, or draw, on the main line that two actors claimed one after the other, or None.

        A claim does not change `info.result` (clause 3.15.3.2.3.3).
        """
        confirmed = None
        for node in self.main_line():
            if node.confirms_result and node.step is not None and isinstance(node.step.action, Result):
                confirmed = node.step.action
        return confirmed

    @property
    def result(self) -> GameResult | None:
        """The stated result: RE of SGF if `info.result` still agrees with it, else the latter.

        RE distinguishes more: resignation from time, a game without result from an unknown one. None without a readable
        result.
        """
        return result_of(self.info, self.properties)

    @property
    def rules(self) -> Rules | None:
        """The rule set named in the record, in RU of SGF or `info.rules.type`; None if it is not recognised.

        See `wei7core.rules.recognised`. Also None if the record contradicts itself about the scoring, and if
        `info.rules` was changed after reading, so that RU is obsolete.
        """
        return rules_of(self.info, self.properties)

    @property
    def handicap(self) -> int:
        """The number of handicap stones: HA of SGF, else the stones set up at the start, two or more and all black.

        0 without a readable handicap.
        """
        return handicap_of(self.properties, self.tree.pre.handicap if self.tree.pre is not None else 0)

    def score(
        self,
        rules: Rules | str | None = None,
        dead: Iterable[Point | str | Set[Point]] = (),
        komi: float | Decimal | Fraction | None = None,
        handicap: int | None = None,
        *,
        seki: Iterable[Point | str | Set[Point]] = (),
        pass_alive: bool = False,
    ) -> Score:
        """Count the position at the end of the main line; the arguments are those of `wei7core.score`.

        None takes the values of the record: its `rules`, its komi (`info.rules.komi`; under Chinese rules one in
        quarters, as 3.75, is in stones, 子), by default that of the rules, and its `handicap`. Dead stones are not
        guessed. Of a line that cannot be played to its end, the last position is counted.

        Raises `ValueError` if the record names no known rules, and as `wei7core.score` and `main_line` do.
        """
        from ..record.points import komi_in_points
        from .scoring import score

        found = self.rules if rules is None else named(rules)
        stated = self.info.rules
        if found is None:
            names = "" if stated is None else ", ".join(name for name in (stated.type, stated.scoring) if name)
            names = next(iter(self.properties.get("RU", ())), "") or names
            raise ValueError(
                f"the record names its rules {names[:80]!r}, which are unknown; pass rules="
                if names
                else "the record does not name its rules; pass rules="
            )
        if komi is None and stated is not None and stated.komi is not None:
            komi = komi_in_points(stated.komi, found)
        *_, end = self.main_line()
        stones = self.handicap if handicap is None else handicap
        return score(end.board, found, dead, komi, stones, seki=seki, pass_alive=pass_alive)

    def svg(self, node: Node | None = None, **options: Unpack[NodePictureOptions]) -> str:
        """Return a picture of the position at `node` as SVG; None is the end of the main line.

        The options are those of `wei7core.replaying.picture.NodePictureOptions`. Raises as `Node.svg` and `main_line`
        do.
        """
        if node is None:
            *_, node = self.main_line()
        else:
            node = located_in(self, node)
        return node.svg(**options)

    def apng(
        self,
        path: str | PathLike[str] | None = None,
        node: Node | None = None,
        *,
        first: int = 0,
        delay: float = 0.7,
        hold: float = 3.0,
        loops: int = 0,
        **options: Unpack[NodePictureOptions],
    ) -> bytes:
        """Return a picture that plays the line to `node`, from move `first` on, as APNG; None is the main line.

        If `path` is given, it is written there, whole or not at all. Each position is shown for `delay` seconds, the
        last one for `hold`; `loops` is how often all are shown, 0 for ever. The options are those of `svg`.

        Raises `ImportError` without the extra `png`; `ValueError` for a node of another game, a time that is not 0 to
        65,535 seconds, a line without move `first`, more than 10,000 positions, and pictures of different sizes, as
        with `region="stones"`; and as `svg` does.
        """
        from .animation import game_apng

        return game_apng(self, path, node, first=first, delay=delay, hold=hold, loops=loops, options=options)

    def to_html(
        self,
        path: str | PathLike[str] | None = None,
        *,
        theme: str | Theme = "wood",
        coordinates: str | bool | None = True,
        title: str | None = None,
    ) -> str:
        """Return a page that shows the game: moves, variations, comments, marks, problems to solve, timing.

        The page needs no network and no other file. If `path` is given, it is written there, whole or not at all.
        `theme` and `coordinates` are those of pictures. Raises `ValueError` for a board of more than 100,000 points,
        and as `walk` does.
        """
        from .html import page

        return page(self, path, theme=theme, coordinates=coordinates, title=title)

    def _repr_html_(self) -> str | None:
        """The viewer for notebooks; None without a board."""
        from .html import game_html

        try:
            return game_html(self)
        except ValueError:
            return None

    def check(self) -> tuple[Problem, ...]:
        """Return all problems of the current record in the format it was read from.

        Offsets refer to `dumps(game, format=game.format, validate=False)`. Raises `TypeError` or `ValueError` if it
        cannot be written at all.
        """
        apply_properties(self.document)
        data = write_document(self.document, self.format)
        record = decode(data, self.format, revision=self.revision, limits=self.limits)
        return replay_record(record, limits=self.limits).problems

    def to_obj(self) -> dict[str, Any]:
        """Return the record as new dicts and lists, as `json.loads` or `orjson.loads` would give its wei7 text.

        A `decimal.Decimal` becomes the nearest float. Nothing is validated. Raises `ValueError` for a game that was
        read from another format, which requires `convert` first; `Wei7Error` where a kept member nests too deep for
        `json.loads`, `TypeError` for a value of a wrong type and `ValueError` for a branch that contains itself.
        """
        if self.format != "wei7":
            raise ValueError(f"a game of {self.format} has no wei7 objects: use convert(game, 'wei7') first")
        apply_properties(self.document)
        return document_to_obj(self.document)

    def __eq__(self, other: object) -> bool:
        """Whether both are equivalent; the spelling of numbers and empty lists are ignored."""
        return self.document == other.document if isinstance(other, Game) else NotImplemented

    def __repr__(self) -> str:
        # The record does not change.
        game = self if self._record is None else game_from_document(read_document(self._record), self.format)
        (width, height), info, result = self.size, game.info, game.result
        parts = [f"{width}x{height}"]
        if info.black_name or info.white_name:
            parts.append(f"{(info.black_name or '?')[:40]} - {(info.white_name or '?')[:40]}")
        if result is not None:
            parts.append(str(result))
        branch, moves = game.document.tree, 0
        while True:
            moves += sum(map(moves_of_step, branch.steps))
            if not branch.branches:
                break
            branch = branch.branches[0]
        for number, what in ((moves, "move"), (len(self.problems), "problem")):
            if number or what == "move":
                parts.append(f"{number} {what}{'s' * (number != 1)}")
        return f"<Game {', '.join(parts)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        kept = (self._document, self._record, self.problems, self.format, self.revision, self.limits)
        return _restore, (*kept, self._revision_read)


def game_from_record(
    record: Record, *, problems: tuple[Problem, ...], revision: int = 7, limits: Limits = DEFAULT_LIMITS
) -> Game:
    """Return the game of a decoded record; `problems` are all its problems."""
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
    revision_read: int | None = None,
) -> Game:
    game = Game.__new__(Game)
    game._document, game._record = document, record
    game._log = EditLog()
    game.problems, game.format, game.revision, game.limits = problems, format, revision, limits
    game._revision_read = revision if revision_read is None else revision_read
    return game
