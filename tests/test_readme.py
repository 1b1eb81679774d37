"""The README is short and its two shell lines are what they should be; the reference is complete and current."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import wei7core

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
needs_docs = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the documentation is not here")


def test_the_readme_is_short() -> None:
    assert len(README.splitlines()) <= 220


def test_each_shell_line_is_one_line_that_installs_and_runs() -> None:
    block = README.split("```sh\n", 1)[1].split("\n```", 1)[0]
    replay, test = block.splitlines()
    assert "wei7core replay tests/data/examples" in replay
    assert "'.[test]'" in test
    assert test.endswith("pytest -q -n auto")


def test_the_package_is_installed_by_name() -> None:
    assert re.search(r"^pip install wei7core$", README, re.MULTILINE)


def test_every_public_name_has_a_docstring() -> None:
    tree = ast.parse(Path(wei7core.__file__).read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    bare = [
        name for name in wei7core.__all__ if callable(getattr(wei7core, name)) and not getattr(wei7core, name).__doc__
    ]
    assert not bare


def documented() -> set[str]:
    """The names that have a section of their own in the reference."""
    headings = (
        match[1]
        for path in (ROOT / "docs" / "reference").glob("*.md")
        for match in re.finditer(r"^## (w7\..+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    )
    return {name.removeprefix("w7.") for heading in headings for name in heading.split(", ")}


@needs_docs
def test_the_reference_has_every_public_name() -> None:
    members = {name for name in documented() if "." not in name}
    assert members == set(wei7core.__all__), "a public name has a section `## w7.NAME` in a page of docs/reference"


@needs_docs
def test_every_section_of_the_reference_has_an_example() -> None:
    for path in (ROOT / "docs" / "reference").glob("*.md"):
        for section in path.read_text(encoding="utf-8").split("\n## ")[1:]:
            assert not section.startswith("w7.") or "\n>>> " in section, f"{path.name}: {section.splitlines()[0]}"


@needs_docs
def test_the_reference_of_the_command_line_is_current() -> None:
    script = [sys.executable, str(ROOT / "ci" / "cli_reference.py"), "--check"]
    run = subprocess.run(script, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
