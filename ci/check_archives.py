"""Checks what sdists and wheels hold, against the files of the source tree; of wheels also what they give away.

python3 ci/check_archives.py ARCHIVE...
"""

from __future__ import annotations

import re
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {".py", ".pyi", ".pyx", ".pxi", ".pxd", ".h"}
COMPILED = (".so", ".pyd")
GENERATED = (".o", ".pyc")
COMMAND = "wei7core_command.py"  # the entry point of the command, outside the package
LARGEST_WHEEL = 2_000_000
# Where a file of the source lay when it was compiled: in assertions and in what is for debuggers.
PLACES = re.compile(rb"(?<=\0)(?:/|[A-Za-z]:\\)[\w ./\\+-]+\.(?:c|h|pyx|pxd)\0")


def package_files() -> set[str]:
    package = ROOT / "src" / "wei7core"
    files = [path for path in package.rglob("*") if path.suffix in SOURCES or path.name == "py.typed"]
    return {path.relative_to(ROOT / "src").as_posix() for path in files} | {COMMAND}


def version() -> str:
    text = (ROOT / "src" / "wei7core" / "_version.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)[1]


def check(name: str, held: set[str], wanted: set[str]) -> list[str]:
    faults = [f"{name} lacks {path}" for path in sorted(wanted - held)]
    generated = (path for path in held if path.endswith(GENERATED) or (path.endswith(".c") and "wei7core/" in path))
    return faults + [f"{name} holds the generated file {path}" for path in sorted(generated)]


def public_declarations(wheel: zipfile.ZipFile) -> set[str]:
    """What a package outside is compiled with: all that the cimport paths of the README name, as the wheel has it."""
    found: set[str] = set()
    pending = ["wei7core/__init__.pxd", "wei7core/board/__init__.pxd", "wei7core/record/__init__.pxd"]
    while pending:
        name = pending.pop()
        if name in found:
            continue
        found.add(name)
        if name not in wheel.namelist():
            continue
        text = wheel.read(name).decode()
        pending += [f"wei7core/{header}" for header in re.findall(r'(?:#include|cdef extern from) "(.+\.h)"', text)]
        for module in re.findall(r"from (wei7core[\w.]+) cimport", text):
            package = f"{module.replace('.', '/')}/__init__.pxd"
            pending.append(package if package in wheel.namelist() else package.replace("/__init__.", "."))
    return found - {"wei7core/Python.h"}


def check_sdist(path: Path) -> tuple[int, list[str]]:
    with tarfile.open(path) as archive:
        members = {member.name.partition("/")[2] for member in archive if member.isfile()}
    top = {
        "LICENSE",
        "README.md",
        "CHANGELOG.md",
        "docs/index.md",
        "pyproject.toml",
        "setup.py",
        "tests/test_golden.py",
        "tests/data/golden.txt",
    }
    faults = check(path.name, members, {f"src/{file}" for file in package_files()} | top)
    faults += [f"{path.name} holds the compiled file {file}" for file in sorted(members) if file.endswith(COMPILED)]
    return len(members), faults


def check_wheel(path: Path) -> tuple[int, list[str]]:
    name = path.name
    with zipfile.ZipFile(path) as packed:
        held = set(packed.namelist())
        compiled = {file: packed.read(file) for file in held if file.endswith(COMPILED)}
        declarations = public_declarations(packed)
    wanted = {file for file in package_files() if not file.endswith((".pyx", ".pxi", ".pxd", ".h"))} | declarations
    faults = check(name, held, wanted)
    inner = (file for file in held - declarations if file.endswith((".pxi", ".pxd", ".h")))
    faults += [f"{name} holds {file}, which no public declaration needs" for file in sorted(inner)]
    for module in sorted(file.removesuffix(".pyx") for file in package_files() if file.endswith(".pyx")):
        if not any(file.startswith(f"{module}.") for file in compiled):
            faults.append(f"{name} lacks the compiled module {module}")
    if not any(file.endswith("licenses/LICENSE") for file in held):
        faults.append(f"{name} lacks the licence")
    allowed = ("wei7core/", COMMAND, f"wei7core-{version()}.dist-info/")
    faults += [f"{name} holds {file} as well" for file in sorted(held) if not file.startswith(allowed)]
    for file, data in sorted(compiled.items()):
        faults += [f"{name}: {file} contains {place[:-1].decode()}" for place in sorted(set(PLACES.findall(data)))[:3]]
    if path.stat().st_size >= LARGEST_WHEEL:
        faults.append(f"{name} has {path.stat().st_size:,} bytes, {LARGEST_WHEEL:,} or more")
    return len(held), faults


def check_archive(path: Path) -> list[str]:
    count, faults = check_wheel(path) if path.suffix == ".whl" else check_sdist(path)
    if not path.name.startswith(f"wei7core-{version()}"):
        faults.append(f"{path.name} is not of version {version()}")
    if not faults:
        print(f"{path.name}: {count} files, {path.stat().st_size:,} bytes, as it should be")
    return faults


def main(archives: list[str]) -> int:
    if not archives:
        sys.exit(__doc__)
    faults = [fault for archive in archives for fault in check_archive(Path(archive))]
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
