"""Builds the extension that finds children with every instruction set."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    name="native_children",
    py_modules=[],
    ext_modules=cythonize(
        [Extension("native_children", ["native_children.pyx"], include_dirs=[os.environ["WEI7CORE_HEADERS"]])],
        quiet=True,
    ),
)
