"""Hypothesis strategies: valid wei7 2.x texts with every construct, spelled in every way."""

from __future__ import annotations

from hypothesis import strategies as st

SIZES = (7, 9, 11, 13, 15, 17, 19)
SYMBOLS = "azAZ09@#$%&*?"
texts = st.text(st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=8)
comments = st.one_of(texts, st.text(st.sampled_from("a\n\t\r<&>'\" 围"), max_size=8))
colors = st.sampled_from(["black", "white"])
halves = st.integers(1, 19).map(lambda n: str(n // 2) if n % 2 == 0 else f"{n // 2}.5")
times = st.sampled_from(
    [
        "2011-09-06T02:35:19.5822023+08:00",
        "2011-12-31T23:59:00-14:00",
        "1999-12-31T24:00:00Z",
        "0001-01-01T00:00:00",
        "12011-09-06T02:35:19.12345678901Z",
        "-0044-03-15T12:00:00Z",
    ]
)


def escaped(draw, text: str, quote: str) -> str:
    """An attribute value, with references where they are needed and where not."""
    needed = {"&": "&amp;", "<": "&lt;", quote: "&quot;" if quote == '"' else "&apos;"}
    needed |= {c: f"&#{ord(c)};" for c in "\n\t\r"}
    parts = []
    for c in text:
        if c in needed:
            parts.append(draw(st.sampled_from([needed[c], f"&#x{ord(c):x};"])))
        else:
            parts.append(f"&#{ord(c):04};" if draw(st.integers(0, 9)) == 9 else c)
    return "".join(parts)


def element(draw, name: str, attributes: dict[str, str], children: tuple[str, ...] = (), text: str = "") -> str:
    """An element with its attributes in any order."""
    said = []
    for key in draw(st.permutations(list(attributes))):
        quote = draw(st.sampled_from("\"'"))
        space = draw(st.sampled_from(["", " ", "\n"]))
        said.append(f" {key}{space}={space}{quote}{escaped(draw, attributes[key], quote)}{quote}")
    inner = "".join(children) + text
    if not inner and draw(st.booleans()):
        return f"<{name}{''.join(said)}{draw(st.sampled_from(['', ' ']))}/>"
    space = draw(st.sampled_from(["", "\n  "])) if children else ""
    return f"<{name}{''.join(said)}>{space}{inner}{space}</{name}>"


def some(draw, **values) -> dict[str, str]:
    """Some of these attributes."""
    return {name: draw(value) for name, value in values.items() if draw(st.integers(0, 2)) == 2}


class Maker:
    """Makes one document; what is on the board decides where moves can go."""

    def __init__(self, draw, size: int) -> None:
        self._draw = draw
        self._size = size

    def _point(self, x: int, y: int) -> dict[str, str]:
        return {"x": str(x), "y": str(y)}

    def _marks(self) -> list[str]:
        draw = self._draw
        side = st.integers(0, self._size - 1)
        return [
            element(draw, "mark", {**self._point(draw(side), draw(side)), "symbol": draw(st.sampled_from(SYMBOLS))})
            for _ in range(draw(st.sampled_from([0, 0, 1, 2])))
        ]

    def _said(self) -> dict[str, str]:
        return some(
            self._draw,
            eval=st.sampled_from(["bad", "normal", "good", "trick"]),
            title=texts,
            comment=comments,
            problem=st.sampled_from(["no", "black", "white"]),
        )

    def moves(self, taken: frozenset[tuple[int, int]], moved: bool, depth: int) -> str:
        """A `moves` that starts where these points are taken."""
        draw = self._draw
        children: list[str] = []
        has_step = False
        if draw(st.booleans()):
            has_step = True
            stones: list[str] = []
            # No two of these points are neighbours, so that every stone has a liberty.
            even = st.integers(0, (self._size - 1) // 2).map(lambda n: 2 * n)
            if not moved and draw(st.booleans()):
                points = draw(st.lists(st.tuples(even, even), unique=True, max_size=3))
                stones = [element(draw, draw(colors), self._point(x, y)) for x, y in points]
                taken, moved = taken | set(points), bool(points)
            children.append(element(draw, "pre", self._said(), (*stones, *self._marks())))
        for _ in range(draw(st.integers(0, 4))):
            while depth and draw(st.integers(0, 3)) == 3:
                children.append(self.moves(taken, moved, depth - 1))
            children += self._marks()
            child, taken = self._step(taken)
            children.append(child)
            has_step = moved = True
        while depth and draw(st.integers(0, 3)) == 3:
            children.append(self.moves(taken, moved, depth - 1))
        if not has_step:
            children += self._marks()
            child, taken = self._step(taken)
            children.append(child)
        return element(draw, "moves", {}, tuple(children))

    def _step(self, taken: frozenset[tuple[int, int]]) -> tuple[str, frozenset[tuple[int, int]]]:
        draw = self._draw
        side = st.integers(0, self._size - 1)
        attributes = {**self._said(), **some(draw, splitter=st.sampled_from(["small", "medium", "large"]))}
        x, y = draw(side), draw(side)
        if (x, y) in taken or draw(st.integers(0, 5)) == 5:
            attributes["type"] = "pass"
        else:
            taken |= {(x, y)}
            attributes |= self._point(x, y)
            attributes |= some(draw, type=st.just("normal"))
        return element(draw, draw(colors), attributes), taken

    def game(self) -> str:
        """A `game`."""
        draw = self._draw
        children = []
        if draw(st.booleans()):
            rules = some(
                draw,
                scoring=st.sampled_from(["area", "territory"]),
                komi=halves,
                type=st.sampled_from(["Chinese", "Japanese", "Korean"]),
            )
            children.append(element(draw, "rules", rules))
        if draw(st.booleans()):
            children.append(element(draw, "time", {}, text=draw(times)))
        for color in ("black", "white"):
            if draw(st.booleans()):
                person = some(draw, domain=texts, id=texts, name=texts, title=texts, rank=texts)
                children.append(element(draw, color, person))
        if draw(st.booleans()):
            result = {"winner": draw(st.sampled_from(["black", "white", "neither"])), **some(draw, margin=halves)}
            children.append(element(draw, "result", result))
        return element(draw, "game", some(draw, domain=texts, id=texts, name=texts), tuple(children))


@st.composite
def xml_documents(draw, sizes=SIZES) -> bytes:
    """A valid document, its marks right before their steps and its `game` in the usual order."""
    size = draw(st.sampled_from(sizes))
    maker = Maker(draw, size)
    head = draw(st.sampled_from(["", '<?xml version="1.0"?>\n', "<?xml version='1.0' encoding='UTF-8'?>"]))
    children = [element(draw, "size", {}, text=str(size))]
    if draw(st.booleans()):
        children.append(maker.game())
    children.append(maker.moves(frozenset(), False, 2))
    version = draw(st.sampled_from(["2.0", "2.1", "2.2"]))
    return (head + element(draw, "wei7", {"version": version}, tuple(children))).encode()
