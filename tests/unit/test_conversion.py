"""Conversion between wei7 and SGF, case by case: what becomes of it, and which loss is listed where."""

from pathlib import Path

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.errors import ConversionError, LimitError
from wei7core.formats.sgf.write import document_to_sgf
from wei7core.game.conversion import convert_document, encode_document, to_sgf, to_wei7
from wei7core.game.conversion.report import LISTED, LOSS_CODES, Loss, LossReport, count_by_code, summary
from wei7core.limits import Limits
from wei7core.record.document import (
    Branch,
    Document,
    Edit,
    Info,
    Mark,
    MarkAction,
    Message,
    Move,
    Note,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Stone,
    Takeback,
    Unreadable,
)

EXAMPLES = Path(__file__).parent.parent / "data" / "examples"


def from_sgf(text):
    return w7.loads(text, strict=False).document


def wei7_of(text, revision=7):
    """SGF as wei7, which is valid, and the losses as `code place`."""
    document, losses = to_wei7(from_sgf(text), revision)
    data = encode_document(document, "wei7" if revision == 7 else "wei7-rev2")[0]
    assert w7.loads(data, revision=revision).document == document
    return document, reported(losses)


def sgf_of(tree, **members):
    """A tree of wei7 as the text of its nodes in SGF, and the losses."""
    document = Document(9, 9, tree=tree, **members)
    converted, losses = to_sgf(document)
    text = document_to_sgf(converted).decode()
    return text.replace("\n(", "(").replace("(;FF[4]CA[UTF-8]GM[1]SZ[9]", "(;").rstrip("\n"), reported(losses)


def reported(losses):
    return [f"{loss.code} {loss.path}" for loss in losses]


def moves(*points):
    return [Step(Move(1 + number % 2, point)) for number, point in enumerate(points)]


# --- wei7 -> SGF -----------------------------------------------------------------


def test_a_takeback_leaves_the_withdrawn_moves_as_a_variation_after_the_line_in_force():
    tree = Branch(steps=[*moves((0, 0), (1, 0), (2, 0)), Step(Takeback(2)), Step(Move(2, (3, 0)))])
    text, losses = sgf_of(tree)
    assert text == "(;\n;B[aa](;C[2 moves taken back: B C9, W B9];W[da])(;W[ba];B[ca]))"
    assert losses == ["takeback-as-variation -;3"]


def test_a_takeback_at_the_end_leaves_the_position_before_it_at_the_end_of_the_main_line():
    text, _ = sgf_of(Branch(steps=[*moves((0, 0)), Step(Takeback(1))]))
    assert text == "(;(;C[1 move taken back: B A9])(;B[aa]))"


def test_takebacks_in_a_row_are_one_node_unless_something_is_said_between_them():
    text, _ = sgf_of(Branch(steps=[*moves((0, 0), (1, 0)), Step(Takeback(1)), Step(Takeback(1))]))
    assert text == "(;(;C[1 move taken back: W B9\n1 move taken back: B A9])(;B[aa];W[ba]))"
    text, _ = sgf_of(Branch(steps=[*moves((0, 0), (1, 0)), Step(Takeback(1), comment="so"), Step(Takeback(1))]))
    assert text == "(;(;C[1 move taken back: B A9])(;B[aa](;W[ba])(;C[1 move taken back: W B9\nso])))"


def test_a_branch_that_takes_back_moves_of_its_parent_hangs_where_they_began():
    tree = Branch(
        steps=moves((0, 0), (1, 0)),
        branches=[Branch(steps=moves((2, 0))), Branch(steps=[Step(Takeback(1)), Step(Move(2, None))])],
    )
    text, _ = sgf_of(tree)
    assert text == "(;\n;B[aa](;W[ba](;B[ca]))(;C[1 move taken back: W B9];W[]))"


def test_many_moves_taken_back_are_not_all_named():
    text, _ = sgf_of(Branch(steps=[*moves(*[None] * 12), Step(Takeback(12))]))
    assert "12 moves taken back: W pass, B pass" in text
    assert "B pass and 2 more]" in text


