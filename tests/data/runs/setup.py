"""Builds the extension that plays runs of moves with every instruction set."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    name="runs",
    py_modules=[],
    ext_modules=cythonize([Extension("runs", ["runs.pyx"], include_dirs=[os.environ["WEI7CORE_HEADERS"]])], quiet=True),
)
