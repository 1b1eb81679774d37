"""Limits are numbers from 0, and reaching one is a located error of its own code."""

from dataclasses import fields

import pytest

import wei7core as w7

MOVE = b'{"action":{"type":"move","value":{"color":1,"point":{"x":%d,"y":0}}}}'
TEXT = b'{"format":"wei7","version":"3.0","tree":{"steps":[%s],"branches":[{}]}}' % b",".join(
    MOVE % x for x in range(9)
)


@pytest.mark.parametrize("name", [item.name for item in fields(w7.Limits)])
def test_a_limit_is_not_negative(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        w7.Limits(**{name: -1})


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
