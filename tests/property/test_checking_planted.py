"""Every error that is planted in a clean game is found, where it was planted, and clean games have none."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from helpers.effort import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.board import EditedBoard
from samples import corpus
from samples.planted import MUTATIONS, Clean, Planted, cut_off, ended, random_game, turned

from wei7core.checking.check import check
from wei7core.rules import AGA, CHINESE, JAPANESE, NEW_ZEALAND, TROMP_TAYLOR, Ko, Rules

RULES = (TROMP_TAYLOR, CHINESE, JAPANESE, AGA, NEW_ZEALAND, Rules(name="natural", ko=Ko.NATURAL, suicide=True))


def reported(texts: Iterable[bytes], rules: Rules) -> Counter[tuple[int, str, int | None]]:
    """What is reported for each text by itself, by its number: codes, and the moves they are about."""
    found = check(b"\n".join(texts), rules=rules, severity="info", ignore="games")
    return Counter((finding.record, finding.code, finding.move_number) for finding in found)


def expected(planted: Iterable[Planted]) -> Counter[tuple[int, str, int | None]]:
    return Counter((record, *code) for record, each in enumerate(planted) for code in each.codes)


def planted_in(chance: random.Random, game: Clean) -> list[Planted]:
    return [planted for mutate in MUTATIONS if (planted := mutate(chance, game)) is not None]


@settings(max_examples=examples(25))
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([(2, 2), (3, 3), (4, 3), (4, 4), (5, 5), (7, 2), (6, 6)]),
    rules=st.sampled_from(RULES),
)
def test_planted_errors_are_found_and_no_others(seed: int, size: tuple[int, int], rules: Rules) -> None:
    chance = random.Random(seed)
    game = random_game(chance, *size, rules)
    assert reported([game.text()], rules) == Counter()
    planted = planted_in(chance, game)
    assert len(planted) >= len(MUTATIONS) // 2
    # Truncated text swallows what follows it.
    planted.sort(key=lambda each: each.kind == "truncated")
    assert reported([each.data for each in planted], rules) == expected(planted)


@settings(max_examples=examples(25))
@given(
    seed=st.integers(0, 2**32),
    size=st.sampled_from([(5, 5), (6, 6), (7, 5)]),
    symmetry=st.integers(0, 7),
    name=st.sampled_from(["", "GN[a]", "PB[a]PW[b]"]),
)
def test_copies_are_found_however_they_are_turned(seed: int, size: tuple[int, int], symmetry: int, name: str) -> None:
    chance = random.Random(seed)
    games = [random_game(chance, *size, TROMP_TAYLOR) for _ in range(3)]
    copied = chance.choice(games)
    texts = [game.text() for game in games]
    copy = turned(copied, symmetry).text().replace(b"GM[1]", b"GM[1]" + name.encode())
    found = list(check([*texts, copy], rules=TROMP_TAYLOR, severity="info"))
    # A rectangle that is transposed is another board.
    is_other = symmetry & 4 and size[0] != size[1]
    code = "duplicate-bytes" if copy in texts else "duplicate-game"
    assert [(each.record, each.code) for each in found] == ([] if is_other else [(3, code)])
    if not is_other:
        assert found[0].evidence["first"]["record"] == texts.index(copied.text())


@pytest.mark.exhaustive
def test_every_kind_of_error_is_planted() -> None:
    chance = random.Random(7)
    kinds = Counter[str]()
    for rules in RULES:
        for _ in range(10):
            kinds.update(each.kind for each in planted_in(chance, random_game(chance, 5, 4, rules)))
    assert set(kinds) >= {
        *("move-occupied", "move-off-board", "turn-order", "move-after-end", "first-player-mismatch"),
        *("suicide-single", "ko-recapture", "superko-positional", "superko-situational", "superko-natural"),
        *("setup-mid-game", "truncated", "komi-dialect", "komi-out-of-range"),
        *("result-missing", "result-syntax", "result-winner-mismatch", "result-score-mismatch"),
        *("end-without-two-passes", "resign-side-mismatch"),
    }


def real_games(count: int) -> Iterable[Clean]:
    """Games of the corpus without a repeat and a pass, played to an end that they have not: two passes, counted."""
    path = corpus.require()
    rows = {row["id"]: row for row in corpus.tygem_expected(path)}
    for game in corpus.tygem_games(path):
        row = rows[game.id]
        if row["repeats"] != "0" or row["passes"] != "0" or len(game.moves) < 90:
            continue
        board = EditedBoard(game.width, game.height)
        for color, point in game.moves:
            board.put(color, point)
        board.moves = list(game.moves)
        yield ended(board, 3 - game.moves[-1][0], TROMP_TAYLOR)
        count -= 1
        if not count:
            return


@pytest.mark.exhaustive
def test_errors_planted_in_real_games_are_found_and_no_others() -> None:
    chance = random.Random(20)
    games = list(real_games(examples(1000)))
    assert reported([game.text() for game in games], TROMP_TAYLOR) == Counter()
    planted = []
    for number, game in enumerate(games):
        order = [*MUTATIONS[number % len(MUTATIONS) :], *MUTATIONS]
        found = (mutate(chance, game) for mutate in order if mutate is not cut_off)  # which would swallow the next game
        planted.append(next(each for each in found if each is not None))
    assert reported([each.data for each in planted], TROMP_TAYLOR) == expected(planted)
