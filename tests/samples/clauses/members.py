"""Ambiguities about members and about the text as a whole, for every kind of object."""

from .rows import PEOPLE, accept, action, info, move, passes, pre, record, reject, steps, warn

VALUE = "$.tree.steps[0].action.value"

# Each object of the format: its path, and a document where `%s` comes after its last member.
OBJECTS = (
    ("$", '{"format": "wei7", "version": "3.0", "tree": {}, %s}'),
    ("$.size", record(size='{"width": 9, "height": 9, %s}')),
    ("$.info", info('"name": "n", %s')),
    ("$.info.rules", info('"rules": {"komi": 0, %s}')),
    ("$.info.participants[0]", info('"participants": [{"name": "n", %s}]')),
    ("$.info.players[0]", info(PEOPLE + ', "players": [{"participant": 0, %s}]')),
    ("$.info.result", info('"result": {"winner": 1, %s}')),
    ("$.tree", record('{"title": "t", %s}')),
    ("$.tree.branches[0]", record('{"branches": [{"title": "t", %s}]}')),
    ("$.tree.pre", pre('"comment": "c", %s')),
    ("$.tree.pre.stones[0]", pre('"stones": [{"color": 1, "point": {"x": 0, "y": 0}, %s}]')),
    ("$.tree.pre.stones[0].point", pre('"stones": [{"color": 1, "point": {"x": 0, "y": 0, %s}}]')),
    ("$.tree.pre.problem", pre('"problem": {"color": 1, %s}')),
    ("$.tree.pre.marks[0]", pre('"marks": [{"symbol": "a", "point": {"x": 0, "y": 0}, %s}]')),
    ("$.tree.pre.marks[0].point", pre('"marks": [{"symbol": "a", "point": {"x": 0, "y": 0, %s}}]')),
    ("$.tree.steps[0]", steps('{"action": {"type": "message", "value": "m"}, %s}')),
    ("$.tree.steps[0].action", steps('{"action": {"type": "message", "value": "m", %s}}')),
    (VALUE, steps('{"action": {"type": "move", "value": {"color": 1, "point": null, %s}}}')),
    (VALUE + ".point", steps('{"action": {"type": "move", "value": {"color": 1, "point": {"x": 0, "y": 0, %s}}}}')),
    (VALUE, steps('{"action": {"type": "result", "value": {"winner": 1, %s}}}')),
    (VALUE, steps('{"time": 1, "action": {"type": "mark", "value": {"symbol": "a", "point": {"x": 0, "y": 0}, %s}}}')),
    (
        VALUE + ".point",
        steps('{"time": 1, "action": {"type": "mark", "value": {"symbol": "a", "point": {"x": 0, "y": 0, %s}}}}'),
    ),
    (
        "$.tree.steps[0].marks[0]",
        steps(
            '{"action": {"type": "message", "value": "m"}, "marks": [{"symbol": "a", "point": {"x": 0, "y": 0}, %s}]}'
        ),
    ),
)

# A member of each of those objects, as it is written there; `%s` in the second place repeats it after the first.
REPEATED = {
    "$": '"version": "3.0"',
    "$.size": '"width": 9',
    "$.info": '"name": "n"',
    "$.info.rules": '"komi": 0',
    "$.info.participants[0]": '"name": "n"',
    "$.info.players[0]": '"participant": 0',
    "$.info.result": '"winner": 1',
    "$.tree": '"title": "t"',
    "$.tree.branches[0]": '"title": "t"',
    "$.tree.pre": '"comment": "c"',
    "$.tree.pre.stones[0]": '"color": 1',
    "$.tree.pre.problem": '"color": 1',
    "$.tree.pre.marks[0]": '"symbol": "a"',
    "$.tree.steps[0]": '"action": {"type": "message", "value": "m"}',
    "$.tree.steps[0].action": '"type": "message"',
    "$.tree.steps[0].marks[0]": '"symbol": "a"',
}


