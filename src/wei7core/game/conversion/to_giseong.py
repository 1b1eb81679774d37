"""Any document -> one for Giseong."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import Final

from ...board.board import Board
from ...errors import ConversionError, OffBoardError
from ...formats.giseong.codes import LABEL_KINDS, SIDE, read_code
from ...formats.giseong.shape import draws
from ...formats.giseong.tokens import MOVES, POSTING, TOKENS, VERSION_TOKEN, comment, marks, tokens_of
from ...formats.sgf.info import changed_properties, seconds
from ...formats.sgf.properties import game_number
from ...limits import DEFAULT_LIMITS, Limits
from ...record.document import (
    Branch,
    Document,
    Edit,
    Evaluation,
    Info,
    Mark,
    Move,
    Note,
    Participant,
    Properties,
    Setup,
    Step,
    Stone,
    Unreadable,
)
from ...replaying.cursor import Cursor, Place
from ..output_formats import wrong_size
from .from_giseong import without_codes
from .giseong_shape import shape_tree
from .giseong_text import GiseongTexts, info_for_giseong
from .loss_paths import BLACK, COLOR_WORDS, WHITE, CutError, LossPath, TextAdapter, drop_extra, joined
from .report import Loss, LossReport
from .sgf_remarks import remarks, title_of
from .to_sgf import to_sgf


def to_giseong(document: Document, *, limits: Limits = DEFAULT_LIMITS) -> tuple[Document, list[Loss]]:
    """Return a new document for Giseong, and the losses.

    A document read from Giseong is unchanged, except for an unsupported tree. Any other one is first converted for SGF
    (`to_sgf`), with its takebacks, messages, claims and live marks. Setup stones become moves; a pass, and everything
    that Giseong has no control for, becomes a line of the comment. Reserved characters become their wide forms. Labels
    that Giseong lacks become the letters 가 to 하.

    Raises `ConversionError` if the board is not 19 x 19 or the game is not Go, `LimitError` if walking the record takes
    more than `limits.max_moves` moves.
    """
    if (document.width, document.height) != (SIDE, SIDE):
        raise wrong_size(f"Giseong supports {SIDE}x{SIDE} only", document)
    if game_number(document.properties) != 1:
        raise ConversionError(f"Giseong is for records of Go, not of the game GM[{game_number(document.properties)}]")
    if _is_native(document):
        return _ToGiseong(document, [], limits, is_native=True).converted()
    before = LossReport()
    plain, losses = to_sgf(without_codes(document, before, symbols=False))
    return _ToGiseong(_with_setup_first(plain), before.losses() + losses, limits, is_native=False).converted()


_PROPERTIES: Final = frozenset({TOKENS, MOVES, POSTING, VERSION_TOKEN})
_HELD: Final = frozenset({"FF", "CA", "GM", "SZ", "GN", "PB", "BR", "PW", "WR", "C"})


def _is_native(document: Document) -> bool:
    """Whether Giseong supports steps and tree directly, without a conversion for SGF."""
    pre = document.tree.pre
    if (
        document.extra
        or document.properties.keys() - _PROPERTIES
        or (pre is not None and (pre.stones or pre.problem or pre.evaluation or pre.extra))
    ):
        return False
    if not _is_native_info(document.info):
        return False
    for branch in document.tree.walk():
        if branch.title is not None or branch.extra or (branch.pre is not None and branch is not document.tree):
            return False
        for row, step in enumerate(branch.steps):
            if not _is_native_step(step, may_be_note=row == 0 and branch is not document.tree):
                return False
    return True


def _is_native_info(info: Info) -> bool:
    """Whether the information is only a title and the names and ranks of one Black and one White."""
    people = [Participant(person.name, rank=person.rank) for person in info.participants]
    sides = sorted((player.participant, player.color or 0) for player in info.players)
    return (
        Info(name=info.name, participants=people, players=info.players) == info
        and not any(player.extra for player in info.players)
        and [participant for participant, _ in sides] == list(range(len(people)))
        and sorted(color for _, color in sides) in ([], [BLACK], [WHITE], [BLACK, WHITE])
    )


def _is_native_step(step: Step, *, may_be_note: bool) -> bool:
    action = step.action
    if (step.time, step.actor, step.title, step.splitter) != (None,) * 4 or step.joined or step.extra:
        return False
    if step.properties.keys() - {TOKENS}:
        return False
    if isinstance(action, Unreadable):
        part = read_code(action.text.decode("utf-8", "replace"))
        return part is not None and part.what == "@"
    if isinstance(action, Note):
        return may_be_note
    return isinstance(action, Move) and action == Move(action.color, action.point) and action.point is not None


def _with_setup_first(document: Document) -> Document:
    """The document with what is set up before the first move in the root, where stones are taken away in between."""
    tree = document.tree
    pre = tree.pre or Setup(unchecked=True)
    first = list(takewhile(lambda step: not isinstance(step.action, Move), tree.steps))
    stones = {stone.point: stone.color for stone in pre.stones}
    is_first = True
    for step in first:
        for stone in step.action.stones if isinstance(step.action, Edit) else ():
            is_first &= stones.get(stone.point, stone.color) == stone.color
            stones[stone.point] = stone.color
    if is_first:
        return document
    pre = replace(pre, stones=[Stone(color, point) for point, color in stones.items() if color])
    first = [replace(step, action=Note()) if isinstance(step.action, Edit) else step for step in first]
    return replace(document, tree=replace(tree, pre=pre, steps=first + tree.steps[len(first) :]))


class _ToGiseong:
    def __init__(self, document: Document, losses: list[Loss], limits: Limits, *, is_native: bool) -> None:
        self._document = document
        self._size = document.width, document.height
        self._before = losses
        self._limits = limits
        self._is_native = is_native
        self._losses = LossReport()
        self._plain_texts = TextAdapter(self._losses)
        self._texts = GiseongTexts(self._losses, self._plain_texts)
        self._cursor = Cursor(replace(document, replaces=False), limits)

    def converted(self) -> tuple[Document, list[Loss]]:
        document = self._document
        tree = Branch()
        properties = {name: value for name, value in document.properties.items() if name in _PROPERTIES}
        start = Setup()
        waiting: list[tuple[Place, Branch, Step | Setup] | None] = [(Place(document.tree), tree, start)]
        while waiting:
            item = waiting.pop()
            if item is None:
                self._cursor.leave()
                continue
            place, out, last = item
            waiting.append(None)
            following = self._branch(place, out, last)
            if following is None:
                continue
            below = []
            for child in place.below():
                out.branches.append(Branch())
                below.append((child, out.branches[-1], following))
            waiting.extend(reversed(below))
        info = info_for_giseong(document.info, self._losses, self._texts)
        is_shown = draws(start, tokens_of(properties))
        shape_tree(tree, start, is_shown=is_shown, losses=self._losses, limits=self._limits)
        tree.pre = None if start == Setup() else start
        result = Document(SIDE, SIDE, document.size_form, info, tree, properties)
        return result, self._before + self._losses.losses()

    # --- branches --------------------------------------------------------------

    def _branch(self, place: Place, out: Branch, last: Step | Setup) -> Step | Setup | None:
        """Convert a branch, which follows `last`; returns its last place, or None if nothing can follow."""
        branch = place.branch
        is_first = place.ordinal == 0  # continues from the place before it, and has no start of its own
        can_go = self._cursor.enter(place)
        if place.parent is None:
            try:
                self._root(place, last, out)
            except CutError:
                can_go = False
            last = out.steps[-1] if out.steps else last
        elif branch.title is not None:
            self._losses.add("title-as-comment", LossPath(place, "title"))
            title = self._texts.text(branch.title, LossPath(place, "title"))
            last = self._note(title, [], out, last, is_first=is_first)
        if not can_go:
            self._cut(place, CutError("setup-after-move", 0))
            return None
        for index, step in enumerate(_with_texts_at_end(branch.steps)):
            try:
                last = self._step(step, index, place, out, last, is_first=is_first)
            except CutError as cut:
                self._cut(place, cut)
                return None
        return last

    def _cut(self, place: Place, cut: CutError) -> None:
        cut.report(self._losses, LossPath(place, cut.index), place.branch, _WHY_CUT[cut.code])

    def _root(self, place: Place, start: Step | Setup, out: Branch) -> None:
        """Convert the start before all steps: stones, comment, labels, and the information about the game."""
        assert isinstance(start, Setup)
        at = LossPath(place, "pre")
        pre = place.branch.pre or Setup()
        tokens = tokens_of(self._document.properties)
        if self._is_native and comment(tokens) == pre.comment and _same(marks(tokens), pre.marks):
            start.comment, start.marks = pre.comment, list(pre.marks)
            return
        drop_extra(self._losses, at, pre)
        text, labels = self._text_and_labels(pre, at, [] if self._is_native else self._about_the_game(at))
        start.comment = text
        stones = self._added(pre.stones, Board(SIDE, SIDE), 0)
        if stones:
            self._losses.add("setup-as-moves", at)
            out.steps += [Step(Move(stone.color, stone.point)) for stone in stones]
            start.comment = None
        start_or_last = out.steps[-1] if stones else start
        start_or_last.comment, start_or_last.marks = text, labels

    def _about_the_game(self, at: LossPath) -> list[str]:
        """Lines for information about the game without a control."""
        document = self._document
        properties = dict(document.properties)
        for name, values in changed_properties(document.info, properties).items():
            if values is None:
                properties.pop(name, None)
            else:
                properties[name] = values
        if "TM" in properties:
            properties["TM"] = seconds(properties["TM"], properties)
        remaining: Properties = {name: value for name, value in properties.items() if name not in _HELD | _PROPERTIES}
        remaining |= {"C": properties["C"]} if "C" in properties else {}
        lines = remarks(remaining, None, at, self._losses, self._plain_texts, self._size)
        return [*self._title(document.tree.title or title_of(properties), at), *lines]

    def _title(self, name: str | None, at: LossPath) -> list[str]:
        """A line for the name of a node."""
        if name is None:
            return []
        self._losses.add("title-as-comment", at)
        return [self._plain_texts.decodable(name, at)]

    # --- steps -----------------------------------------------------------------

    def _step(
        self, step: Step, index: int, place: Place, out: Branch, last: Step | Setup, *, is_first: bool
    ) -> Step | Setup:
        at = LossPath(place, index)
        action = step.action
        if self._is_native and self._is_as_read(step):
            self._cursor.apply(step)
            out.steps.append(replace(step, marks=list(step.marks)))
            return out.steps[-1]
        board = self._cursor.board.copy(history=False) if isinstance(action, Edit) else None
        if not self._cursor.apply(step) and not self._is_native:
            raise CutError(_REFUSED.get(type(action), "step-unreadable"), index)
        stones: list[Stone] = []
        lines: list[str] = []
        if isinstance(action, Unreadable):
            out.steps.append(replace(step, marks=[], comment=None, properties={}))
            return out.steps[-1]
        if isinstance(action, Move):
            lines = self._about_the_move(step, action, at)
            if action.point is None:
                self._losses.add("pass-as-comment", at)
                lines.insert(0, f"{COLOR_WORDS.get(action.color, 'Nobody')} passes.")
            else:
                stones = [Stone(action.color, action.point)]
        elif isinstance(action, Edit):
            assert board is not None
            stones = self._added(action.stones, board, index)
            if stones:
                self._losses.add("setup-as-moves", at)
        lines = [*self._title(title_of(step.properties), at), *lines]
        is_move = isinstance(action, Move)
        evaluation = action.evaluation if isinstance(action, Move) else None
        others = {name: value for name, value in step.properties.items() if name not in ("N", TOKENS)}
        lines += remarks(others, evaluation, at, self._losses, self._plain_texts, self._size, has_move=is_move)
        text, labels = self._text_and_labels(step, at, lines)
        if not stones:
            tokens = tokens_of(step.properties)
            # A branch without steps is one empty node of SGF.
            is_branch = place.parent is not None and len(place.branch.steps) == 1
            if isinstance(action, Note) and text is None and not (labels or tokens or step.joined or is_branch):
                self._losses.add("node-dropped", at)
            return self._note(text, labels, out, last, is_first=is_first, at=at, tokens=tokens)
        out.steps += [Step(Move(stone.color, stone.point)) for stone in stones]
        made = out.steps[-1]
        made.comment, made.marks = text, labels
        if tokens_of(step.properties):
            made.properties = {TOKENS: tokens_of(step.properties)}
        return made

    def _is_as_read(self, step: Step) -> bool:
        """Whether the original codes of a step still agree with it."""
        tokens = tokens_of(step.properties)
        if isinstance(step.action, Unreadable):
            return True
        if comment(tokens) != step.comment or any(mark.extra for mark in step.marks):
            return False
        known = marks(tokens)
        if isinstance(step.action, Move):
            color, point = step.action.color, step.action.point
            own = [mark for mark in step.marks if mark.point == point and (color, mark.symbol) in LABEL_KINDS]
            known += [mark for mark in own[:1] if not _same(known, step.marks)]
        return _same(known, step.marks)

    def _about_the_move(self, step: Step, action: Move, at: LossPath) -> list[str]:
        evaluation = action.evaluation
        if evaluation is None:
            return []
        self._losses.add("evaluation-as-comment", at)
        if any(name in step.properties for name in ("TE", "BM", "DO", "IT")):
            return []  # among the remarks
        return [_REMARKS.get(evaluation, "")]

    def _added(self, setup: list[Stone], board: Board, index: int) -> list[Stone]:
        """The stones that lead from `board` to the position after `setup` when played one by one."""
        stones = [stone for stone in setup if board[stone.point] != stone.color]
        last = {stone.point: stone for stone in stones}
        stones = list(last.values())
        if any(not stone.color or board[stone.point] for stone in stones):
            raise CutError("setup-after-move", index)
        for stone in stones:
            board.play(stone.color, stone.point)
        if board.hash != self._cursor.board.hash:
            raise CutError("setup-after-move", index)
        return stones

    def _note(
        self,
        text: str | None,
        labels: list[Mark],
        out: Branch,
        last: Step | Setup,
        *,
        is_first: bool,
        at: LossPath | None = None,
        tokens: tuple[str, ...] = (),
    ) -> Step | Setup:
        """Add a text without a stone: at the start of a branch, or else at the place before it."""
        if text is None and not labels and not tokens:
            return last
        if not out.steps and not is_first:
            out.steps.append(Step(Note(), comment=text, marks=labels, properties={TOKENS: tokens} if tokens else {}))
            return out.steps[-1]
        if at is not None:
            self._losses.add("node-merged", at)
        last.comment = joined(last.comment, text)
        there = {mark.point for mark in last.marks}
        last.marks = [*last.marks, *(mark for mark in labels if mark.point not in there)]
        return last

    def _text_and_labels(self, owner: Step | Setup, at: LossPath, lines: list[str]) -> tuple[str | None, list[Mark]]:
        """The comment and the labels at the current place."""
        shown: list[Mark] = []
        colors: list[int] = []
        # The first label on a stone is added with it, so that a later capture does not matter.
        move = owner.action if isinstance(owner, Step) and isinstance(owner.action, Move) else None
        for mark in owner.marks:
            drop_extra(self._losses, at, mark)
            try:
                color = self._cursor.board[mark.point]
            except OffBoardError:
                color = -1
            if color < 0 or not mark.symbol:
                self._losses.add("mark-dropped", at)
                continue
            if move is not None and mark.point == move.point:
                color, move = move.color, None
            shown.append(mark)
            colors.append(color)
        labels, notes = self._texts.labels(shown, colors, at)
        if notes:
            lines = [*lines, f"Labels: {', '.join(notes)}"]
        text = joined(owner.comment, *lines)
        return (None if text is None else self._texts.text(text, at)), labels


def _with_texts_at_end(steps: list[Step]) -> list[Step]:
    """The steps; the last one of an SGF node has the texts of the whole node, which concern the position after it."""
    made: list[Step] = []
    for step in steps:
        merged = step
        if step.joined and made:
            before = made.pop()
            made.append(replace(before, comment=None, marks=[], properties={}))
            merged = replace(
                step,
                comment=joined(before.comment, step.comment),
                marks=[*before.marks, *step.marks],
                properties={**before.properties, **step.properties},
            )
        made.append(merged)
    return made


_REFUSED: Final[dict[type, str]] = {Move: "move-occupied", Edit: "setup-after-move"}
_WHY_CUT: Final = {
    "setup-after-move": "stones are set up in a way that no moves can do",
    "move-occupied": "the move is on an occupied point or off the board",
    "step-unreadable": "the step could not be read",
}
_REMARKS: Final[dict[Evaluation, str]] = {"good": "Good move.", "bad": "Bad move."}


def _same(some: list[Mark], others: list[Mark]) -> bool:
    return sorted(map(_key, some)) == sorted(map(_key, others))


def _key(mark: Mark) -> tuple[tuple[int, int], str]:
    return mark.point, mark.symbol
