"""SGF as servers and programs write it, in many styles and sizes, for tests of what reads it quickly."""

from __future__ import annotations

import random

from oracles import sgf as sgf_oracle

GAPS = ["", "", "", "\n", "\r\n", " ", "\n\n", "\t "]
COMMENTS = [
    "",
    "hi",
    "good game, thx",
    "a \\] b",
    "back\\\\",
    "two\nlines",
    "Bob [3k\\]: hello",
    "x" * 40,
    "0.51 (;W[aa])",
]
COMMENTS += ["\xc3\xa9\xe7\x8e\x8b", "\xe9 alone", "\\" * 7 + "x", "y" * 15 + "\\]" + "z" * 15, "half \x81"]
ROOTS = [
    "",
    "FF[4]GM[1]",
    "FF[3]",
    "FF[1]GM[1]",
    "CA[UTF-8]AP[x:1]",
    "GN[a game]PB[Bl\xc3\xa4ck]PW[\xe6\x9f\xb3]RE[B+R]",
]
ROOTS += ["AB[aa][bb]PL[W]", "KM[6.5]HA[0]C[welcome]", "KM[much]"]


def point(chance: random.Random, width: int, height: int) -> str:
    kind = chance.random()
    if kind < 0.96:
        return sgf_oracle.LETTERS[chance.randrange(width)] + sgf_oracle.LETTERS[chance.randrange(height)]
    if kind < 0.98:
        return chance.choice(["", "tt", "T", "aaa", "a a", " aa", "zz", "AA", "`a", "a{", "a]"])
    return chance.choice(sgf_oracle.LETTERS) + chance.choice(sgf_oracle.LETTERS)


def clock(chance: random.Random, color: str) -> str:
    texts = [f"{color}L[{chance.randrange(4000)}]", f"{color}L[{chance.random() * 999:.3f}]"]
    texts += [texts[chance.randrange(2)] + f"O{color}[{chance.randrange(30)}]"]
    if chance.random() < 0.1:
        texts += [
            f"{color}L[]",
            f"{color}L[-1]",
            f"{color}L[1.2.3]",
            f"O{color}[2.5]",
            f"{color}L[1]{color}L[2]",
            f"{color}L[1][2]",
        ]
    return chance.choice(texts)


def extras(chance: random.Random, color: str, width: int, height: int, style: str) -> str:
    """Return what follows a move in a node."""
    text = ""
    if style == "clock" or (style == "mixed" and chance.random() < 0.3):
        text += clock(chance, color)
    if style == "comments" or (style == "mixed" and chance.random() < 0.2):
        text += chance.choice(GAPS) + f"C[{chance.choice(COMMENTS)}]"
    if style == "mixed" and chance.random() < 0.3:
        where = point(chance, width, height)
        others = [f"CR[{where}]", f"LB[{where}:A]", "TE[1]", "N[name]", "KO[]", f"W[{where}]", f"AB[{where}]", "XX[x]"]
        others += [
            "X[x]",
            "KGSDE[x]",
            "V1[x]",
            "Black[aa]",
            "DD[]",
            "SZ[9]",
            "C [x]",
            "C[x]C[y]",
            "MN[3]",
            "TB[aa][bb]",
        ]
        text += chance.choice(others) + chance.choice(GAPS)
    return text


def game(chance: random.Random) -> str:
    """Return a game of some style; most bytes of it are of the kind that real games are made of."""
    width = chance.choice([19, 19, 19, 19, 13, 9, 26, 27, 30, 52, 1])
    height = width if chance.random() < 0.8 else chance.choice([1, 9, 19, 26, 52])
    size = "" if width == height == 19 else f"SZ[{width}]" if width == height else f"SZ[{width}:{height}]"
    style = chance.choice(["bare", "bare", "clock", "comments", "mixed"])
    gap = chance.choice(GAPS)
    line = chance.choice([1, 1, 3, 10, 10, 15, 1000])
    odd = chance.choice([0.0, 0.0, 0.02])
    parts = ["(;", size, chance.choice(ROOTS), chance.choice(GAPS)]
    trees = 1
    for number in range(chance.choice([0, 1, 2, 3, 9, 10, 11, 12, 20, 21, 22, 40, 70, 150])):
        color = "BW"[number % 2] if chance.random() > odd else chance.choice(["b", "X", "B B", "AW", "W"])
        parts.append(f";{color}[{point(chance, width, height)}]")
        parts.append(extras(chance, color, width, height, style))
        if number % line == line - 1:
            parts.append(gap)
        if chance.random() < odd:
            parts.append(chance.choice(["(", ")", " ", ";", "[x]", "]", "\\", "x", "(;FF[4]", ";;"]))
            trees += parts[-1] == "("
    return "".join(parts) + ")" * trees + chance.choice(["", "\n", " x", "(;B[aa])"])


def damaged(chance: random.Random, text: bytes) -> bytes:
    """Return the text with a few bytes changed, dropped, doubled or cut off."""
    data = bytearray(text)
    for _ in range(chance.choice([1, 1, 2, 5])):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice([1, 1, 2, 6, 30]))
        kind = chance.randrange(5)
        if kind == 0:
            del data[at:end]
        elif kind == 1 and at < len(data):
            data[at] = chance.choice(b"[];BW()\\ \n\rat\x00\xff\x81zA")
        elif kind == 2:
            data[at:at] = data[at:end]
        elif kind == 3 and chance.random() < 0.3:
            del data[at:]
        else:
            data[at:at] = chance.choice(
                [b"[", b"]", b";", b"\\", b" ", b"\n", b"B[]", b";W[tt]", b";B[aa]W[bb]", b"(;", b")"]
            )
    return bytes(data)


def text(seed: int) -> bytes:
    """Return text number `seed`; every other one is damaged."""
    chance = random.Random(seed)
    whole = game(chance).encode("latin-1")
    return damaged(chance, whole) if seed % 2 else whole
