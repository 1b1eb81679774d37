"""Properties of SGF by name, and edits of them as text: all are written, refused or listed as losses."""

import datetime
import pickle
from copy import deepcopy
from pathlib import Path

import pytest
from helpers.cases import in_groups

from wei7core.game.conversion import encode_document
from wei7core.game.conversion.plain_sgf import is_plain_sgf
from wei7core.game.dump import convert, dumps
from wei7core.game.game import Game
from wei7core.game.load import loads, loads_all
from wei7core.record.document import Branch, Mark, Move, Note, Participant, Player, PropertyDict, Setup, Step
from wei7core.rules import named

EXAMPLES = Path(__file__).parent.parent / "data" / "examples"

# Every kind of value: property, value, what is written at the root or at a note.
VALUES = [
    ("EV", "A [cup]", "EV[A [cup\\]]"),
    ("PB", "Black", "PB[Black]"),
    ("PW", "White \\o/", "PW[White \\\\o/]"),
    ("BR", "9d", "BR[9d]"),
    ("WR", "1p", "WR[1p]"),
    ("GN", "Name", "GN[Name]"),
    ("PC", "Place", "PC[Place]"),
    ("KM", 6.5, "KM[6.5]"),
    ("KM", 0, "KM[0]"),
    ("RU", "Japanese", "RU[Japanese]"),
    ("RE", "B+3.5", "RE[B+3.5]"),
    ("HA", 2, "HA[2]"),
    ("TM", 3600, "TM[3600]"),
    ("DT", "2026-11-23", "DT[2026-11-23]"),
    ("GC", "two\nlines: [x]", "GC[two\nlines: [x\\]]"),
    ("AP", "tool:1", "AP[tool:1]"),
    ("PL", 2, "PL[W]"),
    ("C", "a comment", "C[a comment]"),
    ("N", "a name", "N[a name]"),
    ("TR", [(0, 0), (1, 2)], "TR[aa][bc]"),
    ("LB", {(0, 0): "long label"}, "LB[aa:long label]"),
    ("AB", [(2, 2)], "AB[cc]"),
    ("DD", [(4, 4)], "DD[ee]"),
    ("AR", [((0, 0), (1, 1))], "AR[aa:bb]"),
    ("DM", 2, "DM[2]"),
    ("V", -3.5, "V[-3.5]"),
    ("MN", 57, "MN[57]"),
    ("KO", True, "KO[]"),
    ("XYZ", ("raw", "b\\]"), "XYZ[raw][b\\]]"),
]
OF_THE_ROOT = {"EV", "PB", "PW", "BR", "WR", "GN", "PC", "KM", "RU", "RE", "HA", "TM", "DT", "GC", "AP"}


@in_groups(("name", "value", "text"), VALUES)
@pytest.mark.parametrize("is_sgf", [True, False])
def test_what_is_set_is_said_and_written(name, value, text, is_sgf):
    game = loads(b"(;SZ[5];)") if is_sgf else Game(5)
    if not is_sgf:
        game.tree.steps.append(Step(Note()))
    for node in (None, game.root.next):
        if node is not None and name in OF_THE_ROOT:
            continue
        assert game.get(name, node) is None
        game.set(name, value, node)
        assert game.get(name, node) == value
        losses = []
        written = dumps(game, format="sgf", losses=losses, validate=False).decode()
        assert written.count(text) == (1 if node is None else 2)
        again = loads(written, strict=False)
        assert again.get(name, again.root if node is None else again.root.next) == value
    for node in (None,) if name in OF_THE_ROOT else (None, game.root.next):
        game.set(name, None, node)
        assert game.get(name, node) is None
    assert f"{name}[" not in dumps(game, format="sgf", losses=[], validate=False).decode()


def test_values_as_text():
    game = Game(9)
    game.set("TR", "D4 E5")
    assert game.get("TR") == [(3, 5), (4, 4)]
    game.set("LN", [("D4", "E5")])
    assert game.get("LN") == [((3, 5), (4, 4))]
    game.set("PL", "white")
    assert game.get("PL") == 2 and game.root.to_play == 2
    assert game.get("SZ") == (9, 9)
    game.properties["KM"] = ("free",)
    assert game.get("KM") == "free" and game.get("B") is None
    assert game.get("B", game.root.play("D4", 1)) == (3, 5)


