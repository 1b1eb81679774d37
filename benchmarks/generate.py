"""Makes N distinct records, for runs of millions: `python -m benchmarks.generate N OUT`.

OUT is `-` for standard output, or named for what it holds:

    records.jsonl    a record a line (wei7 and wei7-annotated)
    records.sgf      a collection (sgf)
    records.tar      a file for each record (all shapes; what - gets of wei7-indented, whose records are many lines)
    records/         a folder of folders of a thousand files (all shapes)

and any of the first three with .gz or .zst after it. Memory stays flat, and the same arguments give the same bytes.
The games are those of the corpus (see tests/corpus.py) or random ones, in variations (`variations.py`).
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import importlib
import io
import itertools
import sys
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import IO

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("benchmarks", "tests"))

from layouts import LAYOUTS
from samples import corpus
from variations import SHORTEST, all_different, corpus_games, random_games, variations

POOL = 20_000
RANDOM_POOL = 5_000
FILES_A_FOLDER = 1_000
BUFFER = 1 << 20

Record = tuple[str, bytes]
"""The id of a record, and its bytes."""


def records(
    count: int, shape: str = "wei7", *, source: str = "corpus", seed: int = 1, longest: int | None = None
) -> Iterator[Record]:
    """Yield `count` distinct records; raise `ValueError` where there are not so many."""
    pool = corpus_games(min(count, POOL)) if source == "corpus" else random_games(min(count, RANDOM_POOL), seed)
    games = all_different(pool)
    layout = LAYOUTS[shape]
    missing = count
    for variation in itertools.islice(variations(games, seed, longest), count):
        yield variation.id, layout(variation)
        missing -= 1
    if missing:
        raise ValueError(f"there are only {count - missing} distinct records, not {count}: no corpus, or cut too short")


@contextlib.contextmanager
def opened(out: str) -> Iterator[IO[bytes]]:
    """Open `out` to write to, through the compression that its suffix names."""
    with contextlib.ExitStack() as stack:
        if out == "-":
            enlarge_pipe(sys.stdout.fileno())
            file: IO[bytes] = stack.enter_context(open(sys.stdout.fileno(), "wb", buffering=BUFFER, closefd=False))
        else:
            file = stack.enter_context(open(out, "wb", buffering=BUFFER))
        if out.endswith(".gz"):
            zipped = gzip.GzipFile("", "wb", compresslevel=1, fileobj=file, mtime=0)
            file = stack.enter_context(io.BufferedWriter(zipped, BUFFER))
        elif out.endswith(".zst"):
            file = stack.enter_context(zstd().open(file, "wb"))
        yield file


def zstd() -> ModuleType:
    for name in ("compression.zstd", "backports.zstd"):
        with contextlib.suppress(ImportError):
            return importlib.import_module(name)
    raise ValueError("zstd needs another package: pip install 'wei7core[zstd]'")


def enlarge_pipe(descriptor: int) -> None:
    """Let a pipe hold a whole buffer, where the system can and descriptor is one."""
    with contextlib.suppress(ImportError, AttributeError, OSError):
        fcntl = importlib.import_module("fcntl")
        fcntl.fcntl(descriptor, fcntl.F_SETPIPE_SZ, BUFFER)


def write_lines(made: Iterable[Record], file: IO[bytes]) -> None:
    for _, text in made:
        file.write(text)
        file.write(b"\n")


def write_tar(made: Iterable[Record], file: IO[bytes], suffix: str) -> None:
    """What tarfile does, without its copy of every member in small parts."""
    for name, text in made:
        member = tarfile.TarInfo(f"{name}{suffix}")
        member.size = len(text)
        file.write(member.tobuf(tarfile.USTAR_FORMAT))
        file.write(text)
        file.write(bytes(-len(text) % tarfile.BLOCKSIZE))
    file.write(bytes(2 * tarfile.BLOCKSIZE))


def write_folder(made: Iterable[Record], out: Path, suffix: str) -> None:
    out.mkdir(parents=True)
    for number, (name, text) in enumerate(made):
        folder = out / f"{number // FILES_A_FOLDER:05}"
        if number % FILES_A_FOLDER == 0:
            folder.mkdir()
        (folder / f"{name}{suffix}").write_bytes(text)


def write_records(made: Iterable[Record], out: str, shape: str) -> None:
    """Write records to `out`, which is named for what it holds; raise `ValueError` for what cannot hold them."""
    suffix = ".sgf" if shape == "sgf" else ".wei7"
    lines = {"sgf": ".sgf", "wei7-indented": None}.get(shape, ".jsonl")
    kind = Path(out.removesuffix(".gz").removesuffix(".zst")).suffix
    if out == "-":
        kind = lines or ".tar"
    if not kind:
        write_folder(made, Path(out), suffix)
        return
    if kind not in (lines, ".tar"):
        raise ValueError(f"{out}: {shape} goes to {lines or '.tar'}, .tar or a folder")
    with opened(out) as file:
        if kind == ".tar":
            write_tar(made, file, suffix)
        else:
            write_lines(made, file)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.generate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("count", type=int, metavar="N", help="number of records")
    parser.add_argument("out", metavar="OUT")
    parser.add_argument("--shape", choices=LAYOUTS, default="wei7")
    parser.add_argument("--from", dest="source", choices=("corpus", "random"), help="default: the corpus if it is here")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moves", type=int, metavar="N", help=f"cut games to so many moves, {SHORTEST} at least")
    args = parser.parse_args()
    source = args.source or ("random" if corpus.folder() is None else "corpus")
    size = 0

    def counted() -> Iterator[Record]:
        nonlocal size
        for name, text in records(args.count, args.shape, source=source, seed=args.seed, longest=args.moves):
            size += len(text)
            yield name, text

    try:
        write_records(counted(), args.out, args.shape)
    except BrokenPipeError:
        return 141
    except (ValueError, OSError) as error:
        print(f"generate: {error}", file=sys.stderr)
        return 2
    print(f"generate: {args.count} records, {size} bytes, seed {args.seed}, {source} games", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
