"""Builds the extension that counts the memory of Python's objects."""

from setuptools import Extension, setup

setup(name="counted_memory", py_modules=[], ext_modules=[Extension("counted_memory", ["counted_memory.c"])])
