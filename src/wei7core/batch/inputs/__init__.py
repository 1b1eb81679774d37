"""Input planes of neural networks, for boards of batches and for training samples.

Start with `features.py`. `inputs.h` computes planes as sets of points and writes them: `chains.h` blocks and their
liberties, `ladders.h` stones that ladders capture, `areas.h` the owner of each point.
"""
