"""The files of an index: records, segments, merges, damage and killed runs."""

from __future__ import annotations

import gc
import importlib
import os
import pickle
from typing import NamedTuple

import pytest
from helpers.effort import first
from oracles import found
from samples.index_games import REGIONS, own_files
from samples.listed_games import is_wei7, sgf, wei7, written

import wei7core as w7
from wei7core.batch.index import segment, segment_file
from wei7core.tables.writers import has_pyarrow


def test_a_folder_that_changes_while_it_is_indexed(games, tmp_path):
    """A game that is there before and after is there once, whatever changes in between."""
    texts = [sgf(game) for number, game in enumerate(games) if not is_wei7(number)]
    folders = [tmp_path / name for name in "abc"]
    stays, goes = {}, []
    for number, text in enumerate(texts):
        path = folders[number % 3] / f"{number:03}.sgf"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text)
        if number % 5:
            stays[str(path)] = text
        else:
            goes.append(path)

    def inputs():
        yield str(folders[0])
        for number, path in enumerate(goes):
            path.unlink()
            (path.parent / f"new-{number}.sgf").write_bytes(texts[number])
        (folders[1] / "deeper").mkdir()
        (folders[1] / "deeper" / "one.sgf").write_bytes(texts[0])
        yield str(folders[1])
        (folders[2] / "half.sgf").write_bytes(texts[1][:30])
        yield str(folders[2])

    index = w7.Index.create(tmp_path / "index", inputs(), jobs=2)
    sources = [row.source for row in index.games()]
    assert len(sources) == len(set(sources))
    assert set(stays) <= set(sources)
    rows = {row.source: row for row in index.games()}
    alone = {row.source: row for row in w7.Index.create(tmp_path / "alone", list(stays)).games()}
    for source in stays:
        assert rows[source][3:] == alone[source][3:]
    assert len(w7.Index.open(index.folder)) == len(sources)


def test_a_pickled_index_is_opened_where_it_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    index = w7.Index.create("games", [b"(;SZ[5];B[aa])"])
    data = pickle.dumps(index)
    index.add([b"(;SZ[5];B[bb])"])
    monkeypatch.chdir("/")
    again = pickle.loads(data)
    assert (len(again), again.folder) == (2, str(tmp_path / "games"))
    assert len(again.find(w7.Board(5))) == 2
    os.unlink(tmp_path / "games" / "index.json")
    with pytest.raises(FileNotFoundError, match="no index in this folder"):
        pickle.loads(data)


@pytest.mark.skipif(not has_pyarrow(), reason="metadata is Parquet")
def test_metadata_of_an_index_that_another_run_merges(tmp_path):
    folder = tmp_path / "games"
    index = w7.Index.create(folder, [b"(;SZ[5]PB[a0];B[aa])"])
    for number in range(1, 8):
        index.add([b"(;SZ[5]PB[a%d];B[aa])" % number])
    again = w7.Index.open(folder)
    index.add([b"(;SZ[5]PB[a8];B[aa])"])
    assert index.stats()["segments"] == 2 and len(again) == 8
    assert again.metadata(["black"])["black"].to_pylist() == [f"a{number}" for number in range(8)]
    board = w7.Board(5)
    assert len(again.find(board, where={"black": ["a3", "a8"]})) == 1
    assert len(again.find(board).continuations()) == 1
    for path in folder.glob("*.parquet"):
        path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(w7.IndexFileError, match="metadata"):
        again.metadata()


@pytest.mark.parametrize("make", [w7.Index.create, w7.Index.join])
@pytest.mark.parametrize("is_there", [False, True])
def test_an_interrupt_leaves_nothing_of_a_new_index(index, tmp_path, make, is_there):
    def interrupted():
        yield index.folder if make == w7.Index.join else b"(;SZ[9];B[aa])"
        raise KeyboardInterrupt

    folder = tmp_path / "new"
    if is_there:
        folder.mkdir()
    with pytest.raises(KeyboardInterrupt):
        make(folder, interrupted())
    assert os.listdir(tmp_path) == ["new"] * is_there
    assert not is_there or os.listdir(folder) == []


def test_an_interrupt_of_a_join_leaves_no_segment(index, tmp_path, monkeypatch):
    def interrupted(*arguments):
        merge(*arguments)
        raise KeyboardInterrupt

    module = importlib.import_module("wei7core.batch.index.index")
    merge = module.merge_segments
    monkeypatch.setattr(module, "merge_segments", interrupted)
    with pytest.raises(KeyboardInterrupt):
        w7.Index.join(tmp_path / "new", index.folder)
    assert os.listdir(tmp_path) == []


