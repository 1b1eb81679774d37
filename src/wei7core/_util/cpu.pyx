# cython: language_level=3, freethreading_compatible=True
"""Which form of the compiled code runs here: the widest that the processor has, or the one that the user names."""

import os
import sys

__all__ = ["COMPILER", "FORM", "FORMS", "KERNEL"]


cdef extern from "_util/cpu.h" nogil:
    enum:
        W7_FORM_PORTABLE
        W7_FORM_AVX2
        W7_FORM_AVX512
    int w7_form_runs(int form) noexcept


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
"""The variable of the environment that names the form to use; it is read once, at import."""

_NUMBERS = {"portable": W7_FORM_PORTABLE, "avx2": W7_FORM_AVX2, "avx512": W7_FORM_AVX512}

FORMS = tuple(name for name, number in _NUMBERS.items() if w7_form_runs(number))
"""The names of the forms that run here, the widest last."""


def _is_command():
    """Whether this process is the command `wei7core`: it says one line where a program that imports gets an exception.

    While `python -m wei7core` imports the package, `sys.argv[0]` is still `-m`.
    """
    program = os.path.basename(sys.argv[0]) if sys.argv else ""
    return os.path.splitext(program)[0] == "wei7core" or (program == "-m" and "wei7core" in sys.orig_argv)


def _chosen():
    name = os.environ.get(VARIABLE, "").strip().lower()
    if not name:
        return FORMS[-1]
    if name not in FORMS:
        message = f"{VARIABLE} is {name!r}; the kernels that run here are {', '.join(FORMS)}"
        if _is_command():
            print(f"wei7core: {message}", file=sys.stderr)
            raise SystemExit(2)
        raise ImportError(message)
    return name


KERNEL = _chosen()
"""The name of the form in use."""

FORM = _NUMBERS[KERNEL]
"""The number of the form in use, as the headers know it (`_util/cpu.h`)."""

COMPILER = W7_COMPILER.decode("ascii", "replace")
"""The compiler that made this build, with its version."""
