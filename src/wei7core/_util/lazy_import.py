"""Imports on first use: functions by their names, and attributes of packages (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any


@cache
def imported(name: str) -> Any:
    """Return the attribute named `package.module.name`, after importing its module. Thread safe."""
    module, _, attribute = name.rpartition(".")
    return getattr(_module(module), attribute)


def _module(name: str) -> Any:
    """Import a module whole: NumPy, after an interrupt of its import, cannot be imported again in the process."""
    from .atomic_write import InterruptsLater

    with InterruptsLater():
        return importlib.import_module(name)


def lazy_attributes(
    package: str, modules: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` of a package whose public names are imported on first use.

    `modules` maps a module, relative to `package` and without a leading dot, to the names that it provides. Submodules
    of the package are found by name too.
    """
    module_of = {name: module for module, names in modules.items() for name in names}

    def getattribute(name: str) -> Any:
        module = module_of.get(name)
        if module is not None:
            value = imported(f"{package}.{module}.{name}")
            setattr(sys.modules[package], name, value)
            return value
        if not name.startswith("__"):
            try:
                return _module(f"{package}.{name}")
            except ModuleNotFoundError as error:
                if error.name != f"{package}.{name}":
                    raise
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def directory() -> list[str]:
        return sorted(getattr(sys.modules[package], "__all__", module_of))

    return getattribute, directory
