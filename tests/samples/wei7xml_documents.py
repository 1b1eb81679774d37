"""Valid wei7 2.x texts with every construct, spelled in every way."""

from __future__ import annotations

import random
import sys
import unicodedata
from collections.abc import Callable

from helpers.effort import chances
from hypothesis import strategies as st

SIZES = (7, 9, 11, 13, 15, 17, 19)
SYMBOLS = "azAZ09@#$%&*?"
TIMES = (
    "2011-09-06T02:35:19.5822023+08:00",
    "2011-12-31T23:59:00-14:00",
    "1999-12-31T24:00:00Z",
    "0001-01-01T00:00:00",
    "12011-09-06T02:35:19.12345678901Z",
    "-0044-03-15T12:00:00Z",
)
COLORS = ("black", "white")
# Text of few characters, plain ones, those that XML has a meaning for, and any others.
PLAIN = "".join(map(chr, range(0x20, 0x7F)))
MEANT = "&<>'\" ;]/\u00a0\u2028\u3000围\U0001f600"


def texts(chance: random.Random) -> str:
    """Text without the characters that XML does not allow, and without control characters."""
    return "".join(character(chance) for _ in range(chance.choice((0, 1, 1, 2, 3, 4, 6, 8))))


def character(chance: random.Random) -> str:
    pool = chance.choice((PLAIN, PLAIN, MEANT, None))
    while pool is None:
        found = chr(chance.randrange(0x80, chance.choice((0x100, 0x10000, sys.maxunicode + 1))))
        if unicodedata.category(found) not in ("Cs", "Cc") and found not in "\ufffe\uffff":
            return found
    return chance.choice(pool)


def comments(chance: random.Random) -> str:
    if chance.random() < 0.5:
        return texts(chance)
    return "".join(chance.choice("a\n\t\r<&>'\" 围") for _ in range(chance.randrange(9)))


