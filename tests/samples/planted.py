"""Errors planted in clean games: what is wrong with each is known, because it was put there."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from oracles.board import EditedBoard, Point
from oracles.rules import is_ko_recapture, verdicts
from oracles.score import owners

from wei7core.rules import Dead, Rules

Move = tuple[int, Point | None]
Code = tuple[str, int | None]
"""A code, and the number of the move that it is reported for."""

NAMES = {1: "B", 2: "W"}
UNKNOWN = "?"


@dataclass(frozen=True)
class Clean:
    """A game that keeps its rules, ends in two passes, and states its result."""

    width: int
    height: int
    moves: tuple[Move, ...]
    rules: Rules
    komi: Fraction
    result: str

    def board(self, number: int) -> EditedBoard:
        """The position after so many moves."""
        board = EditedBoard(self.width, self.height)
        for color, point in self.moves[:number]:
            board.play(color, point)
        return board

    def text(self, after: str = "") -> bytes:
        """The game in SGF; nodes that follow its moves may be given."""
        komi = f"KM[{float(self.komi):g}]" if self.komi is not None else ""
        result = f"RE[{self.result}]" if self.result else ""
        nodes = "".join(f";{NAMES[color]}[{letters(point)}]" for color, point in self.moves)
        return f"(;FF[4]GM[1]SZ[{self.width}:{self.height}]{komi}{result}{nodes}{after})".encode()


@dataclass(frozen=True)
class Planted:
    """A game with an error: its text, and all that is to be reported for it."""

    kind: str
    data: bytes
    codes: tuple[Code, ...]


def letters(point: Point | None) -> str:
    return "" if point is None else chr(97 + point[0]) + chr(97 + point[1])


def random_game(chance: random.Random, width: int, height: int, rules: Rules) -> Clean:
    """Play at random by a rule set, eyes left open, until nothing is left or it is enough; then two passes."""
    board = EditedBoard(width, height)
    points = [(x, y) for x in range(width) for y in range(height)]
    enough = chance.randint(len(points) // 2, 2 * len(points))
    color = 1
    while len(board.moves) < enough:
        chance.shuffle(points)
        point = next((point for point in points if is_sensible(board, color, point, rules)), None)
        if point is None:
            break
        board.play(color, point)
        color = 3 - color
    return ended(board, color, rules)


def is_sensible(board: EditedBoard, color: int, point: Point, rules: Rules) -> bool:
    if point in board.stones or all(board.stones.get(other) == color for other in board.neighbours(point)):
        return False
    return verdicts(board, color, point, [rules]) == ["legal"]


def ended(board: EditedBoard, color: int, rules: Rules) -> Clean:
    """The game whose moves are on a board, when both have passed, `color` first, and it is counted, or resigned."""
    moves = (*board.moves, (color, None), (3 - color, None))
    komi = Fraction(13, 2)
    # Else resigned by the player who passed first, in the opponent's time.
    result = counted(board, komi) if rules.dead is Dead.NONE else f"{NAMES[3 - color]}+R"
    return Clean(board.width, board.height, moves, rules, komi, result)


def counted(board: EditedBoard, komi: Fraction) -> str:
    whose = list(owners(board).values())
    lead = whose.count(1) - whose.count(2) - komi
    return "0" if not lead else f"{'B' if lead > 0 else 'W'}+{float(abs(lead)):g}"


def next_color(game: Clean, number: int) -> int:
    return 3 - game.moves[number - 1][0] if number else 1


def stones_played(game: Clean) -> int:
    return len(game.moves) - 2


def turned(game: Clean, symmetry: int) -> Clean:
    """The game as it looks mirrored (bit 0: left and right, bit 1: top and bottom), and then transposed (bit 2)."""

    def moved(point: Point | None) -> Point | None:
        if point is None:
            return None
        x = game.width - 1 - point[0] if symmetry & 1 else point[0]
        y = game.height - 1 - point[1] if symmetry & 2 else point[1]
        return (y, x) if symmetry & 4 else (x, y)

    size = (game.height, game.width) if symmetry & 4 else (game.width, game.height)
    return replace(
        game, width=size[0], height=size[1], moves=tuple((color, moved(point)) for color, point in game.moves)
    )


# --- what can be planted; None where this game has no place for it -------------------------------


def occupied(chance: random.Random, game: Clean) -> Planted | None:
    number = chance.randint(1, stones_played(game))
    point = chance.choice(sorted(game.board(number).stones))
    return _cut(game, number, (next_color(game, number), point), "move-occupied", ("move-occupied",))


def off_board(chance: random.Random, game: Clean) -> Planted | None:
    number = chance.randint(0, stones_played(game))
    return _inserted(game, number, (game.width, chance.randrange(game.height)), "move-off-board")


def _inserted(game: Clean, number: int, point: Point, code: str) -> Planted:
    """A move that cannot be played: nothing after it is reported."""
    moves = (*game.moves[:number], (next_color(game, number), point), *game.moves[number:])
    return Planted(code, replace(game, moves=moves).text(), ((code, number + 1),))


def same_color(chance: random.Random, game: Clean) -> Planted | None:
    number = chance.randint(1, stones_played(game))
    color = game.moves[number - 1][0]
    board = game.board(number)
    point = _any(chance, board, lambda point: verdicts(board, color, point, [game.rules]) == ["legal"])
    return None if point is None else _cut(game, number, (color, point), "turn-order", ("turn-order",))


def suicide(chance: random.Random, game: Clean) -> Planted | None:
    if game.rules.suicide:
        return None
    return _forbidden(chance, game, lambda reason: reason == "suicide")


def repeated(chance: random.Random, game: Clean) -> Planted | None:
    return _forbidden(chance, game, lambda reason: reason not in ("suicide", "legal"))


def _forbidden(chance: random.Random, game: Clean, is_wanted: Callable[[str], bool]) -> Planted | None:
    """A move that the rules forbid for such a reason, of those that can be played, if one is soon found."""
    for _ in range(30):
        number = chance.randint(1, stones_played(game))
        move = _illegal_move(chance, game, number, is_wanted)
        if move is not None:
            codes = broken(game.board(number), *move, game.rules)
            return _cut(game, number, move, codes[-1], codes)
    return None


def _illegal_move(
    chance: random.Random, game: Clean, number: int, is_wanted: Callable[[str], bool]
) -> tuple[int, Point] | None:
    color, board = next_color(game, number), game.board(number)
    is_large = game.width * game.height > 50

    def is_it(point: Point) -> bool:
        # On large boards only kos and suicides are likely, and verdicts take long.
        if is_large and not all(other in board.stones for other in board.neighbours(point)):
            return False
        return is_wanted(*verdicts(board, color, point, [game.rules]))

    point = _any(chance, board, is_it)
    return None if point is None else (color, point)


def broken(board: EditedBoard, color: int, point: Point, rules: Rules) -> tuple[str, ...]:
    """The codes of a move that is not legal."""
    (reason,) = verdicts(board, color, point, [rules])
    after = board.twin()
    after.play(color, point)
    if reason == "suicide":
        return ("suicide-single" if after.captured[color] == board.captured[color] + 1 else "suicide-multi",)
    retake = ("ko-recapture",) if is_ko_recapture(board, after, color) else ()
    return retake if reason == "ko-recapture" else (*retake, f"superko-{reason.removesuffix('-repeat')}")


def swapped_colors(chance: random.Random, game: Clean) -> Planted | None:
    moves = tuple((3 - color, point) for color, point in game.moves)
    planted = replace(game, moves=moves, result=UNKNOWN)
    return Planted("first-player-mismatch", planted.text(), (("first-player-mismatch", 1),))


def played_on(chance: random.Random, game: Clean) -> Planted | None:
    color, board = next_color(game, len(game.moves)), game.board(len(game.moves))
    point = _any(chance, board, lambda point: verdicts(board, color, point, [game.rules]) == ["legal"])
    return None if point is None else _cut(game, len(game.moves), (color, point), "move-after-end", ("move-after-end",))


def by_hand(chance: random.Random, game: Clean) -> Planted | None:
    stones = game.board(len(game.moves)).stones
    if not stones:
        return None
    text = replace(game, result=UNKNOWN).text(f";AE[{letters(chance.choice(sorted(stones)))}]")
    return Planted("setup-mid-game", text, (("setup-mid-game", len(game.moves)),))


def no_result(chance: random.Random, game: Clean) -> Planted | None:
    return _reported(replace(game, result=""), "result-missing")


def strange_result(chance: random.Random, game: Clean) -> Planted | None:
    return _reported(replace(game, result=chance.choice(("perhaps", "B+?", "W+-3", "3.5"))), "result-syntax")


def wrong_winner(chance: random.Random, game: Clean) -> Planted | None:
    if "." not in game.result:
        return None
    other = {"B": "W", "W": "B"}[game.result[0]] + game.result[1:]
    return _reported(replace(game, result=other), "result-winner-mismatch")


def wrong_margin(chance: random.Random, game: Clean) -> Planted | None:
    if "." not in game.result:
        return None
    return _reported(replace(game, result=f"{game.result[:2]}{float(game.result[2:]) + 2:g}"), "result-score-mismatch")


def wrong_komi(chance: random.Random, game: Clean) -> Planted | None:
    """Another komi than the one the game was counted with: the result differs, and cannot be where it is whole."""
    if "." not in game.result:
        return None
    komi = game.komi + chance.choice((Fraction(1), Fraction(1, 2), Fraction(-2)))
    codes = [] if (komi - game.komi).denominator == 1 else ["result-parity-impossible"]
    is_draw, *_ = now = counted(game.board(len(game.moves)), komi)
    codes.append("result-score-mismatch" if is_draw == game.result[0] else "result-winner-mismatch")
    assert "".join(now) != game.result
    return _reported(replace(game, komi=komi), *codes)


def hundredths(chance: random.Random, game: Clean) -> Planted | None:
    text = game.text().replace(f"KM[{float(game.komi):g}]".encode(), b"KM[%d]" % (game.komi * 100))
    return Planted("komi-dialect", text, (("komi-dialect", None),))


def huge_komi(chance: random.Random, game: Clean) -> Planted | None:
    return _reported(replace(game, komi=Fraction(41, 2), result=UNKNOWN), "komi-out-of-range")


def impossible_draw(chance: random.Random, game: Clean) -> Planted | None:
    if game.rules.dead is Dead.NONE:
        return _reported(replace(game, result="0"), "draw-impossible", "result-winner-mismatch")
    return None


def no_passes(chance: random.Random, game: Clean) -> Planted | None:
    if "." not in game.result:
        return None
    moves = game.moves[: -chance.randint(1, 2)]
    return _reported(replace(game, moves=moves), "end-without-two-passes")


def cut_off(chance: random.Random, game: Clean) -> Planted | None:
    return Planted("truncated", game.text()[:-1], (("truncated", None),))


def resigned_late(chance: random.Random, game: Clean) -> Planted | None:
    loser = NAMES[3 - game.moves[-1][0]]
    return _reported(replace(game, result=f"{loser}+R"), "resign-side-mismatch")


def _any(chance: random.Random, board: EditedBoard, is_wanted: Callable[[Point], bool]) -> Point | None:
    empty = [(x, y) for x in range(board.width) for y in range(board.height) if (x, y) not in board.stones]
    chance.shuffle(empty)
    return next(filter(is_wanted, empty), None)


def _cut(game: Clean, number: int, move: Move, kind: str, codes: Iterable[str]) -> Planted:
    """The game up to so many moves, and then a move that is wrong."""
    text = replace(game, moves=(*game.moves[:number], move), result=UNKNOWN).text()
    return Planted(kind, text, tuple((code, number + 1) for code in codes))


def _reported(game: Clean, *codes: str) -> Planted:
    """A game with a finding about its header or end, and none about its moves."""
    return Planted(codes[-1], game.text(), tuple((code, None) for code in codes))


MUTATIONS: tuple[Callable[[random.Random, Clean], Planted | None], ...] = (
    occupied,
    off_board,
    same_color,
    suicide,
    repeated,
    swapped_colors,
    played_on,
    by_hand,
    no_result,
    strange_result,
    wrong_winner,
    wrong_margin,
    wrong_komi,
    hundredths,
    huge_komi,
    impossible_draw,
    no_passes,
    cut_off,
    resigned_late,
)
