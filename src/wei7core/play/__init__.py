"""Programs and people that play: engines over GTP and KataGo's analysis protocol, problems to solve, live games.

May import `game`, `tables` and what those import. Start with `gtp/engine.py` for a bot, `gtp/client.py` to run one,
`analysis/katago.py`, `live/live_game.py` and `attempt.py`; `engine_process.py` owns the processes.
"""
