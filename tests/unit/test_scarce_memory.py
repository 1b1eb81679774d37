"""Memory that runs out in the modules that are installed is MemoryError: no crash, and no other answer.

The tests with `short_` in their names say the same of headers that they compile; this one is about the Cython around.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from helpers import native

pytestmark = pytest.mark.exhaustive

TESTS = Path(__file__).resolve().parent.parent


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the calls of glibc are replaced")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="somebody else has replaced the calls")
def test_calls_for_memory_that_fail(tmp_path: Path) -> None:
    native.require_compiler()
    library = tmp_path / "scarce_memory.so"
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC")).split()
    source = TESTS / "data" / "scarce_memory" / "scarce_memory.c"
    subprocess.run([*compiler, "-shared", "-fPIC", "-fno-builtin", "-o", library, source], check=True)
    environment = {**native.environment(), "LD_PRELOAD": str(library)}
    if not sysconfig.get_config_var("Py_GIL_DISABLED"):
        environment["PYTHONMALLOC"] = "malloc"  # what Python hands to the modules is asked for there, too
    environment["PYTHONPATH"] += os.pathsep + str(TESTS)
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "helpers.scarce_memory"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    failures = json.loads(done.stdout)
    assert min(failures.values()) > 0, failures
    assert sum(failures.values()) > 2_000, failures
