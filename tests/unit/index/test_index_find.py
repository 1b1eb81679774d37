"""Positions that an index finds are those of a search through every position of every game."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from helpers.effort import examples, first
from oracles import found
from oracles.board import EditedBoard
from samples.index_games import REGIONS, SIGNS, cut, first_of_folded
from samples.listed_games import listed, sgf

import wei7core as w7
from wei7core.batch import summaries


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
        result = index.find("\n".join(rows), region, **options, where=where)
        assert [tuple(row) for row in result] == hits, (rows, options)
        assert len(result) == len({game for game, *_ in hits})
        assert result.games.tolist() == sorted({game for game, *_ in hits})
        assert {(row.point, row.color): tuple(row)[2:] for row in result.continuations()} == followed
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


@pytest.mark.exhaustive
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
        result = index.find("\n".join(rows), region, **options)
        met += bool(hits)
        assert [tuple(row) for row in result] == hits, rows
        assert {(row.point, row.color): tuple(row)[2:] for row in result.continuations()} == followed
    assert met


@pytest.fixture(scope="module")
def many_games() -> list[found.Listed]:
    """More games of one size than are looked at together, of SGF."""
    chance = random.Random(28)
    return [listed(chance, 8) for _ in range(540)]


@pytest.mark.exhaustive
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
        result = index.find("\n".join(rows), region, **options, where=sorted(chosen))
        assert [tuple(row) for row in result] == hits, rows
        assert {(row.point, row.color): tuple(row)[2:] for row in result.continuations()} == followed
        met += bool(hits)
    assert met


def test_many_games_are_found_alike_by_all_instruction_sets(many_games, tmp_path, monkeypatch):
    index = w7.Index.create(tmp_path, [sgf(game) for game in many_games])
    chance = random.Random(30)
    met = 0
    for number in range(12):
        region = REGIONS[1 + number % 3]
        pattern = "\n".join(cut(chance, many_games, region))
        options = {"either_color": number % 4 > 0, "max_move": chance.choice((None, None, 5))}
        answers = []
        for isa in range(summaries.ISA + 1):
            monkeypatch.setattr(summaries, "ISA", isa)
            result = index.find(pattern, region, **options)
            games, rows = result.games.tolist(), [tuple(row) for row in result]
            assert games == sorted({game for game, *_ in rows}), (pattern, region, options)
            answers.append(rows)
        assert answers == [answers[0]] * len(answers), (pattern, region, options)
        met += bool(answers[0])
    assert met > 6


def test_games_that_are_compared_at_once_are_those_of_a_slow_search(tmp_path, monkeypatch):
    chance = random.Random(29)
    games = [listed(chance, 11) for _ in range(66)]
    index = w7.Index.create(tmp_path, [sgf(game) for game in games])
    met = 0
    for number in range(6):
        region = REGIONS[1 + number % 3]
        rows = cut(chance, games, region)
        options = {"either_color": number % 2 == 1, "max_move": (None, 5)[number // 3]}
        hits, followed = found.search(games, rows, region, symmetry=True, **options)
        for isa in range(summaries.ISA + 1):
            monkeypatch.setattr(summaries, "ISA", isa)
            result = index.find("\n".join(rows), region, **options)
            assert result.games.tolist() == sorted({game for game, *_ in hits}), (rows, options)
            assert [tuple(row) for row in result] == hits, (rows, options)
            assert {(row.point, row.color): tuple(row)[2:] for row in result.continuations()} == followed
        met += bool(hits)
    assert met > 2


def test_games_are_played_for_few_points_and_for_many(tmp_path, monkeypatch):
    """Where stones come and go on the points of a pattern, moves on these are looked for."""
    chance = random.Random(32)
    games = []
    for _ in range(8):
        game = found.Listed(11, 5, winner=1)
        taken = []
        for move in range(200):
            point = chance.randrange(11), 0
            if move % 50 == 49:
                game.events.append(("setup", [(0, point) for point in taken]))
                taken = []
            elif chance.random() < 0.15 and point not in taken:
                game.events.append(("move", 1, point))
                taken.append(point)
            else:
                game.events.append(("move", 2, None))
        games.append(game)
    index = w7.Index.create(tmp_path, [sgf(game) for game in games])
    met = 0
    for width in (1, 3, 4, 5, 7, 8, 8, 8, 9, 11):
        stones = chance.choice(found.frames(chance.choice(games))[100:]).stones
        x = chance.randrange(12 - width)
        rows = ["".join(SIGNS[stones.get((x + k, 0), 0)] for k in range(width))]
        hits, _ = found.search(games, rows, "side", symmetry=True, either_color=False)
        for isa in range(summaries.ISA + 1):
            monkeypatch.setattr(summaries, "ISA", isa)
            result = index.find("\n".join(rows), "side")
            assert result.games.tolist() == sorted({game for game, *_ in hits}), rows
            assert [tuple(row) for row in result] == hits, rows
        met += len(hits) > 1
    assert met > 6


def late_games(chance: random.Random) -> list[found.Listed]:
    """More 9x9 games than are compared at once, whose first stones come at several frames."""
    games = []
    for number in range(66):
        game = found.Listed(9, 9, winner=1)
        board = EditedBoard(9, 9)
        game.events = [("move", 1 + move % 2, None) for move in range((0, 30, 210, 219, 224)[number % 5])]
        for move in range(14):
            color = 1 + len(game.events) % 2
            free = [(x, y) for x in range(4) for y in range(3) if (x, y) not in board.stones]
            point = chance.choice(free) if free and move else None
            found.play(board, color, point)
            game.events.append(("move", color, point))
        games.append(game)
    return games


def late_rows(chance: random.Random, games: list[found.Listed]) -> list[str]:
    """A pattern of two rows that one of the games has at its end."""
    stones = chance.choice(found.frames(chance.choice(games))[-10:]).stones
    return ["".join(SIGNS[stones.get((x, y), 0)] for x in range(2)) + chance.choice(".?") for y in range(2)]


def test_games_whose_stones_come_late_are_compared_at_once(tmp_path, monkeypatch):
    """Frames from 222 on are one to the bounds, and points where stones come and go have no frame of their own."""
    chance = random.Random(31)
    games = late_games(chance)
    index = w7.Index.create(tmp_path, [sgf(game) for game in games])
    met = 0
    for _ in range(8):
        rows = late_rows(chance, games)
        hits, _ = found.search(games, rows, "side", symmetry=False, either_color=False)
        for isa in range(summaries.ISA + 1):
            monkeypatch.setattr(summaries, "ISA", isa)
            result = index.find("\n".join(rows), "side", symmetry=False)
            assert result.games.tolist() == sorted({game for game, *_ in hits}), rows
            assert [tuple(row) for row in result] == hits, rows
        met += len({game for game, *_ in hits}) > 4
    assert met > 4


@pytest.mark.parametrize("setup", [False, True])
def test_limits_of_moves_after_the_first_stones_are_kept(tmp_path, monkeypatch, setup):
    """Bounds are certain of no frame from 222 on, and a setup makes a frame without a move."""
    chance = random.Random(32)
    games = late_games(chance)
    if setup:
        games[5].events.insert(3, ("setup", [(1, (8, 8))]))
    index = w7.Index.create(tmp_path, [sgf(game) for game in games])
    fewer = 0
    for number in range(20):
        rows = late_rows(chance, games)
        max_move = (221, 222, 223, 226, 230, 300)[number % 6]
        hits, _ = found.search(games, rows, "side", symmetry=False, either_color=False, max_move=max_move)
        for isa in range(summaries.ISA + 1):
            monkeypatch.setattr(summaries, "ISA", isa)
            result = index.find("\n".join(rows), "side", symmetry=False, max_move=max_move)
            assert result.games.tolist() == sorted({game for game, *_ in hits}), (rows, max_move)
        fewer += len(result) < len(index.find("\n".join(rows), "side", symmetry=False))
    assert fewer > 5


def test_rows_of_patterns_are_made_when_they_are_asked_for(index):
    hits = index.find("X", "corner")
    count, numbers = len(hits), hits.games.tolist()
    assert not [name for name in vars(hits) if name in ("data", "_found")]
    assert count == len(numbers) == len(set(hits.to_numpy()["game"].tolist()))


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
    result = index.find("\n".join(rows), region).continuations(folded=True)
    assert {(row.point, row.color): list(row)[2:] for row in result} == wanted
    if region == "board":
        board = w7.Board.from_array(np.array([[SIGNS.index(sign) for sign in row] for row in rows]))
        assert list(index.explorer(board)) == list(result)


def test_the_picture_of_hits_has_letters(index):
    hits = index.find(".....\n" * 5)
    picture = hits.svg(letters=2, coordinates=False)
    assert picture.startswith("<svg")
    assert ">A<" in picture
    assert ">C<" not in picture
    assert ">Z<" in index.find("x*?\n.X.", "anywhere").svg(letters=0, marks=[("A1", "Z")], coordinates=False)


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


@pytest.mark.parametrize(
    ("pattern", "region", "problem"),
    [
        ("X.\n.", "corner", "this row has 1"),
        ("", "corner", "no row"),
        ("X7", "corner", "'7' is not a sign"),
        ("." * 20, "corner", "20 x 1 points fits no board"),
        ("." * 9, "board", "fits no board"),
        (".", "edge", "a region is"),
    ],
)
def test_patterns_that_make_no_sense_are_refused(index, pattern, region, problem):
    with pytest.raises(ValueError, match=problem):
        index.find(pattern, region)


def test_other_arguments_that_make_no_sense_are_refused(index):
    for name in ("symmetry", "either_color", "contiguous"):
        with pytest.raises(TypeError, match=f"{name} is True or False, not 'x'"):
            index.find(".", "corner", **{name: "x"})
    for wrong in (True, 1.5, "3"):
        with pytest.raises(TypeError, match="max_move is an integer, not"):
            index.find(".", "corner", max_move=wrong)
    with pytest.raises(TypeError, match="a Board, a Position or a text"):
        index.find(7)
    with pytest.raises(ValueError, match="the color to play"):
        index.find(".", "corner", to_play=3)
    with pytest.raises(ValueError, match="max_move is at least 0"):
        index.find(".", "corner", max_move=-1)
    for color in ("b", True):
        with pytest.raises(ValueError, match="the color to play"):
            index.find(".", "corner", to_play=color)
    for wrong in ("x", 1.5):
        with pytest.raises(TypeError, match="integer"):
            index.find(".", "corner", max_move=wrong)


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


def test_games_of_many_blocks_are_those_of_their_rows(tmp_path):
    """More games than are looked at together, the last block a part of one, and searches that begin in the middle."""
    chance = random.Random(33)
    points = [(x, y) for x in range(5) for y in range(5)]
    games = [
        found.Listed(5, 5, events=[("move", 1 + k % 2, at) for k, at in enumerate(chance.sample(points, 9))])
        for _ in range(2_700)
    ]
    index = w7.Index.create(tmp_path, [sgf(game) for game in games])
    assert [len(group) for segment in index._segments for group in segment.groups] == [2_700]
    met = 0
    for number in range(30):
        rows = "\n".join(cut(chance, games, ("side", "anywhere")[number % 2]))
        for where in (None, np.arange(2_700) % 7 == 3, list(range(700, 720)), [5, 2_300, 2_699]):
            result = index.find(rows, ("side", "anywhere")[number % 2], either_color=number % 3 == 0, where=where)
            numbers = result.games.tolist()
            assert len(result) == len(numbers)
            assert numbers == sorted(set(result.to_numpy()["game"].tolist())), (rows, where)
            met += bool(numbers)
    assert met > 40


STONES = {"stones": [{"color": 1, "point": {"x": 2, "y": 2}}]}
MOVES = [{"action": {"type": "move", "value": {"color": color, "point": {"x": color, "y": 1}}}} for color in (2, 1)]


@pytest.mark.parametrize(
    ("tree", "starts", "positions"),
    [
        ({"pre": STONES, "steps": MOVES}, 0, 3),
        ({"branches": [{"pre": STONES, "steps": MOVES}]}, 1, 4),
        ({"branches": [{"pre": STONES, "steps": MOVES}, {"steps": MOVES}]}, 1, 4),
        ({"title": "a", "branches": [{"title": "b", "branches": [{"pre": STONES, "steps": MOVES}]}]}, 1, 4),
        ({"pre": {"comment": "a"}, "branches": [{"pre": STONES, "steps": MOVES}]}, 1, 4),
        ({"branches": [{"pre": {"comment": "a"}, "steps": MOVES}]}, 1, 3),
    ],
)
def test_a_game_starts_on_the_empty_board_before_the_stones_of_a_branch(tmp_path, tree, starts, positions):
    text = json.dumps({"format": "wei7", "version": "3.0", "size": 9, "tree": tree}).encode()
    for name, written in (("wei7", text), ("sgf", w7.dumps(w7.loads(text), format="sgf", losses=[]))):
        index = w7.Index.create(tmp_path / name, written)
        assert len(list(index.find(w7.Board(9)))) == starts
        assert index.stats()["positions"] == positions
