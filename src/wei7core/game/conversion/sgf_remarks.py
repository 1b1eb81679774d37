"""Properties of SGF nodes without a member in wei7, as lines of comments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..._util.words import counted
from ...coordinates import sgf_point
from ...formats.sgf.properties import LABELS as MARKS_WITH_TEXT
from ...formats.sgf.properties import PROPERTIES, SHAPE_MARKS, evaluation
from ...formats.sgf.text_values import simple_text, unescape
from ...record.document import Evaluation, Properties
from .loss_paths import LossPath, TextAdapter
from .report import LossReport


def title_of(properties: Properties) -> str | None:
    """Return the name of a node, or None."""
    return _value_text("N", properties) if "N" in properties else None


def remarks(
    properties: Properties,
    evaluated: Evaluation | None,
    at: LossPath,
    losses: LossReport,
    texts: TextAdapter,
    size: tuple[int, int],
    *,
    has_move: bool = False,
) -> list[str]:
    """Return the lines for a comment, and list the properties without counterpart, among them those that became lines,
    and the values that are no points.

    `evaluated` is the evaluation that the move of the node, if it `has_move`, already has; `size` is that of the board.
    """
    lines: list[str] = []
    for name, values in properties.items():
        if name in _TYPED:
            if name == "C":
                others = [texts.decodable(unescape(value), at) for value in values[1:] if value != values[0]]
                if others:
                    losses.add(
                        "property-as-comment", _Of(at, name), "C has more values than one; the comment has them all"
                    )
                lines += others
            elif name in _ON_POINTS and (count := sum(not _is_on_board(name, value, size) for value in values)):
                code = "property-dropped" if name in _STONES else "mark-dropped"
                losses.add(code, _Of(at, name), f"{name} has {counted(count, 'value')} without a point of the board")
            if name == "LB" and (count := sum(_is_textless(value, size) for value in values)):
                losses.add("label-replaced", _Of(at, name), f"LB has {counted(count, 'value')} without a text, now `?`")
            continue
        if len(values) > 1 and (name in _WORTH or name in _PHRASES):
            losses.add("property-dropped", _Of(at, name), f"{name} has more values than one; the first one counts")
        if name in _WORTH and values[:1] and values[0].strip() not in ("1", "2"):
            losses.add("property-dropped", _Of(at, name), f"{name} is neither 1 nor 2", kind=name, listed=1)
            continue
        if name in _WORTH:
            line = _worth(name, properties, evaluated, has_move)
        elif name in _PHRASES:
            line = _PHRASES[name][values[:1] == ("2",)]
        elif name in REMARK_LABELS:
            text = _value_text(name, properties)
            line = f"{REMARK_LABELS[name]}: {_UNITS.get(name, str)(text)}" if text else ""
        elif name in PROPERTIES and PROPERTIES[name].place == "timing":
            add_clock(losses, name, at)
            continue
        else:
            add_dropped(losses, name, at)
            continue
        if line:
            add_moved(losses, name, at)
            lines.append(texts.decodable(line, at))
    return lines


def add_clock(losses: LossReport, name: str, at: object) -> None:
    """Report a property dropped because it is the time left on a clock."""
    losses.add("time-dropped", _Of(at, name), "the time left on a clock is left out")


def add_dropped(losses: LossReport, name: str, at: object) -> None:
    """Report a property dropped because it has no counterpart."""
    losses.add("property-dropped", _Of(at, name), f"{name} has no counterpart", kind=name, listed=1)


def add_shape(losses: LossReport, shape: str, symbol: str, at: object) -> None:
    """Report a shape on a point that became the symbol of that shape."""
    losses.add("shape-as-symbol", at, f"{shape} became the symbol {symbol}")


def add_moved(losses: LossReport, name: str, at: object) -> None:
    """Report a property that became a line of a comment."""
    is_of_game = name in PROPERTIES and PROPERTIES[name].place in ("root", "game-info")
    code = "info-as-comment" if is_of_game else "property-as-comment"
    losses.add(code, _Of(at, name), f"{name} became part of the comment")


def add_handicap_implied(losses: LossReport, at: object) -> None:
    """Report a handicap that only the stones of the root imply."""
    losses.add("handicap-implied", _Of(at, "HA"))


def add_normalised(losses: LossReport, name: str, at: object) -> None:
    """Report a property rewritten in the words of the standard."""
    losses.add("value-normalised", _Of(at, name), f"the value of {name} is written in the words of the standard")


def _is_on_board(name: str, value: str, size: tuple[int, int]) -> bool:
    corner, colon, opposite = value.partition(":")
    if not value.strip():
        return True  # a list without points, as AB[] is
    if sgf_point(corner, *size) is None:
        return False
    return not colon or name == "LB" or sgf_point(opposite, *size) is not None


def _is_textless(label: str, size: tuple[int, int]) -> bool:
    corner, _, text = label.partition(":")
    return not simple_text(text) and sgf_point(corner, *size) is not None


class _Of:
    """A property of a place, written out on demand."""

    __slots__ = ("_at", "_name")

    def __init__(self, at: object, name: str) -> None:
        self._at = at
        self._name = name

    def __str__(self) -> str:
        return f"{self._at}.{self._name}"


def _value_text(name: str, properties: Properties) -> str:
    """The values of a property as readable text; may be empty."""
    is_text = name in PROPERTIES and PROPERTIES[name].value == "text"
    read: Callable[[str], str] = unescape if is_text else simple_text
    return ", ".join(text for value in properties[name] if (text := read(value)).strip())


def _worth(name: str, properties: Properties, evaluated: Evaluation | None, has_move: bool) -> str:
    """The line for TE or BM; empty if the evaluation of the move is equal, or was changed."""
    if has_move and is_in_evaluation(name, properties, evaluated):
        return ""
    return _WORTH[name][_degree(name, properties) == "2"]


def _degree(name: str, properties: Properties) -> str:
    return properties[name][0].strip() if properties[name] else "1"


def is_in_evaluation(name: str, properties: Properties, evaluated: Evaluation | None) -> bool:
    """Return whether the evaluation of a move says all that TE or BM does, or contradicts it."""
    return evaluation(properties) != evaluated or (evaluated is not None and _degree(name, properties) == "1")


_STONES: Final = frozenset({"AB", "AW", "AE"})
_ON_POINTS: Final = frozenset({*_STONES, *SHAPE_MARKS, *MARKS_WITH_TEXT})
_TYPED: Final = frozenset({"C", "N", "B", "W", *_ON_POINTS})
_WORTH: Final = {"TE": ("Good move.", "Very good move."), "BM": ("Bad move.", "Very bad move.")}
# Property -> its text, and its text if emphasised.
_PHRASES: Final = {
    "DO": ("Doubtful move.", "Doubtful move."),
    "IT": ("Interesting move.", "Interesting move."),
    "DM": ("Even position.", "Clearly even position."),
    "GB": ("Good for Black.", "Very good for Black."),
    "GW": ("Good for White.", "Very good for White."),
    "UC": ("Unclear position.", "Very unclear position."),
    "HO": ("Important node.", "Very important node."),
}
OF_MOVES: Final = frozenset({*_TYPED, *_WORTH, *_PHRASES})
"""Properties that are part of a position, a move or its evaluation."""

REMARK_LABELS: Final = {
    "GN": "Name",
    "EV": "Event",
    "RO": "Round",
    "DT": "Date",
    "PC": "Place",
    "PB": "Black",
    "BR": "Rank of Black",
    "BT": "Team of Black",
    "PW": "White",
    "WR": "Rank of White",
    "WT": "Team of White",
    "RU": "Rules",
    "KM": "Komi",
    "HA": "Handicap",
    "TM": "Time limit",
    "OT": "Overtime",
    "RE": "Result",
    "ON": "Opening",
    "SO": "Source",
    "US": "Entered by",
    "AN": "Annotated by",
    "CP": "Copyright",
    "ID": "Identifier",
    "GC": "About the game",
    "AP": "Program",
    "PL": "To play",
    "V": "Value",
    "TB": "Territory of Black",
    "TW": "Territory of White",
}
_PLAYERS: Final = {"b": "Black", "black": "Black", "w": "White", "white": "White"}
_UNITS: Final[dict[str, Callable[[str], str]]] = {"PL": lambda value: _PLAYERS.get(value.strip().casefold(), value)}
