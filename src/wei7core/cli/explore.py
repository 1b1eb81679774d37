"""`wei7core explore`: the next moves in an index as pages of a local server.

Plain HTML without scripts or other files. A page shows one position; its address contains the line of moves and the
number of moves on the board, so that the browser's buttons, links and bookmarks work. Every text of a record or an
address is escaped.
"""

from __future__ import annotations

import re
import string
import sys
from collections import Counter
from functools import cached_property
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import parse_qs, urlencode, urlsplit

from .._util.words import counted
from ..batch.index.hits import Hits
from ..batch.index.index import Index
from ..board.board import Board
from ..board.drawing.geometry import STEP, geometry_of
from ..board.drawing.svg import MAX_SVG_POINTS
from ..board.drawing.themes import theme_named
from ..coordinates import column_name
from ..errors import IndexFileError, Wei7Error
from .arguments import UsageError

if TYPE_CHECKING:
    import argparse

_HOST: Final = "127.0.0.1"
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
_COLORS: Final = {"b": 1, "w": 2}
_LETTERS: Final = " bw"
_NAMES: Final = ("", "Black", "White")
_MOVE: Final = re.compile(r"[bw](?:pass|[A-Z]{1,2}[0-9]{1,3})")
_SIZE: Final = re.compile(r"([0-9]{1,3})x([0-9]{1,3})")
_FILTERS: Final = {"player": "player", "event": "event", "result": "result"}
_DATES: Final = ("since", "until")
_MOST_MOVES: Final = 1000
_MOST_LETTERS_OF_FILTER: Final = 200  # every link of a page repeats the filters
_MOST_ROWS: Final = 40
_MOST_LETTERS: Final = 12
_GAMES: Final = 20
_STYLE: Final = """
body{font:15px/1.4 sans-serif;margin:12px;display:flex;flex-wrap:wrap;gap:16px;max-width:1100px}
svg{max-width:100%;height:auto}a rect{fill:transparent}a:hover rect,a:focus rect{fill:#0003}
table{border-collapse:collapse;margin:8px 0}td,th{padding:1px 8px;text-align:right}td:first-child{text-align:left}
.w{color:#777}.bar{display:inline-block;width:80px;background:#ddd}.bar i{display:block;height:9px;background:#333}
nav a,nav b{margin-right:10px}.panel{flex:1 1 320px;min-width:0;overflow-wrap:anywhere}.wrong{color:#a00}
"""


class Page(NamedTuple):
    """A page: the size of the board, a line of moves as (color, vertex), the number of them on the board, and
    filters.
    """

    size: tuple[int, int]
    line: tuple[tuple[int, str], ...] = ()
    at: int = 0
    filters: tuple[tuple[str, str], ...] = ()

    def url(self) -> str:
        """The address, which `Page.read` reads."""
        parameters = {"size": "x".join(map(str, self.size))}
        if self.line:
            parameters["line"] = ",".join(_LETTERS[color] + vertex for color, vertex in self.line)
            parameters["at"] = str(self.at)
        return "/?" + urlencode([*parameters.items(), *self.filters])

    def after(self, color: int, vertex: str) -> Page:
        """The page after a move: on the same line if it is its next move, else on a new one."""
        if self.line[self.at : self.at + 1] != ((color, vertex),):
            return self.branch(color, vertex)
        return self._replace(at=self.at + 1)

    def branch(self, color: int, vertex: str) -> Page:
        """The page after a move, on a line that ends with it."""
        return self._replace(line=(*self.line[: self.at], (color, vertex)), at=self.at + 1)

    @classmethod
    def read(cls, query: str, size: tuple[int, int]) -> Page:
        """The page of an address, on a board of `size` by default. Raises `ValueError`."""
        parameters = {name: values[-1] for name, values in parse_qs(query, max_num_fields=20).items()}
        if "size" in parameters:
            match = _SIZE.fullmatch(parameters["size"])
            if match is None:
                raise ValueError("expected a size of WIDTHxHEIGHT")
            size = int(match[1]), int(match[2])
        if not 0 < size[0] * size[1] <= MAX_SVG_POINTS:
            raise ValueError(f"expected a board of 1 to {MAX_SVG_POINTS:,} points")
        moves = parameters["line"].split(",") if "line" in parameters else []
        if len(moves) > _MOST_MOVES or not all(map(_MOVE.fullmatch, moves)):
            raise ValueError(f"a line has at most {_MOST_MOVES:,} moves, such as bD4, wpass")
        line = tuple((_COLORS[move[0]], move[1:]) for move in moves)
        at = parameters.get("at", str(len(line)))
        if not re.fullmatch("[0-9]{1,4}", at) or int(at) > len(line):
            raise ValueError("the line has fewer moves")
        filters = tuple((name, parameters[name]) for name in (*_FILTERS, *_DATES) if parameters.get(name, "").strip())
        if any(len(value) > _MOST_LETTERS_OF_FILTER for _, value in filters):
            raise ValueError(f"a filter has at most {_MOST_LETTERS_OF_FILTER} characters")
        return cls(size, line, int(at), filters)

    def board(self) -> Board:
        """The board. Raises `Wei7Error` for a move that cannot be played."""
        board = Board(*self.size)
        for color, vertex in self.line[: self.at]:
            board.play(color, vertex)
        return board

    def where(self) -> dict[str, Any] | None:
        """The filters in the form of the argument `where` of `Index.find`."""
        values = dict(self.filters)
        where: dict[str, Any] = {_FILTERS[name]: values[name] for name in _FILTERS if name in values}
        if any(name in values for name in _DATES):
            where["date"] = values.get("since"), values.get("until")
        return where or None


