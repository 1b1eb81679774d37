"""SGF records as documents."""

import pytest
from helpers.cases import in_groups
from helpers.effort import first

from wei7core.formats.sgf.decode import decode
from wei7core.formats.sgf.to_document import document_from_record
from wei7core.record.document import Branch, Edit, Mark, Move, Note, Result, Setup, Step, Stone, Unreadable


def read(text, **options):
    return document_from_record(decode(text if isinstance(text, bytes) else text.encode(), **options))


def properties(text):
    """The properties of the first node after the root."""
    return read(f"(;FF[4];{text})").tree.steps[0].properties


def test_root_and_nodes():
    document = read(
        "(;FF[4]GM[1]SZ[9:13]PB[b]RE[B+R]XY[a][b]AB[aa]AW[bb]AE[cc]C[root]TR[dd]"
        ";B[cc]TE[1]C[first]LB[cc:12];AE[aa]AB[ee];N[n](;W[])(;W[tt](;B[ii])))"
    )
    assert (document.width, document.height, document.size_form) == (9, 13, "object")
    assert document.properties == {
        "FF": ("4",),
        "GM": ("1",),
        "SZ": ("9:13",),
        "PB": ("b",),
        "RE": ("B+R",),
        "XY": ("a", "b"),
        "C": ("root",),
        "TR": ("dd",),
    }
    assert document.info.black_name == "b"
    assert document.info.result == Result(1)
    first = {"TE": ("1",), "C": ("first",), "LB": ("cc:12",)}
    deep = Branch(steps=[Step(Move(1, (8, 8)))])
    assert document.tree == Branch(
        pre=Setup([Stone(1, (0, 0)), Stone(2, (1, 1))], None, [Mark((3, 3), "%", shape="TR")], "root"),
        steps=[
            Step(Move(1, (2, 2), "good"), comment="first", marks=[Mark((2, 2), "12")], properties=first),
            Step(Edit([Stone(0, (0, 0)), Stone(1, (4, 4))])),
            Step(Note(), properties={"N": ("n",)}),
        ],
        branches=[Branch(steps=[Step(Move(2, None))]), Branch(steps=[Step(Move(2, None))], branches=[deep])],
    )


def test_an_empty_root_has_no_setup():
    assert read("(;FF[4]AE[aa])").tree == Branch()
    assert read("(;)").tree.pre is None


def test_no_game_is_an_empty_document():
    document = read("no game at all")
    assert document.tree == Branch()


def test_moves_of_the_root_share_its_properties():
    document = read("(;FF[4]B[aa]TE[1]C[c];W[bb])")
    one, two = document.tree.steps
    assert (one.joined, one.action, one.comment, one.properties) == (True, Move(1, (0, 0), "good"), None, {})
    assert (two.joined, two.action) == (False, Move(2, (1, 1)))
    assert document.tree.pre == Setup(comment="c")


def test_several_actions_of_a_node():
    steps = read("(;FF[4];W[bb]B[aa]AB[cc]BM[1]C[c];B[dd])").tree.steps
    assert [step.action for step in steps] == [
        Edit([Stone(1, (2, 2))]),
        Move(2, (1, 1), "bad"),
        Move(1, (0, 0)),
        Move(1, (3, 3)),
    ]
    assert [step.joined for step in steps] == [False, True, True, False]
    assert [step.comment for step in steps] == ["c", None, None, None]
    assert [bool(step.properties) for step in steps] == [True, False, False, False]


def test_properties_that_stand_twice():
    assert properties("N[a]TR[aa]N[b]TR[bb]XX[1]XX[2]C[c]C[d]") == {
        "N": ("a", "b"),
        "TR": ("aa", "bb"),
        "XX": ("1", "2"),
        "C": ("c", "d"),
    }
    assert properties("C[c]C[c]") == {"C": ("c",)}
    assert properties("C[c][d]C[e]") == {"C": ("c", "d", "e")}
    assert read("(;KM[6.5]KM[7.5])").info.rules.komi == 6.5
    assert read("(;AP[GNU Go:3.8]RE[B+R]AP[foxwq])").properties["AP"] == ("GNU Go:3.8", "foxwq")
    assert properties("C[c][d]N[a][b]") == {"C": ("c", "d"), "N": ("a", "b")}


