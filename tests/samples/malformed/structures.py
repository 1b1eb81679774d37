"""Bad documents that are JSON: wrong types, wrong places, wrong sizes."""

from .texts import DEEP, HEAD, MANY, komi, title, tree

# Every member, and the record around its value.
INFO = HEAD + b'"info": {%s}, "tree": {}}'
PLACES = (
    ("format", b'{"format": @, "version": "3.0", "tree": {}}', "string"),
    ("version", b'{"format": "wei7", "version": @, "tree": {}}', "string"),
    ("size", HEAD + b'"size": @, "tree": {}}', "number object"),
    ("size.width", HEAD + b'"size": {"width": @, "height": 9}, "tree": {}}', "number"),
    ("info", HEAD + b'"info": @, "tree": {}}', "object"),
    ("info.name", INFO % b'"name": @', "string"),
    ("info.time", INFO % b'"time": @', "string"),
    ("info.rules", INFO % b'"rules": @', "object"),
    ("info.rules.scoring", INFO % b'"rules": {"scoring": @}', "string"),
    ("info.rules.komi", INFO % b'"rules": {"komi": @}', "number"),
    ("info.participants", INFO % b'"participants": @', "array"),
    ("info.participants[0]", INFO % b'"participants": [@]', "object"),
    ("info.participants[0].rank", INFO % b'"participants": [{"rank": @}]', "string"),
    ("info.players", INFO % b'"players": @', "array"),
    ("info.players[0]", INFO % b'"players": [@]', "object"),
    ("info.players[0].participant", INFO % b'"players": [{"participant": @}]', "number"),
    ("info.result", INFO % b'"result": @', "object"),
    ("info.result.winner", INFO % b'"result": {"winner": @}', "number null"),
    ("info.result.margin", INFO % b'"result": {"winner": 1, "margin": @}', "number"),
    ("tree", tree(b"@"), "object"),
    ("tree.title", tree(b'{"title": @}'), "string"),
    ("tree.pre", tree(b'{"pre": @}'), "object"),
    ("tree.pre.stones", tree(b'{"pre": {"stones": @}}'), "array"),
    ("tree.pre.stones[0]", tree(b'{"pre": {"stones": [@]}}'), "object"),
    ("tree.pre.stones[0].color", tree(b'{"pre": {"stones": [{"color": @, "point": {"x": 0, "y": 0}}]}}'), "number"),
    ("tree.pre.stones[0].point", tree(b'{"pre": {"stones": [{"color": 1, "point": @}]}}'), "object"),
    ("tree.pre.problem", tree(b'{"pre": {"problem": @}}'), "object"),
    ("tree.pre.marks", tree(b'{"pre": {"marks": @}}'), "array"),
    ("tree.pre.marks[0]", tree(b'{"pre": {"marks": [@]}}'), "object"),
    ("tree.pre.marks[0].symbol", tree(b'{"pre": {"marks": [{"point": {"x": 0, "y": 0}, "symbol": @}]}}'), "string"),
    ("tree.pre.comment", tree(b'{"pre": {"comment": @}}'), "string"),
    ("tree.steps", tree(b'{"steps": @}'), "array"),
    ("tree.steps[0]", tree(b'{"steps": [@]}'), "object"),
    ("tree.steps[0].action", tree(b'{"steps": [{"action": @}]}'), "object"),
    ("tree.steps[0].action.type", tree(b'{"steps": [{"action": {"type": @, "value": ""}}]}'), "string"),
    ("move value", tree(b'{"steps": [{"action": {"type": "move", "value": @}}]}'), "object"),
    (
        "move point",
        tree(b'{"steps": [{"action": {"type": "move", "value": {"color": 1, "point": @}}}]}'),
        "object null",
    ),
    (
        "move x",
        tree(b'{"steps": [{"action": {"type": "move", "value": {"color": 1, "point": {"x": @, "y": 0}}}}]}'),
        "number",
    ),
    ("takeback value", tree(b'{"steps": [{"action": {"type": "takeback", "value": @}}]}'), "number"),
    ("result value", tree(b'{"steps": [{"action": {"type": "result", "value": @}}]}'), "object"),
    ("mark value", tree(b'{"steps": [{"action": {"type": "mark", "value": @}}]}'), "object"),
    ("message value", tree(b'{"steps": [{"action": {"type": "message", "value": @}}]}'), "string"),
    ("tree.steps[0].time", tree(b'{"steps": [{"action": {"type": "message", "value": ""}, "time": @}]}'), "number"),
    ("tree.steps[0].actor", tree(b'{"steps": [{"action": {"type": "message", "value": ""}, "actor": @}]}'), "number"),
    ("tree.branches", tree(b'{"branches": @}'), "array"),
    ("tree.branches[0]", tree(b'{"branches": [@]}'), "object"),
)
WRONG = (
    ("null", b"null"),
    ("boolean", b"true"),
    ("number", b"7"),
    ("string", b'"7"'),
    ("array", b"[7]"),
    ("object", b'{"seven": 7}'),
)
MOVE = b'{"action": {"type": "move", "value": {"color": 1, "point": {"x": 3, "y": %s}}}}'
LONG = (
    b"9" * 10_000,
    b"0." + b"9" * 10_000,
    b"1" + b"0" * 10_000,
    b"1e" + b"9" * 1000,
    b"-1e" + b"9" * 1000,
    b"1e-" + b"9" * 1000,
)
RANGE = ("number-out-of-range",)
HALF = ("number-not-half",)

