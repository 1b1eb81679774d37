"""Ray itself: blocks of a dataset, jobs of the command line, and a worker that is killed on the way."""

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

MISSING = "Ray is not installed: pip install 'wei7core[ray]'"
ray = pytest.importorskip("ray", reason=MISSING)
data = pytest.importorskip("ray.data", reason=MISSING)
pa = pytest.importorskip("pyarrow", reason=MISSING)

from wei7core.engines import ray as engine  # noqa: E402 - not without Ray


@pytest.fixture(scope="module")
def cluster():
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    data.DataContext.get_current().default_hash_shuffle_parallelism = 4  # of 200, each of which costs
    yield
    ray.shutdown()


def test_rows_are_those_of_replay_in_blocks(cluster):
    values = VALUES * 3
    tables = [
        pa.table({"data": pa.array(values[k : k + 16], pa.binary()), "key": range(k, k + 16)}) for k in (0, 16, 32)
    ]
    made = engine.replay(data.from_arrow(tables), keep=["key"], options=Options(board=True), batch_size=16)
    table = pa.concat_tables(made.iter_batches(batch_size=None, batch_format="pyarrow")).sort_by("key")
    assert table["key"].to_pylist() == list(range(len(values)))
    rows = [row._replace(record=number) for number, row in enumerate(rows_of(table.drop_columns("key")))]
    assert rows == expected(values, board=True)


def test_games_that_are_there_more_than_once(cluster):
    tables = [pa.table({"data": pa.array([game], pa.binary()), "key": [key]}) for key, game in enumerate(GAMES)]
    found = engine.families(engine.keys(data.from_arrow(tables), keep=["key"])).take_all()
    assert {row["key"]: row["games"] for row in found} == FAMILIES


def test_copies_among_real_games_are_those_of_check(cluster, tmp_path):
    def families_at(path, by):
        found = engine.families(engine.keys(data.read_parquet(path), keep=["key"]), by=by).take_all()
        return [(row["key"], row["moves"], row["games"], row[by]) for row in found]

    check_families(families_at, tmp_path)


def test_findings_are_those_of_check(cluster):
    check_findings(lambda table, **how: engine.check(data.from_arrow(table), **how).take_all())


def test_a_killed_worker_loses_and_doubles_nothing(cluster, tmp_path, monkeypatch):
    check_killed_worker(engine, "ray", tmp_path, monkeypatch)


def test_the_command_writes_the_rows_of_a_local_run(cluster, tmp_path, capsys):
    check_command("ray", tmp_path, capsys)


def test_the_corpus_gives_the_rows_of_a_local_run(cluster, tmp_path):
    check_corpus("ray", tmp_path)
