"""What is installed is all that there is: every package of the source tree is named in pyproject.toml."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the source tree is not here")
def test_every_package_is_named():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'^include = \["(wei7core[^\]]*)"\]$', text, re.MULTILINE)
    assert found is not None
    packages = {path.parent.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("__init__.py")}
    assert {name.replace(".", "/") for name in found[1].split('", "')} == packages
