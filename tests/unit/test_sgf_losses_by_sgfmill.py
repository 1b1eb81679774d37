"""SGF in another format and back, as sgfmill sees both: each value that is missing or new is a listed loss."""

import functools
import gzip
import random
import re
from collections import Counter

import pytest
from helpers.failures import cases, data_of
from samples import corpus
from unit.test_sgf_by_sgfmill import nodes

import wei7core as w7
from wei7core.formats.sgf.games import split
from wei7core.formats.sgf.properties import points
from wei7core.game.conversion.report import count_by_code

MOVES = frozenset(
    [
        *("setup-after-move", "setup-without-liberties", "setup-folded", "setup-moved", "setup-as-moves"),
        *("move-occupied", "step-unreadable", "pass-as-comment", "variation-repeated", "variation-dropped"),
        "node-merged",
    ]
)
MARKS = frozenset(["shape-as-symbol", "label-replaced", "mark-dropped", "symbol-replaced"])
TEXTS = frozenset(["text-cut", "text-changed", "text-undecodable", "charset-doubtful", "reserved-character"])
ENDS = frozenset(["setup-after-move", "setup-without-liberties", "move-occupied", "variation-dropped"])
WORTH = frozenset(["evaluation-as-comment", "evaluation-unclear", "problem-as-comment", "problem-dropped"])
NAMES = TEXTS | {"rank-in-name"}
EVENT = frozenset(["event-as-name"])
# What a loss without the name of a property in its path can be about.
CODES = {
    **dict.fromkeys(("B", "W", "AB", "AW", "AE"), MOVES),
    **dict.fromkeys(("LB", "label", "TR", "CR", "SQ", "MA", "SL"), MARKS | MOVES),
    **dict.fromkeys(("EV", "RO"), EVENT),
    **dict.fromkeys(("PB", "PW", "BR", "WR"), NAMES),
    "PC": {"place-dropped", *TEXTS},
    "KM": {"komi-implied"},
    **dict.fromkeys(("TE", "BM", "PL"), WORTH),
    "GN": {"event-as-name", *TEXTS},
    "N": {"title-as-comment", *TEXTS, *MOVES},
}
TARGETS = ("wei7-rev7", "wei7-rev2", "wei7-2.2", "giseong")


@functools.lru_cache(maxsize=len(TARGETS))  # formats that keep all of a game give the same text
def counted_values(data):
    """How often sgfmill finds each value of each property in a game; None where it cannot read it."""
    found = nodes(data)
    if found is None:
        return None
    for _, values in found:
        labels = [value.partition(":") for value in values.pop("LB", ())]
        # L of FF[1] gives each of its points a letter.
        values["label"] = [*values.pop("L", ()), *(point for at, _, _ in labels for point in points([at], 52, 52))]
        values["LB"] = [f"{at}:{text}" for at, _, text in labels if not (len(text) == 1 and text.isupper())]
    return Counter(
        (SAME_NAME.get(name, name), normal(name, value))
        for _, values in found
        for name in values
        for value in values[name]
        if str(value).strip() and (name, value) != ("HA", "0")
    )


def normal(name, value):
    """A value as one of those that mean the same."""
    if name == "KM" and NUMBER.fullmatch(value.strip()):
        return f"{float(value):g}"
    if name == "RE" and RESIGNED.fullmatch(value.strip()):
        return value.strip()[0].upper() + "+R"
    if name == "RE" and value.strip().casefold() == "draw":
        return "0"
    if name == "RE" and MARGIN.fullmatch(value):
        return f"{value[:2]}{float(value[2:]):g}"
    return value.strip().casefold() if name == "RU" else value


SAME_NAME = {"M": "MA"}
NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?")
MARGIN = re.compile(r"[BW]\+[0-9]+(\.[0-9]*)?")
RESIGNED = re.compile(r"[BW]\+R(esign)?", re.IGNORECASE)


def listed(losses):
    """A function of the name of a property: whether a loss explains that a value of it is another one."""
    codes = count_by_code(losses).keys()
    paths = {loss.path.rpartition(".")[2] for loss in losses if "." in loss.path}

    def is_listed(name):
        if name == "C":
            return any(code.endswith("-as-comment") for code in codes) or bool((MARKS | MOVES | TEXTS) & codes)
        if name in ("BL", "WL", "OB", "OW"):
            return "time-dropped" in codes
        return bool((CODES.get(name, set()) | ENDS) & codes) or name in paths

    return functools.cache(is_listed)


PARTS = 6


def unlisted(data):
    """The values that are missing or new after a game was in each other format, without a loss that names them."""
    game = w7.loads(data, strict=False)
    before = counted_values(w7.dumps(game, format="sgf", losses=[]))
    if before is None:
        return {}
    found = {}
    for target in TARGETS:
        losses = []
        try:
            other = w7.convert(game, target, losses=losses)
        except w7.ConversionError:
            continue
        after = counted_values(w7.dumps(other, format="sgf", losses=losses))
        is_listed = listed(losses)
        lost = [one for one in [*(before - after), *(after - before)] if not is_listed(one[0])]
        if lost:
            found[target] = lost[:5]
    return found


def check(texts):
    found = {name: unlisted(data) for name, data in texts.items()}
    assert {name: lost for name, lost in found.items() if lost} == {}


def test_examples():
    check({path.name: path.read_bytes() for path in (corpus.TESTS / "data" / "examples" / "sgf").glob("*.sgf")})


@pytest.mark.exhaustive
def test_records_that_other_tools_fail_on():
    check({f"{number}: {case['what']}": data_of(case) for number, case in enumerate(cases()) if not case.get("bad")})


# In parts, so that no process works on alone when the others have ended.
@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(PARTS))
def test_records_of_programs_and_games_of_a_server(part):
    folder = corpus.require()
    check({path.name: path.read_bytes() for path in sorted((folder / "ai-sgf").glob("*.sgf"))[part::PARTS]})
    text = gzip.decompress((folder / "tygem-dev.sgf.gz").read_bytes())
    games = random.Random(4).sample(split(text), 200)[part::PARTS]
    check({str(begin): text[begin:end] for begin, end in games})
