"""Rows of records with planes of KataGo and with lists of planes: those of a batch that plays the same moves."""

from __future__ import annotations

import random

import numpy as np
import pytest
from samples.listed_games import full_at_first, wei7
from samples.random_games import random_game, sgf

import wei7core as w7
from wei7core.batch.inputs.features import FEATURES, PLANE_NAMES

NAMES = [name for name in PLANE_NAMES if name != "legal"]


@pytest.mark.parametrize("rules", ["tromp-taylor", "japanese"])
@pytest.mark.parametrize("size", [5, 9])
def test_rows_are_the_positions_of_a_batch(rules: str, size: int) -> None:
    chance = random.Random(size)
    games = [random_game(chance, size, rules, 70) for _ in range(4)]
    records = b"".join(sgf(moves, size, "KM[6.5]" if k % 2 else "") for k, moves in enumerate(games))
    made = next(w7.samples(records, 1000, size=size, features=NAMES, rules=rules, komi=3.5, symmetry="none", shuffle=0))
    katago = next(
        w7.samples(records, 1000, size=size, features="katago-v7", rules=rules, komi=3.5, symmetry="none", shuffle=0)
    )
    row = 0
    for k, moves in enumerate(games):
        batch = w7.BoardBatch(1, size, rules=rules, komi=6.5 if k % 2 else 3.5, auto_reset=False, max_moves=1000)
        for move in moves:
            assert (made.planes[row] == batch.planes(NAMES)[0]).all(), (k, row)
            assert (katago.planes[row] == batch.planes("katago-v7")[0]).all()
            assert katago.globals is not None
            assert (katago.globals[row] == batch.global_inputs()[0]).all()
            assert made.policy[row] == move
            batch.step([move])
            row += 1
    assert row == len(made) == len(katago)
    assert made.globals is None


def test_symmetries_types_and_shuffles() -> None:
    chance = random.Random(3)
    records = b"".join(sgf(random_game(chance, 7, "chinese", 60), 7) for _ in range(5))
    plain = next(w7.samples(records, 1000, size=7, features="katago-v7", symmetry="none", shuffle=0))
    whole = next(w7.samples(records, 8000, size=7, features="katago-v7", symmetry="all", shuffle=0))
    rows = {(int(a), int(b)): plane for a, b, plane in zip(plain.game, plain.move_number, plain.planes, strict=True)}
    assert len(whole) == 8 * len(plain)

    def shown(planes: np.ndarray, symmetry: int) -> np.ndarray:
        planes = planes.swapaxes(-1, -2) if symmetry & 4 else planes
        planes = planes[..., ::-1] if symmetry & 1 else planes
        return planes[..., ::-1, :] if symmetry & 2 else planes

    for index in range(len(whole)):
        row = rows[int(whole.game[index]), int(whole.move_number[index])]
        assert (whole.planes[index] == shown(row, int(whole.symmetry[index]))).all()
    for dtype in (np.float16, np.float32):
        options = {"size": 7, "features": "katago-v7", "seed": 5, "shuffle": 50}
        bytes_of, made = (list(w7.samples(records, 64, dtype=kind, **options)) for kind in (np.uint8, dtype))
        bits = list(w7.samples(records, 64, dtype="bits", jobs=3, **options))
        for one, other, packed in zip(bytes_of, made, bits, strict=True):
            assert other.planes.dtype == dtype
            assert (one.planes == other.planes).all()
            assert (np.packbits(one.planes.reshape(*one.planes.shape[:2], -1), axis=2) == packed.planes).all()


@pytest.mark.parametrize("size", [(9, 9), (8, 8), (5, 7), (1, 1), (1, 3), (32, 31)])
def test_types_of_alphago_zero(size: tuple[int, int]) -> None:
    chance = random.Random(size[0])
    games = [wei7(full_at_first(chance, *size, min(3 * size[0] * size[1], 150))) for _ in range(3)]
    options = {"size": size, "shuffle": 100, "seed": 4}
    plain = list(w7.samples(games, 32, **options))
    assert len(plain) > 0
    for dtype in (np.float16, np.float32):
        for one, other in zip(plain, w7.samples(games, 32, dtype=dtype, jobs=2, **options), strict=True):
            assert other.planes.dtype == dtype
            assert (one.planes == other.planes).all()
    for one, other in zip(plain, w7.samples(games, 32, dtype="bits", jobs=2, **options), strict=True):
        assert (np.packbits(one.planes.reshape(*one.planes.shape[:2], -1), axis=2) == other.planes).all()
    if size[0] < 30:  # planes of other features are written in another way
        names = [*FEATURES["alphago-zero"], "empty"]
        for dtype in (np.uint8, np.float16, np.float32):
            for one, other in zip(plain, w7.samples(games, 32, dtype=dtype, features=names, **options), strict=True):
                assert (one.planes == other.planes[:, :-1]).all()
                assert (one.planes[:, 0] + one.planes[:, 1] + other.planes[:, -1] == 1).all()


def test_alphago_zero_is_a_list_too() -> None:
    records = sgf(random_game(random.Random(1), 9, "chinese", 60), 9)
    plain = next(w7.samples(records, 99, size=9, seed=2))
    listed = next(w7.samples(records, 99, size=9, seed=2, features=list(FEATURES["alphago-zero"]), dtype=np.float32))
    assert (plain.planes == listed.planes).all()
    with pytest.raises(ValueError, match="planes of AlphaGo Zero"):
        listed.to_rows()


