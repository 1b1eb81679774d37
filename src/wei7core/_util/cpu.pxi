"""The instruction set in use: the widest that the processor has, or the one that the user names."""

import os
import sys

cdef extern from "_util/cpu.h" nogil:
    enum:
        W7_ISA_PORTABLE
        W7_ISA_AVX2
        W7_ISA_AVX512BW
        W7_ISA_AVX512
    int w7_isa_runs(int isa) noexcept


cdef extern from *:
    """
    #if defined(__clang__)
    #define W7_COMPILER "clang " __clang_version__
    #elif defined(__GNUC__)
    #define W7_COMPILER "gcc " __VERSION__
    #elif defined(_MSC_VER)
    #define W7_STRING_OF(value) #value
    #define W7_STRING(value) W7_STRING_OF(value)
    #define W7_COMPILER "msvc " W7_STRING(_MSC_VER)
    #else
    #define W7_COMPILER "unknown"
    #endif
    """
    const char *W7_COMPILER


VARIABLE = "WEI7CORE_KERNEL"
"""The environment variable that names the instruction set to use; it is read once, at import."""

_ISA_NUMBERS = {"portable": W7_ISA_PORTABLE, "avx2": W7_ISA_AVX2, "avx512bw": W7_ISA_AVX512BW, "avx512": W7_ISA_AVX512}

ISAS = tuple([name for name, number in _ISA_NUMBERS.items() if w7_isa_runs(number)])
"""The names of the instruction sets that run here, the widest last."""


def _is_command():
    """Whether this process is the command `wei7core`: it prints one line where an importing program gets an exception.

    While `python -m wei7core` imports the package, `sys.argv[0]` is still `-m`.
    """
    program = os.path.basename(sys.argv[0]) if sys.argv else ""
    return os.path.splitext(program)[0] == "wei7core" or (program == "-m" and "wei7core" in sys.orig_argv)


def _chosen():
    name = os.environ.get(VARIABLE, "").strip().lower()
    if not name:
        return ISAS[-1]
    if name not in ISAS:
        message = f"{VARIABLE} is {name!r}; the kernels that run here are {', '.join(ISAS)}"
        if _is_command():
            print(f"wei7core: {message}", file=sys.stderr)
            raise SystemExit(2)
        raise ImportError(message)
    return name


KERNEL = _chosen()
"""The name of the instruction set in use."""

ISA = _ISA_NUMBERS[KERNEL]
"""The number of the instruction set in use, a `w7_isa` of `_util/cpu.h`."""

COMPILER = W7_COMPILER.decode("ascii", "replace")
"""The compiler that made this build, with its version."""
