"""SGF -> Document -> SGF keeps everything, as this package reads it and as another parser does."""

from dataclasses import replace

import pytest
from helpers import draws
from helpers.cases import in_groups
from hypothesis import given
from samples import corpus
from sgfmill import sgf_grammar

from wei7core.coordinates import sgf_name
from wei7core.formats.sgf.decode import decode
from wei7core.formats.sgf.games import split
from wei7core.formats.sgf.properties import PROPERTIES, SHAPE_MARKS, escape, in_ff4, marks, points
from wei7core.formats.sgf.to_document import document_from_record
from wei7core.formats.sgf.write import document_to_sgf
from wei7core.record.document import (
    Branch,
    Document,
    Edit,
    GameRules,
    Info,
    Mark,
    Move,
    Note,
    Participant,
    Player,
    Result,
    Setup,
    Step,
    Stone,
)

OF_THE_TEXT = ("FF", "CA", "GM", "SZ")


def read(data):
    return document_from_record(decode(data))


def made_anew(document):
    """The properties that a writer makes anew: those of the text, and TM of FF[1], which is in minutes."""
    return {*OF_THE_TEXT, *(["TM"] if document.properties.get("FF") == ("1",) else [])}


def without(document, names):
    return replace(document, properties={k: v for k, v in document.properties.items() if k not in names})


def check(data):
    """Read, write, read: the same document, and from then on the same text."""
    first = read(data)
    written = document_to_sgf(first)
    second = read(written)
    assert document_to_sgf(second) == written
    assert without(second, made_anew(first)) == without(in_new_names(first), made_anew(first))
    return written


def in_new_names(document):
    """The document with MA and LB in place of M and L, as FF[4] has them."""
    size = document.width, document.height
    document.properties = in_ff4(document.properties)
    pre = document.tree.pre
    if pre is not None:
        pre.marks = marks(document.properties, *size)
    for step in (step for branch in document.tree.walk() for step in branch.steps):
        if {"M", "L"} & step.properties.keys():
            step.properties = in_ff4(step.properties)
            step.marks = marks(step.properties, *size)
    return document


# Texts of records.

plain = draws.text(draws.sampled_from("ab:;()[]\\\n\t围é𠀀\ufffd"), max_size=8)
values = plain.map(escape) | draws.sampled_from(["", "soft\\\nbreak", "\\x", "1", "a\r\nb", "x\\:y"])
names = draws.sampled_from(
    ["N", "BL", "WL", "OB", "KO", "MN", "TE", "BM", "DO", "IT", "DM", "V", "PL", "ZZ", "MULTIGOGM", "X"]
)
one_point = draws.tuples(draws.integers(0, 8), draws.integers(0, 8))
squares = one_point.map(sgf_name)
areas = squares | draws.tuples(squares, squares).map(":".join)
labels = draws.tuples(squares, plain.map(lambda text: escape(text, composed=True))).map(":".join)
point_names = draws.sampled_from(["TR", "CR", "SQ", "MA", "M", "SL", "L", "DD", "TB", "TW", "VW"])
info_names = draws.sampled_from(
    ["GN", "PB", "PW", "BR", "WR", "KM", "RU", "RE", "PC", "EV", "DT", "TM", "HA", "GC", "AP", "ST"]
)
info_values = values | draws.sampled_from(["6.5", "650", "B+R", "W+0.5", "Void", "Japanese", "AGA", "0"])


