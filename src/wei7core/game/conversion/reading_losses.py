"""Uncertain readings of a text: a conversion makes them permanent, so that each is a loss of every conversion."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ...errors import Problem
from ...formats.sgf.charset import DISAGREES, DOUBTFUL, EVIDENCE
from .report import Loss, LossReport


def reading_losses(problems: Iterable[Problem]) -> list[Loss]:
    """Return a loss for each problem of a record that concerns an uncertain reading of its text."""
    losses = LossReport()
    for problem in problems:
        if problem.code == "text-undecodable":
            losses.add("text-undecodable", problem.path, problem.message)
        elif problem.code in _CHARSET and (problem.message.endswith(DOUBTFUL) or DISAGREES in problem.message):
            losses.add("charset-doubtful", problem.path, problem.message)
    return losses.losses()


_CHARSET: Final = ("charset-assumed", "charset-contradicted", "charset-unknown")


def is_reading_loss(code: str, evidence: int) -> bool:
    """Return whether a problem of that code and evidence of an encoding (an index of `EVIDENCE`) is a loss.

    `charset-assumed` is also one where records of a file disagree.
    """
    return code == "text-undecodable" or (code in _CHARSET and EVIDENCE[evidence] in DOUBTFUL)
