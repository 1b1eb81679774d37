"""Imports run one way between the rooms of the package, and no header includes itself on any path."""

import ast
import re
from pathlib import Path, PurePosixPath

import pytest
from helpers.cases import in_groups

import wei7core

SOURCE = Path(__file__).resolve().parent.parent / "src" / "wei7core"
PACKAGE = SOURCE if SOURCE.is_dir() else Path(wei7core.__file__).parent  # a wheel has no .pyx files

# What each room may import in addition to `_util`, the leaf modules and what its imports may import.
LEAVES = {"errors": set(), "limits": set(), "rules": set(), "coordinates": {"errors"}, "_version": set()}
ROOMS = {
    "board": set(),
    "record": set(),
    "formats": {"record"},
    "replaying": {"board", "record"},
    "sources": {"formats"},
    "tables": set(),
    "game": {"replaying", "sources"},
    "play": {"game", "tables"},
    "batch": {"replaying", "sources", "tables"},
    "checking": {"batch", "game"},
    "training": {"batch", "game"},
    "arrow": {"checking", "batch"},
    "engines": {"arrow"},
    "cli": {"engines", "training", "play"},
}
ANYWHERE = {"_util", *LEAVES}
ENTRY_POINTS = {"__init__", "__main__"}

IMPORT = re.compile(r"^\s*from\s+(?P<dots>\.*)(?P<module>[\w.]*)\s+c?import\s+(?P<names>\([^)]*\)|.*)", re.MULTILINE)
WHOLE = re.compile(r"^\s*c?import\s+wei7core\.(?P<module>\w+)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*(?:#\s*include|cdef extern from)\s+"(?P<path>[\w./]+\.h)"', re.MULTILINE)

FILES = sorted(path for suffix in ("py", "pyi", "pyx", "pxi", "pxd", "h") for path in PACKAGE.rglob(f"*.{suffix}"))


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].split(".")[0]


def imported_by(path: Path) -> set[str]:
    """The rooms and leaf modules that a file imports, cimports or includes, its own room left out."""
    text = path.read_text(encoding="utf-8")
    package = PurePosixPath("wei7core", *path.relative_to(PACKAGE).parts[:-1]).parts
    found = {match["module"] for match in WHOLE.finditer(text)}
    for match in IMPORT.finditer(text):
        dots = len(match["dots"])
        base = package[: len(package) - dots + 1] if dots else ()
        parts = (*base, *filter(None, match["module"].split(".")))
        if parts[:1] != ("wei7core",):
            continue
        names = (name.split(" as ")[0].strip() for name in match["names"].strip("()").split(","))
        found |= {parts[1]} if len(parts) > 1 else {name for name in names if name in {*ROOMS, *ANYWHERE}}
    found |= {match["path"].split("/")[0] for match in INCLUDE.finditer(text) if match["path"] != "Python.h"}
    return found - {room_of(path)}


def reachable(room: str, found: set[str] | None = None) -> set[str]:
    found = set() if found is None else found
    for other in ROOMS[room]:
        if other not in found:
            found.add(other)
            reachable(other, found)
    return found


def allowed(room: str) -> set[str]:
    if room == "_util":
        return {"_version"}
    return LEAVES[room] if room in LEAVES else reachable(room) | ANYWHERE


def cycle_in(graph: dict[str, set[str]]) -> list[str]:
    """Return the nodes that are on a cycle or after one; none where there is no cycle."""
    remaining = dict(graph)
    while free := [node for node, targets in remaining.items() if not targets & set(remaining)]:
        for node in free:
            del remaining[node]
    return sorted(remaining)


