"""Records in the manner of servers and programs: nothing is reported that a user could not act upon.

And records that break off: whatever is left of one is read, and its moves are the first ones of the whole.
"""

from pathlib import Path

import pytest
from helpers.cases import in_groups
from helpers.effort import every

import wei7core as w7

EXAMPLES = Path(__file__).parent.parent / "data"

# Who writes so, the text, its encoding, what is reported, moves, komi, winner.
SAYS_NO_CHARSET = ["charset-assumed"]
DIALECTS = [
    ("Fox", "(;GM[1]FF[4]\nSZ[19]\nGN[]\nDT[2019-05-06]\nPB[柯洁]\nPW[x]\nBR[P9段]\nWR[9段]\nKM[375]HA[0]RU[Chinese]"
     "AP[GNU Go:3.8]RN[3]RE[B+R]TM[7200]TC[5]TT[60]AP[foxwq]RL[0]\n;B[pd];W[dp];B[];W[])",
     "utf-8", SAYS_NO_CHARSET, 4, 3.75, 1),
    ("Fox, handicap", "(;GM[1]FF[4]  SZ[19]  PB[x]  PW[y]  KM[650]HA[2]RU[Japanese]RE[W+0.02]AP[foxwq]"
     "AB[pd][dp]\n;W[dd])", "utf-8", [], 1, 6.5, 2),
    ("Fox, stones in a node", "(;GM[1]FF[4]SZ[19]KM[0]HA[2]RE[W+T]AP[GNU Go:3.8]AP[foxwq]\n;AB[pd][dp];W[dd])",
     "utf-8", [], 1, 0, 2),
    ("TYGEM", "(;FF[4]GM[1]SZ[19]CA[UTF-8]KM[6.5]GN[1]RE[W+Time]DT[2008-03-01];B[pd];W[];B[dp])",
     "utf-8", [], 3, 6.5, 2),
    ("TOM", "(;GM[1]SZ[19]TE[TOM]RD[2005-01-01]TM[30]LT[60]LC[3]KO[7.5]RE[B+Offline]US[];B[pd];W[tt])",
     "utf-8", [], 2, None, 1),
    ("MultiGo", "(;CA[gb2312]SZ[19]AP[MultiGo:4.4.4]PB[古力]PW[常昊]MULTIGOGM[1]\n;B[pd]C[好\\]];W[dp]DM[1])",
     "gb2312", [], 2, None, None),
    ("KataGo", "(;FF[4]GM[1]SZ[19]PB[b40]PW[b40]HA[0]KM[7.5]RU[koSIMPLEscoreAREAtaxNONEsui0whbN]RE[W+R]"
     "C[startTurnIdx=0,gtype=normal];B[pd]C[0.50 0.50 0.00 -0.3 v=100 weight=1.00];W[])", "utf-8", [], 2, 7.5, 2),
    ("Leela Zero", "(;GM[1]FF[4]RU[Chinese]DT[2018-01-01]SZ[19]KM[7.5]PW[Human]RE[B+Resign]\n\n;B[pd];W[tt];B[tt])",
     "utf-8", [], 3, 7.5, 1),
    ("GNU Go", "(;GM[1]FF[4]\nSZ[19]\nKM[5.5]HA[0]RU[Japanese]AP[GNU Go:3.8]RE[W+12.5]\n;B[pd]CR[aa]LB[bb:12];"
     "PL[B])", "utf-8", [], 1, 5.5, 2),
    ("KGS", "(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]\nRU[Japanese]SZ[19]KM[6.50]TM[1800]OT[5x30 byo-yomi]\n"
     "RE[W+Resign]\n;B[pd]BL[1795.12]\n;W[dp]WL[1780]OW[5]C[w [4k\\]: hi]KGSDE[aa][bb]KGSSB[]KGSSW[])",
     "utf-8", [], 2, 6.5, 2),
    ("OGS", "(;FF[4]\nCA[UTF-8]\nGM[1]\nPC[OGS: https://online-go.com/game/1]\nSZ[19]KM[6.5]RU[AGA]RE[W+T];B[pd]\n"
     "(;W[dp]\n(;B[pp]\n(;W[]\n))))", "utf-8", [], 4, 6.5, 2),
    ("Lizzie", "(;KM[7.5]AP[Lizzie: 0.7.4]SZ[19]CA[UTF-8];B[pd]LZ[0.7 52.3 1.6k\nmove Q16 visits 1];W[dp]DZ[G];"
     "MN[-1]AB[aa])", "utf-8", [], 2, 7.5, None),
    ("Sabaki", "(;GM[1]FF[4]CA[UTF-8]AP[Sabaki:0.52.2]KM[6.5]SZ[19]SBKV[51.2];B[pd]SBKV[50.1];W[dp]HO[2])",
     "utf-8", [], 2, 6.5, None),
    ("IGS", "(;GM[1]FF[1]SZ[19]HA[0]KM[5.5]OS[1]AW[];B[qd]BL[600]OB[-1];W[tt]WL[600])", "utf-8", [], 2, 5.5, None),
    ("Yike",
     "(;GM[1]FF[4]CA[UTF-8]SZ[19]EV[联赛]DT[2021-03-04]PB[甲]BR[九段]PW[乙]WR[八段]KM[3.75]RU[中国]RE[黑胜1/4子]"
     "AP[yike];B[pd];W[dp];B[];W[])", "utf-8", [], 4, 3.75, 1),
    ("Golaxy", "(;FF[4]GM[1]CA[UTF-8]SZ[19]PB[甲]PW[golaxy]KM[7.5]RU[chinese]RE[白中盘胜]HA[0];B[pd];W[dp])",
     "utf-8", [], 2, 7.5, 2),
    ("KGS, days of a game",
     "(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]RU[Japanese]SZ[19]KM[6.50]TM[28800]OT[25/600 Canadian]"
     "DT[2006-05-01,02,06-03]RE[B+Time]\n;B[pd]BL[28795.5]OB[25];W[dp]WL[0]OW[3])", "utf-8", [], 2, 6.5, 1),
    ("OGS, a forked game",
     "(;FF[4]\nCA[UTF-8]\nGM[1]SZ[19]KM[6.5]RU[Japanese]\n;B[pd][dp]\nAW[dd]\n(;W[pp]\n(;B[cc]\n)))",
     "utf-8", ["values-too-many"], 2, 6.5, None),
    ("Wbaduk", "(;GM[1]FF[4]CA[UTF-8]SZ[19]KM[6.5]RE[B+0.0]HA[0]GC[];B[qd];W[dd]N[1])", "utf-8", [], 2, 6.5, 1),
]  # fmt: skip


