"""Builds the kernel once more, with memory that can run out."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import wei7core

setup(
    name="short_memory",
    py_modules=[],
    ext_modules=cythonize(
        [Extension("short_memory", ["short_memory.pyx"], include_dirs=[wei7core.get_include()])], quiet=True
    ),
)
