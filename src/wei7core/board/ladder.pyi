from typing import NamedTuple

__all__ = ["Ladder"]

class Ladder(NamedTuple):
    """What reading a ladder has found (`Board.ladder`).

    `captured`: whether the block is captured; None where the limit was reached first. `line`: the moves that show it,
    as `(color, point)`; empty where the limit was reached. Where nothing helps the side that can choose, it is the
    longest line that was read. It ends where the block is taken or its owner has no move left, or where the block has
    three liberties or the attacker has no move. `nodes`: how many moves were tried.
    """

    captured: bool | None
    line: tuple[tuple[int, tuple[int, int]], ...]
    nodes: int
