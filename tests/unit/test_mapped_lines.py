"""Lines that are written to memory of the caller: never to memory that was let go of."""

import pytest

from wei7core._util._native import MappedLines


def test_lines_go_to_the_memory_in_use_and_to_no_other() -> None:
    lines = MappedLines(0)
    assert not lines.add(b"a\n")
    first, second = bytearray(4), bytearray(8)
    lines.use(first)
    assert lines.add(b"ab\n") and not lines.add(b"cd\n")
    assert (bytes(first), lines.size) == (b"ab\n\0", 3)
    lines.use(None)
    assert not lines.add(b"c")
    with pytest.raises(BufferError):
        lines.use(bytes(8))
    assert not lines.add(b"c")
    first.clear()  # which memory in use refuses
    second[:3] = b"ab\n"
    lines.use(second)
    assert lines.add(b"cd\n")
    assert (bytes(second), lines.size) == (b"ab\ncd\n\0\0", 6)
