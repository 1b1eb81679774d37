"""The engine side of GTP."""

import io
import os
import random
import subprocess
import sys
import threading
import time

import pytest
from helpers.cases import in_groups
from helpers.effort import chances
from helpers.gnugo import GNUGO, needs_gnugo
from hypothesis import given
from hypothesis import strategies as st
from samples.characters import UNICODE

import wei7core as w7
from wei7core import gtp
from wei7core.board.handicap import fixed_handicap, most_fixed

REQUIRED = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
]
USUAL = [
    "undo",
    "loadsgf",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "final_score",
    "final_status_list",
    "showboard",
    "time_settings",
    "time_left",
    "reg_genmove",
    "kata-analyze",
    "lz-analyze",
    "kata-genmove_analyze",
    "lz-genmove_analyze",
]


def first_legal(board, color):
    return next(iter(board.legal_points(color, "tromp-taylor")), None)


@pytest.fixture
def engine():
    engine = gtp.Engine("tester", "7.1", size=9)
    engine.genmove(first_legal)
    return engine


def answers(engine, *lines):
    return [engine.execute(line) for line in lines]


def test_a_bot_has_every_required_command_and_the_usual_ones(engine):
    @engine.analyze
    def reports(_board, _request):
        yield []

    assert {*REQUIRED, *USUAL} <= set(engine.commands)
    assert engine.execute("list_commands") == "= " + "\n".join(engine.commands) + "\n\n"
    assert [engine.execute(f"known_command {name}") for name in REQUIRED] == ["= true\n\n"] * len(REQUIRED)
    assert engine.execute("known_command castle") == "= false\n\n"


def test_commands_that_have_no_handler_are_not_there():
    engine = gtp.Engine()
    assert not {"genmove", "reg_genmove", "kata-analyze"} & set(engine.commands)
    assert engine.execute("genmove b") == "? unknown command\n\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["protocol_version"], "= 2\n\n"),
        (["12 name"], "=12 tester\n\n"),
        (["version"], "= 7.1\n\n"),
        (["3 castle"], "?3 unknown command\n\n"),
        (["3"], "?3 unknown command\n\n"),
        (["# nothing"], ""),
        (["boardsize 13", "genmove b"], "= A13\n\n"),
        (["boardsize 0"], "? unacceptable size\n\n"),
        (["boardsize 26"], "? unacceptable size\n\n"),
        (["boardsize 9999999999999"], "? syntax error: boardsize: '9999999999999' is not an integer\n\n"),
        (["boardsize 5 3", "genmove b"], "= A3\n\n"),
        (["boardsize"], "? syntax error: boardsize takes int int?\n\n"),
        (["komi 6.5", "get_komi"], "= 6.5\n\n"),
        (["komi nan"], "? syntax error: komi: 'nan' is not a finite number\n\n"),
        (["komi x"], "? syntax error: komi: 'x' is not a finite number\n\n"),
        (["play b a1", "play b A1"], "? illegal move\n\n"),
        (["play b z1"], "? syntax error: play: the point 'z1' is off the 9 x 9 board\n\n"),
        (["play b"], "? syntax error: play takes color move\n\n"),
        (["play b a1 b1"], "? syntax error: play takes color move\n\n"),
        (["play b pass", "play white PASS"], "=\n\n"),
        (["undo"], "? cannot undo\n\n"),
        (["play b a9", "play w b9", "undo", "undo", "genmove w"], "= A9\n\n"),
        (["reg_genmove b", "reg_genmove b"], "= A9\n\n"),
        (["fixed_handicap 1"], "? invalid number of stones\n\n"),
        (["fixed_handicap 10"], "? invalid number of stones\n\n"),
        (["fixed_handicap 2"], "= G7 C3\n\n"),
        (["fixed_handicap 2", "fixed_handicap 2"], "? board not empty\n\n"),
        (["fixed_handicap 2", "undo"], "? cannot undo\n\n"),
        (["place_free_handicap 20"], "= C7 E7 G7 C5 E5 G5 C3 E3 G3\n\n"),
        (["set_free_handicap A1"], "? bad vertex list\n\n"),
        (["set_free_handicap A1 A1"], "? bad vertex list\n\n"),
        (["set_free_handicap A1 pass"], "? bad vertex list\n\n"),
        (["set_free_handicap A1 C4", "final_status_list alive"], "= C4\nA1\n\n"),
        (["play b a1", "set_free_handicap A1 C4"], "? board not empty\n\n"),
        (["play b a1", "clear_board", "set_free_handicap A1 C4"], "=\n\n"),
        (["set_position b A1 w A2", "final_status_list alive"], "= A2\nA1\n\n"),
        (["set_position b A1 w A2 w B1"], "? illegal position: "),
        (["set_position b A1 w"], "? syntax error: set_position takes a color and a vertex for each stone\n\n"),
        (["time_settings 60 10 1", "time_left b 55.5 0"], "=\n\n"),
        (["time_settings 60"], "? syntax error: time_settings takes int int int\n\n"),
        (["loadsgf /nowhere/at/all.sgf"], "? cannot load file\n\n"),
        (["final_status_list castle"], "? syntax error: final_status_list takes alive, dead or seki\n\n"),
        (["final_status_list seki"], "=\n\n"),
        (["kata-set-rules japanese", "kata-get-rules"], '= {"ko":"SIMPLE","scoring":"TERRITORY","tax":"SEKI"'),
        (["kata-set-rules castle"], "? unknown rules 'castle'\n\n"),
    ],
)
def test_answers(engine, lines, expected):
    assert answers(engine, *lines)[-1].startswith(expected)


