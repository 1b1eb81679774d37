"""An index of games on disk, searched for positions and patterns without replaying games.

May import what `batch` may. Start with `index.py`, then `gathering.py` (the content for each record), `segment_file.py`
(the file format) and `finding.py` (the search: in C whole boards in `board_search.h`, corners in `corner_search.h`,
sides and other patterns in `game_search.h`, which finds games, and `position_search.h`, which finds positions).
"""
