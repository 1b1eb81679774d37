"""Builds the example extension of `tests/data/cimport` against the wei7core that is imported."""

from __future__ import annotations

import functools
import importlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from types import ModuleType

import pytest

import wei7core

EXAMPLE = Path(__file__).resolve().parent / "data" / "cimport"


def environment() -> dict[str, str]:
    """Return an environment in which a new Python imports the same wei7core."""
    package_parent = str(Path(wei7core.__file__).resolve().parent.parent)
    paths = [package_parent, os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}


def require_compiler() -> None:
    """Skip the test where there is no C compiler; Windows has its own way to find one."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cl").split()[0]
    if sys.platform != "win32" and shutil.which(compiler) is None:
        pytest.skip(f"the C compiler {compiler} is not installed")


def build(folder: Path) -> None:
    """Build the extension in a folder, from a copy of its sources."""
    require_compiler()
    for name in ("setup.py", "replay_games.pyx"):
        shutil.copy(EXAMPLE / name, folder)
    done = subprocess.run(
        [sys.executable, "setup.py", "build_ext", "--inplace"],
        cwd=folder,
        env=environment(),
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@functools.cache
def replay_games() -> ModuleType:
    """Return the extension, built once a process and loaded here."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        build(Path(folder))
        sys.path.insert(0, folder)
        try:
            importlib.invalidate_caches()
            return importlib.import_module("replay_games")
        finally:
            sys.path.remove(folder)
