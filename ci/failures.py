#!/usr/bin/env python3
"""Print the table of the corpus of failures: what wei7core, sgfmill and sente make of each record.

usage: ci/failures.py [--write]    --write puts the table into docs/failures.md

`SENTE_PYTHON` names an interpreter that has sente, where the one that runs this has not: Python 3.10 or earlier, with
sente and NumPy 1.21.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from helpers.failures import READERS, cases, differences  # noqa: E402 - needs the path above

HEAD = """\
# Reported failures

Users of other programs have reported records that were read wrong. The file `tests/data/failures/failures.json` has
{count} small records, written for this project, each for one such failure, with a link to the report and with what is
expected: size, moves, stones at the end of the main line, names, komi, result, comment. A cell says `yes`, what the
reader found otherwise, or `error` where it raised; a reader is not asked for facts that it has no typed value for.
`ci/failures.py --write` makes this page with the readers that are installed.

"""


def rows(readers: list[str]) -> list[list[str]]:
    """What was reported, its link, and for each reader `yes` or what it did not find."""
    made = []
    for case in cases():
        found = []
        for name in readers:
            wrong = differences(case, READERS[name])
            found.append("yes" if not wrong else "error" if wrong[0].startswith("error") else ", ".join(wrong))
        repository, number = case["link"].removeprefix("https://github.com/").split("/")[1::2]
        what = case["what"].replace("|", "\\|")
        made.append([f"[{repository} {number}]({case['link']})", what, *found])
    return made


def _version(name: str) -> list[str]:
    """The version of another reader."""
    if name == "wei7core":
        return []
    python = os.environ.get("SENTE_PYTHON", sys.executable) if name == "sente" else sys.executable
    asked = f"import importlib.metadata; print(importlib.metadata.version({name!r}))"
    return [subprocess.run([python, "-c", asked], capture_output=True, check=True, text=True).stdout.strip()]


def page() -> str:
    """The page of the documentation."""
    readers = [name for name in READERS if name == "wei7core" or importlib.util.find_spec(name) is not None]
    readers += ["sente"] * ("SENTE_PYTHON" in os.environ and "sente" not in readers)
    table = rows(readers)
    head = ["reported in", "what fails", *(" ".join([name, *_version(name)]) for name in readers)]
    lines = [HEAD.format(count=len(table))]
    totals = [str(sum(row[2 + place] == "yes" for row in table)) for place in range(len(readers))]
    for row in (head, ["---"] * len(head), *table, ["", f"as expected, of {len(table)}", *totals]):
        lines.append(f"| {' | '.join(row)} |\n")
    return "".join(lines)


def main() -> None:
    """Print the page, or write it."""
    if "--write" in sys.argv[1:]:
        (ROOT / "docs" / "failures.md").write_text(page(), encoding="utf-8", newline="\n")
    else:
        print(page(), end="")


if __name__ == "__main__":
    main()
