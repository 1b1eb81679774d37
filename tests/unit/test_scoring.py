"""Scores of positions that people know, by the rules they are known with."""

from __future__ import annotations

import dataclasses
import pickle
from decimal import Decimal
from fractions import Fraction

import pytest
from helpers import diagrams
from helpers.cases import in_groups

import wei7core as w7
from wei7core import Agreement, rules
from wei7core.record.points import decimal_text, from_zi, komi_in_points, to_fraction, to_zi, zi_text
from wei7core.rules import AGA, CHINESE, Compensation, Scoring

# Black has the left, White the right; a dead stone of each, and two neutral points in the middle.
DIVIDED = """
    . . X . O . .
    . O X X O X .
    . . X . O . .
    """


def test_area_and_territory_of_one_position() -> None:
    board = diagrams.board(DIVIDED)
    dead = [(1, 1), (5, 1)]
    area = w7.score(board, "chinese", dead, komi=0)
    assert (area.black.stones, area.black.territory, area.black.prisoners) == (4, 6, 0)
    assert (area.white.stones, area.white.territory, area.white.total) == (3, 6, 9)
    assert str(area) == "B+1"
    territory = w7.score(board, "japanese", dead, komi=0)
    assert (territory.black.stones, territory.black.territory, territory.black.prisoners) == (0, 6, 1)
    assert territory.white.total == 7
    assert (territory.winner, territory.margin, str(territory)) == (None, 0, "0")
    assert territory.ownership.tolist() == [[1, 1, 1, 0, 2, 2, 2], [1, 1, 1, 1, 2, 2, 2], [1, 1, 1, 0, 2, 2, 2]]
    assert territory.dead == set(dead)
    assert board[1, 1] == w7.WHITE


def test_without_dead_stones_all_live() -> None:
    found = w7.score(diagrams.board(DIVIDED), "tromp-taylor")
    assert (found.black.total, found.white.total) == (5, 4)
    assert found.ownership[0].tolist() == [0, 0, 1, 0, 2, 0, 0]


def test_prisoners_of_the_moves_or_as_they_are_given() -> None:
    board = w7.Board(3, 1)
    for color, point in [(2, (0, 0)), (1, (1, 0)), (2, (2, 0))]:
        board.play(color, point)
    assert (board.white_captured, board.black_captured) == (2, 0)  # one of them by suicide
    found = w7.score(board, "japanese", komi=0)
    assert (found.black.territory, found.black.prisoners, found.white.prisoners) == (2, 2, 0)
    assert w7.score(board, "japanese", komi=0, prisoners=(3, 5)).margin == 0
    assert w7.score(board, "chinese", komi=0, prisoners=(3, 5)).margin == 3
    for rule_set in ("japanese", "chinese"):
        with pytest.raises(ValueError, match="negative number of prisoners"):
            w7.score(board, rule_set, prisoners=(-1, 0))
        for wrong in ((1,), (1, 2, 3)):
            with pytest.raises(ValueError, match="prisoners are two numbers of stones"):
                w7.score(board, rule_set, prisoners=wrong)
        for other in (5, (1.5, 0), ("1", 0)):
            with pytest.raises(TypeError, match="prisoners are two numbers of stones"):
                w7.score(board, rule_set, prisoners=other)


def test_dead_stones_are_whole_blocks_however_they_are_named() -> None:
    board = diagrams.board("""
        . X . O O .
        . X . O . .
        X X . O X X
        """)
    expected = {(4, 2), (5, 2)}
    block = board.block((5, 2))
    for dead in ([(4, 2)], {(5, 2)}, block, [block], [block, (4, 2)], w7.PointSet([(5, 2)], 6, 3), ((5, 2),)):
        found = w7.score(board, "japanese", dead)
        assert found.dead == expected
        assert found.black.prisoners == 0
        assert found.white.prisoners == 2


# https://senseis.xmp.net/?Seki: two eyes in seki, one each; the outside lives.
SEKI = """
    . X O X . X
    X X O X X X
    O O O . O O
    . O . O O .
    """


