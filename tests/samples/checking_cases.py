"""For each code of a check a record that has nothing wrong, and one like it for which that code alone is reported.

Boards are 5 x 5 unless a case needs another one: there two moves make a game, and a pass is early up to move 6.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any

from wei7core.limits import DEFAULT_LIMITS, Limits
from wei7core.rules import Ko, Rules

Point = tuple[int, int]

NATURAL = Rules(name="natural", ko=Ko.NATURAL, suicide=True)


@dataclass(frozen=True)
class Case:
    """A code, the two records, and where it is reported: at the bar in the last `at` of the offending one.

    `rules` and `limits` are those of the check. The other fields are those of the finding.
    """

    code: str
    clean: bytes
    offending: bytes
    at: bytes
    rules: str | Rules | None = None
    limits: Limits = DEFAULT_LIMITS
    branch: str | None = None
    move: int | None = None
    color: int | None = None
    point: Point | None = None
    severity: str | None = None

    @property
    def offset(self) -> int:
        """Where the code is reported."""
        before, after = self.at.split(b"|")
        return self.offending.rindex(before + after) + len(before)


def sgf(moves: str, *, size: str = "5", komi: str = "6.5", result: str = "B+R", head: str = "") -> bytes:
    """A game of SGF; `moves` are colors and points, such as `Bcc Wcb B W`."""
    properties = "".join(f"{name}[{value}]" for name, value in (("SZ", size), ("KM", komi), ("RE", result)) if value)
    nodes = "".join(f";{move[0]}[{move[1:]}]" for move in moves.split())
    return f"(;GM[1]FF[4]{properties}{head}{nodes})".encode()


def step(color: int, x: int, y: int, **more: Any) -> dict[str, Any]:
    return {**more, "action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": y}}}}


def wei7(steps: list[dict[str, Any]], **info: Any) -> bytes:
    """A game of wei7 that Black has won, with members of its `info`."""
    members = {"rules": {"komi": 6.5}, "result": {"winner": 1}, **info}
    record = {"format": "wei7", "version": "3.0", "size": 5, "info": members, "tree": {"steps": steps}}
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode()


MOVES = "Bcc Wcb Bbb"
GAME = sgf(MOVES)
STEPS = [step(1, 2, 2), step(2, 2, 1), step(1, 1, 1)]
TAKEBACK = {"action": {"type": "takeback", "value": 4}}

# A ko at cb and bb: Black takes with move 7, White takes back where it was with move 9 or later.
KO = "Bba Wca Bab Wdb Bbc Wcc Bcb Wbb"
# Black surrounds aa; after Black's pass White's stone there, which comes off at once, brings back what White left.
AGAIN = "Bab Wee Bba Wed Bcc Wde B"
# Two walls, Black with 15 points and White with 10, and two passes after them.
WALLS = "Bca Wda Bcb Wdb Bcc Wdc Bcd Wdd Bce Wde"
COUNTED = f"{WALLS} B W"

FILE = [
    Case("syntax-error", wei7(STEPS), wei7(STEPS).replace(b'"tree":', b'"tree"'), b'|{"steps"'),
    Case("syntax-error", GAME, sgf(MOVES, head="").replace(b"GM[1]", b"GM[3]"), b"GM[|3]"),
    Case("encoding-invalid", wei7(STEPS, name="\u9ed1"), wei7(STEPS, name="#").replace(b"#", b"|\xff"), b"|\xff"),
    Case("encoding-invalid", sgf(MOVES, head="CA[GBK]"), sgf(MOVES, head="CA[nonesuch]PB[\u9ed1]"), b"CA[|"),
    Case("truncated", GAME, GAME[:-1], b"[bb]|"),
    Case("truncated", wei7(STEPS), wei7(STEPS)[:-1], b"}|"),
    Case(
        "depth-limit",
        b"(;SZ[5]KM[6.5]RE[B+R];B[cc];W[cb](;B[bb])(;B[aa]))",
        b"(;SZ[5]KM[6.5]RE[B+R];B[cc];W[cb](;B[bb](;W[aa])(;W[ab]))(;B[aa]))",
        b"|(;W[aa]",
        limits=Limits(max_depth=2),
    ),
    Case("record-limit", GAME, sgf(f"{MOVES} Waa Bab"), b"|B[ab]", limits=Limits(max_moves=4)),
    Case("unknown-member", wei7(STEPS, name="a"), wei7(STEPS, nickname="a"), b'|"nickname"'),
    Case("format-breach", sgf(f"{MOVES}]TR[aa"), sgf(f"{MOVES}]TR[ff"), b"|ff", severity="warning"),
    Case("format-breach", wei7(STEPS), wei7(STEPS).replace(b'"version":"3.0",', b""), b'|{"format"', severity="error"),
    Case("unreadable", GAME, b"<html>no such game</html>", b"|<html>"),
]

HEADER = [
    Case("board-size-unsupported", sgf("", result="Void"), sgf("", size="x", result="Void"), b"SZ[|"),
    Case("board-size-unsupported", GAME, sgf(MOVES, size="7"), b"SZ[|", limits=Limits(max_points=25)),
    Case("komi-dialect", GAME, sgf(MOVES, komi="650"), b"KM|["),
    Case("komi-dialect", sgf(MOVES, head="RU[Chinese]"), sgf(MOVES, komi="3.75", head="RU[Chinese]"), b"KM|["),
    Case("komi-dialect", sgf(MOVES, head="RU[Chinese]"), sgf(MOVES, komi="375", head="RU[Chinese]"), b"KM|["),
    Case("komi-out-of-range", GAME, sgf(MOVES, komi="77.5"), b"KM|["),
    Case("komi-out-of-range", GAME, sgf(MOVES, komi="6.3"), b"KM|["),
    Case("komi-out-of-range", wei7(STEPS), wei7(STEPS, rules={"komi": 12}), b"|12"),
    Case(
        "handicap-count-mismatch",
        sgf("Wcc Bcb", head="HA[2]AB[aa][ee]"),
        sgf("Wcc Bcb", head="HA[3]AB[aa][ee]"),
        b"HA|[",
        branch="-",
    ),
    Case(
        "handicap-count-mismatch",
        sgf("Baa Bee Wcc Bcb", head="HA[2]"),
        sgf("Baa Wcc Bcb", head="HA[2]"),
        b"HA|[",
        branch="-",
    ),
    Case(
        "setup-no-liberties",
        sgf("", size="2:1", result="Void", head="AB[aa]"),
        sgf("", size="2:1", result="Void", head="AB[aa][ba]"),
        b"|;GM",
        branch="-",
        color=1,
        point=(0, 0),
    ),
    Case(
        "setup-mid-game",
        sgf("Bcc Wcb Bbb Waa Bee"),
        sgf("Bcc Wcb").replace(b")", b";AE[cc];W[cc];B[ee])"),
        b"|AE[",
        branch="-",
        move=2,
        point=(2, 2),
        severity="warning",
    ),
    Case("first-player-mismatch", GAME, sgf("Wcc Bcb"), b"W[|cc]", branch="-", move=1, color=2, point=(2, 2)),
    Case(
        "first-player-mismatch",
        sgf("Wcc Bcb", head="PL[W]"),
        sgf("Bcc Wcb Bbb", head="PL[W]"),
        b"B[|cc]",
        branch="-",
        move=1,
        color=1,
        point=(2, 2),
    ),
    Case("start-position-mismatch", GAME, sgf("Bcc Wcb Bbb", head="AB[aa]AW[ee]"), b"|;GM", branch="-"),
]

MOVE = [
    Case("move-off-board", GAME, sgf(f"{MOVES} Waa Bgf"), b"B[|gf]", branch="-", move=5),
    Case(
        "move-off-board",
        wei7(STEPS),
        wei7([*STEPS, step(2, 5, 0)]),
        b'|5,"y":0',
        branch="-",
        move=4,
    ),
    Case("move-occupied", GAME, sgf(f"{MOVES} Wbb"), b"W[|bb]", branch="-", move=4, color=2, point=(1, 1)),
    Case(
        "suicide-single",
        sgf("Bab Wee Bba Wed", result="W+R"),
        sgf("Bab Wee Bba Waa", result="W+R"),
        b"W[|aa]",
        "japanese",
        branch="-",
        move=4,
        color=2,
        point=(0, 0),
    ),
    Case(
        "suicide-multi",
        sgf("Bac Wee Bbb Wab Bca Wba Bed Wdd", result="W+R"),
        sgf("Bac Wee Bbb Wab Bca Wba Bed Waa", result="W+R"),
        b"W[|aa]",
        "chinese",
        branch="-",
        move=8,
        color=2,
        point=(0, 0),
    ),
    Case(
        "ko-recapture",
        sgf(f"{KO} Bed Wee Bcb"),
        sgf(f"{KO} Bcb"),
        b"B[|cb]",
        "japanese",
        branch="-",
        move=9,
        color=1,
        point=(2, 1),
    ),
    *[
        Case(
            code,
            sgf(f"{AGAIN} Wdd", result="W+R"),
            sgf(f"{AGAIN} Waa", result="W+R"),
            b"W[|aa]",
            rules,
            branch="-",
            move=8,
            color=2,
            point=(0, 0),
        )
        for code, rules in (
            ("superko-positional", "tromp-taylor"),
            ("superko-situational", "new-zealand"),
            ("superko-natural", NATURAL),
        )
    ],
    Case(
        "turn-order",
        sgf(f"{MOVES} Waa", result="W+R"),
        sgf("Bcc Wcb Wbb", result="W+R"),
        b"W[|bb]",
        branch="-",
        move=3,
        color=2,
        point=(1, 1),
    ),
    Case(
        "pass-early",
        sgf("Bcc Wcb Bbb Waa Bab Wba B", result="B+R"),
        sgf("Bcc W Bbb"),
        b"W[|",
        branch="-",
        move=2,
        color=2,
    ),
    Case(
        "move-after-end",
        sgf(f"{WALLS} B Wea Bee", result="B+R"),
        sgf(f"{COUNTED} Bee", result="B+R"),
        b"B[|ee]",
        "tromp-taylor",
        branch="-",
        move=13,
        color=1,
        point=(4, 4),
        severity="error",
    ),
    Case(
        "move-after-end",
        sgf(f"{WALLS} B Wea Bee", result="B+R"),
        sgf(f"{COUNTED} Bee", result="B+R"),
        b"B[|ee]",
        "chinese",
        branch="-",
        move=13,
        color=1,
        point=(4, 4),
        severity="info",
    ),
    Case("game-too-short", GAME, sgf("Bcc"), b"|;GM"),
    Case("game-too-long", sgf("B W B", size="1", result="?"), sgf("B W B W", size="1", result="?"), b"|;GM"),
    Case("takeback-too-deep", wei7(STEPS), wei7([*STEPS, TAKEBACK]), b"|4", branch="-", move=4),
    Case(
        "time-decreasing",
        wei7([step(1, 2, 2, time=2), step(2, 2, 1, time=2), step(1, 1, 1, time=3)]),
        wei7([step(1, 2, 2, time=2), step(2, 2, 1, time=1), step(1, 1, 1, time=3)]),
        b'"time":|1',
    ),
]

RESULT = [
    Case("result-missing", GAME, sgf(MOVES, result=""), b"|;GM"),
    Case("result-syntax", GAME, sgf(MOVES, result="perhaps"), b"RE|["),
    Case("result-syntax", GAME, sgf(MOVES, result="Black wins"), b"RE|["),
    Case(
        "result-winner-mismatch",
        sgf(COUNTED, result="W+1.5"),
        sgf(COUNTED, result="B+1.5"),
        b"RE|[",
        "tromp-taylor",
    ),
    Case("result-score-mismatch", sgf(COUNTED, result="W+1.5"), sgf(COUNTED, result="W+3.5"), b"RE|[", "tromp-taylor"),
    Case("draw-impossible", sgf(MOVES, komi="6", result="0"), sgf(MOVES, result="0"), b"RE|["),
    Case("draw-impossible", sgf(COUNTED, komi="5", result="B+0"), sgf(COUNTED, komi="5", result="0"), b"RE|[", "ing"),
    Case("result-parity-impossible", sgf(MOVES, result="W+1.5"), sgf(MOVES, result="W+2"), b"RE|["),
    Case("resign-side-mismatch", GAME, sgf(MOVES, result="W+R"), b"RE|["),
    Case(
        "end-without-two-passes",
        sgf(COUNTED, result="W+1.5"),
        sgf(WALLS, result="W+1.5"),
        b"RE|[",
        "tromp-taylor",
        severity="warning",
    ),
    Case(
        "end-without-two-passes",
        sgf(COUNTED, result="W+1.5"),
        sgf(f"{WALLS} B", result="W+1.5"),
        b"RE|[",
        "japanese",
        severity="info",
    ),
]

CASES = [*FILE, *HEADER, *MOVE, *RESULT]


@dataclass(frozen=True)
class Several:
    """A code reported for several games together: once for the last of the offending ones, for none of the clean.

    Of all games together where `of_all`.
    """

    code: str
    clean: list[bytes]
    offending: list[bytes]
    of_all: bool = False


# Stones that never touch: 100 points of which any order makes a game on 19 x 19.
APART = [(x, y) for y in range(0, 19, 2) for x in range(0, 19, 2)]


def long_game(points: list[Point], head: str = "") -> bytes:
    """A game of stones at those points, Black's last."""
    moves = " ".join("BW"[number % 2] + chr(97 + x) + chr(97 + y) for number, (x, y) in enumerate(points))
    return sgf(moves, size="19", head=head)


