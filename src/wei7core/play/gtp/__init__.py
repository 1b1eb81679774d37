"""The Go Text Protocol, version 2, both ends: `Engine` answers commands, `Client` runs an engine and sends them.

    import wei7core as w7

    async with w7.gtp.Client("gnugo --mode gtp", timeout=60) as client:
        print(await client.send("genmove b"))

An analysis consists of `Report` and `MoveInfo`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._util.lazy_import import lazy_attributes
from ...board.handicap import fixed_handicap
from ...errors import CommandError, EngineDiedError, EngineError, EngineTimeoutError
from ..evaluation import MoveInfo, Report

if TYPE_CHECKING:
    from .client import Client
    from .engine import AnalyzeRequest, Engine

__all__ = [
    "AnalyzeRequest",
    "Client",
    "CommandError",
    "Engine",
    "EngineDiedError",
    "EngineError",
    "EngineTimeoutError",
    "MoveInfo",
    "Report",
    "fixed_handicap",
]

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "client": ("Client",),
        "engine": ("AnalyzeRequest", "Engine"),
    },
)
