"""Measures what is promised of the speed and prints it as a table: `python -m benchmarks`, from the checkout.

It takes some minutes and 12 GB of disk for a while (TMPDIR names where); `--rows` measures only some lines, `--quick`
takes small inputs for whole processes, whose figures then mean little. Leave the machine alone during a run.
"""

from __future__ import annotations

import argparse
import datetime
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("benchmarks", "tests"))

import whole_process
from table import ROWS, UNITS, Figure, Row, lines_of, markdown_table, plain_table

import wei7core

ROOT = Path(__file__).resolve().parents[1]
QUICK_RECORDS = 2_000
PEERS = ("sgfmill", "orjson", "numpy", "pyarrow")

Figures = dict[tuple[str | None, str], Figure]


def pytest_figures(rows: list[Row], kernel: str | None) -> Figures:
    """Run the benchmarks of `rows`, all in one process that uses `kernel`, on one core; return what they measured."""
    names = sorted({name for row in rows for name in row.names})
    modules = sorted({f"benchmarks/{row.module}" for row in rows})
    environment = os.environ | ({"WEI7CORE_KERNEL": kernel} if kernel else {})
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *modules]
        command += [f"--named={name}" for name in names]
        command += [f"--benchmark-json={report}", "--benchmark-timer=time.process_time"]
        done = subprocess.run(command, cwd=ROOT, env=environment, stdout=sys.stderr, check=False)
        if done.returncode:
            print(f"benchmarks: pytest ended with status {done.returncode}", file=sys.stderr)
        if not report.exists() or not report.stat().st_size:
            return {}
        measured = json.loads(report.read_bytes())["benchmarks"]
    figures: Figures = {}
    for benchmark in measured:
        for unit in UNITS:
            if unit in benchmark["extra_info"]:
                figures[kernel, benchmark["name"]] = (benchmark["extra_info"][unit], unit)
    return figures


def all_figures(rows: list[Row], quick: bool) -> Figures:
    figures: Figures = {}
    for kernel in dict.fromkeys(row.kernel for row in rows):
        if chosen := [row for row in rows if row.module and row.kernel == kernel]:
            figures |= pytest_figures(chosen, kernel)
    keys = {row.key for row in rows}
    speed, large, memory = (bool(keys & some) for some in ({"whole", "jobs"}, {"jobs10"}, {"growth", "peak"}))
    if speed or large or memory:
        records = QUICK_RECORDS if quick else whole_process.GIGABYTE_RECORDS
        whole = whole_process.figures(speed=speed, large=large, memory=memory, records=records)
        figures |= {(None, name): figure for name, figure in whole.items()}
    return figures


def circumstances(quick: bool) -> list[str]:
    """Return the lines with the date, the machine and the versions of a measurement."""
    from samples import corpus

    build = wei7core.build_info()
    versions = []
    for peer in PEERS:
        try:
            versions.append(f"{peer} {importlib.metadata.version(peer)}")
        except importlib.metadata.PackageNotFoundError:
            versions.append(f"no {peer}")
    processor, wide = processor_name()
    games = "5,000 generated games" if corpus.folder() is None else "20,000 real games of the corpus"
    return [
        f"Measured on {datetime.datetime.now(datetime.timezone.utc):%Y-%m-%d} with: python -m benchmarks",
        f"{processor} ({platform.machine()}), {os.cpu_count()} processors; {wide}",
        f"{platform.system()}, Python {platform.python_version()}, {', '.join(versions)}",
        f"wei7core {build['version']}, {build['compiler']}, kernel {build['kernel']} of {build['kernels']}",
        f"{games}; whole processes write {whole_process.output_kind()}" + "; QUICK: of small inputs" * quick,
    ]


def processor_name() -> tuple[str, str]:
    """Return the name of the processor, and which of AVX-512 it has."""
    fields: dict[str, str] = {}
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            fields.setdefault(name.strip(), value.strip())
    except OSError:
        return platform.processor() or "unknown processor", "what it has of AVX-512 is not known"
    wide = sorted(flag for flag in fields.get("flags", "").split() if flag.startswith("avx512"))
    return fields.get("model name", "unknown processor"), " ".join(wide) or "no AVX-512"


def main() -> int:
    keys = [row.key for row in ROWS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--rows", nargs="+", choices=keys, default=keys, metavar="ROW", help=f"some of {' '.join(keys)}"
    )
    parser.add_argument("--quick", action="store_true", help="small inputs for whole processes")
    parser.add_argument("--markdown", action="store_true", help="print it as docs/performance.md shows it")
    args = parser.parse_args()
    rows = [row for row in ROWS if row.key in args.rows]
    lines = lines_of(rows, all_figures(rows, args.quick))
    table = markdown_table if args.markdown else plain_table
    print("\n".join(circumstances(args.quick)), table(lines), sep="\n\n")
    return 0 if all(line.met for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main())
