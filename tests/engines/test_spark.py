"""Spark itself: batches of a dataframe, jobs of the command line, and a worker that is killed on the way."""

import shutil
import subprocess
import sys

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

MISSING = "Spark is not installed: pip install 'wei7core[spark]'"
sql = pytest.importorskip("pyspark.sql", reason=MISSING)
pa = pytest.importorskip("pyarrow", reason=MISSING)
if shutil.which("java") is None:
    pytest.skip("Spark needs a Java runtime: apt-get install default-jre-headless", allow_module_level=True)

from wei7core.engines import spark as engine  # noqa: E402 - not without Spark


@pytest.fixture(scope="module")
def session():
    patch = pytest.MonkeyPatch()
    patch.setenv("PYSPARK_PYTHON", sys.executable)
    builder = sql.SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", False)
    builder = builder.config("spark.sql.shuffle.partitions", 2)
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", 16).getOrCreate()
    yield session
    session.stop()
    patch.undo()


def unsigned(row):
    """The row with hashes as they are elsewhere: Spark has no numbers without a sign."""
    hashes = {name: getattr(row, name) for name in ("hash", "canonical_hash")}
    return row._replace(**{name: None if value is None else value % 2**64 for name, value in hashes.items()})


def test_rows_are_those_of_replay_in_batches(session):
    values = VALUES * 3
    frame = session.createDataFrame([(key, value) for key, value in enumerate(values)], "key int, data binary")
    made = engine.replay(frame, keep=["key"], options=Options(board=True))
    table = made.orderBy("key").toArrow()
    assert table["key"].to_pylist() == list(range(len(values)))
    rows = [unsigned(row)._replace(record=number) for number, row in enumerate(rows_of(table.drop_columns("key")))]
    assert rows == expected(values, board=True)


def test_hashes_are_shown_as_elsewhere(session):
    made = engine.replay(session.createDataFrame([(VALUES[0],)], "data binary"))
    shown = made.selectExpr("lpad(lower(hex(hash)), 16, '0') as hash").first().hash
    assert shown == f"{expected(VALUES[:1])[0].hash:016x}"


def test_games_that_are_there_more_than_once(session):
    frame = session.createDataFrame(list(enumerate(GAMES)), "key int, data binary").repartition(4)
    found = engine.families(engine.keys(frame, keep=["key"])).select("key", "games").collect()
    assert {row.key: row.games for row in found} == FAMILIES


def test_copies_among_real_games_are_those_of_check(session, tmp_path):
    def families_at(path, by):
        made = engine.keys(session.read.parquet(path), keep=["key"])
        found = engine.families(made, by=by).select("key", "moves", "games", by).collect()
        return [tuple(row) for row in found]

    check_families(families_at, tmp_path)


def test_findings_are_those_of_check(session):
    def check(table, **how):
        frame = session.createDataFrame(table.to_pylist(), "data binary, key bigint")
        return engine.check(frame, **how).toArrow().to_pylist()

    check_findings(check)


OWN_SESSION = """
import gc
from pyspark import TaskContext
from pyspark.sql import SparkSession
from wei7core.engines.spark import cluster

class Short:
    is_short = True
    def __call__(self, task):
        return task, TaskContext.get().partitionId()

if __name__ == "__main__":
    with cluster(None, 2) as run:
        print(list(run(lambda task: (task, gc.get_freeze_count() > 0), range(5))))
        for count in (1, 5, 40):
            made = list(run(Short(), range(count)))
            print([task for task, _ in made] == list(range(count)), len({part for _, part in made}))
        java = SparkSession.getActiveSession()._jvm.java.lang.management.ManagementFactory
        print({"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"} <= set(java.getRuntimeMXBean().getInputArguments()))
"""


def test_a_session_of_its_own_and_short_tasks_together():
    done = subprocess.run([sys.executable, "-c", OWN_SESSION], capture_output=True, text=True, check=False)
    expected = [str([(task, True) for task in range(5)]), "True 1", "True 2", "True 5", "True"]
    assert done.stdout.splitlines() == expected, done.stderr


def test_a_killed_worker_loses_and_doubles_nothing(session, tmp_path, monkeypatch):
    check_killed_worker(engine, "spark", tmp_path, monkeypatch)


def test_the_command_writes_the_rows_of_a_local_run(session, tmp_path, capsys):
    check_command("spark", tmp_path, capsys)


def test_the_corpus_gives_the_rows_of_a_local_run(session, tmp_path):
    check_corpus("spark", tmp_path)
