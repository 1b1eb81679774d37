"""Files of records for jobs on clusters, and the rows that a job has written."""

import gzip
import json
import os
import re
import signal
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from samples import corpus
from samples.batch_texts import BAD, GOOD

import wei7core
from helpers.arrow_batches import SGF, VALUES
from wei7core.arrow.functions import Options, check_batch
from wei7core.cli.cluster import ClusterJob, replay_on_engine
from wei7core.cli.console import Tally
from wei7core.cli.main import main
from wei7core.engines.part_writer import PartWriter
from wei7core.sources.sources import Sources


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
    """The command writes rows and positions of a local run into new folders, prints how many, and into no others."""
    make_files(folder / "games")
    games, rows, positions = str(folder / "games"), str(folder / "rows"), (folder / "positions").as_uri()
    job = ["replay", games, "-o", rows, "--positions", positions, "--engine", engine]
    assert main([*job, "--jobs", "2", "--board"]) == 1
    assert rows_in(rows) == local_rows(games, board=True)
    local = wei7core.replay(games, positions=True).positions.to_arrow().to_pylist()
    assert rows_in(folder / "positions") == sorted(local, key=lambda row: (row["source"], row["record"]))
    assert os.path.exists(folder / "rows" / "_SUCCESS")
    assert os.path.exists(folder / "positions" / "_SUCCESS")
    errors = capsys.readouterr().err
    assert "10 records" in errors
    assert "1 other file skipped" in errors
    assert main(job) == 2
    assert "is not empty" in capsys.readouterr().err


def check_findings(check):
    """`check(table, keep=["key"])` of an engine gives the findings of each value."""
    import pyarrow

    table = pyarrow.table({"data": pyarrow.array(VALUES, pyarrow.binary()), "key": range(len(VALUES))})
    wanted = check_batch(table, keep=["key"], severity="info").to_pylist()
    found = [row | {"record": row["key"]} for row in check(table, keep=["key"], severity="info")]
    assert len(wanted) > len(VALUES)
    assert sorted(found, key=lambda row: row["key"]) == wanted


def check_corpus(engine, folder, address=None):
    """The 20,000 real games, most in one file: sorted, the rows of the engine are those of a local run."""
    import pyarrow
    from pyarrow import parquet

    with gzip.open(corpus.require() / "tygem-dev.sgf.gz") as file:
        texts = [text.data for text in Sources(file.read())]
    (folder / "games").mkdir()
    for begin, end in ((0, 17_000), (17_000, 17_001), (17_001, 20_000)):
        (folder / "games" / f"{begin:05}.sgf").write_bytes(b"".join(texts[begin:end]))
    games, rows, local = str(folder / "games"), str(folder / "rows"), str(folder / "local.parquet")
    job = ClusterJob(engine, [games], rows, Options(board=True), address, jobs=2, shard_bytes=1 << 22)
    replay_on_engine(job, Tally())
    assert main(["replay", games, "-o", local, "--board", "-q"]) in (0, 1)
    order = [("source", "ascending"), ("record", "ascending")]
    parts = [parquet.read_table(path) for path in Path(rows).glob("part-*.parquet")]
    found, wanted = pyarrow.concat_tables(parts).sort_by(order), parquet.read_table(local).sort_by(order)
    assert len(found) == len(texts)
    assert 6 <= len(parts) <= 8
    assert found.equals(wanted)


def check_killed_worker(module, engine, folder, monkeypatch):
    """A worker that is killed during a part of the job loses no row and doubles none."""
    if not hasattr(signal, "SIGKILL"):
        pytest.skip("there is no SIGKILL on this system")
    make_files(folder / "games")
    mark = str(folder / "killed")
    cluster = module.cluster

    @contextmanager
    def deadly(address, jobs):
        with cluster(address, jobs) as run:
            yield lambda work, tasks: run(Killing(work, mark) if isinstance(work, PartWriter) else work, tasks)

    monkeypatch.setattr(module, "cluster", deadly)
    tally = Tally()
    games, rows = str(folder / "games"), str(folder / "rows")
    replay_on_engine(ClusterJob(engine, [games], rows, Options(), jobs=2, shard_bytes=200), tally)
    assert {name for name in os.listdir(folder) if name.startswith("killed")} == {"killed-2", "killed-4"}
    assert rows_in(rows) == local_rows(games)
    assert tally.records == len(local_rows(games))
    names = sorted(os.listdir(rows))
    assert names == ["_SUCCESS", *[f"part-{number:06}.parquet" for number in range(len(names) - 1)]]


@dataclass
class Killing:
    """Work that kills its process twice: when a part is made and nobody knows, and when one is not in its place yet."""

    work: PartWriter
    mark: str

    def __call__(self, shard):
        if self.is_first(shard, 4):
            os.replace = lambda old, new: os.kill(os.getpid(), signal.SIGKILL)
        made = self.work(shard)
        if self.is_first(shard, 2):
            os.kill(os.getpid(), signal.SIGKILL)
        return made

    def is_first(self, shard, number):
        """Whether it is the shard of that number, for the first time."""
        path = f"{self.mark}-{number}"
        if shard.number != number or os.path.exists(path):
            return False
        open(path, "w").close()
        return True


def copied_games():
    """The 20,000 real games, and after them some again: the same bytes, mirrored, and other games after 100 moves."""
    with gzip.open(corpus.require() / "tygem-dev.sgf.gz") as file:
        texts = [text.data for text in Sources(file.read())]
    copies = texts[100:130]
    mirrored = [
        re.sub(rb";([BW])\[([a-s])", lambda move: b";%c[%c" % (move[1], 2 * ord("j") - move[2][0]), text)
        for text in texts[200:230]
    ]
    forks = [b";".join(text.split(b";")[:102]) + b";B[];W[])" for text in texts[300:330]]
    return texts + copies + mirrored + forks


def check_families(families_at, folder):
    """Games that are there twice: what an engine finds among 20,090 is what `wei7core.check` does.

    `families_at(path, by)` gives (key, moves, games, value of `by`) of the rows of `families`, for a file of Parquet.
    """
    import pyarrow
    from pyarrow import parquet

    texts = copied_games()
    path = str(folder / "games.parquet")
    table = pyarrow.table({"key": range(len(texts)), "data": pyarrow.array(texts, pyarrow.binary())})
    parquet.write_table(table, path, row_group_size=4_000)
    found = defaultdict(dict)
    codes = "duplicate-bytes, duplicate-game, near-duplicate, shared-prefix"
    for finding in wei7core.check(texts, select=codes):
        found[finding.code][finding.record] = finding.evidence
    copies, same = set(found["duplicate-bytes"]), set(found["duplicate-game"])
    forked = found["near-duplicate"] | found["shared-prefix"]
    assert len(copies) >= 30
    assert len(same) >= 30
    assert len(forked) >= 30
    assert later(families_at(path, "text_key")) == copies
    games = [row for row in families_at(path, "game_key") if row[1] >= 10 and row[0] not in copies]
    assert later(games) == same
    starts = [row for row in families_at(path, "prefix_60") if row[0] not in copies | same]
    by_moves = {key for key, evidence in forked.items() if evidence.get("at_least", 0) >= 60}
    assert by_moves <= later(starts) <= set(forked)


def later(rows):
    """The keys of rows but for the first of each family, whose sizes are right."""
    families = defaultdict(list)
    for key, _, _, value in rows:
        families[value].append(key)
    return {key for keys in families.values() for key in sorted(keys)[1:]}