def test_an_interrupt_of_an_index_that_is_there(tmp_path):
    def interrupted():
        yield b"(;SZ[9];B[aa])"
        raise KeyboardInterrupt

    index = w7.Index.create(tmp_path / "index", b"(;SZ[9];B[bb])")
    before = sorted(os.listdir(index.folder))
    with pytest.raises(KeyboardInterrupt):
        index.add(interrupted())
    assert (sorted(os.listdir(index.folder)), len(w7.Index.open(index.folder))) == (before, 1)


def test_rows_of_records(index, games):
    rows = index.games()
    assert len(rows) == len(index) == 64
    for row, game in zip(rows, games, strict=True):
        assert (row.width, row.height, row.winner) == (game.width, game.height, game.winner)
        assert row.moves == found.frames(game)[-1].number
    assert index.stats()["games"] == 64
    assert index.stats()["positions"] == sum(len(found.frames(game)) for game in games)


def test_threads_write_the_same_files(games, tmp_path):
    texts = [b"no record", *written(games) * 3, b"(;SZ[9];B[aa]"]
    made = []
    for jobs in (1, 2, 5):
        index = w7.Index.create(tmp_path / str(jobs), texts, jobs=jobs)
        assert any(len(group.arrays["common_hashes"]) > 1 for group in index._segments[0].groups)
        made.append((tmp_path / str(jobs) / "segment-000000.w7s").read_bytes())
    assert made[1:] == made[:1] * 2


def test_records_that_cannot_be_played_have_a_row(tmp_path):
    occupied = found.Listed(3, 3, events=[("move", 1, (0, 0)), ("move", 2, (0, 0)), ("move", 1, (1, 1))])
    texts = [wei7(occupied), b"no record", b"(;GM[1]SZ[3];B[aa](;W[cc];B[bb])(;W[ca]))"]
    index = w7.Index.create(tmp_path / "index", texts)
    rows = index.games()
    assert [row.error is None for row in rows] == [False, False, True]
    assert index.stats()["without_board"] == 1
    assert [(row.game, row.move_number) for row in index.find("X..\n...\n...")] == [(0, 1), (2, 1)]
    assert len(index.find("?X?\n???\nO??")) == 0


