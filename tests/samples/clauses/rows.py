"""The rows of the clause tables, and small builders of wei7 3.0 documents.

A row is one document and everything a reader must say about it. The character
`»` in a document is no part of it: it precedes the byte where the problem
must be reported.
"""

from __future__ import annotations

from dataclasses import dataclass

from wei7core.limits import DEFAULT_LIMITS, Limits

MARKER = "»"
BOTH = (7, 2)


@dataclass(frozen=True)
class Expected:
    """One problem; `|` separates answers that are equally right, a `*` ends a path that may continue.

    `clause` is the number of revision 7, `clause2` that of revision 2 (by default
    renumbered); an empty clause or path is not compared.
    """

    code: str
    path: str = ""
    clause: str = ""
    clause2: str = ""


@dataclass(frozen=True)
class Row:
    """A document for the requirements `ids`, and the problems it has in every one of `revisions`."""

    kind: str
    ids: str
    text: str | bytes
    problems: tuple[Expected, ...] = ()
    revisions: tuple[int, ...] = BOTH
    limits: Limits = DEFAULT_LIMITS
    why: str = ""

    @property
    def data(self) -> bytes:
        """The document as bytes, without the marker."""
        return self.text if isinstance(self.text, bytes) else self.text.replace(MARKER, "").encode()

    @property
    def offset(self) -> int | None:
        """The byte that the marker names."""
        if isinstance(self.text, bytes) or MARKER not in self.text:
            return None
        return len(self.text[: self.text.index(MARKER)].encode())


def accept(ids: str, text: str | bytes, why: str = "", **rest: object) -> Row:
    """A document without any problem, warnings included."""
    return Row("accept", ids, text, why=why, **rest)


def reject(
    ids: str, code: str, path: str, text: str | bytes, clause: str = "", clause2: str = "", **rest: object
) -> Row:
    """A document with exactly one problem, an error."""
    return Row("reject", ids, text, (Expected(code, path, clause, clause2),), **rest)


def warn(ids: str, code: str, path: str, text: str | bytes, clause: str = "", clause2: str = "", **rest: object) -> Row:
    """A valid document with exactly one problem, a warning."""
    return Row("warn", ids, text, (Expected(code, path, clause, clause2),), **rest)


def record(tree: str = "{}", *, size: str = "", info: str = "") -> str:
    """A whole record; every part is JSON text, an empty one is left out."""
    parts = ['"format": "wei7"', '"version": "3.0"']
    parts += [f'"{name}": {value}' for name, value in (("size", size), ("info", info), ("tree", tree)) if value]
    return "{" + ", ".join(parts) + "}"


def info(members: str) -> str:
    """A record with these members of `info`."""
    return record(info="{" + members + "}")


def pre(members: str, rest: str = "", **root: str) -> str:
    """A record whose root tree has this `pre` and, after it, the members `rest`."""
    return record('{"pre": {' + members + "}" + (", " + rest if rest else "") + "}", **root)


def steps(*items: str, **root: str) -> str:
    """A record whose root tree has only these steps."""
    return record('{"steps": [' + ", ".join(items) + "]}", **root)


def branches(own_steps: str, *items: str, **root: str) -> str:
    """A record whose root tree has steps (JSON text of an array, or nothing) and branches."""
    first = f'"steps": {own_steps}, ' if own_steps else ""
    return record("{" + first + '"branches": [' + ", ".join(items) + "]}", **root)


def point(x: object, y: object) -> str:
    """A point."""
    return f'{{"x": {x}, "y": {y}}}'


def stone(color: object, x: object, y: object) -> str:
    """A preset stone."""
    return f'{{"color": {color}, "point": {point(x, y)}}}'


def stones(*items: str) -> str:
    """The member `stones`."""
    return '"stones": [' + ", ".join(items) + "]"


def mark(x: object, y: object, symbol: str = '"a"') -> str:
    """A mark; `symbol` is JSON text."""
    return f'{{"point": {point(x, y)}, "symbol": {symbol}}}'


def action(kind: str, value: str, rest: str = "") -> str:
    """A step of any type; `value` is JSON text, `rest` further members of the step."""
    return f'{{"action": {{"type": "{kind}", "value": {value}}}' + (", " + rest if rest else "") + "}"


def move(color: object, x: object, y: object, more: str = "", rest: str = "") -> str:
    """A step that plays a stone; `more` are further members of the value, `rest` of the step."""
    return action("move", f'{{"color": {color}, "point": {point(x, y)}' + (", " + more if more else "") + "}", rest)


def passes(color: object, more: str = "", rest: str = "") -> str:
    """A step that passes."""
    return action("move", f'{{"color": {color}, "point": null' + (", " + more if more else "") + "}", rest)


def takeback(count: object, rest: str = "") -> str:
    """A step that takes moves back."""
    return action("takeback", str(count), rest)


def message(text: str = '"hello"', rest: str = "") -> str:
    """A step that sends a message."""
    return action("message", text, rest)


def timed_mark(value: str, rest: str = '"time": 1') -> str:
    """A step that shows a mark in a timeline."""
    return action("mark", value, rest)


PEOPLE = '"participants": [{"name": "A"}, {"name": "B"}]'


# The clauses that apply a value constraint to a place; naming either is right.
APPLIED = {
    "3.5": "3.10.7|3.15.2.1|3.15.2.2|3.15.3.2.1.1",
    "3.6": "3.15.3.2.1.2",
    "3.7": "3.10.7|3.15.3.3",
    "3.8": "3.10.8|3.15.3.2.3",
    "3.11": "3.15.2.4|3.15.3.5|3.15.3.2.5",
    "3.12": "3.15.3.2.4",
    "3.13": "3.15.2.3|3.15.3.4",
    "3.14": "3.15.3.1",
}


def clauses_in(revision: int, expected: Expected) -> str:
    """The numbers, in a revision, of every clause that an expected problem may name."""
    if revision == 2 and expected.clause2:
        return expected.clause2
    named = [one for clause in expected.clause.split("|") for one in (clause, *APPLIED.get(clause, "").split("|"))]
    return "|".join(clause_in(revision, one) for one in named if one)


def clause_in(revision: int, clause: str) -> str:
    """The number that a clause of revision 7 has in a revision."""
    if revision == 7:
        return clause
    if clause == "3.15.2.2":
        return "3.16.2.2|3.15"
    for old, new in (("3.16", "3.17"), ("3.15", "3.16")):
        if clause == old or clause.startswith(old + "."):
            return new + clause[len(old) :]
    return clause
