"""What jobs on clusters read and write, without a cluster: shards, parts, and the command's errors."""

import gzip
import os
import pickle
import sys
from collections import Counter
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from helpers.arrow_batches import VALUES, expected
from helpers.engine_jobs import local_rows, make_files, rows_in
from samples.batch_texts import BAD, GOOD

import wei7core
from wei7core.arrow import functions as arrow
from wei7core.arrow.functions import Options, positions_schema, replay_schema
from wei7core.cli import cluster as command
from wei7core.cli.main import main
from wei7core.engines.part_writer import PartWriter
from wei7core.engines.shards import RangeReader, Shard, pieces_at, ranges_of, shards_of
from wei7core.limits import DEFAULT_LIMITS

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def shards(path, size=1 << 26, column="data"):
    """The shards of what is at a path, its large files cut by one process."""
    pieces, _ = pieces_at(str(path), column, size)
    reader = pickle.loads(pickle.dumps(RangeReader(DEFAULT_LIMITS)))
    found = [reader(range) for range in pickle.loads(pickle.dumps(ranges_of(pieces, size)))]
    return shards_of(pieces, found[::-1], size)


def written(folder, path, size, options=None, column="data"):
    """The rows of all parts, which one process makes one after the other."""
    os.makedirs(folder)
    writer = pickle.loads(pickle.dumps(PartWriter(str(folder), column, options or Options())))
    made = [writer(shard) for shard in shards(path, size, column)]
    assert [one.number for one in made] == list(range(len(made)))
    assert sorted(os.listdir(folder)) == [f"part-{number:06}.parquet" for number in range(len(made))]
    for name in os.listdir(folder):
        assert parquet.read_schema(os.path.join(folder, name)) == replay_schema(options or Options())
    return rows_in(folder), made


@pytest.mark.parametrize("size", [1, 300, 1 << 26])
def test_parts_hold_the_rows_of_a_local_run(tmp_path, size):
    make_files(tmp_path / "games")
    games = str(tmp_path / "games")
    rows, made = written(tmp_path / "rows", games, size, Options(board=True))
    results = wei7core.replay(games, board=True)
    assert rows == local_rows(games, board=True)
    assert sum(one.records for one in made) == len(results)
    assert sum(one.moves for one in made) == results.move_count
    assert sum((Counter(one.problems) for one in made), Counter({})) == results.problems
    assert sum((Counter(one.failures) for one in made), Counter({})) == results.error_codes
    assert pieces_at(games)[1] == 1


@pytest.mark.parametrize("size", [1, 300, 1 << 26])
def test_positions_go_into_another_folder(tmp_path, size):
    make_files(tmp_path / "games")
    parquet.write_table(pa.table({"data": pa.array(VALUES, pa.binary())}), tmp_path / "games" / "g.parquet")
    for name in ("rows", "positions"):
        (tmp_path / name).mkdir()
    writer = PartWriter(str(tmp_path / "rows"), "data", Options(positions=True), str(tmp_path / "positions"))
    for shard in shards(tmp_path / "games", size):
        writer(shard)
    names = sorted(os.listdir(tmp_path / "rows"))
    assert sorted(os.listdir(tmp_path / "positions")) == names
    tables = [parquet.read_table(tmp_path / "positions" / name) for name in names]
    assert {table.schema for table in tables} == {positions_schema()}
    found = [row for table in tables for row in table.to_pylist()]
    in_table = [row for row in found if row["source"].endswith("g.parquet")]
    local = wei7core.replay(str(tmp_path / "games"), positions=True).positions.to_arrow().to_pylist()
    assert len(local) > 20
    assert [row for row in found if row not in in_table] == local
    batch = pa.record_batch({"data": pa.array(VALUES, pa.binary())})
    assert [row | {"source": "<bytes>"} for row in in_table] == arrow.positions_batch(batch).to_pylist()


