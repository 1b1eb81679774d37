"""Where `convert` puts the file of each record: folders and archives are mirrored, and no file hides another."""

import io
import os
import tarfile
import zipfile

import pytest

import wei7core as w7
from wei7core.cli import main as cli

GAME = b'{"format":"wei7","version":"3.0","size":9,"tree":{}}'
SGF = b"(;SZ[9]GN[a game])"
XML = b'<wei7 version="2.2"><size>9</size><moves><pre/></moves></wei7>'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fill(folder, files):
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def converted(folder, source, *, to="sgf", target="out", status=0):
    assert cli.main(["convert", str(source), target, "--to", to, "-q"]) == status
    return sorted(
        path.relative_to(folder / target).as_posix() for path in (folder / target).rglob("*") if path.is_file()
    )


@pytest.mark.parametrize("source", ["in", "in/", "./in", "in/2024/.."])
def test_a_folder_is_mirrored(folder, source):
    fill(folder, {"in/a.wei7": GAME, "in/2024/05/b b.sgf": SGF, "in/2024/ç.wei7": XML, "in/notes.txt": b"no record"})
    assert converted(folder, source) == ["2024/05/b b.sgf", "2024/ç.sgf", "a.sgf"]
    assert w7.load("out/2024/05/b b.sgf").info.name == "a game"


def test_a_folder_that_is_there_keeps_what_else_it_has(folder):
    fill(folder, {"in/x/a.wei7": GAME, "in/b.wei7": GAME, "out/x/other.sgf": SGF, "out/b.sgf": b"old"})
    assert converted(folder, "in") == ["b.sgf", "x/a.sgf", "x/other.sgf"]
    assert (folder / "out" / "b.sgf").read_bytes() != b"old"


def test_the_whole_path_of_the_source_may_be_given(folder):
    fill(folder, {"in/x/a.wei7": GAME})
    assert converted(folder, folder / "in") == ["x/a.sgf"]


def test_files_of_many_records_become_folders(folder):
    fill(folder, {"in/y.sgf": SGF + b"\n(;SZ[5])", "in/x.jsonl": GAME + b"\n" + GAME, "in/z.sgf": SGF})
    assert converted(folder, "in", to="wei7") == [
        "x/000001.wei7",
        "x/000002.wei7",
        "y/000001-a_game.wei7",
        "y/000002.wei7",
        "z.wei7",
    ]


def test_no_file_hides_another(folder):
    fill(folder, {"in/a.wei7": GAME, "in/a.sgf": SGF, "in/a.sgf.wei7": XML, "in/A.jsonl": GAME + b"\n" + GAME})
    fill(folder, {"in/b.sgf/c.wei7": GAME, "in/b.wei7": GAME, "in/A/000001.wei7": GAME})
    there = converted(folder, "in")
    assert len(there) == 8
    assert {"a.sgf", "b.sgf"} <= set(there)
    assert len({name.casefold() for name in there}) == 8


def test_archives_are_mirrored_and_lead_nowhere_else(folder):
    with zipfile.ZipFile("games.zip", "w") as archive:
        for name in ("x/a.wei7", "../../up.wei7", "/etc/root.wei7", "c:\\d\\e.wei7", "nul.wei7", "x/."):
            archive.writestr(name, GAME)
    expected = ["_/_/up.sgf", "_nul.sgf", "c_/d/e.sgf", "etc/root.sgf", "x/a.sgf"]
    assert converted(folder, "games.zip") == expected
    os.makedirs("in/deep")
    os.rename("games.zip", "in/deep/games.zip")
    assert converted(folder, "in", target="other") == sorted(f"deep/games/{name}" for name in expected)
    assert sorted(os.listdir(folder)) == ["in", "other", "out"]


def test_compressed_archives_and_files(folder):
    with tarfile.open("games.tar.gz", "w:gz") as archive:
        member = tarfile.TarInfo("x/many.sgf")
        member.size = len(SGF) * 2
        archive.addfile(member, io.BytesIO(SGF + SGF))
    assert converted(folder, "games.tar.gz", to="giseong", status=1, target="none") == []
    assert not os.path.exists("none")
    assert converted(folder, "games.tar.gz", to="wei7") == ["x/many/000001-a_game.wei7", "x/many/000002-a_game.wei7"]


def test_long_names_are_cut(folder):
    name = "围" * 83  # 249 bytes, and 5 of the suffix
    fill(folder, {f"in/{name}.sgf": SGF})
    (only,) = converted(folder, "in", to="wei7")
    assert only == "围" * 66 + ".wei7"


def test_broken_records_among_others_leave_gaps_only(folder):
    fill(folder, {"in/x/bad.sgf": b"(;GM[3])", "in/x/good.wei7": GAME, "in/y/empty.wei7": b""})
    assert converted(folder, "in", status=1) == ["x/good.sgf"]
