"""The numbers that C and Python share are the same on both sides."""

import re
from pathlib import Path

from helpers import native
from helpers.cases import in_groups

from wei7core.errors import PROBLEM_CODES
from wei7core.formats import _native
from wei7core.formats import record_columns as columns
from wei7core.formats._native import MEMBER_NAMES
from wei7core.formats.sgf import properties as sgf_properties
from wei7core.formats.wei7.clauses import CONSTRUCTS

PACKAGE = native.headers()
CODES = PACKAGE / "record" / "problem_codes.h"
RECORD = PACKAGE / "record" / "record.h"
SCHEMA = PACKAGE / "formats" / "wei7" / "schema.h"
SGF_PROPERTIES = PACKAGE / "formats" / "sgf" / "properties.h"
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
    assert [spelled(place.name, "W7_AT_") for place in CONSTRUCTS] == enumerators("w7_place")


def test_member_names_are_the_c_enumeration() -> None:
    assert [spelled(name, "W7_N_") for name in MEMBER_NAMES] == enumerators("w7_name")
    assert len(set(MEMBER_NAMES)) == len(MEMBER_NAMES) <= 64, "a set of names is one 64-bit word"


def test_columns_are_read_by_the_numbers_of_the_header() -> None:
    numbers = {name: int(number) for name, number in re.findall(r"\b(W7_\w+) = (\d+)", RECORD.read_text("utf-8"))}
    for prefix, of in (("W7_STEP_", ""), ("W7_OWNER_", "OF_")):
        named = {name.removeprefix(prefix): number for name, number in numbers.items() if name.startswith(prefix)}
        assert named
        assert {name: getattr(columns, of + name) for name in named} == named
    for prefix, names in (
        ("W7_EVALUATION_", ("none", *columns.EVALUATIONS[1:])),
        ("W7_INSIDE_", ("owner", *columns.EMBEDDED_IN[1:])),
        ("W7_SIZE_", columns.SIZE_FORMS),
    ):
        named = {spelled(name, prefix): number for number, name in enumerate(names)}
        assert {name: number for name, number in numbers.items() if name.startswith(prefix)} == named


def test_properties_of_sgf_are_those_of_the_decoder() -> None:
    rows = SGF_ROW.findall(SGF_PROPERTIES.read_text(encoding="utf-8"))
    assert [row[0] for row in rows] == list(_native.PROPERTIES[1:])
    known = {name for name, row in sgf_properties.PROPERTIES.items() if not row.obsolete}
    assert {row[0] for row in rows} == known | {"L", "M"}
    for name, first, second, use, kind, is_list, symbol, _ in rows:
        row = sgf_properties.PROPERTIES[name]
        assert name == first + second
        assert bool(int(is_list)) == row.is_list, name
        assert SGF_KINDS.get(kind, row.value) == row.value, name
        assert (use == "MARKS") == (name in sgf_properties.SHAPE_MARKS), name
        assert (use in ("LABELS", "LETTERS")) == (name in sgf_properties.LABELS), name
        assert symbol == sgf_properties.SHAPE_MARKS.get(name, ("", ""))[1], name


@in_groups("place", CONSTRUCTS, ids=lambda place: place.name)
def test_every_place_has_a_clause(place) -> None:
    for clause in place.clauses:
        assert re.fullmatch(r"(\d+\.)+\d+|", clause)
    assert any(place.clauses)
    assert place.noun and place.expected
