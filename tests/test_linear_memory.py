"""Memory in proportion to the input, whatever a hostile record is made of; a bound on the findings of one record.

`benchmarks/test_growth.py` measures the time of the same shapes.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Final

import pytest
from helpers import native
from helpers.linear_memory import CASES, TEXT, failures, traced
from helpers.uses import USES
from samples.hostile_shapes import TEXTS

import wei7core as w7
from wei7core.cli.arguments import _parser
from wei7core.formats.registry import FORMATS, detect_format

pytestmark = pytest.mark.exhaustive


def test_shapes_and_uses_are_those_of_every_format_command_and_function() -> None:
    assert len(TEXTS) >= 60
    formats = {detect_format(make(TEXT)) for make in TEXTS.values()}
    assert set(FORMATS) <= formats
    (commands,) = [action.choices for action in _parser("")._actions if isinstance(action.choices, dict)]
    # `explore` serves an index until it is stopped; it takes no record.
    assert {f"wei7core {name}" for name in commands} - {"wei7core explore"} <= set(USES)
    assert {use for _, use in CASES} == set(USES)


NO_COUNTS: Final = sys.platform == "win32" or bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
"""Whether PYTHONMALLOC=malloc is without effect."""


def measured(*arguments: str) -> str:
    """What `helpers.linear_memory` writes in a process whose memory is counted."""
    done = subprocess.run(
        [sys.executable, "-m", "helpers.linear_memory", str(native.built("counted_memory")), *arguments],
        cwd=Path(__file__).parent,
        env=native.environment() | {"PYTHONMALLOC": "malloc"},
        check=False,
        capture_output=True,
        text=True,
    )
    assert not done.stderr
    return done.stdout


@pytest.mark.parametrize("part", range(4))
def test_memory(part: int) -> None:
    if NO_COUNTS:
        assert not failures(CASES[part::4], traced)
    else:
        assert measured(str(part), "4") == ""


@pytest.mark.skipif(NO_COUNTS, reason="memory is traced here")
def test_memory_is_counted_as_it_is_traced() -> None:
    counted, wanted = map(int, measured().split())
    assert wanted <= counted <= 1.3 * wanted  # blocks have a multiple of 16 bytes


def test_memory_in_proportion_to_the_square_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(USES, "squares", lambda data: [bytes(len(data)) for _ in data[::64]])
    (found,) = failures([("semicolons", "squares")], traced)
    assert found.startswith("semicolons, squares: ")


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