def shuffled(points: list[Point], seed: int) -> list[Point]:
    return random.Random(seed).sample(points, len(points))


FIRST, OTHER = APART[:61], shuffled(APART, 1)[:61]
EXCHANGED = [FIRST[2], FIRST[1], FIRST[0], *FIRST[3:]]

GAMES = [
    Several("duplicate-bytes", [long_game(FIRST), long_game(OTHER)], [long_game(FIRST), long_game(FIRST)]),
    Several(
        "duplicate-game",
        [long_game(FIRST), long_game([(y, x) for x, y in OTHER], "PB[a]")],
        [long_game(FIRST), long_game([(18 - y, x) for x, y in FIRST], "PB[a]")],
    ),
    Several(
        "duplicate-id",
        [long_game(FIRST, "GN[a]"), long_game(OTHER, "GN[b]")],
        [long_game(FIRST, "GN[a]"), long_game(OTHER, "GN[a]")],
    ),
    Several("near-duplicate", [long_game(FIRST), long_game(OTHER)], [long_game(FIRST), long_game(EXCHANGED)]),
    Several(
        "near-duplicate",
        [long_game(FIRST), long_game([*FIRST[:25], *APART[99:63:-1]])],
        [long_game(FIRST), long_game([*FIRST[:60], APART[80]])],
    ),
    Several(
        "shared-prefix",
        [long_game(FIRST), long_game([*FIRST[:39], *APART[98:76:-1]])],
        [long_game(FIRST), long_game([*FIRST[:40], *APART[99:78:-1]])],
    ),
    Several(
        "opening-collapse",
        [long_game(shuffled(APART, seed)[:41]) for seed in range(120)],
        [long_game([*FIRST[:16], *shuffled(APART[16:], seed)[:25]]) for seed in range(120)],
        of_all=True,
    ),
]