@in_groups(
    ("name", "value", "error", "why"),
    [
        ("B", "D4", ValueError, "play it"),
        ("SZ", 9, ValueError, "Game.size"),
        ("CA", "UTF-8", ValueError, "a writer sets it"),
        ("pb", "x", ValueError, "capital letters"),
        ("KM", "much", ValueError, "much"),
        ("KM", [7], TypeError, "a number"),
        ("EV", 5, TypeError, "expected text"),
        ("MN", 1.5, TypeError, "an integer"),
        ("DM", 3, ValueError, "1 or 2"),
        ("KO", "x", ValueError, "no value"),
        ("PL", "green", ValueError, "green"),
        ("TR", ["K10"], ValueError, "off the 9 x 9"),
        ("AB", ["pass"], ValueError, "a pass is no point"),
        ("XX", ("a]b",), ValueError, "escape"),
        ("C", 5, TypeError, "expected text"),
        ("M", "D4", ValueError, "set MA"),
        ("AE", ["D4"], ValueError, "AE"),
        ("HA", -1, ValueError, "HA is a number of stones, not -1"),
        ("AR", [("A1", "A1")], ValueError, "AR connects two different points"),
        ("LN", [("A1", "B2"), ("C3", (2, 6))], ValueError, "LN connects two different points"),
    ],
)
def test_what_cannot_be_said_is_refused(name, value, error, why):
    game = Game(9)
    before = deepcopy(game.document)
    with pytest.raises(error, match=why):
        game.set(name, value)
    assert game.document == before


def test_places_that_have_no_room():
    game = Game(9)
    node = game.root.play("D4")
    for name, value in (("AP", "x:1"), ("AB", ["E5"])):
        with pytest.raises(ValueError, match=name):
            game.set(name, value, node)
    game.tree.add_branch(Branch(pre=Setup()))
    with pytest.raises(ValueError, match="is not allowed at the start of a branch"):
        game.set("V", 1, node.next)
    game.set("C", "here", node.next)
    assert node.next.comment == "here"


def test_edits_of_properties_are_written():
    """The findings: PB, RE, KM, RU, BR of the root; C, LB, SQ of a step."""
    for start in (b"(;SZ[9];B[dg])", b"(;SZ[9]PB[a]BR[1d]KM[5.5]RE[W+R]RU[Chinese];B[dg]C[b]LB[aa:Z]SQ[cc])"):
        game = loads(start)
        game.properties.update(PB=("Shusaku",), RE=("B+2",), KM=("7.5",), RU=("Japanese",), BR=("9d",))
        game.tree.steps[0].properties.update(C=("said",), LB=("bb:X",), SQ=("dd",))
        losses = []
        written = dumps(game, format="sgf", losses=losses).decode()
        for text in ("PB[Shusaku]", "RE[B+2]", "KM[7.5]", "RU[Japanese]", "BR[9d]", "C[said]", "LB[bb:X]", "SQ[dd]"):
            assert text in written
        assert losses == [] and game.info.black_name == "Shusaku" and loads(written) == game
        wei7 = convert(game, "wei7", losses=[])
        assert (wei7.info.black_name, wei7.info.rules.komi, wei7.root.next.comment) == ("Shusaku", 7.5, "said")
        del game.properties["PB"], game.tree.steps[0].properties["C"]
        assert game.tree.steps[0].comment is not None
        written = dumps(game, format="sgf").decode()
        assert "PB[" not in written and "C[" not in written
        assert game.tree.steps[0].comment is None and game.info.black_name is None


def test_attributes_count_where_both_were_changed():
    game = loads(b"(;SZ[9]PB[a];B[dg]C[b])")
    game.info.participants[0].name = "typed"
    game.properties["PW"] = ("raw",)
    step = game.tree.steps[0]
    step.comment, step.properties["C"] = "typed", ("raw",)
    written = dumps(game, format="sgf").decode()
    assert "PB[typed]PW[raw]" in written.replace("\n", "") and "C[typed]" in written
    step.comment = None
    assert "C[" not in dumps(game, format="sgf").decode()