class ExploreServer(ThreadingHTTPServer):
    """Serves the pages of an index to programs on this machine. `port` 0 selects a free one; see `url`."""

    daemon_threads = True

    def __init__(self, index: Index, port: int = 0) -> None:
        super().__init__((_HOST, port), _Handler)
        self.index = index
        self.games = index.games()
        games = self.games.to_numpy()
        sizes = zip(games["width"].tolist(), games["height"].tolist(), strict=True)
        counted_sizes = Counter(size for size in sizes if 0 < size[0] * size[1] <= MAX_SVG_POINTS)
        self.sizes = [size for size, _ in counted_sizes.most_common(8)] or [(19, 19)]

    def handle_error(self, *_: object) -> None:
        """Ignore browsers that closed the connection early."""

    @property
    def url(self) -> str:
        """The address of the first page."""
        return f"http://{_HOST}:{self.server_port}/"

    @cached_property
    def metadata(self) -> Any:
        """Players, dates and results as a `pyarrow.Table`; None if the index has none."""
        try:
            return self.index.metadata(["black", "white", "date", "result_raw"])
        except (ImportError, ValueError):
            return None

    def page(self, place: Page) -> str:
        """The page of a place. Raises `ValueError` and `Wei7Error` for an invalid one."""
        board = place.board()
        hits, wrong = None, ""
        try:
            hits = self.index.find(board, where=place.where())
        except (ValueError, ImportError) as error:
            wrong = f'<p class="wrong">{escape(str(error))}</p>'
        rows = [] if hits is None else list(hits.continuations(folded=True))
        points = [row.point for row in rows if row.point not in ("tenuki", "pass")]
        letters = dict(zip(points[:_MOST_LETTERS], string.ascii_uppercase, strict=False))
        parts = [f"<div>{_navigation(place, self.sizes)}{_picture(board, place, letters)}</div>", '<div class="panel">']
        parts += [_form(place), wrong]
        if hits is not None:
            parts += [f"<p><b>{counted(len(hits), 'game')}</b> of {len(self.index):,} have this position.</p>"]
            parts += [_table(rows, place, letters), self._games(hits)]
        return _document("".join(parts) + "</div>")

    def _games(self, hits: Hits) -> str:
        """The first games with the position."""
        numbers = hits.games[:_GAMES].tolist()
        if not numbers:
            return ""
        lines = []
        for number in numbers:
            row = self.games[number]
            parts = [f"{row.source}#{row.record}"]
            if self.metadata is not None:
                black, white, date, result = (column[number].as_py() for column in self.metadata.columns)
                parts = [f"{black or '?'} \u2013 {white or '?'}", date or "", result or "", *parts]
            lines.append(f"<li>{escape(', '.join(filter(None, parts)))}</li>")
        return f"<h2>Games</h2><ol>{''.join(lines)}</ol>"


