"""Any games together: what is found is what comparing all with all finds, whatever is spilled."""

import random

import pytest
from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.duplicates import Game, expected, found_between

from wei7core.batch.summaries import PREFIX_MOVES
from wei7core.checking import duplicates as module
from wei7core.checking import spill
from wei7core.checking.codes import BETWEEN_CODES
from wei7core.checking.duplicates import BetweenOptions


def drawn_games(chance, count, kinds):
    """Games of which many are alike in some way; `kinds` says how many ways there are."""
    games = []
    for number in range(count):
        moves = chance.choice([0, 5, 9, 10, 35, 50, 70, 90, 150, 250])
        line = chance.randrange(1, 1 + kinds)  # games of a line have their first moves in common, up to where they part
        parts = chance.choice([0, 20, 60, 120, 300])
        mine = number * 1000
        game = Game(
            text=(chance.randrange(kinds), chance.randrange(2)) if chance.random() < 0.3 else (mine + 1, 7),
            game=chance.randrange(kinds) if chance.random() < 0.3 else mine + 2,
            position=chance.randrange(kinds) if chance.random() < 0.3 else mine + 3,
            moves=moves,
            prefixes=[
                (line * 7 + k + 1 if n <= parts else mine + 10 + k) if n <= moves else 0
                for k, n in enumerate(PREFIX_MOVES)
            ],
            openings=[chance.randrange(1, 1 + kinds) if k < moves else 0 for k in range(16)],
            id=chance.choice(["", "a", "围", f"name {number}", f"name {number}"]),
            source=f"source {number // 7}",
            record=number % 7,
            offset=100 * number,
            line=number + 1,
            column=number % 7 + 1,
        )
        games.append(game)
    return games


def as_told(finding, numbers):
    first = finding.evidence["first"]
    detail = finding.evidence.get("at_least", 0)
    return finding.code, numbers[finding.source, finding.record], numbers[first["source"], first["record"]], detail


@pytest.fixture(scope="module")
def small_pieces():
    """Tables of so few rows that a test has many pieces of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spill, "CHUNK_ROWS", 4)
        patch.setattr(module, "_WINDOW", 8)
        yield


@pytest.mark.usefixtures("small_pieces")
@settings(max_examples=examples(30))
@given(st.integers(0, 2**32), st.integers(0, 60), st.integers(1, 12), st.integers(1, 5))
def test_findings_are_those_of_comparing_all_with_all(seed, count, kinds, batches):
    chance = random.Random(seed)
    games = drawn_games(chance, count, kinds)
    options = BetweenOptions(
        least_moves=chance.choice([0, 10, 40]),
        prefix_moves=chance.choice([0, 40, 70]),
        long_prefix=chance.choice([100, 500]),
    )
    numbers = {(game.source, game.record): number for number, game in enumerate(games)}
    wanted = [code for code in BETWEEN_CODES if chance.random() < 0.8 and code != "opening-collapse"]
    results = [
        found_between(games, batches, options=options, codes=wanted, max_memory=limit, rows_at_once=rows)
        for limit, rows in [(1 << 30, 1 << 20), (1 << 30, 3), (0, 7), (2000, 1 << 20)]
    ]
    assert [as_told(one, numbers) for one in results[0]] == [
        one for one in expected(games, options) if one[0] in wanted
    ]
    assert all(other == results[0] for other in results)
    for finding in results[0]:
        game = games[numbers[finding.source, finding.record]]
        assert (finding.id, finding.offset) == (game.id or None, game.offset)
        assert (finding.line, finding.column) == (game.line, game.column)