def test_large_files_are_cut(tmp_path):
    values = [f"(;FF[4]SZ[9]GN[{k}];B[aa];W[bb]{';B[ss]' * (k % 7 == 3)})".encode() for k in range(300)]
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.sgf").write_bytes(b"\n".join(values))
    (tmp_path / "games" / "b.jsonl").write_bytes(b"\n".join([GOOD, BAD] * 40))
    (tmp_path / "games" / "c.sgf.gz").write_bytes(gzip.compress(b"\n".join(values[::-1]), 0))
    made = shards(tmp_path / "games", 2_000)
    by_name = Counter(piece.source[-8:] for shard in made for piece in shard.pieces)
    assert by_name["es/a.sgf"] > 5
    assert by_name["/b.jsonl"] > 5
    assert by_name["a.sgf.gz"] + by_name["c.sgf.gz"] == 1
    rows, _ = written(tmp_path / "rows", tmp_path / "games", 2_000)
    assert rows == local_rows(str(tmp_path / "games"))
    assert max(row["error_offset"] or 0 for row in rows) > 5_000


def test_a_part_made_again_is_the_same_file(tmp_path):
    make_files(tmp_path / "games")
    (shard,) = shards(tmp_path / "games")
    writer = PartWriter(str(tmp_path), "data", Options())
    path = tmp_path / "part-000000.parquet"
    first = (writer(shard), path.read_bytes())
    assert (writer(shard), path.read_bytes()) == first


def test_a_part_that_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    def full(old, new):
        raise OSError(28, "No space left on device")

    make_files(tmp_path / "games")
    (shard,) = shards(tmp_path / "games")
    (tmp_path / "rows").mkdir()
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        PartWriter(str(tmp_path / "rows"), "data", Options())(shard)
    assert os.listdir(tmp_path / "rows") == []


def test_a_file_that_has_gone_is_a_row(tmp_path):
    make_files(tmp_path / "games")
    games = str(tmp_path / "games")
    made = shards(games, 1 << 10)
    os.unlink(tmp_path / "games" / "c.wei7")
    os.makedirs(tmp_path / "rows")
    for shard in made:
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
    made = shards(path, size, "game")
    assert [(piece.begin, piece.end, piece.first) for shard in made for piece in shard.pieces] == (
        [(k, k + 1, 10 * k) for k in range(5)] if size == 1 else [(0, 5, 0)]
    )
    rows, _ = written(tmp_path / "rows", path, size, column="game")
    wanted = [row._replace(source=path)._asdict() for row in expected(VALUES * 3)]
    assert rows == [{name: value for name, value in row.items() if name != "board"} for row in wanted]


def test_many_small_files_are_one_shard(tmp_path):
    for number in range(30):
        (tmp_path / f"{number:02}.sgf").write_bytes(VALUES[0])
    made = shards(tmp_path, 10 * len(VALUES[0]))
    assert [len(shard.pieces) for shard in made] == [10, 10, 10]
    assert [shard.number for shard in made] == [0, 1, 2]
    assert shards_of([]) == ()


def test_urls_are_read_and_written(tmp_path):
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed: it comes with each engine")
    make_files(tmp_path / "games")
    memory = fsspec.filesystem("memory")
    memory.put(str(tmp_path / "games"), "/wei7core-test/games", recursive=True)
    try:
        writer = PartWriter("memory://wei7core-test/rows", "data", Options())
        for shard in shards("memory://wei7core-test/games", 1):
            writer(shard)
        memory.get("/wei7core-test/rows/", str(tmp_path / "rows"), recursive=True)
        rows = rows_in(tmp_path / "rows")
        games = str(tmp_path / "games")
        there = "memory:///wei7core-test/games"
        assert rows == [row | {"source": row["source"].replace(games, there)} for row in local_rows(games)]
        with pytest.raises(FileNotFoundError):
            pieces_at("memory://wei7core-test/nothing")
    finally:
        memory.rm("/wei7core-test", recursive=True)


