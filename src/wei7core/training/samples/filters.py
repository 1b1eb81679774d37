"""Filters of the games that rows are made of: by moves, result, ranks of the players, source."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from ...record.document import Info
from ...record.names import rank_parts
from ...record.result import Ending

_NO_END: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class GameFilter:
    """The filter of games: all conditions must hold.

    `moves` are the fewest and the most moves in force; `endings` None allows every end, also none that is stated;
    `rank` is the lowest rank of either player as `rank_number`, None for any; `source` a pattern of shells, `where` a
    condition on the `Info` of the record.
    """

    moves: tuple[int, int] = (0, _NO_END)
    endings: frozenset[Ending] | None = None
    rank: int | None = None
    source: str | None = None
    where: Callable[[Info], bool] | None = None

    @property
    def needs_info(self) -> bool:
        """Whether records must be decoded a second time, for the values of players."""
        return self.rank is not None or self.where is not None

    def takes_source(self, source: str) -> bool:
        """Return whether records of a source are read."""
        return self.source is None or fnmatchcase(source, self.source)

    def takes_info(self, info: Info) -> bool:
        """Return whether a game of which that is known is used. Raises what `where` raises."""
        if self.rank is not None:
            for color in (1, 2):
                players = [player.participant for player in info.players if player.color == color]
                ranks = [rank_number(info.participants[k].rank) for k in players if 0 <= k < len(info.participants)]
                if not ranks or any(rank is None or rank < self.rank for rank in ranks):
                    return False
        return self.where is None or bool(self.where(info))


def game_filter(
    moves: tuple[int, int | None] | None,
    results: Collection[str] | str | None,
    min_rank: str | None,
    source: str | None,
    where: Callable[[Info], bool] | None,
) -> GameFilter:
    """Return the filter of arguments of `wei7core.samples`. Raises `ValueError` and `TypeError` for invalid ones."""
    fewest, most = (0, None) if moves is None else moves
    if fewest < 0 or (most is not None and most < fewest):
        raise ValueError(f"no game has {fewest} to {most} moves")
    endings = None
    if results is not None:
        names = [results] if isinstance(results, str) else list(results)
        unknown = sorted(set(names) - {ending.value for ending in Ending})
        if unknown:
            raise ValueError(f"no game ends by {unknown[0]!r}; use {', '.join(ending.value for ending in Ending)}")
        endings = frozenset(map(Ending, names))
    for name, value in (("min_rank", min_rank), ("source", source)):
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} is a text, not {value!r}")
    if where is not None and not callable(where):
        raise TypeError(f"where is a function, not {where!r}")
    rank = None
    if min_rank is not None:
        rank = rank_number(min_rank)
        if rank is None:
            raise ValueError(f"{min_rank!r} is not a rank; use 5k, 3d or 9p")
    return GameFilter((fewest, _NO_END if most is None else most), endings, rank, source, where)


def rank_number(text: str | None) -> int | None:
    """Return a rank as a number that is larger for the stronger, None for other texts: 1k is 0, 1d 1, 1p 101."""
    found = rank_parts(text)
    if found is None:
        return None
    number, grade = found
    return 1 - number if grade == "k" else number + 100 if grade == "p" else number
