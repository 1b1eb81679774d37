"""Planes of networks, slowly: by sets of points, and by ladders read with recursion.

Ladders and areas are what KataGo makes of them (batch/inputs/katago_ladders.h and katago_areas.h name the sources).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

import wei7core as w7

Point = tuple[int, int]
Stones = dict[Point, int]


@functools.cache
def sides_of(width: int, height: int, point: Point) -> tuple[Point, ...]:
    """Return the points of the board next to a point."""
    x, y = point
    around = ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))
    return tuple((x, y) for x, y in around if 0 <= x < width and 0 <= y < height)


@dataclass
class Slow:
    """A position: stones, and the point where a ko may not be taken back at once."""

    width: int
    height: int
    stones: Stones = field(default_factory=dict)
    ko: Point | None = None

    def sides(self, point: Point) -> tuple[Point, ...]:
        return sides_of(self.width, self.height, point)

    def points(self) -> Iterator[Point]:
        return ((x, y) for y in range(self.height) for x in range(self.width))

    def joined(self, start: Point, kinds: set[int]) -> set[Point]:
        found, todo = {start}, [start]
        while todo:
            for other in self.sides(todo.pop()):
                if other not in found and self.stones.get(other, 0) in kinds:
                    found.add(other)
                    todo.append(other)
        return found

    def parts(self, points: Iterable[Point], kinds: set[int]) -> set[frozenset[Point]]:
        """The connected sets that some points of these kinds are in."""
        found: set[frozenset[Point]] = set()
        seen: set[Point] = set()
        for point in points:
            if point not in seen:
                part = frozenset(self.joined(point, kinds))
                seen |= part
                found.add(part)
        return found

    def block(self, stone: Point) -> set[Point]:
        return self.joined(stone, {self.stones[stone]})

    def liberties(self, block: set[Point]) -> set[Point]:
        return {other for point in block for other in self.sides(point) if other not in self.stones}

    def after(self, color: int, point: Point) -> Slow:
        made = Slow(self.width, self.height, {**self.stones, point: color})
        taken: set[Point] = set()
        for other in self.sides(point):
            if made.stones.get(other) == 3 - color and not made.liberties(made.block(other)):
                taken |= made.block(other)
                made.stones = {at: stone for at, stone in made.stones.items() if at not in taken}
        block = made.block(point)
        if not made.liberties(block):
            made.stones = {at: stone for at, stone in made.stones.items() if at not in block}
        elif len(taken) == 1 and len(block) == 1 and len(made.liberties(block)) == 1:
            made.ko = next(iter(taken))
        return made

    def may_play(self, color: int, point: Point) -> bool:
        """Whatever is no ko and no suicide of a single stone."""
        if point == self.ko:
            return False
        return any(self.stones.get(other) != 3 - color for other in self.sides(point)) or any(
            len(self.liberties(self.block(other))) == 1 for other in self.sides(point)
        )

    def captures(self, block: set[Point]) -> set[Point]:
        color = self.stones[next(iter(block))]
        neighbours = {other for point in block for other in self.sides(point) if self.stones.get(other) == 3 - color}
        libs = [self.liberties(self.block(stone)) for stone in neighbours]
        return {next(iter(found)) for found in libs if len(found) == 1}

    # --- ladders -------------------------------------------------------------------------------------

    def is_ko_mouth(self, owner: int, point: Point) -> bool:
        if any(self.stones.get(other) != owner for other in self.sides(point)):
            return False
        blocks = [self.block(other) for other in self.sides(point)]
        weak = [block for block in blocks if len(self.liberties(block)) == 1]
        return len(weak) == 1 and len(weak[0]) == 1

    def is_dead_between_kos(self, stone: Point, liberties: set[Point]) -> bool:
        owner = self.stones[stone]
        if any(other not in self.stones for point in liberties for other in self.sides(point)):
            return False
        if not all(self.is_ko_mouth(owner, point) for point in liberties) or self.captures(self.block(stone)):
            return False
        for point in liberties:
            made = self.after(owner, point)
            if point in made.stones and len(made.liberties(made.block(point))) > 2:
                return False
        return True

    def attacker_takes(self, stone: Point) -> bool:
        if stone not in self.stones:
            return True
        liberties = self.liberties(self.block(stone))
        if len(liberties) != 2:
            return len(liberties) < 2
        if self.is_dead_between_kos(stone, liberties):
            return True
        color = 3 - self.stones[stone]
        return any(
            self.may_play(color, point) and self.after(color, point).defender_loses(stone) for point in liberties
        )

    def defender_loses(self, stone: Point, *, is_first: bool = False) -> bool:
        if len(self.liberties(self.block(stone))) > 1 or (self.ko is not None and not is_first):
            return False
        color = self.stones[stone]
        position = Slow(self.width, self.height, self.stones) if is_first else self
        moves = position.captures(self.block(stone)) | self.liberties(self.block(stone))
        return all(position.after(color, point).attacker_takes(stone) for point in moves)

    def ladders(self) -> tuple[set[Point], dict[int, set[Point]]]:
        """The stones that ladders take, and for each attacker the points where one begins."""
        taken: set[Point] = set()
        working: dict[int, set[Point]] = {1: set(), 2: set()}
        for stone, color in self.stones.items():
            liberties = self.liberties(self.block(stone))
            if stone in taken or len(liberties) > 2:
                continue
            if len(liberties) == 1:
                if self.defender_loses(stone, is_first=True):
                    taken |= self.block(stone)
                continue
            for point in liberties:
                if self.may_play(3 - color, point) and self.after(3 - color, point).defender_loses(
                    stone, is_first=True
                ):
                    taken |= self.block(stone)
                    working[3 - color].add(point)
        return taken, working

    # --- areas ---------------------------------------------------------------------------------------

    def area(self, color: int, *, suicide: bool) -> tuple[set[Point], set[Point]]:
        """What a color has: all, and what is pass-alive."""
        own = {point for point, stone in self.stones.items() if stone == color}
        if not own:
            return set(), set()
        blocks = self.parts(own, {color})
        regions = self.parts((point for point in self.points() if point not in own), {0, 3 - color})

        def borders(region: frozenset[Point], block: frozenset[Point]) -> bool:
            return any(other in block for point in region for other in self.sides(point))

        alive = set(blocks)
        while True:
            closed = [r for r in regions if all(block in alive for block in blocks if borders(r, block))]
            vital = {
                block: sum(
                    all(
                        any(other in block for other in self.sides(point))
                        for point in region
                        if suicide or point not in self.stones
                    )
                    for region in closed
                )
                for block in alive
            }
            dead = {block for block in alive if vital[block] < 2}
            if not dead:
                break
            alive -= dead
        owned = {point for block in alive for point in block}
        held = set(owned)
        for region in regions:
            inner = sum(all(other not in own for other in self.sides(point)) for point in region)
            has_opponent = any(point in self.stones for point in region)
            if region in closed and (inner <= 1 or not has_opponent):
                held |= region
            if (region in closed and inner <= 1) or not has_opponent:
                owned |= region
        return owned, held

    def areas(self, *, suicide: bool) -> dict[int, set[Point]]:
        black, white = (self.area(color, suicide=suicide)[0] for color in (1, 2))
        black -= white
        black |= {point for point, stone in self.stones.items() if stone == 1 and point not in white}
        white |= {point for point, stone in self.stones.items() if stone == 2 and point not in black}
        return {1: black, 2: white}


def positions(width: int, height: int, moves: list[int]) -> list[Slow]:
    """The positions of a game in which colors alternate, from the empty board."""
    made = [Slow(width, height)]
    for number, move in enumerate(moves):
        if move == width * height:
            made.append(Slow(width, height, made[-1].stones))
        else:
            made.append(made[-1].after(1 + number % 2, (move % width, move // width)))
    return made


def planes(width: int, height: int, moves: list[int], rules: str) -> dict[str, set[Point]]:
    """All planes but `legal`, as sets of points, from the side to move after these moves."""
    game = positions(width, height, moves)
    now, known = game[-1], w7.rules.named(rules)
    color = 1 + len(moves) % 2
    everything = set(now.points())
    found: dict[str, set[Point]] = {
        "empty": everything - set(now.stones),
        "board": everything,
        "nothing": set(),
        "black-to-play": everything if color == 1 else set(),
        "white-to-play": everything if color == 2 else set(),
        "ko": set() if now.ko is None else {now.ko},
    }
    for k in range(8):
        stones = game[-1 - k].stones if k < len(game) else {}
        suffix = f"-{k}" if k else ""
        found[f"own{suffix}"] = {point for point, stone in stones.items() if stone == color}
        found[f"opponent{suffix}"] = {point for point, stone in stones.items() if stone != color}
    counts = {stone: len(now.liberties(now.block(stone))) for stone in now.stones}
    for k in range(1, 5):
        of = {stone for stone, count in counts.items() if min(count, 4) == k}
        if k < 4:
            found[f"liberties-{k}"] = of
        found[f"own-liberties-{k}"] = of & found["own"]
        found[f"opponent-liberties-{k}"] = of & found["opponent"]
    for k in range(1, 6):
        move = moves[-k] if k <= len(moves) else width * height
        found[f"move-{k}"] = set() if move == width * height else {(move % width, move // width)}
    for k in range(3):
        taken, working = game[max(len(game) - 1 - k, 0)].ladders()
        found[f"ladder-{k}" if k else "ladder"] = taken
        if k == 0:
            found["ladder-moves"] = working[color]
    areas = now.areas(suicide=known.suicide)
    counts_area = known.scoring is not w7.rules.Scoring.TERRITORY
    for name, of_color in (("own", color), ("opponent", 3 - color)):
        found[f"{name}-area"] = areas[of_color] if counts_area else set()
        found[f"{name}-alive"] = now.area(of_color, suicide=known.suicide)[1]
    return found


def as_array(points: set[Point], width: int, height: int) -> np.ndarray:
    array = np.zeros((height, width), np.uint8)
    for x, y in points:
        array[y, x] = 1
    return array
