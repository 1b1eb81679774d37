"""Numbers are read, counted and written as they are, whatever the decimal context of the thread says of arithmetic."""

import decimal
from fractions import Fraction

import pytest
from helpers.cases import in_groups

import wei7core as w7

LONG = "0.1234567890123456789012345678901234567890"
NUMBERS = (
    b'{"format":"wei7","version":"3.0","info":{"rules":{"komi":%s}},"tree":{"steps":[{"action":{"type":"move","value":'
    b'{"color":1,"point":{"x":0,"y":0}}},"time":%s}]}}'
)
TEXTS_WITH_NUMBERS = [
    *(
        NUMBERS % (komi, seconds)
        for komi in (b"6.5", b"375e-2", b"-7.50")
        for seconds in (LONG.encode(), b"1E-500", b"12")
    ),
    NUMBERS % (b"1e-99999999999999999999", b"1e99999999999999999999"),
    *(
        b"(;GM[1]FF[1]KM[%s]TM[%s];B[aa])" % (komi, minutes)
        for komi in (b"650", b"3.755", b"+.5")
        for minutes in (b"12.75", b"60")
    ),
    b"(;GM[1]FF[4]KM[375]RE[W+12.25];B[aa])",
    *(
        b'<wei7 version="2.2"><size>9</size><game><rules komi="%s"/></game><moves/></wei7>' % komi
        for komi in (b"6.5", b"3.75")
    ),
]
EVERY_TRAP = list(decimal.Context().flags)
CONTEXTS = {
    "few digits": decimal.Context(prec=1, rounding=decimal.ROUND_UP, Emin=-1, Emax=1, traps=EVERY_TRAP),
    "no traps": decimal.Context(prec=2, capitals=0, traps=[]),
}


def results_of(text: bytes) -> list[object]:
    """All that is results_of of a text and written of it."""
    rows = w7.replay(text)
    found: list[object] = [list(rows), list(w7.check(text, severity="info"))]
    try:
        game = w7.loads(text, strict=False)
    except w7.Wei7Error as error:
        return [*found, str(error)]
    found += [game.info, game.problems]
    for format in ("wei7", "wei7-rev2", "wei7-2.2", "sgf", "giseong"):
        try:
            found.append(w7.dumps(game, format=format, validate=False, losses=[]))
        except w7.Wei7Error as error:
            found.append(str(error))
    return found


@in_groups("context", CONTEXTS.values(), ids=CONTEXTS)
@pytest.mark.parametrize("text", TEXTS_WITH_NUMBERS)
def test_the_context_of_the_thread_changes_nothing(text, context):
    expected = results_of(text)
    with decimal.localcontext(context):
        assert results_of(text) == expected


@pytest.mark.parametrize("context", CONTEXTS.values(), ids=CONTEXTS)
def test_results_and_scores_are_exact_in_any_context(context):
    with decimal.localcontext(context):
        assert w7.GameResult.parse("B+12.25").margin == Fraction(49, 4)
        assert w7.GameResult.parse("B+12.25").to_result() == w7.Result(1, 12.25)
        assert w7.score(w7.Board(9), "japanese", komi=decimal.Decimal(LONG)).margin == Fraction(LONG)
