"""Live games: judged actions, the same on two sides, a journal that a kill at any byte leaves whole, clocks."""

from __future__ import annotations

import copy
import errno
import gc
import json
import os
import pickle
import random
import re
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from helpers.cases import in_groups
from helpers.effort import examples, first
from oracles import clock as clock_oracle

import wei7core as w7
from wei7core.play.live.clock import Clock, TimeLeft
from wei7core.rules import PERMISSIVE

BLACK, WHITE = 1, 2
REFUSED = w7.ActionRefusedError


def random_actions(seed: int, count: int) -> list[tuple]:
    """Actions of every kind, and some that are refused."""
    source = random.Random(seed)
    actions: list[tuple] = []
    for number in range(count):
        point = (source.randrange(5), source.randrange(6))
        kind = source.choice(["move"] * 6 + ["pass", "takeback", "message", "mark", "result"])
        action = {
            "move": w7.Move(1 + number % 2, point),
            "pass": w7.Move(1 + number % 2, None),
            "takeback": w7.Takeback(source.randrange(1, 4)),
            "message": w7.Message("a \u2028 \U0001f600 \"'\\ \x00 \n"),
            "mark": w7.MarkAction(point, source.choice("aZ9@?*")),
            "result": w7.Result(source.choice((1, 2, None)), source.choice((None, 0.5, 7, Decimal("3.5"), 0.25))),
        }[kind]
        time = source.choice((None, number, number + 0.25, number - 3, Decimal("1.10") + number))
        actions.append((action, source.choice((None, 0, 1)), time))
    return actions


def play_all(live: w7.LiveGame, actions: list[tuple]) -> int:
    refused = 0
    for action, actor, time in actions:
        before = (live.board, live.events)
        try:
            live.append(action, actor, time)
        except REFUSED as error:
            refused += 1
            assert (live.board, live.events) == before, "a refused action changes nothing"
            assert error.reason and error.clause
    return refused


def errors_of(game: w7.Game) -> list[w7.Problem]:
    return [problem for problem in game.check() if problem.severity == "error"]


@pytest.mark.parametrize("seed", range(4))
def test_both_sides_and_the_record_have_the_same_game(seed: int, tmp_path: Path) -> None:
    live = w7.LiveGame((5, 5), journal=tmp_path / "a.journal")
    assert play_all(live, random_actions(seed, 60)) > 5
    other = w7.LiveGame((5, 5))
    for event in live.events:
        assert other.apply(event.to_json())
        assert not other.apply(event), "once more does nothing"
    assert other.board == live.board and other.events == live.events
    recovered = w7.LiveGame.recover(tmp_path / "a.journal")
    assert recovered.events == live.events
    game = live.close()
    assert not errors_of(game) and w7.loads(w7.dumps(game)) == game == other.to_game()
    *_, end = game.main_line()
    assert end.board == live.board
    assert [step.action for step in game.tree.steps] == [event.action for event in live.events]


@pytest.mark.parametrize("point", [b"D4", [], {1, 2}, (1, 2, 3)])
def test_what_is_no_point_is_refused(point: Any) -> None:
    live = w7.LiveGame(100)
    with pytest.raises(w7.errors.ActionRefusedError, match="a point is"):
        live.append(point)
    assert not live.events


def test_actors_without_a_participant_are_no_problems() -> None:
    live = w7.LiveGame(9)
    live.append("D4", actor=0, time=1)
    live.append("E5", actor=2, time=2)
    for game in (live.to_game(), live.close()):
        assert (game.problems, len(game.info.participants), live.info.participants) == ((), 3, [])
        assert repr(game) == "<Game 9x9, 2 moves>" and w7.loads(w7.dumps(game)) == game


def test_kept_moves_are_not_for_the_garbage_collector() -> None:
    live = w7.LiveGame(19, rules="chinese", clock=w7.TimeSetting.absolute(100))
    events = [live.append(point, time=number) for number, point in enumerate(("D4", "Q16", "D16", None))]
    assert not any(map(gc.is_tracked, events))
    assert gc.collect() >= 0 and live.events == tuple(events) and [event.number for event in events] == [0, 1, 2, 3]


