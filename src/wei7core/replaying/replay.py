"""Replay of a record: every branch is played on a board, and the end of the main line summarised."""

from .cursor import PausePoint, Replayed, pause_points, pause_points_size, replay_record

__all__ = ["PausePoint", "Replayed", "pause_points", "pause_points_size", "replay_record"]
