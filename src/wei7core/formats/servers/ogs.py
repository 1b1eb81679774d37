"""Games of the Online-Go Server in JSON: reading.

The format has no description by its makers. What is read here is what the server's viewer takes, which is free
software, and what games show that its interface returns: `gamedata` or the object itself with `width`, `height`,
`players`, `komi`, `rules`, `handicap`, `initial_state` (points as pairs of letters), `initial_player`, `outcome`,
`winner`, and `moves`: lists `[x, y, milliseconds]` from the upper left, where -1 is a pass, or a text of pairs of
letters. The colours take turns; with `free_handicap_placement` the first stones are all Black's. In reviews
and problems `move_tree` has the moves.

One line is read: the moves, or the first variation of the tree. Other variations, comments and marks of a tree
are not, which is reported; nor is the time that a move took.
"""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from math import floor, isfinite
from typing import Any, Final, TypeGuard

from ...limits import DEFAULT_LIMITS, Limits
from ...record.document import Point
from ...record.record import Record
from ...record.result import GameResult
from .server_games import BLACK, WHITE, ServerGame, decode_with

__all__ = ["decode"]

_MOVES: Final = re.compile(rb'"moves"\s*:\s*\[')
_MOVE: Final = re.compile(rb"\[\s*(-?[0-9]{1,4})\s*,\s*(-?[0-9]{1,4})\b")
_NAME: Final = re.compile(rb'"(?:game_name|name)"\s*:\s*"((?:[^"\\]|\\.)*)"')
_RULES: Final = {"aga": "AGA", "nz": "NZ"}
_POINTS: Final = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,2})?) points?", re.ASCII)
_ENDS: Final = (("Resign", "R"), ("Time", "T"), ("Disq", "F"), ("Aband", "F"), ("Disc", "F"))
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_MOST_SIDE: Final = 25
_FIRST_DAN: Final = 30
_NOT_READ: Final = ("text", "marks", "pen_marks", "correct_answer", "wrong_answer")
_LONGEST_TIME: Final = 1 << 40


