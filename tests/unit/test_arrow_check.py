"""Findings of a column of records: those of `wei7core.check`, called with one record at a time."""

import json

import games
import pytest
from helpers.arrow_batches import SGF, VALUES
from samples import corpus
from samples.batch_texts import BAD, GOOD

import wei7core
from wei7core.arrow import functions as arrow

pa = pytest.importorskip("pyarrow")


def batch_of(values, type=None, **others):
    return pa.record_batch({"data": pa.array(values, type or pa.binary()), **others})


def expected(values, **how):
    rows = []
    for number, value in enumerate(values):
        for finding in wei7core.check([value], **how):
            row = finding._asdict() | {"record": number, "source": "<bytes>"}
            rows.append(row | {"evidence": json.dumps(dict(finding.evidence), ensure_ascii=False)})
    return rows


def found(values, **how):
    made = arrow.check_batch(batch_of(values), **how)
    assert made.schema == arrow.check_schema()
    made.validate(full=True)
    return made.to_pylist()


@pytest.mark.parametrize("how", [{}, {"severity": "info", "rules": "tromp-taylor"}, {"select": "file,moves"}], ids=str)
def test_findings_are_those_of_check(how):
    values = [value for value in VALUES if value is not None]
    assert len(expected(values)) > 3
    assert found(values, **how) == [
        {name: row[name] for name in arrow.check_schema().names} for row in expected(values, **how)
    ]


def test_a_null_value_is_a_finding():
    (row,) = found([None])
    assert (row["code"], row["record"]) == ("unreadable", 0)


@pytest.mark.exhaustive
def test_real_games_are_judged_as_elsewhere():
    path = corpus.folder()
    chosen = list(corpus.generated_games(20) if path is None else corpus.tygem_games(path, 300))
    values = [games.sgf_text(game) for game in chosen]
    how = {"severity": "info", "rules": "chinese"}
    rows = found([*values, BAD, *values[:3]], **how)
    assert [(row["code"], row["record"]) for row in rows] == [
        (row["code"], row["record"]) for row in expected([*values, BAD, *values[:3]], **how)
    ]


def test_columns_are_kept_with_their_findings():
    batch = batch_of([GOOD, BAD, SGF, BAD], key=pa.array([1, None, 3, 4]), source=pa.array(["a", "b", "c", "d"]))
    made = arrow.check_batch(batch, keep=["key", "source"], severity="info")
    assert made.schema.names == ["key", *arrow.check_schema().names]
    wanted = [row["record"] for row in expected([GOOD, BAD, SGF, BAD], severity="info")]
    assert wanted
    assert made["record"].to_pylist() == wanted
    assert made["source"].to_pylist() == ["abcd"[record] for record in wanted]
    assert made["key"].to_pylist() == [(1, None, 3, 4)[record] for record in wanted]


def test_no_findings_are_an_empty_batch():
    assert arrow.check_batch(batch_of([])).num_rows == 0
    assert arrow.check_batch(batch_of([]), keep=["data"]).schema.names == ["data", *arrow.check_schema().names]


@pytest.mark.parametrize("wrong", [{"rules": "no rules"}, {"severity": "bad"}, {"select": "nothing-known"}], ids=str)
def test_wrong_arguments_are_refused(wrong):
    with pytest.raises(ValueError):
        arrow.check_batch(batch_of([GOOD]), **wrong)
