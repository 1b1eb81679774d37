"""What records of other programs seldom hold, and what only another caller than this package asks for."""

import pickle

import numpy as np
import pytest
from samples.wei7xml_texts import xml

import wei7core as w7
from wei7core.formats.giseong import decode as giseong
from wei7core.formats.registry import write_document
from wei7core.formats.servers import gib, ngf
from wei7core.formats.wei7 import decode as wei7
from wei7core.formats.wei7.info import id_in
from wei7core.formats.wei7xml import decode as wei7xml
from wei7core.formats.wei7xml.text import element_end
from wei7core.record.document import Branch, Document, Move, Note, Setup, Step, Unreadable
from wei7core.tables.columns import Boards, Column, Numbers, Texts

GIB = "\\HS\n\\[GAMEINFOMAIN=GBKIND:2{more}\\]\n\\HE\n\\GS\n{steps}\n\\GE\n"


def codes(record):
    return [problem.code for problem in record.problems]


def test_handicap_stones_after_moves_are_left_out():
    record = gib.decode(GIB.format(more="", steps="STO 0 2 1 3 3\nINI 0 1 3 &4").encode())
    assert codes(record) == ["value-invalid"]
    assert "after moves" in record.problems[0].message
    assert len(record.pres) == 0


def test_handicap_stones_on_a_board_of_another_size_are_left_out():
    record = gib.decode(GIB.format(more=",LINE:13", steps="INI 0 1 3 &4\nSTO 0 2 2 3 3").encode())
    assert record.width == 13
    assert "the points of handicap stones on 13 x 13 are unknown" in record.problems[0].message


def test_ngf_without_a_move():
    assert "no-game-tree" in codes(ngf.decode(b"Rated game\n19\n"))


@pytest.mark.parametrize("decode", [gib.decode, ngf.decode, giseong.decode])
def test_encodings_that_are_none(decode):
    with pytest.raises(LookupError, match="'nonsense' is not an encoding"):
        decode(b"", encoding="nonsense")


def test_revisions_that_are_none():
    with pytest.raises(ValueError, match="revision 5 is not known"):
        wei7.decode(b"{}", revision=5)


@pytest.mark.parametrize(
    "record",
    [
        gib.decode(GIB.format(more="", steps="STO 0 2 1 3 3").encode()),
        wei7.decode(b'{"format":"wei7","version":"3.0","size":9,"tree":{}}'),
        wei7xml.decode(xml('<black x="0" y="0"/>').encode()),
    ],
    ids=["gib", "wei7", "wei7-2.2"],
)
def test_records_are_pickled(record):
    again = pickle.loads(pickle.dumps(record))
    assert (again.format, again.source, codes(again)) == (record.format, record.source, codes(record))
    assert again.steps.tobytes() == record.steps.tobytes()


@pytest.mark.parametrize("text", [b'{"id": }', b'{"id": "\xff"}', b'{"id": ' + b"[" * 100_000])
def test_names_of_records_that_cannot_be_read(text):
    assert id_in(text) is None


def test_a_size_after_the_moves_is_passed_over():
    text = xml('<black x="0" y="0"/>').replace("<size>19</size>", "").replace("</moves>", "</moves><size>9</size>")
    record = wei7xml.decode(text.encode())
    assert "element-misplaced" in codes(record)


def test_remarks_between_text_of_2_x():
    record = wei7xml.decode(xml('<black x="0" y="0"/>text<!-- a remark -->').encode())
    assert codes(record)
    assert w7.loads(record.source, strict=False).tree.steps


def test_formats_that_cannot_be_written():
    for format in ("gib", "nonsense"):
        with pytest.raises(ValueError, match=f"records of format '{format}' cannot be written"):
            write_document(Document(9, 9), format)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"branches": [Branch(pre=Setup())]}, "no positions at the start of a branch"),
        ({"title": "a"}, "branches have no titles"),
        ({"steps": [Step(Move(1, None))]}, "no passes"),
        ({"steps": [Step(Unreadable(b"{}"))]}, "no placement of Giseong"),
        ({"steps": [Step(Note(), properties={"giseong": ("9;400",)})]}, None),
    ],
)
def test_what_giseong_cannot_say(change, message):
    document = Document(19, 19)
    for name, value in change.items():
        setattr(document.tree, name, value)
    if message is None:
        write_document(document, "giseong")
    else:
        with pytest.raises(ValueError, match=message):
            write_document(document, "giseong")


