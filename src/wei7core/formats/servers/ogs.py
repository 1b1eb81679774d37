"""Reader for games of the Online-Go Server in JSON.

The format has no official description. This reader follows the server's viewer, which is free software, and games
returned by its interface: `gamedata` or the object itself with `width`, `height`, `players`, `komi`, `rules`,
`handicap`, `time_control`, `initial_state` (points as pairs of letters), `initial_player`, `outcome`, `winner`, and
`moves`: lists `[x, y, milliseconds]` from the upper left, where -1 is a pass, or a text of pairs of letters. The
colours take turns; with `free_handicap_placement` the first stones are all Black's. In reviews and problems `move_tree`
has more, and the messages of a review (`full_state`, or a list of them alone) have its variations: see `ogs_tree`.
Times of moves and pen drawings are ignored.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from datetime import datetime, timezone
from math import floor, isfinite
from typing import Any, Final

import numpy as np

from ...limits import DEFAULT_LIMITS, Limits
from ...record.document import Point
from ...record.record import Record
from ...record.result import GameResult
from ..record_columns import UNREADABLE
from .json_values import JsonError, JsonObject, parse
from .move_lines import PASS, Array, MoveRun, Moves
from .ogs_tree import Pair, TreeReader, is_inside, letters, whole
from .server_games import BLACK, WHITE, ServerGame, decode_with

_MOVES: Final = re.compile(rb'"moves"\s*:\s*\[')
_MOVE: Final = re.compile(rb"\[\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\b")
_NAME: Final = re.compile(rb'"(?:game_name|name)"\s*:\s*"((?:[^"\\]|\\.)*)"')
_RULES: Final = {"aga": "AGA", "nz": "NZ"}
_POINTS: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,2})?) points?", re.ASCII)
_ENDS: Final = (("Resign", "R"), ("Time", "T"), ("Disq", "F"), ("Aband", "F"), ("Disc", "F"))
_MOST_SIDE: Final = 25
_FIRST_DAN: Final = 30
_TIMES: Final = {  # system -> the member with the main time, and the overtime as the server writes it in OT of SGF
    "byoyomi": ("main_time", "{periods}x{period_time} byo-yomi"),
    "canadian": ("main_time", "{stones_per_period}/{period_time} canadian"),
    "fischer": ("initial_time", "{time_increment} fischer"),
    "simple": (None, "{per_move} simple"),
    "absolute": ("total_time", ""),
}
_MOST_COORDINATE: Final = 9999
_IN_A_TREE: Final = re.compile(rb'"(?:move_tree|full_state)"\s*:')
_LONGEST_TIME: Final = 1 << 40
_LAST_TIME: Final = 1 << 37


def decode(data: bytes, *, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Record:
    """Decode one game; JSON is in Unicode, whatever `encoding` is.

    Never raises for the content of the bytes: every problem is in the record's `problems`. Raises `LookupError` for an
    unknown `encoding`. Thread safe.
    """
    return decode_with("ogs", functools.partial(read, depth=limits.max_depth), data, encoding, limits)


def read(data: bytes, encoding: str | None, depth: int = DEFAULT_LIMITS.max_depth) -> ServerGame:  # noqa: ARG001 - a Reader
    """Return the content of a record of at most `depth` levels. Thread safe."""
    game = ServerGame()
    obj = _parsed(game, data, depth)
    for name in ("gamedata", "puzzle"):
        inner = obj.get(name)
        obj = {**obj, **inner} if isinstance(inner, dict) else obj
    opening = _MOVES.search(data)
    if not obj and opening is not None:  # the JSON is invalid: the moves before the error
        obj = {"moves": [[int(place[1]), int(place[2])] for place in _MOVE.finditer(data, opening.end())]}
    game.is_game = bool(obj)
    game.head = max(data.find(b"{"), 0)
    if not game.is_game:
        return game
    title = _NAME.search(data)
    if title is not None and title[1]:
        game.title = title.span(1)
    _about_the_game(game, obj)
    _add_moves(game, obj, data, -1 if opening is None else opening.end())
    game.check_points()
    return game


def _parsed(game: ServerGame, source: bytes, depth: int) -> dict[str, Any]:
    twice: list[str] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            twice.append(max((name for name, _ in pairs), key=[name for name, _ in pairs].count))
        return made

    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = source.decode("utf-8-sig", "replace")
        game.report("encoding-invalid", error.start, "text", "the text is not UTF-8")
    is_tree = b"move_tree" in source or b"full_state" in source
    if (is_tree and _IN_A_TREE.search(source)) or text.lstrip().startswith("["):
        return _parsed_with_places(game, source, depth)
    try:
        obj = json.loads(text, object_pairs_hook=members)
    except RecursionError:
        game.report("limit-depth", 0, "text", "the JSON nests too deeply")
        return {}
    except json.JSONDecodeError as error:
        offset = min(len(text[: error.pos].encode("utf-8", "replace")), len(source))
        game.report("json-syntax", offset, "text", f"the text is not JSON: {error.msg}")
        return {}
    except ValueError:  # an integer of thousands of digits
        game.report("json-syntax", 0, "text", "the text has a number that is too long")
        return {}
    for name in twice[:1]:
        game.report("value-invalid", 0, "text", f"the member {name[:40]!r} occurs twice; the last one counts")
    return obj if isinstance(obj, dict) else {}


def _parsed_with_places(game: ServerGame, source: bytes, depth: int) -> dict[str, Any]:
    try:
        value, twice = parse(source, depth)
    except JsonError as error:
        game.report(error.code, error.offset, "text", f"the text is not read from here on: {error.message}")
        value, twice = error.value, []
    for name, offset in twice[:1]:
        game.report("value-invalid", offset, "text", f"the member {name[:40]!r} occurs twice; the last one counts")
    if isinstance(value, list):  # the messages of a review
        data = (one["gamedata"] for one in value if isinstance(one, dict) and isinstance(one.get("gamedata"), dict))
        return {**next(data, {}), "full_state": value} if value else {}
    return value if isinstance(value, dict) else {}


def _about_the_game(game: ServerGame, obj: dict[str, Any]) -> None:
    width, height = (obj.get(name, 19) for name in ("width", "height"))
    if whole(width, 1, _MOST_SIDE) and whole(height, 1, _MOST_SIDE):
        game.size, game.height = width, height
    else:
        game.report(
            "size-invalid", game.head, "size", f"{width!r:.20} x {height!r:.20} is not a board size; 19 x 19 is assumed"
        )
    header, players = game.header, obj.get("players")
    header["GN"] = _text(obj.get("game_name")) or _text(obj.get("name"))
    for color, name, rank in (("black", "PB", "BR"), ("white", "PW", "WR")):
        player = players.get(color) if isinstance(players, dict) else None
        if isinstance(player, dict):
            header[name], header[rank] = _text(player.get("username")) or _text(player.get("name")), _rank(player)
    rules = _text(obj.get("rules"))
    header["RU"] = _RULES.get(rules, rules.capitalize())
    try:
        komi = float(obj.get("komi"))  # type: ignore[arg-type]  # anything: a wrong type is no komi
    except (TypeError, ValueError, OverflowError):
        komi = float("nan")
    if isfinite(komi) and abs(komi) < _MOST_SIDE**2:
        header["KM"] = f"{komi:.2f}".rstrip("0").rstrip(".")
    if whole(obj.get("handicap"), 2, 99):
        header["HA"] = str(obj["handicap"])
    start = obj.get("start_time")
    if whole(start, 1, _LAST_TIME):
        header["DT"] = datetime.fromtimestamp(start, tz=timezone.utc).strftime("%Y-%m-%d")
    header["RE"] = _result(game, obj)
    header["TM"], header["OT"] = _times(obj.get("time_control"))
    state = obj.get("initial_state")
    sides = game.size, game.height or game.size
    for color, stones in (("black", game.stones), ("white", game.white_stones)):
        for _, point, _ in letters(state.get(color) if isinstance(state, dict) else ""):
            if point is None or not is_inside(point, sides):
                name = "an unreadable point" if point is None else f"the point {point} off the board"
                game.report("value-invalid", game.head, "initial_state", f"{name} has no stone at the start")
            elif point not in game.stones and point not in game.white_stones:
                stones.append(point)


def _rank(player: dict[str, Any]) -> str:
    rank = player.get("rank")
    if isinstance(rank, bool) or not isinstance(rank, (int, float)) or not 0 < rank < 50:
        return ""
    if player.get("professional") is True:
        return f"{max(floor(rank) - 36, 1)}p"
    return f"{floor(rank) - 29}d" if rank >= _FIRST_DAN else f"{30 - floor(rank)}k"


def _times(control: Any) -> tuple[str, str]:
    """The main time of a player in seconds and the overtime; empty if not stated."""
    system = control.get("system") if isinstance(control, dict) else None
    if not isinstance(system, str) or system not in _TIMES:
        return "", ""
    known = {name: str(number) for name, number in control.items() if whole(number, 0, _LONGEST_TIME)}
    member, form = _TIMES[system]
    try:
        overtime = form.format_map(known)
    except KeyError:  # a number is missing
        return known.get(member or "", ""), ""
    return "0" if member is None else known.get(member, ""), overtime


def _result(game: ServerGame, obj: dict[str, Any]) -> str:
    outcome, winner = _text(obj.get("outcome")), obj.get("winner")
    if not outcome or outcome.startswith("Cancel"):
        return "Void" if outcome else ""
    players = obj.get("players")
    for color, letter in (("black", "B"), ("white", "W")):
        player = players.get(color) if isinstance(players, dict) else None
        known = (color, obj.get(f"{color}_player_id"), player.get("id") if isinstance(player, dict) else None)
        if winner is not None and winner in known:
            points = _POINTS.fullmatch(outcome)
            if points is not None:
                return f"{letter}+{points[1]}"
            how = next((end for word, end in _ENDS if outcome.startswith(word)), None)
            if how is None:
                message = f"the winner is read, and how {outcome[:40]!r} was won is not known"
                game.report("value-invalid", game.head, "result", message)
            return f"{letter}+{how or ''}"
    try:
        return str(GameResult.parse("0" if outcome.startswith("0 ") else outcome))
    except ValueError:
        game.report("value-invalid", game.head, "result", f"{outcome[:40]!r} is an unknown result")
        return ""


def _add_moves(game: ServerGame, obj: dict[str, Any], data: bytes, begin: int) -> None:
    """Add the moves, of which the text begins at `begin` of `data` (-1: nowhere)."""
    tree, messages = obj.get("move_tree"), obj.get("full_state")
    color = WHITE if obj.get("initial_player") == "white" else BLACK
    handicap = obj.get("free_handicap_placement") is True and obj.get("handicap")
    free = handicap if whole(handicap, 2, 99) else 0
    is_tree = isinstance(tree, JsonObject) or isinstance(messages, list)
    plain = None if is_tree or begin < 0 else _plain_moves(obj.get("moves"), data, begin)
    if plain is not None:
        offsets, x, y = plain
        turns = np.maximum(np.arange(len(x)) - max(free - 1, 0), 0) % 2
        game.moves.extend(MoveRun(offsets, np.where(turns, BLACK + WHITE - color, color), x, y))
        return
    places = [] if begin < 0 else [place.start() for place in _MOVE.finditer(data, begin)]
    if is_tree:
        reader = TreeReader(game, color, free)
        last = reader.root
        for offset, point, own in _all_moves(game, obj.get("moves"), places):
            last = reader.play(last, offset, point, own, is_setup=False)
            if last.kind == UNREADABLE:
                break
            reader.add_to_trunk(last)
        if isinstance(tree, JsonObject):
            reader.add_nodes(tree)
        if isinstance(messages, list):
            reader.add_messages(messages)
        game.root = reader.finish()
        game.moves = Moves()
        return
    for number, (offset, point, own) in enumerate(_all_moves(game, obj.get("moves"), places)):
        color = own or color
        game.moves.add(offset, color, point)
        if number + 1 >= free:
            color = BLACK + WHITE - color


def _plain_moves(moves: Any, data: bytes, begin: int) -> tuple[Array, Array, Array] | None:
    """The bytes and the points of moves that are lists of three members, as in whole JSON; None for all others.

    The text of the first one is in `data` from `begin` on.
    """
    if not isinstance(moves, list) or not moves or data.count(b'"moves"') != 1 or b"\\u00" in data:
        return None  # `begin` may be in another member, whose name may be escaped
    if set(map(type, moves)) != {list} or set(map(len, moves)) != {3}:
        return None
    xs, ys = [move[0] for move in moves], [move[1] for move in moves]
    if {*map(type, xs), *map(type, ys)} != {int} or min(*xs, *ys) < -1 or max(*xs, *ys) > _MOST_COORDINATE:
        return None
    x, y = np.array(xs, np.int32), np.array(ys, np.int32)
    x[y == -1] = y[x == -1] = -1
    x[x == -1] = y[y == -1] = PASS
    return np.flatnonzero(np.frombuffer(data, np.uint8, offset=begin) == ord("["))[: len(moves)] + begin, x, y


def _all_moves(game: ServerGame, moves: Any, places: list[int]) -> Iterator[tuple[int, Point | None, int | None]]:
    """The places, points and colours of the moves, a colour None where the players alternate.

    An unreadable move ends them: it is reported and, without a tree, kept as unreadable.
    """
    for number, (color, point, is_read) in enumerate(
        letters(moves) if isinstance(moves, str) else map(_move, moves if isinstance(moves, list) else [])
    ):
        offset = places[min(number, len(places) - 1)] if places else game.head
        if not is_read:
            game.report("move-invalid", offset, f"move {number + 1}", "this is not a move")
            game.moves.add(offset, 0, None)
            break
        yield offset, point, color if color in (BLACK, WHITE) else None


def _move(move: Any) -> Pair:
    if isinstance(move, dict):
        move = [move.get("x"), move.get("y")]
    if not isinstance(move, list) or len(move) < 2 or not all(whole(place, -1, _MOST_COORDINATE) for place in move[:2]):
        return None, None, False
    color = move[3] if len(move) > 3 and whole(move[3], BLACK, WHITE) else None
    return color, None if -1 in move[:2] else (move[0], move[1]), True


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""
