"""The numbers that C and Python share are the same on both sides."""

import re
from pathlib import Path

import pytest

import wei7core
from wei7core.errors import PROBLEM_CODES
from wei7core.formats import _sgf, sgf_properties, sgf_tree, wei7_tree
from wei7core.formats._wei7 import NAMES
from wei7core.formats.wei7_places import PLACES

PACKAGE = Path(wei7core.__file__).parent
CODES = PACKAGE / "_record" / "codes.h"
RECORD = PACKAGE / "_record" / "record.h"
SCHEMA = PACKAGE / "formats" / "_wei7" / "schema.h"
SGF_PROPERTIES = PACKAGE / "formats" / "_sgf" / "properties.h"
SGF_ROW = re.compile(r"ROW\((\w+), '(.)', (?:'(.)'|0), (\w+), (\w+), ([01]), (?:'(.)'|(\d))\)")
# What the decoder calls the kinds of values that it looks at, by the names of the FF[4] specification.
SGF_KINDS = {"NUMBER": "number", "REAL": "real", "COLOR": "color", "CLOCK": "real", "STONES_LEFT": "number"}


def enumerators(name: str, path: Path = SCHEMA) -> list[str]:
    body = re.search(rf"enum {name} \{{(.*?)\}};", path.read_text(encoding="utf-8"), re.DOTALL)
    assert body is not None
    return [word.strip() for word in body.group(1).split(",") if word.strip()][:-1]


def spelled(name: str, prefix: str) -> str:
    return prefix + name.upper().replace("-", "_")


def test_problem_codes_are_the_c_enumeration() -> None:
    assert [spelled(code.name, "W7_") for code in PROBLEM_CODES] == enumerators("w7_code", CODES)
    assert [code.number for code in PROBLEM_CODES] == list(range(len(PROBLEM_CODES)))


def test_places_are_the_c_enumeration() -> None:
    assert [spelled(place.name, "W7_AT_") for place in PLACES] == enumerators("w7_place")


def test_member_names_are_the_c_enumeration() -> None:
    assert [spelled(name, "W7_N_") for name in NAMES] == enumerators("w7_name")
    assert len(set(NAMES)) == len(NAMES) <= 64, "a set of names is one 64-bit word"


def test_columns_are_read_by_the_numbers_of_the_header() -> None:
    numbers = dict(re.findall(r"\b(W7_\w+) = (\d+)", RECORD.read_text(encoding="utf-8")))
    for module, prefix, names in (
        (sgf_tree, "W7_STEP_", ("MOVE", "SETUP", "NOTE")),
        (wei7_tree, "W7_STEP_", ("UNREADABLE", "MOVE", "TAKEBACK", "RESULT", "MARK", "MESSAGE")),
        (wei7_tree, "W7_OWNER_", ("ROOT", "TREE", "PRE", "STEP", "ACTION", "VALUE", "STONE")),
    ):
        for name in names:
            assert getattr(module, f"_{name}") == int(numbers[prefix + name]), (module.__name__, name)
    assert (int(numbers["W7_OWNER_ROOT"]), int(numbers["W7_OWNER_STEP"])) == (sgf_tree._OF_ROOT, sgf_tree._OF_STEP)
    assert int(numbers["W7_OWNER_MARK"]) == wei7_tree._OF_MARK
    for names, prefix in (
        (wei7_tree._EVALUATIONS[1:], "W7_EVALUATION_"),
        (wei7_tree._INSIDE[1:], "W7_INSIDE_"),
    ):
        assert [int(numbers[spelled(name, prefix)]) for name in names] == list(range(1, len(names) + 1))
    for module in (wei7_tree, sgf_tree):
        assert [int(numbers[spelled(name, "W7_SIZE_")]) for name in module._SIZE_FORMS] == [0, 1, 2]


def test_properties_of_sgf_are_those_of_the_decoder() -> None:
    rows = SGF_ROW.findall(SGF_PROPERTIES.read_text(encoding="utf-8"))
    assert [row[0] for row in rows] == list(_sgf.PROPERTIES[1:])
    known = {name for name, row in sgf_properties.PROPERTIES.items() if not row.obsolete}
    assert {row[0] for row in rows} == known | {"L", "M"}
    for name, first, second, use, kind, is_list, symbol, _ in rows:
        row = sgf_properties.PROPERTIES[name]
        assert name == first + second
        assert bool(int(is_list)) == row.is_list, name
        assert SGF_KINDS.get(kind, row.value) == row.value, name
        assert (use == "MARKS") == (name in sgf_properties.SHAPES), name
        assert (use in ("LABELS", "LETTERS")) == (name in sgf_properties.LABELS), name
        assert symbol == sgf_properties.SHAPES.get(name, ("", ""))[1], name


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_every_place_has_a_clause(place) -> None:
    for clause in place.clauses:
        assert re.fullmatch(r"(\d+\.)+\d+|", clause)
    assert any(place.clauses)
    assert place.noun and place.expected
