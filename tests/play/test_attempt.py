"""Attempts at problems: every line of a record is judged as it says, whatever the solver does in between."""

from __future__ import annotations

import io

import pytest

import wei7core as w7
from wei7core.cli import solve as command
from wei7core.play.attempt import Statistics

BLACK, WHITE = 1, 2


def authored() -> w7.Game:
    """Black to play on 9 x 9. C5 is right: White answers D5 or E5, each with its own end; B5 and A1 are wrong."""
    game = w7.Game(9)
    game.tree.pre = w7.Setup([w7.Stone(WHITE, (3, 3)), w7.Stone(BLACK, (2, 3))], problem=BLACK, comment="Black lives.")
    right = game.tree.add_branch()
    right.play(BLACK, (2, 4), "good", comment="The vital point.")
    for reply, last in (((3, 4), (3, 5)), ((4, 4), (5, 5))):
        line = right.add_branch()
        line.play(WHITE, reply, "good")
        line.play(BLACK, last, "good", comment=f"Alive after {last}.")
    bad = right.add_branch()
    bad.play(WHITE, (8, 8), "bad")
    bad.play(BLACK, None, "good")
    wrong = game.tree.add_branch()
    wrong.play(BLACK, (1, 4), "bad", comment="Too narrow.")
    wrong.play(WHITE, (2, 4), "good", comment="White kills.")
    wrong.play(BLACK, (0, 4), "bad")
    game.tree.add_branch().play(BLACK, (0, 8), "bad")
    return game


@pytest.fixture(params=["wei7", "memory", "wei7-2.2", "wei7-rev2"])
def game(request: pytest.FixtureRequest) -> w7.Game:
    game = authored()
    if request.param == "memory":
        return game
    if request.param == "wei7":
        return w7.loads(w7.dumps(game))
    if request.param == "wei7-rev2":
        return w7.loads(w7.dumps(game), revision=2)
    return w7.loads(w7.dumps(w7.convert(game, request.param, losses=[])))


def test_the_right_line_is_solved(game: w7.Game) -> None:
    attempt = w7.Attempt(game)
    assert (attempt.color, attempt.comment, attempt.solved, attempt.over) == (BLACK, "Black lives.", False, False)
    first = attempt.play("C5")
    assert (first.verdict, first.comment) == ("continue", "The vital point.")
    assert first.reply in ((3, 4), (4, 4))
    assert attempt.board[first.reply] == WHITE
    last = attempt.play((3, 5) if first.reply == (3, 4) else (5, 5))
    assert (last.verdict, last.reply) == ("right", None)
    assert last.comment.startswith("Alive after")
    assert (attempt.solved, attempt.over, attempt.failed, attempt.mistakes) == (True, True, False, 0)


def test_a_seed_chooses_among_the_good_replies(game: w7.Game) -> None:
    replies = {w7.Attempt(game, seed=seed).play("C5").reply for seed in range(20)}
    assert replies == {(3, 4), (4, 4)}
    assert len({w7.Attempt(game, seed=7).play("C5").reply for _ in range(5)}) == 1
    attempt = w7.Attempt(game, seed=3)
    first = attempt.play("C5")
    attempt.restart()
    assert attempt.play("C5") == first


def test_a_wrong_move_ends_the_attempt(game: w7.Game) -> None:
    attempt = w7.Attempt(game)
    answer = attempt.play("b5")
    assert (answer.verdict, answer.reply, answer.comment) == ("wrong", (2, 4), "Too narrow.\n\nWhite kills.")
    assert (attempt.solved, attempt.failed, attempt.over, attempt.mistakes) == (False, True, True, 1)
    with pytest.raises(ValueError, match="the attempt is over"):
        attempt.play("C5")
    attempt.restart()
    assert attempt.play("A1") == w7.Answer("wrong")
    assert attempt.mistakes == 2


def test_a_verdict_can_be_held_back_to_the_end(game: w7.Game) -> None:
    attempt = w7.Attempt(game, hold_back=True)
    answer = attempt.play("B5")
    assert (answer.verdict, answer.reply, attempt.failed, attempt.over) == ("continue", (2, 4), False, False)
    assert attempt.play("A5").verdict == "wrong"
    assert (attempt.failed, attempt.solved) == (True, False)


