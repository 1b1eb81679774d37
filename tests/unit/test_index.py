"""Positions that an index finds are those of a search through every position of every game."""

from __future__ import annotations

import bisect
import json
import os
import random
import string
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pytest
from helpers.effort import examples, first
from oracles import found
from oracles.board import EditedBoard

import wei7core as w7
from wei7core.batch.index import segment
from wei7core.batch.index._search import GameStore, add_records, count_moves, find_boards, find_patterns
from wei7core.batch.index.size_group import SizeGroup
from wei7core.tables.writers import has_pyarrow

REGIONS = ("board", "corner", "side", "anywhere")
SIZES = [(5, 5), (5, 5), (5, 5), (4, 4), (5, 3), (3, 5), (9, 9), (1, 1)]
SIGNS = ".XO"
LETTERS = string.ascii_lowercase


def listed(chance: random.Random, number: int) -> found.Listed:
    """A game with passes, suicides, setups or takebacks, as its format has them."""
    width, height = SIZES[number % len(SIZES)]
    game = found.Listed(width, height, winner=chance.choice([1, 2, None]))
    board = EditedBoard(width, height)
    points = [(x, y) for x in range(width) for y in range(height)]
    if width > 2 and chance.random() < 0.3:
        game.start = [(chance.choice((1, 2)), points[0]), (1, points[-1])]
        board.stones = {point: color for color, point in game.start}
    color = 1
    for _ in range(chance.randrange(width * height + 6)):
        kind = chance.random()
        if kind < 0.08 and board.moves:
            count = chance.randrange(1, len(board.moves) + 1) if is_wei7(number) else 0
            if count:
                board.undo(count)
                game.events.append(("takeback", count))
        elif kind < 0.16 and not is_wei7(number):
            stones = [(chance.randrange(3), chance.choice(points)) for _ in range(chance.randrange(1, 3))]
            stones = list({point: (color, point) for color, point in stones}.values())
            board.edit(stones)
            game.events.append(("setup", stones))
        else:
            # In SGF a stone may replace another one.
            free = [point for point in points if point not in board.stones or (kind < 0.2 and not is_wei7(number))]
            point = chance.choice(free) if free and chance.random() > 0.05 else None
            found.play(board, color, point)
            game.events.append(("move", color, point))
            color = 3 - color if chance.random() < 0.9 else color
    return game


def own_files(*segments: int) -> list[str]:
    kinds = ("parquet", "w7s") if has_pyarrow() else ("w7s",)
    return ["index.json", "lock", *(f"segment-{number:06}.{kind}" for number in segments for kind in kinds)]


def is_wei7(number: int) -> bool:
    return number % 3 == 0


def sgf(game: found.Listed) -> bytes:
    def at(point):
        return "" if point is None else LETTERS[point[0]] + LETTERS[point[1]]

    def stones(some):
        return "".join(f"A{'EBW'[color]}[{at(point)}]" for color, point in some)

    result = {1: "B+R", 2: "W+3.5", None: "Void"}[game.winner]
    text = f"(;GM[1]FF[4]SZ[{game.width}:{game.height}]RE[{result}]{stones(game.start)}"
    if game.width == game.height:
        text = text.replace(f"SZ[{game.width}:{game.height}]", f"SZ[{game.width}]")
    for kind, *event in game.events:
        text += f";{'BW'[event[0] - 1]}[{at(event[1])}]" if kind == "move" else f";{stones(event[0])}"
    return f"{text})".encode()


def wei7(game: found.Listed) -> bytes:
    def at(point):
        return point and {"x": point[0], "y": point[1]}

    steps = [
        {"action": {"type": "takeback", "value": event[0]}}
        if kind == "takeback"
        else {"action": {"type": "move", "value": {"color": event[0], "point": at(event[1])}}}
        for kind, *event in game.events
    ]
    tree = {"steps": steps}
    if game.start:
        tree["pre"] = {"stones": [{"color": color, "point": at(point)} for color, point in game.start]}
    size = game.width if game.width == game.height else {"width": game.width, "height": game.height}
    info = {} if game.winner is None else {"info": {"result": {"winner": game.winner}}}
    return json.dumps({"format": "wei7", "version": "3.0", "size": size, **info, "tree": tree}).encode()


def written(games: list[found.Listed]) -> list[bytes]:
    return [wei7(game) if is_wei7(number) else sgf(game) for number, game in enumerate(games)]


@pytest.fixture(scope="module")
def games() -> list[found.Listed]:
    chance = random.Random(26)
    return [listed(chance, number) for number in range(64)]


@pytest.fixture(scope="module")
def index(games, tmp_path_factory) -> w7.Index:
    """An index of three segments."""
    folder = tmp_path_factory.mktemp("index")
    texts = written(games)
    index = w7.Index.create(folder, texts[:20], jobs=2)
    assert index.add(texts[20:]) == 44
    return w7.Index.open(folder)


def cut(chance: random.Random, games: list[found.Listed], region: str) -> list[str]:
    """A pattern that stands, or nearly stands, in one of the games."""
    game = chance.choice(games)
    stones = chance.choice(found.frames(game)).stones
    rows = ["".join(SIGNS[stones.get((x, y), 0)] for x in range(game.width)) for y in range(game.height)]
    rows = found.turned(rows, chance.randrange(8))
    if region != "board":
        width, height = chance.randint(1, len(rows[0])), chance.randint(1, len(rows))
        x, y = chance.randint(0, len(rows[0]) - width), chance.randint(0, len(rows) - height)
        if region in ("corner", "side"):
            y = 0
        if region == "corner":
            x = 0
        rows = [row[x : x + width] for row in rows[y : y + height]]
    looser = chance.choice(("", "?", "?xo*"))
    return [
        "".join(chance.choice(looser) if looser and chance.random() < 0.4 else sign for sign in row) for row in rows
    ]


