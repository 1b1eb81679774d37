"""What networks are fed with, of boards of batches and of rows to learn from. Start with `features.py`.

`inputs.h` finds planes as sets of points and writes them: `chains.h` blocks and their liberties, `ladders.h` what
ladders take, `areas.h` whose each point is.
"""
