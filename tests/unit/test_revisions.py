"""Records of revision 2 as ones of revision 7: whatever is written is valid, and every change is listed."""

import copy
import json
import pickle

import pytest
from helpers.cases import in_groups
from helpers.effort import examples
from hypothesis import HealthCheck, given, settings
from samples.wei7_documents import documents

import wei7core as w7


def move(color, x, **more):
    return {"action": {"type": "move", "value": {"color": color, "point": {"x": x, "y": 0}, **more}}}


def game_of(tree):
    return w7.from_obj({"format": "wei7", "version": "3.0", "size": 9, "tree": tree}, revision=2)


ASKED = {"problem": {"color": 2}}
GOOD = {"evaluation": "good"}
PROBLEMS = [
    # The tree by revision 2, that by revision 7, and the losses.
    (
        {"steps": [move(1, 0, **ASKED), move(2, 1, **GOOD)]},
        {"steps": [move(1, 0)], "branches": [{"pre": ASKED, "steps": [move(2, 1, **GOOD)]}]},
        ["problem-moved"],
    ),
    ({"steps": [move(1, 0, **ASKED)]}, {"steps": [move(1, 0)], "branches": [{"pre": ASKED}]}, ["problem-moved"]),
    (
        {"steps": [move(1, 0, **ASKED), move(2, 1)]},
        {"steps": [move(1, 0) | {"comment": "Problem: White to play."}, move(2, 1)]},
        ["problem-dropped"],
    ),
    (
        {"steps": [move(1, 0, **ASKED), move(2, 1, evaluation="trick")]},
        {"steps": [move(1, 0) | {"comment": "Problem: White to play."}, move(2, 1) | {"comment": "A trick move."}]},
        ["problem-dropped", "evaluation-dropped"],
    ),
    (
        {"steps": [move(1, 0, **ASKED), move(2, 1, **GOOD, **ASKED), move(1, 2, **GOOD)]},
        {
            "steps": [move(1, 0)],
            "branches": [
                {
                    "pre": ASKED,
                    "steps": [move(2, 1, **GOOD) | {"comment": "Problem: White to play."}, move(1, 2, **GOOD)],
                }
            ],
        },
        ["problem-moved", "problem-dropped"],
    ),
    (
        {"steps": [move(1, 0, **ASKED)], "branches": [{"pre": ASKED, "steps": [move(2, 1)]}, {"steps": [move(2, 2)]}]},
        {
            "steps": [move(1, 0)],
            "branches": [
                {
                    "pre": ASKED,
                    "branches": [
                        {"pre": {"comment": "Problem: White to play."}, "steps": [move(2, 1)]},
                        {"steps": [move(2, 2)]},
                    ],
                }
            ],
        },
        ["problem-moved", "problem-dropped"],
    ),
    (
        {"pre": ASKED, "steps": [move(1, 0), move(2, 1, **ASKED), move(1, 2, **GOOD)]},
        {
            "pre": {"comment": "Problem: White to play."},
            "steps": [move(1, 0), move(2, 1)],
            "branches": [{"pre": ASKED, "steps": [move(1, 2, **GOOD)]}],
        },
        ["problem-moved", "problem-dropped"],
    ),
]


@in_groups(("tree", "expected", "codes"), PROBLEMS)
def test_problems_at_moves(tree, expected, codes):
    losses = []
    game = w7.convert(game_of(tree), "wei7-rev7", losses=losses)
    assert (game.revision, game.to_obj()["tree"]) == (7, expected)
    assert [loss.code for loss in losses] == codes
    assert w7.loads(w7.dumps(game), revision=7).document == game.document


@pytest.mark.parametrize("touched", [False, True])
def test_a_game_that_was_read_by_another_revision_is_converted(touched):
    game = game_of(PROBLEMS[0][0])
    game.revision = 7
    if touched:
        assert game.tree.steps
    for one in (game, pickle.loads(pickle.dumps(game)), copy.deepcopy(game)):
        losses = []
        assert json.loads(w7.dumps(one, losses=losses))["tree"] == PROBLEMS[0][1]
        assert [loss.code for loss in losses] == ["problem-moved"]
        assert w7.convert(one, "wei7", losses=[]).to_obj()["tree"] == PROBLEMS[0][1]
    game.revision = 2
    assert json.loads(w7.dumps(game))["tree"] == PROBLEMS[0][0]


@settings(
    max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(documents(revision=2))
def test_what_is_written_by_revision_7_is_valid(obj):
    game = w7.loads(json.dumps(obj, ensure_ascii=False).encode("utf-8", "replace"), revision=2)
    for _ in range(2):
        losses = []
        data = w7.dumps(game, format="wei7-rev7", validate=False, losses=losses)
        again = w7.loads(data, revision=7)
        assert json.loads(w7.dumps(again)) == json.loads(data)
        if not losses:
            assert again.document == w7.loads(w7.dumps(game, format="wei7-rev2"), revision=2).document
        game.revision = 7
        assert w7.dumps(game, losses=[]) == data
        game.revision = 2
        assert game.tree is not None
