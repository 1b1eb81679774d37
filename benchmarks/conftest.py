"""What the benchmarks share: lines printed below the table of timings, and the choice of some by their names."""

from __future__ import annotations

import gc
import os
import sys

import games
import pytest

gc.disable()  # while tests are collected, which are no garbage

# Containers often have it set; processes that are timed from start to exit would compile all that they import.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

UNTIMED_GAMES = 100
"""Generated games if nothing is timed: enough to check the results."""

UNTIMED = "UNTIMED"
"""The constants that a module of benchmarks replaces if nothing is timed: a dictionary in it."""

NAMED = "--named"
LINES = pytest.StashKey[list[str]]()


@pytest.fixture(scope="session")
def summary(pytestconfig: pytest.Config) -> list[str]:
    """Return a list; the lines put there are printed when all benchmarks have run."""
    return pytestconfig.stash.setdefault(LINES, [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for line in config.stash.get(LINES, []):
        terminalreporter.write_line(line)


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("benchmark_disable", False):
        games.GENERATED_GAMES = UNTIMED_GAMES
    else:
        os.environ.setdefault("CFLAGS", "-O2")  # of the extensions of tests, which need no optimisation


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare the collector of garbage, which tests of growth call before each of their runs, the modules and tests."""
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(NAMED, action="append", metavar="TEST", help="run only this benchmark; may be given again")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("benchmark_disable", False):
        for module in {item.module for item in items if isinstance(item, pytest.Function)}:
            vars(module).update(vars(module).get(UNTIMED, {}))
    if named := config.getoption(NAMED):
        deselected = [item for item in items if item.name not in named]
        items[:] = [item for item in items if item.name in named]
        config.hook.pytest_deselected(items=deselected)
