"""Builds the decoders and the replay of many texts once more, with memory that can run out."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import wei7core

setup(
    name="short_texts",
    py_modules=[],
    ext_modules=cythonize(
        [Extension("short_texts", ["short_texts.pyx"], include_dirs=[wei7core.get_include()])], quiet=True
    ),
)
