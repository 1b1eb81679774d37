"""Millions of records through the command line, from the generator by a pipe: `python -m benchmarks.scale N ...`.

For each N it prints what went in and came out, the rate and the peak memory of `wei7core replay`, and how much of the
time the generator was at work: where that is most of it, the generator is what was measured.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.extend(str(Path(__file__).resolve().parents[1] / folder) for folder in ("benchmarks", "tests"))

from layouts import LAYOUTS
from whole_process import COMMAND, Run, Running, generate_command, output_kind, row_count

RECORDS = (1_000_000, 10_000_000)


def piped(count: int, shape: str, jobs: int, output: Path) -> tuple[Run, Run]:
    """Return what the generator and `wei7core replay` took; raise `RuntimeError` if either fails."""
    generator = Running(generate_command(count, "-", shape), stdout=subprocess.PIPE)
    replay = Running([*COMMAND, "-", "-o", str(output), "--jobs", str(jobs)], stdin=generator.process.stdout)
    generator.process.stdout.close()  # else the generator would not learn that its reader has gone
    replayed = replay.wait()
    return generator.wait(), replayed


def report(count: int, shape: str, jobs: int) -> str:
    with tempfile.TemporaryDirectory(prefix="wei7core-") as name:
        output = Path(name) / f"rows{output_kind()}"
        generated, replayed = piped(count, shape, jobs, output)
        written = output.stat().st_size
        if (rows := row_count(output)) != count:
            raise RuntimeError(f"{rows} rows written, not {count}")
    read = int(generated.stderr.split(" bytes")[0].split()[-1])
    seconds = replayed.seconds
    return "\n".join(
        (
            f"{count:,} records of {shape}, --jobs {jobs}: {seconds:.1f} s, {count / seconds:,.0f} records/s, "
            f"{read / seconds / 1e6:,.0f} MB/s",
            f"    read {read / 1e9:.2f} GB, wrote {written / 1e6:,.1f} MB of {output.suffix}; peak memory "
            f"{replayed.peak / 1e6:.0f} MB; processor {replayed.processor_seconds:.1f} s, generator "
            f"{generated.processor_seconds:.1f} s and {generated.peak / 1e6:.0f} MB",
            f"    {replayed.stderr.strip().splitlines()[-1]}",
        )
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("counts", nargs="*", type=int, default=RECORDS, metavar="N", help="default: 1 and 10 million")
    parser.add_argument("--shape", choices=LAYOUTS, default="wei7")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    for count in args.counts:
        print(report(count, args.shape, args.jobs), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