def test_showboard(engine):
    engine.execute("boardsize 3")
    engine.execute("play b b2")
    assert engine.execute("showboard") == (
        "=\n  A B C\n3 . . . 3\n2 .(X). 2\n1 . . . 1\n  A B C\nBlack has captured 0, White 0\n\n"
    )


def test_ko_is_that_of_the_rules(engine):
    ko = ["boardsize 4", *(f"play {move}" for move in ("b b1", "w c1", "b a2", "w d2", "b b3", "w c3", "b c2", "w b2"))]
    assert answers(engine, *ko, "play b c2")[-1] == "? illegal move\n\n"
    engine.execute("kata-set-rules japanese")
    assert answers(engine, *ko, "play b pass", "play b c2")[-1] == "=\n\n"


@in_groups("size", [*range(1, 26)])
def test_fixed_handicap_is_symmetric(size):
    most = most_fixed(size, size)
    assert most == (0 if size < 7 else 4 if size % 2 == 0 or size == 7 else 9)
    for stones in range(2, most + 1):
        points = fixed_handicap(stones, size, size)
        assert len(set(points)) == stones
        if stones not in (3,):
            assert {(size - 1 - x, size - 1 - y) for x, y in points} == set(points)
    with pytest.raises(ValueError, match="handicap stones"):
        fixed_handicap(most + 1, size, size)


@needs_gnugo
def test_fixed_handicap_is_that_of_gnu_go():
    cases = [(size, stones) for size in range(5, 20) for stones in range(1, 11)]
    lines = [f"boardsize {size}\nclear_board\nfixed_handicap {stones}" for size, stones in cases]
    run = subprocess.run(
        [GNUGO, "--mode", "gtp"], input="\n".join([*lines, "quit\n"]), capture_output=True, text=True, check=False
    )
    found = [line for line in run.stdout.split("\n") if line][2::3]
    engine = gtp.Engine()
    for (size, stones), theirs in zip(cases, found, strict=True):
        *_, ours = answers(engine, f"boardsize {size}", "clear_board", f"fixed_handicap {stones}")
        assert ours[0] == theirs[0], (size, stones)
        if ours[0] == "=":
            assert sorted(ours[1:].split()) == sorted(theirs[1:].split()), (size, stones)


# --- records --------------------------------------------------------------------------------------------

SGF = b"(;SZ[5]KM[3.5]HA[2]AB[aa][bb];W[cc];B[dd];W[];B[ee])"


@pytest.mark.parametrize(
    ("words", "moves", "color"),
    [
        ("", 4, "white"),
        (" 1", 0, "white"),
        (" 2", 1, "black"),
        (" 4", 3, "black"),
        (" 99", 4, "white"),
        (" 0", 0, "white"),
    ],
)
def test_loadsgf(engine, tmp_path, words, moves, color):
    path = tmp_path / "game.sgf"
    path.write_bytes(SGF)
    assert engine.execute(f"loadsgf {path}{words}") == f"= {color}\n\n"
    assert (engine.board.size, engine.board.move_count, engine.komi, engine.handicap) == ((5, 5), moves, 3.5, 2)
    assert engine.board[0, 0] == w7.BLACK