@pytest.mark.parametrize("count", [2, 0, -1])
def test_a_takeback_of_moves_that_are_not_there_ends_the_branch(count):
    tree = Branch(steps=[*moves((0, 0)), Step(Takeback(count)), Step(Move(1, (1, 1)))], branches=[Branch()])
    text, losses = sgf_of(tree)
    assert text == "(;\n;B[aa])"
    assert losses == ["takeback-too-deep -;1"]


def test_live_actions_join_their_node_with_the_name_of_the_actor():
    info = Info(participants=[Participant("Ann"), Participant()])
    steps = [
        Step(Message("hello"), actor=0),
        *moves((0, 0)),
        Step(Message("hm"), actor=1, time=4),
        Step(MarkAction((1, 1), "a"), actor=0),
        Step(Result(2, 3.5), actor=0, comment="!"),
    ]
    text, losses = sgf_of(Branch(steps=steps), info=info)
    assert text == "(;RE[W+3.5]C[Ann: hello]\n;B[aa]LB[bb:a]C[participant 1: hm\nAnn: White has won by 3.5\n!])"
    assert losses == [
        "participant-dropped info.participants[0]",
        "participant-dropped info.participants[1]",
        "message-as-comment -;0",
        "time-dropped -;2",
        "message-as-comment -;2",
        "actor-dropped -;3",
        "mark-action-as-mark -;3",
        "result-as-comment -;4",
    ]


def test_a_message_before_the_first_move_of_a_variation_does_not_reach_its_siblings():
    tree = Branch(steps=moves((0, 0)), branches=[Branch(steps=[Step(Message("x"))]), Branch(steps=moves(None))])
    assert sgf_of(tree)[0] == "(;\n;B[aa](;C[x])(;B[]))"


def test_pre_and_title_of_a_branch_become_its_first_node():
    tree = Branch(
        "Start",
        branches=[
            Branch("One", Setup([Stone(1, (0, 0)), Stone(2, (1, 1))], comment="c", marks=[Mark((2, 2), "%")])),
            Branch("Two\nlines"),
            Branch(),
            Branch(pre=Setup()),
        ],
    )
    text, losses = sgf_of(tree)
    assert text == "(;N[Start](;AB[aa]AW[bb]N[One]LB[cc:%]C[c])(;N[Two lines])(;)(;))"
    assert losses == ["text-changed 1;title", "pause-point-dropped 3;pre"]


def test_a_pause_point_that_says_nothing_is_left_out():
    below = [Branch(pre=Setup(), steps=[Step(Move(1, (0, 0)))]), Branch(pre=Setup(comment="a"))]
    text, losses = sgf_of(Branch(pre=Setup(), branches=below))
    assert text == "(;(;B[aa])(;C[a]))"
    assert losses == ["pause-point-dropped -;pre", "pause-point-dropped 0;pre"]
    text, losses = sgf_of(Branch(pre=Setup([Stone(1, (0, 0))])))
    assert losses == []


def test_a_problem_becomes_the_colour_to_play_and_words():
    pre = Setup([Stone(1, (0, 0))], problem=2)
    tree = Branch(pre=pre, steps=[Step(Move(2, (1, 0), "good"))], branches=[Branch(steps=[Step(Move(1, None, "bad"))])])
    text, losses = sgf_of(tree)
    assert text == "(;AB[aa]PL[W]C[Problem: White to play.]\n;W[ba]C[Right.](;B[]C[Wrong.]))"
    assert losses == ["problem-as-comment -;pre", "evaluation-as-comment -;0", "evaluation-as-comment 0;0"]


def test_evaluations_outside_of_problems_stay_but_those_of_revision_2():
    steps = [Step(Move(1, None, worth)) for worth in ("good", "bad", "trick")]
    text, losses = sgf_of(Branch(steps=steps))
    assert text == "(;\n;B[]TE[1];B[]BM[1];B[]C[A trick move.])"
    assert losses == ["evaluation-as-comment -;2"]


