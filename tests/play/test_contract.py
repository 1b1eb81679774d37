"""The calls that programs rely on, with the arguments and results that they were promised."""

import asyncio
import json
import sys
from pathlib import Path

import wei7core as w7

STUB = Path(__file__).resolve().parent.parent / "samples" / "stub_katago.py"
GTP_STUB = STUB.with_name("gtp_stub.py")
PROBLEM = b"(;SZ[9]AB[cc]AW[dd]PL[B];B[ce]C[good](;W[ef];B[eg]C[RIGHT])(;W[fe];B[ge]C[RIGHT]))"


def test_attempts() -> None:
    game = w7.loads(PROBLEM)
    a = w7.Attempt(game, branch=None, seed=0)
    r = a.play("C5")
    assert (r.verdict, r.comment, a.solved, a.over) == ("continue", "good", False, False)
    assert r.reply in ((4, 5), (5, 4))
    assert {w7.Attempt(game, seed=seed).play("C5").reply for seed in range(20)} == {(4, 5), (5, 4)}
    last = a.play((4, 6) if r.reply == (4, 5) else (6, 4))
    assert (last.verdict, last.reply, a.solved, a.over) == ("right", None, True, True)
    assert w7.Attempt(game).play("A1").verdict in ("unknown", "wrong")


def test_live_games(tmp_path: Path) -> None:
    live = w7.LiveGame(9, journal=tmp_path / "journal")
    event = live.append("D4", actor=None, time=None)
    other = w7.LiveGame(9)
    text = event.to_json()
    assert json.loads(text)["step"]["action"]["type"] == "move"
    assert (other.apply(text), other.apply(text)) == (True, False)
    live.append(("W", "E5"), actor=0, time=3.5)
    game = live.close()
    assert isinstance(game, w7.Game)
    assert [node.move for node in game.main_line() if node.move] == [(1, (3, 5)), (2, (4, 4))]
    assert w7.LiveGame.recover(tmp_path / "journal").board == live.board


def test_engines() -> None:
    async def main() -> None:
        assert isinstance(w7.gtp.Engine, type)
        async with w7.gtp.Client([sys.executable, str(GTP_STUB), "well"], timeout=20) as client:
            assert await client.send("echo b") == "b"
        game = w7.loads(b"(;SZ[9];B[ee];W[ef])")
        async with w7.analysis.KataGo([sys.executable, str(STUB)]) as katago:
            assert [row.turn for row in await katago.query(game, turns=[2, 0])] == [2, 0]
            assert len(await katago.query([(1, (3, 3))])) == 1
            found = [(row.game, row.turn) async for row in katago.analyze([game, game], every=1)]
        assert sorted(found) == [(number, turn) for number in (0, 1) for turn in (0, 1, 2)]

    asyncio.run(main())
