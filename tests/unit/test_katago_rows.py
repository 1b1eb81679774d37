"""Training rows of KataGo: round trips with arrays written to the documented layout, and broken files."""

from __future__ import annotations

import io
import struct
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from samples import training_games
from samples.training_files import katago_arrays, npz

import wei7core as w7
from wei7core import TrainingFileError, TrainingRows
from wei7core.training import katago, npz_rows

FIELDS = (
    "own", "opponent", "on_board", "ko", "policy", "judge_policy", "outcome", "has_outcome", "value", "score",
    "has_score", "suicide", "superko",
)  # fmt: skip


@pytest.fixture(scope="module")
def rows() -> TrainingRows:
    made, _ = training_games.rows_of(training_games.some_games(3), every=9)
    count = len(made)
    assert made.policy is not None and made.outcome is not None and made.value is not None
    chance = np.random.default_rng(2)
    return TrainingRows(
        own=made.own, opponent=made.opponent, on_board=np.ones_like(made.own), ko=made.ko,
        policy=(made.policy * 600).astype(np.int16), policy_is_counts=True, judge_policy=np.ones(count, bool),
        outcome=made.outcome.astype(np.float32), has_outcome=np.ones(count, bool), value=made.value.astype(np.float32),
        score=made.score, has_score=np.ones(count, bool), suicide=chance.random(count) < 0.5,
        superko=chance.random(count) < 0.5,
    )  # fmt: skip


def same(batches: Any, rows: TrainingRows) -> None:
    read = list(batches)
    for name in FIELDS:
        together = np.concatenate([getattr(batch, name) for batch in read])
        assert (together == getattr(rows, name)).all(), name
    assert [batch.first_row for batch in read] == np.cumsum([0, *map(len, read[:-1])]).tolist()
    assert all(batch.policy_is_counts for batch in read)


@pytest.mark.parametrize("version", [5, 6, 7])
@pytest.mark.parametrize("rows_at_once", [1, 10, 1000])
def test_round_trip(rows: TrainingRows, version: int, rows_at_once: int, tmp_path: Path) -> None:
    arrays = katago_arrays(rows, version=version)
    same(katago.read(npz(arrays), rows_at_once=rows_at_once), rows)
    path = tmp_path / "rows.npz"
    path.write_bytes(npz(arrays, compressed=False).getvalue())
    same(katago.read(path, rows_at_once=rows_at_once), rows)
    assert {batch.source for batch in katago.read(path)} == {str(path)}


def test_memory_bounds_the_rows(rows: TrainingRows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npz_rows, "_BYTES_AT_ONCE", 20_000)
    read = list(katago.read(npz(katago_arrays(rows))))
    assert max(map(len, read)) < 10
    same(read, rows)


def test_other_byte_order_and_older_versions(rows: TrainingRows) -> None:
    arrays = katago_arrays(rows)
    swapped = {name: array.astype(array.dtype.newbyteorder("S")) for name, array in arrays.items()}
    same(katago.read(npz(swapped)), rows)
    arrays["globalTargetsNC"] = arrays["globalTargetsNC"][:, :64]
    arrays["globalTargetsNC"][:, 63] = 2
    same(katago.read(npz(arrays)), rows)
    arrays["globalTargetsNC"][:, 63] = 1  # does not state which games were played to their end
    assert not any(batch.has_outcome.any() for batch in katago.read(npz(arrays)) if batch.has_outcome is not None)


def test_sound_rows_have_no_findings(rows: TrainingRows) -> None:
    assert list(w7.check_rows(katago.read(npz(katago_arrays(rows)), rows_at_once=17))) == []


