"""`check --resume`: what was judged is not judged again, and findings are the same."""

import os
import shutil
from binascii import crc32
from pathlib import Path

import numpy as np
import pytest
from helpers.kills import make_input

from wei7core.batch import run as batch
from wei7core.batch.resume import ResumeError, unfinished
from wei7core.batch.run import ResumePoint
from wei7core.checking import check as check_module
from wei7core.checking import findings_codec as kept_findings
from wei7core.checking.check import check
from wei7core.checking.findings_codec import FinishedPart, PartKeeper, read_part
from wei7core.cli import main as cli
from wei7core.sources import sources

LEAST_OF_RANGES = 1 << 23


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sources, "LEAST_BYTES", LEAST_OF_RANGES)
    monkeypatch.setattr(batch, "_TASK_BYTES", 1 << 18)  # one block of at most a megabyte
    monkeypatch.setattr(kept_findings, "_PART_BYTES", 1 << 20)
    make_input(tmp_path, 1600)
    text = Path("in.jsonl").read_bytes()
    Path("in.jsonl").write_bytes(text + text[: 1 << 16].rpartition(b"\n")[0] + b"\n")  # copies of games
    return tmp_path


@pytest.fixture
def judged(monkeypatch):
    """The records of each group that was judged; an interrupt comes when `most` of them were."""

    class Judged(list):
        most = None

    found = Judged()
    of_group = check_module.Check._judge

    def judge(self, screen, group):
        made = of_group(self, screen, group)
        found.append(made.records)
        if found.most is not None and sum(found) > found.most:
            raise KeyboardInterrupt
        return made

    monkeypatch.setattr(check_module.Check, "_judge", judge)
    return found


def interrupted(judged, most, *arguments):
    judged.clear()
    judged.most = most
    assert cli.main([*arguments, "--resume"]) == 130
    judged.clear()
    judged.most = None


def large_file():
    text = Path("in.jsonl").read_bytes()
    assert len(text) < LEAST_OF_RANGES <= 2 * len(text)
    Path("large.jsonl").write_bytes(text * 2)  # it is read in ranges
    return ["in.jsonl", "large.jsonl", "in.jsonl"]


def small_files():
    os.mkdir("files")
    for number, line in enumerate(Path("in.jsonl").read_bytes().splitlines()):
        Path("files", f"{number:03}.wei7").write_bytes(line)
    return ["files"]