@in_groups(
    ("name", "seki", "black", "white"),
    [
        ("japanese", [], 2, 3),
        ("japanese", [(1, 0)], 1, 3),  # a stone: its block's empty points
        ("japanese", [(0, 0)], 1, 3),  # an empty point: its region
        ("japanese", [(1, 0), (3, 0)], 0, 3),
        ("japanese", [(1, 0), (3, 0), (2, 0)], 0, 1),
        ("korean", [(1, 0), (3, 0)], 0, 3),
        ("chinese", [(1, 0), (3, 0), (2, 0)], 2, 3),
        ("aga", [(1, 0)], 2, 3),
    ],
)
def test_seki(name: str, seki: list[tuple[int, int]], black: int, white: int) -> None:
    found = w7.score(diagrams.board(SEKI), name, seki=seki)
    assert (found.black.territory, found.white.territory) == (black, white)


def test_a_region_in_seki_is_nobodys() -> None:
    found = w7.score(diagrams.board(SEKI), "japanese", seki=[(0, 0)])
    assert found.ownership[0].tolist() == [0, 1, 2, 1, 1, 1]


def test_unconditional_life_finds_what_cannot_live() -> None:
    board = diagrams.board("""
        . X . X O .
        X X X X . .
        . . . . . .
        O X . . . .
        """)
    assert w7.score(board, "chinese", pass_alive=True).dead == set()  # the white stones have room
    board = diagrams.board("""
        . X O . X .
        X X X X X .
        . . . . . .
        """)
    found = w7.score(board, "chinese", pass_alive=True, komi=0)
    assert found.dead == {(2, 0)}
    assert found.black.total == 18
    with pytest.raises(ValueError, match="cannot be captured"):
        w7.score(board, "chinese", [(0, 1)], pass_alive=True)
    board.play(w7.WHITE, (5, 2))  # where nothing is for certain, but people agree
    assert w7.score(board, "chinese", [(5, 2)], pass_alive=True).dead == {(2, 0), (5, 2)}
    with pytest.raises(ValueError, match="cannot be captured") as raised:
        w7.score(board, "chinese", [(5, 2), (0, 1)], pass_alive=True)
    assert "(5, 2)" not in str(raised.value)


def test_what_people_agree_on_is_dead_in_addition_to_what_cannot_live() -> None:
    board = diagrams.board("""
        . X O . X . . . .
        X X X X X . . . .
        . . . . . . . . .
        . O . . . . . . .
        . . . . . . . X .
        """)
    assert w7.score(board, "chinese", pass_alive=True).dead == {(2, 0)}
    assert w7.score(board, "chinese", [(1, 3)], pass_alive=True).dead == {(2, 0), (1, 3)}
    with pytest.raises(ValueError, match="cannot be captured") as raised:
        w7.score(board, "chinese", [(1, 3), (4, 0)], pass_alive=True)
    assert any(f"({x}, {y})" in str(raised.value) for x, y in board.block((4, 0)))


@pytest.mark.parametrize("rules", ["chinese", "japanese", "ing", "aga"])
def test_the_winner_is_who_has_more(rules: str) -> None:
    board = w7.Board(5)
    board.play(w7.WHITE, (2, 2))
    found = w7.score(board, rules, komi=0.5)
    assert found.winner == w7.WHITE
    board.edit([(w7.BLACK, (2, 2))])
    assert w7.score(board, rules, komi=0.5).winner == w7.BLACK


def test_a_region_in_seki_is_named_by_any_of_its_points() -> None:
    board = diagrams.board("""
        . . X .
        . . X .
        X X X .
        O O O O
        """)
    whole = w7.score(board, "japanese", komi=0)
    assert whole.black.territory == 4
    for point in ((0, 0), (1, 0), (0, 1), (1, 1)):
        assert w7.score(board, "japanese", komi=0, seki=[point]).black.territory == 0
    assert w7.score(board, "japanese", komi=0, seki=[(3, 1)]).black.territory == 4


