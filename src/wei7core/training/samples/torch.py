"""Training rows as a dataset of PyTorch; needs PyTorch.

from torch.utils.data import DataLoader
from wei7core.training.samples.torch import SampleDataset

loader = DataLoader(SampleDataset("games.sgf", 1024, passes=None), batch_size=None, num_workers=4)
for batch in loader:
    batch["planes"], batch["policy"], batch["value"]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

import torch
from torch.utils.data import IterableDataset, get_worker_info

from .batch import SampleBatch
from .samples import Samples, samples


class SampleDataset(IterableDataset[dict[str, torch.Tensor]]):  # type: ignore[misc,unused-ignore]  # may be untyped
    """Batches of `wei7core.samples(sources, batch, **options)` as dicts of tensors, over the same memory.

    A `DataLoader` takes it with `batch_size=None`: batches are whole already. Each of its workers takes a separate
    shard of the records, or of those of `shard`. `state_dict` and `load_state_dict` are those of `Samples`; workers of
    a loader that keeps states call them in their own processes.
    """

    def __init__(self, sources: Any, batch: int = 4096, **options: Any) -> None:
        super().__init__()
        self._sources, self._batch, self._options = sources, batch, options
        self._current: Samples | None = None
        self._state: Mapping[str, Any] | None = None
        samples(sources, batch, **options).close()  # raises errors of the arguments at once

    def _samples(self) -> Samples:
        options = dict(self._options)
        worker = get_worker_info()
        if worker is not None:
            index, count = options.get("shard", (0, 1))
            options["shard"] = (index + count * worker.id, count * worker.num_workers)
        return samples(self._sources, self._batch, **options)

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        self._current = current = self._samples()
        if self._state is not None:
            current.load_state_dict(self._state)
            self._state = None
        for batch in current:
            yield tensors(batch)

    def state_dict(self) -> dict[str, Any]:
        """Return where the present iteration is."""
        current = self._samples() if self._current is None else self._current
        return current.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Let the next iteration resume from a state; it raises the exceptions of `Samples.load_state_dict`."""
        self._state = state


def tensors(batch: SampleBatch) -> dict[str, torch.Tensor]:
    """Return the arrays of a batch that it has, as tensors over the same memory."""
    arrays = {item.name: getattr(batch, item.name) for item in fields(batch)}
    return {name: torch.from_numpy(array) for name, array in arrays.items() if array is not None}