class _Handler(BaseHTTPRequestHandler):
    server: ExploreServer
    server_version = "wei7core"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        """Answer with a page."""
        # Pages of other sites can reach this server only under their own host names.
        if self.headers.get("Host", "") not in {f"{name}:{self.server.server_port}" for name in (_HOST, "localhost")}:
            self._answer(403, _document("<p>This server answers only programs on its own machine.</p>"))
            return
        address = urlsplit(self.path)
        if address.path != "/":
            self._answer(404, _document('<p>Page not found. <a href="/">Start</a></p>'))
            return
        try:
            text = self.server.page(Page.read(address.query, self.server.sizes[0]))
        except (ValueError, Wei7Error) as error:
            body = f'<p class="wrong">{escape(str(error))}</p><p><a href="/">Start</a></p>'
            self._answer(400, _document(body))
            return
        self._answer(200, text)

    do_HEAD = do_GET  # noqa: N815 - a name required by the standard library

    def _answer(self, status: int, text: str) -> None:
        data = text.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in (
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Length", str(len(data))),
            ("Content-Security-Policy", _POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Do not log requests."""


def explore(args: argparse.Namespace) -> bool:
    """Serve the index `args.folder` until the user interrupts it."""
    try:
        index = Index.open(args.folder)
        server = ExploreServer(index, args.port)
    except IndexFileError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        if error.filename is not None:
            raise
        raise UsageError(f"port {args.port}: {error.strerror}") from None
    except OverflowError:
        raise UsageError(f"port {args.port} is out of range (0 to 65535)") from None
    with server:
        print(f"{server.url} - {counted(len(index), 'game')}; Ctrl-C ends", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print(file=sys.stderr)
    return True


# --- pages -------------------------------------------------------------------


def _document(body: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Explore games</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style></head>\n<body>{body}</body></html>\n"
    )


def _link(place: Page | None, text: str) -> str:
    return f"<b class=w>{text}</b>" if place is None else f'<a href="{escape(place.url())}">{text}</a>'


def _navigation(place: Page, sizes: list[tuple[int, int]]) -> str:
    back = place._replace(at=place.at - 1) if place.at else None
    forward = place._replace(at=place.at + 1) if place.at < len(place.line) else None
    links = [_link(place._replace(at=0) if place.at else None, "start"), _link(back, "back"), _link(forward, "forward")]
    links += [
        _link(Page(size, filters=place.filters), f"{size[0]}&times;{size[1]}") for size in sizes if size != place.size
    ]
    return f"<nav>{''.join(links)}</nav>"


def _picture(board: Board, place: Page, letters: dict[str, str]) -> str:
    """The board, with a link on each playable point."""
    size = width, height = place.size
    color = board.to_play
    at = geometry_of(size, (0, 0, width - 1, height - 1), "gtp", theme_named("wood"))
    links = []
    # The addresses of new lines differ in the last vertex alone.
    before, parameter, after = escape(place.branch(color, "").url()).partition("&amp;at=")
    following = place.line[place.at : place.at + 1]
    columns = [column_name(x) for x in range(width)]
    for x, y in board.legal(color):
        vertex = f"{columns[x]}{height - y}"
        address = f"{before}{vertex}{parameter}{after}"
        if following == ((color, vertex),):
            address = escape(place.after(color, vertex).url())
        left, top = at.xs[x] - STEP / 2, at.ys[y] - STEP / 2
        links.append(
            f'<a href="{address}"><rect x="{left:g}" y="{top:g}" width="{STEP}" height="{STEP}">'
            f"<title>{vertex}</title></rect></a>"
        )
    svg = board.svg(theme="wood", coordinates="gtp", marks=list(letters.items()))
    turn = f"{_NAMES[color]} to play. {_link(place.after(color, 'pass'), 'Pass')}"
    return svg.replace('role="img"', 'role="group"', 1).replace("</svg>", "".join(links) + "</svg>") + f"<p>{turn}</p>"


def _form(place: Page) -> str:
    values = dict(place.filters)
    parts = [f'<input type="hidden" name="size" value="{"x".join(map(str, place.size))}">']
    query = parse_qs(urlsplit(place.url()).query)
    parts += [f'<input type="hidden" name="{n}" value="{escape(query[n][0])}">' for n in ("line", "at") if n in query]
    for name in (*_FILTERS, *_DATES):
        value = escape(values.get(name, ""))
        parts.append(f'<label>{name} <input name="{name}" value="{value}" size="10"></label> ')
    return f'<form action="/">{"".join(parts)}<button>filter</button></form>'


def _table(rows: list[Any], place: Page, letters: dict[str, str]) -> str:
    total = sum(row.games for row in rows)
    lines = []
    for row in rows[:_MOST_ROWS]:
        share = 100 * row.games / total
        decided = row.black_wins + row.white_wins
        wins = row.black_wins if row.color == 1 else row.white_wins
        rate = f"{100 * wins / decided:.0f}%" if decided else ""
        name = f"{letters.get(row.point, '')} {_NAMES[row.color]} {row.point}".strip()
        lines.append(
            f"<tr><td>{_link(place.after(row.color, row.point), escape(name))}</td><td>{row.games:,}</td>"
            f'<td><span class="bar"><i style="width:{share:.0f}%"></i></span></td><td>{row.black_wins:,}</td>'
            f"<td>{row.white_wins:,}</td><td>{row.other:,}</td><td>{rate}</td></tr>"
        )
    head = "".join(f"<th>{name}</th>" for name in ("move", "games", "", "Black won", "White won", "other", "win rate"))
    return f"<table><tr>{head}</tr>{''.join(lines)}</table>" if lines else "<p>No game continues from here.</p>"