def test_moves_that_the_record_has_not_change_nothing(game: w7.Game) -> None:
    attempt = w7.Attempt(game)
    before = attempt.board
    for point in ("J9", None, "pass", (2, 3)):
        assert attempt.play(point) == w7.Answer("unknown")
    assert attempt.board == before
    assert attempt.mistakes == 4
    with pytest.raises(w7.OffBoardError):
        attempt.play("K10")
    with pytest.raises(ValueError, match="vertex"):
        attempt.play("middle")
    assert attempt.play("C5").verdict == "continue"


def test_hints_and_giving_up(game: w7.Game) -> None:
    attempt = w7.Attempt(game)
    assert (attempt.hint(), attempt.hints) == ((2, 4), 1)
    assert attempt.give_up() == [(BLACK, (2, 4)), (WHITE, (3, 4)), (BLACK, (3, 5))]
    assert (attempt.over, attempt.solved, attempt.failed, attempt.hint()) == (True, False, False, None)


def test_every_branch_of_a_record_is_judged_by_its_evaluations(game: w7.Game) -> None:
    """The oracle walks the lists of the document: a line fails at its first bad move of Black."""
    lines = _lines(game.tree, [])
    assert len(lines) == 5
    for moves in lines:
        replies = [move.point for move in moves if move.color == WHITE]
        for seed in range(40):
            attempt = w7.Attempt(game, seed=seed, hold_back=True)
            answers, followed = [], True
            expected = iter(replies)
            for move in moves:
                if move.color != BLACK or not followed:
                    continue
                answers.append(attempt.play(move.point))
                followed = all(reply == next(expected, ()) for reply in answers[-1].replies)
            if followed:
                failed = any(move.color == BLACK and move.evaluation == "bad" for move in moves)
                assert answers[-1].verdict == ("wrong" if failed else "right")
                assert [answer.verdict for answer in answers[:-1]] == ["continue"] * (len(answers) - 1)
                break
        else:
            assert any(move.color == WHITE and move.evaluation == "bad" for move in moves), "a reply never chosen"


def _lines(branch: w7.Branch, above: list[w7.Move]) -> list[list[w7.Move]]:
    moves = [*above, *(step.action for step in branch.steps if isinstance(step.action, w7.Move))]
    if not branch.branches:
        return [moves]
    return [line for below in branch.branches for line in _lines(below, moves)]


def test_problems_of_moves_in_wei7_2_2() -> None:
    text = (
        b'<?xml version="1.0" encoding="UTF-8"?><wei7 version="2.2"><size>9</size>'
        b'<moves><white x="4" y="4" problem="black"/><black x="3" y="3"/><white x="5" y="5"/><black x="6" y="6"/>'
        b"</moves></wei7>"
    )
    game = w7.loads(text)
    attempt = w7.Attempt(game)
    assert attempt.board[4, 4] == WHITE
    assert attempt.play((3, 3)) == w7.Answer("continue", (5, 5), None, ((5, 5),))
    assert attempt.play((6, 6)).verdict == "right", "a move without an evaluation is a normal one"


def test_problems_of_moves_in_revision_2() -> None:
    game = w7.Game(9, revision=2)
    game.tree.play(WHITE, (4, 4)).action.problem = BLACK
    game.tree.play(BLACK, (3, 3), "good")
    game.tree.play(BLACK, (2, 2), "good")
    game.tree.play(WHITE, None, "good")
    attempt = w7.Attempt(w7.loads(w7.dumps(game), revision=2))
    assert attempt.play("D6") == w7.Answer("continue"), "two moves in a row"
    assert attempt.play("C7") == w7.Answer("right", None, None, (None,))


def test_problems_of_sgf() -> None:
    game = w7.loads(b"(;SZ[9]AW[aa]AB[bb](;B[ba];W[cc];B[ab]C[RIGHT])(;B[cc];W[ba]C[too slow]))")
    assert w7.Attempt(game).play("C7") == w7.Answer("wrong", (1, 0), "too slow", ((1, 0),))
    attempt = w7.Attempt(game)
    assert attempt.play("B9").reply == (2, 2)
    assert attempt.play("A8") == w7.Answer("right", None, "RIGHT")


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        ("right", "正解/正确。/正確/解答成功/정답입니다/(정해)/「正解」です/Solution/Success!/+/+ lives"),
        ("wrong", "不正解/失败图/失敗/错误/錯/変化図失敗/오답/[실패/Mistake/failure 1/-/- slow"),
    ],
)
def test_words_of_right_and_wrong_lines(verdict, words):
    for word in words.split("/"):
        assert verdicts_of(word) == [verdict] * 2, word