@in_groups(
    ("text", "encoding", "codes", "moves", "komi", "winner"), [pytest.param(*row[1:], id=row[0]) for row in DIALECTS]
)
def test_dialects(text, encoding, codes, moves, komi, winner):
    data = text.encode(encoding)
    game = w7.loads(data)
    assert [problem.code for problem in game.problems] == codes
    (row,) = w7.replay([data])
    assert (row.moves, row.error) == (moves, None)
    assert (game.info.rules.komi if game.info.rules else None) == komi
    assert (game.info.result.winner if game.info.result else None) == winner
    # And none of it is lost on the way out.
    losses = []
    again = w7.loads(w7.dumps(game, format="sgf", losses=losses))
    assert losses == []
    assert again.info == game.info
    assert again.tree == game.tree


@in_groups(
    ("written", "komi"), [("0", 0), ("50", 0.5), ("325", 3.25), ("375", 3.75), ("650", 6.5), ("750", 7.5), ("6.5", 6.5)]
)
def test_komi_of_fox(written, komi):
    game = w7.loads(f"(;GM[1]FF[4]SZ[19]KM[{written}]HA[0]AP[foxwq];B[pd])")
    assert game.info.rules.komi == komi
    assert w7.loads(w7.dumps(game, format="sgf")).info.rules.komi == komi
    losses = []
    rules = w7.convert(game, "wei7", losses=losses).info.rules
    assert (rules and rules.komi) == (komi if 2 * komi % 1 == 0 else None)  # wei7 counts in halves
    expected = {"info-as-comment"} if "." in written or written == "0" else {"info-as-comment", "value-normalised"}
    assert {loss.code for loss in losses} == (expected if rules else {"info-as-comment", "komi-dropped"})


@pytest.mark.parametrize(("letters", "points"), [("R16", (16, 3)), ("t1", (18, 18)), ("A19", (0, 0)), ("", None)])
def test_points_of_smartgo(letters, points):
    game = w7.loads(f"(;GM[1]FF[4]SZ[19]AP[SmartGo:1.4.2];B[{letters}];W[C3])", strict=False)
    assert [node.step.action.point for node in list(game.main_line())[1:]] == [points, (2, 16)]
    assert {problem.severity for problem in game.problems} == {"warning"}


def test_days_of_a_game_of_kgs():
    game = w7.loads("(;GM[1]FF[4]SZ[19]DT[2006-05-01,02,06-03];B[pd])")
    assert game.root.facts.dates == ("2006-05-01", "2006-05-02", "2006-06-03")


def main_line(game):
    """The moves of the main line, as far as they could be read."""
    return [node.board.last_move for node in game.main_line() if isinstance(node.step and node.step.action, w7.Move)]


@pytest.mark.parametrize("path", every(3, sorted(EXAMPLES.rglob("*.sgf"))), ids=lambda path: path.stem)
def test_what_is_left_of_a_record_is_read(path):
    data = path.read_bytes()
    whole = main_line(w7.loads(data, strict=False))
    longest = 0
    for end in range(len(data) + 1):
        game = w7.loads(data[:end], strict=False)
        if game.record.format != "sgf":
            assert b"(;" not in data[: max(end - 8, 0)].replace(b"\0", b"")  # too little to tell
            continue
        moves = main_line(game)
        assert moves == whole[: len(moves)]
        assert len(moves) >= longest, "more text, fewer moves"
        longest = len(moves)
        assert main_line(w7.loads(w7.dumps(game, format="sgf"), strict=False)) == moves
    assert longest == len(whole)
