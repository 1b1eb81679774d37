"""Games together: findings, openings, files that do not stay, what is refused."""

import math
import os
import sys

import numpy as np
import pytest
from oracles.duplicates import Game, entropy, fill, found_between, keys_of

from wei7core.batch.summaries import text_keys
from wei7core.checking import spill
from wei7core.checking.duplicates import BetweenGames, BetweenOptions, OpeningSample


def games_alike(**members):
    """Two games with these members in common, of 100 moves."""
    return [
        Game((number + 1, 1), 10 + number, 20 + number, 100, source="a.sgf", record=number, id=f"{number}")
        for number in range(2)
    ]


def only(games, **options):
    (finding,) = found_between(games, **options)
    return finding


def test_copies_name_their_first():
    games = games_alike()
    games[1].text = games[0].text
    games[1].game, games[1].position, games[1].id = games[0].game, games[0].position, games[0].id
    finding = only(games)
    assert (finding.code, finding.severity, finding.source, finding.record) == (
        "duplicate-bytes",
        "warning",
        "a.sgf",
        1,
    )
    assert finding.message == "the bytes equal those of record 0 of a.sgf (0)"
    assert finding.evidence == {"first": {"source": "a.sgf", "record": 0, "id": "0"}}


def test_a_game_under_a_symmetry_is_the_same():
    games = games_alike()
    games[1].game, games[1].position = games[0].game, games[0].position
    finding = only(games)
    assert finding.code == "duplicate-game"
    assert "of 100 moves" in finding.message
    games[1].position += 5
    assert found_between(games) == []


def test_short_games_are_not_reported():
    games = [Game((number + 1, 1), 5, 6, 9) for number in range(3)]
    assert found_between(games) == []
    assert len(found_between(games, options=BetweenOptions(least_moves=9))) == 2
    empty = [Game((number + 1, 1), 5, 6, 0) for number in range(3)]
    assert found_between(empty, options=BetweenOptions(least_moves=0)) == []


def test_the_same_id_of_other_bytes():
    games = games_alike()
    games[1].id = games[0].id
    finding = only(games)
    assert (finding.code, finding.message) == (
        "duplicate-id",
        "the id is that of record 0 of a.sgf (0), which is another record",
    )


@pytest.mark.parametrize(
    ("moves", "shared", "code", "words"),
    [
        ((100, 100), 2, "shared-prefix", "at least 60, fewer than 80, of 100 moves and 100"),
        ((100, 100), 3, "near-duplicate", "at least 80, fewer than 120"),
        ((250, 250), 4, "near-duplicate", "at least 120, fewer than 160"),
        ((250, 250), 6, "near-duplicate", "at least 200, of"),
        ((250, 250), 0, None, ""),
    ],
)
def test_first_moves_in_common(moves, shared, code, words):
    games = games_alike()
    for number, game in enumerate(games):
        game.moves = moves[number]
        game.prefixes = [k + 1 if k <= shared else 100 * number + k for k in range(7)]
    found = found_between(games)
    assert [finding.code for finding in found] == ([code] if code else [])
    assert all(words in finding.message for finding in found)


@pytest.mark.parametrize(("shorter", "code"), [(80, "near-duplicate"), (81, "shared-prefix")])
def test_three_quarters_of_the_moves(shorter, code):
    games = games_alike()
    for game, moves in zip(games, (100, shorter), strict=True):
        game.moves, game.prefixes = moves, [1, 1, 1, 0, 0, 0, 0]  # 60 moves in common
    assert only(games).code == code


def test_openings_that_collapse():
    chance = np.random.default_rng(3)
    games = [Game((k + 1, 1), moves=50, openings=chance.integers(1, 3, 16).tolist()) for k in range(150)]
    finding = only(games, codes=["opening-collapse"])
    assert (finding.code, finding.source, finding.record) == ("opening-collapse", "", -1)
    for moves in range(1, 17):
        bits, count = entropy(games, moves)
        assert finding.evidence["entropy"][str(moves)] == pytest.approx(bits, abs=1e-3)
        assert finding.evidence["games"][str(moves)] == count
    assert not finding.evidence["sample"]
    assert all(value == round(value, 3) for value in finding.evidence["entropy"].values())
    assert (finding.offset, finding.line, finding.column, finding.id, finding.path) == (0, 0, 0, None, "$")
    assert f"positions of 150 games have an entropy of {bits:.2f} bits, less than 0.5 of the 7.23" in finding.message
    assert found_between(games[:99], codes=["opening-collapse"]) == []
    assert len(found_between(games[:100], codes=["opening-collapse"])) == 1
    sampled = only(games, codes=["opening-collapse"], options=BetweenOptions(opening_games=128))
    assert "the positions of a sample of 128 games have" in sampled.message and sampled.evidence["sample"]
    two = [Game((k + 1, 1), moves=50, openings=[1] * 16) for k in range(2)]
    for least in (0, 1, 2):
        assert len(found_between(two, codes=["opening-collapse"], options=BetweenOptions(least_games=least))) == 1
    assert found_between(two[:1], codes=["opening-collapse"], options=BetweenOptions(least_games=0)) == []
    half = [Game((k + 1, 1), moves=50, openings=[1 + k % 2] * 16) for k in range(4)]  # 1 bit of 2
    for collapse, reported in ((0.5, 0), (0.51, 1)):
        options = BetweenOptions(least_games=2, collapse=collapse)
        assert len(found_between(half, codes=["opening-collapse"], options=options)) == reported
    different = [Game((k + 1, 1), moves=50, openings=[k + 1] * 16) for k in range(150)]
    assert found_between(different, codes=["opening-collapse"]) == []
    assert only(different, codes=["opening-collapse"], options=BetweenOptions(collapse=1.01)).evidence["most"] == round(
        math.log2(150), 3
    )


