"""KataGo's analysis engine: positions of games judged in parallel, over its JSON protocol.

import wei7core as w7

async with w7.analysis.KataGo("katago analysis -config analysis.cfg -model model.bin.gz") as katago:
    for row in await katago.query(game, turns=[0, 50, 100]):
        print(row.turn, row.winrate, row.best)
    async for row in katago.analyze(games, every=10):
        print(row.game, row.turn, row.score_lead)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._util.lazy_import import lazy_attributes
from ...errors import EngineDiedError, EngineError, EngineTimeoutError
from ..evaluation import MoveInfo, Report

if TYPE_CHECKING:
    from ...game.analysis import Analysis
    from .annotation import annotate, game_columns
    from .katago import KataGo
    from .rows import Row, columns

__all__ = [
    "Analysis",
    "EngineDiedError",
    "EngineError",
    "EngineTimeoutError",
    "KataGo",
    "MoveInfo",
    "Report",
    "Row",
    "annotate",
    "columns",
    "game_columns",
]

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "annotation": ("Analysis", "annotate", "game_columns"),
        "katago": ("KataGo",),
        "rows": ("Row", "columns"),
    },
)
