"""SGF that is read and written again, as sgfmill sees both: the same nodes with the same properties."""

import gzip
import random
from string import ascii_uppercase

import pytest
from helpers.failures import cases, data_of
from samples import corpus
from sgfmill import sgf, sgf_grammar

import wei7core as w7
from wei7core.formats.sgf.games import split
from wei7core.formats.sgf.properties import PROPERTIES, points

WRITTEN_ANEW = {"FF", "CA", "GM", "SZ"}


def nodes(data):
    """The nodes of a game with their properties, in the order of the text; None where sgfmill cannot read it."""
    try:
        game = sgf.Sgf_game.from_bytes(data)
        encoding = game.get_charset()
        size = game.get_size()
    except ValueError:
        return None
    found = []
    waiting = [((), game.get_root())]
    while waiting:
        path, node = waiting.pop()
        values = {name: values_of(node, name, size, encoding) for name in node.properties() if name not in WRITTEN_ANEW}
        if len(path) <= 1:  # several values before the first move are stones that are set up
            for name in [name for name in ("B", "W") if len(values.get(name, ())) > 1]:
                values["A" + name] = sorted(points(values.pop(name), size, size))
        if "M" in values:  # FF[1]
            values["MA"] = sorted({*values.get("MA", ()), *values.pop("M")})
        if values.pop("L", None):
            letters = zip(node.get_raw_list("L"), ascii_uppercase, strict=False)
            values["LB"] = sorted([*values.get("LB", ()), *(f"{at.decode()}:{letter}" for at, letter in letters)])
        found.append((path, values))
        waiting += [((*path, index), child) for index, child in enumerate(node)][::-1]
    return found


def values_of(node, name, size, encoding):
    """The values of a property: passes in one form, rectangles point by point, line breaks as `\\n`."""
    texts = [sgf_grammar.text_value(value).decode(encoding, "replace") for value in node.get_raw_list(name)]
    known = PROPERTIES.get(name)
    if known is not None and known.value in ("point", "stone") and known.is_list:
        return sorted(points(texts, size, size))
    if name in ("B", "W") and texts == ["tt"] and size <= 19:
        return [""]
    return sorted(texts)


def differences(data):
    """What differs for sgfmill between a text and what is written of it; None where it cannot be asked."""
    before = nodes(data)
    if before is None or not (data.isascii() or b"CA[UTF-8]" in data):
        return None
    game = w7.loads(data, strict=False)
    losses = []
    after = nodes(w7.dumps(game, format="sgf", losses=losses))
    assert after is not None
    if {"value-invalid", "point-upper-case"} & {problem.code for problem in game.problems}:
        # A pass as the point after the last one, a point as people name it: the problem names how it is read.
        for _, values in before + after:
            values.pop("B", None)
            values.pop("W", None)
    return [] if losses else [(one, other) for one, other in zip(before, after, strict=True) if one != other]


def check(texts):
    """Look at texts by name; returns how many sgfmill could be asked about."""
    found = {name: differences(data) for name, data in texts.items()}
    assert {name: lost for name, lost in found.items() if lost} == {}
    return sum(lost is not None for lost in found.values())


def test_examples_and_records_that_other_tools_fail_on():
    paths = (corpus.TESTS / "data" / "examples" / "sgf").glob("*.sgf")
    texts = {path.name: path.read_bytes() for path in paths}
    texts |= {f"{number}: {case['what']}": data_of(case) for number, case in enumerate(cases()) if not case.get("bad")}
    assert check(texts) > 100


@pytest.mark.exhaustive
def test_records_of_programs_and_games_of_a_server():
    folder = corpus.require()
    texts = {path.name: path.read_bytes() for path in (folder / "ai-sgf").glob("*.sgf")}
    del texts["001-goro.sgf"]  # FF[1]: its time limit is in minutes, and is written in seconds
    text = gzip.decompress((folder / "tygem-dev.sgf.gz").read_bytes())
    texts |= {str(begin): text[begin:end] for begin, end in random.Random(3).sample(split(text), 200)}
    assert check(texts) > 250
