"""Builds the facts of games once more, with memory that can run out."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    name="short_facts",
    py_modules=[],
    ext_modules=cythonize(
        [Extension("short_facts", ["short_facts.pyx"], include_dirs=[os.environ["WEI7CORE_HEADERS"]])], quiet=True
    ),
)
