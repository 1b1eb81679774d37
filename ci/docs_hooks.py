"""Hooks of MkDocs: the pages of the site that are files at the root of the source tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGES = {"changelog.md": "CHANGELOG.md", "contributing.md": "CONTRIBUTING.md", "security.md": "SECURITY.md"}


def on_files(files: Any, config: Any) -> Any:
    """Add the pages, with links relative to `docs/`."""
    from mkdocs.structure.files import File

    for page, source in PAGES.items():
        text = (ROOT / source).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, page, content=text))
    return files