def test_more_problems_than_are_kept():
    text = "&[1w" + "&[77w" * 9 + "&[2w"
    record = giseong.decode(text.encode(), limits=w7.Limits(max_problems=2))
    assert codes(record)[-1] == "limit-problems"
    assert len(record.problems) == 3


def test_giseong_that_holds_nothing():
    record = giseong.decode(b"&[1w" * 9, limits=w7.Limits(max_bytes=3))
    assert codes(record) == ["limit-bytes"]
    assert giseong.document_from_record(record).tree.steps == []


@pytest.mark.parametrize("rest", [b"", b"\x00"], ids=["whole", "half-a-character-at-the-end"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "utf-32-le"])
def test_giseong_in_wide_characters(encoding, rest):
    """Python reads UTF-16 without a mark in the order of the machine at once, and not at all bit by bit."""
    data = "&[1w&{16;4b&}&[2w".encode(encoding) + rest
    record = giseong.decode(data, encoding=encoding)
    assert record.problems
    assert giseong.decode(b"&[1w", encoding=encoding).source == b"&[1w"


def test_problems_where_a_place_joined_the_one_before():
    record = giseong.decode(b"&[1w&[9;1w}}{{&[3;3;2@&[8@&[10@&[4w&[9@&[2w")
    assert {"block-unopened", "block-unclosed"} <= set(codes(record))


def test_columns_of_one_part():
    numbers, texts, boards = Numbers.of([1, 2], np.int64), Texts.of(["a"]), Boards.of([], [], [])
    assert Numbers.joined([numbers]) is numbers
    assert Texts.joined([texts]) is texts
    assert Boards.joined([boards]) is boards
    with pytest.raises(ValueError, match="packed boards require their sizes"):
        Column("board", "board").of(["."])


def test_remarks_of_xml_in_text():
    record = wei7xml.decode(xml('<black x="0" y="0"/>text<?pi x?>').encode())
    assert codes(record)
    assert record.text(0, 5) == "<wei7"


def test_elements_in_elements_that_are_not_known():
    text = xml('<black x="0" y="0"/>', game="<game><odd>a<b>c</b>d</odd></game>").encode()
    game = w7.loads(text, strict=False)
    assert b"<odd>a<b>c</b>d</odd>" in w7.dumps(game, format="wei7-2.2", validate=False)


def test_elements_without_an_end():
    assert element_end(b"<a><b></a>", 3) == -1


def test_times_that_xml_has_no_characters_for():
    game = w7.loads(xml('<black x="0" y="0"/>').encode())
    game.document.info.time = "\x01"
    with pytest.raises(ValueError, match="XML has no character"):
        w7.dumps(game, format="wei7-2.2", validate=False)


def test_a_byte_order_mark_is_text():
    record = wei7xml.decode(b"\xef\xbb\xbf<wei7")
    assert record.problems and record.problems[0].line == 1


def test_names_on_one_line():
    game = w7.Game(19)
    game.tree.steps[:] = [Step(Move(1, (2, 2)), title="a")]
    game.document.info.name = "one\ntwo"
    assert w7.loads(w7.dumps(game, format="giseong", validate=False), strict=False).document.info.name == "one two"
    game.document.info.name = "long " * 1_000
    again = w7.loads(w7.dumps(game, format="wei7-2.2", validate=False), strict=False)
    assert again.tree.pre.comment.startswith("Name: long")


def test_parts_of_games_and_other_things_differ():
    for part in (w7.Setup(), w7.Info(), Step(Note()), w7.Result(1)):
        assert part != 1


@pytest.mark.parametrize("number", ["0", "123456789"])
def test_numbers_that_giseong_has_no_control_for(number):
    document = Document(19, 19)
    document.properties["giseong.moves"] = (number,)
    with pytest.raises(ValueError, match="numbers in controls are 1 to"):
        write_document(document, "giseong")


@pytest.mark.parametrize("declared", [1, 2, 3])
def test_the_moves_that_giseong_declares_are_those_of_the_main_line(declared):
    text = f"&[1w&[20;{declared}w&[2;1;1@&[8@&[3;2;2@&[9@&[3;3;3@&[2w"
    assert codes(giseong.decode(text.encode())) == ([] if declared == 2 else ["move-count"])
