"""Generated documents: valid ones round-trip, spoiled ones are judged as the oracle judges them, bytes never crash."""

import json
import re

import pytest
from helpers.effort import examples
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from oracles import wei7 as wei7_oracle
from samples.wei7_documents import documents, spoiled, write

import wei7core
from wei7core.errors import PROBLEM_CODES, RecordError

SYNTAX = {code.name for code in PROBLEM_CODES if code.syntax}
WARNINGS = {
    *("player-duplicate", "datetime-unusual", "result-margin-draw", "marks-on-one-point", "time-decreasing"),
    *("takeback-of-parent", "evaluation-missing-later"),
}
# Which of these codes a reader gives to a number that is too small or too large is its choice.
OUTSIDE = {"point-off-board": "outside", "participant-index": "outside", "number-out-of-range": "outside"}
# Codes, and names of members, whose judgement needs more than one value.
CONTEXT = {"takeback-too-deep", "setup-point-taken", "setup-no-liberty", "setup-after-move", "problem-nested"}
CONTEXT |= {"evaluation-missing", "move-occupied", "board-size-unsupported"}
INDEXES = re.compile(r"\.(x|y|participant|actor)$")

quick = settings(
    max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def reported(data, revision):
    """What a lenient reading says: (code, path) of errors, and of warnings."""
    problems = wei7core.loads(data, strict=False, revision=revision).problems
    errors = {(one.code, one.path) for one in problems if one.severity == "error"}
    return errors, {(one.code, one.path) for one in problems if one.severity == "warning"}


def below(path, paths):
    """Whether a path is at or under one of `paths`."""
    return any(path == one or path.startswith((one + ".", one + "[")) for one in paths)


def compare_local(errors, validator):
    """Errors that one value shows by itself, apart from places where several answers are right."""
    unclear = validator.unclear | validator.repeated
    repeats = {(code, path) for code, path in errors if code == "duplicate-member"}
    assert repeats == {(code, path) for code, path in validator.errors if code == "duplicate-member"}

    def kept(found):
        return {
            (OUTSIDE.get(code, code), path)
            for code, path in found
            if code not in CONTEXT and not below(path, unclear) and not INDEXES.search(path)
        }

    assert kept(errors) == kept(validator.errors)


def place(code, path):
    """The path up to where readers may differ: one coordinate or both, an array or its first element."""
    if code == "point-off-board":
        return re.sub(r"\.[xy]$", "", path)
    return path.removesuffix("[0]") if code == "setup-after-move" else path


def compare_context(errors, warnings, game):
    """Errors and warnings of a text whose values are all right by themselves."""
    at_stones = {"move-occupied", "setup-no-liberty", "setup-point-taken"}

    def kept(found):
        return {(code, place(code, path)) for code, path in found if code not in at_stones}

    assert {code for code, _ in errors} == {code for code, _ in game.problems}
    assert kept(errors) == kept(game.problems)
    for code, path in game.problems:
        step = path.removesuffix(".action.value")
        assert code not in at_stones or any(found == code and below(where, {step}) for found, where in errors)
    if not errors:
        # Which of several marks on one point is named is the reader's choice.
        whole = {(code, re.sub(r"(?<=\.marks)\[\d+\]$", "", path)) for code, path in warnings if code in WARNINGS}
        assert whole == game.warnings


def judge(text, revision):
    """Compare the reader with the oracle on one JSON text."""
    errors, warnings = reported(text.encode("utf-8"), revision)
    assert not {code for code, _ in errors} & SYNTAX
    validator = wei7_oracle.local(text, revision)
    if validator.errors or validator.unclear:
        compare_local(errors, validator)
        assert bool(errors) >= bool(validator.errors)
    elif "board-size-unsupported" not in {code for code, _ in errors}:
        compare_context(errors, warnings, wei7_oracle.context(text, revision))


@pytest.mark.parametrize("revision", [7, 2])
@quick
@given(data=st.data())
def test_valid_documents_are_valid(revision, data):
    text = write(data.draw(documents(revision)))
    errors, _ = reported(text.encode(), revision)
    assert errors == set()
    judge(text, revision)


@pytest.mark.parametrize("revision", [7, 2])
@quick
@given(data=st.data())
def test_writing_loses_nothing(revision, data):
    document = data.draw(documents(revision))
    game = wei7core.loads(json.dumps(document).encode(), revision=revision)
    written = wei7core.dumps(game)
    assert json.loads(written) == document
    assert wei7core.dumps(wei7core.loads(written, revision=revision)) == written
    assert wei7core.dumps(wei7core.from_obj(document, revision=revision)) == written
    assert game.to_obj() == document


@pytest.mark.parametrize("revision", [7, 2])
@settings(quick, max_examples=examples(120))
@given(data=st.data())
def test_spoiled_documents_are_judged_like_the_oracle(revision, data):
    text = write(data.draw(spoiled(revision))).encode("utf-8", "surrogatepass").decode("utf-8", "surrogatepass")
    text = re.sub("[\ud800-\udfff]", lambda one: f"\\u{ord(one[0]):04x}", text)
    judge(text, revision)


@st.composite
def damaged(draw):
    """The bytes of a valid document with a few bytes changed, cut, doubled or moved."""
    data = bytearray(write(draw(documents())).encode())
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, max(0, len(data) - 1)))
        end = min(len(data), begin + draw(st.integers(1, 12)))
        what = draw(st.sampled_from(["flip", "set", "delete", "double", "move", "cut", "insert"]))
        if what == "flip" and data:
            data[begin] ^= 1 << draw(st.integers(0, 7))
        elif what == "set" and data:
            data[begin] = draw(st.integers(0, 255))
        elif what == "delete":
            del data[begin:end]
        elif what == "double":
            data[begin:begin] = data[begin:end]
        elif what == "move":
            piece = bytes(data[begin:end])
            del data[begin:end]
            place = draw(st.integers(0, len(data)))
            data[place:place] = piece
        elif what == "cut":
            del data[begin:]
        else:
            data[begin:begin] = draw(
                st.sampled_from([b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"0", b"\x00", b"\xed\xa0\x80"])
            )
    return bytes(data)


@pytest.mark.exhaustive
@settings(quick, max_examples=200)  # in every profile: damaged bytes are what the sanitizers are for
@given(damaged() | st.binary(max_size=60))
@example(b"")
def test_damaged_bytes_never_escape(data):
    problems = wei7core.loads(data, format="wei7", strict=False).problems
    try:
        # int refuses NaN and Infinity, which Python alone takes for numbers.
        value = json.loads(data.decode("utf-8-sig"), parse_constant=int)
    except ValueError:
        value = None
        assert {problem.code for problem in problems} & SYNTAX
    else:
        assert not {problem.code for problem in problems} & SYNTAX
    if any(problem.severity == "error" for problem in problems):
        with pytest.raises(RecordError):
            wei7core.loads(data, format="wei7")
    else:
        game = wei7core.loads(data, format="wei7")
        assert json.loads(wei7core.dumps(game)) == value


def test_the_oracle_knows_both_kinds_of_answer():
    good = '{"format": "wei7", "version": "3.0", "tree": {}}'
    assert wei7_oracle.local(good, 7).errors == set()
    assert wei7_oracle.local(good.replace("wei7", "w"), 7).errors == {("value-not-allowed", "$.format")}
