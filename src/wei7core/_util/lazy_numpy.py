"""NumPy, imported on first use: the import takes as long as to replay ten thousand records.

from .lazy_numpy import Array, np
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from .lazy_import import imported

__all__ = ["Array", "np"]

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
else:

    class _Numpy:
        """The attributes of NumPy, by name. Thread safety: any number of threads may be the first to use it."""

        def __getattr__(self, name: str) -> Any:
            value = imported(f"numpy.{name}")
            setattr(self, name, value)
            return value

    np = _Numpy()

Array: TypeAlias = "npt.NDArray[Any]"
"""An array of any type, for annotations."""
