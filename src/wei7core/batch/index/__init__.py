"""An index of games on disk, in which any position is found without replaying them.

May import what `batch` may. Start with `index.py`, then `gathering.py` (what is stored of a game), `segment_file.py`
(the file format) and `finding.py` (how a pattern is found).
"""