@pytest.mark.parametrize("format", ["wei7", "wei7-rev2", "wei7-2.2"])
def test_properties_of_other_formats_change_what_is_there(format):
    game = convert(loads(b"(;SZ[9]PB[a]PW[b]KM[6.5]RE[B+R];B[aa])"), format, losses=[])
    for name, value in (("PB", "x"), ("KM", "7.5"), ("PB", "y"), ("RE", "W+3")):
        game.properties[name] = (value,)
        assert str(game.get(name)) == value
    again = loads(dumps(game, format=format), revision=game.revision)
    assert [again.get(name) for name in ("PB", "PW", "KM", "RE")] == ["y", "b", 7.5, "W+3"]


def test_properties_of_a_new_step_are_written():
    game = Game(9)
    game.tree.steps.append(Step(Move(1, (0, 0)), properties={"C": ("hi",), "TE": ("1",)}))
    assert b"C[hi]" in dumps(game, format="sgf", losses=[])
    assert game.tree.steps[0].action.evaluation == "good"


def test_moves_and_setup_as_text_are_refused():
    for name in ("AB", "W", "SZ"):
        game = loads(b"(;SZ[9];B[dg])")
        game.properties[name] = ("aa",)
        with pytest.raises(ValueError, match=f"the property {name} of the root cannot be changed as text"):
            dumps(game, format="sgf")


def test_what_wei7_has_no_place_for_is_a_loss():
    game = Game(9, black="B", komi=6.5)
    game.set("EV", "Cup")
    game.set("V", 1, game.root.play("D4"))
    losses = []
    assert b"Cup" not in dumps(game, losses=losses)
    assert [(loss.code, loss.path) for loss in losses] == [("property-dropped", "-;pre"), ("property-dropped", "-;0")]
    assert (
        dumps(Game(9, black="B", white="W", komi=6.5, rules="chinese", handicap=2), losses=losses) and len(losses) == 2
    )


@pytest.mark.parametrize("format", ["sgf", "wei7", "wei7-rev2", "wei7-2.2"])
@pytest.mark.parametrize("value", [True, False])
def test_information_that_is_there_is_replaced(format, value):
    start = loads(b"(;SZ[9]PB[a]BR[1d]PW[b]WR[2d]KM[6.5]RU[Japanese]RE[B+R]GN[g];B[aa])")
    new = {"PB": "x", "BR": "3d", "PW": "y", "WR": "4d", "KM": 7.5, "RU": "Chinese", "RE": "W+2.5", "GN": "h"}
    for name, given in new.items():
        after = given if value else None
        game = convert(start, format, losses=[])
        before = {other: game.get(other) for other in new}
        game.set(name, after)
        assert {other: game.get(other) for other in new} == {**before, name: after}
        again = loads(dumps(game, format=format), revision=game.revision)
        if (format, name, value) != ("wei7-2.2", "KM", False):  # no komi there is one of 0
            assert again.get(name) == after
    typed = convert(start, format, losses=[])
    typed.info.name, typed.info.participants[0].name = "typed", "typed"
    typed.set("GN", "h")
    typed.set("PB", "x")
    assert (typed.info.name, typed.info.black_name) == ("h", "x")


def test_the_name_of_a_color_is_that_of_all_its_players():
    game = Game(9, black="a", white="c")
    game.info.participants.append(Participant("b"))
    game.info.players.append(Player(2, 1))
    assert game.get("PB") == "a, b"
    game.set("PB", "x")
    assert game.get("PB") == "x" and [player.color for player in game.info.players] == [1, 2, None]


@pytest.mark.parametrize("format", ["wei7", "wei7-rev2", "wei7-2.2"])
def test_what_wei7_keeps_in_part_is_a_loss(format):
    empty = Game(9, revision=2 if format == "wei7-rev2" else 7)
    empty.root.play("E5")
    for name, value, is_kept in (
        ("RU", "AGA", False),
        ("RU", "japanese", True),
        ("RE", "W+T", False),
        ("RE", "B+Resign", True),
        ("RE", "B+2.50", True),
        ("HA", 2, False),
        ("KM", ("6.50",), True),
        ("TE", 1, False),
    ):
        game = convert(empty, format, losses=[])
        game.set(name, value)
        losses = []
        dumps(game, format=format, losses=losses)
        assert [(loss.code, loss.path) for loss in losses] == [("property-dropped", "-;pre")] * (not is_kept)
    for name, value, code in (
        ("EV", "Cup", "property-dropped"),
        ("V", 1, "property-dropped"),
        ("TE", 2, "property-dropped"),
        ("TE", 1, None),
        ("SQ", ["A1"], "shape-as-symbol"),
        ("LB", {"A1": "a"}, None),
    ):
        game = convert(empty, format, losses=[])
        game.set(name, value, game.root.next)
        losses = []
        dumps(game, format=format, losses=losses)
        assert [(loss.code, loss.path) for loss in losses] == [(code, "-;0")] * (code is not None)


