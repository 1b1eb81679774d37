"""The controller side of GTP, against an engine that misbehaves, a bot of our own, and GNU Go."""

import asyncio
import contextlib
import os
import random
import signal
import sys
import textwrap
from itertools import islice
from pathlib import Path

import pytest
from helpers.asynchronous import run_async
from helpers.gnugo import GNUGO, needs_gnugo
from samples import corpus, gtp_stub

import wei7core as w7
from wei7core import gtp
from wei7core.play.engine_process import arguments_of
from wei7core.play.gtp.set_up import Session

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def stub(mode):
    return [sys.executable, "-S", "-E", gtp_stub.__file__, mode]


def client_of(mode, **options):
    return gtp.Client(stub(mode), **{"timeout": 20.0, "quit_timeout": 0.3, **options})


def is_running(pid):
    """Whether the system has an entry of the process, a zombie included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def bot(tmp_path, code):
    path = tmp_path / "bot.py"
    path.write_text(
        "import time\nimport wei7core as w7\nengine = w7.gtp.Engine()\n" + textwrap.dedent(code) + "\nengine.run()\n"
    )
    return gtp.Client([sys.executable, str(path)], timeout=300.0)


@pytest.mark.parametrize("color", [0, 3, None, "green"])
@run_async
async def test_what_is_no_color_is_not_sent(color):
    client = client_of("well")
    for asked in (client.genmove(color), client.play(color, "D4")):
        with pytest.raises(ValueError, match="a color is"):
            await asked


# --- an engine that misbehaves --------------------------------------------------------------------------

ANSWERING = [
    "well", "late", "bytes", "no-id", "noise", "stderr", "stubborn", "binary", "twice", "crlf", "talks-first",
]  # fmt: skip


@pytest.mark.parametrize("mode", ANSWERING)
@run_async
async def test_answers_are_those_of_their_commands(mode):
    async with client_of(mode) as client:
        assert [await client.send(f"echo {number}") for number in range(5)] == [str(number) for number in range(5)]
        with pytest.raises(w7.CommandError, match="refused 'fail': refused"):
            await client.send("fail")
        assert await client.send("echo after  it") == "after it"
    assert not is_running(client.pid)


@pytest.mark.parametrize(
    ("mode", "kind", "message"),
    [
        ("wrong-id", w7.EngineError, "answered 'echo 1', which has the id 1, with the id 99999: '1'"),
        ("dies-at-once", w7.EngineDiedError, "ended with status 3; last line of standard error: no network file"),
        ("dies", w7.EngineDiedError, "ended with status 7; last line of standard error: out of memory"),
        ("dies-in-answer", w7.EngineDiedError, "ended with status 1"),
        ("silent", w7.EngineTimeoutError, "did not answer 'echo 1' within 0.5 s"),
        ("skips", w7.EngineTimeoutError, "did not answer 'echo 1' within 0.5 s"),
        ("swaps", w7.EngineTimeoutError, "did not answer 'echo 1' within 0.5 s"),
        ("closes-output", w7.EngineTimeoutError, "did not answer"),
        ("closes-input", w7.EngineTimeoutError, "did not answer"),
        ("endless-line", w7.EngineDiedError, "wrote a line of more than 16777216 bytes"),
        ("endless-answer", w7.EngineError, "more than 16777216 characters|did not answer"),
        ("orphan", w7.EngineDiedError, "ended with status 0"),
        ("error", w7.CommandError, "refused 'echo 1': refused"),
    ],
)
@run_async
async def test_misbehaviour_is_an_error_that_says_what(mode, kind, message):
    async with client_of(mode, timeout=0.5 if kind is w7.EngineTimeoutError else 120.0) as client:
        with pytest.raises(kind, match=message) as caught:
            await client.send("echo 1")
        assert caught.value.command == "echo 1"
        assert caught.value.engine == client.name
        assert "\n" not in str(caught.value)
    assert not is_running(client.pid)


@run_async
async def test_an_answer_without_its_empty_line():
    for timeout in (0.5, 4.0, 32.0):  # a loaded machine may need longer to start the engine
        async with client_of("one-line-end", timeout=timeout) as client:
            with pytest.raises(w7.EngineTimeoutError, match=f"within {timeout:g} s") as caught:
                await client.send("echo 1")
        if "; it wrote" in str(caught.value):
            break
    assert str(caught.value).endswith("s; it wrote '1', and no empty line after it")


@POSIX
@run_async
async def test_a_crash_names_the_signal():
    async with client_of("crashes") as client:
        with pytest.raises(w7.EngineDiedError, match="was ended by SIGABRT"):
            await client.send("echo 1")
    assert client.returncode == -signal.SIGABRT


def test_every_mode_of_the_stub_is_tried():
    tried = {*ANSWERING, "crashes", "one-line-end"}
    parameters = test_misbehaviour_is_an_error_that_says_what.pytestmark[0].args[1]
    assert tried | {mode for mode, *_ in parameters} == set(gtp_stub.MODES)


@pytest.mark.parametrize("mode", ["skips", "swaps", "late"])
@run_async
async def test_a_late_answer_is_never_taken_for_another(mode):
    async with client_of(mode, timeout=0.1 if mode == "late" else 0.3) as client:
        found = []
        for number in range(6):
            with contextlib.suppress(w7.EngineTimeoutError):
                found.append((str(number), await client.send(f"echo {number}")))
            if mode == "late":
                await asyncio.sleep(0.3)
        assert all(asked == answered for asked, answered in found)
        client.timeout = 20.0
        if mode == "late":
            assert await client.send("echo last") == "last"


@run_async
async def test_a_closed_output_ends_the_engine():
    async with client_of("closes-output") as client:
        with pytest.raises(w7.EngineDiedError, match="closed its output"):
            await client.send("echo 1")
        assert not client.is_alive


# --- commands of several tasks --------------------------------------------------------------------------


@run_async
async def test_commands_are_sent_in_the_order_of_the_calls():
    async with client_of("well") as client:
        answers = await asyncio.gather(*(client.send(f"echo {number}") for number in range(300)))
        assert answers == [str(number) for number in range(300)]


@run_async
async def test_a_cancelled_command_leaves_the_others_alone():
    async with client_of("late") as client:
        tasks = [asyncio.ensure_future(client.send(f"echo {number}")) for number in range(5)]
        await asyncio.sleep(0.25)
        tasks[1].cancel()
        tasks[3].cancel()
        answers = await asyncio.gather(*tasks, return_exceptions=True)
        assert [answers[number] for number in (0, 2, 4)] == ["0", "2", "4"]
        assert all(isinstance(answers[number], asyncio.CancelledError) for number in (1, 3))
        assert await client.send("echo 5") == "5"


@run_async
async def test_closing_fails_commands_that_wait():
    client = client_of("silent")
    async with client:
        tasks = [asyncio.ensure_future(client.send(f"echo {number}")) for number in range(5)]
        await asyncio.sleep(0.05)
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(answer, w7.EngineDiedError) for answer in answers), answers
    with pytest.raises(w7.EngineDiedError):
        await client.send("name")
    await client.close()


@pytest.mark.parametrize("moment", [0.0, 0.01, 0.1, 0.35])
@run_async
async def test_closing_that_is_cancelled_ends_the_engine_all_the_same(moment):
    client = client_of("stubborn")
    await client.start()
    await client.send("echo 1")
    task = asyncio.ensure_future(client.close())
    await asyncio.sleep(moment)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not is_running(client.pid)


@run_async
async def test_a_start_that_is_cancelled_leaves_no_process():
    for moment in (0, 0.0005, 0.001, 0.003):
        client = client_of("well")
        task = asyncio.ensure_future(client.start())
        await asyncio.sleep(moment)
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        await client.close()
        assert client.pid is None or not is_running(client.pid)


@pytest.mark.parametrize("end", ["close", "kill"])
@pytest.mark.parametrize("turns", range(6))
@run_async
async def test_an_engine_that_is_closed_while_it_starts_is_ended(turns, end):
    client = client_of("stubborn", quit_timeout=0.05)
    starting = asyncio.ensure_future(client.start())
    for _ in range(turns):
        await asyncio.sleep(0)
    if end == "kill":
        client.kill()
    await asyncio.wait_for(client.close(), 20)
    with contextlib.suppress(w7.EngineError):
        await asyncio.wait_for(starting, 20)
    await asyncio.wait_for(client.close(), 20)
    assert not client.is_alive
    assert client.pid is None or not is_running(client.pid)


@run_async
async def test_a_program_that_is_not_there_while_the_client_is_closed():
    client = gtp.Client("no-such-engine")
    starting = asyncio.ensure_future(client.start())
    await asyncio.sleep(0)
    await asyncio.wait_for(client.close(), 20)
    with pytest.raises(OSError, match="no-such-engine"):
        await starting


@run_async
async def test_a_program_that_is_not_there():
    client = gtp.Client("/no/such/engine --mode gtp")
    with pytest.raises(FileNotFoundError):
        async with client:
            pass
    with pytest.raises(w7.EngineDiedError, match="engine is not running"):
        await client.send("name")


@POSIX
@run_async
async def test_children_of_the_engine_are_ended_too(tmp_path):
    script = f"{sys.executable} -c 'import time; time.sleep(1000)' & echo $! > {tmp_path}/pid; exec cat"
    async with gtp.Client(["sh", "-c", script], quit_timeout=0.2) as client:
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():
            await asyncio.sleep(0.01)
        child = int((tmp_path / "pid").read_text())
        assert is_running(child)
    assert not is_running(client.pid)
    for _ in range(30_000):  # the child of another process is reaped by init, whenever that gets to it
        if not is_running(child) or "Z" in Path(f"/proc/{child}/stat").read_text().split()[2]:
            break
        await asyncio.sleep(0.01)
    else:
        raise AssertionError("the child runs")


@pytest.mark.parametrize(
    "command",
    ["", "  ", "# x", "12 name", "name\nquit", "name\rquit", "echo a#b", "echo \x00", "echo \x7f"],
)
@run_async
async def test_what_is_no_command(command):
    async with client_of("well") as client:
        with pytest.raises(ValueError, match=r"command|ignore"):
            await client.send(command)


def test_command_lines():
    assert arguments_of("gnugo --mode gtp") == ["gnugo", "--mode", "gtp"]
    assert arguments_of(["gnugo", "--mode gtp"]) == ["gnugo", "--mode gtp"]
    with pytest.raises(ValueError, match="empty"):
        arguments_of([])
    if os.name == "posix":
        assert arguments_of("katago -model 'my net.bin'") == ["katago", "-model", "my net.bin"]


# --- restarts -------------------------------------------------------------------------------------------

GAME = w7.loads(b"(;SZ[9]KM[5.5]RU[Chinese]HA[2]AB[cg][gc];W[ee];B[ef];W[];B[ff])")


@pytest.mark.exhaustive
@run_async
async def test_a_restart_brings_the_position_back(tmp_path):
    engine = bot(tmp_path, "engine.genmove(lambda board, color: next(iter(board.legal_points(color)), None))")
    async with engine as client:
        await client.set_up(GAME)
        await client.genmove(w7.WHITE)
        await client.play(w7.BLACK, (8, 8))
        await client.send("undo")
        before = await client.send("showboard"), await client.send("get_komi"), await client.send("kata-get-rules")
        first = client.pid
        await client.restart()
        assert client.pid != first
        assert (
            await client.send("showboard"),
            await client.send("get_komi"),
            await client.send("kata-get-rules"),
        ) == before
        assert before[1] == "5.5"
        assert not is_running(first)


@POSIX
@run_async
async def test_an_engine_that_dies_is_started_again(tmp_path):
    engine = bot(tmp_path, "")
    engine.restarts = 2
    async with engine as client:
        await client.send("boardsize 5")
        await client.send("play b c3")
        for left in (1, 0):
            os.kill(client.pid, signal.SIGKILL)
            with contextlib.suppress(w7.EngineDiedError):
                while client.is_alive:
                    await client.send("name")
            assert "(X)" in await client.send("showboard")
            assert client.restarts == left
        os.kill(client.pid, signal.SIGKILL)
        with pytest.raises(w7.EngineDiedError, match="was ended by SIGKILL"):
            for _ in range(100):
                await client.send("name")


def test_sessions():
    session = Session()
    assert session.commands() == []
    for command, answer in [
        ("boardsize 9", ""), ("komi 5", ""), ("komi 6", ""), ("play b a1", ""), ("boardsize 13", ""),
        ("place_free_handicap 2", "D4 K10"), ("genmove w", "C3"), ("play b d5", ""), ("undo", ""), ("name", "x"),
        ("genmove b", "resign"), ("kata-genmove_analyze b 5", "play A1"), ("time_settings 1 2 3", ""),
    ]:  # fmt: skip
        session.note(command, answer)
    assert session.commands() == [
        "boardsize 13",
        "clear_board",
        "komi 6",
        "time_settings 1 2 3",
        "set_free_handicap D4 K10",
        "play w C3",
        "play b A1",
    ]
    session.note("loadsgf x.sgf 5", "black")
    assert session.commands()[-1] == "loadsgf x.sgf 5"
    session.note("clear_board", "")
    assert session.commands()[-1] == "time_settings 1 2 3"


def test_a_session_after_a_record_was_loaded():
    session = Session()
    for command in ("komi 5", "loadsgf x.sgf", "play b a1", "komi 7.5", "undo", "undo", "undo", "play w c3"):
        session.note(command, "black" if command.startswith("loadsgf") else "")
    assert session.commands() == [
        "clear_board", "komi 7.5", "loadsgf x.sgf", "komi 7.5", "undo", "undo", "play w c3"
    ]  # fmt: skip


# --- analysis -------------------------------------------------------------------------------------------

ANALYST = """
@engine.analyze
def reports(board, request):
    visits = 0
    while not request.interrupted:
        visits += 1
        yield w7.gtp.Report([w7.gtp.MoveInfo((2, 2), visits, 0.5)], ownership=[0.5] * 361)
        if request.decides and visits == 3:
            return
        time.sleep(0.001)
