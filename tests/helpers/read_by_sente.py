"""Read a record from standard input with sente and print what it found as JSON.

A program of its own: sente has no wheels for Python 3.11 and later, and its `numpy` method needs NumPy 1.
"""

from __future__ import annotations

import json
import sys
import tempfile

import sente.sgf

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def main() -> None:
    """Read, replay the first line of play, and print size, moves, stones and texts."""
    with tempfile.NamedTemporaryFile(suffix=".sgf") as file:  # sente reads files
        file.write(sys.stdin.buffer.read())
        file.flush()
        game = sente.sgf.load(file.name)
    properties = game.get_properties()
    sequence = game.get_default_sequence()
    game.play_sequence(sequence)
    stones = game.numpy(["black_stones", "white_stones"])
    width, height = stones.shape[:2]
    points = [[], []]
    for x in range(width):
        for y in range(height):
            for color in (0, 1):
                if stones[x, y, color]:
                    points[color].append(LETTERS[x] + LETTERS[y])
    found = {"size": f"{width}x{height}", "moves": len(sequence), "x": sorted(points[0]), "o": sorted(points[1])}
    found |= {name: properties.get(key) for name, key in (("black", "PB"), ("white", "PW"), ("comment", "C"))}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
