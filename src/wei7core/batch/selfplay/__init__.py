"""Thousands of boards that programs play on at once. Start with `board_batch.py`.

`playouts.py` and `estimates.py` play them to their ends; `gymnasium.py`, `pettingzoo.py`, `open_spiel.py` and `jax.py`
are ways in from other libraries, which `wei7core.selfplay` is another name for.

`boards.pxi`, a part of `_expand.pyx`, runs `steps.h`. The other headers: `layout.h` the memory of a board, `moves.h`
its moves, `legal.h` what is legal, `count.h` the score.
"""