"""


@run_async
async def test_an_analysis_is_left(tmp_path):
    async with bot(tmp_path, ANALYST) as client:
        for _ in range(3):
            visits = []
            async with contextlib.aclosing(client.analyze("b", interval=0.01, options="ownership true")) as reports:
                async for report in reports:
                    visits.append(report.moves[0].visits)
                    assert report.moves[0].move == (2, 2)
                    assert len(report.ownership) == 361
                    if len(visits) == 5:
                        break
            assert visits == sorted(visits)
            assert await client.send("name") == "wei7core"


@run_async
async def test_another_command_ends_an_analysis(tmp_path):
    async with bot(tmp_path, ANALYST) as client:
        first = asyncio.Event()

        async def watch():
            async for _ in client.analyze(w7.WHITE, interval=0.01):
                first.set()

        task = asyncio.ensure_future(watch())
        await first.wait()
        assert await client.send("name") == "wei7core"
        await task


@run_async
async def test_an_analysis_that_plays(tmp_path):
    async with bot(tmp_path, ANALYST) as client:
        lines = [line async for line in client.stream("lz-genmove_analyze b 1")]
        assert len(lines) == 4
        assert lines[-1] == "play C17"
        assert "C17" in await client.send("printsgf") or "[cc]" in await client.send("printsgf")
        with pytest.raises(w7.CommandError, match="unknown command"):
            async for _ in client.stream("castle"):
                pass


@run_async
async def test_nonsense_in_an_analysis(tmp_path):
    code = """
    @engine.command("kata-analyze")
    def nonsense(*words):
        return "info move D4 visits 3\\ninfo move nowhere"
    """
    async with bot(tmp_path, code) as client:
        with pytest.raises(w7.EngineError, match=r"an invalid analysis: .*info move nowhere") as caught:
            async for report in client.analyze("b"):
                assert report.moves[0].visits == 3
        assert caught.value.command == "kata-analyze B 50"


@run_async
async def test_an_analysis_that_stops_talking():
    async with client_of("silent") as client:
        with pytest.raises(w7.EngineTimeoutError, match=r"did not answer 'kata-analyze 50' within 0\.1 s"):
            async for _ in client.analyze(timeout=0.1):
                pass


@run_async
async def test_a_move_that_is_none(tmp_path):
    async with bot(tmp_path, "engine.command('genmove')(lambda color: 'castle')") as client:
        with pytest.raises(w7.EngineError, match="answered 'genmove B' with 'castle', which is not a move"):
            await client.genmove("black")


# --- GNU Go ---------------------------------------------------------------------------------------------


def gnugo():
    return gtp.Client([GNUGO, "--mode", "gtp", "--level", "1"], timeout=300.0)


async def stones(client):
    return {
        (x, y): color
        for color, name in ((1, "black"), (2, "white"))
        for x, y in (
            w7.coordinates.from_gtp(word, 19, 19) for word in (await client.send(f"list_stones {name}")).split()
        )
    }


@needs_gnugo
@run_async
async def test_gnu_go_plays(tmp_path):
    async with gnugo() as client:
        assert await client.send("name") == "GNU Go"
        assert "genmove" in await client.commands()
        await client.send("boardsize 9")
        board = w7.Board(9)
        for number in range(10):
            color = number % 2 + 1
            move = await client.genmove(color)
            assert board.is_legal(color, move, "japanese")
            board.play(color, move)


@needs_gnugo
@run_async
async def test_gnu_go_at_positions_of_a_game():
    async with gnugo() as client:
        for turn in (0, 1, 3, 4, None):
            await client.set_up(GAME, turn)
            found = (await client.send("list_stones black")).split(), (await client.send("list_stones white")).split()
            board = w7.Board(9)
            board.setup([(1, (2, 6)), (1, (6, 2))])
            for color, point in [(2, (4, 4)), (1, (4, 5)), (2, None), (1, (5, 5))][:turn]:
                board.play(color, point)
            for color, names in enumerate(found, start=1):
                points = {w7.coordinates.from_gtp(name, 9, 9) for name in names}
                assert points == {point for block in board.blocks(color) for point in block}
        assert await client.send("get_handicap") == "2"
        assert await client.send("get_komi") == "5.5"
        with pytest.raises(IndexError, match="turn 5 is out of range: the line has 4 moves"):
            await client.set_up(GAME, 5)


@pytest.mark.exhaustive
@needs_gnugo
@run_async
async def test_gnu_go_replays_real_games():
    games = islice(w7.load_all(corpus.require() / "tygem-dev.sgf.gz"), 40)
    rng = random.Random(3)
    async with gnugo() as client:
        for game in games:
            turn = rng.randrange(60, 150)
            *_, end = (node for node in game.main_line() if node.move_number <= turn)
            await client.set_up(game, turn)
            board = end.board
            assert await stones(client) == {
                point: color for color in (1, 2) for block in board.blocks(color) for point in block
            }
            assert await client.send("captures black") == str(board.white_captured)