def test_two_labels_on_one_point_are_one_too_many():
    marks = [Mark((0, 0), "a"), Mark((0, 0), "a"), Mark((0, 0), "b"), Mark((9, 9), "c")]
    text, losses = sgf_of(Branch(pre=Setup(marks=marks)))
    assert text == "(;LB[aa:a])"
    assert losses == ["mark-dropped -;pre", "mark-dropped -;pre"]


def test_info_that_sgf_has_no_place_for():
    info = Info(
        domain="d",
        id="7",
        time="2013-03-06T10:10Z",
        participants=[Participant("Ann", rank="1d"), Participant("Bob", title="Meijin"), Participant("Eve", id="e")],
        players=[Player(0, 1), Player(1, 1), Player(2)],
        result=Result(None, 2),
        rules=w7.GameRules("area", 6.5, "Japanese"),
    )
    text, losses = sgf_of(Branch(), info=info)
    assert text == "(;DT[2013-03-06]PB[Ann, Bob]BR[1d]RU[Japanese]KM[6.5]RE[0])"
    assert losses == [
        "identifier-dropped info.domain",
        "identifier-dropped info.id",
        "time-of-day-dropped info.time",
        "scoring-dropped info.rules.scoring",
        "margin-dropped info.result.margin",
        "players-merged info.players",
        "participant-title-dropped info.participants[1].title",
        "participant-dropped info.participants[2]",
    ]


def test_text_that_sgf_cannot_say():
    text, losses = sgf_of(Branch(pre=Setup(comment="a\r\nb\tc \\ ] \ud800")))
    assert text == "(;C[a\nb c \\\\ \\] \ufffd])"
    assert losses == ["text-undecodable -;pre", "text-changed -;pre"]


def test_what_lenient_reading_kept():
    document = w7.loads(
        b'{"format":"wei7","version":"3.0","x":1,"tree":{"y":2,"steps":[{"action":{"type":"message","value":"m"},"z":3},'
        b'5,{"action":{"type":"move","value":{"color":1,"point":{"x":77,"y":0}}}}]}}',
        strict=False,
    ).document
    assert reported(to_sgf(document)[1]) == [
        "member-dropped $",
        "member-dropped -;branch",
        "member-dropped -;0",
        "message-as-comment -;0",
        "step-unreadable -;1",
    ]


def test_names_that_ff4_cannot_spell_are_listed():
    document = from_sgf("(;SZ[9]B_[aa]X1[x];B[aa]X1[y]XX[1];B[zz]C2[z])")
    converted, losses = to_sgf(document)
    assert reported(losses) == ["property-dropped -;0", "property-dropped -;0", "property-dropped -;2"]
    assert [loss.count for loss in losses] == [1, 2, 1]
    text = b"(;FF[4]CA[UTF-8]GM[1]SZ[9]\n;B[aa]XX[1];B[zz])\n"
    assert document_to_sgf(converted) == document_to_sgf(document) == text


@pytest.mark.parametrize(("width", "height"), [(53, 5), (5, 53), (0, 0)])
def test_boards_that_sgf_does_not_have(width, height):
    with pytest.raises(ConversionError, match="1 to 52 points a side"):
        to_sgf(Document(width, height))


# --- SGF -> wei7 -----------------------------------------------------------------


