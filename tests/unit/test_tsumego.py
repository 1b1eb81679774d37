"""Problems of SGF as problems of wei7: every convention, what is no problem, and what is unclear."""

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.game.conversion.report import count_by_code

SETUP = "(;GM[1]SZ[9]AB[ba][bb]AW[ca][cb]PL[B]"


def converted(text, format="wei7"):
    losses = []
    game = w7.convert(w7.loads(text.encode(), strict=False), format, losses=losses)
    assert not game.problems
    return game, count_by_code(losses)


def evaluations(game):
    """Evaluations by the path of moves."""
    return {
        "".join(f"{'.BW'[color]}{point[0]}{point[1]}" for color, point in moves): evaluation
        for moves, evaluation in _lines(game.tree, [])
    }


def _lines(branch, moves):
    for step in branch.steps:
        moves = [*moves, (step.action.color, step.action.point)]
        yield moves, step.action.evaluation
    for below in branch.branches:
        yield from _lines(below, moves)


def problems(game):
    return [branch.pre.problem for branch in game.tree.walk() if branch.pre is not None]


@pytest.mark.parametrize(
    "right",
    [
        *("C[RIGHT]", "C[Black lives. RIGHT]", "C[CHOICE]", "C[+]", "C[+ lives]", "C[正解]", "C[「正解」です]"),
        *("C[Correct!]", "C[correct]", "C[정답]", "TE[1]", "TE[2]", "GB[1]"),
    ],
)
@in_groups("wrong", ["", "C[WRONG]", "C[NOTTHIS]", "C[失敗]", "C[Wrong.]", "C[不正解]", "BM[1]", "GW[2]"])
def test_every_convention(right, wrong):
    game, _ = converted(f"{SETUP}(;B[aa];W[ab];B[ac]{right})(;B[ac];W[aa]{wrong})(;B[ad]))")
    assert problems(game) == [1]
    assert evaluations(game) == {
        "B00": "good",
        "B00W01": "good",
        "B00W01B02": "good",
        "B02": "bad",
        "B02W00": "good",
        "B03": "bad",
    }
    again = w7.loads(w7.dumps(game))
    assert again.tree == game.tree


@pytest.mark.parametrize("mark", ["TE[1]", "C[RIGHT]"])
def test_what_follows_a_right_move_is_right(mark):
    game, _ = converted(f"{SETUP}(;B[aa]{mark}(;W[ab](;B[ac];W[ad];B[ae])(;B[ad]))(;W[ac];B[ab]))(;B[ac];W[aa];B[ab]))")
    assert evaluations(game) == {
        **dict.fromkeys(["B00", "B00W01", "B00W01B02", "B00W01B02W03", "B00W01B02W03B04"], "good"),
        "B00W01B03": "bad",
        **dict.fromkeys(["B00W02", "B00W02B01"], "good"),
        "B02": "bad",
        "B02W00": "good",
        "B02W00B01": "bad",
    }


def test_where_only_wrong_lines_are_marked_the_others_are_right():
    game, _ = converted(f"{SETUP}(;B[aa];W[ab])(;B[ac]C[WRONG]))")
    assert evaluations(game) == {"B00": "good", "B00W01": "good", "B02": "bad"}


def test_the_color_to_play_is_that_of_pl_or_of_the_first_move():
    assert problems(converted("(;SZ[9]AB[ba]AW[ca];W[aa]C[RIGHT])")[0]) == [2]
    assert problems(converted("(;SZ[9]AB[ba]AW[ca]PL[W];W[aa]GW[1])")[0]) == [2]
    assert problems(converted("(;SZ[9];AB[ba]AW[ca];W[aa]C[RIGHT])")[0]) == [2]


@in_groups(
    "text",
    [
        "(;SZ[9];B[aa]TE[1])",  # a game with a good move
        "(;SZ[9]AB[aa][bb]HA[2];W[cc]C[RIGHT])",
        "(;SZ[9]AB[aa]AW[bb]RE[B+R];B[cc]TE[1])",
        "(;SZ[9]AB[aa]AW[bb];B[cc]C[+5 points])",
        "(;SZ[9]AB[aa];W[cc]C[RIGHT])",
        "(;SZ[9]AB[aa]AW[bb];B[cc];W[dd]C[Problem: Black to play.];B[ee]C[Right.])",
        "(;SZ[9]AB[aa]AW[bb];B[cc]C[That is not right, all right?])",
        "(;SZ[9]AB[aa]AW[bb];B[cc]C[BRIGHT])",
        "(;SZ[9]AB[aa]AW[bb]C[RIGHT])",
    ],
)
def test_what_is_no_problem(text):
    assert problems(converted(text)[0]) in ([], [None])


def test_what_contradicts_itself_is_listed():
    game, losses = converted(f"{SETUP}(;B[aa]TE[1]BM[1])(;B[ab]C[RIGHT]))")
    assert losses["evaluation-unclear"] == 1
    assert evaluations(game)["B01"] == "good"


def test_revision_2_and_2_2_have_the_problem_too():
    text = f"{SETUP}(;B[aa]C[RIGHT])(;B[ab]))"
    assert problems(converted(text, "wei7-rev2")[0]) == [1]
    assert problems(converted(text, "wei7-2.2")[0])[0] == 1


def test_sgf_stays_as_it_was():
    text = f"{SETUP}(;B[aa]C[RIGHT])(;B[ab]))"
    assert b"TE" not in w7.dumps(w7.loads(text.encode()), format="sgf")


@pytest.mark.exhaustive
def test_deep_problems_cost_little():
    depth = 20_000
    text = SETUP + "(;B[aa]" * depth + "C[RIGHT]" + ")" * depth + ")"
    document = w7.loads(text.encode(), strict=False).document
    from wei7core.game.conversion.tsumego import tsumego_of

    assert set(tsumego_of(document).evaluations.values()) == {"good"}
