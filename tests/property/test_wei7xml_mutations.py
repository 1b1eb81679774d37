"""Spoiled wei7 2.x: only the package's errors come, lenient reading never fails, and what was read is written back."""

import re

import pytest
from helpers.effort import chances, examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samples.wei7xml_documents import xml_documents
from samples.wei7xml_texts import example

import wei7core
from wei7core.errors import RecordError, Wei7Error
from wei7core.formats.registry import write_document
from wei7core.formats.wei7xml import decode

TOKEN = re.compile(rb"<[^<>]*>|[^<>]+")
PIECES = [
    *(b"<black x='3' y='3'/>", b"<white type='pass'/>", b"<pre>", b"</pre>", b"<pre/>", b"<moves>", b"</moves>"),
    *(b"<mark x='1' y='1' symbol='a'/>", b"<mark/>", b"<foo>", b"</foo>", b"hello", b"<![CDATA[a]]>", b"<!-- a -->"),
    *(b"<?a b?>", b"<size>9</size>", b"<game/>", b"<result/>", b"&amp;", b"&foo;", b"<!DOCTYPE a>", b"\xff", b"\0"),
]
WORDS = [
    b"x",
    b"y",
    b"19",
    b"-1",
    b"017",
    b"a b",
    b"",
    b"black",
    b"title",
    b"eval",
    b"trick",
    b"&#10;",
    b"stones",
    b"\xc3",
]
quick = settings(
    max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
SMALL = example("simple")


@st.composite
def spoiled(draw):
    """A document with some tags or words taken away, doubled, exchanged or made others."""
    data = draw(st.one_of(st.just(SMALL), xml_documents()))
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["tags", "words", "bytes"]))
        parts = {
            "tags": TOKEN.findall(data),
            "words": re.split(rb"([A-Za-z0-9.]+)", data),
            "bytes": [data[k : k + 1] for k in range(len(data))],
        }[kind]
        if not parts:
            break
        at = draw(st.integers(0, len(parts) - 1))
        other = draw(st.integers(0, len(parts) - 1))
        change = draw(st.sampled_from(["remove", "double", "swap", "replace", "cut"]))
        if change == "remove":
            del parts[at]
        elif change == "double":
            parts.insert(other, parts[at])
        elif change == "swap":
            parts[at], parts[other] = parts[other], parts[at]
        elif change == "replace":
            parts[at] = draw(st.sampled_from(PIECES if kind == "tags" else WORDS))
        elif draw(st.booleans()):
            del parts[at:]
        data = b"".join(parts)
    return data


@st.composite
def spoiled_runs(draw):
    """A document with a run of plain steps, a variation with another, and up to four parts of its own among them."""
    chance = draw(chances())
    steps = [b'<%s x="%d" y="%d" />' % (chance.choice([b"black", b"white"]), k % 19, k // 19) for k in range(60)]
    others = [*PIECES, b'<black x="99" y="0" />', b'<white x="3" y="4" foo="1" />', b"<!-- ", b" -->", b"<pre>", b""]
    for _ in range(chance.randrange(5)):
        steps.insert(chance.randrange(len(steps)), chance.choice(others))
    moves = b"\n  ".join([*steps, b"<moves>", *steps[: chance.randrange(30)], b"</moves>"])
    text = b'<wei7 version="2.2"><size>19</size>\n<moves>\n' + moves + b"</moves></wei7>\n"
    return text[: -chance.choice([1, 1, 1, 9, 300])]


@given(spoiled_runs())
@quick
def test_paths_between_runs_are_those_of_the_parser(data):
    record = decode.decode(data)
    offsets = sorted({problem.offset for problem in record.problems} | {data.find(b"<", k) for k in range(0, 900, 90)})
    found = [record.problems, record.locate([("limit-replay", offset, 0) for offset in offsets])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decode, "runs_in", lambda *_: [])
        again = decode.decode(data)
        assert found == [again.problems, again.locate([("limit-replay", offset, 0) for offset in offsets])]


@given(spoiled())
@quick
def test_only_errors_of_the_package(data):
    game = wei7core.loads(data, strict=False, format="wei7-2.2")
    errors = [problem for problem in game.problems if problem.severity == "error"]
    try:
        strict = wei7core.loads(data, format="wei7-2.2")
    except RecordError as error:
        assert error.problem == errors[0]
    else:
        assert not errors
        assert strict == game
    assert [problem.offset for problem in game.problems] == sorted(problem.offset for problem in game.problems)
    for problem in game.problems:
        assert 0 <= problem.offset <= len(data)
        assert problem.line == data[: problem.offset].count(b"\n") + 1
        assert problem.path.startswith("/")
        assert problem.clause or "limit" in problem.code
    moves, *others = wei7core.replay(data).to_numpy()["moves"].tolist()
    assert not others
    if game.size != (0, 0):
        *_, last = game.main_line()
        assert last.move_number == moves
    for format in ("wei7", "wei7-rev2", "sgf", "wei7-2.2"):
        try:
            wei7core.dumps(game, format=format, losses=[])
        except Wei7Error:
            assert errors
            assert game.size == (0, 0) or game.size > (52, 52)


@given(spoiled())
@quick
def test_what_was_read_is_written_back(data):
    game = wei7core.loads(data, strict=False, format="wei7-2.2")
    document = game.document
    written = write_document(document, "wei7-2.2")
    again = wei7core.loads(written, strict=False, format="wei7-2.2")
    assert not {"xml-syntax", "encoding-invalid", "doctype-refused"} & {problem.code for problem in again.problems}
    assert again == game
    assert write_document(again.document, "wei7-2.2") == written


@given(st.binary(max_size=60), st.sampled_from([b"", b"<wei7>", b"<?xml version='1.0'?><wei7 version='2.2'><moves>"]))
@quick
def test_any_bytes(data, head):
    game = wei7core.loads(head + data, strict=False, format="wei7-2.2")
    assert game.problems
    assert game.document is not None
