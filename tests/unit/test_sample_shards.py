"""`wei7core samples`: shards of rows, plain and as KataGo writes them."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from samples.random_games import random_game, sgf

import wei7core as w7
from wei7core.cli.main import main
from wei7core.training import katago


@pytest.fixture
def records(tmp_path: Path) -> Path:
    chance = random.Random(4)
    path = tmp_path / "games.sgf"
    texts = [sgf(random_game(chance, 9, "chinese", 50), 9, "KM[6.5]") for _ in range(12)]
    texts.append(texts[0].replace(b"RE[B+2.5]", b"RE[?]"))
    texts.append(texts[1].replace(b"RE[B+2.5]", b"RE[Draw]"))
    path.write_bytes(b"".join(texts))
    return path


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_katago_reads_them_and_they_are_clean(records: Path, tmp_path: Path) -> None:
    target = tmp_path / "shards"
    assert main(["samples", str(records), "-o", str(target), "--to", "katago", "--size", "9", "--rows", "250"]) == 0
    assert [path.name for path in files(target)] == [f"shard-{k:06d}.npz" for k in range(3)]
    plain = list(w7.samples(records, 250, size=9, features="katago-v7", dtype="bits"))
    assert [len(batch) for batch in plain][:2] == [250, 250]
    for path, batch in zip(files(target), plain, strict=True):
        with np.load(path) as arrays:
            assert (arrays["binaryInputNCHWPacked"] == batch.planes).all()
            assert (arrays["globalInputNC"] == batch.globals).all()
            policy, targets = arrays["policyTargetsNCMove"], arrays["globalTargetsNC"]
            assert policy.shape == (len(batch), 2, 82)
            assert (policy[:, 0].argmax(axis=1) == batch.policy).all()
            assert (policy[:, 0].sum(axis=1) == 1).all()
            unknown = np.isnan(batch.value)
            assert (targets[:, 35] == unknown).all()
            assert (targets[~unknown, 0] - targets[~unknown, 1] == batch.value[~unknown]).all()
            assert (targets[:, 47] == np.where(batch.globals[:, 5] > 0, 6.5, -6.5)).all()
            assert not targets[:, 27:30].any()
            assert arrays["scoreDistrN"].shape == (len(batch), 2 * (81 + 60))
            assert (arrays["scoreDistrN"].sum(axis=1) == 100).all()
            assert arrays["valueTargetsNCHW"].shape == (len(batch), 5, 9, 9)
            names = {tuple(row) for row in targets[:, 41:47].tolist()}
            assert len(names) == len(set(batch.game.tolist()))
        rows = 0
        for part in katago.read(path):
            assert not list(w7.check_rows(part))
            rows += len(part)
        assert rows == len(batch)


@pytest.mark.parametrize("kind", ["npz", "parquet"])
def test_plain_shards_are_the_arrays(records: Path, tmp_path: Path, kind: str) -> None:
    if kind == "parquet":
        pytest.importorskip("pyarrow")
    target = tmp_path / "shards"
    options = ["--to", kind, "--size", "9", "--rows", "300", "--legal", "--ownership", "--seed", "7", "--moves", "10.."]
    assert main(["samples", str(records), "-o", str(target), *options]) == 0
    wanted = list(w7.samples(records, 300, size=9, legal=True, ownership=True, seed=7))
    assert len(files(target)) == len(wanted)
    for path, batch in zip(files(target), wanted, strict=True):
        if kind == "npz":
            with np.load(path) as made:
                arrays = dict(made)
        else:
            import pyarrow.parquet as pq

            table = pq.read_table(path)
            arrays = {}
            for item in table.schema:
                column = table[item.name].combine_chunks()
                shape = [int(part) for part in (item.metadata or {}).get(b"shape", b"").split()]
                flat = column.flatten() if shape else column
                arrays[item.name] = flat.to_numpy(zero_copy_only=False).reshape(-1, *shape)
        assert set(arrays) == {
            *("planes", "policy", "value", "margin", "game", "move_number", "symmetry", "legal", "ownership")
        }
        for name, array in arrays.items():
            expected = getattr(batch, name)
            assert array.dtype == expected.dtype
            assert np.array_equal(array, expected, equal_nan=name in {"value", "margin"})


def test_named_planes_and_shards(records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "shards"
    options = ["--features", "own,opponent,ladder", "--dtype", "bits", "--size", "9x9", "--shard", "1/3"]
    assert main(["samples", str(records), "-o", str(target), *options]) == 0
    assert "5 games, 0 errors, 0 skipped" in capsys.readouterr().err
    with np.load(files(target)[0]) as arrays:
        assert arrays["planes"].shape[1:] == (3, 11)
        assert set((arrays["game"] % 3).tolist()) == {1}


def test_what_katago_has_may_be_stated(records: Path, tmp_path: Path) -> None:
    command = ["samples", str(records), "--to", "katago", "--size", "9", "-o"]
    assert main([*command, str(tmp_path / "a")]) == 0
    assert main([*command, str(tmp_path / "b"), "--features", "katago-v7", "--dtype", "bits"]) == 0
    for one, other in zip(files(tmp_path / "a"), files(tmp_path / "b"), strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_records_left_out_are_named(records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records.write_bytes(records.read_bytes() + b"(;SZ[9];B[zz])(;SZ[9];B[aa])")
    assert main(["samples", str(records), "-o", str(tmp_path / "shards"), "--size", "9"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"not replayed to its end: {records}#14"
    assert lines[1].startswith("15 games, 1 error, 0 skipped: ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--features", "own,legal"], "no plane 'legal'"),
        (["--size", "x"], "not a whole number"),
        (["--shard", "3/2"], "shard 3 of 2"),
        (["--shard", "3"], "not I/N"),
        (["--moves", "5"], "not A..B"),
        (["--size", "9x"], "not a whole number"),
        (["--to", "katago", "--features", "own"], "--features cannot be combined with --to katago"),
        (["--to", "katago", "--dtype", "float16"], "--dtype cannot be combined with --to katago"),
        (["--to", "katago", "--legal"], "--legal cannot be combined with --to katago"),
        (["--results", "stopped"], "no game ends by 'stopped'"),
        (["--to", "katago", "--size", "40"], "up to 30 x 30"),
    ],
)
def test_wrong_usage(
    records: Path, tmp_path: Path, options: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["samples", str(records), "-o", str(tmp_path / "shards"), *options]) == 2
    assert message in capsys.readouterr().err


def test_shards_are_not_mixed(records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["samples", str(records), "-o", str(records)]) == 2
    assert capsys.readouterr().err == f"wei7core: {records}: File exists\n"
    command = ["samples", str(records), "-o", str(tmp_path / "shards"), "--size", "9"]
    assert main(command) == 0
    assert main(command) == 2
    assert "has shards already, such as shard-000000.npz" in capsys.readouterr().err


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(28, "No space left on device"), ImportError()])
def test_a_run_that_ends_early_has_no_folder_without_shards(
    records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    def failing(path: str, arrays: object) -> None:
        if after == 0 or path.endswith("-000001.npz"):
            raise error
        Path(path).touch()

    monkeypatch.setattr("wei7core.cli.samples.write_shard", failing)
    command = ["samples", str(records), "--size", "9", "--rows", "250", "-o", str(tmp_path / "shards")]
    for after in (0, 1):
        with suppress(KeyboardInterrupt):
            assert main(command) != 0
        assert (tmp_path / "shards").exists() == (after == 1)
