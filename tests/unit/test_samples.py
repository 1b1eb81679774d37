"""Training rows are those that the slow board makes, in any order, shard and symmetry, and after a resumption."""

from __future__ import annotations

import copy
import dataclasses
import gzip
import itertools
import json
import pickle
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from helpers.effort import first, is_quick
from oracles import found
from oracles import samples as slow
from samples import corpus
from samples.listed_games import full_at_first, listed, sgf, wei7, written

import wei7core as w7
from wei7core._util.cpu import ISAS
from wei7core.batch._expand import SampleBuffer
from wei7core.training.samples import samples as iteration
from wei7core.training.samples.batch import empty_batch
from wei7core.training.samples.filters import rank_number

SIZES = [(5, 5), (4, 4), (5, 3), (3, 5), (9, 9), (1, 1)]
FIELDS = ("planes", "policy", "value", "margin", "game", "move_number", "symmetry", "legal", "ownership")


@pytest.fixture(scope="module")
def games() -> list[found.Listed]:
    chance = random.Random(27)
    return [listed(chance, number) for number in range(96)]


@pytest.fixture(scope="module")
def texts(games) -> list[bytes]:
    return written(games)


def one(iterator: w7.Samples) -> w7.SampleBatch:
    """All batches as one."""
    batches = list(iterator)
    columns = [[getattr(batch, name) for batch in batches] for name in FIELDS]
    return w7.SampleBatch(*(None if parts[0] is None else np.concatenate(parts) for parts in columns))


def keys(batch: w7.SampleBatch) -> list[tuple[int, ...]]:
    return list(zip(batch.game.tolist(), batch.move_number.tolist(), batch.symmetry.tolist(), strict=True))


def assert_equal(batch: w7.SampleBatch, row: int, wanted: slow.Row) -> None:
    """A row is one that is wanted, as its symmetry shows it."""
    symmetry = int(batch.symmetry[row])
    height, width = batch.planes.shape[2:]
    points = np.arange(width * height).reshape(height, width)
    image = np.append(slow.turned(points, symmetry).ravel(), width * height)
    assert (batch.game[row], batch.move_number[row]) == (wanted.game, wanted.move_number)
    assert np.array_equal(batch.planes[row], slow.turned(wanted.planes, symmetry))
    assert image[batch.policy[row]] == wanted.policy
    assert batch.value[row] == wanted.value or np.isnan([batch.value[row], wanted.value]).all()
    if batch.legal is not None:
        assert np.array_equal(batch.legal[row], wanted.legal[image])
    if batch.ownership is not None:
        assert np.array_equal(batch.ownership[row], slow.turned(wanted.ownership, symmetry))


def wanted_rows(games: list[found.Listed], size: tuple[int, int]) -> list[slow.Row]:
    return [
        row
        for number, game in enumerate(games)
        if (game.width, game.height) == size
        for row in slow.rows_of(game, number)
    ]


@pytest.mark.parametrize("size", first(4, SIZES))
def test_rows_are_those_of_the_slow_board(games, texts, size):
    iterator = w7.samples(texts, 7, size=size, symmetry="none", shuffle=0, legal=True, ownership=True)
    batch = one(iterator)
    wanted = wanted_rows(games, size)
    assert len(batch) == len(wanted) > 0
    for number, row in enumerate(wanted):
        assert_equal(batch, number, row)
    assert (iterator.games, iterator.errors) == (sum((game.width, game.height) == size for game in games), 0)
    assert iterator.games + iterator.skipped == len(games)


def test_an_array_of_bytes_is_a_text():
    """As for `replay`: it is iterable, but no list."""
    data = b"(;SZ[9];B[aa];W[bb])" * 2
    for source in (np.frombuffer(data, np.uint8), memoryview(data), bytearray(data)):
        batches = w7.samples(source, batch=8, size=9, shuffle=0, symmetry="none")
        assert [batch.move_number.tolist() for batch in batches] == [[0, 1, 0, 1]]


