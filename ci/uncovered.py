"""python ci/uncovered.py REPORT BUILD: each line that no test ran must be listed in ci/uncovered.txt, with the reason.

REPORT is what `coverage json` writes, BUILD the folder where gcc has counted the lines of the headers. Fails, and names
the lines, if a line that no test ran is not listed, and if a listed one was run or no longer exists.
"""

from __future__ import annotations

import fnmatch
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from header_coverage import counts

LIST: Final = Path(__file__).with_name("uncovered.txt")
ENTRY: Final = re.compile(r"    (?P<may>\? )?(?P<files>\S+)(?: (?P<function>\S+))? (?P<how>[=~]) (?P<text>.+)")
DEFINITION: Final = re.compile(r"\s*(?:async def|cpdef|cdef|def|class)\b.*?(\w+)(?:\(|:|\[)")
C_FUNCTION: Final = re.compile(r"[A-Za-z_][\w ]*[ *](\w+)\(")


@dataclass
class Entry:
    """A line of the list: a line of a file by its text (=), or all lines that a regular expression describes (~)."""

    reason: str
    line: int
    files: str
    function: str | None
    text: str
    is_pattern: bool
    may_run: bool
    count: int = 0

    def names(self, line: Line) -> bool:
        """Whether the entry lists a line."""
        if not fnmatch.fnmatchcase(line.file, "src/wei7core/" + self.files):
            return False
        if self.function is not None and self.function != line.function:
            return False
        return bool(re.fullmatch(self.text, line.text)) if self.is_pattern else self.text == line.text


@dataclass
class Line:
    """A line that no test ran, and whether the one that did not run before it leads on to it."""

    file: str
    number: int
    text: str
    function: str
    depth: int
    goes_on: bool
    listed: list[Entry] = field(default_factory=list)


def entries() -> Iterator[Entry]:
    """The list: reasons begin at the margin, what they are the reasons of is set in."""
    reason: list[str] = []
    is_over = True
    for number, line in enumerate(LIST.read_text("utf-8").splitlines(), 1):
        if line.startswith("#"):
            continue
        if not line.strip():
            reason, is_over = [], True
        elif not line.startswith(" "):
            reason = [*([] if is_over else reason), line]
            is_over = False
        elif (match := ENTRY.fullmatch(line)) is None or not reason:
            sys.exit(f"{LIST}:{number}: neither a reason nor an entry after one")
        else:
            pattern, may_run = match["how"] == "~", bool(match["may"])
            yield Entry(" ".join(reason), number, match["files"], match["function"], match["text"], pattern, may_run)


def depth_of(text: str) -> int:
    """The indentation of a line."""
    return len(text) - len(text.lstrip())


def function_of(lines: list[str], number: int, *, is_c: bool) -> str:
    """The name of the function of a line, after those around it; `-` for none."""
    if is_c:
        for line in reversed(lines[:number]):
            if (match := C_FUNCTION.match(line)) is not None:
                return match[1]
        return "-"
    names: list[str] = []
    depth = depth_of(lines[number - 1])
    for line in reversed(lines[: number - 1]):
        if line.strip() and depth_of(line) < depth and not line.lstrip().startswith((")", "#")):
            depth = depth_of(line)
            if (match := DEFINITION.match(line)) is not None:
                names.insert(0, match[1])
    return ".".join(names) or "-"


def lines_of(file: str, executed: set[int], missing: set[int]) -> Iterator[Line]:
    """The lines of a file that did not run."""
    lines = Path(file).read_text("utf-8").splitlines()
    before = 0
    for number in sorted(missing):
        goes_on = before > 0 and not any(before < other < number for other in executed)
        text = lines[number - 1]
        function = function_of(lines, number, is_c=file.endswith(".h"))
        yield Line(file, number, text.strip(), function, depth_of(text), goes_on)
        before = number


def uncovered(report: str, build: str) -> Iterator[Line]:
    """All lines that did not run."""
    for file, found in sorted(json.loads(Path(report).read_text("utf-8"))["files"].items()):
        yield from lines_of(file, set(found["executed_lines"]), set(found["missing_lines"]))
    for file, lines in sorted(counts(Path(build)).items()):
        executed = {number for number, count in lines.items() if count}
        yield from lines_of(file, executed, lines.keys() - executed)


def main(report: str, build: str) -> int:
    """Compare; return the exit status."""
    listed = list(entries())
    wrong = known = 0
    last: Line | None = None
    for line in uncovered(report, build):
        line.listed = [entry for entry in listed if entry.names(line)]
        # An entry also covers the following lines of the same or deeper indentation.
        if (
            not line.listed
            and last is not None
            and line.goes_on
            and line.file == last.file
            and line.depth >= last.depth
        ):
            line.listed, line.depth = last.listed, last.depth
        for entry in line.listed:
            entry.count += 1
        known += bool(line.listed)
        if not line.listed:
            wrong += 1
            print(f"{line.file}:{line.number}: no test runs this, and no line explains it:")
            print(f"    {line.file.removeprefix('src/wei7core/')} {line.function} = {line.text}")
        last = line if line.listed else None
    for entry in listed:
        if not entry.count and not entry.may_run:
            wrong += 1
            print(f"{LIST.name}:{entry.line}: all such lines are run, or are gone: {entry.files} {entry.text}")
    reasons: dict[str, int] = {}
    for entry in listed:
        reasons[entry.reason] = reasons.get(entry.reason, 0) + entry.count
    for reason, count in sorted(reasons.items(), key=lambda item: -item[1]):
        print(f"{count:>5}  {reason}")
    print(f"{known:>5}  lines that no test runs have a reason" + (f"; wrong: {wrong}" if wrong else ""))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
