"""python ci/header_coverage.py BUILD: the lines of the C headers that ran, and those that did not, as gcc counted them.

A header is compiled into several modules: a line has run where it ran in one of them. Functions that no module calls
are no code and have no lines here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path


def counts(build: Path) -> dict[str, dict[int, int]]:
    """How often each line of each header ran, in all modules together."""
    found: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for data in sorted(build.rglob("*.gcda")):
        run = subprocess.run(["gcov", "--json-format", "--stdout", data], capture_output=True, text=True, check=True)
        for text in run.stdout.splitlines():
            for file in json.loads(text)["files"]:
                if file["file"].startswith("src/wei7core/") and file["file"].endswith(".h"):
                    for line in file["lines"]:
                        found[file["file"]][line["line_number"]] += line["count"]
    return found


def ranges(lines: list[int], known: list[int]) -> str:
    """Write lines as ranges; lines without code do not part them."""
    parts: list[list[int]] = []
    place = {line: number for number, line in enumerate(known)}
    for line in lines:
        if parts and place[line] == place[parts[-1][-1]] + 1:
            parts[-1].append(line)
        else:
            parts.append([line])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts)


def main(build: str) -> None:
    lines = missed = 0
    found = counts(Path(build))
    width = max(map(len, found), default=0)
    for name, counted in sorted(found.items()):
        known = sorted(counted)
        missing = [line for line in known if not counted[line]]
        lines, missed = lines + len(known), missed + len(missing)
        share = 100 * (len(known) - len(missing)) // len(known)
        print(f"{name:<{width}}  {len(known):>5} {len(missing):>5} {share:>4}%  {ranges(missing, known)}".rstrip())
    print(f"{'headers':<{width}}  {lines:>5} {missed:>5} {100 * (lines - missed) // max(lines, 1):>4}%")


if __name__ == "__main__":
    main(sys.argv[1])
