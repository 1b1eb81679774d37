"""KataGo's analysis protocol with a stand-in for the engine, which misbehaves in many ways."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import gc
import json
import pickle
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wei7core as w7
from wei7core.play.analysis.queries import position_members
from wei7core.play.analysis.rows import plain_row
from wei7core.play.lines_of_play import line_of

STUB = Path(__file__).resolve().parent.parent / "samples" / "stub_katago.py"
GAME = w7.loads(b"(;SZ[9]KM[6.5]RU[Chinese];B[dd];W[ff];B[];W[ce])")
MOVES = [(1, (3, 3)), (2, (5, 5)), (1, None), (2, (2, 4))]


def run(use: Callable[[w7.analysis.KataGo], Awaitable[Any]], mode: str = "good", **options: Any) -> Any:
    async def main() -> Any:
        async with w7.analysis.KataGo([sys.executable, "-S", STUB, mode], **{"timeout": 20, **options}) as katago:
            return await use(katago)

    return asyncio.run(main())


def test_rows_come_in_the_order_of_the_turns() -> None:
    rows = run(lambda katago: katago.query(GAME, turns=[3, 0, 4, 3]))
    assert [(row.turn, row.visits, row.color) for row in rows] == [(3, 403, 2), (0, 400, 1), (4, 404, 1), (3, 403, 2)]
    row = rows[0]
    assert (row.winrate, row.score_lead, row.error, row.ownership) == (0.7, 2.5, None, None)
    assert [(info.move, info.order, info.extra) for info in row.moves] == [((0, 8), 0, {"new": 1}), ((2, 4), 1, {})]
    assert row.best.pv == ((0, 8),)


def test_the_end_of_the_main_line_is_asked_by_default() -> None:
    async def use(katago: w7.analysis.KataGo) -> Any:
        return await katago.query(GAME), await katago.query([(1, (2, 2)), (2, None)], size=5, ownership=True)

    (end,), (moves,) = run(use)
    assert (end.turn, moves.turn, len(moves.ownership)) == (4, 2, 25)


def test_the_query_says_what_the_record_says(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict] = []
    monkeypatch.setattr(w7.analysis.KataGo, "is_alive", True)
    katago = w7.analysis.KataGo("x")
    monkeypatch.setattr(katago, "_send", lambda text: sent.append(json.loads(text)))
    handicap = w7.loads(b"(;SZ[9:13]HA[2]AB[cc][gg];W[ee];B[aa];AE[aa]AW[bb];W[dd])")

    async def ask() -> None:
        for game, turns, options in (
            (GAME, [0, 4], {"max_visits": 5}),
            (handicap, [0, 1, 2, 3], {"komi": 0.5, "rules": "japanese"}),
        ):
            asking = asyncio.ensure_future(katago.query(game, turns, **options))
            await asyncio.sleep(0)
            asking.cancel()

    asyncio.run(ask())
    sent = [query for query in sent if "action" not in query]
    assert sent[0] == {
        "id": "q1",
        "moves": [["B", "D6"], ["W", "F4"], ["B", "pass"], ["W", "C5"]],
        "initialPlayer": "B",
        "boardXSize": 9,
        "boardYSize": 9,
        "rules": "chinese",
        "komi": 6.5,
        "maxVisits": 5,
        "analyzeTurns": [0, 4],
    }
    first, second = sent[1:]
    assert first["initialStones"] == [["B", "C11"], ["B", "G7"]] and first["initialPlayer"] == "W"
    assert (first["moves"], first["analyzeTurns"]) == ([["W", "E9"], ["B", "A13"]], [0, 1])
    assert ["W", "B12"] in second["initialStones"] and ["B", "A13"] not in second["initialStones"]
    assert (second["moves"], second["analyzeTurns"], second["komi"]) == ([["W", "D10"]], [0, 1], 0.5)


@pytest.mark.parametrize(
    ("record", "player"),
    [
        ("(;SZ[9])", "B"),
        ("(;SZ[9]HA[1])", "B"),
        ("(;SZ[9]HA[2]AB[cc][gg])", "W"),
        ("(;SZ[9]AB[cc]AW[gg]PL[W])", "W"),
        ("(;SZ[9];B[cc];W[gg];B[cg];AE[cg])", "W"),
        ("(;SZ[9];B[cc];W[gg];AW[cg]PL[W])", "W"),
        ("(;SZ[9];W[gg];AE[gg])", "B"),
        ("(;SZ[9];AB[cc]PL[B];W[gg])", "W"),
    ],
)
def test_who_plays_where_no_move_follows(record: str, player: str) -> None:
    line = line_of(w7.loads(record))
    members = json.loads(f"{{{position_members(line, line.at(line.turns))}}}")
    assert members["initialPlayer"] == player


def test_a_turn_that_the_game_has_not_is_not_sent() -> None:
    with pytest.raises(IndexError):
        run(lambda katago: katago.query(GAME, turns=[5]))


@pytest.mark.parametrize("mode", ["noise", "twice", "searching", "warning", "late", "pieces", "flood"])
def test_an_engine_that_says_more_than_it_should_is_understood(mode: str) -> None:
    warnings: list[str] = []
    rows = run(lambda katago: katago.query(GAME, turns=[1, 2]), mode, on_warning=warnings.append)
    assert [row.visits for row in rows] == [401, 402]
    assert warnings == (["spam: unused"] * 2 if mode == "warning" else [])
    (row,) = run(lambda katago: katago.query(MOVES, turns=[1], size=9), mode)
    assert (row.turn, row.visits) == (1, 401)


@pytest.mark.parametrize(
    ("mode", "kind", "text"),
    [
        ("syntax", w7.EngineDiedError, "sent invalid JSON"),
        ("no-turn", w7.EngineError, "without a turn"),
        ("other-turn", w7.EngineError, "turn 77, which was not requested"),
        ("no-moves", w7.EngineError, "moveInfos is not a list"),
        ("odd-move", w7.EngineError, "Z99"),
        ("odd-number", w7.EngineError, "winrate is not a number: 'high'"),
        ("nan", w7.EngineError, "winrate is not a number: nan"),
        ("short-ownership", w7.EngineError, "ownership has 1 numbers for 9 x 9 points"),
        ("refused", w7.EngineError, "refused the query: rules: bad rules"),
        ("refused-all", w7.EngineDiedError, "what is this"),
        ("none", w7.EngineError, "has no result for turn 1"),
        ("dies", w7.EngineDiedError, "status 3; last line of standard error: out of memory"),
        ("silent", w7.EngineTimeoutError, "within 0.3 s"),
        ("array", w7.EngineTimeoutError, "within 0.3 s"),
    ],
)
def test_an_engine_that_answers_wrongly_is_an_error(mode: str, kind: type[Exception], text: str) -> None:
    timeout = 0.3 if kind is w7.EngineTimeoutError else 120
    for game in (GAME, MOVES):
        with pytest.raises(kind, match=text.replace("(", r"\(")) as caught:
            run(lambda katago: katago.query(game, turns=[1], size=9, timeout=timeout), mode)  # noqa: B023 - called at once
        assert type(caught.value) is kind


@pytest.mark.parametrize("mode", ["refused", "odd-number", "none"])
def test_one_position_that_the_engine_refuses_is_a_row(mode: str) -> None:
    async def use(katago: w7.analysis.KataGo) -> Any:
        return [row async for row in katago.analyze([MOVES, MOVES], every=9, size=9)], katago._queries

    rows, queries = run(use, mode)
    assert sorted(row.game for row in rows) == [0, 1] and not queries
    assert all(row.error and row.turn is None for row in rows)


def test_one_refused_query_does_not_end_the_others() -> None:
    async def use(katago: w7.analysis.KataGo) -> Any:
        return await asyncio.gather(
            katago.query(GAME, turns=[1]), katago.query(GAME, turns=[9]), katago.query(GAME), return_exceptions=True
        )

    first, second, third = run(use)
    assert (first[0].turn, third[0].turn) == (1, 4)
    assert isinstance(second, IndexError)


def test_what_is_given_up_is_terminated() -> None:
    async def use(katago: w7.analysis.KataGo) -> Any:
        task = asyncio.ensure_future(katago.query(GAME, turns=[0]))
        await asyncio.sleep(0.05)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        with contextlib.suppress(w7.EngineTimeoutError):
            await katago.query(GAME, turns=[0], timeout=0.05)
        with contextlib.suppress(w7.EngineTimeoutError):
            await katago.query(MOVES, turns=[0], timeout=0.05)
        katago.query(MOVES, turns=[0]).cancel()
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(anext(aiter(katago.analyze([MOVES], every=9))), 0.05)
        assert not katago._queries
        assert await katago.version() == "1.99"
        return katago.stderr

    assert [line.strip() for line in run(use, "silent")] == [f"terminate q{number}" for number in range(1, 6)]


def test_many_games_are_analyzed_in_any_order() -> None:
    games = [GAME, [(1, (0, 0))], w7.loads(b"(;SZ[9])"), GAME]

    async def use(katago: w7.analysis.KataGo) -> Any:
        return [row async for row in katago.analyze(games, every=2, done={(0, 2)}, size=9)]

    expected = {(0, 0), (0, 4), (1, 0), (2, 0), (3, 0), (3, 2), (3, 4)}
    rows = run(use)
    assert {(row.game, row.turn) for row in rows} == expected and len(rows) == len(expected)
    columns = w7.analysis.columns(sorted(rows, key=lambda row: (row.game, row.turn)))
    assert columns["turn"] == [0, 4, 0, 0, 0, 2, 4]
    assert columns["move"] == ["A1"] * 7
    assert columns["error"] == [None] * 7


def test_no_more_games_are_with_the_engine_than_allowed() -> None:
    taken = 0

    def games() -> Any:
        nonlocal taken
        for _ in range(12):
            taken += 1
            yield [(1, (0, 0))]

    async def use(katago: w7.analysis.KataGo) -> Any:
        most, found = 0, 0
        async for _ in katago.analyze(games(), in_flight=3):
            found += 1
            most = max(most, len(katago._queries))
        return most, found

    most, found = run(use)
    assert (taken, found) == (12, 24)
    assert most <= 3


def test_a_refused_game_is_a_row_and_a_dead_engine_an_error() -> None:
    async def use(katago: w7.analysis.KataGo) -> Any:
        return [row async for row in katago.analyze([GAME, GAME], every=4)]

    rows = run(use, "refused")
    assert [(row.game, row.turn, "bad rules" in row.error) for row in rows] == [(0, None, True), (1, None, True)]
    with pytest.raises(w7.EngineDiedError):
        run(use, "dies")


def test_a_loop_that_is_left_terminates_the_rest() -> None:
    async def use(katago: w7.analysis.KataGo) -> Any:
        async with contextlib.aclosing(katago.analyze([GAME] * 50, in_flight=8)) as rows:
            async for _ in rows:
                break
        assert not katago._queries
        return await katago.version()

    assert run(use) == "1.99"


def test_an_engine_that_stays_is_killed_and_queries_end() -> None:
    async def main() -> None:
        katago = w7.analysis.KataGo([sys.executable, "-S", STUB, "stays"], quit_timeout=0.1)
        with pytest.raises(w7.EngineDiedError):
            await katago.query(GAME)
        await katago.start()
        with pytest.raises(w7.EngineError, match="running already"):
            await katago.start()
        task = asyncio.ensure_future(katago.query(GAME, turns=[0]))
        await task
        await katago.close()
        assert not katago.is_alive
        with pytest.raises(w7.EngineDiedError):
            await katago.query(GAME)

    asyncio.run(main())


@pytest.mark.parametrize("wrong", [{"every": 0}, {"in_flight": 0}])
def test_wrong_numbers_are_refused(wrong: dict) -> None:
    async def use(katago: w7.analysis.KataGo) -> Any:
        return [row async for row in katago.analyze([GAME], **wrong)]

    with pytest.raises(ValueError, match="1 or more"):
        run(use)


def test_a_program_that_is_not_there() -> None:
    async def main() -> None:
        await w7.analysis.KataGo("no-such-katago analysis").start()

    with pytest.raises(OSError, match="no-such-katago"):
        asyncio.run(main())


def test_a_query_is_a_future_and_a_coroutine() -> None:
    async def use(katago: w7.analysis.KataGo) -> Any:
        first, second, third = katago.query(GAME), asyncio.create_task(katago.query(GAME, [0])), katago.query(GAME, [])
        assert (await asyncio.wait_for(first, 20))[0].turn == 4 and (await second)[0].turn == 0 and await third == []
        assert first.done() and await first == first.result()
        closed = katago.query(GAME)
        closed.close()
        cancelled = asyncio.create_task(katago.query(GAME))
        cancelled.cancel()  # before its first step
        with pytest.raises(asyncio.CancelledError):
            await cancelled
        assert closed.cancelled() and not katago._queries
        return await asyncio.gather(*(katago.query(GAME, [turn, 0, turn]) for turn in range(4)))

    found = run(use)
    assert [[row.turn for row in rows] for rows in found] == [[turn, 0, turn] for turn in range(4)]


def test_a_row_is_read_when_it_is_looked_at() -> None:
    def ask() -> Any:
        return run(lambda katago: katago.query(GAME, turns=[3], ownership=True))[0]

    row = ask()
    numbers = {"visits": row.visits, "winrate": row.winrate, "score_lead": row.score_lead}
    place = {"game": 0, "turn": 3, "color": 2, "size": (9, 9)}
    made = w7.analysis.Row(row.moves, **numbers, ownership=[0.5] * 81, extra=row.extra, **place)
    assert ask() == made and repr(ask()) == repr(made)
    assert copy.deepcopy(ask()) == made and pickle.loads(pickle.dumps(ask())) == made
    changed = ask()
    changed.visits, changed.moves = 1, []
    assert (changed.visits, changed.moves, changed.best, changed.winrate) == (1, [], None, 0.7)
    with pytest.raises(AttributeError, match="no attribute 'visit'"):
        changed.visit  # noqa: B018
    with pytest.raises(AttributeError):
        w7.analysis.Row().unread  # noqa: B018


def test_lists_and_whole_numbers_of_other_types_are_taken() -> None:
    moves = [[1, [0, 0]], [2, None]]
    (row,) = run(lambda katago: katago.query(moves, np.array([2]), size=(5, 7)))
    assert (row.turn, row.visits, row.size) == (2, 202, (5, 7))


def test_a_game_that_cannot_be_sent_is_a_row() -> None:
    async def use(katago: w7.analysis.KataGo) -> Any:
        wrong = [[(3, (0, 0))], [(1, (9, 9))], [(1, "D4")], [(1, (0, 0, 0))]]
        return [row.error async for row in katago.analyze(wrong, size=9)]

    color, place, *others = run(use)
    assert "a color is 1 or 2, not 3" in color and "off the" in place and len(others) == 2


def test_an_odd_player_is_none() -> None:
    root = (1, None, None, None, None, {"currentPlayer": [1]})
    row = plain_row(("q1", 0, False, b"[]", root, None, None), (9, 9), 0, 0)
    assert row.color is None and row.visits == 1


def test_rows_are_not_walked_by_the_garbage_collector() -> None:
    async def use(katago: w7.analysis.KataGo) -> Any:
        return [row async for row in katago.analyze([MOVES] * 3, size=9)]

    rows = run(use)
    assert len(rows) == 15 and sum(map(gc.is_tracked, rows)) <= 1  # the first one of a size is read otherwise
    assert gc.collect() >= 0 and {row.visits for row in rows} == {400, 401, 402, 403, 404}


def test_the_time_of_a_query_begins_when_it_is_sent() -> None:
    def slow() -> Any:
        for _ in range(3):
            time.sleep(0.3)
            yield MOVES

    async def use(katago: w7.analysis.KataGo) -> Any:
        return [row async for row in katago.analyze(slow(), every=9, size=9)]

    assert [row.error for row in run(use, timeout=0.5)] == [None] * 3
