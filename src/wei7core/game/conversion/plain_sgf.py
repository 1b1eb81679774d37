"""Detection of documents that SGF can represent without conversion."""

from __future__ import annotations

from ...formats.sgf.info import shared_info
from ...formats.sgf.properties import MOST_POINTS, is_name
from ...record.document import Branch, Document, Edit, Move, Note, Setup, Step, inside_itself
from ...record.record import noted_steps


def is_plain_sgf(document: Document, *, is_as_read: bool = False, is_root_plain: bool = False) -> bool:
    """Return whether `to_sgf` would return the document unchanged, without losses; False if uncertain.

    This holds for a record read from SGF, even after edits of moves, setup and comments; `is_as_read`: nothing was
    edited; `is_root_plain`: the properties of the root are as read, and all can be written. Raises `ValueError` for a
    branch that contains itself.
    """
    if not (1 <= document.width <= MOST_POINTS and 1 <= document.height <= MOST_POINTS) or document.extra:
        return False
    if document.version is not None:
        return False
    raw = {} if is_root_plain else document.properties
    if not all(map(is_name, raw)):
        return False
    if not (is_root_plain or is_as_read or document.has_info_as_read) and document.info != shared_info(raw):
        return False
    pre = document.tree.pre
    if pre is not None and not (_is_plain_setup(pre) and (raw or not pre.marks)):
        return False
    inside: list[Branch] = []
    known: set[int] = set()
    waiting: list[Branch | None] = [document.tree]
    while waiting:
        branch = waiting.pop()
        if branch is None:
            known.discard(id(inside.pop()))
            continue
        if id(branch) in known:
            raise inside_itself([*inside, branch])
        if branch.title is not None or branch.extra or (branch.pre is not None and branch.pre is not pre):
            return False
        if not all(map(_is_plain, noted_steps(branch.steps))):
            return False
        inside.append(branch)
        known.add(id(branch))
        waiting.append(None)
        waiting.extend(reversed(branch.branches))
    return True


def _is_plain_setup(pre: Setup) -> bool:
    return pre.problem is None and pre.evaluation is None and not pre.extra and not any(one.extra for one in pre.stones)


def _is_plain(step: Step) -> bool:
    action = step.action
    if type(action) is Move:
        if action.problem is not None or action.extra or action.evaluation not in (None, "good", "bad"):
            return False
    elif not isinstance(action, (Edit, Note)):
        return False
    if step.time is not None or step.actor is not None or step.title is not None or step.splitter is not None:
        return False
    if step.extra:
        return False
    # Marks without corresponding properties require a conversion.
    return all(map(is_name, step.properties)) if step.properties else not step.marks