@draws.composite
def nodes(draw, root=False):
    """The text of a node."""
    parts = [(name, [value]) for name, value in draw(draws.dictionaries(names, values, max_size=3)).items()]
    if draw(draws.booleans()):
        parts += [("C", [draw(values)])]
    parts += draw(draws.dictionaries(point_names, draws.lists(areas, min_size=1, max_size=3), max_size=2)).items()
    if draw(draws.integers(0, 3)) == 0:
        parts += [("LB", draw(draws.lists(labels, min_size=1, max_size=2)))]
    if draw(draws.integers(0, 3)) == 0:
        chosen = draw(
            draws.lists(
                draws.tuples(one_point, draws.sampled_from(["AB", "AW", "AE"])), max_size=4, unique_by=lambda s: s[0]
            )
        )
        for name in ("AB", "AW", "AE"):
            stones = [sgf_name(at) for at, of in chosen if of == name]
            if stones:
                parts += [(name, stones)]
    moves = draw(draws.sampled_from([[], ["B"], ["W"], ["B"], ["W"], ["B", "W"], ["W", "B"]]))
    parts += [(name, [draw(squares | draws.sampled_from(["", "tt"]))]) for name in moves]
    if root:
        parts += [
            (name, [value]) for name, value in draw(draws.dictionaries(info_names, info_values, max_size=4)).items()
        ]
    space = draw(draws.sampled_from(["", "\n", " "]))
    parts = draw(draws.permutations(parts))
    if root:
        parts = [("FF", ["4"]), ("SZ", ["9"]), *parts]
    return ";" + space.join(name + space + space.join(f"[{value}]" for value in values) for name, values in parts)


sequences = draws.lists(nodes(), min_size=1, max_size=4).map("".join)
variations = draws.recursive(
    sequences,
    lambda below: draws.tuples(sequences, draws.lists(below, min_size=1, max_size=3)).map(
        lambda tree: tree[0] + "".join(f"({branch})" for branch in tree[1])
    ),
    max_leaves=6,
)
records = draws.tuples(nodes(root=True), variations | draws.just("")).map(
    lambda parts: f"({parts[0]}{parts[1]})".encode()
)


def peer_tree(data, passed_over=OF_THE_TEXT):
    """All nodes as sgfmill reads them, with what is equal by FF[4] made the same."""
    waiting = [sgf_grammar.parse_sgf_game(data)]
    shape, found = [], []
    while waiting:
        tree = waiting.pop()
        shape.append((len(tree.sequence), len(tree.children)))
        found += tree.sequence
        waiting += tree.children
    return shape, [peer_node(node, ("AE", *passed_over) if number == 0 else ()) for number, node in enumerate(found)]


def peer_node(node, passed_over):
    same = {}
    for name, raw in node.items():
        values = tuple(value.decode() for value in raw)
        if name in passed_over:
            continue
        if name in ("AB", "AW", "AE"):
            same[name] = set(points(values, 52, 52))
        elif name in ("B", "W"):
            same[name] = "" if values[0] == "tt" else values[0]
        else:
            # What sgfmill takes for further values of such a property are properties of the same name.
            same[name] = values if name not in PROPERTIES or PROPERTIES[name].is_list else values[0]
    return in_ff4(same)


@given(draws.drawn(records))
def test_generated_records(data):
    written = check(data)
    assert peer_tree(written) == peer_tree(data)


TOKENS = r"""
( ) ; [ ] \ (; (; ;) B[aa] W[bb] B[tt] W[] B[zz] W[c AB[aa][zz] AW[ab:bc] AE[aa] C[x\] C[y] TE[1] BM[1] TR[aa:bb]
L[aa][bb] LB[cc:x] LB[cc] N[n] T2[x] Black[cc] noise[x] XX[a][b] XX[c] KM[650] GM[1] AP[x] (;FF[4]
"""
soups = draws.lists(draws.sampled_from(TOKENS.split()), max_size=25).map("".join)


@given(draws.drawn(soups))
def test_whatever_is_read_can_be_written_and_then_stays(soup):
    written = document_to_sgf(read(f"(;FF[4]SZ[9]{soup}".encode()))
    assert document_to_sgf(read(written)) == written
    peer_tree(written)


