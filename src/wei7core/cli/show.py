"""`wei7core show`: one position of a record as text or picture. Other commands find theirs here too."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .. import coordinates
from .._util.files import is_special, write_whole
from .._util.words import counted
from ..batch.single_records import ReplayedRecord, replay_raw_record
from ..board import draw
from ..board.drawing.arguments import SHAPE_NAMES
from ..board.drawing.of_board import cell_options
from ..board.drawing.png import png_of
from ..errors import Wei7Error
from ..game.game import Game, game_from_record
from ..game.nodes import Node
from ..record.document import Edit, Info, Mark, Result, Takeback
from ..replaying.picture import NodePictureOptions, picture_options
from ..sources.chunks import RawRecord
from ..sources.sources import Sources
from . import pictures
from .arguments import UsageError, check_paths, options_from
from .console import finding_line, has_colors, has_stones, plain

if TYPE_CHECKING:
    import argparse

_COLORS = {1: "Black", 2: "White"}
_LONGEST_PATH = 16
_OF_TERMINALS = ("last", "marks", "coordinates", "region", "numbers")


class _NoSuchPlaceError(LookupError):
    """The record has no such branch or no such move."""


def show(args: argparse.Namespace) -> bool:
    """Print a position and write its pictures; return whether the record has no error. Raises `UsageError`."""
    check_paths([args.path], [])
    for path, suffixes, what in (
        (args.svg, (".svg",), "picture"),
        (args.png, (".png",), "picture"),
        (args.animate, (".png", ".apng"), "animation"),
        (args.html, (".html", ".htm"), "viewer"),
    ):
        if path and not (path.lower().endswith(suffixes) or is_special(path)):
            allowed = " or ".join(suffixes[:1] if what == "viewer" else suffixes)
            raise UsageError(f"{path}: unsupported {what} format; use {allowed}")
    options = pictures.picture_options(args)
    outcome, view = find_view(args)
    if view is None:
        return False
    try:
        text = view.text(options, has_colors(sys.stdout) if args.terminal and has_stones(sys.stdout) else None)
        picture = view.svg(options) if args.svg or args.png or options else ""  # also refuses wrong options
        image = png_of(picture) if args.png else b""
        if args.animate:
            view.game.apng(args.animate, view.node, delay=args.delay, **options)
        if args.html:
            of_viewer = {name: value for name, value in options.items() if name in ("theme", "coordinates")}
            view.game.to_html(args.html, **{"theme": "wood", **of_viewer})  # type: ignore[arg-type]  # of those names
    except ImportError as error:
        raise UsageError(str(error)) from None
    except ValueError as error:
        raise UsageError(f"{outcome.label}: {error}") from None
    print(text, end="")
    if args.png:
        with write_whole(args.png) as file:
            file.buffer.write(image)
    if args.svg:
        with write_whole(args.svg) as file:
            file.write(picture)
    return not outcome.row.error


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """A place in a record: its node, and the number of moves made up to it, taken-back ones included.

    `next_color` is the color of the record's next move on the line, if there is one and the line continues from this
    position.
    """

    game: Game
    node: Node
    moves_made: int
    next_color: int | None = None

    @property
    def to_play(self) -> int:
        """The player to move: by a problem or PL of SGF, by the next move of the record, or the last move's opponent.

        At the start of a record without any of these it is Black.
        """
        color = self.node.problem or self._stated_to_play() or self.next_color
        if color:
            return color
        last = self.node.board.last_move
        return 1 if last is None else 3 - last[0]

    def _stated_to_play(self) -> int | None:
        node = self.node
        is_root = node.step is None and node.branch is self.game.tree
        properties = node.step.properties if node.step is not None else self.game.properties if is_root else {}
        value, *_ = *properties.get("PL", ()), ""
        return {"b": 1, "w": 2}.get(value.strip()[:1].lower())

    def svg(self, options: NodePictureOptions) -> str:
        """Return the position as an SVG picture. Raises `ValueError` for a board too large to draw."""
        return self.node.svg(**options)

    def text(self, options: NodePictureOptions | None = None, colored: bool | None = None) -> str:
        """Return the header of the game, the board with its coordinates, and the comment of the position.

        With `colored` the board is drawn for a terminal, in colors (True) or without, with those of `options` that
        characters can represent; None draws letters and dots.
        """
        if colored is None:
            board = draw.text(self.node.board.to_array(), last=self._last_point())
        else:
            board = self._drawn(options or {}, colored)
        parts = ["\n".join(self._heading()), board + self._marks(), "\n".join(self._footing())]
        return "\n\n".join(part for part in parts if part) + "\n"

    def _drawn(self, options: NodePictureOptions, colored: bool) -> str:
        board = self.node.board
        found = cell_options(board, picture_options(self.node, self.game.document, options))
        shown = {name: found[name] for name in _OF_TERMINALS if name in found}
        return draw.terminal(board.to_array(), colored=colored, **shown)

    def _heading(self) -> Iterator[str]:
        info = self.game.info
        if info.name:
            yield plain(info.name)
        for color in (1, 2):
            names = _names(info, color)
            if names:
                yield f"{_COLORS[color]}: {names}"
        if info.rules is not None and info.rules.komi is not None:
            yield f"Komi: {info.rules.komi}"
        if info.result is not None:
            yield f"Result: {result_text(info.result)}"

    def _footing(self) -> Iterator[str]:
        yield self._move_line()
        board = self.node.board
        yield f"Captured: {board.black_captured} black, {board.white_captured} white"
        if self.node.comment:
            yield ""
            yield from map(plain, self.node.comment.splitlines())

    def _move_line(self) -> str:
        node = self.node
        board = node.board
        where = f"Branch {_path_text(node.path)}, move" if node.path else "Move"
        made = "" if self.moves_made == node.move_number else f" ({counted(self.moves_made, 'move')} made)"
        last = board.last_move
        if last is None:
            return f"{where} {node.move_number}{made}"
        color, point = last
        played = "pass" if point is None else coordinates.point_name(point, board.height)
        return f"{where} {node.move_number}{made}: {_COLORS[color]} {played}"

    def _last_point(self) -> tuple[int, int] | None:
        last = self.node.board.last_move
        return None if last is None else last[1]

    def _marks(self) -> str:
        """The legend of `draw.text` below the board, in which labels may have any length."""
        height = self.node.board.height
        parts = [f"{_words(mark)} at {coordinates.point_name(mark.point, height)}" for mark in self.node.marks]
        return f"\nmarks: {', '.join(parts)}" if parts else ""


def find_game(args: argparse.Namespace) -> tuple[ReplayedRecord, Game | None]:
    """Return the requested record and its game; None if no board can be made of it. Raises `UsageError`."""
    options = options_from(args)
    outcome = replay_raw_record(_record_text(args.path, args.record), options)
    errors = [problem for problem in outcome.problems if problem.code == outcome.row.error]
    for problem in errors[:1]:
        print(finding_line(outcome.label, problem), file=sys.stderr)
    if outcome.record is None or outcome.row.hash is None:
        return outcome, None
    game = game_from_record(outcome.record, problems=outcome.problems, revision=options.revision, limits=options.limits)
    return outcome, game


def _record_text(path: str, number: int) -> RawRecord:
    count = 0
    for count, text in enumerate(Sources(path), start=1):
        if count > number:
            return text
    if not count:
        raise UsageError(f"{path}: no records found")
    raise UsageError(f"{path}: record {number} is out of range (the file has {counted(count, 'record')})")


def find_view(args: argparse.Namespace) -> tuple[ReplayedRecord, ShownPosition | None]:
    """Return the requested record and the place in it; None if no board can be made of it. Raises `UsageError`."""
    outcome, game = find_game(args)
    try:
        return outcome, None if game is None else _place(game, args.branch, args.move)
    except (_NoSuchPlaceError, Wei7Error) as error:
        raise UsageError(f"{outcome.label}: {error}") from None


def _place(game: Game, branch: str | None, move: int | None) -> ShownPosition:
    """Return the view of a place in `game`.

    `branch` is the path of a branch (`0.1`; `-` for the root), whose own steps end the line; without it the line is the
    main line. `move` is the number of moves made on that line, those taken back later included; without it the view is
    of the end of the line.

    Raises `_NoSuchPlaceError`, and `BoardSizeError` and `LimitError` like a walk of the game.
    """
    nodes = game.main_line() if branch is None else _line(game, branch)
    view = None
    made = 0
    goes_on = True
    for node in nodes:
        is_move = node.move is not None
        made += is_move
        if move is None or (made == move and (is_move or (move == 0 and node.step is None))):
            view = ShownPosition(game, node, made)
            goes_on = True
        elif made > move:
            if view is not None and node.move is not None and goes_on:
                view = replace(view, next_color=node.move[0])
            break
        elif node.step is None or isinstance(node.step.action, Takeback | Edit):
            goes_on = node.step is None and not (node.branch.pre and node.branch.pre.stones) and goes_on
    if view is None:
        raise _NoSuchPlaceError(f"move {move} is out of range (the line has {counted(made, 'move')})")
    return view


def _line(game: Game, branch: str) -> Iterator[Node]:
    try:
        return game.line(branch)
    except (IndexError, ValueError) as error:
        raise _NoSuchPlaceError(str(error)) from None


def _path_text(path: tuple[int, ...]) -> str:
    """The ordinals of a branch; of a long path only its end, and its depth."""
    if len(path) <= _LONGEST_PATH:
        return ".".join(map(str, path))
    return f"...{'.'.join(map(str, path[-_LONGEST_PATH:]))} ({counted(len(path), 'level')} down)"


def _words(mark: Mark) -> str:
    return SHAPE_NAMES[mark.shape] if mark.shape in SHAPE_NAMES else plain(mark.symbol)


def _names(info: Info, color: int) -> str:
    """The names of the players of a color, with their ranks."""
    names = []
    for player in info.players or ():
        participants = info.participants or ()
        if player.color == color and 0 <= player.participant < len(participants):
            participant = participants[player.participant]
            names.append(" ".join(plain(text) for text in (participant.name, participant.rank) if text))
    return ", ".join(name for name in names if name)


def result_text(result: Result) -> str:
    """Return a result in words."""
    if result.winner is None:
        return "draw"
    winner = _COLORS.get(result.winner, "?")
    return f"{winner} wins" if result.margin is None else f"{winner} wins by {result.margin}"
