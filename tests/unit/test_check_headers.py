"""The findings of a check about a header: codes, members, words and evidence; and moves that a handicap leaves free."""

from dataclasses import replace
from fractions import Fraction

import pytest
from helpers.cases import in_groups
from samples.checking_cases import step, wei7

import wei7core as w7
from wei7core import check, rules
from wei7core.checking.header import header_of
from wei7core.record.document import Result
from wei7core.record.result import Ending

BLACK, WHITE = 1, 2
PLAIN, BRANCHED = b"", b"(;C[a])(;C[b])"  # what is not plain is judged by itself
LEFT = b"(;C[a])(;B[zz])"  # what has an error anywhere is read by itself, too
JAPANESE, ING = rules.named("japanese"), rules.named("ing")


def header(text, by=None):
    return header_of(w7.loads(f"(;GM[1]FF[4]SZ[9]{text})".encode(), strict=False), by)


def issues_of(text, by=None):
    return [(one.code, one.member, one.message, dict(one.evidence)) for one in header(f"{text}RE[?]", by).issues]


@in_groups("komi", ["0", "0.5", "1", "9.5", "6.5", "7"])
def test_usual_komi(komi):
    assert issues_of(f"KM[{komi}]", JAPANESE) == []
    assert header(f"KM[{komi}]", JAPANESE).komi == Fraction(komi)


@pytest.mark.parametrize(("komi", "shown"), [("10", "10"), ("-0.5", "-0.5"), ("6.3", "6.3"), ("0.25", "0.25")])
def test_komi_out_of_range(komi, shown):
    message = f"a komi of {shown} points is none of 0 to 9.5 in halves"
    evidence = {"written": komi, "points": shown}
    assert issues_of(f"KM[{komi}]", JAPANESE) == [("komi-out-of-range", "komi", message, evidence)]


def test_komi_that_is_none():
    message = "the komi is not a number of points: abc"
    assert issues_of("KM[abc]") == [("komi-out-of-range", "komi", message, {"written": "abc"})]
    assert header("KM[abc]").komi is None and issues_of("") == []


@pytest.mark.parametrize(("komi", "zi", "points"), [("3.75", "3又3/4子", "7.5"), ("2.75", "2又3/4子", "5.5")])
def test_komi_in_stones(komi, zi, points):
    ((code, member, message, evidence),) = issues_of(f"KM[{komi}]RU[Chinese]")
    assert (code, member, evidence) == ("komi-dialect", "komi", {"written": komi, "points": points})
    assert message == f"a komi of {komi} is in Chinese stones (子): {zi} are {points} points"


@pytest.mark.parametrize("handicap", ["x", "12345678", "-1", "２"])
def test_a_handicap_that_is_none(handicap):
    message = f"the handicap is not a number of stones: {handicap}"
    assert issues_of(f"HA[{handicap}]") == [("handicap-count-mismatch", "handicap", message, {"written": handicap})]
    assert header(f"HA[{handicap}]").handicap is None


def test_handicaps():
    assert issues_of("HA[1234567]") == [] and header("HA[1234567]").handicap == 1234567
    assert header("HA[0]").handicap == 0 and header("").handicap is None


@in_groups(
    ("value", "color"),
    [("B", BLACK), ("black", BLACK), ("Black", BLACK), ("1", BLACK), ("w", WHITE), ("WHITE", WHITE), ("2", WHITE)],
)
def test_who_is_to_play(value, color):
    assert header(f"PL[{value}]").first == color
    assert header(f"PL[{value}x]").first is None and header("").first is None


def test_a_result_that_is_none():
    game = w7.Game(9)
    game.info.result = Result(7)
    (one,) = header_of(game, None).issues
    assert one.message == "the result has an invalid winner or margin"
    assert (one.code, one.member, one.evidence) == ("result-syntax", "result", {})
    (one,) = header("").issues
    assert (one.code, one.member) == ("result-missing", None)
    assert one.message == "the record has no result"


def test_draws_that_cannot_be():
    (one,) = header("KM[6.5]RE[0]", JAPANESE).issues
    assert (one.code, one.member) == ("draw-impossible", "result")
    assert one.message == "a game with a komi of 6.5 points cannot be a draw"
    assert one.evidence == {"result": "0", "komi": "6.5"}
    assert header("KM[6]RE[0]", JAPANESE).issues == ()
    for tie, name in ((BLACK, "Black"), (WHITE, "White")):
        (one,) = header("KM[6]RE[0]", replace(ING, tie=tie)).issues
        assert one.message == f"ing rules have no draws: {name} wins a tie"


