"""How much do more threads help? Steps of batches and samples of records, on 1, 2, 4, .. threads; copies to a GPU.

    python3 setup.py build_ext --inplace -j 16
    PYTHONPATH=src python3 benchmarks/scaling.py [--rows step samples copies] [--threads 1 8 16]

Wall-clock time, the best of several rounds; nothing else may run. Needs the package and NumPy; copies to a graphics
processor are measured where PyTorch finds one. The games are random ones that the batch itself plays.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import wei7core as w7

SIZE = 19
PASS = SIZE * SIZE
PLANES = 17 * SIZE * SIZE
ROUNDS = 3
STEPS = 240
COPIES = 50
LETTERS = "abcdefghijklmnopqrs"


def main() -> None:
    """Print a line for each measurement."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", choices=sorted(_ROWS), default=sorted(_ROWS), help="what is measured")
    parser.add_argument("--threads", type=int, nargs="+", default=doubled(os.cpu_count() or 1), help="1 comes first")
    parser.add_argument("--boards", type=int, nargs="+", default=[1_024, 4_096, 16_384], help="of a batch")
    parser.add_argument("--games", type=int, default=10_000, help="that samples are made of")
    arguments = parser.parse_args()
    print(f"{processor()}, {os.cpu_count()} processors, Python {platform.python_version()}, NumPy {np.__version__}")
    for row in arguments.rows:
        _ROWS[row](arguments)


def doubled(most: int) -> list[int]:
    """1, 2, 4, .. and `most`."""
    counts = [1]
    while counts[-1] < most:
        counts.append(min(2 * counts[-1], most))
    return counts


def report_steps(arguments: argparse.Namespace) -> None:
    """Steps of batches of several sizes, with the mask, and with planes in addition."""
    for n in arguments.boards:
        actions = played(n, STEPS)
        for planes in (False, True):
            name = f"step, n = {n:,}, mask{' and planes' if planes else ''}"
            report(name, arguments.threads, lambda jobs, a=actions, p=planes: steps_per_second(a, p, jobs))


def report_samples(arguments: argparse.Namespace) -> None:
    """Rows of records of two formats."""
    with tempfile.TemporaryDirectory() as folder:
        for path, moves in records(Path(folder), arguments.games):
            report(
                f"samples of {path.suffix[1:]}",
                arguments.threads,
                lambda jobs, p=path, m=moves: rows_per_second(p, m, jobs),
            )


