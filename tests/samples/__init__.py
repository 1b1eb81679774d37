"""Records, positions and training rows that tests use: fixed, generated and damaged ones."""
