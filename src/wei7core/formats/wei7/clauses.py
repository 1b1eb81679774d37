"""The places of a wei7 3.0 document: their clauses in both revisions, and their expected values.

If the clause of a place only names a constraint (a colour, a mark, a time), problems name the clause of that
constraint.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Construct(NamedTuple):
    """`clauses` of revision 7 and of revision 2; `noun` and `expected` build messages."""

    name: str
    clauses: tuple[str, str]
    noun: str
    expected: str


_SHORT = "a string of at most 128 characters on one line"
_COLOR = "1 (black) or 2 (white)"
_INDEX = "the index of one of info.participants"

# The order is the C enumeration `w7_place` in formats/wei7/schema.h; a test compares them.
CONSTRUCTS: Final = (
    Construct("text", ("3.1", "3.1"), "the text", "JSON in UTF-8"),
    Construct("root", ("3.2", "3.2"), "the document", "an object"),
    Construct("format", ("3.2", "3.2"), "format", 'the string "wei7"'),
    Construct("version", ("3.2", "3.2"), "version", 'the string "3.0"'),
    Construct("size", ("3.9", "3.9"), "size", "a positive integer or an object of width and height"),
    Construct("side", ("3.9", "3.9"), "a side of the board", "a positive integer"),
    Construct("info", ("3.10", "3.10"), "info", "an object"),
    Construct("info-text", ("3.4", "3.4"), "this member of info", _SHORT),
    Construct("rules", ("3.10.1", "3.10.1"), "rules", "an object"),
    Construct("scoring", ("3.10.1", "3.10.1"), "scoring", '"area" or "territory"'),
    Construct("komi", ("3.10.1", "3.10.1"), "komi", "a multiple of 0.5, at least 0 and below 10"),
    Construct("rules-type", ("3.10.1", "3.10.1"), "the type of the rules", '"Chinese", "Japanese" or "Korean"'),
    Construct(
        "info-time",
        ("3.10.2", "3.10.2"),
        "the time of the game",
        "an existing time as YYYY-MM-DDThh:mmZ, YYYY-MM-DDThh:mm:ssZ or the latter with 1 to 9 digits of fraction",
    ),
    Construct("info-place", ("3.4", "3.4"), "place", _SHORT),
    Construct("participants", ("3.10.4", "3.10.4"), "participants", "an array of objects"),
    Construct("participant", ("3.10.4", "3.10.4"), "a participant", "an object"),
    Construct("participant-text", ("3.4", "3.4"), "this member of a participant", _SHORT),
    Construct("players", ("3.10.7", "3.10.7"), "players", "an array of objects"),
    Construct("player", ("3.10.7", "3.10.7"), "a player", "an object"),
    Construct("player-participant", ("3.7", "3.7"), "participant", _INDEX),
    Construct("player-color", ("3.5", "3.5"), "the colour of a player", _COLOR),
    Construct("info-result", ("3.8", "3.8"), "the result", "an object"),
    Construct("winner", ("3.8", "3.8"), "winner", "1 (black), 2 (white) or null (a draw)"),
    Construct("margin", ("3.8", "3.8"), "margin", "a multiple of 0.5, above 0 and below 512"),
    Construct("tree", ("3.15", "3.16"), "a tree", "an object"),
    Construct("title", ("3.15.1", "3.16.1"), "title", "a string"),
    Construct("pre", ("3.15.2", "3.16.2"), "pre", "an object"),
    Construct("stones", ("3.15.2.1", "3.16.2.1"), "stones", "an array of objects"),
    Construct("stone", ("3.15.2.1", "3.16.2.1"), "a preset stone", "an object"),
    Construct("stone-color", ("3.5", "3.5"), "the colour of a stone", _COLOR),
    Construct(
        "setup", ("3.15.2.5", "3.16.2.5"), "a preset stone", "a stone on an empty point, in a block with a liberty"
    ),
    Construct("setup-order", ("3.15.2.6", "3.16.2.6"), "stones", "empty after a move or other preset stones"),
    Construct("problem", ("3.15.2.2", "3.15"), "problem", "an object"),
    Construct("problem-color", ("3.5", "3.5"), "the colour of a problem", _COLOR),
    Construct("problem-nested", ("3.15.2.7", ""), "problem", "absent inside another problem"),
    Construct("pre-marks", ("3.13", "3.13"), "marks", "an array of marks"),
    Construct("pre-comment", ("3.11", "3.11"), "comment", "a string"),
    Construct("steps", ("3.15.3", "3.16.3"), "steps", "an array of objects"),
    Construct("step", ("3.15.3", "3.16.3"), "a step", "an object"),
    Construct("step-time", ("3.14", "3.14"), "the time of a step", "a number of seconds, at least 0 and below 86400"),
    Construct("time-order", ("3.15.3.1", "3.16.3.1"), "the time of a step", "not before the time of the step before"),
    Construct("action", ("3.15.3.2", "3.16.3.2"), "action", "an object"),
    Construct(
        "action-type",
        ("3.15.3.2", "3.16.3.2"),
        "the type of an action",
        '"move", "takeback", "result", "mark" or "message"',
    ),
    Construct("actor", ("3.7", "3.7"), "actor", _INDEX),
    Construct("step-marks", ("3.13", "3.13"), "marks", "an array of marks"),
    Construct("step-comment", ("3.11", "3.11"), "comment", "a string"),
    Construct("move", ("3.15.3.2.1", "3.16.3.2.1"), "the value of a move", "an object"),
    Construct("move-color", ("3.5", "3.5"), "the colour of a move", _COLOR),
    Construct("move-point", ("3.15.3.2.1.2", "3.16.3.2.1.2"), "the point of a move", "a point or null (a pass)"),
    Construct("evaluation", ("3.15.3.2.1.3", "3.16.3.2.1.3"), "evaluation", '"bad" or "good"'),
    Construct("move-problem", ("", "3.16.3.2.1.4"), "the problem of a move", "an object"),
    Construct("takeback", ("3.15.3.2.2", "3.16.3.2.2"), "the value of a takeback", "a positive integer"),
    Construct("result", ("3.8", "3.8"), "the value of a result", "an object"),
    Construct("mark-action", ("3.15.3.2.4", "3.16.3.2.4"), "the value of a mark action", "a mark"),
    Construct("message", ("3.11", "3.11"), "the value of a message", "a string"),
    Construct("mark", ("3.12", "3.12"), "a mark", "an object"),
    Construct("symbol", ("3.12", "3.12"), "symbol", "one character of a-z A-Z 0-9 @ # $ % & ?"),
    Construct("point", ("3.6", "3.6"), "a point", "an object of x and y"),
    Construct("coordinate", ("3.6", "3.6"), "a coordinate", "an integer from 0, below the side of the board"),
    Construct("branches", ("3.15.4", "3.16.4"), "branches", "an array of trees"),
    Construct("go", ("9.19.6", "9.16.5.1"), "a move", "on an empty point"),
)
