"""The codes of a check: their explanations, that they stay, and how some of them are chosen."""

from pathlib import Path

import pytest
from helpers.cases import in_groups

from wei7core.checking.codes import CODES, GROUPS, Code
from wei7core.checking.finding import SEVERITIES, Finding
from wei7core.checking.selection import Selection, UnknownCodeError

GOLDEN = Path(__file__).parent.parent / "data" / "check-codes.txt"


def finding(code: str, severity: str | None = None) -> Finding:
    return Finding(
        code, severity or CODES[code].severity, "a.sgf", 0, None, None, None, None, None, None, 0, 1, 1, "-;0", "wrong"
    )


def test_codes_stay_as_they_are() -> None:
    # People write these names into scripts: a change of the file breaks them.
    assert "".join(f"{code.group} {code.severity} {code.name}\n" for code in CODES.values()) == GOLDEN.read_text()


@in_groups("code", CODES.values(), ids=list(CODES))
def test_every_code_is_explained(code: Code) -> None:
    assert code.severity in SEVERITIES
    assert code.group in GROUPS
    assert code.name == code.name.lower().strip("-")
    assert 10 < len(code.summary) <= 100
    assert code.summary[0].islower() and code.summary[-1] not in ".!"
    for text in (code.meaning, code.why, code.causes):
        assert len(text) > 40
        assert text[0].isupper() or text.startswith("`")
        assert text.endswith(".")
        assert "  " not in text


def test_no_two_codes_have_the_same_text() -> None:
    for field in ("summary", "meaning", "causes"):
        assert len({getattr(code, field) for code in CODES.values()}) == len(CODES), field


def test_codes_that_are_named_in_texts_are_codes() -> None:
    words = {
        word for code in CODES.values() for word in code.meaning.split("`")[1::2] if word.islower() and "-" in word
    }
    assert words
    assert words <= set(CODES)


def test_without_a_choice_warnings_and_errors_are_shown() -> None:
    selection = Selection.of()
    assert selection == Selection()
    assert selection.shows(finding("ko-recapture"))
    assert selection.shows(finding("result-missing"))
    assert not selection.shows(finding("pass-early"))
    assert not selection.wants("shared-prefix")


@in_groups(
    ("select", "codes"),
    [
        ("superko", {"superko-positional", "superko-situational", "superko-natural"}),
        ("games", {name for name, code in CODES.items() if code.group == "games"}),
        ("ko-recapture, superko-natural", {"ko-recapture", "superko-natural"}),
        (["ko-recapture", "truncated,unreadable"], {"ko-recapture", "truncated", "unreadable"}),
        ("KO-Recapture", {"ko-recapture"}),
        ("all", set(CODES)),
        (
            "result",
            {name for name, code in CODES.items() if code.group == "result" or name.startswith("result-")},
        ),
    ],
)
def test_codes_are_chosen_by_name_and_by_what_they_begin_with(select: str | list[str], codes: set[str]) -> None:
    assert Selection.of(select).codes == codes


def test_what_is_ignored_is_not_shown_whatever_was_selected() -> None:
    selection = Selection.of("moves", "ko-recapture,suicide")
    assert not {"ko-recapture", "suicide-single", "suicide-multi"} & selection.codes
    assert selection.wants("move-occupied")
    assert not selection.wants("truncated")
    assert not Selection.of("moves,truncated", "truncated").wants("truncated")


def test_the_least_severity_counts_for_all_that_was_not_named() -> None:
    assert not Selection.of("moves").wants("pass-early")
    assert Selection.of("moves,pass-early").wants("pass-early")
    assert Selection.of("pass-early", severity="error").shows(finding("pass-early"))
    assert Selection.of("moves", severity="info").wants("pass-early")
    assert not Selection.of(severity="error").wants("result-missing")


def test_a_breach_of_the_format_is_shown_by_its_own_severity() -> None:
    selection = Selection.of(severity="error")
    assert selection.wants("format-breach")
    assert selection.shows(finding("format-breach", "error"))
    assert not selection.shows(finding("format-breach", "warning"))


@in_groups(
    ("name", "near"),
    [
        ("ko-recaptures", "ko-recapture"),
        ("superkos", "superko"),
        ("move", None),
        ("duplicate-games", "duplicate-game"),
        ("game", None),
        ("dup", "all"),
        ("superko-", "superko"),
    ],
)
def test_unknown_names_are_refused_with_those_that_are_near(name: str, near: str | None) -> None:
    if near is None:
        assert Selection.of(name).codes
        return
    with pytest.raises(UnknownCodeError) as raised:
        Selection.of(ignore=name)
    assert repr(name) in str(raised.value)
    assert near in str(raised.value)


def test_what_an_unknown_name_is_answered() -> None:
    for name, hint in {
        "superkoo": "did you mean superko or superko-positional or superko-natural?",
        "ko-recaptur": "did you mean ko-recapture?",
        "end-withou": "did you mean end-without or end-without-two or end-without-two-passes?",
        "moves-x": "did you mean moves or move or move-off?",
        "qqq": "--explain all lists the codes",
    }.items():
        with pytest.raises(UnknownCodeError) as raised:
            Selection.of(name)
        assert str(raised.value) == f"{name!r} is neither a code nor a group of codes; {hint}"


def test_a_choice_of_nothing_is_refused() -> None:
    for select, ignore, severity in (
        ("ko-recapture", "ko-recapture", "info"),
        (None, "all", "info"),
        ("", None, "info"),
        ("result-missing,shared-prefix", "result-missing,shared-prefix", "error"),
        ("games", None, "error"),
    ):
        with pytest.raises(ValueError, match="excludes every finding"):
            Selection.of(select, ignore, severity)
    with pytest.raises(ValueError, match="'fatal'"):
        Selection.of(severity="fatal")