def queries(index, games, region: str, count: int) -> int:
    """Compare answers to random queries with those of the slow search; return how many found something."""
    chance = random.Random(f"{region}{count}" if count > 40 else region)
    met = 0
    for number in range(count):
        rows = cut(chance, games, region)
        options = {"symmetry": chance.random() < 0.7, "either_color": chance.random() < 0.4}
        chosen = where = None
        if number % 2:
            options |= {"to_play": chance.choice((None, 1, 2)), "max_move": chance.choice((None, 0, 3, 9))}
            options["contiguous"] = chance.random() < 0.3
            chosen, where = chance.choice(
                (
                    (None, None),
                    (range(0, 64, 2), list(range(0, 64, 2))),
                    ([k for k in range(64) if games[k].winner == 2], {"winner": 2}),
                    (
                        [k for k in range(64) if games[k].winner != 1 and games[k].width >= 5],
                        {"winner": [None, 2], "width": (5, None)},
                    ),
                )
            )
            chosen = None if chosen is None else set(chosen)
        hits, followed = found.search(games, rows, region, **options, chosen=chosen)
        said = index.find("\n".join(rows), region, **options, where=where)
        assert [tuple(row) for row in said] == hits, (rows, options)
        assert len(said) == len({game for game, *_ in hits})
        assert said.games.tolist() == sorted({game for game, *_ in hits})
        assert {(row.point, row.color): tuple(row)[2:] for row in said.continuations()} == followed
        met += bool(hits)
    return met


@pytest.mark.parametrize("region", REGIONS)
def test_finds_what_a_search_of_every_position_finds(index, games, region):
    count = examples(40)
    assert queries(index, games, region, count) > count * 0.3


@pytest.mark.exhaustive
@pytest.mark.parametrize("region", REGIONS)
def test_finds_what_a_search_finds_in_500_queries_of_a_region(index, games, region):
    assert queries(index, games, region, 500) > 150


def test_a_folder_that_changes_while_it_is_indexed(games, tmp_path):
    """A game that is there before and after is there once, whatever comes and goes meanwhile."""
    texts = [sgf(game) for number, game in enumerate(games) if not is_wei7(number)]
    folders = [tmp_path / name for name in "abc"]
    stays, goes = {}, []
    for number, text in enumerate(texts):
        path = folders[number % 3] / f"{number:03}.sgf"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text)
        if number % 5:
            stays[str(path)] = text
        else:
            goes.append(path)

    def inputs():
        yield str(folders[0])
        for number, path in enumerate(goes):
            path.unlink()
            (path.parent / f"new-{number}.sgf").write_bytes(texts[number])
        (folders[1] / "deeper").mkdir()
        (folders[1] / "deeper" / "one.sgf").write_bytes(texts[0])
        yield str(folders[1])
        (folders[2] / "half.sgf").write_bytes(texts[1][:30])
        yield str(folders[2])

    index = w7.Index.create(tmp_path / "index", inputs(), jobs=2)
    sources = [row.source for row in index.games()]
    assert len(sources) == len(set(sources))
    assert set(stays) <= set(sources)
    rows = {row.source: row for row in index.games()}
    alone = {row.source: row for row in w7.Index.create(tmp_path / "alone", list(stays)).games()}
    for source in stays:
        assert rows[source][3:] == alone[source][3:]
    assert len(w7.Index.open(index.folder)) == len(sources)


@pytest.fixture(scope="module")
def long_games() -> list[found.Listed]:
    """Games in which stones come late, and some come and go."""
    chance = random.Random(27)
    games = []
    for number in range(4):
        game = found.Listed(19, 19, winner=1)
        board = EditedBoard(19, 19)
        for move in range(340):
            free = [(x, y) for x in range(19) for y in range(19) if (x, y) not in board.stones]
            # The upper left corner fills last.
            point = min(chance.choices(free, k=1 + number), key=lambda point: -min(point))
            found.play(board, 1 + move % 2, point)
            game.events.append(("move", 1 + move % 2, point))
        games.append(game)
    return games


@pytest.mark.parametrize("region", first(1, ("corner", "board", "side", "anywhere")))
def test_finds_the_late_positions_of_long_games(long_games, region, tmp_path):
    index = w7.Index.create(tmp_path, [sgf(game) for game in long_games])
    chance = random.Random(region)
    met = 0
    for number in range(1 if region == "anywhere" else 4):
        game = chance.choice(long_games)
        stones = found.frames(game)[chance.randrange(200, 341)].stones
        rows = ["".join(SIGNS[stones.get((x, y), 0)] for x in range(19)) for y in range(19)]
        if region != "board":
            x = chance.randrange(12) if region != "corner" else 0
            y = chance.randrange(12) if region == "anywhere" else 0
            rows = [row[x : x + 4] for row in rows[y : y + 3]]
        looser = ("", "?", "?xo*")[number % 3]
        rows = [
            "".join(chance.choice(looser) if looser and chance.random() < 0.4 else sign for sign in row) for row in rows
        ]
        options = {"symmetry": region != "anywhere", "either_color": chance.random() < 0.4}
        hits, followed = found.search(long_games, rows, region, **options)
        said = index.find("\n".join(rows), region, **options)
        met += bool(hits)
        assert [tuple(row) for row in said] == hits, rows
        assert {(row.point, row.color): tuple(row)[2:] for row in said.continuations()} == followed
    assert met


@pytest.fixture(scope="module")
def many_games() -> list[found.Listed]:
    """More games of one size than are looked at together, of SGF."""
    chance = random.Random(28)
    return [listed(chance, 8) for _ in range(540)]


@pytest.mark.parametrize("region", first(1, reversed(REGIONS)))
def test_finds_patterns_in_many_games_of_a_size(many_games, region, tmp_path):
    index = w7.Index.create(tmp_path, [sgf(game) for game in many_games])
    chance = random.Random(region)
    met = 0
    for number in range(4):
        rows = cut(chance, many_games, region)
        options = {"symmetry": True, "either_color": number % 2 == 1}
        chosen = set(range(chance.randrange(400), 540))
        hits, followed = found.search(many_games, rows, region, **options, chosen=chosen)
        said = index.find("\n".join(rows), region, **options, where=sorted(chosen))
        assert [tuple(row) for row in said] == hits, rows
        assert {(row.point, row.color): tuple(row)[2:] for row in said.continuations()} == followed
        met += bool(hits)
    assert met