def verdicts_of(word: str) -> list[str]:
    """The verdicts on a move with this comment, in SGF and converted to wei7: they are the same."""
    text = f"(;SZ[9]AB[aa][bb]AW[cc][dd](;B[ee]C[{word}])(;B[ff];W[gg];B[hh]C[RIGHT]))"
    game = w7.loads(text)
    return [w7.Attempt(one).play("E5").verdict for one in (game, w7.loads(w7.dumps(game, format="wei7", losses=[])))]


def test_a_record_without_marks_has_its_first_line_as_the_answer() -> None:
    attempt = w7.Attempt(w7.loads(b"(;SZ[9](;B[aa];W[bb];B[cc])(;B[dd]C[aside]))"))
    assert attempt.play("D6") == w7.Answer("unknown", comment="aside")
    assert attempt.play("A9").verdict == "continue"
    assert attempt.play("C7").verdict == "right"


def test_the_problems_of_a_tutorial() -> None:
    game = w7.Game(9)
    for point in ((0, 0), (1, 1)):
        branch = game.tree.add_branch(w7.Branch(pre=w7.Setup(problem=WHITE)))
        branch.play(WHITE, point, "good")
    first, second = w7.Attempt.all(game)
    assert first.play((0, 0)).verdict == second.play((1, 1)).verdict == "right"
    assert w7.Attempt(game, "1").play((1, 1)).verdict == "right"
    assert w7.Attempt(game, (0,)).play((0, 0)).verdict == "right"
    assert w7.Attempt.all(w7.Game(9)) == []
    with pytest.raises(IndexError):
        w7.Attempt(game, "2")
    with pytest.raises(ValueError, match="no problem here"):
        w7.Attempt(w7.Game(9))


@pytest.mark.exhaustive
def test_a_long_line_is_read_without_recursion() -> None:
    game = w7.Game(9)
    branch = game.tree
    branch.pre = w7.Setup(problem=BLACK)
    for number in range(2000):
        branch = branch.add_branch()
        branch.play(BLACK if number % 2 == 0 else WHITE, None, "good")
    attempt = w7.Attempt(game)
    verdicts = [attempt.play(None).verdict for _ in range(1000)]
    assert verdicts == ["continue"] * 999 + ["right"]


def test_solving_in_the_terminal() -> None:
    out = io.StringIO()
    words = ["A1", "B1", "restart", "hint", "x\x1b", "", "C5", "D4", "F4"]
    assert command.solve(authored(), None, 0, words, out, colored=False)
    text = out.getvalue()
    for line in (
        "Black lives.\nBlack to play: a point as C5",
        "Wrong.\n> The attempt is over: restart or quit.",
        "Look at C5.",
        "Right so far. White plays ",
        "The record does not judge this move.",
        "Right: the problem is solved.\nAlive after",
        "2 mistakes, 1 hint\n",
    ):
        assert line in text, line
    assert "\x1b" not in text
    out = io.StringIO()
    assert not command.solve(authored(), "-", 0, ["give up"], out, colored=True)
    assert "The answer: Black C5, White D5, Black D4.\n> \n0 mistakes, 0 hints\n" in out.getvalue()


@pytest.mark.parametrize(
    ("lines", "words", "expected"),
    [
        ("(;B[]C[RIGHT])(;B[cc])", ["hint"], "> Look at pass.\n"),
        ("(;B[cc]C[RIGHT])(;B[dd])", ["D6", "hint"], "> The attempt is over: restart or quit.\n> \n1 mistake, 0 hints"),
        ("(;B[cc]C[RIGHT])", ["Z99"], "the point 'Z99' is off the 9 x 9 board"),
    ],
)
def test_hints_in_the_terminal_and_words_as_they_were_written(lines: str, words: list[str], expected: str) -> None:
    out = io.StringIO()
    command.solve(w7.loads(f"(;SZ[9]{lines})"), None, 0, words, out, colored=False)
    assert expected in out.getvalue()


