"""The list of extension modules and the compiler flags; everything else is in pyproject.toml.

WEI7CORE_DEBUG=1 builds for a debugger, without optimisation, by clang if it is installed and CC names no other (gcc
takes twice as long); WEI7CORE_SANITIZE=1 builds under AddressSanitizer and UndefinedBehaviorSanitizer,
WEI7CORE_SANITIZE=thread under ThreadSanitizer; WEI7CORE_COVERAGE=1 builds what ci/coverage counts the lines of, and
writes the generated C next to the sources.
WEI7CORE_GENERATED_C names a folder in which builds of the same sources find the generated C, so that Cython runs once
for all of them.
"""

import functools
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

PACKAGE = Path("src/wei7core")
# Those that take longest to compile come first, so that every processor is busy to the end. Internal ones have
# binding=False: their functions are CPython's plain ones, with signatures in the docstrings for stubtest. The function
# objects that Cython makes else, with attributes that only public functions need, are a tenth of such a module.
MODULES = [
    "board._values",
    "board.board",
    "batch._engine",
    "formats._native",
    "replaying.cursor",
    "batch._expand",
    "record.record",
    "batch.summaries",
    "tables.row_text",
    "_util._native",
]

# Portable baselines only: what ships must run on any processor of its platform. Whatever CFLAGS says, nothing that
# ships has assertions or paths of the build, and numbers wrap around as Python's own CFLAGS have it.
COMPILE_FLAGS = {
    "unix": ["-std=c11", "-O2", "-fwrapv", "-g0", "-DNDEBUG", "-Wall", "-Wextra", "-Wno-unused-function"],
    "mingw32": ["-std=c11", "-O2", "-fwrapv", "-g0", "-DNDEBUG", "-Wall", "-Wextra", "-Wno-unused-function"],
    "msvc": ["/std:c11", "/O2"],
}
# Processors of 2009 and later; what needs more is compiled apart and chosen at run time (_util/cpu.h).
if platform.machine() == "x86_64" and sysconfig.get_platform().endswith("x86_64"):
    COMPILE_FLAGS["unix"].append("-march=x86-64-v2")
# gcc 11 and 12 (not 14) miscompile a loop with its bound compared once more after it, `return p > end`: what they put
# in to count it down comes between the comparison and its use. Seen in the decoder of SGF, with -O2 and with -O3.
if sysconfig.get_platform().endswith("s390x"):
    COMPILE_FLAGS["unix"].append("-fno-branch-count-reg")
# Where -O3 paid, by up to a sixth: records decoded and replayed. Boards and children of positions are as fast with -O2.
# What else the kernel's loops are not in is compiled for size: it hands arguments over, or is asked once a game.
FAST = {"batch._engine", "formats._native"}
SMALL = {"_util._native", "batch.summaries", "record.record"}
DEBUG_FLAGS = {
    "unix": ["-O0", "-g", "-UNDEBUG"],
    "mingw32": ["-O0", "-g", "-UNDEBUG"],
    "msvc": ["/Od", "/Zi"],
}
# Lines of .pyx files are traced by Python, those of headers by the compiler.
COVERAGE_FLAGS = ["-O0", "-g0", "--coverage", "-fprofile-update=atomic", "-DCYTHON_TRACE_NOGIL=1"]
# Of gcc: functions are copied into their callers only while a module grows by no more than 12 percent, which costs what
# decodes and replays batches a hundredth of its speed.
SMALLER_FLAGS = ["-fno-plt", "--param=inline-unit-growth=12"]
# Instructions ordered a second time give what replays games a percent or two, and cost each module 2 percent of size.
ONE_ORDERING = ["-fno-schedule-insns2"]
TWO_ORDERINGS = FAST | {"board.board"}
# -Og: with -O1, gcc takes twice as long for the code of the sanitizers. clang without optimisation takes a third of
# that, which is more than tests win by code of gcc.
SANITIZE_FLAGS = ["-g1", "-fno-omit-frame-pointer", "-fno-sanitize-recover=all"]
SANITIZE_LEVELS = {"gcc": "-Og", "clang": "-O0"}

