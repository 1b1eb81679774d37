"""What a format has no place for, its writer refuses: `dumps` converts such a game before."""

import pytest
from helpers.cases import in_groups

import wei7core as w7
from wei7core.formats.sgf.write import document_to_sgf
from wei7core.formats.wei7.write import document_to_json, document_to_obj
from wei7core.formats.wei7xml.write import document_to_xml
from wei7core.record.document import Branch, Edit, Move, Note, Setup, Step, Stone

MOVE = Move(1, (2, 2))


def game(*steps, **root):
    made = w7.Game(9)
    made.tree.steps[:] = steps
    for name, value in root.items():
        setattr(made.tree, name, value)
    return made.document


@in_groups(
    ("write", "made", "refusal"),
    [
        (document_to_json, game(Step(Note())), "wei7 has no step for Note"),
        (document_to_json, game(Step(Edit([Stone(1, (0, 0))]))), "wei7 has no step for Edit"),
        (document_to_json, game(Step(MOVE, title="t")), "wei7 3.0 has no titles of steps"),
        (document_to_json, game(pre=Setup(evaluation="good")), "wei7 3.0 has no evaluation of a position"),
        (document_to_sgf, game(Step(MOVE, time=1)), "SGF has no times and actors"),
        (document_to_sgf, game(Step(MOVE, actor=0)), "SGF has no times and actors"),
        (document_to_sgf, game(Step(MOVE, title="t")), "SGF has the name of a node in N"),
        (document_to_xml, game(branches=[Branch(title="t"), Branch()]), "no place for the title of"),
        (
            document_to_xml,
            game(branches=[Branch("t", None, [Step(MOVE, title="u")]), Branch()]),
            "one title for a branch",
        ),
        (document_to_xml, game(Step(MOVE, comment="\0")), "XML has no character like one of"),
    ],
)
def test_refused(write, made, refusal):
    with pytest.raises(ValueError, match=refusal):
        write(made)


def test_the_place_of_a_refused_step_is_stated():
    made = game(branches=[Branch(), Branch(steps=[Step(MOVE), Step(Note())])])
    for write in (document_to_json, document_to_obj):
        with pytest.raises(ValueError, match="branch 1, step 1: wei7 has no step for Note"):
            write(made)


def test_nodes_of_a_game_of_wei7_are_converted():
    made = w7.Game(9)
    made.root.play("D4")
    made.tree.steps.append(Step(Note(), comment="c"))
    assert made.format == "wei7"
    assert [node.comment for node in w7.loads(w7.dumps(made)).walk()] == [None, None, "c"]
    made.tree.steps.append(Step(Edit([Stone(1, (0, 0))])))
    lost = []
    w7.dumps(made, losses=lost)
    assert [loss.code for loss in lost] == ["setup-after-move"]


def test_steps_alone_are_steps():
    for write in (document_to_json, document_to_sgf, document_to_xml):
        with pytest.raises((TypeError, AttributeError)):
            write(game(MOVE))
