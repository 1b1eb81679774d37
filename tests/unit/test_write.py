"""JSON text without recursion, numbers as written, and documents as bytes."""

import json
from decimal import Decimal

import pytest
from helpers.cases import in_groups
from helpers.effort import is_quick

import wei7core
from wei7core.errors import Wei7Error
from wei7core.formats.wei7.info import read_info
from wei7core.formats.wei7.json_text import Raw, encode, plain_number, read_number, split
from wei7core.formats.wei7.write import document_to_json, document_to_obj
from wei7core.record.document import (
    Branch,
    Document,
    GameRules,
    Info,
    Mark,
    Move,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Stone,
    Unreadable,
)

DEPTH = 10_000 if is_quick() else 100_000


@in_groups(
    ("text", "value"),
    [
        ("1", 1),
        ("1.0", 1),
        ("10E-1", 1),
        ("1e2", 100),
        ("-0", 0),
        ("-0.0", 0),
        ("0e99999999999999999999", 0),
        ("1" + "0" * 6000 + "e-6000", 1),
        ("7.5", 7.5),
        ("7.50", 7.5),
        ("51.234", 51.234),
        ("1e-7", 1e-07),
        ("65e-1", 6.5),
        ("0.1000000000000000055511151231257827", Decimal("0.1000000000000000055511151231257827")),
        ("6.4999999999999999999", Decimal("6.4999999999999999999")),
        ("1e-400", Decimal("1e-400")),
        ("1e400000000", Decimal("1e400000000")),
        ("1e-99999999999999999999", 0),
        ("123456789012345678901", 123456789012345678901),
    ],
)
def test_numbers_keep_their_value(text, value):
    number = read_number(text)
    assert number == value
    assert type(number) is type(value)
    assert read_number(encode(number).decode()) == number


@pytest.mark.parametrize(
    ("value", "text"),
    [(Decimal("0.0130"), "0.013"), (Decimal("45.0"), "45"), (45.0, "45"), (-0.0, "0"), (Decimal("-0"), "0")],
)
def test_equal_numbers_are_written_alike(value, text):
    assert encode(plain_number(value)).decode() == text


@in_groups("text", ["", "-", "01", "1.", ".5", "+1", "NaN", "1e", "0x1", "true", "1e" + "9" * 20])
def test_no_numbers(text):
    with pytest.raises(ValueError):
        read_number(text)


def test_encode_escapes_only_what_json_needs():
    assert encode('围棋 "a\\b" \n\x01\x7f\u2028/') == '"围棋 \\"a\\\\b\\" \\n\\u0001\x7f\u2028/"'.encode()
    assert encode("\ud800") == b'"\\ud800"'


def test_encode_takes_what_json_takes():
    value = {"a": [1, 2.5, None, True, False, "x", {}, [], ()], "b": {"c": [[]]}, "": -(10**5000), "n": Decimal("0.10")}
    assert json.loads(encode(value), parse_int=Decimal, parse_float=Decimal) == {
        "a": [1, 2.5, None, True, False, "x", {}, [], []],
        "b": {"c": [[]]},
        "": -(10**5000),
        "n": Decimal("0.1"),
    }
    assert b" " not in encode(value)
    assert encode([float("nan"), float("inf"), -float("inf"), Raw("{ }")]) == b"[NaN,Infinity,-Infinity,{ }]"


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"tree": [{1}]}, "$.tree[0]: set"),
        ({"tree": {1: 2}}, "$.tree: a member name is int"),
        (b"x", "$: bytes"),
        ([[], {"a": 1j}], "$[1].a: complex"),
    ],
)
def test_encode_refuses_with_the_place(value, place):
    with pytest.raises(TypeError) as caught:
        encode(value)
    assert str(caught.value).startswith(place)


def test_encode_refuses_an_object_inside_itself():
    loop = {"a": []}
    loop["a"].append(loop)
    with pytest.raises(TypeError, match="contains itself"):
        encode(loop)
    shared = [1]
    assert encode([shared, shared]) == b"[[1],[1]]"


@pytest.mark.exhaustive
def test_encode_and_split_know_no_depth():
    deep = []
    for _ in range(DEPTH):
        deep = [deep]
    text = encode(deep)
    assert text == b"[" * (DEPTH + 1) + b"]" * (DEPTH + 1)
    assert split(text) == [text[1:-1]]