STRUCTURES = [
    *(
        (f"{kind} as {name}", document.replace(b"@", value), ("type-mismatch",))
        for name, document, right in PLACES
        for kind, value in WRONG
        if kind not in right.split()
    ),
    *((f"{kind} as root", value, ("type-mismatch",)) for kind, value in WRONG if kind != "object"),
    ("unknown, nested deep", tree(b'{"other": ' + b"[" * DEEP + b"]" * DEEP + b"}"), ("unknown-member",)),
    (
        "unknown objects, nested deep",
        tree(b'{"other": ' + b'{"a":' * DEEP + b"1" + b"}" * DEEP + b"}"),
        ("unknown-member",),
    ),
    ("nested where a string belongs", tree(b'{"title": ' + b"[" * DEEP + b"]" * DEEP + b"}"), ("type-mismatch",)),
    ("arrays where trees belong", tree(b'{"branches": ' + b"[" * DEEP + b"]" * DEEP + b"}"), ("type-mismatch",)),
    ("root of arrays", b"[" * DEEP + b"]" * DEEP, ("type-mismatch",)),
    (
        "many unknown members",
        tree(b"{" + b",".join(b'"m%d": %d' % (i, i) for i in range(5000)) + b"}"),
        ("unknown-member",),
    ),
    ("one member 5,000 times", tree(b"{" + b",".join([b'"title": ""'] * 5000) + b"}"), ("duplicate-member",)),
    ("long key", tree(b'{"' + b"k" * MANY + b'": 1}'), ("unknown-member",)),
    ("long key of escapes", tree(b'{"' + b"\\u0074" * DEEP + b'": 1}'), ("unknown-member",)),
    ("key that begins like another", tree(b'{"titles": 1}'), ("unknown-member",)),
    ("key that another begins like", tree(b'{"titl": 1}'), ("unknown-member",)),
    ("key with zero", tree(b'{"title\\u0000": ""}'), ("unknown-member",)),
    ("key with lone surrogate", tree(b'{"\\ud800": ""}'), ("unknown-member", "surrogate-lone")),
    ("key twice", HEAD + b'"size": 9, "size": 9, "tree": {}}', ("duplicate-member",)),
    ("key twice, escaped", HEAD + b'"size": 9, "si\\u007ae": 9, "tree": {}}', ("duplicate-member",)),
    ("key twice, escaped first", HEAD + b'"\\u0073ize": 9, "size": 9, "tree": {}}', ("duplicate-member",)),
    ("key twice, both escaped", HEAD + b'"s\\u0069ze": 9, "si\\u007Ae": 9, "tree": {}}', ("duplicate-member",)),
    ("tree twice", HEAD + b'"tree": {}, "tree": {}}', ("duplicate-member",)),
    ("format twice", b'{"format": "wei7", "format": "wei7", "version": "3.0", "tree": {}}', ("duplicate-member",)),
    ("steps twice", tree(b'{"steps": [], "steps": []}'), ("duplicate-member",)),
    ("x twice", tree(b'{"pre": {"stones": [{"color": 1, "point": {"x": 0, "x": 1, "y": 0}}]}}'), ("duplicate-member",)),
    (
        "type twice",
        tree(b'{"steps": [{"action": {"type": "move", "type": "message", "value": ""}}]}'),
        ("duplicate-member",),
    ),
    *(
        (f"komi of {len(text)} characters, {text[:3]!r}", komi(text), (*RANGE, *HALF))
        for text in LONG
        if text[:3] != b"0.9"
    ),
    ("komi of 10,000 nines", komi(b"9." + b"9" * 10_000), HALF),
    ("komi just below a half", komi(b"6.4" + b"9" * 10_000), HALF),
    *(
        (
            f"size {text[:12]!r}",
            HEAD + b'"size": ' + text + b', "tree": {}}',
            (*RANGE, "board-size-unsupported", "number-not-integer"),
        )
        for text in LONG
    ),
    *(
        (
            f"y {text[:12]!r}",
            tree(b'{"steps": [' + MOVE % text + b"]}"),
            (*RANGE, "point-off-board", "number-not-integer"),
        )
        for text in LONG
    ),
    *(
        (f"y {text!r}", tree(b'{"steps": [' + MOVE % text + b"]}"), (*RANGE, "point-off-board", "number-not-integer"))
        for text in (
            b"19",
            b"255",
            b"256",
            b"65536",
            b"2147483647",
            b"2147483648",
            b"4294967295",
            b"4294967297",
            b"-2147483649",
        )
    ),
    *(
        (
            f"size {text!r}",
            HEAD + b'"size": ' + text + b', "tree": {}}',
            (*RANGE, "board-size-unsupported", "number-not-integer"),
        )
        for text in (
            b"0",
            b"-0",
            b"-1",
            b"2049",
            b"46341",
            b"65536",
            b"2147483648",
            b"4294967296",
            b"4294967315",
            b"1e100",
            b"0.1",
            b"-0.0",
        )
    ),
    *(
        (
            f"rectangle {w!r} x {h!r}",
            HEAD + b'"size": {"width": %s, "height": %s}, "tree": {}}' % (w, h),
            (*RANGE, "board-size-unsupported"),
        )
        for w, h in (
            (b"0", b"9"),
            (b"9", b"0"),
            (b"4294967296", b"1"),
            (b"65536", b"65536"),
            (b"1", b"4194305"),
            (b"1e9", b"1e9"),
        )
    ),
    *(
        (
            f"takeback {text!r}",
            tree(b'{"steps": [{"action": {"type": "takeback", "value": %s}}]}' % text),
            (*RANGE, "takeback-too-deep"),
        )
        for text in (
            b"1",
            b"0",
            b"-1",
            b"2147483648",
            b"4294967296",
            b"9223372036854775808",
            b"18446744073709551616",
            b"1e400",
        )
    ),
    *(
        (
            f"actor {text!r}",
            tree(b'{"steps": [{"action": {"type": "message", "value": ""}, "actor": %s}]}' % text),
            (*RANGE, "participant-index"),
        )
        for text in (b"0", b"-1", b"4294967295", b"4294967296", b"1e300")
    ),
    *(
        (f"surrogate {text!r}", title(text), ("surrogate-lone",))
        for text in (b"\\ud800", b"\\udc00", b"\\udfff\\ud800", b"\\ud800 \\udc00")
    ),
    *(
        (f"surrogate {text!r}", title(text), ("surrogate-lone",))
        for text in (b"\\uD800\\u0041", b"\\udbff\\ue000", b"\\ud800\\ud800\\udc00")
    ),
]
