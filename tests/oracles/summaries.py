"""What `wei7core.batch._engine` returns for a record in rows of `summary_dtype`, slow, from the definitions."""

from __future__ import annotations

from itertools import pairwise

from oracles.board import EditedBoard, key, splitmix64

MASK = 2**64 - 1
PRIME = 2**127 - 1
MOVE, TAKEBACK, CLAIM, MARK, MESSAGE, SETUP, NOTE = 1, 2, 3, 4, 5, 7, 8
PREFIXES = (20, 40, 60, 80, 120, 160, 200)
OPENINGS = 16


class Line(EditedBoard):
    """The main line of a record: stones before it, moves in force, edits in force with the moves before them."""

    def __init__(self, width, height):
        super().__init__(width, height)
        self.setup = []
        self.edits = []

    def place(self, stones):
        self.setup += stones
        for color, point in stones:
            self.stones[point] = color

    def edit(self, stones):
        super().edit(stones)
        self.edits += [(len(self.moves), color, point) for color, point in stones]

    def undo(self, n):
        super().undo(n)
        del self.after[len(self.moves) :]
        self.edits = [edit for edit in self.edits if edit[0] <= len(self.moves)]


def main_line(record):
    """Play the main line of a record that can be played."""
    line = Line(record.width, record.height)
    tree = 0
    while tree >= 0:
        branch = record.trees[tree]
        if branch["pre"] >= 0:
            pre = record.pres[branch["pre"]]
            stones = record.stones[pre["stones"] :][: max(0, pre["stone_count"])]
            line.place([(int(one["color"]), (int(one["x"]), int(one["y"]))) for one in stones])
        for step in record.steps[branch["first_step"] :][: max(0, branch["step_count"])]:
            if step["kind"] == MOVE:
                line.play(int(step["color"]), (int(step["x"]), int(step["y"])) if step["x"] >= 0 else None)
            elif step["kind"] == TAKEBACK:
                line.undo(int(step["x"]))
            elif step["kind"] == SETUP:
                stones = record.stones[step["x"] :][: step["y"]]
                line.edit([(int(one["color"]), (int(one["x"]), int(one["y"]))) for one in stones])
        tree = branch["first_branch"]
    return line


def image(line, symmetry, point):
    """The point under a symmetry, found by moving a stone alone on a board."""
    board = EditedBoard(line.width, line.height)
    board.stones = {point: 1}
    (moved,) = board.transformed(symmetry).stones
    return moved


def symmetries(line):
    boards = ((number, line.transformed(number)) for number in range(8))
    return [number for number, board in boards if (board.width, board.height) == (line.width, line.height)]


def times_x(value):
    """The product in the field of 2**64 elements modulo x**64 + x**4 + x**3 + x + 1."""
    value <<= 1
    return value ^ (1 << 64 | 0x1B) if value >> 64 else value


def chain(line, symmetry, count):
    """The key of the first `count` moves of an image of the game."""
    board = EditedBoard(line.width, line.height)
    board.stones = dict(line.before[0][0]) if line.moves else dict(line.stones)
    value = board.transformed(symmetry).hash
    for color, point in line.moves[:count]:
        if point is None:
            value = times_x(value) ^ key(3, 0, color)
        else:
            x, y = image(line, symmetry, point)
            value = times_x(value) ^ key(color, y, x)
    return value


def game_key(line, count):
    return min(chain(line, symmetry, count) for symmetry in symmetries(line))


def canonical(line, stones):
    board = EditedBoard(line.width, line.height)
    board.stones = dict(stones)
    return board.canonical_hash


def repeats(line):
    """Whether a stone brought a position back that had been there."""
    seen = set()
    for (before, _), after, (_, point) in zip(line.before, line.after, line.moves, strict=True):
        seen.add(frozenset(before.items()))
        if point is not None and frozenset(after.items()) in seen:
            return True
        seen.add(frozenset(after.items()))
    return False


def game_facts(line):
    """The facts that do not depend on the text, by name."""
    count = len(line.moves)
    colors = [color for color, _ in line.moves]
    passes = [point is None for _, point in line.moves]
    start = line.before[0][0] if line.moves else line.stones
    pairs = [number + 2 for number, (one, other) in enumerate(pairwise(passes)) if one and other]
    return {
        "game_key": game_key(line, count),
        "prefix_keys": [game_key(line, moves) if moves <= count else 0 for moves in PREFIXES],
        "opening_keys": [canonical(line, line.after[k]) if k < count else 0 for k in range(OPENINGS)],
        "first_color": colors[0] if colors else 0,
        "last_color": colors[-1] if colors else 0,
        "same_color": sum(one == other for one, other in pairwise(colors)),
        "first_pass": passes.index(True) + 1 if True in passes else 0,
        "last_passes": [*passes[::-1], False].index(False),
        "end_of_play": pairs[0] if pairs else 0,
        "setup_black": list(start.values()).count(1),
        "setup_white": list(start.values()).count(2),
        "repeats": repeats(line),
    }


def is_plain(record):
    """Whether the record is one branch, no problem, in which nothing changes the board but moves."""
    return (
        len(record.trees) == 1
        and set(record.steps["kind"].tolist()) <= {MOVE, CLAIM, MARK, MESSAGE, NOTE}
        and not any(record.pres["problem"])
    )


# --- texts -------------------------------------------------------------------------------------------

KEYS = [splitmix64(3 * 2**62 + 2**31 + number) for number in range(137)]


def text_keys(text):
    """The two numbers of `batch/text_key.h`."""
    padded = text + bytes(-len(text) % 1024)
    low, high = [key % 2**32 for key in KEYS], [key >> 32 for key in KEYS]
    multipliers = [(KEYS[131 + 2 * half] + (KEYS[132 + 2 * half] << 64)) % 2**126 for half in range(2)]
    states = [0, 0]
    for begin in range(0, len(padded), 1024):
        words = [int.from_bytes(padded[at : at + 4], "little") for at in range(begin, begin + 1024, 4)]
        pairs = list(zip(words[::2], words[1::2], strict=True))
        sums = [
            sum((a + low[i + t]) % 2**32 * ((b + high[i + t]) % 2**32) for i, (a, b) in enumerate(pairs)) % 2**64
            for t in range(4)
        ]
        states = [(states[h] * multipliers[h] + sums[2 * h] + (sums[2 * h + 1] << 64)) % PRIME for h in range(2)]
    states = [(states[half] * multipliers[half] + len(text) + 1) % PRIME for half in range(2)]
    return tuple(((state & MASK) + (state >> 64) * (KEYS[135 + half] | 1)) & MASK for half, state in enumerate(states))
