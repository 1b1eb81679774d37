"""Memory in proportion to the input, whatever a hostile record is made of; a bound on the findings of one record.

`benchmarks/test_growth.py` measures the time of the same shapes.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import pytest
from helpers.uses import USES
from samples.hostile_shapes import TEXTS

import wei7core as w7
from wei7core.cli.arguments import _parser
from wei7core.errors import Wei7Error
from wei7core.formats.registry import FORMATS, detect_format

pytestmark = pytest.mark.exhaustive

MOST: Final = 2.6
"""The factor by which twice the input may raise the memory."""
LEAST_BYTES: Final = 1 << 19
"""Less memory than this is not compared: blocks that are allocated once would decide."""
TEXT: Final = 6_000
"""About how many bytes the smaller text of a shape has."""
DEEP: Final = [shape for shape in TEXTS if any(word in shape for word in ("deep", "nested", "setups", "attributes"))]


def peak(use: Callable[[bytes], object], data: bytes) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        with suppress(Wei7Error, ValueError):
            use(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# Each shape with a use in turn, so that each use has a shape, and the deep ones with what is most at risk.
CASES: Final = [(shape, use) for shape in DEEP for use in ("positions", "check by rules")] + [
    (shape, list(USES)[row % len(USES)]) for row, shape in enumerate(TEXTS)
]


def test_shapes_and_uses_are_those_of_every_format_command_and_function() -> None:
    assert len(TEXTS) >= 60
    formats = {detect_format(make(TEXT)) for make in TEXTS.values()}
    assert set(FORMATS) <= formats
    (commands,) = [action.choices for action in _parser("")._actions if isinstance(action.choices, dict)]
    # `explore` serves an index until it is stopped; it takes no record.
    assert {f"wei7core {name}" for name in commands} - {"wei7core explore"} <= set(USES)
    assert {use for _, use in CASES} == set(USES)


@pytest.mark.parametrize(("shape", "use"), CASES)
def test_memory(shape: str, use: str) -> None:
    second = peak(USES[use], TEXTS[shape](2 * TEXT))
    if second <= LEAST_BYTES:
        return
    first = peak(USES[use], TEXTS[shape](TEXT))
    if second > MOST * first:
        first, second = second, peak(USES[use], TEXTS[shape](4 * TEXT))
    assert second <= MOST * first


def test_a_record_of_many_findings_is_cut_and_the_others_go_on() -> None:
    data = TEXTS["one color"](40_000)
    limits = w7.Limits(max_findings=50)
    findings = list(w7.check([data, data, b"(;SZ[9];B[aa];B[bb])"], limits=limits))
    for record in (0, 1):
        of_one = [finding for finding in findings if finding.record == record or finding.source.endswith(f"{record}")]
        assert len([finding for finding in of_one if finding.code == "turn-order"]) <= 51
    cut = [finding for finding in findings if finding.evidence.get("limit") == "max_findings"]
    assert [finding.code for finding in cut] == ["record-limit", "record-limit"]
    assert "more than 50 findings" in cut[0].message
    assert cut[0].offset >= max(one.offset for one in findings if one.source == cut[0].source and one is not cut[0])


def test_the_path_of_a_deep_branch_is_short_and_that_of_any_other_whole() -> None:
    def deep(depth: int) -> bytes:
        return b"(;SZ[19];B[aa]" + b"(;W[bb];B[cc]" * depth + b"(;B[aa];B[aa])" + b")" * depth + b")"

    longest = max(len(finding.branch or "") for finding in w7.check([deep(2000)]))
    assert longest < 500
    assert max((finding.branch or "" for finding in w7.check([deep(20)])), key=len) == ".".join("0" * 21)


def test_blocks_without_liberties_are_reported_once() -> None:
    """The step that took the last liberty reports it, and no later step."""
    text = b"(;SZ[5]AB[aa][cc]AW[ab];AW[ba];AB[ee];AB[de];AW[ea])"
    reported = [finding for finding in w7.check([text], severity="info") if finding.code == "setup-no-liberties"]
    assert [(finding.point, finding.color) for finding in reported] == [((0, 0), 1)]
