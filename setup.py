"""The list of extensions; everything else is in pyproject.toml."""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PACKAGE = Path("src/wei7core")
HEADERS = sorted(str(path) for path in PACKAGE.rglob("*.h"))
MODULES = ["board", "record", "formats._wei7", "replaying"]

DEBUG = bool(os.environ.get("WEI7CORE_DEBUG"))
SANITIZE = bool(os.environ.get("WEI7CORE_SANITIZE"))

# Portable baselines only: what ships must run on any processor of its platform.
UNIX_FLAGS = ["-std=c11", "-O3", "-Wall", "-Wextra", "-Wno-unused-function", "-Wno-missing-field-initializers"]
COMPILE_FLAGS = {"unix": UNIX_FLAGS, "mingw32": UNIX_FLAGS, "msvc": ["/std:c11", "/O2"]}
DEBUG_FLAGS = {"unix": ["-O0", "-g", "-DW7_DEBUG=1"], "mingw32": ["-O0", "-g", "-DW7_DEBUG=1"], "msvc": ["/Od", "/Zi"]}
SANITIZE_FLAGS = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


class BuildExt(build_ext):
    """Adds the flags of the compiler in use."""

    def build_extensions(self) -> None:
        kind = self.compiler.compiler_type
        compile_flags = list(COMPILE_FLAGS.get(kind, []))
        link_flags = []
        if DEBUG:
            compile_flags += DEBUG_FLAGS.get(kind, [])
        if SANITIZE:
            if kind != "unix":
                sys.exit("WEI7CORE_SANITIZE needs gcc or clang")
            compile_flags += SANITIZE_FLAGS
            link_flags += ["-fsanitize=address,undefined"]
        for extension in self.extensions:
            extension.extra_compile_args = compile_flags
            extension.extra_link_args = link_flags
        super().build_extensions()


def extension(module: str) -> Extension:
    source = PACKAGE / (module.replace(".", "/") + ".pyx")
    return Extension(f"wei7core.{module}", [str(source)], include_dirs=[str(PACKAGE)], depends=HEADERS)


setup(
    ext_modules=cythonize(
        [extension(name) for name in MODULES if (PACKAGE / (name.replace(".", "/") + ".pyx")).exists()],
        include_path=["src"],
        force=DEBUG or SANITIZE,
    ),
    cmdclass={"build_ext": BuildExt},
)
