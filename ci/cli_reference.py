"""Writes the reference of the command line, docs/reference/cli.md, from the parser.

python3 ci/cli_reference.py           writes it
python3 ci/cli_reference.py --check   fails where it is not current
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from wei7core.cli import arguments

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "cli.md"


def commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield the name and the parser of each command."""
    parser = arguments._parser("")
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def name_of(action: argparse.Action) -> str:
    """Return an argument as a person writes it."""
    if action.nargs == 0:
        value = ""
    elif action.metavar:
        value = str(action.metavar)
    elif action.choices:
        value = "|".join(map(str, action.choices))
    else:
        value = action.dest.upper()
    if not action.option_strings:
        return value + ("..." if action.nargs in ("+", "*") else "")
    return " ".join(filter(None, (", ".join(action.option_strings), value)))


def cell(text: str) -> str:
    """Return a text as the cell of a table."""
    return text.replace("|", "\\|").replace("\n", " ")


def lines() -> Iterator[str]:
    yield "# Command line"
    yield ""
    yield "This page is generated from the parser by `ci/cli_reference.py`. `wei7core COMMAND --help` prints the same."
    yield "The exit status is 0 if all is well, 1 if some record had an error or a finding, 2 for wrong usage."
    yield "`find` also ends with 1 where no game has the position."
    for name, parser in commands():
        actions = [action for action in parser._actions if action.dest != "help" and action.help != argparse.SUPPRESS]
        places = " ".join(name_of(action) for action in actions if not action.option_strings)
        yield from ("", f"## {name}", "", parser.description or "", "", "```text")
        yield f"wei7core {name} [OPTION...] {places}".rstrip()
        yield from ("```", "", "| argument | meaning |", "| --- | --- |")
        for action in actions:
            yield f"| `{cell(name_of(action))}` | {cell(action.help or '')} |"
        epilog = parser.epilog or ""
        if epilog.startswith("examples:\n"):
            yield from ("", "Examples:", "", "```text")
            yield from (line.strip() for line in epilog.split("\n")[1:] if line.strip())
            yield "```"


def main(words: list[str]) -> int:
    if words not in ([], ["--check"]):
        sys.exit(__doc__)
    text = "\n".join(lines()) + "\n"
    if words:
        if PAGE.read_text(encoding="utf-8") != text:
            print(f"{PAGE.name} is not current: run ci/cli_reference.py", file=sys.stderr)
            return 1
        return 0
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
