"""Builds the facts of games once more, with memory that can run out."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import wei7core

setup(
    name="short_facts",
    py_modules=[],
    ext_modules=cythonize(
        [Extension("short_facts", ["short_facts.pyx"], include_dirs=[wei7core.get_include()])], quiet=True
    ),
)
