"""Examples, records that other tools fail on, and real games: in each format and back, nothing is lost unsaid."""

import gzip
import random

import pytest
from helpers.effort import every
from helpers.failures import cases, data_of
from helpers.pairs import WRITTEN, Contents
from helpers.there_and_back import there_and_back
from samples import corpus

import wei7core as w7
from wei7core.formats.sgf.games import split

NAMES = [path for path in sorted((corpus.TESTS / "data" / "examples").rglob("*")) if path.is_file()]


def breaches(data, *, revision=7):
    """What is lost unsaid on all ways from a text, by the format; refused ways are left out."""
    game = w7.loads(data, strict=False, revision=revision)
    source = "wei7-rev2" if (game.record.format, revision) == ("wei7", 2) else game.record.format
    before = Contents(game.document)
    found = {}
    for target in WRITTEN:
        try:
            lost = there_and_back(game, source, target, before)
        except w7.ConversionError:
            continue
        if lost:
            found[target] = lost
    return found


@pytest.mark.parametrize("path", every(6, NAMES), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_examples(path):
    assert breaches(path.read_bytes(), revision=2 if path.parent.name == "rev2" else 7) == {}


@pytest.mark.exhaustive
def test_records_that_other_tools_fail_on():
    found = {case["what"]: breaches(data_of(case)) for case in cases() if not case.get("bad")}
    assert {what: lost for what, lost in found.items() if lost} == {}


@pytest.mark.exhaustive
def test_records_of_programs():
    paths = sorted((corpus.require() / "ai-sgf").glob("*.sgf"))[::5]
    found = {path.name: breaches(path.read_bytes()) for path in paths}
    assert {name: lost for name, lost in found.items() if lost} == {}


@pytest.mark.exhaustive
def test_games_of_a_server():
    text = gzip.decompress((corpus.require() / "tygem-dev.sgf.gz").read_bytes())
    games = random.Random(1).sample(split(text), 20)
    found = {begin: breaches(text[begin:end]) for begin, end in games}
    assert {begin: lost for begin, lost in found.items() if lost} == {}
