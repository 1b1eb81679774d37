"""What conversion seldom meets: games that a program has changed after they were read, and odd values in records."""

import pytest
from helpers.cases import in_groups
from samples.wei7xml_texts import xml

import wei7core as w7
from wei7core.errors import ConversionError
from wei7core.game.conversion.from_wei7xml import utc_time
from wei7core.game.conversion.report import LossReport, count_by_code
from wei7core.game.conversion.to_sgf import to_sgf
from wei7core.record.document import (
    Branch,
    Edit,
    Mark,
    MarkAction,
    Move,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Stone,
    Unreadable,
)

MOVE = Move(1, (2, 2))
XML = xml('<black x="0" y="0"/>').encode()
SGF = b"(;SZ[19];B[aa])"


def converted(game, format):
    """The codes of what is lost, and the game as it is read again."""
    lost = []
    data = w7.dumps(game, format=format, validate=False, losses=lost)
    return {one.code for one in lost}, w7.loads(data, strict=False)


def game_of(*steps, branches=(), origin=None, **about):
    """A game of these steps, as if it had been read from the text `origin`."""
    game = w7.Game(19) if origin is None else w7.loads(origin)
    game.tree.steps[:] = steps
    game.tree.branches[:] = branches
    for name, value in about.items():
        setattr(game.tree, name, value)
    return game


@pytest.mark.parametrize("text", ["yesterday", "2001-02-30T00:00:00Z", "2001-13-01T00:00:00Z"])
def test_times_that_are_none_stay_as_they_are(text):
    assert utc_time(text, LossReport()) == text


@pytest.mark.parametrize("format", ["sgf", "wei7", "giseong"])
def test_what_a_position_is_worth(format):
    lost, _ = converted(game_of(Step(MOVE), pre=Setup(evaluation="equal")), format)
    assert "position-evaluation-dropped" in lost


def test_titles_of_steps_in_sgf():
    lost, game = converted(game_of(Step(MOVE, title="one"), Step(Move(2, (3, 3)), title="two"), title="one"), "sgf")
    assert "title-as-comment" not in lost
    named = Branch("one", steps=[Step(MOVE, title="one")]), Branch("one", steps=[Step(MOVE, title="two")])
    lost, game = converted(game_of(branches=named), "sgf")
    assert "title-as-comment" in lost
    assert [branch.steps[0].comment for branch in game.tree.branches] == [None, "two"]


@pytest.mark.parametrize(
    "text", [b";N[one];B[bb]N[two]", b";AE[gg]N[one];B[bb]N[two]", b"(;N[one]C[x];B[bb]N[two])(;B[cc])"]
)
def test_names_of_a_node_without_a_move_and_of_the_next_move_in_2_x(text):
    losses = []
    data = w7.dumps(w7.loads(b"(;SZ[9];B[aa]" + text + b")"), format="wei7-2.2", losses=losses)
    assert "title-as-comment" in [loss.code for loss in losses]
    nodes = {node.move: node for node in w7.loads(data).walk()}
    assert nodes[1, (0, 0)].comment.endswith("one")
    assert "two" in (nodes[1, (1, 1)].step.title, nodes[1, (1, 1)].branch.title)


def test_members_of_marks_that_another_format_keeps():
    mark = Mark((0, 0), "a", extra={"shade": "1"})
    lost, _ = converted(game_of(Step(MOVE, marks=[mark])), "sgf")
    assert "member-dropped" in lost
    branch = game_of(Step(MOVE))
    branch.tree.extra["more"] = "1"
    assert "member-dropped" in converted(branch, "wei7-2.2")[0]


@pytest.mark.parametrize("format", ["wei7", "giseong"])
def test_stones_set_up_after_a_move(format):
    odd = Branch(pre=Setup([Stone(1, (40, 2))]), steps=[Step(Move(2, (5, 5)))], branches=[Branch(steps=[Step(MOVE)])])
    below = [odd, Branch(steps=[Step(Move(2, (4, 4)))])]
    lost, _ = converted(game_of(Step(MOVE), branches=below, origin=SGF), format)
    assert "setup-after-move" in lost


@pytest.mark.parametrize("problem", [0, 7])
def test_problems_of_nobody(problem):
    lost, game = converted(game_of(Step(MOVE), pre=Setup(problem=problem), origin=SGF), "wei7")
    assert "problem-dropped" in lost
    assert game.tree.pre.problem is None


def test_mark_actions_that_are_labels():
    _, game = converted(game_of(Step(MOVE), Step(MarkAction((3, 3), "한")), origin=SGF), "wei7")
    assert "한" in game.tree.steps[-1].comment


def test_steps_of_2_x_that_were_changed():
    steps = [Step(MOVE, marks=[Mark((0, 0), "")]), Step(Unreadable(b"<move/>"))]
    assert "mark-dropped" in converted(game_of(*steps, origin=XML), "wei7-2.2")[0]
    lost, _ = converted(game_of(Step(MOVE, title="two"), title="one", origin=XML), "wei7-2.2")
    assert "title-as-comment" in lost
    with pytest.raises(ConversionError, match=r"2\.2 does not support setup during a game"):
        w7.dumps(game_of(Step(Edit([Stone(1, (0, 0))])), origin=XML), format="wei7-2.2", validate=False)


