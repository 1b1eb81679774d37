"""Rule sets as values, and `Board.is_legal` on positions that people know."""

from __future__ import annotations

import dataclasses
import pickle

import pytest
from helpers.cases import in_groups

from wei7core import rules
from wei7core.board.board import BLACK, WHITE, Board
from wei7core.rules import NAMED, Ko, Rules, Verdict

NATURAL = Rules(name="natural", ko=Ko.NATURAL, suicide=False)


def board_of(rows: str) -> Board:
    """Return a board set up as drawn: `.`, `X`, `O`, rows apart by a blank."""
    drawn = rows.split()
    board = Board(len(drawn[0]), len(drawn))
    stones = {"X": BLACK, "O": WHITE}
    board.setup((stones[c], (x, y)) for y, row in enumerate(drawn) for x, c in enumerate(row) if c in stones)
    return board


def reasons(board: Board, color: int, point: tuple[int, int] | None) -> dict[str, str]:
    return {name: board.is_legal(color, point, name).reason for name in NAMED}


def test_named_rules() -> None:
    """The flags that the texts of the rule sets leave no doubt about."""
    assert {name: (each.ko.name, each.suicide) for name, each in NAMED.items()} == {
        "permissive": ("NONE", True),
        "tromp-taylor": ("POSITIONAL", True),
        "chinese": ("SIMPLE", False),
        "japanese": ("SIMPLE", False),
        "korean": ("SIMPLE", False),
        "aga": ("SITUATIONAL", False),
        "new-zealand": ("SITUATIONAL", True),
        "ing": ("SIMPLE", True),
    }
    for name, each in NAMED.items():
        assert rules.named(name) is each is rules.named(each)
        assert each.name == name
        assert "\n\nLeft to people: " in each.about
    assert {name for name, each in NAMED.items() if each.scoring is rules.Scoring.TERRITORY} == {"japanese", "korean"}
    assert {name: each.komi for name, each in NAMED.items() if each.komi is not None} == {
        "chinese": 7.5, "japanese": 6.5, "korean": 6.5, "aga": 7.5, "new-zealand": 7.0, "ing": 8.0,
    }  # fmt: skip


def test_points_for_a_handicap() -> None:
    assert [rules.CHINESE.handicap_points(n) for n in (0, 2, 9)] == [0, 2, 9]
    assert [rules.AGA.handicap_points(n) for n in (0, 2, 9)] == [0, 1, 8]
    assert [rules.JAPANESE.handicap_points(n) for n in (0, 2, 9)] == [0, 0, 0]


def test_rules_are_values() -> None:
    for each in NAMED.values():
        same = pickle.loads(pickle.dumps(each))
        assert (same, hash(same)) == (each, hash(each))
        assert same.about == each.about
    mine = dataclasses.replace(rules.CHINESE, name="mine", ko=2)
    assert mine.ko is Ko.POSITIONAL
    assert mine != rules.CHINESE
    with pytest.raises(dataclasses.FrozenInstanceError):
        mine.suicide = True  # type: ignore[misc]  # refused at run time too
    text = dataclasses.replace(
        mine,
        about="""First line.

        Set in, as in a source.
        """,
    ).about
    assert text == "First line.\n\nSet in, as in a source."
    assert dataclasses.replace(mine, passes=0).passes == 0


@in_groups(
    "flag",
    [
        {"ko": 5}, {"ko": "simple"}, {"suicide": 1}, {"seki": None}, {"pass_stones": 0}, {"cycle": "no result"},
        {"dead": None}, {"scoring": "area"}, {"compensation": 1}, {"handicap": "free"}, {"last_pass": 3}, {"tie": -1},
        {"passes": -1}, {"passes": "7"}, {"passes": 1.5}, {"passes": True}, {"name": None}, {"ko": True},
        {"last_pass": True}, {"komi": "7"}, {"komi": float("nan")}, {"komi": True}, {"handicap_komi": float("inf")},
        {"tie": True}, {"about": None},
    ],
)  # fmt: skip
def test_a_flag_out_of_range(flag: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="(?i)" + next(iter(flag)).split("_")[0]):
        dataclasses.replace(rules.AGA, **flag)  # type: ignore[arg-type]  # the test passes a wrong type


def test_unknown_rules() -> None:
    board = Board(3)
    with pytest.raises(ValueError, match="unknown rule set 'chess' \\(choose from permissive, tromp-taylor"):
        board.is_legal(BLACK, (0, 0), "chess")
    for wrong in (None, 1, b"aga"):
        with pytest.raises(TypeError, match="Rules"):
            board.is_legal(BLACK, (0, 0), wrong)  # type: ignore[arg-type]  # the test passes a wrong type
    with pytest.raises(ValueError, match="a color is"):
        board.is_legal(3, (0, 0))
    with pytest.raises(ValueError, match="a color is"):
        board.is_legal(3, None)


