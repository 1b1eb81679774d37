"""Builds the kernel once more, with memory that can run out."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    name="short_memory",
    py_modules=[],
    ext_modules=cythonize(
        [Extension("short_memory", ["short_memory.pyx"], include_dirs=[os.environ["WEI7CORE_HEADERS"]])], quiet=True
    ),
)