def test_folders_over_http_are_found(tmp_path):
    pytest.importorskip("fsspec", reason="fsspec is not installed: it comes with each engine")
    pytest.importorskip("aiohttp", reason="fsspec needs aiohttp for HTTP")
    make_files(tmp_path / "games")
    handler = partial(QuietHandler, directory=str(tmp_path / "games"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        there, passed_over = pieces_at(f"{url}/")
        (alone,), _ = pieces_at(f"{url}/deep/e.sgf")
        with pytest.raises(FileNotFoundError):
            pieces_at(f"{url}/nothing.sgf")
        server.shutdown()
    here, _ = pieces_at(str(tmp_path / "games"))
    assert [(piece.source.replace(url, str(tmp_path / "games")), piece.size) for piece in there] == [
        (piece.source, piece.size) for piece in here
    ]
    assert passed_over == 1
    assert alone in there


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files of a folder without a log."""

    def log_message(self, *args):
        """Log nothing."""


def test_a_failed_job_prints_one_line_and_leaves_no_mark(tmp_path, capsys, monkeypatch):
    class Broken:
        @staticmethod
        @contextmanager
        def cluster(address, jobs):
            def run(work, tasks):
                yield work(tasks[0])
                raise RuntimeError("the cluster has gone\nand a long traceback")

            yield run

    make_files(tmp_path / "games")
    monkeypatch.setattr(command, "_engine", lambda name: Broken)
    rows = str(tmp_path / "rows")
    assert main(["replay", str(tmp_path / "games"), "-o", rows, "--engine", "ray"]) == 2
    assert capsys.readouterr().err == "wei7core: ray: RuntimeError: the cluster has gone\n"
    assert os.listdir(rows) == ["part-000000.parquet"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "--engine", "ray"], "--engine requires -o FOLDER"),
        (["a", "--engine", "ray", "-o", "b", "--positions", "b"], "use another one for positions"),
        (["-", "--engine", "ray", "-o", "b"], "standard input"),
        (["a", "--engine", "ray", "-o", "b", "--resume"], "cannot be combined with --engine"),
        (["a", "--address", "auto"], "--address requires --engine"),
    ],
)
def test_wrong_usage(arguments, message, capsys):
    assert main(["replay", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_missing_engine_is_named(tmp_path, capsys, monkeypatch):

    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["replay", str(tmp_path), "-o", str(tmp_path / "rows"), "--engine", "ray"]) == 2
    assert "pip install 'wei7core[ray]'" in capsys.readouterr().err
    assert not (tmp_path / "rows").exists()


def test_a_path_that_is_not_there_is_named(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "_engine", lambda name: None)
    assert main(["replay", str(tmp_path / "x"), "-o", str(tmp_path / "rows"), "--engine", "ray"]) == 2
    assert f"{tmp_path / 'x'}: No such file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nothing-known://bucket/games", "nothing-known://bucket/games: ValueError: Protocol not known"),
        ("missing.parquet", "no column 'data' in a batch of other"),
        ("broken.parquet", "broken.parquet: ArrowInvalid: "),
    ],
)
def test_what_cannot_be_read_is_named_in_a_line(path, message, tmp_path, capsys, monkeypatch):
    pytest.importorskip("fsspec", reason="fsspec is not installed: it comes with each engine")
    parquet.write_table(pa.table({"other": [1]}), tmp_path / "missing.parquet")
    (tmp_path / "broken.parquet").write_bytes(b"no table at all")
    monkeypatch.setattr(command, "_engine", lambda name: None)
    monkeypatch.chdir(tmp_path)
    assert main(["replay", path, "-o", "rows", "--engine", "ray"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert not (tmp_path / "rows").exists()


def test_a_url_that_needs_another_package_names_it(tmp_path, capsys, monkeypatch):
    pytest.importorskip("fsspec", reason="fsspec is not installed: it comes with each engine")
    monkeypatch.setitem(sys.modules, "s3fs", None)
    monkeypatch.setattr(command, "_engine", lambda name: None)
    assert main(["replay", "s3://bucket/games", "-o", str(tmp_path / "rows"), "--engine", "ray"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "s3://bucket/games: ImportError: Install s3fs" in line


def test_a_shard_is_pickled():
    shard = Shard(3, ())
    assert pickle.loads(pickle.dumps(shard)) == shard
