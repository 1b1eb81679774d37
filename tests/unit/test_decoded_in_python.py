"""Records of formats whose decoders are in Python are replayed together as one by one, and moves read as one by one."""

import random
import re

import numpy as np
import pytest
from helpers.effort import first
from samples import server_texts

import wei7core as w7
from wei7core.batch._engine import replay_records
from wei7core.batch.options import COUNTED, Options
from wei7core.batch.single_records import positions_of_record, replay_raw_record
from wei7core.formats.registry import DECODED_IN_PYTHON, decode, detect_format
from wei7core.formats.servers import gib, move_lines, ngf, ugf
from wei7core.game.conversion.converting import encode_record
from wei7core.sources.sources import Sources

READERS = {"gib": gib, "ngf": ngf, "ugf": ugf}
PUT = [b"\r", b"\n", b" ", b"\t", b"0", b"9", b"A", b"W", b",", b"\xef\xbb\xbf", b";", b"<", b"&", b"@", b"\x0b"]


def damaged(chance: random.Random, text: bytes) -> bytes:
    """The text with one part missing, another one put in, or other line ends."""
    at = chance.randrange(len(text) + 1)
    way = chance.randrange(4)
    if way == 0:
        return text[:at] + chance.choice(PUT) + text[at:]
    if way == 1:
        return text[:at] + text[at + chance.choice([1, 3, 20]) :]
    if way == 2:
        return text[: max(at, 30)]
    return text.replace(b"\n", chance.choice([b"\r\n", b"\r", b" \n", b"\n\n"]))


@pytest.fixture(scope="module")
def texts() -> list[bytes]:
    chance = random.Random(23)
    made = [getattr(server_texts, name)(chance).encode() for name in ("gib", "ngf", "ugf", "ogs") for _ in range(12)]
    games = [
        b"(;SZ[9]PB[a]RE[B+2.5]%b)"
        % b"".join(
            b";%c[%c%c]" % (b"BW"[k % 2], chance.randrange(97, 106), chance.randrange(97, 106)) for k in range(30)
        )
        for _ in range(6)
    ]
    for name in ("wei7-2.2", "giseong"):
        for game in games:
            side = game if name == "wei7-2.2" else game.replace(b"SZ[9]", b"")
            made.append(encode_record(decode(side, "sgf"), name, ())[0])
    made += [damaged(chance, text) for text in made for _ in range(3)]
    return [text for text in made if detect_format(text) in DECODED_IN_PYTHON]


@pytest.mark.parametrize("strict", [False, True])
def test_together_as_one_by_one(texts, strict):
    assert {detect_format(text) for text in texts} == DECODED_IN_PYTHON
    found = w7.replay(texts, metadata=True, positions=True, board=True, strict=strict)
    options = Options(board=True, positions=True, strict=strict, metadata=True).for_replay()
    alone = [replay_raw_record(text, options) for text in Sources(texts)]
    rows = [tuple(row) for row in found]
    width = len(alone[0].row)
    assert [row[:width] for row in rows] == [tuple(outcome.row) for outcome in alone]
    assert [row[width:] for row in rows] == [outcome.metadata for outcome in alone]
    counts: dict[tuple[str, str], int] = {}
    for outcome in alone:
        for problem in outcome.problems:
            counts[problem.severity, problem.code] = counts.get((problem.severity, problem.code), 0) + 1
    assert found.problems == counts
    points = [len(positions_of_record(outcome, options)["step"]) for outcome in alone]
    assert np.bincount(found.positions.data["record"].values, minlength=len(texts)).tolist() == points


@pytest.mark.parametrize(("size", "jobs"), first(2, [(1, 1), (5, 2), (5, 1)], 2))
def test_batches_as_a_whole(texts, size, jobs):
    some = texts[::2]
    whole = w7.replay(some, metadata=True, positions=True, board=True)
    batches = list(w7.replay_batches(some, batch_size=size, jobs=jobs, metadata=True, positions=True, board=True))
    assert [len(batch) for batch in batches[:-1]] == [size] * (len(batches) - 1)
    assert [tuple(row) for batch in batches for row in batch] == [tuple(row) for row in whole]
    assert [tuple(row) for batch in batches for row in batch.positions] == [tuple(row) for row in whole.positions]


def test_more_positions_than_one_call_of_the_engine_holds():
    lines = b"".join(b"STO 0 %d %d %d %d\n" % (k + 2, 1 + k % 2, *divmod(k, 19)) for k in range(300))
    game = b"\\HS\n\\[GAMENAME=a\\]\n\\HE\n\\GS\n2 1 0\n302 0 &4\nINI 0 1 0 &4\n%b\\GE\n"
    count = 550  # of 300 positions each, which have 19 MB
    found = w7.replay([game % lines] * count, positions=True)
    assert found.to_numpy()["moves"].tolist() == [300] * count
    positions = found.positions.data
    assert np.bincount(positions["record"].values, minlength=count).tolist() == [300] * count
    hashes = positions["hash"].values.reshape(count, 300)
    assert (hashes == hashes[0]).all()


def test_what_is_no_record_is_refused(texts):
    record = decode(texts[0], detect_format(texts[0]))
    for other in (None, 1, texts[0]):
        with pytest.raises(TypeError):
            replay_records([record, other], counted=COUNTED)


@pytest.mark.parametrize("name", READERS)
def test_moves_read_together_as_alone(name, monkeypatch):
    chance = random.Random(5)
    made = [getattr(server_texts, name)(chance).encode() for _ in range(40)]
    made += [damaged(chance, text) for text in made for _ in range(5)]
    made += [
        re.sub(rb"(?m)^(STO.*|PM.*|[A-S]{2},.*)$", lambda line: b" " * chance.randrange(2) + line[1], text)
        for text in made[:20]
    ]
    together = [decode(text, name) for text in made]
    monkeypatch.setattr(READERS[name], "in_lines", lambda data, *_: move_lines.lines_of(data))
    for text, record in zip(made, together, strict=True):
        alone = decode(text, name)
        assert record.problems == alone.problems, text
        assert record.steps.tobytes() == alone.steps.tobytes(), text
        assert record.trees.tobytes() == alone.trees.tobytes(), text