def first_of_folded(rows: list[str], own: Sequence[int]) -> dict[str, str]:
    """The name of each point, and of the first point, row by row, that symmetries of the pattern exchange it with."""
    height, width = len(rows), len(rows[0])
    pattern = found.Listed(width, height)
    kept = [number for number in own if found.turned(rows, number) == rows]

    def name(y: int, x: int) -> str:
        return f"{'ABCDEFGHJ'[x]}{height - y}"

    return {
        name(y, x): name(*min(found.unturned(pattern, (x, y), number)[::-1] for number in kept))
        for y in range(height)
        for x in range(width)
    }


@pytest.mark.parametrize(
    ("rows", "region", "own"),
    [
        (["....."] * 5, "board", range(8)),
        (["...", ".X.", "..."], "corner", (0, 4)),
        (["...", "..X", "..."], "corner", (0, 4)),
        (["..X..", "....."], "side", (0, 1)),
        (["X.", ".X"], "anywhere", range(8)),
    ],
)
def test_moves_that_a_symmetry_exchanges_are_folded(index, games, rows, region, own):
    first = first_of_folded(rows, own)
    wanted: dict[tuple[str, int], list[int]] = {}
    for number, game in enumerate(games):
        _, followed = found.search(games, rows, region, True, False, chosen={number})
        for point, color in {(first.get(point, point), color) for point, color in followed}:
            counts = wanted.setdefault((point, color), [0, 0, 0, 0])
            for k in (0, game.winner or 3):
                counts[k] += 1
    said = index.find("\n".join(rows), region).continuations(folded=True)
    assert {(row.point, row.color): list(row)[2:] for row in said} == wanted
    if region == "board":
        board = w7.Board.from_array(np.array([[SIGNS.index(sign) for sign in row] for row in rows]))
        assert list(index.explorer(board)) == list(said)


def test_the_picture_of_hits_has_letters(index):
    hits = index.find(".....\n" * 5)
    picture = hits.svg(letters=2, coordinates=False)
    assert picture.startswith("<svg")
    assert ">A<" in picture
    assert ">C<" not in picture
    assert ">Z<" in index.find("x*?\n.X.", "anywhere").svg(letters=0, marks=[("A1", "Z")], coordinates=False)


def test_arrays_of_any_numbers_are_searched_in_bounds():
    """Numbers that a wrong file may hold: a search may find anything, and reads nothing else."""
    chance = np.random.default_rng(3)
    points = np.arange(4, dtype=np.int32).reshape(1, 4)
    order = np.arange(2, dtype=np.int32)
    form = (points, np.array([2, 6, 1, 3], np.uint8), 1, 1, 1, False, order)
    whole = (np.arange(9, dtype=np.int32).reshape(1, 9), np.ones(9, np.uint8), 0, 0, 9, False, None)
    for number in range(300):
        offsets = chance.integers(-4, 40, 10)
        change_offsets, change_frames = (chance.integers(0, 40, size, dtype=np.uint32) for size in (10, 12))
        moves, changes = (chance.integers(0, 60, size, dtype=np.uint16) for size in (30, 12))
        black, white = (chance.integers(0, 256, (9, 2), dtype=np.uint8) for _ in range(2))
        first_stones = chance.integers(0, 256, (9, 9), dtype=np.uint8)
        arrays = (offsets, change_offsets, moves, change_frames, changes)
        GameStore(3, 3, arrays, True).summarise(first_stones.copy(), black * 0, white * 0)
        long = (np.uint16, np.uint32)[number % 2]
        tables = (
            chance.integers(0, 40, 3, dtype=np.uint32),
            np.full(30, 1 << 7, np.uint8),
            chance.integers(0, 12, 30).astype(long),
            np.array([1 << 62, 3 << 62], np.uint64),
            *(chance.integers(0, 5, size, dtype=np.uint32) for size in (2, 2)),
            chance.integers(0, 2, 4, dtype=np.uint64),
            *(chance.integers(0, 60, size, dtype=np.uint32) for size in (4, 5, 15)),
        )
        store = GameStore(3, 3, (*arrays, black, white, first_stones, *tables), True)
        for contiguous in (False, True):
            found = np.frombuffer(find_patterns([store], [form], None, 7, 1, contiguous, 0), np.int32)
            counts = np.zeros((6, 2, 3), np.int64)
            placements = [(points[:, 0].copy(), 0, 0, False)]
            folded, none = np.arange(4, dtype=np.int32), found[:0]
            count_moves([store], [black[:, 0].copy()], found, none, placements, (2, 2), folded, counts)
        for canonical in (1 << 62, 1 << 61, 1):
            hashes = np.array([1], np.uint64)
            rows, answers, _ = find_boards([store], [whole], hashes, [canonical], None, -1, 0, False, True)
            counts, folded = np.zeros((11, 2, 3), np.int64), np.arange(9, dtype=np.int32)
            placements = [(points[:, 0].copy(), 1, 0, False)]
            found, common = np.frombuffer(rows, np.int32), np.frombuffer(answers, np.int32)
            try:
                count_moves([store], [black[:, 0].copy()], found, common, placements, (3, 3), folded, counts)
            except ValueError as error:
                assert "another group" in str(error)


