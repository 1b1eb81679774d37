"""`Game`: a record to read, walk, edit and write, and the doors to bytes, files and plain objects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from .document import Branch, Document, Info, Result
from .errors import ERROR, BoardSizeError, Problem, record_error, whole_problem
from .files import SUFFIX, chunks, suffix_code, write_whole
from .formats.json_text import encode
from .formats.registry import decode, document_from_record, recognise
from .formats.wei7_write import document_to_json, document_to_obj
from .limits import DEFAULT_LIMITS, Limits
from .record import Record
from .replaying import replay_record
from .walk import Node, parse_path, walk_branches, walk_line

__all__ = ["Game", "dump", "dumps", "from_obj", "load", "loads"]


class Game:
    """A game record: its board size, what is known about it, and its tree of branches.

    `Game(19)` or `Game((9, 13))` is a new empty record; `loads`, `load` and
    `from_obj` read one. The tree is plain data (`wei7core.document`) to change
    in place; nothing is checked before `dumps` or `check`. Attributes:
    `problems`, what was found when the record was read, by offset (only
    warnings after strict reading, nothing for a new game); `revision` of the
    specification (7 or 2) and `limits`, by which it is read, walked and
    written.

    Raises `BoardSizeError` where the size is not positive.

    Thread safety: one thread at a time.
    """

    __slots__ = ("_document", "_record", "limits", "problems", "revision")

    def __init__(self, size: int | tuple[int, int] = 19, *, revision: int = 7, limits: Limits = DEFAULT_LIMITS) -> None:
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
            self._document = document_from_record(self._record)
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

    def check(self) -> tuple[Problem, ...]:
        """Return all problems of the record as it is now; offsets count in `dumps(game, validate=False)`.

        Raises `TypeError` or `ValueError` where it cannot be written at all.
        """
        data = document_to_json(self.document)
        return loads(data, strict=False, revision=self.revision, limits=self.limits).problems

    def to_obj(self) -> dict[str, Any]:
        """Return the record as new dicts and lists, as `json.loads` or `orjson.loads` would give it.

        A `decimal.Decimal` becomes the nearest float. Nothing is validated.
        Raises `Wei7Error` where a kept member nests too deep for `json.loads`,
        `TypeError` for a value of a wrong type and `ValueError` for a branch
        that lies inside itself.
        """
        return document_to_obj(self.document)

    def __eq__(self, other: object) -> bool:
        """Whether both say the same; neither spelling of numbers nor empty lists count."""
        return self.document == other.document if isinstance(other, Game) else NotImplemented

    def __repr__(self) -> str:
        width, height = self.size
        return f"<Game {width}x{height}, {len(self.problems)} problems>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._document, self._record, self.problems, self.revision, self.limits)


def _restore(
    document: Document | None,
    record: Record | None,
    problems: tuple[Problem, ...],
    revision: int,
    limits: Limits,
) -> Game:
    game = Game.__new__(Game)
    game._document, game._record = document, record
    game.problems, game.revision, game.limits = problems, revision, limits
    return game


def loads(
    data: bytes | bytearray | memoryview | str,
    *,
    strict: bool = True,
    revision: int = 7,
    encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Game:
    """Read one record: wei7 3.0 from JSON text, or the first game of SGF; which it is, its content tells.

    Every requirement of the given `revision` of the wei7 specification is checked,
    also those that need a board. Strict reading raises the first error; lenient
    reading (`strict=False`) reads as far as possible and lists every problem in
    `Game.problems`. Unknown members are then kept and written back. `encoding` is
    that of SGF texts in bytes which do not say theirs, or say it wrong.

    Raises `RecordError` (a `ValueError`): `RecordSyntaxError` where the text is
    no JSON in UTF-8, `LimitError` where it passes a limit; `LookupError` for an
    encoding that Python does not know; `TypeError` for data of another type. Any
    thread may call this.
    """
    text = _text(data)
    return _read(text, recognise(text), None, strict, revision, encoding, limits)


def load(
    path: str | os.PathLike[str],
    *,
    strict: bool = True,
    revision: int = 7,
    encoding: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Game:
    """Read one record from a file, as `loads` does; errors name the file.

    For wei7 a suffix other than `.wei7` is an error, one in other letter case a
    warning (clause 3.1). Raises what `loads` raises, and `OSError` where the file
    cannot be read. Any thread may call this.
    """
    name = os.fspath(path)
    with open(name, "rb") as file:
        data = b"".join(chunks(file, limits.max_bytes + 1))
    format = recognise(data, name)
    code = None if format == "sgf" else suffix_code(name)
    of_file = () if code is None else (whole_problem(code),)
    return _read(data, format, name, strict, revision, encoding, limits, of_file)


def from_obj(obj: Any, *, strict: bool = True, revision: int = 7, limits: Limits = DEFAULT_LIMITS) -> Game:
    """Read one wei7 3.0 record from plain objects, as `json.loads` or `orjson.loads` give them.

    Validates as `loads` does. Offset, line and column of a problem count in
    the compact JSON text of `obj`; its path needs no text. Any nesting depth
    will do. Raises what `loads` raises, and `TypeError` for what JSON cannot
    hold. Any thread may call this.
    """
    return _read(encode(obj), "wei7", None, strict, revision, None, limits)


def dumps(game: Game, *, validate: bool | None = None) -> bytes:
    """Return the record as compact JSON in UTF-8: no byte order mark, no escape that JSON does not need.

    With `validate` the text is read back strictly first, by the revision and
    limits of the game. By default that happens unless the record was read
    leniently with errors, which are then written back as they are, or was not
    touched since it was read.

    Raises `RecordError` where validation fails, with offsets into
    `dumps(game, validate=False)`; `TypeError` for a value of a wrong type,
    `ValueError` for a branch that lies inside itself. No other thread may
    change the game meanwhile.
    """
    if validate is None:
        validate = game.record is None and not any(problem.severity == ERROR for problem in game.problems)
    document = game.document if game.record is None else document_from_record(game.record)
    data = document_to_json(document)
    if validate:
        loads(data, revision=game.revision, limits=game.limits)
    return data


def dump(game: Game, path: str | os.PathLike[str], *, validate: bool | None = None) -> None:
    """Write the record to a `.wei7` file, which appears whole or not at all.

    Raises what `dumps` raises, `RecordError` with code `file-suffix` for
    another suffix (clause 3.1), and `OSError` where the file cannot be written.
    No other thread may change the game meanwhile.
    """
    name = os.fspath(path)
    if not name.endswith(SUFFIX):
        message = f"a wei7 record is saved under a name that ends in {SUFFIX}"
        raise record_error(whole_problem("file-suffix", message), name)
    data = dumps(game, validate=validate)
    with write_whole(name) as file:
        file.write(data.decode())


def _text(data: bytes | bytearray | memoryview | str) -> bytes:
    if isinstance(data, str):
        # Half a surrogate pair becomes bytes that the decoder refuses with their place.
        return data.encode("utf-8", "surrogatepass")
    if isinstance(data, (bytes, bytearray, memoryview)):
        return bytes(data)
    raise TypeError(f"a record is read from bytes, bytearray, memoryview or str, not {type(data).__name__}")


def _read(
    data: bytes,
    format: str | None,
    source: str | None,
    strict: bool,
    revision: int,
    encoding: str | None,
    limits: Limits,
    of_file: tuple[Problem, ...] = (),
) -> Game:
    readable = "sgf" if format == "sgf" else "wei7"  # whose decoder tells what is wrong with anything else
    record = decode(data, readable, revision=revision, encoding=encoding, limits=limits)
    problems = (*of_file, *replay_record(record, limits=limits).problems)
    if strict:
        for problem in problems:
            if problem.severity == ERROR:
                raise record_error(problem, source)
    return _restore(None, record, problems, revision, limits)
