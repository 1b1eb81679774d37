"""For each code of a check: reported for a record that offends, at the right place, alone, and for no clean one."""

import json
from pathlib import Path

from helpers.cases import in_groups
from samples.checking_cases import CASES, GAMES, Case, Several

from wei7core.checking.check import check
from wei7core.checking.codes import CODES
from wei7core.checking.finding import Finding

GOLDEN = Path(__file__).parent.parent / "data" / "check-findings.txt"


@in_groups("case", CASES, ids=[case.code for case in CASES])
def test_the_offending_record_has_this_finding_alone(case: Case) -> None:
    found = list(check(case.offending, rules=case.rules, limits=case.limits, severity="info"))
    assert [finding.code for finding in found] == [case.code]
    (finding,) = found
    assert finding.severity == (case.severity or CODES[case.code].severity)
    assert (finding.source, finding.record) == ("<bytes>", 0)
    assert finding.offset == case.offset, case.offending[finding.offset :]
    assert (finding.branch, finding.move_number) == (case.branch, case.move)
    assert (finding.color, finding.point) == (case.color, case.point)
    assert finding.message and finding.path


@in_groups("case", CASES, ids=[case.code for case in CASES])
def test_the_clean_record_has_none(case: Case) -> None:
    assert list(check(case.clean, rules=case.rules, limits=case.limits, severity="info")) == []


@in_groups("case", GAMES, ids=[case.code for case in GAMES])
def test_games_together_have_this_finding_alone(case: Several) -> None:
    found = list(check(case.offending, severity="info"))
    assert [finding.code for finding in found] == [case.code]
    (finding,) = found
    assert finding.severity == CODES[case.code].severity
    assert finding.move_number is None and finding.message
    if not case.of_all:
        assert (finding.source, finding.record) == ("<bytes>", len(case.offending) - 1)
        assert finding.evidence["first"]["record"] == 0


@in_groups("case", GAMES, ids=[case.code for case in GAMES])
def test_games_that_differ_have_none(case: Several) -> None:
    assert list(check(case.clean, severity="info")) == []


def test_every_code_has_a_case() -> None:
    assert {case.code for case in (*CASES, *GAMES)} == set(CODES)


def test_findings_are_as_in_the_golden_file() -> None:
    """Messages are read by people, paths and evidence by programs: a change of them is to be seen, and meant."""
    found: list[Finding] = []
    for case in CASES:
        found += check(case.offending, rules=case.rules, limits=case.limits, severity="info")
    for several in GAMES:
        found += check(several.offending, severity="info")
    text = "".join(
        f"{each.code}\n    {each.message}\n    {each.path}\n    {json.dumps(each.evidence, ensure_ascii=False)}\n"
        for each in found
    )
    assert text == GOLDEN.read_text(encoding="utf-8")
