"""Thousands of boards that programs play on at once. Start with `board_batch.py`.

`boards.pxi`, a part of `_expand.pyx`, runs `steps.h`. The other headers: `layout.h` the memory of a board, `moves.h`
its moves, `legal.h` what is legal, `count.h` the score.
"""
