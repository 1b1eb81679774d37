"""The README's examples run and print what it says; its shell lines are two; its tables name what there is."""

from __future__ import annotations

import ast
import doctest
import re
from pathlib import Path

import pytest
from helpers.pairs import readme_table

import wei7core
from wei7core.checking.codes import CODES, GROUPS
from wei7core.cli import main as cli

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    examples = doctest.DocTestParser().get_doctest(README, {}, "README.md", "README.md", 0)
    assert len(examples.examples) > 20
    said: list[str] = []
    failed, _ = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=said.append)
    assert not failed, "".join(said)


def test_each_shell_line_is_one_line_that_installs_and_runs() -> None:
    block = README.split("```sh\n", 1)[1].split("\n```", 1)[0]
    replay, test = block.splitlines()
    assert "wei7core replay tests/data/examples" in replay
    assert "'.[test]'" in test
    assert test.endswith("pytest -q")


def test_the_command_line_is_as_shown(capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.findall(r"^wei7core (\w+)(.*)$", README, re.MULTILINE)
    assert [command for command, _ in shown] == ["replay", "validate", "check", "show", "expand", "convert"]
    for command, arguments in shown:
        with pytest.raises(SystemExit):
            cli.main([command, "--help"])
        told = capsys.readouterr().out
        for option in re.findall(r"-{1,2}[a-z]+", arguments):
            assert option in told


def test_the_codes_of_a_check_are_all_told() -> None:
    table = README.split("| group | codes |", 1)[1].split("\n\n", 1)[0]
    assert [name for name in re.findall(r"`([^`]+)`", table) if name not in GROUPS] == list(CODES)


def test_the_table_of_rooms_names_every_room() -> None:
    table = README.split("## Rooms", 1)[1].split("\n## ", 1)[0]
    rooms = {path.name for path in Path(wei7core.__file__).parent.iterdir() if (path / "__init__.py").is_file()}
    assert rooms == set(re.findall(r"^\| `(\w+)/` \|", table, re.MULTILINE))


def test_the_table_of_formats_is_the_one_that_is_tested() -> None:
    assert "\n".join(readme_table()) in README


def test_every_named_file_is_there() -> None:
    for path in re.findall(r"`((?:ci|\.ci|tests|benchmarks)/[\w./]+)`", README):
        assert (ROOT / path).exists(), path


def test_the_cython_example_names_what_the_declarations_hold() -> None:
    names = re.search(r"from wei7core.board cimport (.+)", README)
    assert names is not None
    declarations = "".join(
        path.read_text(encoding="utf-8") for path in (Path(wei7core.get_include()) / "board").glob("*.pxd")
    )
    for name in names[1].split(", "):
        assert re.search(rf"\b{name}\b", declarations), name


def test_every_public_name_has_a_docstring() -> None:
    tree = ast.parse(Path(wei7core.__file__).read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    bare = [
        name for name in wei7core.__all__ if callable(getattr(wei7core, name)) and not getattr(wei7core, name).__doc__
    ]
    assert not bare
