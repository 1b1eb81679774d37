"""Which kernel runs: chosen at import, named by the environment, reported by build_info."""

from __future__ import annotations

import subprocess
import sys

import pytest
from helpers import native

import wei7core
from wei7core._util import cpu as processor

REPORT = "import wei7core; print(wei7core.build_info()); import wei7core.board as b; print(b.Board(19).play(1, (0, 0)))"


def run(kernel: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**native.environment(), processor.VARIABLE: kernel}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, check=False, capture_output=True, text=True, cwd=native.DATA
    )


def test_build_info() -> None:
    info = wei7core.build_info()
    assert list(info) == ["version", "compiler", "kernel", "kernels", "board"]
    assert info["version"] == wei7core.__version__
    assert info["kernels"].split() == list(processor.ISAS)
    assert info["kernel"] == processor.KERNEL
    assert processor.ISAS[0] == "portable"
    assert info["board"].startswith(info["kernel"] if info["kernel"].startswith("avx512") else "portable")


@pytest.mark.exhaustive
@pytest.mark.parametrize("kernel", processor.ISAS)
def test_the_environment_names_a_kernel(kernel: str) -> None:
    for name in (kernel, f" {kernel.upper()} "):
        done = run(name, "-c", REPORT)
        assert done.returncode == 0, done.stderr
        assert f"'kernel': '{kernel}'" in done.stdout


def test_without_a_name_the_widest_runs() -> None:
    done = run("", "-c", REPORT)
    assert f"'kernel': '{processor.ISAS[-1]}'" in done.stdout


def test_a_wrong_name_is_an_import_error() -> None:
    done = run("mmx", "-c", "import wei7core")
    assert done.returncode == 1
    message = f"WEI7CORE_KERNEL is 'mmx'; the kernels that run here are {', '.join(processor.ISAS)}"
    assert done.stderr.splitlines()[-1] == f"ImportError: {message}"


def test_a_wrong_name_is_one_line_of_the_command() -> None:
    done = run("mmx", "-m", "wei7core", "--version")
    message = f"WEI7CORE_KERNEL is 'mmx'; the kernels that run here are {', '.join(processor.ISAS)}"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"wei7core: {message}\n")
