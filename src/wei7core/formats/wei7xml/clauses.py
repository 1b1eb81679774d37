"""The places of a wei7 2.x document: their clauses in version 2.2, and their expected values.

Version 2.2 has no definition of Go; where a board is needed to judge, the clause is that of the element, and the
definition is that of 3.0.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Construct(NamedTuple):
    """`noun` and `expected` build messages."""

    name: str
    clause: str
    noun: str
    expected: str


_SHORT: Final = "at most 128 characters on one line"
_SIZES: Final = "7, 9, 11, 13, 15, 17 or 19"

CONSTRUCTS: Final = (
    Construct("text", "3.1", "the text", "XML 1.0 in UTF-8"),
    Construct("root", "3.2", "the root element", "wei7 without a namespace"),
    Construct("version", "3.2", "version", '"2.0", "2.1" or "2.2"'),
    Construct("document", "3.3", "wei7", "size, game and moves, in this order, each once at most"),
    Construct("size", "3.4", "size", _SIZES),
    Construct("game", "3.5", "game", "rules, time, black, white and result, each once at most"),
    Construct("rules", "3.6", "rules", "the attributes scoring, komi and type"),
    Construct("scoring", "3.6", "scoring", '"area" or "territory"'),
    Construct("komi", "3.6", "komi", "a multiple of 0.5 above 0 and below 10, without needless zeros"),
    Construct("rules-type", "3.6", "the type of the rules", '"Chinese", "Japanese" or "Korean"'),
    Construct("time", "3.7", "time", "an existing time as dateTime of XML Schema"),
    Construct("game-attributes", "3.8", "game", "the attributes domain, id and name"),
    Construct("game-text", "3.8", "this attribute of game", _SHORT),
    Construct("player", "3.8", "a player of game", "the attributes domain, id, name, title and rank"),
    Construct("player-text", "3.8", "this attribute of a player", _SHORT),
    Construct("result", "3.9", "result", "the attributes winner and margin"),
    Construct("winner", "3.9", "winner", '"black", "white" or "neither"'),
    Construct("margin", "3.9", "margin", "a multiple of 0.5 above 0 and below 512, without needless zeros"),
    Construct("moves", "3.14", "moves", "moves, pre, black, white and mark"),
    Construct("pre", "3.14", "pre", "black, white and mark"),
    Construct("pre-place", "3.15", "pre", "the first child of moves"),
    Construct("pre-attributes", "3.16", "pre", "the attributes eval, title, comment and problem"),
    Construct("eval", "3.16.1", "eval", '"bad", "normal", "good" or "trick"'),
    Construct("title", "3.16.2", "title", _SHORT),
    Construct("problem", "3.16.4", "problem", '"no", "black" or "white"'),
    Construct(
        "move",
        "3.17.1",
        "a step",
        "the attributes type, x, y, splitter, eval, title, comment and problem",
    ),
    Construct("type", "3.17.1.1", "type", '"normal" or "pass"'),
    Construct(
        "point", "3.17.1.2", "a coordinate", "a whole number from 0 to the size less one, without needless zeros"
    ),
    Construct("splitter", "3.17.1.3", "splitter", '"small", "medium" or "large"'),
    Construct("stone", "3.17.2", "a stone of pre", "the attributes x and y"),
    Construct("mark", "3.18", "mark", "the attributes x, y and symbol"),
    Construct("symbol", "3.18", "symbol", "one of the characters a-z A-Z 0-9 @ # $ % & * ?"),
    Construct("mark-place", "3.19", "mark", "a step after it"),
    Construct("steps", "3.20", "moves", "at least one step"),
    Construct("setup", "3.14", "pre", "a legal position"),
    Construct("go", "3.17", "a step", "an empty point"),
    Construct("mark-before-moves", "3.18", "mark", "a step after it"),
)
"""Problems name their place by its number here."""

CONSTRUCT_OF: Final = {place.name: number for number, place in enumerate(CONSTRUCTS)}

CLAUSE_OF: Final = {
    "setup-no-liberty": "3.14",
    "move-occupied": "3.17",
}
"""The clauses of problems that are found on a board."""

REQUIRED_NAMES: Final = ("", "version", "size", "moves", "winner", "x", "y", "symbol")
"""Names of required attributes and elements, by their numbers in the details of problems."""
