"""What `replay` makes of records, by the readers that hold one record at a time."""

from __future__ import annotations

from collections import Counter

import wei7core as w7
from oracles.board import OracleBoard
from wei7core.batch.options import Options
from wei7core.batch.results import METADATA_COLUMNS, position_row
from wei7core.batch.single_records import replay_raw_record
from wei7core.replaying.replay import pause_points
from wei7core.sources.sources import Sources


def compare(inputs, *, jobs=1, **options):
    """Check rows, problems and positions of `inputs`; return the results."""
    found = w7.replay(inputs, jobs=jobs, **options)
    wanted = Options(**options)
    outcomes = [replay_raw_record(text, wanted) for text in Sources(inputs, limits=wanted.limits)]
    assert len(found) == len(outcomes)
    names = [column.name for column in METADATA_COLUMNS]
    for row, outcome in zip(found, outcomes, strict=True):
        metadata = dict(zip(names, outcome.metadata or (None,) * len(names), strict=True)) if wanted.metadata else {}
        assert row._asdict() == outcome.row._asdict() | metadata, outcome.text.data
    assert found.problems == Counter((one.severity, one.code) for outcome in outcomes for one in outcome.problems)
    if wanted.positions:
        assert list(found.positions) == [row for outcome in outcomes for row in positions_of(outcome, wanted)]
    return found


def positions_of(outcome, options):
    """Yield the positions of one record, each of which is a board of its own."""
    if outcome.record is None:
        return
    row, record = outcome.row, outcome.record
    for pause in pause_points(record, limits=options.limits):
        x, y = pause.point or (None, None)
        place = (pause.branch, pause.step, pause.move_number, pause.color, x, y)
        least = ()
        if options.canonical:
            board = OracleBoard(record.width, record.height)
            points = ((k % record.width, k // record.width) for k in range(len(pause.position)))
            board.stones = {p: ".XO".index(c) for p, c in zip(points, pause.position, strict=True) if c != "."}
            least = (board.canonical_hash,)
        yield position_row(options.canonical)(row.source, row.record, *place, pause.hash, *least, pause.position)
