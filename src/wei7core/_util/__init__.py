"""Utilities without domain knowledge: files, memory, threads, processor features, lazy imports.

Imports `_version` only. Start with `atomic_write` (output files), `prefetch` and `ordered_map` (threads), `cpu` (which
instruction set the compiled code uses).
"""
