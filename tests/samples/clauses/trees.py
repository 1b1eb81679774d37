"""Section 4: `tree`, `pre`, `branches`, pause points, and the ambiguities about setups and problems."""

from wei7core.limits import Limits

from .rows import (
    accept,
    branches,
    mark,
    message,
    move,
    passes,
    pre,
    record,
    reject,
    steps,
    stone,
    stones,
    takeback,
    warn,
)

FIRST = "$.tree.branches[0]"
PLACED = stones(stone(1, 3, 3))
ASK = '"problem": {"color": 1}'
GOOD = '"evaluation": "good"'


def corner(*more: str) -> str:
    """A white stone in the corner without liberties, and more stones."""
    return stones(stone(1, 1, 0), stone(2, 0, 0), stone(1, 0, 1), *more)


def deep(levels: int) -> str:
    """A record of so many trees, each the only branch of the one before."""
    return record('{"branches": [' * levels + "{}" + "]}" * levels)


ROWS = [
    accept("T-1", record("{}")),
    accept(
        "T-1", record('{"branches": [{"branches": [{"branches": [{}, {}]}, {}]}], "steps": [], "pre": {}, "title": ""}')
    ),
    reject("T-1", "unknown-member", "$.tree.name", record('{»"name": "x"}'), "3.15"),
    reject("T-1", "unknown-member", FIRST + ".comment", record('{"branches": [{»"comment": "x"}]}'), "3.15"),
    accept("T-2", record('{"title": "' + "long\\n" * 100 + '"}'), "no shortString"),
    reject("T-2", "type-mismatch", "$.tree.title", record('{"title": »1}'), "3.15.1"),
    reject("T-2", "type-mismatch", "$.tree.title", record('{"title": »null}'), "3.15.1"),
    # pre
    accept("P-1", record('{"pre": {}}')),
    accept("P-1", pre('"comment": "c", ' + PLACED + ', "problem": {"color": 2}, "marks": []')),
    reject("P-1", "unknown-member", "$.tree.pre.title", pre('»"title": "x"'), "3.15.2"),
    reject("P-1", "unknown-member", "$.tree.pre.time", pre('»"time": 1'), "3.15.2"),
    reject("P-1", "type-mismatch", "$.tree.pre", record('{"pre": »[]}'), "3.15.2"),
    reject("P-1", "type-mismatch", "$.tree.pre", record('{"pre": »null}'), "3.15.2"),
    accept("P-2", pre(stones(stone(1, 3, 3), '{"point": {"y": 4, "x": 3}, "color": 2}'))),
    reject("P-2", "type-mismatch", "$.tree.pre.stones", pre('"stones": »{}'), "3.15.2.1"),
    reject("P-2", "type-mismatch", "$.tree.pre.stones", pre('"stones": »2'), "3.15.2.1"),
    reject("P-2", "type-mismatch", "$.tree.pre.stones[0]", pre('"stones": [»[1, 3, 3]]'), "3.15.2.1"),
    reject("P-2", "missing-member", "$.tree.pre.stones[1]", pre(stones(stone(1, 3, 3), '»{"color": 1}')), "3.15.2.1"),
    reject("P-2", "missing-member", "$.tree.pre.stones[0]", pre(stones('»{"point": {"x": 1, "y": 1}}')), "3.15.2.1"),
    reject(
        "P-2",
        "unknown-member",
        "$.tree.pre.stones[0].marks",
        pre(stones('{"color": 1, "point": {"x": 1, "y": 1}, »"marks": []}')),
        "3.15.2.1",
    ),
    accept("P-3", pre('"problem": {"color": 2}')),
    reject("P-3", "type-mismatch", "$.tree.pre.problem", pre('"problem": »true'), "3.15.2.2"),
    reject("P-3", "type-mismatch", "$.tree.pre.problem", pre('"problem": »null'), "3.15.2.2"),
    accept("P-4", pre(ASK, '"steps": [' + move(1, 0, 0, GOOD) + "]")),
    accept("P-5", pre('"marks": [' + mark(0, 0) + "]")),
    reject("P-5", "type-mismatch", "$.tree.pre.marks", pre('"marks": »"a"'), "3.13|3.15.2.3"),
    accept("P-6", pre('"comment": "初始局面"')),
    reject("P-6", "type-mismatch", "$.tree.pre.comment", pre('"comment": »false'), "3.11|3.15.2.4"),
    accept("P-7", pre(stones(stone(1, 0, 1), stone(2, 0, 0), stone(2, 1, 0)))),
    accept("P-7", pre(stones(stone(2, 1, 0), stone(2, 0, 0), stone(1, 0, 1))), "the other order"),
    reject(
        "P-7",
        "setup-no-liberty",
        "$.tree.pre.stones*",
        pre(stones(stone(2, 0, 0), stone(1, 1, 0), stone(1, 0, 1))),
        "3.15.2.5",
    ),
    reject(
        "P-7",
        "setup-no-liberty",
        "$.tree.pre.stones*",
        pre(stones(stone(1, 1, 0), stone(1, 0, 1), stone(2, 0, 0))),
        "3.15.2.5",
    ),
    accept("P-8", pre(stones(stone(1, 1, 0), stone(2, 0, 0)))),
    accept("P-8", pre(stones(stone(1, 0, 0), stone(1, 1, 0), stone(2, 0, 1), stone(2, 1, 1)))),
    reject("P-8", "setup-no-liberty", "$.tree.pre.stones*", pre(corner()), "3.15.2.5"),
    reject(
        "P-8",
        "setup-no-liberty",
        "$.tree.pre.stones*",
        pre(stones(stone(1, 0, 0), stone(1, 1, 0), stone(2, 0, 1), stone(2, 1, 1), stone(2, 2, 0))),
        "3.15.2.5",
    ),
    reject("P-8", "setup-no-liberty", FIRST + ".pre.stones*", branches("", '{"pre": {' + corner() + "}}"), "3.15.2.5"),
    reject(
        "P-8", "setup-point-taken", "$.tree.pre.stones[1]*", pre(stones(stone(1, 3, 3), stone(2, 3, 3))), "3.15.2.5"
    ),
    accept("P-9", branches("", '{"pre": {' + PLACED + "}}")),
    accept("P-9", branches("[" + move(1, 0, 0) + "]", '{"pre": {"stones": []}}'), "no element"),
    accept("P-9", branches("[" + message() + "]", '{"pre": {' + PLACED + "}}"), "a message is no move"),
    accept(
        "P-9", branches("", '{"steps": [' + move(1, 0, 0) + "]}", '{"pre": {' + PLACED + "}}"), "siblings do not matter"
    ),
    accept("P-9", branches("", '{"pre": {' + PLACED + "}}", '{"pre": {' + PLACED + "}}"), "siblings do not matter"),
    accept("P-9", record('{"pre": {"stones": []}, "branches": [{"pre": {' + PLACED + "}}]}")),
    accept(
        "P-9",
        record('{"steps": [' + move(1, 3, 4) + '], "pre": {' + PLACED + "}}"),
        "own steps come after, wherever written",
    ),
    reject(
        "P-9",
        "setup-after-move",
        FIRST + ".pre.stones*",
        branches("[" + move(1, 0, 0) + "]", '{"pre": {' + PLACED + "}}"),
        "3.15.2.6",
    ),
    reject(
        "P-9",
        "setup-after-move",
        FIRST + ".pre.stones*",
        record('{"branches": [{"pre": {' + PLACED + '}}], "steps": [' + move(1, 0, 0) + "]}"),
        "3.15.2.6",
        why="steps come before branches, wherever written",
    ),
    reject(
        "P-9",
        "setup-after-move",
        FIRST + ".pre.stones*",
        record('{"branches": [{"pre": {' + PLACED + '}}], "pre": {' + stones(stone(2, 9, 9)) + "}}"),
        "3.15.2.6",
    ),
    reject(
        "P-9",
        "setup-after-move",
        FIRST + ".branches[1].pre.stones*",
        record(
            '{"pre": {' + PLACED + '}, "branches": [{"branches": [{}, {"pre": {' + stones(stone(2, 9, 9)) + "}}]}]}"
        ),
        "3.15.2.6",
    ),
    accept("P-10", branches("", '{"pre": {' + ASK + "}}", '{"pre": {' + ASK + "}}"), "side by side"),
    accept("P-10", record('{"pre": {' + ASK + '}, "branches": [{"pre": {"comment": "c"}}]}')),
    reject(
        "P-10",
        "problem-nested",
        FIRST + ".pre.problem",
        record('{"pre": {' + ASK + '}, "branches": [{"pre": {"problem": »{"color": 2}}}]}'),
        "3.15.2.7",
        revisions=(7,),
    ),
    reject(
        "P-10",
        "problem-nested",
        FIRST + ".branches[0].pre.problem",
        record('{"branches": [{"branches": [{"pre": {"problem": »{"color": 2}}}]}], "pre": {' + ASK + "}}"),
        "3.15.2.7",
        revisions=(7,),
    ),
    accept("P-10", record('{"pre": {' + ASK + '}, "branches": [{"pre": {' + ASK + "}}]}"), revisions=(2,)),
    # branches
    accept("N-1", record('{"branches": []}')),
    accept("N-1", record('{"branches": [{}, {"title": "b"}]}')),
    reject("N-1", "type-mismatch", "$.tree.branches", record('{"branches": »{}}'), "3.15.4"),
    reject("N-1", "type-mismatch", "$.tree.branches", record('{"branches": »null}'), "3.15.4"),
    reject("N-1", "type-mismatch", "$.tree.branches[1]", record('{"branches": [{}, »[]]}'), "3.15.4|3.15"),
    reject("N-1", "type-mismatch", "$.tree.branches[0]", record('{"branches": [»null]}'), "3.15.4|3.15"),
    accept(
        "N-2",
        branches("[" + move(1, 3, 3) + "]", '{"steps": [' + move(2, 4, 4) + "]}", '{"steps": [' + move(2, 4, 4) + "]}"),
    ),
    reject(
        "N-2",
        "move-occupied",
        FIRST + ".steps[0]*",
        branches("[" + move(1, 3, 3) + "]", '{"steps": [' + move(2, 3, 3) + "]}"),
        why="after all steps of this tree",
    ),
    reject(
        "N-2",
        "move-occupied",
        "$.tree.branches[1].steps[0]*",
        record('{"branches": [{}, {"steps": [' + move(2, 3, 3) + ']}], "steps": [' + move(1, 3, 3) + "]}"),
        why="wherever written",
    ),
    accept("N-3", branches("", "{}", '{"steps": [' + move(1, 0, 0) + "]}")),
    accept(
        "N-4",
        branches("[" + move(1, 3, 3) + "]", '{"steps": [' + move(2, 4, 4) + "]}", '{"steps": [' + move(2, 5, 5) + "]}"),
    ),
    accept("Q-1", steps(move(1, 0, 0))),
    accept("Q-2", branches("[" + move(1, 0, 0) + "]", '{"pre": {"comment": "variation"}}', '{"pre": {}}')),
    accept("Q-3", branches("[" + move(1, 0, 0, rest='"time": 1') + "]", "{}"), "a timeline with branches"),
    accept("A11", pre(PLACED, '"steps": [' + move(2, 0, 0) + ", " + takeback(1) + "]")),
    reject(
        "A11",
        "takeback-too-deep",
        "$.tree.steps[0].action.value",
        pre(PLACED, '"steps": [' + takeback("»1") + "]"),
        "3.15.3.2.2",
    ),
    accept("A13", branches("[" + move(1, 0, 0) + ", " + takeback(1) + "]", '{"pre": {"stones": []}}')),
    reject(
        "A13",
        "setup-after-move",
        FIRST + ".pre.stones*",
        branches("[" + move(1, 0, 0) + ", " + takeback(1) + "]", '{"pre": {' + PLACED + "}}"),
        "3.15.2.6",
    ),
    accept("A14", branches("[" + passes(1) + ", " + takeback(1) + "]")),
    reject(
        "A14",
        "setup-after-move",
        FIRST + ".pre.stones*",
        branches("[" + passes(1) + "]", '{"pre": {' + PLACED + "}}"),
        "3.15.2.6",
    ),
    accept("A16", steps(move(1, 0, 0), move(2, 0, 0), move(2, 0, 0), passes(1), size="1")),
    reject("A16", "setup-no-liberty", "$.tree.pre.stones*", pre(stones(stone(1, 0, 0)), size="1"), "3.15.2.5"),
    reject(
        "A16",
        "setup-no-liberty",
        "$.tree.pre.stones*",
        pre(stones(stone(2, 0, 0)), size='{"width": 1, "height": 1}'),
        "3.15.2.5",
    ),
    accept("A19", pre(stones(stone(1, 3, 3), stone(1, 3, 4)))),
    reject(
        "A19", "setup-point-taken", "$.tree.pre.stones[1]*", pre(stones(stone(1, 3, 3), stone(1, 3, 3))), "3.15.2.5"
    ),
    reject(
        "A19",
        "setup-point-taken",
        "$.tree.pre.stones[2]*",
        pre(stones(stone(1, 3, 3), stone(2, 4, 4), stone(2, "3.0", "30e-1"))),
        "3.15.2.5",
    ),
    accept("A21", record('{"pre": {' + ASK + '}, "branches": [{"branches": [{}]}]}')),
    reject(
        "A21",
        "problem-nested",
        FIRST + ".branches[1].branches[0].pre.problem",
        record(
            '{"pre": {'
            + ASK
            + '}, "branches": [{"branches": [{}, {"branches": [{"pre": {"problem": »{"color": 1}}}]}]}]}'
        ),
        "3.15.2.7",
        revisions=(7,),
    ),
    # problems: M-5, A22..A24
    accept("M-5", pre(ASK, '"steps": [' + move(1, 0, 0, GOOD) + ", " + move(2, 0, 1, '"evaluation": "bad"') + "]")),
    accept("M-5", record('{"steps": [' + move(1, 0, 0, GOOD) + '], "pre": {' + ASK + "}}"), "pre after steps"),
    accept("M-5", pre('"comment": "no problem"', '"steps": [' + move(1, 0, 0) + "]")),
    accept("M-5", pre(ASK, '"steps": [' + message() + "]"), "only moves"),
    reject(
        "M-5",
        "evaluation-missing",
        "$.tree.steps[1].action.value",
        pre(
            ASK,
            '"steps": ['
            + move(1, 0, 0, GOOD)
            + ', {"action": {"type": "move", "value": »{"color": 2, "point": {"x": 1, "y": 1}}}}]',
        ),
        "3.15.3.2.1.3",
        revisions=(7,),
    ),
    reject(
        "M-5",
        "evaluation-missing",
        "$.tree.steps[0].action.value",
        record(
            '{"steps": [{"action": {"type": "move", "value": »{"color": 1, "point": {"x": 1, "y": 1}}}}], "pre": {'
            + ASK
            + "}}"
        ),
        "3.15.3.2.1.3",
        revisions=(7,),
        why="pre after steps",
    ),
    accept("M-5", pre(ASK, '"steps": [' + move(1, 0, 0) + "]"), "revision 2 never asks for it", revisions=(2,)),
    accept("A22", record('{"pre": {' + ASK + '}, "branches": [{"steps": [' + move(1, 0, 0, GOOD) + "]}]}")),
    warn(
        "A22",
        "evaluation-missing-later",
        FIRST + ".steps[0]*",
        record('{"pre": {' + ASK + '}, "branches": [{"steps": [' + move(1, 0, 0) + "]}]}"),
        revisions=(7,),
    ),
    warn(
        "A22",
        "evaluation-missing-later",
        FIRST + ".branches[0].steps[0]*",
        record('{"branches": [{"branches": [{"steps": [' + move(1, 0, 0) + ']}]}], "pre": {' + ASK + "}}"),
        revisions=(7,),
    ),
    accept("A22", record('{"pre": {' + ASK + '}, "branches": [{"steps": [' + move(1, 0, 0) + "]}]}"), revisions=(2,)),
    accept("A23", pre(ASK)),
    accept("A23", pre(ASK, '"steps": [' + passes(1, GOOD) + "]")),
    reject(
        "A23",
        "evaluation-missing",
        "$.tree.steps[0].action.value",
        pre(ASK, '"steps": [{"action": {"type": "move", "value": »{"color": 1, "point": null}}}]'),
        "3.15.3.2.1.3",
        revisions=(7,),
    ),
    accept("A24", pre('"problem": {"color": 2}', '"steps": [' + move(2, 0, 0, GOOD) + "]")),
    warn("A24", "problem-first-color", "$.tree.steps[0]*", pre(ASK, '"steps": [' + move(2, 0, 0, GOOD) + "]")),
    warn(
        "A24",
        "problem-first-color",
        "$.tree.steps[1]*",
        pre(ASK, '"steps": [' + message() + ", " + move(2, 0, 0, GOOD) + "]"),
    ),
    accept("A25", branches("", '{"title": "variation"}', '{"title": "the game as played?"}')),
    # A48
    accept("A48", deep(10_000)),
    accept("A48", deep(3), limits=Limits(max_depth=20)),
    reject("A48", "limit-depth", "$*", deep(40), limits=Limits(max_depth=20)),
    # 2nd revision: a problem after a move
    accept("P-3", steps(move(1, 0, 0, ASK)), revisions=(2,)),
    reject(
        "P-3",
        "type-mismatch",
        "$.tree.steps[0].action.value.problem",
        steps(move(1, 0, 0, '"problem": »2')),
        clause2="3.15|3.16.3.2.1.4",
        revisions=(2,),
    ),
    reject(
        "P-3",
        "missing-member",
        "$.tree.steps[0].action.value.problem",
        steps(move(1, 0, 0, '"problem": »{}')),
        clause2="3.15|3.16.3.2.1.4",
        revisions=(2,),
    ),
]
