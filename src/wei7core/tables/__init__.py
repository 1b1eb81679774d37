"""Tables: columns in contiguous buffers, rows of them, files of them.

May import `_util`. Start with `columns.py`, then `table.py` and `writers.py`.
"""
