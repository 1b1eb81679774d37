"""Documents as SGF text."""

import re
from decimal import Decimal

import pytest
from helpers.cases import in_groups
from sgfmill import sgf, sgf_grammar

import wei7core as w7
from wei7core.errors import BoardSizeError
from wei7core.formats.sgf.write import document_to_sgf
from wei7core.record.document import (
    Branch,
    Document,
    Edit,
    GameRules,
    Info,
    Mark,
    MarkAction,
    Message,
    Move,
    Note,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Stone,
    Takeback,
    Unreadable,
)

HEAD = "(;FF[4]CA[UTF-8]GM[1]SZ[19]"


def document(*steps, **members):
    return Document(tree=Branch(steps=list(steps)), **members)


def written(what):
    """The text without its line breaks, read by another parser first."""
    data = document_to_sgf(what)
    sgf_grammar.parse_sgf_game(data)
    return data.decode().replace("\n", "")


def node(step, **members):
    text = written(document(step, **members))
    assert text.startswith(HEAD + ";")
    return text[len(HEAD) + 1 : -1]


def move(**members):
    return Step(Move(1, (3, 3)), **members)


def test_an_empty_record():
    assert document_to_sgf(Document()) == b"(;FF[4]CA[UTF-8]GM[1]SZ[19])\n"


def test_moves_passes_and_lines():
    steps = [Step(Move(k % 2 + 1, None if k == 11 else (k, 18))) for k in range(12)]
    assert document_to_sgf(document(*steps)).decode() == (
        "(;FF[4]CA[UTF-8]GM[1]SZ[19]\n;B[as];W[bs];B[cs];W[ds];B[es];W[fs];B[gs];W[hs];B[is];W[js]\n;B[ks];W[])\n"
    )


@pytest.mark.parametrize(("size", "text"), [((9, 9), "9"), ((9, 13), "9:13"), ((52, 1), "52:1"), ((1, 1), "1")])
def test_sizes(size, text):
    assert f"SZ[{text}]" in written(Document(*size))


@pytest.mark.parametrize("size", [(53, 19), (19, 53), (0, 0)])
def test_sizes_that_sgf_does_not_have(size):
    with pytest.raises(BoardSizeError, match="1 to 52"):
        document_to_sgf(Document(*size))


def test_points_of_large_boards():
    record = Document(52, 52, tree=Branch(steps=[Step(Move(1, (51, 25))), Step(Move(2, (19, 19)))]))
    assert ";B[Zz];W[tt]" in written(record)


