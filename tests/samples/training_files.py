"""Files of training rows, written as the documents of Leela Zero and KataGo lay them out."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from wei7core.training.rows import TrainingRows


def leela_zero_text(rows: TrainingRows, *, first_row: str = "bottom") -> bytes:
    """Return the rows as text of Leela Zero, point by point."""
    lines = []
    size = rows.own.shape[1]
    order = range(size - 1, -1, -1) if first_row == "bottom" else range(size)
    assert rows.history is not None and rows.to_move is not None and rows.policy is not None
    assert rows.outcome is not None
    for row in range(len(rows)):
        for side, now in enumerate((rows.own, rows.opponent)):
            for plane in (now[row], *rows.history[row, :, side]):
                bits = [int(plane[y, x]) for y in order for x in range(size)]
                fours = [
                    bits[k] * 8 + bits[k + 1] * 4 + bits[k + 2] * 2 + bits[k + 3] for k in range(0, size**2 - 1, 4)
                ]
                lines.append("".join([f"{four:x}" for four in fours]) + str(bits[-1]))
        lines.append(str(rows.to_move[row] - 1))
        policy = rows.policy[row]
        lines.append(" ".join([f"{policy[k]:.9g}" for y in order for k in range(y * size, (y + 1) * size)]
                              + [f"{policy[-1]:.9g}"]))  # fmt: skip
        lines.append(str(int(rows.outcome[row])))
    return "".join([line + "\n" for line in lines]).encode()


def katago_arrays(rows: TrainingRows, *, version: int = 7) -> dict[str, np.ndarray[Any, Any]]:
    """Return the rows as the arrays of a file of KataGo; `version` is that of the inputs."""
    count, height, width = rows.own.shape
    planes, settings, ko_plane, encore = {5: (13, 12, 3, 10), 6: (22, 16, 6, 12), 7: (22, 19, 6, 12)}[version]
    bits = np.zeros((count, planes, height * width), np.uint8)
    shown = {0: rows.on_board, 1: rows.own, 2: rows.opponent, ko_plane: rows.ko}
    for number, plane in shown.items():
        bits[:, number] = number == 0 if plane is None else plane.reshape(count, -1)
    inputs = np.zeros((count, settings), np.float32)
    targets = np.zeros((count, 80), np.float32)
    targets[:, 63] = 3
    inputs[:, 6] = _column(rows.superko, count, 0)
    inputs[:, 8] = _column(rows.suicide, count, 0)
    inputs[:, encore] = 0
    assert rows.policy is not None
    policy = np.zeros((count, 2, height * width + 1), np.int16)
    policy[:, 0] = rows.policy
    targets[:, 26] = _column(rows.judge_policy, count, 1)
    outcome = _column(rows.outcome, count, 0)
    targets[:, 0], targets[:, 1] = (1 + outcome) / 2, (1 - outcome) / 2
    targets[:, 62] = _column(rows.has_outcome, count, 1)
    value = _column(rows.value, count, 0)
    targets[:, 16], targets[:, 17] = (1 + value) / 2, (1 - value) / 2
    targets[:, 20], targets[:, 27] = _column(rows.score, count, 0), _column(rows.has_score, count, 1)
    return {
        "binaryInputNCHWPacked": np.packbits(bits, axis=2),
        "globalInputNC": inputs,
        "policyTargetsNCMove": policy,
        "globalTargetsNC": targets,
        "scoreDistrN": np.zeros((count, 2 * height * width + 120), np.int8),
        "valueTargetsNCHW": np.zeros((count, 5, height, width), np.int8),
    }


def npz(arrays: dict[str, Any], *, compressed: bool = True) -> io.BytesIO:
    file = io.BytesIO()
    (np.savez_compressed if compressed else np.savez)(file, **arrays)
    file.seek(0)
    return file


def _column(array: Any, count: int, absent: float) -> Any:
    return np.full(count, absent) if array is None else array
