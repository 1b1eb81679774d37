"""Builds the extension that finds children with every instruction set."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import wei7core

setup(
    name="native_children",
    py_modules=[],
    ext_modules=cythonize(
        [Extension("native_children", ["native_children.pyx"], include_dirs=[wei7core.get_include()])], quiet=True
    ),
)
