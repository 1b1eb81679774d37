"""A slow, obvious replay of wei7 objects: every position is a dict, and nothing is ever undone."""

from __future__ import annotations


def neighbours(point, width, height):
    """The points next to `point`."""
    x, y = point
    around = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    return [(a, b) for a, b in around if 0 <= a < width and 0 <= b < height]


def dead(stones, color, width, height):
    """The stones of `color` in blocks without liberties."""
    alive = set()
    waiting = [
        p for p, c in stones.items() if c == color and any(n not in stones for n in neighbours(p, width, height))
    ]
    while waiting:
        point = waiting.pop()
        if point not in alive:
            alive.add(point)
            waiting += [n for n in neighbours(point, width, height) if stones.get(n) == color]
    return {point for point, c in stones.items() if c == color and point not in alive}


class State:
    """What a path of the tree has come to: the position after each move in force, and what the moves did."""

    def __init__(self, width, height):
        self.size = width, height
        self.positions = [{}]
        self.moves = []
        self.takebacks = 0

    def copy(self):
        """A state that can go its own way."""
        other = State(*self.size)
        other.positions, other.moves, other.takebacks = list(self.positions), list(self.moves), self.takebacks
        return other

    def set_up(self, stones):
        """Put preset stones down; returns whether they can stand."""
        position = {(s["point"]["x"], s["point"]["y"]): s["color"] for s in stones}
        if any(dead(position, color, *self.size) for color in (1, 2)):
            return False
        self.positions = [position]
        return True

    def step(self, step):
        """Carry out a step; returns whether that is possible."""
        kind, value = step["action"]["type"], step["action"].get("value")
        if kind == "takeback":
            self.takebacks += 1
            del self.positions[-value:], self.moves[-value:]
        if kind != "move":
            return True
        position = dict(self.positions[-1])
        color, point = value["color"], value["point"]
        removed = [set(), set()]
        if point is not None:
            point = point["x"], point["y"]
            if point in position:
                return False
            position[point] = color
            for turn, one in enumerate((3 - color, color)):
                removed[turn] = dead(position, one, *self.size)
                for gone in removed[turn]:
                    del position[gone]
        self.positions.append(position)
        self.moves.append((color, point, len(removed[0]), len(removed[1])))
        return True

    def letters(self):
        """The position as one letter a point."""
        width, height = self.size
        return "".join(".XO"[self.positions[-1].get((x, y), 0)] for y in range(height) for x in range(width))

    def figures(self):
        """The columns of a result row that the moves in force decide."""
        lost = [0, 0, 0]
        for color, _, opponent, own in self.moves:
            lost[3 - color] += opponent
            lost[color] += own
        ko = sum(
            self.positions[i + 1] == self.positions[i - 1] and self.moves[i][2] == self.moves[i - 1][2] == 1
            for i in range(1, len(self.moves))
        )
        return {
            "moves": len(self.moves),
            "passes": sum(point is None for _, point, _, _ in self.moves),
            "takebacks": self.takebacks,
            "suicides": sum(own > 0 for *_, own in self.moves),
            "ko_recaptures": ko,
            "black_captured": lost[1],
            "white_captured": lost[2],
            "position": self.letters(),
        }


def replay(tree, width, height):
    """Walk all branches: (state at the end of the main line, pause points as tuples, paths of refused branches)."""
    pauses, refused = [], []

    def walk(branch, state, path):
        main = state
        if "pre" in branch:
            if branch["pre"].get("stones") and not state.set_up(branch["pre"]["stones"]):
                refused.append(path)
                return state
            pauses.append((path, None, len(state.moves), state.letters()))
        for number, step in enumerate(branch.get("steps", [])):
            if not state.step(step):
                refused.append(path)
                return state
            if step["action"]["type"] == "move":
                pauses.append((path, number, len(state.moves), state.letters()))
        for ordinal, below in enumerate(branch.get("branches", [])):
            end = walk(below, state.copy(), f"{path}.{ordinal}" if path != "-" else str(ordinal))
            main = end if ordinal == 0 else main
        return main

    return walk(tree, State(width, height), "-"), pauses, refused
