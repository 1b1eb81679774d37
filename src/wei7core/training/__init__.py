"""Training rows of engines judged: planes, policies and values as networks learn from them.

May import `batch`, `game`, `tables` and `board`. Start with `check.py`; `rows.py` defines the arrays, `codes.py` lists
every finding. `leela_zero` and `katago` read the files of those engines.
"""