def test_statistics_of_a_set() -> None:
    record = "(;SZ[9]AB[dd]PL[B];B[cc];W[ff];B[gg])"
    attempts = [w7.Attempt(w7.loads(record.encode())) for _ in range(5)]
    assert w7.Attempt.statistics([]) == Statistics() and Statistics().rate is None
    for attempt in attempts[:2]:
        attempt.play("C7")
        attempt.play("G3")
    attempts[2].hint()
    attempts[2].play("A1")
    attempts[2].play("C7")
    attempts[2].play("G3")
    attempts[3].give_up()
    found = w7.Attempt.statistics(attempts)
    assert found == Statistics(problems=5, solved=3, failed=0, given_up=1, open=1, first_try=2, mistakes=1, hints=1)
    assert found.rate == 0.75
    wrong = w7.Attempt(w7.loads(b"(;SZ[9]AB[dd]PL[B](;B[cc]C[RIGHT])(;B[dc]))"))
    wrong.play("D7")
    assert w7.Attempt.statistics([wrong]) == Statistics(problems=1, failed=1, mistakes=1)


TESUJI = (
    b"(;SZ[9]AB[ba][bb]AW[ca][cb]PL[B]"
    b"(;B[ac];W[aa])(;B[aa]TE[1](;W[ab];B[ac](;W[ad];B[ae])(;W[ae];B[ad]))(;W[ac];B[ad]BM[1])(;W[da];B[bc]))(;B[ad]))"
)


def test_moves_of_sgf_that_te_marks_are_right() -> None:
    game = w7.loads(TESUJI)
    attempt = w7.Attempt(game)
    assert attempt.hint() == (0, 0)
    assert len(w7.Attempt.all(game)) == 1
    for no_problem in (TESUJI.replace(b"PL[B]", b""), TESUJI.replace(b"PL[B]", b"PL[B]RE[B+R]")):
        assert w7.Attempt.all(w7.loads(no_problem)) == []
    for wrong in ("A7", "A6"):
        assert attempt.play(wrong).verdict == "wrong"
        attempt.restart()
    replies = set()
    for seed in range(30):
        attempt = w7.Attempt(game, seed=seed)
        answer = attempt.play("A9")
        assert answer.verdict == "continue"
        replies.add(answer.reply)
        if answer.reply == (0, 1):
            second = attempt.play("A7")
            assert second.verdict == "continue"
            assert attempt.play("A5" if second.reply == (0, 3) else "A6").verdict == "right"
        else:
            last = attempt.play("A6" if answer.reply == (0, 2) else "B7")
            assert last.verdict == ("wrong" if answer.reply == (0, 2) else "right")
    assert replies == {(0, 1), (0, 2), (3, 0)}


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        # a comment that marks a right line counts more than TE
        (b"(;SZ[9]AB[ba]AW[ca](;B[aa]TE[1])(;B[bb]C[RIGHT]))", ["B8"], []),
        (b"(;SZ[9]AB[ba]AW[ca](;B[aa]C[WRONG])(;B[bb]TE[2])(;B[cc]))", ["B8"], ["A9", "C7"]),
        (b"(;SZ[9]AB[ba]AW[ca](;B[aa];W[bb]TE[1])(;B[cc]BM[1]))", ["A9"], ["C7"]),  # of the opponent
        (b"(;SZ[9]AB[ba]AW[ca](;B[aa]C[RIGHT];W[bb];B[cc]))", ["A9", "C7"], []),
        (b"(;SZ[9]AB[ba]AW[ca](;B[aa];W[bb])(;B[cc]))", ["A9"], []),
    ],
)
def test_marks_of_sgf(text: bytes, right: list[str], wrong: list[str]) -> None:
    game = w7.loads(text)
    attempt = w7.Attempt(game)
    assert [attempt.play(point).verdict for point in right] == ["continue"] * (len(right) - 1) + ["right"]
    for point in wrong:
        attempt.restart()
        assert attempt.play(point).verdict == "wrong"