def test_what_only_the_root_says_goes_into_its_comment():
    text = (
        "(;FF[4]AP[CGoban:3]SZ[9]GN[Final]EV[Cup]RO[2]DT[1996-12-27,28]PB[Ann]BT[Reds]HA[2]AB[cc][dd]TM[3600]OT[3x30]"
        "KM[0.25]RU[Ing]RE[B+Time]PL[W]ST[2]XX[private]C[Hello])"
    )
    document, losses = wei7_of(text)
    assert document.info.name == "Final"
    assert document.info.black_name == "Ann"
    assert document.info.rules == w7.GameRules(scoring="area")
    assert document.info.result == Result(1)
    assert document.tree.pre.comment.splitlines() == [
        "Hello",
        "Program: CGoban:3",
        "Event: Cup",
        "Round: 2",
        "Date: 1996-12-27,28",
        "Team of Black: Reds",
        "Time limit: 3600",
        "Overtime: 3x30",
        "Komi: 0.25",
        "Rules: Ing",
        "Result: B+Time",
        "To play: White",
    ]
    moved = {"AP", "EV", "RO", "DT", "BT", "TM", "OT", "KM", "RU", "RE"}
    assert losses[0] == "komi-dropped info.rules.komi"
    assert set(losses[1:]) == {f"info-as-comment -;0.{name}" for name in moved} | {
        "handicap-implied -;0.HA",
        "property-as-comment -;0.PL",
        "property-dropped -;0.ST",
        "property-dropped -;0.XX",
    }


def test_the_time_limit_of_ff1_is_in_minutes():
    for text, line in (
        ("(;FF[1]TM[60])", "3600"),
        ("(;FF[3]TM[60])", "60"),
        ("(;FF[1]TM[1 hour])", "1 hour"),
        ("(;TM[1200])", "1200"),  # programs that leave FF out write seconds
    ):
        assert to_wei7(from_sgf(text))[0].tree.pre.comment == f"Time limit: {line}"


def test_values_beyond_the_first_are_reported_too():
    text = "(;FF[4][4]SZ[9]SZ[19]KM[6.5]KM[7.5]PB[a][b]EV[e]EV[f]GN[g];B[aa]C[c]C[d]TE[1][2]N[x][y])"
    document, losses = wei7_of(text)
    assert document.info.rules.komi == 6.5
    assert document.tree.pre.comment.splitlines() == ["Event: e, f", "Komi: 7.5", "Black: b"]
    assert document.tree.steps == [Step(Move(1, (0, 0), "good"), comment="x, y\nc\nd")]
    assert losses == [
        "info-as-comment -;0.EV",
        "property-dropped -;0.SZ",
        "info-as-comment -;0.KM",
        "info-as-comment -;0.PB",
        "property-as-comment -;1.C",
        "property-dropped -;1.TE",
        "title-as-comment -;1",
    ]


def test_komi_in_hundredths():
    document, losses = wei7_of("(;AP[GNU Go:3.8]RU[Korean]KM[650]AP[foxwq])")
    assert document.info.rules.komi == 6.5
    assert document.tree.pre.comment == "Program: GNU Go:3.8, foxwq"
    assert losses == ["value-normalised -;0.KM", "info-as-comment -;0.AP"]
    document, losses = wei7_of("(;RU[Chinese]KM[375])")
    assert document.info.rules == w7.GameRules("area", None, "Chinese")
    assert document.tree.pre.comment == "Komi: 375"
    assert losses == ["komi-dropped info.rules.komi", "info-as-comment -;0.KM"]


def test_without_a_name_the_event_is_the_name():
    document, losses = wei7_of("(;SZ[9]EV[Cup]RO[2]RE[B+R]RU[Japanese]KM[6.5])")
    assert document.info.name == "Cup, 2"
    assert document.tree.pre is None
    assert losses == ["event-as-name info.name"]


@pytest.mark.parametrize("result", ["Void", "?", "B+0.25", "W+600"])
def test_a_result_that_wei7_cannot_state_is_in_the_comment(result):
    document, _ = wei7_of(f"(;SZ[9]RE[{result}])")
    assert document.info.result is None
    assert document.tree.pre.comment == f"Result: {result}"


def test_a_long_name_is_cut_and_reported_in_full():
    name = "x" * 129
    document, losses = wei7_of(f"(;SZ[9]GN[{name}])")
    assert document.info.name == name[:128]
    assert document.tree.pre.comment == f"Name: {name}"
    assert losses == ["text-cut info.name"]


