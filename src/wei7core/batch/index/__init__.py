"""An index of games on disk: any position of them is found without a replay of all.

May import what `batch` may. Start with `index.py`, then `gathering.py` (what is kept of a game), `segment_file.py` (how
it lies on disk) and `finding.py` (how a pattern is found).
"""
