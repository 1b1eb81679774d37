"""The games of a segment that have boards of one size: what is kept of them to find positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from .gathering import Frames, code_type

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["SizeGroup", "group_arrays"]

Array: TypeAlias = "npt.NDArray[Any]"

_KEY_BITS: Final = 16
_FRAMES_A_BUCKET: Final = 8


def group_arrays(frames: Frames) -> dict[str, Array]:
    """Return the arrays of a group, by name, as a segment file keeps them.

    - `games`: their numbers; `offsets`: where the frames of each begin, and the end
    - `moves`, `change_frames`, `changes`: see `Frames`; `setups`: the frames that are neither a start nor a move
    - `black`, `white`: for each point a bit a game, whether it ever had a stone of that color
    - `order`: the frames by the hash of their position; `keys`: the second part of that hash, in this order; `buckets`:
      where the frames begin whose hashes have the same first bits
    """
    area = frames.width * frames.height
    offsets = np.zeros(len(frames.games) + 1, np.int64)
    np.cumsum(frames.counts, out=offsets[1:])
    total = int(offsets[-1])
    setups = np.flatnonzero((frames.moves & 3) == 0)
    setups = setups[~np.isin(setups, offsets[:-1])] if len(setups) > len(frames.games) else setups[:0]
    game_of = np.repeat(np.arange(len(frames.games)), frames.counts)
    black, white = (_ever(frames, color, area, game_of) for color in (1, 2))
    bits = max(1, (total // _FRAMES_A_BUCKET).bit_length())
    order = np.argsort(frames.hashes)
    hashes = frames.hashes[order]
    buckets = np.searchsorted(hashes >> np.uint64(64 - bits), np.arange((1 << bits) + 1, dtype=np.uint64))
    return {
        "games": frames.games.astype("<i8"),
        "offsets": offsets.astype("<i8"),
        "moves": frames.moves.astype(code_type(area)),
        "change_frames": frames.change_frames.astype("<u4"),
        "changes": frames.changes.astype(code_type(area)),
        "setups": setups.astype("<u4"),
        "black": black,
        "white": white,
        "order": order.astype("<u4"),
        "keys": _second_part(hashes, bits).astype("<u2"),
        "buckets": buckets.astype("<u4"),
    }


def _ever(frames: Frames, color: int, area: int, game_of: Array) -> Array:
    ever = np.zeros((area + 1, len(frames.games)), bool)
    at = np.flatnonzero((frames.moves & 3) == color)
    ever[frames.moves[at] >> 2, game_of[at]] = True
    put = np.flatnonzero((frames.changes & 3) == color - 1)
    ever[frames.changes[put] >> 2, game_of[frames.change_frames[put]]] = True
    return np.packbits(ever[:area], axis=1, bitorder="little")


def _second_part(hashes: Array, bits: int) -> Array:
    return hashes << np.uint64(bits) >> np.uint64(64 - _KEY_BITS)


class SizeGroup:
    """The arrays of a group (`group_arrays`), read. Thread safety: frozen; threads may share it."""

    def __init__(self, width: int, height: int, arrays: Mapping[str, Array]) -> None:
        self.width = width
        self.height = height
        self.games = arrays["games"]
        self.offsets = arrays["offsets"]
        self.moves = arrays["moves"]
        self.change_frames = arrays["change_frames"]
        self.changes = arrays["changes"]
        self.setups = arrays["setups"]
        self.ever = {1: arrays["black"], 2: arrays["white"]}
        self.order = arrays["order"]
        self.keys = arrays["keys"]
        self.buckets = arrays["buckets"]

    def __len__(self) -> int:
        return len(self.games)

    def with_hash(self, hash: int) -> tuple[Array, Array]:
        """The games, counted within the group, one of whose positions may have that hash, ascending.

        The second array has for each the end of its frames up to the last that may have it.
        """
        bits = (len(self.buckets) - 1).bit_length() - 1
        bucket = hash >> 64 - bits
        begin, end = int(self.buckets[bucket]), int(self.buckets[bucket + 1])
        key = int(_second_part(np.array([hash], np.uint64), bits)[0])
        first, behind = np.searchsorted(self.keys[begin:end], np.array([key, key + 1], np.int64))
        frames = np.sort(self.order[begin + first : begin + behind]).astype(np.int64)
        games = np.searchsorted(self.offsets, frames, "right") - 1
        is_last = np.ones(len(games), bool)
        is_last[:-1] = games[1:] != games[:-1]
        return games[is_last], frames[is_last] + 1

    def move_numbers(self, frames: Array, games: Array) -> Array:
        """The moves in force at frames of games."""
        starts = self.offsets[games]
        numbers: Array = frames - starts
        if len(self.setups):
            numbers -= np.searchsorted(self.setups, frames, "right") - np.searchsorted(self.setups, starts, "right")
        return numbers

    def next_moves(self, frames: Array, games: Array) -> tuple[Array, Array]:
        """The codes of the moves that follow frames, 0 where none does, and who is to play there, 0 if not known.

        Where a setup comes first, its frame is no continuation of the one before: the code is 0. Who is to play is who
        does, or at the end of a game the opponent of who played last.
        """
        ends = self.offsets[games + 1]
        has_next = frames + 1 < ends
        following = np.where(has_next, frames + 1, frames)
        codes: Array = np.where(has_next, self.moves[following], 0).astype(np.int64)
        codes[codes & 3 == 0] = 0
        colors = codes & 3
        forward = np.flatnonzero((colors == 0) & has_next)
        at = following[forward]
        while len(forward):  # over setups
            colors[forward] = self.moves[at] & 3
            at = at + 1
            on = (colors[forward] == 0) & (at < ends[forward])
            forward, at = forward[on], at[on]
        back = np.flatnonzero(colors == 0)
        at, starts = frames[back], self.offsets[games[back]]
        while len(back):
            last = self.moves[at].astype(np.int64) & 3
            colors[back] = np.where(last > 0, 3 - last, 0)
            on = (last == 0) & (at > starts)
            back, at, starts = back[on], at[on] - 1, starts[on]
        return codes, colors