DEBUG = bool(os.environ.get("WEI7CORE_DEBUG"))
SANITIZE = os.environ.get("WEI7CORE_SANITIZE", "")
COVERAGE = bool(os.environ.get("WEI7CORE_COVERAGE"))
GENERATED_C = os.environ.get("WEI7CORE_GENERATED_C")
SANITIZE_FOLDER = "/threads" if SANITIZE == "thread" else "/sanitize" if SANITIZE else ""
PLAIN = not (DEBUG or SANITIZE or COVERAGE)
SANITIZERS = "-fsanitize=thread" if SANITIZE == "thread" else "-fsanitize=address,undefined"


def accepted(compiler: list[str], flags: list[str]) -> bool:
    """Whether the compiler takes all of the flags without a warning; clang has not all of gcc's."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "empty.c")
        source.write_text("int wei7core;\n", encoding="ascii")
        command = [*compiler, *flags, "-Werror", "-c", str(source), "-o", str(source.with_suffix(".o"))]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


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
        # What can be pickled defines how. Cython's own method reads the state it is given without checking its length.
        self.cython_directives = {"auto_pickle": False, **({"linetrace": True} if COVERAGE else {})}
        super().finalize_options()
        if COVERAGE:  # the notes of gcov are next to the objects, which pip would put into a temporary folder
            self.build_temp = "build/coverage/temp"

    def run(self) -> None:
        if DEBUG and os.name == "posix" and "CC" not in os.environ and shutil.which("clang"):
            os.environ["CC"] = "clang"
        if self.inplace:  # extension modules of other versions would be imported before Python modules of their names
            current = {Path(self.get_ext_fullpath(extension.name)).resolve() for extension in self.extensions}
            suffix = sysconfig.get_config_var("EXT_SUFFIX")
            for path in {path.resolve() for path in PACKAGE.rglob(f"*{suffix}")} - current:
                path.unlink()
        super().run()

    def build_extensions(self) -> None:
        kind = self.compiler.compiler_type
        compile_flags = list(COMPILE_FLAGS.get(kind, []))
        smaller_flags: list[str] = []
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
            # Python is not linked with clang's runtime, which ci/sanitize preloads as it does that of gcc.
            is_clang = accepted(self.compiler.compiler_so, [SANITIZERS, "-shared-libsan"])
            compile_flags += [SANITIZE_LEVELS["clang" if is_clang else "gcc"], *SANITIZE_FLAGS, SANITIZERS]
            link_flags += [SANITIZERS, *["-shared-libsan"] * is_clang]
        if kind == "unix" and sysconfig.get_platform().startswith("linux") and PLAIN:
            # No symbols, and no tables for exceptions, which C does not have: a fifth of a wheel.
            compile_flags += ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]
            link_flags += ["-Wl,-s", "-Wl,--build-id=none"]  # which identifies symbols that there are none of
            if accepted(self.compiler.compiler_so, SMALLER_FLAGS):  # gcc
                smaller_flags = [*SMALLER_FLAGS, "-DW7_GLUE_FOR_SIZE"]  # _util/glue_for_size.h
        for extension in self.extensions:
            name = extension.name.removeprefix("wei7core.")
            fast = name in FAST and PLAIN and kind != "msvc"
            small = name in SMALL and PLAIN and kind != "msvc"
            level = ["-O3"] if fast else ["-Os"] if small else []
            ordering = ONE_ORDERING if smaller_flags and name not in TWO_ORDERINGS else []
            extension.extra_compile_args = compile_flags + smaller_flags + ordering + level
            extension.extra_link_args = link_flags
        super().build_extensions()

    def build_extension(self, extension: Extension) -> None:
        """Generate C where there is none of the same sources; Cython itself compares times of files.

        By these all of it is generated and compiled again in each isolated environment, whose Cython is new.
        """
        if COVERAGE:  # Cython's plugin of coverage looks for the C next to the source
            super().build_extension(extension)
            return
        generated = Path(self.build_temp, extension.sources[0]).with_suffix(".c")
        note = generated.with_suffix(".sha256")
        key = self.digest(Path(extension.sources[0]))
        shared = Path(GENERATED_C, f"{extension.name}-{key}.c") if GENERATED_C else None
        is_current = generated.is_file() and note.is_file() and note.read_text(encoding="ascii") == key
        if shared and shared.is_file() and not is_current:
            note.unlink(missing_ok=True)
            generated.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(shared, generated)
            is_current = True
        if is_current and not self.force:
            extension.sources = [generated.as_posix()]
            super().build_extension(extension)
        else:
            generated.unlink(missing_ok=True)
            note.unlink(missing_ok=True)
            extension.cython_c_in_temp = True
            super().build_extension(extension)
            if shared:
                shared.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(generated, shared.with_suffix(f".{os.getpid()}"))
                shared.with_suffix(f".{os.getpid()}").replace(shared)
        note.write_text(key, encoding="ascii")

    def digest(self, source: Path) -> str:
        """Of all that the generated C is made of; what headers hold is for the compiler alone."""
        import Cython

        digest = hashlib.sha256(repr((Cython.__version__, self.cython_directives)).encode())
        for path in [source, *sorted(path for path in dependencies(source) if path.suffix != ".h")]:
            digest.update(f"\0{path.as_posix()}\0".encode() + path.read_bytes())
        return digest.hexdigest()


class BuildPy(build_py):
    """Leaves out the headers and declarations that no package outside can cimport; the sdist has them all.

    Stubs get the docstrings of the modules, which an editor shows from there alone.
    """

    def run(self) -> None:
        super().run()
        if self.editable_mode:  # the stubs are those of the source tree
            return
        sys.path.insert(0, "ci")
        from stub_docstrings import MODULES, docstrings, stub_with_docstrings

        for name in MODULES:
            module = PACKAGE / name.replace(".", "/")
            stub = module.with_suffix(".pyi").read_text(encoding="utf-8")
            target = Path(self.build_lib, "wei7core", f"{name.replace('.', '/')}.pyi")
            target.write_text(stub_with_docstrings(stub, docstrings(module)), encoding="utf-8")

    def find_data_files(self, package: str, src_dir: str) -> list[str]:
        files = super().find_data_files(package, src_dir)
        return [file for file in files if not file.endswith((".h", ".pxd")) or Path(file) in public_declarations()]


INCLUDED = re.compile(r'(?:#\s*include|cdef extern from)\s+"([^"]+\.h)"')
PARTS = re.compile(r'^include "([^"]+\.pxi)"', re.MULTILINE)
CIMPORTED = re.compile(r"^\s*(?:from\s+wei7core\.([\w.]+)\s+cimport|cimport\s+wei7core\.([\w.]+))", re.MULTILINE)


def closure(pending: list[Path]) -> set[Path]:
    """The files and all headers and declarations that they name, directly or not; those that are not there left out."""
    found: set[Path] = set()
    while pending:
        path = pending.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        text = path.read_text(encoding="utf-8")
        pending += [PACKAGE / name for name in INCLUDED.findall(text)]
        pending += [path.parent / name for name in PARTS.findall(text)]
        for names in CIMPORTED.findall(text):
            name = "".join(names).replace(".", "/")
            pending += [PACKAGE / f"{name}.pxd", PACKAGE / name / "__init__.pxd"]
    return found


def dependencies(source: Path) -> set[Path]:
    """The headers and declarations that an extension is compiled with, by what its source names."""
    return closure([source, source.with_suffix(".pxd")]) - {source}


@functools.cache
def public_declarations() -> set[Path]:
    """What an extension of another package is compiled with: by the paths of cimport that the README names."""
    return closure([PACKAGE / room / "__init__.pxd" for room in ("", "board", "record")])


def extension(module: str) -> Extension:
    source = PACKAGE / (module.replace(".", "/") + ".pyx")
    depends = sorted(path.as_posix() for path in dependencies(source))
    # A wheel compresses the texts of a module better together with its code than Cython does apart.
    macros: list[tuple[str, str | None]] = [("CYTHON_COMPRESS_STRINGS", "0")]
    return Extension(
        f"wei7core.{module}",
        [source.as_posix()],
        include_dirs=[PACKAGE.as_posix()],
        define_macros=macros,
        depends=depends,
    )


setup(
    ext_modules=[extension(name) for name in MODULES],
    cmdclass={"build": Build, "build_ext": BuildExt, "build_py": BuildPy},
)
