"""Conversion between the formats: what is kept is where it was, and what is not is listed."""

import copy
import json
import re
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from samples.sgf_documents import sgf_documents
from samples.wei7_documents import documents

from wei7core.formats.registry import read_document
from wei7core.formats.sgf.text_values import simple_text
from wei7core.formats.sgf.write import document_to_sgf
from wei7core.formats.wei7.write import document_to_json
from wei7core.game.conversion import encode_document, encode_record, to_sgf, to_wei7
from wei7core.game.load import from_obj, loads
from wei7core.limits import DEFAULT_LIMITS
from wei7core.record.document import (
    Branch,
    MarkAction,
    Message,
    Move,
    Note,
    Result,
    Setup,
    Step,
    Takeback,
)
from wei7core.replaying.cursor import walk_branches

CUTS = {"setup-after-move", "setup-without-liberties", "move-occupied"}


def nodes(document, *, first_only=False):
    return walk_branches(document, DEFAULT_LIMITS, first_only=first_only, ends_only=False)


def lines(document):
    """Each node with what led to its position: the stones of the board before the first move, and the moves."""
    for node in nodes(document):
        yield node, tuple(node.board.moves())


def plain(text):
    """What any format can say of a text."""
    return re.sub(r"\s+", " ", text.replace("\0", "")).strip()


def last_board(document):
    *_, last = nodes(document, first_only=True)
    return last.board


def counts(losses):
    found = Counter()
    for loss in losses:
        found[loss.code] += loss.count
    return found


def texts_of(node, people):
    """The texts of a node of wei7, and where they are found in SGF."""
    if node.step is None:
        return [] if node.branch.pre is None else [node.branch.pre.comment]
    texts = [node.step.comment]
    if isinstance(node.step.action, Message):
        texts.append(node.step.action.text)
    return texts


def marks_of(node):
    owner = node.step or node.branch.pre
    marks = {(mark.point, mark.symbol) for mark in owner.marks} if owner else set()
    if node.step is not None and isinstance(node.step.action, MarkAction):
        marks.add((node.step.action.point, node.step.action.symbol))
    return marks


@given(documents())
def test_wei7_to_sgf_keeps_every_line_every_text_and_every_mark(obj):
    document = from_obj(obj).document
    before = copy.deepcopy(document)
    converted, losses = to_sgf(document)
    assert document == before
    document_to_sgf(converted)
    assert last_board(converted) == last_board(document)
    there = {}
    for node, line in lines(converted):
        comments, marks = there.setdefault(line, ([], set()))
        comments.append(plain(node.comment or ""))
        marks |= marks_of(node)
    assert {line for _, line in lines(document)} == set(there)
    dropped = counts(losses)
    lost_marks = 0
    for node, line in lines(document):
        comments, marks = there[line]
        for text in texts_of(node, document.info.participants):
            assert any(plain(text or "") in comment for comment in comments)
        lost_marks += len(marks_of(node) - marks)
    assert lost_marks <= dropped["mark-dropped"]
    steps = [step for branch in document.tree.walk() for step in branch.steps]
    kinds = Counter(type(step.action) for step in steps)
    assert dropped["time-dropped"] == sum(step.time is not None for step in steps)
    assert dropped["takeback-as-variation"] == kinds[Takeback]
    assert dropped["message-as-comment"] == kinds[Message]
    assert dropped["mark-action-as-mark"] == kinds[MarkAction]
    assert dropped["result-as-comment"] == kinds[Result]
    assert dropped["actor-dropped"] == sum(
        step.actor is not None and isinstance(step.action, (Move, MarkAction)) for step in steps
    )


@given(documents(revision=2), st.sampled_from([2, 7]))
def test_there_and_back_is_valid_and_ends_in_the_same_position(obj, revision):
    document = from_obj(obj, revision=2).document
    converted, _ = to_sgf(document)
    before = copy.deepcopy(converted)
    back, losses = to_wei7(converted, revision)
    assert converted == before
    loads(document_to_json(back), revision=revision)
    assert last_board(back) == last_board(document)
    assert {line for _, line in lines(back)} == {line for _, line in lines(document)}
    assert not CUTS & set(counts(losses))


def outline(branch, asked=False):
    """A branch as it should survive: title, what its `pre` and its moves say, its branches."""
    pre = branch.pre or Setup()
    asked = asked or pre.problem is not None
    moves = [step for step in branch.steps if isinstance(step.action, Move)]
    return (
        plain(branch.title or ""),
        sorted((stone.point, stone.color) for stone in pre.stones),
        [(move.action.color, move.action.point, None if asked else move.action.evaluation) for move in moves],
        [outline(child, asked) for child in branch.branches],
    )


@given(documents())
def test_a_tree_without_takebacks_comes_back_branch_by_branch(obj):
    document = from_obj(obj).document
    for branch in document.tree.walk():
        branch.steps = [step for step in branch.steps if not isinstance(step.action, Takeback)]
    if any(problem.severity == "error" for problem in loads(document_to_json(document), strict=False).problems):
        return  # without the takebacks a move is on an occupied point
    back, _ = to_wei7(to_sgf(document)[0])
    assert outline(back.tree) == outline(document.tree)


