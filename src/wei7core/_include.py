"""Where the C headers and Cython declarations of the package are."""

from __future__ import annotations

from pathlib import Path

__all__ = ["get_include"]


def get_include() -> str:
    """Return the folder to name in `include_dirs` of an extension that cimports `wei7core.board`."""
    return str(Path(__file__).resolve().parent)