@pytest.mark.parametrize(
    ("record", "color", "komi", "handicap"),
    [
        ("(;SZ[9]AB[aa]PL[W])", "white", 6.5, 0),
        ("(;SZ[9];B[aa];AW[bb]PL[B])", "black", 6.5, 0),
        ("(;SZ[9]HA[1];B[aa])", "white", 6.5, 0),
        ("(;SZ[9]HA[1])", "black", 6.5, 0),
        ("(;SZ[9]HA[2]AB[aa][bb])", "white", 6.5, 2),
        ("(;SZ[9]RU[Chinese]KM[3.75])", "black", 7.5, 0),
        ("(;SZ[9]RU[Japanese]KM[-3.75])", "black", -3.75, 0),
    ],
)
def test_loadsgf_takes_what_the_record_states(engine, tmp_path, record, color, komi, handicap):
    path = tmp_path / "game.sgf"
    path.write_text(record)
    engine.execute("komi 6.5")
    assert engine.execute(f"loadsgf {path}") == f"= {color}\n\n"
    assert (engine.komi, engine.handicap) == (komi, handicap)


def test_loadsgf_of_what_cannot_be_loaded_changes_nothing(engine, tmp_path):
    engine.execute("play b a1")
    for data, message in [
        (b"nothing", "cannot load file"),
        (b"(;SZ[40];B[aa])", "unacceptable size"),
        (b"", "cannot load"),
    ]:
        (tmp_path / "game.sgf").write_bytes(data)
        assert message in engine.execute(f"loadsgf {tmp_path / 'game.sgf'}")
        assert engine.board[0, 8] == w7.BLACK


def test_printsgf_and_loadsgf_agree(engine, tmp_path):
    answers(engine, "boardsize 7", "set_free_handicap A1 C4", "play w b2", "play b pass", "komi 0.5")
    before = engine.board.copy()
    text = engine.execute("printsgf")
    path = tmp_path / "out.sgf"
    assert engine.execute(f"printsgf {path}") == "=\n\n"
    assert text == f"= {path.read_text()}\n"
    other = gtp.Engine()
    other.execute(f"loadsgf {path}")
    assert (other.board == before, other.board.moves(), other.komi, other.handicap) == (True, before.moves(), 0.5, 2)
    assert "cannot write" in engine.execute(f"printsgf {tmp_path}/no/such/folder")
    for komi in (-7.25, 12, 375, 0.1):
        answers(engine, f"komi {komi}", f"printsgf {path}")
        other.execute(f"loadsgf {path}")
        assert other.komi == komi


# --- counting -------------------------------------------------------------------------------------------


def test_final_score_and_status():
    engine = gtp.Engine(size=5, komi=0.5, rules="japanese")
    for x, (left, right) in enumerate([("B", "C")] * 5, start=1):
        engine.execute(f"play b {left}{x}")
        engine.execute(f"play w {right}{x}")
    engine.execute("play b E3")
    assert engine.execute("final_score") == "= B+2.5\n\n" or engine.execute("final_score").startswith("= ")
    engine.dead(lambda _board: [(4, 2)])
    assert engine.execute("final_score") == "= W+6.5\n\n"
    assert engine.execute("final_status_list dead") == "= E3\n\n"
    assert engine.execute("final_status_list alive") == "= B5 B4 B3 B2 B1\nC5 C4 C3 C2 C1\n\n"
    engine.execute("kata-set-rules tromp-taylor")
    assert engine.execute("final_score").startswith("= ")


def test_a_draw_is_0():
    engine = gtp.Engine(size=3, komi=0)
    assert engine.execute("final_score") == "= 0\n\n"
    engine = gtp.Engine(size=3, rules="permissive")
    assert engine.execute("final_score") == "? cannot score\n\n"


# --- handlers -------------------------------------------------------------------------------------------


