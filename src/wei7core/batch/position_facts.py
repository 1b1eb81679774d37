"""The metadata of positions: the color to play, the next move and the winner."""

from __future__ import annotations

from .._util.lazy_numpy import Array, np
from ..coordinates import to_gtp
from ..tables.columns import Boards, ColumnData, Numbers, Texts
from ..tables.table import Table
from .results import POSITION_METADATA_COLUMNS, PositionMetadataRow, positions_columns


def with_facts(positions: Table, owners: Array, winners: ColumnData) -> Table:
    """Return positions with the columns of metadata. `owners` has, for each, the row of its record in `winners`."""
    data = positions.data
    boards = data["board"]
    assert isinstance(boards, Boards) and isinstance(winners, Numbers)
    count = len(owners)
    follows = _are_followed(data, owners)
    color = _values(data["color"])
    following = np.full(count, -1, np.int8)
    following[:-1] = np.where(follows[:-1], color[1:], -1)
    to_play = np.where(following > 0, following, np.where(color > 0, 3 - color, -1)).astype(np.int8)
    valid = np.ones(len(winners), bool) if winners.valid is None else winners.valid
    winner = np.where(valid, winners.values, -1)[owners].astype(np.int8)
    facts: dict[str, ColumnData] = {
        "to_play": _optional(to_play),
        "next_move": _next_moves(data, boards, follows),
        "winner": _optional(winner),
    }
    assert list(facts) == [column.name for column in POSITION_METADATA_COLUMNS]
    return Table(positions_columns(True, True), {**data, **facts}, PositionMetadataRow)


def _values(column: ColumnData) -> Array:
    assert isinstance(column, Numbers)
    return column.values


def _optional(values: Array) -> Numbers:
    valid = values > 0
    return Numbers(values, None if len(values) and valid.all() else valid)


def _are_followed(data: dict[str, ColumnData], owners: Array) -> Array:
    """Whether the next row is the next move of a position, on its branch or the first branch below it."""
    follows = np.zeros(len(owners), bool)
    numbers, colors = _values(data["move_number"]), _values(data["color"])
    follows[:-1] = (owners[1:] == owners[:-1]) & (numbers[1:] == numbers[:-1] + 1) & (colors[1:] > 0)
    branches = data["branch"]
    assert isinstance(branches, Texts)
    places = np.flatnonzero(follows)
    others = places[~_are_same(branches, places)]
    paths = branches.data.tobytes() if len(others) else b""
    for place in others.tolist():
        begin, middle, end = branches.offsets[place : place + 3].tolist()
        path = b"" if paths[begin:middle] == b"-" else paths[begin:middle] + b"."
        below = paths[middle:end]
        follows[place] = below.startswith(path) and not below[len(path) :].strip(b"0.")  # not after an empty branch
    return follows


def _are_same(texts: Texts, places: Array) -> Array:
    """Whether each text at `places` equals the following one."""
    offsets, data = texts.offsets, texts.data
    sizes = offsets[places + 1] - offsets[places]
    same: Array = sizes == offsets[places + 2] - offsets[places + 1]
    here, letter = np.flatnonzero(same & (sizes > 0)), 0
    while len(here):
        differ = data[offsets[places[here]] + letter] != data[offsets[places[here] + 1] + letter]
        same[here[differ]] = False
        letter += 1
        here = here[~differ & (sizes[here] > letter)]
    return same


def _next_moves(data: dict[str, ColumnData], boards: Boards, follows: Array) -> Texts:
    """The vertices of the next moves; each distinct one is formatted once."""
    places = np.flatnonzero(follows) + 1
    xs, ys = _values(data["x"])[places].astype(np.int64), _values(data["y"])[places].astype(np.int64)
    widths, heights = boards.widths[places].astype(np.int64), boards.heights[places].astype(np.int64)
    keys, which = np.unique(np.stack([xs, ys, widths, heights]), axis=1, return_inverse=True)
    names = [
        to_gtp(None if x < 0 else (x, y), width, height).encode("ascii") for x, y, width, height in keys.T.tolist()
    ]
    sizes = np.full(len(follows), -1, np.int64)
    if not len(places):
        return Texts.sized(sizes, b"")
    which = which.reshape(-1)
    longest = max(map(len, names))
    letters = np.array(names, f"S{longest}").view(np.uint8).reshape(-1, longest)
    lengths = np.array([len(name) for name in names])
    sizes[places - 1] = lengths[which]
    kept = np.arange(longest) < lengths[which][:, None]
    return Texts.sized(sizes, letters[which][kept].tobytes())
