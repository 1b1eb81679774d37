"""Many small cases in few tests: thousands of tests cost pytest more than what they check."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest

Check = Callable[..., None]
PER_TEST = 50


def in_groups(
    names: str | tuple[str, ...], cases: Iterable[Any], ids: Iterable[str] | Callable[[Any], str] | None = None
) -> Callable[[Check], Check]:
    """`pytest.mark.parametrize` with many cases in one test.

    Every case runs. Where some fail, the message names them, and the first failure is the cause. Fixtures are those of
    the group: cases must not leave anything in them.
    """
    names = (names,) if isinstance(names, str) else names
    named = list(_named(list(cases), ids, len(names)))
    groups = [named[begin : begin + PER_TEST] for begin in range(0, len(named), PER_TEST)]

    def decorate(check: Check) -> Check:
        @functools.wraps(check)
        def test(group: list[tuple[str, tuple[Any, ...]]], **fixtures: Any) -> None:
            failed: dict[str, BaseException] = {}
            for name, values in group:
                try:
                    check(**dict(zip(names, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    failed[name] = error
            if failed:
                message = f"{len(failed)} of {len(group)} cases failed: {', '.join(failed)}"
                raise AssertionError(message) from next(iter(failed.values()))

        signature = inspect.signature(check)
        fixtures = [parameter for name, parameter in signature.parameters.items() if name not in names]
        group = inspect.Parameter("group", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        test.__signature__ = signature.replace(parameters=[group, *fixtures])  # type: ignore[attr-defined]
        return pytest.mark.parametrize("group", groups, ids=range(len(groups)))(test)

    return decorate


def _named(
    cases: list[Any], ids: Iterable[str] | Callable[[Any], str] | None, width: int
) -> Iterable[tuple[str, tuple[Any, ...]]]:
    listed = None if ids is None or callable(ids) else list(ids)
    for number, case in enumerate(cases):
        param = case if isinstance(case, type(pytest.param())) else None
        values = param.values if param is not None else tuple(case) if width > 1 else (case,)
        name = (
            ids(values[0]) if callable(ids) else listed[number] if listed else param.id if param is not None else None
        )
        yield str(name or f"{number}: {values!r}"[:300]), values
