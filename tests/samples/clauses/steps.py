"""Sections 4.2 and 5: steps, their actions, the game of Go; the ambiguities about moves, takebacks and times."""

from .rows import (
    PEOPLE,
    accept,
    action,
    branches,
    mark,
    message,
    move,
    passes,
    pre,
    record,
    reject,
    steps,
    takeback,
    timed_mark,
    warn,
)

STEP = "$.tree.steps[0]"
VALUE = STEP + ".action.value"
TWO = "{" + PEOPLE + "}"


def result(members: str, rest: str = "") -> str:
    """A step that claims a result."""
    return action("result", "{" + members + "}", rest)


ROWS = [
    accept("S-1", record('{"steps": []}')),
    accept(
        "S-1",
        steps(
            '{"comment": "c", "marks": [], "actor": 0, "action": {"value": "m", "type": "message"}, "time": 1}',
            info=TWO,
        ),
    ),
    reject("S-1", "type-mismatch", "$.tree.steps", record('{"steps": »{}}'), "3.15.3"),
    reject("S-1", "type-mismatch", "$.tree.steps", record('{"steps": »null}'), "3.15.3"),
    reject("S-1", "type-mismatch", STEP, steps("»[]"), "3.15.3"),
    reject("S-1", "type-mismatch", "$.tree.steps[1]", steps(message(), "»null"), "3.15.3"),
    reject("S-1", "missing-member", STEP, steps("»{}"), "3.15.3"),
    reject("S-1", "missing-member", "$.tree.steps[1]", steps(message(), '»{"comment": "x"}'), "3.15.3"),
    reject("S-1", "unknown-member", STEP + ".title", steps(message(rest='»"title": "x"')), "3.15.3"),
    reject(
        "S-1",
        "unknown-member",
        STEP + ".type",
        steps('{»"type": "message", "action": {"type": "message", "value": ""}}'),
        "3.15.3",
    ),
    accept("S-2", steps(message(rest='"time": 0'), message(rest='"time": 51.234'))),
    reject("S-2", "number-out-of-range", STEP + ".time", steps(message(rest='"time": »90000')), "3.14"),
    reject("S-2", "type-mismatch", STEP + ".time", steps(message(rest='"time": »"00:01"')), "3.14"),
    accept("S-3", steps(message(rest='"time": 5'), message(rest='"time": 5'), message(rest='"time": 5.5'))),
    warn(
        "S-3",
        "time-decreasing",
        "$.tree.steps[1].time",
        steps(message(rest='"time": 5'), message(rest='"time": »4.999')),
        "3.15.3.1",
    ),
    accept("S-4", steps(move(1, 0, 0, rest='"time": 3'), move(2, 1, 1, rest='"time": 3'))),
    warn(
        "S-4",
        "time-decreasing",
        "$.tree.steps[1].time",
        steps(move(1, 0, 0, rest='"time": 3'), move(2, 1, 1, rest='"time": »2')),
        "3.15.3.1",
    ),
    accept("S-5", steps(move(1, 0, 0, rest='"time": 1'), takeback(1, '"time": 1'), move(2, 0, 0, rest='"time": 1'))),
    warn(
        "S-5",
        "time-decreasing",
        "$.tree.steps[1].time",
        steps(move(1, 0, 0, rest='"time": 2'), takeback(1, '"time": »1'), move(2, 0, 0, rest='"time": 3')),
        "3.15.3.1",
        why="the order of the array counts: the point is free again",
    ),
    reject(
        "S-5",
        "takeback-too-deep",
        STEP + ".action.value",
        steps(takeback("»1", '"time": 1'), move(1, 0, 0, rest='"time": 1')),
        "3.15.3.2.2",
    ),
    accept("S-6", steps('{"action": {"value": "x", "type": "message"}}'), "value before type"),
    accept("S-6", steps('{"action": {"value": {"point": {"y": 1, "x": 2}, "color": 1}, "type": "move"}}')),
    reject("S-6", "type-mismatch", STEP + ".action", steps('{"action": »"move"}'), "3.15.3.2"),
    reject("S-6", "type-mismatch", STEP + ".action", steps('{"action": »null}'), "3.15.3.2"),
    reject("S-6", "missing-member", STEP + ".action", steps('{"action": »{"value": "x"}}'), "3.15.3.2"),
    reject(
        "S-6",
        "unknown-member",
        STEP + ".action.color",
        steps('{"action": {"type": "message", "value": "x", »"color": 1}}'),
        "3.15.3.2",
    ),
    *(accept("S-7", one) for one in (steps(move(1, 0, 0)), steps(move(1, 0, 0), takeback(1)), steps(message()))),
    accept("S-7", steps(timed_mark(mark(1, 1)))),
    accept("S-7", steps(result('"winner": 1'))),
    reject(
        "S-7",
        "value-not-allowed",
        STEP + ".action.type",
        steps('{"action": {"type": »"Move", "value": {"color": 1, "point": null}}}'),
        "3.15.3.2",
    ),
    reject("S-7", "type-mismatch", STEP + ".action.type", steps('{"action": {"type": »1, "value": ""}}'), "3.15.3.2"),
    accept("S-8", steps(message(rest='"actor": 1'), info=TWO)),
    reject("S-8", "participant-index", STEP + ".actor", steps(message(rest='"actor": »2'), info=TWO), "3.7"),
    reject("S-8", "type-mismatch", STEP + ".actor", steps(message(rest='"actor": »null'), info=TWO), "3.7"),
    accept("S-9", steps(message(rest='"marks": [' + mark(0, 0) + "]"))),
    reject("S-9", "type-mismatch", STEP + ".marks", steps(message(rest='"marks": »' + mark(0, 0))), "3.13|3.15.3.4"),
    accept("S-10", steps(message(rest='"comment": "on the action"'))),
    reject("S-10", "type-mismatch", STEP + ".comment", steps(message(rest='"comment": »{}')), "3.11|3.15.3.5"),
    # move
    accept("M-1", steps(move(1, 3, 3, '"evaluation": "good"'))),
    reject("M-1", "type-mismatch", VALUE, steps('{"action": {"type": "move", "value": »"d4"}}'), "3.15.3.2.1"),
    reject("M-1", "type-mismatch", VALUE, steps('{"action": {"type": "move", "value": »null}}'), "3.15.3.2.1"),
    reject("M-1", "type-mismatch", VALUE, steps('{"action": {"value": »[1, 3, 3], "type": "move"}}'), "3.15.3.2.1"),
    reject(
        "M-1", "missing-member", VALUE, steps('{"action": {"type": "move", "value": »{"point": null}}}'), "3.15.3.2.1"
    ),
    reject("M-1", "unknown-member", VALUE + ".symbol", steps(move(1, 0, 0, '»"symbol": "a"')), "3.15.3.2.1"),
    reject(
        "M-1",
        "unknown-member",
        VALUE + ".problem",
        steps(move(1, 0, 0, '»"problem": {"color": 2}')),
        "3.15.3.2.1",
        revisions=(7,),
    ),
    accept("M-1", steps(move(1, 0, 0, '"problem": {"color": 2}')), revisions=(2,)),
    accept("M-2", steps(move(1, 0, 0), move(1, 0, 1), move(2, 0, 2))),
    reject("M-2", "value-not-allowed|number-out-of-range", VALUE + ".color", steps(move("»-1", 0, 0)), "3.5"),
    accept("M-3", steps(passes(1))),
    reject("M-3", "missing-member", VALUE, steps('{"action": {"type": "move", "value": »{"color": 1}}}'), "3.15.3.2.1"),
    reject(
        "M-3",
        "type-mismatch",
        VALUE + ".point",
        steps('{"action": {"type": "move", "value": {"color": 1, "point": »"pass"}}}'),
        "3.6",
    ),
    accept(
        "M-4",
        steps(
            move(1, 0, 0, '"evaluation": "bad"'),
            move(1, 0, 1, '"evaluation": "good"'),
            passes(2, '"evaluation": "good"'),
        ),
    ),
    accept(
        "M-4",
        steps(move(1, 0, 0, '"evaluation": "trick"'), move(1, 0, 1, '"evaluation": "controversial"')),
        revisions=(2,),
    ),
    *(
        reject(
            "M-4",
            "value-not-allowed",
            VALUE + ".evaluation",
            steps(move(1, 0, 0, f'"evaluation": »"{text}"')),
            "3.15.3.2.1.3",
            revisions=(7,),
        )
        for text in ("trick", "controversial", "Good", "", "goo", "goodx")
    ),
    reject(
        "M-4", "value-not-allowed", VALUE + ".evaluation", steps(move(1, 0, 0, '"evaluation": »"best"')), "3.15.3.2.1.3"
    ),
    reject("M-4", "type-mismatch", VALUE + ".evaluation", steps(move(1, 0, 0, '"evaluation": »null')), "3.15.3.2.1.3"),
    reject("M-4", "type-mismatch", VALUE + ".evaluation", steps(move(1, 0, 0, '"evaluation": »1')), "3.15.3.2.1.3"),
    accept("M-6 M-7", pre('"problem": {"color": 1}', '"steps": [' + move(1, 0, 0, '"evaluation": "good"') + "]")),
    accept("M-8", steps(move(1, 0, 0, '"evaluation": "good"', '"comment": "brilliant"'))),
    reject(
        "M-8",
        "value-not-allowed",
        VALUE + ".evaluation",
        steps(move(1, 0, 0, '"evaluation": »"very good"')),
        "3.15.3.2.1.3",
    ),
    # takeback
    accept("B-1", steps(move(1, 0, 0), move(2, 1, 1), takeback(2))),
    reject(
        "B-1", "number-out-of-range", "$.tree.steps[1].action.value", steps(move(1, 0, 0), takeback("»0")), "3.15.3.2.2"
    ),
    reject(
        "B-1",
        "number-out-of-range",
        "$.tree.steps[1].action.value",
        steps(move(1, 0, 0), takeback("»-1")),
        "3.15.3.2.2",
    ),
    reject(
        "B-1",
        "number-not-integer",
        "$.tree.steps[1].action.value",
        steps(move(1, 0, 0), takeback("»0.5")),
        "3.15.3.2.2",
    ),
    reject(
        "B-1", "type-mismatch", "$.tree.steps[1].action.value", steps(move(1, 0, 0), takeback('»"1"')), "3.15.3.2.2"
    ),
    reject(
        "B-1",
        "type-mismatch",
        "$.tree.steps[1].action.value",
        steps(move(1, 0, 0), takeback('»{"count": 1}')),
        "3.15.3.2.2",
    ),
    # result
    accept("R-1", steps(result('"winner": 1'), result('"winner": 2, "margin": 2.5'), result('"winner": null'))),
    reject("R-1", "type-mismatch", VALUE, steps(action("result", '»"W+R"')), "3.15.3.2.3|3.8"),
    reject("R-1", "missing-member", VALUE, steps(action("result", "»{}")), "3.8"),
    reject("R-1", "number-not-half", VALUE + ".margin", steps(result('"winner": 1, "margin": »0.7')), "3.8"),
    reject("R-1", "number-out-of-range", VALUE + ".margin", steps(result('"winner": 1, "margin": »512')), "3.8"),
    reject("R-1", "unknown-member", VALUE + ".color", steps(result('"winner": 1, »"color": 1')), "3.8"),
    accept(
        "R-2",
        steps(
            result('"winner": 1', '"actor": 0'), info="{" + PEOPLE + ', "players": [{"participant": 0, "color": 1}]}'
        ),
    ),
    accept(
        "R-3",
        steps(
            result('"winner": 2', '"actor": 0'), info="{" + PEOPLE + ', "players": [{"participant": 0, "color": 1}]}'
        ),
    ),
    accept(
        "R-4",
        steps(
            result('"winner": 2, "margin": 1.5', '"actor": 0'),
            result('"winner": 2, "margin": 1.5', '"actor": 1'),
            info=TWO,
        ),
    ),
    # mark, message
    accept("K-1", steps(timed_mark(mark(3, 9)))),
    reject("K-1", "type-mismatch", VALUE, steps(timed_mark("»[" + mark(3, 9) + "]")), "3.15.3.2.4|3.12"),
    reject("K-1", "missing-member", VALUE, steps(timed_mark('»{"symbol": "a"}')), "3.12"),
    reject("K-1", "value-not-allowed", VALUE + ".symbol", steps(timed_mark(mark(3, 9, '»"ab"'))), "3.12"),
    reject("K-1", "type-mismatch", VALUE + ".point", steps(timed_mark('{"symbol": "a", "point": »null}')), "3.6"),
    accept("K-2", steps(timed_mark(mark(3, 9)), message(rest='"time": 2'))),
    warn("K-2", "mark-action-untimed", STEP + "*", steps(action("mark", mark(3, 9))), "3.15.3.2.4"),
    accept("G-1", steps(message('"大家好"'), message('""'))),
    reject("G-1", "type-mismatch", VALUE, steps(message("»1")), "3.11|3.15.3.2.5"),
    reject("G-1", "type-mismatch", VALUE, steps(message('»{"text": "x"}')), "3.11|3.15.3.2.5"),
    # the game of Go
    accept("D-1", steps(move(1, 3, 3), move(2, 3, 4))),
    reject("D-1", "move-occupied", "$.tree.steps[1]*", steps(move(1, 3, 3), move(1, 3, 3))),
    reject(
        "D-1",
        "move-occupied",
        "$.tree.steps[0]*",
        pre('"stones": [{"color": 2, "point": {"x": 0, "y": 0}}]', '"steps": [' + move(1, 0, 0) + "]"),
    ),
    accept("D-2", steps(move(1, 4, 2), size='{"width": 5, "height": 3}')),
    reject(
        "D-2", "point-off-board", VALUE + ".point.x", steps(move(1, "»5", 2), size='{"width": 5, "height": 3}'), "3.6"
    ),
    reject(
        "D-2", "point-off-board", VALUE + ".point.y", steps(move(1, 4, "»3"), size='{"width": 5, "height": 3}'), "3.6"
    ),
    accept(
        "D-3",
        steps(
            *(move(*one) for one in ((1, 1, 0), (1, 0, 1), (1, 1, 2), (2, 2, 0), (2, 3, 1), (2, 2, 2), (1, 2, 1))),
            *(move(2, 1, 1), move(1, 2, 1), move(2, 1, 1), move(1, 2, 1)),
        ),
        "ko retaken at once, positions repeated",
    ),
    accept(
        "D-3",
        steps(move(2, 0, 0), move(2, 9, 9), passes(2), passes(2), passes(1), move(1, 3, 3)),
        "any colour, moves after passes",
    ),
    accept(
        "D-3",
        steps(*(move(1, x, y) for y in range(2) for x in range(3)), size='{"width": 3, "height": 2}'),
        "suicide of six stones",
    ),
    accept("D-4", pre('"stones": [{"color": 1, "point": {"x": 0, "y": 0}}]', size='{"width": 2, "height": 1}')),
    reject(
        "D-4",
        "setup-no-liberty",
        "$.tree.pre.stones*",
        pre(
            '"stones": [{"color": 1, "point": {"x": 0, "y": 0}}, {"color": 1, "point": {"x": 1, "y": 0}}]',
            size='{"width": 2, "height": 1}',
        ),
        "3.15.2.5",
    ),
    accept("D-5", steps(move(1, 3, 3), passes(2), passes(1))),
    # A1..A7
    accept("A1", steps(message('""'))),
    *(
        reject("A1", "missing-member", STEP + ".action", steps(f'{{"action": »{{"type": "{kind}"}}}}'), "3.15.3.2*")
        for kind in ("move", "takeback", "result", "mark", "message")
    ),
    accept("A2", steps(result('"winner": 1'))),
    reject("A2", "type-mismatch", VALUE, steps(action("result", "»1")), "3.15.3.2.3|3.8"),
    accept("A3", steps(message())),
    *(
        reject(
            "A3",
            "value-not-allowed",
            STEP + ".action.type",
            steps(f'{{"action": {{"type": »"{kind}", "value": 1}}}}'),
            "3.15.3.2",
        )
        for kind in ("pass", "resign", "", "moves", "mov", "messag\\u0000", "Takeback")
    ),
    accept("A4", steps(move(1, 0, 0), takeback(1), result('"winner": 1'), message(), timed_mark(mark(0, 0)))),
    accept(
        "A5",
        steps(
            move(2, 0, 0, rest='"actor": 0'),
            move(1, 1, 0, rest='"actor": 0'),
            info="{" + PEOPLE + ', "players": [{"participant": 0, "color": 1}]}',
        ),
    ),
    accept(
        "A5",
        steps(move(2, 0, 0, rest='"actor": 1'), info="{" + PEOPLE + ', "players": [{"participant": 0, "color": 1}]}'),
    ),
    accept("A6", steps(result('"winner": null', '"actor": 0'), info=TWO)),
    accept(
        "A7",
        steps(result('"winner": 1'), move(1, 0, 0), result('"winner": 2')),
        "several claims, no result of the record",
    ),
    accept(
        "A7",
        steps(
            result('"winner": 2'),
            result('"winner": 1, "margin": 25e-1'),
            info='{"result": {"winner": 1, "margin": 2.5}}',
        ),
    ),
    warn("A7", "result-contradicts", "", steps(result('"winner": 2'), info='{"result": {"winner": 1}}')),
    warn(
        "A7",
        "result-contradicts",
        "",
        steps(result('"winner": 1, "margin": 3.5'), info='{"result": {"winner": 1, "margin": 2.5}}'),
    ),
    # A8..A12
    accept("A8", steps(move(1, 0, 0), passes(2), move(1, 0, 1), takeback(1), takeback(2))),
    reject("A8", "takeback-too-deep", VALUE, steps(takeback("»1")), "3.15.3.2.2"),
    reject(
        "A8",
        "takeback-too-deep",
        "$.tree.steps[2].action.value",
        steps(move(1, 0, 0), takeback(1), takeback("»1")),
        "3.15.3.2.2",
    ),
    reject(
        "A8", "takeback-too-deep", "$.tree.steps[1].action.value", steps(move(1, 0, 0), takeback("»2")), "3.15.3.2.2"
    ),
    reject(
        "A8",
        "takeback-too-deep",
        "$.tree.steps[1].action.value",
        steps(move(1, 0, 0), takeback("»18446744073709551617")),
        "3.15.3.2.2",
    ),
    reject(
        "A8",
        "takeback-too-deep",
        "$.tree.branches[1].steps[0].action.value",
        branches("", '{"steps": [' + move(1, 0, 0) + "]}", '{"steps": [' + takeback("»1") + "]}"),
        "3.15.3.2.2",
        why="not the sibling's",
    ),
    accept("A9", branches("[" + move(1, 0, 0) + "]", '{"steps": [' + move(2, 1, 1) + ", " + takeback(1) + "]}")),
    warn(
        "A9",
        "takeback-of-parent",
        "$.tree.branches[0].steps[0].action.value",
        branches("[" + move(1, 0, 0) + "]", '{"steps": [' + takeback("»1") + ", " + move(2, 0, 0) + "]}"),
        "3.15.3.2.2",
    ),
    warn(
        "A9",
        "takeback-of-parent",
        "$.tree.branches[0].steps[1].action.value",
        record(
            '{"branches": [{"steps": ['
            + move(2, 1, 1)
            + ", "
            + takeback("»2")
            + ']}], "steps": ['
            + move(1, 0, 0)
            + "]}"
        ),
        "3.15.3.2.2",
    ),
    accept("A10", steps(move(1, 0, 0), message(), passes(2), result('"winner": 1'), takeback(2), move(2, 0, 0))),
    reject(
        "A10",
        "takeback-too-deep",
        "$.tree.steps[2].action.value",
        steps(move(1, 0, 0), message(), takeback("»2")),
        "3.15.3.2.2",
    ),
    accept("A12", steps(move(1, 0, 0), takeback(1), move(2, 0, 0))),
    reject("A12", "move-occupied", "$.tree.steps[1]*", steps(move(1, 0, 0), move(2, 0, 0), takeback(1))),
    accept("A15", steps(move(1, 1, 0), move(1, 0, 1), move(2, 0, 0), move(2, 0, 0), takeback(4))),
    reject(
        "A15",
        "takeback-too-deep",
        "$.tree.steps[3].action.value",
        steps(move(1, 1, 0), move(1, 0, 1), move(2, 0, 0), takeback("»4")),
        "3.15.3.2.2",
        why="the suicide counts once",
    ),
    # A57..A60
    accept("A57", steps(message(rest='"time": 5'), message(), message(rest='"time": 5'))),
    accept(
        "A57",
        branches(
            "", '{"steps": [' + message(rest='"time": 9') + "]}", '{"steps": [' + message(rest='"time": 1') + "]}"
        ),
    ),
    warn(
        "A57",
        "time-decreasing",
        "$.tree.steps[2].time",
        steps(message(rest='"time": 5'), message(), message(rest='"time": »4')),
        "3.15.3.1",
    ),
    warn(
        "A57",
        "time-decreasing",
        "$.tree.branches[0].branches[0].steps[0].time",
        branches(
            "[" + message(rest='"time": 5') + "]", '{"branches": [{"steps": [' + message(rest='"time": »4') + "]}]}"
        ),
        "3.15.3.1",
    ),
    warn(
        "A57",
        "time-decreasing",
        "$.tree.branches[0].steps[0].time",
        record(
            '{"branches": [{"steps": ['
            + message(rest='"time": »4')
            + ']}], "steps": ['
            + message(rest='"time": 5')
            + "]}"
        ),
        "3.15.3.1",
    ),
    accept("A58", steps(move(1, 0, 0), timed_mark(mark(1, 1)), move(2, 2, 2))),
    warn(
        "A58", "mark-action-untimed", "$.tree.steps[1]*", steps(move(1, 0, 0), action("mark", mark(1, 1))), "3.15.3.2.4"
    ),
    accept("A59", steps(message(rest='"time": 86399.9999999999999999999999'))),
    reject("A59", "number-out-of-range", STEP + ".time", steps(message(rest='"time": »86400.0')), "3.14"),
    reject(
        "A59", "number-out-of-range", STEP + ".time", steps(message(rest='"time": »86400.0000000000000000001')), "3.14"
    ),
    accept("A60", steps(move(1, 0, 0, rest='"time": 1'), move(2, 0, 1, rest='"time": 2'))),
]