def processor() -> str:
    """The model of the processor, where the system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def report(name: str, counts: list[int], rate: Callable[[int], float]) -> None:
    """Print the rates on each number of threads, and how they compare with one."""
    rates = {jobs: rate(jobs) for jobs in counts}
    parts = [f"{jobs}: {found:,.0f} ({found / rates[1]:.2f})" for jobs, found in rates.items()]
    print(f"{name}: {', '.join(parts)} a second", flush=True)


def best(work: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> float:
    """Seconds of the quickest of several rounds, after one that is not counted."""
    seconds = []
    for _ in range(ROUNDS + 1):
        prepare()
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds[1:])


# --- steps -------------------------------------------------------------------------------------------


def played(n: int, steps: int) -> npt.NDArray[np.int32]:
    """Random legal moves of n games, step by step."""
    generator = np.random.default_rng(1)
    batch = w7.BoardBatch(n, SIZE, rules="tromp-taylor", komi=7.5, jobs=os.cpu_count() or 1)
    actions = np.empty((steps, n), np.int32)
    for step in range(steps):
        # A random number for each point would take more time than all that is measured.
        legal = batch.legal[:, :-1]
        shift = int(generator.integers(PASS))
        start = (np.arange(n) * 97 + shift) % PASS
        turned = legal[np.arange(n)[:, None], (start[:, None] + np.arange(PASS)) % PASS]
        actions[step] = np.where(turned.any(axis=1), (start + turned.argmax(axis=1)) % PASS, PASS)
        batch.step(actions[step])
        assert not batch.errors.any()
    return actions


def steps_per_second(actions: npt.NDArray[np.int32], planes: bool, jobs: int) -> float:
    """Steps with the mask of legal moves by superko and with automatic reset."""
    n = actions.shape[1]
    batch = w7.BoardBatch(n, SIZE, rules="tromp-taylor", komi=7.5, jobs=jobs)
    legal = np.empty((n, PASS + 1), np.bool_)
    rows = np.empty((n, 17, SIZE, SIZE), np.uint8) if planes else None

    def work() -> None:
        for moves in actions:
            batch.step(moves, legal=legal, planes=rows)

    return actions.size / best(work, batch.reset)


# --- samples -----------------------------------------------------------------------------------------


def records(folder: Path, games: int) -> Iterator[tuple[Path, int]]:
    """Files of random games of 200 moves, with the number of all moves."""
    actions = played(min(games, 2_000), 200).T.tolist()
    texts = [(sgf_text(moves), wei7_text(moves)) for moves in actions]
    for kind, suffix in enumerate((".sgf", ".jsonl")):
        path = folder / f"games{suffix}"
        with path.open("w", encoding="ascii") as file:
            for _ in range(-(-games // len(texts))):
                file.writelines(text[kind] for text in texts)
        yield path, -(-games // len(texts)) * len(texts) * 200


def sgf_text(moves: list[int]) -> str:
    """A game as a line of SGF."""
    points = ("" if move == PASS else LETTERS[move % SIZE] + LETTERS[move // SIZE] for move in moves)
    steps = "".join(f";{'WB'[k % 2 == 0]}[{point}]" for k, point in enumerate(points))
    return f"(;GM[1]FF[4]SZ[{SIZE}]RE[B+3.5]{steps})\n"


def wei7_text(moves: list[int]) -> str:
    """A game as a line of wei7."""
    steps = []
    for k, move in enumerate(moves):
        point = None if move == PASS else {"x": move % SIZE, "y": move // SIZE}
        steps.append({"action": {"type": "move", "value": {"color": 1 + k % 2, "point": point}}})
    game = {"format": "wei7", "version": "3.0", "size": SIZE, "tree": {"steps": steps}}
    return json.dumps(game, separators=(",", ":")) + "\n"


def rows_per_second(path: Path, moves: int, jobs: int) -> float:
    """Rows with planes, policy, value, a random symmetry, shuffled."""

    def work() -> None:
        assert sum(len(batch) for batch in w7.samples(path, jobs=jobs)) == moves

    return moves / best(work)


# --- copies to a graphics processor ------------------------------------------------------------------


def report_copies(arguments: argparse.Namespace) -> None:
    """Rows of 17 planes of bytes a second into tensors of the graphics processor."""
    try:
        import torch
    except ImportError:
        print("copies: PyTorch is not installed")
        return
    if not torch.cuda.is_available():
        print(f"copies: PyTorch {torch.__version__} finds no graphics processor")
        return
    print(f"copies: {torch.cuda.get_device_name()}, PyTorch {torch.__version__}")
    for n in (1_024, 16_384):
        report_copies_of(n, COPIES, torch)
    rows = 0
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path, moves_of_all = next(records(Path(folder), arguments.games))
        for _ in range(2):
            start, rows = time.perf_counter(), 0
            for made in w7.samples(path, jobs=os.cpu_count() or 1):
                torch.from_numpy(made.planes).to("cuda", non_blocking=True)
                rows += len(made)
            torch.cuda.synchronize()
        assert rows == moves_of_all
    print(f"copies, samples of sgf into tensors: {rows / (time.perf_counter() - start):,.0f} rows a second")


def report_copies_of(n: int, repeats: int, torch: Any) -> None:
    """The planes of n boards, from memory of several kinds."""
    pinned = torch.empty((n, 17, SIZE, SIZE), dtype=torch.uint8, pin_memory=True)
    plain = torch.empty((n, 17, SIZE, SIZE), dtype=torch.uint8)
    target = torch.empty_like(plain, device="cuda")
    rows = pinned.numpy()
    batch = w7.BoardBatch(n, SIZE, rules="tromp-taylor", jobs=os.cpu_count() or 1)
    batch.step(np.arange(n, dtype=np.int32) % PASS)

    def copy(source: Any) -> None:
        for _ in range(repeats):
            target.copy_(source, non_blocking=True)
        torch.cuda.synchronize()

    def fill() -> None:
        for _ in range(repeats):
            batch.planes(out=rows)

    def fill_and_copy() -> None:
        for _ in range(repeats):
            batch.planes(out=rows)
            target.copy_(pinned, non_blocking=True)
            torch.cuda.synchronize()

    for name, work in (
        ("from pinned memory", lambda: copy(pinned)),
        ("from other memory", lambda: copy(plain)),
        ("written by the batch, not copied", fill),
        ("written to pinned memory, then copied", fill_and_copy),
    ):
        rate = n * repeats / best(work)
        print(f"copies, n = {n:,}, {name}: {rate:,.0f} rows a second, {rate * PLANES / 1e9:.1f} GB/s", flush=True)
    assert (target.cpu().numpy() == batch.planes()).all()


_ROWS: dict[str, Callable[[argparse.Namespace], None]] = {
    "copies": report_copies,
    "samples": report_samples,
    "step": report_steps,
}


if __name__ == "__main__":
    main()
