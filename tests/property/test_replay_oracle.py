"""Generated branching records, takebacks into parents included, against the slow replay."""

import json

from helpers import draws
from helpers.effort import examples
from hypothesis import given, settings
from oracles.replay import replay

from wei7core.formats.wei7.decode import decode
from wei7core.replaying.replay import pause_points, replay_record


@draws.composite
def trees(draw, width, height, in_force=0, touched=False, depth=0):
    """A tree whose takebacks never go too deep and whose presets are valid."""
    branch = {}
    points = draws.builds(lambda x, y: {"x": x, "y": y}, draws.integers(0, width - 1), draws.integers(0, height - 1))
    colors = draws.integers(1, 2)
    if draw(draws.integers(0, 3)) == 0:
        branch["pre"] = {}
        if not touched and draw(draws.booleans()):
            where = draw(draws.lists(points, max_size=6, unique_by=lambda p: (p["x"], p["y"])))
            branch["pre"]["stones"] = [{"color": draw(colors), "point": point} for point in where]
            touched = bool(where)
    steps = []
    for _ in range(draw(draws.integers(0, 14))):
        kind = draw(draws.sampled_from(["move"] * 8 + ["pass", "takeback", "message"]))
        if kind == "takeback" and in_force:
            count = draw(draws.integers(1, in_force))
            in_force -= count
            steps.append({"action": {"type": "takeback", "value": count}})
        elif kind == "message":
            steps.append({"action": {"type": "message", "value": "!"}})
        else:
            point = None if kind == "pass" else draw(points)
            steps.append({"action": {"type": "move", "value": {"color": draw(colors), "point": point}}})
            in_force += 1
            touched = True
    if steps:
        branch["steps"] = steps
    if depth < 4 and draw(draws.booleans()):
        below = trees(width, height, in_force, touched, depth + 1)
        branch["branches"] = draw(draws.lists(below, max_size=3))
    return branch


@draws.composite
def games(draw):
    """Small boards, where captures, suicides and occupied points come often."""
    width, height = draw(draws.integers(1, 4)), draw(draws.integers(1, 4))
    return width, height, draw(trees(width, height))


def record_of(width, height, tree):
    """The decoded record of a tree."""
    size = {"width": width, "height": height}
    return decode(json.dumps({"format": "wei7", "version": "3.0", "size": size, "tree": tree}).encode())


@settings(max_examples=examples(300))
@given(draws.drawn(games()))
def test_replay_agrees_with_the_oracle(game):
    width, height, tree = game
    record = record_of(width, height, tree)
    end, pauses, refused = replay(tree, width, height)
    replayed = replay_record(record)
    expected = end.figures()
    assert {name: getattr(replayed, name) for name in expected} == expected
    found = [problem for problem in replayed.problems if problem.code in ("move-occupied", "setup-no-liberty")]
    assert len(found) == len(refused)
    assert {json_path(path) for path in refused} == {
        problem.path.partition(".steps")[0].partition(".pre")[0] for problem in found
    }
    assert (replayed.error is None) == (not refused)
    reported = [(p.branch, p.step, p.move_number, p.position) for p in pause_points(record)]
    assert reported == pauses


@given(draws.drawn(games()))
def test_the_last_board_of_the_main_line_has_its_history(game):
    width, height, tree = game
    replayed = replay_record(record_of(width, height, tree))
    end, _, _ = replay(tree, width, height)
    board = replayed.board
    assert board.moves() == end.moves
    assert (board.hash, board.canonical_hash) == (replayed.hash, replayed.canonical_hash)
    board.undo(board.move_count)
    start = "".join(".XO"[board[x, y]] for y in range(height) for x in range(width))
    end.undo(len(end.moves))
    assert start == end.letters()


def json_path(path):
    """The JSON path of the branch at a path of ordinals."""
    ordinals = [] if path == "-" else path.split(".")
    return "$.tree" + "".join(f".branches[{ordinal}]" for ordinal in ordinals)
