"""What jobs on clusters read and write, without a cluster: shards, parts, and the command's errors."""

import os
import pickle
import sys
from collections import Counter

import pytest
from arrow_batches import VALUES, expected
from engine_jobs import local_rows, make_files, rows_in

import wei7core
from wei7core.arrow import Options, replay_schema
from wei7core.cli import main
from wei7core.engines import command
from wei7core.engines.parts import PartWriter
from wei7core.engines.shards import Shard, shards_of

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def written(folder, paths, size, options=None, column="data"):
    """The rows of all parts, which one process makes one after the other."""
    os.makedirs(folder)
    writer = pickle.loads(pickle.dumps(PartWriter(str(folder), column, options or Options())))
    made = [writer(shard) for shard in shards_of(paths, size).shards]
    assert [one.number for one in made] == list(range(len(made)))
    assert sorted(os.listdir(folder)) == [f"part-{number:06}.parquet" for number in range(len(made))]
    for name in os.listdir(folder):
        assert parquet.read_schema(os.path.join(folder, name)) == replay_schema(options or Options())
    return rows_in(folder), made


@pytest.mark.parametrize("size", [1, 300, 1 << 26])
def test_parts_hold_the_rows_of_a_local_run(tmp_path, size):
    make_files(tmp_path / "games")
    games = str(tmp_path / "games")
    rows, made = written(tmp_path / "rows", [games], size, Options(board=True))
    results = wei7core.replay(games, board=True)
    assert rows == local_rows(games, board=True)
    assert sum(one.records for one in made) == len(results)
    assert sum(one.moves for one in made) == results.move_count
    assert sum((Counter(one.problems) for one in made), Counter({})) == results.problems
    assert sum((Counter(one.failures) for one in made), Counter({})) == results.error_codes
    assert shards_of([games], size).passed_over == 1


def test_a_part_made_again_is_the_same_file(tmp_path):
    make_files(tmp_path / "games")
    (shard,) = shards_of([str(tmp_path / "games")]).shards
    writer = PartWriter(str(tmp_path), "data", Options())
    path = tmp_path / "part-000000.parquet"
    first = (writer(shard), path.read_bytes())
    assert (writer(shard), path.read_bytes()) == first


def test_a_part_that_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    def full(old, new):
        raise OSError(28, "No space left on device")

    make_files(tmp_path / "games")
    (shard,) = shards_of([str(tmp_path / "games")]).shards
    (tmp_path / "rows").mkdir()
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        PartWriter(str(tmp_path / "rows"), "data", Options())(shard)
    assert os.listdir(tmp_path / "rows") == []


def test_a_file_that_has_gone_is_a_row(tmp_path):
    make_files(tmp_path / "games")
    games = str(tmp_path / "games")
    shards = shards_of([games], 1).shards
    os.unlink(tmp_path / "games" / "c.wei7")
    os.makedirs(tmp_path / "rows")
    for shard in shards:
        PartWriter(str(tmp_path / "rows"), "data", Options())(shard)
    (row,) = [row for row in rows_in(tmp_path / "rows") if row["error"] == "file-unreadable"]
    assert (row["source"], row["record"]) == (f"{games}/c.wei7", 0)
    assert len(rows_in(tmp_path / "rows")) == len(local_rows(games)) + 1


@pytest.mark.parametrize("size", [1, 1 << 26])
@pytest.mark.parametrize("type", [pa.binary(), pa.large_binary(), pa.dictionary(pa.int32(), pa.binary())], ids=str)
def test_parquet_is_cut_between_groups_of_rows(tmp_path, size, type):
    path = str(tmp_path / "games.parquet")
    others = pa.array(range(3 * len(VALUES)))
    table = pa.table({"other": others, "game": pa.array(VALUES * 3, type)})
    parquet.write_table(table, path, row_group_size=10)
    shards = shards_of([path], size).shards
    assert [(piece.begin, piece.end, piece.first) for shard in shards for piece in shard.pieces] == (
        [(k, k + 1, 10 * k) for k in range(5)] if size == 1 else [(0, 5, 0)]
    )
    rows, _ = written(tmp_path / "rows", [path], size, column="game")
    wanted = [row._replace(source=path)._asdict() for row in expected(VALUES * 3)]
    assert rows == [{name: value for name, value in row.items() if name != "board"} for row in wanted]


def test_many_small_files_are_one_shard(tmp_path):
    for number in range(30):
        (tmp_path / f"{number:02}.sgf").write_bytes(VALUES[0])
    shards = shards_of([str(tmp_path)], 10 * len(VALUES[0])).shards
    assert [len(shard.pieces) for shard in shards] == [10, 10, 10]
    assert [shard.number for shard in shards] == [0, 1, 2]
    assert shards_of([]).shards == ()


def test_urls_are_read_and_written(tmp_path):
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: it comes with each engine")
    make_files(tmp_path / "games")
    memory = fsspec.filesystem("memory")
    memory.put(str(tmp_path / "games"), "/wei7core-test/games", recursive=True)
    try:
        shards = shards_of(["memory://wei7core-test/games"], 1).shards
        writer = PartWriter("memory://wei7core-test/rows", "data", Options())
        for shard in shards:
            writer(shard)
        memory.get("/wei7core-test/rows/", str(tmp_path / "rows"), recursive=True)
        rows = rows_in(tmp_path / "rows")
        games = str(tmp_path / "games")
        there = "memory:///wei7core-test/games"
        assert rows == [row | {"source": row["source"].replace(games, there)} for row in local_rows(games)]
        with pytest.raises(FileNotFoundError):
            shards_of(["memory://wei7core-test/nothing"])
    finally:
        memory.rm("/wei7core-test", recursive=True)


def test_a_job_that_fails_says_so_in_a_line_and_leaves_no_mark(tmp_path, capsys, monkeypatch):
    class Broken:
        @staticmethod
        def run(work, tasks, **how):
            yield work(tasks[0])
            raise RuntimeError("the cluster has gone\nand a long traceback")

    make_files(tmp_path / "games")
    monkeypatch.setattr(command, "_engine", lambda name: Broken)
    rows = str(tmp_path / "rows")
    assert main(["replay", str(tmp_path / "games"), "-o", rows, "--engine", "ray"]) == 2
    assert capsys.readouterr().err == "wei7core: ray: RuntimeError: the cluster has gone\n"
    assert os.listdir(rows) == ["part-000000.parquet"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["a", "--engine", "ray"], "--engine writes rows to the folder -o OUT"),
        (["a", "--engine", "ray", "-o", "b", "--positions", "c"], "no positions"),
        (["-", "--engine", "ray", "-o", "b"], "standard input"),
        (["a", "--engine", "ray", "-o", "b", "--resume"], "--resume is for jobs without"),
        (["a", "--address", "auto"], "--address is that of the cluster"),
    ],
)
def test_wrong_usage(arguments, said, capsys):
    assert main(["replay", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_missing_engine_is_named(tmp_path, capsys, monkeypatch):

    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["replay", str(tmp_path), "-o", str(tmp_path / "rows"), "--engine", "ray"]) == 2
    assert "pip install 'wei7core[ray]'" in capsys.readouterr().err
    assert not (tmp_path / "rows").exists()


def test_a_path_that_is_not_there_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "_engine", lambda name: None)
    assert main(["replay", str(tmp_path / "x"), "-o", str(tmp_path / "rows"), "--engine", "ray"]) == 2
    assert f"{tmp_path / 'x'}: No such file" in capsys.readouterr().err


def test_a_shard_is_pickled():
    shard = Shard(3, ())
    assert pickle.loads(pickle.dumps(shard)) == shard
