"""The files of a folder and its subfolders, in order, found without a system call for each file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from .files import is_special


class FolderFile(NamedTuple):
    """A file: its `name`, its `path` relative to the start of the search, and whether it is a pipe or the like."""

    name: str
    path: str
    is_special: bool


def files_of(folder: str) -> Iterator[FolderFile | OSError]:
    """Yield the files below `folder`: those of each folder in sorted order, then those of its folders, sorted.

    Links to folders are not followed. An unreadable folder is yielded as its error, after the files of the next
    readable one.
    """
    unreadable: list[OSError] = []
    waiting = [folder]
    while waiting:
        parent = waiting.pop()
        try:
            names, others, folders = _entries(parent)
        except OSError as error:
            unreadable.append(error)
            continue
        start = os.path.join(parent, "")
        for name in names:
            path = start + name
            yield FolderFile(name, path, name in others and is_special(path))
        yield from unreadable
        unreadable.clear()
        waiting += [os.path.join(parent, name) for name in sorted(folders, reverse=True)]
    yield from unreadable


def _entries(folder: str) -> tuple[list[str], set[str], list[str]]:
    """The sorted names in a folder: of files, of the files that may not be regular, and of folders."""
    names: list[str] = []
    others: set[str] = set()
    folders: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False):
                names.append(entry.name)
            elif not _is_folder(entry):
                names.append(entry.name)
                others.add(entry.name)
            elif not _is_link(entry):
                folders.append(entry.name)
    names.sort()
    return names, others, folders


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_link(entry: os.DirEntry[str]) -> bool:
    is_junction = getattr(entry, "is_junction", None)  # Python 3.12, Windows
    return entry.is_symlink() or (is_junction is not None and is_junction())
