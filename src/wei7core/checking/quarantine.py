"""Quarantine: records with findings, each copied or moved into a file of its own in a separate folder."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from types import TracebackType
from typing import Final, NamedTuple

from .._util.files import is_special, lies_in, temporary_folder
from ..batch.run import repeatable
from ..limits import DEFAULT_LIMITS, Limits
from ..sources.chunks import IN_MEMORY_SOURCE
from ..sources.sources import STDIN, Input
from ..tables.writers import TableWriter
from .finding import Finding
from .finding_table import FINDING_COLUMNS, finding_columns
from .reopen import Again, reread_records
from .safe_names import file_name, folder_parts, numbered

_LIST: Final = "findings.csv"
_MOST_WAITING: Final = 1024
_MOST_JOINED: Final = 120


class QuarantineError(ValueError):
    """The quarantine cannot be made as requested."""


class PutAside(NamedTuple):
    """The counts of a quarantine: `records` in all, `moved` ones among them, whose original files are gone; `lost` are
    records without bytes or not found again.
    """

    records: int
    moved: int
    lost: int


def quarantine(
    findings: Iterable[Finding],
    inputs: Input | Iterable[Input],
    folder: str | os.PathLike[str],
    *,
    move: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> PutAside:
    """Put the records of `findings` into `folder`, together with the findings as `findings.csv`.

    `findings` are those of a check of `inputs`, or a part of them; `inputs` is read again after the last finding, so it
    must be files and folders (or bytes). A file with a single record is copied, or with `move` moved; for a link the
    content is copied, and the link removed. Records of collections, archives and JSONL files are written with their own
    bytes, and are always copied. Names are those of the sources, with folders and archives as folders, made harmless;
    records of one file are numbered. No existing file is overwritten: the new one gets another name.

    The files appear, each whole, when all are written; after a failure none remain and nothing is moved. Leftovers of a
    killed run are removed by the next one to `folder`. Without records nothing is created. Raises `QuarantineError` if
    `folder` is no folder or is inside one of `inputs`, and `OSError`. Thread safety: one thread at a time, and no other
    process may use the folder during the call.
    """
    with Quarantine(folder, inputs, move=move, limits=limits) as place:
        for finding in findings:
            place.add(finding)
        return place.fill()


class Quarantine:
    """A quarantine that receives findings one by one, while the caller also uses them otherwise.

    A context manager: without `fill` nothing remains of it. Arguments, exceptions and thread safety are those of
    `quarantine`.
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        inputs: Input | Iterable[Input],
        *,
        move: bool = False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._shown = os.fspath(folder)
        self._folder = os.path.realpath(folder)
        self._inputs = repeatable(inputs)
        self._move = move
        self._limits = limits
        self._wanted: dict[str, set[int]] = {}
        self._waiting: list[Finding] = []
        self._refuse()
        self._staging = _Staging(self._folder, self._shown)

    def _refuse(self) -> None:
        if os.path.lexists(self._folder) and not os.path.isdir(self._folder):
            raise QuarantineError(f"{self._shown}: not a folder")
        for item in self._inputs if isinstance(self._inputs, list) else [self._inputs]:
            if not isinstance(item, (str, os.PathLike)):
                continue
            path = os.fspath(item)
            if path == STDIN or is_special(path):
                name = "standard input" if path == STDIN else path
                raise QuarantineError(f"{name}: this input can be read only once, but --quarantine reads records again")
            if os.path.realpath(path) == self._folder or lies_in(path, self._folder):
                raise QuarantineError(f"{self._shown}: this folder is inside an input folder; use one outside it")

    def __enter__(self) -> Quarantine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._staging.remove()

    def add(self, finding: Finding) -> None:
        """Note a finding and its record."""
        if finding.record >= 0:  # else the finding is about the whole set
            self._wanted.setdefault(finding.source, set()).add(finding.record)
        self._waiting.append(finding)
        if len(self._waiting) >= _MOST_WAITING:
            self._list()

    @contextmanager
    def _named(self) -> Iterator[None]:
        """Names the folder in errors of a file of it; a full disk names none."""
        try:
            yield
        except OSError as error:
            if error.filename is None or str(error.filename).startswith(self._staging.root):
                error.filename = self._shown
            raise

    def _list(self) -> None:
        with self._named():
            self._staging.findings.write_columns(finding_columns(self._waiting, FINDING_COLUMNS))
        self._waiting.clear()

    def fill(self) -> PutAside:
        """Read the records again and write their files; returns the counts. Call it once."""
        if not self._wanted:
            return PutAside(0, 0, 0)
        self._list()
        found: set[tuple[str, int]] = set()
        taken: dict[str, None] = {}
        for again in reread_records(self._inputs, self._wanted, limits=self._limits):
            text = again.text
            path = _whole_file(again)
            if path in taken:  # an input named twice
                continue
            if path is None and text.data is None:
                continue
            with self._named():
                if path is None:
                    self._staging.write(again)
                else:
                    self._staging.copy(path, again)
                    taken[path] = None
            found.add((text.source, text.record))
        with self._named():
            self._staging.appear()
        moved = 0
        if self._move:  # last: until here no record was moved
            for path in taken:
                with suppress(FileNotFoundError):  # one file under two names
                    os.unlink(path)
                    moved += 1
        return PutAside(len(found), moved, sum(map(len, self._wanted.values())) - len(found))


