"""Records as the rows that networks learn from: planes, moves, results, shuffled, in batches.

Start with `samples.py`; `games.py` turns records into rows, `filters.py` says which records are used. The planes are
written in C (`batch/sample_rows.h`, `batch/sample_buffer.h`).
"""
