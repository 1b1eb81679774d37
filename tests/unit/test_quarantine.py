"""Records put aside: which, where, under which names, and what happens when something is in the way."""

import bz2
import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from samples.checking_cases import GAME, KO, MOVES, sgf, step, wei7

from wei7core.checking import quarantine as module
from wei7core.checking.check import check
from wei7core.checking.finding import Finding
from wei7core.checking.quarantine import PutAside, QuarantineError, quarantine
from wei7core.checking.safe_names import folder_parts

OCCUPIED = sgf(f"{MOVES} Wbb")
RETAKEN = sgf(f"{KO} Bcb", head="RU[Japanese]")
LINE = wei7([step(1, 0, 0), step(2, 0, 0)])
CLEAN_LINE = wei7([step(1, 2, 2), step(2, 2, 1), step(1, 1, 1)])


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder):
    """Every file below a folder, by its path in it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def put(folder, *inputs, **options):
    """What is put aside of a check of `inputs`, without the list of findings."""
    done = quarantine(check(inputs, ignore="games"), inputs, folder / "aside", **options)
    there = files(folder / "aside")
    there.pop("findings.csv", None)
    return done, there


def finding(source, record=0):
    return Finding("move-occupied", "error", source, record, None, None, None, None, None, None, 0, 1, 1, "-;0", "text")


def test_files_of_one_record_are_copied_as_they_are(folder):
    (folder / "in").mkdir()
    packed = gzip.compress(OCCUPIED)
    for name, data in {"a.sgf": OCCUPIED, "b.sgf": GAME, "c.sgf.gz": packed, "d.wei7": LINE}.items():
        (folder / "in" / name).write_bytes(data)
        os.utime(folder / "in" / name, (1_000_000_000, 1_000_000_000))
    done, there = put(folder, "in")
    assert done == PutAside(3, 0, 0)
    assert there == {"in/a.sgf": OCCUPIED, "in/c.sgf.gz": packed, "in/d.wei7": LINE}
    assert (folder / "aside" / "in" / "a.sgf").stat().st_mtime == 1_000_000_000
    assert sorted(os.listdir("in")) == ["a.sgf", "b.sgf", "c.sgf.gz", "d.wei7"]


def test_files_of_one_record_are_moved_on_request(folder):
    (folder / "in").mkdir()
    (folder / "in" / "a.sgf").write_bytes(OCCUPIED)
    (folder / "in" / "b.sgf").write_bytes(GAME)
    (folder / "in" / "many.sgf").write_bytes(OCCUPIED + GAME)
    done, there = put(folder, "in", move=True)
    assert done == PutAside(2, 1, 0)
    assert there == {"in/a.sgf": OCCUPIED, "in/many-000000.sgf": OCCUPIED}
    assert sorted(os.listdir("in")) == ["b.sgf", "many.sgf"]


def test_records_of_many_have_a_file_each_with_their_own_bytes(folder):
    (folder / "games.sgf.gz").write_bytes(gzip.compress(GAME + b"\n" + OCCUPIED + b"\n" + GAME + RETAKEN))
    (folder / "lines.jsonl").write_bytes(CLEAN_LINE + b"\n" + LINE + b"\n" + LINE)
    done, there = put(folder, "games.sgf.gz", "lines.jsonl", move=True)
    assert done == PutAside(4, 0, 0)
    assert {name: data.strip() for name, data in there.items()} == {
        "games-000001.sgf": OCCUPIED,
        "games-000003.sgf": RETAKEN,
        "lines-000001.wei7": LINE,
        "lines-000002.wei7": LINE,
    }
    assert (folder / "games.sgf.gz").exists()


def test_members_of_archives(folder):
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr("inner/x.sgf", OCCUPIED)
        archive.writestr("inner/y.sgf", GAME)
        archive.writestr("z.sgf.bz2", bz2.compress(OCCUPIED))
        archive.writestr("many.sgf", GAME + RETAKEN)
    done, there = put(folder, "a.zip", move=True)
    assert done == PutAside(3, 0, 0)
    assert there == {"a.zip!/inner/x.sgf": OCCUPIED, "a.zip!/z.sgf": OCCUPIED, "a.zip!/many-000001.sgf": RETAKEN}
    assert (folder / "a.zip").exists()


@pytest.mark.parametrize(
    "name",
    ["../../x.sgf", "/etc/x.sgf", "..\\..\\x.sgf", "C:\\x.sgf", "a/../../x.sgf", "./x.sgf", "nul.sgf", "a/./b/x.sgf",
     "\x1b[31m.sgf", ".hidden.sgf", "con/x.sgf", "a./x.sgf", "-rf.sgf", "a\nb.sgf", "x" * 200 + ".sgf",
     "/".join("d" * 40) + "/x.sgf"],
)  # fmt: skip
def test_no_name_leads_out_of_the_folder(folder, name):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.size = len(OCCUPIED)
        archive.addfile(member, io.BytesIO(OCCUPIED))
    (folder / "in").mkdir()
    (folder / "in" / "a.tar").write_bytes(data.getvalue())
    done, there = put(folder, "in")
    assert done.records == 1
    (path,) = there
    assert there[path] == OCCUPIED
    assert path.startswith("in/a.tar!/") or path.count("/") == 12
    for part in path.split("/"):
        assert part.isprintable() and part not in ("", ".", "..") and part[0] not in ".-~"
        assert not set(part) & set('<>:"|?*\\') and part == part.rstrip(". ") and len(part) <= 120
        assert part.split(".")[0].lower() not in ("con", "nul")
    assert sorted(os.listdir(folder)) == ["aside", "in"]


def test_absolute_and_upward_paths_are_folders_like_others(folder):
    (folder / "in").mkdir()
    (folder / "here").mkdir()
    (folder / "in" / "a.sgf").write_bytes(OCCUPIED)
    os.chdir(folder / "here")
    _, there = put(folder, "../in/a.sgf")
    assert there == {"_/in/a.sgf": OCCUPIED}
    _, there = put(folder, str(folder / "in" / "a.sgf"))
    there.pop("findings-2.csv")
    assert len(there) == 2
    assert all(path.endswith("in/a.sgf") for path in there)
    assert folder_parts("/a/b.sgf") == ["a"]
    assert folder_parts("b.sgf") == []


def test_inputs_may_be_one_path_or_text(folder):
    (folder / "in").mkdir()
    (folder / "in" / "a.sgf").write_bytes(OCCUPIED)
    found = list(check("in", ignore="games"))
    assert quarantine(found, "in", "aside") == quarantine(found, Path("in"), "other") == PutAside(1, 0, 0)
    assert files(folder / "aside")["in/a.sgf"] == OCCUPIED
    assert quarantine(check(OCCUPIED, ignore="games"), OCCUPIED, "text") == PutAside(1, 0, 0)
    with pytest.raises(QuarantineError, match="inside an input folder"):
        quarantine(found, "in", "in/aside")


def test_files_that_are_there_stay(folder):
    (folder / "a.sgf").write_bytes(OCCUPIED)
    (folder / "aside").mkdir()
    (folder / "aside" / "a.sgf").write_bytes(b"mine")
    (folder / "aside" / "findings.csv").write_bytes(b"mine")
    (folder / "aside" / "other.txt").write_bytes(b"mine")
    quarantine(check("a.sgf", ignore="games"), ["a.sgf"], "aside")
    quarantine(check("a.sgf", ignore="games"), ["a.sgf"], "aside")
    there = files(folder / "aside")
    lists = [there.pop(f"findings-{number}.csv") for number in (2, 3)]
    assert lists[0] == lists[1] and lists[0].count(b"\n") == 2
    mine = {name: there.pop(name) for name in ("a.sgf", "findings.csv", "other.txt")}
    assert set(mine.values()) == {b"mine"}
    assert there == {"a-2.sgf": OCCUPIED, "a-3.sgf": OCCUPIED}
    assert sorted(os.listdir("aside")) == sorted([*mine, *there, "findings-2.csv", "findings-3.csv"])


def test_members_of_one_name_get_names_of_their_own(folder):
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(folder / "a.zip", "w") as archive:
        for data in (OCCUPIED, RETAKEN, OCCUPIED):
            archive.writestr("x.sgf", data)
        archive.writestr("x.sgf/y.sgf", OCCUPIED)  # a file, and a folder of that name
    _, there = put(folder, "a.zip")
    assert sorted(there.values()) == sorted([OCCUPIED, RETAKEN, OCCUPIED, OCCUPIED])
    assert {"a.zip!/x.sgf", "a.zip!/x-2.sgf", "a.zip!/x-3.sgf"} <= set(there)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_lead_nowhere(folder):
    (folder / "in").mkdir()
    (folder / "elsewhere").mkdir()
    (folder / "in" / "a.sgf").write_bytes(OCCUPIED)
    (folder / "aside").mkdir()
    (folder / "aside" / "in").symlink_to(folder / "elsewhere")
    _, there = put(folder, "in/a.sgf")
    assert there == {"in_a.sgf": OCCUPIED}
    assert os.listdir("elsewhere") == []
    assert (folder / "aside" / "in").is_symlink()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_above_other_folders_lead_nowhere(folder):
    (folder / "in" / "b" / "c").mkdir(parents=True)
    (folder / "elsewhere").mkdir()
    (folder / "in" / "b" / "c" / "a.sgf").write_bytes(OCCUPIED)
    (folder / "aside").mkdir()
    (folder / "aside" / "in").symlink_to(folder / "elsewhere")
    _, there = put(folder, "in")
    assert there == {"in_b_c_a.sgf": OCCUPIED}
    assert os.listdir("elsewhere") == [] and sorted(os.listdir("aside")) == ["findings.csv", "in", "in_b_c_a.sgf"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_of_a_link_the_content_is_copied_and_the_link_moved(folder):
    (folder / "in").mkdir()
    (folder / "real.sgf").write_bytes(OCCUPIED)
    (folder / "in" / "a.sgf").symlink_to("../real.sgf")
    done, there = put(folder, "in", move=True)
    assert done == PutAside(1, 1, 0)
    assert there == {"in/a.sgf": OCCUPIED}
    assert not (folder / "aside" / "in" / "a.sgf").is_symlink()
    assert (folder / "real.sgf").read_bytes() == OCCUPIED
    assert os.listdir("in") == []


def test_an_input_that_is_named_twice_is_put_aside_once(folder):
    (folder / "a.sgf").write_bytes(OCCUPIED)
    (folder / "b.sgf").write_bytes(GAME)
    done, there = put(folder, "a.sgf", "b.sgf", "a.sgf", "./a.sgf", move=True)
    assert done.moved == 1
    assert there == {"a.sgf": OCCUPIED, "a-2.sgf": OCCUPIED}  # the second one by its other name
    assert not (folder / "a.sgf").exists()


def test_bytes_at_hand_can_be_put_aside(folder):
    inputs = [OCCUPIED + GAME, GAME, RETAKEN]
    done = quarantine(check(inputs, ignore="games"), inputs, "aside")
    assert done == PutAside(2, 0, 0)
    assert sorted(files(folder / "aside").items())[:2] == [
        ("bytes-000000.sgf", OCCUPIED),
        ("bytes-000003.sgf", RETAKEN),
    ]


def test_files_that_cannot_be_read_as_records(folder):
    (folder / "in").mkdir()
    (folder / "in" / "page.sgf").write_bytes(b"<html>")
    (folder / "in" / "damaged.zip").write_bytes(b"PK\3\4" + bytes(40))
    (folder / "in" / "cut.sgf.gz").write_bytes(gzip.compress(OCCUPIED * 50)[:-12])
    done, there = put(folder, "in", move=True)
    assert done.moved == 2
    assert there["in/page.sgf"] == b"<html>"
    assert there["in/damaged.zip"] == b"PK\3\4" + bytes(40)
    # It holds other records before the place where it is damaged.
    assert sorted(os.listdir("in")) == ["cut.sgf.gz"]


def test_an_archive_that_is_damaged_after_good_members_stays_where_it_is(folder):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name in ("a.sgf", "b.sgf"):
            member = tarfile.TarInfo(name)
            member.size = len(GAME)
            archive.addfile(member, io.BytesIO(GAME))
    (folder / "a.tar").write_bytes(data.getvalue()[:1100] + b"x" * 400)
    done, there = put(folder, "a.tar", move=True)
    assert (folder / "a.tar").exists()
    assert done.moved == 0 and done.lost == 1
    assert there == {}


def test_a_record_that_has_gone_is_reported(folder):
    (folder / "a.sgf").write_bytes(OCCUPIED)
    assert quarantine([finding("a.sgf"), finding("gone.sgf")], ["a.sgf"], "aside") == PutAside(1, 0, 1)
    assert quarantine([], ["a.sgf"], "nothing") == PutAside(0, 0, 0)
    assert not (folder / "nothing").exists()


def test_the_list_holds_every_finding(folder):
    (folder / "a.sgf").write_bytes(OCCUPIED)
    quarantine([finding("a.sgf")] * 3000, ["a.sgf"], "aside")
    lines = (folder / "aside" / "findings.csv").read_text().splitlines()
    assert len(lines) == 3001
    assert set(lines[1:]) == {"move-occupied,error,a.sgf,0,,,,,,,0,1,1,-;0,text"}


def test_a_record_may_be_called_as_the_list_is(folder):
    (folder / "findings.csv").write_bytes(OCCUPIED)
    quarantine(check("findings.csv"), ["findings.csv"], "aside")
    there = files(folder / "aside")
    assert there.pop("findings-2.csv") == OCCUPIED
    assert there.pop("findings.csv").startswith(b"code,severity,")


@pytest.mark.parametrize(
    ("is_new", "fails"),
    [(True, "copy"), (False, "copy"), (True, "appear"), (False, "appear"), (False, "at the third file")],
)
def test_where_something_goes_wrong_nothing_stays_and_nothing_is_moved(folder, monkeypatch, is_new, fails):
    (folder / "in").mkdir()
    for name in "abc":
        (folder / "in" / f"{name}.sgf").write_bytes(OCCUPIED)
    if not is_new:
        (folder / "aside").mkdir()
    before, names = files(folder), sorted(folder.rglob("*"))

    def fail(*_):
        raise OSError(28, "No space left on device")

    if fails == "copy":
        monkeypatch.setattr(module._Staging, "copy", fail)
    elif fails == "appear":
        monkeypatch.setattr(module.os, "rename", fail)
        monkeypatch.setattr(module, "_rename_to_new", fail)
    else:
        real, count = module._rename_to_new, iter(range(10))
        monkeypatch.setattr(module, "_rename_to_new", lambda *args: fail() if next(count) == 2 else real(*args))
    with pytest.raises(OSError, match="No space left"):
        quarantine(check("in", ignore="games"), ["in"], "aside", move=True)
    assert files(folder) == before
    assert sorted(folder.rglob("*")) == names


def test_without_links_files_are_renamed(folder, monkeypatch):
    def fail(*_):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(module.os, "link", fail)
    (folder / "a.sgf").write_bytes(OCCUPIED)
    (folder / "aside").mkdir()
    (folder / "aside" / "a.sgf").write_bytes(b"mine")
    _, there = put(folder, "a.sgf")
    assert there == {"a.sgf": b"mine", "a-2.sgf": OCCUPIED}


@pytest.mark.parametrize("with_links", [True, False])
def test_a_file_that_comes_between_stays(folder, monkeypatch, with_links):
    """Another program takes the name after it was found to be free."""
    real = module._Names.free

    def free(names, folders, name):
        path = real(names, folders, name)
        if os.path.dirname(path) == str(folder / "aside") and path.endswith("a.sgf"):
            with open(path, "xb") as file:
                file.write(b"theirs")
        return path

    def fail(*_):
        raise OSError(1, "Operation not permitted")

    if not with_links:
        monkeypatch.setattr(module.os, "link", fail)
    monkeypatch.setattr(module._Names, "free", free)
    (folder / "a.sgf").write_bytes(OCCUPIED)
    (folder / "aside").mkdir()
    _, there = put(folder, "a.sgf")
    assert there == {"a.sgf": b"theirs", "a-2.sgf": OCCUPIED}


def test_folders_that_will_not_do(folder):
    (folder / "in" / "deep").mkdir(parents=True)
    (folder / "in" / "a.sgf").write_bytes(OCCUPIED)
    for target, message in (
        ("in", "inside"),
        ("in/deep", "inside"),
        ("in/new", "inside"),
        ("in/a.sgf", "not a folder"),
    ):
        with pytest.raises(QuarantineError, match=message):
            quarantine([], ["in"], target)
    with pytest.raises(QuarantineError, match="standard input"):
        quarantine([], ["-"], "aside")
    with pytest.raises(OSError, match="nowhere") as raised:
        quarantine([], ["in"], "nowhere/aside")
    assert raised.value.filename == "nowhere/aside"
    assert files(folder) == {"in/a.sgf": OCCUPIED}
