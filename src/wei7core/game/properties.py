"""Properties of SGF by name: `Game.get` and `Game.set`, with Python values for the kinds that FF[4] defines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from ..coordinates import sgf_point, to_sgf
from ..formats.sgf.apply_properties import apply_root_properties, apply_step_properties
from ..formats.sgf.info import MEMBERS, changed_properties, info_from_properties, set_member
from ..formats.sgf.properties import PROPERTIES, SHAPE_MARKS, escape, evaluation, is_name, is_value, points
from ..formats.sgf.text_values import simple_text, unescape
from ..record.document import Edit, Mark, Move, Note, Point, Properties, PropertyDict, Setup, Step, Stone
from ..record.points import decimal_text, to_json_number
from .conversion.sgf_info import day_of
from .moves import color_of, point_of
from .nodes import Node, located_in

if TYPE_CHECKING:
    from .game import Game

MEMBER_NAMES: Final = frozenset(name for name, _, _ in MEMBERS)
_STONES: Final = {"AB": 1, "AW": 2, "AE": 0}
_OF_EVALUATIONS: Final = {"TE": "good", "BM": "bad"}
_REFUSED: Final = {
    "B": "play it: Node.play",
    "W": "play it: Node.play",
    "FF": "a writer sets it",
    "CA": "a writer sets it",
    "GM": "a writer sets it",
    "SZ": "set Game.size",
    "M": "set MA",
    "L": "set LB",
}


def get(game: Game, name: str, node: Node | None) -> Any:
    """Return the value of a property, None if missing; see `Game.get`."""
    node = game.root if node is None else located_in(game, node)
    if name in _STONES:
        owner = node.place.branch.pre if node.step is None else node.step.action
        stones = owner.stones if isinstance(owner, (Setup, Edit)) else ()
        return [stone.point for stone in stones if stone.color == _STONES[name]] or None
    if name in ("B", "W"):
        move = node.move
        return None if move is None or "BW"[move[0] - 1] != name else move[1] or "pass"
    if name == "SZ":
        return game.size
    if name == "C":
        return node.comment
    if name == "N":
        return node.title
    if name in SHAPE_MARKS:
        return [mark.point for mark in node.marks if mark.shape == SHAPE_MARKS[name][0]] or None
    if name == "LB":
        return {mark.point: mark.symbol for mark in node.marks if mark.shape is None} or None
    raw = dict(node.properties)
    if name in _OF_EVALUATIONS and node.step is not None:
        raw = _as_evaluated(node.step, raw)
    if node.step is None and node.place.parent is None:
        apply_root_properties(game.document)
        for changed, values in changed_properties(game.info, raw).items():
            raw.pop(changed, None)
            if values is not None:
                raw[changed] = values
        if (day := day_of(game.info)) is not None:
            raw["DT"] = (day,)
    values = raw.get(name)
    if name == "KM" and values is not None and (rules := info_from_properties({name: values}).rules) is not None:
        return rules.komi  # in points, where it is written in hundredths
    return None if values is None else _python_value(name, values, game.size)


def set_property(game: Game, name: str, value: Any, node: Node | None) -> None:
    """Change a property of a node, None removes it; see `Game.set`."""
    node = game.root if node is None else located_in(game, node)
    if not isinstance(name, str):
        raise TypeError(f"the name of a property is a text, not {name!r}")
    if not is_name(name):
        raise ValueError(f"invalid property name {name[:40]!r}: FF[4] requires capital letters")
    if name in _REFUSED:
        raise ValueError(f"the property {name} cannot be set by name: {_REFUSED[name]}")
    is_root = node.step is None and node.place.parent is None
    known = PROPERTIES.get(name)
    if known is not None and known.place == "root" and not is_root:
        raise ValueError(f"the property {name} belongs to the root node")
    if known is not None and known.value == "point" and name in SHAPE_MARKS:
        _set_marks(node, name, value)
    elif name == "LB":
        _set_labels(node, value)
    elif name in _STONES:
        _set_stones(node, name, value)
    elif name == "C":
        if value is not None and not isinstance(value, str):
            raise TypeError(f"expected text as value of C, got {value!r}")
        node.comment = value
    elif name != "N" or not _set_title(node, value):
        _set_raw(node, name, value, is_root)
    node.source.log.count += 1


def _set_raw(node: Node, name: str, value: Any, is_root: bool) -> None:
    game = node.game
    document = game.document
    if node.step is None and not is_root:
        raise ValueError(f"the property {name} is not allowed at the start of a branch; set it at a step")
    values = None if value is None else _written(name, value, game.size)
    step = node.step
    if step is not None:
        apply_step_properties(step, game.size)
        if name in _OF_EVALUATIONS and isinstance(step.action, Move):
            agreeing = _as_evaluated(step, step.properties)
            if values is not None and agreeing is not step.properties:
                step.action.evaluation = None  # which no property states
                agreeing = _as_evaluated(step, step.properties)
            step.properties = PropertyDict(agreeing)
        _change(step.properties, name, values)
        apply_step_properties(step, game.size)
        return
    apply_root_properties(document)
    if name in MEMBER_NAMES:
        stated = {**document.properties, **changed_properties(document.info, document.properties), name: values}
        set_member(document.info, name, info_from_properties({key: it for key, it in stated.items() if it is not None}))
    if name == "DT" and values != (day_of(document.info),):
        document.info.time = None
    _change(document.properties, name, values)
    apply_root_properties(document)
    # In another format it is in `info`, and the text is only for values that `info` cannot represent.
    if game.format != "sgf" and values is not None and changed_properties(document.info, {}).get(name) == values:
        _change(document.properties, name, None)
        document.properties = PropertyDict(document.properties)


def _set_title(node: Node, value: Any) -> bool:
    """Name a node by the title of its step or of the branch that begins there; False where N does it."""
    game, step, branch = node.game, node.step, node.branch
    begins = step is None or (node.step_index == 0 and not node.place.has_start)
    has_titles = game.format == "wei7-2.2" and not (begins and branch.title is not None)
    if step is not None and (step.title is not None or has_titles):
        owner: Any = step
    elif begins and (branch.title is not None or game.format != "sgf"):
        owner = branch
    else:
        return False
    owner.title = None if value is None else simple_text(_written("N", value, game.size)[0])
    if step is not None:
        step.properties.pop("N", None)
    elif node.place.parent is None:
        game.document.properties.pop("N", None)
    return True


def _as_evaluated(step: Step, raw: Properties) -> Properties:
    """The properties with TE or BM as the evaluation of the move has it, where they do not agree."""
    if not isinstance(step.action, Move) or step.action.evaluation == evaluation(raw):
        return raw
    others = {name: values for name, values in raw.items() if name not in _OF_EVALUATIONS}
    return others | {name: ("1",) for name, stated in _OF_EVALUATIONS.items() if stated == step.action.evaluation}


def _change(properties: Properties, name: str, values: tuple[str, ...] | None) -> None:
    if values is None:
        properties.pop(name, None)
    else:
        properties[name] = values


def _set_marks(node: Node, name: str, value: Any) -> None:
    shape, symbol = SHAPE_MARKS[name]
    wanted = [] if value is None else _points_of(value, node.game.size)
    kept = [mark for mark in node.marks if mark.shape != shape]
    _put_marks(node, [*kept, *(Mark(point, symbol, shape=shape) for point in wanted)])


def _set_labels(node: Node, value: Any) -> None:
    pairs = value if isinstance(value, str) else _several(value.items() if isinstance(value, Mapping) else value or ())
    if isinstance(pairs, str) or not _are_pairs(pairs) or any(text is None for _, text in pairs):
        raise ValueError(f'LB has a text for each point, as {{"D4": "a"}}, not {value!r:.80}')
    size = node.game.size
    labels = [Mark(_a_point(point, size), simple_text(escape(str(text)))) for point, text in pairs]
    _put_marks(node, [*(mark for mark in node.marks if mark.shape is not None), *labels])


def _put_marks(node: Node, marks: list[Mark]) -> None:
    owner: Any = node.step
    if owner is None:
        branch = node.branch
        if branch.pre is None and not marks:
            return
        owner = branch.pre = branch.pre or Setup()
    owner.marks = marks


def _set_stones(node: Node, name: str, value: Any) -> None:
    wanted = [] if value is None else _points_of(value, node.game.size)
    step = node.step
    owner: Any
    if step is None:
        if name == "AE":
            raise ValueError("the property AE is not allowed at the start of a branch")
        branch = node.branch
        if branch.pre is None and not wanted:
            return
        owner = branch.pre = branch.pre or Setup(unchecked=node.game.format == "sgf")
    elif isinstance(step.action, (Edit, Note)):
        if isinstance(step.action, Note):
            step.action = Edit()
        owner = step.action
    else:
        raise ValueError(f"the property {name} is not allowed in a node with a move or another action")
    color = _STONES[name]
    stones = [stone for stone in owner.stones if stone.color != color and stone.point not in wanted]
    owner.stones = [*stones, *(Stone(color, point) for point in wanted)]


# --- values ---------------------------------------------------------------------------------------------------


def _a_point(value: Any, size: tuple[int, int]) -> Point:
    point = point_of(value, size)
    if point is None:
        raise ValueError("a pass is no point of the board")
    return point


def _points_of(value: Any, size: tuple[int, int]) -> list[Point]:
    """Points given by a caller, each once: several, or one as text."""
    return list(dict.fromkeys(_a_point(point, size) for point in _several(value)))


def _several(value: Any) -> list[Any]:
    """The words of a text, or the items of what has several."""
    if not isinstance(value, Iterable):
        raise TypeError(f"expected several points or pairs, as in a list, got {value!r:.80}")
    return value.split() if isinstance(value, str) else list(value)


def _are_pairs(values: list[Any]) -> bool:
    return all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in values)


def _written(name: str, value: Any, size: tuple[int, int]) -> tuple[str, ...]:
    """The values between brackets; a tuple of texts is unchanged."""
    if isinstance(value, tuple) and value and all(isinstance(one, str) for one in value):
        if not all(map(is_value, value)):
            raise ValueError(f"a value of {name} contains an unescaped bracket: escape ] and \\ with \\")
        return value
    known = PROPERTIES.get(name)
    kind = "text" if known is None else known.value
    if kind in ("simple", "text", "simple:simple", "figure", "size") and isinstance(value, str):
        return (escape(value),)
    if kind in _WRITERS:
        return _WRITERS[kind](name, value, size)
    if known is not None and kind == "point" and known.is_list:
        return tuple(to_sgf(point, *size) for point in _points_of(value, size)) or ("",)
    if kind == "point:point":
        several = _several(value)
        if not _are_pairs(several):
            raise ValueError(f'{name} has pairs of points, as [("D4", "Q16")], not {value!r:.80}')
        pairs = [(_a_point(one, size), _a_point(two, size)) for one, two in several]
        if any(one == two for one, two in pairs):
            raise ValueError(f"{name} connects two different points, not a point with itself")
        return tuple(f"{to_sgf(one, *size)}:{to_sgf(two, *size)}" for one, two in pairs)
    if isinstance(value, str):
        return (escape(value),)
    raise TypeError(f"expected text or a tuple of raw texts as value of {name}, got {value!r}")


def _number(name: str, value: Any, _: Any) -> tuple[str, ...]:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise TypeError(f"expected an integer as value of {name}, got {value!r}")
    try:
        number = int(value)
    except ValueError:
        raise ValueError(f"{name} is an integer, not {value!r}") from None
    if name == "HA" and number < 0:
        raise ValueError(f"HA is a number of stones, not {number}")
    return (str(number),)


def _real(name: str, value: Any, _: Any) -> tuple[str, ...]:
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal, Fraction, str)):
        raise TypeError(f"expected a number as value of {name}, got {value!r}")
    try:
        exact = Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    except (ValueError, OverflowError):
        raise ValueError(f"{name} is a number, not {value!r}") from None
    written = decimal_text(exact)
    # An integer komi of 50, 75 and more would be read as hundredths.
    return (written if name != "KM" or "." in written or abs(exact) < 50 else f"{written}.0",)


def _color(_: str, value: Any, __: Any) -> tuple[str, ...]:
    return ("BW"[color_of(value) - 1],)


def _double(name: str, value: Any, _: Any) -> tuple[str, ...]:
    if value not in (1, 2):
        raise ValueError(f"expected 1 or 2 as value of {name}, got {value!r}")
    return (str(int(value)),)


def _none(name: str, value: Any, _: Any) -> tuple[str, ...]:
    if value is not True and value != "":
        raise ValueError(f"the property {name} takes no value: use True to set it, None to remove it")
    return ("",)


_WRITERS: Final[dict[str, Callable[[str, Any, Any], tuple[str, ...]]]] = {
    "number": _number,
    "real": _real,
    "color": _color,
    "double": _double,
    "none": _none,
}


def _python_value(name: str, values: tuple[str, ...], size: tuple[int, int]) -> Any:
    """The Python value of a text; the text itself if it does not match its kind."""
    known = PROPERTIES.get(name)
    kind = None if known is None else known.value
    first = values[0] if values else ""
    try:
        if kind in ("number", "double"):
            return int(first)
        if kind == "real":
            return to_json_number(Fraction(first.strip()))
        if kind == "color":
            return color_of(first.strip())
    except (ValueError, ZeroDivisionError):
        return simple_text(first)
    if kind == "none":
        return True
    if kind in ("simple", "simple:simple", "size"):
        return simple_text(first)
    if kind == "text":
        return unescape(first)
    if kind == "point" and known is not None and known.is_list:
        return points(values, *size)
    if kind == "point:point":
        ends = (value.partition(":")[::2] for value in values)
        return [(sgf_point(one, *size), sgf_point(two, *size)) for one, two in ends]
    return values
