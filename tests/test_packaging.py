"""What is installed is all that there is: setuptools finds every package of the source tree."""

import re
from pathlib import Path

import pytest
from setuptools import find_packages

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the source tree is not here")
def test_every_package_is_found():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    table = re.search(r"^\[tool\.setuptools\.packages\.find\]\n(.*?)^\n", text, re.MULTILINE | re.DOTALL)
    assert table is not None
    settings = dict(re.findall(r"^(\w+) = (.*?)(?:  #.*)?$", table[1], re.MULTILINE))
    assert settings == {"where": '["src"]', "namespaces": "false"}, "then it is what find_packages does"
    packages = {path.parent.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("__init__.py")}
    assert {name.replace(".", "/") for name in find_packages(str(ROOT / "src"))} == packages
