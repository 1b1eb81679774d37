"""Files of records for jobs on clusters, and the rows that a job has written."""

import gzip
import json
import os
import signal
from pathlib import Path

import corpus
import pytest
from arrow_batches import SGF, VALUES
from batch_texts import BAD, GOOD

import wei7core
from wei7core.arrow import Options
from wei7core.cli import main
from wei7core.console import Tally
from wei7core.engines.command import ClusterJob, replay_on_engine
from wei7core.sources import Sources


def make_files(folder):
    """Files of every kind that a folder may have, several records in some, and one that is passed over."""
    folder.mkdir()
    (folder / "deep").mkdir()
    (folder / "a.sgf").write_bytes(SGF + b"\n" + SGF.replace(b"one", b"two"))
    (folder / "b.jsonl").write_bytes(b"\n".join([GOOD, BAD, b"", b"{nonsense", GOOD]))
    (folder / "c.wei7").write_bytes(json.dumps(json.loads(GOOD), indent=1).encode())
    (folder / "deep" / "d.sgf.gz").write_bytes(VALUES[11])
    (folder / "deep" / "e.sgf").write_bytes(b"(;SZ[3];B[aa];W[aa])")
    (folder / "deep" / "f.sgf").write_bytes(b"")
    (folder / "notes.txt").write_bytes(b"no record")


def rows_in(folder):
    """All rows of the parts of an output, sorted by their place in the input."""
    from pyarrow import parquet

    paths = sorted(Path(folder).glob("part-*.parquet"))
    rows = [row for path in paths for row in parquet.read_table(path).to_pylist()]
    return sorted(rows, key=lambda row: (row["source"], row["record"]))


def local_rows(*paths, **options):
    """The rows of a replay without an engine, sorted in the same way."""
    rows = wei7core.replay(paths, **options).to_arrow().to_pylist()
    return sorted(rows, key=lambda row: (row["source"], row["record"]))


GAMES = [
    b"(;SZ[9]GN[a];B[cd];W[ee];B[gg])",
    b"(;SZ[9]GN[b];B[dc];W[ee];B[gg])",
    b"(;SZ[9]GN[c];B[cd];W[ee];B[gh])",
    b"(;SZ[9])",
    b"no record",
    b"(;SZ[9]GN[d];B[gh];W[ee];B[cd])",
    b"(;SZ[9]GN[e];B[fg];W[ee];B[cc])",
    b"(;SZ[9]GN[f];B[gh];W[ee];B[cd];W[cc])",
    None,
    b"(;SZ[9])",
    b"(;SZ[9]GN[g];B[hg];W[ee];B[dc];W[cc])",
]
"""Games of which some are there in other words and turned: 0, 1 and 6; 7 and 10."""

FAMILIES = {0: 3, 1: 3, 6: 3, 7: 2, 10: 2}
"""The number of games that are the same as each of those that are there more than once."""


def check_command(engine, folder, capsys):
    """The command writes the rows of a local run into a new folder, says how many, and into no other folder."""
    make_files(folder / "games")
    games, rows = str(folder / "games"), str(folder / "rows")
    assert main(["replay", games, "-o", rows, "--engine", engine, "--jobs", "2", "--board"]) == 1
    assert rows_in(rows) == local_rows(games, board=True)
    assert os.path.exists(folder / "rows" / "_SUCCESS")
    said = capsys.readouterr().err
    assert "10 records" in said
    assert "1 other file passed over" in said
    assert main(["replay", games, "-o", rows, "--engine", engine]) == 2
    assert "holds files already" in capsys.readouterr().err


def check_corpus(engine, folder):
    """The 20,000 real games in several files: sorted, the rows of the engine are those of a local run."""
    import pyarrow
    from pyarrow import parquet

    with gzip.open(corpus.require() / "tygem-dev.sgf.gz") as file:
        texts = [text.data for text in Sources(file.read())]
    (folder / "games").mkdir()
    for number in range(0, len(texts), 2_500):
        (folder / "games" / f"{number:05}.sgf").write_bytes(b"".join(texts[number : number + 2_500]))
    games, rows, local = str(folder / "games"), str(folder / "rows"), str(folder / "local.parquet")
    job = ClusterJob(engine, [games], rows, Options(board=True), jobs=2, shard_bytes=1 << 22)
    replay_on_engine(job, Tally())
    assert main(["replay", games, "-o", local, "--board", "-q"]) in (0, 1)
    order = [("source", "ascending"), ("record", "ascending")]
    parts = [parquet.read_table(path) for path in Path(rows).glob("part-*.parquet")]
    found, wanted = pyarrow.concat_tables(parts).sort_by(order), parquet.read_table(local).sort_by(order)
    assert (len(parts), len(found)) == (8, len(texts))
    assert found.equals(wanted)


def check_killed_worker(module, engine, folder, monkeypatch):
    """A worker that is killed with a part of the job at hand loses no row and doubles none."""
    if not hasattr(signal, "SIGKILL"):
        pytest.skip("there is no SIGKILL on this system")
    make_files(folder / "games")
    mark = str(folder / "killed")
    run = module.run
    monkeypatch.setattr(module, "run", lambda work, tasks, **how: run(killing(work, mark), tasks, **how))
    tally = Tally()
    games, rows = str(folder / "games"), str(folder / "rows")
    replay_on_engine(ClusterJob(engine, [games], rows, Options(), jobs=2, shard_bytes=1), tally)
    assert os.path.exists(mark)
    assert rows_in(rows) == local_rows(games)
    assert tally.records == len(local_rows(games))


def killing(work, mark):
    """Work that kills its process, once, when it has made the part of the third shard and not said so yet."""

    def killer(shard):
        made = work(shard)
        if shard.number == 2 and not os.path.exists(mark):
            open(mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return made

    return killer
