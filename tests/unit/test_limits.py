"""Limits are numbers from 0, and reaching one is a located error of its own code."""

import copy
import dataclasses
import pickle
from dataclasses import fields

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.replaying.replay import pause_points, pause_points_size

MOVE = b'{"action":{"type":"move","value":{"color":1,"point":{"x":%d,"y":0}}}}'
TEXT = b'{"format":"wei7","version":"3.0","tree":{"steps":[%s],"branches":[{}]}}' % b",".join(
    MOVE % x for x in range(9)
)


@in_groups("name", [item.name for item in fields(w7.Limits)])
def test_a_limit_is_not_negative_and_fits_64_bits(name: str) -> None:
    for value in (-1, 1 << 63, 1 << 80):
        with pytest.raises(ValueError, match=name):
            w7.Limits(**{name: value})
    assert w7.replay(b"(;B[aa])", limits=w7.Limits(**{name: (1 << 63) - 1}))[0].error is None


@pytest.mark.parametrize(
    ("limits", "code", "path"),
    [
        (w7.Limits(max_bytes=len(TEXT) - 1), "limit-bytes", "$"),
        (w7.Limits(max_steps=8), "limit-steps", "$.tree.steps[8]"),
        (w7.Limits(max_depth=3), "limit-depth", "$.tree.branches[0]"),
        (w7.Limits(max_points=360), "board-size-unsupported", "$"),
        (w7.Limits(max_moves=8), "limit-replay", "$.tree.steps[8]"),
    ],
    ids=lambda value: str(value) if isinstance(value, str) else "",
)
def test_reaching_a_limit_is_an_error_with_its_place(limits: w7.Limits, code: str, path: str) -> None:
    with pytest.raises(w7.LimitError) as caught:
        w7.loads(TEXT, limits=limits)
    assert (caught.value.code, caught.value.path) == (code, path)
    assert not caught.value.clause
    w7.loads(TEXT)


def test_the_list_of_problems_ends_by_saying_so() -> None:
    text = b'{"format":"wei7","version":"3.0","tree":{%s}}' % b",".join(b'"x%d":1' % k for k in range(50))
    problems = w7.loads(text, strict=False, limits=w7.Limits(max_problems=10)).problems
    assert [problem.code for problem in problems] == ["unknown-member"] * 10 + ["limit-problems"]


def test_positions_that_would_fill_the_disk_are_refused_with_their_row() -> None:
    limits = w7.Limits(max_positions=9 * 361)
    assert len(w7.replay(TEXT, positions=True, limits=limits).positions) == 9
    results = w7.replay([TEXT, TEXT], positions=True, limits=w7.Limits(max_positions=9 * 361 - 1))
    assert [(row.error, row.moves, row.problems) for row in results] == [("limit-positions", 9, 1)] * 2
    assert len(results.positions) == 0
    assert not w7.replay(TEXT, limits=w7.Limits(max_positions=0)).errors


@pytest.mark.parametrize("depth", [1, 12, 300])
def test_the_size_of_positions_is_never_less_than_they_take(depth: int) -> None:
    branches = b'{"branches":[' + b"{}," * 11
    text = b'{"format":"wei7","version":"3.0","size":2,"tree":%s{"pre":{},"steps":[%s]}%s}' % (
        branches * depth,
        MOVE % 1,
        b"]}" * depth,
    )
    record = w7.loads(text).record
    assert record is not None
    taken = sum(len(point.branch) + len(point.position) for point in pause_points(record))
    assert taken <= pause_points_size(record) <= taken + 2


def test_defaults_change_only_on_purpose():
    """Records that were read yesterday are read tomorrow."""
    assert dataclasses.asdict(w7.Limits()) == {
        "max_bytes": 2**30,
        "max_steps": 50_000_000,
        "max_depth": 100_000_000,
        "max_points": 2048 * 2048,
        "max_moves": 2**28,
        "max_problems": 10_000,
        "max_findings": 10_000,
        "max_positions": 2**30,
        "max_expansion": 1000,
    }


def test_limits_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        w7.Limits().max_bytes = 1
    assert not hasattr(w7.Limits(), "__dict__")


def test_limits_show_what_is_not_the_default() -> None:
    assert repr(w7.Limits()) == "Limits()"
    limits = w7.Limits(max_moves=5, max_depth=7)
    assert repr(limits) == "Limits(max_depth=7, max_moves=5)"
    assert pickle.loads(pickle.dumps(limits)) == copy.deepcopy(limits) == limits


@pytest.mark.parametrize(
    "call",
    [
        lambda: w7.loads(b"(;SZ[9])", limits=3),
        lambda: list(w7.loads_all(b"(;SZ[9])", limits=3)),
        lambda: w7.replay(b"(;SZ[9])", limits=3),
        lambda: list(w7.check(b"(;SZ[9])", limits=3)),
    ],
)
def test_limits_of_another_type_are_refused_at_once(call):
    with pytest.raises(TypeError, match="limits= takes a Limits, not 3"):
        call()
