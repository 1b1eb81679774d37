"""What is installed is all that there is: setuptools finds every package of the source tree."""

import ast
import importlib
import inspect
import operator
import re
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from helpers.cases import in_groups
from setuptools import find_packages

import wei7core

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the source tree is not here")
def test_every_package_is_found():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    table = re.search(r"^\[tool\.setuptools\.packages\.find\]\n(.*?)^\n", text, re.MULTILINE | re.DOTALL)
    assert table is not None
    settings = dict(re.findall(r"^(\w+) = (.*?)(?:  #.*)?$", table[1], re.MULTILINE))
    assert settings == {"where": '["src"]', "namespaces": "false"}, "then it is what find_packages does"
    packages = {path.parent.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src").rglob("__init__.py")}
    assert {name.replace(".", "/") for name in find_packages(str(ROOT / "src"))} == packages


def test_the_stub_of_the_package_tells_where_names_come_from():
    """`__init__.py` loads names when they are asked for; the stub imports the same ones from the same modules."""
    tree = ast.parse((Path(wei7core.__file__).parent / "__init__.pyi").read_text(encoding="utf-8"))
    reported = {
        alias.name: f"wei7core.{node.module}" if node.module else f"wei7core.{alias.name}"
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert set(reported) == set(wei7core.__all__) == set(dir(wei7core)) & set(reported)
    for name, module in reported.items():
        found = getattr(wei7core, name)
        home = importlib.import_module(module)
        assert found is (home if module == f"wei7core.{name}" else getattr(home, name))
    passed_on = [
        (alias.name, alias.asname) for node in tree.body for alias in node.names
    ]  # else they are private there
    assert all(name == again for name, again in passed_on)


@pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the source tree is not here")
def test_stubs_of_a_wheel_have_the_docstrings_of_the_modules(monkeypatch):
    """`setup.py` reads them from the sources of Cython; what is compiled has them, too."""
    monkeypatch.syspath_prepend(str(ROOT / "ci"))
    reader = importlib.import_module("stub_docstrings")
    count = 0
    for name in reader.MODULES:
        source = ROOT / "src" / "wei7core" / name.replace(".", "/")
        bare = source.with_suffix(".pyi").read_text(encoding="utf-8")
        stub = reader.stub_with_docstrings(bare, reader.docstrings(source))
        module = importlib.import_module(f"wei7core.{name}")
        assert ast.dump(ast.parse(bare)) == ast.dump(without_docstrings(ast.parse(stub)))
        for node, place in reader.definitions(ast.parse(stub).body):
            owner, _, member = place.rpartition(".")
            home = getattr(module, owner) if owner else module
            found = vars(home).get(member) if owner else getattr(home, member, None)
            text = getattr(found, "__doc__", None)
            assert ast.get_docstring(node) == (inspect.cleandoc(text) if isinstance(text, str) else None), place
            count += isinstance(text, str)
    assert count > 150


@pytest.mark.parametrize(
    ("name", "functions"),
    [
        ("batch._engine", "replay_block replay_records record_positions replay_lines"),
        ("batch.index._search", "find_patterns GameStore.order_hashes"),
        ("formats._native", "Writer.write_in"),
    ],
)
def test_stubs_have_the_parameters_of_functions_whose_defaults_have_names(name, functions):
    """`inspect.signature`, by which stubtest compares all others, reads only defaults that are literals."""
    module = importlib.import_module(f"wei7core.{name}")
    stub = ast.parse((Path(wei7core.__file__).parent / f"{name.replace('.', '/')}.pyi").read_text(encoding="utf-8"))
    for function in functions.split():
        compiled = operator.attrgetter(function)(module).__text_signature__.replace("$self", "self")
        node: ast.AST = stub
        for part in function.split("."):
            (node,) = [child for child in node.body if getattr(child, "name", None) == part]
        assert parameters(node.args) == parameters(ast.parse(f"def function{compiled}: ...").body[0].args)


def parameters(arguments: ast.arguments) -> tuple[list[str], int, list[tuple[str, bool]]]:
    """The names by position, how many of them have a default, and the keywords with whether they have one."""
    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return (
        [argument.arg for argument in arguments.args],
        len(arguments.defaults),
        [(argument.arg, default is not None) for argument, default in keywords],
    )


def without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
            node.body[:1] = [] if len(node.body) > 1 else [ast.Expr(ast.Constant(...))]
    return tree


def test_names_are_listed_and_classes_have_signatures():
    assert dir(wei7core) == sorted(wei7core.__all__)
    for name, parameters in {
        "Board": ["width", "height", "max_points"],
        "PointSet": ["points", "width", "height", "max_points"],
        "Position": ["width", "height", "packed", "to_play", "ko"],
    }.items():
        assert list(inspect.signature(getattr(wei7core, name)).parameters) == parameters
        assert not inspect.getdoc(getattr(wei7core, name)).startswith(name)
    for name in wei7core.__all__:
        if callable(getattr(wei7core, name)):
            inspect.signature(getattr(wei7core, name))  # raises where there is none
    for name in wei7core.__all__:
        if inspect.isclass(public := getattr(wei7core, name)) and not issubclass(public, BaseException | frozenset):
            for method, function in inspect.getmembers(public, callable):
                if not method.startswith("_") and not inspect.isclass(function):
                    inspect.signature(function)


def test_importing_the_package_loads_little():
    code = "import sys, wei7core; print('numpy' in sys.modules, wei7core.Board(9).size, 'numpy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False (9, 9) True\n"
    with pytest.raises(AttributeError, match="'wei7core' has no attribute 'nothing'"):
        wei7core.nothing  # noqa: B018 - the access raises


def test_the_command_line_starts_without_numpy():
    """It loads while the first records are replayed, by whatever uses it first, in any number of threads."""
    code = (
        "import sys, threading, wei7core.cli.main; from wei7core._util.lazy_numpy import np;"
        "print('numpy' in sys.modules);"
        "found = []; threads = [threading.Thread(target=lambda: found.append(np.int64(3))) for _ in range(8)];"
        "[thread.start() for thread in threads]; [thread.join() for thread in threads];"
        "import numpy; print(found == [3] * 8, np.uint8 is numpy.uint8, hasattr(np, 'no_such_name'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "True", "False"]


def test_compiled_modules_are_few():
    """Each has its own copy of what Cython adds: some 10 kB of a wheel, and seconds of a build."""
    package = Path(wei7core.__file__).parent
    assert len({path for suffix in EXTENSION_SUFFIXES for path in package.rglob(f"*{suffix}")}) < 11


@in_groups(
    "name",
    [
        *("board.area.count_area", "board.blocks.Block", "board.children.Children", "board.ladder.Ladder"),
        *("board.life.PassAlive", "board.planes.to_planes", "board.point_set.PointSet", "board.position.Position"),
        "replaying.replay.PausePoint",
        "_util.cpu.ISA",
    ],
)
def test_names_of_merged_modules_have_modules_of_their_own(name):
    module, _, attribute = name.rpartition(".")
    home = importlib.import_module(f"wei7core.{module}")
    assert attribute in home.__all__
    assert getattr(wei7core, attribute, getattr(home, attribute)) is getattr(home, attribute)


@pytest.mark.skipif(not (ROOT / "src").is_dir(), reason="the source tree is not here")
def test_what_is_compiled_for_size_follows_all_kernels():
    """The C of a module after `_util/glue_for_size.h` is compiled for size: no header of kernels may come after it."""
    last = 'cdef extern from "_util/glue_for_size.h":\n    pass\n'
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.pyx")}
    users = {path: text for path, text in sources.items() if "glue_for_size.h" in text}
    assert users
    assert [path.name for path, text in users.items() if not text.endswith(last) or text.count(last) != 1] == []
