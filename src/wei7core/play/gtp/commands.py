"""The commands of an engine: those that GTP 2 requires, and those that controllers usually look for.

Section numbers are those of the specification, draft 2. `kata-` and `lz-` commands follow KataGo's "GTP Extensions".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from ...board import draw
from ...board.board import Board
from ...board.handicap import fixed_handicap, most_fixed
from ...coordinates import Point, from_gtp, to_gtp
from ...errors import CommandError, IllegalMoveError, IllegalPositionError, Wei7Error
from ...game.dump import dumps
from ...game.game import Game
from ...game.load import load
from ...game.scoring import score
from ...record.document import GameRules, Setup, Stone
from ...record.points import komi_in_points
from ...rules import Dead, Scoring
from .. import katago_rules
from ..evaluation import MoveInfo, Report
from .protocol import color_of, vertex_text
from .reports import format_report

if TYPE_CHECKING:
    from .engine import AnalyzeRequest, Engine

Handler = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Parameters:
    """The arguments of a command.

    `kinds` names the kind of each; the last one may end in "*" for any number of them, a kind in "?" may be absent.
    `streams`: the handler also receives a function that returns whether the controller has sent more. `needs`: the
    attribute of the engine that enables the command.
    """

    kinds: tuple[str, ...] = ()
    streams: bool = False
    needs: str = ""


STANDARD: Final[dict[str, tuple[Handler, Parameters | None]]] = {}


def _standard(name: str, *kinds: str, streams: bool = False, needs: str = "") -> Callable[[Handler], Handler]:
    def add(function: Handler) -> Handler:
        STANDARD[name] = function, Parameters(kinds, streams, needs)
        return function

    return add


def arguments_of(name: str, words: tuple[str, ...], parameters: Parameters, board: Board) -> list[Any]:
    """Return the arguments that the words of a command mean. Raises `CommandError` (`syntax error`) otherwise."""
    arguments: list[Any] = []
    kinds = parameters.kinds
    remaining = list(words)
    for kind in kinds:
        if kind.endswith("*"):
            arguments.append([_argument(name, word, kind[:-1], board) for word in remaining])
            remaining = []
        elif remaining:
            arguments.append(_argument(name, remaining.pop(0), kind.rstrip("?"), board))
        elif kind.endswith("?"):
            arguments.append(None)
        else:
            raise CommandError(f"syntax error: {name} takes {' '.join(kinds)}")
    if remaining:
        raise CommandError(f"syntax error: {name} takes {' '.join(kinds) or 'no arguments'}")
    return arguments


def _argument(name: str, word: str, kind: str, board: Board) -> Any:
    try:
        if kind == "int":
            if not (word.isascii() and word.isdecimal() and len(word) < 10):
                raise ValueError(f"{word[:20]!r} is not an integer")
            return int(word)
        if kind == "float":
            try:
                number = float(word)
            except ValueError:
                number = math.nan
            if not math.isfinite(number):
                raise ValueError(f"{word[:20]!r} is not a finite number")
            return number
        if kind == "color":
            return color_of(word)
        if kind == "move":
            return from_gtp(word, *board.size)
    except ValueError as error:
        raise CommandError(f"syntax error: {name}: {error}") from None
    return word


# --- required (6.1, 6.3) --------------------------------------------------------------------------------


@_standard("protocol_version")
def _protocol_version(_engine: Engine) -> str:
    return "2"


@_standard("name")
def _name(engine: Engine) -> str:
    return engine.name


@_standard("version")
def _version(engine: Engine) -> str:
    return engine.version


@_standard("known_command", "word?")
def _known_command(engine: Engine, name: str | None) -> str:
    return "true" if name in engine.commands else "false"


@_standard("list_commands")
def _list_commands(engine: Engine) -> str:
    return "\n".join(engine.commands)


@_standard("quit")
def _quit(engine: Engine) -> None:
    engine.finished = True


@_standard("boardsize", "int", "int?")
def _boardsize(engine: Engine, width: int, height: int | None) -> None:
    height = width if height is None else height
    if not (1 <= width <= engine.largest and 1 <= height <= engine.largest):
        raise CommandError("unacceptable size")
    engine.restart(width, height)


@_standard("rectangular_boardsize", "int", "int")
def _rectangular_boardsize(engine: Engine, width: int, height: int) -> None:
    _boardsize(engine, width, height)


@_standard("clear_board")
def _clear_board(engine: Engine) -> None:
    engine.restart(*engine.board.size)


@_standard("komi", "float")
def _komi(engine: Engine, komi: float) -> None:
    engine.komi = komi


@_standard("get_komi")
def _get_komi(engine: Engine) -> str:
    return format(engine.komi, "g")


@_standard("play", "color", "move")
def _play(engine: Engine, color: int, point: Point | None) -> None:
    engine.require_legal(color, point)
    engine.board.play(color, point)


@_standard("genmove", "color", needs="choose")
def _genmove(engine: Engine, color: int) -> str:
    move = engine.chosen(color)
    if not isinstance(move, str):
        engine.board.play(color, move)
    return vertex_text(move, *engine.board.size)


@_standard("reg_genmove", "color", needs="choose")
def _reg_genmove(engine: Engine, color: int) -> str:
    return vertex_text(engine.chosen(color), *engine.board.size)


@_standard("undo")
def _undo(engine: Engine) -> None:
    try:
        engine.board.undo()
    except IllegalMoveError:
        raise CommandError("cannot undo") from None


# --- handicap (4.1, 6.3.2) ------------------------------------------------------------------------------


@_standard("fixed_handicap", "int")
def _fixed_handicap(engine: Engine, stones: int) -> str:
    _require_empty(engine)
    try:
        return _place(engine, fixed_handicap(stones, *engine.board.size))
    except ValueError:
        raise CommandError("invalid number of stones") from None


@_standard("place_free_handicap", "int")
def _place_free_handicap(engine: Engine, stones: int) -> str:
    _require_empty(engine)
    most = most_fixed(*engine.board.size)
    if stones < 2 or not most:
        raise CommandError("invalid number of stones")
    return _place(engine, fixed_handicap(min(stones, most), *engine.board.size))


@_standard("set_free_handicap", "move*")
def _set_free_handicap(engine: Engine, points: list[Point | None]) -> None:
    _require_empty(engine)
    stones = [point for point in points if point is not None]
    if len(stones) < 2 or len(stones) != len(points):
        raise CommandError("bad vertex list")
    _place(engine, stones)


@_standard("set_position", "word*")
def _set_position(engine: Engine, words: list[str]) -> None:
    if len(words) % 2:
        raise CommandError("syntax error: set_position takes a color and a vertex for each stone")
    board = Board(*engine.board.size)
    stones = [
        (_argument("set_position", color, "color", board), _argument("set_position", vertex, "move", board))
        for color, vertex in zip(words[::2], words[1::2], strict=True)
    ]
    try:
        board.setup(stones)
    except (IllegalPositionError, TypeError) as error:
        raise CommandError(f"illegal position: {error}") from None
    engine.board = board
    engine.handicap = 0


def _require_empty(engine: Engine) -> None:
    if engine.board.move_count or engine.board.to_array().any():
        raise CommandError("board not empty")


def _place(engine: Engine, points: list[Point]) -> str:
    try:
        engine.board.setup([(1, point) for point in points])
    except IllegalPositionError:
        raise CommandError("bad vertex list") from None
    engine.handicap = len(points)
    return " ".join(vertex_text(point, *engine.board.size) for point in points)


# --- time (4.2, 6.3.2) ----------------------------------------------------------------------------------


@_standard("time_settings", "int", "int", "int")
def _time_settings(engine: Engine, main: int, overtime: int, stones: int) -> None:
    # No overtime stones with an overtime mean no time limit (4.2).
    engine.time_settings = None if overtime and not stones else (main, overtime, stones)
    engine.time_left.clear()


@_standard("time_left", "color", "float", "int")
def _time_left(engine: Engine, color: int, seconds: float, stones: int) -> None:
    engine.time_left[color] = seconds, stones


# --- records and rules ----------------------------------------------------------------------------------


@_standard("loadsgf", "word", "int?")
def _loadsgf(engine: Engine, path: str, move_number: int | None) -> str:
    """Set up the position before move `move_number`, or the last one; answers with the color to play."""
    try:
        game = load(path, strict=False)
    except (OSError, Wei7Error):
        raise CommandError("cannot load file") from None
    if not all(1 <= side <= engine.largest for side in game.size):
        raise CommandError("unacceptable size")
    end = color = None
    try:
        for node in game.main_line():
            if node.move is not None and move_number is not None and node.move_number >= move_number:
                color = node.move[0]
                break
            end = node
    except (OSError, Wei7Error):
        raise CommandError("cannot load file") from None
    assert end is not None
    engine.board = end.board
    engine.handicap = game.handicap if game.handicap > 1 else 0
    if game.info.rules is not None and game.info.rules.komi is not None:
        engine.komi = float(komi_in_points(game.info.rules.komi, game.rules))
    return "black" if (color or end.to_play) == 1 else "white"


@_standard("printsgf", "word?")
def _printsgf(engine: Engine, path: str | None) -> str:
    game = Game(engine.board.size)
    game.info.rules = GameRules(komi=engine.komi)
    moves = engine.board.moves()
    start = engine.board.copy()
    start.undo(len(moves))
    stones = [(color, point) for color in (1, 2) for block in start.blocks(color) for point in block]
    if stones:
        game.tree.pre = Setup([Stone(color, point) for color, point in stones])
    for color, point in moves:
        game.tree.play(color, point)
    data = dumps(game, format="sgf")
    if path is None or path == "-":
        return data.decode("utf-8")
    try:
        with open(path, "wb") as file:
            file.write(data)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from None
    return ""


@_standard("showboard")
def _showboard(engine: Engine) -> str:
    board = engine.board
    last = board.last_move
    text = draw.text(board.to_array(), last=None if last is None else last[1])
    captured = f"Black has captured {board.white_captured}, White {board.black_captured}"
    return f"\n{text}\n{captured}"


@_standard("kata-get-rules")
def _get_rules(engine: Engine) -> str:
    return katago_rules.to_json(engine.rules)


@_standard("kata-set-rules", "word*")
def _set_rules(engine: Engine, words: list[str]) -> None:
    try:
        engine.rules = katago_rules.from_text(" ".join(words))
    except ValueError as error:
        raise CommandError(str(error)) from None


# --- counting (6.3.3) -----------------------------------------------------------------------------------


@_standard("final_score")
def _final_score(engine: Engine) -> str:
    rules = engine.rules
    if rules.scoring is Scoring.NONE:
        raise CommandError("cannot score")
    dead = [] if rules.dead is Dead.NONE else _dead_points(engine)
    result = score(engine.board, rules, dead, engine.komi, engine.handicap)
    text = str(result)
    return "0" if text.lower() in ("0", "draw") else text


@_standard("final_status_list", "word")
def _final_status_list(engine: Engine, status: str) -> str:
    if status not in ("alive", "dead", "seki"):
        raise CommandError("syntax error: final_status_list takes alive, dead or seki")
    dead = set(_dead_points(engine))
    blocks = [] if status == "seki" else [set(block) for block in engine.board.blocks()]
    wanted = [block for block in blocks if bool(block & dead) == (status == "dead")]
    lines = (sorted(block, key=lambda point: (point[1], point[0])) for block in wanted)
    return "\n".join(" ".join(to_gtp(point, *engine.board.size) for point in line) for line in lines)


def _dead_points(engine: Engine) -> list[Point]:
    return [] if engine.find_dead is None else list(engine.find_dead(engine.board))


# --- analysis -------------------------------------------------------------------------------------------


def _analysis(name: str, *, is_lz: bool, decides: bool) -> None:
    def handle(engine: Engine, words: list[str], is_interrupted: Callable[[], bool]) -> Iterator[str]:
        request = _request(engine, name, words, is_interrupted)
        request.decides = decides
        return _stream(engine, request, is_lz)

    _standard(name, "word*", streams=True, needs="reports")(handle)


def _stream(engine: Engine, request: AnalyzeRequest, is_lz: bool) -> Iterator[str]:
    assert engine.reports is not None
    size = engine.board.size
    best: MoveInfo | None = None
    for found in engine.reports(engine.board, request):
        report = found if isinstance(found, Report) else Report(list(found))
        report.moves = sorted(report.moves, key=lambda info: info.order)[: request.max_moves]
        if not request.ownership:
            report.ownership = report.ownership_stdev = None
        best = report.best or best
        yield format_report(report, *size, is_lz=is_lz, root=request.root_info)
        if request.interrupted:
            break
    if request.decides:
        move = engine.chosen(request.color) if engine.choose else None if best is None else best.move
        move = engine.checked(request.color, move)
        if not isinstance(move, str):
            engine.board.play(request.color, move)
        yield f"play {vertex_text(move, *size)}"


def _request(engine: Engine, name: str, words: list[str], is_interrupted: Callable[[], bool]) -> AnalyzeRequest:
    """Parse `[color] [interval] key value ...`; an interval is in hundredths of a second."""
    from .engine import AnalyzeRequest

    last = engine.board.last_move
    request = AnalyzeRequest(1 if last is None else 3 - last[0], is_interrupted=is_interrupted)
    if last is None and engine.handicap:
        request.color = 2
    remaining = iter(words)
    word = next(remaining, None)
    if word is not None and word.lower() in ("b", "black", "w", "white"):
        request.color = color_of(word)
        word = next(remaining, None)
    if word is not None and _is_number(word):
        request.interval = float(word) / 100
        word = next(remaining, None)
    while word is not None:
        values = [next(remaining, "") for _ in range(3 if word in ("avoid", "allow") else 1)]
        if not values[-1]:
            raise CommandError(f"syntax error: {name}: {word} has no value")
        value = " ".join(values)
        if word == "interval" and _is_number(value):
            request.interval = float(value) / 100
        elif word in ("minmoves", "maxmoves") and value.isdecimal():
            setattr(request, "min_moves" if word == "minmoves" else "max_moves", int(value))
        elif word in ("ownership", "rootInfo"):
            setattr(request, "ownership" if word == "ownership" else "root_info", value == "true")
        else:
            request.options[word] = value
        word = next(remaining, None)
    return request


def _is_number(word: str) -> bool:
    return word.isascii() and word.replace(".", "", 1).isdecimal()


for _command in ("lz-analyze", "kata-analyze", "analyze"):
    _analysis(_command, is_lz=_command.startswith("lz"), decides=False)
for _command in ("lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze"):
    _analysis(_command, is_lz=_command.startswith("lz"), decides=True)
