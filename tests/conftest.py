"""Hypothesis profiles: `dev`, `ci` (the same examples every time), `sanitize` (few, for slow builds).

WEI7CORE_HYPOTHESIS chooses one.
"""

import gc
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=SLOW)
settings.register_profile("sanitize", deadline=None, derandomize=True, max_examples=15, suppress_health_check=SLOW)
settings.load_profile(os.environ.get("WEI7CORE_HYPOTHESIS", "dev"))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Spare the collector of garbage the thousands of tests, which live as long as the process."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def heeds_interrupts():
    """Shells start jobs in the background with the signal ignored, and children would inherit that."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
