"""The numbers that C and Python share are the same on both sides."""

import re
from pathlib import Path

import pytest

import wei7core
from wei7core.errors import PROBLEM_CODES
from wei7core.formats._wei7 import NAMES
from wei7core.formats.wei7_places import PLACES

PACKAGE = Path(wei7core.__file__).parent
CODES = PACKAGE / "_record" / "codes.h"
SCHEMA = PACKAGE / "formats" / "_wei7" / "schema.h"


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


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_every_place_has_a_clause(place) -> None:
    for clause in place.clauses:
        assert re.fullmatch(r"(\d+\.)+\d+|", clause)
    assert any(place.clauses)
    assert place.noun and place.expected
