"""Any texts: what C says of a game and its text is what the definitions say, with every instruction set."""

import json

import numpy as np
from helpers.effort import chances, examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.engine import DECODERS
from oracles.summaries import game_facts as expected_of
from oracles.summaries import is_plain, main_line, text_keys
from samples.mixed_texts import texts

import wei7core
from wei7core._util.cpu import ISAS
from wei7core.batch import _engine as bulk
from wei7core.batch import summaries as kernel_facts

NUMBERS = [("portable", "avx2", "avx512bw", "avx512").index(name) for name in ISAS]


def block_facts(chosen, name, isa):
    """The piece of some texts of one format, each after a byte that belongs to none."""
    data = b"".join(b" " + text for text in chosen)
    ends = np.cumsum([len(text) + 1 for text in chosen], dtype=np.int64)
    return bulk.replay_block(data, ends - [len(text) for text in chosen], ends, name, facts=True, isa=isa)


def as_dict(row):
    return {name: row[name].tolist() for name in kernel_facts.summary_dtype().names}


@settings(max_examples=examples(80))
@given(st.lists(texts(), min_size=1, max_size=3))
def test_facts_are_those_of_the_definitions(chosen):
    for name in {name for _, name in chosen}:
        some = [text for text, other in chosen if other == name]
        pieces = [block_facts(some, name, isa) for isa in NUMBERS]
        assert all(np.array_equal(piece.facts, pieces[0].facts) for piece in pieces)
        assert all(np.array_equal(piece.rows, pieces[0].rows) for piece in pieces)
        for text, row, facts in zip(some, pieces[0].rows, pieces[0].facts, strict=True):
            check(text, name, row, facts)


def check(text, name, row, facts):
    if row["is_deferred"]:
        assert facts.tobytes() == bytes(kernel_facts.summary_dtype().itemsize)
        return
    record = DECODERS[name](text, bulk.DEFAULT_LIMITS)
    line = main_line(record)
    found, expected = as_dict(facts), expected_of(line)
    assert {one: found[one] for one in expected} == expected
    assert tuple(found["text_keys"]) == text_keys(text.strip(b" \t\r\n"))
    assert found["plain"] == is_plain(record)
    for isa in NUMBERS:
        listed = kernel_facts.game_facts(line.width, line.height, line.setup, line.moves, edits=line.edits, isa=isa)
        other = as_dict(listed)
        assert {one: other[one] for one in expected} == expected
        assert (other["plain"], other["text_keys"], other["spans"]) == (False, [0, 0], [[-1, -1]] * 5)


@settings(max_examples=examples(40))
@given(st.data())
def test_images_of_a_game_have_its_keys(data):
    width, height = data.draw(st.sampled_from([(1, 1), (2, 2), (3, 5), (5, 3), (7, 7), (22, 22), (23, 23), (40, 3)]))
    chance = data.draw(chances())
    points = [(x, y) for x in range(width) for y in range(height)]
    chance.shuffle(points)
    setup = [(chance.randint(1, 2), points.pop()) for _ in range(chance.randint(0, len(points) // 3))]
    moves = [(chance.randint(1, 2), None if chance.random() < 0.1 else point) for point in points[:210]]
    rows = []
    for symmetry in range(8 if width == height else 4):
        turned = [[(color, turn(point, symmetry, width, height)) for color, point in row] for row in (setup, moves)]
        rows += [kernel_facts.game_facts(width, height, *turned, isa=isa) for isa in NUMBERS]
    assert all(row.tobytes() == rows[0].tobytes() for row in rows)


def turn(point, symmetry, width, height):
    if point is None:
        return None
    x, y = point[::-1] if symmetry & 4 else point
    return (width - 1 - x if symmetry & 1 else x, height - 1 - y if symmetry & 2 else y)


@settings(max_examples=examples(60))
@given(st.binary(max_size=40), st.integers(0, 1600), st.integers(0, 2000))
def test_keys_of_texts(piece, size, changed):
    text = (piece or b"\0") * size
    assert {kernel_facts.text_keys(text, isa=isa) for isa in NUMBERS} == {text_keys(text)}
    if text:
        place = changed % len(text)
        other = text[:place] + bytes([text[place] ^ 1]) + text[place + 1 :]
        assert set(kernel_facts.text_keys(other)).isdisjoint(kernel_facts.text_keys(text))
    assert set(kernel_facts.text_keys(text + b"\0")).isdisjoint(kernel_facts.text_keys(text))


WORDS = st.text(st.sampled_from('ab{}[],:"\\/é围 komi'), max_size=6)
SPACES = st.sampled_from(["", " ", "\n\t", "\r\n  "])
INFO = {
    "id": "",
    "name": "",
    "rules": {"komi": 6.5, "type": "Chinese", "scoring": "area"},
    "result": {"winner": 2, "margin": 12},
}


def some(chance, members):
    """Some of the members, in any order."""
    return {name: members[name] for name in chance.sample(list(members), chance.randint(0, len(members)))}


@settings(max_examples=examples(100))
@given(chances(), WORDS, SPACES, st.booleans(), st.booleans())
def test_values_in_the_info_of_wei7(chance, word, space, ascii_only, escaped):
    rules = some(chance, {**INFO["rules"], "komi": chance.choice([0, 6.5, 7])})
    info = some(chance, {**INFO, "id": word, "name": word[::-1], "rules": rules})
    document = {"format": "wei7", "version": "3.0", "size": 3, "info": info, "tree": {}}
    text = json.dumps(document, ensure_ascii=ascii_only, separators=(f"{space},{space}", f"{space}:{space}"))
    if escaped:
        text = (
            text.replace('"rules"', '"r\\u0075les"')
            .replace('"result"', '"\\u0072esult"')
            .replace('komi"', 'kom\\u0069"')
        )
    data = text.encode()
    piece = block_facts([data], "wei7", NUMBERS[-1])
    assert not piece.rows[0]["is_deferred"]
    known = info.get("rules", {})
    values = [known.get("komi"), info.get("result"), None, known.get("type"), known.get("scoring")]
    for (begin, end), value in zip(piece.facts[0]["spans"].tolist(), values, strict=True):
        assert (begin < 0) == (value is None)
        if value is not None:
            assert data[begin:end] == data[begin:end].strip()
            assert json.loads(data[begin:end]) == value


VALUES = {
    "KM": ["6.5", " 7", "-3"],
    "RE": ["B+R", "W+2\\]5", "?", "\\\\", ""],
    "HA": ["2"],
    "RU": ["[x", "\\\nJ"],
    "PL": ["W"],
}


@settings(max_examples=examples(100))
@given(chances(), SPACES, st.booleans())
def test_values_in_the_root_of_sgf(chance, space, old):
    chosen = {name: chance.choice(values) for name, values in some(chance, VALUES).items()}
    parts = ["FF[3]" if old else "FF[4]", "GN[RE\\]KM]", "C[KM[1\\]]", "PB[x]"]
    for name, value in chosen.items():
        written = name[0] + "ank" * old + name[1]
        parts.append(f"{written}{space}[{value}]" + f"{space}[second]" * (name == "RE" and chance.random() < 0.3))
    text = f"(;{space.join(chance.sample(parts, len(parts)))};KM[9]RU[y];B[aa])"
    piece = block_facts([text.encode()], "sgf", NUMBERS[-1])
    if piece.rows[0]["is_deferred"]:
        assert wei7core.loads(text, strict=False).problems
        return
    for name, (begin, end) in zip(VALUES, piece.facts[0]["spans"].tolist(), strict=True):
        assert (text[begin:end] if begin >= 0 else None) == chosen.get(name)
