"""The findings of a check about moves after branches, takebacks and set-up stones, and about unplayable moves."""

import json

import pytest
from samples.checking_cases import step, wei7

from wei7core import check
from wei7core.checking.legality import latest_early_pass

HEAD = "(;GM[1]FF[4]SZ[5]KM[6.5]RE[B+R]"
BACK = {"action": {"type": "takeback", "value": 1}}


def reported(text: str | bytes) -> list[tuple[str, str | None, int | None]]:
    data = text if isinstance(text, bytes) else (HEAD + text + ")").encode()
    found = check(data, severity="info", ignore="games")
    return [(one.code, one.branch, one.move_number) for one in found]


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (";B[aa];W[bb](;B[cc])(;B[dd];W[ee])", []),
        (";B[aa];W[bb](;B[cc];W[ee])(;B[dd])", [("resign-side-mismatch", None, None)]),
        (";B[aa];W[bb](;B[cc](;W[ee];B[ba])(;W[ab]))(;B[dd];W[ee])", []),
        (";B[aa];W[bb](;B[cc](;W[ee])(;W[ab];B[ba]))(;B[dd])", [("resign-side-mismatch", None, None)]),
    ],
)
def test_the_result_is_that_of_the_main_line(moves, expected):
    assert reported(moves) == expected


def test_turns_on_each_branch():
    assert reported(";B[aa];W[bb](;B[cc](;W[ee];B[da])(;B[db]))(;W[dd];W[ee])(;B[dd])") == [
        ("turn-order", "0.1", 4),
        ("turn-order", "1", 3),
        ("turn-order", "1", 4),
    ]


def test_turns_after_takebacks():
    moves = [step(1, 0, 0), step(2, 1, 1), BACK]
    (result, turn, other) = reported(wei7([*moves, step(1, 2, 2), step(2, 3, 3), step(2, 4, 4)]))
    assert (turn, other) == (("turn-order", "-", 2), ("turn-order", "-", 4))
    assert reported(wei7([*moves, step(2, 2, 2)])) == [result] == [("resign-side-mismatch", None, None)]
    assert reported(wei7([*moves, step(2, 2, 2), step(1, 3, 3)])) == []


def test_turns_after_stones_that_were_set_up():
    """Where White has stones only the record can state who is to play; from the first move on colors alternate."""
    start = ("start-position-mismatch", "-", None)
    assert reported("AB[aa]AW[bb]PL[W];W[cc];B[dd]") == reported("AB[aa]AW[bb]PL[B];B[cc];W[dd];B[ee]") == [start]
    assert reported("AB[aa]AW[bb]PL[B];W[cc];B[dd]") == [start, ("first-player-mismatch", "-", 1)]
    assert reported("AB[aa]AW[bb];W[cc];B[dd]") == reported("AB[aa]AW[bb];B[cc];W[dd];B[ee]") == [start]
    assert reported("AB[aa]AW[bb];B[cc];W[dd];W[ee];B[de]") == [start, ("turn-order", "-", 3)]


@pytest.mark.parametrize("stated", ["AW[bb]", "PL[B]", "PL[W]C[x]", "AE[cc]PL[ White ]"])
def test_turns_after_a_setup_in_a_variation(stated):
    """Any color may play first after stones, or the player to move, were set up, in each of the variations."""

    def turns(moves):
        return [row for row in reported(moves) if row[0] in ("turn-order", "first-player-mismatch")]

    assert turns(f";B[aa];{stated};B[cc];W[dd];W[ee]") == [("turn-order", "-", 4)]
    assert turns(f";B[aa];{stated}(;B[cc])(;B[dd];W[ed])(;W[dd];W[ee])") == [("turn-order", "2", 3)]
    assert turns(f";B[aa](;{stated};B[cc](;W[dd])(;B[dd]))(;B[dd])") == [
        ("turn-order", "0.1", 3),
        ("turn-order", "1", 2),
    ]
    assert turns(f";{stated}(;W[cc])(;B[dd];B[ee])") == [("turn-order", "1", 2)]


