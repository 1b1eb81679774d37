"""Shapes and types of the arrays of training rows, as the plain layout has them."""

from __future__ import annotations

from typing import Final

import numpy as np

from .._util.lazy_numpy import Array
from .codes import Collector
from .rows import TrainingRows

_NUMBERS: Final = "biuf"
_PLANES: Final = dict.fromkeys(("own", "opponent", "on_board", "ko"), _NUMBERS)
_MOVES: Final = dict.fromkeys(("legal", "policy"), _NUMBERS)
_ONE_EACH: Final = {
    **dict.fromkeys(("to_move", "game", "move_number", "winner"), "iu"),
    **dict.fromkeys(("outcome", "value", "score"), "iuf"),
    **dict.fromkeys(("has_outcome", "has_score", "judge_policy", "suicide", "superko"), "biu"),
}
_KINDS: Final = {**_PLANES, **_MOVES, **_ONE_EACH, "history": _NUMBERS}


def well_shaped(rows: TrainingRows, found: Collector) -> TrainingRows | None:
    """Return the rows without the fields whose arrays do not fit, which are findings; None where no row has planes."""
    own = rows.own
    if own.ndim != 3 or 0 in own.shape[1:]:
        found.add_whole(
            "row-shape", f"own has the shape {own.shape}, not (n, height, width)", {"shape": list(own.shape)}
        )
        return None
    count, height, width = own.shape
    moves = height * width + 1
    wrong = set()
    for name, array in rows.arrays().items():
        if name in _PLANES:
            fits, expected = array.shape == own.shape, f"{own.shape}"
        elif name in _MOVES:
            fits, expected = array.shape == (count, moves), f"{(count, moves)}"
        elif name in _ONE_EACH:
            fits, expected = array.shape == (count,), f"{(count,)}"
        else:
            fits = array.ndim == 5 and (array.shape[0], *array.shape[2:]) == (count, 2, height, width)
            expected = f"({count}, k, 2, {height}, {width})"
        if not fits:
            found.add_whole(
                "row-shape", f"{name} has the shape {array.shape}, not {expected}", {"shape": list(array.shape)}
            )
        elif array.dtype.kind not in _KINDS[name]:
            found.add_whole("row-shape", f"{name} holds {array.dtype}, {_wanted(name)}", {"dtype": str(array.dtype)})
            fits = False
        if not fits:
            wrong.add(name)
    if wrong & {"own", "opponent"}:
        return None
    return rows.without(wrong)


def _wanted(name: str) -> str:
    return "not integers" if _KINDS[name] == "iu" else "not numbers" if "f" in _KINDS[name] else "not bools"


def as_bools(array: Array | None, count: int, absent: bool) -> Array:
    """Return a field of bools, filled with `absent` if missing."""
    return np.full(count, absent) if array is None else array.astype(bool)
