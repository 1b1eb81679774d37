"""The text of a wei7 2.x record, read once from front to back into rows: the root and its children."""

from __future__ import annotations

from typing import Final

from ...limits import Limits
from ..record_columns import OF_ROOT
from .clauses import REQUIRED_NAMES
from .game import GameReader
from .moves import MovesReader
from .text import SPACE, Span, tag_at
from .values import size_of
from .xml_parser import Attributes, Context

_VERSIONS: Final = ("2.0", "2.1", "2.2")
_CHILDREN: Final = ("size", "game", "moves")
_PARTS_OF_GAME: Final = ("rules", "time", "black", "white", "result")


class Reader(MovesReader):
    """Reads one text into `rows`; the rest is in `size`, `info` and `broken_off`.

    Events of the parser are processed at once, so that a long text takes no more memory than its rows.
    """

    def __init__(self, source: bytes, limits: Limits) -> None:
        super().__init__(source, limits, _DOCUMENT)
        self.info: Span | None = None
        self._game = GameReader(self._note, source)
        self._root_at = 0
        self._last_child = -1
        self._seen: set[str] = set()

    def _root(self, _: int, at: int, attributes: Attributes) -> None:
        self._context, self._owner, self._closer = _ROOT, (OF_ROOT, 0), self._end_root
        self._root_at = at
        tag = tag_at(self._source, at)
        has_version = False
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            key, span = tag.attributes[name]
            if name == "version":
                has_version = True
                if value not in _VERSIONS:
                    self._note("value-not-allowed", "version", span[0])
            elif name.startswith(("xmlns:", "xsi:")) or (name == "xmlns" and not value):
                self._note("foreign-attribute", "root", key[0])
            else:
                self._note("unknown-attribute", "root", key[0])
            self._keep_part(OF_ROOT, 0, key, span)
        if not has_version:
            self._note("missing-attribute", "root", at, REQUIRED_NAMES.index("version"))

    def _end_root(self) -> None:
        for name in ("size", "moves"):
            if name not in self._seen:
                self._note("missing-element", "document", self._root_at, REQUIRED_NAMES.index(name))

    def _child(self, number: int, at: int, attributes: Attributes) -> None:
        """A child of the root, by its number."""
        name = _CHILDREN[number]
        if name in self._seen:
            self._note("element-repeated", "document", at)
            self._pass_over(at)
            return
        self._seen.add(name)
        if number < self._last_child:
            self._note("element-misplaced", "document", at)
            if name == "size" and "moves" in self._seen:
                self._pass_over(at)  # all points have been read already
                return
        self._last_child = max(number, self._last_child)
        _OPENERS[number](self, at, attributes)

    def _pass_over(self, at: int) -> None:
        self._context, self._closer, self._owner = self._stack.pop()
        self._skip(at, self._keep_content)

    def _size(self, at: int, attributes: Attributes) -> None:
        sound = self.rows.problems.count
        self._no_attributes("size", at, attributes, None)
        self._context, self._owner = _VALUE["size"], None
        self._value = []

        def closer() -> None:
            text = "".join(self._value)
            size, code = size_of(text)
            self._set_size(size)
            if code is not None:
                self._note(code, "size", self._value_at(at))
            if self.rows.problems.count != sound:
                self._keep_part(OF_ROOT, 0, (at + 1, at + 5), (at, self._end_of(at, self._at)))
            if size**2 > self._limits.max_points:
                self._note("board-size-unsupported", "size", self._value_at(at))

        self._closer = closer

    def _value_at(self, at: int) -> int:
        """The offset at which the text of the element at `at` begins; without text that of the element."""
        begin = tag_at(self._source, at).end
        text = self._source[begin : self._at]
        space = len(text) - len(text.lstrip(SPACE.encode()))
        return begin + space if space < len(text) else at

    def _game_element(self, at: int, attributes: Attributes) -> None:
        self._context, self._owner = _GAME, None
        self._game.start("game", at, attributes)

        def closer() -> None:
            self.info = (at, self._end_of(at, self._at))

        self._closer = closer

    def _part_of_game(self, number: int, at: int, attributes: Attributes) -> None:
        name = _PARTS_OF_GAME[number]
        self._context = _VALUE["time"] if name == "time" else _GAME_LEAVES[name]
        self._value = []
        self._game.start(name, at, attributes)
        if name == "time":

            def closer() -> None:
                self._game.time("".join(self._value), self._value_at(at))

            self._closer = closer


_OPENERS: Final = (Reader._size, Reader._game_element, Reader._moves)
_DOCUMENT: Final = Context("root", {"wei7": (Reader._root, 0)})
_ROOT: Final = Context("document", {name: (Reader._child, number) for number, name in enumerate(_CHILDREN)})
_GAME: Final = Context("game", {name: (Reader._part_of_game, number) for number, name in enumerate(_PARTS_OF_GAME)})
_VALUE: Final = {name: Context(name, has_value=True) for name in ("size", "time")}
_GAME_LEAVES: Final = {
    "rules": Context("rules"),
    "black": Context("player"),
    "white": Context("player"),
    "result": Context("result"),
}