def test_turns_after_what_states_the_player_with_a_move():
    found = reported(";B[aa]PL[B];B[cc];W[dd]PL[X];W[ee]")
    assert [row for row in found if row[0] == "turn-order"] == [("turn-order", "-", 4)]
    asks, first, second = (json.loads(wei7([step(1, place, place)])) for place in range(3))
    asks["tree"]["steps"][0]["action"]["value"]["problem"] = {"color": 1}
    for game, branches in (
        (asks, [first["tree"], second["tree"]]),
        (json.loads(wei7([step(1, 0, 0)])), [{"pre": {"problem": {"color": 1}}, **first["tree"]}] * 2),
    ):
        game["tree"]["branches"] = branches
        found = check(json.dumps(game).encode(), revision=2, ignore="games")
        assert not [one for one in found if one.code == "turn-order"]


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("HA[1];W[bb];B[cc]", [("format-breach", None, None), ("first-player-mismatch", "-", 1)]),
        ("HA[1];B[bb];W[cc];B[aa]", [("format-breach", None, None)]),
        ("HA[2];B[bb];W[];B[aa];W[cc];B[ab]", []),
        ("HA[2];B[bb];B[aa];W[];B[ab]", [("pass-early", "-", 3)]),
        ("HA[2];B[bb];B[aa];W[cc];W[dd];B[ab]", [("turn-order", "-", 4)]),
    ],
)
def test_moves_of_a_handicap(moves, expected):
    assert reported(moves) == expected


def test_nothing_is_reported_after_a_move_that_cannot_be_played():
    second, code = "W[zz]", "move-off-board"
    assert reported(f";B[aa];{second};W[cc];B[aa](;B[aa];W[aa])(;B[bb];B[cc])") == [(code, "-", 2)]
    assert reported(f";B[aa](;{second};W[cc](;B[aa])(;B[bb]))(;W[bb];B[cc])") == [(code, "0", 2)]


@pytest.mark.parametrize("select", [None, "moves", "move-off-board"])
def test_further_moves_off_the_board_are_reported_by_the_same_code(select):
    sgf = b"(;SZ[9]RE[B+R];B[aa]TR[zz];W[ss];B[bb];W[zz];B[cc]AB[xx](;W[xa])(;W[dd];B[ya]))"
    point, mark = '"point":{{"x":{0},"y":1}}', '"marks":[{{"point":{{"x":9,"y":1}},"symbol":"a"}}]'
    step = f'{{{{"action":{{{{"type":"move","value":{{{{"color":{{1}},{point}}}}}}}}},{mark}}}}}'
    wei7 = f"""{{"format":"wei7","version":"3.0","size":9,"info":{{"result":{{"winner":1}}}},"tree":{{"steps":[
        {step.format(1, 1)},{step.format(9, 2)},{step.format(2, 1)},{step.format(12, 2)}]}}}}"""
    xml = b"""<?xml version="1.0"?><wei7 version="2.2"><size>9</size><game><result winner="black"/></game><moves>
        <black x="0" y="0"/><white x="9" y="1"/><black x="2" y="2"/><white x="10" y="3"/></moves></wei7>"""
    ogs = b'{"game_id":1,"width":9,"height":9,"winner":1,"moves":[[0,0,1],[10,0,1],[1,1,1],[12,1,1]]}'
    for text, further in ((sgf, 3), (wei7.encode(), 1), (xml, 1), (ogs, 1)):
        found = [one for one in check(text, select=select) if "point-off-board" in one.evidence.values()]
        of_moves = [one for one in found if "marks" not in one.path]
        assert [(one.code, one.move_number) for one in of_moves] == [
            ("move-off-board", number) for number in [2] + [None] * further
        ]
        assert all(one.code == "format-breach" for one in found if "marks" in one.path)


def test_a_move_on_an_occupied_point_is_reported_and_the_line_continues():
    assert reported(";B[aa];W[aa];B[bb](;B[aa])(;W[bb])") == [
        ("move-occupied", "-", 2),
        ("move-occupied", "0", 4),
        ("turn-order", "0", 4),
        ("move-occupied", "1", 4),
    ]


def test_the_first_quarter_of_a_board_is_early():
    assert [latest_early_pass(points) for points in (1, 4, 25, 81, 361)] == [0, 1, 6, 20, 90]
