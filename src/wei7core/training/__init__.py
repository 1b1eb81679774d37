"""Checks of training rows: planes, policies and values for neural networks; and samples made from records.

May import `batch`, `game`, `tables` and `board`. Start with `check.py`; `rows.py` defines the arrays, `codes.py` lists
every finding. `leela_zero` and `katago` read the files of those engines.
"""
