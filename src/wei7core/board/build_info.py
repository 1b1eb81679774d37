"""`build_info`: the build, and the instruction sets that this processor supports."""

from __future__ import annotations

from .._util.cpu import COMPILER, ISAS, KERNEL
from .._version import __version__
from .board import PLANE_COLUMNS, PLANE_POINTS


def build_info() -> dict[str, str]:
    """Return a description of the build and of the supported instruction sets, as a dict of texts.

    `version` of the package, `compiler` that made it, `kernel` in use and `kernels` that this processor can run,
    separated by spaces, the widest last. The environment variable WEI7CORE_KERNEL selects another one for a whole
    process. `board` names the sizes of board on which the kernel in use plays runs of moves, and what plays them on
    others. Any thread may call it.
    """
    board = "portable"
    if KERNEL.startswith("avx512"):
        board = f"{KERNEL} up to width {PLANE_COLUMNS} and (width + 1) * height {PLANE_POINTS}, portable beyond"
    return {
        "version": __version__,
        "compiler": COMPILER,
        "kernel": KERNEL,
        "kernels": " ".join(ISAS),
        "board": board,
    }
