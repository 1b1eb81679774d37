"""python ci/guarded_memory.py LIBRARY: succeeds if Python allocates by guarded_memory.c, preloaded from LIBRARY after
AddressSanitizer, and each misuse of such an allocation is reported.
"""

import ctypes
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable

SIZES = (1, 7, 8, 15, 16, 17, 48, 49, 97, 448, 449, 512)


def function(name: str, result: type | None, *arguments: type) -> Callable:
    found = getattr(ctypes.pythonapi, name)
    found.restype, found.argtypes = result, arguments
    return found


allocate = function("PyMem_Malloc", ctypes.c_void_p, ctypes.c_size_t)
reallocate = function("PyMem_Realloc", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
free = function("PyMem_Free", None, ctypes.c_void_p)


def read(address: int, size: int = 2) -> None:
    """Read as the sanitizer sees it, which does not look at a copy of one byte."""
    ctypes.string_at(address, size)


def misuse(name: str) -> None:
    """Do what is reported: `reads` of each size, or something that ends the process."""
    if name == "reads":
        for size in SIZES:
            block = allocate(size)
            read(block, max(size, 2))  # beyond an allocation of one byte
            read(block - 1)
            read(block + size - 1)
            moved = reallocate(block, size)
            read(block)
            free(moved)
            read(moved)
    block = allocate(40)
    if name == "inside":
        free(block + 16)
    elif name == "twice":
        free(block)
        free(block)
    elif name == "moved":
        free(block)
        reallocate(block, 20)


def reports(name: str) -> Counter[str]:
    """The kinds of reports that a process makes of a misuse."""
    options = os.environ.get("ASAN_OPTIONS", "") + ":halt_on_error=0:suppress_equal_pcs=0"
    done = subprocess.run(
        [sys.executable, __file__, sys.argv[1], name],
        env={**os.environ, "ASAN_OPTIONS": options},
        capture_output=True,
        text=True,
        check=False,
    )
    found = [line for line in done.stderr.splitlines() if "ERROR: AddressSanitizer: " in line]
    return Counter(line.split("ERROR: AddressSanitizer: ")[1].split()[0] for line in found)


def is_used() -> bool:
    holds = ctypes.CDLL(sys.argv[1]).guarded_memory_holds
    holds.argtypes = [ctypes.c_void_p]
    return bool(holds(id(object())) and holds(id("text of no other" * 5)))


def main() -> None:
    if len(sys.argv) == 3:
        misuse(sys.argv[2])
        return
    if not is_used():
        sys.exit("Python does not allocate by guarded_memory.c")
    overflow, freed = "heap-buffer-overflow", "heap-use-after-free"
    expected = {
        "reads": {overflow: 2 * len(SIZES) + 1, freed: 2 * len(SIZES)},
        "inside": {freed: 1},
        "twice": {freed: 1},
        "moved": {freed: 1},
    }
    for name, kinds in expected.items():
        if (found := reports(name)) != kinds:
            sys.exit(f"guarded_memory.c: reports of the misuse {name}: {dict(found)}, not {kinds}")


if __name__ == "__main__":
    main()