def test_setup_before_the_first_move_is_preset():
    document, losses = wei7_of("(;SZ[9]AB[aa][bb];AE[aa]AW[cc]C[then];B[dd])")
    assert {(stone.color, stone.point) for stone in document.tree.pre.stones} == {(1, (1, 1)), (2, (2, 2))}
    assert document.tree.pre.comment == "then"
    assert [step.action for step in document.tree.steps] == [Move(1, (3, 3))]
    assert losses == ["setup-folded -;1"]


def test_setup_of_variations_goes_down_to_them():
    document, losses = wei7_of("(;SZ[9]AB[aa](;AW[bb];B[cc])(;W[dd]))")
    assert document.tree.pre is None or document.tree.pre.stones == []
    assert [len(branch.pre.stones) for branch in document.tree.branches] == [2, 1]
    assert losses == ["setup-moved -;pre"]


def test_a_node_with_setup_and_move_is_both():
    document, losses = wei7_of("(;SZ[9];AB[aa]W[bb]C[both])")
    assert document.tree.pre.stones == [Stone(1, (0, 0))]
    assert document.tree.steps == [Step(Move(2, (1, 1)), comment="both")]
    assert losses == []


def test_setup_after_a_move_ends_the_branch():
    document, losses = wei7_of("(;SZ[9];B[aa];AW[bb];W[cc](;B[dd])(;B[ee]))")
    assert document.tree == Branch(steps=moves((0, 0)))
    assert losses == ["setup-after-move -;2"]
    _, all_losses = to_wei7(from_sgf("(;SZ[9];B[aa];AW[bb];W[cc](;B[dd])(;B[ee]))"))
    assert all_losses[0].message == "stones are set up after moves; steps left out from here on: 4"


def test_setup_that_changes_nothing_is_a_place_to_say_something():
    document, losses = wei7_of("(;SZ[9];B[aa];AB[aa]AE[cc]C[see];W[bb])")
    assert document.tree.branches[0].pre.comment == "see"
    assert losses == []


def test_a_position_without_liberties_cannot_be_preset():
    document, losses = wei7_of("(;SZ[9]EV[e]GN[g]AB[aa]AW[ab][ba];W[ee])")
    assert document.tree == Branch(pre=Setup(comment="Event: e"))
    assert losses == ["info-as-comment -;0.EV", "setup-without-liberties -;1"]


def test_a_move_on_an_occupied_point_ends_the_branch():
    document, losses = wei7_of("(;SZ[9];B[aa](;W[aa];B[bb])(;W[cc]))")
    assert [len(branch.steps) for branch in document.tree.branches] == [0, 1]
    assert losses == ["move-occupied 0;0"]


def test_nodes_without_a_move_are_branches_with_their_own_pre():
    document, losses = wei7_of("(;SZ[9];B[aa];C[one]N[Name];;C[two];W[bb])")
    one = document.tree.branches[0]
    two = one.branches[0]
    assert (one.title, one.pre, one.steps) == ("Name", Setup(comment="one"), [])
    assert (two.title, two.pre, two.steps) == (None, Setup(comment="two"), [Step(Move(2, (1, 1)))])
    assert losses == ["node-dropped -;3"]


def test_names_of_nodes_are_titles_of_the_branches_that_they_begin():
    document, _ = wei7_of("(;SZ[9]N[root];B[aa]N[within](;W[bb]N[first])(;W[cc]))")
    assert document.tree.title == "root"
    assert document.tree.steps[0].comment == "within"
    assert [branch.title for branch in document.tree.branches] == ["first", None]


