"""SGF texts damaged at random, for tests that nothing but the package's own errors comes out of them.

Run as a program it makes as many mutations as its argument asks: `cd tests; python -m samples.sgf_mutations 500000`.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import wei7core as w7
from samples import corpus

TESTS = Path(__file__).resolve().parents[1]
LARGEST = 40_000
PIECES = [
    *(b"(;", b"(", b")", b";", b"[", b"]", b"\\", b"]\\", b":", b"[]", b"\n", b"\x00", b"\xff", b"\x81]", b"\xe3\x81"),
    *(b"(;FF[4]", b"GM[2]", b"SZ[52]", b"SZ[1]", b"SZ[9:5]", b"SZ[0]", b"SZ[99999999999]", b"CA[gb2312]", b"CA[big5]"),
    *(b"CA[sjis]", b"CA[utf-16]", b"CA[rot13]", b"AB[aa:ss]", b"AW[aa]", b"AE[aa:ss]", b"B[tt]", b"W[]", b"B[zz]"),
    *(b";B[aa]W[aa]", b"Black[dd]", b"LB[aa:", b"TR[aa:zz]", b"KM[6.5]", b"C[\\", b"PL[W]", b"MN[-1]", b"\xfe\xff"),
]


def seeds() -> list[bytes]:
    """Shipped examples, and the corpus files where they are, those that are not too long."""
    paths = [
        *sorted((TESTS / "data" / "examples" / "sgf").glob("*.sgf")),
        *sorted((TESTS / "data" / "sgf").glob("*.sgf")),
    ]
    folder = corpus.folder()
    if folder is not None:
        paths += sorted((folder / "ai-sgf").glob("*.sgf"))
    texts = (path.read_bytes() for path in paths)
    return [text for text in texts if len(text) <= LARGEST]


def mutated(chance: random.Random, text: bytes) -> bytes:
    """Change, drop, double, move, cut or insert a few bytes."""
    data = bytearray(text)
    for _ in range(chance.randint(1, 5)):
        begin = chance.randrange(len(data) + 1)
        end = min(len(data), begin + chance.randint(1, 30))
        what = chance.randrange(8)
        if what == 0 and begin < len(data):
            data[begin] ^= 1 << chance.randrange(8)
        elif what == 1 and begin < len(data):
            data[begin] = chance.randrange(256)
        elif what == 2:
            del data[begin:end]
        elif what == 3:
            data[begin:begin] = data[begin:end] * chance.randint(1, 3)
        elif what == 4:
            piece = bytes(data[begin:end])
            del data[begin:end]
            place = chance.randrange(len(data) + 1)
            data[place:place] = piece
        elif what == 5 and chance.random() < 0.3:
            del data[begin:]
        else:
            data[begin:begin] = chance.choice(PIECES)
    return bytes(data)


def read_in_every_way(data: bytes, *, thoroughly: bool) -> None:
    """Read, replay and write `data`; whatever is not an error of the package comes out as an exception."""
    results = w7.replay(data)
    assert len(results) >= 1
    if not thoroughly:
        return
    with suppress(w7.Wei7Error):
        w7.loads(data)
    try:
        games = list(w7.loads_all(data, strict=False))
    except w7.RecordError:
        return
    for game in games:
        assert [problem.offset for problem in game.problems] == sorted(problem.offset for problem in game.problems)
        moves = sum(1 for _ in game.walk()) if game.size[0] else 0
        again = None
        try:
            written = w7.dumps(game, format="sgf", validate=False, losses=[])
            again = w7.loads(written, strict=False) if game.format == "sgf" else None
            w7.dumps(game, validate=False, losses=[])
        except (w7.Wei7Error, ValueError) as error:
            assert type(error).__module__.startswith("wei7core") or "convert" in str(error), error
        if again is not None and not game.problems:
            assert sum(1 for _ in again.walk()) == moves


def mutations(count: int, seed: int) -> Iterator[bytes]:
    """Yield `count` damaged texts; the same ones for the same seed."""
    chance = random.Random(seed)
    texts = seeds()
    for _ in range(count):
        yield mutated(chance, chance.choice(texts))


def main() -> None:
    """Run as many mutations as the first argument asks for, the second being the seed."""
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    warnings.simplefilter("ignore")
    for number, data in enumerate(mutations(count, seed)):
        try:
            read_in_every_way(data, thoroughly=number % 10 == 0)
        except BaseException:
            Path("mutation.sgf").write_bytes(data)
            print(f"mutation {number} of seed {seed} is in mutation.sgf", file=sys.stderr)
            raise
    print(f"{count} mutations of {len(seeds())} texts")


if __name__ == "__main__":
    main()
