"""Files, folders, archives, streams and buffers as records, or as chunks of many records.

May import `formats`, `_util`, `errors` and `limits`. Start with `sources.py`; `chunks.py` defines what it yields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._util.lazy_import import lazy_attributes

if TYPE_CHECKING:
    from .sources import NamedFile, Sources, format_of_parts

__all__ = ["NamedFile", "Sources", "format_of_parts"]

__getattr__, __dir__ = lazy_attributes(__name__, {"sources": tuple(__all__)})
