"""A document -> the text of a Giseong record."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from ...errors import ConversionError
from ...record.document import Branch, Document, Mark, Move, Note, Setup, Step, Unreadable, require_no_cycle
from . import codes
from .codes import BLACK, CLEAR, HANGUL, HANGUL_KIND, LABEL_KINDS, RESTORE, SAVE, SIDE, WHITE
from .shape import Shapes, draws
from .stones import StoneMap
from .text import KOREAN, UTF_8
from .tokens import MOVES, POSTING, VERSION_TOKEN, comment, marks, tokens_of


def document_to_giseong(document: Document) -> bytes:
    """Return the text of a document: in CP949 if that has all its characters, else in UTF-8.

    The original codes of a place are written unchanged while they agree with its content. Raises `ValueError` for
    content that Giseong cannot represent (another board than 19 x 19, passes, takebacks, preset stones, labels that it
    does not have, a tree that it cannot represent), which `wei7core.convert` changes first, and for a branch that
    contains itself. No other thread may change the document.
    """
    text = _GiseongWriter(document).text()
    return _encoded(text)


def _encoded(text: str) -> bytes:
    try:
        data = text.encode(KOREAN)
        data.decode(UTF_8)
    except UnicodeEncodeError:
        return text.encode(UTF_8)
    except UnicodeDecodeError:
        return data
    # It would be read as UTF-8; for ASCII that is harmless.
    return text.encode(UTF_8)


class _GiseongWriter:
    def __init__(self, document: Document) -> None:
        if (document.width, document.height) != (SIDE, SIDE):
            raise ValueError(f"Giseong has a board of {SIDE} x {SIDE}, not of {document.width} x {document.height}")
        self._document = document
        self._screen = StoneMap()
        self._lines: list[str] = []

    def text(self) -> str:
        document = self._document
        require_no_cycle(document.tree)
        self._shapes = Shapes(document.tree)
        properties = document.properties
        posting = POSTING in properties
        if posting:
            self._put(codes.code("w", 21))
        for number, name in ((23, VERSION_TOKEN), (20, MOVES)):
            if name in properties:
                self._put(codes.code("w", number, _number(properties[name][0])))
        self._put(codes.code("w", 1))
        for number, text in ((12, document.info.name), (5, self._player(BLACK)), (6, self._player(WHITE))):
            if text:
                _refuse_codes(text)
                self._put(f"{codes.code('w', 4)}{text}{codes.code('w', number)}")
        self._tree(document.tree)
        self._put(codes.code("w", 2))
        if posting:
            self._put(codes.code("w", 22))
        lines = self._lines
        apart = [f"{line}{_GUARD}" if _runs_on(line, next_line) else line for line, next_line in pairwise(lines)]
        return "\n".join([*apart, lines[-1]]) + "\n"

    def _put(self, line: str) -> None:
        self._lines.append(line)

    def _put_tokens(self, tokens: tuple[str, ...]) -> None:
        self._lines += tokens

    def _player(self, color: int) -> str | None:
        info = self._document.info
        for player in info.players:
            if player.color == color and 0 <= player.participant < len(info.participants):
                participant = info.participants[player.participant]
                return " ".join(filter(None, (participant.name, participant.rank))) or None
        return None

    # --- the tree --------------------------------------------------------------

    def _tree(self, root: Branch) -> None:
        start = self._screen.stones()
        pre = root.pre or Setup()
        if pre.stones or pre.problem is not None:
            raise ValueError("Giseong has no preset stones and no problems")
        tokens = tokens_of(self._document.properties)
        self._put_tokens(self._tokens(tokens, pre.comment, pre.marks))
        # Pending work, the last item first: text to put, or a branch and the stones before it.
        waiting: list[str | tuple[Branch, bytes, bool]] = []
        is_shown = draws(pre, tokens)
        if self._shapes.is_of_screens(is_shown):
            for row, screen in enumerate(root.branches):
                if row or is_shown:
                    waiting.append(codes.code("@", CLEAR))
                waiting.append((screen, start, False))
            waiting.reverse()
        else:
            waiting.append((root, start, False))
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                self._put(item)
            else:
                branch, stones, inside = item
                self._screen.show(stones)
                self._steps(branch, is_root=branch is root)
                waiting.extend(reversed(self._below(branch, self._screen.stones(), inside)))

    def _below(self, branch: Branch, stones: bytes, inside: bool) -> list[str | tuple[Branch, bytes, bool]]:
        """The pending work for the branches below one; a block, `inside`, contains no other blocks."""
        below = branch.branches
        if len(below) < 2:
            return [(child, stones, inside) for child in below]
        shapes = self._shapes
        blocks = 0 if inside else shapes.blocks_before(branch)
        todo: list[str | tuple[Branch, bytes, bool]] = []
        for child in below[1 : 1 + blocks]:
            todo += ["{{", (child, stones, True), "}}"]
        if not (shapes.is_simple(branch) if inside else shapes.is_full(branch)):
            raise ConversionError(
                "Giseong cannot represent these variations: its blocks do not nest, and it saves one board"
            )
        if blocks == len(below) - 1:
            return [*todo, (below[0], stones, inside)]
        todo += [codes.code("@", SAVE), (below[0], stones, inside)]
        for child in below[1 + blocks :]:
            todo += [codes.code("@", RESTORE), (child, stones, inside)]
        return todo

    def _steps(self, branch: Branch, *, is_root: bool) -> None:
        if branch.pre is not None and not is_root:
            raise ValueError("Giseong has no positions at the start of a branch")
        if branch.title is not None:
            raise ValueError("branches have no titles in Giseong")
        for step in branch.steps:
            self._step(step)

    def _step(self, step: Step) -> None:
        action = step.action
        tokens = tokens_of(step.properties)
        labels = step.marks
        if isinstance(action, Move):
            if action.point is None:
                raise ValueError("Giseong has no passes")
            labels = self._stone(action, labels, tokens)
            self._screen.put(action.color, action.point)
        elif isinstance(action, Unreadable):
            part = codes.read_code(action.text.decode("utf-8", "replace"))
            if part is None or part.what != "@":
                raise ValueError("a step that could not be read is no placement of Giseong")
            self._put(action.text.decode())
            labels = marks(tokens)
        elif not isinstance(action, Note):
            raise ValueError(f"Giseong has no {type(action).__name__.lower()}")
        commentary = comment(tokens) if isinstance(action, Unreadable) else step.comment
        self._put_tokens(self._tokens(tokens, commentary, labels))

    def _stone(self, move: Move, labels: list[Mark], tokens: tuple[str, ...]) -> list[Mark]:
        """Put a stone; returns the labels that are not on it from the start."""
        assert move.point is not None
        x, y = move.point
        if move.color not in (BLACK, WHITE) or not (0 <= x < SIDE and 0 <= y < SIDE):
            raise ValueError(f"no stone of colour {move.color} can be put on {move.point}")
        own = None
        if not _same(labels, marks(tokens)):
            own = next(
                (mark for mark in labels if _is_on(mark, move) and _same(_but(labels, mark), marks(tokens))), None
            )
            own = own or next((mark for mark in labels if _is_on(mark, move)), None)
        if own is None:
            self._put(codes.code("@", 2 if move.color == BLACK else 3, y + 1, x + 1))
            return labels
        number, index = LABEL_KINDS[move.color, own.symbol]
        self._put(codes.code("@", number, y + 1, x + 1, index))
        return _but(labels, own)

    # --- commentary and labels -------------------------------------------------

    def _tokens(self, tokens: tuple[str, ...], commentary: str | None, labels: list[Mark]) -> tuple[str, ...]:
        """The tokens of a place, with the original ones as far as they still agree with its content."""
        same_text = comment(tokens) == commentary
        same_labels = _same(labels, marks(tokens))
        if same_text and same_labels:
            return tokens
        kept = [token for token in tokens if _is_other_code(token)]
        texts = [token for token in tokens if not _is_other_code(token) and not _is_label(token)]
        if not same_text:
            texts = [] if commentary is None else _text_tokens(commentary)
        return (*[self._label(mark) for mark in labels], *texts, *kept)

    def _label(self, mark: Mark) -> str:
        x, y = mark.point
        if not (0 <= x < SIDE and 0 <= y < SIDE):
            raise ValueError(f"the label on {mark.point} is off the board")
        if mark.symbol in HANGUL:
            return codes.code("@", HANGUL_KIND, y + 1, x + 1, HANGUL.index(mark.symbol))
        color = self._screen.color(mark.point)
        if (color, mark.symbol) not in LABEL_KINDS:
            where = "a stone" if color else "an empty point"
            raise ValueError(f"Giseong has no label {mark.symbol!r} on {where}")
        number, index = LABEL_KINDS[color, mark.symbol]
        return codes.code("@", number, y + 1, x + 1, index)


_GUARD: Final = "\u3000"  # a space outside of codes
_BREAK: Final = 9
_CLEAR_DIALOGUE: Final = 3
_MOST: Final = 999


def _runs_on(line: str, following: str) -> bool:
    """Whether the end of a line and the start of the next would be read as one code, since line breaks are ignored.

    For text from a record this happens only if a code between the two, such as that of a saved board, is written
    elsewhere.
    """
    part = codes.read_code(line)
    if part is None and line[-1] not in "&{}":
        return False
    if part is not None and (part.what != "malformed" or line[-1] in "@w"):
        return False
    head = following[:100]
    begins = [one.begin for one in codes.parts(line + head)]
    return len(line) not in begins


def _number(text: str) -> int:
    number = int(text)
    if not 1 <= number <= _MOST:
        raise ValueError(f"numbers in controls are 1 to {_MOST}, not {number}")
    return number


def _refuse_codes(text: str) -> None:
    """Raise `ValueError` for text that would be read as a code."""
    if "\n" in text or "\r" in text or any(part.what != "text" for part in codes.parts(text)):
        raise ValueError(f"{text[:40]!r} would not be read as text")


def _text_tokens(text: str) -> list[str]:
    tokens = []
    breaks = 0
    for row, line in enumerate(text.split("\n")):
        breaks += row > 0
        if line:
            tokens += _breaks(breaks)
            breaks = 0
            _refuse_codes(line)
            tokens.append(line)
    return tokens + _breaks(breaks)


def _breaks(count: int) -> list[str]:
    full, rest = divmod(count, _MOST)
    tokens = [codes.code("w", _BREAK, _MOST)] * full
    if rest:
        tokens.append(codes.code("w", _BREAK) if rest == 1 else codes.code("w", _BREAK, rest))
    return tokens


def _is_other_code(token: str) -> bool:
    """Whether a token is neither text nor a label, and does not format the text."""
    part = codes.read_code(token)
    if part is None or _is_label(token):
        return False
    return part.what != "w" or part.numbers[0] not in (_BREAK, _CLEAR_DIALOGUE)


def _is_label(token: str) -> bool:
    return bool(marks((token,)))


def _is_on(mark: Mark, move: Move) -> bool:
    return mark.point == move.point and (move.color, mark.symbol) in LABEL_KINDS


def _but(labels: list[Mark], own: Mark) -> list[Mark]:
    return [mark for mark in labels if mark is not own]


def _same(labels: list[Mark], others: list[Mark]) -> bool:
    """Whether the labels are the same, in any order."""
    return sorted((mark.point, mark.symbol) for mark in labels) == sorted((mark.point, mark.symbol) for mark in others)