def test_komi_of_the_rules() -> None:
    board = w7.Board(5)
    komi = {"chinese": 7.5, "japanese": 6.5, "korean": 6.5, "aga": 7.5, "new-zealand": 7, "ing": 8, "tromp-taylor": 0}
    assert {name: w7.score(board, name).white.komi for name in komi} == komi
    assert {name: w7.score(board, name, handicap=1).white.total for name in komi} == dict.fromkeys(komi, 0) | {
        "aga": 0.5
    }
    assert str(w7.score(board, "chinese", komi=-0.5)) == "B+0.5"
    assert w7.score(board, "chinese", komi=Decimal("3.75")).margin == Fraction(15, 4)
    assert w7.score(board, "chinese", komi=0.1).margin == Fraction(1, 10)


@in_groups(
    ("name", "stones", "points"),
    [
        ("chinese", 0, 0), ("chinese", 1, 0), ("chinese", 2, 2), ("chinese", 9, 9),
        ("aga", 1, 0), ("aga", 2, 1), ("aga", 9, 8),
        ("japanese", 9, 0), ("korean", 4, 0), ("new-zealand", 9, 0), ("ing", 9, 0),
    ],
)  # fmt: skip
def test_compensation_for_handicap_stones(name: str, stones: int, points: int) -> None:
    found = w7.score(w7.Board(9), name, handicap=stones, komi=0)
    assert found.white.compensation == points == found.white.total


def test_pass_stones() -> None:
    """A pass costs a stone, where the rules count territory and say so."""
    board = w7.Board(9)
    for color in (1, 2, 1, 2, 2):
        board.play(color, None)
    territory = dataclasses.replace(AGA, scoring=Scoring.TERRITORY, compensation=Compensation.NONE)
    found = w7.score(board, territory, komi=0)
    assert (found.black.prisoners, found.white.prisoners) == (3, 2)
    assert w7.score(board, "aga", komi=0).black.prisoners == 0
    assert w7.score(board, "japanese", komi=0).black.prisoners == 0


def test_ties() -> None:
    board = w7.Board(9)
    assert w7.score(board, "japanese", komi=0).result == w7.GameResult(w7.Ending.DRAW)
    ing = w7.score(board, "ing", komi=0)
    assert (ing.winner, ing.margin, str(ing)) == (w7.BLACK, 0, "B+0")


def test_zi() -> None:
    """子 count the area beyond half of the board: 184 1/4 are needed with a komi of 3 3/4, which is 7.5 points."""
    assert from_zi(3.75) == from_zi(Fraction(15, 4)) == 7.5
    assert to_zi(7.5) == Fraction(15, 4)
    assert [zi_text(Fraction(text)) for text in ("3/4", "15/4", "2", "0", "-7/4")] == [
        "3/4子", "3又3/4子", "2子", "0子", "-1又3/4子",
    ]  # fmt: skip
    board = w7.Board(19)
    board.edit((1 if y < 10 else 2, (x, y)) for x in range(19) for y in range(19) if (x + y) % 2 or y in (9, 10))
    found = w7.score(board, "chinese")
    assert found.black.total == 190
    assert found.zi == (190 - Fraction(361, 2)) - Fraction(15, 4)
    assert found.compare(f"黑胜{zi_text(found.zi)}") is Agreement.AGREES
    assert komi_in_points(3.75, CHINESE) == 7.5
    assert komi_in_points(3.5, CHINESE) == 3.5
    assert komi_in_points(3.75, rules.JAPANESE) == 3.75