def _whole_file(again: Again) -> str | None:
    """The path of the file that contains only this record, if there is one."""
    source = again.text.source
    return source if again.is_alone and source not in (IN_MEMORY_SOURCE, STDIN) and os.path.isfile(source) else None


class _Staging:
    """The incomplete files, in a hidden folder on the same file system as their target."""

    def __init__(self, folder: str, shown: str) -> None:
        self._target = folder
        self._is_new = not os.path.isdir(folder)
        parent = os.path.dirname(folder) if self._is_new else folder
        with ExitStack() as stack:
            self.root = stack.enter_context(temporary_folder(folder, parent, shown))
            path = os.path.join(self.root, _LIST)
            self._file = stack.enter_context(open(path, "x", encoding="utf-8", errors="backslashreplace", newline=""))
            self.findings = TableWriter(self._file, FINDING_COLUMNS, "csv")
            self._names = _Names(self.root)
            self._stack = stack.pop_all()  # closed by `remove`

    def copy(self, path: str, again: Again) -> None:
        """Add a copy of a file, with its times."""
        name = self._names.free(folder_parts(path), file_name(again.text, is_whole=True))
        with open(path, "rb") as source, open(name, "xb") as target:
            shutil.copyfileobj(source, target, 1 << 20)
            status = os.fstat(source.fileno())
        os.utime(name, ns=(status.st_atime_ns, status.st_mtime_ns))

    def write(self, again: Again) -> None:
        """Add a record as a file of its bytes."""
        text = again.text
        assert text.data is not None
        name = self._names.free(folder_parts(text.source), file_name(text, is_whole=False))
        with open(name, "xb") as file:
            file.write(text.data)

    def appear(self) -> None:
        """Move all files to their targets, or none."""
        self.findings.close()
        self._file.close()
        if self._is_new and not os.path.lexists(self._target):
            os.rename(self.root, self._target)
            return
        names = _Names(self._target)
        placed: list[str] = []
        try:
            for path, parts in _files_below(self.root):
                placed.append(_placed(path, names, parts))
        except BaseException:
            for name in placed:
                with suppress(OSError):
                    os.unlink(name)
            names.forget()
            raise

    def remove(self) -> None:
        """Remove the incomplete files."""
        with suppress(OSError):  # a full disk, again
            self._file.close()
        shutil.rmtree(self.root, ignore_errors=True)
        self._stack.close()


def _placed(path: str, names: _Names, parts: list[str]) -> str:
    """The name given to a file."""
    while True:
        name = names.free(parts[:-1], parts[-1])
        with suppress(FileExistsError):
            _rename_to_new(path, name)
            return name


def _rename_to_new(path: str, name: str) -> None:
    """Rename a file; raises `FileExistsError` if the name exists."""
    try:
        os.link(path, name)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(name):
            raise FileExistsError(name) from None
        os.rename(path, name)
    else:
        os.unlink(path)


def _files_below(root: str) -> Iterator[tuple[str, list[str]]]:
    for folder, _, names in os.walk(root):
        inner = os.path.relpath(folder, root)
        parts = [] if inner == os.curdir else inner.split(os.sep)
        for name in sorted(names):
            yield os.path.join(folder, name), [*parts, name]


class _Names:
    """Names of new files below a folder."""

    def __init__(self, root: str) -> None:
        self._root = root
        self._last: dict[str, int] = {}  # how many files got the same name
        self._made: list[str] = []

    def free(self, folders: list[str], name: str) -> str:
        """Return an unused path; its folders are created.

        If one of the folders exists as something else, such as a link, which might point anywhere, the names of the
        folders become a part of the file name.
        """
        parent = self._root
        for folder in folders:
            parent = os.path.join(parent, folder)
            with suppress(FileExistsError):
                os.mkdir(parent)
                self._made.append(parent)
            if os.path.islink(parent) or not os.path.isdir(parent):
                parent, name = self._root, "_".join([*folders, name])[-_MOST_JOINED:].lstrip(".-")
                break
        wanted = os.path.join(parent, name)
        number = self._last.get(wanted, 0) + 1
        while os.path.lexists(path := os.path.join(parent, numbered(name, number))):
            number += 1
        self._last[wanted] = number
        return path

    def forget(self) -> None:
        """Remove the created folders that are empty."""
        for folder in reversed(self._made):
            with suppress(OSError):
                os.rmdir(folder)
