"""Imports go one way: bytes -> record -> replay -> results. No module uses one that is not allowed to it."""

import re
from pathlib import Path

import pytest

import wei7core

SOURCE = Path(__file__).resolve().parent.parent / "src" / "wei7core"
PACKAGE = SOURCE if SOURCE.is_dir() else Path(wei7core.__file__).parent  # a wheel has no .pyx files

# What each part may use besides itself. Parts that are not named together do not know each other: the board knows
# no record and no format, and formats know no board.
ALLOWED = {
    "errors": set(),
    "limits": set(),
    "rules": set(),
    "_version": set(),
    "numpy_later": set(),
    "view": set(),
    "_include": set(),
    "coordinates": {"errors"},
    "draw": {"coordinates"},
    "diagrams": {"draw", "errors"},
    "temporaries": set(),
    "files": {"temporaries"},
    "_processor": set(),
    "processor": {"_processor", "_kernel", "_version"},
    "_kernel": {"_processor"},
    "_record": set(),
    "free_threads": set(),
    "kernel": {"_kernel"},
    "border": {"kernel", "errors", "rules"},
    "children": {"_kernel", "border", "free_threads", "kernel", "errors", "rules"},
    "point_set": {"_kernel", "border", "kernel", "errors", "limits"},
    "blocks": {"_kernel", "border", "kernel", "point_set"},
    "ladder": {"_kernel", "border", "kernel"},
    "life": {"_kernel", "border", "kernel", "point_set"},
    "position": {"_kernel", "border", "draw", "errors", "kernel"},
    "board": {
        "_kernel",
        "blocks",
        "border",
        "children",
        "diagrams",
        "draw",
        "errors",
        "kernel",
        "ladder",
        "life",
        "limits",
        "point_set",
        "position",
        "processor",
        "rules",
    },
    "area": {"_kernel", "board", "border", "kernel"},
    "exact": set(),
    "features": {"_kernel", "board", "border", "kernel", "position"},
    "table_memory": {"_tables"},
    "child_batch": {"_kernel", "board", "border", "errors", "kernel", "processor", "rules", "table_memory"},
    "record": {"_record", "errors", "limits"},
    "document": {"errors", "limits"},
    "game_result": {"document", "exact"},
    "formats": {
        "coordinates",
        "_processor",
        "_record",
        "record",
        "document",
        "errors",
        "exact",
        "game_result",
        "limits",
        "processor",
        "rules",
    },
    "scoring": {"area", "board", "exact", "game_result", "point_set", "rules"},
    "_replay": {"_kernel", "_processor", "_record"},
    "replaying": {"_replay", "_kernel", "_record", "board", "record", "errors", "limits", "processor"},
    "losses": set(),
    "targets": set(),
    "_bulk": {"_kernel", "_processor", "_record", "_replay", "formats"},
    "facts": {"_bulk", "processor"},
    "bulk": {"_bulk", "facts", "free_threads", "limits", "processor"},
    "walk": {"board", "document", "errors", "limits"},
    "game": {
        "board",
        "document",
        "errors",
        "formats",
        "game_result",
        "limits",
        "record",
        "replaying",
        "rules",
        "scoring",
        "walk",
    },
    "conversion": {"board", "coordinates", "document", "errors", "formats", "limits", "losses", "walk", "targets"},
    "packing": set(),
    "columns": {"packing"},
    "arrow_columns": {"columns"},
    "arrow_values": {"arrow_columns"},
    "arrow_batches": {"arrow_columns"},
    "_tables": set(),
    "row_text": {"_tables", "columns"},
    "table_files": {"arrow_columns", "columns", "files", "row_text"},
    "tables": {"arrow_columns", "columns", "table_files"},
    "results": {"columns", "tables"},
    "expansion": {"in_order", "table_memory", "board", "child_batch", "columns", "position", "rules", "tables"},
    "training": {
        "board",
        "columns",
        "decompression",
        "errors",
        "expansion",
        "features",
        "game",
        "game_result",
        "packing",
        "position",
        "rules",
        "tables",
    },
    "decompression": set(),
    "unpacking": {"decompression"},
    "archives": {"decompression", "limits", "unpacking"},
    "ahead": set(),
    "folders": {"files"},
    "text_memory": set(),
    "windows": {"text_memory"},
    "record_blocks": {"errors", "formats", "text_memory"},
    "games": {"errors", "formats", "record_blocks", "windows"},
    "record_lines": {"errors", "formats", "record_blocks", "windows"},
    "file_parts": {"errors", "formats", "games", "record_blocks", "record_lines", "windows"},
    "line_ranges": {"errors", "record_blocks", "record_lines", "windows"},
    "sources": {
        "ahead",
        "archives",
        "decompression",
        "errors",
        "file_parts",
        "files",
        "folders",
        "formats",
        "games",
        "limits",
        "line_ranges",
        "record_blocks",
        "record_lines",
        "text_memory",
        "unpacking",
        "windows",
    },
    "batch_columns": {"bulk", "columns", "packing", "results", "tables"},
    "options": {"formats", "limits"},
    "in_order": {"options"},
    "outcomes": {
        "batch_columns",
        "bulk",
        "errors",
        "formats",
        "in_order",
        "limits",
        "options",
        "record",
        "record_blocks",
        "replaying",
        "results",
        "tables",
    },
    "batch": {
        "ahead",
        "batch_columns",
        "bulk",
        "formats",
        "in_order",
        "limits",
        "line_ranges",
        "options",
        "outcomes",
        "record_blocks",
        "results",
        "sources",
    },
    "game_keys": {"bulk", "columns", "facts", "options", "outcomes", "record_blocks", "replaying", "tables"},
    "arrow_records": {"archives", "arrow_values", "errors", "formats", "limits", "record_blocks", "sources"},
    "arrow": {
        "arrow_batches",
        "arrow_columns",
        "arrow_records",
        "arrow_values",
        "batch",
        "batch_columns",
        "checking",
        "columns",
        "expansion",
        "game_keys",
        "options",
        "packing",
        "record_blocks",
        "results",
        "rules",
    },
    "resuming": {"files", "folders", "sources", "temporaries", "_version"},
    "kept_results": {"batch", "columns", "options", "results", "resuming", "sources", "tables"},
    "reading": {"errors", "formats", "game", "limits", "replaying", "sources"},
    "writing": {"conversion", "document", "errors", "files", "formats", "game", "losses", "reading", "targets"},
    "console": {"errors", "outcomes", "results"},
    "arguments": {
        "_version",
        "checking",
        "files",
        "formats",
        "options",
        "resuming",
        "rules",
        "sources",
        "table_files",
        "targets",
    },
    "replay_command": {
        "arguments",
        "batch",
        "console",
        "engines",
        "files",
        "kept_results",
        "line_ranges",
        "outcomes",
        "results",
        "sources",
        "table_files",
    },
    "check_command": {
        "checking",
        "columns",
        "console",
        "files",
        "game",
        "options",
        "outcomes",
        "record_blocks",
        "resuming",
        "rules",
        "sources",
        "table_files",
    },
    "convert_names": {"archives", "decompression"},
    "convert_command": {
        "columns",
        "console",
        "conversion",
        "convert_names",
        "errors",
        "files",
        "formats",
        "losses",
        "options",
        "outcomes",
        "resuming",
        "sources",
        "table_files",
        "targets",
        "temporaries",
    },
    "expand_command": {"columns", "console", "coordinates", "expansion", "rules", "show", "tables"},
    "show": {"console", "coordinates", "document", "draw", "game", "walk"},
    "checking": {
        "area",
        "batch",
        "board",
        "bulk",
        "columns",
        "coordinates",
        "decompression",
        "document",
        "draw",
        "errors",
        "exact",
        "facts",
        "files",
        "formats",
        "game",
        "game_keys",
        "game_result",
        "in_order",
        "limits",
        "options",
        "outcomes",
        "processor",
        "record",
        "record_blocks",
        "replaying",
        "resuming",
        "rules",
        "scoring",
        "sources",
        "table_files",
        "tables",
        "temporaries",
        "walk",
    },
    "engines": {
        "arrow",
        "arrow_batches",
        "arrow_columns",
        "batch",
        "console",
        "file_parts",
        "folders",
        "limits",
        "options",
        "results",
        "rules",
        "sources",
    },
}
DOORS = {"__init__", "__main__", "cli"}  # these may use everything
ANYWHERE = {"numpy_later", "view"}  # NumPy, and the memory of any object, are for every part

