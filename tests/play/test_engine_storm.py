"""A short run of `helpers.engine_storm`, which runs 10,000 events by itself."""

import os

import pytest
from helpers.asynchronous import run_async
from helpers.engine_storm import storm

pytestmark = pytest.mark.exhaustive


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@run_async
async def test_kills_and_timeouts_leave_nothing_behind():
    counts = await storm(150, seed=7)
    assert counts["timeout"]
    assert counts["answer"]
