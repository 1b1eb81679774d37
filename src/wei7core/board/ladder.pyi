from typing import NamedTuple

__all__ = ["Ladder"]

class Ladder(NamedTuple):
    """The result of reading a ladder (`Board.ladder`).

    `captured`: whether the block is captured; None if the limit was reached first. `line`: the moves that show it, as
    `(color, point)`; empty if the limit was reached. If no choice helps a side, it is the longest line read. It ends
    when the block is captured or its owner has no move, or when the block has three liberties or the attacker has no
    move. `nodes`: the number of moves tried.
    """

    captured: bool | None
    line: tuple[tuple[int, tuple[int, int]], ...]
    nodes: int
