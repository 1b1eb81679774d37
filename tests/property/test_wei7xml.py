"""Generated wei7 2.x: what is read is written back, and conversion loses only what it lists."""

import copy
import pickle
import re
from collections import Counter

from helpers.effort import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samples.wei7_documents import documents
from samples.wei7xml_documents import xml_documents
from samples.wei7xml_texts import canonical

import wei7core
from wei7core.formats.wei7xml.write import document_to_xml
from wei7core.game.conversion import to_wei7, to_wei7xml
from wei7core.game.load import from_obj, loads
from wei7core.limits import DEFAULT_LIMITS
from wei7core.record.document import MarkAction, Message, Move, Result, Takeback
from wei7core.replaying.cursor import walk_branches

quick = settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
SIZES = [(19, 19), (7, 7), (9, 9)]


def nodes(document, *, first_only=False):
    return walk_branches(document, DEFAULT_LIMITS, first_only=first_only, ends_only=False)


def lines(document):
    """Each node, with the stones before the first move and the moves that led to it."""
    for node in nodes(document):
        yield node, tuple(node.board.moves())


def plain(text):
    return re.sub(r"\s+", " ", text or "").strip()


def counts(losses):
    found = Counter()
    for loss in losses:
        found[loss.code] += loss.count
    return found


@given(xml_documents())
@quick
def test_a_text_comes_back_as_it_was(data):
    game = loads(data)
    assert game.format == "wei7-2.2"
    assert game.problems == ()
    losses = []
    written = wei7core.dumps(game, format="wei7-2.2", losses=losses)
    assert losses == []
    assert canonical(written) == canonical(data)
    again = loads(written)
    assert again == game
    assert wei7core.dumps(again, format="wei7-2.2") == written
    # The record holds all that the document does.
    assert loads(pickle.loads(pickle.dumps(loads(data).record)).source) == game


@given(xml_documents(), st.sampled_from(["wei7", "wei7-rev2", "sgf"]))
@quick
def test_every_line_text_and_mark_of_xml_is_there_in_another_format(data, format):
    game = loads(data)
    document = copy.deepcopy(game.document)
    losses = []
    other = loads(
        wei7core.dumps(game, format=format, losses=losses, validate=True), revision=2 if format == "wei7-rev2" else 7
    )
    assert game.document == document
    there = {}
    for node, line in lines(other.document):
        present, marks = there.setdefault(line, ([], set()))
        present.append(plain(node.comment))
        present.append(plain(node.branch.title))
        named = other.properties if node.step is None else node.step.properties
        present += [plain(re.sub(r"\\(.)", r"\1", value)) for value in named.get("N", ())]
        owner = node.step or node.branch.pre
        marks |= {(mark.point, mark.symbol) for mark in owner.marks} if owner else set()
    assert {line for _, line in lines(document)} == set(there)
    for node, line in lines(document):
        present, marks = there[line]
        for text in (node.comment, None if node.step is None else node.step.title):
            assert any(plain(text) in one for one in present)
        star = "#" if format == "wei7" else "*"
        assert format == "sgf" or {(mark.point, mark.symbol.replace("*", star)) for mark in node.marks} <= marks
    # The name of a branch is at the first node with any text.
    everything = [one for present, _ in there.values() for one in present]
    assert all(any(plain(branch.title) in one for one in everything) for branch in document.tree.walk())
    lost = counts(losses)
    assert not lost["member-dropped"]
    steps = [step for branch in document.tree.walk() for step in branch.steps]
    assert lost["splitter-dropped"] == sum(step.splitter is not None for step in steps)
    pres = [branch.pre for branch in document.tree.walk() if branch.pre is not None]
    assert lost["position-evaluation-dropped"] == sum(pre.evaluation is not None for pre in pres)
    if format == "wei7":
        stars = sum(mark.symbol == "*" for owner in (*steps, *pres) for mark in owner.marks)
        assert lost["symbol-replaced"] == stars
        assert lost["evaluation-dropped"] == sum(step.action.evaluation == "trick" for step in steps)


@given(xml_documents())
@quick
def test_xml_there_and_back_by_way_of_wei7(data):
    game = loads(data)
    lost = []
    back = loads(wei7core.dumps(wei7core.convert(game, "wei7-rev2", losses=lost), format="wei7-2.2", losses=lost))
    assert {line for _, line in lines(back.document)} == {line for _, line in lines(game.document)}
    *_, last = nodes(game.document, first_only=True)
    *_, other = nodes(back.document, first_only=True)
    assert last.board == other.board
    evaluations = [
        [step.action.evaluation for branch in one.tree.walk() for step in branch.steps] for one in (game, back)
    ]
    assert Counter(evaluations[0]) == Counter(evaluations[1])
    problems = [[step.action.problem for branch in one.tree.walk() for step in branch.steps] for one in (game, back)]
    assert Counter(problems[0]) == Counter(problems[1])
    titles = [Counter(branch.title for branch in one.tree.walk() if branch.title is not None) for one in (game, back)]
    assert titles[0] <= titles[1]


@given(documents(revision=2, sizes=SIZES))
@quick
def test_wei7_to_xml_keeps_every_line_every_text_and_every_mark(obj):
    document = from_obj(obj, revision=2).document
    before = copy.deepcopy(document)
    converted, losses = to_wei7xml(document)
    assert document == before
    data = document_to_xml(converted)
    read = loads(data).document
    *_, last = nodes(document, first_only=True)
    *_, other = nodes(read, first_only=True)
    assert last.board == other.board
    there = {}
    for node, line in lines(read):
        present, marks = there.setdefault(line, ([], set()))
        present.append(plain(node.comment))
        owner = node.step or node.branch.pre
        marks |= {(mark.point, mark.symbol) for mark in owner.marks} if owner else set()
    assert {line for _, line in lines(document)} <= set(there)
    clean = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
    for node, line in lines(document):
        present, marks = there[line]
        texts = [node.comment]
        if node.step is not None and isinstance(node.step.action, Message):
            texts.append(node.step.action.text)
        for text in texts:
            assert any(plain(clean.sub("\ufffd", text or "")) in one for one in present)
        owner = node.step or node.branch.pre
        assert ({(mark.point, mark.symbol) for mark in owner.marks} if owner else set()) <= marks
    steps = [step for branch in document.tree.walk() for step in branch.steps]
    kinds = Counter(type(step.action) for step in steps)
    lost = counts(losses)
    assert lost["time-dropped"] == sum(step.time is not None for step in steps)
    assert lost["takeback-as-variation"] == kinds[Takeback]
    assert lost["message-as-comment"] == kinds[Message]
    assert lost["mark-action-as-mark"] == kinds[MarkAction]
    assert lost["result-as-comment"] == kinds[Result]
    controversial = sum(isinstance(step.action, Move) and step.action.evaluation == "controversial" for step in steps)
    assert lost["evaluation-as-comment"] == controversial


@given(documents(sizes=SIZES))
@quick
def test_wei7_by_way_of_xml_is_valid_and_ends_in_the_same_position(obj):
    document = from_obj(obj).document
    converted, _ = to_wei7xml(document)
    back, _ = to_wei7(loads(document_to_xml(converted)).document)
    *_, last = nodes(document, first_only=True)
    *_, other = nodes(back, first_only=True)
    assert last.board == other.board
