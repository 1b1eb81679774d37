"""Games while they are played: `LiveGame` takes one action after another, `clock.py` judges their times."""
