"""Dask itself: partitions of a dataframe, jobs of the command line, and a worker that is killed on the way."""

import pytest
from helpers.arrow_batches import VALUES, expected, rows_of
from helpers.engine_jobs import (
    FAMILIES,
    GAMES,
    check_command,
    check_corpus,
    check_families,
    check_findings,
    check_killed_worker,
)

from wei7core.arrow.functions import Options

MISSING = "Dask is not installed: pip install 'wei7core[dask]'"
dataframe = pytest.importorskip("dask.dataframe", reason=MISSING)
distributed = pytest.importorskip("distributed", reason=MISSING)
pandas = pytest.importorskip("pandas", reason=MISSING)
pa = pytest.importorskip("pyarrow", reason=MISSING)

from wei7core.engines import dask as engine  # noqa: E402 - not without Dask


def frame_of(values, partitions):
    data = pandas.array(values, dtype=pandas.ArrowDtype(pa.binary()))
    return dataframe.from_pandas(pandas.DataFrame({"data": data, "key": range(len(values))}), npartitions=partitions)


def test_rows_are_those_of_replay_in_partitions():
    made = engine.replay(frame_of(VALUES * 3, 4), keep=["key"], options=Options(board=True))
    frame = made.compute(scheduler="threads")
    assert (frame["key"] == frame.index).all()
    table = pa.Table.from_pandas(frame.drop(columns="key"), preserve_index=False)
    rows = [row._replace(record=number) for number, row in enumerate(rows_of(table))]
    assert rows == expected(VALUES * 3, board=True)
    assert made.dtypes.to_dict() == frame.dtypes.to_dict()


def test_the_engine_goes_on_with_the_rows():
    made = engine.replay(frame_of(VALUES * 3, 4))
    found = made.groupby("format")["moves"].sum().compute(scheduler="threads").to_dict()
    assert found == {"sgf": 54, "wei7": 42}


def test_games_that_are_there_more_than_once():
    found = engine.families(engine.keys(frame_of(GAMES, 4), keep=["key"])).compute(scheduler="threads")
    assert dict(zip(found["key"], found["games"], strict=True)) == FAMILIES


def test_copies_among_real_games_are_those_of_check(tmp_path):
    def families_at(path, by):
        frame = dataframe.read_parquet(path, dtype_backend="pyarrow", split_row_groups=1)
        found = engine.families(engine.keys(frame, keep=["key"]), by=by).compute(scheduler="threads")
        return found[["key", "moves", "games", by]].itertuples(index=False, name=None)

    check_families(families_at, tmp_path)


def test_findings_are_those_of_check():
    def check(table, **how):
        frame = dataframe.from_pandas(table.to_pandas(types_mapper=pandas.ArrowDtype), npartitions=3)
        made = engine.check(frame, **how).compute(scheduler="threads")
        return pa.Table.from_pandas(made, preserve_index=False).to_pylist()

    check_findings(check)


def test_the_command_writes_the_rows_of_a_local_run(tmp_path, capsys):
    check_command("dask", tmp_path, capsys)


def test_a_killed_worker_loses_and_doubles_nothing(tmp_path, monkeypatch):
    check_killed_worker(engine, "dask", tmp_path, monkeypatch)


def test_the_corpus_gives_the_rows_of_a_local_run(tmp_path):
    check_corpus("dask", tmp_path)


def test_the_corpus_on_a_cluster_at_an_address(tmp_path):
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as own:
        check_corpus("dask", tmp_path, own.scheduler_address)