def test_split():
    assert split(rb' { "a\"}" : [1, {"b": 2}] , "c":-1.5e3,"d": "]"}') == [
        rb'"a\"}"',
        b'[1, {"b": 2}]',
        b'"c"',
        b"-1.5e3",
        b'"d"',
        b'"]"',
    ]
    assert split(b"[]") == split(b"{ }") == []
    assert split(b'[[],{},null,"",0]') == [b"[]", b"{}", b"null", b'""', b"0"]


INFO = {
    "domain": "wei7",
    "id": "1",
    "name": "学习围棋",
    "rules": {"scoring": "area", "komi": 7.5, "type": "Chinese"},
    "time": "2011-09-05T18:35:19.5822023Z",
    "place": "",
    "participants": [{"domain": "qq", "id": "1", "name": "me", "title": "t", "rank": "9p"}, {}],
    "players": [{"participant": 0, "color": 1}, {"participant": 1}],
    "result": {"winner": None, "margin": 2.5},
}


def written(document: Document) -> str:
    return document_to_json(document).decode()


def test_info_is_read_and_written_in_the_order_of_the_clauses():
    info = read_info(json.dumps(dict(reversed(INFO.items()))).encode())
    assert info.rules == GameRules("area", 7.5, "Chinese")
    assert info.participants[0] == Participant("me", domain="qq", id="1", title="t", rank="9p")
    assert info.players == [Player(0, 1), Player(1)]
    assert info.result == Result(None, 2.5)
    expected = {"format": "wei7", "version": "3.0", "size": 19, "info": INFO, "tree": {}}
    assert written(Document(info=info)) == json.dumps(expected, ensure_ascii=False, separators=(",", ":"))


@in_groups(
    "info",
    [
        "{}",
        '{"participants":[]}',
        '{"players":[]}',
        '{"rules":{}}',
        '{"participants":[{}],"players":[]}',
        '{"name":5}',
        '{"rules":[]}',
        '{"rules":{"komi":"7","deep":[[[]]]}}',
        '{"players":[{"color":1}]}',
        '{"players":[{"participant":1.5}]}',
        '{"players":{}}',
        '{"participants":[[]]}',
        '{"result":{"margin":1}}',
        '{"result":{"winner":1,"x":[1,{"y":2}]}}',
        '{"result":{"winner":true}}',
        '{"x":{"y":' + "[" * DEPTH + "]" * DEPTH + "}}",
    ],
    ids=lambda text: text[:30],
)
def test_info_keeps_what_it_cannot_hold_and_empty_lists(info):
    document = Document(info=read_info(info.encode()), kept_empty=frozenset({"info"}))
    assert written(document) == '{"format":"wei7","version":"3.0","size":19,"info":' + info + ',"tree":{}}'


def test_size_forms():
    assert '"size"' not in written(Document(size_form="absent"))
    assert '"size":9,' in written(Document(9, 9))
    assert '"size":{"width":9,"height":13}' in written(Document(9, 13, "object"))


def full_document() -> Document:
    tree = Branch("t", Setup([Stone(1, (0, 0))], 2, [Mark((1, 2), "a")], "c"), extra={"x": b'{"y": [1.0]}'})
    tree.play(1, (3, 4), "bad", time=1.5, actor=0, comment="go")
    tree.play(2, None, time=2.0)
    tree.take_back(2)
    tree.claim(1, 2.5, actor=0)
    tree.claim(None)
    tree.mark((5, 6), "?")
    tree.say("hello\n", time=Decimal("2.25"))
    tree.steps[0].marks.append(Mark((1, 1), "#"))
    tree.steps[1].extra["u"] = b"[ ]"
    tree.steps[2].extra["action", "v"] = b"null"
    tree.steps[0].action.extra["point", "p"] = b"0"
    tree.pre.extra["problem", "q"] = b"1"
    tree.pre.stones[0].extra["r"] = b"2"
    tree.steps[0].action.extra["w"] = b"1e5"
    tree.steps.append(Step(Unreadable(b'{"action":{"type":"new"}}')))
    tree.add_branch(Branch(kept_empty=frozenset({"steps", "branches"}), pre=Setup()))
    return Document(tree=tree, extra={"z": b'"\xe5\x9b\xb4"', "format": b'"other"'})


