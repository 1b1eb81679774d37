"""The arrays and hash tables of an index: bounds, agreement, common positions."""

from __future__ import annotations

import bisect
import itertools
import random
from collections.abc import Sequence

import numpy as np
import pytest
from helpers.effort import first
from oracles import found
from samples.index_games import cut, first_of_folded
from samples.listed_games import listed, sgf

import wei7core as w7
from wei7core._util.cpu import ISAS
from wei7core.batch.index._search import GameStore, add_records, count_moves, find_boards, find_patterns
from wei7core.batch.index.size_group import SizeGroup


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
            rows, answers, _ = find_boards([store], [whole], hashes, [canonical], number % 4, None, -1, 0, False, True)
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
        lambda: store.order_hashes(lambda: none, numbers, codes, none),
        lambda: store.order_hashes(lambda: winners, numbers, numbers, none),
        lambda: find((point + 9, none, 0, 0, 0, False, None)),
        lambda: find((point + 9, one, 1, 0, 0, False, None)),
        lambda: find((point, one, 2, 0, 0, False, None)),
        lambda: find((point, one, 1, 0, -1, False, None)),
        lambda: find((point - 1, one, 0, 0, 1, False, None)),
        lambda: find((point, one, 1, 0, 0, False, rows)),
        lambda: find((point, one, 1, 0, 0, False, None), [np.zeros(2, np.uint8)]),
        lambda: find((point, one, 1, 0, 0, False, None), []),
        lambda: find_patterns([store], [(point, one, 0, 0, 1, False, None)] * 17, None, -1, 0, False, 0),
        lambda: find_boards([store], [(point, one, 1, 0, 0, False, None)], hashes, [1], 1, None, -1, 0, False, True),
        lambda: find_boards([store], [], hashes, [1], 1, None, -1, 0, False, True),
        lambda: count(rows, folded=rows),
        lambda: count(rows, folded=point[0] + 1),
        lambda: count(rows, winners=none),
        lambda: count(rows, placements=[(point[0], 0, 0, False)] * 17),
        lambda: count(np.zeros(6, np.int32) + 1),
        lambda: count(np.zeros(6, np.int32), rows, winners=None),
        lambda: count(rows, np.zeros(2, np.int32)),
        lambda: count(rows, np.ones(2, np.int32)),
    ):
        with pytest.raises(ValueError, match=r"length|forms|planes|board|pattern|group|ascending|items have"):
            wrong()


def test_rows_that_do_not_agree_are_refused():
    number, byte = np.zeros(1, np.int32), np.zeros(1, np.uint8)
    board, setup = np.array([0, (1 << 32) - 1], np.uint32), np.array([4 << 2], np.uint32)
    columns = {"move_number": number, "code": setup, "branches": byte[:0], "boards": byte, "removed": board}
    wide = number.astype(np.int64)
    all_runs = {"begin": wide, "text": wide, "path_size": wide, "width": number + 2, "height": number + 2}

    def add(some, size=(2, 2), frames=1, room=2, **runs):
        codes = np.zeros(room, np.uint16)
        counts = np.zeros(frames, np.int64)
        return add_records(columns | some, all_runs | runs, np.zeros(1, np.int64), size, counts, codes)

    assert add({}) == (2, b"", b"")
    assert add({"code": setup | 3}) == (1, b"", b"")
    for wrong in (
        lambda: add({"code": setup[:0]}),
        lambda: add({}, frames=2),
        lambda: add({}, room=1),
        lambda: add({}, size=(3, 3)),
        lambda: add({}, path_size=wide + 1),
        lambda: add({}, path_size=wide - 1),
        lambda: add({}, text=wide - 1),
        lambda: add({}, text=wide[:0]),
        lambda: add({}, begin=wide + 2),
        lambda: add({}, begin=wide - 1),
        lambda: add({"code": setup + 4}),
        lambda: add({"code": setup + 5, "move_number": number + 1}),
        lambda: add({"boards": byte[:0]}),
        lambda: add({"removed": np.array([0, 4 << 2 | 2], np.uint32)}),
    ):
        with pytest.raises(ValueError, match=r"agree|length"):
            wrong()
    offsets, codes = np.array([0, 2]), np.zeros(2, np.uint16)

    def order(at=offsets, winners=byte, buckets=3, games=2, keys=2):
        store = GameStore(3, 3, (at, at.astype(np.uint32), codes, np.zeros(0, np.uint32), codes[:0]), False)
        tables = np.zeros(buckets, np.uint32), np.zeros(games, np.uint16), np.zeros(keys, np.uint8)
        return store.order_hashes(lambda: winners, *tables)

    assert [part for parts in order() for part in parts if part] == []
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
    rows_by_game = []
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
        rows_by_game.append(rows)
    return group, rows_by_game