def repeated(path: str, document: str) -> str:
    """The member of this object to write a second time."""
    if path.endswith(".point"):
        return '"x": 0'
    if path == VALUE:
        return next(one for one in ('"winner": 1', '"symbol": "a"', '"color": 1') if one in document)
    return REPEATED[path]


def name_of(member: str) -> str:
    """The name of a member written as JSON text."""
    return member.split('"')[1]


# Every optional member with null for its value; null is allowed nowhere here.
NULLS = (
    ("$.size", record(size="»null")),
    ("$.info", record(info="»null")),
    *((f"$.info.{name}", info(f'"{name}": »null')) for name in ("domain", "id", "name", "rules", "time", "place")),
    *((f"$.info.{name}", info(f'"{name}": »null')) for name in ("participants", "players", "result")),
    *((f"$.info.rules.{name}", info(f'"rules": {{"{name}": »null}}')) for name in ("scoring", "komi", "type")),
    *(
        (f"$.info.participants[0].{name}", info(f'"participants": [{{"{name}": »null}}]'))
        for name in ("domain", "id", "name", "title", "rank")
    ),
    ("$.info.players[0].color", info(PEOPLE + ', "players": [{"participant": 0, "color": »null}]')),
    ("$.info.result.margin", info('"result": {"winner": 1, "margin": »null}')),
    *((f"$.tree.{name}", record(f'{{"{name}": »null}}')) for name in ("title", "pre", "steps", "branches")),
    *((f"$.tree.pre.{name}", pre(f'"{name}": »null')) for name in ("stones", "problem", "marks", "comment")),
    *(
        (f"$.tree.steps[0].{name}", steps(action("message", '""', f'"{name}": »null')))
        for name in ("time", "actor", "marks", "comment")
    ),
    (VALUE + ".evaluation", steps(move(1, 0, 0, '"evaluation": »null'))),
    *((VALUE, steps(action(kind, "»null"))) for kind in ("move", "takeback", "result", "mark", "message")),
    ("$.tree.steps[0].action.type", steps('{"action": {"type": »null, "value": 1}}')),
    ("$.format", '{"format": »null, "version": "3.0", "tree": {}}'),
    ("$.version", '{"format": "wei7", "version": »null, "tree": {}}'),
)

FULL_WIDTH = "ｗｅｉ７"