def test_labels_that_are_no_pairs_are_named():
    game = Game(9)
    for wrong in ("dd:x", ["dd:x"], ["dx"], [("D4", "x", "y")], {"D4"}, {"D4": None}):
        with pytest.raises(ValueError, match="LB has a text for each point, as"):
            game.set("LB", wrong)
    for labels in ({"D4": "x"}, [("D4", "x")], iter([[(3, 5), "x"]])):
        game.set("LB", labels)
        assert game.get("LB") == {(3, 5): "x"}
        game.set("LB", None)


def test_labels_and_titles_have_one_line_as_when_they_are_read_again():
    game = loads("(;SZ[9])")
    for text in ("a\nb", "a\r\nb", "a\tb", "a\x0bb", "\\\n]:", "\n"):
        game.set("LB", {"D4": text})
        game.set("N", text)
        again = loads(dumps(game, format="sgf"))
        assert again.get("LB") == game.get("LB") == {(3, 5): game.get("N")}


def test_points_and_pairs_of_another_form_are_named():
    game = Game(9)
    for name in ("AR", "LN"):
        for wrong in (["aa:bb"], "A1 B2", [("A1",)], ["AB"], [5]):
            with pytest.raises(ValueError, match=f"{name} has pairs of points, as"):
                game.set(name, wrong)
    for name in ("AB", "AR", "DD", "LB", "TR"):
        with pytest.raises(TypeError, match="expected several points or pairs, as in a list, got 5"):
            game.set(name, 5)
    assert dumps(game, format="sgf") == dumps(Game(9), format="sgf")


def test_shapes_of_a_setup_are_a_loss():
    game = Game(9)
    game.set("TR", ["A1", "B1"])
    losses = []
    assert dumps(game, losses=losses).count(b'"symbol":"%"') == 2
    assert [str(loss) for loss in losses] == ["-;pre: TR became the symbol % [shape-as-symbol]"] * 2


def test_evaluations_of_every_format_are_te_and_bm():
    for format, evaluation in (("wei7", "good"), ("wei7", "bad"), ("wei7-rev2", "trick"), ("sgf", "good")):
        for name, value, after in (
            ("TE", 1, "good"),
            ("TE", 2, "good"),
            ("BM", 1, "bad"),
            ("TE", None, None if evaluation == "good" else evaluation),
            ("BM", None, None if evaluation == "bad" else evaluation),
        ):
            game = Game(9, revision=2)
            game.tree.play(1, (4, 4), evaluation)
            game = convert(game, format, losses=[])
            node = game.root.next
            assert (game.get("TE", node), game.get("BM", node)) == (
                1 if evaluation == "good" else None,
                1 if evaluation == "bad" else None,
            )
            if (format, name, value) == ("sgf", "BM", 1):
                continue  # both are written there
            game.set(name, value, node)
            assert (game.get(name, node), node.step.action.evaluation) == (value, after)
            written = dumps(game, format="sgf", losses=[])
            word = {"good": f"TE[{value if name == 'TE' and value else 1}]", "bad": "BM[1]"}.get(after, "")
            assert written.replace(b"\n", b"").endswith(b";B[ee]" + word.encode() + b")") or after == "trick"


