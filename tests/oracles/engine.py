"""Rows that the batch engine makes of texts in memory, compared with records decoded and replayed one by one."""

from __future__ import annotations

import itertools

import numpy as np

from wei7core._util.cpu import ISA
from wei7core.batch._engine import replay_block, row_type
from wei7core.formats.registry import id_in, record_id
from wei7core.formats.sgf import decode as sgf
from wei7core.formats.wei7 import decode as wei7
from wei7core.limits import DEFAULT_LIMITS
from wei7core.replaying.replay import replay_record

DECODERS = {
    "wei7": lambda data, limits: wei7.decode(data, limits=limits),
    "wei7-rev2": lambda data, limits: wei7.decode(data, revision=2, limits=limits),
    "sgf": lambda data, limits: sgf.decode(data, limits=limits),
}
FIGURES = ("moves", "passes", "takebacks", "suicides", "ko_recaptures", "black_captured", "white_captured")
FIGURES += ("hash", "canonical_hash")


OF_BLOCKS = ("id_size", "charset", "lacks", "is_raw_name", "problems")


def replay_texts(texts, formats, *, board=False, limits=DEFAULT_LIMITS, isa=ISA):
    """Return (rows, letters) of `texts`, each in its format: a block for each run of one format."""
    pieces = []
    for format, numbers in itertools.groupby(range(len(texts)), lambda number: formats[number]):
        some = [texts[number] for number in numbers]
        ends = np.cumsum([len(text) for text in some], dtype=np.int64)
        begins = ends - [len(text) for text in some]
        first = 0
        while first < len(some):
            pieces.append(
                replay_block(b"".join(some), begins, ends, format, first=first, board=board, limits=limits, isa=isa)
            )
            first += pieces[-1].records
    rows = np.concatenate([np.empty(0, row_type()), *[piece.rows for piece in pieces]])
    columns = [name for name in rows.dtype.names if name not in OF_BLOCKS]
    return rows[columns], b"".join([piece.letters for piece in pieces]) if board else None


def compare(texts, formats, limits=DEFAULT_LIMITS):
    """Check every row and return which of the texts were deferred."""
    rows, letters = replay_texts(texts, formats, board=True, limits=limits)
    assert len(rows) == len(texts)
    place = 0
    for row, text, name in zip(rows, texts, formats, strict=True):
        record = DECODERS[name](text, limits)
        replayed = replay_record(record, limits=limits)
        if row["is_deferred"]:
            assert replayed.problems or not len(record.trees) or (name == "sgf" and not is_ascii(text))
            assert {row[other].item() for other in rows.dtype.names} == {0, True}
            continue
        assert replayed.problems == ()
        assert {figure: row[figure].item() for figure in FIGURES} == {
            figure: getattr(replayed, figure) for figure in FIGURES
        }
        assert (row["width"], row["height"]) == (record.width, record.height)
        assert name_of(row, text, record.format) == record_id(record)
        end = place + record.width * record.height
        assert letters[place:end].decode() == replayed.position
        place = end
    assert place == len(letters)
    return rows["is_deferred"].tolist()


def is_ascii(text):
    """Whether there can be no doubt about the encoding."""
    return text.isascii() and b"\0" not in text


def name_of(row, text, format):
    """What the record is called, or None."""
    return None if row["name_begin"] < 0 else id_in(format, text[row["name_begin"] : row["name_end"]])
