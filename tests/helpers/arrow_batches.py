"""Columns of records in every type that Arrow has for them, and the rows that wei7core.replay gives for each value."""

import gzip
import json

from samples.batch_texts import BAD, GOOD, move, text

import wei7core
from wei7core.batch.results import ReplayRow

SGF = b"(;GM[1]SZ[5]GN[one];B[aa];W[bb](;B[cc])(;B[dd];W[tt]))"
VALUES = [
    SGF,
    GOOD,
    None,
    BAD,
    json.dumps(json.loads(GOOD), indent=2).encode(),
    b"\n" + SGF,
    b"",
    b"nothing",
    "(;CA[UTF-8]SZ[3]GN[围棋];B[aa])".encode(),
    "(;SZ[3]GN[围棋];B[aa])".encode("gb18030"),
    SGF.decode().encode("utf-16"),
    gzip.compress(SGF, mtime=0),
    b"(;SZ[3];B[aa];W[aa])",
    b"{nonsense",
    text(*[move(1 + k % 2, k, 0) for k in range(9)], size=9),
    SGF.replace(b"one", b"two"),
]
"""Formats mixed, good, bad and missing: all but the missing one are one record for `wei7core.replay` as well."""

NOT_UTF8 = (9, 10, 11)
"""Those of `VALUES` that no column of strings can hold."""


def expected(values, **options):
    """The rows of `replay`, called with one value at a time."""
    rows = []
    for number, value in enumerate(values):
        if value is None:
            figures = (0,) * 7
            error = ("format-unknown", 0, "$", "no record: the value is null")
            row = ReplayRow("<bytes>", 0, None, None, None, None, *figures, None, None, None, 1, *error)
        else:
            (row,) = wei7core.replay([value], **options)
        rows.append(row._replace(source="<bytes>", record=number))
    return rows


def rows_of(batch):
    """The rows of a batch as `ReplayRow`."""
    rows = []
    for values in batch.to_pylist():
        values.setdefault("board", None)
        rows.append(ReplayRow(**values))
    return rows