def halves(chance: random.Random) -> str:
    number = chance.randint(1, 19)
    return str(number // 2) if number % 2 == 0 else f"{number // 2}.5"


def one_of(*values: str) -> Callable[[random.Random], str]:
    return lambda chance: chance.choice(values)


def escaped(chance: random.Random, text: str, quote: str) -> str:
    """An attribute value, with references where they are needed and where not."""
    needed = {"&": "&amp;", "<": "&lt;", quote: "&quot;" if quote == '"' else "&apos;"}
    needed |= {c: f"&#{ord(c)};" for c in "\n\t\r"}
    parts = []
    for c in text:
        if c in needed:
            parts.append(chance.choice((needed[c], f"&#x{ord(c):x};")))
        else:
            parts.append(f"&#{ord(c):04};" if chance.randrange(10) == 9 else c)
    return "".join(parts)


def element(
    chance: random.Random, name: str, attributes: dict[str, str], children: tuple[str, ...] = (), text: str = ""
) -> str:
    """An element with its attributes in any order."""
    written = []
    for key in chance.sample(list(attributes), len(attributes)):
        quote = chance.choice("\"'")
        space = chance.choice(("", " ", "\n"))
        written.append(f" {key}{space}={space}{quote}{escaped(chance, attributes[key], quote)}{quote}")
    inner = "".join(children) + text
    if not inner and chance.random() < 0.5:
        return f"<{name}{''.join(written)}{chance.choice(('', ' '))}/>"
    space = chance.choice(("", "\n  ")) if children else ""
    return f"<{name}{''.join(written)}>{space}{inner}{space}</{name}>"


def some(chance: random.Random, **values: Callable[[random.Random], str]) -> dict[str, str]:
    """Some of these attributes."""
    return {name: value(chance) for name, value in values.items() if chance.randrange(3) == 2}


class Maker:
    """Makes one document; what is on the board decides where moves can go."""

    def __init__(self, chance: random.Random, size: int) -> None:
        self._chance = chance
        self._size = size

    def _point(self, x: int, y: int) -> dict[str, str]:
        return {"x": str(x), "y": str(y)}

    def _any_point(self) -> tuple[int, int]:
        return self._chance.randrange(self._size), self._chance.randrange(self._size)

    def _marks(self) -> list[str]:
        chance = self._chance
        return [
            element(chance, "mark", {**self._point(*self._any_point()), "symbol": chance.choice(SYMBOLS)})
            for _ in range(chance.choice((0, 0, 1, 2)))
        ]

    def _attributes(self) -> dict[str, str]:
        return some(
            self._chance,
            eval=one_of("bad", "normal", "good", "trick"),
            title=texts,
            comment=comments,
            problem=one_of("no", *COLORS),
        )

    def moves(self, taken: frozenset[tuple[int, int]], moved: bool, depth: int) -> str:
        """A `moves` that starts where these points are taken."""
        chance = self._chance
        children: list[str] = []
        has_step = False
        if chance.random() < 0.5:
            has_step = True
            stones: list[str] = []
            # No two of these points are neighbours, so that every stone has a liberty.
            even = range(0, self._size, 2)
            if not moved and chance.random() < 0.5:
                points = {(chance.choice(even), chance.choice(even)) for _ in range(chance.randrange(4))}
                stones = [element(chance, chance.choice(COLORS), self._point(x, y)) for x, y in sorted(points)]
                taken, moved = taken | points, bool(points)
            children.append(element(chance, "pre", self._attributes(), (*stones, *self._marks())))
        for _ in range(chance.randrange(5)):
            while depth and chance.randrange(4) == 3:
                children.append(self.moves(taken, moved, depth - 1))
            children += self._marks()
            child, taken = self._step(taken)
            children.append(child)
            has_step = moved = True
        while depth and chance.randrange(4) == 3:
            children.append(self.moves(taken, moved, depth - 1))
        if not has_step:
            children += self._marks()
            child, taken = self._step(taken)
            children.append(child)
        return element(chance, "moves", {}, tuple(children))

    def _step(self, taken: frozenset[tuple[int, int]]) -> tuple[str, frozenset[tuple[int, int]]]:
        chance = self._chance
        attributes = {**self._attributes(), **some(chance, splitter=one_of("small", "medium", "large"))}
        x, y = self._any_point()
        if (x, y) in taken or chance.randrange(6) == 5:
            attributes["type"] = "pass"
        else:
            taken |= {(x, y)}
            attributes |= self._point(x, y)
            attributes |= some(chance, type=one_of("normal"))
        return element(chance, chance.choice(COLORS), attributes), taken

    def game(self) -> str:
        """A `game`."""
        chance = self._chance
        children = []
        if chance.random() < 0.5:
            rules = some(
                chance,
                scoring=one_of("area", "territory"),
                komi=halves,
                type=one_of("Chinese", "Japanese", "Korean"),
            )
            children.append(element(chance, "rules", rules))
        if chance.random() < 0.5:
            children.append(element(chance, "time", {}, text=chance.choice(TIMES)))
        for color in COLORS:
            if chance.random() < 0.5:
                person = some(chance, domain=texts, id=texts, name=texts, title=texts, rank=texts)
                children.append(element(chance, color, person))
        if chance.random() < 0.5:
            result = {"winner": chance.choice((*COLORS, "neither")), **some(chance, margin=halves)}
            children.append(element(chance, "result", result))
        return element(chance, "game", some(chance, domain=texts, id=texts, name=texts), tuple(children))


def xml_document(chance: random.Random, sizes: tuple[int, ...]) -> bytes:
    """A valid document, its marks right before their steps and its `game` in the usual order."""
    size = chance.choice(sizes)
    maker = Maker(chance, size)
    head = chance.choice(("", '<?xml version="1.0"?>\n', "<?xml version='1.0' encoding='UTF-8'?>"))
    children = [element(chance, "size", {}, text=str(size))]
    if chance.random() < 0.5:
        children.append(maker.game())
    children.append(maker.moves(frozenset(), False, 2))
    version = chance.choice(("2.0", "2.1", "2.2"))
    return (head + element(chance, "wei7", {"version": version}, tuple(children))).encode()


def xml_documents(sizes: tuple[int, ...] = SIZES) -> st.SearchStrategy[bytes]:
    return st.builds(lambda chance: xml_document(chance, sizes), chances())
