"""Section 2: the value constraints."""

from .rows import (
    PEOPLE,
    accept,
    branches,
    info,
    mark,
    message,
    move,
    passes,
    point,
    pre,
    record,
    reject,
    steps,
    stone,
    stones,
    timed_mark,
    warn,
)

VALUE = "$.tree.steps[0].action.value"


def name(text: str) -> str:
    """A record whose name is this JSON string."""
    return info('"name": ' + text)


def result(members: str) -> str:
    """A record with this result."""
    return info('"result": ' + members)


def symbol(text: str) -> str:
    """A record with one mark."""
    return pre('"marks": [' + mark(3, 3, text) + "]")


MARKS = "$.tree.pre.marks"
SYMBOLS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$%&?"

ROWS = [
    accept("3.3-1", steps(passes(1))),
    accept("3.3-1", result('{"winner": null}')),
    reject(
        "3.3-1",
        "type-mismatch",
        VALUE + ".point",
        steps('{"action": {"type": "move", "value": {"color": 1, "point": »0}}}'),
    ),
    reject("3.3-1", "type-mismatch", "$.info.result.winner", result('{"winner": »"null"}')),
    # shortString
    accept("3.4-1", name('""')),
    accept("3.4-1", name('"' + "a" * 128 + '"')),
    accept("3.4-1", name('"' + "围" * 128 + '"')),
    reject("3.4-1", "string-too-long", "$.info.name", name('»"' + "a" * 129 + '"'), "3.4"),
    reject("3.4-1", "string-too-long", "$.info.place", info('"place": »"' + "围" * 129 + '"'), "3.4|3.10.3"),
    reject(
        "3.4-1",
        "string-too-long",
        "$.info.participants[0].rank",
        info('"participants": [{"rank": »"' + "\\u0041" * 129 + '"}]'),
        "3.4",
    ),
    reject("3.4-1", "type-mismatch", "$.info.name", name("»128"), "3.4|3.10.6"),
    accept("3.4-2", name('"one line, no more"')),
    reject(
        "3.4-2", "string-control-character|string-line-break", "$.info.name", name('»"a\\nb"'), "3.4", revisions=(7,)
    ),
    reject(
        "3.4-2", "string-control-character|string-line-break", "$.info.name", name('»"a\\rb"'), "3.4", revisions=(7,)
    ),
    *(
        reject("3.4-2", "string-line-break", "$.info.name", name(f'»"a{end}b"'), "3.4", revisions=(2,))
        for end in ("\\n", "\\u000b", "\\f", "\\r", "\\u0085", "\u0085", "\\u2028", "\u2028", "\\u2029", "\u2029")
    ),
    accept("3.4-3", name('"spaces are  allowed "')),
    *(
        reject("3.4-3", "string-control-character", "$.info.name", name(f'»"a{text}b"'), "3.4", revisions=(7,))
        for text in ("\\t", "\\b", "\\u0000", "\\u001f", "\\u007f", "\u007f", "\\u0080", "\u009f", "\u0081")
    ),
    *(
        accept("3.4-3", name(f'"a{text}b"'), "revision 2 has only the rule of one line", revisions=(2,))
        for text in ("\\t", "\\b", "\\u0000", "\\u001f", "\\u007f", "\u007f", "\\u0080", "\u009f")
    ),
    # color
    accept("3.5-1", steps(move(1, 0, 0), move(2, 1, 1))),
    reject("3.5-1", "value-not-allowed|number-out-of-range", VALUE + ".color", steps(move("»0", 0, 0)), "3.5"),
    reject("3.5-1", "value-not-allowed|number-out-of-range", VALUE + ".color", steps(move("»3", 0, 0)), "3.5"),
    reject("3.5-1", "value-not-allowed|number-out-of-range", VALUE + ".color", steps(move("»-1", 0, 0)), "3.5"),
    reject("3.5-1", "value-not-allowed|number-not-integer", VALUE + ".color", steps(move("»1.5", 0, 0)), "3.5"),
    reject("3.5-1", "type-mismatch", VALUE + ".color", steps(move('»"1"', 0, 0)), "3.5"),
    reject("3.5-1", "type-mismatch", VALUE + ".color", steps(move('»"black"', 0, 0)), "3.5"),
    reject("3.5-1", "type-mismatch", VALUE + ".color", steps(move("»true", 0, 0)), "3.5"),
    reject("3.5-1", "type-mismatch", VALUE + ".color", steps(move("»null", 0, 0)), "3.5"),
    reject(
        "3.5-1",
        "value-not-allowed|number-out-of-range",
        "$.tree.pre.stones[0].color",
        pre(stones(stone("»3", 0, 0))),
        "3.5",
    ),
    reject(
        "3.5-1",
        "value-not-allowed|number-out-of-range",
        "$.tree.pre.problem.color",
        pre('"problem": {"color": »0}'),
        "3.5",
    ),
    reject(
        "3.5-1",
        "value-not-allowed|number-out-of-range",
        "$.info.players[0].color",
        info(PEOPLE + ', "players": [{"participant": 0, "color": »3}]'),
        "3.5",
    ),
    # point
    accept("3.6-1", steps(move(1, 0, 0))),
    reject(
        "3.6-1",
        "missing-member",
        VALUE + ".point",
        steps('{"action": {"type": "move", "value": {"color": 1, "point": »{"x": 1}}}}'),
        "3.6",
    ),
    reject(
        "3.6-1",
        "missing-member",
        "$.tree.pre.stones[0].point",
        pre('"stones": [{"color": 1, "point": »{"y": 1}}]'),
        "3.6",
    ),
    reject(
        "3.6-1",
        "unknown-member",
        MARKS + "[0].point.z",
        pre('"marks": [{"symbol": "a", "point": {"x": 1, "y": 1, »"z": 1}}]'),
        "3.6",
    ),
    reject("3.6-1", "type-mismatch", MARKS + "[0].point", pre('"marks": [{"symbol": "a", "point": »[1, 1]}]'), "3.6"),
    reject("3.6-1", "type-mismatch", MARKS + "[0].point", pre('"marks": [{"symbol": "a", "point": »"d4"}]'), "3.6"),
    reject(
        "3.6-1",
        "type-mismatch",
        MARKS + "[0].point",
        pre('"marks": [{"symbol": "a", "point": »null}]'),
        "3.6",
        why="only a move may pass",
    ),
    reject(
        "3.6-1", "type-mismatch", "$.tree.pre.stones[0].point", pre('"stones": [{"color": 1, "point": »null}]'), "3.6"
    ),
    accept("3.6-2", steps(move(1, 0, 0), move(2, 18, 0), move(1, 0, 18), move(2, 18, 18))),
    reject("3.6-2", "number-out-of-range|point-off-board", VALUE + ".point.x", steps(move(1, "»-1", 0)), "3.6"),
    reject("3.6-2", "number-out-of-range|point-off-board", VALUE + ".point.y", steps(move(1, 0, "»-1")), "3.6"),
    reject("3.6-2", "point-off-board", VALUE + ".point.y", steps(move(1, 0, "»19")), "3.6"),
    reject("3.6-2", "point-off-board", VALUE + ".point.y", steps(move(1, 0, "»4294967296")), "3.6"),
    reject("3.6-2", "point-off-board", VALUE + ".point.x", steps(move(1, "»18446744073709551616", 0)), "3.6"),
    reject("3.6-2", "number-not-integer", VALUE + ".point.x", steps(move(1, "»0.5", 0)), "3.6"),
    reject("3.6-2", "type-mismatch", VALUE + ".point.x", steps(move(1, '»"0"', 0)), "3.6"),
    reject("3.6-2", "type-mismatch", VALUE + ".point.y", steps(move(1, 0, "»false")), "3.6"),
    reject("3.6-2", "type-mismatch", VALUE + ".point.y", steps(move(1, 0, "»null")), "3.6"),
    reject(
        "3.6-2",
        "point-off-board",
        "$.tree.pre.stones[1].point.y",
        pre(stones(stone(1, 0, 0), stone(1, 5, "»9")), size="9"),
        "3.6",
    ),
    reject("3.6-2", "point-off-board", MARKS + "[0].point.x", pre('"marks": [' + mark("»9", 0) + "]", size="9"), "3.6"),
    reject("3.6-2", "point-off-board", VALUE + ".point.x", steps(timed_mark(mark("»9", 0)), size="9"), "3.6"),
    reject(
        "3.6-2",
        "point-off-board",
        "$.tree.steps[0].marks[0].point.x",
        steps(move(1, 0, 0, rest='"marks": [' + mark("»9", 0) + "]"), size="9"),
        "3.6",
    ),
    accept("3.6-3", steps(move(1, 4, 1), size='{"width": 5, "height": 2}'), "x to the right, y downwards"),
    reject(
        "3.6-3", "point-off-board", VALUE + ".point.y", steps(move(1, 1, "»4"), size='{"width": 5, "height": 2}'), "3.6"
    ),
    # participantIndex
    accept("3.7-1", steps(message(rest='"actor": 0'), message(rest='"actor": 1'), info="{" + PEOPLE + "}")),
    accept("3.7-1", info(PEOPLE + ', "players": [{"participant": 1, "color": 1}, {"participant": 0, "color": 2}]')),
    accept("3.7-1", info('"players": [{"participant": 1}], ' + PEOPLE), "players before participants"),
    reject(
        "3.7-1",
        "participant-index",
        "$.info.players[0].participant",
        info(PEOPLE + ', "players": [{"participant": »2}]'),
        "3.7",
    ),
    reject(
        "3.7-1",
        "participant-index",
        "$.info.players[0].participant",
        info('"players": [{"participant": »2}], ' + PEOPLE),
        "3.7",
    ),
    reject(
        "3.7-1",
        "participant-index|number-out-of-range",
        "$.info.players[0].participant",
        info(PEOPLE + ', "players": [{"participant": »-1}]'),
        "3.7",
    ),
    reject(
        "3.7-1",
        "number-not-integer",
        "$.info.players[0].participant",
        info(PEOPLE + ', "players": [{"participant": »0.5}]'),
        "3.7",
    ),
    reject(
        "3.7-1",
        "type-mismatch",
        "$.info.players[0].participant",
        info(PEOPLE + ', "players": [{"participant": »"A"}]'),
        "3.7",
    ),
    reject(
        "3.7-1",
        "type-mismatch",
        "$.tree.steps[0].actor",
        steps(message(rest='"actor": »{}'), info="{" + PEOPLE + "}"),
        "3.7",
    ),
    reject(
        "3.7-1",
        "participant-index",
        "$.tree.steps[0].actor",
        steps(message(rest='"actor": »2'), info="{" + PEOPLE + "}"),
        "3.7",
    ),
    # result
    accept("3.8-1", result('{"winner": 1}')),
    accept("3.8-1", result('{"margin": 0.5, "winner": 2}')),
    reject("3.8-1", "missing-member", "$.info.result", result("»{}"), "3.8"),
    reject("3.8-1", "missing-member", "$.info.result", result('»{"margin": 1}'), "3.8"),
    reject("3.8-1", "unknown-member", "$.info.result.reason", result('{"winner": 1, »"reason": "time"}'), "3.8"),
    reject("3.8-1", "type-mismatch", "$.info.result", result('»"B+R"'), "3.8|3.10.8"),
    accept("3.8-2", result('{"winner": null}'), "a draw"),
    reject(
        "3.8-2", "value-not-allowed|number-out-of-range", "$.info.result.winner", result('{"winner": »0}'), "3.8|3.5"
    ),
    reject("3.8-2", "type-mismatch", "$.info.result.winner", result('{"winner": »"1"}'), "3.8|3.5"),
    accept("3.8-3", result('{"winner": 1, "margin": 0.5}')),
    accept("3.8-3", result('{"winner": 1, "margin": 511.5}')),
    accept("3.8-3", result('{"winner": 1, "margin": 30}')),
    reject("3.8-3", "number-out-of-range", "$.info.result.margin", result('{"winner": 1, "margin": »0}'), "3.8"),
    reject("3.8-3", "number-out-of-range", "$.info.result.margin", result('{"winner": 1, "margin": »-2.5}'), "3.8"),
    reject("3.8-3", "number-out-of-range", "$.info.result.margin", result('{"winner": 1, "margin": »512}'), "3.8"),
    reject("3.8-3", "number-out-of-range", "$.info.result.margin", result('{"winner": 1, "margin": »1000.5}'), "3.8"),
    reject("3.8-3", "number-not-half", "$.info.result.margin", result('{"winner": 1, "margin": »0.25}'), "3.8"),
    reject("3.8-3", "number-not-half", "$.info.result.margin", result('{"winner": 1, "margin": »3.75}'), "3.8"),
    reject("3.8-3", "type-mismatch", "$.info.result.margin", result('{"winner": 1, "margin": »"2.5"}'), "3.8"),
    reject("3.8-3", "type-mismatch", "$.info.result.margin", result('{"winner": 1, "margin": »null}'), "3.8"),
    accept("3.8-4", result('{"winner": 2}')),
    reject("3.8-4", "type-mismatch", "$.info.result.margin", result('{"winner": 2, "margin": »"resign"}'), "3.8"),
    # comment
    accept("3.11-1", pre('"comment": ""')),
    accept("3.11-1", pre('"comment": "' + "many lines\\n" * 200 + '"')),
    accept("3.11-1", steps(message(rest='"comment": "tab\\tand \\u2028"'))),
    reject("3.11-1", "type-mismatch", "$.tree.pre.comment", pre('"comment": »1'), "3.11|3.15.2.4"),
    reject("3.11-1", "type-mismatch", "$.tree.pre.comment", pre('"comment": »["a"]'), "3.11|3.15.2.4"),
    # mark, marks
    accept("3.12-1", pre('"marks": [{"symbol": "a", "point": {"y": 1, "x": 1}}]')),
    reject("3.12-1", "missing-member", MARKS + "[0]", pre('"marks": [»{"symbol": "a"}]'), "3.12"),
    reject(
        "3.12-1",
        "missing-member",
        MARKS + "[1]",
        pre('"marks": [' + mark(1, 1) + ', »{"point": {"x": 1, "y": 2}}]'),
        "3.12",
    ),
    reject(
        "3.12-1",
        "unknown-member",
        MARKS + "[0].color",
        pre('"marks": [{"symbol": "a", "point": {"x": 1, "y": 2}, »"color": 1}]'),
        "3.12",
    ),
    reject("3.12-1", "type-mismatch", MARKS + "[0]", pre('"marks": [»"a"]'), "3.12|3.13"),
    *(accept("3.12-2", symbol(f'"{one}"')) for one in SYMBOLS),
    accept("3.12-2", symbol('"\\u0024"')),
    accept("3.12-2", symbol('"*"'), revisions=(2,)),
    reject("3.12-2", "value-not-allowed", MARKS + "[0].symbol", symbol('»"*"'), "3.12", revisions=(7,)),
    *(
        reject("3.12-2", "value-not-allowed", MARKS + "[0].symbol", symbol(f'»"{text}"'), "3.12")
        for text in (
            "",
            "aa",
            "\\\\",
            "!",
            "^",
            "+",
            " ",
            "é",
            "围",
            "１",
            "\\n",
            "\\u0000",
            "a\\u0301",
            "\\\\$",
            "@#",
            "𝐀",
        )
    ),
    reject("3.12-2", "type-mismatch", MARKS + "[0].symbol", symbol("»1"), "3.12"),
    reject("3.12-2", "type-mismatch", MARKS + "[0].symbol", symbol("»null"), "3.12"),
    accept("3.13-1", pre('"marks": []')),
    accept("3.13-1", pre('"marks": [' + mark(1, 1) + ", " + mark(1, 2, '"?"') + "]")),
    reject("3.13-1", "type-mismatch", MARKS, pre('"marks": »' + mark(1, 1)), "3.13|3.15.2.3"),
    reject("3.13-1", "type-mismatch", MARKS, pre('"marks": »null'), "3.13|3.15.2.3"),
    reject(
        "3.13-1",
        "value-not-allowed",
        MARKS + "[1].symbol",
        pre('"marks": [' + mark(1, 1) + ", " + mark(1, 2, '»"="') + "]"),
        "3.12",
    ),
    accept("3.13-2", pre('"marks": [' + mark(2, 1) + ", " + mark(1, 2, '"?"') + "]"), "any order"),
    accept("3.13-2", pre('"marks": [' + mark(1, 2, '"?"') + ", " + mark(2, 1) + "]"), "the other order"),
    # time
    accept("3.14-1", steps(message(rest='"time": 0'), message(rest='"time": 86399.999'))),
    accept("3.14-1", steps(message(rest='"time": 0.000000001'), message(rest='"time": 8.6e4'))),
    reject("3.14-1", "number-out-of-range", "$.tree.steps[0].time", steps(message(rest='"time": »86400')), "3.14"),
    reject("3.14-1", "number-out-of-range", "$.tree.steps[0].time", steps(message(rest='"time": »-0.001')), "3.14"),
    reject("3.14-1", "type-mismatch", "$.tree.steps[0].time", steps(message(rest='"time": »"12.5"')), "3.14"),
    reject("3.14-1", "type-mismatch", "$.tree.steps[0].time", steps(message(rest='"time": »null')), "3.14"),
    # problem
    accept("3.15.2.2", pre('"problem": {"color": 1}')),
    accept("3.15.2.2", pre('"problem": {"color": 2}')),
    reject("3.15.2.2", "missing-member", "$.tree.pre.problem", pre('"problem": »{}'), "3.15.2.2"),
    reject(
        "3.15.2.2",
        "unknown-member",
        "$.tree.pre.problem.goal",
        pre('"problem": {"color": 1, »"goal": "live"}'),
        "3.15.2.2",
    ),
    reject("3.15.2.2", "type-mismatch", "$.tree.pre.problem", pre('"problem": »1'), "3.15.2.2"),
    reject("3.15.2.2", "type-mismatch", "$.tree.pre.problem.color", pre('"problem": {"color": »"black"}'), "3.5"),
    # A29..A32 numbers
    accept("A29", record(size="19.0")),
    accept("A29", record(size="1.9e1")),
    accept("A29", record(size="190E-1")),
    accept("A29", record(size='{"width": 0.9e+1, "height": 900e-2}')),
    accept("A29", steps(move("1.0", "-0", "0e5"), move("2e0", "-0.0", "1e0"), move("10E-1", "0.3e1", "0"))),
    accept("A29", steps(move(1, 3, 3), '{"action": {"type": "takeback", "value": 10E-1}}')),
    accept(
        "A29",
        steps(message(rest='"actor": 1.0'), info="{" + PEOPLE + ', "players": [{"participant": 0e0, "color": 1e0}]}'),
    ),
    accept("A29", info('"rules": {"komi": -0}')),
    accept("A29", steps(message(rest='"time": -0.0'))),
    accept("A29", record(size="1" + "0" * 400 + "e-400")),
    accept("A29", record(size="0." + "0" * 400 + "19e402")),
    reject("A29", "number-not-integer", VALUE + ".point.x", steps(move(1, "»1.1", 0)), "3.6"),
    reject("A29", "number-not-integer", VALUE + ".point.x", steps(move(1, "»1e-1", 0)), "3.6"),
    reject("A29", "number-not-integer", VALUE + ".point.x", steps(move(1, "»1.0000000000000000000000001", 0)), "3.6"),
    reject("A29", "number-not-integer", VALUE + ".point.x", steps(move(1, "»1e-999999999999", 0)), "3.6"),
    accept("A30", steps(move(1, 1, 1))),
    reject("A30", "type-mismatch", "$.info.rules.komi", info('"rules": {"komi": »"7.5"}'), "3.10.1"),
    reject("A30", "type-mismatch", "$.info.rules.komi", info('"rules": {"komi": »true}'), "3.10.1"),
    reject("A30", "type-mismatch", VALUE, steps('{"action": {"type": "takeback", "value": »true}}'), "3.15.3.2.2"),
    reject("A30", "type-mismatch", "$.size", record(size="»true"), "3.9"),
    accept("A31", info('"rules": {"komi": 6.50}')),
    accept("A31", info('"rules": {"komi": 65e-1}')),
    accept("A31", result('{"winner": 1, "margin": 5115.000e-1}')),
    reject("A31", "number-not-half", "$.info.rules.komi", info('"rules": {"komi": »6.4999999999999999999}'), "3.10.1"),
    reject(
        "A31",
        "number-not-half",
        "$.info.result.margin",
        result('{"winner": 1, "margin": »0.50000000000000000000001}'),
        "3.8",
    ),
    reject("A31", "number-not-half", "$.info.rules.komi", info('"rules": {"komi": »1e-400}'), "3.10.1"),
    accept("A32", steps(message(rest='"time": 0e999'))),
    accept("A32", steps(message(rest='"time": 1e-999')), "as small as one likes, not below 0"),
    reject("A32", "number-out-of-range", "$.info.rules.komi", info('"rules": {"komi": »1e999}'), "3.10.1"),
    reject("A32", "number-out-of-range", "$.info.result.margin", result('{"winner": 1, "margin": »1e999}'), "3.8"),
    reject("A32", "number-out-of-range", "$.tree.steps[0].time", steps(message(rest='"time": »1e999')), "3.14"),
    reject("A32", "number-out-of-range|point-off-board", VALUE + ".point.x", steps(move(1, "»1e999", 0)), "3.6"),
    reject(
        "A32",
        "number-out-of-range|takeback-too-deep",
        VALUE,
        steps('{"action": {"type": "takeback", "value": »1e999}}'),
    ),
    reject(
        "A32",
        "number-out-of-range|value-not-allowed",
        VALUE + ".color",
        steps(move("»1e99999999999999999999", 0, 0)),
        "3.5",
    ),
    reject("A32", "number-out-of-range|board-size-unsupported", "$.size*", record(size="»1e999")),
    # A33, A34
    accept("A33", info('"rules": {"komi": 0}')),
    accept("A33", info('"rules": {"komi": 9.5}')),
    reject("A33", "number-out-of-range", "$.info.rules.komi", info('"rules": {"komi": »-0.5}'), "3.10.1"),
    reject("A33", "number-out-of-range", "$.info.rules.komi", info('"rules": {"komi": »10}'), "3.10.1"),
    accept("A34", result('{"winner": null}')),
    warn("A34", "result-margin-draw", "$.info.result*", result('{"winner": null, "margin": 1.5}'), "3.8"),
    warn(
        "A34",
        "result-margin-draw",
        VALUE + "*",
        steps('{"action": {"type": "result", "value": {"margin": 1.5, "winner": null}}}'),
        "3.8",
    ),
    # A35..A40 characters
    accept("A35", name('"' + "𠀀" * 128 + '"'), "256 units of UTF-16, 512 bytes"),
    accept("A35", name('"' + "\\ud840\\udc00" * 128 + '"')),
    accept("A35", name('"' + "\\\\" * 128 + '"'), "an escape is one character"),
    reject("A35", "string-too-long", "$.info.name", name('»"' + "𠀀" * 129 + '"'), "3.4"),
    reject("A35", "string-too-long", "$.info.name", name('»"' + "\\ud840\\udc00" * 129 + '"'), "3.4"),
    reject(
        "A35", "string-too-long", "$.info.name", name('»"' + "e\u0301" * 65 + '"'), "3.4", why="not grapheme clusters"
    ),
    accept(
        "A36",
        name('"joiner \u200d mark \u200e soft hyphen \u00ad nbsp \u00a0 \\u200b"'),
        "format characters are no control characters",
    ),
    reject("A36", "string-control-character", "$.info.name", name('»"\\u009b"'), "3.4", revisions=(7,)),
    reject(
        "A36",
        "string-control-character",
        "$.info.participants[0].id",
        info('"participants": [{"id": »"\u0090"}]'),
        "3.4",
        revisions=(7,),
    ),
    accept("A37", name('"a \u2027 b \u202a c"'), "the neighbours of the two line breaks"),
    reject("A37", "string-line-break", "$.info.name", name('»"\\u2028"'), "3.4"),
    reject("A37", "string-line-break", "$.info.name", name('»"\u2029"'), "3.4"),
    reject("A37", "string-control-character|string-line-break", "$.info.name", name('»"\u0085"'), "3.4"),
    accept("A38", pre('"comment": "\\ud83d\\ude00"')),
    reject("A38", "surrogate-lone", "$.tree.pre.comment", pre('"comment": "\\ud800"'), "3.1|3.11"),
    reject("A38", "surrogate-lone", "$.tree.pre.comment", pre('"comment": "a\\udc00b"'), "3.1|3.11"),
    reject("A38", "surrogate-lone", "$.tree.pre.comment", pre('"comment": "\\udc00\\ud800"'), "3.1|3.11"),
    reject("A38", "surrogate-lone", "$.tree.pre.comment", pre('"comment": "\\ud800\\ud800"'), "3.1|3.11"),
    reject("A38", "surrogate-lone", "$.tree.title", record('{"title": "\\uD83Dx"}'), "3.1|3.15.1"),
    reject("A38", "surrogate-lone", "$.info.name", name('"\\ud800\\\\dc00"'), "3.1|3.4"),
    reject("A38", "surrogate-lone", VALUE, steps(message('"\\udfff"')), "3.1|3.11"),
    accept("A39", steps(message('"a\\nb\\u0000\\t\\u0085\u2028"'), message(rest='"comment": "\\u0007"'))),
    accept("A39", record('{"title": "two\\nlines"}')),
    reject("A39", "json-syntax", "", steps(message('"a\nb"')), "3.1", why="unescaped"),
    accept("A40", name('"e\u0301 \u00e9 \ufb01"')),
    reject("A40", "value-not-allowed", "$.format", '{"format": »"ｗei7", "version": "3.0", "tree": {}}', "3.2"),
    accept("A46", info('"domain": "", "id": "", "name": "", "place": "", "participants": [{"name": "", "title": ""}]')),
    accept("A46", record('{"title": "", "pre": {"comment": ""}, "steps": [' + message('""', '"comment": ""') + "]}")),
    reject("A46", "value-not-allowed", MARKS + "[0].symbol", symbol('»""'), "3.12", why="a symbol is one character"),
    accept("A47", info('"participants": [], "players": []')),
    accept("A47", branches("[]", '{"pre": {"stones": [], "marks": []}, "steps": [], "branches": []}')),
    reject("A47", "type-mismatch", "$.tree.steps", record('{"steps": »{}}'), "3.15.3"),
    accept("A20", pre(stones(stone(1, 3, 3)) + ', "marks": [' + mark(3, 3) + "]"), "a mark on a stone"),
    accept("A20", pre('"marks": [' + mark(3, 3) + ", " + mark(3, 3) + "]"), "the same mark twice"),
    accept("A20", pre('"marks": [' + mark(3, 3) + ', {"symbol": "\\u0061", "point": ' + point("3.0", "3e0") + "}]")),
    warn(
        "A20",
        "marks-on-one-point",
        MARKS + "[1]*",
        pre('"marks": [' + mark(3, 3) + ", " + mark(3, 3, '"b"') + "]"),
        "3.13|3.12",
    ),
    warn(
        "A20",
        "marks-on-one-point",
        "$.tree.steps[0].marks[2]*",
        steps(move(1, 0, 0, rest='"marks": [' + mark(3, 3) + ", " + mark(4, 3) + ", " + mark(3, 3, '"b"') + "]")),
        "3.13|3.12",
    ),
]
