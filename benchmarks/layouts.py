"""The bytes of a record, made of texts that were made before: a table of steps for each size and variation.

A game costs a table look-up for every move and one copy of its bytes.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Callable
from typing import Any

import numpy as np
from variations import Variation, moves_of_codes, turned_codes

PHRASES = (
    "黑棋先占大场", "白棋守角", "此手稍缓", "这里是双方必争之点", "形势两分", "征子有利", "弃子取势", "打入正是时候",
    "劫争开始", "官子阶段", "读秒声中落子", "白棋脱先他投", "厚味发挥了作用", "愚形,但不得已", "一路之差", "好手",
    "\"妙手\"与俗手只差一路", "黑方长考\n二十分钟", "转换之后黑棋不坏", "中腹的模样越来越大",
)  # fmt: skip
ID = "@id@"
STEPS = "@steps@"

Layout = Callable[[Variation], bytes]


def point_of(move: tuple[int, tuple[int, int] | None]) -> dict[str, int] | None:
    return None if move[1] is None else {"x": move[1][0], "y": move[1][1]}


def plain_step(move: tuple[int, tuple[int, int] | None]) -> dict[str, Any]:
    return {"action": {"type": "move", "value": {"color": move[0], "point": point_of(move)}}}


def frame(size: int, info: dict[str, Any], indent: int | None) -> tuple[bytes, bytes, bytes]:
    """Return what precedes the id, between it and the first step, and after the last step."""
    document = {
        "format": "wei7",
        "version": "3.0",
        "size": size,
        "info": {"id": ID, **info},
        "tree": {"steps": [STEPS]},
    }
    first, rest = json_text(document, indent).split(ID)
    middle, last = rest.split(f'"{STEPS}"')
    return first.encode(), middle.encode(), last.encode()


def json_text(value: Any, indent: int | None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=(",", ":" if indent is None else ": "))


@functools.cache
def step_texts(size: int, turn: int, indent: int | None) -> list[bytes]:
    """Return the step of each code after the turn, indented to where steps are in a record."""
    moves = moves_of_codes(size)
    texts = [json_text(plain_step(moves[code]), indent).replace("\n", "\n      ") for code in turned_codes(size, turn)]
    return [text.encode() for text in texts]


def plain_layout(indent: int | None) -> Layout:
    """Compact, or indented by `indent` spaces as programs and people write it."""
    frames = functools.cache(lambda size: frame(size, {}, indent))
    separator = b"," if indent is None else b",\n      "

    def text(variation: Variation) -> bytes:
        first, middle, last = frames(variation.base.size)
        texts = step_texts(variation.base.size, variation.turn, indent)
        steps = separator.join(map(texts.__getitem__, variation.base.codes[: variation.length].tolist()))
        return b"".join((first, variation.id.encode(), middle, steps, last))

    return text


@functools.cache
def remark_texts(size: int, turn: int) -> list[bytes]:
    """Return, for each code after the turn, actor and marks and the beginning of a comment."""
    texts = []
    moves = moves_of_codes(size)
    for code in turned_codes(size, turn).tolist():
        point = point_of(moves[code])
        marks = [] if point is None else [{"point": point, "symbol": "abcdefgh#$%?"[code % 12]}]
        members = json_text({"actor": moves[code][0] - 1, "marks": marks}, None)
        texts.append(f',{members[1:-1]},"comment":'.encode())
    return texts


@functools.cache
def time_texts(count: int) -> list[bytes]:
    return [f'{{"time":{7.25 * number:g},'.encode() for number in range(count)]


@functools.cache
def comment_texts() -> list[bytes]:
    pairs = itertools.product(PHRASES, PHRASES)
    return [json_text(f"{first}。{second}。", None).encode() + b"}" for first, second in pairs]


def annotated_layout() -> Layout:
    """Compact, every third step with its time and actor, a mark and a Chinese comment."""
    info = {
        "name": "第 13 届决赛三番棋第一局",
        "participants": [{"name": "古力"}, {"name": "李世石"}],
        "players": [{"participant": 0, "color": 1}, {"participant": 1, "color": 2}],
    }
    frames = functools.cache(lambda size: frame(size, info, None))
    times = time_texts(1 << 13)
    comments = comment_texts()

    def text(variation: Variation) -> bytes:
        size, turn, length = variation.base.size, variation.turn, variation.length
        first, middle, last = frames(size)
        plain, remarks = step_texts(size, turn, None), remark_texts(size, turn)
        codes = variation.base.codes[:length].tolist()
        steps = list(map(plain.__getitem__, codes))
        comment = length + 37 * turn
        for number in range(0, length, 3):
            code = codes[number]
            comment = (comment + 7) % len(comments)
            steps[number] = b"".join((times[number], plain[code][1:-1], remarks[code], comments[comment]))
        return b"".join((first, variation.id.encode(), middle, b",".join(steps), last))

    return text


@functools.cache
def sgf_moves(size: int, turn: int) -> np.ndarray[Any, np.dtype[np.bytes_]]:
    """Return the six bytes of each code after the turn; spaces fill up a pass."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    moves = moves_of_codes(size)
    texts = []
    for code in turned_codes(size, turn).tolist():
        color, point = moves[code]
        value = "" if point is None else letters[point[0]] + letters[point[1]]
        texts.append(f";{'?BW'[color]}[{value}]".ljust(6).encode())
    return np.array(texts, "S6")


@functools.cache
def sgf_head(size: int) -> tuple[bytes, bytes]:
    """Return what precedes the name of a game, and between it and the first move."""
    names = "PB[古力]PW[李世石]RE[?]DT[2024-02-29]"
    return f"(;FF[4]GM[1]SZ[{size}]CA[UTF-8]KM[6.5]GN[".encode(), f"]{names}\n".encode()


def sgf_text(variation: Variation) -> bytes:
    """Return a game as servers write it: a line of what it is, and a line of moves."""
    base = variation.base
    first, middle = sgf_head(base.size)
    moves = sgf_moves(base.size, variation.turn).take(base.codes[: variation.length])
    return b"".join((first, variation.id.encode(), middle, moves.tobytes(), b")"))


LAYOUTS: dict[str, Layout] = {
    "wei7": plain_layout(None),
    "wei7-indented": plain_layout(2),
    "wei7-annotated": annotated_layout(),
    "sgf": sgf_text,
}
