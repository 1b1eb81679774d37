"""What the benchmarks share: lines printed below the table of timings."""

from __future__ import annotations

import pytest

LINES = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def summary(pytestconfig: pytest.Config) -> list[str]:
    """Return a list; the lines put there are printed when all benchmarks have run."""
    return pytestconfig.stash.setdefault(LINES, [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for line in config.stash.get(LINES, []):
        terminalreporter.write_line(line)