def test_marks_and_labels():
    text = "(;SZ[9];B[aa]TR[bb]CR[cc]SQ[dd]MA[ee]SL[ff]LB[gg:z][hh:10][ii:*])"
    document, losses = wei7_of(text)
    step = document.tree.steps[0]
    assert sorted(mark.symbol for mark in step.marks) == ["#", "$", "%", "&", "?", "?", "@", "z"]
    assert step.comment == "Labels: H2 10, J1 *"
    assert losses == ["shape-as-symbol -;1"] * 5 + ["label-replaced -;1"] * 2
    assert sorted(mark.symbol for mark in wei7_of(text, 2)[0].tree.steps[0].marks)[:2] == ["#", "$"]
    assert wei7_of(text, 2)[0].tree.steps[0].comment == "Labels: H2 10"


def test_annotations():
    document, losses = wei7_of(
        "(;SZ[9];B[]TE[1];B[]TE[2]C[Well];B[]BM[1]DO[];B[]GB[2]UC[1]HO[1]V[3.5];B[]BL[30]OB[2]MN[7];B[]TE[1]BM[1])"
    )
    assert [step.action.evaluation for step in document.tree.steps] == ["good", "good", "bad", None, None, None]
    assert [step.comment for step in document.tree.steps] == [
        None,
        "Well\nVery good move.",
        "Doubtful move.",
        "Very good for Black.\nUnclear position.\nImportant node.\nValue: 3.5",
        None,
        "Good move.\nBad move.",
    ]
    moved = [(2, "TE"), (3, "DO"), (4, "GB"), (4, "UC"), (4, "HO"), (4, "V"), (6, "TE"), (6, "BM")]
    assert losses == [
        *(f"property-as-comment -;{step}.{name}" for step, name in moved[:6]),
        "time-dropped -;5.BL",
        "time-dropped -;5.OB",
        "property-dropped -;5.MN",
        *(f"property-as-comment -;{step}.{name}" for step, name in moved[6:]),
    ]


def test_properties_that_somebody_has_contradicted_say_nothing():
    document = from_sgf("(;SZ[9]RE[B+T]KM[0.25]RU[Ing];B[]TE[2])")
    document.info.result = None
    document.info.rules = None
    document.tree.steps[0].action.evaluation = None
    converted, losses = to_wei7(document)
    assert converted.tree == Branch(steps=[Step(Move(1, None))])
    assert losses == []


def test_a_private_property_is_listed_once_with_its_count():
    _, losses = to_wei7(from_sgf("(;SZ[9]" + ";B[]XX[1]YY[2]" * 5 + ")"))
    assert [(loss.path, loss.message, loss.count) for loss in losses] == [
        ("-;1.XX", "XX has no counterpart", 5),
        ("-;1.YY", "YY has no counterpart", 5),
    ]


def test_a_move_that_could_not_be_read_ends_the_branch():
    document, losses = wei7_of("(;SZ[9];B[aa];W[zz];B[bb])")
    assert document.tree == Branch(steps=moves((0, 0)))
    assert losses == ["step-unreadable -;2"]


def test_what_sgf_could_not_read_is_written_as_it_was():
    document = from_sgf("(;SZ[9];B[aa];W[zz]C[x];B[bb])")
    assert isinstance(document.tree.steps[1].action, Unreadable)
    assert to_sgf(document) == (document, [])


# --- wei7 -> wei7 ----------------------------------------------------------------


def test_from_revision_2_to_7():
    pre = Setup(problem=1, marks=[Mark((0, 0), "*")])
    steps = [Step(Move(1, None, "good")), Step(Move(2, None, "trick", 1))]
    document = Document(9, 9, tree=Branch(pre=pre, steps=steps, branches=[Branch(pre=Setup(problem=2))]))
    converted, losses = to_wei7(document)
    assert converted.tree.pre == Setup(marks=[Mark((0, 0), "?")], comment="Labels: A9 *\nProblem: Black to play.")
    assert converted.tree.steps[1] == Step(Move(2, None), comment="A trick move.")
    inner = Branch(pre=Setup(comment="Problem: White to play."))
    assert converted.tree.branches == [Branch(pre=Setup(problem=1), branches=[inner])]
    assert reported(losses) == [
        "label-replaced -;pre",
        "evaluation-dropped -;1",
        "problem-moved -;1",
        "problem-dropped -;pre",
        "problem-dropped 0;pre",
    ]
    assert to_wei7(document, 2) == (document, [])


