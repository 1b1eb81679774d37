"""Training rows as a dataset of PyTorch."""

from __future__ import annotations

import numpy as np
import pytest

import wei7core as w7

torch = pytest.importorskip("torch")
from torch.utils.data import DataLoader  # noqa: E402

from wei7core.training.samples.torch import SampleDataset  # noqa: E402

MOVES = "".join(f";{'WB'[k % 2 == 0]}[{chr(97 + k % 9)}{chr(97 + k // 9)}]" for k in range(60))
GAMES = b"".join(
    b"(;GM[1]FF[4]SZ[9]RE[%s+R]%s)\n" % (b"BW"[k % 2 : k % 2 + 1], MOVES[: 60 * 6].encode()) for k in range(7)
)


def rows(batches: list[dict[str, torch.Tensor]]) -> list[tuple[int, int]]:
    return [(int(a), int(b)) for batch in batches for a, b in zip(batch["game"], batch["move_number"], strict=True)]


def test_tensors_are_the_arrays_of_samples() -> None:
    options = {"size": 9, "seed": 3, "legal": True}
    made = list(SampleDataset(GAMES, 32, **options))
    wanted = list(w7.samples(GAMES, 32, **options))
    assert len(made) == len(wanted) > 3
    for batch, expected in zip(made, wanted, strict=True):
        assert set(batch) == {"planes", "policy", "value", "margin", "game", "move_number", "symmetry", "legal"}
        for name, tensor in batch.items():
            assert np.array_equal(tensor.numpy(), getattr(expected, name), equal_nan=name in {"value", "margin"})


@pytest.mark.parametrize("workers", [0, 2])
@pytest.mark.parametrize("shard", [(0, 1), (1, 2)])
def test_workers_share_the_records(workers: int, shard: tuple[int, int]) -> None:
    dataset = SampleDataset(GAMES, 16, size=9, shard=shard)
    seen = rows(list(DataLoader(dataset, batch_size=None, num_workers=workers)))
    wanted = [row for row in rows(list(SampleDataset(GAMES, 16, size=9))) if row[0] % shard[1] == shard[0]]
    assert sorted(seen) == sorted(wanted)


def test_goes_on_from_a_state() -> None:
    dataset = SampleDataset(GAMES, 16, size=9)
    iterator = iter(dataset)
    next(iterator)
    state = dataset.state_dict()
    rest = rows(list(iterator))
    other = SampleDataset(GAMES, 16, size=9)
    other.load_state_dict(state)
    assert rows(list(other)) == rest


def test_wrong_arguments_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="batch"):
        SampleDataset(GAMES, 0)