def test_arrays_that_do_not_agree_are_refused():
    offsets, numbers = np.zeros(3, np.int64), np.zeros(3, np.uint32)
    codes = np.zeros(0, np.uint16)
    arrays = (offsets, numbers, codes, numbers[:0], codes)
    planes = np.zeros((9, 1), np.uint8)
    none, rows = np.zeros(0, np.uint8), np.zeros(0, np.int32)
    store = GameStore(3, 3, (*arrays, planes, planes, none), False)
    other = GameStore(3, 2, (*arrays, planes[:6], planes[:6], none), False)
    point = np.zeros((1, 1), np.int32)
    one, winners = np.ones(1, np.uint8), np.zeros(2, np.uint8)
    hashes = np.zeros(1, np.uint64)
    counts = np.zeros(18, np.int64)

    def find(form, chosen=None, stores=(store,)):
        return find_patterns(stores, [form], chosen, -1, 0, False, 0)

    def count(rows, answers=rows, placements=((point[0], 0, 0, False),), folded=point[0], winners=winners):
        count_moves([store], [winners], rows, answers, placements, (1, 1), folded, counts)

    assert find((point, one, 1, 0, 0, False, None)) == b""
    for wrong in (
        lambda: GameStore(3, 3, (offsets, numbers[:2], codes, numbers[:0], codes), False),
        lambda: GameStore(3, 3, (*arrays, planes[:4], planes[:4], none), False),
        lambda: GameStore(3, 3, (*arrays, planes, planes, planes), False),
        lambda: GameStore(3, 3, (*arrays, planes, planes, none, *[codes] * 10), False),
        lambda: find((point, one, 1, 0, 0, False, None), stores=[GameStore(3, 3, arrays, False)]),
        lambda: find((point, one, 1, 0, 0, False, None), stores=[store, other]),
        lambda: store.summarise(none, none, none),
        lambda: store.order_hashes(none, numbers, codes, none),
        lambda: find((point + 9, none, 0, 0, 0, False, None)),
        lambda: find((point + 9, one, 1, 0, 0, False, None)),
        lambda: find((point, one, 2, 0, 0, False, None)),
        lambda: find((point, one, 1, 0, -1, False, None)),
        lambda: find((point - 1, one, 0, 0, 1, False, None)),
        lambda: find((point, one, 1, 0, 0, False, rows)),
        lambda: find((point, one, 1, 0, 0, False, None), [np.zeros(2, np.uint8)]),
        lambda: find((point, one, 1, 0, 0, False, None), []),
        lambda: find_patterns([store], [(point, one, 0, 0, 1, False, None)] * 17, None, -1, 0, False, 0),
        lambda: find_boards([store], [(point, one, 1, 0, 0, False, None)], hashes, [1], None, -1, 0, False, True),
        lambda: find_boards([store], [], hashes, [1], None, -1, 0, False, True),
        lambda: count(rows, folded=rows),
        lambda: count(rows, folded=point[0] + 1),
        lambda: count(rows, winners=none),
        lambda: count(rows, placements=[(point[0], 0, 0, False)] * 17),
        lambda: count(np.zeros(6, np.int32) + 1),
        lambda: count(rows, np.zeros(2, np.int32)),
        lambda: count(rows, np.ones(2, np.int32)),
    ):
        with pytest.raises(ValueError, match=r"length|forms|planes|board|pattern|group|ascending|items have"):
            wrong()


def test_rows_that_do_not_agree_are_refused():
    number, byte = np.zeros(1, np.int32), np.zeros(1, np.uint8)
    names = ("text", "step", "move_number", "x", "y", "width", "height", "branch_size")
    columns = {**dict.fromkeys(names, number), "color": byte, "branches": byte[:0], "boards": byte}
    columns["width"] = columns["height"] = number + 2

    def add(some, size=(2, 2), frames=1, room=2):
        codes = np.zeros(room, np.uint16)
        return add_records(some, np.zeros(1, np.int64), size, np.zeros(frames, np.int64), codes)

    assert add(columns) == (2, b"", b"")
    for wrong in (
        lambda: add(columns | {"x": number[:0]}),
        lambda: add(columns, frames=2),
        lambda: add(columns, room=1),
        lambda: add(columns, size=(3, 3)),
        lambda: add(columns | {"branch_size": number + 1}),
        lambda: add(columns | {"branch_size": number - 1}),
        lambda: add(columns | {"text": number - 1}),
        lambda: add(columns | {"x": number + 2}),
        lambda: add(columns | {"y": number - 1}),
        lambda: add(columns | {"color": byte + 3}),
        lambda: add(columns | {"boards": byte[:0]}),
    ):
        with pytest.raises(ValueError, match=r"agree|length"):
            wrong()
    offsets, codes = np.array([0, 2]), np.zeros(2, np.uint16)

    def order(at=offsets, winners=byte, buckets=3, games=2, keys=2):
        store = GameStore(3, 3, (at, at.astype(np.uint32), codes, np.zeros(0, np.uint32), codes[:0]), False)
        tables = np.zeros(buckets, np.uint32), np.zeros(games, np.uint16), np.zeros(keys, np.uint8)
        return store.order_hashes(winners, *tables)

    assert order() == [b""] * 7
    for wrong in (
        lambda: order(winners=byte[:0]),
        lambda: order(buckets=4),
        lambda: order(games=1),
        lambda: order(keys=1),
        lambda: order(at=offsets + 1),
        lambda: order(at=np.array([0, 3, 2]), winners=np.zeros(2, np.uint8)),
    ):
        with pytest.raises(ValueError, match=r"length|ascending"):
            wrong()


def group_of(games: Sequence[found.Listed], folder) -> tuple[SizeGroup, list[list[tuple[int, int, int]]]]:
    """The group of games of one size, and of each of its frames the canonical and the own hash and the next code."""
    index = w7.Index.create(folder, [sgf(game) for game in games])
    (group,) = index._segments[0].groups
    said = []
    for game in games:
        rows = []
        for frame in found.frames(game):
            board = w7.Board(game.width, game.height)
            board.edit([(color, point) for point, color in frame.stones.items()])
            code = 0
            if frame.next is not None:
                color, point = frame.next
                place = game.width * game.height if point is None else point[1] * game.width + point[0]
                code = place << 2 | color
            rows.append((board.canonical_hash, board.hash, code))
        said.append(rows)
    return group, said