def test_titles_of_every_format_are_names():
    start = loads(b"(;SZ[9]N[game];W[ab](;B[ac]N[first];W[ad])(;C[place];B[ae]))")
    for format in ("sgf", "wei7", "wei7-rev2", "wei7-2.2"):
        for path in ((), (0, 0), (0, 1), (0,), (0, 0, 0)):
            game = convert(start, format, losses=[])
            node = game.root
            for ordinal in path:
                node = node.children[ordinal]
            if format != "wei7-2.2":  # the title of a branch without a `pre` is that of its first step
                assert game.get("N", node) == {(): "game", (0, 0): "first"}.get(path)
            game.set("N", "new ]", node)
            assert game.get("N", node) == node.title == "new ]"
            assert b"N[new \\]]" in dumps(game, format="sgf", losses=[])
            losses = []
            assert (b"new ]" in dumps(game, format=format, losses=losses)) != (
                "property-dropped" in {loss.code for loss in losses}
            ) or format == "sgf"
            game.set("N", None, node)
            assert game.get("N", node) is None and b"new" not in dumps(game, format="sgf", losses=[])


def test_the_start_of_a_game_is_its_date():
    game = Game(9, date="2026-05-01T10:00Z")
    assert game.get("DT") == "2026-05-01"
    game.set("DT", "2026-05-01")
    assert game.info.time == "2026-05-01T10:00Z" and game.get("DT") == "2026-05-01"
    game.set("DT", "2025-12")
    assert game.info.time is None and game.get("DT") == "2025-12"
    for other in (game, Game(9, date="2026-05-01T10:00Z")):
        other.set("DT", None)
        assert other.get("DT") is None and b"DT" not in dumps(other, format="sgf")
    for text in (b"(;SZ[9]DT[2001-01-01])", b"(;SZ[9])"):  # a start that was set later counts, in every format
        later = loads(text)
        later.info.time = "2026-05-01T10:00Z"
        assert later.get("DT") == "2026-05-01" and b"DT[2026-05-01]" in dumps(later, format="sgf", losses=[])
        losses = []
        assert b"2001" not in dumps(later, format="wei7", losses=losses) and losses == []


@pytest.mark.parametrize(
    ("rules", "name"),
    [("aga", "AGA"), ("ing", "GOE"), ("new-zealand", "NZ"), ("japanese", "Japanese"), ("tromp-taylor", "Tromp-Taylor")],
)
def test_rules_have_the_names_of_ff4(rules, name):
    game = Game(9, rules=rules)
    assert game.get("RU") == name and game.rules.name == rules
    assert loads(dumps(game, format="sgf")).rules.name == rules


def test_properties_can_be_copied():
    for properties in (PropertyDict({"C": ("a",)}), PropertyDict({"C": ("a",)}, {"C": ("b",)})):
        for same in (pickle.loads(pickle.dumps(properties)), deepcopy(properties)):
            assert same == properties and same.read == properties.read and type(same) is PropertyDict
    changed = PropertyDict({"C": ("a",), "N": ("b",)})
    changed |= {"V": ("1",)}
    changed.setdefault("DM", ("1",))
    assert changed.pop("C") == ("a",) and changed.popitem() == ("DM", ("1",))
    assert changed.read == {"C": ("a",), "N": ("b",)}
    changed.clear()
    assert changed == {} and len(changed.read) == 2
    assert changed.setdefault("KO") == () and changed == {"KO": ()}


