# cython: language_level=3, freethreading_compatible=True, binding=False, always_allow_keywords=False
# cython: embedsignature=True, embedsignature.format=clinic
"""Memory of other objects, memory of texts, tables and lines, items of lists, JSON of a known shape, and the
instruction set in use.
"""

__all__ = [
    "BufferOwner", "JsonShape", "Later", "MappedLines", "PooledBuffer", "TableMemory", "Team", "Words", "cells_of",
    "joined_items", "numbers_with", "untrack",
]

include "view.pxi"
include "text_memory.pxi"
include "list_items.pxi"
include "table_memory.pxi"
include "team.pxi"
include "mapped_lines.pxi"
include "json_shape.pxi"
include "untrack.pxi"
include "cpu.pxi"
