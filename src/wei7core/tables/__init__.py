"""Tables: columns in contiguous buffers, their rows, and their files.

May import `_util`. Start with `columns.py`, then `table.py` and `writers.py`.
"""