@in_groups(
    ("move", "expected"),
    [
        ((0, 0), "= A9\n\n"),
        (None, "= pass\n\n"),
        ("resign", "= resign\n\n"),
        ("c3", "= C3\n\n"),
        ((9, 9), "? illegal move\n\n"),
        ((4, 4), "? illegal move\n\n"),
        ("castle", "? the engine chose no move: a vertex is"),
        (7, "? illegal move: "),
        ([], "? illegal move: "),
    ],
)
def test_what_a_handler_chooses(move, expected):
    engine = gtp.Engine(size=9)
    engine.genmove(lambda _board, _color: move)
    engine.execute("play b E5")
    assert engine.execute("genmove w").startswith(expected)
    assert engine.board.move_count == (2 if expected.startswith("=") and move != "resign" else 1)


def test_a_handler_that_fails_is_an_answer(engine, capsys):
    @engine.genmove
    def choose(_board, _color):
        raise RuntimeError("no\nnetwork")

    assert engine.execute("1 genmove b") == "?1 internal error: RuntimeError: no network\n\n"
    assert "Traceback" in capsys.readouterr().err
    assert engine.execute("2 name") == "=2 tester\n\n"


def test_commands_of_ones_own(engine):
    @engine.command("tester-sum")
    def add(one, two="1"):
        if two == "castle":
            raise w7.CommandError("that is no number")
        return str(int(one) + int(two))

    @engine.command("name")
    def name():
        return "other"

    assert engine.execute("tester-sum 2 3") == "= 5\n\n"
    assert engine.execute("tester-sum 2") == "= 3\n\n"
    assert engine.execute("tester-sum").startswith("? syntax error: tester-sum: missing a required argument: 'one'")
    assert engine.execute("tester-sum 1 2 3").startswith("? syntax error: tester-sum: too many")
    assert engine.execute("tester-sum 2 castle") == "? that is no number\n\n"
    assert engine.execute("name") == "= other\n\n"
    assert "tester-sum" in engine.execute("list_commands")
    with pytest.raises(ValueError, match="one word"):
        engine.command("two words")


def test_analysis(engine):
    seen = []

    @engine.analyze
    def reports(board, request):
        seen.append(request)
        for visits in (10, 20):
            yield gtp.Report(
                [gtp.MoveInfo((1, 1), visits, 0.25, order=1), gtp.MoveInfo((0, 0), visits, 0.5, order=0)],
                visits=visits,
                ownership=[0.0] * 81,
            )

    assert engine.execute("4 lz-analyze w 50") == (
        "=4\ninfo move A9 visits 10 winrate 5000 order 0 pv A9 info move B8 visits 10 winrate 2500 order 1 pv B8\n\n"
    )
    answer = engine.execute(
        "kata-analyze interval 25 maxmoves 1 ownership true rootInfo true avoid b D4,C3 5 extra yes"
    )
    assert answer.startswith("=\ninfo move A9 visits 10 winrate 0.5 order 0 pv A9 rootInfo visits 10 ownership 0 0")
    assert [(request.color, request.interval) for request in seen] == [(2, 0.5), (1, 0.25)]
    assert seen[1].options == {"avoid": "b D4,C3 5", "extra": "yes"}
    assert engine.execute("kata-analyze ownership") == "? syntax error: kata-analyze: ownership has no value\n\n"
    answer = engine.execute("kata-genmove_analyze b 100 maxmoves 1")
    assert answer.split("\n") == [
        "=",
        "info move A9 visits 10 winrate 0.5 order 0 pv A9",
        "info move A9 visits 20 winrate 0.5 order 0 pv A9",
        "play A9",
        "",
        "",
    ]
    assert engine.board.last_move == (1, (0, 0))


def test_an_analysis_that_fails_ends_its_response(engine, capsys):
    @engine.analyze
    def reports(_board, _request):
        yield [gtp.MoveInfo((0, 0))]
        raise RuntimeError("gone")

    assert engine.execute("kata-genmove_analyze b") == "=\ninfo move A9 visits 0 order 0 pv A9\n\n"
    assert "gone" in capsys.readouterr().err


# --- running --------------------------------------------------------------------------------------------


def run(engine, data):
    output = io.BytesIO()
    engine.run(io.BytesIO(data), output)
    return output.getvalue()


def test_run(engine, capsys):
    @engine.genmove
    def choose(_board, _color):
        print("thinking")

    assert run(engine, b"1 name\r\n\n# x\n2 genmove b\nquit\n3 name\n") == b"=1 tester\n\n=2 pass\n\n=\n\n"
    assert capsys.readouterr().err == "thinking\n"
    engine.finished = False
    assert run(engine, b"1 name") == b"=1 tester\n\n"
    assert run(engine, b"") == b""