def test_variations():
    leaf = Branch(steps=[Step(Move(2, (0, 0)))])
    tree = Branch(
        steps=[move()],
        branches=[Branch(steps=[Step(Move(2, (1, 1)))], branches=[leaf, Branch()]), Branch(steps=[Step(Note())])],
    )
    assert document_to_sgf(Document(tree=tree)).decode() == (
        "(;FF[4]CA[UTF-8]GM[1]SZ[19]\n;B[dd]\n(;W[bb]\n(;W[aa])\n(;))\n(;))\n"
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize("wide", [False, True])
def test_any_depth_and_width(wide):
    tree = branch = Branch()
    for _ in range(100_000):
        child = branch.add_branch(Branch(steps=[Step(Move(1, None))]))
        branch = branch if wide else child
    data = document_to_sgf(Document(tree=tree))
    assert data.count(b"(") == data.count(b")") == 100_001
    tree.branches.clear()


def test_a_branch_inside_itself():
    tree = Branch()
    tree.add_branch().branches.append(tree)
    with pytest.raises(ValueError, match="contains itself"):
        document_to_sgf(Document(tree=tree))


def test_the_root_node():
    record = Document(
        info=Info(
            name="Cup]",
            place="Here",
            rules=GameRules("area", 7.5, "Chinese"),
            participants=[Participant("甲", rank="9p"), Participant("乙")],
            players=[Player(0, 1), Player(1, 2)],
            result=Result(1),
        ),
        tree=Branch(
            title="Title",
            pre=Setup([Stone(2, (3, 3)), Stone(1, (2, 0)), Stone(1, (0, 2))], None, [Mark((0, 0), "a")], "Said"),
        ),
        properties={
            "XY": ("private",),
            "AP": ("A\\:B:1",),
            "EV": ("Event",),
            "FF": ("3",),
            "SZ": ("9",),
            "CA": ("GBK",),
        },
    )
    assert written(record) == (
        HEAD + "AP[A\\:B:1]GN[Cup\\]]EV[Event]PC[Here]PB[甲]BR[9p]PW[乙]RU[Chinese]KM[7.5]RE[B+R]"
        "AB[ac][ca]AW[dd]N[Title]LB[aa:a]C[Said]XY[private])"
    )


def test_minutes_of_ff1_become_seconds():
    for ff, minutes, seconds in [("1", "90", "5400"), ("1", "1.5", "90"), ("1", "1 hour", "1 hour"), ("4", "90", "90")]:
        assert f"TM[{seconds}]" in written(Document(properties={"FF": (ff,), "TM": (minutes,)}))
    assert "TM[90]" in written(Document(properties={"TM": ("90",)}))


def test_moves_in_the_root_node():
    steps = [Step(Move(1, (3, 3)), joined=True), Step(Move(2, None), joined=True), Step(Move(1, None), joined=True)]
    assert written(document(*steps)) == HEAD + "B[dd]W[];B[])"


def test_a_node_with_setup_and_move():
    edit = Step(Edit([Stone(1, (1, 0)), Stone(2, (1, 0)), Stone(0, (2, 0)), Stone(2, (0, 0))]), comment="c")
    steps = [edit, Step(Move(1, (3, 3), "good"), joined=True)]
    assert written(document(*steps)) == HEAD + ";AW[aa][ba]AE[ca]B[dd]TE[1]C[c])"


@in_groups(
    "second",
    [
        Step(Move(1, (0, 0)), joined=True),
        Step(Move(2, (0, 0))),
        Step(Move(2, (0, 0)), joined=True, comment="own"),
        Step(Move(2, (0, 0)), joined=True, marks=[Mark((0, 0), "a")]),
        Step(Move(2, (0, 0)), joined=True, properties={"N": ("own",)}),
        Step(Move(2, (0, 0), "bad"), joined=True),
        Step(Edit([Stone(1, (0, 0))]), joined=True),
        Step(Note(), joined=True),
    ],
)
def test_steps_that_need_a_node_of_their_own(second):
    assert written(document(move(), second)).count(";") == 3


def test_properties_of_a_node():
    assert node(move(comment="a]b:c\\\nd")) == "B[dd]C[a\\]b:c\\\\d]"
    assert node(Step(Note(), comment="")) == "C[]"
    assert node(Step(Move(2, None, "bad"))) == "W[]BM[1]"
    assert node(Step(Note(), comment="\ufffd")) == "C[\ufffd]"


def test_marks():
    shapes = [Mark((k, 0), "?", shape=shape) for k, shape in enumerate(("SL", "MA", "SQ", "CR", "TR"))]
    labels = [Mark((1, 1), "a:]"), Mark((0, 1), "long\\")]
    assert node(Step(Note(), marks=shapes + labels)) == ("TR[ea]CR[da]SQ[ca]MA[ba]SL[aa]LB[ab:long\\\\][bb:a\\:\\]]")


def test_one_shape_and_one_label_a_point():
    shown = [Mark((0, 0), "x"), Mark((0, 0), "y"), Mark((0, 0), "%", shape="TR"), Mark((0, 0), "@", shape="CR")]
    assert node(Step(Note(), marks=[*shown, shown[2]])) == "TR[aa]LB[aa:x]"


RAW = {
    "C": ("soft\\\nbreak\ttab",),
    "TE": ("2",),
    "TR": ("aa:bb",),
    "M": ("cc", "zz"),
    "L": ("dd", "ee"),
    "BL": ("12.5",),
    "KO": ("",),
    "ZZ": ("x", "y\\]"),
    "N": ("name",),
}
TYPED = {
    "comment": "softbreak tab",
    "marks": [Mark((x, y), "%", shape="TR") for x in (0, 1) for y in (0, 1)]
    + [Mark((2, 2), "&", shape="MA"), Mark((4, 4), "B"), Mark((3, 3), "A")],
}
AS_READ = "B[dd]KO[]N[name]BL[12.5]TE[2]TR[aa:bb]MA[cc][zz]LB[dd:A][ee:B]C[soft\\break\ttab]ZZ[x][y\\]]"


def raw_step():
    return Step(Move(1, (3, 3), "good"), properties=dict(RAW), comment=TYPED["comment"], marks=list(TYPED["marks"]))


def edited(change):
    step = raw_step()
    change(step)
    return node(step)


def test_raw_properties_that_agree_stay():
    assert node(raw_step()) == AS_READ


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("M[cc]", "MA[cc]"),
        ("L[aa][bb]", "LB[aa:A][bb:B]"),
        ("TR[cc]MA[aa][bb]M[cc][:]", "TR[cc]MA[aa][bb][cc][:]"),
        ("LB[ee:x]L[aa:ba][][zz][dd]", "LB[ee:x][aa:A][ba:A][zz:C][dd:D]"),
        ("M[]L[]", "MA[]"),
    ],
)
def test_marks_and_letters_of_ff1_are_those_of_ff4(old, new):
    text = f"(;FF[1]SZ[9];B[ee]{old})".encode()
    changed = w7.loads(text, strict=False)
    changed.root.comment = "x"
    for data in (
        w7.dumps(w7.loads(text, strict=False), format="sgf"),
        w7.dumps(changed, format="sgf"),
        w7.dumps(w7.loads(text.replace(b";B", old.encode() + b";B"), strict=False), format="sgf"),
    ):
        assert f";B[ee]{new})".encode() in data
    assert new.encode() in data.partition(b";B")[0]


