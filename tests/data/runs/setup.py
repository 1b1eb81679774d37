"""Builds the extension that plays runs of moves with every instruction set."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import wei7core

setup(
    name="runs",
    py_modules=[],
    ext_modules=cythonize([Extension("runs", ["runs.pyx"], include_dirs=[wei7core.get_include()])], quiet=True),
)
