"""The commands that set up a position of a record, and the record of the commands that led to the current position."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ...board.handicap import fixed_handicap
from ...coordinates import to_gtp
from .. import katago_rules
from ..lines_of_play import Line, LineSegment
from .protocol import COLOR_LETTERS, RESIGN


def commands_for(line: Line, turn: int | None, known: Collection[str]) -> list[str]:
    """Return the commands that set up the position after `turn` moves (None: all of them).

    Moves are sent as moves, in their order, so that ko and history are right. Handicap stones are sent as a handicap;
    other stones of the start by `set_position` where the engine has it (`known` are its commands), else as moves.

    Raises `IndexError` where the line has fewer moves.
    """
    turn = line.turns if turn is None else turn
    segment = line.at(turn)
    width, height = line.size
    if width == height:
        commands = [f"boardsize {width}"]
    elif "rectangular_boardsize" in known:
        commands = [f"rectangular_boardsize {width} {height}"]
    else:
        commands = [f"boardsize {width} {height}"]
    commands.append("clear_board")
    if line.rules is not None and "kata-set-rules" in known:
        rules = katago_rules.rules_of(line.rules)
        commands.append(f"kata-set-rules {rules if isinstance(rules, str) else katago_rules.to_json(line.rules)}")
    if line.komi is not None:
        commands.append(f"komi {line.komi:g}")
    commands += _stones(line, segment, known)
    commands += [
        f"play {COLOR_LETTERS[color]} {to_gtp(point, width, height)}"
        for color, point in segment.moves[: turn - segment.first_turn]
    ]
    return commands


def _stones(line: Line, segment: LineSegment, known: Collection[str]) -> list[str]:
    width, height = line.size
    stones = segment.stones
    points = [point for _, point in stones]
    names = [to_gtp(point, width, height) for point in points]
    placed = [f"{COLOR_LETTERS[color]} {name}" for (color, _), name in zip(stones, names, strict=True)]
    if not stones:
        return []
    is_handicap = segment.first_turn == 0 and line.handicap == len(stones) and all(color == 1 for color, _ in stones)
    if is_handicap and "set_free_handicap" in known:
        return [f"set_free_handicap {' '.join(names)}"]
    if is_handicap and "fixed_handicap" in known and _is_fixed(points, width, height):
        return [f"fixed_handicap {len(points)}"]
    if "set_position" in known:
        return [" ".join(["set_position", *placed])]
    return [f"play {stone}" for stone in placed]


def _is_fixed(points: list[tuple[int, int]], width: int, height: int) -> bool:
    try:
        return sorted(points) == sorted(fixed_handicap(len(points), width, height))
    except ValueError:
        return False


_SIZES: Final = frozenset({"boardsize", "rectangular_boardsize"})
_SETTINGS: Final = frozenset(
    {"komi", "time_settings", "kgs-time_settings", "kata-time_settings", "kata-set-rules", "kgs-rules"}
)
_HANDICAPS: Final = frozenset({"fixed_handicap", "place_free_handicap", "set_free_handicap"})
_STARTS: Final = frozenset({"set_position", "loadsgf"})
_GENMOVES: Final = frozenset(
    {
        "genmove",
        "kgs-genmove_cleanup",
        "genmove_analyze",
        "kata-genmove_analyze",
        "lz-genmove_analyze",
    }
)


class Session:
    """The state of an engine as the commands that lead to it, so that another process can be brought there.

    Thread safety: one thread at a time.
    """

    __slots__ = ("_position", "_settings", "_size")

    def __init__(self) -> None:
        self._size = ""
        self._settings: dict[str, str] = {}
        self._position: list[str] = []

    def note(self, command: str, answer: str) -> None:
        """Take in a command that succeeded with this answer."""
        name, *words = command.split()
        if name in _SIZES:
            self._size = command
            self._position.clear()
        elif name == "clear_board":
            self._position.clear()
        elif name in _SETTINGS:
            self._settings[name] = command
            if self._position[:1] and self._position[0].startswith("loadsgf"):  # which sets the komi, too
                self._position.append(command)
        elif name == "play":
            self._position.append(command)
        elif name in _GENMOVES and words:
            move = answer.rsplit(maxsplit=1)[-1] if answer.split() else RESIGN
            if move.lower() != RESIGN:
                self._position.append(f"play {words[0]} {move}")
        elif name == "undo":
            plays = [row for row, one in enumerate(self._position) if one.startswith("play")]
            if plays:
                del self._position[plays[-1]]
            else:  # a move of the record that was loaded
                self._position.append(command)
        elif name in _HANDICAPS:
            self._position.append(f"set_free_handicap {answer or ' '.join(words)}")
        elif name in _STARTS:
            self._position = [command]

    def commands(self) -> list[str]:
        """Return the commands that lead to the state; none where nothing was noted."""
        start = [*([self._size] if self._size else []), "clear_board", *self._settings.values(), *self._position]
        return start if len(start) > 1 else []