def test_events_come_in_their_order() -> None:
    live, other = w7.LiveGame(9), w7.LiveGame(9)
    first, second = live.append("D4"), live.append(("W", "E5"))
    with pytest.raises(REFUSED, match="event 1 came before event 0") as caught:
        other.apply(second)
    assert caught.value.reason == "order"
    assert other.apply(json.loads(first.to_json()))
    with pytest.raises(REFUSED) as caught:
        other.apply(w7.Event(0, w7.Move(BLACK, (0, 0))))
    assert caught.value.reason == "conflict"
    assert live.events_from(1) == [second]
    assert first.to_json() == (
        '{"number":0,"step":{"action":{"type":"move","value":{"color":1,"point":{"x":3,"y":5}}}}}'
    )


@in_groups(
    ("action", "actor", "time", "reason", "clause"),
    [
        (w7.Move(BLACK, (2, 2)), None, None, "occupied", "3.15.3.2.1.2"),
        (w7.Move(BLACK, (9, 0)), None, None, "off-board", "3.15.3.2.1.2"),
        (w7.Move(BLACK, "D4"), None, None, "syntax", "3.15.3.2.1.2"),
        (w7.Move(BLACK, (True, 1)), None, None, "syntax", "3.15.3.2.1.2"),
        (w7.Move(3, (0, 0)), None, None, "color", "3.15.3.2.1.1"),
        (w7.Move(BLACK, (0, 0), "good"), None, None, "syntax", "3.15.3.2.1"),
        (w7.Move(WHITE, (0, 0)), 0, None, "role", "3.10.7"),
        (w7.Move(WHITE, (0, 0)), 2, -1, "time", "3.15.3.1"),
        (w7.Move(WHITE, (0, 0)), 2, 86400, "time", "3.15.3.1"),
        (w7.Move(WHITE, (0, 0)), 2, float("nan"), "time", "3.15.3.1"),
        (w7.Move(WHITE, (0, 0)), 2, Decimal("NaN"), "time", "3.15.3.1"),
        (w7.Move(WHITE, (0, 0)), 3, None, "actor", "3.15.3.3"),
        (w7.Move(WHITE, (0, 0)), True, None, "actor", "3.15.3.3"),
        (w7.Takeback(2), None, None, "takeback", "3.15.3.2.2"),
        (w7.Takeback(0), None, None, "takeback", "3.15.3.2.2"),
        (w7.Message("\ud800"), None, None, "syntax", "3.15.3.2.5"),
        (w7.MarkAction((9, 9), "a"), None, None, "off-board", "3.6"),
        (w7.MarkAction((0, 0), "ab"), None, None, "syntax", "3.12"),
        (w7.Result(1, 0.25), None, None, "syntax", ""),
        (w7.Result(3), None, None, "syntax", ""),
        (w7.Result(1, extra={"a": b"1"}), None, None, "syntax", "3.8"),
        ("Z99", None, None, "syntax", "3.15.3.2.1"),
        ({"type": "move", "value": {"color": 1}}, None, None, "syntax", "3.15.3"),
        ({"type": "dance", "value": 1}, None, None, "syntax", "3.15.3.2"),
    ],
)
def test_a_refused_action_names_its_clause(action, actor, time, reason: str, clause: str) -> None:
    people = [w7.Participant("a"), w7.Participant("b"), w7.Participant("c")]
    info = w7.Info(participants=people, players=[w7.Player(0, BLACK), w7.Player(1, WHITE)])
    live = w7.LiveGame(9, info=info)
    live.append(w7.Move(BLACK, (2, 2)), actor=2)
    with pytest.raises(REFUSED) as caught:
        live.append(action, actor, time)
    assert caught.value.reason == reason
    assert caught.value.clause.startswith(clause) and caught.value.clause in str(caught.value)
    assert len(live) == 1 and live.board.move_count == 1
    assert pickle.loads(pickle.dumps(caught.value)).reason == reason


@in_groups("text", ["", "[]", "{", '{"number": -1, "step": {}}', '{"number": 0, "step": {"x": 1}}', "[" * 99999])
def test_nonsense_is_no_event(text: str) -> None:
    with pytest.raises(REFUSED):
        w7.LiveGame(9).apply(text)


