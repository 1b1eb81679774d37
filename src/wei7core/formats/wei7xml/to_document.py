"""A decoded wei7 2.x record -> an editable document: from columns to objects.

A variation precedes the step it replaces in the text; here it is a branch, and the continuation as played is
the first one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...record.document import (
    Action,
    Branch,
    Document,
    Evaluation,
    Extra,
    Info,
    Move,
    Properties,
    Setup,
    Splitter,
    Step,
    Unreadable,
)
from ..record_columns import (
    EVALUATIONS,
    MOVE,
    OF_MARK,
    OF_PRE,
    OF_ROOT,
    OF_STEP,
    OF_STONE,
    OF_TREE,
    UNREADABLE,
    Kept,
    marks_and_stones,
    rows_of,
)
from .game import game_id, info_from_game
from .text import element_end, value_text, without_remarks

if TYPE_CHECKING:
    from ...record.record import Record

_OWN_ELEMENT: Final = frozenset({"moves"})
_EVALUATIONS: Final[dict[str, Evaluation]] = {"bad": "bad", "good": "good", "trick": "trick"}
_SPLITTERS: Final[dict[str, Splitter]] = {"medium": "medium", "large": "large"}
_ELEMENT: Final = b"<moves"
_STEPS: Final = (b"<black", b"<white")
_DEFAULTS: Final = {"type": "normal", "eval": "normal", "problem": "no", "splitter": "small"}


def document_from_record(record: Record) -> Document:
    """Return a new document with the whole content of the record.

    Content without a place in `Document` is in `extra` of its owner, as in the text: attributes by their names;
    `<stones>` of a `pre` that cannot be set up, `<mark>` of a step, `<size>` and `<time>` that are not as they should
    be and `#content` of anything as elements; `#comments` of the document are the comments and processing instructions
    of XML. Any thread may call this; the record is not changed.
    """
    return _TreeBuilder(record).document()


def header_of(record: Record) -> tuple[Info, Properties]:
    """Return the information about the game; there are no properties. Any thread may call this."""
    return Info() if record.info_json is None else info_from_game(record.info_json), {}


def record_id(record: Record) -> str | None:
    """Return the attribute `id` of `game`, or None. Any thread may call this."""
    return None if record.info_json is None else game_id(record.info_json)


class _TreeBuilder:
    def __init__(self, record: Record) -> None:
        self._record = record
        self._source = record.source
        self._kept = self._read_kept()
        self._marks, self._stones = marks_and_stones(record, self._kept)

    def document(self) -> Document:
        record = self._record
        document = Document(record.width, record.height, "integer")
        document.extra = self._kept[OF_ROOT].get(0, {})
        document.version = self._taken(document.extra, "version") or ""
        if record.info_json is not None:
            document.info = info_from_game(record.info_json)
            document.kept_empty = frozenset({"info"})
        trees = self._trees()
        if trees:
            document.tree = trees[0]
        return document

    def _taken(self, extra: Extra, name: str) -> str | None:
        raw = extra.pop(name, None)
        return None if raw is None else value_text(raw)

    def _read_kept(self) -> Kept:
        kept: Kept = {owner: {} for owner in (OF_ROOT, OF_TREE, OF_PRE, OF_STEP, OF_STONE, OF_MARK)}
        more: dict[tuple[int, int, str], list[bytes]] = {}  # joined at the end
        for key, value, row, owner in rows_of(self._record.kept, "key", "value", "index", "owner"):
            name = self._source[slice(*key)].decode("utf-8", "replace")
            raw = self._source[slice(*value)]
            if row < 0:
                continue
            if not name or raw.startswith(b"<"):
                name = _name_of_element(name, owner)
                if key[0] < key[1] and name != "#comments":
                    raw = without_remarks(raw)  # they are kept by themselves
                if name == "<stones>" and element_end(raw, 0) < 0:
                    raw = raw[:-1] + b"/>"  # the tag of a stone in which the text is broken
                more.setdefault((owner, row, name), []).append(raw)
            else:
                kept[owner].setdefault(row, {})[name] = _plain_default(name, raw)
        for (owner, row, name), parts in more.items():
            kept[owner].setdefault(row, {})[name] = (b"\n" if name == "#comments" else b"").join(parts)
        return kept

    def _text(self, span: tuple[int, int]) -> str | None:
        return None if span[0] < 0 else value_text(self._source[slice(*span)])

    def _trees(self) -> list[Branch]:
        steps = self._steps()
        pres = self._pres()
        rows = list(rows_of(self._record.trees, "offset", "title", "parent", "first_step", "step_count", "pre"))
        branches: list[Branch] = []
        for row, (offset, title, parent, first, count, pre) in enumerate(rows):
            branch = Branch(
                self._text(title),
                None if pre < 0 else pres[pre],
                steps[first : first + max(count, 0)],
                extra=self._kept[OF_TREE].get(row) or {},
            )
            branches.append(branch)
            if self._source.startswith(_ELEMENT, offset) if parent >= 0 else count <= 0 and pre < 0:
                branch.kept_empty = _OWN_ELEMENT
            if parent >= 0:
                branches[parent].branches.append(branch)
        return branches

    def _pres(self) -> list[Setup]:
        pres: list[Setup] = []
        columns = ("comment", "stones", "stone_count", "marks", "mark_count", "problem")
        for row, (comment, stones, stone_count, marks, mark_count, problem) in enumerate(
            rows_of(self._record.pres, *columns)
        ):
            pre = Setup(
                self._stones[stones : stones + max(stone_count, 0)],
                problem or None,
                self._marks[marks : marks + max(mark_count, 0)],
                self._text(comment),
                extra=self._kept[OF_PRE].get(row) or {},
            )
            if "eval" in pre.extra:
                evaluation = value_text(pre.extra["eval"])
                if evaluation in _EVALUATIONS:
                    pre.evaluation = _EVALUATIONS[evaluation]
                    del pre.extra["eval"]
            pres.append(pre)
        return pres

    def _steps(self) -> list[Step]:
        details = list(rows_of(self._record.details, "comment", "value", "marks", "mark_count", "problem"))
        steps: list[Step] = []
        for x, y, detail, kind, color, tag in rows_of(self._record.steps, "x", "y", "detail", "kind", "color", "tag"):
            comment, value, marks, mark_count, problem = details[detail] if detail >= 0 else _BARE
            action: Action
            if kind == MOVE:
                action = Move(color, None if x < 0 else (x, y), EVALUATIONS[tag], problem or None)
            else:
                raw = self._source[slice(*value)]
                action = Unreadable(
                    without_remarks(raw) if raw.startswith(_STEPS) else raw, may_be_move=kind == UNREADABLE
                )
            step = Step(action)
            if detail >= 0:
                step.comment = self._text(comment) if kind == MOVE else None
                if mark_count > 0:
                    step.marks = self._marks[marks : marks + mark_count]
            steps.append(step)
        for row, extra in self._kept[OF_STEP].items():
            steps[row].extra = extra
            steps[row].title = self._taken(extra, "title")
            if "splitter" in extra:
                splitter = value_text(extra["splitter"])
                if splitter in _SPLITTERS:
                    steps[row].splitter = _SPLITTERS[splitter]
                    del extra["splitter"]
        return steps


_BARE: Final = ((-1, -1), (-1, -1), 0, -1, 0)


def _plain_default(name: str, raw: bytes) -> bytes:
    """A value as written, or, where it equals the default of the attribute, that value without references."""
    default = _DEFAULTS.get(name)
    return default.encode() if default is not None and value_text(raw) == default else raw


def _name_of_element(name: str, owner: int) -> str:
    """The names of whole elements in `extra`."""
    if owner == OF_ROOT and name in ("<!--", "<?"):
        return "#comments"
    if owner == OF_ROOT and name == "size":
        return "<size>"
    if owner == OF_PRE and name in ("black", "white"):
        return "<stones>"
    return "<mark>" if owner == OF_STEP and name == "mark" else "#content"
