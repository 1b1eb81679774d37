"""Numbers are judged by their decimal value, not by their spelling (A29, A31, A32)."""

from fractions import Fraction

from helpers.cases import in_groups
from hypothesis import given
from hypothesis import strategies as st

from wei7core.formats.wei7.decode import decode


def codes(member: str, text: str) -> set[str]:
    document = '{"format":"wei7","version":"3.0","info":{"rules":{%s}},"tree":{"steps":[%s]}}'
    rules = f'"komi":{text}' if member == "komi" else ""
    step = {
        "komi": "",
        "takeback": f'{{"action":{{"type":"takeback","value":{text}}}}}',
        "time": f'{{"time":{text},"action":{{"type":"message","value":""}}}}',
    }[member]
    return {problem.code for problem in decode((document % (rules, step)).encode()).problems}


def expected(member: str, value: Fraction) -> set[str]:
    if member == "komi":
        if not 0 <= value < 10:
            return {"number-out-of-range"}
        return set() if (2 * value).denominator == 1 else {"number-not-half"}
    if member == "time":
        return set() if 0 <= value < 86400 else {"number-out-of-range"}
    if value.denominator != 1:
        return {"number-not-integer"}
    return {"takeback-too-deep"} if value > 0 else {"number-out-of-range"}


digits = st.text("0123456789", min_size=1, max_size=25)
numbers = st.builds(
    lambda sign, whole, fraction, exponent: sign + (whole.lstrip("0") or "0") + fraction + exponent,
    st.sampled_from(["", "-"]),
    digits,
    st.one_of(st.just(""), digits.map(lambda text: "." + text), st.sampled_from([".0", ".5", ".50", ".000"])),
    st.one_of(
        st.just(""),
        st.builds(
            lambda e, sign, n: f"{e}{sign}{n}",
            st.sampled_from("eE"),
            st.sampled_from(["", "+", "-"]),
            st.integers(0, 40),
        ),
    ),
)


@given(st.sampled_from(["komi", "takeback", "time"]), numbers)
def test_constraints_hold_for_the_exact_value(member: str, text: str) -> None:
    assert codes(member, text) == expected(member, Fraction(text))


@in_groups(
    ("member", "text", "code"),
    [
        ("komi", "1e999", "number-out-of-range"),
        ("komi", "1e-999", "number-not-half"),
        ("komi", "6.4999999999999999999", "number-not-half"),
        ("komi", "9.99999999999999999999999", "number-not-half"),
        ("komi", "0e99999999999999999999999", None),
        ("komi", "-0.0", None),
        ("time", "86399.99999999999999999999999", None),
        ("time", "86400", "number-out-of-range"),
        ("time", "1" + "0" * 5000 + "e-5000", None),
        ("takeback", "1e99999999999999999999999999", "takeback-too-deep"),
        ("takeback", "10E-1", "takeback-too-deep"),
        ("takeback", "0." + "0" * 4000 + "1e4001", "takeback-too-deep"),
    ],
)
def test_long_and_huge_numbers(member: str, text: str, code: str | None) -> None:
    assert codes(member, text) == ({code} if code else set())
