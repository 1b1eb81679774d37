"""GNU Go, where it is installed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

GNUGO = shutil.which("gnugo") or next((path for path in ["/usr/games/gnugo"] if Path(path).exists()), None)

needs_gnugo = pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed (Debian package gnugo)")
