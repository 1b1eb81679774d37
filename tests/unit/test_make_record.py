"""Records of decoders in Python: the rows come as they are, and none that C code could stumble over."""

import pytest
from helpers.cases import in_groups

from wei7core.formats.record_rows import NO_SPAN, Rows, RowTable
from wei7core.record.record import dtype_of, make_record
from wei7core.replaying.replay import pause_points, replay_record

SOURCE = b"0123456789"


def record(rows, **options):
    tables = rows if isinstance(rows, dict) else rows.tables()
    return make_record(
        SOURCE,
        "wei7-2.2",
        tables,
        size=(9, 9),
        size_form=1,
        describe=lambda record, raw: list(raw),
        read_text=lambda record, span: span.decode(),
        origin=(record, (rows,)),
        **options,
    )


def some_rows():
    """Three trees, found in another order than that of a walk."""
    rows = Rows()
    root = rows.trees.add(0, 0)
    for x in range(2):
        rows.steps.add(x, x, 0, -1, 1, 1, 0, 0)
    rows.trees.end_steps(root, 2)
    side = rows.trees.add(3, 2)
    rows.steps.add(3, 5, 5, -1, 1, 2, 0, 0)
    rows.trees.end_steps(side, 3)
    main = rows.trees.add(4, 3)
    rows.steps.add(4, 6, 6, rows.details.add(*NO_SPAN, 1, 3, *NO_SPAN, -1.0, 0, -1, -1, 0), 1, 2, 0, 0)
    rows.trees.end_steps(main, 4)
    rows.trees.set_branches(root, [main, side])
    rows.kept.add(0, 1, 2, 3, side, 1, 0)
    rows.kept.add(0, 1, 2, 3, 0, 0, 0)
    return rows


def test_trees_are_numbered_in_the_order_of_a_walk():
    found = record(some_rows(), info=(1, 4), charset=(0, 2), broken_off=True)
    assert found.trees["offset"].tolist() == [0, 4, 3]
    assert found.trees["parent"].tolist() == [-1, 0, 0]
    assert found.trees["ordinal"].tolist() == [0, 0, 1]
    assert found.trees["first_branch"].tolist() == [1, -1, -1]
    assert found.trees["next_branch"].tolist() == [-1, 2, -1]
    assert found.trees["branch_count"].tolist() == [2, -1, -1]
    assert found.kept["index"].tolist() == [2, 0]
    assert (found.info_json, found.charset, found.broken_off) == (b"123", b"01", True)
    assert (found.width, found.height, found.size_form, found.encoding) == (9, 9, 1, "utf-8")
    assert [point.branch for point in pause_points(found)] == ["-", "-", "0", "1"]
    assert found.text(1, 3) == "12"
    assert replay_record(found).moves == 3


def test_a_record_outlives_its_rows():
    rows = some_rows()
    found = record(rows)
    steps = found.steps
    del rows, found
    assert steps["x"].tolist() == [0, 1, 5, 6]


@pytest.mark.exhaustive
def test_many_trees():
    rows = Rows()
    numbers = [rows.trees.add(k, 0) for k in range(100_000)]
    for parent in range(99_999):
        rows.trees.set_branches(numbers[parent], [numbers[parent + 1]])
    found = record(rows)
    assert found.trees["parent"].tolist() == list(range(-1, 99_999))


def test_no_rows_at_all():
    found = record({})
    assert [len(getattr(found, name)) for name in ("trees", "steps", "kept", "pres")] == [0, 0, 0, 0]
    assert found.problems == ()


WRONG = [
    ("steps", "detail", 1, "detail of a step"),
    ("trees", "first_step", 5, "first_step"),
    ("trees", "first_step", -1, "first_step"),
    ("trees", "step_count", 2**31 - 1, "first_step"),
    ("trees", "pre", 0, "pre of a tree"),
    ("trees", "parent", 0, "precedes its parent"),
    ("trees", "parent", -1, "precedes its parent"),
    ("trees", "next_branch", 0, "not a later tree"),
    ("trees", "first_branch", 3, "not a later tree"),
    ("details", "marks", 1, None),
    ("details", "mark_count", 1, "marks"),
]


@in_groups(("table", "field", "value", "words"), WRONG)
def test_rows_that_name_others_which_are_not_there(table, field, value, words):
    tables = some_rows().tables()
    tables[table] = tables[table].copy()
    tables[table][field] = value
    if words is None:
        record(tables)  # of no marks
        return
    with pytest.raises(ValueError, match=words):
        record(tables)


@pytest.mark.parametrize(("begin", "end"), [(0, 11), (-2, 3), (5, 4)])
def test_spans_that_lie_outside_of_the_text(begin, end):
    tables = some_rows().tables()
    kept = tables["kept"].copy()
    kept["value"] = [(begin, end)] * len(kept)
    with pytest.raises(ValueError, match="is outside the text"):
        record({**tables, "kept": kept})


@in_groups(
    ("table", "field", "value", "words"),
    [
        ("trees", "title", (0, 11), "title of a row of trees is outside"),
        ("details", "comment", (5, 4), "of a row of details is outside"),
        ("pres", "comment", (-2, 0), "comment of a row of pres is outside"),
        ("pres", "stone_count", 2, "stones of a row is out of range"),
        ("pres", "mark_count", 1, "marks of a row is out of range"),
        ("kept", "key", (0, 11), "of a row of kept is outside"),
    ],
)
def test_spans_and_parts_of_every_table(table, field, value, words):
    rows = some_rows()
    rows.stones.add(0, 1, 1, 1)
    rows.pres.add(0, *NO_SPAN, 0, 1, 0, -1, 0, 0, 0)
    rows.trees.set_pre(0, 0)
    tables = rows.tables()
    record(tables)
    tables[table] = tables[table].copy()
    tables[table][field] = value
    with pytest.raises(ValueError, match=words):
        record(tables)


def test_stones_of_a_setup_and_rows_of_another_layout():
    tables = some_rows().tables()
    steps = tables["steps"].copy()
    steps["kind"], steps["y"] = 7, 1
    with pytest.raises(ValueError, match="x of a row"):
        record({**tables, "steps": steps})
    with pytest.raises(ValueError, match="another layout"):
        record({**tables, "steps": tables["kept"]})


@in_groups("name", ["steps", "details", "pres", "stones", "marks", "kept", "problems"])
def test_layouts_are_those_of_the_columns(name):
    table = RowTable(name)
    flat = []
    for field in dtype_of(name).names:
        if field == "unused":
            continue
        flat += [len(flat) + 1, len(flat) + 2] if dtype_of(name)[field].names else [len(flat) + 1]
    table.add(*flat)
    assert plain(table, name) == flat
    table.set(0, *reversed(flat))
    assert plain(table, name) == flat[::-1]


def plain(table, name):
    """The values of the only row, spans as two."""
    (row,) = table.array(name)
    values = [row[field].tolist() for field in dtype_of(name).names if field != "unused"]
    return [int(one) for value in values for one in (value if isinstance(value, tuple) else [value])]
