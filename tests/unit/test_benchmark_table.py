"""The table of benchmarks/: what is compared with what, and when a bar is met."""

import ast
import functools
from pathlib import Path

import pytest
from helpers.cases import in_groups
from table import ROWS, Row, lines_of, markdown_table, plain_table

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FASTER = Row("faster", "one against another", 10, "ours", "peer", "test_some.py")
CHEAPER = Row("cheaper", "one size against another", 3, "ours", "peer", "test_some.py", at_least=False)
SMALL = Row("small", "memory", 400, "ours", None, at_least=False)


def line_of(row, ours, peer=None):
    figures = {(row.kernel, "ours"): ours}
    if peer:
        figures[row.kernel, "peer"] = peer
    (line,) = lines_of([row], figures)
    return line


@in_groups(
    ("row", "ours", "peer", "value", "met"),
    [
        (FASTER, (5.0, "ns_per_move"), (50.0, "ns_per_move"), 10, True),
        (FASTER, (5.0, "ns_per_move"), (49.0, "ns_per_move"), 9.8, False),
        (FASTER, (30.0, "megabytes_per_second"), (3.0, "megabytes_per_second"), 10, True),
        (FASTER, (3.0, "megabytes_per_second"), (30.0, "megabytes_per_second"), 0.1, False),
        (CHEAPER, (30.0, "ns_per_move"), (10.0, "ns_per_move"), 3, True),
        (CHEAPER, (31.0, "ns_per_move"), (10.0, "ns_per_move"), 3.1, False),
        (CHEAPER, (10.0, "megabytes_per_second"), (40.0, "megabytes_per_second"), 4, False),
        (SMALL, (399.0, "megabytes"), None, 399, True),
        (SMALL, (401.0, "megabytes"), None, 401, False),
    ],
)
def test_ratio_and_bar(row, ours, peer, value, met):
    line = line_of(row, ours, peer)
    assert line.value == pytest.approx(value)
    assert line.met is met
    assert line.cells()[-1] == ("yes" if met else "no")


def test_what_was_not_measured_is_not_met():
    for line in (lines_of([FASTER], {})[0], line_of(FASTER, (1.0, "megabytes")), lines_of([SMALL], {})[0]):
        assert (line.value, line.met, line.cells()[-1]) == (None, None, "not measured")


def test_units_are_not_mixed():
    with pytest.raises(ValueError, match="cannot be compared"):
        line_of(FASTER, (1.0, "ns_per_move"), (1.0, "megabytes_per_second")).cells()


def test_figures_of_another_kernel_do_not_count():
    row = Row("forced", "the same, forced", 10, "ours", "peer", "test_some.py", kernel="portable")
    figures = {(None, "ours"): (1.0, "megabytes"), (None, "peer"): (1.0, "megabytes")}
    assert lines_of([row], figures)[0].met is None


def test_tables_have_a_line_for_each_row():
    lines = lines_of(list(ROWS), {})
    for table, heads in ((plain_table(lines), 1), (markdown_table(lines), 2)):
        texts = table.splitlines()
        assert len(texts) == len(ROWS) + heads
        assert all(row.what in text for row, text in zip(ROWS, texts[heads:], strict=True))


def test_rows_are_named_once():
    assert len({row.key for row in ROWS}) == len(ROWS)


BENCHMARK_ROWS = [pytest.param(row, id=row.key) for row in ROWS if row.module is not None]


@functools.cache
def functions_of(module):
    tree = ast.parse((BENCHMARKS / module).read_text(encoding="utf-8"))
    return {item.name for item in ast.walk(tree) if isinstance(item, ast.FunctionDef)}


@in_groups("row", BENCHMARK_ROWS)
def test_benchmarks_of_rows_are_there(row):
    assert {name.partition("[")[0] for name in row.names} <= functions_of(row.module)
