"""The clause tables: each row gives what it must, strictly and leniently, and no requirement is left out."""

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest
from helpers.cases import in_groups
from samples.clauses import CANNOT_REJECT, FILES, IDS, ROWS, Row, clauses_in, wei7xml
from samples.clauses.meanings import MEANINGS

import wei7core
from wei7core.errors import PROBLEM_CODES, RecordError, RecordSyntaxError

CODES = {code.name: code for code in PROBLEM_CODES}
CASES = [
    pytest.param(row, revision, id=f"{row.kind}-{row.ids.replace(' ', '+')}-{number}-rev{revision}")
    for number, row in enumerate(ROWS)
    for revision in row.revisions
]
SPECIFICATION = Path(__file__).parents[3] / "shared" / "spec" / "WEI7-3.0.md"


def lenient(row, revision):
    """All problems that the reader finds in a row."""
    return wei7core.loads(row.data, strict=False, revision=revision, limits=row.limits).problems


def listed(problems):
    """Problems as text for a failing test."""
    return [f"{problem.offset}: {problem}" for problem in problems]


def answers(pattern, text):
    """Whether `text` is one of the answers `a|b`, each of which may end in `*`."""
    return any(text == one or (one.endswith("*") and text.startswith(one[:-1])) for one in pattern.split("|"))


@in_groups(("row", "revision"), CASES)
def test_problems(row: Row, revision: int):
    problems = lenient(row, revision)
    if row.problems and CODES[row.problems[0].code.split("|")[0]].syntax:
        problems = [problem for problem in problems if CODES[problem.code].syntax]
    assert len(problems) == len(row.problems), listed(problems)
    for problem, expected in zip(problems, row.problems, strict=True):
        clauses = clauses_in(revision, expected)
        assert answers(expected.code, problem.code), listed(problems)
        assert not expected.path or answers(expected.path, problem.path), listed(problems)
        assert not clauses or answers(clauses, problem.clause), (clauses, listed(problems))
        assert row.offset in (None, problem.offset), (row.offset, listed(problems))
        assert problem.severity == CODES[problem.code].severity


@in_groups(("row", "revision"), CASES)
def test_strict(row: Row, revision: int):
    if row.kind == "reject":
        first = next(problem for problem in lenient(row, revision) if problem.severity == "error")
        with pytest.raises(RecordError) as caught:
            wei7core.loads(row.data, revision=revision, limits=row.limits)
        assert caught.value.problem == first
        assert isinstance(caught.value, RecordSyntaxError) == CODES[first.code].syntax
        assert isinstance(caught.value, json.JSONDecodeError) == CODES[first.code].syntax
    else:
        game = wei7core.loads(row.data, revision=revision, limits=row.limits)
        assert game.problems == lenient(row, revision)


UNKNOWN = [
    pytest.param(row, revision, id=f"{row.problems[0].path}-{number}-rev{revision}")
    for number, row in enumerate(ROWS)
    if row.kind == "reject" and row.problems[0].code == "unknown-member"
    for revision in row.revisions
]


@in_groups(("row", "revision"), UNKNOWN)
def test_unknown_members_are_kept(row: Row, revision: int):
    game = wei7core.loads(row.data, strict=False, revision=revision)
    written = wei7core.dumps(game)
    assert json.loads(written) == json.loads(row.data)
    again = wei7core.loads(written, strict=False, revision=revision)
    assert [(problem.code, problem.path) for problem in again.problems] == [
        (problem.code, problem.path) for problem in game.problems
    ]
    assert wei7core.dumps(again) == written


ACCEPTED = [
    pytest.param(row, revision, id=f"{row.ids.replace(' ', '+')}-{number}-rev{revision}")
    for number, row in enumerate(ROWS)
    if row.kind != "reject"
    for revision in row.revisions
]


def exact(text):
    """The value of a JSON text with exact numbers."""
    return json.loads(text, parse_int=Decimal, parse_float=Decimal)


@in_groups(("row", "revision"), ACCEPTED)
def test_writing_keeps_every_value(row: Row, revision: int):
    game = wei7core.loads(row.data, revision=revision, limits=row.limits)
    written = wei7core.dumps(game)
    if len(row.data) < 100_000:
        assert exact(written) == exact(row.data.decode("utf-8-sig"))
    again = wei7core.loads(written, revision=revision, limits=row.limits)
    assert wei7core.dumps(again) == written
    warnings = {(problem.code, problem.path) for problem in game.problems if problem.code != "byte-order-mark"}
    assert {(problem.code, problem.path) for problem in again.problems} == warnings


@pytest.mark.parametrize(("ids", "name", "code"), FILES)
def test_file_name(ids, name, code, tmp_path):
    path = tmp_path / name
    path.write_bytes(b'{"format": "wei7", "version": "3.0", "tree": {}}')
    assert [problem.code for problem in wei7core.load(path, strict=False).problems] == [code] * (code is not None)
    if code == "file-suffix":
        with pytest.raises(RecordError) as caught:
            wei7core.load(path)
        assert caught.value.code == code
    else:
        assert len(wei7core.load(path).problems) == (code is not None)


@in_groups(("ids", "text", "view", "shown"), MEANINGS)
def test_meaning(ids, text, view, shown):
    assert view(wei7core.loads(text)) == shown


def ids_with(kinds):
    """The ids that have a row of one of these kinds."""
    named = {one for row in ROWS if row.kind in kinds for one in row.ids.split()}
    files = {ids for ids, _, code in FILES if ("accept" if code is None else CODES[code].severity) in kinds}
    return named | files


def test_every_id_has_an_accepting_row():
    assert set(IDS) - ids_with({"accept"}) == set()


def test_every_id_has_an_objecting_row_or_a_reason():
    objected = ids_with({"reject", "warn", "error", "warning"})
    assert set(IDS) - objected - set(CANNOT_REJECT) == set()
    assert set(CANNOT_REJECT) & ids_with({"reject", "error"}) == set()


def test_rows_name_known_ids():
    assert {one for row in ROWS for one in row.ids.split()} <= set(IDS)
    assert {one for ids, *_ in MEANINGS for one in ids.split()} <= set(IDS)
    assert len(set(IDS)) == len(IDS)


def test_every_problem_code_is_exercised():
    expected_codes = {code for row in ROWS for expected in row.problems for code in expected.code.split("|")}
    expected_codes |= {code for _, _, code in FILES if code}
    expected_codes |= {expected.code for row in wei7xml.ROWS for expected in row.problems}
    exercised_elsewhere = {"file-unreadable", "format-unknown", "archive-invalid"}  # no matter of a wei7 text
    others = ("FF[4]", "section ")  # SGF and Giseong
    of_wei7 = {code.name for code in PROBLEM_CODES if not code.limit and not code.clause.startswith(others)}
    assert of_wei7 <= expected_codes | exercised_elsewhere
    assert expected_codes <= set(CODES)


def test_ids_are_those_of_the_specification():
    if not SPECIFICATION.exists():
        assert len(IDS) == 157
        return
    text = SPECIFICATION.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ((?:3\.[0-9.]+(?:-\d+)?|[A-Z]-\d+|A\d+)) \|", text, re.MULTILINE)
    assert set(rows) == set(IDS)
