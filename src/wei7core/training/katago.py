"""Training rows of KataGo: .npz files, as self-play and the shuffler write them.

Sources of the layout, all of https://github.com/lightvector/KataGo:

- cpp/dataio/trainingwrite.h, comments of `TrainingWriteBuffers`: the arrays, their axes, and every channel of
  `policyTargetsNCMove` and `globalTargetsNC`, with the versions of the format (C63)
- cpp/neuralnet/nninputs.cpp, comments of `fillRowV3` to `fillRowV7` ("Feature 0 - on board", "Features 1,2 - pla,opp
  stone", "Feature 6 - ko-ban locations, including possibly superko", ...), and nninputs.h for the number of channels of
  each version of the inputs, by which versions are distinguished
- python/shuffle.py and python/katago/train/data_processing_pytorch.py: which arrays a file has, and how planes are
  unpacked

What is read: `binaryInputNCHWPacked` (the board, own and opponent's stones, ko), `globalInputNC` (the rules of ko and
suicide, the phase), channel 0 of `policyTargetsNCMove` with its weight (C26), and of `globalTargetsNC` the result
(C0-2) and score (C20) of games that were played to their end (C27, C62) and the search's own estimate (C16, C17).
Points go row by row from the top, as `Location::toString` (cpp/game/board.cpp) counts them.

What the documentation leaves open, and is not checked: the rows do not state whether Black or White is to move; given
`positions` do. In the encore of territory scoring moves are legal that are none on the board ("pass for ko", feature
7): there policies are judged only as numbers. A result that is a blend (draws, C0-3) has no sign. Not looked at:
liberties, recent moves, ladders and areas among the inputs, the policy of the next turn, the targets that look ahead,
ownership, score distributions, Q values, metadata.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from typing import IO, Final

import numpy as np

from .._util.lazy_numpy import Array
from .._util.numbers import integer
from ..errors import TrainingFileError
from .npz_rows import ArrayLayout, NpzRows
from .rows import TrainingRows, source_name

_LAYOUTS: Final = {
    "binaryInputNCHWPacked": ArrayLayout("uint8", 3),
    "globalInputNC": ArrayLayout("float32", 2),
    "policyTargetsNCMove": ArrayLayout("int16", 3),
    "globalTargetsNC": ArrayLayout("float32", 2),
    "valueTargetsNCHW": ArrayLayout("int8", 4),
}

_ON_BOARD, _OWN, _OPPONENT = 0, 1, 2
_KO_RULE, _SUICIDE = 6, 8
_WIN, _LOSS, _NO_RESULT = 0, 1, 2
_SEARCH_WIN, _SEARCH_LOSS = 16, 17
_SCORE, _POLICY_WEIGHT, _SCORE_WEIGHT = 20, 26, 27
_FINISHED, _VERSION = 62, 63
_TARGETS: Final = 64
"""Channels of `globalTargetsNC` that every version has."""


@dataclass(frozen=True, slots=True)
class _Inputs:
    """A version of the inputs: the plane of ko, and the global channel of the encore."""

    ko: int
    encore: int


_VERSIONS: Final = {
    (22, 14): _Inputs(ko=6, encore=10),  # 3 and 4
    (13, 12): _Inputs(ko=3, encore=10),  # 5
    (22, 16): _Inputs(ko=6, encore=12),  # 6
    (22, 19): _Inputs(ko=6, encore=12),  # 7
}
"""By the numbers of channels of planes and of global inputs."""


def read(source: str | os.PathLike[str] | IO[bytes], *, rows_at_once: int = 1024) -> Iterator[TrainingRows]:
    """Yield the rows of an .npz file of KataGo, at most `rows_at_once` at a time.

    `source` is a path or a binary file that can be sought. The rows have `own`, `opponent`, `on_board`, `ko`, `policy`
    (visits), `outcome`, `value` and `score`, and rules of their own: `suicide`, `superko`.

    Raises `TrainingFileError`, with the row and the array, where the file is damaged, lacks an array, or holds one of
    another type, shape or version; nothing is unpickled. `OSError` where the file cannot be read, `ValueError` and
    `TypeError` for other arguments. Arrays are read part by part: memory is that of the rows yielded.
    """
    if not (isinstance(source, (str, os.PathLike)) or hasattr(source, "seek")):
        raise TypeError(f"the rows of KataGo are in a path or a binary file, not {source!r:.80}")
    rows_at_once = integer("rows_at_once", rows_at_once)
    if rows_at_once < 1:
        raise ValueError(f"at least one row is read at once, not {rows_at_once}")
    return _read(source, rows_at_once)


def _read(source: str | os.PathLike[str] | IO[bytes], rows_at_once: int) -> Iterator[TrainingRows]:
    name = source_name(source)
    with NpzRows(source, name, _LAYOUTS) as arrays:
        inputs, height, width = _understood(arrays)
        begin = 0
        for part in arrays.parts(rows_at_once):
            yield _rows(part, inputs, height, width, name, begin)
            begin += len(part["globalInputNC"])


def _understood(arrays: NpzRows) -> tuple[_Inputs, int, int]:
    """The version of the inputs and the size of the planes, where all shapes agree on them."""
    shapes = arrays.shapes
    planes, packed = shapes["binaryInputNCHWPacked"][1:]
    channels = (planes, shapes["globalInputNC"][1])
    if channels not in _VERSIONS:
        known = ", ".join(f"{a} and {b}" for a, b in _VERSIONS)
        raise arrays.error(
            f"{channels[0]} planes with {channels[1]} global inputs are no version that is known ({known})",
            "binaryInputNCHWPacked",
        )
    height, width = shapes["valueTargetsNCHW"][2:]
    points = height * width
    if not points or packed != (points + 7) // 8:
        raise arrays.error(
            f"planes of {packed} bytes do not hold the {width} x {height} points of valueTargetsNCHW",
            "binaryInputNCHWPacked",
        )
    channel_count, moves = shapes["policyTargetsNCMove"][1:]
    if not channel_count or moves != points + 1:
        side = isqrt(max(moves - 1, 0))
        raise arrays.error(
            f"a policy of {moves} moves is not one of {width} x {height} points and the pass"
            + (f", but of {side} x {side}" if side and side * side == moves - 1 else ""),
            "policyTargetsNCMove",
        )
    if shapes["globalTargetsNC"][1] < _TARGETS:
        raise arrays.error(
            f"rows have at least {_TARGETS} channels, not {shapes['globalTargetsNC'][1]}", "globalTargetsNC"
        )
    return _VERSIONS[channels], height, width


def _rows(
    part: dict[str, Array], inputs: _Inputs, height: int, width: int, name: str | None, begin: int
) -> TrainingRows:
    settings, targets = part["globalInputNC"], part["globalTargetsNC"]
    versions = targets[:, _VERSION]
    unknown = np.flatnonzero(~np.isin(versions, (1, 2, 3)))
    if len(unknown):
        raise TrainingFileError(
            f"version {versions[unknown[0]]:g} of the rows is not known",
            source=name,
            row=begin + int(unknown[0]),
            place="globalTargetsNC",
        )
    wanted = [_ON_BOARD, _OWN, _OPPONENT, inputs.ko]
    bits = np.unpackbits(part["binaryInputNCHWPacked"][:, wanted], axis=2)[:, :, : height * width]
    planes = bits.reshape(len(bits), len(wanted), height, width)
    encore = settings[:, inputs.encore] != 0
    # C62 states it from version 2 on; before, and for blends, a result has no sign that is known.
    finished = (versions >= 2) & (targets[:, _FINISHED] == 1)
    decided = finished & (targets[:, _NO_RESULT] == 0) & np.isin(targets[:, _WIN], (0, 1))
    return TrainingRows(
        own=np.ascontiguousarray(planes[:, 1]),
        opponent=np.ascontiguousarray(planes[:, 2]),
        on_board=np.ascontiguousarray(planes[:, 0]),
        ko=np.ascontiguousarray(planes[:, 3]),
        policy=part["policyTargetsNCMove"][:, 0],
        policy_is_counts=True,
        judge_policy=(targets[:, _POLICY_WEIGHT] > 0) & ~encore,
        outcome=targets[:, _WIN] - targets[:, _LOSS],
        has_outcome=decided,
        value=targets[:, _SEARCH_WIN] - targets[:, _SEARCH_LOSS],
        score=targets[:, _SCORE],
        has_score=targets[:, _SCORE_WEIGHT] > 0,
        suicide=settings[:, _SUICIDE] != 0,
        superko=(settings[:, _KO_RULE] != 0) | encore,
        source=name,
        first_row=begin,
    )