FROM_PACKAGE = re.compile(r"^\s*from\s+(?:wei7core|\.|\.\.)\s+c?import\s+(?P<names>[\w, ]+)", re.MULTILINE)
RELATIVE = re.compile(r"^\s*from\s+(?P<dots>\.+)(?P<part>\w*)", re.MULTILINE)
ABSOLUTE = re.compile(r"^\s*(?:from|import|cimport)\s+wei7core\.(?P<part>\w+)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*(?:#include|cdef extern from)\s+"(?P<path>[\w./]+)"', re.MULTILINE)


def part_of(path: Path) -> str:
    relative = path.relative_to(PACKAGE)
    return relative.parts[0] if len(relative.parts) > 1 else relative.name.split(".")[0]


def used_by(path: Path) -> set[str]:
    """The parts of the package that a file imports, cimports or includes."""
    text = path.read_text(encoding="utf-8")
    used = {match["part"] for match in ABSOLUTE.finditer(text)}
    inside = len(path.relative_to(PACKAGE).parts) > 1
    for match in RELATIVE.finditer(text):
        if len(match["dots"]) == (2 if inside else 1) and match["part"]:
            used.add(match["part"])
    for match in FROM_PACKAGE.finditer(text):
        used |= {name.strip() for name in match["names"].split(",")} & set(ALLOWED)
    for match in INCLUDE.finditer(text):
        target = (path.parent if match["path"].startswith("..") else PACKAGE) / match["path"]
        used.add(part_of(target.resolve()) if target.resolve().exists() else part_of(path))
    return used - {part_of(path)} - ANYWHERE


FILES = sorted(path for suffix in ("py", "pyi", "pyx", "pxd", "h") for path in PACKAGE.rglob(f"*.{suffix}"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_arrow_runs_backwards(path: Path) -> None:
    part = part_of(path)
    if part not in DOORS:
        assert part in ALLOWED, f"{part} has no place among the layers"
        assert used_by(path) <= ALLOWED[part]


def test_layers_have_no_cycle() -> None:
    left = {part: set(allowed) for part, allowed in ALLOWED.items()}
    while left:
        free = [part for part, allowed in left.items() if not allowed & set(left)]
        assert free, f"these use each other: {sorted(left)}"
        for part in free:
            del left[part]


@pytest.mark.skipif(not SOURCE.is_dir(), reason="the sources are not here")
def test_the_reader_of_imports_sees_them() -> None:
    assert used_by(PACKAGE / "replaying.pyx") >= {"board", "record", "_replay", "errors"}
    assert used_by(PACKAGE / "game.py") >= {"formats", "replaying", "walk"}
    assert used_by(PACKAGE / "_replay" / "walk.h") == {"_kernel", "_record"}
    assert used_by(PACKAGE / "formats" / "wei7.py") >= {"record", "errors"}
