"""The games of an index, gathered and searched without the GIL; compiled with `batch.summaries`."""

from ..summaries import CORNER_LISTS, GameStore, add_records, count_moves, find_boards, find_patterns

__all__ = ["CORNER_LISTS", "GameStore", "add_records", "count_moves", "find_boards", "find_patterns"]
