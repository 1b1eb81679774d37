"""The places of a wei7 3.0 document: their clauses in both revisions, and what each expects.

Where the clause of a place only names a constraint (a colour, a mark, a time),
the clause of that constraint is the one that says what is wrong.
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = ["PLACES", "Place"]


class Place(NamedTuple):
    """`clauses` of revision 7 and of revision 2; `noun` and `expected` build messages."""

    name: str
    clauses: tuple[str, str]
    noun: str
    expected: str


_SHORT = "a string of at most 128 characters on one line"
_COLOR = "1 (black) or 2 (white)"
_INDEX = "the index of one of info.participants"

# The order is the C enumeration `w7_place` in _wei7/schema.h; a test holds them together.
PLACES: Final = (
    Place("text", ("3.1", "3.1"), "the text", "JSON in UTF-8"),
    Place("root", ("3.2", "3.2"), "the document", "an object"),
    Place("format", ("3.2", "3.2"), "format", 'the string "wei7"'),
    Place("version", ("3.2", "3.2"), "version", 'the string "3.0"'),
    Place("size", ("3.9", "3.9"), "size", "a positive integer or an object of width and height"),
    Place("side", ("3.9", "3.9"), "a side of the board", "a positive integer"),
    Place("info", ("3.10", "3.10"), "info", "an object"),
    Place("info-text", ("3.4", "3.4"), "this member of info", _SHORT),
    Place("rules", ("3.10.1", "3.10.1"), "rules", "an object"),
    Place("scoring", ("3.10.1", "3.10.1"), "scoring", '"area" or "territory"'),
    Place("komi", ("3.10.1", "3.10.1"), "komi", "a multiple of 0.5, at least 0 and below 10"),
    Place("rules-type", ("3.10.1", "3.10.1"), "the type of the rules", '"Chinese", "Japanese" or "Korean"'),
    Place(
        "info-time",
        ("3.10.2", "3.10.2"),
        "the time of the game",
        "a real moment as YYYY-MM-DDThh:mmZ, YYYY-MM-DDThh:mm:ssZ or the latter with 1 to 9 digits of fraction",
    ),
    Place("info-place", ("3.4", "3.4"), "place", _SHORT),
    Place("participants", ("3.10.4", "3.10.4"), "participants", "an array of objects"),
    Place("participant", ("3.10.4", "3.10.4"), "a participant", "an object"),
    Place("participant-text", ("3.4", "3.4"), "this member of a participant", _SHORT),
    Place("players", ("3.10.7", "3.10.7"), "players", "an array of objects"),
    Place("player", ("3.10.7", "3.10.7"), "a player", "an object"),
    Place("player-participant", ("3.7", "3.7"), "participant", _INDEX),
    Place("player-color", ("3.5", "3.5"), "the colour of a player", _COLOR),
    Place("info-result", ("3.8", "3.8"), "the result", "an object"),
    Place("winner", ("3.8", "3.8"), "winner", "1 (black), 2 (white) or null (a draw)"),
    Place("margin", ("3.8", "3.8"), "margin", "a multiple of 0.5, above 0 and below 512"),
    Place("tree", ("3.15", "3.16"), "a tree", "an object"),
    Place("title", ("3.15.1", "3.16.1"), "title", "a string"),
    Place("pre", ("3.15.2", "3.16.2"), "pre", "an object"),
    Place("stones", ("3.15.2.1", "3.16.2.1"), "stones", "an array of objects"),
    Place("stone", ("3.15.2.1", "3.16.2.1"), "a preset stone", "an object"),
    Place("stone-color", ("3.5", "3.5"), "the colour of a stone", _COLOR),
    Place("setup", ("3.15.2.5", "3.16.2.5"), "a preset stone", "a stone on an empty point, in a block with a liberty"),
    Place("setup-order", ("3.15.2.6", "3.16.2.6"), "stones", "empty after a move or other preset stones"),
    Place("problem", ("3.15.2.2", "3.15"), "problem", "an object"),
    Place("problem-color", ("3.5", "3.5"), "the colour of a problem", _COLOR),
    Place("problem-nested", ("3.15.2.7", ""), "problem", "absent inside another problem"),
    Place("pre-marks", ("3.13", "3.13"), "marks", "an array of marks"),
    Place("pre-comment", ("3.11", "3.11"), "comment", "a string"),
    Place("steps", ("3.15.3", "3.16.3"), "steps", "an array of objects"),
    Place("step", ("3.15.3", "3.16.3"), "a step", "an object"),
    Place("step-time", ("3.14", "3.14"), "the time of a step", "a number of seconds, at least 0 and below 86400"),
    Place("time-order", ("3.15.3.1", "3.16.3.1"), "the time of a step", "not before the time of the step before"),
    Place("action", ("3.15.3.2", "3.16.3.2"), "action", "an object"),
    Place(
        "action-type",
        ("3.15.3.2", "3.16.3.2"),
        "the type of an action",
        '"move", "takeback", "result", "mark" or "message"',
    ),
    Place("actor", ("3.7", "3.7"), "actor", _INDEX),
    Place("step-marks", ("3.13", "3.13"), "marks", "an array of marks"),
    Place("step-comment", ("3.11", "3.11"), "comment", "a string"),
    Place("move", ("3.15.3.2.1", "3.16.3.2.1"), "the value of a move", "an object"),
    Place("move-color", ("3.5", "3.5"), "the colour of a move", _COLOR),
    Place("move-point", ("3.15.3.2.1.2", "3.16.3.2.1.2"), "the point of a move", "a point or null (a pass)"),
    Place("evaluation", ("3.15.3.2.1.3", "3.16.3.2.1.3"), "evaluation", '"bad" or "good"'),
    Place("move-problem", ("", "3.16.3.2.1.4"), "the problem of a move", "an object"),
    Place("takeback", ("3.15.3.2.2", "3.16.3.2.2"), "the value of a takeback", "a positive integer"),
    Place("result", ("3.8", "3.8"), "the value of a result", "an object"),
    Place("mark-action", ("3.15.3.2.4", "3.16.3.2.4"), "the value of a mark action", "a mark"),
    Place("message", ("3.11", "3.11"), "the value of a message", "a string"),
    Place("mark", ("3.12", "3.12"), "a mark", "an object"),
    Place("symbol", ("3.12", "3.12"), "symbol", "one character of a-z A-Z 0-9 @ # $ % & ?"),
    Place("point", ("3.6", "3.6"), "a point", "an object of x and y"),
    Place("coordinate", ("3.6", "3.6"), "a coordinate", "an integer from 0, below the side of the board"),
    Place("branches", ("3.15.4", "3.16.4"), "branches", "an array of trees"),
    Place("go", ("9.19.6", "9.16.5.1"), "a move", "on an empty point"),
)