@pytest.mark.parametrize("size", first(1, [3, 8]))
def test_the_tables_of_hashes_are_those_of_all_positions(size, tmp_path):
    """Games of few moves on few points, so that many positions are common; those that symmetries blur are left out."""
    chance = random.Random(size)
    games = []
    for _ in range(300):
        games.append(listed(chance, 4 if size == 3 else 8))
        games[-1].events = games[-1].events[:size]
        games[-1].start = []
    group, rows_by_game = group_of(games, tmp_path)
    arrays = {name: array.tolist() for name, array in group.arrays.items()}
    bits = (len(arrays["buckets"]) - 1).bit_length() - 1
    wanted = sorted((rows[0], game) for game, of_game in enumerate(rows_by_game) for rows in of_game)
    assert [hash << bits >> 56 & 255 for hash, _ in wanted] == arrays["keys"]
    assert [game for _, game in wanted] == arrays["hash_games"]
    firsts = [hash >> 64 - bits for hash, _ in wanted]
    assert arrays["buckets"] == [bisect.bisect_left(firsts, bucket) for bucket in range((1 << bits) + 1)]
    common = {}
    for hash in sorted({hash for hash, _ in wanted}):
        by_game = {game: [rows for rows in of_game if rows[0] == hash] for game, of_game in enumerate(rows_by_game)}
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


def test_the_tables_of_hashes_are_the_same_for_each_way_to_make_them(tmp_path):
    """The instruction sets, and places in the order that have few bits of the hash."""
    chance = random.Random(1)
    group, _ = group_of([listed(chance, 4) for _ in range(100)], tmp_path)
    stored = [group.arrays[name] for name in ("offsets", "change_offsets", "moves", "change_frames", "changes")]
    store = GameStore(group.width, group.height, stored, bool(len(group.setups)))
    names = ("buckets", "hash_games", "keys")
    made = set()
    for isa, bits, jobs in itertools.product(range(len(ISAS)), (64, 20, 9, 1), (1, 2)):
        tables = [np.zeros_like(group.arrays[name]) for name in names]
        common = store.order_hashes(lambda: group.winners, *tables, jobs, isa, bits)
        for name, table in zip(names, tables, strict=True):
            assert table.tolist() == group.arrays[name].tolist(), (name, isa, bits, jobs)
        made.add(tuple(b"".join(parts[k] for parts in common) for k in (0, 1, 3, 5, 6)))
    assert made == {
        tuple(
            group.arrays[name].tobytes()
            for name in ("common_hashes", "common_games", "image_hashes", "common_moves", "common_counts")
        )
    }
    assert len(group.arrays["common_hashes"]) > 1


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
        result = index.find("\n".join(rows))
        assert len(result) == len({game for game, *_ in hits})
        assert {(row.point, row.color): tuple(row)[2:] for row in result.continuations()} == followed
        folded: dict[tuple[str, int], int] = {}
        for number in range(len(games)):
            _, alone = found.search(games, rows, "board", True, False, chosen={number})
            first = first_of_folded(rows, range(8))
            for key in {(first.get(point, point), color) for point, color in alone}:
                folded[key] = folded.get(key, 0) + 1
        assert {(row.point, row.color): row.games for row in result.continuations(folded=True)} == folded


@pytest.mark.exhaustive
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
        result = index.find("\n".join(rows))
        met += bool(len(getattr(result._matches[0], "answers", ())))
        assert len(result) == len({game for game, *_ in hits})
        assert {(row.point, row.color): tuple(row)[2:] for row in result.continuations()} == followed
        assert result.row_count == len(hits)
        assert [tuple(row) for row in result] == hits
        assert result.games.tolist() == sorted({game for game, *_ in hits})
    assert met
