"""Fixtures of the command line, a call in process and files to read; and a browser."""

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from helpers.command_inputs import OCCUPIED, SGF

from wei7core.cli.main import main


@pytest.fixture
def occupied(tmp_path):
    path = tmp_path / "occupied.wei7"
    path.write_text(OCCUPIED)
    return path


@pytest.fixture
def run(capsys):
    def call(*args):
        status = main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        return status, out, err

    return call


@pytest.fixture
def collection(tmp_path):
    path = tmp_path / "games.sgf"
    path.write_text(SGF, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Chromium, driven by Playwright; tests are skipped where one of them is not installed."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("there is no Chromium")
    with playwright.sync_playwright() as machine:
        browser = machine.chromium.launch(executable_path=found, args=["--no-sandbox"], timeout=600_000)
        yield browser
        browser.close()
