from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from .limits import Limits

__all__ = ["FORMATS", "replay_texts"]

FORMATS: dict[str, int]

def replay_texts(
    texts: Iterable[bytes], formats: Iterable[str | None], *, board: bool = False, limits: Limits = ..., form: int = ...
) -> tuple[npt.NDArray[np.void], bytes | None]: ...
