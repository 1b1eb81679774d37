"""Hand-picked bad documents: refused strictly, listed leniently, located always; nothing else ever escapes."""

import json

import pytest
from helpers.cases import in_groups
from samples.malformed import DOCUMENTS

import wei7core
from wei7core.errors import PROBLEM_CODES, RecordError, RecordSyntaxError

SYNTAX = {code.name for code in PROBLEM_CODES if code.syntax}
CASES = [pytest.param(data, codes, id=f"{number}-{name}"[:60]) for number, (name, data, codes) in enumerate(DOCUMENTS)]
each = in_groups(("data", "codes"), CASES)


def line_and_column(data, offset):
    """Where a byte is: lines end with a line feed, columns count characters, both from 1."""
    before = data[:offset]
    start = before.rfind(b"\n") + 1
    return before.count(b"\n") + 1, len(before[start:].decode("utf-8", "replace")) + 1


def is_json(data):
    """Whether the text is JSON in UTF-8 by another reader."""
    try:
        # int refuses NaN and Infinity, which Python alone takes for numbers.
        json.loads(data.decode("utf-8-sig"), parse_constant=int, parse_int=str, parse_float=str)
    except RecursionError:
        return None
    except ValueError:
        return False
    return True


def test_there_are_enough():
    assert len(DOCUMENTS) >= 300
    assert len({data for _, data, _ in DOCUMENTS}) >= 300


@each
def test_listed_and_located(data, codes):
    problems = wei7core.loads(data, strict=False).problems
    errors = [problem for problem in problems if problem.severity == "error"]
    assert {problem.code for problem in errors} & set(codes), errors
    for problem in errors:
        assert 0 <= problem.offset <= len(data)
        assert problem.path.startswith("$")
        assert problem.message
        assert len(str(problem).splitlines()) == 1
    assert [problem.offset for problem in problems] == sorted(problem.offset for problem in problems)


@each
def test_line_and_column(data, codes):
    for problem in wei7core.loads(data, strict=False).problems[:3]:
        try:
            data[: problem.offset].decode()
        except UnicodeDecodeError:
            continue
        assert (problem.line, problem.column) == line_and_column(data, problem.offset)


@each
def test_refused(data, codes):
    with pytest.raises(RecordError) as caught:
        wei7core.loads(data)
    first = next(problem for problem in wei7core.loads(data, strict=False).problems if problem.severity == "error")
    assert caught.value.problem == first
    assert isinstance(caught.value, RecordSyntaxError) == (first.code in SYNTAX)


@each
def test_json_of_another_reader(data, codes):
    syntax = {problem.code for problem in wei7core.loads(data, strict=False).problems} & SYNTAX
    other = is_json(data)
    if other is not None:
        assert bool(syntax) != other


@each
def test_lenient_reading_can_be_written(data, codes):
    written = wei7core.dumps(wei7core.loads(data, strict=False), validate=False)
    assert is_json(written) is not False


@pytest.mark.parametrize("name", [b"r\x81", b"r\n", b"\xff"])
def test_names_in_info_that_are_no_text_do_not_keep_a_game_from_being_made(name):
    data = b'{"format":"wei7","version":"3.0","size":5,"info":{"%b":1,"id":"a"},"tree":{"steps":[]}}' % name
    game = wei7core.loads(data, strict=False)
    assert game.problems
    assert (game.info.id, list(game.info.extra.values())) == ("a", [b"1"])