@pytest.mark.parametrize("size", [3, 8])
def test_the_tables_of_hashes_are_those_of_all_positions(size, tmp_path):
    """Games of few moves on few points, so that many positions are common; those that symmetries blur are left out."""
    chance = random.Random(size)
    games = []
    for _ in range(300):
        games.append(listed(chance, 4 if size == 3 else 8))
        games[-1].events = games[-1].events[:size]
        games[-1].start = []
    group, said = group_of(games, tmp_path)
    arrays = {name: array.tolist() for name, array in group.arrays.items()}
    bits = (len(arrays["buckets"]) - 1).bit_length() - 1
    wanted = sorted((rows[0], game) for game, of_game in enumerate(said) for rows in of_game)
    assert [hash << bits >> 56 & 255 for hash, _ in wanted] == arrays["keys"]
    assert [game for _, game in wanted] == arrays["hash_games"]
    firsts = [hash >> 64 - bits for hash, _ in wanted]
    assert arrays["buckets"] == [bisect.bisect_left(firsts, bucket) for bucket in range((1 << bits) + 1)]
    common = {}
    for hash in sorted({hash for hash, _ in wanted}):
        by_game = {game: [rows for rows in of_game if rows[0] == hash] for game, of_game in enumerate(said)}
        by_game = {game: rows for game, rows in by_game.items() if rows}
        onto_points = [
            {code for *_, code in rows if code and code >> 2 < games[0].width * games[0].height}
            for rows in by_game.values()
        ]
        is_blurred = any(len({own for _, own, _ in rows}) > 1 or len(rows) > 8 for rows in by_game.values())
        if len(by_game) < 16 or is_blurred or any(len(codes) > 1 for codes in onto_points):
            continue
        images: dict[int, dict[int, list[int]]] = {}
        for game, rows in by_game.items():
            for code in {code for *_, code in rows if code}:
                counts = images.setdefault(rows[0][1], {}).setdefault(code, [0, 0, 0])
                counts[games[game].winner or 0] += 1
            images.setdefault(rows[0][1], {})
        common[hash] = len(by_game), images
    assert arrays["common_hashes"] == sorted(common)
    assert arrays["common_games"] == [common[hash][0] for hash in sorted(common)]
    counts_of_moves = np.array(arrays["common_counts"]).reshape(-1, 3).tolist()
    image = move = 0
    for hash, image_end in zip(sorted(common), arrays["image_ends"], strict=True):
        images = {}
        for number in range(image, image_end):
            end = arrays["move_ends"][number]
            rows = zip(arrays["common_moves"][move:end], counts_of_moves[move:end], strict=True)
            images[arrays["image_hashes"][number]] = dict(rows)
            move = end
        image = image_end
        assert images == common[hash][1]
    assert len(common) > 1


def test_positions_that_a_game_has_twice_are_counted_once(tmp_path):
    """A stone in one corner, and then in another; two moves after the same position."""
    games = [found.Listed(5, 5, events=[("move", 1, (0, 0)), ("move", 2, (k % 5, 2))]) for k in range(20)]
    moved = [("setup", [(0, (0, 0)), (1, (4, 4))]), ("move", 2, (2, 1))]
    games.append(found.Listed(5, 5, events=[("move", 1, (0, 0)), *moved]))
    games.append(found.Listed(5, 5, events=[("move", 1, None), ("move", 1, (1, 0)), ("move", 1, None)]))
    back = [("setup", [(0, (3, 3))]), ("move", 1, (3, 1))]
    games.append(found.Listed(5, 5, events=[("move", 1, (3, 3)), *back]))
    index = w7.Index.create(tmp_path, [sgf(game) for game in games])
    for rows in (["X....", *["....."] * 4], ["....."] * 5, [".X...", *["....."] * 4]):
        hits, followed = found.search(games, rows, "board", True, False)
        said = index.find("\n".join(rows))
        assert len(said) == len({game for game, *_ in hits})
        assert {(row.point, row.color): tuple(row)[2:] for row in said.continuations()} == followed
        folded: dict[tuple[str, int], int] = {}
        for number in range(len(games)):
            _, alone = found.search(games, rows, "board", True, False, chosen={number})
            first = first_of_folded(rows, range(8))
            for key in {(first.get(point, point), color) for point, color in alone}:
                folded[key] = folded.get(key, 0) + 1
        assert {(row.point, row.color): row.games for row in said.continuations(folded=True)} == folded


def test_positions_of_many_games_are_found_as_others(tmp_path):
    """Rows are made only where they are asked for; games, moves and the tree are the same with them."""
    chance = random.Random(5)
    games = []
    for _ in range(200):
        games.append(listed(chance, 8))
        games[-1].events = games[-1].events[:6]
    index = w7.Index.create(tmp_path / "one", [sgf(game) for game in games[:150]])
    index.add([sgf(game) for game in games[150:]])
    met = 0
    for number in range(40):
        rows = cut(chance, games, "board")
        if number < 2:
            rows = ["....."] * 5
        hits, followed = found.search(games, rows, "board", True, False)
        said = index.find("\n".join(rows))
        met += bool(len(said._said[0].answers))
        assert len(said) == len({game for game, *_ in hits})
        assert {(row.point, row.color): tuple(row)[2:] for row in said.continuations()} == followed
        assert said.row_count == len(hits)
        assert [tuple(row) for row in said] == hits
        assert said.games.tolist() == sorted({game for game, *_ in hits})
    assert met


def test_boards_and_positions_are_patterns(index, games):
    board = w7.Board(5)
    board.play(1, (0, 1))
    game = games.index(next(game for game in games if game.width == 9 and len(found.frames(game)) > 3))
    frame = found.frames(games[game])[3]
    position = w7.Board(9)
    position.edit([(color, point) for point, color in frame.stones.items()])
    assert game in index.find(position).games
    assert (
        index.find(position).to_numpy()["game"].tolist() == index.find(position.position(1)).to_numpy()["game"].tolist()
    )
    rows = ["." * 5, "X" + "." * 4, *["." * 5] * 3]
    assert [tuple(row) for row in index.find(board)] == found.search(games, rows, "board", True, False)[0]