def test_values_are_kept_as_they_are_written():
    assert properties("C[a\\]b\\\\]XX[\\:\r\n\t][][ ]N[so\\\nft]") == {
        "C": ("a\\]b\\\\",),
        "XX": ("\\:\r\n\t", "", " "),
        "N": ("so\\\nft",),
    }


def test_names():
    document = read("(;GaMe[1]FF[3]PlayerBlack[b];Black[aa]Comment[c]TEsuji[1]T2[x]noise[y])")
    assert document.properties == {"GM": ("1",), "FF": ("3",), "PB": ("b",)}
    (step,) = document.tree.steps
    assert step.action == Move(1, (0, 0), "good")
    assert step.properties == {"C": ("c",), "TE": ("1",), "T2": ("x",)}


def test_a_name_of_somebodys_own_is_no_other_one():
    assert properties("B_[aa]_C[x]a1B[bb]X_y[1]") == {"B_": ("aa",), "C": ("x",), "a1B": ("bb",), "X_y": ("1",)}


def test_setup_values_that_could_not_be_read_are_kept():
    (step,) = read("(;FF[4];AB[aa][zz]AW[bb:cb]AE[])").tree.steps
    assert step.action == Edit([Stone(1, (0, 0)), Stone(2, (1, 1)), Stone(2, (2, 1))])
    assert step.properties == {"AB": ("zz",), "AE": ("",)}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("B[zz]", b"B[zz]"),
        ("Black [z\\]] [aa]", b"B[z\\]][aa]"),
        ("W[围]", "W[围]".encode()),
    ],
)
def test_unreadable_moves_keep_their_text(text, kept):
    (step,) = read(f"(;FF[4];{text}C[c])").tree.steps
    assert step.action == Unreadable(kept)
    assert (step.comment, step.properties) == ("c", {"C": ("c",)})


@in_groups(
    ("text", "action", "kept"),
    [
        ("B[aa", Unreadable(b"B[aa"), {}),
        ("W[", Unreadable(b"W["), {}),
        ("B[zz][aa", Unreadable(b"B[zz]"), {}),
        ("C[abc\\", Note(), {"C": ("abc",)}),
        ("C[abc\\]", Note(), {"C": ("abc\\]",)}),
        ("XX[1][a", Note(), {"XX": ("1", "a")}),
        ("TR[aa][b", Note(), {"TR": ("aa",)}),
        ("AB[aa][b", Edit([Stone(1, (0, 0))]), {}),
    ],
)
def test_texts_that_break_off(text, action, kept):
    (step,) = read(f"(;FF[4];{text}").tree.steps
    assert (step.action, step.properties) == (action, kept)


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("gb18030", "甛乗a乗"), ("big5", "許功蓋"), ("shift_jis", "表ソ十"), ("utf-8", "许]"), ("latin-1", "éü")],
)
def test_encodings(encoding, text):
    escaped = text.replace("]", "\\]")
    data = f"(;FF[4]CA[{encoding}]PB[{escaped}];B[aa]C[{escaped}]XX[a\\]][{escaped}])".encode(encoding)
    document = read(data)
    (step,) = document.tree.steps
    assert document.info.black_name == text
    assert step.comment == text
    assert step.properties["XX"] == ("a\\]", escaped)


def test_bytes_that_stand_for_no_character():
    (step,) = read(b"(;FF[4]CA[gb18030];B[aa]C[\xff" + b"\xc4\xe3" * 20 + b"]N[a\\]\xff])").tree.steps
    assert step.action == Move(1, (0, 0))
    assert step.comment == "\ufffd" + "你" * 20
    assert step.properties["N"] == ("a\\]\ufffd",)


@pytest.mark.parametrize(
    ("between", "depth"), first(1, [("(;B[aa]C[c\\]]", 5_000), ("(;B[aa]C[c\\]]", 50_000), ("(;B[aa]", 50_000)], 2)
)
def test_any_depth(between, depth):
    document = read("(;FF[4]" + between * depth + ")" * (depth + 1))
    assert sum(1 for _ in document.tree.walk()) == depth + 1
    document.tree.branches.clear()


def test_reading_changes_no_record():
    record = decode(b"(;FF[4]AB[aa]PB[x];B[bb]C[c])")
    first, second = document_from_record(record), document_from_record(record)
    assert first == second
    first.tree.steps[0].properties["N"] = ("n",)
    first.properties.clear()
    first.tree.pre.stones.clear()
    assert second == document_from_record(record)
