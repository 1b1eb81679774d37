"""The tasks of development, over the scripts of `ci/`, each in an environment that is kept: `nox -l`, `nox -s lint`.

The first run of a task makes its environment in `.nox/`; `nox -R` uses it as it is, `nox -r` installs into it again.
"""

from __future__ import annotations

import nox

nox.needs_version = ">=2024.4"
nox.options.default_venv_backend = "venv"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["lint", "test"]

ALL = "exhaustive or not exhaustive"


def environment(session: nox.Session, extras: str) -> dict[str, str]:
    """Install the checkout with extras; return the variables by which the scripts use that environment."""
    session.install(f".[{extras}]")
    return {"WEI7CORE_VENV": session.virtualenv.location, "WEI7CORE_WHEEL": ""}


def script(session: nox.Session, name: str, extras: str) -> None:
    """Run a script of `ci/` in the environment of a session, with the arguments of the command line."""
    session.run(f"ci/{name}", *session.posargs, env=environment(session, extras), external=True)


@nox.session
def test(session: nox.Session) -> None:
    """Run the quick tests, or what follows `--`: files, `-k WORD`."""
    environment(session, "test")
    session.run("python", "-m", "pytest", "-q", "-n", "auto", *session.posargs)


@nox.session
def tests(session: nox.Session) -> None:
    """Run all tests, the exhaustive ones too, as CI does."""
    environment(session, "test,arrow")
    variables = {"WEI7CORE_HYPOTHESIS": "ci"}
    session.run("python", "-m", "pytest", "-q", "-n", "auto", "-m", ALL, *session.posargs, env=variables)


@nox.session
def lint(session: nox.Session) -> None:
    """Run ruff, cython-lint, mypy and stubtest."""
    script(session, "lint", "lint,arrow,test")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation, with warnings as errors, into the folder after `--`."""
    script(session, "docs", "docs")


@nox.session
def bench(session: nox.Session) -> None:
    """Run the benchmarks; `-- table` prints the table of the promises about speed."""
    script(session, "bench", "bench,arrow")


@nox.session(venv_backend="none")
def sanitize(session: nox.Session) -> None:
    """Run the tests under AddressSanitizer and UndefinedBehaviorSanitizer."""
    session.run("ci/sanitize", *session.posargs, external=True)


@nox.session(venv_backend="none")
def fuzz(session: nox.Session) -> None:
    """Fuzz the decoders and the board: `-- SECONDS TARGET...`."""
    session.run("ci/fuzz", *session.posargs, external=True)


@nox.session(venv_backend="none")
def everything(session: nox.Session) -> None:
    """Run what must hold before a change lands."""
    session.run(".ci/run", external=True)
