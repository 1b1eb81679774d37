"""Checks what the sdist and the wheel hold, against the files of the source tree.

python3 ci/check_archives.py SDIST WHEEL
"""

from __future__ import annotations

import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {".py", ".pyi", ".pyx", ".pxd", ".h"}
COMPILED = (".so", ".pyd")


def package_files() -> set[str]:
    package = ROOT / "src" / "wei7core"
    files = [path for path in package.rglob("*") if path.suffix in SOURCES or path.name == "py.typed"]
    return {path.relative_to(ROOT / "src").as_posix() for path in files}


def check(name: str, held: set[str], wanted: set[str]) -> list[str]:
    faults = [f"{name} lacks {path}" for path in sorted(wanted - held)]
    generated = sorted(path for path in held if path.endswith((".c", ".o", ".pyc")))
    return faults + [f"{name} holds the generated file {path}" for path in generated]


def main(sdist: str, wheel: str) -> int:
    with tarfile.open(sdist) as archive:
        members = {member.name.partition("/")[2] for member in archive if member.isfile()}
    with zipfile.ZipFile(wheel) as packed:
        installed = set(packed.namelist())
    top = {"LICENSE", "README.md", "pyproject.toml", "setup.py"}
    faults = check(sdist, members, {f"src/{path}" for path in package_files()} | top)
    faults += [f"{sdist} holds the compiled file {path}" for path in sorted(members) if path.endswith(COMPILED)]
    faults += check(wheel, installed, package_files())
    modules = [path.removesuffix(".pyx") for path in package_files() if path.endswith(".pyx")]
    for module in modules:
        if not any(path.startswith(f"{module}.") and path.endswith(COMPILED) for path in installed):
            faults.append(f"{wheel} lacks the compiled module {module}")
    if not any(path.endswith("licenses/LICENSE") for path in installed):
        faults.append(f"{wheel} lacks the licence")
    print("\n".join(faults) or f"{len(members)} files in the sdist, {len(installed)} in the wheel: as they should be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