@pytest.mark.parametrize("size", [(5, 5), (5, 3)])
@pytest.mark.parametrize("symmetry", first(1, ["random", "all"]))
def test_symmetries(games, texts, size, symmetry):
    batch = one(w7.samples(texts, 50, size=size, symmetry=symmetry, shuffle=64, legal=True, ownership=True))
    by_key = {(row.game, row.move_number): row for row in wanted_rows(games, size)}
    found_keys = keys(batch)
    for number, (game, move_number, _) in enumerate(found_keys):
        assert_equal(batch, number, by_key[game, move_number])
    count = 8 if size[0] == size[1] else 4
    if symmetry == "all":
        assert sorted(found_keys) == sorted((*key, shown) for key in by_key for shown in range(count))
    else:
        assert sorted(key[:2] for key in found_keys) == sorted(by_key)
        assert {key[2] for key in found_keys} == set(range(count))


def test_the_same_rows_with_any_number_of_threads(texts):
    options = {"size": 5, "shuffle": 100, "batch": 32, "legal": True}
    first = list(w7.samples(texts * 3, jobs=1, **options))
    second = list(w7.samples(texts * 3, jobs=2, **options))
    assert len(first) == len(second) > 3
    for one_batch, other in zip(first, second, strict=True):
        for name in FIELDS:
            a, b = getattr(one_batch, name), getattr(other, name)
            assert (a is None and b is None) or np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    assert keys(one(w7.samples(texts, seed=2, size=5))) != keys(one(w7.samples(texts, seed=3, size=5)))


def test_threads_share_the_batches(texts):
    alone = keys(one(w7.samples(texts, 8, size=5)))
    iterator = w7.samples(texts, 8, size=5)
    with ThreadPoolExecutor(3) as pool:
        parts = list(pool.map(lambda _: [keys(batch) for batch in iterator], range(3)))
    assert sorted(key for part in parts for batch in part for key in batch) == sorted(alone)


def test_the_first_rows_do_not_wait_for_all_records_of_a_block():
    game = b"(;FF[4]SZ[19];B[aa];W[bb];B[cc])"
    iterator = w7.samples(game * 500, 10, shuffle=0, symmetry="none")
    first = next(iterator)
    assert first.game.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]
    assert iterator.games == 16
    numbers = np.concatenate([first.game, *(batch.game for batch in iterator)])
    assert (numbers == np.repeat(np.arange(500), 3)).all()


