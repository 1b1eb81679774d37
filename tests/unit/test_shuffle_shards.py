"""`w7.shuffle_shards`: rows of many files in random order."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.effort import first

import wei7core as w7
from wei7core.training.samples import shuffle_shards as module

ROWS = 700


def source(number: int) -> dict[str, np.ndarray]:
    names = np.arange(number * ROWS, (number + 1) * ROWS)
    return {"name": names, "plane": (names[:, None, None] % 251 + np.zeros((1, 3, 5), int)).astype(np.uint8)}


class Killed(Exception):
    """What ends a run, as a kill would."""


def contents(folder: Path) -> list[np.ndarray]:
    made = []
    for path in sorted(folder.glob("shard-*.npz")):
        with np.load(path) as arrays:
            assert (arrays["plane"] == (arrays["name"] % 251)[:, None, None]).all()
            made.append(arrays["name"])
    return made


def digest(folder: Path) -> list[str]:
    return [hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("shard-*.npz"))]


@pytest.mark.parametrize("memory", [1 << 30, 40_000])
def test_every_row_comes_once_in_random_order(tmp_path: Path, memory: int) -> None:
    assert w7.shuffle_shards([source(k) for k in range(9)], tmp_path, rows=1000, memory=memory) == 7
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "progress.json",
        *(f"shard-{k:06d}.npz" for k in range(7)),
    ]
    parts = contents(tmp_path)
    assert [len(part) for part in parts] == [1000] * 6 + [300]
    names = np.concatenate(parts)
    assert (np.sort(names) == np.arange(9 * ROWS)).all()
    # Ranks and places of a random order have nothing to do with each other; nor has any shard rows of few sources.
    assert abs(np.corrcoef(names, np.arange(len(names)))[0, 1]) < 0.05
    assert all(min(Counter((part // ROWS).tolist()).values()) > len(part) / 40 for part in parts)


def test_the_seed_decides(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in "abc"]
    for folder, seed in zip(folders, (1, 1, 2), strict=True):
        w7.shuffle_shards((source(k) for k in range(3)), folder, rows=500, memory=30_000, total=3 * ROWS, seed=seed)
    assert digest(folders[0]) == digest(folders[1]) != digest(folders[2])


def test_buckets_that_are_too_large_are_dealt_out_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the number of sources is not known, or later ones are larger, no more is read at once than asked for."""
    read: list[int] = []
    real = np.fromfile

    def fromfile(*args: Any, **kwargs: Any) -> np.ndarray:
        made = real(*args, **kwargs)
        read.append(made.nbytes)
        return made

    monkeypatch.setattr(np, "fromfile", fromfile)
    memory = 60_000
    w7.shuffle_shards((source(k) for k in range(30)), tmp_path / "a", rows=1000, memory=memory)
    assert max(read) < memory / 2 < 30 * ROWS * 23 / 3
    parts = contents(tmp_path / "a")
    names = np.concatenate(parts)
    assert (np.sort(names) == np.arange(30 * ROWS)).all()
    assert abs(np.corrcoef(names, np.arange(len(names)))[0, 1]) < 0.05
    assert all(min(Counter((part // ROWS).tolist()).values()) > len(part) / 100 for part in parts)


@pytest.mark.parametrize("shards", first(1, [9, 1, 20]))
def test_a_run_goes_on_within_a_bucket_that_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shards: int
) -> None:
    def write(folder: Path) -> None:
        w7.shuffle_shards((source(k) for k in range(30)), folder, rows=1000, memory=60_000, compressed=False)

    def stop(path: Path, arrays: module.Rows, *, compressed: bool) -> None:
        if path.name == f"shard-{shards:06d}.npz":
            raise Killed
        write_shard(path, arrays, compressed=compressed)

    write(tmp_path / "whole")
    write_shard = module._write
    monkeypatch.setattr(module, "_write", stop)
    with pytest.raises(Killed):
        write(tmp_path / "killed")
    assert len(digest(tmp_path / "killed")) == shards
    monkeypatch.setattr(module, "_write", write_shard)
    write(tmp_path / "killed")
    assert digest(tmp_path / "killed") == digest(tmp_path / "whole")


def test_files_are_sources(tmp_path: Path) -> None:
    paths = []
    for k in range(3):
        paths.append(tmp_path / f"{k}.npz")
        np.savez(paths[-1], **source(k))
    w7.shuffle_shards(paths, tmp_path / "a", rows=500, compressed=False)
    w7.shuffle_shards([source(k) for k in range(3)], tmp_path / "b", rows=500, compressed=False)
    assert digest(tmp_path / "a") == digest(tmp_path / "b")


def slow_sources() -> Iterator[dict[str, np.ndarray]]:
    for k in range(40):
        time.sleep(0.01)
        yield source(k)


def shuffle(folder: Path) -> None:
    w7.shuffle_shards(slow_sources(), folder, rows=500, memory=60_000, total=40 * ROWS, seed=3)


@pytest.mark.exhaustive
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    shuffle(tmp_path / "whole")
    folder = tmp_path / "killed"
    kills = 0
    for delay in (0.3, 0.5, 0.7, 0.9, 1.2, 1.5, 5, 60):
        process = multiprocessing.get_context("spawn").Process(target=shuffle, args=(folder,))
        process.start()
        process.join(delay + 0.5)
        if process.is_alive():
            process.kill()
            process.join()
            kills += 1
        else:
            assert process.exitcode == 0
            break
    assert kills > 0
    assert digest(folder) == digest(tmp_path / "whole")
    assert not (folder / "buckets").exists()


@pytest.mark.parametrize("done", [0, 1])
def test_rows_of_a_source_that_was_cut_off_are_dealt_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    def write(folder: Path) -> None:
        w7.shuffle_shards([source(k) for k in range(4)], folder, rows=500, memory=60_000, seed=3)

    def stop_after(writes: int) -> None:
        def note(path: Path, content: dict[str, object]) -> None:
            nonlocal writes
            if not writes:
                raise Killed
            writes -= 1
            write_note(path, content)

        monkeypatch.setattr(module, "_write_note", note)

    write_note = module._write_note
    write(tmp_path / "whole")
    for writes in (done, 2):
        stop_after(writes)
        with pytest.raises(Killed):
            write(tmp_path / "killed")
    monkeypatch.setattr(module, "_write_note", write_note)
    write(tmp_path / "killed")
    assert digest(tmp_path / "killed") == digest(tmp_path / "whole")


def test_shards_of_something_else_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "shard-000000.npz", **source(0))
    with pytest.raises(ValueError, match="shards of another run"):
        w7.shuffle_shards([tmp_path / "shard-000000.npz"], tmp_path, rows=500)
    assert not (tmp_path / "buckets").exists()


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="other arrays"):
        w7.shuffle_shards([source(0), {"name": np.arange(3)}], tmp_path / "a")
    with pytest.raises(ValueError, match="a row each"):
        w7.shuffle_shards([{"a": np.arange(3), "b": np.arange(2)}], tmp_path / "b")
    with pytest.raises(ValueError, match="at least 1"):
        w7.shuffle_shards([], tmp_path / "c", rows=0)
    w7.shuffle_shards([source(0)], tmp_path / "d")
    with pytest.raises(ValueError, match="other arguments"):
        w7.shuffle_shards([source(0)], tmp_path / "d", seed=2)
    assert w7.shuffle_shards([source(0)], tmp_path / "d") == 1
    assert os.listdir(tmp_path / "d") != []


@pytest.mark.parametrize("options", [{"memory": 100}, {"total": 10**11}, {"memory": 1, "rows": 7}])
def test_buckets_without_rows_are_passed_over(tmp_path: Path, options: dict[str, int]) -> None:
    count = 300
    w7.shuffle_shards([{"x": np.arange(count)}], tmp_path, **options)
    parts = [np.load(path)["x"] for path in sorted(tmp_path.glob("shard-*.npz"))]
    assert [len(part) for part in parts[:-1]] == [options.get("rows", count)] * (len(parts) - 1)
    assert np.sort(np.concatenate(parts)).tolist() == list(range(count))


def test_sources_of_few_or_no_rows(tmp_path: Path) -> None:
    assert w7.shuffle_shards([], tmp_path / "a") == 0
    assert w7.shuffle_shards([{"x": np.arange(0)}, {"x": np.arange(5)}], tmp_path / "b", memory=8) == 1
    assert np.sort(np.load(tmp_path / "b" / "shard-000000.npz")["x"]).tolist() == [0, 1, 2, 3, 4]
    for arrays in ({"x": np.empty((5, 0))}, {"x": np.array([1, None])}):
        with pytest.raises(ValueError, match="of a fixed size"):
            w7.shuffle_shards(arrays, tmp_path / "c")


def test_one_source_needs_no_list(tmp_path: Path) -> None:
    np.savez(tmp_path / "one.npz", **source(0))
    for number, one in enumerate([tmp_path / "one.npz", str(tmp_path / "one.npz"), source(0)]):
        folder = tmp_path / str(number)
        w7.shuffle_shards(one, folder, compressed=False)
        w7.shuffle_shards([one], tmp_path / f"{number}-listed", compressed=False)
        assert digest(folder) == digest(tmp_path / f"{number}-listed") != []


def test_numbers_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    for wrong in ({"rows": 1.5}, {"memory": "1"}, {"seed": None}, {"total": "x"}, {"rows": True}):
        with pytest.raises(TypeError, match=f"{next(iter(wrong))} is an integer, not"):
            w7.shuffle_shards([source(0)], tmp_path / "a", **wrong)
    for total in (0, -1):
        with pytest.raises(ValueError, match="at least 1"):
            w7.shuffle_shards([source(0)], tmp_path / "a", total=total)
    assert not (tmp_path / "a").exists()
    for number, seed in enumerate((2**70, -3)):
        assert w7.shuffle_shards([source(0)], tmp_path / f"seed-{number}", seed=seed) == 1