def test_goes_on_from_a_state() -> None:
    chance = random.Random(9)
    records = b"".join(sgf(random_game(chance, 6, "chinese", 40), 6) for _ in range(9))
    options = {"size": 6, "features": "katago-v7", "shuffle": 64}
    first = w7.samples(records, 32, **options)
    next(first)
    state = first.state_dict()
    other = w7.samples(records, 32, **options)
    other.load_state_dict(state)
    for one, two in zip(first, other, strict=True):
        assert (one.planes == two.planes).all()
        assert (one.globals == two.globals).all()


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="no plane 'legal'"):
        w7.samples(b"", features=["own", "legal"])
    with pytest.raises(ValueError, match="up to 30 x 30"):
        w7.samples(b"", size=37, features="katago-v7")
    for name, value in {"komi": "7.5", "passes": 1.5, "shard": (0.0, 1), "moves": (float("nan"), None)}.items():
        with pytest.raises(TypeError):
            w7.samples(b"", **{name: value})
    wrong: list[tuple[str, object]] = [
        *((name, value) for name in ("batch", "shuffle", "seed", "jobs", "shard") for value in ("3", 1.5, None, True)),
        *(("limits", None), ("encoding", 5), ("results", [5]), ("min_rank", 5), ("source", 5), ("where", 5)),
        *(("shard", 5), ("shard", (1, 2, 3)), ("shard", (0, 1.5)), ("moves", 5), ("moves", "12"), ("passes", "1")),
    ]
    for name, value in wrong:
        with pytest.raises((TypeError, ValueError), match=rf"^{name}\b"):
            w7.samples(b"", **{name: value})
    with pytest.raises(ValueError, match="is not there"):
        w7.samples(b"", shard=(0, 1 << 70))
    assert list(w7.samples(b"(;SZ[9];B[aa])", size=9, moves=(1 << 70, 1 << 71))) == []
    with pytest.raises(ValueError, match="komi is a number"):
        w7.samples(b"", komi=float("nan"))
    w7.samples(b"", size=37).close()
    with pytest.raises(ValueError, match="batch must be from 1 to"):
        w7.samples(b"", batch=1 << 70)
    with pytest.raises(ValueError, match="not 4096 and -1"):
        w7.samples(b"", shuffle=-1)
    with pytest.raises(TypeError, match="integer"):
        w7.samples(b"", batch=64.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="side of a square"):
        w7.samples(b"", size=(9, 9, 9))  # type: ignore[arg-type]
    assert next(w7.samples(b"(;SZ[9];B[aa])", np.int64(4), size=np.int64(9))).planes.shape[0] == 1


MOVE = '{"action":{"type":"move","value":{"color":1,"point":{"x":0,"y":0}}}}'
WEI7 = '{"format":"wei7","version":"3.0","size":9,"info":{INFO},"tree":{"steps":[' + MOVE + "]}}"
XML = '<wei7 version="2.2"><size>9</size><game>RULES</game><moves><black x="0" y="0"/></moves></wei7>'
KOMI = 5  # of the global inputs: of the player to move, divided by 20


@pytest.mark.parametrize(
    ("text", "komi"),
    [
        ("(;SZ[9]KM[6.5];B[aa])", 6.5),
        ("(;SZ[9]KM[375]RU[Chinese];B[aa])", 7.5),
        ("(;SZ[9]KM[650];B[aa])", 6.5),
        ("(;SZ[9]KM[50];B[aa])", 0.5),
        ("(;SZ[9]KM[3.75]RU[Chinese];B[aa])", 7.5),
        ("(;SZ[9]KM[3.75]RU[Japanese];B[aa])", 3.75),
        ("(;SZ[9]KM[-7];B[aa])", -7),
        ("(;SZ[9]KM[0];B[aa])", 0),
        ("(;SZ[9];KM[2.5]RU[Chinese]PB[a];B[aa])", 2.5),
        ("(;SZ[9]KM[1e1];B[aa])", 11),
        ("(;SZ[9]KM[1e400];B[aa])", 11),
        ("(;SZ[9];B[aa])", 11),
        (WEI7.replace("INFO", '"rules":{"komi":3.75,"type":"Chinese"}'), 7.5),
        (WEI7.replace("INFO", '"rules":{"komi":6.5,"scoring":"area"}'), 6.5),
        (WEI7.replace("INFO", '"rules":{"type":"Chinese"}'), 11),
        (XML.replace("RULES", '<rules komi="6.5"/>'), 6.5),
        (XML.replace("RULES", "<rules/>"), 0),
        (XML.replace("RULES", ""), 11),
    ],
)
def test_the_komi_is_that_of_the_metadata_in_points(text: str, komi: float) -> None:
    (batch,) = w7.samples([text.encode()] * 2, size=9, features="katago-v7", komi=11, shuffle=0)
    assert (batch.globals[:, KOMI] * -20).tolist() == pytest.approx([komi] * 2, abs=1e-5)
    stated = w7.replay(text.encode(), metadata=True)[0].komi
    assert stated == (None if komi == 11 else komi)


@pytest.mark.parametrize(
    ("root", "margin"),
    [("RE[B+1.25]RU[Chinese]", 2.5), ("RE[B+1.25]", 1.25), ("RE[B+1.5]RU[Chinese]", 1.5), ("RE[B+R]RU[Chinese]", None)],
)
def test_margins_in_stones_become_points(root: str, margin: float | None) -> None:
    records = [b"(;SZ[5];B[aa])", *(f"(;SZ[9]{at};B[aa])".encode() for at in (root, f";PB[a]{root}"))]
    (batch,) = w7.samples(records, size=9, shuffle=0)
    assert [one.item() for one in batch.margin] == pytest.approx([margin if margin else float("nan")] * 2, nan_ok=True)
