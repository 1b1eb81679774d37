"""Thousands of boards played on at once, for self-play and search.

Start with `board_batch.py`. `playouts.py` and `estimates.py` play games to their end; `gymnasium.py`, `pettingzoo.py`,
`open_spiel.py` and `jax.py` are adapters for other libraries, also named `wei7core.selfplay`.

`boards.pxi`, a part of `batch/_expand.pyx`, runs `steps.h`. The other headers: `layout.h` the memory of a board,
`moves.h` its moves, `legal.h` what is legal, `count.h` the score.
"""