def decode(data: bytes, *, encoding: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Record:
    """Decode one game; JSON is in Unicode, whatever `encoding` says.

    Never raises for what the bytes hold: everything odd is in the record's
    `problems`. Raises `LookupError` for an `encoding` that is not known. Thread safe.
    """
    return decode_with("ogs", read, data, encoding, limits)


def read(data: bytes, encoding: str | None) -> ServerGame:  # noqa: ARG001 - a Reader
    """Return what a record says. Thread safe."""
    game = ServerGame()
    obj = _parsed(game, data)
    for name in ("gamedata", "puzzle"):
        inner = obj.get(name)
        obj = {**obj, **inner} if isinstance(inner, dict) else obj
    opening = _MOVES.search(data)
    places = [] if opening is None else list(_MOVE.finditer(data, opening.end()))
    if not obj and opening is not None:  # the JSON is broken: the moves up to where it is
        obj = {"moves": [[int(place[1]), int(place[2])] for place in places]}
    game.is_game = bool(obj)
    game.head = max(data.find(b"{"), 0)
    if not game.is_game:
        return game
    title = _NAME.search(data)
    if title is not None and title[1]:
        game.title = title.span(1)
    _about_the_game(game, obj)
    _add_moves(game, obj, [place.start() for place in places])
    game.check_points()
    return game


def _parsed(game: ServerGame, source: bytes) -> dict[str, Any]:
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
        game.report("value-invalid", 0, "text", f"the member {name[:40]!r} is there twice; the last one counts")
    return obj if isinstance(obj, dict) else {}


def _about_the_game(game: ServerGame, obj: dict[str, Any]) -> None:
    width, height = (obj.get(name, 19) for name in ("width", "height"))
    if _whole(width, 1, _MOST_SIDE) and _whole(height, 1, _MOST_SIDE):
        game.size, game.height = width, height
    else:
        game.report("size-invalid", game.head, "size", f"{width!r:.20} x {height!r:.20} is no size; 19 x 19 is taken")
    said, players = game.said, obj.get("players")
    said["GN"] = _text(obj.get("game_name")) or _text(obj.get("name"))
    for color, name, rank in (("black", "PB", "BR"), ("white", "PW", "WR")):
        player = players.get(color) if isinstance(players, dict) else None
        if isinstance(player, dict):
            said[name], said[rank] = _text(player.get("username")) or _text(player.get("name")), _rank(player)
    rules = _text(obj.get("rules"))
    said["RU"] = _RULES.get(rules, rules.capitalize())
    try:
        komi = float(obj.get("komi") or 0)
    except (TypeError, ValueError, OverflowError):
        komi = float("nan")
    if isfinite(komi) and abs(komi) < _MOST_SIDE**2 and "komi" in obj:
        said["KM"] = f"{komi:.2f}".rstrip("0").rstrip(".")
    if _whole(obj.get("handicap"), 2, 99):
        said["HA"] = str(obj["handicap"])
    start = obj.get("start_time")
    if _whole(start, 1, _LONGEST_TIME):
        said["DT"] = datetime.fromtimestamp(start % (1 << 37), tz=timezone.utc).strftime("%Y-%m-%d")
    said["RE"] = _result(game, obj)
    state = obj.get("initial_state")
    for color, stones in (("black", game.stones), ("white", game.white_stones)):
        for _, point in _letters(state.get(color) if isinstance(state, dict) else ""):
            if point is not None and point not in game.stones and point not in game.white_stones:
                stones.append(point)


def _rank(player: dict[str, Any]) -> str:
    rank = player.get("rank")
    if isinstance(rank, bool) or not isinstance(rank, (int, float)) or not 0 < rank < 50:
        return ""
    if player.get("professional") is True:
        return f"{max(floor(rank) - 36, 1)}p"
    return f"{floor(rank) - 29}d" if rank >= _FIRST_DAN else f"{30 - floor(rank)}k"


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
        game.report("value-invalid", game.head, "result", f"{outcome[:40]!r} is no result that is known")
        return ""


def _add_moves(game: ServerGame, obj: dict[str, Any], places: list[int]) -> None:
    moves, tree = obj.get("moves"), obj.get("move_tree")
    color = WHITE if obj.get("initial_player") == "white" else BLACK
    free = obj.get("handicap") if obj.get("free_handicap_placement") is True else 0
    for number, (said, point) in enumerate(_all_moves(game, moves, tree)):
        offset = places[min(number, len(places) - 1)] if places else game.head
        if said is None:
            game.report("move-invalid", offset, f"move {number + 1}", "this is no move")
            game.moves.append((offset, 0, None))
            break
        color = said or color
        game.moves.append((offset, color, point))
        if not (_whole(free, 2, 99) and number + 1 < free):
            color = BLACK + WHITE - color


def _all_moves(game: ServerGame, moves: Any, tree: Any) -> list[tuple[int | None, Point | None]]:
    """The moves with the colours that they say, 0 where they say none and None where they cannot be read."""
    if isinstance(moves, str) and moves:
        return _letters(moves)
    found: list[tuple[int | None, Point | None]] = [_move(move) for move in moves] if isinstance(moves, list) else []
    line: list[tuple[int | None, Point | None]] = []
    unread = _follow(tree, line)
    if not found:
        found = line
    elif line != found[: len(line)] and "variations" not in unread:
        unread.insert(0, "variations")
    if unread:
        game.report("text-outside-record", game.head, "move_tree", f"{', '.join(unread)} of move_tree: not read")
    return found


def _follow(node: Any, found: list[tuple[int | None, Point | None]]) -> list[str]:
    """Add the first line of a tree to `found`; returns what else the nodes on it have."""
    unread: dict[str, None] = {}
    is_root = True
    while isinstance(node, dict):
        if not is_root:
            found.append(_move([node.get("x"), node.get("y"), 0, node.get("player") if node.get("edited") else 0]))
        is_root = False
        others = node.get("branches")
        below = [one for one in (node.get("trunk_next"), *(others if isinstance(others, list) else ())) if one]
        unread |= {"variations": None} if len(below) > 1 else {}
        unread |= {name: None for name in _NOT_READ if node.get(name)}
        node = below[0] if below else None
    return list(unread)


def _move(move: Any) -> tuple[int | None, Point | None]:
    if isinstance(move, dict):
        move = [move.get("x"), move.get("y")]
    if not isinstance(move, list) or len(move) < 2 or not all(_whole(place, -1, 9999) for place in move[:2]):
        return None, None
    said = move[3] if len(move) > 3 and move[3] in (BLACK, WHITE) and not isinstance(move[3], bool) else 0
    return said, None if -1 in move[:2] else (move[0], move[1])


def _letters(text: Any) -> list[tuple[int | None, Point | None]]:
    """Points as pairs of letters, `..` a pass, after `!1` or `!2` one of that colour."""
    found: list[tuple[int | None, Point | None]] = []
    for edited, color, x, y in re.findall(r"(?:(!)([0-9]))?(.)(.)", text if isinstance(text, str) else ""):
        said = int(color) if edited and color in "12" else 0
        if x + y == "..":
            found.append((said, None))
        elif x in _LETTERS and y in _LETTERS:
            found.append((said, (_LETTERS.index(x), _LETTERS.index(y))))
        else:
            found.append((None, None))
    return found


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _whole(value: Any, least: int, most: int) -> TypeGuard[int]:
    return type(value) is int and least <= value <= most