def test_a_sample_of_openings_does_not_depend_on_batches():
    keys = np.arange(1, 16 * 3000 + 1, dtype=np.uint64).reshape(-1, 16) % np.uint64(977)
    results = []
    for step in (7, 100, 3000):
        sample = OpeningSample(256)
        for begin in range(0, len(keys), step):
            sample.add(keys[begin : begin + step])
        assert sample.is_sample
        results.append([sample.spread(moves) for moves in range(1, 17)])
    assert results[0] == results[1] == results[2]
    assert {spread.games for spread in results[0]} <= {255, 256}
    whole = OpeningSample(3000)
    whole.add(keys)
    assert not whole.is_sample
    assert abs(whole.spread(1).entropy - np.log2(977)) < 0.1


def many_games(count):
    return [Game((k // 2 + 1, 1), k + 1, k + 1, 30, id=str(k % 5), source=f"source {k}") for k in range(count)]


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(spill, "CHUNK_ROWS", 16)


@pytest.mark.usefixtures("small_pieces")
def test_files_do_not_stay(tmp_path):
    names = set()
    with BetweenGames(max_memory=1000, folder=tmp_path) as between:
        fill(between, many_games(200), 10)
        assert between.spilled
        assert between.held < 20_000
        names |= set(os.listdir(tmp_path))
        found = list(between.findings())
    assert sys.platform == "win32" or not names
    assert os.listdir(tmp_path) == []
    assert found == found_between(many_games(200))


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_files_do_not_remain_after_errors(tmp_path, error):
    with pytest.raises(error), BetweenGames(max_memory=0, folder=tmp_path) as between:
        fill(between, many_games(100))
        next(between.findings())
        raise error
    assert os.listdir(tmp_path) == []


@pytest.mark.usefixtures("small_pieces")
def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(OSError), BetweenGames(max_memory=0, folder=tmp_path / "none") as between:
        fill(between, many_games(100))


def test_names_of_any_sort():
    games = games_alike()
    games[0].source, games[1].source = "caf\udce9.sgf", "围棋.zip!/a.sgf"
    games[1].text = games[0].text
    finding = only(games)
    assert (finding.source, finding.evidence["first"]["source"]) == ("围棋.zip!/a.sgf", "caf\udce9.sgf")


def test_what_does_not_go_together_is_refused():
    with BetweenGames() as between:
        with pytest.raises(ValueError, match="expected sources of 2 games"):
            between.add([("a", 1)], *batch(2)[:2], **batch(2)[2])
        with pytest.raises(ValueError, match=r"expected . moves, got"):
            between.add([("a", 2)], *batch(2)[:2], **{**batch(2)[2], "moves": np.zeros(1)})
        with pytest.raises(ValueError, match="ids and places"):
            between.add([("a", 2)], *batch(2)[:2], **{**batch(2)[2], "ids": b"x"})
        between.add([("a", 2)], *batch(2)[:2], **batch(2)[2])
        assert len(between) == 2
    with pytest.raises(ValueError, match="between games: nothing"):
        BetweenGames(codes=["nothing"])
    with pytest.raises(ValueError, match="least_moves"):
        BetweenOptions(least_moves=-1)


def batch(count):
    from wei7core.batch.summaries import summary_dtype

    zeros = np.zeros(count, np.int64)
    others = {"ids": b"", "id_sizes": zeros - 1, "offsets": zeros, "lines": zeros, "columns": zeros}
    return (
        zeros,
        np.zeros(count, summary_dtype()),
        {"moves": zeros, "canonical_hashes": zeros.astype(np.uint64), **others},
    )


def test_keys_of_many_texts():
    texts = [b"", b"a", b"ab" * 700]
    assert [tuple(keys) for keys in keys_of(texts).tolist()] == [text_keys(text) for text in texts]
    with pytest.raises(ValueError, match="is outside its data"):
        from wei7core.batch.summaries import keys_of_texts

        keys_of_texts(b"abc", np.array([1], np.int64), np.array([4], np.int64))
