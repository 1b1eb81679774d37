"""Safe file names, made from the sources of records: names in archives are untrusted."""

from __future__ import annotations

import os
import re
from typing import Final

from ..formats.registry import FORMATS
from ..sources.chunks import RawRecord
from ..sources.codecs import bare_name

_SEPARATORS: Final = re.compile(r"[/\\]")
_RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)  # devices of Windows
_FORBIDDEN: Final = frozenset('<>:"|?*')
_MOST_BYTES: Final = 120
_MOST_SUFFIX: Final = 16
_MOST_FOLDERS: Final = 12


def folder_parts(source: str) -> list[str]:
    """Return the folders that contain a source, archives among them, as harmless names; none for a plain name.

    `..`, the root of the file system and drives are folders like others, so that no name leaves the target folder. Of a
    long path the last folders are used.
    """
    *folders, _ = safe_parts(source)
    return folders[-_MOST_FOLDERS:]


def file_name(text: RawRecord, *, is_whole: bool) -> str:
    """Return a harmless name for the file of a record: its own if the file `is_whole`, else with its number."""
    name = safe_parts(text.source)[-1]
    if is_whole:
        return name
    suffixes = FORMATS[text.format].suffixes
    bare = bare_name(name)
    stem = os.path.splitext(bare)[0] or bare
    if not text.one_of_many and bare.lower().endswith(suffixes):
        return bare
    number = f"-{text.record:06d}" if text.one_of_many else ""
    return _cut(f"{stem}{number}{suffixes[0]}")


def numbered(name: str, number: int) -> str:
    """Return the name to use if `number - 1` others exist: `a.sgf`, then `a-2.sgf`, `a-3.sgf`."""
    if number == 1:
        return name
    stem, suffix = os.path.splitext(name)
    return f"{stem}-{number}{suffix}"


def safe_parts(source: str) -> list[str]:
    """Return the parts of a path as harmless names, at least one, none of which leaves the folder that it is put in."""
    found = [_harmless(part) for part in _SEPARATORS.split(source) if part not in ("", ".")]
    return found or ["_"]


def _harmless(part: str) -> str:
    """A name that every file system accepts as a plain name."""
    name = "".join(c if c.isprintable() and c not in _FORBIDDEN else "_" for c in part)
    if part == "<bytes>":
        name = "bytes"
    name = name.rstrip(". ") or "_"
    if name.startswith((".", "-", "~")):
        name = "_" + name
    if _RESERVED.fullmatch(name):
        name = "_" + name
    return _cut(name)


def _cut(name: str) -> str:
    """A name of limited length: its start and its suffix."""
    if len(name.encode("utf-8", "replace")) <= _MOST_BYTES:
        return name
    stem, suffix = os.path.splitext(name)
    if len(suffix.encode("utf-8", "replace")) > _MOST_SUFFIX:
        stem, suffix = name, ""
    room = _MOST_BYTES - len(suffix.encode("utf-8", "replace"))
    return stem.encode("utf-8", "replace")[:room].decode("utf-8", "ignore") + suffix
