"""What the last position says about a result, against a count of every way in which the game may have ended."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from helpers.cases import in_groups
from helpers.effort import every

from wei7core import rules
from wei7core.checking.endings import Ground, LastLine, Lead, ending_issues
from wei7core.checking.header import Header
from wei7core.record.result import Ending, GameResult

BLACK, WHITE = 1, 2
TROMP_TAYLOR = rules.named("tromp-taylor")
HALF = Fraction(1, 2)
POINTS = 9  # of a board of 3 x 3


def header(rules_name, result, komi=Fraction(0), handicap=None):
    return Header(rules.named(rules_name), Fraction(komi), result, handicap, None, ())


def issues_of(header, *, lead=None, ground=None, **line):
    """The issues of a game of nine moves and two passes on 3 x 3."""
    last = LastLine(**{"width": 3, "height": 3, "moves": 11, "last_passes": 2, "last_color": WHITE, **line})
    return list(ending_issues(header, last, lambda: Lead(*lead), lambda: Ground(*ground)))


def won(winner, margin):
    return GameResult(Ending.POINTS, winner, Fraction(margin))


def claims(result):
    """The leads of Black that a result may mean: where area counts, quarters are of stones."""
    if result.ending is Ending.DRAW:
        return {Fraction(0)}
    margin = result.margin * 2 if result.margin.denominator == 4 else result.margin
    return {margin if result.winner == BLACK else -margin}


@pytest.mark.parametrize("rules_name", ["new-zealand", "ing"])
def test_margins_beyond_the_board_by_rules_that_allow_suicide(rules_name):
    """No stone is certainly alive there, but no count gives more than all points."""
    komi = Fraction(13, 2)
    assert not issues_of(header(rules_name, won(WHITE, 9 + komi), komi), ground=(9, 0), last_passes=4)
    (found,) = issues_of(header(rules_name, won(WHITE, 11 + komi), komi), ground=(9, 0), last_passes=4)
    assert found.code == "result-score-mismatch"
    assert found.message.endswith("Black has 0 certain points, White 0")


RESULTS = [GameResult(Ending.DRAW), *(won(color, Fraction(n, 4)) for color in (BLACK, WHITE) for n in range(40))]


@pytest.mark.parametrize(
    ("komi", "handicap"), every(4, [(0, None), (HALF, None), (Fraction(-3), 2), (Fraction(13, 2), 3)], 2)
)
def test_results_that_no_count_gives(komi, handicap):
    """Chinese rules: what both hold for certain is theirs, everything else may be anybody's or nobody's."""
    owed = komi + (handicap or 0)
    for black, white in product(range(POINTS + 1), repeat=2):
        if black + white > POINTS:
            continue
        counts = {
            b - w - owed for b, w in product(range(black, POINTS + 1), range(white, POINTS + 1)) if b + w <= POINTS
        }
        for result in RESULTS:
            found = issues_of(header("chinese", result, komi, handicap), ground=(black, white))
            (claim,) = claims(result)
            sign = 0 if result.ending is Ending.DRAW else 1 if result.winner == BLACK else -1
            if sign and not any(sign * count >= 0 for count in counts):
                (one,) = found
                other = "White" if result.winner == BLACK else "Black"
                message = f"{other} has enough certain points to win: the stated result is {result}"
                assert (one.code, one.message) == ("result-winner-mismatch", message)
            elif not min(counts) <= claim <= max(counts):
                (one,) = found
                held = f"Black has {black} certain points, White {white}"
                message = f"no count of the last position gives {result}: {held}"
                assert (one.code, one.message) == ("result-score-mismatch", message)
            else:
                assert found == []
                continue
            assert (one.member, one.severity) == ("result", None)
            assert one.evidence == {"result": str(result), "black_holds": black, "white_holds": white}


@pytest.mark.parametrize(
    "judged_by",
    [
        TROMP_TAYLOR,
        replace(TROMP_TAYLOR, name="with compensation", compensation=rules.Compensation.EACH),
        replace(TROMP_TAYLOR, name="without draws", tie=WHITE),
    ],
    ids=lambda judged_by: judged_by.name,
)
@pytest.mark.parametrize(("komi", "handicap"), [(0, None), (HALF, None), (Fraction(-1), 2), (Fraction(7), 3)])
def test_results_against_the_score(judged_by, komi, handicap):
    """By rules that take no stone off the last position says it all."""
    owed = komi + (judged_by.handicap_points(handicap) if handicap else 0)
    for lead, result in product([(9, 0), (0, 9), (5, 4), (4, 4), (4, 5), (6, 0), (0, 0)], RESULTS):
        found = issues_of(Header(judged_by, Fraction(komi), result, handicap, None, ()), lead=lead)
        black = lead[0] - lead[1] - owed
        winner = BLACK if black > 0 else WHITE if black < 0 else judged_by.tie or None
        score = GameResult(Ending.DRAW) if winner is None else won(winner, abs(black))
        if result.winner != winner:
            code = "result-winner-mismatch"
        elif winner is not None and abs(black) not in {abs(claim) for claim in claims(result)}:
            code = "result-score-mismatch"
        else:
            assert found == []
            continue
        (one,) = found
        message = f"the last position is {score} by {judged_by.name} rules: the stated result is {result}"
        assert (one.code, one.member, one.message, one.severity) == (code, "result", message, None)
        written = str(int(komi)) if komi.denominator == 1 else str(float(komi))
        expected = {"result": str(result), "score": str(score), "black": lead[0], "white": lead[1], "komi": written}
        assert one.evidence == expected


def test_a_margin_in_quarters_is_of_stones_only_where_area_counts():
    quarter = won(BLACK, Fraction(7, 4))
    assert issues_of(header("tromp-taylor", quarter, HALF), lead=(6, 2)) == []
    (one,) = issues_of(header("tromp-taylor", won(BLACK, Fraction(7, 2) + 1), HALF), lead=(6, 2))
    assert one.code == "result-score-mismatch"


@pytest.mark.parametrize(("passes", "passes_text"), [(0, "no pass"), (1, "one pass")])
def test_a_count_without_passes(passes, passes_text):
    result = won(BLACK, 9)
    (one,) = issues_of(header("chinese", result), ground=(9, 0), last_passes=passes)
    assert (one.code, one.member, one.severity) == ("end-without-two-passes", "result", "info")
    assert one.message == f"the game was counted, but ends with {passes_text}, where chinese rules require 2"
    assert one.evidence == {"passes": passes, "wanted": 2}
    three = replace(TROMP_TAYLOR, name="three", passes=3)
    (one,) = issues_of(Header(three, Fraction(0), result, None, None, ()), lead=(9, 0), last_passes=2)
    assert (one.message.split(", ")[1], one.severity) == ("but ends with 2 passes", None)
    assert issues_of(header("chinese", result), ground=(9, 0), moves=0, last_passes=0)[0].code == "game-too-short"


@pytest.mark.parametrize(
    ("moves", "codes"), [(0, ["game-too-short"]), (1, []), (54, []), (55, ["game-too-long"]), (99, ["game-too-long"])]
)
def test_lengths(moves, codes):
    """A move for every 18 points at least, 3 moves a point at most."""
    resigned = GameResult(Ending.RESIGNATION, BLACK)
    found = issues_of(header("japanese", resigned), height=6, moves=moves, last_color=BLACK)
    assert [one.code for one in found] == codes
    for one in found:
        assert one.evidence == {"moves": moves, "points": 18} and one.member is None


@in_groups("ending", list(Ending))
def test_who_resigned(ending):
    winner = None if ending in (Ending.DRAW, Ending.VOID, Ending.UNKNOWN) else BLACK
    result = GameResult(ending, winner, Fraction(1) if ending is Ending.POINTS else None)
    found = issues_of(header("japanese", result), last_color=WHITE)
    if ending is not Ending.RESIGNATION:
        assert "resign-side-mismatch" not in [one.code for one in found]
        return
    (one,) = found
    assert (one.code, one.member) == ("resign-side-mismatch", "result")
    assert one.message == "White resigned after its own move: the stated result is B+R"
    assert one.evidence == {"result": "B+R", "last_color": WHITE}
    assert (
        issues_of(header("japanese", result), last_color=0)
        == issues_of(header("japanese", result), last_color=BLACK)
        == []
    )
