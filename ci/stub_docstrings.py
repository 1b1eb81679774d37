"""Reads the docstrings of compiled modules from their sources: stubs of the source tree have types alone.

setup.py puts them into the stubs of a wheel, where editors find them, and ci/docs_griffe.py into the reference.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["MODULES", "docstrings", "stub_with_docstrings"]

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
INDENT = "    "
PARTS = re.compile(r'^include "([^"]+\.pxi)"', re.MULTILINE)
HEAD = re.compile(
    r"^( *)(?:(?:cdef class|class|def|cpdef [\w.* ]+?|cdef readonly \w+) (\w+)|(\w+) = (\w+)$)", re.MULTILINE
)
# After the name: the rest of the head, which no line of another definition interrupts, and the literal.
LITERAL = re.compile(
    r'(?:(?:(?!\n\n|\n *(?:@|def|cdef|return)\b).)*?:)?(?:  # [^\n]*)?\n +("""(?:\\.|.)*?""")', re.DOTALL
)
SIGNATURE = "\n--\n"  # as CPython has it in docstrings: what comes before it is no part of the text

Definition = ast.ClassDef | ast.FunctionDef


def docstrings(module: Path) -> dict[str, str]:
    """Return the docstrings of the Cython source of a module, its path without a suffix, by qualified names."""
    source = module.with_suffix(".pyx")
    if not source.is_file():
        source = module.with_suffix(".pxi")
    text = source.read_text(encoding="utf-8")
    texts = [text, *((source.parent / name).read_text(encoding="utf-8") for name in PARTS.findall(text))]
    found: dict[str, str] = {}
    for part in texts:
        owner = ""
        for head in HEAD.finditer(part):
            indent, name, alias, target = head.groups()
            if len(indent) > len(INDENT):
                continue
            if alias:  # another name of a method
                if indent and f"{owner}.{target}" in found:
                    found[f"{owner}.{alias}"] = found[f"{owner}.{target}"]
                continue
            if not indent:
                owner = name
            literal = LITERAL.match(part, head.end())
            if literal is not None:
                docstring = ast.literal_eval(literal[1]).rpartition(SIGNATURE)[2]
                found.setdefault(f"{owner}.{name}" if indent else name, inspect.cleandoc(docstring))
    return found


def definitions(body: list[ast.stmt], owner: str = "") -> Iterator[tuple[Definition, str]]:
    """Yield the classes and functions of a stub that have a docstring, each with its qualified name."""
    for node in body:
        if isinstance(node, Definition) and not is_repeated(node, body) and not (owner and node.name.startswith("_")):
            yield node, owner + node.name
            if isinstance(node, ast.ClassDef):
                yield from definitions(node.body, f"{node.name}.")


def is_repeated(node: Definition, body: list[ast.stmt]) -> bool:
    """Whether a definition is a setter, or an overload before the last: one definition of a name has the docstring."""
    names = [ast.unparse(decorator) for decorator in node.decorator_list]
    later = [other for other in body[body.index(node) + 1 :] if isinstance(other, Definition)]
    if "overload" in names:
        return any(other.name == node.name for other in later)
    return any(name.endswith(".setter") for name in names)


def stub_with_docstrings(stub: str, found: dict[str, str]) -> str:
    """Return the text of a stub with the docstrings of its module."""
    lines = stub.split("\n")
    for node, name in reversed(list(definitions(ast.parse(stub).body))):
        if name in found:
            first = node.body[0]
            start = min([first.lineno, *(one.lineno for one in getattr(first, "decorator_list", []))]) - 1
            if isinstance(first, ast.Expr) and lines[start].endswith(": ..."):  # on the line of the head
                lines[start] = lines[start].removesuffix(" ...")
                start += 1
            while not lines[start - 1]:
                start -= 1
            lines[start:start] = written(found[name], " " * (node.col_offset + len(INDENT)))
    return "\n".join(lines)


def written(text: str, indent: str) -> list[str]:
    """Return the lines of a docstring."""
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    first, *rest = escaped.split("\n")
    lines = [f'{indent}"""{first}', *(indent + line if line else "" for line in rest)]
    if rest or escaped.endswith('"'):
        return [*lines, f'{indent}"""']
    return [lines[0] + '"""']
