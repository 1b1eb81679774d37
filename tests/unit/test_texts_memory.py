"""Memory that runs out while texts are decoded and replayed is an error and nothing else: no crash, no leak."""

from __future__ import annotations

import json

import pytest
from helpers import native

pytestmark = pytest.mark.exhaustive

LETTERS = "abcdefghijklmnopqrs"
POINTS = [a + b for a in LETTERS for b in LETTERS]


def many_nodes() -> str:
    nodes = "".join(
        f";{'BW'[k % 2]}[{point}]C[{k}]TR[{point}]XY[{k}]" if k % 3 else f";AE[aa:cc]AB[{point}]"
        for k, point in enumerate(POINTS)
    )
    return f"(;AB[aa:ss]LB[aa:A]SZ[19]GN[a]{nodes}(;B[aa]))"


def many_problems() -> str:
    return "(;AB[ab:ab]B[!]C[x]" + "(;B[]x;AB[??]W[zz](;C[a)" * 300 + "(;W[aa];B[bb])" * 40 + ";B[aa]C[open"


def deep() -> str:
    return "(;C[a](;B[aa])" + ";W[bb](;B[cc]" * 600 + ")" * 600


TEXTS = {
    "many-nodes": many_nodes(),
    "many-problems": many_problems(),
    "deep": deep(),
    "no-parentheses": ";B[aa];W[bb]" * 100,
    "empty": "",
}


def wei7(size: int, steps: int) -> str:
    """Moves, and branches that take some of them back."""
    points = [{"x": k % size, "y": k // size % size} for k in range(steps)]
    played = [{"action": {"type": "move", "value": {"color": 1 + k % 2, "point": p}}} for k, p in enumerate(points)]
    back = {"action": {"type": "takeback", "value": steps // 2}}
    stones = [{"color": 1, "point": {"x": size - 1, "y": size - 1}}]
    tree = {"pre": {"stones": stones}, "steps": played, "branches": [{"steps": [back]}, {"steps": []}]}
    people = {
        "participants": [{"name": f"player {k}"} for k in range(20)],
        "players": [{"participant": k, "color": 1 + k % 2} for k in range(20)],
    }
    info = {**people, "rules": {"komi": 6.5, "type": "Chinese"}, "result": {"winner": 1}}
    return json.dumps({"format": "wei7", "version": "3.0", "size": size, "info": info, "tree": tree})


@pytest.mark.parametrize("once", [True, False], ids=["once", "from-then-on"])
@pytest.mark.parametrize("double_byte", [0, 1, 2])
@pytest.mark.parametrize("name", TEXTS)
def test_decoding_sgf(name: str, double_byte: int, once: bool) -> None:
    failures = native.load("short_texts", "short_texts").decode(TEXTS[name].encode(), double_byte, once)
    assert failures >= {"many-nodes": 15, "many-problems": 15, "deep": 10, "no-parentheses": 3, "empty": 1}[name]


@pytest.mark.parametrize("once", [True, False], ids=["once", "from-then-on"])
def test_replaying_many_texts(once: bool) -> None:
    moves = "".join(f";B[{a}];W[{b}]" for a, b in zip(POINTS[::2], POINTS[1::2], strict=False))
    setups = "".join(f";AB[{point}];AE[{point}]" for point in POINTS)
    texts = [
        f"(;GN[a]{moves})",
        "(;SZ[5]AB[aa:cc];W[ed](;B[ee])(;AE[aa:cc](;B[aa])(;W[bb])))",
        f"(;{setups}(;B[aa])(;W[aa]))",
        "(;SZ[40];B[aa])",
        *(text for text in TEXTS.values()),
        wei7(9, 70),
        wei7(19, 300),
    ]
    failures = native.load("short_texts", "short_texts").replay([text.encode() for text in texts], once)
    assert failures >= 30
