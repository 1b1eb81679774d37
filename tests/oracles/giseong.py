"""A slow viewer of Giseong records: it goes through the characters once and shows what a screen would show.

Written from the description of the format and knowing nothing of trees: it has one board, one saved one and the boards
before the blocks that are open. It is for records without mistakes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from oracles.board import OracleBoard, Stones

LABELS = {
    1: "가나다라마바사아자차카타파하",
    4: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    5: "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    6: [str(number) for number in range(100)],
    7: [str(number) for number in range(100)],
    11: "▲◈▣⊙→←↑↓",
    12: "▲◈▣⊙→←↑↓",
}
COLORS = {2: 1, 3: 2, 4: 1, 5: 2, 6: 1, 7: 2, 11: 1, 12: 2}


@dataclass
class Shown:
    """What the screen shows after a stone: the stones, and the labels and the text that come before the next one."""

    offset: int
    stones: Stones
    labels: list[tuple[tuple[int, int], str]] = field(default_factory=list)
    text: str = ""


@dataclass
class Viewer:
    shown: list[Shown] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    start: str = ""


def view(text: str, encoding: str = "utf-8") -> Viewer:  # noqa: PLR0915 - one loop over the characters, as a viewer has
    """Play a record; offsets are of bytes in `encoding`."""
    viewer = Viewer()
    board = OracleBoard(19, 19)
    saved: OracleBoard | None = None
    before: list[OracleBoard] = []
    # What text and labels belong to: nothing after a jump, until there is a stone again.
    current: Shown | None = None
    jumped = False
    name: list[str] | None = None
    paragraph = False
    place = 0
    while place < len(text):
        if text[place] in "\r\n":
            place += 1
        elif text.startswith("{{", place):
            before.append(board.copy(history=True))
            current, jumped = None, True
            place += 2
        elif text.startswith("}}", place):
            board = before.pop()
            current, jumped = None, True
            place += 2
        elif text.startswith("&[", place):
            end = place + 2
            while text[end] not in "@w":
                end += 1
            numbers = [int(part) for part in text[place + 2 : end].replace("\n", "").split(";")]
            kind = numbers[0]
            if text[end] == "w":
                if kind == 4:
                    name = []
                elif kind in (5, 6, 12):
                    assert name is not None
                    viewer.names[kind] = "".join(name)
                    name = None
                elif kind == 9 and current is not None:
                    current.text += "\n" * (numbers[1] if len(numbers) > 1 else 1)
                elif kind == 9 and not jumped:
                    viewer.start += "\n" * (numbers[1] if len(numbers) > 1 else 1)
                elif kind == 3:
                    paragraph = True
            elif kind == 8:
                saved = board.copy(history=True)
            elif kind == 9:
                if saved is not None:
                    board = saved.copy(history=True)
                current, jumped = None, True
            elif kind == 10:
                board = OracleBoard(19, 19)
                current, jumped = None, True
            elif kind in (0, 1):
                if kind == 1 and current is not None:
                    current.labels.append(((numbers[2] - 1, numbers[1] - 1), LABELS[1][numbers[3]]))
            else:
                point = (numbers[2] - 1, numbers[1] - 1)
                label = [(point, LABELS[kind][numbers[3]])] if kind in LABELS else []
                if label and board.stones.get(point) == COLORS[kind]:
                    if current is not None:
                        current.labels += label
                else:
                    board.play(COLORS[kind], point)
                    current = Shown(len(text[:place].encode(encoding)), dict(board.stones), label)
                    viewer.shown.append(current)
                    paragraph = False
            place = end + 1
        else:
            if name is not None:
                name.append(text[place])
            elif current is not None:
                current.text = continued(current.text, text[place], paragraph)
                paragraph = False
            elif not jumped:
                viewer.start = continued(viewer.start, text[place], paragraph)
                paragraph = False
            place += 1
    return viewer


def continued(before: str, character: str, paragraph: bool) -> str:
    """A text and its next character, which begins a paragraph where the window was cleared before it."""
    if paragraph and before.strip("\n "):
        before += "\n" * (2 - len(before) + len(before.rstrip("\n")))
    return before + character
