"""Input planes of neural networks, for boards of batches and for training samples.

Start with `features.py`. `inputs.h` computes planes as sets of points and writes them. `analysis.h` finds liberties,
ladders and areas from those of the position before: `katago_ladders.h` the blocks that ladders capture,
`katago_areas.h` the owner of each point.
"""