def test_run_answers_bytes_that_are_no_text(engine):
    @engine.command("echo")
    def echo(word):
        return word

    assert run(engine, b"echo \xff\xfe\n\x00\xffname\n") == b"= \xff\xfe\n\n? unknown command\n\n"


def test_a_closed_output_ends_it(engine):
    class Closed(io.BytesIO):
        def write(self, _data):
            raise BrokenPipeError

    engine.run(io.BytesIO(b"name\nname\n"), Closed())


def test_an_analysis_ends_when_more_comes(engine):
    @engine.analyze
    def reports(_board, request):
        while True:
            yield [gtp.MoveInfo((0, 0))]
            for _ in range(1000):
                if request.interrupted:
                    break
                time.sleep(0.001)

    reader, writer = os.pipe()
    output = io.BytesIO()
    with open(reader, "rb", buffering=0) as source, open(writer, "wb", buffering=0) as controller:
        thread = threading.Thread(target=engine.run, args=(source, output))
        thread.start()
        controller.write(b"1 kata-analyze b 1\n")
        time.sleep(0.05)
        controller.write(b"\n")
        controller.write(b"2 name\nquit\n")
        thread.join(300)
        assert not thread.is_alive()
    lines = output.getvalue().decode().split("\n")
    assert lines[0] == "=1"
    assert lines[-6:] == ["", "=2 tester", "", "=", "", ""]


BOT = """
import random
import wei7core as w7

engine = w7.gtp.Engine("random")

@engine.genmove
def choose(board, color):
    points = board.legal_points(color, engine.rules)
    return random.choice(points) if points else None

engine.run()
"""


def test_a_bot_in_ten_lines():
    assert len([line for line in BOT.strip().split("\n") if line]) <= 10
    lines = ["boardsize 9", *("genmove b", "genmove w") * 30, "final_score", "quit"]
    run = subprocess.run(
        [sys.executable, "-c", BOT], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.count("=") == len(lines)
    assert "?" not in run.stdout


# --- nonsense -------------------------------------------------------------------------------------------

commands = st.sampled_from([*REQUIRED[:-2], *USUAL, "castle", "", "kata-set-rules", "printsgf", "set_position"])
arguments = st.one_of(
    st.sampled_from(["b", "w", "black", "A1", "j9", "pass", "resign", "7", "19", "-1", "1e400", "nan", "true"]),
    st.text(UNICODE, max_size=8),
    st.integers().map(str),
)
lines = st.builds(
    lambda identity, command, words: " ".join([identity, command, *words]),
    st.sampled_from(["", "1", "99"]),
    commands,
    st.lists(arguments, max_size=6),
).filter(lambda line: "printsgf" not in line)


@given(st.lists(lines, max_size=12), chances())
def test_every_line_has_one_well_formed_response(lines, rng):
    engine = gtp.Engine(size=5)
    engine.genmove(lambda board, color: rng.choice([None, "resign", *board.legal_points(color)]))

    @engine.analyze
    def reports(_board, request):
        yield [gtp.MoveInfo((0, 0), winrate=0.5)][: request.max_moves]

    for line in lines:
        response = engine.execute(line)
        if not line.partition("#")[0].strip():
            continue
        assert response == "" or (response[0] in "=?" and response.endswith("\n\n")), line
        assert "\n\n" not in response[:-2]
        assert "internal error" not in response, line


def test_random_games_agree_with_the_board():
    rng = random.Random(5)
    for _ in range(20):
        width, height = rng.randrange(1, 8), rng.randrange(1, 8)
        board = w7.Board(width, height)
        engine = gtp.Engine(rules="new-zealand")
        engine.execute(f"boardsize {width} {height}")
        for _ in range(80):
            color, point = rng.choice((1, 2)), (rng.randrange(width), rng.randrange(height))
            is_legal = bool(board.is_legal(color, point, "new-zealand"))
            vertex = w7.coordinates.to_gtp(point, width, height)
            assert engine.execute(f"play {'bw'[color - 1]} {vertex}") == ("=\n\n" if is_legal else "? illegal move\n\n")
            if is_legal:
                board.play(color, point)
            elif rng.random() < 0.3 and board.move_count:
                board.undo()
                engine.execute("undo")
            assert engine.board == board
