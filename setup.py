"""The list of extension modules and the compiler flags; everything else is in pyproject.toml.

WEI7CORE_DEBUG=1 builds for a debugger, without optimisation; WEI7CORE_SANITIZE=1 builds under
AddressSanitizer and UndefinedBehaviorSanitizer, WEI7CORE_SANITIZE=thread under ThreadSanitizer; WEI7CORE_COVERAGE=1
builds what ci/coverage counts the lines of, and leaves the generated C beside the sources.
"""

import os
import platform
import re
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

PACKAGE = Path("src/wei7core")
MODULES = [
    "_util.view",
    "_util.text_memory",
    "_util.table_memory",
    "_util.cpu",
    "board._convert",
    "board.children",
    "board.position",
    "board.point_set",
    "board.blocks",
    "board.ladder",
    "board.life",
    "board.board",
    "board.area",
    "board.planes",
    "record.record",
    "formats.wei7._decoder",
    "formats.sgf._decoder",
    "formats._split",
    "replaying.replay",
    "replaying.cursor",
    "tables.row_text",
    "batch.summaries",
    "batch._engine",
    "batch._expand",
]

# Portable baselines only: what ships must run on any processor of its platform. Whatever CFLAGS says, nothing that
# ships has assertions or tells where it was built, and numbers wrap around as Python's own CFLAGS have it.
COMPILE_FLAGS = {
    "unix": ["-std=c11", "-O3", "-fwrapv", "-g0", "-DNDEBUG", "-Wall", "-Wextra", "-Wno-unused-function"],
    "mingw32": ["-std=c11", "-O3", "-fwrapv", "-g0", "-DNDEBUG", "-Wall", "-Wextra", "-Wno-unused-function"],
    "msvc": ["/std:c11", "/O2"],
}
# Processors of 2009 and later; what needs more is compiled apart and chosen at run time (_util/cpu.h).
if platform.machine() == "x86_64" and sysconfig.get_platform().endswith("x86_64"):
    COMPILE_FLAGS["unix"].append("-march=x86-64-v2")
# gcc 11 and 12 (not 14) miscompile a loop with its bound compared once more behind it, `return p > end`: what they put
# in to count it down comes between the comparison and its use. Seen in the decoder of SGF, with -O2 and with -O3.
if sysconfig.get_platform().endswith("s390x"):
    COMPILE_FLAGS["unix"].append("-fno-branch-count-reg")
# What the kernel's loops are compiled into is worth its size; others hand arguments over, or are asked once a game.
SMALL = {
    "_util.cpu", "_util.table_memory", "_util.text_memory", "_util.view", "batch.summaries", "board._convert",
    "board.area", "board.blocks", "board.ladder", "board.life", "board.point_set", "board.position", "record.record",
    "replaying.cursor", "replaying.replay",
}  # fmt: skip
DEBUG_FLAGS = {
    "unix": ["-O0", "-g", "-UNDEBUG"],
    "mingw32": ["-O0", "-g", "-UNDEBUG"],
    "msvc": ["/Od", "/Zi"],
}
# Lines of .pyx files are traced by Python, those of headers by the compiler.
COVERAGE_FLAGS = ["-O0", "-g0", "--coverage", "-fprofile-update=atomic", "-DCYTHON_TRACE_NOGIL=1"]
SANITIZE_FLAGS = ["-O1", "-g", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"]

DEBUG = bool(os.environ.get("WEI7CORE_DEBUG"))
SANITIZE = os.environ.get("WEI7CORE_SANITIZE", "")
COVERAGE = bool(os.environ.get("WEI7CORE_COVERAGE"))
SANITIZE_FOLDER = "/threads" if SANITIZE == "thread" else "/sanitize" if SANITIZE else ""
PLAIN = not (DEBUG or SANITIZE or COVERAGE)
SANITIZERS = "-fsanitize=thread" if SANITIZE == "thread" else "-fsanitize=address,undefined"


class Build(build):
    """Gives each kind of build a folder of its own, so that none takes up what another one left."""

    def initialize_options(self) -> None:
        super().initialize_options()
        self.build_base = "build" + "/debug" * DEBUG + "/coverage" * COVERAGE + SANITIZE_FOLDER


class BuildExt(build_ext):
    """Adds the flags of the compiler in use; keeps generated C out of the source tree; uses every processor."""

    def finalize_options(self) -> None:
        self.parallel = self.parallel or os.cpu_count()
        self.cython_include_dirs = ["src"]
        self.cython_c_in_temp = not COVERAGE  # Cython's plugin of coverage looks for it beside the source
        self.cython_directives = {"linetrace": True} if COVERAGE else {}
        super().finalize_options()
        if (
            COVERAGE
        ):  # what the compiler counts by stays beside its objects, which pip would put into a folder that goes
            self.build_temp = "build/coverage/temp"

    def build_extensions(self) -> None:
        kind = self.compiler.compiler_type
        compile_flags = list(COMPILE_FLAGS.get(kind, []))
        link_flags = []
        if DEBUG:
            compile_flags += DEBUG_FLAGS.get(kind, [])
        if COVERAGE:
            if kind != "unix":
                sys.exit("WEI7CORE_COVERAGE needs gcc")
            compile_flags += COVERAGE_FLAGS
            link_flags.append("--coverage")
        if SANITIZE:
            if kind != "unix":
                sys.exit("WEI7CORE_SANITIZE needs gcc or clang")
            compile_flags += [*SANITIZE_FLAGS, SANITIZERS]
            link_flags.append(SANITIZERS)
        if kind == "unix" and sysconfig.get_platform().startswith("linux") and PLAIN:
            # No symbols, and no tables for exceptions, which C does not have: a fifth of a wheel.
            compile_flags += ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
            link_flags.append("-Wl,-s")
        for extension in self.extensions:
            small = extension.name.removeprefix("wei7core.") in SMALL and PLAIN
            extension.extra_compile_args = compile_flags + (["-Os"] if small and kind != "msvc" else [])
            extension.extra_link_args = link_flags
        super().build_extensions()


INCLUDED = re.compile(r'(?:#\s*include|cdef extern from)\s+"([^"]+\.h)"')
CIMPORTED = re.compile(r"^\s*(?:from\s+wei7core\.([\w.]+)\s+cimport|cimport\s+wei7core\.([\w.]+))", re.MULTILINE)


def dependencies(source: Path) -> set[Path]:
    """The headers and declarations that an extension is compiled with, by what its source names."""
    found: set[Path] = set()
    pending = [source, source.with_suffix(".pxd")]
    while pending:
        path = pending.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        text = path.read_text(encoding="utf-8")
        pending += [PACKAGE / name for name in INCLUDED.findall(text)]
        for names in CIMPORTED.findall(text):
            name = "".join(names).replace(".", "/")
            pending += [PACKAGE / f"{name}.pxd", PACKAGE / name / "__init__.pxd"]
    return found - {source}


def extension(module: str) -> Extension:
    source = PACKAGE / (module.replace(".", "/") + ".pyx")
    depends = sorted(path.as_posix() for path in dependencies(source))
    return Extension(f"wei7core.{module}", [source.as_posix()], include_dirs=[PACKAGE.as_posix()], depends=depends)


setup(ext_modules=[extension(name) for name in MODULES], cmdclass={"build": Build, "build_ext": BuildExt})
