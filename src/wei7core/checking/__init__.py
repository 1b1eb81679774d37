"""Checks of records: rules, results, headers, and duplicate games.

May import `batch`, `game` and their dependencies. Start with `check.py`; `codes.py` lists every finding.
"""