def test_an_index_is_found_wrong_by_name(games, tmp_path):
    texts = written(games)
    index = w7.Index.create(tmp_path, texts[:9])
    index.add(texts[9:12])
    second = tmp_path / "segment-000001.w7s"
    good = second.read_bytes()
    for place in (0, 17, 40, len(good) // 2, 21, len(good) - 64):
        second.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        if not good[place] and place > len(good) - 128:
            continue
        with pytest.raises(w7.IndexFileError, match=r"segment-000001\.w7s: "):
            w7.Index.open(tmp_path)
    for size in (0, 10, 50, len(good) - 1):
        second.write_bytes(good[:size])
        with pytest.raises(w7.IndexFileError, match=r"segment-000001\.w7s: .*truncated"):
            w7.Index.open(tmp_path)
    second.write_bytes(good)
    assert len(w7.Index.open(tmp_path)) == 12
    second.unlink()
    with pytest.raises(w7.IndexFileError, match="missing"):
        w7.Index.open(tmp_path)
    second.write_bytes(good)
    manifest = tmp_path / "index.json"
    content = manifest.read_text()
    for wrong, problem in (
        (content[:40], "truncated"),
        (content.replace('"version": 4', '"version": 1'), "version 1"),
        (content.replace('"games": 9', '"games": 8'), "checksum"),
        ("[]", "none of an index"),
    ):
        manifest.write_text(wrong)
        with pytest.raises(w7.IndexFileError, match=rf"index\.json: .*{problem}"):
            w7.Index.open(tmp_path)


def test_verify_names_the_segment(games, tmp_path):
    index = w7.Index.create(tmp_path, written(games)[:9])
    index.verify()
    path = tmp_path / "segment-000000.w7s"
    with open(path, "r+b") as file:
        file.seek(-1024, os.SEEK_END)
        byte = file.read(1)[0]
        file.seek(-1024, os.SEEK_END)
        file.write(bytes([byte ^ 255]))
    with pytest.raises(w7.IndexFileError, match=r"segment-000000\.w7s: the checksum of .* is wrong"):
        index.verify()


def test_what_a_killed_run_leaves_does_no_harm(games, tmp_path):
    texts = written(games)
    index = w7.Index.create(tmp_path, texts[:5])
    (tmp_path / "segment-000001.w7s").write_bytes(b"half")
    (tmp_path / "segment-000007.w7s").write_bytes(b"half")

    def failing():
        yield texts[5]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        index.add(failing())
    assert len(index) == len(w7.Index.open(tmp_path)) == 5
    index.add(texts[5:7])
    assert len(w7.Index.open(tmp_path)) == 7
    assert sorted(path.name for path in tmp_path.iterdir()) == own_files(0, 1)
    with pytest.raises(FileExistsError):
        w7.Index.create(tmp_path, texts)


def test_an_empty_index(tmp_path):
    index = w7.Index.create(tmp_path / "new" / "index", [])
    assert len(index) == 0
    assert len(index.find("X", "corner")) == 0
    assert list(index.find("X", "corner").continuations()) == []
    assert index.add([b"(;SZ[5];B[aa])"]) == 1
    assert len(w7.Index.open(index.folder).find("X", "corner")) == 1


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(FileExistsError, match=r"letter\.txt"):
        w7.Index.create(tmp_path, [])
    with pytest.raises(FileNotFoundError):
        w7.Index.open(tmp_path)


def test_segments_are_cut_anywhere(games, tmp_path, monkeypatch):
    monkeypatch.setattr(segment, "_ROWS_A_SEGMENT", 1)
    texts = written(games)
    names = []
    for number, text in enumerate(texts):
        names.append(tmp_path / f"{number:03}.{'wei7' if is_wei7(number) else 'sgf'}")
        names[-1].write_bytes(text)
    index = w7.Index.create(tmp_path / "index", map(str, names), jobs=2)
    assert len(index) == 64
    hits, _ = found.search(games, ["X?", "?O"], "anywhere", True, True)
    assert [tuple(row) for row in index.find("X?\n?O", "anywhere", either_color=True)] == hits


@pytest.mark.exhaustive
def test_small_segments_are_merged_by_the_next_run(games, tmp_path):
    texts = [b"no record", *written(games)]
    names = []
    for number, text in enumerate(texts):
        names.append(tmp_path / f"{number:03}.{'wei7' if number and is_wei7(number - 1) else 'sgf'}")
        names[-1].write_bytes(text)
    once = w7.Index.create(tmp_path / "once", map(str, names[:56]))
    index = w7.Index.create(tmp_path / "index", map(str, names[:7]))
    for begin in range(7, 56, 7):
        index.add(map(str, names[begin : begin + 7]))
    assert index.stats()["segments"] == 8
    before = w7.Index.open(index.folder)
    assert index.add(map(str, names[56:])) == 9
    files = sorted(os.listdir(index.folder))
    assert files == own_files(8, 9)
    merged = (tmp_path / "index" / "segment-000008.w7s").read_bytes()
    assert merged == (tmp_path / "once" / "segment-000000.w7s").read_bytes()
    after = w7.Index.open(index.folder)
    assert len(after) == 65
    assert [row.source for row in after.games()] == list(map(str, names))
    for pattern in ("X.\n.O", "XX\n?."):
        assert list(before.find(pattern, "anywhere")) == list(once.find(pattern, "anywhere"))
        hits, _ = found.search(games, pattern.splitlines(), "anywhere", True, False)
        assert [(row.game - 1, *tuple(row)[1:]) for row in after.find(pattern, "anywhere")] == hits


def test_eight_parts_are_joined(games, tmp_path):
    """Parts that were made apart, as tasks of a cluster make them, are the index of all records."""
    texts = [b"no record", *written(games)]
    names = []
    for number, text in enumerate(texts):
        names.append(tmp_path / f"{number:03}.{'wei7' if number and is_wei7(number - 1) else 'sgf'}")
        names[-1].write_bytes(text)
    once = w7.Index.create(tmp_path / "once", map(str, names))
    cuts = [0, 9, 10, 20, 20, 33, 41, 50, len(names)]
    parts = [tmp_path / f"part-{number}" for number in range(8)]
    for part, begin, end in zip(parts, cuts, cuts[1:], strict=False):
        w7.Index.create(part, map(str, names[begin:end]))
    joined = w7.Index.join(tmp_path / "joined", parts)
    assert list(joined.games()) == list(once.games())
    assert sorted(os.listdir(joined.folder)) == own_files(0)
    first = "segment-000000.w7s"
    assert (tmp_path / "joined" / first).read_bytes() == (tmp_path / "once" / first).read_bytes()
    if has_pyarrow():
        assert joined.metadata().equals(once.metadata())
    for region in REGIONS:
        assert list(joined.find(".....\n" * 5, region)) == list(once.find(".....\n" * 5, region))
    with pytest.raises(FileExistsError):
        w7.Index.join(tmp_path / "joined", parts)
    with pytest.raises(FileNotFoundError):
        w7.Index.join(tmp_path / "other", [tmp_path / "absent"])


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="the system does not forget files")
def test_positions_are_found_in_files_that_are_not_in_memory(games, tmp_path, monkeypatch):
    texts = written(games)
    index = w7.Index.create(tmp_path, texts * 2)
    for _ in range(6):
        index.add(texts * 2)
    patterns = [w7.Board(game.width, game.height) for game in games[:3]]
    patterns += ["X....\n.....\n.....\n.....\n.....", "....\n....\n....\n..O."]
    monkeypatch.setattr("wei7core.batch.index.index._CHECKED_BYTES", 0)

    def answers(index):
        for pattern in patterns:
            hits = index.find(pattern)
            yield len(hits), list(hits.continuations()), list(hits)

    expected = list(answers(index))
    assert any(count > 100 for count, *_ in expected)
    del index
    gc.collect()
    for path in tmp_path.iterdir():
        with open(path, "rb") as file:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    assert list(answers(w7.Index.open(tmp_path))) == expected


