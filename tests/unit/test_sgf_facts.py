"""Typed facts of SGF: the value of each property of a node, and nothing where it is not as FF[4] wants it."""

import itertools

from helpers.cases import in_groups
from hypothesis import given
from hypothesis import strategies as st
from samples.characters import UNICODE

import wei7core as w7
from wei7core.formats.sgf.facts import SgfFacts, sgf_facts
from wei7core.formats.sgf.properties import PROPERTIES

FACTS = [
    ("DT[1996-12-27,1997-01-03]", "dates", ("1996-12-27", "1997-01-03")),
    ("DT[1996-12-27,28,01-03,04]", "dates", ("1996-12-27", "1996-12-28", "1996-01-03", "1996-01-04")),
    ("DT[1996-05,06]", "dates", ("1996-05", "1996-06")),
    ("DT[1996]", "dates", ("1996",)),
    ("DT[2018.04.27]", "dates", ("2018-04-27",)),
    ("DT[2001/8/5]", "dates", ("2001-08-05",)),
    ("DT[1996-02-30]", "dates", ()),
    ("DT[27]", "dates", ()),
    ("DT[1996,05]", "dates", ()),
    ("DT[autumn 1996]", "dates", ()),
    ("FF[4]TM[7200]", "time_limit", 7200.0),
    ("FF[1]TM[60]", "time_limit", 3600.0),
    ("TM[1 hour]", "time_limit", None),
    ("OT[5x30 byo-yomi]", "overtime", "5x30 byo-yomi"),
    ("HA[3]", "handicap", 3),
    ("HA[-3]", "handicap", None),
    ("AP[a\\:b:1.0]", "application", ("a:b", "1.0")),
    ("AP[GNU Go]", "application", ("GNU Go", "")),
    ("ST[2]", "variation_style", 2),
    ("MN[57]", "move_number", 57),
    ("MN[x]", "move_number", None),
    ("BL[-3.5]WL[60]", "seconds_left", {1: -3.5, 2: 60.0}),
    ("BL[0:07:42]WL[9]", "seconds_left", {2: 9.0}),
    ("OB[5]", "moves_left", {1: 5}),
    ("KO[]", "is_forced", True),
    ("IT[]", "is_interesting", True),
    ("DO[]", "is_doubtful", True),
    ("TE[2]", "good", 2),
    ("BM[1]", "bad", 1),
    ("BM[3]", "bad", None),
    ("N[a name]", "name", "a name"),
    ("PL[W]", "to_play", 2),
    ("PL[black]", "to_play", 1),
    ("DM[1]", "even", 1),
    ("GB[2]", "good_for_black", 2),
    ("GW[1]", "good_for_white", 1),
    ("UC[1]", "unclear", 1),
    ("HO[2]", "hotspot", 2),
    ("V[-12.5]", "value", -12.5),
    ("TW[aa:bb][cc]", "territory", {2: frozenset({(0, 0), (1, 0), (0, 1), (1, 1), (2, 2)})}),
    ("AR[aa:bb][cc:zz]", "arrows", (((0, 0), (1, 1)),)),
    ("LN[aa:bb]", "lines", (((0, 0), (1, 1)),)),
    ("DD[aa]", "dimmed", frozenset({(0, 0)})),
    ("DD[]", "dimmed", frozenset()),
    ("VW[aa:ba]", "view", frozenset({(0, 0), (1, 0)})),
    ("FG[257:Figure 1]", "figure", (257, "Figure 1")),
    ("FG[]", "figure", (0, "")),
    ("PM[2]", "print_mode", 2),
]


@in_groups(("text", "name", "expected"), FACTS)
def test_facts_of_a_node(text, name, expected):
    game = w7.loads(f"(;SZ[9]{text};B[ee]C[x])".encode(), strict=False)
    facts = game.root.facts
    assert getattr(facts, name) == expected
    assert facts == sgf_facts(game.properties, game.size)
    others = {"time_limit", "handicap"} | {name}
    silent = SgfFacts()
    for other in SgfFacts.__slots__:
        assert other in others or getattr(facts, other) == getattr(silent, other)
    # And untouched it is written back as it was.
    written = w7.loads(w7.dumps(game, format="sgf"), strict=False)
    for written_name, values in game.properties.items():
        assert written_name in ("FF", "TM") or written.properties[written_name] == values


PLACES = ["(;SZ[19]%s;B[ee];W[cc])", "(;SZ[19];B[ee]%s;W[cc])", "(;SZ[19];B[ee];W[cc]%s(;B[dd])(;B[ff]))"]


@in_groups(
    ("format", "place", "text"),
    itertools.product(["wei7", "wei7-rev2", "wei7-2.2", "giseong"], PLACES, (text for text, _, _ in FACTS)),
)
def test_other_formats_keep_it_or_list_it_as_a_loss(format, place, text):
    game, silent = (w7.loads((place % properties).encode(), strict=False) for properties in (text, ""))
    losses = []
    written = w7.dumps(game, format=format, losses=losses)
    assert losses or written != w7.dumps(silent, format=format, losses=[])


def test_facts_of_moves():
    game = w7.loads(b"(;SZ[9];B[ee]BL[30]OB[4]MN[7];W[cc]TE[1]N[wedge])")
    first, second = list(game.main_line())[1:]
    assert (first.facts.seconds_left, first.facts.moves_left, first.facts.move_number) == ({1: 30.0}, {1: 4}, 7)
    assert (second.facts.good, second.facts.name, second.facts.dates) == (1, "wedge", ())


@given(
    st.dictionaries(
        st.sampled_from([*PROPERTIES, "XX"]), st.lists(st.text(UNICODE, max_size=12), max_size=3).map(tuple)
    )
)
def test_values_of_any_kind_raise_nothing(properties):
    facts = sgf_facts(properties, (9, 19))
    assert isinstance(facts, SgfFacts)
