"""Section 1: the text and the root object."""

from wei7core.limits import Limits

from .rows import PEOPLE, accept, info, move, point, record, reject, steps

V = '"format": "wei7", "version": "3.0"'

ROWS = [
    # 3.1-1 JSON
    accept("3.1-1", record()),
    accept("3.1-1", " \t\r\n" + record() + "\n\n", "white space of JSON around the root"),
    accept(
        "3.1-1", '{"fo\\u0072mat": "\\u0077ei7", "version": "3\\u002e0", "tr\\u0065e": {}}', "escapes mean characters"
    ),
    accept("3.1-1", '{"tree": {}, "version": "3.0", "format": "wei7"}', "members in any order"),
    reject("3.1-1", "json-syntax", "", record("{»,}"), "3.1"),
    reject("3.1-1", "json-syntax", "", "{" + V + ', "tree": {}»', "3.1"),
    reject("3.1-1", "json-syntax", "", "»", "3.1", why="nothing at all"),
    reject("3.1-1", "json-syntax", "", "{" + V + ', "tree": {}}»}', "3.1"),
    # 3.1-2 UTF-8
    accept("3.1-2", info('"name": "学习围棋 𠀀 ♞"')),
    reject("3.1-2", "encoding-invalid", "", info('"name": "x"').encode().replace(b"x", b"\xff"), "3.1"),
    reject("3.1-2", "encoding-invalid", "", info('"name": "围棋"').encode("gbk"), "3.1"),
    # 3.2 root
    accept("3.2-1", record()),
    reject("3.2-1", "type-mismatch", "$", "»[]", "3.2"),
    reject("3.2-1", "type-mismatch", "$", "»null", "3.2"),
    reject("3.2-1", "type-mismatch", "$", '»"wei7"', "3.2"),
    reject("3.2-1", "type-mismatch", "$", " »30", "3.2"),
    accept("3.2-2", record(size="19", info="{}")),
    reject("3.2-2", "unknown-member", "$.Size", "{" + V + ', »"Size": 19, "tree": {}}', "3.2"),
    reject("3.2-2", "unknown-member", "$.comment", "{" + V + ', "tree": {}, »"comment": ""}', "3.2"),
    accept("3.2-3", record(), "size and info may be absent"),
    reject("3.2-3", "missing-member", "$", '»{"version": "3.0", "tree": {}}', "3.2"),
    reject("3.2-3", "missing-member", "$", ' »{"format": "wei7", "tree": {}}', "3.2"),
    reject("3.2-3", "missing-member", "$", "»{" + V + "}", "3.2"),
    accept("3.2-4", record()),
    reject("3.2-4", "value-not-allowed", "$.format", '{"format": »"Wei7", "version": "3.0", "tree": {}}', "3.2"),
    reject("3.2-4", "value-not-allowed", "$.format", '{"format": »"", "version": "3.0", "tree": {}}', "3.2"),
    reject("3.2-4", "type-mismatch", "$.format", '{"format": »7, "version": "3.0", "tree": {}}', "3.2"),
    accept("3.2-5", record()),
    reject("3.2-5", "value-not-allowed", "$.version", '{"format": "wei7", "version": »"3.0-draft", "tree": {}}', "3.2"),
    reject("3.2-5", "value-not-allowed", "$.version", '{"format": "wei7", "version": »"3", "tree": {}}', "3.2"),
    reject("3.2-5", "value-not-allowed", "$.version", '{"format": "wei7", "version": »"2.2", "tree": {}}', "3.2"),
    reject("3.2-5", "type-mismatch", "$.version", '{"format": "wei7", "version": »3.0, "tree": {}}', "3.2"),
    # 3.9 size
    accept("3.9-1", record(size="1")),
    accept("3.9-1", record(size="13")),
    accept("3.9-1", record(size='{"width": 7, "height": 300}')),
    accept("3.9-1", record(size='{"height": 1, "width": 2}')),
    reject("3.9-1", "number-out-of-range", "$.size", record(size="»0"), "3.9"),
    reject("3.9-1", "number-out-of-range", "$.size", record(size="»-19"), "3.9"),
    reject("3.9-1", "number-not-integer", "$.size", record(size="»9.5"), "3.9"),
    reject("3.9-1", "type-mismatch", "$.size", record(size='»"19"'), "3.9"),
    reject("3.9-1", "type-mismatch", "$.size", record(size="»[19, 19]"), "3.9"),
    reject("3.9-1", "missing-member", "$.size", record(size='»{"width": 9}'), "3.9"),
    reject("3.9-1", "missing-member", "$.size", record(size='»{"height": 9}'), "3.9"),
    reject("3.9-1", "unknown-member", "$.size.depth", record(size='{"width": 9, "height": 9, »"depth": 1}'), "3.9"),
    reject("3.9-1", "number-out-of-range", "$.size.width", record(size='{"width": »0, "height": 9}'), "3.9"),
    reject("3.9-1", "number-out-of-range", "$.size.height", record(size='{"width": 9, "height": »-1}'), "3.9"),
    reject("3.9-1", "number-not-integer", "$.size.height", record(size='{"width": 9, "height": »0.5}'), "3.9"),
    reject("3.9-1", "type-mismatch", "$.size.width", record(size='{"width": »"9", "height": 9}'), "3.9"),
    accept("3.9-2", steps(move(1, 18, 18)), "19 where size is absent"),
    reject("3.9-2", "point-off-board", "$.tree.steps[0].action.value.point.x", steps(move(1, "»19", 0)), "3.6"),
    accept("3.9-3", steps(move(1, 2, 4), size='{"width": 3, "height": 5}'), "both forms are read"),
    reject(
        "3.9-3",
        "point-off-board",
        "$.tree.steps[0].action.value.point.x",
        steps(move(1, "»3", 2), size='{"width": 3, "height": 5}'),
        "3.6",
    ),
    # 3.16-1 tree
    accept("3.16-1", record("{}")),
    accept("3.16-1", record('{"title": "t", "pre": {}, "steps": [], "branches": []}')),
    reject("3.16-1", "type-mismatch", "$.tree", record("»[]"), "3.15|3.16"),
    reject("3.16-1", "type-mismatch", "$.tree", record("»null"), "3.15|3.16"),
    reject("3.16-1", "type-mismatch", "$.tree", record('»"tree"'), "3.15|3.16"),
    reject("3.16-1", "move-occupied", "$.tree.steps[1]*", steps(move(1, 3, 3), move(2, 3, 3))),
    # A17: what the board limit refuses is called unsupported, not invalid
    accept("A17", record(size="2048")),
    accept("A17", steps(move(1, 99_999, 0), size='{"width": 100000, "height": 2}')),
    accept("A17", record(size="2049"), limits=Limits(max_points=2049 * 2049)),
    reject("A17", "board-size-unsupported", "$.size*", record(size="2049")),
    reject("A17", "board-size-unsupported", "$.size*", record(size='{"width": 1, "height": 4194305}')),
    reject("A17", "board-size-unsupported", "$.size*", record(size="2000000000")),
    accept("A18", record(size='{"width": 9, "height": 9}')),
    reject(
        "A18",
        "point-off-board",
        "$.tree.steps[0].action.value.point.y",
        steps(move(1, 8, "»9"), size='{"width": 9, "height": 9}'),
        "3.6",
    ),
    # The order of members has no meaning: members checked against `size` and `info` may come before them.
    accept("3.9-1 3.6-2", '{"tree": {"steps": [' + move(1, 24, 0) + "]}, " + V + ', "size": 25}'),
    reject(
        "3.9-1 3.6-2",
        "point-off-board",
        "$.tree.steps[0].action.value.point.x",
        '{"tree": {"steps": [' + move(1, "»9", 0) + "]}, " + V + ', "size": 9}',
        "3.6",
    ),
    accept(
        "3.7-1", '{"tree": {"steps": [' + move(1, 3, 3, rest='"actor": 1') + "]}, " + V + ', "info": {' + PEOPLE + "}}"
    ),
    reject(
        "3.7-1",
        "participant-index",
        "$.tree.steps[0].actor",
        '{"tree": {"steps": [' + move(1, 3, 3, rest='"actor": »2') + "]}, " + V + ', "info": {' + PEOPLE + "}}",
        "3.7",
    ),
    reject(
        "3.6-2",
        "point-off-board",
        "$.tree.pre.marks[0].point.y",
        '{"tree": {"pre": {"marks": [{"symbol": "a", "point": ' + point(0, "»5") + "}]}}, " + V + ', "size": 5}',
        "3.6",
    ),
]
