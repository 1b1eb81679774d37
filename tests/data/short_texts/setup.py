"""Builds the decoders and the replay of many texts once more, with memory that can run out."""

import os

from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    name="short_texts",
    py_modules=[],
    ext_modules=cythonize(
        [Extension("short_texts", ["short_texts.pyx"], include_dirs=[os.environ["WEI7CORE_HEADERS"]])], quiet=True
    ),
)