@in_groups("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_run_one_way(path: Path) -> None:
    room = room_of(path)
    if room not in ENTRY_POINTS:
        assert room in {*ROOMS, *ANYWHERE}, f"the room {room} has no rule"
        assert imported_by(path) <= allowed(room)


# Documented names of `NamedTuple`, and what other packages offer under no other name.
TUPLES = {"_asdict", "_fields", "_make", "_replace"}
OF_OTHERS = {("argparse", "_MutuallyExclusiveGroup"), ("atexit", "_run_exitfuncs"), ("frame", "_meta"), ("os", "_exit")}
INHERITED = {("Reader", "_moves")}


@in_groups("path", FILES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_private_attributes_are_used_where_they_are_made(path: Path) -> None:
    """An attribute of anything but `self` that begins with an underscore is made in the same file."""
    if path.suffix != ".py":
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    made = {node.attr for node in names if isinstance(node.ctx, ast.Store)} | TUPLES
    made |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    made |= {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    used = [
        (ast.unparse(node.value), node.attr)
        for node in names
        if re.match("_[a-z]", node.attr, re.IGNORECASE) and ast.unparse(node.value) not in ("self", "cls")
    ]
    assert {one for one in used if one[1] not in made} <= OF_OTHERS | INHERITED


def test_rooms_have_no_cycle() -> None:
    assert cycle_in(ROOMS) == []
    assert cycle_in({"a": {"b"}, "b": {"a"}, "c": set()}) == ["a", "b"]


def test_headers_have_no_cycle_of_includes() -> None:
    headers = {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.h")}
    graph = {name: {match["path"] for match in INCLUDE.finditer(text)} for name, text in headers.items()}
    assert graph
    assert {target for targets in graph.values() for target in targets} <= set(headers), "paths start at the package"
    assert cycle_in(graph) == []


def test_include_guards_are_named_as_their_headers() -> None:
    for path in PACKAGE.rglob("*.h"):
        name = path.relative_to(PACKAGE).with_suffix("").as_posix()
        expected = "W7_" + re.sub("[/_]+", "_", name.strip("_")).upper() + "_H"
        # Bodies that an instruction set includes again have no guard.
        guard = re.search(r"^#ifndef (W7_\w+_H)$", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert guard is None or guard[1] == expected, name


def test_headers_have_no_cycle_of_use() -> None:
    """A header that uses a function of another one does not define one that the other uses."""
    texts = {path.relative_to(PACKAGE).as_posix(): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.h")}
    defined: dict[str, set[str]] = {}
    for name, text in texts.items():
        for function in re.findall(r"^static [^;=()]*?\b(w7_\w+)\(", text, re.MULTILINE):
            defined.setdefault(function, set()).add(name)
    graph: dict[str, set[str]] = {}
    for name, text in texts.items():
        code = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        used = {
            owner
            for word in re.findall(r"\b(w7_\w+)\(", code)
            for owner in defined.get(word, ())
            if len(defined[word]) == 1
        }
        graph[name] = used - {name}
    assert cycle_in(graph) == []


def test_the_root_of_the_package_is_short() -> None:
    entries = {path.name for path in PACKAGE.iterdir() if not path.name.startswith("__pycache__")}
    assert len(entries) <= 25, sorted(entries)


def test_every_room_says_where_to_start() -> None:
    for room in ["_util", *ROOMS]:
        text = (PACKAGE / room / "__init__.py").read_text(encoding="utf-8")
        assert text.startswith('"""'), room
        documentation = text.split('"""')[1]
        assert "import" in documentation, f"{room} does not say what it may import"
        assert re.search(r"[Ss]tart with", documentation), f"{room} does not say where to start"


@pytest.mark.skipif(not SOURCE.is_dir(), reason="an installed package has no sources")
def test_the_files_that_docstrings_of_packages_name_are_there() -> None:
    for path in PACKAGE.rglob("__init__.py"):
        documentation = path.read_text(encoding="utf-8").split('"""')[1]
        for name in re.findall(r"`([\w/]+\.(?:py|pyx|pxi|h))`", documentation):
            assert (path.parent / name).is_file() or (PACKAGE / name).is_file(), f"{path}: {name}"


@pytest.mark.skipif(not SOURCE.is_dir(), reason="an installed package has no sources")
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("replaying/replay.pxi", {"errors", "limits"}),
        ("replaying/cursor.pyx", {"board", "record", "errors"}),
        ("game/game.py", {"formats", "replaying", "record"}),
        ("replaying/walk.h", {"board", "record"}),
        ("formats/wei7/decode.py", {"record", "errors"}),
    ],
)
def test_imports_are_seen(name: str, expected: set[str]) -> None:
    assert imported_by(PACKAGE / name) >= expected