def games_of_a_collection():
    texts = [b"(;GM[1]SZ[9]GN[%d];B[aa];W[bb];W[aa]C[%2000d])\n" % (k % 250, k) for k in range(1500)]
    Path("games.sgf").write_bytes(b"".join(texts))
    return ["games.sgf", "none.sgf.gz", "in.jsonl"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", [lambda: ["in.jsonl"], large_file, small_files, games_of_a_collection])
@pytest.mark.parametrize(("kind", "options"), [("jsonl", []), ("csv", ["--severity", "info", "--ignore", "games"])])
def test_a_check_resumes_from_what_is_kept(folder, judged, capsys, make, kind, options):
    paths = make()
    if "none.sgf.gz" in paths:
        Path("none.sgf.gz").write_bytes(b"\x1f\x8b\x08 is not what it seems")
    out = f"o.{kind}"
    arguments = ["check", *paths, *options, "-o", out]
    assert cli.main(arguments) == 1
    whole = Path(out).read_bytes()
    summary = capsys.readouterr().err
    records = sum(judged)
    os.unlink(out)
    interrupted(judged, records * 3 // 4, *arguments)
    assert not os.path.exists(out)
    kept = len(list(Path(f"{out}.unfinished").glob("part-*")))
    assert kept >= 2
    interrupted(judged, records // 5, *arguments)
    assert len(list(Path(f"{out}.unfinished").glob("part-*"))) > kept, "it goes on from there more than once"
    capsys.readouterr()
    assert cli.main([*arguments, "--resume", "--jobs", "2"]) == 1
    assert 0 < sum(judged) <= records // 2
    assert Path(out).read_bytes() == whole
    assert without_times(capsys.readouterr().err) == without_times(summary)
    assert not os.path.exists(f"{out}.unfinished")


def without_times(summary):
    figures, _, codes = summary.partition("\n")
    return figures.rpartition(" s,")[0].rpartition(",")[0], codes


@pytest.mark.exhaustive
def test_a_quarantine_is_that_of_an_undisturbed_run(folder, judged):
    arguments = ["check", "in.jsonl", "-q", "-o", "o.csv", "--quarantine", "aside"]
    cli.main(arguments)
    whole = {path.name: path.read_bytes() for path in Path("aside").iterdir()}
    shutil.rmtree("aside")
    interrupted(judged, sum(judged) // 2, *arguments)
    assert not os.path.exists("aside")
    assert cli.main([*arguments, "--resume"]) == 1
    assert {path.name: path.read_bytes() for path in Path("aside").iterdir()} == whole


@pytest.mark.exhaustive
@pytest.mark.parametrize("more", [["--rules", "japanese"], ["--select", "moves"], ["--severity", "error"]])
def test_another_check_is_refused_in_one_line(folder, judged, capsys, more):
    arguments = ["check", "in.jsonl", "-q", "-o", "o.csv"]
    interrupted(judged, 900, *arguments)
    capsys.readouterr()
    assert cli.main([*arguments, *more, "--resume"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("wei7core: o.csv: ") and "belongs to a different run (options)" in line
    assert cli.main([*arguments, *more]) in (0, 1), "without --resume it is made anew"
    assert sorted(os.listdir()) == ["in.jsonl", "o.csv"]


def test_parts_of_another_layout_are_refused_in_one_line(folder, judged, capsys, monkeypatch):
    arguments = ["check", "in.jsonl", "-q", "-o", "o.csv"]
    interrupted(judged, 900, *arguments)
    capsys.readouterr()
    monkeypatch.setattr(kept_findings, "_FORM", 0)
    assert cli.main([*arguments, "--resume"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("wei7core: o.csv: ") and "belongs to a different run (layout)" in line


@pytest.mark.exhaustive
def test_a_part_of_something_else_is_reported(folder, judged, capsys):
    arguments = ["check", "in.jsonl", "-q", "-o", "o.csv"]
    interrupted(judged, 900, *arguments)
    capsys.readouterr()
    other = b"not what a check keeps"
    Path("o.csv.unfinished/part-000000").write_bytes(b"%08x\n" % crc32(other) + other)
    assert cli.main([*arguments, "--resume"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "a part of the unfinished run cannot be read" in line
    assert not os.path.exists("o.csv")


@pytest.mark.exhaustive
@pytest.mark.parametrize("output", [[], ["-o", os.devnull]])
def test_without_a_file_nothing_can_be_kept(folder, capsys, output):
    assert cli.main(["check", "in.jsonl", "--resume", *output]) == 2
    assert "--resume requires -o FILE" in capsys.readouterr().err


@pytest.mark.exhaustive
def test_parts_come_back_as_they_were(folder):
    """All kinds of findings, and rows of games of one source and of many."""
    parts = []
    with unfinished("o.csv", {"options": 1}) as kept:
        keeper = PartKeeper(kept)
        found = check(["in.jsonl", *small_files()], severity="info")
        found._taken = lambda part: parts.append(part) or iter(())
        assert list(found) == []
        for part, size in [(part, 1 << 19) for part in parts]:
            keeper.add(part, size)
        keeper.close()
        keeper.close()  # there is nothing left to keep
        read = [read_part(data) for data in kept]
    assert 1 < len(read) < len(parts)
    assert read[-1].place == parts[-1].place and read[0].place != parts[0].place
    assert sum(part.records for part in read) == sum(part.records for part in parts)
    assert [one for part in read for one in part.findings] == [one for part in parts for one in part.findings]
    before, after = ([rows for part in some for rows in part.games] for some in (parts, read))
    for name in ("records", "facts", "moves", "canonical_hashes", "id_sizes", "offsets", "lines"):
        assert np.array_equal(*(np.concatenate([getattr(rows, name) for rows in some]) for some in (before, after)))
    assert b"".join(rows.ids for rows in before) == b"".join(rows.ids for rows in after)
    assert [run for rows in before for run in rows.sources] == [run for rows in after for run in rows.sources]


def test_names_beyond_unicode_come_back():
    class Kept(list):
        add = list.append

    kept = Kept()
    keeper = PartKeeper(kept)
    (finding, *_) = check(b"(;GM[1]SZ[9];B[aa];W[aa])")
    odd = finding._replace(source="a\udcff.sgf", id="\ud83d", evidence={"point": (1, 2), "komi": 6.5, "none": None})
    keeper.add(FinishedPart(ResumePoint(3, 4), 5, [odd], []), 6)
    keeper.close()
    (part,) = map(read_part, kept)
    assert part == FinishedPart(ResumePoint(3, 4), 5, [odd._replace(evidence={**odd.evidence, "point": [1, 2]})], [])


def test_numbers_of_numpy_come_back_whole_or_not_at_all():
    kept = []
    (finding, *_) = check(b"(;GM[1]SZ[9];B[aa];W[aa])")

    class Kept:
        add = kept.append

    def keep(number):
        keeper = PartKeeper(Kept())
        keeper.add(FinishedPart(ResumePoint(), 1, [finding._replace(evidence={"a": number})], []), 1)
        keeper.close()

    keep(np.int64(7))
    assert read_part(kept[0]).findings[0].evidence == {"a": 7}
    with pytest.raises(TypeError):
        keep(np.float32(0.5))


def test_bytes_that_are_no_part_are_refused():
    with pytest.raises(ResumeError, match="cannot be read"):
        read_part(b"PK\x03\x04")
