"""How a package builds an extension on the board of wei7core."""

from Cython.Build import cythonize
from setuptools import Extension, setup

import wei7core

setup(
    name="replay_games",
    py_modules=[],
    ext_modules=cythonize(
        [Extension("replay_games", ["replay_games.pyx"], include_dirs=[wei7core.get_include()])], quiet=True
    ),
)