def test_verdicts() -> None:
    assert [verdict.legal for verdict in Verdict] == [True] + [False] * 7
    assert [bool(verdict) for verdict in Verdict] == [True] + [False] * 7
    assert [verdict.value for verdict in Verdict] == list(range(8))
    assert str(Verdict.KO_RECAPTURE) == Verdict.KO_RECAPTURE.reason == "ko-recapture"
    board = Board(3, 2)
    board.play(BLACK, (0, 0))
    for color in (BLACK, WHITE):
        assert set(reasons(board, color, (0, 0)).values()) == {"occupied"}
        for off in [(3, 0), (0, 2), (-1, -1), (-1, 0), (2**40, 0), (0, -(2**70))]:
            assert set(reasons(board, color, off).values()) == {"off-board"}
        assert set(reasons(board, color, None).values()) == {"legal"}


def test_suicide_of_one_stone() -> None:
    """It changes nothing, so that it repeats the present position with the other player to move."""
    board = board_of(".X. X.. ...")
    assert reasons(board, WHITE, (0, 0)) == {
        "permissive": "legal",
        "tromp-taylor": "positional-repeat",
        "chinese": "suicide",
        "japanese": "suicide",
        "korean": "suicide",
        "aga": "suicide",
        "new-zealand": "legal",
        "ing": "legal",
    }
    # White was to play in this position, until White passed: now Black would bring that back.
    board = board_of(".O. O.. ...")
    board.play(WHITE, None)
    assert board.is_legal(BLACK, (0, 0), "new-zealand") is Verdict.SITUATIONAL_REPEAT


def test_suicide_of_several_stones() -> None:
    board = board_of(".OX OXX .X.")
    assert board.is_legal(WHITE, (0, 2), "aga") is Verdict.LEGAL
    board = board_of(".OX XX. ...")
    assert board.is_legal(WHITE, (0, 0), "tromp-taylor").legal
    assert board.is_legal(WHITE, (0, 0), "japanese").reason == "suicide"
    # What captures is no suicide.
    board = board_of(".OX OX. X..")
    assert set(reasons(board, BLACK, (0, 0)).values()) == {"legal"}


def test_ko() -> None:
    board = board_of(".XO. X.XO .XO. ....")
    assert board.play(WHITE, (1, 1)) == 1
    assert reasons(board, BLACK, (2, 1)) == {
        "permissive": "legal",
        "tromp-taylor": "positional-repeat",
        "chinese": "ko-recapture",
        "japanese": "ko-recapture",
        "korean": "ko-recapture",
        "aga": "situational-repeat",
        "new-zealand": "situational-repeat",
        "ing": "ko-recapture",
    }
    # Nobody made the start with a stone.
    assert board.is_legal(BLACK, (2, 1), NATURAL)
    # A threat and its answer.
    board.play(BLACK, (3, 3))
    board.play(WHITE, (3, 2))
    assert set(reasons(board, BLACK, (2, 1)).values()) == {"legal"}


def test_a_ko_after_a_pass() -> None:
    """Sensei's Library, "Natural Situational Superko Rule": Black plays, White passes, Black takes the ko."""
    board = board_of(".OX. O.OX .OX. ....")
    board.play(BLACK, (0, 3))
    board.play(WHITE, None)
    board.play(BLACK, (1, 1))
    verdicts = [board.is_legal(WHITE, (2, 1), each).reason for each in ("tromp-taylor", "aga", NATURAL, "japanese")]
    assert verdicts == ["positional-repeat", "situational-repeat", "legal", "ko-recapture"]


def test_a_new_past_begins_with_an_edit() -> None:
    board = board_of(".XO. X.XO .XO. ....")
    board.play(BLACK, (0, 3))
    board.play(WHITE, (1, 1))
    assert not board.is_legal(BLACK, (2, 1), "aga")
    assert not board.is_legal(BLACK, (2, 1), "japanese")
    board.edit([(BLACK, (3, 3))])
    board.edit([(0, (3, 3))])
    assert set(reasons(board, BLACK, (2, 1)).values()) == {"legal"}
    board.undo()
    board.play(WHITE, (1, 1))
    assert not board.is_legal(BLACK, (2, 1), "aga")


