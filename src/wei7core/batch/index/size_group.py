"""The games of a segment with boards of one size: their arrays for searching positions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from ..._util.ordered_map import parallel_ranges
from ._search import CORNER_LISTS, GameStore
from .gathering import Frames, code_type

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["SizeGroup", "group_arrays", "native"]

Array: TypeAlias = "npt.NDArray[Any]"

_FRAMES_A_BUCKET: Final = 8
_MOST_POINTS: Final = 1 << 10
_MOST_SHORT: Final = 1 << 16
_NEVER: Final = 255
"""The smallest number of stones since a capture, for games without any."""
_PLAIN: Final = ("change_offsets", "moves", "change_frames", "changes", "black", "white", "first_stones")
_COMMON: Final = {
    "common_hashes": np.uint64,
    "common_games": np.uint32,
    "image_ends": np.uint32,
    "image_hashes": np.uint64,
    "move_ends": np.uint32,
    "common_moves": np.uint32,
    "common_counts": np.uint32,
}
_TABLES: Final = ("buckets", "keys", "hash_games", *_COMMON)


_CORNERS: Final = ("corner_keys", "corner_games", "late_ends", "late_stones", "late_games", "late_emptied")


def group_arrays(frames: Frames, winners: Callable[[], Array], jobs: int = 1) -> dict[str, Array]:
    """Return the arrays of a group, by name, as stored in a segment file; `winners` by game are called for late.

    `jobs` threads share the work.

    - `games`: their numbers; `offsets`, `change_offsets`: where the frames and the changes of each begin, and the end
    - `moves`, `change_frames`, `changes`: see `Frames`; `setups`: the frames that are neither a start nor a move
    - `black`, `white`: for each point a bit a game, whether it ever had a stone of that color
    - `first_stones`: for each game and point the frame that put the only or first stone, 64 games at a time, see
      `game_store.h`; empty for boards of more than 1,024 points
    - `hash_games`: for each frame its game, counted within the group, by the canonical hash of the position; `keys`:
      the second part of that hash, in this order; `buckets`: where the hashes begin that have the same first bits
    - `common_hashes`, ascending: the canonical hashes of positions of many games, and `common_games` how many;
      `image_hashes`: those of the position under symmetries, `image_ends` where those of each common one end;
      `common_moves`: codes of the next moves, `common_counts`: their games that nobody, Black, White won, `move_ends`:
      where those of each image end; see `position_table.h`
    - `corner_keys`: the first events in the corners of all games, ascending, by corner and window; `corner_games`: of
      which games they are; `late_games`: those in which a stone was taken away, by the fewest stones from then on,
      `late_stones`; `late_emptied`: bits of points that were empty then; `late_ends`: where those of each corner and
      window end; see `corner_histories.h`. None of them for boards of more than 1,024 points
    """
    area = frames.width * frames.height
    count = len(frames.games)
    offsets = np.zeros(count + 1, np.int64)
    np.cumsum(frames.counts, out=offsets[1:])
    total = int(offsets[-1])
    setups = np.flatnonzero((frames.moves & 3) == 0)
    setups = setups[~np.isin(setups, offsets[:-1])] if len(setups) > count else setups[:0]
    kept: dict[str, Array] = {
        "offsets": offsets,
        "change_offsets": np.searchsorted(frames.change_frames, offsets).astype(np.uint32),
        "moves": frames.moves.astype(code_type(area), copy=False),
        "change_frames": frames.change_frames.astype(np.uint32, copy=False),
        "changes": frames.changes.astype(code_type(area), copy=False),
    }
    planes = {name: np.zeros((area, (count + 7) // 8), np.uint8) for name in ("black", "white")}
    first_stones = np.empty(count * area if area <= _MOST_POINTS else 0, np.uint8)
    store = GameStore(frames.width, frames.height, tuple(map(native, kept.values())), bool(len(setups)))
    bits = max(1, (total // _FRAMES_A_BUCKET).bit_length())
    buckets = np.empty((1 << bits) + 1, np.uint32)
    hash_games = np.empty(total, np.uint16 if count <= _MOST_SHORT else np.uint32)
    keys = np.empty(total, np.uint8)
    steps: list[Callable[[], Any]] = [
        lambda: store.order_hashes(winners, buckets, hash_games, keys, jobs),
        lambda: store.summarise(first_stones, planes["black"], planes["white"]),
        lambda: _corner_arrays(store, count) if area <= _MOST_POINTS else {},
    ]
    common, _, corners = parallel_ranges(lambda number, _: steps[number](), len(steps), 1, jobs)
    arrays: dict[str, Array] = {
        "games": frames.games.astype(np.int64),
        **kept,
        "setups": setups.astype(np.uint32),
        **planes,
        "first_stones": first_stones,
        "hash_games": hash_games,
        "keys": keys,
        "buckets": buckets,
        **_joined_common(common),
        **corners,
    }
    return {name: array.astype(array.dtype.newbyteorder("<"), copy=False) for name, array in arrays.items()}


def _corner_arrays(store: GameStore, count: int) -> dict[str, Array]:
    """The arrays of the corners of a group of `count` games."""
    games = np.empty((CORNER_LISTS, count), np.uint16 if count <= _MOST_SHORT else np.uint32)
    keys, fewest, emptied = (np.empty(games.shape, type) for type in (np.uint64, np.uint8, np.uint16))
    store.corner_histories((keys, fewest, emptied, games))
    late = []
    for stones, empty in zip(fewest, emptied, strict=True):
        known = np.flatnonzero(stones < _NEVER)
        order = known[np.argsort(stones[known], kind="stable")]
        late.append((order, stones[order], empty[order]))
    return {
        "corner_keys": keys,
        "corner_games": games,
        "late_ends": np.cumsum([len(order) for order, *_ in late]).astype(np.uint32),
        "late_stones": np.concatenate([stones for _, stones, _ in late]),
        "late_games": np.concatenate([order for order, *_ in late]).astype(games.dtype),
        "late_emptied": np.concatenate([empty for *_, empty in late]),
    }


def _joined_common(parts: Sequence[Sequence[bytes]]) -> dict[str, Array]:
    """The arrays of common positions, from those of parts in turn."""
    made: dict[str, Array] = {}
    for (name, type), data in zip(_COMMON.items(), zip(*parts, strict=True), strict=True):
        made[name] = np.frombuffer(b"".join(data), type)
    for name, counted in (("image_ends", "image_hashes"), ("move_ends", "common_moves")):
        sizes = [len(part[list(_COMMON).index(counted)]) // made[counted].itemsize for part in parts]
        own = [len(part[list(_COMMON).index(name)]) // made[name].itemsize for part in parts]
        made[name] = made[name] + np.repeat(np.cumsum([0, *sizes[:-1]]).astype(made[name].dtype), own)
    return made


def native(array: Array) -> Array:
    """The array in the byte order of this machine, copied only where it has another one."""
    return array.astype(array.dtype.newbyteorder("="), copy=False)


class SizeGroup:
    """The arrays of a group (`group_arrays`), read. Thread safety: frozen; threads may share it."""

    def __init__(self, width: int, height: int, arrays: Mapping[str, Array], winners: Array, first: int) -> None:
        """`winners` are those of the records of the segment, whose numbers begin with `first`."""
        self._winners = winners
        self._first = first
        self.width = width
        self.height = height
        self.arrays = arrays
        self.games = arrays["games"]
        self.offsets = native(arrays["offsets"])
        self.moves = arrays["moves"]
        self.setups = arrays["setups"]
        named = (native(arrays[name]) for name in (*_PLAIN, *_TABLES))
        # Segments of older releases have not all histories of corners, large boards none.
        corners = [native(arrays[name]) for name in _CORNERS if name in arrays]
        self.store = GameStore(width, height, (self.offsets, *named), bool(len(self.setups)), corners)

    def __len__(self) -> int:
        return len(self.games)

    @cached_property
    def winners(self) -> Array:
        """The winner of each game: 1 or 2, 0 for none or unknown."""
        games, first = self.games, self._first
        winners: Array
        if len(games) and int(games[-1]) - int(games[0]) + 1 == len(games):  # ascending: no other values are read
            winners = self._winners[int(games[0]) - first : int(games[-1]) - first + 1]
        else:
            winners = self._winners[games - first]
        return winners

    def move_numbers(self, frames: Array, games: Array) -> Array:
        """The moves in force at frames of games."""
        starts = self.offsets[games]
        numbers: Array = frames - starts
        if len(self.setups):
            numbers -= np.searchsorted(self.setups, frames, "right") - np.searchsorted(self.setups, starts, "right")
        return numbers
