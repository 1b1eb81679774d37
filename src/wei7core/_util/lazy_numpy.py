"""NumPy, loaded when something of it is first used: that takes as long as to replay ten thousand records.

from .numpy_later import np
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["np"]

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        """What NumPy has, by its names. Thread safety: any number of threads may be the first to use it."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            value = getattr(numpy, name)
            setattr(self, name, value)
            return value

    np = _Numpy()
