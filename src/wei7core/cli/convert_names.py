"""The names of the files of converted records, one a record."""

from __future__ import annotations

import os
from typing import Final, NamedTuple

from ..checking.safe_names import safe_parts
from ..sources.archives import MEMBER_SEPARATOR
from ..sources.codecs import bare_name
from ..sources.sources import STDIN

_MOST_NAME: Final = 60
_MOST_BYTES: Final = 200
"""The maximum length of one part of a path without its suffix; many systems allow 255 in all."""


class Origin(NamedTuple):
    """The origin of a record: its source, its number and name there, and whether the source may have others."""

    source: str
    record: int
    id: str | None
    one_of_many: bool


class FileNames:
    """Assigns each record of `source` the name of its file below the target folder.

    Folders and archives are mirrored: files keep their names, with another suffix, in folders of the same names; an
    archive becomes a folder, and so does a file of many records. The record of a file without others has the name of
    that file; records of any other source are numbered and named after their id. Names are unique, even on
    case-insensitive file systems.

    Thread safety: one thread at a time.
    """

    def __init__(self, source: str, suffix: str) -> None:
        self._suffix = suffix
        self._root = os.path.join(source, "") if os.path.isdir(source) else None
        self._archive = source + MEMBER_SEPARATOR
        self._folders: dict[tuple[str, ...], str] = {(): ""}  # parts of a path in the source -> its folder
        self._given: set[str] = set()
        self._count = 0

    def name(self, origin: Origin) -> str:
        """Return the path of the file for a record, with the separators of the system."""
        self._count += 1
        parts = self._parts(origin.source)
        if not parts and not origin.one_of_many and origin.source != STDIN:
            parts = (os.path.basename(origin.source),)
        if not parts:
            return self._numbered(self._count, origin.id)
        if origin.one_of_many:
            return os.path.join(self._folder(parts), self._numbered(origin.record + 1, origin.id))
        *folders, name = parts
        return self._free(self._folder(tuple(folders)), (_stem(name), _cut(name)), self._suffix)

    def _parts(self, source: str) -> tuple[str, ...]:
        """The path of a source below the mirrored root; empty if there is none."""
        if self._root is not None and source.startswith(self._root):
            path, *inside = source[len(self._root) :].split(MEMBER_SEPARATOR)
            parts = path.lstrip(os.sep).split(os.sep)
        elif source.startswith(self._archive):
            parts, inside = [], [source[len(self._archive) :]]
        else:
            return ()
        return (*parts, *safe_parts(MEMBER_SEPARATOR.join(inside))) if inside else tuple(parts)

    def _folder(self, parts: tuple[str, ...]) -> str:
        """The folder for the records of a folder, an archive or a file of many records."""
        known = len(parts)
        while parts[:known] not in self._folders:
            known -= 1
        folder = self._folders[parts[:known]]
        for end in range(known + 1, len(parts) + 1):
            name = parts[end - 1]
            is_plain = self._root is not None and os.path.isdir(os.path.join(self._root, *parts[:end]))
            folder = self._free(folder, (_cut(name) if is_plain else _stem(name), _cut(name)), "")
            self._folders[parts[:end]] = folder
        return folder

    def _numbered(self, number: int, name: str | None) -> str:
        """The number, then the harmless part of the name."""
        harmless = "".join(c if c.isalnum() or c in "-_" else "_" for c in (name or ""))[:_MOST_NAME].strip("_-")
        return f"{number:06d}" + (f"-{harmless}" if harmless else "") + self._suffix

    def _free(self, folder: str, names: tuple[str, ...], suffix: str) -> str:
        """The path of the first unused name; the last one gets a number if all are used."""
        number = 1
        path = os.path.join(folder, names[0] + suffix)
        while path.casefold() in self._given:
            names = names[1:] or names
            path = os.path.join(folder, names[0] + (f"-{number}" if number > 1 else "") + suffix)
            number += 1
        self._given.add(path.casefold())
        return path


def _stem(name: str) -> str:
    """The name of a file without its suffix and that of its compression."""
    return _cut(os.path.splitext(bare_name(name))[0] or name)


def _cut(name: str) -> str:
    return os.fsencode(name)[:_MOST_BYTES].decode("utf-8", "ignore") if len(os.fsencode(name)) > _MOST_BYTES else name
