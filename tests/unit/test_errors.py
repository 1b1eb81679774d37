"""Exceptions name what, where and why, and survive pickling."""

import copy
import json
import pickle

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.errors import ERROR, PROBLEM_CODES, WARNING, record_error


def problem(code: str) -> w7.Problem:
    return w7.Problem(code, "3.1", ERROR, 7, 2, 3, "$.tree", "something is wrong")


def raised(call) -> Exception:
    with pytest.raises(w7.Wei7Error) as caught:
        call()
    return caught.value


def occupied() -> None:
    board = w7.Board(9)
    board.play(w7.BLACK, (4, 4))
    board.play(w7.WHITE, (4, 4))


ERRORS = [
    raised(occupied),
    raised(lambda: w7.Board(9).undo()),
    raised(lambda: w7.Board(9)[9, 0]),
    raised(lambda: w7.Board(0)),
    raised(lambda: w7.Board(1).setup([(w7.BLACK, (0, 0))])),
    raised(lambda: w7.loads("{")),
    raised(lambda: w7.loads("{}")),
    raised(lambda: w7.loads("{}", limits=w7.Limits(max_bytes=1))),
    record_error(problem("file-suffix"), "name.json"),
]


@in_groups("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_are_the_same_after_pickling_and_copying(error: Exception) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)


@in_groups("error", [*ERRORS, w7.DiagramError("is wrong", line=1, column=2)], ids=lambda error: type(error).__name__)
def test_notes_of_errors_are_pickled(error: Exception) -> None:
    noted = copy.copy(error)
    noted.add_note("in the third file")
    again = pickle.loads(pickle.dumps(noted))
    assert again.__notes__ == ["in the third file"] and str(again) == str(error)


@in_groups("error", ERRORS, ids=lambda error: type(error).__name__)
def test_errors_are_value_errors_on_one_line(error: Exception) -> None:
    assert isinstance(error, ValueError)
    assert "\n" not in str(error)


def test_a_refused_move_names_which_where_and_why() -> None:
    error = ERRORS[0]
    assert isinstance(error, w7.IllegalMoveError)
    assert (error.move_number, error.color, error.point, error.reason) == (2, w7.WHITE, (4, 4), "occupied")


def test_a_point_off_the_board_is_an_index_error_too() -> None:
    error = ERRORS[2]
    assert isinstance(error, w7.OffBoardError) and isinstance(error, IndexError)
    assert error.point == (9, 0)


@in_groups("code", PROBLEM_CODES, ids=lambda code: code.name)
def test_each_code_has_its_exception(code) -> None:
    error = record_error(problem(code.name))
    assert isinstance(error, w7.RecordSyntaxError) == isinstance(error, json.JSONDecodeError) == code.syntax
    assert isinstance(error, w7.LimitError) == code.limit
    assert (error.code, error.offset, error.line, error.column, error.path) == (code.name, 7, 2, 3, "$.tree")
    assert (error.clause, error.message) == ("3.1", "something is wrong")
    assert code.severity in (ERROR, WARNING) and code.summary


def test_a_syntax_error_fills_what_json_fills() -> None:
    error = ERRORS[5]
    assert isinstance(error, json.JSONDecodeError)
    assert (error.pos, error.lineno, error.colno) == (error.offset, error.line, error.column) == (1, 1, 2)


def test_an_error_names_its_source() -> None:
    assert str(ERRORS[8]).startswith("name.json: line 2, column 3, $.tree: error: ")


@pytest.mark.parametrize(
    ("name", "kind", "fields"),
    [
        ("_rebuild_illegal_position", w7.IllegalPositionError, {"point": (1, 2), "reason": "occupied"}),
        ("_rebuild_diagram", w7.DiagramError, {"line": 3, "column": 4}),
        ("_rebuild_training_file", w7.TrainingFileError, {"source": "a.npz", "row": 5, "place": "policy"}),
    ],
)
def test_pickles_of_0_1_0_have_fields_without_names(name, kind, fields):
    error = getattr(w7.errors, name)(kind, "it is wrong", *fields.values())
    assert type(error) is kind
    assert error.message == "it is wrong" if hasattr(error, "message") else str(error) == "it is wrong"
    assert {field: getattr(error, field) for field in fields} == fields


@in_groups(
    ("call", "text"),
    [
        (lambda: w7.dumps(None), r"expected a wei7core\.Game, not NoneType"),
        (lambda: w7.dumps("(;B[aa])"), r"expected a wei7core\.Game, not str"),
        (lambda: w7.replay(b"(;B[aa])", jobs="2"), "jobs is an integer, not '2'"),
        (lambda: w7.replay(b"(;B[aa])", jobs=1.5), r"jobs is an integer, not 1\.5"),
        (lambda: w7.Game(9, date=5), "a date is a text"),
        (lambda: w7.Game(9).set(5, 5), "the name of a property is a text, not 5"),
        (lambda: w7.Game(100).root.play({1, 2}), "a point is"),
        (lambda: w7.Game(100).root.play(b"A1"), "a point is"),
        (lambda: w7.LiveGame("9"), "expected an integer, not '9'"),
        (lambda: w7.LiveGame(9.0), r"expected an integer, not 9\.0"),
        (lambda: w7.LiveGame(9, clock=5), r"a clock is a wei7core\.TimeSetting, not 5"),
        (lambda: w7.LiveGame(9, info=5), r"info is a wei7core\.Info, not 5"),
    ],
)
def test_wrong_types_are_named(call, text) -> None:
    with pytest.raises(TypeError, match=text):
        call()
