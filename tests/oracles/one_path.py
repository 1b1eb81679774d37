"""What `replay` makes of records, by the readers that hold one record at a time."""

from __future__ import annotations

from collections import Counter

import wei7core as w7
from wei7core.batch.fallback import outcome_of, outcome_positions
from wei7core.batch.options import Options
from wei7core.sources.sources import Sources


def compare(inputs, *, jobs=1, **options):
    """Check rows, problems and positions of `inputs`; return the results."""
    found = w7.replay(inputs, jobs=jobs, **options)
    wanted = Options(**options)
    outcomes = [outcome_of(text, wanted) for text in Sources(inputs, limits=wanted.limits)]
    assert len(found) == len(outcomes)
    for row, outcome in zip(found, outcomes, strict=True):
        assert row == outcome.row, outcome.text.data
    assert found.problems == Counter((one.severity, one.code) for outcome in outcomes for one in outcome.problems)
    if wanted.positions:
        assert list(found.positions) == [row for outcome in outcomes for row in outcome_positions(outcome)]
    return found