def test_rules_are_asked() -> None:
    live = w7.LiveGame(5, rules="japanese")
    for point in ((1, 0), (0, 0), (0, 2), (1, 1), (3, 4), (0, 1)):
        live.append(point)
    live.append(("B", (4, 4)))
    free = w7.LiveGame(2)
    for live, verdict in ((free, True), (w7.LiveGame(2, rules="japanese"), False)):
        for color, point in (("B", "A1"), ("B", "B2")):
            live.append((color, point))
        if verdict:
            live.append(("W", "A2"))
            assert live.board[0, 0] == 0, "suicide"
        else:
            with pytest.raises(REFUSED, match="japanese rules forbid the move"):
                live.append(("W", "A2"))


# --- the journal ---


def test_a_journal_is_whole_after_a_kill_at_any_byte(tmp_path: Path) -> None:
    path, cut = tmp_path / "a.journal", tmp_path / "cut.journal"
    live = w7.LiveGame(5, journal=path)
    first = path.stat().st_size
    play_all(live, random_actions(1, 6))
    data, room = re.fullmatch(rb"([^\0]*)(\0*)", path.read_bytes()).groups()
    cut.write_bytes(data + room)
    again = w7.LiveGame.recover(cut)
    assert again.events == live.events
    assert cut.read_bytes() == data + room, "to read a journal changes nothing"
    again.close()
    assert cut.read_bytes() == data + b'{"end":true}\n', "room that was reserved is no part of the journal"
    ends = [index for index in range(first, len(data) + 1) if index == first or data[index - 1 : index] == b"\n"]
    for size in range(len(data) + 1):
        cut.write_bytes(data[:size])
        if size < first:
            with pytest.raises(ValueError, match="first line"):
                w7.LiveGame.recover(cut)
            continue
        again = w7.LiveGame.recover(cut)
        count = sum(end <= size for end in ends) - 1
        assert again.events == live.events[:count]
        if size % 16:
            continue
        again.append(w7.Message("on"))
        assert w7.LiveGame.recover(cut).events == again.events
        assert not errors_of(again.close())
        assert w7.LiveGame.recover(cut).closed


