"""Damaged texts of every format under small limits, read leniently: only documented exceptions, and no other games."""

import copy
import pickle
import random
from contextlib import suppress

import pytest
from helpers.effort import first
from samples import giseong_texts, server_texts, sgf_server_texts, wei7xml_texts
from samples.mixed_texts import branching, damaged, sgf_game

import wei7core as w7

FORMATS = ("wei7", "wei7-rev2", "wei7-2.2", "sgf", "giseong")
OWNER_STEP = 3  # of `Record.kept`, as in record.h
SPARE = {"max_bytes": 4000, "max_steps": 40, "max_depth": 6, "max_points": 400, "max_moves": 60, "max_problems": 8}


def sources(chance):
    yield branching(chance)
    yield sgf_game(chance)
    yield sgf_server_texts.game(chance).encode()
    yield wei7xml_texts.example(chance.choice(wei7xml_texts.NAMES))[:4000]
    yield giseong_texts.record(chance).encode(chance.choice(["cp949", "utf-8"]), "replace")
    for name in ("gib", "ngf", "ugf", "ogs"):
        yield getattr(server_texts, name)(chance).encode()


def battered(chance, text):
    for _ in range(chance.randrange(30)):  # one in ten changes it
        text = damaged(chance, text)
    return text


def limits(chance):
    return w7.Limits(**{name: chance.randrange(most) for name, most in SPARE.items() if not chance.randrange(4)})


def uses(game):
    yield lambda: list(game.walk())
    yield lambda: [(node.board, node.step, node.comment) for node in game.main_line()]
    yield lambda: game.to_obj() if game.format == "wei7" else w7.convert(game, "wei7", losses=[]).to_obj()
    for name in FORMATS:
        yield lambda name=name: w7.dumps(game, format=name, losses=[])


@pytest.mark.parametrize("seed", first(4, range(100)))
def test_only_documented_exceptions(seed):
    chance = random.Random(seed)
    for text in sources(chance):
        try:
            game = w7.loads(battered(chance, text), strict=False, limits=limits(chance))
        except w7.Wei7Error:
            continue
        record = game.record
        assert record is not None
        before = repr(game), str(game), [str(problem) for problem in game.problems], game.info, game.result
        for again in (pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
            assert (repr(again), again.problems) == (before[0], game.problems)
        for use in chance.sample(list(uses(game)), 3):
            with suppress(w7.Wei7Error):
                use()
        assert (repr(game), game.info, game.result) == (before[0], *before[3:])
        of_steps = record.kept["index"][record.kept["owner"] == OWNER_STEP]
        assert not len(of_steps) or of_steps.max() < len(record.steps)