def test_what_is_wrong_with_a_document_is_left_out():
    info = Info(
        time="yesterday",
        participants=[Participant("two\nlines")],
        players=[Player(3, 1), Player(0, 2)],
        result=Result(1, 0.3),
        rules=w7.GameRules("none", 12, "Tibetan"),
    )
    steps = [
        Step(Message("\udc00"), time=90_000, actor=5),
        Step(MarkAction((20, 0), "a")),
        Step(Result(3)),
        Step(Unreadable(b"5", may_be_move=False)),
        Step(Takeback(1)),
    ]
    document, losses = to_wei7(Document(9, 9, info=info, tree=Branch(steps=steps)))
    w7.loads(encode_document(document, "wei7")[0])
    assert document.info.participants == [Participant("two lines")]
    assert document.info.players == [Player(0, 2)]
    assert document.tree.steps == [Step(Message("\ufffd"))]
    assert {loss.code for loss in losses} == {
        "date-dropped",
        "text-changed",
        "player-dropped",
        "result-dropped",
        "komi-dropped",
        "scoring-unknown",
        "text-undecodable",
        "time-dropped",
        "actor-dropped",
        "mark-dropped",
        "step-unreadable",
        "takeback-too-deep",
    }


@pytest.mark.parametrize("time", ["2000-02-29T24:00Z", "2016-12-31T23:59:60.5Z", "0000-02-29T00:00Z"])
def test_real_moments_stay(time):
    assert to_wei7(Document(9, 9, info=Info(time=time)))[1] == []


@pytest.mark.parametrize("time", ["1900-02-29T10:00Z", "2000-01-01T24:01Z", "2000-01-01T10:00:60Z", "2000-01-01"])
def test_other_moments_do_not(time):
    assert reported(to_wei7(Document(9, 9, info=Info(time=time)))[1]) == ["date-dropped info.time"]


# --- both ------------------------------------------------------------------------


