"""Records that users of other tools have reported: what they expect is what comes out."""

import re
from pathlib import Path

from helpers.cases import in_groups
from helpers.failures import by_wei7core, cases, differences

CASES = cases()


@in_groups("case", CASES, ids=[f"{number}-{case['what'][:40]}" for number, case in enumerate(CASES)])
def test_a_reported_failure(case):
    assert differences(case, by_wei7core) == []


def test_the_corpus_is_what_it_says():
    assert len(CASES) >= 150
    assert all(
        re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+/(?:issues|pull)/[0-9]+", case["link"]) for case in CASES
    )
    assert len({case["link"] for case in CASES}) >= 50
    assert len({case["record"] + case["encoding"] for case in CASES}) >= 150
    assert all(case.get("bad") or {"x", "o", "size"} <= case.keys() for case in CASES)


def test_a_wrong_expectation_fails():
    case = next(case for case in CASES if case["x"])
    for name, value in (("x", ""), ("size", "5x5"), ("moves", 99), ("komi", 99), ("black", "nobody")):
        assert differences(case | {name: value}, by_wei7core) == [name]


def test_the_table_of_the_documentation_has_every_case():
    page = Path(__file__).parent.parent.parent / "docs" / "failures.md"
    rows = [line.split(" | ") for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| [")]
    assert [(re.search(r"\((.*)\)", row[0])[1], row[1], row[2]) for row in rows] == [
        (case["link"], case["what"].replace("|", "\\|"), "yes") for case in CASES
    ]
