"""A slow, obvious replay of wei7 objects: every branch goes its own way on a board of its own."""

from __future__ import annotations

from itertools import pairwise

from oracles.board import OracleBoard


class Line(OracleBoard):
    """A board that carries out the steps of a path of the tree."""

    def __init__(self, width, height):
        super().__init__(width, height)
        self.takebacks = 0

    def set_up(self, stones):
        """Place preset stones; returns whether they are valid."""
        placements = [(stone["color"], (stone["point"]["x"], stone["point"]["y"])) for stone in stones]
        if not self.can_setup(placements):
            return False
        self.stones = {point: color for color, point in placements}
        return True

    def step(self, step):
        """Carry out a step; returns whether that is possible."""
        kind, value = step["action"]["type"], step["action"].get("value")
        if kind == "takeback":
            self.takebacks += 1
            self.undo(value)
        if kind == "move":
            point = value["point"] and (value["point"]["x"], value["point"]["y"])
            if point in self.stones:
                return False
            self.play(value["color"], point)
        return True

    def letters(self):
        """The position as one letter a point."""
        return "".join(".XO"[color] for row in self.rows for color in row)

    def figures(self):
        """The columns of a result row that the moves in force decide."""
        positions = [stones for stones, _ in self.before] + [self.stones]
        lost = [captured for _, captured in self.before] + [self.captured]
        gone = [{color: after[color] - before[color] for color in (1, 2)} for before, after in pairwise(lost)]
        taken = [change[3 - color] for (color, _), change in zip(self.moves, gone, strict=True)]
        back = [n for n in range(1, len(self.moves)) if positions[n + 1] == positions[n - 1]]
        return {
            "moves": len(self.moves),
            "passes": sum(point is None for _, point in self.moves),
            "takebacks": self.takebacks,
            "suicides": sum(change[color] > 0 for (color, _), change in zip(self.moves, gone, strict=True)),
            "ko_recaptures": sum(taken[n - 1] == taken[n] == 1 for n in back),
            "black_captured": self.captured[1],
            "white_captured": self.captured[2],
            "position": self.letters(),
            "hash": self.hash,
            "canonical_hash": self.canonical_hash,
        }


def replay(tree, width, height):
    """Walk all branches: (line at the end of the main line, pause points as tuples, paths of refused branches)."""
    pauses, refused = [], []

    def walk(branch, line, path):
        main = line
        if "pre" in branch:
            if branch["pre"].get("stones") and not line.set_up(branch["pre"]["stones"]):
                refused.append(path)
                return line
            pauses.append((path, None, len(line.moves), line.letters()))
        for number, step in enumerate(branch.get("steps", [])):
            if not line.step(step):
                refused.append(path)
                return line
            if step["action"]["type"] == "move":
                pauses.append((path, number, len(line.moves), line.letters()))
        for ordinal, below in enumerate(branch.get("branches", [])):
            end = walk(below, line.copy(history=True), f"{path}.{ordinal}" if path != "-" else str(ordinal))
            main = end if ordinal == 0 else main
        return main

    return walk(tree, Line(width, height), "-"), pauses, refused
