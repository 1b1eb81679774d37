"""Records judged: their rules, results, headers, and copies among them.

May import `batch`, `game` and all that these use. Start with `check.py`; `codes.py` lists every finding.
"""
