"""Records of SGF in the words of the slow reader, to compare the two."""

from __future__ import annotations

from typing import Any

from oracles import sgf as sgf_oracle
from wei7core.record.record import Record

KINDS = {0: "unreadable", 1: "move", 7: "setup", 8: "note"}


def span(record: Record, row: Any) -> str:
    return record.source[row["begin"] : row["end"]].decode("latin-1")


def reading_of(record: Record) -> sgf_oracle.Reading:
    """The record in the words of the oracle."""
    trees = []
    for tree in record.trees:
        steps: list[tuple[object, ...]] = []
        for step in record.steps[tree["first_step"] :][: tree["step_count"]]:
            kind = KINDS[int(step["kind"])]
            point: object = None
            if kind == "setup":
                rows = record.stones[step["x"] :][: step["y"]]
                point = {(int(row["x"]), int(row["y"])): int(row["color"]) for row in rows}
                assert len(rows) == len(point) > 0
            elif kind == "move" and step["x"] >= 0:
                point = (int(step["x"]), int(step["y"]))
            steps.append((kind, int(step["color"]), point, bool(step["joined"])))
        trees.append((int(tree["parent"]), int(tree["ordinal"]), steps))
    setup = comment = None
    comments = []
    if len(record.trees) and record.trees[0]["pre"] >= 0:
        pre = record.pres[record.trees[0]["pre"]]
        assert pre["unchecked"] == 1
        if pre["stone_count"] >= 0:
            rows = record.stones[pre["stones"] :][: pre["stone_count"]]
            setup = {(int(row["x"]), int(row["y"])): int(row["color"]) for row in rows}
        if pre["comment"]["begin"] >= 0:
            comment = span(record, pre["comment"])
            comments.append(comment)
    comments += [
        span(record, record.details[step["detail"]]["comment"])
        for step in record.steps
        if step["detail"] >= 0 and record.details[step["detail"]]["comment"]["begin"] >= 0
    ]
    marks = [((int(row["x"]), int(row["y"])), chr(row["symbol"])) for row in record.marks]
    kept = [(span(record, row["key"]), span(record, row["value"])) for row in record.kept]
    return sgf_oracle.Reading(record.width, record.height, trees, setup, comment, marks, comments, kept)


def check_links(record: Record) -> None:
    """Branches hang together as the tables of records promise."""
    names = ("parent", "first_step", "step_count", "branch_count", "first_branch", "next_branch", "ordinal")
    trees = [dict(zip(names, values, strict=True)) for values in record.trees[list(names)].tolist()]
    below: list[list[int]] = [[] for _ in trees]
    for row, tree in enumerate(trees):
        if tree["parent"] >= 0:
            below[tree["parent"]].append(row)
    steps = 0
    for row, (tree, children) in enumerate(zip(trees, below, strict=True)):
        assert tree["parent"] < row
        assert tree["first_step"] == steps
        steps += tree["step_count"]
        assert tree["branch_count"] == len(children)
        linked = []
        at = tree["first_branch"]
        while at >= 0:
            linked.append(at)
            at = trees[at]["next_branch"]
        assert linked == children
        assert [trees[k]["ordinal"] for k in children] == list(range(len(children)))
    assert steps == len(record.steps)