@in_groups(
    ("text", "agreement"),
    [
        ("B+3.5", "AGREES"), ("黑胜1又3/4子", "AGREES"), ("B+1.75", "AGREES"), ("黒3目半勝ち", "AGREES"),
        ("B+4.5", "MARGIN_DIFFERS"), ("B+1.5", "MARGIN_DIFFERS"), ("W+3.5", "WINNER_DIFFERS"), ("0", "WINNER_DIFFERS"),
        ("W+R", "CANNOT_BE_TOLD"), ("B+T", "CANNOT_BE_TOLD"), ("B+", "CANNOT_BE_TOLD"), ("?", "CANNOT_BE_TOLD"),
        ("Void", "CANNOT_BE_TOLD"),
    ],
)  # fmt: skip
def test_comparing_with_a_result(text: str, agreement: str) -> None:
    board = w7.Board(11, 1)
    board.play(w7.BLACK, (5, 0))
    found = w7.score(board, "chinese")
    assert str(found) == "B+3.5"
    assert found.compare(text) is found.compare(w7.GameResult.parse(text)) is Agreement[agreement]
    by_territory = w7.score(board, "japanese")
    assert by_territory.compare("B+1.75") is Agreement.MARGIN_DIFFERS
    assert w7.score(w7.Board(3), "japanese", komi=0).compare("Draw") is Agreement.AGREES


