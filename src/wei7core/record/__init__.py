"""One game as data: `Record`, frozen columns that a decoder fills, and `Document`, the editable tree of objects.

May import `_util`, `errors` and `limits`; independent of boards and formats. Start with `record.h`, which defines the
columns, then `document.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._util.lazy_import import lazy_attributes

if TYPE_CHECKING:
    from .record import Record, dtype_of, make_record

__all__ = ["Record", "dtype_of", "make_record"]

__getattr__, __dir__ = lazy_attributes(__name__, {"record": tuple(__all__)})
