"""Records of GIB, NGF, UGF and OGS made up at random, and what their moves are."""

from __future__ import annotations

import json
import random

from oracles.board import OracleBoard

NAMES = ["홍길동", "Kim", "甲", "a b"]
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
SIDE = 19


def moves(chance: random.Random) -> list[tuple[int, tuple[int, int] | None]]:
    """Legal moves of Black and White in turn, few points apart so that stones are taken, and passes."""
    board = OracleBoard(SIDE, SIDE)
    size = chance.choice([2, 4, 19])
    played: list[tuple[int, tuple[int, int] | None]] = []
    for number in range(chance.randrange(30)):
        color = 1 + number % 2
        point = chance.randrange(size), chance.randrange(size)
        if board.stones.get(point) is not None or chance.random() < 0.05:
            played.append((color, None))
        else:
            board.play(color, point)
            played.append((color, point))
    return played


def gib(chance: random.Random) -> str:
    """A record of Tygem."""
    lines = ["\\HS", f"\\[GAMENAME={chance.choice(NAMES)}\\]", f"\\[GAMEBLACKNAME={chance.choice(NAMES)} (9D)\\]"]
    lines += [f"\\[GAMEWHITENAME={chance.choice(NAMES)} (3급)\\]"]
    lines += [f"\\[GAMEINFOMAIN=GBKIND:2,GRLT:{chance.randrange(9)},ZIPSU:{chance.choice([0, 25])},GONGJE:65\\]"]
    lines += ["\\[GAMETAG=S1,R3,C2016:03:26:17:29\\]", "\\HE", "\\GS", "2 1 0", "INI 0 1 0 &4"]
    for number, (color, point) in enumerate(moves(chance), 2):
        lines.append(f"SKI 0 {number}" if point is None else f"STO 0 {number} {color} {point[0]} {point[1]}")
    return "\n".join([*lines, "\\GE", ""])


def ngf(chance: random.Random) -> str:
    """A record of wBaduk."""
    played = moves(chance) or [(1, (3, 3))]
    result = chance.choice(["Black wins by 0.5!", "White wins by resign!", ""])
    lines = ["Rated game", "19", f"{chance.choice(NAMES)}  9D", f"{chance.choice(NAMES)}  5D*", "www.example.com"]
    lines += ["0", "0", "7", "20170316 [09:37]", "5", result, str(len(played))]
    for number, (color, point) in enumerate(played):
        place = "AA" if point is None else "".join(LETTERS[at + 1] for at in point)
        lines.append(f"PM{LETTERS[number // 26]}{LETTERS[number % 26]}{'BW'[color - 1]}{place}{place}")
    return "\n".join([*lines, ""])


def ugf(chance: random.Random) -> str:
    """A record of PandaNet."""
    lines = ["[Header]", "Lang=UTF8", f"Title={chance.choice(NAMES)},", "Place=東京", "Date=2019/03/08,22:09:00"]
    lines += ["Rule=JPN", "Size=19", "Hdcp=0,5.50", f"Winner={chance.choice(['B,7.50', 'W,C', ''])}"]
    lines += ["CoordinateType=IGS", f"PlayerB={chance.choice(NAMES)},7d,,x", f"PlayerW={chance.choice(NAMES)},8d,,y"]
    lines.append("[Data]")
    for number, (color, point) in enumerate(moves(chance), 1):
        place = "YA" if point is None else LETTERS[point[0]] + LETTERS[SIDE - 1 - point[1]]
        lines.append(f"{place},{'BW'[color - 1]}1,{number},0")
    return "\n".join([*lines, ""])


def ogs(chance: random.Random) -> str:
    """A game of OGS."""
    played = moves(chance) or [(1, (3, 3))]
    black, white = ({"username": chance.choice(NAMES), "rank": 20 + 15 * chance.random()} for _ in range(2))
    players = {"black": black, "white": white}
    game = {"game_name": chance.choice(NAMES), "players": players, "width": SIDE, "height": SIDE, "komi": 6.5}
    game |= {"rules": chance.choice(["japanese", "aga"]), "start_time": 1_500_000_000, "winner": "black"}
    game |= {"outcome": chance.choice(["Resignation", "Timeout", "3.5 points"])}
    game["moves"] = [[*(point or (-1, -1)), chance.randrange(90_000)] for _, point in played]
    whole = {"id": 7, "gamedata": game} if chance.random() < 0.5 else game
    return json.dumps(whole, ensure_ascii=chance.random() < 0.5)
