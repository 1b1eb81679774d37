"""Rows of records that end with an error: words are made when they are read, and are those of the slow readers."""

import json
import pickle
import random
import threading

import numpy as np
import pytest
from helpers.effort import every
from oracles.one_path import compare
from samples import sgf_mutations

import wei7core as w7
from wei7core.batch import failures, run
from wei7core.tables.columns import Texts

BLACK, WHITE = 1, 2


def move(color, x, y, **members):
    return {"action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": y}}}, **members}


GOOD = [move(BLACK, 0, 0), move(WHITE, 1, 1)]
BAD_STEPS = {
    "off board": move(BLACK, 7, 0),
    "off board, y": move(BLACK, 0, 9, comment="a]}\\"),
    "occupied": move(BLACK, 1, 1, point={"point": [1]}),
    "a number": 17,
    "a text": "}",
    "an array": [[], {"x": "]"}],
    "empty": {},
    "no value": {"action": {"type": "move"}},
    "no type": {"action": {"value": {"color": 1, "point": {"x": 7, "y": 0}}}},
    "unknown type": {"action": {"type": "\u56f4\u68cb", "value": None}},
    "wrong color": {"action": {"type": "move", "value": {"color": 3, "point": None}}},
    "wrong point": {"action": {"value": {"point": {"x": 1.5, "y": "\U0001f600" * 90}, "color": 1}, "type": "move"}},
    "takeback": {"action": {"type": "takeback", "value": 5}},
    "takeback of nothing": {"action": {"type": "takeback", "value": 0}},
    "unknown members": {"x": [{"y": "]"}], "action": {"type": "move", "value": {"color": 1, "x": 1}}},
}
SHAPES = {
    "as written": lambda document: json.dumps(document, ensure_ascii=False),
    "compact": lambda document: json.dumps(document, separators=(",", ":")),
    "spaced": lambda document: "\ufeff" + json.dumps(document, indent="\t").replace("\n", "\r\n"),
    "tree twice": lambda document: json.dumps(document).replace('"tree"', '"tree": {"steps": []}, "tree"', 1),
    "steps twice": lambda document: json.dumps(document).replace('"steps"', '"steps": [1, {}], "steps"', 1),
    "names escaped": lambda document: (
        json.dumps(document).replace('"tree"', '"tr\\u0065e"').replace("steps", "ste\\u0070s")
    ),
    "value escaped": lambda document: json.dumps(document).replace('"value"', '"v\\u0061lue"'),
}


def document(steps, **members):
    return {"format": "wei7", "version": "3.0", "size": 3, "tree": {"steps": steps}, **members}


def documents(bad):
    """The bad step in each place: at the start and the end, on branches, after another problem."""
    for steps in ([bad], [*GOOD, bad], [*GOOD, bad, *GOOD, bad]):
        yield document(steps, info={"id": "a"})
    yield document([move(BLACK, 2, 2, other=1), *GOOD, bad], x=[{"tree": {"steps": [1]}}])
    yield document(GOOD) | {"tree": {"steps": GOOD, "branches": [{"steps": [bad]}, {"steps": GOOD}]}}
    yield document(GOOD) | {"tree": {"branches": [3, {"steps": GOOD}, {"steps": [*GOOD, bad]}], "steps": GOOD}}
    yield document(GOOD) | {"tree": {"steps": bad}}
    yield document([*GOOD, bad], size={"width": 7, "height": 5})


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", every(3, BAD_STEPS))
def test_words_of_wei7_are_those_of_the_slow_reader(name, shape, tmp_path):
    texts = [SHAPES[shape](one).encode() for one in documents(BAD_STEPS[name])]
    compare(texts, board=True)
    compare(texts, revision=2)
    compare(texts[:3], positions=True)
    if b"\n" not in b"".join(texts):
        path = tmp_path / "games.jsonl"
        path.write_bytes(b"\n".join([*texts, *texts]))
        compare([path], jobs=2)


@pytest.mark.exhaustive
def test_words_of_damaged_records():
    chance = random.Random(24)
    texts = [SHAPES[shape](one).encode() for shape in SHAPES for bad in BAD_STEPS.values() for one in documents(bad)]
    compare([sgf_mutations.mutated(chance, chance.choice(texts)) for _ in range(2000)])
    sgf = "(;FF[4]GM[1]SZ[9]PB[\u9ed2];B[cc];W[1];B[zz](;W[aa];B[!!])(;W[]))".encode("gbk")
    compare([sgf_mutations.mutated(chance, sgf) for _ in range(2000)])


@pytest.fixture
def described(monkeypatch):
    """The sizes of the failures that were put into words."""
    found = []
    before = failures.Failures._described

    def described(self, texts):
        found.append(len(self.rows))
        return before(self, texts)

    monkeypatch.setattr(failures.Failures, "_described", described)
    return found


def failing(count):
    return [b"(;SZ[9]GN[%d];B[cc];W[1%d])" % (number, number) for number in range(count)]


def test_words_are_made_when_they_are_read_and_once(described):
    results = w7.replay(failing(20))
    assert results.error_count == 20
    assert results.error_codes == {"move-invalid": 20}
    assert results.data["error_offset"].to_list(0, 20) == [21 if k < 10 else 22 for k in range(20)]
    assert described == []
    assert [row.error_message for row in results] == [f"W[1{k}] is neither a point nor a pass" for k in range(20)]
    assert {row.error_path for row in results} == {"-;2.W"}
    assert sum(described) == 20


def test_tables_of_errors_are_copied_whole(described, tmp_path):
    results = w7.replay([*failing(3), b"(;SZ[9];B[aa])"])
    column = results.data["error_message"]
    copied = pickle.loads(pickle.dumps(column))
    assert copied.to_list(0, 4) == column.to_list(0, 4)
    assert results.nbytes > 0
    results.to_csv(tmp_path / "rows.csv")
    assert (tmp_path / "rows.csv").read_text().count("is neither a point nor a pass") == 3


def test_few_texts_are_held_for_words(described, monkeypatch):
    expected = list(w7.replay(failing(300)))
    described.clear()
    monkeypatch.setattr(run, "_MESSAGE_BYTES", 2000)
    results = w7.replay(failing(300), jobs=2)
    assert sum(described) > 100
    assert list(results) == expected
    assert sum(described) == 300


def test_batches_have_the_words_of_their_own_records():
    texts = failing(50)
    pieces = list(w7.replay_batches(texts, batch_size=7))
    assert [row for piece in pieces for row in piece] == list(w7.replay(texts))


def test_threads_read_the_same_words():
    results = w7.replay(failing(200))
    found = []

    def read():
        found.append([row.error_message for row in results])

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [found[0]] * 8
    assert None not in found[0]


def test_a_late_column_is_as_the_one_it_makes():
    whole = Texts.of(["a", None, "\u56f4"])
    late = Texts.late(3, lambda: whole)
    assert len(late) == 3
    assert late.to_list(0, 3) == ["a", None, "\u56f4"]
    assert np.array_equal(late.valid, whole.valid)
    joined = Texts.joined([Texts.late(3, lambda: whole), whole])
    assert joined.to_list(0, 6) == ["a", None, "\u56f4"] * 2
    assert Texts.late(3, lambda: whole).replaced(np.array([1]), ["b"]).to_list(0, 3) == ["a", "b", "\u56f4"]
