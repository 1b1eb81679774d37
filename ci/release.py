"""Checks whether this commit is fit to be released, and tags it.

python3 ci/release.py          what is still to do before the tag
python3 ci/release.py --tag    makes the tag vVERSION if nothing is; pushing it publishes (.github/workflows/wheels.yml)
python3 ci/release.py --check [FOLDER]
                               whether the tag is there, and FOLDER has the sdist and all wheels of the version
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = {f"cp{version}-cp{version}" for version in (310, 311, 312, 313, 314, 315)} | {"cp314-cp314t", "cp315-cp315t"}
PLATFORMS = {
    "manylinux x86_64": r"manylinux\w*_x86_64",
    "manylinux aarch64": r"manylinux\w*_aarch64",
    "musllinux x86_64": r"musllinux_\w+_x86_64",
    "musllinux aarch64": r"musllinux_\w+_aarch64",
    "macOS x86_64": r"macosx_\w+_x86_64",
    "macOS arm64": r"macosx_\w+_arm64",
    "Windows amd64": "win_amd64",
    "Windows arm64": "win_arm64",
}
NONE_OF_NUMPY = {("cp310-cp310", "Windows arm64")}


def git(*arguments: str) -> str:
    """Return what git prints; nothing where it fails."""
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def version() -> str:
    text = (ROOT / "src" / "wei7core" / "_version.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)
    return found[1] if found else ""


def tree_faults() -> Iterator[str]:
    dirty = git("status", "--porcelain")
    if dirty:
        yield f"the tree has changes that are not committed: {dirty.splitlines()[0].strip()}, ..."
    if not git("rev-parse", "HEAD"):
        yield "this is no git checkout"


def version_faults() -> Iterator[str]:
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version()):
        yield f"{version() or 'nothing'} is no version to release"


def change_faults() -> Iterator[str]:
    """Yield why the changes of CHANGELOG.md cannot be those of this version."""
    path = ROOT / "CHANGELOG.md"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    if len(parts) < 3:
        yield "CHANGELOG.md has no changes"
        return
    heading, what = parts[1], parts[2]
    if heading.partition(",")[0] != version():
        yield f"the last changes in CHANGELOG.md are those of {heading}, not of {version()}"
    elif not re.fullmatch(r".+, \d{4}-\d\d-\d\d", heading):
        yield f"the changes of {heading} are not finished: the heading has no date (## {version()}, YYYY-MM-DD)"
    if not re.search(r"^- \w", what, re.MULTILINE) or re.search("TODO|FIXME|TBD", what):
        yield f"the changes of {heading} are not written"


def tag_faults() -> Iterator[str]:
    """Yield why the tag of the version is not this commit's."""
    tagged = git("rev-list", "-n", "1", f"v{version()}")
    if not tagged:
        yield f"the tag v{version()} is missing"
    elif tagged != git("rev-parse", "HEAD"):
        yield f"the tag v{version()} is that of another commit"


def folder_faults(folder: Path) -> Iterator[str]:
    """Yield what a folder of archives lacks, and what it should not have."""
    names = {path.name for path in folder.iterdir()}
    sdist = f"wei7core-{version()}.tar.gz"
    if sdist not in names:
        yield f"{folder} lacks {sdist}"
    names.discard(sdist)
    for python in sorted(PYTHONS):
        for platform, tag in PLATFORMS.items():
            if (python, platform) in NONE_OF_NUMPY:
                continue
            pattern = re.compile(rf"wei7core-{re.escape(version())}-{python}-(.+\.)?{tag}\.whl")
            found = {name for name in names if pattern.fullmatch(name)}
            if not found:
                yield f"{folder} lacks the wheel of {python} for {platform}"
            names -= found
    pyodide = re.compile(rf"wei7core-{re.escape(version())}-cp3\d+-cp3\d+-(pyodide|pyemscripten)_\w+_wasm32\.whl")
    yield from (f"{folder} has {name} as well" for name in sorted(names) if not pyodide.fullmatch(name))


def main(arguments: list[str]) -> int:
    if (
        len(arguments) > 2
        or (arguments and arguments[0] not in ("--tag", "--check"))
        or (arguments[1:] and "--tag" in arguments)
    ):
        sys.exit(__doc__)
    faults = [*tree_faults(), *version_faults(), *change_faults()]
    if arguments[:1] == ["--check"]:
        faults += tag_faults()
        for folder in arguments[1:]:
            faults += folder_faults(Path(folder))
    elif git("tag", "--list", f"v{version()}"):
        faults.append(f"the tag v{version()} is there already")
    if faults:
        print("\n".join(faults), file=sys.stderr)
        return 1
    if arguments == ["--tag"]:
        done = subprocess.run(
            ["git", "tag", "-a", f"v{version()}", "-m", f"wei7core {version()}"], cwd=ROOT, check=False
        )
        if done.returncode:
            return 1
        print(f"tagged; to publish: git push origin v{version()}")
    else:
        print(f"wei7core {version()} is fit to be released")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
