"""NumPy, imported on first use: the import takes as long as to replay ten thousand records.

from .lazy_numpy import np
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["np"]

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        """The attributes of NumPy, by name. Thread safety: any number of threads may be the first to use it."""

        def __getattr__(self, name: str) -> Any:
            import numpy

            value = getattr(numpy, name)
            setattr(self, name, value)
            return value

    np = _Numpy()