@in_groups("path", sorted(EXAMPLES.glob("*/*.wei7")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_examples_go_there_and_back(path):
    revision = 2 if path.parent.name == "rev2" else 7
    game = w7.load(path, strict=False, revision=revision)
    *_, last = game.main_line()
    text, _ = encode_document(game.document, "sgf")
    sgf = w7.loads(text)
    *_, same = sgf.main_line()
    assert same.board == last.board
    back = w7.loads(encode_document(sgf.document, "wei7")[0])
    *_, same = back.main_line()
    assert same.board == last.board
    assert to_sgf(sgf.document) == (sgf.document, [])


def objects(document):
    """The ids of all objects of a document that can be changed."""
    found = {id(document.info), id(document.properties), *map(id, document.info.participants)}
    for branch in document.tree.walk():
        pre = branch.pre or Setup()
        found |= {id(branch), id(pre), *map(id, pre.stones), *map(id, pre.marks)}
        for step in branch.steps:
            found |= {id(step), id(step.action), id(step.properties), id(step.marks), *map(id, step.marks)}
            found |= set(map(id, step.action.stones)) if isinstance(step.action, Edit) else set()
    return found


def test_the_result_shares_nothing_with_the_source():
    source = from_sgf("(;SZ[9]PB[a]AB[aa];AW[bb]C[x]LB[aa:x];B[zz]TR[aa];C[y])")
    there, _ = to_sgf(source)
    back, _ = to_wei7(source)
    assert not objects(source) & (objects(there) | objects(back))


def test_there_are_two_revisions():
    with pytest.raises(ValueError, match="7 or 2"):
        to_wei7(Document(9, 9), 3)


def test_stones_off_the_board_end_the_branch():
    for steps in (
        [Step(Edit([Stone(1, (9, 0))]))],
        [Step(Move(1, None)), Step(Edit([Stone(1, (9, 0))]))],
    ):
        document, losses = to_wei7(Document(9, 9, tree=Branch(steps=[*steps, Step(Move(2, (0, 0)))])))
        assert all(step.action == Move(1, None) for step in document.tree.steps)
        assert len(losses) == 1


def test_limits_are_kept():
    with pytest.raises(LimitError):
        to_wei7(Document(9, 9, tree=Branch(steps=moves(*[None] * 20))), limits=Limits(max_moves=10))


def test_formats_go_by_name():
    document = Document(9, 9, tree=Branch(pre=Setup(marks=[Mark((0, 0), "*")])))
    assert convert_document(document, "wei7-rev2") == (document, [])
    assert reported(convert_document(document, "wei7")[1]) == ["label-replaced -;pre"]
    assert encode_document(document, "sgf")[0].startswith(b"(;FF[4]")
    with pytest.raises(ValueError, match=r"choose from wei7, wei7-rev7, wei7-rev2, wei7-2\.2, sgf, giseong"):
        convert_document(document, "gtp")


# --- losses ----------------------------------------------------------------------


def test_many_losses_are_counted_and_not_listed():
    found = LossReport()
    for number in range(LISTED + 5):
        found.add("time-dropped", f"-;{number}")
    found.add("actor-dropped", "-;7")
    losses = found.losses()
    assert len(losses) == LISTED + 1
    assert losses[-2] == Loss("time-dropped", "-;99", LOSS_CODES["time-dropped"], 6)
    assert str(losses[-1]) == "-;7: who carried a step out is left out [actor-dropped]"
    assert summary(count_by_code(losses)) == "106 losses: 105 time-dropped, 1 actor-dropped"
    assert summary(count_by_code(losses[-1:])) == "1 loss: 1 actor-dropped"
    assert summary(count_by_code([])) == "0 losses"


def test_places_of_losses_do_not_fill_the_memory():
    found = LossReport()
    for _ in range(50):
        found.add("time-dropped", "0." * 500_000)
    assert sum(len(loss.path) for loss in found.losses()) <= 2_000_000
    assert sum(loss.count for loss in found.losses()) == 50


@pytest.mark.exhaustive
def test_depth_costs_nothing_but_time():
    depth = 20_000
    root = branch = Branch(steps=moves((0, 0)))
    for number in range(depth):
        below = Branch(steps=[Step(Note(), comment="n"), Step(Move(1 + number % 2, None), time=number)])
        branch.branches.append(below)
        branch = below
    there, losses = to_sgf(Document(9, 9, tree=root))
    assert sum(loss.count for loss in losses) == depth
    back, _ = to_wei7(there)
    assert sum(1 for _ in back.tree.walk()) == depth + 1


def test_every_code_is_reported_by_its_case():
    with pytest.raises(KeyError):
        LossReport().add("unknown-code", "-")
    for code, words in LOSS_CODES.items():
        assert code.islower()
        assert words[0].islower()
        assert not words.endswith(".")


def test_a_doubtful_encoding_is_a_loss_of_every_conversion():
    doubtful = "(;SZ[9]PB[박];B[aa])".encode("euc-kr")
    damaged = "(;SZ[9]CA[UTF-8]PB[李维清]PW[董明]C[野狐职业];B[aa])".encode().replace("职".encode(), b"\xe8?\x8c")
    for data, code in ((doubtful, "charset-doubtful"), (damaged, "text-undecodable")):
        game = w7.loads(data)
        for target in ("wei7", "wei7-2.2", "sgf"):
            losses = []
            w7.convert(game, target, losses=losses)
            assert losses[0].code == code
            assert [loss.code for loss in losses].count(code) == 1
    for sure in ("(;SZ[9]CA[UTF-8]PB[李维清];B[aa])".encode(), "(;SZ[9]PB[李维清]PW[董明];B[aa])".encode()):
        losses = []
        w7.convert(w7.loads(sure), "wei7", losses=losses)
        assert losses == []