FULL = (
    '{"format":"wei7","version":"3.0","size":19,"tree":{"title":"t",'
    '"pre":{"stones":[{"color":1,"point":{"x":0,"y":0},"r":2}],"problem":{"color":2,"q":1},'
    '"marks":[{"point":{"x":1,"y":2},"symbol":"a"}],"comment":"c"},'
    '"steps":[{"time":1.5,"action":{"type":"move",'
    '"value":{"color":1,"point":{"x":3,"y":4,"p":0},"evaluation":"bad","w":1e5}},"actor":0,'
    '"marks":[{"point":{"x":1,"y":1},"symbol":"#"}],"comment":"go"},'
    '{"time":2,"action":{"type":"move","value":{"color":2,"point":null}},"u":[ ]},'
    '{"action":{"type":"takeback","value":2,"v":null}},'
    '{"action":{"type":"result","value":{"winner":1,"margin":2.5}},"actor":0},'
    '{"action":{"type":"result","value":{"winner":null}}},'
    '{"action":{"type":"mark","value":{"point":{"x":5,"y":6},"symbol":"?"}}},'
    '{"time":2.25,"action":{"type":"message","value":"hello\\n"}},'
    '{"action":{"type":"new"}}],'
    '"branches":[{"pre":{},"steps":[],"branches":[]}],"x":{"y": [1.0]}},"z":"围"}'
)


def test_a_document_is_written_member_by_member():
    assert written(full_document()) == FULL


def test_to_obj_is_what_the_text_says():
    assert document_to_obj(full_document()) == json.loads(FULL)


def test_to_obj_gives_plain_types():
    document = Document()
    document.tree.say("x", time=Decimal("0.1000000000000000055511151231257827"))
    time = document_to_obj(document)["tree"]["steps"][0]["time"]
    assert time == 0.1 and type(time) is float


@pytest.mark.exhaustive
def test_deep_documents_are_written():
    depth = 50_000
    root = branch = Branch()
    for _ in range(depth):
        branch = branch.add_branch()
    text = written(Document(tree=root))
    assert text.endswith('"tree":' + '{"branches":[' * depth + "{}" + "]}" * depth + "}")
    obj = document_to_obj(Document(tree=root))
    assert encode(obj).decode() == text


def test_a_deep_kept_member_is_written_but_is_no_object():
    document = Document(extra={"x": b"[" * DEPTH + b"]" * DEPTH})
    assert written(document).endswith("]" * DEPTH + "}")
    with pytest.raises(Wei7Error, match="nests too deep"):
        document_to_obj(document)


@pytest.mark.parametrize(
    ("kept", "value"),
    [
        (b'"a\nb"', "a\nb"),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
        (b"1" * 5000, float("inf")),
        (b"1" * 300, int("1" * 300)),
    ],
)
def test_kept_members_that_are_no_json_are_objects(kept, value):
    game = wei7core.loads(b'{"format":"wei7","version":"3.0","tree":{},"x":%s}' % kept, strict=False)
    assert game.to_obj() == {"format": "wei7", "version": "3.0", "tree": {}, "x": value}


def test_a_branch_inside_itself_is_refused_but_may_stand_twice():
    root = Branch()
    shared = Branch("s")
    root.branches = [shared, shared]
    assert written(Document(tree=root)).count('"s"') == 2
    shared.add_branch().add_branch(root)
    with pytest.raises(ValueError, match="contains itself"):
        document_to_json(Document(tree=root))


@in_groups(
    "spoil",
    [
        lambda tree: tree.steps.append(Step(Move("1", (0, 0)))),
        lambda tree: tree.play(1, (0.5, 0)),
        lambda tree: tree.take_back(1.0),
        lambda tree: tree.steps.append(Step("move")),
        lambda tree: tree.say(b"bytes"),
        lambda tree: tree.say("x", time=1j),
    ],
)
def test_values_of_a_wrong_type_are_refused(spoil):
    document = Document()
    spoil(document.tree)
    with pytest.raises(TypeError):
        document_to_json(document)


def test_info_appears_once_something_is_known():
    document = Document()
    assert "info" not in written(document)
    document.info.name = "a"
    assert '"info":{"name":"a"}' in written(document)
    assert Info(name="a") == document.info


def test_what_is_no_step_is_refused():
    document = Document()
    document.tree.steps.append("move")
    for write in (document_to_json, document_to_obj):
        with pytest.raises(TypeError, match="a branch holds steps, not str"):
            write(document)


@pytest.mark.parametrize("number", ["1e999999", "-1e-999999", "1e400000000"])
def test_a_short_exponent_does_not_become_a_long_text(number):
    data = b'{"format":"wei7","version":"3.0","info":{"rules":{"komi":%s}},"tree":{}}' % number.encode()
    game = wei7core.loads(data, strict=False)
    with pytest.raises(ValueError, match="SGF has no number for"):
        wei7core.dumps(game, format="sgf", validate=False)
    assert len(wei7core.dumps(game, format="wei7-2.2", validate=False, losses=[])) < 1000  # as a comment