def test_symmetry_leads_from_the_pattern_to_the_game(index, games):
    frame = found.frames(games[6])[-1]
    board = w7.Board(9)
    board.edit([(color, point) for point, color in frame.stones.items()])
    for symmetry in range(8):
        (row, *_) = [row for row in index.find(board.transformed(symmetry)) if row.game == 6]
        assert board.transformed(symmetry).transformed(row.symmetry).to_array().tolist() == board.to_array().tolist()


def test_games_are_filtered_by_their_columns(index, games):
    everything = index.find(".", "anywhere")
    won = index.find(".", "anywhere", where={"winner": 1})
    assert won.games.tolist() == [game for game in everything.games.tolist() if games[game].winner == 1]
    nobody = index.find(".", "anywhere", where={"winner": None, "width": [4, 5]})
    assert nobody.games.tolist() == [
        game for game in everything.games.tolist() if games[game].winner is None and games[game].width in (4, 5)
    ]
    longer = index.find(".", "anywhere", where={"moves": lambda moves: moves > 9})
    assert {index.games()[game].moves > 9 for game in longer.games.tolist()} == {True}
    mask = np.arange(64) < 7
    assert index.find(".", "anywhere", where=mask).games.max() < 7
    for wrong in ({"title": "x"}, [64], [-1], [0.5], mask[:5], {"moves": lambda moves: 1}):
        with pytest.raises(ValueError, match=r"column|games|boolean"):
            index.find(".", "anywhere", where=wrong)


def test_rows_of_records(index, games):
    rows = index.games()
    assert len(rows) == len(index) == 64
    for row, game in zip(rows, games, strict=True):
        assert (row.width, row.height, row.winner) == (game.width, game.height, game.winner)
        assert row.moves == found.frames(game)[-1].number
    assert index.stats()["games"] == 64
    assert index.stats()["positions"] == sum(len(found.frames(game)) for game in games)


def test_records_that_cannot_be_played_have_a_row(tmp_path):
    occupied = found.Listed(3, 3, events=[("move", 1, (0, 0)), ("move", 2, (0, 0)), ("move", 1, (1, 1))])
    texts = [wei7(occupied), b"no record", b"(;GM[1]SZ[3];B[aa](;W[cc];B[bb])(;W[ca]))"]
    index = w7.Index.create(tmp_path / "index", texts)
    rows = index.games()
    assert [row.error is None for row in rows] == [False, False, True]
    assert index.stats()["without_board"] == 1
    assert [(row.game, row.move_number) for row in index.find("X..\n...\n...")] == [(0, 1), (2, 1)]
    assert len(index.find("?X?\n???\nO??")) == 0


@pytest.mark.parametrize(
    ("pattern", "region", "problem"),
    [
        ("X.\n.", "corner", "this row has 1"),
        ("", "corner", "no row"),
        ("X7", "corner", "'7' is no sign"),
        ("." * 20, "corner", "20 x 1 points fits no board"),
        ("." * 9, "board", "fits no board"),
        (".", "edge", "a region is"),
    ],
)
def test_patterns_that_make_no_sense_are_refused(index, pattern, region, problem):
    with pytest.raises(ValueError, match=problem):
        index.find(pattern, region)


def test_other_arguments_that_make_no_sense_are_refused(index):
    with pytest.raises(TypeError, match="a Board, a Position or a text"):
        index.find(7)
    with pytest.raises(ValueError, match="the color to play"):
        index.find(".", "corner", to_play=3)
    with pytest.raises(ValueError, match="max_move is at least 0"):
        index.find(".", "corner", max_move=-1)