def test_what_cannot_be_counted() -> None:
    board = diagrams.board(DIVIDED)
    for call, message in [
        (lambda: w7.score(board, "permissive"), "permissive rules define no scoring"),
        (lambda: w7.score(board, "tromp-taylor", [(1, 1)]), "no stone is dead"),
        (lambda: w7.score(board, "tromp-taylor", pass_alive=True), "no stone is dead"),
        (lambda: w7.score(board, "chinese", [(0, 0)]), r"no stone at \(0, 0\)"),
        (lambda: w7.score(board, "chinese", [(9, 0)]), "9"),
        (lambda: w7.score(board, "chinese", seki=[(0, 3)]), "3"),
        (lambda: w7.score(board, "japanese", [(1, 1)], seki=[(1, 1)]), "in seki and dead"),
        (lambda: w7.score(board, "chinese", handicap=-1), "negative number of handicap stones"),
        (lambda: w7.score(board, "chinese", handicap=10**30), "more than the board has points"),
        (lambda: w7.score(board, "chinese", komi=float("nan")), "not a number of points"),
        (lambda: w7.score(board, "martian"), "martian"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()
    for handicap in (1.5, True, "2"):
        with pytest.raises(TypeError, match="a handicap is a number of stones"):
            w7.score(board, "chinese", handicap=handicap)  # type: ignore[arg-type]  # the test passes a wrong type
    with pytest.raises(TypeError, match="not of NoneType"):
        w7.score(None, "chinese")  # type: ignore[arg-type]  # the test passes a wrong type
    with pytest.raises(TypeError, match="Decimal or Fraction"):
        w7.score(board, "chinese", komi="7.5")  # type: ignore[arg-type]  # the test passes a wrong type


def test_a_board_beyond_the_usual_limit() -> None:
    board = w7.Board(2049, 2049, max_points=2049 * 2049)
    board.setup([(w7.BLACK, (1000, 1000)), (w7.WHITE, (5, 5))])
    found = w7.score(board, "japanese", [(5, 5)], komi=0, seki=[(0, 0)])
    assert (found.black.territory, found.black.prisoners) == (0, 1)
    assert w7.score(board, "chinese", [(5, 5)], komi=0).margin == 2049 * 2049


def test_scores_are_values() -> None:
    board = diagrams.board(DIVIDED)
    one, two = w7.score(board, "chinese"), w7.score(board, "chinese")
    assert one == two
    assert hash(one) == hash(two)
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != w7.score(board, "chinese", komi=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        one.winner = 1  # type: ignore[misc]  # refused at run time too
    with pytest.raises(ValueError, match="read-only"):
        one.ownership[0, 0] = 1


def test_exact_numbers() -> None:
    assert [to_fraction(number) for number in (7, 0.1, Decimal("6.5"), Fraction(1, 3))] == [
        7, Fraction(1, 10), 6.5, Fraction(1, 3),
    ]  # fmt: skip
    for number in (float("inf"), Decimal("nan"), Decimal("1e999999")):
        with pytest.raises(ValueError, match="not a number of points"):
            to_fraction(number)
    for text in ("0", "-3.5", "0.05", "6.4999999999999999999", "120", "-0.125"):
        assert decimal_text(Fraction(text)) == text
    assert decimal_text(Fraction(1, 3)) == "1/3"


def game_of(info_rules: w7.GameRules | None, **properties: str) -> w7.Game:
    game = w7.Game((11, 1))
    game.info.rules = info_rules
    game.tree.play(w7.BLACK, (5, 0))
    game.properties.update({name: (text,) for name, text in properties.items()})
    return game


def test_a_game_is_counted_at_the_end_of_its_main_line() -> None:
    game = game_of(w7.GameRules("area", 7.5, "Chinese"))
    assert str(game.score()) == "B+3.5"
    assert str(game.score(komi=0.5)) == "B+10.5"
    assert str(game.score("japanese")) == "B+2.5"
    assert str(game.score("japanese", komi=0, handicap=2)) == "B+10"
    game.tree.take_back()
    assert game.score().white.total == 7.5
    assert game_of(w7.GameRules(None, None, "Korean")).score().white.komi == 6.5


def test_a_record_of_sgf_says_its_rules_komi_handicap_and_result() -> None:
    game = w7.loads(b"(;SZ[9]RU[Chinese]KM[3.75]RE[W+T];B[ee];W[];B[])")
    assert (game.rules, game.handicap) == (rules.CHINESE, 0)
    assert str(game.score()) == "B+73.5"
    assert game.result == w7.GameResult(w7.Ending.TIME, w7.WHITE)
    assert game.info.result is not None
    game.info.result.winner = w7.BLACK
    assert str(game.result) == "B+R"
    game.info.result = None
    assert game.result is None
    aga = w7.loads(b"(;SZ[9]RU[AGA]KM[0.5]HA[2]AB[cc][gg];W[ee])")
    assert (aga.rules, aga.handicap, aga.score().white.compensation) == (rules.AGA, 2, 1)
    assert w7.loads(b"(;SZ[9]AB[cc][gg][cg];W[ee])").handicap == 3
    assert w7.loads(b"(;SZ[9]AB[cc];W[ee])").handicap == 0
    assert w7.loads(b"(;SZ[9]AB[cc][gg]AW[cg];W[ee])").handicap == 0
    assert w7.loads(b"(;SZ[9]HA[two]AB[cc][gg];W[ee])").handicap == 0
    assert str(w7.loads(b"(;SZ[9]RE[Void];W[ee])").result) == "Void"
    assert w7.loads(b"(;SZ[9]RE[who knows];W[ee])").result is None
    assert w7.loads(b"(;SZ[9];W[ee])").result is None


def test_the_result_of_a_wei7_record() -> None:
    game = w7.Game(9)
    game.info.result = w7.Result(w7.WHITE, 2.5)
    assert str(game.result) == "W+2.5"
    game.info.result = w7.Result(w7.WHITE)
    assert game.result == w7.GameResult(w7.Ending.RESIGNATION, w7.WHITE)
    game.info.result = w7.Result(None)
    assert str(game.result) == "0"
    game.info.result = w7.Result(3)
    assert game.result is None


@pytest.mark.parametrize(
    ("game", "match"),
    [
        (game_of(None), "does not name its rules"),
        (game_of(w7.GameRules("area", 7.5, "Japanese")), "'Japanese, area', which are unknown"),
        (game_of(w7.GameRules("area", 7.5)), "'area', which are unknown"),
        (game_of(w7.GameRules(komi=7.5)), "does not name its rules"),
        (game_of(w7.GameRules(None, 7.5), RU="Old Chinese"), "'Old Chinese', which are unknown"),
    ],
)
def test_rules_that_a_record_does_not_name(game: w7.Game, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        game.score()
