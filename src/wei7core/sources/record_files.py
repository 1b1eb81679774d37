"""The files of folders and archives that are read as records: by their names, or by how they start."""

from __future__ import annotations

import os
import re
import stat
from typing import Final

from .._util.scan_dir import FolderFile
from ..formats.registry import FORMATS
from .archives import is_archive_name
from .codecs import bare_name

OF_MACOS: Final = "._"
"""The start of the names of files that hold attributes of another file, whose name follows."""

OPEN_FLAGS: Final = (
    os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOINHERIT", 0)
)
"""How files are opened for reading, by `os.open`."""

_SUFFIXES: Final = tuple(suffix for row in FORMATS.values() for suffix in row.suffixes)
_STARTS_A_RECORD: Final = re.compile(
    rb'\s*(?:\(\s*;\s*[A-Z]{1,2}\s*\[|\{\s*"format"\s*:\s*"wei7"|<wei7[\s>]|<\?xml[^>]*>\s*<wei7[\s>])'
)
_HEADER_OF_UGF: Final = re.compile(rb"\s*\[Header\][ \t]*\r?\n(?:[^\n]*\n){0,40}?(?:Hdcp|PlayerB|CoordinateType)=")
_GAME_OF_OGS: Final = re.compile(rb'"(?:gamedata"\s*:\s*\{|moves"\s*:\s*\[\s*\[\s*-?[0-9])')
_LOOKED_AT: Final = 4096


def is_record_file(found: FolderFile | OSError) -> bool:
    """Return whether an entry of a folder is a file of records, by its name."""
    return not isinstance(found, OSError) and is_record_name(found.name) and not found.is_special


def holds_records(found: FolderFile) -> bool:
    """Return whether a file of a folder is read, for its name or its content."""
    return not found.is_special and (is_record_name(found.name) or _starts_a_record(found.path))


def is_record_name(name: str) -> bool:
    """Return whether a file of that name in a folder is read as records."""
    return not name.startswith(OF_MACOS) and (
        name.endswith(_SUFFIXES) or is_record_member(name) or is_archive_name(name)
    )


def is_record_member(name: str) -> bool:
    """Return whether a file of that name in an archive is read."""
    return bare_name(name).lower().endswith(_SUFFIXES) and not name.rpartition("/")[2].startswith(OF_MACOS)


def _starts_a_record(path: str) -> bool:
    """Whether a file, whatever its name, starts like a record, and like no other kind of file.

    NGF and Giseong start like any text, and JSON of OGS needs a width in addition to its moves.
    """
    try:
        descriptor = os.open(path, OPEN_FLAGS)
    except OSError:
        return False  # the file was not named explicitly
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        head = os.read(descriptor, _LOOKED_AT).removeprefix(b"\xef\xbb\xbf")
    except OSError:
        return False
    finally:
        os.close(descriptor)
    if _STARTS_A_RECORD.match(head) is not None or _HEADER_OF_UGF.match(head) is not None:
        return True
    begin = head.lstrip()
    if begin.startswith(b"{"):
        return b'"width"' in head and _GAME_OF_OGS.search(head) is not None
    return begin.startswith((b"\\HS\r", b"\\HS\n"))
