"""Copies the docstrings of compiled modules into their stubs, so that editors and the reference show them.

python3 ci/stub_docstrings.py           rewrites the stubs of the installed modules in src/wei7core
python3 ci/stub_docstrings.py --check   names the stubs that are not current, and fails where there are any
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
# The compiled modules that the reference shows; the others are internal.
MODULES = (
    "batch._expand",
    "board.area",
    "board.blocks",
    "board.board",
    "board.children",
    "board.ladder",
    "board.life",
    "board.planes",
    "board.point_set",
    "board.position",
    "record.record",
    "replaying.cursor",
)
Definition = ast.ClassDef | ast.FunctionDef
INDENT = "    "


def docstring_of(owner: Any, name: str) -> str | None:
    """Return the docstring of an attribute that its owner defines itself."""
    value = vars(owner).get(name) if isinstance(owner, type) else getattr(owner, name, None)
    text = getattr(value, "__doc__", None)
    if not isinstance(text, str) or (name.startswith("_") and isinstance(owner, type)):
        return None
    return inspect.cleandoc(text)


def definitions(body: list[ast.stmt], owner: Any) -> Iterator[tuple[Definition, str | None]]:
    """Yield the classes and functions of a stub, each with the docstring of the implementation."""
    for node in body:
        if isinstance(node, Definition) and not is_repeated(node, body):
            yield node, docstring_of(owner, node.name)
            if isinstance(node, ast.ClassDef):
                yield from definitions(node.body, getattr(owner, node.name))


def is_repeated(node: Definition, body: list[ast.stmt]) -> bool:
    """Whether a definition is a setter, or an overload before the last: one definition of a name has the docstring."""
    names = [ast.unparse(decorator) for decorator in node.decorator_list]
    later = [other for other in body[body.index(node) + 1 :] if isinstance(other, Definition)]
    if "overload" in names:
        return any(other.name == node.name for other in later)
    return any(name.endswith(".setter") for name in names)


def written(text: str, indent: str) -> list[str]:
    """Return the lines of a docstring."""
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    first, *rest = escaped.split("\n")
    lines = [f'{indent}"""{first}', *(indent + line if line else "" for line in rest)]
    if rest or escaped.endswith('"'):
        return [*lines, f'{indent}"""']
    return [lines[0] + '"""']


def with_docstrings(source: str, module: Any) -> str:
    """Return the text of a stub with the docstrings of a module in place of its own."""
    lines = source.split("\n")
    changes: list[tuple[int, int, list[str], str]] = []
    for node, text in definitions(ast.parse(source).body, module):
        first = node.body[0]
        indent = " " * (node.col_offset + len(INDENT))
        has_docstring = ast.get_docstring(node, clean=False) is not None
        on_one_line = first.lineno == node.end_lineno and lines[first.lineno - 1].rstrip().endswith(": ...")
        new = [] if text is None else written(text, indent)
        if has_docstring:
            changes.append((first.lineno - 1, first.end_lineno or first.lineno, new, ""))
        elif on_one_line and new:
            changes.append((first.lineno - 1, first.lineno, new, " ..."))
        elif new:
            start = min([first.lineno, *(decorator.lineno for decorator in getattr(first, "decorator_list", []))]) - 1
            changes.append((start, start, new, ""))
    for begin, end, new, dropped in sorted(changes, reverse=True):
        head = [lines[begin].removesuffix(dropped)] if dropped else []
        lines[begin:end] = [*head, *new]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    odd = []
    for name in MODULES:
        path = SOURCE / "wei7core" / (name.replace(".", "/") + ".pyi")
        source = path.read_text(encoding="utf-8")
        made = with_docstrings(source, importlib.import_module(f"wei7core.{name}"))
        if made != source:
            odd.append(path)
            if not arguments:
                path.write_text(made, encoding="utf-8")
    if arguments and odd:
        print("\n".join(f"{path}: run ci/stub_docstrings.py" for path in odd), file=sys.stderr)
    return bool(arguments and odd)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
