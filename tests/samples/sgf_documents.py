"""Strategies for documents as SGF has them, with setup anywhere, notes, labels, shapes and properties."""

from __future__ import annotations

from helpers import draws

from wei7core.formats.sgf.info import info_from_properties
from wei7core.formats.sgf.properties import escape
from wei7core.record.document import Branch, Document, Edit, Mark, Move, Note, Setup, Step, Stone

SIZE = 4
TEXTS = draws.text(draws.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6)
NOT_BLANK = TEXTS.filter(str.strip)
COMMENTS = draws.just(None) | NOT_BLANK
VALUES = NOT_BLANK.map(lambda text: (escape(text),))
PROPERTIES = draws.dictionaries(
    draws.sampled_from(["N", "V", "GB", "DO", "BL", "OW", "XYZ", "TB", "EV", "SO", "KO"]), VALUES, max_size=2
)
INFO = draws.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(["GN", "PB", "PW", "BR", "WR", "PC"], VALUES),
        "KM": draws.sampled_from([("6.5",), ("0",), ("7",)]),
        "RE": draws.sampled_from([("B+3.5",), ("W+R",), ("0",), ("Void",)]),
        "RU": draws.sampled_from([("Chinese",), ("Japanese",), ("Korean",)]),
        "DT": draws.sampled_from([("2013-03-06",), ("1999-12-31",)]),
    },
)
KINDS = ["move", "move", "move", "note", "edit", "both"]


class _Points:
    """Strategies for a board of some size."""

    def __init__(self, size: int, edits: bool) -> None:
        self.kinds = draws.sampled_from([kind for kind in KINDS if edits or kind in ("move", "note")])
        points = draws.tuples(draws.integers(0, size - 1), draws.integers(0, size - 1))
        self.stones = draws.lists(
            draws.builds(Stone, draws.sampled_from([0, 1, 2]), points), max_size=3, unique_by=lambda stone: stone.point
        )
        labels = draws.lists(
            draws.builds(Mark, points, draws.sampled_from(["a", "Z", "10", "*", "two words"])),
            max_size=2,
            unique_by=lambda mark: mark.point,
        )
        self.moves = draws.builds(Move, draws.sampled_from([1, 2]), points | draws.just(None))
        self.marks = draws.just([]) | labels | draws.builds(lambda at: [Mark(at, "%", shape="TR")], points)
        steps = node_steps(self)
        self.trees = draws.recursive(
            draws.builds(Branch, steps=steps),
            lambda inner: draws.builds(Branch, steps=steps, branches=draws.lists(inner, max_size=3)),
            max_leaves=6,
        )
        preset = draws.lists(
            draws.builds(Stone, draws.sampled_from([1, 2]), points), max_size=3, unique_by=lambda stone: stone.point
        )
        self.roots = draws.just(None) | draws.builds(Setup, preset)


@draws.composite
def node_steps(draw, places):
    """The steps of one branch, node by node."""
    steps = []
    for _ in range(draw(draws.integers(0, 5))):
        kind = draw(places.kinds)
        actions = []
        if kind in ("edit", "both"):
            actions.append(Edit(draw(places.stones)))
        if kind in ("move", "both"):
            actions.append(draw(places.moves))
        for index, action in enumerate(actions or [Note()]):
            steps.append(Step(action, joined=index > 0))
        first = steps[-len(actions or [Note()])]
        first.properties = draw(PROPERTIES)
        first.comment = draw(COMMENTS)
        first.marks = list(draw(places.marks))
    return steps


_MADE = {}


@draws.composite
def _document(draw, size, info, edits):
    if (size, edits) not in _MADE:
        _MADE[size, edits] = _Points(size, edits)
    tree = draw(_MADE[size, edits].trees)
    tree.pre = draw(_MADE[size, edits].roots)
    if tree.pre is not None:
        tree.pre.unchecked = True
        tree.pre = tree.pre if tree.pre.stones else None
    for branch in tree.branches:
        for below in branch.walk():
            if not below.steps:
                below.steps = [Step(Note())]
    document = Document(size, size, tree=tree)
    document.properties = {"FF": ("4",), **draw(PROPERTIES)}
    if info:
        document.properties |= draw(INFO)
        document.info = info_from_properties(document.properties)
    return document


def sgf_documents(size=SIZE, *, info=False, edits=True):
    """Documents that, with `info`, may have players, a date and a result, with `edits` set stones up later."""
    return draws.drawn(_document(size, info, edits))