@given(documents())
def test_info_comes_back(obj):
    document = from_obj(obj).document
    document.tree = Branch()
    back, _ = to_wei7(to_sgf(document)[0])
    info, found = document.info, back.info
    for member in ("name", "place"):
        assert plain(getattr(found, member) or "") == plain(getattr(info, member) or "")
    info.players = [player for row, player in enumerate(info.players) if player not in info.players[:row]]
    assert plain(found.black_name or "") == plain(info.black_name or "")
    assert plain(found.white_name or "") == plain(info.white_name or "")
    assert (found.rules and found.rules.komi) == (info.rules and info.rules.komi)
    assert (found.rules and found.rules.type) == (info.rules and info.rules.type)
    if info.result is not None:
        assert found.result is not None
        assert found.result.winner == info.result.winner
        assert found.result.margin == (info.result.margin if info.result.winner else None)
    if info.time is not None:
        assert info.time[:10] in back.tree.pre.comment


@given(documents())
def test_valid_wei7_is_wei7_already(obj):
    document = from_obj(obj).document
    same, losses = to_wei7(document)
    assert same == document
    assert losses == []


@given(documents(), st.sampled_from([2, 7]))
def test_records_of_wei7_are_converted_to_wei7_as_their_documents_are(obj, revision):
    game = loads(json.dumps(obj).encode(), strict=False, revision=revision)
    expected = encode_document(read_document(game.record), f"wei7-rev{revision}")
    assert encode_record(game.record, f"wei7-rev{revision}", game.problems) == expected
    if not game.problems:
        assert expected[1] == []


@given(documents(revision=2))
def test_revision_2_becomes_valid_by_revision_7(obj):
    document = from_obj(obj, revision=2).document
    same, losses = to_wei7(document, 2)
    assert same == document
    assert losses == []
    newer, _ = to_wei7(document)
    loads(document_to_json(newer))
    assert last_board(newer) == last_board(document)


@given(sgf_documents())
def test_what_sgf_holds_already_stays_as_it_is(document):
    same, losses = to_sgf(document)
    assert same == document
    assert losses == []


@given(sgf_documents(), st.sampled_from([2, 7]))
def test_sgf_to_wei7_is_valid_and_keeps_positions(document, revision):
    before = copy.deepcopy(document)
    converted, losses = to_wei7(document, revision)
    assert document == before
    loads(document_to_json(converted), revision=revision)
    found = counts(losses)
    played = {(node.board.hash, line) for node, line in lines(document) if line}
    kept = {(node.board.hash, line) for node, line in lines(converted) if line}
    assert kept <= played
    if not CUTS & set(found):
        assert kept == played
        assert last_board(converted) == last_board(document)


@given(sgf_documents())
def test_every_text_and_property_is_found_or_listed(document):
    converted, losses = to_wei7(document)
    found = counts(losses)
    if CUTS & set(found):
        return
    owners = [document, *(step for branch in document.tree.walk() for step in branch.steps)]
    text_of_all = " ".join(
        plain(text)
        for branch in converted.tree.walk()
        for text in (
            branch.title or "",
            branch.pre.comment or "" if branch.pre else "",
            *(step.comment or "" for step in branch.steps),
        )
    )
    text_of_all += f" {plain(converted.info.name or '')}"
    dropped = Counter()
    for owner in owners:
        for name, values in owner.properties.items():
            if name in ("BL", "OW"):
                dropped["time-dropped"] += 1
            elif name in ("XYZ", "KO"):
                dropped["property-dropped"] += 1
            elif name in ("GB", "DO"):
                dropped["property-as-comment"] += 1
            elif name != "FF":
                assert plain(simple_text(values[0])) in text_of_all, name
                if name == "EV" and owner is document:  # the game has no name
                    dropped["event-as-name"] = 1
                    dropped["text-changed"] += any(mark in values[0].strip() for mark in "\u2028\u2029")
                elif name != "N":
                    dropped["info-as-comment" if name in ("EV", "SO") else "property-as-comment"] += 1
        if isinstance(owner, Step):
            assert plain(owner.comment or "") in text_of_all
            for mark in owner.marks:
                if mark.shape:
                    dropped["shape-as-symbol"] += 1
                elif mark.symbol not in ("a", "Z"):
                    dropped["label-replaced"] += 1
                    assert mark.symbol in text_of_all
    for branch in document.tree.walk():
        if branch is document.tree or len(branch.steps) > 1:  # a branch of one empty node is one without steps
            dropped["node-dropped"] += sum(map(is_empty_node, branch.steps))
    assert {
        code: count for code, count in found.items() if code not in ("setup-folded", "setup-moved", "title-as-comment")
    } == +dropped


def is_empty_node(step):
    return isinstance(step.action, Note) and step.comment is None and not (step.properties or step.marks)
