"""Whether whole processes are measured right: on few records, so nothing here is timed.

python -m benchmarks --rows whole jobs growth peak
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import scale
import whole_process

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no peak memory of children")

RECORDS = 60


def test_figures() -> None:
    """The outputs are compared, and their rows counted, by what makes the figures."""
    figures = whole_process.figures(records=RECORDS, rounds=1)
    assert all(value > 0 for value, _ in figures.values())
    assert {name for name, _ in figures.items()} == {
        "whole process, one job", "whole process, two jobs", "in process", *whole_process.IN_PROCESS_WAYS,
        "whole process, 10 GB, one job", "whole process, 10 GB, two jobs", "peak memory, 1 GB", "peak memory, 10 GB",
    }  # fmt: skip


def test_a_wrong_number_of_rows_is_an_error(tmp_path: Path) -> None:
    source = whole_process.generate(tmp_path, RECORDS)
    with pytest.raises(RuntimeError, match=f"{RECORDS} rows"):
        whole_process.speeds(source, RECORDS + 1, tmp_path, rounds=1)


def test_a_record_with_an_error_is_one(tmp_path: Path) -> None:
    source = tmp_path / "broken.jsonl"
    source.write_text('{"format":"wei7"\n')
    with pytest.raises(RuntimeError, match="status 1"):
        whole_process.replay(source, tmp_path / "rows.csv")


def test_peak_memory_is_that_of_the_process() -> None:
    """And not of this one, which is larger than an empty one."""
    small = whole_process.run([sys.executable, "-c", ""])
    large = whole_process.run([sys.executable, "-c", "data = bytes(range(256)) * 400_000"])
    assert small.peak < 20e6
    assert large.peak - small.peak > 100e6


@pytest.mark.parametrize("shape", scale.LAYOUTS)
def test_scale(shape: str) -> None:
    """Records through a pipe; the rows are counted by what makes the report."""
    assert scale.report(RECORDS, shape, jobs=2).startswith(f"{RECORDS} records of {shape}, --jobs 2: ")
