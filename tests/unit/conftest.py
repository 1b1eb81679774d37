"""Fixtures of the command line: a call in process, and files to read."""

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