def test_a_new_game_says_what_is_known():
    game = Game(19, black="Shusaku", white="Gennan", komi=6.5, rules="japanese", date="1846-09-11", handicap=2)
    assert (game.info.black_name, game.info.white_name, game.info.rules.komi) == ("Shusaku", "Gennan", 6.5)
    assert game.rules == named("japanese") and game.handicap == 2 and game.get("DT") == "1846-09-11"
    assert game.root.to_play == 2 and game.root.board[3, 15] == game.root.board[15, 3] == 1
    written = dumps(game, format="sgf", losses=[]).decode()
    for text in ("HA[2]", "AB[dp][pd]", "KM[6.5]", "RU[Japanese]", "DT[1846-09-11]", "PB[Shusaku]", "PW[Gennan]"):
        assert text in written
    assert loads(dumps(game, losses=[])).info == game.info
    assert Game(rules="aga").rules == named("aga")
    moment = datetime.datetime(2026, 11, 23, 17, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))
    assert Game(date=moment).info.time == "2026-11-23T16:30:00Z"
    assert Game(date=datetime.date(2026, 11, 23)).get("DT") == "2026-11-23"
    assert Game(date="2026-11-23T16:30Z").info.time == "2026-11-23T16:30Z"
    for count, points in ((3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (8, 8), (9, 9)):
        stones = Game(9, handicap=count).tree.pre.stones
        assert len({stone.point for stone in stones}) == points
        assert ((4, 4) in [stone.point for stone in stones]) == (count in (5, 7, 9))
    for size, count in ((19, 1), (19, 10), (8, 5), (7, 5), (6, 2)):
        with pytest.raises(ValueError, match="handicap stones"):
            Game(size, handicap=count)
    with pytest.raises(ValueError, match="foo"):
        Game(rules="foo")


def by_conversion(game):
    return encode_document(game.document, "sgf", game.limits)


@in_groups("path", sorted(EXAMPLES.glob("sgf/*.sgf")), ids=lambda path: path.name)
def test_plain_sgf_is_written_as_a_conversion_writes_it(path):
    for game in loads_all(path.read_bytes(), strict=False):
        if is_plain_sgf(game.document):
            assert (dumps(game, format="sgf", validate=False), []) == by_conversion(game)


def test_sgf_that_was_edited_is_plain():
    game = loads(b"(;SZ[9]PB[a]AB[aa]C[root];B[cc]C[said]TR[dd]TE[1];W[dd]N[name](;B[ee])(;B[ff];AW[gg]))")
    game.root.next.play("A1").comment = "new"
    assert is_plain_sgf(game.document)
    assert (dumps(game, format="sgf"), []) == by_conversion(game)


@in_groups(
    "change",
    [
        lambda game: setattr(game.tree, "title", "a title"),
        lambda game: setattr(game.tree.steps[0], "time", 5),
        lambda game: setattr(game.tree.steps[0], "actor", 0),
        lambda game: setattr(game.tree.steps[0], "title", "a title"),
        lambda game: setattr(game.tree.steps[0].action, "evaluation", "trick"),
        lambda game: setattr(game.tree.steps[0].action, "problem", 1),
        lambda game: game.tree.steps[0].marks.append(Mark((1, 1), "a")),
        lambda game: game.tree.steps[0].properties.update(A1=("x",)),
        lambda game: game.tree.steps[0].extra.update(x=b"1"),
        lambda game: game.tree.take_back(1),
        lambda game: game.tree.say("hello"),
        lambda game: setattr(game.tree, "pre", Setup(problem=1)),
        lambda game: setattr(game.tree, "pre", Setup(evaluation="good")),
        lambda game: game.tree.add_branch(Branch(pre=Setup(comment="x"))),
        lambda game: setattr(game.info, "name", "a name"),
        lambda game: setattr(game.info, "id", "an id"),
        lambda game: game.document.extra.update(x=b"1"),
    ],
)
def test_what_is_not_plain_sgf_is_converted(change):
    game = loads(b"(;SZ[9];B[cc])")
    assert is_plain_sgf(game.document)
    change(game)
    assert not is_plain_sgf(game.document)
    losses = []
    assert (dumps(game, format="sgf", validate=False, losses=losses), losses) == by_conversion(game)


def test_a_branch_inside_itself_is_not_written():
    game = loads(b"(;SZ[9];B[cc])")
    game.tree.branches.append(Branch(branches=[game.tree]))
    with pytest.raises(ValueError, match="contains itself"):
        dumps(game, format="sgf")


def test_a_point_given_twice_is_set_once():
    game = Game(9)
    game.set("AB", ["D4", (3, 5)])
    game.set("TR", "A1 A1", game.add_line("E5"))
    assert (game.get("AB"), game.get("TR", game.root.next)) == ([(3, 5)], [(0, 8)])
    assert loads(dumps(game, losses=[])).get("AB") == [(3, 5)]


@pytest.mark.parametrize("komi", [49, 50, 75, 99, 100, 375, -50, 0.5])
def test_a_komi_is_read_as_it_was_set(komi):
    game = Game(9, komi=komi)
    assert loads(dumps(game, format="sgf")).info.rules.komi == komi
    other = loads(b"(;SZ[9])")
    other.set("KM", komi)
    assert (loads(dumps(other, format="sgf")).info.rules.komi, other.get("KM")) == (komi, komi)
    fox = loads(b"(;SZ[9]KM[375])")
    fox.set("KM", fox.get("KM"))
    assert fox.get("KM") == fox.info.rules.komi == 3.75
