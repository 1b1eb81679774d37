"""Codes of findings in training rows, which are stable, and findings as rows of a table."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from .._util.lazy_numpy import Array
from ..tables.columns import columns_for
from ..tables.table import Table

Severity = Literal["warning", "error"]


@dataclass(frozen=True, slots=True)
class RowCode:
    """One kind of finding: its meaning and usual causes."""

    name: str
    severity: Severity
    summary: str
    causes: str


ROW_CODES: Final = {
    code.name: code
    for code in (
        RowCode(
            "row-shape",
            "error",
            "an array has a shape or type other than that of the layout",
            "a policy without the pass, channels last, rows of different batches",
        ),
        RowCode(
            "row-planes-value",
            "error",
            "a plane holds something else than 0 and 1",
            "planes that were scaled or averaged, uninitialised memory",
        ),
        RowCode(
            "row-planes-overlap",
            "error",
            "a point has a stone of each side",
            "planes of two positions in one row, a captured stone that was not removed",
        ),
        RowCode(
            "row-off-board",
            "error",
            "a stone is outside of the board, or the board is not a rectangle in the upper left corner",
            "a board that is smaller than the arrays and was put into them at another place",
        ),
        RowCode(
            "row-block-without-liberties",
            "error",
            "a block has no liberty, which no game reaches",
            "captures that were not carried out, bits shifted by one, a wrong width",
        ),
        RowCode(
            "row-unknown-position",
            "warning",
            "the row names a game or a move number that is not there, so that nothing can be compared",
            "games in another order, move numbers counted from 1",
        ),
        RowCode(
            "row-planes-mismatch",
            "error",
            "the planes do not show the position of the game",
            "rows of another move or game, captures that were not carried out",
        ),
        RowCode(
            "row-symmetry",
            "error",
            "the planes show the position turned or mirrored",
            "rows counted from the bottom, x and y exchanged, a symmetry applied to planes and not to the policy",
        ),
        RowCode(
            "row-side-to-move",
            "error",
            "the other side is to move",
            "own and opponent exchanged, black and white instead of own and opponent, colors counted from 0",
        ),
        RowCode(
            "row-history",
            "error",
            "no single move leads from an earlier position to the next one, or it is not that of the game",
            "planes of history in another order, own and opponent not exchanged with the side to move",
        ),
        RowCode(
            "row-ko-plane",
            "error",
            "the ko plane marks a point that no ko forbids, or lacks one",
            "the ko of the position before, a plane that is never cleared",
        ),
        RowCode(
            "row-legal-mask",
            "error",
            "the mask of legal moves differs from the rules",
            "another rule for suicide or ko, the mask of another position",
        ),
        RowCode(
            "row-policy-not-finite",
            "error",
            "the policy has a NaN or an infinity",
            "visits divided by 0 where a search had none",
        ),
        RowCode("row-policy-negative", "error", "the policy has a negative number", "logits, integers that overflowed"),
        RowCode(
            "row-policy-not-normalised",
            "error",
            "the policy does not sum to 1, or visits sum to 0",
            "visits stored as probabilities, a missing pass, rounding",
        ),
        RowCode(
            "row-policy-on-illegal",
            "error",
            "the policy gives mass to a point where the side to move may not play",
            "planes and policy of different positions or symmetries, another rule for suicide or ko",
        ),
        RowCode(
            "row-value-range",
            "error",
            "a value is not a finite number from -1 to 1",
            "win rates in per cent, scores in place of values",
        ),
        RowCode(
            "row-value-sign",
            "error",
            "the outcome of a row does not agree with the result of its game",
            "an outcome from the point of view of Black, or of the side that moved",
        ),
    )
}
"""Every code, by name, in the order of the findings of one row."""

_ORDER: Final = {name: number for number, name in enumerate(ROW_CODES)}


class RowFinding(NamedTuple):
    """One finding in one row.

    `row` counts from 0 inside `source`, or over all rows of the check without one; it is None for a whole batch. `x`
    and `y` are the point concerned, if any, from the upper left. `evidence` is a JSON object: what was found and what
    was expected.
    """

    code: str
    severity: str
    source: str | None
    row: int | None
    x: int | None
    y: int | None
    message: str
    evidence: str


ROW_FINDING_COLUMNS: Final = columns_for(RowFinding, x="int32", y="int32")
"""The columns of a list of findings, in order."""


class RowFindings(Table):
    """The findings of a check of training rows: a `RowFinding` each, by rows.

    `rows` is the number of rows checked; `counts` has the number of findings of each code, including those not listed.
    Thread safety: frozen; threads may share it.
    """

    def __init__(self, findings: Iterable[RowFinding], rows: int, counts: Mapping[str, int]) -> None:
        table = Table.from_rows(ROW_FINDING_COLUMNS, findings, RowFinding)
        super().__init__(table.columns, table.data, RowFinding)
        self.rows = rows
        self.counts = {code: counts[code] for code in ROW_CODES if code in counts}


def chosen(select: Collection[str] | None, ignore: Collection[str]) -> frozenset[str]:
    """Return the codes to look for; raises `ValueError` for names that are none."""
    for names in (select or (), ignore):
        if isinstance(names, str):
            raise ValueError(f"codes come as a list, not as the text {names!r}")
        if unknown := sorted(set(names) - set(ROW_CODES)):
            raise ValueError(f"unknown code {', '.join(unknown)} (choose from {', '.join(ROW_CODES)})")
    return frozenset(ROW_CODES if select is None else select) - frozenset(ignore)


Described: TypeAlias = "tuple[str, dict[str, Any]]"


class Collector:
    """Gathers findings: the first `most` with their texts, all as counts."""

    def __init__(self, wanted: Collection[str], most: int) -> None:
        self.wanted = frozenset(wanted)
        self.most = most
        self.counts: Counter[str] = Counter()
        self.findings: list[RowFinding] = []
        self.source: str | None = None
        self.first_row = 0
        self._part: list[tuple[int, int, RowFinding]] = []

    def wants(self, *codes: str) -> bool:
        """Whether any of the codes is selected."""
        return not self.wanted.isdisjoint(codes)

    def add(
        self,
        code: str,
        places: Array,
        describe: Callable[[int], Described],
        points: tuple[Array, Array] | None = None,
    ) -> None:
        """Add a finding for each row of the current part in `places`.

        `describe(k)` gives message and evidence of the one at `places[k]`; `points` are their x and y, -1 where there
        is none.
        """
        if code not in self.wanted or not len(places):
            return
        self.counts[code] += len(places)
        severity = ROW_CODES[code].severity
        for k in range(min(len(places), self.most - len(self.findings))):
            x, y = (None, None) if points is None or points[0][k] < 0 else (int(points[0][k]), int(points[1][k]))
            message, evidence = describe(k)
            number = self.first_row + int(places[k])
            row = RowFinding(code, severity, self.source, number, x, y, message, _as_json(evidence))
            self._part.append((int(places[k]), _ORDER[code], row))

    def add_whole(self, code: str, message: str, evidence: dict[str, Any]) -> None:
        """Add a finding that concerns all rows of the current batch."""
        if code in self.wanted:
            self.counts[code] += 1
            severity = ROW_CODES[code].severity
            row = RowFinding(code, severity, self.source, None, None, None, message, _as_json(evidence))
            self._part.append((-1, _ORDER[code], row))

    def end_part(self) -> None:
        """Append the findings of the part, by rows."""
        self._part.sort(key=lambda entry: entry[:2])
        self.findings += [row for _, _, row in self._part[: self.most - len(self.findings)]]
        self._part.clear()


def _as_json(evidence: dict[str, Any]) -> str:
    """Numbers that JSON lacks become texts."""
    plain = {
        name: str(value) if isinstance(value, float) and not np.isfinite(value) else value
        for name, value in evidence.items()
    }
    return json.dumps(plain, ensure_ascii=False)