def test_a_journal_belongs_to_one_game(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    w7.LiveGame(9, journal=path).close()
    with pytest.raises(FileExistsError):
        w7.LiveGame(9, journal=path)
    (tmp_path / "b").write_text('{"format": "other"}\n')
    with pytest.raises(ValueError, match="not a journal"):
        w7.LiveGame.recover(tmp_path / "b")
    with pytest.raises(FileNotFoundError):
        w7.LiveGame.recover(tmp_path / "c")
    path.write_bytes(path.read_bytes().replace(b'{"end":true}\n', b'{"number":0}\n'))
    with pytest.raises(ValueError, match=r"a\.journal, line 2: the event lacks"):
        w7.LiveGame.recover(path)


def test_one_game_at_a_time_writes_to_a_journal(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    live = w7.LiveGame(9, journal=path)
    live.append("D4")
    early, other = w7.LiveGame.recover(path), w7.LiveGame.recover(path)
    data = path.read_bytes()
    if os.name == "posix":
        with pytest.raises(OSError, match="another game writes to the journal"):
            other.append("E5")
        assert path.read_bytes() == data and len(other) == 1
    del live
    other.append("E5")
    del other
    with pytest.raises(OSError, match="another game went on with the journal"):
        early.append("F6")
    assert [str(event.action.point) for event in w7.LiveGame.recover(path).events] == ["(3, 5)", "(4, 4)"]


def in_a_copy_of_the_process(act) -> str:
    """Fork, and return what `act` returns or raises in the child."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, str(act()).encode())
        except BaseException as error:
            os.write(writing, str(error).encode())
        os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with open(reading, encoding="utf-8") as file:
        return file.read()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # of threads of the test run
@pytest.mark.parametrize("sync", [False, True])
def test_a_copy_of_the_process_does_not_write_to_the_journal(tmp_path: Path, sync: bool) -> None:
    path = tmp_path / "a.journal"
    live = w7.LiveGame(9, journal=path, sync=sync)
    live.append("D4")
    before = path.read_bytes()
    for act in (lambda: live.append("E5"), live.close):
        assert "another game writes to the journal" in in_a_copy_of_the_process(act)
    assert path.read_bytes() == before
    live.append("F6")
    assert [str(event.action.point) for event in w7.LiveGame.recover(path).events] == ["(3, 5)", "(5, 3)"]


def test_a_live_game_is_not_copied(tmp_path: Path) -> None:
    live = w7.LiveGame(9, journal=tmp_path / "a.journal")
    for act in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="a live game cannot be copied or pickled"):
            act(live)


def test_a_journal_that_cannot_be_written_refuses_the_action(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    live = w7.LiveGame(9, journal=tmp_path / "a.journal", clock=w7.TimeSetting.absolute(60), sync=True)
    live.append("D4", time=1)
    size = (tmp_path / "a.journal").stat().st_size
    import os

    def fails(file: int, data: bytes) -> int:
        write(file, data[:5])
        raise OSError(28, "No space left on device")

    write = os.write
    for action in ("E5", w7.Takeback(1), w7.Message("x")):
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", fails)
            with pytest.raises(OSError, match="No space"):
                live.append(action, time=5)
        assert (len(live), live.board.moves(), live.to_play) == (1, [(BLACK, (3, 5))], WHITE)
        assert live.time_left(WHITE, 1).main == 60
        assert (tmp_path / "a.journal").stat().st_size == size
    live.append("E5", time=5)
    assert w7.LiveGame.recover(tmp_path / "a.journal").events == live.events


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="the system reserves no room for files")
def test_a_journal_without_room_refuses_the_action(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.journal"
    live = w7.LiveGame(9, journal=path)
    live.append("D4")
    live.append(w7.Message("x" * (path.stat().st_size - 2000)))

    def fails(file: int, begin: int, size: int) -> None:
        os.ftruncate(file, size)
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "posix_fallocate", fails)
        while True:
            events, moves = live.events, live.board.moves()
            try:
                live.append(w7.Move(WHITE, None))
            except OSError as error:
                assert error.errno == errno.ENOSPC
                break
        assert 10 < len(events) < 40
        assert (live.events, live.board.moves()) == (events, moves)
        while True:  # shorter ones, until they too have no room
            try:
                live.append(w7.Message(""))
            except OSError:
                break
        events, moves = live.events, live.board.moves()
        for action in (w7.Takeback(1), w7.Message("y" * 3000)):
            with pytest.raises(OSError, match="No space"):
                live.append(action, 9999, 1 / 3)
            assert (live.events, live.board.moves()) == (events, moves)
    for number in range(1000):
        live.append(w7.Move(1 + number % 2, None), 1, number / 2)
    recovered = w7.LiveGame.recover(shutil.copy(path, tmp_path / "copy"))
    assert recovered.events == live.events
    assert live.close() == recovered.close()
    assert path.read_bytes() == (tmp_path / "copy").read_bytes()


@pytest.mark.parametrize("code", [errno.EOPNOTSUPP, errno.EINVAL])
def test_a_journal_where_the_system_reserves_no_room(tmp_path: Path, monkeypatch, code: int) -> None:
    def fails(*_: int) -> None:
        raise OSError(code, "no")

    monkeypatch.setattr(os, "posix_fallocate", fails, raising=False)
    live = w7.LiveGame(9, journal=tmp_path / "a.journal")
    play_all(live, random_actions(3, 60))
    assert b"\0" not in (tmp_path / "a.journal").read_bytes()
    assert w7.LiveGame.recover(tmp_path / "a.journal").events == live.events


def test_a_journal_with_a_hole_is_read_up_to_it(tmp_path: Path) -> None:
    """A crash of the machine may lose a page before another one, if nothing was synced."""
    path = tmp_path / "a.journal"
    live = w7.LiveGame(9, journal=path)
    play_all(live, random_actions(2, 60))
    data = path.read_bytes()
    hole = data.index(b'{"number":20,') + 5
    path.write_bytes(data[:hole] + b"\0" * 100 + data[hole + 100 :])
    assert w7.LiveGame.recover(path).events == live.events[:20]


TIMES = (None, 0, 7, 86399, 0.25, 1e-7, 86399.5, 5e-324, 3.0)


@pytest.mark.parametrize("size", [(1, 1), (5, 7), (300, 4)])
def test_a_plain_move_is_written_as_any_other(size: tuple[int, int], tmp_path: Path) -> None:
    """Plain moves have a way of their own; with rules they do not take it, and everything is the same."""
    plain = w7.LiveGame(size, journal=tmp_path / "plain")
    judged = w7.LiveGame(size, journal=tmp_path / "judged", rules=PERMISSIVE)
    source = random.Random(3)
    for number in range(120):
        point = source.choice([None, (source.randrange(size[0] + 1), source.randrange(-1, size[1]))])
        move = w7.Move(source.randrange(4), point)
        if source.random() < 0.1:
            move = w7.Takeback(1)
        arguments = (move, source.choice((None, 0, 3, 9999, 10000, -1, 1 << 70)), source.choice(TIMES))
        found = []
        for live in (plain, judged):
            try:
                found.append(live.append(*arguments))
            except REFUSED as error:
                found.append((str(error), error.reason))
        assert found[0] == found[1]
        assert plain.board == judged.board and plain.board.moves() == judged.board.moves()
        assert number < 3 or len(plain) > 0
    lines = [(tmp_path / name).read_bytes().rstrip(b"\0").splitlines(True)[1:] for name in ("plain", "judged")]
    assert lines[0] == lines[1] == [f"{event.to_json()}\n".encode() for event in plain.events]
    assert pickle.loads(pickle.dumps(plain.events)) == judged.events


def test_who_takes_part_rules_and_clock_are_kept(tmp_path: Path) -> None:
    info = w7.Info(participants=[w7.Participant("李"), w7.Participant("b")], players=[w7.Player(0, WHITE)])
    setting = w7.TimeSetting.byo_yomi(10, 3, 5.5)
    w7.LiveGame((5, 7), journal=tmp_path / "a", info=info, rules="chinese", clock=setting, first=WHITE).append(
        "A1", 0, 3
    )
    live = w7.LiveGame.recover(tmp_path / "a")
    assert (live.size, live.info, live.rules.name, live.clock.setting) == ((5, 7), info, "chinese", setting)
    assert (live.board[0, 6], live.to_play, live.time_left(WHITE, 9)) == (WHITE, BLACK, TimeLeft(7.0, 5.5, 3))
    assert live.close().info.participants[0].name == "李"


def test_actors_without_names_become_participants() -> None:
    live = w7.LiveGame(9)
    live.append("D4", actor=1)
    game = live.close()
    assert len(game.info.participants) == 2
    assert w7.loads(w7.dumps(game)) == game
    with pytest.raises(REFUSED, match="closed"):
        live.append("E5")


def test_marks_expire() -> None:
    live = w7.LiveGame(9)
    for time, symbol in ((1, "a"), (1.5, "b"), (4, "c")):
        live.append(w7.MarkAction((0, 0), symbol), time=time)
    assert [[mark.symbol for mark in live.marks(time)] for time in (0.5, 1.5, 2, 2.4, 3, 4.5)] == [
        [],
        ["a", "b"],
        ["b"],
        ["b"],
        [],
        ["c"],
    ]


def test_a_mark_with_a_time_that_goes_back_is_shown_when_it_was_made():
    live = w7.LiveGame(9)
    live.append(w7.Message("late"), time=10)
    live.append(w7.MarkAction((1, 1), "a"), time=3)
    live.append(w7.MarkAction((2, 2), "b"), time=10.5)
    assert [[mark.symbol for mark in live.marks(time)] for time in (3.5, 10, 10.5, 11, 11.4, 12)] == [
        [], ["a"], ["a", "b"], ["b"], ["b"], []
    ]  # fmt: skip


# --- clocks ---


def clock_after(setting: w7.TimeSetting, *thoughts: float) -> list[TimeLeft]:
    """What Black has after each of its moves, for which it thought so long; White answers at once."""
    clock, now, found = Clock(setting), 0.0, []
    for seconds in thoughts:
        now += seconds
        clock.move(BLACK, now)
        found.append(clock.left(BLACK, now))
        clock.move(WHITE, now)
    return found


def test_clocks_of_each_kind() -> None:
    kinds = w7.TimeSetting
    assert [left.main for left in clock_after(kinds.absolute(10), 4, 6)] == [6, 0]
    assert [left.main for left in clock_after(kinds.fischer(10, 5, 12), 4, 1, 12)] == [11, 12, 5]
    byo = clock_after(kinds.byo_yomi(10, 3, 30), 4, 10, 30, 31, 30)
    assert [(left.main, left.periods, left.seconds) for left in byo] == [
        (6, 3, 30),
        (0, 3, 30),
        (0, 3, 30),
        (0, 2, 30),
        (0, 2, 30),
    ]
    canadian = clock_after(kinds.canadian(10, 2, 30), 10.5, 20, 5, 25)
    assert [(left.main, left.stones, left.seconds) for left in canadian] == [
        (0, 1, 29.5),
        (0, 2, 30),
        (0, 1, 25),
        (0, 2, 30),
    ]


@pytest.mark.parametrize(
    ("setting", "last"),
    [
        (w7.TimeSetting.absolute(10), 10),
        (w7.TimeSetting.fischer(10, 5), 10),
        (w7.TimeSetting.byo_yomi(10, 3, 30), 100),
        (w7.TimeSetting.canadian(10, 5, 30), 40),
    ],
)
def test_a_move_is_in_time_up_to_the_last_moment(setting: w7.TimeSetting, last: float) -> None:
    live = w7.LiveGame(9, clock=setting)
    assert live.clock.expired(last) is None
    assert live.clock.expired(last + 0.001) == BLACK
    with pytest.raises(REFUSED, match="Black has lost on time") as caught:
        live.append("D4", time=last + 0.001)
    assert caught.value.reason == "time"
    live.append("D4", time=last)
    assert live.time_left(WHITE, last).expired is False
    with pytest.raises(REFUSED, match="has a time"):
        live.append("E5")


def test_the_clock_of_the_turn_runs() -> None:
    live = w7.LiveGame(9, clock=w7.TimeSetting.absolute(60))
    live.append("D4", time=10)
    live.append(w7.Message("hm"), time=12)
    live.append("E5", time=30)
    assert (live.time_left(BLACK, 35).main, live.time_left(WHITE, 35).main) == (45, 40)
    live.append("F6", time=20)
    assert live.time_left(BLACK, 30).main == 50, "an earlier time is the same moment"
    with pytest.raises(REFUSED):
        live.append("F6", time=40)
    assert live.time_left(WHITE, 40).main == 30, "a refused move stops no clock"


CLOCKS = (
    w7.TimeSetting.absolute(20),
    w7.TimeSetting.absolute(0),
    w7.TimeSetting.fischer(5, 2.5),
    w7.TimeSetting.fischer(5, 2.5, 6),
    w7.TimeSetting.fischer(9, 1, 3),
    w7.TimeSetting.byo_yomi(4, 3, 2.5),
    w7.TimeSetting.byo_yomi(0, 9, 0.1),
    w7.TimeSetting.canadian(4, 3, 5),
    w7.TimeSetting.canadian(0, 1, 1.5),
)


@pytest.mark.parametrize("setting", CLOCKS, ids=str)
def test_clocks_are_those_of_the_slow_twin(setting: w7.TimeSetting) -> None:
    def outcome(clock: Any, method: str, color: int, time: float) -> Any:
        try:
            return getattr(clock, method)(color, time)
        except ValueError as error:
            return str(error)

    rng = random.Random(repr(setting))
    over = 0
    for _ in range(examples(200)):
        first = rng.choice((BLACK, WHITE))
        clock, twin, now = Clock(setting, first), clock_oracle.Clock(setting, first), 0.0
        begin = clock.state
        for _ in range(30):
            now += rng.choice((0.0, -0.5, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, rng.random(), 3 * rng.random()))
            call = rng.choice(("move", "move", "move", "take_back")), rng.choice((BLACK, WHITE)), now
            found = outcome(clock, *call)
            assert found == outcome(twin, *call)
            over += found is not None
            assert (clock.running, clock.since) == (twin.running, twin.since)
            for time in (now, now + 0.1, now + 2.5, now + 1000):
                assert [clock.left(color, time) for color in (1, 2)] == [twin.left(color, time) for color in (1, 2)]
                assert clock.expired(time) == twin.expired(time)
        state = clock.state
        clock.state = begin
        assert clock.state == begin == Clock(setting, first).state
        with pytest.raises(ValueError, match="another clock"):
            clock.state = state[1:]
        clock.state = state
        assert clock.state == state and clock.left(BLACK, now) == twin.left(BLACK, now)
    assert over


@pytest.mark.parametrize("wrong", [(-1, 1, 1), (float("nan"), 1, 1), (1, 0, 1), (1, 1, 0), (1, 2.5, 1), (1, 10**10, 1)])
def test_wrong_clocks_are_refused(wrong: tuple) -> None:
    with pytest.raises(ValueError, match=r"clock|byo-yomi"):
        w7.TimeSetting.byo_yomi(*wrong)


def test_a_takeback_lets_the_clock_of_its_turn_run() -> None:
    live = w7.LiveGame(9, clock=w7.TimeSetting.absolute(60))
    live.append("D4", time=10)
    live.append(w7.Takeback(1), time=15)
    assert live.to_play == BLACK
    assert (live.time_left(BLACK, 25).main, live.time_left(WHITE, 25).main) == (40, 55)
    live.append("E5", time=25)
    assert (live.time_left(BLACK, 30).main, live.time_left(WHITE, 30).main) == (40, 50)
    with pytest.raises(REFUSED, match="White has lost on time") as caught:
        live.append(w7.Takeback(1), time=100)
    assert (caught.value.reason, caught.value.clause) == ("time", "3.15.3.1")


OPTIONS = [
    {},
    {"rules": "chinese"},
    {"rules": "japanese", "clock": w7.TimeSetting.byo_yomi(20, 3, 9)},
    {"clock": w7.TimeSetting.canadian(30, 5, 10)},
    {"rules": "tromp-taylor", "clock": w7.TimeSetting.fischer(15, 6, 30)},
    {"rules": "aga", "clock": w7.TimeSetting.absolute(500)},
]


NONSENSE = [
    *(w7.Move(color, point) for color, point in [(3, (0, 0)), (1, (5, 0)), (2, (0, -1)), (True, (0, 0)), (1, "A1")]),
    *(w7.Move(1, point) for point in [(0.0, 0), [0, 0]]),
    *(w7.Takeback(count) for count in (0, 10**6, True)),
    *(w7.Message(text) for text in (5, "\ud800")),
    *(w7.MarkAction(point, symbol) for point, symbol in [((9, 9), "a"), ((0, 0), "ab")]),
    *(w7.Result(winner, margin) for winner, margin in [(3, None), (1, -1)]),
    *({}, {"type": "x"}, 7, None, "Z99", "A1", (1, "D4"), ("W", "B2")),
]
WRONG_TIMES = [-1, float("nan"), float("inf"), "1", True, 10**30, None]


def actions_and_nonsense(seed: int) -> list[tuple]:
    """Actions of every kind, many of which no game takes, whatever its rules and clock."""
    source = random.Random(seed)
    actions: list[tuple] = []
    for number, (action, actor, time) in enumerate(random_actions(seed, 300)):
        taken = source.choice(NONSENSE) if source.random() < 0.3 else action
        time = source.choice([time, number, source.choice(WRONG_TIMES)])  # noqa: PLW2901
        actions.append((taken, source.choice([actor, 0, 1, 2, -1, True, "0"]), time))
    return actions


def state_of(live: w7.LiveGame, journal: Path) -> tuple:
    clock = None if live.clock is None else live.clock.state
    lines = journal.read_bytes().rstrip(b"\x00")
    game = (live.board, live.board.moves(), live.events, len(live), live.to_play, clock, live._line.time)
    return (*game, live.closed, lines)


def outcome(live: w7.LiveGame, action: object, actor: object, time: object) -> tuple:
    try:
        return (live.append(action, actor, time),)
    except REFUSED as error:
        return error.reason, error.clause, str(error)


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "plain")
@pytest.mark.parametrize("seed", first(1, range(3)))
def test_a_refused_action_changes_nothing_and_plain_moves_are_judged_as_any_other(
    seed: int, options: dict, tmp_path: Path
) -> None:
    journals = tmp_path / "0", tmp_path / "1"
    live, other = (w7.LiveGame((5, 6), journal=journal, **options) for journal in journals)
    other._line.kind = None  # so that nothing is added but by `_add`
    taken = refused = 0
    before = state_of(live, journals[0])
    for action, actor, time in actions_and_nonsense(seed):
        found = outcome(live, action, actor, time)
        assert found == outcome(other, action, actor, time)
        state = state_of(live, journals[0])
        assert state == state_of(other, journals[1])
        if len(found) == 1:
            taken += 1
            before = state
            continue
        refused += 1
        assert state == before
        assert found[0]
        assert found[1], found
    assert taken > 20
    assert refused > 100
    recovered = w7.LiveGame.recover(journals[0])
    assert state_of(recovered, journals[0])[:7] == before[:7]
    live.close()
    other.close()
