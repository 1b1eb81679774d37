"""The clause table of wei7 2.2: each row gives what it must, strictly and leniently, and no requirement is left out."""

import re
from pathlib import Path

import pytest
from helpers.cases import in_groups
from samples.clauses.rows import Row
from samples.clauses.wei7xml import CANNOT_REJECT, FILES, IDS, MEANINGS, ROWS
from samples.wei7xml_texts import canonical

import wei7core
from wei7core.errors import PROBLEM_CODES, RecordError

CODES = {code.name: code for code in PROBLEM_CODES}
SPECIFICATION = Path(__file__).parents[3] / "shared" / "spec" / "WEI7-2.2.md"


def rows(*kinds):
    found = enumerate(ROWS)
    return [pytest.param(row, id=f"{row.ids.replace(' ', '+')}-{number}") for number, row in found if row.kind in kinds]


def read(row, **options):
    return wei7core.loads(row.data, format="wei7-2.2", **options)


def answers(pattern, text):
    return any(text == one or (one.endswith("*") and text.startswith(one[:-1])) for one in pattern.split("|"))


@in_groups("row", rows("accept", "reject", "warn"))
def test_problems(row: Row):
    problems = read(row, strict=False).problems
    listed = [f"{problem.offset}: {problem}" for problem in problems]
    assert len(problems) == len(row.problems), listed
    for problem, expected in zip(problems, row.problems, strict=True):
        assert answers(expected.code, problem.code), listed
        assert not expected.path or answers(expected.path, problem.path), listed
        assert not expected.clause or answers(expected.clause, problem.clause), listed
        assert row.offset in (None, problem.offset), listed
        assert problem.severity == CODES[problem.code].severity
        before = row.data[: problem.offset].decode("utf-8-sig", "replace")
        assert problem.line == before.count("\n") + 1


@in_groups("row", rows("accept", "reject", "warn"))
def test_strict(row: Row):
    problems = read(row, strict=False).problems
    if row.kind == "reject":
        with pytest.raises(RecordError) as caught:
            read(row)
        assert caught.value.problem == problems[0]
    else:
        assert read(row).problems == problems


@in_groups("row", rows("accept", "warn"))
def test_writing_keeps_everything(row: Row):
    written = wei7core.dumps(read(row), format="wei7-2.2")
    assert wei7core.dumps(wei7core.loads(written), format="wei7-2.2") == written
    # The order of the children of `game` and of `pre` carries no meaning.
    # Marks are right before their step afterwards, and other nodes than elements before all others.
    if not {"3.5-1", "3.14-1", "X1", "X12"}.intersection(row.ids.split()):
        assert canonical(written) == canonical(with_plain_numbers(row.data))


def with_plain_numbers(data):
    text = re.sub(r'(x|komi)=" ([\d.]+) "', r'\1="\2"', data.decode("utf-8-sig"))
    return re.sub(r"<(time|size)>\s+(\S+)\s+</", r"<\1>\2</", text).encode()


@in_groups("row", rows("reject"))
def test_what_is_wrong_is_written_back(row: Row):
    game = read(row, strict=False)
    if not game.tree.steps and game.tree.pre is None and not game.tree.branches:
        return  # nothing was read
    written = wei7core.dumps(game, format="wei7-2.2")
    again = wei7core.loads(written, strict=False, format="wei7-2.2")
    assert wei7core.dumps(again, format="wei7-2.2") == written
    if row.ids.startswith("3.6-") and game.info.rules.komi == 0:
        return  # which is no komi
    if not game.problems[0].code.startswith(("element-", "xml-", "encoding-", "number-sp", "attribute-")):
        assert [problem.code for problem in again.problems] == [problem.code for problem in game.problems]


@pytest.mark.parametrize(("ids", "name", "code"), FILES)
def test_file_name(ids, name, code, tmp_path):
    path = tmp_path / name
    path.write_bytes(ROWS[0].data)
    assert [problem.code for problem in wei7core.load(path, strict=False).problems] == [code] * (code is not None)


@in_groups(("ids", "text", "view", "shown"), MEANINGS)
def test_meaning(ids, text, view, shown):
    assert view(wei7core.loads(text)) == shown


def ids_with(*kinds):
    named = {one for row in ROWS if row.kind in kinds for one in row.ids.split()}
    files = {ids for ids, _, code in FILES if ("accept" if code is None else "reject") in kinds}
    return named | files


def test_every_id_has_an_accepting_row():
    assert set(IDS) - ids_with("accept") == set()


def test_every_id_has_an_objecting_row_or_a_reason():
    assert set(IDS) - ids_with("reject", "warn") - set(CANNOT_REJECT) == set()
    assert set(CANNOT_REJECT) & ids_with("reject") == set()
    assert set(CANNOT_REJECT) <= {one for ids, *_ in MEANINGS for one in ids.split()}


def test_ids_are_those_of_the_specification():
    if not SPECIFICATION.exists():
        assert len(IDS) == len(set(IDS)) == 53
        return
    text = SPECIFICATION.read_text(encoding="utf-8")
    found = re.findall(r"^\| ((?:\d+\.[0-9.]*\d(?:-\d+)?|X\d+)) \|", text, re.MULTILINE)
    assert set(found) == set(IDS)