def test_findings(rows: TrainingRows, tmp_path: Path) -> None:
    arrays = katago_arrays(rows)
    bits = np.unpackbits(arrays["binaryInputNCHWPacked"], axis=2)
    bits[3, 1, 5], bits[3, 2, 5] = 1, 1
    bits[4, 0, 360] = 0
    arrays["binaryInputNCHWPacked"] = np.packbits(bits, axis=2)
    arrays["policyTargetsNCMove"][6, 0] = -1
    arrays["globalTargetsNC"][7, 20] *= -1
    arrays["globalTargetsNC"][8, 16] = np.nan
    path = tmp_path / "rows.npz"
    path.write_bytes(npz(arrays).getvalue())
    found = w7.check_rows(katago.read(path, rows_at_once=5))
    assert {(row.source, row.row, row.code) for row in found} >= {
        (str(path), 3, "row-planes-overlap"), (str(path), 4, "row-off-board"), (str(path), 6, "row-policy-negative"),
        (str(path), 7, "row-value-sign"), (str(path), 8, "row-value-range"),
    }  # fmt: skip
    assert {row.row for row in found} == {3, 4, 6, 7, 8}


def test_smaller_boards_and_the_encore() -> None:
    """9 x 9 in the corner of 19 x 19; a policy outside of it; in the encore moves may be none on the board."""
    own = np.zeros((2, 19, 19), np.uint8)
    on_board = np.zeros_like(own)
    on_board[:, :9, :9] = 1
    policy = np.zeros((2, 362), np.int16)
    policy[0, 20], policy[1, 12] = 5, 5
    rows = TrainingRows(own=own, opponent=own, on_board=on_board, policy=policy, outcome=np.ones(2), score=np.ones(2))
    arrays = katago_arrays(rows)
    (finding,) = w7.check_rows(katago.read(npz(arrays)))
    assert (finding.row, finding.x, finding.y, finding.code) == (1, 12, 0, "row-policy-on-illegal")
    assert finding.message.endswith("off-board")
    arrays["globalInputNC"][:, 12] = 1
    assert list(w7.check_rows(katago.read(npz(arrays)))) == []
    arrays["globalInputNC"][:, 12] = 0
    arrays["globalTargetsNC"][1, 26] = 0  # a filler
    assert list(w7.check_rows(katago.read(npz(arrays)))) == []


def test_blends_and_games_without_an_end_have_no_sign(rows: TrainingRows) -> None:
    arrays = katago_arrays(replace(rows, score=-rows.score))  # type: ignore[operator]  # an array here, never None
    assert w7.check_rows(katago.read(npz(arrays))).counts == {"row-value-sign": len(rows)}
    for channel, value in ((62, 0), (2, 1), (27, 0)):
        changed = {name: array.copy() for name, array in arrays.items()}
        changed["globalTargetsNC"][:, channel] = value
        assert list(w7.check_rows(katago.read(npz(changed)))) == []
    arrays["globalTargetsNC"][:, :2] = 0.5, 0.5
    assert list(w7.check_rows(katago.read(npz(arrays)))) == []


# --- broken files ------------------------------------------------------------------------------------


def changed(rows: TrainingRows, **arrays: Any) -> bytes:
    whole = {**katago_arrays(rows), **arrays}
    return npz({name: array for name, array in whole.items() if array is not None}).getvalue()


def test_broken_files(rows: TrainingRows) -> None:
    count = len(rows)
    sound = katago_arrays(rows)
    far = np.full((count, 80), 9, np.float32)
    files = [
        (b"", "not an .npz file"),
        (b"PK\3\4 not a zip at all", "not an .npz file"),
        (changed(rows, globalInputNC=None), "globalInputNC: the file has no such array"),
        (changed(rows, globalInputNC=sound["globalInputNC"].astype(np.float64)), "globalInputNC: the array is float64"),
        (changed(rows, globalInputNC=np.array([{}], dtype=object)), "globalInputNC: the array holds Python objects"),
        (changed(rows, policyTargetsNCMove=sound["policyTargetsNCMove"][0]), "not int16 with 3 axes"),
        (changed(rows, policyTargetsNCMove=sound["policyTargetsNCMove"][1:]), "different numbers of rows"),
        (changed(rows, policyTargetsNCMove=sound["policyTargetsNCMove"][:, :, :82]), "but of 9 x 9"),
        (changed(rows, policyTargetsNCMove=sound["policyTargetsNCMove"][:, :0]), "is not one of 19 x 19"),
        (changed(rows, valueTargetsNCHW=np.zeros((count, 5, 9, 9), np.int8)), "46 bytes do not hold the 9 x 9 points"),
        (changed(rows, globalTargetsNC=sound["globalTargetsNC"][:, :63]), "at least 64 channels, not 63"),
        (changed(rows, globalTargetsNC=far), "row 0, globalTargetsNC: version 9 of the rows is not known"),
        (changed(rows, globalInputNC=sound["globalInputNC"][:, :18]), "22 planes with 18 global inputs are no version"),
        (changed(rows, policyTargetsNCMove=np.asfortranarray(sound["policyTargetsNCMove"])), "columns first"),
    ]  # fmt: skip
    for data, message in files:
        with pytest.raises(TrainingFileError) as caught:
            list(katago.read(io.BytesIO(data)))
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


