"""The fuzz targets of `tests/fuzz`, on their seeds and on inputs that once broke something; `ci/fuzz` continues with
those in C, `tests/fuzz/surface.py` with that in Python.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from helpers import native

FUZZ = Path(__file__).resolve().parents[1] / "fuzz"
sys.path.insert(0, str(FUZZ))
try:
    from corpora import seeds
finally:
    sys.path.remove(str(FUZZ))

SEEDS = seeds()


def compile_with(*arguments):
    """Call the C compiler as for a fuzz target."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"the C compiler {compiler[0]} is not installed")
    native.require_headers()
    # Without optimisation: the few seeds take less time than that would.
    command = [*compiler, "-std=c11", "-O0", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror"]
    command += ["-I", str(native.headers()), "-I", str(FUZZ), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)


@pytest.mark.skipif(os.name != "posix", reason="calls a compiler as on Unix")
def test_a_target_calls_the_headers_as_they_are():
    """The quick suite sees this of one target; that each is compiled without a warning, the next test sees."""
    done = compile_with("-fsyntax-only", str(FUZZ / "board.c"))
    assert (done.returncode, done.stderr) == (0, "")


# One program under two names, as in `ci/fuzz`.
PROGRAMS = {"board": ["board"], "records": ["sgf", "wei7"], "split": ["split"]}


def test_every_target_has_a_program():
    assert sorted(target for targets in PROGRAMS.values() for target in targets) == sorted(SEEDS)


@pytest.mark.exhaustive
@pytest.mark.skipif(os.name != "posix", reason="calls a compiler as on Unix")
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_target_claims_holds_for_its_seeds(tmp_path, program):
    targets = PROGRAMS[program]
    made = tmp_path / "made"
    flags = ["-DHAS_NAMES"] * (len(targets) > 1)
    done = compile_with(*flags, str(FUZZ / f"{program}.c"), str(FUZZ / "run_files.c"), "-o", str(made))
    assert (done.returncode, done.stderr) == (0, "")
    for target in targets:
        os.link(made, tmp_path / target)
        names = []
        for number, data in enumerate(SEEDS[target]):
            names.append(str(tmp_path / f"{target}-{number}"))
            Path(names[-1]).write_bytes(data)
        command = [str(tmp_path / target), *names]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        assert (done.returncode, done.stderr, done.stdout) == (0, "", f"{len(names)} inputs\n")
        assert len(names) > 10


@pytest.mark.exhaustive
def test_the_python_surface_takes_damaged_records_of_every_format():
    command = [sys.executable, str(FUZZ / "surface.py"), "400"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("400 mutations: ")
    assert all(
        f"{format} " in done.stdout for format in ("any", "wei7", "wei7-2.2", "sgf", "giseong", "gib", "ngf", "ugf")
    )
