"""What must be the same, byte for byte, on every platform and in every release: hashes, columns, files.

`cd tests; python -m helpers.golden` prints the lines of tests/data/golden.txt. A line that changes breaks what people
have stored: only a new line needs no reason.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy.typing as npt

import wei7core as w7

DATA = Path(__file__).resolve().parents[1] / "data"
GOLDEN = DATA / "golden.txt"

SIZES = [(1, 1), (2, 1), (5, 5), (9, 9), (13, 13), (19, 19), (7, 30), (25, 25), (26, 3), (37, 37), (62, 9), (70, 41)]
# Where the encoding is not written in the text a guess is made, which differs with what is installed.
SOURCES = [
    *sorted(DATA.glob("examples/rev?/*.wei7")),
    *sorted(path for path in DATA.glob("examples/sgf/*.sgf") if path.stem != "no-charset"),
    *sorted(DATA.glob("examples/giseong/*.utf8.txt")),
    *sorted(DATA.glob("sgf/*.sgf")),
    *sorted(DATA.glob("wei7-2.2/*.wei7")),
]
FORMATS = ("wei7", "wei7-rev2", "wei7-2.2", "sgf", "giseong")


def digest(data: bytes) -> str:
    """Return the beginning of the SHA-256 of `data`."""
    return hashlib.sha256(data).hexdigest()[:24]


def stored(array: npt.NDArray[Any]) -> bytes:
    """Return the values of an array as they are stored: least byte first."""
    return array.astype(array.dtype.newbyteorder("<")).tobytes()


def random_numbers(seed: int) -> Iterator[int]:
    """Yield numbers that are the same everywhere."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        yield seed >> 33


def played(width: int, height: int) -> w7.Board:
    """Return a board on which two colours have played at random, some points twice and captures among them."""
    board = w7.Board(width, height)
    numbers = random_numbers(width * 1000 + height)
    for _ in range(min(2 * width * height, 900)):
        point = next(numbers) % width, next(numbers) % height
        if board[point] == w7.EMPTY:
            board.play(1 + next(numbers) % 2, point)
    return board


def board_lines() -> Iterator[str]:
    """Yield hashes of boards and the columns of their children."""
    positions = []
    for size in SIZES:
        board = played(*size)
        positions.append(board.position(w7.BLACK))
        name = "board {}x{}".format(*size)
        yield f"{name} hash {board.hash:016x} {board.canonical_hash:016x}"
        yield f"{name} captured {board.black_captured} {board.white_captured}"
        yield f"{name} packed {digest(board.position().packed)}"
        children = board.children(w7.WHITE, rules="chinese")
        columns = [getattr(children, name) for name in ("legal", "reason", "captured", "lost", "hash", "self_atari")]
        yield f"{name} children {digest(b''.join(map(stored, columns)))}"
    for column, array in w7.expand(positions, rules="japanese").to_numpy().items():
        yield f"expand {column} {array.dtype.name} {digest(stored(array))}"
    planes = w7.to_planes([played(19, 19), played(19, 19)], w7.BLACK)
    yield f"planes {planes.dtype.name} {planes.shape} {digest(stored(planes))}"


def unpacked(path: Path) -> bytes:
    """Return the content of a zip archive, but for how well it is compressed, which is the matter of a library."""
    with zipfile.ZipFile(path) as archive:
        members = [(member.filename, member.create_system, archive.read(member)) for member in archive.infolist()]
    return b"".join(f"{name} {system} ".encode() + data for name, system, data in members)


def table_lines(folder: Path) -> Iterator[str]:
    """Yield digests of the files that a batch of records makes."""
    results = w7.replay([path.read_bytes() for path in SOURCES], positions=True)
    assert results.positions is not None
    for name, table in (("rows", results), ("positions", results.positions)):
        for suffix in ("csv", "jsonl", "npz"):
            path = folder / f"{name}.{suffix}"
            getattr(table, f"to_{suffix}")(path)
            yield f"{name}.{suffix} {digest(unpacked(path) if suffix == 'npz' else path.read_bytes())}"


def row_lines() -> Iterator[str]:
    """Yield what `ci/harness` also prints: the ends of main lines, of files with one record."""
    for source in SOURCES:
        revision = 2 if "rev2" in source.parts else 7
        (row, *others) = w7.replay([source.read_bytes()], revision=revision)
        if not others:
            size, counts = f"{row.width}x{row.height}", f"{row.moves} {row.passes} {row.takebacks}"
            hashes = f"{row.hash:016x} {row.canonical_hash:016x}"
            name = source.relative_to(DATA).as_posix()
            yield f"row {name} {size} {counts} {row.black_captured} {row.white_captured} {hashes}"


def finding_lines() -> Iterator[str]:
    """Yield a digest of what is found wrong with all records."""
    found = w7.check(path.read_bytes() for path in SOURCES)
    places = [f"{row.code} {row.source} {row.record} {row.branch} {row.move_number} {row.offset}" for row in found]
    yield f"findings {len(places)} {digest(' '.join(places).encode())}"


def file_lines() -> Iterator[str]:
    """Yield digests of each record, written in each format, and of what is lost by that."""
    for source in SOURCES:
        name = source.relative_to(DATA).as_posix()
        for number, game in enumerate(w7.loads_all(source.read_bytes(), strict=False)):
            problems = [f"{problem.code} {problem.offset} {problem.path}" for problem in game.problems]
            yield f"{name} {number} problems {len(problems)} {digest(' '.join(problems).encode())}"
            for format in FORMATS:
                losses: list[w7.Loss] = []
                try:
                    data = w7.dumps(game, format=format, losses=losses, validate=False)
                except ValueError as error:
                    yield f"{name} {number} {format} {type(error).__name__}"
                else:
                    yield f"{name} {number} {format} {len(losses)} {digest(data)}"


def lines() -> Iterator[str]:
    """Yield all lines."""
    yield from board_lines()
    with tempfile.TemporaryDirectory() as folder:
        yield from table_lines(Path(folder))
    yield from row_lines()
    yield from finding_lines()
    yield from file_lines()


if __name__ == "__main__":
    # Standard output of a process of its own.
    sys.stdout.reconfigure(encoding="utf-8", newline="\n")  # type: ignore[union-attr]
    for line in lines():
        print(line)
