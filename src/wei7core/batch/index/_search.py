"""The games of an index, gathered and searched without the GIL; compiled with `batch.summaries`."""

from ..summaries import GameStore, add_records, order_hashes

__all__ = ["GameStore", "add_records", "order_hashes"]
