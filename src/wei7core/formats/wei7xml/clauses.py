"""The places of a wei7 2.x document: their clauses in version 2.2, and what each expects.

Version 2.2 has no definition of Go; where a board is needed to tell, the clause is that of the element, and the
definition is that of 3.0.
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["CLAUSE_OF", "NAMES", "PLACES", "PLACE_OF", "Place"]


class Place(NamedTuple):
    """`noun` and `expected` build messages."""

    name: str
    clause: str
    noun: str
    expected: str


_SHORT: Final = "at most 128 characters on one line"
_SIZES: Final = "7, 9, 11, 13, 15, 17 or 19"

PLACES: Final = (
    Place("text", "3.1", "the text", "XML 1.0 in UTF-8"),
    Place("root", "3.2", "the root element", "wei7 without a namespace"),
    Place("version", "3.2", "version", '"2.0", "2.1" or "2.2"'),
    Place("document", "3.3", "wei7", "size, game and moves, in this order, each once at most"),
    Place("size", "3.4", "size", _SIZES),
    Place("game", "3.5", "game", "rules, time, black, white and result, each once at most"),
    Place("rules", "3.6", "rules", "the attributes scoring, komi and type"),
    Place("scoring", "3.6", "scoring", '"area" or "territory"'),
    Place("komi", "3.6", "komi", "a multiple of 0.5 above 0 and below 10, without needless zeros"),
    Place("rules-type", "3.6", "the type of the rules", '"Chinese", "Japanese" or "Korean"'),
    Place("time", "3.7", "time", "a dateTime of XML Schema that is a real moment"),
    Place("game-attributes", "3.8", "game", "the attributes domain, id and name"),
    Place("game-text", "3.8", "this attribute of game", _SHORT),
    Place("player", "3.8", "a player of game", "the attributes domain, id, name, title and rank"),
    Place("player-text", "3.8", "this attribute of a player", _SHORT),
    Place("result", "3.9", "result", "the attributes winner and margin"),
    Place("winner", "3.9", "winner", '"black", "white" or "neither"'),
    Place("margin", "3.9", "margin", "a multiple of 0.5 above 0 and below 512, without needless zeros"),
    Place("moves", "3.14", "moves", "moves, pre, black, white and mark"),
    Place("pre", "3.14", "pre", "black, white and mark"),
    Place("pre-place", "3.15", "pre", "the first child of moves"),
    Place("pre-attributes", "3.16", "pre", "the attributes eval, title, comment and problem"),
    Place("eval", "3.16.1", "eval", '"bad", "normal", "good" or "trick"'),
    Place("title", "3.16.2", "title", _SHORT),
    Place("problem", "3.16.4", "problem", '"no", "black" or "white"'),
    Place(
        "move",
        "3.17.1",
        "a step",
        "the attributes type, x, y, splitter, eval, title, comment and problem",
    ),
    Place("type", "3.17.1.1", "type", '"normal" or "pass"'),
    Place("point", "3.17.1.2", "a coordinate", "a whole number from 0 to the size less one, without needless zeros"),
    Place("splitter", "3.17.1.3", "splitter", '"small", "medium" or "large"'),
    Place("stone", "3.17.2", "a stone of pre", "the attributes x and y"),
    Place("mark", "3.18", "mark", "the attributes x, y and symbol"),
    Place("symbol", "3.18", "symbol", "one of the characters a-z A-Z 0-9 @ # $ % & * ?"),
    Place("mark-place", "3.19", "mark", "a step after it"),
    Place("steps", "3.20", "moves", "at least one step"),
    Place("setup", "3.14", "pre", "a position that can stand"),
    Place("go", "3.17", "a step", "an empty point"),
    Place("mark-before-moves", "3.18", "mark", "a step after it"),
)
"""Problems name their place by its number here."""

PLACE_OF: Final = {place.name: number for number, place in enumerate(PLACES)}

CLAUSE_OF: Final = {
    "setup-no-liberty": "3.14",
    "move-occupied": "3.17",
}
"""The clauses of problems that are found on a board."""

NAMES: Final = ("", "version", "size", "moves", "winner", "x", "y", "symbol")
"""Names of required attributes and elements, by their numbers in the details of problems."""
