"""The key of a header as it is described: the slow twin of `wei7core.batch.summaries.header_keys`."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from wei7core.checking.header_cache import HEADER_FORMATS


def header_key(format: str, charset: int, values: Sequence[bytes | None]) -> bytes:
    """Return the key of the values of a header, None for an absent one."""
    sizes = [-1 if value is None else len(value) for value in values]
    head = struct.pack("=2B", HEADER_FORMATS.index(format), charset) + struct.pack(f"={len(values)}i", *sizes)
    return head + b"".join(value or b"" for value in values)
