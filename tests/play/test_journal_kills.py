"""Journals of live games whose process is killed; `ci/kill` does the same many times more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.exhaustive, pytest.mark.skipif(not hasattr(os, "fork"), reason="forks and kills processes")]


def test_a_journal_is_whole_after_every_kill() -> None:
    # In a process of its own, for this one may have threads, which a fork does not take along.
    made = subprocess.run(
        [sys.executable, "-m", "helpers.journal_kills", "40"],
        cwd=Path(__file__).resolve().parent.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert (made.returncode, made.stdout) == (0, "40 kills\n"), made.stderr
