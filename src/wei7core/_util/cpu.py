"""The instruction set in use: the widest that the processor has, or the one that the user names."""

from ._native import COMPILER, ISA, ISAS, KERNEL, VARIABLE  # noqa: F401 - the public names of this module

__all__ = ["COMPILER", "ISA", "ISAS", "KERNEL"]