@given(draws.drawn(records))
def test_typed_attributes_agree_with_the_decoder(data):
    """Marks and comments of the record's own columns are those of the properties."""
    record = decode(data)
    document = document_from_record(record)
    steps = [step for branch in document.tree.walk() for step in branch.steps]
    assert len(steps) == len(record.steps)
    marks = record.marks
    for step, detail in zip(steps, record.steps["detail"].tolist(), strict=True):
        row = record.details[detail] if detail >= 0 else None
        first, count = (int(row["marks"]), max(int(row["mark_count"]), 0)) if row is not None else (0, 0)
        of_record = marks[first : first + count]
        assert sorted(
            {(x, y) for x, y in zip(of_record["x"].tolist(), of_record["y"].tolist(), strict=True)}
        ) == sorted({mark.point for mark in step.marks})
        begin, end = row["comment"].tolist() if row is not None else (-1, -1)
        assert step.comment == (None if begin < 0 else record.text(begin, end))


# Documents without any text after them.

plain_texts = draws.text(draws.sampled_from("ab:;()[]\\\n围é𠀀"), max_size=8)
comments = draws.just(None) | plain_texts
marked = draws.dictionaries(
    one_point, draws.tuples(draws.sampled_from([None, *SHAPE_MARKS]), plain_texts.filter(bool)), max_size=3
).map(
    lambda by_point: [
        Mark(at, label.replace("\n", " "))
        if shape is None
        else Mark(at, SHAPE_MARKS[shape][1], shape=SHAPE_MARKS[shape][0])
        for at, (shape, label) in by_point.items()
    ]
)
moves = draws.builds(
    Move, draws.sampled_from([1, 2]), draws.just(None) | one_point, draws.sampled_from([None, "good", "bad"])
)


def stones(colors):
    return draws.dictionaries(one_point, draws.sampled_from(colors), min_size=1, max_size=4).map(
        # In the order in which a decoder lists them, which the stones of an edit have.
        lambda by_point: [Stone(by_point[at], at) for at in sorted(by_point, key=lambda at: (at[1], at[0]))]
    )


