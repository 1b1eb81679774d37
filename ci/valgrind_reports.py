"""python ci/valgrind_reports.py FILE...: what memcheck reported, as XML, with a frame in a module of this package.

Python and NumPy have reports of their own, which are only counted. The exit status is 1 when there is one of ours.
"""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

OURS = re.compile(r"/wei7core/.*\.so$")
# Functions of CPython, whose memory it keeps: names that it interns for ever, from 3.12 on, and what tracemalloc notes.
KEPT_BY_PYTHON = {"PyUnicode_New", "traceback_new"}


def described(error: ET.Element) -> str:
    what = error.findtext("what") or error.findtext("xwhat/text") or ""
    lines = [f"{error.findtext('kind')}: {what}"]
    for frame in error.iterfind("stack/frame"):
        place = f"{frame.findtext('file')}:{frame.findtext('line')}" if frame.find("file") is not None else ""
        module = Path(frame.findtext("obj") or "?").name
        lines.append(f"    {frame.findtext('fn') or frame.findtext('ip')} {place} ({module})")
    return "\n".join(lines)


def is_ours(error: ET.Element) -> bool:
    frames = list(error.iterfind("stack/frame"))
    is_leak = (error.findtext("kind") or "").startswith("Leak")
    if is_leak and any(frame.findtext("fn") in KEPT_BY_PYTHON for frame in frames):
        return False
    return any(OURS.search(frame.findtext("obj") or "") for frame in frames)


def main(names: list[str]) -> int:
    ours = others = 0
    for name in names:
        for error in ET.parse(name).getroot().iterfind("error"):
            if is_ours(error):
                ours += 1
                print(described(error))
            else:
                others += 1
    print(f"memcheck: {ours} reports with a frame of wei7core, {others} of Python, NumPy and others alone")
    return 1 if ours else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
