"""Steps read by a learned layout are what they are when each is read by itself: the same rows, the same problems."""

import itertools
import json
import os
import random

import pytest
from helpers.effort import examples, first
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.engine import replay_texts
from samples.wei7_documents import documents
from samples.wei7_layouts import columns, compare, decode, document, samples

from wei7core._util.cpu import ISAS
from wei7core.limits import DEFAULT_LIMITS

COUNT = int(os.environ.get("WEI7CORE_MUTATIONS", "2000"))


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
def test_layouts_change_nothing(seed):
    problems = [compare(*sample) for sample in itertools.islice(samples(seed), COUNT // 4)]
    assert 0.1 < sum(count > 0 for count in problems) / len(problems) < 1


@settings(max_examples=examples(60), deadline=None)
@given(game=documents(), indent=st.sampled_from([None, 1, 2, 4, "\t"]), repeats=st.integers(1, 12))
def test_layouts_of_valid_games_change_nothing(game, indent, repeats):
    if "steps" in game["tree"]:
        game["tree"]["steps"] *= repeats
    compare(json.dumps(game, indent=indent, ensure_ascii=False).encode(), 7, DEFAULT_LIMITS)


def step(color, x, y):
    return {"action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": y}}}}


def game(steps, **style):
    text = {"format": "wei7", "version": "3.0", "size": 100, "tree": {"steps": steps}}
    return json.dumps(text, **style).encode()


STYLES = ({"separators": (",", ":")}, {}, {"indent": 1}, {"indent": 8})


@pytest.mark.exhaustive
@pytest.mark.parametrize("style", STYLES, ids=str)
@pytest.mark.parametrize("y_first", [False, True])
def test_every_coordinate_of_one_and_two_digits_is_read(y_first, style):
    moves = [(1 + (x + y) % 2, x, y) for x in range(100) for y in range(100)]
    steps = [step(*move) for move in moves]
    for one in steps if y_first else ():
        point = one["action"]["value"]["point"]
        point["x"] = point.pop("x")
    text = game(steps, **style)
    for isa in range(len(ISAS)):
        record = decode(text, 7, DEFAULT_LIMITS, isa=isa)
        assert list(zip(*(record.steps[name].tolist() for name in ("color", "x", "y")), strict=True)) == moves, isa
        assert not record.problems


@pytest.mark.parametrize("isa", first(1, reversed(range(len(ISAS)))))
def test_every_byte_in_the_place_of_a_digit_is_judged_alike(isa):
    text = game([step(1 + k % 2, k % 25, 24 - k % 25) for k in range(40)], separators=(",", ":"))
    begin = text.index(b'"x":20,')
    places = (*range(begin + 4, begin + 15), text.rindex(b'"color":', 0, begin) + 8)
    for at, wrong in itertools.product(places, range(256)):
        spoilt = text[:at] + bytes([wrong]) + text[at + 1 :]
        general = decode(spoilt, 7, DEFAULT_LIMITS, general_only=True)
        assert columns(decode(spoilt, 7, DEFAULT_LIMITS, isa=isa)) == columns(general)


def test_a_text_may_end_at_any_byte():
    moves = [{"time": 1.5, **step(1, 3, 16), "comment": "围棋"}, step(2, 16, 3), step(1, 10, 9), step(2, 3, 3)]
    for style in ({"separators": (",", ":")}, {"indent": 2}):
        text = game(moves * 2, ensure_ascii=False, **style)
        for end in range(len(text)):
            compare(text[:end], 7, DEFAULT_LIMITS)


@pytest.mark.parametrize("style", STYLES[:2], ids=str)
@pytest.mark.parametrize("isa", range(len(ISAS)))
def test_a_run_of_moves_may_end_at_any_byte(isa, style):
    text = game([step(1 + k % 2, k, 12 - k) for k in range(12)], **style)
    for end in range(len(text)):
        broken = text[:end]
        general = decode(broken, 7, DEFAULT_LIMITS, general_only=True)
        assert columns(decode(broken, 7, DEFAULT_LIMITS, isa=isa)) == columns(general)


@pytest.mark.parametrize("isa", range(len(ISAS)))
def test_every_byte_of_a_step_in_a_run_is_looked_at(isa):
    text = game([step(1 + k % 2, k % 25, 24 - k % 25) for k in range(40)], separators=(",", ":"))
    begin = text.index(b'"x":20,')
    for at, flipped in itertools.product(range(begin - 52, begin + 20), (1, 2, 4, 0x20, 0x80)):
        spoilt = text[:at] + bytes([text[at] ^ flipped]) + text[at + 1 :]
        general = decode(spoilt, 7, DEFAULT_LIMITS, general_only=True)
        assert columns(decode(spoilt, 7, DEFAULT_LIMITS, isa=isa)) == columns(general)


def test_layouts_of_other_texts_change_nothing():
    chance = random.Random(7)
    texts = [document(chance) for _ in range(200)]
    together, _ = replay_texts(texts, ["wei7"] * len(texts))
    alone = [replay_texts([text], ["wei7"])[0][0] for text in texts]
    assert together.tolist() == [row.tolist() for row in alone]
    assert 0 < sum(together["is_deferred"]) < len(texts)