steps = draws.builds(
    Step,
    moves | draws.builds(Edit, stones([0, 1, 2])) | draws.builds(Note),
    comment=comments,
    marks=marked,
)
trees = draws.recursive(
    draws.builds(Branch, steps=draws.lists(steps, min_size=1, max_size=3)),
    lambda below: draws.builds(
        Branch, steps=draws.lists(steps, min_size=1, max_size=3), branches=draws.lists(below, min_size=1, max_size=3)
    ),
    max_leaves=6,
)
lines = draws.just(None) | draws.text(draws.sampled_from("ab]\\围"), min_size=1, max_size=5)
infos = draws.builds(
    Info,
    name=lines,
    place=lines,
    participants=draws.tuples(
        draws.builds(Participant, draws.text(draws.sampled_from("ab]\\"), min_size=1, max_size=8), rank=lines),
        draws.builds(Participant, lines, rank=lines),
    ).map(list),
    players=draws.just([Player(0, 1), Player(1, 2)]),
    result=draws.just(None)
    | draws.builds(Result, draws.sampled_from([1, 2]), draws.sampled_from([None, 0.5, 12, 361]))
    | draws.just(Result(None)),
    rules=draws.just(None)
    | draws.builds(GameRules, draws.just(None), draws.integers(-20, 20).map(lambda n: n // 2 if n % 2 == 0 else n / 2))
    | draws.just(GameRules("area", 375, "Chinese")),
)
setups = draws.just(None) | draws.builds(Setup, stones([1, 2]), draws.just(None), marked, comments)


@given(draws.drawn(trees), draws.drawn(infos), draws.drawn(setups))
def test_written_documents_are_read_back(tree, info, pre):
    tree.pre = pre
    document = Document(9, 9, info=info, tree=tree)
    again = read(document_to_sgf(document))
    assert (again.width, again.height, again.info) == (9, 9, info)
    for branch in again.tree.walk():
        for step in branch.steps:
            step.properties = {}
    assert again.tree == tree


# Edits of a record that was read.

RECORD = (
    b"(;GM[1]FF[4]CA[gb18030]SZ[9]AP[x:1]PB[\xbc\xd7]PW[w]KM[6.50]RE[B+Resign]RU[AGA]AB[aa]AE[bb]C[root\\\n!]XX[p]\n"
    b";B[cc]TE[2]BL[12.50]C[soft\\\nbreak]TR[aa:bb]LB[cc:1][dd:two]YY[a][b\\]]\n"
    b"(;W[dd]BM[1]N[n];B[ee]C[\xce\xa7\xc6\xe5])(;W[ff]TR[aa];B[]))"
)


def rewritten(edit):
    """The nodes of the written record before and after an edit, as sgfmill reads them, root first."""
    document = read(RECORD)
    before = document_to_sgf(document)
    edit(document)
    after = document_to_sgf(document)
    return peer_tree(before)[1], peer_tree(after)[1]


def set_komi(document):
    document.info.rules.komi = 7.5


def set_result(document):
    document.info.result = Result(2, 3.5)


def set_root_comment(document):
    document.tree.pre.comment = "new"


def set_comment(document):
    document.tree.steps[0].comment = "new"


def remove_evaluation(document):
    document.tree.steps[0].action.evaluation = None


def add_mark(document):
    document.tree.steps[0].marks.append(Mark((8, 8), "&", shape="MA"))


def remove_label(document):
    document.tree.steps[0].marks = [mark for mark in document.tree.steps[0].marks if mark.symbol != "two"]


def set_move(document):
    document.tree.steps[0].action.point = (8, 8)


@in_groups(
    ("edit", "node", "changes"),
    [
        (set_komi, 0, {"KM": "7.5"}),
        (set_result, 0, {"RE": "W+3.5"}),
        (set_root_comment, 0, {"C": "new"}),
        (set_comment, 1, {"C": "new"}),
        (remove_evaluation, 1, {"TE": None}),
        (add_mark, 1, {"MA": ("ii",)}),
        (remove_label, 1, {"LB": ("cc:1",)}),
        (set_move, 1, {"B": "ii"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_an_edit_changes_its_property_alone(edit, node, changes):
    before, after = rewritten(edit)
    for name, value in changes.items():
        if value is None:
            del before[node][name]
        else:
            before[node][name] = value
    assert after == before


def test_branches_added_and_removed():
    document = read(RECORD)
    document.tree.remove_branch(0)
    document.tree.add_branch().play(2, (7, 7), comment="added")
    again = read(document_to_sgf(document))
    assert again.tree.branches[0] == read(RECORD).tree.branches[1]
    assert again.tree.branches[1].steps[0].action == Move(2, (7, 7))
    assert again.tree.branches[1].steps[0].comment == "added"


# Real files.


def games_of_the_corpus():
    """File name, text and record of each game of Go."""
    for file in sorted((corpus.require() / "ai-sgf").glob("*.sgf")):
        data = file.read_bytes()
        for begin, end in split(data, 0, True):
            record = decode(data[begin:end])
            if len(record.trees):
                yield file.name, data[begin:end], record


@pytest.mark.exhaustive
def test_every_real_file_is_rewritten_to_the_same_document():
    files = set()
    for name, data, _ in games_of_the_corpus():
        check(data)
        files.add(name)
    assert len(files) == 150


@pytest.mark.exhaustive
def test_another_parser_reads_real_files_and_rewritten_ones_alike():
    unread = []
    for name, _, record in games_of_the_corpus():
        document = document_from_record(record)
        text = record.source.decode(record.encoding, "replace").encode()
        try:
            original = peer_tree(text, made_anew(document))
        except ValueError:
            unread.append(name)
            continue
        assert peer_tree(document_to_sgf(document), made_anew(document)) == original, name
    assert unread == ["054-verbose-property-names.sgf"]
