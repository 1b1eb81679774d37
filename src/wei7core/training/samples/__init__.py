"""Training rows from records: planes, moves and results, shuffled, in batches.

Start with `samples.py`; `games.py` turns records into rows, `filters.py` selects records. The planes are
written in C (`batch/sample_rows.h`, `batch/sample_buffer.h`, `batch/sample_write.h`, `batch/sample_stream.h`).
"""
