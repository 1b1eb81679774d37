"""How fast is wei7 JSON decoded? From bytes to a Record, against general JSON decoders.

Ours also checks every clause that needs no board; msgspec checks names and types, the others only the JSON. Each
decoder's moves are compared with the games before it is timed.

    python -m pytest benchmarks/test_decode.py --benchmark-timer=time.process_time
"""

from __future__ import annotations

import functools
import gc
import json
from collections.abc import Callable, Iterator
from typing import Any

import games
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from samples import corpus

from wei7core.formats.wei7.decode import decode

GAMES = 4_000
ROUNDS = 5

Decoder = tuple[Callable[[bytes], Any], Callable[[Any], list[corpus.Move]]]


def wei7core_decoder() -> Decoder:
    return decode, lambda record: games.moves_of_columns(record.steps)


def json_decoder() -> Decoder:
    return json.loads, games.moves_of


def orjson_decoder() -> Decoder:
    orjson = pytest.importorskip("orjson")
    return orjson.loads, games.moves_of


def msgspec_decoder() -> Decoder:
    msgspec = pytest.importorskip("msgspec")
    point = msgspec.defstruct("Point", [("x", int), ("y", int)])
    value = msgspec.defstruct("Value", [("color", int), ("point", point | None)])
    action = msgspec.defstruct("Action", [("type", str), ("value", value)])
    step = msgspec.defstruct("Step", [("action", action)])
    tree = msgspec.defstruct("Tree", [("steps", list[step])])
    members = [("format", str), ("version", str), ("size", int), ("info", dict[str, Any]), ("tree", tree)]
    return msgspec.json.Decoder(msgspec.defstruct("Document", members)).decode, moves_of_structs


def moves_of_structs(document: Any) -> list[corpus.Move]:
    values = [step.action.value for step in document.tree.steps]
    return [(value.color, None if value.point is None else (value.point.x, value.point.y)) for value in values]


def pysimdjson_decoder() -> Decoder:
    """To its own tape: values and Python objects are made when they are asked for, which is not timed."""
    simdjson = pytest.importorskip("simdjson")
    return simdjson.Parser().parse, lambda document: games.moves_of(document.as_dict())


DECODERS = {
    "wei7core": wei7core_decoder,
    "json": json_decoder,
    "orjson": orjson_decoder,
    "msgspec": msgspec_decoder,
    "pysimdjson": pysimdjson_decoder,
}


@functools.cache
def texts(shape: str) -> list[bytes]:
    return [games.WEI7_TEXTS[shape](game) for game in games.all_games().first(GAMES).games]


@pytest.fixture(scope="module")
def timings(summary: list[str]) -> Iterator[dict[tuple[str, str], float]]:
    """Collect megabytes a second by shape and decoder; print a comparison at the end."""
    timings: dict[tuple[str, str], float] = {}
    yield timings
    for (shape, name), speed in timings.items():
        ours = timings.get((shape, "wei7core"))
        times = f", wei7core is {ours / speed:.1f} times as fast" if ours and name != "wei7core" else ""
        summary.append(f"decode {shape} text with {name}: {speed:.0f} MB/s{times}")


@pytest.mark.parametrize("name", DECODERS)
@pytest.mark.parametrize("shape", games.WEI7_TEXTS)
def test_decode(benchmark: BenchmarkFixture, timings: dict[tuple[str, str], float], shape: str, name: str) -> None:
    decoder, moves = DECODERS[name]()
    chosen = texts(shape)
    for game, text in zip(games.all_games().games, chosen, strict=False):
        assert moves(decoder(text)) == game.moves
    benchmark.extra_info["correct"] = True

    def work() -> None:
        for text in chosen:
            decoder(text)

    gc.collect()
    gc.freeze()  # the games held here must not slow down the decoders whose objects have the collector at work
    benchmark.pedantic(work, rounds=ROUNDS, warmup_rounds=1)
    gc.unfreeze()
    if seconds := games.best_seconds(benchmark):
        timings[shape, name] = sum(map(len, chosen)) / seconds / 1e6
        benchmark.extra_info["megabytes_per_second"] = timings[shape, name]
