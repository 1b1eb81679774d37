"""Builds the extensions of `tests/data` against the wei7core that is imported."""

from __future__ import annotations

import atexit
import functools
import importlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from pathlib import Path
from types import ModuleType

import pytest

import wei7core
from helpers.effort import is_quick

DATA = Path(__file__).resolve().parents[1] / "data"
PACKAGE = Path(wei7core.__file__).resolve().parent
BUILDS = "WEI7CORE_TEST_BUILDS"
SOURCE = DATA.parents[1] / "src" / "wei7core"


def environment() -> dict[str, str]:
    """Return an environment in which a new Python imports the same wei7core."""
    package_parent = str(PACKAGE.parent)
    paths = [package_parent, os.environ.get("PYTHONPATH", "")]
    # The compiler takes longer to optimise than all examples take without it; where times are measured, CFLAGS is set.
    flags = {} if "CFLAGS" in os.environ else {"CFLAGS": "-O0" if is_quick() else "-O1"}
    found = {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "WEI7CORE_HEADERS": str(headers())}
    return {**os.environ, **flags, **found}


def headers() -> Path:
    """Return the folder of all headers of the package; an installed one has those that others may cimport, no more."""
    return SOURCE if SOURCE.is_dir() else Path(wei7core.get_include())


def require_headers() -> None:
    """Skip the test where headers of the inside are not there."""
    if not (headers() / "batch" / "engine.h").exists():
        pytest.skip("the headers are in the source tree and the sdist, which are not here")


def require_compiler() -> None:
    """Skip the test where there is no C compiler; Windows has its own way to find one."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cl").split()[0]
    if sys.platform != "win32" and shutil.which(compiler) is None:
        pytest.skip(f"the C compiler {compiler} is not installed")


def build(example: str, folder: Path, environment: dict[str, str]) -> None:
    """Build the extension of `tests/data/<example>` in a folder, from a copy of its sources."""
    shutil.copytree(DATA / example, folder, dirs_exist_ok=True)
    done = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=folder,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@functools.cache
def built(example: str) -> Path:
    """Return a folder with the extension of `tests/data/<example>`, built once for all processes of a run of tests."""
    require_compiler()
    if example != "cimport":
        require_headers()
    shared = shared_folder() / example
    if not shared.exists():
        own = Path(tempfile.mkdtemp(dir=shared.parent))
        how = environment()
        if example.startswith("short_") and "CFLAGS" not in os.environ:
            how["CFLAGS"] = "-O0"  # each of their calls takes microseconds, whatever the profile
        build(example, own, how)
        with suppress(OSError):  # another process may have built it in the meantime
            own.rename(shared)
    return shared


@functools.cache
def shared_folder() -> Path:
    """Return the folder of what the processes of a run of tests build; the first of them removes it when it ends."""
    named = os.environ.get(BUILDS)
    if named:
        return Path(named)
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ[BUILDS] = folder
    return Path(folder)


@functools.cache
def load(example: str, module: str) -> ModuleType:
    """Return a module of an extension, loaded here."""
    folder = str(built(example))
    sys.path.insert(0, folder)
    try:
        importlib.invalidate_caches()
        return importlib.import_module(module)
    finally:
        sys.path.remove(folder)


def replay_games() -> ModuleType:
    """Return the extension that plays whole games on the kernel."""
    return load("cimport", "replay_games")


def runs() -> ModuleType:
    """Return the extension that plays runs of moves with every instruction set."""
    return load("runs", "runs")


def children() -> ModuleType:
    """Return the extension that finds the children of positions with every instruction set."""
    return load("children", "native_children")
