"""Every requirement and every ambiguity of the wei7 3.0 specification, as tables of documents."""

from . import constraints, information, members, steps, text, trees
from .members import FILES
from .rows import Expected, Row, clauses_in

__all__ = ["CANNOT_REJECT", "FILES", "IDS", "ROWS", "Expected", "Row", "clauses_in"]

ROWS = [*text.ROWS, *constraints.ROWS, *information.ROWS, *trees.ROWS, *steps.ROWS, *members.ROWS]


def _numbered(prefix: str, last: int) -> list[str]:
    return [f"{prefix}-{number}" for number in range(1, last + 1)]


IDS = (
    *_numbered("3.1", 3),
    *_numbered("3.2", 5),
    *_numbered("3.9", 3),
    "3.16-1",
    "3.3-1",
    *_numbered("3.4", 3),
    "3.5-1",
    *_numbered("3.6", 3),
    "3.7-1",
    *_numbered("3.8", 4),
    "3.11-1",
    *_numbered("3.12", 2),
    *_numbered("3.13", 2),
    "3.14-1",
    "3.15.2.2",
    *_numbered("3.10", 2),
    *_numbered("3.10.1", 4),
    "3.10.2-1",
    "3.10.3-1",
    "3.10.4-1",
    "3.10.5",
    "3.10.6-1",
    *_numbered("3.10.7", 2),
    "3.10.8-1",
    "3.10.9",
    *_numbered("T", 2),
    *_numbered("P", 10),
    *_numbered("S", 10),
    *_numbered("M", 8),
    "B-1",
    *_numbered("R", 4),
    *_numbered("K", 2),
    "G-1",
    *_numbered("N", 4),
    *_numbered("Q", 3),
    *_numbered("D", 5),
    *(f"A{number}" for number in range(1, 61)),
)

# Why some ids have no document that breaks them; `meanings.py` shows what those with a meaning mean.
CANNOT_REJECT = {
    "3.13-2": "two orders of marks mean the same; no order is wrong",
    "3.10.7-2": "two orders of players mean the same; no order is wrong",
    "P-4": "says what a problem means",
    "M-6": "advice to a program that plays problems",
    "M-7": "leave to a program that plays problems",
    "R-2": "says what a claim means",
    "R-3": "says what a claim means",
    "R-4": "says what a claim means, and gives leave",
    "N-3": "no validator can know which branch was played",
    "N-4": "continuing in steps in addition to a variation is another record, not a wrong one",
    "Q-1": "advice to a program that replays",
    "Q-2": "says what is no pause point",
    "Q-3": "no combination is forbidden",
    "D-3": "lists what is allowed",
    "D-5": "says what a pass does",
    "A4": "an absent actor is always allowed",
    "A5": "no rule links actor and colour",
    "A6": "says whose side an actor is on",
    "A25": "no validator can know which branch was played",
    "A51": "says whose name is shown",
    "A60": "says what time does not do",
}