ROWS = [
    accept("A26", record(size="19", info='{"name": "n"}')),
    *(
        reject("A26", "unknown-member", path + ".later", document.replace("%s", '»"later": [1, {"a": null}]'))
        for path, document in OBJECTS
    ),
    reject("A26", "unknown-member", "$.tree.Steps", record('{»"Steps": []}'), "3.15", why="names are case sensitive"),
    reject("A26", "unknown-member", "$.tree.step", record('{»"step": []}'), "3.15"),
    reject("A26", "unknown-member", "$.tree*", record('{»"": []}'), "3.15"),
    reject("A26", "unknown-member", "$.tree*", record('{»"steps ": []}'), "3.15"),
    reject("A26", "unknown-member", "$.tree*", record('{»"steps\\u0000": []}'), "3.15"),
    accept("A27", record('{"branches": [{"title": "t"}, {"title": "t"}]}'), "in different objects"),
    *(
        reject(
            "A27",
            "duplicate-member",
            f"{path}.{name_of(repeated(path, document))}",
            document.replace("%s", "»" + repeated(path, document)),
        )
        for path, document in OBJECTS
    ),
    reject(
        "A27",
        "duplicate-member",
        "$.size",
        '{"format": "wei7", "version": "3.0", "size": 9, "tree": {}, »"si\\u007ae": 9}',
    ),
    reject("A27", "duplicate-member", "$.tree.title", record('{"titl\\u0065": "a", »"\\u0074itle": "a"}')),
    reject("A27", "duplicate-member", "$.tree.steps", record('{"steps": [], "title": "", »"steps": []}')),
    accept("A28", steps(passes(1), '{"action": {"type": "result", "value": {"winner": null}}}')),
    *(reject("A28", "type-mismatch", path, document) for path, document in NULLS),
    # The text
    warn("A41", "byte-order-mark", "$", b"\xef\xbb\xbf" + record().encode(), "3.1"),
    accept("A41", info('"name": "\ufeff"'), "inside a string it is a character"),
    reject("A41", "json-syntax", "", " »\ufeff" + record(), "3.1", why="only at the very start"),
    accept("A42", info('"name": "' + FULL_WIDTH + '"')),
    *(
        reject("A42", "encoding-invalid|json-syntax", "", record().encode(encoding), "3.1")
        for encoding in ("utf-16-le", "utf-16-be", "utf-16", "utf-32-le", "utf-32-be", "utf-32")
    ),
    reject("A42", "encoding-invalid", "", info('"name": "古力"').encode("gb18030"), "3.1"),
    reject("A42", "encoding-invalid", "", info('"name": "\xe9"').encode("latin-1"), "3.1"),
    *(
        reject("A42", "encoding-invalid", "", info('"name": "@"').encode().replace(b"@", bad), "3.1")
        for bad in (
            b"\xc0\x80",
            b"\xc1\xbf",
            b"\xe0\x9f\xbf",
            b"\xed\xa0\x80",
            b"\xf0\x8f\xbf\xbf",
            b"\xf4\x90\x80\x80",
        )
    ),
    accept("A43", record() + "\n"),
    *(
        reject("A43", "json-syntax", "", document, "3.1")
        for document in (
            record() + "»{}",
            record() + " »x",
            record() + "»\x00",
            record("»/* c */{}"),
            "»// c\n" + record(),
            record('{"steps": [»,]}'),
            record('{"title": "t",»}'),
            info('"rules": {"komi": »NaN}'),
            info('"rules": {"komi": »Infinity}'),
            info('"rules": {"komi": -Infinity}'),
            record("{»'title': 1}"),
            record("{»title: 1}"),
        )
    ),
    accept("A45", info('"rules": {"scoring": "area", "type": "Chinese"}')),
    *(
        reject("A45", "value-not-allowed", path, document)
        for path, document in (
            ("$.format", '{"format": »"WEI7", "version": "3.0", "tree": {}}'),
            ("$.format", '{"format": »" wei7", "version": "3.0", "tree": {}}'),
            ("$.format", '{"format": »"' + FULL_WIDTH + '", "version": "3.0", "tree": {}}'),
            ("$.version", '{"format": "wei7", "version": »"3.0 ", "tree": {}}'),
            ("$.version", '{"format": "wei7", "version": »"3.00", "tree": {}}'),
            ("$.info.rules.scoring", info('"rules": {"scoring": »"Area"}')),
            ("$.info.rules.type", info('"rules": {"type": »"chinese"}')),
            (
                "$.tree.steps[0].action.type",
                steps('{"action": {"type": »"MOVE", "value": {"color": 1, "point": null}}}'),
            ),
            (
                "$.tree.steps[0].action.type",
                steps('{"action": {"type": »"move ", "value": {"color": 1, "point": null}}}'),
            ),
            (VALUE + ".evaluation", steps(move(1, 0, 0, '"evaluation": »"GOOD"'))),
        )
    ),
]

# What `load` says about the name of a file that holds a valid record.
FILES = (
    ("3.1-3", "game.wei7", None),
    ("3.1-3", "a.b.wei7", None),
    ("3.1-3", "game.json", "file-suffix"),
    ("3.1-3", "wei7", "file-suffix"),
    ("3.1-3", "game.wei7.txt", "file-suffix"),
    ("3.1-3", "gamewei7", "file-suffix"),
    ("A44", "game.wei7", None),
    ("A44", "game.WEI7", "file-suffix-case"),
    ("A44", "game.Wei7", "file-suffix-case"),
    ("A44", "game.WEI", "file-suffix"),
)