def test_a_seed_gives_the_same_rows_everywhere():
    """The order is part of what a seed promises: these rows were drawn once and noted."""
    text = b"(;SZ[5]" + b"".join(b";%c[%c%c]" % (b"BW"[k % 2], 97 + k % 5, 97 + k // 5) for k in range(20)) + b")"
    batch = next(w7.samples(text, 8, size=5, shuffle=12, seed=1))
    assert keys(batch) == DRAWN


DRAWN = [(0, 3, 3), (0, 5, 2), (0, 6, 4), (0, 8, 5), (0, 10, 5), (0, 11, 7), (0, 2, 3), (0, 4, 4)]


def test_shards_are_a_partition(texts):
    whole = keys(one(w7.samples(texts, size=5, symmetry="none")))
    parts = [keys(one(w7.samples(texts, size=5, symmetry="none", shard=(k, 3)))) for k in range(3)]
    assert sorted(whole) == sorted(key for part in parts for key in part)
    assert all(key[0] % 3 == k for k, part in enumerate(parts) for key in part)


@pytest.mark.parametrize("symmetry", first(1, ["random", "none", "all"]))
@pytest.mark.parametrize("shuffle", first(1, [30, 0, 4000]))
def test_an_iteration_goes_on_from_its_state(texts, symmetry, shuffle):
    options = {"size": 5, "symmetry": symmetry, "shuffle": shuffle, "batch": 21, "passes": 2, "legal": True}
    iterator = w7.samples(texts, **options)
    states, batches = [], []
    while True:
        states.append(pickle.dumps(iterator.state_dict()))
        batch = next(iterator, None)
        if batch is None:
            break
        batches.append(batch)
    counts = iterator.games, iterator.errors, iterator.skipped
    step = max(1, len(states) // (2 if is_quick() else 6))
    for place in [*range(0, len(states), step), len(states) - 1]:
        again = w7.samples(texts, jobs=1 + place % 2, **options)
        next(again, None)
        again.load_state_dict(pickle.loads(states[place]))
        rest = list(again)
        assert [keys(batch) for batch in rest] == [keys(batch) for batch in batches[place:]]
        assert all(np.array_equal(a.planes, b.planes) for a, b in zip(rest, batches[place:], strict=True))
        assert (again.games, again.errors, again.skipped) == counts


def test_a_state_may_pass_through_json(texts):
    iterator = w7.samples(texts, 10, size=5, shuffle=40)
    next(iterator)
    state = iterator.state_dict()
    state["buffer"] = state["buffer"].tolist()
    again = w7.samples(texts, 10, size=5, shuffle=40)
    again.load_state_dict(json.loads(json.dumps(state)))
    assert [keys(batch) for batch in again] == [keys(batch) for batch in iterator]


def test_a_state_of_something_else_is_refused(texts):
    iterator = w7.samples(texts, 10, size=5, shuffle=40)
    next(iterator)
    state = iterator.state_dict()
    with pytest.raises(ValueError, match="a different seed"):
        w7.samples(texts, 10, size=5, shuffle=40, seed=2).load_state_dict(state)
    others = {"moves": (2, None), "dtype": "float32", "komi": 3.5, "rules": "japanese", "results": ["draw"]}
    others |= {"min_rank": "3d", "source": "*", "encoding": "gbk", "revision": 2, "first_row": "bottom"}
    for name, value in others.items():
        with pytest.raises(ValueError, match=f"a different ({name}|komi)"):
            w7.samples(texts, 10, size=5, shuffle=40, **{name: value}).load_state_dict(state)
    same = w7.samples(texts, 10, size=5, shuffle=40, results=[w7.Ending.DRAW, "points"])
    same.load_state_dict(w7.samples(texts, 10, size=5, shuffle=40, results=["points", w7.Ending.DRAW]).state_dict())
    plain, other = (w7.rules.Rules(name="own", ko=w7.rules.Ko.SIMPLE, suicide=suicide) for suicide in (False, True))
    state_of_plain = w7.samples(texts, 10, size=5, shuffle=40, rules=plain, dtype="f2").state_dict()
    w7.samples(texts, 10, size=5, shuffle=40, rules=plain, dtype=np.float16).load_state_dict(state_of_plain)
    with pytest.raises(ValueError, match="a different rules"):
        w7.samples(texts, 10, size=5, shuffle=40, rules=other, dtype="f2").load_state_dict(state_of_plain)
    with pytest.raises(TypeError, match="not NoneType"):
        iterator.load_state_dict(None)
    wrong = {"pass": -1, "piece": -1, "row": "x", "games": None, "group": -2, "random": -1}
    for name, value in wrong.items():
        with pytest.raises(ValueError, match="the state has no "):
            iterator.load_state_dict({**state, name: value})
    with pytest.raises(ValueError, match="a group has other records"):
        w7.samples(texts, 10, size=5, shuffle=40).load_state_dict({**state, "piece": 10**6, "is_read": False})
    with pytest.raises(ValueError, match="the state has no buffer, moves"):
        iterator.load_state_dict({name: value for name, value in state.items() if name not in ("buffer", "moves")})
    with pytest.raises(ValueError, match="version"):
        iterator.load_state_dict({**state, "version": 99})
    with pytest.raises(ValueError, match="not that of the state"):
        w7.samples(texts[:1], 10, size=5, shuffle=40).load_state_dict(state)
    with pytest.raises(ValueError, match="more rows"):
        iterator.load_state_dict({**state, "buffer": np.zeros((99, 2), np.int64)})
    for value in (
        None,
        "x",
        [1],
        [[1]],
        [[1, 2, 3]],
        [[1], [1, 2]],
        {},
        2**70,
        [[0.5, 1]],
        [[True, False]],
        [[0, None]],
    ):
        with pytest.raises(ValueError, match="the state has no rows as buffer"):
            iterator.load_state_dict({**state, "buffer": value})
    for value in (None, "x", 1, [False], np.zeros(2)):
        with pytest.raises(ValueError, match="neither True nor False as is_read"):
            iterator.load_state_dict({**state, "is_read": value})
    assert len(list(iterator)) > 1  # all of these changed nothing


@pytest.mark.parametrize("wrong", [{"row": 10**6}, {"buffer": [[0, 8], [0, -8]]}, {"buffer": [[0, 8], [1 << 40, 8]]}])
def test_a_state_of_other_rows_ends_the_iteration(texts, wrong):
    iterator = w7.samples(texts, 10, size=5, shuffle=40)
    next(iterator)
    with pytest.raises(ValueError, match="not that of the state"):
        iterator.load_state_dict({**iterator.state_dict(), **wrong})
    assert list(iterator) == []


def test_passes_have_every_row_once_in_another_order(texts):
    once = keys(one(w7.samples(texts, size=5, symmetry="none", shuffle=1000)))
    twice = keys(one(w7.samples(texts, size=5, symmetry="none", shuffle=1000, passes=2)))
    assert twice[: len(once)] == once
    assert twice[len(once) :] != once
    assert sorted(twice) == sorted(2 * once)
    endless = w7.samples(texts, 64, size=5, passes=None)
    assert sum(len(next(endless)) for _ in range(100)) > len(once)
    endless.close()
    assert list(endless) == []
    assert list(w7.samples([], passes=None)) == []
    assert list(w7.samples(b"(;SZ[5])", size=5, passes=None)) == []
    assert list(w7.samples(texts, passes=0)) == []


def test_the_repr_of_arrays_has_their_shapes(texts):
    batch = next(w7.samples(texts, 7, size=5, legal=True))
    assert repr(batch).startswith("<SampleBatch: planes uint8 (7, 17, 5, 5), policy int32 (7,), value float32 (7,), ")
    assert repr(batch).endswith("symmetry uint8 (7,), legal bool (7, 26)>")
    rows = w7.TrainingRows(own=batch.planes[:, 0], opponent=batch.planes[:, 1], to_move=np.ones(7, np.int64))
    assert repr(rows) == "<TrainingRows: own uint8 (7, 5, 5), opponent uint8 (7, 5, 5), to_move int64 (7,)>"
    played = w7.playout(w7.BoardBatch(2, 5), 3)
    assert repr(played) == "<Playouts: margins float32 (2, 3), ownership float32 (2, 5, 5)>"


def test_the_last_batch_may_be_dropped(texts):
    sizes = [len(batch) for batch in w7.samples(texts, 50, size=5)]
    assert set(sizes[:-1]) == {50}
    assert sizes[-1] < 50
    assert [len(batch) for batch in w7.samples(texts, 50, size=5, drop_last=True)] == sizes[:-1]


def test_a_bad_record_costs_only_itself():
    good = b"(;SZ[5]RE[B+R];B[aa];W[bb])"
    bad = b"(;SZ[5]RE[B+R];B[aa];W[zz];B[cc])"
    occupied = wei7(found.Listed(5, 5, events=[("move", 1, (0, 0)), ("move", 2, (0, 0))]))
    iterator = w7.samples([good, bad, b"no record", occupied, Path("no such file"), good], size=5, shuffle=0)
    assert keys(one(iterator)) != []
    assert (iterator.games, iterator.errors, iterator.skipped) == (2, 4, 0)
    assert repr(iterator) == "<Samples of 2 games, 4 errors, 0 skipped, pass 1>"
    results = w7.replay([good, bad, b"no record", occupied, Path("no such file"), good])
    wrong = [row for row in results if row.error is not None]
    assert sorted(iterator.failed) == sorted(
        row.source if row.source == "no such file" else f"{row.source}#{row.record}" for row in wrong
    )
    batch = one(w7.samples([good, bad, b"no record", occupied, good], size=5, shuffle=0))
    assert batch.game.tolist() == [0, 0, 4, 4]


def test_only_the_main_line_makes_rows():
    text = b"(;SZ[5];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ba](;B[bb])(;B[cb];W[de])))"
    batch = one(w7.samples(text, size=5, symmetry="none", shuffle=0))
    assert batch.policy.tolist() == [0, 6, 12, 18]


def test_many_stones_taken_within_the_history():
    """A row has room for so many changes; here there are more."""
    ring = [(x, y) for x in range(9) for y in range(9) if (x, y) != (8, 8)]
    game = found.Listed(9, 9, start=[(2, point) for point in ring])
    game.events = [("move", 1, (8, 8)), *(("move", 1 + k % 2, (k, k % 3)) for k in range(1, 9))]
    for text in (sgf(game), wei7(game)):
        batch = one(w7.samples(text, 4, size=9, shuffle=8, legal=True))
        wanted = {row.move_number: row for row in slow.rows_of(game, 0)}
        assert sorted(batch.move_number.tolist()) == sorted(wanted)
        for number, move_number in enumerate(batch.move_number.tolist()):
            assert_equal(batch, number, wanted[move_number])


@pytest.mark.parametrize(("batch", "jobs"), first(3, [(1, 1), (3, 1), (700, 2), (700, 1)], 2))
def test_planes_are_written_alike_wherever_they_begin(monkeypatch, batch, jobs):
    """Lines of the cache that rows share with each other and with what is not theirs; 700 rows go past the cache."""
    ring = [(x, y) for x in range(19) for y in range(19) if (x, y) != (18, 18)]
    taken = found.Listed(19, 19, start=[(2, point) for point in ring])
    taken.events = [("move", 1, (18, 18)), *(("move", 1 + k % 2, (k, k % 3)) for k in range(1, 9))]
    games = [
        found.Listed(19, 19, events=[("move", *move) for move in game.moves]) for game in corpus.generated_games(6)
    ]
    texts = [wei7(game) for game in [taken, *games]]
    for begin in (0, 1, 63, 64, 100):
        rooms: dict[int, list[np.ndarray]] = {isa: [] for isa in range(len(ISAS))}
        for isa, made in rooms.items():

            def placed(*arguments, made=made, begin=begin, **options):
                empty = empty_batch(*arguments, **options)
                made.append(np.full(empty.planes.size + 130, 7, np.uint8))
                planes = made[-1][begin : begin + empty.planes.size]
                return dataclasses.replace(empty, planes=planes.reshape(empty.planes.shape))

            monkeypatch.setattr(iteration, "empty_batch", placed)
            monkeypatch.setattr(iteration, "SampleBuffer", partial(SampleBuffer, isa=isa))
            rows = sum(len(one) for one in itertools.islice(w7.samples(texts, batch, seed=begin, jobs=jobs), 50))
            assert rows >= min(50 * batch, 700)
            assert all((room[:begin] == 7).all() and (room[begin - 130 :] == 7).all() for room in made)
        for made in rooms.values():
            assert len(made) == len(rooms[0])
            assert all(np.array_equal(one, other) for one, other in zip(made, rooms[0], strict=True))


def test_boards_whose_points_need_more_than_a_place_has():
    """Of more than 16,384 points; the moves are far from the edges that the small board does not have."""
    moves = [(1, 1), (2, 1), (0, 2), (3, 2), (1, 3), (2, 3), (2, 2), (1, 2), (4, 4), None, (0, 0), (5, 5)]
    events = [("move", 1 + k % 2, move) for k, move in enumerate(moves)]
    small, large = (
        one(w7.samples(wei7(found.Listed(*size, events=events)), size=size, shuffle=0, symmetry="none", legal=True))
        for size in [(9, 9), (150, 120)]
    )
    assert (large.planes[:, :16, :9, :9] == small.planes[:, :16]).all()
    assert large.planes[:, :16].sum() == small.planes[:, :16].sum()
    legal = large.legal[:, :-1].reshape(-1, 120, 150)
    assert (legal[:, :7, :7] == small.legal[:, :-1].reshape(-1, 9, 9)[:, :7, :7]).all()
    assert not legal[8, 2, 2]
    assert (large.legal.sum(axis=1) - small.legal.sum(axis=1) == 150 * 120 - 81).all()


@pytest.mark.parametrize("size", first(2, [(70, 2), (3, 33), (2, 70), (64, 1), (1, 65), (8, 8)]))
def test_boards_longer_than_a_word(size):
    game = full_at_first(random.Random(size[0]), *size, size[0] * size[1])
    batch = one(w7.samples(wei7(game), size=size, shuffle=0, legal=True, ownership=True))
    wanted = slow.rows_of(game, 0)
    assert len(batch) == len(wanted)
    for number, row in enumerate(wanted):
        assert_equal(batch, number, row)


def test_ko():
    moves = ["bb", "cb", "ac", "dc", "bd", "cd", "cc", "bc", "ee", "aa"]
    text = "(;SZ[5]" + "".join(f";{'BW'[k % 2]}[{move}]" for k, move in enumerate(moves)) + ")"
    batch = one(w7.samples(text.encode(), size=5, shuffle=0, symmetry="none", legal=True))
    assert batch.legal is not None
    point = 2 + 2 * 5
    assert [bool(row[point]) for row in batch.legal[7:]] == [False, False, True]
    assert not batch.legal[8, 2 * 5 + 2]


@pytest.mark.parametrize("name", ["permissive", "ing", "japanese", "tromp-taylor"])
def test_legal_moves_are_those_of_the_rules(name):
    """Suicide and ko are as the rules have them: no move of a game is masked. Superko does not count."""
    chance = random.Random(name)
    for _ in range(12):
        board, wanted, text = w7.Board(4), [], "(;SZ[4]"
        while board.move_count < 40 and (points := list(board.legal(rules=name))):
            color, point = board.to_play, chance.choice(points)
            points_of = [(x, y) for y in range(4) for x in range(4)]
            masks = [[bool(board.is_legal(color, at, rules)) for at in points_of] for rules in (name, "ing")]
            wanted.append((*masks, point[1] * 4 + point[0]))
            board.play(color, point)
            text += f";{' BW'[color]}[{w7.coordinates.to_sgf(point, 4, 4)}]"
        batch = one(w7.samples(f"{text})".encode(), size=4, shuffle=0, symmetry="none", legal=True, rules=name))
        for row, (exact, simple, played) in zip(batch.legal, wanted, strict=True):
            found = row[:-1].tolist()
            assert found[played] and row[-1]
            if name != "tromp-taylor":
                assert found == exact
            else:
                assert all(a <= b <= c for a, b, c in zip(exact, found, simple, strict=True))


def test_the_suicide_of_one_stone_repeats_the_position():
    text = b"(;SZ[5]AB[ba][ab];W[ee])(;SZ[5]AB[ca][bb][ab]AW[ba];W[ee])"
    for name, wanted in (("chinese", [0, 0]), ("tromp-taylor", [0, 1]), ("new-zealand", [1, 1]), ("ing", [1, 1])):
        batch = one(w7.samples(text, size=5, shuffle=0, symmetry="none", legal=True, rules=name))
        assert batch.legal[:, 0].tolist() == wanted, name


def test_values_are_those_of_the_player_to_move():
    def known(numbers: np.ndarray) -> list[float | None]:
        return [None if np.isnan(number) else number for number in numbers.tolist()]

    def values(result: str) -> tuple[list[float | None], list[float | None]]:
        batch = one(w7.samples(f"(;SZ[3]RE[{result}];B[aa];W[bb])".encode(), size=3, shuffle=0))
        return known(batch.value), known(batch.margin)

    assert values("W+3.5") == ([-1, 1], [-3.5, 3.5])
    assert values("B+R") == ([1, -1], [None, None])
    assert values("0") == ([0, 0], [0, 0])
    assert values("Void") == values("?") == values("nonsense") == ([None, None], [None, None])
    text = "(;SZ[3]CA[gb18030]RE[白中盘胜];B[aa];W[bb])".encode("gb18030")
    assert one(w7.samples(text, size=3, shuffle=0)).value.tolist() == [-1, 1]
    text = "(;SZ[3]PB[黑棋]RE[黑中盘胜];B[aa];W[bb])".encode("gb18030")
    assert one(w7.samples(text, size=3, shuffle=0, encoding="gb18030")).value.tolist() == [1, -1]


def test_filters(tmp_path):
    def game(result: str, moves: int, black: str, white: str) -> bytes:
        steps = "".join(f";{'BW'[k % 2]}[{chr(97 + k % 5)}{chr(97 + k // 5)}]" for k in range(moves))
        return f"(;SZ[5]RE[{result}]BR[{black}]WR[{white}]PB[Cho]PW[Otake]{steps})".encode()

    games = [game("B+R", 4, "9p", "8d"), game("W+2.5", 9, "1k", "3d"), game("0", 6, "3d", "3d"), game("?", 5, "", "5d")]
    kinds = [*games, wei7(found.Listed(5, 5, events=[("move", 1, (0, 0))], winner=1))]

    def chosen(**options):
        return sorted(set(one(w7.samples(kinds, size=5, **options)).game.tolist()))

    assert chosen() == [0, 1, 2, 3, 4]
    assert chosen(moves=(5, None)) == [1, 2, 3]
    assert chosen(moves=(2, 5)) == [0, 3]
    assert chosen(results="resignation") == [0, 4]
    assert chosen(results=["points", "draw"]) == [1, 2]
    assert chosen(min_rank="3d") == [0, 2]
    assert chosen(where=lambda info: info.white_name == "Otake") == [0, 1, 2, 3]
    for number, text in enumerate(games):
        (tmp_path / f"{2000 + number}.sgf").write_bytes(text)
    assert chosen(source="<bytes>") == [0, 1, 2, 3, 4]
    batch = one(w7.samples(tmp_path, size=5, source="*200[12].sgf"))
    assert set(batch.game.tolist()) == {1, 2}
    iterator = w7.samples(kinds, size=5, where=raises)
    with pytest.raises(RuntimeError, match="asked"):
        list(iterator)
    assert list(iterator) == []


def test_results_of_a_node_after_the_root():
    texts = [b"(;SZ[5]%b;B[aa];W[bb]%b;B[cc])" % results for results in ((b"RE[W+2.5]", b""), (b"", b"RE[W+2.5]"))]
    batches = [one(w7.samples([text], size=5, symmetry="none", shuffle=0)) for text in texts]
    assert batches[0].value.tolist() == [-1, 1, -1]
    assert batches[1].value.tolist() == batches[0].value.tolist()
    assert batches[1].margin.tolist() == batches[0].margin.tolist()


def test_samples_are_not_copied(texts):
    batches = w7.samples(texts, size=5)
    for act in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="samples cannot be copied or pickled: `state_dict` can"):
            act(batches)


def raises(info: w7.Info) -> bool:
    raise RuntimeError("asked")


def test_ranks():
    ranks = ["30k", "5 kyu", "1級", "1d", "三段", "アマ6段", "7段", "8dan", "九段", "1p", "9 pro"]
    numbers = [rank_number(text) for text in ranks]
    assert numbers == sorted(numbers)
    assert [rank_number(text) for text in ("초단", "5급", "프로 9단", "10gup", "业余五段")] == [1, -4, 109, -9, 5]
    assert [rank_number(text) for text in (None, "", "d", "0d", "?", "9x", "100d")] == [None] * 7


def test_arguments_that_do_not_fit():
    for wrong in (
        {"batch": 0}, {"shuffle": -1}, {"features": "other"}, {"symmetry": "some"}, {"size": 0}, {"size": (19, 10**6)},
        {"shard": (2, 2)}, {"shard": (0, 0)}, {"passes": -1}, {"jobs": 0}, {"moves": (5, 4)}, {"results": "won"},
        {"min_rank": "strong"}, {"encoding": "nonsense"},
    ):  # fmt: skip
        with pytest.raises(ValueError):
            w7.samples(b"", **wrong)


def test_sources_of_other_formats(tmp_path):
    """Files, archives, lines and formats that Python reads have the rows of their main lines."""
    points = [(x, y) for x in range(9) for y in range(9)]
    random.Random(5).shuffle(points)
    game = found.Listed(9, 9, events=[("move", 1 + k % 2, point) for k, point in enumerate(points[:50])], winner=2)
    text = wei7(game)
    (tmp_path / "games.jsonl").write_bytes(b"\n".join([text] * 3) + b"\n")
    with gzip.open(tmp_path / "more.sgf.gz", "wb") as file:
        file.write(sgf(game) * 2)
    xml = tmp_path / "one.wei7.xml"
    xml.write_bytes(w7.dumps(w7.loads(text), format="wei7-2.2"))
    size = (game.width, game.height)
    batch = one(w7.samples([*sorted(tmp_path.iterdir()), text], size=size, symmetry="none", shuffle=0))
    wanted = [row for number in range(7) for row in slow.rows_of(game, number)]
    assert len(batch) == len(wanted) > 0
    for number, row in enumerate(wanted):
        assert_equal(batch, number, row)


def test_batches_are_rows_that_can_be_judged(texts):
    game = found.Listed(5, 5, events=[("move", 1 + k % 2, (k % 5, k // 5)) for k in range(8)], winner=1)
    batch = one(w7.samples([wei7(game)], size=5, legal=True, shuffle=0))
    assert list(w7.check_rows(batch.to_rows(), rules="japanese")) == []


def assert_rows_of_boards(batch: w7.SampleBatch, games: Sequence[Sequence[tuple[int, found.Point | None]]]) -> None:
    """The rows of whole games of 19 x 19 points in their order, compared with boards."""
    row = 0
    for number, moves in enumerate(games):
        board = w7.Board(19)
        for move_number, (color, point) in enumerate(moves):
            assert (batch.game[row], batch.move_number[row]) == (number, move_number)
            assert np.array_equal(batch.planes[row], w7.to_planes(board, color, features="alphago-zero"))
            assert batch.policy[row] == (361 if point is None else point[1] * 19 + point[0])
            board.play(color, point)
            row += 1
    assert row == len(batch)


def test_planes_are_those_of_boards():
    games = [game.moves for game in corpus.generated_games(3)]
    texts = [wei7(found.Listed(19, 19, events=[("move", *move) for move in moves])) for moves in games]
    assert_rows_of_boards(one(w7.samples(texts, symmetry="none", shuffle=0)), games)


def test_games_of_the_corpus():
    path = corpus.require()
    games = [game.moves for game in corpus.tygem_games(path, limit=40)]
    with gzip.open(path / "tygem-dev.sgf.gz") as file:
        text = b"(;".join(file.read(1 << 20).split(b"(;")[:41])
    iterator = w7.samples(text, symmetry="none", shuffle=0)
    batch = one(iterator)
    assert_rows_of_boards(batch, games)
    assert np.isin(batch.value, (-1, 1)).all()
    assert (iterator.games, iterator.errors) == (40, 0)
