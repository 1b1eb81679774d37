"""Keys of games in columns: the same for copies and images, others for others, with any decoder."""

import games
import numpy as np
import pytest
from helpers.arrow_batches import SGF, VALUES
from samples import corpus
from samples.batch_texts import BAD, GOOD

import wei7core
from wei7core.arrow import functions as arrow
from wei7core.batch import fingerprints as game_keys
from wei7core.batch import summaries as kernel_facts

pa = pytest.importorskip("pyarrow")


def keys_of(values, **options):
    batch = pa.record_batch({"data": pa.array(values, pa.binary())})
    made = arrow.keys_batch(batch, options=arrow.Options(**options))
    made.validate(full=True)
    assert made.schema == arrow.keys_schema()
    return made.to_pylist()


def game_keys_of(*values):
    return [row["game_key"] for row in keys_of(values)]


def test_copies_and_images_have_one_key_and_others_another():
    game = b"(;SZ[9];B[cd];W[ee];B[])"
    renamed = b"(;GN[x]SZ[9]PB[me];B[cd]C[good];W[ee];B[tt](;W[aa])(;W[bb]))"
    one, same, image, other = game_keys_of(
        game, renamed.replace(b"(;W[aa])(;W[bb])", b""), game.replace(b"cd", b"dc"), SGF
    )
    assert one == same == image
    assert other not in (one, None)


def test_texts_of_other_formats_have_the_keys_of_the_game():
    game = wei7core.loads(b"(;SZ[9];B[cd];W[ee];B[])")
    texts = [wei7core.dumps(game, format=name) for name in ("sgf", "wei7")]
    assert len(set(game_keys_of(*texts))) == 1
    assert len({(row["text_key"], row["text_key_2"]) for row in keys_of([*texts, texts[0]])}) == 2


@pytest.fixture
def alone(monkeypatch):
    """The records that were decoded by themselves."""
    found = []
    before = game_keys._alone

    def left(text, options):
        found.append(text)
        return before(text, options)

    monkeypatch.setattr(game_keys, "_alone", left)
    return found


def test_records_with_problems_have_the_same_keys(alone):
    """So have edits in the middle of a game."""
    games = [
        b"(;SZ[9];B[cd];W[ee];AB[aa][bb];B[];W[cc])",
        b"(;SZ[9]AB[gg];B[cd];AE[cd];W[cd])",
        b"(;SZ[9]AW[gg]AB[gh];B[cd])",
    ]
    plain = game_keys_of(*games)
    assert None not in plain
    assert plain == game_keys_of(*[b"junk " + game for game in games])
    named = [game.replace(b"SZ", b"PB[\xc0\xee]SZ") for game in games]
    assert plain == game_keys_of(*named)
    wide = games[0].decode().encode("utf-16")
    (row,) = keys_of([wide])
    assert (row["game_key"], row["text_key"]) == (plain[0], game_keys.keys_of_text(wide)[0])
    (row,) = keys_of([wide[:-12] + "W[!])".encode("utf-16-le")])
    assert (row["game_key"], row["moves"]) == (None, 0)
    assert row["text_key"] is not None
    assert alone == []


def test_records_in_a_row_of_their_own():
    rows = keys_of(VALUES)
    assert [row["record"] for row in rows] == list(range(len(VALUES)))
    replayed = arrow.replay_batch(pa.record_batch({"data": pa.array(VALUES, pa.binary())})).to_pylist()
    for row, value, other in zip(rows, VALUES, replayed, strict=True):
        is_whole = other["error"] is None and other["moves"] > 0
        assert (row["game_key"] is not None) == is_whole
        assert row["moves"] == (other["moves"] if other["error"] is None else 0)
        text = text_of(value)
        assert (row["text_key"], row["text_key_2"]) == ((None, None) if text is None else game_keys.keys_of_text(text))


def text_of(value):
    """The bytes that are read: what is compressed is unpacked first, and what is of no format is not read."""
    return SGF if value == VALUES[11] else None if value in (None, b"", b"nothing") else value


def test_beginnings_of_real_games():
    path = corpus.folder()
    chosen = list(corpus.generated_games(40) if path is None else corpus.tygem_games(path, 400))
    texts = [games.sgf_text(game) for game in chosen]
    rows = keys_of(texts)
    for game, row in zip(chosen, rows, strict=True):
        facts = kernel_facts.game_facts(game.width, game.height, [], game.moves)
        assert row["game_key"] == int(facts["game_key"])
        for moves, key in zip(kernel_facts.PREFIX_MOVES, facts["prefix_keys"].tolist(), strict=True):
            assert row[f"prefix_{moves}"] == (key if len(game.moves) >= moves else None)
    assert keys_of([b"x" + text for text in texts[:40]]) == [
        row | dict(zip(("text_key", "text_key_2"), game_keys.keys_of_text(b"x" + text), strict=True))
        for row, text in zip(rows[:40], texts, strict=False)
    ]


def test_a_game_without_moves_and_a_broken_one_have_no_key():
    assert game_keys_of(b"(;SZ[9])", BAD, b"{}", b"(;SZ[9]AB[aa])") == [None] * 4
    assert game_keys_of(GOOD) != [None]


def test_columns_are_kept():
    batch = pa.record_batch(
        {"data": pa.array([GOOD, SGF]), "source": pa.array(["a", None]), "record": pa.array([5, 6])}
    )
    made = arrow.keys_batch(batch, keep=["source", "record"])
    assert made.schema.names == ["source", *arrow.keys_schema().names]
    assert (made["source"].to_pylist(), made["record"].to_pylist()) == (["a", None], [5, 6])
    assert np.asarray(made["moves"]).tolist() == [2, 3]
