"""Builds the decoder of SGF once more, over texts that end where the memory of the process ends."""

import os
import platform
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

# The baseline of the package itself (its setup.py), or code for many bytes at once would be left out.
FLAGS = ["-march=x86-64-v2"] if platform.machine() == "x86_64" and sys.platform != "win32" else []

setup(
    name="guarded_texts",
    py_modules=[],
    ext_modules=cythonize(
        [
            Extension(
                "guarded_texts",
                ["guarded_texts.pyx"],
                include_dirs=[os.environ["WEI7CORE_HEADERS"]],
                extra_compile_args=FLAGS,
            )
        ],
        quiet=True,
    ),
)