def test_steps_of_wei7_that_could_not_be_read():
    game = game_of(Step(MOVE), Step(Unreadable(b"{}", False)), Step(Move(2, (3, 3))))
    assert "step-unreadable" in converted(game, "wei7-2.2")[0]


def test_no_komi_of_2_x():
    game = w7.loads(XML)
    game.document.info.rules = w7.GameRules("area")
    assert converted(game, "sgf")[1].info.rules.komi == 0


@pytest.mark.parametrize("value", ["3", "", "x"])
def test_sgf_that_says_how_good_a_move_is_oddly(value):
    game = w7.loads(f"(;SZ[19];B[aa]TE[{value}]DM[1])".encode(), strict=False)
    _, again = converted(game, "wei7")
    assert len(again.tree.steps) == 1


def test_giseong_that_was_changed():
    game = w7.loads(w7.dumps(w7.loads(SGF), format="giseong"))
    game.tree.steps[0].properties["C"] = ("more",)
    _, again = converted(game, "giseong")
    assert len(again.tree.steps) == 1


def test_sgf_as_giseong():
    game = w7.loads(b"(;SZ[19]TM[600]OT[3x30 byo-yomi]RE[B+R];B[aa]TE[1](;W[bb];B[cc])(;W[cc]))")
    game.document.info.result = None
    lost, _ = converted(game, "giseong")
    assert "evaluation-as-comment" in lost


def test_games_with_what_only_2_x_has():
    game = game_of(Step(MOVE, title="a"), Step(Unreadable(b"{}", False)))
    game.tree.extra["more"] = "1"
    game.document.info = w7.Info(name="one\ntwo", rules=w7.GameRules("stones"), result=Result(3))
    lost, again = converted(game, "wei7-2.2")
    assert {"member-dropped", "result-dropped", "scoring-unknown", "step-unreadable"} <= lost
    assert again.document.info.name != "one\ntwo"


@pytest.mark.parametrize("format", ["wei7", "wei7-rev2", "wei7-2.2", "giseong"])
@in_groups(
    ("node", "loss"),
    [
        (";B[bb]LB[tt:x][cc:y]", ("-;1.LB", "mark-dropped", "LB has 1 value without a point of the board")),
        (";B[bb]TR[tt][aa:tt][cc]", ("-;1.TR", "mark-dropped", "TR has 2 values without a point of the board")),
        (";B[bb]TR[aa:cc]LB[dd:x:y]AE[]", None),
        ("AB[tt][aa];B[bb]", ("AB", "property-dropped", "AB has 1 value without a point of the board")),
        ("AB[aa]TR[bb][]AW[];B[bb]", None),
    ],
)
def test_values_that_are_no_points_are_losses(format, node, loss):
    losses = []
    game = w7.loads(f"(;SZ[19]{node})", strict=False)
    w7.dumps(game, format=format, losses=losses, validate=False)
    found = [(one.path, one.code, one.message) for one in losses if "without a point" in one.message]
    assert [(path.rpartition(";")[2].split(".")[-1], *details) for path, *details in found] == (
        [] if loss is None else [(loss[0].rpartition(".")[2], *loss[1:])]
    )
    again = w7.loads(w7.dumps(game, format="sgf"), strict=False)
    assert game.document.properties.items() <= again.document.properties.items()
    assert again.tree.steps == game.tree.steps


@pytest.mark.parametrize("format", ["wei7", "wei7-rev2", "wei7-2.2", "giseong"])
@in_groups(
    ("nodes", "dropped"),
    [
        (";B[aa];;W[bb]", 1),
        (";;B[aa];W[bb];", 2),
        (";B[aa](;;W[bb])(;W[cc];;)", 3),
        (";B[aa](;)(;W[cc])", 0),  # a branch without steps
        (";B[aa];C[x];W[bb]", 0),
    ],
)
def test_nodes_without_properties_are_losses(format, nodes, dropped):
    losses = []
    w7.dumps(w7.loads(f"(;SZ[19]{nodes})"), format=format, losses=losses)
    assert count_by_code(losses).get("node-dropped", 0) == dropped


def test_marks_of_the_root_of_sgf_stay_as_they_were_read():
    lost, again = converted(changed := w7.loads("(;SZ[9]TR[aa]SQ[aa]LB[aa:A][aa:A];B[bb];AB[cc]C[x])"), "sgf")
    assert (lost, again.tree.pre, again.document.properties["SQ"]) == (set(), changed.tree.pre, ("aa",))
    changed.tree.pre.marks.append(Mark((3, 3), "B"))
    lost, again = converted(changed, "sgf")
    assert (lost, again.document.properties["SQ"], again.tree.pre.marks[-1]) == (set(), ("aa",), Mark((3, 3), "B"))


class Counted(int):
    """A number that counts how often it is compared."""

    compared = 0

    def __eq__(self, other):
        Counted.compared += 1
        return int(self) == other

    __hash__ = int.__hash__


def test_many_players_are_not_compared_with_each_other():
    count = 500
    game = game_of()
    game.document.info = w7.Info(
        participants=[Participant(f"p{row}") for row in range(count)],
        players=[Player(Counted(row), 1) for row in range(count)],
    )
    document, _ = to_sgf(game.document)
    assert document.info.black_name == ", ".join(f"p{row}" for row in range(count))
    assert Counted.compared < 10 * count