def test_what_changed_replaces_raw_properties():
    def comment(step):
        step.comment = "new"

    def no_comment(step):
        step.comment = None

    def worth(step):
        step.action.evaluation = "bad"

    def no_worth(step):
        step.action.evaluation = None

    def point(step):
        step.action.point = None

    def shape(step):
        step.marks.append(Mark((5, 5), "&", shape="MA"))

    def label(step):
        step.marks.append(Mark((5, 5), "new"))

    def no_marks(step):
        step.marks.clear()

    old_comment = "C[soft\\break\ttab]"
    assert edited(comment) == AS_READ.replace(old_comment, "C[new]")
    assert edited(no_comment) == AS_READ.replace(old_comment, "")
    assert edited(worth) == AS_READ.replace("TE[2]", "BM[1]")
    assert edited(no_worth) == AS_READ.replace("TE[2]", "")
    assert edited(point) == AS_READ.replace("B[dd]", "B[]")
    assert edited(shape) == AS_READ.replace("MA[cc][zz]", "MA[cc][ff]")
    assert edited(label) == AS_READ.replace("LB[dd:A][ee:B]", "LB[dd:A][ee:B][ff:new]")
    assert edited(no_marks) == AS_READ.replace("TR[aa:bb]MA[cc][zz]LB[dd:A][ee:B]", "")


def test_setup_values_that_could_not_be_read_stay():
    step = Step(Edit([Stone(1, (0, 0))]), properties={"AB": ("zz", "bb"), "AW": ("",)})
    assert node(step) == "AB[aa][zz]AW[]"
    step.action.stones.append(Stone(1, (0, 1)))
    assert node(step) == "AB[aa][ab][zz]AW[]"


def test_unreadable_steps_keep_their_text():
    assert written(document(move(), Step(Unreadable(b"B[zz][\\]]"), comment="c"))) == HEAD + ";B[dd];B[zz][\\]]C[c])"
    with pytest.raises(ValueError, match="not SGF"):
        document_to_sgf(document(Step(Unreadable(b'{"action":{}}'))))


def test_names_that_ff4_cannot_spell_are_left_out():
    assert node(move(properties={"T2": ("x",), "TT": ("x",)})) == "B[dd]TT[x]"


@pytest.mark.parametrize("raw", [{"N": ("a]",)}, {"N": ("a\\",)}, {"": ("x",)}, {"n": ("x",)}, {"A]": ("x",)}])
def test_raw_properties_that_would_break_the_text(raw):
    with pytest.raises(ValueError, match="cannot be written as it is"):
        document_to_sgf(document(move(properties=raw)))


