"""The moves of a line as an animation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..board.drawing.apng import apng
from ..record.document import Message, Result
from ..replaying.picture import NodePictureOptions, node_svg
from .nodes import Node, located_in

if TYPE_CHECKING:
    from os import PathLike

    from .game import Game


def game_apng(
    game: Game,
    path: str | PathLike[str] | None,
    node: Node | None,
    *,
    first: int,
    delay: float,
    hold: float,
    loops: int,
    options: NodePictureOptions,
) -> bytes:
    """Return the APNG of the line to `node` from move `first` on: see `Game.apng`."""
    return apng(_pictures(game, node, first, options), path, delay=delay, hold=hold, loops=loops)


def _pictures(game: Game, end: Node | None, first: int, options: NodePictureOptions) -> Iterator[str]:
    """Yield a picture for each step that may change it; the walk updates the board step by step."""
    if end is not None:
        end = located_in(game, end)
    has_begun = False
    for node in game.main_line() if end is None else game.line(end.path):
        is_end = end is not None and node == end
        has_begun = has_begun or node.move_number >= first
        is_shown = node.place.has_start if node.step is None else not isinstance(node.step.action, (Message, Result))
        if (has_begun and is_shown) or is_end:
            yield node_svg(node, game.document, options)
        if is_end:
            return
