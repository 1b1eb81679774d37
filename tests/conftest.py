"""Hypothesis profiles: `quick` (the default), `dev` (100 examples), `ci` (as many, the same ones every time),
`sanitize` (few, for slow builds). WEI7CORE_HYPOTHESIS chooses one.
"""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress

import pytest
from helpers.native import shared_folder
from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("quick", deadline=None, max_examples=15)
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=SLOW)
settings.register_profile("sanitize", deadline=None, derandomize=True, max_examples=15, suppress_health_check=SLOW)
settings.load_profile(os.environ.get("WEI7CORE_HYPOTHESIS", "quick"))


# The modules and tests that a collection makes are no garbage, and looking through them takes a sixth of its time.
gc.disable()

# Containers often have it set. Each worker, and each of the processes that tests start, would compile all it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def pytest_configure(config: pytest.Config) -> None:
    """With pytest-xdist, keep the tests of a file together while there is work: they share what they have made."""
    if getattr(config.option, "dist", "no") == "load":
        config.option.dist = "worksteal"
        shared_folder()


def _is_second_worker() -> bool:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    return worker.isdigit() and int(worker) % 2 == 1


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Let every second worker import a folder's modules from the last one.

    Each worker needs all of them, with their assertions rewritten, which takes most of the time of a collection: so it
    finds half of them done by another worker.
    """
    report = yield
    if isinstance(collector, pytest.Directory) and _is_second_worker():
        for module in reversed(report.result):
            if isinstance(module, pytest.Module):
                with suppress(Exception, pytest.skip.Exception, pytest.Collector.CollectError):
                    module.obj  # noqa: B018 - imports it; what it raises is raised again when its turn comes
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems() -> None:
    """Let every second worker read the constants of the package, which Hypothesis tries, from the last module.

    Hypothesis parses every module of it in the first run, and keeps what it finds in files for the other processes.
    """
    if _is_second_worker():
        with suppress(Exception):  # a function inside Hypothesis
            from hypothesis.internal.constants_ast import constants_from_module

            for name in reversed([name for name in sys.modules if name.startswith("wei7core.")]):
                constants_from_module(sys.modules[name])


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare the collector of garbage the thousands of tests, which live as long as the process."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def heeds_interrupts():
    """Shells start jobs in the background with the signal ignored, and children would inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def no_rich(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the optional package rich be absent."""
    monkeypatch.setitem(sys.modules, "rich.console", None)