def test_a_variation_is_never_taken_for_the_next_game():
    tree = Branch(branches=[Branch(steps=[Step(Note(), properties={"GM": ("1",), "AP": ("x",)})])])
    assert written(Document(tree=tree)) == HEAD + "(;))"
    tree.branches[0].steps[0].comment = "c"
    assert written(Document(tree=tree)) == HEAD + "(;C[c]GM[1]AP[x]))"


def test_titles_and_positions_of_branches():
    titled = Branch("One", Setup([Stone(1, (0, 0))], None, [], "pre"), [move()])
    bare = Branch("Two\\", steps=[move(properties={"N": ("old",)})])
    tree = Branch(branches=[titled, bare, Branch("Three"), Branch(pre=Setup(), steps=[move()])])
    assert written(Document(tree=tree)) == (HEAD + "(;AB[aa]N[One]C[pre];B[dd])(;B[dd]N[Two\\\\])(;N[Three])(;B[dd]))")


@in_groups(
    ("step", "words"),
    [
        (Step(Takeback(1)), "Takeback"),
        (Step(Result(1)), "Result"),
        (Step(Message("x")), "Message"),
        (Step(MarkAction((0, 0), "a")), "MarkAction"),
        (Step(Move(1, None), time=3), "times"),
        (Step(Move(1, None), actor=0), "actors"),
        (Step(Move(1, None, "trick")), "trick"),
        (Step(Move(1, None, problem=1)), "problems"),
        (Step(Move(3, None)), "3 is not a color"),
        (Step(Move(1, (19, 0))), "off the board"),
        (Step(Move(1, (-1, 0))), "off the board"),
        (Step(Edit([Stone(1, (0, 19))])), "off the board"),
        (Step(Edit([Stone(4, (0, 0))])), "4 is not a color"),
        (Step(Note(), marks=[Mark((19, 0), "a")]), "off the board"),
        (Step(Note(), marks=[Mark((19, 0), "%", shape="TR")]), "off the board"),
        (Step(Note(), marks=[Mark((0, 0), "%", shape="XX")]), "shape 'XX'"),
        (Step(Note(), comment="a\ud800"), "half of a surrogate pair"),
    ],
)
def test_what_sgf_cannot_have_is_refused_with_its_place(step, words):
    tree = Branch(branches=[Branch(), Branch(steps=[move(), step])])
    with pytest.raises(ValueError, match=f"branch 1, step 1: .*{words}"):
        document_to_sgf(Document(tree=tree))


def test_properties_without_values_are_left_out():
    assert node(move(properties={"TE": (), "C": (), "AB": (), "TR": (), "LB": (), "N": ()})) == "B[dd]"
    assert written(Document(properties={"FF": (), "TM": (), "GN": ()})) == HEAD + ")"


def test_problems_are_refused():
    with pytest.raises(ValueError, match=r"branch 0: .*problems"):
        document_to_sgf(Document(tree=Branch(branches=[Branch(pre=Setup(problem=1))])))
    with pytest.raises(ValueError, match=r"branch -: .*problems"):
        document_to_sgf(Document(tree=Branch(pre=Setup(problem=1))))


def test_numbers_that_no_text_has():
    with pytest.raises(ValueError, match="no number"):
        document_to_sgf(Document(info=Info(rules=GameRules(komi=Decimal("NaN")))))


def test_a_second_parser_reads_the_game():
    record = document(
        Step(Move(1, (3, 15))), Step(Move(2, None), comment="围棋]"), info=Info(rules=GameRules(komi=6.5))
    )
    game = sgf.Sgf_game.from_bytes(document_to_sgf(record))
    root, first, second = game.get_main_sequence()
    assert (game.get_size(), game.get_komi()) == (19, 6.5)
    assert first.get_move() == ("b", (3, 3))
    assert (second.get_move(), second.get("C")) == (("w", None), "围棋]")
    assert not re.search(rb"\n[^;(]", document_to_sgf(record)[:-2])
    assert not root.get_setup_stones()[0]