@in_groups(
    ("by", "komi", "result", "is_reported"),
    [
        ("japanese", "6.5", "B+0.5", False),
        ("japanese", "6.5", "B+1", True),
        ("japanese", "6.5", "B+1.75", True),
        ("japanese", "0.25", "B+1.75", False),
        ("chinese", "0.5", "B+1.75", False),
        ("chinese", "0.5", "B+1.25", False),
        ("chinese", "7", "B+1.75", True),
        ("chinese", "7.5", "W+R", False),
    ],
)
def test_margins_that_cannot_be(by, komi, result, is_reported):
    found = [
        one for one in header(f"KM[{komi}]RE[{result}]", rules.named(by)).issues if one.code.startswith("result-p")
    ]
    assert len(found) == is_reported
    for one in found:
        assert (one.code, one.member) == ("result-parity-impossible", "result")
        assert one.message == f"no game with a komi of {komi} points ends {result}"
        assert one.evidence == {"result": result, "komi": komi}


def test_a_result_without_komi_contradicts_nothing():
    assert header("RE[0]", JAPANESE).issues == () and header("RE[B+1.5]", JAPANESE).issues == ()
    assert header("RE[0]", JAPANESE).result.ending is Ending.DRAW
    assert header("KM[6.5]", JAPANESE).issues[0].code == "result-missing"


@pytest.mark.parametrize("end", [PLAIN, BRANCHED])
@in_groups(
    ("game", "numbers"),
    [
        (b"HA[2];B[aa];B[bb];W[cc];B[dd]", []),
        (b"HA[2];B[aa];B[bb];B[cc]", [3]),
        (b"HA[3];B[aa];B[bb];B[cc];W[dd];W[ee]", [5]),
        (b"HA[1];B[aa];B[bb]", [2]),
        (b"HA[0];B[aa];B[bb]", [2]),
        (b";B[aa];B[bb]", [2]),
        (b"HA[2]AB[aa][bb];W[cc];W[dd]", [2]),
        (b"HA[2]AB[aa][bb];W[cc];B[dd];B[ee]", [3]),
        (b"AB[aa]AW[bb];B[cc];B[dd]", [2]),
    ],
)
def test_moves_that_a_handicap_leaves_free(game, numbers, end):
    found = list(check(b"(;GM[1]FF[4]SZ[9]" + game + end + b")", select="turn-order"))
    assert [one.move_number for one in found] == numbers
    permissive = check(b"(;GM[1]FF[4]SZ[9]" + game + end + b")", select="turn-order", rules="permissive")
    assert list(permissive) == []


@pytest.mark.parametrize("end", [PLAIN, BRANCHED, LEFT])
def test_games_with_other_stones_at_the_start_are_others(end):
    moves = b"".join(b";%s[%c%c]" % (b"BW"[k % 2 : k % 2 + 1], 97 + k % 9, 97 + k // 9) for k in range(9, 40))
    games = [b"(;GM[1]FF[4]SZ[9]GN[%d]%s%s%s)" % (k, head, moves, end) for k, head in enumerate(
        [b"", b"AB[aa]", b"AW[aa]", b"AB[aa][bb]", b"AB[aa]", b"", b"AB[ba]"]
    )]  # fmt: skip
    found = list(check(b"".join(games), select="duplicate-game"))
    assert [(one.record, one.evidence["first"]["record"]) for one in found] == [(4, 1), (5, 0)]


def test_what_is_wrong_twice_hides_nothing_after_it():
    """The decoder reports the komi, and the header of the result."""
    text = wei7([step(1, 0, 0), step(2, 1, 1)], rules={"komi": 77}, result={"winner": 1})
    codes = [one.code for one in check(text, select="komi-out-of-range, resign-side-mismatch")]
    assert sorted(codes) == ["komi-out-of-range", "resign-side-mismatch"]


def test_another_game_is_not_judged():
    found = [one.code for one in check(b"(;GM[2]FF[4]SZ[8];B[aa];B[aa];B[zz])", severity="info")]
    assert found and not {"turn-order", "result-missing", "game-too-short"} & set(found)
