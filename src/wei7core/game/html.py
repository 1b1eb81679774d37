"""A viewer of one game in one piece of HTML: no network, no other files.

The boards are replayed here: for each node the page has the changes of the board since its parent, so that the script
of `viewer/` needs no rules. Texts of the record are data of the script and become text, never markup.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .._util._native import numbers_with
from .._util.files import write_whole
from ..board.drawing.arguments import coordinates_of, symbols_of
from ..board.drawing.geometry import RADIUS, STEP, Geometry, geometry_of
from ..board.drawing.svg import MAX_SVG_POINTS
from ..board.drawing.themes import Theme, theme_named
from ..record.document import MarkAction, Message, Result, Takeback
from ..replaying.cursor import Node
from ..replaying.picture import options_of_record
from .go_problems import find_questions
from .node_tree import NodeTree, read_tree

if TYPE_CHECKING:
    from os import PathLike

    from .game import Game

_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_WIDTH: Final = 560  # pixels of a board, at most
_COLORS: Final = {1: "Black", 2: "White"}


def page(game: Game, path: str | PathLike[str] | None, **options: Any) -> str:
    """Return the viewer as a complete page, and write it to `path` if given."""
    title = options.pop("title", None) or _heading(game) or "A game of Go"
    text = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n</head>\n<body>\n"
        f"{game_html(game, is_page=True, **options)}\n</body>\n</html>\n"
    )
    if path is not None:
        with write_whole(path) as file:
            file.write(text)
    return text


def game_html(
    game: Game, *, theme: str | Theme = "wood", coordinates: str | bool | None = True, is_page: bool = False
) -> str:
    """Return the viewer of a game as an HTML fragment.

    Raises `ValueError` for a board of more than `MAX_SVG_POINTS` points or of unknown size, and as `Game.walk` does.
    """
    width, height = game.size
    if not 0 < width * height <= MAX_SVG_POINTS:
        raise ValueError(f"a viewer of {width} x {height} points is not possible: 1 to {MAX_SVG_POINTS:,} points")
    colors = theme_named(theme)
    place = geometry_of((width, height), (0, 0, width - 1, height - 1), coordinates_of(coordinates), colors)
    tree = read_tree(game)
    data = {
        "size": [width, height],
        "timeline": game.timeline,
        "page": is_page,
        "picture": _picture_data(place, colors),
        "nodes": _rows(game, tree),
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    heading = escape(_heading(game))
    return (
        f'<div class="w7core" tabindex="0"><style>{_asset("viewer.css")}</style>'
        f'<div class="w7-head">{heading}</div>{_svg(tree, place, colors)}'
        f'<script type="application/json">{text}</script></div>\n<script>{_asset("viewer.js")}</script>'
    )


@cache
def _asset(name: str) -> str:
    text = files(__package__).joinpath("viewer", name).read_text(encoding="utf-8")
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def _heading(game: Game) -> str:
    info = game.info
    names = [name for name in (info.black_name, info.white_name) if name]
    parts = [info.name or "", " \u2013 ".join(names) if len(names) == 2 else "".join(names)]
    if info.result is not None:
        parts.append(_result_words(info.result))
    return ", ".join(part for part in parts if part)


def _result_words(result: Result) -> str:
    if result.winner is None:
        return "draw"
    words = f"{_COLORS.get(result.winner, '?')} wins"
    return words if result.margin is None else f"{words} by {result.margin}"


# --- the picture ------------------------------------------------------------------------------------------


def _picture_data(place: Geometry, colors: Theme) -> dict[str, Any]:
    return {
        "xs": place.xs,
        "ys": place.ys,
        "step": STEP,
        "radius": RADIUS,
        "width": place.width,
        "height": place.height,
        "colors": {name: getattr(colors, name) for name in Theme.__slots__},
    }


def _svg(tree: NodeTree, place: Geometry, colors: Theme) -> str:
    """The empty board and, for readers without scripts, the stones at the end of the main line."""
    scale = min(1.5, _WIDTH / place.width)
    end = 0
    while tree.children[end]:
        end = tree.children[end][0]
    cells = tree.nodes[end].board.to_array().tobytes()
    stones = []
    for color, fill, edge in ((1, colors.black, colors.black_edge), (2, colors.white, colors.white_edge)):
        stones.append(f'<g fill="{fill}" stroke="{edge}">')
        stones += [place.circles[at] for at in numbers_with(cells, color)]
        stones.append("</g>")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Go board, {place.size[0]} x {place.size[1]}"'
        f' width="{place.width * scale:.6g}" height="{place.height * scale:.6g}"'
        f' viewBox="0 0 {place.width} {place.height}">'
        f'<rect width="{place.width}" height="{place.height}" fill="{colors.paper}"/>{place.frame}{place.texts}'
        f'<g class="w7-top" font-family="Helvetica,Arial,sans-serif" font-weight="bold" text-anchor="middle">'
        f"{''.join(stones)}</g></svg>"
    )


# --- the nodes --------------------------------------------------------------------------------------------


def _rows(game: Game, tree: NodeTree) -> list[list[Any]]:
    """One row a node: its parent, the changes of the board (3 * point + color), and its other data."""
    questions = find_questions(game, tree)
    uses = [len(children) for children in tree.children]
    boards: dict[int, np.ndarray[Any, Any]] = {}
    numbers: list[int] = []
    times: list[Any] = []
    rows = []
    for index, (node, parent) in enumerate(zip(_walked(game, tree), tree.parents, strict=True)):
        cells = node.board.to_array().ravel()
        before = boards[parent] if parent >= 0 else np.zeros_like(cells)
        changed = np.flatnonzero(cells != before)
        fields = _node_fields(game, node)
        if index in questions.colors:
            fields["q"] = questions.colors[index]
        if index in questions.good:
            fields["e"] = 1 if questions.good[index] else -1
        # The script computes the usual values of these itself.
        if node.move_number != (numbers[parent] if parent >= 0 else 0) + ("m" in fields):
            fields["n"] = node.move_number
        if node.effective_time != (times[parent] if parent >= 0 else None):
            fields["t"] = float(node.effective_time or 0)
        numbers.append(node.move_number)
        times.append(node.effective_time)
        rows.append([parent, (3 * changed + cells[changed]).tolist(), *([fields] if fields else [])])
        if uses[index]:
            boards[index] = cells
        if parent >= 0:
            uses[parent] -= 1
            if not uses[parent]:
                del boards[parent]
    return rows


def _walked(game: Game, tree: NodeTree) -> Iterator[Node]:
    """The nodes of a tree, each while the walk has its board; separately, each would replay the moves before it."""
    wanted = iter(tree.nodes)
    waiting = next(wanted, None)
    for node in game.walk():
        if waiting is not None and node.branch is waiting.branch and node.step_index == waiting.step_index:
            yield node
            waiting = next(wanted, None)


def _node_fields(game: Game, node: Node) -> dict[str, Any]:
    """The data of a node without its board, under short names, the same as in the script."""
    width, height = game.size
    fields: dict[str, Any] = {}
    if node.move is not None:
        color, point = node.move
        fields["m"] = [color, -1 if point is None else point[1] * width + point[0]]
    title = node.branch.title if node.step is None else node.step.title
    if title:
        fields["h"] = title
    if node.comment:
        fields["c"] = node.comment
    action = _action_words(game, node)
    if action:
        fields["a"] = action
    shown = options_of_record(node, game.document)
    marks = shown["marks"]
    if node.step is not None and isinstance(node.step.action, MarkAction):
        marks = [*marks, (node.step.action.point, node.step.action.symbol)]
    if marks:
        inside = [mark for mark in marks if isinstance(mark, tuple) or _is_inside(mark.point, width, height)]
        symbols = symbols_of(inside, (width, height))
        fields["k"] = [
            [place, symbol.text, *([symbol.shape] if symbol.shape else [])] for place, symbol in symbols.items()
        ]
    pairs = [(pair, 1) for pair in shown.get("arrows", ())] + [(pair, 0) for pair in shown.get("lines", ())]
    if pairs:
        fields["l"] = [[y1 * width + x1, y2 * width + x2, head] for ((x1, y1), (x2, y2)), head in pairs]
    return fields


def _is_inside(point: tuple[int, int], width: int, height: int) -> bool:
    return 0 <= point[0] < width and 0 <= point[1] < height


def _action_words(game: Game, node: Node) -> str:
    if node.step is None:
        return ""
    action, actor = node.step.action, node.step.actor
    people = game.info.participants
    name = (people[actor].name or "") if actor is not None and 0 <= actor < len(people) else ""
    before = f"{name}: " if name else ""
    if isinstance(action, Takeback):
        return f"{before}{action.count} move{'' if action.count == 1 else 's'} taken back"
    if isinstance(action, Result):
        return f"{before}{_result_words(action)}"
    return f"{before}{action.text}" if isinstance(action, Message) else ""