def stones_without_a_hash() -> list[tuple[int, int]]:
    """Return points of a 19 x 19 board whose black stones change its hash by nothing, by elimination over bits."""
    empty = Board(19).hash
    reduced: dict[int, tuple[int, int]] = {}
    for number in range(361):
        board = Board(19)
        board.play(BLACK, (number % 19, number // 19))
        key, chosen = board.hash ^ empty, 1 << number
        while key and key.bit_length() in reduced:
            other, together = reduced[key.bit_length()]
            key, chosen = key ^ other, chosen ^ together
        if key == 0:
            return [(n % 19, n // 19) for n in range(361) if chosen >> n & 1]
        reduced[key.bit_length()] = key, chosen
    raise AssertionError("361 numbers of 64 bits depend on each other")


def test_positions_that_share_a_hash() -> None:
    """A hash is 64 bits, and anybody can find positions that share one: the stones decide."""
    points = stones_without_a_hash()
    board = Board(19)
    for point in points[:-1]:
        board.play(BLACK, point)
        board.play(WHITE, None)
    for ko in Ko:
        assert board.is_legal(BLACK, points[-1], Rules(name=ko.name, ko=ko, suicide=True)).legal
    board.play(BLACK, points[-1])
    assert board.hash == Board(19).hash
    assert board != Board(19)


@pytest.mark.parametrize("ko", [Ko.POSITIONAL, Ko.SITUATIONAL, Ko.NATURAL])
def test_a_long_game_of_passes(ko: Ko) -> None:
    """Every ply is the same position: a look-up does not walk through them all."""
    board = board_of(".O O.")
    each = Rules(name="each", ko=ko, suicide=True)
    for color in [BLACK, WHITE] * 1000 + [BLACK] * 30_000:
        board.play(color, None)
    assert board.is_legal(BLACK, (0, 0), each).legal == (ko is Ko.NATURAL)
    for _ in range(300):
        board.play(BLACK, None)
        assert board.is_legal(BLACK, (1, 1), each).legal == (ko is Ko.NATURAL)
    board.undo(30_000 + 300 + 1999)
    assert board.move_count == 1
    assert board.is_legal(WHITE, None, each)
    assert board.is_legal(BLACK, (0, 0), each).legal == (ko is not Ko.POSITIONAL)


@in_groups(
    ("name", "reported"),
    [
        ("chinese", ["Chinese", "chinese rules", " CN ", "中国规则", "中國規則", "中国围棋规则", "중국룰"]),
        (
            "japanese",
            ["Japanese", "jp", "Japanese Rules", "日本", "日本規則", "日本囲碁規約", "일본 규칙", "Nihon Ki-in"],
        ),
        ("korean", ["Korean", "kr", "韩国", "韓國規則", "한국룰"]),
        ("aga", ["AGA", "aga rules", "BGA", "French"]),
        ("new-zealand", ["NZ", "New Zealand", "new-zealand", "New_Zealand rules"]),
        ("ing", ["Ing", "GOE", "Ing Goe", "应氏规则", "應氏計點規則"]),
        ("tromp-taylor", ["Tromp-Taylor", "tromp taylor", "Tromp-Taylor Rules", "TrompTaylor"]),
    ],
)
def test_names_that_records_use(name: str, reported: list[str]) -> None:
    assert [rules.recognised(text) for text in [name, *reported]] == [NAMED[name]] * (1 + len(reported))


@in_groups("text", ["", "rules", "Old Chinese", "Tang (Japanese + group tax)", "permissive", "area", "规则"])
def test_names_that_are_not_known(text: str) -> None:
    assert rules.recognised(text) is None


def test_what_katago_writes() -> None:
    found = rules.recognised("koPOSITIONALscoreAREAtaxNONEsui1")
    assert found is not None
    assert (found.ko, found.suicide, found.scoring, found.seki) == (Ko.POSITIONAL, True, rules.Scoring.AREA, True)
    assert (found.dead, found.compensation) == (rules.Dead.NONE, rules.Compensation.NONE)
    assert found.name == "koPOSITIONALscoreAREAtaxNONEsui1"
    found = rules.recognised("koSIMPLEscoreTERRITORYtaxSEKIsui0whbN-1")
    assert found is not None
    assert (found.ko, found.suicide, found.scoring, found.seki) == (Ko.SIMPLE, False, rules.Scoring.TERRITORY, False)
    assert (found.dead, found.compensation) == (rules.Dead.CONFIRMED, rules.Compensation.EACH_BUT_ONE)
    each = rules.recognised(" koSIMPLEscoreAREAtaxNONEsui0whbN\n")
    assert each is not None
    assert (each.name, each.compensation) == ("koSIMPLEscoreAREAtaxNONEsui0whbN", rules.Compensation.EACH)
    agreed = rules.recognised("koSITUATIONALscoreAREAtaxNONEsui0fpok1")
    assert agreed is not None
    assert agreed.dead is rules.Dead.AGREED
    for text in ("koSIMPLEscoreAREAtaxALLsui0", "koSPIGHTscoreAREAtaxNONEsui0", "koSIMPLEscoreAREAtaxNONEsui0button1"):
        assert rules.recognised(text) is None


def test_repr_names_what_decides_a_game() -> None:
    reported = {name: repr(rule) for name, rule in rules.NAMED.items()}
    assert reported["japanese"] == "<wei7core.Rules japanese: simple ko, no suicide, territory scoring, komi 6.5>"
    assert reported["tromp-taylor"] == "<wei7core.Rules tromp-taylor: positional ko, suicide, area scoring>"
    assert reported["permissive"] == "<wei7core.Rules permissive: no ko rule, suicide, no score>"
    assert len(set(reported.values())) == len(reported)
