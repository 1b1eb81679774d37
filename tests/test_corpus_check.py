"""Findings in real games are those that independent programs have reported, and no others."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from samples import corpus

import wei7core as w7
from wei7core.checking.codes import CODES

pytestmark = pytest.mark.exhaustive

MOVES = [code.name for code in CODES.values() if code.group == "moves"]


def reported(path: str, rules: str, select: list[str]) -> dict[str | None, Counter[str]]:
    """Return the findings of each record by its id: how many of each code."""
    found: dict[str | None, Counter[str]] = defaultdict(Counter)
    for finding in w7.check(path, rules=rules, select=select):
        found[finding.id][finding.code] += 1
    return found


@pytest.mark.parametrize("name", ["tygem-tom-irregular", "tygem-dev"])
def test_moves_that_superko_forbids(name: str) -> None:
    """Repeats, retakes and occupied points of each game are those of the corpus; clean games have no finding."""
    path = corpus.require()
    expected: dict[str | None, Counter[str]] = {}
    for row in corpus.tygem_expected(path, name):
        counts = Counter(
            {
                "superko-positional": int(row["repeats"]),
                "ko-recapture": int(row["ko_retakes"]),
                "move-occupied": int(bool(row["first_occupied"])),
                "turn-order": int(row["same_colour"]),
            }
        )
        if +counts:
            expected[row["id"]] = +counts
    found = reported(str(path / f"{name}.sgf.gz"), "tromp-taylor", [code for code in MOVES if code != "pass-early"])
    if name == "tygem-tom-irregular":
        # The second move of this game, on the point of the first, is by the same color.
        assert found["21463234"].pop("turn-order") == 1
        # One move and a refused one: too few for a result, had it been played to its end.
        assert "game-too-short" not in found["21463234"]
    assert found == expected


def test_simple_ko_allows_long_cycles() -> None:
    path = corpus.require()
    rows = corpus.tygem_expected(path, "tygem-tom-irregular")
    expected = {row["id"]: int(row["ko_retakes"]) for row in rows if int(row["ko_retakes"])}
    found = reported(str(path / "tygem-tom-irregular.sgf.gz"), "chinese", ["superko", "ko-recapture"])
    assert {id: counts["ko-recapture"] for id, counts in found.items()} == expected


def test_messy_files() -> None:
    """What is reported for the moves of the 150 files; each of them was looked at by hand."""
    path = corpus.require() / "ai-sgf"
    found = Counter[tuple[str, str]]()
    for finding in w7.check(path, select=["moves"]):
        if CODES[finding.code].severity == "error":
            found[finding.source.rpartition("/")[2][:3], finding.code] += 1
    assert found == {
        ("064", "turn-order"): 6,  # a line of white stones, in a variation
        ("076", "turn-order"): 1,  # White plays twice near the end
        ("078", "turn-order"): 1,  # a joseki in which White plays elsewhere
        ("079", "move-occupied"): 1,
    }
