"""The include directory of the C headers and Cython declarations."""

from __future__ import annotations

import os


def get_include() -> str:
    """Return the folder for `include_dirs` of an extension that cimports `wei7core.board`."""
    return os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