def with_member(data: bytes, name: str, change: Any) -> io.BytesIO:
    """Return the archive with another content of one member."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w") as new:
        for member in old.namelist():
            new.writestr(member, change(old.read(member)) if member == f"{name}.npy" else old.read(member))
    file.seek(0)
    return file


def test_truncated_arrays_and_damage(rows: TrainingRows, tmp_path: Path) -> None:
    data = changed(rows)
    short = with_member(data, "policyTargetsNCMove", lambda array: array[:-1000])
    with pytest.raises(TrainingFileError, match=r"row \d+, policyTargetsNCMove: the array ends too early"):
        list(katago.read(short))
    for bad, message in [
        (lambda array: b"", "globalInputNC: the array cannot be read"),
        (lambda array: b"\x93NUMPY\7\0" + array[8:], "version 7.0 of the .npy format is not read"),
        (lambda array: array[:8] + struct.pack("<H", 9) + array[10:], "globalInputNC: the array cannot be read"),
    ]:
        with pytest.raises(TrainingFileError) as caught:
            list(katago.read(with_member(data, "globalInputNC", bad)))
        assert message in str(caught.value)
    torn = bytearray(data)
    at = data.index(b"policyTargetsNCMove.npy") + 400
    torn[at : at + 40] = bytes(40)
    path = tmp_path / "torn.npz"
    path.write_bytes(bytes(torn))
    with pytest.raises(TrainingFileError, match=r"torn\.npz.*policyTargetsNCMove: the array cannot be read"):
        list(katago.read(path))


def test_shapes_that_only_claim_to_be_large(rows: TrainingRows) -> None:
    """The header is not believed before data comes."""

    def claim(shape: bytes) -> Any:
        def change(array: bytes) -> bytes:
            header = array[10:128].replace(f"({len(rows)}, 80)".encode(), shape)
            return array[:10] + header[:117].rstrip().ljust(117) + b"\n" + array[128:]

        return change

    data = changed(rows)
    with pytest.raises(TrainingFileError, match=r"a row takes 40000\d+ bytes"):
        list(katago.read(with_member(data, "globalTargetsNC", claim(b"(%d, 100000000)" % len(rows)))))
    with pytest.raises(TrainingFileError, match="different numbers of rows"):
        list(katago.read(with_member(data, "globalTargetsNC", claim(b"(100000000000000, 80)"))))


def test_pickles_are_never_loaded(rows: TrainingRows) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return pytest.fail, ("something was unpickled",)

    data = changed(
        rows, globalTargetsNC=np.array([[Trap()]], dtype=object), scoreDistrN=np.array([Trap()], dtype=object)
    )
    with pytest.raises(TrainingFileError, match="globalTargetsNC: the array holds Python objects"):
        list(katago.read(io.BytesIO(data)))


def test_arguments(rows: TrainingRows) -> None:
    with pytest.raises(ValueError, match="at least one row"):
        katago.read(io.BytesIO(), rows_at_once=0)
    for source in (None, b"x", 5, []):
        with pytest.raises(TypeError, match="are in a path or a binary file, not"):
            katago.read(source)  # type: ignore[arg-type]  # the test passes a wrong type
    with pytest.raises(TypeError, match="rows_at_once is an integer"):
        katago.read(io.BytesIO(), rows_at_once=1.5)  # type: ignore[arg-type]  # the test passes a wrong type
    with pytest.raises(FileNotFoundError):
        list(katago.read("there is no such file"))
    empty = {name: array[:0] for name, array in katago_arrays(rows).items()}
    assert list(katago.read(npz(empty))) == []
