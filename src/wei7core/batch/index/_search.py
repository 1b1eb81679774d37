"""The games of an index, gathered and searched without the GIL; compiled with `batch.summaries`."""

from ..summaries import GameStore, add_records, count_moves, find_boards, find_patterns

__all__ = ["GameStore", "add_records", "count_moves", "find_boards", "find_patterns"]