def test_an_index_is_found_wrong_by_name(games, tmp_path):
    texts = written(games)
    index = w7.Index.create(tmp_path, texts[:9])
    index.add(texts[9:12])
    second = tmp_path / "segment-000001.w7s"
    good = second.read_bytes()
    for place in (0, 17, 40, len(good) // 2, 21, len(good) - 64):
        second.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
        if not good[place] and place > len(good) - 128:
            continue
        with pytest.raises(w7.IndexFileError, match=r"segment-000001\.w7s: "):
            w7.Index.open(tmp_path)
    for size in (0, 10, 50, len(good) - 1):
        second.write_bytes(good[:size])
        with pytest.raises(w7.IndexFileError, match=r"segment-000001\.w7s: .*truncated"):
            w7.Index.open(tmp_path)
    second.write_bytes(good)
    assert len(w7.Index.open(tmp_path)) == 12
    second.unlink()
    with pytest.raises(w7.IndexFileError, match="missing"):
        w7.Index.open(tmp_path)
    second.write_bytes(good)
    manifest = tmp_path / "index.json"
    told = manifest.read_text()
    for wrong, problem in (
        (told[:40], "truncated"),
        (told.replace('"version": 3', '"version": 1'), "version 1"),
        (told.replace('"games": 9', '"games": 8'), "checksum"),
        ("[]", "none of an index"),
    ):
        manifest.write_text(wrong)
        with pytest.raises(w7.IndexFileError, match=rf"index\.json: .*{problem}"):
            w7.Index.open(tmp_path)


def test_verify_names_the_segment(games, tmp_path):
    index = w7.Index.create(tmp_path, written(games)[:9])
    index.verify()
    path = tmp_path / "segment-000000.w7s"
    with open(path, "r+b") as file:
        file.seek(-1024, os.SEEK_END)
        byte = file.read(1)[0]
        file.seek(-1024, os.SEEK_END)
        file.write(bytes([byte ^ 255]))
    with pytest.raises(w7.IndexFileError, match=r"segment-000000\.w7s: the checksum of .* is wrong"):
        index.verify()


def test_what_a_killed_run_leaves_does_no_harm(games, tmp_path):
    texts = written(games)
    index = w7.Index.create(tmp_path, texts[:5])
    (tmp_path / "segment-000001.w7s").write_bytes(b"half")
    (tmp_path / "segment-000007.w7s").write_bytes(b"half")

    def failing():
        yield texts[5]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        index.add(failing())
    assert len(index) == len(w7.Index.open(tmp_path)) == 5
    index.add(texts[5:7])
    assert len(w7.Index.open(tmp_path)) == 7
    assert sorted(path.name for path in tmp_path.iterdir()) == own_files(0, 1)
    with pytest.raises(FileExistsError):
        w7.Index.create(tmp_path, texts)


def test_an_empty_index(tmp_path):
    index = w7.Index.create(tmp_path / "new" / "index", [])
    assert len(index) == 0
    assert len(index.find("X", "corner")) == 0
    assert list(index.find("X", "corner").continuations()) == []
    assert index.add([b"(;SZ[5];B[aa])"]) == 1
    assert len(w7.Index.open(index.folder).find("X", "corner")) == 1


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(FileExistsError, match=r"letter\.txt"):
        w7.Index.create(tmp_path, [])
    with pytest.raises(FileNotFoundError):
        w7.Index.open(tmp_path)


def test_segments_are_cut_anywhere(games, tmp_path, monkeypatch):
    monkeypatch.setattr(segment, "_ROWS_A_SEGMENT", 1)
    texts = written(games)
    names = []
    for number, text in enumerate(texts):
        names.append(tmp_path / f"{number:03}.{'wei7' if is_wei7(number) else 'sgf'}")
        names[-1].write_bytes(text)
    index = w7.Index.create(tmp_path / "index", map(str, names), jobs=2)
    assert len(index) == 64
    hits, _ = found.search(games, ["X?", "?O"], "anywhere", True, True)
    assert [tuple(row) for row in index.find("X?\n?O", "anywhere", either_color=True)] == hits


def test_hits_as_an_arrow_table(index):
    pytest.importorskip("pyarrow")
    table = index.find("X", "corner", max_move=4).to_arrow()
    assert table.column_names == ["game", "move_number", "symmetry", "swapped"]
    assert table.num_rows == index.find("X", "corner", max_move=4).row_count > 0


def test_a_large_board(tmp_path):
    text = b"(;GM[1]SZ[40];B[AA];W[aA];B[ba])"
    wide = json.dumps(
        {
            "format": "wei7",
            "version": "3.0",
            "size": {"width": 200, "height": 150},
            "tree": {"steps": [{"action": {"type": "move", "value": {"color": 1, "point": {"x": 199, "y": 149}}}}]},
        }
    ).encode()
    index = w7.Index.create(tmp_path, [text, wide])
    assert [tuple(row)[:2] for row in index.find("X", "corner", symmetry=True)] == [(1, 1)]
    assert [row.width for row in index.games()] == [40, 200]


def test_small_segments_are_merged_by_the_next_run(games, tmp_path):
    texts = [b"no record", *written(games)]
    names = []
    for number, text in enumerate(texts):
        names.append(tmp_path / f"{number:03}.{'wei7' if number and is_wei7(number - 1) else 'sgf'}")
        names[-1].write_bytes(text)
    once = w7.Index.create(tmp_path / "once", map(str, names[:56]))
    index = w7.Index.create(tmp_path / "index", map(str, names[:7]))
    for begin in range(7, 56, 7):
        index.add(map(str, names[begin : begin + 7]))
    assert index.stats()["segments"] == 8
    before = w7.Index.open(index.folder)
    assert index.add(map(str, names[56:])) == 9
    files = sorted(os.listdir(index.folder))
    assert files == own_files(8, 9)
    merged = (tmp_path / "index" / "segment-000008.w7s").read_bytes()
    assert merged == (tmp_path / "once" / "segment-000000.w7s").read_bytes()
    after = w7.Index.open(index.folder)
    assert len(after) == 65
    assert [row.source for row in after.games()] == list(map(str, names))
    for pattern in ("X.\n.O", "XX\n?."):
        assert list(before.find(pattern, "anywhere")) == list(once.find(pattern, "anywhere"))
        hits, _ = found.search(games, pattern.splitlines(), "anywhere", True, False)
        assert [(row.game - 1, *tuple(row)[1:]) for row in after.find(pattern, "anywhere")] == hits


def test_eight_parts_are_joined(games, tmp_path):
    """Parts that were made apart, as tasks of a cluster make them, are the index of all records."""
    texts = [b"no record", *written(games)]
    names = []
    for number, text in enumerate(texts):
        names.append(tmp_path / f"{number:03}.{'wei7' if number and is_wei7(number - 1) else 'sgf'}")
        names[-1].write_bytes(text)
    once = w7.Index.create(tmp_path / "once", map(str, names))
    cuts = [0, 9, 10, 20, 20, 33, 41, 50, len(names)]
    parts = [tmp_path / f"part-{number}" for number in range(8)]
    for part, begin, end in zip(parts, cuts, cuts[1:], strict=False):
        w7.Index.create(part, map(str, names[begin:end]))
    joined = w7.Index.join(tmp_path / "joined", parts)
    assert list(joined.games()) == list(once.games())
    assert sorted(os.listdir(joined.folder)) == own_files(0)
    first = "segment-000000.w7s"
    assert (tmp_path / "joined" / first).read_bytes() == (tmp_path / "once" / first).read_bytes()
    if has_pyarrow():
        assert joined.metadata().equals(once.metadata())
    for region in REGIONS:
        assert list(joined.find(".....\n" * 5, region)) == list(once.find(".....\n" * 5, region))
    with pytest.raises(FileExistsError):
        w7.Index.join(tmp_path / "joined", parts)
    with pytest.raises(FileNotFoundError):
        w7.Index.join(tmp_path / "other", [tmp_path / "absent"])


def test_a_wrong_segment_is_not_merged(games, tmp_path):
    texts = written(games)
    index = w7.Index.create(tmp_path, texts[:1])
    for text in texts[1:8]:
        index.add([text])
    path = tmp_path / "segment-000003.w7s"
    good = path.read_bytes()
    path.write_bytes(good[:-1024] + bytes(byte ^ 1 for byte in good[-1024:-960]) + good[-960:])
    with pytest.raises(w7.IndexFileError, match=r"segment-000003\.w7s: the checksum of"):
        index.add(texts[8:9])
    path.write_bytes(good)
    assert index.add(texts[8:9]) == 1
    assert len(w7.Index.open(tmp_path)) == 9


@pytest.mark.parametrize("place", range(4))
def test_a_merge_that_is_cut_short_loses_no_game(games, tmp_path, monkeypatch, place):
    texts = written(games)
    index = w7.Index.create(tmp_path, texts[:1])
    for text in texts[1:8]:
        index.add([text])
    wanted = list(index.games())
    replace, calls = os.replace, []

    def failing(*names):
        calls.append(names)
        if len(calls) == place + 1:
            raise OSError("killed")
        return replace(*names)

    with monkeypatch.context() as patch, pytest.raises(OSError, match="killed"):
        patch.setattr(os, "replace", failing)
        index.add(texts[8:9])
    again = w7.Index.open(tmp_path)
    assert list(again.games()) == wanted
    assert again.add(texts[8:9]) == 1
    assert len(again) == 9
    assert again.stats()["segments"] == 2


def test_which_segments_are_merged():
    class Some(NamedTuple):
        count: int
        metadata: None = None

        def frames(self) -> int:
            return self.count * 200

    def runs(*counts: int) -> list[tuple[int, int]]:
        return segment.runs_to_merge([Some(count) for count in counts])

    assert runs(*[5] * 7) == []
    assert runs(*[5] * 9) == [(0, 9)]
    assert runs(30_000, *[5] * 9) == [(1, 10)]
    assert runs(*[5] * 4, 30_000, *[5] * 4) == []
    assert runs(*[20_000] * 16) == []
    assert runs(*[5_000] * 17) == [(0, 12)]


def nodes_of(game: w7.Game) -> list[w7.Node]:
    """The nodes of SGF: those with a comment, and not the place where a variation begins."""
    return [node for node in game.walk() if node.comment is not None]


def lines_of(game: w7.Game, moves: int) -> dict[tuple, str]:
    """The comments of the nodes of a tree, by the moves that lead to them."""
    lines: dict[tuple, str] = {}
    for node in nodes_of(game):
        moves_here = tuple(node.board.moves())
        assert len(moves_here) <= moves
        assert moves_here not in lines
        lines[moves_here] = node.comment
    return lines


@pytest.mark.parametrize("either_color", [False, True])
def test_hits_as_a_tree_of_moves(index, games, either_color):
    """A position that no symmetry exchanges with itself, in the orientation of the pattern."""
    chance = random.Random(4)
    met = 0
    for _ in range(60):
        rows = cut(chance, games, "board")
        if not set("".join(rows)) <= set(SIGNS) or sum(found.turned(rows, k) == rows for k in range(8)) > 1:
            continue
        hits = index.find("\n".join(rows), either_color=either_color)
        if not hits:
            assert lines_of(w7.loads(hits.to_sgf()), 0) == {(): "0 games: Black won 0, White 0, other 0"}
            continue
        wanted: dict[tuple, list[int]] = {}
        firsts = {row.game: row for row in reversed(list(hits))}
        for game, (_, move, symmetry, swapped) in firsts.items():
            frames = found.frames(games[game])
            place = next(
                k
                for k, frame in enumerate(frames)
                if frame.number == move
                and found.first_form(games[game], frame, rows, "board", True, either_color, None)
            )
            winner = games[game].winner
            line = []
            for k in range(4):
                counts = wanted.setdefault(tuple(line), [0, 0, 0])
                counts[3 - winner if swapped and winner else winner or 0] += 1
                if k == 3 or frames[place + k].next is None:
                    break
                color, point = frames[place + k].next
                point = None if point is None else found.unturned(games[game], point, symmetry)
                line.append((3 - color if swapped else color, point))
        tree = w7.loads(hits.to_sgf(moves=3), strict=False)  # stones that replace others
        assert lines_of(tree, 3) == {
            line: f"{sum(wins)} game{'s' * (sum(wins) != 1)}: Black won {wins[1]}, White {wins[2]}, other {wins[0]}"
            for line, wins in wanted.items()
        }
        board = tree.root.board
        assert ["".join(SIGNS[state] for state in row) for row in board.to_array().tolist()] == rows
        met += len(wanted) > 3
    assert met > 3


def test_a_tree_of_the_empty_board_is_folded(tmp_path):
    texts = [b"(;SZ[9]RE[B+R];B[%b];W[%b])" % (a, b) for a, b in ((b"cc", b"gg"), (b"gc", b"cg"), (b"gg", b"gc"))]
    hits = w7.Index.create(tmp_path, [*texts, b"(;SZ[9];B[ee];B[])"]).find(w7.Board(9))
    tree = w7.loads(hits.to_sgf())
    assert [(node.move, node.comment.split(":")[0]) for node in nodes_of(tree)] == [
        (None, "4 games"),
        ((1, (2, 2)), "3 games"),
        ((2, (6, 6)), "2 games"),
        ((2, (6, 2)), "1 game"),
        ((1, (4, 4)), "1 game"),
        ((1, None), "1 game"),
    ]
    assert len(nodes_of(w7.loads(hits.to_sgf(least=2)))) == 3
    assert hits.to_sgf(moves=0).count(";") == 1
    with pytest.raises(ValueError, match="of a whole board"):
        w7.Index.open(tmp_path).find("X", "corner").to_sgf()


def test_a_tree_of_a_board_without_letters(tmp_path):
    record = {"format": "wei7", "version": "3.0", "size": 60, "tree": {"steps": []}}
    hits = w7.Index.create(tmp_path, [json.dumps(record).encode()]).find(w7.Board(60))
    with pytest.raises(ValueError, match="52 x 52"):
        hits.to_sgf()