def test_a_wrong_segment_is_not_merged(games, tmp_path):
    texts = written(games)
    index = w7.Index.create(tmp_path, texts[:1])
    for text in texts[1:8]:
        index.add([text])
    path = tmp_path / "segment-000003.w7s"
    good = path.read_bytes()
    path.write_bytes(good[:-1024] + bytes(byte ^ 1 for byte in good[-1024:-960]) + good[-960:])
    with pytest.raises(w7.IndexFileError, match=r"segment-000003\.w7s: the checksum of"):
        index.add(texts[8:9])
    path.write_bytes(good)
    assert index.add(texts[8:9]) == 1
    assert len(w7.Index.open(tmp_path)) == 9


@pytest.mark.parametrize("place", first(2, range(4)))
def test_a_merge_that_is_cut_short_loses_no_game(games, tmp_path, monkeypatch, place):
    texts = written(games)
    index = w7.Index.create(tmp_path, texts[:1])
    for text in texts[1:8]:
        index.add([text])
    wanted = list(index.games())
    replace, calls = os.replace, []

    def failing(*names):
        calls.append(names)
        if len(calls) == place + 1:
            raise OSError("killed")
        return replace(*names)

    with monkeypatch.context() as patch, pytest.raises(OSError, match="killed"):
        patch.setattr(os, "replace", failing)
        index.add(texts[8:9])
    again = w7.Index.open(tmp_path)
    assert list(again.games()) == wanted
    assert again.add(texts[8:9]) == 1
    assert len(again) == 9
    assert again.stats()["segments"] == 2


def test_which_segments_are_merged():
    class Some(NamedTuple):
        count: int
        metadata: None = None

        def frames(self) -> int:
            return self.count * 200

    def runs(*counts: int) -> list[tuple[int, int]]:
        return segment.runs_to_merge([Some(count) for count in counts])

    assert runs(*[5] * 7) == []
    assert runs(*[5] * 9) == [(0, 9)]
    assert runs(30_000, *[5] * 9) == [(1, 10)]
    assert runs(*[5] * 4, 30_000, *[5] * 4) == []
    assert runs(*[20_000] * 16) == []
    assert runs(*[5_000] * 17) == [(0, 12)]


def test_each_byte_of_a_segment_is_verified(games, tmp_path):
    """Also those between the arrays, which nothing reads."""
    w7.Index.create(tmp_path, written(games)[:1])
    path = tmp_path / "segment-000000.w7s"
    data = path.read_bytes()
    for place in range(0, len(data), 61):
        path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        with pytest.raises(w7.IndexFileError, match=r"segment-000000\.w7s"):
            w7.Index.open(tmp_path)
    path.write_bytes(data)
    w7.Index.open(tmp_path).verify()


def test_a_full_disk_is_named_and_nothing_is_left_on_it(games, tmp_path, monkeypatch):
    index = w7.Index.create(tmp_path, written(games)[:1])
    before = sorted(os.listdir(tmp_path))

    def full(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match=r"No space.*segment-000001\.w7s"):
        patch.setattr(segment_file.os, "fsync", full)
        index.add(written(games)[1:2])
    assert sorted(os.listdir(tmp_path)) == before
    assert index.add(written(games)[1:2]) == 1


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "iso2022_jp"])
def test_a_text_in_an_encoding_without_a_table_has_its_positions(encoding, tmp_path):
    text = "(;CA[iso-2022-jp]SZ[9]PB[\u9ed2];B[aa];W[bb])"
    index = w7.Index.create(tmp_path, text.encode(encoding))
    (game,) = index.games()
    assert (game.width, game.moves, game.error) == (9, 2, None)
    assert len(index.find("X.\n.O", "corner")) == 1


def test_any_number_of_jobs(games, tmp_path):
    index = w7.Index.create(tmp_path / "index", written(games)[:20], jobs=1 << 40)
    joined = w7.Index.join(tmp_path / "joined", tmp_path / "index")
    assert list(joined.find(".....\n" * 5, "corner")) == list(index.find(".....\n" * 5, "corner"))


def test_a_file_is_no_index(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NotADirectoryError, match="there is no index in this folder"):
        w7.Index.open(tmp_path / "file")
